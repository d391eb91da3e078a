"""A deal of Okey as it is played: what the player in turn may do, what each move changes, and the events that the ledger scores.

Rules alone: whoever moves brings the tiles dealt and chooses the moves. Seats are those of the deal: 0 is the dealer, 1 plays first.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Generic, TypeVar

from assistant.deal import Dealt
from assistant.rules import CLASSIC, OkeyScoring, Rules
from assistant.scoring import Event, cost_of, win_of
from assistant.search import HAND
from assistant.solver import Judge, without
from assistant.tiles import Tile


class MoveError(ValueError):
    """A move that the rules do not allow; the message is a sentence for the user."""


@dataclass(frozen=True)
class ShowIndicator:
    """Shows the indicator's twin."""


@dataclass(frozen=True)
class Draw:
    """Draws the next tile of the stock."""


@dataclass(frozen=True)
class Take:
    """Takes the tile that the player on the left has just discarded."""


@dataclass(frozen=True)
class Discard:
    """Discards a tile to the right."""

    tile: Tile


@dataclass(frozen=True)
class Win:
    """Lays the fifteenth tile on the indicator and shows the others as `melds`, `pairs` or `run`, the one-colour run."""

    fifteenth: Tile
    hand: str


Move = ShowIndicator | Draw | Take | Discard | Win


M = TypeVar("M")
"""The moves of a variant."""


class DealInPlay(ABC, Generic[M]):
    """What deals of Okey and of 101 have in common. Moves change a deal; a move that is refused changes nothing.

    Attributes:
        players: the number that the ledger has for each seat.
        hands: each seat's tiles.
        stock: what can still be drawn, the next tile last.
        piles: each seat's discards, the latest last, those taken left out.
        turn: whose turn it is.
        offered: the tile just discarded on the left of that player, which may be taken.
        events: what the ledger scores, in its form.
        over: whether the deal is.
        judge: who knows the okey and the rules.
    """

    def __init__(self, dealt: Dealt, rules: Rules, players: Sequence[int] | None = None) -> None:
        """Begins with the tiles dealt; a first player who holds no more than the others draws.

        Args:
            players: the number that the ledger has for each seat, the seat's own by default.
        """
        self.indicator = dealt.indicator
        self.rules = rules
        self.players = tuple(range(len(dealt.hands)) if players is None else players)
        self.hands = [list(hand) for hand in dealt.hands]
        self.stock = [*reversed(dealt.stock)]
        if rules.indicator_is_last_tile:
            self.stock.insert(0, dealt.indicator)
        self.piles: list[list[Tile]] = [[] for _ in self.hands]
        self.turn = 1
        self.offered: Tile | None = None
        self.events: list[Event] = []
        self.over = False
        self.judge = Judge((), dealt.indicator, (), rules)
        self._playing = list(range(len(self.hands)))
        self._discarder = 0

    @property
    def hand(self) -> list[Tile]:
        """The tiles of the player in turn."""
        return self.hands[self.turn]

    @property
    def discards(self) -> list[Tile]:
        """The tiles that lie discarded."""
        return list(chain(*self.piles))

    @property
    def tiles(self) -> list[Tile]:
        """All tiles of the set, wherever they are."""
        indicator = [] if self.rules.indicator_is_last_tile else [self.indicator]
        return list(chain(indicator, self.stock, *self.piles, *self.hands))

    @property
    @abstractmethod
    def is_drawing(self) -> bool:
        """Whether the player in turn has yet to draw or take a tile."""

    @abstractmethod
    def moves(self) -> list[M]:
        """What the player in turn may do."""

    def may(self, move: M) -> bool:
        """Whether the player in turn may do this."""
        return self._refusal(move) is None

    def play(self, move: M) -> None:
        """Makes a move of the player in turn. Raises MoveError."""
        reason = self._refusal(move)
        if reason is not None:
            raise MoveError(reason)
        self._make(move)

    def leave(self, player: int) -> None:
        """A player, by the ledger's number, is out of the game and plays no more; the player in turn is never out."""
        self._playing = [seat for seat in self._playing if self.players[seat] != player]

    @abstractmethod
    def _refusal(self, move: M) -> str | None:
        """Why the player in turn may not do this."""

    @abstractmethod
    def _make(self, move: M) -> None:
        """Makes a move that is allowed."""

    def _draw(self) -> None:
        self.hand.append(self.stock.pop())

    def _take(self) -> None:
        self.hand.append(self.piles[self._discarder].pop())

    def _discard(self, tile: Tile) -> None:
        """Lays a tile of the hand on the player's pile; then it is the next player's turn."""
        self.hand.remove(tile)
        self.piles[self.turn].append(tile)
        place = self._playing.index(self.turn) + 1
        self._discarder, self.turn = self.turn, self._playing[place % len(self._playing)]
        self.offered = tile

    def _end(self, event: Event) -> None:
        self.events.append(event)
        self.over = True


