"""Photos that can be used, and a sentence for each that cannot."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from vision import sources
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


# The pixel of the four in a square, by its row and column, that comes to the upper left by each EXIF orientation.
FIRST = {1: (0, 0), 2: (0, 1), 3: (1, 1), 4: (1, 0), 5: (0, 0), 6: (1, 0), 7: (1, 1), 8: (0, 1), 9: (0, 0)}


@pytest.mark.parametrize("form", ["JPEG", "MPO", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", FIRST)
def test_every_orientation_is_turned_upright_in_every_form(form: str, orientation: int) -> None:
    shades = np.array([[0, 80], [160, 240]], np.uint8)
    exif = Image.Exif()
    exif[0x0112] = orientation
    buffer = io.BytesIO()
    Image.fromarray(shades.repeat(32, 0).repeat(48, 1)).convert("RGB").save(buffer, form, exif=exif, save_all=form == "MPO")
    picture = load_photo(buffer.getvalue())
    turned = orientation in (5, 6, 7, 8)
    assert picture.shape == ((96, 64, 3) if turned else (64, 96, 3))
    assert picture.flags.c_contiguous
    row, column = FIRST[orientation]
    across, down = (shades[1 - row, column], shades[row, 1 - column]) if turned else (shades[row, 1 - column], shades[1 - row, column])
    seen = [int(picture[y, x, 0]) for y, x in ((9, 9), (9, -9), (-9, 9))]
    assert seen == pytest.approx([int(shades[row, column]), int(across), int(down)], abs=6)


def exif_with(*entries: tuple[int, int, int, bytes]) -> bytes:
    """EXIF whose entries (tag, type, count, value) need not fit together."""
    body = b"".join(struct.pack("<HHI4s", *entry) for entry in entries)
    return b"Exif\0\0II*\0" + struct.pack("<IH", 8, len(entries)) + body + bytes(4)


SIX = (0x0112, 3, 1, b"\6\0\0\0")
TEXT = (0x0128, 2, 2, b"2\0\0\0")  # the resolution's unit, a number, as text


@pytest.mark.filterwarnings("ignore::UserWarning")  # as `vision.sources` does, were it not for pytest
@pytest.mark.parametrize("form", ["JPEG", "MPO", "PNG", "WEBP"])
@pytest.mark.parametrize(
    ("exif", "upright"),
    [
        (exif_with(SIX, TEXT), False),
        (exif_with((0x0103, 5, 1, b"\x08\0\0\0"), SIX), False),
        (exif_with((0x0112, 2, 2, b"x\0\0\0")), True),
        (exif_with((0x0112, 3, 2, b"\6\0\6\0")), False),
        (b"Exif\0\0no EXIF at all", True),
    ],
)
def test_a_picture_whose_exif_is_wrong_is_read(form: str, exif: bytes, upright: bool) -> None:
    picture = load_photo(encoded(form, exif=exif, **({"save_all": True} if form == "MPO" else {})))
    assert picture.shape == ((100, 200, 3) if upright else (200, 100, 3))


def test_the_first_picture_of_several_in_a_file_is_read() -> None:
    other = Image.new("RGB", (64, 64), "blue")
    picture = load_photo(encoded("MPO", save_all=True, append_images=[other]))
    assert np.array_equal(picture, load_photo(encoded("JPEG")))


@pytest.mark.parametrize(
    ("mode", "options"),
    [("RGB", {}), ("RGB", {"progressive": True}), ("RGB", {"keep_rgb": True}), ("L", {}), ("CMYK", {}), ("RGB", {"size": (33, 35)})],
)
def test_a_jpeg_of_any_kind_is_as_opencv_decodes_it(mode: str, options: dict[str, object]) -> None:
    data = encoded("JPEG", mode, **options)
    assert np.array_equal(load_photo(data), cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR))


def scan_of(data: bytes) -> int:
    """Where a JPEG's coded pixels begin."""
    at = data.index(b"\xff\xda")
    return at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")


def test_a_jpeg_with_a_hole_is_damaged() -> None:
    whole = noise()
    middle = (scan_of(whole) + len(whole)) // 2
    with pytest.raises(PhotoError, match="the file is damaged: take or send"):
        load_photo(whole[:middle] + b"\xff\xd9" + whole[-2:])


@pytest.mark.parametrize("before", [b"\xff\xda", b"\xff\xd3"])
def test_bytes_too_many_between_the_parts_of_a_jpeg_do_no_harm(before: bytes) -> None:
    whole = encoded("JPEG", restart_marker_blocks=2)
    at = whole.index(before, scan_of(whole) if before == b"\xff\xd3" else 0)
    longer = whole[:at] + b"abc" + whole[at:]
    assert np.array_equal(load_photo(longer), load_photo(whole))
    with pytest.raises(PhotoError, match=r"damaged|cut off"):
        load_photo(longer[:-9])


def noise() -> bytes:
    """A JPEG with a scan of many bytes."""
    buffer = io.BytesIO()
    Image.fromarray(np.random.default_rng(0).integers(0, 255, (100, 200, 3), np.uint8)).save(buffer, "JPEG")
    return buffer.getvalue()


def test_what_webcams_fill_up_with_before_the_end_of_a_jpeg_does_no_harm(capfd: pytest.CaptureFixture[str]) -> None:
    whole = noise()
    assert np.array_equal(load_photo(whole[:-2] + bytes(7) + whole[-2:]), load_photo(whole))
    assert capfd.readouterr() == ("", ""), "live, that would be a line a picture"


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_a_jpeg_whose_pixels_end_too_early_is_damaged(share: float) -> None:
    whole = noise()
    at = scan_of(whole) + int(share * (len(whole) - scan_of(whole)))
    with pytest.raises(PhotoError, match="the file is damaged: take or send"):
        load_photo(whole[:at] + bytes(40) + whole[at + 40 :])


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
        (encoded("HEIF")[:60], "damaged"),
        (b"\0\0\0\x20ftypavif\0\0\0\0avifmif1miaf" + bytes(40), "is no photo"),
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


def test_any_wrong_bit_in_what_a_heic_tells_its_decoder_is_one_sentence_at_most() -> None:
    data = encoded("HEIF", size=(64, 64))
    begin = data.index(b"hvcC")
    end = begin - 4 + int.from_bytes(data[begin - 4 : begin], "big")
    refused = set()
    for bit in range(8 * (begin + 4), 8 * end):
        wrong = bytearray(data)
        wrong[bit // 8] ^= 1 << bit % 8
        try:
            load_photo(bytes(wrong))
        except PhotoError as error:
            refused.add(str(error))
    assert refused == {"the file is damaged: take or send the photo again"}


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(PhotoError, match="does not exist"):
        load_photo(tmp_path / "none.jpg")
    with pytest.raises(PhotoError, match="is a folder"):
        load_photo(tmp_path)
    with pytest.raises(PhotoError, match="'' does not exist"):
        load_photo("")


def test_a_name_that_is_too_long_for_a_file_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(PhotoError, match=r"cannot be read \(.+\): check the file"):
        load_photo(tmp_path / ("x" * 300))


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="the system has no file without an end")
def test_a_file_without_an_end_is_no_photo(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sources.MOST_BYTES >= 1 << 28
    monkeypatch.setattr(sources, "MOST_BYTES", 1 << 20)
    with pytest.raises(PhotoError, match="/dev/zero is no photo"):
        load_photo("/dev/zero")


def test_forty_eight_megapixels_are_read() -> None:
    assert load_photo(encoded("JPEG", "L", size=(8000, 6000))).shape == (6000, 8000, 3)
