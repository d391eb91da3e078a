"""Every sentence of the score's pages, so that they can be translated in one place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from assistant.dashboard.texts import COLOUR_NAMES, sentence
from assistant.rules import Okey101Scoring, OkeyScoring, Rules
from assistant.scoring import Event
from assistant.tiles import Colour

SCORE_PAGE, SCORE_PATH = "Score", "score"
SCORE_TITLE = "The score of the table"
TAGLINE = "Everyone at the table sees the same score; it is kept deal by deal."

NEW_TABLE = "A new table"
SAME_PEOPLE = "The same people as before"
SEATS_HINT = "Players in playing order, each to the right of the one before."
NAME_PLACEHOLDER = "Name"
FIRST_DEALER = "Deals first"
WHAT_IS_PLAYED = "What is played"
PRESET_NAMES = {"classic": "Classic", "online": "Online", "favorite": "Favorite", "nostalji": "Nostalji", "101": "Okey 101"}
MORE_OPTIONS = "House rules"
OPEN_END, NOT_SCORED = "open", "not scored"
DOUBLES_CHOICES = {
    "off": "nothing",
    "any": "a hand all of one colour",
    "red_black": "a hand all red or all black",
    "indicator": "a deal whose indicator is red or black",
}
START = "Start the table"
TOO_FEW = "Name at least two players."
TABLES = "Tables"

DEALS, BEGINS, OUT, WON = "deals", "begins", "out", "wins"
YOU_WATCH = "You are watching. To write the score, enter the table’s PIN."
PIN, UNLOCK = "PIN", "Unlock"
WRONG_PIN = "This is not the table’s PIN: ask whoever made the table."

WHO, HOW = "Who?", "What happened?"
SHOWED_INDICATOR, STOCK_RAN_OUT = "Showed the indicator", "The stock ran out"
TAP_WHO_FIRST = "Tap a name, then what happened: the deal is written down."
HANDS = {"melds": "Sets and runs", "pairs": "Seven pairs", "run": "One-colour run"}
OKEY_LAST = "okey last"
TO_ZERO = "to 0"
HAND_COLOUR, MIXED = "The hand’s colour", "mixed"
INDICATOR = "The indicator"

FINISHER, NOBODY_FINISHED = "Who finished?", "Nobody: the stock ran out"
FINISHED_WITH_OKEY, IN_ONE_TURN = "Finished with an okey", "Everything in one turn (elden)"
SUM_LEFT, OKEYS_LEFT = "Sum left", "Okeys left"
OPENINGS = {"none": "Not opened", "melds": "Sets and runs", "pairs": "Pairs"}
WRITE_DOWN = "Write the deal down"
PENALTY, REASON, WRITE_PENALTY = "Penalty", "What for?", "Write the penalty down"
PENALTIES = {
    "okey_left": "An okey left in hand",
    "okey_discarded": "An okey discarded",
    "failed_opening": "A failed opening taken back",
    "playable_discard": "A discard that fitted a group",
    "taken_back": "More than the last tile taken back",
}

EVERY_DEAL, COURSE, DEAL = "Every deal", "The course of the game", "Deal"
NO_DEALS = "No deal is written down yet."
CORRECT, TAKE_BACK, UNDO = "Correct", "Take back", "Undo the last change"
TAKEN_BACK = "taken back"
CORRECTION = "What should stand here?"
REMATCH, NEW_GAME, TO_REMATCH = "Rematch with the same people", "New game with the same people", "The game goes on here: open the rematch"

SHARE = "Watch on another device"
SCAN = "Scan it to watch; writing needs the PIN."
ONLY_HERE = "Only this computer can open this link: start istaka with --host 0.0.0.0 to share it."
CSV, JSON_LINES = "CSV", "JSON"
CSV_HEADINGS = ("line", "deal", "time (UTC)", "what", "before")


def seat(number: int) -> str:
    """A player's place."""
    return f"Seat {number + 1}"


def same_name(name: str) -> str:
    """Two players who cannot be told apart."""
    return f"Two players are called {name}: give one of them another name."


def pin_is(pin: str) -> str:
    """The PIN, for whoever may write."""
    return f"PIN to write: **{pin}**. Keep it: it is not shown to those who watch."


def signed(change: int) -> str:
    """A change of an account."""
    return f"+{change}" if change > 0 else f"−{-change}" if change < 0 else "0"


def name_does(name: str, what: str, alone: bool) -> str:
    """A mark on an account: of one player, or of one of two partners."""
    return what if alone else f"{name} {what}"


def hand_button(hand: str, okey_last: bool, changes: Sequence[int]) -> str:
    """A way to win and what it costs each of the others."""
    costs = {change for change in changes if change}
    cost = signed(costs.pop()) if len(costs) == 1 else TO_ZERO
    return f"{HANDS[hand]}{f', {OKEY_LAST}' if okey_last else ''} ({cost})"


