"""The database that the store works on: SQLite or PostgreSQL, opened, locked while written to, and brought up to date."""

from __future__ import annotations

import json
import os
import sqlite3
import time
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from platformdirs import user_data_path
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SAWarning, SQLAlchemyError

from assistant.reasons import Reason

URL_VARIABLE = "ISTAKA_DB"
MIGRATIONS = Path(__file__).with_name("migrations")
BUSY_S = 30
"""How long a writer waits for another one."""
WRITES = {"istaka_writes": True}
"""As execution options: a transaction that writes. SQLite then lets one in at a time, instead of refusing the later one."""
SNAPSHOT = {"sqlite": {}, "postgresql": {"isolation_level": "REPEATABLE READ"}}
"""By kind of database, execution options under which everything that is read is of one moment."""
MIGRATING = 7215
"""PostgreSQL's advisory lock that keeps a second program waiting while the first one changes the schema."""
DRIVERS = {"psycopg": "istaka[postgresql]"}
"""What brings a driver that is not installed."""


class StoreError(ValueError):
    """A database that cannot be used, or a table that it does not hold; the message is a sentence for the user.

    Attributes:
        reason: why, with its parts; None where only who runs the program can help.
    """

    def __init__(self, why: Reason | str) -> None:
        super().__init__(str(why))
        self.reason = why if isinstance(why, Reason) else None


def open_database(url: str | URL | None, new: bool = True) -> Engine:
    """The engine for a URL, by default the one of the environment or a file in the user's data folder; its schema is up to date.

    Args:
        new: whether a SQLite database that is not there is made.

    Raises:
        StoreError: when the database cannot be opened, or a newer istaka has written it.
    """
    engine = _engine(url or os.environ.get(URL_VARIABLE) or default_url())
    if engine.dialect.name == "sqlite":
        file = engine.url.database
        if not file or file == ":memory:":
            raise StoreError(f"{engine.url} names no file, and would keep nothing: write sqlite:///FILE")
        if "uri" in engine.url.query and not file.startswith("file:"):  # SQLite would open another file, whose name has a question mark
            raise StoreError(f"{engine.url} names its file in another way than SQLite's own URIs: write sqlite:///file:{file}?…&uri=true")
        if not new and "uri" not in engine.url.query and not Path(file).exists():
            raise StoreError(f"there is no database at {file}: check --db or {URL_VARIABLE}")
        if _is_foreign(Path(file)):
            raise StoreError(f"{file} is another program's database: name a file of istaka's own")
    with one_sentence():
        _migrate(engine)
    return engine


def _is_foreign(file: Path) -> bool:
    """Whether a SQLite file holds tables, none of which are istaka's. It is only read; of what cannot be, whoever opens it says why."""
    if not file.is_file():
        return False
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", timeout=BUSY_S, uri=True)) as connection:
            found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'")
            names = {name for (name,) in found}
    except sqlite3.Error:
        return False
    return bool(names - {"alembic_version"}) and not names >= {"alembic_version", "tables"}


def sqlite_url(path: Path) -> URL:
    """The database in a file."""
    return URL.create("sqlite", database=str(path))


def default_url() -> URL:
    """The database in the user's data folder, which is made if it is not there. Raises StoreError."""
    try:
        folder = user_data_path("istaka", appauthor=False, ensure_exists=True)
    except OSError as error:
        raise StoreError(f"the data folder cannot be made ({error}): name a database with {URL_VARIABLE}") from None
    except RuntimeError:  # as of a service's user
        raise StoreError(f"there is no home folder: name a database with --db or {URL_VARIABLE}") from None
    return sqlite_url(folder / "tables.db")


@contextmanager
def one_sentence() -> Iterator[None]:
    """Turns what a database complains about into a StoreError."""
    try:
        yield
    except SQLAlchemyError as error:
        reason = " ".join(str(error.orig if isinstance(error, DBAPIError) else error).split())
        what_to_do = "copy it to a folder that you may write to" if "readonly database" in reason else f"check --db or {URL_VARIABLE}"
        raise StoreError(f"the database cannot be used ({reason}): {what_to_do}") from error


def _engine(url: str | URL) -> Engine:
    """The engine for a URL. Raises StoreError."""
    try:
        parsed = make_url(url)
        if parsed.drivername in ("postgresql", "postgres"):  # as other programs write it, without a driver
            parsed = parsed.set(drivername="postgresql+psycopg")
        kind = parsed.get_backend_name()
        if kind not in SNAPSHOT:
            raise StoreError(f"{kind} is no database for istaka: choose SQLite or PostgreSQL")
        sqlite = kind == "sqlite"
        own = {"connect_args": {"timeout": BUSY_S}, "json_deserializer": _json_or_text} if sqlite else {"pool_pre_ping": True}
        with warnings.catch_warnings():
            warnings.simplefilter("error", SAWarning)
            engine = create_engine(parsed, **own)
    except StoreError:
        raise
    except SAWarning as warning:  # of what the URL asks for and the driver would pass over
        raise StoreError(f"the database's URL cannot be used ({str(warning).partition(';')[0]}): check --db or {URL_VARIABLE}") from None
    except (ArgumentError, NoSuchModuleError):
        raise StoreError(f"{url!r} is no database: write sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME") from None
    except (TypeError, ValueError) as error:  # a figure in the URL that is none, or stands there twice
        raise StoreError(f"the database's URL cannot be read ({error}): check --db or {URL_VARIABLE}") from None
    except ImportError as error:
        library = error.name or parsed.get_driver_name()
        raise StoreError(
            f"{library} is not installed, which this database needs: run pip install '{DRIVERS.get(library, library)}'"
        ) from None
    if sqlite:
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _json_or_text(text: str) -> Any:
    """What a column of JSON holds; where it is damaged, its text, so that all else can still be read."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _set_up_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # Python's driver begins no transaction of its own: `_begin_sqlite` does
    _keep_a_log_ahead(connection)
    for pragma in ("synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _keep_a_log_ahead(connection: Any) -> None:
    """Turns write-ahead logging on; SQLite does not wait itself while another program does that to a new database."""
    given_up = time.monotonic() + BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > given_up:
                raise
        time.sleep(0.01)


def _begin_sqlite(connection: Connection) -> None:
    writes = WRITES.items() <= connection.get_execution_options().items()
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _migrate(engine: Engine) -> None:
    """Brings the schema up to date. Raises StoreError when it is newer than this program."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    with engine.begin() as connection:
        if _is_current(connection, scripts):
            return
    with engine.connect().execution_options(**WRITES) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATING})")
        if not _is_current(connection, scripts):  # while it waited another program may have done it
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def _is_current(connection: Connection, scripts: ScriptDirectory) -> bool:
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision is not None and revision not in {script.revision for script in scripts.walk_revisions()}:
        raise StoreError("a newer istaka has written this database: update the program with pip install --upgrade istaka")
    return revision == scripts.get_current_head()
