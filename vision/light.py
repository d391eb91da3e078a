"""In what light a picture was taken: the dark is brightened, dark faces made light, and what has no colours is told."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.classify import Chances
from vision.straighten import TILE_MARGIN, TILE_SIZE, Corners, Picture, Pyramid, pixels_at, places_on_a_tile, straighten

Gains = tuple[float, float, float]
"""By how much blue, green and red are brightened."""
LIGHT_STEP = 8
"""Brightness is told by one pixel of so many, across and down."""
BRIGHT = 0.995
"""A picture is as bright as the pixel than which this share of all are darker."""
TOO_DARK, AS_BRIGHT_AS = 96, 160
"""One that is darker than the first, of 255, is brightened until it reaches the second: the networks have learnt from dim pictures, not
from those of a tenth of the light."""
DARKEST = 8
"""What is darker is noise."""
LACKING = 30
"""Light in which a channel is darker than this even so has hardly any of its colour, as that of a red lamp: the channel is brightened
until it reaches TOO_DARK. Of 397 tiles in red light 379 are right so, 165 without."""
SAMPLES, OFF_EDGE, IN_A_CORNER = 16, 0.1, 0.64
"""A tile's brightness is sampled at so many places across and down, none nearer to an edge than the second, a share of the tile's sides. Of
those in its corners the product of how near they are to that corner, across and down, is more than the third."""
EXTREMES = (3, 97)
"""Percentiles of these samples that are its darkest and its lightest: a speck is neither."""
LIGHTEST_OF_A_TILE, LIGHTEST_TILES, MOST_GAIN = 97, 90, 3.0
"""Percentiles, of a tile's pixels and of tiles, that make out white in the light that falls on dark tiles, and the most that a channel is
brightened by: of 2,673 such tiles in scenes for tuning 2,343 were read rightly so and 5 were sure and wrong, 2,322 and 19 without, as in
warm light white numbers look yellow."""
MOST_TINGE = 2
"""Channels that nowhere differ by more, of 255, are those of a picture in shades of grey: every sensor's noise has more colour."""
FEWEST_INKS, MOST_INKS, LEAST_INK = 3, 0.75, 0.12
"""A picture may be without colours if of at least FEWEST_INKS inks the share MOST_INKS has channels that differ by less than LEAST_INK, the
face being 1. The others may be of what is printed into it; its tint, and its noise, are told as below."""
SURELY, COLOURS_SEEN = 0.9, 3
"""Where so many colours are read with the first chance there are colours, however pale the inks are in dim light: of 1,019 pictures in
shades of grey or of one tint in none more than two, black and yellow or red, and in nearly all of them black alone."""
AVERAGED, AS_BRIGHT, MOST_DIFFERENCE = 3, 16, 12
"""A picture is halved AVERAGED times, so that every pixel is the mean of a square and without the sensor's noise, and these squares are
parted by their brightness into AS_BRIGHT parts. In a picture of one tint hardly any is of a tinge that differs by more than
MOST_DIFFERENCE, of 255, from the middle one of its part."""
MOST_SQUARES, MOST_OF_A_TILE, MOST_ON_TILES = 0.98, 0.95, 18
"""Hardly any: the share MOST_SQUARES of the picture's squares does not. As tiles may be small on a grey table, the share MOST_OF_A_TILE of
the squares on each of them must not differ by more than MOST_ON_TILES either: in photos to learn from that are made sepia by 13 at most, in
scenes with colours that pass by all else, ten of 1,465, by 20 at least, but for one whose numbers are thin, hollow and far off."""


def average_light(picture: Picture) -> float:
    """Mean brightness, 0 to 1, of a picture, uint8 BGR (height, width, 3)."""
    return float(np.mean(picture[::LIGHT_STEP, ::LIGHT_STEP])) / 255


def brightened(picture: Picture) -> Picture:
    """A picture, uint8 BGR (height, width, 3), as it is or, if it cannot be read so, as more light, and whiter, would have made it."""
    channels = np.quantile(picture[::LIGHT_STEP, ::LIGHT_STEP].reshape(-1, 3), BRIGHT, axis=0)
    brightest = max(float(channels.max()), DARKEST)
    gain = np.full(3, AS_BRIGHT_AS / brightest if brightest < TOO_DARK else 1.0)
    gain = np.where(channels * gain < LACKING, TOO_DARK / np.maximum(channels, DARKEST / 2), gain)
    if (gain == 1).all():
        return picture
    return np.asarray(cv2.transform(picture, np.diag(gain)), np.uint8)


