"""The hand on the page judged: a verdict, or the one sentence that says what is missing. Free of Streamlit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from assistant.advice import Choice, Outlook, choices, okey_finish, outlook
from assistant.dashboard import texts
from assistant.dashboard.hand import Hand
from assistant.dashboard.playing_on import Position
from assistant.dispute import Judgement, check
from assistant.playouts import gain_now
from assistant.rules import CLASSIC, Rules
from assistant.solver import HAND, MOST_TILES, HandError, Judge, Verdict, solve
from assistant.tiles import COPIES, FACE_DOWN, UNREADABLE, Tile

BEST_CHOICES = 3
"""How many discards are shown at once, and tried by playing on."""


@dataclass(frozen=True)
class Judged:
    """What the page says of a hand.

    Attributes:
        headline: the verdict in a few words; empty where there is none.
        text: what to do, in one sentence; may be empty.
        verdict: the solver's answer, where it could be asked; its distance is None unless the hand has 14 or 15 tiles.
        caution: that the verdict rests on tiles in doubt; empty if it does not.
        choices: of 15 tiles that do not win every discard, the best first.
        waiting: what 14 tiles that do not win wait for.
        finish: of 15 tiles that win the way to win with an okey as the last tile instead, if there is one.
        gain: what that win gives the player over each opponent now, in points.
        position: from what the deal may be played on, to estimate chances; None where there is nothing to estimate.
    """

    headline: str
    text: str
    verdict: Verdict | None = None
    caution: str = ""
    choices: tuple[Choice, ...] = ()
    waiting: Outlook | None = None
    finish: Choice | None = None
    gain: float = 0.0
    position: Position | None = None


def seen_in_photo(hand: Hand, discards: Sequence[Tile] = ()) -> list[Tile]:
    """The tiles that were read for sure on the table beside the hand; of each no more than a set can hold beside the others.

    One like an indicator that was told without pointing at it in the photo is that indicator.
    """
    indicator = [hand.indicator.tile] if hand.indicator else []
    known = Counter([*(held.tile for held in hand.tiles), *indicator, *discards])
    told = Counter() if hand.indicator is None or hand.indicator.in_photo else Counter(indicator)
    found = []
    for held in hand.held.values():
        if not held.on_table_for_sure or known[held.tile] >= COPIES:
            continue
        if told[held.tile]:
            told[held.tile] -= 1
            continue
        known[held.tile] += 1
        found.append(held.tile)
    return found


def problem(hand: Hand) -> str:
    """The sentence that says why a hand cannot be judged yet; empty if it can."""
    count = len(hand.tiles)
    return _tiles_missing(hand) or _indicator_missing(hand, "" if count in (HAND, HAND + 1) else texts.wrong_count(count))


def _tiles_missing(hand: Hand) -> str:
    """The sentence that says what must be told of the tiles on the rack first; empty if nothing."""
    tiles = [held.tile for held in hand.tiles]
    if not tiles:
        return texts.no_tiles()
    if len(tiles) > MOST_TILES:
        return texts.too_many(len(tiles))
    unread, face_down = tiles.count(UNREADABLE), tiles.count(FACE_DOWN)
    if unread:
        return texts.unread(unread)
    return texts.face_down(face_down) if face_down else ""


def _indicator_missing(hand: Hand, first: str = "") -> str:
    """The sentence that asks for the indicator, after what else is to be done; empty if it is known."""
    if hand.indicator is None:
        return texts.indicator_unknown(first)
    return "" if hand.indicator.tile.is_numbered else texts.indicator_without_number(first)


def caution_about(hand: Hand) -> str:
    """That what is said of a hand rests on tiles in doubt; empty if it does not."""
    doubtful = sum(held.state == "doubt" for held in (*hand.tiles, *([hand.indicator] if hand.indicator else [])))
    return texts.in_doubt(doubtful) if doubtful else ""


def judge(hand: Hand, rules: Rules = CLASSIC, discards: Sequence[Tile] = ()) -> Judged:
    """Judges a hand as it stands after the user's edits; `discards` are tiles that the user saw on the table."""
    missing = problem(hand)
    if missing or hand.indicator is None:
        return Judged("", missing)
    tiles, indicator = [held.tile for held in hand.tiles], hand.indicator.tile
    seen = [*discards, *seen_in_photo(hand, discards)]
    try:
        verdict = solve(tiles, indicator, seen, rules, okey_first=False)
    except HandError as error:
        return Judged("", texts.complaint(error))
    caution = caution_about(hand)
    if len(tiles) not in (HAND, HAND + 1):
        return Judged("", texts.wrong_count(len(tiles)), verdict, caution)
    text = texts.explanation(verdict, verdict.okey_last and _okey_counts_more(verdict, indicator, rules))
    judged = Judged(texts.headline(verdict), text, verdict, caution)

    def position(*discards: Tile | None) -> Position | None:
        return None if verdict.distance is None else Position(tuple(tiles), indicator, tuple(seen), rules, discards)

    if len(tiles) == HAND:
        return judged if verdict.win else replace(judged, waiting=outlook(tiles, indicator, seen, rules), position=position(None))
    if verdict.win:
        finish = None if verdict.okey_last else okey_finish(tiles, indicator, seen, rules)
        if finish is None:
            return judged
        return replace(judged, finish=finish, gain=gain_now(tiles, indicator, rules), position=position(finish.discard))
    ranked = choices(tiles, indicator, seen, rules)
    return replace(judged, choices=ranked, position=position(*(choice.discard for choice in ranked[:BEST_CHOICES])))


def _okey_counts_more(verdict: Verdict, indicator: Tile, rules: Rules) -> bool:
    """Whether a hand that wins with an okey as the last tile costs the others more for that."""
    kept = [placed.tile for group in verdict.arrangement for placed in group]
    judge = Judge(kept, indicator, (), rules)
    return judge.dearest(kept, okey_last=True)[0] > judge.dearest(kept)[0]


@dataclass(frozen=True)
class Disputed:
    """What the page says of a hand that was shown: the judgement, or the sentence that says what is missing.

    Attributes:
        caution: that the judgement rests on tiles in doubt, or does not rest on the indicator, which nobody knows; empty for neither.
    """

    problem: str
    judgement: Judgement | None = None
    caution: str = ""


def dispute(hand: Hand, rules: Rules = CLASSIC) -> Disputed:
    """Judges a hand as it lies, after the user's edits."""
    missing = _tiles_missing(hand)
    if missing:
        return Disputed(missing)
    unknown = _indicator_missing(hand)
    try:
        keys = [held.key for held in hand.tiles]
        doubtful = [keys.index(key) for key in hand.doubtful_gaps]
        indicator = None if hand.indicator is None or unknown else hand.indicator.tile
        judgement = check(hand.rack, indicator, rules, doubtful)
    except HandError as error:
        return Disputed(texts.complaint(error))
    if len(hand.tiles) not in (HAND, HAND + 1):
        return Disputed(texts.wrong_count(len(hand.tiles)))
    if judgement.indicator_decides:
        return Disputed(unknown)
    cautions = (texts.whatever_indicator() if unknown else "", caution_about(hand))
    return Disputed("", judgement, " ".join(filter(None, cautions)))
