"""Why something is refused: an English sentence that still knows its parts, so that a page can say it in another language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Union

from assistant.tiles import Tile

Value = Union[Tile, int, str, "Reason"]


@dataclass(frozen=True, init=False)
class Reason:
    """A sentence with named values: `str` of it is the English sentence, tiles in notation.

    To say it in another language translate `template` and fill in `values`, tiles named in words, reasons said in turn, other words as
    they are.

    >>> str(Reason("{tile} lies {count} times", tile=Tile.parse("R5"), count=3))
    'R5 lies 3 times'
    """

    template: str
    values: Mapping[str, Value] = field(hash=False)

    def __init__(self, template: str, **values: Value) -> None:
        object.__setattr__(self, "template", template)
        object.__setattr__(self, "values", values)

    def __str__(self) -> str:
        return self.template.format(**self.values)
