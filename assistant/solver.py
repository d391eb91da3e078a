"""The exact solver: best arrangement, win, distance to a win, and the tiles that win.

A face is a number from 0 to 51, colour by colour (see `NUMBERED_TILES`); a hand is how many of each face it holds and
how many wild tiles. Nothing here is heuristic: searches cut only what provably cannot be better.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from assistant.groups import Placed, face_of
from assistant.rules import CLASSIC, Rules
from assistant.tiles import COPIES, FALSE_JOKER, NUMBERED_TILES, Tile, okey_of

FACES = NUMBERED_TILES
PAIRS = 7
HAND = PAIRS * 2
MOST_TILES = 22
"""The largest hand of any variant: 101's first player before the discard."""
SHAPES = ((5, 5, 4), (5, 3, 3, 3), (4, 4, 3, 3))
"""Sizes of groups that make 14 tiles, longer runs being cut into pieces of 3 to 5."""

Counts = tuple[int, ...]
Group = tuple[int, ...]
"""Faces of a run in sequence or of a set by colour."""


class HandError(ValueError):
    """A hand that cannot be: too many tiles, three copies of one, a tile that was not read."""


@dataclass(frozen=True)
class Out:
    """A tile that wins when drawn, and how many of it nobody has seen."""

    tile: Tile
    unseen: int


@dataclass(frozen=True)
class Verdict:
    """What the solver says of a hand.

    Attributes:
        okey: the face that is wild.
        win: `melds`, `pairs` or None.
        distance: fewest draws to a winning hand, 0 if it wins now; None unless the hand has 14 or 15 tiles.
        distance_melds, distance_pairs: the same for one way of winning; None also where it cannot be reached.
        arrangement: groups with the most tiles; the winning hand if it wins.
        left: tiles in no group.
        discard: with 15 tiles the best discard.
        outs: at distance 1 every tile that wins.
    """

    okey: Tile
    win: str | None
    distance: int | None
    distance_melds: int | None
    distance_pairs: int | None
    arrangement: tuple[tuple[Placed, ...], ...]
    left: tuple[Tile, ...]
    discard: Tile | None
    outs: tuple[Out, ...]

    @property
    def doubled(self) -> bool:
        """Whether the win discards an okey."""
        return self.win is not None and self.discard == self.okey

    def to_json(self) -> dict[str, Any]:
        """The object that `istaka solve --json` prints."""
        return {
            "okey": str(self.okey),
            "can_win": self.win is not None,
            "win": self.win,
            "distance": self.distance,
            "distance_melds": self.distance_melds,
            "distance_pairs": self.distance_pairs,
            "arrangement": [[str(placed) for placed in group] for group in self.arrangement],
            "left": [str(tile) for tile in self.left],
            "discard": None if self.discard is None else str(self.discard),
            "outs": [{"tile": str(out.tile), "unseen": out.unseen} for out in self.outs],
        }


@dataclass(frozen=True)
class _Hand:
    """A hand as the searches see it: tiles by the face they must stand for, and wild ones."""

    counts: Counts
    wild: int

    @property
    def size(self) -> int:
        return sum(self.counts) + self.wild

    def without(self, face: int | None) -> _Hand:
        """The hand less one tile of `face`, or less one wild tile."""
        if face is None:
            return _Hand(self.counts, self.wild - 1)
        counts = list(self.counts)
        counts[face] -= 1
        return _Hand(tuple(counts), self.wild)

    def plus(self, face: int | None) -> _Hand:
        """The hand with one more tile of `face`, or one more wild tile."""
        if face is None:
            return _Hand(self.counts, self.wild + 1)
        counts = list(self.counts)
        counts[face] += 1
        return _Hand(tuple(counts), self.wild)


def check_hand(tiles: Sequence[Tile], indicator: Tile, seen: Iterable[Tile] = ()) -> None:
    """Raises HandError or NotationError with a sentence for the user when no such hand can be."""
    okey_of(indicator)
    if not tiles:
        raise HandError("the hand has no tiles: give 1 to 22, 14 for a verdict")
    if len(tiles) > MOST_TILES:
        raise HandError(f"the hand has {len(tiles)} tiles: at most {MOST_TILES} can be judged")
    for tile in tiles:
        if not tile.is_numbered and tile != FALSE_JOKER:
            raise HandError(f"the hand holds a tile that was not read ({tile}): say which tile it is")
    copies = Counter([*tiles, indicator])
    for tile, count in copies.items():
        if count > COPIES:
            where = ", the indicator included" if tile == indicator else ""
            raise HandError(f"{count} copies of {tile} are given{where}: a set has {COPIES}; correct one of them")
    for tile, count in (copies + Counter(seen)).items():
        if count > COPIES:
            raise HandError(f"{count} copies of {tile} are in the hand, the indicator and those seen: a set has {COPIES}")


