"""How tiles lie, on simulated racks seen by simulated cameras: geometry alone, no picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from assistant.tiles import Rack, Tile, parse_tiles
from vision.layout import Layout, lay_out, turned_as_beside
from vision.reading import Place
from vision.workshop.scene import Camera, RackShape, Standing, flat, stand

HEIGHT, THICKNESS = 1.4, 0.3
SIZE = (1280, 960)
TILE = 54
"""How wide, in pixels, a tile in the middle of the picture looks from the front, from near as from far."""


def corners_of(
    rack: Rack, gap: float, azimuth: float, elevation: float, roll: float, indicator: bool, distance: float = 22
) -> tuple[np.ndarray, list[str]]:
    """Corners in pixels of a rack and its indicator as a camera sees them from so many tile widths, and the tiles' names."""
    shape = RackShape(
        lean=np.radians(25), rise=1.1, depth=0.9, base=0.2, length=14, lip=0, ledge=0.4, panels=[1.2] * len(rack.rows),
        colour=np.zeros(3), textured=False,
    )  # fmt: skip
    rows = []
    for groups in rack.rows:
        row, x = [], -6.5
        for number, group in enumerate(groups):
            for tile in group:
                row.append(Standing(tile, 0, x, number))
                x += 1.04
            x += gap
        rows.append(row)
    tiles = stand(shape, rows, HEIGHT, THICKNESS).tiles
    if indicator:
        tiles.append(flat(Tile.parse("K13"), 0, 1.0, -3.5, THICKNESS, 0.3))
    camera = Camera.looking_at(np.array([-1.0, 0, 1]), azimuth, elevation, roll, distance, TILE * distance, SIZE)
    return np.array([camera.project(tile.corners(HEIGHT)) for tile in tiles], np.float32), [str(tile.tile) for tile in tiles]


def text_of(layout: Layout, names: list[str]) -> str:
    rows: dict[int, dict[int, list[str]]] = {}
    for index in layout.order:
        row, group = layout.row[index], layout.group[index]
        if row is not None and group is not None:
            rows.setdefault(row, {}).setdefault(group, []).append(names[index])
    return " / ".join(" | ".join(" ".join(group) for group in row.values()) for row in rows.values())


@pytest.mark.parametrize("azimuth", [-45, -20, 0, 30, 45])
@pytest.mark.parametrize("elevation", [20, 45, 70])
@pytest.mark.parametrize("roll", [0, 15, 90, 180])
def test_rows_groups_and_indicator_from_any_side(azimuth: float, elevation: float, roll: float) -> None:
    rack = Rack.parse("R1 R2 R3 | B5 K5 Y5 | R9 / Y10 Y11 Y12 Y13 | B1 B1 | K7")
    corners, names = corners_of(rack, 0.6, *np.radians([azimuth, elevation, roll]), indicator=True)
    layout = lay_out(corners, np.ones(len(corners), bool))
    assert text_of(layout, names) == str(rack)
    assert [names[i] for i, place in enumerate(layout.place) if place is Place.INDICATOR] == ["K13"]


def test_three_steps() -> None:
    rack = Rack.parse("R1 R2 R3 R4 / B5 K5 Y5 / Y10 Y11 Y12 Y13 | B1")
    corners, names = corners_of(rack, 0.8, *np.radians([25, 40, 5]), indicator=False)
    assert text_of(lay_out(corners, np.ones(len(corners), bool)), names) == str(rack)


@pytest.mark.parametrize("azimuth", [-60, -50, 50, 60])
def test_a_tile_stands_in_its_row_however_much_wider_it_looks_than_the_next(azimuth: float) -> None:
    """Of a rack seen from near by and from the side: the wider step from one tile to the next, the more of its width is lost."""
    rack = Rack.parse("K5 | R1 R2 R3 R4 / B1 B2 B3 B4 B5 B6")
    corners, names = corners_of(rack, 3.5, *np.radians([azimuth, 50, 0]), indicator=False, distance=9)
    width = np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)
    assert abs(np.log2(width[0] / width[1])) > np.log2(1.5)
    assert text_of(lay_out(corners, np.ones(len(corners), bool)), names) == str(rack)


@pytest.mark.parametrize("gap", [0.0, 0.1, 0.2])
def test_small_gaps_part_no_groups(gap: float) -> None:
    corners, names = corners_of(Rack.parse("R1 R2 | R3 R4 | R5"), gap, 0.2, 0.7, 0.0, indicator=False)
    assert text_of(lay_out(corners, np.ones(len(corners), bool)), names) == "R1 R2 R3 R4 R5"


def test_a_tile_upside_down_stays_in_its_row() -> None:
    corners, names = corners_of(Rack.parse("R1 R2 R3 R4 R5"), 0.5, 0.2, 0.7, 0.0, indicator=False)
    corners[2] = np.roll(corners[2], 2, 0)
    assert text_of(lay_out(corners, np.ones(len(corners), bool)), names) == "R1 R2 R3 R4 R5"


