"""`istaka train`: the locator, the two networks that find corners and the classifier, from rendered scenes and labelled photos; and the
detector that the reader is compared with (`peer`).

Each part is trained by itself and writes a checkpoint after every epoch, from which it can go on:

    istaka train corners --scenes datasets/rendered/train --photos PHOTOS
    istaka train outlines --scenes datasets/rendered/train --photos PHOTOS --seen-by models
    istaka train tiles   --scenes datasets/rendered/train datasets/rendered/steep
    istaka train tiles   --scenes datasets/rendered/train --photos PHOTOS --from runs/tiles.pt
    istaka train tiles   --scenes datasets/rendered/train --seen-by models --from models/tiles.onnx --taught-by models/tiles.onnx
    istaka train locator --scenes datasets/rendered/train --photos PHOTOS --from models/locator.onnx
    istaka train peer    --scenes datasets/rendered/train --photos PHOTOS --from models/locator.onnx
    istaka train outlines --scenes datasets/rendered/train --minutes 30 --workers 1

Where PyTorch sees a GPU it is trained there, unless told otherwise, and other processes cut the crops.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from assistant.arguments import Parser
from assistant.tiles import Tile
from assistant.workers import open_pool
from vision.classify import NO_TILE_COLUMN
from vision.decode import FACES
from vision.locate import STRIDES, Boxes, Locator, corner_input
from vision.outlines import in_all_orders
from vision.sources import load_photo
from vision.straighten import SMALLEST_LEVEL, Corners, Pyramid, straighten, white_balanced
from vision.weights import WeightsError
from vision.workshop import RUNS
from vision.workshop.arguments import out_of_range
from vision.workshop.crops import (
    UNKNOWN,
    Example,
    Target,
    as_found,
    background_targets,
    corner_example,
    outline_example,
    shaded,
    target_of,
    tile_crop,
)
from vision.workshop.detector import PHOTO_SHARE, PICTURES, train_detector
from vision.workshop.evaluate import may_be_cut, shortest_side
from vision.workshop.learn import PHOTO_REPEATS, Batch, Plan, check_writable, learn, load_checkpoint
from vision.workshop.networks import CornerNet, OutlineNet, TileNet, corner_loss
from vision.workshop.photos import LabelledPhoto, load_truth, picture_of, quadrilateral, split_of
from vision.workshop.recover import load_onnx

CROPS = 96
"""So many are learnt from at a time if nothing else is asked for."""
LEAST_SIDE = 11.0
"""Rendered tiles with a shorter side, in pixels, are too small to learn a number from."""
DETECTORS: dict[str, tuple[Tile, ...]] = {"locator": (), "peer": FACES}
"""The detectors, and the faces that each tells apart."""
Cut = Callable[[Pyramid, Target, np.random.Generator], Example]
CORNER_PARTS: dict[str, tuple[type[CornerNet] | type[OutlineNet], Cut]] = {
    "corners": (CornerNet, corner_example),
    "outlines": (OutlineNet, outline_example),
}
"""The networks that find corners, and how the crops are cut that each looks at."""
TAUGHT = 0.7
"""What a teacher says counts so much if nothing else is asked for, the label the rest."""
LEAST_FIT = -6.0
"""A real outline in which the classifier sees the labelled tile with a smaller log-likelihood may be wrong."""


class Located(NamedTuple):
    """What a trained locator sees in a picture.

    Attributes:
        boxes: (N, 4), left, top, right, bottom.
        outlines: (N, 4, 2), their corners.
    """

    boxes: Boxes
    outlines: Corners


def seen_by(models: Path, pictures: Sequence[Path], looks: int | None = None, processes: int = 1) -> dict[Path, Located]:
    """What the locator with the weights in `models` sees in every picture, by its path.

    Args:
        looks: after how many looks at the corners the outlines are taken, see `Locator.find_corners`.
        processes: how many pictures are looked at side by side.

    Raises:
        WeightsError: when the weights are not there, or damaged.
        PhotoError: when a picture is.
    """
    _locator(models)  # says what is wrong before any work
    with open_pool("local", processes) as pool:
        return dict(pool.imap_unordered(partial(_look, models, looks), pictures))


@lru_cache(maxsize=1)
def _locator(models: Path) -> Locator:
    """On one thread: as many processes look as there are cores."""
    return Locator(models, threads=1)


def _look(models: Path, looks: int | None, picture: Path) -> tuple[Path, Located]:
    pyramid = Pyramid(load_photo(picture))
    boxes, _ = _locator(models).find_boxes(pyramid)
    return picture, Located(boxes, _locator(models).find_corners(pyramid, boxes, looks))


class Scenes:
    """Scenes and photos kept in memory, and what there is to cut from them."""

    def __init__(self, located: dict[Path, Located] | None = None) -> None:
        """`located`: what a locator sees in every picture, see `seen_by`; learnt from beside the true outlines, if given."""
        self.pyramids: list[Pyramid] = []
        self.targets: list[Target] = []
        self._located = located

    def add(self, folder: Path, photos: list[LabelledPhoto], rng: np.random.Generator) -> None:
        """Reads rendered scenes: their corners are exact and start at the tile's own top left."""
        for index, picture, photo in self._added(folder, photos):
            tiles = [(tile, np.asarray(polygon, np.float32)) for tile, polygon in photo.tiles or ()]
            hidden = [np.asarray(polygon, np.float32) for polygon in photo.ignore]
            targets = self._as_found(picture, [target_of(index, tile, corners) for tile, corners in tiles], hidden)
            self.targets += [target for target in targets if shortest_side(target.corners) >= LEAST_SIDE]
            taken = [corners for _, corners in tiles]
            self.targets += background_targets(index, photo.size, taken + hidden, 4 if taken else 20, rng)

    def add_outlined(self, folder: Path, photos: list[LabelledPhoto]) -> None:
        """Reads real photos for the networks that find corners, to which it is all the same where an outline starts.

        Tiles that the picture's edge cuts are left out.
        """
        for index, picture, photo in self._added(folder, photos):
            outlines = [(tile, np.asarray(polygon, np.float32)) for tile, polygon in photo.tiles or ()]
            whole = [not may_be_cut(polygon, photo.size) for _, polygon in photo.tiles or ()]
            targets = self._as_found(picture, [target_of(index, tile, quadrilateral(outline)) for tile, outline in outlines], [])
            self.targets += [target for target, kept in zip(targets, whole, strict=False) if kept] * PHOTO_REPEATS

    def add_oriented(self, folder: Path, photos: list[LabelledPhoto], net: TileNet, rng: np.random.Generator) -> None:
        """Reads real photos for the classifier, which so far says which corner is the top left.

        Outlines in which it sees the labelled tile at no turn are left out.
        """
        for index, picture, photo in self._added(folder, photos):
            taken = []
            oriented = []
            for tile, polygon in photo.tiles or ():
                corners = quadrilateral(np.asarray(polygon, np.float32))
                taken.append(corners)
                turned = in_all_orders(corners)
                crops = np.stack([straighten(self.pyramids[index], quad) for quad in turned])
                with torch.no_grad():
                    number, colour, turn = net(torch.from_numpy(white_balanced(crops)))
                wanted = target_of(index, tile, corners)
                fit = number.log_softmax(1)[:, wanted.number] + turn.log_softmax(1)[:, 0]
                if wanted.colour != UNKNOWN:
                    fit = fit + colour.log_softmax(1)[:, wanted.colour]
                best = int(fit.argmax())
                if float(fit[best]) > LEAST_FIT:
                    oriented.append(replace(wanted, corners=turned[best]))
            # What else the locator sees in a real photo may be a tile that nobody labelled.
            self.targets += self._as_found(picture, oriented, taken)[: len(oriented)] * PHOTO_REPEATS
            self.targets += background_targets(index, photo.size, taken, 10, rng)

    def _as_found(self, picture: Path, targets: list[Target], ignored: list[Corners]) -> list[Target]:
        """The targets of the picture added last, seen by the locator if one has looked: those given first, then its false alarms."""
        if self._located is None:
            return targets
        return as_found(self.pyramids[-1], targets, ignored, len(self.pyramids) - 1, *self._located[picture])

    def _added(self, folder: Path, photos: list[LabelledPhoto]) -> Iterator[tuple[int, Path, LabelledPhoto]]:
        """Reads the photos' pictures, on all cores; gives each one's index and path, and the photo, once it is the last of those added."""
        pictures = [picture_of(folder, photo) for photo in photos]
        with ThreadPoolExecutor() as pool:
            for photo, picture, pyramid in zip(photos, pictures, pool.map(_pyramid_of, pictures), strict=True):
                self.pyramids.append(pyramid)
                yield len(self.pyramids) - 1, picture, photo


