"""The ledger of a table: events that are only ever added to, and the score that they come to.

A ledger is text, a JSON object a line. The first line is the table; undo and correction are events too, so that nothing
is lost. Every score is computed from the events, never kept.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from itertools import count
from typing import Any

from assistant.okey101 import Okey101Game
from assistant.reasons import Reason
from assistant.rules import Okey101Scoring, OptionError, Rules, UnknownRulesError, rules_named, with_options
from assistant.scoring import Event, EventError, OkeyGame

CHANGES = ("undo", "correct")
"""Events that change what earlier lines say."""
FIELDS = {
    "indicator_shown": ("by",),
    "win": ("by", "hand", "okey_last", "colour"),
    "exhausted": (),
    "deal": ("finisher", "okey_last", "hand_finish", "players"),
    "penalty": ("by", "reason"),
}
"""What each event may say beside its deal and the indicator."""
HAND_FIELDS, TABLE_FIELDS = ("opened", "left", "okeys_left"), ("rules", "players", "options", "first_dealer")
"""What a deal of 101 may say of a hand, and the first line of a ledger."""
ALIKE = 0.75
"""How like a known name another one is that is taken for a slip of the pen, as `difflib` measures it."""
FEWEST_PLAYERS, MOST_PLAYERS = 2, 4
MOST_PROBLEMS = 5
"""How many lines that break the rules a LedgerError names in its message."""


_Step = tuple[int, Event | None]
"""What an undo gives back: a line, and the event there that was changed; None where there was none before."""


class LedgerError(ValueError):
    """A ledger in which lines break the rules.

    Attributes:
        problems: a sentence for each such line, which names it.
    """

    def __init__(self, *problems: str) -> None:
        more = len(problems) - MOST_PROBLEMS
        super().__init__("; ".join([*problems[:MOST_PROBLEMS], *[f"and {more} more"] * (more > 0)]))
        self.problems = problems


@dataclass(frozen=True)
class Table:
    """Who plays what: the players in playing order, to the right, and the one of them who deals first."""

    rules: Rules
    players: tuple[str, ...]
    first_dealer: int = 0

    def to_json(self) -> dict[str, Any]:
        """The first line of a ledger: the options are those that differ from the preset's."""
        preset = rules_named(self.rules.name)
        changed = [
            (option.name, getattr(now, option.name))
            for now, before in ((self.rules, preset), (self.rules.scoring, preset.scoring))
            for option in fields(now)
            if option.metadata and getattr(now, option.name) != getattr(before, option.name)
        ]
        dealer = {"first_dealer": self.first_dealer} if self.first_dealer else {}
        return {"rules": self.rules.name, "players": list(self.players), "options": dict(changed), **dealer}


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
        aside: lines with events in force that do not fit into the game and so do not count, and why: an earlier version of the program
            had scored what stands before them in another way.
    """

    scores: tuple[int, ...]
    finished: bool
    winners: tuple[int, ...]
    deals: int
    history: tuple[Entry, ...]
    aside: Mapping[int, Reason] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The object that `istaka score --json` prints."""
        return {
            "scores": list(self.scores),
            "finished": self.finished,
            "winners": list(self.winners),
            "deals": self.deals,
            "history": [{"line": e.line, "change": list(e.change), "scores": list(e.scores)} for e in self.history],
        }


@dataclass(frozen=True)
class Changeable:
    """Whether what stands in a line can be changed now.

    Attributes:
        correct: why it cannot be corrected; None when it can. Whether a certain event can stand there, `Ledger.refusal` tells.
        take_back: why it cannot be taken back; None when it can.
    """

    correct: EventError | None
    take_back: EventError | None


@dataclass(frozen=True)
class _Begun:
    """The beginning of a deal, from which a game is played on when only that deal, or what follows it, has changed.

    Attributes:
        line: of the deal's first event.
        scores, deals, history, aside: as in the standing at that time.
    """

    line: int
    scores: tuple[int, ...]
    deals: int
    history: tuple[Entry, ...]
    aside: Mapping[int, Reason]


def same_person(name: str) -> str:
    """What is the same for all ways to write a name: case and spaces do not matter, nor whether an i has its dot."""
    folded = unicodedata.normalize("NFKC", " ".join(name.split())).casefold()
    return folded.replace("ı", "i").replace("i\u0307", "i")  # a dotted capital folds to i and the dot alone


