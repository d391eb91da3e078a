"""The computer's cameras and streams, shared: one background thread a source, however many look at it.

    hub = Hub(desk)
    with hub.view("rtsp://…") as view:
        frame = view.frame(after=-1, timeout=1.0)   # the newest picture, for showing it
        read = view.read(after=-1, timeout=1.0)     # the newest that was read, as `vision.desk.Seat.read`
        view.trouble                                # why nothing comes, or None

The camera is opened with its first viewer and released with its last. A lost source is tried again, after longer and longer pauses.
A video file or folder plays at its own pace, once.
"""

from __future__ import annotations

import atexit
import logging
import threading
import time
from contextlib import AbstractContextManager, closing
from pathlib import Path
from types import TracebackType

from vision.camera import Frame, captured, check_source, is_live, recorded
from vision.desk import Desk, Read
from vision.fitness import Fitness
from vision.profile import Profile
from vision.straighten import Picture
from vision.trouble import SourceError, Trouble, shown_name

LOG = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 10.0
"""Seconds before a lost source is tried again, doubled each time."""
SILENT_AFTER = 2.0
"""Seconds without a picture after which the user is told."""


class _Source(threading.Thread):
    """The background thread of one source, and what it has for its viewers.

    Attributes:
        viewers: how many look at it; counted by the hub.
        frame: the newest frame fit to be judged.
        trouble: why no other comes.
        error: why the last try to connect failed.
        ended: whether it is recorded and over.
    """

    def __init__(self, source: str, desk: Desk, before: threading.Thread | None) -> None:
        """`before` is the thread that still has to release the same camera."""
        super().__init__(name="camera", daemon=True)
        self.viewers = 0
        self.changed = threading.Condition()
        self.frame: Frame | None = None
        self.trouble: Trouble | None = Trouble.CONNECTING
        self.error: SourceError | None = None
        self.ended = False
        self.seat = desk.seat()
        self._source, self._before = source, before
        self._left = threading.Event()
        self._begun = self._arrived = time.monotonic()
        self._fitness = Fitness()

    def run(self) -> None:
        """Reads the source until the last viewer leaves."""
        if self._before is not None:
            self._before.join()
            self._before = None  # which keeps its last pictures, and the thread before it
        with self.seat:
            if is_live(self._source):
                self._follow()
            else:
                self._play()

    def leave(self) -> None:
        """Asks the thread to release the camera and end."""
        self._left.set()

    def silent(self) -> bool:
        """Whether a camera that should send pictures sends none; a film may stand still as long as it likes."""
        return is_live(self._source) and time.monotonic() - self._arrived > SILENT_AFTER

    def _follow(self) -> None:
        """A live source, opened again and again."""
        pause = FIRST_PAUSE
        while not self._left.is_set():
            try:
                with closing(captured(self._source)) as pictures:
                    for picture in pictures:
                        if self._left.is_set():
                            return
                        if self._take(picture):
                            pause = FIRST_PAUSE
            except Exception as error:  # whatever a camera's library makes of it, the next try may be luckier
                with self.changed:
                    self.error = self._named(error)
                    self.trouble = Trouble.LOST
                    self.changed.notify_all()
            self._left.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _take(self, picture: Picture | Trouble) -> bool:
        """Passes a picture on if it is fit; says whether it was."""
        now = time.monotonic()
        trouble = picture if isinstance(picture, Trouble) else self._fitness.trouble(picture, now - self._begun)
        with self.changed:
            self._arrived = now
            self.trouble, self.error = trouble, None
            self.changed.notify_all()
        if isinstance(picture, Trouble) or trouble is not None:
            return False
        self._show(Frame(0 if self.frame is None else self.frame.number + 1, now - self._begun, picture))
        return True

    def _play(self) -> None:
        """A recorded source, at its own pace."""
        try:
            for frame in recorded(self._source):
                if self._left.wait(max(0.0, self._begun + frame.time - time.monotonic())):
                    return
                self._show(frame)
        except Exception as error:
            self.error = self._named(error)
        finally:
            with self.changed:
                self.ended = True
                self.changed.notify_all()
        self._left.wait()

    def _named(self, error: Exception) -> SourceError:
        """The error as a sentence for the user; what nobody foresaw is noted, too."""
        if isinstance(error, SourceError):
            return error
        name = shown_name(self._source)
        LOG.error("%s has failed", name, exc_info=error)
        return SourceError("{source} has failed ({error}): check it, or start istaka again", source=name, error=type(error).__name__)

    def _show(self, frame: Frame) -> None:
        self.seat.show(frame)
        with self.changed:
            self.frame, self.trouble, self.error = frame, None, None
            self.changed.notify_all()


