"""Shown hands, judged as they lie."""

import random
from collections import Counter

import pytest

from assistant.dispute import Judgement, check
from assistant.solver import HandError, solve
from assistant.tiles import Rack, Tile, parse_tiles
from tests.assistant.hands import near_winning_hand


def judge(rack: str, indicator: str | None) -> Judgement:
    return check(Rack.parse(rack), None if indicator is None else Tile.parse(indicator))


def test_a_valid_hand_names_every_group() -> None:
    judgement = judge("R3 R4 R5 | K9 B9 Y9 / J B10 B11 B12 B13 | Y1 K1 R1", "B8")
    assert judgement.to_json()["valid"] is True
    assert [group["kind"] for group in judgement.to_json()["groups"]] == ["run", "set", "run", "set"]
    assert judgement.reason is None


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
