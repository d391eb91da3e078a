"""Seats: who has left the game, and how the deal passes to the right."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.ledger import Standing
from assistant.rules import OkeyScoring
from assistant.table import Table


def is_out(table: Table, score: int) -> bool:
    """Whether an account has nothing left; in 101 nobody leaves."""
    return isinstance(table.rules.scoring, OkeyScoring) and score <= 0


def seat_after(table: Table, scores: Sequence[int], seat: int) -> int:
    """The next player to the right who has not left."""
    count = len(table.players)
    following = [(seat + step) % count for step in range(1, count + 1)]
    return next((right for right in following if not is_out(table, scores[right])), following[0])


def dealers(table: Table, standing: Standing) -> list[int]:
    """Who dealt each deal that is over, then who deals next."""
    ends = {entry.deal: entry.scores for entry in standing.history}
    dealing = [table.first_dealer]
    for deal in range(1, standing.deals + 1):
        dealing.append(seat_after(table, ends[deal], dealing[-1]))
    return dealing


def next_game_dealer(table: Table, standing: Standing) -> int:
    """Who deals first in the next game, in which everybody plays again: the player to the right of the last dealer."""
    dealing = dealers(table, standing)
    ended_within_deal = standing.finished and standing.history[-1].deal > standing.deals  # as a shown indicator may end the game
    return (dealing[-1 if ended_within_deal else -2] + 1) % len(table.players)
