"""Deals or whole games played by bots, over the cores of this machine or over a Ray cluster: who wins how often, how long deals are, how
they end.

Every deal is checked after every move, so that a simulation is also a trial of the rules in `game.py` and `game101.py`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from assistant.bots import random_player, solver_player
from assistant.bots101 import opening_player
from assistant.deal import FEWEST_PLAYERS, PLAYERS, WHOLE_SET, is_whole_set, shuffle_and_deal
from assistant.game import Deal, DealInPlay, Discard, Player, Win
from assistant.game101 import Deal101
from assistant.groups import name_group
from assistant.ledger import Ledger
from assistant.rules import CLASSIC, Okey101Scoring, OkeyScoring, Rules
from assistant.scoring import Event
from assistant.search import compile_searches
from assistant.seats import dealers, is_out
from assistant.table import Table
from assistant.workers import MOST_WORKERS, open_pool

BOTS: dict[str, Callable[[Rules, random.Random], Player]] = {
    "solver": lambda rules, rng: opening_player if rules.opens else solver_player,
    "random": lambda rules, rng: random_player(rng),
}
"""Who plays, by name."""
CHUNK_DEALS, CHUNK_GAMES = 100, 5
"""Deals, or whole games, that one task plays: a few seconds or less, so that progress is seen."""


class SimulationError(ValueError):
    """A simulation that cannot be run; the message is a sentence for the user."""


class ImpossibleDealError(ValueError):
    """A deal in a state that the rules do not allow: a fault of this program."""


@dataclass(frozen=True)
class Task:
    """Some deals or games to be played; the same task always plays the same ones.

    Attributes:
        count: how many.
        games: whether whole games are played, from the first deal to the last, and not single deals.
        seed, number: of the simulation, and of the task in it.
    """

    count: int
    players: int
    rules: Rules
    bots: str
    seed: int
    number: int
    games: bool = False


@dataclass
class Tally:
    """What came of some deals.

    Attributes:
        won_by: how often each seat won, or finished, the dealer first and then to the right.
        hands: how often a deal was won as what; in 101 by one who had opened with what.
        facts: how often what else happened, see `_facts` and `_facts_101`.
        turns: how often a deal had so many turns, each of which ends with a discard or the win.
        games_won_by: how often each player won a game, who dealt first comes first; those tied both won.
        games: how often a game had so many deals; empty where single deals are played.
    """

    won_by: Counter[int] = field(default_factory=Counter)
    hands: Counter[str] = field(default_factory=Counter)
    facts: Counter[str] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    games_won_by: Counter[int] = field(default_factory=Counter)
    games: Counter[int] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Counts what came of other deals too."""
        for name, counts in vars(self).items():
            counts.update(getattr(other, name))

    def add_deal(self, deal: DealInPlay[Any], turns: int) -> None:
        """Counts a deal that is over."""
        end = deal.events[-1]
        winner = end.get("by", end.get("finisher"))
        if winner is not None:
            self.won_by[deal.players.index(winner)] += 1
            self.hands[end["hand"] if "hand" in end else end["players"][winner]["opened"]] += 1
        facts = _facts_101(deal) if isinstance(deal, Deal101) else _facts(deal.events)
        self.facts.update({name: int(count) for name, count in facts.items()})
        self.turns[turns] += 1

    @property
    def deals(self) -> int:
        """How many deals are counted."""
        return self.turns.total()

    def to_json(self) -> dict[str, Any]:
        """The part of what `istaka simulate --json` prints that depends on the seed alone."""
        games: dict[str, Any] = {}
        if self.games:
            games = {
                "games": self.games.total(),
                "games_won_by": dict(sorted(self.games_won_by.items())),
                "deals_of_a_game": _spread(self.games),
            }
        return {
            **games,
            "deals": self.deals,
            "won_by": dict(sorted(self.won_by.items())),
            "hands": dict(sorted(self.hands.items())),
            **self.facts,
            **({"turns": _spread(self.turns)} if self.turns else {}),  # a shown indicator may end a game in its first deal
        }


