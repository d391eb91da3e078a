"""The sentences of the score's pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.dashboard.language import N_, _, isolated, listed, ngettext
from assistant.dashboard.texts import COLOUR_NAMES, rules_used, sentence
from assistant.ledger import LedgerError
from assistant.reasons import Reason
from assistant.rules import Okey101Scoring, OkeyScoring, Rules, changed_options
from assistant.scoring import Event, EventError
from assistant.tiles import Colour

SCORE_PAGE, SCORE_PATH = N_("Score"), "score"
SCORE_TITLE = N_("The score of the table")
TAGLINE = N_("Everyone at the table sees the same score; it is kept deal by deal.")

NEW_TABLE = N_("A new table")
SAME_PEOPLE = N_("The same people as before")
SEAT_THEM = N_("Or tap who plays, one after the other:")
SEATS_HINT = N_("Players in playing order, each to the right of the one before.")
NAME_PLACEHOLDER = N_("Name")
FIRST_DEALER = N_("Deals first")
WHAT_IS_PLAYED = N_("What is played")
PRESET_NAMES = {
    "classic": N_("Classic"),
    "online": N_("Online"),
    "favorite": N_("Favorite"),
    "nostalji": N_("Nostalji"),
    "101": N_("Okey 101"),
}
OPEN_END, NOT_SCORED = N_("open"), N_("not scored")
DOUBLES_CHOICES = {
    "off": N_("nothing"),
    "any": N_("a hand all of one colour"),
    "red_black": N_("a hand all red or all black"),
    "indicator": N_("a deal whose indicator is red or black"),
}
START, START_FROM_FILE = N_("Start the table"), N_("Start the table of this file")
TOO_FEW = N_("Name at least two players.")
TABLES, OVER = N_("Tables"), N_("over")

DEALS, BEGINS, OUT, WON = N_("deals"), N_("begins"), N_("out"), N_("wins")
YOU_WATCH = N_("You are watching. To write the score, enter the table’s PIN.")
PIN, UNLOCK = N_("PIN"), N_("Unlock")

WHO = N_("Who?")
SHOWED_INDICATOR, STOCK_RAN_OUT = N_("Showed the indicator"), N_("The stock ran out")
TAP_WHO_FIRST = N_("Tap a name, then what happened: the deal is written down.")
HANDS = {"melds": N_("Sets and runs"), "pairs": N_("Seven pairs"), "run": N_("One-colour run")}
HANDS_WON = {"melds": N_("{name} won: sets and runs"), "pairs": N_("{name} won: seven pairs"), "run": N_("{name} won: one-colour run")}
OKEY_LAST = N_("okey last")
TO_ZERO = N_("to 0")
HAND_COLOUR, MIXED = N_("The hand’s colour"), N_("mixed")
INDICATOR, NOT_TOLD_HERE = N_("The indicator"), N_("not told here")
INDICATOR_FIRST = N_("The indicator’s colour may double the whole deal: say which tile it is.")

FINISHER, NOBODY_FINISHED = N_("Who finished?"), N_("Nobody: the stock ran out")
FINISHED_WITH_OKEY, IN_ONE_TURN = N_("Finished with an okey"), N_("Everything in one turn (elden)")
SUM_LEFT, OKEYS_LEFT = N_("Sum left"), N_("Okeys left")
OPENINGS = {"none": N_("Not opened"), "melds": N_("Sets and runs"), "pairs": N_("Pairs")}
OPENINGS_FINISHED = {"melds": N_("{name} finished: sets and runs"), "pairs": N_("{name} finished: pairs")}
WRITE_DOWN = N_("Write the deal down")
PENALTY, REASON, WRITE_PENALTY = N_("Penalty"), N_("What for?"), N_("Write the penalty down")
PENALTIES = {
    "okey_left": N_("An okey left in hand"),
    "okey_discarded": N_("An okey discarded"),
    "failed_opening": N_("A failed opening taken back"),
    "playable_discard": N_("A discard that fitted a group"),
    "taken_back": N_("More than the last tile taken back"),
}

EVERY_DEAL, COURSE, DEALS_PLAYED = N_("Every deal"), N_("The course of the game"), N_("Deals played")
NO_DEALS = N_("No deal is written down yet.")
CORRECT, TAKE_BACK, UNDO = N_("Correct"), N_("Take back"), N_("Undo the last change")
TAKEN_BACK = N_("taken back")
SET_ASIDE, MEND_ASIDE = N_("kept, but does not count"), N_("Correct it or what stands before it, or take it back.")
CORRECTION = N_("What should stand here?")
REMATCH, NEW_GAME = N_("Rematch with the same people"), N_("New game with the same people")
NEW_GAME_MEANS = N_("This score stays as it is, with a link to the new game for everyone who sees it. That cannot be undone.")
START_NEW_GAME = N_("Start the new game")
TO_REMATCH = N_("The game goes on here: open the rematch")

GAME, WATCH, TABLE = N_("The game"), N_("Watch"), N_("The table")
SCAN = N_("Scan it to watch; writing needs the PIN.")
ONLY_HERE = N_("Only this computer can open this link: start istaka with --host 0.0.0.0 to share it.")
CSV, JSON_LINES = "CSV", "JSON"
KEEP_LEDGER = N_("The score as a file: CSV for a spreadsheet, JSON with every change. Either can be brought back as a new table.")
WRITE_WIN, AT_WHICH_TABLE = N_("Write down as a win"), N_("At which table?")
WIN_WRITTEN, TO_TABLE = N_("The win is written down, and this verdict is kept with it."), N_("To the table")
FROM_FILE, LEDGER_FILE = N_("Bring a table from a file"), N_("A score that was kept as a file, CSV or JSON")
NO_TEXT = N_("This file is no text: choose one that was downloaded from a table.")
CHANGE_PIN, OLD_PIN, NEW_PIN = N_("Change the PIN"), N_("PIN so far"), N_("New PIN, 4 to 12 digits")
CHANGE_PIN_HINT = N_("Only this device stays unlocked: all others have to enter the new PIN.")
PIN_CHANGED = N_("The PIN is changed.")
NO_PIN = N_("A PIN is 4 to 12 digits.")
REFUSALS = {
    "player {player} has left the game": N_("{name} has left the game"),
    "the indicator was shown in this deal already, by player {player}": N_("the indicator was shown in this deal already: {name}"),
    "with this, line {line} does not fit any more: {why}": N_("with this, deal {deal} does not fit any more: {why}"),
    "line {line} holds no event in force that could be changed": N_("this deal was taken back in the meantime"),
    "line {line} was changed in the meantime: look at what stands there now": N_(
        "this deal was changed in the meantime: look at what stands there now"
    ),
    "line {line} was taken back: what happened can be entered anew": N_("this deal was taken back in the meantime"),
    "the event belongs to deal {named}, but deal {deal} is being played": N_(
        "deal {named} was written down on another device just before: yours was not written, look at the score"
    ),
}
"""What the rules say of players and lines by number, as the pages say it: by name and by deal."""
CSV_HEADINGS = (N_("deal"), N_("time (UTC)"), N_("who"), N_("what"))


def seat(number: int) -> str:
    """A player's place."""
    return _("Seat {number}").format(number=number + 1)


