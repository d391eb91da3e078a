"""What a user would otherwise assemble, run on the same photos and scored alike (`istaka bench --peers`).

Contours, OCR and the ink's hue; and one detector with a class for every face. Both get the layout of the real reader, so that
their racks can be compared.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.tiles import Colour, Tile
from vision.classify import ink_of
from vision.decode import FACES
from vision.layout import lay_out
from vision.reader import TileReader
from vision.reading import Reading, SeenTile
from vision.sources import load_photo
from vision.straighten import TILE_SIZE, Corners, Picture, Pyramid, straighten, white_balanced
from vision.weights import MODELS
from vision.workshop.evaluate import Score, score
from vision.workshop.photos import load_truth, picture_of, split_of

Found = list[tuple[Tile, float, Corners]]
"""Tiles with a confidence and their outlines (4, 2) in pixels, clockwise from the tile's own top left."""

LEAST_TILE, MOST_TILE = 0.0004, 0.2
"""A light outline is a tile's if it takes between these shares of the picture."""
LEAST_FILLED = 0.8
"""And if it fills as much of the rectangle around it."""
SIDES = (1.1, 2.0)
"""And the longer side of that is between so many times the shorter one."""
PRINTED = 0.68
"""The part of a tile, from its top, in which the number stands."""
TEXT_TO_TILE = (1.9, 2.6)
"""A tile found by its number alone is so many times as wide and as high as its text is high."""
LEAST_OCR = 0.5
DARK, PALE = 0.35, 0.3
"""Ink of a smaller value is black, and so is ink of a smaller saturation that is not light."""
HUES = ((9, Colour.RED), (38, Colour.YELLOW), (140, Colour.BLUE), (180, Colour.RED))
"""The colour of an ink by its hue, 0 to 180: up to each bound."""
PEER_FILE = Path("peers/yolo.onnx")
"""The detector with a class for every face, in the folder of the weights: what `istaka train peer` has learnt, as Ultralytics writes it."""
YOLO_SIZES = (640, 1280)
"""The picture's longer side, in pixels, as the detector sees it: Ultralytics' own, at which it was trained, and twice that."""


def with_layout(picture: Picture, found: Found, ms: float) -> Reading:
    """A reading of what a peer has found."""
    size = (picture.shape[1], picture.shape[0])
    corners = np.array([outline for _, _, outline in found], np.float32).reshape(-1, 4, 2)
    layout = lay_out(corners, np.ones(len(found), bool))
    tiles = []
    for i in layout.order:
        tile, confidence, outline = found[i]
        first, second, third, fourth = ((float(x), float(y)) for x, y in outline)
        tiles.append(SeenTile(tile, confidence, (first, second, third, fourth), layout.place[i], layout.row[i], layout.group[i]))
    return Reading(size, tuple(tiles), ms={"total": ms})


class OcrPeer:
    """Light outlines of a tile's shape, the number in each by OCR either way up, its colour by the hue of the ink.

    Numbers that OCR finds outside of these, in the whole photo, count as tiles too: tiles that touch have no outline of
    their own.
    """

    def __init__(self) -> None:
        """Loads RapidOCR with the models that come with it. Raises ImportError."""
        from rapidocr import RapidOCR

        self._ocr = RapidOCR(params={"Global.log_level": "error"})

    def find(self, picture: Picture) -> Found:
        """The tiles in a picture, uint8 BGR."""
        pyramid = Pyramid(picture)
        found = [tile for outline in tile_outlines(picture) if (tile := self._read(pyramid, outline)) is not None]
        seen = self._ocr(picture, use_det=True, use_cls=True, use_rec=True)
        for box, text in zip(seen.boxes if seen.boxes is not None else (), seen.txts or (), strict=True):
            middle = np.asarray(box, np.float32).mean(0)
            if _number(text) and all(cv2.pointPolygonTest(outline, middle.tolist(), False) < 0 for _, _, outline in found):
                tile = self._read(pyramid, _around_text(np.asarray(box, np.float32)))
                if tile is not None:
                    found.append(tile)
        return found

    def _read(self, pyramid: Pyramid, outline: Corners) -> tuple[Tile, float, Corners] | None:
        """The tile in an outline; None where OCR reads no number from 1 to 13 either way up."""
        best: tuple[float, int, Corners] = (LEAST_OCR, 0, outline)
        for turn in (0, 2):
            quad = np.roll(outline, turn, 0)
            crop = straighten(pyramid, quad)[: round(PRINTED * TILE_SIZE[1])]
            seen = self._ocr(crop, use_det=False, use_cls=False, use_rec=True)
            number = _number(seen.txts[0]) if seen.txts else 0
            if number and seen.scores[0] > best[0]:
                best = (float(seen.scores[0]), number, quad)
        confidence, number, quad = best
        return (Tile(colour_by_hue(straighten(pyramid, quad)), number), confidence, quad) if number else None


def _number(text: str) -> int:
    """The number from 1 to 13 that a text says, or 0."""
    digits = text.strip()
    return int(digits) if digits.isdecimal() and 1 <= int(digits) <= 13 else 0


