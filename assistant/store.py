"""Tables and their ledgers in a database: SQLite in the user's data folder, or any that SQLAlchemy knows.

Events are only ever added, one transaction each, and are on disk before `add` returns. A line number and an event's own id
are unique within a table: of two that write at once one reads again, and an event that is sent twice counts once.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, TypeVar

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from platformdirs import user_data_path
from sqlalchemy import JSON, URL, Connection, Engine, ForeignKey, UniqueConstraint, create_engine, event, func, make_url, select
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from assistant.ledger import Ledger, table_of
from assistant.scoring import Event

URL_VARIABLE = "ISTAKA_DB"
MIGRATIONS = Path(__file__).with_name("migrations")
FIRST_EVENT = 2
"""The line of a ledger's first event; line 1 is the table."""
BUSY_S = 30
"""How long a writer waits for another one."""
ATTEMPTS = 50
"""How often a writer that another one overtook reads again."""
ID_LETTERS, ID_LENGTH = "abcdefghjkmnpqrstuvwxyz23456789", 10
"""A table's public id: about 50 bits, without letters that look alike."""
PIN_LENGTH = 6
SCRYPT = {"n": 2**14, "r": 8, "p": 1}
ONE_AT_A_TIME = {"sqlite": "BEGIN IMMEDIATE", "postgresql": "SELECT pg_advisory_xact_lock(7215)"}
"""By kind of database, what keeps a second program waiting while the first one changes the schema."""


class StoreError(ValueError):
    """A database that cannot be used, or a table that it does not hold; the message is a sentence for the user."""


class _Base(DeclarativeBase):
    type_annotation_map = {dict[str, Any]: JSON, list[str]: JSON}  # noqa: RUF012  as SQLAlchemy reads it


class _TableRow(_Base):
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
    rematch_of: Mapped[int | None] = mapped_column(ForeignKey("tables.id"), unique=True)


class _EventRow(_Base):
    __tablename__ = "events"
    __table_args__ = (UniqueConstraint("table_id", "event_id"),)

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    line: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    event: Mapped[dict[str, Any]]
    event_id: Mapped[str]
    added: Mapped[datetime]


_Row = TypeVar("_Row", _TableRow, _EventRow)


@dataclass(frozen=True)
class SavedEvent:
    """An event as it was added, whatever was corrected later; the time is UTC."""

    line: int
    event: Event
    added: datetime


@dataclass(frozen=True)
class SavedTable:
    """A table as the database holds it.

    Attributes:
        id: its public id.
        description: the first line of its ledger: rules, players, options.
        first_dealer: who dealt first; the deal passes to the right.
        created: when, UTC.
        events: all that was ever added, in order.
        ledger: what they come to.
        rematch: the public id of the game played after it with the same people, once there is one.
    """

    id: str
    description: Mapping[str, Any]
    first_dealer: int
    created: datetime
    events: tuple[SavedEvent, ...]
    ledger: Ledger
    rematch: str | None

    @property
    def last_line(self) -> int:
        """The line that was added last."""
        return FIRST_EVENT - 1 + len(self.events)

    def text(self) -> str:
        """The ledger as `istaka score` reads it, a JSON object a line."""
        lines = [self.description, *(saved.event for saved in self.events)]
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


