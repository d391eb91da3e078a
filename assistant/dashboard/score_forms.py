"""Forms in which a deal is entered or corrected. Each gives the event to `send`, which writes it down."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import streamlit as st

from assistant.dashboard import score_texts as texts
from assistant.dashboard.answers import give_back
from assistant.dashboard.language import _
from assistant.dashboard.score_view import change_by, refused
from assistant.dashboard.texts import COLOUR_NAMES, plain, tile_name
from assistant.okey101 import LARGEST_SUM, PENALTIES
from assistant.rules import OkeyScoring
from assistant.scoring import Event, EventError
from assistant.seats import is_out
from assistant.store import SavedTable
from assistant.tiles import COLOURS, NUMBERS, Tile

Send = Callable[[Event], None]
OnTap = Callable[[], None] | None
IN_THE_DEAL = "okey_left"
"""The one penalty that is entered with the deal, as okeys left."""
MOST_OKEYS = 2
NOTHING = "none"
"""What stands for an event's null among the choices: a choice of None would be none."""


def event_form(saved: SavedTable, line: int, send: Send, old: Event | None = None, on_tap: OnTap = None) -> None:
    """The form for what happens at this table.

    Args:
        saved: the table.
        line: the line that the event will stand in.
        send: takes the event.
        old: the event that is to be corrected.
        on_tap: is called before the page is drawn anew for a tap on a key that writes.
    """
    key = f"{saved.id}-{line}-{'new' if old is None else 'old'}"
    if isinstance(saved.ledger.table.rules.scoring, OkeyScoring):
        _okey_form(saved, line, send, old or {}, key, on_tap)
    elif old is None:
        # what is half filled in of one stays while the other is written down, here or on another phone
        deals = sum(event["event"] == "deal" for event in saved.ledger.events.values())
        penalties = sum(event["event"] == "penalty" for event in saved.ledger.events.values())
        deal_key, penalty_key = f"{saved.id}-deal-{deals}", f"{saved.id}-penalty-{penalties}"
        for form in (deal_key, penalty_key):
            give_back(form, lambda key, form=form: key.endswith(form))
        _deal_form(saved, send, {}, deal_key, on_tap)
        with st.expander(_(texts.PENALTY), icon=":material/gavel:"):
            _penalty_form(saved, send, {}, penalty_key, on_tap)
    else:
        (_penalty_form if old["event"] == "penalty" else _deal_form)(saved, send, old, key, on_tap)


def _seats(label: str, saved: SavedTable, old: Event, key: str) -> int | None:
    """Asks for a player who is in the game, in a correction for any: who is out now may not have been then. None until one is tapped."""
    names, scores = saved.ledger.table.players, saved.ledger.standing.scores
    seats = [seat for seat in range(len(names)) if old or not is_out(saved.ledger.table, scores[seat])]
    chosen = old.get("by") if old.get("by") in seats else None
    return st.segmented_control(
        label, seats, default=chosen, format_func=lambda seat: plain(names[seat]), key=f"who-{key}", width="stretch", wrap=True
    )


def _okey_form(saved: SavedTable, line: int, send: Send, old: Event, key: str, on_tap: OnTap) -> None:
    """A deal of Okey in two taps: who, and what happened."""
    scoring = saved.ledger.table.rules.scoring
    by = _seats(_(texts.WHO), saved, old, key)
    more = _details(scoring, old, old.get("indicator") if old else _indicator_told(saved), key)
    unsaid = scoring.colour_doubles == "indicator" and not old and "indicator" not in more
    st.caption(_(texts.INDICATOR_FIRST if unsaid else texts.TAP_WHO_FIRST))
    anyone = by if by is not None else next(seat for seat, score in enumerate(saved.ledger.standing.scores) if score > 0 or old)
    refusals: dict[str, list[str]] = {}
    with st.container(horizontal=True, gap="small", key=f"keys-{key}"):
        for name, event in _happenings(scoring, anyone, more):
            changes = change_by(saved, event, line)
            if isinstance(changes, EventError):
                refusals.setdefault(refused(saved, changes), []).append(texts.happening(event))
            else:
                label, untold = texts.happening(event, changes), by is None and "by" in event
                if st.button(label, key=f"key-{name}-{key}", on_click=on_tap, disabled=untold or unsaid, width="stretch"):
                    send(event)
    for reason, happenings in refusals.items():
        st.caption(plain(texts.not_possible(happenings, reason)))


def _happenings(scoring: OkeyScoring, by: int, more: Event) -> Iterator[tuple[str, Event]]:
    """All that can happen in a deal by these rules, each under a name of its own."""
    for hand in texts.HANDS:
        if hand != "run" or scoring.run is not None:
            for okey_last in (False, True):
                yield f"{hand}-{okey_last}", {"event": "win", "by": by, "hand": hand, "okey_last": okey_last, **more}
    indicator = {name: value for name, value in more.items() if name == "indicator"}
    if scoring.with_indicator:
        yield "shown", {"event": "indicator_shown", "by": by, **indicator}
    yield "exhausted", {"event": "exhausted", **indicator}


def _indicator_told(saved: SavedTable) -> str | None:
    """The indicator of the deal that is being played, if an event of it names one."""
    events, standing = saved.ledger.events, saved.ledger.standing
    of_deal = (events[entry.line] for entry in reversed(standing.history) if entry.deal > standing.deals)
    return next((event["indicator"] for event in of_deal if event.get("indicator") is not None), None)


