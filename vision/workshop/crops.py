"""Training crops for the corner network and the classifier, cut afresh in every epoch from scenes kept in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.tiles import COLOURS, FALSE_JOKER, Tile
from vision.locate import corner_crop, corner_frame, corner_square, frame_matrix
from vision.straighten import Corners, Pyramid, straighten

FALSE_JOKER_CLASS, FACE_DOWN_CLASS, NOT_A_TILE_CLASS = 13, 14, 15
UNKNOWN = -100
"""A label that the loss passes over: the colour of a false joker, the turn of a tile lying face down."""


@dataclass(frozen=True)
class Target:
    """One thing to cut: its corners (4, 2), clockwise from its own top left, and what a classifier should say."""

    scene: int
    corners: Corners
    number: int
    colour: int


def target_of(scene: int, tile: Tile, corners: Corners) -> Target:
    """The target for a tile that shows its face."""
    if tile == FALSE_JOKER:
        return Target(scene, corners, FALSE_JOKER_CLASS, UNKNOWN)
    assert tile.colour is not None and tile.number is not None
    return Target(scene, corners, tile.number - 1, COLOURS.index(tile.colour))


def background_targets(scene: int, size: tuple[int, int], taken: list[Corners], count: int, rng: np.random.Generator) -> list[Target]:
    """Places in a picture of `size` (width, height) that hold no tile, or just a part of one."""
    found: list[Target] = []
    for _ in range(count):
        if taken and rng.random() < 0.6:  # beside a tile: half of it, the gap between two, the empty place on the rack
            base = taken[int(rng.integers(len(taken)))]
            across = base[1] - base[0] if rng.random() < 0.5 else base[3] - base[0]
            corners = base + across * rng.choice([-1, 1]) * rng.uniform(0.55, 1.5) + rng.normal(0, 2, (4, 2))
        else:
            side = rng.uniform(16, 160)
            middle = rng.uniform(0, 1, 2) * size
            box = cv2.boxPoints(((float(middle[0]), float(middle[1])), (side, side * rng.uniform(1, 1.6)), rng.uniform(0, 360)))
            corners = box + rng.normal(0, side * 0.06, (4, 2))
        corners = corners.astype(np.float32)
        hull = cv2.convexHull(corners)[:, 0]
        area = cv2.contourArea(hull)
        if all(cv2.intersectConvexConvex(hull, other)[0] < 0.45 * min(area, cv2.contourArea(other)) for other in taken):
            found.append(Target(scene, corners, NOT_A_TILE_CLASS, UNKNOWN))
    return found


def recoloured(crop: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The crop under a little other light, softer or noisier."""
    gain = rng.uniform(0.7, 1.3) * rng.uniform(0.92, 1.08, 3)
    image = crop.astype(np.float32) * gain + rng.uniform(-12, 12)
    if rng.random() < 0.25:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.6))
    if rng.random() < 0.25:
        image = image + rng.normal(0, rng.uniform(2, 12), image.shape)
    if rng.random() < 0.12:  # a finger, a cup, the next tile in the way
        height, width = crop.shape[:2]
        x, y = rng.integers(0, width), rng.integers(int(height * 0.55), height)
        image[y : y + height // 3, x : x + width // 2] = rng.uniform(0, 255, 3)
    return np.clip(image, 0, 255).astype(np.uint8)


def tile_crop(pyramid: Pyramid, target: Target, rng: np.random.Generator) -> tuple[NDArray[np.uint8], int]:
    """A straightened tile with corners a little off, and by how many quarter turns clockwise it is turned.

    Returns the crop, uint8 (96, 64, 3), and its turn (UNKNOWN for what has no upright side).
    """
    unit = np.sqrt(cv2.contourArea(target.corners))
    loose = 0.035 if rng.random() < 0.8 else 0.07
    corners = target.corners + rng.normal(0, loose * unit, (4, 2))
    turn = int(rng.choice(4, p=[0.64, 0.06, 0.24, 0.06]))
    # Content turned clockwise by a quarter has its own top left at the crop's top right.
    crop = straighten(pyramid, np.roll(corners, turn, 0).astype(np.float32))
    known = target.number <= FALSE_JOKER_CLASS
    return recoloured(crop, rng), turn if known else UNKNOWN


def corner_example(pyramid: Pyramid, corners: Corners, rng: np.random.Generator) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """A crop around a tile and the corners in it (8,), -1 to 1.

    Half of the crops are cut as a locator's box would have it, turned at random, the others by an estimate of the corners.
    """
    if rng.random() < 0.5:
        unit = np.sqrt(cv2.contourArea(corners))
        estimate = np.roll(corners, int(rng.integers(4)), 0) + rng.normal(0, rng.uniform(0.02, 0.12) * unit, (4, 2))
        frame = corner_frame(estimate)
    else:
        frame = _turned_square(corners, rng)
    crop = corner_crop(pyramid, frame)
    inverse = np.linalg.inv(frame_matrix(frame))
    wanted = cv2.perspectiveTransform(corners[:, None], inverse)[:, 0]
    return recoloured(crop, rng), wanted.astype(np.float32).ravel()


def _turned_square(corners: Corners, rng: np.random.Generator) -> Corners:
    """The square around a tile's box, not quite exact, turned by any angle or by quarter turns."""
    low, high = corners.min(0), corners.max(0)
    jitter = rng.normal(0, 0.05, 4) * (high - low).max()
    square = corner_square((np.concatenate([low, high]) + jitter).astype(np.float32))
    middle, half = square.mean(0), (square[1, 0] - square[0, 0]) / 2 * rng.uniform(0.9, 1.1)
    angle = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.integers(4) * np.pi / 2
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    unit = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    return np.asarray(middle + half * unit @ turn.T, np.float32)


def batches(count: int, size: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """All of `count` indices once, in random order, `size` at a time."""
    order = rng.permutation(count)
    for first in range(0, count - size + 1, size):
        yield order[first : first + size]
