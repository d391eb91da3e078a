"""`istaka synth`: rendered scenes with truth for free, in the form of a folder of labelled photos.

A scene is decided by its number and the seed alone, so that rendering can be stopped, resumed and spread over cores.
Scenes whose number is a multiple of RENDERED_HELD_BACK_EVERY are drawn with fonts that no other scene uses: a held-back set of
sets never seen.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, TypeVar

import cv2
import numpy as np
from tqdm import tqdm

from assistant.arguments import ENGINES, Parser
from assistant.tiles import FACE_DOWN, Rack, Tile
from assistant.workers import open_pool
from vision.reading import Place
from vision.workshop.arguments import out_of_range
from vision.workshop.clutter import with_clutter
from vision.workshop.fonts import Pens, fonts_of, pens_of
from vision.workshop.paint import WARM_CHANCE, Painter, develop, photograph, random_light
from vision.workshop.photos import RENDERED_HELD_BACK_EVERY
from vision.workshop.scene import (
    FAR,
    Camera,
    PlacedTile,
    Scene,
    aimed_camera,
    hard_kind,
    random_camera,
    random_scene,
    turned_over,
    with_jokers,
)
from vision.workshop.sets import SetStyle, put_green, random_style
from vision.workshop.unusual import make_dark, make_unusual, make_worn
from vision.workshop.visibility import Visibility

OVERSAMPLING = 1.5
SIZES = ((640, 480), (480, 640), (800, 600), (720, 720), (960, 540), (600, 800))
LARGE_SIZES = ((1600, 1200), (1200, 1600), (1920, 1080), (1440, 1440))
"""Of pictures: the sizes of most, and of those that show as much of a tile as a phone's photos do."""
LEAST_VISIBLE = 0.4
"""A tile of which less of the face is seen is not asked for."""
LEAST_TILES = 8
"""A photo of a set, from which it may be taught, shows as many."""


class RenderError(ValueError):
    """Scenes that cannot be rendered as wished; the message is a sentence for the user."""


@dataclass(frozen=True)
class Task:
    """What one process renders in one go; the same task always gives the same pictures.

    Attributes:
        number, seed: of the scene, or with `scenes_a_set` of the set.
        fonts: the installed fonts that digits may be drawn with.
        scenes_a_set: how many scenes of one set in fonts that no training sees; 0 for one scene.
        physical: whether the scene is traced rather than painted.
        hard: whether it is of one of the hard kinds.
        large: whether its picture is of one of LARGE_SIZES.
        face_down: which share of the tiles that would show their faces is turned over, 0 to 0.5.
        clutter: whether cards, dice, glasses and sheets with numbers lie among the tiles.
        unusual: whether the set is unlike most.
        jokers: which share of the tiles that would show numbers are false jokers instead, 0 to 0.5.
        dark: whether the set has dark faces.
        worn: whether the set's inks have come off in patches.
    """

    number: int
    seed: int
    fonts: tuple[str, ...]
    scenes_a_set: int = 0
    physical: bool = False
    hard: bool = False
    large: bool = False
    face_down: float = 0.0
    clutter: bool = False
    unusual: bool = False
    jokers: float = 0.0
    dark: bool = False
    worn: bool = False

    @property
    def names(self) -> list[str]:
        """Of the pictures, without their ending."""
        return [f"{self.number:04}-{scene}" for scene in range(self.scenes_a_set)] if self.scenes_a_set else [f"{self.number:06}"]

    @property
    def pens(self) -> Pens:
        """What is written with in it: whole sets, and every twentieth scene, have the fonts that are held back."""
        return pens_of(self.fonts, bool(self.scenes_a_set) or self.number % RENDERED_HELD_BACK_EVERY == 0)


class Drawn(Protocol):
    """What one process draws in one go."""

    @property
    def names(self) -> list[str]:
        """Of the pictures, without their ending."""


Work = TypeVar("Work", bound=Drawn)


@dataclass(frozen=True)
class Rendered:
    """One rendered scene: its JPEG, and its line of truth with the photo's name."""

    name: str
    jpeg: bytes
    truth: dict[str, Any]


