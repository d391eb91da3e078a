"""Where the tiles are: boxes from the locator, then the four corners of each from two small networks, one after the other."""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from onnxruntime import InferenceSession

from vision.outlines import areas, at_edge, in_all_orders, in_order_of
from vision.straighten import Corners, Picture, Pyramid
from vision.weights import MODELS, open_network

LOOKS = 3
"""How often corners are looked for at most: once in a box's surroundings, then within an estimated outline's, twice. In scenes for tuning
they are off by 2.96% of a tile's shorter side, 3.14% without the last."""
HARDLY_MOVED = 0.05
"""An outline of which a look moved no corner by more than this share of its shortest side is looked for no more. That spares two thirds of
the last looks at photos to learn from, a fifth of those at scenes for tuning; corners are off by as much, and as many tiles are right."""
LEAST_FILLED, EDGE = 0.72, 3
"""An outline whose bounds share less than this with the locator's box is stretched to it, unless the box is within so
many pixels of the picture's edge."""

Boxes = NDArray[np.float32]

FIRST_LOOK = 640
"""The picture's longer side, in pixels, as the locator sees it first; tiles of 25 to 150 pixels are found best."""
SMALL, WELL_SEEN, LARGEST_LOOK = 22, 28, 1024
"""If a quarter of the tiles is smaller than SMALL pixels, or none is found, in a large photo none surely, the locator looks again at a
size where they have WELL_SEEN pixels, but never at one larger than LARGEST_LOOK."""
LARGE_PHOTO = 1600
"""A photo is large if its longer side has more pixels."""
SMALL_TILES_LOOK = 832
"""In a large photo the few tiles that lie far behind many near ones are looked for where its longer side has so many pixels: of 108 such
tiles in photos to learn from put together 103 are found, 82 without."""
SURELY_SMALL, COVERED = 0.3, 0.3
"""They are those that score more than the first, and share less than the second, of the smaller box, with any other."""
SURELY_A_TILE, MAYBE_A_TILE = 0.4, 0.25
"""What the locator scores more is one, or may be."""
LEAST_ON_A_RACK, MOSTLY = 3, 0.8
"""A rack that is small in a large photo is looked at by itself: of what is surely a tile, or else of what may be, at least so many, and
this share, are smaller than SMALL pixels. On a canvas of 8 times their size 186 of 186 tiles of photos to learn from are read so, 128
without; by what may be a tile 123 of 124 of five more of these photos, 20 without."""
AROUND = 4
"""So much more of the photo is seen around that rack, in its tiles' sides."""
MOST_OF_AREA, MOST_OF_SIDE = 0.5, 0.8
"""It is not small if that is more than these shares of the photo's area and longer side."""
FAR_LOOKS, LARGE = ((192, 0.7), (128, 0.6)), 60
"""A tile that fills much of the picture is seen from farther away, where the longer side has the first number of pixels: there, boxes
longer than LARGE pixels that score more than the second may be tiles. Whether they are, or the tiles and digits within them,
shows when all are read: a block of small tiles looks like one large tile from there. Of 527 tiles in close-ups of scenes for tuning
480 are read rightly so, 457 with the first alone."""
MANY, FAR_SMALLER = 8, 2
"""No tile fills much of a picture in which so many are surely seen that would be so many times smaller than it: tiles are of one size.
In 730 scenes for tuning, 206 photos and 334 close-ups of photos to learn from no box is another for not looking for it."""
NOTHING = 114
"""How bright the locator sees, in all channels, where there is no picture."""
STRIDES, BINS = (8, 16, 32), 16
"""The locator's grids have a cell every so many pixels, and it says how far a side of a tile is from a cell's middle by the chances
of so many distances: 0, 1, 2 … of these strides."""
LEAST_SCORE = 0.15
"""Boxes that the locator scores lower are dropped; false alarms that remain are the classifier's to refuse."""
MOST_OVERLAP = 0.6
"""Two boxes that share more of their union than this are one tile."""
MOST_COVERED = 0.5
"""Two outlines of which one covers more of the other than this are one tile."""
PIECE_AREA, PIECE_COVERED = 0.2, 0.3
"""One of less than the first share of a surer one's area, of which that covers more than the second, is a piece of it: of tiles that touch
none looks so much smaller."""
LEAST_AREA = 16
"""Outlines of fewer square pixels are none."""
PART_INSIDE, PART_AREA, PART_SCORE = 0.85, 0.5, 0.7
"""A box of which more than the first share lies in another is a part of that tile, if it has more than the second share
of its area and does not outdo its score by the third, or scores less than the third of it: two tiles seen as one are
each smaller, and as sure."""
NEIGHBOURS = 3
"""By so many of the nearest whole tiles it is told how much of a tile the picture's edge leaves."""
CORNER_SIZE = 80
"""Side of the square crop in which corners are found, in pixels."""
CORNER_REACH, OUTLINE_REACH = 1.5, 1.3
"""Side of that square in the picture, as a multiple of the box's longer side, and of the estimated outline's sides."""
OTHER_SQUARES = ((1.95, 0), (2.25, 0), (1.5, 30), (1.9, 45), (1.3, 0), (1.5, -30))
"""Reach and turn, in degrees, of the squares in which the corners of tiles are looked for that could not be read: on scenes
rendered for tuning these six of 21 brought the most."""


