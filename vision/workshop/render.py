"""`istaka synth`: rendered scenes with truth for free, in the form of a folder of labelled photos.

A scene is decided by its number and the seed alone, so that rendering can be stopped, resumed and spread over cores.
Scenes whose number is a multiple of RENDERED_HELD_BACK_EVERY are drawn with fonts that no other scene uses: a held-back set of
sets never seen.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from tqdm import tqdm

from assistant.tiles import FACE_DOWN, Rack, Tile
from vision.reading import Place
from vision.workshop.fonts import NoFontsError, find_fonts
from vision.workshop.paint import Painter, photograph, random_light
from vision.workshop.photos import RENDERED_HELD_BACK_EVERY
from vision.workshop.scene import PlacedTile, Scene, random_camera, random_scene
from vision.workshop.sets import SetStyle, put_green, random_style

SYMBOL_FONT = "Symbola"
OVERSAMPLING = 1.5
SIZES = ((640, 480), (480, 640), (800, 600), (720, 720), (960, 540), (600, 800))
LEAST_VISIBLE = 0.4
"""A tile of which less of the face is seen is not asked for."""
LEAST_TILES = 8
"""A photo of a set, from which it may be taught, shows as many."""


@lru_cache(maxsize=4)
def fonts_for(cache: Path, held_back: bool) -> tuple[list[str], str]:
    """Fonts for digits, of the held-back tenth or of the others, and the font for symbols."""
    every = find_fonts(cache)
    symbols = next((path for path in every if SYMBOL_FONT in path), None)
    if symbols is None:
        raise NoFontsError("the font Symbola is missing: install the packages of vision/workshop/fonts.txt")
    families = sorted({Path(path).stem.split("-")[0].split("_")[0] for path in every})
    chosen = set(families[::10]) if held_back else set(families) - set(families[::10])
    return [path for path in every if Path(path).stem.split("-")[0].split("_")[0] in chosen], symbols


def render_scene(number: int, seed: int, font_cache: Path) -> tuple[np.ndarray, dict[str, Any]]:
    """One scene: the picture, uint8 BGR, and its line of truth without the photo's name."""
    rng = np.random.default_rng([seed, number])
    fonts, symbols = fonts_for(font_cache, number % RENDERED_HELD_BACK_EVERY == 0)
    style = random_style(rng, fonts, symbols)
    return _photographed(rng, style, random_scene(rng, style.height, style.thickness))


def render_set(number: int, count: int, seed: int, font_cache: Path) -> list[tuple[np.ndarray, dict[str, Any]]]:
    """Scenes of one set in fonts that no training sees, `count` of them, none empty, each in a light and from a side of its own.

    Sets of odd number have green ink in place of blue or yellow, as one in fourteen has that is trained on.
    """
    rng = np.random.default_rng([seed, number, 2])
    style = random_style(rng, *fonts_for(font_cache, held_back=True))
    if is_green(number):
        put_green(style, rng)
    scenes: list[Scene] = []
    while len(scenes) < count:
        scene = random_scene(rng, style.height, style.thickness)
        if len(scene.tiles) >= LEAST_TILES:
            scenes.append(scene)
    return [_photographed(rng, style, scene) for scene in scenes]


def _photographed(rng: np.random.Generator, style: SetStyle, scene: Scene) -> tuple[np.ndarray, dict[str, Any]]:
    """The picture of a scene in any light from any side, and its line of truth without the photo's name."""
    size = SIZES[int(rng.integers(len(SIZES)))]
    large = (int(size[0] * OVERSAMPLING), int(size[1] * OVERSAMPLING))
    camera = random_camera(rng, scene, large)
    painter = Painter(camera, style, random_light(rng), large, rng)
    painter.ground(style.font)
    painter.paint(scene)
    picture = photograph(painter.canvas, painter.owner, size, rng)
    return picture, truth_of(scene, painter, style.height, size)


