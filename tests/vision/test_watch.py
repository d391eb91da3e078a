"""`istaka watch` as another program calls it: a folder of frames, a stream, a source that is none, and the end by Ctrl-C."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.mjpeg import Send, answering, jpeg, part, serving
from vision.sources import load_photo
from vision.straighten import Picture

SAMPLE = Path(__file__).resolve().parents[2] / "assistant" / "dashboard" / "sample.jpg"
SAMPLE_RACK = "R3 R4 R5 | K9 B9 Y9 | J / B10 B11 B12 B13 | Y1 K1 R1 | R8"


def istaka(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "assistant", "watch", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def sample() -> Picture:
    return cv2.resize(load_photo(SAMPLE), (960, 720), interpolation=cv2.INTER_AREA)


def shaken(picture: Picture, seed: int) -> Picture:
    """A frame from a trembling hand, with the noise of a sensor."""
    rng = np.random.default_rng(seed)
    shift = np.float32([[1, 0, rng.uniform(-3, 3)], [0, 1, rng.uniform(-3, 3)]])
    moved = cv2.warpAffine(picture, shift, (960, 720), borderMode=cv2.BORDER_REPLICATE)
    return np.clip(moved + rng.normal(0, 2, moved.shape), 0, 255).astype(np.uint8)


def without_last_tile(picture: Picture) -> Picture:
    """The sample after the tile at the right end of the lower row was taken away."""
    bare = picture.copy()
    cv2.rectangle(bare, (698, 250), (782, 360), (22, 42, 72), -1)
    return bare


def test_a_folder_gives_a_reading_whenever_it_has_changed_and_settled(tmp_path: Path, sample: Picture) -> None:
    black = np.zeros_like(sample)
    frames = [shaken(sample, seed) for seed in range(9)] + [black] * 2 + [shaken(without_last_tile(sample), seed) for seed in range(14)]
    for number, frame in enumerate(frames):
        cv2.imwrite(str(tmp_path / f"{number}.jpg"), frame)
    first = istaka(str(tmp_path), "--json").communicate(timeout=120)
    lines = [json.loads(line) for line in first[0].splitlines()]
    assert [line["rack"] for line in lines] == [SAMPLE_RACK, SAMPLE_RACK.removesuffix(" | R8")]
    assert [line["indicator"] for line in lines] == ["B8", "B8"]
    assert lines[0]["frame"] < 9
    assert lines[1]["frame"] > 12, "a hidden tile is not gone at once"
    assert all(line["time"] == pytest.approx(line["frame"] / 10) for line in lines)
    assert {"frame", "time", "size", "rack", "indicator", "tiles", "warnings", "ms"} <= set(lines[0])
    assert "photo" not in lines[0]
    assert first[1] == ""


def test_a_stream_is_watched_until_ctrl_c(sample: Picture) -> None:
    pictures = [part(jpeg(shaken(sample, seed))) for seed in range(10)]

    def script(send: Send, over: threading.Event) -> None:
        number = 0
        while not over.wait(0.05):
            send(pictures[number % 10])
            number += 1

    with serving(script) as server:
        process = istaka(server.address)
        assert process.stdout is not None
        assert SAMPLE_RACK in process.stdout.readline()
        assert server.clients == 1
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (0, "")
        server.wait_for(lambda camera: camera.connected == 0)


def test_a_second_ctrl_c_ends_what_the_first_one_waits_for() -> None:
    def script(_request: str, _send: Send, over: threading.Event) -> None:
        asked.set()
        over.wait()

    asked = threading.Event()
    with answering(script) as address:
        process = istaka(address)
        assert asked.wait(60)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) in (0, -signal.SIGINT)


def test_a_recording_in_which_nothing_lies_still_is_said(tmp_path: Path, sample: Picture) -> None:
    cv2.imwrite(str(tmp_path / "0.jpg"), sample)
    process = istaka(str(tmp_path))
    assert process.communicate(timeout=120) == ("", f"istaka watch: no tiles in {tmp_path} lay still for long enough to be told\n")
    assert process.returncode == 0


def test_what_is_no_source_gets_one_sentence(tmp_path: Path) -> None:
    with serving(lambda *_: None, status=404) as server:
        for source, words in ((str(tmp_path / "none.mp4"), "does not exist"), (server.address.replace("//", "//u:secret@"), "answers 404")):
            process = istaka(source)
            said, errors = process.communicate(timeout=60)
            assert (process.returncode, said) == (2, "")
            assert words in errors
            assert errors.count("\n") == 1
            assert "secret" not in errors
