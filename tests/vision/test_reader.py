"""The reader with the shipped weights: on istaka's own sample, on pictures without tiles, and on real photos."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from assistant.tiles import COLOURS, UNREADABLE, Colour, Rack, Tile
from vision.classify import FACE_COLUMNS, FALSE_JOKER_COLUMN, NO_TILE_COLUMN, Classified
from vision.light import with_light_faces
from vision.locate import FAR_LOOKS, FIRST_LOOK, Locator, corner_square, shares_left, without_doubles
from vision.profile import Profile, Taught, cut
from vision.reader import TileReader
from vision.reading import Place, Reading, SeenTile
from vision.second_look import DOUBTED, TOP_SIDE, SecondLook, digits_of_others
from vision.sight import tell
from vision.sources import load_photo
from vision.straighten import Picture, Pyramid
from vision.weights import MODELS
from vision.workshop.ablate import STEPS, without
from vision.workshop.alter import lit, veiled

SAMPLE = Path(__file__).resolve().parents[2] / "assistant" / "dashboard" / "sample.jpg"
SAMPLE_RACK = "R3 R4 R5 | K9 B9 Y9 | J / B10 B11 B12 B13 | Y1 K1 R1 | R8"


@pytest.fixture(scope="module")
def reader() -> TileReader:
    return TileReader()


def test_corners_of_what_stands_upright_start_at_its_top_left() -> None:
    """Corners may start anywhere, but what starts elsewhere is read twice."""
    locator, pyramid = Locator(MODELS), Pyramid(load_photo(SAMPLE))
    boxes, _ = locator.find_boxes(pyramid)
    for looks in (2, 3):
        assert (locator.find_corners(pyramid, boxes, looks).sum(2).argmin(1) == 0).mean() > 0.9


@pytest.fixture(scope="module")
def sample() -> Picture:
    return load_photo(SAMPLE)


@pytest.fixture(scope="module")
def sample_reading(reader: TileReader, sample: Picture) -> Reading:
    return reader.read(sample)


def seen(reading: Reading) -> tuple[str, str]:
    return str(reading.rack), str(reading.indicator)


def test_the_weights_are_those_of_the_checksums_and_small_enough_for_git() -> None:
    sums = json.loads((MODELS / "checksums.json").read_text())
    files = sorted(MODELS.glob("*.onnx"))
    assert {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files} == sums
    assert sum(path.stat().st_size for path in files) < 30_000_000, "a clone takes them all, as often as they are trained"


def test_corners_are_looked_for_in_squares_of_any_size_and_turn() -> None:
    box = np.array([10, 20, 50, 80], np.float32)
    assert corner_square(box, 1).tolist() == [[0, 20], [60, 20], [60, 80], [0, 80]]
    assert corner_square(box, 2, 90) == pytest.approx(np.array([[90, -10], [90, 110], [-30, 110], [-30, -10]]), abs=1e-4)


def test_how_much_the_edge_leaves_of_a_tile_is_told_by_the_nearest_whole_ones() -> None:
    near = [np.array([[x, 100], [x + 40, 100], [x + 40, 160], [x, 160]], np.float32) for x in (100, 140, 180)]
    large = [np.array([[x, 500], [x + 160, 500], [x + 160, 740], [x, 740]], np.float32) for x in (100, 300, 500)]
    scrap = np.array([[140, -45], [180, -45], [180, 15], [140, 15]], np.float32)
    left = shares_left(np.stack([*near, *large, scrap]), (800, 800))
    assert left == pytest.approx([1] * 6 + [0.25])
    assert shares_left(np.stack([*near[:2], scrap]), (800, 800)) == pytest.approx([1, 1, 1]), "two whole tiles do not tell"
    assert shares_left(np.zeros((0, 4, 2), np.float32), (800, 800)).shape == (0,)


def test_of_two_outlines_for_one_tile_the_surer_is_kept() -> None:
    tile = np.array([[0, 0], [40, 0], [40, 60], [0, 60]], np.float32)
    shifted, beside, point = np.add(tile, (15, 5)), np.add(tile, (42, 0)), np.full((4, 2), 200)
    crossed = np.add(tile[[0, 2, 1, 3]], (300, 0))
    corners = np.stack([shifted, tile, beside, point, crossed]).astype(np.float32)
    assert without_doubles(corners, np.array([0.6, 0.9, 0.8, 1.0, 1.0])).tolist() == [1, 2]
    assert without_doubles(corners, np.array([0.9, 0.6, 0.8, 1.0, 1.0])).tolist() == [0, 2]
    assert without_doubles(corners[:0], np.zeros(0)).tolist() == []


@pytest.mark.parametrize(("side", "kept"), [(12, [0]), (40, [0, 1])])
def test_what_is_far_smaller_than_a_tile_that_covers_it_in_part_is_a_piece_of_it(side: int, kept: list[int]) -> None:
    """Two fifths of it are covered: so much may be of a tile that another one lies on."""
    tile = np.array([[0, 0], [50, 0], [50, 70], [0, 70]], np.float32)
    other = np.add([[0, 0], [side, 0], [side, side], [0, side]], [50 - 0.4 * side, 10])
    assert without_doubles(np.stack([tile, other]).astype(np.float32), np.array([0.9, 0.5])).tolist() == kept


def test_the_sample_is_read_exactly(reader: TileReader, sample: Picture) -> None:
    reading = reader.read(sample, "sample.jpg")
    assert seen(reading) == (SAMPLE_RACK, "B8")
    assert reading.size == (1600, 1200)
    assert reading.photo == "sample.jpg"
    assert set(reading.ms) == {"detect", "classify", "decode", "total"}


@pytest.mark.parametrize("turn", [cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE])
def test_a_turned_camera_reads_the_same(reader: TileReader, sample: Picture, turn: int) -> None:
    assert seen(reader.read(np.asarray(cv2.rotate(sample, turn), np.uint8))) == (SAMPLE_RACK, "B8")


@pytest.mark.parametrize("size", [(640, 480), (1280, 960), (4000, 3000)])
def test_any_resolution_reads_the_same(reader: TileReader, sample: Picture, size: tuple[int, int]) -> None:
    resized = cv2.resize(sample, size, interpolation=cv2.INTER_AREA if size[0] < 1600 else cv2.INTER_CUBIC)
    assert seen(reader.read(np.asarray(resized, np.uint8))) == (SAMPLE_RACK, "B8")


@pytest.mark.parametrize("light", [(0.05, 0.05, 0.05), (0.02, 0.04, 0.06)])
def test_a_picture_with_hardly_any_light_reads_the_same(reader: TileReader, sample: Picture, light: tuple[float, float, float]) -> None:
    dark = lit(light, noise=0.004)(sample)
    assert seen(reader.read(dark)) == (SAMPLE_RACK, "B8")
    with without(STEPS["dark pictures stay as dark"]):
        assert seen(reader.read(dark)) != (SAMPLE_RACK, "B8")


@pytest.mark.parametrize("lamp", [(0.012, 0.015, 1.0), (0.02, 0.5, 0.03), (1.0, 0.02, 0.015)])
def test_in_the_light_of_one_colour_the_same_is_read(reader: TileReader, sample: Picture, lamp: tuple[float, float, float]) -> None:
    assert seen(reader.read(lit(lamp)(sample))) == (SAMPLE_RACK, "B8")


@pytest.mark.parametrize("lamp", [(0.012, 0.015, 1.0), (1.0, 0.02, 0.015)])
def test_red_and_blue_light_that_stays_so_is_misread(reader: TileReader, sample: Picture, lamp: tuple[float, float, float]) -> None:
    with without(STEPS["light of one colour stays so"]):
        assert seen(reader.read(lit(lamp)(sample))) != (SAMPLE_RACK, "B8")


def grey(picture: Picture, tint: tuple[float, float, float] = (1, 1, 1)) -> Picture:
    """A picture in shades of grey, or of a tint, BGR."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[:, :, None] * np.array(tint), np.uint8)


