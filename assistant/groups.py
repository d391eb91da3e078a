"""Runs, sets and pairs: what a row of tiles is, or why it is none of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from assistant.reasons import Reason
from assistant.rules import CLASSIC, Rules
from assistant.tiles import COLOURS, FALSE_JOKER, NUMBERED_TILES, NUMBERS, Tile


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

    They are placed as they lie. Where the group can be read in several ways the first counts, a run rather than a set; in 101
    the one of most points.

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
    readings = [(Kind.RUN, run) for run in _as_run(faces, rules)] + [(Kind.SET, group) for group in _as_set(faces, okey)]
    if not readings:
        return Named(None, bare, _refusal(faces, rules))
    kind, stood_for = max(readings, key=lambda reading: sum(face.number or 0 for face in reading[1])) if rules.opens else readings[0]
    return Named(kind, tuple(Placed(tile, face) for tile, face in zip(tiles, stood_for, strict=True)), None)


def _as_run(faces: Sequence[Tile | None], rules: Rules) -> list[tuple[Tile, ...]]:
    """What the tiles stand for as a run, tile by tile, in every way in which they can be one; wild tiles have the face None.

    A run may be laid from low to high or from high to low, and what a wild tile stands for follows from its position. Only
    where neither fits do wild tiles stand for the numbers that are missing, the lowest run first.
    """
    known = [face for face in faces if face is not None]
    if len({face.colour for face in known}) > 1:
        return []
    if len(faces) > len(NUMBERS) and not rules.one_colour_run:  # 1 is low or high, never both
        return []
    colour = known[0].colour if known else COLOURS[0]
    line = [tile for tile in NUMBERED_TILES if tile.colour is colour]
    if rules.high_one or len(faces) > len(NUMBERS):
        line.append(line[0])
    runs = [tuple(line[start : start + len(faces)]) for start in range(len(line) - len(faces) + 1)]
    either_way = [*runs, *(run[::-1] for run in runs)]
    in_order = [run for run in either_way if all(face in (None, own) for face, own in zip(faces, run, strict=True))]
    return in_order or [_filled(faces, run) for run in runs if not Counter(known) - Counter(run)]


def _as_set(faces: Sequence[Tile | None], okey: Tile | None) -> list[tuple[Tile, ...]]:
    """What the tiles stand for as a set, in every way in which they can be one; an okey that can stand for itself does."""
    known = [face for face in faces if face is not None]
    colours = {face.colour for face in known}
    if len(faces) > len(COLOURS) or len(colours) < len(known) or len({face.number for face in known}) > 1:
        return []
    sets = []
    for number in [known[0].number] if known else NUMBERS:
        missing = [Tile(colour, number) for colour in COLOURS if colour not in colours]
        missing.sort(key=lambda face: face != okey)
        sets.append(_filled(faces, [*known, *missing]))
    return sets


def _filled(faces: Sequence[Tile | None], wanted: Sequence[Tile]) -> tuple[Tile, ...]:
    """The faces, each wild tile's the next of those wanted that no other tile has."""
    rest = (Counter(wanted) - Counter(face for face in faces if face is not None)).elements()
    return tuple(face or next(rest) for face in faces)


def _refusal(faces: Sequence[Tile | None], rules: Rules) -> Reason:
    """Why tiles that are no run and no set are neither, in one sentence; wild tiles have the face None."""
    known, length = [face for face in faces if face is not None], len(faces)
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
    if _goes_round([None if face is None else face.number for face in faces]):
        if not rules.high_one:
            return Reason("1 is only low before 2 in these rules")
        return Reason("1 is low before 2 or high after 13, never both")
    lacking = _missing_from_run(known, length, rules.high_one)
    return Reason("a run needs numbers in sequence: {tile} is missing", tile=lacking)


def _goes_round(numbers: Sequence[int | None]) -> bool:
    """Whether tiles lie as a run in which 1 follows 13 and 2 that 1, or would be one in another order than from low to high or back.

    Args:
        numbers: of the tiles as they lie, None for a wild tile, which fits anywhere.
    """
    known = [number for number in numbers if number is not None]
    in_order = known in (sorted(known), sorted(known, reverse=True))
    around = [[(start + step) % len(NUMBERS) + 1 for step in range(len(numbers))] for start in range(len(NUMBERS))]
    either_way = [*around, *(run[::-1] for run in around)]
    as_they_lie = any(all(number in (None, own) for number, own in zip(numbers, run, strict=True)) for run in either_way)
    return as_they_lie or (not in_order and any(set(run).issuperset(known) for run in around))


def _missing_from_run(known: list[Tile], length: int, high_one: bool) -> Tile:
    """The first tile that a broken run of one colour lacks, those that its wild tiles stand for left out."""
    numbers = sorted(tile.number for tile in known if tile.number is not None)
    if high_one and numbers[0] == 1 and numbers[1] > len(NUMBERS) // 2:
        numbers = [*numbers[1:], 14]
    gaps = [number for number in range(numbers[0], numbers[-1]) if number not in numbers]
    return Tile(known[0].colour, gaps[length - len(known)])
