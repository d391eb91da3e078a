"""The opening of 101: whether a hand opens with sets and runs or with pairs, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assistant.rules import OPENING_PAIRS, OPENING_POINTS, Rules
from assistant.solver import Judge, Laid, check_hand, points_of, tile_order, without
from assistant.tiles import Tile


@dataclass(frozen=True)
class Opening:
    """What a hand can open with.

    Attributes:
        melds: the sets and runs of most points.
        pairs: all pairs.
        points_needed, pairs_needed: what it takes to open with the ones or with the others.
    """

    melds: Laid
    pairs: Laid
    points_needed: int
    pairs_needed: int

    @property
    def points(self) -> int:
        """What the sets and runs count."""
        return points_of(self.melds)

    @property
    def with_melds(self) -> bool:
        """Whether the hand opens with sets and runs."""
        return self.points >= self.points_needed

    @property
    def with_pairs(self) -> bool:
        """Whether the hand opens with pairs."""
        return len(self.pairs) >= self.pairs_needed

    def to_json(self) -> dict[str, Any]:
        """The object in `opening` that `istaka solve --json` prints; groups are null where they do not open."""
        return {
            "can_open": self.with_melds or self.with_pairs,
            "points": self.points,
            "points_needed": self.points_needed,
            "melds": [[str(placed) for placed in group] for group in self.melds] if self.with_melds else None,
            "pairs": len(self.pairs),
            "pairs_needed": self.pairs_needed,
            "pair_groups": [[str(placed) for placed in group] for group in self.pairs] if self.with_pairs else None,
        }


def opening(tiles: Sequence[Tile], indicator: Tile, rules: Rules, beat_points: int = 0, beat_pairs: int = 0) -> Opening:
    """What these tiles open with. Of 22 tiles one is kept, as every turn ends with a discard.

    Args:
        beat_points, beat_pairs: with the option `raising` the best openings on the table, which a further one must beat.

    Raises:
        HandError, NotationError: when there can be no such hand.
    """
    check_hand(tiles, indicator, rules=rules)
    return opening_of(Judge(tiles, indicator, (), rules), beat_points, beat_pairs)


def opening_of(judge: Judge, beat_points: int = 0, beat_pairs: int = 0) -> Opening:
    """As `opening`, of a hand that is known to be possible: where the indicator is drawn as the last tile, it may be in the hand."""
    melds, left = judge.arrangement(judge.tiles, None, points=True)
    pairs = judge.pairs(judge.tiles)
    if len(judge.tiles) > judge.rules.hand_size:
        pairs = pairs[: judge.rules.hand_size // 2]
        if not left:
            kept = (without(judge.tiles, tile) for tile in sorted(set(judge.tiles), key=tile_order))
            melds = max((judge.arrangement(others, None, points=True)[0] for others in kept), key=points_of)
    return Opening(melds, pairs, max(OPENING_POINTS, beat_points + 1), max(OPENING_PAIRS, beat_pairs + 1))
