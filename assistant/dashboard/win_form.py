"""A hand that wins is written down: the verdict says how it won, the visitor who, and its card is kept as evidence."""

from __future__ import annotations

import uuid

import streamlit as st

from assistant.dashboard import score_texts as texts
from assistant.dashboard.choose import choose
from assistant.dashboard.clock import now
from assistant.dashboard.hand import Hand
from assistant.dashboard.language import _
from assistant.dashboard.paper.verdict_card import verdict_card
from assistant.dashboard.photo import Photo
from assistant.dashboard.score_view import refused
from assistant.dashboard.tables import may_write, name_of, own_tables, path_of, store
from assistant.dashboard.texts import HAND_OPTIONS, complaint, plain
from assistant.database import StoreError
from assistant.dispute import Judgement, check
from assistant.rules import OkeyScoring, Rules, with_options
from assistant.scoring import Event, EventError, is_run, win_of
from assistant.seats import is_out
from assistant.solver import Verdict
from assistant.store import SavedTable
from assistant.tiles import Rack, Tile

OFFERED = 5
"""How many of the visitor's tables are offered, those made last."""
QUESTION, WRITTEN = "win-id", "win-written"
"""What the session calls the id of the event that the open question is about, and the table once it is answered there."""


def offer_to_write_down(photo: Photo, hand: Hand, verdict: Verdict | None, rules: Rules) -> None:
    """A button for a hand that wins, if this visitor may write to a table that is being played.

    Args:
        rules: by which the hand was judged.
    """
    if verdict is None or verdict.win is None:
        return
    try:
        tables = [
            saved
            for saved in own_tables(OFFERED)
            if isinstance(saved.ledger.table.rules.scoring, OkeyScoring) and not saved.ledger.standing.finished
        ]
    except StoreError:
        return  # the page of the score says what is wrong
    if tables and st.button(_(texts.WRITE_WIN), icon=":material/edit_note:", key="write-win"):
        st.session_state[QUESTION] = uuid.uuid4().hex  # tapped twice, an answer counts once
        st.session_state[WRITTEN] = None
        st.dialog(_(texts.WRITE_WIN), width="medium")(_ask)(tables, photo, hand, verdict, rules)


def won(judgement: Judgement, okey: Tile, scored: Rules) -> Event:
    """How a hand has won at a table: the event of a win, without the player.

    Args:
        judgement: what is kept with the win.
        scored: what the table plays; which tiles are wild is said by the rules of the judgement.
    """
    rules = with_options(scored, {option: getattr(judgement.rules, option) for option in HAND_OPTIONS})
    kept = [placed.tile for group in judgement.groups for placed in group.placed]
    assert judgement.win is not None  # a hand that does not win is not written down
    return win_of(kept, "run" if is_run(kept, okey, rules) else judgement.win, judgement.okey_last, okey, rules)


def judgement_of(rack: Rack, indicator: Tile, verdict: Verdict, rules: Rules) -> Judgement:
    """The judgement that is kept with a win: of the hand as it lies, the tile that the verdict discards laid by itself as the last.

    A hand that lies there as a cheaper win than the verdict's is judged laid as the verdict says.
    """
    groups, last = [list(group) for group in rack.groups], []
    if verdict.discard is not None:
        # of two such tiles the one that stands alone, or with the fewest others, is least likely to be needed where it lies
        min((group for group in groups if verdict.discard in group), key=len).remove(verdict.discard)
        last = [[verdict.discard]]
    lenient = with_options(rules, {"strict_layout": False})
    judgement = check(Rack.of([[*groups, *last]]), indicator, lenient)
    if judgement.win == verdict.win:
        return judgement
    return check(Rack.of([[*([placed.tile for placed in group] for group in verdict.arrangement), *last]]), indicator, lenient)


def _ask(tables: list[SavedTable], photo: Photo, hand: Hand, verdict: Verdict, rules: Rules) -> None:
    """Asks at which table and by whom; a tap on the answer writes the win down."""
    written = st.session_state[WRITTEN]
    if written is not None:
        st.success(_(texts.WIN_WRITTEN), icon=":material/check:")
        st.link_button(_(texts.TO_TABLE), path_of(written), icon=":material/scoreboard:")
        return
    chosen = choose(_(texts.AT_WHICH_TABLE), {saved.id: name_of(saved) for saved in tables}, "win-table")
    saved = next(saved for saved in tables if saved.id == chosen)
    table, standing = saved.ledger.table, saved.ledger.standing
    assert hand.indicator is not None  # without it there is no verdict
    indicator = hand.indicator.tile
    judgement = judgement_of(hand.rack, indicator, verdict, rules)
    event = won(judgement, verdict.okey, table.rules)
    for seat, name in enumerate(table.players):
        win = {**event, "by": seat, "deal": standing.deals + 1, "indicator": str(indicator)}
        if not is_out(table, standing.scores[seat]) and st.button(
            plain(texts.described(win, table.players)), key=f"win-{name}-{seat}", width="stretch"
        ):
            _write(saved, win, verdict_card(photo, hand, judgement, now(), table.players))


def _write(saved: SavedTable, win: Event, card: bytes) -> None:
    """Writes a win down with the verdict's card."""
    try:
        if not may_write(saved.id):
            st.error(_(texts.YOU_WATCH))
            return
        store().add(saved.id, win, st.session_state[QUESTION], evidence=[card])
    except EventError as error:
        st.error(plain(refused(saved, error)))
    except StoreError as error:
        st.error(plain(complaint(error)))
    else:
        st.session_state[WRITTEN] = saved.id
        st.rerun(scope="fragment")
