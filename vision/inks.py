"""The inks of a set as they are. A set may have green in place of blue or yellow, and is then read as having these."""

from __future__ import annotations

import colorsys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.tiles import COLOURS, Colour

Ink = tuple[float, float, float]
"""Red, green and blue from 0 to 1, the tile's face being white."""
GREEN_HUES = {Colour.BLUE: (70.0, 165.0), Colour.YELLOW: (70.0, 200.0)}
"""Degrees between which the ink of what is read as each is green. On photos of real tiles yellow lies at 20 to 39 and blue, cyan included,
at 186 to 225; what stands for yellow beside such a blue may be bluish green."""
LEAST_SATURATION = 0.25
"""An ink with less, from 0 to 1, is too dark or too faint to have a hue."""


def inks_of(colours: Sequence[Colour | None], ink: NDArray[np.floating[Any]]) -> dict[Colour, Ink]:
    """The middle ink of every colour that there is, channel by channel.

    Args:
        colours: of N tiles; None for one without a colour, which is left out.
        ink: measured inks (N, 3) BGR, the tile's face being 1.
    """
    found = {}
    for colour in COLOURS:
        of_colour = [i for i, other in enumerate(colours) if other is colour]
        if of_colour:
            blue, green, red = np.clip(np.median(ink[of_colour], axis=0), 0, 1)
            found[colour] = (float(red), float(green), float(blue))
    return found


def green_among(inks: Mapping[Colour, Ink]) -> frozenset[Colour]:
    """Which of blue and yellow is green in this set, if one is: that both are can only be the light."""
    green = frozenset(colour for colour, hues in GREEN_HUES.items() if colour in inks and _has_hue(inks[colour], hues))
    return green if len(green) == 1 else frozenset()


def _has_hue(ink: Ink, between: tuple[float, float]) -> bool:
    hue, saturation, _ = colorsys.rgb_to_hsv(*ink)
    return between[0] < 360 * hue < between[1] and saturation >= LEAST_SATURATION
