"""Ledgers and what they come to: every figure of the presets, every option, undo and correction, and what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant import ledger as module
from assistant.ledger import MOST_LINES, MOST_SOUGHT, Changeable, Ledger, LedgerError, Standing, play, read_ledger
from assistant.okey101 import Okey101Game
from assistant.reasons import Reason
from assistant.rules import PRESETS, OkeyScoring
from assistant.scoring import EventError
from assistant.table import table_of

NAMES = ["Ayşe", "Burak", "Cem", "Deniz"]


def ledger_of(rules: str, events: list[dict[str, Any]], players: int = 4, **options: object) -> Ledger:
    first = {"rules": rules, "players": NAMES[:players], "options": options}
    return read_ledger(json.dumps(line) for line in [first, *events])


def standing_of(rules: str, events: list[dict[str, Any]], players: int = 4, **options: object) -> Standing:
    return ledger_of(rules, events, players, **options).standing


def win(by: int, hand: str = "melds", okey_last: bool = False, colour: str | None = None, **more: object) -> dict[str, Any]:
    return {"event": "win", "by": by, "hand": hand, "okey_last": okey_last, "colour": colour, **more}


SHOWN, EXHAUSTED, UNDO = {"event": "indicator_shown", "by": 0}, {"event": "exhausted"}, {"event": "undo"}

# The table of the rules: preset, hand, okey last, what each of the others loses.
FIGURES = [
    *(("classic", "melds", False, 2), ("classic", "melds", True, 4), ("classic", "pairs", False, 4), ("classic", "pairs", True, 8)),
    *(("online", "melds", False, 2), ("online", "melds", True, 4), ("online", "pairs", False, 4), ("online", "pairs", True, 8)),
    *(("favorite", "melds", False, 2), ("favorite", "melds", True, 4), ("favorite", "pairs", False, 8), ("favorite", "pairs", True, 12)),
    *(("favorite", "run", False, 16), ("favorite", "run", True, 20)),
    *(("nostalji", "melds", False, 1), ("nostalji", "melds", True, 2), ("nostalji", "pairs", False, 2), ("nostalji", "pairs", True, 4)),
    *(("nostalji", "run", False, 20), ("nostalji", "run", True, 20)),
]


@pytest.mark.parametrize(("rules", "hand", "okey_last", "cost"), FIGURES)
def test_a_win_costs_the_others_what_the_preset_says(rules: str, hand: str, okey_last: bool, cost: int) -> None:
    standing = standing_of(rules, [win(1, hand, okey_last)])
    assert standing.scores == (20 - cost, 20, 20 - cost, 20 - cost)
    assert standing.history[0].change == (-cost, 0, -cost, -cost)
    assert standing.deals == 1


def test_nostalji_scores_a_hand_of_one_colour() -> None:
    assert standing_of("nostalji", [win(1, colour="R")]).scores == (12, 20, 12, 12)
    assert standing_of("nostalji", [win(1, okey_last=True, colour="Y")]).scores == (4, 20, 4, 4)
    assert standing_of("classic", [win(1, colour="R")]).scores == (18, 20, 18, 18)


def test_a_shown_indicator_and_an_exhausted_stock() -> None:
    assert standing_of("classic", [SHOWN, EXHAUSTED]).scores == (20, 19, 19, 19)
    assert standing_of("favorite", [EXHAUSTED]).scores == (19, 19, 19, 19)
    assert standing_of("favorite", [SHOWN], start=2).scores == (2, 2, 2, 2), "only who has 3 or more pays"
    assert standing_of("classic", [EXHAUSTED], exhausted_penalty=3).scores == (17, 17, 17, 17)


def test_an_indicator_is_shown_only_where_the_table_plays_so() -> None:
    with pytest.raises(LedgerError, match="line 2: this table plays without showing the indicator"):
        standing_of("classic", [SHOWN], with_indicator=False)


def test_partners_have_one_account_and_pay_once() -> None:
    standing = standing_of("classic", [SHOWN, win(1, "pairs")], partners=True)
    assert standing.scores == (16, 19, 16, 19)
    over = standing_of("classic", [win(0, okey_last=True)], partners=True, start=4)
    assert over.finished
    assert over.winners == (0, 2)


@pytest.mark.parametrize(
    ("doubles", "event", "cost"),
    [
        ("any", win(0, colour="B"), 4),
        ("any", win(0), 2),
        ("red_black", win(0, colour="K"), 4),
        ("red_black", win(0, colour="B"), 2),
        ("indicator", win(0, indicator="K11"), 4),
        ("indicator", win(0, indicator="Y11"), 2),
        ("indicator", win(0, colour="R", indicator="Y11"), 2),
    ],
)
def test_colours_double(doubles: str, event: dict[str, Any], cost: int) -> None:
    assert standing_of("classic", [event], colour_doubles=doubles).scores == (20, 20 - cost, 20 - cost, 20 - cost)


def test_the_indicators_colour_doubles_the_whole_deal_and_only_that() -> None:
    standing = standing_of("classic", [SHOWN, win(0, indicator="R3"), SHOWN], colour_doubles="indicator")
    assert [entry.change[1] for entry in standing.history] == [-2, -4, -1]


def test_the_indicators_colour_doubles_what_an_exhausted_stock_costs() -> None:
    red = {**EXHAUSTED, "indicator": "R3"}
    assert standing_of("favorite", [red], colour_doubles="indicator").scores == (18, 18, 18, 18)
    assert standing_of("favorite", [{**red, "indicator": "B3"}], colour_doubles="indicator").scores == (19, 19, 19, 19)


@pytest.mark.parametrize("hand", ["melds", "pairs", "run"])
@pytest.mark.parametrize(("cost", "okey_last"), [(8, 16), (600, 999)])
def test_an_okey_last_doubles_a_hand_for_which_the_table_sets_one_figure(hand: str, cost: int, okey_last: int) -> None:
    ledger = ledger_of("classic", [win(1, hand, True, colour="R")], one_colour=cost, run=cost)
    assert ledger.standing.scores[0] == 20 - okey_last
    assert table_of(ledger.table.to_json()) == ledger.table


@pytest.mark.parametrize(
    ("doubles", "colour", "cost"), [("any", None, 32), ("any", "B", 32), ("red_black", "K", 32), ("red_black", "B", 16)]
)
def test_a_one_colour_run_is_always_of_one_colour(doubles: str, colour: str | None, cost: int) -> None:
    assert standing_of("favorite", [win(0, "run", colour=colour)], start=40, colour_doubles=doubles).scores[1] == 40 - cost


def test_a_one_colour_run_without_its_colour_is_refused_where_that_decides() -> None:
    with pytest.raises(LedgerError, match="line 2: the colour of the one-colour run is missing"):
        standing_of("favorite", [win(0, "run")], colour_doubles="red_black")


def test_winners_are_the_two_highest_and_those_tied_share_the_place() -> None:
    events = [win(0, "pairs", True), win(0, "pairs", True), win(1), win(0)]
    standing = standing_of("classic", events)
    assert standing.scores == (18, 2, 0, 0)
    assert standing.winners == (0, 1)
    assert standing_of("nostalji", [win(2, "run")]).winners == (2,)
    tied = standing_of("classic", [win(0), win(1)], start=4)
    assert tied.scores == (2, 2, 0, 0)
    assert tied.winners == (0, 1)
    assert standing_of("classic", [win(0, "pairs", True)], start=8).winners == (0, 1, 2, 3), "three share the second place"
    assert standing_of("classic", [win(0, "pairs", True)], players=3, start=8).winners == (0,)


def test_with_elimination_the_last_one_wins() -> None:
    events = [win(0), win(1), win(0), win(0)]
    standing = standing_of("classic", events[:1], elimination=True, start=2)
    assert standing.finished
    assert standing.winners == (0,)
    standing = standing_of("classic", events[:2], elimination=True, start=4)
    assert (standing.scores, standing.finished) == ((2, 2, 0, 0), False)
    standing = standing_of("classic", events[:3], elimination=True, start=4)
    assert (standing.scores, standing.winners) == ((2, 0, 0, 0), (0,))
    with pytest.raises(LedgerError, match=r"line 4: player 2 has left"):
        standing_of("classic", [*events[:2], win(2)], elimination=True, start=4)


@pytest.mark.parametrize("elimination", [False, True])
def test_one_who_has_a_single_point_left_plays_on(elimination: bool) -> None:
    ledger = ledger_of("classic", [win(0)], elimination=elimination, start=3)
    assert (ledger.standing.scores, ledger.standing.finished) == ((3, 1, 1, 1), False)
    assert ledger.refusal(win(1)) is None


def test_who_left_earlier_wins_nothing_when_all_who_are_left_go_out_at_once() -> None:
    standing = standing_of("classic", [win(0), win(1), EXHAUSTED], players=3, elimination=True, start=4, exhausted_penalty=3)
    assert (standing.scores, standing.winners) == ((-1, -1, 0), (0, 1))


def deal(finisher: int | None, *hands: dict[str, Any], okey_last: bool = False, hand_finish: bool = False) -> dict[str, Any]:
    return {"event": "deal", "finisher": finisher, "okey_last": okey_last, "hand_finish": hand_finish, "players": list(hands)}


def opened(how: str | None, left: int = 0, okeys_left: int = 0) -> dict[str, Any]:
    return {"opened": how, "left": left, "okeys_left": okeys_left}


def test_101_scores_as_its_table() -> None:
    hands = (opened("melds", 23), opened(None), {"opened": "melds"}, opened("pairs", 40, 1))
    standing = standing_of("101", [deal(2, *hands), {"event": "penalty", "by": 0, "reason": "okey_discarded"}])
    assert standing.scores == (124, 202, -101, 181)
    assert standing.deals == 1


@pytest.mark.parametrize(
    ("how", "okey_last", "hand_finish", "options", "changes"),
    [
        ("melds", False, False, {}, (-101, 202)),
        ("melds", True, False, {}, (-202, 404)),
        ("pairs", False, False, {}, (-202, 404)),
        ("melds", False, True, {}, (-202, 404)),
        ("melds", True, True, {}, (-404, 808)),
        ("pairs", True, True, {}, (-404, 808)),
        ("pairs", True, True, {"factor_cap": 2}, (-202, 404)),
        ("melds", True, False, {"factor_cap": 1}, (-101, 202)),
    ],
)
def test_101_doubles_up_to_its_cap(how: str, okey_last: bool, hand_finish: bool, options: dict[str, int], changes: tuple[int, int]) -> None:
    hands = (opened(how), opened(None), opened(None), opened(None))
    standing = standing_of("101", [deal(0, *hands, okey_last=okey_last, hand_finish=hand_finish)], **options)
    assert standing.scores == (changes[0], changes[1], changes[1], changes[1])


def test_101_without_a_finisher_partners_and_void_deals() -> None:
    hands = (opened("pairs", 10), opened(None), opened("melds", 7, 1), opened("melds", 0))
    assert standing_of("101", [deal(None, *hands)]).scores == (20, 202, 108, 0)
    assert standing_of("101", [deal(3, *hands)], partners=True).scores == (128, -101, 128, -101), "the partner's tiles cost nothing"
    void = standing_of("101", [deal(0, *[opened("pairs", 9)] * 4)], all_pairs_void=True)
    assert (void.scores, void.deals) == ((0, 0, 0, 0), 0)
    both = standing_of("101", [deal(0, *[opened("pairs", 9)] * 4)], all_pairs_void=True, partners=True)
    assert (both.scores, both.deals) == ((0, 0, 0, 0), 0)
    with pytest.raises(LedgerError, match="line 2: 'finisher' must be the number of a player"):
        ledger_of("101", [deal(99, *[opened("pairs", 9)] * 4)], all_pairs_void=True)


@pytest.mark.parametrize("players", [2, 3])
def test_101_of_two_or_three_players_counts_though_all_open_with_pairs(players: int) -> None:
    counted = standing_of("101", [deal(0, *[opened("pairs", 9)] * players)], players=players, all_pairs_void=True)
    assert (counted.scores, counted.deals) == ((-202, 36, 36)[:players], 1)


@pytest.mark.parametrize(("left", "okey_last"), [((0, 2, 1), False), ((0, 1, 1), True), ((0, 2, 0), True)])
def test_101_has_two_okeys(left: tuple[int, int, int], okey_last: bool) -> None:
    hands = [opened("melds", 9, okeys) for okeys in left]
    with pytest.raises(LedgerError, match="line 2: 3 okeys are left in hands or discarded last: a set has 2"):
        ledger_of("101", [deal(0, *hands, okey_last=okey_last)], players=3)


KEPT = [
    ("101", {"factor_cap": 3}, deal(0, *[opened("pairs", 9), opened("melds", 9)], okey_last=True), (-303, 27)),
    ("101", {}, deal(0, opened("melds"), opened("melds", 9, 2), okey_last=True), (-202, 220)),
    ("nostalji", {"colour_doubles": "red_black"}, win(0, "run"), (20, 0)),
    ("classic", {"colour_doubles": "indicator"}, win(0, indicator="J"), (20, 18)),
]
"""What could be entered once and is refused today: the rules, their options, an event, and the accounts after it."""


@pytest.mark.parametrize(("rules", "options", "event", "scores"), KEPT)
def test_what_was_saved_while_it_was_allowed_counts_as_it_was_written(
    rules: str, options: dict[str, object], event: dict[str, Any], scores: tuple[int, ...]
) -> None:
    table = table_of({"rules": rules, "players": NAMES[:2], "options": options}, kept=True)
    kept = Ledger(table, {2: event})
    assert kept.standing.scores == scores
    with pytest.raises(LedgerError):
        ledger_of(rules, [event], players=2, **options)
    new = deal(0, *[opened("melds")] * 2) if rules == "101" else EXHAUSTED
    if not kept.standing.finished:
        kept.add(3, new)  # the game goes on, and may be corrected
    kept.add(4, {"event": "correct", "line": 2, "with": new})
    if not options.get("factor_cap"):
        with pytest.raises(EventError):
            kept.add(5, {"event": "correct", "line": 2, "with": event})
    kept.add(5, UNDO)
    assert kept.events[2] == event


def test_what_does_not_fit_into_a_saved_game_is_set_aside_until_it_does() -> None:
    pairs, melds = (deal(0, *[opened(how, 9)] * 3) for how in ("pairs", "melds"))
    table = table_of({"rules": "101", "players": NAMES[:3], "options": {"deals": 1, "all_pairs_void": True}})
    kept = Ledger(table, {2: pairs, 3: melds, 4: melds})  # as it was when the first deal of three players was void
    over = Reason("the game is over before it")
    assert (kept.standing.aside, kept.standing.scores) == ({3: over, 4: over}, (-202, 36, 36))
    kept.add(5, {"event": "undo", "line": 4})
    with pytest.raises(EventError, match="the game is over before it"):
        kept.add(6, {"event": "correct", "line": 3, "with": pairs})
    kept.add(6, {"event": "undo", "line": 2})
    assert (kept.standing.aside, kept.standing.scores) == ({}, (-101, 9, 9))
    assert Ledger(table, kept.lines).standing == kept.standing


def test_what_is_written_wrong_is_not_set_aside() -> None:
    with pytest.raises(EventError, match="no event of Okey is called 'dance'"):
        Ledger(table_of({"rules": "classic", "players": NAMES}), {2: {"event": "dance"}})


ALL_OPENED = [opened("melds", 9)] * 4


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (deal(1, *ALL_OPENED[1:]), "'players' must list 4 hands"),
        (deal(1, opened("melds"), opened(None), *ALL_OPENED[2:]), "player 1 finished without having opened"),
        (deal(None, *ALL_OPENED, okey_last=True), "nobody finished: 'okey_last' and 'hand_finish' must be false"),
        (deal(None, *ALL_OPENED, hand_finish=True), "nobody finished: 'okey_last' and 'hand_finish' must be false"),
        (deal(1, *ALL_OPENED, hand_finish=True), "'hand_finish' means that nobody else had opened"),
        (deal(1, {"opened": "melds"}, *ALL_OPENED[1:]), "'left' is missing"),
        (deal(1, opened("melds", 274), *ALL_OPENED[1:]), "'left' must be a whole number from 0 to 273, not 274"),
        (deal(1, opened("melds", 9, 3), *ALL_OPENED[1:]), "'okeys_left' must be a whole number from 0 to 2, not 3"),
        (deal(1, opened("runs", 9), *ALL_OPENED[1:]), "'opened' must be one of melds, pairs, null, not 'runs'"),
        ({"event": "penalty", "by": 0, "reason": "late"}, "'reason' must be one of okey_left"),
    ],
)
def test_a_line_that_breaks_the_rules_of_101_is_named(event: dict[str, Any], words: str) -> None:
    with pytest.raises(LedgerError, match=f"line 2: {words}"):
        standing_of("101", [event])


def test_101_with_one_okey_left_and_the_other_discarded_last() -> None:
    hands = [opened("melds"), opened("melds", 9, 1), opened("melds", 9)]
    assert standing_of("101", [deal(0, *hands, okey_last=True)], players=3).scores == (-202, 119, 18)


def test_101_ends_after_its_deals_and_the_lowest_wins() -> None:
    hands = (opened("melds", 5), opened("melds"), opened(None), opened(None))
    standing = standing_of("101", [deal(1, *hands)] * 3, deals=3)
    assert standing.finished
    assert standing.winners == (1,)
    with pytest.raises(LedgerError, match="line 5: the game is over"):
        standing_of("101", [deal(1, *hands)] * 4, deals=3)


def test_undo_and_correct_leave_their_lines_and_change_the_score() -> None:
    events = [SHOWN, win(1, "pairs", True), EXHAUSTED, UNDO, {"event": "correct", "line": 2, "with": {**SHOWN, "by": 3}}]
    standing = standing_of("classic", events)
    assert standing.scores == (11, 19, 11, 12)
    assert [entry.line for entry in standing.history] == [2, 3]
    assert standing_of("classic", [*events, UNDO]).scores == (12, 19, 11, 11), "a correction is taken back like any event"


def test_any_deal_can_be_taken_back_and_that_undone() -> None:
    one_taken_back = [win(0), win(1, "pairs"), win(2), {"event": "undo", "line": 3}]
    standing = standing_of("classic", one_taken_back)
    assert [(entry.line, entry.deal) for entry in standing.history] == [(2, 1), (4, 2)]
    assert standing.scores == (18, 16, 18, 16)
    assert standing_of("classic", [*one_taken_back, UNDO]).scores == (14, 16, 14, 12)


def test_why_a_line_cannot_be_changed_is_said() -> None:
    ledger = ledger_of("classic", [SHOWN, win(1), SHOWN, win(2), {"event": "undo", "line": 2}])
    assert ledger.changeable(3) == Changeable(None, None)
    assert str(ledger.changeable(2).take_back) == "line 2 was taken back: what happened can be entered anew"
    assert str(ledger.changeable(6).correct) == "line 6 is a change of another line: only that one can be changed again"
    assert str(ledger.changeable(7).correct) == "line 7 holds no event"
    shown_twice = ledger_of("classic", [SHOWN, win(1), SHOWN, win(2)])
    refused = shown_twice.changeable(3).take_back
    assert refused is not None and refused.reason is not None
    assert str(refused) == "with this, line 4 does not fit any more: the indicator was shown in this deal already, by player 0"
    assert refused.reason.values["line"] == 4


def test_the_events_in_force_are_gathered_once_until_one_is_added() -> None:
    ledger = ledger_of("classic", [win(1), win(2)])
    before = ledger.events
    assert ledger.events is before
    ledger.add(4, UNDO)
    assert (before, ledger.events) == ({2: win(1), 3: win(2)}, {2: win(1)})


def test_the_game_is_played_once_to_find_out_what_can_be_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger, played_on = ledger_of("classic", [SHOWN, win(1), SHOWN, win(2)]), []
    in_force = dict(ledger.events)

    def play_on(*given: Any, **named: Any) -> Any:
        played_on.append(given)
        assert ledger.events == in_force, "other threads may look at the ledger meanwhile"
        return unwatched(*given, **named)

    unwatched = module._play_on
    monkeypatch.setattr(module, "_play_on", play_on)
    first = [ledger.changeable(line) for line in ledger.lines]
    assert len(played_on) == 4
    assert [ledger.changeable(line) for line in ledger.lines] == first
    assert len(played_on) == 4
    ledger.add(6, {"event": "undo", "line": 4})
    in_force = dict(ledger.events)
    assert first[1].take_back is not None and ledger.changeable(3).take_back is None
    of_101 = ledger_of("101", [{"event": "penalty", "by": 0, "reason": "taken_back"}] * 4)
    played_on.clear()
    assert {of_101.changeable(line) for line in of_101.lines} == {Changeable(None, None)}
    assert not played_on


def test_two_deals_with_different_indicators_are_not_made_one() -> None:
    shown, won = {**SHOWN, "indicator": "R5"}, {**win(1), "indicator": "B5"}
    ledger = ledger_of("classic", [shown, EXHAUSTED, won, win(2)])
    with pytest.raises(EventError, match="line 4 does not fit any more: this deal has the indicator R5 already, not B5"):
        ledger.add(6, {"event": "undo", "line": 3})
    assert ledger.changeable(3).take_back is not None
    assert ledger.standing.deals == 3
    ledger.add(6, {"event": "undo", "line": 4})
    ledger.add(7, {"event": "undo", "line": 3})
    assert ledger.standing.deals == 1


def test_a_game_that_ended_by_mistake_goes_on_after_undo() -> None:
    assert not standing_of("classic", [win(0, okey_last=True), UNDO, win(0)], start=4).finished


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([win(4)], r"line 2: 'by' must be the number of a player, 0 to 3, not 4"),
        ([win(True)], "line 2: 'by'"),
        ([win([1, 2])], "line 2: 'by'"),  # type: ignore[arg-type]
        ([win(0, "flush")], "line 2: 'hand' must be one of melds, pairs, run"),
        ([win(0, "run")], "line 2: these rules do not score the one-colour run"),
        ([win(0, colour="G")], "line 2: 'colour' must be"),
        ([win(0, indicator="J")], "line 2: 'indicator' must be a tile with a number, not J"),
        ([{**win(0), "okey_last": 1}], "line 2: 'okey_last' must be true or false"),
        ([SHOWN, SHOWN], "line 3: the indicator was shown in this deal already"),
        ([win(0), win(1, deal=1)], "line 3: the event belongs to deal 1, but deal 2"),
        *(([win(0, deal=said)], f"line 2: 'deal' must be the number of a deal, not {said}") for said in (True, 1.0)),
        ([SHOWN, {"event": "correct", "line": 2, "with": {**SHOWN, "deal": True}}], "line 3: 'deal' must be the number of a deal"),
        ([{"event": "dance"}], "line 2: no event of Okey is called 'dance'"),
        ([UNDO], "line 2: there is nothing left to undo"),
        ([SHOWN, {"event": "correct", "line": 1, "with": SHOWN}], "line 3: 'line' must name an earlier event"),
        ([{"event": "undo", "line": 1}], "line 2: there is no earlier event that could be changed"),
        ([SHOWN, UNDO, {"event": "correct", "line": 2, "with": SHOWN}], "line 4: line 2 holds no event"),
        ([SHOWN, {"event": "correct", "line": 2, "with": UNDO}], "line 3: 'with' must be the event"),
        (
            [SHOWN, win(0), SHOWN, {"event": "correct", "line": 2, "with": {**SHOWN, "deal": 2}}],
            "line 5: line 2 belongs to deal 1, not 2",
        ),
        ([win(0, "pairs", True)] * 3 + [SHOWN], "line 5: the game is over: only undo and correct are left"),
        (
            [SHOWN, win(0), {"event": "correct", "line": 3, "with": SHOWN}],
            "line 4: the indicator was shown in this deal already, by player 0",
        ),
        (
            [SHOWN, win(0), SHOWN, {"event": "undo", "line": 3}],
            "line 5: with this, line 4 does not fit any more: the indicator was shown",
        ),
    ],
)
def test_a_line_that_breaks_the_rules_is_named(events: list[dict[str, Any]], words: str) -> None:
    with pytest.raises(LedgerError, match=words):
        standing_of("classic", events)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ({"rules": "poker", "players": NAMES}, "no rules are called 'poker'"),
        ({"rules": "classic", "players": NAMES[:1]}, "1 players are given"),
        ({"rules": "classic", "players": ["Ayşe", "Işıl", " AYŞE"]}, "two players are called 'Ayşe'"),
        ({"rules": "classic", "players": "Ayşe"}, "'players' must list the names"),
        *(({"rules": "classic", "players": ["Ayşe", nobody]}, "'players' must list the names") for nobody in (" ", 2)),
        ({"rules": "classic", "players": ["\ud800x", "Burak"]}, r"the name '\\ud800x' holds a character that cannot be shown"),
        ({"rules": "classic", "players": ["Ayşe", "Bu\0rak"]}, r"the name 'Bu\\x00rak' holds a character that cannot be shown"),
        ({"rules": "classic", "players": NAMES, "options": {"start": 0}}, "start must be a whole number from 1 to 999, not 0"),
        ({"rules": "online", "players": NAMES, "options": {"start": 22}}, "start must be a whole number from 5 to 21"),
        ({"rules": "classic", "players": NAMES, "options": {"partners": "yes"}}, "partners must be true or false"),
        ({"rules": "classic", "players": NAMES[:3], "options": {"partners": True}}, "partners need 4 players"),
        ({"rules": "classic", "players": NAMES, "options": {"players": 3}}, "4 names are given"),
        ({"rules": "classic", "players": NAMES, "options": {"joker": True}}, "classic has no option 'joker'"),
        ({"rules": "classic", "players": NAMES, "options": {"colour_doubles": "blue"}}, "colour_doubles must be one of"),
        ({"rules": "101", "players": NAMES, "options": {"factor_cap": 3}}, "factor_cap must be 1, 2 or 4, not 3"),
        ({"rules": "101", "players": NAMES, "options": {"factor_cap": True}}, "factor_cap must be 1, 2 or 4, not True"),
        ({"rules": "classic", "players": NAMES, "options": 0}, "the first line must be the table"),
        ({"players": NAMES}, "the first line must be the table"),
    ],
)
def test_a_table_that_cannot_be_is_refused(line: dict[str, Any], words: str) -> None:
    with pytest.raises(LedgerError, match=f"line 1: .*{words}"):
        read_ledger([json.dumps(line)])


def test_the_number_of_players_may_be_said_among_the_options() -> None:
    table = table_of({"rules": "classic", "players": NAMES, "options": {"players": 4, "start": 9}})
    assert table == table_of({"rules": "classic", "players": NAMES, "options": {"start": 9}})


def test_without_its_table_nothing_is_said_of_a_ledgers_other_lines() -> None:
    with pytest.raises(LedgerError) as refused:
        read_ledger([json.dumps({"rules": "poker", "players": NAMES}), json.dumps(SHOWN), "{]"])
    assert len(refused.value.problems) == 1


@pytest.mark.parametrize(
    ("table", "event", "words"),
    [
        ({"option": {"start": 10}}, win(0), "line 1: 'option' is not known here: write 'options'"),
        ({}, {"event": "win", "by": 0, "hand": "melds", "okeylast": True}, "line 2: 'okeylast' is not known here: write 'okey_last'"),
        ({"rules": "101"}, {"event": "deal", "players": [{"opened": None, "okey_left": 1}] * 4}, "line 2: 'okey_left' is not known"),
    ],
)
def test_a_slip_of_the_pen_is_refused(table: dict[str, Any], event: dict[str, Any], words: str) -> None:
    with pytest.raises(LedgerError, match=words):
        read_ledger(map(json.dumps, ({"rules": "classic", "players": NAMES, **table}, event)))


def test_what_another_program_adds_to_a_line_is_passed_over() -> None:
    assert standing_of("classic", [{**win(0), "at": "21:30", "note": "by Cem's phone", "dealer": 3}]).scores == (20, 18, 18, 18)


def test_a_deal_has_one_indicator() -> None:
    with pytest.raises(LedgerError, match="line 3: this deal has the indicator R5 already, not B5"):
        standing_of("classic", [{**SHOWN, "indicator": "R5"}, win(0, indicator="B5")], colour_doubles="indicator")
    assert standing_of("classic", [{**SHOWN, "indicator": "R5"}, win(0, indicator="R5"), win(1, indicator="B5")]).deals == 2


def test_a_wrong_indicator_of_a_deal_is_corrected_line_by_line() -> None:
    ledger = ledger_of(
        "classic", [{**SHOWN, "indicator": "B5"}, win(1, indicator="B5"), win(2, indicator="B5")], colour_doubles="indicator"
    )
    wrong = ledger.refusal({"event": "correct", "line": 2, "with": {**SHOWN, "indicator": "R5"}})
    assert str(wrong) == "this deal has the indicator B5 already, not R5"
    ledger.add(5, {"event": "correct", "line": 2, "with": SHOWN})
    ledger.add(6, {"event": "correct", "line": 3, "with": win(1, indicator="R5")})
    assert ledger.standing.scores == (14, 16, 14, 12), "the deal counts double with what was shown in it"


def test_a_line_that_says_a_thing_twice_is_refused() -> None:
    table = json.dumps({"rules": "classic", "players": NAMES})
    with pytest.raises(LedgerError, match="line 2: 'by' is given twice"):
        read_ledger([table, '{"event": "win", "by": 1, "hand": "melds", "by": 2}'])


def test_a_line_with_a_number_of_thousands_of_digits_is_named() -> None:
    lines = [json.dumps({"rules": "classic", "players": NAMES}), '{"event": "win", "by": ' + "1" * 5000 + "}"]
    with pytest.raises(LedgerError, match="line 2 is no JSON object: "):
        read_ledger(lines)


def test_a_new_line_is_played_alone_however_many_stand_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    played, apply = [], Okey101Game.apply

    def counted(game: Okey101Game, event: dict[str, Any]) -> bool:
        played.append(event)
        return apply(game, event)

    monkeypatch.setattr(Okey101Game, "apply", counted)
    fault = {"event": "penalty", "by": 0, "reason": "taken_back"}
    assert standing_of("101", [fault] * 300).scores == (300 * 101, 0, 0, 0)
    assert len(played) <= 2 * 300


def test_a_ledger_of_too_many_lines_is_refused_unread() -> None:
    longest = [json.dumps({"rules": "classic", "players": NAMES}), *[json.dumps(EXHAUSTED)] * (MOST_LINES - 1)]
    assert read_ledger(longest).standing.deals == MOST_LINES - 1
    with pytest.raises(LedgerError, match=rf"^the ledger has more than {MOST_LINES} lines: begin a new table for what follows$"):
        read_ledger([*longest, "{]"])


@pytest.mark.parametrize(("bad", "more"), [(90, "and 85 more"), (MOST_SOUGHT, "and at least 95 more"), (1000, "and at least 95 more")])
def test_of_many_bad_lines_the_first_hundred_are_named(bad: int, more: str) -> None:
    with pytest.raises(LedgerError, match=f"; {more}$") as refused:
        standing_of("classic", [{"event": "dance"}] * bad)
    assert len(refused.value.problems) == min(bad, MOST_SOUGHT)


LONG = "x" * 10_000
TABLE = {"rules": "classic", "players": NAMES}


@pytest.mark.parametrize(
    "lines",
    [
        [{**TABLE, "rules": LONG}],
        [{**TABLE, "players": [LONG, LONG]}],
        [{**TABLE, "players": ["\x1b" + LONG, "Burak"]}],
        [{**TABLE, "first_dealer": LONG}],
        *([{**TABLE, "options": options}] for options in ({LONG: 1}, {"start": LONG}, {"partners": LONG}, {"colour_doubles": LONG})),
        *([{**TABLE, "options": {"players": LONG}}], [TABLE, LONG], [TABLE, {"event": LONG}], [TABLE, {"event": "win", "by": LONG}]),
        *([TABLE, {**win(0), name: LONG}] for name in ("hand", "okey_last", "colour", "indicator", "deal")),
        [TABLE, SHOWN, {"event": "undo", "line": LONG}],
        [{**TABLE, "rules": "101"}, {"event": LONG}],
        [{**TABLE, "rules": "101"}, {"event": "deal", "players": [{"opened": None, "left": LONG}] * 4}],
    ],
)
def test_long_input_is_not_said_back_at_full_length(lines: list[Any]) -> None:
    with pytest.raises(LedgerError) as refused:
        read_ledger(map(json.dumps, lines))
    assert len(str(refused.value)) < 500


def test_what_is_no_json_object_is_quoted_without_what_steers_a_terminal() -> None:
    with pytest.raises(LedgerError, match=r"^line 2 is no JSON object: '\{\\x1b\[2J\\x07'$"):
        read_ledger([json.dumps(TABLE), "{\x1b[2J\x07\n"])
    with pytest.raises(LedgerError, match=r"^line 2 is no JSON object: .{60}…$"):
        read_ledger([json.dumps(TABLE), "{" * 10_000])


def test_a_correction_may_name_the_deal_that_its_line_belongs_to() -> None:
    events = [win(0), SHOWN, win(1), {"event": "correct", "line": 3, "with": {**SHOWN, "by": 2, "deal": 2}}]
    assert standing_of("classic", events).scores == (17, 17, 16, 15)


def test_a_deal_of_null_is_not_given() -> None:
    events = [win(0, deal=None), SHOWN, {"event": "correct", "line": 3, "with": {**SHOWN, "by": 2, "deal": None}}]
    assert standing_of("classic", events).scores == (19, 17, 18, 17)


def test_the_command_prints_the_contracts_object_or_one_sentence(tmp_path: Path) -> None:
    def score(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "assistant", "score", *arguments], capture_output=True, text=True, check=False)

    path = tmp_path / "masa.jsonl"
    lines = [{"rules": "classic", "players": NAMES}, SHOWN, win(1, "pairs", True)]
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), encoding="utf-8")
    done = score(str(path), "--json")
    assert done.returncode == 0
    answer = json.loads(done.stdout)
    assert answer["scores"] == [12, 19, 11, 11]
    assert answer["history"][1] == {"line": 3, "change": [-8, 0, -8, -8], "scores": [12, 19, 11, 11]}
    assert (answer["finished"], answer["winners"], answer["deals"]) == (False, [], 1)
    assert "Ayşe: 12" in score(str(path)).stdout
    for text, words in (("", "line 1 is missing"), ("{]", "line 1 is no JSON object"), ("[1]", "line 1: a line must be")):
        path.write_text(text)
        done = score(str(path), "--json")
        assert done.returncode == 2
        assert done.stdout == ""
        assert words in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert score(str(tmp_path / "none.jsonl")).returncode == 2


EVENTS = st.one_of(
    st.builds(lambda by: {**SHOWN, "by": by}, st.integers(0, 3)),
    st.builds(win, st.integers(0, 3), st.sampled_from(["melds", "pairs", "run"]), st.booleans(), st.sampled_from([None, "R", "B"])),
    st.just(EXHAUSTED),
)
TABLES = st.builds(
    lambda rules, options: {"rules": rules, "players": NAMES, "options": options},
    st.sampled_from([name for name, rules in PRESETS.items() if isinstance(rules.scoring, OkeyScoring)]),
    st.fixed_dictionaries({}, optional={"partners": st.booleans(), "elimination": st.booleans(), "start": st.integers(5, 21)}),
)


def played(table: dict[str, Any], events: list[dict[str, Any]]) -> tuple[Ledger, int]:
    """A ledger with those of the events that the rules allow, and the number of its last line."""
    ledger, line = Ledger(table_of(table)), 1
    for event in events:
        try:
            ledger.add(line + 1, event)
        except EventError:
            continue
        line += 1
    return ledger, line


@settings(max_examples=150)
@given(TABLES, st.lists(EVENTS, max_size=25))
def test_accounts_agree_with_their_history(table: dict[str, Any], events: list[dict[str, Any]]) -> None:
    ledger, _ = played(table, events)
    standing = ledger.standing
    start = ledger.table.rules.scoring.start  # type: ignore[union-attr]
    sums = [start + sum(entry.change[number] for entry in standing.history) for number in range(4)]
    assert list(standing.scores) == sums
    assert all(change <= 0 for entry in standing.history for change in entry.change)
    assert bool(standing.winners) == standing.finished
    if ledger.table.rules.scoring.partners:
        assert standing.scores[:2] == standing.scores[2:]


@settings(max_examples=100)
@given(TABLES, st.lists(EVENTS, max_size=15))
def test_undone_and_done_again_is_as_before(table: dict[str, Any], events: list[dict[str, Any]]) -> None:
    ledger, line = played(table, events)
    standing, last = ledger.standing, ledger.events.get(line)
    if last is None:
        return
    ledger.add(line + 1, UNDO)
    ledger.add(line + 2, last)
    again = ledger.standing
    assert (again.scores, again.winners, again.deals) == (standing.scores, standing.winners, standing.deals)
    assert [entry.change for entry in again.history] == [entry.change for entry in standing.history]


@settings(max_examples=100)
@given(TABLES, st.lists(EVENTS, max_size=12), st.lists(st.integers(0, 20), max_size=4))
def test_a_ledger_read_at_once_is_as_one_written_line_by_line(
    table: dict[str, Any], events: list[dict[str, Any]], changed: list[int]
) -> None:
    changes = [{"event": "undo", "line": line} if line % 2 else {"event": "correct", "line": line, "with": EXHAUSTED} for line in changed]
    ledger, line = played(table, [*events, *changes, UNDO])
    at_once = Ledger(ledger.table, ledger.lines)
    assert (at_once.standing, at_once.events, at_once.lines) == (ledger.standing, ledger.events, ledger.lines)
    assert str(at_once.refusal(UNDO)) == str(ledger.refusal(UNDO))
    assert table_of(ledger.table.to_json()) == ledger.table
    assert line == 1 + len(ledger.lines)


@settings(max_examples=100)
@given(TABLES, st.lists(EVENTS, max_size=12), st.lists(st.integers(2, 14), max_size=3))
def test_what_can_be_changed_now_is_said_beforehand(table: dict[str, Any], events: list[dict[str, Any]], taken_back: list[int]) -> None:
    ledger, line = played(table, [*events, *({"event": "undo", "line": at} for at in taken_back)])
    for at in ledger.lines:
        can = ledger.changeable(at)
        assert (can.correct is None) == (at in ledger.events)
        for change, why in (({"event": "undo", "line": at}, can.take_back), ({"event": "correct", "line": at, "with": EXHAUSTED}, None)):
            again, why = Ledger(ledger.table, ledger.lines), why or ledger.refusal(change)
            if why is None:
                again.add(line + 1, change)
            else:
                with pytest.raises(EventError):
                    again.add(line + 1, change)
                assert str(why)


DEALS = st.builds(win, st.integers(0, 3), st.sampled_from(["melds", "pairs"]), st.booleans())
PENALTIES = st.builds(
    lambda by, reason: {"event": "penalty", "by": by, "reason": reason},
    st.integers(0, 3),
    st.sampled_from(["okey_discarded", "taken_back"]),
)
HANDS = st.builds(lambda how, left: opened(how, left), st.sampled_from(["melds", "pairs", None]), st.integers(0, 99))


CHANGES = st.one_of(
    st.just(UNDO),
    st.builds(lambda line: {"event": "undo", "line": line}, st.integers(2, 20)),
    st.builds(lambda line, new: {"event": "correct", "line": line, "with": new}, st.integers(2, 20), st.one_of(DEALS, PENALTIES)),
)


@settings(max_examples=200)
@given(
    st.sampled_from([("classic", {}), ("classic", {"start": 3, "elimination": True}), ("101", {"all_pairs_void": True})]),
    st.lists(st.one_of(DEALS, PENALTIES, st.just(SHOWN), HANDS.map(lambda hand: deal(None, *[hand] * 4)), CHANGES), max_size=20),
)
def test_a_line_changes_the_standing_as_if_all_were_played_again(rules: tuple[str, dict[str, Any]], events: list[dict[str, Any]]) -> None:
    preset, options = rules
    ledger, _ = played({"rules": preset, "players": NAMES, "options": options}, events)
    again = Ledger(ledger.table)
    for line, event in ledger.lines.items():
        again.add(line, event)
        assert again.standing == play(ledger.table, again.events)


@settings(max_examples=200)
@given(
    st.sampled_from([("favorite", {"start": 5}), ("classic", {"colour_doubles": "indicator"}), ("101", {"all_pairs_void": True})]),
    st.lists(
        st.one_of(
            *(DEALS, PENALTIES, CHANGES, st.just(SHOWN), st.just(win(1, indicator="R3")), st.just({"event": "dance"})),
            HANDS.map(lambda hand: deal(None, *[hand] * 4)),
        ),
        max_size=20,
    ),
    st.integers(2, 21),
)
def test_what_is_refused_or_asked_about_on_the_way_leaves_no_trace(
    rules: tuple[str, dict[str, Any]], events: list[dict[str, Any]], asked: int
) -> None:
    preset, options = rules
    ledger = Ledger(table_of({"rules": preset, "players": NAMES, "options": options}))
    for event in events:
        line = max(ledger.lines, default=1) + 1
        before = (ledger.standing, ledger.events, dict(ledger.lines))
        refused = ledger.refusal(event)
        ledger.changeable(asked)
        assert (ledger.standing, ledger.events, ledger.lines) == before
        try:
            ledger.add(line, event)
        except EventError as error:
            assert str(error) == str(refused)
            assert (ledger.standing, ledger.events, ledger.lines) == before
        else:
            assert refused is None
        at_once = Ledger(ledger.table, ledger.lines)
        assert at_once.standing == ledger.standing == play(ledger.table, ledger.events)
        assert list(at_once.events.items()) == list(ledger.events.items())


@settings(max_examples=60)
@given(st.sampled_from(["classic", "nostalji"]), st.booleans(), st.lists(DEALS, max_size=8), st.randoms())
def test_the_order_of_deals_does_not_matter_while_nobody_is_out(
    rules: str, partners: bool, deals: list[dict[str, Any]], chance: Random
) -> None:
    shuffled = chance.sample(deals, len(deals))
    first, second = (standing_of(rules, order, start=999, partners=partners).scores for order in (deals, shuffled))
    assert first == second


@settings(max_examples=60)
@given(st.lists(st.one_of(PENALTIES, st.builds(lambda hands: deal(None, *hands), st.tuples(*[HANDS] * 4))), max_size=8), st.randoms())
def test_the_order_of_penalties_and_deals_of_101_does_not_matter(events: list[dict[str, Any]], chance: Random) -> None:
    shuffled = chance.sample(events, len(events))
    first, second = (standing_of("101", order) for order in (events, shuffled))
    assert (first.scores, first.deals) == (second.scores, second.deals)
    sums = [sum(entry.change[seat] for entry in first.history) for seat in range(4)]
    assert list(first.scores) == sums


@settings(max_examples=100)
@given(TABLES, st.lists(EVENTS, max_size=15), EVENTS)
def test_undo_gives_back_what_was(table: dict[str, Any], events: list[dict[str, Any]], last: dict[str, Any]) -> None:
    ledger, line = played(table, events)
    standings = [ledger.standing]
    for event in (last, {"event": "correct", "line": 2, "with": last}):
        try:
            ledger.add(line + 1, event)
        except EventError:
            assert ledger.standing == standings[-1], "what is refused changes nothing"
            continue
        line += 1
        standings.append(ledger.standing)
    for before in reversed(standings[:-1]):
        line += 1
        ledger.add(line, UNDO)
        assert ledger.standing == before


@settings(max_examples=100)
@given(TABLES, st.lists(EVENTS, min_size=1, max_size=15), st.integers(0, 14), EVENTS)
def test_a_corrected_ledger_scores_as_one_written_right(
    table: dict[str, Any], events: list[dict[str, Any]], at: int, right: dict[str, Any]
) -> None:
    ledger, line = played(table, events)
    kept = [event for _, event in sorted(ledger.events.items())]
    if at >= len(kept):
        return
    try:
        ledger.add(line + 1, {"event": "correct", "line": at + 2, "with": right})
    except EventError:
        return
    fresh, _ = played(table, [*kept[:at], right, *kept[at + 1 :]])
    assert fresh.standing == ledger.standing
