"""Runs, sets and pairs: what a row of tiles is, or why it is none of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from assistant.reasons import Reason
from assistant.rules import CLASSIC, Rules
from assistant.tiles import COLOURS, FALSE_JOKER, NUMBERS, Tile


class Kind(Enum):
    """What a group is."""

    RUN = "run"
    SET = "set"
    PAIR = "pair"


@dataclass(frozen=True)
class Placed:
    """A tile in a group and the face that it stands for, its own unless it is an okey or a false joker."""

    tile: Tile
    stands_for: Tile

    def __str__(self) -> str:
        return str(self.tile) if self.tile == self.stands_for else f"{self.tile}={self.stands_for}"


@dataclass(frozen=True)
class Named:
    """The verdict on one group: its kind and what each tile stands for, or the reason why it is none."""

    kind: Kind | None
    placed: tuple[Placed, ...]
    reason: Reason | None


def face_of(tile: Tile, okey: Tile | None, rules: Rules = CLASSIC) -> Tile | None:
    """The face that a tile must stand for, or None if it is wild.

    A false joker stands for the okey's face and for nothing else, unless the rules make it wild. Without a known okey
    a false joker counts as wild and nothing else does.
    """
    if tile == okey:
        return None
    if tile == FALSE_JOKER:
        return None if rules.false_joker_wild else okey
    return tile


def name_group(tiles: Sequence[Tile], okey: Tile | None, rules: Rules = CLASSIC) -> Named:
    """Names tiles that lie together, in whatever order, as a run, a set or a pair, or refuses them with the reason.

    Args:
        tiles: the group; every tile numbered or a false joker.
        okey: the face that is wild, None if the indicator is not known.
    """
    faces = [face_of(tile, okey, rules) for tile in tiles]
    bare = tuple(Placed(tile, face or tile) for tile, face in zip(tiles, faces, strict=True))
    if len(tiles) < 2:
        return Named(None, bare, Reason("a single tile is no group"))
    known = [face for face in faces if face is not None]
    if len(tiles) == 2:
        if len(set(known)) <= 1:
            face = known[0] if known else (okey or tiles[0])
            return Named(Kind.PAIR, tuple(Placed(tile, face) for tile in tiles), None)
        return Named(None, bare, Reason("a pair needs two identical tiles: {one} and {other} differ", one=known[0], other=known[1]))
    for kind, wanted in ((Kind.RUN, _run_faces(known, len(tiles), rules)), (Kind.SET, _set_faces(known, len(tiles)))):
        if wanted is not None:
            return Named(kind, _assign(tiles, faces, wanted), None)
    return Named(None, bare, _refusal(known, len(tiles), rules))


def _run_faces(known: list[Tile], length: int, rules: Rules) -> list[Tile] | None:
    """The faces of a run of `length` that holds all of `known`, the lowest run that could be, or None."""
    colours = {tile.colour for tile in known}
    if len(colours) > 1:
        return None
    colour = known[0].colour if known else COLOURS[0]
    if length > len(NUMBERS) and not rules.one_colour_run:  # 1 is low or high, never both
        return None
    top = 14 if rules.high_one else 13
    for start in range(1, top - length + 2):
        faces = [Tile(colour, (number - 1) % 13 + 1) for number in range(start, start + length)]
        if not Counter(known) - Counter(faces):
            return faces
    return None


def _set_faces(known: list[Tile], length: int) -> list[Tile] | None:
    """The faces of a set of `length` that holds all of `known`, or None."""
    colours = [tile.colour for tile in known]
    if length > 4 or len({tile.number for tile in known}) > 1 or len(set(colours)) < len(colours):
        return None
    number = known[0].number if known else 1
    missing = [colour for colour in COLOURS if colour not in colours][: length - len(known)]
    return [Tile(colour, number) for colour in COLOURS if colour in colours or colour in missing]


def _assign(tiles: Sequence[Tile], faces: list[Tile | None], wanted: list[Tile]) -> tuple[Placed, ...]:
    """Every face of the group with the tile that stands there, in the order of the faces."""
    wild = [tile for tile, face in zip(tiles, faces, strict=True) if face is None]
    own = {face: tile for tile, face in zip(tiles, faces, strict=True) if face is not None}
    return tuple(Placed(own[face] if face in own else wild.pop(0), face) for face in wanted)


def _refusal(known: list[Tile], length: int, rules: Rules) -> Reason:
    """Why tiles that are no run and no set are neither, in one sentence."""
    numbers = {tile.number for tile in known}
    twice = next((tile for tile, count in Counter(known).items() if count > 1), None)
    if len(numbers) == 1:
        if length > len(COLOURS):
            return Reason("a set has three or four tiles, not {count}", count=length)
        return Reason("a set needs different colours: {tile} twice", tile=twice or known[0])
    if len({tile.colour for tile in known}) > 1:
        return Reason("a run needs one colour and a set one number: these tiles share neither")
    if length > len(NUMBERS):
        return Reason("a run has {most} tiles at most, not {count}", most=len(NUMBERS), count=length)
    if twice:
        return Reason("a run needs every number once: {tile} twice", tile=twice)
    if {1, 13} <= numbers and not rules.high_one:
        return Reason("1 is only low before 2 in these rules")
    if {1, 2, 13} <= numbers:
        return Reason("1 is low before 2 or high after 13, never both")
    lacking = _missing_from_run(known, length, rules.high_one)
    return Reason("a run needs numbers in sequence: {tile} is missing", tile=lacking)


def _missing_from_run(known: list[Tile], length: int, high_one: bool) -> Tile:
    """The first tile that a broken run of one colour lacks, those that its wild tiles stand for left out."""
    numbers = sorted(tile.number for tile in known if tile.number is not None)
    if high_one and numbers[0] == 1 and numbers[1] > len(NUMBERS) // 2:
        numbers = [*numbers[1:], 14]
    gaps = [number for number in range(numbers[0], numbers[-1]) if number not in numbers]
    return Tile(known[0].colour, gaps[length - len(known)])
