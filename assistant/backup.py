"""All tables of a database in one file, and back. The file is a database itself: `--db sqlite:///FILE` opens it."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from assistant.database import StoreError, sqlite_url
from assistant.store import Store


def backup(file: Path, url: str | None = None) -> int:
    """Writes all tables to a new file, while others go on writing, and returns how many. Raises StoreError."""
    for there in (file, Path(f"{file}-wal")):  # SQLite would read an old log as what was last written to the new file
        if there.exists():
            raise StoreError(f"{there} is there already: choose another name")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tables.db"
        copied = _copied(Store(url, new=False), Store(sqlite_url(path)))
        try:
            shutil.move(path, file)
        except OSError as error:
            with suppress(OSError):  # what was written of it looks like a backup
                file.unlink()
            raise StoreError(f"{file} cannot be written ({error.strerror}): choose another place") from None
    return copied


def restore(file: Path, url: str | None = None) -> int:
    """Brings the tables of a backup into a database that holds none, and returns how many. Raises StoreError."""
    if file.exists() and not file.is_file() and not file.is_dir():  # a device may have no end
        raise StoreError(f"{file} is no file: give the path of a backup")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tables.db"  # a backup of an older istaka is brought up to date in a copy
        try:
            _copy_file(file.resolve(), path)
            revision, problem = _inspected(path)
        except OSError as error:
            raise StoreError(f"{file} cannot be opened ({error.strerror}): give the path of a backup") from None
        except sqlite3.DatabaseError:  # no database, or one without tables of istaka
            revision, problem = None, ""
        if revision is None:
            raise StoreError(f"{file} is no backup of istaka: give a file that istaka backup has written")
        if problem != "ok":
            raise StoreError(f"{file} is damaged: give another backup")
        return _copied(Store(sqlite_url(path)), Store(url))


def _copy_file(file: Path, path: Path) -> None:
    """Copies a database with what stands only in its log: a program has it open, or was killed. Raises OSError, sqlite3.DatabaseError."""
    log = Path(f"{file}-wal")
    if not log.exists():  # SQLite would leave a log beside a file that it only reads
        shutil.copyfile(file, path)
        return
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as source, closing(sqlite3.connect(path)) as target:
            source.backup(target)
    except sqlite3.OperationalError:  # where SQLite cannot write beside the file, as on a read-only medium: nobody has it open
        shutil.copyfile(file, path)
        shutil.copyfile(log, Path(f"{path}-wal"))


def _inspected(path: Path) -> tuple[str | None, str]:
    """The revision of a database's schema, if there is one, and what SQLite finds wrong with it, or "ok". Raises sqlite3.DatabaseError."""
    with closing(sqlite3.connect(path)) as copy:
        row = copy.execute("SELECT version_num FROM alembic_version, (SELECT count(*) FROM tables)").fetchone()
        try:
            (problem,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
        except sqlite3.DatabaseError as error:
            problem = str(error)
        return row and row[0], problem


def _copied(source: Store, target: Store) -> int:
    try:
        return source.copy_to(target)
    finally:
        source.close()
        target.close()
