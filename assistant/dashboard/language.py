"""The language of the pages: English as it stands in the code, others from the catalogues in `locale/`; each visitor has their own.

Sentences stand in the texts modules. A constant is marked with `N_` and translated when it is drawn; a sentence with values is a
function that calls `_` or `ngettext` and fills them in with `.format`.
"""

from __future__ import annotations

import gettext as catalogues
import io
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime
from functools import lru_cache
from pathlib import Path

import streamlit as st
from babel.dates import format_date, format_datetime
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_percent
from streamlit.runtime.scriptrunner import get_script_run_ctx

ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "tr": "Türkçe"}
"""Every language by its code, in its own words."""
LOCALE, DOMAIN = Path(__file__).with_name("locale"), "istaka"
CHOICE = "language"
"""What a visitor's session calls the chosen language, and the browser's cookie."""

_spoken: ContextVar[str | None] = ContextVar("spoken", default=None)


def _(message: str) -> str:
    """The message in the language of the page."""
    return _catalogue(language()).gettext(message)


def ngettext(one: str, many: str, count: int) -> str:
    """The form of the message that goes with a count."""
    return _catalogue(language()).ngettext(one, many, count)


def N_(message: str) -> str:
    """Marks a constant for the catalogue and leaves it as it is."""
    return message


def capitalised(text: str) -> str:
    """The text with a capital at its beginning, as the language writes it."""
    first = "İ" if text.startswith("i") and language() == "tr" else text[:1].upper()
    return first + text[1:]


def percent(share: float) -> str:
    """A share as the language writes it: 40%, %40."""
    return str(format_percent(share, locale=language()))


def day(when: date) -> str:
    """A date as the language writes it."""
    return str(format_date(when, "d MMMM y", locale=language()))


def moment(when: datetime) -> str:
    """A time with its zone, as the language writes it."""
    return f"{format_datetime(when, 'd MMMM y, HH:mm', locale=language())} ({when:UTC%z})"


def listed(words: Iterable[str]) -> str:
    """Words as a list in a sentence: a, b, and c."""
    return str(format_list(list(words), locale=language()))


def isolated(name: str) -> str:
    """A name as it stands in a sentence: one written from right to left does not draw the figures beside it to its other side.

    Unicode's FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE do that (Unicode Standard Annex 9).
    """
    leftward = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in name)
    return f"\u2068{name}\u2069" if leftward else name


def language() -> str:
    """The code of the language in which this visitor's page is drawn; English outside of any visit."""
    spoken = _spoken.get()
    if spoken is not None:
        return spoken
    if get_script_run_ctx(suppress_warning=True) is None:
        return ENGLISH
    if CHOICE not in st.session_state:
        st.session_state[CHOICE] = _wanted(st.context.cookies.get(CHOICE), st.context.locale)
    chosen: str = st.session_state[CHOICE]
    return chosen


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Within it this language is spoken, whatever the visitor has chosen."""
    token = _spoken.set(code)
    try:
        yield
    finally:
        _spoken.reset(token)


def _wanted(remembered: str | None, browser: str | None) -> str:
    """The language that the visitor chose before, or else the browser's; English for one that there is no catalogue for."""
    codes = (remembered, (browser or "").partition("-")[0].lower())
    return next((code for code in codes if code in LANGUAGES), ENGLISH)


@lru_cache
def _catalogue(code: str) -> catalogues.NullTranslations:
    """The messages of a language, compiled when they are first needed: only their source is kept."""
    if code == ENGLISH:
        return catalogues.NullTranslations()
    compiled = io.BytesIO()
    with (LOCALE / code / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as source:
        write_mo(compiled, read_po(source, code))
    compiled.seek(0)
    return catalogues.GNUTranslations(compiled)
