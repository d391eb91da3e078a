"""Tables in a real database, SQLite and PostgreSQL: ledgers, PINs and devices, evidence, backups."""

from __future__ import annotations

import shutil
import socket
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assistant.backup import backup, restore
from assistant.cli import main
from assistant.database import StoreError
from assistant.ledger import read_ledger
from assistant.pins import wait_s
from assistant.scoring import EventError
from assistant.store import LARGEST_EVIDENCE, Store, UnreadableTableError, WrongPinError
from assistant.table import table_of
from tests.assistant.tables import EXHAUSTED, NAMES, SHOWN, UNDO, saved_earlier, sql, win

DATABASES = Path(__file__).with_name("databases")
"""As each earlier version has left them, one file for each kind of database."""
PHONE, TABLET = "a phone's random token", "a tablet's random token"
PNG, PDF = b"\x89PNG\r\n\x1a\n a card", b"%PDF-1.7 a card"


@pytest.fixture
def table(store: Store) -> str:
    return store.new_table(NAMES, "classic", {})[0]


def test_what_is_added_is_there_for_everyone(store: Store, url: str, table: str) -> None:
    assert [store.add(table, new, new["event"]) for new in (SHOWN, win(1, "pairs"))] == [2, 3]
    saved = Store(url).table(table)
    assert saved.ledger.table.players == NAMES
    assert saved.ledger.standing.scores == (16, 19, 15, 15)
    assert [line.event for line in saved.events] == [SHOWN, win(1, "pairs")]
    assert saved.last_line == store.state(table)[0] == 3
    assert store.recent(5) == [(table, NAMES)]


def test_undo_and_correction_are_added_too(store: Store, table: str) -> None:
    for number, new in enumerate((win(1), win(2), {"event": "correct", "line": 2, "with": win(3)}, UNDO, {"event": "undo", "line": 2})):
        store.add(table, new, str(number))
    saved = store.table(table)
    assert len(saved.events) == 5
    assert saved.ledger.events == {3: win(2)}


def test_what_somebody_else_has_changed_since_is_not_changed_unseen(store: Store, table: str) -> None:
    for by in range(3):
        store.add(table, win(by), str(by))
    store.add(table, {"event": "correct", "line": 2, "with": win(3)}, "one phone", seen=4)
    for late in ({"event": "correct", "line": 2, "with": win(1)}, {"event": "undo", "line": 2}):
        with pytest.raises(EventError, match="line 2 was changed in the meantime: look at what stands there now"):
            store.add(table, late, "the other phone", seen=4)
    assert store.add(table, {"event": "correct", "line": 2, "with": win(3)}, "one phone", seen=4) == 5, "sent twice"
    store.add(table, {"event": "correct", "line": 3, "with": win(3)}, "the other phone", seen=4)
    store.add(table, win(2), "what is new changes nothing", seen=4)
    store.add(table, {"event": "undo", "line": 2}, "it has looked", seen=5)
    store.add(table, {"event": "correct", "line": 3, "with": win(0)}, "whatever there is")
    assert store.table(table).ledger.events == {3: win(0), 4: win(2), 7: win(2)}


def test_the_last_change_is_not_undone_by_who_has_not_seen_it(store: Store, table: str) -> None:
    for by in range(3):
        store.add(table, win(by), str(by), seen=3)
    with pytest.raises(EventError, match="something was written in the meantime: look at what the last change is now"):
        store.add(table, UNDO, "late", seen=3)
    assert store.add(table, UNDO, "in time", seen=4) == store.add(table, UNDO, "in time", seen=4) == 5
    with pytest.raises(EventError, match="in the meantime"):
        store.add(table, UNDO, "late again", seen=4)
    store.add(table, UNDO, "whatever it is")
    assert store.table(table).ledger.events == {2: win(0)}


def test_the_text_of_a_ledger_comes_to_the_same_score(store: Store, table: str) -> None:
    for number, new in enumerate((SHOWN, win(0), UNDO, win(2))):
        store.add(table, new, str(number))
    saved = store.table(table)
    assert read_ledger(saved.text().splitlines()).standing == saved.ledger.standing


def test_an_event_sent_twice_counts_once(store: Store, table: str) -> None:
    assert store.add(table, win(1), "a tap") == store.add(table, win(1), "a tap") == 2
    assert store.table(table).ledger.standing.deals == 1


