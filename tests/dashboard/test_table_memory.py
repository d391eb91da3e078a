"""What a camera above the table remembers of a deal."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.dashboard.hand import Hand
from assistant.dashboard.judging import judge, seen_in_photo
from assistant.dashboard.table_memory import CLEARED, UNWATCHED, TableMemory
from assistant.tiles import COPIES, FALSE_JOKER, NUMBERED_TILES, Rack, Tile, parse_tiles
from tests.dashboard.readings import reading_of
from tests.vision.laid import heap, laid, outline, reading
from vision.reading import SeenTile

HAND = "R1 R2 R3 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13"


PICTURE = np.zeros((4, 4, 3), np.uint8)
PAUSE = 20.0
"""Seconds between one look at the table and the next."""


def _after(*tables: str) -> TableMemory:
    """The memory after the table lay so, one after the other."""
    memory = TableMemory()
    for number, table in enumerate(tables):
        memory.add(reading_of("", table=table), PAUSE * number, PICTURE)
    return memory


def test_a_single_tile_on_a_cleared_table_is_the_indicator_of_a_new_deal() -> None:
    memory = _after("K11", "K11 R5 R6", "# #", "B3", "B3 Y1")
    assert memory.indicator is not None
    assert memory.indicator.tile == Tile.parse("B3")
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


def test_what_was_known_stays_while_another_visitors_look_begins_a_new_deal() -> None:
    memory = _after("K11", "K11 R5")
    known = memory.as_it_is()
    for number, table in enumerate(("K11 R5 R6", "# #", "B3"), start=2):
        memory.add(reading_of("", table=table), PAUSE * number, PICTURE)
    assert memory.indicator is not None and memory.indicator.tile == Tile.parse("B3")
    assert known.indicator is not None and known.indicator.tile == Tile.parse("K11")
    assert known.discards(Hand(reading_of(HAND))) == [Tile.parse("R5")]


def test_doubtful_tiles_are_not_remembered() -> None:
    memory = _after("K11")
    memory.add(reading_of("", table="K11 R5 B4", doubtful="R5"), PAUSE, PICTURE)
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


WIN = "R1 R2 R3 | K5 B5 Y5 / B7 B8 B9 B10 | Y10 Y11 Y12 Y13"
FALSE = "R1 R2 R3 | K5 B5 B6 / B7 B8 B9 B10 | Y10 Y11 Y12 Y13"
INDICATOR = [(Tile.parse("K11"), outline(1200, 60))]
DISCARDS = heap(4, 1, "R9 K2 B12 Y7")


def _deal(*after: tuple[float, list[tuple[Tile, np.ndarray]]]) -> TableMemory:
    """The memory of a deal with an indicator and some discards, and then of tables at so many seconds."""
    memory = TableMemory()
    for time, tiles in ((0.0, INDICATOR), (PAUSE, INDICATOR + DISCARDS), *after):
        memory.add(reading(tiles), time, PICTURE)
    return memory


def _told(memory: TableMemory) -> str:
    """The tiles that cannot be drawn beside a hand that has none of them."""
    return " ".join(map(str, memory.discards(Hand(reading_of("R13 R13")))))


@pytest.mark.parametrize("hand", [WIN, FALSE])
def test_the_tiles_of_a_shown_hand_are_no_discards_nor_were_they_while_it_was_laid(hand: str) -> None:
    table = INDICATOR + DISCARDS
    memory = _deal((41.0, table + laid(hand)[:5]), (43.0, table + laid(hand)[:10]), (45.0, table + laid(hand)))
    assert memory.shown is not None
    assert memory.shown.hand.rack == Rack.parse(hand)
    assert memory.shown.hand.indicator is not None
    assert memory.shown.hand.indicator.tile == Tile.parse("K11")
    assert _told(memory) == "B12 K2 R9 Y7"


def test_the_indicator_is_known_though_the_fifteenth_tile_lies_on_it() -> None:
    memory = _deal((41.0, [(Tile.parse("R6"), INDICATOR[0][1]), *laid(WIN)]))
    assert memory.shown is not None
    assert str(memory.shown.hand.indicator and memory.shown.hand.indicator.tile) == "K11"


def test_rows_of_discards_are_no_hand() -> None:
    rows = laid("R1 K7 Y3 | B2 B11 / R5 K5 B9 Y13 R12 | K1 Y8 B6 R10")
    assert _deal((41.0, INDICATOR + rows)).shown is None
    grown = [(41.0 + PAUSE * count, INDICATOR + rows[:count]) for count in range(1, 15)]
    assert _deal(*grown).shown is None


def test_a_hand_stays_while_an_arm_is_over_a_part_of_it_and_goes_when_it_is_taken_up() -> None:
    hand = laid(WIN)
    assert _deal((41.0, INDICATOR + hand), (42.0, INDICATOR + hand[5:])).shown is not None
    assert _deal((41.0, INDICATOR + hand), (42.0, INDICATOR + hand[10:])).shown is None


def test_a_tile_that_cannot_be_read_hides_no_hand() -> None:
    memory = _deal((41.0, INDICATOR + laid(WIN.replace("B8", "?"))))
    assert memory.shown is not None
    assert str(memory.shown.hand.rack) == WIN.replace("B8", "?")


def _seen(memory: TableMemory, *tables: tuple[str, str]) -> TableMemory:
    """The memory after the table lay so, one after the other: what lies there, and what of it is doubtful."""
    for number, (table, doubtful) in enumerate(tables):
        memory.add(reading_of("", table=table, doubtful=doubtful), PAUSE * number, PICTURE)
    return memory


@pytest.mark.parametrize(
    ("later", "indicator"),
    [
        (("K9 R5", "K9"), ("K9", 0.6)),
        (("K9 R5", ""), ("K9", 0.99)),
        (("B9 R5", ""), ("B9", 0.99)),  # its colour is told once there are others to compare it with
        (("B9 R5", "B9"), ("B9", 0.6)),
        (("R6 R5", ""), ("K9", 0.6)),  # laid on it
        (("? R5", ""), ("K9", 0.6)),
        (("R5", ""), ("K9", 0.6)),
    ],
)
def test_a_doubtful_indicator_is_known_in_doubt_until_it_is_read_for_sure(later: tuple[str, str], indicator: tuple[str, float]) -> None:
    memory = _seen(TableMemory(), ("K9", "K9"), later)
    assert memory.indicator is not None
    assert (str(memory.indicator.tile), memory.indicator.confidence) == indicator


def test_an_indicator_that_was_read_for_sure_stays_what_it_is() -> None:
    memory = _seen(TableMemory(), ("K9", ""), ("B9 R5", ""))
    assert memory.indicator is not None
    assert memory.indicator.tile == Tile.parse("K9")


def test_a_discard_is_no_indicator_though_that_could_not_be_read() -> None:
    assert _seen(TableMemory(), ("?", ""), ("? R5", "")).indicator is None


def test_a_verdict_by_a_doubtful_indicator_says_so() -> None:
    hand = Hand(reading_of(HAND))
    doubtful = _seen(TableMemory(), ("K11", "K11")).completed(hand)
    assert doubtful.indicator is not None and doubtful.indicator.state == "doubt"
    assert judge(doubtful).caution
    sure = _seen(TableMemory(), ("K11", "")).completed(hand)
    assert sure.indicator is not None and sure.indicator.state == "sure"
    assert not judge(sure).caution


def test_discards_that_touch_a_hand_are_no_part_of_it_though_they_are_read_anew() -> None:
    beside = [outline(400 + 30.9 * 7 + 0.7 * 30 + at * 30.9, 250) for at in range(3)]  # they go on where the hand's first row ends

    def row(tiles: str) -> list[tuple[Tile, np.ndarray]]:
        return list(zip(parse_tiles(tiles), beside, strict=True))

    assert _deal((41.0, INDICATOR + row("R9 Y2 B5") + laid(WIN))).shown is None
    memory = _deal((25.0, INDICATOR + row("R9 ? B5")), (41.0, INDICATOR + row("R9 Y2 B5") + laid(WIN)))
    assert memory.shown is not None
    assert memory.shown.hand.rack == Rack.parse(WIN)


def test_a_hand_is_told_from_discards_where_others_lay_in_the_deal_before() -> None:
    touching = [(tile, one - [3 * 30.9, 0]) for tile, one in laid("R9 Y2 B5")]  # on the left of the hand's first row
    table = INDICATOR + touching
    memory = _deal((41.0, INDICATOR + laid(WIN)[:5]), (70.0, []), (90.0, table), (120.0, table + laid(WIN)))
    assert memory.shown is not None
    assert memory.shown.hand.rack == Rack.parse(WIN)


def _looks(*tables: tuple[float, list[tuple[Tile, np.ndarray]]]) -> TableMemory:
    """The memory after a camera saw the table so, each at so many seconds."""
    memory = TableMemory()
    for time, tiles in tables:
        memory.add(reading(tiles), time, PICTURE)
    return memory


def _indicator(memory: TableMemory) -> str:
    return str(memory.indicator and memory.indicator.tile)


def test_a_false_joker_turned_up_first_is_no_indicator_and_hides_none() -> None:
    joker = [(FALSE_JOKER, INDICATOR[0][1])]
    memory = _looks((0, heap(1, 1, "B3")), (20, []), (30, joker), (32, INDICATOR), (40, INDICATOR + DISCARDS))
    assert _indicator(memory) == "K11"
    assert _told(memory) == "B12 K2 R9 Y7"


@pytest.mark.parametrize(("hidden_for", "indicator"), [(1.5, "K11"), (CLEARED + 1, "R9")])
def test_an_arm_that_hides_the_whole_table_for_a_moment_begins_no_deal(hidden_for: float, indicator: str) -> None:
    memory = _looks((0, INDICATOR), (20, INDICATOR + DISCARDS), (30, []), (30 + hidden_for, DISCARDS[:1]))
    assert _indicator(memory) == indicator


@pytest.mark.parametrize(("now", "indicator", "discards"), [(INDICATOR, "K11", "B12 K2 R9 Y7"), (heap(2, 5, "B3 R6"), "None", "B3 R6")])
def test_what_was_known_holds_after_a_while_without_a_look_only_if_the_indicator_still_lies_there(
    now: list[tuple[Tile, np.ndarray]], indicator: str, discards: str
) -> None:
    memory = _looks((0, INDICATOR), (20, INDICATOR + DISCARDS), (21 + UNWATCHED, now))
    assert (_indicator(memory), _told(memory)) == (indicator, discards)


def test_an_indicator_whose_colour_was_misread_at_first_leaves_no_discard_behind() -> None:
    memory, hand = TableMemory(), Hand(reading_of("R1 R2"))
    for time, indicator, confidence in ((0, "K9", 0.87), (20, "B9", 0.99)):
        seen = SeenTile(Tile.parse(indicator), confidence, tuple(map(tuple, INDICATOR[0][1])))  # type: ignore[arg-type]
        memory.add(replace(reading([]), tiles=(seen,)), time, PICTURE)
    assert _indicator(memory) == "B9"
    assert memory.discards(hand) == []


@pytest.mark.parametrize(("own", "known"), [("", "K11"), ("?", "K11"), ("J", "K11"), ("Y4", "K11"), ("B3", "B3")])
def test_the_tables_indicator_helps_a_picture_that_shows_none_or_a_doubtful_one(own: str, known: str) -> None:
    completed = _after("K11").completed(Hand(reading_of(HAND, indicator=own, doubtful="Y4"))).indicator
    assert str(completed and completed.tile) == known


def test_an_indicator_that_the_user_told_stays() -> None:
    told = Hand(reading_of(HAND)).with_indicator(Tile.parse("B1"))
    assert _after("K11").completed(told) is told


def test_no_third_copy_of_a_tile_comes_from_the_table() -> None:
    assert _after("K11", "K11 R5").discards(Hand(reading_of("R5 R5"))) == []


def test_a_tile_that_the_hands_own_picture_shows_in_doubt_is_told_by_the_table() -> None:
    memory = _after("K11", "K11 R5 B4")
    hand = Hand(reading_of(HAND, indicator="K11", table="R5 B4", doubtful="R5"))
    assert (memory.discards(hand), seen_in_photo(hand)) == (parse_tiles("R5"), parse_tiles("B4"))
