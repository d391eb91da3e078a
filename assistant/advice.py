"""What to discard and what to wait for: how far every choice leaves a hand, which tiles help it then, and how likely they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb

from assistant.rules import CLASSIC, Rules
from assistant.search import FACES, HAND, Lacking
from assistant.solver import Counted, Judge, Out, check_hand, missing_pairs, nearest, tile_order, winning_discard, without
from assistant.tiles import Tile


@dataclass(frozen=True)
class Outlook:
    """What the tiles that are kept can become.

    Attributes:
        distance_melds, distance_pairs: draws to a win of sets and runs, and of pairs; None where there is no way.
        helps: the tiles that bring the hand one draw nearer, or win at distance 1, and how many of each nobody has seen.
        unseen: how many tiles nobody has seen: the stock and what the others hold.
    """

    distance_melds: int | None
    distance_pairs: int | None
    helps: tuple[Out, ...]
    unseen: int

    @property
    def distance(self) -> int | None:
        """Fewest draws to a win, 0 if the hand wins; None where there is no way."""
        return nearest(self.distance_melds, self.distance_pairs)

    @property
    def helping(self) -> int:
        """How many unseen tiles help."""
        return sum(out.unseen for out in self.helps)

    def chance(self, draws: int) -> float:
        """The chance that a tile that helps is among the player's own next `draws` draws; at distance 1, to win by them.

        Exact (hypergeometric) where all unseen tiles are equally likely to be drawn, whoever holds them now. What the
        left neighbour discards is not counted, nor a change of plan: the player keeps these tiles.

        >>> Outlook(1, None, (Out(Tile.parse("R5"), 2),), unseen=4).chance(1)
        0.5
        """
        draws = min(draws, self.unseen)
        return 1 - comb(self.unseen - self.helping, draws) / comb(self.unseen, draws)


@dataclass(frozen=True)
class Choice:
    """A tile that may be discarded, and what the others can become then."""

    discard: Tile
    outlook: Outlook


def outlook(tiles: Sequence[Tile], indicator: Tile, seen: Sequence[Tile] = (), rules: Rules = CLASSIC) -> Outlook:
    """What 14 tiles can become. Raises HandError and NotationError as `solve` does."""
    check_hand(tiles, indicator, seen, rules)
    judge = Judge(tiles, indicator, seen, rules)
    return _Outlooks(judge).of(judge.tiles)


def choices(tiles: Sequence[Tile], indicator: Tile, seen: Sequence[Tile] = (), rules: Rules = CLASSIC) -> tuple[Choice, ...]:
    """Every discard of 15 tiles, nearest to a win first, then with most tiles that help.

    Among equals a tile goes first that lies in no group of the best arrangement, and an okey last; of discards that win, the okey
    goes first, as it counts more. What else a win costs is not asked: `assistant.solver.winning_discard` does.

    Raises:
        HandError, NotationError: as `solve` does.
    """
    check_hand(tiles, indicator, seen, rules)
    judge = Judge(tiles, indicator, seen, rules)
    _, left = judge.arrangement(judge.tiles, None)

    def order(choice: Choice) -> tuple[int, int, bool, bool, int]:
        tile = choice.discard
        unwanted = tile != judge.okey if choice.outlook.distance == 0 else judge.face(tile) is None
        return *_promise(choice), unwanted, tile not in left, tile_order(tile)

    return tuple(sorted(_Outlooks(judge).after_each_discard(), key=order))


def okey_finish(tiles: Sequence[Tile], indicator: Tile, seen: Sequence[Tile] = (), rules: Rules = CLASSIC) -> Choice | None:
    """How 15 tiles that win may win more dearly with an okey as the last tile, if the player waits.

    A hand that holds an okey keeps one for the end and completes the others; one without waits for an okey to be drawn.

    Returns:
        The best discard now, with the distance to such a win and the tiles that help; None when it cannot be reached, or would cost the
        others no more than the win there is. What is still to be drawn counts as of the colour of the rest, but makes no one-colour run.

    Raises:
        HandError, NotationError: as `solve` does.
    """
    check_hand(tiles, indicator, seen, rules)
    judge = Judge(tiles, indicator, seen, rules)
    outlooks = _Outlooks(judge)
    discard = winning_discard(judge, okey_first=False)
    kept = without(judge.tiles, discard)
    now, _ = judge.dearest(kept, discard == judge.okey)
    if judge.okey in tiles:
        others = without(judge.tiles, judge.okey)
        waiting = [Choice(tile, outlooks.of(without(others, tile))) for tile in sorted(set(others), key=tile_order)]

        def is_dearer(choice: Choice) -> bool:
            after = choice.outlook
            ways = (("melds", after.distance_melds), ("pairs", after.distance_pairs))
            nearest_ways = [way for way, draws in ways if draws is not None and draws == after.distance]
            return any(judge.cost(without(others, choice.discard), way, okey_last=True) > now for way in nearest_ways)

        def order(choice: Choice) -> tuple[int, int, bool]:  # among equals a tile without which the hand still wins
            return *_promise(choice), not judge.wins(judge.hand(without(judge.tiles, choice.discard)))

        return min(filter(is_dearer, waiting), key=order, default=None)
    okeys = outlooks.unseen.get(judge.okey, 0)
    if not okeys or judge.dearest(kept, okey_last=True)[0] <= now:
        return None
    after = outlooks.of(kept)
    melds, pairs = (1 if distance == 0 else None for distance in (after.distance_melds, after.distance_pairs))
    return Choice(discard, Outlook(melds, pairs, (Out(judge.okey, okeys),), after.unseen))


_UNKNOWN = [0] * FACES


def _promise(choice: Choice) -> tuple[int, int]:
    """Orders choices: the nearest to a win first, then those with most tiles that help."""
    distance = choice.outlook.distance
    return HAND + 1 if distance is None else distance, -choice.outlook.helping


class _Outlooks:
    """What parts of one hand can become. What nobody has seen is the same whichever of its tiles are kept."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.unseen = judge.unseen(judge.tiles)
        self.supply = judge.supply(judge.tiles)

    def after_each_discard(self) -> list[Choice]:
        """What is left of the hand when each of its tiles is discarded."""
        tiles = self.judge.tiles
        hand = self.judge.hand(tiles)
        missing, pairs = self._search(hand)
        lacks = _UNKNOWN
        if missing is not None and (pairs is None or missing <= pairs):  # else nobody needs to know them
            lacks = self._lacking(hand, missing).without
        found = []
        for tile in sorted(set(tiles), key=tile_order):
            face = self.judge.face(tile)
            found.append(Choice(tile, self.of(without(tiles, tile), None if face is None else lacks[face] or None)))
        return found

    def of(self, kept: Sequence[Tile], lacking: int | None = None) -> Outlook:
        """What the kept tiles can become; `lacking` are the faces, as bits, that they lack of sets and runs, where known."""
        hand = self.judge.hand(kept)
        missing, pairs = self._search(hand)
        melds_away, pairs_away = (None if lacks is None else max(0, lacks - hand.wild) for lacks in (missing, pairs))
        found = Outlook(melds_away, pairs_away, (), sum(self.unseen.values()))
        if not found.distance:
            return found
        faces = 0
        if missing is not None and melds_away == found.distance:
            faces |= self._lacking(hand, missing).whole if lacking is None else lacking
        if pairs is not None and pairs_away == found.distance:
            faces |= self.judge.pairing(hand, self.supply, pairs)
        helps = (Out(tile, count) for tile, count in self.unseen.items() if self._is_among(tile, faces))
        return replace(found, helps=tuple(helps))

    def _search(self, hand: Counted) -> tuple[int | None, int | None]:
        """How many tiles a hand lacks of the nearest win of sets and runs, and of seven pairs."""
        supply, spare = self.supply.counts, hand.wild + self.supply.wild
        missing = self.judge.searches.missing(hand.counts, supply, spare, 0, HAND)
        return missing, missing_pairs(hand.counts, supply, spare)

    def _lacking(self, hand: Counted, missing: int) -> Lacking:
        """The tiles that a hand lacks of its nearest wins of sets and runs."""
        return self.judge.searches.lacking(hand.counts, self.supply.counts, hand.wild + self.supply.wild, missing)

    def _is_among(self, tile: Tile, faces: int) -> bool:
        """Whether a tile stands for one of these faces, or for any."""
        face = self.judge.face(tile)
        return face is None or bool(faces >> face & 1)
