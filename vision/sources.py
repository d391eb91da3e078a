"""Photos from files and uploads, as upright pictures."""

from __future__ import annotations

import io
from pathlib import Path

import cv2
import numpy as np
import pillow_heif
from PIL import Image, ImageOps, UnidentifiedImageError

from assistant.reasons import Reason
from vision.straighten import Picture

FORMATS = ("JPEG", "PNG", "WEBP", "HEIF")
MOST_PIXELS = 64_000_000
"""Larger pictures than any phone's are refused before they fill the memory."""
LEAST_SIDE = 32
"""No tile can be read from a picture with a shorter side, in pixels."""

pillow_heif.register_heif_opener()
Image.MAX_IMAGE_PIXELS = None  # the size is judged here, from the header


class PhotoError(ValueError):
    """A photo that cannot be used; the reason says why and what to do."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


def load_photo(source: str | Path | bytes) -> Picture:
    """A photo as an upright picture, uint8 BGR (height, width, 3), its EXIF orientation obeyed.

    Args:
        source: a file's path, or the file's bytes (an upload).

    Raises:
        PhotoError: for anything that is no usable JPEG, PNG, WebP or HEIC.
    """
    name, data = _bytes_of(source)
    if not data:
        raise PhotoError(Reason("{name} is empty: take or send the photo again", name=name))
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as image:
            width, height = image.size
            form = image.format
            if width * height > MOST_PIXELS:
                reason = Reason(
                    "{name} has {count} megapixels: send one of at most {most}",
                    name=name,
                    count=round(width * height / 1e6),
                    most=MOST_PIXELS // 10**6,
                )
                raise PhotoError(reason)
            if min(width, height) < LEAST_SIDE:
                reason = Reason(
                    "{name} has only {width} x {height} pixels: send a photo of at least {least} x {least}",
                    name=name,
                    width=width,
                    height=height,
                    least=LEAST_SIDE,
                )
                raise PhotoError(reason)
            if form == "JPEG":
                return _decode_jpeg(name, data)
            upright = ImageOps.exif_transpose(image)
            if upright.mode.startswith("I"):  # 16 bits a pixel, which Pillow would cut off at the 8 of other pictures
                upright = Image.fromarray((np.asarray(upright) >> 8).astype(np.uint8))
            upright = upright.convert("RGBA")
    except PhotoError:
        raise
    except UnidentifiedImageError:
        raise PhotoError(Reason("{name} is no photo: send a JPEG, PNG, WebP or HEIC file", name=name)) from None
    except (OSError, SyntaxError, EOFError, ValueError) as error:  # ValueError: a HEIC that is cut off
        raise PhotoError(Reason("{name} is damaged: take or send the photo again", name=name)) from error
    white = Image.new("RGBA", upright.size, "white")
    white.alpha_composite(upright)
    return np.ascontiguousarray(np.asarray(white.convert("RGB"))[..., ::-1])


def _bytes_of(source: str | Path | bytes) -> tuple[str | Reason, bytes]:
    """What to call the photo, and its contents."""
    if isinstance(source, bytes):
        return Reason("the file"), source
    path = Path(source)
    if path.is_dir():
        raise PhotoError(Reason("{name} is a folder: name a photo in it", name=str(source)))
    try:
        return str(source), path.read_bytes()
    except FileNotFoundError:
        raise PhotoError(Reason("{name} does not exist: check the file's name", name=str(source))) from None
    except OSError as error:
        raise PhotoError(Reason("{name} cannot be read ({why}): check the file", name=str(source), why=str(error.strerror))) from None


def _decode_jpeg(name: str | Reason, data: bytes) -> Picture:
    """OpenCV decodes a JPEG several times faster than Pillow and turns it upright, but takes half a file for whole."""
    if not _jpeg_is_whole(data):
        raise PhotoError(Reason("{name} is cut off before its end: take or send the photo again", name=name))
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise PhotoError(Reason("{name} is damaged: take or send the photo again", name=name))
    return np.asarray(picture, np.uint8)


def _jpeg_is_whole(data: bytes) -> bool:
    """Whether the main picture of a JPEG ends: its segments are followed to the first scan, then an end marker is sought.

    Within a scan 0xFF is always followed by 0x00 or a restart marker, so that the bytes of an end marker (FF D9) can be
    nothing else. (ITU-T T.81, B.1.1.5)
    """
    try:
        scan = jpeg_scan(data)
    except ValueError:
        return False
    return scan is not None and data.find(b"\xff\xd9", scan) >= 0


def jpeg_scan(data: bytes | bytearray) -> int | None:
    """Where the first scan of the JPEG that `data` begin with has its marker; None when they end before it.

    Raises:
        ValueError: when the data are no JPEG.
    """
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            raise ValueError("a JPEG must consist of segments")
        marker = data[at + 1]
        if marker == 0xDA:
            return at
        at += 1 if marker == 0xFF else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None
