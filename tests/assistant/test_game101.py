"""Deals of 101 against the rules: what each position allows, what ends a deal, what it costs."""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.bots import random_player, solver_player
from assistant.bots101 import opening_player
from assistant.deal import WHOLE_SET, Dealt, shuffle_and_deal
from assistant.game import Deal, DealInPlay, Discard, Draw, MoveError, Player, Take
from assistant.game101 import Add, Deal101, Lay, Move101, PutBack
from assistant.groups import Placed
from assistant.ledger import Ledger
from assistant.rules import CLASSIC, PRESETS, Rules, with_options
from assistant.search import compile_searches
from assistant.solver import Laid
from assistant.table import Table
from assistant.tiles import Tile, parse_tiles
from tests.assistant.referee import Referee, scores_by_hand

RULES = PRESETS["101"]
INDICATOR = Tile.parse("K11")
OPENING = "R11 R12 R13 | B10 B11 B12 | R8 K8 B8 Y8"
"""36 + 33 + 32 = 101 points; the okey is K12 in all that follows."""
FIVE_PAIRS = "R1 R1 | K3 K3 | Y5 Y5 | B7 B7 | Y9 Y9"


def tile(text: str) -> Tile:
    return Tile.parse(text)


def placed(text: str) -> Placed:
    """A tile and what it stands for, as an arrangement is written: K12=R6."""
    own, _, face = text.partition("=")
    return Placed(tile(own), tile(face or own))


def laid(text: str) -> Laid:
    return tuple(tuple(placed(word) for word in group.split()) for group in text.split("|"))


def tiles_of(groups: str) -> str:
    return " ".join(str(one.tile) for group in laid(groups) for one in group)


def position(*hands: str, draws: str = "", stock: int | None = None, **options: object) -> Deal101:
    """A deal in which seat 1 and those after it hold these tiles, whatever their number, and the first has drawn; the others hold any.

    Args:
        draws: the next tiles of the stock.
        stock: how many tiles it has.
    """
    held, drawn = [parse_tiles(hand) for hand in hands], parse_tiles(draws)
    left = Counter(WHOLE_SET) - Counter([INDICATOR, *drawn, *(one for hand in held for one in hand)])
    rest = random.Random(7).sample(sorted(left.elements(), key=str), left.total())
    while len(held) < 4:
        held.append([rest.pop() for _ in range(21)])
    seats = [held[-1], *held[:-1]]
    return Deal101(Dealt(tuple(map(tuple, seats)), INDICATOR, (*drawn, *rest)[:stock]), with_options(RULES, options))


def play(deal: Deal101, *moves: Move101) -> Deal101:
    for move in moves:
        deal.play(move)
    return deal


def pass_on(deal: Deal101, players: int) -> Deal101:
    """So many players draw and discard what they drew."""
    for _ in range(players):
        deal.play(Draw())
        deal.play(Discard(deal.hand[-1]))
    return deal


def opened(hand: str = "K1 K2", *others: str, **options: Any) -> Deal101:
    """A deal in which the first player has opened and discarded K1, and the next has not drawn yet."""
    return play(position(f"{tiles_of(OPENING)} {hand}", *others, **options), Lay(laid(OPENING)), Discard(tile("K1")))


def refusal(deal: Deal101, move: Move101) -> str:
    before = repr(vars(deal))
    with pytest.raises(MoveError) as refused:
        deal.play(move)
    assert repr(vars(deal)) == before, "what is refused changes nothing"
    return str(refused.value)


def test_twenty_one_tiles_are_dealt_and_the_first_player_has_one_more() -> None:
    for players in (2, 3, 4):
        deal = Deal101(shuffle_and_deal(random.Random(players), players, informally=False, hand_size=21), RULES)
        assert [len(hand) for hand in deal.hands] == [21, 22, *[21] * (players - 2)]
        assert len(deal.stock) == 106 - 1 - 1 - 21 * players
        assert refusal(deal, Draw()) == "a tile was drawn already: lay groups, add tiles or discard"


