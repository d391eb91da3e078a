"""A table's ledger as a file and back, in either form; what is wrong with a file is said line by line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.cli import main
from assistant.exchange import read_table, to_csv
from assistant.ledger import Entry, Ledger, LedgerError
from assistant.scoring import EventError
from assistant.store import Store
from assistant.table import table_of
from tests.assistant.tables import EXHAUSTED, NAMES, SHOWN, UNDO, win

TABLE = {"rules": "favorite", "players": ["Ayşe", 'Burak "B", Jr.', "Cem; Can"], "options": {"start": 30}, "first_dealer": 1}
EVENTS = st.one_of(
    st.builds(lambda by: {**SHOWN, "by": by}, st.integers(0, 2)),
    st.builds(win, st.integers(0, 2), st.sampled_from(["melds", "pairs", "run"])),
    st.just(EXHAUSTED),
    st.just(UNDO),
    st.builds(lambda line, by: {"event": "correct", "line": line, "with": win(by)}, st.integers(2, 9), st.integers(0, 2)),
)


def ledger_of(events: list[dict[str, Any]]) -> Ledger:
    """A ledger with those of the events that the rules allow."""
    ledger = Ledger(table_of(TABLE))
    for event in events:
        try:
            ledger.add(2 + len(ledger.lines), {**event, "deal": ledger.standing.deals + 1} if event["event"] == "win" else event)
        except EventError:
            continue
    return ledger


def csv_of(ledger: Ledger) -> str:
    def words(deal: list[Entry]) -> list[object]:
        return [deal[0].deal]

    players = ledger.table.players
    return to_csv(ledger, ["deal", *players, *players], [0], words)


@settings(max_examples=100)
@given(st.lists(EVENTS, max_size=12))
def test_a_csv_comes_to_the_same_score(events: list[dict[str, Any]]) -> None:
    ledger = ledger_of(events)
    again = read_table(csv_of(ledger))
    assert again.table == ledger.table
    assert again.standing.scores == ledger.standing.scores
    assert [entry.change for entry in again.standing.history] == [entry.change for entry in ledger.standing.history]
    assert csv_of(again) == csv_of(ledger)


@pytest.mark.parametrize("delimiter", ["\t", ";"])
def test_a_csv_that_a_spreadsheet_has_saved_again_is_read(delimiter: str) -> None:

    ledger = ledger_of([SHOWN, win(1), win(2)])
    saved = io.StringIO()
    csv.writer(saved, delimiter=delimiter).writerows(csv.reader(io.StringIO(csv_of(ledger))))
    assert read_table("\ufeff" + saved.getvalue()).standing.scores == ledger.standing.scores


def test_a_csv_with_a_line_break_in_a_name_is_read() -> None:
    table = table_of({**TABLE, "players": ["Ayşe\n;;;;", "Bu\r\nrak", "Cem"]})
    ledger = Ledger(table, {2: win(1), 3: win(2)})
    again = read_table(csv_of(ledger))
    assert (again.table, again.standing.scores) == (table, ledger.standing.scores)
    assert read_table(csv_of(Ledger(table))).table == table


def test_a_cell_with_a_number_of_thousands_of_digits_is_named_by_its_line() -> None:
    lines = csv_of(ledger_of([win(1), win(2)])).splitlines()
    lines[2] = lines[2].replace('""by"": 1', '""by"": ' + "1" * 5000)
    with pytest.raises(LedgerError, match=r"^line 3 is no JSON object: "):
        read_table("\n".join(lines))


def test_a_cell_that_says_a_thing_twice_is_refused() -> None:
    text = csv_of(ledger_of([win(1)])).replace('""by"": 1', '""by"": 1, ""by"": 2')
    with pytest.raises(LedgerError, match=r"^line 3: 'by' is given twice: keep one of them$"):
        read_table(text)


@pytest.mark.parametrize("depth", [21, 980, 100_000])
def test_what_nests_deeper_than_any_event_is_named_by_its_line(depth: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deep = json.dumps({**EXHAUSTED, "more": 0}).replace("0", "[" * depth + "]" * depth)
    path = tmp_path / "masa.jsonl"
    path.write_text(f"{json.dumps(TABLE)}\n{deep}\n")
    assert main(["import-table", str(path), "--db", f"sqlite:///{tmp_path / 'tables.db'}"]) == 2
    said = capsys.readouterr().err
    assert "line 2" in said and said.count("\n") == 1
    nested = '""exhausted"", ""more"": ' + "[" * depth + "]" * depth
    with pytest.raises(LedgerError, match="line 3"):
        read_table(csv_of(ledger_of([EXHAUSTED])).replace('""exhausted""', nested))


def test_a_cell_that_is_too_long_is_named_by_its_line() -> None:
    lines = csv_of(ledger_of([win(1), win(2)])).splitlines()
    lines[2] = "x" * 200_000 + lines[2]
    with pytest.raises(LedgerError, match=r"^line 3 is no row of a CSV table: field larger than field limit"):
        read_table("\n".join(lines))


def test_a_file_keeps_its_table_and_everything_that_was_changed(store: Store) -> None:
    table, _ = store.import_table(ledger_of([SHOWN, win(1), {"event": "correct", "line": 3, "with": win(2)}, EXHAUSTED, UNDO]))
    copied, pin = store.import_table(read_table(store.table(table).text()))
    before, after = store.table(table), store.table(copied)
    assert after.ledger.table == before.ledger.table
    assert after.ledger.lines == before.ledger.lines
    assert after.ledger.standing == before.ledger.standing
    store.unlock(copied, pin, "a device")
    assert store.add(copied, EXHAUSTED, "goes on") == before.last_line + 1


def test_empty_lines_of_a_file_move_the_lines_that_its_changes_name(store: Store) -> None:
    entries = [
        TABLE,
        None,
        {**SHOWN, "line": 99},
        None,
        win(1),
        {"event": "correct", "line": 5, "with": win(2)},
        {"event": "undo", "line": 3},
    ]
    ledger = read_table("\r\n".join("" if entry is None else json.dumps(entry) for entry in entries))
    saved = store.table(store.import_table(ledger)[0])
    assert [event.line for event in saved.events] == [2, 3, 4, 5]
    assert saved.ledger.events == {3: win(2)}
    assert saved.ledger.standing.scores == ledger.standing.scores


def test_every_bad_line_is_named() -> None:
    lines = [json.dumps(TABLE), json.dumps(SHOWN), "{", json.dumps(win(7)), json.dumps(win(1)), "[]"]
    with pytest.raises(LedgerError) as refusal:
        read_table("\n".join(lines))
    assert [str(problem).split(":")[0] for problem in refusal.value.problems] == ["line 3 is no JSON object", "line 4", "line 6"]
    with pytest.raises(LedgerError, match=r"line 6: .*; and 3 more$"):
        read_table("\n".join([lines[0], *["{}"] * 2, *[json.dumps(win(7))] * 6]))


def test_every_bad_row_of_a_csv_is_named_by_its_line() -> None:
    lines = csv_of(ledger_of([win(1), win(2), win(0)])).splitlines()
    lines[2] = "1,0,0,0,30,30,30,twelve"
    lines[3] = lines[3].replace("melds", "flush")
    with pytest.raises(LedgerError) as refusal:
        read_table("\n".join(lines))
    assert [str(problem).split(":")[0] for problem in refusal.value.problems] == ["line 3 is no JSON object", "line 4"]
    with pytest.raises(LedgerError, match="line 1 is missing"):
        read_table(lines[0])


def test_tables_are_listed_exported_and_imported_by_commands(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def said(*arguments: str) -> str:
        assert main([*arguments, "--db", url]) == 0
        return capsys.readouterr().out

    store = Store(url)
    table, _ = store.new_table(NAMES, "classic", {})
    store.add(table, win(1), "a win")
    for form in ([], ["--csv"]):
        kept = tmp_path / "kept"
        kept.write_text(said("export-table", table, *form), "utf-8")
        words = said("import-table", str(kept)).split()
        assert words[0] == "table"
        assert store.table(words[1].strip(",")).ledger.standing == store.table(table).ledger.standing
        store.unlock(words[1].strip(","), words[3], "a device")
        assert main(["score", str(kept)]) == 0
        assert "Burak: 20\n" in capsys.readouterr().out
    listed = said("tables").splitlines()
    assert len(listed) == 3
    assert listed[-1].startswith(table)
    assert "classic  Ayşe 18, Burak 20, Cem 18, Deniz 18  (going on)" in listed[-1]
    kept.write_text("[]\n")
    for arguments, reason in ((["export-table", "nowhere"], "no table 'nowhere'"), (["import-table", str(kept)], "line 1: a line must be")):
        assert main([*arguments, "--db", url]) == 2
        assert reason in capsys.readouterr().err
    assert len(store.recent()) == 3, "a bad file makes no table"
    store.close()
