"""The choice of the set that is in the photo, and teaching one: a popover of the pages about a photo."""

from __future__ import annotations

import streamlit as st

from assistant.dashboard import teach_texts, texts
from assistant.dashboard.drawing import ink_class
from assistant.dashboard.hand import Hand
from assistant.dashboard.language import _
from assistant.dashboard.photo import Photo, taught_inks, teach
from assistant.dashboard.remember import remember, remembered
from vision.profile import ProfileError, forget, taught_sets
from vision.reading import Place

CHOICE = "set"
"""What a visitor's session calls the chosen set, and the browser's cookie."""


def chosen_set() -> str | None:
    """The set that this visitor's photos show: chosen here, or in an earlier visit with this browser; None for any."""
    if CHOICE not in st.session_state:
        before = remembered(CHOICE)
        st.session_state[CHOICE] = before if before in taught_sets() else None
    name: str | None = st.session_state[CHOICE]
    return name if name in taught_sets() else None


def inks_style() -> str:
    """A style sheet that gives drawn tiles the inks of the chosen set."""
    inks = taught_inks(chosen_set())
    rules = "".join(f".board .{ink_class(colour)} {{--ink: {ink}}}" for colour, ink in inks.items())
    return f"<style>{rules}</style>" if rules else ""


def set_popover(photo: Photo, hand: Hand) -> bool:
    """Draws the choice of the set. Returns whether the photo is to be read anew, with another set than before."""
    chosen, names = chosen_set(), taught_sets()
    before = st.session_state[CHOICE]
    with st.popover(texts.plain(teach_texts.set_label(chosen)), icon=":material/school:"):
        options = [None, *names]
        answer = st.selectbox(
            _(teach_texts.WHICH_SET),
            options,
            index=options.index(chosen),
            format_func=lambda name: _(teach_texts.ANY_SET) if name is None else name,
        )
        if chosen is not None:
            _offer_to_forget(chosen)
        _ask_to_teach(photo, hand, chosen)
    remember(CHOICE, answer or "")
    st.session_state[CHOICE] = answer
    return answer != before


def _offer_to_forget(name: str) -> None:
    """Forgets a set, which is everyone's, when the user says so again.

    It asks in the popover: that stays open, and on a phone may cover a dialog. The question takes the place of the button: below it a
    phone may not show it. It begins with words, so that a second tap on the button forgets nothing.
    """
    place = st.empty()
    if place.button(_(teach_texts.FORGET), icon=":material/delete:", key="forget-set"):
        with place.container():
            st.write(texts.plain(teach_texts.forget_for_all(name)))
            st.button(_(teach_texts.FORGET_FOR_ALL), type="primary", key="forget-set-now", on_click=forget, args=(name,))


def _ask_to_teach(photo: Photo, hand: Hand, chosen: str | None) -> None:
    """Asks for a name and teaches, once every tile is certain."""
    shown = [held for held in hand.held.values() if held.place is not Place.TABLE]
    st.markdown(f"**{_(teach_texts.TEACH_TITLE)}**")
    st.caption(_(teach_texts.TEACH_HOW))
    certain = bool(shown) and all(held.state in ("sure", "hand") for held in shown)
    if not certain:
        st.caption(f":orange[{_(teach_texts.NOT_ALL_READ)}]")
    name = st.text_input(_(teach_texts.NAME_LABEL), value=chosen or "", max_chars=40, disabled=not certain, key=f"set-name-{chosen}")
    if st.button(_(teach_texts.TEACH), type="primary", icon=":material/school:", disabled=not certain, key="teach"):
        outlines = [(held.tile, photo.reading.tiles[int(held.key)].outline) for held in shown if held.key.isdigit()]
        try:
            taught = teach(name.strip(), photo, outlines)
        except ProfileError as error:
            st.error(texts.plain(texts.complaint(error)))
            return
        learnt = teach_texts.learnt(name.strip(), len(taught.tiles), len(set(taught.photos)))
        st.toast(texts.plain(learnt), icon=":material/school:")
        st.session_state[CHOICE] = name.strip()
        st.rerun()