def test_okey_is_refused() -> None:
    with pytest.raises(MoveError, match="classic is played without opening"):
        Deal101(shuffle_and_deal(random.Random(1), 4, informally=False), CLASSIC)


class TestOpening:
    def test_with_a_hundred_and_one(self) -> None:
        deal = play(position(tiles_of(OPENING) + " K1 K2"), Lay(laid(OPENING)))
        assert deal.opened == [None, "melds", None, None]
        assert deal.groups == [*laid(OPENING)]
        assert deal.hand == parse_tiles("K1 K2")

    def test_not_with_a_hundred(self) -> None:
        less = "R11 R12 R13 | B4 B5 B6 B7 | K11 K12=K12 K13 | R2 K2 Y2"
        deal = position(tiles_of(less) + " K1")
        assert refusal(deal, Lay(laid(less))) == "100 points do not open: 101 are needed"

    def test_an_okey_counts_what_it_stands_for(self) -> None:
        groups = "K12=R11 R12 R13 | B10 B11 K12=B12 | R8 K8 B8 Y8"
        assert play(position(tiles_of(groups) + " K1"), Lay(laid(groups))).has_opened
        lower = groups.replace("B10 B11 K12=B12", "K12=B9 B10 B11")
        assert refusal(position(tiles_of(groups) + " K1"), Lay(laid(lower))) == "98 points do not open: 101 are needed"

    def test_with_five_pairs_not_with_four(self) -> None:
        deal = position(tiles_of(FIVE_PAIRS) + " K1")
        assert refusal(deal, Lay(laid(FIVE_PAIRS)[:4])) == "4 pairs do not open: 5 are needed"
        assert play(deal, Lay(laid(FIVE_PAIRS))).opened[1] == "pairs"

    def test_a_pair_of_okeys_and_one_of_false_jokers(self) -> None:
        pairs = "R1 R1 | K3 K3 | Y5 Y5 | J=K12 J=K12 | K12 K12"
        assert play(position(tiles_of(pairs) + " K1"), Lay(laid(pairs))).opened[1] == "pairs"

    def test_not_with_both_at_once(self) -> None:
        both = f"{OPENING} | R1 R1"
        assert "not of both" in refusal(position(tiles_of(both) + " K1"), Lay(laid(both)))

    @pytest.mark.parametrize(
        ("groups", "reason"),
        [
            ("R11 R12 R13 | Y12 Y13 Y1", "1 is only low before 2 in these rules"),
            ("R11 R12 R13 | B4 B5 B7", "a run needs numbers in sequence: B6 is missing"),
            ("R11=R10 R12 R13", "R11 cannot stand for R10"),
            ("J=R11 R12 R13", "J cannot stand for R11"),
            ("K12=J R12 R13", "K12 cannot stand for J"),
            ("R11 R12 R13 | Y7", "a single tile is no group"),
            ("", "lay a group or more"),
        ],
    )
    def test_what_is_no_group_is_refused(self, groups: str, reason: str) -> None:
        deal = position("R11 R12 R13 Y12 Y13 Y1 Y7 B4 B5 B7 J K12 K1")
        assert refusal(deal, Lay(laid(groups) if groups else ())) == reason

    def test_only_with_tiles_of_the_hand_of_which_one_is_kept(self) -> None:
        assert refusal(position(tiles_of(OPENING)[3:] + " K1"), Lay(laid(OPENING))) == "R11 is not in the hand: choose from its 10 tiles"
        assert refusal(position(tiles_of(OPENING)), Lay(laid(OPENING))) == "every turn ends with a discard: keep a tile for it"

    def test_raising_asks_for_one_more_than_the_best_points_and_the_most_pairs_by_themselves(self) -> None:
        second, third = "R11 R12 R13 | Y10 Y11 Y12 | R9 K9 B9", "Y4 Y4 | K5 K5 | R6 R6 | B1 B1 | B3 B3"
        fourth = FIVE_PAIRS.replace("R1 R1", "R2 R2")
        deal = opened("K1 K2", tiles_of(second) + " R3 B13", tiles_of(third) + " R3", tiles_of(fourth) + " R4 R4 K4 Y2", raising=True)
        play(deal, Draw())
        assert refusal(deal, Lay(laid(second))) == "96 points do not open: 102 are needed"
        play(deal, Discard(tile("B13")), Draw(), Lay(laid(third)), Discard(tile("R3")), Draw())
        assert refusal(deal, Lay(laid(fourth))) == "5 pairs do not open: 6 are needed"
        assert play(deal, Lay(laid(fourth + " | R4 R4"))).opened == ["pairs", "melds", None, "pairs"]


