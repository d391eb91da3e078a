"""A table's ledger as a file that other programs read, and back: a JSON object a line, or a CSV table of its deals.

The CSV has a row for the table as it began and one for each deal. Its last column holds that row's lines of the ledger, as
a JSON list: the other columns are for people, in their language, and are not read back.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from io import StringIO
from itertools import groupby

from assistant.ledger import Entry, Ledger, LedgerError, named_once, play, read_ledger
from assistant.reasons import Reason
from assistant.scoring import Event, EventError

LEDGER_COLUMN = "ledger"
DELIMITERS = ",;\t"
"""What may stand between the columns: the comma, and what spreadsheets make of it when they save the file again."""
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
"""What makes a spreadsheet compute a cell that begins with it."""
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
    writer.writerow([*map(_as_text, headings), LEDGER_COLUMN])
    writer.writerow([*map(_as_text, began), *[0] * len(start), *start, _json([ledger.table.to_json()])])
    for _, deal in groupby(ledger.standing.history, key=lambda entry: entry.deal):
        entries = list(deal)
        events = [without_deal(ledger.events[entry.line]) for entry in entries]
        changes = [sum(parts) for parts in zip(*(entry.change for entry in entries), strict=True)]
        writer.writerow([*map(_as_text, words(entries)), *changes, *entries[-1].scores, _json(events)])
    return text.getvalue()


def read_table(text: str) -> Ledger:
    """The ledger that a file holds, in either form. Raises LedgerError, which names every bad line of the file."""
    lines = list(StringIO(text.removeprefix("\ufeff"), newline=None))
    delimiter = _delimiter(lines)
    if delimiter is None:
        return read_ledger(lines)
    rows = list(_rows(lines, delimiter))
    return read_ledger([entry for _, entry in rows], [number for number, _ in rows])


def _delimiter(lines: Sequence[str]) -> str | None:
    """What stands between the columns of a CSV table, whose headings may go over several lines; None if the text is none."""
    for delimiter in DELIMITERS:
        with suppress(csv.Error):
            headings = next(csv.reader(lines, delimiter=delimiter), [])
            if headings and headings[-1].strip() == LEDGER_COLUMN:
                return delimiter
    return None


def _rows(lines: Sequence[str], delimiter: str) -> Iterator[tuple[int, str]]:
    """The ledger's lines in a CSV table, each with the line of the file that it is in. Raises LedgerError."""
    reader = csv.reader(lines, delimiter=delimiter)
    next(reader)
    try:
        for row in reader:
            cell = row[-1] if row else ""
            try:
                held = json.loads(cell, object_pairs_hook=named_once)
                entries = [entry if isinstance(entry, str) else _json(entry) for entry in held] if isinstance(held, list) else [cell]
            except EventError as error:
                raise LedgerError(Reason("line {line}: {why}", line=reader.line_num, why=str(error))) from None
            except (ValueError, RecursionError):
                entries = [cell]
            for entry in entries:
                yield reader.line_num, entry
    except csv.Error as error:
        raise LedgerError(Reason("line {line} is no row of a CSV table: {why}", line=reader.line_num, why=str(error))) from None


def _as_text(cell: object) -> object:
    """What is for people, with an apostrophe before what a spreadsheet would compute: it may begin with a name, whatever that is."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_SIGNS) else cell


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def without_deal(event: Event) -> Event:
    """The event without the number of its deal, which is another one once a deal before it was taken back."""
    return {name: value for name, value in event.items() if name != "deal"}
