"""In what light a picture was taken: the dark is brightened, and what has no colours is told."""

from __future__ import annotations

import cv2
import numpy as np

from vision.decode import Chances
from vision.straighten import Picture, Pyramid

LIGHT_STEP = 8
"""Brightness is told by one pixel of so many, across and down."""
BRIGHT, TOO_DARK, AS_BRIGHT_AS, DARKEST = 0.995, 96, 160, 8
"""A picture in which this share of all pixels is darker than TOO_DARK, of 255, is brightened until they reach AS_BRIGHT_AS: the
networks have learnt from dim pictures, not from those of a tenth of the light. What is darker than DARKEST is noise."""
LACKING = 30
"""Light in which a channel is darker than this even so has hardly any of its colour, as that of a red lamp: the channel is brightened
until it reaches TOO_DARK. Of 397 tiles in red light 379 are right so, 165 without."""
MOST_TINGE = 2
"""Channels that nowhere differ by more, of 255, are those of a picture in shades of grey: every sensor's noise has more colour."""
FEWEST_INKS, MOST_INKS, LEAST_INK = 3, 0.75, 0.12
"""Inks of which the second share, of at least so many, has channels that differ by less than the third, the face being 1, may all be
grey. They are in a picture without colours but for what is printed into it, or of one tint, or of noise, see below."""
AVERAGED, AS_BRIGHT, MOST_SQUARES, MOST_DIFFERENCE = 3, 16, 0.98, 12
"""In squares of so many halvings the sensor's noise is none. Of those in each of so many parts, the darkest to the brightest, this
share differs by no more, of 255, from the others of their part where a picture is of one tint."""


def average_light(picture: Picture) -> float:
    """Mean brightness, 0 to 1, of a picture, uint8 BGR (height, width, 3)."""
    return float(np.mean(picture[::LIGHT_STEP, ::LIGHT_STEP])) / 255


def brightened(picture: Picture) -> Picture:
    """A picture, uint8 BGR (height, width, 3), as it is or, if it cannot be read so, as more light, and whiter, would have made it."""
    channels = np.quantile(picture[::LIGHT_STEP, ::LIGHT_STEP].reshape(-1, 3), BRIGHT, axis=0)
    brightest = max(float(channels.max()), DARKEST)
    gain = np.full(3, AS_BRIGHT_AS / brightest if brightest < TOO_DARK else 1.0)
    gain = np.where(channels * gain < LACKING, TOO_DARK / np.maximum(channels, DARKEST / 2), gain)
    if (gain == 1).all():
        return picture
    return np.asarray(cv2.transform(picture, np.diag(gain)), np.uint8)


def is_colourless(pyramid: Pyramid, inks: Chances) -> bool:
    """Whether a picture is in shades of grey, or of one tint: by a camera for the night, an old scanner, or made to look old.

    Args:
        pyramid: of the picture, uint8 BGR.
        inks: of the tiles (N, 3) whose numbers are read, the face being 1.
    """
    if len(inks) < FEWEST_INKS:
        seen = pyramid.level(0)[::LIGHT_STEP, ::LIGHT_STEP]
        return bool((seen.max(2) - seen.min(2)).max(initial=0) <= MOST_TINGE)
    if np.quantile(np.ptp(inks, axis=1), MOST_INKS) >= LEAST_INK:
        return False
    squares = pyramid.level(AVERAGED).reshape(-1, 3).astype(np.float32)
    tinge = (squares[:, [0, 2]] - squares[:, 1:2])[squares.sum(1).argsort()]
    away = [np.abs(part - np.median(part, axis=0)).max(1) for part in np.array_split(tinge, AS_BRIGHT) if len(part)]
    return bool(np.quantile(np.concatenate(away), MOST_SQUARES) <= MOST_DIFFERENCE)