def test_an_event_that_the_rules_do_not_allow_is_refused_and_not_kept(store: Store, table: str) -> None:
    store.add(table, SHOWN, "shown")
    with pytest.raises(EventError, match="shown in this deal already"):
        store.add(table, SHOWN, "again")
    with pytest.raises(EventError, match="belongs to deal 2"):
        store.add(table, {**win(1), "deal": 2}, "too late")
    assert store.table(table).last_line == 2


def test_only_the_pin_opens_a_table_and_only_for_the_device_that_has_it(store: Store, url: str) -> None:
    table, pin = store.new_table(NAMES, "classic", {})
    other, _ = store.new_table(NAMES, "classic", {})
    assert not store.is_unlocked(table, PHONE)
    store.unlock(table, pin, PHONE)
    store.unlock(table, pin, PHONE)  # twice does no harm
    assert Store(url).is_unlocked(table, PHONE), "after a reload, by the next program"
    assert not store.is_unlocked(table, TABLET)
    assert not store.is_unlocked(other, PHONE)
    assert store.recent(5, PHONE) == [(table, NAMES)]
    with pytest.raises(WrongPinError, match="not the table's PIN: ask whoever made the table") as refusal:
        store.unlock(other, "", PHONE)
    assert refusal.value.wait_s == 0


def test_wrong_pins_make_everyone_wait_longer_and_longer(store: Store, url: str) -> None:
    table, pin = store.new_table(NAMES, "classic", {})
    unlocked, _ = store.new_table(NAMES, "classic", {})

    def wait_after(wrong: str) -> int:
        with pytest.raises(WrongPinError) as refusal:
            Store(url).unlock(table, wrong, PHONE)
        return refusal.value.wait_s

    def a_minute_later() -> None:
        sql(url, "UPDATE tables SET pin_locked_until = '2020-01-01 00:00:00' WHERE wrong_pins > 0")

    assert [wait_after("0") for _ in range(5)] == [0, 0, 0, 0, 60]
    assert 0 < wait_after(pin) <= 60, "not even the right one is tried"
    a_minute_later()
    assert [wait_after("0") for _ in range(5)] == [0, 0, 0, 0, 120]
    a_minute_later()
    store.unlock(table, pin, PHONE)
    assert [wait_after("0") for _ in range(5)] == [0, 0, 0, 0, 60], "the right one begins anew"
    assert not store.is_unlocked(unlocked, PHONE)
    with pytest.raises(WrongPinError, match="this is not the table's PIN"):
        store.unlock(unlocked, "0", PHONE)


def test_nobody_waits_for_longer_than_a_quarter_of_an_hour() -> None:
    assert [wait_s(wrong) for wrong in (4, 5, 10, 15, 20, 25, 26, 30, 5000)] == [0, 60, 120, 240, 480, 900, 0, 900, 900]


def test_guesses_at_once_are_all_counted(store: Store) -> None:
    table, _ = store.new_table(NAMES, "classic", {})
    waits: list[int] = []

    def guess(pin: int) -> None:
        with pytest.raises(WrongPinError) as refusal:
            store.unlock(table, str(pin), PHONE)
        waits.append(refusal.value.wait_s)

    with ThreadPoolExecutor(12) as guessers:
        list(guessers.map(guess, range(12)))
    assert waits.count(0) == 4, "the fifth and all after it wait"


def test_a_clock_that_was_wrong_keeps_nobody_out(store: Store, url: str) -> None:
    table, pin = store.new_table(NAMES, "classic", {})
    sql(url, "UPDATE tables SET wrong_pins = 5, pin_locked_until = '2100-01-01 00:00:00'")
    store.unlock(table, pin, PHONE)
    assert store.is_unlocked(table, PHONE)


def test_a_backup_that_fails_leaves_nothing_behind(store: Store, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: Path, to: Path) -> None:
        to.write_bytes(b"half of it")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "move", full)
    with pytest.raises(StoreError, match="cannot be written"):
        backup(tmp_path / "kept.db", url)
    assert not (tmp_path / "kept.db").exists()