def test_face_down_tiles_stand_in_their_rows() -> None:
    corners, names = corners_of(Rack.parse("# R1 # R2 R3 #"), 0.5, 0.2, 0.7, 0.0, indicator=False)
    assert text_of(lay_out(corners, np.array([name != "#" for name in names])), names) == "# R1 # R2 R3 #"


@pytest.mark.parametrize("way", [1, 2, 3])
def test_a_tile_without_a_number_stands_as_those_beside_it(way: int) -> None:
    corners, names = corners_of(Rack.parse("R1 R2 J R4 R5"), 0.5, 0.2, 0.7, 0.0, indicator=False)
    upright = corners.copy()
    corners[2] = np.roll(corners[2], way, 0)
    turned = turned_as_beside(corners, np.array([name != "J" for name in names]))
    assert np.array_equal(turned, upright)
    assert text_of(lay_out(turned, np.ones(len(corners), bool)), names) == "R1 R2 J R4 R5"


def test_a_tile_by_itself_is_the_indicator_unless_it_lies_face_down() -> None:
    square = np.array([[[0, 0], [40, 0], [40, 60], [0, 60]]], np.float32)
    assert lay_out(square, np.array([True])).place == (Place.INDICATOR,)
    assert lay_out(square, np.array([False])).place == (Place.TABLE,)


def test_a_tile_that_lies_in_a_row_with_the_stacks_is_the_indicator() -> None:
    corners, names = corners_of(Rack.parse("# # R3"), 0.5, 0.2, 0.7, 0.0, indicator=False)
    layout = lay_out(corners, np.array([name != "#" for name in names]))
    assert layout.place == (Place.TABLE, Place.TABLE, Place.INDICATOR)


@pytest.mark.parametrize(("lean", "place"), [(-20, Place.INDICATOR), (-8, Place.RACK), (8, Place.RACK), (20, Place.INDICATOR)])
def test_a_lone_tile_whose_sides_do_not_lean_as_those_of_the_rack_lies_flat_beside_it(lean: float, place: Place) -> None:
    corners, _ = corners_of(Rack.parse("R1 R2 R3 R4 / B1 B2 B3 B4"), 0.5, *np.radians([0, 40, 0]), indicator=False)
    up = corners[1, 0] - corners[1, 3]
    leaning = cv2.getRotationMatrix2D((0, 0), lean, 1)[:, :2] @ up
    foot = corners[1, [3, 2]] + 1.1 * up
    lone = np.concatenate([foot + leaning, foot[::-1]])
    layout = lay_out(np.concatenate([corners, lone[None]]).astype(np.float32), np.ones(9, bool))
    assert layout.place == (*[Place.RACK] * 8, place)


WIDE, TALL = 40.0, 56.0


def tile_at(x: float, y: float, wide: float = 1.0, tall: float = 1.0, turn: float = 0.0, slope: float = 0.0) -> np.ndarray:
    """A tile (4, 2) so many widths to the right and heights up, as wide and tall against others; turned, or skewed, by degrees."""
    half = np.array([[-wide, -tall], [wide, -tall], [wide, tall], [-wide, tall]]) * [WIDE / 2, TALL / 2]
    half[:, 1] += np.tan(np.radians(slope)) * half[:, 0]
    return half @ cv2.getRotationMatrix2D((0, 0), -turn, 1)[:, :2].T + [640 + WIDE * x, 480 - TALL * y]


def row_at(y: float, count: int = 4) -> list[np.ndarray]:
    """Tiles that touch, upright."""
    return [tile_at(1.02 * number, y) for number in range(count)]


def placed(*tiles: np.ndarray) -> tuple[Place, ...]:
    return lay_out(np.array(tiles, np.float32), np.ones(len(tiles), bool)).place


@pytest.mark.parametrize(
    ("row", "beside"),
    [
        ({"tall": 0.9}, {"tall": 0.8}),
        ({"tall": 1.3}, {"tall": 1.5}),
        ({"y": 1.15}, {"y": 1.35}),
        ({"slope": 5}, {"slope": 12}),
    ],
)
def test_a_lone_tile_that_lies_flat_stands_apart_or_is_skewed_is_no_row(row: dict[str, float], beside: dict[str, float]) -> None:
    """Above a rack, where all but that would make it one."""
    for how, place in ((row, Place.RACK), (beside, Place.INDICATOR)):
        assert placed(*row_at(0), *row_at(-1.1), tile_at(**{"x": 1.02, "y": 1.1} | how)) == (*[Place.RACK] * 8, place)


