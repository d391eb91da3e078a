"""The ledger of a table: events that are only ever added to, and the score that they come to.

A ledger is text, a JSON object a line. The first line is the table; undo and correction are events too, so that nothing
is lost. Every score is computed from the events, never kept.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from itertools import count, islice, takewhile
from typing import Any, NamedTuple

from assistant.okey101 import Okey101Game
from assistant.reasons import Reason
from assistant.rules import Okey101Scoring, OptionError, UnknownRulesError
from assistant.scoring import Event, EventError, OkeyGame, indicator_of
from assistant.table import Table, check_names, table_of
from assistant.tiles import quoted

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
HAND_FIELDS = ("opened", "left", "okeys_left")
"""What a deal of 101 may say of a hand."""
MOST_LINES = 2000
"""The most lines of a text that is read as a ledger: each correction of an early line plays the whole game again."""
MOST_DEPTH = 20
"""How deep lists and objects may nest in a line: deeper than in any event, and not so deep that whoever writes or compares it fails."""
MOST_PROBLEMS, MOST_SOUGHT = 5, 100
"""How many lines that break the rules a LedgerError names in its message, and how many are looked for."""
DEAL_ENDS = ("win", "exhausted", "deal")
"""Events that end a deal."""
LONGEST_DEAL = 2
"""Events of a deal of Okey at most; of 101 each stands by itself."""


_Step = tuple[int, Event | None]
"""A line, and the event in force there; None for none."""
_Events = dict[int, Event | None]
"""The events in force, by their lines in order; None where what was entered is taken back."""


class LedgerError(ValueError):
    """A ledger in which lines break the rules.

    Attributes:
        problems: what is wrong with each such line, which it names; for the first MOST_SOUGHT of them.
        players: who plays, as far as that could be read.
    """

    def __init__(self, *problems: Reason, players: Sequence[str] = ()) -> None:
        more = len(problems) - MOST_PROBLEMS
        least = "at least " if len(problems) == MOST_SOUGHT else ""
        super().__init__("; ".join([*map(str, problems[:MOST_PROBLEMS]), *[f"and {least}{more} more"] * (more > 0)]))
        self.problems, self.players = problems, players


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


class _Point(NamedTuple):
    """A game before an event that stands by itself, as the first of a deal does: if nothing before has changed, it is played on from there.

    Attributes:
        line: of that event.
        game: as it stood.
        entries: how many the history had.
    """

    line: int
    game: OkeyGame | Okey101Game
    entries: int


class _Played(NamedTuple):
    """A game as far as it was played, and some points in it: before any event, and one among the last events at least."""

    standing: Standing
    points: list[_Point]


class Ledger:
    """A table and its events, checked as they are added. While nothing is added several threads may ask it at once.

    Attributes:
        table: the table.
        lines: all events that were added, by their lines.
        changed_in: for each line of an event that is no change, the line by which it is what it is now.
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
        self._apart = isinstance(table.rules.scoring, Okey101Scoring)  # whether each event stands by itself, whatever was before
        self.lines: dict[int, Event] = {}
        self.changed_in: dict[int, int] = {}
        self._events: _Events = {}
        self._in_force: dict[int, Event] | None = None
        self._done: list[_Step] = []
        self._changeable: dict[int, Changeable] = {}
        for line, event in sorted((lines or {}).items()):
            self._note(line, event, self._step(line, event))
        self._played = _play_on(_unplayed(table), self._events, spared=self._events)

    @property
    def events(self) -> Mapping[int, Event]:
        """The events in force, by their lines; the same mapping until the next event is added."""
        if self._in_force is None:
            self._in_force = {line: event for line, event in self._events.items() if event is not None}
        return self._in_force

    @property
    def standing(self) -> Standing:
        """What the events come to."""
        return self._played.standing

    def add(self, line: int, event: Event, seen: int | None = None) -> None:
        """Adds the event of a line.

        Args:
            seen: the last line that its writer knew: what has changed since is not changed again unseen. None to change it whatever it is.

        Raises:
            EventError: when the rules do not allow it; nothing is changed then.
        """
        if seen is not None:
            self._check_seen(line, event, seen)
        step, self._played = self._checked(line, event)
        self._note(line, event, step)

    def refusal(self, event: Event) -> EventError | None:
        """Why the rules do not allow an event as the next line; None when they do."""
        try:
            self._checked(max(self.lines, default=1) + 1, event)
        except EventError as error:
            return error
        return None

    def changeable(self, line: int) -> Changeable:
        """Whether what stands in a line can be changed now; found out once until the next event is added, as the game is played for it."""
        if line not in self._changeable:
            self._changeable[line] = self._find_changeable(line)
        return self._changeable[line]

    def _find_changeable(self, line: int) -> Changeable:
        if self._events.get(line) is not None:
            return Changeable(correct=None, take_back=None if self._apart else self.refusal({"event": "undo", "line": line}))
        if line not in self.lines:
            why = Reason("line {line} holds no event", line=line)
        elif self.lines[line]["event"] in CHANGES:
            why = Reason("line {line} is a change of another line: only that one can be changed again", line=line)
        else:
            why = Reason("line {line} was taken back: what happened can be entered anew", line=line)
        return Changeable(EventError(why), EventError(why))

    def _checked(self, line: int, event: Event) -> tuple[_Step, _Played]:
        """What one more line puts in force, and the game with it. Raises EventError."""
        kind = event.get("event")
        if kind not in CHANGES:
            if self.standing.finished:
                raise EventError(Reason("the game is over: only undo and correct are left"))
            _check_deal(event, self.standing.deals + 1)
        step = changed, now = self._step(line, event)
        if kind == "correct" and now is not None:
            deal = next((entry.deal for entry in self.standing.history if entry.line == changed), None)
            named = _deal_named(now)
            if None not in (deal, named) and named != deal:
                raise EventError(f"line {changed} belongs to deal {deal}, not {quoted(named)}")
        before = self._events.get(changed)
        if now is None and before is not None and before.get("event") in DEAL_ENDS and not self._apart:
            self._check_merged(changed)
        newest = 0 if kind == "undo" else changed
        return step, _play_on(self._played, {**self._events, changed: now}, changed, newest, self.standing.aside)

    def _check_seen(self, line: int, event: Event, seen: int) -> None:
        """Raises EventError when an event changes what has itself been changed after this line."""
        if event.get("event") not in CHANGES:
            return
        changed, _ = self._step(line, event)
        if "line" not in event and max(self.lines) > seen:
            raise EventError(Reason("something was written in the meantime: look at what the last change is now"))
        if "line" in event and self.changed_in[changed] > seen:
            raise EventError(Reason("line {line} was changed in the meantime: look at what stands there now", line=changed))

    def _check_merged(self, end: int) -> None:
        """Raises EventError when without the event of a line two deals would be one that has two indicators."""
        in_force = [(line, event) for line, event in self._events.items() if event is not None]
        after = next(at for at, (line, _) in enumerate(in_force) if line == end) + 1
        before = takewhile(lambda event: event.get("event") not in DEAL_ENDS, (event for _, event in reversed(in_force[: after - 1])))
        one, other = (
            {indicator_of(event) for event in deal if event.get("indicator") is not None} for deal in (before, _of_deal(in_force, after))
        )
        if len(one) == len(other) == 1 and one != other:
            why = Reason("this deal has the indicator {one} already, not {other}", one=one.pop(), other=other.pop())
            raise EventError(Reason("with this, line {line} does not fit any more: {why}", line=in_force[after][0], why=why))

    def _step(self, line: int, event: Event) -> _Step:
        """What one more line puts in force, whatever it does to the score. Raises EventError."""
        kind = event.get("event")
        if kind == "undo" and "line" in event:
            return _target(event, line, self._events), None
        if kind == "undo":
            if not self._done:
                raise EventError(Reason("there is nothing left to undo"))
            return self._done[-1]
        return _correction(event, line, self._events) if kind == "correct" else (line, event)

    def _note(self, line: int, event: Event, step: _Step) -> None:
        """Adds a line that puts this in force; what stood there before, the next undo gives back."""
        changed, now = step
        if event.get("event") == "undo" and "line" not in event:
            self._done.pop()
        else:
            self._done.append((changed, self._events.get(changed)))
        self._events[changed] = now
        self._in_force, self._changeable = None, {}
        self.lines[line] = event
        self.changed_in[changed] = line


