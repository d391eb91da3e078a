"""Tiles as the page draws them, and the photo with what was read in it."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.dashboard.hand import SURE
from assistant.groups import Placed
from assistant.tiles import FACE_DOWN, UNREADABLE, Colour, Tile
from vision.reading import Place, Reading

INKS = {Colour.RED: "#c01a26", Colour.BLACK: "#1d1d1f", Colour.BLUE: "#1450b4", Colour.YELLOW: "#c77700"}
NAMES = {Colour.RED: "red", Colour.BLACK: "black", Colour.BLUE: "blue", Colour.YELLOW: "yellow"}
SHOWN_SIDE = 1400
"""Longer side of the photo on the page, in pixels."""
SURE_BGR, DOUBT_BGR, OTHER_BGR = (80, 170, 40), (0, 150, 255), (190, 190, 190)

STYLE = """
<style>
.istaka-row {display:flex; flex-wrap:wrap; gap:.35rem .9rem; margin:.3rem 0 .6rem}
.istaka-group {display:flex; gap:.18rem}
.istaka-tile {position:relative; width:2.35rem; height:3.3rem; border-radius:.4rem; background:#fdf6e3; border:1px solid #cbbd9a;
  box-shadow:0 1px 2px rgba(0,0,0,.35); font:700 1.3rem/2.1rem system-ui,sans-serif; text-align:center}
.istaka-tile small {position:absolute; left:0; right:0; bottom:.12rem; font:600 .68rem/1rem system-ui,sans-serif}
.istaka-tile.wild {background:#ffe2a8; border-color:#d08a1c}
[class*="st-key-tile-"] button {min-width:2.5rem; width:2.5rem; height:3.5rem; padding:0; border-radius:.4rem; background:#fdf6e3;
  border:1px solid #cbbd9a; box-shadow:0 1px 2px rgba(0,0,0,.35)}
[class*="st-key-tile-"] button p {font-size:1.3rem; font-weight:700}
[class*="st-key-tile-"] button:hover {border-color:#b3541e; background:#fff}
[class*="st-key-tile-doubt"] button {background:#ffdf9e; border:2px solid #e08a00}
[class*="st-key-tile-hand"] button {border:2px solid #2f7d4f}
@media (max-width:480px) {
  [class*="st-key-tile-"] button {min-width:2.2rem; width:2.2rem; height:3.2rem}
}
</style>
"""


def tile_css() -> str:
    """The style sheet of drawn tiles and of tiles that can be tapped, each colour in its ink."""
    inks = "".join(f'[class*="st-key-tile-"][class*="-{colour.value}-"] button p {{color:{ink}}}' for colour, ink in INKS.items())
    return STYLE.replace("</style>", f'[class*="st-key-tile-"] button p {{color:#555}}{inks}</style>')


def label(tile: Tile) -> str:
    """What stands on the tile."""
    if tile == FACE_DOWN:
        return "▮"
    return str(tile.number) if tile.is_numbered else {"J": "★"}.get(tile.symbol, tile.symbol)


def spoken(tile: Tile) -> str:
    """The tile in words."""
    if tile.colour is not None:
        return f"{NAMES[tile.colour]} {tile.number}"
    return {"J": "false joker", "#": "face down", "?": "not readable"}[tile.symbol]


def tile_html(placed: Placed) -> str:
    """One drawn tile; an okey or a false joker says what it stands for."""
    tile = placed.tile
    ink = INKS[tile.colour] if tile.colour else "#555"
    stands = placed.stands_for
    below, wild, title = "", "", spoken(tile)
    if stands != tile:
        colour = INKS[stands.colour] if stands.colour else ink
        below, wild = f'<small style="color:{colour}">={stands.number}</small>', " wild"
        title += f" standing for {spoken(stands)}"
    return f'<div class="istaka-tile{wild}" style="color:{ink}" title="{title}">{label(tile)}{below}</div>'


def groups_html(groups: Iterable[Iterable[Placed]]) -> str:
    """Groups of drawn tiles side by side."""
    drawn = "".join(f'<div class="istaka-group">{"".join(map(tile_html, group))}</div>' for group in groups)
    return f'{tile_css()}<div class="istaka-row">{drawn}</div>'


def plain(tiles: Iterable[Tile]) -> list[Placed]:
    """Tiles that stand for themselves."""
    return [Placed(tile, tile) for tile in tiles]


def annotated(picture: NDArray[np.uint8], reading: Reading) -> NDArray[np.uint8]:
    """The photo, shrunk for the page, every tile outlined and named: green if sure, amber if not, grey off the rack.

    Args:
        picture: uint8 BGR (height, width, 3), as it was read.

    Returns:
        uint8 RGB, its longer side at most SHOWN_SIDE.
    """
    scale = min(1.0, SHOWN_SIDE / max(picture.shape[:2]))
    canvas = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    line = max(2, round(max(canvas.shape[:2]) / 500))
    for seen in reading.tiles:
        corners = np.round(np.array(seen.polygon) * scale).astype(np.int32)
        doubtful = seen.confidence < SURE or seen.tile == UNREADABLE
        colour = DOUBT_BGR if doubtful else OTHER_BGR if seen.place is Place.TABLE else SURE_BGR
        cv2.polylines(canvas, [corners], True, colour, line, cv2.LINE_AA)
        _name(canvas, str(seen.tile), corners, colour, line)
    return np.asarray(canvas[..., ::-1], np.uint8)


def _name(canvas: NDArray[np.uint8], text: str, corners: NDArray[np.int32], colour: tuple[int, int, int], line: int) -> None:
    """Writes the name on a plate at the lower edge of the tile, so that the printed number stays in sight."""
    width = int(np.linalg.norm(corners[1] - corners[0]))
    size = float(np.clip(width / 75, 0.35, 1.1))
    (wide, tall), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, line)
    x, y = ((corners[2] + corners[3]) / 2).astype(int)
    cv2.rectangle(canvas, (x - wide // 2 - 3, y - tall - 4), (x + wide // 2 + 3, y + 3), colour, -1)
    cv2.putText(canvas, text, (x - wide // 2, y - 1), cv2.FONT_HERSHEY_SIMPLEX, size, (255, 255, 255), max(1, line - 1), cv2.LINE_AA)