def winners(names: Sequence[str]) -> str:
    """Who has won the game."""
    return f"{names[0]} wins the game" if len(names) == 1 else f"{' and '.join(names)} win the game"


def deal_number(deal: int) -> str:
    """A deal's name."""
    return f"Deal {deal}"


def left_missing(name: str) -> str:
    """A sum that was not entered."""
    return f"Enter the sum that {name} has left; 0 is allowed."


def csv_change(name: str) -> str:
    """The heading of a player's changes."""
    return f"{name}, change"


def csv_score(name: str) -> str:
    """The heading of a player's accounts."""
    return f"{name}, score"


def described(event: Event, names: Sequence[str]) -> str:
    """What an event says."""
    kind = event["event"]
    if kind == "indicator_shown":
        return f"{names[event['by']]} showed the indicator"
    if kind == "win":
        colour = f", all {COLOUR_NAMES[Colour(event['colour'])]}" if event.get("colour") else ""
        okey = f", {OKEY_LAST}" if event.get("okey_last") else ""
        return f"{names[event['by']]} won: {HANDS[event['hand']].lower()}{okey}{colour}"
    if kind == "penalty":
        return f"Penalty for {names[event['by']]}: {PENALTIES[event['reason']].lower()}"
    if kind == "deal":
        return _described_101(event, names)
    return STOCK_RAN_OUT


def _described_101(event: Event, names: Sequence[str]) -> str:
    finisher = event["finisher"]
    if finisher is None:
        said = STOCK_RAN_OUT
    else:
        ways = [OKEY_LAST] * bool(event.get("okey_last")) + ["in one turn"] * bool(event.get("hand_finish"))
        how = OPENINGS[event["players"][finisher]["opened"]].lower()
        said = f"{names[finisher]} finished: {', '.join([how, *ways])}"
    others = [f"{name} {_held(hand)}" for seat, (name, hand) in enumerate(zip(names, event["players"], strict=True)) if seat != finisher]
    return f"{said}. {'; '.join(others)}"


def _held(hand: Mapping[str, object]) -> str:
    """What one had left at the end of a deal of 101."""
    if hand["opened"] is None:
        return "not opened"
    okeys = hand.get("okeys_left")
    left = "nothing counted" if hand.get("left") is None else f"{hand['left']} left"
    return f"{left}{' (pairs)' if hand['opened'] == 'pairs' else ''}{f' and {okeys} okey' if okeys else ''}"


def refused(error: Exception, names: Sequence[str], deals: Mapping[int, int]) -> str:
    """Why an event is not allowed, with names for seats and deals for lines."""
    text = re.sub(r"\bplayer (\d)", lambda found: names[int(found[1])], str(error))
    return sentence(
        re.sub(r"\bline (\d+)", lambda found: deal_number(deals[int(found[1])]).lower() if int(found[1]) in deals else found[0], text)
    )


def rules_in_words(rules: Rules) -> str:
    """The rules in force."""
    scoring = rules.scoring
    parts = _parts_101(scoring) if isinstance(scoring, Okey101Scoring) else _parts(scoring)
    if scoring.partners:
        parts.append("partners have one account")
    return f"{PRESET_NAMES[rules.name]}: {'; '.join(parts)}."


def _parts(scoring: OkeyScoring) -> list[str]:
    parts = [
        f"from {scoring.start} down",
        f"a win costs {scoring.win}, with an okey last {scoring.win_okey}",
        f"pairs {scoring.pairs} and {scoring.pairs_okey}",
    ]
    if scoring.run is not None and scoring.run_okey is not None:
        parts.append(f"one-colour run {scoring.run or TO_ZERO} and {scoring.run_okey or TO_ZERO}")
    if scoring.one_colour is not None:
        parts.append(f"a hand all of one colour {scoring.one_colour} and {scoring.one_colour_okey}")
    if scoring.with_indicator:
        least = f" for those who have {scoring.indicator_minimum} or more" if scoring.indicator_minimum else ""
        parts.append(f"indicator shown {scoring.indicator_shown}{least}")
    if scoring.exhausted_penalty:
        parts.append(f"stock run out {scoring.exhausted_penalty} for everyone")
    if scoring.colour_doubles != "off":
        parts.append(f"double: {DOUBLES_CHOICES[scoring.colour_doubles]}")
    parts.append("who is at 0 leaves, the last one wins" if scoring.elimination else "it ends when someone is at 0")
    return parts


def _parts_101(scoring: Okey101Scoring) -> list[str]:
    return [
        "the lowest total wins",
        f"{scoring.deals} deals" if scoring.deals else "as many deals as you like",
        f"finisher −{scoring.finish}, not opened +{scoring.not_opened}, each fault +{scoring.penalty}",
        f"factor up to {scoring.factor_cap}",
        *["each opening must beat the best one"] * scoring.raising,
        *["void when all four open with pairs"] * scoring.all_pairs_void,
    ]