def _spread(counts: Counter[int]) -> dict[str, float]:
    """The mean, the least and the largest of numbers that were counted."""
    mean = sum(number * count for number, count in counts.items()) / counts.total()
    return {"mean": mean, "fewest": min(counts), "most": max(counts)}


def _facts(events: Sequence[Event]) -> dict[str, int]:
    """How a deal of Okey ended, and whether the indicator was shown."""
    end = events[-1]
    return {
        "okey_last": end.get("okey_last", False),
        "exhausted": end["event"] == "exhausted",
        "indicator_shown": len(events) - 1,
    }


def _facts_101(deal: Deal101) -> dict[str, int]:
    """How a deal of 101 ended, how many players had opened with what, and the faults."""
    *penalties, end = deal.events
    reasons = [event["reason"] for event in penalties]
    opened = [hand["opened"] for hand in end["players"]]
    return {
        "okey_last": end["okey_last"],
        "hand_finish": end["hand_finish"],
        "exhausted": end["finisher"] is None and not deal.stock,
        "void": end["finisher"] is None and bool(deal.stock),
        "opened_melds": opened.count("melds"),
        "opened_pairs": opened.count("pairs"),
        "not_opened": opened.count(None),
        "okeys_left": sum(hand.get("okeys_left", 0) for hand in end["players"]),
        **{reason: reasons.count(reason) for reason in ("okey_discarded", "playable_discard")},
    }


def play_task(task: Task) -> Tally:
    """Plays the deals or games of a task, each deal from the shuffle to its end. Raises ImpossibleDealError."""
    tally = Tally()
    for number in range(task.count):
        name = f"{task.seed}/{task.number}/{number}"
        rng = random.Random(name)
        player = BOTS[task.bots](task.rules, rng)
        if task.games:
            names = tuple(f"player {seat}" for seat in range(task.players))
            play_game(Table(task.rules, names), player, rng, tally, name)
        else:
            _play(_dealt(rng, task.rules, range(task.players)), player, tally, name)
    return tally


def play_game(table: Table, player: Player, rng: random.Random, tally: Tally, name: str = "") -> Ledger:
    """Plays a game from its first deal to its last: the deal passes to the right, who is out leaves, the ledger keeps the score.

    Args:
        player: who moves for everyone.
        tally: where the deals and the game are counted.
        name: of the game, for errors.

    Raises:
        ImpossibleDealError: when a deal breaks the rules.
    """
    ledger = Ledger(table)
    while not ledger.standing.finished:
        dealer = dealers(table, ledger.standing)[-1]
        _play(_dealt(rng, table.rules, _standing(ledger, dealer)), player, tally, name, ledger)
    tally.games[ledger.standing.deals] += 1
    tally.games_won_by.update((winner - table.first_dealer) % len(table.players) for winner in ledger.standing.winners)
    return ledger


def _standing(ledger: Ledger, first: int) -> list[int]:
    """The players who are not out, counted from one of them to the right."""
    scores = ledger.standing.scores
    around = (player % len(scores) for player in range(first, first + len(scores)))
    return [player for player in around if not is_out(ledger.table, scores[player])]


def _dealt(rng: random.Random, rules: Rules, players: Sequence[int]) -> DealInPlay[Any]:
    """A new deal for these players, the dealer first."""
    dealt = shuffle_and_deal(rng, len(players), rules.informal_deal, rules.hand_size)
    return Deal101(dealt, rules, players) if rules.opens else Deal(dealt, rules, players)


def _play(deal: DealInPlay[Any], player: Player, tally: Tally, name: str, ledger: Ledger | None = None) -> None:
    """Plays a deal to its end, or to that of the game, and counts it. Raises ImpossibleDealError."""
    turns, told = 0, 0
    while not deal.over:
        move = player(deal)
        deal.play(move)
        turns += isinstance(move, (Discard, Win))
        _check_numbers(deal, name)
        if ledger is None or told == len(deal.events):
            continue
        for event in deal.events[told:]:
            ledger.add(len(ledger.lines) + 2, event)
        told = len(deal.events)
        if ledger.standing.finished and not deal.over:
            return
        for out in set(deal.players) - set(_standing(ledger, 0)):
            deal.leave(out)
    _check_tiles(deal, name)
    tally.add_deal(deal, turns)


