"""Deals played on in the background, for as long as a page looks at what comes of them. Free of Streamlit."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, replace

from assistant.playouts import Estimate, playouts, until
from assistant.rules import Rules
from assistant.search import compile_searches
from assistant.solver import HandError
from assistant.tiles import Tile

ERROR, LONGEST_S = 0.02, 20.0
"""The standard error of the chances at which the playing ends, and how long it goes on at most."""
PAUSE_S = 0.005
"""After every deal, about as long as one takes, so that the pages are drawn without delay."""
LEFT_AFTER_S = 10.0
"""So long after the last look the visitor is taken to have left."""


@dataclass(frozen=True)
class Position:
    """What is played on from, as `playouts` takes it."""

    tiles: tuple[Tile, ...]
    indicator: Tile
    seen: tuple[Tile, ...]
    rules: Rules
    discards: tuple[Tile | None, ...]


class PlayingOn:
    """Plays deals on from a position in a thread of its own, until enough is known, `stop` is called, or nobody looks any more.

    Attributes:
        is_playing: whether more will be known later.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.is_playing = True
        self.left = False
        self._known: tuple[Estimate, ...] = ()
        self._looked = time.monotonic()
        threading.Thread(target=self._play, name="playing on", daemon=True).start()

    def look(self) -> tuple[Estimate, ...]:
        """What is known by now, an estimate for each discard of the position; empty before the first deal."""
        self._looked = time.monotonic()
        return self._known

    def stop(self) -> None:
        """Ends the playing after the deal that is played now."""
        self.left = True

    def _play(self) -> None:
        compile_searches()
        place = self.position
        try:
            for known in until(playouts(place.tiles, place.indicator, place.seen, place.rules, place.discards), ERROR, LONGEST_S):
                self._known = tuple(replace(estimate, won_after=dict(estimate.won_after)) for estimate in known)
                self.left = self.left or time.monotonic() - self._looked > LEFT_AFTER_S
                if self.left:
                    break
                time.sleep(PAUSE_S)
        except HandError:
            pass  # more is said to be seen than the others' hands leave: nothing can be played on from here
        finally:
            self.is_playing = False
