"""The sentences of the dispute page about gaps, rows and what decided."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.dashboard.language import N_, _, listed
from assistant.dashboard.rules_texts import TITLES, linked
from assistant.dashboard.texts import tile_name
from assistant.groups import Placed
from assistant.tiles import Tile

TOGETHER, APART = N_("Together: one group"), N_("Apart: two groups")


def gap_question(left: Tile, right: Tile) -> str:
    """What is asked about a gap."""
    return _("Do {left} and {right} lie together or apart?").format(left=tile_name(left), right=tile_name(right))


def across_rows(groups: Sequence[Sequence[Placed]]) -> str:
    """That the hand would be valid if a group might go on in the next row."""
    named = listed([", ".join(tile_name(placed.tile) for placed in group) for group in groups])
    return _("It would be valid where a group may go on in the next row of the rack: {groups}. The table decides.").format(groups=named)


def decided_by(options: Sequence[str]) -> str:
    """The options without which the verdict would be another, each leading to where it is explained."""
    return _("What decided here: {options}.").format(options=listed([linked(name, _(TITLES[name])) for name in options]))
