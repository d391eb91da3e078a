"""From chances to the likeliest tiles that one set can hold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from assistant.tiles import COPIES, FACE_DOWN, FALSE_JOKER, NUMBERED_TILES, UNREADABLE, Tile

FACES: tuple[Tile, ...] = (*NUMBERED_TILES, FALSE_JOKER)
"""The 53 faces in the order of the columns of `face_chances`: R1 to R13, K, B, Y, then the false joker."""
LEAST_CONFIDENCE = 0.45
"""A tile read with less confidence is `?`."""
SHARPNESS = 1.0
"""Chances are raised to this power. 1 leaves them as they are: on held-back photos they are calibrated to within 0.4%."""
INK_SPREAD = 0.16
"""How far the inks of one colour lie apart under one light, as a share of the face's white."""
FEWEST_INKS = 6
"""With fewer coloured tiles there is nothing to settle together."""

Chances = NDArray[np.float32]


@dataclass(frozen=True)
class Decoded:
    """What N places hold; parallel tuples.

    Attributes:
        tiles: what is read, `?` where it would be a guess.
        guesses: the likeliest face or `#`, also where `tiles` has `?`.
        confidence: chance, 0 to 1, that the guess is right.
        is_tile: whether there is a tile at all.
        warnings: sentences about what one set cannot hold.
    """

    tiles: tuple[Tile, ...]
    guesses: tuple[Tile, ...]
    confidence: tuple[float, ...]
    is_tile: tuple[bool, ...]
    warnings: tuple[str, ...]


def face_chances(number: Chances, colour: Chances) -> tuple[Chances, Chances, Chances]:
    """Chances of the 53 faces (N, 53), of lying face down (N,), of being no tile (N,), together 1 in each row.

    Args:
        number: (N, 16): 1 to 13, false joker, face down, not a tile.
        colour: (N, 4): red, black, blue, yellow.
    """
    numbered = (colour[:, :, None] * number[:, None, :13]).reshape(len(number), -1)
    return np.hstack([numbered, number[:, 13:14]]), number[:, 14], number[:, 15]


def settle_colours(colour: Chances, ink: Chances, weight: Chances) -> Chances:
    """Chances of colour (N, 4) with all inks of one picture settled together.

    One light falls on all tiles, so inks of one colour lie close together even where lamp light has moved them all.
    Each colour is a Gaussian around its mean ink (expectation-maximisation, the classifier's chances as the prior of
    each tile): Dempster, Laird and Rubin 1977.

    Args:
        colour: the classifier's chances (N, 4).
        ink: measured inks (N, 3), the face being 1.
        weight: (N,) how surely a tile bears an ink of one of the four colours at all, 0 to 1.
    """
    if float((weight > 0.5).sum()) < FEWEST_INKS:
        return colour
    inks = np.minimum(ink, 1.2).astype(np.float64)
    prior = np.clip(colour, 1e-4, 1).astype(np.float64)
    settled = prior / prior.sum(1, keepdims=True)
    for _ in range(6):
        share = settled * weight[:, None]
        mass = share.sum(0)
        mean = (share.T @ inks) / np.maximum(mass, 1e-6)[:, None]
        away = ((inks[:, None] - mean) ** 2).sum(2) / (2 * INK_SPREAD**2)
        away = np.where(mass > 0.5, away, np.median(away))
        settled = prior * np.exp(-np.minimum(away - away.min(1, keepdims=True), 8))
        settled /= settled.sum(1, keepdims=True)
    return np.asarray(settled, np.float32)


def sharpened(chances: Chances, power: float) -> Chances:
    """Chances raised to a power, each row summing to 1 again: less than 1 makes them doubt more."""
    raised = np.maximum(chances, 1e-9) ** power
    return np.asarray(raised / raised.sum(1, keepdims=True), np.float32)


def decode(number: Chances, colour: Chances, ink: Chances, sharpness: float = SHARPNESS) -> Decoded:
    """The likeliest tiles that one set can hold together: two of each, found as an assignment of least cost.

    Args:
        number: chances (N, 16), see `face_chances`.
        colour: chances (N, 4).
        ink: measured inks (N, 3), see `settle_colours`.
        sharpness: power that makes the chances calibrated.
    """
    count = len(number)
    if not count:
        return Decoded((), (), (), (), ())
    number = sharpened(number, sharpness)
    colour = sharpened(settle_colours(colour, ink, number[:, :13].sum(1)), sharpness)
    faces, down, nothing = face_chances(number, colour)
    alone = np.hstack([faces, down[:, None]]).argmax(1)
    is_tile = nothing < np.maximum(faces.sum(1), down)
    chosen = np.where(alone == len(FACES), len(FACES), -1)
    open_tiles = np.flatnonzero(is_tile & (chosen < 0))
    if len(open_tiles) <= COPIES * len(FACES):
        cost = -np.log(np.repeat(faces[open_tiles], COPIES, axis=1) + 1e-7)
        rows, columns = linear_sum_assignment(cost)
        chosen[open_tiles[rows]] = columns // COPIES
    else:
        chosen[open_tiles] = alone[open_tiles]
    guesses, confidence, tiles = [], [], []
    for i in range(count):
        guess = FACE_DOWN if chosen[i] == len(FACES) else FACES[max(0, int(chosen[i]))]
        chance = float(down[i] if guess == FACE_DOWN else faces[i, chosen[i]])
        guesses.append(guess)
        confidence.append(min(1.0, max(0.0, chance)))
        tiles.append(guess if chance >= LEAST_CONFIDENCE or guess == FACE_DOWN else UNREADABLE)
    return Decoded(tuple(tiles), tuple(guesses), tuple(confidence), tuple(map(bool, is_tile)), _too_many(alone, faces, is_tile))


def _too_many(alone: NDArray[np.int64], faces: Chances, is_tile: NDArray[np.bool_]) -> tuple[str, ...]:
    """A sentence for each face that is clearly seen more often than a set has it."""
    words = {3: "three", 4: "four", 5: "five", 6: "six"}
    warnings = []
    for face in range(len(FACES)):
        seen = int(((alone == face) & is_tile & (faces[:, face] > 0.8)).sum())
        if seen > COPIES:
            warnings.append(f"{words.get(seen, str(seen))} {FACES[face]} are seen; a set has two")
    return tuple(warnings)
