"""The notation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.tiles import (
    FACE_DOWN,
    FALSE_JOKER,
    NUMBERED_TILES,
    UNREADABLE,
    NotationError,
    Rack,
    Tile,
    okey_of,
    parse_tiles,
    quoted,
)

tiles = st.sampled_from((*NUMBERED_TILES, FALSE_JOKER, FACE_DOWN, UNREADABLE))
racks = st.lists(st.lists(st.lists(tiles, min_size=1), min_size=1), max_size=4).map(Rack.of)


@given(tiles)
def test_a_tile_is_what_its_text_says(tile: Tile) -> None:
    assert Tile.parse(str(tile)) == tile
    assert Tile.parse(f" {str(tile).lower()} ") == tile


@given(racks)
def test_a_rack_is_what_its_text_says(rack: Rack) -> None:
    assert Rack.parse(str(rack)) == rack


def test_the_notations_example() -> None:
    rack = Rack.parse("b11 Y11 R11|Y9 Y10 K12 B10/B2 B3 B4 B5 B6 B7 |  K12")
    assert str(rack) == "B11 Y11 R11 | Y9 Y10 K12 B10 / B2 B3 B4 B5 B6 B7 | K12"
    assert len(rack.tiles) == 14


@pytest.mark.parametrize("text", ["R0", "R14", "R01", "G5", "R", "", "5R", "JJ", "R５", "R-1"])
def test_what_is_no_tile_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is no tile"):
        Tile.parse(text)


@pytest.mark.parametrize("given", ["R" * 100_000, 10**4000, ["R5"] * 1000])
def test_of_long_input_the_beginning_is_quoted(given: object) -> None:
    assert quoted(given) == repr(given)[:60] + "…"
    assert quoted("R5") == "'R5'"
    with pytest.raises(NotationError) as refused:
        Tile.parse(str(given))
    assert len(str(refused.value)) < 150


def test_the_okey_follows_the_indicator_and_one_follows_thirteen() -> None:
    assert str(okey_of(Tile.parse("K11"))) == "K12"
    assert str(okey_of(Tile.parse("R13"))) == "R1"
    with pytest.raises(NotationError):
        okey_of(FALSE_JOKER)


def test_a_list_of_tiles_takes_commas_and_spaces() -> None:
    assert [str(tile) for tile in parse_tiles("R1, k2  j")] == ["R1", "K2", "J"]
