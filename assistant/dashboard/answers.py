"""What a visitor has answered stays while another page or tab is looked at: Streamlit forgets a widget that is not drawn."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

NEW_TABLE = ("seat-", "first-dealer-", "preset", "option-")
DEAL_OF_101 = ("finisher-", "opened-", "left-", "okeys-", "okey-", "elden-", "who-penalty-", "reason-")
THE_DEAL = ("how-many", "informally", "dealer-", "first-die", "second-die")
"""How the keys begin of the widgets of a form."""


def keep_answers() -> None:
    """Remembers what those widgets say that were drawn last."""
    kept: dict[str, object] = st.session_state.setdefault("answers", {})
    kept |= {key: value for key, value in st.session_state.items() if str(key).startswith((*NEW_TABLE, *DEAL_OF_101, *THE_DEAL))}


def give_back(belongs: Callable[[str], bool]) -> None:
    """Gives the widgets with these keys back what they said, where they were not drawn meanwhile; they must be drawn next."""
    for key, value in st.session_state["answers"].items():
        if belongs(key) and key not in st.session_state:
            st.session_state[key] = value
