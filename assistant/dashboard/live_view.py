"""The live picture: a Streamlit component that shows a camera's picture with what is read in it, and says when it was frozen."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from assistant.dashboard.hand import SeenIndicator
from assistant.dashboard.live import LONGEST_SIDE, PATH
from assistant.dashboard.live_texts import words
from assistant.tiles import Tile

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
      <div>
        <div class="shown" role="status"></div>
        <div class="tools"><button type="button" class="dispute" hidden></button></div>
        <div class="drawn"></div>
      </div>
    </div></div>""",
    css="".join(Path(__file__).with_name(name).read_text("utf-8") for name in ("board.css", "live.css")),
    js=Path(__file__).with_name("live.js").read_text("utf-8"),
)


@dataclass(frozen=True)
class Frozen:
    """A picture that was frozen.

    Attributes:
        jpeg: the picture.
        discards: tiles that the camera above the table has seen and this picture does not show.
        indicator: the one that only the camera above the table has seen.
    """

    jpeg: bytes
    discards: list[Tile]
    indicator: SeenIndicator | None


def live_view(settings: dict[str, Any]) -> tuple[Frozen | None, bool]:
    """Shows the camera's picture and returns the one that was just frozen, if any, and whether the hand shown on the table is disputed.

    Args:
        settings: as `live.Settings` reads them.
    """
    data = {"settings": settings, "path": PATH, "side": LONGEST_SIDE, "words": words()}
    said = _mount(key="live", data=data, on_frozen_change=lambda: None, on_disputed_change=lambda: None)
    frozen: dict[str, Any] | None = said.frozen
    if frozen is None:
        return None, bool(said.disputed)
    indicator = SeenIndicator(Tile.parse(frozen["indicator"][0]), frozen["indicator"][1]) if frozen["indicator"] else None
    return Frozen(b64decode(frozen["picture"].partition(",")[2]), list(map(Tile.parse, frozen["discards"])), indicator), False
