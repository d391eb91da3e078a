"""Random hands for tests: plain ones, and ones that nearly win."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from assistant import search
from assistant.tiles import COLOURS, FALSE_JOKER, NUMBERED_TILES, Tile, okey_of

WHOLE_SET = [tile for tile in (*NUMBERED_TILES, FALSE_JOKER) for _ in range(2)]


def random_hand(rng: random.Random, size: int) -> tuple[list[Tile], Tile]:
    """A hand of `size` tiles as it may be dealt, and the indicator."""
    deck = list(WHOLE_SET)
    rng.shuffle(deck)
    indicator = next(tile for tile in deck if tile.is_numbered)
    deck.remove(indicator)
    return deck[:size], indicator


def near_winning_hand(rng: random.Random, size: int) -> tuple[list[Tile], Tile]:
    """A winning hand of groups or pairs in which up to four tiles were changed for others, some for okeys; cut to `size`."""
    deck = list(WHOLE_SET)
    rng.shuffle(deck)
    indicator = next(tile for tile in deck if tile.is_numbered)
    deck.remove(indicator)
    hand: list[Tile] = []
    for tile in _pairs(rng) if rng.random() < 0.2 else _groups(rng):
        if tile in deck:
            deck.remove(tile)
            hand.append(tile)
    for _ in range(rng.randrange(5)):
        deck.append(hand.pop(rng.randrange(len(hand))))
    okey = okey_of(indicator)
    for _ in range(rng.choice([0, 0, 1, 2])):
        if okey in deck:
            deck.remove(okey)
            hand.insert(0, okey)
    rng.shuffle(deck)
    return (hand + deck)[:size], indicator


def _groups(rng: random.Random) -> list[Tile]:
    tiles: list[Tile] = []
    for length in rng.choice([(5, 5, 4), (5, 3, 3, 3), (4, 4, 3, 3)]):
        if length < 5 and rng.random() < 0.5:
            number = rng.randint(1, 13)
            tiles += [Tile(colour, number) for colour in rng.sample(COLOURS, length)]
        else:
            colour, start = rng.choice(COLOURS), rng.randint(1, 15 - length)
            tiles += [Tile(colour, (start + step - 1) % 13 + 1) for step in range(length)]
    return tiles


def _pairs(rng: random.Random) -> list[Tile]:
    return [tile for tile in rng.sample((*NUMBERED_TILES, FALSE_JOKER), 7) for _ in range(2)]


@cache
def _compiled_forms() -> object:
    plain = search._forms
    search.compile_searches()
    made, search._forms = search._forms, plain
    return made


@contextmanager
def compiled_searches() -> Iterator[None]:
    """The searches as numba compiles them, ten times as fast and held equal by a test of their own; what follows searches plainly again."""
    plain, search._forms = search._forms, _compiled_forms()
    try:
        yield
    finally:
        search._forms = plain
