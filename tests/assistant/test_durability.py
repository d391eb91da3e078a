"""Events that were acknowledged are there, once, in their order: writers that are killed, two at once, fifty at one table."""

from __future__ import annotations

import multiprocessing
import random
import sqlite3
import statistics
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, closing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from assistant.store import Store
from tests.assistant.conftest import KINDS, postgresql_server
from tests.assistant.tables import EXHAUSTED, NAMES, event_ids

KILLS, MANY_KILLS = 25, 2000
KILLS_A_TABLE = 10
"""Kills after which a fresh table is taken: a ledger is read whole for every event."""
LONGEST_LIFE_S = 0.05
"""The longest that a writer lives after its first event: a few more, the last of them torn somewhere in the middle."""
DEVICES = 50


def write(url: str, table: str, writer: str, count: int) -> None:
    """Adds so many events, as another process."""
    store = Store(url)
    for number in range(count):
        store.add(table, EXHAUSTED, f"{writer}-{number}")


def write_until_killed(url: str, table: str, writer: str, acknowledge: Connection) -> None:
    """Adds events and tells the id of each that is in the ledger."""
    store = Store(url)
    for number in range(10_000):
        event_id = f"{writer}-{number}"
        store.add(table, EXHAUSTED, event_id)
        acknowledge.send(event_id)


@pytest.fixture(scope="module")
def processes() -> Any:
    """Processes that start at once and share nothing with this one."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


def at_once(jobs: list[Callable[[], None]]) -> None:
    """Runs all of them in threads of their own, started together."""
    barrier = threading.Barrier(len(jobs))

    def run(job: Callable[[], None]) -> None:
        barrier.wait()
        job()

    with ThreadPoolExecutor(len(jobs)) as threads:
        list(threads.map(run, jobs))


def kill_writers(url: str, processes: Any, kills: int) -> None:
    """Kills so many writers, one after the other and each somewhere in its work, and checks what they left."""
    chance = random.Random(7)
    store = Store(url)
    tables: list[str] = []
    acknowledged: list[str] = []
    for kill in range(kills):
        if kill % KILLS_A_TABLE == 0:
            tables.append(store.new_table(NAMES, "classic", {})[0])
        told, telling = processes.Pipe(duplex=False)
        writer = processes.Process(target=write_until_killed, args=(url, tables[-1], f"writer {kill}", telling))
        writer.start()
        telling.close()
        acknowledged.append(told.recv())
        time.sleep(chance.uniform(0, LONGEST_LIFE_S))  # the moment of the kill is the test: it waits for nothing
        writer.kill()
        writer.join()
        try:
            while True:
                acknowledged.append(told.recv())
        except EOFError:
            told.close()
    for table in tables:  # one more, as whoever holds a lock from a killed writer would not let it in
        store.add(table, EXHAUSTED, f"{table} last")
        acknowledged.append(f"{table} last")
    there = event_ids(url)
    assert set(acknowledged) <= set(there), "an acknowledged event is lost"
    assert len(set(there)) == len(there), "an event is there twice"
    assert len(there) <= len(acknowledged) + kills, "at most the one event that was being written is not acknowledged"
    for table in tables:
        saved = store.table(table)
        assert [event.line for event in saved.events] == list(range(2, saved.last_line + 1))
        assert saved.ledger.standing.deals == len(saved.events)
    store.close()


def test_a_killed_writer_loses_nothing_acknowledged_and_doubles_nothing(url: str, processes: Any) -> None:
    kill_writers(url, processes, KILLS)


@pytest.mark.slow
def test_thousands_of_killed_writers(url: str, processes: Any) -> None:
    kill_writers(url, processes, MANY_KILLS)


def test_two_processes_write_at_once(store: Store, url: str, processes: Any) -> None:
    table, _ = store.new_table(NAMES, "classic", {})
    writers = [processes.Process(target=write, args=(url, table, writer, 20)) for writer in "ab"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0]
    assert sorted(event_ids(url)) == sorted(f"{writer}-{number}" for writer in "ab" for number in range(20))


def test_the_same_event_sent_by_many_at_once_counts_once(store: Store, url: str) -> None:
    table, _ = store.new_table(NAMES, "classic", {})
    for number in range(10):
        at_once([lambda number=number: store.add(table, EXHAUSTED, str(number))] * 4)
    assert event_ids(url) == [str(number) for number in range(10)]


def test_many_open_a_new_database_at_once(url: str, processes: Any) -> None:
    openers = [processes.Process(target=Store, args=(url,)) for _ in range(4)]
    for opener in openers:
        opener.start()
    for opener in openers:
        opener.join()
    assert [opener.exitcode for opener in openers] == [0] * 4


def test_a_new_sqlite_database_that_another_program_writes_to_is_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    with ThreadPoolExecutor(1) as threads, closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("CREATE TABLE notes (text)")
        opened = threads.submit(Store, f"sqlite:///{file}")
        wait([opened], timeout=0.3)
        assert not opened.done(), "SQLite itself refuses it at once, whatever its timeout"
        other.execute("COMMIT")
        opened.result(timeout=30).close()


def sit_at_one_table(store: Store, events: int) -> tuple[list[float], list[float]]:
    """As many devices as a crowd holds write and read at one table; returns the seconds of every write and every reading."""
    table, _ = store.new_table(NAMES, "classic", {})
    writes: list[float] = []
    readings: list[float] = []

    def device(name: int) -> None:
        seen = 0
        for number in range(events):
            begun = time.perf_counter()
            line = store.add(table, EXHAUSTED, f"{name}-{number}")
            written = time.perf_counter()
            last = store.table(table).last_line
            readings.append(time.perf_counter() - written)
            writes.append(written - begun)
            assert last >= line > seen, "what a device has written it sees, in order"
            seen = line

    at_once([lambda name=name: device(name) for name in range(DEVICES)])
    saved = store.table(table)
    assert [event.line for event in saved.events] == list(range(2, 2 + DEVICES * events))
    return writes, readings


def test_fifty_devices_at_one_table(store: Store, url: str) -> None:
    sit_at_one_table(store, events=2)
    assert sorted(event_ids(url)) == sorted(f"{name}-{number}" for name in range(DEVICES) for number in range(2))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_how_fast_fifty_devices_write(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ExitStack() as stack:
        url = f"sqlite:///{tmp_path / 'tables.db'}" if kind == "sqlite" else stack.enter_context(postgresql_server())
        store = Store(url)
        stack.callback(store.close)
        begun = time.perf_counter()
        writes, readings = sit_at_one_table(store, events=10)
        rate = len(writes) / (time.perf_counter() - begun)
    with capsys.disabled():
        print(f"\n{kind}: {DEVICES} devices write {rate:.0f} events a second, each of which its writer reads back with all the rest")
        for name, seconds in (("a write", writes), ("a reading", readings)):
            print(f"  {name}: median {1000 * statistics.median(seconds):.0f} ms, worst {1000 * max(seconds):.0f} ms")