class Seen(Protocol):
    """What truth is taken from: the camera, and which tile's face is seen at each pixel, as `Visibility` has it."""

    camera: Camera
    owner: np.ndarray
    order: list[PlacedTile]


def render_task(task: Task) -> list[Rendered]:
    """The pictures of a task."""
    cv2.setNumThreads(1)  # each process draws on one core
    if task.scenes_a_set:
        kind, quality = ("green" if is_green(task.number) else "rendered"), 90
        truth_too = {"set": f"{kind}-{task.number:04}"}
        pictures = render_set(task)
    else:
        quality = int(np.random.default_rng([task.seed, task.number, 1]).integers(40, 97))
        truth_too = {}
        pictures = [render_scene(task)]
    made = []
    for name, (picture, truth) in zip(task.names, pictures, strict=True):
        jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        made.append(Rendered(name, jpeg, {"photo": f"{name}.jpg", **truth, **truth_too}))
    return made


def render_scene(task: Task) -> tuple[np.ndarray, dict[str, Any]]:
    """One scene: the picture, uint8 BGR, and its line of truth without the photo's name."""
    rng = np.random.default_rng([task.seed, task.number])
    if not task.hard:
        style = _style(rng, task)
        scene = _as_asked(random_scene(rng, style.height, style.thickness, solid=task.physical), task)
        size = _random_size(rng, task.large)
        return _photographed(rng, style, scene, random_camera(rng, scene, _large(size)), size, task.physical)
    kind = hard_kind(rng)
    style = _style(rng, task, kind.tall_chance)
    scene = _as_asked(kind.arrange(rng, style.height, style.thickness), task)
    size = _random_size(rng, task.large)
    camera = aimed_camera(rng, scene, _large(size), kind.view(rng, scene), FAR)
    return _photographed(rng, style, scene, camera, size, task.physical, kind.warm)


def _style(rng: np.random.Generator, task: Task, tall_chance: float = 0.25) -> SetStyle:
    """The set of a task's scene; what is unusual, dark or worn of it by chances of its own, so that all else stays as it is."""
    style = random_style(rng, *task.pens, tall_chance)
    if task.unusual:
        make_unusual(style, np.random.default_rng([task.seed, task.number, 5]))
    if task.dark:
        make_dark(style, np.random.default_rng([task.seed, task.number, 7]))
    if task.worn:
        make_worn(style, np.random.default_rng([task.seed, task.number, 8]))
    return style


def _as_asked(scene: Scene, task: Task) -> Scene:
    """The scene with tiles turned over, jokers and clutter as its task asks for; by chances of their own, so that all else stays."""
    scene = turned_over(scene, task.face_down, np.random.default_rng([task.seed, task.number, 3]))
    scene = with_jokers(scene, task.jokers, np.random.default_rng([task.seed, task.number, 6]))
    if not task.clutter:
        return scene
    return with_clutter(scene, task.pens, np.random.default_rng([task.seed, task.number, 4]))


def render_set(task: Task) -> list[tuple[np.ndarray, dict[str, Any]]]:
    """Scenes of one set in fonts that no training sees, none empty, each in a light and from a side of its own.

    Sets of odd number have green ink in place of blue or yellow, as one in fourteen has that is trained on.
    """
    rng = np.random.default_rng([task.seed, task.number, 2])
    style = _style(rng, task)
    if is_green(task.number):
        put_green(style, rng)
    scenes: list[Scene] = []
    while len(scenes) < task.scenes_a_set:
        scene = random_scene(rng, style.height, style.thickness, solid=task.physical)
        if len(scene.tiles) >= LEAST_TILES:
            scenes.append(scene)
    pictures = []
    for scene in scenes:
        size = _random_size(rng, task.large)
        pictures.append(_photographed(rng, style, scene, random_camera(rng, scene, _large(size)), size, task.physical))
    return pictures


def is_green(number: int) -> bool:
    """Whether the set of this number has green ink in place of blue or yellow."""
    return number % 2 == 1


