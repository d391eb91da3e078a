"""How an outline differs from those beside it: the tiles of one set are of one size."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.layout import frames_of
from vision.outlines import areas, as_complex
from vision.straighten import Corners

BESIDE = 4
"""So many tiles, the nearest, tell how a tile is there."""
DWARFED, NEAR = 0.58, 6
"""What is shorter and narrower than the first times a tile no farther than the second times its length is of another size: so near
each other perspective does not make tiles as unlike. With these it takes 44 of 63 away that were sure where there is none, in photos to
learn from and in 285 scenes, both with clutter, and 105 of 13,506 that were sure and right, there and in 700 other scenes."""
ALIKE, FEWEST_ALIKE = 5, 2
"""So many of the nearest tiles, or at least the second, tell the shape and size of an outline."""
PARALLEL, NEAR_ALIKE = 0.93, 3.5
"""They are those whose tops are parallel to its own (cosine), and that lie no farther away than so many times their size, the root of
their area."""
OTHER_SHAPE, OTHER_AREA = 1.25, 1.45
"""What is so many times as high, or as wide, against its other side, or so many times as large, or as small, has another shape or size."""


def against_beside(corners: Corners, read: NDArray[np.bool_]) -> NDArray[np.float64]:
    """By how much, as logarithms (N, 2), the longer and the shorter side of each outline are longer or shorter than those beside it.

    Where no other tile is read both are infinite.

    Args:
        corners: outlines (N, 4, 2).
        read: which of them (N,) are surely tiles.
    """
    sizes, middles = _log_sizes(corners), corners.mean(1)
    away = np.linalg.norm(middles[:, None] - middles, axis=2)
    away[:, ~read] = np.inf
    np.fill_diagonal(away, np.inf)
    medians, count = median_of_nearest(sizes, away, BESIDE)
    return np.where(count[:, None] > 0, sizes - medians, np.inf)


def outlines_as_beside(corners: Corners, whole: NDArray[np.bool_]) -> tuple[NDArray[np.int64], Corners, NDArray[np.float64]]:
    """Which outlines (M,) are of another shape or size than those beside them, what each may be instead (M, 8, 4, 2), and the
    logarithm of the area (M,) of those beside it.

    A digit of two, or what the step before it leaves of a tile, may have been taken for the whole. Four of the eight keep
    a side of the outline and have the shape of those beside it, four keep a corner and have their size.

    Args:
        corners: outlines (N, 4, 2), each from the tile's own top left to its top right.
        whole: which of them (N,) are surely tiles, and seen as a whole.
    """
    frames = frames_of(corners.astype(np.float64))
    across, down, middles = (as_complex(each) for each in (frames.right, -frames.up, frames.middle))
    size = log_areas(corners)
    turns = np.exp(1j * np.angle(across))
    along = (turns[:, None] * turns.conj()).real
    away = np.abs(middles[:, None] - middles)
    away[:, ~whole] = np.inf
    away[(np.abs(along) < PARALLEL) | (away > NEAR_ALIKE * np.exp(size / 2))] = np.inf
    np.fill_diagonal(away, np.inf)
    shapes = down / np.where(across == 0, 1e-6, across)
    usual, count = median_of_nearest(np.stack([shapes.real, shapes.imag, size], 1), away, ALIKE)
    shape = usual[:, 0] + 1j * usual[:, 1]
    told = np.flatnonzero((count >= FEWEST_ALIKE) & (np.abs(shape) > 0))
    higher, larger = np.log(np.maximum(np.abs(shapes[told] / shape[told]), 1e-6)), (size - usual[:, 2])[told]
    places = told[(np.abs(higher) > np.log(OTHER_SHAPE)) | (np.abs(larger) > np.log(OTHER_AREA))]
    outlines = []
    for i in places:
        beside = np.argsort(away[i])[: min(ALIKE, count[i])]
        right, below = (
            np.median(each.real) + 1j * np.median(each.imag) for each in np.sign(along[i, beside]) * [across[beside], down[beside]]
        )
        a, b, c, d = as_complex(corners[i].astype(np.float64))
        keeping_a_side = [
            [a, b, b + (b - a) * shape[i], a + (b - a) * shape[i]],
            [d - (c - d) * shape[i], c - (c - d) * shape[i], c, d],
            [a, a + (d - a) / shape[i], d + (d - a) / shape[i], d],
            [b - (c - b) / shape[i], b, c, c - (c - b) / shape[i]],
        ]
        first = (a, b - right, c - right - below, d - below)
        outlines.append(keeping_a_side + [[e, e + right, e + right + below, e + below] for e in first])
    found = np.array(outlines, complex).reshape(-1, 8, 4)
    return places, np.stack([found.real, found.imag], -1).astype(np.float32), usual[places, 2]


def log_areas(corners: Corners) -> NDArray[np.float64]:
    """Logarithms (N,) of the areas of outlines (N, 4, 2), in square pixels."""
    return np.asarray(np.log(np.maximum(areas(corners), 1e-6)))


def dwarfed(corners: Corners, sure: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of N outlines are much smaller than a tile near them: keys of a calculator among tiles, numbers in a calendar.

    Those beside a key are keys, which is why these are compared with all that is near.

    Args:
        corners: outlines (N, 4, 2).
        sure: which of them (N,) are sure to be tiles, whatever lies beside them.
    """
    sizes, middles = _log_sizes(corners), corners.mean(1)
    away = np.linalg.norm(middles[:, None] - middles, axis=2)
    smaller = np.all(sizes[:, None] - sizes < np.log(DWARFED), axis=2)
    return np.asarray((smaller & (away < NEAR * np.exp(sizes[:, 0])) & sure).any(1))


def _log_sizes(corners: Corners) -> NDArray[np.float64]:
    """Logarithms (N, 2) of the longer and the shorter side, in pixels, of outlines (N, 4, 2)."""
    edges = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    return np.asarray(np.log(np.maximum(np.sort(edges[:, :2] + edges[:, 2:], axis=1)[:, ::-1] / 2, 0.5)))


def median_of_nearest(
    values: NDArray[np.float64], away: NDArray[np.floating[Any]], most: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Medians (N, M) of the values (N, M) of the nearest, by `away` (N, N) where it is finite, or 0, and how many (N,) they are."""
    nearest = np.argsort(away, axis=1)[:, :most]
    others = np.isfinite(np.take_along_axis(away, nearest, 1))
    ordered = np.sort(np.where(others[:, :, None], values[nearest], np.inf), axis=1)
    count, medians = others.sum(1), np.zeros(values.shape)
    told = np.flatnonzero(count)
    lower, upper = (count[told] - 1) // 2, count[told] // 2
    medians[told] = (ordered[told, lower] + ordered[told, upper]) / 2
    return medians, count
