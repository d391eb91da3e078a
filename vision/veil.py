"""Light that is scattered on its way from the tiles to the sensor lies as a veil on what is seen: told, and taken off.

Such light, of a lens that is not clean or a window behind the tiles, is added to all that is seen: black ink looks grey, and, where it
is of another colour than the light on the tiles, blue or brown. A camera that has little light, or a filter, adds to one channel or two
alone: black is red, green or blue. On and between tiles every channel is dark somewhere, on a number or in a shadow: what it has even
there is the veil (dark-object subtraction: Chavez 1988).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from cv2 import LUT
from numpy.typing import NDArray

from vision.outlines import areas
from vision.straighten import FACE_AT, Corners, Picture, Pyramid, pixels_at, places_on_a_tile

GAMMA = 2.2
"""Of pictures: light is as what is stored to this power, both 0 to 1."""
LIGHT = np.linspace(0, 1, 256) ** GAMMA
"""Of each value that is stored."""
SAMPLES, CELLS, AROUND = 33, 3, 0.2
"""A veil is looked for at so many places across and down each tile and beyond it by the third of its sides, the darkest being that of each
cell, of which there are so many across and down."""
LEAST_FACE = 8 / 255
"""A face is taken to be no darker, of 1, as it is stored."""
STEEPEST, STEEPEST_BY_TILE = 1.4, 0.1
"""From one place to another a veil grows by at most the first, in shares of a face's light, for every length of the picture that they are
apart, and by the second for every tile's width, in the channel in which it is brightest."""
ROUNDS, BLACKEST = 3, 0.1
"""How often a veil's tint, and how it may rise in each channel, are told from each other; and then the tint from this share of all places,
those that most look black."""
NEARLY_THE_TINT = 0.15
"""No channel has by more than this share more of a veil than it has by its tint."""
EVEN = 0.7
"""Where what lies over the whole picture is more than this share of what lies on its tiles on average, that is the veil: a grey table
beside tiles of one pale ink seems to have more of it than tiles with black numbers."""
BLOTS, FAINT, AS_IN_ALL = 0.005, 0.12, 0.75
"""What a channel has everywhere is what it has where it is darkest. Where it is more than LEAST_VEIL while another channel has none, it is
this quantile of all pixels instead, as a JPEG has blots beside strong edges that are darker than black. If that is less than FAINT, of a
face's light, or the channel that has least there has more than AS_IN_ALL of it, strokes may be too thin to be black, which lifts all
channels alike: then it is what the channel has more than the one that has least. For the former six tiles more are right in 530 scenes for
tuning, as they are, and two fewer sure and wrong; without the latter, black numbers in outline are red where a spot of blue lacks all red.
"""
MOST_ALONE = 0.5
"""What one channel has everywhere, however little others have, may be a veil if it is less than this of a face's light."""
AT_FLOOR, BRIGHT = (0.03, 0.1), (0.1, 0.15)
"""Each is a share of a face's light and one of what the channel has everywhere. That is a veil, and not the colour of all ink, if in some
place the channel has more than that by AT_FLOOR at most while another has more by BRIGHT: where black looked red, so does blue. Or if in
some place it has twice as much while the others have hardly more: there the ink is red itself."""
EVENLY_BLACK = 0.02
"""Over all lies what some place has no more of than NEARLY_BLACK and this share of a face's light allow: a shadow may be lit a little."""
NEAR = 0.07
"""A veil is as around the places that are black but for it: one so far away, in lengths of the picture, counts 0.6 times as much."""
NEARLY_BLACK, NOISE = 0.4, 0.003
"""Black but for the veil is what has by no channel more than it by so much of it, and so much of a face's light."""
LEAST_VEIL, MOST_TINTED = 0.03, 10.0
"""A veil that has less than the first of a face's light in some channel, on a tile or on average of all, is none: networks have learnt with
that, and a channel or two may be bright even on the darkest ink. No channel is taken to have more than so many times as much of it as
another, for the same reason, but for what is no ink's, see MOST_ALONE."""
MOST_VEIL = 0.95
"""Of a face's light: a veil that has more leaves nothing."""

Light = NDArray[np.float32]
"""In shares of a face's, by channel."""


