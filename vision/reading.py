"""What the reader says of one picture: the tiles it saw, where, and how sure it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

from assistant.reasons import Reason
from assistant.tiles import Colour, Rack, Tile
from vision.inks import Ink

if TYPE_CHECKING:
    from vision.light import Gains

Point = tuple[float, float]
Outline = tuple[Point, Point, Point, Point]
SURE = 0.9
"""What is read with this confidence or more is sure: a user believes it."""


class Place(Enum):
    """Where on the table a tile lies."""

    RACK = "rack"
    INDICATOR = "indicator"
    TABLE = "table"


@dataclass(frozen=True)
class SeenTile:
    """One tile seen in a picture.

    Attributes:
        tile: what was read; `?` where the reading would have been a guess.
        confidence: calibrated probability, 0 to 1, that colour and number are both right.
        outline: four corners in pixels of the upright picture, clockwise from the tile's own top left; the other way round in a
            mirrored picture. It goes on beyond the picture where its edge cuts the tile.
        place: on the rack, the indicator, or elsewhere on the table.
        row: row of the rack, 0 at the top; None off the rack.
        group: group in its row, 0 at the left; None off the rack.
        guess: the likeliest face even where `tile` is `?`, to offer it first when the user is asked.
        gap: the space to the next tile on the right in its row, in tile widths; None for the last one and off the rack.
        gap_doubtful: whether that space is too narrow to tell if it parts two groups.
    """

    tile: Tile
    confidence: float
    outline: Outline
    place: Place = Place.TABLE
    row: int | None = None
    group: int | None = None
    guess: Tile | None = None
    gap: float | None = None
    gap_doubtful: bool = False

    def __post_init__(self) -> None:
        if not 0.0 <= self.confidence <= 1.0:
            raise ValueError(f"confidence must be 0 to 1, but got {self.confidence}")
        if len(self.outline) != 4:
            raise ValueError(f"an outline must have 4 corners, but got {len(self.outline)}")
        if (self.place is Place.RACK) != (self.row is not None and self.group is not None):
            raise ValueError("a tile has a row and a group exactly if it is on the rack")

    def polygon_in(self, size: tuple[int, int]) -> Outline:
        """The outline with its corners brought into a picture of this width and height, as it is shown and told."""
        first, second, third, fourth = ((min(max(x, 0.0), size[0]), min(max(y, 0.0), size[1])) for x, y in self.outline)
        return first, second, third, fourth

    def to_json(self, size: tuple[int, int]) -> dict[str, Any]:
        """The tile as the contract of `istaka read --json` writes it, in a picture of this width and height."""
        return {
            "tile": str(self.tile),
            "confidence": round(self.confidence, 4),
            "place": self.place.value,
            "row": self.row,
            "group": self.group,
            "polygon": [[round(x, 1), round(y, 1)] for x, y in self.polygon_in(size)],
        }


@dataclass(frozen=True)
class Reading:
    """All that was read from one picture.

    Attributes:
        size: width and height of the upright picture in pixels.
        tiles: the rack's tiles first, row by row from the left, then the others.
        warnings: sentences for the user about what cannot be right or was not certain.
        inks: the colours of the set as they are in this picture, those of which a tile was read for sure.
        lightened: of tiles that are darker than their numbers the gains with which `vision.light.with_light_faces` shows them as they were
            read, and inks as they are here; None where faces are light.
        ms: milliseconds by stage, and their `total`.
        photo: where the picture came from, as the user named it.
    """

    size: tuple[int, int]
    tiles: tuple[SeenTile, ...] = ()
    warnings: tuple[Reason, ...] = ()
    ms: Mapping[str, float] = field(default_factory=dict)
    photo: str = ""
    inks: Mapping[Colour, Ink] = field(default_factory=dict)
    lightened: Gains | None = None

    @property
    def rack(self) -> Rack:
        """The tiles on the rack as they lie, rows and groups."""
        rows: dict[int, dict[int, list[Tile]]] = {}
        for seen in self.tiles:
            if seen.row is not None and seen.group is not None:
                rows.setdefault(seen.row, {}).setdefault(seen.group, []).append(seen.tile)
        return Rack.of([rows[row][group] for group in sorted(rows[row])] for row in sorted(rows))

    @property
    def doubtful_gaps(self) -> tuple[int, ...]:
        """The tiles, by their number, whose gap to the next one is too narrow to tell if it parts two groups."""
        return tuple(number for number, seen in enumerate(self.tiles) if seen.gap_doubtful)

    @property
    def indicator(self) -> Tile | None:
        """The indicator, if one was seen."""
        return next((seen.tile for seen in self.tiles if seen.place is Place.INDICATOR), None)

    def to_json(self) -> dict[str, Any]:
        """The object that `istaka read --json` prints for one photo."""
        return {
            "photo": self.photo,
            "size": list(self.size),
            "rack": str(self.rack),
            "indicator": None if self.indicator is None else str(self.indicator),
            "tiles": [seen.to_json(self.size) for seen in self.tiles],
            "gaps": [{"after": number, "width": round(self.tiles[number].gap or 0.0, 2)} for number in self.doubtful_gaps],
            "warnings": [str(warning) for warning in self.warnings],
            "ms": {stage: round(value, 1) for stage, value in self.ms.items()},
        }
