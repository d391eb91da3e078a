"""Which of the places that bear no mark are tiles lying face down: boards between tiles and squares of cloth look like them.

The tiles of one set are of one size, so that a tile lying face down is as long and as wide as those that are read beside it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.classify import Chances
from vision.decode import log_odds

WEIGHTS = (1.35, 0.88, -3.72, -4.45, 0.11)
"""Weights of the terms of `evidence`, and a constant: their sum is the log-odds that a tile lies face down there. Fitted by
`istaka calibrate`."""
LEAST_LIKELY_BLANK = 0.8
"""With a smaller chance no tile is told there. Scenes hold more tiles lying face down than racks do, while the board shows between
the groups of every rack: one such gap, as wide as a tile, has a chance of 0.2 (`okey-spades`). Of 448 rendered racks without such
tiles 371 are exact so, 369 with 0.75."""


def evidence(against: NDArray[np.float64], score: NDArray[np.floating], blank: Chances) -> NDArray[np.float64]:
    """What speaks for tiles lying face down at each of N places, (N, 4).

    Log-odds of the locator's score and of the classifier's chance, and how unlike the sides of the outline are to those beside it.

    Args:
        against: sizes against those of the tiles beside each (N, 2), see `vision.beside.against_beside`.
        score: how sure the locator is that a tile is there (N,).
        blank: the classifier's chance (N,) that a tile lies face down there.
    """
    return np.column_stack([log_odds(score), log_odds(blank), np.abs(against)])


def face_down_chances(against: NDArray[np.float64], score: NDArray[np.floating], blank: Chances) -> Chances:
    """How likely (N,) a tile lies face down at each of N places that bear no mark; the arguments are those of `evidence`."""
    *weights, constant = WEIGHTS
    sum_of_terms = evidence(against, score, blank) @ np.array(weights) + constant
    return np.asarray(1 / (1 + np.exp(-np.maximum(sum_of_terms, -50))), np.float32)
