"""What tiles are taken for, counted by how wide they look."""

from __future__ import annotations

import pytest

from assistant.tiles import UNREADABLE, Tile
from vision.reading import Place, Reading, SeenTile
from vision.workshop.errors import BANDS, CUT, KINDS, errors_table, kind_of, kinds_of, width_band
from vision.workshop.evaluate import score
from vision.workshop.photos import LabelledPhoto

SIZE = (640, 480)


def square(x: float, y: float, width: float) -> tuple[tuple[float, float], ...]:
    """A tile's outline half as high again as it is wide."""
    return ((x, y), (x + width, y), (x + width, y + 1.5 * width), (x, y + 1.5 * width))


@pytest.mark.parametrize(
    ("tile", "read", "kind"),
    [
        ("R6", "R6", "right"),
        ("R6", None, "not found"),
        ("R6", "?", "?"),
        ("R6", "R9", "6 for 9"),
        ("R9", "B6", "6 for 9"),
        ("R6", "R8", "another number"),
        ("R6", "Y6", "another colour"),
        ("R6", "J", "false joker"),
        ("J", "K1", "false joker"),
    ],
)
def test_what_a_tile_is_taken_for(tile: str, read: str | None, kind: str) -> None:
    seen = None if read is None else UNREADABLE if read == "?" else Tile.parse(read)
    assert kind_of(Tile.parse(tile), seen) == kind
    assert kind in KINDS


@pytest.mark.parametrize(
    ("x", "width", "band"),
    [(100, 13, BANDS[0]), (100, 14, BANDS[1]), (100, 25, BANDS[2]), (100, 80, BANDS[-1]), (-5, 25, CUT), (625, 25, CUT)],
)
def test_tiles_are_counted_by_their_shorter_side_unless_they_are_cut(x: float, width: float, band: str) -> None:
    assert width_band(square(x, 100, width), SIZE) == band


def test_every_tile_is_in_one_cell_of_the_table() -> None:
    tiles = (("R6", 100), ("K6", 200), ("B3", 300), ("Y4", 400))
    photo = LabelledPhoto(
        "a.jpg",
        "ours",
        "table",
        SIZE,
        tuple((Tile.parse(tile), square(x, 100, 40)) for tile, x in tiles),
        None,
        None,
        False,
        None,
        (),
        False,
    )
    read = tuple(
        SeenTile(Tile.parse(tile), 0.95, square(x, 100, 40), Place.TABLE, None, None) for tile, x in (("R6", 100), ("K9", 200), ("B5", 300))
    )
    reading = Reading(SIZE, read)
    results = [(photo, reading, score(photo, reading))]
    assert kinds_of(results) == {"right": 1, "6 for 9": 1, "another number": 1, "not found": 1}
    rows = [line.strip("| \n").split(" | ") for line in errors_table(results).splitlines()]
    assert rows[0] == ["pixels wide", "tiles", *KINDS, "corners off by"]
    wide = next(row for row in rows if row[0] == BANDS[3])
    assert wide == [BANDS[3], "4", "25.0%", "1", "0", "1", "1", "0", "0", "0.0%"]
