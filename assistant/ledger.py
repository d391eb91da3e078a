"""The ledger of a table: events that are only ever added to, and the score that they come to.

A ledger is text, a JSON object a line. The first line is the table; undo and correction are events too, so that nothing
is lost. Every score is computed from the events, never kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from assistant.okey101 import Okey101Game
from assistant.rules import Okey101Scoring, OptionError, Rules, UnknownRulesError, rules_named, with_options
from assistant.scoring import Event, EventError, OkeyGame

FEWEST_PLAYERS, MOST_PLAYERS = 2, 4


class LedgerError(ValueError):
    """A ledger in which a line breaks the rules; the message names the line."""


@dataclass(frozen=True)
class Table:
    """Who plays what: the players in playing order, to the right."""

    rules: Rules
    players: tuple[str, ...]


@dataclass(frozen=True)
class Entry:
    """What the event of one line changed, and the accounts after it.

    Attributes:
        deal: the number of the deal that it belongs to; a void deal has that of the one played in its place.
    """

    line: int
    deal: int
    change: tuple[int, ...]
    scores: tuple[int, ...]


@dataclass(frozen=True)
class Standing:
    """What a ledger comes to.

    Attributes:
        scores: every player's account.
        winners: players who have won, once the game is finished.
        deals: how many deals are over.
        history: the events in force, in the order of the deals.
    """

    scores: tuple[int, ...]
    finished: bool
    winners: tuple[int, ...]
    deals: int
    history: tuple[Entry, ...]

    def to_json(self) -> dict[str, Any]:
        """The object that `istaka score --json` prints."""
        return {
            "scores": list(self.scores),
            "finished": self.finished,
            "winners": list(self.winners),
            "deals": self.deals,
            "history": [{"line": e.line, "change": list(e.change), "scores": list(e.scores)} for e in self.history],
        }


class Ledger:
    """A table and its events, checked as they are added.

    >>> ledger = Ledger(table_of({"rules": "classic", "players": ["Ayşe", "Burak"]}))
    >>> ledger.add(2, {"event": "win", "by": 0, "hand": "melds", "okey_last": True})
    >>> ledger.standing.scores
    (20, 16)
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self._events: dict[int, Event] = {}
        self._done: list[tuple[int, Event | None]] = []  # a line, and the event there that a correction replaced
        self.standing = play(table, {})

    @property
    def events(self) -> dict[int, Event]:
        """The events in force, by their lines."""
        return dict(self._events)

    def add(self, line: int, event: Event) -> None:
        """Adds the event of a line. Raises EventError and changes nothing when the rules do not allow it."""
        kind = event.get("event")
        events, done = dict(self._events), list(self._done)
        if kind == "undo" and "line" in event:
            target = _target(event, line)
            _check_in_force(target, events)
            done.append((target, events.pop(target)))
        elif kind == "undo":
            if not done:
                raise EventError("there is nothing left to undo")
            undone, before = done.pop()
            if before is None:
                del events[undone]
            else:
                events[undone] = before
        elif kind == "correct":
            target, event = _correction(event, line)
            _check_in_force(target, events)
            done.append((target, events[target]))
            events[target] = event
        else:
            if self.standing.finished:
                raise EventError("the game is over: only undo and correct are left")
            _check_deal(event, self.standing.deals + 1)
            done.append((line, None))
            events[line] = event
        self.standing = play(self.table, events, line)
        self._events, self._done = events, done


def _target(event: Event, line: int) -> int:
    """The earlier line that an undo or a correction names. Raises EventError."""
    target = event.get("line")
    if isinstance(target, bool) or not isinstance(target, int) or not 1 < target < line:
        raise EventError(f"'line' must name an earlier event, 2 to {line - 1}, not {target!r}")
    return target


def _check_in_force(target: int, events: Mapping[int, Event]) -> None:
    """Raises EventError when nothing of this line counts any more."""
    if target not in events:
        raise EventError(f"line {target} holds no event in force that could be changed")


