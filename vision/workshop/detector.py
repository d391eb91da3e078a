"""Detectors of the locator's shape, trained with Ultralytics: the locator itself, and the one that it is compared with (`peers`)."""

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

from assistant.tiles import Tile
from assistant.workers import open_pool
from vision.workshop.alter import STREWN, at_random
from vision.workshop.learn import Plan
from vision.workshop.photos import LabelledPhoto, Polygon, picture_of
from vision.workshop.recover import load_onnx

PICTURES = 16
"""So many are learnt from at a time if nothing else is asked for."""
MOST_TILT = 50.0
"""By how many degrees real photos, most of them taken from above, are tilted for the locator; scenes are seen from everywhere."""
LEAST_SHOWN = 2.0
"""A tile of which the picture's edge leaves no more pixels than this, across or down, is none for the locator."""
Source = tuple[Path, list[LabelledPhoto], int]
"""A folder, those of its photos that are learnt from, and how often each."""


class _Repeat(NamedTuple):
    """A photo as it stands once in a folder for Ultralytics."""

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
) -> Path:
    """Labelled photos, altered at random, as Ultralytics wants them, each as often as asked. Returns the description file.

    Between the tiles of what is asked for more than once things are laid with a chance of `clutter`, see `alter.strewn`.
    All tiles are one class; with `faces` each of those is one, and other tiles are left out. Labels are outlines, of which
    Ultralytics makes boxes once it has turned and sheared a picture: boxes turned with it would be too large. The pictures are the
    same for any number of `processes`.
    """
    shutil.rmtree(folder, ignore_errors=True)
    for part in ("images", "labels"):
        (folder / part).mkdir(parents=True)
    each = [(source, photo, repeat, times > 1) for source, photos, times in sources for repeat in range(times) for photo in photos]
    jobs = [
        _Repeat(
            source=source,
            photo=photo,
            name=f"{source.name}-{repeat}-{photo.photo}",
            tilt=MOST_TILT if repeated else 0.0,
            clutter=clutter if repeated else 0.0,
            seed=(seed, number),
        )
        for number, (source, photo, repeat, repeated) in enumerate(each)
    ]
    with open_pool("local", processes) as pool:
        for _ in pool.imap_unordered(partial(_write_altered, folder, tuple(faces)), jobs):
            pass
    # Ultralytics validates after the last epoch whatever it is told; a few pictures are enough, `istaka evaluate` measures.
    few = sorted((folder / "images").iterdir())[:8]
    (folder / "val.txt").write_text("".join(f"./images/{path.name}\n" for path in few))
    description = folder / "tiles.yaml"
    names = ", ".join(map(str, faces)) or "tile"
    description.write_text(f"path: {folder.resolve()}\ntrain: images\nval: val.txt\nnames: [{names}]\n")
    return description


def _write_altered(folder: Path, faces: tuple[Tile, ...], job: _Repeat) -> None:
    alteration = at_random(np.random.default_rng(job.seed), job.tilt, job.clutter)
    shown = replace(job.photo, tiles=_in_picture(job.photo))
    altered, picture = alteration.of(shown, np.asarray(cv2.imread(str(picture_of(job.source, job.photo))), np.uint8))
    outlines = [(tile, np.clip(np.array(polygon) / altered.size, 0, 1)) for tile, polygon in altered.tiles or ()]
    lines = [
        f"{faces.index(tile) if faces else 0} " + " ".join(f"{share:.6f}" for share in shares.ravel())
        for tile, shares in outlines
        if not faces or tile in faces
    ]
    cv2.imwrite(str(folder / "images" / job.name), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
    (folder / "labels" / job.name).with_suffix(".txt").write_text("\n".join(lines))


def _in_picture(photo: LabelledPhoto) -> tuple[tuple[Tile, Polygon], ...]:
    """The tiles of a photo with the parts of their outlines that are in it; without those of which hardly any is."""
    width, height = photo.size
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    shown = []
    for tile, polygon in photo.tiles or ():
        area, part = cv2.intersectConvexConvex(cv2.convexHull(np.asarray(polygon, np.float32)), frame)
        if area and np.ptp(part, axis=0).min() > LEAST_SHOWN:
            shown.append((tile, tuple((float(x), float(y)) for x, y in part[:, 0])))
    return tuple(shown)


def train_detector(description: Path, start: Path | None, size: int, plan: Plan) -> Path:
    """Trains a detector of the locator's shape with Ultralytics and returns its last checkpoint.

    Args:
        description: what `write_yolo_folder` has written.
        start: a checkpoint to go on from, as far as its layers are the same; None starts anew.
        size: side of the square picture in training, in pixels.
        plan: its checkpoint is a folder.
    """
    from vision.workshop.yolo import LOCATOR_SHAPE, YOLO

    alone = plan.device == "cpu"
    model = YOLO(str(start or LOCATOR_SHAPE))
    model.train(
        data=str(description), epochs=plan.epochs, time=plan.minutes / 60 or None, imgsz=size, batch=plan.batch, nbs=plan.batch,
        optimizer="AdamW", lr0=plan.rate, lrf=0.05, warmup_epochs=min(0.5, plan.epochs / 4), cos_lr=True, workers=max(1, plan.workers),
        device=plan.device, deterministic=alone, cache=False if alone else "ram", seed=plan.seed, amp=False, plots=False, val=False,
        pretrained=start is not None,
        degrees=15, scale=0.5, translate=0.1, shear=3, perspective=0.0004, fliplr=0, mosaic=0, hsv_h=0.02, hsv_s=0.5, hsv_v=0.4,
        project=str(plan.checkpoint.parent.resolve()), name=plan.checkpoint.name, exist_ok=True, verbose=False,
    )  # fmt: skip
    return plan.checkpoint / "weights" / "last.pt"


def checkpoint_of_weights(weights: Path, pictures: list[Path], size: int, path: Path) -> None:
    """Writes Ultralytics' checkpoint of the locator's ONNX weights to `path`, by some of the pictures that it is to be trained on."""
    from vision.workshop.yolo import LOCATOR_SHAPE, YOLO

    model = YOLO(str(LOCATOR_SHAPE))
    few = [cv2.resize(cv2.imread(str(picture)), (size, size))[..., ::-1] for picture in pictures[:64]]
    load_onnx(model.model, weights, torch.from_numpy(np.stack(few).transpose(0, 3, 1, 2).astype(np.float32) / 255))
    path.parent.mkdir(parents=True, exist_ok=True)
    model.save(str(path))


def train_locator(sources: Sequence[Source], start: Path | None, size: int, processes: int, plan: Plan) -> None:
    """Trains the locator as planned, with a folder of pictures and checkpoints to begin from beside its own.

    Args:
        start: a checkpoint, or shipped ONNX weights, to go on from; None starts anew.
        size: side of the square picture in training, in pixels.
        processes: how many pictures are altered side by side, and on how many threads it is trained.
    """
    from vision.workshop.yolo import use_threads

    use_threads(processes)
    runs = plan.checkpoint.parent
    description = write_yolo_folder(runs / "locator-data", sources, seed=plan.seed, processes=processes)
    if start and start.suffix == ".onnx":
        pictures = [picture_of(folder, photo) for folder, photos, _ in sources for photo in photos]
        weights, start = start, runs / "locator-start.pt"
        checkpoint_of_weights(weights, pictures, size, start)
    train_detector(description, start, size, plan)