def same_name(name: str) -> str:
    """Two players who cannot be told apart."""
    return _("Two players are called {name}: give one of them another name.").format(name=name)


def too_long_name(name: str, most: int) -> str:
    """A name for which a score has no room, of more than so many letters."""
    return _("{name} is too long: write {most} letters at most.").format(name=name, most=most)


def wrong_pin(wait_s: int) -> str:
    """A PIN that does not open the table; for how long none is tried, if several were wrong."""
    if wait_s:
        wait = ngettext("Too many wrong PINs: try again in {count} second.", "Too many wrong PINs: try again in {count} seconds.", wait_s)
        return wait.format(count=wait_s)
    return _("This is not the table’s PIN: ask whoever made the table.")


def pin_is(pin: str) -> str:
    """The PIN, for whoever may write."""
    return _("PIN to write: **{pin}**. Keep it: it is not shown to those who watch.").format(pin=pin)


def figure(score: int) -> str:
    """A score with a proper minus."""
    return str(score).replace("-", "−")


def signed(change: int) -> str:
    """A change of an account."""
    return f"+{change}" if change > 0 else f"−{-change}" if change < 0 else "0"


def name_does(name: str, what: str, alone: bool) -> str:
    """A mark on an account: of one player, or of one of two partners."""
    return _(what) if alone else f"{isolated(name)} {_(what)}"


