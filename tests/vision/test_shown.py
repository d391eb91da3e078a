"""A hand that is shown is told from whatever else lies on a table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.tiles import FACE_DOWN, Rack, Tile, parse_tiles
from tests.vision.laid import HANDS, SIZE, WIDTH, Outline, heap, laid, outline, reading
from vision.reading import Place, Reading
from vision.shown import part_to_look_at, shown_hand
from vision.sight import Sight


def _shown(table: Reading) -> Reading | None:
    """The hand that is shown where nobody knows what lay there before."""
    return shown_hand(table, np.ones(len(table.tiles), bool))


@pytest.mark.parametrize("hand", HANDS.values(), ids=HANDS)
@settings(max_examples=15)
@given(angle=st.floats(-np.pi, np.pi), seed=st.integers(0, 1000))
def test_a_hand_is_recognised_among_discards_from_whichever_side(hand: str, angle: float, seed: int) -> None:
    shown = _shown(reading([*heap(12, seed), *laid(hand)], angle))
    assert shown is not None
    assert shown.rack == Rack.parse(hand)
    assert len(shown.tiles) == 12 + len(laid(hand))
    assert {seen.place for seen in shown.tiles[len(laid(hand)) :]} == {Place.TABLE}


@given(count=st.integers(14, 80), seed=st.integers(0, 10**6))
def test_a_heap_of_discards_is_no_hand(count: int, seed: int) -> None:
    assert _shown(reading(heap(count, seed))) is None


def test_neither_a_part_of_a_hand_nor_one_row_is_a_hand() -> None:
    assert _shown(reading(laid(HANDS["two rows"])[:-1])) is None
    assert _shown(reading(laid("R3 R4 R5 K9 B9 Y9 B10 B11 B12 B13 Y1 K1 R1 B1"))) is None
    assert _shown(reading([])) is None


def test_stacks_face_down_are_no_hand() -> None:
    assert _shown(reading([(FACE_DOWN, one) for _, one in laid(HANDS["two rows"])])) is None


def test_a_rack_in_play_whose_tiles_are_seen_from_above_is_not_shown() -> None:
    assert _shown(reading(laid(HANDS["two rows"], tall=0.6 * WIDTH))) is None


def test_discards_in_a_row_beside_the_hand_are_known_by_having_lain_there_before() -> None:
    row = [(tile, outline(400 + at * 31, 190)) for at, tile in enumerate(parse_tiles("R3 K2 B7 Y9"))]
    table = reading([*row, *laid(HANDS["two rows"])])
    assert _shown(table) is None
    shown = shown_hand(table, np.arange(len(table.tiles)) >= len(row))
    assert shown is not None
    assert shown.rack == Rack.parse(HANDS["two rows"])


def test_the_only_other_face_is_the_indicator() -> None:
    shown = _shown(reading([*laid(HANDS["two rows"]), *heap(1, 0, "K11"), (FACE_DOWN, outline(900, 100))]))
    assert shown is not None
    assert shown.indicator == Tile.parse("K11")


def sight(outlines: list[Outline]) -> Sight:
    """What is seen of these outlines, whatever they show."""
    count = len(outlines)
    chances_and_inks = (np.zeros((count, columns), np.float32) for columns in (16, 4, 3))
    return Sight(SIZE, np.array(outlines, np.float32).reshape(-1, 4, 2), *chances_and_inks, np.ones(count, np.float32), 0.5)


def test_small_tiles_side_by_side_are_looked_at_from_closer() -> None:
    hand = [one for _, one in laid(HANDS["two rows"])]
    found = part_to_look_at(sight(hand[::2]))  # as where the locator sees every other tile
    assert found is not None
    left, top, right, bottom = found
    corners = np.concatenate(hand)
    assert (corners > [left, top]).all()
    assert (corners < [right, bottom]).all()
    assert (right - left) * (bottom - top) < SIZE[0] * SIZE[1] / 3
    assert part_to_look_at(sight(hand[:4])) is None
    assert part_to_look_at(sight([])) is None
    assert part_to_look_at(sight([3 * one - [600, 600] for one in hand])) is None
