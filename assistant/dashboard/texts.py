"""The sentences of the pages about one hand, and the words that all pages share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import floor

from assistant.advice import Choice, Outlook
from assistant.dashboard.hand import Order
from assistant.dashboard.inks import is_green
from assistant.dashboard.language import N_, _, capitalised, listed, ngettext, percent
from assistant.dispute import Judgement
from assistant.groups import Kind, Named
from assistant.reasons import Reason
from assistant.rules import Rules
from assistant.search import HAND
from assistant.solver import Laid, Out, Verdict
from assistant.tiles import Colour, Tile

COLOUR_NAMES = {Colour.RED: N_("red"), Colour.BLACK: N_("black"), Colour.BLUE: N_("blue"), Colour.YELLOW: N_("yellow")}
GREEN = N_("green")
SYMBOL_NAMES = {"J": N_("false joker"), "#": N_("face down"), "?": N_("not readable")}

MARKDOWN = re.compile(r"[\\`*_{}\[\]()<>#+\-.!|~$:&]")
"""The characters that Markdown reads, and Streamlit's own."""

NAME, HAND_PAGE = "istaka", N_("Hand")
TAGLINE = N_("A photo of your rack: every tile named, the hand judged.")

WAY = N_("How to give a photo")
WAYS = {"upload": N_("Upload a photo"), "camera": N_("Take one here")}
UPLOAD_LABEL = N_("A photo of the rack, with the indicator in it if you can")
CAMERA_LABEL = N_("Hold the camera so that the whole rack and the indicator are in the picture")
CAMERA_ASKED = N_("The browser asks for the camera: allow it.")
CONNECTION_LOST = N_("The connection to istaka is lost: it is sought again. Is istaka still running, and this device in its network?")
CAMERA_HINT = N_("Is there no picture? Use “Upload a photo”: a phone offers its camera there, too.")
THIS_IS_THE_SAMPLE = N_("This is a sample: send a photo of your own rack to have it read.")
OF_THE_SAMPLE = N_("This is the sample, not your rack.")
READING = N_("Reading the tiles …")
UNEXPECTED = N_("this photo could not be read: take another one, or save it as JPEG")
STILL_SHOWN = N_("What was here before is still shown below.")

SURE, DOUBT, BY_HAND, ASIDE = N_("sure"), N_("in doubt: please check"), N_("said by you"), N_("not in the hand")
HOW_TO_CORRECT = N_("Tap a tile, in the photo or below, to correct it.")
ORDER = N_("Order")
ORDERS: dict[Order, str] = {"lies": N_("As it lies"), "colour": N_("By colour"), "number": N_("By number")}
ADD, UNDO, AS_READ = N_("Add a tile"), N_("Undo"), N_("As it was read")

WHICH_TILE, WHICH_NEW, WHICH_INDICATOR = N_("Which tile is it?"), N_("Which tiles do you add?"), N_("Which tile is the indicator?")
LIKELY = N_("Most likely")
REMOVE = N_("Not in the hand: face down, or no tile at all")
IS_INDICATOR = N_("It is the indicator")
IN_HAND = N_("It belongs to the hand")
INDICATOR_PHOTO = N_("Or read it from a photo of its own")
TAP_THE_INDICATOR = N_("Seen in this photo. Tap the indicator:")
NO_INDICATOR_SEEN = N_("No tile with a number is seen in this photo: take it from closer, or pick the tile above.")

INDICATOR_SHORT, OKEY, JOKER_IS = N_("Indicator"), N_("Okey, stands for any tile"), N_("False joker stands for")
PICK_INDICATOR = N_("Pick the indicator")

TO_MELDS, TO_PAIRS = N_("{draws} to sets and runs"), N_("{draws} to seven pairs")
WITH_MELDS, WITH_PAIRS, WITH_RUN = N_("With sets and runs."), N_("With seven pairs."), N_("With the one-colour run.")
ARRANGED, WINNING_HAND, LEFT_OVER = N_("Best arrangement"), N_("The winning hand"), N_("Left over")
DISCARD, WAITS_FOR = N_("Discard"), N_("Wins with")
BEST_DISCARDS = N_("What to discard")
CHANCE_DRAWS = (1, 2, 3, 5)
"""For how many draws the chance to win is told."""
NAMED_HELPS = 8
"""How many kinds of tiles a sentence names."""
DONE = N_("Done")
DISCARDS = N_("What was discarded?")
SEEN_LABEL = N_("Tap the tiles that you saw on the table: they cannot be drawn any more. A tap on one in the first line takes it back.")
NEW_LABEL = N_("Tap the tiles that are missing. A tap on one in the first line takes it back.")
HOUSE_RULES = N_("House rules")
HIGH_ONE = N_("1 may stand after 13: 12 13 1 is a run")
FALSE_JOKER_WILD = N_("A false joker stands for any tile")
HAND_OPTIONS = {"high_one": HIGH_ONE, "false_joker_wild": FALSE_JOKER_WILD}
"""The options by which every hand is judged, and what each says."""
STRICT_LAYOUT = N_("A shown hand must lie group by group, with gaps between")

