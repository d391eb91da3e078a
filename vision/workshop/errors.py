"""What tiles are taken for that are not read rightly, in all or by how wide they look: for tables of the model card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from assistant.tiles import FACE_DOWN, UNREADABLE, Tile
from vision.reading import SeenTile
from vision.workshop.evaluate import Results, corner_error, match, may_be_cut, shortest_side
from vision.workshop.markdown import head, row
from vision.workshop.photos import LabelledPhoto, Polygon, quadrilateral

WIDTHS = (14, 20, 30, 50)
"""Bounds, in pixels, between tiles of different widths."""
BANDS = (f"less than {WIDTHS[0]}", *(f"{low} to {high}" for low, high in pairwise(WIDTHS)), f"{WIDTHS[-1]} or more")
CUT = "cut by the edge"
RIGHT, NOT_FOUND, SIX_OR_NINE, NUMBER, COLOUR, JOKER = "right", "not found", "6 for 9", "another number", "another colour", "false joker"
KINDS = (RIGHT, NOT_FOUND, str(UNREADABLE), SIX_OR_NINE, NUMBER, COLOUR, JOKER)
"""A tile is one of these, see `kind_of`."""


def kind_of(tile: Tile, read: Tile | None) -> str:
    """One of KINDS: what is made of a tile that shows its face: what it is read as, None where it is not found."""
    if read is None:
        return NOT_FOUND
    if read == tile:
        return RIGHT
    if read == UNREADABLE:
        return str(UNREADABLE)
    if not (tile.is_numbered and read.is_numbered):
        return JOKER
    if tile.number == read.number:
        return COLOUR
    return SIX_OR_NINE if {tile.number, read.number} == {6, 9} else NUMBER


def width_band(outline: Polygon, size: tuple[int, int]) -> str:
    """One of BANDS for the outline of a tile in a picture of that size, in pixels; CUT where the picture's edge may cut it."""
    if may_be_cut(outline, size):
        return CUT
    width = shortest_side(quadrilateral(np.asarray(outline, np.float32)))
    return BANDS[int(np.searchsorted(WIDTHS, width, side="right"))]


def _tiles(results: Results) -> Iterator[tuple[LabelledPhoto, Polygon, SeenTile | None, str]]:
    """Every tile that shows its face and whose place is labelled: its photo, its outline, what is found there, and which of KINDS it is."""
    for photo, reading, _ in results:
        read = [seen for seen in reading.tiles if seen.tile != FACE_DOWN]
        pairs = dict(match(photo, read))
        for i, (tile, outline) in enumerate(photo.face_up):
            seen = read[pairs[i]] if i in pairs else None
            yield photo, outline, seen, kind_of(tile, None if seen is None else seen.tile)


def kinds_of(results: Results) -> Counter[str]:
    """How many of the tiles of photos whose places are labelled are which of KINDS."""
    return Counter(kind for *_, kind in _tiles(results))


def errors_table(results: Results) -> str:
    """What is made of the tiles of photos whose places are labelled, a row for every band of widths."""
    counts: Counter[tuple[str, str]] = Counter()
    off: dict[str, list[float]] = {band: [] for band in (*BANDS, CUT)}
    for photo, outline, seen, kind in _tiles(results):
        band = width_band(outline, photo.size)
        counts[band, kind] += 1
        if seen is not None and band != CUT:
            off[band].append(corner_error(seen.outline, outline))
    table = head("pixels wide", "tiles", *KINDS, "corners off by")
    for band in off:
        of = sum(counts[band, kind] for kind in KINDS)
        cells = [counts[band, kind] for kind in KINDS[1:]]
        exact = f"{np.median(off[band]):.1%}" if off[band] else ""
        table += row([band, f"{of:,}", f"{counts[band, RIGHT] / max(1, of):.1%}", *cells, exact])
    return table
