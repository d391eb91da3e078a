"""Players over many evenings: what is counted, for whom, and what luck is measured against."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, datetime
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.history import Game, PlayerHistory, Tally, game_tallies, histories
from assistant.ledger import Ledger, read_ledger
from assistant.scoring import EventError
from assistant.table import Table, same_person, table_of

EVENING = datetime(2026, 3, 14, 20, 30)
SHOWN_BY_0, EXHAUSTED = {"event": "indicator_shown", "by": 0}, {"event": "exhausted"}


def game(
    *events: dict[str, Any], rules: str = "classic", players: str = "Ayşe Burak Cem Deniz", begun: datetime = EVENING, **options: Any
) -> Game:
    table = {"rules": rules, "players": players.split(), "options": options}
    return Game(read_ledger(json.dumps(line) for line in [table, *events]), begun)


def win(by: int, hand: str = "melds", okey_last: bool = False) -> dict[str, Any]:
    return {"event": "win", "by": by, "hand": hand, "okey_last": okey_last}


def finish(by: int | None, *opened: str | None, **more: bool) -> dict[str, Any]:
    return {"event": "deal", "finisher": by, "players": [{"opened": how, "left": 10} for how in opened], **more}


def of(name: str, *games: Game) -> PlayerHistory:
    return next(player for player in histories(games) if player.name == name)


def test_wins_pairs_okey_finishes_and_indicators_are_counted() -> None:
    played = game(SHOWN_BY_0, win(1, "pairs"), win(1, okey_last=True), win(2), EXHAUSTED)
    burak = of("Burak", played).okey
    assert (burak.deals, burak.deals_won, burak.pairs, burak.okey_last) == (4, 2, 1, 1)
    assert of("Ayşe", played).okey.indicators == 1
    assert burak.games == 0, "the game goes on"


def test_what_was_undone_or_corrected_does_not_count() -> None:
    played = game(win(1, "pairs"), {"event": "correct", "line": 2, "with": win(2)}, win(3), {"event": "undo"})
    assert [tally.deals_won for tally in game_tallies(played)] == [0, 0, 1, 0]
    assert [tally.deals for tally in game_tallies(played)] == [1] * 4


def test_a_deal_counts_when_it_is_over() -> None:
    assert game_tallies(game(SHOWN_BY_0)) == [Tally()] * 4
    ended = game(SHOWN_BY_0, start=1)
    assert ended.ledger.standing.finished, "showing the indicator brought the others to 0"
    assert [(tally.deals, tally.games, tally.indicators) for tally in game_tallies(ended)] == [(1, 1, 1), (1, 1, 0), (1, 1, 0), (1, 1, 0)]


def test_the_twin_is_one_of_the_105_other_tiles() -> None:
    """Whoever begins is dealt 15 tiles: in the first deal the player to the dealer's right, then the next."""
    assert [tally.indicators_expected for tally in game_tallies(game(EXHAUSTED))] == [Fraction(n, 105) for n in (14, 15, 14, 14)]
    assert [tally.indicators_expected for tally in game_tallies(game(EXHAUSTED, EXHAUSTED))] == [Fraction(n, 105) for n in (28, 29, 29, 28)]
    assert [tally.indicators_expected for tally in game_tallies(game(EXHAUSTED, with_indicator=False))] == [0] * 4


def test_luck_is_the_indicators_shown_beyond_those_expected() -> None:
    ayse = of("Ayşe", game(SHOWN_BY_0, EXHAUSTED)).okey
    assert ayse.indicator_luck == 1 - Fraction(14, 105)


def test_one_who_has_left_is_dealt_no_more_tiles() -> None:
    shown_by_1 = {"event": "indicator_shown", "by": 1}
    played = game(win(1), shown_by_1, win(0), EXHAUSTED, start=5, elimination=True)
    assert played.ledger.standing.scores == (2, 3, 0, 0)
    assert [tally.deals for tally in game_tallies(played)] == [3, 3, 2, 2]
    assert [tally.indicators_expected * 105 for tally in game_tallies(played)] == [14 * 3, 15 + 14 + 15, 14 + 15, 14 * 2]


