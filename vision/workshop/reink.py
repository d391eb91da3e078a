"""`istaka reink`: labelled photos in the numbers of other sets, as a folder of scenes to learn from.

Any tile becomes any other: what may be left of the old ink tells nothing of the new number. Outlines are those that the reader finds, so
that only `tiles` is to learn from them.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from assistant.arguments import Parser
from vision.decode import FACES
from vision.reader import TileReader
from vision.sources import load_photo
from vision.workshop.arguments import out_of_range
from vision.workshop.bare_photo import OTHER_SETS, BarePhoto
from vision.workshop.fonts import find_fonts, pens_of
from vision.workshop.photos import RENDERED_HELD_BACK_EVERY, LabelledPhoto, load_truth, picture_of, quadrilateral, split_of
from vision.workshop.render import Rendered, render
from vision.workshop.sets import random_style

JPEG_QUALITY = 95
"""So that a photo, which has been a JPEG already, looks as it did."""


@dataclass(frozen=True)
class ReinkTask:
    """One photo, in the numbers of some sets; the same task always gives the same pictures.

    Attributes:
        first: the number of the first picture.
        photo, folder: what is labelled, and where its picture is.
        sets: in how many sets.
        seed: of the sets, and of which tile bears which number.
        fonts: the installed fonts that digits may be drawn with.
    """

    first: int
    photo: LabelledPhoto
    folder: Path
    sets: int
    seed: int
    fonts: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """Of the pictures, without their ending."""
        return [f"{self.first + number:06}" for number in range(self.sets)]


def reink_task(task: ReinkTask) -> list[Rendered]:
    """The pictures of a task: every set is one of another kind of OTHER_SETS than the one before, every twentieth in held-back fonts."""
    cv2.setNumThreads(1)  # each process draws on one core
    picture = load_photo(picture_of(task.folder, task.photo))
    bare = BarePhoto(task.photo, picture, _reader().read(picture))
    # scenes have four corners to everything
    face_down, ignore = (
        [quadrilateral(np.array(outline, np.float32)).tolist() for outline in outlines]
        for outlines in (bare.known.face_down, bare.known.ignore)
    )
    labels = {"set": "rendered", "kind": task.photo.kind, "size": task.photo.size, "face_down": face_down, "ignore": ignore}
    kinds = list(OTHER_SETS.values())
    made = []
    for number, name in enumerate(task.names, task.first):
        rng = np.random.default_rng([task.seed, number])
        style = random_style(rng, *pens_of(task.fonts, number % RENDERED_HELD_BACK_EVERY == 0))
        kinds[number % len(kinds)](style, rng)
        others = [FACES[i] for i in rng.integers(len(FACES), size=len(bare.tiles))]
        seen = bare.bearing(style, rng, others)
        jpeg = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()
        tiles = [{"tile": str(tile), "polygon": corners.tolist()} for tile, (_, corners) in zip(others, bare.tiles, strict=True)]
        made.append(Rendered(name, jpeg, {"photo": f"{name}.jpg", **labels, "tiles": tiles}))
    return made


@lru_cache(maxsize=1)
def _reader() -> TileReader:
    return TileReader()


def main(argv: list[str] | None = None) -> int:
    """The command `istaka reink`. Returns its exit status."""
    parser = Parser(prog="istaka reink", description="Draw labelled photos in the numbers of other sets, to train `tiles` on.")
    parser.add_argument("folder", type=Path, help="where images/ and truth.jsonl go; pictures already there are kept")
    parser.add_argument("--photos", type=Path, required=True, help="a folder of labelled photos; those of its training split are drawn")
    parser.add_argument("--sets", type=int, default=6, help="in how many sets each is drawn (default 6)")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other sets (default 1)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="how many cores to use (default all)")
    options = parser.parse_args(argv)
    little = out_of_range(options, sets=1, seed=0, processes=1)
    if little:
        parser.error(little)
    if not (options.photos / "truth.jsonl").exists():
        parser.error(f"{options.photos} holds no truth.jsonl: label some photos")
    if options.folder.exists() and options.folder.samefile(options.photos):
        parser.error(f"{options.folder} holds the photos that are drawn: name another folder for the pictures")
    try:
        photos = [photo for photo in load_truth(options.photos) if split_of(photo) == "train" and photo.tiles]
        if not photos:
            parser.error(f"{options.photos} has no photo of the split train whose tiles have places: label some")
        fonts = find_fonts()
        tasks = [ReinkTask(i * options.sets, photo, options.photos, options.sets, options.seed, fonts) for i, photo in enumerate(photos)]
        render(options.folder, tasks, reink_task, processes=options.processes)
    except OSError as error:
        print(f"istaka reink: {error.filename} cannot be written ({error.strerror}): name another folder", file=sys.stderr)
        return 2
    except ValueError as error:
        print(f"istaka reink: {error}", file=sys.stderr)
        return 2
    return 0
