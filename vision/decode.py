"""From chances to the likeliest tiles that one set can hold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.reasons import Reason
from assistant.tiles import COLOURS, COPIES, FACE_DOWN, FALSE_JOKER, NUMBERED_TILES, UNREADABLE, Tile
from vision.classify import (
    FACE_COLUMNS,
    FACE_DOWN_COLUMN,
    NO_TILE_COLUMN,
    NUMBER_COLUMNS,
    TURNED_INTO_EACH_OTHER,
    Chances,
)
from vision.colours import BLUE, YELLOW, green_for_blue, settle_colours
from vision.reading import SURE

FACES: tuple[Tile, ...] = (*NUMBERED_TILES, FALSE_JOKER)
"""The 53 faces in the order of the columns of `face_chances`: R1 to R13, K, B, Y, then the false joker."""
CALIBRATION = (1.0, 1.0, -1.0)
"""Weights of the classifier's log-odds for a face, of the locator's for a tile, and a constant: their sum is the log-odds that
the reading is right (Platt 1999, with one more variable). `istaka calibrate` fits 0.69, 0.70 and -0.73 on 700 scenes; since what is
not sure is said with MOST_UNSURE at most, these are truer there: a log loss of 0.0623 for a reading instead of 0.0634."""
RAW = (1.0, 0.0, 0.0)
"""The calibration that leaves the classifier's chances as they are."""
MOST_UNSURE = SURE - 0.001
"""What is not sure is said with no more confidence than this. It is mostly right: the less it says, the more wrong the confidence is."""
SEEN_COLOUR = 0.9
"""A colour that the tile itself shows with a smaller chance than this, so that only the inks beside it tell, is not sure: on 980
scenes such tiles were a quarter of those sure and wrong, a fortieth of all sure."""
OTHER_COLOUR = 0.002
"""A colour is not sure either that with a larger chance than this is another one, of which no sure tile is seen in the picture: there is
nothing to compare it with. On 2,080 scenes such tiles were 22 of the 28 whose colour was sure and wrong, one in 37 of all sure; in the
photos to learn from one in 87 of all sure."""
OTHER_WAY_UP = 0.002
"""A 6 is not sure that with a larger chance than this is a 9 upside down, nor is such a 9: on the 380 scenes for tuning those with 0.005
were 9 of the 26 tiles sure and wrong, and one in 26 of all sure. Of 1,656 sure 6s and 9s since, on 960 scenes and in the photos to learn
from, 144 had 0.002 to 0.005: two of the four that were wrong, none in photos."""
SURELY_READ, SURELY_A_JOKER = 0.994, 0.9997
"""Nothing is sure that is read with less confidence than the first: on 700 scenes 66 of 862 tiles read with 0.9 to that are wrong, of 9,470
with more 32, of which most are not sure for another reason. Nor is a false joker sure with less than the second, as the mark below a number
looks like one where the number is hidden."""
PARTS_OF_OTHERS = (3, 5, 7)
"""Numbers that others look like where ink has come off: an 8 or 9 that has lost its left side is a 3, a 6 a 5, a 2 a 7."""
UNCLEAR, MANY, FEWEST_OTHERS = 0.98, 0.2, 4
"""The ink of a set has come off if, of the faces beside one, of which there are at least FEWEST_OTHERS, a larger share than the second are
read with less than the first chance."""
SURELY_READ_IF_WORN = 0.9998
"""Of a set whose ink has come off PARTS_OF_OTHERS are not sure with less confidence than this: of 912 tiles that were sure in 100 scenes of
worn sets nine were wrong, of 860 that still are three; of 3,461 in 420 others 19, of 3,285 eleven; in 905 other scenes 47 of 9,166 that
were sure are not."""
SURELY_FOUND = 0.4
"""What the locator scores lower is not sure. With this and SURELY_A_JOKER 9 of the 49 tiles sure and wrong in 2,468 scenes are not, and 219
of 28,784 that were sure and right."""
LEAST_CONFIDENCE = 0.35
"""A tile read with less confidence is `?`: of 94 such guesses in 985 scenes 18 are right."""
LEAST_LIKELY = 0.17
"""What would be read with less confidence is more often no tile at all than one, and is passed over."""
CLEARLY_SEEN = 0.8
"""A face that is shown with a larger chance counts where more are seen than a set has."""
MAY_BE_PARTS = [FACES.index(Tile(colour, part)) for colour in COLOURS for part in PARTS_OF_OTHERS]
"""The columns of `FACES` with these numbers."""


