"""Which of the places that seem to show a tile's face are none: keys of a calculator, numbers on a sheet, a card's index.

The faces of one set's tiles are of one colour, and its tiles of one size: what looks like a tile, and is told so by neither network
for sure, is none where its face is of another colour, or darker, or of another size than the tiles that are surely there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.beside import BESIDE, against_beside, median_of_nearest
from vision.classify import Chances
from vision.decode import log_odds
from vision.straighten import Corners

WEIGHTS = (1.16, 3.08, -1.05, -0.28, 3.01, 0.51)
"""Weights of the terms of `evidence`, and a constant: their sum is the log-odds that there is no tile. Fitted as
`istaka calibrate` does it for scenes, on these and on photos to learn from, strewn with clutter, too (`models/HISTORY.md`)."""
MOST_LIKELY = 0.8
"""With a greater chance there is none."""
SURELY, ALMOST_AS_SURE, FEWEST_SURE = 0.8, 0.12, 3
"""A tile is surely there that is read with a certainty of more than the first, where the locator's score is less than the second below
the best: keys beside few tiles are many, but the locator is less sure of them. With fewer such tiles than the third nothing is compared:
of 16,600 tiles in scenes for tuning and photos to learn from 2 go so, 7 otherwise, and of 200 places that hold none 72, otherwise 88."""
LEAST_SEEN = 4
"""A face is measured as no darker than this, of 255."""
SAME_TINGE, OTHER_TINGE, CERTAIN = 0.02, 0.03, 1e-6
"""Tinges that differ by less than the first, as a logarithm, are the same, and what differs by less than the second is a tile, however
small: it lies far behind the others. Certainty counts up to 1 less the third."""

Values = NDArray[np.float64]


def evidence(corners: Corners, faces: NDArray[np.float32], certainty: Chances, score: NDArray[np.floating]) -> Values:
    """What speaks against a tile at each of N places, (N, 5); not finite where too few tiles are surely there.

    How unlike the tinge of the face is to that of sure tiles, the nearest or all, how much darker it is than the nearest, log-odds of the
    locator's score and of the certainty, and how unlike the sides of the outline are to those of the nearest.

    Args:
        corners: outlines (N, 4, 2), in pixels.
        faces: colours (N, 3) of their faces, BGR, 0 to 255.
        certainty: how likely (N,) each is read rightly, see `vision.decode.certainty`.
        score: how sure the locator is that a tile is there (N,).
    """
    surely = (certainty > SURELY) & (score >= score.max(initial=0) - ALMOST_AS_SURE)
    if surely.sum() < FEWEST_SURE:
        return np.full((len(corners), 5), np.inf)
    light = np.log(np.maximum(faces.astype(np.float64), LEAST_SEEN))
    tinge_and_light = np.column_stack([light[:, [0, 2]] - light[:, 1:2], light.mean(1)])
    away = np.linalg.norm(corners.mean(1)[:, None] - corners.mean(1), axis=2)
    away[:, ~surely] = np.inf
    np.fill_diagonal(away, np.inf)
    differs = tinge_and_light - median_of_nearest(tinge_and_light, away, BESIDE)[0]
    of_all = tinge_and_light - np.median(tinge_and_light[surely], axis=0)
    unlike = np.minimum(np.linalg.norm(differs[:, :2], axis=1), np.linalg.norm(of_all[:, :2], axis=1))
    sizes = np.abs(against_beside(corners, surely)).sum(1)
    terms = [np.log(SAME_TINGE + unlike), np.maximum(-differs[:, 2], 0), log_odds(score), log_odds(certainty, CERTAIN), sizes]
    return np.column_stack(terms)


def are_lookalikes(corners: Corners, faces: NDArray[np.float32], certainty: Chances, score: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Which of N places only look like a tile; none where too few tiles are surely there. The arguments are those of `evidence`."""
    *weights, constant = WEIGHTS
    speaks = evidence(corners, faces, certainty, score)
    compared = np.asarray(np.isfinite(speaks).all(1) & (speaks[:, 0] > np.log(SAME_TINGE + OTHER_TINGE)))
    sum_of_terms = np.where(compared[:, None], speaks, 0) @ np.array(weights) + constant
    return compared & (sum_of_terms > np.log(MOST_LIKELY / (1 - MOST_LIKELY)))
