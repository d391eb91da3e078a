"""Clutter: what lies on a table beside tiles and is none, much of it with numbers on it. Lengths are in tile widths, colours BGR 0 to 1.

Cards, dice, dominoes, glasses, calculators, packs, coins and sheets of paper: calendars, scores, notes of money, newspapers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.workshop.fonts import Pens
from vision.workshop.scene import Block, Clutter, Glass, Scene, Slab
from vision.workshop.sets import Face, Paint, any_colour, rounded, text_mask
from vision.workshop.surfaces import newspaper, random_surface

AROUND = 3.5
"""Clutter lies as far as this from the tiles, at most."""
MOST = 6
"""So many things at most are added to a scene."""
PIXELS, MOST_PIXELS = 72, 720
"""Pixels of a picture for a tile width, and on its longer side at most."""
SUITS = {"♠": (0.08, 0.08, 0.08), "♥": (0.15, 0.1, 0.8), "♦": (0.15, 0.1, 0.8), "♣": (0.08, 0.08, 0.08)}
RANKS = ("A", *map(str, range(2, 11)), "J", "Q", "K")
"""What is on playing cards."""
WEEK = 7
"""In every seventh column of a calendar are Sundays, in an ink of their own."""
DARK, LIGHT = (0.05, 0.05, 0.05), (0.95, 0.95, 0.95)
Place = tuple[float, float, float, float]
"""Left, top, right and bottom of a part of a picture, in shares of its width and height."""
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 1), (-1, 0), (1, 0), (1, -1), (1, 1)),
}
"""Where the pips of a die lie, from its middle."""


def _any_font(rng: np.random.Generator, pens: Pens) -> str:
    return str(rng.choice(np.array(pens.digits)))


def _paper(width: float, height: float, colour: Paint | NDArray[np.floating], corner: float = 0.0) -> Face:
    """A picture of one colour, its corners rounded with a radius in tile widths."""
    scale = min(PIXELS, MOST_PIXELS / max(width, height))
    columns, rows = max(8, round(width * scale)), max(8, round(height * scale))
    face = np.empty((rows, columns, 4), np.float32)
    face[..., :3] = colour
    face[..., 3] = rounded(columns, rows, corner * scale)
    return face


def _part(face: Face, place: Place) -> NDArray[np.float32]:
    """The colours in a part of a picture, to be written to."""
    height, width = face.shape[:2]
    left, top, right, bottom = (max(0, int(share * side)) for share, side in zip(place, (width, height) * 2, strict=True))
    return face[top:bottom, left:right, :3]


def _write(face: Face, text: str, font: str, place: Place, ink: Paint) -> None:
    """Text as large as a place holds it, in place."""
    part = _part(face, place)
    if min(part.shape[:2]) >= 4:
        mask = text_mask(font, text, part.shape[1], part.shape[0], 0.94, 0.5, 0.9)
        part += mask[..., None] * (np.array(ink, np.float32) - part)


def _dark_ink(rng: np.random.Generator) -> Paint:
    """Black, or another colour that print has."""
    return any_colour(rng, (0, 0.2), (0, 0.3)) if rng.random() < 0.5 else any_colour(rng, (0.6, 1), (0.3, 0.85))


def _seen_on(ground: Paint) -> Paint:
    """Black on what is light, white on what is dark."""
    return DARK if sum(ground) > 1.5 else LIGHT


def _white(rng: np.random.Generator) -> Paint:
    return any_colour(rng, (0, 0.1), (0.85, 1))


def _card(rng: np.random.Generator, pens: Pens) -> Block:
    """A playing card, face up or down."""
    width = rng.uniform(1.2, 2.6)
    height = width * rng.uniform(1.35, 1.6)
    face = _paper(width, height, _white(rng), 0.06 * width)
    if rng.random() < 0.15:
        shown = cv2.resize(random_surface(rng), (face.shape[1], face.shape[0]))
        inset = int(0.06 * face.shape[1])
        face[inset:-inset, inset:-inset, :3] = shown[inset:-inset, inset:-inset]
        return _lying(face, width, height, 0.012)
    suit, rank, font = str(rng.choice(list(SUITS))), str(rng.choice(RANKS)), _any_font(rng, pens)
    ink = SUITS[suit] if rng.random() < 0.8 else _dark_ink(rng)
    large = rng.uniform(0.1, 0.3)
    for _ in range(2):  # both halves are the same, turned by half
        _write(face, rank, font, (0.04, 0.03, 0.04 + 1.2 * large, 0.03 + large * 0.8), ink)
        _write(face, suit, pens.symbols, (0.04, 0.03 + large * 0.8, 0.04 + large, 0.03 + large * 1.4), ink)
        face = np.ascontiguousarray(face[::-1, ::-1])
    if rank.isdigit() and rng.random() < 0.6:
        for i in range(int(rank)):
            x, y = 0.32 + 0.36 * (i % 2), 0.14 + 0.72 * (i // 2 + 0.5) / ((int(rank) + 1) // 2)
            _write(face, suit, pens.symbols, (x - 0.08, y - 0.06, x + 0.08, y + 0.06), ink)
    elif rank in "JQK":
        _part(face, (0.25, 0.15, 0.75, 0.85))[:] = any_colour(rng, (0.2, 1), (0.3, 0.9))
        _write(face, "♛" if rank == "Q" else "♚", pens.symbols, (0.28, 0.25, 0.72, 0.75), ink)
    else:
        _write(face, suit if rng.random() < 0.6 else rank, pens.symbols, (0.25, 0.3, 0.75, 0.7), ink)
    return _lying(face, width, height, 0.012)


def _with_pips(face: Face, count: int, ink: Paint, middle: tuple[float, float], reach: float) -> None:
    """So many pips around a point, in shares of the picture, `reach` shares of its width away; in place."""
    height, width = face.shape[:2]
    for x, y in PIPS.get(count, ()):
        at = int(width * (middle[0] + reach * x)), int(height * middle[1] + width * reach * y)
        cv2.circle(face, at, max(1, int(0.42 * reach * width)), (*ink, 1.0), -1, cv2.LINE_AA)


def _die(rng: np.random.Generator, _: Pens) -> Block:
    side = rng.uniform(0.4, 0.7)
    ground = _white(rng) if rng.random() < 0.6 else any_colour(rng, (0, 1), (0.1, 0.9))
    ink = _seen_on(ground)
    faces = []
    for count in rng.permutation(6)[:5] + 1:
        face = _paper(side, side, ground)
        _with_pips(face, int(count), ink, (0.5, 0.5), 0.26)
        faces.append(face)
    return _lying(faces[0], side, side, side, ground, tuple(faces[1:]))


def _domino(rng: np.random.Generator, _: Pens) -> Block:
    width = rng.uniform(0.75, 1.1)
    height = 2 * width * rng.uniform(0.95, 1.05)
    ground = _white(rng) if rng.random() < 0.75 else any_colour(rng, (0, 0.5), (0.05, 0.3))
    ink = _seen_on(ground)
    face = _paper(width, height, ground, 0.08)
    for middle in (0.25, 0.75):
        _with_pips(face, int(rng.integers(0, 7)), ink, (0.5, middle), 0.24)
    across = len(face) // 2
    face[across - 1 : across + 1, int(0.1 * face.shape[1]) : int(0.9 * face.shape[1]), :3] = ink
    return _lying(face, width, height, rng.uniform(0.2, 0.4), ground)


def _calculator(rng: np.random.Generator, pens: Pens) -> Block:
    """A calculator, a telephone or a remote control: keys with digits."""
    width = rng.uniform(1.6, 3.2)
    height = width * rng.uniform(1.4, 2.6)
    body, key = any_colour(rng, (0, 0.4), (0.05, 0.9)), any_colour(rng, (0, 0.3), (0.05, 1))
    face, font = _paper(width, height, body, 0.12 * width), _any_font(rng, pens)
    columns, rows = int(rng.integers(3, 6)), int(rng.integers(4, 6))
    top = rng.uniform(0.2, 0.45)
    _write(face, str(rng.integers(0, 10**6)), font, (0.1, 0.06, 0.9, top - 0.08), any_colour(rng, (0, 1), (0, 1)))
    signs = [*map(str, rng.permutation(10)), *"+-×÷=%.C"]
    gap = rng.uniform(0.05, 0.25)
    ink = _seen_on(key)
    ink = any_colour(rng, (0.7, 1), (0.5, 1)) if rng.random() < 0.2 else ink
    for i in range(columns * rows):
        x, y = 0.06 + 0.88 * (i % columns) / columns, top + (0.95 - top) * (i // columns) / rows
        place = (x, y, x + 0.88 * (1 - gap) / columns, y + (0.95 - top) * (1 - gap) / rows)
        _part(face, place)[:] = key
        _write(face, signs[i % len(signs)], font, (place[0], place[1] + 0.01, place[2], place[3] - 0.01), ink)
    return _lying(face, width, height, rng.uniform(0.1, 0.4), body)


def _numbered_sheet(rng: np.random.Generator, pens: Pens) -> Block:
    """A calendar, a lottery ticket or a card of tombala: numbers in cells."""
    columns, rows = int(rng.integers(2, 10)), int(rng.integers(1, 8))
    cell = rng.uniform(0.5, 1.4)
    tall = cell * rng.uniform(0.8, 1.6)
    width, height = columns * cell, rows * tall
    face, font = _paper(width, height, _white(rng)), _any_font(rng, pens)
    inks = [_dark_ink(rng) for _ in range(int(rng.integers(1, 4)))]
    cells = [any_colour(rng, (0, 0.6), (0.6, 1)) for _ in range(2)] if rng.random() < 0.4 else []
    first, empty, lined = int(rng.integers(-5, 60)), rng.choice([0.0, 0.4]), rng.random() < 0.7
    inset = rng.uniform(0.1, 0.3)
    for i in range(columns * rows):
        x, y = i % columns, i // columns
        left, right = (int(face.shape[1] * at / columns) for at in (x, x + 1))
        upper, lower = (int(len(face) * at / rows) for at in (y, y + 1))
        if cells:
            face[upper:lower, left:right, :3] = cells[(x + y) % 2]
        if lined:
            cv2.rectangle(face, (left, upper), (right - 1, lower - 1), (0.2, 0.2, 0.2, 1.0), 1)
        if first + i > 0 and rng.random() >= empty:
            place = ((x + inset) / columns, (y + inset) / rows, (x + 1 - inset) / columns, (y + 1 - inset) / rows)
            _write(face, str(first + i), font, place, inks[0] if x % WEEK < WEEK - 1 else inks[-1])
    return _lying(face, width, height, 0.004)


def _score_sheet(rng: np.random.Generator, pens: Pens) -> Block:
    """Scores as they are kept by hand: columns of numbers in a pen's ink, none quite straight."""
    columns, rows = int(rng.integers(2, 6)), int(rng.integers(2, 12))
    width, height = rng.uniform(3, 7), rng.uniform(4, 9)
    face, font, ink = _paper(width, height, _white(rng)), _any_font(rng, pens), _dark_ink(rng)
    if rng.random() < 0.6:  # ruled or squared
        for y in range(0, len(face), max(6, len(face) // int(rng.integers(12, 40)))):
            face[y, :, :3] *= np.array([0.95, 0.85, 0.75], np.float32)
    for column in range(columns):
        for row in range(rows):
            if rng.random() < 0.8:
                x, y = (column + rng.uniform(0.1, 0.25)) / columns, (row + rng.uniform(0.1, 0.25)) / rows
                number = str(rng.integers(-30, 120)) if rng.random() < 0.5 else str(rng.integers(1, 14))
                place = (x, y, x + rng.uniform(0.4, 0.7) / columns, y + rng.uniform(0.5, 0.8) / rows)
                _write(face, number, font, place, ink)
    return _lying(face, width, height, 0.004)


def _banknote(rng: np.random.Generator, pens: Pens) -> Block:
    """A note of money, a ticket or a price: a large number on coloured paper."""
    width = rng.uniform(1.0, 5.5)
    height = width * rng.uniform(0.4, 0.9)
    face = _paper(width, height, any_colour(rng, (0, 0.6), (0.5, 1)))
    if rng.random() < 0.5:
        shown = cv2.resize(random_surface(rng), (face.shape[1], face.shape[0]))
        face[..., :3] = 0.6 * face[..., :3] + 0.4 * shown
    number = str(rng.choice([1, 5, 10, 20, 50, 100, 200, int(rng.integers(1, 100))]))
    x, y, large = rng.uniform(0.02, 0.5), rng.uniform(0.05, 0.3), rng.uniform(0.2, 0.5)
    _write(face, number, _any_font(rng, pens), (x, y, x + large, y + rng.uniform(0.4, 0.65)), _dark_ink(rng))
    return _lying(face, width, height, 0.004)


def _newspaper(rng: np.random.Generator, pens: Pens) -> Block:
    side = rng.uniform(4, 11)
    paper = newspaper(rng, _any_font(rng, pens))
    return _lying(np.dstack([paper, np.ones(paper.shape[:2], np.float32)]), side, side, 0.004)


def _pack(rng: np.random.Generator, pens: Pens) -> Block:
    """A pack of cigarettes, a matchbox, an eraser: a coloured box with words or a number on it, now and then as large as a tile."""
    width = rng.uniform(0.8, 2.4)
    height = width * rng.uniform(1.2, 1.8)
    ground = any_colour(rng, (0, 1), (0.2, 1))
    face = _paper(width, height, ground)
    word = "".join(rng.choice(list("ABEKLMNORST"), int(rng.integers(3, 8)))) if rng.random() < 0.8 else str(rng.integers(1, 100))
    y = rng.uniform(0.1, 0.6)
    _write(face, word, _any_font(rng, pens), (0.1, y, 0.9, y + rng.uniform(0.1, 0.3)), any_colour(rng, (0, 1), (0, 1)))
    return _lying(face, width, height, rng.uniform(0.2, 0.9), ground)


def _coin(rng: np.random.Generator, pens: Pens) -> Block:
    side = rng.uniform(0.7, 1.1)
    metal = any_colour(rng, (0.05, 0.5), (0.5, 0.85), (20, 48))
    face = _paper(side, side, metal, side / 2)
    _write(face, str(rng.choice([1, 5, 10, 25, 50])), _any_font(rng, pens), (0.25, 0.25, 0.75, 0.75), tuple(0.6 * np.array(metal)))
    return _lying(face, side, side, 0.03)


def _glass(rng: np.random.Generator, _: Pens) -> Glass:
    """A glass of tea or a cup, on its saucer or without."""
    bottom, top, tall = rng.uniform(0.4, 0.9), rng.uniform(0.6, 1.4), rng.uniform(0.8, 3.0)
    waist = rng.uniform(0.7, 1.1) * (bottom + top) / 2
    if rng.random() < 0.5:
        wall, drink = any_colour(rng, (0, 0.6), (0.5, 1)), any_colour(rng, (0.6, 1), (0.05, 0.5), (5, 30))
    else:
        wall = drink = any_colour(rng, (0.7, 1), (0.2, 0.7), (5, 25))
    saucer = rng.uniform(1.4, 2.1)
    plate = any_colour(rng, (0, 0.8), (0.6, 1))
    rings = [(saucer, 0.02, plate), (0.8 * saucer, 0.04, plate)] if rng.random() < 0.6 else []
    rings += [(bottom, 0.06, wall), (waist, 0.5 * tall, wall), (top, tall, wall), (0.86 * top, tall, drink)]
    return Glass(np.zeros(3), rings)


def _lying(face: Face, width: float, height: float, thickness: float, side: Paint = (0.8, 0.8, 0.8), walls: tuple[Face, ...] = ()) -> Block:
    """A block in the middle of the table."""
    right, up = np.array([1.0, 0, 0]), np.array([0, 1.0, 0])
    return Block(np.array([0, 0, thickness]), right, up, (width, height, thickness), face, side, walls)


KINDS: tuple[tuple[Callable[[np.random.Generator, Pens], Clutter], float], ...] = (
    (_card, 0.22),
    (_die, 0.1),
    (_domino, 0.08),
    (_calculator, 0.08),
    (_numbered_sheet, 0.14),
    (_score_sheet, 0.1),
    (_banknote, 0.06),
    (_newspaper, 0.05),
    (_pack, 0.06),
    (_coin, 0.03),
    (_glass, 0.08),
)
"""What lies there, and how often."""


def any_clutter(rng: np.random.Generator, pens: Pens) -> Clutter:
    """One thing in the middle of the table."""
    kinds, shares = zip(*KINDS, strict=True)
    return kinds[int(rng.choice(len(kinds), p=shares))](rng, pens)


def with_clutter(scene: Scene, pens: Pens, rng: np.random.Generator) -> Scene:
    """The scene with up to `MOST` things around its tiles: sheets and cards also under them, nothing through them or their rack.

    What would go through something is left out.
    """
    points = [tile.centre[:2] for tile in scene.tiles] + [thing.corners[:, :2] for thing in scene.things if isinstance(thing, Slab)]
    taken = np.vstack(points) if points else np.zeros((1, 2))
    low, high = taken.min(0) - AROUND, taken.max(0) + AROUND
    boards = [thing.corners[:, :2] for thing in scene.things if isinstance(thing, Slab)]
    behind: list[Clutter] = []
    before: list[Clutter] = []
    for _ in range(int(rng.integers(1, MOST + 1))):
        thing = any_clutter(rng, pens)
        at, angle = rng.uniform(low, high), rng.uniform(0, 2 * np.pi)
        if not thing.is_sheet:
            reach = thing.reach + 0.9
            near = [tile.centre[:2] for tile in scene.tiles] + [other.centre[:2] for other in before + behind]
            if any(np.hypot(*(at - other)) < reach for other in near):
                continue
            if any((at > board.min(0) - reach).all() and (at < board.max(0) + reach).all() for board in boards):
                continue
        placed = thing.laid(at, angle)
        (behind if thing.is_sheet or at[1] > 0 else before).append(placed)
    return replace(scene, things=[*behind, *scene.things, *before])