def corner_square(box: NDArray[np.float32], reach: float = CORNER_REACH, turn: float = 0) -> Corners:
    """The square around a box (left, top, right, bottom) in which corners are looked for, corners (4, 2) in pixels.

    Args:
        reach: its side, as a multiple of the box's longer side.
        turn: in degrees, clockwise.
    """
    middle = (box[:2] + box[2:]) / 2
    across = reach * max(box[2] - box[0], box[3] - box[1]) / 2 * np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
    down = np.array([-across[1], across[0]])
    return (middle + np.array([-across - down, across - down, across + down, down - across])).astype(np.float32)


def shares_left(corners: Corners, size: tuple[int, int]) -> NDArray[np.float32]:
    """How much (N,) of each tile is in a picture of `size`, by the area of the nearest whole ones; 1 where too few are whole.

    Args:
        corners: outlines (N, 4, 2) in pixels.
    """
    cut = at_edge(corners, size, EDGE).any(1)
    left, whole = np.ones(len(corners), np.float32), np.flatnonzero(~cut)
    if len(whole) < NEIGHBOURS:
        return left
    area, middles = areas(np.clip(corners, 0, size)), corners.mean(1)
    for i in np.flatnonzero(cut):
        nearest = np.argsort(np.linalg.norm(middles[whole] - middles[i], axis=1))[:NEIGHBOURS]
        left[i] = area[i] / max(float(np.median(area[whole[nearest]])), 1.0)
    return left


def halves_of(quad: Corners) -> Corners:
    """The halves (4, 4, 2) of an outline (4, 2): two beside each other one way, then two the other way."""
    parts = []
    for turn in (0, 1):
        a, b, c, d = np.roll(quad, -turn, 0)
        parts += [np.stack([a, (a + b) / 2, (c + d) / 2, d]), np.stack([(a + b) / 2, b, c, (c + d) / 2])]
    return np.stack(parts).astype(np.float32)


def outline_frame(quad: Corners) -> Corners:
    """An estimated outline (4, 2) enlarged about its middle: in its crop the tile is upright and its corners easy to see."""
    middle = quad.mean(0)
    return np.asarray(middle + OUTLINE_REACH * (quad - middle), np.float32)


def corner_crop(pyramid: Pyramid, frame: Corners) -> Picture:
    """The contents of `frame` (4, 2) as input picture of both networks that find corners, uint8 (80, 80, 3)."""
    side = CORNER_SIZE
    target = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
    return pyramid.warp(frame, target, (side, side))


