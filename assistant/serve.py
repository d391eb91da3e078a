"""Starting the dashboard and saying where it is."""

from __future__ import annotations

import errno
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path

import psutil
import segno

from assistant.certificate import kept_certificate
from assistant.dashboard.options import STREAMLIT_OPTIONS
from assistant.database import URL_VARIABLE
from assistant.store import Store
from assistant.tiles import quoted

APP = Path(__file__).parent / "dashboard" / "server.py"
EVERYWHERE = "0.0.0.0"
CAMERAS_VARIABLE = "ISTAKA_CAMERAS"
"""The environment variable with the cameras that everyone may look through, one a line."""
GRACE_S = 0.5
"""Seconds that the server has to end by itself; whatever it keeps can bear to be cut off."""
PHONE_WARNS = (
    "The phone will warn once that the connection is not private, because this computer vouches for itself: tap “Show Details” and "
    "“visit this website” on an iPhone, “Advanced” and “Proceed” on Android."
)


def serve(host: str, port: int, database: str | None = None, https: bool = False, cameras: Sequence[str] = ()) -> int:
    """Runs the dashboard until it is stopped; returns its exit status.

    Prints the address, and for `0.0.0.0` the addresses in the local network, the first with a QR code to scan.

    Args:
        database: where the score is kept, any SQLAlchemy URL.
        https: encrypted: browsers give a page the camera only so, or on this machine.
        cameras: numbers of this computer's cameras, or addresses of cameras in the network, through which every visitor may look.

    Raises:
        ValueError: when the port is taken, the host is not this machine, Streamlit is missing, or the database or the certificate
            cannot be used; the message says what to do.
    """
    if find_spec("streamlit") is None:
        raise ValueError("streamlit is not installed: run pip install istaka again")
    _check_port(host, port)
    environment = dict(os.environ)
    if database is not None:
        environment[URL_VARIABLE] = database
    if URL_VARIABLE in environment:  # of the user's data folder the pages say themselves when it cannot be used: hands are judged without
        Store(environment[URL_VARIABLE]).close()
    if cameras:
        environment[CAMERAS_VARIABLE] = "\n".join(cameras)
    options = {"server.address": host, "server.port": str(port), "server.headless": "true", **STREAMLIT_OPTIONS}
    if https:
        certificate = str(kept_certificate(_names(host)))
        options |= {"server.sslCertFile": certificate, "server.sslKeyFile": certificate}
    _say_where("https" if https else "http", host, port)
    command = [sys.executable, "-m", "streamlit", "run", str(APP), *(f"--{name}={value}" for name, value in options.items())]
    return _run(command, environment)


def _run(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Runs the server until it ends or this process is asked to; it does not outlive this process."""
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    asked = threading.Event()

    def stop(*_: object) -> None:
        asked.set()
        server.terminate()  # a terminal's Ctrl-C reaches it by itself, but of that alone it says "Aborted!"
        hard = threading.Timer(GRACE_S, server.kill)
        hard.daemon = True
        hard.start()

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    status = server.wait()
    return 0 if asked.is_set() else status


def _say_where(scheme: str, host: str, port: int) -> None:
    """Prints the addresses of the dashboard."""
    print(f"istaka: {scheme}://{'localhost' if host == EVERYWHERE else host}:{port}", flush=True)
    if host == EVERYWHERE:
        in_network = [f"{scheme}://{address}:{port}" for address in lan_addresses()]
        print(f"istaka in this network: {' or '.join(in_network) or 'none, this computer is not connected'}")
        if in_network:
            segno.make(in_network[0]).terminal(compact=True)
    if scheme == "https":
        print(PHONE_WARNS)
    sys.stdout.flush()


def _names(host: str) -> set[str]:
    """Every name and address under which a browser may reach this machine."""
    machine = socket.gethostname()
    names = {"localhost", "127.0.0.1", "::1", machine, f"{machine.partition('.')[0]}.local", *lan_addresses()}
    if host != EVERYWHERE:
        names.add(host)
    return {name for name in names if name and name.isascii()}


def _check_port(host: str, port: int) -> None:
    """Raises ValueError when the port cannot be had, or not at this host."""
    if not 1 <= port <= 65535:
        raise ValueError(f"{port} is no port: choose one from 1 to 65535")
    if not host:
        raise ValueError(f"--host is empty: give an address of this machine, or {EVERYWHERE} for all")
    with socket.socket() as probe:
        if os.name != "nt":  # where it would let two servers have one port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (TypeError, UnicodeError):  # no name that could be looked up
            raise ValueError(f"{quoted(host)} is no IPv4 address of this machine: give one with --host, or {EVERYWHERE} for all") from None
        except OSError as error:
            if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
                raise ValueError(
                    f"{host} is no IPv4 address of this machine ({error.strerror}): give one with --host, or {EVERYWHERE} for all"
                ) from None
            raise ValueError(f"port {port} on {host} cannot be used ({error.strerror}): choose another with --port") from None


def lan_address() -> str:
    """This machine's address in the local network; no packet is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address set aside for documentation: RFC 5737
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def lan_addresses() -> list[str]:
    """This machine's IPv4 addresses in all its networks, first the one in the network that leads out."""
    state = psutil.net_if_stats()
    found = [
        entry.address
        for interface, entries in psutil.net_if_addrs().items()
        for entry in entries
        if entry.family == socket.AF_INET and interface in state and state[interface].isup
    ]
    outward = lan_address()
    usable = [address for address in found if not ip_address(address).is_loopback and not ip_address(address).is_link_local]
    return sorted(usable, key=lambda address: address != outward)
