"""Groups as they lie."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.groups import Kind, name_group
from assistant.rules import rules_named
from assistant.tiles import FALSE_JOKER, Tile, parse_tiles
from tests.assistant.hands import WHOLE_SET

OKEY = Tile.parse("K12")


@pytest.mark.parametrize(
    ("tiles", "kind", "laid"),
    [
        ("R1 R2 R3", Kind.RUN, "R1 R2 R3"),
        ("R12 R13 R1", Kind.RUN, "R12 R13 R1"),
        ("R11 K12 R13", Kind.RUN, "R11 K12=R12 R13"),
        ("K12 R12 R13", Kind.RUN, "K12=R11 R12 R13"),
        ("K12 K12 R5", Kind.RUN, "K12=R3 K12=R4 R5"),
        ("R13 K12 K12", Kind.RUN, "K12=R11 K12=R12 R13"),
        ("K11 J K13", Kind.RUN, "K11 J=K12 K13"),
        ("R7 K7 B7 Y7", Kind.SET, "R7 K7 B7 Y7"),
        ("R7 K12 Y7", Kind.SET, "R7 K12=K7 Y7"),
        ("B12 J Y12", Kind.SET, "J=K12 B12 Y12"),
        ("R7 R7", Kind.PAIR, "R7 R7"),
        ("R7 K12", Kind.PAIR, "R7 K12=R7"),
        ("J K12", Kind.PAIR, "J=K12 K12"),
        ("J J", Kind.PAIR, "J=K12 J=K12"),
        ("K12 K12", Kind.PAIR, "K12 K12"),
    ],
)
def test_named(tiles: str, kind: Kind, laid: str) -> None:
    named = name_group(parse_tiles(tiles), OKEY)
    assert (named.kind, named.reason) == (kind, None)
    assert sorted(map(str, named.placed)) == sorted(laid.split())


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


def test_one_is_only_low_in_101() -> None:
    named = name_group(parse_tiles("R12 R13 R1"), OKEY, rules_named("101"))
    assert named.kind is None


def test_fourteen_in_a_row_are_a_run_only_where_the_one_colour_run_is_scored() -> None:
    tiles = parse_tiles("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R1")
    assert name_group(tiles, OKEY).kind is None
    assert name_group(tiles[:-1], OKEY).kind is Kind.RUN
    assert name_group(tiles, OKEY, rules_named("favorite")).kind is Kind.RUN


@given(st.integers(0, 10**9), st.integers(1, 22), st.sampled_from(["classic", "favorite", "101"]), st.booleans())
def test_tiles_are_named_or_refused_but_never_both(seed: int, size: int, rules: str, one_colour: bool) -> None:
    pool = [tile for tile in WHOLE_SET if not one_colour or tile in (OKEY, FALSE_JOKER) or str(tile).startswith("R")]
    tiles = random.Random(seed).sample(pool, size)
    named = name_group(tiles, OKEY, rules_named(rules))
    assert (named.kind is None) == (named.reason is not None)
    assert sorted(str(placed.tile) for placed in named.placed) == sorted(map(str, tiles))
    assert "None" not in str(named.reason or "")


def test_a_reason_keeps_the_tiles_that_it_names() -> None:
    reason = name_group(parse_tiles("R1 K1 R1"), OKEY).reason
    assert reason is not None
    assert (reason.template, reason.values) == ("a set needs different colours: {tile} twice", {"tile": Tile.parse("R1")})