def test_who_knows_the_pin_changes_it_and_all_other_devices_are_locked(store: Store) -> None:
    table, pin = store.new_table(NAMES, "classic", {})
    for device in (PHONE, TABLET):
        store.unlock(table, pin, device)
    with pytest.raises(StoreError, match="a PIN is 4 to 12 digits"):
        store.change_pin(table, pin, "12a4", PHONE)
    with pytest.raises(WrongPinError):
        store.change_pin(table, "0", "2468", PHONE)
    assert store.is_unlocked(table, TABLET)
    store.change_pin(table, pin, "2468", PHONE)
    assert store.is_unlocked(table, PHONE)
    assert not store.is_unlocked(table, TABLET)
    with pytest.raises(WrongPinError):
        store.unlock(table, pin, TABLET)
    store.unlock(table, "2468", TABLET)


def test_neither_a_pin_nor_a_token_is_in_the_database(store: Store, url: str) -> None:
    table, pin = store.new_table(NAMES, "classic", {})
    store.unlock(table, pin, PHONE)
    kept = [bytes(value) for (value,) in sql(url, "SELECT token_hash FROM devices")]
    kept += [bytes(value) for row in sql(url, "SELECT pin_salt, pin_hash FROM tables") for value in row]
    assert len(kept) == 3
    assert not any(secret.encode() in value for value in kept for secret in (pin, PHONE))


def test_a_table_has_one_rematch_with_the_same_people_pin_and_devices(store: Store) -> None:
    table, pin = store.new_table(NAMES, "classic", {"start": 9})
    store.unlock(table, pin, PHONE)
    rematch = store.rematch(table, first_dealer=1)
    assert store.table(table).rematch == store.state(table)[1] == rematch
    assert store.table(rematch).ledger.table == replace(store.table(table).ledger.table, first_dealer=1)
    assert store.table(rematch).last_line == 1
    assert store.is_unlocked(rematch, PHONE)
    store.unlock(rematch, pin, TABLET)
    with pytest.raises(StoreError, match="started the rematch already"):
        store.rematch(table, first_dealer=2)


def test_evidence_stands_by_its_event_and_is_kept_once(store: Store, table: str) -> None:
    line = store.add(table, win(1), "a win", evidence=[PNG, PDF])
    assert store.add(table, win(1), "a win", evidence=[PNG, PDF]) == line, "sent twice"
    loose = store.add_evidence(table, PNG)
    assert store.add_evidence(table, PNG) == loose
    kept = store.evidence(table)
    assert sorted((piece.line or 0, piece.mime, piece.size) for piece in kept) == [
        (0, "image/png", len(PNG)),
        (line, "application/pdf", len(PDF)),
        (line, "image/png", len(PNG)),
    ]
    assert {piece.id: store.evidence_content(table, piece.id) for piece in kept if piece.mime == "application/pdf"}.popitem()[1] == PDF
    assert store.evidence(store.new_table(NAMES, "classic", {})[0]) == ()


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        (b"<html>", None, "evidence must be a PNG, a JPEG or a PDF"),
        (PNG + bytes(LARGEST_EVIDENCE), None, "at most 8388608 are kept, choose a smaller picture"),
        (PNG, 2, "no event in line 2"),
    ],
)
def test_what_cannot_be_evidence_is_refused(store: Store, table: str, content: bytes, line: int | None, reason: str) -> None:
    with pytest.raises(StoreError, match=reason):
        store.add_evidence(table, content, line)
    assert store.evidence(table) == ()


def test_an_event_whose_evidence_cannot_be_kept_is_not_kept_either(store: Store, table: str) -> None:
    with pytest.raises(StoreError, match="evidence must be"):
        store.add(table, win(1), "a win", evidence=[b"no picture"])
    assert store.table(table).last_line == 1


def test_there_is_no_evidence_of_another_table(store: Store, table: str) -> None:
    kept = store.add_evidence(table, PNG)
    other, _ = store.new_table(NAMES, "classic", {})
    with pytest.raises(StoreError, match="keeps no evidence"):
        store.evidence_content(other, kept)


def test_what_cannot_be_is_refused_in_a_sentence(store: Store) -> None:
    with pytest.raises(StoreError, match="there is no table 'nowhere': check the link"):
        store.table("nowhere")
    with pytest.raises(ValueError, match="Okey is played by 2 to 4"):
        store.new_table(["Ayşe"], "classic", {})
    with pytest.raises(ValueError, match="first dealer must be one of the 2 players"):
        store.new_table(["Ayşe", "Burak"], "classic", {}, first_dealer=2)