def _random_size(rng: np.random.Generator, large: bool) -> tuple[int, int]:
    sizes = LARGE_SIZES if large else SIZES
    return sizes[int(rng.integers(len(sizes)))]


def _large(size: tuple[int, int]) -> tuple[int, int]:
    """The size at which a picture of `size` is painted and its truth taken."""
    return int(size[0] * OVERSAMPLING), int(size[1] * OVERSAMPLING)


def _photographed(
    rng: np.random.Generator, style: SetStyle, scene: Scene, camera: Camera, size: tuple[int, int], physical: bool, warm: bool = False
) -> tuple[np.ndarray, dict[str, Any]]:
    """The picture of a scene in any light, or that of warm lamps, and its line of truth without the photo's name."""
    if physical:
        from vision.workshop.physical import trace

        seen = Visibility(scene, camera, style.height, style.thickness, _large(size))
        return develop(trace(scene, style, camera, seen.owner, size, rng, warm), rng), truth_of(scene, seen, style.height, size)
    painter = Painter(camera, style, random_light(rng), _large(size), rng)
    painter.ground(style.font)
    painter.paint(scene)
    picture = photograph(painter.canvas, painter.owner, size, rng, 1.0 if warm else WARM_CHANCE)
    return picture, truth_of(scene, painter, style.height, size)


def truth_of(scene: Scene, seen: Seen, height: float, size: tuple[int, int]) -> dict[str, Any]:
    """The line of truth: tiles seen well enough, those face down, those too hidden to ask for."""
    counts = np.bincount(seen.owner.ravel(), minlength=len(seen.order) + 1)
    tiles: list[dict[str, Any]] = []
    face_down: list[list[list[float]]] = []
    ignore: list[list[list[float]]] = []
    rows: dict[int, dict[int, list[tuple[float, Tile]]]] = {}
    complete = True
    for index, placed in enumerate(seen.order, start=1):
        corners = seen.camera.project(placed.corners(height))
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


def check_own(folder: Path) -> None:
    """Raises RenderError when a folder holds photos or labels that were not rendered: they would be overwritten."""
    labels = folder / "labels"
    if labels.is_dir() and all(label.suffix == ".json" for label in labels.iterdir()):
        return
    for part in ("truth.jsonl", "images"):
        if (folder / part).exists():
            raise RenderError(f"{folder} holds {part} that istaka did not render: name another folder")


