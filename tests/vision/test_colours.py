"""The colours of one picture, settled together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.colours import settle_colours


def a_blue_tile_that_looks_black() -> tuple[np.ndarray, np.ndarray]:
    """Chances of colour and inks of ten tiles in three inks; the last is blue, and the classifier takes it for black."""
    inks = np.array([[0.1, 0.1, 0.8]] * 3 + [[0.08, 0.08, 0.08]] * 3 + [[0.45, 0.2, 0.1]] * 4, np.float32)
    colour = np.full((10, 4), 0.02, np.float32)
    for i, k in enumerate([0, 0, 0, 1, 1, 1, 2, 2, 2]):
        colour[i, k] = 0.94
    colour[9] = [0.02, 0.53, 0.43, 0.02]
    return colour, inks


def test_inks_of_one_light_are_settled_together() -> None:
    colour, inks = a_blue_tile_that_looks_black()
    settled = settle_colours(colour, inks, np.ones(10, np.float32))
    assert settled.argmax(1).tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 2]


@pytest.mark.parametrize("depth", [0.4, 2.5])
def test_faint_and_deep_strokes_of_one_ink_are_of_one_colour(depth: float) -> None:
    """The blue tile's ink takes less of the light than that of the other blue ones, or more, in every channel alike."""
    colour, inks = a_blue_tile_that_looks_black()
    inks[9] **= depth
    assert settle_colours(colour, inks, np.ones(10, np.float32))[9].argmax() == 2


def test_two_inks_that_seem_one_colour_part() -> None:
    """In yellow light black ink seems blue to the classifier, as does the blue beside it; one of four tiles tells, in doubt."""
    inks = np.array([[0.6, 0.45, 0.14]] * 4 + [[0.27, 0.17, 0.15]] * 4, np.float32)
    colour = np.array([[0, 0, 1, 0]] * 4 + [[0, 0.05, 0.95, 0]] * 3 + [[0, 0.3, 0.7, 0]], np.float32)
    settled = settle_colours(colour, inks, np.ones(8, np.float32))
    assert settled.argmax(1).tolist() == [2] * 4 + [1] * 4


def test_the_deeper_of_two_inks_of_one_hue_is_red() -> None:
    """Under a lamp red and yellow take nearly the same share of each channel, but red takes more of all."""
    inks = np.array([[0.2, 0.55, 0.78]] * 7 + [[0.66, 0.88, 0.95]] * 4, np.float32)
    colour = np.array([[0.8, 0, 0, 0.2]] * 4 + [[0.35, 0, 0, 0.65]] * 3 + [[0.05, 0, 0, 0.95]] * 4, np.float32)
    settled = settle_colours(colour, inks, np.ones(11, np.float32))
    assert settled.argmax(1).tolist() == [0] * 7 + [3] * 4


@pytest.mark.parametrize(("other", "other_ink", "stands_for"), [(2, (0.7, 0.25, 0.1), 3), (3, (0.1, 0.65, 0.9), 2)])
def test_green_stands_for_the_colour_that_is_not_beside_it(other: int, other_ink: tuple[float, ...], stands_for: int) -> None:
    """The classifier takes green for blue as well as for yellow, and leans to what it is not; the colours beside it tell."""
    inks = np.array([[0.1, 0.1, 0.8]] * 2 + [[0.08, 0.08, 0.08]] * 2 + [other_ink] * 4 + [(0.25, 0.55, 0.15)] * 4, np.float32)
    colour = np.full((12, 4), 0.02, np.float32)
    for i, k in enumerate([0, 0, 1, 1] + [other] * 4):
        colour[i, k] = 0.94
    colour[8:, other], colour[8:, stands_for] = 0.52, 0.44
    settled = settle_colours(colour, inks, np.ones(12, np.float32))
    assert settled.argmax(1).tolist() == [0, 0, 1, 1] + [other] * 4 + [stands_for] * 4
    assert np.allclose(settled.sum(1), 1)


@pytest.mark.parametrize(("beside", "beside_ink"), [(3, (0.1, 0.75, 0.95)), (2, (0.8, 0.3, 0.1))])
def test_two_greens_are_one_colour_where_the_other_is_clearly_seen(beside: int, beside_ink: tuple[float, ...]) -> None:
    """Where the light makes some of the green bluish, or yellowish, that is no proof of another ink: it may be green, too."""
    is_one = 5 - beside
    inks = np.array([[0.1, 0.1, 0.8]] * 3 + [beside_ink] * 2 + [[0.3, 0.6, 0.25]] * 3 + [[0.4, 0.55, 0.15]] * 4, np.float32)
    colour = np.zeros((12, 4), np.float32)
    colour[:3, 0] = colour[3:5, beside] = 1
    colour[5:8, is_one], colour[5:8, beside] = 0.88, 0.12
    colour[8:, is_one], colour[8:, beside] = 0.55, 0.45
    settled = settle_colours(colour, inks, np.ones(12, np.float32))
    assert settled.argmax(1).tolist() == [0] * 3 + [beside] * 2 + [is_one] * 7