@lru_cache(maxsize=8)
def _all_groups(high_one: bool, longest: int) -> tuple[Group, ...]:
    """All sets, and all runs of 3 to `longest` tiles; 1 is low or high, never both, so that 13 are the most."""
    groups: list[Group] = []
    for number in range(13):
        four = tuple(colour * 13 + number for colour in range(4))
        groups.append(four)
        groups += [four[:skip] + four[skip + 1 :] for skip in range(4)]
    top = 14 if high_one else 13
    for colour in range(4):
        for length in range(3, min(longest, 13) + 1):
            for start in range(top - length + 1):
                groups.append(tuple(colour * 13 + (start + step) % 13 for step in range(length)))
    return tuple(groups)


@lru_cache(maxsize=8)
def _groups_with(high_one: bool, longest: int) -> tuple[tuple[Group, ...], ...]:
    """For every face all groups that hold it."""
    every = _all_groups(high_one, longest)
    return tuple(tuple(group for group in every if face in group) for face in range(52))


_ORDER = tuple(sorted(range(52), key=lambda face: (face % 13, face)))
"""Faces by number first, so that runs and sets are met early and what lies behind is done with."""

_Score = tuple[int, int, int]
"""Tiles in groups, less the wild tiles spent, less the number of groups: more is better."""


class _Arranger:
    """Searches for the best arrangement of one hand; remembers what it found for what is left."""

    def __init__(self, rules: Rules) -> None:
        self._with = _groups_with(rules.high_one, 13)
        self._found: dict[tuple[Counts, int], tuple[_Score, Group | None, int | None]] = {}
        self._covers: dict[tuple[Counts, int, int], bool] = {}

    def best(self, hand: _Hand) -> tuple[_Score, list[Group]]:
        """The best score and its groups."""
        score = self._search(hand.counts, hand.wild)
        groups: list[Group] = []
        counts, wild = hand.counts, hand.wild
        while True:
            _, group, face = self._found.get((counts, wild), ((0, 0, 0), None, None))
            if face is None:
                return score, groups + [_all_groups(True, 13)[0][:wild]] * (wild >= 3)
            if group is None:
                counts = _less(counts, face)
            else:
                groups.append(group)
                wild -= _lacking(counts, group)
                counts = _take(counts, group)

    def _search(self, counts: Counts, wild: int) -> _Score:
        face = next((f for f in _ORDER if counts[f]), None)
        if face is None:  # three wild tiles or more, where false jokers are wild, are a group by themselves
            return (wild, -wild, -1) if wild >= 3 else (0, 0, 0)
        known = self._found.get((counts, wild))
        if known is not None:
            return known[0]
        best, chosen = self._search(_less(counts, face), wild), None
        for group in self._with[face]:
            spent = _lacking(counts, group)
            if spent > wild:
                continue
            tiles, okeys, groups = self._search(_take(counts, group), wild - spent)
            score = (tiles + len(group), okeys - spent, groups - 1)
            if score > best:
                best, chosen = score, group
        self._found[counts, wild] = (best, chosen, face)
        return best

    def covers(self, counts: Counts, wild: int, leave: int) -> bool:
        """Whether all tiles but exactly `leave` can lie in groups."""
        face = next((f for f in _ORDER if counts[f]), None)
        if face is None:
            # Wild tiles by themselves are a group of three at least, or are left.
            return wild == leave or wild - leave >= 3
        key = (counts, wild, leave)
        if key not in self._covers:
            self._covers[key] = (leave > 0 and self.covers(_less(counts, face), wild, leave - 1)) or any(
                spent <= wild and self.covers(_take(counts, group), wild - spent, leave)
                for group in self._with[face]
                for spent in (_lacking(counts, group),)
            )
        return self._covers[key]


def _less(counts: Counts, face: int) -> Counts:
    return (*counts[:face], counts[face] - 1, *counts[face + 1 :])


