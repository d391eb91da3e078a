"""Tables and their ledgers in a database: SQLite in the user's data folder, or a house's PostgreSQL.

Events are only ever added, one transaction each, and are on disk before `add` returns. Those who write to one table do so
one after the other, on every device and in every process; an event that is sent twice counts once.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from threading import Lock
from typing import TypeVar

from sqlalchemy import URL, delete, func, select
from sqlalchemy.orm import Session, defer

from assistant import pins
from assistant.database import SNAPSHOT, URL_VARIABLE, WRITES, StoreError, one_sentence, open_database
from assistant.ledger import CHANGES, Ledger
from assistant.reasons import Reason
from assistant.rules import OptionError, UnknownRulesError
from assistant.schema import Base, DeviceRow, EventRow, EvidenceRow, HeldRow, TableRow
from assistant.scoring import Event, EventError
from assistant.table import in_one_line, table_of

FIRST_EVENT = 2
"""The line of a ledger's first event; line 1 is the table."""
ID_LETTERS, ID_LENGTH = "abcdefghjkmnpqrstuvwxyz23456789", 10
"""A table's public id: about 50 bits, without letters that look alike."""
LARGEST_EVIDENCE = 8 * 2**20
"""Bytes of the largest picture or document that a table keeps."""
FROM_FILE = "imported-"
"""How the ids of events begin that came with a file."""
AT_ONCE = 20
"""How many rows are in memory at once while tables are copied."""
SIGNATURES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"%PDF-": "application/pdf"}
"""How the files begin that can be evidence, and what kind each is."""

_Row = TypeVar("_Row", bound=Base)


class WrongPinError(StoreError):
    """A PIN that does not open the table.

    Attributes:
        wait_s: how long no PIN is tried at all, in whole seconds; 0 when another may be entered at once.
    """

    def __init__(self, wait_s: int) -> None:
        tired = f"too many wrong PINs were entered: wait {wait_s} seconds, then try again"
        super().__init__(tired if wait_s else "this is not the table's PIN: ask whoever made the table")
        self.wait_s = wait_s


class UnreadableTableError(StoreError):
    """A table that is there, with something that this program cannot read: all other tables are as they are."""


@dataclass(frozen=True)
class SavedEvent:
    """An event as it was added, whatever was corrected later; the time is UTC, of one that came with a file when that was brought."""

    line: int
    event: Event
    added: datetime
    from_file: bool


@dataclass(frozen=True)
class SavedTable:
    """A table as the database holds it.

    Attributes:
        id: its public id.
        created: when, UTC.
        events: all that was ever added, in order.
        ledger: what they come to.
        rematch: the public id of the game played after it with the same people, once there is one.
    """

    id: str
    created: datetime
    events: tuple[SavedEvent, ...]
    ledger: Ledger
    rematch: str | None

    @property
    def first_dealer(self) -> int:
        """Who dealt first; the deal passes to the right."""
        return self.ledger.table.first_dealer

    @property
    def from_file(self) -> bool:
        """Whether its deals, or the first of them, came with a file."""
        return any(saved.from_file for saved in self.events)

    @property
    def last_line(self) -> int:
        """The line that was added last."""
        return FIRST_EVENT - 1 + len(self.events)

    def text(self) -> str:
        """The ledger as `istaka score` reads it, a JSON object a line.

        It refuses what no new table can have any more: a table that keeps such options or events moves only with `istaka backup`.
        """
        lines = [self.ledger.table.to_json(), *(saved.event for saved in self.events)]
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


@dataclass(frozen=True)
class Evidence:
    """A picture or a document that a table keeps, without its content.

    Attributes:
        id: its id within the table.
        line: the line of the event that it proves; None when it belongs to the table as a whole.
        mime: `image/png`, `image/jpeg` or `application/pdf`.
        size: bytes.
        made: when it was added, UTC.
    """

    id: str
    line: int | None
    mime: str
    size: int
    made: datetime


