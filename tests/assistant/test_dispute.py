"""Shown hands, judged as they lie."""

import itertools
import random
from collections import Counter
from collections.abc import Collection, Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assistant.dispute import Judgement, check
from assistant.groups import Kind, name_group
from assistant.rules import CLASSIC, Rules, rules_named, with_options
from assistant.solver import HandError, solve
from assistant.tiles import COPIES, NUMBERED_TILES, Rack, Tile, okey_of, parse_tiles
from tests.assistant.hands import compiled_searches, near_winning_hand


def judge(rack: str, indicator: str | None, doubtful: Collection[int] = (), **options: bool) -> Judgement:
    rules = with_options(CLASSIC, options)
    return check(Rack.parse(rack), None if indicator is None else Tile.parse(indicator), rules, doubtful)


@pytest.mark.parametrize("high_one", [True, False])
def test_the_one_colour_run_is_valid_whether_1_may_be_high_or_not(high_one: bool) -> None:
    rules = with_options(rules_named("favorite"), {"high_one": high_one})
    line = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R1"
    shown = check(Rack.parse(line), Tile.parse("B8"), rules)
    assert (shown.win, shown.groups[0].kind, shown.decided_by) == ("melds", Kind.RUN, ())
    apart = check(Rack.parse(line.replace("R11 ", "R11 | ")), Tile.parse("B8"), rules)
    assert apart.valid == high_one
    assert apart.could_win


def test_a_valid_hand_names_every_group() -> None:
    judgement = judge("R3 R4 R5 | K9 B9 Y9 / J B10 B11 B12 B13 | Y1 K1 R1", "B8")
    assert judgement.to_json()["valid"] is True
    assert [group["kind"] for group in judgement.to_json()["groups"]] == ["run", "set", "run", "set"]
    assert judgement.reason is None


def test_groups_are_shown_as_they_lie_and_an_okey_stands_for_what_belongs_to_its_place() -> None:
    judgement = judge("B9 R4 R3 | Y9 K9 J / B12 B11 B10 B9 | R1 Y1 K1 R13", "B8")
    shown = [" ".join(group["tiles"]) for group in judgement.to_json()["groups"]]
    assert shown == ["B9=R5 R4 R3", "Y9 K9 J=B9", "B12 B11 B10 B9", "R1 Y1 K1 R13"]
    assert [group.kind is not None for group in judgement.groups] == [True, True, True, False]
    across = judge("R12 B9 / R1 | K9 J Y9", "B8", rows_join=True)
    assert [" ".join(map(str, group.placed)) for group in across.groups] == ["R12 B9=R13 R1", "K9 J=B9 Y9"]


def test_the_fifteenth_tile_may_be_an_okey() -> None:
    judgement = judge("R3 R4 R5 | K2 B2 Y2 | J B10 B11 B12 B13 | Y1 K1 R1 | B9", "B8")
    assert judgement.valid
    assert judgement.okey_last
    assert not judge("R3 R4 R5 | K2 B2 Y2 | J B10 B11 B12 B13 | Y1 K1 R1 | R8", "B8").okey_last


def test_a_refused_group_is_named_with_its_reason() -> None:
    judgement = judge("R1 K1 R1 | R5 R6 R7 | B2 B3 B4 B5 | Y8 K8 B8 R8", "K3")
    assert not judgement.valid
    assert str(judgement.groups[0].reason) == "a set needs different colours: R1 twice"
    assert judgement.reason is not None
    assert str(judgement.reason).startswith("group 1 is no set and no run")
    assert not judgement.could_win


def test_a_hand_laid_badly_could_win_in_another_way() -> None:
    judgement = judge("R1 R2 | R3 B2 B3 B4 B5 | Y8 K8 B8 R8 | K1 K2 K3", "Y3")
    assert not judgement.valid
    assert judgement.could_win
    laid = [placed.tile for group in judgement.arrangement for placed in group]
    assert Counter(laid) == Counter(parse_tiles("R1 R2 R3 B2 B3 B4 B5 Y8 K8 B8 R8 K1 K2 K3"))


def test_pairs_win_only_as_seven() -> None:
    assert judge("R1 R1 | B2 B2 | K3 K3 | Y4 Y4 | R5 R5 | J J | K8 K8", "K7").win == "pairs"
    mixed = judge("R1 R1 | B2 B2 B3 | K3 K4 K5 | Y4 Y5 Y6 | R7 R8 R9", "K7")
    assert not mixed.valid