class Deal(DealInPlay[Move]):
    """A deal of Okey: it is over when somebody has won, or when the stock has run out.

    >>> import random
    >>> from assistant.deal import shuffle_and_deal
    >>> deal = Deal(shuffle_and_deal(random.Random(1), players=4, informally=False))
    >>> deal.turn, len(deal.hands[1]), len(deal.stock)
    (1, 15, 48)
    >>> deal.play(Discard(deal.hands[1][0]))
    >>> deal.moves()
    [Draw(), Take()]
    """

    def __init__(self, dealt: Dealt, rules: Rules = CLASSIC, players: Sequence[int] | None = None) -> None:
        """See `DealInPlay`. Raises MoveError when the rules are those of Okey 101, which `Deal101` plays."""
        if not isinstance(rules.scoring, OkeyScoring):
            raise MoveError("Okey 101 cannot be played here: choose the rules of an Okey without opening")
        super().__init__(dealt, rules, players)
        self._scoring = rules.scoring
        self._drew: set[int] = set()
        self._must_win = False

    @property
    def is_drawing(self) -> bool:
        """Whether the player in turn has yet to draw or take a tile."""
        return len(self.hand) == HAND

    def moves(self) -> list[Move]:
        """Everything that the player in turn may do, the wins first."""
        if self.over:
            return []
        if self.is_drawing or self._must_win:
            tiles: list[Tile] = []
        else:
            tiles = sorted(set(self.hand), key=lambda tile: tile.code)
        others = (move for move in (ShowIndicator(), Draw(), Take()) if self.may(move))
        return [*self.wins(), *others, *map(Discard, tiles)]

    def wins(self) -> list[Win]:
        """Every way in which the player in turn wins now, the dearest for the others first."""
        if self.over or self.is_drawing or not self.judge.wins(self.judge.hand(self.hand)):
            return []
        found = [Win(tile, hand) for tile in sorted(set(self.hand), key=lambda tile: tile.code) for hand in self._hands_of(tile)]
        return sorted(found, key=lambda win: cost_of(self._win_event(win), self._scoring), reverse=True)

    def _make(self, move: Move) -> None:
        if isinstance(move, ShowIndicator):
            self.events.append(self._event("indicator_shown", by=self.players[self.turn]))
        elif isinstance(move, Draw):
            self._draw()
            self._drew.add(self.turn)
        elif isinstance(move, Take):
            self._take()
            self._drew.add(self.turn)
            self._must_win = not self.stock
        elif isinstance(move, Discard):
            self._discard(move.tile)
            # When the stock is empty and the discard does not make the next player win the deal is over.
            if not self.stock and not self.judge.wins(self.judge.hand([*self.hand, move.tile])):
                self._end(self._event("exhausted"))
        else:
            self._end(self._win_event(move))

    def _refusal(self, move: Move) -> str | None:
        if self.over:
            return "the deal is over"
        if isinstance(move, ShowIndicator):
            return self._refusal_to_show()
        if isinstance(move, (Draw, Take)):
            if not self.is_drawing:
                return f"{len(self.hand)} tiles are in the hand already: discard one"
            if isinstance(move, Draw):
                return None if self.stock else "the stock is empty: only a discard that wins may be taken"
            return None if self.offered is not None else "nothing was discarded on the left: draw from the stock"
        if self.is_drawing:
            return "a tile must be drawn first, or the left neighbour's discard taken"
        tile = move.tile if isinstance(move, Discard) else move.fifteenth
        if tile not in self.hand:
            return f"{tile} is not in the hand: discard one of its {len(self.hand)} tiles"
        if isinstance(move, Discard):
            return "the stock is empty: the tile that was taken must win" if self._must_win else None
        if move.hand not in self._hands_of(tile):
            return f"the hand does not win as {move.hand} with {tile} as the fifteenth tile"
        return None

    def _refusal_to_show(self) -> str | None:
        if not self._scoring.with_indicator:
            return "this table plays without showing the indicator"
        if any(event["event"] == "indicator_shown" for event in self.events):
            return "the indicator's twin was shown already"
        if self.turn in self._drew:
            return "the indicator's twin may be shown only before the player's own first draw"
        return None if self.indicator in self.hand else f"the indicator's twin, {self.indicator}, is not in the hand"

    def _hands_of(self, fifteenth: Tile) -> list[str]:
        """As what the other 14 tiles of the player in turn win."""
        return self.judge.hands(without(self.hand, fifteenth))

    def _win_event(self, win: Win) -> Event:
        won = win_of(without(self.hand, win.fifteenth), win.hand, win.fifteenth == self.judge.okey, self.judge.okey, self.rules)
        return {**won, "by": self.players[self.turn], "indicator": str(self.indicator)}

    def _event(self, name: str, **facts: object) -> Event:
        return {"event": name, **facts, "indicator": str(self.indicator)}


Player = Callable[[Any], Any]
"""Who chooses moves: given a deal, a move of the player in turn."""