def _pyramid_of(picture: Path) -> Pyramid:
    """With all the levels that may be asked for, or every process that cuts crops would halve it for itself."""
    pyramid = Pyramid(load_photo(picture))
    pyramid.level(SMALLEST_LEVEL)
    return pyramid


def _split(folder: Path, wanted: str) -> list[LabelledPhoto]:
    return [photo for photo in load_truth(folder) if split_of(photo) == wanted]


def train_corners(scenes: Scenes, net: CornerNet | OutlineNet, cut: Cut, plan: Plan) -> None:
    """Trains a network as planned, on crops that `cut` makes of all tiles of `scenes`."""
    targets = [target for target in scenes.targets if target.number != NO_TILE_COLUMN]

    def cut_batch(chosen: NDArray[np.int64], rng: np.random.Generator) -> Batch:
        examples = [cut(scenes.pyramids[targets[i].scene], targets[i], rng) for i in chosen]
        crops = corner_input(np.stack([crop for crop, _ in examples]))
        return torch.from_numpy(crops), torch.from_numpy(np.stack([corners for _, corners in examples]))

    def loss_of(batch: Batch) -> Tensor:
        crops, wanted = batch
        return corner_loss(net(crops), wanted)

    learn(net, len(targets), cut_batch, loss_of, plan)


