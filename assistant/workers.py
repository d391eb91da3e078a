"""Worker processes that share the work out: those of this machine, or of a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

ENGINES = ("local", "ray")
"""`local` for processes on this machine, `ray` for the cluster at RAY_ADDRESS, or one begun here."""


class EngineError(ValueError):
    """An engine that is not installed; the message says how to get it."""


def open_pool(engine: str, workers: int, prepare: Callable[[], object] | None = None) -> Any:
    """A pool of worker processes with the methods of `multiprocessing.Pool`.

    Args:
        engine: one of ENGINES.
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
    from multiprocessing import get_context

    # a process forked while the networks' or OpenCV's threads hold a lock would wait for it for ever
    return get_context("spawn").Pool(workers, initializer=prepare)
