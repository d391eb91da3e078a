"""How `istaka serve` ends: quietly, and with the server that it has started."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys

import pytest

from tests.dashboard.conftest import PATIENCE_S, ROOT, free_port


@pytest.mark.parametrize("asked", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_quietly_with_its_server_when_it_is_asked_to(database: str, asked: signal.Signals) -> None:
    port = free_port()
    command = [sys.executable, "-m", "assistant", "serve", "--port", str(port), "--db", database]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        while not _answers(port):
            with pytest.raises(subprocess.TimeoutExpired):  # it goes on
                process.wait(0.2)
        process.send_signal(asked)
        _, said = process.communicate(timeout=PATIENCE_S)
        assert (process.returncode, said) == (0, "")
        assert not _answers(port)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex(("localhost", port)) == 0
