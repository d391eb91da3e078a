"""Estimates by simulation against what is known exactly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import sqrt
from typing import Any

import pytest

from assistant import playouts as module
from assistant import search
from assistant.advice import okey_finish, outlook
from assistant.bots import solver_player
from assistant.game import Deal, Move
from assistant.playouts import ME, Estimate, gain_now, playouts, until
from assistant.rules import CLASSIC, PRESETS, with_options
from assistant.search import compile_searches
from assistant.solver import HandError, solve
from assistant.tiles import NUMBERED_TILES, Tile, parse_tiles

INDICATOR = Tile.parse("K11")
WINNING = parse_tiles("R1 R2 R3 K5 B5 Y5 B7 B8 B9 B10 Y10 Y11 Y12 Y13")
ONE_AWAY = parse_tiles("R1 R2 R3 K5 B5 Y5 B7 B8 B9 B10 Y10 Y11 Y12 R9")
FAR = parse_tiles("R1 R2 R6 K5 B5 Y9 B7 B8 B12 K10 Y10 Y1 Y12 R9")


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled searches for these tests alone."""
    monkeypatch.setattr(search, "_forms", search._forms)
    compile_searches()


def estimate(tiles: list[Tile], deals: int, seen: list[Tile] | None = None, discards: tuple[Tile | None, ...] = (None,)) -> Estimate:
    *_, (found, *_) = islice(playouts(tiles, INDICATOR, seen or [], discards=discards), deals)
    return found


def test_a_hand_that_wins_with_any_draw_always_wins() -> None:
    found = estimate(WINNING, deals=40)
    assert (found.deals, found.wins, found.chance_within(1)) == (40, 40, 1.0)
    assert found.gain >= 2


def test_the_chance_to_win_with_the_next_draw_is_the_exact_one() -> None:
    found = estimate(ONE_AWAY, deals=150)
    exact = outlook(ONE_AWAY, INDICATOR).chance(1)
    assert abs(found.chance_within(1) - exact) < 3 * sqrt(exact * (1 - exact) / 150)
    assert found.chance_within(1) < found.chance_within(3) < found.chance_within(99) == found.chance


def test_a_hand_far_from_a_win_wins_less_often() -> None:
    assert estimate(FAR, deals=30).chance < estimate(ONE_AWAY, deals=30).chance


def test_others_have_improved_by_the_time_much_is_seen_on_the_table() -> None:
    rest = [tile for tile in NUMBERED_TILES if tile not in {*FAR, Tile.parse("K12")}]
    assert estimate(ONE_AWAY, deals=40, seen=rest).chance < estimate(ONE_AWAY, deals=40).chance


