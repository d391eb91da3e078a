"""Pictures of a real RTSP server: every codec and transport, passwords, and a camera that stalls, goes and comes back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.test_hub import LONG, Blind, desk_with, wait_for_trouble
from tests.vision.test_streams import taken
from tests.vision.test_watch import SAMPLE, SAMPLE_RACK, istaka, shaken
from vision import hub as hub_module
from vision import streams
from vision.camera import captured
from vision.hub import Hub
from vision.sources import load_photo
from vision.trouble import SourceError, Trouble

PYTHON = "/usr/bin/python3"
"""The one to which Debian's packages bring their modules."""
SERVER = Path(__file__).with_name("rtsp_server.py")
NEEDED = "import gi; gi.require_version('GstRtspServer', '1.0')"
PACKAGES = "gir1.2-gst-rtsp-server-1.0 python3-gi gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-ugly"


@pytest.fixture(scope="module", autouse=True)
def gstreamer() -> None:
    """Its RTSP server is there."""
    if not Path(PYTHON).exists() or subprocess.run([PYTHON, "-c", NEEDED], stderr=subprocess.DEVNULL).returncode:
        if os.environ.get("CI"):
            pytest.fail("GStreamer's RTSP server is missing in CI")
        pytest.skip(f"there is no RTSP server here: apt install {PACKAGES}")


class Server:
    """An RTSP server of its own process.

    Attributes:
        port: that it was given, or has found.
        place: its host and port.
    """

    def __init__(self, port: str = "0", frames: Path | None = None) -> None:
        command = [PYTHON, str(SERVER), port, *([] if frames is None else [str(frames)])]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.port = self._process.stdout.readline().strip()
        self.place = f"127.0.0.1:{self.port}"

    def stall(self) -> None:
        """Sends nothing any more, though it stays connected."""
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


@contextmanager
def serving(port: str = "0", frames: Path | None = None) -> Iterator[Server]:
    server = Server(port, frames)
    try:
        yield server
    finally:
        server.kill()


@pytest.fixture(scope="module")
def place() -> Iterator[str]:
    """Where a healthy server is."""
    with serving() as server:
        yield server.place


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    monkeypatch.setattr(hub_module, "LONGEST_PAUSE", 0.5)
    monkeypatch.setattr(streams, "PATIENCE", 3.0)
    desk = desk_with(Blind())
    hub = Hub(desk)
    yield hub
    hub.close()
    desk.close()


@pytest.mark.parametrize("path", ["h264", "jpeg", "h264-udp", "jpeg-udp"])
def test_every_codec_and_transport_is_read(place: str, path: str) -> None:
    for picture in taken(f"rtsp://{place}/{path}", 3):
        assert isinstance(picture, np.ndarray)
        assert picture.shape == (240, 320, 3)
        assert picture.std() > 30, "snow, and no grey"


def test_what_is_damaged_on_its_way_is_said(place: str) -> None:
    with closing(captured(f"rtsp://{place}/lossy")) as pictures:
        assert any(picture is Trouble.TORN for picture in islice(pictures, 200))


def test_a_password_is_asked_for_refused_and_taken(place: str) -> None:
    with pytest.raises(SourceError, match="asks for a password: write rtsp://name:password@"):
        taken(f"rtsp://{place}/locked", 1)
    with pytest.raises(SourceError, match=f"rtsp://{place}/locked does not let this name and password in"):
        taken(f"rtsp://user:secret@{place}/locked", 1)
    assert isinstance(taken(f"rtsp://user:p%40ss%2F1@{place}/locked", 1)[0], np.ndarray)


def test_a_wrong_path_is_said(place: str) -> None:
    with pytest.raises(SourceError, match=f"rtsp://{place}/nowhere answers 404"):
        taken(f"rtsp://{place}/nowhere", 1)


def test_a_camera_that_stalls_is_said_and_goes_on(hub: Hub) -> None:
    with serving() as server, hub.view(f"rtsp://{server.place}/h264") as view:
        frame = view.frame(timeout=LONG)
        assert frame is not None
        server.stall()
        wait_for_trouble(view, Trouble.LOST)
        assert "has broken off" in str(view.error)
        last = view.frame()
        assert last is not None
        server.go_on()
        assert view.frame(after=last.number, timeout=LONG) is not None


def test_a_camera_that_goes_is_said_and_comes_back(hub: Hub) -> None:
    with serving() as server, hub.view(f"rtsp://{server.place}/jpeg") as view:
        assert view.frame(timeout=LONG) is not None
        server.kill()
        wait_for_trouble(view, Trouble.LOST)
        with view._source.changed:
            assert view._source.changed.wait_for(lambda: "does not answer" in str(view.error), LONG)
        last = view.frame()
        assert last is not None
        with serving(server.port):
            assert view.frame(after=last.number, timeout=LONG) is not None
            assert view.trouble is None


def test_a_rack_is_read_until_ctrl_c(tmp_path: Path) -> None:
    picture = cv2.resize(load_photo(SAMPLE), (960, 720), interpolation=cv2.INTER_AREA)
    for number in range(10):
        cv2.imwrite(str(tmp_path / f"{number}.jpg"), shaken(picture, number))
    with serving(frames=tmp_path) as server:
        process = istaka(f"rtsp://{server.place}/rack", "--json")
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["rack"] == SAMPLE_RACK
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert set(errors.splitlines()) <= {f"istaka watch: {trouble.value}" for trouble in Trouble}
