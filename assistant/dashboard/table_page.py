"""A table's own page, with an address of its own: its scoreboard, the deal to enter, every deal, who watches, what is kept."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import partial
from html import escape
from urllib.parse import urlsplit

import streamlit as st

from assistant.dashboard import keep_texts
from assistant.dashboard import score_texts as texts
from assistant.dashboard.charts import line_chart
from assistant.dashboard.glance import Seen, glance
from assistant.dashboard.keep import show_evidence, show_evidence_of
from assistant.dashboard.language import _
from assistant.dashboard.rules_texts import in_force
from assistant.dashboard.score_board import score_board
from assistant.dashboard.score_drawing import CORRECT, EVIDENCE, code_html, history_html, scoreboard_html
from assistant.dashboard.score_forms import event_form
from assistant.dashboard.score_view import as_csv, course, refused, side_name, sides
from assistant.dashboard.send import show_papers
from assistant.dashboard.tables import device, go_to_table, keep_pin, known_pin, may_write, path_of, remember_pins, store
from assistant.dashboard.texts import complaint, plain
from assistant.dashboard.visitors import is_local
from assistant.database import StoreError
from assistant.pins import is_pin
from assistant.rules import Okey101Scoring
from assistant.scoring import Event, EventError
from assistant.seats import next_game_dealer
from assistant.serve import EVERYWHERE, lan_address
from assistant.store import FIRST_EVENT, SavedTable, Store, WrongPinError

REREAD_S = 2
"""How often, in seconds, a page looks whether somebody has written to the table."""
TAPPED = "tapped"
"""What the session calls the table as it was drawn when a key that writes was tapped."""
UNDO: Event = {"event": "undo"}
"""Takes back the last change."""


def table_page(saved: SavedTable) -> None:
    """Draws the page, and anew whenever somebody has written to the table."""
    glance("watch", partial(_watch, store(), saved), REREAD_S)
    writes = may_write(saved.id)
    if "refused" in st.session_state:  # seen wherever on the page the tap was
        st.toast(plain(st.session_state.pop("refused")), icon=":material/block:", duration="long")
    score_board("scoreboard", scoreboard_html(saved))
    tabs = st.tabs([_(title) for title in SECTIONS], key="section", on_change="rerun")
    for tab, show in zip(tabs, SECTIONS.values(), strict=True):
        if tab.open:
            with tab:
                show(saved, writes)
    if writes and known_pin(saved.id):
        remember_pins()


def _show_game(saved: SavedTable, writes: bool) -> None:
    """What is entered, and what was."""
    # somebody may have written since a key was tapped: what was tapped is drawn once more, or the tap would go to nobody
    drawn = st.session_state.pop(TAPPED, saved)
    if drawn.id != saved.id:
        drawn = saved
    st.caption(in_force(saved.ledger.table.rules))
    if writes and saved.last_line < FIRST_EVENT and known_pin(saved.id):  # at once, before anybody looks for it
        st.markdown(texts.pin_is(known_pin(saved.id)))
    left, right = st.columns(2, gap="medium")
    with left:
        _show_end(saved, writes)
        if not writes:
            _ask_pin(saved)
        elif not drawn.ledger.standing.finished:
            event_form(
                drawn,
                drawn.last_line + 1,
                lambda event: _send(drawn, {**event, "deal": drawn.ledger.standing.deals + 1}),
                on_tap=partial(st.session_state.__setitem__, TAPPED, drawn),
            )
        _show_course(saved)
    with right:
        _show_history(saved, writes)
        if writes:
            _offer_new_game(saved)
    table, line = st.session_state.get("changing", ("", 0))  # the browser's Back may have led to another table since
    if writes and table == saved.id and line in saved.ledger.events:
        st.dialog(_(texts.CORRECTION), width="medium", on_dismiss=_forget_correction)(_correct)(saved, line)


def _watch(kept: Store, saved: SavedTable) -> Seen:
    """Whether somebody has written to the table since it was drawn; a sentence while that cannot be known."""
    try:
        return Seen("", changed=kept.state(saved.id) != (saved.last_line, saved.rematch))
    except StoreError as error:
        return Seen(f'<div class="sentence ask" role="alert"><p>{escape(complaint(error))}</p></div>')


def _send(saved: SavedTable, event: Event, seen: int | None = None) -> None:
    """Writes an event down, once however often it is tapped, and draws the page anew.

    Args:
        saved: the table as the visitor knows it.
        seen: the last line of which the visitor knows what it changed, if not the table's: what it meant then may be something else now.
    """
    event_id = st.session_state.setdefault(f"event-{saved.id}-{saved.last_line}-{event}", uuid.uuid4().hex)
    if event == UNDO:
        event_id = f"undo-{saved.last_line}"  # the same change is meant on every phone: tapped on two at once it is taken back once
    try:
        if may_write(saved.id):  # the PIN may have been changed since the page was drawn
            store().add(saved.id, event, event_id, seen=saved.last_line if seen is None else seen)
        else:
            st.session_state["refused"] = _(texts.YOU_WATCH)
    except EventError as error:
        st.session_state["refused"] = refused(saved, error)
    except StoreError as error:  # said where the page is drawn anew: a dialog has no place for it
        st.session_state["refused"] = complaint(error)
    st.session_state.pop("changing", None)
    st.rerun()


def _show_end(saved: SavedTable, writes: bool) -> None:
    """The rematch: offered once the game is over, then linked."""
    if saved.rematch:
        if st.button(_(texts.TO_REMATCH), type="primary", icon=":material/arrow_forward:", width="stretch"):
            go_to_table(saved.rematch)
        return
    if writes and saved.ledger.standing.finished and st.button(_(texts.REMATCH), type="primary", icon=":material/replay:", width="stretch"):
        _open_rematch(saved)


def _offer_new_game(saved: SavedTable) -> None:
    """The way out of a game that lasts as long as the table likes: asked once more, as nothing takes it back."""
    scoring = saved.ledger.table.rules.scoring
    if not isinstance(scoring, Okey101Scoring) or scoring.deals is not None or not saved.ledger.standing.deals or saved.rematch:
        return
    with st.popover(_(texts.NEW_GAME), icon=":material/replay:", width="stretch"):
        st.caption(_(texts.NEW_GAME_MEANS))
        if st.button(_(texts.START_NEW_GAME), type="primary", width="stretch"):
            _open_rematch(saved)


def _open_rematch(saved: SavedTable) -> None:
    """Goes to the page of the next game with the same people, which begins with this."""
    rematch = store().rematch(saved.id, next_game_dealer(saved.ledger.table, saved.ledger.standing))
    pin = known_pin(saved.id)
    if pin:
        keep_pin(rematch, pin)
    go_to_table(rematch)


def _ask_pin(saved: SavedTable) -> None:
    """Lets a visitor write who knows the PIN."""
    with st.form("unlock"):
        st.caption(_(texts.YOU_WATCH))
        with st.container(horizontal=True, vertical_alignment="bottom"):
            pin = st.text_input(_(texts.PIN), type="password", autocomplete="off", width=160)
            unlock = st.form_submit_button(_(texts.UNLOCK), icon=":material/lock_open:")
    if unlock:
        try:
            store().unlock(saved.id, pin.strip(), device())
        except WrongPinError as error:
            st.error(texts.wrong_pin(error.wait_s))
        else:
            keep_pin(saved.id, pin.strip())
            st.rerun()


def _show_history(saved: SavedTable, writes: bool) -> None:
    """Every deal, each to be corrected or taken back."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.subheader(_(texts.EVERY_DEAL), anchor=False)
        key = f"undo-{saved.id}-{saved.last_line}"  # tapped twice, it is another button by then
        if writes and st.button(_(texts.UNDO), icon=":material/undo:", key=key, disabled=saved.last_line < FIRST_EVENT):
            _send(saved, UNDO)
    proven = {piece.line for piece in store().evidence(saved.id) if piece.line is not None}
    tapped = score_board("history", history_html(saved, writes, proven))
    if tapped is None:
        return
    kind, line, *seen = tapped.split()
    if kind == EVIDENCE:
        st.dialog(_(keep_texts.EVIDENCE), width="medium")(show_evidence_of)(saved.id, int(line))
    elif writes and kind == CORRECT:
        st.session_state["changing"] = saved.id, int(line)
    elif writes:
        _send(saved, {"event": "undo", "line": int(line)}, int(seen[0]))


