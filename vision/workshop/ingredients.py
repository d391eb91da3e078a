"""What each ingredient of rendering is worth, for the model card.

`corners` and `tiles` are trained from nothing on scenes that lack one ingredient, and on as many that have all, and each reads in
place of the shipped network, beside the other shipped ones. No real photo is trained on, so that all of them can be read to compare.
All of it is done RUNS times, with other scenes and first weights, which tells how much is chance. What was rendered, trained and
measured is kept in the folder: begun again, it goes on where it stopped.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from vision.reader import TileReader
from vision.reading import Place
from vision.weights import MODELS
from vision.workshop import export, train
from vision.workshop.ablate import STEPS, Replacements, without
from vision.workshop.evaluate import evaluate, total
from vision.workshop.markdown import head, row
from vision.workshop.paint import Canvas, Light
from vision.workshop.render import Rendered, Task, render, render_task, scene_tasks
from vision.workshop.scene import Camera, Scene, aimed_camera
from vision.workshop.sets import SetStyle, random_style

ALL = "nothing"
"""What is left out of the scenes that the others are compared with."""
PARTS = ("tiles", "corners")
"""The networks that are trained."""
RATE = 3e-3
"""Highest learning rate of both."""
MEASURED_SEED = 1000
"""Added to the seed of the scenes that are read: none of them is trained on."""
COUNT, READ, EPOCHS, RUNS = 500, 100, 6, 2
"""How many scenes each pair of networks is trained on, how many of each kind it reads, how often it sees the former, and how
often all is done."""


def frontal_camera(rng: np.random.Generator, scene: Scene, size: tuple[int, int]) -> Camera:
    """A camera some degrees off the tiles' normal, as `random_camera` is one from anywhere."""
    leans = [np.arcsin(tile.normal[2]) for tile in scene.tiles if tile.place is Place.RACK]
    if leans:
        elevation, azimuth, roll = float(np.median(leans)), 0.0, np.radians(rng.normal(0, 5))
    else:
        elevation, azimuth, roll = np.pi / 2, rng.uniform(-np.pi, np.pi), rng.uniform(-np.pi, np.pi)
    aside, above = np.radians(rng.normal(0, 7, 2))
    return aimed_camera(rng, scene, size, (azimuth + aside, float(np.clip(elevation + above, np.radians(5), np.pi / 2)), roll))


def smooth_style(rng: np.random.Generator, fonts: list[str], symbols: str, tall_chance: float = 0.25) -> SetStyle:
    """A set whose faces are printed on flat, unworn ground."""
    return replace(random_style(rng, fonts, symbols, tall_chance), dish=0.0, engraving=0.0, wear=0.0, emboss=0.0, border=0.0)


def one_font_style(rng: np.random.Generator, fonts: list[str], symbols: str, tall_chance: float = 0.25) -> SetStyle:
    """A set whose digits have the same shape as every other's, an upright bold one."""
    bold = next((font for font in fonts if "Bold" in font and "Italic" not in font), fonts[0])
    return random_style(rng, [bold], symbols, tall_chance)


def even_light(rng: np.random.Generator) -> Light:
    """Light from everywhere, that throws no shadow."""
    return Light(np.array([0.0, 0.0, 1.0]), ambient=1.0, shadow=0.0, softness=0.1)


def faithful(image: Canvas, rng: np.random.Generator) -> np.ndarray:
    """The light that reaches lens and sensor, as it is: uint8 BGR."""
    return np.clip(image * 255 + 0.5, 0, 255).astype(np.uint8)


INGREDIENTS: dict[str, Replacements] = {
    ALL: {},
    "views from aside and above": {"vision.workshop.render.random_camera": frontal_camera},
    "relief and wear of faces": {"vision.workshop.render.random_style": smooth_style},
    "all fonts but one": {"vision.workshop.render.random_style": one_font_style},
    "lamps of other colours, uneven light": {"vision.workshop.paint.under_lamps": lambda image, rng, warm_chance: image},
    "shadows, shaded sides, glare": {
        "vision.workshop.render.random_light": even_light,
        "vision.workshop.paint.with_glare": lambda image, owner, rng: image,
    },
    "lens and sensor": {"vision.workshop.paint.develop": faithful},
}
"""What is left out of rendering, and what stands in its place: names in the renderer's modules."""


def render_without(ingredient: str, task: Task) -> list[Rendered]:
    """The pictures of a task, rendered without one of INGREDIENTS."""
    with without(INGREDIENTS[ingredient]):
        return render_task(task)


