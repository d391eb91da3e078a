"""The pages of the score: a new table, and each table's own page with its own address."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from html import escape
from itertools import chain
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from assistant.dashboard import keep_texts
from assistant.dashboard import score_texts as texts
from assistant.dashboard.answers import NEW_TABLE, give_back
from assistant.dashboard.charts import line_chart
from assistant.dashboard.glance import Seen, glance
from assistant.dashboard.keep import show_evidence, show_evidence_of
from assistant.dashboard.language import _
from assistant.dashboard.live import is_here
from assistant.dashboard.rules_texts import in_force
from assistant.dashboard.score_board import score_board
from assistant.dashboard.score_drawing import CORRECT, EVIDENCE, code_html, history_html, scoreboard_html
from assistant.dashboard.score_forms import event_form
from assistant.dashboard.score_view import (
    as_csv,
    changed_options,
    course,
    refused,
    side_name,
    sides,
    unusable,
)
from assistant.dashboard.send import show_papers
from assistant.dashboard.tables import TABLE, as_it_stands, device, may_write, name_of, path_of, store
from assistant.dashboard.texts import HOUSE_RULES, complaint, plain, sentence
from assistant.database import StoreError
from assistant.exchange import read_table
from assistant.ledger import MOST_PLAYERS, LedgerError
from assistant.pins import is_pin
from assistant.rules import CLASSIC, PRESETS, START_RANGES, Okey101Scoring, OptionError, rules_named, with_options
from assistant.scoring import Event, EventError
from assistant.seats import next_game_dealer
from assistant.serve import EVERYWHERE, lan_address
from assistant.store import FIRST_EVENT, SavedTable, Store, UnreadableTableError, WrongPinError

KNOWN_TABLES, KNOWN_GROUPS, KNOWN_PLAYERS = 40, 3, 12
"""How many earlier tables give their players' names, how many groups of players are offered whole, and how many players one by one."""
REREAD_S = 2
SHOWN_FIRST = ("start", "deals", "elimination")
"""Options that are not folded away; partners are asked for beside the players."""
TAPPED = "tapped"
"""What the session calls the table as it was drawn when a key that writes was tapped."""
UNDO: Event = {"event": "undo"}
"""Takes back the last change."""
LOCAL = ("localhost", "127.0.0.1", "::1")
STYLE = """
<style>
[class*="st-key-keys-"] button {min-height: 3.4rem; min-width: 9.5rem}
[class*="st-key-who-"] button, [class*="st-key-finisher-"] button, [class*="st-key-reason-"] button, [class*="st-key-opened-"] button,
[class*="st-key-okeys-"] button {min-height: 2.9rem}
[class*="st-key-open-"] button {justify-content: start; text-align: start}
[class*="st-key-group-"] button {text-align: start}
[class*="st-key-group-"] button :is(span, div, p) {white-space: normal; overflow: visible}
[data-testid="stCheckbox"] p {white-space: normal}
[class*="st-key-left-"] input {font-size: 1.3rem}
[class*="st-key-seat-"] [data-testid="InputInstructions"] {display: none}
</style>
"""
"""Keys that a thumb finds; names without Streamlit's English hint to press Enter, which they do not need."""


def score_page() -> None:
    """Draws the page of the table in the address, or of a new one."""
    st.html(STYLE)
    try:
        table = st.query_params.get(TABLE)
        if table:
            st.session_state["in address"] = True
            _table_page(store().table(table))
        else:
            if st.session_state.pop("in address", False):  # a tap on the link to this very page leaves the table there
                st.query_params.clear()
            _new_table_page()
    except (StoreError, OptionError) as error:
        st.error(plain(complaint(error)), icon=":material/table_restaurant:")


def _pins() -> dict[str, str]:
    """The PINs that were shown or entered since the page was opened, by table: nobody else keeps them."""
    pins: dict[str, str] = st.session_state.setdefault("pins", {})
    return pins


def _open_new(table: str, pin: str) -> None:
    """Goes to the page of a table that this visitor has made, and may write to."""
    store().unlock(table, pin, device())
    _pins()[table] = pin
    _open(table)


def _open(table: str) -> None:
    """Goes to a table's page."""
    st.query_params[TABLE] = table
    st.rerun()


# A new table


