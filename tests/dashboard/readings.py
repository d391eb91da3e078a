"""Readings made from notation, for tests that need no picture."""

from __future__ import annotations

from collections.abc import Collection

from assistant.tiles import UNREADABLE, Rack, Tile
from vision.reading import Place, Point, Reading, SeenTile

WIDE, HIGH = 40.0, 56.0
GUESS = Tile.parse("K7")
"""What the reader would have guessed where it says `?`."""


def reading_of(rack: str, indicator: str = "", table: str = "", doubtful: str = "", doubtful_gaps: Collection[int] = ()) -> Reading:
    """A reading of the rack, indicator and loose tiles written down.

    Faces in `doubtful` were read with 60%; gaps on the right of the tiles with the numbers `doubtful_gaps` are too narrow to tell.
    """
    unsure = {Tile.parse(word) for word in doubtful.split()}
    seen: list[SeenTile] = []

    def see(tile: Tile, place: Place, row: int | None = None, group: int | None = None) -> None:
        confidence = 0.4 if tile == UNREADABLE else 0.6 if tile in unsure else 0.99
        corner = (20 + len(seen) % 8 * (WIDE + 4), 20 + len(seen) // 8 * (HIGH + 8))
        guess, doubt = GUESS if tile == UNREADABLE else tile, len(seen) in doubtful_gaps
        seen.append(SeenTile(tile, confidence, _polygon(*corner), place, row, group, guess, gap_doubtful=doubt))

    for row, groups in enumerate(Rack.parse(rack).rows):
        for group, tiles in enumerate(groups):
            for tile in tiles:
                see(tile, Place.RACK, row, group)
    if indicator:
        see(Tile.parse(indicator), Place.INDICATOR)
    for word in table.split():
        see(Tile.parse(word), Place.TABLE)
    return Reading((400, 400), tuple(seen))


def _polygon(x: float, y: float) -> tuple[Point, Point, Point, Point]:
    return ((x, y), (x + WIDE, y), (x + WIDE, y + HIGH), (x, y + HIGH))