def stamped(picture: Picture) -> Picture:
    """A picture with the time printed into it in orange, as a messenger sends it."""
    cv2.putText(picture, "2024-05-01 21:30", (20, 60), cv2.FONT_HERSHEY_SIMPLEX, 2, (0, 150, 255), 4)
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 60])[1], cv2.IMREAD_COLOR), np.uint8)


COLOURLESS = {
    "grey": grey,
    "sepia": lambda picture: grey(picture, (0.7, 0.9, 1)),
    "stamped": lambda picture: stamped(grey(picture)),
    "faded": lambda picture: cv2.addWeighted(picture, 0.06, grey(picture), 0.94, 0),
}


@pytest.mark.parametrize("look", COLOURLESS)
def test_of_a_picture_without_colours_numbers_are_guessed_but_no_colours(
    reader: TileReader, sample: Picture, look: str, sample_reading: Reading
) -> None:
    reading = reader.read(COLOURLESS[look](sample))
    assert {str(tile.tile) for tile in reading.tiles} == {"?", "J"}
    numbers = [tile.guess.number for tile in reading.tiles if tile.guess is not None]
    assert numbers == [tile.tile.number for tile in sample_reading.tiles]
    assert [str(warning) for warning in reading.warnings if "shades of grey" in str(warning)]
    assert not any("shades of grey" in str(warning) for warning in sample_reading.warnings)


