"""Whoever has lost the right to write while a page was being drawn writes nothing more; the page of the score has tests of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from assistant.dashboard import keep, win_form
from assistant.dashboard.score_texts import YOU_WATCH
from assistant.store import SavedTable, Store
from tests.assistant.tables import NAMES, win


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SavedTable:
    """A table to which this visitor may not write any more, and any attempt fails the test."""
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    table, _ = store.new_table(NAMES, "classic", {})
    for page in (keep, win_form):
        monkeypatch.setattr(page, "may_write", lambda _: False)
        monkeypatch.setattr(page, "store", lambda: pytest.fail("something was written"))
    return store.table(table)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the visitor is told."""
    said: list[str] = []
    monkeypatch.setattr("streamlit.error", said.append)
    return said


def test_a_win_is_not_written_down(saved: SavedTable, told: list[str]) -> None:
    win_form._write(saved, win(0), b"%PDF a card")
    assert told == [YOU_WATCH]


def test_a_verdict_is_not_kept(saved: SavedTable, told: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def first(_label: str, options: Mapping[Any, str], _key: str) -> Any:
        return next(iter(options))

    monkeypatch.setattr(keep, "own_tables", lambda _: [saved])
    monkeypatch.setattr(keep, "choose", first)
    monkeypatch.setattr("streamlit.button", lambda *_, **__: True)
    keep._keep_at_table(None)
    assert told == [YOU_WATCH]
