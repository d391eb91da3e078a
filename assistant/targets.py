"""The winning hands of sets and runs that are nearest to a hand, all of them: which tiles it lacks, not only how many.

Faces are the bits of a number, in the order of `NUMBERED_TILES`: a hand is two of them, the faces held at least once and
at least twice. In plain Python, where the bits of a number are compared and counted at once, that is a few milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from assistant.search import FACES, HAND, LONGEST_PIECE, group_faces

SHAPES = ((5, 5, 4), (5, 3, 3, 3), (4, 4, 3, 3))
"""Sizes of groups that make 14 tiles; `search.py` has them in the flat form that numba takes."""
NEVER = HAND + 1
"""More tiles than any winning hand has."""


class Way(NamedTuple):
    """A winning hand as seen from a hand: the faces, as bits, that the hand leaves over, and those that it lacks."""

    free: int
    lacks: int


@lru_cache(maxsize=2)
def _pieces(high_one: bool) -> dict[int, tuple[int, ...]]:
    """Groups of 3 to 5 tiles by their size; longer runs are two of these."""
    groups = group_faces(high_one, LONGEST_PIECE)
    return {size: tuple(sum(1 << face for face in group) for group in groups if len(group) == size) for size in range(3, LONGEST_PIECE + 1)}


class Targets:
    """The winning hands that one hand can become, searched by branch and bound over groups in the order of a shape.

    The bound of what is still to be laid is exact for it alone: the fewest tiles that the hand lacks of such groups.

    Args:
        held, drawable: how many of each face are in the hand and can still be drawn.
        spare: wild tiles held or drawable; a tile that cannot be drawn must be one of them.
        high_one: whether 12 13 1 is a run.
    """

    def __init__(self, held: Sequence[int], drawable: Sequence[int], spare: int, high_one: bool) -> None:
        there = [own + more for own, more in zip(held, drawable, strict=True)]
        self._held = _bits(held, 1), _bits(held, 2)
        self._there = _bits(there, 1), _bits(there, 2)
        self._spare = spare
        # Each group with the tiles that the hand lacks of it, those that lack least first.
        self._groups = {
            size: sorted(
                ((group & ~self._held[0]).bit_count(), group) for group in groups if (group & ~self._there[0]).bit_count() <= spare
            )
            for size, groups in _pieces(high_one).items()
        }
        self._fewest: dict[tuple[int, ...], int] = {(): 0}

    def missing(self) -> int | None:
        """How many tiles the hand lacks of the nearest win, those that its wild tiles stand for included; None without one."""
        fewest = min(map(self._fewest_of, SHAPES))
        return next((limit for limit in range(fewest, NEVER) if any(True for _ in self._ways(limit))), None)

    def lacking(self, missing: int) -> int:
        """The faces, as bits, that the hand lacks of any of the nearest wins; `missing` is what `missing()` returned."""
        faces = 0
        for way in self._ways(missing):
            faces |= way.lacks
        return faces

    def lacking_without(self, missing: int) -> dict[int, int]:
        """The same for the hand less one tile of a face, for every face that some nearest win leaves over: it lacks no more."""
        by_free: dict[int, int] = {}
        for way in self._ways(missing):
            by_free[way.free] = by_free.get(way.free, 0) | way.lacks
        without: dict[int, int] = {}
        for free, lacks in by_free.items():
            for face in range(FACES):
                if free >> face & 1:
                    without[face] = without.get(face, 0) | lacks
        return without

    def _ways(self, missing: int) -> Iterator[Way]:
        """Every win of which the hand lacks so many tiles; some come more than once."""
        for shape in SHAPES:
            yield from self._lay(shape, 0, 0, 0, missing, self._spare, 0)

    def _lay(self, sizes: tuple[int, ...], start: int, one: int, two: int, room: int, spare: int, lacks: int) -> Iterator[Way]:
        """Lays groups of these sizes beside those laid, which hold the faces `one` at least once and `two` twice.

        Args:
            start: the first group to try: of two of a size the later one comes later in the list.
            room, spare: how many tiles may still be lacking, and how many of them cannot be drawn.
        """
        size, rest = sizes[0], sizes[1:]
        groups, needed = self._groups[size], self._fewest_of(rest)
        own = self._held[0] & ~one | self._held[1] & one & ~two
        there = self._there[0] & ~one | self._there[1] & one & ~two
        for number in range(start, len(groups)):
            least, group = groups[number]
            if least + needed > room:
                return
            lacking = group & ~own
            left, wild = room - lacking.bit_count(), spare - (group & ~there).bit_count()
            if left < needed or wild < 0:
                continue
            now, twice = one | group, two | one & group
            if rest:
                yield from self._lay(rest, number if rest[0] == size else 0, now, twice, left, wild, lacks | lacking)
            else:
                yield Way(self._held[0] & ~now | self._held[1] & ~twice, lacks | lacking)

    def _fewest_of(self, sizes: tuple[int, ...]) -> int:
        """Fewest tiles that the hand lacks of groups of these sizes, whether or not all the others can be drawn."""
        if sizes not in self._fewest:
            self._fewest_of(sizes[1:])
            self._fewest[sizes] = self._fewest_laid(sizes, 0, 0, 0, NEVER)
        return self._fewest[sizes]

    def _fewest_laid(self, sizes: tuple[int, ...], start: int, one: int, two: int, best: int) -> int:
        """The same beside groups that are laid, as in `_lay`; `best` if it is no less."""
        size, rest = sizes[0], sizes[1:]
        groups, needed = self._groups[size], self._fewest[rest]
        own = self._held[0] & ~one | self._held[1] & one & ~two
        for number in range(start, len(groups)):
            least, group = groups[number]
            if least + needed >= best:
                break
            lacking = (group & ~own).bit_count()
            if lacking + needed >= best:
                continue
            if rest:
                same = number if rest[0] == size else 0
                best = min(best, lacking + self._fewest_laid(rest, same, one | group, two | one & group, best - lacking))
            else:
                best = lacking
        return best


def _bits(counts: Sequence[int], least: int) -> int:
    """The faces of which there are at least so many, as bits."""
    return sum(1 << face for face, count in enumerate(counts) if count >= least)
