"""The tables that the pages read: each once for all visitors, until something is written to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.dashboard import score_page, tables
from assistant.store import SavedTable, Store
from tests.assistant.tables import NAMES, win


def test_a_table_is_read_once_for_every_page_until_something_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    table, pin = store.new_table(NAMES, "classic", {})
    store.unlock(table, pin, "a phone")
    monkeypatch.setattr(tables, "store", lambda: store)
    monkeypatch.setattr(tables, "device", lambda: "a phone")
    drawn: list[SavedTable] = []
    monkeypatch.setattr(score_page, "table_page", drawn.append)
    monkeypatch.setattr(score_page.st, "query_params", {tables.TABLE: table})
    score_page.score_page()
    (own,) = tables.own_tables(5)
    assert own is drawn[0] is tables.as_it_stands(table)
    store.add(table, win(1), "elsewhere")
    assert tables.as_it_stands(table).ledger.standing.scores == (18, 20, 18, 18)