def same_twice(names: Sequence[str]) -> str | None:
    """The first name that another one is the same as; None if they can all be told apart."""
    people = list(map(same_person, names))
    return next((name for name, person in zip(names, people, strict=True) if people.count(person) > 1), None)


class Ledger:
    """A table and its events, checked as they are added.

    Attributes:
        table: the table.
        lines: all events that were added, by their lines.
        standing: what they come to.

    >>> ledger = Ledger(table_of({"rules": "classic", "players": ["Ayşe", "Burak"]}))
    >>> ledger.add(2, {"event": "win", "by": 0, "hand": "melds", "okey_last": True})
    >>> ledger.standing.scores
    (20, 16)
    """

    def __init__(self, table: Table, lines: Mapping[int, Event] | None = None) -> None:
        """A ledger with `lines` that were all checked when they were added: they are played once, not after each of them.

        An event stays as it was written then and counts, though it could not be entered any more; one that does not fit into the game
        is set aside until it is corrected, or what stands before it is.

        Raises:
            EventError: when an event is written wrong.
        """
        self.table = table
        self.lines: dict[int, Event] = {}
        self._events: dict[int, Event] = {}
        self._done: list[_Step] = []
        for line, event in (lines or {}).items():
            self._events, self._done = self._with(line, event)
            self.lines[line] = event
        self.standing, self._begun = _play(table, self._events, spared=self._events)

    @property
    def events(self) -> dict[int, Event]:
        """The events in force, by their lines."""
        return dict(self._events)

    def add(self, line: int, event: Event) -> None:
        """Adds the event of a line. Raises EventError and changes nothing when the rules do not allow it."""
        self._events, self._done, self.standing, self._begun = self._checked(line, event)
        self.lines[line] = event

    def refusal(self, event: Event) -> EventError | None:
        """Why the rules do not allow an event as the next line; None when they do."""
        try:
            self._checked(max(self.lines, default=1) + 1, event)
        except EventError as error:
            return error
        return None

    def changeable(self, line: int) -> Changeable:
        """Whether what stands in a line can be changed now."""
        if line in self._events:
            return Changeable(correct=None, take_back=self.refusal({"event": "undo", "line": line}))
        if line not in self.lines:
            why = Reason("line {line} holds no event", line=line)
        elif self.lines[line]["event"] in CHANGES:
            why = Reason("line {line} is a change of another line: only that one can be changed again", line=line)
        else:
            why = Reason("line {line} was taken back: what happened can be entered anew", line=line)
        return Changeable(EventError(why), EventError(why))

    def _checked(self, line: int, event: Event) -> tuple[dict[int, Event], list[_Step], Standing, _Begun | None]:
        """The events in force, the steps, the standing and its last deal after one more line. Raises EventError."""
        if event.get("event") not in CHANGES:
            if self.standing.finished:
                raise EventError(Reason("the game is over: only undo and correct are left"))
            _check_deal(event, self.standing.deals + 1)
        events, done = self._with(line, event)
        if event.get("event") == "correct":
            corrected = done[-1][0]
            deals = {entry.line: entry.deal for entry in self.standing.history}
            deal = deals.get(corrected)
            named = events[corrected].get("deal", deal)
            if deal is not None and named != deal:
                raise EventError(f"line {corrected} belongs to deal {deal}, not {named!r}")
        changed = done[-1][0] if len(done) > len(self._done) else self._done[-1][0]
        entered = 0 if event.get("event") == "undo" else changed
        begun = self._begun if self._begun and changed >= self._begun.line else None
        return events, done, *_play(self.table, events, entered, self.standing.aside, begun)

    def _with(self, line: int, event: Event) -> tuple[dict[int, Event], list[_Step]]:
        """The events in force and the steps after one more line, whatever it does to the score. Raises EventError."""
        events, done = dict(self._events), list(self._done)
        kind = event.get("event")
        if kind == "undo" and "line" in event:
            target = _target(event, line, events)
            done.append((target, events.pop(target)))
        elif kind == "undo":
            if not done:
                raise EventError(Reason("there is nothing left to undo"))
            undone, before = done.pop()
            if before is None:
                del events[undone]
            else:
                events[undone] = before
        elif kind == "correct":
            target, new = _correction(event, line, events)
            done.append((target, events[target]))
            events[target] = new
        else:
            done.append((line, None))
            events[line] = event
        return events, done


