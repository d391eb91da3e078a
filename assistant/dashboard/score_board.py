"""The score's drawing on the page: a Streamlit component that shows HTML and says what in it was tapped."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

JS = """
export default function ({ data, parentElement, setTriggerValue }) {
  const drawn = parentElement.querySelector(".drawn");
  draw_keeping_focus(parentElement, () => replace(drawn, data));
  drawn.onclick = (event) => {
    const tapped = event.target.closest("[data-key]");
    if (tapped) setTriggerValue("tapped", tapped.dataset.key);
  };
}
"""

_mount = st.components.v2.component(
    "istaka_score",
    html='<div class="drawn"></div>',
    css=Path(__file__).with_name("score_board.css").read_text("utf-8"),
    js=Path(__file__).with_name("keyboard.js").read_text("utf-8") + JS,
)


def score_board(name: str, drawn: str) -> str | None:
    """Shows HTML from `score_drawing.py` and returns the key of what was just tapped in it, if anything."""
    tapped: str | None = _mount(key=name, data=drawn, on_tapped_change=lambda: None).tapped
    return tapped
