"""Invented surfaces: what tables, cloths, racks and floors look like. All are float32 BGR, 0 to 1."""

from __future__ import annotations

import colorsys
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.workshop.fonts import load_font

Surface = NDArray[np.float32]
SIZE = 640
"""Side of a surface in pixels."""


def _noise(rng: np.random.Generator, rows: int, columns: int) -> Surface:
    """Smooth noise of zero mean: `rows` by `columns` random values stretched over the surface."""
    grid = rng.normal(0, 1, (max(2, rows), max(2, columns))).astype(np.float32)
    return cv2.resize(grid, (SIZE, SIZE), interpolation=cv2.INTER_CUBIC)


def _colour(rng: np.random.Generator, saturation: float = 0.6, hue: tuple[float, float] = (0, 1)) -> NDArray[np.float32]:
    rgb = colorsys.hsv_to_rgb(rng.uniform(*hue), rng.uniform(0, saturation), rng.uniform(0.1, 0.95))
    return np.array(rgb[::-1], np.float32)


def _plain(rng: np.random.Generator) -> Surface:
    return np.broadcast_to(_colour(rng), (SIZE, SIZE, 3)) * (1 + rng.uniform(0, 0.06) * _noise(rng, 12, 12))[..., None]


def _wood(rng: np.random.Generator) -> Surface:
    base = _colour(rng, 0.75, (0.02, 0.11))
    rings = _noise(rng, int(rng.integers(3, 8)), 3) + 0.25 * _noise(rng, 60, 4) + 0.2 * _noise(rng, 220, 10)
    grain = 0.5 + 0.5 * np.sin(rings * rng.uniform(2, 7))
    wood = base * (1 - rng.uniform(0.1, 0.45) * grain[..., None])
    if rng.random() < 0.5:
        for y in range(0, SIZE, int(rng.integers(60, 200))):
            wood[y : y + 2] *= 0.6
    return wood * (1 + 0.05 * _noise(rng, 300, 40))[..., None]


def _cloth(rng: np.random.Generator) -> Surface:
    one, two = _colour(rng, 0.9), _colour(rng, 0.9)
    if rng.random() < 0.4:
        two = np.full(3, rng.uniform(0.7, 1), np.float32)
    step = int(rng.integers(8, 70))
    at = np.arange(SIZE)
    wave = ((at // step) % 2).astype(np.float32)
    kind = rng.random()
    if kind < 0.4:
        mix = (wave[:, None] + wave[None, :]) / 2
    elif kind < 0.6:
        mix = np.abs(wave[:, None] - wave[None, :])
    elif kind < 0.8:
        mix = np.broadcast_to(wave[:, None], (SIZE, SIZE))
    else:
        mix = np.clip(_noise(rng, 26, 26) * 3, 0, 1)
    weave = 1 + rng.uniform(0.02, 0.15) * rng.normal(0, 1, (SIZE, SIZE, 1)).astype(np.float32)
    return (one + mix[..., None] * (two - one)) * weave


def _marble(rng: np.random.Generator) -> Surface:
    base, vein = np.full(3, rng.uniform(0.5, 0.98), np.float32), _colour(rng, 0.3)
    field = _noise(rng, 5, 5) + 0.5 * _noise(rng, 14, 14) + 0.3 * _noise(rng, 50, 50)
    veins = np.exp(-np.abs(field) * rng.uniform(4, 14))[..., None] * rng.uniform(0.2, 0.9)
    speckle = rng.uniform(0, 0.12) * _noise(rng, 200, 200)[..., None]
    return base * (1 + speckle) * (1 - veins) + vein * veins


def _blobs(rng: np.random.Generator) -> Surface:
    surface = np.broadcast_to(_colour(rng), (SIZE, SIZE, 3)).copy()
    for _ in range(int(rng.integers(5, 40))):
        at = tuple(int(v) for v in rng.integers(0, SIZE, 2))
        axes = tuple(int(v) for v in rng.integers(8, 140, 2))
        colour = tuple(float(v) for v in _colour(rng, 0.8))
        if rng.random() < 0.5:
            cv2.ellipse(surface, at, axes, float(rng.uniform(0, 180)), 0, 360, colour, -1, cv2.LINE_AA)
        else:
            box = cv2.boxPoints((at, axes, float(rng.uniform(0, 180)))).astype(np.int32)
            cv2.fillConvexPoly(surface, box, colour, cv2.LINE_AA)
    return surface


def _tiled_floor(rng: np.random.Generator) -> Surface:
    surface = _marble(rng) if rng.random() < 0.5 else _plain(rng)
    step, ratio = int(rng.integers(30, 160)), rng.uniform(1, 1.8)
    grout = _colour(rng, 0.2)
    for x in range(0, SIZE, step):
        surface[:, x : x + 3] = grout
    for y in range(0, SIZE, int(step * ratio)):
        surface[y : y + 3] = grout
    return surface


def newspaper(rng: np.random.Generator, font: str) -> Surface:
    """Paper with lines of print, digits among them: what must not be taken for tiles."""
    from PIL import Image, ImageDraw

    image = Image.new("L", (SIZE, SIZE), int(rng.integers(200, 255)))
    draw = ImageDraw.Draw(image)
    y = 4
    while y < SIZE:
        size = int(rng.choice([9, 12, 16, 30, 60], p=[0.35, 0.3, 0.2, 0.1, 0.05]))
        text = "".join(rng.choice(list("0123456789 abcdeimnorstu"), 80))
        draw.text((int(rng.integers(0, 30)), y), text, fill=int(rng.integers(0, 90)), font=load_font(font, size))
        y += int(size * 1.4)
    paper = np.asarray(image, np.float32)[..., None] / 255
    return paper * (0.75 + 0.25 * _colour(rng, 0.5))


_KINDS: tuple[tuple[Callable[[np.random.Generator], Surface], float], ...] = (
    (_plain, 0.2),
    (_wood, 0.28),
    (_cloth, 0.22),
    (_marble, 0.12),
    (_blobs, 0.1),
    (_tiled_floor, 0.08),
)


def random_surface(rng: np.random.Generator) -> Surface:
    """A surface of any kind, shape (SIZE, SIZE, 3)."""
    kinds, weights = zip(*_KINDS, strict=True)
    paint = kinds[int(rng.choice(len(kinds), p=weights))]
    return np.clip(paint(rng), 0, 1).astype(np.float32)
