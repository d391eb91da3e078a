"""Rendered tile sets: a style drawn from parameters, and the face of every tile in it.

A style fixes what all tiles of one physical set share: proportions, face colour, digit shape, inks, marks, the false
joker's picture, engraving and wear. Faces are float32 BGR plus opacity, shape (height, width, 4), 0 to 1.
"""

from __future__ import annotations

import colorsys
from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from assistant.tiles import COLOURS, FACE_DOWN, FALSE_JOKER, Colour, Tile
from vision.inks import green_among
from vision.workshop.fonts import load_font

Face = NDArray[np.float32]
Relief = NDArray[np.float32]
Paint = tuple[float, float, float]
"""A colour that is painted with: blue, green, red, 0 to 1."""
Inked = tuple[NDArray[np.float32], Paint]
"""Where ink lies on a face, shape (height, width), 0 to 1, and of what colour it is."""

FACE_HEIGHT = 176
"""Pixels of a face's long side; scenes shrink it to what the camera sees."""
ENGRAVING_DEPTH, EMBOSS_HEIGHT, DISH_DEPTH = 0.06, 0.15, 0.4
"""Tile widths of relief where a style's strength is 1."""
RELIEF_SOFTNESS = 0.004
"""How gently relief rises, as a share of the face's height."""

MARKS = ("", "♥", "♠", "♦", "♣", "★", "●", "○", "◆", "•", "✿")
JOKER_SYMBOLS = ("☺", "☻", "★", "☆", "♣", "♥", "✿", "♛", "☀", "✶", "✪", "❀", "♚", "☘", "😀", "🙂", "J", "J")


def _bgr(hue: float, saturation: float, value: float) -> Paint:
    """Hue in degrees, saturation and value 0 to 1, as blue, green, red."""
    red, green, blue = colorsys.hsv_to_rgb(hue % 360 / 360, float(np.clip(saturation, 0, 1)), float(np.clip(value, 0, 1)))
    return blue, green, red


def any_colour(
    rng: np.random.Generator, saturation: tuple[float, float], value: tuple[float, float], hue: tuple[float, float] = (0, 360)
) -> Paint:
    """A colour from these ranges: saturation and value 0 to 1, hue in degrees."""
    return _bgr(rng.uniform(*hue), rng.uniform(*saturation), rng.uniform(*value))


