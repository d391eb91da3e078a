"""Photos from files and uploads, as upright pictures."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pillow_heif
import simplejpeg
from PIL import ExifTags, Image, UnidentifiedImageError

from assistant.reasons import Reason
from vision.straighten import Picture

FORMATS = ("JPEG", "PNG", "WEBP", "HEIF")
MOST_BYTES = 1 << 28
"""No more is read of a file: no photo is as long, and a device may have no end."""
MOST_PIXELS = 64_000_000
"""Larger pictures are refused before they fill the memory; phones that take 200 megapixels keep 12 to 50 unless told otherwise."""
LEAST_SIDE = 32
"""No tile can be read from a picture with a shorter side, in pixels."""

HARMLESS = re.compile(r"extraneous bytes before marker 0x(?!d9)|JFIF revision|Adobe color transform|Invalid SOS parameters")
"""Of what libjpeg remarks: it costs no pixel."""
TOO_EARLY, MOST_PADDING = re.compile(r"(\d+) extraneous bytes before marker 0xd9"), 16
"""Nor do so few bytes left before the end, which webcams fill up with; where pixels are damaged, more are left: 18 or more in each of 547
pictures that were damaged so that libjpeg remarks on it."""
Turn = Callable[[Picture], "cv2.typing.MatLike"]
UPRIGHT: dict[int, Turn] = {
    2: lambda picture: cv2.flip(picture, 1),
    3: lambda picture: cv2.rotate(picture, cv2.ROTATE_180),
    4: lambda picture: cv2.flip(picture, 0),
    5: cv2.transpose,
    6: lambda picture: cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE),
    7: lambda picture: cv2.rotate(cv2.transpose(picture), cv2.ROTATE_180),
    8: lambda picture: cv2.rotate(picture, cv2.ROTATE_90_COUNTERCLOCKWISE),
}
"""What turns a picture upright, by its EXIF orientation; by any other it is upright."""

pillow_heif.register_heif_opener()
Image.MAX_IMAGE_PIXELS = None  # the size is judged here, from the header
warnings.filterwarnings("ignore", module=r"PIL\.")  # Pillow's remarks on EXIF of which no sense can be made


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
            # An MPO is a JPEG that others follow, as phones take it with their depths.
            picture = _main_picture(name, data) if image.format in ("JPEG", "MPO") else _on_white(image)
            turn = _turn_of(image)
    except PhotoError:
        raise
    except UnidentifiedImageError:
        if pillow_heif.get_file_mimetype(data).startswith("image/hei"):  # cut off before its pixels
            raise _damaged(name) from None
        raise _no_photo(name) from None
    except (OSError, SyntaxError, EOFError, ValueError, RuntimeError) as error:  # the last two from a HEIC that is cut off, or too large
        raise _damaged(name) from error
    return picture if turn is None else np.asarray(turn(picture), np.uint8)


def _bytes_of(source: str | Path | bytes) -> tuple[str | Reason, bytes]:
    """What to call the photo, and its contents."""
    if isinstance(source, bytes):
        return Reason("the file"), source
    path, name = Path(source), str(source) or "''"
    try:
        if not str(source):
            raise FileNotFoundError
        if path.is_dir():
            raise PhotoError(Reason("{name} is a folder: name a photo in it", name=name))
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise PhotoError(Reason("{name} does not exist: check the file's name", name=name)) from None
    except OSError as error:
        raise PhotoError(Reason("{name} cannot be read ({why}): check the file", name=name, why=str(error.strerror))) from None
    if len(data) > MOST_BYTES:
        raise _no_photo(name)
    return name, data


def _no_photo(name: str | Reason) -> PhotoError:
    return PhotoError(Reason("{name} is no photo: send a JPEG, PNG, WebP or HEIC file", name=name))


def _damaged(name: str | Reason) -> PhotoError:
    return PhotoError(Reason("{name} is damaged: take or send the photo again", name=name))


def _main_picture(name: str | Reason, data: bytes) -> Picture:
    """The main picture of a JPEG."""
    try:
        return decode_jpeg(data)
    except ValueError as error:
        if "Premature end of JPEG file" not in str(error):
            raise _damaged(name) from error
        raise PhotoError(Reason("{name} is cut off before its end: take or send the photo again", name=name)) from error


def decode_jpeg(data: bytes) -> Picture:
    """A JPEG as it is stored; simplejpeg decodes as fast as OpenCV and, unlike it, says what it has to guess, and that not on stderr.

    Raises:
        ValueError: saying what, when that costs pixels.
    """
    try:
        return np.asarray(simplejpeg.decode_jpeg(data, "BGR"), np.uint8)
    except ValueError as error:
        left = TOO_EARLY.search(str(error))
        if not HARMLESS.search(str(error)) and (left is None or int(left[1]) > MOST_PADDING):
            raise
        with suppress(ValueError):
            return np.asarray(simplejpeg.decode_jpeg(data, "BGR", strict=False), np.uint8)
        # OpenCV, as simplejpeg takes no remark on the header, however lenient
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
        if picture is None:
            raise
    return np.asarray(picture, np.uint8)


def _on_white(image: Image.Image) -> Picture:
    """The pixels of any other picture, white where it is transparent."""
    if image.mode.startswith("I"):  # 16 bits a pixel, which Pillow would cut off at the 8 of other pictures
        image = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
    if image.has_transparency_data:
        white = Image.new("RGBA", image.size, "white")
        white.alpha_composite(image.convert("RGBA"))
        image = white
    return np.asarray(cv2.cvtColor(np.asarray(image.convert("RGB")), cv2.COLOR_RGB2BGR), np.uint8)


def _turn_of(image: Image.Image) -> Turn | None:
    """What turns a picture that is decoded upright by its EXIF; None when it is upright, or its EXIF makes no sense."""
    try:
        return UPRIGHT.get(image.getexif().get(ExifTags.Base.Orientation, 1))
    except Exception:  # what is no EXIF fails in any place and way
        return None


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