ACROSS = "R3 R4 R5 | K9 B9 Y9 | J B10 / B11 B12 B13 | Y1 K1 R1"


def test_the_end_of_a_row_is_a_gap_unless_the_table_lets_groups_go_on() -> None:
    refused = judge(ACROSS, "B8")
    assert not refused.valid
    assert [[str(placed) for placed in group] for group in refused.across_rows] == [["J=B9", "B10", "B11", "B12", "B13"]]
    assert refused.decided_by == ("strict_layout", "rows_join")
    allowed = judge(ACROSS, "B8", rows_join=True)
    assert allowed.win == "melds"
    assert allowed.groups[2].kind is not None
    assert "rows_join" in allowed.decided_by
    whole = judge("R3 R4 R5 | K9 B9 Y9 / J B10 B11 B12 B13 | Y1 K1 R1", "B8", rows_join=True)
    assert whole.valid
    assert "rows_join" not in whole.decided_by


def test_rows_are_said_to_join_only_where_that_makes_a_hand_valid() -> None:
    assert judge(ACROSS.replace("B13", "R13"), "B8").across_rows == (), "it would not win with the rows joined either"
    assert judge("K9 B9 Y9 | B1 B2 B3 B4 | R1 R2 R3 / R4 R5 R6 R7", "B8").across_rows == (), "it wins as it lies"


def test_a_doubtful_gap_that_decides_is_asked_about() -> None:
    apart, together = "R3 R4 R5 | K9 B9 Y9 | J B10 B11 B12 B13 | Y1 K1 R1", "R3 R4 R5 K9 B9 Y9 | J B10 B11 B12 B13 | Y1 K1 R1"
    for read in (apart, together):
        asked = judge(read, "B8", doubtful=[2])
        assert not asked.valid
        assert asked.unclear == (2,)
        assert "R5 and K9" in str(asked.reason)
        assert asked.could_win
    assert judge(apart, "B8").valid
    assert not judge(together, "B8").valid


def test_a_doubtful_gap_that_decides_nothing_is_not_asked_about() -> None:
    either = judge("R3 R4 R5 R6 R7 R8 | K9 B9 Y9 | J B10 B11 B12 B13", "B8", doubtful=[2, 8])
    assert either.unclear == (8,)
    assert judge("R3 R4 R5 R6 R7 R8 | K9 B9 Y9 | J B10 B11 B12 B13", "B8", doubtful=[2]).win == "melds"
    lost = judge("R3 R4 R5 K9 B9 Y9 | J B10 B11 B12 K13 | Y1 K1 R1", "B8", doubtful=[2])
    assert not lost.valid
    assert lost.unclear == ()


@pytest.mark.parametrize("indicator", ["B8", None])
def test_any_number_of_doubtful_gaps_is_looked_through(indicator: str | None) -> None:
    rack = Rack.parse("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 K1 K2 K3 K4 K5 K6 K7 K8")
    judgement = check(rack, Tile.parse(indicator) if indicator else None, rules_named("101"), range(20))
    assert judgement.unclear == tuple(range(20))


def test_where_any_order_is_valid_no_gap_is_asked_about() -> None:
    judgement = judge("R3 R4 R5 K9 B9 Y9 | J B10 B11 B12 B13 | Y1 K1 R1", "B8", doubtful=[2], strict_layout=False)
    assert judgement.win == "melds"
    assert judgement.unclear == ()
    assert judgement.decided_by == ("strict_layout",)


def test_the_verdict_names_the_options_that_decided() -> None:
    high = judge("R3 R4 R5 | K9 B9 Y9 | Y12 Y13 Y1 | J B10 B11 B12 B13", "B8")
    assert high.valid
    assert high.decided_by == ("high_one",)
    assert high.to_json()["decided_by"] == {"high_one": True}
    assert high.to_json()["rules"] == "classic"
    joker = judge("R3 J R5 | K9 B9 Y9 | Y1 Y2 Y3 | B9 B10 B11 B12 B13", "R8")
    assert not joker.valid
    assert joker.decided_by == ("false_joker_wild",)


