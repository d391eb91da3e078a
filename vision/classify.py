"""What is on each tile: chances of number, colour and turn from a straightened crop."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.straighten import Corners, Pyramid, straighten, white_balanced
from vision.weights import MODELS, open_network

if TYPE_CHECKING:
    from vision.profile import Profile

Chances = NDArray[np.float32]

NUMBER_COLUMNS, FACE_COLUMNS = 13, 14
"""So many of the first columns of `Classified.number` are numbers, and faces: these and the false joker."""
FEATURES = "features"
"""The network's output of what its heads see of a tile (N, 192): tiles that look alike lie close together there."""
SURE_OF_TURN = 0.95
"""Below this chance of being upright a tile is also looked at in the other likely turn."""
TURNED_INTO_EACH_OTHER = (5, 8)
"""Numbers, counted from 0, that upside down are each other: 6 and 9."""
LIKE_EACH_OTHER = (3, 6)
"""Numbers that look like each other upside down in some sets: 4 and 7."""
NEIGHBOURS, PARALLEL = 4.0, 0.9
"""Tiles within so many of a tile's heights whose sides are parallel to its (cosine) tell which way is up."""
WIDER_THAN_STROKES = np.ones((11, 11), np.uint8)
"""Of a crop at half its size, in pixels."""
LEAST_LIGHT = 0.05
"""What a face in the dark is taken to be, the white of the crop being 1, so that noise is no ink."""
MOST_VOTES = 3.4
"""Neighbours that stand one way make it e to this times as likely that a tile does: one tile in thirty is upside down."""


@dataclass(frozen=True)
class Scores:
    """What the network says of N crops, before it is made chances of.

    Attributes:
        number: (N, 16), see `Classified`.
        colour: (N, 4).
        turn: (N, 4), by how many quarter turns clockwise the content is turned from upright.
        features: (N, 192), see FEATURES.
        ink: (N, 3), see `Classified`.
    """

    number: NDArray[np.float32]
    colour: NDArray[np.float32]
    turn: NDArray[np.float32]
    features: NDArray[np.float32]
    ink: NDArray[np.float32]


@dataclass(frozen=True)
class Classified:
    """Chances for N tiles, each row summing to 1, and the corners brought into each tile's own order.

    Attributes:
        corners: (N, 4, 2) in pixels, clockwise from the tile's own top left.
        number: (N, 16): 1 to 13, false joker, face down, not a tile.
        colour: (N, 4): red, black, blue, yellow; of no meaning for the last three numbers.
        ink: (N, 3) BGR colour of the darkest and most coloured part, the face around it being 1.
    """

    corners: Corners
    number: Chances
    colour: Chances
    ink: Chances


def softmax(scores: NDArray[np.float32]) -> Chances:
    """Chances from scores, row by row."""
    raised = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(raised / raised.sum(1, keepdims=True), np.float32)


