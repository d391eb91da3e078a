"""What a camera above the table remembers of a deal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.dashboard.hand import Hand
from assistant.dashboard.table_memory import TableMemory
from assistant.tiles import COPIES, NUMBERED_TILES, Tile, parse_tiles
from tests.dashboard.readings import reading_of

HAND = "R1 R2 R3 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13"


def _after(*tables: str) -> TableMemory:
    """The memory after the table lay so, one after the other."""
    memory = TableMemory()
    for table in tables:
        memory.add(reading_of("", table=table))
    return memory


def test_a_single_tile_on_a_cleared_table_is_the_indicator_of_a_new_deal() -> None:
    memory = _after("K11", "K11 R5 R6", "# #", "B3", "B3 Y1")
    assert memory.indicator == Tile.parse("B3")
    assert memory.discards(Hand(reading_of(HAND))) == [Tile.parse("Y1")]


@pytest.mark.parametrize(
    ("tables", "rack", "discards"),
    [
        (["K11", "K11 R5"], "R1 R2", "R5"),
        (["K11", "K11 R5", "K11 B4"], "R1 R2", "B4 R5"),  # covered by another
        (["K11", "K11 R5", "", "K11"], "R1 R2", ""),  # a new deal with the same indicator
        (["K11", "K11 R5", "B4"], "R1 R2", "B4 R5"),  # a hand in the way of all others
        (["K11", "K11 R5 R5", "K11 B4"], "R1 R2", "B4 R5 R5"),
        (["K11", "K11 R5", "K11 B4"], "R5 R2", "B4"),  # taken from the table to this hand, as far as one can know
        (["K11", "K11 R5"], "R5 R2", "R5"),  # the other one, as this lies on the table still
        (["K11", "K11 K11"], "R1 R2", "K11"),  # the indicator's twin
        (["K11", "K11 J ? #"], "R1 R2", "J"),
        (["R5 R6"], "R1 R2", "R5 R6"),  # the camera came late: no indicator
    ],
)
def test_what_lies_or_lay_on_the_table_cannot_be_drawn(tables: list[str], rack: str, discards: str) -> None:
    assert _after(*tables).discards(Hand(reading_of(rack))) == parse_tiles(discards)


def test_doubtful_tiles_are_not_remembered() -> None:
    memory = _after("K11")
    memory.add(reading_of("", table="K11 R5 B4", doubtful="R5"))
    assert memory.discards(Hand(reading_of(HAND))) == [Tile.parse("B4")]


def test_tiles_that_the_hands_own_picture_shows_are_not_told_twice() -> None:
    memory = _after("K11", "K11 R5 B4")
    assert memory.discards(Hand(reading_of(HAND, indicator="K11", table="R5"))) == [Tile.parse("B4")]


def test_the_hand_gets_the_indicator_that_its_own_picture_does_not_show() -> None:
    memory = _after("K11")
    completed = memory.completed(Hand(reading_of(HAND))).indicator
    assert completed is not None
    assert completed.tile == Tile.parse("K11")
    own = Hand(reading_of(HAND, indicator="B3"))
    assert memory.completed(own) is own
    assert TableMemory().completed(own) is own


TABLE = st.lists(st.sampled_from(NUMBERED_TILES), min_size=2, max_size=12).filter(lambda tiles: max(map(tiles.count, tiles)) <= COPIES)


@given(st.lists(TABLE, max_size=6))
def test_never_more_copies_are_remembered_than_there_are(tables: list[list[Tile]]) -> None:
    memory = _after("K11", *(" ".join(map(str, table)) for table in tables))
    discards = memory.discards(Hand(reading_of("R1 R2")))
    assert all(discards.count(tile) <= COPIES for tile in discards)
    assert {tile for table in tables for tile in table} >= set(discards)