class Store:
    """The tables of a database.

    Args:
        url: a SQLAlchemy URL of SQLite or PostgreSQL; without one the environment's ISTAKA_DB, or a file in the user's data folder.
        new: whether a SQLite database that is not there is made.

    Raises:
        StoreError: when the database cannot be opened, or a newer istaka has written it.
    """

    def __init__(self, url: str | URL | None = None, new: bool = True) -> None:
        self._engine = open_database(url, new)
        # Writers of one program queue here: at a SQLite file they would look now and then whether it is free, and the unlucky one
        # waits long; at PostgreSQL each would hold a connection while it waits, and leave none for those who read.
        self._turn = Lock()

    def close(self) -> None:
        """Closes all connections."""
        self._engine.dispose()

    def new_table(self, players: Sequence[str], rules: str, options: Mapping[str, object], first_dealer: int = 0) -> tuple[str, str]:
        """Makes a table and returns its public id and the PIN that writing needs; the PIN itself is not kept.

        Raises:
            ValueError: with a sentence, when the rules do not allow such a table.
        """
        description = {"rules": rules, "players": list(players), "options": dict(options), "first_dealer": first_dealer}
        return self.import_table(Ledger(table_of(description)))

    def import_table(self, ledger: Ledger) -> tuple[str, str]:
        """Makes a table with a ledger that was kept elsewhere, all or nothing; returns its public id and its PIN."""
        pin = pins.new_pin()
        salt, pin_hash = pins.hashed(pin)
        said, lines = ledger.table.to_json(), {old: new for new, old in enumerate(ledger.lines, start=FIRST_EVENT)}
        with self._writing() as session:
            row = TableRow(
                public_id=_new_id(),
                players=said["players"],
                rules=said["rules"],
                options=said["options"],
                first_dealer=ledger.table.first_dealer,
                created=_now(),
                pin_salt=salt,
                pin_hash=pin_hash,
                wrong_pins=0,
            )
            session.add(row)
            session.flush()
            for old, event in ledger.lines.items():
                names_a_line = event["event"] in CHANGES and "line" in event
                moved = {**event, "line": lines[event["line"]]} if names_a_line else event
                session.add(EventRow(table_id=row.id, line=lines[old], event=moved, event_id=f"{FROM_FILE}{old}", added=_now()))
            return row.public_id, pin

    def rematch(self, public_id: str, first_dealer: int) -> str:
        """Makes the table of the next game with the same people, rules, PIN and unlocked devices; returns its public id.

        Raises:
            StoreError: when there is one already.
        """
        with self._writing() as session:
            row = _row(session, public_id, lock=True)
            if _rematch(session, row) is not None:
                raise StoreError(Reason("somebody has started the rematch already: it is linked from this table"))
            kept = {"wrong_pins": 0, "pin_locked_until": None}
            new = _copy(row, id=None, public_id=_new_id(), first_dealer=first_dealer, created=_now(), rematch_of=row.id, **kept)
            session.add(new)
            session.flush()
            devices = session.scalars(select(DeviceRow).where(DeviceRow.table_id == row.id))
            session.add_all([_copy(device, table_id=new.id) for device in devices])
            return new.public_id

    def table(self, public_id: str) -> SavedTable:
        """The table and all its events.

        Raises:
            UnreadableTableError: when it holds what this program cannot read.
            StoreError: when there is no such table.
        """
        with self._reading() as session:
            row = _row(session, public_id)
            events = _events(session, row)
            return SavedTable(row.public_id, row.created, events, _ledger(row, events), _rematch(session, row))

    def state(self, public_id: str) -> tuple[int, str | None]:
        """The line that was added last and the rematch: whether a page is still up to date. Raises StoreError."""
        with self._reading() as session:
            row = _row(session, public_id)
            last = session.scalar(select(func.max(EventRow.line)).where(EventRow.table_id == row.id))
            return last or FIRST_EVENT - 1, _rematch(session, row)

    def add(self, public_id: str, new: Event, event_id: str, evidence: Sequence[bytes] = (), seen: int | None = None) -> int:
        """Adds an event to a ledger, with what proves it, and returns its line. One with an id that is there already is not added again.

        Args:
            seen: the last line that its writer knew, if what others have changed since is not to be changed unseen.

        Raises:
            EventError: when the rules do not allow the event, or it changes what has been changed after `seen`.
            StoreError: when the event could not be written, or the evidence cannot be kept.
        """
        with self._writing() as session:
            row = _row(session, public_id, lock=True)
            there = session.scalar(select(EventRow.line).where(EventRow.table_id == row.id, EventRow.event_id == event_id))
            if there is not None:
                return there
            events = _events(session, row)
            line = FIRST_EVENT + len(events)
            _ledger(row, events).add(line, new, seen)
            session.add(EventRow(table_id=row.id, line=line, event=dict(new), event_id=event_id, added=_now()))
            session.flush()
            for content in evidence:
                _keep(session, row, content, line)
            return line

    # Who may write

    def unlock(self, public_id: str, pin: str, device: str) -> None:
        """Lets a device write that has the PIN.

        Args:
            device: a random token that it keeps, of which the database has only a hash.

        Raises:
            WrongPinError: when it is not the PIN, or too many wrong ones were entered a short while ago.
            StoreError: when there is no such table.
        """
        self._with_pin(public_id, pin, device, new_pin=None)

    def change_pin(self, public_id: str, pin: str, new_pin: str, device: str) -> None:
        """Gives a table another PIN and takes the right to write from all devices but this one.

        Raises:
            WrongPinError: as `unlock`.
            StoreError: when the new one is no PIN, or there is no such table.
        """
        if not pins.is_pin(new_pin):
            raise StoreError(f"a PIN is {pins.SHORTEST} to {pins.LONGEST} digits")
        self._with_pin(public_id, pin, device, new_pin)

    def _with_pin(self, public_id: str, pin: str, device: str, new_pin: str | None) -> None:
        """Lets a device write that has the PIN, after the PIN was changed if there is a new one. Raises as `unlock`."""
        with self._writing() as session:
            row = _row(session, public_id, lock=True)
            wait_s = _try_pin(row, pin)
            if wait_s is None:
                if new_pin is not None:
                    row.pin_salt, row.pin_hash = pins.hashed(new_pin)
                    session.execute(delete(DeviceRow).where(DeviceRow.table_id == row.id))
                session.merge(DeviceRow(table_id=row.id, token_hash=_token_hash(device), unlocked=_now()))
        if wait_s is not None:  # raised only now, when the wrong PIN is counted
            raise WrongPinError(wait_s)

    def is_unlocked(self, public_id: str, device: str) -> bool:
        """Whether a device may write to the table. Raises StoreError."""
        with self._reading() as session:
            return session.get(DeviceRow, (_row(session, public_id).id, _token_hash(device))) is not None

    # Evidence

    def add_evidence(self, public_id: str, content: bytes, line: int | None = None) -> str:
        """Keeps a picture or a document, for the event of a line if it proves one; returns its id. The same one is kept once.

        Raises:
            StoreError: when it is no PNG, JPEG or PDF, or too large, or there is no such table or line.
        """
        with self._writing() as session:
            return _keep(session, _row(session, public_id, lock=True), content, line)

    def evidence(self, public_id: str) -> tuple[Evidence, ...]:
        """All that a table keeps, the oldest first. Raises StoreError."""
        with self._reading() as session:
            table_id = _row(session, public_id).id
            chosen = select(EvidenceRow).where(EvidenceRow.table_id == table_id).options(defer(EvidenceRow.content))
            rows = session.scalars(chosen.order_by(EvidenceRow.made, EvidenceRow.id))
            return tuple(Evidence(row.id, row.line, row.mime, row.size, row.made) for row in rows)

    def evidence_content(self, public_id: str, evidence_id: str) -> bytes:
        """The bytes of one piece of evidence. Raises StoreError."""
        with self._reading() as session:
            row = session.get(EvidenceRow, (_row(session, public_id).id, evidence_id))
            if row is None:
                raise StoreError(f"the table keeps no evidence {evidence_id!r}: check the link")
            return row.content

    # All tables

    def recent(self, count: int | None = None, device: str | None = None) -> list[tuple[str, tuple[str, ...]]]:
        """The tables made last, newest first: the public id and the players of each; only those that a device may write to, if named."""
        chosen = select(TableRow.public_id, TableRow.players).order_by(TableRow.id.desc()).limit(count)
        if device is not None:
            chosen = chosen.join(DeviceRow).where(DeviceRow.token_hash == _token_hash(device))
        with self._reading() as session:
            rows = session.execute(chosen)
            # of a damaged row, whatever stands there: the table can be told, and opening it says what is wrong
            return [(public_id, tuple(map(str, names if isinstance(names, list) else [names]))) for public_id, names in rows]

    def copy_to(self, other: Store) -> int:
        """Copies all tables with all that they hold to a database that holds none, all or nothing; returns how many tables.

        Raises:
            UnreadableTableError: when a table holds what cannot be copied.
            StoreError: when the other one holds tables.
        """
        with self._reading(**SNAPSHOT[self._engine.dialect.name]) as here, other._writing() as there:
            if there.scalar(select(TableRow.id).limit(1)) is not None:
                raise StoreError(f"the database holds tables already: name an empty one with --db or {URL_VARIABLE}")
            new_ids: dict[int | None, int] = {}
            kinds: tuple[type[HeldRow], ...] = (EventRow, DeviceRow, EvidenceRow)  # evidence names events
            for table_id, public_id in here.execute(select(TableRow.id, TableRow.public_id).order_by(TableRow.id)).all():
                with _undamaged(public_id):
                    row = _row(here, public_id)
                    copied = _copy(row, id=None, rematch_of=new_ids.get(row.rematch_of))
                    there.add(copied)
                    there.flush()
                    new_ids[table_id] = copied.id
                    for kind in kinds:
                        held = select(kind).where(kind.table_id == table_id).execution_options(yield_per=AT_ONCE)
                        for part in here.scalars(held).partitions():
                            there.add_all(_copy(one, table_id=copied.id) for one in part)
                            there.flush()
            return len(new_ids)

    @contextmanager
    def _reading(self, **options: str) -> Iterator[Session]:
        """A transaction that only reads."""
        with one_sentence(), Session(self._engine) as session:
            session.connection(execution_options=options)
            yield session

    @contextmanager
    def _writing(self) -> Iterator[Session]:
        """A transaction that writes, and is on disk when it is left without an error."""
        with self._turn, one_sentence(), Session(self._engine) as session:
            session.connection(execution_options=WRITES)
            yield session
            session.commit()


