"""Photos on their way to the page: loaded, read and made small enough to be shown."""

from __future__ import annotations

import base64
import hashlib
import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import streamlit as st
from numpy.typing import NDArray

from assistant.dashboard import texts
from assistant.dashboard.language import _
from vision.reader import TileReader
from vision.reading import Point, Reading
from vision.sources import PhotoError, load_photo

SHOWN_SIDE = 1400
"""Longer side of a photo on the page, in pixels; the reading is of the whole photo."""
MARGIN = 0.25
"""How much of its surroundings is shown with a single tile, as a share of its size."""


@dataclass(frozen=True)
class Photo:
    """A photo that was read.

    Attributes:
        key: the same for the same file.
        jpeg: the upright photo as it is shown, JPEG.
        reading: what was read, in pixels of the original.
    """

    key: str
    jpeg: bytes
    reading: Reading

    @property
    def address(self) -> str:
        """The shown photo as an address that needs no server."""
        return _address(self.jpeg)

    def around(self, polygon: Sequence[Point]) -> str:
        """The part of the shown photo around one tile, as an address."""
        shown = np.asarray(cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)
        corners = np.array(polygon) * (shown.shape[1] / self.reading.size[0])
        low, high = corners.min(0), corners.max(0)
        margin = MARGIN * (high - low).max()
        left, top = np.maximum(low - margin, 0).astype(int)
        right, bottom = np.ceil(high + margin).astype(int)
        part = shown[top:bottom, left:right]
        return _address(_jpeg(part)) if part.size else ""


def read_photo(data: bytes) -> Photo:
    """Reads the photo in a file's bytes.

    Raises:
        PhotoError: with a sentence for the user, whatever went wrong.
    """
    try:
        with st.spinner(_(texts.READING)):
            return _read(data)
    except PhotoError:
        raise
    except FileNotFoundError as error:  # the weights are not installed
        raise PhotoError(str(error)) from error
    except Exception as error:  # a file that breaks a decoder must not take the page down
        logging.getLogger(__name__).exception("a photo of %d bytes could not be read", len(data))
        raise PhotoError(texts.UNEXPECTED) from error


@st.cache_resource(show_spinner=False)
def _reader() -> tuple[TileReader, threading.Lock]:
    """One reader for all visitors, used by one at a time."""
    return TileReader(), threading.Lock()


@st.cache_data(show_spinner=False, max_entries=30)
def _read(data: bytes) -> Photo:
    picture = load_photo(data)
    reader, lock = _reader()
    with lock:
        reading = reader.read(picture)
    scale = min(1.0, SHOWN_SIDE / max(picture.shape[:2]))
    shown = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return Photo(hashlib.sha256(data).hexdigest(), _jpeg(np.asarray(shown, np.uint8)), reading)


def _jpeg(picture: NDArray[np.uint8]) -> bytes:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 82])[1].tobytes()


def _address(jpeg: bytes) -> str:
    return "data:image/jpeg;base64," + base64.b64encode(jpeg).decode()