DISPUTE_PAGE, DISPUTE_PATH = N_("Dispute"), "dispute"
DISPUTE_TITLE = N_("Is the shown hand valid?")
DISPUTE_TAGLINE = N_("The hand of the photo, judged as it lies: every group between the gaps.")
VALID, NOT_VALID, NOT_CLEAR = N_("The hand is valid"), N_("Not valid as it lies"), N_("Not clear yet")
GROUP_KINDS = {Kind.RUN: N_("A run."), Kind.SET: N_("A set."), Kind.PAIR: N_("A pair.")}
ANOTHER_ORDER = N_("The same tiles would win laid so")
FIFTEENTH = N_("The fifteenth tile")
OKEY_LAST, ORDINARY_LAST = N_("An okey as the last tile."), N_("An ordinary tile.")


def tile_name(tile: Tile) -> str:
    """The tile in words, its colour as it is in the set that is looked at."""
    if tile.colour is None:
        return _(SYMBOL_NAMES[tile.symbol])
    colour = _(GREEN) if is_green(tile.colour) else _(COLOUR_NAMES[tile.colour])
    return f"{colour} {tile.number}"


def sentence(text: str) -> str:
    """A message as a sentence: with a capital and a full stop."""
    return capitalised(text).rstrip(".") + "."


def plain(text: str) -> str:
    """A text with people's names in it as the page's widgets show it unchanged: they read Markdown, in which some characters say more."""
    return MARKDOWN.sub(r"\\\g<0>", text)


def said(reason: Reason) -> str:
    """A reason in the language of the page, its tiles in words."""
    values = {
        name: tile_name(value) if isinstance(value, Tile) else said(value) if isinstance(value, Reason) else value
        for name, value in reason.values.items()
    }
    return _(reason.template).format(**values)


def complaint(error: ValueError) -> str:
    """What an error says: in the language of the page if it keeps its reason with its parts."""
    reason: Reason | None = getattr(error, "reason", None)
    return sentence(said(reason) if reason else str(error))


def rack_of(count: int) -> str:
    """The rack's heading."""
    return ngettext("The rack: {count} tile", "The rack: {count} tiles", count).format(count=count)


def rack_beside_whole(count: int) -> str:
    """How many tiles are on the rack, and how many a hand has."""
    return _("{rack}; a hand has {hand}, or {more} before the discard").format(rack=rack_of(count), hand=HAND, more=HAND + 1)


def how_read(tile: Tile, confidence: float, by_hand: bool) -> str:
    """What a tile is taken for, and on whose word; how sure that is is rounded down, so that no tile in doubt is said to be 90% sure."""
    if by_hand:
        return f"{tile_name(tile)}, {_(BY_HAND)}"
    if confidence > 0.99:
        return _("{tile}, over {chance} sure").format(tile=tile_name(tile), chance=percent(0.99))
    whole_percent = floor(round(100 * confidence, 6))  # 100 * 0.29 is a little less than 29
    return _("{tile}, {chance} sure").format(tile=tile_name(tile), chance=percent(whole_percent / 100))


def stands_for(tile: Tile, face: Tile) -> str:
    """A tile that takes the place of another."""
    return _("{tile} as {face}").format(tile=tile_name(tile), face=tile_name(face))


def cannot_use(why: Reason, something_shown: bool) -> str:
    """Why a photo is of no use."""
    return f"{sentence(said(why))} {_(STILL_SHOWN)}" if something_shown else sentence(said(why))


def no_tiles() -> str:
    """No tile is there."""
    return _("No tiles were found: take the photo from closer with the whole rack in it, or add the tiles by hand.")


def too_many(count: int) -> str:
    """More tiles than any hand has."""
    return _("{count} tiles were read: a hand has {hand}, or {more} before the discard: take a photo of one rack only.").format(
        count=count, hand=HAND, more=HAND + 1
    )


def unread(count: int) -> str:
    """Tiles that the user must name."""
    return ngettext(
        "One tile could not be read: tap the tile with the question mark and say what it is.",
        "{count} tiles could not be read: tap each tile with a question mark and say what it is.",
        count,
    ).format(count=count)


