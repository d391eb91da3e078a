"""The exact solver: best arrangement, win, distance to a win, and the tiles that win.

Here tiles become the numbers that `search.py` works on, and its answers become a verdict.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Any

from assistant.groups import Placed, face_of
from assistant.reasons import Reason
from assistant.rules import CLASSIC, OkeyScoring, Rules
from assistant.scoring import cost_of, is_run, win_of
from assistant.search import HAND, Lacking, Searches
from assistant.tiles import COLOURS, COPIES, FACE_DOWN, FALSE_JOKER, NUMBERED_TILES, NUMBERS, TILES, UNREADABLE, Tile, okey_of

PAIRS = 7
Laid = tuple[tuple[Placed, ...], ...]
"""Groups of tiles, each with the face that it stands for."""
MOST_TILES = 22
"""The largest hand of any variant: 101's first player before the discard."""


class HandError(ValueError):
    """A hand that cannot be: too many tiles, three copies of one, a tile that was not read."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Out:
    """A tile that wins when drawn, and how many of it nobody has seen."""

    tile: Tile
    unseen: int


@dataclass(frozen=True)
class Verdict:
    """What the solver says of a hand.

    Attributes:
        okey: the face that is wild.
        win: `melds`, which the one-colour run is where it wins, `pairs` or None; of both what costs the others more.
        distance: fewest draws to a winning hand, 0 if it wins now; None unless the hand has 14 or 15 tiles.
        distance_melds, distance_pairs: the same for one way of winning; None also where it cannot be reached.
        arrangement: groups with the most tiles; the winning hand if it wins.
        left: tiles in no group.
        discard: with 15 tiles the best discard.
        outs: at distance 1 every tile that wins.
    """

    okey: Tile
    win: str | None
    distance: int | None
    distance_melds: int | None
    distance_pairs: int | None
    arrangement: Laid
    left: tuple[Tile, ...]
    discard: Tile | None
    outs: tuple[Out, ...]

    @property
    def points(self) -> int:
        """What the arrangement counts in 101: every tile its number, an okey that of the tile that it stands for."""
        return points_of(self.arrangement)

    @property
    def okey_last(self) -> bool:
        """Whether the win discards an okey."""
        return self.win is not None and self.discard == self.okey

    def to_json(self) -> dict[str, Any]:
        """The object that `istaka solve --json` prints."""
        return {
            "okey": str(self.okey),
            "can_win": self.win is not None,
            "win": self.win,
            "distance": self.distance,
            "distance_melds": self.distance_melds,
            "distance_pairs": self.distance_pairs,
            "arrangement": [[str(placed) for placed in group] for group in self.arrangement],
            "left": [str(tile) for tile in self.left],
            "discard": None if self.discard is None else str(self.discard),
            "outs": [{"tile": str(out.tile), "unseen": out.unseen} for out in self.outs],
        }


def points_of(groups: Laid) -> int:
    """What groups count in 101."""
    return sum(placed.stands_for.number or 0 for group in groups for placed in group)


@dataclass(frozen=True)
class Counted:
    """Tiles as the searches see them: how many must stand for each face, and how many are wild."""

    counts: list[int]
    wild: int


def check_hand(tiles: Sequence[Tile], indicator: Tile, seen: Iterable[Tile] = (), rules: Rules = CLASSIC) -> None:
    """Raises HandError or NotationError with a sentence for the user when no such hand can be."""
    okey_of(indicator)
    check_tiles(tiles)
    copies = Counter(tiles)
    if not rules.indicator_is_last_tile:  # else it may have been drawn
        copies[indicator] += 1
    if copies[indicator] > COPIES:
        raise HandError(
            Reason(
                "{count} copies of {tile} are given, the indicator included: a set has {copies}; correct one of them",
                count=copies[indicator],
                tile=indicator,
                copies=COPIES,
            )
        )
    copies.update(seen)
    for tile, count in copies.items():
        if count > COPIES and tile not in (FACE_DOWN, UNREADABLE):
            raise HandError(
                Reason(
                    "{count} copies of {tile} are in the hand, the indicator and those seen: a set has {copies}; correct one of them",
                    count=count,
                    tile=tile,
                    copies=COPIES,
                )
            )


def check_tiles(tiles: Sequence[Tile]) -> None:
    """Raises HandError when no one set holds these tiles, or no hand has so many."""
    if not tiles:
        raise HandError(Reason("the hand has no tiles: give 1 to {most}, {hand} for a verdict", most=MOST_TILES, hand=HAND))
    if len(tiles) > MOST_TILES:
        raise HandError(Reason("the hand has {count} tiles: at most {most} can be judged", count=len(tiles), most=MOST_TILES))
    for tile, count in Counter(tiles).items():
        if not tile.is_numbered and tile != FALSE_JOKER:
            raise HandError(Reason("the hand holds a tile that was not read ({tile}): say which tile it is", tile=tile))
        if count > COPIES:
            raise HandError(
                Reason("{count} copies of {tile} are given: a set has {copies}; correct one of them", count=count, tile=tile, copies=COPIES)
            )


_PAIR_KINDS = ((0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2))
"""What a pair may lack, the best first: how many tiles, and how many of these only a wild tile can be, as none is left to be drawn."""
_PAIR_KIND = [[_PAIR_KINDS.index((max(0, 2 - own), max(0, 2 - own - more))) for more in range(3)] for own in range(4)]
"""Which of these a face's pair is, by how many of the face are held (3 when a draw is tried) and how many can still be drawn."""


