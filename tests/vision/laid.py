"""Tables as they lie, made from notation: hands laid open, heaps of discards."""

from __future__ import annotations

import numpy as np

from assistant.tiles import Rack, Tile, parse_tiles
from vision.reading import Reading, SeenTile

WIDTH, HEIGHT = 30.0, 42.0
SIZE = (1280, 720)
APART = 0.7
"""The gap between two groups in tile widths."""
HANDS = {
    "two rows": "R3 R4 R5 | K9 B9 Y9 / B10 B11 B12 B13 | Y1 K1 R1 B1",
    "lines": "R3 R4 R5 R6 / K9 B9 Y9 R9 / B10 B11 B12 / Y1 K1 R1",
    "pairs": "R3 R3 | K9 K9 | B4 B4 | Y1 Y1 / J J | R7 R7 | K2 K2",
    "not read": "R3 ? R5 | K9 B9 Y9 / B10 B11 B12 B13 | ? K1 R1 B1",
    "fifteen": "R3 R4 R5 | K9 B9 Y9 R9 / B10 B11 B12 B13 | Y1 K1 R1 B1",
}

Outline = np.ndarray


def outline(x: float, y: float, angle: float = 0.0, tall: float = HEIGHT) -> Outline:
    """A tile (4, 2) that lies flat, its middle at x, y."""
    half = np.array([[-WIDTH, -tall], [WIDTH, -tall], [WIDTH, tall], [-WIDTH, tall]]) / 2
    cos, sin = np.cos(angle), np.sin(angle)
    return half @ np.array([[cos, sin], [-sin, cos]]) + [x, y]


def laid(hand: str, tall: float = HEIGHT) -> list[tuple[Tile, Outline]]:
    """A hand as it is laid on a table, upright."""
    tiles = []
    for row, groups in enumerate(Rack.parse(hand).rows):
        x = 400.0
        for group in groups:
            for tile in group:
                tiles.append((tile, outline(x, 250 + row * tall * 1.15, tall=tall)))
                x += 1.03 * WIDTH
            x += APART * WIDTH
    return tiles


def reading(tiles: list[tuple[Tile, Outline]], angle: float = 0.0) -> Reading:
    """A reading of loose tiles on a table that is seen turned by `angle`."""
    cos, sin, middle = np.cos(angle), np.sin(angle), np.array(SIZE) / 2
    turn = np.array([[cos, sin], [-sin, cos]])
    return Reading(SIZE, tuple(SeenTile(tile, 0.99, tuple(map(tuple, (one - middle) @ turn + middle))) for tile, one in tiles))  # type: ignore[arg-type]


def heap(count: int, seed: int, tiles: str = "R1 K5 B12 Y7") -> list[tuple[Tile, Outline]]:
    """Discards at all angles, none over another, in the half of the table where no hand lies."""
    rng = np.random.default_rng(seed)
    places = [(x, y) for x in range(50, 1250, 55) for y in range(430, 700, 55)]
    chosen = rng.permutation(len(places))[:count]
    faces = parse_tiles(tiles)
    return [(faces[at % len(faces)], outline(*places[place], rng.uniform(0, 2 * np.pi))) for at, place in enumerate(chosen)]
