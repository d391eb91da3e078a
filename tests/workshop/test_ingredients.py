"""What rendering is without each ingredient: every replacement takes hold, and only where it should."""

from __future__ import annotations

import json
import os
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np
import pytest

if find_spec("torch") is None and not os.environ.get("CI"):
    pytest.skip("the extra `train` is not installed: make test TRAIN=1", allow_module_level=True)

from vision.workshop import ingredients
from vision.workshop.ingredients import ALL, INGREDIENTS, frontal_camera, ingredients_table, render_without
from vision.workshop.render import Rendered, Task, render, render_task, scene_tasks
from vision.workshop.scene import random_scene

NUMBERS = range(1, 7)
"""Scenes with racks and loose tiles; glare is in some of them alone."""


@pytest.fixture(scope="module")
def whole(fonts: tuple[str, ...]) -> list[Rendered]:
    """Scenes with all ingredients."""
    return [render_task(Task(number, 3, fonts))[0] for number in NUMBERS]


@pytest.mark.parametrize("ingredient", INGREDIENTS)
def test_what_is_left_out_is_missing_and_back_afterwards(ingredient: str, fonts: tuple[str, ...], whole: list[Rendered]) -> None:
    tasks = [Task(number, 3, fonts) for number in NUMBERS]
    without = [render_without(ingredient, task)[0] for task in tasks]
    changed = [one.jpeg != other.jpeg for one, other in zip(whole, without, strict=True)]
    assert any(changed) is not (ingredient == ALL)
    assert render_task(tasks[0])[0] == whole[0]


def test_lens_and_sensor_leave_everything_where_it_is(fonts: tuple[str, ...], whole: list[Rendered]) -> None:
    for number, picture in zip(NUMBERS, whole, strict=True):
        assert render_without("lens and sensor", Task(number, 3, fonts))[0].truth == picture.truth


def test_a_frontal_camera_looks_along_the_tiles_normal() -> None:
    for seed in range(40):
        rng = np.random.default_rng(seed)
        scene = random_scene(rng, 1.4, 0.3)
        camera = frontal_camera(rng, scene, (640, 480))
        upright = [tile for tile in scene.tiles if not any(other.place != tile.place for other in scene.tiles)]
        off = [np.degrees(np.arccos(np.clip(-(tile.normal @ camera.forward), -1, 1))) for tile in upright]
        assert max(off, default=0.0) < 35


def test_one_font_is_all_that_is_drawn_with(fonts: tuple[str, ...]) -> None:
    styles = [ingredients.one_font_style(np.random.default_rng(seed), list(fonts), fonts[0]) for seed in range(8)]
    assert len({style.font for style in styles}) == 1


def test_an_ingredient_is_measured_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One ingredient from rendering to its row; begun again, nothing is done twice."""
    monkeypatch.setattr(ingredients, "INGREDIENTS", {ALL: {}})
    photos = tmp_path / "photos"
    render(photos, scene_tasks(photos, 2, first=1, seed=5), render_task)
    work = tmp_path / "work"
    table = ingredients_table(work, photos, 2, count=6, read=2, epochs=1, runs=1)
    assert table.splitlines()[-1].startswith("| nothing | ")
    picture = work / "0-nothing" / "scenes" / "images" / "000001.jpg"
    assert cv2.imread(str(picture)) is not None
    made = picture.stat().st_mtime_ns
    assert ingredients_table(work, photos, 2, count=6, read=2, epochs=1, runs=1) == table
    assert picture.stat().st_mtime_ns == made


def test_what_is_left_out_is_compared_run_by_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingredients, "INGREDIENTS", {ALL: {}, "lens and sensor": {}, "all fonts but one": {}})
    found = {"nothing": (70, 80), "lens-and-sensor": (71, 83), "all-fonts-but-one": (50, 56)}
    for name, percentages in found.items():
        for run, percentage in enumerate(percentages):
            place = tmp_path / f"{run}-{name}"
            place.mkdir()
            (place / "measured.json").write_text(json.dumps([percentage] * 6))
    rows = ingredients_table(tmp_path, tmp_path, 1, read=1).splitlines()[2:]
    assert [line.split(" | ")[:2] for line in rows] == [
        ["| nothing", "75.0%"],
        ["| lens and sensor", "+2.0"],  # 1 and 3
        ["| all fonts but one", "-22.0"],  # 20 and 24 less
        ["| standard error of these", "1.6"],  # the root of half the mean of 2 and 8
    ]