def train_tiles(scenes: Scenes, net: TileNet, plan: Plan, teacher: TileNet | None = None, taught: float = TAUGHT) -> None:
    """Trains the classifier as planned, on all targets of `scenes`.

    Args:
        teacher: a trained network; what it says of a tile without shadow is learnt as well as the label of it with shadow, so that
            what is known is not lost over what is new (Li and Hoiem, "Learning without forgetting", 2016). It is not asked about
            places that hold no tile, nor does it count where it is wrong: what it takes for something else is what is to be unlearnt.
        taught: how much that counts, 0 to 1, the label the rest.
    """
    wrong = nn.CrossEntropyLoss(ignore_index=UNKNOWN, reduction="sum")
    if teacher is not None:
        teacher.to(plan.device)

    def cut_batch(chosen: NDArray[np.int64], rng: np.random.Generator) -> Batch:
        targets = [scenes.targets[i] for i in chosen]
        cut = [tile_crop(scenes.pyramids[target.scene], target, rng) for target in targets]
        crops = torch.from_numpy(white_balanced(np.stack([shaded(crop, rng) for crop, _ in cut])))
        wanted = torch.tensor([(target.number, target.colour, turn) for target, (_, turn) in zip(targets, cut, strict=True)])
        return (
            (crops, wanted) if teacher is None else (crops, wanted, torch.from_numpy(white_balanced(np.stack([crop for crop, _ in cut]))))
        )

    def loss_of(batch: Batch) -> Tensor:
        crops, wanted, *unshaded = batch
        numbers, colours, turns = wanted.T
        upright = (turns == 0) | (turns == UNKNOWN)
        number, colour, turn = net(crops)
        # A number is only ever read from an upright crop; which way is up and the ink can be seen from any.
        loss = wrong(number[upright], numbers[upright]) + wrong(colour, colours) + wrong(turn, turns)
        if teacher is not None:
            with torch.no_grad():
                by_teacher = teacher(unshaded[0])
            known = (upright & (numbers != NO_TILE_COLUMN), colours != UNKNOWN, turns != UNKNOWN)
            told = torch.zeros(())
            for said, its, right, asked in zip((number, colour, turn), by_teacher, wanted.T, known, strict=True):
                kept = asked & (its.argmax(1) == right)
                told = told + _unlike(said[kept], its[kept])
            loss = (1 - taught) * loss + taught * told
        return loss / len(crops)

    learn(net, len(scenes.targets), cut_batch, loss_of, plan)


