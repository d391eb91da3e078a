"""Pictures from cameras, streams, video files and folders, frame by frame.

`open_frames` opens any of them. What comes out is fit to be judged: black, frozen and torn frames are left out, and said.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import Protocol

from vision.straighten import Picture


class SourceError(ValueError):
    """A source that cannot be used; the message says why and what to do, and never holds a password.

    Attributes:
        template: the message with named places for `values`, to be translated.
        values: what stands in these places.
    """

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template.format(**values))
        self.template = template
        self.values = values


class Trouble(Enum):
    """Why no usable frame comes at the moment, as sentences for the user; the source is tried again and again."""

    CONNECTING = "Connecting to the camera …"
    LOST = "The connection to the camera is lost: trying again."
    SILENT = "The camera sends no pictures: trying again."
    BLACK = "The picture is black: is the lens covered?"
    FROZEN = "The picture stands still: the camera may have stopped."
    TORN = "The pictures arrive damaged: the network may be too slow."


@dataclass(frozen=True)
class Frame:
    """One picture of a video.

    Attributes:
        number: counts from 0; of a file or folder the frame's number in it, so that what is left out leaves a gap.
        time: seconds since the first frame; of a file by its own time stamps.
        picture: uint8 BGR (height, width, 3); its size may change in mid-stream.
    """

    number: int
    time: float
    picture: Picture


class Frames(Protocol):
    """An open source. Its iterator ends at the end of a file or folder, and when a camera or stream is lost, with SourceError."""

    live: bool

    def __iter__(self) -> Iterator[Frame]: ...

    def close(self) -> None:
        """Gives the camera back. Safe to call twice."""


def open_frames(source: str) -> Frames:
    """Opens a camera number, video file, `rtsp://` or `http://` stream, or folder of frames.

    Raises:
        SourceError: one sentence that says what is wrong with it and what would be right.
    """
    raise NotImplementedError


def shown_name(source: str) -> str:
    """A source as it may be shown and logged: without user name and password."""
    raise NotImplementedError


class Context:
    """`with` closes what is opened."""

    def close(self) -> None:
        raise NotImplementedError

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