@pytest.mark.parametrize("no_id", ["\udcff", "ab\0cd", "ab cd", "şçğ", "", "x' OR 1=1"])
def test_a_link_with_letters_that_no_id_has_leads_to_no_table(store: Store, no_id: str) -> None:
    with pytest.raises(StoreError, match=r"^there is no table .*: check the link$") as refused:
        store.table(no_id)
    assert not isinstance(refused.value, UnreadableTableError)
    with pytest.raises(StoreError, match=r"^there is no table"):
        store.add(no_id, EXHAUSTED, "an event")


def test_an_empty_database_gets_the_schema(url: str) -> None:
    if url.startswith("postgresql"):  # a house's database, which may hold what else it likes
        sql(url, "CREATE TABLE other (name TEXT)")
    store = Store(url)
    assert store.recent(1) == []
    assert Store(url).table(store.new_table(NAMES, "101", {"deals": 3})[0]).ledger.table.rules.name == "101"


@pytest.mark.parametrize("version", sorted({path.stem.split("-")[0] for path in DATABASES.glob("*.sql")}))
def test_an_older_database_is_brought_up_to_date(url: str, version: str) -> None:
    kind = "sqlite" if url.startswith("sqlite") else "postgresql"
    statements = (DATABASES / f"{version}-{kind}.sql").read_text("utf-8").split(";\n")
    sql(url, *(statement for statement in statements if statement.strip() not in ("", "BEGIN TRANSACTION", "COMMIT")))
    store = Store(url)
    saved = store.table("firstgame1")
    assert saved.ledger.table == table_of({"rules": "favorite", "players": list(NAMES), "options": {"start": 30}, "first_dealer": 2})
    assert (saved.ledger.standing.scores, saved.last_line) == ((12, 11, 13, 27), 7)
    store.unlock("firstgame1", "135790", PHONE)
    line = store.add("firstgame1", win(0), "a new event", evidence=[PNG])
    assert store.add("firstgame1", win(3, "run"), "tap 5") == line - 1, "an event that the older one has counts once"
    assert store.evidence("firstgame1")[0].line == line
    assert store.table("firstgame1").rematch == "rematch111"
    assert store.recent(1) == [("rematch111", NAMES)]


def test_a_table_saved_with_what_is_refused_today_opens_and_is_played_on(store: Store, url: str) -> None:
    okeys = {
        "event": "deal",
        "finisher": 0,
        "okey_last": True,
        "players": [{"opened": "pairs"}, {"opened": "melds", "left": 9, "okeys_left": 2}],
    }
    for rules, options, event, scores in (
        ("101", {"factor_cap": 3}, okeys, (-303, 229)),
        ("favorite", {"colour_doubles": "red_black"}, win(0, "run"), (20, 4)),
    ):
        table = saved_earlier(url, NAMES[:2], rules, options, event)
        assert store.table(table).ledger.standing.scores == scores
        store.rematch(table, 0)
        again = EXHAUSTED if rules == "favorite" else {**okeys, "okey_last": False}
        store.add(table, again, "a new event")
        store.add(table, {"event": "undo", "line": 2}, "taken back")
        saved = store.table(table)
        assert [added.event for added in saved.events[:2]] == [event, again]
        assert list(saved.ledger.events) == [3]


