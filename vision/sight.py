"""What the networks see of one picture, before what one set can hold is considered; and what that tells."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.reasons import Reason
from assistant.tiles import FACE_DOWN, FALSE_JOKER, Colour, Tile
from vision.beside import against_beside, dwarfed
from vision.classify import Chances
from vision.decode import CALIBRATION, Decoded, decode, face_chances
from vision.face_down import LEAST_LIKELY_BLANK, face_down_chances
from vision.inks import inks_of
from vision.layout import lay_out, turned_as_beside
from vision.light import Gains
from vision.locate import EDGE
from vision.outlines import at_edge
from vision.reading import Outline, Reading, SeenTile
from vision.straighten import Corners

SURE_OF_INK = 0.8
"""With less confidence in a tile its ink may be that of another colour."""
LEAST_OF_A_TILE, LEAST_OF_ITS_WIDTH, SECOND_DIGITS = 0.67, 0.82, (1, 2, 3)
"""What has less than the first of the area of the tiles beside it may be a part of one, and a 1, 2 or 3 of less than the second of
their width the last digit of an 11, 12 or 13: neither is sure. Of 2,080 scenes to learn from and for tuning that takes 11 of 35 tiles
away whose number was sure and wrong, 19 of 33 that were sure where there is none, and 268 of all 23,671 that were sure."""
MOST_OF_A_SIDE = 1.3
"""What is longer or wider than this times those beside it is not sure, as it may hold more than a tile. That takes 3 of 19 tiles away that
are sure and wrong in 1,550 scenes, and 387 of 31,000 others, but 3 of 3,400 in photos to learn from, altered."""
SURELY_READ_IF_DARK = 0.9995
"""What is read with less than this on dark faces, which no network has seen, is not sure: of 1,097 such tiles that were sure in scenes for
tuning five were wrong, of 928 that still are two."""
VEILED, GREYISH, PALE = 0.1, 0.8, 0.4
"""Blue is not sure where an uneven veil has more than VEILED of a face's light on average, if its ink lets through more green than GREYISH,
a share of the blue, and the channels that it lets through most and least differ by less than PALE: so looks what is left of a veil on black
ink. Of 9,160 tiles that were sure under uneven veils 34 were wrong, 22 of them not blue but told so; 18 have such inks, and 512 of 2,198
that are blue."""
A_SPECK, CLEAR = 0.1, 0.8
"""What has less than the first of the area of the tiles beside it and is read with less confidence than the second is a speck: of 39,336
tiles that are read rightly in 1,550 scenes and in altered photos none is. Beside a tile that fills the picture there are many."""


@dataclass(frozen=True)
class Sight:
    """N outlines in a picture and the chances of what they show; parallel arrays.

    Attributes:
        size: width and height of the upright picture in pixels.
        corners: (N, 4, 2) in pixels, from each tile's own top left to its top right; some reach out of the picture.
        number: chances (N, 16), see `vision.classify.Classified`.
        colour: chances (N, 4).
        ink: measured inks (N, 3), the tile's face being 1.
        score: (N,) how sure the locator is that a tile is there, 0 to 1.
        light: mean brightness of the picture, 0 to 1, as it was before it was brightened to be read.
        ms: milliseconds by stage.
        in_colour: whether the picture has colours at all.
        mirrored: whether the picture is: then the tiles' own order of corners is anticlockwise in it.
        lightened: of tiles that are darker than their numbers the gains with which `vision.light.with_light_faces` shows them as they were
            read; None where faces are light.
        uneven_veil: how much light an uneven veil had, see `vision.veil.Unveiled.unevenly`; 0 without one.
    """

    size: tuple[int, int]
    corners: Corners
    number: Chances
    colour: Chances
    ink: Chances
    score: NDArray[np.float32]
    light: float = 0.0
    ms: Mapping[str, float] = field(default_factory=dict)
    in_colour: bool = True
    mirrored: bool = False
    lightened: Gains | None = None
    uneven_veil: float = 0.0

    def __len__(self) -> int:
        return len(self.corners)


@dataclass(frozen=True)
class Told:
    """A reading, and which outline of the sight each of its tiles is.

    Attributes:
        reading: what was read.
        index: for each of the reading's tiles its place in the sight.
    """

    reading: Reading
    index: tuple[int, ...]


def tell(sight: Sight, photo: str = "", calibration: tuple[float, float, float] = CALIBRATION) -> Told:
    """The likeliest tiles that one set can hold, and how they lie.

    Args:
        sight: what was seen.
        photo: the picture's name, to stand in the reading.
        calibration: what makes confidences true, see `vision.decode`.
    """
    begun = time.perf_counter()
    decoded = decode(sight.number, sight.colour, sight.ink, sight.score, calibration)
    if not sight.in_colour:
        decoded = decoded.without_colours()
    is_tile = np.array(decoded.is_tile, bool)
    blank = np.array([guess == FACE_DOWN for guess in decoded.guesses], bool)
    _, blank_by_itself, _ = face_chances(sight.number, sight.colour)
    against = against_beside(sight.corners, is_tile & ~blank)
    face_down = face_down_chances(against, sight.score, blank_by_itself)
    speck = (against.sum(1) < np.log(A_SPECK)) & (np.array(decoded.confidence) < CLEAR)
    kept = np.flatnonzero(is_tile & ~speck & ~(blank & (face_down < LEAST_LIKELY_BLANK)))
    numbered = np.array([guess.is_numbered for guess in decoded.guesses], bool)
    corners = turned_as_beside(sight.corners[kept], numbered[kept])
    layout = lay_out(corners, ~blank[kept], np.where(numbered, decoded.confidence, 0)[kept], [decoded.guesses[i] for i in kept])
    warnings = list(decoded.warnings)
    if not len(kept):
        warnings.append(Reason("no tiles were found: take the photo from closer, with the whole rack in the picture"))
    elif not sight.in_colour:
        warnings.append(Reason("the picture is in shades of grey, so the tiles’ colours cannot be told: take it in colour"))
    if len(kept) and sight.mirrored:
        warnings.append(Reason("the picture is mirrored; it was read turned back: switch mirroring off in the camera"))
    if layout.indicators:
        first, *others = dict.fromkeys(decoded.guesses[kept[i]] for i in layout.indicators)
        which: Tile | Reason = first
        for other in others:
            which = Reason("{these} or {tile}", these=which, tile=other)
        warnings.append(Reason("which tile is the indicator is not clear: {which}; choose it by hand", which=which))
    doubted = _may_be_parts(against, decoded) | _may_hold_more(against) | _may_go_on(sight, decoded)
    doubted |= dwarfed(sight.corners, is_tile & ~blank & np.array(decoded.is_sure, bool))
    if sight.uneven_veil > VEILED:
        doubted |= _may_be_black(sight, decoded)
    if sight.lightened is not None:
        doubted |= np.array(decoded.confidence) < SURELY_READ_IF_DARK
    stated = np.where(blank, face_down, decoded.unsure(doubted).stated).tolist()
    tiles = tuple(
        SeenTile(
            tile=decoded.tiles[kept[i]],
            confidence=stated[kept[i]],
            outline=as_outline(corners[i]),
            place=layout.place[i],
            row=layout.row[i],
            group=layout.group[i],
            gap=layout.gap[i],
            gap_doubtful=layout.doubtful[i],
            guess=decoded.guesses[kept[i]],
        )
        for i in layout.order
    )
    sure = [int(i) for i in kept if decoded.confidence[i] >= SURE_OF_INK]
    inks = inks_of([decoded.tiles[i].colour for i in sure], sight.ink[sure])
    took = 1000 * (time.perf_counter() - begun)
    ms = {**sight.ms, "decode": took, "total": sum(sight.ms.values()) + took}
    reading = Reading(sight.size, tiles, tuple(warnings), ms, photo, inks, sight.lightened)
    return Told(reading, tuple(int(kept[i]) for i in layout.order))


def _may_be_parts(against: NDArray[np.float64], decoded: Decoded) -> NDArray[np.bool_]:
    """Which of N outlines may be parts of tiles, whose numbers are not as sure as they look.

    Args:
        against: their sizes against those of the tiles beside each (N, 2), see `against_beside`.
        decoded: what each is read as.
    """
    longer, shorter = against.T
    second_digit = np.array([guess.number in SECOND_DIGITS for guess in decoded.guesses], bool)
    return (longer + shorter < np.log(LEAST_OF_A_TILE)) | second_digit & (shorter < np.log(LEAST_OF_ITS_WIDTH))


def _may_hold_more(against: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which of N outlines, of such sizes against those beside each (N, 2), may hold more than one tile."""
    longest = against.max(1)
    return np.isfinite(longest) & (longest > np.log(MOST_OF_A_SIDE))