def happening(event: Event, changes: Sequence[int] = ()) -> str:
    """What can be tapped in the form of a deal; a way to win with what it costs each of the others, if that is given."""
    if event["event"] != "win":
        return _(SHOWED_INDICATOR) if event["event"] == "indicator_shown" else _(STOCK_RAN_OUT)
    hand = HANDS[event["hand"]]
    way = f"{_(hand)}, {_(OKEY_LAST)}" if event["okey_last"] else _(hand)
    costs = {change for change in changes if change}
    if not costs:
        return way
    return f"{way} ({signed(costs.pop()) if len(costs) == 1 else _(TO_ZERO)})"


def not_possible(happenings: Sequence[str], reason: str) -> str:
    """Why something cannot be tapped."""
    return _("Not possible here: {happenings}. {reason}").format(happenings="; ".join(happenings), reason=reason)


def winners(names: Sequence[str]) -> str:
    """Who has won the game."""
    return ngettext("{names} wins the game", "{names} win the game", len(names)).format(names=listed(map(isolated, names)))


def deals_played(count: int) -> str:
    """How many deals are over."""
    return ngettext("{count} deal", "{count} deals", count).format(count=count)


def deal_number(deal: int) -> str:
    """A deal's name."""
    return _("Deal {number}").format(number=deal)


def left_missing(name: str) -> str:
    """A sum that was not entered."""
    return _("The sum that {name} has left is missing: enter it; 0 is allowed.").format(name=name)


def left_wrong(name: str, most: int) -> str:
    """A sum that nobody can have left."""
    return _("The sum that {name} has left is a number from 0 to {most}: enter it again.").format(name=name, most=most)


def option_wrong(option: str, least: int, most: int) -> str:
    """An option with a figure that it cannot have."""
    return _("{option} Enter a number from {least} to {most}.").format(option=option, least=least, most=most)


def csv_change(name: str) -> str:
    """The heading of a player's changes."""
    return _("{name}, change").format(name=name)


def csv_score(name: str) -> str:
    """The heading of a player's accounts."""
    return _("{name}, score").format(name=name)


def colour_of(event: Event) -> Colour | None:
    """The colour of the hand that an event names, which in a ledger from elsewhere may be a word or a small letter."""
    word = str(event.get("colour")).lower()
    return next((colour for colour in Colour if word in (colour.value.lower(), colour.name.lower())), None)


def described(event: Event, names: Sequence[str]) -> str:
    """What an event says."""
    names = list(map(isolated, names))
    kind = event["event"]
    name = names[event["by"]] if kind in ("indicator_shown", "win", "penalty") else ""
    if kind == "indicator_shown":
        return _("{name} showed the indicator").format(name=name)
    if kind == "win":
        won = HANDS_WON[event["hand"]]
        parts = [_(won).format(name=name)]
        if event.get("okey_last"):
            parts.append(_(OKEY_LAST))
        colour = colour_of(event)
        if colour:
            parts.append(_("all {colour}").format(colour=_(COLOUR_NAMES[colour])))
        return ", ".join(parts)
    if kind == "penalty":
        fault = PENALTIES[event["reason"]]
        return _("Penalty for {name}: {fault}").format(name=name, fault=_(fault))
    if kind == "deal":
        return _described_101(event, names)
    return _(STOCK_RAN_OUT)


def _described_101(event: Event, names: Sequence[str]) -> str:
    finisher = event.get("finisher")
    if finisher is None:
        ended = _(STOCK_RAN_OUT)
    else:
        how = OPENINGS_FINISHED[event["players"][finisher]["opened"]]
        ways = [_(how).format(name=names[finisher])]
        if event.get("okey_last"):
            ways.append(_(OKEY_LAST))
        if event.get("hand_finish"):
            ways.append(_("in one turn"))
        ended = ", ".join(ways)
    others = [f"{name} {_held(hand)}" for seat, (name, hand) in enumerate(zip(names, event["players"], strict=True)) if seat != finisher]
    return f"{ended}. {'; '.join(others)}"


def _held(hand: Mapping[str, object]) -> str:
    """What one had left at the end of a deal of 101."""
    if hand.get("opened") is None:
        return _("not opened")
    left = _("nothing counted") if hand.get("left") is None else _("{points} left").format(points=hand["left"])
    pairs = _("{left} (pairs)").format(left=left) if hand["opened"] == "pairs" else left
    okeys = hand.get("okeys_left")
    return _("{left} and {count} okey").format(left=pairs, count=okeys) if okeys else pairs


