"""How a hand of the hand page has won, as the score of a table writes it down."""

from __future__ import annotations

import pytest

from assistant.dashboard.win_form import judgement_of, won
from assistant.rules import CLASSIC, rules_named, with_options
from assistant.solver import solve
from assistant.tiles import Rack, Tile


@pytest.mark.parametrize(
    ("rack", "rules", "hand", "okey_last", "colour"),
    [
        ("R1 K1 B1 Y2 Y3 Y4 K7 K8 K9 R5 R6 R7 R8 R9", "classic", "melds", False, None),
        ("R1 R1 K3 K3 B7 B7 Y9 Y9 R12 R12 B2 B2 J K5 Y1", "classic", "pairs", False, None),
        ("R1 K1 B1 Y2 Y3 Y4 K7 K8 K9 R5 R6 R7 R8 R9 K5", "classic", "melds", True, None),
        ("R1 R2 R3 R4 R5 R6 R7 R9 R10 R11 R11 R12 R13 K5", "nostalji", "melds", False, "R"),
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 K5 R13 R1 K5", "nostalji", "run", True, "R"),
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 K5 R13 R1 K5", "classic", "melds", True, "R"),
        ("R1 R2 R3 R1 R2 R3 K7 K8 K9 K7 K8 K9 K5 K5", "classic", "pairs", False, None),
        ("R1 R2 R3 K5 | R1 R2 R3 K5 | K7 K8 K9 | K7 K8 K9", "classic", "pairs", False, None),
        ("R1 R2 R3 R4 R5 R6 R7 | R1 R2 R3 R4 R5 R6 R7", "classic", "pairs", False, "R"),
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R1 K3", "favorite", "run", False, "R"),
    ],
)
def test_kind_okey_and_colour_are_those_of_the_hand(rack: str, rules: str, hand: str, okey_last: bool, colour: str | None) -> None:
    shown, indicator, played = Rack.parse(rack), Tile.parse("K4"), rules_named(rules)
    verdict = solve(shown.tiles, indicator, rules=played)
    kept = judgement_of(shown, indicator, verdict, played)
    assert won(kept, verdict.okey, played) == {"event": "win", "hand": hand, "okey_last": okey_last, "colour": colour}


def test_a_false_joker_that_is_wild_has_no_colour() -> None:
    shown, indicator = Rack.parse("R1 R2 R3 R4 R5 R6 R7 R9 R10 R11 R11 R12 R13 J"), Tile.parse("K4")
    table = rules_named("nostalji")
    judged = with_options(CLASSIC, {"false_joker_wild": True})
    verdict = solve(shown.tiles, indicator, rules=judged)
    assert won(judgement_of(shown, indicator, verdict, judged), verdict.okey, table)["colour"] == "R"


@pytest.mark.parametrize(
    ("rack", "last", "okey_last"),
    [
        ("R1 R2 R3 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13", None, False),
        ("R1 R2 R3 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13 | R9", "R9", False),
        ("R1 R2 R3 R9 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13", "R9", False),
        ("R1 K5 R2 R3 R9 B5 Y5 B7 / B8 B9 B10 Y10 Y11 Y12 Y13", "R9", False),
        ("R1 R2 R3 K12 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 | Y13", "K12", True),
        ("R1 R2 R3 | R9 R10 R11 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13 | R9", "R9", False),
    ],
)
def test_what_is_kept_with_a_win_says_the_same_as_its_verdict(rack: str, last: str | None, okey_last: bool) -> None:
    shown, indicator = Rack.parse(rack), Tile.parse("K11")
    kept = judgement_of(shown, indicator, solve(shown.tiles, indicator), CLASSIC)
    assert (kept.valid, kept.win, kept.okey_last) == (True, "melds", okey_last)
    assert kept.fifteenth == (Tile.parse(last) if last else None)


def test_what_is_kept_with_a_win_leaves_the_other_tiles_as_they_lie() -> None:
    shown, indicator = Rack.parse("R1 R2 R3 | R9 R10 R11 | R9 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13"), Tile.parse("K11")
    kept = judgement_of(shown, indicator, solve(shown.tiles, indicator), CLASSIC)
    assert [len(group.placed) for group in kept.groups] == [3, 3, 4, 4]
    assert all(group.kind for group in kept.groups)
