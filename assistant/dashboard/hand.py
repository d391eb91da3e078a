"""The hand on the page: what the program saw, and what the user corrected. Free of Streamlit."""

from __future__ import annotations

from dataclasses import dataclass, replace

from assistant.tiles import COLOURS, FACE_DOWN, FALSE_JOKER, UNREADABLE, Rack, Tile
from vision.reading import Place, Reading

SURE = 0.9
"""A tile read with less confidence is shown as doubtful."""


@dataclass(frozen=True)
class HeldTile:
    """One tile of the hand.

    Attributes:
        key: stays the same through all corrections.
        tile: what it is taken for.
        row, group: where it lies.
        confidence: how sure the reading was; 1 for what the user said.
        corrected: whether the user said what it is.
        guess: what the program would have guessed, offered first in a correction.
    """

    key: int
    tile: Tile
    row: int
    group: int
    confidence: float = 1.0
    corrected: bool = False
    guess: Tile | None = None

    @property
    def doubtful(self) -> bool:
        """Whether the user should look at it."""
        return not self.corrected and (self.confidence < SURE or self.tile in (UNREADABLE, FACE_DOWN))


@dataclass(frozen=True)
class Hand:
    """The tiles as they lie and the indicator, corrections included. Every change gives a new hand."""

    tiles: tuple[HeldTile, ...] = ()
    indicator: Tile | None = None
    indicator_corrected: bool = False

    @classmethod
    def from_reading(cls, reading: Reading) -> Hand:
        """The rack of a reading and its indicator. Where no rack was seen, all tiles on the table are the hand."""
        on_rack = any(seen.place is Place.RACK for seen in reading.tiles)
        wanted = Place.RACK if on_rack else Place.TABLE
        tiles = tuple(
            HeldTile(key, seen.tile, seen.row or 0, seen.group or 0, seen.confidence, guess=seen.guess)
            for key, seen in enumerate(reading.tiles)
            if seen.place is wanted
        )
        return cls(tiles, reading.indicator if reading.indicator != UNREADABLE else None)

    def changed(self, key: int, tile: Tile) -> Hand:
        """The hand with the user's word for one tile."""
        return replace(
            self,
            tiles=tuple(replace(held, tile=tile, confidence=1.0, corrected=True) if held.key == key else held for held in self.tiles),
        )

    def removed(self, key: int) -> Hand:
        """The hand without one tile."""
        return replace(self, tiles=tuple(held for held in self.tiles if held.key != key))

    def added(self, tile: Tile) -> Hand:
        """The hand with one more tile, at the end of the last row."""
        last = self.tiles[-1] if self.tiles else None
        key = 1 + max((held.key for held in self.tiles), default=999)
        new = HeldTile(max(key, 1000), tile, last.row if last else 0, last.group if last else 0, corrected=True)
        return replace(self, tiles=(*self.tiles, new))

    def with_indicator(self, tile: Tile) -> Hand:
        """The hand with the indicator that the user picked."""
        return replace(self, indicator=tile, indicator_corrected=True)

    def with_indicator_read(self, tile: Tile | None) -> Hand:
        """The hand with an indicator that was read; what the user picked stays."""
        return self if self.indicator_corrected or tile is None else replace(self, indicator=tile)

    def rows(self) -> list[list[list[HeldTile]]]:
        """Rows from the top, in each groups, in each tiles."""
        rows: dict[int, dict[int, list[HeldTile]]] = {}
        for held in self.tiles:
            rows.setdefault(held.row, {}).setdefault(held.group, []).append(held)
        return [[rows[row][group] for group in sorted(rows[row])] for row in sorted(rows)]

    def sorted_rows(self, by: str) -> list[list[list[HeldTile]]]:
        """The tiles in two rows, sorted by `colour` or by `number`, a group for each."""
        groups: dict[int, list[HeldTile]] = {}
        for held in sorted(self.tiles, key=lambda held: _sort_key(held.tile, by)):
            groups.setdefault(_sort_key(held.tile, by)[0], []).append(held)
        if by == "colour":
            return [[group] for group in groups.values()]
        return [list(groups.values())]

    @property
    def rack(self) -> Rack:
        """The tiles as a rack."""
        return Rack.of([[held.tile for held in group] for group in row] for row in self.rows())


def _sort_key(tile: Tile, by: str) -> tuple[int, int]:
    """False jokers and what was not read come last."""
    if tile.colour is None or tile.number is None:
        return (99, (FALSE_JOKER, UNREADABLE, FACE_DOWN).index(tile))
    key = (COLOURS.index(tile.colour), tile.number)
    return key if by == "colour" else key[::-1]