class TestTheTileOnTheLeft:
    def test_must_be_part_of_the_opening(self) -> None:
        deal = play(position("R13 K1", tiles_of(OPENING).replace("R13", "K2") + " K3 B13"), Discard(tile("R13")), Take())
        assert refusal(deal, Discard(tile("K2"))) == "R13 was taken and must be part of the opening: open with it, or put it back"
        assert play(deal, Lay(laid(OPENING)), Discard(tile("K2"))).opened[2] == "melds"

    def test_an_opening_without_it_is_refused(self) -> None:
        deal = play(position("Y13 K1", tiles_of(OPENING) + " K3"), Discard(tile("Y13")), Take())
        assert "Y13 was taken and must be part of the opening" in refusal(deal, Lay(laid(OPENING)))

    def test_can_be_put_back_without_penalty_and_not_taken_again(self) -> None:
        deal = play(position("R13 K1", "K2 K3"), Discard(tile("R13")), Take(), PutBack())
        assert (deal.piles[1], deal.hand, deal.events) == (parse_tiles("R13"), parse_tiles("K2 K3"), [])
        assert refusal(deal, Take()) == "there is no tile on the left to take: draw from the stock"
        assert refusal(play(deal, Draw()), PutBack()) == "no tile was taken that could be put back"

    def test_is_used_at_once_by_who_has_opened(self) -> None:
        deal = pass_on(opened("K1 Y6 Y7", "K2 K3", "K4 K5", "Y5 K7", draws="K6 K9"), 2)
        play(deal, Draw(), Discard(tile("Y5")))
        assert refusal(deal, Take()) == "Y5 cannot be used at once: draw from the stock", "no tile would be left to discard"
        deal = pass_on(opened("K1 Y6 Y7 R2", "K2 K3", "K4 K5", "Y5 K7", draws="K6 K9"), 2)
        play(deal, Draw(), Discard(tile("Y5")), Take())
        assert refusal(deal, Discard(tile("R2"))) == "Y5 was taken and must be used at once: lay or add it, and discard after that"
        assert refusal(deal, PutBack()) == "Y5 must be used at once: only who has not opened may put it back"
        assert deal.moves() == [Lay(laid("Y5 Y6 Y7"))]
        assert ending(play(deal, *deal.moves(), Discard(tile("R2"))))["finisher"] == 1

    def test_is_not_offered_to_who_has_opened_and_cannot_use_it(self) -> None:
        deal = pass_on(opened("K1 Y6 Y13 R2", "K2 K3", "K4 K5", "Y5 K7", draws="K6 K9"), 2)
        play(deal, Draw(), Discard(tile("Y5")))
        assert refusal(deal, Take()) == "Y5 cannot be used at once: draw from the stock"
        assert deal.moves() == [Draw()]


