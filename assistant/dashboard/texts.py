"""Every sentence of the page, so that they can be translated in one place."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.advice import Choice, Outlook
from assistant.dashboard.hand import Order
from assistant.dispute import Judgement
from assistant.groups import Kind
from assistant.rules import Rules
from assistant.solver import HAND, Out, Verdict
from assistant.tiles import Colour, Tile

COLOUR_NAMES = {Colour.RED: "red", Colour.BLACK: "black", Colour.BLUE: "blue", Colour.YELLOW: "yellow"}
SYMBOL_NAMES = {"J": "false joker", "#": "face down", "?": "not readable"}

NAME, HAND_PAGE = "istaka", "Hand"
TAGLINE = "A photo of your rack: every tile named, the hand judged."

WAY = "How to give a photo"
UPLOAD, CAMERA = "Upload a photo", "Take one here"
UPLOAD_LABEL = "A photo of the rack, with the indicator in it if you can"
CAMERA_LABEL = "Hold the camera so that the whole rack and the indicator are in the picture"
CAMERA_HINT = f"Is there no picture? Use “{UPLOAD}”: a phone offers its camera there, too."
THIS_IS_THE_SAMPLE = "This is a sample: send a photo of your own rack to have it read."
STARTING, READING = "Starting the reader …", "Reading the tiles …"
UNEXPECTED = "This photo could not be read: take another one, or save it as JPEG."
STILL_SHOWN = "What was here before is still shown below."

SURE, DOUBT, BY_HAND, ASIDE = "sure", "in doubt: please check", "said by you", "not in the hand"
HOW_TO_CORRECT = "Tap a tile, in the photo or below, to correct it."
ORDER = "Order"
ORDERS: dict[Order, str] = {"lies": "As it lies", "colour": "By colour", "number": "By number"}
ADD, UNDO, AS_READ = "Add a tile", "Undo", "As it was read"

WHICH_TILE, WHICH_NEW, WHICH_INDICATOR = "Which tile is it?", "Which tile do you add?", "Which tile is the indicator?"
LIKELY = "Most likely"
REMOVE = "Not in the hand: face down, or no tile at all"
IS_INDICATOR = "It is the indicator"
IN_HAND = "It belongs to the hand"
INDICATOR_PHOTO = "Or read it from a photo of its own"
TAP_THE_INDICATOR = "Seen in this photo. Tap the indicator:"
NO_INDICATOR_SEEN = "No tile with a number is seen in this photo: take it from closer, or pick the tile above."

INDICATOR_SHORT, OKEY, JOKER_IS = "Indicator", "Okey, stands for any tile", "False joker stands for"
PICK_INDICATOR = "Pick the indicator"

TO_MELDS, TO_PAIRS = "to sets and runs", "to seven pairs"
WON = "won"
CANNOT = "cannot be reached"
ARRANGED, WINNING_HAND, LEFT_OVER, DISCARD, WAITS_FOR = "Best arrangement", "The winning hand", "Left over", "Discard", "Wins with"
BEST_DISCARDS = "What to discard"
CHANCE_DRAWS = (1, 2, 3, 5)
"""For how many draws the chance to win is told."""
NAMED_HELPS = 8
"""How many kinds of tiles a sentence names."""
DONE = "Done"
DISCARDS = "What was discarded?"
SEEN_LABEL = "Tap the tiles that you saw on the table: they cannot be drawn any more. A tap on one in the first line takes it back."
HOUSE_RULES = "Table rules"
HIGH_ONE = "1 may stand after 13: 12 13 1 is a run"
FALSE_JOKER_WILD = "A false joker stands for any tile"
STRICT_LAYOUT = "A shown hand must lie group by group, with gaps between"

DISPUTE_PAGE, DISPUTE_PATH = "Dispute", "dispute"
DISPUTE_TITLE = "Is the shown hand valid?"
DISPUTE_TAGLINE = "The hand of the photo, judged as it lies: every group between the gaps."
VALID, NOT_VALID = "The hand is valid", "Not valid as it lies"
GROUP_KINDS = {Kind.RUN: "A run", Kind.SET: "A set", Kind.PAIR: "A pair"}
ANOTHER_ORDER = "The same tiles would win laid so"
FIFTEENTH = "The fifteenth tile"
OKEY_LAST, ORDINARY_LAST = "It is an okey: the win counts double.", "An ordinary tile."


def tile_name(tile: Tile) -> str:
    """The tile in words."""
    return SYMBOL_NAMES[tile.symbol] if tile.colour is None else f"{COLOUR_NAMES[tile.colour]} {tile.number}"


def sentence(text: str) -> str:
    """A message as a sentence: with a capital and a full stop."""
    return text[:1].upper() + text[1:].rstrip(".") + "."


def rack_of(count: int) -> str:
    """The rack's heading."""
    return "The rack: 1 tile" if count == 1 else f"The rack: {count} tiles"


