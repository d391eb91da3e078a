"""The page of a disputed hand: the photo of what was shown, judged as it lies."""

from __future__ import annotations

import streamlit as st

from assistant.dashboard import texts
from assistant.dashboard.board import board
from assistant.dashboard.drawing import judgement_html
from assistant.dashboard.hand_page import PAGE_STYLE, ask, choose_photo, house_rules, show_indicator, show_photo, shown_hand
from assistant.dashboard.judging import dispute

OPTIONS = {"high_one": texts.HIGH_ONE, "false_joker_wild": texts.FALSE_JOKER_WILD, "strict_layout": texts.STRICT_LAYOUT}


def dispute_page() -> None:
    """Draws the page. The photo and the corrections are those of the hand's page."""
    st.html(PAGE_STYLE)
    name, chooser = st.columns(2, gap="medium", vertical_alignment="center")
    with name:
        st.title(texts.DISPUTE_TITLE, anchor=False)
        st.caption(texts.DISPUTE_TAGLINE)
    with chooser:
        choose_photo()
    shown = shown_hand()
    if shown is None:
        return
    photo, hand = shown
    seen, judged = st.columns(2, gap="medium")
    with seen:
        tapped = show_photo(photo, hand) or show_indicator(hand)
    with judged:
        drawn = st.container()
        rules = house_rules(OPTIONS)
        st.caption(texts.rules_in_words(rules))
        with drawn:
            board("judgement", judgement_html(dispute(hand, rules)))
    if tapped is not None:
        ask(tapped, photo, hand)
