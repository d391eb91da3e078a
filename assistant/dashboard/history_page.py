"""The page of the history: every player over all evenings of this house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from assistant.dashboard import history_texts as texts
from assistant.dashboard.clock import here
from assistant.dashboard.hand_page import PAGE_STYLE
from assistant.dashboard.language import _
from assistant.dashboard.tables import store
from assistant.dashboard.texts import sentence
from assistant.database import StoreError
from assistant.history import Game, PlayerHistory, Tally, histories
from assistant.store import SavedTable

CHARTED = 6
"""How many players are drawn, those with most deals won."""
TENTHS = {"indicators_expected": "%.1f", "indicator_luck": "%+.1f"}
"""Figures that are no whole numbers, and how they are written."""


def history_page() -> None:
    """Draws the page."""
    st.html(PAGE_STYLE)
    st.title(_(texts.TITLE), anchor=False)
    st.caption(_(texts.TAGLINE))
    try:
        players = histories(_games())
    except StoreError as error:
        st.error(sentence(str(error)))
        return
    if not any(player.evenings for player in players):
        st.info(_(texts.NOTHING))
        return
    _show_tallies(texts.OKEY, {player.name: player.okey for player in players}, texts.OKEY_COLUMNS)
    st.caption(texts.luck_means())
    _show_evenings(players[:CHARTED])
    _show_tallies(_(texts.OKEY101), {player.name: player.okey101 for player in players}, texts.OKEY101_COLUMNS)


def _games() -> list[Game]:
    """Every game of this house, begun when the visitor's clock says."""
    tables = [_table(table, *store().state(table)) for table, _players in store().recent()]
    return [Game(saved.ledger, here(saved.created)) for saved in tables]


@st.cache_resource(show_spinner=False, max_entries=2000)
def _table(table: str, last_line: int, rematch: str | None) -> SavedTable:
    """A table as it stands after the line that was added last: read once for all visitors."""
    return store().table(table)


def _show_tallies(name: str, tallies: Mapping[str, Tally], columns: Mapping[str, str]) -> None:
    """A line for each player who has played this; nothing if nobody has."""
    played = {player: tally for player, tally in tallies.items() if tally.deals}
    if not played:
        return
    st.subheader(name, anchor=False)
    listed = {_(texts.PLAYER): list(played)}
    for figure, column in columns.items():
        listed[_(column)] = [float(getattr(tally, figure)) if figure in TENTHS else getattr(tally, figure) for tally in played.values()]
    shown = {_(column): st.column_config.NumberColumn(format=TENTHS[figure]) for figure, column in columns.items() if figure in TENTHS}
    shown[_(texts.PLAYER)] = st.column_config.TextColumn(pinned=True)
    st.dataframe(listed, hide_index=True, column_config=shown)


def _show_evenings(players: Sequence[PlayerHistory]) -> None:
    """The deals that each of the best won, evening by evening."""
    evenings = sorted({evening for player in players for evening in player.evenings})
    st.subheader(_(texts.WON_BY_EVENING), anchor=False)
    won = {_(texts.EVENING): [evening.isoformat() for evening in evenings]}
    won |= {player.name: [player.evenings.get(evening, 0) for evening in evenings] for player in players}
    names = [player.name for player in players]
    st.bar_chart(won, x=_(texts.EVENING), y=names, y_label=_(texts.DEALS_WON), stack=False, height=280)
