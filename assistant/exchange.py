"""A table's ledger as a file that other programs read, and back: a JSON object a line, or a CSV table of its deals.

The CSV has a row for the table as it began and one for each deal. Its last column holds that row's lines of the ledger, as
a JSON list: the other columns are for people, in their language, and are not read back.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from itertools import groupby

from assistant.ledger import Entry, Ledger, play, read_ledger
from assistant.scoring import Event

LEDGER_COLUMN = "ledger"
DELIMITERS = ",;\t"
"""What may stand between the columns: the comma, and what spreadsheets make of it when they save the file again."""
Words = Callable[[Sequence[Entry]], Sequence[object]]
"""What stands before the figures of a deal, for people."""


def to_csv(ledger: Ledger, headings: Sequence[str], began: Sequence[object], words: Words) -> str:
    """The ledger as a CSV table: the events in force, deal by deal, without what was corrected or taken back.

    Args:
        headings: of all columns but the last: those of `words`, then each player's change and each player's account.
        began: what is said of the beginning, in the columns of `words`.
        words: what is said of a deal.
    """
    text = StringIO()
    writer = csv.writer(text)
    start = play(ledger.table, {}).scores
    writer.writerow([*headings, LEDGER_COLUMN])
    writer.writerow([*began, *[0] * len(start), *start, _json([ledger.table.to_json()])])
    for _, deal in groupby(ledger.standing.history, key=lambda entry: entry.deal):
        entries = list(deal)
        events = [_without_deal(ledger.events[entry.line]) for entry in entries]
        changes = [sum(parts) for parts in zip(*(entry.change for entry in entries), strict=True)]
        writer.writerow([*words(entries), *changes, *entries[-1].scores, _json(events)])
    return text.getvalue()


def read_table(text: str) -> Ledger:
    """The ledger that a file holds, in either form. Raises LedgerError, which names every bad line of the file."""
    lines = list(StringIO(text.removeprefix("\ufeff"), newline=None))
    if not lines or not lines[0].strip().strip('"').endswith(LEDGER_COLUMN):
        return read_ledger(lines)
    numbers, entries = zip(*_rows(lines), strict=True) if len(lines) > 1 else ((), ())
    return read_ledger(entries, numbers)


def _rows(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The ledger's lines in a CSV table, each with the line of the file that it is in."""
    delimiter = max(DELIMITERS, key=lines[0].count)
    reader = csv.reader(lines, delimiter=delimiter)
    next(reader)
    for row in reader:
        cell = row[-1] if row else ""
        try:
            held = json.loads(cell)
        except json.JSONDecodeError:
            held = None
        for entry in held if isinstance(held, list) else [cell]:
            yield reader.line_num, entry if isinstance(entry, str) else _json(entry)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _without_deal(event: Event) -> Event:
    """The event without the number of its deal, which is another one once a deal before it was taken back."""
    return {name: value for name, value in event.items() if name != "deal"}