def _forget_correction() -> None:
    st.session_state.pop("changing", None)


def _correct(saved: SavedTable, line: int) -> None:
    """Asks what should stand in a line."""
    old = saved.ledger.events[line]
    st.caption(plain(texts.described(old, saved.ledger.table.players)))
    event_form(saved, line, lambda event: _send(saved, {"event": "correct", "line": line, "with": event}), old)


def _show_course(saved: SavedTable) -> None:
    """The accounts after every deal as lines."""
    table = saved.ledger.table
    points = course(saved)
    if len(points) > 1:
        st.subheader(_(texts.COURSE), anchor=False)
        lines = {side_name(table, side): [scores[side[0]] for scores in points] for side in sides(table)}
        line_chart(lines, _(texts.DEALS_PLAYED), _(texts.SCORE_PAGE))


def _show_watch(saved: SavedTable, writes: bool) -> None:
    """The way for others to watch."""
    address = _address(saved.id)
    code, link = st.columns([2, 3], gap="small")
    with code:
        score_board("code", code_html(address))
    with link:
        st.caption(_(texts.ONLY_HERE) if is_local(urlsplit(address).hostname) else _(texts.SCAN))
        st.code(address, language=None, wrap_lines=True)
        if writes and known_pin(saved.id):
            st.markdown(texts.pin_is(known_pin(saved.id)))


