"""The page of the score: that of the table in the address, or of a new one."""

from __future__ import annotations

import streamlit as st

from assistant.dashboard.new_table_page import new_table_page
from assistant.dashboard.table_page import table_page
from assistant.dashboard.tables import TABLE, as_it_stands
from assistant.dashboard.texts import complaint, plain
from assistant.database import StoreError
from assistant.rules import OptionError

STYLE = """
<style>
[class*="st-key-keys-"] button {min-height: 3.4rem; min-width: 9.5rem}
[class*="st-key-who-"] button, [class*="st-key-finisher-"] button, [class*="st-key-reason-"] button, [class*="st-key-opened-"] button,
[class*="st-key-okeys-"] button {min-height: 2.9rem}
[class*="st-key-open-"] button {justify-content: start; text-align: start}
[class*="st-key-group-"] button {text-align: start}
[class*="st-key-group-"] button :is(span, div, p) {white-space: normal; overflow: visible}
[data-testid="stCheckbox"] p {white-space: normal}
[class*="st-key-left-"] input {font-size: 1.3rem}
[class*="st-key-seat-"] [data-testid="InputInstructions"] {display: none}
</style>
"""
"""Keys that a thumb finds; names without Streamlit's English hint to press Enter, which they do not need."""


def score_page() -> None:
    """Draws the page of the table in the address, or of a new one."""
    st.html(STYLE)
    try:
        table = st.query_params.get(TABLE)
        if table:
            st.session_state["in address"] = True
            table_page(as_it_stands(table))
        else:
            if st.session_state.pop("in address", False):  # a tap on the link to this very page leaves the table there
                st.query_params.clear()
            new_table_page()
    except (StoreError, OptionError) as error:
        st.error(plain(complaint(error)), icon=":material/table_restaurant:")
