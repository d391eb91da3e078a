"""The card of a verdict on a shown hand: the annotated photo, the groups with their names or refusals, the rules, a check value."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from html import escape

from assistant.dashboard import dispute_texts
from assistant.dashboard import texts as words
from assistant.dashboard.hand import GapSaid, Hand, Held, State
from assistant.dashboard.judging import caution_about
from assistant.dashboard.language import _, moment
from assistant.dashboard.paper import texts
from assistant.dashboard.paper.canvas import ACCENT, FAINT, GOOD, MUTED, SOFT, TILE_HIGH, Paper, ink_of
from assistant.dashboard.photo import Photo
from assistant.dispute import Judgement
from assistant.groups import Placed
from assistant.rules import JUDGING
from assistant.tiles import FACE_DOWN, FALSE_JOKER, UNREADABLE, Tile, okey_of
from vision.reading import Point

WIDTH, MARGIN = 540.0, 30.0
INNER = WIDTH - 2 * MARGIN
PHOTO_HIGH = 400.0
TILE, BETWEEN = 27.0, 3.0
"""A tile's width, and the room between two."""
ALIGNED = 5
"""Words beside groups of so many tiles or fewer begin in one column."""
BESIDE = 190.0
"""Words stand beside tiles if there is so much room, else below them."""
BAD = "#c8202f"
STATES: dict[State, str] = {"sure": "#2e9e5b", "doubt": "#f59e0b", "hand": "#3b82f6", "aside": "#9ca3af"}
"""The colours of the outlines, as on the page."""
CHECK_DIGITS = 12


def check_value(photo: Photo, hand: Hand, judgement: Judgement, made: datetime) -> str:
    """Twelve digits of the SHA-256 of all that a card says: another photo, tile, rule, verdict or time gives others.

    A card that was changed does not fit its value any more, and a value that was made to fit is not the one that the table keeps.
    """
    said = {
        "photo": photo.key,
        "tiles": [[held.key, str(held.tile), held.place.value, held.by_hand] for held in hand.held.values()],
        "rack": str(hand.rack),
        "gaps": [[edit.key, edit.apart] for edit in hand.edits if isinstance(edit, GapSaid)],
        "rules": {option: getattr(judgement.rules, option) for option in JUDGING},
        "verdict": judgement.to_json(),
        "made": made.isoformat(timespec="seconds"),
    }
    digits = hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:CHECK_DIGITS].upper()
    return "-".join(digits[first : first + 4] for first in range(0, CHECK_DIGITS, 4))


def verdict_card(photo: Photo, hand: Hand, judgement: Judgement, made: datetime, players: Sequence[str] = ()) -> bytes:
    """The card as a PDF of one page, in the language of the visitor.

    Args:
        made: when, with the zone of the visitor.
        players: of the table that keeps it, if one does.
    """
    with Paper(WIDTH) as paper:
        y = _heading(paper, made, players)
        y = _photo(paper, y, photo, hand)
        y = _verdict(paper, y, judgement)
        for colour, said in _remarks(hand, judgement):
            y = _remark(paper, y, colour, said)
        y = _groups(paper, y, hand, judgement)
        y = _another_order(paper, y, judgement)
        y = _deal(paper, y, hand)
        y = _section(paper, y, _(texts.RULES))
        y = paper.text(MARGIN, y, INNER, escape(texts.judged_by(judgement.rules)), 11)
        _foot(paper, y + 16, check_value(photo, hand, judgement, made), bool(players))
        return paper.pdf(_(texts.SHOWN_HAND), MARGIN - 8)


def _heading(paper: Paper, made: datetime, players: Sequence[str]) -> float:
    y = 24.0
    paper.text(MARGIN, y, 120, f"<b>{words.NAME}</b>", 19, f"color: {ACCENT}")
    right = escape(moment(made)) + (f"<br>{_(texts.AT_TABLE)}: {escape(', '.join(players))}" if players else "")
    bottom = paper.text(MARGIN + 120, y + 4, INNER - 120, right, 10.5, f"text-align: right; color: {MUTED}")
    return max(bottom, y + 24) + 10


