"""Light that a lens scatters is told, wherever it lies, and taken off what is cut out of the picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision import veil as veils
from vision.straighten import Pyramid, straighten
from vision.veil import GAMMA, Unveiled, without_veil
from vision.workshop.alter import Spot, veiled

TILE = np.array([[0, 0], [40, 0], [40, 60], [0, 60]], np.float32)
RED, BLUE, YELLOW, BLACK = (8, 8, 200), (190, 60, 8), (8, 170, 210), (8, 8, 8)


def on_a_table(inks: list[tuple[int, int, int]], table: int) -> tuple[np.ndarray, np.ndarray]:
    """A picture of tiles side by side, a stroke of its ink on each, and their corners."""
    picture = np.full((120, 80 + 40 * len(inks), 3), table, np.uint8)
    corners = TILE + np.array([[[40 + 40 * i, 30]] for i in range(len(inks))], np.float32)
    for quad, ink in zip(corners, inks, strict=True):
        x, y = (int(value) for value in quad[0])
        cv2.rectangle(picture, (x, y), (x + 39, y + 59), (200, 215, 220), -1)
        cv2.rectangle(picture, (x + 12, y + 12), (x + 26, y + 44), ink, -1)
    return picture, corners


def inks_seen(pyramid: Pyramid, corners: np.ndarray) -> np.ndarray:
    """Each tile's ink (N, 3) against its face, as light."""
    crops = np.stack([straighten(pyramid, quad) for quad in corners]).astype(float)
    return (crops[:, 43, 30] / crops[:, 18, 11]) ** GAMMA


@given(st.floats(0.3, 0.6), st.tuples(*[st.floats(0.6, 1.3)] * 3))
def test_a_veil_is_lifted_whatever_its_strength_and_tint(share: float, tint: tuple[float, float, float]) -> None:
    """Beside a black number."""
    picture, corners = on_a_table([RED, BLUE, YELLOW, BLACK], 120)
    veil = Pyramid(veiled(share, tint)(picture))
    lifted, inks = (inks_seen(pyramid, corners) for pyramid in (without_veil(veil, corners), Pyramid(picture)))
    assert lifted == pytest.approx(inks, abs=0.1)


ONE_OR_TWO_CHANNELS = [(0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 0, 1), (1, 1, 0), (0, 1, 1)]


@given(st.floats(0.1, 0.3), st.sampled_from([([RED, BLUE, YELLOW], tint) for tint in ONE_OR_TWO_CHANNELS] + [([RED, RED], (0, 0, 1))]))
def test_black_that_has_a_colour_is_black_again(share: float, shown: tuple[list[tuple[int, int, int]], tuple[int, int, int]]) -> None:
    """As where a camera that has little light adds to one or two channels; beside red numbers alone, too."""
    inks_beside, tint = shown
    picture, corners = on_a_table([*inks_beside, BLACK], 120)
    veil = Pyramid(veiled(share, tint)(picture))
    lifted, inks = (inks_seen(pyramid, corners) for pyramid in (without_veil(veil, corners), Pyramid(picture)))
    assert lifted == pytest.approx(inks, abs=0.03)


@given(st.floats(0.3, 0.6), st.tuples(*[st.floats(0.6, 1.3)] * 3), st.tuples(st.floats(0, 1), st.floats(0, 0.3), st.floats(0.5, 0.9)))
def test_a_veil_is_lifted_where_it_lies(share: float, tint: tuple[float, float, float], spot: Spot) -> None:
    """With black numbers here and there. What differs little from place to place is taken to be even."""
    picture, corners = on_a_table([BLACK, RED, BLACK, BLUE, BLACK, YELLOW, BLACK], 120)
    veil = Pyramid(veiled(share, tint, [spot])(picture))
    lifted, left, inks = (inks_seen(pyramid, corners) for pyramid in (without_veil(veil, corners), veil, Pyramid(picture)))
    assert np.abs(lifted - inks).mean() < 0.5 * np.abs(left - inks).mean()


@pytest.mark.parametrize("ink", [(190, 60, 20), (20, 160, 215), (30, 30, 200), (90, 20, 15), (20, 15, 110), (25, 80, 20)])
def test_numbers_of_one_ink_alone_keep_their_colour(ink: tuple[int, int, int]) -> None:
    """On a light table nothing is dark but the ink, and some of its channels are not."""
    picture, corners = on_a_table([ink] * 3, 210)
    lifted, inks = (inks_seen(pyramid, corners) for pyramid in (without_veil(Pyramid(picture), corners), Pyramid(picture)))
    strongest = int(np.argmax(ink))
    assert lifted[:, strongest] == pytest.approx(inks[:, strongest], abs=0.05)
    assert (lifted <= inks + 0.01).all(), "it may look deeper, as that of any veiled picture does"


def test_channels_that_are_dark_in_different_places_are_no_veil() -> None:
    """Faint grey numbers beside yellow and blue ones: nothing is as dark as each channel is somewhere."""
    picture, corners = on_a_table([(60, 170, 210), (190, 130, 75), (110, 110, 110)], 200)
    pyramid = Pyramid(picture)
    assert without_veil(pyramid, corners) is pyramid


def test_strokes_too_thin_to_be_black_are_not_taken_for_a_faint_colour_of_it() -> None:
    """One spot, in a shadow, is darker than all ink and a little red; what thin strokes have of all channels does not lie over all."""
    pixels = np.full((3, 1, 1000), 1.0, np.float32)
    pixels[:, 0, 0] = 0, 0.01, 0.04
    pixels[:, 0, 1:30] = np.array([[0.09], [0.1], [0.11]])
    pixels[:, 0, 30:60] = np.array([[0.9], [0.1], [0.11]])
    assert veils._over_all(pixels) is None
    pixels[2] += 0.2
    assert veils._over_all(pixels) == pytest.approx((0, 0, 0.31), abs=0.005)


def test_black_in_thin_strokes_is_not_red_because_a_spot_of_blue_is() -> None:
    """Three spots alone have less of one channel each, one of them no red; on all other ink each has a fifth of a face's light."""
    pixels = np.full((3, 1, 1000), 1.0, np.float32)
    pixels[:, 0, 60:63] = np.array([[0.3, 0.05, 0.3], [0.3, 0.3, 0.035], [0.003, 0.3, 0.3]])
    pixels[:, 0, :30] = np.array([[0.2], [0.22], [0.2]])
    pixels[:, 0, 30:60] = np.array([[0.2], [0.22], [0.9]])
    assert veils._over_all(pixels) is None


def test_where_there_is_no_veil_or_no_tile_the_picture_stays_as_it_is() -> None:
    picture, corners = on_a_table([RED, BLACK], 120)
    assert (inks_seen(without_veil(Pyramid(picture), corners), corners) == inks_seen(Pyramid(picture), corners)).all()
    veil = Pyramid(veiled(0.5)(picture))
    assert without_veil(veil, corners[:0]) is veil


@pytest.mark.parametrize("spots", [[], [(0.1, 0.0, 0.5)]])
def test_whether_a_veil_is_even_is_told(spots: list[Spot]) -> None:
    picture, corners = on_a_table([BLACK, RED, BLACK, BLUE, BLACK, YELLOW, BLACK], 120)
    unveiled = without_veil(Pyramid(veiled(0.5, spots=spots)(picture)), corners)
    assert isinstance(unveiled, Unveiled)
    assert (unveiled.unevenly > 0.1) == bool(spots)
    assert (unveiled.unevenly == 0) == (not spots)