class Unveiled(Pyramid):
    """A picture whose crops are free of the veil that lies on it; its levels are as they are.

    Args:
        veiled: the picture.
        places: (M, 2) in pixels, at which the veil is known.
        veil: (M, 3) the light that it has there.
        face: (3,) the light of a face, of 1.

    Attributes:
        unevenly: how much of a face's light it has on average, in its brightest channel, if it does not lie evenly over all, and is known
            less well for that; 0 if it does.
    """

    def __init__(self, veiled: Pyramid, places: Light, veil: Light, face: NDArray[np.float64]) -> None:
        super().__init__(veiled.level(0))
        self._veiled, self._places, self._veil, self._face = veiled, places, veil, face
        self.unevenly = float(veil.mean(0).max()) if np.ptp(veil, axis=0).any() else 0.0

    def level(self, index: int) -> Picture:
        """As `Pyramid` has it, under the veil."""
        return self._veiled.level(index)

    def warp(self, corners: Corners, target: Corners, size: tuple[int, int]) -> Picture:
        """As `Pyramid` does it, without the veil that lies on the middle of `corners`."""
        crop = self._veiled.warp(corners, target, size)
        veil = self._veil[((self._places - corners.mean(0)) ** 2).sum(1).argmin()]
        if not veil.any():
            return crop
        lifted = np.maximum(LIGHT[:, None] - veil * self._face, 0) / (1 - veil)
        table = np.clip(255 * lifted ** (1 / GAMMA), 0, 255).round().astype(np.uint8)
        return np.asarray(LUT(crop, table[None]), np.uint8)


def without_veil(pyramid: Pyramid, corners: Corners) -> Pyramid:
    """A picture whose crops are as they would be without a veil: `Unveiled`, or the same where there is none.

    Args:
        pyramid: of the picture, uint8 BGR.
        corners: of the tiles (N, 4, 2), in pixels.
    """
    if not len(corners):
        return pyramid
    shares, inside = places_on_a_tile(-AROUND, 1 + AROUND, SAMPLES)
    pixels = np.ascontiguousarray(np.moveaxis(pixels_at(pyramid.level(0), corners, shares), 2, 0))
    face = np.maximum(np.median(np.quantile(pixels[:, :, inside], FACE_AT, axis=2), axis=1) / 255, LEAST_FACE) ** GAMMA
    light = (LIGHT / face[:, None]).astype(np.float32)
    seen = _by_cell(np.stack([of_face[values] for of_face, values in zip(light, pixels, strict=True)]))
    darkest = seen.min(2).T
    if max(darkest.min(1).max(), darkest.min(0).max()) <= LEAST_VEIL:
        return pyramid
    of_cells = _by_cell(shares.T[:, None]).mean(2).T  # a tile's corners' shares in the middle of each
    places = (of_cells @ corners).reshape(-1, 2).astype(np.float32)
    length = max(pyramid.level(0).shape)
    away = np.hypot(*(along[:, None] - along for along in places.T)) / length
    tile = np.median(areas(corners)) ** 0.5 / length
    veil = _as_it_lies(seen, darkest, away, min(STEEPEST, STEEPEST_BY_TILE / tile) * away)
    even = _over_all(seen)
    if even is not None and (veil is None or even.sum() > EVEN * veil.mean(0).sum()):
        veil = np.broadcast_to(even, darkest.shape)
    elif veil is not None:
        veil = veil * (np.minimum(veil.min(1), veil.mean(0).min()) > LEAST_VEIL)[:, None]
    if veil is None or veil.max() <= LEAST_VEIL:
        return pyramid
    return Unveiled(pyramid, places, np.minimum(veil, MOST_VEIL), face)


def _over_all(seen: Light) -> Light | None:
    """The veil (3,) that lies evenly over all pixels (3, M, P) of cells of tiles; None where nothing is black but for one.

    Of what only has a channel or two there is most where a camera adds little light up: its black is purple, green or blue.
    """
    least = seen.min((1, 2))
    is_alone = (least > LEAST_VEIL) & (least.min() <= LEAST_VEIL)
    floor = least
    if is_alone.any():
        among_blots = np.quantile(seen.reshape(3, -1), BLOTS, axis=1)
        lacking = among_blots.min()
        is_tinted = (among_blots > FAINT) & (lacking <= AS_IN_ALL * among_blots)
        floor = np.where(is_alone, np.where(is_tinted, among_blots, np.maximum(least, among_blots - lacking)), least)
    above = seen - floor[:, None, None]
    is_of_no_ink = np.array([floor[channel] < MOST_ALONE and _is_of_no_ink(above, floor[channel], channel) for channel in range(3)])
    even = np.where(is_of_no_ink, floor, np.minimum(least, MOST_TINTED * least.min()))
    if not (seen <= ((1 + NEARLY_BLACK) * even + EVENLY_BLACK)[:, None, None]).all(0).any():
        return None
    return np.asarray(even if even.min() > LEAST_VEIL else even * is_of_no_ink, np.float32)


