"""A deal of Okey 101 as it is played: drawing, opening, laying groups and adding to them, and what the ledger scores of it.

What people would have to take back is refused before it is done, so a failed opening and a tile taken back, which the score
knows as faults, do not happen here. Where the rules are silent:
- groups are laid and tiles added as often as one likes in a turn;
- who has opened with pairs lays no more of them, and who has opened with sets and runs lays no pairs;
- a discard that fits a group costs whoever makes it, before their opening too;
- the deal is over with the discard after the last tile of the stock: nobody finishes with that one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from assistant.deal import Dealt
from assistant.game import DealInPlay, Discard, Draw, MoveError, Take
from assistant.groups import Kind, Named, Placed, face_of, name_group
from assistant.opening import opening_of
from assistant.rules import OPENING_PAIRS, OPENING_POINTS, Okey101Scoring, Rules
from assistant.scoring import Event
from assistant.search import LONGEST_PIECE, LONGEST_RUN, group_faces
from assistant.solver import Judge, Laid, points_of, tile_order
from assistant.tiles import NUMBERED_TILES, Tile


@dataclass(frozen=True)
class PutBack:
    """Puts the tile that was taken from the left back, to draw from the stock instead."""


@dataclass(frozen=True)
class Lay:
    """Lays groups from the hand on the table; a player's first ones are the opening."""

    groups: Laid


@dataclass(frozen=True)
class Add:
    """Adds a tile of the hand to a group on the table, by its number from 0."""

    placed: Placed
    group: int


Move101 = Draw | Take | PutBack | Lay | Add | Discard


