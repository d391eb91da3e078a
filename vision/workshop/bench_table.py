"""`istaka bench table`: how often a hand shown on a filmed table is recognised, how soon, and what else is taken for one."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from assistant.dashboard.hand import Hand
from assistant.dashboard.judging import dispute
from assistant.dashboard.table_memory import TableMemory
from assistant.dispute import check
from assistant.tiles import Rack, Tile
from vision.reader import TileReader
from vision.reading import Place
from vision.settle import Settler, State
from vision.sight import Sight
from vision.workshop.deal_film import film_deal
from vision.workshop.video import Truth

IN_TIME = 2.0
"""A hand should be recognised so many seconds after the arm that laid it has gone."""


@dataclass
class Recognised:
    """Counts over films of deals.

    Attributes:
        films: how many there are, and `shown`: at the end of how many a hand is shown.
        took: for each of these seconds until it was recognised; None where it was not.
        exact: how many were read without a mistake, and `judged`: with the verdict that the hand deserves.
        alarms: films in which something was taken for a hand while none was shown.
        indicators: films in which the indicator was known at the end, of those that show one, `of_indicators`.
    """

    films: int = 0
    shown: int = 0
    took: list[float | None] = field(default_factory=list)
    exact: int = 0
    judged: int = 0
    alarms: int = 0
    indicators: int = 0
    of_indicators: int = 0

    def add(self, film: Iterable[tuple[Sight, Truth]]) -> None:
        """One more film, as its frames were seen."""
        settler, memory, no_picture = Settler(), TableMemory(), np.zeros((1, 1, 3), np.uint8)
        took: float | None = None
        alarm = False
        indicator: Tile | None = None
        for sight, truth in film:
            settled = settler.add(sight, truth["time"])
            if settled.state in (State.SETTLED, State.EMPTY):
                memory.add(settled.now, truth["time"], no_picture)
            alarm = alarm or (memory.shown is not None and truth["shown"] is None)
            if took is None and memory.shown is not None and truth["shown"] is not None:
                took = truth["still"]
            lying = (Tile.parse(tile["tile"]) for tile in truth["tiles"] if tile["place"] == Place.INDICATOR.value)
            indicator = next(lying, indicator)  # in the end something may lie on it
        self.films += 1
        self.alarms += alarm
        if indicator is not None:
            self.of_indicators += 1
            self.indicators += memory.indicator is not None and memory.indicator.tile == indicator
        if truth["shown"] is not None:
            self.shown += 1
            self.took.append(took)
            if memory.shown is not None:
                self._judge(memory.shown.hand, Rack.parse(truth["shown"]), indicator)

    def _judge(self, hand: Hand, rack: Rack, indicator: Tile | None) -> None:
        """Compares the hand that was recognised with the one that was shown."""
        self.exact += hand.rack == rack
        judgement = dispute(hand).judgement
        self.judged += judgement is not None and judgement.valid == check(rack, indicator).valid


def recognised(films: int, seed: int, reader: TileReader) -> Recognised:
    """The counts over so many films. Raises NoFontsError."""
    counts = Recognised()
    for number in range(films):
        counts.add((reader.look_at_table(picture), truth) for picture, truth in film_deal(number, seed))
    return counts


def print_recognised(counts: Recognised) -> None:
    """Prints the counts."""
    seconds = [one for one in counts.took if one is not None]
    in_time = sum(one <= IN_TIME for one in seconds)
    print(f"{counts.films} rendered deals seen from above; a hand is shown in {counts.shown}")
    print(
        f"recognised within {IN_TIME:g} s: {in_time}, ever: {len(seconds)}; read exactly: {counts.exact}, judged rightly: {counts.judged}"
    )
    if seconds:
        print(f"from a hand that lies still to its verdict: median {statistics.median(seconds):.2f} s, longest {max(seconds):.2f} s")
    print(f"something else taken for a hand in {counts.alarms} films; indicator known in {counts.indicators} of {counts.of_indicators}")
