"""The disputed hand, judged as it lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assistant.groups import Kind, Named, Placed, name_group
from assistant.reasons import Reason
from assistant.rules import CLASSIC, Rules
from assistant.search import HAND
from assistant.solver import PAIRS, check_hand, check_tiles, solve
from assistant.tiles import Rack, Tile, okey_of


@dataclass(frozen=True)
class Judgement:
    """The verdict on a hand that was shown.

    Attributes:
        win: `melds` or `pairs` if the hand is valid as it lies, else None.
        groups: every group from the top left, named or refused.
        fifteenth: the tile laid on the indicator, if 15 tiles are shown.
        okey_last: whether that tile is an okey.
        reason: why the hand is not valid, in one sentence; None if it is.
        could_win: whether the same tiles would win laid in another way.
        arrangement: that way; empty if there is none.
    """

    win: str | None
    groups: tuple[Named, ...]
    fifteenth: Tile | None
    okey_last: bool
    reason: Reason | None
    could_win: bool
    arrangement: tuple[tuple[Placed, ...], ...]

    @property
    def valid(self) -> bool:
        """Whether the hand wins."""
        return self.win is not None

    def to_json(self) -> dict[str, Any]:
        """The object that `istaka check --json` prints."""
        return {
            "valid": self.valid,
            "win": self.win,
            "okey_last": self.okey_last,
            "groups": [
                {
                    "tiles": [str(placed) for placed in group.placed],
                    "kind": None if group.kind is None else group.kind.value,
                    "reason": None if group.reason is None else str(group.reason),
                }
                for group in self.groups
            ],
            "reason": None if self.reason is None else str(self.reason),
            "could_win": self.could_win,
            "arrangement": [[str(placed) for placed in group] for group in self.arrangement],
        }


def check(rack: Rack, indicator: Tile | None, rules: Rules = CLASSIC) -> Judgement:
    """Judges a hand by the groups between its gaps.

    With 15 tiles the one that stands by itself is the fifteenth, laid on the indicator; if several stand alone, the
    last of them is. Without an indicator no tile is wild and a false joker fits anywhere, as its face is not known.

    Raises:
        HandError, NotationError: when there can be no such hand.
    """
    tiles = rack.tiles
    if indicator is None:
        check_tiles(tiles)
    else:
        check_hand(tiles, indicator)
    okey = None if indicator is None else okey_of(indicator)
    shown = list(rack.groups)
    alone = [number for number, group in enumerate(shown) if len(group) == 1]
    fifteenth = shown.pop(alone[-1])[0] if len(tiles) == HAND + 1 and alone else None
    groups = tuple(name_group(group, okey, rules) for group in shown)
    win, reason = _as_it_lies(groups, sum(map(len, shown)))
    arrangement: tuple[tuple[Placed, ...], ...] = ()
    could_win = win is not None
    if indicator is not None and sum(map(len, shown)) == HAND:
        other = solve([tile for group in shown for tile in group], indicator, rules=rules)
        could_win = other.win is not None
        if could_win and (win is None or not rules.strict_layout):
            arrangement = other.arrangement
            if not rules.strict_layout and win is None:
                win, reason = other.win, None
    elif indicator is not None and len(tiles) == HAND + 1:
        other = solve(tiles, indicator, rules=rules)
        could_win = other.win is not None
        arrangement = other.arrangement if could_win else ()
    if win is not None and not arrangement:
        arrangement = tuple(group.placed for group in groups)
    return Judgement(win, groups, fifteenth, fifteenth is not None and fifteenth == okey, reason, could_win, arrangement)


def _as_it_lies(groups: tuple[Named, ...], count: int) -> tuple[str | None, Reason | None]:
    """How the groups win, or the first reason why they do not."""
    for number, group in enumerate(groups, start=1):
        if group.reason is not None:
            if len(group.placed) == 1:
                return None, Reason("group {group} is a single tile", group=number)
            return None, Reason("group {group} is no set and no run: {why}", group=number, why=group.reason)
    pairs = sum(group.kind is Kind.PAIR for group in groups)
    if count != HAND:
        return None, Reason("{count} tiles lie in groups; a winning hand has {hand}", count=count, hand=HAND)
    if pairs == 0:
        return "melds", None
    if pairs == PAIRS == len(groups):
        return "pairs", None
    number = next(number for number, group in enumerate(groups, start=1) if group.kind is Kind.PAIR)
    return None, Reason("group {group} is a pair: pairs win only as seven pairs", group=number)