class Deal101(DealInPlay[Move101]):
    """A deal of Okey 101: it is over when a player has discarded their last tile, or when the stock has run out.

    Attributes:
        groups: what lies on the table, every tile with the face that it stands for as long as the deal lasts.
        opened: with what each seat has opened, `melds` or `pairs`, None before it has.
        beat_points, beat_pairs: with the option `raising` the best openings so far, which the next one must beat; else 0.
        taken: the tile that was taken from the left and is not used yet.
    """

    def __init__(self, dealt: Dealt, rules: Rules, players: Sequence[int] | None = None) -> None:
        """See `DealInPlay`. Raises MoveError when the rules are not those of Okey 101."""
        if not isinstance(rules.scoring, Okey101Scoring):
            raise MoveError(f"{rules.name} is played without opening: choose the rules of 101")
        super().__init__(dealt, rules, players)
        self.groups: list[tuple[Placed, ...]] = []
        self.opened: list[str | None] = [None] * len(self.hands)
        self.beat_points = self.beat_pairs = 0
        self.taken: Tile | None = None
        self._places: dict[int, list[int]] = {}  # the faces that can be added to groups on the table, and to which
        self._scoring = rules.scoring
        self._drawing = len(self.hand) == rules.hand_size
        self._opened_now = False

    @property
    def tiles(self) -> list[Tile]:
        """All tiles of the set, wherever they are."""
        return [*super().tiles, *(placed.tile for group in self.groups for placed in group)]

    @property
    def is_drawing(self) -> bool:
        """Whether the player in turn has yet to draw or take a tile."""
        return self._drawing

    @property
    def has_opened(self) -> bool:
        """Whether the player in turn has."""
        return self.opened[self.turn] is not None

    def moves(self) -> list[Move101]:
        """What the player in turn may do.

        Of the openings those of most points and of most pairs; of other groups those of up to five tiles, one at a time.
        """
        tiles = sorted(set(self.hand), key=tile_order)
        moves: list[Move101] = [Draw(), Take()]
        if not (self.over or self.is_drawing):
            adds = (add for tile in tiles for add in self.adds(tile))
            moves = [PutBack(), *(self.lays() if self.has_opened else self.openings(self.hand)), *adds, *map(Discard, tiles)]
        return [move for move in moves if self.may(move)]

    def openings(self, hand: Sequence[Tile]) -> list[Lay]:
        """What a hand opens with now: with sets and runs of most points, and with all its pairs."""
        found = opening_of(Judge(hand, self.indicator, (), self.rules), self.beat_points, self.beat_pairs)
        return [Lay(groups) for groups, opens in ((found.melds, found.with_melds), (found.pairs, found.with_pairs)) if opens]

    def lays(self) -> Iterator[Lay]:
        """Every set and run of up to five tiles in the hand of the player in turn, by itself."""
        return (Lay((group,)) for group in self._groups_of(self.hand))

    def adds(self, tile: Tile) -> list[Add]:
        """Every way to add a tile to a group on the table."""
        face = face_of(tile, self.judge.okey, self.rules)
        codes = sorted(self._places) if face is None else [face.code]
        return [Add(Placed(tile, NUMBERED_TILES[code]), number) for code in codes for number in self._places.get(code, ())]

    def _groups_of(self, hand: Sequence[Tile]) -> Iterator[tuple[Placed, ...]]:
        """Every set and run of up to five of these tiles, with as few wild ones as it needs."""
        faces = {tile: face_of(tile, self.judge.okey, self.rules) for tile in hand}
        own = {face.code: tile for tile, face in faces.items() if face is not None}
        wild = [tile for tile in reversed(hand) if faces[tile] is None]  # one that was taken, the latest, must be used
        for codes in group_faces(self.rules.high_one, LONGEST_PIECE):
            if sum(code not in own for code in codes) <= len(wild):
                rest = iter(wild)
                yield tuple(Placed(own[code] if code in own else next(rest), NUMBERED_TILES[code]) for code in codes)

    def _refusal(self, move: Move101) -> str | None:
        if self.over:
            return "the deal is over"
        if isinstance(move, (Draw, Take)):
            return self._refusal_to_draw(move)
        if self.is_drawing:
            return "a tile must be drawn first, or the left neighbour's discard taken"
        if isinstance(move, PutBack):
            if self.taken is None:
                return "no tile was taken that could be put back"
            return f"{self.taken} must be used at once: only who has not opened may put it back" if self.has_opened else None
        used = _used(move)
        missing = next((tile for tile in used if used.count(tile) > self.hand.count(tile)), None)
        if missing is not None:
            return f"{missing} is not in the hand: choose from its {len(self.hand)} tiles"
        if isinstance(move, Discard):
            return self._refusal_of_taken("discard after that")
        if len(used) == len(self.hand):
            return "every turn ends with a discard: keep a tile for it"
        if self.taken is not None and self.taken not in used:
            return self._refusal_of_taken("do that first")
        return self._refusal_to_add(move) if isinstance(move, Add) else self._refusal_to_lay(move.groups)

    def _refusal_to_draw(self, move: Draw | Take) -> str | None:
        if not self.is_drawing:
            return "a tile was drawn already: lay groups, add tiles or discard"
        if isinstance(move, Draw):
            return None
        if self.offered is None:
            return "there is no tile on the left to take: draw from the stock"
        if self.has_opened and not self._is_usable(self.offered):
            return f"{self.offered} cannot be used at once: draw from the stock"
        return None

    def _is_usable(self, tile: Tile) -> bool:
        """Whether the player in turn, who has opened, can use a tile if they take it, and still discard another."""
        if self.adds(tile):
            return True
        hand = [*self.hand, tile]
        groups = self._groups_of(hand) if self.opened[self.turn] == "melds" else ()
        return any(tile in (placed.tile for placed in group) and len(group) < len(hand) for group in groups)

    def _refusal_of_taken(self, when: str) -> str | None:
        """Why the tile that was taken keeps the player from another move; None if there is none."""
        if self.taken is None:
            return None
        if self.has_opened:
            return f"{self.taken} was taken and must be used at once: lay or add it, and {when}"
        return f"{self.taken} was taken and must be part of the opening: open with it, or put it back"

    def _refusal_to_add(self, add: Add) -> str | None:
        if not self.has_opened:
            return "only who has opened may add tiles to the groups on the table"
        if not 0 <= add.group < len(self.groups):
            return f"there is no group {add.group} on the table: it has {len(self.groups)}"
        group = self.groups[add.group]
        if len(group) == 2:
            return "nothing can be added to a pair"
        return self._misplaced((add.placed,)) or _reason(self._named((*group, add.placed)))

    def _refusal_to_lay(self, groups: Laid) -> str | None:
        if not groups:
            return "lay a group or more"
        for group in groups:
            reason = self._misplaced(group) or _reason(self._named(group))
            if reason is not None:
                return reason
        pairs = [self._named(group).kind is Kind.PAIR for group in groups]
        opened = self.opened[self.turn]
        if opened == "pairs":
            return "who has opened with pairs lays nothing more, only adds to the groups on the table"
        if opened == "melds":
            return "who has opened with sets and runs lays no pairs" if any(pairs) else None
        if all(pairs):
            needed = max(OPENING_PAIRS, self.beat_pairs + 1)
            return None if len(groups) >= needed else f"{len(groups)} pairs do not open: {needed} are needed"
        if any(pairs):
            return "an opening is of sets and runs or of pairs, not of both"
        points, needed = points_of(groups), max(OPENING_POINTS, self.beat_points + 1)
        return None if points >= needed else f"{points} points do not open: {needed} are needed"

    def _misplaced(self, group: Sequence[Placed]) -> str | None:
        """Which tile of a group cannot stand for what it should, in a sentence."""
        for placed in group:
            face = face_of(placed.tile, self.judge.okey, self.rules)
            if not placed.stands_for.is_numbered or face not in (None, placed.stands_for):
                return f"{placed.tile} cannot stand for {placed.stands_for}"
        return None

    def _named(self, group: Sequence[Placed]) -> Named:
        """What the tiles of a group are by what they stand for."""
        return name_group([placed.stands_for for placed in group], None, self.rules)

    def _make(self, move: Move101) -> None:
        if isinstance(move, Discard):
            self._make_discard(move.tile)
            return
        if isinstance(move, Draw):
            self._draw()
        elif isinstance(move, Take):
            self._take()
            self.taken = self.offered
        elif isinstance(move, PutBack):
            assert self.taken is not None, "else it is refused"
            self.hand.remove(self.taken)
            self.piles[self._discarder].append(self.taken)
            self.taken = self.offered = None
        else:
            for tile in _used(move):
                self.hand.remove(tile)
            self.taken = None
            if isinstance(move, Add):
                self.groups[move.group] = tuple(sorted((*self.groups[move.group], move.placed), key=_face_order))
            else:
                self.groups += move.groups
                if not self.has_opened:
                    self._open(move.groups)
            self._find_places()
        self._drawing = isinstance(move, PutBack)

    def _find_places(self) -> None:
        self._places.clear()
        extensions = _extensions(self.rules.high_one)
        for number, group in enumerate(self.groups):
            for code in extensions.get(frozenset(placed.stands_for.code for placed in group), ()):
                self._places.setdefault(code, []).append(number)

    def _open(self, groups: Laid) -> None:
        with_pairs = len(groups[0]) == 2
        self.opened[self.turn] = "pairs" if with_pairs else "melds"
        self._opened_now = True
        if self._scoring.raising and with_pairs:
            self.beat_pairs = len(groups)
        elif self._scoring.raising:
            self.beat_points = points_of(groups)
        if self._scoring.voids(self.opened):
            self._end(self._deal_event(None, okey_last=False))

    def _make_discard(self, tile: Tile) -> None:
        """Discards; the last tile finishes, any other may be a fault."""
        seat = self.turn
        fault = self._fault(tile) if len(self.hand) > 1 else None
        if fault is not None:
            self.events.append({"event": "penalty", "by": self.players[seat], "reason": fault})
        self._discard(tile)
        if not self.hands[seat]:
            self._end(self._deal_event(seat, okey_last=tile == self.judge.okey))
        elif not self.stock:
            self._end(self._deal_event(None, okey_last=False))
        self._drawing, self._opened_now = True, False

    def _fault(self, discarded: Tile) -> str | None:
        """The penalty that a discard costs, if any; an okey, which nearly always fits a group, costs that of the okey alone."""
        if discarded == self.judge.okey:
            return "okey_discarded"
        return "playable_discard" if self.adds(discarded) else None

    def _deal_event(self, finisher: int | None, okey_last: bool) -> Event:
        """How the deal ended, for the ledger."""
        seats = [self.players.index(player) for player in range(len(self.players))]
        others = [opened for seat, opened in enumerate(self.opened) if seat != finisher]
        return {
            "event": "deal",
            "finisher": None if finisher is None else self.players[finisher],
            "okey_last": okey_last,
            "hand_finish": finisher is not None and self._opened_now and not any(others),
            "players": [self._outcome(seat) for seat in seats],
        }

    def _outcome(self, seat: int) -> Event:
        """What a player had opened with and has left: an okey costs its penalty alone, a false joker counts as the okey's face."""
        opened, okey = self.opened[seat], self.judge.okey
        if opened is None:
            return {"opened": None}
        left = [tile for tile in self.hands[seat] if tile != okey]
        value = sum(tile.number or okey.number or 0 for tile in left)
        return {"opened": opened, "left": value, "okeys_left": len(self.hands[seat]) - len(left)}


def _used(move: Lay | Add | Discard) -> list[Tile]:
    """The tiles that a move takes from the hand."""
    if isinstance(move, Discard):
        return [move.tile]
    placed = [move.placed] if isinstance(move, Add) else [placed for group in move.groups for placed in group]
    return [one.tile for one in placed]


def _reason(named: Named) -> str | None:
    """Why tiles are no group; None if they are one."""
    return None if named.reason is None else str(named.reason)


def _face_order(placed: Placed) -> int:
    return placed.stands_for.code


@lru_cache(maxsize=2)
def _extensions(high_one: bool) -> Mapping[frozenset[int], frozenset[int]]:
    """For every set and run, by its faces, those that make it a larger one."""
    groups = {frozenset(codes) for codes in group_faces(high_one, LONGEST_RUN)}
    found: dict[frozenset[int], frozenset[int]] = {}
    for group in groups:
        for code in group:
            if group - {code} in groups:
                found[group - {code}] = found.get(group - {code}, frozenset()) | {code}
    return found