def number_masks(style: SetStyle, tile: Tile, width: int, height: int) -> list[Inked]:
    """The number and its mark, as most sets have them."""
    assert tile.colour is not None
    ink = style.inks[tile.colour]
    middle = style.digit_top + style.digit_height / 2
    mask = text_mask(style.font, str(tile.number), width, height, style.digit_width, middle, style.digit_height, style.stroke)
    if style.underline and tile.number in (6, 9):
        y = int(min(0.95, style.digit_top + style.digit_height + 0.04) * height)
        cv2.line(mask, (int(0.32 * width), y), (int(0.68 * width), y), 1.0, max(2, height // 50), cv2.LINE_AA)
    mark = style.marks[list(style.inks).index(tile.colour)]
    if mark:
        at, room = _below_digits(style)
        size = min(style.mark_size, room * 0.8)
        mask = np.maximum(mask, text_mask(style.symbols, mark, width, height, 0.6, at, size))
    return [(mask, ink)]


def _below_digits(style: SetStyle) -> tuple[float, float]:
    """The room below the digits: its middle and its height, as shares of the tile's height."""
    low = style.digit_top + style.digit_height
    return low + (1 - low) * 0.47, 1 - low


def joker_masks(style: SetStyle, width: int, height: int, rng: np.random.Generator) -> list[Inked]:
    """The picture of a false joker, as most sets have one."""
    middle = 0.5 if style.digit_height > 0.55 else float(rng.uniform(0.36, 0.5))
    if style.joker == "face":
        mask = np.zeros((height, width), np.float32)
        centre, radius = (width // 2, int(middle * height)), int(style.joker_size * width / 2)
        line = max(2, radius // 9)
        cv2.circle(mask, centre, radius, 1.0, line, cv2.LINE_AA)
        for x in (-1, 1):
            eye = (centre[0] + int(x * radius * 0.38), centre[1] - int(radius * 0.25))
            cv2.ellipse(mask, eye, (radius // 6, radius // 8), 0, 0, 360, 1.0, -1 if style.wear else line // 2 + 1, cv2.LINE_AA)
            cv2.ellipse(mask, (eye[0], eye[1] - radius // 6), (radius // 4, radius // 7), 0, 190, 350, 1.0, line // 2 + 1, cv2.LINE_AA)
        cv2.line(mask, (centre[0], centre[1] - radius // 6), (centre[0], centre[1] + radius // 5), 1.0, line // 2 + 1, cv2.LINE_AA)
        cv2.ellipse(mask, (centre[0], centre[1] + radius // 8), (radius // 2, radius // 2), 0, 25, 155, 1.0, line, cv2.LINE_AA)
    else:
        mask = text_mask(
            style.symbols if style.joker != "J" else style.font,
            style.joker,
            width,
            height,
            style.joker_size,
            middle,
            style.joker_size * 0.75,
        )
    if len(style.joker_inks) == 1:
        return [(mask, style.joker_inks[0])]
    bands = np.minimum((np.arange(width) * len(style.joker_inks)) // width, len(style.joker_inks) - 1)
    return [(mask * (bands == i), ink) for i, ink in enumerate(style.joker_inks)]


@dataclass
class SetStyle:
    """One invented physical set. Lengths are in tile widths, colours BGR 0 to 1.

    `grain` is how much lighter and darker the grain of wood is than the face; `wear` is how much of the inks has come off, in so many
    patches down and across a face; `draw_number` and `draw_joker` say where ink lies on a face of (width, height) pixels. `faces` keeps
    what was drawn, so that a scene draws every face once.
    """

    height: float
    thickness: float
    corner: float
    face: Paint
    side: Paint
    back: Paint
    font: str
    symbols: str
    stroke: float
    digit_height: float
    digit_width: float
    digit_top: float
    inks: dict[Colour, Paint]
    marks: tuple[str, str, str, str]
    mark_size: float
    dish: float
    dish_radius: float
    dish_at_mark: bool
    engraving: float
    wear: float
    emboss: float
    border: float
    underline: bool
    joker: str
    joker_size: float
    joker_inks: tuple[Paint, ...]
    grain: float = 0.0
    wear_patches: tuple[int, int] = (22, 16)
    draw_number: Callable[[SetStyle, Tile, int, int], list[Inked]] = number_masks
    draw_joker: Callable[[SetStyle, int, int, np.random.Generator], list[Inked]] = joker_masks
    faces: dict[tuple[Tile, int], Face] = field(default_factory=dict, repr=False)


def random_style(rng: np.random.Generator, fonts: list[str], symbols: str, tall_chance: float = 0.25) -> SetStyle:
    """A set that nobody has seen.

    Args:
        rng: the scene's source of chance.
        fonts: font files to choose the digits from.
        symbols: the font file that marks and joker pictures are drawn with.
        tall_chance: how often digits are as tall as the tile.
    """
    pick = rng.uniform
    inks = _random_inks(rng)
    tall = rng.random() < tall_chance
    digit_height = pick(0.55, 0.86) if tall else pick(0.28, 0.56)
    digit_top = (1 - digit_height) / 2 + pick(-0.03, 0.03) if tall else pick(0.05, 0.16)
    value = pick(0.8, 1.0)
    face = _bgr(pick(30, 58), pick(0.0, 0.32) ** 1.2 * (rng.random() < 0.85), value)
    if rng.random() < 0.07:
        face = _bgr(pick(0, 360), pick(0.05, 0.2), pick(0.75, 1))
    side = tuple(np.clip(np.array(face) * pick(0.75, 1.02), 0, 1))
    kind = rng.random()
    if kind < 0.45 or tall:
        marks: tuple[str, str, str, str] = ("", "", "", "")
    elif kind < 0.8:
        marks = (str(rng.choice(MARKS[1:])),) * 4
    else:
        marks = tuple(rng.permutation(["♥", "♠", "♦", "♣"]))  # type: ignore[assignment]
    return SetStyle(
        height=pick(1.25, 1.62) if rng.random() < 0.92 else pick(1.1, 1.25),
        thickness=pick(0.12, 0.45),
        corner=pick(0.02, 0.17),
        face=face,
        side=side,  # type: ignore[arg-type]
        back=side if rng.random() < 0.6 else _bgr(pick(0, 360), pick(0.2, 0.9), pick(0.2, 0.8)),  # type: ignore[arg-type]
        font=str(rng.choice(np.array(fonts))),
        symbols=symbols,
        stroke=pick(0.0, 0.07) if rng.random() < 0.75 else 0.0,
        digit_height=digit_height,
        digit_width=pick(0.66, 0.92),
        digit_top=digit_top,
        inks=inks,
        marks=marks,
        mark_size=pick(0.1, 0.26),
        dish=pick(0.03, 0.16) if rng.random() < 0.6 else 0.0,
        dish_radius=pick(0.3, 0.46),
        dish_at_mark=bool(rng.random() < 0.4),
        engraving=pick(0.1, 0.7) if rng.random() < 0.6 else 0.0,
        wear=pick(0.1, 0.6) if rng.random() < 0.3 else 0.0,
        emboss=pick(0.02, 0.12) if rng.random() < 0.25 and not tall else 0.0,
        border=pick(0.1, 0.5) if rng.random() < 0.08 else 0.0,
        underline=bool(rng.random() < 0.08),
        joker="face" if rng.random() < 0.3 else str(rng.choice(JOKER_SYMBOLS)),
        joker_size=pick(0.36, 0.8),
        joker_inks=tuple(
            inks[COLOURS[i]] if rng.random() < 0.8 else _bgr(pick(0, 360), pick(0.4, 1), pick(0.2, 0.9))
            for i in rng.integers(0, 4, 3 if rng.random() < 0.35 else 1)
        ),
    )


def _random_inks(rng: np.random.Generator) -> dict[Colour, Paint]:
    """Four inks that a person tells apart; now and then green stands in place of blue or yellow."""
    pick = rng.uniform
    blue = _bgr(pick(200, 242), pick(0.55, 1), pick(0.3, 0.95))
    if rng.random() < 0.25:
        blue = _bgr(pick(172, 205), pick(0.5, 1), pick(0.5, 0.85))
    yellow = _bgr(pick(24, 52), pick(0.75, 1), pick(0.7, 1))
    if rng.random() < 0.25:
        yellow = _bgr(pick(16, 30), pick(0.75, 1), pick(0.75, 1))
    green = rng.random()
    if green < 0.04:
        blue = _green_for_blue(rng)
    elif green < 0.07:
        yellow = _green_for_yellow(rng)
    return {
        Colour.RED: _bgr(pick(-14, 9), pick(0.68, 1), pick(0.5, 0.95)),
        Colour.BLACK: _bgr(pick(0, 360), pick(0, 0.35), pick(0.0, 0.24)),
        Colour.BLUE: blue,
        Colour.YELLOW: yellow,
    }


def _green_for_blue(rng: np.random.Generator) -> Paint:
    return _bgr(rng.uniform(95, 165), rng.uniform(0.5, 1), rng.uniform(0.3, 0.75))


def _green_for_yellow(rng: np.random.Generator) -> Paint:
    return _bgr(rng.uniform(85, 155), rng.uniform(0.5, 1), rng.uniform(0.35, 0.8))


def put_green(style: SetStyle, rng: np.random.Generator) -> None:
    """Gives a set that has no face drawn yet green ink in place of its blue or its yellow, unless it has green for one of them already."""
    replaced, green = (Colour.BLUE, _green_for_blue(rng)) if rng.random() < 0.5 else (Colour.YELLOW, _green_for_yellow(rng))
    if not green_among({colour: ink[::-1] for colour, ink in style.inks.items()}):
        style.inks[replaced] = green


def draw_face(style: SetStyle, tile: Tile, rng: np.random.Generator, copy: int = 0) -> Face:
    """The face of `tile` in this set, drawn once for each of its copies (they wear differently)."""
    key = (tile, copy)
    if key not in style.faces:
        style.faces[key] = _paint(style, tile, rng)
    return style.faces[key]


def draw_solid_face(style: SetStyle, tile: Tile, rng: np.random.Generator, height: int) -> tuple[Face, Relief]:
    """A face of `height` pixels without any light on it, and its relief: tile widths above the plane of the face."""
    relief = np.zeros((height, round(height / style.height)), np.float32)
    face = _paint(style, tile, rng, height, relief)
    return face, cv2.GaussianBlur(relief, (0, 0), RELIEF_SOFTNESS * height)


def _paint(style: SetStyle, tile: Tile, rng: np.random.Generator, height: int = FACE_HEIGHT, relief: Relief | None = None) -> Face:
    """The face; shape that is not written into `relief` is painted as light and shade."""
    width = round(height / style.height)
    base = style.back if tile == FACE_DOWN and rng.random() < 0.7 else style.face
    colour = np.empty((height, width, 3), np.float32)
    colour[:] = np.array(base, np.float32)
    colour *= 1 + cv2.resize(rng.normal(0, 0.012, (6, 4)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)[..., None]
    if style.grain:
        grain = rng.normal(0, style.grain, (3, 26)).astype(np.float32)
        colour *= 1 + cv2.resize(grain, (width, height), interpolation=cv2.INTER_CUBIC)[..., None]
    if tile == FACE_DOWN:
        if rng.random() < 0.2:
            _shade(colour, text_mask(style.symbols, str(rng.choice(MARKS[1:])), width, height, 0.5, 0.5, 0.5), 0.06)
    else:
        _add_dish(style, colour, relief)
        if style.emboss:
            word = "".join(rng.choice(list("abcdeikmnorst"), 8))
            letters = text_mask(style.font, word, width, height, 0.62, 0.84, 0.07)
            if relief is None:
                _shade(colour, letters, style.emboss)
            else:
                relief += EMBOSS_HEIGHT * style.emboss * letters
        inked = style.draw_joker(style, width, height, rng) if tile == FALSE_JOKER else style.draw_number(style, tile, width, height)
        for mask, ink in inked:
            mask = worn(style, mask, rng)
            if relief is not None:
                relief -= ENGRAVING_DEPTH * style.engraving * mask
            elif style.engraving:
                _shade(colour, mask, style.engraving * 0.5)
            colour += mask[..., None] * (np.array(ink, np.float32) - colour)
    if style.border:
        inset = int(0.06 * width)
        cv2.rectangle(
            colour, (inset, inset), (width - 1 - inset, height - 1 - inset), tuple(np.array(base) * (1 - style.border)), 1, cv2.LINE_AA
        )
    return np.dstack([np.clip(colour, 0, 1), rounded(width, height, style.corner * width)]).astype(np.float32)


def worn(style: SetStyle, mask: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Where ink lies, (height, width), 0 to 1, once some of that of `mask` has come off, as it has in this set."""
    if not style.wear:
        return mask
    patches = cv2.resize(rng.random(style.wear_patches).astype(np.float32), mask.shape[::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(mask * np.clip(1.5 - style.wear * 1.6 * patches, 0, 1), np.float32)


def text_mask(
    font: str, text: str, width: int, height: int, max_width: float, middle: float, tall: float, stroke: float = 0.0
) -> NDArray[np.float32]:
    """Text as ink, centred: `tall` and `middle` as shares of the height, `max_width` of the width."""
    size = max(8, int(tall * height * 1.5))
    face = load_font(font, size)
    thick = round(stroke * size * 0.7)
    left, top, right, bottom = face.getbbox(text, stroke_width=thick)
    image = Image.new("L", (max(1, int(right - left)), max(1, int(bottom - top))))
    ImageDraw.Draw(image).text((-left, -top), text, fill=255, font=face, stroke_width=thick)
    glyph = np.asarray(image, np.float32) / 255
    scale = tall * height / glyph.shape[0]
    target = min(glyph.shape[1] * scale, max_width * width)
    new = (max(1, round(target)), max(1, round(tall * height)))
    if target < glyph.shape[1] * scale * 0.48:  # a very wide text shrinks in height too, rather than being squeezed
        new = (new[0], max(1, round(target / glyph.shape[1] * glyph.shape[0] * 1.3)))
    glyph = cv2.resize(glyph, new, interpolation=cv2.INTER_AREA)
    mask = np.zeros((height, width), np.float32)
    x, y = (width - new[0]) // 2, int(np.clip(middle * height - new[1] / 2, 0, max(0, height - new[1])))
    mask[y : y + new[1], x : x + new[0]] = glyph[: height - y, : width - x]
    return mask


def _shade(colour: Face, mask: NDArray[np.float32], strength: float) -> None:
    """Relief: edges of `mask` lit from above, in place."""
    soft = cv2.GaussianBlur(mask, (0, 0), 1.6)
    slope = np.roll(soft, 2, 0) - np.roll(soft, -2, 0)
    colour *= (1 + strength * slope)[..., None]


def _add_dish(style: SetStyle, colour: Face, relief: Relief | None) -> None:
    """The round dimple behind the number or the mark: written into `relief`, or painted onto `colour`, in place."""
    if not style.dish:
        return
    height, width = colour.shape[:2]
    middle = _below_digits(style)[0] if style.dish_at_mark else style.digit_top + style.digit_height / 2
    radius = style.dish_radius * width * (0.55 if style.dish_at_mark else 1.0)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    dx, dy = (x - width / 2) / radius, (y - middle * height) / radius
    away = np.sqrt(dx * dx + dy * dy)
    if relief is not None:
        relief -= DISH_DEPTH * style.dish * np.clip(1 - away * away, 0, 1)
        return
    slope = np.clip(1.15 - away, 0, 1) ** 0.5 * (away < 1.1) * (-dy)
    colour *= (1 - style.dish * slope * np.clip(away, 0, 1))[..., None]


def rounded(width: int, height: int, radius: float) -> NDArray[np.float32]:
    """Opacity of a rectangle with rounded corners."""
    x = np.abs(np.arange(width) + 0.5 - width / 2) - (width / 2 - radius)
    y = np.abs(np.arange(height) + 0.5 - height / 2) - (height / 2 - radius)
    away = np.hypot(np.maximum(x[None, :], 0), np.maximum(y[:, None], 0))
    return np.clip(radius - away + 0.5, 0, 1).astype(np.float32)