def _correction(event: Event, line: int) -> tuple[int, Event]:
    """The line that is corrected, and its new event. Raises EventError."""
    target, new = _target(event, line), event.get("with")
    if not isinstance(new, dict) or new.get("event") in ("undo", "correct"):
        raise EventError("'with' must be the event that should stand there")
    return target, new


def _check_deal(event: Event, deal: int) -> None:
    """Raises EventError when the event says that it belongs to another deal than the one being played."""
    named = event.get("deal", deal)
    if named != deal:
        raise EventError(f"the event belongs to deal {named!r}, but deal {deal} is being played")


def play(table: Table, events: Mapping[int, Event], newest: int = 0) -> Standing:
    """The standing after these events, by their lines. Raises EventError; `newest` is the line that was added last."""
    scoring = table.rules.scoring
    count = len(table.players)
    game = Okey101Game(scoring, count) if isinstance(scoring, Okey101Scoring) else OkeyGame(scoring, count)
    history = []
    begun = False
    lines = sorted(events)
    for position, line in enumerate(lines):
        where = "" if line == newest else f"with this, line {line} does not fit any more: "
        if game.finished:
            raise EventError(f"{where}the game is over before it")
        try:
            if not begun:
                game.begin_deal([events[later] for later in _deal_lines(lines[position:], events)])
            deal, before = game.deals + 1, list(game.scores)
            begun = not game.apply(events[line])
        except EventError as error:
            raise EventError(f"{where}{error}") from None
        change = tuple(after - old for after, old in zip(game.scores, before, strict=True))
        history.append(Entry(line, deal, change, tuple(game.scores)))
    return Standing(tuple(game.scores), game.finished, tuple(game.winners()), game.deals, tuple(history))


def _deal_lines(lines: list[int], events: Mapping[int, Event]) -> list[int]:
    """The lines up to the one that ends the deal."""
    ends = (number for number, line in enumerate(lines, start=1) if events[line].get("event") in ("win", "exhausted", "deal"))
    return lines[: next(ends, len(lines))]


def table_of(line: Mapping[str, Any]) -> Table:
    """The table that a ledger's first line describes. Raises EventError, OptionError or UnknownRulesError."""
    players = line.get("players")
    if not isinstance(players, list) or not all(isinstance(name, str) and name.strip() for name in players):
        raise EventError("'players' must list the names in playing order")
    if not FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS:
        raise EventError(f"{len(players)} players are given: Okey is played by {FEWEST_PLAYERS} to {MOST_PLAYERS}")
    options = line.get("options") or {}
    if not isinstance(options, dict) or not isinstance(line.get("rules"), str):
        raise EventError('the first line must be the table, as {"rules": "classic", "players": ["Ayşe", …]}')
    if options.get("players", len(players)) != len(players):
        raise OptionError(f"the option 'players' says {options['players']!r}, but {len(players)} names are given")
    rules = with_options(rules_named(line["rules"]), {name: value for name, value in options.items() if name != "players"})
    if rules.scoring.partners and len(players) != MOST_PLAYERS:
        raise OptionError(f"partners need {MOST_PLAYERS} players")
    return Table(rules, tuple(players))


def read_ledger(lines: Iterable[str]) -> Ledger:
    """The ledger that these lines of text hold; empty lines count as lines. Raises LedgerError."""
    ledger: Ledger | None = None
    for number, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        try:
            entry = json.loads(text)
            if not isinstance(entry, dict):
                raise EventError("a line must be a JSON object")
            if ledger is None:
                ledger = Ledger(table_of(entry))
            else:
                ledger.add(number, entry)
        except json.JSONDecodeError:
            raise LedgerError(f"line {number} is no JSON object: {text.strip()[:60]}") from None
        except (EventError, OptionError, UnknownRulesError) as error:
            raise LedgerError(f"line {number}: {error}") from None
    if ledger is None:
        raise LedgerError("line 1 is missing: the ledger is empty, its first line must be the table")
    return ledger
