"""The sentences on what can be kept, sent and printed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from assistant.dashboard.hand import GapSaid, Hand, Held, are_neighbours
from assistant.dashboard.language import N_, _, listed, ngettext
from assistant.dashboard.rules_texts import TITLES
from assistant.dashboard.score_texts import PRESET_NAMES
from assistant.dashboard.texts import rules_used, tile_name
from assistant.rules import Rules
from vision.reading import Place

SHOWN_HAND = N_("A shown hand, judged")
BY_HAND = N_("said by hand")
AS_LAID = N_("The hand as it lies")
THE_DEAL = N_("Indicator and okey")
RULES = N_("Rules")
CHECK_VALUE = N_("Check value")
CHECK_MEANS = N_("Of the photo, the tiles, the rules and the verdict: the table keeps the same one with its score.")
AT_TABLE = N_("Table")

SO_FAR = N_("The score so far")
RULES_IN_FORCE = N_("Rules in force")
SIGNATURES = N_("Signatures")
WHAT_HAPPENED = N_("What happened")
CORRECTED = N_("corrected")


def judged_by(rules: Rules) -> str:
    """The preset and the house rules that a verdict rests on."""
    return f"{_(PRESET_NAMES[rules.name])}: {', '.join(rules_used(rules).values())}."


def corrected(hand: Hand) -> str:
    """What was said by hand of which tile; empty if nothing was."""
    told = [_told(hand, held) for held in hand.held.values() if held.by_hand]
    if not told:
        return ""
    return ngettext("One tile was said by hand: {tiles}.", "{count} tiles were said by hand: {tiles}.", len(told)).format(
        count=len(told), tiles=listed(told)
    )


def _told(hand: Hand, held: Held) -> str:
    seen = hand.reading.tiles[int(held.key)] if held.key.isdigit() else None
    tile = tile_name(held.tile)
    if held.place is Place.TABLE:
        return _("{tile} (not in the hand)").format(tile=tile)
    if seen is None:
        told = _("{tile} (not seen in the photo)").format(tile=tile)
    elif seen.tile != held.tile:
        told = _("{tile} (read as {read})").format(tile=tile, read=tile_name(seen.tile))
    else:
        told = tile
    return _("the indicator {tile}").format(tile=told) if held.place is Place.INDICATOR else told


def gaps_said(hand: Hand) -> str:
    """What was said by hand of gaps that are too narrow to tell; empty if nothing was."""
    apart = {edit.key: edit.apart for edit in hand.edits if isinstance(edit, GapSaid)}
    told = []
    for left, right in pairwise(hand.tiles):
        if left.key in apart and are_neighbours(left, right):
            said = _("{left} and {right} apart") if apart[left.key] else _("{left} and {right} together")
            told.append(said.format(left=tile_name(left.tile), right=tile_name(right.tile)))
    return _("Said by hand of narrow gaps: {gaps}.").format(gaps="; ".join(told)) if told else ""


def decided_by(options: Sequence[str]) -> str:
    """The options of the rules without which the verdict would be another; empty if there are none."""
    return _("What decided here: {options}.").format(options=listed([_(TITLES[name]) for name in options])) if options else ""


def in_front(names: Sequence[str]) -> str:
    """Who has the best account while the game goes on."""
    return ngettext("{names} is in front", "{names} are in front", len(names)).format(names=listed(names))


def page_of(page: int, pages: int) -> str:
    """The number of a printed page."""
    return _("Page {page} of {pages}").format(page=page, pages=pages)