def face_down(count: int) -> str:
    """Tiles that show nothing."""
    return ngettext(
        "One tile lies face down: tap it, and say what it is or that it is not in the hand.",
        "{count} tiles lie face down: tap each, and say what it is or that it is not in the hand.",
        count,
    ).format(count=count)


def in_doubt(count: int) -> str:
    """A verdict that may rest on a wrong reading."""
    return ngettext("One tile is in doubt: check the amber one.", "{count} tiles are in doubt: check the amber ones.", count).format(
        count=count
    )


def indicator_unknown(first: str = "") -> str:
    """Nobody knows the okey; `first` says what else is to be done."""
    if first:
        return _("{first}, and tap “Pick the indicator”.").format(first=first.rstrip("."))
    return _("The indicator is not known, so nobody knows the okey: tap “Pick the indicator”.")


def whatever_indicator() -> str:
    """A verdict for which nobody needs to know the okey."""
    return _("The indicator is not known, but whichever it is, the verdict is the same.")


def indicator_without_number(first: str = "") -> str:
    """The indicator was not read, or read as a false joker; `first` says what else is to be done."""
    if first:
        return _("{first}, and tap the indicator and say which tile with a number it is.").format(first=first.rstrip("."))
    return _("The indicator must be a tile with a number: tap it and say which one it is.")


def wrong_count(count: int) -> str:
    """Neither 14 nor 15 tiles."""
    here = ngettext(
        "{count} tile is here: a hand has {hand}, or {more} before the discard",
        "{count} tiles are here: a hand has {hand}, or {more} before the discard",
        count,
    ).format(count=count, hand=HAND, more=HAND + 1)
    missing = HAND - count
    if missing > 0:
        return ngettext("{here}: add the missing one.", "{here}: add the missing {count}.", missing).format(here=here, count=missing)
    return _("{here}: remove {count}.").format(here=here, count=count - HAND - 1)


def away(distance: int) -> str:
    """How far a hand is from winning."""
    return ngettext("one tile from a win", "{count} tiles from a win", distance).format(count=distance)


def headline(verdict: Verdict) -> str:
    """The verdict in a few words."""
    if verdict.win:
        return _("This hand wins")
    return _("No win can be reached") if verdict.distance is None else capitalised(away(verdict.distance))


def explanation(verdict: Verdict, okey_counts_more: bool) -> str:
    """How the hand wins, or what to do next; `okey_counts_more`: whether the okey that it discards makes the others lose more."""
    parts = [with_groups(verdict.win, verdict.arrangement)] if verdict.win else []
    if verdict.discard is not None:
        message = _("Discard the okey, {tile}: as the last tile it counts more.") if okey_counts_more else _("Discard {tile}.")
        parts.append(message.format(tile=tile_name(verdict.discard)))
    return " ".join(parts)


def with_groups(win: str, groups: Laid) -> str:
    """With what kind of groups a hand wins; 14 tiles in one are the one-colour run."""
    if len(groups) == 1:
        return _(WITH_RUN)
    return _(WITH_PAIRS) if win == "pairs" else _(WITH_MELDS)


def rules_used(rules: Rules) -> dict[str, str]:
    """What a hand is judged by, an option each."""
    return {
        "high_one": _("12 13 1 is a run") if rules.high_one else _("12 13 1 is no run"),
        "false_joker_wild": _("a false joker stands for any tile")
        if rules.false_joker_wild
        else _("a false joker stands for the okey’s face"),
        "strict_layout": _("a shown hand must lie group by group") if rules.strict_layout else _("a shown hand may lie in any order"),
        "rows_join": _("a group may go on in the next row") if rules.rows_join else _("a group ends with its row"),
    }


def draws(distance: int | None) -> str:
    """How far one way of winning is."""
    if distance is None:
        return _("cannot be reached")
    return ngettext("{count} draw", "{count} draws", distance).format(count=distance) if distance else _("won")


def unseen(out: Out) -> str:
    """How many of a tile nobody has seen."""
    return _("{count} unseen").format(count=out.unseen)


def helping_tiles(outs: Sequence[Out]) -> str:
    """The tiles by name, those of which most are unseen first, and how many of each."""
    most_first = sorted(outs, key=lambda out: -out.unseen)
    # a tile and its number stay on one line
    named = ", ".join(f"{tile_name(out.tile)} ×{out.unseen}".replace(" ", "\N{NO-BREAK SPACE}") for out in most_first[:NAMED_HELPS])
    others = len(outs) - NAMED_HELPS
    return _("{tiles} and {count} more").format(tiles=named, count=others) if others > 0 else named


