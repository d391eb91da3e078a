"""`istaka teach`: a set taught from photos whose tiles are named; and how much a taught photo buys (`istaka bench --teach`)."""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from pathlib import Path

import numpy as np

from assistant.arguments import Parser, in_notation, written_out
from assistant.tiles import FACE_DOWN, Rack, Tile
from vision.light import with_light_faces
from vision.profile import NOTHING_TAUGHT, Profile, Taught, cut, load, place, save, taught_at
from vision.reader import TileReader
from vision.reading import Reading
from vision.sources import load_photo
from vision.straighten import Picture
from vision.workshop.evaluate import Score, match, score
from vision.workshop.photos import LabelledPhoto, load_truth, parse_truth, picture_of, split_of

DRAWS = 5
"""How often each set's photos are divided anew into those that teach and those that are measured."""


def taught_by(photo: LabelledPhoto, picture: Picture, reading: Reading, reader: TileReader, key: str) -> Taught:
    """What a labelled photo teaches by the tiles that are found in it, as when a user corrects its reading.

    Args:
        photo: the tiles with their places, or just what it shows.
        key: names the photo among those that teach the set.
    """
    seen = [tile for tile in reading.tiles if tile.tile != FACE_DOWN]
    outlines = [np.array(tile.outline, np.float32) for tile in seen]
    if reading.lightened is not None:
        picture = with_light_faces(picture, reading.lightened)
    named = _named(photo)
    if photo.tiles is not None:
        pairs = [(j, named[i]) for i, j in match(photo, seen)]
    else:
        pairs = place(reader.classifier, picture, outlines, named)
    return cut(reader.classifier, picture, [outlines[j] for j, _ in pairs], [tile for _, tile in pairs], key)


def _named(photo: LabelledPhoto) -> list[Tile]:
    """The tiles that a photo's labels name, those face down left out; where the labels know places, in their order."""
    if photo.tiles is not None:
        return [tile for tile, _ in photo.face_up]
    return [tile for tile in (*(photo.contains or ()), photo.indicator) if tile is not None and tile != FACE_DOWN]


def gains(folder: Path, most: int, reader: TileReader, seed: int = 1) -> dict[str, list[Score]]:
    """Scores by kind of set after 0 to `most` taught photos, summed over DRAWS divisions of each set's photos.

    In each division the same photos, none of which teaches, are read after every number of taught ones. Sets that
    were trained on and sets of no more than `most` photos are left out. A set's kind is its name without a number at the end.

    Raises:
        FileNotFoundError, PhotoError: when there is no such folder or photo.
        ValueError: when all its sets are left out.
    """
    rng = np.random.default_rng(seed)
    by_set: dict[str, list[LabelledPhoto]] = {}
    for photo in load_truth(folder):
        if photo.kind != "empty" and split_of(photo) not in ("train", "held_back"):
            by_set.setdefault(photo.set, []).append(photo)
    results: dict[str, list[Score]] = {}
    for name, photos in by_set.items():
        if len(photos) <= most:
            continue
        pictures = [load_photo(picture_of(folder, photo)) for photo in photos]
        untaught = [reader.read(picture) for picture in pictures]
        lessons = [taught_by(*known, reader, known[0].photo) for known in zip(photos, pictures, untaught, strict=True)]
        counts = results.setdefault(re.sub(r"-\d+$", "", name), [Score() for _ in range(most + 1)])
        for _ in range(DRAWS):
            order = rng.permutation(len(photos))
            taught = NOTHING_TAUGHT
            for known in range(most + 1):
                if known:
                    taught = taught.with_photo(lessons[order[known - 1]])
                profile = Profile(taught, reader.classifier) if taught.tiles else None
                for i in order[most:]:
                    counts[known] += score(photos[i], reader.read(pictures[i], profile=profile) if profile else untaught[i])
    if not results:
        raise ValueError(f"{folder} holds no set never trained on with more than {most} photos: give a folder that does")
    return results


def print_gains(results: dict[str, list[Score]]) -> None:
    """Prints a line for every number of taught photos."""
    print(f"{'set':16} {'taught':>6} {'photos':>6} {'tiles':>6} {'right':>7} {'racks':>5} {'exact':>7} {'?':>5} {'sure&wrong':>10}")
    for name, counts in results.items():
        for taught, s in enumerate(counts):
            racks = f"{100 * s.rack_exact / s.racks:6.1f}%" if s.racks else "      -"
            right = f"{100 * s.right / max(1, s.of):6.2f}%"
            print(f"{name:16} {taught:6} {s.photos:6} {s.of:6} {right} {s.racks:5} {racks} {s.abstained:5} {s.sure_wrong:10}")


def _labelled(options: argparse.Namespace) -> list[LabelledPhoto]:
    """The named tiles of every photo. Raises ValueError when those of a photo are not known."""
    if options.tiles is not None:
        if len(options.photos) > 1:
            raise ValueError("--tiles names the tiles of one photo: teach one after the other, or give --truth FOLDER")
        path = options.photos[0]
        line = {"photo": path.name, "set": options.name, "kind": "table", "size": [0, 0], "contains": list(map(str, options.tiles))}
        return [parse_truth(line)]
    try:
        known = {photo.photo: photo for photo in load_truth(options.truth)}
    except FileNotFoundError:
        raise ValueError(f"{options.truth} holds no truth.jsonl: give a folder that does, or --tiles") from None
    missing = [path.name for path in options.photos if path.name not in known]
    if missing:
        raise ValueError(f"{options.truth / 'truth.jsonl'} says nothing of {missing[0]}: add a line with its tiles")
    return [known[path.name] for path in options.photos]


def main(argv: list[str] | None = None) -> int:
    """The command `istaka teach`. Returns its exit status."""
    parser = Parser(
        prog="istaka teach", description="Teach the reader an own set from one to three photos; istaka read --set NAME then knows it."
    )
    parser.add_argument("name", metavar="NAME", help="of the set; photos are added to what it was taught before")
    parser.add_argument("photos", nargs="+", type=Path, metavar="PHOTO", help="of the set, each of which shows many of its tiles")
    named = parser.add_mutually_exclusive_group(required=True)
    named.add_argument(
        "--tiles", type=in_notation(lambda text: list(Rack.parse(text).tiles)), help='what the photo shows, as "R1 R2 K12 J", in any order'
    )
    named.add_argument("--truth", type=Path, metavar="FOLDER", help="a folder whose truth.jsonl names the tiles of every photo")
    options = parser.parse_args(argv)
    try:
        labelled = _labelled(options)
        taught_at(options.name)  # which refuses what can be no name before anything is read
        reader, lessons = TileReader(), []
        for path, photo in zip(options.photos, labelled, strict=True):
            picture = load_photo(path)
            reading = reader.read(picture)
            lesson = taught_by(photo, picture, reading, reader, hashlib.sha256(path.read_bytes()).hexdigest())
            if _named(photo) and not lesson.tiles:
                raise ValueError(f"{path}: none of the tiles named was found there: check their names, and that the photo shows them near")
            print(f"{written_out(path)}: {len(lesson.tiles)} tiles taught")
            lessons.append(lesson)
        taught = load(options.name) if taught_at(options.name) else NOTHING_TAUGHT  # now: another program may have taught it
        for lesson in lessons:
            taught = taught.with_photo(lesson)
        save(options.name, taught)
    except (OSError, ValueError) as error:
        print(f"istaka teach: {written_out(error)}", file=sys.stderr)
        return 2
    print(f'{options.name} knows {len(taught.tiles)} tiles of {len(set(taught.photos))} photos: istaka read PHOTO --set "{options.name}"')
    return 0
