"""The solver's searches, in the part of Python that numba compiles: numbers and sequences of numbers alone.

A face is a number from 0 to 51, colour by colour as in `NUMBERED_TILES`; a hand is how many of each face it holds and
how many wild tiles. Nothing is heuristic: a search cuts only what provably cannot be better.

As plain Python they answer a hand in a millisecond; `compile_searches` makes them twenty times as fast, for many hands.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from operator import mul
from typing import Any, NamedTuple

FACES = 52
HAND = 14
LONGEST_RUN = 13
"""1 is low or high in a run, never both."""
LONGEST_PIECE = 5
"""Where only the number of tiles in groups matters, longer runs need not be tried: each is two or more runs of 3 to 5 tiles."""
SHAPES = (5, 5, 4, 0, 5, 3, 3, 3, 4, 4, 3, 3)
"""The three ways in which groups of 3 to 5 tiles make 14, four sizes each: 5 + 5 + 4, 5 + 3 + 3 + 3 and 4 + 4 + 3 + 3."""
ONE_COLOUR_RUNS = tuple((*range(first, first + 13), first) for first in range(0, FACES, 13))
"""The faces of the hand that some rules score, 1 to 13 of a colour and its second 1; where 1 may be high it is sets and runs, too."""
WORTH, OKEY_COST, GROUP_COST = 10_000, 100, 1
"""An arrangement's worth: first the tiles in groups, or their points, then the fewest okeys, then the fewest groups."""
MOST_POINTS = 13
"""Points of a tile at most: every tile counts its number."""
MEMORY = 65_521
"""How many hands `best_worth` remembers, a prime number."""
FULL = -1
"""In place of an arrangement's worth, which is never less than 0: no more hands can be remembered."""

Numbers = Sequence[int]


class Groups(NamedTuple):
    """All sets and runs, flat.

    Attributes:
        faces: the faces of every group, one after the other; those of a run in sequence.
        first, size: where a group begins in `faces`, and how many it has.
        worth: what a group adds to an arrangement's worth: WORTH for every tile, or for every point.
        by_face: for every face the groups that hold it, those first of which fewest faces come earlier in `order`.
        by_face_first: where a face's part of `by_face` begins; one more than there are faces.
        before: for every entry of `by_face` how many of the group's faces come earlier in `order`.
        order: faces by number, then colour: what lies behind is done with in sets and runs alike.
        low, high: what a tile of a face adds to the two numbers by which `Memory` knows a hand: two bits for each face, in this order.
    """

    faces: Numbers
    first: Numbers
    size: Numbers
    worth: Numbers
    by_face: Numbers
    by_face_first: Numbers
    before: Numbers
    order: Numbers
    low: Numbers
    high: Numbers


class Memory(NamedTuple):
    """What `best_worth` remembers, of all hands with the same groups: a table with open addressing.

    Attributes:
        low, high: a hand, and how many wild tiles.
        worth, choice: of its best arrangement, and the group in this that holds its lowest face; -1 where none does.
        stamp: an entry is valid where it is `now`.
        now: the stamp of valid entries, the only number in it.
        used: how many are valid, the only number in it.
    """

    low: Any
    high: Any
    worth: Any
    choice: Any
    stamp: Any
    now: Any
    used: Any


@lru_cache(maxsize=4)
def group_faces(high_one: bool, longest: int) -> tuple[tuple[int, ...], ...]:
    """The faces of all sets, and of all runs of 3 to `longest` tiles."""
    groups: list[tuple[int, ...]] = []
    for number in range(13):
        four = tuple(colour * 13 + number for colour in range(4))
        groups += [four, *(four[:skip] + four[skip + 1 :] for skip in range(4))]
    top = 14 if high_one else 13
    for colour in range(4):
        for length in range(3, min(longest, LONGEST_RUN) + 1):
            groups += [tuple(colour * 13 + (start + step) % 13 for step in range(length)) for start in range(top - length + 1)]
    return tuple(groups)


