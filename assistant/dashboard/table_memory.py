"""What a camera above the table has seen of a deal: the indicator, tiles that cannot be drawn any more, a hand that is shown.

Free of Streamlit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from threading import Lock

from assistant.dashboard.hand import SURE, Hand
from assistant.groups import name_group
from assistant.tiles import FACE_DOWN, UNREADABLE, Tile, okey_of
from vision.reading import Place, Reading
from vision.shown import shown_hand
from vision.straighten import Picture

LAID_WITHIN = 6.0
"""A hand is laid open within so many seconds: what came onto the table in that time before it was recognised came with it."""
LEAST_MEANT = 0.5
"""Of a hand that is shown to win, rightly or not, so many groups are runs, sets or pairs; discards laid side by side are hardly ever.
Of one that was laid so slowly that its tiles cannot be told from those that lay there before, all are."""


@dataclass(frozen=True)
class Shown:
    """A hand that is shown on the table.

    Attributes:
        hand: what was read, the hand on the rack, all else beside it; with the indicator that lay on the table when the deal began, as by
            now the fifteenth tile may lie on it.
        picture: where it was read, uint8 BGR.
    """

    hand: Hand
    picture: Picture


class TableMemory:
    """The tiles that lay face up on the table in this deal, but for those of a hand that is shown.

    Of each as many copies are remembered as were ever seen at once, in play or covered since: never more than there were.
    Where nothing lay face up, and then a single tile does, a new deal begins, and that tile is its indicator.

    Attributes:
        indicator: None until a deal has been seen to begin.
        shown: the hand that lies open; None if none does.
    """

    def __init__(self) -> None:
        self.indicator: Tile | None = None
        self.shown: Shown | None = None
        self._came: list[tuple[Tile, float]] = []  # every copy, and when it was first seen
        self._now: Counter[Tile] = Counter()
        self._cleared = True
        self._lock = Lock()

    def add(self, reading: Reading, time: float, picture: Picture) -> None:
        """Takes over a reading of `picture` that holds at `time`, in seconds. Whatever lies on the table counts, in rows or loose.

        Safe to call from several threads.
        """
        with self._lock:
            self._add(reading, time, picture)

    def _add(self, reading: Reading, time: float, picture: Picture) -> None:
        seen = Counter(_sure(reading))
        if self._cleared and seen.total() == 1 and (first := next(iter(seen))).is_numbered:
            self.indicator, self._came = first, []
        self._cleared = not seen
        self._look_for_hand(reading, time, picture, seen)
        if self.shown is not None:
            seen -= Counter(self.shown.hand.rack.tiles)
        self._now = seen
        more = seen - Counter(tile for tile, _ in self._came)
        self._came += [(tile, time) for tile in more.elements()]

    def _look_for_hand(self, reading: Reading, time: float, picture: Picture, seen: Counter[Tile]) -> None:
        """Notes a hand that is shown, and that one is no longer when more than half of it is gone."""
        earlier = [(tile, first) for tile, first in self._came if first < time - LAID_WITHIN]
        for before, least in ((Counter(tile for tile, _ in earlier), LEAST_MEANT), (Counter[Tile](), 1.0)):
            hand = shown_hand(reading, before)
            if hand is not None and self._meant(hand) >= least:
                if self.shown is None:
                    self._came = earlier
                self.shown = Shown(self._with_indicator(Hand(hand)), picture)
                return
        if self.shown is not None:
            laid = Counter(self.shown.hand.rack.tiles)
            if 2 * (laid & seen).total() < laid.total():
                self.shown = None

    def _meant(self, hand: Reading) -> float:
        """The share of the groups in what lies like a hand that are runs, sets or pairs; those with an unreadable tile left out."""
        indicator = self.indicator or hand.indicator
        okey = okey_of(indicator) if indicator is not None and indicator.is_numbered else None
        read = [group for group in hand.rack.groups if UNREADABLE not in group]
        return sum(name_group(group, okey).kind is not None for group in read) / max(1, len(read))

    def discards(self, hand: Hand) -> list[Tile]:
        """The tiles that cannot be drawn beside those that this hand's own picture shows.

        What lay on the table before may have come to this hand since; what lies there now has not.
        """
        held = self.completed(hand).held.values()
        shown = Counter(tile.tile for tile in held)
        loose = Counter(tile.tile for tile in held if tile.place is not Place.RACK)
        most = Counter(tile for tile, _ in self._came)
        return sorted(((most - shown) | (self._now - loose)).elements(), key=str)

    def completed(self, hand: Hand) -> Hand:
        """The hand with the indicator, if its own picture does not show it."""
        return hand if hand.indicator or self.indicator is None else hand.with_indicator(self.indicator)

    def _with_indicator(self, hand: Hand) -> Hand:
        """The hand with the indicator of this deal, if that is known."""
        if self.indicator is None or (hand.indicator is not None and hand.indicator.tile == self.indicator):
            return hand
        return hand.with_indicator(self.indicator)


def _sure(reading: Reading) -> Iterable[Tile]:
    """The faces that were read for sure."""
    return (seen.tile for seen in reading.tiles if seen.confidence >= SURE and seen.tile not in (FACE_DOWN, UNREADABLE))
