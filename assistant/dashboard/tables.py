"""The store of the dashboard, and the device on which a visitor reads and writes: known again after a reload by a cookie.

The cookie holds a random token, of which the store has only a hash. A table is unlocked for a device by its PIN and stays so
until the PIN is changed.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from urllib.parse import urlencode

import streamlit as st

from assistant.dashboard.clock import here
from assistant.dashboard.paper.texts import moment
from assistant.dashboard.score_texts import SCORE_PATH
from assistant.store import SavedTable, Store, UnreadableTableError

TABLE = "table"
"""The query parameter that names a table in the address of its page."""
COOKIE = "istaka_device"
# A cookie that is there already is another tab's, opened at the same moment: it stays, and holds from the next reload on.
JS = """
export default function ({ data }) {
  const there = document.cookie.split("; ").some((cookie) => cookie.startsWith(`${data.name}=`));
  const secure = location.protocol === "https:" ? "; secure" : "";
  if (!there) document.cookie = `${data.name}=${data.token}; path=/; max-age=31536000; samesite=lax${secure}`;
}
"""

_mount = st.components.v2.component("istaka_device", html="<span></span>", js=JS)


@st.cache_resource(show_spinner=False)
def store() -> Store:
    """One store for all visitors. Raises StoreError."""
    return Store()


def device() -> str:
    """The token of this visitor's device."""
    known = st.context.cookies.get(COOKIE)
    token: str = st.session_state.setdefault("device", known or secrets.token_urlsafe())
    return token


def remember_device() -> None:
    """Has the browser keep the token of its device, unless it does so already."""
    if st.context.cookies.get(COOKIE) is None:
        _mount(key="device-cookie", data={"name": COOKIE, "token": device()})


def may_write(table: str) -> bool:
    """Whether this visitor may write to a table. Raises StoreError."""
    return store().is_unlocked(table, device())


def own_tables(count: int) -> list[SavedTable]:
    """The tables made last that this visitor may write to; of one that cannot be read its own page says why. Raises StoreError."""
    saved = []
    for table, _players in store().recent(count, device()):
        with suppress(UnreadableTableError):
            saved.append(store().table(table))
    return saved


def as_it_stands(table: str) -> SavedTable:
    """A table, read once for all visitors until something is written to it. Raises UnreadableTableError."""
    return _read(table, *store().state(table))


@st.cache_resource(show_spinner=False, max_entries=2000)
def _read(table: str, last_line: int, rematch: str | None) -> SavedTable:
    return store().table(table)


def name_of(saved: SavedTable) -> str:
    """Who plays at a table, and since when: the same people have many."""
    return f"{', '.join(saved.ledger.table.players)}, {moment(here(saved.created))}"


def path_of(table: str) -> str:
    """A table's page, within the dashboard."""
    return f"{SCORE_PATH}?{urlencode({TABLE: table})}"
