"""The score as it is sent to others and printed."""

from __future__ import annotations

import streamlit as st

from assistant.dashboard import keep_texts as texts
from assistant.dashboard.clock import now
from assistant.dashboard.language import _, language, speaking
from assistant.dashboard.paper.canvas import png_of
from assistant.dashboard.paper.sheet import score_sheet
from assistant.dashboard.paper.summary import summary_card, summary_text
from assistant.store import SavedTable


def show_papers(saved: SavedTable, _writes: bool) -> None:
    """A few lines to paste, the same as a picture, and the sheet to print."""
    when, name, spoken = now(), f"istaka-{saved.id}", language()

    def sheet() -> bytes:
        """Drawn when it is asked for, in a thread that knows nothing of the visitor: a long evening takes seconds."""
        with speaking(spoken):
            return score_sheet(saved, when)

    picture = png_of(summary_card(saved, when))
    told, shown = st.columns(2, gap="medium")
    with told:
        st.caption(_(texts.SUMMARY_HOW))
        st.code(summary_text(saved, when), language=None, wrap_lines=True)
        with st.container(horizontal=True, gap="small"):
            st.download_button(_(texts.AS_PICTURE), picture, f"{name}.png", "image/png", on_click="ignore", icon=":material/image:")
            st.download_button(_(texts.SHEET), sheet, f"{name}.pdf", "application/pdf", on_click="ignore", icon=":material/print:")
    with shown:
        st.image(picture)