@pytest.mark.parametrize("turn", [None, cv2.ROTATE_180, cv2.ROTATE_90_CLOCKWISE])
def test_a_mirrored_picture_is_read_turned_back(reader: TileReader, sample: Picture, turn: int | None, sample_reading: Reading) -> None:
    mirrored = np.ascontiguousarray(sample[:, ::-1])
    held = mirrored if turn is None else np.asarray(cv2.rotate(mirrored, turn), np.uint8)
    reading = reader.read(held)
    assert seen(reading) == (SAMPLE_RACK, "B8")
    assert [str(warning) for warning in reading.warnings if "mirrored" in str(warning)]
    if turn is None:
        assert not sample_reading.warnings
        polygons = [np.array([tile.outline for tile in one.tiles]) for one in (reading, sample_reading)]
        assert np.abs([sample.shape[1] - 1, 0] + polygons[0] * [-1, 1] - polygons[1]).max() < 3
        with without(STEPS["mirrored pictures are not turned back"]):
            assert seen(reader.read(held)) != (SAMPLE_RACK, "B8")


@pytest.mark.parametrize("share", [0.2, 0.4, 0.6])
@pytest.mark.parametrize("tint", [(1.0, 1.0, 1.0), (1.3, 1.0, 0.8), (0.4, 0.8, 1.3)])
def test_light_scattered_in_the_lens_changes_no_colour(
    reader: TileReader, sample: Picture, share: float, tint: tuple[float, float, float]
) -> None:
    veil, reddish = veiled(share, tint)(sample), tint[2] > 1
    reading = reader.read(veil)
    assert seen(reading) == (SAMPLE_RACK, "B8")
    if share > 0.2 or not reddish:  # that little blue is left as it is, and in doubt
        assert all(tile.confidence >= 0.9 for tile in reading.tiles)
    if share == 0.6 and reddish:
        with without(STEPS["veils stay"]):
            assert seen(reader.read(veil)) != (SAMPLE_RACK, "B8")


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_set_with_dark_faces_is_read_as_one_with_light_ones(
    reader: TileReader, sample: Picture, mirrored: bool, sample_reading: Reading
) -> None:
    """The sample with light and dark exchanged: white numbers stand for black ones."""
    dark = with_light_faces(np.ascontiguousarray(sample[:, ::-1]) if mirrored else sample)
    reading = reader.read(dark)
    assert seen(reading) == (SAMPLE_RACK, "B8")
    assert reading.lightened is not None and sample_reading.lightened is None
    assert any("mirrored" in str(warning) for warning in reading.warnings) == mirrored
    assert reader.look(dark).light == pytest.approx(dark.mean() / 255, abs=0.02), "hints speak of the picture's own light"
    with without(STEPS["dark faces stay dark"]):
        assert seen(reader.read(dark)) != (SAMPLE_RACK, "B8")


def test_dark_faces_are_told_though_some_of_their_numbers_are_clear_as_they_are(reader: TileReader, sample: Picture) -> None:
    """As a camera saves it, half of the sample's dark tiles are seen and read as they are."""
    jpeg = cv2.imencode(".jpg", with_light_faces(sample))[1]
    dark = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
    with without(STEPS["dark faces stay dark"]):
        assert reader.read(dark).tiles
    assert seen(reader.read(dark)) == (SAMPLE_RACK, "B8")


def test_dark_faces_have_to_be_read_more_clearly_to_be_sure(reader: TileReader, sample: Picture) -> None:
    clear = reader.look(sample)
    less_clear = replace(clear, number=np.float32(0.996) * clear.number + np.float32(0.004 / clear.number.shape[1]))
    for sight, sure_if_dark in ((clear, True), (less_clear, False)):
        for lightened in (None, (1.0, 1.0, 1.0)):
            tiles = tell(replace(sight, lightened=lightened)).reading.tiles
            sure = [tile.confidence >= 0.9 for tile in tiles if tile.tile.is_numbered]
            assert sure == [lightened is None or sure_if_dark] * 15


def test_black_that_looks_red_is_black_in_a_jpeg_too(reader: TileReader, sample: Picture) -> None:
    """Beside blue edges a JPEG's blots have less red than the black numbers; they were taken for all that lies over these."""
    jpeg = cv2.imencode(".jpg", veiled(0.3, (0, 0, 1))(sample))[1]
    assert seen(reader.read(np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8))) == (SAMPLE_RACK, "B8")


