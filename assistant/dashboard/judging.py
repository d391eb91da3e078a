"""The hand on the page judged: a verdict, or the one sentence that says what is missing. Free of Streamlit."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.dashboard import texts
from assistant.dashboard.hand import Hand
from assistant.rules import CLASSIC, Rules
from assistant.solver import HAND, MOST_TILES, HandError, Verdict, solve
from assistant.tiles import FACE_DOWN, UNREADABLE


@dataclass(frozen=True)
class Judged:
    """What the page says of a hand.

    Attributes:
        headline: the verdict in a few words; empty where there is none.
        text: what to do, in one sentence; may be empty.
        verdict: the solver's answer, where it could be asked; its distance is None unless the hand has 14 or 15 tiles.
        caution: that the verdict rests on tiles in doubt; empty if it does not.
    """

    headline: str
    text: str
    verdict: Verdict | None = None
    caution: str = ""


def judge(hand: Hand, rules: Rules = CLASSIC) -> Judged:
    """Judges a hand as it stands after the user's edits."""
    tiles = [held.tile for held in hand.tiles]
    indicator = hand.indicator
    if not tiles:
        return Judged("", texts.no_tiles())
    if len(tiles) > MOST_TILES:
        return Judged("", texts.too_many(len(tiles)))
    unread, face_down = tiles.count(UNREADABLE), tiles.count(FACE_DOWN)
    if unread:
        return Judged("", texts.unread(unread))
    if face_down:
        return Judged("", texts.face_down(face_down))
    if indicator is None:
        return Judged("", texts.indicator_unknown())
    if not indicator.tile.is_numbered:
        return Judged("", texts.indicator_without_number())
    try:
        verdict = solve(tiles, indicator.tile, rules=rules)
    except HandError as error:
        return Judged("", texts.sentence(str(error)))
    doubtful = sum(held.state == "doubt" for held in (*hand.tiles, indicator))
    caution = texts.in_doubt(doubtful) if doubtful else ""
    if len(tiles) not in (HAND, HAND + 1):
        return Judged("", texts.wrong_count(len(tiles)), verdict, caution)
    return Judged(texts.headline(verdict), texts.explanation(verdict), verdict, caution)