@dataclass(frozen=True)
class Decoded:
    """What N places hold; parallel tuples.

    Attributes:
        tiles: what is read, `?` where it would be a guess.
        guesses: the likeliest face or `#`, also where `tiles` has `?`.
        confidence: chance, 0 to 1, that the guess is right.
        is_sure: whether nothing speaks against calling the guess sure.
        is_tile: whether there is a tile at all; whether one lies face down where that is guessed, `vision.face_down` says.
        warnings: sentences about what one set cannot hold.
    """

    tiles: tuple[Tile, ...]
    guesses: tuple[Tile, ...]
    confidence: tuple[float, ...]
    is_sure: tuple[bool, ...]
    is_tile: tuple[bool, ...]
    warnings: tuple[Reason, ...]

    @property
    def stated(self) -> tuple[float, ...]:
        """The confidence that is said to the user: no more than `MOST_UNSURE` in what is not sure."""
        return tuple(chance if sure else min(chance, MOST_UNSURE) for chance, sure in zip(self.confidence, self.is_sure, strict=True))

    def unsure(self, doubted: NDArray[np.bool_]) -> Decoded:
        """The same with those places (N,) not sure that are doubted."""
        return replace(self, is_sure=tuple(bool(sure and not doubt) for sure, doubt in zip(self.is_sure, doubted, strict=True)))

    def without_colours(self) -> Decoded:
        """The same of a picture in shades of grey: a numbered tile may be of any colour, its number stays as a guess."""
        numbered = [guess.is_numbered for guess in self.guesses]
        tiles = (UNREADABLE if has_colour else tile for tile, has_colour in zip(self.tiles, numbered, strict=True))
        most = (1 / len(COLOURS) if has_colour else 1.0 for has_colour in numbered)
        return replace(self, tiles=tuple(tiles), confidence=tuple(map(min, self.confidence, most)))


def face_chances(number: Chances, colour: Chances) -> tuple[Chances, Chances, Chances]:
    """Chances of the 53 faces (N, 53), of lying face down (N,), of being no tile (N,), together 1 in each row.

    Args:
        number: (N, 16): 1 to 13, false joker, face down, not a tile.
        colour: (N, 4): red, black, blue, yellow.
    """
    numbered = (colour[:, :, None] * number[:, None, :NUMBER_COLUMNS]).reshape(len(number), len(NUMBERED_TILES))
    return np.hstack([numbered, number[:, NUMBER_COLUMNS:FACE_COLUMNS]]), number[:, FACE_DOWN_COLUMN], number[:, NO_TILE_COLUMN]


def calibrated(chance: NDArray[np.floating[Any]], score: NDArray[np.floating[Any]], calibration: tuple[float, float, float]) -> Chances:
    """How likely (N,) readings are right, by the classifier's `chance` (N,) and the locator's `score` (N,), all 0 to 1."""
    by_classifier, by_locator, constant = calibration
    sum_of_log_odds = by_classifier * log_odds(chance) + by_locator * log_odds(score) + constant
    return np.asarray(1 / (1 + np.exp(-sum_of_log_odds)), np.float32)


def certainty(number: Chances, colour: Chances, score: NDArray[np.floating[Any]]) -> Chances:
    """How likely (N,) the likeliest face of each place, taken by itself, is right.

    Args:
        number, colour: chances (N, 16) and (N, 4), see `face_chances`.
        score: how sure the locator is that a tile is there (N,).
    """
    return calibrated(face_chances(number, colour)[0].max(1), score, CALIBRATION)


def log_odds(chance: NDArray[np.floating[Any]], nearest: float = 1e-4) -> NDArray[np.float64]:
    """Logarithms (N,) of the odds of chances (N,), those nearer to 0 or 1 than `nearest` brought there."""
    inside = np.clip(np.asarray(chance, np.float64), nearest, 1 - nearest)
    return np.asarray(np.log(inside / (1 - inside)))


def decode(
    number: Chances, colour: Chances, ink: Chances, score: NDArray[np.float32], calibration: tuple[float, float, float] = CALIBRATION
) -> Decoded:
    """The likeliest tiles that one set can hold together: two of each, found as an assignment of least cost.

    Args:
        number: chances (N, 16), see `face_chances`.
        colour: chances (N, 4).
        ink: measured inks (N, 3), see `settle_colours`.
        score: how sure the locator is that a tile is there (N,).
        calibration: see `CALIBRATION`.
    """
    count = len(number)
    if not count:
        return Decoded((), (), (), (), (), ())
    faces, down, nothing = face_chances(number, settle_colours(colour, ink, number[:, :NUMBER_COLUMNS].sum(1)))
    by_itself = np.hstack([faces, down[:, None]])
    alone = by_itself.argmax(1)
    likely = (alone == len(FACES)) | (calibrated(by_itself.max(1), score, calibration) >= LEAST_LIKELY)
    is_tile = likely & ((alone == len(FACES)) | (nothing < faces.sum(1)))
    chosen, open_tiles = alone.copy(), np.flatnonzero(is_tile & (alone < len(FACES)))
    chosen[open_tiles] = likeliest_of_one_set(faces[open_tiles])
    guesses = tuple(FACE_DOWN if face == len(FACES) else FACES[face] for face in chosen.tolist())
    chance = by_itself[np.arange(count), chosen]
    # Of a false joker and of a tile lying face down no colour is told.
    seen = np.hstack([np.repeat(colour, NUMBER_COLUMNS, axis=1), np.ones((count, 2), np.float32)])
    confidence = calibrated(chance, score, calibration)
    has_colour = seen[np.arange(count), chosen] >= SEEN_COLOUR
    surely_read = confidence >= np.where(chosen == FACES.index(FALSE_JOKER), SURELY_A_JOKER, SURELY_READ)
    surely_read &= (confidence >= SURELY_READ_IF_WORN) | ~_may_be_worn(number, chosen, is_tile & (chosen < len(FACES)))
    is_sure = has_colour & (_other_way_up(number, chosen) <= OTHER_WAY_UP) & surely_read & (score >= SURELY_FOUND)
    is_sure &= ~_beside_nothing(colour, ink, chosen, is_sure)
    tiles = tuple(
        guess if guess == FACE_DOWN or sure else UNREADABLE for guess, sure in zip(guesses, confidence >= LEAST_CONFIDENCE, strict=True)
    )
    return Decoded(
        tiles,
        guesses,
        tuple(map(float, confidence)),
        tuple(map(bool, is_sure)),
        tuple(map(bool, is_tile)),
        _too_many(alone, faces, is_tile),
    )


