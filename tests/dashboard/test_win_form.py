"""How a hand of the hand page has won, as the score of a table writes it down."""

from __future__ import annotations

import pytest

from assistant.dashboard.win_form import won
from assistant.rules import rules_named
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
    ],
)
def test_kind_okey_and_colour_come_from_the_verdict(rack: str, rules: str, hand: str, okey_last: bool, colour: str | None) -> None:
    tiles, played = Rack.parse(rack).tiles, rules_named(rules)
    verdict = solve(tiles, Tile.parse("K4"), rules=played)
    assert won(tiles, verdict, played) == {"event": "win", "hand": hand, "okey_last": okey_last, "colour": colour}