def render(
    folder: Path,
    tasks: list[Work],
    draw: Callable[[Work], list[Rendered]],
    engine: str = "local",
    processes: int = 1,
) -> None:
    """Renders into `folder` what of `tasks` is not there yet, and writes its truth.jsonl.

    The pictures are the same for every engine and number of processes.

    Args:
        draw: makes the pictures of a task, in each process.
        engine: one of `assistant.arguments.ENGINES`; the machines of a cluster need the same fonts, at the same paths.

    Raises:
        EngineError: when Ray is wanted and not installed, or a process died; what was rendered is kept.
        RenderError: when the folder holds photos or labels that were not rendered.
    """
    check_own(folder)
    for part in ("labels", "images"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    missing = [task for task in tasks if not all((folder / "labels" / f"{name}.json").exists() for name in task.names)]
    done = len(tasks) - len(missing)
    with open_pool(engine, processes) as pool:
        for pictures in tqdm(pool.imap_unordered(draw, missing), initial=done, total=len(tasks), unit="scene", disable=None):
            for picture in pictures:
                (folder / "images" / f"{picture.name}.jpg").write_bytes(picture.jpeg)
                (folder / "labels" / f"{picture.name}.json").write_text(json.dumps(picture.truth))
    labels = sorted((folder / "labels").glob("*.json"))
    (folder / "truth.jsonl").write_text("".join(label.read_text() + "\n" for label in labels))


def scene_tasks(folder: Path, count: int, *, seed: int = 1, first: int = 0, held_back: bool = False, **kind: Any) -> list[Task]:
    """The tasks of `count` scenes or sets from number `first` on, as `istaka synth` renders them into `folder`.

    Args:
        held_back: whether only scenes are wanted in fonts that no training sees.
        kind: what else a `Task` says.

    Raises:
        NoFontsError, RenderError: when fonts or Blender are missing, or the folder holds what was not rendered.
    """
    check_own(folder)
    if kind.get("physical") and find_spec("bpy") is None:
        raise RenderError("Blender's bpy is not installed: run pip install 'istaka[physical]' with Python 3.11")
    folder.mkdir(parents=True, exist_ok=True)
    fonts = fonts_of(folder)
    step = RENDERED_HELD_BACK_EVERY if held_back and not kind.get("scenes_a_set") else 1
    return [Task(number, seed, fonts, **kind) for number in range(first * step, (first + count) * step, step)]


def main(argv: list[str] | None = None) -> int:
    """The command `istaka synth`. Returns its exit status."""
    parser = Parser(prog="istaka synth", description="Render labelled scenes of invented tile sets.")
    parser.add_argument("folder", type=Path, help="where images/ and truth.jsonl go; scenes already there are kept")
    parser.add_argument("--count", type=int, default=4000, help="how many scenes (default 4000)")
    parser.add_argument("--first", type=int, default=0, help="number of the first scene (default 0); with --held-back, among these")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other scenes (default 1)")
    parser.add_argument("--a-set", type=int, default=0, metavar="N", help="render --count sets never trained on, N scenes of each")
    parser.add_argument("--held-back", action="store_true", help="only scenes in fonts that no training sees")
    parser.add_argument("--hard", action="store_true", help="steep racks of three steps, okey racks in warm light, loose groups")
    parser.add_argument("--large", action="store_true", help="pictures of 2 megapixels, in which tiles are as large as in a phone's photos")
    parser.add_argument(
        "--face-down", type=float, default=0.0, metavar="SHARE", help="turn over that share of the tiles besides, up to 0.5 (default 0)"
    )
    parser.add_argument("--clutter", action="store_true", help="cards, dice, glasses and sheets with numbers among the tiles")
    parser.add_argument("--unusual", action="store_true", help="sets unlike most: numbers in rings, on discs or hollow, wood, any joker")
    parser.add_argument("--dark", action="store_true", help="sets with dark faces and light numbers, white ones for black")
    parser.add_argument("--worn", action="store_true", help="sets whose inks have come off in patches")
    parser.add_argument(
        "--jokers", type=float, default=0.0, metavar="SHARE", help="make that share of the tiles false jokers, up to 0.5 (default 0)"
    )
    parser.add_argument("--physical", action="store_true", help="trace the light with Blender instead of painting: slow, like photographs")
    parser.add_argument("--engine", choices=ENGINES, default="local", help="where: this machine (default), or a Ray cluster")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="how many cores to use (default all)")
    options = parser.parse_args(argv)
    if options.a_set and (options.hard or options.face_down or options.clutter or options.jokers):
        parser.error("--hard, --face-down, --clutter and --jokers are for scenes with a set of their own each: leave --a-set out")
    if options.physical and options.clutter:
        parser.error("--clutter is painted, not traced: leave --physical or --clutter out")
    little = out_of_range(options, count=1, first=0, seed=0, a_set=0, processes=1)
    if little:
        parser.error(little)
    for name, share in (("--face-down", options.face_down), ("--jokers", options.jokers)):
        if not 0 <= share <= 0.5:
            parser.error(f"{name} is {share:g}: give a share from 0 to 0.5")
    try:
        tasks = scene_tasks(
            options.folder,
            options.count,
            first=options.first,
            held_back=options.held_back,
            scenes_a_set=options.a_set,
            **{field.name: getattr(options, field.name) for field in fields(Task) if field.name in options},
        )
        render(options.folder, tasks, render_task, options.engine, options.processes)
    except OSError as error:
        print(f"istaka synth: {error.filename} cannot be written ({error.strerror}): name another folder", file=sys.stderr)
        return 2
    except ValueError as error:
        print(f"istaka synth: {error}", file=sys.stderr)
        return 2
    return 0