def _check_numbers(deal: DealInPlay[Any], name: str) -> None:
    """Raises ImpossibleDealError when a hand is too large or too small, or tiles are lost or doubled."""
    held, tiles = [len(hand) for hand in deal.hands], len(deal.tiles)
    most = deal.rules.hand_size
    least = int(not deal.over) if deal.rules.opens else most
    if tiles != len(WHOLE_SET) or not all(least <= size <= most + (seat == deal.turn) for seat, size in enumerate(held)):
        raise ImpossibleDealError(f"deal {name} came to hands of {held} tiles, {tiles} in all: this is a fault of istaka, please report it")


def _check_tiles(deal: DealInPlay[Any], name: str) -> None:
    """Raises ImpossibleDealError when the tiles are not those of one set any more, or lie in groups that are none."""
    if not is_whole_set(deal.tiles):
        raise ImpossibleDealError(f"deal {name} ended with other tiles than one set has: this is a fault of istaka, please report it")
    for group in deal.groups if isinstance(deal, Deal101) else ():
        if name_group([placed.stands_for for placed in group], None, deal.rules).kind is None:
            laid = " ".join(map(str, group))
            raise ImpossibleDealError(f"deal {name} ended with {laid} as a group: this is a fault of istaka, please report it")


def _costs_without_a_win(scoring: OkeyScoring) -> bool:
    """Whether deals in which nobody wins bring a game to its end."""
    return scoring.exhausted_penalty > 0 or (scoring.with_indicator and scoring.indicator_minimum <= 1)


def simulate(
    count: int,
    players: int = PLAYERS,
    rules: Rules = CLASSIC,
    bots: str = "solver",
    seed: int = 0,
    engine: str = "local",
    workers: int = 1,
    games: bool = False,
) -> Iterator[Tally]:
    """Plays deals or whole games and yields what came of them so far, again and again until all are played.

    The result is the same for every engine and number of workers.

    Args:
        count: how many deals, or games.
        engine: one of `assistant.arguments.ENGINES`.
        workers: how many processes play.
        games: whether whole games are played.

    Raises:
        SimulationError: when there is nothing to play, or a game would have no end.
        EngineError: when Ray is wanted and not installed, or a process died.
        ImpossibleDealError: when a deal breaks the rules.
    """
    if count < 1 or workers < 1 or not FEWEST_PLAYERS <= players <= PLAYERS:
        raise SimulationError(f"a simulation needs a deal or a game at least, a worker at least and {FEWEST_PLAYERS} to {PLAYERS} players")
    if workers > MOST_WORKERS:
        raise SimulationError(f"{workers} workers are too many: give 1 to {MOST_WORKERS}")
    if rules.scoring.partners and players != PLAYERS:
        raise SimulationError(f"partners need {PLAYERS} players")
    if games and isinstance(rules.scoring, Okey101Scoring) and rules.scoring.deals is None:
        raise SimulationError("a game of 101 has as many deals as the table sets: say how many, as --option deals=5")
    if games and bots == "random" and isinstance(rules.scoring, OkeyScoring) and not _costs_without_a_win(rules.scoring):
        raise SimulationError("random bots hardly ever win, and nothing else ends such a game: add --option exhausted_penalty=1")
    chunk = CHUNK_GAMES if games else CHUNK_DEALS
    tasks = (
        Task(min(chunk, count - first), players, rules, bots, seed, number, games) for number, first in enumerate(range(0, count, chunk))
    )
    tally = Tally()
    with open_pool(engine, workers, compile_searches) as pool:
        for played in pool.imap_unordered(play_task, tasks):
            tally.add(played)
            yield tally
