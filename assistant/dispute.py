"""The disputed hand, judged as it lies."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

from assistant.groups import Kind, Named, name_group
from assistant.opening import opening
from assistant.reasons import Reason
from assistant.rules import CLASSIC, JUDGING, OPENING_PAIRS, OPENING_POINTS, OkeyScoring, Rules, with_options
from assistant.search import HAND
from assistant.solver import HandError, Judge, Laid, check_hand, check_tiles, points_of, solve, without
from assistant.tiles import COPIES, FALSE_JOKER, NUMBERED_TILES, Rack, Tile, okey_of

MOST_ROWS = 8
"""The most rows that are judged; a rack has two. Every way in which groups may go on in the next row is tried."""


@dataclass(frozen=True)
class Judgement:
    """The verdict on a hand that was shown.

    Attributes:
        rules: what it was judged by.
        win: `melds` or `pairs` if the hand is valid, which in 101 is to say that it opens, else None.
        groups: every group from the top left, named or refused.
        fifteenth: the tile laid on the indicator, if 15 tiles are shown.
        fifteenth_at: its number in the rack, 0 the first.
        okey_last: whether that tile is an okey.
        reason: why the hand is not valid, in one sentence; None if it is.
        could_win: whether the same tiles would win laid in another way.
        arrangement: that way; empty if there is none.
        across_rows: groups that go on in the next row of the rack, with which the hand would be valid where the rules let them.
        unclear: gaps that are too narrow to tell and decide whether the hand is valid, by the number of the tile on their left.
        decided_by: the options of the rules without which the verdict would be another.
        indicator_decides: whether another verdict is possible with an indicator that nobody has told. If with some the hand is not
            valid, it is not until that is told.
    """

    rules: Rules
    win: str | None
    groups: tuple[Named, ...]
    fifteenth: Tile | None
    fifteenth_at: int | None
    okey_last: bool
    reason: Reason | None
    could_win: bool
    arrangement: Laid
    across_rows: Laid = ()
    unclear: tuple[int, ...] = ()
    decided_by: tuple[str, ...] = ()
    indicator_decides: bool = False

    @property
    def valid(self) -> bool:
        """Whether the hand wins."""
        return self.win is not None

    def to_json(self) -> dict[str, Any]:
        """The object that `istaka check --json` prints."""
        return {
            "valid": self.valid,
            "win": self.win,
            "okey_last": self.okey_last,
            "fifteenth": None if self.fifteenth is None else str(self.fifteenth),
            "groups": [
                {
                    "tiles": [str(placed) for placed in group.placed],
                    "kind": None if group.kind is None else group.kind.value,
                    "reason": None if group.reason is None else str(group.reason),
                }
                for group in self.groups
            ],
            "reason": None if self.reason is None else str(self.reason),
            "could_win": self.could_win,
            "arrangement": [[str(placed) for placed in group] for group in self.arrangement],
            "across_rows": [[str(placed) for placed in group] for group in self.across_rows],
            "unclear": list(self.unclear),
            "rules": self.rules.name,
            "decided_by": {name: getattr(self.rules, name) for name in self.decided_by},
            "indicator_decides": self.indicator_decides,
        }


def check(
    rack: Rack, indicator: Tile | None, rules: Rules = CLASSIC, doubtful: Collection[int] = (), fifteenth_apart: bool = False
) -> Judgement:
    """Judges a hand by the groups between its gaps; the end of a row is a gap.

    With 15 tiles the one that stands by itself is the fifteenth, laid on the indicator; if several stand alone, the
    last of them is. Without an indicator the verdict is the one that holds whichever tile it is. If there is none, `indicator_decides`
    says so, and the groups are named as if no tile were wild and a false joker fitted anywhere, as its face is not known.

    Args:
        doubtful: gaps, seen or not, that are too narrow to tell, each by the number of the tile on its left, 0 the first of the
            rack. If one of them decides, the hand is not valid until somebody says how it is.
        fifteenth_apart: whether the last tile, a row by itself, lies on the indicator, so that no group goes on with it.

    Raises:
        HandError, NotationError: when there can be no such hand.
    """
    if len(rack.rows) > MOST_ROWS:
        raise HandError(Reason("the tiles lie in {count} rows: at most {most} can be judged", count=len(rack.rows), most=MOST_ROWS))
    shown = _Shown(rack, doubtful, fifteenth_apart)
    return _whatever_indicator(shown, rules) if indicator is None else _with_indicator(shown, indicator, rules)


def _with_indicator(shown: _Shown, indicator: Tile, rules: Rules) -> Judgement:
    """The verdict, and which options decided it. Raises HandError and NotationError."""
    check_hand(shown.tiles, indicator, rules=rules)
    judgement = _judge(shown, indicator, rules)
    decided_by = []
    for option in JUDGING:
        other = _judge(shown, indicator, with_options(rules, {option: not getattr(rules, option)}))
        if (other.win, other.unclear) != (judgement.win, judgement.unclear):
            decided_by.append(option)
    return replace(judgement, decided_by=tuple(decided_by))


def _whatever_indicator(shown: _Shown, rules: Rules) -> Judgement:
    """The verdict on a hand if it is the same whichever tile the indicator is, else that it decides. Raises HandError."""
    check_tiles(shown.tiles)
    held = Counter(shown.tiles)
    possible = [tile for tile in NUMBERED_TILES if held[tile] < COPIES or rules.indicator_is_last_tile]
    # With any okey that is not in the hand, and without a false joker to stand for it, the verdict is the same.
    plain = next((tile for tile in possible if not held[okey_of(tile)]), possible[0])
    others = [tile for tile in possible if tile != plain and (held[FALSE_JOKER] or held[okey_of(tile)])]
    judgement = _with_indicator(shown, plain, rules)
    decided_by = set(judgement.decided_by)
    alike, hopeless = True, _is_hopeless(judgement)
    for tile in others:
        other = _with_indicator(shown, tile, rules)
        alike, hopeless = alike and _as_told(other) == _as_told(judgement), hopeless and _is_hopeless(other)
        if not alike and not hopeless:
            break
        decided_by.update(other.decided_by)
    named = _judge(shown, None, rules)
    if alike or hopeless:
        # Where no indicator lets it win but each for another reason, the one is told that holds where no tile is wild.
        told = judgement if alike or named.win else named
        return replace(told, decided_by=tuple(option for option in JUDGING if option in decided_by))
    if named.win and all(_judge(shown, tile, rules).win == named.win for tile in possible):
        return replace(named, indicator_decides=True)
    reason = Reason("the indicator decides, and nobody has told it: say which tile was turned up")
    return replace(named, win=None, reason=reason, unclear=(), could_win=False, arrangement=(), across_rows=(), indicator_decides=True)


def _is_hopeless(judgement: Judgement) -> bool:
    """Whether the hand does not win, in whatever order and wherever its gaps are."""
    return judgement.win is None and not judgement.could_win and not judgement.unclear


def _as_told(judgement: Judgement) -> tuple[object, ...]:
    """All of a judgement but which tile stands for which, and what decided."""
    kinds = tuple(group.kind for group in judgement.groups)
    reason, across = str(judgement.reason), len(judgement.across_rows)
    return judgement.win, kinds, judgement.okey_last, reason, judgement.could_win, across, judgement.unclear


def _judge(shown: _Shown, indicator: Tile | None, rules: Rules) -> Judgement:
    """The verdict by these rules alone."""
    okey = None if indicator is None else okey_of(indicator)
    ways = _Ways(shown, okey, rules)
    lying = ways.as_seen()
    other = None if indicator is None else ways.best_order(lying, indicator)
    win, reason = lying.win, lying.reason
    unclear: tuple[int, ...] = ()
    if other is not None and other.laid and not rules.strict_layout:
        win, reason = win or other.win, None
    else:
        unclear = ways.unclear_gaps()
    if unclear:
        left, right = shown.tiles[unclear[0]], shown.tiles[unclear[0] + 1]
        win = None
        reason = Reason(
            "the gap between {left} and {right} is too narrow to tell, and it decides: say whether they lie together or apart",
            left=left,
            right=right,
        )
    arrangement: Laid = ()
    if win is not None and win == lying.win:
        arrangement = tuple(group.placed for group in lying.groups)
    elif other is not None:
        arrangement = other.groups
    return Judgement(
        rules=rules,
        win=win,
        groups=lying.groups,
        fifteenth=lying.fifteenth,
        fifteenth_at=lying.fifteenth_at,
        okey_last=lying.fifteenth is not None and lying.fifteenth == okey,
        reason=reason,
        could_win=bool(arrangement),
        arrangement=arrangement,
        across_rows=ways.across_rows() if win is None and not unclear else (),
        unclear=unclear,
    )


@dataclass(frozen=True)
class _Order:
    """Groups in which the tiles win; `laid`: whether the fifteenth tile lies by itself, so that only the order is another."""

    win: str
    groups: Laid
    laid: bool


@dataclass(frozen=True)
class _Lying:
    """A hand cut into groups in one way; the fields are those of the judgement."""

    win: str | None
    groups: tuple[Named, ...]
    fifteenth: Tile | None
    fifteenth_at: int | None
    reason: Reason | None


class _Shown:
    """The tiles of a rack in their order, and where it is cut into groups. A cut is the number of the tile on its left.

    Attributes:
        tiles: from the top left.
        gaps, row_ends: the cuts within rows, and those between them.
        joining: the row ends beyond which a group may go on.
        doubtful: gaps, seen or not, that are too narrow to tell.
    """

    def __init__(self, rack: Rack, doubtful: Collection[int], fifteenth_apart: bool) -> None:
        """See `check`."""
        self.tiles = rack.tiles
        ends = list(itertools.accumulate(sum(map(len, row)) for row in rack.rows))
        self.row_ends = frozenset(end - 1 for end in ends[:-1])
        self.joining = self.row_ends - {ends[-2] - 1} if fifteenth_apart else self.row_ends
        self.gaps = frozenset(end - 1 for end in itertools.accumulate(map(len, rack.groups))) - self.row_ends - {len(self.tiles) - 1}
        self.doubtful = frozenset(doubtful) - self.row_ends


class _Ways:
    """The ways in which the tiles of a rack may be taken together, with an okey, None if it is not known, and by some rules."""

    def __init__(self, shown: _Shown, okey: Tile | None, rules: Rules) -> None:
        self._shown = shown
        self._tiles = shown.tiles
        self._okey = okey
        self._rules = rules
        self._named: dict[tuple[int, int], Named] = {}

    def as_seen(self) -> _Lying:
        """The hand with the gaps as seen; where the rules let groups go on in the next row, with the rows joined that make most of it."""
        joined = _subsets(self._shown.joining) if self._rules.rows_join else [frozenset()]
        ways = [self._cut({*self._shown.gaps, *self._shown.row_ends} - join) for join in joined]
        return min(ways, key=lambda way: (way.win is None, sum(group.kind is None for group in way.groups)))

    def best_order(self, lying: _Lying, indicator: Tile) -> _Order | None:
        """How the tiles win in whatever order, or open in 101; None if they do not.

        Where both kinds of hand would do it is the one of which more groups lie there, else the dearer one.
        """
        orders = self._openings(indicator) if self._rules.opens else self._wins(lying.fifteenth, indicator)
        scoring = self._rules.scoring
        pairs_are_dearer = isinstance(scoring, OkeyScoring) and scoring.pairs > scoring.win

        def preference(order: _Order) -> tuple[bool, int, bool]:
            pairs = order.win == "pairs"
            there = sum((group.kind is Kind.PAIR) == pairs for group in lying.groups if group.kind is not None)
            return order.laid, there, pairs and pairs_are_dearer

        return max(orders, key=preference, default=None)

    def _openings(self, indicator: Tile) -> list[_Order]:
        opened = opening(self._tiles, indicator, self._rules)
        ways = (("melds", opened.melds, opened.with_melds), ("pairs", opened.pairs, opened.with_pairs))
        return [_Order(win, groups, sum(map(len, groups)) == len(self._tiles)) for win, groups, opens in ways if opens]

    def _wins(self, fifteenth: Tile | None, indicator: Tile) -> list[_Order]:
        """The ways to win without the fifteenth tile; only where there is none, one without another tile instead."""
        kept = list(self._tiles) if fifteenth is None else without(self._tiles, fifteenth)
        judge = Judge(self._tiles, indicator, (), self._rules)
        if len(kept) == HAND and judge.wins(judge.hand(kept)):
            ways = [win for win in ("melds", "pairs") if win in judge.hands(kept)]
            return [_Order(win, judge.arrangement(kept, win)[0], laid=True) for win in ways]
        if len(self._tiles) != HAND + 1 or not judge.wins(judge.hand(self._tiles)):  # to solve a hand that does not win takes long
            return []
        verdict = solve(self._tiles, indicator, rules=self._rules)
        assert verdict.win is not None
        return [_Order(verdict.win, verdict.arrangement, laid=False)]

    def across_rows(self) -> Laid:
        """The groups that go on in the next row, with which the hand would be valid; none if it would not."""
        for joined in _subsets(self._shown.joining):
            cuts = {*self._shown.gaps, *self._shown.row_ends} - joined
            if joined and self._cut(cuts).win is not None:
                spans = (span for span in self._spans(cuts) if any(span[0] <= end < span[1] - 1 for end in joined))
                return tuple(self._name(span).placed for span in spans)
        return ()

    def unclear_gaps(self) -> tuple[int, ...]:
        """Those of the doubtful gaps that decide, in some reading of the others, whether the hand is valid.

        A gap decides where one of two readings that differ in it alone wins, and so only the readings that win are looked at: few of
        very many, as all their tiles lie in groups.
        """
        shown, open_gaps = self._shown, self._shown.doubtful
        maybe = open_gaps | shown.joining if self._rules.rows_join else open_gaps
        sure = (shown.gaps | shown.row_ends) - maybe
        wins: dict[frozenset[int], str] = {}
        for cuts in sorted(self._groupings(sure, maybe), key=self._joins):
            win = self._cut(cuts).win
            if win is not None:
                wins.setdefault(cuts & open_gaps, win)
        return tuple(gap for gap in sorted(open_gaps) if any(wins.get(apart ^ {gap}) != win for apart, win in wins.items()))

    def _joins(self, cuts: frozenset[int]) -> tuple[int, list[int]]:
        """Which rows are joined, in the order of `_subsets`."""
        joined = sorted(self._shown.row_ends - cuts)
        return len(joined), joined

    def _groupings(self, sure: Collection[int], maybe: Collection[int]) -> Iterator[frozenset[int]]:
        """Every choice of cuts, those that are sure and any of the others, with which only groups lie there, and the fifteenth tile."""
        end = len(self._tiles)
        ends = {*sure, *maybe, end - 1}

        def onwards(begin: int, cuts: frozenset[int], singles: int) -> Iterator[frozenset[int]]:
            if begin == end:
                yield cuts - {end - 1}
            for last in range(begin, end):
                alone = last == begin
                if last in ends and (singles if alone else self._name((begin, last + 1)).kind is not None):
                    yield from onwards(last + 1, cuts | {last}, singles - alone)
                if last in sure:
                    return

        return onwards(0, frozenset(), int(end == HAND + 1 and not self._rules.opens))

    def _cut(self, cuts: Collection[int]) -> _Lying:
        spans = self._spans(cuts)
        alone = [span for span in spans if span[1] - span[0] == 1]
        fifteenth, fifteenth_at = None, None
        if len(self._tiles) == HAND + 1 and alone and not self._rules.opens:
            spans.remove(alone[-1])
            fifteenth_at = alone[-1][0]
            fifteenth = self._tiles[fifteenth_at]
        groups = tuple(map(self._name, spans))
        win, reason = _as_it_lies(groups, self._rules)
        return _Lying(win, groups, fifteenth, fifteenth_at, reason)

    def _spans(self, cuts: Collection[int]) -> list[tuple[int, int]]:
        """Where each group begins and ends."""
        return list(itertools.pairwise([0, *(cut + 1 for cut in sorted(cuts)), len(self._tiles)]))

    def _name(self, span: tuple[int, int]) -> Named:
        if span not in self._named:
            self._named[span] = name_group(self._tiles[slice(*span)], self._okey, self._rules)
        return self._named[span]


def _subsets(numbers: Collection[int]) -> Iterator[frozenset[int]]:
    """Every choice of the numbers, the smallest first."""
    return (frozenset(some) for size in range(len(numbers) + 1) for some in itertools.combinations(sorted(numbers), size))


def _as_it_lies(groups: tuple[Named, ...], rules: Rules) -> tuple[str | None, Reason | None]:
    """How the groups win, or open in 101, or the first reason why they do not."""
    for number, group in enumerate(groups, start=1):
        if group.reason is not None:
            if len(group.placed) == 1:
                return None, Reason("group {group} is a single tile", group=number)
            return None, Reason("group {group} is no set and no run: {why}", group=number, why=group.reason)
    count = sum(len(group.placed) for group in groups)
    pairs = [number for number, group in enumerate(groups, start=1) if group.kind is Kind.PAIR]
    if rules.opens:
        if count > rules.hand_size:
            return None, Reason("{count} tiles lie in groups: one must be left, as the turn ends with a discard", count=count)
        points = points_of(tuple(group.placed for group in groups))
        if not pairs and points < OPENING_POINTS:
            return None, Reason("an opening takes {needed} points, not {points}", points=points, needed=OPENING_POINTS)
        if len(pairs) == len(groups) < OPENING_PAIRS:
            return None, Reason("an opening takes {needed} pairs, not {count}", count=len(pairs), needed=OPENING_PAIRS)
    elif count == HAND + 1:
        return None, Reason("{count} tiles lie in groups: the last one must lie by itself, on the indicator", count=count)
    elif count != HAND:
        return None, Reason("{count} tiles lie in groups; a winning hand has {hand}", count=count, hand=HAND)
    if not pairs:
        return "melds", None
    if len(pairs) == len(groups):
        return "pairs", None
    if rules.opens:
        return None, Reason("group {group} is a pair: a hand opens with pairs alone or without any", group=pairs[0])
    return None, Reason("group {group} is a pair: pairs win only as seven pairs", group=pairs[0])
