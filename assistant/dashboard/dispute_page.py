"""The page of a disputed hand: the photo of what was shown, judged as it lies."""

from __future__ import annotations

import streamlit as st

from assistant.dashboard import texts
from assistant.dashboard.board import board
from assistant.dashboard.drawing import judgement_html
from assistant.dashboard.hand import Hand
from assistant.dashboard.hand_page import house_rules, photo_page, show_indicator, show_photo
from assistant.dashboard.judging import dispute
from assistant.dashboard.keep import offer_to_keep
from assistant.dashboard.language import _
from assistant.dashboard.photo import Photo
from assistant.dashboard.rules_texts import judged_by

OPTIONS = {"high_one": texts.HIGH_ONE, "false_joker_wild": texts.FALSE_JOKER_WILD, "strict_layout": texts.STRICT_LAYOUT}


def dispute_page() -> None:
    """Draws the page. The photo and the corrections are those of the hand's page."""
    photo_page(
        _(texts.DISPUTE_TITLE),
        _(texts.DISPUTE_TAGLINE),
        lambda photo, hand: show_photo(photo, hand) or show_indicator(hand),
        _show_judgement,
    )


def _show_judgement(photo: Photo, hand: Hand) -> None:
    drawn = st.container()
    with st.container(horizontal=True, gap="small"):
        rules = house_rules(OPTIONS)
        disputed = dispute(hand, rules)
        if disputed.judgement is not None:
            offer_to_keep(photo, hand, rules, disputed.judgement)
    st.caption(judged_by(rules, "strict_layout"))
    with drawn:
        board("judgement", judgement_html(disputed))