def _may_go_on(sight: Sight, decoded: Decoded) -> NDArray[np.bool_]:
    """Which of N tiles the picture's edge cuts where another digit may stand: before what is read as 1, 2 or 3, or behind a 1.

    And which it cuts anywhere that seem false jokers, as a part of a number may look like any picture: of 242 that were sure and right
    in scenes for tuning and altered photos nine are in doubt for that.
    """
    cut = at_edge(sight.corners, sight.size, EDGE)
    left, right = (np.all(cut[:, side], axis=1) for side in ([0, 3], [1, 2]))
    number = np.array([guess.number or 0 for guess in decoded.guesses])
    seems_joker = np.array([guess == FALSE_JOKER for guess in decoded.guesses], bool)
    return np.asarray(left & np.isin(number, SECOND_DIGITS) | right & (number == 1) | np.any(cut, axis=1) & seems_joker)


def _may_be_black(sight: Sight, decoded: Decoded) -> NDArray[np.bool_]:
    """Which of N tiles are read as blue, though their ink may be what is left of a veil on black."""
    is_blue = np.array([guess.colour == Colour.BLUE for guess in decoded.guesses], bool)
    return is_blue & (sight.ink[:, 1] > GREYISH * sight.ink[:, 0]) & (np.ptp(sight.ink, axis=1) < PALE)


def as_outline(corners: NDArray[np.floating[Any]]) -> Outline:
    """Corners (4, 2) as a reading has them."""
    first, second, third, fourth = map(tuple, corners.tolist())
    return first, second, third, fourth
