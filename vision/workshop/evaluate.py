"""`istaka evaluate`: how well labelled photos are read, set by set.

A tile counts as right when colour and number both are. `?` abstains: not right, but not wrong either. Places are
matched by the overlap of bounding boxes, best pairs first.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.arguments import Parser, written_out
from assistant.tiles import FACE_DOWN, UNREADABLE, Rack
from vision.locate import EDGE
from vision.outlines import at_edge, in_all_orders
from vision.profile import Profile, load
from vision.reader import TileReader
from vision.reading import SURE, Reading, SeenTile
from vision.sources import load_photo
from vision.workshop.photos import LabelledPhoto, Polygon, load_truth, picture_of, quadrilateral, split_of

LEAST_OVERLAP = 0.5
BINS = 10


@dataclass
class Score:
    """Counts over photos; added with `+=`. Tiles lying face down count by themselves, where the labels know their places."""

    photos: int = 0
    exact: int = 0
    racks: int = 0
    rack_exact: int = 0
    indicators: int = 0
    indicator_right: int = 0
    of: int = 0
    right: int = 0
    found: int = 0
    extra: int = 0
    extra_sure: int = 0
    abstained: int = 0
    sure_wrong: int = 0
    face_down: int = 0
    face_down_found: int = 0
    face_down_extra: int = 0
    ms: float = 0.0

    def __iadd__(self, other: Score) -> Score:
        for part in fields(self):
            setattr(self, part.name, getattr(self, part.name) + getattr(other, part.name))
        return self


Results = list[tuple[LabelledPhoto, Reading, Score]]
"""Photos, what was read of each, and its counts."""


def boxes_of(polygons: list[Any]) -> NDArray[np.float64]:
    """Bounding boxes (N, 4) of polygons."""
    corners = [np.asarray(polygon, float) for polygon in polygons]
    return np.array([[*points.min(0), *points.max(0)] for points in corners]).reshape(-1, 4)


def overlaps(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Intersection over union (N, M) of boxes (N, 4) and (M, 4)."""
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    shared = np.clip(high - low, 0, None).prod(2)
    return shared / ((a[:, 2:] - a[:, :2]).prod(1)[:, None] + (b[:, 2:] - b[:, :2]).prod(1)[None] - shared + 1e-12)


def match(photo: LabelledPhoto, read: list[SeenTile]) -> list[tuple[int, int]]:
    """Pairs (labelled tile that shows its face, read tile) that lie at one place."""
    return _pairs(photo, [outline for _, outline in photo.face_up], read)


def _pairs(photo: LabelledPhoto, truth: Sequence[Polygon], read: list[SeenTile]) -> list[tuple[int, int]]:
    """Pairs (labelled outline, read tile) that lie at one place, each used once, best overlap first.

    Of rendered tiles that the picture's edge cuts, whose outlines go on beyond it, the part in the picture counts.
    """
    labelled = boxes_of([np.clip(polygon, 0, photo.size) for polygon in truth])
    shared = overlaps(labelled, boxes_of([seen.polygon_in(photo.size) for seen in read]))
    pairs: list[tuple[int, int]] = []
    for at in np.argsort(-shared, axis=None, kind="stable"):
        i, j = np.unravel_index(at, shared.shape)
        if shared[i, j] < LEAST_OVERLAP:
            break
        if all(i != x and j != y for x, y in pairs):
            pairs.append((int(i), int(j)))
    return pairs


def score(photo: LabelledPhoto, reading: Reading) -> Score:
    """The counts of one photo."""
    read = [seen for seen in reading.tiles if seen.tile != FACE_DOWN]
    result = Score(photos=1, ms=reading.ms.get("total", 0.0))
    if photo.contains is None:
        _score_places(result, photo, read)
        _score_face_down(result, photo, [seen for seen in reading.tiles if seen.tile == FACE_DOWN])
    else:
        _score_contents(result, photo, read)
    if photo.extra_allowed:
        result.extra = result.extra_sure = 0
    result.exact = int(result.right == result.of and result.extra == 0)
    if photo.rack is not None:
        result.racks, result.rack_exact = 1, int(_same_rack(photo, reading.rack))
    if photo.indicator is not None:
        result.indicators, result.indicator_right = 1, int(photo.indicator == reading.indicator)
    return result


def _score_places(result: Score, photo: LabelledPhoto, read: list[SeenTile]) -> None:
    wanted = [tile for tile, _ in photo.face_up]
    pairs = match(photo, read)
    result.of, result.found = len(wanted), len(pairs)
    for i, j in pairs:
        got = read[j]
        result.right += wanted[i] == got.tile
        result.abstained += got.tile == UNREADABLE
        result.sure_wrong += got.tile not in (wanted[i], UNREADABLE) and got.confidence >= SURE
    result.extra = _not_there(photo, read, pairs)
    result.extra_sure = _not_there(photo, read, pairs, SURE)