@pytest.mark.parametrize(
    ("rack", "win", "reason"),
    [
        ("R11 R12 R13 | K11 K12 K13 | B5 B6 B7 B8 | R1 K1 Y1", "melds", "None"),
        ("R11 R12 R13 | K11 K12 K13 | B5 B6 B7 B8", None, "an opening takes 101 points, not 98"),
        ("R1 R1 | R2 R2 | R3 R3 | K4 K4 | K5 B9", "pairs", "None"),
        ("R1 R1 | R2 R2 | R3 R3 | K4 K4", None, "an opening takes 5 pairs, not 4"),
        ("R11 R12 R13 | K11 K12 K13 | B5 B6 B7 B8 | R1 R1", None, "group 4 is a pair: a hand opens with pairs alone or without any"),
        (
            "R1 R1 | R2 R2 | R3 R3 | R4 R4 | R5 R5 | R6 R6 | R7 R7 | R8 R8 | R9 R9 | R10 R10 | R11 R11",
            None,
            "22 tiles lie in groups: one must be left, as the turn ends with a discard",
        ),
        ("R12 R13 R1", None, "group 1 is no set and no run: 1 is only low before 2 in these rules"),
    ],
)
def test_in_101_the_laid_groups_are_judged_as_an_opening(rack: str, win: str | None, reason: str) -> None:
    judgement = check(Rack.parse(rack), Tile.parse("B8"), rules_named("101"))
    assert (judgement.win, str(judgement.reason)) == (win, reason)


def test_an_opening_laid_badly_could_open_in_another_way() -> None:
    judgement = check(Rack.parse("R11 R12 | R13 K11 K12 K13 B5 B6 B7 B8 R1 K1 Y1"), Tile.parse("B8"), rules_named("101"))
    assert not judgement.valid
    assert judgement.could_win
    assert len(judgement.arrangement) == 4


def test_tiles_that_open_in_no_order_are_not_said_to() -> None:
    judgement = check(Rack.parse("R11 R12 R13 | K11 K12 K13 | B5 B6 B7 B8"), Tile.parse("B8"), rules_named("101"))
    assert (judgement.could_win, judgement.arrangement) == (False, ())


def test_an_opening_that_leaves_one_tile_is_valid() -> None:
    laid = "R1 R1 | R2 R2 | R3 R3 | R4 R4 | R5 R5 | R6 R6 | R7 R7 | R8 R8 | R9 R9 | R10 R10"
    assert check(Rack.parse(laid), Tile.parse("B8"), rules_named("101")).win == "pairs"


def test_fifteen_tiles_could_win_with_another_fifteenth() -> None:
    rack = "R1 R2 R3 | K4 K5 K6 | B7 B8 B9 B10 | Y10 Y11 Y12"
    for strict in (True, False):
        judgement = judge(f"{rack} | K1 | Y13", "R8", strict_layout=strict)
        assert (judgement.valid, judgement.could_win) == (False, True)
        laid = Counter(placed.tile for group in judgement.arrangement for placed in group)
        assert laid == Counter(parse_tiles(f"{rack} Y13"))


@pytest.mark.parametrize(
    ("rack", "win"),
    [
        ("R1 R1 | R2 R2 | R3 R3 | R4 R4 | R5 R5 | R6 R6 R7 R7", "pairs"),
        ("R1 R2 R3 | R1 R2 R3 | R4 R5 R6 | R4 R5 R6 R7 R7", "melds"),
        ("R1 R1 R2 R2 R3 R3 R4 R4 R5 R5 R6 R6 R7 R7", "pairs"),
    ],
)
def test_a_hand_in_any_order_is_of_the_kind_that_lies_there_else_of_the_dearer_one(rack: str, win: str) -> None:
    for shown in (rack, f"{rack} | K1"):
        judgement = judge(shown, "R8", strict_layout=False)
        assert judgement.win == win
        assert {len(group) == 2 for group in judgement.arrangement} == {win == "pairs"}


def test_more_rows_than_a_rack_has_are_refused_and_several_are_judged_at_once() -> None:
    tiles = [f"{colour}{number}" for colour in "RB" for number in range(1, 12)]
    with pytest.raises(HandError, match="the tiles lie in 22 rows: at most 8 can be judged"):
        judge(" / ".join(tiles), "Y8")
    assert not judge(" / ".join(tiles[:8]), "Y8").valid


def test_fifteen_tiles_without_one_by_itself_are_refused() -> None:
    judgement = judge("R3 R4 R5 R6 | K9 B9 Y9 | J B10 B11 B12 B13 | Y1 K1 R1", "B8")
    assert str(judgement.reason) == "15 tiles lie in groups: the last one must lie by itself, on the indicator"
    assert judgement.could_win


