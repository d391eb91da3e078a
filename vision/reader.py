"""TileReader: the whole way from a picture to a reading in one call."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from vision.classify import Classifier
from vision.locate import Locator
from vision.profile import Profile
from vision.reading import Reading
from vision.sight import Sight, tell
from vision.straighten import Picture, Pyramid
from vision.weights import MODELS

MOST_TILES = 120
"""More outlines than this are no table of one set: the least certain are dropped."""
LIGHT_LEVEL = 3
"""Brightness is taken from the picture halved so many times."""


class TileReader:
    """Reads tiles from pictures; made once, used often. Not safe to share between threads that read at once.

    Attributes:
        classifier: to which the profile of a taught set is fitted.

    >>> str(TileReader().read(np.zeros((480, 640, 3), np.uint8)).warnings[0])
    'no tiles were found: take the photo from closer, with the whole rack in the picture'
    """

    def __init__(self, folder: Path = MODELS) -> None:
        """Loads the weights from `folder`. Raises FileNotFoundError when they are missing."""
        self._locator = Locator(folder)
        self.classifier = Classifier(folder)

    def read(self, picture: Picture, photo: str = "", profile: Profile | None = None) -> Reading:
        """Everything that can be read from a picture.

        Args:
            picture: uint8 BGR (height, width, 3), upright.
            photo: the picture's name, to stand in the reading.
            profile: of the set in the picture, if it was taught.
        """
        return tell(self.look(picture, profile), photo).reading

    def look(self, picture: Picture, profile: Profile | None = None) -> Sight:
        """What is seen in a picture, undecided: `vision.settle` sums it over the frames of a video.

        Args:
            picture: uint8 BGR (height, width, 3), upright.
            profile: of the set in the picture, if it was taught.
        """
        begun = time.perf_counter()
        pyramid = Pyramid(picture)
        found, scores = self._locator.find(pyramid)
        located = time.perf_counter()
        seen = self.classifier.classify(pyramid, found[:MOST_TILES], profile)
        ms = {"detect": 1000 * (located - begun), "classify": 1000 * (time.perf_counter() - located)}
        light = float(np.mean(pyramid.level(LIGHT_LEVEL))) / 255
        size = (picture.shape[1], picture.shape[0])
        return Sight(size, seen.corners, seen.number, seen.colour, seen.ink, scores[:MOST_TILES], light, ms)
