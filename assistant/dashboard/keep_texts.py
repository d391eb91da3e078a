"""The sentences about verdicts that are kept, and about the score as it is sent and printed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from assistant.dashboard.language import N_, _, moment
from assistant.dashboard.score_texts import deal_number, described
from assistant.dashboard.score_view import Row

KEEP = N_("Keep this verdict")
AS_PICTURE, AS_PDF = N_("Picture"), "PDF"
KEEP_AT_TABLE, KEEP_THERE = N_("Keep it with a table’s score"), N_("Keep it there")
WHICH_TABLE, WHICH_DEAL = N_("Which table?"), N_("Which deal?")
NO_DEAL = N_("none of those written down")
NO_TABLE = N_("To keep it with a score, open the table on the score’s page and enter its PIN.")
KEPT = N_("It is kept: see “Evidence” on the table’s page.")

EVIDENCE = N_("Evidence")
NO_EVIDENCE = N_(
    "Nothing is kept with this score yet. A verdict on a shown hand can be: on the page of disputes, with “Keep this verdict”."
)
WHICH_EVIDENCE = N_("Which one?")

SEND = N_("Send and print")
SUMMARY_HOW = N_("To paste into a message:")
SHEET = N_("Score sheet to print (PDF)")


def row_name(row: Row, names: Sequence[str]) -> str:
    """A line of the score that evidence can belong to."""
    said = described(row.event, names) if row.event else ""
    return f"{deal_number(row.deal or 0)}: {said}"


def kept_for(deal: int | None, made: datetime) -> str:
    """A piece of evidence: for which deal, and when it was kept."""
    return f"{deal_number(deal)}, {moment(made)}" if deal else _("{time}, for no deal").format(time=moment(made))
