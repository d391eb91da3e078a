"""What the ledgers of many evenings say of each player: games, wins, pairs, okey finishes, and luck with the indicator.

Luck is what happened beside what was to be expected. Of the 106 tiles one lies face up as the indicator; its twin is any of
the 105 others with the same chance, so a player who is dealt n tiles holds it with a chance of n / 105: 14 / 105 = 2 / 15,
and 15 / 105 = 1 / 7 for who begins. The chance is the same for the formal and the informal deal; when a false joker was
turned up first in a formal one it is the same to 0.001 for each seat.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, timedelta
from fractions import Fraction
from itertools import groupby
from operator import add, attrgetter

from assistant.exchange import without_deal
from assistant.ledger import Ledger, play
from assistant.rules import Okey101Scoring, OkeyScoring, Rules
from assistant.scoring import Event
from assistant.seats import dealers, is_out, seat_after
from assistant.table import Table, same_person
from assistant.tiles import COPIES, NUMBERED_TILES

OTHERS = COPIES * (len(NUMBERED_TILES) + 1) - 1
"""How many tiles a set holds beside the indicator: 105."""
NEW_EVENING = timedelta(hours=6)
"""What is played before six in the morning belongs to the evening before."""


@dataclass(frozen=True)
class Game:
    """A table's ledger, when the game began, in the house's time, and whether it came from a file, which has the deals but not the time."""

    ledger: Ledger
    begun: datetime
    from_file: bool = False

    @property
    def evening(self) -> date:
        """The evening that it belongs to."""
        return (self.begun - NEW_EVENING).date()


@dataclass(frozen=True)
class Tally:
    """What counts of a player, over any number of deals; tallies are added up.

    Attributes:
        games, games_won: games that are over, and those of them that were won.
        deals, deals_won: deals that are over and that the player sat at, and those of them that the player won or finished.
        pairs: deals won with seven pairs, in 101 by one who had opened with pairs.
        okey_last: deals won with an okey as the last tile.
        indicators: times that the indicator's twin was shown.
        indicators_expected: how often the player held it, on average; 0 where it is not shown.
        in_one_turn: deals of 101 finished in one turn, nobody else having opened.
        not_opened: deals of 101 that ended before the player had opened.
        penalties: penalties in 101.
    """

    games: int = 0
    games_won: int = 0
    deals: int = 0
    deals_won: int = 0
    pairs: int = 0
    okey_last: int = 0
    indicators: int = 0
    indicators_expected: Fraction = Fraction(0)
    in_one_turn: int = 0
    not_opened: int = 0
    penalties: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*map(add, _figures(self), _figures(other)))

    @property
    def indicator_luck(self) -> Fraction:
        """How many more indicators were shown than were to be expected."""
        return self.indicators - self.indicators_expected


_figures = attrgetter(*(figure.name for figure in fields(Tally)))


@dataclass(frozen=True)
class PlayerHistory:
    """A player over all evenings.

    Attributes:
        name: as it was written last.
        okey, okey101: what was played, apart: their figures mean different things.
        evenings: how many deals of both were won on each evening that the player sat at a table, the first evening first.
    """

    name: str
    okey: Tally
    okey101: Tally
    evenings: dict[date, int]


def histories(games: Iterable[Game]) -> list[PlayerHistory]:
    """Every player, those with most deals won first. People are the same if their names are, whatever case and spaces.

    A game that was brought from a file while its own table is there, too, counts once.
    """
    names: dict[str, str] = {}
    tallies: dict[str, dict[bool, Tally]] = defaultdict(lambda: {False: Tally(), True: Tally()})
    evenings: dict[str, dict[date, int]] = defaultdict(lambda: defaultdict(int))
    for game in sorted(_once(games), key=lambda game: game.begun):
        table = game.ledger.table
        is_101 = isinstance(table.rules.scoring, Okey101Scoring)
        for name, tally in zip(table.players, game_tallies(game), strict=True):
            person = same_person(name)
            names[person] = " ".join(name.split())
            tallies[person][is_101] += tally
            if tally.deals:
                evenings[person][game.evening] += tally.deals_won
    found = [PlayerHistory(names[person], both[False], both[True], dict(evenings[person])) for person, both in tallies.items()]
    return sorted(found, key=lambda player: (-player.okey.deals_won - player.okey101.deals_won, _in_alphabet(player.name)))


def _in_alphabet(name: str) -> str:
    """Sorts a name as its letters stand in the Turkish alphabet: ç after c, before d."""
    return unicodedata.normalize("NFD", same_person(name))


def _once(games: Iterable[Game]) -> list[Game]:
    """The games, of those that are one game the one that was played on longest, begun when the first of them was.

    Two are one game if one of them came from a file, after the other was begun, and one's events are the beginning of the other's: the
    file had been kept then.
    """
    found: list[tuple[Game, list[Event]]] = []
    places: dict[Table, list[int]] = defaultdict(list)
    played = [(game, [without_deal(game.ledger.events[entry.line]) for entry in game.ledger.standing.history]) for game in games]
    for game, events in sorted(played, key=lambda one: (-len(one[1]), one[0].begun)):
        of_table = places[game.ledger.table]
        for place in of_table:
            longer, all_events = found[place]
            brought = any(one.from_file and one.begun >= other.begun for one, other in ((game, longer), (longer, game)))
            if brought and events and events == all_events[: len(events)]:
                found[place] = replace(longer, begun=min(game.begun, longer.begun)), all_events
                break
        else:
            of_table.append(len(found))
            found.append((game, events))
    return [game for game, _ in found]


def game_tallies(game: Game) -> list[Tally]:
    """What one game adds to each of its players, seat by seat. Of a deal that is still being played only penalties count yet."""
    table, standing = game.ledger.table, game.ledger.standing
    tallies = [Tally(games=int(standing.finished), games_won=int(seat in standing.winners)) for seat in range(len(table.players))]
    for deal in _deals(game):
        for seat in deal.seated:
            tallies[seat] += Tally(deals=1, indicators_expected=_twin_chance(table.rules, seat == deal.begins))
        for seat, tally in [counted for event in deal.events for counted in _counted(event, event is deal.events[-1])]:
            tallies[seat] += tally
    for entry in standing.history:
        event = game.ledger.events[entry.line]
        if event["event"] == "penalty":
            tallies[event["by"]] += Tally(penalties=1)
    return tallies


@dataclass(frozen=True)
class _Deal:
    """A deal that is over: who had not left, who began it, and what was entered of it."""

    seated: tuple[int, ...]
    begins: int
    events: tuple[Event, ...]


def _deals(game: Game) -> Iterator[_Deal]:
    table, standing, events = game.ledger.table, game.ledger.standing, game.ledger.events
    dealing = dealers(table, standing)
    scores = play(table, {}).scores
    for number, grouped in groupby(standing.history, key=lambda entry: entry.deal):
        entries = list(grouped)
        if number <= standing.deals or standing.finished:  # a shown indicator may end the game in the middle of a deal
            seated = tuple(seat for seat, score in enumerate(scores) if not is_out(table, score))
            yield _Deal(seated, seat_after(table, scores, dealing[number - 1]), tuple(events[entry.line] for entry in entries))
        scores = entries[-1].scores


def _twin_chance(rules: Rules, begins: bool) -> Fraction:
    """The chance that a player is dealt the indicator's twin; 0 where showing it does not count."""
    shown = isinstance(rules.scoring, OkeyScoring) and rules.scoring.with_indicator
    return Fraction(rules.hand_size + begins, OTHERS) if shown else Fraction(0)


def _counted(event: Event, ends_deal: bool) -> list[tuple[int, Tally]]:
    """What an event adds to which seat. A deal of 101 that does not end its deal was void."""
    kind, okey_last = event["event"], int(bool(event.get("okey_last")))
    if kind == "indicator_shown":
        return [(event["by"], Tally(indicators=1))]
    if kind == "win":
        return [(event["by"], Tally(deals_won=1, pairs=int(event["hand"] == "pairs"), okey_last=okey_last))]
    if kind != "deal" or not ends_deal:
        return []
    hands, finisher = event["players"], event.get("finisher")
    counted = [(seat, Tally(not_opened=1)) for seat, hand in enumerate(hands) if hand.get("opened") is None]
    if finisher is not None:
        pairs, in_one_turn = int(hands[finisher].get("opened") == "pairs"), int(bool(event.get("hand_finish")))
        counted.append((finisher, Tally(deals_won=1, pairs=pairs, okey_last=okey_last, in_one_turn=in_one_turn)))
    return counted