def _new_table_page() -> None:
    st.title(_(texts.SCORE_TITLE), anchor=False)
    st.caption(_(texts.TAGLINE))
    give_back("new table", lambda key: key.startswith(NEW_TABLE))
    recent = store().recent(KNOWN_TABLES)
    _list_tables()
    st.subheader(_(texts.NEW_TABLE), anchor=False)
    names = _ask_players([players for _, players in recent])
    left, right = st.columns(2, gap="medium")
    with left:
        first = _ask_dealer(names) if names else 0
        preset = st.segmented_control(
            _(texts.WHAT_IS_PLAYED),
            list(PRESETS),
            default=CLASSIC.name,
            format_func=lambda name: _(texts.PRESET_NAMES[name]),
            key="preset",
            required=True,
            wrap=True,
        )
    with right:
        options, problems = _ask_options(preset, len(names))
    if not problems:
        st.caption(in_force(with_options(rules_named(preset), options)))
    problem = next(iter(problems), "") or unusable(names)
    # never disabled: the tap that ends the last name's typing would be lost
    start = st.button(_(texts.START), type="primary", icon=":material/play_arrow:", width="stretch")
    if problem:
        (st.error if start else st.caption)(plain(problem))
    elif start:
        _open_new(*store().new_table(names, preset, options, first))
    with st.expander(_(texts.FROM_FILE), icon=":material/upload_file:"):
        _import_table()


def _import_table() -> None:
    """Makes a table from a file that was downloaded from one; says of every bad line what is wrong."""
    given = st.file_uploader(_(texts.LEDGER_FILE), type=["csv", "jsonl", "json", "txt"], key="ledger-file")
    if given is None:
        return
    try:
        ledger = read_table(given.getvalue().decode("utf-8-sig"))
    except UnicodeDecodeError:
        st.error(_(texts.NO_TEXT))
    except LedgerError as error:
        st.error("\n".join(f"- {plain(sentence(problem))}" for problem in error.problems))
    else:
        st.caption(plain(f"{', '.join(ledger.table.players)}. {texts.rules_in_words(ledger.table.rules)}"))
        if st.button(_(texts.START_FROM_FILE), key="start-from-file", type="primary", icon=":material/play_arrow:"):
            _open_new(*store().import_table(ledger))


def _list_tables() -> None:
    """Tables to go on with: those that this visitor writes at, and on the computer that keeps them all of them."""
    at_home = is_here(st.context.ip_address or "localhost", urlsplit(st.context.url).netloc)  # Streamlit leaves it out there
    known = store().recent(KNOWN_TABLES, None if at_home else device())
    if not known:
        return
    with st.expander(_(texts.TABLES), icon=":material/table_restaurant:"):
        for table, players in known:
            try:
                label = _told(as_it_stands(table))
            except UnreadableTableError:  # its own page says why
                label = ", ".join(players)
            if st.button(plain(label), key=f"open-{table}", type="tertiary"):
                _open(table)


def _told(saved: SavedTable) -> str:
    """A table in the list of those to go on with: the same people have many."""
    standing, rules = saved.ledger.standing, saved.ledger.table.rules
    over = standing.finished or saved.rematch is not None
    return f"{name_of(saved)} · {_(texts.PRESET_NAMES[rules.name])} · {_(texts.OVER) if over else texts.deals_played(standing.deals)}"


def _ask_players(groups: list[tuple[str, ...]]) -> list[str]:
    """Asks for the names in playing order; those of earlier tables are offered."""
    offered = list(dict.fromkeys(groups))[:KNOWN_GROUPS]
    if offered:
        st.caption(_(texts.SAME_PEOPLE))
        with st.container(horizontal=True, gap="small"):
            for number, group in enumerate(offered):
                if st.button(plain(", ".join(group)), key=f"group-{number}", icon=":material/group:"):
                    for seat in range(MOST_PLAYERS):
                        st.session_state[f"seat-{seat}"] = group[seat] if seat < len(group) else ""
    st.caption(_(texts.SEATS_HINT))
    chosen = []
    for seat, column in enumerate(st.columns(MOST_PLAYERS)):
        with column:
            name = st.text_input(texts.seat(seat), placeholder=_(texts.NAME_PLACEHOLDER), autocomplete="off", key=f"seat-{seat}")
        chosen.append(name.strip())
    _offer_players([name for name in dict.fromkeys(chain(*groups)) if name not in chosen], "" in chosen)
    return [name for name in chosen if name]


def _offer_players(names: list[str], room: bool) -> None:
    """Buttons that seat players of earlier tables one by one, as long as there is room."""
    if not names or not room:
        return
    st.caption(_(texts.SEAT_THEM))
    with st.container(horizontal=True, gap="small"):
        for name in names[:KNOWN_PLAYERS]:
            st.button(plain(name), key=f"player-{name}", icon=":material/person:", on_click=_seat_player, args=(name,))


def _seat_player(name: str) -> None:
    """Puts a player on the first free seat."""
    free = next((seat for seat in range(MOST_PLAYERS) if not st.session_state[f"seat-{seat}"].strip()), None)
    if free is not None:
        st.session_state[f"seat-{free}"] = name


def _ask_dealer(names: list[str]) -> int:
    """Asks who deals first."""
    seats = range(len(names))
    key = f"first-dealer-{len(names)}"  # another number of seats is another question
    dealing: int = st.segmented_control(
        _(texts.FIRST_DEALER), seats, default=0, format_func=lambda seat: plain(names[seat]), key=key, required=True, wrap=True
    )
    return dealing


