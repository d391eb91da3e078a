"""Deals of 101 followed from outside: a referee who knows the rules by heart and believes nothing that the deal says of itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from assistant.deal import WHOLE_SET
from assistant.game import Discard, Draw, Player, Take
from assistant.game101 import Add, Deal101, Lay, Move101, PutBack
from assistant.groups import Kind, Placed, name_group
from assistant.tiles import FALSE_JOKER, NUMBERED_TILES, Tile, okey_of


class Referee:
    """Watches every move of a deal and raises AssertionError when one breaks the rules."""

    def __init__(self, deal: Deal101) -> None:
        self.deal = deal
        self.okey = okey_of(deal.indicator)
        self.opened: list[str | None] = [None] * len(deal.hands)
        self.best = {"melds": 100, "pairs": 4}
        self.turn = 1
        self.drawn = True
        self.unused: Tile | None = None
        self.opened_now = self.hand_finish = False
        self.left: Tile | None = None
        self.penalties: list[tuple[int, str]] = []

    def watch(self, player: Player) -> None:
        """Has a deal played to its end."""
        deal = self.deal
        while not deal.over:
            assert deal.turn == self.turn
            hands, groups, stock = [list(hand) for hand in deal.hands], list(deal.groups), list(deal.stock)
            move = player(deal)
            deal.play(move)
            self.position(move)
            gone = Counter(hands[self.turn]) - Counter(deal.hands[self.turn])
            came = Counter(deal.hands[self.turn]) - Counter(hands[self.turn])
            self.move(move, gone, came, groups, stock)
            others = (seat for seat in range(len(hands)) if seat != self.turn)
            assert all(hands[seat] == deal.hands[seat] for seat in others), "nobody else's tiles are touched"
            if isinstance(move, Discard):
                self.turn, self.drawn, self.opened_now = (self.turn + 1) % len(hands), False, False
        self.end()

    def position(self, move: Move101) -> None:
        """What holds after every move."""
        deal = self.deal
        laid = [placed.tile for group in deal.groups for placed in group]
        everywhere = [*deal.stock, *laid, *(tile for tiles in (*deal.hands, *deal.piles) for tile in tiles)]
        if not deal.rules.indicator_is_last_tile:
            everywhere.append(deal.indicator)
        assert Counter(everywhere) == Counter(WHOLE_SET)
        for group in deal.groups:
            self.group(group)
        for seat, hand in enumerate(deal.hands):
            finished = isinstance(move, Discard) and deal.over and seat == self.turn
            assert int(not finished) <= len(hand) <= 21 + (seat == deal.turn)

    def group(self, group: tuple[Placed, ...]) -> Kind:
        """What a group is, as its tiles lie and by what each stands for."""
        for placed in group:
            wild = placed.tile == self.okey or (placed.tile == FALSE_JOKER and self.deal.rules.false_joker_wild)
            assert wild or placed.stands_for == (self.okey if placed.tile == FALSE_JOKER else placed.tile)
        kind = name_group([placed.stands_for for placed in group], None, self.deal.rules).kind
        assert kind is not None
        assert name_group([placed.tile for placed in group], self.okey, self.deal.rules).kind is not None
        return kind

    def move(self, move: Move101, gone: Counter[Tile], came: Counter[Tile], groups: list[Any], stock: list[Tile]) -> None:
        deal = self.deal
        assert self.drawn == (not isinstance(move, (Draw, Take))), "one tile is drawn in a turn, before all else"
        if isinstance(move, (Lay, Add, Discard)) and self.unused is not None:
            used = move.groups if isinstance(move, Lay) else [[move.placed]] if isinstance(move, Add) else []
            assert self.unused in [placed.tile for group in used for placed in group], "a tile that was taken is used at once"
            self.unused = None
        if isinstance(move, Draw):
            assert came == Counter([stock[-1]]) and deal.stock == stock[:-1]
        elif isinstance(move, Take):
            assert self.left is not None and came == Counter([self.left])
            self.unused = self.left
        elif isinstance(move, PutBack):
            assert self.opened[self.turn] is None and gone == Counter([self.unused])
            self.unused = self.left = None
        elif isinstance(move, Lay):
            assert gone == Counter(placed.tile for group in move.groups for placed in group)
            assert deal.groups == [*groups, *move.groups]
            self.lay(move)
        elif isinstance(move, Add):
            assert self.opened[self.turn] is not None
            assert gone == Counter([move.placed.tile])
            before, after = groups[move.group], deal.groups[move.group]
            assert Counter(after) - Counter(before) == Counter([move.placed]) and not Counter(before) - Counter(after)
            assert [*groups[: move.group], *groups[move.group + 1 :]] == [*deal.groups[: move.group], *deal.groups[move.group + 1 :]]
            assert len(before) > 2, "a pair stays a pair"
        else:
            assert gone == Counter([move.tile]) and deal.piles[self.turn][-1] == move.tile
            self.left = move.tile
            self.discard(move.tile)
        self.drawn = not isinstance(move, PutBack)

    def lay(self, move: Lay) -> None:
        kinds = {self.group(group) is Kind.PAIR for group in move.groups}
        assert len(kinds) == 1
        opened = "pairs" if kinds.pop() else "melds"
        assert self.opened[self.turn] in (None, "melds"), "after pairs nothing more is laid"
        if self.opened[self.turn] is not None:
            assert opened == "melds"
            return
        worth = len(move.groups) if opened == "pairs" else sum(placed.stands_for.number or 0 for group in move.groups for placed in group)
        assert worth > self.best[opened]
        if self.deal.rules.scoring.raising:
            self.best[opened] = worth
        self.opened[self.turn], self.opened_now = opened, True

    def discard(self, tile: Tile) -> None:
        if not self.deal.hands[self.turn]:
            self.hand_finish = self.opened_now and sum(opened is not None for opened in self.opened) == 1
            return
        if tile == self.okey:
            self.penalties.append((self.turn, "okey_discarded"))
            return
        wild = tile == FALSE_JOKER and self.deal.rules.false_joker_wild
        stands_for = NUMBERED_TILES if wild else [self.okey if tile == FALSE_JOKER else tile]
        for group in self.deal.groups:
            faces = [placed.stands_for for placed in group]
            if len(group) > 2 and any(name_group([*faces, face], None, self.deal.rules).kind for face in stands_for):
                self.penalties.append((self.turn, "playable_discard"))
                return

    def end(self) -> None:
        """The last event says how the deal ended; those before it are the penalties."""
        deal = self.deal
        *penalties, end = deal.events
        assert [(deal.players.index(event["by"]), event["reason"]) for event in penalties] == self.penalties
        finishers = [seat for seat, hand in enumerate(deal.hands) if not hand]
        assert len(finishers) <= 1
        if finishers:
            seat = finishers[0]
            assert deal.players.index(end["finisher"]) == seat
            assert end["okey_last"] == (deal.piles[seat][-1] == self.okey)
            assert end["hand_finish"] == self.hand_finish
        else:
            assert end["finisher"] is None and not end["okey_last"] and not end["hand_finish"]
            void = deal.rules.scoring.all_pairs_void and self.opened == ["pairs"] * 4
            assert void or not deal.stock
        for seat, hand in enumerate(deal.hands):
            told = end["players"][deal.players[seat]]
            assert told["opened"] == self.opened[seat]
            if self.opened[seat] is not None:
                assert told["okeys_left"] == hand.count(self.okey)
                assert told["left"] == sum(self.okey.number if tile == FALSE_JOKER else tile.number for tile in hand if tile != self.okey)


def scores_by_hand(event: Mapping[str, Any], cap: int, partners: bool) -> list[int]:
    """What a deal changes, player by player, by the table of the rules; a void deal left out."""
    finisher, hands = event["finisher"], event["players"]
    factor = 1
    if finisher is not None:
        for doubles in (event["okey_last"], event["hand_finish"], hands[finisher]["opened"] == "pairs"):
            factor = factor * 2 if doubles else factor
        factor = min(factor, cap)
    changes = []
    for number, hand in enumerate(hands):
        if number == finisher:
            changes.append(-101 * factor)
        elif partners and finisher is not None and (number - finisher) % 4 == 2:
            changes.append(0)
        elif hand["opened"] is None:
            changes.append(202 * factor)
        else:
            changes.append(hand["left"] * factor * (2 if hand["opened"] == "pairs" else 1) + 101 * hand["okeys_left"])
    if partners:
        changes = [changes[number] + changes[(number + 2) % 4] for number in range(4)]
    return changes
