"""Upright crops of tiles, cut from the full-resolution picture by their four corners, and single pixels on them."""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Corners = NDArray[np.float32]

TILE_SIZE = (64, 96)
"""Width and height of a straightened tile in pixels."""
SMALLEST_LEVEL = 6
"""How often a picture is halved at most to cut from it."""
TILE_MARGIN = 4
"""Pixels of surroundings on each side of a straightened tile: corners are never exact."""
FACE_AT = 0.8
"""The quantile of each channel on a tile that is the colour of its face: most of a tile is face, and ink is darker."""
EVERY = 3
"""The face is told by one pixel of so many, across and down."""
DARKEST_FACE, BRIGHTEST = 24, 1.5
"""A face is taken to be no darker than the first, of 255, so that a crop in the dark is not all noise; what is brighter than the second,
the face being 1, is glare, and seen as that bright."""


class Pyramid:
    """A picture at full size and halved again and again, so that a large tile is shrunk without aliasing.

    >>> Pyramid(np.zeros((80, 60, 3), np.uint8)).level_for(3.0)
    (1, 0.5)
    """

    def __init__(self, picture: Picture) -> None:
        """`picture`: uint8 (height, width, 3)."""
        self._levels = [picture]

    def level_for(self, shrink: float) -> tuple[int, float]:
        """The level to cut from when a pixel of the crop covers `shrink` pixels, and that level's scale."""
        level = min(SMALLEST_LEVEL, int(math.log2(max(shrink, 1.0)) + 0.4))
        return level, 0.5**level

    def level(self, index: int) -> Picture:
        """The picture halved `index` times, made when first asked for."""
        while len(self._levels) <= index:
            last = self._levels[-1]
            width, height = max(1, last.shape[1] // 2), max(1, last.shape[0] // 2)
            # Without an odd last row or column every pixel is exactly four of the larger picture's, which is also far quicker.
            even = last[: 2 * height, : 2 * width]
            self._levels.append(np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8))
        return self._levels[index]

    def warp(self, corners: Corners, target: Corners, size: tuple[int, int]) -> Picture:
        """The picture warped so that `corners` (4, 2), in pixels, come to lie on `target` (4, 2) in a crop of `size`."""
        index, scale = self.level_for(_longest_edge(corners) / max(_longest_edge(target), 1.0))
        level = self.level(index)
        # A pixel's centre is at its whole number; halving a picture moves it by half a pixel of the larger one.
        source = (np.asarray(corners, np.float32) + 0.5) * scale - 0.5
        matrix = cv2.getPerspectiveTransform(source.astype(np.float32), np.asarray(target, np.float32))
        return np.asarray(cv2.warpPerspective(level, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _longest_edge(corners: Corners) -> float:
    """In pixels. Without numpy, which takes ten times as long for four points; a reading asks a hundred times."""
    points = corners.tolist()
    return max(map(math.dist, points, [*points[1:], points[0]]))


def straighten(pyramid: Pyramid, corners: Corners) -> Picture:
    """One tile upright: uint8 (96, 64, 3), its first corner at the top left."""
    width, height = TILE_SIZE
    m = TILE_MARGIN
    target = np.array([[m, m], [width - m, m], [width - m, height - m], [m, height - m]], np.float32)
    return pyramid.warp(corners, target - 0.5, TILE_SIZE)


@lru_cache
def places_on_a_tile(first: float, last: float, count: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Places on a tile, so many across and down, from and to these shares of its sides; rows one after the other.

    Returns:
        The shares (count * count, 4) that a tile's corners have in each, and whether it lies on the tile.
    """
    across, down = np.meshgrid(*[np.linspace(first, last, count)] * 2)
    shares = np.stack([(1 - across) * (1 - down), across * (1 - down), across * down, (1 - across) * down], -1).reshape(-1, 4)
    return shares, shares.min(1) > 0


def pixels_at(picture: Picture, corners: Corners, shares: NDArray[np.float64]) -> NDArray[np.uint8]:
    """The pixels (N, P, 3) of a picture that lie on N tiles (N, 4, 2) where P places (P, 4) do, or at the picture's edge next to these."""
    height, width = picture.shape[:2]
    x, y = np.moveaxis((shares @ corners).astype(int), -1, 0)
    return np.asarray(picture.reshape(-1, 3).take(y.clip(0, height - 1) * width + x.clip(0, width - 1), axis=0), np.uint8)


def face_colours(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The colour (N, 3) of the face on straightened tiles (N, height, width, 3), 0 to 255.

    Each channel's quantile FACE_AT of what is on the tile.
    """
    on_tile = slice(TILE_MARGIN, -TILE_MARGIN, EVERY)
    sample = crops[:, on_tile, on_tile].transpose(0, 3, 1, 2).reshape(len(crops), 3, -1)
    # Bytes are quicker counted ("stable") than parted.
    return np.sort(sample, axis=2, kind="stable")[:, :, int(sample.shape[2] * FACE_AT)].astype(np.float32)


def white_balanced(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Crops (N, height, width, 3), uint8 BGR, as network input (N, 3, height, width), float32: 1 is the tile's own face.

    Ink is then seen against the face whatever the colour of the light. Values are 0 to BRIGHTEST.
    """
    return against_faces(crops, face_colours(crops))


def against_faces(crops: NDArray[np.uint8], faces: NDArray[np.float32]) -> NDArray[np.float32]:
    """As `white_balanced`, the colours (N, 3) of the faces being known already, see `face_colours`."""
    by_channel = np.ascontiguousarray(crops.transpose(0, 3, 1, 2))
    scaled = by_channel / np.maximum(faces, DARKEST_FACE)[:, :, None, None]
    return np.minimum(scaled, BRIGHTEST, out=scaled)