def _target(event: Event, line: int, events: _Events) -> int:
    """The earlier line, of those in force, that an undo or a correction names. Raises EventError."""
    target = event.get("line")
    if line == 2:  # the first event
        raise EventError("there is no earlier event that could be changed")
    if isinstance(target, bool) or not isinstance(target, int) or not 1 < target < line:
        raise EventError(f"'line' must name an earlier event, 2 to {line - 1}, not {quoted(target)}")
    if events.get(target) is None:
        raise EventError(Reason("line {line} holds no event in force that could be changed", line=target))
    return target


def _correction(event: Event, line: int, events: _Events) -> tuple[int, Event]:
    """The line that is corrected, and its new event. Raises EventError."""
    target, new = _target(event, line, events), event.get("with")
    if not isinstance(new, dict) or new.get("event") in CHANGES:
        raise EventError("'with' must be the event that should stand there")
    return target, new


def _deal_named(event: Event) -> int | None:
    """The deal that an event says it belongs to; None if it does not say. Raises EventError."""
    named = event.get("deal")
    if named is not None and (isinstance(named, bool) or not isinstance(named, int)):
        raise EventError(f"'deal' must be the number of a deal, not {quoted(named)}")
    return named


def _check_deal(event: Event, deal: int) -> None:
    """Raises EventError when the event says that it belongs to another deal than the one being played."""
    named = _deal_named(event)
    if named not in (None, deal):
        raise EventError(Reason("the event belongs to deal {named}, but deal {deal} is being played", named=quoted(named), deal=deal))


