"""`istaka calibrate`: how the networks' chances become confidences that can be believed.

A confidence says how often a reading like this one is right. The locator knows things that the classifier does not (blur, what
hides a tile, what only looks like one), so both are weighed: a logistic regression on labelled scenes that no network saw.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from assistant.tiles import FACE_DOWN
from vision.decode import RAW, decode, log_odds
from vision.reader import TileReader
from vision.sight import tell
from vision.sources import load_photo
from vision.workshop.evaluate import in_ignored, match
from vision.workshop.photos import load_truth

Array = NDArray[np.float64]


def readings(folder: Path, reader: TileReader) -> tuple[Array, Array, Array]:
    """Of everything read as a face in labelled photos: its chance (N,), the locator's score (N,), and whether it is right (N,).

    What is read where no tile is, is wrong. Places that the labels pass over are passed over.
    """
    chance, score, right = [], [], []
    for photo in load_truth(folder):
        if photo.tiles is None:
            continue
        sight = reader.look(load_photo(folder / "images" / photo.photo))
        told = tell(sight, calibration=RAW)
        decoded = decode(sight.number, sight.colour, sight.ink, sight.score, RAW)
        read = [(seen, i) for seen, i in zip(told.reading.tiles, told.index, strict=True) if seen.tile != FACE_DOWN]
        truth = [tile for tile, _ in photo.tiles if tile != FACE_DOWN]
        placed = {j: truth[i] for i, j in match(photo, [seen for seen, _ in read])}
        for j, (seen, i) in enumerate(read):
            if j in placed or not in_ignored(photo, seen):
                chance.append(decoded.confidence[i])
                score.append(float(sight.score[i]))
                right.append(j in placed and placed[j] == seen.guess)
    return np.array(chance), np.array(score), np.array(right, float)


def fit(chance: Array, score: Array, right: Array) -> Array:
    """The weights (3,) of `vision.decode.CALIBRATION` that make what is right likeliest."""
    terms = np.column_stack([log_odds(chance), log_odds(score), np.ones(len(chance))])
    signs = 2 * right - 1

    def loss(weights: Array) -> float:
        return float(np.logaddexp(0, -signs * (terms @ weights)).mean())

    return np.asarray(minimize(loss, np.array(RAW)).x)


def main(argv: list[str] | None = None) -> int:
    """The command `istaka calibrate`. Returns its exit status."""
    parser = argparse.ArgumentParser(prog="istaka calibrate", description="Fit the confidences of the reading on labelled scenes.")
    parser.add_argument("folder", type=Path, help="scenes that no network was trained on, as `istaka synth FOLDER --seed 7` makes them")
    options = parser.parse_args(argv)
    try:
        chance, score, right = readings(options.folder, TileReader())
    except FileNotFoundError:
        print(f"istaka calibrate: {options.folder} holds no truth.jsonl: render scenes with `istaka synth` first", file=sys.stderr)
        return 2
    if not 0 < right.sum() < len(right):
        print("istaka calibrate: both right and wrong readings are needed to fit by: render more scenes", file=sys.stderr)
        return 2
    weights = fit(chance, score, right)
    print(f"{len(right)} readings, {right.mean():.1%} right; CALIBRATION in vision/decode.py should be")
    print(f"({', '.join(f'{weight:.2f}' for weight in weights)})")
    return 0