@contextmanager
def _undamaged(public_id: str) -> Iterator[None]:
    """Turns what a row of a table holds and no column can hold into an UnreadableTableError."""
    try:
        yield
    except StoreError:
        raise
    except (ValueError, TypeError) as error:
        why = Reason(
            "the table {name} is damaged in the database and cannot be read ({why}): everything is left as it is, look for the table in a "
            "backup",
            name=public_id,
            why=str(error),
        )
        raise UnreadableTableError(why) from error


def _row(session: Session, public_id: str, lock: bool = False) -> TableRow:
    """The table, locked until the transaction ends for those who write to it. Raises StoreError."""
    row = None
    if public_id.isascii() and public_id.isalnum():  # as every id is; what else there is no database may take
        chosen = select(TableRow).where(TableRow.public_id == public_id)
        with _undamaged(public_id):
            row = session.scalar(chosen.with_for_update() if lock else chosen)
    if row is None:
        raise StoreError(Reason("there is no table {name!r}: check the link", name=public_id))
    return row


def _rematch(session: Session, row: TableRow) -> str | None:
    return session.scalar(select(TableRow.public_id).where(TableRow.rematch_of == row.id))


def _events(session: Session, row: TableRow) -> tuple[SavedEvent, ...]:
    rows = session.scalars(select(EventRow).where(EventRow.table_id == row.id).order_by(EventRow.line))
    with _undamaged(row.public_id):
        return tuple(SavedEvent(saved.line, saved.event, saved.added, saved.event_id.startswith(FROM_FILE)) for saved in rows)