def _check_fields(event: Event) -> None:
    """Raises EventError for a slip of the pen in an event other than an undo or a correction."""
    check_names(event, ("indicator", *FIELDS[event["event"]]))
    for hand in event["players"] if event["event"] == "deal" else ():
        check_names(hand, HAND_FIELDS)


def play(table: Table, events: Mapping[int, Event], newest: int = 0, spared: Collection[int] = ()) -> Standing:
    """The standing after these events, by their lines.

    Args:
        newest: the line of the event that is being entered; those of the others were checked when they were, and count as they stand.
        spared: other lines that may be set aside if they do not fit into the game.

    Raises:
        EventError: when the rules do not allow what the events come to.
    """
    return _play_on(_unplayed(table), dict(sorted(events.items())), newest=newest, spared=spared).standing


def _unplayed(table: Table) -> _Played:
    """A game before its first event."""
    scoring, players = table.rules.scoring, len(table.players)
    game = Okey101Game(scoring, players) if isinstance(scoring, Okey101Scoring) else OkeyGame(scoring, players)
    return _Played(_standing(game, (), {}), [_Point(0, game, 0)])


def _standing(game: OkeyGame | Okey101Game, history: tuple[Entry, ...], aside: Mapping[int, Reason]) -> Standing:
    return Standing(tuple(game.scores), game.finished, tuple(game.winners()), game.deals, history, aside)