@lru_cache(maxsize=8)
def groups_table(high_one: bool, longest: int, points: bool = False) -> Groups:
    """The groups of `group_faces` as the searches want them, worth their tiles or their points."""
    groups = group_faces(high_one, longest)
    order = sorted(range(FACES), key=lambda face: (face % 13, face))
    rank = {face: position for position, face in enumerate(order)}
    first: list[int] = []
    faces: list[int] = []
    for group in groups:
        first.append(len(faces))
        faces += group
    by_face: list[int] = []
    by_face_first, before = [0], []
    for face in range(FACES):
        holding = sorted((sum(rank[other] < rank[face] for other in group), g) for g, group in enumerate(groups) if face in group)
        by_face += [g for _, g in holding]
        before += [count for count, _ in holding]
        by_face_first.append(len(by_face))
    worth = [WORTH * (sum(face % 13 + 1 for face in group) if points else len(group)) for group in groups]
    half = FACES // 2
    low = [1 << 2 * rank[face] if rank[face] < half else 0 for face in range(FACES)]
    high = [1 << 2 * (rank[face] - half) if rank[face] >= half else 0 for face in range(FACES)]
    return Groups(faces, first, [len(group) for group in groups], worth, by_face, by_face_first, before, order, low, high)


def nearest_wins(counts: Numbers, drawable: Numbers, spare: int, enough: int, limit: int, groups: Groups, lacking: Any) -> int:
    """How many tiles a hand lacks of 14 that lie in sets and runs, those that its wild tiles will be included.

    Branch and bound over the groups of the three shapes, by how little each lacks at best.

    Args:
        counts, drawable: how many of each face are held and can still be drawn.
        spare: wild tiles held or drawable; a face that cannot be drawn must be one of them.
        enough: the search ends with the first answer that is no more than this.
        limit: answers above this are not looked for; `limit + 1` is returned when there is none.
        groups: of at most LONGEST_PIECE tiles.
        lacking: empty; or FACES + 1 zeros, to learn which tiles are lacking. Then every win within `limit` is visited, and the
            faces that it lacks are added, as bits, to the entry of each face that it leaves over, and to the last entry.
    """
    held, supply = [count for count in counts], [count for count in drawable]  # noqa: C416 - what numba understands
    own = [face for face in range(FACES) if held[face] > 0]
    many = len(groups.size)
    lacks = [0] * many
    for g in range(many):
        undrawable = 0
        for k in range(groups.first[g], groups.first[g] + groups.size[g]):
            if held[groups.faces[k]] == 0:
                lacks[g] += 1
                if supply[groups.faces[k]] == 0:
                    undrawable += 1
        if undrawable > spare:
            lacks[g] = HAND
    # For each size its groups, those that lack least first; sizes are 3 to 5.
    entries, ends, least = [0] * (3 * many), [0, 0, 0], [HAND, HAND, HAND]
    for wanted in range(LONGEST_PIECE + 1):
        for g in range(many):
            if lacks[g] == wanted:
                row = groups.size[g] - 3
                least[row] = min(least[row], wanted)
                entries[row * many + ends[row]] = g
                ends[row] += 1
    best = limit + 1
    at, missing, left, faces = [0] * 4, [0] * 5, [0] * 5, [0] * 5
    chosen, from_hand, from_supply = [0] * 4, [0] * 4, [0] * 4
    for shape in range(3):
        depth = 0
        at[0], missing[0], left[0] = 0, 0, spare
        while depth >= 0:
            row = SHAPES[4 * shape + depth] - 3
            bound = missing[depth]
            if at[depth] < ends[row]:
                g = entries[row * many + at[depth]]
                # This group and those of its size after it lack at least as much, the others at least their least.
                for later in range(depth, 4):
                    size = SHAPES[4 * shape + later]
                    if size == row + 3:
                        bound += lacks[g]
                    elif size > 0:
                        bound += least[size - 3]
            if at[depth] >= ends[row] or bound >= best:
                depth -= 1
            else:
                at[depth] += 1
                chosen[depth], from_hand[depth], from_supply[depth] = g, 0, 0
                now, wild, lacked = missing[depth], 0, faces[depth]
                for k in range(groups.size[g]):
                    face = groups.faces[groups.first[g] + k]
                    if held[face] > 0:
                        held[face] -= 1
                        from_hand[depth] |= 1 << k
                    else:
                        now += 1
                        lacked |= 1 << face
                        if supply[face] > 0:
                            supply[face] -= 1
                            from_supply[depth] |= 1 << k
                        else:
                            wild += 1
                if wild <= left[depth] and now < best:
                    last = depth == 3 or SHAPES[4 * shape + depth + 1] == 0
                    if not last:
                        same = SHAPES[4 * shape + depth + 1] == row + 3
                        at[depth + 1] = at[depth] - 1 if same else 0
                        missing[depth + 1], left[depth + 1], faces[depth + 1] = now, left[depth] - wild, lacked
                        depth += 1
                        continue
                    if len(lacking) > 0:
                        lacking[FACES] |= lacked
                        for face in own:
                            if held[face] > 0:
                                lacking[face] |= lacked
                    else:
                        best = now
                        if best <= enough:
                            return best
            if depth >= 0:  # takes back the group chosen here
                start = groups.first[chosen[depth]]
                for k in range(groups.size[chosen[depth]]):
                    if from_hand[depth] >> k & 1:
                        held[groups.faces[start + k]] += 1
                    elif from_supply[depth] >> k & 1:
                        supply[groups.faces[start + k]] += 1
    return best


