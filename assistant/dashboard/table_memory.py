"""What a camera above the table has seen of a deal: the indicator, tiles that cannot be drawn any more, a hand that is shown.

Free of Streamlit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from assistant.dashboard.hand import SURE, Hand, SeenIndicator
from assistant.groups import name_group
from assistant.tiles import COPIES, FACE_DOWN, UNREADABLE, Tile, okey_of
from vision.reading import Place, Reading, SeenTile
from vision.shown import shown_hand
from vision.straighten import Picture

LAID_WITHIN = 6.0
"""A hand is laid open within so many seconds: what came onto the table in that time before it was recognised came with it, and what has
lain there longer is no part of it."""
REMEMBERED = 0.85
"""What holds with this confidence is remembered though a single picture does not call it sure: of 906 tiles in 36 films 57 more are, and
one that is not there."""
LIKELY = 0.5
"""What is read with less confidence may be no tile: it is no indicator, and does not keep a table from being cleared."""
SAME_PLACE = 0.4
"""Tiles whose middles are no farther apart than this, in tile widths, lie at the same place."""
CLEARED = 4.0
"""A table is cleared for so many seconds before a deal begins; an arm may hide all that lies there for less."""
UNWATCHED = 60.0
"""After so many seconds in which nobody looked, what was known holds only if the indicator lies where it lay."""
GONE = 10.0
"""What has not been seen for so many seconds was taken away: an arm is over the table for less."""
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
    Several threads may add to it at once; who asks it more than one thing asks `as_it_is`, which holds still meanwhile.

    Where nothing lay face up for a while, and then a single tile does, a new deal begins, and that tile is its indicator; until it was
    read for sure it is what is read most surely at its place.

    Attributes:
        indicator: None until a deal has been seen to begin.
        shown: the hand that lies open; None if none does.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._looked = -np.inf
        self._forget()

    def _forget(self) -> None:
        """Nothing is known, as of a table that is seen for the first time."""
        self.indicator: SeenIndicator | None = None
        self.shown: Shown | None = None
        self._lies_at = np.zeros(2)  # the indicator's middle
        self._came: list[tuple[Tile, float]] = []  # every copy, and when it was first seen
        self._places = _Places()
        self._now: Counter[Tile] = Counter()
        self._cleared_since: float | None = -np.inf

    def add(self, reading: Reading, time: float, picture: Picture) -> None:
        """Takes over a reading of `picture` that holds at `time`, in seconds. Whatever lies on the table counts, in rows or loose."""
        with self._lock:
            self._add(reading, time, picture)

    def as_it_is(self) -> TableMemory:
        """What is known now, to be asked while others go on adding to this; nothing is ever added to it."""
        with self._lock:
            return copy(self)

    def _add(self, reading: Reading, time: float, picture: Picture) -> None:
        if time - self._looked > UNWATCHED and not any(self._may_be_indicator(seen) for seen in reading.tiles):
            self._forget()
        self._looked = time
        seen = Counter(_remembered(reading))
        self._look_for_indicator(reading, time)
        self._look_for_hand(reading, time, picture, seen)
        if self.shown is not None:
            seen -= Counter(self.shown.hand.rack.tiles)
        self._now = seen
        more = seen - Counter(tile for tile, _ in self._came)
        self._came = [*self._came, *((tile, time) for tile in more.elements())]  # a new list: copies have the one so far

    def _look_for_indicator(self, reading: Reading, time: float) -> None:
        """Notes the indicator of a deal that begins, or what it is when it is read more surely than before."""
        face_up = [seen for seen in reading.tiles if seen.tile != FACE_DOWN]
        likely = [seen for seen in face_up if seen.confidence >= LIKELY]
        if not likely:
            self._cleared_since = time if self._cleared_since is None else self._cleared_since
        elif len(face_up) > 1:
            self._cleared_since = None
        elif likely[0].tile.is_numbered:  # a false joker that is turned up first is no indicator: another one follows
            if self._cleared_since is not None and time - self._cleared_since >= CLEARED:
                self._forget()
                self.indicator, self._lies_at = SeenIndicator(likely[0].tile, likely[0].confidence), _middle(likely[0])
            self._cleared_since = None
        if self.indicator is None or self.indicator.confidence >= SURE:
            return
        tile, confidence = self.indicator
        for seen in likely:
            if self._may_be_indicator(seen) and seen.confidence >= confidence and (seen.tile != tile or seen.confidence >= SURE):
                self.indicator = SeenIndicator(seen.tile, seen.confidence)
                self._came = [(came, first) for came, first in self._came if came != tile]

    def _may_be_indicator(self, seen: SeenTile) -> bool:
        """Whether a tile lies where the indicator did and bears its number: another one may have been laid on it."""
        return self.indicator is not None and seen.tile.number == self.indicator.tile.number and _is_at(seen, self._lies_at)

    def _look_for_hand(self, reading: Reading, time: float, picture: Picture, seen: Counter[Tile]) -> None:
        """Notes a hand that is shown, and that one is no longer when more than half of it is gone."""
        begun = time - LAID_WITHIN
        came_late = self._places.since(reading, time) >= begun
        for laid, least in ((came_late, LEAST_MEANT), (np.ones_like(came_late), 1.0)):
            hand = shown_hand(reading, laid)
            if hand is not None and self._meant(hand) >= least:
                if self.shown is None:
                    self._came = [(tile, first) for tile, first in self._came if first < begun]
                    self._places.forget(begun)
                self.shown = Shown(self._with_indicator(Hand(hand)), picture)
                return
        if self.shown is not None:
            lay = Counter(self.shown.hand.rack.tiles)
            if 2 * (lay & seen).total() < lay.total():
                self.shown = None
        if self.shown is None:
            self._places.add(reading, time)

    def _meant(self, hand: Reading) -> float:
        """The share of the groups in what lies like a hand that are runs, sets or pairs; those with an unreadable tile left out."""
        indicator = self.indicator.tile if self.indicator else hand.indicator
        okey = okey_of(indicator) if indicator is not None and indicator.is_numbered else None
        read = [group for group in hand.rack.groups if UNREADABLE not in group]
        return sum(name_group(group, okey).kind is not None for group in read) / max(1, len(read))

    def discards(self, hand: Hand) -> list[Tile]:
        """The tiles that cannot be drawn beside those that this hand's own picture shows.

        What lay on the table before may have come to this hand since; what lies there now has not.
        """
        held = self.completed(hand).held.values()
        shown = Counter(tile.tile for tile in held if tile.place is not Place.TABLE or tile.on_table_for_sure)
        loose = Counter(tile.tile for tile in held if tile.place is Place.INDICATOR or tile.on_table_for_sure)
        most = Counter(tile for tile, _ in self._came)
        discards = (most - shown) | (self._now - loose)
        return sorted((discards & Counter({tile: COPIES - shown[tile] for tile in discards})).elements(), key=str)

    def completed(self, hand: Hand) -> Hand:
        """The hand with the indicator, if its own picture does not show it as surely."""
        return hand.completed(self.indicator)

    def _with_indicator(self, hand: Hand) -> Hand:
        """The hand with the indicator of this deal, if that is known."""
        own = hand.indicator
        if self.indicator is None or (own is not None and own.tile == self.indicator.tile and own.confidence >= self.indicator.confidence):
            return hand
        return hand.with_seen_indicator(self.indicator)


@dataclass
class _Lying:
    """A place where a tile lies face up.

    Attributes:
        middle: of the tile (2,).
        since: when it came to lie there, and `last`: when it was last seen there.
        tile: what it is; `?` until it was read well.
    """

    middle: NDArray[np.float64]
    since: float
    last: float
    tile: Tile = UNREADABLE

    def holds(self, seen: SeenTile) -> bool:
        """Whether this is the tile that was seen: nothing tells that another one has been laid on it."""
        other = seen.confidence >= REMEMBERED and self.tile not in (UNREADABLE, seen.tile)
        return not other and _is_at(seen, self.middle)


class _Places:
    """Where tiles lie face up, and since when."""

    def __init__(self) -> None:
        self._lying: list[_Lying] = []

    def since(self, reading: Reading, time: float) -> NDArray[np.float64]:
        """Since when (N,) each of the reading's tiles has lain where it lies, `time` if it was not seen there."""
        return np.array([min((one.since for one in self._lying if one.holds(seen)), default=time) for seen in reading.tiles])

    def add(self, reading: Reading, time: float) -> None:
        """The tiles of a reading lie there at this time; what has not been seen for GONE seconds lies there no longer."""
        for seen in reading.tiles:
            if seen.tile == FACE_DOWN:
                continue
            here = next((one for one in self._lying if one.holds(seen)), None)
            if here is None:
                here = _Lying(_middle(seen), time, time)
                self._lying.append(here)
            here.last = time
            if seen.confidence >= REMEMBERED:
                here.tile = seen.tile
        self._lying = [one for one in self._lying if one.last >= time - GONE]

    def forget(self, begun: float) -> None:
        """Nothing has come to lie anywhere since this time."""
        self._lying = [one for one in self._lying if one.since < begun]


def _middle(seen: SeenTile) -> NDArray[np.float64]:
    """The middle (2,) of a tile."""
    return np.mean(seen.outline, axis=0)


def _is_at(seen: SeenTile, place: NDArray[np.float64]) -> bool:
    """Whether a tile lies at a place (2,)."""
    left, right = np.array(seen.outline[:2])
    return bool(np.linalg.norm(place - _middle(seen)) < SAME_PLACE * np.linalg.norm(right - left))


def _remembered(reading: Reading) -> Iterable[Tile]:
    """The faces that were read well enough to be remembered."""
    return (seen.tile for seen in reading.tiles if seen.confidence >= REMEMBERED and seen.tile not in (FACE_DOWN, UNREADABLE))
