"""The oracle: the solver's questions as integer programmes for HiGHS. It shares no code with the solver's searches.

Hundreds of times slower; tests hold the solver against it, and `istaka bench solver` runs both on the same hands.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp

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


def _held(tiles: list[Tile], indicator: Tile) -> tuple[NDArray[np.float64], int]:
    """How many of each face, and how many okeys."""
    okey = okey_of(indicator)
    counts = np.zeros(52)
    for tile in tiles:
        if tile != okey:
            counts[INDEX[okey if tile == FALSE_JOKER else tile]] += 1
    return counts, tiles.count(okey)


def best_arrangement(tiles: list[Tile], indicator: Tile) -> tuple[int, int, int]:
    """Most tiles in groups; with those the fewest okeys; with those the fewest groups."""
    counts, okeys = _held(tiles, indicator)
    many = len(GROUPS)
    # Variables: how often each group is laid, then for each face how many okeys stand for it.
    objective = np.concatenate([-10_000 * SIZES + 1, np.full(52, 100.0)])
    rows = LinearConstraint(
        np.vstack([np.hstack([HOLDS, -np.eye(52)]), np.concatenate([np.zeros(many), np.ones(52)])]),
        ub=np.concatenate([counts, [okeys]]),
    )
    found = milp(objective, constraints=rows, integrality=np.ones(many + 52, np.int64), bounds=Bounds(0, 4), options=EXACTLY)
    assert found.x is not None, "no group at all is an answer too"
    laid, wild = np.round(found.x[:many]), np.round(found.x[many:])
    return int(SIZES @ laid), int(wild.sum()), int(laid.sum())


def _drawable(tiles: list[Tile], indicator: Tile, seen: list[Tile]) -> tuple[NDArray[np.float64], int]:
    okey = okey_of(indicator)
    known = Counter([*tiles, indicator, *seen])
    supply = np.array([2 - known[tile] for tile in NUMBERED_TILES], float)
    supply[INDEX[okey]] = 2 - known[FALSE_JOKER]
    return supply, 2 - known[okey]


def _distance(
    patterns: NDArray[np.float64], sizes: NDArray[np.float64], tiles: list[Tile], indicator: Tile, seen: list[Tile]
) -> int | None:
    """Fewest draws to 14 tiles made of `patterns`, (52, N) tiles of each face."""
    counts, okeys = _held(tiles, indicator)
    supply, okeys_left = _drawable(tiles, indicator, seen)
    many = patterns.shape[1]
    # Variables: patterns laid; faces from the hand; faces drawn; faces stood for by okeys; okeys drawn.
    width = many + 3 * 52 + 1
    objective = np.zeros(width)
    objective[many + 52 : many + 104] = 1
    objective[-1] = 1
    eye = np.eye(52)
    balance = np.hstack([patterns, -eye, -eye, -eye, np.zeros((52, 1))])
    total = np.concatenate([sizes, np.zeros(3 * 52 + 1)])
    wild = np.concatenate([np.zeros(many + 104), np.ones(52), [-1]])
    rules = [
        LinearConstraint(balance, 0, 0),
        LinearConstraint(total[None], 14, 14),
        LinearConstraint(wild[None], ub=okeys),
    ]
    upper = np.concatenate([np.full(many, 4.0), counts, supply, np.full(52, 4.0), [okeys_left]])
    # With whole groups the rest is a flow, which is whole by itself.
    integrality = np.concatenate([np.ones(many, np.int64), np.zeros(width - many, np.int64)])
    found = milp(objective, constraints=rules, integrality=integrality, bounds=Bounds(0, upper), options=EXACTLY)
    return round(found.fun) if found.success else None


def distance_melds(tiles: list[Tile], indicator: Tile, seen: list[Tile]) -> int | None:
    """Fewest draws to a win by sets and runs."""
    short = SIZES <= 5  # longer runs are two of these
    return _distance(HOLDS[:, short], SIZES[short], tiles, indicator, seen)


def distance_pairs(tiles: list[Tile], indicator: Tile, seen: list[Tile]) -> int | None:
    """Fewest draws to seven pairs."""
    return _distance(2 * np.eye(52), np.full(52, 2.0), tiles, indicator, seen)
