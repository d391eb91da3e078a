"""The inks of the set that a visitor looks at: where green stands in place of blue or yellow, pages name and draw it so."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from assistant.tiles import Colour
from vision.inks import Ink, green_among

LOOKED_AT = "green"
"""What a visitor's session calls the colours that are green in the photo that they looked at last."""

_looked_at: ContextVar[Collection[Colour] | None] = ContextVar("looked_at", default=None)


def look_at(inks: Mapping[Colour, Ink]) -> None:
    """From now on this visitor looks at a set with these inks."""
    st.session_state[LOOKED_AT] = green_among(inks)


@contextmanager
def looking_at(green: Collection[Colour]) -> Iterator[None]:
    """Within it a set is looked at in which these colours are green, outside of any visit, too."""
    token = _looked_at.set(green)
    try:
        yield
    finally:
        _looked_at.reset(token)


def green_colours() -> Collection[Colour]:
    """The colours for which the set that is looked at has green ink."""
    green = _looked_at.get()
    if green is None:
        green = st.session_state.get(LOOKED_AT, ()) if get_script_run_ctx(suppress_warning=True) else ()
    return green


def is_green(colour: Colour) -> bool:
    """Whether the set that is looked at has green ink for a colour."""
    return colour in green_colours()
