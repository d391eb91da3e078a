"""The oracle: the solver's questions as integer programmes for HiGHS. It shares no code with the solver's searches.

Hundreds of times slower; tests hold the solver against it, and `istaka bench solver` runs both on the same hands.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from assistant.tiles import COLOURS, FALSE_JOKER, NUMBERED_TILES, Tile, okey_of

EXACTLY: Any = {"mip_rel_gap": 0.0}
"""HiGHS would stop within 0.01% of the best: one group more or less in 110,000."""
INDEX = {tile: number for number, tile in enumerate(NUMBERED_TILES)}


def _groups() -> list[tuple[Tile, ...]]:
    sets = [
        tuple(Tile(colour, number) for colour in COLOURS if colour is not without)
        for number in range(1, 14)
        for without in (None, *COLOURS)
    ]
    runs = [
        tuple(Tile(colour, (number - 1) % 13 + 1) for number in range(start, start + length))
        for colour in COLOURS
        for length in range(3, 14)
        for start in range(1, 16 - length)
    ]
    return sets + runs


GROUPS = _groups()
HOLDS = np.zeros((52, len(GROUPS)))
for column, group in enumerate(GROUPS):
    for tile in group:
        HOLDS[INDEX[tile], column] += 1
SIZES = HOLDS.sum(0)
POINTS = np.array([tile.number or 0 for tile in NUMBERED_TILES]) @ HOLDS
LOW = np.array([group[0].number == 1 or group[-1].number != 1 for group in GROUPS])
"""The groups of 101, in which no run ends with a 1."""
SHORT = SIZES <= 5
"""The groups that are not two shorter ones."""
SHAPES = np.array([[0, 1, 2], [3, 0, 1], [2, 2, 0]])
"""How many groups of 3, 4 and 5 tiles make 14, one way a row. Said to HiGHS, it is six times as fast."""


def _held(tiles: list[Tile], indicator: Tile) -> tuple[NDArray[np.float64], int]:
    """How many of each face, and how many okeys."""
    okey = okey_of(indicator)
    counts = np.zeros(52)
    for tile in tiles:
        if tile != okey:
            counts[INDEX[okey if tile == FALSE_JOKER else tile]] += 1
    return counts, tiles.count(okey)


def best_arrangement(tiles: list[Tile], indicator: Tile, points: bool = False) -> tuple[int, int, int]:
    """Most tiles in groups, or by the rules of 101 most points; with those the fewest okeys; with those the fewest groups."""
    counts, okeys = _held(tiles, indicator)
    laid = (counts[:, None] < HOLDS).sum(0) <= okeys  # no more okeys stand in a group than there are
    if points:
        laid &= LOW
    holds, worth = HOLDS[:, laid], (POINTS if points else SIZES)[laid]
    many = holds.shape[1]
    # Variables: how often each group is laid, then for each face how many okeys stand for it.
    objective = np.concatenate([-10_000 * worth + 1, np.full(52, 100.0)])
    rows = np.vstack([np.hstack([holds, -np.eye(52)]), np.concatenate([np.zeros(many), np.ones(52)])])
    rules = LinearConstraint(csr_array(rows), ub=np.concatenate([counts, [okeys]]))
    found = milp(objective, constraints=rules, integrality=np.ones(many + 52), bounds=Bounds(0, 4), options=EXACTLY)
    assert found.x is not None, "no group at all is an answer too"
    often, wild = np.round(found.x[:many]), np.round(found.x[many:])
    return int(worth @ often), int(wild.sum()), int(often.sum())


def _drawable(tiles: list[Tile], indicator: Tile, seen: list[Tile]) -> tuple[NDArray[np.float64], int]:
    okey = okey_of(indicator)
    known = Counter([*tiles, indicator, *seen])
    supply = np.array([2 - known[tile] for tile in NUMBERED_TILES], float)
    supply[INDEX[okey]] = 2 - known[FALSE_JOKER]
    return supply, 2 - known[okey]


def _distance(patterns: NDArray[np.float64], shapes: NDArray[np.int64], tiles: list[Tile], indicator: Tile, seen: list[Tile]) -> int | None:
    """Fewest draws to a win.

    Args:
        patterns: (52, N) how many of each face a pattern holds, a column each.
        shapes: (S, K) how many patterns of each size win, one way a row, for the K sizes that there are.
    """
    counts, okeys = _held(tiles, indicator)
    supply, okeys_left = _drawable(tiles, indicator, seen)
    sizes = patterns.sum(0)
    of_size = np.array([sizes == size for size in np.unique(sizes)], float)
    many, ways = len(sizes), len(shapes)
    # Variables: patterns laid; faces from the hand; faces drawn; faces stood for by okeys; okeys drawn; the shape.
    objective = np.concatenate([np.zeros(many + 52), np.ones(52), np.zeros(52), [1], np.zeros(ways)])
    eye = np.eye(52)
    balance = np.hstack([patterns, -eye, -eye, -eye, np.zeros((52, 1 + ways))])
    wild = np.concatenate([np.zeros(many + 104), np.ones(52), [-1], np.zeros(ways)])
    shaped = np.hstack([of_size, np.zeros((len(of_size), 157)), -shapes.T])
    chosen = np.concatenate([np.zeros(many + 157), np.ones(ways)])
    rules = [
        LinearConstraint(csr_array(balance), 0, 0),
        LinearConstraint(wild[None], ub=okeys),
        LinearConstraint(csr_array(shaped), 0, 0),
        LinearConstraint(chosen[None], 1, 1),
    ]
    upper = np.concatenate([np.full(many, 7.0), counts, supply, np.full(52, 4.0), [okeys_left], np.ones(ways)])
    # With whole patterns the rest is a flow, which is whole by itself.
    whole = np.concatenate([np.ones(many), np.zeros(157), np.ones(ways)])
    found = milp(objective, constraints=rules, integrality=whole, bounds=Bounds(0, upper), options=EXACTLY)
    return round(found.fun) if found.success else None


def distance_melds(tiles: list[Tile], indicator: Tile, seen: list[Tile]) -> int | None:
    """Fewest draws to a win by sets and runs."""
    return _distance(HOLDS[:, SHORT], SHAPES, tiles, indicator, seen)


def distance_pairs(tiles: list[Tile], indicator: Tile, seen: list[Tile]) -> int | None:
    """Fewest draws to seven pairs."""
    return _distance(2 * np.eye(52), np.array([[7]]), tiles, indicator, seen)