def best_worth(held: Any, low: int, high: int, position: int, wild: int, alone: int, groups: Groups, memory: Memory) -> int:
    """What the best arrangement of a hand is worth: most worth in groups; among equals the fewest wild tiles, then the fewest groups.

    One of the lowest tiles is left over or lies in a group, and what is best for the rest is the same question again. Every answer is
    remembered; where `memory` has no room for that, FULL is returned.

    Args:
        held: how many of each face; the same again in the end, unless that is FULL.
        low, high: the hand as `memory` knows it.
        position: in `groups.order`; no face before it is held.
        alone: what a wild tile is worth in a group of wild tiles alone.
        groups: of any length, for the fewest groups.
        memory: of searches with these groups and the same `alone` alone.
    """
    while position < FACES and held[groups.order[position]] == 0:
        position += 1
    if position == FACES:  # three wild tiles, where false jokers are wild, are a group by themselves
        return wild * (alone - OKEY_COST) - GROUP_COST if wild >= 3 else 0
    slot = slot_of(low, high, memory)
    if memory.stamp[slot] == memory.now[0]:
        known: int = memory.worth[slot]
        return known
    face = groups.order[position]
    held[face] -= 1
    best, choice = best_worth(held, low - groups.low[face], high - groups.high[face], position, wild, alone, groups, memory), -1
    held[face] += 1
    if best == FULL:
        return FULL
    for entry in range(groups.by_face_first[face], groups.by_face_first[face + 1]):
        if groups.before[entry] > wild:
            break
        g = groups.by_face[entry]
        spent, taken = 0, 0
        for k in range(groups.size[g]):
            if held[groups.faces[groups.first[g] + k]] > 0:
                taken |= 1 << k
            else:
                spent += 1
                if spent > wild:
                    break
        if spent > wild:
            continue
        low_left, high_left = low, high - (spent << FACES)
        for k in range(groups.size[g]):
            if taken >> k & 1:
                other = groups.faces[groups.first[g] + k]
                held[other] -= 1
                low_left -= groups.low[other]
                high_left -= groups.high[other]
        worth = best_worth(held, low_left, high_left, position, wild - spent, alone, groups, memory)
        for k in range(groups.size[g]):
            if taken >> k & 1:
                held[groups.faces[groups.first[g] + k]] += 1
        if worth == FULL:
            return FULL
        worth += groups.worth[g] - spent * OKEY_COST - GROUP_COST
        if worth > best:
            best, choice = worth, g
    if 2 * (memory.used[0] + 1) > len(memory.stamp):
        return FULL
    memory.used[0] += 1
    slot = slot_of(low, high, memory)  # what was remembered meanwhile may have taken the place
    memory.worth[slot], memory.choice[slot], memory.low[slot], memory.high[slot] = best, choice, low, high
    memory.stamp[slot] = memory.now[0]  # the stamp last: what an interrupted search has left is not valid
    return best


