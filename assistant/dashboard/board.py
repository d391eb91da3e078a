"""The board: a Streamlit component that shows drawn tiles and says which ones were tapped, however fast."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from assistant.dashboard.teach_page import inks_style

JS = """
export default function ({ data, parentElement, setStateValue }) {
  const board = parentElement.querySelector(".board");
  // All that was tapped is told each time: of taps that come faster than the page is drawn Streamlit delivers the last alone.
  board.taps ??= { since: `${Date.now()} ${Math.random()}`, keys: [] };
  const tell = (key) => {
    board.taps = { ...board.taps, keys: [...board.taps.keys, key] };
    setStateValue("taps", board.taps);
  };
  const photo = board.querySelector(".photo");
  const image = photo.querySelector("img");
  photo.hidden = !data.photo;
  if (data.photo && image.getAttribute("src") !== data.photo) image.src = data.photo;
  draw_keeping_focus(parentElement, () => {
    replace(photo.querySelector(".over"), data.over);
    const { width, height } = photo.querySelector(".over > svg")?.viewBox.baseVal ?? {};
    if (data.photo) photo.style.cssText = `--width: ${width}; --height: ${height}`;
    replace(board.querySelector(".drawn"), data.drawn);
    // A tile that lies aside has no button in the rack: a keyboard reaches its outline.
    for (const outline of photo.querySelectorAll(".aside[data-key]")) {
      outline.setAttribute("tabindex", "0");
      outline.setAttribute("role", "button");
      outline.setAttribute("aria-label", outline.querySelector("title").textContent);
      outline.onkeydown = (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        tell(outline.dataset.key);
      };
    }
  });
  board.onclick = (event) => {
    const tapped = event.target.closest("[data-key]");
    if (tapped) tell(tapped.dataset.key);
  };
}
"""

_mount = st.components.v2.component(
    "istaka_board",
    html='<div class="board"><div class="photo" hidden><img alt=""><div class="over"></div></div><div class="drawn"></div></div>',
    css=Path(__file__).with_name("board.css").read_text("utf-8"),
    js=Path(__file__).with_name("keyboard.js").read_text("utf-8") + JS,
)


def board(name: str, drawn: str, photo: str = "", over: str = "", on_tap: Callable[[str], None] | None = None) -> str | None:
    """Shows a drawing, in the inks of the set that was chosen, and returns the key of the tile that was just tapped, if any.

    Args:
        name: names this board on the page.
        drawn: HTML from `drawing.py`.
        photo: address of a picture shown above it.
        over: SVG that lies over the picture.
        on_tap: is called with the key of each tile that was tapped, in turn, before the page is drawn anew; nothing is returned then.
    """

    def tell() -> None:
        if on_tap is not None:
            for key in _new_taps(name):
                on_tap(key)

    data = {"drawn": inks_style() + drawn, "photo": photo, "over": over}
    _mount(key=name, data=data, on_taps_change=tell)
    return next(reversed(_new_taps(name)), None)


def _new_taps(name: str) -> list[str]:
    """The keys of the tiles that were tapped on a board since this was asked last."""
    taps = st.session_state[name].taps
    if taps is None:
        return []
    since, told = st.session_state.get(f"{name}-told", ("", 0))
    new: list[str] = taps["keys"][told if taps["since"] == since else 0 :]
    st.session_state[f"{name}-told"] = taps["since"], len(taps["keys"])
    return new
