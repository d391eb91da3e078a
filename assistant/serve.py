"""Starting the dashboard and saying where it is."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import segno

from assistant.dashboard.options import STREAMLIT_OPTIONS
from assistant.store import URL_VARIABLE, Store

APP = Path(__file__).parent / "dashboard" / "app.py"
EVERYWHERE = "0.0.0.0"


def serve(host: str, port: int, database: str | None = None) -> int:
    """Runs the dashboard until it is stopped; returns its exit status. The score is kept in `database`, any SQLAlchemy URL.

    Prints the address, and for `0.0.0.0` the address in the local network with a QR code to scan.

    Raises:
        ValueError: when the port is taken, Streamlit is missing or the database cannot be used; the message says what to do.
    """
    if find_spec("streamlit") is None:
        raise ValueError("streamlit is not installed: run pip install istaka again")
    _check_port(host, port)
    environment = dict(os.environ)
    if database is not None:
        Store(database).close()
        environment[URL_VARIABLE] = database
    print(f"istaka: http://{'localhost' if host == EVERYWHERE else host}:{port}", flush=True)
    if host == EVERYWHERE:
        address = f"http://{lan_address()}:{port}"
        print(f"istaka in this network: {address}")
        segno.make(address).terminal(compact=True)
        sys.stdout.flush()
    options = {"server.address": host, "server.port": str(port), "server.headless": "true", **STREAMLIT_OPTIONS}
    command = [sys.executable, "-m", "streamlit", "run", str(APP), *(f"--{name}={value}" for name, value in options.items())]
    try:
        return subprocess.call(command, env=environment, stdout=subprocess.DEVNULL)
    except KeyboardInterrupt:
        return 0


def _check_port(host: str, port: int) -> None:
    """Raises ValueError when the port cannot be had."""
    if not 1 <= port <= 65535:
        raise ValueError(f"{port} is no port: choose one from 1 to 65535")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise ValueError(f"port {port} on {host} cannot be used ({error.strerror}): choose another with --port") from None


def lan_address() -> str:
    """This machine's address in the local network; no packet is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address set aside for documentation: RFC 5737
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
