"""Photos for the browser test, rendered: the page reads them with the shipped weights."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from assistant.tiles import Rack, Tile
from vision.workshop.sample import APART, SIZE, picture_of

WIN = "R1 R2 R3 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13"
FORTY = (
    "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 B13 / B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 Y13 / "
    "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y10 Y11 Y12 K13"
)


def green_for_blue(photo: bytes) -> bytes:
    """A photo with what is blue in it as green, as dark and as saturated as it was, as JPEG."""
    picture = cv2.imdecode(np.frombuffer(photo, np.uint8), cv2.IMREAD_COLOR)
    hue, saturation, value = cv2.split(cv2.cvtColor(picture, cv2.COLOR_BGR2HSV))
    hue[(hue > 95) & (hue < 130)] = 68  # OpenCV's hue is in steps of two degrees
    return cv2.imencode(".jpg", cv2.cvtColor(cv2.merge([hue, saturation, value]), cv2.COLOR_HSV2BGR))[1].tobytes()


@lru_cache(maxsize=16)
def photo_of(rack: str, indicator: str = "", form: str = ".jpg", apart: float = APART) -> bytes:
    """An encoded picture of a hand, its groups so many tile widths apart. Raises NoFontsError where the fonts are missing."""
    picture = picture_of(Rack.parse(rack), Tile.parse(indicator) if indicator else None, SIZE, apart)
    return cv2.imencode(form, picture)[1].tobytes()