def _ledger(row: TableRow, events: Sequence[SavedEvent]) -> Ledger:
    """What the events come to. Raises UnreadableTableError."""
    with _undamaged(row.public_id):
        if not isinstance(row.players, list) or not all(isinstance(name, str) for name in row.players):
            raise ValueError("its players are no list of names")
        for saved in events:
            if not isinstance(saved.event, dict):
                raise ValueError(f"line {saved.line} is no JSON object")
    description = {"rules": row.rules, "players": row.players, "options": row.options, "first_dealer": row.first_dealer}
    try:
        return Ledger(table_of(description, kept=True), {saved.line: saved.event for saved in events})
    except (EventError, OptionError, UnknownRulesError) as error:
        why = Reason(
            "the table of {players} was saved by another version of istaka, and this one cannot read it ({why}): nothing of it is lost, "
            "update the program and open it again",
            players=", ".join(map(in_one_line, row.players)),
            why=getattr(error, "reason", None) or str(error),
        )
        raise UnreadableTableError(why) from error


def _try_pin(row: TableRow, pin: str) -> int | None:
    """Tries a PIN and counts it when it is wrong: None when it is right, else how many seconds to wait for the next."""
    now = _now()
    locked = timedelta(0) if row.pin_locked_until is None else row.pin_locked_until - now
    if timedelta(0) < locked <= timedelta(seconds=pins.LONGEST_WAIT_S):  # of a longer one the clock was wrong and has been put right
        return 1 + locked // timedelta(seconds=1)  # not tried at all
    if pins.matches(pin, row.pin_salt, row.pin_hash):
        row.wrong_pins, row.pin_locked_until = 0, None
        return None
    row.wrong_pins += 1
    wait_s = pins.wait_s(row.wrong_pins)
    row.pin_locked_until = now + timedelta(seconds=wait_s)
    return wait_s