def _score_face_down(result: Score, photo: LabelledPhoto, read: list[SeenTile]) -> None:
    pairs = _pairs(photo, photo.face_down, read)
    result.face_down, result.face_down_found = len(photo.face_down), len(pairs)
    result.face_down_extra = _not_there(photo, read, pairs)


def _not_there(photo: LabelledPhoto, read: list[SeenTile], pairs: list[tuple[int, int]], least: float = 0.0) -> int:
    """How many tiles are read, with at least this confidence, that no label is paired with, where the labels pass nothing over."""
    used = {j for _, j in pairs}
    return sum(j not in used and seen.confidence >= least and not in_ignored(photo, seen.outline) for j, seen in enumerate(read))


def in_ignored(photo: LabelledPhoto, outline: Any) -> bool:
    """Whether what is read with this outline (4, 2) is in a place that the labels pass over."""
    ignored, box = boxes_of(list(photo.ignore)), boxes_of([np.clip(outline, 0, photo.size)])[0]
    middle = (box[:2] + box[2:]) / 2
    return bool(((ignored[:, :2] <= middle) & (middle <= ignored[:, 2:])).all(1).any())


def _score_contents(result: Score, photo: LabelledPhoto, read: list[SeenTile]) -> None:
    wanted = Counter(photo.contains or ()) + Counter([photo.indicator] if photo.indicator else [])
    got = Counter(seen.tile for seen in read)
    result.of, result.right = sum(wanted.values()), sum((wanted & got).values())
    result.found = min(result.of, len(read))
    result.abstained = got[UNREADABLE]
    result.extra = max(0, len(read) - result.of)
    if not photo.extra_allowed:
        sure = Counter(seen.tile for seen in read if seen.confidence >= SURE)
        result.sure_wrong = sum((got - wanted & sure).values())


def _same_rack(photo: LabelledPhoto, rack: Rack) -> bool:
    """Rows compared tile by tile, gaps only where they were labelled."""
    assert photo.rack is not None
    if photo.gaps_labelled:
        return photo.rack == rack

    def rows(one: Rack) -> list[list[str]]:
        return [[str(tile) for group in row for tile in group] for row in one.rows]

    return rows(photo.rack) == rows(rack)


@dataclass
class Calibration:
    """How often tiles are right that are read with a certain confidence: ten bins from 0 to 1."""

    confidence: list[float]
    right: list[bool]

    def bins(self) -> list[tuple[float, float, int]]:
        """Mean confidence, share right and count of every bin that is not empty."""
        confidence, right = np.array(self.confidence), np.array(self.right, float)
        where = np.minimum((confidence * BINS).astype(int), BINS - 1)
        return [
            (float(confidence[where == k].mean()), float(right[where == k].mean()), int((where == k).sum()))
            for k in range(BINS) if (where == k).any()
        ]  # fmt: skip

    def expected_error(self) -> float:
        """Expected calibration error: the mean difference of confidence and share right, weighted by count (Naeini 2015)."""
        total = max(1, len(self.confidence))
        return sum(abs(mean - share) * count for mean, share, count in self.bins()) / total


def may_be_cut(outline: Polygon, size: tuple[int, int]) -> bool:
    """Whether the edge of a picture of that size may cut what has this outline."""
    return bool(at_edge(np.array([outline]), size, EDGE).any())


def shortest_side(outline: NDArray[np.float32]) -> float:
    """Length in pixels of the shortest side of an outline (4, 2)."""
    return float(np.linalg.norm(outline - np.roll(outline, 1, 0), axis=1).min())


def corner_error(found: Polygon, labelled: Polygon) -> float:
    """Mean distance of found corners (4, 2) from the labelled ones, as a share of the tile's shorter side.

    The corners may start anywhere. An outline of more than four points is taken as the quadrilateral that fits it best.
    """
    truth = quadrilateral(np.asarray(labelled, np.float32))
    orders = in_all_orders(np.asarray(found, np.float64))
    return float(np.linalg.norm(orders - truth, axis=2).mean(1).min() / shortest_side(truth))


def evaluate(
    folder: Path, split: str | None, reader: TileReader, profile: Profile | None = None
) -> tuple[Results, Calibration, list[float]]:
    """Reads every labelled photo of `folder`, or those of one split, with the profile of a taught set or without, and scores it.

    Returns the score of every photo, the calibration, and the corner errors of all tiles that the picture's edge does not cut.

    Raises:
        FileNotFoundError, PhotoError: when there is no such folder or photo.
        ValueError: when the folder's labels are not as they must be.
    """
    results: Results = []
    calibration = Calibration([], [])
    corner_errors: list[float] = []
    for photo in load_truth(folder):
        if split and split_of(photo) != split:
            continue
        reading = reader.read(load_photo(picture_of(folder, photo)), photo.photo, profile)
        results.append((photo, reading, score(photo, reading)))
        read = [seen for seen in reading.tiles if seen.tile != FACE_DOWN]
        for i, j in match(photo, read):
            tile, outline = photo.face_up[i]
            calibration.confidence.append(read[j].confidence)
            calibration.right.append(read[j].guess == tile)
            if not may_be_cut(outline, photo.size):
                corner_errors.append(corner_error(read[j].outline, outline))
    return results, calibration, corner_errors


