"""What the pages of the score show, computed from a table's ledger: seats, the dealer, the rows of the list. Free of Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from assistant.dashboard import score_texts as texts
from assistant.dashboard.language import _
from assistant.exchange import to_csv
from assistant.ledger import Entry, play
from assistant.scoring import Event, EventError
from assistant.seats import dealers
from assistant.store import SavedTable
from assistant.table import Table, same_twice

LONGEST_NAME = 24
"""For so many letters a score has room."""


@dataclass(frozen=True)
class Row:
    """What was entered in one line of a ledger, and what became of it.

    Attributes:
        line: the line.
        deal: the deal that it belongs to; None when it was taken back or is set aside.
        event: what counts now; None when it was taken back.
        before: what stood there and does not count any more, oldest first.
        change: what it changes, player by player; empty when it does not count.
        scores: the accounts after it; empty when it does not count.
        aside: why it is set aside; None when it is not.
    """

    line: int
    deal: int | None
    event: Event | None
    before: tuple[Event, ...]
    change: tuple[int, ...]
    scores: tuple[int, ...]
    aside: EventError | None = None


def sides(table: Table) -> list[tuple[int, ...]]:
    """The players of each account: one, or two partners opposite each other."""
    seats = range(len(table.players))
    return [(0, 2), (1, 3)] if table.rules.scoring.partners else [(seat,) for seat in seats]


def side_name(table: Table, side: Sequence[int]) -> str:
    """Whose account it is."""
    return " & ".join(table.players[seat] for seat in side)


def dealer(saved: SavedTable) -> int:
    """Who deals now."""
    return dealers(saved.ledger.table, saved.ledger.standing)[-1]


def last_change(saved: SavedTable) -> tuple[int, ...]:
    """What the latest deal of which anything is entered has changed, player by player; nothing before that."""
    history = saved.ledger.standing.history
    changes = [entry.change for entry in history if entry.deal == history[-1].deal]
    return tuple(map(sum, zip(*changes, strict=True)))


def rows(saved: SavedTable) -> list[Row]:
    """Every line in which a deal or a part of it was entered, the newest first."""
    versions: dict[int, list[Event]] = {}
    for added in saved.events:
        if added.event["event"] == "correct":
            versions[added.event["line"]].append(added.event["with"])
        elif added.event["event"] != "undo":
            versions[added.line] = [added.event]
    now = saved.ledger.events
    standing = saved.ledger.standing
    entries = {entry.line: entry for entry in standing.history}
    listed = []
    for line in sorted(versions, reverse=True):
        event, entry = now.get(line), entries.get(line)
        before = tuple(version for version in versions[line] if version != event)
        if entry is None:
            aside = EventError(standing.aside[line]) if line in standing.aside else None
            listed.append(Row(line, None, event, before, (), (), aside))
        else:
            listed.append(Row(line, entry.deal, event, before, entry.change, entry.scores))
    return listed


def course(saved: SavedTable) -> list[tuple[int, ...]]:
    """The accounts at the start and after every deal that is over, or that was cut short by the end of the game."""
    standing = saved.ledger.standing
    ends = {entry.deal: entry.scores for entry in standing.history if entry.deal <= standing.deals or standing.finished}
    return [play(saved.ledger.table, {}).scores, *ends.values()]


def change_by(saved: SavedTable, event: Event, line: int) -> tuple[int, ...] | EventError:
    """What an event would change if it stood in this line; why not, where the rules do not allow it there."""
    events = {**saved.ledger.events, line: event}
    try:
        history = play(saved.ledger.table, events, line, saved.ledger.standing.aside).history
    except EventError as error:
        return error
    return next(entry.change for entry in history if entry.line == line)


def refused(saved: SavedTable, error: EventError) -> str:
    """Why the rules do not allow an event at this table, in a sentence."""
    deals = {entry.line: entry.deal for entry in saved.ledger.standing.history}
    return texts.refused(error, saved.ledger.table.players, deals)


def unusable(names: Sequence[str]) -> str:
    """Why a table cannot be made for these players; empty if it can."""
    if len(names) < 2:
        return _(texts.TOO_FEW)
    for name in names:
        if len(name) > LONGEST_NAME:
            return texts.too_long_name(name, LONGEST_NAME)
    twice = same_twice(names)
    return texts.same_name(twice) if twice else ""


def as_csv(saved: SavedTable) -> str:
    """The deals as a table for a spreadsheet, the oldest first, which `read_table` reads back."""
    ledger, names = saved.ledger, saved.ledger.table.players
    added = {event.line: event.added for event in saved.events}

    def words(deal: Sequence[Entry]) -> list[object]:
        events = [ledger.events[entry.line] for entry in deal]
        what = "; ".join(texts.described(event, names) for event in events)
        return [deal[0].deal, _time(max(added[entry.line] for entry in deal)), _who_won(events[-1], names), what]

    headings = [*map(_, texts.CSV_HEADINGS), *map(texts.csv_change, names), *map(texts.csv_score, names)]
    return to_csv(ledger, headings, [0, _time(saved.created), "", texts.rules_in_words(ledger.table.rules)], words)


def _time(when: datetime) -> str:
    return when.isoformat(sep=" ", timespec="seconds")


def _who_won(event: Event, names: Sequence[str]) -> str:
    """Who won the deal that ended so; nobody if the stock ran out, or it has not ended."""
    winner = event["by"] if event["event"] == "win" else event.get("finisher") if event["event"] == "deal" else None
    return "" if winner is None else names[winner]