def have_dark_faces(picture: Picture, corners: Corners) -> NDArray[np.bool_]:
    """Which of N tiles (N, 4, 2), in pixels, are darker than what is on them: a tile's corners are face, whatever its number stands on."""
    if not len(corners):
        return np.zeros(0, bool)
    shares, _ = places_on_a_tile(OFF_EDGE, 1 - OFF_EDGE, SAMPLES)
    seen = pixels_at(picture, corners, shares).mean(-1)
    darkest, lightest = np.percentile(seen, EXTREMES, axis=1)
    face = np.median(seen[:, shares.max(1) > IN_A_CORNER], axis=1)
    return np.asarray(lightest - face > face - darkest)


def gains_to_white(crops: NDArray[np.uint8]) -> Gains:
    """By how much each channel, BGR, is brightened so that the lightest numbers of a set with dark faces are white.

    Of white, yellow, red and blue ink together each channel's largest value is what white would be in their light (the retinex: Land 1977).

    Args:
        crops: straightened tiles (N, height, width, 3), uint8 BGR, N > 0.
    """
    edge = TILE_MARGIN + 2  # corners are never exact
    inks = np.percentile(crops[:, edge:-edge, edge:-edge], LIGHTEST_OF_A_TILE, axis=(1, 2))
    lightest = np.maximum(np.percentile(inks, LIGHTEST_TILES, axis=0), 1.0)
    blue, green, red = np.minimum(lightest.max() / lightest, MOST_GAIN).tolist()
    return blue, green, red


def with_light_faces(picture: Picture, gains: Gains = (1.0, 1.0, 1.0)) -> Picture:
    """A picture, uint8 BGR (height, width, 3), of tiles with dark faces as that of a set with light ones.

    Light and dark are exchanged and hues kept: of the double cone of hue, saturation and lightness it is turned upside down.
    White numbers, which such a set has for black, become black.

    Args:
        gains: by how much each channel is brightened first, see `gains_to_white`.
    """
    picture = np.asarray(cv2.transform(brightened(picture), np.diag(gains)), np.uint8)
    blue, green, red = cv2.split(picture)
    brightest, darkest = cv2.max(blue, cv2.max(green, red)), cv2.min(blue, cv2.min(green, red))
    # What a channel is above the darkest one it is above 255 less the brightest: no sum leaves 0 to 255.
    return np.asarray(cv2.add(cv2.subtract(picture, cv2.merge([darkest] * 3)), cv2.merge([255 - brightest] * 3)), np.uint8)


def as_read(picture: Picture, lightened: Gains | None = None) -> Picture:
    """A picture, uint8 BGR (height, width, 3), in the light in which it is read as a whole.

    Args:
        lightened: of tiles with dark faces the gains for `with_light_faces`.
    """
    return brightened(picture if lightened is None else with_light_faces(picture, lightened))


def is_colourless(pyramid: Pyramid, corners: Corners, inks: Chances, colour: Chances) -> bool:
    """Whether a picture is in shades of grey, or of one tint: by a camera for the night, an old scanner, or made to look old.

    Args:
        pyramid: of the picture, uint8 BGR.
        corners: of the tiles (N, 4, 2) whose numbers are read, in pixels.
        inks: of these tiles (N, 3), the face being 1.
        colour: of these tiles chances (N, 4) of each colour.
    """
    if len(inks) < FEWEST_INKS:
        seen = pyramid.level(0)[::LIGHT_STEP, ::LIGHT_STEP]
        return bool((seen.max(2) - seen.min(2)).max(initial=0) <= MOST_TINGE)
    if len(np.unique(colour.argmax(1)[colour.max(1) > SURELY])) >= COLOURS_SEEN:
        return False
    if np.quantile(np.ptp(inks, axis=1), MOST_INKS) >= LEAST_INK:
        return False
    if np.quantile(_differ_in_tinge(pyramid.level(AVERAGED)), MOST_SQUARES) > MOST_DIFFERENCE:
        return False
    width, height = (side >> AVERAGED for side in TILE_SIZE)
    on_tiles = [cv2.resize(straighten(pyramid, quad), (width, height), interpolation=cv2.INTER_AREA)[1:-1, 1:-1] for quad in corners]
    by_tile = np.quantile(_differ_in_tinge(np.stack(on_tiles)).reshape(len(corners), -1), MOST_OF_A_TILE, axis=1)
    return bool(by_tile.max() <= MOST_ON_TILES)


def _differ_in_tinge(squares: NDArray[np.uint8]) -> NDArray[np.float32]:
    """How far (N,), of 255, the tinge of each of N squares (..., 3) is from the middle one of those that are as bright."""
    colours = squares.reshape(-1, 3).astype(np.float32)
    tinge, differ = colours[:, [0, 2]] - colours[:, 1:2], np.zeros(len(colours), np.float32)
    for part in np.array_split(colours.sum(1).argsort(), AS_BRIGHT):
        differ[part] = np.abs(tinge[part] - np.median(tinge[part], axis=0)).max(1) if len(part) else 0
    return differ
