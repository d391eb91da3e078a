"""What the score's pages compute from a ledger: who deals, what became of every line, what a deal would cost."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from assistant.dashboard import score_texts as texts
from assistant.dashboard.language import speaking
from assistant.dashboard.score_drawing import history_html, scoreboard_html
from assistant.dashboard.score_view import as_csv, change_by, course, dealer, last_change, refused, rows, unusable
from assistant.exchange import read_table, to_csv
from assistant.ledger import LedgerError
from assistant.rules import CLASSIC, PRESETS, with_options
from assistant.scoring import EventError
from assistant.seats import next_game_dealer, seat_after
from assistant.store import SavedTable, Store
from tests.assistant.tables import saved_earlier

NAMES = ("Ayşe", "Burak", "Cem", "Deniz")
SHOWN, EXHAUSTED, UNDO = {"event": "indicator_shown", "by": 0}, {"event": "exhausted"}, {"event": "undo"}


def win(by: int, hand: str = "melds", **more: object) -> dict[str, Any]:
    return {"event": "win", "by": by, "hand": hand, **more}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path / 'tables.db'}")


def saved(store: Store, *events: dict[str, Any], rules: str = "classic", first_dealer: int = 0, **options: object) -> SavedTable:
    table, _ = store.new_table(NAMES, rules, options, first_dealer)
    for number, event in enumerate(events):
        store.add(table, event, str(number))
    return store.table(table)


def test_the_deal_passes_to_the_right_once_a_deal_is_over(store: Store) -> None:
    assert dealer(saved(store, SHOWN, first_dealer=3)) == 3
    assert dealer(saved(store, SHOWN, win(2), EXHAUSTED, first_dealer=3)) == 1
    assert dealer(saved(store, win(2), win(1), UNDO)) == 1


def test_who_has_left_does_not_deal(store: Store) -> None:
    table = saved(store, SHOWN, win(2), elimination=True, start=3)
    assert table.ledger.standing.scores == (1, 0, 2, 0)
    assert dealer(table) == 2
    assert seat_after(table.ledger.table, table.ledger.standing.scores, 2) == 0


@pytest.mark.parametrize(
    ("events", "options", "deals_first"),
    [
        ([win(2)], {"start": 2}, 1),  # who has nothing left deals all the same, as everybody plays again
        ([win(2), win(2)], {"start": 4}, 2),
        ([SHOWN, win(2), SHOWN], {"start": 4}, 2),  # the last deal, Burak's, was cut short
        ([SHOWN], {"start": 1}, 1),
    ],
)
def test_the_next_game_is_dealt_by_who_sits_right_of_the_last_dealer(
    store: Store, events: list[dict[str, Any]], options: dict[str, int], deals_first: int
) -> None:
    ended = saved(store, *events, **options)
    assert ended.ledger.standing.finished
    assert next_game_dealer(ended.ledger.table, ended.ledger.standing) == deals_first


def test_a_fault_after_the_last_deal_of_an_open_game_of_101_begins_no_deal(store: Store) -> None:
    hands = [{"opened": "melds", "left": 0} for _ in NAMES]
    fault = {"event": "penalty", "by": 0, "reason": "taken_back"}
    played = saved(store, {"event": "deal", "finisher": 0, "players": hands}, fault, rules="101")
    assert next_game_dealer(played.ledger.table, played.ledger.standing) == 1


def test_a_void_deal_of_101_is_dealt_again_by_the_same(store: Store) -> None:
    hands = [{"opened": "pairs", "left": 0} for _ in NAMES]
    void = {"event": "deal", "finisher": 0, "players": hands}
    assert dealer(saved(store, void, rules="101", all_pairs_void=True)) == 0
    assert dealer(saved(store, void, rules="101")) == 1


def test_every_line_says_what_became_of_it(store: Store) -> None:
    table = saved(store, SHOWN, win(1), {"event": "correct", "line": 3, "with": win(2)}, EXHAUSTED, {"event": "undo", "line": 2})
    exhausted, won, shown = rows(table)
    assert (exhausted.line, exhausted.deal, exhausted.change) == (5, 2, (0, 0, 0, 0))
    assert (won.deal, won.event, won.before, won.scores) == (1, win(2), (win(1),), (18, 18, 20, 18))
    assert (shown.deal, shown.event, shown.before) == (None, None, (SHOWN,))


def test_the_course_and_the_last_change_go_by_deals(store: Store) -> None:
    table = saved(store, SHOWN, win(1), EXHAUSTED)
    assert course(table) == [(20, 20, 20, 20), (18, 19, 17, 17), (18, 19, 17, 17)]
    assert course(saved(store, win(1), SHOWN)) == [(20, 20, 20, 20), (18, 20, 18, 18)]  # the second deal is going on
    assert course(saved(store, SHOWN, start=1)) == [(1, 1, 1, 1), (1, 0, 0, 0)]  # the first ended the game
    assert last_change(saved(store, SHOWN, win(1))) == (-2, -1, -3, -3)
    assert last_change(saved(store)) == ()


def test_what_a_deal_would_change(store: Store) -> None:
    table = saved(store, win(1), rules="nostalji")
    assert change_by(table, win(0, "run"), 3) == (0, -20, -19, -19)
    assert isinstance(change_by(saved(store), win(0, "run"), 2), EventError)
    assert texts.happening(win(0, "run", okey_last=False), (0, -20, -19, -19)) == "One-colour run (to 0)"
    assert texts.happening(win(0, okey_last=True), (0, -4, -4, -4)) == "Sets and runs, okey last (−4)"


def test_a_refusal_names_players_and_deals(store: Store) -> None:
    table = saved(store, win(1), win(2, "pairs"), win(3), start=9)
    with pytest.raises(EventError) as refusal:
        store.add(table.id, {"event": "correct", "line": 2, "with": win(1, "pairs", okey_last=True)}, "correction")
    assert refused(table, refusal.value) == "With this, deal 3 does not fit any more: the game is over before it."
    with speaking("tr"):
        assert refused(table, refusal.value) == "Böyle olursa 3. el artık uymuyor: oyun ondan önce bitmiş."
    left = saved(store, SHOWN, win(2), elimination=True, start=3)
    assert refused(left, change_by(left, win(1), 4)) == "Burak has left the game."


def test_what_is_wrong_with_a_file_is_said_in_the_language_of_the_page_and_with_names() -> None:
    table = {"rules": "classic", "players": NAMES, "options": {"start": 2, "elimination": True}}
    lines = [table, win(1), win(0), SHOWN, win(1), {"event": "correct", "line": 5, "with": SHOWN}, "no object", win(7)]
    with pytest.raises(LedgerError, match="line 3: the game is over: only undo and correct are left; line 4: ") as refusal:
        read_table("\n".join(map(json.dumps, lines)))
    assert texts.problems(refusal.value)[0] == "Line 3: the game is over: only undo and correct are left."
    with speaking("tr"):
        said = texts.problems(refusal.value)
        assert said[0] == "3. satır: oyun bitti: artık yalnızca geri alma ve düzeltme yapılabilir."
    left = [{**table, "options": {"start": 3, "elimination": True}}, SHOWN, win(2), win(1)]
    with pytest.raises(LedgerError, match="line 4: player 1 has left the game") as refusal:
        read_table("\n".join(map(json.dumps, left)))
    with speaking("tr"):
        assert texts.problems(refusal.value) == ["4. satır: Burak oyundan çıktı."]
    changed = [
        table | {"options": {"start": 9}},
        win(1),
        win(2, "pairs"),
        win(3),
        {"event": "correct", "line": 2, "with": win(1, "pairs", okey_last=True)},
    ]
    with pytest.raises(LedgerError) as refusal:
        read_table("\n".join(map(json.dumps, changed)))
    assert texts.problems(refusal.value) == ["Line 5: with this, line 4 does not fit any more: the game is over before it."]
    with pytest.raises(LedgerError) as refusal:
        read_table("")
    with speaking("tr"):
        assert texts.problems(refusal.value)[0].startswith("1. satır eksik")


def test_what_cannot_be_taken_back_says_why(store: Store) -> None:
    table = saved(store, SHOWN, win(1), SHOWN, win(2))
    why = table.ledger.changeable(3).take_back
    assert why is not None
    assert refused(table, why) == "With this, deal 2 does not fit any more: the indicator was shown in this deal already: Ayşe."
    drawn = history_html(table, may_write=True)
    assert 'data-key="take-back 3 3" disabled' in drawn
    assert refused(table, why) in drawn
    assert drawn.count("disabled") == 1


def test_what_is_set_aside_says_why_and_can_be_taken_back(store: Store, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    table = store.table(saved_earlier(url, NAMES[:2], "classic", {"start": 2}, win(1), win(0), win(1)))
    assert table.ledger.standing.scores == (0, 2)
    assert [(row.deal, row.event) for row in rows(table)] == [(None, win(1)), (None, win(0)), (1, win(1))]
    drawn = history_html(table, may_write=True)
    assert drawn.count("kept, but does not count") == drawn.count("The game is over before it.") == 2
    assert "disabled" not in drawn
    assert change_by(table, win(1, "pairs"), 2) == (-4, 0)
    assert (course(table), last_change(table), len(as_csv(table).splitlines())) == ([(2, 2), (0, 2)], (-2, 0), 3)
    store.add(table.id, {"event": "undo", "line": 2}, "taken back")
    assert store.table(table.id).ledger.standing.scores == (2, 0)


def test_the_csv_has_a_row_for_the_table_and_one_for_every_deal(store: Store) -> None:
    table = saved(store, SHOWN, {**win(1, "pairs"), "okey_last": True}, EXHAUSTED, UNDO, win(2))
    lines = list(csv.DictReader(io.StringIO(as_csv(table))))
    assert [(line["deal"], line["who"], line["what"]) for line in lines] == [
        ("0", "", texts.rules_in_words(table.ledger.table.rules)),
        ("1", "Burak", "Ayşe showed the indicator; Burak won: seven pairs, okey last"),
        ("2", "Cem", "Cem won: sets and runs"),
    ]
    assert [lines[1][f"{name}, change"] for name in NAMES] == ["-8", "-1", "-9", "-9"]
    assert [lines[2][f"{name}, score"] for name in NAMES] == ["10", "17", "11", "9"]


@pytest.mark.parametrize("spoken", ["en", "tr"])
def test_the_csv_is_read_back_whatever_its_language(store: Store, spoken: str) -> None:
    table = saved(store, SHOWN, win(1), {"event": "correct", "line": 3, "with": win(2)}, EXHAUSTED, first_dealer=2, start=9)
    with speaking(spoken):
        kept = read_table(as_csv(table))
    assert kept.table == table.ledger.table
    assert kept.standing.scores == table.ledger.standing.scores
    assert [entry.change for entry in kept.standing.history] == [entry.change for entry in table.ledger.standing.history]


def test_a_name_in_the_csv_is_no_formula(store: Store) -> None:
    names = ["=1+1", "+Burak", "-Cem", "@Deniz"]
    table, _ = store.new_table(names, "classic", {})
    for by in range(4):
        store.add(table, win(by), str(by))
    said = as_csv(store.table(table))
    headings, _began, *deals = csv.reader(io.StringIO(said))
    assert headings[4:8] == [f"'{name}, change" for name in names]
    assert [deal[2] for deal in deals] == [f"'{name}" for name in names]
    assert all(cell.startswith("'") for deal in deals for cell in deal[2:4])
    assert deals[0][5] == "-2", "figures are figures"
    assert list(read_table(said).table.players) == names


@pytest.mark.parametrize("sign", ["\t", "\r"])
def test_no_cell_of_the_csv_begins_as_a_formula_may(sign: str) -> None:
    ledger = read_table('{"rules": "classic", "players": ["Ayşe", "Burak"]}')
    said = to_csv(ledger, [f"{sign}=1"], [f"{sign}=1"], lambda _: [])
    assert [row[0] for row in csv.reader(io.StringIO(said, newline=""))] == [f"'{sign}=1"] * 2


@pytest.mark.parametrize(
    ("rules", "event", "said"),
    [
        ("classic", win(0, colour="red"), "Ayşe won: sets and runs, all red"),
        ("classic", win(0, colour="r"), "Ayşe won: sets and runs, all red"),
        ("classic", {**EXHAUSTED, "by": 9, "finisher": 9}, "The stock ran out"),
        (
            "101",
            {"event": "deal", "players": [{"opened": "melds", "left": 3}, {}, {}, {}]},
            "The stock ran out. Ayşe 3 left; Burak not opened",
        ),
        (
            "101",
            {"event": "deal", "finisher": 1, "players": [{}, {"opened": "melds"}, {}, {}]},
            "Burak finished: sets and runs. Ayşe not opened",
        ),
    ],
)
def test_what_the_score_takes_from_a_file_the_pages_can_say(store: Store, rules: str, event: dict[str, Any], said: str) -> None:
    table, _ = store.import_table(read_table("\n".join(map(json.dumps, ({"rules": rules, "players": NAMES}, event)))))
    kept = store.table(table)
    assert texts.described(kept.ledger.events[2], NAMES).startswith(said)
    assert said in history_html(kept, may_write=True)
    assert said in as_csv(kept)


def test_a_name_is_never_markup(store: Store) -> None:
    table, _ = store.new_table(["<b>Ayşe</b>", "Burak"], "classic", {"start": 4})
    store.add(table, win(0), "one")
    store.add(table, {"event": "correct", "line": 2, "with": win(0, "pairs")}, "struck out")
    assert store.table(table).ledger.standing.winners == (0,)
    for drawn in (scoreboard_html(store.table(table)), history_html(store.table(table), may_write=True)):
        assert "<b>Ayşe" not in drawn
        assert "&lt;b&gt;Ayşe" in drawn


def test_out_is_who_has_left_not_who_ends_the_game_at_nothing(store: Store) -> None:
    over = saved(store, win(0), win(1), start=3)
    assert over.ledger.standing.finished and over.ledger.standing.winners == (0, 1)
    assert texts.OUT not in _marks(over)
    assert _marks(saved(store, win(0), win(1), start=3, elimination=True)).count(texts.OUT) == 2


def _marks(table: SavedTable) -> list[str]:
    """The marks on the cards."""
    return re.findall('class="mark [a-z]*">([^<]*)<', scoreboard_html(table))


def test_players_must_be_told_apart() -> None:
    assert unusable(["Ayşe"]) == "Name at least two players."
    assert unusable(["Ayşe", "Burak", "Ayşe"]).startswith("Two players are called Ayşe")
    assert unusable(["Ayşe", "Abdurrahman Muhammed Öztürk"]) == "Abdurrahman Muhammed Öztürk is too long: write 24 letters at most."
    assert unusable(NAMES) == ""


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_the_rules_in_force_are_said(rules: Any) -> None:
    said = texts.rules_in_words(rules)
    assert said.startswith(f"{texts.PRESET_NAMES[rules.name]}: ")
    assert "None" not in said
    assert ("the two highest win" in said) == (rules.name in ("classic", "online"))


@pytest.mark.parametrize("options", [{"best_places": 1}, {"elimination": True}, {"partners": True}])
def test_where_one_wins_the_rules_say_nothing_of_two(options: dict[str, object]) -> None:
    assert "the two highest win" not in texts.rules_in_words(with_options(CLASSIC, options))
