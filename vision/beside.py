"""How large an outline is against those beside it: the tiles of one set are of one size."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.straighten import Corners

BESIDE = 4
"""So many tiles, the nearest, tell how large a tile is there."""


def against_beside(corners: Corners, read: NDArray[np.bool_]) -> NDArray[np.float64]:
    """By how much, as logarithms (N, 2), the longer and the shorter side of each outline are longer or shorter than those beside it.

    Where no other tile is read both are infinite.

    Args:
        corners: outlines (N, 4, 2).
        read: which of them (N,) are surely tiles.
    """
    edges = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    sizes = np.log(np.maximum(np.sort(edges[:, :2] + edges[:, 2:], axis=1)[:, ::-1], 1))
    middles = corners.mean(1)
    away = np.linalg.norm(middles[:, None] - middles, axis=2)
    away[:, ~read] = np.inf
    np.fill_diagonal(away, np.inf)
    nearest = np.argsort(away, axis=1)[:, :BESIDE]
    others = np.isfinite(np.take_along_axis(away, nearest, 1))
    ordered = np.sort(np.where(others[:, :, None], sizes[nearest], np.inf), axis=1)
    count, differs = others.sum(1), np.full(sizes.shape, np.inf)
    told = np.flatnonzero(count)
    lower, upper = (count[told] - 1) // 2, count[told] // 2
    differs[told] = sizes[told] - (ordered[told, lower] + ordered[told, upper]) / 2  # the median of those beside it
    return differs