def refused(error: EventError, names: Sequence[str], deals: Mapping[int, int]) -> str:
    """Why an event is not allowed, with names for seats and deals for lines."""
    return sentence(str(error) if error.reason is None else _said(error.reason, names, deals))


def problems(error: LedgerError) -> list[str]:
    """What is wrong with a file, line by line, with names for seats."""
    return [sentence(_said(problem, error.players, None)) for problem in error.problems]


def _said(reason: Reason, names: Sequence[str], deals: Mapping[int, int] | None) -> str:
    """A reason with names for seats and deals for lines; without deals the lines are those of a file."""
    values: dict[str, object] = dict(reason.values)
    player, line, why = (reason.values.get(name) for name in ("player", "line", "why"))
    if isinstance(player, int):
        values["name"] = isolated(names[player])
    if isinstance(line, int) and deals is not None:
        values["deal"] = deals.get(line, "?")
    if isinstance(why, Reason):
        values["why"] = _said(why, names, deals)
    in_file = deals is None and line is not None
    template = reason.template if in_file else REFUSALS.get(reason.template, reason.template)
    return _(template).format(**values)


def rules_in_words(rules: Rules) -> str:
    """The rules in force."""
    scoring = rules.scoring
    parts = _parts_101(scoring) if isinstance(scoring, Okey101Scoring) else _parts(scoring)
    if scoring.partners:
        parts.append(_("partners have one account"))
    told = {
        **rules_used(rules),
        "informal_deal": _("everyone takes any 14 tiles"),
        "indicator_is_last_tile": _("the indicator is drawn last"),
    }
    parts += [told[name] for name in changed_options(rules) if name in told]
    return f"{_(PRESET_NAMES[rules.name])}: {'; '.join(parts)}."


def _parts(scoring: OkeyScoring) -> list[str]:
    parts = [
        _("from {start} down").format(start=scoring.start),
        _("a win costs {cost}, with an okey last {okey_last}").format(cost=scoring.win, okey_last=scoring.win_okey),
        _("pairs {cost} and {okey_last}").format(cost=scoring.pairs, okey_last=scoring.pairs_okey),
    ]
    if scoring.run is not None and scoring.run_okey is not None:
        costs = [str(cost) if cost else _(TO_ZERO) for cost in (scoring.run, scoring.run_okey)]
        parts.append(_("one-colour run {cost} and {okey_last}").format(cost=costs[0], okey_last=costs[1]))
    if scoring.one_colour is not None:
        parts.append(
            _("a hand all of one colour {cost} and {okey_last}").format(cost=scoring.one_colour, okey_last=scoring.one_colour_okey)
        )
    if scoring.with_indicator and scoring.indicator_minimum:
        parts.append(
            _("indicator shown {cost} for those who have {least} or more").format(
                cost=scoring.indicator_shown, least=scoring.indicator_minimum
            )
        )
    elif scoring.with_indicator:
        parts.append(_("indicator shown {cost}").format(cost=scoring.indicator_shown))
    if scoring.exhausted_penalty:
        parts.append(_("stock run out {cost} for everyone").format(cost=scoring.exhausted_penalty))
    if scoring.colour_doubles != "off":
        parts.append(_("double: {what}").format(what=_(DOUBLES_CHOICES[scoring.colour_doubles])))
    parts.append(_("who is at 0 leaves, the last one wins") if scoring.elimination else _("it ends when someone is at 0"))
    if scoring.best_places > 1 and not scoring.elimination and not scoring.partners:
        parts.append(_("of four players the two highest win"))
    return parts


def _parts_101(scoring: Okey101Scoring) -> list[str]:
    parts = [
        _("the lowest total wins"),
        deals_played(scoring.deals) if scoring.deals else _("as many deals as you like"),
        _("finisher −{finish}, not opened +{not_opened}, each fault +{penalty}").format(
            finish=scoring.finish, not_opened=scoring.not_opened, penalty=scoring.penalty
        ),
        _("factor up to {most}").format(most=scoring.factor_cap),
    ]
    if scoring.raising:
        parts.append(_("each opening must beat the best one"))
    if scoring.all_pairs_void:
        parts.append(_("void when all four open with pairs"))
    return parts