def _target(event: Event, line: int, events: Mapping[int, Event]) -> int:
    """The earlier line, of those in force, that an undo or a correction names. Raises EventError."""
    target = event.get("line")
    if line == 2:  # the first event
        raise EventError("there is no earlier event that could be changed")
    if isinstance(target, bool) or not isinstance(target, int) or not 1 < target < line:
        raise EventError(f"'line' must name an earlier event, 2 to {line - 1}, not {target!r}")
    if target not in events:
        raise EventError(Reason("line {line} holds no event in force that could be changed", line=target))
    return target


def _correction(event: Event, line: int, events: Mapping[int, Event]) -> tuple[int, Event]:
    """The line that is corrected, and its new event. Raises EventError."""
    target, new = _target(event, line, events), event.get("with")
    if not isinstance(new, dict) or new.get("event") in CHANGES:
        raise EventError("'with' must be the event that should stand there")
    return target, new


def _check_deal(event: Event, deal: int) -> None:
    """Raises EventError when the event says that it belongs to another deal than the one being played."""
    named = event.get("deal", deal)
    if named != deal:
        if not isinstance(named, int):
            raise EventError(f"'deal' must be the number of a deal, not {named!r}")
        raise EventError(Reason("the event belongs to deal {named}, but deal {deal} is being played", named=named, deal=deal))


def _check_fields(event: Event) -> None:
    """Raises EventError for a slip of the pen in an event other than an undo or a correction."""
    _check_names(event, ("indicator", *FIELDS[event["event"]]))
    for hand in event["players"] if event["event"] == "deal" else ():
        _check_names(hand, HAND_FIELDS)


def _check_names(said: Mapping[str, Any], known: Sequence[str]) -> None:
    """Raises EventError when something is said by nearly one of these names, and so would not count; what others add is passed over."""
    for name in said:
        meant = [] if name in known else get_close_matches(name, known, n=1, cutoff=ALIKE)
        if meant:
            raise EventError(f"{name!r} is not known here: write {meant[0]!r} if that is meant, or leave it out")


def play(table: Table, events: Mapping[int, Event], newest: int = 0, spared: Collection[int] = ()) -> Standing:
    """The standing after these events, by their lines.

    Args:
        newest: the line of the event that is being entered; those of the others were checked when they were, and count as they stand.
        spared: other lines that may be set aside if they do not fit into the game.

    Raises:
        EventError: when the rules do not allow what the events come to.
    """
    return _play(table, events, newest, spared)[0]


def _play(
    table: Table, events: Mapping[int, Event], newest: int = 0, spared: Collection[int] = (), begun: _Begun | None = None
) -> tuple[Standing, _Begun | None]:
    """The standing after these events, as `play` tells it, and the beginning of its last deal; None before the first.

    Args:
        begun: a deal from which to play on, if no event before it has changed.
    """
    scoring = table.rules.scoring
    players = len(table.players)
    game = Okey101Game(scoring, players) if isinstance(scoring, Okey101Scoring) else OkeyGame(scoring, players)
    history: list[Entry] = []
    aside: dict[int, Reason] = {}
    if begun is not None:
        game.scores, game.deals = list(begun.scores), begun.deals
        history += begun.history
        aside |= begun.aside
    goes_on = False
    lines = sorted(line for line in events if begun is None or line >= begun.line)
    for position, line in enumerate(lines):
        try:
            if game.finished:
                raise EventError(Reason("the game is over before it"))
            if not goes_on:
                begun = _Begun(line, tuple(game.scores), game.deals, tuple(history), dict(aside))
                game.begin_deal([events[later] for later in _deal_lines(lines[position:], events)])
            deal, before = game.deals + 1, list(game.scores)
            goes_on = not game.apply(events[line])
            if line == newest:
                game.check_new(events[line])
                _check_fields(events[line])
        except EventError as error:
            if line == newest or error.reason is None:
                raise
            if line in spared:
                aside[line] = error.reason
                continue
            raise EventError(Reason("with this, line {line} does not fit any more: {why}", line=line, why=error.reason)) from None
        change = tuple(after - old for after, old in zip(game.scores, before, strict=True))
        history.append(Entry(line, deal, change, tuple(game.scores)))
    return Standing(tuple(game.scores), game.finished, tuple(game.winners()), game.deals, tuple(history), aside), begun