def test_thirteen_tiles_are_no_winning_hand() -> None:
    judgement = judge("R1 R2 R3 | B2 B3 B4 | K3 K4 K5 | Y4 Y5 Y6 Y7", "K7")
    assert str(judgement.reason) == "13 tiles lie in groups; a winning hand has 14"


def test_three_copies_are_refused_even_without_an_indicator() -> None:
    with pytest.raises(HandError, match="3 copies of R1"):
        judge("R1 R1 R1", None)


def test_every_winning_hand_laid_by_the_solver_is_valid() -> None:
    rng = random.Random(9)
    won = 0
    while won < 40:
        tiles, indicator = near_winning_hand(rng, 14)
        verdict = solve(tiles, indicator)
        if verdict.win:
            won += 1
            laid = Rack.of([[[placed.tile for placed in group] for group in verdict.arrangement]])
            assert check(laid, indicator).win == verdict.win


@settings(max_examples=30)
@given(st.integers(0, 10**9), st.sampled_from([14, 15]), st.randoms(use_true_random=False))
def test_the_order_of_tiles_within_their_groups_and_of_groups_does_not_matter(seed: int, size: int, rng: random.Random) -> None:
    tiles, indicator = near_winning_hand(random.Random(seed), size)
    verdict = solve(tiles, indicator)
    laid = [[placed.tile for placed in group] for group in verdict.arrangement] + [[tile] for tile in verdict.left]
    fifteenth = [laid.pop()] if size == 15 else []  # of several that stand alone it is the last one
    mixed = [rng.sample(group, len(group)) for group in rng.sample(laid, len(laid))]
    before, after = (check(Rack.of([[*groups, *fifteenth]]), indicator) for groups in (laid, mixed))
    assert (after.win, after.okey_last, after.could_win) == (before.win, before.okey_last, before.could_win)
    assert Counter(group.kind for group in after.groups) == Counter(group.kind for group in before.groups)
    shown = [[placed.tile for placed in group.placed] for group in after.groups]
    assert shown == (mixed if after.fifteenth or not fifteenth else [*mixed, *fifteenth])


@settings(max_examples=40)
@given(st.integers(0, 10**9), st.randoms(use_true_random=False))
def test_fifteen_tiles_could_win_whenever_the_solver_wins_with_them(seed: int, rng: random.Random) -> None:
    tiles, indicator = near_winning_hand(random.Random(seed), 15)
    shown = Rack.of([[[tile] for tile in rng.sample(tiles, len(tiles))]])
    assert check(shown, indicator).could_win == (solve(tiles, indicator).win is not None)


def split(tiles: Sequence[Tile], cuts: Collection[int]) -> list[Sequence[Tile]]:
    """The tiles in groups, cut before those of these numbers."""
    return [tiles[begin:end] for begin, end in itertools.pairwise([0, *sorted(cuts), len(tiles)])]


def subsets(numbers: Collection[int]) -> list[frozenset[int]]:
    return [frozenset(some) for size in range(len(numbers) + 1) for some in itertools.combinations(numbers, size)]


def win_of(groups: list[Sequence[Tile]], okey: Tile, rules: Rules) -> str | None:
    """How groups of 14 tiles win, the last single one of 15 left out."""
    alone = [group for group in groups if len(group) == 1]
    if sum(map(len, groups)) == 15 and alone:
        groups.remove(alone[-1])
    kinds = {name_group(group, okey, rules).kind for group in groups}
    if sum(map(len, groups)) != 14 or None in kinds or (Kind.PAIR in kinds and len(kinds) > 1):
        return None
    return "pairs" if Kind.PAIR in kinds else "melds"