@pytest.mark.parametrize(
    ("row", "beside"),
    [
        ({"x": 9.0}, {"x": 11.5}),  # the last one of the others stands at 3
        ({"x": 4.4, "wide": 1.5, "tall": 1.5}, {"x": 4.4, "wide": 1.7, "tall": 1.7}),
    ],
)
def test_a_tile_far_away_or_of_another_size_stands_in_no_row(row: dict[str, float], beside: dict[str, float]) -> None:
    for how, place in ((row, Place.RACK), (beside, Place.INDICATOR)):
        assert placed(*row_at(0), tile_at(**{"y": 0.0} | how)) == (*[Place.RACK] * 4, place)


@pytest.mark.parametrize(("turn", "place"), [(15, Place.RACK), (40, Place.TABLE)])
def test_two_tiles_before_the_rack_that_are_turned_are_no_row(turn: float, place: Place) -> None:
    """Side by side as they are, they are no lone tiles."""
    x, y = np.cos(np.radians(turn)), -np.sin(np.radians(turn)) * WIDE / TALL
    pair = [tile_at(1 + number * x, -1.6 + number * y, turn=turn) for number in (0, 1)]
    assert placed(*row_at(0), *pair)[4:] == (place, place)


def test_a_tile_at_the_far_end_of_its_row_is_told_though_outlined_badly() -> None:
    """Its turn tells more wrong the farther away the others are, and as a lone tile it would lie flat."""
    assert placed(*row_at(0), tile_at(9.5, 0, tall=0.8, turn=3.5)) == (Place.RACK,) * 5


def test_two_tiles_in_one_place_are_no_row() -> None:
    assert placed(tile_at(0, 0), tile_at(0.3, 0.2)) == (Place.TABLE, Place.TABLE)
    assert placed(tile_at(0, 0), tile_at(0.6, 0.2)) == (Place.RACK, Place.RACK)


def test_a_tile_in_the_place_of_another_stands_in_no_row_with_it() -> None:
    layout = lay_out(np.array([*row_at(0), tile_at(1.1, 0.1, wide=1.25, tall=1.65)], np.float32), np.ones(5, bool))
    assert layout.row == (1, 1, 1, 1, 0)


def test_the_rack_stands_as_most_of_its_tiles_do() -> None:
    """Whichever one is upside down."""
    corners, names = corners_of(Rack.parse("R1 R2 R3 / B4 B5"), 0.5, 0.2, 0.7, 0.0, indicator=False)
    for number in range(5):
        turned = corners.copy()
        turned[number] = np.roll(turned[number], 2, 0)
        assert text_of(lay_out(turned, np.ones(5, bool)), names) == "R1 R2 R3 / B4 B5"


def test_a_mirrored_rack_is_laid_out_as_it_is() -> None:
    rack = Rack.parse("R1 R2 R3 | B5 K5 Y5 / Y10 Y11 | K7")
    corners, names = corners_of(rack, 0.6, *np.radians([20, 45, 10]), indicator=True)
    corners[..., 0] = SIZE[0] - corners[..., 0]
    layout = lay_out(corners, np.ones(len(corners), bool))
    assert text_of(layout, names) == str(rack)
    assert [names[i] for i, place in enumerate(layout.place) if place is Place.INDICATOR] == ["K13"]


def test_two_loose_tiles_are_asked_about() -> None:
    corners, _ = corners_of(Rack.parse("R1 R2 R3 R4 R5"), 0.5, 0.0, 0.8, 0.0, indicator=True)
    other = corners[-1] + [-260, 40]
    layout = lay_out(np.concatenate([corners, other[None]]), np.ones(7, bool))
    assert Place.INDICATOR not in layout.place
    assert sorted(layout.indicators) == [5, 6]


def test_of_two_loose_tiles_of_one_face_the_one_that_is_read_more_surely_is_the_indicator() -> None:
    corners, _ = corners_of(Rack.parse("R1 R2 R3 R4 R5"), 0.5, 0.0, 0.8, 0.0, indicator=True)
    corners, surely = np.concatenate([corners, (corners[-1] + [-260, 40])[None]]), np.array([1, 1, 1, 1, 1, 0.97, 0.99])
    twins = lay_out(corners, np.ones(7, bool), surely, parse_tiles("R1 R2 R3 R4 R5 K13 K13"))
    assert (twins.place[5], twins.place[6], twins.indicators) == (Place.TABLE, Place.INDICATOR, ())
    others = lay_out(corners, np.ones(7, bool), surely, parse_tiles("R1 R2 R3 R4 R5 K13 B13"))
    assert sorted(others.indicators) == [5, 6]


