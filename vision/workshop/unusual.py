"""Sets unlike most: numbers in rings, on discs, hollow or small, deep inks, wood, jokers of any picture; dark faces; worn inks.

`random_style` invents what sets mostly look like. A reader that has seen only these hardly reads numbers on discs, and misses half of
the jokers that have a picture of their own; `make_unusual` changes a style in some of these ways.
"""

from __future__ import annotations

from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.tiles import Colour, Tile
from vision.workshop.sets import Inked, Paint, SetStyle, any_colour, number_masks, text_mask

WORDS = ("OKEY", "JOKER", "JOLLY", "JOK", "OK", "JKR", "SAHTE")
"""What is written on false jokers."""
DEEPEST_INK, PALEST_INK = 0.5, 0.85
"""How bright inks may be against the usual ones."""
SMALLEST_DIGITS, LARGEST_SMALL = 0.17, 0.28
"""The height of small digits, as a share of the tile's."""
LEAST_WORN, MOST_WORN = 0.6, 1.1
"""The wear of worn sets: a tenth to two fifths of their ink has come off."""
FEWEST_PATCHES, MOST_PATCHES = 5, 16
"""How many patches of wear there may be across a tile."""
RING, RING_LINE = 0.45, 0.03
"""The radius and the line of a circle around a number, in tile widths."""


def make_unusual(style: SetStyle, rng: np.random.Generator) -> None:
    """Changes a set that has no face drawn yet in one or more ways."""
    numbers, small, deep, wood = rng.random(4) < (0.55, 0.12, 0.25, 0.2)
    if numbers:
        style.draw_number = (ringed, on_disc, hollow, at_both_ends)[int(rng.integers(4))]
    if small:
        style.digit_height = rng.uniform(SMALLEST_DIGITS, LARGEST_SMALL)
        style.digit_top = rng.uniform(0.08, 0.3)
    if deep:
        style.inks = {colour: _deeper(ink, rng.uniform(DEEPEST_INK, PALEST_INK)) for colour, ink in style.inks.items()}
    if wood:
        style.face = style.side = any_colour(rng, (0.25, 0.55), (0.6, 0.9), (18, 38))
        style.grain = rng.uniform(0.02, 0.09)
    if rng.random() < 0.3:
        style.draw_joker = partial(_word, str(rng.choice(WORDS)))
    else:
        style.draw_joker = partial(_picture, int(rng.integers(2**31)))


def make_dark(style: SetStyle, rng: np.random.Generator) -> None:
    """Gives a set that has no face drawn yet dark faces and light inks, white in place of black."""
    style.face = style.side = style.back = any_colour(rng, (0.0, 0.5), (0.03, 0.2), (0, 360))
    style.inks = {
        Colour.RED: any_colour(rng, (0.6, 1.0), (0.75, 1.0), (-14, 9)),
        Colour.BLACK: any_colour(rng, (0.0, 0.12), (0.8, 1.0), (0, 360)),
        Colour.BLUE: any_colour(rng, (0.4, 0.9), (0.75, 1.0), (195, 230)),
        Colour.YELLOW: any_colour(rng, (0.7, 1.0), (0.8, 1.0), (24, 52)),
    }
    style.joker_inks = tuple(list(style.inks.values())[int(rng.integers(len(style.inks)))] for _ in style.joker_inks)


def make_worn(style: SetStyle, rng: np.random.Generator) -> None:
    """Gives a set that has no face drawn yet inks that have come off in patches, as those of old sets have."""
    style.wear = rng.uniform(LEAST_WORN, MOST_WORN)
    across = int(rng.integers(FEWEST_PATCHES, MOST_PATCHES + 1))
    style.wear_patches = (round(across * style.height), across)


def _deeper(ink: Paint, by: float) -> Paint:
    blue, green, red = ink
    return blue * by, green * by, red * by


def _number(style: SetStyle, tile: Tile, width: int, height: int, share: float) -> NDArray[np.float32]:
    """The number alone, in `share` of its usual size."""
    middle = style.digit_top + style.digit_height / 2
    tall = min(style.digit_height, 2 * RING * width / height)
    return text_mask(style.font, str(tile.number), width, height, share * style.digit_width, middle, share * tall, style.stroke)


