"""Photos on their way to the page: loaded, read and made small enough to be shown."""

from __future__ import annotations

import base64
import hashlib
import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakValueDictionary

import cv2
import numpy as np
import streamlit as st
from numpy.typing import NDArray
from starlette.requests import Request
from starlette.responses import Response

from assistant.dashboard import texts
from assistant.dashboard.language import _
from assistant.reasons import Reason
from assistant.tiles import Colour, Tile
from vision.inks import Ink
from vision.light import with_light_faces
from vision.profile import NOTHING_TAUGHT, Profile, ProfileError, Taught, cut, load, save, taught_at, taught_sets
from vision.reader import TileReader
from vision.reading import Point, Reading
from vision.sources import PhotoError, load_photo
from vision.weights import WeightsError

PATH = "/photo"
SHOWN_SIDE = 1400
"""Longer side of a photo on the page, in pixels; the reading is of the whole photo."""
MARGIN = 0.25
"""How much of its surroundings is shown with a single tile, as a share of its size."""
GAMMA, LIGHTEST_INK = 2.2, 0.3
"""Drawn inks of a taught set are darkened to this luminance (ITU-R BT.709): that of the yellow on tiles of any set."""


@dataclass(frozen=True)
class Photo:
    """A photo that was read.

    Attributes:
        key: the same for the same file, read with the same set.
        jpeg: the upright photo as it is shown, JPEG.
        reading: what was read, in pixels of the original.
    """

    key: str
    jpeg: bytes
    reading: Reading

    def address(self) -> str:
        """Where a browser gets the shown photo, once for all corrections, for as long as the visitor's session keeps it."""
        _offered[id(self)] = self
        return f"{PATH}/{self.key}"

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


_offered: WeakValueDictionary[int, Photo] = WeakValueDictionary()
"""The photos that browsers may ask for by their keys, which only who has a photo can know. Each visitor's session keeps an object of its
own, of the same photo too, which stays here as long."""


def offered_photo(request: Request) -> Response:
    """A photo as it is shown; not found once no visitor looks at it."""
    offered = (held() for held in _offered.valuerefs())  # a list of this moment: visitors come and go in other threads
    photo = next((photo for photo in offered if photo is not None and photo.key == request.path_params["key"]), None)
    if photo is None:
        return Response(status_code=404)
    return Response(photo.jpeg, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=3600, immutable"})


def read_photo(data: bytes, set_name: str | None = None) -> Photo:
    """Reads the photo in a file's bytes, which shows the taught set of this name, or any.

    Raises:
        PhotoError: with a sentence for the user, whatever went wrong.
    """
    try:
        with st.spinner(_(texts.READING)):
            return _read(data, set_name, 0 if set_name is None else taught_at(set_name))
    except PhotoError:
        raise
    except (ProfileError, WeightsError) as error:
        raise PhotoError(error.reason) from error
    except Exception as error:  # a file that breaks a decoder must not take the page down
        logging.getLogger(__name__).exception("a photo of %d bytes could not be read", len(data))
        raise PhotoError(Reason(texts.UNEXPECTED)) from error


@st.cache_resource(show_spinner=False)
def _reader() -> tuple[TileReader, threading.Lock]:
    """One reader for all visitors, used by one at a time."""
    return TileReader(), threading.Lock()


@st.cache_data(show_spinner=False, max_entries=30)
def _read(data: bytes, set_name: str | None, when: int) -> Photo:
    """The photo read with a set that was taught at a time: what was taught since reads it anew."""
    picture = load_photo(data)
    profile = None if set_name is None else profile_of(set_name)
    reader, lock = _reader()
    with lock:
        reading = reader.read(picture, profile=profile)
    return photo_of(picture, reading, data + (set_name or "").encode())


def photo_of(picture: NDArray[np.uint8], reading: Reading, made_of: bytes) -> Photo:
    """A picture that was read, with a key of its own for everything that it was made of."""
    scale = min(1.0, SHOWN_SIDE / max(picture.shape[:2]))
    shown = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return Photo(hashlib.sha256(made_of).hexdigest(), _jpeg(np.asarray(shown, np.uint8)), reading)


def profile_of(set_name: str) -> Profile:
    """The profile of a set that was taught. Raises ProfileError."""
    return _profile(set_name, taught_at(set_name))


@st.cache_resource(show_spinner=False, max_entries=30)
def _profile(set_name: str, when: int) -> Profile:
    """The same; what was taught at another time, here or on the command line, is another one."""
    reader, lock = _reader()
    with lock:
        return Profile(load(set_name), reader.classifier)


def teach(set_name: str, photo: Photo, tiles: Sequence[tuple[Tile, Sequence[Point]]]) -> Taught:
    """Adds what the tiles of a photo teach to a set, or begins one. Returns all that the set knows then.

    Args:
        tiles: what each is, and its outline in pixels of the original photo.

    Raises:
        ProfileError: when it cannot be stored.
    """
    shown = np.asarray(cv2.imdecode(np.frombuffer(photo.jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    if photo.reading.lightened is not None:
        shown = with_light_faces(shown, photo.reading.lightened)
    scale = shown.shape[1] / photo.reading.size[0]
    outlines = [np.array(polygon, np.float32) * scale for _tile, polygon in tiles]
    reader, lock = _reader()
    with lock:
        lesson = cut(reader.classifier, shown, outlines, [tile for tile, _polygon in tiles], hashlib.sha256(photo.jpeg).hexdigest())
        taught = (load(set_name) if set_name in taught_sets() else NOTHING_TAUGHT).with_photo(lesson)
        save(set_name, taught)
    return taught


def inks_in(photo: Photo, set_name: str | None) -> dict[Colour, Ink]:
    """The inks of the set in a photo: those that were taught, the others as they are in the photo."""
    return {**photo.reading.inks, **_inks_of_set(set_name)}


def taught_inks(set_name: str | None) -> dict[Colour, str]:
    """The colours of a set that was taught, as CSS has them."""
    return {colour: "#" + "".join(f"{round(255 * part):02x}" for part in _legible(ink)) for colour, ink in _inks_of_set(set_name).items()}


def _inks_of_set(set_name: str | None) -> dict[Colour, Ink]:
    """The inks of a set that was taught; none if it cannot be opened."""
    try:
        return {} if set_name is None else profile_of(set_name).inks
    except ProfileError:
        return {}


def _legible(ink: Ink) -> tuple[float, ...]:
    """An ink dark enough to be read on the face of a drawn tile."""
    luminance = sum(share * part**GAMMA for share, part in zip((0.2126, 0.7152, 0.0722), ink, strict=True))
    darker = min(1.0, (LIGHTEST_INK / max(luminance, 1e-6)) ** (1 / GAMMA))
    return tuple(darker * part for part in ink)


def _jpeg(picture: NDArray[np.uint8]) -> bytes:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 82])[1].tobytes()


def _address(jpeg: bytes) -> str:
    return "data:image/jpeg;base64," + base64.b64encode(jpeg).decode()