def bluish_green_beside(beside: int, beside_ink: tuple[float, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Chances of colour and inks of eight tiles: red, black, two of another colour, four bluish green, which surely seem blue."""
    inks = np.array([[0.1, 0.1, 0.8], [0.08, 0.08, 0.08]] + [beside_ink] * 2 + [(0.69, 0.74, 0.35)] * 4, np.float32)
    colour = np.full((8, 4), 0.001, np.float32)
    for i, k in enumerate([0, 1, beside, beside, 2, 2, 2, 2]):
        colour[i, k] = 0.997
    return colour, inks


def test_bluish_green_beside_another_blue_stands_for_yellow() -> None:
    settled = settle_colours(*bluish_green_beside(2, (0.67, 0.46, 0.28)), np.ones(8, np.float32))
    assert settled.argmax(1).tolist() == [0, 1, 2, 2, 3, 3, 3, 3]


def test_bluish_green_beside_yellow_is_the_blue_of_its_set() -> None:
    settled = settle_colours(*bluish_green_beside(3, (0.1, 0.65, 0.9)), np.ones(8, np.float32))
    assert settled.argmax(1).tolist() == [0, 1, 3, 3, 2, 2, 2, 2]


@pytest.mark.parametrize("alike", [2, 3])
def test_green_with_neither_blue_nor_yellow_is_one_colour(alike: int) -> None:
    """Each of the green tiles may be both; most look more like one."""
    inks = np.array([[0.1, 0.1, 0.8]] * 2 + [[0.08, 0.08, 0.08]] * 2 + [[0.25, 0.55, 0.15]] * 5, np.float32)
    colour = np.full((9, 4), 0.01, np.float32)
    for i, k in enumerate([0, 0, 1, 1]):
        colour[i, k] = 0.97
    colour[4:, alike], colour[4:, 5 - alike] = [0.62, 0.6, 0.38, 0.65, 0.45], [0.36, 0.38, 0.6, 0.33, 0.53]
    settled = settle_colours(colour, inks, np.ones(9, np.float32))
    assert settled.argmax(1).tolist() == [0, 0, 1, 1] + [alike] * 5
    assert settled[4:].max() < 0.7, "nothing shows which of the two it is"


def test_doubted_blue_and_yellow_stay_two_colours() -> None:
    """Each may be the other, so that neither proves that it is seen, as where the frames of a video disagree."""
    inks = np.array([[0.7, 0.25, 0.1]] * 4 + [[0.1, 0.65, 0.9]] * 4, np.float32)
    colour = np.array([[0.05, 0.05, 0.8, 0.1]] * 4 + [[0.05, 0.05, 0.1, 0.8]] * 4, np.float32)
    assert settle_colours(colour, inks, np.ones(8, np.float32)).argmax(1).tolist() == [2] * 4 + [3] * 4


def test_one_green_tile_that_surely_seems_blue_is_no_blue_beside_the_others() -> None:
    inks = np.array([[0.1, 0.1, 0.8]] * 2 + [[0.08, 0.08, 0.08]] * 2 + [[0.47, 0.6, 0.21]] * 5, np.float32)
    colour = np.full((9, 4), 0.01, np.float32)
    for i, k in enumerate([0, 0, 1, 1, 2]):
        colour[i, k] = 0.97
    colour[5:, 2], colour[5:, 3] = 0.7, 0.28
    assert settle_colours(colour, inks, np.ones(9, np.float32)).argmax(1).tolist() == [0, 0, 1, 1] + [2] * 5


def test_a_rack_without_blue_and_yellow_keeps_its_colours() -> None:
    inks = np.array([[0.1, 0.1, 0.8]] * 4 + [[0.08, 0.08, 0.08]] * 4, np.float32)
    colour = np.repeat(np.eye(4, dtype=np.float32)[:2], 4, axis=0)  # sure to the last digit, as a softmax may be
    settled = settle_colours(colour, inks, np.ones(8, np.float32))
    assert settled.argmax(1).tolist() == [0] * 4 + [1] * 4
    assert np.allclose(settled.sum(1), 1, atol=1e-3)


@given(st.permutations(range(4)), st.floats(0.03, 0.3), st.integers(0, 2**32 - 1))
def test_an_ink_that_all_tiles_show_as_another_is_told_by_that_other_beside_it(order: list[int], doubt: float, seed: int) -> None:
    """Four inks, of which the classifier takes one for another that is like it, a little in doubt on each tile."""
    rng = np.random.default_rng(seed)
    inks = np.array([[0.3, 0.3, 0.7], [0.3, 0.31, 0.3], [0.6, 0.35, 0.25], [0.3, 0.55, 0.75]])
    mistaken = order[-1]
    for_which = {0: 3, 3: 0, 1: 2, 2: 1}[mistaken]
    true = np.repeat(order, 4)
    colour = np.full((16, 4), 1e-4, np.float32)
    colour[np.arange(16), np.where(true == mistaken, for_which, true)] = 1
    colour[true == mistaken, mistaken] = doubt
    colour[true == mistaken, for_which] = 1 - doubt
    depths = rng.uniform(0.6, 1.4, (16, 1))
    settled = settle_colours(colour, (inks[true] ** depths).astype(np.float32), np.ones(16, np.float32))
    assert settled.argmax(1).tolist() == true.tolist()


def test_one_ink_under_two_lamps_stays_one_colour() -> None:
    """Half of the black tiles lie in yellow light; the classifier has no doubt that all are black."""
    inks = np.array([[0.3, 0.3, 0.3]] * 5 + [[0.2, 0.27, 0.33]] * 5 + [[0.3, 0.3, 0.75]] * 3, np.float32)
    colour = np.repeat(np.eye(4, dtype=np.float32)[[1, 0]], [10, 3], axis=0)
    settled = settle_colours(colour, inks, np.ones(13, np.float32))
    assert settled.argmax(1).tolist() == [1] * 10 + [0] * 3