def tiles_help(outlook: Outlook) -> str:
    """How many unseen tiles help."""
    if outlook.distance == 1:
        message = ngettext("{count} unseen tile wins", "{count} unseen tiles win", outlook.helping)
    else:
        message = ngettext("{count} unseen tile brings you nearer", "{count} unseen tiles bring you nearer", outlook.helping)
    return message.format(count=outlook.helping)


def reason(choice: Choice, best: Choice) -> str:
    """Why a tile is a good discard or not, beside the best one."""
    after = choice.outlook
    if after.distance is None:
        return _("No win can be reached without it.")
    if after.distance == 0:
        return _("Wins.")
    keeps = after.distance == best.outlook.distance
    message = _("Keeps you {away}; {helping}: {tiles}.") if keeps else _("Sets you back to {away}; {helping}: {tiles}.")
    told = message.format(away=away(after.distance), helping=tiles_help(after), tiles=helping_tiles(after.helps))
    if after.distance > 1:
        return told
    return f"{told} " + _("You win within your next {draws} draws with a chance of {chance}.").format(
        draws=3, chance=percent(after.chance(3))
    )


def other_discards(count: int) -> str:
    """What opens the rest of the discards."""
    return ngettext("The other discard", "The other {count} discards", count).format(count=count)


def chances(outlook: Outlook) -> str:
    """How likely the hand is to win by the player's next draws."""
    told = ", ".join(
        ngettext("{chance} with the next", "{chance} within {count}", draws).format(chance=percent(outlook.chance(draws)), count=draws)
        for draws in CHANCE_DRAWS
    )
    return _("Chance to win by your own draws: {chances}.").format(chances=told)


def okey_finish(finish: Choice) -> str:
    """The dearer win that the player may wait for."""
    after = finish.outlook
    if after.distance == 1:
        way = _("discard {tile}, and {helping}: {tiles}, {soon} with your next draw and {later} within three").format(
            tile=tile_name(finish.discard),
            helping=tiles_help(after),
            tiles=helping_tiles(after.helps),
            soon=percent(after.chance(1)),
            later=percent(after.chance(3)),
        )
    else:
        way = _("discard {tile}, and you need {count} more tiles; {helping}: {tiles}").format(
            tile=tile_name(finish.discard), count=after.distance, helping=tiles_help(after), tiles=helping_tiles(after.helps)
        )
    return _("You could also wait to finish with an okey as the last tile, which counts more: {way}.").format(way=way)


def discards_seen(count: int) -> str:
    """What opens the list of tiles seen on the table."""
    return _("Tiles seen on the table: {count}").format(count=count) if count else _("Tiles seen on the table")


def seen_in_photo(tiles: Sequence[Tile]) -> str:
    """Tiles on the table that the photo shows."""
    return _("Seen in the photo, too: {tiles}.").format(tiles=listed(map(tile_name, tiles)))


def judgement(judged: Judgement, as_laid: bool) -> str:
    """Why a shown hand is valid or not; `as_laid`: whether its groups win as they lie."""
    if judged.win:
        how = with_groups(judged.win, judged.arrangement)
        return how if as_laid else f"{how} " + _("It does not lie group by group, which this table does not ask for.")
    if judged.unclear:
        return sentence(said(judged.reason)) if judged.reason else ""
    needed = _other_fifteenth(judged)
    if needed is not None and judged.fifteenth is None:
        order = _("With {tile} by itself, on the indicator, the same tiles win.").format(tile=tile_name(needed))
    elif needed is not None and judged.fifteenth is not None:
        order = _("With {tile} on the indicator, and {other} in the hand, the same tiles win.").format(
            tile=tile_name(needed), other=tile_name(judged.fifteenth)
        )
    elif judged.could_win:
        order = _("Laid in another order the same tiles win: this table asks for a hand that lies group by group.")
    else:
        order = _("These tiles do not win in any other order.")
    return f"{sentence(said(judged.reason))} {order}" if judged.reason else order


def _other_fifteenth(judged: Judgement) -> Tile | None:
    """The tile that must lie on the indicator for the hand to win, where it lies in the hand; else None."""
    shown = Counter(placed.tile for group in judged.groups for placed in group.placed)
    left = shown - Counter(placed.tile for group in judged.arrangement for placed in group)
    return next(iter(left)) if judged.could_win and left.total() == 1 else None


def group_judged(group: Named) -> str:
    """What a group of the shown hand is, or why it is none."""
    if group.reason is not None:
        return sentence(said(group.reason))
    return _(GROUP_KINDS[group.kind]) if group.kind else ""


def group_number(number: int) -> str:
    """The name of a group of the shown hand."""
    return _("Group {number}").format(number=number)