def likeliest_of_one_set(faces: Chances) -> NDArray[np.int64]:
    """The likeliest columns (N,) of chances (N, 53) that use none more than COPIES times; the likeliest of each tile if no set holds N."""
    alone = np.asarray(faces.argmax(1), np.int64)
    if len(faces) > COPIES * len(FACES) or np.bincount(alone, minlength=1).max() <= COPIES:
        return alone
    from scipy.optimize import linear_sum_assignment  # which takes half a second to load, and most racks do without

    rows, columns = linear_sum_assignment(-np.log(np.repeat(faces, COPIES, axis=1) + 1e-7))
    alone[rows] = columns // COPIES
    return alone


def _may_be_worn(number: Chances, chosen: NDArray[np.int64], is_face: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of N numbers may be what worn ink has left of others, see `PARTS_OF_OTHERS`.

    Args:
        number: chances (N, 16), see `face_chances`.
        chosen: column (N,) of `FACES` that each is read as, len(FACES) where it lies face down.
        is_face: which (N,) show a face.
    """
    unclear = is_face & (number[:, :FACE_COLUMNS].max(1) < UNCLEAR)
    others = is_face.sum() - is_face
    among_unclear = (others >= FEWEST_OTHERS) & (unclear.sum() - unclear > MANY * others)
    return np.asarray(among_unclear & np.isin(chosen, MAY_BE_PARTS))


def _beside_nothing(colour: Chances, ink: Chances, chosen: NDArray[np.int64], is_sure: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which tiles (N,) may be of another colour than they are read as, of which no sure tile is seen.

    Args:
        colour: chances (N, 4).
        ink: measured inks (N, 3): greenish blue may be green in place of yellow.
        chosen: column (N,) of `FACES` that each is read as, len(FACES) where it lies face down.
        is_sure: which (N,) are sure otherwise.
    """
    numbered = chosen < len(NUMBERED_TILES)
    read = np.where(numbered, chosen // NUMBER_COLUMNS, 0)
    others = colour.copy()
    others[:, YELLOW] += green_for_blue(ink) * colour[:, BLUE]
    others[np.arange(len(colour)), read] = 0
    seen = np.isin(np.arange(len(COLOURS)), read[numbered & is_sure])
    return np.asarray(numbered & (others.max(1) > OTHER_COLOUR) & ~seen[others.argmax(1)])


def _other_way_up(number: Chances, chosen: NDArray[np.int64]) -> Chances:
    """Chances (N,) that what is read as 6 is 9 or the other way round; 0 for all other tiles.

    Args:
        number: chances (N, 16).
        chosen: column (N,) of `FACES` that each is read as, len(FACES) where it lies face down.
    """
    six, nine = TURNED_INTO_EACH_OTHER
    read = np.where(chosen < len(NUMBERED_TILES), chosen % NUMBER_COLUMNS, -1)
    return np.select([read == six, read == nine], [number[:, nine], number[:, six]], 0)


def _too_many(alone: NDArray[np.int64], faces: Chances, is_tile: NDArray[np.bool_]) -> tuple[Reason, ...]:
    """A sentence for each face that is clearly seen more often than a set has it."""
    words = {3: Reason("three"), 4: Reason("four"), 5: Reason("five"), 6: Reason("six")}
    seen = np.bincount(alone[is_tile & (faces.max(1) > CLEARLY_SEEN)], minlength=len(FACES)).tolist()
    return tuple(
        Reason("{count} {tile} are seen; a set has two", count=words.get(count, count), tile=tile)
        for tile, count in zip(FACES, seen, strict=True)
        if count > COPIES
    )
