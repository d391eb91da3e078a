"""Whether a live picture may be judged: black, frozen and torn ones are no use to anybody."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.straighten import Picture
from vision.trouble import Trouble

BLACK = 20
"""A picture is black if 99 of 100 pixels are darker, 0 to 255."""
FROZEN_AFTER = 2.0
"""Seconds after which a live picture that never changes, not even in its noise, is a camera that has stopped. A phone's app may
send one picture twice, and a still scene drawn by a computer stays readable for as long as it takes to read it."""
TORN_PART, TORN_TEXTURE = 1 / 16, 6.0
"""A picture is torn if at least this share of it, at the bottom, is what a decoder fills in, or is the last picture's to the
bit where that has more contrast (standard deviation) than this."""
MOST_TORN = 2
"""If more pictures in a row look as if they held a part of the last one, the source has no noise and always looks so."""
FILLED_IN = ((128, 128, 128), (0, 135, 0), (0, 154, 0))
"""What decoders leave where data are missing, BGR: grey, and the green that empty planes of YUV come to."""

Rows = NDArray[np.bool_]


def is_black(picture: Picture) -> bool:
    """Whether nothing can be seen in a picture."""
    return bool(np.percentile(picture[::8, ::8], 99) < BLACK)


class Fitness:
    """Judges the frames of one live source, in order."""

    def __init__(self) -> None:
        self._last: Picture | None = None
        self._changed = 0.0
        self._torn = 0

    def trouble(self, picture: Picture, time: float) -> Trouble | None:
        """Why a picture, taken at `time` in seconds, must not be judged; None for one that may."""
        same = self._rows_as_before(picture)
        self._last = picture
        if not same.all():
            self._changed = time
        if is_black(picture):
            return Trouble.BLACK
        if time - self._changed > FROZEN_AFTER:
            return Trouble.FROZEN
        if self._is_torn(picture, same):
            return Trouble.TORN
        return None

    def _rows_as_before(self, picture: Picture) -> Rows:
        """(height,) which rows are to the bit those of the last picture."""
        if self._last is None or self._last.shape != picture.shape:
            return np.zeros(len(picture), bool)
        return np.asarray((picture[:, ::8] == self._last[:, ::8]).all((1, 2)))

    def _is_torn(self, picture: Picture, same: Rows) -> bool:
        """Whether the bottom of the picture is not its own."""
        least = int(len(picture) * TORN_PART)
        bottom = picture[-least:, ::8].astype(np.int16)
        if any(np.abs(bottom - np.array(colour)).max() <= 2 for colour in FILLED_IN):
            return True
        if same.all():
            return False
        old = bool(same[-least:].all()) and float(bottom.std(axis=(0, 1)).max()) > TORN_TEXTURE
        self._torn = self._torn + 1 if old else 0
        return old and self._torn <= MOST_TORN
