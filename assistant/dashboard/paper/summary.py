"""The score to be sent: a few lines of text, and a picture that says the same at a glance."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from html import escape

from assistant.dashboard import score_texts
from assistant.dashboard.language import _, day
from assistant.dashboard.paper import texts
from assistant.dashboard.paper.canvas import ACCENT, FAINT, GOOD, MUTED, SOFT, Paper
from assistant.dashboard.score_view import course, side_name, sides
from assistant.dashboard.texts import NAME
from assistant.rules import Okey101Scoring, changed_options
from assistant.store import SavedTable

SIDE, MARGIN = 540.0, 30.0
INNER = SIDE - 2 * MARGIN
LINES = ["#c8452e", "#2e7fc2", "#b97e0c", "#2f8a52"]
"""The colours of the accounts, in the order of the seats."""
ROW = 56.0
"""The height of an account."""


@dataclass(frozen=True)
class Account:
    """One account as the summary tells it: whose it is, its score, its place (shared by those tied) and whether it has won."""

    name: str
    colour: str
    score: int
    place: int
    won: bool


def accounts(saved: SavedTable) -> list[Account]:
    """Every account, the best first."""
    table, standing = saved.ledger.table, saved.ledger.standing
    best_first = 1 if isinstance(table.rules.scoring, Okey101Scoring) else -1
    told = []
    for number, side in enumerate(sides(table)):
        score = standing.scores[side[0]]
        better = {other for other in standing.scores if best_first * other < best_first * score}
        place = 1 + sum(standing.scores[other[0]] in better for other in sides(table))
        told.append(Account(side_name(table, side), LINES[number], score, place, side[0] in standing.winners))
    return sorted(told, key=lambda account: account.place)


def headline(saved: SavedTable) -> str:
    """Who has won, or who is in front."""
    table, standing = saved.ledger.table, saved.ledger.standing
    if standing.finished:
        return score_texts.winners([table.players[seat] for seat in standing.winners])
    best = [account.name for account in accounts(saved) if account.place == 1]
    return texts.in_front(best) if 0 < len(best) < len(sides(table)) else _(texts.SO_FAR)


def summary_text(saved: SavedTable, when: datetime) -> str:
    """The score as a few lines for a messenger."""
    scores = [f"{account.place}. {account.name}: {account.score}{' 🏆' if account.won else ''}" for account in accounts(saved)]
    rules = saved.ledger.table.rules
    own_rules = [score_texts.rules_in_words(rules)] if changed_options(rules) else []
    return "\n".join([headline(saved), *scores, f"{_played(saved)}, {day(when)}", *own_rules])


def summary_card(saved: SavedTable, when: datetime) -> bytes:
    """The score as a square page of PDF: accounts in large figures, and the course of the game."""
    with Paper(SIDE, SIDE) as paper:
        _heading(paper, saved, when)
        y = 112.0
        for account in accounts(saved):
            _account(paper, y, account)
            y += ROW + 6
        _course(paper, y + 12, saved)
        paper.text(MARGIN, SIDE - 27, INNER, escape(_played(saved)), 10.5, f"color: {MUTED}")
        return paper.pdf(headline(saved))


def _heading(paper: Paper, saved: SavedTable, when: datetime) -> None:
    paper.text(MARGIN, 22, 200, f"<b>{NAME}</b>", 17, f"color: {ACCENT}")
    paper.text(MARGIN + 200, 26, INNER - 200, escape(day(when)), 11, f"text-align: right; color: {MUTED}")
    paper.one_line(MARGIN, 56, INNER, headline(saved), 30, "font-weight: bold")


def _played(saved: SavedTable) -> str:
    """What is played, and how many deals are over."""
    preset = _(score_texts.PRESET_NAMES[saved.ledger.table.rules.name])
    return f"{preset}, {score_texts.deals_played(saved.ledger.standing.deals)}"


def _account(paper: Paper, y: float, account: Account) -> None:
    paper.box((MARGIN, y, MARGIN + INNER, y + ROW), SOFT, GOOD if account.won else None, 8, 2)
    paper.dot((MARGIN + 24, y + ROW / 2), 7, account.colour)
    right = f'<span style="color: {GOOD}">{escape(_(score_texts.WON))}</span>' if account.won else ""
    paper.one_line(MARGIN + 44, y + 13, 270, account.name, 24)
    paper.text(MARGIN + 316, y + 20, 70, right, 13, "text-align: right")
    paper.text(MARGIN + 380, y + 8, 86, f"<b>{escape(score_texts.figure(account.score))}</b>", 33, "text-align: right")


def _course(paper: Paper, top: float, saved: SavedTable) -> None:
    """The accounts after every deal as lines, on what room there is."""
    points, bottom = course(saved), SIDE - 40
    if len(points) < 2:
        return
    every = [score for scores in points for score in scores]
    low, high = min(every), max(every)
    left, right = MARGIN + 30, MARGIN + INNER - 8
    across, up = (right - left) / (len(points) - 1), (bottom - top) / ((high - low) or 1)
    for score in sorted({low, high, *({0} if low < 0 < high else ())}):
        y = bottom - (score - low) * up
        paper.line([(left, y), (right, y)], FAINT, 0.7)
        paper.text(MARGIN - 6, y - 7, 30, escape(score_texts.figure(score)), 10, f"text-align: right; color: {MUTED}")
    for side, colour in zip(sides(saved.ledger.table), LINES, strict=False):
        line = [(left + number * across, bottom - (scores[side[0]] - low) * up) for number, scores in enumerate(points)]
        paper.line(line, colour, 2.2)
        paper.dot(line[-1], 3.6, colour)
