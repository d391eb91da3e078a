"""Labelled photos: the lines of a truth.jsonl, and the split of the real ones by scene."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import yaml
from numpy.typing import NDArray

from assistant.tiles import FACE_DOWN, UNREADABLE, NotationError, Rack, Tile
from vision.straighten import Corners

SPLIT_FILE = Path(__file__).resolve().parents[2] / "datasets" / "photos.yaml"
RENDERED_HELD_BACK_EVERY = 20
"""Rendered scenes whose number is a multiple of this are held back, and drawn with fonts that no other scene uses."""

Polygon = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class LabelledPhoto:
    """One line of truth.jsonl.

    Attributes:
        photo: file name under images/.
        set: the physical tile set, `rendered` for an invented one.
        kind: rack, table, single or empty.
        size: width and height in pixels.
        tiles: every tile that shows enough of itself, with its outline in pixels; `#` face down. None when only
            `contains` is known. Outlines of rendered tiles are the four corners from the tile's own top left.
        contains: the tiles without their places, or None.
        rack: the rack as it lies, or None. `gaps_labelled` says whether its `|` mean anything.
        indicator: the indicator, or None.
        ignore: outlines that are not to be judged.
        extra_allowed: whether other tiles may be in the picture.
    """

    photo: str
    set: str
    kind: str
    size: tuple[int, int]
    tiles: tuple[tuple[Tile, Polygon], ...] | None
    contains: tuple[Tile, ...] | None
    rack: Rack | None
    gaps_labelled: bool
    indicator: Tile | None
    ignore: tuple[Polygon, ...]
    extra_allowed: bool

    @property
    def face_up(self) -> tuple[tuple[Tile, Polygon], ...]:
        """Those of `tiles` that show their faces; none where only `contains` is known."""
        return tuple((tile, outline) for tile, outline in self.tiles or () if tile != FACE_DOWN)

    @property
    def face_down(self) -> tuple[Polygon, ...]:
        """The outlines of those of `tiles` that lie face down."""
        return tuple(outline for tile, outline in self.tiles or () if tile == FACE_DOWN)


def _outline(points: list[list[float]], of_rendered_tile: bool = False) -> Polygon:
    """Raises ValueError when they enclose nothing, are no numbers, or are not the four corners of a rendered tile."""
    if len(points) < 3 or (of_rendered_tile and len(points) != 4):
        wanted = "the four corners of a rendered tile" if of_rendered_tile else "three points or more"
        raise ValueError(f"an outline of {len(points)} points: give {wanted}")
    if not np.isfinite(np.array(points, float)).all():
        raise ValueError("an outline with a corner that is no number: give pixels")
    corners = tuple((float(x), float(y)) for x, y in points)
    if cv2.contourArea(cv2.convexHull(np.array(corners, np.float32))) < 1:
        raise ValueError("an outline that encloses less than a pixel: give the corners of what is seen")
    return corners


def _label(text: str) -> Tile:
    """Raises NotationError when it names no tile."""
    tile = Tile.parse(text)
    if tile == UNREADABLE:
        raise NotationError("a tile labelled ?: name it, or put its outline under `ignore`")
    return tile


def parse_truth(line: dict[str, Any]) -> LabelledPhoto:
    """One line of truth.jsonl as an object. Raises KeyError or ValueError when it is not in that form."""
    for name in ("photo", "set", "kind"):
        if not isinstance(line[name], str):
            raise ValueError(f"{name} must be a text, not {line[name]!r}")
    tiles, rendered = None, line["set"] == "rendered"
    if "tiles" in line:
        shown = [(_label(entry["tile"]), _outline(entry["polygon"], rendered)) for entry in line["tiles"]]
        tiles = tuple(shown + [(FACE_DOWN, _outline(points, rendered)) for points in line.get("face_down", [])])
    contains = tuple(_label(text) for text in line["contains"]) if "contains" in line else None
    rack = line.get("rack")
    return LabelledPhoto(
        photo=line["photo"],
        set=line["set"],
        kind=line["kind"],
        size=(int(line["size"][0]), int(line["size"][1])),
        tiles=tiles,
        contains=contains,
        rack=None if rack is None else Rack.parse(rack),
        gaps_labelled=rack is not None and "|" in rack,
        indicator=_label(line["indicator"]) if line.get("indicator") else None,
        ignore=tuple(_outline(points) for points in line.get("ignore", [])),
        extra_allowed=bool(line.get("extra_allowed", False)),
    )


def load_truth(folder: Path) -> list[LabelledPhoto]:
    """Every labelled photo of a folder with a truth.jsonl.

    Raises:
        FileNotFoundError: when it has none.
        ValueError: when that cannot be read, or a line is not in its form.
    """
    path = folder / "truth.jsonl"
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ValueError(f"{path} cannot be read ({error.strerror}): check the file") from None
    photos = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                photos.append(parse_truth(json.loads(line)))
            except Exception as error:  # what is in another form fails in any place and way
                raise ValueError(f"{path}: line {number} is not as datasets/README.md says: {error!r}") from error
    return photos


def quadrilateral(polygon: NDArray[np.float32]) -> Corners:
    """The four corners (4, 2), clockwise, of an outline that was drawn with any number of points.

    Of a simplified outline, the smallest enclosing quadrilateral and the smallest rectangle the one is taken that
    shares most with the outline.
    """
    hull = cv2.convexHull(polygon.astype(np.float32))
    around = cv2.arcLength(hull, True)
    simpler = (cv2.approxPolyDP(hull, share * around, True)[:, 0] for share in np.linspace(0.005, 0.2, 40))
    guesses = [next((outline for outline in simpler if len(outline) <= 4), hull[:, 0]), cv2.boxPoints(cv2.minAreaRect(hull))]
    if len(hull) > 4:
        guesses.append(np.asarray(cv2.minEnclosingConvexPolygon(hull, 4)[1], np.float32).reshape(-1, 2))

    def likeness(quad: Corners) -> float:
        shared = cv2.intersectConvexConvex(cv2.convexHull(quad), hull)[0]
        return float(shared / (cv2.contourArea(quad) + cv2.contourArea(hull) - shared)) if len(quad) == 4 else 0.0

    corners = np.asarray(max(guesses, key=likeness), np.float32)
    across, down = corners[1] - corners[0], corners[2] - corners[1]
    return corners if across[0] * down[1] - across[1] * down[0] > 0 else corners[::-1].copy()


def picture_of(folder: Path, photo: LabelledPhoto) -> Path:
    """Where the picture of a labelled photo is."""
    return folder / "images" / photo.photo


def split_of(photo: LabelledPhoto) -> str:
    """`train`, `held_back`, or `unseen_set` for a set that no training uses; `unknown` outside a clone of the repository.

    Raises ValueError when a rendered scene has no number.
    """
    if photo.set == "rendered":
        number = Path(photo.photo).stem
        if not number.isdecimal():
            raise ValueError(f"{photo.photo} is no rendered scene: name its own set, or name it by its number, as 000001.jpg")
        return "held_back" if int(number) % RENDERED_HELD_BACK_EVERY == 0 else "train"
    if not SPLIT_FILE.exists():
        return "unknown"
    return _real_splits().get((photo.set, Path(photo.photo).stem), "unseen_set")


@lru_cache(maxsize=1)
def _real_splits() -> dict[tuple[str, str], str]:
    """The split of every photo named in datasets/photos.yaml, by set and name without ending."""
    splits = {}
    for set_name, sides in yaml.safe_load(SPLIT_FILE.read_text()).items():
        for side, scenes in sides.items():
            for name in (name for names in scenes.values() for entry in names for name in _numbered(entry)):
                splits[set_name, name] = side
    return splits


def _numbered(entry: str) -> list[str]:
    """`rug-3..5` as rug-3, rug-4, rug-5; any other name as itself."""
    span = re.fullmatch(r"(.+-)(\d+)\.\.(\d+)", entry)
    return [f"{span[1]}{number}" for number in range(int(span[2]), int(span[3]) + 1)] if span else [entry]
