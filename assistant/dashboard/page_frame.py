"""The frame that every page is drawn in, from its first moment on: how pages are set, that what is typed is sent, whose device it is."""

from __future__ import annotations

import secrets
from pathlib import Path

import streamlit
from starlette.requests import Request
from starlette.responses import HTMLResponse

DEVICE_COOKIE = "istaka_device"
"""Holds the token of a visitor's device. It is sent with the page, as Safari forgets what a script has stored after a week."""
A_YEAR_S = 365 * 24 * 3600
STYLE = """
<style>
#root .stMainBlockContainer {padding: 1.5rem 1rem 3rem; max-width: var(--page-width, 76rem); margin: 0 auto}
@media (max-width: 640px) {#root .stMainBlockContainer {padding-bottom: 8rem}}
#root .stMainBlockContainer h1 {padding: 0; font-size: 2.2rem}
#root .stMainBlockContainer h3 {padding: 0; font-size: 1.25rem}
:root {color-scheme: light dark}
:root [data-testid="stCaptionContainer"] {opacity: .85}
:root [data-testid^="stBaseButton-primary"], :root [data-testid^="stBaseButton-primary"] :is(p, span) {color: light-dark(#fff, #1c1815)}
@media (pointer: coarse) {
  :root :is(
    .stPageLink a, [role="tab"], [role="radio"], .stPopover button, summary, .stCheckbox label, .stTextInput input, [role="combobox"],
    [data-testid^="stBaseButton-"]:not([data-testid="stBaseButton-elementToolbar"]), .stNumberInput :is(input, button)
  ) {min-height: 2.75rem; min-width: 2.75rem}
  :root :is([data-testid="stTextInputRootElement"], [data-testid="stNumberInputContainer"], .stSelectbox [role="group"]) {height: auto}
  :root .stCheckbox label {align-items: center}
  :root .stDialog button[aria-label="Close"]::after {content: ""; position: absolute; inset: -.9rem}
  :root .stTabs [role="tablist"] {gap: 0}
  :root .stTabs [role="tab"] {justify-content: center; padding: 0 clamp(.25rem, 5vw - .875rem, .75rem)}
  :root .st-key-pages {gap: 0}
  :root .st-key-pages :is(.stElementContainer, .stPageLink a) {margin: 0}
  :root .st-key-pages .stPageLink a {padding: 0 .375rem}
}
.stDialog > div {overflow: clip}
.stDialog div:has(> .st-key-done) {position: sticky; bottom: -2rem; z-index: 1; padding: .6rem 0; background: light-dark(#fbf7ef, #1c1815)}
</style>
"""
"""Less room above and around than Streamlit leaves, so that the photo is seen at once on a phone; there the verdict's sentence
covers the bottom of the page. Captions and the words on filled buttons are told apart from what is behind them as WCAG 2.2 asks,
4.5 to 1, in dialogs too, which lie beside the page and know light from dark by the root alone; as Streamlit draws them they are not.
What a finger taps is 44 pixels high and wide; the links of all pages still stand in two lines at 360 pixels, the tabs of a table in one.
What closes a dialog of many tiles stays in sight at the bottom of a phone: a dialog that hides its overflow instead of clipping it would
hold it back."""
TYPED_FIRST = """
<script>
{
  const SENT_MS = 150; // 25 after a field was left what was typed had not been sent, 100 after it it had
  let left = -Infinity; // when a field was left for another page
  const linkAt = ({ target }) => target.closest?.(".stPageLink a");
  document.addEventListener("pointerdown", (event) => {
    const field = document.activeElement;
    if (!linkAt(event) || !field?.matches("input, textarea")) return;
    field.blur();
    left = performance.now();
  }, true);
  document.addEventListener("click", (event) => {
    const link = linkAt(event), wait = left + SENT_MS - performance.now();
    if (!link || wait <= 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    setTimeout(() => link.click(), wait);
  }, true);
}
</script>
"""
"""What is typed is sent before its page is left. Streamlit sends it a moment after its field is left: a finger that went on to the link of
another page at once was led back, and what had been typed was gone."""
FRAME = (Path(streamlit.__file__).parent / "static" / "index.html").read_text("utf-8").replace("</head>", f"{STYLE}{TYPED_FIRST}</head>")
"""What Streamlit sends for every page, with both in it: what a page draws comes later, and would push aside what a thumb already
goes for."""


async def framed_page(request: Request) -> HTMLResponse:
    """Sends the frame, not to be kept, as it names the files of this very version; and the token of the device, known for a year again."""
    page = HTMLResponse(FRAME, headers={"Cache-Control": "no-cache"})
    token = request.cookies.get(DEVICE_COOKIE) or secrets.token_urlsafe()
    encrypted = request.url.scheme == "https"
    page.set_cookie(DEVICE_COOKIE, token, max_age=A_YEAR_S, samesite="lax", httponly=True, secure=encrypted)
    return page
