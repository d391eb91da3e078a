"""`istaka reink`: labelled photos in the numbers of other sets, to learn from."""

from __future__ import annotations

import json
import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

if find_spec("tqdm") is None and not os.environ.get("CI"):
    pytest.skip("the extra `train` is not installed: make test TRAIN=1", allow_module_level=True)

from assistant.cli import main
from vision.reader import TileReader
from vision.sources import load_photo
from vision.workshop.bench import SAMPLE
from vision.workshop.evaluate import score
from vision.workshop.photos import load_truth, picture_of, split_of


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample, labelled with what is read of it, under the name of a photo to learn from."""
    folder = tmp_path_factory.mktemp("photos")
    (folder / "images").mkdir()
    shutil.copy(SAMPLE, folder / "images" / "rummy-1.jpg")
    reading = TileReader().read(load_photo(SAMPLE))
    tiles = [{"tile": str(seen.tile), "polygon": np.roll(seen.outline, 1, 0).tolist()} for seen in reading.tiles]
    scrap = [[0, 0], [20, 0], [24, 8], [20, 16], [0, 16]]
    line = {"photo": "rummy-1.jpg", "set": "rummikub-nvypk", "kind": "rack", "size": reading.size, "tiles": tiles, "ignore": [scrap]}
    (folder / "truth.jsonl").write_text(json.dumps(line))
    return folder


def test_a_photo_is_drawn_with_any_numbers_of_other_sets(photos: Path, tmp_path: Path) -> None:
    command = ["reink", str(tmp_path), "--photos", str(photos), "--sets", "3", "--processes", "1"]
    assert main(command) == 0
    drawn = load_truth(tmp_path)
    assert [(photo.photo, split_of(photo)) for photo in drawn] == [
        ("000000.jpg", "held_back"), ("000001.jpg", "train"), ("000002.jpg", "train"),
    ]  # fmt: skip
    reader, (labelled,) = TileReader(), load_truth(photos)
    right = of = 0
    for photo in drawn:
        counts = score(photo, reader.read(load_photo(picture_of(tmp_path, photo))))
        right, of = right + counts.right, of + counts.of
        assert [tile for tile, _ in photo.face_up] != [tile for tile, _ in labelled.face_up]
        assert [len(outline) for outline in photo.ignore] == [4], "what is learnt from has four corners"
        own, asked = (np.array([outline for _, outline in of_photo.face_up]) for of_photo in (photo, labelled))
        assert np.abs(own - np.roll(asked, -1, 1)).max() < 2, "outlines start at the top left of the tile, not of the label"
    assert of == 48
    assert right / of > 0.85
    assert len({photo.face_up[0][0] for photo in drawn}) > 1

    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "images").iterdir()}
    assert main(command) == 0
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "images").iterdir()} == before, "what is there is kept"


def test_what_is_missing_is_said(photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def says(*options: str) -> str:
        with pytest.raises(SystemExit) as left:
            main(["reink", str(tmp_path / "drawn"), *options])
        said = capsys.readouterr().err
        assert left.value.code == 2
        assert said.count("\n") == 1
        return said

    assert "holds no truth.jsonl: label some photos" in says("--photos", str(tmp_path))
    assert "give 1 or more" in says("--photos", str(photos), "--sets", "0")
    (tmp_path / "truth.jsonl").write_text((photos / "truth.jsonl").read_text().replace("rummikub-nvypk", "ours"))
    assert "no photo of the split train" in says("--photos", str(tmp_path))
    assert not (tmp_path / "drawn").exists()


def test_labelled_photos_are_not_overwritten(photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shutil.copytree(photos, tmp_path / "lab")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(SystemExit) as left:
        main(["reink", str(folder), "--photos", str(folder)])
    assert left.value.code == 2
    assert f"{folder} holds the photos that are drawn: name another folder" in capsys.readouterr().err
    for command in (["reink", str(folder), "--photos", str(photos)], ["synth", str(folder), "--count", "1"]):
        assert main([*command, "--processes", "1"]) == 2
        said = f"istaka {command[0]}: {folder} holds truth.jsonl that istaka did not render: name another folder\n"
        assert capsys.readouterr().err == said
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
