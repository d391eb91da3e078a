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

import atexit
import logging
import threading
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import TracebackType

from assistant.reasons import Reason
from vision.camera import Frame
from vision.profile import Profile
from vision.reader import TileReader
from vision.settle import Settled, Settler
from vision.weights import WeightsError

LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Read:
    """A frame that was read, and what is known with it."""

    frame: Frame
    settled: Settled


class Seat(AbstractContextManager["Seat"]):
    """One video's place at the desk; safe to use from any thread. `with` closes it.

    Attributes:
        profile: of the set in the video, if it was taught; it counts from the next frame on.
        above_table: whether the camera is above a table, where small tiles are looked at from closer.
    """

    def __init__(self, desk: Desk) -> None:
        self.profile: Profile | None = None
        self.above_table = False
        self._desk = desk
        self._settler = Settler()
        self._waiting: Frame | None = None
        self._read: Read | None = None
        self._unread: tuple[int, Reason] | None = None

    def show(self, frame: Frame) -> None:
        """Puts a frame down to be read next; one that still lies there is dropped. Never waits.

        A time before that of the frame before begins a new video.
        """
        with self._desk.changed:
            self._waiting = frame
            self._desk.changed.notify_all()

    def read(self, after: int = -1, timeout: float = 0.0) -> Read | None:
        """The last frame that was read, if its number is above `after`; waits up to `timeout` seconds for one, else None.

        Raises:
            WeightsError: when such a frame could not be read for want of a reader.
        """

        def newer() -> bool:
            return self._read is not None and self._read.frame.number > after

        def unread() -> bool:
            return self._unread is not None and self._unread[0] > after

        with self._desk.changed:
            self._desk.changed.wait_for(lambda: newer() or unread(), timeout)
            if self._unread is not None and unread():
                raise WeightsError(self._unread[1])
            return self._read if newer() else None

    def close(self) -> None:
        """Gives the seat back. Safe to call twice."""
        self._desk.leave(self)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class Desk:
    """One TileReader in one thread, which starts with the first seat and ends with the last."""

    def __init__(self, reader: TileReader | None = None) -> None:
        """`reader` is made at the first frame if none is given."""
        self.changed = threading.Condition()
        self._reader = reader
        self._seats: list[Seat] = []
        self._thread: threading.Thread | None = None
        atexit.register(self.close)  # a thread within the networks' library must not outlive the interpreter

    def seat(self) -> Seat:
        """A new place, with its own settling; close it, or use it in `with`."""
        with self.changed:
            seat = Seat(self)
            self._seats.append(seat)
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="reader", daemon=True)
                self._thread.start()
            return seat

    def leave(self, seat: Seat) -> None:
        """Takes a seat away."""
        with self.changed:
            if seat in self._seats:
                self._seats.remove(seat)
                self.changed.notify_all()

    def close(self) -> None:
        """Sends everybody away and waits until the thread has ended."""
        with self.changed:
            self._seats.clear()
            self.changed.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join()
        atexit.unregister(self.close)

    def _serve(self) -> None:
        """Reads one frame after another, the seats by turns, until nobody sits here."""
        while (taken := self._next()) is not None:
            seat, frame = taken
            try:
                if self._reader is None:
                    self._reader = TileReader()
                look = self._reader.look_at_table if seat.above_table else self._reader.look
                sight = look(frame.picture, seat.profile)
                if seat._read is not None and frame.time < seat._read.frame.time:
                    seat._settler = Settler()
                read = Read(frame, seat._settler.add(sight, frame.time))
            except WeightsError as error:
                with self.changed:
                    seat._unread = frame.number, error.reason
                    self.changed.notify_all()
                continue
            except Exception:
                LOG.exception("a frame could not be read")  # the others' frames still can
                continue
            with self.changed:
                seat._read, seat._unread = read, None
                self.changed.notify_all()

    def _next(self) -> tuple[Seat, Frame] | None:
        """The seat whose turn it is, and its frame; waits for one. None when nobody sits here any more."""

        def waiting() -> Seat | None:
            return next((seat for seat in self._seats if seat._waiting is not None), None)

        with self.changed:
            self.changed.wait_for(lambda: waiting() is not None or not self._seats)
            seat = waiting()
            if seat is None or seat._waiting is None:
                self._thread = None
                return None
            self._seats.remove(seat)
            self._seats.append(seat)  # the last to have its next turn
            frame, seat._waiting = seat._waiting, None
            return seat, frame