def how_read(tile: Tile, confidence: float, by_hand: bool) -> str:
    """What a tile is taken for, and on whose word."""
    if by_hand:
        return f"{tile_name(tile)}, {BY_HAND}"
    return f"{tile_name(tile)}, {'over 99%' if confidence > 0.99 else f'{confidence:.0%}'} sure"


def stands_for(tile: Tile, face: Tile) -> str:
    """A tile that takes the place of another."""
    return f"{tile_name(tile)} as {tile_name(face)}"


def cannot_use(reason: str, something_shown: bool) -> str:
    """Why a photo is of no use."""
    return f"{sentence(reason)} {STILL_SHOWN}" if something_shown else sentence(reason)


def no_tiles() -> str:
    """No tile is there."""
    return "No tiles were found: take the photo from closer with the whole rack in it, or add the tiles by hand."


def too_many(count: int) -> str:
    """More tiles than any hand has."""
    return f"{count} tiles were read: a hand has {HAND}, or {HAND + 1} before the discard: take a photo of one rack only."


def unread(count: int) -> str:
    """Tiles that the user must name."""
    if count == 1:
        return "One tile could not be read: tap the tile with the question mark and say what it is."
    return f"{count} tiles could not be read: tap each tile with a question mark and say what it is."


def face_down(count: int) -> str:
    """Tiles that show nothing."""
    if count == 1:
        return "One tile lies face down: tap it, and say what it is or that it is not in the hand."
    return f"{count} tiles lie face down: tap each, and say what it is or that it is not in the hand."


def in_doubt(count: int) -> str:
    """A verdict that may rest on a wrong reading."""
    if count == 1:
        return "One tile is in doubt: check the amber one."
    return f"{count} tiles are in doubt: check the amber ones."


def indicator_unknown() -> str:
    """Nobody knows the okey."""
    return f"The indicator is not known, so nobody knows the okey: tap “{PICK_INDICATOR}”."


def indicator_without_number() -> str:
    """The indicator was not read, or read as a false joker."""
    return "The indicator must be a tile with a number: tap it and say which one it is."


def wrong_count(count: int) -> str:
    """Neither 14 nor 15 tiles."""
    read = f"{count} {'tile is' if count == 1 else 'tiles are'} here: a hand has {HAND}, or {HAND + 1} before the discard"
    missing = HAND - count
    if missing > 0:
        return f"{read}: add the missing {'one' if missing == 1 else missing}."
    return f"{read}: remove {count - HAND - 1}."


def headline(verdict: Verdict) -> str:
    """The verdict in a few words."""
    if verdict.win:
        return "This hand wins"
    if verdict.distance is None:
        return "No win can be reached"
    return "One tile from a win" if verdict.distance == 1 else f"{verdict.distance} tiles from a win"


def explanation(verdict: Verdict) -> str:
    """How the hand wins, or what to do next."""
    discard = ""
    if verdict.discard is not None:
        name = tile_name(verdict.discard)
        discard = f"Discard the okey, {name}: the win counts double." if verdict.doubled else f"Discard {name}."
    if verdict.win:
        return f"{'With seven pairs' if verdict.win == 'pairs' else 'With sets and runs'}. {discard}".strip()
    return discard