def _lacking(counts: Counts, group: Group) -> int:
    """How many of the group's tiles must be wild."""
    return sum([not counts[face] for face in group])


def _take(counts: Counts, group: Group) -> Counts:
    """What is left without the group's tiles."""
    rest = list(counts)
    for face in group:
        if rest[face]:
            rest[face] -= 1
    return tuple(rest)


@dataclass(frozen=True)
class _Supply:
    """What can still be drawn: copies of each face, and wild tiles."""

    counts: Counts
    wild: int


def _missing_melds(hand: _Hand, supply: _Supply, rules: Rules, limit: int = HAND) -> int | None:
    """Fewest tiles that the hand lacks of 14 in sets and runs, those that its wild tiles will be included.

    A tile that cannot be drawn must be wild; there are only so many. None if more than `limit` are lacking, or no such
    14 tiles can ever come together. Branch and bound: groups by how little they lack at best.
    """
    spare_wild = hand.wild + supply.wild
    groups: dict[int, list[tuple[int, Group]]] = {3: [], 4: [], 5: []}
    for group in _all_groups(rules.high_one, 5):
        if sum([not hand.counts[face] and not supply.counts[face] for face in group]) <= spare_wild:
            groups[len(group)].append((_lacking(hand.counts, group), group))
    for size in groups:
        groups[size].sort(key=lambda entry: entry[0])
    least = {size: entries[0][0] if entries else HAND for size, entries in groups.items()}
    counts, drawable = list(hand.counts), list(supply.counts)
    best = limit + 1

    def search(sizes: tuple[int, ...], first: int, missing: int, spare: int) -> None:
        nonlocal best
        if not sizes:
            best = missing
            return
        entries = groups[sizes[0]]
        rest = sum(least[size] for size in sizes[1:])
        for index in range(first, len(entries)):
            lacks, group = entries[index]
            if missing + lacks + rest >= best or best <= hand.wild:
                return
            held = [face for face in group if counts[face]]
            drawn = [face for face in group if not counts[face] and drawable[face]]
            wild = len(group) - len(held) - len(drawn)
            now = missing + len(group) - len(held)
            if wild > spare or now + rest >= best:
                continue
            for face in held:
                counts[face] -= 1
            for face in drawn:
                drawable[face] -= 1
            same = len(sizes) > 1 and sizes[1] == sizes[0]
            search(sizes[1:], index if same else 0, now, spare - wild)
            for face in held:
                counts[face] += 1
            for face in drawn:
                drawable[face] += 1

    for shape in SHAPES:
        search(shape, 0, 0, spare_wild)
    return best if best <= limit else None


def _missing_pairs(hand: _Hand, supply: _Supply) -> int | None:
    """Fewest tiles that the hand lacks of seven pairs, those that its wild tiles will be included; None if never.

    Each face can become one pair: it lacks so many tiles, of which so many cannot be drawn and must be wild.
    """
    spare = hand.wild + supply.wild
    kinds: Counter[tuple[int, int]] = Counter()
    for held, drawable in zip(hand.counts, supply.counts, strict=True):
        lacks = 2 - min(held, 2)
        kinds[lacks, lacks - min(lacks, drawable)] += 1
    best: dict[tuple[int, int], int] = {(0, 0): 0}
    for (lacks, wild), many in kinds.items():
        found = dict(best)
        for (pairs, spent), missing in best.items():
            for more in range(1, min(many, PAIRS - pairs) + 1):
                key = (pairs + more, spent + more * wild)
                if key[1] <= spare and missing + more * lacks < found.get(key, HAND + 1):
                    found[key] = missing + more * lacks
        best = found
    ends = [missing for (pairs, _), missing in best.items() if pairs == PAIRS]
    return min(ends) if ends else None