def frame_matrix(frame: Corners) -> NDArray[np.float64]:
    """(3, 3) homography from the crop, its sides at -1 and 1, to the picture."""
    unit = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(unit, frame.astype(np.float32)))


def corner_input(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Crops (N, 80, 80, 3) as network input (N, 3, 80, 80), -1 to 1."""
    return np.ascontiguousarray(crops.astype(np.float32).transpose(0, 3, 1, 2) / 127.5 - 1)


def locator_input(pyramid: Pyramid, long_side: int) -> NDArray[np.float32]:
    """A picture shrunk, or enlarged, to `long_side` pixels as network input (1, 3, height, width), RGB, 0 to 1, grey up to whole cells."""
    height, width = pyramid.level(0).shape[:2]
    scale = long_side / max(height, width)
    small = (max(1, round(width * scale)), max(1, round(height * scale)))
    # Halving is quick; shrinking exactly by any other ratio takes as long as the network.
    halved = pyramid.level(max(0, int(np.log2(1 / scale))))
    padded = [-(-side // STRIDES[-1]) * STRIDES[-1] for side in small]
    canvas = np.full((padded[1], padded[0], 3), NOTHING, np.uint8)
    canvas[: small[1], : small[0]] = cv2.resize(halved, small, interpolation=cv2.INTER_LINEAR)
    channels = cv2.split(canvas)[::-1]
    inputs = np.empty((1, len(channels), *canvas.shape[:2]), np.float32)
    for channel, values in zip(channels, inputs[0], strict=True):
        np.multiply(channel, np.float32(1 / 255), out=values)
    return inputs


class Locator:
    """Finds the tiles of a picture.

    >>> Locator().find_boxes(Pyramid(np.zeros((480, 640, 3), np.uint8)))[0].shape
    (0, 4)
    """

    def __init__(self, folder: Path = MODELS, threads: int = 0) -> None:
        """Loads the weights from `folder`, to be run on `threads` cores (0: all). Raises WeightsError."""
        names = ("locator.int8", "corners.int8", "outlines.int8")
        self._boxes, self._corners, self._outlines = (open_network(name, folder, threads) for name in names)

    def find_boxes(self, pyramid: Pyramid) -> tuple[Boxes, NDArray[np.float32]]:
        """Boxes (N, 4) as left, top, right, bottom in pixels of a picture, uint8 BGR, and their scores (N,), best first."""
        boxes, scores = self._find(pyramid)
        picture = pyramid.level(0)
        part = _part_of_small_rack(boxes, scores, (picture.shape[1], picture.shape[0]))
        if part is None:
            return boxes, scores
        left, top, right, bottom = part
        closer, surer = self._find(Pyramid(np.ascontiguousarray(picture[top:bottom, left:right])))
        middle = (boxes[:, :2] + boxes[:, 2:]) / 2
        outside = ((middle < [left, top]) | (middle > [right, bottom])).any(1)
        boxes = np.concatenate([boxes[outside], closer + np.array([left, top, left, top], np.float32)])
        scores = np.concatenate([scores[outside], surer])
        order = np.argsort(-scores, kind="stable")
        return boxes[order], scores[order]

    def _find(self, pyramid: Pyramid) -> tuple[Boxes, NDArray[np.float32]]:
        """`find_boxes` of a picture seen as a whole: as it is, from closer where tiles are small, and from farther away."""
        boxes, scores = self._look(pyramid, FIRST_LOOK)
        longest = max(pyramid.level(0).shape[:2])
        sides = _sides(boxes) * FIRST_LOOK / longest
        unsure = longest > LARGE_PHOTO and not (scores > SURELY_A_TILE).any()
        smallest = 0.0 if unsure or not len(sides) else float(np.quantile(sides, 0.25))
        if smallest < SMALL:
            more, surer = self._look(pyramid, min(LARGEST_LOOK, round(FIRST_LOOK * WELL_SEEN / max(smallest, 1.0))))
            boxes, scores = np.concatenate([boxes, more]), np.concatenate([scores, surer])
        elif longest > LARGE_PHOTO:
            more, surer = self._look(pyramid, SMALL_TILES_LOOK)
            small = (_sides(more) * FIRST_LOOK / longest < SMALL) & (surer > SURELY_SMALL)
            more, surer = more[small], surer[small]
            smaller = np.minimum(_areas(more)[:, None], _areas(boxes))
            apart = (_shared(more, boxes) < COVERED * smaller).all(1)
            boxes, scores = np.concatenate([boxes, more[apart]]), np.concatenate([scores, surer[apart]])
        index = _without_repeats(boxes, scores)
        index = index[_without_parts(boxes[index], scores[index])]
        boxes, scores = boxes[index], scores[index]
        longer = _longer_sides(boxes)[scores > SURELY_A_TILE]
        for long_side, surely in FAR_LOOKS:
            large = LARGE * longest / long_side
            if (longer < large / FAR_SMALLER).sum() >= MANY:
                continue
            far, sure = self._look(pyramid, long_side)
            may_be = (_longer_sides(far) > large) & (sure > surely)
            boxes, scores = np.concatenate([boxes, far[may_be]]), np.concatenate([scores, sure[may_be]])
        index = _without_repeats(boxes, scores)
        return boxes[index], scores[index]

    def _look(self, pyramid: Pyramid, long_side: int) -> tuple[Boxes, NDArray[np.float32]]:
        """What the locator sees in the picture shrunk, or enlarged, to `long_side` pixels; many boxes for one tile."""
        inputs = locator_input(pyramid, long_side)
        sides, scores = self._boxes.run(["sides", "scores"], {"images": inputs})
        likely = np.flatnonzero(scores[0, 0] >= math.log(LEAST_SCORE / (1 - LEAST_SCORE)))
        enlarged = np.float32(max(pyramid.level(0).shape[:2]) / long_side)
        return boxes_from(sides[0], likely, (inputs.shape[3], inputs.shape[2])) * enlarged, 1 / (1 + np.exp(-scores[0, 0, likely]))

    def find_corners(self, pyramid: Pyramid, boxes: Boxes, looks: int | None = None, squares: list[Corners] | None = None) -> Corners:
        """Corners (N, 4, 2) in pixels of the tile in each box, clockwise, starting anywhere.

        They are looked for in the box's surroundings, then more exactly in a crop straightened by the first answer. A first
        answer that does not fill its box is stretched to it. Later ones stay as they are: they see the tile's edges better than the
        locator, whose boxes often take in the top side of a tile that is seen from above.

        Args:
            looks: how often they are looked for at most, LOOKS unless told.
            squares: where each is looked for first, `corner_square` unless told.
        """
        if not len(boxes):
            return np.zeros((0, 4, 2), np.float32)
        height, width = pyramid.level(0).shape[:2]
        frames = squares or [corner_square(box) for box in boxes]
        found = _corners_in(self._corners, pyramid, frames)
        found = _filling(found, boxes, (width, height))
        moving = np.arange(len(found))
        for _ in range(1, looks or LOOKS):
            before = found[moving]
            found[moving] = _corners_in(self._outlines, pyramid, [outline_frame(quad) for quad in before])
            moving = moving[_moved(before, found[moving]) > HARDLY_MOVED]
            if not len(moving):
                break
        return found

    def refine(self, pyramid: Pyramid, estimates: Corners) -> Corners:
        """Corners (N, 4, 2) in pixels of the tiles whose outlines `estimates` (N, 4, 2), N > 0, are, in the order of these."""
        return in_order_of(_corners_in(self._outlines, pyramid, [outline_frame(quad) for quad in estimates]), estimates)


def _corners_in(network: InferenceSession, pyramid: Pyramid, frames: list[Corners]) -> Corners:
    """Corners (N, 4, 2) in pixels of the tile in the middle of each frame."""
    crops = np.stack([corner_crop(pyramid, frame) for frame in frames])
    found = network.run(["corners"], {"crops": corner_input(crops)})[0]
    seen = found.reshape(-1, 4, 1, 2)
    return np.stack([cv2.perspectiveTransform(quad, frame_matrix(frame))[:, 0] for quad, frame in zip(seen, frames, strict=True)])


def _moved(before: Corners, after: Corners) -> NDArray[np.float32]:
    """How far the corners of outlines (N, 4, 2) have come at most, (N,), as a share of the shortest side, whichever corner is the first."""
    away = np.linalg.norm(in_all_orders(before) - after[:, None], axis=3).max(2).min(1)
    shortest = np.linalg.norm(np.roll(after, 1, 1) - after, axis=2).min(1)
    return np.asarray(away / np.maximum(shortest, 1e-6))


def boxes_from(sides: NDArray[np.float32], cells: NDArray[np.int64], size: tuple[int, int]) -> Boxes:
    """Boxes (M, 4) in pixels of the locator's input, of `size`, from what it says of some cells of its grids.

    Each distance is the mean of those there are, by their chances (Li et al., "Generalized Focal Loss", NeurIPS 2020).

    Args:
        sides: scores of distances to the left, top, right and bottom side, (4 x BINS, N) for all cells, grid by grid, row by row.
        cells: indices (M,) of those that boxes are wanted of.
    """
    of_these = sides[:, cells].reshape(4, BINS, -1)
    raised = np.exp(of_these - of_these.max(1, keepdims=True))
    away = np.arange(BINS, dtype=np.float32) @ (raised / raised.sum(1, keepdims=True))
    middle, stride = (each[cells] for each in _grid_cells(size))
    return np.hstack([middle - away[:2].T * stride, middle + away[2:].T * stride])


@lru_cache(maxsize=32)
def _grid_cells(size: tuple[int, int]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Middles (N, 2) in pixels of the cells of the locator's grids over an input of `size`, and how far apart (N, 1) these are."""
    grids = [np.stack(np.meshgrid(np.arange(0.5, size[0] / s), np.arange(0.5, size[1] / s)), -1).reshape(-1, 2) for s in STRIDES]
    stride = np.repeat(STRIDES, [len(grid) for grid in grids])[:, None].astype(np.float32)
    return (np.concatenate(grids) * stride).astype(np.float32), stride


def _without_repeats(boxes: Boxes, scores: NDArray[np.float32]) -> NDArray[np.int64]:
    """Indices of the boxes (N, 4), best score first, without those that are a better one over again."""
    corner_and_size = np.hstack([boxes[:, :2], boxes[:, 2:] - boxes[:, :2]])
    return np.asarray(cv2.dnn.NMSBoxes(corner_and_size.tolist(), scores.tolist(), LEAST_SCORE, MOST_OVERLAP), np.int64).reshape(-1)


def _part_of_small_rack(boxes: Boxes, scores: NDArray[np.float32], size: tuple[int, int]) -> tuple[int, int, int, int] | None:
    """Left, top, right and bottom of the part of a picture of `size` that a small rack is looked at in by itself; None where none is."""
    small = _sides(boxes) * FIRST_LOOK / max(size) < SMALL
    found = [scores > least for least in (SURELY_A_TILE, MAYBE_A_TILE)]
    if max(size) <= LARGE_PHOTO or not any((small & likely).sum() >= max(LEAST_ON_A_RACK, MOSTLY * likely.sum()) for likely in found):
        return None
    of_rack = boxes[small & (scores > MAYBE_A_TILE)]
    around = AROUND * float(np.median(_sides(of_rack)))
    left, top = (max(0, int(low - around)) for low in of_rack[:, :2].min(0))
    right, bottom = (min(most, int(high + around)) for high, most in zip(of_rack[:, 2:].max(0), size, strict=True))
    across, down = right - left, bottom - top
    if across * down > MOST_OF_AREA * size[0] * size[1] or max(across, down) > MOST_OF_SIDE * max(size):
        return None
    return left, top, right, bottom


def _longer_sides(boxes: Boxes) -> NDArray[np.float32]:
    """The longer sides (N,) of boxes (N, 4)."""
    return np.asarray((boxes[:, 2:] - boxes[:, :2]).max(1))


def _sides(boxes: Boxes) -> NDArray[np.float32]:
    """The shorter sides (N,) of boxes (N, 4)."""
    return np.asarray((boxes[:, 2:] - boxes[:, :2]).min(1))


def _areas(boxes: Boxes) -> NDArray[np.float32]:
    """The areas (N,) of boxes (N, 4), in square pixels."""
    return np.asarray((boxes[:, 2:] - boxes[:, :2]).prod(1))


def _shared(boxes: Boxes, others: Boxes) -> NDArray[np.float32]:
    """The areas (N, M), in square pixels, that boxes (N, 4) share with others (M, 4)."""
    low, high = np.maximum(boxes[:, None, :2], others[None, :, :2]), np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    return np.asarray(np.maximum(high - low, 0).prod(2))


def _without_parts(boxes: Boxes, scores: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which boxes (N, 4) are whole tiles: neither half of one in another box, nor its mark alone."""
    area = _areas(boxes)
    inside = _shared(boxes, boxes) > PART_INSIDE * area[:, None]
    smaller = area[:, None] < area[None]
    most_of_it = (area[:, None] > PART_AREA * area[None]) & (PART_SCORE * scores[:, None] < scores[None])
    far_less_sure = scores[:, None] < PART_SCORE * scores[None]
    return np.asarray(~(inside & smaller & (most_of_it | far_less_sure)).any(1))


def _filling(corners: Corners, boxes: Boxes, size: tuple[int, int]) -> Corners:
    """Outlines (N, 4, 2), each stretched to its box (N, 4) if the two disagree and the picture's edge does not cut the tile."""
    low, high = corners.min(1), corners.max(1)
    first, last = boxes[:, :2], boxes[:, 2:]
    inner, outer = np.minimum(high, last) - np.maximum(low, first), np.maximum(high, last) - np.minimum(low, first)
    shared = np.maximum(inner, 0).prod(1) / np.maximum(outer.prod(1), 1)
    inside = ((first > EDGE) & (last < np.array(size) - EDGE)).all(1)
    stretched = (shared <= LEAST_FILLED) & inside & ((high - low).min(1) >= 1)
    low, first, extent, side = (each[:, None] for each in (low, first, np.maximum(high - low, 1), last - first))
    return np.where(stretched[:, None, None], first + (corners - low) / extent * side, corners).astype(np.float32)


def without_doubles(corners: Corners, certainty: NDArray[np.floating[Any]]) -> NDArray[np.int64]:
    """Indices, in their order, of the outlines (N, 4, 2) that no surer one covers.

    Two boxes may lead to one tile's outline, or to an outline across two tiles: which is right shows when they are read.

    Args:
        corners: in pixels, clockwise.
        certainty: how surely (N,) each outline is read.
    """
    kept: list[int] = []
    area, middle = areas(corners), corners.mean(1)
    close = np.abs(middle[:, None] - middle[None]).max(2) < np.sqrt(np.maximum(area[:, None], area[None]))
    for i in np.argsort(-certainty, kind="stable"):
        if area[i] < LEAST_AREA or not cv2.isContourConvex(corners[i]):
            continue
        near = [j for j in kept if close[i, j]]
        covered = np.array([cv2.intersectConvexConvex(corners[i], corners[j])[0] for j in near]) / np.minimum(area[i], area[near])
        if (covered <= np.where(area[i] < PIECE_AREA * area[near], PIECE_COVERED, MOST_COVERED)).all():
            kept.append(int(i))
    return np.sort(np.array(kept, np.int64))
