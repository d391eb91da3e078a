"""What the score's pages draw, as HTML: the scoreboard, the list of deals, the code to scan. Free of Streamlit.

Whatever has a `data-key` can be tapped (see `score_board.py`); how it all looks is in `score_board.css`.
"""

from __future__ import annotations

from collections.abc import Collection
from html import escape

import segno

from assistant.dashboard import keep_texts
from assistant.dashboard import score_texts as texts
from assistant.dashboard.language import _
from assistant.dashboard.score_view import Row, dealer, last_change, refused, rows, side_name, sides
from assistant.rules import OkeyScoring
from assistant.seats import is_out, seat_after
from assistant.store import SavedTable

CORRECT, TAKE_BACK, EVIDENCE = "correct", "take-back", "evidence"
"""What can be done with a row: the key of its button is one of these and the line; to take it back, the line that changed it last, too."""


def scoreboard_html(saved: SavedTable) -> str:
    """Every account, large, with who deals, who begins, who is out and who has won; the page's heading is only read aloud."""
    standing, table = saved.ledger.standing, saved.ledger.table
    accounts = sides(table)
    won = [table.players[seat] for seat in standing.winners]
    over = f'<p class="over" role="status">{escape(texts.winners(won))}</p>' if standing.finished else ""
    cards = "".join(_card(saved, side) for side in accounts)
    heading = f"<h1>{_(texts.SCORE_TITLE)}</h1>"
    return f'{heading}{over}<div class="cards" style="--cards: {len(accounts)}">{cards}</div>'


def _card(saved: SavedTable, side: tuple[int, ...]) -> str:
    standing, table = saved.ledger.standing, saved.ledger.table
    score, change, scoring = standing.scores[side[0]], last_change(saved), table.rules.scoring
    won = side[0] in standing.winners
    # where nobody leaves an account at 0 ends the game: who has it may still win
    gone = isinstance(scoring, OkeyScoring) and scoring.elimination and is_out(table, score) and not won
    dealing = dealer(saved)
    marks: list[tuple[str, str]] = []
    if standing.finished:
        marks += [("won", _(texts.WON))] * won
    else:
        turns = {dealing: ("dealer", texts.DEALS), seat_after(table, standing.scores, dealing): ("next", texts.BEGINS)}
        marks += [
            (kind, texts.name_does(table.players[seat], what, len(side) == 1)) for seat, (kind, what) in turns.items() if seat in side
        ]
    if gone:
        marks.append(("gone", _(texts.OUT)))
    shown = "".join(f'<span class="mark {kind}">{escape(text)}</span>' for kind, text in marks)
    changed = texts.signed(change[side[0]]) if change else ""
    state = "won" if won else "gone" if gone else ""
    return (
        f'<section class="card {state}"><h3>{escape(side_name(table, side))}</h3>'
        f'<p class="score">{texts.figure(score)}</p><p class="change">{changed}</p><p class="marks">{shown}</p></section>'
    )


def history_html(saved: SavedTable, may_write: bool, proven: Collection[int] = ()) -> str:
    """Every deal with what it changed, the newest first, and what was changed in it later.

    Args:
        proven: the lines with evidence, to which their rows lead.
    """
    listed = "".join(_row(saved, row, may_write, row.line in proven) for row in rows(saved))
    return f'<ol class="deals">{listed}</ol>' if listed else f"<p>{_(texts.NO_DEALS)}</p>"


def _row(saved: SavedTable, row: Row, may_write: bool, proven: bool) -> str:
    table = saved.ledger.table
    evidence = f'<button type="button" data-key="{EVIDENCE} {row.line}">{_(keep_texts.EVIDENCE)}</button>' if proven else ""
    before = "".join(f"<s>{escape(texts.described(event, table.players))}</s>" for event in row.before)
    if row.event is None:
        return f'<li class="gone"><p>{before} <em>{_(texts.TAKEN_BACK)}</em></p>{evidence}</li>'
    buttons = _buttons(saved, row.line) if may_write else ""
    if row.aside is not None:
        said = f"{escape(texts.described(row.event, table.players))} {before} <em>{_(texts.SET_ASIDE)}</em>"
        why = f"{escape(refused(saved, row.aside))} {_(texts.MEND_ASIDE)}"
        return f'<li class="gone"><p>{said}</p><p class="changes">{why}</p>{buttons}{evidence}</li>'
    deal = texts.deal_number(row.deal or 0)
    changes = "".join(_change(side_name(table, side), row.change[side[0]]) for side in sides(table))
    return (
        f"<li><p><b>{deal}</b> {escape(texts.described(row.event, table.players))} {before}</p>"
        f'<p class="changes">{changes}</p>{buttons}{evidence}</li>'
    )


def _buttons(saved: SavedTable, line: int) -> str:
    """What can be done with a line now; what cannot is greyed, with the reason beside it."""
    changeable, seen = saved.ledger.changeable(line), saved.ledger.changed_in[line]
    drawn = ""
    for key, text, why in (
        (f"{CORRECT} {line}", texts.CORRECT, changeable.correct),
        (f"{TAKE_BACK} {line} {seen}", texts.TAKE_BACK, changeable.take_back),
    ):
        drawn += f'<button type="button" data-key="{key}"{" disabled" if why else ""}>{_(text)}</button>'
        drawn += f"<small>{escape(refused(saved, why))}</small>" if why else ""
    return f"<p>{drawn}</p>"


def _change(name: str, change: int) -> str:
    return f'<span class="{"" if change else "nought"}"><bdi>{escape(name)}</bdi> <b>{texts.signed(change)}</b></span>'


def code_html(address: str) -> str:
    """The address as a code to scan."""
    return f'<div class="code">{segno.make(address, micro=False).svg_inline(scale=4, border=2, dark="#2e2620", light="#ffffff")}</div>'
