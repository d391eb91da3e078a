"""The score sheet to print and sign: A4 pages with the final scores, every deal and what was changed in it, and the rules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from html import escape

from assistant.dashboard import score_texts
from assistant.dashboard.language import _, moment
from assistant.dashboard.paper import texts
from assistant.dashboard.paper.canvas import ACCENT, FAINT, GOOD, MUTED, SOFT, Paper
from assistant.dashboard.paper.summary import accounts, headline
from assistant.dashboard.score_view import Row, rows, side_name, sides
from assistant.dashboard.texts import NAME
from assistant.scoring import Event
from assistant.store import SavedTable
from assistant.table import Table

A4 = (595.0, 842.0)
MARGIN = 42.0
INNER = A4[0] - 2 * MARGIN
BOTTOM = A4[1] - 50
"""Where a page is full."""
NUMBER = 48.0
"""Width of the column with the deal's number."""
ACCOUNT = 64.0
"""Width of the column of an account."""
TEXT = 9.5
"""The size of most letters."""
WHITE = "#ffffff"
SIGN_WIDE, SIGN_HIGH = 230.0, 44.0


def score_sheet(saved: SavedTable, printed: datetime) -> bytes:
    """The sheet as a PDF, in the language of the visitor.

    Args:
        printed: when, with the zone of the visitor.
    """
    with Paper(*A4, colour=WHITE) as paper:
        y = _heading(paper, saved, printed)
        y = _scores(paper, y, saved)
        y = _deals(paper, y + 14, saved)
        y = _rules(paper, y + 14, saved.ledger.table)
        _signatures(paper, y + 18, saved.ledger.table.players)
        for page in range(1, paper.pages + 1):
            number = escape(texts.page_of(page, paper.pages))
            paper.text(MARGIN, A4[1] - 34, INNER, number, 9, f"text-align: right; color: {MUTED}", page)
        return paper.pdf(headline(saved))


def _heading(paper: Paper, saved: SavedTable, printed: datetime) -> float:
    paper.text(MARGIN, 36, 200, f"<b>{NAME}</b>", 17, f"color: {ACCENT}")
    paper.text(MARGIN + 200, 41, INNER - 200, escape(moment(printed)), TEXT, f"text-align: right; color: {MUTED}")
    return paper.text(MARGIN, 66, INNER, f"<b>{escape(headline(saved))}</b>", 21) + 10


def _scores(paper: Paper, y: float, saved: SavedTable) -> float:
    """The accounts side by side, the best first."""
    shown = accounts(saved)
    width = (INNER - 8 * (len(shown) - 1)) / len(shown)
    for number, account in enumerate(shown):
        x = MARGIN + number * (width + 8)
        paper.box((x, y, x + width, y + 58), SOFT, GOOD if account.won else None, 5, 1.5)
        paper.one_line(x + 8, y + 6, width - 16, f"{account.place}. {account.name}", 11.5)
        paper.text(x + 8, y + 25, width - 16, f"<b>{score_texts.figure(account.score)}</b>", 22)
    return y + 58


def _deals(paper: Paper, y: float, saved: SavedTable) -> float:
    """A line for everything that was entered, the first one first: what it changed, and the accounts after it."""
    table = saved.ledger.table
    listed = list(reversed(rows(saved)))
    if not listed:
        return paper.text(MARGIN, y, INNER, escape(_(score_texts.NO_DEALS)), 10)
    y = _columns(paper, y, table)
    for row in listed:
        said = _said(paper, row, table)
        high = paper.height_of(_what_width(table), said, TEXT) + 9
        if y + high > BOTTOM:
            paper.new_page()
            y = _columns(paper, MARGIN, table)
        if row.deal is not None:
            paper.text(MARGIN, y + 4, NUMBER, escape(score_texts.deal_number(row.deal)), TEXT)
        paper.text(MARGIN + NUMBER, y + 4, _what_width(table), said, TEXT)
        for number, side in enumerate(sides(table)) if row.change else ():
            told = f"{escape(score_texts.signed(row.change[side[0]]))}&nbsp; <b>{score_texts.figure(row.scores[side[0]])}</b>"
            paper.text(_account_left(table, number), y + 4, ACCOUNT, told, TEXT, "text-align: right")
        y += high
        paper.line([(MARGIN, y), (MARGIN + INNER, y)], FAINT, 0.5)
    return y


def _said(paper: Paper, row: Row, table: Table) -> str:
    """What was entered, and what stood there before."""
    before = "".join(f'<br><span style="color: {MUTED}"><s>{_described(paper, event, table)}</s></span>' for event in row.before)
    if row.event is None:
        return f"<i>{escape(_(score_texts.TAKEN_BACK))}</i>{before}"
    marks = [_(texts.CORRECTED)] * bool(before) + [_(score_texts.SET_ASIDE)] * (row.aside is not None)
    marked = f" <i>({escape(', '.join(marks))})</i>" if marks else ""
    return f"{_described(paper, row.event, table)}{marked}{before}"


def _described(paper: Paper, event: Event, table: Table) -> str:
    return escape(paper.breakable(score_texts.described(event, table.players), _what_width(table), TEXT))


def _columns(paper: Paper, y: float, table: Table) -> float:
    """The names of the columns."""
    style = f"color: {MUTED}"
    bold = f"{style}; font-weight: bold"
    names = [escape(paper.breakable(side_name(table, side), ACCOUNT - 6, TEXT, bold)) for side in sides(table)]
    high = max(paper.height_of(ACCOUNT - 6, name, TEXT, bold) for name in names)
    paper.text(MARGIN + NUMBER, y, _what_width(table), escape(_(texts.WHAT_HAPPENED)), TEXT, bold)
    for number, name in enumerate(names):
        paper.text(_account_left(table, number) + 6, y, ACCOUNT - 6, name, TEXT, f"text-align: right; {bold}")
    y += high + 4
    paper.line([(MARGIN, y), (MARGIN + INNER, y)], FAINT, 1.2)
    return y


def _account_left(table: Table, number: int) -> float:
    return MARGIN + INNER - (len(sides(table)) - number) * ACCOUNT


def _what_width(table: Table) -> float:
    return INNER - NUMBER - len(sides(table)) * ACCOUNT - 6


def _rules(paper: Paper, y: float, table: Table) -> float:
    said = f"<b>{escape(_(texts.RULES_IN_FORCE))}</b><br>{escape(score_texts.rules_in_words(table.rules))}"
    if y + paper.height_of(INNER, said, TEXT) > BOTTOM:
        paper.new_page()
        y = MARGIN
    return paper.text(MARGIN, y, INNER, said, TEXT)


def _signatures(paper: Paper, y: float, players: Sequence[str]) -> None:
    """A line for each player to sign on, two beside each other."""
    lines = (len(players) + 1) // 2
    if y + 16 + lines * SIGN_HIGH > BOTTOM:
        paper.new_page()
        y = MARGIN
    y = paper.text(MARGIN, y, INNER, f"<b>{escape(_(texts.SIGNATURES))}</b>", TEXT)
    for number, name in enumerate(players):
        x, low = MARGIN + number % 2 * (INNER - SIGN_WIDE), y + (number // 2 + 1) * SIGN_HIGH - 12
        paper.line([(x, low), (x + SIGN_WIDE, low)], MUTED, 0.7)
        paper.text(x, low + 2, SIGN_WIDE, escape(name), 9, f"color: {MUTED}")
