"""The formal deal against the counts of the rules."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest

from assistant.deal import (
    BEFORE,
    DEALER,
    PIPS,
    STACK,
    STACKS,
    WHOLE_SET,
    DealError,
    FalseJokerTurnedUp,
    Take,
    deal,
    deal_informally,
    plan,
    seat_of,
    shuffle_and_deal,
)
from assistant.tiles import FALSE_JOKER, Tile

THROWS = list(product(PIPS, PIPS))


def shuffled(seed: int) -> list[Tile]:
    tiles = list(WHOLE_SET)
    random.Random(seed).shuffle(tiles)
    return tiles


def test_the_stacks_are_the_whole_set() -> None:
    assert len(WHOLE_SET) == 106 == STACKS * STACK + 1
    assert sum(BEFORE) == STACKS
    assert [seat_of(stack) for stack in (0, 5, 6, 10, 11, 20)] == [(0, 0), (0, 5), (1, 0), (1, 4), (2, 0), (3, 4)]


@pytest.mark.parametrize(("first", "second"), THROWS)
def test_the_first_player_gets_fifteen_the_others_fourteen_and_forty_eight_are_left(first: int, second: int) -> None:
    dealing = plan(first, second)
    assert [sum(take.tiles for take in takes) for takes in dealing.takes] == [14, 15, 14, 14]
    assert sum(take.tiles for take in dealing.stock) == 48
    assert dealing.stock[-1] == Take(dealing.selected, 5)
    taken: Counter[int] = Counter()
    for take in (*dealing.stock, *(take for takes in dealing.takes for take in takes)):
        taken[take.stack] += take.tiles
    assert taken == Counter(dict.fromkeys(range(STACKS), STACK)), "each stack once; the indicator aside"


def test_who_takes_which_stack() -> None:
    dealing = plan(6, 2)
    assert dealing.selected == 5, "the sixth from the dealer's left, the last before the dealer"
    assert dealing.turned == 2
    first, second, third, dealer = (dealing.takes[seat] for seat in (1, 2, 3, DEALER))
    assert first == (Take(6, 5), Take(10, 5), Take(14, 5))
    assert second == (Take(7, 5), Take(11, 5), Take(15, 4))
    assert third == (Take(8, 5), Take(12, 5), Take(15, 1), Take(16, 3))
    assert dealer == (Take(9, 5), Take(13, 5), Take(16, 2), Take(17, 2))
    assert dealing.stock == (Take(17, 3), *(Take(stack, 5) for stack in (18, 19, 20, 0, 1, 2, 3, 4, 5)))


@pytest.mark.parametrize(("first", "second"), THROWS)
def test_dealt_tiles_are_the_whole_set_again(first: int, second: int) -> None:
    tiles = [tile for tile in shuffled(first) if tile != FALSE_JOKER]
    tiles = [FALSE_JOKER, *tiles[:-1], FALSE_JOKER, tiles[-1]]  # in the first stack's bottom and the last stack's top
    if (first, second) == (1, 1):
        with pytest.raises(FalseJokerTurnedUp, match="throw both dice again"):
            deal(tiles, first, second)
        return
    dealt = deal(tiles, first, second)
    assert [len(hand) for hand in dealt.hands] == [14, 15, 14, 14]
    assert len(dealt.stock) == 48
    assert dealt.indicator.is_numbered
    assert Counter([*(tile for hand in dealt.hands for tile in hand), *dealt.stock, dealt.indicator]) == Counter(WHOLE_SET)


def test_the_tiles_come_from_the_tops_of_their_stacks() -> None:
    tiles = shuffled(1)
    while FALSE_JOKER in (tiles[2], tiles[-1]):
        tiles.insert(0, tiles.pop())
    dealt = deal(tiles, 1, 3)
    assert dealt.indicator == tiles[2], "the third from the bottom of the first stack"
    assert dealt.hands[1][:5] == tuple(reversed(tiles[5:10]))
    assert dealt.hands[2][10:] == tuple(reversed(tiles[51:55])), "the top four"
    assert dealt.hands[3][10] == tiles[50], "the last one of that stack"
    assert dealt.stock[:3] == tuple(reversed(tiles[60:63]))
    assert dealt.stock[-5:] == (tiles[-1], tiles[4], tiles[3], tiles[1], tiles[0])
    assert deal(tiles, 1, 6).indicator == tiles[-1], "the tile that was over lies on top"


@pytest.mark.parametrize("dice", [(0, 3), (3, 7)])
def test_impossible_dice_get_a_sentence(dice: tuple[int, int]) -> None:
    with pytest.raises(DealError, match="a die shows 1 to 6"):
        plan(*dice)


def test_a_set_that_is_not_whole_gets_a_sentence() -> None:
    with pytest.raises(DealError, match="106 tiles"):
        deal(WHOLE_SET[:-1], 1, 1)
    with pytest.raises(DealError, match="106 tiles"):
        deal([*WHOLE_SET[:-1], WHOLE_SET[0]], 1, 1)


@pytest.mark.parametrize(("players", "stock"), [(2, 76), (3, 62), (4, 48)])
def test_the_informal_deal_gives_fourteen_tiles_and_the_first_player_fifteen(players: int, stock: int) -> None:
    dealt = deal_informally(shuffled(players), players)
    assert [len(hand) for hand in dealt.hands] == [14, 15, 14, 14][:players]
    assert len(dealt.stock) == stock
    assert dealt.indicator.is_numbered
    assert Counter([*(tile for hand in dealt.hands for tile in hand), *dealt.stock, dealt.indicator]) == Counter(WHOLE_SET)


def test_the_indicators_twin_stays_where_it_lies_in_the_stock() -> None:
    tiles = [tile for tile in shuffled(3) if tile != Tile.parse("R5")]
    tiles = [FALSE_JOKER, *[tile for tile in tiles if tile != FALSE_JOKER], FALSE_JOKER]
    tiles[20:20] = [Tile.parse("R5")]
    tiles[-57:-57] = [Tile.parse("R5")]  # turned up
    dealt = deal_informally(tiles)
    assert (dealt.indicator, list(dealt.stock)) == (Tile.parse("R5"), tiles[:48])


def test_a_false_joker_is_passed_over_for_the_indicator() -> None:
    tiles = [tile for tile in shuffled(3) if tile != FALSE_JOKER]
    turned = tiles[-58]
    tiles[-57:-57] = [FALSE_JOKER, FALSE_JOKER]
    assert deal_informally(tiles).indicator == turned


def test_nobody_plays_alone() -> None:
    with pytest.raises(DealError, match="2 to 4 players, not 1"):
        deal_informally(shuffled(1), players=1)


def test_a_shuffled_set_is_always_dealt() -> None:
    for seed in range(100):
        dealt = shuffle_and_deal(random.Random(seed), players=4, informally=False)
        assert dealt.indicator.is_numbered and len(dealt.stock) == 48
