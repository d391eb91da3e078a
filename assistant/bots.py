"""Players for simulations and tests; those of Okey 101 are in `bots101.py`. They look only at what the player in turn can see."""

from __future__ import annotations

import random
from collections.abc import Sequence

from assistant.game import Deal, Discard, Draw, Move, Player, ShowIndicator, Take
from assistant.rules import Rules
from assistant.solver import Judge, nearest, without
from assistant.tiles import Tile


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
    melds, pairs = judge.distances(judge.tiles)
    distance = nearest(melds, pairs)
    return judge.tiles[0] if distance is None else judge.most_helped(distance, melds, pairs, judge.tiles)


def _brings_nearer(deal: Deal) -> bool:
    """Whether the tile offered to the player in turn brings its hand nearer to a win, or wins."""
    if deal.offered is None:
        return False
    seen = without(deal.discards, deal.offered)
    judge = Judge(deal.hand, deal.indicator, seen, deal.rules)
    distance = nearest(*judge.distances(judge.tiles))
    return distance == 0 or (distance is not None and judge.keeps([*judge.tiles, deal.offered], distance - 1))
