"""The switch between languages: a Streamlit component that also tells the browser which one is spoken, and to remember it."""

from __future__ import annotations

import streamlit as st

from assistant.dashboard.language import CHOICE, LANGUAGES, language

KEY = "language-switch"
CSS = """
.languages { display: flex; font-family: var(--st-font), sans-serif; }
button { min-width: 2rem; min-height: 2rem; padding: 0 .3rem; border: 0; border-radius: .5rem; background: none;
  color: var(--st-text-color); font: 600 .85rem var(--st-font), sans-serif; opacity: .75; cursor: pointer; touch-action: manipulation; }
button:hover { opacity: 1; }
button[aria-pressed=true] { opacity: 1; background: color-mix(in srgb, var(--st-text-color) 12%, transparent); }
button:focus-visible { outline: 3px solid var(--st-primary-color); }
@media (pointer: coarse) { button { min-width: 2.75rem; min-height: 2.75rem; } }
"""
JS = """
export default function ({ data, parentElement, setTriggerValue }) {
  document.documentElement.lang = data.language;
  for (const button of parentElement.querySelectorAll("button")) {
    button.setAttribute("aria-pressed", button.lang === data.language);
    button.onclick = () => {
      document.cookie = `${data.cookie}=${button.lang}; path=/; max-age=31536000; samesite=lax`;
      setTriggerValue("chosen", button.lang);
    };
  }
}
"""
BUTTONS = "".join(
    f'<button type="button" lang="{code}" title="{name}" aria-label="{name}">{code.upper()}</button>' for code, name in LANGUAGES.items()
)

_mount = st.components.v2.component(
    "istaka_language",
    html=f'<div class="languages">{BUTTONS}</div>',
    css=CSS,
    js=JS,
)


def language_switch() -> None:
    """Draws the switch; the page is drawn in the language that was tapped."""
    _mount(key=KEY, data={"language": language(), "cookie": CHOICE}, on_chosen_change=_switch, width="content")


def _switch() -> None:
    st.session_state[CHOICE] = st.session_state[KEY].chosen