def _is_of_no_ink(above: Light, floor: float, channel: int) -> bool:
    """Whether what one channel has everywhere, `floor`, is no ink's, by what each has more than everywhere in the pixels (3, M, P)."""
    of_it, of_others = above[channel], np.delete(above, channel, 0)
    other_ink = (of_it <= AT_FLOOR[0] + AT_FLOOR[1] * floor) & (of_others >= BRIGHT[0] + BRIGHT[1] * floor).any(0)
    its_ink = (of_it >= floor + AT_FLOOR[0]) & (of_others <= AT_FLOOR[0]).all(0)
    return bool(other_ink.any() or its_ink.any())


def _as_it_lies(seen: Light, darkest: Light, away: Light, rises: Light) -> Light | None:
    """The veil (M, 3) at M places by what is dark around each; None where nothing is black but for one.

    Args:
        seen: the pixels (3, M, P) of the cells of N tiles.
        darkest: the least (M, 3) that each channel has in these.
        away: (M, M), how far they are apart, in lengths of the picture.
        rises: (M, M), by how much the brightest channel may rise from one to another.
    """
    tint = _tint(seen, darkest, rises)
    if tint is None:
        return None
    share = _envelope((darkest / tint).min(1), rises)
    is_black = _least_of_all(seen, tint) <= (1 + NEARLY_BLACK) * share + NOISE
    if not is_black.any():
        return None
    least = np.stack([_envelope(darkest[:, channel], tint[channel] * rises) for channel in range(3)], 1)
    least = np.minimum(least, (1 + NEARLY_THE_TINT) * share[:, None] * tint)
    apart = away[:, is_black] ** 2
    weight = np.exp((apart.min(1, keepdims=True) - apart) / (2 * NEAR**2))
    return np.asarray(np.minimum(least, weight @ least[is_black] / weight.sum(1, keepdims=True)), np.float32)


def _by_cell(samples: NDArray[Any]) -> NDArray[Any]:
    """What is at the places on N tiles (K, N, SAMPLES * SAMPLES) by cell (K, N * CELLS * CELLS, places), tile by tile."""
    across = SAMPLES // CELLS
    cells = samples.reshape(*samples.shape[:2], CELLS, across, CELLS, across).swapaxes(3, 4)
    return cells.reshape(len(samples), -1, across * across)


def _envelope(values: Light, rises: Light) -> Light:
    """The most (K,) that what is at most `values` at M places (M,) can be at K others, if it rises from each by at most `rises` (K, M)."""
    return np.asarray((values + rises).min(1), np.float32)


def _least_of_all(seen: Light, tint: Light) -> Light:
    """What is darkest in each of M cells (M,) of pixels (3, M, P), by the channel that has most against a veil of this tint."""
    return np.asarray((seen / tint[:, None, None]).max(0).min(1), np.float32)


def _tint(seen: Light, darkest: Light, rises: Light) -> Light | None:
    """How much of a veil is in each channel (3,), the largest being 1; None where some channel has none.

    First by what each channel may have at most, on average of all tiles; then by the places that most look black under such a veil.

    Args:
        seen, darkest, rises: as `_as_it_lies` takes them.
    """
    tint = np.ones(3, np.float32)
    of_tiles = rises[:: CELLS * CELLS]
    blackest = int(BLACKEST * (len(darkest) - 1))
    for step in range(2 * ROUNDS):
        if step < ROUNDS:
            veil = np.array([_envelope(darkest[:, channel], tint[channel] * of_tiles).mean() for channel in range(3)], np.float32)
        else:
            share = _envelope((darkest / tint).min(1), rises)
            ratio = _least_of_all(seen, tint) / np.maximum(share, NOISE)
            veil = darkest[ratio <= np.partition(ratio, blackest)[blackest]].sum(0)
        if veil.min() <= 0:
            return None
        tint = np.minimum(veil, MOST_TINTED * veil.min())
        tint /= tint.max()
    return tint