class Classifier:
    """Reads straightened tiles."""

    def __init__(self, folder: Path = MODELS) -> None:
        """Loads the weights from `folder`. Raises WeightsError."""
        self._network = open_network("tiles.int8", folder)

    def scores(self, crops: NDArray[np.uint8]) -> Scores:
        """What the network says of straightened tiles (N, 96, 64, 3)."""
        inputs = white_balanced(crops)
        number, colour, turn, features = self._network.run(["number", "colour", "turn", FEATURES], {"crops": inputs})
        return Scores(number, colour, turn, features, ink_of(inputs))

    def _look(self, pyramid: Pyramid, corners: Corners, profile: Profile | None) -> tuple[Chances, Chances, Chances, Chances]:
        """Chances of number, colour and turn, and the ink, for corners (N, 4, 2) as they are ordered."""
        seen = self.scores(np.stack([straighten(pyramid, quad) for quad in corners]))
        if profile is not None:
            seen = profile.adjusted(seen)
        return softmax(seen.number), softmax(seen.colour), softmax(seen.turn), seen.ink

    def as_ordered(self, pyramid: Pyramid, corners: Corners, profile: Profile | None = None) -> tuple[Classified, Chances]:
        """What the tiles at `corners` (N, 4, 2), N > 0, show if each stands as they are ordered, and the chances (N,) that it does."""
        number, colour, turn, ink = self._look(pyramid, corners, profile)
        return Classified(corners, number, colour, ink), turn[:, 0]

    def classify(self, pyramid: Pyramid, corners: Corners, profile: Profile | None = None) -> Classified:
        """Reads the tiles at `corners` (N, 4, 2), clockwise, starting at any corner, with what was taught of their set if it is known.

        Each tile is first read with its shorter side as the top, then again as it was found to be turned; where the
        turn is not certain, the likelier of two is kept: 6 and 9 hang on it.
        """
        if not len(corners):
            none = np.zeros((0, 4), np.float32)
            return Classified(np.zeros((0, 4, 2), np.float32), np.zeros((0, 16), np.float32), none, none[:, :3])
        corners = _short_sides_first(corners)
        number, colour, turn, ink = self._look(pyramid, corners, profile)
        upright = turn[:, 0].copy()
        ranked = np.argsort(-turn, axis=1)
        for rank in (0, 1):
            again = [
                i for i in range(len(corners))
                if ranked[i, rank] != 0 and (rank == 0 or turn[i].max() < SURE_OF_TURN)
            ]  # fmt: skip
            if not again:
                continue
            turned = np.stack([np.roll(corners[i], -int(ranked[i, rank]), 0) for i in again])
            found = self._look(pyramid, turned, profile)
            for j, i in enumerate(again):
                if found[2][j, 0] > upright[i]:
                    corners[i], upright[i] = turned[j], found[2][j, 0]
                    number[i], colour[i], ink[i] = found[0][j], found[1][j], found[3][j]
        # Every 6 and 9 is weighed against what it would be upside down, and so is a 4 or 7 if those beside it stand otherwise.
        first = number.argmax(1)
        stands_otherwise = turns_by_neighbours(corners, upright) < upright
        doubtful = np.flatnonzero(np.isin(first, TURNED_INTO_EACH_OTHER) | np.isin(first, LIKE_EACH_OTHER) & stands_otherwise)
        if len(doubtful):
            found = self._look(pyramid, np.roll(corners[doubtful], -2, 1), profile)
            other = found[0].argmax(1)
            kept = np.isin(first[doubtful], TURNED_INTO_EACH_OTHER) | np.isin(other, LIKE_EACH_OTHER) & (other != first[doubtful])
            doubtful, found = doubtful[kept], tuple(part[kept] for part in found)
            upright[doubtful] /= np.maximum(upright[doubtful] + found[2][:, 0], 1e-6)
            settled = turns_by_neighbours(corners, upright)[doubtful, None]
            number[doubtful] = settled * number[doubtful] + (1 - settled) * found[0]
            turned = settled[:, 0] < 0.5
            corners[doubtful[turned]] = np.roll(corners[doubtful[turned]], -2, 1)
            colour[doubtful[turned]], ink[doubtful[turned]] = found[1][turned], found[3][turned]
        return Classified(corners, number, colour, ink)


def turns_by_neighbours(corners: Corners, this_way: Chances) -> Chances:
    """Chances (N,) that tiles stand as their corners say and not upside down, their neighbours considered.

    Tiles beside each other, on a rack or in a group, nearly always stand the same way.

    Args:
        corners: (N, 4, 2) in pixels.
        this_way: (N,) the same chances for each tile by itself.
    """
    up = (corners[:, 0] + corners[:, 1] - corners[:, 2] - corners[:, 3]) / 2
    height = np.linalg.norm(up, axis=1)
    along = (up @ up.T) / np.maximum(height[:, None] * height[None], 1e-6)
    away = np.linalg.norm(corners.mean(1)[:, None] - corners.mean(1)[None], axis=2)
    near = (away < NEIGHBOURS * height[:, None]) & (np.abs(along) > PARALLEL) & ~np.eye(len(corners), dtype=bool)
    votes = (near * along * (2 * this_way - 1)[None]).sum(1)
    odds = np.log(np.maximum(this_way, 1e-6) / np.maximum(1 - this_way, 1e-6)) + np.clip(votes, -MOST_VOTES, MOST_VOTES)
    return np.asarray(1 / (1 + np.exp(-odds)), np.float32)


def _short_sides_first(corners: Corners) -> Corners:
    """Outlines (N, 4, 2) rolled so that the first two corners of each bound a shorter side."""
    rolled = np.roll(corners, -1, 1)
    edges = np.linalg.norm(rolled - corners, axis=2)
    longer = edges[:, 0] + edges[:, 2] > edges[:, 1] + edges[:, 3]
    return np.where(longer[:, None, None], rolled, corners)


def ink_of(crops: NDArray[np.float32]) -> Chances:
    """Mean colour (N, 3) of the twelfth of each crop (N, 3, H, W) that differs most from the face around it, that being 1.

    The face around a stroke, in the same light or shade, is what a morphological closing leaves of it.
    """
    seen = crops[:, :, ::2, ::2]
    by_pixel = np.ascontiguousarray(seen.transpose(0, 2, 3, 1))
    face = np.stack([cv2.morphologyEx(crop, cv2.MORPH_CLOSE, WIDER_THAN_STROKES) for crop in by_pixel]).transpose(0, 3, 1, 2)
    pixels = (seen / np.maximum(face, LEAST_LIGHT))[:, :, 4:-4, 3:-3].reshape(len(crops), 3, -1)
    away = np.abs(1 - np.minimum(pixels, 1)).max(1)
    count = max(1, away.shape[1] // 12)
    chosen = np.argpartition(-away, count, axis=1)[:, None, :count]
    return np.asarray(np.take_along_axis(pixels, chosen, 2).mean(2), np.float32)