class View(AbstractContextManager["View"]):
    """One viewer of a source; safe to use from any thread. `with` closes it."""

    def __init__(self, hub: Hub, source: _Source) -> None:
        self._hub, self._source = hub, source
        self._open = True

    @property
    def trouble(self) -> Trouble | None:
        """Why no usable frame comes at the moment."""
        trouble = self._source.trouble
        return Trouble.SILENT if trouble is None and self._source.silent() else trouble

    @property
    def error(self) -> SourceError | None:
        """Why the source could not be opened, or was lost, if it is now; more precise than `trouble`."""
        return self._source.error

    @property
    def ended(self) -> bool:
        """Whether a video file or folder is over."""
        return self._source.ended

    def use(self, profile: Profile | None) -> None:
        """Reads with the profile of a taught set from now on: for all viewers of this source."""
        self._source.seat.profile = profile

    def look_at_table(self) -> None:
        """Reads as a camera above a table from now on: for all viewers of this source."""
        self._source.seat.above_table = True

    def frame(self, after: int = -1, timeout: float = 0.0) -> Frame | None:
        """The newest frame, if its number is above `after`; waits up to `timeout` seconds for one, else None."""

        def newer() -> bool:
            return self._source.frame is not None and self._source.frame.number > after

        with self._source.changed:
            return self._source.frame if self._source.changed.wait_for(newer, timeout) else None

    def read(self, after: int = -1, timeout: float = 0.0) -> Read | None:
        """The newest frame that was read, as `Seat.read`."""
        return self._source.seat.read(after, timeout)

    def close(self) -> None:
        """Looks away; the last to do so releases the camera. Safe to call twice."""
        if self._open:
            self._open = False
            self._hub.leave(self._source)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class Hub:
    """All sources that are looked at."""

    def __init__(self, desk: Desk) -> None:
        """`desk` reads the frames."""
        self._desk = desk
        self._lock = threading.Lock()
        self._sources: dict[str, _Source] = {}
        self._leaving: dict[str, _Source] = {}
        atexit.register(self.close)  # a thread within a camera's library must not outlive the interpreter

    def view(self, source: str) -> View:
        """Looks at a source, opened if nobody does yet; close it, or use it in `with`.

        Raises:
            SourceError: at once when it can never be one (no such file, an address that is none); what may come back, as a
                camera that is switched off, is `View.trouble`.
        """
        check_source(source)
        key = source if is_live(source) else str(Path(source).resolve())
        with self._lock:
            if key not in self._sources:
                self._sources[key] = _Source(source, self._desk, self._leaving.pop(key, None))
                self._sources[key].start()
            self._sources[key].viewers += 1
            return View(self, self._sources[key])

    def leave(self, source: _Source) -> None:
        """One viewer fewer."""
        with self._lock:
            source.viewers -= 1
            if not source.viewers:
                key = next(key for key, one in self._sources.items() if one is source)
                self._leaving = {name: one for name, one in self._leaving.items() if one.is_alive()}
                self._leaving[key] = self._sources.pop(key)
                source.leave()

    def close(self) -> None:
        """Releases all cameras and waits until their threads have ended; the desk goes on."""
        with self._lock:
            sources = [*self._sources.values(), *self._leaving.values()]
        for source in sources:
            source.leave()
        for source in sources:
            source.join()
        atexit.unregister(self.close)