def _play_on(before: _Played, events: _Events, changed: int = 0, newest: int = 0, spared: Collection[int] = ()) -> _Played:
    """The game with these events, as `play` tells it: what was played before is played again from the line that has changed."""
    points = before.points[: bisect_right(before.points, changed, key=lambda point: point.line)]
    point = points[-1]
    game = copy(point.game)
    aside = {line: why for line, why in before.standing.aside.items() if line < point.line}
    history: list[Entry] = []
    held = takewhile(lambda item: item[0] >= point.line, reversed(events.items()))
    played = [(line, event) for line, event in held if event is not None][::-1]
    goes_on = False
    for position, (line, event) in enumerate(played):
        try:
            if game.finished:
                raise EventError(Reason("the game is over before it"))
            if not goes_on:
                if line > points[-1].line and position >= len(played) - LONGEST_DEAL:
                    points.append(_Point(line, copy(game), point.entries + len(history)))
                game.begin_deal(_of_deal(played, position))
            deal, scores = game.deals + 1, game.scores
            goes_on = not game.apply(event)
            if line == newest:
                game.check_new(event)
                _check_fields(event)
        except EventError as error:
            if line == newest or error.reason is None:
                raise
            if line in spared:
                aside[line] = error.reason
                continue
            raise EventError(Reason("with this, line {line} does not fit any more: {why}", line=line, why=error.reason)) from None
        change = tuple(after - old for after, old in zip(game.scores, scores, strict=True))
        history.append(Entry(line, deal, change, tuple(game.scores)))
    return _Played(_standing(game, (*before.standing.history[: point.entries], *history), aside), points)


def _of_deal(played: Sequence[tuple[int, Event]], first: int) -> Iterator[Event]:
    """The events from one on to the one that ends its deal."""
    for position in range(first, len(played)):
        event = played[position][1]
        yield event
        if event.get("event") in DEAL_ENDS:
            return


def read_ledger(lines: Iterable[str], numbers: Iterable[int] | None = None) -> Ledger:
    """The ledger that these lines of text hold; empty lines count as lines.

    Args:
        lines: a JSON object each.
        numbers: where each stands in its file, if not one after the other.

    Raises:
        LedgerError: which names every bad line, or says that there are too many lines.
    """
    held = list(islice(lines, MOST_LINES + 1))
    if len(held) > MOST_LINES:
        raise LedgerError(Reason("the ledger has more than {most} lines: begin a new table for what follows", most=MOST_LINES))
    ledger: Ledger | None = None
    problems: list[Reason] = []
    for line, (number, text) in enumerate(zip(numbers or count(1), held), start=1):  # noqa: B905  counting goes on
        if not text.strip():
            continue
        try:
            entry = json.loads(text, object_pairs_hook=named_once)
            if _depth(entry) > MOST_DEPTH:
                raise EventError(f"it nests lists and objects more than {MOST_DEPTH} deep: give an event as istaka writes it")
            if not isinstance(entry, dict):
                raise EventError("a line must be a JSON object")
            if ledger is None:
                ledger = Ledger(table_of(entry))
            else:
                ledger.add(line, entry)
        except (EventError, OptionError, UnknownRulesError) as error:
            problems.append(Reason("line {line}: {why}", line=number, why=getattr(error, "reason", None) or str(error)))
        except (ValueError, RecursionError):  # JSON that is broken, nests too deep, or holds a number of thousands of digits
            problems.append(Reason("line {line} is no JSON object: {text}", line=number, text=quoted(text.strip())))
        if ledger is None or len(problems) == MOST_SOUGHT:
            break  # without the table nothing can be said of the rest; of so many lines enough is said
    if ledger is None and not problems:
        problems.append(Reason("line 1 is missing: the ledger is empty, its first line must be the table"))
    if ledger is None or problems:
        raise LedgerError(*problems, players=() if ledger is None else ledger.table.players)
    return ledger


def named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object of these names and values. Raises EventError when it says the same thing twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for name, many in Counter(name for name, _ in pairs).items() if many > 1)
        raise EventError(f"{quoted(twice)} is given twice: keep one of them")
    return found


def _depth(value: object) -> int:
    """How deep a value of JSON nests lists and objects: 0 for a text, 1 for a list of texts."""
    depth, level = 0, [value]
    while level := [part for part in level if isinstance(part, (dict, list))]:
        depth += 1
        level = [inner for part in level for inner in (part.values() if isinstance(part, dict) else part)]
    return depth
