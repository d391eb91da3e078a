"""Tiles and their notation: the one text form used in files, on the command line and in tests.

`R5` is red 5, `J` a false joker, `#` a tile lying face down, `?` a tile that could not be read.
In a rack tiles are separated by spaces, `|` is a gap between groups, `/` starts the next row.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum


class NotationError(ValueError):
    """A text that is not in the notation of tiles and racks."""


class Colour(Enum):
    """The four colours, by the letter that the notation uses."""

    RED = "R"
    BLACK = "K"
    BLUE = "B"
    YELLOW = "Y"


COLOURS: tuple[Colour, ...] = tuple(Colour)
NUMBERS = range(1, 14)
SYMBOLS = ("J", "#", "?")
COPIES = 2
"""How many of each numbered tile, and how many false jokers, one set holds."""
MOST_QUOTED = 60
"""How many characters of what was given a sentence quotes."""


def quoted(given: object) -> str:
    """What was given, as the sentence that refuses it quotes it: in one line, and of a long one the beginning.

    >>> print(quoted("R5"), quoted("R" * 100))
    'R5' 'RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR…
    """
    text = repr(given)
    return text if len(text) <= MOST_QUOTED else text[:MOST_QUOTED] + "…"


@dataclass(frozen=True)
class Tile:
    """One tile by its face: a colour and a number, or one of the three symbols `J`, `#` and `?`.

    Use the constants `FALSE_JOKER`, `FACE_DOWN` and `UNREADABLE` for tiles without a number.

    Attributes:
        code: 0 to 51 for the numbered tiles, colour by colour, then 52 for `J`, 53 for `#` and 54 for `?`.

    >>> Tile.parse("r5") == Tile(Colour.RED, 5)
    True
    >>> str(Tile(Colour.BLACK, 13))
    'K13'
    """

    colour: Colour | None
    number: int | None
    symbol: str = ""
    code: int = field(init=False, repr=False, compare=False)
    _written: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.symbol:
            if self.symbol not in SYMBOLS or self.colour or self.number is not None:
                raise NotationError(f"a tile's symbol must be J, # or ?, alone, but got {self.symbol!r}")
            code = len(COLOURS) * len(NUMBERS) + SYMBOLS.index(self.symbol)
        elif self.colour is None or self.number is None or self.number not in NUMBERS:
            raise NotationError(f"a tile's number must be 1 to 13 with a colour, but got {self.number!r}")
        else:
            code = COLOURS.index(self.colour) * len(NUMBERS) + NUMBERS.index(self.number)
        object.__setattr__(self, "code", code)
        object.__setattr__(self, "_written", self.symbol or f"{self.colour.value if self.colour else ''}{self.number}")

    # Tiles are compared, counted and written by the million: what follows from the code is quicker than what follows from the face.

    def __eq__(self, other: object) -> bool:
        return self.code == other.code if isinstance(other, Tile) else NotImplemented

    def __hash__(self) -> int:
        return self.code

    @classmethod
    def parse(cls, text: str) -> Tile:
        """The tile written as `text`; case and surrounding space do not matter.

        Raises NotationError when it is no tile.
        """
        tile = _WRITTEN.get(text.strip().upper())
        if tile is None:
            raise NotationError(f"{quoted(text.strip())} is no tile: write R, K, B or Y with a number from 1 to 13, J, # or ?")
        return tile

    def __str__(self) -> str:
        return self._written

    @property
    def is_numbered(self) -> bool:
        """Whether the tile shows a colour and a number."""
        return not self.symbol


FALSE_JOKER = Tile(None, None, "J")
FACE_DOWN = Tile(None, None, "#")
UNREADABLE = Tile(None, None, "?")

NUMBERED_TILES: tuple[Tile, ...] = tuple(Tile(colour, number) for colour in COLOURS for number in NUMBERS)
"""The 52 different numbered tiles, colour by colour."""
TILES: tuple[Tile, ...] = (*NUMBERED_TILES, FALSE_JOKER, FACE_DOWN, UNREADABLE)
"""Every tile at its code."""

_WRITTEN = {str(tile): tile for tile in TILES}


def parse_tiles(text: str) -> list[Tile]:
    """The tiles of a text, separated by spaces or commas, gaps and rows ignored."""
    return [Tile.parse(word) for word in text.replace("|", " ").replace("/", " ").replace(",", " ").split()]


def okey_of(indicator: Tile) -> Tile:
    """The face that is wild in this deal: the indicator's colour and the next number, 1 after 13.

    Raises NotationError when the indicator has no number: a false joker is put back and drawn again.
    """
    if indicator.colour is None or indicator.number is None:
        raise NotationError(f"the indicator must be a tile with a number, but got {indicator}")
    return NUMBERED_TILES[COLOURS.index(indicator.colour) * len(NUMBERS) + indicator.number % len(NUMBERS)]


@dataclass(frozen=True)
class Rack:
    """Tiles as they lie: rows from the top, in each row groups from the left, in each group tiles.

    >>> str(Rack.parse("r1 r2 r3|b4/k5"))
    'R1 R2 R3 | B4 / K5'
    """

    rows: tuple[tuple[tuple[Tile, ...], ...], ...]

    @classmethod
    def parse(cls, text: str) -> Rack:
        """The rack written as `text`. Empty groups and rows are dropped. Raises NotationError."""
        rows = (tuple(tuple(parse_tiles(group)) for group in row.split("|")) for row in text.split("/"))
        return cls.of(rows)

    @classmethod
    def of(cls, rows: Iterable[Iterable[Iterable[Tile]]]) -> Rack:
        """A rack of nested iterables, empty groups and rows dropped."""
        kept = (tuple(tuple(group) for group in map(tuple, row) if group) for row in rows)
        return cls(tuple(row for row in kept if row))

    def __str__(self) -> str:
        return " / ".join(" | ".join(" ".join(map(str, group)) for group in row) for row in self.rows)

    @property
    def groups(self) -> list[tuple[Tile, ...]]:
        """Every group, top row first, left to right."""
        return [group for row in self.rows for group in row]

    @property
    def tiles(self) -> list[Tile]:
        """Every tile, top row first, left to right."""
        return [tile for group in self.groups for tile in group]