def test_groups_on_the_table_and_another_rack_hide_no_indicator() -> None:
    corners, _ = corners_of(Rack.parse("R1 R2 R3 R4 R5"), 0.5, 0.0, 0.8, 0.0, indicator=True)
    along = corners[-1][1] - corners[-1][0]
    group = np.stack([corners[-1] + [-420, 60] + 1.05 * number * along for number in range(3)])
    layout = lay_out(np.concatenate([corners, group]), np.ones(9, bool))
    assert layout.place[5] is Place.INDICATOR
    assert layout.indicators == ()
    pair = lay_out(np.concatenate([corners, group[:2]]), np.ones(8, bool))
    assert sorted(pair.indicators) == [5, 6, 7], "two tiles side by side may be discards, or the indicator and one"
    alone = lay_out(np.concatenate([corners[:5], group]), np.ones(8, bool))
    assert sorted(alone.indicators) == [5, 6, 7], "nothing else may be it"


def test_print_that_is_hardly_read_and_a_false_joker_are_no_second_indicator() -> None:
    corners, _ = corners_of(Rack.parse("R1 R2 R3 R4 R5"), 0.5, 0.0, 0.8, 0.0, indicator=True)
    other = corners[-1] + [-260, 40]
    corners = np.concatenate([corners, other[None]])

    def indicator_of(*read: float) -> tuple[list[int], list[int]]:
        layout = lay_out(corners, np.ones(7, bool), np.array([1, 1, 1, 1, 1, *read]))
        return [i for i, place in enumerate(layout.place) if place is Place.INDICATOR], sorted(layout.indicators)

    assert indicator_of(0.98, 0.4) == ([5], []), "the other is print"
    assert indicator_of(0.4, 0.98) == ([6], [])
    assert indicator_of(0.3, 0.0) == ([5], []), "a false joker is none, so there is only one"
    assert indicator_of(0.98, 0.7) == ([], [5, 6]), "it may be"
    assert indicator_of(0.7, 0.4) == ([], [5, 6]), "neither is read surely"
    assert indicator_of(0.0, 0.0) == ([], [])


def test_nothing_seen_is_nothing_placed() -> None:
    assert lay_out(np.zeros((0, 4, 2), np.float32), np.zeros(0, bool)).place == ()


@pytest.mark.parametrize(("gap", "doubtful"), [(0.0, False), (0.22, True), (0.3, True), (0.6, False)])
@pytest.mark.parametrize("azimuth", [-40, 0, 40])
def test_a_gap_too_narrow_to_tell_is_said_to_be_doubtful(gap: float, doubtful: bool, azimuth: float) -> None:
    corners, _ = corners_of(Rack.parse("R1 R2 R3 | K5 K6 K7 / B1 B2 B3"), gap, *np.radians([azimuth, 40, 5]), indicator=False)
    layout = lay_out(corners, np.ones(9, bool))
    assert [layout.doubtful[index] for index in layout.order] == [False, False, doubtful] + [False] * 6
    assert [layout.gap[index] is None for index in layout.order] == [False] * 5 + [True] + [False] * 2 + [True]


def _narrowed(corners: np.ndarray, tiles: slice | list[int], share: float) -> np.ndarray:
    """The corners with the right edges of these tiles moved in by this share of their width."""
    narrowed = corners.copy()
    for left, right in ((0, 1), (3, 2)):
        narrowed[tiles, right] += share * (corners[tiles, left] - corners[tiles, right])
    return narrowed


@pytest.mark.parametrize("azimuth", [-40, 0, 40])
def test_a_tile_that_is_outlined_too_narrow_is_no_gap(azimuth: float) -> None:
    corners, names = corners_of(Rack.parse("R1 R2 R3 | K5 K6 K7 / B1 B2 B3 B4"), 0.6, *np.radians([azimuth, 40, 5]), indicator=False)
    for tile in (1, 7):
        layout = lay_out(_narrowed(corners, [tile], 0.22), np.ones(len(corners), bool))
        assert text_of(layout, names) == "R1 R2 R3 | K5 K6 K7 / B1 B2 B3 B4"
        assert not any(layout.doubtful)


def test_a_gap_is_measured_by_how_tiles_that_touch_look() -> None:
    corners, names = corners_of(Rack.parse("R1 R2 R3 | K5 K6 K7 / B1 B2 B3 B4"), 0.6, *np.radians([0, 40, 5]), indicator=False)
    narrow = _narrowed(corners, slice(None), 0.07)  # small tiles that touch are outlined so
    shifted = narrow.copy()
    shifted[9] += 0.07 * (corners[9, 1] - corners[9, 0])
    assert text_of(lay_out(shifted, np.ones(10, bool)), names) == "R1 R2 R3 | K5 K6 K7 / B1 B2 B3 B4"
    assert not any(lay_out(shifted, np.ones(10, bool)).doubtful)
    apart, _ = corners_of(Rack.parse("R1 | R2 | R3 | K5 | K6 | K7"), 0.25, *np.radians([0, 40, 5]), indicator=False)
    assert any(lay_out(apart, np.ones(6, bool)).doubtful), "evenly spaced tiles may lie apart"
