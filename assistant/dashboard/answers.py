"""What a visitor has answered stays while another page or tab is looked at: Streamlit forgets a widget that is not drawn."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

NEW_TABLE = ("seat-", "first-dealer-", "preset", "option-")
DEAL_OF_101 = ("finisher-", "opened-", "left-", "okeys-", "okey-", "elden-", "who-penalty-", "reason-")
THE_DEAL = ("how-many", "informally", "dealer-", "first-die", "second-die")
LIVE = ("source", "table-camera", "camera-address")
"""How the keys begin of the widgets of a form."""
KEPT, DRAWN, DRAWN_BEFORE = "answers", "forms drawn", "forms drawn before"
"""What the session calls the answers, the forms that were drawn so far, and those that were when the page was drawn last."""


def keep_answers() -> None:
    """Remembers what those widgets say that were drawn last; called whenever the page begins to be drawn."""
    kept: dict[str, object] = st.session_state.setdefault(KEPT, {})
    kept |= {key: value for key, value in st.session_state.items() if str(key).startswith((*NEW_TABLE, *DEAL_OF_101, *THE_DEAL, *LIVE))}
    st.session_state[DRAWN_BEFORE] = st.session_state.get(DRAWN, set())
    st.session_state[DRAWN] = set()


def give_back(form: str, belongs: Callable[[str], bool]) -> None:
    """Gives the widgets of a form, which must be drawn next, back what they said, where they were not drawn meanwhile.

    That Streamlit still knows a widget's value is no sign that it was: of a tab that is left as soon as it was opened a browser
    forgets the values only after it has sent them.

    Args:
        form: what tells it from others.
        belongs: whether a widget with this key is a part of it.
    """
    for key, value in st.session_state[KEPT].items():
        if belongs(key) and (form not in st.session_state[DRAWN_BEFORE] or key not in st.session_state):
            st.session_state[key] = value
    st.session_state[DRAWN].add(form)
