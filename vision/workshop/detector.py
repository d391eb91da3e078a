"""Detectors of the locator's shape: the locator itself, and the one that the reader is compared with (`peers`).

Both are Ultralytics' networks, told of their errors by its loss. They take the steps of the networks that look at crops (`learn`), on a
processor in 16 bits if wanted, which Ultralytics' trainer cannot.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from assistant.tiles import Tile
from assistant.workers import open_pool
from vision.locate import FIRST_LOOK, NOTHING, STRIDES
from vision.sources import load_photo
from vision.straighten import Picture
from vision.workshop.alter import STREWN, at_random
from vision.workshop.learn import Batch, Plan, learn, load_checkpoint
from vision.workshop.photos import LabelledPhoto, Polygon, picture_of
from vision.workshop.recover import load_onnx

PICTURES = 16
"""So many are learnt from at a time if nothing else is asked for."""
MOST_TILT = 50.0
"""By how many degrees real photos, most of them taken from above, are tilted for the locator; scenes are seen from everywhere."""
LEAST_SHOWN = 2.0
"""A tile of which the picture's edge leaves no more pixels than this, across or down, is none for the locator."""
PHOTO_SHARE = 0.35
"""Of the pictures that the locator learns from so many are real photos, each altered anew as often as it takes. With half of that, in the
twenty-third round, what it gained in scenes it lost in photos."""
CANVASES = (4 / 3, 3 / 4, 1.0, 3 / 2)
"""Width of the pictures that the locator is shown, in their heights; those of a batch are alike."""
SEEN_FROM, MOST_TURN, MOST_LEAN, MOST_SHEAR = (0.35, 1.4), 15.0, 4e-4, 3.0
"""By how much a picture is shrunk or enlarged, turned and sheared, in degrees, and how far its plane leans away, a pixel."""
FAR_SHARE, FAR_SIDE, MOST_HIDDEN = 0.25, (9.0, 24.0), 0.5
"""Onto so many of the pictures another one is laid, so small that a middling tile of it is as large as a square of so many pixels: hardly
a scene shows few far tiles behind many near ones. A tile of which it hides more than such a share is none."""
SATURATION, BRIGHTNESS, TINT = (0.5, 1.5), (0.6, 1.4), 0.05
"""By how much its colours are stronger, it is brighter, and each of its channels by itself."""
LEAST_OF_BOX = 0.03
"""A tile of which the edge leaves less of its box than this is none."""
Source = tuple[Path, list[LabelledPhoto], int]
"""A folder, those of its photos that are learnt from, and how often each."""
Outline = NDArray[np.float32]
"""Corners (N, 2) of a convex polygon, in pixels."""
Shown = tuple[int, Outline]
"""A tile that a picture shows: the place of its face among those that a detector tells apart, and its outline."""


class _Repeat(NamedTuple):
    """A photo as it stands once in a folder in Ultralytics' format."""

    source: Path
    photo: LabelledPhoto
    name: str
    tilt: float
    clutter: float
    seed: tuple[int, int]


def write_yolo_folder(
    folder: Path,
    sources: Sequence[Source],
    faces: Sequence[Tile] = (),
    seed: int = 1,
    clutter: float = STREWN,
    processes: int = 1,
) -> None:
    """Labelled photos, altered at random, in Ultralytics' format, each as often as asked.

    They are shrunk until no side is longer than the reader's first look.
    Between the tiles of what is asked for more than once things are laid with a chance of `clutter`, see `alter.strewn`.
    All tiles are one class; with `faces` each of those is one, and other tiles are left out. Labels are outlines, of which
    boxes are made once a picture is turned and sheared: boxes turned with it would be too large. The pictures are the
    same for any number of `processes`.

    Raises PhotoError.
    """
    shutil.rmtree(folder, ignore_errors=True)
    for part in ("images", "labels"):
        (folder / part).mkdir(parents=True)
    each = [(source, photo, times > 1) for source, photos, times in sources for _ in range(times) for photo in photos]
    jobs = [
        _Repeat(
            source=source,
            photo=photo,
            name=f"{number:06}-{Path(photo.photo).stem}",
            tilt=MOST_TILT if repeated else 0.0,
            clutter=clutter if repeated else 0.0,
            seed=(seed, number),
        )
        for number, (source, photo, repeated) in enumerate(each)
    ]
    with open_pool("local", processes) as pool:
        for _ in pool.imap_unordered(partial(_write_altered, folder, tuple(faces)), jobs):
            pass