def test_the_figures_of_101() -> None:
    played = game(
        finish(0, "pairs", "melds", None, "melds", okey_last=True),
        {"event": "penalty", "by": 3, "reason": "okey_discarded"},
        finish(1, None, "melds", None, None, hand_finish=True),
        finish(None, None, "melds", None, None),
        rules="101",
        deals=3,
    )
    ayse, burak, _, deniz = game_tallies(played)
    assert ayse == Tally(games=1, deals=3, deals_won=1, pairs=1, okey_last=1, not_opened=2)
    assert burak == Tally(games=1, games_won=1, deals=3, deals_won=1, in_one_turn=1)
    assert (deniz.penalties, deniz.not_opened) == (1, 2)


def test_a_penalty_after_the_last_deal_counts() -> None:
    played = game(finish(0, *["melds"] * 4), {"event": "penalty", "by": 1, "reason": "taken_back"}, rules="101")
    assert [tally.penalties for tally in game_tallies(played)] == [0, 1, 0, 0]


def test_a_void_deal_of_101_counts_for_nobody() -> None:
    played = game(finish(0, *["pairs"] * 4), finish(1, *["melds"] * 4), rules="101", all_pairs_void=True)
    assert [(tally.deals, tally.deals_won) for tally in game_tallies(played)] == [(1, 0), (1, 1), (1, 0), (1, 0)]


def test_okey_and_101_stand_apart() -> None:
    both = of("Ayşe", game(win(0), win(0)), game(finish(0, *["melds"] * 4), rules="101"))
    assert (both.okey.deals_won, both.okey101.deals_won) == (2, 1)
    assert both.evenings == {date(2026, 3, 14): 3}


def test_an_evening_that_is_brought_from_a_file_again_counts_once() -> None:
    later = datetime(2026, 4, 1, 20, 30)
    played = game(win(1), {"event": "correct", "line": 2, "with": win(2)}, EXHAUSTED, win(0))
    brought = replace(game(win(2), EXHAUSTED, win(0), begun=later), from_file=True)
    played_on = replace(game(win(2), EXHAUSTED, win(0), win(2), begun=later), from_file=True)
    for games, won in (((played, brought), 1), ((brought, played), 1), ((played, played_on, brought), 2), ((brought, played_on), 2)):
        assert of("Cem", *games).okey.deals_won == won
        assert of("Cem", *games).evenings == {min(one.evening for one in games): won}


def test_games_that_only_begin_alike_are_two() -> None:
    brought = replace(game(win(1), EXHAUSTED), from_file=True)
    for other in (game(win(1), win(2)), game(win(1), start=10), game(win(1), players="Ayşe Burak Cem Ece")):
        assert of("Burak", brought, other).okey.deals_won == 2
    assert of("Burak", game(win(1)), game(win(1), EXHAUSTED)).okey.deals_won == 2, "neither came from a file"
    next_week = game(win(1), begun=datetime(2026, 4, 8, 20, 30))
    assert of("Burak", brought, next_week).okey.deals_won == 2, "what was begun after the file was read is not in it"
    begun = game(begun=datetime(2026, 1, 1))
    assert set(of("Burak", begun, brought).evenings) == {EVENING.date()}, "an empty table is nobody's evening"


def test_only_games_of_the_same_table_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    evenings = [replace(game(win(1), players=f"Ayşe Burak Cem {name}"), from_file=True) for name in "DEFGHIJK"]
    monkeypatch.setattr(Table, "__eq__", lambda *_: pytest.fail("two of the tables were compared"))
    assert of("Burak", *evenings).okey.deals_won == 8


@pytest.mark.parametrize("one, other", [("Işıl Su", "IŞIL  su"), ("İpek", "ipek"), ("ipek", "IPEK"), ("Жълт", "ЖЪЛТ"), (" Ali ", "ALİ")])
def test_a_name_is_the_same_however_it_is_written(one: str, other: str) -> None:
    assert same_person(one) == same_person(other)