@pytest.mark.parametrize(
    ("ink", "uneven_veil", "sure"),
    [((0.5, 0.45, 0.25), 0.2, False), ((0.5, 0.45, 0.25), 0.05, True), ((0.7, 0.35, 0.1), 0.2, True), ((0.5, 0.47, 0.02), 0.2, True)],
)
def test_blue_that_may_be_what_is_left_of_a_veil_on_black_is_not_sure(
    ink: tuple[float, float, float], uneven_veil: float, sure: bool, reader: TileReader, sample: Picture
) -> None:
    """Told and doubted by the ink alone: what is read stays, and what is of another colour stays sure."""
    clear = reader.look(sample)
    is_blue = clear.colour.argmax(1) == COLOURS.index(Colour.BLUE)
    greyish = replace(clear, ink=np.where(is_blue[:, None], np.float32(ink), clear.ink), uneven_veil=uneven_veil)
    before, now = (tell(sight).reading.tiles for sight in (clear, greyish))
    assert [tile.tile for tile in now] == [tile.tile for tile in before]
    for tile in now:
        if tile.tile.is_numbered:
            assert (tile.confidence >= 0.9) == (sure or tile.tile.colour != Colour.BLUE)


def test_two_tiles_tell_nothing_of_dark_faces(reader: TileReader, sample: Picture, sample_reading: Reading) -> None:
    """Two dark keys with numbers on them are no tiles."""
    upper = [tile for tile in sample_reading.tiles if tile.place is Place.RACK and tile.row == 0]
    for count, dark in ((2, False), (4, True)):
        corners = np.concatenate([tile.outline for tile in upper[:count]])
        left, top = (corners.min(0) - 6).astype(int)
        right, bottom = (corners.max(0) + 6).astype(int)
        part = with_light_faces(np.ascontiguousarray(sample[top:bottom, left:right]))
        assert (reader.look(part).lightened is not None) == dark


