"""A deal of Okey as it is played: what the player in turn may do, what each move changes, and the events that the ledger scores.

Rules alone: whoever moves brings the tiles dealt and chooses the moves. Seats are those of the deal: 0 is the dealer, 1 plays first.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assistant.deal import Dealt, shuffle_and_deal
from assistant.groups import Kind, face_of, name_group
from assistant.ledger import Ledger, Table
from assistant.rules import CLASSIC, OkeyScoring, Rules
from assistant.scoring import Event, OkeyGame
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


class Deal:
    """A deal in play. Moves change it; a move that is refused changes nothing.

    >>> deal = Deal(shuffle_and_deal(random.Random(1), players=4, informally=False))
    >>> deal.turn, len(deal.hands[1]), len(deal.stock)
    (1, 15, 48)
    >>> deal.play(Discard(deal.hands[1][0]))
    >>> deal.moves()
    [Draw(), Take()]

    Attributes:
        hands: each seat's tiles.
        stock: what can still be drawn, the next tile last.
        piles: each seat's discards, the latest last, those taken left out.
        turn: whose turn it is.
        offered: the tile just discarded on the left of that player, which may be taken.
        events: what the ledger scores, in its form.
        over: whether somebody has won or the stock has run out.
    """

    def __init__(self, dealt: Dealt, rules: Rules = CLASSIC, players: Sequence[int] | None = None) -> None:
        """Begins with the tiles dealt; the first player may hold 14, too, and then draws.

        Args:
            players: the number that the ledger has for each seat, the seat's own by default.

        Raises:
            MoveError: when the rules are those of Okey 101, which is not played here.
        """
        if not isinstance(rules.scoring, OkeyScoring):
            raise MoveError("Okey 101 cannot be played here: choose the rules of an Okey without opening")
        self.indicator = dealt.indicator
        self.rules = rules
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
        self._scoring = rules.scoring
        self._players = tuple(range(len(self.hands)) if players is None else players)
        self._playing = list(range(len(self.hands)))
        self._drew: set[int] = set()
        self._discarder = 0
        self._must_win = False

    @property
    def hand(self) -> list[Tile]:
        """The tiles of the player in turn."""
        return self.hands[self.turn]

    @property
    def discards(self) -> list[Tile]:
        """The tiles that lie discarded."""
        return [tile for pile in self.piles for tile in pile]

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
        others = (move for move in (ShowIndicator(), Draw(), Take()) if self._refusal(move) is None)
        return [*self.wins(), *others, *map(Discard, tiles)]

    def wins(self) -> list[Win]:
        """Every way in which the player in turn wins now, the dearest for the others first."""
        if self.over or self.is_drawing or self.judge.win(self.judge.hand(self.hand)) is None:
            return []
        found = [Win(tile, hand) for tile in sorted(set(self.hand), key=lambda tile: tile.code) for hand in self._hands_of(tile)]
        return sorted(found, key=self._cost, reverse=True)

    def may_show_indicator(self) -> bool:
        """Whether the player in turn may show the indicator's twin."""
        return self._refusal(ShowIndicator()) is None

    def play(self, move: Move) -> None:
        """Makes a move of the player in turn. Raises MoveError."""
        reason = self._refusal(move)
        if reason is not None:
            raise MoveError(reason)
        if isinstance(move, ShowIndicator):
            self.events.append(self._event("indicator_shown", by=self._players[self.turn]))
        elif isinstance(move, Draw):
            self.hand.append(self.stock.pop())
            self._drew.add(self.turn)
        elif isinstance(move, Take):
            self.hand.append(self.piles[self._discarder].pop())
            self._drew.add(self.turn)
            self._must_win = not self.stock
        elif isinstance(move, Discard):
            self.hand.remove(move.tile)
            self.piles[self.turn].append(move.tile)
            self._pass_on(move.tile)
        else:
            self._end(self._win_event(move))

    def leave(self, player: int) -> None:
        """A player, by the ledger's number, is out of the game and plays no more; the player in turn is never out."""
        self._playing = [seat for seat in self._playing if self._players[seat] != player]

    def _refusal(self, move: Move) -> str | None:
        """Why the player in turn may not do this."""
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

    def _pass_on(self, discarded: Tile) -> None:
        """The next player's turn; when the stock is empty and the discard does not make that player win the deal is over."""
        place = self._playing.index(self.turn) + 1
        self._discarder, self.turn = self.turn, self._playing[place % len(self._playing)]
        self.offered = discarded
        if not self.stock and self.judge.win(self.judge.hand([*self.hand, discarded])) is None:
            self._end(self._event("exhausted"))

    def _hands_of(self, fifteenth: Tile) -> list[str]:
        """As what the other 14 tiles of the player in turn win."""
        kept = without(self.hand, fifteenth)
        if self.judge.win(self.judge.hand(kept)) is None:
            return []
        melds, pairs = self.judge.distances(kept)
        run = self.rules.one_colour_run and name_group(kept, self.judge.okey, self.rules).kind is Kind.RUN
        return [hand for hand, wins in (("run", run), ("pairs", pairs == 0), ("melds", melds == 0)) if wins]

    def _win_event(self, win: Win) -> Event:
        faces = [face_of(tile, self.judge.okey, self.rules) for tile in without(self.hand, win.fifteenth)]
        colours = {face.colour for face in faces if face is not None}
        colour = colours.pop() if len(colours) == 1 else None
        return self._event(
            "win",
            by=self._players[self.turn],
            hand=win.hand,
            okey_last=win.fifteenth == self.judge.okey,
            colour=None if colour is None else colour.value,
        )

    def _cost(self, win: Win) -> int:
        """What a win costs each of the others, if all still have what they started with."""
        game, event = OkeyGame(self._scoring, max(self._players) + 1), self._win_event(win)
        game.begin_deal([event])
        game.apply(event)
        return self._scoring.start - min(game.scores)

    def _event(self, name: str, **facts: object) -> Event:
        return {"event": name, **facts, "indicator": str(self.indicator)}

    def _end(self, event: Event) -> None:
        self.events.append(event)
        self.over = True


Player = Callable[[Deal], Move]
"""Who chooses moves: given a deal, a move of the player in turn."""


def play_game(table: Table, players: Sequence[Player], rng: random.Random) -> Ledger:
    """A game from its first deal to its last: the deal passes to the right, who is out leaves, the ledger keeps the score."""
    ledger = Ledger(table)
    line = 1
    dealer = rng.randrange(len(players))
    while not ledger.standing.finished:
        seats = _standing(ledger, dealer)
        deal = Deal(shuffle_and_deal(rng, len(seats), table.rules.informal_deal), table.rules, seats)
        while not deal.over and not ledger.standing.finished:
            told = len(deal.events)
            deal.play(players[seats[deal.turn]](deal))
            for event in deal.events[told:]:
                line += 1
                ledger.add(line, event)
                for player in set(seats) - set(_standing(ledger, dealer)):
                    deal.leave(player)
        dealer = seats[0] + 1
    return ledger


def _standing(ledger: Ledger, first: int) -> list[int]:
    """The players who are not out, counted from one of them to the right."""
    scores = ledger.standing.scores
    around = (player % len(scores) for player in range(first, first + len(scores)))
    return [player for player in around if scores[player] > 0]
