"""What is on each tile: chances of number, colour and turn from a straightened crop."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.straighten import Corners, Pyramid, against_faces, face_colours, straighten
from vision.weights import MODELS, open_network

if TYPE_CHECKING:
    from vision.profile import Profile

Chances = NDArray[np.float32]

NUMBER_COLUMNS, FACE_COLUMNS = 13, 14
"""So many of the first columns of `Classified.number` are numbers, and faces: these and the false joker."""
FALSE_JOKER_COLUMN, FACE_DOWN_COLUMN, NO_TILE_COLUMN = 13, 14, 15
"""Those that follow the numbers."""
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
ONE_IN, EDGES = 12, (4, 3)
"""A tile's ink is seen in one of so many of its pixels. Of a crop at half its size so many rows and columns at each edge are left out,
where the tile may end."""
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
        ink, face: (N, 3), see `Classified`.
    """

    number: NDArray[np.float32]
    colour: NDArray[np.float32]
    turn: NDArray[np.float32]
    features: NDArray[np.float32]
    ink: NDArray[np.float32]
    face: NDArray[np.float32]


@dataclass(frozen=True)
class Classified:
    """Chances for N tiles, each row summing to 1, and the corners brought into each tile's own order.

    Attributes:
        corners: (N, 4, 2) in pixels, clockwise from the tile's own top left.
        number: (N, 16): 1 to 13, false joker, face down, not a tile.
        colour: (N, 4): red, black, blue, yellow; of no meaning for the last three numbers.
        ink: (N, 3) BGR colour of the darkest and most coloured part, the face around it being 1, see `ink_of`.
        face: (N, 3) BGR colour of the face, 0 to 255.
    """

    corners: Corners
    number: Chances
    colour: Chances
    ink: Chances
    face: NDArray[np.float32]

    def _parts(self) -> tuple[NDArray[np.float32], ...]:
        """The attributes, in their order."""
        return self.corners, self.number, self.colour, self.ink, self.face

    def taken(self, those: NDArray[np.int64] | NDArray[np.bool_]) -> Classified:
        """Some of the tiles, by their indices or a mask."""
        return Classified(*(part[those] for part in self._parts()))

    def replaced(self, those: NDArray[np.int64], others: Classified, weight: float = 1.0) -> Classified:
        """With others (M,) in place of `those` (M,); their chances weighed against what they were."""
        corners, number, colour, ink, face = (part.copy() for part in self._parts())
        corners[those], ink[those], face[those] = others.corners, others.ink, others.face
        number[those] = (1 - weight) * number[those] + weight * others.number
        colour[those] = (1 - weight) * colour[those] + weight * others.colour
        return Classified(corners, number, colour, ink, face)

    def with_more(self, others: Classified) -> Classified:
        """And others after these."""
        return Classified(*map(np.concatenate, zip(self._parts(), others._parts(), strict=True)))


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
        faces = face_colours(crops)
        inputs = against_faces(crops, faces)
        number, colour, turn, features = self._network.run(["number", "colour", "turn", FEATURES], {"crops": inputs})
        return Scores(number, colour, turn, features, ink_of(inputs), faces)

    def as_ordered(self, pyramid: Pyramid, corners: Corners, profile: Profile | None = None) -> tuple[Classified, Chances]:
        """Reads tiles as if `corners` (N, 4, 2), N > 0, began at each one's own top left; and the chances (N,) that they do."""
        seen, turn = self._look(pyramid, corners, profile)
        return seen, turn[:, 0]

    def _look(self, pyramid: Pyramid, corners: Corners, profile: Profile | None) -> tuple[Classified, Chances]:
        """As `as_ordered`, with the chances (N, 4) of all turns."""
        seen = self.scores(np.stack([straighten(pyramid, quad) for quad in corners]))
        if profile is not None:
            seen = profile.adjusted(seen)
        return Classified(corners, softmax(seen.number), softmax(seen.colour), seen.ink, seen.face), softmax(seen.turn)

    def classify(self, pyramid: Pyramid, corners: Corners, profile: Profile | None = None) -> Classified:
        """Reads the tiles at `corners` (N, 4, 2), clockwise, starting at any corner, with what was taught of their set if it is known.

        Each tile is first read with its shorter side as the top, then again as it was found to be turned; where the
        turn is not certain, the likelier of two is kept: 6 and 9 hang on it.
        """
        if not len(corners):
            none = np.zeros((0, 4), np.float32)
            return Classified(np.zeros((0, 4, 2), np.float32), np.zeros((0, 16), np.float32), none, none[:, :3], none[:, :3])
        seen, turn = self._look(pyramid, _short_sides_first(corners), profile)
        sides_first, upright = seen.corners, turn[:, 0].copy()
        for rank, way in enumerate(np.argsort(-turn, axis=1).T[:2]):
            again = np.flatnonzero((way != 0) & ((rank == 0) | (turn.max(1) < SURE_OF_TURN)))
            if len(again):
                turned = np.stack([np.roll(sides_first[i], -int(way[i]), 0) for i in again])
                found, likely = self.as_ordered(pyramid, turned, profile)
                better = likely > upright[again]
                seen = seen.replaced(again[better], found.taken(better))
                upright[again[better]] = likely[better]
        return self._stood_up(seen, upright, pyramid, profile)

    def _stood_up(self, seen: Classified, upright: Chances, pyramid: Pyramid, profile: Profile | None) -> Classified:
        """Every 6 and 9 is weighed against what it would be upside down, and so is a 4 or 7 if those beside it stand otherwise.

        Args:
            upright: the chances (N,) that the tiles of `seen` are.
        """
        first = seen.number.argmax(1)
        stands_otherwise = turns_by_neighbours(seen.corners, upright) < upright
        doubtful = np.flatnonzero(np.isin(first, TURNED_INTO_EACH_OTHER) | np.isin(first, LIKE_EACH_OTHER) & stands_otherwise)
        if not len(doubtful):
            return seen
        over, likely = self.as_ordered(pyramid, np.roll(seen.corners[doubtful], -2, 1), profile)
        other = over.number.argmax(1)
        kept = np.isin(first[doubtful], TURNED_INTO_EACH_OTHER) | np.isin(other, LIKE_EACH_OTHER) & (other != first[doubtful])
        doubtful, over, likely = doubtful[kept], over.taken(kept), likely[kept]
        upright[doubtful] /= np.maximum(upright[doubtful] + likely, 1e-6)
        settled = turns_by_neighbours(seen.corners, upright)[doubtful]
        number = seen.number.copy()
        number[doubtful] = settled[:, None] * number[doubtful] + (1 - settled[:, None]) * over.number
        turned = settled < 0.5
        return replace(seen.replaced(doubtful[turned], over.taken(turned)), number=number)


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
    log_odds = np.log(np.maximum(this_way, 1e-6) / np.maximum(1 - this_way, 1e-6)) + np.clip(votes, -MOST_VOTES, MOST_VOTES)
    return np.asarray(1 / (1 + np.exp(-log_odds)), np.float32)