def test_others_have_had_their_turns_and_what_they_discarded_lies_anywhere_in_the_stock(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = [tile for tile in NUMBERED_TILES if tile not in {*FAR, Tile.parse("K12")}]
    dealt: list[tuple[Tile, ...]] = []
    improved: list[tuple[Tile, ...]] = []
    stocks: list[list[Tile]] = []
    improve = module._improved

    def improve_watched(hand: list[Tile], stock: list[Tile], *given: Any, **named: Any) -> tuple[Tile, ...]:
        dealt.append(tuple(hand))
        improved.append(improve(hand, stock, *given, **named))
        stocks.append(list(stock))
        return improved[-1]

    def look(deal: Deal, given: Sequence[Tile], *_: object) -> None:
        assert given == seen
        assert [hand for seat, hand in enumerate(map(tuple, deal.hands)) if seat != ME] == improved[-3:]
        assert sorted(map(str, deal.stock)) == sorted(map(str, stocks[-1]))
        assert deal.stock[::-1] != stocks[-1], "it was shuffled again"

    monkeypatch.setattr(module, "_improved", improve_watched)
    monkeypatch.setattr(module, "_play_on", look)
    list(islice(playouts(ONE_AWAY, INDICATOR, seen), 4))
    away_before, away_after = (sum(solve(hand, INDICATOR).distance or 0 for hand in hands) for hands in (dealt, improved))
    assert away_after < away_before - len(dealt)


def test_who_plays_on_sees_what_lies_on_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, looked = parse_tiles("K1 K2 K3 B13"), []

    def look(deal: Deal) -> Move:
        looked.append(deal.piles[ME][: len(seen)])
        return solver_player(deal)

    monkeypatch.setattr(module, "solver_player", look)
    estimate(ONE_AWAY, deals=1, seen=seen)
    assert looked
    assert all(pile == seen for pile in looked)


def test_the_same_seed_gives_the_same_estimates_and_discards_are_tried_on_the_same_tiles() -> None:
    tiles = [*ONE_AWAY, Tile.parse("K2")]
    again = (Tile.parse("K2"), Tile.parse("K2"), Tile.parse("B8"))
    *_, (one, same, worse) = islice(playouts(tiles, INDICATOR, discards=again), 40)
    assert one == same
    assert worse.chance < one.chance


def test_the_error_shrinks_as_deals_are_played_and_ends_the_estimate() -> None:
    errors = [found.chance_error for (found,) in until(playouts(ONE_AWAY, INDICATOR), error=0.06, seconds=600)]
    assert errors[-1] <= 0.06 < errors[-2]
    assert errors[0] > errors[len(errors) // 2] > errors[-1]
    assert len(list(until(playouts(FAR, INDICATOR), error=0, seconds=0))) == 1


def test_the_error_is_that_of_a_share_and_of_a_mean() -> None:
    found = Estimate(deals=98, wins=49, points=98.0, squares=98.0 * 2)
    assert found.chance_error == pytest.approx(sqrt(0.25 / 100))
    assert found.gain_error == pytest.approx(sqrt(1 / 97))
    assert Estimate(deals=10, wins=10).chance_error > 0


def test_what_a_win_gives_now_is_what_the_preset_says() -> None:
    ordinary, okey = [*WINNING, Tile.parse("R9")], [*WINNING, Tile.parse("K12")]
    assert (gain_now(ordinary, INDICATOR), gain_now(okey, INDICATOR)) == (2, 4)
    assert (gain_now(ordinary, INDICATOR, PRESETS["nostalji"]), gain_now(okey, INDICATOR, PRESETS["nostalji"], players=2)) == (1, 2)
    assert gain_now(ordinary, INDICATOR, with_options(CLASSIC, {"partners": True})) == 2


def test_waiting_for_the_double_early_in_the_deal_loses_nothing() -> None:
    tiles = [*WINNING, Tile.parse("R9")]
    finish = okey_finish(tiles, INDICATOR)
    assert finish is not None
    found = estimate(tiles, deals=60, discards=(finish.discard,))
    assert found.chance > 0.9
    assert found.gain >= gain_now(tiles, INDICATOR) - 3 * found.gain_error


def test_more_seen_than_the_others_leave_is_refused_with_a_sentence() -> None:
    seen = [tile for tile in NUMBERED_TILES if tile not in WINNING] + [tile for tile in NUMBERED_TILES if tile not in (*WINNING, INDICATOR)]
    with pytest.raises(HandError, match="the other players hold 42"):
        next(playouts(WINNING, INDICATOR, seen[: 106 - 15 - 41]))
    with pytest.raises(HandError, match="no tile is left to draw"):
        next(playouts(WINNING, INDICATOR, seen[: 106 - 15 - 42]))
    next(playouts(WINNING, INDICATOR, seen[: 106 - 15 - 43]))


def test_where_the_indicator_was_drawn_as_the_last_tile_the_deal_is_over() -> None:
    hand = parse_tiles("R5 R5 R6 K1 K2 K3 B1 B2 B3 Y1 Y2 Y3 Y9 Y10 K11")
    with pytest.raises(HandError, match="no tile is left to draw"):
        next(playouts(hand, Tile.parse("R5"), rules=with_options(CLASSIC, {"indicator_is_last_tile": True})))
    with pytest.raises(HandError, match="3 copies of R5"):
        next(playouts(hand, Tile.parse("R5")))
