"""`istaka calibrate`: weights that make confidences true."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from assistant.cli import main
from vision.light import with_light_faces
from vision.reader import TileReader
from vision.sources import load_photo
from vision.workshop import calibrate
from vision.workshop.ablate import without
from vision.workshop.bench import SAMPLE


def test_the_weights_that_made_the_data_are_found_again() -> None:
    rng = np.random.default_rng(3)
    terms, weights = rng.normal(0, 2, (20_000, 2)), np.array([0.8, -1.5, 0.4])
    odds = terms @ weights[:2] + weights[2]
    right = (rng.random(20_000) < 1 / (1 + np.exp(-odds))).astype(float)
    assert calibrate.fit(terms, right) == pytest.approx(weights, abs=0.1)


@pytest.mark.parametrize(("dark", "mirrored"), [(True, False), (False, True)])
def test_faces_are_measured_as_the_reader_has_seen_them(dark: bool, mirrored: bool) -> None:
    picture = load_photo(SAMPLE)[:, :: -1 if mirrored else 1]
    picture = np.ascontiguousarray(with_light_faces(picture) if dark else picture)
    judged: list[np.ndarray] = []

    def none(corners: np.ndarray, faces: np.ndarray, *_: np.ndarray) -> np.ndarray:
        judged.append(faces)
        return np.zeros(len(corners), bool)

    with without({"vision.reader.are_lookalikes": none}):
        sight = TileReader().look(picture)
    assert (sight.lightened is not None, sight.mirrored) == (dark, mirrored)
    faces = calibrate.faces_in(picture, sight, list(range(len(sight))))
    assert np.sort(faces, axis=0) == pytest.approx(np.sort(judged[-1], axis=0), abs=2)


def test_a_folder_without_scenes_gets_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert calibrate.main([str(tmp_path)]) == 2
    assert f"{tmp_path} holds no truth.jsonl" in capsys.readouterr().err


def test_a_photo_that_is_missing_gets_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tile = {"tile": "R5", "polygon": [[0, 0], [40, 0], [40, 60], [0, 60]]}
    scene = {"photo": "lost.jpg", "set": "rendered", "kind": "table", "size": [400, 100], "tiles": [tile]}
    (tmp_path / "truth.jsonl").write_text(json.dumps(scene) + "\n")
    assert main(["calibrate", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("istaka calibrate: ")
    assert "lost.jpg does not exist" in said
