"""The solver against the oracle, against what can be counted by hand, and against the contract."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant import oracle, search
from assistant.deal import Dealt
from assistant.game import Deal
from assistant.groups import name_group
from assistant.rules import CLASSIC, rules_named, with_options
from assistant.search import Searches
from assistant.solver import HandError, Judge, Out, Verdict, solve, without
from assistant.tiles import COLOURS, FALSE_JOKER, NUMBERED_TILES, NotationError, Tile, okey_of, parse_tiles
from tests.assistant.hands import WHOLE_SET, compiled_searches, near_winning_hand, random_hand


def verdict_of(rack: str, indicator: str, seen: str = "") -> Verdict:
    return solve(parse_tiles(rack), Tile.parse(indicator), parse_tiles(seen))


def texts(verdict: Verdict) -> list[list[str]]:
    return [[str(placed) for placed in group] for group in verdict.arrangement]


BLOCK = 100
"""Hands that are compared in one go, from one seed."""


def compare_with_oracle(seed: int, count: int = BLOCK) -> int:
    """Solver and oracle on `count` hands: plain and near a win, 14 tiles or 1 to 22, with nothing, some or nearly all tiles seen."""
    rng = random.Random(seed)
    for number in range(count):
        size = 14 if number % 3 else rng.randint(1, 22)
        tiles, indicator = (near_winning_hand if number % 2 else random_hand)(rng, size)
        rest = list((Counter(WHOLE_SET) - Counter([*tiles, indicator])).elements())
        seen = rng.sample(rest, rng.choice([0, 0, 20, len(rest) - 3]))
        verdict = solve(tiles, indicator, seen)
        question = f"seed {seed}: {' '.join(map(str, tiles))} ; {indicator}, seen {' '.join(map(str, seen))}"
        if verdict.win is None:
            assert (laid_tiles(verdict), *spent(verdict)) == oracle.best_arrangement(tiles, indicator), question
        if size == 14:
            assert verdict.distance_melds == oracle.distance_melds(tiles, indicator, seen), question
            assert verdict.distance_pairs == oracle.distance_pairs(tiles, indicator, seen), question
        else:
            most = solve(tiles, indicator, seen, rules_named("101"), points=True)
            assert (most.points, *spent(most)) == oracle.best_arrangement(tiles, indicator, points=True), question
    return count


def laid_tiles(verdict: Verdict) -> int:
    return sum(map(len, verdict.arrangement))


def spent(verdict: Verdict) -> tuple[int, int]:
    """How many okeys and how many groups the arrangement takes."""
    return sum(placed.tile == verdict.okey for group in verdict.arrangement for placed in group), len(verdict.arrangement)


def test_equal_to_the_oracle() -> None:
    compare_with_oracle(seed=1, count=240)


@pytest.mark.slow
def test_equal_to_the_oracle_on_many_hands() -> None:
    """On all cores: ISTAKA_HANDS hands (10,000), from the seed ISTAKA_SEED (1,000) on, a block of 100 a seed.

    A job that was cut off goes on from the last seed that it printed (`pytest -s`): blocks are done in their order.
    """
    first = int(os.environ.get("ISTAKA_SEED", "1000"))
    blocks = -(-int(os.environ.get("ISTAKA_HANDS", "10000")) // BLOCK)
    done = 0
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as workers:
        for seed, count in enumerate(workers.map(compare_with_oracle, range(first, first + blocks)), start=first):
            done += count
            print(f"seed {seed}: {done} hands equal", flush=True)


def test_compiled_searches_answer_as_plain_ones() -> None:
    """In a process of its own: what is compiled stays so."""
    hands = [near_winning_hand(random.Random(seed), 14 + seed % 2) for seed in range(120)]
    lines = "\n".join(f"{' '.join(map(str, tiles))} ; {indicator}" for tiles, indicator in hands)
    script = "from assistant import cli; cli.MANY_HANDS = {}; raise SystemExit(cli.main(['solve', '-', '--json']))"
    plain, compiled = (
        subprocess.run([sys.executable, "-c", script.format(first)], input=lines, capture_output=True, text=True, check=True).stdout
        for first in (10_000, 1)
    )
    assert len(plain.splitlines()) == len(hands)
    assert compiled == plain


def test_wild_false_jokers_can_be_a_group_by_themselves() -> None:
    rules = replace(CLASSIC, false_joker_wild=True)
    for rack, sizes in (("J R6 J", [3]), ("J R6 J R6", [4]), ("J R6 J R6 K1 Y12", [3, 3])):
        verdict = solve(parse_tiles(rack), Tile.parse("R5"), rules=rules)
        assert [len(group) for group in verdict.arrangement] == sizes
        for group in verdict.arrangement:
            assert name_group([placed.tile for placed in group], verdict.okey, rules).kind is not None


@compiled_searches()
def test_outs_and_discards_agree_with_trying_every_tile() -> None:
    rng = random.Random(3)
    checked = 0
    while checked < 10:
        tiles, indicator = near_winning_hand(rng, 14)
        verdict = solve(tiles, indicator)
        if verdict.distance != 1:
            continue
        checked += 1
        unseen = Counter(WHOLE_SET) - Counter([*tiles, indicator])
        winners = {tile: count for tile, count in unseen.items() if solve([*tiles, tile], indicator).win}
        assert {out.tile: out.unseen for out in verdict.outs} == winners


def test_fifteen_tiles_are_as_far_as_their_best_fourteen() -> None:
    rng = random.Random(4)
    for number in range(60):
        tiles, indicator = (near_winning_hand if number % 2 else random_hand)(rng, 15)
        verdict = solve(tiles, indicator)
        assert verdict.discard is not None
        distances = {}
        for tile in set(tiles):
            kept = list(tiles)
            kept.remove(tile)
            distances[tile] = solve(kept, indicator, [tile]).distance
        known = [distance for distance in distances.values() if distance is not None]
        assert verdict.distance == min(known)
        assert distances[verdict.discard] == verdict.distance


def test_the_contracts_example() -> None:
    verdict = verdict_of("B11 Y11 R11 | Y9 Y10 K12 B10 / B2 B3 B4 B5 B6 B7 | K12", "K11")
    assert verdict.distance == verdict.distance_melds == 1
    assert verdict.distance_pairs == 5
    assert texts(verdict) == [["B2", "B3", "B4", "B5", "B6", "B7", "K12=B8", "K12=B9", "B10", "B11"], ["Y9", "Y10", "Y11"]]
    assert [str(tile) for tile in verdict.left] == ["R11"]


def test_one_is_low_or_high_but_never_between() -> None:
    assert texts(verdict_of("R12 R13 R1", "B5")) == [["R12", "R13", "R1"]]
    assert texts(verdict_of("R1 R2 R3", "B5")) == [["R1", "R2", "R3"]]
    assert verdict_of("R13 R1 R2", "B5").arrangement == ()
    assert solve(parse_tiles("R12 R13 R1"), Tile.parse("B5"), rules=rules_named("101")).arrangement == ()


def test_a_false_joker_is_the_okeys_face_and_not_wild() -> None:
    assert texts(verdict_of("R5 J R7", "R5")) == [["R5", "J=R6", "R7"]]
    assert verdict_of("R5 J R7", "B5").arrangement == ()


def test_an_okey_as_the_fifteenth_tile_is_preferred() -> None:
    verdict = verdict_of("R1 R2 R3 B1 B2 B3 K1 K2 K3 Y4 Y5 Y6 Y7 R9 Y8", "R8")
    assert verdict.win == "melds"
    assert str(verdict.discard) == "R9"
    assert verdict.okey_last


@pytest.mark.parametrize(
    ("hand", "rules", "win", "discard"),
    [
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R1 R4", "favorite", "melds", "R4"),  # which leaves the one-colour run
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R1 R4", "classic", "melds", "R1"),
        ("R1 R1 R2 R2 R3 R3 R4 R4 K5 K5 K6 K6 K7 K7 K8", "classic", "pairs", "K8"),
        ("R1 R1 R2 R2 R3 R3 R4 R4 K5 K5 K6 K6 K7 K7", "classic", "pairs", None),
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 K1 R1", "nostalji", "melds", "K1"),
    ],
)
def test_a_hand_wins_in_the_dearest_way(hand: str, rules: str, win: str, discard: str | None) -> None:
    verdict = solve(parse_tiles(hand), Tile.parse("B8"), rules=rules_named(rules))
    assert (verdict.win, verdict.discard) == (win, None if discard is None else Tile.parse(discard))


@given(st.integers(0, 10**9), st.sampled_from(["classic", "favorite", "nostalji"]), st.booleans())
def test_no_other_discard_of_a_hand_that_wins_costs_the_others_more(seed: int, name: str, one_colour: bool) -> None:
    tiles, indicator = near_winning_hand(random.Random(seed), 15)
    rules = with_options(rules_named(name), {"colour_doubles": "any" if one_colour else "off"})
    wins, verdict = Deal(Dealt(((), tuple(tiles), (), ()), indicator, ()), rules).wins(), solve(tiles, indicator, rules=rules)
    assert (verdict.win is not None) == bool(wins)
    if wins and verdict.discard != verdict.okey:
        judge = Judge(tiles, indicator, (), rules)
        assert judge.dearest(without(tiles, verdict.discard)) == max(judge.dearest(without(tiles, win.fifteenth)) for win in wins)


def test_five_threes_are_no_win_and_a_tile_of_a_group_must_go() -> None:
    verdict = verdict_of("R1 R2 R3 B5 B6 B7 K9 K10 K11 Y3 Y4 Y5 R9 R10 R11", "Y12")
    assert verdict.win is None
    assert verdict.distance == 2  # 14 tiles are never all threes
    assert sum(map(len, verdict.arrangement)) == 15
    assert verdict.discard is not None


def test_the_longest_run_has_thirteen_tiles() -> None:
    every = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R1"
    verdict = verdict_of(every, "B5")
    assert verdict.win == "melds"
    assert sorted(map(len, verdict.arrangement)) != [14]
    assert sum(map(len, verdict.arrangement)) == 14


def test_seven_pairs_with_okeys_and_false_jokers() -> None:
    verdict = verdict_of("R1 R1 B2 B2 K3 K3 Y4 Y4 R5 R5 J J K8 K8", "K7")
    assert verdict.win == "pairs"
    assert len(verdict.arrangement) == 7
    assert all(len(group) == 2 for group in verdict.arrangement)


def test_what_is_seen_cannot_be_drawn() -> None:
    hand, indicator = "R1 R2 R3 R4 B1 B2 B3 K5 K6 K7 Y9 Y10 Y11 R9", "K1"
    verdict = verdict_of(hand, indicator)
    assert verdict.distance == 1
    gone = [str(out.tile) for out in verdict.outs for _ in range(out.unseen)]
    assert {"R5", "B4", "K4", "K8", "Y8", "Y12", "K2"} <= set(gone)
    assert verdict_of(hand, indicator, " ".join(gone)).distance == 2


@pytest.mark.parametrize(
    ("rack", "indicator", "words"),
    [
        ("R1 R1 R1", "B5", "3 copies of R1"),
        ("R1 R1 R2", "R1", "the indicator included"),
        ("R1 ? R2", "B5", "not read"),
        ("R1 # R2", "B5", "not read"),
        ("", "B5", "no tiles"),
        (" ".join(["R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12"] * 2), "B5", "24 tiles"),
    ],
)
def test_impossible_hands_are_refused_with_a_sentence(rack: str, indicator: str, words: str) -> None:
    with pytest.raises(HandError, match=words):
        verdict_of(rack, indicator)


def test_a_false_joker_is_no_indicator() -> None:
    with pytest.raises(NotationError, match="indicator"):
        verdict_of("R1 R2 R3", "J")


hands = st.integers(0, 10**9).map(lambda seed: near_winning_hand(random.Random(seed), 14))


@settings(max_examples=60)
@given(hands, st.randoms(use_true_random=False))
def test_the_order_of_the_tiles_does_not_matter(hand: tuple[list[Tile], Tile], rng: random.Random) -> None:
    tiles, indicator = hand
    shuffled = list(tiles)
    rng.shuffle(shuffled)
    assert solve(shuffled, indicator) == solve(tiles, indicator)


@settings(max_examples=60)
@given(hands)
def test_every_group_has_a_name_and_every_tile_a_place(hand: tuple[list[Tile], Tile]) -> None:
    tiles, indicator = hand
    verdict = solve(tiles, indicator)
    laid = [placed.tile for group in verdict.arrangement for placed in group]
    assert Counter(laid) + Counter(verdict.left) == Counter(tiles)
    for group in verdict.arrangement:
        assert name_group([placed.tile for placed in group], okey_of(indicator)).kind is not None
        for placed in group:
            own = placed.tile == placed.stands_for
            assert own or placed.tile == verdict.okey or (placed.tile == FALSE_JOKER and placed.stands_for == verdict.okey)


def can_be_laid(counts: Counter[Tile], wild: int, wanted: int, groups: Sequence[tuple[Tile, ...]] = oracle.GROUPS) -> bool:
    """Whether `wanted` of the tiles, wild ones included, can lie in groups: every way is tried."""
    if wanted == 0:
        return True
    possible = [group for group in groups if len(group) <= wanted and sum(counts[tile] == 0 for tile in group) <= wild]
    for number, group in enumerate(possible):
        lacking = sum(counts[tile] == 0 for tile in group)
        if can_be_laid(counts - Counter(group), wild - lacking, wanted - len(group), possible[number:]):
            return True
    return False


def can_be_paired(counts: Counter[Tile], wild: int) -> bool:
    """Whether seven pairs can be made."""
    pairs, single = sum(count // 2 for count in counts.values()), sum(count % 2 for count in counts.values())
    return pairs + min(wild, single) + max(0, wild - single) // 2 >= 7


@settings(max_examples=20)
@given(st.integers(0, 10**9), st.integers(0, 4))
def test_the_distance_is_the_fewest_of_the_unseen_tiles_that_win(seed: int, unseen: int) -> None:
    """All but a few tiles are seen, and every choice of these few is tried."""
    rng = random.Random(seed)
    tiles, indicator = near_winning_hand(rng, 14)
    okey = okey_of(indicator)
    rest = list((Counter(WHOLE_SET) - Counter([*tiles, indicator])).elements())
    if okey in rest and rng.random() < 0.5:
        rest.insert(0, rest.pop(rest.index(okey)))
    drawable, seen = rest[:unseen], rest[unseen:]
    fewest: dict[str, int | None] = {"melds": None, "pairs": None}
    for draws in range(unseen + 1):
        for drawn in itertools.combinations(drawable, draws):
            there = [*tiles, *drawn]
            counts = Counter(okey if tile == FALSE_JOKER else tile for tile in there if tile != okey)
            wild = there.count(okey)
            if fewest["melds"] is None and can_be_laid(counts, wild, 14):
                fewest["melds"] = draws
            if fewest["pairs"] is None and can_be_paired(counts, wild):
                fewest["pairs"] = draws
    verdict = solve(tiles, indicator, seen)
    assert (verdict.distance_melds, verdict.distance_pairs) == (fewest["melds"], fewest["pairs"])


LOW_ONE = with_options(rules_named("favorite"), {"high_one": False})
"""Rules by which the one-colour run wins, and is no sets and runs."""


def test_the_one_colour_run_wins_though_1_is_only_low() -> None:
    run = "B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 K12 B12 B13 B1"
    verdict = solve(parse_tiles(run), Tile.parse("K11"), rules=LOW_ONE)
    assert (verdict.win, verdict.distance) == ("melds", 0)
    assert [" ".join(map(str, group)) for group in verdict.arrangement] == [run.replace("K12", "K12=B11")]
    assert verdict.left == ()
    no_run = replace(CLASSIC, high_one=False)
    assert solve(parse_tiles(run), Tile.parse("K11"), rules=no_run).win is None
    near = parse_tiles("B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13 Y2")
    outs, others = (set(solve(near, Tile.parse("K11"), rules=rules).outs) for rules in (LOW_ONE, no_run))
    assert outs - others == {Out(Tile.parse("B1"), 1)}


@settings(max_examples=60)
@given(st.integers(0, 10**9), st.sampled_from([14, 15]), st.integers(0, 40))
@compiled_searches()
def test_the_one_colour_run_is_as_near_as_the_tiles_that_it_lacks(seed: int, size: int, many_seen: int) -> None:
    rng = random.Random(seed)
    indicator = rng.choice(NUMBERED_TILES)
    okey, colour = okey_of(indicator), rng.choice(COLOURS)
    deck = Counter(WHOLE_SET) - Counter([indicator])
    run = Counter(Tile(colour, number) for number in (*range(1, 14), 1)) & deck
    tiles = rng.sample(list(run.elements()), rng.randint(9, run.total()))
    tiles += rng.sample(list((deck - Counter(tiles)).elements()), size - len(tiles))
    unseen = deck - Counter(tiles)
    seen = rng.sample(list(unseen.elements()), many_seen)
    unseen -= Counter(seen)

    def faces(held: Counter[Tile]) -> Counter[Tile]:
        return Counter({tile: held[FALSE_JOKER if tile == okey else tile] for tile in NUMBERED_TILES})

    distances = [solve(tiles, indicator, seen, replace(CLASSIC, high_one=False)).distance_melds]
    for each in COLOURS:
        lacks = Counter(Tile(each, number) for number in (*range(1, 14), 1)) - faces(Counter(tiles))
        if (lacks - faces(unseen)).total() <= tiles.count(okey) + unseen[okey]:
            distances.append(max(0, lacks.total() - tiles.count(okey)))
    verdict = solve(tiles, indicator, seen, LOW_ONE)
    assert verdict.distance_melds == min((distance for distance in distances if distance is not None), default=None)
    assert Counter(placed.tile for group in verdict.arrangement for placed in group) + Counter(verdict.left) == Counter(tiles)
    if verdict.distance == 1:
        kept = list((Counter(tiles) - Counter([verdict.discard])).elements())
        gone = [*seen, *([] if verdict.discard is None else [verdict.discard])]
        winning = {tile: many for tile, many in unseen.items() if solve([*kept, tile], indicator, gone, LOW_ONE).win}
        assert {out.tile: out.unseen for out in verdict.outs} == winning


def test_as_many_hands_are_all_in_groups_as_can_be_counted_by_hand() -> None:
    searches = Searches(high_one=True)

    def whole(hands: Iterable[Sequence[int]]) -> int:
        """How many of the hands, faces each, lie in groups to the last tile."""
        return sum(sum(map(len, searches.arrange([hand.count(face) for face in range(52)], 0))) == len(hand) for hand in hands)

    # Three of the 52 faces: 12 runs in each colour, 1 2 3 to 12 13 1, and 4 sets of each number.
    assert whole(itertools.combinations(range(52), 3)) == 4 * 12 + 13 * 4
    # Six tiles of one colour: any two of the 12 runs of three, the same one twice included.
    six = (hand for hand in itertools.combinations_with_replacement(range(13), 6) if max(map(hand.count, hand)) <= 2)
    assert whole(six) == 12 * 13 // 2
    # Of the sixteen 1s and 5s any two may be missing: 6 tiles are two threes, 7 a three and a four, 8 two fours.
    doubled = [colour * 13 + number for colour in range(4) for number in (0, 4) for _ in range(2)]
    fourteen = set(itertools.combinations(doubled, 14))
    assert len(fourteen) == whole(fourteen) == 8 * 9 // 2


@pytest.mark.parametrize("room", [search.MEMORY, 401, 1])
def test_an_arrangement_is_the_same_whatever_was_asked_before(monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    """What the searches remember of other hands, or have had to forget, changes nothing."""
    monkeypatch.setattr(search, "MEMORY", room)
    rng, searches = random.Random(4), Searches(high_one=True)
    for _ in range(60):
        held, wild, points = rng.sample(range(104), rng.randint(3, 22)), rng.randint(0, 3), rng.random() < 0.5
        counts = [(face in held) + (face + 52 in held) for face in range(52)]
        assert searches.arrange(counts, wild, points) == Searches(high_one=True).arrange(counts, wild, points)


@settings(max_examples=40)
@given(hands, st.integers(0, 8))
@compiled_searches()
def test_a_draw_brings_a_win_nearer_by_one_at_most(hand: tuple[list[Tile], Tile], part: int) -> None:
    tiles, indicator = hand
    before = solve(tiles, indicator).distance
    assert before is not None
    for tile, count in (Counter(WHOLE_SET) - Counter([*tiles, indicator])).items():
        if count and tile.code % 9 == part:
            after = solve([*tiles, tile], indicator).distance
            assert after is not None
            assert before - 1 <= after <= before


def test_hands_are_judged_where_nothing_compiled_can_be_kept() -> None:
    """As where neither the program's folder nor the user's home can be written to: numba then finds no place for its cache."""
    script = """
from numba.core import caching
from assistant import search
caching.CacheImpl._locator_classes = []
search.compile_searches()
assert search._forms.nearest is not search.nearest_wins
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