def tile_outlines(picture: Picture) -> list[Corners]:
    """Rectangles (4, 2) around light areas of a tile's shape, an upright one's top left first."""
    light = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    _, mask = cv2.threshold(light, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    outlines = []
    for contour in contours:
        middle, (width, height), angle = cv2.minAreaRect(contour)
        shorter, longer = sorted((width, height))
        share = longer * shorter / light.size
        if not LEAST_TILE < share < MOST_TILE or not SIDES[0] < longer / shorter < SIDES[1]:
            continue
        if cv2.contourArea(contour) < LEAST_FILLED * longer * shorter:
            continue
        upright = (angle if width < height else angle + 90) % 180
        upright -= 180 if upright > 90 else 0
        outlines.append(_rectangle(middle, shorter, longer, upright))
    return outlines


def _rectangle(middle: Sequence[float], width: float, height: float, angle: float) -> Corners:
    """Corners (4, 2) of a rectangle turned clockwise by `angle` degrees, its own top left first."""
    return np.roll(cv2.boxPoints((middle, (width, height), angle)), -1, 0)


def _around_text(box: Corners) -> Corners:
    """A tile's outline about its number: the number stands in the upper half."""
    across, down = box[1] - box[0], box[3] - box[0]
    high = float(np.linalg.norm(down))
    angle = float(np.degrees(np.arctan2(across[1], across[0])))
    width, height = TEXT_TO_TILE[0] * high, TEXT_TO_TILE[1] * high
    middle = box.mean(0) + 0.25 * height * down / max(high, 1.0)
    return _rectangle(middle.tolist(), width, height, angle)


def colour_by_hue(crop: NDArray[np.uint8]) -> Colour:
    """The colour of the ink on a straightened tile, the face being white."""
    ink = ink_of(white_balanced(crop[None]))[0]
    hue, saturation, value = cv2.cvtColor(np.clip(ink, 0, 1).reshape(1, 1, 3), cv2.COLOR_BGR2HSV)[0, 0]
    if value < DARK or saturation < PALE:
        return Colour.BLACK
    return next(colour for bound, colour in HUES if hue / 2 <= bound)


class YoloPeer:
    """One detector with 53 classes."""

    def __init__(self, size: int, models: Path = MODELS) -> None:
        """Loads PEER_FILE; pictures are shrunk to `size` pixels. Raises FileNotFoundError when it is not there."""
        from vision.workshop.yolo import YOLO

        if not (models / PEER_FILE).exists():
            raise FileNotFoundError(f"there is no {models / PEER_FILE}: it lies in istaka's repository, not in its package")
        self._model, self._size = YOLO(str(models / PEER_FILE), task="detect"), size

    def find(self, picture: Picture) -> Found:
        """The tiles in a picture, uint8 BGR; outlines are upright boxes."""
        seen = self._model.predict(picture, imgsz=self._size, agnostic_nms=True, verbose=False)[0].boxes
        return [
            (FACES[int(label)], float(confidence), np.array([[x1, y1], [x2, y1], [x2, y2], [x1, y2]], np.float32))
            for (x1, y1, x2, y2), label, confidence in zip(seen.xyxy.numpy(), seen.cls.numpy(), seen.conf.numpy(), strict=True)
        ]


def compared(photos: Path) -> dict[tuple[str, str], Score]:
    """Scores by set and by who reads it, with "ALL" for all sets: held-back and unseen photos, read in one run.

    Raises:
        FileNotFoundError, PhotoError: when there is no such folder or photo.
        ValueError: when a library is not installed, or the folder has no such photo.
    """
    for module, library in (("rapidocr", "RapidOCR"), ("ultralytics", "Ultralytics")):
        if find_spec(module) is None:
            raise ValueError(f"{library} is not installed: run pip install 'istaka[peers]'")
    peers: dict[str, Callable[[Picture], Reading]] = {"istaka": TileReader().read, "contours, OCR, hue": _timed(OcrPeer().find)}
    peers |= {f"YOLO, 53 classes, at {size}": _timed(YoloPeer(size).find) for size in YOLO_SIZES}
    totals: dict[tuple[str, str], Score] = {}
    for photo in load_truth(photos):
        if split_of(photo) not in ("held_back", "unseen_set"):
            continue
        picture = load_photo(picture_of(photos, photo))
        for name, read in peers.items():
            counts = score(photo, read(picture))
            for group in (f"{photo.set} ({split_of(photo)})", "ALL"):
                totals.setdefault((group, name), Score())
                totals[group, name] += counts
    if not totals:
        raise ValueError(f"{photos} holds no photo that is held back or of a set never trained on: give a folder that does")
    return dict(sorted(totals.items(), key=lambda total: total[0][0] == "ALL"))


def _timed(find: Callable[[Picture], Found]) -> Callable[[Picture], Reading]:
    """Reads pictures by a peer, with the time it takes."""

    def read(picture: Picture) -> Reading:
        begun = time.perf_counter()
        found = find(picture)
        return with_layout(picture, found, 1000 * (time.perf_counter() - begun))

    return read


def print_compared(totals: dict[tuple[str, str], Score]) -> None:
    """Prints a line for every set and reader."""
    heads = f"{'photos':>6} {'exact':>7} {'racks':>5} {'exact':>5} {'tiles':>6} {'right':>7} {'sure&wrong':>10} {'ms':>7}"
    print(f"{'set':28} {'read by':25} {heads}")
    for (group, name), s in totals.items():
        print(
            f"{group:28} {name:25} {s.photos:6} {100 * s.exact / s.photos:6.1f}% {s.racks:5} {s.rack_exact:5} {s.of:6} "
            f"{100 * s.right / max(1, s.of):6.1f}% {s.sure_wrong:10} {s.ms / s.photos:7.0f}"
        )
