"""The advice against trying everything: every discard, every draw, every order of a small stock."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.advice import Outlook, choices, okey_finish, outlook
from assistant.rules import CLASSIC, Rules
from assistant.solver import HandError, Out, solve
from assistant.tiles import Tile, parse_tiles
from tests.assistant.hands import WHOLE_SET, compiled_searches, near_winning_hand, random_hand

JOKERS_WILD = replace(CLASSIC, false_joker_wild=True)
Make = Callable[[random.Random, int], tuple[list[Tile], Tile]]
"""Makes a hand of so many tiles, and its indicator."""


def seen_of(rng: random.Random, known: list[Tile]) -> tuple[list[Tile], Counter[Tile]]:
    """Some tiles that the player has seen beside those known, and what nobody has."""
    rest = list((Counter(WHOLE_SET) - Counter(known)).elements())
    seen = rng.sample(rest, rng.choice([0, 20, 60, len(rest) - 3]))
    return seen, Counter(rest) - Counter(seen)


def less(tiles: list[Tile], tile: Tile) -> list[Tile]:
    kept = list(tiles)
    kept.remove(tile)
    return kept


def by_trying(kept: list[Tile], indicator: Tile, gone: list[Tile], unseen: Counter[Tile], rules: Rules) -> Outlook:
    """The outlook as the solver gives it when every tile is drawn."""
    now = solve(kept, indicator, gone, rules)
    helps = []
    for tile, count in unseen.items():
        after = solve([*kept, tile], indicator, gone, rules)
        if now.distance and after.distance is not None and after.distance < now.distance:
            helps.append(Out(tile, count))
    return Outlook(now.distance_melds, now.distance_pairs, tuple(helps), sum(unseen.values()))


def same(one: Outlook, other: Outlook) -> bool:
    return replace(one, helps=()) == replace(other, helps=()) and set(one.helps) == set(other.helps)


def compare_with_the_solver(make: Make, rules: Rules, hands: int, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(hands):
        tiles, indicator = make(rng, 15)
        seen, unseen = seen_of(rng, [*tiles, indicator])
        given = choices(tiles, indicator, seen, rules)
        assert {choice.discard for choice in given} == set(tiles)
        for choice in given:
            kept = less(tiles, choice.discard)
            tried = by_trying(kept, indicator, [*seen, choice.discard], unseen, rules)
            assert same(choice.outlook, tried), f"{' '.join(map(str, kept))} ; {indicator} without {choice.discard}"


@compiled_searches()
def test_every_discard_and_every_draw_agree_with_the_solver() -> None:
    compare_with_the_solver(random_hand, CLASSIC, hands=1, seed=11)
    compare_with_the_solver(near_winning_hand, CLASSIC, hands=2, seed=12)
    compare_with_the_solver(near_winning_hand, JOKERS_WILD, hands=1, seed=13)


@pytest.mark.slow
@compiled_searches()
def test_every_discard_and_every_draw_agree_with_the_solver_on_many_hands() -> None:
    for make in (random_hand, near_winning_hand):
        for rules in (CLASSIC, JOKERS_WILD, replace(CLASSIC, high_one=False)):
            compare_with_the_solver(make, rules, hands=60, seed=14)


def test_the_best_discard_comes_first() -> None:
    rng = random.Random(15)
    for _ in range(30):
        tiles, indicator = near_winning_hand(rng, 15)
        given = choices(tiles, indicator)
        verdict = solve(tiles, indicator)
        best = given[0]
        assert best.outlook.distance == verdict.distance
        for choice in given:
            distance = choice.outlook.distance
            assert distance is not None and verdict.distance is not None
            assert (distance, -choice.outlook.helping) >= (verdict.distance, -best.outlook.helping)
        if verdict.distance == 1:
            assert set(best.outlook.helps) == set(verdict.outs)


@given(st.integers(0, 10**9), st.sampled_from([random_hand, near_winning_hand]), st.booleans())
@compiled_searches()
def test_the_verdicts_discard_is_the_best_choice(seed: int, make: Make, high_one: bool) -> None:
    rng = random.Random(seed)
    tiles, indicator = make(rng, 15)
    rules = replace(CLASSIC, high_one=high_one)
    gone, _ = seen_of(rng, [*tiles, indicator])
    verdict = solve(tiles, indicator, gone, rules)
    if verdict.win is None:
        assert verdict.discard == choices(tiles, indicator, gone, rules)[0].discard
    elif verdict.okey not in tiles:
        finish = okey_finish(tiles, indicator, gone, rules)
        assert finish is None or finish.discard == verdict.discard


def test_of_discards_that_win_the_okey_comes_first() -> None:
    winning = parse_tiles("R1 R2 R3 B1 B2 B3 K1 K2 K3 Y4 Y5 Y6 Y7 R9 Y8")
    first, second, *_ = choices(winning, Tile.parse("R8"))
    assert (str(first.discard), first.outlook.distance, second.outlook.distance) == ("R9", 0, 0)


def test_fourteen_tiles_have_the_outlook_of_their_verdict() -> None:
    rng = random.Random(16)
    for _ in range(30):
        tiles, indicator = near_winning_hand(rng, 14)
        seen, _ = seen_of(rng, [*tiles, indicator])
        found, verdict = outlook(tiles, indicator, seen), solve(tiles, indicator, seen)
        assert (found.distance_melds, found.distance_pairs) == (verdict.distance_melds, verdict.distance_pairs)
        if verdict.distance == 1:
            assert set(found.helps) == set(verdict.outs)


@compiled_searches()
def test_waiting_for_an_okey_finish_agrees_with_trying_every_discard_and_draw() -> None:
    rng = random.Random(17)
    checked = 0
    while checked < 2:
        tiles, indicator = near_winning_hand(rng, 15)
        verdict = solve(tiles, indicator)
        if not verdict.win or verdict.okey_last or verdict.okey not in tiles:
            continue
        checked += 1
        others = less(tiles, verdict.okey)  # the okey is laid on the indicator when these win
        doubled: dict[Tile, set[Out]] = {}
        for tile in set(others):
            for drawn, count in (Counter(WHOLE_SET) - Counter([*tiles, indicator])).items():
                if solve([*less(others, tile), drawn], indicator).win:
                    doubled.setdefault(tile, set()).add(Out(drawn, count))
        finish = okey_finish(tiles, indicator)
        assert finish is not None
        assert finish.outlook.distance == 1
        assert set(finish.outlook.helps) == doubled[finish.discard]
        assert finish.outlook.helping == max(sum(out.unseen for out in outs) for outs in doubled.values())


def test_an_okey_that_is_gone_cannot_be_waited_for() -> None:
    tiles = parse_tiles("R1 R2 R3 K5 B5 Y5 B7 B8 B9 B10 Y10 Y11 Y12 Y13 R9")
    finish = okey_finish(tiles, Tile.parse("K11"))
    assert finish is not None
    assert (finish.discard, finish.outlook.distance, finish.outlook.helps) == (Tile.parse("R9"), 1, (Out(Tile.parse("K12"), 2),))
    assert okey_finish(tiles, Tile.parse("K11"), parse_tiles("K12 K12")) is None


def test_the_chance_is_the_share_of_all_orders_in_which_a_tile_that_helps_comes_in_time() -> None:
    for unseen, helping in ((1, 1), (4, 0), (5, 2), (6, 3), (7, 1)):
        found = Outlook(1, None, (Out(Tile.parse("R5"), helping),), unseen)
        orders = list(permutations(range(unseen)))
        for draws in range(1, unseen + 2):
            in_time = sum(min(order[:draws]) < helping for order in orders)
            assert found.chance(draws) == pytest.approx(in_time / len(orders))


@pytest.mark.parametrize("given", [choices, outlook, okey_finish])
def test_impossible_hands_are_refused_with_a_sentence(given: Callable[[list[Tile], Tile], object]) -> None:
    with pytest.raises(HandError, match="3 copies of R1"):
        given(parse_tiles("R1 R1 R1"), Tile.parse("B5"))
