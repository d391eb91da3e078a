"""Tables in a real database: what is added stays, once, whoever writes at the same time and whenever a writer is killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.backup import backup, restore
from assistant.cli import main
from assistant.database import StoreError
from assistant.ledger import read_ledger
from assistant.scoring import EventError
from assistant.store import Store
from tests.assistant.tables import NAMES, SHOWN, UNDO, sql, win


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


def test_only_the_pin_opens_a_table(store: Store) -> None:
    table, pin = store.new_table(NAMES, "classic", {})
    other, _ = store.new_table(NAMES, "classic", {})
    assert store.may_write(table, pin)
    assert not store.may_write(table, "")
    assert not store.may_write(other, pin)


def test_neither_the_pin_nor_a_token_is_in_the_database(store: Store, url: str) -> None:
    table, pin = store.new_table(NAMES, "classic", {})
    token = store.unlock(table, pin)
    kept = [str(value) for name in ("tables", "devices") for row in sql(url, f"SELECT * FROM {name}") for value in row]
    assert kept
    assert not any(secret in value for value in kept for secret in (pin, token))


def test_a_table_has_one_rematch(store: Store, table: str) -> None:
    rematch, _ = store.new_table(NAMES, "classic", {}, first_dealer=1, rematch_of=table)
    assert store.table(table).rematch == store.state(table)[1] == rematch
    with pytest.raises(StoreError, match="started the rematch already"):
        store.new_table(NAMES, "classic", {}, rematch_of=table)


def test_what_cannot_be_is_refused_in_a_sentence(store: Store) -> None:
    with pytest.raises(StoreError, match="there is no table 'nowhere': check the link"):
        store.table("nowhere")
    with pytest.raises(ValueError, match="Okey is played by 2 to 4"):
        store.new_table(["Ayşe"], "classic", {})
    with pytest.raises(ValueError, match="first dealer must be one of the 2 players"):
        store.new_table(["Ayşe", "Burak"], "classic", {}, first_dealer=2)


def test_an_empty_database_gets_the_schema_and_keeps_what_else_it_holds(url: str) -> None:
    sql(url, "CREATE TABLE other (name TEXT)")
    store = Store(url)
    assert store.recent(1) == []
    assert Store(url).table(store.new_table(NAMES, "101", {"deals": 3})[0]).ledger.table.rules.name == "101"


def test_a_newer_database_is_refused(store: Store, url: str) -> None:
    sql(url, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="a newer istaka has written this database: update the program"):
        Store(url)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("my tables", "is no database: write sqlite:///FILE"),
        ("oracle12+nothing://host/name", "is no database"),
        ("sqlite:////no/such/folder/tables.db", "unable to open database file"),
    ],
)
def test_a_database_that_cannot_be_used_gets_a_sentence(url: str, reason: str) -> None:
    with pytest.raises(StoreError, match=reason):
        Store(url)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "photo.db").write_bytes(b"no database" * 100)
    with pytest.raises(StoreError, match="file is not a database"):
        Store(f"sqlite:///{tmp_path / 'photo.db'}")


def test_the_database_is_named_by_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ISTAKA_DB", f"sqlite:///{tmp_path / 'house.db'}")
    Store().new_table(NAMES, "classic", {})
    assert (tmp_path / "house.db").exists()


def test_without_a_name_the_database_is_in_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ISTAKA_DB", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    Store().close()
    assert (tmp_path / "istaka" / "tables.db").exists()


def test_a_backup_brings_everything_back(store: Store, url: str, tmp_path: Path) -> None:
    table, pin = store.new_table(NAMES, "classic", {"start": 10}, first_dealer=2)
    rematch, _ = store.new_table(NAMES, "classic", {}, rematch_of=table)
    for number, new in enumerate((win(1), UNDO, win(2))):
        store.add(table, new, str(number))
    other = f"sqlite:///{tmp_path / 'other.db'}"
    assert backup(tmp_path / "kept.db", url) == restore(tmp_path / "kept.db", other) == 2
    restored = Store(other)
    before, after = store.table(table), restored.table(table)
    assert (after.events, after.created, after.first_dealer, after.rematch) == (before.events, before.created, 2, rematch)
    assert after.ledger.standing == before.ledger.standing
    assert restored.may_write(table, pin)
    assert restored.add(table, win(2), "2") == before.last_line, "an event that was sent before the backup counts once"


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


def test_the_commands_say_what_is_wrong_in_a_sentence(tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, reason in (
        (["serve", "--port", "0", "--db", url], "0 is no port"),
        (["serve", "--db", "my tables"], "'my tables' is no database"),
        (["restore", str(tmp_path / "none.db"), "--db", url], "cannot be opened (No such file or directory)"),
        (["backup", str(tmp_path / "none" / "kept.db"), "--db", url], "cannot be written"),
    ):
        assert main(arguments) == 2
        assert reason in capsys.readouterr().err
