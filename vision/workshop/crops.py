"""Training crops for the networks that find corners and the classifier, cut afresh in every epoch from scenes kept in memory."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.tiles import COLOURS, FACE_DOWN, FALSE_JOKER, Tile
from vision.classify import FACE_DOWN_COLUMN, FALSE_JOKER_COLUMN, NO_TILE_COLUMN
from vision.locate import corner_crop, corner_square, frame_matrix, outline_frame
from vision.outlines import in_order_of
from vision.straighten import Corners, Pyramid, straighten
from vision.workshop.alter import motion_kernel
from vision.workshop.evaluate import overlaps

UNKNOWN = -100
"""A label that the loss passes over: the colour of a false joker, the turn of a tile lying face down."""


LEAST_SHARED = 0.5
"""A box that shares less of its union with a tile's bounds than this is not that tile's."""
MOST_SHARED = 0.15
"""An outline of which no tile covers more than this share holds none."""
MOST_AWAY = 0.35
"""Corners further off than this, in the side of a square as large as the tile, outline something else."""
LEAST_CUT, MOST_CUT = 0.1, 0.5
"""How much of a tile a made-up edge of the picture cuts off, as a share of the tile's extent."""

CUT_CHANCE = 0.12
"""How often a made-up edge of the picture cuts the tile."""
LOOSE_BOX = 0.08
"""How far the sides of a made-up box lie beside the tile's bounds, as a share of the longer one: a tenth of a locator's boxes share less
than 0.78 of their union with those in scenes that it has not seen."""
SLIP_CHANCE, DEEPEST_SLIP, FARTHEST_SLIP = 0.4, 0.15, 0.35
"""How often one side of a made-up estimate has slipped, at most so far into the tile or beyond it, as a share of its extent: the top side
of a tile seen from above looks like a part of its face."""
SMALL_CHANCE, NARROWEST, WIDEST, WORST_JPEG = 0.2, 14, 48, 35
"""How often a crop is made as a picture has it in which the tile is only so many pixels wide, half of the time as a JPEG of this quality
or better."""
BENT_CHANCE, BENDS, MOST_BENT = 0.4, (5, 3), 1.6
"""How often a classifier's crop is bent as if its digits were of another font, by so many random shifts down and across it, of a standard
deviation of at most so many pixels."""
SHADE_CHANCE = 0.3
"""How often the edge of a shadow runs through a crop."""
DARKEST_SHADE, LIGHTEST_SHADE = 0.2, 0.8
"""How much of the light a shadow leaves."""

Example = tuple[NDArray[np.uint8], NDArray[np.float32]]
"""A crop for a network that finds corners, uint8 (80, 80, 3), and the corners in it (8,), -1 to 1."""


@dataclass(frozen=True)
class Target:
    """One thing to cut, and what a classifier should say.

    Attributes:
        scene: index of its picture.
        corners: (4, 2) in pixels, clockwise from its own top left.
        number, colour: classes, or UNKNOWN.
        box: where a trained locator sees it (left, top, right, bottom), if it does.
        outlined: (4, 2) corners in the same order as a trained reader finds them, if it does.
    """

    scene: int
    corners: Corners
    number: int
    colour: int
    box: NDArray[np.float32] | None = None
    outlined: Corners | None = None


def target_of(scene: int, tile: Tile, corners: Corners) -> Target:
    """The target for a tile that shows its face or, `#`, lies face down."""
    if tile == FACE_DOWN:
        return Target(scene, corners, FACE_DOWN_COLUMN, UNKNOWN)
    if tile == FALSE_JOKER:
        return Target(scene, corners, FALSE_JOKER_COLUMN, UNKNOWN)
    assert tile.colour is not None and tile.number is not None
    return Target(scene, corners, tile.number - 1, COLOURS.index(tile.colour))


def as_found(
    pyramid: Pyramid, targets: list[Target], ignored: list[Corners], scene: int, boxes: NDArray[np.float32], outlines: Corners
) -> list[Target]:
    """The targets of one picture with the boxes and outlines that a trained locator has for them, and its false alarms.

    Networks that are trained on such crops meet the errors that they will meet in use, not drawn ones alone.

    Args:
        ignored: outlines (4, 2) of what is hidden too far to be learnt from.
        scene: the picture's index.
        boxes: (N, 4), what the locator sees.
        outlines: (N, 4, 2), their corners.
    """
    shared = overlaps(np.array([_bounds(target.corners, pyramid) for target in targets]).reshape(-1, 4), boxes)
    found = list(targets)
    for i, j in enumerate(shared.argmax(1) if shared.size else ()):
        if shared[i, j] >= LEAST_SHARED and shared[:, j].argmax() == i:
            found[i] = replace(targets[i], box=boxes[j], outlined=_in_order(outlines[j], targets[i].corners))
    tiles = ignored + [target.corners for target in targets]
    for outline in outlines:
        area = cv2.contourArea(outline)
        if area > 1 and all(cv2.intersectConvexConvex(outline, tile)[0] < MOST_SHARED * area for tile in tiles):
            found.append(Target(scene, outline, NO_TILE_COLUMN, UNKNOWN))
    return found


