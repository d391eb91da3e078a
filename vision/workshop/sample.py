"""A given hand on a wooden rack with its indicator, rendered: the dashboard's sample, and pictures for tests.

python -m vision.workshop.sample assistant/dashboard/sample.jpg
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.arguments import Parser
from assistant.tiles import COLOURS, Rack, Tile
from vision.workshop.fonts import find_fonts
from vision.workshop.paint import Light, Painter
from vision.workshop.scene import Camera, RackShape, Scene, Standing, flat, stand
from vision.workshop.sets import SetStyle

HAND = Rack.parse("R3 R4 R5 | K9 B9 Y9 | J / B10 B11 B12 B13 | Y1 K1 R1 | R8")
INDICATOR = Tile.parse("B8")
SIZE = (1600, 1200)
OVERSAMPLING = 2
APART = 0.55
"""Gap between two groups in tile widths."""
LAMP = Light(np.array([-0.35, -0.45, 0.82]), ambient=0.72, shadow=0.35, softness=0.25)
"""A lamp at the upper left, behind whoever takes the picture."""


@lru_cache(maxsize=1)
def sample_style() -> SetStyle:
    """Cream tiles with a heart in a dimple below the number. Raises NoFontsError."""
    fonts = find_fonts()
    bold = next(path for path in fonts if path.endswith("LiberationSans-Bold.ttf"))
    symbols = next(path for path in fonts if "Symbola" in path)
    inks = dict(zip(COLOURS, [(0.12, 0.1, 0.75), (0.08, 0.08, 0.08), (0.65, 0.3, 0.05), (0.05, 0.55, 0.93)], strict=True))
    return SetStyle(
        height=1.42, thickness=0.28, corner=0.1, face=(0.8, 0.93, 0.97), side=(0.7, 0.84, 0.9), back=(0.66, 0.8, 0.87), font=bold,
        symbols=symbols, stroke=0.0, digit_height=0.42, digit_width=0.78, digit_top=0.1, inks=inks, marks=("♥",) * 4, mark_size=0.18,
        dish=0.12, dish_radius=0.42, dish_at_mark=True, engraving=0.35, wear=0.0, emboss=0.0, border=0.0, underline=False, joker="★",
        joker_size=0.6, joker_inks=(inks[COLOURS[0]],),
    )  # fmt: skip


def _length(groups: tuple[tuple[Tile, ...], ...]) -> float:
    """How much of the rack a row takes, in tile widths."""
    return 1.02 * sum(map(len, groups)) + APART * (len(groups) - 1)


def hand_scene(rack: Rack, indicator: Tile | None, style: SetStyle, apart: float = APART) -> Scene:
    """The rack with one step a row and groups so far apart, and the indicator on the table before it."""
    longest = max((_length(groups) for groups in rack.rows), default=0)
    shape = RackShape(
        lean=np.radians(24), rise=1.35, depth=0.75, base=0.25, length=max(10.6, longest + 0.8), lip=0.07, ledge=0.4,
        panels=[0.0] * max(0, len(rack.rows) - 1) + [1.2], colour=np.array([0.16, 0.3, 0.5]), textured=True,
    )  # fmt: skip
    rows: list[list[Standing]] = []
    for groups in rack.rows or ((),):
        row: list[Standing] = []
        x = -shape.length / 2 + 0.4
        for number, group in enumerate(groups):
            for tile in group:
                row.append(Standing(tile, 0, x, number))
                x += 1.02
            x += apart
        rows.append(row)
    scene = stand(shape, rows, style.height, style.thickness)
    if indicator is not None:
        scene.things.append(flat(indicator, 0, 3.2, -2.3, style.thickness, 0.06))
    return scene


def picture_of(rack: Rack, indicator: Tile | None, size: tuple[int, int] = SIZE, apart: float = APART) -> NDArray[np.uint8]:
    """A photo-like picture of a hand as it lies, uint8 BGR.

    Args:
        size: width and height.
        apart: the gap between groups in tile widths.

    Raises:
        NoFontsError: when the fonts to draw it are missing.
    """
    rng = np.random.default_rng(16)
    style = sample_style()
    scene = hand_scene(rack, indicator, style, apart)
    large = (size[0] * OVERSAMPLING, size[1] * OVERSAMPLING)
    longest = max([10.6, *(_length(groups) + 0.8 for groups in rack.rows)])
    camera = Camera.looking_at(
        np.array([0.1, -0.3, 0.75]), np.radians(-5), np.radians(42), 0.0, 19 * longest / 10.6, 1.45 * large[0], large
    )  # fmt: skip
    painter = Painter(camera, style, LAMP, large, rng)
    painter.ground(style.font)
    painter.paint(scene)
    picture = cv2.resize(painter.canvas, size, interpolation=cv2.INTER_AREA)
    picture += rng.normal(0, 0.008, picture.shape).astype(np.float32)
    return np.clip(picture * 255, 0, 255).astype(np.uint8)


def main() -> None:
    """Writes the sample picture to the path that is given."""
    parser = Parser(description=__doc__)
    parser.add_argument("path", type=Path, help="where the JPEG goes")
    cv2.imwrite(str(parser.parse_args().path), picture_of(HAND, INDICATOR), [cv2.IMWRITE_JPEG_QUALITY, 88])


if __name__ == "__main__":
    main()
