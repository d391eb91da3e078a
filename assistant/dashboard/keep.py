"""Verdicts that are kept: as a card on the visitor's device, and as evidence with a table's score."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import streamlit as st

from assistant.dashboard import keep_texts as texts
from assistant.dashboard.choose import choose
from assistant.dashboard.clock import here, now
from assistant.dashboard.hand import Hand
from assistant.dashboard.language import _
from assistant.dashboard.paper.canvas import png_of
from assistant.dashboard.paper.verdict_card import check_value, verdict_card
from assistant.dashboard.photo import Photo
from assistant.dashboard.score_texts import YOU_WATCH
from assistant.dashboard.score_view import rows
from assistant.dashboard.tables import may_write, name_of, own_tables, store
from assistant.dashboard.texts import complaint, plain
from assistant.database import StoreError
from assistant.dispute import Judgement
from assistant.store import Evidence, SavedTable

PDF = "application/pdf"
KEPT = "kept-verdict"
"""What a visitor's session calls the verdict that was kept last; a part of a page may have no such name."""
OFFERED = 20
"""How many of the visitor's tables are offered."""


@dataclass(frozen=True)
class Verdict:
    """A judgement on a shown hand with all that it rests on, and when it was kept."""

    photo: Photo
    hand: Hand
    judgement: Judgement
    made: datetime

    @property
    def check_value(self) -> str:
        """What tells its card from any other."""
        return check_value(self.photo, self.hand, self.judgement, self.made)

    def card(self, players: tuple[str, ...] = ()) -> bytes:
        """The card as a PDF; with the players if their table keeps it."""
        return verdict_card(self.photo, self.hand, self.judgement, self.made, players)


def offer_to_keep(photo: Photo, hand: Hand, judgement: Judgement) -> None:
    """A button that keeps the verdict. However often it is tapped it is the same card, as long as nothing changes."""
    if st.button(_(texts.KEEP), icon=":material/bookmark_add:", key="keep"):
        before: Verdict | None = st.session_state.get(KEPT)
        if before is None or (before.photo.key, before.hand, before.judgement) != (photo.key, hand, judgement):
            st.session_state[KEPT] = Verdict(photo, hand, judgement, now())
        st.dialog(_(texts.KEEP), width="medium")(_keep)(st.session_state[KEPT])


def _keep(verdict: Verdict) -> None:
    """The card to look at and to download, then the tables that can keep it."""
    card = verdict.card()
    picture = png_of(card)
    _downloads(f"istaka-{verdict.check_value}", card, picture)
    _keep_at_table(verdict)
    st.image(picture)


def _downloads(name: str, document: bytes, picture: bytes) -> None:
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            _(texts.AS_PICTURE), picture, f"{name}.png", "image/png", on_click="ignore", icon=":material/image:", key=f"{name}-png"
        )
        st.download_button(
            texts.AS_PDF, document, f"{name}.pdf", PDF, on_click="ignore", icon=":material/picture_as_pdf:", key=f"{name}-pdf"
        )


def _keep_at_table(verdict: Verdict) -> None:
    """Offers the tables that this visitor may write to, and their deals."""
    try:
        tables = {saved.id: saved for saved in own_tables(OFFERED)}
        if not tables:
            st.caption(_(texts.NO_TABLE))
            return
        with st.expander(_(texts.KEEP_AT_TABLE), icon=":material/table_restaurant:"):
            table = choose(_(texts.WHICH_TABLE), {known: name_of(saved) for known, saved in tables.items()}, "keep-table")
            players = tables[table].ledger.table.players
            in_force = {row.line: texts.row_name(row, players) for row in rows(tables[table]) if row.deal is not None}
            line = choose(_(texts.WHICH_DEAL), {None: _(texts.NO_DEAL), **in_force}, f"keep-line-{table}")
            if st.button(_(texts.KEEP_THERE), type="primary", key="keep-store"):
                if may_write(table):  # the PIN may have been changed since the page was drawn
                    store().add_evidence(table, verdict.card(players), line)
                    st.success(_(texts.KEPT), icon=":material/check:")
                else:
                    st.error(_(YOU_WATCH))
    except StoreError as error:
        st.error(plain(complaint(error)))


def show_evidence(saved: SavedTable, _writes: bool) -> None:
    """All that a table keeps with its score, one piece at a time, the latest first."""
    kept = store().evidence(saved.id)[::-1]
    if not kept:
        st.caption(_(texts.NO_EVIDENCE))
        return
    deals = {entry.line: entry.deal for entry in saved.ledger.standing.history}
    named = {piece: texts.kept_for(deals.get(piece.line), here(piece.made)) for piece in kept}
    _show(saved.id, choose(_(texts.WHICH_EVIDENCE), named, "evidence"))


def show_evidence_of(table: str, line: int) -> None:
    """What a table keeps of the event in a line."""
    for piece in store().evidence(table):
        if piece.line == line:
            _show(table, piece)


def _show(table: str, piece: Evidence) -> None:
    """One piece of evidence, to look at and to download."""
    content = store().evidence_content(table, piece.id)
    if piece.mime == PDF:
        picture = png_of(content)
        _downloads(f"istaka-{piece.id[:10]}", content, picture)
        st.image(picture)
    else:
        st.image(content)