class _Judge:
    """One question to the solver: a hand, its indicator, what is seen, and the rules."""

    def __init__(self, tiles: Sequence[Tile], indicator: Tile, seen: Sequence[Tile], rules: Rules) -> None:
        self.okey = okey_of(indicator)
        self.rules = rules
        self.gone = Counter([indicator, *seen])
        self.arranger = _Arranger(rules)
        self.tiles = sorted(tiles, key=_tile_order)

    def face(self, tile: Tile) -> int | None:
        """The face that the tile must stand for, None if it is wild."""
        face = face_of(tile, self.okey, self.rules)
        return None if face is None else _FACE_NUMBER[face]

    def hand(self, tiles: Iterable[Tile]) -> _Hand:
        """The tiles as the searches see them."""
        faces = [self.face(tile) for tile in tiles]
        counts = [0] * len(FACES)
        for face in faces:
            if face is not None:
                counts[face] += 1
        return _Hand(tuple(counts), faces.count(None))

    def unseen(self, tiles: Sequence[Tile]) -> dict[Tile, int]:
        """Every tile of which a copy is neither in the hand nor seen, and how many are."""
        known = self.gone + Counter(tiles)
        copies = {tile: COPIES - known[tile] for tile in (*FACES, FALSE_JOKER)}
        return {tile: count for tile, count in copies.items() if count > 0}

    def supply(self, tiles: Sequence[Tile]) -> _Supply:
        """What can be drawn, as the searches see it."""
        counts, wild = [0] * len(FACES), 0
        for tile, count in self.unseen(tiles).items():
            face = self.face(tile)
            if face is None:
                wild += count
            else:
                counts[face] += count
        return _Supply(tuple(counts), wild)

    def win(self, hand: _Hand) -> str | None:
        """How 14 of the hand's 14 or 15 tiles win; sets and runs are named first where both would do."""
        if self.arranger.covers(hand.counts, hand.wild, hand.size - HAND):
            return "melds"
        missing = _missing_pairs(hand, _Supply((0,) * len(FACES), 0))
        return "pairs" if missing is not None and missing <= hand.wild else None

    def distances(self, tiles: Sequence[Tile]) -> tuple[int | None, int | None]:
        """Draws to a win by sets and runs, and by pairs; None where there is no way."""
        hand, supply = self.hand(tiles), self.supply(tiles)
        melds = _missing_melds(hand, supply, self.rules)
        pairs = _missing_pairs(hand, supply)
        return _draws(melds, hand), _draws(pairs, hand)

    def keeps(self, tiles: Sequence[Tile], distance: int) -> bool:
        """Whether these tiles are at most `distance` draws from a win."""
        hand, supply = self.hand(tiles), self.supply(tiles)
        pairs = _missing_pairs(hand, supply)
        if pairs is not None and pairs - hand.wild <= distance:
            return True
        return _missing_melds(hand, supply, self.rules, min(HAND, hand.wild + distance)) is not None

    def outs(self, tiles: Sequence[Tile]) -> tuple[Out, ...]:
        """Every tile that makes 14 tiles, which do not win yet, win."""
        hand = self.hand(tiles)
        melding = self._melding_faces(hand)
        nothing = _Supply((0,) * len(FACES), 0)
        outs = []
        for tile, count in self.unseen(tiles).items():
            face = self.face(tile)
            drawn = hand.plus(face)
            pairs = _missing_pairs(drawn, nothing)
            if face in melding or (pairs is not None and pairs <= drawn.wild):
                outs.append(Out(tile, count))
        return tuple(outs)

    def _melding_faces(self, hand: _Hand) -> set[int | None]:
        """Faces that make 14 tiles win by sets and runs, None for a wild tile.

        The drawn tile is in some group, or the hand would win without it: what is left besides that group and one tile to
        discard must lie in groups. Groups of up to five are enough, as longer runs are two of these.
        """
        found: set[int | None] = set()
        if self.arranger.covers(hand.counts, hand.wild + 1, 1):
            found.add(None)
        for group in _all_groups(self.rules.high_one, 5):
            for face in group:
                others = tuple(other for other in group if other != face)
                spare = hand.wild - _lacking(hand.counts, others)
                if face not in found and spare >= 0 and self.arranger.covers(_take(hand.counts, others), spare, 1):
                    found.add(face)
        return found

    def arrangement(self, tiles: Sequence[Tile], win: str | None) -> tuple[tuple[tuple[Placed, ...], ...], tuple[Tile, ...]]:
        """The best groups of these tiles, or the winning ones, and the tiles left over."""
        hand = self.hand(tiles)
        groups = self._pairs(hand) if win == "pairs" else sorted(self.arranger.best(hand)[1], key=lambda group: (group[0] // 13, group))
        pool: dict[int | None, list[Tile]] = {}
        for tile in tiles:
            pool.setdefault(self.face(tile), []).append(tile)
        placed = []
        for group in groups:
            members = []
            for face in group:
                source = pool[face] if pool.get(face) else pool[None]
                members.append(Placed(source.pop(), FACES[face]))
            placed.append(tuple(members))
        left = sorted((tile for rest in pool.values() for tile in rest), key=_tile_order)
        return tuple(placed), tuple(left)

    def _pairs(self, hand: _Hand) -> list[Group]:
        """Seven pairs of a hand that has them: whole ones first, then those that a wild tile completes."""
        faces = sorted((face for face in range(len(FACES)) if hand.counts[face]), key=lambda face: (-hand.counts[face], face))
        okey = _FACE_NUMBER[self.okey]
        return [(face, face) for face in [*faces[:PAIRS], *[okey] * (PAIRS - len(faces))]]


def _draws(missing: int | None, hand: _Hand) -> int | None:
    """Draws that are left when the hand's wild tiles stand for some of the missing ones."""
    return None if missing is None else max(0, missing - hand.wild)


_FACE_NUMBER = {tile: number for number, tile in enumerate(FACES)}


def _tile_order(tile: Tile) -> int:
    """By colour and number, false jokers last."""
    return _FACE_NUMBER.get(tile, len(FACES))


def solve(tiles: Sequence[Tile], indicator: Tile, seen: Sequence[Tile] = (), rules: Rules = CLASSIC) -> Verdict:
    """Judges 1 to 22 tiles; 14, or 15 with one to discard, get a distance.

    Args:
        tiles: the hand, in any order.
        indicator: the tile turned up at the deal.
        seen: other tiles that cannot be drawn any more.
        rules: the house rules.

    Raises:
        HandError, NotationError: when there can be no such hand; the message is a sentence for the user.
    """
    check_hand(tiles, indicator, seen)
    judge = _Judge(tiles, indicator, seen, rules)
    if rules.hand_size != HAND or len(tiles) not in (HAND, HAND + 1):
        arrangement, left = judge.arrangement(judge.tiles, None)
        return Verdict(judge.okey, None, None, None, None, arrangement, left, None, ())
    melds, pairs = judge.distances(judge.tiles)
    known = [distance for distance in (melds, pairs) if distance is not None]
    distance = min(known) if known else None
    kept, discard = list(judge.tiles), None
    if len(tiles) == HAND + 1:
        discard = _best_discard(judge, distance)
        kept.remove(discard)
    win = judge.win(judge.hand(kept)) if distance == 0 else None
    arrangement, left = judge.arrangement(kept if win else judge.tiles, win)
    if win and discard is not None:
        left = (*left, discard)
    outs = _outs_without(judge, kept, discard) if distance == 1 else ()
    return Verdict(judge.okey, win, distance, melds, pairs, arrangement, left, discard, outs)


def _outs_without(judge: _Judge, kept: Sequence[Tile], discard: Tile | None) -> tuple[Out, ...]:
    """The tiles that win for 14 tiles that are kept; the discard itself cannot be drawn again."""
    outs = judge.outs(kept)
    if discard is None:
        return outs
    fewer = (Out(out.tile, out.unseen - (out.tile == discard)) for out in outs)
    return tuple(out for out in fewer if out.unseen > 0)


def _best_discard(judge: _Judge, distance: int | None) -> Tile:
    """The tile of 15 to discard: an okey if the rest wins, else what keeps the distance with most chances behind it."""
    choices = list(dict.fromkeys(judge.tiles))
    hand = judge.hand(judge.tiles)
    if distance == 0:
        winning = [tile for tile in choices if judge.win(hand.without(judge.face(tile)))]
        return judge.okey if judge.okey in winning else winning[0]

    def grouped(tile: Tile) -> int:
        """Tiles in groups without this one; an okey is kept as long as any other tile can go."""
        return judge.arranger.best(hand.without(judge.face(tile)))[0][0] - HAND * (judge.face(tile) is None)

    best: tuple[int, Tile] | None = None
    for tile in sorted(choices, key=grouped, reverse=True):
        kept = list(judge.tiles)
        kept.remove(tile)
        judge.gone[tile] += 1
        keeps = distance is None or judge.keeps(kept, distance)
        judge.gone[tile] -= 1
        if keeps and distance != 1:
            return tile
        if keeps:
            chances = sum(out.unseen for out in _outs_without(judge, kept, tile))
            if best is None or chances > best[0]:
                best = (chances, tile)
    return best[1] if best else choices[-1]
