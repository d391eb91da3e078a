"""Worker processes that share the work out: those of this machine, or of a Ray cluster."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, as_completed, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from typing import Any, TypeVar

Job = TypeVar("Job")
Done = TypeVar("Done")

MOST_WORKERS = 1000
"""More processes than any machine here has use for."""
HANDED_OUT = 4
"""So many jobs a process are handed out before the first is done: a long list of jobs need not be in memory."""


class EngineError(ValueError):
    """An engine that is not installed, or whose process died; the message says what to do."""


class LocalPool:
    """Worker processes of this machine, with what is asked of a `multiprocessing.Pool` here.

    That would wait for ever for the work of a process that dies, as the system ends one for lack of memory.
    """

    def __init__(self, workers: int, prepare: Callable[[], object] | None) -> None:
        """See `open_pool`."""
        # a process forked while the networks' or OpenCV's threads hold a lock would wait for it for ever
        self._pool = ProcessPoolExecutor(workers, get_context("spawn"), _begin, (prepare,))
        self._most = HANDED_OUT * workers

    def __enter__(self) -> LocalPool:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def imap_unordered(self, work: Callable[[Job], Done], jobs: Iterable[Job]) -> Iterator[Done]:
        """What `work` makes of each of `jobs`, as it is done. Raises EngineError when a process died."""
        handed_out: set[Future[Done]] = set()
        try:
            for job in jobs:
                with _interrupts_held():  # a process that is begun for the job inherits that
                    handed_out.add(self._pool.submit(work, job))
                if len(handed_out) == self._most:
                    done, handed_out = wait(handed_out, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in done)
            yield from (future.result() for future in as_completed(handed_out))
        except BrokenProcessPool:
            raise EngineError("a worker process died, for lack of memory perhaps: begin again with fewer worker processes") from None


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Holds Ctrl-C back until the end, and in a process that is begun in between until it lets it through itself."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(prepare: Callable[[], object] | None) -> None:
    """The first that a process does: from now on Ctrl-C ends it at once and without a word, which is the main process's."""
    threading.Thread(target=_end_with_main, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if prepare is not None:
        prepare()


def _end_with_main() -> None:
    """Ends this process when the main one has, however that was ended: nobody waits for its work any more."""
    main = parent_process()
    if main is not None:
        main.join()
        os._exit(1)


def open_pool(engine: str, workers: int, prepare: Callable[[], object] | None = None) -> Any:
    """A pool of worker processes: a context with the method `imap_unordered` of `multiprocessing.Pool`.

    Args:
        engine: one of `assistant.arguments.ENGINES`.
        workers: how many processes.
        prepare: called once in each process before its first work.

    Raises:
        EngineError: when Ray is wanted and not installed.
    """
    if engine == "ray":
        try:
            from ray.util.multiprocessing import Pool
        except ImportError:
            raise EngineError("Ray is not installed: run pip install 'istaka[ray]', or leave --engine ray out") from None
        return Pool(workers, initializer=prepare)
    return LocalPool(workers, prepare)
