"""Players for simulations and tests; those of Okey 101 are in `bots101.py`. They look only at what the player in turn can see."""

from __future__ import annotations

import random
from collections.abc import Sequence

from assistant.game import Deal, Discard, Draw, Move, Player, ShowIndicator, Take
from assistant.rules import Rules
from assistant.search import HAND
from assistant.solver import Judge, missing_pairs, without
from assistant.tiles import COPIES, TILES, Tile


def random_player(rng: random.Random) -> Player:
    """A player that does anything that it may, each as likely as any other."""
    return lambda deal: rng.choice(deal.moves())


def solver_player(deal: Deal) -> Move:
    """A player that wins as soon and as dearly as it can, and until then keeps as near to a win as it can.

    It takes the tile discarded on its left if that brings it nearer, else draws, and discards as `best_discard` says.
    """
    if deal.may(ShowIndicator()):
        return ShowIndicator()
    if deal.is_drawing:
        return Take() if not deal.stock or _brings_nearer(deal) else Draw()
    wins = deal.wins()
    return wins[0] if wins else Discard(best_discard(deal.hand, deal.indicator, deal.discards, deal.rules))


def best_discard(tiles: Sequence[Tile], indicator: Tile, seen: Sequence[Tile], rules: Rules) -> Tile:
    """Of the tiles that leave a hand of 15 as near to a win as it is the one after which most unseen tiles bring it nearer."""
    judge = Judge(tiles, indicator, seen, rules)
    hand, supply = judge.hand(judge.tiles), judge.supply(judge.tiles)
    spare = hand.wild + supply.wild
    melds = judge.searches.missing(hand.counts, supply.counts, spare, hand.wild, HAND)
    pairs = missing_pairs(hand.counts, supply.counts, spare)
    if melds is not None and (pairs is None or melds <= pairs):
        drawable = [sum(1 << face for face, count in enumerate(supply.counts) if count > copies) for copies in range(COPIES)]
        lacking = judge.searches.lacking(hand.counts, supply.counts, spare, melds).without
        worth = [sum((lacks & faces).bit_count() for faces in drawable) if lacks else -1 for lacks in lacking]
    else:  # a face held once is half a pair, and the better one the more of it can be drawn
        worth = [-(COPIES + 1) * own - more for own, more in zip(hand.counts, supply.counts, strict=True)]
    _, code = max((worth[face], -tile.code) for tile in judge.tiles if (face := judge.face(tile)) is not None)
    return TILES[-code]


def _brings_nearer(deal: Deal) -> bool:
    """Whether the tile offered to the player in turn brings its hand nearer to a win, or wins."""
    if deal.offered is None:
        return False
    seen = without(deal.discards, deal.offered)
    judge = Judge(deal.hand, deal.indicator, seen, deal.rules)
    distance = min((draws for draws in judge.distances(judge.tiles) if draws is not None), default=None)
    return distance == 0 or (distance is not None and judge.keeps([*judge.tiles, deal.offered], distance - 1))
