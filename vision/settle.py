"""Readings of consecutive frames summed to one that holds.

Tiles are followed by where they lie: the movement between two frames is the similarity on which most tiles agree, in place and in face.
Each tile's chances are averaged over its frames, older ones fading, and all are decoded together again, so that
what is told is what one set can hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from vision.reading import Reading
from vision.sight import Sight


class State(Enum):
    """How far a video is from a reading that holds."""

    EMPTY = "empty"
    MOVING = "moving"
    SETTLING = "settling"
    SETTLED = "settled"


class Hint(Enum):
    """What the user can do for a better reading: whole sentences, so that they can be translated as they are."""

    NOTHING = "No tiles are seen: point the camera at the rack."
    CLOSER = "Come closer: the tiles are too small to be read well."
    LIGHT = "More light: the picture is too dark."
    STILL = "Hold still: the picture moves."
    LEFT = "The left end is cut off: show the whole rack."
    RIGHT = "The right end is cut off: show the whole rack."
    TOP = "The upper edge is cut off: show the whole rack."
    BOTTOM = "The lower edge is cut off: show the whole rack."
    HIDDEN = "Something is in front of the tiles."


@dataclass(frozen=True)
class Settled:
    """What is known after a frame.

    Attributes:
        state: whether `reading` can be relied on at this moment.
        reading: the reading that holds, its outlines where the tiles are in this frame; None before there is one and when the rack was moved.
            While a changed rack settles it is still the old one, and the state says so.
        now: what the frames so far come to, in this frame's pixels: for drawing outlines while nothing holds yet.
        since: time, as given to `Settler.add`, at which `reading` was first told; None without one.
        hints: what would help, the most important first.
    """

    state: State
    reading: Reading | None
    now: Reading
    since: float | None
    hints: tuple[Hint, ...] = ()


class Settler:
    """Sums the sights of one video. Its memory does not grow with the video's length. One thread at a time.

    >>> Settler().add(TileReader().look(picture), time=0.0).state  # doctest: +SKIP
    <State.SETTLING: 'settling'>
    """

    def add(self, sight: Sight, time: float) -> Settled:
        """What is known with one more frame.

        Args:
            sight: what `TileReader.look` saw in the frame. Another frame size starts anew.
            time: when the frame was taken, in seconds from anywhere; never less than in the call before.

        Raises:
            ValueError: when time runs backwards.
        """
        raise NotImplementedError
