"""Groups as they lie."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.groups import Kind, name_group
from assistant.rules import rules_named, with_options
from assistant.tiles import FALSE_JOKER, NUMBERS, Colour, Tile, parse_tiles
from tests.assistant.hands import WHOLE_SET

OKEY = Tile.parse("K12")


@pytest.mark.parametrize(
    ("tiles", "kind", "laid"),
    [
        ("R1 R2 R3", Kind.RUN, "R1 R2 R3"),
        ("R12 R13 R1", Kind.RUN, "R12 R13 R1"),
        ("R1 R13 R12", Kind.RUN, "R1 R13 R12"),
        ("R11 K12 R13", Kind.RUN, "R11 K12=R12 R13"),
        ("K12 R12 R13", Kind.RUN, "K12=R11 R12 R13"),
        ("R12 R13 K12", Kind.RUN, "R12 R13 K12=R1"),
        ("R11 R12 K12 K12", Kind.RUN, "R11 R12 K12=R13 K12=R1"),
        ("K12 R13 R12", Kind.RUN, "K12=R1 R13 R12"),
        ("R13 R12 K12", Kind.RUN, "R13 R12 K12=R11"),
        ("R7 K12 R5 R4", Kind.RUN, "R7 K12=R6 R5 R4"),
        ("K12 K12 R5", Kind.RUN, "K12=R3 K12=R4 R5"),
        ("K12 R5 K12", Kind.RUN, "K12=R4 R5 K12=R6"),
        ("R5 K12 K12", Kind.RUN, "R5 K12=R6 K12=R7"),
        ("R13 K12 K12", Kind.RUN, "R13 K12=R12 K12=R11"),
        ("K12 K12 R1", Kind.RUN, "K12=R12 K12=R13 R1"),
        ("K12 K11 K10", Kind.RUN, "K12 K11 K10"),
        ("K11 J K13", Kind.RUN, "K11 J=K12 K13"),
        ("K13 J K11", Kind.RUN, "K13 J=K12 K11"),
        ("R5 R3 K12 R4", Kind.RUN, "R5 R3 K12=R2 R4"),  # in no order: the okey is the lowest that it can be
        ("R6 R3 K12 R4", Kind.RUN, "R6 R3 K12=R5 R4"),
        ("R7 K7 B7 Y7", Kind.SET, "R7 K7 B7 Y7"),
        ("Y7 R7 K7", Kind.SET, "Y7 R7 K7"),
        ("R7 K12 Y7", Kind.SET, "R7 K12=K7 Y7"),
        ("K12 Y7 R7 K12", Kind.SET, "K12=K7 Y7 R7 K12=B7"),
        ("B12 J Y12", Kind.SET, "B12 J=K12 Y12"),
        ("Y12 K12 R12", Kind.SET, "Y12 K12 R12"),
        ("K12 J R12", Kind.SET, "K12=B12 J=K12 R12"),
        ("R7 R7", Kind.PAIR, "R7 R7"),
        ("R7 K12", Kind.PAIR, "R7 K12=R7"),
        ("J K12", Kind.PAIR, "J=K12 K12"),
        ("J J", Kind.PAIR, "J=K12 J=K12"),
        ("K12 K12", Kind.PAIR, "K12 K12"),
    ],
)
def test_named_as_it_lies(tiles: str, kind: Kind, laid: str) -> None:
    named = name_group(parse_tiles(tiles), OKEY)
    assert (named.kind, named.reason) == (kind, None)
    assert " ".join(map(str, named.placed)) == laid


@pytest.mark.parametrize(
    ("tiles", "kind", "laid"),
    [
        ("R12 R13 K12", Kind.RUN, "R12 R13 K12=R11"),  # nothing follows 13
        ("K12 R11 R12", Kind.RUN, "K12=R10 R11 R12"),
        ("R12 K12 R11", Kind.RUN, "R12 K12=R13 R11"),
        ("K12 K12 R13", Kind.SET, "K12=K13 K12=B13 R13"),
        ("K12 K12 R5", Kind.RUN, "K12=R7 K12=R6 R5"),
    ],
)
def test_in_101_an_okey_counts_most_where_its_position_leaves_it_open(tiles: str, kind: Kind, laid: str) -> None:
    named = name_group(parse_tiles(tiles), OKEY, rules_named("101"))
    assert named.kind is kind
    assert " ".join(map(str, named.placed)) == laid


@pytest.mark.parametrize(
    ("tiles", "reason"),
    [
        ("R1 K1 R1", "a set needs different colours: R1 twice"),
        ("R13 R1 R2", "never both"),
        ("R1 R2 R4", "R3 is missing"),
        ("R1 R2 R2", "R2 twice"),
        ("R1 K2 B3", "share neither"),
        ("R1", "single tile"),
        ("R1 R2", "a pair needs two identical tiles"),
        ("R7 K7 B7 Y7 K12", "three or four tiles, not 5"),
        ("R2 R1 R13", "never both"),
        ("R1 R13 R2", "never both"),
        ("R12 K12 R1 R2", "never both"),
        ("R13 K12 R2", "never both"),  # the okey is R1
        ("R2 K12 R13 K12 R11", "never both"),
        ("R8 R9 R10 R11 R12 R13 R1 R2 R3 R4 R5 R6", "never both"),
        ("R1 R2 R3 R4 R5 R6 R8 R9 R10 R11 R12 R13", "R7 is missing"),
        ("R13 R12 R11 R10 R9 R8 R6 R5 R4 R3 R2 R1", "R7 is missing"),
        ("R1 R2 R3 R4 R6 R13", "R5 is missing"),
        ("R1 R2 K12 R13", "R4 is missing"),  # the okey is R3
        ("R10 R13 R1", "R11 is missing"),
        ("R3 K12 R6 R8", "R5 is missing"),  # the okey is R4
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R13 K12 K12", "13 tiles at most"),
    ],
)
def test_refused_with_the_reason(tiles: str, reason: str) -> None:
    named = name_group(parse_tiles(tiles), OKEY)
    assert named.kind is None
    assert named.reason is not None
    assert reason in str(named.reason)


def test_without_a_known_okey_a_false_joker_is_what_it_lies_with() -> None:
    for tiles, laid in (("J J", "J J"), ("R5 J", "R5 J=R5"), ("R5 J R7", "R5 J=R6 R7"), ("R7 K7 J", "R7 K7 J=B7")):
        assert " ".join(map(str, name_group(parse_tiles(tiles), None).placed)) == laid


def test_one_is_only_low_in_101() -> None:
    for tiles, reason in (
        ("R12 R13 R1", "1 is only low before 2 in these rules"),
        ("R13 R1 R2", "1 is only low before 2 in these rules"),
        ("R12 R13 K12 R2", "1 is only low before 2 in these rules"),
        ("R1 R2 R3 R4 R5 R6 R8 R9 R10 R11 R12 R13", "R7 is missing"),
        ("R1 R2 R3 R4 R6 R13", "R5 is missing"),
    ):
        named = name_group(parse_tiles(tiles), OKEY, rules_named("101"))
        assert named.kind is None
        assert reason in str(named.reason)


def test_fourteen_in_a_row_are_a_run_only_where_the_one_colour_run_is_scored() -> None:
    tiles = parse_tiles("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R1")
    assert name_group(tiles, OKEY).kind is None
    assert name_group(tiles[:-1], OKEY).kind is Kind.RUN
    for high_one in (True, False):  # it is a hand of its own
        rules = with_options(rules_named("favorite"), {"high_one": high_one})
        assert name_group(tiles, OKEY, rules).kind is Kind.RUN
        assert name_group([*tiles[:6], OKEY, *tiles[7:]], OKEY, rules).kind is Kind.RUN
        assert (name_group(tiles[11:], OKEY, rules).kind is Kind.RUN) == high_one


@given(st.integers(0, 10**9), st.integers(1, 22), st.sampled_from(["classic", "favorite", "101"]), st.booleans())
def test_tiles_are_named_or_refused_but_never_both(seed: int, size: int, rules: str, one_colour: bool) -> None:
    pool = [tile for tile in WHOLE_SET if not one_colour or tile in (OKEY, FALSE_JOKER) or str(tile).startswith("R")]
    tiles = random.Random(seed).sample(pool, size)
    named = name_group(tiles, OKEY, rules_named(rules))
    assert (named.kind is None) == (named.reason is not None)
    assert [placed.tile for placed in named.placed] == tiles
    assert "None" not in str(named.reason or "")


def runs_of(length: int) -> st.SearchStrategy[list[Tile]]:
    """Runs of red tiles, the high 1 included, from low to high."""
    line = [Tile(Colour.RED, number) for number in (*NUMBERS, 1)]
    return st.integers(0, len(line) - length).map(lambda start: line[start : start + length])


@given(st.integers(3, 13).flatmap(runs_of), st.booleans(), st.sets(st.integers(0, 12), max_size=2))
def test_an_okey_in_a_run_that_lies_in_order_stands_for_what_belongs_there(run: list[Tile], downward: bool, okeys: set[int]) -> None:
    laid = run[::-1] if downward else run
    shown = [OKEY if place in okeys else tile for place, tile in enumerate(laid)]
    named = name_group(shown, OKEY)
    assert named.kind is Kind.RUN
    if len(set(shown) - {OKEY}) > 1:  # by a single tile nobody can tell which way the run goes
        assert [placed.stands_for for placed in named.placed] == laid


def test_a_reason_keeps_the_tiles_that_it_names() -> None:
    reason = name_group(parse_tiles("R1 K1 R1"), OKEY).reason
    assert reason is not None
    assert (reason.template, reason.values) == ("a set needs different colours: {tile} twice", {"tile": Tile.parse("R1")})
