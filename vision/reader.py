"""TileReader: the whole way from a picture to a reading in one call."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.tiles import FACE_DOWN
from vision.classify import Classifier
from vision.decode import decode
from vision.layout import lay_out
from vision.locate import Locator
from vision.reading import Point, Reading, SeenTile
from vision.straighten import Picture, Pyramid
from vision.weights import MODELS

MOST_TILES = 120
"""More outlines than this are no table of one set: the least certain are dropped."""
LEAST_SCORE_FACE_DOWN = 0.65
"""What bears no mark is a tile lying face down only where the locator is as sure as this: boards between tiles and squares
of cloth look like one. The price is that
more than half of the tiles face down are passed over."""


class TileReader:
    """Reads tiles from pictures; made once, used often. Not safe to share between threads that read at once.

    >>> TileReader().read(np.zeros((480, 640, 3), np.uint8)).warnings
    ('no tiles were found: take the photo from closer, with the whole rack in the picture',)
    """

    def __init__(self, folder: Path = MODELS) -> None:
        """Loads the weights from `folder`. Raises FileNotFoundError when they are missing."""
        self._locator = Locator(folder)
        self._classifier = Classifier(folder)

    def read(self, picture: Picture, photo: str = "") -> Reading:
        """Everything that can be read from a picture.

        Args:
            picture: uint8 BGR (height, width, 3), upright.
            photo: the picture's name, to stand in the reading.
        """
        size = (picture.shape[1], picture.shape[0])
        begun = time.perf_counter()
        pyramid = Pyramid(picture)
        found, scores = self._locator.find(pyramid)
        located = time.perf_counter()
        seen = self._classifier.classify(pyramid, found[:MOST_TILES])
        classified = time.perf_counter()
        decoded = decode(seen.number, seen.colour, seen.ink)
        blank = np.array([guess == FACE_DOWN for guess in decoded.guesses], bool)
        kept = np.flatnonzero(np.array(decoded.is_tile, bool) & ~(blank & (scores[:MOST_TILES] < LEAST_SCORE_FACE_DOWN)))
        corners = seen.corners[kept]
        face_up = ~blank[kept]
        layout = lay_out(corners, face_up)
        warnings = list(decoded.warnings)
        if not len(kept):
            warnings.append("no tiles were found: take the photo from closer, with the whole rack in the picture")
        if layout.indicators:
            names = " or ".join(str(decoded.guesses[kept[i]]) for i in layout.indicators)
            warnings.append(f"which tile is the indicator is not clear: {names}; choose it by hand")
        tiles = tuple(
            SeenTile(
                tile=decoded.tiles[kept[i]],
                confidence=decoded.confidence[kept[i]],
                polygon=_polygon(corners[i], size),
                place=layout.place[i],
                row=layout.row[i],
                group=layout.group[i],
                guess=decoded.guesses[kept[i]],
            )
            for i in layout.order
        )
        ended = time.perf_counter()
        ms = {
            "detect": 1000 * (located - begun),
            "classify": 1000 * (classified - located),
            "decode": 1000 * (ended - classified),
            "total": 1000 * (ended - begun),
        }
        return Reading(size, tiles, tuple(warnings), ms, photo)


def _polygon(corners: NDArray[np.float32], size: tuple[int, int]) -> tuple[Point, Point, Point, Point]:
    """The part of the outline that is in the picture."""
    first, second, third, fourth = ((float(x), float(y)) for x, y in np.clip(corners, 0, size))
    return first, second, third, fourth