@pytest.mark.parametrize(
    ("rules", "options", "event", "why"),
    [
        ("poker", {}, EXHAUSTED, "no rules are called 'poker'"),
        ("classic", {"joker": True}, EXHAUSTED, "classic has no option 'joker'"),
        ("classic", {"start": 0}, EXHAUSTED, "start must be a whole number"),
        ("classic", {}, {"event": "dance"}, "no event of Okey is called 'dance'"),
    ],
)
def test_a_table_that_cannot_be_read_says_so_and_leaves_the_others_alone(
    store: Store,
    url: str,
    table: str,
    capsys: pytest.CaptureFixture[str],
    rules: str,
    options: dict[str, object],
    event: dict[str, Any],
    why: str,
) -> None:
    strange = saved_earlier(url, NAMES[:2], "classic", options, event)
    sql(url, f"UPDATE tables SET rules = '{rules}' WHERE public_id = '{strange}'")
    said = f"Ayşe, Burak was saved by another version of istaka, and this one cannot read it .*{why}.*: nothing of it is lost, update"
    with pytest.raises(UnreadableTableError, match=said):
        store.table(strange)
    with pytest.raises(UnreadableTableError, match=said):
        store.add(strange, EXHAUSTED, "a new event")
    assert [known for known, _ in store.recent()] == [strange, table]
    assert main(["tables", "--db", url]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert why in first
    assert second.startswith(table)
    assert main(["export-table", strange, "--db", url]) == 2


def test_a_newer_database_is_refused(store: Store, url: str) -> None:
    sql(url, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="a newer istaka has written this database: update the program"):
        Store(url)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("my tables", "is no database: write sqlite:///FILE"),
        ("oracle12+nothing://host/name", "is no database"),
        ("mysql://host/name", "mysql is no database for istaka: choose SQLite or PostgreSQL"),
        ("postgresql://istaka@localhost:1/tables", "connection failed.*: check --db or ISTAKA_DB"),
        ("sqlite:////no/such/folder/tables.db", "unable to open database file"),
        ("sqlite:///tables.db?timeout=x", "the database's URL cannot be read .*: check --db or ISTAKA_DB"),
        ("postgresql://istaka@localhost:x/tables", "the database's URL cannot be read .*: check --db or ISTAKA_DB"),
    ],
)
def test_a_database_that_cannot_be_used_gets_a_sentence(url: str, reason: str) -> None:
    with pytest.raises(StoreError, match=reason):
        Store(url)


def test_a_database_that_may_not_be_written_to_is_to_be_copied(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "tables.db")) as kept:
        kept.execute("CREATE TABLE alembic_version (version_num TEXT)")
    with pytest.raises(StoreError, match=r"\(attempt to write a readonly database\): copy it to a folder that you may write to"):
        Store(f"sqlite:///file:{tmp_path / 'tables.db'}?mode=ro&uri=true", new=False)


def test_without_its_driver_postgresql_gets_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)  # as where it is not installed
    with pytest.raises(StoreError, match=r"psycopg is not installed, .* run pip install 'istaka\[postgresql\]'"):
        Store("postgresql+psycopg://istaka@localhost/tables")


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "photo.db").write_bytes(b"no database" * 100)
    with pytest.raises(StoreError, match="file is not a database"):
        Store(f"sqlite:///{tmp_path / 'photo.db'}")


def test_another_programs_file_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "foreign.db"
    sql(f"sqlite:///{file}", "CREATE TABLE other (name TEXT)")
    before = file.read_bytes()
    with pytest.raises(StoreError, match=r"foreign\.db is another program's database: name a file of istaka's own$"):
        Store(f"sqlite:///{file}", new=False)
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_what_is_no_file_is_no_backup(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"^/dev/zero is no file: give the path of a backup$"):
        restore(Path("/dev/zero"), f"sqlite:///{tmp_path / 'tables.db'}")


def test_the_database_is_named_by_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ISTAKA_DB", f"sqlite:///{tmp_path / 'house.db'}")
    Store().new_table(NAMES, "classic", {})
    assert (tmp_path / "house.db").exists()


def test_without_a_name_the_database_is_in_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ISTAKA_DB", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    Store().close()
    assert (tmp_path / "istaka" / "tables.db").exists()


def test_a_backup_brings_everything_back(store: Store, url: str, other: str, tmp_path: Path) -> None:
    table, pin = store.new_table(NAMES, "classic", {"start": 10}, first_dealer=2)
    store.unlock(table, pin, PHONE)
    rematch = store.rematch(table, first_dealer=0)
    for number, new in enumerate((win(1), UNDO, win(2))):
        store.add(table, new, str(number), evidence=[PDF])
    store.add_evidence(table, PNG)
    assert backup(tmp_path / "kept.db", url) == restore(tmp_path / "kept.db", other) == 2
    restored = Store(other)
    before, after = store.table(table), restored.table(table)
    assert (after.events, after.created, after.first_dealer, after.rematch) == (before.events, before.created, 2, rematch)
    assert after.ledger.standing == before.ledger.standing
    assert restored.evidence(table) == store.evidence(table)
    assert all(restored.evidence_content(table, piece.id) == store.evidence_content(table, piece.id) for piece in store.evidence(table))
    assert restored.is_unlocked(table, PHONE)
    assert restored.is_unlocked(rematch, PHONE)
    restored.unlock(table, pin, TABLET)
    assert restored.add(table, win(2), "2") == before.last_line, "an event that was sent before the backup counts once"