class TestAdding:
    @pytest.mark.parametrize(
        ("add", "group", "now"),
        [
            ("R10", 0, "R10 R11 R12 R13"),
            ("B9", 1, "B9 B10 B11 B12"),
            ("B13", 1, "B10 B11 B12 B13"),
            ("K12=B13", 1, "B10 B11 B12 K12=B13"),
        ],
    )
    def test_a_run_grows_at_either_end(self, add: str, group: int, now: str) -> None:
        deal = play(position(f"{tiles_of(OPENING)} {placed(add).tile} K2"), Lay(laid(OPENING)), Add(placed(add), group))
        assert deal.groups[group] == laid(now)[0]

    def test_a_set_is_filled_up(self) -> None:
        groups = "R11 R12 R13 | B10 B11 B12 B13 | R8 K8 B8"
        deal = play(position(tiles_of(groups) + " Y8 R8 K2"), Lay(laid(groups)), Add(placed("Y8"), 2))
        assert refusal(deal, Add(placed("R8"), 2)) == "a set has three or four tiles, not 5"

    def test_an_okey_stays_what_it_stands_for(self) -> None:
        groups = "K12=R11 R12 R13 | B10 B11 B12 | R8 K8 B8 Y8"
        deal = play(position(tiles_of(groups) + " R11 R10 K2"), Lay(laid(groups)))
        assert deal.adds(tile("R11")) == []
        assert "R11 twice" in refusal(deal, Add(placed("R11"), 0))
        assert play(deal, Add(placed("R10"), 0)).groups[0] == laid("R10 K12=R11 R12 R13")[0]

    def test_nobody_adds_before_opening(self) -> None:
        deal = play(opened("K1 K2", "R10 K3"), Draw())
        assert refusal(deal, Add(placed("R10"), 0)) == "only who has opened may add tiles to the groups on the table"

    def test_who_opened_with_pairs_adds_to_others_groups_and_lays_none(self) -> None:
        deal = play(opened("K1 K2", tiles_of(FIVE_PAIRS) + " R10 Y2 Y3 Y4 R2 R2"), Draw(), Lay(laid(FIVE_PAIRS)))
        assert "lays nothing more" in refusal(deal, Lay(laid("Y2 Y3 Y4")))
        assert "lays nothing more" in refusal(deal, Lay(laid("R2 R2")))
        assert play(deal, Add(placed("R10"), 0)).groups[0] == laid("R10 R11 R12 R13")[0]
        assert refusal(deal, Add(placed("Y2"), 3)) == "nothing can be added to a pair"
        assert refusal(deal, Add(placed("Y2"), 99)) == "there is no group 99 on the table: it has 8"

    def test_who_opened_with_sets_and_runs_lays_more_of_them_but_no_pairs(self) -> None:
        deal = play(position(tiles_of(OPENING) + " Y2 Y3 Y4 R2 R2"), Lay(laid(OPENING)), Lay(laid("Y2 Y3 Y4")))
        assert refusal(deal, Lay(laid("R2 R2"))) == "every turn ends with a discard: keep a tile for it"
        deal = play(position(tiles_of(OPENING) + " Y2 R2 R2"), Lay(laid(OPENING)))
        assert refusal(deal, Lay(laid("R2 R2"))) == "who has opened with sets and runs lays no pairs"


def ending(deal: Deal101) -> dict[str, Any]:
    assert deal.over and deal.moves() == []
    assert refusal(deal, Draw()) == "the deal is over"
    return dict(deal.events[-1])


def changes(deal: Deal101) -> list[int]:
    """What the ledger makes of a deal."""
    ledger = Ledger(Table(deal.rules, ("a", "b", "c", "d")))
    for event in deal.events:
        ledger.add(len(ledger.lines) + 2, event)
    return list(ledger.standing.scores)


