"""The score of a game of Okey 101: what each deal gives and costs, penalties, who wins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from assistant.reasons import Reason
from assistant.rules import Okey101Scoring
from assistant.scoring import Event, EventError, flag, one_of, player, side_of
from assistant.tiles import COPIES, quoted

PENALTIES = ("okey_left", "okey_discarded", "failed_opening", "playable_discard", "taken_back")
LARGEST_SUM = 21 * 13


class Okey101Game:
    """The accounts of a game of Okey 101; the lowest wins. A copy keeps what it was when the game goes on.

    Attributes:
        scores: every player's total; partners have one in common.
        deals: how many deals are over; a void one does not count.
        finished: whether the game is.
    """

    def __init__(self, scoring: Okey101Scoring, players: int) -> None:
        self._scoring = scoring
        self._players = players
        self.scores = [0] * players
        self.deals = 0
        self.finished = False

    def begin_deal(self, events: Iterable[Event]) -> None:
        """Nothing that comes later in a deal matters to what comes before."""

    def check_new(self, event: Event) -> None:
        """Raises EventError when the event cannot be entered any more, though it counts where it was saved while it could be."""
        if event.get("event") != "deal":
            return
        okeys = sum(hand["okeys_left"] for hand in self._hands(event)) + flag(event, "okey_last")
        if okeys > COPIES:
            raise EventError(Reason("{count} okeys are left in hands or discarded last: a set has {copies}", count=okeys, copies=COPIES))
        if event.get("finisher") is not None:
            player(event, self._players, "finisher")  # of a deal that is void nobody else asks

    def apply(self, event: Event) -> bool:
        """Changes the accounts and returns whether the next event stands by itself, as all do. Raises EventError."""
        kind: object = event.get("event")
        if kind == "penalty":
            changes = [0] * self._players
            one_of(event, "reason", PENALTIES)
            changes[player(event, self._players)] = self._scoring.penalty
        elif kind == "deal":
            hands = self._hands(event)
            void = self._scoring.voids([hand["opened"] for hand in hands])
            changes = [0] * self._players if void else self._deal(event, hands)
            self.deals += not void
        else:
            raise EventError(f"no event of 101 is called {quoted(kind)}: choose from deal, penalty, undo, correct")
        self.scores = list(self.scores)
        for number, change in enumerate(changes):
            for side in side_of(number, self._scoring):
                self.scores[side] += change
        self.finished = self._scoring.deals is not None and self.deals >= self._scoring.deals
        return True

    def winners(self) -> list[int]:
        """Who has won, once the game is finished; those tied share the place."""
        return [number for number, score in enumerate(self.scores) if score == min(self.scores)] if self.finished else []

    def _deal(self, event: Event, hands: list[dict[str, Any]]) -> list[int]:
        """What a deal changes, player by player."""
        finisher = player(event, self._players, "finisher") if event.get("finisher") is not None else None
        okey_last, hand_finish = flag(event, "okey_last"), flag(event, "hand_finish")
        if finisher is None:
            if okey_last or hand_finish:
                raise EventError("nobody finished: 'okey_last' and 'hand_finish' must be false")
            return [self._cost(hand, 1) for hand in hands]
        if hands[finisher]["opened"] is None:
            raise EventError(f"player {finisher} finished without having opened: say how, melds or pairs")
        if hand_finish and any(hand["opened"] for number, hand in enumerate(hands) if number != finisher):
            raise EventError("'hand_finish' means that nobody else had opened")
        doublings = okey_last + hand_finish + (hands[finisher]["opened"] == "pairs")
        factor = min(2**doublings, self._scoring.factor_cap)
        changes = [0 if number in side_of(finisher, self._scoring) else self._cost(hand, factor) for number, hand in enumerate(hands)]
        changes[finisher] = -self._scoring.finish * factor
        return changes

    def _cost(self, hand: dict[str, Any], factor: int) -> int:
        """What the tiles left in a hand cost; an okey only its penalty, which no factor raises."""
        if hand["opened"] is None:
            return self._scoring.not_opened * factor
        if hand["left"] is None:
            raise EventError("'left' is missing: the sum of the tiles left to a player who had opened")
        counted: int = hand["left"] * factor * (2 if hand["opened"] == "pairs" else 1)
        return counted + int(hand["okeys_left"]) * self._scoring.penalty

    def _hands(self, event: Event) -> list[dict[str, Any]]:
        """What every player had opened with and has left. Raises EventError."""
        given = event.get("players")
        if not isinstance(given, list) or len(given) != self._players or not all(isinstance(hand, dict) for hand in given):
            raise EventError(f"'players' must list {self._players} hands, as {{'opened': 'melds', 'left': 23}}")
        return [
            {
                "opened": one_of(hand, "opened", ("melds", "pairs", None)),
                "left": _number(hand, "left", None, LARGEST_SUM),
                "okeys_left": _number(hand, "okeys_left", 0, COPIES),
            }
            for hand in given
        ]


def _number(hand: Event, name: str, default: int | None, most: int) -> int | None:
    """A whole number of a hand. Raises EventError."""
    value = hand.get(name, default)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise EventError(f"{name!r} must be a whole number from 0 to {most}, not {quoted(value)}")
    return value
