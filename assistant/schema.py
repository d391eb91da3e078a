"""What the database of the tables holds, row by row; `migrations/` makes it, and changes what earlier versions made."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, ForeignKeyConstraint, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """A row of any of the database's tables."""

    type_annotation_map = {dict[str, Any]: JSON, list[str]: JSON}  # noqa: RUF012  as SQLAlchemy reads it


class TableRow(Base):
    """A table that is played at: who plays what, and what its PIN is compared with."""

    __tablename__ = "tables"

    id: Mapped[int] = mapped_column(primary_key=True)
    public_id: Mapped[str] = mapped_column(unique=True)
    players: Mapped[list[str]]
    rules: Mapped[str]
    options: Mapped[dict[str, Any]]
    first_dealer: Mapped[int]
    created: Mapped[datetime]
    pin_salt: Mapped[bytes]
    pin_hash: Mapped[bytes]
    wrong_pins: Mapped[int]
    pin_locked_until: Mapped[datetime | None]
    rematch_of: Mapped[int | None] = mapped_column(ForeignKey("tables.id"), unique=True)


class HeldRow(Base):
    """What belongs to a table that is played at."""

    __abstract__ = True

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), primary_key=True, sort_order=-1)  # first of the key


class EventRow(HeldRow):
    """One event of its ledger, never changed."""

    __tablename__ = "events"
    __table_args__ = (UniqueConstraint("table_id", "event_id"),)

    line: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    event: Mapped[dict[str, Any]]
    event_id: Mapped[str]
    added: Mapped[datetime]


class DeviceRow(HeldRow):
    """A device that may write to it."""

    __tablename__ = "devices"

    token_hash: Mapped[bytes] = mapped_column(primary_key=True)
    unlocked: Mapped[datetime]


class EvidenceRow(HeldRow):
    """A picture or a document that it keeps."""

    __tablename__ = "evidence"
    __table_args__ = (ForeignKeyConstraint(["table_id", "line"], ["events.table_id", "events.line"]),)

    id: Mapped[str] = mapped_column(primary_key=True)
    line: Mapped[int | None]
    mime: Mapped[str]
    size: Mapped[int]
    content: Mapped[bytes]
    made: Mapped[datetime]