def test_names_that_differ_are_two_people() -> None:
    assert same_person("Can") != same_person("Çan")


def test_a_player_is_called_as_written_last_and_evenings_end_at_six() -> None:
    early, late = (
        game(win(0), players="ayşe Burak", begun=datetime(2026, 3, 15, 1, 0)),
        game(win(1), EXHAUSTED, players="AYŞE Can", begun=datetime(2026, 3, 15, 19, 0)),
    )
    assert [player.name for player in histories([late, early])] == ["AYŞE", "Can", "Burak"]
    assert of("AYŞE", late, early).evenings == {date(2026, 3, 14): 1, date(2026, 3, 15): 0}


def test_players_stand_as_their_letters_do_in_the_turkish_alphabet() -> None:
    everyone = game(EXHAUSTED, players="Zeki Çetin Şule Su"), game(EXHAUSTED, players="Cüneyt İpek Dursun Can")
    assert [player.name for player in histories(everyone)] == ["Can", "Cüneyt", "Çetin", "Dursun", "İpek", "Su", "Şule", "Zeki"]


EVENTS = st.one_of(
    st.builds(win, st.integers(0, 3), st.sampled_from(["melds", "pairs"]), st.booleans()),
    st.builds(lambda by: {"event": "indicator_shown", "by": by}, st.integers(0, 3)),
    st.just(EXHAUSTED),
    st.just({"event": "undo"}),
)


@st.composite
def played_games(draw: st.DrawFn) -> Game:
    """A game of whatever the rules allow of some events; names of two tables overlap."""
    names = draw(
        st.permutations(["Ayşe", "BURAK", "Cem", "Deniz", "ayşe ", "Burak"]).filter(lambda names: len({*map(same_person, names[:4])}) == 4)
    )
    table = {
        "rules": "classic",
        "players": list(names[:4]),
        "options": {"elimination": draw(st.booleans())},
        "first_dealer": draw(st.integers(0, 3)),
    }
    ledger = Ledger(table_of(table))
    for line, event in enumerate(draw(st.lists(EVENTS, max_size=15)), start=2):
        try:
            ledger.add(line, event)
        except EventError:
            continue
    return Game(ledger, draw(st.datetimes(datetime(2026, 1, 1), datetime(2026, 2, 1))))


@given(st.lists(played_games(), max_size=4))
def test_the_sums_over_players_are_those_of_the_ledgers(games: list[Game]) -> None:
    total = sum((player.okey for player in histories(games)), Tally())
    over = [
        [
            event
            for line, event in game.ledger.events.items()
            if entry_deal(game, line) <= game.ledger.standing.deals or game.ledger.standing.finished
        ]
        for game in games
    ]
    events = [event for ledger in over for event in ledger]
    wins = [event for event in events if event["event"] == "win"]
    assert total.deals_won == len(wins)
    assert total.pairs == sum(event["hand"] == "pairs" for event in wins)
    assert total.okey_last == sum(event["okey_last"] for event in wins)
    assert total.indicators == sum(event["event"] == "indicator_shown" for event in events)
    assert total.games == 4 * sum(game.ledger.standing.finished for game in games)
    assert total.games_won == sum(len(game.ledger.standing.winners) for game in games)
    assert sum(sum(player.evenings.values()) for player in histories(games)) == len(wins)


@given(played_games())
def test_of_four_at_a_table_57_of_105_tiles_are_dealt(game: Game) -> None:
    if not game.ledger.table.rules.scoring.elimination:
        deals = game_tallies(game)[0].deals
        assert sum(tally.indicators_expected for tally in game_tallies(game)) == deals * Fraction(57, 105)


def entry_deal(game: Game, line: int) -> int:
    """The deal that the event of a line belongs to."""
    return next(entry.deal for entry in game.ledger.standing.history if entry.line == line)