def _deal_lines(lines: list[int], events: Mapping[int, Event]) -> list[int]:
    """The lines up to the one that ends the deal."""
    ends = (number for number, line in enumerate(lines, start=1) if events[line].get("event") in ("win", "exhausted", "deal"))
    return lines[: next(ends, len(lines))]


def table_of(line: Mapping[str, Any], kept: bool = False) -> Table:
    """The table that a ledger's first line describes.

    Args:
        kept: whether it was saved, and keeps options that no new table can choose any more.

    Raises:
        EventError, OptionError, UnknownRulesError: when there can be no such table.
    """
    if not kept:
        _check_names(line, TABLE_FIELDS)
    players = line.get("players")
    if not isinstance(players, list) or not all(isinstance(name, str) and name.strip() for name in players):
        raise EventError("'players' must list the names in playing order")
    for name in players:
        if not kept and any(unicodedata.category(letter) in ("Cc", "Cs") and letter not in "\t\r\n" for letter in name):
            raise OptionError(f"the name {name!r} holds a character that cannot be shown or kept: write it without that")
    twice = None if kept else same_twice(players)
    if twice is not None:
        raise OptionError(f"two players are called {twice!r}: give one of them another name")
    if not FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS:
        raise EventError(f"{len(players)} players are given: Okey is played by {FEWEST_PLAYERS} to {MOST_PLAYERS}")
    options = {} if line.get("options") is None else line["options"]
    if not isinstance(options, dict) or not isinstance(line.get("rules"), str):
        raise EventError('the first line must be the table, as {"rules": "classic", "players": ["Ayşe", …]}')
    if options.get("players", len(players)) != len(players):
        raise OptionError(f"the option 'players' says {options['players']!r}, but {len(players)} names are given")
    rules = with_options(rules_named(line["rules"]), {name: value for name, value in options.items() if name != "players"}, kept)
    if rules.scoring.partners and len(players) != MOST_PLAYERS:
        raise OptionError(f"partners need {MOST_PLAYERS} players")
    dealer = line.get("first_dealer", 0)
    if isinstance(dealer, bool) or not isinstance(dealer, int) or not 0 <= dealer < len(players):
        raise EventError(f"the first dealer must be one of the {len(players)} players, 0 to {len(players) - 1}, not {dealer!r}")
    return Table(rules, tuple(players), dealer)


def read_ledger(lines: Iterable[str], numbers: Iterable[int] | None = None) -> Ledger:
    """The ledger that these lines of text hold; empty lines count as lines.

    Args:
        lines: a JSON object each.
        numbers: where each stands in its file, if not one after the other.

    Raises:
        LedgerError: which names every bad line.
    """
    ledger: Ledger | None = None
    problems = []
    for line, (number, text) in enumerate(zip(numbers or count(1), lines), start=1):  # noqa: B905  counting goes on
        if not text.strip():
            continue
        try:
            entry = json.loads(text, object_pairs_hook=_named_once)
            if not isinstance(entry, dict):
                raise EventError("a line must be a JSON object")
            if ledger is None:
                ledger = Ledger(table_of(entry))
            else:
                ledger.add(line, entry)
        except (EventError, OptionError, UnknownRulesError) as error:
            problems.append(f"line {number}: {error}")
        except (ValueError, RecursionError):  # JSON that is broken, nests too deep, or holds a number of thousands of digits
            problems.append(f"line {number} is no JSON object: {text.strip()[:60]}")
        if ledger is None:
            break  # without the table nothing can be said of the rest
    if ledger is None and not problems:
        problems.append("line 1 is missing: the ledger is empty, its first line must be the table")
    if ledger is None or problems:
        raise LedgerError(*problems)
    return ledger


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object of these names and values. Raises EventError when it says the same thing twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for name in found if sum(name == other for other, _ in pairs) > 1)
        raise EventError(f"{twice!r} is given twice: keep one of them")
    return found