class TestTheEnd:
    HELD = ("K12 R5 R5", "J Y1", "B2 K13")
    """Left to the others: an okey and 10, the okey's 12 and 1, 15."""

    def test_in_one_turn_while_nobody_had_opened(self) -> None:
        deal = play(position(tiles_of(OPENING) + " K2", *self.HELD), Lay(laid(OPENING)), Discard(tile("K2")))
        assert ending(deal) == {
            "event": "deal",
            "finisher": 1,
            "okey_last": False,
            "hand_finish": True,
            "players": [{"opened": None}, {"opened": "melds", "left": 0, "okeys_left": 0}, {"opened": None}, {"opened": None}],
        }
        assert changes(deal) == [404, -202, 404, 404]

    def test_with_an_okey_as_the_last_discard_too(self) -> None:
        deal = play(position(tiles_of(OPENING) + " K12"), Lay(laid(OPENING)), Discard(tile("K12")))
        assert ending(deal)["okey_last"]
        assert changes(deal) == [808, -404, 808, 808], "and no penalty for the okey"

    @pytest.mark.parametrize(("cap", "scores"), [(1, [202, -101, 202, 202]), (2, [404, -202, 404, 404])])
    def test_with_a_lower_factor(self, cap: int, scores: list[int]) -> None:
        deal = play(position(tiles_of(OPENING) + " K12", factor_cap=cap), Lay(laid(OPENING)), Discard(tile("K12")))
        assert changes(deal) == scores

    def three_opened(self, draw: str, **options: object) -> Deal101:
        """Seats 1 and 0 have opened with sets and runs and seat 2 with pairs; seat 1 has drawn a tile and holds Y13 besides."""
        runs = "Y10 Y11 Y12 | R9 K9 B9 | R10 K10 B10 | Y1 Y2 Y3 | R3 B3 Y3"
        hands = f"{tiles_of(FIVE_PAIRS)} K12 J R5", "R2 R6 K6", f"{tiles_of(runs)} B4 B13"
        deal = opened("K1 Y13", *hands, draws=f"K5 K4 K7 {draw}", **options)
        play(deal, Draw(), Lay(laid(FIVE_PAIRS)), Discard(tile("K5")), Draw(), Discard(tile("K4")))
        return play(deal, Draw(), Lay(laid(runs)), Discard(tile("K7")), Draw())

    def test_others_pay_for_the_tiles_left_and_twice_after_pairs(self) -> None:
        deal = play(self.three_opened("R10"), Add(placed("R10"), 0), Discard(tile("Y13")))
        assert ending(deal)["players"] == [
            {"opened": "melds", "left": 17, "okeys_left": 0},
            {"opened": "melds", "left": 0, "okeys_left": 0},
            {"opened": "pairs", "left": 17, "okeys_left": 1},
            {"opened": None},
        ]
        assert changes(deal) == [17, -101, 2 * 17 + 101, 202], "the last tile may fit a group: it is no fault"

    def test_twice_as_much_when_an_okey_is_last_the_penalties_aside(self) -> None:
        deal = self.three_opened("K12")
        run = next(number for number, group in enumerate(deal.groups) if group == laid("Y10 Y11 Y12")[0])
        play(deal, Add(placed("Y13"), run), Discard(tile("K12")))
        assert changes(deal) == [34, -202, 4 * 17 + 101, 404]

    def test_the_finishers_partner_pays_nothing_and_partners_share_an_account(self) -> None:
        deal = play(self.three_opened("R10", partners=True), Add(placed("R10"), 0), Discard(tile("Y13")))
        assert changes(deal) == [17 + 135, -101, 17 + 135, -101]

    def test_twice_as_much_when_the_finisher_had_opened_with_pairs(self) -> None:
        deal = play(opened("K1 Y13", tiles_of(FIVE_PAIRS) + " R10", draws="B13"), Draw(), Lay(laid(FIVE_PAIRS)), Add(placed("R10"), 0))
        event = ending(play(deal, Discard(tile("B13"))))
        assert (event["finisher"], event["hand_finish"]) == (2, False), "in one turn, but another had opened"
        assert changes(deal) == [404, 26, -202, 404]

    def test_nobody_finishes_when_the_stock_has_run_out(self) -> None:
        deal = pass_on(opened("K1 R10 Y13", "K2 K3", draws="K5", stock=1), 1)
        assert ending(deal)["finisher"] is None
        assert changes(deal) == [202, 23, 202, 202]

    @pytest.mark.parametrize(("players", "option", "void"), [(4, True, True), (4, False, False), (3, True, False), (2, True, False)])
    def test_all_four_with_pairs_is_void_where_the_table_plays_so(self, players: int, option: bool, void: bool) -> None:
        pairs = [" | ".join(f"{colour}{number} {colour}{number}" for number in range(1, 6)) for colour in "RKBY"]
        hands = [f"{tiles_of(five)} {colour}13 {colour}9" for five, colour in zip(pairs, "RKBY", strict=True)][:players]
        hands = [hands[-1], *hands[:-1]]
        deal = Deal101(
            Dealt(tuple(tuple(parse_tiles(hand)) for hand in hands), INDICATOR, parse_tiles("R6 K6 B6")),
            with_options(RULES, {"all_pairs_void": option}),
        )
        for turn, five in enumerate(pairs[:players]):
            play(deal, *[Draw()] * (turn > 0), Lay(laid(five)))
            if turn < players - 1:
                deal.play(Discard(deal.hand[-1]))
        assert deal.over == void
        assert deal.opened == ["pairs"] * players
        assert changes(deal) == [0, 0, 0, 0]

    def test_the_ledgers_numbers_of_the_players(self) -> None:
        dealt = Dealt(((tile("R1"),), (*parse_tiles(tiles_of(OPENING)), tile("K2")), (tile("Y4"),)), INDICATOR, (tile("B1"),))
        deal = play(Deal101(dealt, RULES, players=(2, 0, 1)), Lay(laid(OPENING)), Discard(tile("K2")))
        assert ending(deal)["finisher"] == 0
        assert [hand["opened"] for hand in deal.events[-1]["players"]] == ["melds", None, None]


