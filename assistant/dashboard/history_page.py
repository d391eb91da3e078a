"""The page of the history: every player over all evenings of this house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from assistant.dashboard import history_texts as texts
from assistant.dashboard.charts import COLOURS, bar_chart
from assistant.dashboard.clock import here
from assistant.dashboard.language import _, day
from assistant.dashboard.score_board import score_board
from assistant.dashboard.tables import as_it_stands, store
from assistant.dashboard.texts import complaint, plain
from assistant.database import StoreError
from assistant.history import Game, PlayerHistory, Tally, histories
from assistant.store import UnreadableTableError

STYLE = """
<style>
.tallies {overflow-x: auto}
table {border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums}
th, td {padding: .5rem .6rem; text-align: right; border-bottom: 1px solid var(--soft)}
thead th {font-size: .85rem; font-weight: 500; vertical-align: bottom}
th:first-child {position: sticky; left: 0; min-width: 6rem; max-width: 9rem; text-align: left; overflow-wrap: break-word;
  background: var(--st-background-color)}
</style>
"""
"""Names stay in sight while figures are moved under them."""


def history_page() -> None:
    """Draws the page."""
    st.title(_(texts.TITLE), anchor=False)
    st.caption(_(texts.TAGLINE))
    try:
        players = histories(_games())
    except StoreError as error:
        st.error(plain(complaint(error)))
        return
    if not any(player.evenings for player in players):
        st.info(_(texts.NOTHING))
        return
    _show_tallies(texts.OKEY, {player.name: player.okey for player in players}, texts.OKEY_COLUMNS)
    if any(player.okey.indicators_expected for player in players):
        st.caption(texts.luck_means())
    _show_evenings(players[: len(COLOURS)])
    _show_tallies(_(texts.OKEY101), {player.name: player.okey101 for player in players}, texts.OKEY101_COLUMNS)


def _games() -> list[Game]:
    """Every game of this house, begun when the visitor's clock says; of a table that cannot be read it is said why."""
    games = []
    for table, _players in store().recent():
        try:
            saved = as_it_stands(table)
        except UnreadableTableError as error:
            st.warning(plain(complaint(error)))
        else:
            games.append(Game(saved.ledger, here(saved.created), saved.from_file))
    return games


def _show_tallies(name: str, tallies: Mapping[str, Tally], columns: Mapping[str, str]) -> None:
    """A line for each player who has played this; nothing if nobody has."""
    played = {player: tally for player, tally in tallies.items() if tally.deals}
    if played:
        st.subheader(name, anchor=False)
        score_board(f"tallies-{name}", STYLE + tallies_html(played, columns))


def tallies_html(tallies: Mapping[str, Tally], columns: Mapping[str, str]) -> str:
    """A table with a line for each player and a column for each figure of the tally; on a phone it moves under the names."""
    heads = "".join(f"<th>{escape(_(column))}</th>" for column in columns.values())
    lines = "".join(
        f"<tr><th>{escape(player)}</th>{''.join(f'<td>{texts.figure(name, getattr(tally, name))}</td>' for name in columns)}</tr>"
        for player, tally in tallies.items()
    )
    return (
        f'<div class="tallies"><table><thead><tr><th>{escape(_(texts.PLAYER))}</th>{heads}</tr></thead><tbody>{lines}</tbody></table></div>'
    )


def _show_evenings(players: Sequence[PlayerHistory]) -> None:
    """The deals that each of the best won, evening by evening."""
    evenings = sorted({evening for player in players for evening in player.evenings})
    st.subheader(_(texts.WON_BY_EVENING), anchor=False)
    won = {player.name: {day(evening): player.evenings.get(evening, 0) for evening in evenings} for player in players}
    bar_chart(won, _(texts.EVENING), _(texts.DEALS_WON))