class Store:
    """The tables of a database.

    Args:
        url: any SQLAlchemy URL; without one the environment's ISTAKA_DB, or a file in the user's data folder.

    Raises:
        StoreError: when the database cannot be opened, or a newer istaka has written it.
    """

    def __init__(self, url: str | URL | None = None) -> None:
        self._engine = _engine(url or os.environ.get(URL_VARIABLE) or default_url())
        with _one_sentence():
            _migrate(self._engine)

    def close(self) -> None:
        """Closes all connections."""
        self._engine.dispose()

    def new_table(
        self,
        players: Sequence[str],
        rules: str,
        options: Mapping[str, object],
        first_dealer: int = 0,
        rematch_of: str | None = None,
        pin: str | None = None,
    ) -> tuple[str, str]:
        """Makes a table and returns its public id and the PIN that writing needs; the PIN itself is not kept.

        Without a PIN, as people who play on have one, a new one is made.

        Raises:
            ValueError: with a sentence, when the rules do not allow such a table.
        """
        description = {"rules": rules, "players": list(players), "options": dict(options)}
        table_of(description)
        if not 0 <= first_dealer < len(players):
            raise StoreError(f"the first dealer must be one of the {len(players)} players")
        pin = pin or "".join(secrets.choice("0123456789") for _ in range(PIN_LENGTH))
        salt = secrets.token_bytes(16)
        public_id = "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))
        with self._session() as session:
            before = _row(session, rematch_of).id if rematch_of else None
            session.add(
                _TableRow(
                    public_id=public_id,
                    **description,
                    first_dealer=first_dealer,
                    created=_now(),
                    pin_salt=salt,
                    pin_hash=_hash(pin, salt),
                    rematch_of=before,
                )
            )
            try:
                session.commit()
            except IntegrityError:
                raise StoreError("somebody has started the rematch already: it is linked from this table") from None
        return public_id, pin

    def table(self, public_id: str) -> SavedTable:
        """The table and all its events. Raises StoreError."""
        with self._session() as session:
            row = _row(session, public_id)
            events = _events(session, row)
            rematch = session.scalar(select(_TableRow.public_id).where(_TableRow.rematch_of == row.id))
            return SavedTable(row.public_id, _description(row), row.first_dealer, row.created, events, _ledger(row, events), rematch)

    def state(self, public_id: str) -> tuple[int, str | None]:
        """The line that was added last and the rematch: whether a page is still up to date. Raises StoreError."""
        with self._session() as session:
            row = _row(session, public_id)
            last = session.scalar(select(func.max(_EventRow.line)).where(_EventRow.table_id == row.id))
            return last or FIRST_EVENT - 1, session.scalar(select(_TableRow.public_id).where(_TableRow.rematch_of == row.id))

    def may_write(self, public_id: str, pin: str) -> bool:
        """Whether this is the table's PIN. Raises StoreError."""
        with self._session() as session:
            row = _row(session, public_id)
            return hmac.compare_digest(_hash(pin, row.pin_salt), row.pin_hash)

    def add(self, public_id: str, new: Event, event_id: str) -> int:
        """Adds an event to a ledger and returns its line. One with an id that is there already is not added again.

        Raises:
            EventError: when the rules do not allow the event.
            StoreError: when the event could not be written.
        """
        for _ in range(ATTEMPTS):
            with self._session() as session:
                row = _row(session, public_id)
                there = session.scalar(select(_EventRow.line).where(_EventRow.table_id == row.id, _EventRow.event_id == event_id))
                if there is not None:
                    return there
                events = _events(session, row)
                line = FIRST_EVENT + len(events)
                _ledger(row, events).add(line, new)
                session.add(_EventRow(table_id=row.id, line=line, event=dict(new), event_id=event_id, added=_now()))
                try:
                    session.commit()
                except IntegrityError:  # another writer took the line, or sent this same event
                    continue
                return line
        raise StoreError("too many write to this table at once: try again")

    def recent(self, count: int) -> list[tuple[str, tuple[str, ...]]]:
        """The tables made last, newest first: the public id and the players of each."""
        with self._session() as session:
            rows = session.execute(select(_TableRow.public_id, _TableRow.players).order_by(_TableRow.id.desc()).limit(count))
            return [(public_id, tuple(players)) for public_id, players in rows]

    def copy_to(self, other: Store) -> int:
        """Copies all tables and their events to a database that holds none, all or nothing; returns how many tables.

        Raises:
            StoreError: when the other one holds tables.
        """
        with self._session() as here, other._session() as there:
            if there.scalar(select(_TableRow.id).limit(1)) is not None:
                raise StoreError(f"the database holds tables already: name an empty one with --db or {URL_VARIABLE}")
            new_ids: dict[int | None, int] = {}
            for row in here.scalars(select(_TableRow).order_by(_TableRow.id)).all():
                copied = _copy(row, id=None, rematch_of=new_ids.get(row.rematch_of))
                there.add(copied)
                there.flush()
                new_ids[row.id] = copied.id
                events = here.scalars(select(_EventRow).where(_EventRow.table_id == row.id))
                there.add_all(_copy(event, table_id=copied.id) for event in events)
            there.commit()
            return len(new_ids)

    @contextmanager
    def _session(self) -> Iterator[Session]:
        with _one_sentence(), Session(self._engine) as session:
            yield session


