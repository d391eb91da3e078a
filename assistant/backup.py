"""All tables of a database in one file, and back. The file is a database itself: `--db sqlite:///FILE` opens it."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from assistant.database import StoreError, sqlite_url
from assistant.store import Store


def backup(file: Path, url: str | None = None) -> int:
    """Writes all tables to a new file, while others go on writing, and returns how many. Raises StoreError."""
    if file.exists():
        raise StoreError(f"{file} is there already: choose another name")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tables.db"
        copied = _copied(Store(url), Store(sqlite_url(path)))
        try:
            shutil.move(path, file)
        except OSError as error:
            raise StoreError(f"{file} cannot be written ({error.strerror}): choose another place") from None
    return copied


def restore(file: Path, url: str | None = None) -> int:
    """Brings the tables of a backup into a database that holds none, and returns how many. Raises StoreError."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tables.db"  # a backup of an older istaka is brought up to date in a copy
        try:
            shutil.copyfile(file, path)
        except OSError as error:
            raise StoreError(f"{file} cannot be opened ({error.strerror}): give the path of a backup") from None
        return _copied(Store(sqlite_url(path)), Store(url))


def _copied(source: Store, target: Store) -> int:
    try:
        return source.copy_to(target)
    finally:
        source.close()
        target.close()