@settings(max_examples=50)
@given(st.integers(0, 10**9), st.sampled_from([14, 15]), st.integers(3, 15), st.sets(st.integers(1, 13), max_size=6), st.booleans())
def test_the_gaps_that_are_asked_about_are_those_that_decide_in_some_reading_of_the_others(
    seed: int, size: int, row_end: int, others: set[int], rows_join: bool
) -> None:
    rng = random.Random(seed)
    hands = iter(lambda: near_winning_hand(rng, size), None)
    indicator, verdict = next((indicator, verdict) for tiles, indicator in hands if (verdict := solve(tiles, indicator)).win)
    laid = [[placed.tile for placed in group] for group in verdict.arrangement] + [[tile] for tile in verdict.left]
    rng.shuffle(laid)
    order, gaps = list(itertools.chain.from_iterable(laid)), set(itertools.accumulate(map(len, laid))) - {size}
    doubtful = {*others, *rng.sample(sorted(gaps), min(2, len(gaps)))} - {row_end}
    shown = [
        split(order[begin:end], {gap - begin for gap in gaps if begin < gap < end})
        for begin, end in ((0, min(row_end, size)), (row_end, size))
        if begin < end
    ]
    rules = with_options(CLASSIC, {"rows_join": rows_join})
    ends = {row_end} if row_end < size else set()
    wins = {}
    for apart in subsets(sorted(doubtful)):
        cuts = (gaps - doubtful - ends) | apart
        ways = [win_of(split(order, cuts | kept), okey_of(indicator), rules) for kept in (subsets(sorted(ends)) if rows_join else [ends])]
        wins[apart] = next(filter(None, ways), None)
    deciding = {gap for gap in doubtful if any(wins[apart] != wins[apart ^ {gap}] for apart in wins)}
    judgement = check(Rack.of(shown), indicator, rules, [gap - 1 for gap in doubtful])
    assert judgement.unclear == tuple(sorted(gap - 1 for gap in deciding))


@settings(max_examples=15)
@given(st.integers(0, 10**9), st.sets(st.integers(0, 12), max_size=3), st.booleans())
def test_what_is_not_asked_about_does_not_decide(seed: int, doubtful: set[int], strict: bool) -> None:
    rng = random.Random(seed)
    tiles, indicator = near_winning_hand(rng, 14)
    verdict = solve(tiles, indicator)
    laid = [[placed.tile for placed in group] for group in verdict.arrangement] + [[tile] for tile in verdict.left]
    rules = with_options(CLASSIC, {"strict_layout": strict})
    judgement = check(Rack.of([laid]), indicator, rules, doubtful)
    order = [tile for group in laid for tile in group]
    gaps = set(itertools.accumulate(map(len, laid))) - {14}
    outcomes = set()
    for apart in itertools.product((False, True), repeat=len(doubtful)):
        cuts = (gaps - {gap + 1 for gap in doubtful}) | {gap + 1 for gap, cut in zip(sorted(doubtful), apart, strict=True) if cut}
        groups = [order[begin:end] for begin, end in itertools.pairwise([0, *sorted(cuts), 14])]
        outcomes.add(check(Rack.of([groups]), indicator, rules).win)
    assert bool(judgement.unclear) == (len(outcomes) > 1)
    assert judgement.win == (outcomes.pop() if len(outcomes) == 1 else None)


@pytest.mark.parametrize(
    ("rack", "valid"),
    [
        ("R1 R2 R3 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13", True),
        ("R1 R1 | R4 R4 | K5 K5 | K9 K9 | B2 B2 | B3 B3 | Y7 Y7", True),
        ("R1 K5 Y9 | B2 K11 R10 / Y3 Y7 B12 B9 | Y2 K4 R8 B1", False),
        ("R1 R2 R3 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 R9", None),  # red 9 may be the okey
        ("R1 R2 R3 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13 | K2", None),  # whose win counts double if it is
        ("R1 R2 R3 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 J", None),
        ("R1 R1 | R4 R4 | K5 K5 | K9 K9 | B2 B2 | B3 B3 | Y7 B8", None),
        ("Y10 Y11 Y12 | K13 B13 Y13 | K9 K10 K11 K12 / R11 R12 R13 R1", True),  # with red 1 as the okey it may be a 14, too
        ("R1 R2 R3 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13 | J", True),  # which is never an okey
        ("R1 K5 B9 | J", False),
    ],
)
def test_a_hand_is_judged_without_its_indicator_only_if_that_does_not_decide(rack: str, valid: bool | None) -> None:
    judgement = check(Rack.parse(rack), None)
    assert (None if judgement.indicator_decides else judgement.valid) is valid
    assert judgement.to_json()["indicator_decides"] == (valid is None)


@pytest.mark.parametrize(("last", "kind"), [("J", Kind.RUN), ("R9", None)])
def test_where_the_indicator_decides_no_tile_is_wild_and_a_false_joker_fits_anywhere(last: str, kind: Kind | None) -> None:
    judgement = check(Rack.parse(f"R1 R2 R3 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 {last}"), None)
    assert judgement.indicator_decides and judgement.groups[-1].kind is kind
    assert not judgement.valid and "nobody has told it" in str(judgement.reason)


