"""In what light a picture was taken."""

from __future__ import annotations

import colorsys

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.light import have_dark_faces, is_colourless, with_light_faces
from vision.straighten import Pyramid

TILE = np.array([[0, 0], [40, 0], [40, 60], [0, 60]], np.float32)


def read_as(colours: str, chance: float = 0.95) -> np.ndarray:
    """Chances (N, 4) of tiles that are read as these colours."""
    chances = np.full((len(colours), 4), (1 - chance) / 3, np.float32)
    chances[np.arange(len(colours)), ["RKBY".index(colour) for colour in colours]] = chance
    return chances


@pytest.mark.parametrize(("one_ink", "other_ink", "colourless"), [((66, 26, 26), (26, 26, 66), False), ((28, 28, 28), (40, 40, 40), True)])
def test_a_few_small_tiles_on_a_grey_table_show_that_there_are_colours(
    one_ink: tuple[int, int, int], other_ink: tuple[int, int, int], colourless: bool
) -> None:
    """Their inks are dark, so that the channels hardly differ, and they cover less than a fiftieth of the picture."""
    picture = np.full((1200, 1600, 3), 150, np.uint8)
    corners = TILE + np.array([[[200 + 80 * i, 500]] for i in range(6)], np.float32)
    for i, quad in enumerate(corners):
        x, y = (int(value) for value in quad[0])
        cv2.rectangle(picture, (x, y), (x + 39, y + 59), (220, 220, 220), -1)
        cv2.rectangle(picture, (x + 12, y + 12), (x + 26, y + 44), one_ink if i % 2 else other_ink, -1)
    noise = np.random.default_rng(0).normal(0, 4, picture.shape[:2])
    picture = np.clip(picture + noise[..., None], 0, 255).astype(np.uint8)
    inks = np.array([one_ink if i % 2 else other_ink for i in range(6)], np.float32) / 220 * 0.6
    assert is_colourless(Pyramid(picture), corners, inks, read_as("KKKKKK")) == colourless


@pytest.mark.parametrize(("ink", "colourless"), [((70, 60, 165), False), ((74, 74, 74), True)])
def test_one_red_number_among_three_shows_that_there_are_colours(ink: tuple[int, int, int], colourless: bool) -> None:
    """Its strokes are thin, so that they cover a twentieth of their tile, and the other two numbers are black."""
    picture = np.full((1200, 1600, 3), (138, 150, 170), np.uint8)
    corners = np.array([[[500, 400]], [[700, 400]], [[900, 400]]], np.float32) + 3 * TILE
    for quad, of_ink in zip(corners, (ink, (50, 50, 50), (50, 50, 50)), strict=True):
        x, y = (int(value) for value in quad[0])
        cv2.rectangle(picture, (x, y), (x + 119, y + 179), (196, 198, 203), -1)
        cv2.putText(picture, "4", (x + 30, y + 80), cv2.FONT_HERSHEY_SIMPLEX, 2.5, of_ink, 7, cv2.LINE_AA)
    inks = np.array([(0.84, 0.82, 0.94), (0.78, 0.77, 0.77), (0.65, 0.64, 0.64)], np.float32)
    assert is_colourless(Pyramid(picture), corners, inks, read_as("KKK")) == colourless


@pytest.mark.parametrize(("colours", "chance", "colourless"), [("RKB", 0.95, False), ("RKB", 0.85, True), ("KYK", 0.95, True)])
def test_pale_inks_in_dim_light_are_coloured_where_three_colours_are_read(colours: str, chance: float, colourless: bool) -> None:
    """Nothing else tells them from a picture of one tint, in which hardly anything but black is read."""
    picture = np.full((1200, 1600, 3), (70, 80, 90), np.uint8)
    corners = TILE + np.array([[[200 + 80 * i, 500]] for i in range(3)], np.float32)
    inks = np.array([(0.76, 0.78, 0.85), (0.66, 0.7, 0.74), (0.72, 0.74, 0.76)], np.float32)
    assert is_colourless(Pyramid(picture), corners, inks, read_as(colours, chance)) == colourless


@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_light_and_dark_are_exchanged_and_hues_kept(colour: tuple[int, int, int]) -> None:
    """Beside white, so that the picture is not brightened first."""
    picture = np.full((8, 8, 3), 255, np.uint8)
    picture[7, 7] = colour
    exchanged = with_light_faces(picture)
    assert (exchanged[0] == 0).all()
    blue, green, red = (int(channel) / 255 for channel in exchanged[7, 7])
    hue, lightness, saturation = colorsys.rgb_to_hls(*(channel / 255 for channel in reversed(colour)))
    assert colorsys.rgb_to_hls(red, green, blue) == pytest.approx((hue, 1 - lightness, saturation))


def test_a_dim_picture_of_dark_faces_is_brightened_first() -> None:
    dim = np.zeros((8, 8, 3), np.uint8)
    dim[0, 0] = 40
    exchanged = with_light_faces(dim)
    assert exchanged[7, 7].tolist() == [255] * 3
    assert exchanged[0, 0].max() < 100


@pytest.mark.parametrize(("face", "ink"), [(220, 40), (40, 220), (120, 60)])
def test_faces_are_dark_where_what_is_on_them_is_lighter(face: int, ink: int) -> None:
    """A bare number, a number on a disc of ink, and a number the other way round on a tile that reaches out of the picture."""
    picture = np.full((80, 240, 3), 128, np.uint8)
    corners = TILE + np.array([[[80, 10]], [[160, 10]], [[-10, 10]]], np.float32)
    for place, (quad, (surface, stroke)) in enumerate(zip(corners, ((face, ink), (face, ink), (ink, face)), strict=True)):
        x, y = (int(value) for value in quad[0])
        cv2.rectangle(picture, (x, y), (x + 39, y + 59), (surface,) * 3, -1)
        if place == 1:
            cv2.ellipse(picture, (x + 20, y + 30), (18, 27), 0, 0, 360, (stroke,) * 3, -1)
        cv2.rectangle(picture, (x + 17, y + 12), (x + 23, y + 40), ((surface if place == 1 else stroke),) * 3, -1)
    assert have_dark_faces(picture, corners).tolist() == [ink > face, ink > face, ink < face]
    assert not len(have_dark_faces(picture, corners[:0]))
