"""The hand with the user's edits laid over the reading."""

from dataclasses import replace

import pytest

from assistant.dashboard.hand import Hand, SeenIndicator
from assistant.dashboard.paper.texts import gaps_said
from assistant.tiles import FALSE_JOKER, Rack, Tile
from tests.dashboard.readings import reading_of

RACK = "R1 R2 R3 | K5 ? / B7 J"


@pytest.fixture
def hand() -> Hand:
    return Hand(reading_of(RACK, indicator="K11", table="Y4", doubtful="K5"))


def test_a_reading_becomes_a_hand_as_it_lies(hand: Hand) -> None:
    assert hand.rack == Rack.parse(RACK)
    assert hand.indicator is not None
    assert hand.indicator.tile == Tile.parse("K11")
    assert [held.state for held in hand.tiles] == ["sure", "sure", "sure", "doubt", "doubt", "sure", "sure"]


def test_a_tile_on_the_table_is_not_in_the_hand_until_the_user_says_so(hand: Hand) -> None:
    (aside,) = (held for held in hand.held.values() if held.state == "aside")
    taken = hand.changed(aside.key, Tile.parse("Y4"))
    assert str(taken.rack) == "R1 R2 R3 | K5 ? / B7 J | Y4"
    assert taken.held[aside.key].state == "hand"


def test_without_a_rack_the_open_tiles_on_the_table_are_the_hand() -> None:
    hand = Hand(reading_of("", table="R1 R2 # B3"))
    assert str(hand.rack) == "R1 R2 B3"


def test_a_correction_keeps_the_place_and_the_name(hand: Hand) -> None:
    key = hand.tiles[4].key
    corrected = hand.changed(key, FALSE_JOKER)
    assert str(corrected.rack) == "R1 R2 R3 | K5 J / B7 J"
    assert corrected.tiles[4].key == key
    assert corrected.tiles[4].state == "hand"
    assert hand.rack == Rack.parse(RACK), "a change gives a new hand"


def test_a_tile_is_added_at_the_end_and_can_be_corrected(hand: Hand) -> None:
    added = hand.added(Tile.parse("R9")).added(Tile.parse("R10"))
    assert str(added.rack) == RACK + " | R9 R10"
    assert len({held.key for held in added.tiles}) == len(added.tiles)
    assert str(added.changed(added.tiles[-1].key, Tile.parse("B1")).rack) == RACK + " | R9 B1"


def test_a_hand_can_be_put_together_from_nothing() -> None:
    hand = Hand(reading_of("")).added(Tile.parse("R9")).with_indicator(Tile.parse("B1"))
    assert str(hand.rack) == "R9"
    assert hand.indicator is not None and hand.indicator.tile == Tile.parse("B1")


def test_a_removed_tile_stays_in_sight(hand: Hand) -> None:
    key = hand.tiles[0].key
    removed = hand.removed(key)
    assert str(removed.rack) == "R2 R3 | K5 ? / B7 J"
    assert removed.held[key].state == "aside"
    assert str(removed.changed(key, Tile.parse("R1")).rack) == RACK


def test_the_indicator_is_picked(hand: Hand) -> None:
    picked = hand.with_indicator(Tile.parse("K12"))
    assert picked.indicator is not None and hand.indicator is not None
    assert picked.indicator.tile == Tile.parse("K12")
    assert picked.indicator.key == hand.indicator.key, "the tile in the photo is the one that was misread"
    assert picked.indicator.state == "hand"


@pytest.mark.parametrize(("confidence", "state"), [(0.99, "sure"), (0.6, "doubt")])
def test_the_indicator_that_a_camera_above_the_table_saw_is_as_sure_as_its_reading(hand: Hand, confidence: float, state: str) -> None:
    seen = hand.with_seen_indicator(SeenIndicator(Tile.parse("K12"), confidence)).indicator
    assert seen is not None
    assert (seen.tile, seen.state) == (Tile.parse("K12"), state)


def test_another_tile_is_the_indicator(hand: Hand) -> None:
    assert hand.indicator is not None
    moved = hand.with_indicator(hand.tiles[0].tile, hand.tiles[0].key)
    assert moved.indicator is not None
    assert moved.indicator.tile == Tile.parse("R1")
    assert moved.held[hand.indicator.key].state == "aside"
    assert str(moved.rack) == "R2 R3 | K5 ? / B7 J"


def test_what_was_taken_for_the_indicator_belongs_to_the_hand(hand: Hand) -> None:
    assert hand.indicator is not None
    moved = hand.moved_to_rack(hand.indicator.key)
    assert moved.indicator is None
    assert str(moved.rack) == RACK + " | K11"


def test_edits_are_taken_back_one_by_one_or_all(hand: Hand) -> None:
    edited = hand.removed("0").changed("1", Tile.parse("Y13"))
    assert edited.undone() == hand.removed("0")
    assert edited.as_read() == hand


def test_no_reading_overwrites_what_the_user_said(hand: Hand) -> None:
    said = hand.changed("4", Tile.parse("Y5")).with_indicator(Tile.parse("B1"))
    again = replace(said, reading=reading_of("R1 R2 R3 | K5 K7 / B7 J", indicator="K11", table="Y4"))
    assert again.tiles[4].tile == Tile.parse("Y5")
    assert again.indicator is not None and again.indicator.tile == Tile.parse("B1")


def test_the_rack_is_sorted(hand: Hand) -> None:
    def text(order: str) -> str:
        return str(Rack.of([[held.tile for held in group] for group in row] for row in hand.sorted_rows(order)))

    assert text("lies") == RACK
    assert text("colour") == "R1 R2 R3 | K5 / B7 | J ?"
    assert text("number") == "R1 | R2 | R3 | K5 | B7 | J ?"


def test_what_the_user_says_of_a_gap_parts_or_joins_groups() -> None:
    hand = Hand(reading_of("R1 R2 R3 K5 | B5 Y5 / B7 B8", "K11", doubtful_gaps=[2, 3, 5]))
    assert hand.doubtful_gaps == ["2", "3"]  # the end of a row is no gap
    parted = hand.with_gap("2", apart=True)
    assert str(parted.rack) == "R1 R2 R3 | K5 | B5 Y5 / B7 B8"
    assert parted.doubtful_gaps == ["3"]
    joined = parted.with_gap("3", apart=False)
    assert str(joined.rack) == "R1 R2 R3 | K5 B5 Y5 / B7 B8"
    assert joined.doubtful_gaps == []
    assert str(joined.undone().rack) == str(parted.rack)
    assert parted.with_gap("2", apart=False).rack == hand.rack


def test_a_gap_is_not_asked_about_once_a_tile_beside_it_is_gone() -> None:
    hand = Hand(reading_of("R1 R2 R3 | K5 B5 Y5", "K11", doubtful_gaps=[2]))
    assert hand.removed("3").doubtful_gaps == []
    assert hand.removed("2").doubtful_gaps == []


def test_what_was_said_of_a_gap_holds_for_the_tiles_beside_it_alone() -> None:
    hand = Hand(reading_of("R3 R4 R5 K1 | K7 K8 K9 / B1 B2 B3", "K11", doubtful_gaps=[2, 6])).with_gap("2", apart=False)
    assert str(hand.rack) == "R3 R4 R5 K1 | K7 K8 K9 / B1 B2 B3"
    without = hand.removed("3")
    assert str(without.rack) == "R3 R4 R5 | K7 K8 K9 / B1 B2 B3"
    assert gaps_said(hand) and not gaps_said(without)
