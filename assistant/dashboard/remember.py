"""What a visitor's browser remembers from one visit to the next: cookies of a year, which Safari forgets a week after the last visit."""

from __future__ import annotations

from urllib.parse import quote, unquote

import streamlit as st

JS = """
export default function ({ data }) {
  const secure = location.protocol === "https:" ? "; secure" : ""; // never sent where others on the way could read it
  document.cookie = `${data.cookie}=${data.value}; path=/; max-age=31536000; samesite=lax${secure}`;
}
"""

_mount = st.components.v2.component("istaka_remember", html="<span></span>", js=JS)


def remember(name: str, value: str) -> None:
    """Has the browser remember a value; to be drawn outside of what may be folded away."""
    _mount(key=f"remember-{name}", data={"cookie": name, "value": quote(value, safe="")}, width="content", height="content")


def remembered(name: str) -> str:
    """What the browser remembered when this visit began, whoever may have changed it there; empty for nothing."""
    return unquote(st.context.cookies.get(name, ""))
