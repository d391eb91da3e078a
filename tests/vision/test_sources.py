"""Photos that can be used, and a sentence for each that cannot."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision.sources import PhotoError, load_photo


def encoded(form: str, mode: str = "RGB", size: tuple[int, int] = (200, 100), **options: object) -> bytes:
    """A picture with a red left half."""
    image = Image.new("RGB", size, "white")
    image.paste("red", (0, 0, size[0] // 2, size[1]))
    buffer = io.BytesIO()
    image.convert(mode).save(buffer, form, **options)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("form", "mode"),
    [("JPEG", "RGB"), ("JPEG", "L"), ("PNG", "RGB"), ("PNG", "RGBA"), ("PNG", "L"), ("PNG", "P"), ("WEBP", "RGB"), ("HEIF", "RGB")],
)
def test_every_format_is_bgr_of_the_same_shape(form: str, mode: str) -> None:
    picture = load_photo(encoded(form, mode))
    assert picture.shape == (100, 200, 3)
    assert picture.dtype == np.uint8
    if mode != "L":
        assert np.abs(picture[50, 40].astype(int) - [0, 0, 255]).max() < 25
        assert picture[50, 160].min() > 230


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_exif_orientation_is_obeyed(form: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turn a quarter clockwise to see it upright
    picture = load_photo(encoded(form, exif=exif))
    assert picture.shape == (200, 100, 3)
    assert picture[40, 50, 0] < 60
    assert picture[160, 50, 0] > 200


def test_transparency_is_white() -> None:
    buffer = io.BytesIO()
    Image.new("RGBA", (64, 64), (0, 0, 0, 0)).save(buffer, "PNG")
    assert load_photo(buffer.getvalue()).min() == 255


def test_grey_of_16_bits_is_as_bright_as_of_8() -> None:
    shades = np.tile(np.arange(64, dtype=np.uint8) * 4, (64, 1))
    pictures = []
    for pixels in (shades, shades.astype(np.uint16) * 257):
        buffer = io.BytesIO()
        Image.fromarray(pixels).save(buffer, "PNG")
        pictures.append(load_photo(buffer.getvalue()))
    assert np.array_equal(pictures[0], pictures[1])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b"this is a text, not a photo", "is no photo"),
        (encoded("GIF"), "is no photo"),
        (encoded("PNG", size=(1, 1)), "only 1 x 1 pixels"),
        (encoded("PNG", "1", size=(12_000, 9_000)), "108 megapixels"),
        (encoded("JPEG")[:-200], "cut off"),
        (encoded("JPEG")[:40], "damaged|cut off|no photo"),
        (encoded("PNG")[:-60], "damaged"),
        (encoded("WEBP")[:-60], "damaged"),
        (encoded("HEIF")[:-60], "damaged"),
    ],
)
def test_what_cannot_be_used_gets_one_sentence(data: bytes, words: str, tmp_path: Path) -> None:
    with pytest.raises(PhotoError, match=words):
        load_photo(data)
    path = tmp_path / "photo.jpg"
    path.write_bytes(data)
    with pytest.raises(PhotoError, match=words) as caught:
        load_photo(path)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(PhotoError, match="does not exist"):
        load_photo(tmp_path / "none.jpg")
    with pytest.raises(PhotoError, match="is a folder"):
        load_photo(tmp_path)


def test_forty_eight_megapixels_are_read() -> None:
    assert load_photo(encoded("JPEG", "L", size=(8000, 6000))).shape == (6000, 8000, 3)
