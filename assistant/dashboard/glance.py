"""A part of a page that stays up to date by itself: the browser asks for it again and again, and the page as such stands still.

Not a fragment that Streamlit runs every few seconds: a tap that comes while such a run begins or ends is lost, or the page never shows
what came of it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from weakref import WeakValueDictionary

import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from assistant.dashboard.inks import green_colours, looking_at
from assistant.dashboard.language import language, speaking

PATH = "/glance"
JS = """
const ON_ITS_WAY_MS = 5000; // the page that a tapped link leads to comes within it

export default function ({ data, parentElement, setTriggerValue }) {
  const shown = parentElement.querySelector(".drawn");
  let drawn = null;
  let gone = 0;
  // a link was tapped: to draw this page anew before the next one comes would lead back to this one
  shown.leave ??= (event) => {
    if (event.target.closest("a[href]")) shown.left = performance.now();
  };
  document.addEventListener("click", shown.leave, true); // the same one is not added twice
  const draw = (anew) => {
    if (anew !== drawn) shown.innerHTML = drawn = anew;
  };
  const look = (shown.look = async () => {
    const answer = await fetch(data.path).catch(() => null);
    const seen = answer?.ok ? await answer.json().catch(() => null) : null;
    if (shown.look !== look) return; // the page has been drawn anew, or left
    if (seen) draw(seen.drawn);
    gone = answer?.status === 404 ? gone + 1 : 0; // once, the page may just be being drawn anew; twice, the server has forgotten it
    const anew = seen?.changed || gone > 1;
    const later = performance.now() - shown.left < ON_ITS_WAY_MS || document.querySelector("[role=dialog]"); // which it would close
    if (anew && !later) setTriggerValue("changed", true);
    if (!seen?.over && (!seen?.changed || later)) setTimeout(look, data.every_ms);
  });
  draw(data.drawn);
  if (!data.over) setTimeout(() => shown.look === look && look(), data.every_ms);
  return () => {
    document.removeEventListener("click", shown.leave, true);
    shown.look = null;
  };
}
"""


@dataclass(frozen=True)
class Seen:
    """What a glance shows.

    Attributes:
        drawn: HTML.
        over: whether it will stay as it is.
        changed: whether the page as such is to be drawn anew.
    """

    drawn: str
    over: bool = False
    changed: bool = False


_mount = st.components.v2.component(
    "istaka_glance",
    html='<div class="board"><div class="drawn"></div></div>',
    css=Path(__file__).with_name("board.css").read_text("utf-8"),
    js=JS,
)
_looks: WeakValueDictionary[str, Callable[[], Seen]] = WeakValueDictionary()
"""What the browsers may ask for, by a token that only the visitor's own knows, for as long as the visitor's session keeps it."""


def glance(name: str, look: Callable[[], Seen], every_s: float) -> None:
    """Shows what `look` returns, now and every so many seconds, in the language and the inks that this visitor sees now.

    Args:
        name: names this glance on the page.
        look: is called in threads that know no visitor.
    """
    spoken, green = language(), green_colours()

    def as_visitor() -> Seen:
        with speaking(spoken), looking_at(green):
            return look()

    token = secrets.token_urlsafe()
    st.session_state.setdefault("glances", {})[name] = _looks[token] = as_visitor
    seen = as_visitor()
    data = {"path": f"{PATH}/{token}", "every_ms": 1000 * every_s, "drawn": seen.drawn, "over": seen.over}
    _mount(key=name, data=data, on_changed_change=lambda: None)


def seen_now(request: Request) -> Response:
    """What a glance shows now, as JSON; not found once the page that asks has been drawn anew or its visitor is gone."""
    look = _looks.get(request.path_params["token"])
    return Response(status_code=404) if look is None else JSONResponse(asdict(look()))
