"""`istaka read` and `istaka check` on photos, as another program calls them."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

from PIL import Image

from tests.dashboard.photos import WIN, photo_of

SAMPLE = Path(__file__).resolve().parents[2] / "assistant" / "dashboard" / "sample.jpg"


def istaka(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "assistant", *arguments], capture_output=True, text=True, check=False)


def test_photos_that_cannot_be_read_get_a_line_and_the_others_are_read(tmp_path: Path) -> None:
    sample = SAMPLE.read_bytes()
    tiny, huge = io.BytesIO(), io.BytesIO()
    Image.new("RGB", (1, 1)).save(tiny, "PNG")
    Image.new("1", (10_000, 10_000)).save(huge, "PNG")
    bad = {
        "empty.jpg": b"",
        "text.jpg": b"hello",
        "cut.jpg": sample[: len(sample) // 2],
        "tiny.png": tiny.getvalue(),
        "huge.png": huge.getvalue(),
    }
    for name, data in bad.items():
        (tmp_path / name).write_bytes(data)
    photos = [*(str(tmp_path / name) for name in bad), str(tmp_path / "missing.jpg"), str(SAMPLE)]
    done = istaka("read", *photos, "--json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert [line["photo"] for line in lines] == photos
    assert all(set(line) == {"photo", "error"} for line in lines[:-1])
    reading = lines[-1]
    assert reading["rack"] == "R3 R4 R5 | K9 B9 Y9 | J / B10 B11 B12 B13 | Y1 K1 R1 | R8"
    assert reading["indicator"] == "B8"
    assert {tile["place"] for tile in reading["tiles"]} == {"rack", "indicator"}
    assert all(0 <= tile["confidence"] <= 1 and len(tile["polygon"]) == 4 for tile in reading["tiles"])


def test_a_photo_without_tiles_is_read_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "empty table.png"
    Image.new("RGB", (640, 480), "tan").save(path)
    done = istaka("read", str(path), "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["tiles"] == []
    assert "no tiles were found" in json.loads(done.stdout)["warnings"][0]


def test_reading_a_photo_waits_for_no_library_that_it_does_not_use() -> None:
    """SciPy alone would take as long to load as all else that a reading needs."""
    script = "import sys; from assistant import cli; cli.main(['read', sys.argv[1]]); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script, str(SAMPLE)], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "R3" in loaded
    assert "onnxruntime" in loaded
    assert not {"scipy", "streamlit", "torch"} & set(loaded)


def test_a_reading_leaves_nothing_behind(tmp_path: Path) -> None:
    """ONNX Runtime would keep a file of what it was used for, to be sent to its makers."""
    elsewhere = {"ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"}
    environment = {name: value for name, value in os.environ.items() if name not in elsewhere}
    command = [sys.executable, "-m", "assistant", "read", str(SAMPLE)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**environment, "HOME": str(tmp_path)})
    assert not done.stderr
    assert [path.relative_to(tmp_path) for path in tmp_path.rglob("*")] == []


def test_the_hand_in_a_photo_is_checked_as_it_lies() -> None:
    done = istaka("check", str(SAMPLE), "--json")
    judgement = json.loads(done.stdout)
    assert done.returncode == 1
    assert judgement["could_win"] is True
    assert [group["kind"] for group in judgement["groups"]] == ["run", "set", None, "run", "set"]


def test_a_tile_beside_the_rack_that_is_not_the_indicator_is_the_fifteenth(tmp_path: Path) -> None:
    photo = tmp_path / "shown.jpg"
    photo.write_bytes(photo_of(WIN, "K11"))
    seen = json.loads(istaka("check", str(photo), "--json").stdout)
    assert (seen["valid"], seen["fifteenth"]) == (True, None)
    covered = json.loads(istaka("check", str(photo), "--indicator", "K10", "--json").stdout)
    assert (covered["valid"], covered["fifteenth"], covered["okey_last"]) == (True, "K11", True)


def test_gaps_too_narrow_to_tell_are_said_and_decide(tmp_path: Path) -> None:
    photo = tmp_path / "narrow.jpg"
    photo.write_bytes(photo_of(WIN, "K11", apart=0.27))
    reading = json.loads(istaka("read", str(photo), "--json").stdout)
    assert [gap["after"] for gap in reading["gaps"]] == [2, 5]
    done = istaka("check", str(photo), "--json")
    judgement = json.loads(done.stdout)
    assert done.returncode == 1
    assert (judgement["valid"], judgement["unclear"], judgement["could_win"]) == (False, [2, 5], True)
    assert judgement["reason"].startswith("the gap between R3 and K5 is too narrow to tell")
