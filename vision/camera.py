"""Pictures from cameras, streams, video files and folders, frame by frame.

What is recorded comes frame by frame at its own times (`recorded`), what is live as it arrives (`captured`).
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.fitness import is_black
from vision.sources import PhotoError, load_photo
from vision.straighten import Picture
from vision.streams import MOST_RATE, PATIENCE, check_address, streamed
from vision.trouble import SourceError, Trouble

PHOTOS = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif")
"""Endings of the frames in a folder."""
FOLDER_RATE = 10.0
"""A folder's frames are taken to be so many a second: pictures bear no time."""
CAMERA_SIZE = (1280, 720)
"""What a camera of the computer is asked for; it may give another."""
TEXT = cv2.VideoWriter.fourcc(*"ansi")
"""The codec of what FFmpeg makes of a text: a video in which it is typed."""
MOST_DIGITS = 9
"""Of a camera's number: of more it may be none that OpenCV can take, a C int."""

os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # read by OpenCV when it first opens a video
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # what fails is said here, in one sentence


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


def is_live(source: str) -> bool:
    """Whether a source is a camera or stream, which goes on whether one looks or not, and no file or folder."""
    return source.isdecimal() or "://" in source


def check_source(source: str) -> None:
    """Refuses what can never be a source; whether a camera or stream answers is not asked.

    Raises:
        SourceError: saying what would be right.
    """
    if "://" in source:
        check_address(source)
    elif not source.isdecimal():
        _check_path(source)
    elif len(source) > MOST_DIGITS:
        raise _no_camera(source)


def _check_path(source: str) -> None:
    path = Path(source)
    try:
        exists = bool(source) and path.exists()
    except OSError as error:  # a name too long, or in a folder that may not be entered
        raise SourceError("{name} cannot be read ({why}): check the file", name=source, why=error.strerror) from None
    if not exists:
        raise SourceError("{source} does not exist: give a camera's number, a video file, a folder, or an address", source=source or "''")
    if path.is_char_device():
        raise SourceError("{source} is a device: give the camera's number, 0 for the first", source=source)
    if not path.is_file() and not path.is_dir():
        raise SourceError("{source} is no video file: give one, a folder of frames, a camera's number, or an address", source=source)
    if path.is_file() and path.suffix.lower() in PHOTOS:
        raise SourceError("{source} is a photo: read it with `istaka read {source}`", source=source)


def recorded(source: str) -> Iterator[Frame]:
    """The frames of a video file or folder in order, each at its own time; black and damaged ones are left out.

    Raises:
        SourceError: when there is no such file or folder, or no picture in it.
    """
    check_source(source)
    path = Path(source)
    frames = 0
    for frame in _folder(path) if path.is_dir() else _video(path):
        if not is_black(frame.picture):
            frames += 1
            yield frame
    if not frames:
        raise SourceError("{source} holds no picture that can be read: give a video file or a folder of JPEG or PNG frames", source=source)


def _folder(path: Path) -> Iterator[Frame]:
    """Photos in the order of their names, numbers in these taken as numbers; then those that have come meanwhile."""

    def in_order(file: Path) -> list[tuple[int, str]]:
        return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", file.name)]

    number = 0
    read: set[Path] = set()
    while new := sorted((file for file in _photos_in(path) if file not in read), key=in_order):
        for file in new:
            with suppress(PhotoError):
                yield Frame(number, number / FOLDER_RATE, load_photo(file))
            number += 1
        read.update(new)


def _photos_in(folder: Path) -> list[Path]:
    try:
        return [file for file in folder.iterdir() if file.suffix.lower() in PHOTOS]
    except OSError as error:
        raise SourceError("{source} has gone or cannot be read ({why}): check the folder", source=folder, why=error.strerror) from None


def _video(path: Path) -> Iterator[Frame]:
    capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    try:
        if capture.get(cv2.CAP_PROP_FOURCC) == TEXT:
            return
        rate = capture.get(cv2.CAP_PROP_FPS)
        step = 1 / rate if 0 < rate < 1000 else 1 / FOLDER_RATE
        number, last = 0, -step
        while True:
            whole, picture = capture.read()
            if not whole:
                return
            stamp = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            last = stamp if stamp > last else last + step
            yield Frame(number, last, np.asarray(picture, np.uint8))
            number += 1
    finally:
        capture.release()


def captured(source: str) -> Generator[Picture | Trouble, None, None]:
    """The pictures of a camera or stream as they come; `Trouble` for one that is damaged. Close it to give the camera back.

    Raises:
        SourceError: when it cannot be opened, and when it is lost or falls silent.
    """
    check_source(source)
    return _camera(int(source)) if source.isdecimal() else streamed(source)


def _camera(number: int) -> Generator[Picture, None, None]:
    capture = cv2.VideoCapture(number, cv2.CAP_ANY)
    try:
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))  # raw pictures of this size are too much for USB 2
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, CAMERA_SIZE[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, CAMERA_SIZE[1])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        due, last_picture = 0.0, time.monotonic()
        while capture.isOpened() and capture.grab() and time.monotonic() - last_picture < PATIENCE:
            if time.monotonic() < due:
                continue
            whole, picture = capture.retrieve()
            if whole:
                due = time.monotonic() + 1 / MOST_RATE
                yield np.asarray(picture, np.uint8)
                last_picture = time.monotonic()
        raise _no_camera(number)
    finally:
        capture.release()


def _no_camera(number: int | str) -> SourceError:
    return SourceError("camera {number} cannot be used: check that it is plugged in and that no other program uses it", number=number)
