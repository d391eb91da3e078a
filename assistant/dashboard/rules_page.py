"""The page of the rules: what every preset scores, and every option explained where others can link to it."""

from __future__ import annotations

import streamlit as st

from assistant.dashboard import rules_texts as texts
from assistant.dashboard.language import _
from assistant.dashboard.score_texts import PRESET_NAMES
from assistant.rules import PRESETS

STYLE = """
<style>
:root {--page-width: 52rem}
.stMainBlockContainer h2 {padding: 1.2rem 0 .2rem; font-size: 1.6rem}
[data-testid="stMarkdownContainer"] td a {color: inherit; text-decoration-color: var(--st-primary-color, currentcolor)}
[data-testid="stMarkdownContainer"] table {font-variant-numeric: tabular-nums; width: 100%}
[data-testid="stMarkdownContainer"] :is(th, td):not(:first-child) {text-align: center}
[data-testid="stMarkdownContainer"] :is(th, td) {padding: .3rem .35rem}
@media (max-width: 640px) {[data-testid="stMarkdownContainer"] :is(th, td) {font-size: .8rem}}
</style>
"""
"""Lines short enough to be read, and figures under each other."""


def rules_page() -> None:
    """Draws the page; every preset and option has its name as its anchor."""
    st.html(STYLE)
    st.title(_(texts.TITLE), anchor=False)
    st.caption(_(texts.TAGLINE))
    for name in PRESETS:
        st.subheader(_(PRESET_NAMES[name]), anchor=name)
        st.write(_(texts.PRESETS_EXPLAINED[name]))
    st.header(_(texts.WHAT_PRESETS_SCORE), anchor=False)
    for opens, explained in ((False, texts.POINTS_ARE_LOST), (True, texts.LOWEST_WINS)):
        st.caption(_(explained))
        st.markdown(_table(texts.figures(rules for rules in PRESETS.values() if rules.opens is opens)))
    for title, names in texts.SECTIONS.items():
        st.header(_(title), anchor=False)
        for name in names:
            st.subheader(_(texts.TITLES[name]), anchor=name)
            st.write(_(texts.EXPLAINED[name]))
            st.caption(texts.in_presets(name))


def _table(rows: list[list[str]]) -> str:
    """Rows as a table in Markdown, the first one its head."""
    head, *body = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([head, "|" + " --- |" * len(rows[0]), *body])
