"""`istaka calibrate`: how the networks' chances become confidences that can be believed.

A confidence says how often a reading like this one is right. The locator knows things that the classifier does not (blur, what
hides a tile, what only looks like one), so both are weighed: a logistic regression on labelled scenes that no network saw.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from assistant.arguments import Parser
from assistant.tiles import FACE_DOWN
from vision.beside import against_beside
from vision.decode import RAW, certainty, decode, face_chances, log_odds
from vision.face_down import evidence
from vision.light import as_read
from vision.lookalikes import evidence as evidence_against
from vision.reader import TileReader
from vision.sight import Sight, tell
from vision.sources import load_photo
from vision.straighten import Picture, Pyramid, face_colours, straighten
from vision.veil import without_veil
from vision.workshop.ablate import STEPS, without
from vision.workshop.evaluate import LEAST_OVERLAP, boxes_of, in_ignored, match, overlaps
from vision.workshop.photos import LabelledPhoto, load_truth, picture_of

Array = NDArray[np.float64]


def seen_in(folders: Iterable[Path], reader: TileReader) -> list[tuple[LabelledPhoto, Sight]]:
    """What the networks see in those photos of the folders whose tiles have labelled places.

    Raises:
        FileNotFoundError, PhotoError: when there is no such folder or photo.
    """
    photos = [(folder, photo) for folder in folders for photo in load_truth(folder) if photo.tiles is not None]
    return [(photo, reader.look(load_photo(picture_of(folder, photo)))) for folder, photo in photos]


def readings(sights: Iterable[tuple[LabelledPhoto, Sight]]) -> tuple[Array, Array]:
    """Of everything read as a face: log-odds of its chance and of the locator's score (N, 2), and whether it is right (N,).

    What is read where no tile is, is wrong. Places that the labels pass over are passed over.
    """
    terms, right = [], []
    for photo, sight in sights:
        told = tell(sight, calibration=RAW)
        decoded = decode(sight.number, sight.colour, sight.ink, sight.score, RAW)
        read = [(seen, i) for seen, i in zip(told.reading.tiles, told.index, strict=True) if seen.tile != FACE_DOWN]
        placed = {j: photo.face_up[i][0] for i, j in match(photo, [seen for seen, _ in read])}
        for j, (seen, i) in enumerate(read):
            if j in placed or not in_ignored(photo, seen.outline):
                terms.append(log_odds(np.array([decoded.confidence[i], sight.score[i]])))
                right.append(j in placed and placed[j] == seen.guess)
    return np.array(terms).reshape(-1, 2), np.array(right, float)


def blanks(sights: Iterable[tuple[LabelledPhoto, Sight]]) -> tuple[Array, Array]:
    """Of all places that bear no mark: what speaks for a tile lying face down (N, 4), and whether one does (N,).

    Passed over are places where a tile lies face up, those that the labels pass over, and those with no tile read beside them.
    """
    terms, right = [], []
    for photo, sight in sights:
        decoded = decode(sight.number, sight.colour, sight.ink, sight.score)
        is_tile, blank = np.array(decoded.is_tile, bool), np.array([guess == FACE_DOWN for guess in decoded.guesses], bool)
        by_itself, read = face_chances(sight.number, sight.colour)[1], is_tile & ~blank
        speaks = evidence(against_beside(sight.corners, read), sight.score, by_itself)
        shared = overlaps(boxes_of([*sight.corners]), boxes_of([outline for _, outline in photo.tiles or ()])) >= LEAST_OVERLAP
        lies_face_down = np.array([tile == FACE_DOWN for tile, _ in photo.tiles or ()], bool)
        for i in np.flatnonzero(is_tile & blank & np.isfinite(speaks).all(1)):
            if not shared[i, ~lies_face_down].any() and not in_ignored(photo, sight.corners[i]):
                terms.append(speaks[i])
                right.append(shared[i, lies_face_down].any())
    return np.array(terms).reshape(-1, 4), np.array(right, float)


def lookalikes(folders: Iterable[Path], reader: TileReader) -> tuple[Array, Array]:
    """Of all places told as faces: what speaks against a tile there (N, 5), and whether there is none (N,).

    Passed over are those that the labels pass over, and those with too few tiles that are surely there to compare with.

    Raises:
        FileNotFoundError, PhotoError: when there is no such folder or photo.
    """
    terms, none = [], []
    with without(STEPS["what is unlike the tiles is one"]):
        for folder in folders:
            for photo in load_truth(folder):
                picture = load_photo(picture_of(folder, photo))
                sight = reader.look(picture)
                told = tell(sight)
                read = [(seen, i) for seen, i in zip(told.reading.tiles, told.index, strict=True) if seen.tile != FACE_DOWN]
                if photo.tiles is None or not read:
                    continue
                those = [i for _, i in read]
                corners, sure = sight.corners[those], certainty(sight.number, sight.colour, sight.score)[those]
                speaks = evidence_against(corners, faces_in(picture, sight, those), sure, sight.score[those])
                paired = {j for _, j in match(photo, [seen for seen, _ in read])}
                for j, (seen, _) in enumerate(read):
                    if np.isfinite(speaks[j]).all() and (j in paired or not in_ignored(photo, seen.outline)):
                        terms.append(speaks[j])
                        none.append(j not in paired)
    return np.array(terms).reshape(-1, 5), np.array(none, float)


def faces_in(picture: Picture, sight: Sight, those: list[int]) -> NDArray[np.float32]:
    """The colours (N, 3) of the faces, BGR, 0 to 255, of those N places in a picture, in the light in which it was read."""
    pyramid = without_veil(Pyramid(as_read(picture, sight.lightened)), sight.corners[those])
    return face_colours(np.stack([straighten(pyramid, quad) for quad in sight.corners[those]]))


def fit(terms: Array, right: Array) -> Array:
    """The weights (M + 1,) of terms (N, M) and of a constant that make what is right (N,) likeliest."""
    terms = np.column_stack([terms, np.ones(len(terms))])
    signs = 2 * right - 1

    def loss(weights: Array) -> float:
        return float(np.logaddexp(0, -signs * (terms @ weights)).mean())

    return np.asarray(minimize(loss, np.zeros(terms.shape[1])).x)


def main(argv: list[str] | None = None) -> int:
    """The command `istaka calibrate`. Returns its exit status."""
    parser = Parser(prog="istaka calibrate", description="Fit the confidences of the reading on labelled scenes.")
    parser.add_argument(
        "folders", type=Path, nargs="+", help="scenes that no network was trained on, as `istaka synth FOLDER --seed 7` makes them"
    )
    options = parser.parse_args(argv)
    try:
        reader = TileReader()
        sights, unlike = seen_in(options.folders, reader), lookalikes(options.folders, reader)
    except FileNotFoundError as error:
        print(
            f"istaka calibrate: {Path(error.filename).parent} holds no truth.jsonl: render scenes with `istaka synth` first",
            file=sys.stderr,
        )
        return 2
    found = {
        "readings, {:.1%} right; CALIBRATION in vision/decode.py": readings(sights),
        "blank places, {:.1%} tiles face down; WEIGHTS in vision/face_down.py": blanks(sights),
        "places told as faces, {:.1%} no tiles; WEIGHTS in vision/lookalikes.py": unlike,
    }
    for what, (terms, right) in found.items():
        if not 0 < right.sum() < len(right):
            print("istaka calibrate: both right and wrong readings are needed to fit by: render more scenes", file=sys.stderr)
            return 2
        weights = ", ".join(f"{weight:.2f}" for weight in fit(terms, right))
        print(f"{len(right)} {what.format(right.mean())} should be ({weights})")
    return 0
