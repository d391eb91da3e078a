"""The opening of 101, by sets and runs or by pairs."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant import oracle
from assistant.groups import Kind, name_group
from assistant.opening import Opening, opening
from assistant.rules import rules_named
from assistant.solver import solve
from assistant.tiles import FALSE_JOKER, Tile, okey_of, parse_tiles
from tests.assistant.hands import near_winning_hand, random_hand

RULES = rules_named("101")


def opening_of(rack: str, indicator: str, beat_points: int = 0, beat_pairs: int = 0) -> Opening:
    return opening(parse_tiles(rack), Tile.parse(indicator), RULES, beat_points, beat_pairs)


def test_a_hundred_and_one_points_open_and_a_hundred_do_not() -> None:
    runs = "R11 R12 R13 K11 K12 K13"  # 72
    hundred = opening_of(f"{runs} B4 B5 B6 B7 R2 K2 Y2", "R5").to_json()
    assert (hundred["points"], hundred["can_open"], hundred["melds"]) == (100, False, None)
    enough = opening_of(f"{runs} B5 B6 B7 B8 R1 K1 Y1", "R5").to_json()
    assert (enough["points"], enough["can_open"], len(enough["melds"])) == (101, True, 4)


def test_an_okey_counts_what_it_stands_for_and_stands_where_that_is_most() -> None:
    most = opening_of("R11 R12 B6", "B5")
    assert [[str(placed) for placed in group] for group in most.melds] == [["R11", "R12", "B6=R13"]]
    assert most.points == 36
    assert opening_of("K13 B6 B6", "B5").points == 39


def test_a_false_joker_counts_the_okeys_number() -> None:
    assert opening_of("R11 J R13", "R11").points == 36


def test_one_is_low_only() -> None:
    assert opening_of("R12 R13 R1", "B5").melds == ()
    assert opening_of("R1 R2 R3", "B5").points == 6


def test_five_pairs_open_and_okeys_complete_them() -> None:
    pairs = "R1 R1 K3 K3 B5 B5 Y9 Y9"
    assert not opening_of(f"{pairs} R7", "R12").with_pairs
    assert opening_of(f"{pairs} R7 R13", "R12").with_pairs
    assert opening_of(f"{pairs} R13 R13", "R12").with_pairs
    assert opening_of(f"{pairs} J J", "R12").with_pairs
    assert len(opening_of(f"{pairs} R7 K9 R13 R13", "R12").pairs) == 6


def test_a_hand_that_opens_with_pairs_alone_can_open() -> None:
    told = opening_of("R1 R1 K3 K3 B5 B5 Y9 Y9 K7 K7", "R12").to_json()
    assert (told["can_open"], told["melds"], told["pairs"], len(told["pair_groups"])) == (True, None, 5, 5)
    assert opening_of("R1 R1 K3 K3 B5 B5 Y9 Y9 K7", "R12").to_json()["pair_groups"] is None


def test_raising_asks_for_one_more_than_the_best_on_the_table() -> None:
    rack = "R11 R12 R13 K11 K12 K13 B11 B12 B13"
    assert opening_of(rack, "R5", beat_points=107).with_melds
    assert not opening_of(rack, "R5", beat_points=108).with_melds
    pairs = "R1 R1 K3 K3 B5 B5 Y9 Y9 K7 K7 B8 B8"
    assert opening_of(pairs, "R12", beat_pairs=5).with_pairs
    assert not opening_of(pairs, "R12", beat_pairs=6).with_pairs


def test_of_twenty_two_tiles_one_is_kept_for_the_discard() -> None:
    every = "R1 R2 R3 R4 K1 K2 K3 B1 B2 B3 Y1 Y2 Y3 R11 R12 R13 K11 K12 K13 B11 B12 B13"
    rack = every.split()
    assert len(rack) == 22
    all_laid = solve(parse_tiles(every), Tile.parse("Y7"), rules=RULES, points=True)
    assert all_laid.left == ()
    kept = opening_of(every, "Y7")
    assert kept.points == all_laid.points - 1
    assert sum(map(len, kept.melds)) == 21
    without_one = opening_of(every.replace("R4 ", ""), "Y7")
    assert sum(map(len, without_one.melds)) == 21, "one is drawn before these are laid"
    pairs = opening_of(" ".join(f"{colour}{number} {colour}{number}" for colour in "RK" for number in range(1, 7))[:-6], "Y7")
    assert len(pairs.pairs) == 10


hands = st.tuples(st.integers(0, 10**9), st.integers(1, 22), st.booleans()).map(
    lambda drawn: (near_winning_hand if drawn[2] else random_hand)(random.Random(drawn[0]), drawn[1])
)


@settings(max_examples=60)
@given(hands)
def test_what_opens_are_groups_of_the_hands_tiles(hand: tuple[list[Tile], Tile]) -> None:
    tiles, indicator = hand
    okey, found = okey_of(indicator), opening(tiles, indicator, RULES)
    for groups in (found.melds, found.pairs):
        assert not Counter(placed.tile for group in groups for placed in group) - Counter(tiles)
        for group in groups:
            named = name_group([placed.tile for placed in group], okey, RULES)
            assert named.kind is (Kind.PAIR if groups is found.pairs else named.kind) is not None
            for placed in group:
                assert placed.tile in (okey, placed.stands_for) or (placed.tile == FALSE_JOKER and placed.stands_for == okey)


@settings(max_examples=25)
@given(hands)
def test_no_arrangement_has_more_points(hand: tuple[list[Tile], Tile]) -> None:
    tiles, indicator = hand
    if len(tiles) <= RULES.hand_size:
        assert opening(tiles, indicator, RULES).points == oracle.best_arrangement(tiles, indicator, points=True)[0]


@settings(max_examples=25)
@given(hands, st.randoms(use_true_random=False))
def test_the_order_of_the_tiles_does_not_matter(hand: tuple[list[Tile], Tile], rng: random.Random) -> None:
    tiles, indicator = hand
    shuffled = rng.sample(tiles, len(tiles))
    assert opening(shuffled, indicator, RULES) == opening(tiles, indicator, RULES)