def _show_table(saved: SavedTable, writes: bool) -> None:
    """The ledger to keep; for those who write the PIN to change."""
    st.caption(_(texts.KEEP_LEDGER))
    with st.container(horizontal=True, gap="small"):
        name = f"istaka-{saved.id}"
        table = as_csv(saved).encode("utf-8-sig")  # with the mark by which spreadsheets know UTF-8
        st.download_button(texts.CSV, table, f"{name}.csv", "text/csv", on_click="ignore", icon=":material/download:")
        st.download_button(
            texts.JSON_LINES, saved.text(), f"{name}.jsonl", "application/json", on_click="ignore", icon=":material/download:"
        )
    if writes:
        _change_pin(saved)


def _change_pin(saved: SavedTable) -> None:
    """Gives the table another PIN, asked from who knows the one so far."""
    with st.form("change-pin", clear_on_submit=True):
        st.caption(_(texts.CHANGE_PIN_HINT))
        with st.container(horizontal=True, vertical_alignment="bottom"):
            old = st.text_input(_(texts.OLD_PIN), type="password", autocomplete="off", width=180)
            new = st.text_input(_(texts.NEW_PIN), type="password", autocomplete="off", width=180).strip()
            change = st.form_submit_button(_(texts.CHANGE_PIN), icon=":material/lock_reset:")
    if not change:
        return
    if not is_pin(new):
        st.error(_(texts.NO_PIN))
        return
    try:
        store().change_pin(saved.id, old.strip(), new, device())
    except WrongPinError as error:
        st.error(texts.wrong_pin(error.wait_s))
    else:
        keep_pin(saved.id, new)
        st.success(_(texts.PIN_CHANGED), icon=":material/check:")


def _address(table: str) -> str:
    """The page of a table for other devices: in the local network, if this computer opened it by its own name."""
    here = urlsplit(st.context.url)
    host = lan_address() if is_local(here.hostname) and st.get_option("server.address") == EVERYWHERE else here.hostname
    port = f":{here.port}" if here.port else ""
    return f"{here.scheme}://{host}{port}/{path_of(table)}"


SECTIONS: dict[str, Callable[[SavedTable, bool], None]] = {
    texts.GAME: _show_game,
    texts.WATCH: _show_watch,
    keep_texts.SEND: show_papers,
    keep_texts.EVIDENCE: show_evidence,
    texts.TABLE: _show_table,
}
"""The tabs of a table's page under the scoreboard: the title of each, and what draws it for a visitor who writes or only watches."""