def total(results: Results) -> Score:
    """The counts of all photos."""
    whole = Score()
    for _, _, counts in results:
        whole += counts
    return whole


def write_csv(results: Results, path: Path) -> None:
    """Writes the counts of every photo, a line each; how long it took is left out, so that the same reading gives the same file."""
    kept = [part.name for part in fields(Score) if part.name not in ("photos", "ms")]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["photo", "set", "split", *kept])
        for photo, _, counts in results:
            writer.writerow([photo.photo, photo.set, split_of(photo), *(getattr(counts, name) for name in kept)])


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:6.1f}%" if whole else "      -"


def _print_table(groups: dict[str, Score]) -> None:
    print(
        f"{'set':16} {'photos':>6} {'exact':>7} {'racks':>5} {'exact':>7} {'tiles':>6} {'right':>7} {'found':>7} {'extra':>5} "
        f"{'?':>4} {'sure&wrong':>10} {'indicators':>10} {'ms':>6}"
    )
    for name, s in groups.items():
        print(
            f"{name:16} {s.photos:6} {_share(s.exact, s.photos)} {s.racks:5} {_share(s.rack_exact, s.racks)} {s.of:6} "
            f"{_share(s.right, s.of)} {_share(s.found, s.of)} {s.extra:5} {s.abstained:4} {s.sure_wrong:10} "
            f"{s.indicator_right:4} of {s.indicators:2} {s.ms / max(1, s.photos):6.0f}"
        )


def main(argv: list[str] | None = None) -> int:
    """The command `istaka evaluate`. Returns its exit status."""
    parser = Parser(prog="istaka evaluate", description="Measure the reading on labelled photos.")
    parser.add_argument("folder", type=Path, help="a folder with truth.jsonl and images/")
    parser.add_argument("--split", choices=["train", "held_back", "unseen_set"], help="only photos of one split (datasets/photos.yaml)")
    parser.add_argument("--set", metavar="NAME", help="read with what was taught of this set (istaka teach)")
    parser.add_argument("--csv", type=Path, help="write the counts of every photo to this file")
    parser.add_argument("--json", action="store_true", help="print the table as a JSON object")
    parser.add_argument("--show", action="store_true", help="name every photo that is not read exactly")
    options = parser.parse_args(argv)
    try:
        reader = TileReader()
        profile = Profile(load(options.set), reader.classifier) if options.set else None
        results, calibration, corner_errors = evaluate(options.folder, options.split, reader, profile)
    except FileNotFoundError:
        print(f"istaka evaluate: {written_out(options.folder)} holds no truth.jsonl: give a folder that does", file=sys.stderr)
        return 2
    except ValueError as error:
        print(f"istaka evaluate: {written_out(error)}", file=sys.stderr)
        return 2
    groups: dict[str, Score] = {}
    for photo, reading, counts in results:
        for name in (f"{photo.set} ({split_of(photo)})" if not options.split else photo.set, "ALL"):
            groups.setdefault(name, Score())
            groups[name] += counts
        if options.show and (not counts.exact or counts.rack_exact < counts.racks):
            rack = f"; rack {photo.rack} read {reading.rack}" if photo.rack else ""
            print(f"{photo.photo}: {counts.right} of {counts.of} right, {counts.extra} extra{rack}")
    groups["ALL"] = groups.pop("ALL", Score())
    if options.json:
        print(json.dumps({"sets": {name: asdict(counts) for name, counts in groups.items()}, "ece": calibration.expected_error()}))
    else:
        _print_all(groups, calibration, corner_errors)
    if options.csv:  # last: what was measured is not lost where the file cannot be written
        try:
            write_csv(results, options.csv)
        except OSError as error:
            why = f"{options.csv} cannot be written ({error.strerror})"
            print(f"istaka evaluate: {written_out(why)}: choose another place", file=sys.stderr)
            return 2
    return 0


def _print_all(groups: dict[str, Score], calibration: Calibration, corner_errors: list[float]) -> None:
    _print_table(groups)
    every = groups["ALL"]
    print(f"tiles read where none shows its face: {every.extra}, {every.extra_sure} of them surely")
    print(f"tiles face down: {every.face_down_found} of {every.face_down} found, {every.face_down_extra} read where none lies")
    print(f"expected calibration error {100 * calibration.expected_error():.2f}% over {len(calibration.right)} tiles")
    if corner_errors:
        median, most = np.quantile(corner_errors, [0.5, 0.9])
        print(f"corners off by {median:.1%} of the shorter side, nine tenths by less than {most:.1%}: {len(corner_errors)} tiles")
    print("confidence, share right, tiles:")
    for mean, share, count in calibration.bins():
        print(f"  {mean:5.3f} {share:5.3f} {count:6}")