def _write_altered(folder: Path, faces: tuple[Tile, ...], job: _Repeat) -> None:
    alteration = at_random(np.random.default_rng(job.seed), job.tilt, job.clutter)
    shown = replace(job.photo, tiles=_in_picture(job.photo))
    altered, picture = alteration.of(shown, load_photo(picture_of(job.source, job.photo)))
    outlines = [(tile, np.clip(np.array(polygon) / altered.size, 0, 1)) for tile, polygon in altered.tiles or ()]
    lines = [
        f"{faces.index(tile) if faces else 0} " + " ".join(f"{share:.6f}" for share in shares.ravel())
        for tile, shares in outlines
        if not faces or tile in faces
    ]
    if max(altered.size) > FIRST_LOOK:
        width, height = (max(1, round(side * FIRST_LOOK / max(altered.size))) for side in altered.size)
        picture = np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    cv2.imwrite(str(folder / "images" / f"{job.name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
    (folder / "labels" / f"{job.name}.txt").write_text("\n".join(lines))


def _in_picture(photo: LabelledPhoto) -> tuple[tuple[Tile, Polygon], ...]:
    """The tiles of a photo with the parts of their outlines that are in it; without those of which hardly any is."""
    parts = [(tile, _part_within(np.asarray(polygon, np.float32), photo.size)) for tile, polygon in photo.tiles or ()]
    return tuple((tile, tuple((float(x), float(y)) for x, y in part)) for tile, part in parts if part is not None)


def _part_within(outline: Outline, size: tuple[int, int]) -> Outline | None:
    """What of a tile's outline (N, 2) lies in a picture of `size`, (M, 2); None where hardly any does."""
    width, height = size
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    area, part = cv2.intersectConvexConvex(cv2.convexHull(outline), frame)
    return np.asarray(part[:, 0], np.float32) if area and np.ptp(part, axis=0).min() > LEAST_SHOWN else None


def detector_of(faces: Sequence[Tile] = ()) -> nn.Module:
    """Ultralytics' network of the locator's shape: for tiles of any face, or with `faces` one that tells them apart."""
    from vision.workshop.yolo import LOCATOR_SHAPE, DetectionModel

    net = DetectionModel(str(LOCATOR_SHAPE), nc=max(1, len(faces)), verbose=False)
    net.names = dict(enumerate(map(str, faces))) or {0: "tile"}
    return net


def load_locator(net: nn.Module, weights: Path, pictures: list[Path], size: int) -> None:
    """Gives `net` the locator's ONNX weights, by some of the pictures that it is to be trained on. To it every face is as likely.

    Raises ValueError when the file holds another network, PhotoError.
    """
    few = [cv2.resize(load_photo(picture), (size, size))[..., ::-1] for picture in pictures[:64]]
    locator = detector_of()
    load_onnx(locator, weights, torch.from_numpy(np.stack(few).transpose(0, 3, 1, 2).astype(np.float32) / 255))
    own, held = net.state_dict(), locator.state_dict()
    for name, weight in held.items():
        of_a_tile = own[name].shape != weight.shape
        own[name] = weight.expand_as(own[name]) - (np.log(len(own[name])) if weight.ndim == 1 else 0) if of_a_tile else weight
    net.load_state_dict(own)


class Pictures:
    """The pictures that `write_yolo_folder` has written, as the locator is shown them: turned, leaning, recoloured, another far off."""

    def __init__(self, folder: Path, size: int) -> None:
        """Pictures as large as a square of `size` pixels are cut."""
        self._paths = sorted((folder / "images").iterdir())
        labels = [(folder / "labels" / path.name).with_suffix(".txt").read_text().splitlines() for path in self._paths]
        told = [[line.split() for line in lines] for lines in labels]
        self._tiles = [[(int(face), np.array(shares, np.float32).reshape(-1, 2)) for face, *shares in lines] for lines in told]
        sides = [(size * ratio**0.5, size / ratio**0.5) for ratio in CANVASES]
        self._canvases = [tuple(max(1, round(side / STRIDES[-1])) * STRIDES[-1] for side in canvas) for canvas in sides]

    def __len__(self) -> int:
        return len(self._paths)

    def cut(self, chosen: NDArray[np.int64], rng: np.random.Generator) -> Batch:
        """RGB pictures (N, 3, height, width), uint8, and of their tiles each one's picture (M,), face (M,) and box (M, 4).

        Boxes are their middles, widths and heights, in shares of the picture.
        """
        canvas = self._canvases[rng.integers(len(self._canvases))]
        pictures, owners, faces, boxes = [], [], [], []
        for place, index in enumerate(chosen):
            picture, tiles = self._seen_anyhow(index, canvas, rng)
            if rng.random() < FAR_SHARE:
                tiles = self._with_another_far_off(picture, tiles, rng)
            pictures.append(picture[..., ::-1])
            for face, outline in tiles:
                if (box := _box_of(outline, canvas)) is not None:
                    owners.append(place)
                    faces.append(face)
                    boxes.append(box)
        shown = np.ascontiguousarray(np.stack(pictures).transpose(0, 3, 1, 2))
        told = np.array(boxes, np.float32).reshape(-1, 4)
        return torch.from_numpy(shown), *(torch.tensor(each, dtype=torch.float32) for each in (owners, faces)), torch.from_numpy(told)

    def _read(self, index: int) -> tuple[Picture, list[Shown]]:
        picture = np.asarray(cv2.imread(str(self._paths[index])), np.uint8)
        return picture, [(face, outline * np.float32(picture.shape[1::-1])) for face, outline in self._tiles[index]]

    def _seen_anyhow(self, index: int, canvas: tuple[int, int], rng: np.random.Generator) -> tuple[Picture, list[Shown]]:
        picture, tiles = self._read(index)
        to_canvas = _to_canvas((picture.shape[1], picture.shape[0]), canvas, rng)
        seen = _in_other_colours(_warped(picture, to_canvas, canvas), rng)
        return seen, [(face, cv2.perspectiveTransform(outline[None], to_canvas)[0].astype(np.float32)) for face, outline in tiles]

    def _with_another_far_off(self, canvas: Picture, tiles: list[Shown], rng: np.random.Generator) -> list[Shown]:
        """Lays another picture onto a canvas, so small as if it were far off, and returns the tiles that are then seen."""
        picture, far = self._read(int(rng.integers(len(self))))
        height, width = canvas.shape[:2]
        most = min(width / picture.shape[1], height / picture.shape[0]) / 2
        side = np.median([np.sqrt(cv2.contourArea(outline)) for _, outline in far]) if far else np.inf
        scale = float(np.clip(np.exp(rng.uniform(*np.log(FAR_SIDE))) / max(side, 1), most / 4, most))
        small = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        left, top = (int(rng.integers(room + 1)) for room in (width - small.shape[1], height - small.shape[0]))
        canvas[top : top + small.shape[0], left : left + small.shape[1]] = _in_other_colours(small, rng)
        corner, size = np.float32([left, top]), (small.shape[1], small.shape[0])
        covered = [_part_within(outline - corner, size) for _, outline in tiles]
        near = [
            (face, outline)
            for (face, outline), part in zip(tiles, covered, strict=True)
            if part is None or cv2.contourArea(part) <= MOST_HIDDEN * cv2.contourArea(cv2.convexHull(outline))
        ]
        return near + [(face, outline * np.float32(scale) + corner) for face, outline in far]


def _to_canvas(size: tuple[int, int], canvas: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float64]:
    """A homography (3, 3) at random from a picture of `size` to a canvas that shows all of it, a part, or it in a part of the canvas."""
    scale = np.exp(rng.uniform(*np.log(SEEN_FROM))) * FIRST_LOOK / max(size)
    turn = np.radians(rng.uniform(-MOST_TURN, MOST_TURN))
    middle, lean, turned, sheared, moved = (np.eye(3) for _ in range(5))
    middle[:2, 2] = -np.array(size) / 2
    lean[2, :2] = rng.uniform(-MOST_LEAN, MOST_LEAN, 2)
    turned[:2, :2] = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    sheared[0, 1], sheared[1, 0] = np.tan(np.radians(rng.uniform(-MOST_SHEAR, MOST_SHEAR, 2)))
    room = np.abs(scale * np.array(size) - canvas) / 2
    moved[:2, 2] = np.array(canvas) / 2 + rng.uniform(-room, room)
    return moved @ sheared @ turned @ lean @ middle


def _warped(picture: Picture, to_canvas: NDArray[np.float64], canvas: tuple[int, int]) -> Picture:
    """The canvas, grey where it shows nothing. A picture that is shrunk by much is halved before, or edges would be ragged."""
    if np.sqrt(np.linalg.det(to_canvas[:2, :2])) < 0.6:
        halved = ((picture.shape[1] + 1) // 2, (picture.shape[0] + 1) // 2)
        picture = np.asarray(cv2.resize(picture, halved, interpolation=cv2.INTER_AREA), np.uint8)
        to_canvas = to_canvas @ np.diag([2.0, 2.0, 1.0])
    return np.asarray(cv2.warpPerspective(picture, to_canvas, canvas, borderValue=(NOTHING,) * 3), np.uint8)


def _in_other_colours(picture: Picture, rng: np.random.Generator) -> Picture:
    saturation, tint = rng.uniform(*SATURATION), rng.uniform(*BRIGHTNESS) * (1 + TINT * rng.standard_normal(3))
    return np.asarray(cv2.transform(picture, np.diag(tint) @ (saturation * np.eye(3) + (1 - saturation) / 3)), np.uint8)


def _box_of(outline: Outline, canvas: tuple[int, int]) -> NDArray[np.float32] | None:
    """Middle and size (4,) of the box around what an outline (N, 2) shows on the canvas, in shares of it; None where that is too little."""
    part = _part_within(outline, canvas)
    if part is None or np.ptp(part, axis=0).prod() <= LEAST_OF_BOX * np.ptp(outline, axis=0).prod():
        return None
    low, high = part.min(0), part.max(0)
    return np.concatenate([(low + high) / 2, high - low]) / np.tile(np.array(canvas, np.float32), 2)


def train_detector(
    sources: Sequence[Source], start: Path | None, size: int, processes: int, plan: Plan, faces: Sequence[Tile] = ()
) -> None:
    """Trains a detector as planned, with a folder of pictures beside its checkpoint, which bears its name.

    Args:
        start: a checkpoint of its kind, or the locator's ONNX weights, to go on from; None starts anew.
        size: the pictures that it is shown are as large as a square of so many pixels.
        processes: how many pictures are altered side by side.
        faces: those that it tells apart; none for the locator.

    Raises:
        ValueError: when `start` holds another network.
        PhotoError: when a picture is not there, or damaged.
    """
    from ultralytics.cfg import get_cfg
    from ultralytics.utils.loss import v8DetectionLoss

    part, net = plan.checkpoint.stem, detector_of(faces)
    if start and start.suffix == ".onnx":
        load_locator(net, start, [picture_of(folder, photo) for folder, photos, _ in sources for photo in photos], size)
    elif start:
        load_checkpoint(net, part, start)
    data = plan.checkpoint.with_name(f"{part}-data")
    write_yolo_folder(data, sources, faces, plan.seed, processes=processes)
    pictures = Pictures(data, size)
    net.args = get_cfg()
    wrong = v8DetectionLoss(net.to(plan.device, memory_format=torch.channels_last))

    def loss_of(batch: Batch) -> Tensor:
        shown, owners, of_faces, boxes = batch
        told = net(shown.to(memory_format=torch.channels_last).float() / 255)
        with torch.autocast(plan.device, enabled=False):  # distances want more than 8 bits
            exact = {name: [each.float() for each in held] if isinstance(held, list) else held.float() for name, held in told.items()}
            loss, _ = wrong(exact, {"batch_idx": owners, "cls": of_faces, "bboxes": boxes})
        return loss.sum()

    learn(net, len(pictures), pictures.cut, loss_of, plan)