def _circle(style: SetStyle, width: int, height: int, line: int) -> NDArray[np.float32]:
    """A circle around the number, `line` pixels wide, or filled."""
    mask = np.zeros((height, width), np.float32)
    middle = int((style.digit_top + style.digit_height / 2) * height)
    cv2.circle(mask, (width // 2, middle), int(RING * width), 1.0, line, cv2.LINE_AA)
    return mask


def ringed(style: SetStyle, tile: Tile, width: int, height: int) -> list[Inked]:
    """The number in a ring of its ink."""
    ring = _circle(style, width, height, max(2, round(RING_LINE * width)))
    return [(np.maximum(ring, _number(style, tile, width, height, 0.72)), _ink(style, tile))]


def on_disc(style: SetStyle, tile: Tile, width: int, height: int) -> list[Inked]:
    """The number, as bright as the face, on a disc of its ink."""
    return [(_circle(style, width, height, cv2.FILLED), _ink(style, tile)), (_number(style, tile, width, height, 0.75), style.face)]


def hollow(style: SetStyle, tile: Tile, width: int, height: int) -> list[Inked]:
    """The outlines of the digits alone."""
    line = 2 * max(1, round(0.016 * width)) + 1
    inside = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (line, line))
    return [(mask - cv2.erode(mask, inside), ink) for mask, ink in number_masks(style, tile, width, height)]


def at_both_ends(style: SetStyle, tile: Tile, width: int, height: int) -> list[Inked]:
    """The number in the middle, and small in two corners as on a playing card."""
    small = text_mask(style.font, str(tile.number), width, height, 0.35, 0.12, 0.14, style.stroke)
    corner = np.roll(small, -int(0.29 * width), 1)
    middle = text_mask(style.font, str(tile.number), width, height, 0.62, 0.5, 0.42, style.stroke)
    return [(np.clip(corner + corner[::-1, ::-1] + middle, 0, 1), _ink(style, tile))]


def _ink(style: SetStyle, tile: Tile) -> Paint:
    assert isinstance(tile.colour, Colour)
    return style.inks[tile.colour]


def _word(word: str, style: SetStyle, width: int, height: int, rng: np.random.Generator) -> list[Inked]:
    """A joker with a word on it."""
    middle = style.digit_top + style.digit_height / 2
    return [(text_mask(style.font, word, width, height, 0.86, middle, 0.22, style.stroke), style.joker_inks[0])]


def _picture(seed: int, style: SetStyle, width: int, height: int, rng: np.random.Generator) -> list[Inked]:
    """A joker with a picture of a few shapes around one middle, the same on both jokers of the set."""
    chance = np.random.default_rng(seed)
    middle = np.array([width / 2, height * chance.uniform(0.36, 0.5)])
    reach = style.joker_size * width / 2
    inked: list[Inked] = []
    for _ in range(int(chance.integers(2, 6))):
        mask = np.zeros((height, width), np.float32)
        radius, arms = reach * chance.uniform(0.35, 1), int(chance.integers(3, 13))
        angles = np.arange(2 * arms) * np.pi / arms - np.pi / 2
        kind = int(chance.integers(5))
        if kind == 0:  # a star, or a polygon
            away = np.where(np.arange(2 * arms) % 2, chance.uniform(0.35, 1), 1) * radius
            points = middle + away[:, None] * np.stack([np.cos(angles), np.sin(angles)], 1)
            cv2.fillPoly(mask, [points.astype(np.int32)], 1.0, cv2.LINE_AA)
        elif kind == 1:  # petals
            for x, y in middle + 0.65 * radius * np.stack([np.cos(angles[::2]), np.sin(angles[::2])], 1):
                cv2.circle(mask, (int(x), int(y)), int(radius * chance.uniform(0.2, 0.35)), 1.0, -1, cv2.LINE_AA)
        elif kind == 2:  # a ring, or a disc
            line = int(chance.choice([-1, max(1, round(0.05 * width))]))
            axes = (int(radius), int(radius * chance.uniform(0.6, 1.3)))
            cv2.ellipse(mask, (int(middle[0]), int(middle[1])), axes, 0, 0, 360, 1.0, line, cv2.LINE_AA)
        elif kind == 3:  # strokes, the left ones as the right ones
            points = middle + np.cumsum(chance.normal(0, 0.45 * radius, (int(chance.integers(3, 7)), 2)), 0)
            for mirrored in (points, np.stack([2 * middle[0] - points[:, 0], points[:, 1]], 1)):
                cv2.polylines(mask, [mirrored.astype(np.int32)], False, 1.0, max(2, round(0.05 * width)), cv2.LINE_AA)
        else:
            letter = str(chance.choice(list("ABCEFGHKMNPRSTVWY")))
            mask = text_mask(style.font, letter, width, height, 0.8 * style.joker_size, middle[1] / height, radius / height)
        inks = [*style.joker_inks, *style.inks.values(), style.face]
        inked.append((mask, inks[int(chance.integers(len(inks)))] if inked else style.joker_inks[0]))
    return inked
