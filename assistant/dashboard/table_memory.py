"""What a camera above the table has seen of a deal: the indicator, and tiles that cannot be drawn any more. Free of Streamlit."""

from __future__ import annotations

from collections import Counter

from assistant.dashboard.hand import SURE, Hand
from assistant.tiles import FACE_DOWN, UNREADABLE, Tile
from vision.reading import Place, Reading


class TableMemory:
    """The tiles that lay face up on the table in this deal.

    Of each as many copies are remembered as were ever seen at once, in play or covered since: never more than there were.
    Where nothing lay face up, and then a single tile does, a new deal begins, and that tile is its indicator.

    Attributes:
        indicator: None until a deal has been seen to begin.
    """

    def __init__(self) -> None:
        self.indicator: Tile | None = None
        self._most: Counter[Tile] = Counter()
        self._now: Counter[Tile] = Counter()
        self._cleared = True

    def add(self, reading: Reading) -> None:
        """Takes over a reading that holds. Whatever lies on the table counts, in rows or loose."""
        seen = _sure(reading)
        if self._cleared and len(seen) == 1 and seen[0].is_numbered:
            self.indicator, self._most = seen[0], Counter()
        self._cleared = not seen
        self._now = Counter(seen)
        self._most |= self._now

    def discards(self, hand: Hand) -> list[Tile]:
        """The tiles that cannot be drawn beside those that this hand's own picture shows.

        What lay on the table before may have come to this hand since; what lies there now has not.
        """
        held = self.completed(hand).held.values()
        shown = Counter(tile.tile for tile in held)
        loose = Counter(tile.tile for tile in held if tile.place is not Place.RACK)
        return sorted(((self._most - shown) | (self._now - loose)).elements(), key=str)

    def completed(self, hand: Hand) -> Hand:
        """The hand with the indicator, if its own picture does not show it."""
        return hand if hand.indicator or self.indicator is None else hand.with_indicator(self.indicator)


def _sure(reading: Reading) -> list[Tile]:
    """The faces that were read for sure."""
    return [seen.tile for seen in reading.tiles if seen.confidence >= SURE and seen.tile not in (FACE_DOWN, UNREADABLE)]
