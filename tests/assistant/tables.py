"""What the tests of the store share: a table's people and deals, and the database asked past the store."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import create_engine

from assistant.store import Store

NAMES = ("Ayşe", "Burak", "Cem", "Deniz")
SHOWN, EXHAUSTED, UNDO = {"event": "indicator_shown", "by": 0}, {"event": "exhausted"}, {"event": "undo"}


def win(by: int, hand: str = "melds") -> dict[str, Any]:
    return {"event": "win", "by": by, "hand": hand, "okey_last": False, "colour": None}


def sql(url: str, *statements: str) -> list[Any]:
    """What the database itself answers to the last of the statements."""
    engine = create_engine(url)
    with engine.begin() as connection:
        for statement in statements:
            done = connection.exec_driver_sql(statement)
        rows = list(done) if done.returns_rows else []
    engine.dispose()
    return rows


def saved_earlier(url: str, players: tuple[str, ...], rules: str, options: Mapping[str, object], *events: Mapping[str, Any]) -> str:
    """A table as another version of the program has saved it, whatever this one says to it; returns its public id."""
    store = Store(url)
    table, _ = store.new_table(players, rules, {})
    store.close()
    (number,) = sql(url, f"UPDATE tables SET options = '{json.dumps(options)}' WHERE public_id = '{table}' RETURNING id")
    values = [
        f"({number[0]}, {line}, '{json.dumps(event)}', 'saved {line}', '2026-03-14 20:00:00')" for line, event in enumerate(events, start=2)
    ]
    if values:
        sql(url, f"INSERT INTO events (table_id, line, event, event_id, added) VALUES {', '.join(values)}")
    return table


def event_ids(url: str) -> list[str]:
    """The ids of all events, as the database has them."""
    return [event_id for (event_id,) in sql(url, "SELECT event_id FROM events ORDER BY table_id, line")]