def best_groups(held: Any, low: int, high: int, groups: Groups, memory: Memory) -> list[int]:
    """The best arrangement of a hand whose worth `best_worth` has just found: the groups' numbers, in the order of their lowest tiles.

    Args:
        held: how many of each face; nothing in the end.
        low, high: the hand as `memory` knows it.
    """
    laid = [0] * 0
    position = 0
    while True:
        while position < FACES and held[groups.order[position]] == 0:
            position += 1
        if position == FACES:
            return laid
        g = memory.choice[slot_of(low, high, memory)]
        if g >= 0:
            laid.append(g)
        for k in range(groups.size[g] if g >= 0 else 1):
            face = groups.faces[groups.first[g] + k] if g >= 0 else groups.order[position]
            if held[face] > 0:
                held[face] -= 1
                low -= groups.low[face]
                high -= groups.high[face]
            else:
                high -= 1 << FACES


def slot_of(low: int, high: int, memory: Memory) -> int:
    """Where `memory` holds a hand, or would: the stamp tells."""
    room = len(memory.stamp)
    slot = (low % room * 31 + high % room) % room
    while memory.stamp[slot] == memory.now[0] and (memory.low[slot] != low or memory.high[slot] != high):
        slot = (slot + 1) % room
    return slot


class Lacking(NamedTuple):
    """Faces, as bits, that a hand lacks of the wins that are nearest to it.

    Attributes:
        whole: those that it lacks of any of them.
        without: for every face those that the hand less one tile of it lacks of wins that are as near; 0 if there is none.
    """

    whole: int
    without: list[int]


class Searches:
    """The searches over the groups of some rules, compiled or not. Safe to share between threads.

    >>> Searches(high_one=True).arrange([1, 1, 1] + [0] * 49, wild=0)
    [(0, 1, 2)]
    """

    def __init__(self, high_one: bool, one_colour_run: bool = False) -> None:
        self._high_one = high_one
        self._apart = ONE_COLOUR_RUNS if one_colour_run and not high_one else ()
        self._own = _Own()

    def missing(self, counts: Numbers, drawable: Numbers, spare: int, enough: int, limit: int) -> int | None:
        """See `nearest_wins`, or of a one-colour run; None when there are no such 14 tiles."""
        forms = _forms
        found = self._nearest(forms, counts, drawable, spare, enough, limit, forms.numbers([]))
        runs = (reach.lacks.total() for reach in self._runs(counts, drawable, spare, limit))
        return min([*([] if found > limit else [int(found)]), *runs], default=None)

    def lacking(self, counts: Numbers, drawable: Numbers, spare: int, missing: int) -> Lacking:
        """The tiles that the hand lacks of the nearest wins; `missing` is how many that `missing` found."""
        forms = _forms
        lacking = forms.numbers([0] * (FACES + 1))
        self._nearest(forms, counts, drawable, spare, 0, missing, lacking)
        *without, whole = map(int, lacking)
        for _, lacks, leaves in self._runs(counts, drawable, spare, missing):
            bits = sum(1 << face for face in lacks)
            whole |= bits
            for face in leaves:
                without[face] |= bits
        return Lacking(whole, without)

    def one_colour_run(self, counts: Numbers, wild: int) -> tuple[int, ...] | None:
        """The one-colour run that the hand is, in the order of its faces; None if it is none."""
        return next((reach.run for reach in self._runs(counts, [0] * FACES, wild, wild, ONE_COLOUR_RUNS)), None)

    def _runs(
        self, counts: Numbers, drawable: Numbers, spare: int, limit: int, runs: Sequence[tuple[int, ...]] | None = None
    ) -> Iterator[_Reach]:
        """The one-colour runs of which a hand lacks no more than `limit` tiles; the arguments are those of `nearest_wins`.

        Args:
            runs: which are looked at; else those that are won by without being sets and runs, too.
        """
        for run in self._apart if runs is None else runs:
            held, supply, wanted = Counter(dict(enumerate(counts))), Counter(dict(enumerate(drawable))), Counter(run)
            lacks = wanted - held
            if lacks.total() <= limit and (lacks - supply).total() <= spare:
                yield _Reach(run, lacks, held - wanted)

    def _nearest(self, forms: _Forms, counts: Numbers, drawable: Numbers, spare: int, enough: int, limit: int, lacking: Any) -> int:
        pieces = _converted(forms.numbers, self._high_one, LONGEST_PIECE, False)
        return forms.nearest(forms.numbers(counts), forms.numbers(drawable), spare, enough, limit, pieces, lacking)

    def arrange(self, counts: Numbers, wild: int, points: bool = False) -> list[tuple[int, ...]]:
        """The faces of every group of the best arrangement, for most tiles or most points; see `best_worth`."""
        forms = _forms
        plain = groups_table(self._high_one, LONGEST_RUN, points)
        groups = _converted(forms.numbers, self._high_one, LONGEST_RUN, points)
        low, high = sum(map(mul, counts, plain.low)), sum(map(mul, counts, plain.high)) + (wild << FACES)
        alone = WORTH * MOST_POINTS if points else WORTH
        memories = self._own.memories
        if (forms, points) not in memories:
            memories[forms, points] = _empty_memory(forms.numbers, MEMORY)
        while True:
            memory = memories[forms, points]
            was_empty = memory.used[0] == 0
            held = forms.numbers(counts)
            if forms.worth(held, low, high, 0, wild, alone, groups, memory) != FULL:
                all_faces = group_faces(self._high_one, LONGEST_RUN)
                return [all_faces[g] for g in forms.groups(held, low, high, groups, memory)]
            if was_empty:  # too small for this hand alone
                memories[forms, points] = _empty_memory(forms.numbers, 4 * len(memory.stamp) + 1)
            else:  # all that it holds is forgotten
                memory.now[0], memory.used[0] = memory.now[0] + 1, 0