def _bounds(corners: Corners, pyramid: Pyramid) -> NDArray[np.float32]:
    """Left, top, right and bottom of the part of an outline (4, 2) that is in the picture."""
    height, width = pyramid.level(0).shape[:2]
    inside = np.clip(corners, 0, [width, height])
    return np.concatenate([inside.min(0), inside.max(0)]).astype(np.float32)


def _in_order(outline: Corners, corners: Corners) -> Corners | None:
    """The outline (4, 2) starting at the same corner as `corners` (4, 2); None when it is not the same tile's."""
    ordered = in_order_of(outline[None], corners[None])[0]
    away = float(np.linalg.norm(ordered - corners, axis=1).mean())
    return ordered if away < MOST_AWAY * np.sqrt(cv2.contourArea(corners)) else None


def cut_by_edge(pyramid: Pyramid, corners: Corners, rng: np.random.Generator) -> tuple[Pyramid, Corners]:
    """A tile's surroundings as a picture by itself whose edge cuts the tile, and the tile's corners there.

    A tile that an edge cuts already stays as it is.
    """
    picture = pyramid.level(0)
    low, high = corners.min(0), corners.max(0)
    if (low < 0).any() or (high > [picture.shape[1], picture.shape[0]]).any():
        return pyramid, corners
    reach = (high - low).max()
    cut = rng.uniform(LEAST_CUT, MOST_CUT) * (high - low)
    first, last = low - reach, high + reach
    axis = int(rng.integers(2))
    if rng.random() < 0.5:
        first[axis] = low[axis] + cut[axis]
    else:
        last[axis] = high[axis] - cut[axis]
    left, top = np.maximum(first, 0).astype(int)
    right, bottom = np.minimum(last, [picture.shape[1], picture.shape[0]]).astype(int)
    return Pyramid(picture[top:bottom, left:right]), (corners - [left, top]).astype(np.float32)


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
            found.append(Target(scene, corners, NO_TILE_COLUMN, UNKNOWN))
    return found


