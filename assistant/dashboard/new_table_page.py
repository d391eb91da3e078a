"""The page of a new table: who plays, in which order and by which rules; the tables to go on with; a table from a file."""

from __future__ import annotations

from dataclasses import fields
from itertools import chain
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from assistant.dashboard import score_texts as texts
from assistant.dashboard.answers import NEW_TABLE, give_back
from assistant.dashboard.language import _
from assistant.dashboard.rules_texts import in_force
from assistant.dashboard.score_view import unusable
from assistant.dashboard.tables import as_it_stands, device, go_to_table, keep_pin, name_of, store
from assistant.dashboard.texts import HOUSE_RULES, plain
from assistant.dashboard.visitors import is_here
from assistant.exchange import read_table
from assistant.ledger import LedgerError
from assistant.rules import CLASSIC, PRESETS, START_RANGES, rules_named, with_options
from assistant.store import SavedTable, UnreadableTableError
from assistant.table import MOST_PLAYERS

KNOWN_TABLES, KNOWN_GROUPS, KNOWN_PLAYERS = 40, 3, 12
"""How many earlier tables give their players' names, how many groups of players are offered whole, and how many players one by one."""
SHOWN_FIRST = ("start", "deals", "elimination")
"""Options that are not folded away; partners are asked for beside the players."""


def new_table_page() -> None:
    """Draws the page."""
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


def _open_new(table: str, pin: str) -> None:
    """Goes to the page of a table that this visitor has made, and may write to."""
    store().unlock(table, pin, device())
    keep_pin(table, pin)
    go_to_table(table)


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
        st.error("\n".join(f"- {plain(problem)}" for problem in texts.problems(error)))
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
                go_to_table(table)


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
    return {name: value for name, value in chosen.items() if value != getattr(scoring, name)}, problems


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
