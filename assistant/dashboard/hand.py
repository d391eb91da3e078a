"""The hand on the page: what the program saw with what the user said laid over it. Free of Streamlit."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from assistant.tiles import COLOURS, FACE_DOWN, FALSE_JOKER, UNREADABLE, Rack, Tile
from vision.reading import Place, Reading

SURE = 0.9
"""A tile read with less confidence is shown as doubtful."""

ADDED = "+"
"""The keys of tiles that no reading has seen begin with this."""

State = Literal["sure", "doubt", "hand", "aside"]
"""How a tile is drawn: read for sure, doubtful, said by hand, or neither in the hand nor the indicator."""

Order = Literal["lies", "colour", "number"]
"""How the rack is drawn: as it lies, or sorted."""


class SeenIndicator(NamedTuple):
    """The indicator as a camera above the table saw it, and how sure that reading was, 0 to 1."""

    tile: Tile
    confidence: float


@dataclass(frozen=True)
class Edit:
    """One thing that the user said, or that a camera above the table saw: the tile called `key` is a `tile` and lies at `place`.

    Attributes:
        confidence: how sure that camera's reading was; None if the user said it.
    """

    key: str
    tile: Tile
    place: Place
    confidence: float | None = None


@dataclass(frozen=True)
class GapSaid:
    """The user said of the gap on the right of the tile called `key` whether it parts two groups."""

    key: str
    apart: bool


@dataclass(frozen=True)
class Held:
    """One tile as it stands after all edits.

    Attributes:
        key: its name, the same through all edits.
        tile: what it is taken for.
        place: on the rack, the indicator, or aside on the table.
        row, group: where on the rack it was seen; None if it was not seen there.
        confidence: how sure the reading was.
        by_hand: whether the user said what it is.
        guess: what the reading would have guessed.
        gap_doubtful: whether the gap on its right was too narrow to tell if it parts two groups.
    """

    key: str
    tile: Tile
    place: Place
    row: int | None = None
    group: int | None = None
    confidence: float = 1.0
    by_hand: bool = False
    guess: Tile | None = None
    gap_doubtful: bool = False

    @property
    def state(self) -> State:
        """How it is drawn."""
        if self.place is Place.TABLE:
            return "aside"
        if self.by_hand:
            return "hand"
        return "doubt" if self.confidence < SURE or self.tile in (UNREADABLE, FACE_DOWN) else "sure"

    @property
    def in_photo(self) -> bool:
        """Whether it is a tile of the reading, not one that was added."""
        return not self.key.startswith(ADDED)

    @property
    def on_table_for_sure(self) -> bool:
        """Whether its face was read for sure beside the hand."""
        read = not self.by_hand and self.confidence >= SURE and self.tile not in (UNREADABLE, FACE_DOWN)
        return read and self.place is Place.TABLE


def are_neighbours(left: Held, right: Held) -> bool:
    """Whether two tiles lie beside each other in a row as it was seen: what is said of a gap is of the gap between such two."""
    return left.row is not None and left.row == right.row and int(right.key) == int(left.key) + 1


def _apart(left: Held, right: Held, said: Mapping[str, bool]) -> bool:
    """Whether two tiles that follow each other in a row lie in two groups, by what was `said` of gaps, or else seen."""
    seen = left.group != right.group
    return said.get(left.key, seen) if are_neighbours(left, right) else seen


@dataclass(frozen=True)
class Hand:
    """A reading and the user's edits, which no reading ever overwrites. Every change gives a new hand.

    Tiles are named by `key`: "0", "1", … are the reading's, in its order; "+0", "+1", … are added by the user.
    """

    reading: Reading
    edits: tuple[Edit | GapSaid, ...] = ()

    @property
    def held(self) -> dict[str, Held]:
        """Every tile by its key, those aside included."""
        held = {seen.key: seen for seen in _as_seen(self.reading)}
        for edit in self.edits:
            if isinstance(edit, GapSaid):
                continue
            if edit.place is Place.INDICATOR:
                held = {key: _set_aside(tile) for key, tile in held.items()}
            before = held.get(edit.key, Held(edit.key, edit.tile, edit.place))
            by_hand = edit.confidence is None
            confidence = before.confidence if edit.confidence is None else edit.confidence
            held[edit.key] = replace(before, tile=edit.tile, place=edit.place, by_hand=by_hand, confidence=confidence)
        return held

    @property
    def rows(self) -> list[list[list[Held]]]:
        """The rack: rows from the top, in each groups from the left. What was not seen on it is the last group."""
        on_rack = [held for held in self.held.values() if held.place is Place.RACK]
        said = self._gaps_said
        rows: dict[int, list[list[Held]]] = {}
        before: Held | None = None
        for held in on_rack:
            if held.row is None:
                continue
            row = rows.setdefault(held.row, [])
            if before is None or not row or _apart(before, held, said):
                row.append([])
            row[-1].append(held)
            before = held
        added = [held for held in on_rack if held.row is None]
        if added:
            rows.setdefault(max(rows, default=0), []).append(added)
        return list(rows.values())

    def sorted_rows(self, order: Order) -> list[list[list[Held]]]:
        """The rack in the order asked for: as it lies, or a group for each colour, two in a row, or a group for each number."""
        if order == "lies":
            return self.rows
        parts: dict[int, list[Held]] = {}
        for held in sorted(self.tiles, key=lambda held: _sort_key(held.tile, order)):
            parts.setdefault(_sort_key(held.tile, order)[0], []).append(held)
        groups = list(parts.values())
        return [groups[first : first + 2] for first in range(0, len(groups), 2)] if order == "colour" else [groups]

    @property
    def tiles(self) -> list[Held]:
        """Every tile on the rack, as it lies."""
        return [held for row in self.rows for group in row for held in group]

    @property
    def rack(self) -> Rack:
        """The faces on the rack, as they lie."""
        return Rack.of([[held.tile for held in group] for group in row] for row in self.rows)

    @property
    def doubtful_gaps(self) -> list[str]:
        """The keys of the tiles whose gap on the right is too narrow to tell if it parts two groups, and nobody said."""
        said = self._gaps_said
        return [
            left.key
            for left, right in itertools.pairwise(self.tiles)
            if left.gap_doubtful and are_neighbours(left, right) and left.key not in said
        ]

    @property
    def _gaps_said(self) -> dict[str, bool]:
        """What the user said of gaps, by the tile on the left: whether it parts two groups."""
        return {edit.key: edit.apart for edit in self.edits if isinstance(edit, GapSaid)}

    @property
    def indicator(self) -> Held | None:
        """The indicator, if one is known."""
        return next((held for held in self.held.values() if held.place is Place.INDICATOR), None)

    def changed(self, key: str, tile: Tile) -> Hand:
        """The user says what a tile is. One that lay aside comes to the rack."""
        place = self.held[key].place
        return self._with(Edit(key, tile, Place.RACK if place is Place.TABLE else place))

    def added(self, tile: Tile) -> Hand:
        """The user adds a tile to the rack."""
        return self._with(Edit(self._new_key(), tile, Place.RACK))

    def removed(self, key: str) -> Hand:
        """The user says that a tile does not belong to the hand. It stays in sight, aside."""
        return self._with(Edit(key, self.held[key].tile, Place.TABLE))

    def moved_to_rack(self, key: str) -> Hand:
        """The user says that a tile belongs to the hand."""
        return self._with(Edit(key, self.held[key].tile, Place.RACK))

    def with_gap(self, key: str, apart: bool) -> Hand:
        """The user says whether the gap on the right of a tile parts two groups."""
        return replace(self, edits=(*self.edits, GapSaid(key, apart)))

    def with_indicator(self, tile: Tile, key: str | None = None) -> Hand:
        """The user says what the indicator is, or that the tile called `key` is the indicator."""
        return self._with(Edit(key or self._indicator_key(), tile, Place.INDICATOR))

    def with_seen_indicator(self, seen: SeenIndicator) -> Hand:
        """The hand with the indicator that a camera above the table saw."""
        return self._with(Edit(self._indicator_key(), seen.tile, Place.INDICATOR, seen.confidence))

    def completed(self, seen: SeenIndicator | None) -> Hand:
        """The hand with the indicator that a camera above the table saw, if there is one and it tells more than this hand's own."""
        own = self.indicator
        if seen is None:
            return self
        if own is not None and own.tile.is_numbered and (own.state != "doubt" or seen.confidence < SURE):
            return self
        return self.with_seen_indicator(seen)

    def undone(self) -> Hand:
        """The hand before the latest edit."""
        return replace(self, edits=self.edits[:-1])

    def as_read(self) -> Hand:
        """The hand without any edit."""
        return replace(self, edits=())

    def _with(self, edit: Edit) -> Hand:
        return replace(self, edits=(*self.edits, edit))

    def _indicator_key(self) -> str:
        return self.indicator.key if self.indicator else self._new_key()

    def _new_key(self) -> str:
        return f"{ADDED}{len(self.edits)}"


def _as_seen(reading: Reading) -> list[Held]:
    """The tiles of a reading. Where no rack was seen, the tiles that lie face up on the table are taken for the hand."""
    no_rack = all(seen.place is not Place.RACK for seen in reading.tiles)
    held = []
    for number, seen in enumerate(reading.tiles):
        place = seen.place
        if no_rack and place is Place.TABLE and seen.tile != FACE_DOWN:
            place = Place.RACK
        held.append(
            Held(str(number), seen.tile, place, seen.row, seen.group, seen.confidence, guess=seen.guess, gap_doubtful=seen.gap_doubtful)
        )
    return held


def _set_aside(held: Held) -> Held:
    """The tile, aside if it was the indicator."""
    return replace(held, place=Place.TABLE) if held.place is Place.INDICATOR else held


def _sort_key(tile: Tile, order: Order) -> tuple[int, int]:
    """By colour or by number; false jokers, then what was not read, come last."""
    if tile.colour is None or tile.number is None:
        return (99, (FALSE_JOKER, UNREADABLE, FACE_DOWN).index(tile))
    key = (COLOURS.index(tile.colour), tile.number)
    return key if order == "colour" else key[::-1]