def rules_in_words(rules: Rules) -> str:
    """What the verdict was judged by."""
    high_one = "12 13 1 is a run" if rules.high_one else "12 13 1 is no run"
    joker = "a false joker stands for any tile" if rules.false_joker_wild else "a false joker stands for the okey’s face"
    return f"Judged so: {high_one}, {joker}."


def draws(distance: int | None) -> str:
    """How far one way of winning is."""
    if distance is None:
        return CANNOT
    return WON if distance == 0 else "1 draw" if distance == 1 else f"{distance} draws"


def unseen(out: Out) -> str:
    """How many of a tile nobody has seen."""
    return f"{out.unseen} unseen"


def helping_tiles(outs: Sequence[Out]) -> str:
    """The tiles by name, those of which most are unseen first, and how many of each."""
    most_first = sorted(outs, key=lambda out: -out.unseen)
    named = [f"{tile_name(out.tile)} ×{out.unseen}" for out in most_first[:NAMED_HELPS]]
    others = len(outs) - len(named)
    return ", ".join(named) + (f" and {others} more" if others else "")


def tiles_help(outlook: Outlook) -> str:
    """How many unseen tiles help."""
    tiles = "1 unseen tile" if outlook.helping == 1 else f"{outlook.helping} unseen tiles"
    one = outlook.helping == 1
    return f"{tiles} {'wins' if one else 'win'}" if outlook.distance == 1 else f"{tiles} {'brings' if one else 'bring'} you nearer"


def reason(choice: Choice, best: Choice) -> str:
    """Why a tile is a good discard or not, beside the best one."""
    after = choice.outlook
    if after.distance is None:
        return "No win can be reached without it."
    if after.distance == 0:
        return "Wins."
    keeps = "Keeps you" if after.distance == best.outlook.distance else "Sets you back to"
    away = "one tile from a win" if after.distance == 1 else f"{after.distance} tiles from a win"
    chance = f" You win within your next 3 draws with a chance of {after.chance(3):.0%}." if after.distance == 1 else ""
    return f"{keeps} {away}; {tiles_help(after)}: {helping_tiles(after.helps)}.{chance}"


def other_discards(count: int) -> str:
    """What opens the rest of the discards."""
    return "The other discard" if count == 1 else f"The other {count} discards"


def chances(outlook: Outlook) -> str:
    """How likely the hand is to win by the player's next draws."""
    told = ", ".join(
        f"{outlook.chance(draws):.0%} within {draws}" if draws > 1 else f"{outlook.chance(1):.0%} with the next" for draws in CHANCE_DRAWS
    )
    return f"Chance to win by your own draws: {told}."


def okey_finish(finish: Choice) -> str:
    """The double that the player may wait for."""
    after = finish.outlook
    away = tiles_help(after) if after.distance == 1 else f"you need {after.distance} more tiles; {tiles_help(after)}"
    chance = f", {after.chance(1):.0%} with your next draw and {after.chance(3):.0%} within three" if after.distance == 1 else ""
    return (
        f"Or wait to finish with an okey as the last tile, for the double: discard {tile_name(finish.discard)}, and "
        f"{away}: {helping_tiles(after.helps)}{chance}. Twice the points are worth it only if it comes more often than not."
    )


def discards_seen(count: int) -> str:
    """What opens the list of tiles seen on the table."""
    return "Tiles seen on the table" + (f": {count}" if count else "")


def seen_in_photo(tiles: Sequence[Tile]) -> str:
    """Tiles on the table that the photo shows."""
    return f"Seen in the photo, too: {', '.join(map(tile_name, tiles))}."


def judgement(judged: Judgement, as_laid: bool) -> str:
    """Why a shown hand is valid or not; `as_laid`: whether its groups win as they lie."""
    if judged.valid:
        how = "With seven pairs." if judged.win == "pairs" else "With sets and runs."
        return how if as_laid else f"{how} It does not lie group by group, which this table does not ask for."
    said = sentence(str(judged.reason or ""))
    if judged.could_win:
        return f"{said} Laid in another order the same tiles win: this table asks for a hand that lies group by group."
    return f"{said} These tiles do not win in any other order."


def group_number(number: int) -> str:
    """The name of a group of the shown hand."""
    return f"Group {number}"