def sqlite_url(path: Path) -> URL:
    """The database in a file."""
    return URL.create("sqlite", database=str(path))


def default_url() -> URL:
    """The database in the user's data folder, which is made if it is not there. Raises StoreError."""
    try:
        folder = user_data_path("istaka", appauthor=False, ensure_exists=True)
    except OSError as error:
        raise StoreError(f"the data folder cannot be made ({error}): name a database with {URL_VARIABLE}") from None
    return sqlite_url(folder / "tables.db")


@contextmanager
def _one_sentence() -> Iterator[None]:
    """Turns what a database complains about into a StoreError."""
    try:
        yield
    except SQLAlchemyError as error:
        reason = error.orig if isinstance(error, DBAPIError) else error
        raise StoreError(f"the database cannot be used ({' '.join(str(reason).split())}): check --db or {URL_VARIABLE}") from error


def _engine(url: str | URL) -> Engine:
    """The engine for a URL. Raises StoreError."""
    try:
        parsed = make_url(url)
        sqlite = parsed.get_backend_name() == "sqlite"
        engine = create_engine(parsed, pool_pre_ping=not sqlite, connect_args={"timeout": BUSY_S} if sqlite else {})
    except (ArgumentError, NoSuchModuleError):
        raise StoreError(f"{url!r} is no database: write sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME") from None
    except ModuleNotFoundError as error:
        raise StoreError(f"{error.name} is not installed, which this database needs: run pip install {error.name}") from None
    if sqlite:
        event.listen(engine, "connect", _set_up_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _: object) -> None:
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _migrate(engine: Engine) -> None:
    """Brings the schema up to date. Raises StoreError when it is newer than this program."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    with engine.begin() as connection:
        if _is_current(connection, scripts):
            return
    with engine.begin() as connection:
        if engine.dialect.name in ONE_AT_A_TIME:
            connection.exec_driver_sql(ONE_AT_A_TIME[engine.dialect.name])
        if not _is_current(connection, scripts):  # while it waited another program may have done it
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def _is_current(connection: Connection, scripts: ScriptDirectory) -> bool:
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision is not None and revision not in {script.revision for script in scripts.walk_revisions()}:
        raise StoreError("a newer istaka has written this database: update the program with pip install --upgrade istaka")
    return revision == scripts.get_current_head()


def _copy(row: _Row, **changed: object) -> _Row:
    """A row for another database."""
    return type(row)(**{column.key: getattr(row, column.key) for column in row.__table__.columns} | changed)


def _row(session: Session, public_id: str) -> _TableRow:
    row = session.scalar(select(_TableRow).where(_TableRow.public_id == public_id))
    if row is None:
        raise StoreError(f"there is no table {public_id!r}: check the link")
    return row


def _events(session: Session, row: _TableRow) -> tuple[SavedEvent, ...]:
    rows = session.scalars(select(_EventRow).where(_EventRow.table_id == row.id).order_by(_EventRow.line))
    return tuple(SavedEvent(saved.line, saved.event, saved.added) for saved in rows)


def _description(row: _TableRow) -> dict[str, Any]:
    return {"rules": row.rules, "players": row.players, "options": row.options}


def _ledger(row: _TableRow, events: Sequence[SavedEvent]) -> Ledger:
    ledger = Ledger(table_of(_description(row)))
    for saved in events:
        ledger.add(saved.line, saved.event)
    return ledger


def _hash(pin: str, salt: bytes) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, **SCRYPT)


def _now() -> datetime:
    return datetime.now(timezone.utc).replace(tzinfo=None)  # SQLite keeps no time zone: all times are UTC
