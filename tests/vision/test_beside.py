"""How outlines and faces differ from those beside them, and what that says of a reading."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.tiles import parse_tiles
from tests.vision.test_settle import sight
from vision.beside import BESIDE, against_beside, log_areas, outlines_as_beside
from vision.sight import tell


@given(st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_the_median_of_the_nearest_others_is_what_counts(count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    corners, read = rng.uniform(0, 1000, (count, 4, 2)).astype(np.float32), rng.random(count) < 0.6
    sides = [
        sorted((np.linalg.norm(a - b) + np.linalg.norm(c - d), np.linalg.norm(b - c) + np.linalg.norm(d - a))) for a, b, c, d in corners
    ]
    middles = corners.mean(1)
    for i, differs in enumerate(against_beside(corners, read)):
        others = sorted((j for j in range(count) if j != i and read[j]), key=lambda j: float(np.linalg.norm(middles[j] - middles[i])))
        if others:
            shorter, longer = np.log(sides[i]) - np.median(np.log([sides[j] for j in others[:BESIDE]]), axis=0)
            assert differs == pytest.approx((longer, shorter), abs=1e-4)
        else:
            assert np.isinf(differs).all()


@given(st.integers(0, 3), st.floats(0.4, 0.65), st.integers(0, 4), st.floats(-40, 40), st.floats(0.5, 1.5))
def test_of_what_a_tile_may_be_that_is_outlined_too_small_one_is_the_whole(
    side: int, left: float, which: int, turn: float, height: float
) -> None:
    """Of a row of five tiles, the second upside down, seen from aside and turned, one is outlined but for a part at one side."""
    seen = np.array([[40, 0], [18, 60 * height]]) @ cv2.getRotationMatrix2D((0, 0), turn, 1)[:, :2].T
    faces = np.array([[[0, 0], [1, 0], [1, 1], [0, 1]]]) + np.arange(5)[:, None, None] * [1, 0]
    faces[1] = np.roll(faces[1], 2, 0)
    corners = (300 + faces @ seen).astype(np.float32)
    assert not len(outlines_as_beside(corners, np.ones(5, bool))[0])
    whole = np.roll(corners[which], -side, 0)
    part = np.concatenate([whole[:2], whole[:2] + left * (whole[[3, 2]] - whole[:2])])[[0, 1, 3, 2]]
    corners[which] = np.roll(part, side, 0)
    places, outlines, usual = outlines_as_beside(corners, np.arange(5) != which)
    assert places.tolist() == [which]
    assert np.abs(outlines[0] - np.roll(whole, side, 0)).max((1, 2)).min() < 0.1
    assert usual == pytest.approx(log_areas(whole[None]))


@pytest.mark.parametrize(
    ("tile", "width", "height", "sure"),
    [
        ("R3", 1, 1, True),
        ("R3", 0.75, 1, False),
        ("R8", 0.75, 1, True),
        ("R8", 0.75, 0.8, False),
        ("R3", 1.25, 1, True),
        ("R3", 1.4, 1, False),
    ],
)
def test_what_may_be_a_part_of_a_tile_or_more_than_one_is_not_sure(tile: str, width: float, height: float, sure: bool) -> None:
    """A 13 seen without its left half is a 3, a 3 with half of the 1 before it is a 13."""
    seen = sight(parse_tiles(f"K5 B5 {tile} Y5 K9"), sure=0.9999)
    corners = seen.corners.copy()
    corners[2] = corners[2, 2] + (corners[2] - corners[2, 2]) * [width, height]
    stated = [place.confidence for place in tell(replace(seen, corners=corners)).reading.tiles if str(place.tile) == tile]
    assert [confidence >= 0.9 for confidence in stated] == [sure]


@pytest.mark.parametrize(
    ("tile", "cut", "sure"),
    [
        ("R3", "left", False),
        ("R3", "right", True),
        ("R1", "right", False),
        ("R13", "left", True),
        ("R5", "left", True),
        ("R3", "", True),
        ("J", "left", False),
        ("J", "right", False),
        ("J", "", True),
    ],
)
def test_what_may_go_on_beyond_the_picture_otherwise_is_not_sure(tile: str, cut: str, sure: bool) -> None:
    """Of a 13 that the picture's left edge cuts a 3 is left, and what is left of any number may look like a false joker's picture."""
    seen = sight(parse_tiles(f"{tile} K5 B5 Y5 K9" if cut != "right" else f"K5 B5 Y5 K9 {tile}"), sure=0.9999)
    moved = {"left": -seen.corners[:, :, 0].min(), "right": seen.size[0] - seen.corners[:, :, 0].max(), "": 0}[cut]
    seen = replace(seen, corners=seen.corners + np.array([moved, 0], np.float32))
    stated = [place.confidence for place in tell(seen).reading.tiles if str(place.tile) == tile]
    assert [confidence >= 0.9 for confidence in stated] == [sure]


@pytest.mark.parametrize(("size", "away", "sure"), [(0.5, 3, False), (0.7, 3, True), (0.5, 8, True)])
def test_keys_of_a_calculator_beside_tiles_are_not_sure(size: float, away: float, sure: bool) -> None:
    """They are of one size, so that it takes the tiles to tell; tiles as small that lie far from the others are sure."""
    tiles, keys = parse_tiles("R3 B5 Y9 R8"), parse_tiles("K1 K2 K4 K5 K7")
    seen = sight([*tiles, *keys], sure=0.9999, size=(4000, 4000))
    corners = seen.corners.copy()
    corner = corners[3, 2]
    length = np.linalg.norm(corners[3, 3] - corners[3, 0])
    corners[4:] = corner + [0, away * length] + (corners[4:] - corner) * size
    told = {str(place.tile): place.confidence >= 0.9 for place in tell(replace(seen, corners=corners)).reading.tiles}
    assert told == {**{str(tile): True for tile in tiles}, **{str(key): sure for key in keys}}


@pytest.mark.parametrize(("size", "confidence", "told"), [(0.2, 0.5, False), (0.2, 0.9999, True), (0.5, 0.5, True)])
def test_a_speck_beside_tiles_is_none(size: float, confidence: float, told: bool) -> None:
    """A knot in the wood, a fifth as long and as wide as the tiles beside it; a small tile farther away is read clearly."""
    seen = sight(parse_tiles("K5 B5 R3 Y5 K9"), sure=0.9999)
    corners, number = seen.corners.copy(), seen.number.copy()
    corners[2] = corners[2, 2] + (corners[2] - corners[2, 2]) * size
    number[2, :13] = np.where(np.arange(13) == 2, confidence, (1 - confidence) / 12)
    read = tell(replace(seen, corners=corners, number=number)).reading.tiles
    assert ("R3" in [str(place.guess) for place in read]) == told