def _ask_options(preset: str, players: int) -> tuple[dict[str, object], list[str]]:
    """Asks for the options of a preset and returns those that differ from it, and what is wrong with any."""
    scoring = rules_named(preset).scoring
    options = {option.name: option for option in fields(scoring)}
    chosen: dict[str, object] = {}
    if players == MOST_PLAYERS:
        chosen["partners"] = _ask_option(preset, options.pop("partners"))
    else:
        del options["partners"]
    for name in SHOWN_FIRST:
        if name in options:
            chosen[name] = _ask_option(preset, options.pop(name))
    with st.expander(_(HOUSE_RULES), icon=":material/tune:"):
        for name, option in options.items():
            chosen[name] = _ask_option(preset, option)
    problems = []
    for option in fields(scoring):
        value, limits = chosen.get(option.name), _limits(preset, option)
        if limits is not None and isinstance(value, int) and not limits[0] <= value <= limits[1]:
            problems.append(texts.option_wrong(_(option.metadata["text"]), *limits))
    return changed_options(scoring, chosen), problems


def _limits(preset: str, option: Any) -> tuple[int, int] | None:
    """The least and the greatest figure of an option; None of one that is no figure."""
    said = option.metadata
    if "least" not in said or said["only"]:
        return None
    return START_RANGES.get(preset, (said["least"], said["most"])) if option.name == "start" else (said["least"], said["most"])


def _ask_option(preset: str, option: Any) -> object:
    """Asks for one option, in the words of the rules; what the preset says is offered."""
    name, limits = option.name, option.metadata
    value, text = getattr(rules_named(preset).scoring, name), limits["text"]
    key = "option-partners" if name == "partners" else f"option-{preset}-{name}"  # who plays with whom does not hang on the preset
    if "choices" in limits:
        return st.selectbox(
            _(text),
            limits["choices"],
            index=limits["choices"].index(value),
            format_func=lambda choice: _(texts.DOUBLES_CHOICES[choice]),
            key=key,
        )
    if "least" not in limits:
        return st.toggle(_(text), value=value, key=key)
    if limits["only"]:
        return st.selectbox(_(text), limits["only"], index=limits["only"].index(value), key=key)
    # without limits of its own: of a number beyond them a browser sends nothing, and what stood there before would count
    return st.number_input(
        _(text),
        value=value,
        step=1,
        placeholder=_(texts.OPEN_END) if name == "deals" else _(texts.NOT_SCORED),
        key=key,
    )


# A table's own page


def _table_page(saved: SavedTable) -> None:
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


def _show_game(saved: SavedTable, writes: bool) -> None:
    """What is entered, and what was."""
    # somebody may have written since a key was tapped: what was tapped is drawn once more, or the tap would go to nobody
    drawn = st.session_state.pop(TAPPED, saved)
    if drawn.id != saved.id:
        drawn = saved
    st.caption(in_force(saved.ledger.table.rules))
    if writes and saved.last_line < FIRST_EVENT and saved.id in _pins():  # at once: after a reload nobody knows it any more
        st.markdown(texts.pin_is(_pins()[saved.id]))
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


def _send(saved: SavedTable, event: Event) -> None:
    """Writes an event down, once however often it is tapped, and draws the page anew."""
    event_id = st.session_state.setdefault(f"event-{saved.id}-{saved.last_line}-{event}", uuid.uuid4().hex)
    if event == UNDO:
        event_id = f"undo-{saved.last_line}"  # the same change is meant on every phone: tapped on two at once it is taken back once
    try:
        if may_write(saved.id):  # the PIN may have been changed since the page was drawn
            store().add(saved.id, event, event_id)
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
            _open(saved.rematch)
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
    if saved.id in _pins():
        _pins()[rematch] = _pins()[saved.id]
    _open(rematch)


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
            _pins()[saved.id] = pin.strip()
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
    kind, line = tapped.split()
    if kind == EVIDENCE:
        st.dialog(_(keep_texts.EVIDENCE), width="medium")(show_evidence_of)(saved.id, int(line))
    elif writes and kind == CORRECT:
        st.session_state["changing"] = saved.id, int(line)
    elif writes:
        _send(saved, {"event": "undo", "line": int(line)})


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
        st.caption(_(texts.ONLY_HERE) if urlsplit(address).hostname in LOCAL else _(texts.SCAN))
        st.code(address, language=None, wrap_lines=True)
        if writes and saved.id in _pins():
            st.markdown(texts.pin_is(_pins()[saved.id]))


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
        _pins()[saved.id] = new
        st.success(_(texts.PIN_CHANGED), icon=":material/check:")


def _address(table: str) -> str:
    """The page of a table for other devices: in the local network, if this computer opened it by its own name."""
    here = urlsplit(st.context.url)
    host = lan_address() if here.hostname in LOCAL and st.get_option("server.address") == EVERYWHERE else here.hostname
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