def _photo(paper: Paper, y: float, photo: Photo, hand: Hand) -> float:
    """The photo with every tile outlined and named, and what the colours mean."""
    width, height = hand.reading.size
    scale = min(INNER / width, PHOTO_HIGH / height)
    left = MARGIN + (INNER - width * scale) / 2
    paper.picture((left, y, left + width * scale, y + height * scale), photo.jpeg)
    held = hand.held
    for number, seen in enumerate(hand.reading.tiles):
        _outline(paper, held[str(number)], [(left + x * scale, y + down * scale) for x, down in seen.polygon_in(hand.reading.size)])
    y += height * scale + 8
    meanings = {"sure": words.SURE, "doubt": words.DOUBT, "hand": texts.BY_HAND, "aside": words.ASIDE}
    found = {tile.state for tile in held.values()}
    legend = "&emsp; ".join(
        f'<span style="color: {STATES[state]}">■</span> {escape(_(meaning))}' for state, meaning in meanings.items() if state in found
    )
    return paper.text(MARGIN, y, INNER, legend, 10.5, f"color: {MUTED}") + 10


def _outline(paper: Paper, held: Held, corners: Sequence[Point]) -> None:
    """One tile's outline, and its name on a plate at its lower edge; what was said by hand stands out."""
    by_hand = held.state == "hand"
    paper.line([*corners, corners[0]], STATES[held.state], 2.2 if by_hand else 1.3, closed=True)
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = corners
    size = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 / 60, 0.16)
    x, y = 0.41 * (x2 + x3) + 0.09 * (x0 + x1), 0.41 * (y2 + y3) + 0.09 * (y0 + y1)
    plate = (x - 19 * size, y - 15 * size, x + 19 * size, y + 15 * size)
    paper.box(plate, STATES["hand"] if by_hand else "#fffaf0", STATES[held.state], 7 * size, 0.7)
    ink = "#ffffff" if by_hand else ink_of(held.tile.colour) if held.tile.colour else MUTED
    if held.tile == FALSE_JOKER:
        paper.star((x, y), 11 * size, ink if by_hand else "#b3541e")
    else:
        paper.word((x, y), {FACE_DOWN: "-", UNREADABLE: "?"}.get(held.tile, str(held.tile.number)), 24 * size, ink)


def _verdict(paper: Paper, y: float, judgement: Judgement) -> float:
    as_laid = all(group.kind for group in judgement.groups)
    colour, heading = (GOOD, words.VALID) if judgement.valid else (BAD, words.NOT_VALID)
    said = f'<div style="font-size: 22px; color: {colour}"><b>{_(heading)}</b></div>{escape(words.judgement(judgement, as_laid))}'
    bottom = y + paper.height_of(INNER - 32, said, 12) + 20
    paper.box((MARGIN, y, MARGIN + INNER, bottom), SOFT, radius=6)
    paper.box((MARGIN, y, MARGIN + 6, bottom), colour)
    paper.text(MARGIN + 18, y + 9, INNER - 32, said, 12)
    return bottom + 8


def _remarks(hand: Hand, judgement: Judgement) -> list[tuple[str, str]]:
    """What else belongs to the verdict, each with its colour: doubts, what was said by hand, and what the rules decided."""
    across = dispute_texts.across_rows(judgement.across_rows) if judgement.across_rows else ""
    remarks = (
        (STATES["doubt"], caution_about(hand)),
        (STATES["hand"], texts.corrected(hand)),
        (STATES["hand"], texts.gaps_said(hand)),
        (ACCENT, across),
        (ACCENT, texts.decided_by(judgement.decided_by)),
    )
    return [(colour, said) for colour, said in remarks if said]


def _remark(paper: Paper, y: float, colour: str, said: str) -> float:
    bottom = paper.text(MARGIN + 18, y + 2, INNER - 32, escape(said), 11)
    paper.box((MARGIN, y, MARGIN + 6, bottom + 2), colour)
    return bottom + 10


def _section(paper: Paper, y: float, name: str) -> float:
    return paper.text(MARGIN, y + 8, INNER, f"<b>{escape(name)}</b>", 10.5, f"color: {MUTED}") + 5


def _groups(paper: Paper, y: float, hand: Hand, judgement: Judgement) -> float:
    """Every group with its name or its refusal, tiles said by hand marked; then the fifteenth tile."""
    by_hand = _ByHand(hand)
    y = _section(paper, y, _(texts.AS_LAID))
    for number, group in enumerate(judgement.groups, start=1):
        colour = GOOD if group.kind else BAD
        y = _row(paper, y, group.placed, by_hand, colour, words.group_number(number), words.group_judged(group))
    if judgement.fifteenth is not None:
        said = _(words.OKEY_LAST if judgement.okey_last else words.ORDINARY_LAST)
        alone = (Placed(judgement.fifteenth, judgement.fifteenth),)
        y = _row(paper, y, alone, by_hand, FAINT, _(words.FIFTEENTH), said)
    return y