def missing_pairs(held: Sequence[int], drawable: Sequence[int], spare: int) -> int | None:
    """Fewest tiles that a hand lacks of seven pairs, those that its wild tiles will be included; None if never.

    A face that lacks fewer tiles is always the better pair, and among those the one that needs fewer wild tiles.

    Args:
        spare: wild tiles held or drawable; a tile that cannot be drawn must be one of them.
    """
    many = [0] * len(_PAIR_KINDS)
    for own, more in zip(held, drawable, strict=True):
        many[_PAIR_KIND[own][more]] += 1
    pairs, missing = 0, 0
    for (lacks, wild), faces in zip(_PAIR_KINDS, many, strict=True):
        made = min(faces, PAIRS - pairs, spare // wild if wild else PAIRS)
        pairs, missing, spare = pairs + made, missing + made * lacks, spare - made * wild
    return missing if pairs == PAIRS else None


class Judge:
    """One question to the solver: a hand, its indicator, what is seen, and the rules."""

    def __init__(self, tiles: Sequence[Tile], indicator: Tile, seen: Sequence[Tile], rules: Rules) -> None:
        self.okey = okey_of(indicator)
        self.rules = rules
        self.gone = [indicator, *seen]
        self.searches = _searches(rules.high_one, rules.one_colour_run and not rules.high_one)
        self.tiles = sorted(tiles, key=tile_order)

    def face(self, tile: Tile) -> int | None:
        """The face that the tile must stand for, None if it is wild."""
        face = face_of(tile, self.okey, self.rules)
        return None if face is None else face.code

    def hand(self, tiles: Iterable[Tile]) -> Counted:
        """The tiles as the searches see them."""
        return self._faces(_tally(tiles))

    def unseen(self, tiles: Iterable[Tile]) -> dict[Tile, int]:
        """Every tile of which a copy is neither in the hand nor seen, and how many are."""
        return {tile: count for tile, count in zip(_DRAWN, self._left(tiles), strict=True) if count > 0}

    def supply(self, tiles: Iterable[Tile]) -> Counted:
        """What can be drawn, as the searches see it."""
        return self._faces(self._left(tiles))

    def _left(self, tiles: Iterable[Tile]) -> list[int]:
        """How many of each tile are neither in the hand nor seen, by their codes."""
        return [max(0, COPIES - count) for count in _tally(itertools.chain(self.gone, tiles))]

    def _faces(self, counts: list[int]) -> Counted:
        """How many of each tile as how many stand for each face, and how many are wild."""
        *faces, jokers = counts
        wild, faces[self.okey.code] = faces[self.okey.code], 0
        if self.rules.false_joker_wild:
            return Counted(faces, wild + jokers)
        faces[self.okey.code] = jokers
        return Counted(faces, wild)

    def wins(self, hand: Counted) -> bool:
        """Whether 14 of the hand's 14 or 15 tiles win."""
        melds = self.searches.missing(hand.counts, _NOTHING, hand.wild, hand.wild, hand.wild)
        return melds is not None or missing_pairs(hand.counts, _NOTHING, hand.wild) is not None

    def hands(self, kept: Sequence[Tile]) -> list[str]:
        """The ways in which 14 tiles win: any of `run`, the one-colour run where it is scored, `pairs` and `melds`."""
        if not self.wins(self.hand(kept)):
            return []
        melds, pairs = self.distances(kept)
        ways = (("run", is_run(kept, self.okey, self.rules)), ("pairs", pairs == 0), ("melds", melds == 0))
        return [hand for hand, wins in ways if wins]

    def dearest(self, kept: Sequence[Tile], okey_last: bool = False) -> tuple[int, str]:
        """Of all the ways in which 14 tiles win the dearest: what it costs each of the others, and its name as `hands` gives it.

        Where pairs cost no more than sets and runs, the hand wins with sets and runs.
        """
        return max(((self.cost(kept, hand, okey_last), hand) for hand in reversed(self.hands(kept))), key=itemgetter(0))

    def cost(self, kept: Sequence[Tile], hand: str, okey_last: bool) -> int:
        """What a win with these tiles, shown as `hand`, costs each of the others."""
        assert isinstance(self.rules.scoring, OkeyScoring), "in 101 no hand wins by itself"
        return cost_of(win_of(kept, hand, okey_last, self.okey, self.rules), self.rules.scoring)

    def distances(self, tiles: Sequence[Tile]) -> tuple[int | None, int | None]:
        """Draws to a win by sets and runs, and by pairs; None where there is no way."""
        hand, supply = self.hand(tiles), self.supply(tiles)
        spare = hand.wild + supply.wild
        melds = self.searches.missing(hand.counts, supply.counts, spare, hand.wild, HAND)
        pairs = missing_pairs(hand.counts, supply.counts, spare)
        # The hand's wild tiles stand for some of the missing ones.
        return tuple(None if missing is None else max(0, missing - hand.wild) for missing in (melds, pairs))  # type: ignore[return-value]

    def keeps(self, tiles: Sequence[Tile], distance: int) -> bool:
        """Whether these tiles are at most `distance` draws from a win."""
        hand, supply = self.hand(tiles), self.supply(tiles)
        spare, most = hand.wild + supply.wild, min(HAND, hand.wild + distance)
        pairs = missing_pairs(hand.counts, supply.counts, spare)
        if pairs is not None and pairs <= most:
            return True
        return self.searches.missing(hand.counts, supply.counts, spare, most, most) is not None

    def lacking(self, tiles: Sequence[Tile], missing: int) -> Lacking:
        """The faces that these tiles lack of the nearest wins of sets and runs, which is `missing` tiles."""
        hand, supply = self.hand(tiles), self.supply(tiles)
        return self.searches.lacking(hand.counts, supply.counts, hand.wild + supply.wild, missing)

    def outs(self, kept: Sequence[Tile], melding: int) -> tuple[Out, ...]:
        """Every tile that makes 14 tiles, one draw from a win, win; `melding` are faces, as bits, that do so by sets and runs."""
        hand = self.hand(kept)
        winning = melding | self._pairing_faces(hand)
        faces = ((tile, count, self.face(tile)) for tile, count in self.unseen(kept).items())
        return tuple(Out(tile, count) for tile, count, face in faces if face is None or winning >> face & 1)

    def _pairing_faces(self, hand: Counted) -> int:
        """Faces, as bits, that make 14 tiles win by pairs when drawn."""
        if missing_pairs(hand.counts, _EVERYTHING, hand.wild) != hand.wild + 1:
            return 0
        completing = {}  # how many of it are held is all that matters of a face
        for own in set(hand.counts):
            drawn = list(hand.counts)
            drawn[drawn.index(own)] += 1
            completing[own] = missing_pairs(drawn, _NOTHING, hand.wild) is not None
        return sum(1 << face for face, own in enumerate(hand.counts) if completing[own])

    def pairing(self, hand: Counted, supply: Counted, missing: int) -> int:
        """The faces, as bits, that leave a hand with fewer tiles than `missing` to seven pairs when drawn."""
        faces = 0
        helpful: dict[tuple[int, int], bool] = {}  # by how many are held and can be drawn: nothing else matters
        for face, kind in enumerate(zip(hand.counts, supply.counts, strict=True)):
            if kind not in helpful:
                held, drawable = list(hand.counts), list(supply.counts)
                held[face] += 1
                drawable[face] -= 1
                after = missing_pairs(held, drawable, hand.wild + supply.wild) if kind[1] else missing
                helpful[kind] = after is not None and after < missing
            faces |= helpful[kind] << face
        return faces

    def most_helped(self, distance: int, melds: int | None, pairs: int | None, order: Sequence[Tile]) -> Tile:
        """Of 15 tiles that do not win the first, in this order, after which most unseen tiles bring the hand nearer.

        Args:
            distance, melds, pairs: draws to a win, as `distances` says.
            order: what may be discarded; an okey never is, as another tile can always go.
        """
        hand, supply = self.hand(self.tiles), self.supply(self.tiles)
        lacks = self.lacking(self.tiles, distance + hand.wild).without if melds == distance else _NOTHING
        drawable = [sum(1 << face for face, count in enumerate(supply.counts) if count > copies) for copies in range(COPIES)]

        def helping(face: int) -> int:
            """How many unseen tiles help once a tile of this face is gone; -1 where that takes the hand farther from a win."""
            helps, keeps = lacks[face], bool(lacks[face])
            if pairs == distance:
                kept = Counted([count - (other == face) for other, count in enumerate(hand.counts)], hand.wild)
                missing = missing_pairs(kept.counts, supply.counts, kept.wild + supply.wild)
                if missing == distance + hand.wild:
                    helps, keeps = helps | self.pairing(kept, supply, missing), True
            return sum((helps & faces).bit_count() for faces in drawable) if keeps else -1

        faces = ((tile, self.face(tile)) for tile in order)
        worth = {tile: helping(face) for tile, face in faces if face is not None}
        return max(worth, key=worth.__getitem__)

    def arrangement(self, tiles: Sequence[Tile], win: str | None, points: bool = False) -> tuple[Laid, tuple[Tile, ...]]:
        """The groups of most tiles, or of most points, or the winning ones, and the tiles left over; the one-colour run lies in a line."""
        hand = self.hand(tiles)
        if win == "melds" and self.rules.one_colour_run:
            run = self.searches.one_colour_run(hand.counts, hand.wild)
            if run is not None:
                return self._lay(tiles, [run])
        return self._lay(tiles, self._pairs(hand) if win == "pairs" else self._best_groups(hand, points))

    def pairs(self, tiles: Sequence[Tile]) -> Laid:
        """As many pairs as there are."""
        return self._lay(tiles, self._pairs(self.hand(tiles)))[0]

    def _best_groups(self, hand: Counted, points: bool) -> list[tuple[int, ...]]:
        """The faces of the groups of most tiles or most points."""
        groups = self.searches.arrange(hand.counts, hand.wild, points)
        laid = Counter(face for group in groups for face in group)
        loose = hand.wild - sum(max(0, many - hand.counts[face]) for face, many in laid.items())
        if loose >= 3:  # wild tiles alone, where false jokers are wild too
            number = NUMBERS[-1] if points else NUMBERS[0]
            groups.append(tuple(Tile(colour, number).code for colour in COLOURS[:loose]))
        return groups

    def _pairs(self, hand: Counted) -> list[tuple[int, int]]:
        """The faces of all pairs: whole ones, those that a wild tile completes, then wild tiles by themselves."""
        whole = [face for face, count in enumerate(hand.counts) if count == 2]
        completed = [face for face, count in enumerate(hand.counts) if count == 1][: hand.wild]
        wild = [self.okey.code] * ((hand.wild - len(completed)) // 2)
        return [(face, face) for face in (*whole, *completed, *wild)]

    def _lay(self, tiles: Sequence[Tile], groups: Sequence[tuple[int, ...]]) -> tuple[Laid, tuple[Tile, ...]]:
        """The tiles laid in groups of these faces, and those left over."""
        pool: dict[int | None, list[Tile]] = {}
        for tile in tiles:
            pool.setdefault(self.face(tile), []).append(tile)
        placed = []
        for group in sorted(groups, key=lambda group: (group[0] // 13, group)):
            members = []
            for face in group:
                source = pool[face] if pool.get(face) else pool[None]
                members.append(Placed(source.pop(), NUMBERED_TILES[face]))
            placed.append(tuple(members))
        left = sorted((tile for rest in pool.values() for tile in rest), key=tile_order)
        return tuple(placed), tuple(left)


_DRAWN = TILES[: FALSE_JOKER.code + 1]
"""The tiles that can be drawn, by their codes."""
_NOTHING = [0] * len(NUMBERED_TILES)
_EVERYTHING = [COPIES] * len(NUMBERED_TILES)
_LACKING_NOTHING = Lacking(0, _NOTHING)


def _tally(tiles: Iterable[Tile]) -> list[int]:
    """How many of each tile that can be drawn there are, by their codes."""
    counts = [0] * len(TILES)
    for tile in tiles:
        counts[tile.code] += 1
    return counts[: len(_DRAWN)]


@lru_cache(maxsize=3)
def _searches(high_one: bool, one_colour_run: bool) -> Searches:
    return Searches(high_one, one_colour_run)


def nearest(melds: int | None, pairs: int | None) -> int | None:
    """Fewest draws to a win by sets and runs or by pairs; None where there is no way."""
    return min((draws for draws in (melds, pairs) if draws is not None), default=None)


def tile_order(tile: Tile) -> int:
    """By colour and number, false jokers last."""
    return tile.code


def solve(
    tiles: Sequence[Tile],
    indicator: Tile,
    seen: Sequence[Tile] = (),
    rules: Rules = CLASSIC,
    points: bool = False,
    okey_first: bool = True,
) -> Verdict:
    """Judges 1 to 22 tiles; 14, or 15 with one to discard, get a distance unless the rules are those of 101.

    Args:
        tiles: the hand, in any order.
        indicator: the tile turned up at the deal.
        seen: other tiles that cannot be drawn any more.
        rules: the house rules.
        points: in 101, whether the arrangement has most points instead of most tiles.
        okey_first: whether 15 tiles that win with an okey as the last tile win so, also where another way costs the others more.

    Raises:
        HandError, NotationError: when there can be no such hand; the message is a sentence for the user.
    """
    check_hand(tiles, indicator, seen, rules)
    judge = Judge(tiles, indicator, seen, rules)
    if rules.opens or len(tiles) not in (HAND, HAND + 1):
        arrangement, left = judge.arrangement(judge.tiles, None, points and rules.opens)
        return Verdict(judge.okey, None, None, None, None, arrangement, left, None, ())
    melds, pairs = judge.distances(judge.tiles)
    distance = nearest(melds, pairs)
    if distance == 0:
        return _winning(judge, melds, pairs, okey_first)
    arrangement, left = judge.arrangement(judge.tiles, None)
    # Lacking one tile more than it has wild ones, a hand wins with any of them: the wild tiles stand for the others.
    lacking = judge.lacking(judge.tiles, judge.hand(judge.tiles).wild + 1) if melds == 1 else _LACKING_NOTHING
    discard: Tile | None = None
    outs: tuple[Out, ...] = ()
    if len(tiles) > HAND:
        discard, outs = _best_discard(judge, left, melds, pairs, lacking)
    elif distance == 1:
        outs = judge.outs(judge.tiles, lacking.whole)
    return Verdict(judge.okey, None, distance, melds, pairs, arrangement, left, discard, outs)


def _winning(judge: Judge, melds: int | None, pairs: int | None, okey_first: bool) -> Verdict:
    """The verdict on 14 or 15 tiles that win, in the dearest way; see `winning_discard` for which of 15 goes."""
    kept, discard = list(judge.tiles), None
    if len(kept) > HAND:
        discard = winning_discard(judge, okey_first)
        kept.remove(discard)
    win = "pairs" if judge.dearest(kept, discard == judge.okey)[1] == "pairs" else "melds"
    arrangement, left = judge.arrangement(kept, win)
    return Verdict(judge.okey, win, 0, melds, pairs, arrangement, left if discard is None else (*left, discard), discard, ())


def winning_discard(judge: Judge, okey_first: bool) -> Tile:
    """The tile to discard of 15 that win: the one with which the others win most dearly.

    Args:
        okey_first: whether an okey goes, if the other 14 win, whatever that costs.
    """
    hand = judge.hand(judge.tiles)
    alike = missing_pairs(hand.counts, _NOTHING, hand.wild) is None and not judge.rules.colours_cost
    choices = sorted(set(judge.tiles), key=lambda tile: (tile != judge.okey, tile_order(tile)))
    winning = (tile for tile in choices if judge.wins(judge.hand(without(judge.tiles, tile))))
    first = next(winning)
    if okey_first if first == judge.okey else alike:
        return first
    return max((first, *winning), key=lambda tile: judge.dearest(without(judge.tiles, tile), tile == judge.okey)[0])


def without(tiles: Sequence[Tile], tile: Tile) -> list[Tile]:
    """The tiles less one copy of `tile`."""
    kept = list(tiles)
    kept.remove(tile)
    return kept


def _best_discard(
    judge: Judge, left: Sequence[Tile], melds: int | None, pairs: int | None, lacking: Lacking
) -> tuple[Tile, tuple[Out, ...]]:
    """Which of 15 tiles to discard, and what wins then: no draw farther from a win, with most tiles that help, and rather one in no group.

    Args:
        left: the tiles in no group of the best arrangement.
        melds, pairs: draws to a win, as `Judge.distances` says.
        lacking: at distance 1 the faces that win by sets and runs.
    """
    distance = nearest(melds, pairs)
    # An okey is kept as long as any other tile can go.
    choices = sorted(set(judge.tiles), key=lambda tile: (judge.face(tile) is None, tile not in left, tile_order(tile)))
    if distance != 1:
        return (choices[0] if distance is None else judge.most_helped(distance, melds, pairs, choices)), ()
    best: tuple[int, Tile, tuple[Out, ...]] | None = None
    for tile in choices:
        judge.gone.append(tile)  # a tile that is discarded cannot be drawn again
        kept = without(judge.tiles, tile)
        face = judge.face(tile)
        keeps = judge.keeps(kept, distance)
        outs = judge.outs(kept, 0 if face is None else lacking.without[face]) if keeps else ()
        judge.gone.pop()
        chances = sum(out.unseen for out in outs)
        if keeps and (best is None or chances > best[0]):
            best = (chances, tile, outs)
    assert best is not None, "some discard always keeps the distance"
    return best[1], best[2]