def truth_of(scene: Scene, painter: Painter, height: float, size: tuple[int, int]) -> dict[str, Any]:
    """The line of truth: tiles seen well enough, those face down, those too hidden to ask for."""
    counts = np.bincount(painter.owner.ravel(), minlength=len(painter.order) + 1)
    tiles: list[dict[str, Any]] = []
    face_down: list[list[list[float]]] = []
    ignore: list[list[list[float]]] = []
    rows: dict[int, dict[int, list[tuple[float, Tile]]]] = {}
    complete = True
    for index, placed in enumerate(painter.order, start=1):
        corners = painter.camera.project(placed.corners(height))
        area = abs(cv2.contourArea(corners.astype(np.float32)))
        visible = float(counts[index]) / max(area, 1.0)
        polygon = np.round(corners / OVERSAMPLING, 2).tolist()
        if visible < 0.02 or area < 40:
            complete = complete and placed.place is not Place.RACK
            continue
        if visible < LEAST_VISIBLE:
            ignore.append(polygon)
            complete = complete and placed.place is not Place.RACK
        elif placed.tile == FACE_DOWN:
            face_down.append(polygon)
        else:
            tiles.append(
                {"tile": str(placed.tile), "polygon": polygon, "place": placed.place.value, "visible": round(min(1.0, visible), 2)}
            )
        if placed.row is not None and placed.group is not None:
            rows.setdefault(placed.row, {}).setdefault(placed.group, []).append((float(placed.centre[0]), placed.tile))
    truth: dict[str, Any] = {
        "set": "rendered",
        "kind": _kind(scene),
        "size": list(size),
        "tiles": tiles,
        "face_down": face_down,
        "ignore": ignore,
    }
    if rows and complete:
        in_order = [[[tile for _, tile in sorted(rows[r][g], key=lambda at: at[0])] for g in sorted(rows[r])] for r in sorted(rows)]
        if sum(np.sign(placed.up[2]) for placed in scene.tiles if placed.place is Place.RACK) < 0:
            # Tiles that all stand upside down are read as they stand, from the rack's other side.
            in_order = [[group[::-1] for group in row[::-1]] for row in in_order[::-1]]
        truth["rack"] = str(Rack.of(in_order))
        indicator = next((t["tile"] for t in tiles if t["place"] == Place.INDICATOR.value), None)
        if indicator:
            truth["indicator"] = indicator
    return truth


def _kind(scene: Scene) -> str:
    tiles: list[PlacedTile] = scene.tiles
    if not tiles:
        return "empty"
    if any(tile.place is Place.RACK for tile in tiles):
        return "rack"
    return "single" if len(tiles) == 1 else "table"


def _write(number: int, folder: Path, seed: int) -> None:
    """Renders one scene into `folder`, unless it is there."""
    label = folder / "labels" / f"{number:06}.json"
    if label.exists():
        return
    picture, truth = render_scene(number, seed, folder / "fonts.json")
    name = f"{number:06}.jpg"
    quality = int(np.random.default_rng([seed, number, 1]).integers(40, 97))
    cv2.imwrite(str(folder / "images" / name), picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    label.write_text(json.dumps({"photo": name, **truth}))


def is_green(number: int) -> bool:
    """Whether the set of this number has green ink in place of blue or yellow."""
    return number % 2 == 1


def _write_set(number: int, folder: Path, seed: int, count: int) -> None:
    """Renders `count` scenes of one set into `folder`, unless they are there."""
    names = [f"{number:04}-{scene}" for scene in range(count)]
    if all((folder / "labels" / f"{name}.json").exists() for name in names):
        return
    for name, (picture, truth) in zip(names, render_set(number, count, seed, folder / "fonts.json"), strict=True):
        cv2.imwrite(str(folder / "images" / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
        label = {"photo": f"{name}.jpg", **truth, "set": f"{'green' if is_green(number) else 'rendered'}-{number:04}"}
        (folder / "labels" / f"{name}.json").write_text(json.dumps(label))


def _one_thread() -> None:
    """Each process draws on one core."""
    cv2.setNumThreads(1)


def render(folder: Path, first: int, count: int, seed: int, processes: int, scenes_a_set: int = 0) -> None:
    """Renders scenes number `first` to `first + count - 1` into `folder` and writes its truth.jsonl.

    With `scenes_a_set` the numbers are those of sets, each shown in so many scenes.

    Raises NoFontsError when the fonts are not installed.
    """
    for part in ("images", "labels"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    find_fonts(folder / "fonts.json")
    numbers = range(first, first + count)
    work = partial(_write_set, folder=folder, seed=seed, count=scenes_a_set) if scenes_a_set else partial(_write, folder=folder, seed=seed)
    if processes == 1:
        _one_thread()
        for number in tqdm(numbers, unit="scene", disable=None):
            work(number)
    else:
        with multiprocessing.Pool(processes, _one_thread) as pool:
            for _ in tqdm(pool.imap_unordered(work, numbers, chunksize=4), total=count, unit="scene", disable=None):
                pass
    labels = sorted((folder / "labels").glob("*.json"))
    (folder / "truth.jsonl").write_text("".join(label.read_text() + "\n" for label in labels))


def main(argv: list[str] | None = None) -> int:
    """The command `istaka synth`. Returns its exit status."""
    parser = argparse.ArgumentParser(prog="istaka synth", description="Render labelled scenes of invented tile sets.")
    parser.add_argument("folder", type=Path, help="where images/ and truth.jsonl go; scenes already there are kept")
    parser.add_argument("--count", type=int, default=4000, help="how many scenes (default 4000)")
    parser.add_argument("--first", type=int, default=0, help="number of the first scene (default 0)")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other scenes (default 1)")
    parser.add_argument("--a-set", type=int, default=0, metavar="N", help="render --count sets never trained on, N scenes of each")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="how many cores to use (default all)")
    options = parser.parse_args(argv)
    try:
        render(options.folder, options.first, options.count, options.seed, options.processes, options.a_set)
    except NoFontsError as error:
        print(f"istaka synth: {error}", file=sys.stderr)
        return 2
    return 0
