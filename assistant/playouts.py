"""What a hand is worth when the deal is played on: estimates by simulation, better and better, each with its standard error.

Nobody knows what the others hold, so every playout deals the unseen tiles anew, to the others and to the stock. The others then
improve their hands in as many turns as the tiles seen on the table tell of, and all play on as `bots.solver_player` does. What is
estimated holds under these assumptions, not against people.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt

from assistant.bots import best_discard, solver_player
from assistant.deal import PLAYERS, WHOLE_SET, Dealt
from assistant.game import Deal, Discard
from assistant.reasons import Reason
from assistant.rules import CLASSIC, OkeyScoring, Rules
from assistant.scoring import OkeyGame, side_of
from assistant.search import HAND
from assistant.solver import HandError, Judge, check_hand
from assistant.tiles import Tile

ME = 1
"""The seat of the player whose hand is estimated: it is their turn, as it is the first player's."""


@dataclass
class Estimate:
    """What came of the playouts so far, for the player whose hand it is.

    Attributes:
        deals: how many were played.
        wins, okey_last: how many of them the player won, and how many with an okey as the last tile.
        won_after: how often the player won after so many draws of their own.
        points, squares: what the player's account gained on the mean of their opponents' accounts, and its square, summed up.
    """

    deals: int = 0
    wins: int = 0
    okey_last: int = 0
    won_after: dict[int, int] = field(default_factory=dict)
    points: float = 0.0
    squares: float = 0.0

    @property
    def chance(self) -> float:
        """The chance to win the deal."""
        return self.wins / self.deals

    @property
    def chance_error(self) -> float:
        """Its standard error; one win and one loss are added so that it is never nothing."""
        share = (self.wins + 1) / (self.deals + 2)
        return sqrt(share * (1 - share) / (self.deals + 2))

    @property
    def okey_last_chance(self) -> float:
        """The chance to win it with an okey as the last tile."""
        return self.okey_last / self.deals

    def chance_within(self, draws: int) -> float:
        """The chance to win it by the player's own next draws."""
        return sum(count for after, count in self.won_after.items() if after <= draws) / self.deals

    @property
    def gain(self) -> float:
        """Points that the player gains on the mean of the opponents, on average."""
        return self.points / self.deals

    @property
    def gain_error(self) -> float:
        """Its standard error; infinite as long as nothing is known of the spread."""
        if self.deals < 2:
            return float("inf")
        spread = max(0.0, self.squares / self.deals - self.gain**2) * self.deals / (self.deals - 1)
        return sqrt(spread / self.deals)


def playouts(
    tiles: Sequence[Tile],
    indicator: Tile,
    seen: Sequence[Tile] = (),
    rules: Rules = CLASSIC,
    discards: Sequence[Tile | None] = (None,),
    players: int = PLAYERS,
    seed: int = 0,
) -> Iterator[tuple[Estimate, ...]]:
    """Plays deals on from here without end, and yields after each what is known by then, an estimate for each of the discards.

    All of them are tried on the same tiles of the others and the same stock, so that they compare better than each by itself.

    Args:
        tiles: the player's hand, 14 tiles before a draw or 15 before a discard.
        seen: tiles that lie on the table; they are neither drawn nor held by others.
        discards: what the player may discard now; None for what the bot does.
        players: how many play.

    Raises:
        HandError, NotationError: when there can be no such hand.
    """
    check_hand(tiles, indicator, seen, rules)
    over = HandError(Reason("no tile is left to draw: the deal is over"))
    unseen = list(WHOLE_SET)
    for tile in (*tiles, *seen):
        unseen.remove(tile)
    if indicator not in unseen:  # it was drawn as the last tile
        raise over
    unseen.remove(indicator)
    held = HAND * (players - 1)
    if len(unseen) < held:
        raise HandError(Reason("{count} tiles are unseen: the other players hold {held}", count=len(unseen), held=held))
    if len(tiles) == HAND and len(unseen) == held and not rules.indicator_is_last_tile:
        raise over
    # The indicator's twin may be shown before the first draw only, and nobody knows whether that is past.
    scoring = replace(rules.scoring, with_indicator=False) if isinstance(rules.scoring, OkeyScoring) else rules.scoring
    rules = replace(rules, scoring=scoring)
    rng = random.Random(seed)
    estimates = tuple(Estimate() for _ in discards)
    while True:
        rng.shuffle(unseen)
        stock = unseen[held:]
        others = [
            _improved(unseen[first : first + HAND], stock, indicator, rules, turns=len(seen) // players) for first in range(0, held, HAND)
        ]
        rng.shuffle(stock)
        dealt = Dealt((others[0], tuple(tiles), *others[1:]), indicator, tuple(stock))
        for discard, estimate in zip(discards, estimates, strict=True):
            _play_on(Deal(dealt, rules), seen, discard, estimate)
        yield estimates


def _improved(hand: list[Tile], stock: list[Tile], indicator: Tile, rules: Rules, turns: int) -> tuple[Tile, ...]:
    """A hand after so many turns in which it did not win: each takes a tile of the stock and puts another under it."""
    judge = Judge((), indicator, (), rules)
    for _ in range(turns if stock else 0):
        drawn = stock.pop()
        wins = judge.wins(judge.hand([*hand, drawn]))
        discard = drawn if wins else best_discard([*hand, drawn], indicator, (), rules)
        hand.append(drawn)
        hand.remove(discard)
        stock.insert(0, discard)
    return tuple(hand)


def until(estimates: Iterator[tuple[Estimate, ...]], error: float = 0.01, seconds: float = 30.0) -> Iterator[tuple[Estimate, ...]]:
    """The estimates of `playouts` until every chance is known to this standard error, or for so many seconds."""
    end = time.monotonic() + seconds
    for now in estimates:
        yield now
        if time.monotonic() > end or all(estimate.chance_error <= error for estimate in now):
            return


def gain_now(tiles: Sequence[Tile], indicator: Tile, rules: Rules = CLASSIC, players: int = PLAYERS) -> float:
    """What 15 tiles that win give the player over the mean of the opponents when they are shown now, in the dearest way."""
    nobody: list[tuple[Tile, ...]] = [()] * (players - 2)
    deal = Deal(Dealt(((), tuple(tiles), *nobody), indicator, ()), rules)
    deal.play(deal.wins()[0])
    return _gain(deal)


def _gain(deal: Deal) -> float:
    """What a deal that is over gives the player over the mean of the opponents, all with the accounts that they start with."""
    scoring = deal.rules.scoring
    assert isinstance(scoring, OkeyScoring), "nothing else is played"
    players = range(len(deal.hands))
    game = OkeyGame(scoring, len(players))
    game.begin_deal(deal.events)
    for event in deal.events:
        game.apply(event)
    opponents = [game.scores[seat] for seat in players if seat not in side_of(ME, scoring)]
    return game.scores[ME] - sum(opponents) / len(opponents)


def _play_on(deal: Deal, seen: Sequence[Tile], discard: Tile | None, estimate: Estimate) -> None:
    """Plays a deal to its end and adds what came of it."""
    deal.piles[ME].extend(seen)  # so that all see what lies on the table
    draws = 0
    if discard is not None:
        deal.play(Discard(discard))
    while not deal.over:
        draws += deal.is_drawing and deal.turn == ME
        deal.play(solver_player(deal))
    end = deal.events[-1]
    gain = _gain(deal)
    estimate.deals += 1
    estimate.points += gain
    estimate.squares += gain**2
    if end.get("by") == ME:
        estimate.wins += 1
        estimate.okey_last += end["okey_last"]
        estimate.won_after[draws] = estimate.won_after.get(draws, 0) + 1
