"""One reader shared by all videos that are watched at once: each has a seat, and the seats are served by turns.

    desk = Desk()
    with desk.seat() as seat:                    # one for each phone, and one for each camera of the computer
        seat.show(Frame(number, time, picture))  # from the thread that receives frames; never waits
        ...
        read = seat.read(after=last.frame.number, timeout=1.0)   # from the page
        read.settled.state, read.settled.reading, read.frame.picture

A frame that comes before the last was read takes its place: frames are dropped, never queued.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.camera import Frame
from vision.reader import TileReader
from vision.settle import Settled


@dataclass(frozen=True)
class Read:
    """A frame that was read, and what is known with it."""

    frame: Frame
    settled: Settled


class Seat:
    """One video's place at the desk; safe to use from any thread."""

    def show(self, frame: Frame) -> None:
        """Puts a frame down to be read next; one that still lies there is dropped. Never waits."""
        raise NotImplementedError

    def read(self, after: int = -1, timeout: float = 0.0) -> Read | None:
        """The last frame that was read, if its number is above `after`; waits up to `timeout` seconds for one, else None."""
        raise NotImplementedError

    def close(self) -> None:
        """Gives the seat back."""
        raise NotImplementedError


class Desk:
    """One TileReader in one thread, which starts with the first seat and ends with the last."""

    def __init__(self, reader: TileReader | None = None) -> None:
        """`reader` is made at the first frame if none is given."""

    def seat(self) -> Seat:
        """A new place, with its own settling; close it, or use it in `with`."""
        raise NotImplementedError