def recoloured(crop: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The crop under a little other light, softer, shaken or noisier."""
    gain = rng.uniform(0.7, 1.3) * rng.uniform(0.92, 1.08, 3)
    image = crop.astype(np.float32) * gain + rng.uniform(-12, 12)
    if rng.random() < 0.25:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.6))
    if rng.random() < 0.15:
        image = cv2.filter2D(image, -1, motion_kernel(rng.uniform(3, 13), rng.uniform(0, np.pi)))
    if rng.random() < 0.25:
        image = image + rng.normal(0, 2 + rng.exponential(8), image.shape)
    if rng.random() < 0.12:  # a finger, a cup, the next tile in the way
        height, width = crop.shape[:2]
        x, y = rng.integers(0, width), rng.integers(int(height * 0.55), height)
        image[y : y + height // 3, x : x + width // 2] = rng.uniform(0, 255, 3)
    return np.clip(image, 0, 255).astype(np.uint8)


def as_if_small(crop: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The crop, by chance as it looks in a picture in which what fills it is small."""
    if rng.random() >= SMALL_CHANCE:
        return crop
    height, width = crop.shape[:2]
    across = round(np.exp(rng.uniform(np.log(NARROWEST), np.log(WIDEST))))
    small = cv2.resize(crop, (across, round(across * height / width)), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.5:
        quality = int(rng.integers(WORST_JPEG, 96))
        small = cv2.imdecode(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
    return np.asarray(cv2.resize(small, (width, height)), np.uint8)


def bent(crop: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The crop, by chance smoothly deformed, which makes other digit shapes of those of a font (Simard, Steinkraus and Platt, 2003)."""
    if rng.random() >= BENT_CHANCE:
        return crop
    height, width = crop.shape[:2]
    shifts = rng.normal(0, rng.uniform(0, MOST_BENT), (*BENDS, 2)).astype(np.float32)
    shift = cv2.resize(shifts, (width, height), interpolation=cv2.INTER_CUBIC)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    return np.asarray(cv2.remap(crop, x + shift[..., 0], y + shift[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def shaded(crop: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The crop, by chance with a shadow on it: a hard or soft edge at any angle, half of the time with a second one beyond it."""
    if rng.random() >= SHADE_CHANCE:
        return crop
    height, width = crop.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    inwards = (x - rng.uniform(0, width)) * np.cos(angle) + (y - rng.uniform(0, height)) * np.sin(angle)
    if rng.random() < 0.5:
        inwards = np.minimum(inwards, rng.uniform(0.15, 0.8) * height - inwards)
    soft = 0.3 + rng.exponential(1.5)
    depth = 1 / (1 + np.exp(-np.clip(inwards / soft, -20, 20)))
    left = np.exp(rng.uniform(np.log(DARKEST_SHADE), np.log(LIGHTEST_SHADE))) * rng.uniform(0.92, 1.08, 3)
    return np.asarray(np.clip(crop * (1 - depth[:, :, None] * (1 - left)), 0, 255), np.uint8)


def tile_crop(pyramid: Pyramid, target: Target, rng: np.random.Generator) -> tuple[NDArray[np.uint8], int]:
    """A straightened tile with corners a little off, and by how many quarter turns clockwise it is turned.

    Where a reader outlines the tile, a third of the crops are cut along that.

    Returns the crop, uint8 (96, 64, 3), and its turn (UNKNOWN for what has no upright side).
    """
    known = target.number <= FALSE_JOKER_COLUMN
    unit = np.sqrt(cv2.contourArea(target.corners))
    if target.outlined is not None and rng.random() < 0.35:
        corners, loose = target.outlined, 0.015
    else:
        corners, loose = target.corners, 0.035 if rng.random() < 0.8 else 0.07
        if known and rng.random() < CUT_CHANCE:
            pyramid, corners = cut_by_edge(pyramid, corners, rng)
    corners = corners + rng.normal(0, loose * unit, (4, 2))
    turn = int(rng.choice(4, p=[0.64, 0.06, 0.24, 0.06]))
    # Content turned clockwise by a quarter has its own top left at the crop's top right.
    crop = bent(straighten(pyramid, np.roll(corners, turn, 0).astype(np.float32)), rng)
    return as_if_small(recoloured(crop, rng), rng), turn if known else UNKNOWN


def corner_example(pyramid: Pyramid, target: Target, rng: np.random.Generator) -> Example:
    """A crop around a tile, cut as a locator's box would have it and turned at random, and the corners in it."""
    corners, box = target.corners, target.box
    if rng.random() < CUT_CHANCE:
        pyramid, corners = cut_by_edge(pyramid, corners, rng)
        box = None
    loose = 0.02
    if box is None or rng.random() < 0.3:
        box, loose = _bounds(corners, pyramid), LOOSE_BOX
    return _example(pyramid, corners, _turned_square(box + rng.normal(0, loose, 4) * (box[2:] - box[:2]).max(), rng), rng)


def outline_example(pyramid: Pyramid, target: Target, rng: np.random.Generator) -> Example:
    """A crop around a tile, straightened by an estimate of its outline, and the corners in it.

    Half of the estimates are those of a reader's first look, where it has had one; the others are off at random, as a whole,
    by each corner, and some by a whole side.
    """
    corners, estimate = target.corners, target.outlined
    if rng.random() < CUT_CHANCE:
        pyramid, corners = cut_by_edge(pyramid, corners, rng)
        estimate = None
    unit = np.sqrt(cv2.contourArea(corners))
    if estimate is None or rng.random() < 0.5:
        far = rng.uniform(0.2, 1)
        middle = corners.mean(0)
        estimate = middle + (corners - middle) @ (np.eye(2) + rng.normal(0, 0.06 * far, (2, 2))) + rng.normal(0, 0.05 * far * unit, 2)
        estimate = estimate + rng.normal(0, 0.05 * far * unit, (4, 2))
        if rng.random() < SLIP_CHANCE:
            estimate = _slipped(estimate, rng)
    else:
        estimate = estimate + rng.normal(0, 0.015 * unit, (4, 2))
    return _example(pyramid, corners, outline_frame(np.roll(estimate, int(rng.integers(4)), 0).astype(np.float32)), rng)


def _slipped(outline: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """An outline (4, 2) of which one side has slipped, into the tile or beyond it."""
    turn, share = int(rng.integers(4)), rng.uniform(-DEEPEST_SLIP, FARTHEST_SLIP)
    a, b, c, d = np.roll(outline, turn, 0)
    return np.roll([a + share * (a - d), b + share * (b - c), c, d], -turn, 0)


def _example(pyramid: Pyramid, corners: Corners, frame: Corners, rng: np.random.Generator) -> Example:
    """What is in a frame (4, 2), and the corners (4, 2) of the picture as they lie in it."""
    wanted = cv2.perspectiveTransform(corners[:, None], np.linalg.inv(frame_matrix(frame)))[:, 0]
    return shaded(recoloured(corner_crop(pyramid, frame), rng), rng), wanted.astype(np.float32).ravel()


def _turned_square(box: NDArray[np.floating[Any]], rng: np.random.Generator) -> Corners:
    """The square in which corners are looked for around a box, turned by any angle or by quarter turns."""
    square = corner_square(box.astype(np.float32))
    middle, half = square.mean(0), (square[1, 0] - square[0, 0]) / 2 * rng.uniform(0.9, 1.1)
    angle = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.integers(4) * np.pi / 2
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    unit = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    return np.asarray(middle + half * unit @ turn.T, np.float32)
