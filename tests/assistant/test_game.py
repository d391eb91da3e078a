"""The game against its rules: what each position allows, what ends a deal, and that the ledger scores what was played."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.bots import random_player
from assistant.deal import WHOLE_SET, Dealt, shuffle_and_deal
from assistant.game import Deal, Discard, Draw, Move, MoveError, ShowIndicator, Take, Win
from assistant.rules import CLASSIC, PRESETS, OkeyScoring, Rules, with_options
from assistant.tiles import Tile, parse_tiles

OKEY_PRESETS = [rules for rules in PRESETS.values() if isinstance(rules.scoring, OkeyScoring)]
WINNING = "R1 R2 R3 K5 B5 Y5 B7 B8 B9 B10 Y10 Y11 Y12 Y13"
PAIRS = "R1 R1 R5 R5 K3 K3 B9 B9 Y2 Y2 Y7 Y7 K8 K8"
ONE_COLOUR_RUN = "B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13 B1"


def position(*hands: str, indicator: str = "K11", stock: int | None = None, rules: Rules = CLASSIC) -> Deal:
    """A deal in which seat 1 and those after it hold these tiles, the dealer and the others any; so many tiles in the stock."""
    held = [parse_tiles(hand) for hand in hands]
    left = Counter(WHOLE_SET) - Counter([Tile.parse(indicator), *(tile for hand in held for tile in hand)])
    rest = random.Random(7).sample(sorted(left.elements(), key=str), left.total())
    while len(held) < 4:
        held.append([rest.pop() for _ in range(14)])
    seats = [held[-1], *held[:-1]]
    return Deal(Dealt(tuple(map(tuple, seats)), Tile.parse(indicator), tuple(rest[:stock])), rules)


def tile(text: str) -> Tile:
    return Tile.parse(text)


def refusal(deal: Deal, move: Move) -> str:
    before = repr(vars(deal))
    with pytest.raises(MoveError) as refused:
        deal.play(move)
    assert repr(vars(deal)) == before, "what is refused changes nothing"
    return str(refused.value)


def test_the_first_player_begins_by_discarding() -> None:
    deal = position(WINNING.replace("Y13", "R9") + " R10")
    assert refusal(deal, Draw()) == "15 tiles are in the hand already: discard one"
    assert refusal(deal, Take()) == "15 tiles are in the hand already: discard one"
    assert refusal(deal, Discard(tile("K1"))) == "K1 is not in the hand: discard one of its 15 tiles"
    deal.play(Discard(tile("R9")))
    assert (deal.turn, deal.offered, deal.piles[1]) == (2, tile("R9"), [tile("R9")])


def test_each_next_player_draws_or_takes_what_was_just_discarded_on_the_left() -> None:
    deal = position(WINNING + " R9")
    deal.play(Discard(tile("R9")))
    assert "a tile must be drawn first" in refusal(deal, Discard(deal.hand[0]))
    deal.play(Take())
    assert (deal.hand[-1], deal.piles[1]) == (tile("R9"), [])
    deal.play(Discard(tile("R9")))
    top = deal.stock[-1]
    deal.play(Draw())
    assert (deal.turn, deal.hand[-1], deal.piles[2]) == (3, top, [tile("R9")])


def test_the_turn_goes_round_to_the_right() -> None:
    for players in (2, 3, 4):
        deal = Deal(shuffle_and_deal(random.Random(players), players, informally=True))
        turns = []
        for _ in range(2 * players):
            turns.append(deal.turn)
            if deal.is_drawing:
                deal.play(Draw())
            deal.play(Discard(deal.hand[0]))
        assert turns == [*range(1, players), 0] * 2


def test_nothing_is_offered_before_the_first_discard() -> None:
    deal = position(WINNING)
    assert refusal(deal, Take()) == "nothing was discarded on the left: draw from the stock"


class TestShowingTheIndicator:
    def test_before_the_own_first_draw(self) -> None:
        deal = position("K11 " + WINNING)
        deal.play(ShowIndicator())
        assert deal.events == [{"event": "indicator_shown", "by": 1, "indicator": "K11"}]
        assert refusal(deal, ShowIndicator()) == "the indicator's twin was shown already"

    def test_the_first_player_may_wait_for_the_second_turn_but_no_longer(self) -> None:
        deal = position("K11 " + WINNING)
        deal.play(Discard(tile("R1")))
        while deal.turn != 1:
            deal.play(Draw())
            deal.play(Discard(deal.hand[-1]))
        assert deal.may(ShowIndicator())
        deal.play(Draw())
        assert refusal(deal, ShowIndicator()) == "the indicator's twin may be shown only before the player's own first draw"

    def test_only_by_whom_holds_it(self) -> None:
        assert refusal(position(WINNING + " R9"), ShowIndicator()) == "the indicator's twin, K11, is not in the hand"

    def test_not_where_the_table_plays_without(self) -> None:
        deal = position("K11 " + WINNING, rules=with_options(CLASSIC, {"with_indicator": False}))
        assert refusal(deal, ShowIndicator()) == "this table plays without showing the indicator"


def win_of(hand: str, rules: Rules = CLASSIC, indicator: str = "K11") -> dict[str, Any]:
    """The event of the dearest win of 15 tiles."""
    deal = position(hand, indicator=indicator, rules=rules)
    deal.play(deal.wins()[0])
    assert deal.over and deal.moves() == []
    assert refusal(deal, Draw()) == "the deal is over"
    return dict(deal.events[-1])


class TestWinning:
    def test_with_sets_and_runs(self) -> None:
        event = win_of(WINNING + " R9")
        assert event == {"event": "win", "by": 1, "hand": "melds", "okey_last": False, "colour": None, "indicator": "K11"}

    def test_with_pairs(self) -> None:
        assert win_of(PAIRS + " R9")["hand"] == "pairs"

    def test_with_an_okey_as_the_fifteenth_tile(self) -> None:
        assert win_of(WINNING + " K12")["okey_last"]

    def test_with_one_colour_wilds_aside(self) -> None:
        assert win_of("B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 K12 K12 R1", PRESETS["nostalji"])["colour"] == "B"

    def test_the_one_colour_run_only_where_it_is_scored(self) -> None:
        assert win_of(ONE_COLOUR_RUN + " R9", PRESETS["favorite"])["hand"] == "run"
        assert win_of(ONE_COLOUR_RUN + " R9", with_options(PRESETS["favorite"], {"high_one": False}))["hand"] == "run"
        assert win_of(ONE_COLOUR_RUN + " R9")["hand"] == "melds"
        assert "does not win as run" in refusal(position(ONE_COLOUR_RUN + " R9"), Win(tile("R9"), "run"))
        assert "does not win as run" in refusal(position(WINNING + " R9", rules=PRESETS["favorite"]), Win(tile("R9"), "run"))

    def test_the_dearest_way_comes_first(self) -> None:
        both = "R1 R1 R2 R2 R3 R3 R4 R4 K5 K5 B5 B5 Y5 Y5"
        wins = position(both + " R9").wins()
        assert [win.hand for win in wins if win.fifteenth == tile("R9")] == ["pairs", "melds"]
        cheap_pairs = with_options(CLASSIC, {"pairs": 1})
        assert position(both + " R9", rules=cheap_pairs).wins()[0].hand == "melds"

    def test_a_hand_that_does_not_win_is_refused(self) -> None:
        reason = refusal(position(WINNING.replace("Y13", "R9") + " R10"), Win(tile("R9"), "melds"))
        assert reason == "the hand does not win as melds with R9 as the fifteenth tile"


class TestStockRunOut:
    def run_out(self, *hands: str, stock: int = 1) -> Deal:
        """A deal in which the last tile of the stock was drawn and the discard is still to come."""
        deal = position(*hands, stock=stock)
        while deal.stock or deal.is_drawing:
            deal.play(Draw()) if deal.is_drawing else deal.play(Discard(deal.hand[-1]))
        return deal

    def test_the_deal_is_over_when_nobody_can_win_with_the_discard(self) -> None:
        deal = self.run_out("R1 R1 K3 K4 K7 B1 B4 B9 Y2 Y6 Y9 R6 R9 R12")
        deal.play(Discard(deal.hand[-1]))
        assert deal.over
        assert deal.events == [{"event": "exhausted", "indicator": "K11"}]

    def test_the_next_player_may_still_win_with_the_discard(self) -> None:
        deal = self.run_out("Y13 R1 K3 K4 K7 B1 B4 B9 Y2 Y6 Y9 R6 R9 R12", WINNING.replace("Y13", "R8"))
        deal.play(Discard(tile("Y13")))
        assert not deal.over and deal.moves() == [Take()]
        assert "only a discard that wins may be taken" in refusal(deal, Draw())
        deal.play(Take())
        assert refusal(deal, Discard(tile("R8"))) == "the stock is empty: the tile that was taken must win"
        assert deal.moves() == [Win(tile("R8"), "melds")]

    def test_the_indicator_is_the_last_tile_where_the_table_plays_so(self) -> None:
        deal = Deal(shuffle_and_deal(random.Random(2), 4, informally=False), replace(CLASSIC, indicator_is_last_tile=True))
        assert len(deal.stock) == 49
        assert deal.stock[0] == deal.indicator


def test_okey_101_is_refused() -> None:
    with pytest.raises(MoveError, match="101 cannot be played here"):
        Deal(shuffle_and_deal(random.Random(1), 4, informally=False), PRESETS["101"])


def check(deal: Deal) -> None:
    """What holds in every position."""
    tiles = [*deal.stock, *deal.discards, *(held for hand in deal.hands for held in hand)]
    assert Counter(tiles if deal.rules.indicator_is_last_tile else [*tiles, deal.indicator]) == Counter(WHOLE_SET)
    sizes = [len(hand) for hand in deal.hands]
    assert sizes.pop(deal.turn) in (14, 15)
    assert set(sizes) == {14}


@settings(max_examples=60)
@given(
    st.integers(0, 2**32),
    st.integers(2, 4),
    st.sampled_from(OKEY_PRESETS),
    st.booleans(),
    st.booleans(),
)
def test_no_order_of_moves_leads_to_an_impossible_position(seed: int, players: int, rules: Rules, informally: bool, last: bool) -> None:
    rng = random.Random(seed)
    rules = replace(rules, informal_deal=informally, indicator_is_last_tile=last)
    deal = Deal(shuffle_and_deal(rng, players, informally), rules)
    assert len(deal.stock) == 106 - 1 - 14 * players - 1 + last
    choose = random_player(rng)
    turn = deal.turn
    while not deal.over:
        move = choose(deal)
        deal.play(move)
        check(deal)
        turn = (turn + isinstance(move, Discard) * (not deal.over)) % players
        assert deal.over or deal.turn == turn
    assert [event["event"] for event in deal.events[:-1]] in ([], ["indicator_shown"])


def test_moves_are_those_that_are_not_refused() -> None:
    rng = random.Random(3)
    deal = Deal(shuffle_and_deal(rng, 3, informally=True))
    for _ in range(9):
        wins = [Win(held, hand) for held in set(deal.hand) for hand in ("melds", "pairs", "run")]
        allowed = deal.moves()
        for move in {ShowIndicator(), Draw(), Take(), *map(Discard, WHOLE_SET), *wins} - set(allowed):
            refusal(deal, move)
        deal.play(rng.choice(allowed))


def test_who_goes_out_when_the_indicator_is_shown_leaves_the_deal() -> None:
    deal = position("K11 " + WINNING.replace("Y13", "R9"))
    deal.play(ShowIndicator())
    deal.leave(2)
    deal.play(Discard(tile("R9")))
    assert deal.turn == 3
    deal.play(Take())
    check(deal)
