"""`istaka teach` as a user calls it, and the measure of what taught photos buy."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from assistant import cli
from assistant.tiles import Tile
from vision.light import with_light_faces
from vision.profile import Taught, load, save, taught_sets
from vision.reader import TileReader
from vision.sources import load_photo
from vision.workshop.teach import DRAWS, gains

SAMPLE = Path(__file__).resolve().parents[2] / "assistant" / "dashboard" / "sample.jpg"
TILES = "R3 R4 R5 K9 B9 Y9 J B10 B11 B12 B13 Y1 K1 R1 R8 B8"


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.profile.sets_folder", lambda: tmp_path / "sets")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three photos of one set, with nothing but the names of their tiles."""
    (tmp_path / "images").mkdir()
    lines = []
    for number in range(3):
        shutil.copy(SAMPLE, tmp_path / "images" / f"{number}.jpg")
        shown = {"photo": f"{number}.jpg", "set": "ours-1", "kind": "rack", "size": [1600, 1200], "contains": TILES.split()}
        lines.append(json.dumps(shown))
    (tmp_path / "truth.jsonl").write_text("\n".join(lines))
    return tmp_path


def test_a_set_is_taught_and_read_with(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["teach", "tea house", str(SAMPLE), "--tiles", TILES]) == 0
    assert "tea house knows 16 tiles of 1 photo" in capsys.readouterr().out
    photos = [str(folder / "images" / f"{number}.jpg") for number in (0, 1)]
    assert cli.main(["teach", "tea house", *photos, "--truth", str(folder)]) == 0
    assert len(load("tea house").tiles) == 16, "the same photo under another name teaches nothing new"
    capsys.readouterr()
    assert cli.main(["read", str(SAMPLE), "--set", "tea house", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rack"] == "R3 R4 R5 | K9 B9 Y9 | J / B10 B11 B12 B13 | Y1 K1 R1 | R8"
    assert cli.main(["check", str(SAMPLE), "--set", "tea house"]) == 1


def test_what_another_program_teaches_meanwhile_is_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def of(photo: str) -> Taught:
        return Taught(np.zeros((1, 96, 64, 3), np.uint8), (Tile.parse("R1"),), (photo,))

    def taught_by(*_: object) -> Taught:
        save("ours", of("theirs"))
        return of("mine")

    monkeypatch.setattr("vision.workshop.teach.taught_by", taught_by)
    assert cli.main(["teach", "ours", str(SAMPLE), "--tiles", TILES]) == 0
    assert load("ours").photos == ("theirs", "mine")


def test_a_set_with_dark_faces_is_taught_as_it_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dark = tmp_path / "dark.png"
    cv2.imwrite(str(dark), with_light_faces(load_photo(SAMPLE)))
    assert cli.main(["teach", "tea house", str(dark), "--tiles", TILES]) == 0
    taught = load("tea house")
    assert sorted(map(str, taught.tiles)) == sorted(TILES.split())
    assert np.median(taught.crops, axis=(1, 2, 3)).min() > 128, "as of light faces"
    capsys.readouterr()
    assert cli.main(["read", str(dark), "--set", "tea house", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rack"] == "R3 R4 R5 | K9 B9 Y9 | J / B10 B11 B12 B13 | Y1 K1 R1 | R8"


@pytest.mark.parametrize("command", ["read", "check"])
def test_an_unknown_set_gets_a_sentence(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([command, str(SAMPLE), "--set", "ours"]) == 2
    assert "there is no set ours, none has been taught" in capsys.readouterr().err


def test_bad_lessons_get_a_sentence_and_store_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample = str(SAMPLE)
    Image.new("RGB", (640, 480), "tan").save(folder / "bare.png")
    (folder / "bad").mkdir()
    (folder / "bad" / "truth.jsonl").write_text('{"photo": "sample.jpg"}')
    for arguments, problem in {
        (sample, sample, "--tiles", TILES): "one photo",
        (sample, "--truth", str(folder)): "says nothing of sample.jpg",
        (sample, "--truth", str(folder / "images")): "no truth.jsonl",
        (sample, "--truth", str(folder / "bad")): "line 1 is not as datasets/README.md says",
        (str(folder / "missing.jpg"), "--tiles", "R1"): "missing.jpg",
        (sample, "--tiles", "K2 K3"): f"{sample}: none of the tiles named was found there: check their names",
        (str(folder / "bare.png"), "--tiles", "R1 R2"): "none of the tiles named was found there",
        (sample, "--tiles", "#"): "no tile to teach",
    }.items():
        assert cli.main(["teach", "ours", *arguments]) == 2
        assert problem in capsys.readouterr().err
    assert cli.main(["teach", " ", sample, "--tiles", TILES]) == 2
    assert capsys.readouterr() == ("", "istaka teach: a set needs a name: a word or two\n")
    assert taught_sets() == []


def test_every_number_of_taught_photos_is_measured_on_the_same_photos(folder: Path) -> None:
    scores = gains(folder, 1, TileReader())["ours"]
    assert [(counts.photos, counts.of, counts.right) for counts in scores] == [(2 * DRAWS, 32 * DRAWS, 32 * DRAWS)] * 2
    with pytest.raises(ValueError, match="no set never trained on with more than 3 photos"):  # none would be left to measure on
        gains(folder, 3, TileReader())


def test_a_taught_set_is_evaluated(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["evaluate", str(folder), "--set", "ours"]) == 2
    assert "there is no set ours" in capsys.readouterr().err
    assert cli.main(["teach", "ours", str(SAMPLE), "--tiles", TILES]) == 0
    capsys.readouterr()
    assert cli.main(["evaluate", str(folder), "--set", "ours", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sets"]["ALL"]["right"] == 48