def test_no_backup_is_written_beside_the_log_of_an_older_one(url: str, table: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept.db"
    log = tmp_path / "kept.db-wal"
    log.touch()
    with pytest.raises(StoreError, match=r"kept\.db-wal is there already: choose another name"):
        backup(kept, url)
    assert not kept.exists()


def test_neither_a_backup_nor_a_database_is_written_over(store: Store, url: str, table: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept.db"
    backup(kept, url)
    with pytest.raises(StoreError, match="is there already: choose another name"):
        backup(kept, url)
    before = kept.read_bytes()
    with pytest.raises(StoreError, match="holds tables already: name an empty one"):
        restore(kept, url)
    assert kept.read_bytes() == before
    assert store.recent(5) == [(table, NAMES)]


KILLED = """
import os, signal, sys
from assistant.store import Store
store = Store(sys.argv[1])
table, _ = store.new_table(["Ayşe", "Burak"], "classic", {})
store.add(table, {"event": "exhausted"}, "an event")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_database_that_a_killed_program_has_left_is_restored_whole(tmp_path: Path) -> None:
    kept = tmp_path / "kept.db"
    subprocess.run([sys.executable, "-c", KILLED, f"sqlite:///{kept}"], check=False)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix != ".db-shm"}
    assert restore(kept, f"sqlite:///{tmp_path / 'other.db'}") == 1
    restored = Store(f"sqlite:///{tmp_path / 'other.db'}")
    assert restored.table(restored.recent()[0][0]).last_line == 2
    assert {name: (tmp_path / name).read_bytes() for name in before} == before, "what is restored from is left as it is"


def test_a_database_is_restored_while_another_program_has_it_open(tmp_path: Path) -> None:
    kept = Store(f"sqlite:///{tmp_path / 'kept.db'}")
    table, _ = kept.new_table(NAMES, "classic", {})
    kept.add(table, EXHAUSTED, "an event")
    assert restore(tmp_path / "kept.db", f"sqlite:///{tmp_path / 'other.db'}") == 1
    assert Store(f"sqlite:///{tmp_path / 'other.db'}").table(table).last_line == 2
    kept.close()


@pytest.mark.parametrize("logged", [False, True])
def test_a_database_on_a_read_only_medium_is_restored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, logged: bool) -> None:
    kept = Store(f"sqlite:///{tmp_path / 'kept.db'}")
    table, _ = kept.new_table(NAMES, "classic", {})
    medium = tmp_path / "medium"
    medium.mkdir()
    if not logged:
        kept.close()
    for name in ("kept.db", "kept.db-wal")[: 1 + logged]:
        shutil.copyfile(tmp_path / name, medium / name)
    connect = sqlite3.connect

    def refuse(database: Any, **options: Any) -> sqlite3.Connection:
        """As SQLite says of such a file; root may write everywhere."""
        if str(database).startswith("file:"):
            raise sqlite3.OperationalError("unable to open database file")
        return connect(database, **options)

    monkeypatch.setattr("assistant.backup.sqlite3.connect", refuse)
    assert restore(medium / "kept.db", f"sqlite:///{tmp_path / 'other.db'}") == 1
    monkeypatch.undo()
    assert Store(f"sqlite:///{tmp_path / 'other.db'}").recent() == [(table, NAMES)]
    assert len(list(medium.iterdir())) == 1 + logged, "nothing is left beside it"
    kept.close()


def test_what_is_no_backup_or_a_damaged_one_is_refused_by_its_name(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    store.add_evidence(store.new_table(NAMES, "classic", {})[0], PNG * 1000)
    store.close()
    backup(tmp_path / "kept.db", f"sqlite:///{tmp_path / 'tables.db'}")
    sql(
        f"sqlite:///{tmp_path / 'another program.db'}",
        "CREATE TABLE alembic_version (version_num)",
        "INSERT INTO alembic_version VALUES (1)",
    )
    whole = (tmp_path / "kept.db").read_bytes()
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "text").write_text("no database\n" * 100)
    (tmp_path / "short").write_bytes(whole[:5000])
    for name in ("empty", "text", "short", "another program.db"):
        with pytest.raises(StoreError, match=f"/{name} is no backup of istaka: give a file that istaka backup has written$"):
            restore(tmp_path / name, f"sqlite:///{tmp_path / 'new.db'}")
    page = 4096
    torn = b"".join(b"\xff" * page if b" a card" in whole[at : at + page] else whole[at : at + page] for at in range(0, len(whole), page))
    (tmp_path / "torn").write_bytes(torn)
    with pytest.raises(StoreError, match=r"/torn is damaged: give another backup$"):
        restore(tmp_path / "torn", f"sqlite:///{tmp_path / 'new.db'}")
    assert not (tmp_path / "new.db").exists()


def test_a_database_that_is_not_there_is_not_backed_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("ISTAKA_DB", raising=False)
    for url in (f"sqlite:///{tmp_path / 'tables.db'}", None):
        with pytest.raises(StoreError, match=r"^there is no database at .*tables.db: check --db or ISTAKA_DB$"):
            backup(tmp_path / "kept.db", url)
    assert main(["tables", "--db", f"sqlite:///{tmp_path / 'tables.db'}"]) == 2
    assert main(["export-table", "abc", "--db", f"sqlite:///{tmp_path / 'tables.db'}"]) == 2
    assert [path.name for path in tmp_path.rglob("*.db")] == []


@pytest.mark.parametrize(
    ("damage", "why", "copied"),
    [
        ("UPDATE events SET event = '{broken'", "line 2 is no JSON object", True),
        ("UPDATE events SET event = '[1]'", "line 2 is no JSON object", True),
        ("UPDATE tables SET players = '[1,2]' WHERE id = 1", "its players are no list of names", True),
        ("UPDATE tables SET players = '[1' WHERE id = 1", "its players are no list of names", True),
        ("UPDATE tables SET created = 'yesterday' WHERE id = 1", "yesterday", False),
        ("UPDATE events SET added = 'yesterday'", "yesterday", False),
    ],
)
def test_a_damaged_row_is_told_of_its_table_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], damage: str, why: str, copied: bool
) -> None:
    url, other = (f"sqlite:///{tmp_path / name}" for name in ("tables.db", "other.db"))
    store = Store(url)
    damaged, _ = store.new_table(NAMES[:2], "classic", {})
    store.add(damaged, EXHAUSTED, "an event")
    whole, _ = store.new_table(NAMES, "classic", {})
    sql(url, damage)
    said = f"the table {damaged} is damaged in the database and cannot be read (.*{why}.*): everything is left as it is"
    with pytest.raises(UnreadableTableError, match=said):
        store.table(damaged)
    assert [table for table, _ in store.recent()] == [whole, damaged]
    store.close()
    assert main(["tables", "--db", url]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{whole}  ")
    assert f"{damaged}  the table {damaged} is damaged" in second
    if copied:
        assert backup(tmp_path / "kept.db", url) == restore(tmp_path / "kept.db", other) == 2
        with pytest.raises(UnreadableTableError, match=said):
            Store(other).table(damaged)
        assert Store(other).table(whole).ledger.table.players == NAMES
    else:
        with pytest.raises(UnreadableTableError, match=said):
            backup(tmp_path / "kept.db", url)
        assert not (tmp_path / "kept.db").exists()


def test_the_commands_say_what_is_wrong_in_a_sentence(tmp_path: Path, store: Store, url: str, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        free_port = str(probe.getsockname()[1])
    for arguments, reason in (
        (["serve", "--port", "0", "--db", url], "0 is no port"),
        (["serve", "--port", free_port, "--db", "my tables"], "'my tables' is no database"),
        (["serve", "--port", free_port, "--host", "nowhere.invalid"], "nowhere.invalid is no IPv4 address of this machine"),
        (["serve", "--port", free_port, "--host", "192.0.2.1"], "give one with --host, or 0.0.0.0 for all"),
        (["restore", str(tmp_path / "none.db"), "--db", url], "cannot be opened (No such file or directory)"),
        (["backup", str(tmp_path / "none" / "kept.db"), "--db", url], "cannot be written"),
    ):
        assert main(arguments) == 2
        assert reason in capsys.readouterr().err
