"""The computer's cameras and streams, shared: one background thread a source, however many look at it.

    hub = Hub(desk)
    with hub.view("rtsp://…") as view:
        frame = view.frame(after=-1, timeout=1.0)   # the newest picture, for showing it
        read = view.read(after=-1, timeout=1.0)     # the newest that was read, as `vision.desk.Seat.read`
        view.trouble                                # why nothing comes, or None

The camera is opened with its first viewer and released with its last. A lost source is tried again, after longer and longer pauses.
"""

from __future__ import annotations

from vision.camera import Frame, Trouble
from vision.desk import Desk, Read


class View:
    """One viewer of a source; safe to use from any thread."""

    @property
    def trouble(self) -> Trouble | None:
        """Why no usable frame comes at the moment."""
        raise NotImplementedError

    @property
    def ended(self) -> bool:
        """Whether a video file or folder is over."""
        raise NotImplementedError

    def frame(self, after: int = -1, timeout: float = 0.0) -> Frame | None:
        """The newest frame, if its number is above `after`; waits up to `timeout` seconds for one, else None."""
        raise NotImplementedError

    def read(self, after: int = -1, timeout: float = 0.0) -> Read | None:
        """The newest frame that was read, as `Seat.read`."""
        raise NotImplementedError

    def close(self) -> None:
        """Looks away; the last to do so releases the camera."""
        raise NotImplementedError


class Hub:
    """All sources that are looked at."""

    def __init__(self, desk: Desk) -> None:
        """`desk` reads the frames."""

    def view(self, source: str) -> View:
        """Looks at a source, opened if nobody does yet; close it, or use it in `with`.

        Raises:
            SourceError: at once when it can never be one (no such file, an address that is none); what may come back, as a
                camera that is switched off, is `View.trouble`.
        """
        raise NotImplementedError