def _short_sides_first(corners: Corners) -> Corners:
    """Outlines (N, 4, 2) rolled so that the first two corners of each bound a shorter side."""
    rolled = np.roll(corners, -1, 1)
    edges = np.linalg.norm(rolled - corners, axis=2)
    longer = edges[:, 0] + edges[:, 2] > edges[:, 1] + edges[:, 3]
    return np.where(longer[:, None, None], rolled, corners)


def ink_of(crops: NDArray[np.float32]) -> Chances:
    """Mean colour (N, 3) of that part of each crop (N, 3, H, W) which differs most from the face around it, that being 1, see ONE_IN.

    The face around a stroke, in the same light or shade, is what a morphological closing leaves of it.
    """
    seen = crops[:, :, ::2, ::2]
    by_pixel = np.ascontiguousarray(seen.transpose(0, 2, 3, 1))
    face = np.stack([cv2.morphologyEx(crop, cv2.MORPH_CLOSE, WIDER_THAN_STROKES) for crop in by_pixel]).transpose(0, 3, 1, 2)
    rows, columns = (slice(off, -off) for off in EDGES)
    pixels = (seen / np.maximum(face, LEAST_LIGHT))[:, :, rows, columns].reshape(len(crops), 3, -1)
    away = np.abs(1 - np.minimum(pixels, 1)).max(1)
    count = max(1, away.shape[1] // ONE_IN)
    chosen = np.argpartition(-away, count, axis=1)[:, None, :count]
    return np.asarray(np.take_along_axis(pixels, chosen, 2).mean(2), np.float32)
