"""Many deals played by bots, over the cores of this machine or over a Ray cluster: who wins how often, how long deals are, how they end.

Every deal is checked after every move, so that a simulation is also a trial of the rules in `game.py`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from assistant.bots import random_player, solver_player
from assistant.deal import FEWEST_PLAYERS, PLAYERS, WHOLE_SET, shuffle_and_deal
from assistant.game import Deal, Discard, Player, Win
from assistant.rules import CLASSIC, OkeyScoring, Rules
from assistant.search import HAND, compile_searches

BOTS: dict[str, Callable[[random.Random], Player]] = {"solver": lambda rng: solver_player, "random": random_player}
"""Who plays, by name."""
CHUNK = 100
"""Deals that one task plays: a second or less, so that progress is seen."""


class SimulationError(ValueError):
    """A simulation that cannot be run; the message is a sentence for the user."""


class ImpossibleDealError(ValueError):
    """A deal in a state that the rules do not allow: a fault of this program."""


@dataclass(frozen=True)
class Task:
    """Some deals to be played; the same task always plays the same deals.

    Attributes:
        seed, number: of the simulation, and of the task in it.
    """

    deals: int
    players: int
    rules: Rules
    bots: str
    seed: int
    number: int


@dataclass
class Tally:
    """What came of some deals.

    Attributes:
        won_by: how often each seat won, the dealer first and then to the right.
        hands: how often a deal was won as what.
        okey_last: how often with an okey as the fifteenth tile.
        exhausted: how often the stock ran out.
        shown: how often the indicator was shown.
        turns: how often a deal had so many turns, each of which ends with a discard or the win.
    """

    deals: int = 0
    won_by: Counter[int] = field(default_factory=Counter)
    hands: Counter[str] = field(default_factory=Counter)
    okey_last: int = 0
    exhausted: int = 0
    shown: int = 0
    turns: Counter[int] = field(default_factory=Counter)

    def __add__(self, other: Tally) -> Tally:
        return Tally(**{name: value + getattr(other, name) for name, value in vars(self).items()})

    def add(self, deal: Deal, turns: int) -> None:
        """Counts a deal that is over."""
        end = deal.events[-1]
        self.deals += 1
        self.turns[turns] += 1
        self.shown += len(deal.events) - 1
        if end["event"] == "exhausted":
            self.exhausted += 1
        else:
            self.won_by[end["by"]] += 1
            self.hands[end["hand"]] += 1
            self.okey_last += end["okey_last"]

    @property
    def mean_turns(self) -> float:
        """Turns of a deal on average."""
        return sum(turns * deals for turns, deals in self.turns.items()) / self.deals

    def to_json(self) -> dict[str, Any]:
        """The part of what `istaka simulate --json` prints that depends on the seed alone."""
        return {
            "deals": self.deals,
            "won_by": dict(sorted(self.won_by.items())),
            "hands": dict(self.hands),
            "okey_last": self.okey_last,
            "exhausted": self.exhausted,
            "indicator_shown": self.shown,
            "turns": {"mean": self.mean_turns, "fewest": min(self.turns), "most": max(self.turns)},
        }


def play_deals(task: Task) -> Tally:
    """Plays the deals of a task, each from the shuffle to its end. Raises ImpossibleDealError."""
    tally = Tally()
    for number in range(task.deals):
        name = f"{task.seed}/{task.number}/{number}"
        rng = random.Random(name)
        player = BOTS[task.bots](rng)
        deal = Deal(shuffle_and_deal(rng, task.players, task.rules.informal_deal), task.rules)
        turns = 0
        while not deal.over:
            move = player(deal)
            deal.play(move)
            turns += isinstance(move, (Discard, Win))
            _check_numbers(deal, name)
        _check_tiles(deal, name)
        tally.add(deal, turns)
    return tally


def _check_numbers(deal: Deal, name: str) -> None:
    """Raises ImpossibleDealError when tiles are lost or doubled, or a hand is too large or too small."""
    held = [len(hand) for hand in deal.hands]
    tiles = sum(held) + len(deal.stock) + len(deal.discards) + (not deal.rules.indicator_is_last_tile)
    waiting = [size for seat, size in enumerate(held) if seat != deal.turn]
    if tiles != len(WHOLE_SET) or any(size != HAND for size in waiting) or held[deal.turn] not in (HAND, HAND + 1):
        raise ImpossibleDealError(f"deal {name} came to hands of {held} tiles, {tiles} in all: this is a fault of istaka, please report it")


def _check_tiles(deal: Deal, name: str) -> None:
    """Raises ImpossibleDealError when the tiles are not those of one set any more."""
    tiles = [*deal.discards, *deal.stock, *(tile for hand in deal.hands for tile in hand)]
    if not deal.rules.indicator_is_last_tile:
        tiles.append(deal.indicator)
    if Counter(tiles) != Counter(WHOLE_SET):
        raise ImpossibleDealError(f"deal {name} ended with other tiles than one set has: this is a fault of istaka, please report it")


def simulate(
    deals: int, players: int = PLAYERS, rules: Rules = CLASSIC, bots: str = "solver", seed: int = 0, engine: str = "local", workers: int = 1
) -> Iterator[Tally]:
    """Plays deals and yields what came of them so far, again and again until all are played.

    The result is the same for every engine and number of workers.

    Args:
        engine: `local` for processes on this machine, `ray` for the cluster at RAY_ADDRESS, or one begun here.
        workers: how many processes play.

    Raises:
        SimulationError: when there is nothing to play, the rules are those of Okey 101, or Ray is wanted and not installed.
        ImpossibleDealError: when a deal breaks the rules.
    """
    if deals < 1 or workers < 1 or not FEWEST_PLAYERS <= players <= PLAYERS:
        raise SimulationError(f"a simulation needs a deal or more, a worker or more and {FEWEST_PLAYERS} to {PLAYERS} players")
    if not isinstance(rules.scoring, OkeyScoring):
        raise SimulationError("Okey 101 cannot be simulated: choose the rules of an Okey without opening")
    tasks = [Task(min(CHUNK, deals - first), players, rules, bots, seed, number) for number, first in enumerate(range(0, deals, CHUNK))]
    tally = Tally()
    with _pool(engine, workers) as pool:
        for played in pool.imap_unordered(play_deals, tasks):
            tally += played
            yield tally


def _pool(engine: str, workers: int) -> Any:
    """A pool of worker processes with compiled searches."""
    if engine == "ray":
        try:
            from ray.util.multiprocessing import Pool
        except ImportError:
            raise SimulationError("Ray is not installed: run pip install 'istaka[ray]', or leave --engine ray out") from None
        return Pool(workers, initializer=compile_searches)
    from multiprocessing import Pool as LocalPool

    return LocalPool(workers, initializer=compile_searches)
