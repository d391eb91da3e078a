"""Pictures from cameras, streams, video files and folders, frame by frame.

What is recorded comes frame by frame at its own times (`recorded`), what is live as it arrives (`captured`), each frame of it
judged first (`Fitness`): black, frozen and torn ones are no use to anybody.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from urllib.parse import urlsplit

import cv2
import numpy as np
import requests
import simplejpeg
from numpy.typing import NDArray

from vision.sources import PhotoError, jpeg_scan, load_photo
from vision.straighten import Picture

PHOTOS = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif")
"""Endings of the frames in a folder."""
HTTP, STREAMS = ("http", "https"), ("http", "https", "rtsp", "rtsps")
"""What the addresses of streams begin with."""
FOLDER_RATE = 10.0
"""A folder's frames are taken to be so many a second: pictures bear no time."""
PATIENCE = 5.0
"""Seconds in which a camera or stream must answer, and in which the next picture must come."""
CAMERA_SIZE = (1280, 720)
"""What a camera of the computer is asked for; it may give another."""
MOST_RATE = 20.0
"""So many pictures a second are decoded; of more the newest are taken, and none waits its turn."""
MOST_BYTES = 16_000_000
"""More without an end is no picture."""
CHUNK = 1 << 16
"""Bytes read from a connection at once."""
BLACK = 20
"""A picture is black if 99 of 100 pixels are darker, 0 to 255."""
FROZEN_AFTER = 2.0
"""Seconds after which a live picture that never changes, not even in its noise, is a camera that has stopped. A phone's app may
send one picture twice, and a still scene drawn by a computer stays readable for as long as it takes to read it."""
TORN_PART, TORN_TEXTURE = 1 / 16, 6.0
"""A picture is torn if at least this share of it, at the bottom, is what a decoder fills in, or is the last picture's to the
bit where that has more contrast (standard deviation) than this."""
MOST_TORN = 2
"""If more pictures in a row look as if they held a part of the last one, the source has no noise and always looks so."""
FILLED_IN = ((128, 128, 128), (0, 135, 0), (0, 154, 0))
"""What decoders leave where data are missing, BGR: grey, and the green that empty planes of YUV come to."""


os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # read by OpenCV when it first opens a video
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # what fails is said here, in one sentence

Rows = NDArray[np.bool_]


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


def is_live(source: str) -> bool:
    """Whether a source is a camera or stream, which goes on whether one looks or not, and no file or folder."""
    return source.isdecimal() or "://" in source


def shown_name(source: str) -> str:
    """A source as it may be shown and logged: an address without user name, password and query."""
    if "://" not in source:
        return source
    parts = urlsplit(source)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def check_source(source: str) -> None:
    """Refuses what can never be a source; whether a camera or stream answers is not asked.

    Raises:
        SourceError: saying what would be right.
    """
    if source.isdecimal():
        return
    if "://" in source:
        if urlsplit(source).scheme.lower() not in STREAMS:
            raise SourceError("{source} is no stream: its address begins with rtsp:// or http://", source=shown_name(source))
        return
    path = Path(source)
    if not path.exists():
        raise SourceError("{source} does not exist: give a camera's number, a video file, a folder, or an address", source=source)
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
    """Photos in the order of their names, numbers in these taken as numbers."""
    names = [file for file in path.iterdir() if file.suffix.lower() in PHOTOS]

    def in_order(file: Path) -> list[tuple[int, str]]:
        return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", file.name)]

    for number, file in enumerate(sorted(names, key=in_order)):
        try:
            yield Frame(number, number / FOLDER_RATE, load_photo(file))
        except PhotoError:
            continue


def _video(path: Path) -> Iterator[Frame]:
    capture = _opened(str(path), cv2.CAP_FFMPEG)
    try:
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
    if source.isdecimal():
        return _camera(int(source))
    return _http(source) if urlsplit(source).scheme.lower() in HTTP else _stream(source)


def _opened(source: str | int, backend: int, *options: int) -> cv2.VideoCapture:
    """A source opened by OpenCV; it may not be open."""
    return cv2.VideoCapture(source, backend, options)


def _camera(number: int) -> Generator[Picture, None, None]:
    capture = _opened(number, cv2.CAP_ANY)
    try:
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))  # raw pictures of this size are too much for USB 2
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, CAMERA_SIZE[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, CAMERA_SIZE[1])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        yield from _pictures(capture)
        raise SourceError("camera {number} cannot be used: check that it is plugged in and that no other program uses it", number=number)
    finally:
        capture.release()


def _stream(source: str) -> Generator[Picture, None, None]:
    limit = int(PATIENCE * 1000)
    capture = _opened(source, cv2.CAP_FFMPEG, cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, limit, cv2.CAP_PROP_READ_TIMEOUT_MSEC, limit)
    try:
        yield from _pictures(capture)
        raise SourceError("{source} sends no video: check the address and that the camera is on", source=shown_name(source))
    finally:
        capture.release()


def _pictures(capture: cv2.VideoCapture) -> Iterator[Picture]:
    """The newest picture, again and again, until there is none."""
    due = 0.0
    while capture.isOpened() and capture.grab():
        if time.monotonic() < due:
            continue
        whole, picture = capture.retrieve()
        if whole:
            due = time.monotonic() + 1 / MOST_RATE
            yield np.asarray(picture, np.uint8)


