"""The page of a disputed hand: the photo of what was shown, judged as it lies."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from assistant.dashboard import dispute_texts, texts
from assistant.dashboard.board import board
from assistant.dashboard.drawing import judgement_html
from assistant.dashboard.hand import Hand
from assistant.dashboard.hand_page import house_rules, is_sample, keep_hand, photo_page, show_indicator, show_photo
from assistant.dashboard.judging import dispute
from assistant.dashboard.keep import offer_to_keep
from assistant.dashboard.language import _
from assistant.dashboard.photo import Photo
from assistant.dashboard.rules_texts import TITLES, judged_by

DISPUTE_OPTIONS = {
    **texts.HAND_OPTIONS,
    "strict_layout": texts.STRICT_LAYOUT,
    "rows_join": TITLES["rows_join"],
}


def dispute_page() -> None:
    """Draws the page. The photo and the corrections are those of the hand's page."""
    photo_page(_(texts.DISPUTE_TITLE), _(texts.DISPUTE_TAGLINE), (show_photo, show_indicator), _show_judgement)


def _show_judgement(photo: Photo, hand: Hand) -> str | None:
    """The judgement, by the rules of this table. Returns the key of a tile that was tapped."""
    question, drawn = st.container(), st.container()
    with st.container(horizontal=True, gap="small"):
        rules = house_rules(DISPUTE_OPTIONS)
        disputed = dispute(hand, rules)
        if is_sample():
            disputed = replace(disputed, caution=f"{_(texts.OF_THE_SAMPLE)} {disputed.caution}".rstrip())
        judgement = disputed.judgement
        if judgement is not None and not judgement.unclear:
            offer_to_keep(photo, hand, judgement)
    st.caption(judged_by(rules, "strict_layout", "rows_join"))
    if judgement is not None and judgement.decided_by:
        st.caption(dispute_texts.decided_by(judgement.decided_by))
    with drawn:
        tapped = board("judgement", judgement_html(disputed, hand))
        if judgement is not None and judgement.across_rows:
            st.info(dispute_texts.across_rows(judgement.across_rows), icon=":material/table_rows:")
    if judgement is not None and judgement.unclear:
        with question:
            _ask_about_gap(photo, hand, judgement.unclear[0])
    return tapped


def _ask_about_gap(photo: Photo, hand: Hand, number: int) -> None:
    """Asks whether the tile of this number and the next one lie together, beside a look at the two."""
    left, right = hand.tiles[number], hand.tiles[number + 1]
    seen = photo.reading.tiles
    look = photo.around([*seen[int(left.key)].outline, *seen[int(right.key)].outline])
    asked = dispute_texts.gap_question(left.tile, right.tile)
    with st.container(border=True, key="gap"):
        st.html(f'<img src="{look}" alt="{asked}" style="max-height: 9rem; max-width: 100%; border-radius: .4rem">')
        st.markdown(f"**{asked}**")
        with st.container(horizontal=True, gap="small"):
            for apart, answer in ((False, dispute_texts.TOGETHER), (True, dispute_texts.APART)):
                if st.button(_(answer), key=f"gap-{'apart' if apart else 'together'}"):
                    keep_hand(photo, hand.with_gap(left.key, apart))