class _Reach(NamedTuple):
    """A one-colour run, the faces that a hand lacks of it, and those that it leaves over."""

    run: tuple[int, ...]
    lacks: Counter[int]
    leaves: Counter[int]


class _Forms(NamedTuple):
    """The searches as they run now, and what makes a sequence of numbers of the kind that they take."""

    nearest: Callable[..., int]
    worth: Callable[..., int]
    groups: Callable[..., list[int]]
    numbers: Callable[[Numbers], Any]


_forms = _Forms(nearest_wins, best_worth, best_groups, list)


class _Own(threading.local):
    """What each thread remembers of `best_worth`, compiled or not, for points or not."""

    def __init__(self) -> None:
        self.memories: dict[tuple[_Forms, bool], Memory] = {}


def _empty_memory(numbers: Callable[[Numbers], Any], room: int) -> Memory:
    """For at most half of `room` hands."""
    low, high, worth, choice, stamp = (numbers([0] * room) for _ in range(5))
    return Memory(low, high, worth, choice, stamp, now=numbers([1]), used=numbers([0]))


def compile_searches() -> None:
    """Has numba compile the searches, or load what it compiled before: worth its second for a thousand hands and more."""
    global _forms
    if _forms.nearest is not nearest_wins:
        return
    import numpy as np
    from numba import njit, typeof
    from numba.extending import register_jitable

    def numbers(values: Numbers) -> Any:
        return np.array(values, np.int64)

    def compiled(search: Callable[..., Any], *example: object) -> Any:
        """Compiled at once, for arguments like these; only so numba lets a search call itself."""
        types = [tuple(map(typeof, example))]
        try:
            return njit(types, cache=True, nogil=True)(search)
        except (RuntimeError, OSError):  # there is no folder for what is compiled, or no room in it: the next program compiles anew
            return njit(types, nogil=True)(search)

    register_jitable(slot_of)
    nothing, groups, memory = numbers([0] * FACES), _converted(numbers, True, LONGEST_PIECE, False), _empty_memory(numbers, 1)
    _forms = _Forms(
        compiled(nearest_wins, nothing, nothing, 0, 0, 0, groups, nothing),
        compiled(best_worth, nothing, 0, 0, 0, 0, WORTH, groups, memory),
        compiled(best_groups, nothing, 0, 0, groups, memory),
        numbers,
    )


@lru_cache(maxsize=16)
def _converted(numbers: Callable[[Numbers], Any], high_one: bool, longest: int, points: bool) -> Groups:
    """The groups in the kind of numbers that the searches take."""
    return Groups(*map(numbers, groups_table(high_one, longest, points)))