def test_dark_tiles_above_a_table_are_looked_at_closer(reader: TileReader, sample: Picture) -> None:
    dark = with_light_faces(sample)
    part = (0, 0, sample.shape[1], sample.shape[0] // 2)
    closer = reader.look_closer(dark, reader.look(dark), part)
    as_light = reader.look_closer(sample, reader.look(sample), part)
    assert sorted(closer.number.argmax(1)) == sorted(as_light.number.argmax(1))


def test_five_numbers_tell_that_a_picture_is_mirrored(reader: TileReader, sample: Picture, sample_reading: Reading) -> None:
    upper = [tile for tile in sample_reading.tiles if tile.place is Place.RACK and tile.row == 0]
    for first in (0, 1):
        corners = np.concatenate([tile.outline for tile in upper[first : first + 5]])
        left, top = (corners.min(0) - 6).astype(int)
        right, bottom = (corners.max(0) + 6).astype(int)
        part = np.ascontiguousarray(sample[top:bottom, left:right])
        assert not reader.look(part).mirrored
        assert reader.look(np.ascontiguousarray(part[:, ::-1])).mirrored


def test_what_was_taught_tells_nothing_of_whether_a_picture_is_mirrored(
    reader: TileReader, sample: Picture, sample_reading: Reading
) -> None:
    """A set of which each tile was taught as two, and clearly only in a mirror: as it is, then, all of it is doubted."""
    tiles = [tile for tile in sample_reading.tiles if tile.tile.is_numbered]
    named = [tile.tile for tile in tiles]
    lesson = cut(reader.classifier, sample, [np.array(tile.outline, np.float32) for tile in tiles], named, "sample")
    others = [Tile(tile.colour, (tile.number or 0) % 13 + 1) for tile in named]
    crops = np.concatenate([lesson.crops, lesson.crops, np.ascontiguousarray(lesson.crops[:, :, ::-1])])
    profile = Profile(Taught(crops, (*named, *others, *named), ("sample",) * len(crops)), reader.classifier)
    assert sum(tile.confidence < 0.9 for tile in reader.read(sample, profile=profile).tiles) > len(tiles) / 2
    assert not reader.look(sample, profile).mirrored


def test_a_part_of_a_mirrored_picture_is_looked_at_turned_back_too(reader: TileReader, sample: Picture) -> None:
    mirrored = np.ascontiguousarray(sample[:, ::-1])
    sight = reader.look(mirrored)
    closer = reader.look_closer(mirrored, sight, (250, 200, 1500, 700))
    assert tell(closer).reading.rack == tell(sight).reading.rack == Rack.parse(SAMPLE_RACK)


def test_a_tile_that_fills_the_picture_is_read_as_one(reader: TileReader, sample: Picture, sample_reading: Reading) -> None:
    def read_from_close_by(tile: SeenTile, share: float) -> list[str]:
        outline = np.array(tile.outline, np.float32)
        reach = np.ptp(outline, axis=0).max() / share / 2
        low = np.maximum(outline.mean(0) - reach, 0).astype(int)
        high = (outline.mean(0) + reach).astype(int)
        part = sample[low[1] : high[1], low[0] : high[0]]
        scale = 800 / max(part.shape)
        reading = reader.read(cv2.resize(part, None, fx=scale, fy=scale))
        shown = ((outline - low) * scale).astype(np.float32)
        return [str(one.tile) for one in reading.tiles if cv2.pointPolygonTest(shown, np.mean(one.outline, 0), False) > 0]

    near = [(tile, share) for tile in sample_reading.tiles for share in (0.7, 0.8)]
    with without(STEPS["tiles are not looked for from farther away"]):
        assert sum(read_from_close_by(*one) != [str(one[0].tile)] for one in near) >= 5, "digits and marks are tiles of their own"
    assert [read_from_close_by(*one) for one in near] == [[str(tile.tile)] for tile, _ in near]


def test_a_pale_tile_that_fills_much_of_the_picture_is_found_from_far_away(
    reader: TileReader, sample: Picture, sample_reading: Reading
) -> None:
    false_joker = next(tile for tile in sample_reading.tiles if str(tile.tile) == "J")
    outline = np.array(false_joker.outline)
    reach = np.ptp(outline, axis=0).max() / 0.7 / 2
    (left, top), (right, bottom) = ((outline.mean(0) + way * reach).astype(int) for way in (-1, 1))
    pale = (0.12 * cv2.resize(sample[top:bottom, left:right], (800, 800)) + 140).astype(np.uint8)
    assert [str(tile.tile) for tile in reader.read(pale).tiles] == ["J"]
    with patch("vision.locate.FAR_LOOKS", FAR_LOOKS[:1]):
        assert "J" not in [str(tile.tile) for tile in reader.read(pale).tiles]


def test_only_where_a_tile_may_fill_much_of_the_picture_is_it_looked_at_from_far_away(reader: TileReader, sample: Picture) -> None:
    def sizes_looked_at(picture: Picture) -> list[int]:
        with patch.object(Locator, "_look", autospec=True, side_effect=Locator._look) as look:
            reader.read(picture)
        return [call.args[2] for call in look.call_args_list]

    far = [size for size, _ in FAR_LOOKS]
    half_as_large = cv2.resize(sample, (800, 600), interpolation=cv2.INTER_AREA)
    from_farther = np.asarray(cv2.copyMakeBorder(half_as_large, 150, 150, 200, 200, cv2.BORDER_REPLICATE), np.uint8)
    assert sizes_looked_at(from_farther) == [FIRST_LOOK], "a whole rack: its tiles are far too small"
    assert sizes_looked_at(np.ascontiguousarray(sample[500:800, 300:700])) == [FIRST_LOOK, *far], "a few of its tiles"


@pytest.mark.parametrize(
    ("chance", "score", "digit", "left", "is_digit"),
    [
        (0.99, 0.8, 3, 50, True),
        (0.99, 0.8, 1, 5, True),
        (0.99, 0.8, 2, 50, False),
        (0.85, 0.8, 3, 50, False),
        (0.99, 0.4, 3, 50, False),
        (0.99, 0.8, 3, 130, False),
    ],
)
def test_what_is_read_within_a_13_is_its_digit(chance: float, score: float, digit: int, left: int, is_digit: bool) -> None:
    """Unless it is none of its digits, the 13 is doubted or hardly found, or it lies beside it."""
    whole = np.array([[0, 0], [100, 0], [100, 140], [0, 140]], np.float32)
    within = np.array([[left, 20], [left + 45, 20], [left + 45, 80], [left, 80]], np.float32)
    number = np.full((2, 16), 0.01, np.float32)
    number[0, 12], number[1, digit - 1] = chance, 0.999
    seen = Classified(np.stack([whole, within]), number, np.zeros((2, 4), np.float32), *np.zeros((2, 2, 3), np.float32))
    assert digits_of_others(seen, np.array([score, 0.7], np.float32)).tolist() == [False, is_digit]


@pytest.mark.parametrize("times", [6, 10])
def test_a_rack_that_is_small_in_a_large_photo_is_read_as_if_it_filled_one(reader: TileReader, sample: Picture, times: int) -> None:
    rack = cv2.resize(sample, (640, 480), interpolation=cv2.INTER_AREA)
    photo = np.full((times * 480, times * 640, 3), (90, 100, 110), np.uint8)
    top, left = 200 * (times - 1), 300 * (times - 1)
    photo[top : top + 480, left : left + 640] = rack
    reading = reader.read(photo)
    assert seen(reading) == (SAMPLE_RACK, "B8")
    by_itself = np.array([tile.outline for tile in reader.read(rack).tiles])
    assert np.abs(np.array([tile.outline for tile in reading.tiles]) - [left, top] - by_itself).max() < 4
    if times == 10:
        with without(STEPS["small racks are not looked at by themselves"]):
            assert len(reader.read(photo).tiles) < len(by_itself)


def test_a_few_far_tiles_are_found_behind_many_near_ones(reader: TileReader, sample: Picture, sample_reading: Reading) -> None:
    rack = cv2.resize(sample, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    photo = np.concatenate([np.full((300, rack.shape[1], 3), rack[:200].mean((0, 1)), np.uint8), rack])
    near = {str(tile.tile): np.array(tile.outline, np.float32) for tile in sample_reading.tiles}
    width, height = 60, 84
    upright = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    blurred = cv2.GaussianBlur(sample, (0, 0), 0.8)
    for left, tile in zip((700, 1400, 2100), ("R3", "Y9", "B13"), strict=True):
        far = cv2.warpPerspective(blurred, cv2.getPerspectiveTransform(near[tile], upright), (width, height))
        photo[100 : 100 + height, left : left + width] = far

    def found_above() -> int:
        return sum(np.mean(tile.outline, 0)[1] < 300 for tile in reader.read(photo).tiles)

    with without(STEPS["the few small tiles are not looked for"]):
        assert found_above() == 0
    assert found_above() >= 2


def test_what_could_not_be_read_is_read_when_it_is_looked_at_again(reader: TileReader, sample: Picture) -> None:
    """The corners of tiles that lie askew are first looked for in squares that do not hold them; what is misread there is not unread."""
    height, width = sample.shape[:2]

    def tiles(picture: Picture) -> Counter[Tile]:
        return Counter(tile.tile for tile in reader.read(picture).tiles if tile.tile != UNREADABLE)

    unread = read_again = 0
    for turn in (15, 25, 35, 45, 55, 65):
        askew = cv2.warpAffine(sample, cv2.getRotationMatrix2D((width / 2, height / 2), turn, 0.75), (width, height))
        picture = np.asarray(askew, np.uint8)
        whole = tiles(picture)
        for reach in (-0.1, -0.05, 0.05, 0.1):
            with patch("vision.locate.corner_square", partial(corner_square, reach=reach)):
                again = tiles(picture)
                with without(STEPS["what is unread is not looked at again"]):
                    once = tiles(picture)
            unread += (whole - once).total() - (once - whole).total()
            read_again += (whole & again).total() - (whole & once).total()
    assert unread > 20
    assert read_again >= 0.9 * unread


def test_most_tiles_of_which_the_edge_leaves_two_thirds_are_read(reader: TileReader, sample: Picture, sample_reading: Reading) -> None:
    """The picture begins at a third of a tile's height, once for every tile on the rack."""
    rack = [(place.tile, np.array(place.outline)) for place in sample_reading.tiles if place.place is Place.RACK]
    right = 0
    for tile, outline in rack:
        top = int(0.65 * outline[:, 1].min() + 0.35 * outline[:, 1].max())
        bottom = outline[2:].mean(0) - [0, top]
        told = [place for place in reader.read(sample[top:]).tiles if place.tile == tile]
        right += any(np.linalg.norm(np.array(place.outline)[2:].mean(0) - bottom) < 20 for place in told)
    assert right > 0.8 * len(rack)


def test_a_number_on_something_smaller_and_of_another_colour_is_no_tile(
    reader: TileReader, sample: Picture, sample_reading: Reading
) -> None:
    """A tile of the sample, less than half as large and tinged, as if it were a key, lies before the rack."""
    (tile,) = [np.array(place.outline) for place in sample_reading.tiles if str(place.tile) == "B10"]
    (left, top), (right, bottom) = tile.min(0).astype(int), tile.max(0).astype(int)
    small = cv2.resize(sample[top:bottom, left:right], None, fx=0.45, fy=0.45, interpolation=cv2.INTER_AREA)
    picture = sample.copy()
    part = picture[-small.shape[0] - 15 : -15, 200 : 200 + small.shape[1]]
    told = {}
    for tinge in ((1.0, 1.0, 1.0), (0.4, 0.4, 0.7)):
        part[:] = small * tinge
        told[tinge] = len(reader.read(picture).tiles)
        with without(STEPS["what is unlike the tiles is one"]):
            assert len(reader.read(picture).tiles) == len(sample_reading.tiles) + 1
    assert told[1.0, 1.0, 1.0] == told[0.4, 0.4, 0.7] + 1 == len(sample_reading.tiles) + 1


def test_scraps_at_the_edge_that_tell_nothing_are_no_tiles(reader: TileReader, sample: Picture, sample_reading: Reading) -> None:
    """The picture begins at three quarters of a tile's height, once for every tile of the upper row."""
    upper = [np.array(place.outline) for place in sample_reading.tiles if place.place is Place.RACK and place.row == 0]
    kept = []
    for outline in upper:
        picture = sample[int(0.25 * outline[:, 1].min() + 0.75 * outline[:, 1].max()) :]
        with without(STEPS["scraps at the edge are tiles"]):
            everything = [(place.tile, place.outline) for place in reader.read(picture).tiles]
        told = [(place.tile, place.outline) for place in reader.read(picture).tiles]
        dropped = [polygon for tile, polygon in everything if (tile, polygon) not in told]
        assert all(np.min(polygon) < 5 for polygon in dropped), "what the edge does not cut is read as before"
        kept.append(len(told) / len(everything))
    assert min(kept) < 1


def test_two_tiles_that_are_found_as_one_are_parted(reader: TileReader, sample: Picture) -> None:
    """The locator takes two tiles that touch for one, each pair of the rack in turn; of those whose seam shows many stay one."""
    rack = [place for place in reader.read(sample).tiles if place.place is Place.RACK]
    pairs = [pair for pair in itertools.pairwise(rack) if (pair[0].row, pair[0].group) == (pair[1].row, pair[1].group)]
    find = Locator.find_boxes

    def parted(pair: tuple[SeenTile, SeenTile]) -> bool:
        def joined(self: Locator, pyramid: Pyramid) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
            boxes, scores = find(self, pyramid)
            middles = [np.mean(tile.outline, axis=0) for tile in pair]
            those = [int(np.linalg.norm((boxes[:, :2] + boxes[:, 2:]) / 2 - middle, axis=1).argmin()) for middle in middles]
            both = np.concatenate([boxes[those, :2].min(0), boxes[those, 2:].max(0)])[None]
            return np.concatenate([np.delete(boxes, those, 0), both]), np.append(np.delete(scores, those), scores[those].max())

        with patch.object(Locator, "find_boxes", joined):
            return seen(reader.read(sample)) == (SAMPLE_RACK, "B8")

    assert len(pairs) == 9
    assert sum(map(parted, pairs)) >= 2
    with without(STEPS["two tiles seen as one are not parted"]):
        assert not any(map(parted, pairs))


def test_a_number_whose_last_digit_alone_is_outlined_is_read_in_the_size_of_those_beside(
    reader: TileReader, sample: Picture, sample_reading: Reading
) -> None:
    on_rack = [tile for tile in sample_reading.tiles if tile.place is Place.RACK]
    faces = np.array([tile.outline for tile in on_rack], np.float32)
    right = np.array([13 if tile.tile.number is None else tile.tile.number - 1 for tile in on_rack])
    found = np.ones(len(faces), np.float32)
    look = SecondLook(Locator(), reader.classifier, Pyramid(sample), None)
    for i in np.flatnonzero((right >= 9) & (right < 13)):
        outlines = faces.copy()
        outlines[i, [0, 3]] = faces[i, [0, 3]] + 0.45 * (faces[i, [1, 2]] - faces[i, [0, 3]])
        seen, _ = reader.classifier.as_ordered(look.pyramid, outlines)
        assert seen.number[i].argmax() != right[i]
        again = look.as_those_beside(seen, found)
        assert (again.number.argmax(1) == right).all()
        assert np.abs(again.corners[i] - faces[i]).max() < 4
        with without(STEPS["outlines unlike those beside them stay so"]):
            assert look.as_those_beside(seen, found) is seen


def test_tiles_whose_top_side_was_taken_for_a_part_of_their_face_are_turned_over(
    reader: TileReader, sample: Picture, sample_reading: Reading
) -> None:
    on_rack = [tile for tile in sample_reading.tiles if tile.place is Place.RACK]
    faces = np.array([tile.outline for tile in on_rack], np.float32)
    up = faces[:, :2] - faces[:, [3, 2]]
    on_their_heads = np.concatenate([faces[:, 2:], faces[:, :2] + up * TOP_SIDE / (1 - TOP_SIDE)], 1)
    pyramid = Pyramid(sample)
    seen, _ = reader.classifier.as_ordered(pyramid, on_their_heads)
    right = np.array([13 if tile.tile.number is None else tile.tile.number - 1 for tile in on_rack])
    assert (seen.number.argmax(1) == right).sum() < len(right) / 2
    again = SecondLook(Locator(), reader.classifier, pyramid, None).without_top_sides(seen)
    # What clearly seems none from there is left as it is: a tile at most.
    may_be_faces = seen.number[:, FACE_COLUMNS:].max(1) < DOUBTED
    assert may_be_faces.sum() >= len(right) - 1
    assert (again.number.argmax(1) == right)[may_be_faces].all()
    assert np.abs(again.corners - faces)[may_be_faces].max() < 4
    as_it_was, _ = reader.classifier.as_ordered(pyramid, faces)
    assert SecondLook(Locator(), reader.classifier, pyramid, None).without_top_sides(as_it_was) is as_it_was


def test_only_a_false_joker_that_is_not_clear_is_looked_at_again(reader: TileReader, sample: Picture) -> None:
    look = SecondLook(Locator(), reader.classifier, Pyramid(sample), None)
    boxes, scores = look.locator.find_boxes(look.pyramid)
    seen = reader.classifier.classify(look.pyramid, look.locator.find_corners(look.pyramid, boxes))
    (joker,) = np.flatnonzero(seen.number.argmax(1) == FALSE_JOKER_COLUMN)
    assert look.at_what_is_unread(seen, boxes, scores) is seen, "it would take a sixth of the whole reading's time"
    # A 4, outlined wrongly, seems a false joker with a chance that is less clear.
    four = int(np.flatnonzero(seen.number.argmax(1) == 3)[0])
    number = seen.number.copy()
    number[four] = 0.9 * np.eye(16, dtype=np.float32)[FALSE_JOKER_COLUMN] + 0.1 * seen.number[four]
    again = look.at_what_is_unread(replace(seen, number=number), boxes, scores)
    assert again.number[four].argmax() == 3
    assert again.number[joker].argmax() == FALSE_JOKER_COLUMN


def test_what_is_doubted_is_what_it_is_in_most_outlines_that_differ_a_little(
    reader: TileReader, sample: Picture, sample_reading: Reading
) -> None:
    on_rack = [tile for tile in sample_reading.tiles if tile.place is Place.RACK]
    look = SecondLook(Locator(), reader.classifier, Pyramid(sample), None)
    seen, _ = reader.classifier.as_ordered(look.pyramid, np.array([tile.outline for tile in on_rack], np.float32))
    right = seen.number.argmax(1)
    # Half of the tiles are taken for another by a hair.
    doubted = np.arange(len(right)) % 2 == 0
    number = seen.number.copy()
    number[doubted] = 0
    number[doubted, (right[doubted] + 1) % 13] += 0.51
    number[doubted, right[doubted]] += 0.49
    again = look.cut_otherwise(replace(seen, number=number))
    assert (again.number.argmax(1) == right).all()
    assert np.allclose(again.number.sum(1), 1, atol=1e-3)
    assert np.array_equal(again.number[~doubted], seen.number[~doubted]), "what is read well stays as it is"
    # A place where the table shows is taken for a 5 by a hair.
    table = np.array([[[20, 20], [60, 20], [60, 80], [20, 80]]], np.float32)
    nothing, _ = reader.classifier.as_ordered(look.pyramid, table)
    assert nothing.number[0].argmax() == NO_TILE_COLUMN
    five = 0.51 * np.eye(16, dtype=np.float32)[[4]] + 0.49 * np.eye(16, dtype=np.float32)[[NO_TILE_COLUMN]]
    assert look.cut_otherwise(replace(nothing, number=five)).number[0].argmax() == NO_TILE_COLUMN
    with without(STEPS["what is doubted is read in one outline"]):
        assert look.cut_otherwise(replace(seen, number=number)).number is number


def test_polygons_go_clockwise_from_the_tiles_own_top_left(sample_reading: Reading) -> None:
    for tile in sample_reading.tiles:
        first, second, third, fourth = np.array(tile.outline)
        if tile.place is Place.RACK:
            assert first[0] < second[0]
            assert first[1] < fourth[1]
            assert second[1] < third[1]


@pytest.mark.parametrize("shade", [0, 128, 255])
def test_an_empty_picture_has_no_tiles_and_says_so(reader: TileReader, shade: int) -> None:
    reading = reader.read(np.full((480, 640, 3), shade, np.uint8))
    assert reading.tiles == ()
    assert "no tiles were found" in str(reading.warnings[0])


@pytest.mark.parametrize(("shape", "kind"), [((48, 64), "uint8"), ((48, 64, 4), "uint8"), ((48, 64, 3), "uint16"), ((0, 64, 3), "uint8")])
def test_what_is_no_picture_in_colour_of_eight_bits_is_refused(reader: TileReader, shape: tuple[int, ...], kind: str) -> None:
    with pytest.raises(ValueError, match=rf"must be uint8 \(height, width, 3\), but got {kind}"):
        reader.read(np.zeros(shape, kind))


def test_noise_of_any_shape_does_no_harm(reader: TileReader) -> None:
    rng = np.random.default_rng(0)
    for shape in ((32, 32), (33, 700), (900, 40), (480, 640)):
        reading = reader.read(rng.integers(0, 255, (*shape, 3)).astype(np.uint8))
        assert reading.size == (shape[1], shape[0])