def _keep(session: Session, row: TableRow, content: bytes, line: int | None) -> str:
    """Adds evidence unless it is there, and returns its id. Raises StoreError."""
    mime = next((kind for signature, kind in SIGNATURES.items() if content.startswith(signature)), None)
    if mime is None:
        raise StoreError("evidence must be a PNG, a JPEG or a PDF")
    if len(content) > LARGEST_EVIDENCE:
        raise StoreError(f"the evidence has {len(content)} bytes: at most {LARGEST_EVIDENCE} are kept, choose a smaller picture")
    if line is not None and session.get(EventRow, (row.id, line)) is None:
        raise StoreError(f"the table has no event in line {line} that evidence could belong to")
    evidence_id = hashlib.sha256(f"{line} ".encode() + content).hexdigest()
    if session.get(EvidenceRow, (row.id, evidence_id)) is None:
        session.add(EvidenceRow(table_id=row.id, id=evidence_id, line=line, mime=mime, size=len(content), content=content, made=_now()))
    return evidence_id


def _copy(row: _Row, **changed: object) -> _Row:
    """A row for another place."""
    return type(row)(**{column.key: getattr(row, column.key) for column in row.__table__.columns} | changed)


def _new_id() -> str:
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def _token_hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()  # a token is random: it needs no slow hash


def _now() -> datetime:
    return datetime.now(timezone.utc).replace(tzinfo=None)  # SQLite keeps no time zone: all times are UTC