def _unlike(scores: Tensor, by_teacher: Tensor) -> Tensor:
    """Cross entropy of scores (N, classes) against a teacher's, summed over N."""
    return nn.functional.cross_entropy(scores, by_teacher.softmax(1), reduction="sum")


def start_from(net: CornerNet | OutlineNet | TileNet, part: str, start: Path, scenes: Scenes, seed: int) -> None:
    """Loads a checkpoint, or shipped ONNX weights, into the network that is trained as `part`.

    Raises:
        ValueError: when the file holds something else.
    """
    if start.suffix != ".onnx":
        load_checkpoint(net, part, start)
        return
    rng = np.random.default_rng(seed)
    tiles = [target for target in scenes.targets if target.number != NO_TILE_COLUMN]
    chosen = [tiles[i] for i in rng.permutation(len(tiles))[: 4 * CROPS]]
    if part in CORNER_PARTS:
        _, cut = CORNER_PARTS[part]
        crops = corner_input(np.stack([cut(scenes.pyramids[target.scene], target, rng)[0] for target in chosen]))
    else:
        crops = white_balanced(np.stack([tile_crop(scenes.pyramids[target.scene], target, rng)[0] for target in chosen]))
    load_onnx(net, start, torch.from_numpy(crops))


def main(argv: list[str] | None = None) -> int:
    """The command `istaka train`. Returns its exit status."""
    parser = Parser(prog="istaka train", description="Train one part of the reader.")
    parser.add_argument("part", choices=[*DETECTORS, *CORNER_PARTS, "tiles"], help="the network that is trained")
    parser.add_argument("--scenes", type=Path, nargs="+", required=True, help="folders that `istaka synth` has rendered")
    parser.add_argument("--photos", type=Path, help="a folder of labelled photos; those of its training split are used")
    parser.add_argument("--epochs", type=int, default=6, help="how often all of the scenes and photos are seen (default 6)")
    parser.add_argument("--rate", type=float, default=2e-3, help="highest learning rate (default 0.002)")
    parser.add_argument(
        "--size", type=int, default=480, help="side of a square as large as a detector's training pictures, in pixels (default 480)"
    )
    parser.add_argument("--from", dest="start", type=Path, help="a checkpoint, or weights of models/, to go on from")
    parser.add_argument(
        "--seen-by", type=Path, metavar="FOLDER", help="trained weights, such as models: crops are also cut by their boxes and outlines"
    )
    parser.add_argument(
        "--taught-by", type=Path, metavar="FILE", help="weights of tiles: what they say of a tile without shadow is learnt for it in shadow"
    )
    parser.add_argument("--taught", type=float, default=TAUGHT, help=f"how much that counts, 0 to 1, the label the rest (default {TAUGHT})")
    parser.add_argument("--runs", type=Path, default=RUNS, help=f"where checkpoints go (default {RUNS})")
    parser.add_argument("--minutes", type=float, default=0, help="train for so long, whatever --epochs says (default 0: not by time)")
    parser.add_argument("--batch", type=int, help=f"crops, or pictures for a detector, at a time (default {CROPS}, {PICTURES})")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    parser.add_argument("--device", choices=["cpu", "cuda"], default=device, help="what computes (default cuda where PyTorch sees a GPU)")
    parser.add_argument(
        "--workers", type=int, help="processes that cut crops, or pictures, meanwhile (default none; beside a GPU, all cores but one)"
    )
    parser.add_argument(
        "--bf16",
        action="store_true",
        help="compute in 16 bits: six tenths of the time on processors with AVX512-BF16, three quarters for the locator",
    )
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="how many cores compute (default all)")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other first weights and crops (default 1)")
    options = parser.parse_args(argv)
    for folder in filter(None, (*options.scenes, options.photos)):
        if not (folder / "truth.jsonl").exists():
            print(f"istaka train: {folder} holds no truth.jsonl: render scenes with `istaka synth` first", file=sys.stderr)
            return 2
    for weights in filter(None, (options.start, options.taught_by)):
        if not weights.is_file():
            print(f"istaka train: there is no {weights}: name a checkpoint, or weights of models/", file=sys.stderr)
            return 2
    if options.taught_by and options.part != "tiles":
        print(f"istaka train: only tiles are taught by earlier weights: leave out --taught-by for {options.part}", file=sys.stderr)
        return 2
    if options.part == "tiles" and options.photos and not options.start:  # which tell how each tile of a photo is turned
        print("istaka train: to train tiles on photos, go on from trained weights: add --from models/tiles.onnx", file=sys.stderr)
        return 2
    if not 0 <= options.taught <= 1:
        print(f"istaka train: --taught is {options.taught:g}: give a number from 0 to 1", file=sys.stderr)
        return 2
    if options.device == "cuda" and not torch.cuda.is_available():
        print("istaka train: PyTorch sees no GPU here: leave --device out to train on the processor", file=sys.stderr)
        return 2
    if not 0 < options.rate < math.inf:
        print(f"istaka train: --rate is {options.rate:g}: give a number above 0", file=sys.stderr)
        return 2
    little = out_of_range(options, epochs=1, size=STRIDES[-1], minutes=0, batch=1, workers=0, threads=1, seed=0)
    if little:
        print(f"istaka train: {little}", file=sys.stderr)
        return 2
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    sources = {folder: _split(folder, "train") for folder in options.scenes}
    real = _split(options.photos, "train") if options.photos else []
    if not any(sources.values()):
        where = ", ".join(map(str, options.scenes))
        print(f"istaka train: {where} has no scene to train on: render more", file=sys.stderr)
        return 2
    batch = options.batch or (PICTURES if options.part in DETECTORS else CROPS)
    workers = options.workers if options.workers is not None else 0 if options.device == "cpu" else options.threads - 1
    plan = Plan(
        options.epochs,
        options.rate,
        options.runs / f"{options.part}.pt",
        batch,
        options.seed,
        options.minutes,
        options.device,
        workers,
        options.bf16,
    )
    check_writable(plan.checkpoint)
    if options.part in DETECTORS:
        folders = [(folder, photos, 1) for folder, photos in sources.items()]
        if real:
            rendered = sum(len(photos) for photos in sources.values())
            times = round(PHOTO_SHARE / (1 - PHOTO_SHARE) * rendered / len(real))
            folders.append((options.photos, real, max(2, times)))  # what stands there once is not tilted
        train_detector(folders, options.start, options.size, options.threads, plan, DETECTORS[options.part])
        return 0
    return _train_on_crops(sources, real, plan, options)


