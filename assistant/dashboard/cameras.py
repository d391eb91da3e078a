"""What the pages look through: a visitor's own camera or one of this computer, and cameras above tables with what they have seen."""

from __future__ import annotations

import os
import time
from functools import lru_cache
from itertools import chain, count
from typing import Protocol

from assistant.dashboard import live_texts as texts
from assistant.dashboard.language import _
from assistant.dashboard.table_memory import Shown, TableMemory
from assistant.serve import CAMERAS_VARIABLE
from vision.camera import Frame, is_live
from vision.desk import Desk, Read
from vision.hub import Hub
from vision.profile import Profile
from vision.settle import State
from vision.sources import load_photo
from vision.trouble import SourceError, shown_name

PATIENCE_S = 15.0
"""How long a picture may wait to be read."""
FRAME_PATIENCE_S = 1.0
"""How long a camera may take for its next picture before its viewer is told why there is none."""


class Eye(Protocol):
    """Where the pictures of one visitor come from."""

    def see(self, sent: str | bytes) -> Read | None:
        """The next picture, read; None if there is none now. May wait. Raises PhotoError, and WeightsError."""

    def missing(self) -> str:
        """Why there is no picture, as a sentence."""

    def use(self, profile: Profile | None) -> None:
        """Reads with the profile of a taught set from now on, or as any set."""

    def close(self) -> None:
        """Looks away."""


class BrowsersCamera:
    """A phone's camera: every picture is sent by the browser. Sizes may change in mid-stream."""

    def __init__(self) -> None:
        self._seat = _desk().seat()
        self._number = -1

    def see(self, sent: str | bytes) -> Read | None:
        picture = load_photo(sent if isinstance(sent, bytes) else b"")
        self._number += 1
        self._seat.show(Frame(self._number, time.monotonic(), picture))
        return self._seat.read(after=self._number - 1, timeout=PATIENCE_S)

    def missing(self) -> str:
        return _(texts.BUSY)

    def use(self, profile: Profile | None) -> None:
        self._seat.profile = profile

    def close(self) -> None:
        self._seat.close()


class ComputersCamera:
    """A camera of this computer or of the network, shared by all who look through it."""

    def __init__(self, source: str) -> None:
        self._view = _hub().view(source)
        self._number = -1

    def see(self, sent: str | bytes) -> Read | None:
        given_up = time.monotonic() + PATIENCE_S
        while (read := self._view.read(after=self._number, timeout=FRAME_PATIENCE_S)) is None:
            if self._view.trouble is not None or time.monotonic() > given_up:
                return None
        self._number = read.frame.number
        return read

    def missing(self) -> str:
        error, trouble = self._view.error, self._view.trouble
        if error is not None:
            return texts.said(error)
        return _(texts.TROUBLES[trouble]) if trouble else _(texts.BUSY)

    def use(self, profile: Profile | None) -> None:
        self._view.use(profile)

    def close(self) -> None:
        self._view.close()


class TableCamera:
    """A camera above the table, and what it has seen; what one visitor's looks add to the memory all others have, too."""

    def __init__(self, source: str) -> None:
        self._view = _hub().view(source)
        self._view.look_at_table()
        self._memory = _memory(source)

    def look(self) -> TableMemory:
        """What has been seen so far, which stays as it is while others look; never waits for the camera."""
        read = self._view.read()
        if read is not None and read.settled.state in (State.SETTLED, State.EMPTY):
            self._memory.add(read.settled.now, time.monotonic(), read.frame.picture)
        return self._memory.as_it_is()

    def use(self, profile: Profile | None) -> None:
        """Reads with the profile of a taught set from now on, or as any set."""
        self._view.use(profile)

    def close(self) -> None:
        """Looks away."""
        self._view.close()


def open_eye(source: str | None, at_computer: bool) -> Eye:
    """Opens what a visitor wants to look through. Raises SourceError."""
    if source is None:
        return BrowsersCamera()
    shared = shared_cameras().get(source)
    if shared is None and not at_computer:
        raise SourceError(texts.NOT_SHARED)
    if shared is None and not is_live(source):  # never a file of this computer
        raise SourceError(texts.NO_CAMERA, source=source)
    return ComputersCamera(shared or source)


def shown_on(table: str) -> Shown | None:
    """The hand that the camera above a table sees shown, if there is one; the camera is called as everyone may look through it."""
    source = shared_cameras().get(table)
    return None if source is None else _memory(source).shown


@lru_cache(1)
def _desk() -> Desk:
    """One reader for all visitors."""
    return Desk()


@lru_cache(1)
def _hub() -> Hub:
    """One camera for all who look through it."""
    return Hub(_desk())


@lru_cache
def _memory(source: str) -> TableMemory:
    """What each camera above a table has seen."""
    return TableMemory()


def shared_cameras() -> dict[str, str]:
    """The cameras that everyone may look through, by the name under which they are shown.

    Those that only differ in what must not be shown, as the channels of one recorder do, are numbered.
    """
    cameras: dict[str, str] = {}
    for source in os.environ.get(CAMERAS_VARIABLE, "").splitlines():
        shown = shown_name(source)
        names = chain([shown], (f"{shown} ({number})" for number in count(2)))
        cameras[next(name for name in names if name not in cameras)] = source
    return cameras
