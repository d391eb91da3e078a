"""Labels of photos that cannot be right are named by their line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assistant import cli
from vision.workshop.photos import load_truth

SQUARE = [[10, 10], [30, 10], [30, 40], [10, 40]]
SCENE = {"photo": "000001.jpg", "set": "rendered", "kind": "table", "size": [64, 64]}


@pytest.mark.parametrize(
    ("labels", "what_is_wrong"),
    [
        ({"tiles": [{"tile": "R5", "polygon": []}]}, "an outline of 0 points"),
        ({"set": "ours", "tiles": [{"tile": "R5", "polygon": SQUARE[:2]}]}, "an outline of 2 points: give three points or more"),
        ({"tiles": [], "ignore": [SQUARE[:2]]}, "an outline of 2 points: give three points or more"),
        ({"tiles": [{"tile": "R5", "polygon": SQUARE[:3]}]}, "an outline of 3 points: give the four corners of a rendered tile"),
        ({"tiles": [], "face_down": [[*SQUARE, [5, 20]]]}, "an outline of 5 points: give the four corners of a rendered tile"),
        ({"set": "ours", "tiles": [{"tile": "R5", "polygon": [[9, 9], [19, 19], [29, 29]]}]}, "an outline that encloses less than a pixel"),
        ({"tiles": [], "ignore": [[[9, 9], [9, 9], [9, 9]]]}, "an outline that encloses less than a pixel"),
        ({"tiles": [{"tile": "?", "polygon": SQUARE}]}, "a tile labelled ?: name it"),
        ({"contains": ["R5", "?"]}, "a tile labelled ?: name it"),
        ({"contains": ["R5"], "indicator": "?"}, "a tile labelled ?: name it"),
    ],
)
def test_a_label_that_cannot_be_is_named(
    labels: dict[str, Any], what_is_wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "truth.jsonl").write_text(json.dumps(SCENE | labels))
    assert cli.main(["evaluate", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"istaka evaluate: {tmp_path / 'truth.jsonl'}: line 1 is not as datasets/README.md says: ")
    assert what_is_wrong in said and said.count("\n") == 1


def test_outlines_of_photos_have_any_number_of_points_from_three(tmp_path: Path) -> None:
    tiles = [{"tile": "R5", "polygon": SQUARE[:3]}, {"tile": "#", "polygon": [*SQUARE, [5, 20]]}]
    (tmp_path / "truth.jsonl").write_text(json.dumps(SCENE | {"set": "ours", "tiles": tiles, "ignore": [SQUARE[:3]]}))
    [photo] = load_truth(tmp_path)
    assert [len(outline) for _, outline in photo.tiles or ()] == [3, 5]


def test_a_rendered_scene_without_a_number_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "truth.jsonl").write_text(json.dumps(SCENE | {"photo": "a.jpg", "tiles": []}))
    assert cli.main(["evaluate", str(tmp_path), "--split", "train"]) == 2
    assert "a.jpg is no rendered scene: name its own set, or name it by its number" in capsys.readouterr().err


def test_a_folders_name_stays_on_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "two\nlines"
    lesson = ["teach", "ours", str(folder / "a.jpg"), "--tiles", "R1"]
    for command in (["evaluate", str(folder)], ["export", "--runs", str(folder)], lesson):
        assert cli.main(command) == 2
        said = capsys.readouterr().err
        assert "two\\nlines" in said and said.count("\n") == 1