def test_a_hand_that_wins_with_any_indicator_is_valid_though_that_decides_what_it_costs() -> None:
    judgement = check(Rack.parse("R1 R2 R3 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13 | K2"), None)
    assert judgement.indicator_decides and judgement.valid


@pytest.mark.parametrize("rows_join", [False, True])
def test_no_group_goes_on_with_the_tile_that_lies_on_the_indicator(rows_join: bool) -> None:
    rack = Rack.parse("Y1 Y2 Y3 | B5 B6 B7 B8 | K10 K11 K12 K13 | K2 | R4 R5 / R6")
    rules = with_options(CLASSIC, {"rows_join": rows_join})
    assert check(rack, Tile.parse("Y10"), with_options(CLASSIC, {"rows_join": True})).fifteenth == Tile.parse("K2")
    apart = check(rack, Tile.parse("Y10"), rules, fifteenth_apart=True)
    assert (apart.fifteenth, apart.valid, apart.across_rows) == (Tile.parse("R6"), False, ())


def test_the_indicator_may_be_held_beside_its_twin_where_it_is_drawn_last() -> None:
    rack = Rack.parse("R5 R6 R7 | K5 K6 K7 | B5 B6 B7 | Y5 Y6 Y7 Y8 Y9 | R5")
    with pytest.raises(HandError, match="the indicator included"):
        check(rack, Tile.parse("R5"))
    drawn_last = with_options(CLASSIC, {"indicator_is_last_tile": True})
    assert check(rack, Tile.parse("R5"), drawn_last).valid
    either = Rack.parse("R5 K5 B5 | R5 R6 R7 R8 | K1 K2 R6 K4 | B9 B10 B11")
    assert check(either, Tile.parse("R5"), drawn_last).valid, "one R6 is an okey then"
    assert check(either, None, drawn_last).indicator_decides


def test_tiles_that_win_in_another_order_are_told_whichever_the_indicator_is() -> None:
    judgement = check(Rack.parse("R1 R3 R2 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13"), None)
    assert judgement.could_win and not judgement.indicator_decides


@pytest.mark.parametrize(
    "rack",
    [
        "R1 R2 R3 | K4 K5 K6 | B7 B8 B9 | Y1 Y5 Y9 Y12 Y13",
        "R8 R8 | Y9 Y3 | B2 B2 | K13 K13 | Y6 Y1 | K3 K3 | B4 B4",
        "R1 R2 R3 | K4 K5 K6 | J B8 B9 | Y1 Y5 Y9 Y12 J",
    ],
)
def test_a_hand_that_wins_with_no_indicator_is_not_valid_though_each_refuses_it_for_another_reason(rack: str) -> None:
    judgement = judge(rack, None)
    assert not judgement.valid and not judgement.could_win and not judgement.indicator_decides
    assert str(judgement.reason).startswith("group ")
    possible = [tile for tile in NUMBERED_TILES if Rack.parse(rack).tiles.count(tile) < 2]
    assert not any((with_one := judge(rack, str(tile))).valid or with_one.could_win for tile in possible)


def test_a_gap_that_decides_is_asked_about_whichever_the_indicator_is() -> None:
    judgement = check(Rack.parse("R1 R2 R3 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13"), None, doubtful=[2])
    assert not judgement.indicator_decides and judgement.unclear == (2,) and not judgement.valid


def test_three_copies_are_refused_whichever_the_indicator_is() -> None:
    with pytest.raises(HandError, match="3 copies of R1"):
        check(Rack.parse("R1 R1 R1"), None)


@settings(max_examples=30)
@given(st.integers(0, 10**9))
@compiled_searches()
def test_a_verdict_without_an_indicator_is_that_with_any(seed: int) -> None:
    tiles, indicator = near_winning_hand(random.Random(seed), 14)
    verdict = solve(tiles, indicator)
    rack = Rack.of([[[placed.tile for placed in group] for group in verdict.arrangement] + [[tile] for tile in verdict.left]])
    judgement = check(rack, None)
    assume(not judgement.indicator_decides)
    for tile in NUMBERED_TILES:
        if tiles.count(tile) < COPIES:
            one = check(rack, tile)
            assert (one.win, one.okey_last, one.could_win) == (judgement.win, judgement.okey_last, judgement.could_win)