def _train_on_crops(sources: dict[Path, list[LabelledPhoto]], real: list[LabelledPhoto], plan: Plan, options: argparse.Namespace) -> int:
    net = CORNER_PARTS[options.part][0]() if options.part in CORNER_PARTS else TileNet()
    pictures = [picture_of(folder, photo) for folder, photos in {**sources, options.photos: real}.items() for photo in photos]
    # The second look starts from what the first one found.
    looks = 1 if options.part == "outlines" else None
    try:
        scenes = Scenes(seen_by(options.seen_by, pictures, looks, options.threads) if options.seen_by else None)
    except WeightsError as error:
        print(f"istaka train: {error}", file=sys.stderr)
        return 2
    rng = np.random.default_rng(options.seed)
    for folder, photos in sources.items():
        scenes.add(folder, photos, rng)
    if all(target.number == NO_TILE_COLUMN for target in scenes.targets):
        where = ", ".join(map(str, options.scenes))
        print(f"istaka train: {where} has no tile large enough to learn from: render more scenes", file=sys.stderr)
        return 2
    if options.start:
        start_from(net, options.part, options.start, scenes, options.seed)
    if not isinstance(net, TileNet):
        scenes.add_outlined(options.photos, real)
        train_corners(scenes, net, CORNER_PARTS[options.part][1], plan)
    else:
        scenes.add_oriented(options.photos, real, net.eval(), np.random.default_rng(options.seed))
        teacher = None
        if options.taught_by:
            teacher = TileNet().eval()
            start_from(teacher, options.part, options.taught_by, scenes, options.seed)
        train_tiles(scenes, net, plan, teacher, options.taught)
    return 0