class TestPenalties:
    def test_an_okey_discarded(self) -> None:
        deal = play(position("K12 R1 R2"), Discard(tile("K12")))
        assert deal.events == [{"event": "penalty", "by": 1, "reason": "okey_discarded"}]
        assert changes(deal) == [0, 101, 0, 0]

    @pytest.mark.parametrize(
        ("discard", "costs"), [("R10", True), ("B9", True), ("B13", True), ("R8", False), ("R9", False), ("K1", False), ("J", False)]
    )
    def test_a_discard_that_fits_a_group(self, discard: str, costs: bool) -> None:
        deal = play(opened("K1 K2", f"{discard} K3"), Draw(), Discard(tile(discard)))
        assert deal.events == [{"event": "penalty", "by": 2, "reason": "playable_discard"}] * costs

    def test_a_false_joker_that_fits_a_group_as_the_okeys_face(self) -> None:
        groups = "R11 R12 R13 | B10 B11 B12 | K9 K10 K11 | Y1 Y2 Y3"
        deal = play(position(tiles_of(groups) + " J K1 K2"), Lay(laid(groups)), Discard(tile("J")))
        assert deal.events[-1]["reason"] == "playable_discard"


def dealt_101(rng: random.Random, players: int, rules: Rules = RULES) -> Deal101:
    return Deal101(shuffle_and_deal(rng, players, informally=True, hand_size=21), rules)


def player_of(name: str, rng: random.Random) -> Player:
    return {"solver": opening_player, "random": random_player(rng)}[name]


SWITCHES = ("raising", "all_pairs_void", "false_joker_wild", "indicator_is_last_tile", "high_one")
house_rules = st.fixed_dictionaries({name: st.booleans() for name in SWITCHES})


