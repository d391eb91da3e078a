"""The databases that the store is tested on: SQLite, and a PostgreSQL server that the tests start for themselves."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from uuid import uuid4

import pytest
from sqlalchemy import create_engine

from assistant.store import Store

KINDS = ("sqlite", "postgresql")
DEBIAN = Path("/usr/lib/postgresql")
OWNERS = ("postgres", "nobody")
"""Users that may run the server where the tests run as root, which PostgreSQL refuses."""


def programs() -> Path | None:
    """The folder of the newest PostgreSQL server's programs."""
    debian = sorted(DEBIAN.glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    found = debian[-1] if debian else shutil.which("initdb")
    return Path(found).resolve().parent if found else None


def owner() -> str | None:
    """The user that runs the server; None is whoever runs the tests."""
    if os.geteuid() != 0:
        return None
    users = {user.pw_name for user in pwd.getpwall()}
    return next(name for name in OWNERS if name in users)


@contextmanager
def postgresql_server(*settings: str) -> Iterator[str]:
    """Runs a PostgreSQL server with these settings on a socket of its own; gives the URL of its database."""
    programs_folder = programs()
    if programs_folder is None:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL is missing in CI")
        pytest.skip("there is no PostgreSQL here: apt install postgresql")
    user = owner()
    folder = Path(mkdtemp(prefix="istaka-postgresql-"))  # the path of a socket must be short, and open to its owner
    if user is not None:
        shutil.chown(folder, user)

    def run(program: str, *arguments: str) -> None:
        command = [str(programs_folder / program), "-D", str(folder / "data"), *arguments]
        subprocess.run(command, check=True, user=user, cwd=folder, stdout=subprocess.DEVNULL)

    try:
        run("initdb", "--username=istaka", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
        options = " ".join(f"-c {setting}" for setting in ("listen_addresses=''", f"unix_socket_directories={folder}", *settings))
        run("pg_ctl", "start", "--wait", "--silent", "--log", str(folder / "log"), "--options", options)
        try:
            yield f"postgresql+psycopg://istaka@/postgres?host={folder}"
        finally:
            run("pg_ctl", "stop", "--wait", "--silent", "--mode", "immediate")
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of a server that all tests share; it does not wait for its disk, as nothing kills it."""
    with postgresql_server("fsync=off") as url:
        yield url


def new_schema(postgresql: str) -> str:
    """The URL of a new, empty schema, which is made sooner than a database and is as much apart from others."""
    name = f"tables_{uuid4().hex}"
    engine = create_engine(postgresql)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"CREATE SCHEMA {name}")
    engine.dispose()
    return f"{postgresql}&options=-csearch_path%3D{name}"


def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a new database of the kind that the fixture is asked for."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / request.fixturename}.db"
    return new_schema(request.getfixturevalue("postgresql"))


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a new database, of each kind."""
    return new_url(request, tmp_path)


@pytest.fixture(params=KINDS)
def other(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of another new database, of each kind."""
    return new_url(request, tmp_path)


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """A store of a new database, of each kind."""
    opened = Store(url)
    yield opened
    opened.close()