class _ByHand:
    """Which of the tiles that a judgement names were said by hand: of equal tiles the first on the rack comes first."""

    def __init__(self, hand: Hand) -> None:
        self._flags: dict[Tile, list[bool]] = defaultdict(list)
        for held in hand.tiles:
            self._flags[held.tile].append(held.by_hand)

    def next(self, tile: Tile) -> bool:
        return bool(self._flags[tile]) and self._flags[tile].pop(0)


def _row(paper: Paper, y: float, placed: Sequence[Placed], by_hand: _ByHand, colour: str, name: str, said: str) -> float:
    """A group's tiles with words beside or below them."""
    start = MARGIN + 16
    end, low = _tiles(paper, start, y + 3, placed, by_hand)
    text = f"<b>{escape(name)}</b><br>{escape(said)}"
    beside = max(end, start + ALIGNED * (TILE + BETWEEN)) + 12
    width = MARGIN + INNER - beside
    if width >= BESIDE:
        middle = (y + 3 + low - paper.height_of(width, text, 11.5)) / 2
        low = max(low, paper.text(beside, max(y + 1, middle), width, text, 11.5))
    else:
        low = paper.text(start, low + 3, INNER - 16, text, 11.5)
    paper.box((MARGIN, y, MARGIN + 6, low + 3), colour)
    return low + 11


def _tiles(paper: Paper, x: float, y: float, placed: Sequence[Placed], by_hand: _ByHand | None) -> tuple[float, float]:
    """Tiles in a line, each that takes the place of another with that one's number; returns the right end and the lower one."""
    low = y + TILE * TILE_HIGH
    for each in placed:
        marked = by_hand is not None and by_hand.next(each.tile)
        paper.tile(x, y, TILE, each.tile, STATES["hand"] if marked else "")
        if marked:
            paper.dot((x + TILE - 1, y + 1), 5, STATES["hand"])
            paper.line([(x + TILE - 3.4, y + 1), (x + TILE - 1.6, y + 3), (x + TILE + 1.4, y - 1.2)], "#ffffff", 1.3)
        face = each.stands_for
        if each.tile != face and face.colour is not None:
            paper.word((x + TILE / 2, low + 8), f"= {face.number}", 10, ink_of(face.colour))
        x += TILE + BETWEEN
    stands = any(each.tile != each.stands_for for each in placed)
    return x - BETWEEN, low + (14 if stands else 2)


def _deal(paper: Paper, y: float, hand: Hand) -> float:
    """The indicator, the okey, and what a false joker stands for."""
    indicator = hand.indicator
    if indicator is None or not indicator.tile.is_numbered:
        return y
    y = _section(paper, y, _(texts.THE_DEAL))
    okey = okey_of(indicator.tile)
    column = INNER / 3
    for number, (name, tiles) in enumerate(
        ((words.INDICATOR_SHORT, [indicator.tile]), (words.OKEY, [okey]), (words.JOKER_IS, [FALSE_JOKER, okey]))
    ):
        x = MARGIN + number * column
        for place, tile in enumerate(tiles):
            paper.tile(x + place * (TILE + 12), y, TILE, tile, STATES["hand"] if number == 0 and indicator.by_hand else "")
        if len(tiles) > 1:
            paper.word((x + TILE + 6, y + TILE * TILE_HIGH / 2), "=", 13, MUTED)
        paper.text(x, y + TILE * TILE_HIGH + 5, column - 10, escape(_(name)), 10.5, f"color: {MUTED}")
    return y + TILE * TILE_HIGH + 22


def _another_order(paper: Paper, y: float, judgement: Judgement) -> float:
    """How the same tiles would win, where they do not as they lie."""
    if not judgement.arrangement or (judgement.valid and all(group.kind for group in judgement.groups)):
        return y
    y = _section(paper, y, _(words.ANOTHER_ORDER))
    x, low = MARGIN, y
    for group in judgement.arrangement:
        width = len(group) * (TILE + BETWEEN)
        if x > MARGIN and x + width > MARGIN + INNER:
            x, y = MARGIN, low + 6
        end, bottom = _tiles(paper, x, y, group, None)
        x, low = end + 14, max(low, bottom)
    return low + 6


def _foot(paper: Paper, y: float, value: str, kept: bool) -> None:
    paper.line([(MARGIN, y), (MARGIN + INNER, y)], FAINT, 0.8)
    bottom = paper.text(
        MARGIN, y + 9, INNER, f'{escape(_(texts.CHECK_VALUE))}: <b style="font-family: monospace; font-size: 13px">{value}</b>', 11
    )
    if kept:
        paper.text(MARGIN, bottom + 2, INNER, escape(_(texts.CHECK_MEANS)), 9.5, f"color: {MUTED}")
