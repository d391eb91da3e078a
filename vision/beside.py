"""How an outline, and what is in it, differ from those beside it: the tiles of one set are of one size, and mostly of one colour."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.light import DARKEST
from vision.straighten import Corners

BESIDE = 4
"""So many tiles, the nearest, tell how a tile is there."""
DWARFED, NEAR = 0.58, 6
"""What is shorter and narrower than the first times a tile no farther than the second times its length is of another size: so near
each other perspective does not make tiles as unlike. With these it takes 44 of 63 away that were sure where there is none, in photos to
learn from and in 285 scenes, both with clutter, and 105 of 13,506 that were sure and right, there and in 700 other scenes."""
BRIGHTNESS = 0.1
"""How much it counts beside the tinge that a face is brighter or darker: shadows make little of that, a board of a dark grey much."""


def against_beside(corners: Corners, read: NDArray[np.bool_]) -> NDArray[np.float64]:
    """By how much, as logarithms (N, 2), the longer and the shorter side of each outline are longer or shorter than those beside it.

    Where no other tile is read both are infinite.

    Args:
        corners: outlines (N, 4, 2).
        read: which of them (N,) are surely tiles.
    """
    return _differs(_log_sizes(corners), corners, read)


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


def tinge_beside(face: NDArray[np.float32], corners: Corners, read: NDArray[np.bool_]) -> NDArray[np.float64]:
    """How far (N,) the colour of each face is from that of those beside it, in more light or less; infinite where no other is read.

    Args:
        face: colours (N, 3), 0 to 255, see `vision.straighten.face_colours`.
        corners, read: as `against_beside` takes them.
    """
    lit = np.log(np.maximum(face, DARKEST).astype(np.float64))
    brightness = lit.mean(1, keepdims=True)
    return np.linalg.norm(_differs(np.hstack([lit - brightness, BRIGHTNESS * brightness]), corners, read), axis=1)


def _log_sizes(corners: Corners) -> NDArray[np.float64]:
    """Logarithms (N, 2) of the longer and the shorter side, in pixels, of outlines (N, 4, 2)."""
    edges = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    return np.asarray(np.log(np.maximum(np.sort(edges[:, :2] + edges[:, 2:], axis=1)[:, ::-1] / 2, 0.5)))


def _differs(values: NDArray[np.float64], corners: Corners, read: NDArray[np.bool_]) -> NDArray[np.float64]:
    """By how much values (N, M) are above the median of the nearest tiles that are read; infinite where there is none."""
    middles = corners.mean(1)
    away = np.linalg.norm(middles[:, None] - middles, axis=2)
    away[:, ~read] = np.inf
    np.fill_diagonal(away, np.inf)
    nearest = np.argsort(away, axis=1)[:, :BESIDE]
    others = np.isfinite(np.take_along_axis(away, nearest, 1))
    ordered = np.sort(np.where(others[:, :, None], values[nearest], np.inf), axis=1)
    count, differs = others.sum(1), np.full(values.shape, np.inf)
    told = np.flatnonzero(count)
    lower, upper = (count[told] - 1) // 2, count[told] // 2
    differs[told] = values[told] - (ordered[told, lower] + ordered[told, upper]) / 2
    return differs