def _http(source: str) -> Generator[Picture | Trouble, None, None]:
    """Motion JPEG over HTTP, as phones' camera apps send it; any other video is left to FFmpeg.

    What parts the pictures is not looked at: every app writes it in its own way.
    """
    name = shown_name(source)
    session = requests.Session()
    session.trust_env = False  # a camera in the house is not behind a proxy
    with session:
        try:
            response = session.get(source, stream=True, timeout=PATIENCE)
        except requests.exceptions.SSLError:
            raise SourceError("{source} has a certificate that nobody vouches for: give its http:// address", source=name) from None
        except (requests.ConnectionError, requests.Timeout):
            raise SourceError("{source} does not answer: check the address and that the camera is on", source=name) from None
        except (requests.RequestException, ValueError):
            raise SourceError("{source} is no address of a stream: write it as http://host:port/path", source=name) from None
        with response:
            if response.status_code in (401, 403):
                raise SourceError("{source} asks for a password: write http://name:password@ before the host", source=name)
            if not response.ok:
                raise SourceError("{source} answers {status}: check the address", source=name, status=response.status_code)
            form = response.headers.get("Content-Type", "")
            if form.startswith("text/html"):
                raise SourceError("{source} is a web page: give the address of the video itself, often with /video at its end", source=name)
            if not form.startswith(("video/", "application/")):
                yield from _jpegs(response, name)
                return
    yield from _stream(source)


def _jpegs(response: requests.Response, name: str) -> Iterator[Picture | Trouble]:
    """The newest whole JPEG of what has arrived, again and again."""
    scanner = JpegScanner()
    newest: bytes | None = None
    due, last_picture = 0.0, time.monotonic()
    while time.monotonic() - last_picture < PATIENCE:
        try:
            data = response.raw.read1(CHUNK)
        except Exception:  # urllib3 raises its own, http.client's and the system's errors here
            data = b""
        if not data:
            raise SourceError("{source} has broken off: check that the camera is on", source=name)
        found = scanner.feed(data)
        newest = found[-1] if found else newest
        if newest is None or time.monotonic() < due:
            continue
        try:
            yield np.asarray(simplejpeg.decode_jpeg(newest, "BGR"), np.uint8)
        except ValueError:
            yield Trouble.TORN
        else:
            last_picture = time.monotonic()
        newest, due = None, time.monotonic() + 1 / MOST_RATE
    raise SourceError("{source} sends no pictures: give the address of the video itself, often with /video at its end", source=name)


class JpegScanner:
    """Finds whole JPEGs in a stream of bytes; what is not in one, or breaks off before the next begins, is dropped.

    >>> JpegScanner().feed(b"--part")
    []
    """

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """The JPEGs that `data`, coming after all before, bring to their end."""
        buffer = self._buffer
        buffer += data
        whole = []
        while (start := buffer.find(b"\xff\xd8\xff")) >= 0:
            del buffer[:start]
            try:
                scan = jpeg_scan(buffer)
            except ValueError:
                del buffer[:2]
                continue
            mark = _BEGIN_OR_END.search(buffer, scan) if scan else None
            if mark is None:
                break
            if mark[0] == b"\xff\xd9":
                whole.append(bytes(buffer[: mark.end()]))
                del buffer[: mark.end()]
            else:
                del buffer[: mark.start()]
        else:
            del buffer[:-2]
        if len(buffer) > MOST_BYTES:
            buffer.clear()
        return whole


_BEGIN_OR_END = re.compile(rb"\xff[\xd8\xd9]")
"""In a scan a marker that begins or ends a picture can be nothing else: there 0xFF is followed by 0x00 (ITU-T T.81, B.1.1.5)."""


def is_black(picture: Picture) -> bool:
    """Whether nothing can be seen in a picture."""
    return bool(np.percentile(picture[::8, ::8], 99) < BLACK)


class Fitness:
    """Judges the frames of one live source, in order."""

    def __init__(self) -> None:
        self._last: Picture | None = None
        self._changed = 0.0
        self._torn = 0

    def trouble(self, picture: Picture, time: float) -> Trouble | None:
        """Why a picture, taken at `time` in seconds, must not be judged; None for one that may."""
        same = self._rows_as_before(picture)
        self._last = picture
        if not same.all():
            self._changed = time
        if is_black(picture):
            return Trouble.BLACK
        if time - self._changed > FROZEN_AFTER:
            return Trouble.FROZEN
        if self._is_torn(picture, same):
            return Trouble.TORN
        return None

    def _rows_as_before(self, picture: Picture) -> Rows:
        """(height,) which rows are to the bit those of the last picture."""
        if self._last is None or self._last.shape != picture.shape:
            return np.zeros(len(picture), bool)
        return np.asarray((picture[:, ::8] == self._last[:, ::8]).all((1, 2)))

    def _is_torn(self, picture: Picture, same: Rows) -> bool:
        """Whether the bottom of the picture is not its own."""
        least = int(len(picture) * TORN_PART)
        bottom = picture[-least:, ::8].astype(np.int16)
        if any(np.abs(bottom - np.array(colour)).max() <= 2 for colour in FILLED_IN):
            return True
        if same.all():
            return False
        old = bool(same[-least:].all()) and float(bottom.std(axis=(0, 1)).max()) > TORN_TEXTURE
        self._torn = self._torn + 1 if old else 0
        return old and self._torn <= MOST_TORN
