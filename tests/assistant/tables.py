"""What the tests of the store share: a table's people and deals, and the database asked past the store."""

from __future__ import annotations

from typing import Any

from sqlalchemy import create_engine

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


def event_ids(url: str) -> list[str]:
    """The ids of all events, as the database has them."""
    return [event_id for (event_id,) in sql(url, "SELECT event_id FROM events ORDER BY table_id, line")]