def train_without(ingredient: str, folder: Path, count: int, epochs: int, seed: int, processes: int) -> None:
    """Renders `count` scenes without an ingredient and trains each of PARTS on them: `folder` gets scenes/, and weights in PART/models/.

    Raises:
        ValueError: when they cannot be trained; why has been said.
    """
    scenes = folder / "scenes"
    render(scenes, scene_tasks(scenes, count, seed=seed), partial(render_without, ingredient), processes=processes)
    numbers = {"--epochs": epochs, "--seed": seed, "--threads": processes, "--rate": RATE}
    options = ["--scenes", str(scenes), *(str(part) for option in numbers.items() for part in option)]
    if torch.cpu.get_capabilities().get("avx512_bf16"):
        options.append("--bf16")
    for part in PARTS:
        runs, models = folder / part, folder / part / "models"
        shutil.copytree(MODELS, models, dirs_exist_ok=True)
        to_models = ["--runs", str(runs), "--models", str(models), "--scenes", str(scenes)]
        if train.main([part, "--runs", str(runs), *options]) or export.main(to_models):
            raise ValueError(f"what came of the scenes in {scenes} could not be trained")


def measured(folder: Path, sources: list[tuple[Path, str]]) -> list[float]:
    """How well what was trained in `folder` reads each source, a folder of labelled photos and its split.

    Returns for each the percentage of tiles that are right, read with the trained `tiles`, and by what percentage of a tile's shorter side
    corners are off, median, with the trained `corners` alone.
    """
    tiles, corners = (TileReader(folder / part / "models") for part in PARTS)
    percentages = []
    for source, split in sources:
        counts = total(evaluate(source, split, tiles)[0])
        with without(STEPS["corners looked for once"]):
            *_, off_by = evaluate(source, split, corners)
        percentages += [100 * counts.right / counts.of, 100 * float(np.median(off_by)) if off_by else float("nan")]
    return percentages


def ingredients_table(
    folder: Path, photos: Path, processes: int, count: int = COUNT, read: int = READ, epochs: int = EPOCHS, runs: int = RUNS, seed: int = 1
) -> str:
    """The table of the card, a row an ingredient.

    Args:
        folder: where scenes, networks and what was measured go; what is already there is kept.
        photos: a folder of labelled photos, whose training split is read.
        count: how many scenes are trained on, `epochs` times.
        read: how many other scenes of each kind are read to compare.
        runs: how often all is done.

    Raises:
        NoFontsError, ValueError: when scenes cannot be rendered or networks not trained.
    """
    sources = [(photos, "train"), (folder / "read", "held_back"), (folder / "read-hard", "held_back")]
    for (scenes, _), hard in zip(sources[1:], (False, True), strict=True):
        render(scenes, scene_tasks(scenes, read, seed=seed + MEASURED_SEED, held_back=True, hard=hard), render_task, processes=processes)
    found: dict[str, list[list[float]]] = {ingredient: [] for ingredient in INGREDIENTS}
    for run in range(runs):
        for ingredient in INGREDIENTS:
            place = folder / f"{run}-{ingredient.replace(',', '').replace(' ', '-')}"
            kept = place / "measured.json"
            if not kept.exists():
                train_without(ingredient, place, count, epochs, seed + run, processes)
                kept.write_text(json.dumps(measured(place, sources)), encoding="utf-8")
            found[ingredient].append(json.loads(kept.read_text(encoding="utf-8")))
            print(run, ingredient, *(f"{value:.1f}" for value in found[ingredient][-1]), flush=True)
    return _table({ingredient: np.array(values) for ingredient, values in found.items()})


def _table(found: dict[str, NDArray[np.float64]]) -> str:
    """What was measured with everything, the mean of all runs, then by how much it is more or less without each ingredient, and the chance.

    Args:
        found: percentages (runs, 6) by what was left out.
    """
    table = head("left out", "photos: right", "corners off by", "rendered: right", "corners off by", "hard: right", "corners off by")
    table += row([ALL, *(f"{value:.1f}%" for value in found[ALL].mean(0))])
    others = {ingredient: values - found[ALL] for ingredient, values in found.items() if ingredient != ALL}
    for ingredient, values in others.items():
        table += row([ingredient, *(f"{value:+.1f}" for value in values.mean(0).round(1) + 0.0)])  # no "-0.0"
    runs = len(found[ALL])
    if runs > 1 and others:
        spread = np.sqrt(np.mean([values.var(0, ddof=1) for values in others.values()], 0) / runs)
        table += row(["standard error of these", *(f"{value:.1f}" for value in spread)])
    return table
