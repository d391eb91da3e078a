"""Rendered videos: their truth fits what is seen, every form is written, and settling is measured on them."""

from __future__ import annotations

import json
import os
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

if find_spec("tqdm") is None and not os.environ.get("CI"):
    pytest.skip("the extra `train` is not installed: make test TRAIN=1", allow_module_level=True)

from assistant.tiles import Rack, Tile
from vision.camera import recorded
from vision.reader import TileReader
from vision.sight import tell
from vision.workshop import video
from vision.workshop.bench_live import Gain
from vision.workshop.photos import parse_truth
from vision.workshop.scene import Scene
from vision.workshop.video import Shot, changed, film, given_stage, random_stage

RACK = "R3 R4 R5 | K9 B9 Y9 / B10 B11 B12 | J"
SHOT = Shot(size=(640, 360), rate=10.0, seconds=2.4, shake=1.5, finger=1.8, change=None)


def test_the_film_shows_its_truth_in_every_frame_and_settling_reads_it() -> None:
    frames = list(film(*given_stage(Rack.parse(RACK), Tile.parse("B8"), SHOT.size, 0, 1), SHOT))
    reader = TileReader()
    sights = [reader.look(picture) for picture, _ in frames]
    gain = Gain()
    gain.add((sight, truth) for sight, (_, truth) in zip(sights, frames, strict=True))
    assert gain.took[0] is not None, "the rack is settled exactly"
    assert gain.inexact == 0
    assert gain.settled.right == gain.settled.of > gain.single.right, "a finger hides tiles from single frames only"
    truth = frames[14][1]
    seen = {str(one.tile): np.array(one.outline) for one in tell(sights[14]).reading.tiles}
    for tile in parse_truth(truth).tiles or ():
        assert np.abs(seen[str(tile[0])] - np.array(tile[1])).max() < 5


def test_a_film_follows_from_its_seed_alone() -> None:
    small = Shot(size=(320, 180), rate=5.0, seconds=1.0)
    stage = random_stage(3, 1, small.size)
    first, again = (list(islice(film(*one, small), 3)) for one in (stage, random_stage(3, 1, small.size)))
    assert all(np.array_equal(a[0], b[0]) and a[1] == b[1] for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first[0][0], next(film(*random_stage(4, 1, small.size), small))[0])


def test_one_tile_changes_and_what_is_left_of_its_group_stands_apart() -> None:
    _, scene = given_stage(Rack.parse("R3 R4 R5 R6 / K1 K2 K3"), None, (320, 180), 0, 1)
    before = [tile.tile for tile in scene.tiles]
    for seed in range(12):
        after = changed(Scene(list(scene.things)), np.random.default_rng(seed))
        tiles = [tile.tile for tile in after.tiles]
        if len(tiles) == len(before):
            assert sum(a != b for a, b in zip(before, tiles, strict=True)) == 1
            assert len(set(tiles)) == len(tiles)
        else:
            missing = next(iter(set(before) - set(tiles)))
            inner = str(missing) in ("R4", "R5", "K2")
            assert len({(tile.row, tile.group) for tile in after.tiles}) == (3 if inner else 2)


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for all films."""
    return tmp_path_factory.mktemp("films")


@pytest.mark.parametrize("name", ["clip.mp4", "clip.avi", "clip.mjpeg", "clip.y4m", "frames"])
def test_every_form_can_be_played_again(films: Path, name: str) -> None:
    path = films / name
    arguments = [str(path), "--rack", RACK, "--indicator", "B8", "--seconds", "0.6", "--rate", "10", "--size", "320x180", "--quiet"]
    assert video.main(arguments) == 0
    frames = list(recorded(str(path)))
    truths = [json.loads(line) for line in (films / f"{name}.truth.jsonl").read_text().splitlines()]
    assert len(frames) == len(truths) == 6
    assert all(frame.picture.shape == (180, 320, 3) for frame in frames)
    assert truths[0]["indicator"] == "B8"
    assert truths[0]["rack"] == RACK
    if name != "clip.mjpeg":  # which bears no times
        assert [frame.time for frame in frames] == pytest.approx([truth["time"] for truth in truths])
    still = np.mean([cv2.cvtColor(frame.picture, cv2.COLOR_BGR2GRAY).mean() for frame in frames])
    assert 30 < still < 220


@pytest.mark.parametrize(
    ("options", "what_to_do"),
    [
        (["--rack", "R99"], "'R99' is no tile: write R, K, B or Y with a number"),
        (["--rack", ""], "name every tile on it"),
        (["--rack", "R1 ?"], "name every tile on it"),
        (["--rack", "R1", "--indicator", "Q"], "'Q' is no tile: write R, K, B or Y with a number"),
        (["--rack", "R1", "--indicator", "J"], "must be a tile with a number"),
        (["--indicator", "B8"], "add --rack"),
        (["--seconds", "-1"], "--seconds is -1: give 0 or more"),
        (["--seconds", "inf"], "--seconds is inf: give 0 or more"),
        (["--seconds", "0"], "--seconds 0 at --rate 15 makes no frame"),
        (["--rate", "0"], "--rate is 0: give 1 or more"),
        (["--seed", "-1"], "--seed is -1: give 0 or more"),
        (["--number", "-1"], "--number is -1: give 0 or more"),
        (["--table", "--rack", "R1"], "leave --table out"),
        (["--table", "--quiet"], "leave --table out"),
    ],
)
def test_what_cannot_be_filmed_gets_one_sentence_and_no_film_is_lost(
    options: list[str], what_to_do: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "clip.avi").write_text("a film")
    with pytest.raises(SystemExit) as stopped:
        video.main([str(tmp_path / "clip.avi"), *options])
    assert stopped.value.code == 2
    said = capsys.readouterr().err
    assert what_to_do in said and said.count("\n") == 1
    assert [path.read_text() for path in tmp_path.iterdir()] == ["a film"]


def test_what_cannot_be_written_gets_one_sentence(films: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert video.main([str(films / "clip.gif"), "--rack", "R3 R4 R5", "--seconds", "0.1", "--size", "128x128"]) == 2
    assert "no form of video" in capsys.readouterr().err
