"""The page of the deal: who deals, both dice, and the picture of who takes which tiles."""

from __future__ import annotations

import random

import streamlit as st

from assistant.dashboard import deal_texts
from assistant.dashboard.answers import THE_DEAL, give_back
from assistant.dashboard.board import board
from assistant.dashboard.deal_drawing import informal_steps_html, steps_html, table_svg
from assistant.dashboard.language import _
from assistant.deal import PIPS, PLAYERS, plan

DICE = {"first-die": deal_texts.FIRST_DIE, "second-die": deal_texts.SECOND_DIE}


def deal_page() -> None:
    """Draws the page; a visitor's session keeps who deals and what the dice show."""
    give_back("the deal", lambda key: key.startswith(THE_DEAL))
    st.title(_(deal_texts.TITLE), anchor=False)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        players = st.segmented_control(
            _(deal_texts.HOW_MANY), sorted(deal_texts.AROUND), default=PLAYERS, key="how-many", required=True, width="content"
        )
        informally = players != PLAYERS or st.toggle(_(deal_texts.INFORMAL), key="informally")
    if informally:
        _deal_informally(players)
    else:
        _deal()


def _deal() -> None:
    """The formal deal: who deals and both dice, the picture of who takes which tiles, and the steps."""
    st.caption(_(deal_texts.HOW))
    if not all(st.session_state.get(die) for die in DICE):
        _throw()
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        dealer = _ask_dealer(PLAYERS)
        first, second = (st.segmented_control(_(label), PIPS, key=die, required=True, width="content") for die, label in DICE.items())
        st.button(_(deal_texts.THROW), icon=":material/casino:", type="primary", on_click=_throw, key="throw")
    thrown = plan(first, second)
    picture, steps = st.columns([3, 2], gap="medium")
    with picture:
        board("table", table_svg(thrown, dealer))
        st.caption(_(deal_texts.TO_MIDDLE))
    with steps:
        st.subheader(_(deal_texts.STEPS), anchor=False)
        board("steps", steps_html(thrown, dealer))
        if st.button(
            _(deal_texts.FALSE_JOKER), icon=":material/casino:", help=_(deal_texts.FALSE_JOKER_HELP), on_click=_throw, key="false-joker"
        ):
            st.info(_(deal_texts.THROWN_AGAIN))


def _deal_informally(players: int) -> None:
    """The deal without stacks and dice: who deals, and the steps."""
    st.caption(_(deal_texts.HOW_INFORMAL))
    dealer = _ask_dealer(players)
    st.subheader(_(deal_texts.STEPS), anchor=False)
    board("informal-steps", informal_steps_html(players, dealer))
    if players != PLAYERS:
        st.caption(_(deal_texts.NOT_FOUR))


def _ask_dealer(players: int) -> int:
    """Asks on which side the dealer sits, of those on which so many players do."""
    dealer: int = st.segmented_control(
        _(deal_texts.WHO_DEALS),
        deal_texts.AROUND[players],
        default=0,
        format_func=lambda side: _(deal_texts.SIDES[side]),
        key=f"dealer-{players}",
        required=True,
        width="content",
        wrap=True,
    )
    return dealer


def _throw() -> None:
    """Throws both dice."""
    for die in DICE:
        st.session_state[die] = random.choice(PIPS)
