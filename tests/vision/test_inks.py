"""The inks of a set as they are, and green in place of blue or yellow."""

from pathlib import Path

import numpy as np
import pytest

from assistant.dashboard import __file__ as dashboard
from assistant.tiles import Colour
from tests.dashboard.photos import green_for_blue
from vision.inks import green_among, inks_of
from vision.reader import TileReader
from vision.sources import load_photo

SAMPLE = Path(dashboard).with_name("sample.jpg")


def test_a_colours_ink_is_the_middle_one_of_its_tiles() -> None:
    ink = np.array([[0.9, 0.2, 0.1], [0.8, 0.3, 0.1], [0.0, 0.9, 0.0], [0.1, 0.1, 1.2], [0.5, 0.5, 0.5]])
    inks = inks_of([Colour.BLUE, Colour.BLUE, Colour.BLUE, Colour.RED, None], ink)
    assert inks == {Colour.RED: pytest.approx((1.0, 0.1, 0.1)), Colour.BLUE: pytest.approx((0.1, 0.3, 0.8))}


@pytest.mark.parametrize(
    ("ink", "for_blue", "for_yellow"),
    [
        ((0.05, 0.5, 0.2), True, True),
        ((0.3, 0.55, 0.2), True, True),
        ((0.1, 0.3, 0.8), False, False),
        ((0.3, 0.75, 0.74), False, True),  # as blue it is cyan, but it cannot be yellow
        ((0.95, 0.6, 0.2), False, False),
        ((0.2, 0.24, 0.22), False, False),  # too dark to have a hue
    ],
)
def test_green_is_told_from_blue_cyan_and_yellow(ink: tuple[float, float, float], for_blue: bool, for_yellow: bool) -> None:
    for colour in Colour:
        replaced = {Colour.BLUE: for_blue, Colour.YELLOW: for_yellow}.get(colour, False)
        assert green_among({colour: ink}) == (frozenset({colour}) if replaced else frozenset())


def test_no_set_has_green_for_blue_and_for_yellow() -> None:
    assert green_among(dict.fromkeys(Colour, (0.05, 0.5, 0.2))) == frozenset(), "two colours are never called the same"


def test_a_photo_of_a_set_with_green_for_blue_says_so() -> None:
    reader, photo = TileReader(), SAMPLE.read_bytes()
    assert green_among(reader.read(load_photo(photo)).inks) == frozenset()
    assert green_among(reader.read(load_photo(green_for_blue(photo))).inks) == {Colour.BLUE}
