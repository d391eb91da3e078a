"""The live picture: a Streamlit component that shows a camera's picture with what is read in it, and says when it was frozen."""

from __future__ import annotations

from base64 import b64decode
from pathlib import Path
from typing import Any

import streamlit as st

from assistant.dashboard.live import LONGEST_SIDE, PATH
from assistant.dashboard.live_texts import words

_mount = st.components.v2.component(
    "istaka_live",
    html="""<div class="board"><div class="live">
      <div>
        <div class="notice" role="alert" hidden></div>
        <div class="stage"><video class="video" muted playsinline></video><img class="image" alt="" hidden><div class="over"></div></div>
        <p class="hint" role="status"></p>
        <div class="tools">
          <button type="button" class="again" hidden></button>
          <button type="button" class="freeze" disabled></button>
          <button type="button" class="turn" hidden>⟲</button>
        </div>
      </div>
      <div class="drawn"></div>
    </div></div>""",
    css="".join(Path(__file__).with_name(name).read_text("utf-8") for name in ("board.css", "live.css")),
    js=Path(__file__).with_name("live.js").read_text("utf-8"),
)


def live_view(settings: dict[str, Any]) -> bytes | None:
    """Shows the camera's picture and returns the one that was just frozen, JPEG, if any.

    Args:
        settings: as `live.Settings` reads them.
    """
    data = {"settings": settings, "path": PATH, "side": LONGEST_SIDE, "words": words()}
    frozen: str | None = _mount(key="live", data=data, on_frozen_change=lambda: None).frozen
    return b64decode(frozen.partition(",")[2]) if frozen else None
