"""What is asked of outlines of tiles in several places: how large they are, and whether the picture's edge cuts them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.straighten import Corners


def areas(corners: Corners) -> NDArray[np.float64]:
    """The areas (N,) of outlines (N, 4, 2), in square pixels: half the cross product of their diagonals.

    >>> areas(np.array([[[0, 0], [4, 0], [4, 3], [0, 3]]], np.float32))
    array([12.])
    """
    a, b, c, d = np.moveaxis(np.asarray(corners, np.float64), 1, 0)
    one, other = c - a, d - b
    return np.asarray(np.abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]) / 2)


def at_edge(corners: Corners, size: tuple[int, int], margin: float) -> NDArray[np.bool_]:
    """Which corners (N, 4) of outlines (N, 4, 2) lie beyond the edge of a picture of `size`, or nearer to it than so many pixels."""
    return np.asarray(((corners < margin) | (corners > np.array(size) - margin)).any(2))