def referee(seed: int, players: int, options: dict[str, bool], bots: str) -> Deal101:
    """A deal played under the eyes of a referee."""
    rng = random.Random(seed)
    deal = dealt_101(rng, players, with_options(RULES, options))
    Referee(deal).watch(player_of(bots, rng))
    return deal


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.integers(2, 4), house_rules, st.sampled_from(("solver", "random")))
def test_every_deal_stands_before_a_referee(seed: int, players: int, options: dict[str, bool], bots: str) -> None:
    referee(seed, players, options, bots)


@pytest.mark.slow
@pytest.mark.parametrize("bots", ["solver", "random"])
def test_thousands_of_deals_stand_before_a_referee(bots: str) -> None:
    compile_searches()
    rng = random.Random(bots)
    for _ in range(5000):
        options = {name: rng.random() < 0.5 for name in SWITCHES}
        referee(rng.randrange(2**32), rng.randint(2, 4), options, bots)


@settings(max_examples=20)
@given(st.integers(0, 2**32), st.sampled_from((1, 2, 4)), st.booleans())
def test_the_ledger_counts_as_one_counts_by_hand(seed: int, cap: int, partners: bool) -> None:
    rng = random.Random(seed)
    deal = dealt_101(rng, 4, with_options(RULES, {"factor_cap": cap, "partners": partners}))
    player = player_of(rng.choice(("solver", "random")), rng)
    while not deal.over:
        deal.play(player(deal))
    *penalties, end = deal.events
    wanted = scores_by_hand(end, cap, partners)
    for penalty in penalties:
        for number in {penalty["by"], (penalty["by"] + 2) % 4} if partners else {penalty["by"]}:
            wanted[number] += 101
    assert changes(deal) == wanted


def with_others_tiles_shuffled(deal: DealInPlay[Any], rng: random.Random) -> DealInPlay[Any]:
    """The deal as the player in turn sees it too: what the others hold and what is in the stock is another."""
    other = copy.copy(deal)
    hidden = [*deal.stock, *(one for seat, hand in enumerate(deal.hands) if seat != deal.turn for one in hand)]
    rng.shuffle(hidden)
    other.hands = [hand if seat == deal.turn else [hidden.pop() for _ in hand] for seat, hand in enumerate(deal.hands)]
    other.stock = hidden
    return other


@settings(max_examples=8)
@given(st.integers(0, 2**32), st.booleans())
def test_bots_move_alike_whatever_is_hidden_from_them(seed: int, opens: bool) -> None:
    rng = random.Random(seed)
    deal: DealInPlay[Any] = dealt_101(rng, 4) if opens else Deal(shuffle_and_deal(rng, 4, informally=True))
    player = opening_player if opens else solver_player
    while not deal.over:
        move = player(deal)
        assert player(with_others_tiles_shuffled(deal, rng)) == move
        deal.play(move)


def test_moves_are_those_that_are_not_refused() -> None:
    rng = random.Random(3)
    deal = dealt_101(rng, 3)
    for _ in range(12):
        allowed = deal.moves()
        for move in {Draw(), Take(), PutBack(), *map(Discard, WHOLE_SET)} - set(allowed):
            refusal(deal, move)
        deal.play(rng.choice(allowed))


class TestTheBot:
    def test_opens_as_soon_as_it_can_adds_what_fits_and_finishes(self) -> None:
        deal = position(tiles_of(OPENING) + " R10 B13 K2")
        while not deal.over:
            deal.play(opening_player(deal))
        assert ending(deal)["hand_finish"]

    def test_opens_with_the_tile_on_the_left(self) -> None:
        deal = play(position("R13 K1", tiles_of(OPENING).replace("R13", "K2") + " K3"), Discard(tile("R13")))
        assert opening_player(deal) == Take()
        deal.play(Take())
        assert tile("R13") in {one.tile for group in opening_player(deal).groups for one in group}

    def test_discards_neither_an_okey_nor_what_fits(self) -> None:
        deal = play(opened("K1 K2", "R10 K12 B9 Y4"), Draw())
        assert opening_player(deal).tile in {tile("Y4"), deal.hand[-1]}