def _details(scoring: OkeyScoring, old: Event, indicator: str | None, key: str) -> dict[str, Any]:
    """What else a deal's cost depends on at this table: the colour of the hand, or of the indicator.

    Args:
        indicator: what is known of it. In a correction it may be left to the deal's other lines: these are told one by one.
    """
    details: dict[str, Any] = {}
    if scoring.one_colour is not None or scoring.colour_doubles in ("any", "red_black"):
        names = {NOTHING: _(texts.MIXED), **{colour.value: _(COLOUR_NAMES[colour]) for colour in COLOURS}}
        before = texts.colour_of(old)
        chosen = st.segmented_control(
            _(texts.HAND_COLOUR),
            list(names),
            default=before.value if before else NOTHING,
            format_func=names.__getitem__,
            key=f"colour-{key}",
            required=True,
        )
        details["colour"] = None if chosen == NOTHING else chosen
    if scoring.colour_doubles == "indicator":
        tiles = [str(Tile(colour, number)) for colour in COLOURS for number in NUMBERS]
        given = str(indicator).strip().upper()
        chosen = st.selectbox(
            _(texts.INDICATOR),
            [NOTHING, *tiles] if old else tiles,
            index=tiles.index(given) + bool(old) if given in tiles else 0 if old else None,
            format_func=lambda text: _(texts.NOT_TOLD_HERE) if text == NOTHING else tile_name(Tile.parse(text)),
            key=f"indicator-{key}",
            placeholder="?",
        )
        details |= {"indicator": chosen} if chosen not in (None, NOTHING) else {}
    return details


def _deal_form(saved: SavedTable, send: Send, old: Event, key: str, on_tap: OnTap) -> None:
    """The end of a deal of Okey 101: who finished, what each had opened with and has left."""
    table = saved.ledger.table
    names = {**{str(seat): plain(name) for seat, name in enumerate(table.players)}, NOTHING: _(texts.NOBODY_FINISHED)}
    before = _choice(old.get("finisher")) if old else None
    chosen = st.pills(_(texts.FINISHER), list(names), default=before, format_func=names.__getitem__, key=f"finisher-{key}", wrap=True)
    if chosen is None:
        return
    finisher = None if chosen == NOTHING else int(chosen)
    given = old.get("players") or [{} for _ in table.players]
    hands = [_hand(table.players[seat], given[seat], seat == finisher, f"{seat}-{key}") for seat in range(len(table.players))]
    event: dict[str, Any] = {"event": "deal", "finisher": finisher, "okey_last": False, "hand_finish": False, "players": hands}
    if finisher is not None:
        event["okey_last"] = st.toggle(_(texts.FINISHED_WITH_OKEY), value=old.get("okey_last", False), key=f"okey-{key}")
        if not any(hand["opened"] for seat, hand in enumerate(hands) if seat != finisher):
            event["hand_finish"] = st.toggle(_(texts.IN_ONE_TURN), value=old.get("hand_finish", False), key=f"elden-{key}")
    left = {name: hand.get("left", 0) for name, hand in zip(table.players, hands, strict=True) if hand["opened"]}
    problems = [texts.left_missing(name) for name, points in left.items() if points is None]
    problems += [
        texts.left_wrong(name, LARGEST_SUM) for name, points in left.items() if points is not None and not 0 <= points <= LARGEST_SUM
    ]
    # never disabled: the tap that ends the last sum's typing would be lost
    write = st.button(_(texts.WRITE_DOWN), type="primary", key=f"write-{key}", on_click=on_tap, width="stretch")
    if problems:
        (st.error if write else st.caption)(plain(problems[0]))
    elif write:
        send(event)


def _hand(name: str, given: Event, finished: bool, key: str) -> dict[str, Any]:
    """What one player had opened with, and has left."""
    openings = [opening for opening in texts.OPENINGS if opening != NOTHING or not finished]
    before = _choice(given.get("opened"))
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key=f"hand-{key}"):
        chosen = st.segmented_control(
            f"**{plain(name)}**",
            openings,
            default=before if before in openings else openings[0],
            format_func=lambda opening: _(texts.OPENINGS[opening]),
            key=f"opened-{finished}-{key}",
            required=True,
        )
        opened = None if chosen == NOTHING else chosen
        if finished or opened is None:
            return {"opened": opened}
        # without limits of its own: of a number beyond them a browser sends nothing, and what stood there before would count
        left = st.number_input(_(texts.SUM_LEFT), value=given.get("left"), step=1, placeholder="?", key=f"left-{key}", width=150)
        okeys = st.segmented_control(
            _(texts.OKEYS_LEFT), range(MOST_OKEYS + 1), default=given.get("okeys_left") or 0, key=f"okeys-{key}", required=True
        )
    return {"opened": opened, "left": left, "okeys_left": okeys}


def _choice(value: object) -> str:
    """A player or an opening of an event as it stands among the choices."""
    return NOTHING if value is None else str(value)


def _penalty_form(saved: SavedTable, send: Send, old: Event, key: str, on_tap: OnTap) -> None:
    """A fault in Okey 101, as it happens."""
    by = _seats(_(texts.WHO), saved, old, f"penalty-{key}")
    reasons = [reason for reason in PENALTIES if reason != IN_THE_DEAL or reason == old.get("reason")]
    reason = st.pills(
        _(texts.REASON), reasons, default=old.get("reason"), format_func=lambda fault: _(texts.PENALTIES[fault]), key=f"reason-{key}"
    )
    if st.button(_(texts.WRITE_PENALTY), key=f"fault-{key}", on_click=on_tap, disabled=by is None or reason is None, width="stretch"):
        send({"event": "penalty", "by": by, "reason": reason})
