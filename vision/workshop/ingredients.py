"""What each ingredient of rendering is worth, for the model card.

The networks that look at crops are trained from nothing on scenes that lack one ingredient, and on as many that have all. No real
photo is trained on, so that all of them can be read to compare. The locator is the shipped one for all, and corners are looked for once.
What was rendered and trained is kept in the folder: begun again, it goes on where it stopped.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from vision.reader import TileReader
from vision.reading import Place
from vision.weights import MODELS
from vision.workshop import export, train
from vision.workshop.ablate import STEPS, Replacements, without
from vision.workshop.evaluate import evaluate, total
from vision.workshop.paint import Canvas, Light
from vision.workshop.render import Picture, Task, render, render_task, scene_tasks
from vision.workshop.scene import Camera, Scene, aimed_camera
from vision.workshop.sets import SetStyle, random_style
from vision.workshop.tables import head, row

AGAIN = "nothing, other scenes and other first weights"
"""What is left out in the row that shows how much is chance."""
RATE = 3e-3
"""Highest learning rate of both networks."""
MEASURED_SEED = 1000
"""Added to the seed of the scenes that are read: none of them is trained on."""
COUNT, READ, EPOCHS = 360, 100, 6
"""How many scenes each pair of networks is trained on, how many of each kind it reads, and how often it sees the former."""


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
    "nothing": {},
    AGAIN: {},
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


def render_without(ingredient: str, task: Task) -> list[Picture]:
    """The pictures of a task, rendered without one of INGREDIENTS."""
    with without(INGREDIENTS[ingredient]):
        return render_task(task)


def train_without(ingredient: str, folder: Path, count: int, epochs: int, seed: int, processes: int) -> None:
    """Renders `count` scenes without an ingredient and trains networks on them: `folder` gets its scenes/ and models/.

    Raises:
        ValueError: when they cannot be trained; why has been said.
    """
    scenes, models = folder / "scenes", folder / "models"
    render(scenes, scene_tasks(scenes, count, seed=seed), processes=processes, draw=partial(render_without, ingredient))
    models.mkdir(exist_ok=True)
    for name in ("locator.onnx", "outlines.int8.onnx"):
        shutil.copy(MODELS / name, models / name)
    numbers = {"--epochs": epochs, "--seed": seed, "--threads": processes, "--rate": RATE}
    common = ["--scenes", str(scenes), "--runs", str(folder), *(str(part) for option in numbers.items() for part in option)]
    if (
        train.main(["corners", *common])
        or train.main(["tiles", *common])
        or export.main(["--runs", str(folder), "--models", str(models), "--scenes", str(scenes)])
    ):
        raise ValueError(f"what came of the scenes in {scenes} could not be trained")


def measured_without(ingredient: str, models: Path, sources: list[tuple[Path, str]]) -> str:
    """A row of the card: how well weights read each source, a folder of labelled photos and its split."""
    cells = [ingredient]
    with without(STEPS["corners looked for once"]):
        for source, split in sources:
            results, _, corner_errors = evaluate(source, split, TileReader(models))
            counts = total(results)
            cells += [f"{counts.right / counts.of:.1%}", f"{np.median(corner_errors):.1%}" if corner_errors else "none found"]
    return row(cells)


def ingredients_table(
    folder: Path, photos: Path, processes: int, count: int = COUNT, read: int = READ, epochs: int = EPOCHS, seed: int = 1
) -> str:
    """The table of the card, a row an ingredient.

    Args:
        folder: where scenes, networks and finished rows go; what is already there is kept.
        photos: a folder of labelled photos, whose training split is read.
        count: how many scenes are trained on, `epochs` times.
        read: how many other scenes of each kind are read to compare.

    Raises:
        NoFontsError, ValueError: when scenes cannot be rendered or networks not trained.
    """
    sources = [(photos, "train"), (folder / "read", "held_back"), (folder / "read-hard", "held_back")]
    for (scenes, _), hard in zip(sources[1:], (False, True), strict=True):
        render(scenes, scene_tasks(scenes, read, seed=seed + MEASURED_SEED, held_back=True, hard=hard), processes=processes)
    table = head("left out", "photos: right", "corners off by", "rendered: right", "corners off by", "hard: right", "corners off by")
    for ingredient in INGREDIENTS:
        place = folder / ingredient.replace(",", "").replace(" ", "-")
        measured = place / "row.md"
        if not measured.exists():
            train_without(ingredient, place, count, epochs, seed + (ingredient == AGAIN), processes)
            measured.write_text(measured_without(ingredient, place / "models", sources), encoding="utf-8")
        table += measured.read_text(encoding="utf-8")
        print(table.splitlines()[-1], flush=True)
    return table
