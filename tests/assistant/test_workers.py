"""Worker processes: the same work whatever the engine, each process prepared once, and a sentence where Ray is missing."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import psutil
import pytest

from assistant.cli import main
from assistant.workers import EngineError, open_pool

PREPARED = "ISTAKA_TEST_PREPARED"


def prepare() -> None:
    os.environ[PREPARED] = "yes"


def prepared_square(number: int) -> tuple[int, str | None]:
    return number * number, os.environ.get(PREPARED)


def test_every_process_is_prepared_and_every_piece_of_work_done() -> None:
    with open_pool("local", 2, prepare) as pool:
        done = sorted(pool.imap_unordered(prepared_square, range(20)))
    assert done == [(number * number, "yes") for number in range(20)]
    assert PREPARED not in os.environ


def test_jobs_without_end_are_handed_out_as_others_are_done() -> None:
    with open_pool("local", 2, prepare) as pool:
        done = {square for square, _ in itertools.islice(pool.imap_unordered(prepared_square, itertools.count()), 30)}
    assert len(done) == 30


def die_at_seven(number: int) -> int:
    if number == 7:
        os._exit(1)
    return number


def test_a_process_that_dies_is_told_instead_of_waited_for() -> None:
    with pytest.raises(EngineError, match="a worker process died"), open_pool("local", 2) as pool:
        list(pool.imap_unordered(die_at_seven, range(20)))


def _let_ctrl_c_through() -> None:
    """What a shell begins in the background, as these tests may be, is deaf to Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is no signal to a group of processes there")
@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("later_s", [0, 0.1, 1.5])
def test_ctrl_c_ends_all_processes_without_a_word(workers: int, later_s: float) -> None:
    command = [sys.executable, "-m", "assistant", "simulate", "--deals", "1000000", "--workers", str(workers)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, preexec_fn=_let_ctrl_c_through
    ) as running:
        while len(psutil.Process(running.pid).children()) < workers + 1:  # that of multiprocessing itself, too
            time.sleep(0.01)
        time.sleep(later_s)
        os.killpg(running.pid, signal.SIGINT)
        out, err = running.communicate()
    assert (running.returncode, out) == (130, "")
    assert "Traceback" not in err
    assert "Error" not in err


def test_who_stops_early_gets_no_more_work_done(tmp_path: Path) -> None:
    with open_pool("local", 1) as pool:
        next(pool.imap_unordered(partial(note, tmp_path), range(200)))
    assert 1 <= len(list(tmp_path.iterdir())) < 100


def note(folder: Path, number: int) -> None:
    (folder / str(number)).touch()
    time.sleep(0.05)


def test_without_ray_a_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "ray.util.multiprocessing", None)
    with pytest.raises(EngineError, match="pip install"):
        open_pool("ray", 2)
    assert main(["simulate", "--deals", "10", "--engine", "ray"]) == 2
    shown = capsys.readouterr()
    assert "Ray is not installed" in shown.err
    assert "Traceback" not in shown.err


def test_worker_processes_end_with_the_main_one_however_that_was_ended() -> None:
    command = [sys.executable, "-m", "assistant", "simulate", "--deals", "1000000", "--workers", "2"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        main_process = psutil.Process(running.pid)
        begun = time.monotonic()
        while len(workers := main_process.children(recursive=True)) < 2 and time.monotonic() - begun < 60:
            time.sleep(0.1)
        time.sleep(3)  # so that they work
        running.kill()
    _, left = psutil.wait_procs(workers, timeout=60)
    assert not left
