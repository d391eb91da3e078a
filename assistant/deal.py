"""The deal: the formal one of four players, with its stacks and dice, and the informal one of two to four.

Seats are counted from the dealer to the right, as play goes: 1 is the first player, 0 the dealer, who is served last.
Stacks are counted the same way, from the dealer's left: 0 is the first that stands before the dealer.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.search import HAND
from assistant.tiles import COPIES, FALSE_JOKER, NUMBERED_TILES, Tile

PLAYERS = 4
DEALER = 0
SERVED = (1, 2, 3, DEALER)
"""Seats in the order in which they take tiles."""
STACKS, STACK = 21, 5
"""So many stacks of so many tiles; the tile that is over is the dealer's until the first die is thrown."""
BEFORE = (6, 5, 5, 5)
"""How many stacks stand before each seat."""
PIPS = range(1, 7)
WHOLE_STACKS = 2
"""How many stacks everyone takes before the last round."""
LAST_ROUND = (5, 4, 4, 4)
"""How many tiles each seat takes then, in the order of `SERVED`, from the tops of the stacks that follow."""
FEWEST_PLAYERS = 2
WHOLE_SET = tuple(tile for tile in (*NUMBERED_TILES, FALSE_JOKER) for _ in range(COPIES))
_WHOLE = Counter(WHOLE_SET)


class DealError(ValueError):
    """A deal that cannot be: dice without such a side, tiles that are no whole set, one player; the message is a sentence for the user."""


class FalseJokerTurnedUp(ValueError):
    """The tile turned up is a false joker: it is put back, and the dice are thrown again."""


@dataclass(frozen=True)
class Take:
    """The next so many tiles from the top of a stack."""

    stack: int
    tiles: int


@dataclass(frozen=True)
class Plan:
    """Who takes what once both dice are thrown.

    Attributes:
        selected: the stack that the first die selects; the tile that was over lies on top of it.
        turned: which of its tiles, counted from the bottom, the second die turns up.
        takes: for each seat what it takes, in order.
        stock: what is left, in the order in which it is drawn, the selected stack without the indicator last.
    """

    selected: int
    turned: int
    takes: tuple[tuple[Take, ...], ...]
    stock: tuple[Take, ...]


@dataclass(frozen=True)
class Dealt:
    """The tiles of a deal: a hand for each seat, the indicator, and the stock as it is drawn."""

    hands: tuple[tuple[Tile, ...], ...]
    indicator: Tile
    stock: tuple[Tile, ...]


def plan(first_die: int, second_die: int) -> Plan:
    """What the dice decide.

    >>> plan(3, 1).takes[1]
    (Take(stack=3, tiles=5), Take(stack=7, tiles=5), Take(stack=11, tiles=5))

    Raises:
        DealError: when a die cannot show that.
    """
    for die in (first_die, second_die):
        if die not in PIPS:
            raise DealError(f"a die shows 1 to 6, not {die}")
    selected = first_die - 1
    following = [(selected + step) % STACKS for step in range(1, STACKS)]
    takes: dict[int, list[Take]] = {seat: [] for seat in range(PLAYERS)}
    for number in range(WHOLE_STACKS * PLAYERS):
        takes[SERVED[number % PLAYERS]].append(Take(following.pop(0), STACK))
    left = STACK  # in the stack that comes next
    for seat, wanted in zip(SERVED, LAST_ROUND, strict=True):
        while wanted:
            count = min(wanted, left)
            takes[seat].append(Take(following[0], count))
            wanted, left = wanted - count, left - count
            if not left:
                following.pop(0)
                left = STACK
    stock = (Take(following[0], left), *(Take(stack, STACK) for stack in (*following[1:], selected)))
    return Plan(selected, second_die, tuple(tuple(takes[seat]) for seat in range(PLAYERS)), stock)


def seat_of(stack: int) -> tuple[int, int]:
    """Before which seat a stack stands, and how many stand to its left there."""
    seat = 0
    while stack >= BEFORE[seat]:
        stack -= BEFORE[seat]
        seat += 1
    return seat, stack


def deal(tiles: Sequence[Tile], first_die: int, second_die: int) -> Dealt:
    """Deals a shuffled set: stack by stack from the dealer's left, each from the bottom, the tile that is over last.

    Raises:
        DealError: when a die cannot show that, or the tiles are no whole set.
        FalseJokerTurnedUp: when the dice have to be thrown again.
    """
    dealing = plan(first_die, second_die)
    _check_whole(tiles)
    stacks = [list(tiles[STACK * number : STACK * (number + 1)]) for number in range(STACKS)]
    stacks[dealing.selected].append(tiles[-1])
    indicator = stacks[dealing.selected].pop(dealing.turned - 1)
    if indicator == FALSE_JOKER:
        raise FalseJokerTurnedUp("a false joker is turned up: put it back and throw both dice again")

    def taken(takes: Sequence[Take]) -> tuple[Tile, ...]:
        return tuple(stacks[take.stack].pop() for take in takes for _ in range(take.tiles))

    hands = {seat: taken(dealing.takes[seat]) for seat in SERVED}
    return Dealt(tuple(hands[seat] for seat in range(PLAYERS)), indicator, taken(dealing.stock))


def informal_stock(players: int) -> int:
    """How many tiles are left to be drawn after the informal deal, the indicator aside."""
    return len(WHOLE_SET) - HAND * players - 2


def deal_informally(tiles: Sequence[Tile], players: int = PLAYERS, hand_size: int = HAND) -> Dealt:
    """Deals a shuffled set without stacks: so many tiles each, the first player one more; then the next tile with a number is turned up.

    Raises:
        DealError: when the tiles are no whole set, or there are not two to four players.
    """
    _check_whole(tiles)
    if not FEWEST_PLAYERS <= players <= PLAYERS:
        raise DealError(f"Okey is dealt to {FEWEST_PLAYERS} to {PLAYERS} players, not {players}")
    left = list(tiles)
    hands = [[left.pop() for _ in range(hand_size)] for _ in range(players)]
    hands[1].append(left.pop())
    indicator = left.pop(max(place for place, tile in enumerate(left) if tile.is_numbered))
    return Dealt(tuple(map(tuple, hands)), indicator, tuple(left))


def shuffle_and_deal(rng: random.Random, players: int, informally: bool, hand_size: int = HAND) -> Dealt:
    """Shuffles a set and deals it, formally where four players do not want it otherwise; the dice are thrown until an indicator is up.

    The formal deal is that of 14 tiles; other hands, as those of 101, are dealt informally.
    """
    tiles = rng.sample(WHOLE_SET, len(WHOLE_SET))
    if informally or players != PLAYERS or hand_size != HAND:
        return deal_informally(tiles, players, hand_size)
    while True:
        try:
            return deal(tiles, rng.choice(PIPS), rng.choice(PIPS))
        except FalseJokerTurnedUp:
            continue


def is_whole_set(tiles: Sequence[Tile]) -> bool:
    """Whether these are the tiles of one set, each as often as a set holds it."""
    return Counter(tiles) == _WHOLE


def _check_whole(tiles: Sequence[Tile]) -> None:
    if not is_whole_set(tiles):
        raise DealError(f"a deal needs the {len(WHOLE_SET)} tiles of a whole set, but got {len(tiles)} tiles that are none")
