"""Every sentence of the page, so that they can be translated in one place."""

from __future__ import annotations

from assistant.dashboard.hand import Order
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
HOUSE_RULES = "Table rules"
HIGH_ONE = "1 may stand after 13: 12 13 1 is a run"
FALSE_JOKER_WILD = "A false joker stands for any tile"


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
