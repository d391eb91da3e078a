"""The winning hands of sets and runs that are nearest to a hand, all of them: which tiles it lacks, not only how many.

Faces are the bits of a number, in the order of `NUMBERED_TILES`: a hand is two of them, the faces held at least once and
at least twice. As plain Python the search takes a few milliseconds; `compile_targets` makes it fifty times as fast.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from assistant.search import FACES, HAND, LONGEST_PIECE, SHAPES, Numbers, group_faces

SMALLEST = 3
"""Tiles of the smallest group."""
MOST_GROUPS = 4
"""Groups of a winning hand at most, and the length of a shape in `SHAPES`."""
NEVER = HAND + 1
"""More tiles than any winning hand has."""


class Pieces(NamedTuple):
    """Groups of 3 to 5 tiles, in which longer runs are two, flat.

    Attributes:
        faces: each group's faces, as bits; the smallest groups first.
        first: where those of 3, 4 and 5 tiles begin, and where the last ones end.
    """

    faces: Numbers
    first: Numbers


class Nearest(NamedTuple):
    """The wins nearest to a hand.

    Attributes:
        missing: how many tiles the hand lacks of each, those that its wild tiles stand for included.
        lacking: the faces, as bits, that it lacks of any of them.
        without: for every face the faces, as bits, that the hand less one tile of it lacks of those that leave it over; -1 if none does.
    """

    missing: int
    lacking: int
    without: Sequence[int]


def count_bits(bits: int) -> int:
    """How many bits of a number are set."""
    return bits.bit_count()


def nearest_wins(
    once: int, twice: int, once_there: int, twice_there: int, spare: int, limit: int, pieces: Pieces
) -> tuple[int, int, list[int]]:
    """The fields of `Nearest`, found by branch and bound over groups in the order of the three shapes.

    Args:
        once, twice: the faces, as bits, that the hand holds at least once and at least twice.
        once_there, twice_there: the same with the tiles that can be drawn.
        spare: wild tiles held or drawable; a tile that cannot be drawn must be one of them.
        limit: wins that lack more are not looked for; `limit + 1` is returned when there is none.
    """
    # For each size its groups, those of which the hand lacks least first.
    groups, lacks = [0] * len(pieces.faces), [0] * len(pieces.faces)
    start, end = [0] * MOST_GROUPS, [0] * MOST_GROUPS
    entries = 0
    for row in range(LONGEST_PIECE - SMALLEST + 1):
        start[row] = entries
        for wanted in range(LONGEST_PIECE + 1):
            for number in range(pieces.first[row], pieces.first[row + 1]):
                group = pieces.faces[number]
                if count_bits(group & ~once) == wanted and count_bits(group & ~once_there) <= spare:
                    groups[entries], lacks[entries] = group, wanted
                    entries += 1
        end[row] = entries
    best, lacking, without = limit + 1, 0, [-1] * FACES
    # At each depth of the search: the group to try next, the faces laid, what is lacking, and the least that follows.
    at, laid_once, laid_twice = [0] * MOST_GROUPS, [0] * MOST_GROUPS, [0] * MOST_GROUPS
    missing, left, lacked, rest = [0] * MOST_GROUPS, [0] * MOST_GROUPS, [0] * MOST_GROUPS, [0] * (MOST_GROUPS + 1)
    for shape in range(len(SHAPES) // MOST_GROUPS):
        sizes = shape * MOST_GROUPS
        depths = MOST_GROUPS if SHAPES[sizes + MOST_GROUPS - 1] > 0 else MOST_GROUPS - 1
        rest[depths] = 0
        for depth in range(depths - 1, -1, -1):
            row = SHAPES[sizes + depth] - SMALLEST
            rest[depth] = rest[depth + 1] + (lacks[start[row]] if start[row] < end[row] else NEVER)
        depth = 0
        at[0], left[0] = start[SHAPES[sizes] - SMALLEST], spare
        while depth >= 0:
            size = SHAPES[sizes + depth]
            row = size - SMALLEST
            if at[depth] == end[row]:
                depth -= 1
                continue
            # This group and those of its size that follow lack at least as much, the others at least their least.
            bound, later = missing[depth], depth
            while later < depths and SHAPES[sizes + later] == size:
                bound += lacks[at[depth]]
                later += 1
            if bound + rest[later] > min(best, limit):
                depth -= 1
                continue
            group = groups[at[depth]]
            at[depth] += 1
            own = once & ~laid_once[depth] | twice & laid_once[depth] & ~laid_twice[depth]
            there = once_there & ~laid_once[depth] | twice_there & laid_once[depth] & ~laid_twice[depth]
            now = missing[depth] + count_bits(group & ~own)
            wild = left[depth] - count_bits(group & ~there)
            if now + rest[depth + 1] > min(best, limit) or wild < 0:
                continue
            one, two, lack = laid_once[depth] | group, laid_twice[depth] | laid_once[depth] & group, lacked[depth] | group & ~own
            if depth + 1 < depths:  # of two groups of a size the later one comes later in the list
                following = SHAPES[sizes + depth + 1]
                depth += 1
                at[depth] = at[depth - 1] - 1 if following == size else start[following - SMALLEST]
                laid_once[depth], laid_twice[depth], missing[depth], left[depth], lacked[depth] = one, two, now, wild, lack
                continue
            if now < best:
                best, lacking, without = now, 0, [-1] * FACES
            lacking |= lack
            free = once & ~one | twice & ~two
            while free:
                lowest = free & -free
                face = count_bits(lowest - 1)
                without[face] = lack if without[face] < 0 else without[face] | lack
                free ^= lowest
    return best, lacking, without


class Targets:
    """The winning hands that one hand can become.

    Args:
        held, drawable: how many of each face are in the hand and can still be drawn.
        spare: wild tiles held or drawable; a tile that cannot be drawn must be one of them.
        high_one: whether 12 13 1 is a run.
    """

    def __init__(self, held: Sequence[int], drawable: Sequence[int], spare: int, high_one: bool) -> None:
        there = [own + more for own, more in zip(held, drawable, strict=True)]
        self._faces = _bits(held, 1), _bits(held, 2), _bits(there, 1), _bits(there, 2)
        self._spare = spare
        self._high_one = high_one

    def nearest(self, limit: int = HAND) -> Nearest | None:
        """The nearest wins, if there are any that lack no more tiles than `limit`."""
        found = Nearest(*_form.search(*self._faces, self._spare, limit, _pieces(_form.numbers, self._high_one)))
        return None if found.missing > limit else found

    def missing(self) -> int | None:
        """How many tiles the hand lacks of the nearest win, those that its wild tiles stand for included; None without one."""
        found = self.nearest()
        return None if found is None else found.missing

    def lacking(self, missing: int) -> int:
        """The faces, as bits, that the hand lacks of any of the nearest wins; `missing` is how many tiles it lacks of them."""
        found = self.nearest(missing)
        return 0 if found is None else found.lacking

    def lacking_without(self, missing: int) -> dict[int, int]:
        """The same for the hand less one tile of a face, for every face that some nearest win leaves over: it lacks no more."""
        found = self.nearest(missing)
        return {} if found is None else {face: lacks for face, lacks in enumerate(found.without) if lacks >= 0}


class _Form(NamedTuple):
    """The search as it runs now, and what makes a sequence of numbers of the kind that it takes."""

    search: Callable[..., tuple[int, int, list[int]]]
    numbers: Callable[[Numbers], Any]


_form = _Form(nearest_wins, list)


def compile_targets() -> None:
    """Has numba compile the search, or load what it compiled before: worth its second for a hundred hands and more."""
    global _form
    if _form.search is not nearest_wins:
        return
    import numpy as np
    from numba import njit
    from numba.extending import overload

    @overload(count_bits)  # numba does not know `bit_count`: halves, quarters and bytes of the number are added up
    def _count_bits(bits: int) -> Callable[[int], int]:
        def count(bits: int) -> int:
            bits -= bits >> 1 & 0x5555555555555555
            bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333)
            bits = bits + (bits >> 4) & 0x0F0F0F0F0F0F0F0F
            return bits * 0x0101010101010101 >> 56

        return count

    def numbers(values: Numbers) -> Any:
        return np.array(values, np.int64)

    _form = _Form(njit(cache=True, nogil=True)(nearest_wins), numbers)


@lru_cache(maxsize=4)
def _pieces(numbers: Callable[[Numbers], Any], high_one: bool) -> Pieces:
    groups = sorted(group_faces(high_one, LONGEST_PIECE), key=len)
    first = [sum(len(group) < size for group in groups) for size in range(SMALLEST, LONGEST_PIECE + 2)]
    return Pieces(numbers([sum(1 << face for face in group) for group in groups]), numbers(first))


def _bits(counts: Sequence[int], least: int) -> int:
    """The faces of which there are at least so many, as bits."""
    return sum(1 << face for face, count in enumerate(counts) if count >= least)
