"""The store of the dashboard, and the device on which a visitor reads and writes: known again after a reload by a cookie.

The cookie holds a random token, of which the store has only a hash. A table is unlocked for a device by its PIN and stays so
until the PIN is changed. The PIN itself is kept by the browsers in which it was shown or entered alone.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from assistant.dashboard.clock import here
from assistant.dashboard.language import moment
from assistant.dashboard.page_frame import DEVICE_COOKIE
from assistant.dashboard.remember import remember, remembered
from assistant.dashboard.score_texts import SCORE_PATH
from assistant.pins import is_pin
from assistant.store import SavedTable, Store, UnreadableTableError

TABLE = "table"
"""The query parameter that names a table in the address of its page."""
PINS = "istaka_pins"
"""What a visitor's session calls the PINs that it knows, by table, and the browser's cookie."""
MOST_PINS = 20
"""Of so many tables a browser remembers the PINs."""


@st.cache_resource(show_spinner=False)
def store() -> Store:
    """One store for all visitors. Raises StoreError."""
    return Store()


def device() -> str:
    """The token of this visitor's device; where a browser keeps no cookies, of this visit."""
    known = st.context.cookies.get(DEVICE_COOKIE)
    token: str = st.session_state.setdefault("device", known or secrets.token_urlsafe())
    return token


def may_write(table: str) -> bool:
    """Whether this visitor may write to a table. Raises StoreError."""
    return store().is_unlocked(table, device())


def own_tables(count: int) -> list[SavedTable]:
    """The tables made last that this visitor may write to; of one that cannot be read its own page says why. Raises StoreError."""
    saved = []
    for table, _players in store().recent(count, device()):
        with suppress(UnreadableTableError):
            saved.append(as_it_stands(table))
    return saved


def as_it_stands(table: str) -> SavedTable:
    """A table, read once for all visitors until something is written to it. Raises StoreError."""
    return _read(table, *store().state(table))


@st.cache_resource(show_spinner=False, max_entries=2000)
def _read(table: str, last_line: int, rematch: str | None) -> SavedTable:
    return store().table(table)


def known_pin(table: str) -> str:
    """A table's PIN if it was shown or entered in this browser, or nothing: nobody else keeps it."""
    return _pins().get(table, "")


def keep_pin(table: str, pin: str) -> None:
    """Keeps a table's PIN, to be shown again in this browser."""
    _pins().pop(table, None)
    _pins()[table] = pin  # as the newest


def remember_pins() -> None:
    """Has the browser remember the PINs that were kept; to be drawn outside of what may be folded away."""
    remember(PINS, urlencode(list(_pins().items())[-MOST_PINS:]))


def _pins() -> dict[str, str]:
    if PINS not in st.session_state:
        st.session_state[PINS] = {table: pin for table, pin in parse_qsl(remembered(PINS)) if is_pin(pin)}
    pins: dict[str, str] = st.session_state[PINS]
    return pins


def name_of(saved: SavedTable) -> str:
    """Who plays at a table, and since when: the same people have many."""
    return f"{moment(here(saved.created))}: {', '.join(saved.ledger.table.players)}"


def go_to_table(table: str) -> None:
    """Goes to a table's page."""
    st.query_params[TABLE] = table
    st.rerun()


def path_of(table: str) -> str:
    """A table's page, within the dashboard."""
    return f"{SCORE_PATH}?{urlencode({TABLE: table})}"
