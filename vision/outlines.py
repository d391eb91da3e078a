"""What is asked of outlines of tiles in several places: areas, turns, at which corner they begin, whether the picture's edge cuts them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.straighten import Corners

ORDERS = np.add.outer(np.arange(4), np.arange(4)) % 4
"""The indices of an outline's corners, begun at each."""


def areas(corners: Corners) -> NDArray[np.float64]:
    """The areas (N,) of outlines (N, 4, 2), in square pixels: half the cross product of their diagonals.

    >>> areas(np.array([[[0, 0], [4, 0], [4, 3], [0, 3]]], np.float32))
    array([12.])
    """
    a, b, c, d = np.moveaxis(np.asarray(corners, np.float64), 1, 0)
    one, other = c - a, d - b
    return np.asarray(np.abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]) / 2)


def as_complex(points: NDArray[np.float64]) -> NDArray[np.complex128]:
    """Points or vectors (..., 2) as complex numbers (...): a quotient is how one is turned and stretched against another, and
    z -> turn * z + shift is a similarity.
    """
    return np.asarray(points[..., 0] + 1j * points[..., 1])


def in_all_orders(corners: Corners) -> Corners:
    """Outlines (..., 4, 2) begun at each of their corners, in their turn (..., 4, 4, 2)."""
    return corners[..., ORDERS, :]


def in_order_of(corners: Corners, others: Corners) -> Corners:
    """Outlines (N, 4, 2) begun at those corners from which on they are nearest to others (N, 4, 2)."""
    orders = in_all_orders(corners)
    nearest = np.linalg.norm(orders - others[:, None], axis=3).sum(2).argmin(1)
    return orders[np.arange(len(corners)), nearest]


def at_edge(corners: Corners, size: tuple[int, int], margin: float) -> NDArray[np.bool_]:
    """Which corners (N, 4) of outlines (N, 4, 2) lie beyond the edge of a picture of `size`, or nearer to it than so many pixels."""
    return np.asarray(((corners < margin) | (corners > np.array(size) - margin)).any(2))
