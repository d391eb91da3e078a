"""What the page draws, as HTML and SVG: tiles, the rack, the photo's outlines, the verdict. Free of Streamlit.

Whatever has a `data-key` can be tapped (see `board.py`); how it all looks is in `board.css`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from assistant.advice import Choice
from assistant.dashboard import playing_texts, texts
from assistant.dashboard.hand import Hand, Held
from assistant.dashboard.inks import is_green
from assistant.dashboard.judging import BEST_CHOICES, Disputed, Judged
from assistant.dashboard.language import _
from assistant.groups import Named, Placed
from assistant.playouts import Estimate
from assistant.solver import MOST_TILES, Verdict
from assistant.tiles import COLOURS, FACE_DOWN, FALSE_JOKER, NUMBERS, UNREADABLE, Colour, Tile, okey_of
from vision.reading import Point, Reading

INKS = {Colour.RED: "red", Colour.BLACK: "black", Colour.BLUE: "blue", Colour.YELLOW: "yellow"}
"""The class that gives a colour its ink, where the set has no green in its place."""

MARKS = {
    Colour.RED: '<circle cx="30" cy="65" r="7.5"/>',
    Colour.BLACK: '<rect x="23" y="58" width="14" height="14" rx="1.5"/>',
    Colour.BLUE: '<path d="M30 56.5 39 72.5H21Z"/>',
    Colour.YELLOW: '<path d="M30 55.5 39.5 65 30 74.5 20.5 65Z"/>',
}
"""A mark for each colour, so that colours can be told apart without seeing them."""

INDICATOR = "indicator"
"""The key of the indicator, whichever tile it is."""

TAKE_BACK = "seen-"
"""Before the number of a tile seen on the table, the key that takes it back."""

FEWEST_DEALS = 30
"""Before so many deals are played on nothing is told of them."""

STAR = "M30 20 36 34.5 51.5 35.6 39.6 45.7 43.4 60.8 30 52.5 16.6 60.8 20.4 45.7 8.5 35.6 24 34.5Z"


def ink_class(colour: Colour) -> str:
    """The class that gives a colour its ink in the set that is looked at."""
    return "green" if is_green(colour) else INKS[colour]


def face_svg(tile: Tile) -> str:
    """What is printed on a tile."""
    if tile == FALSE_JOKER:
        inside = f'<path class="star" d="{STAR}"/>'
    elif tile == FACE_DOWN:
        inside = '<rect class="back" x="7" y="7" width="46" height="70" rx="5"/>'
    elif tile.colour is None:
        inside = '<text x="30" y="57" class="unread">?</text>'
    else:
        width = ' class="wide"' if tile.number is not None and tile.number > 9 else ""
        inside = f'<text x="30" y="45"{width}>{tile.number}</text>{MARKS[tile.colour]}'
    ink = ink_class(tile.colour) if tile.colour else "plain"
    return f'<svg class="face {ink}" viewBox="0 0 60 84" aria-hidden="true">{inside}</svg>'


def button(key: str, tile: Tile, state: str = "", title: str = "") -> str:
    """A tile that can be tapped."""
    title = escape(title or texts.tile_name(tile))
    return f'<button type="button" class="tile {state}" data-key="{key}" title="{title}" aria-label="{title}">{face_svg(tile)}</button>'


def still(tile: Tile, title: str = "", state: str = "") -> str:
    """A tile that is only looked at."""
    title = escape(title or texts.tile_name(tile))
    return f'<span class="tile {state}" role="img" title="{title}" aria-label="{title}">{face_svg(tile)}</span>'


def legend_html() -> str:
    """What the colours of the outlines mean, and what to do with tiles."""
    words = (("sure", texts.SURE), ("doubt", texts.DOUBT), ("hand", texts.BY_HAND), ("aside", texts.ASIDE))
    return (
        '<p class="legend">'
        + "".join(f'<span class="{state}">{_(word)}</span>' for state, word in words)
        + f"</p><p class='hint'>{_(texts.HOW_TO_CORRECT)}</p>"
    )


def outlines_svg(hand: Hand) -> str:
    """The outlines and names of all tiles, to lie over the photo."""
    held = hand.held
    width, height = size = hand.reading.size
    drawn = "".join(_outline(held[str(number)], seen.polygon_in(size)) for number, seen in enumerate(hand.reading.tiles))
    return f'<svg class="outlines" viewBox="0 0 {width} {height}">{drawn}</svg>'


def _outline(held: Held, polygon: Sequence[Point]) -> str:
    """One tile's outline, with its name on a plate at its lower edge so that the printed number stays in sight."""
    corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in polygon)
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = polygon
    size = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 / 60
    x, y = 0.41 * (x2 + x3) + 0.09 * (x0 + x1), 0.41 * (y2 + y3) + 0.09 * (y0 + y1)
    title = escape(texts.how_read(held.tile, held.confidence, held.by_hand))
    return (
        f'<g class="{held.state}" data-key="{held.key}"><title>{title}</title><polygon points="{corners}"/>'
        f'<g transform="translate({x:.0f} {y:.0f}) scale({size:.3f})">{_plate(held.tile)}</g></g>'
    )


def _plate(tile: Tile) -> str:
    """A tile's short name: its number in its ink, or its symbol."""
    ink = ink_class(tile.colour) if tile.colour else "plain"
    word = {FALSE_JOKER: "★", FACE_DOWN: "–", UNREADABLE: "?"}.get(tile, str(tile.number))
    return f'<rect class="plate" x="-19" y="-15" width="38" height="30" rx="7"/><text class="{ink}" y="8.5">{word}</text>'


def rack_html(rows: Sequence[Sequence[Sequence[Held]]]) -> str:
    """The rack, every tile to be tapped and as wide as the longest row allows."""
    drawn = ""
    for row in rows:
        drawn += '<div class="row">' + "".join(f'<div class="group">{"".join(map(_held, group))}</div>' for group in row) + "</div>"
    tiles, gaps = max(((sum(map(len, row)), len(row) - 1) for row in rows), default=(1, 0))
    return f'<div class="rack" style="--tiles:{tiles};--gaps:{gaps}">{drawn}</div>'


def _held(held: Held, title: str = "") -> str:
    """A tile of the hand, to be tapped."""
    return button(held.key, held.tile, held.state, title or texts.how_read(held.tile, held.confidence, held.by_hand))


def indicator_html(hand: Hand) -> str:
    """The indicator, to be tapped, the okey and what a false joker stands for."""
    indicator = hand.indicator
    if indicator is None:
        return f'<div class="deal"><button type="button" class="pick" data-key="{INDICATOR}">{_(texts.PICK_INDICATOR)}</button></div>'
    title = texts.how_read(indicator.tile, indicator.confidence, indicator.by_hand)
    drawn = [(texts.INDICATOR_SHORT, button(INDICATOR, indicator.tile, indicator.state, title))]
    if indicator.tile.is_numbered:
        okey = okey_of(indicator.tile)
        drawn += [(texts.OKEY, still(okey)), (texts.JOKER_IS, f"{still(FALSE_JOKER)}<b>=</b>{still(okey)}")]
    inside = "".join(f"<figure><div>{tiles}</div><figcaption>{_(word)}</figcaption></figure>" for word, tiles in drawn)
    return f'<div class="deal">{inside}</div>'


def verdict_html(judged: Judged) -> str:
    """The verdict: a sentence, then groups, tiles left over, distances and the tiles that win."""
    verdict = judged.verdict
    kind = "ask" if not judged.headline else "win" if verdict and verdict.win else "wait"
    heading = f"<h3>{judged.headline}</h3>" if judged.headline else ""
    parts = [f'<div class="sentence {kind}" role="status">{heading}<p>{escape(judged.text)}</p></div>']
    if judged.caution:
        parts.append(f'<p class="caution">{judged.caution}</p>')
    if verdict is not None:
        parts += [_distances(verdict), _arrangement(verdict), _outs(judged), _choices(judged.choices)]
    if judged.finish is not None:
        parts.append(f'<p class="advice">{texts.okey_finish(judged.finish)}</p>')
    return f'<div class="verdict">{"".join(parts)}</div>'


def _distances(verdict: Verdict) -> str:
    if verdict.distance is None or verdict.win:
        return ""
    ways = ((verdict.distance_melds, texts.TO_MELDS), (verdict.distance_pairs, texts.TO_PAIRS))
    return '<div class="ways">' + "".join(f"<p>{_(way).format(draws=f'<b>{texts.draws(draws)}</b>')}</p>" for draws, way in ways) + "</div>"


def _arrangement(verdict: Verdict) -> str:
    """The groups, what each okey and false joker stands for, what is left over and what is discarded."""
    parts = []
    if verdict.arrangement:
        groups = [[_placed(placed) for placed in group] for group in verdict.arrangement]
        longest = max(map(len, groups))
        drawn = "".join(f'<div class="group">{"".join(group)}</div>' for group in groups)
        name = texts.WINNING_HAND if verdict.win else texts.ARRANGED
        parts.append(f'<h4>{_(name)}</h4><div class="groups" style="--tiles:{max(longest, 7)};--gaps:0">{drawn}</div>')
    kept, discard = list(verdict.left), [verdict.discard] if verdict.discard else []
    if verdict.discard in kept:
        kept.remove(verdict.discard)
    for name, tiles in ((texts.LEFT_OVER, kept), (texts.DISCARD, discard)):
        if tiles:
            parts.append(f'<div class="rest"><h4>{_(name)}</h4><div class="group">{"".join(map(still, tiles))}</div></div>')
    return "".join(parts)


def _placed(placed: Placed, held: Held | None = None) -> str:
    """A tile in its group, to be tapped if it is one that is held; one that takes the place of another says of which."""
    face = placed.stands_for
    title = "" if placed.tile == face else texts.stands_for(placed.tile, face)
    drawn = _held(held, title) if held else still(placed.tile, title)
    if placed.tile == face:
        return drawn
    ink = ink_class(face.colour) if face.colour else "plain"
    return f'<span class="stands">{drawn}<i class="{ink}">= {face.number}</i></span>'


def _outs(judged: Judged) -> str:
    """The tiles that win, and the chance to draw one; farther away the tiles that bring the hand nearer."""
    waiting = judged.choices[0].outlook if judged.choices else judged.waiting
    if waiting is None or not waiting.helps:
        return ""
    drawn = "".join(f"<figure>{still(out.tile)}<figcaption>{texts.unseen(out)}</figcaption></figure>" for out in waiting.helps)
    if waiting.distance == 1:
        return f'<h4>{_(texts.WAITS_FOR)}</h4><div class="outs">{drawn}</div><p class="hint">{texts.chances(waiting)}</p>'
    return f'<details><summary>{texts.sentence(texts.tiles_help(waiting))}</summary><div class="outs">{drawn}</div></details>'


def _choices(choices: Sequence[Choice]) -> str:
    """The best discards, each with its reason, and the others behind a line that opens them."""
    if not choices:
        return ""
    rows = [_choice(choice, choices[0]) for choice in choices]
    others = rows[BEST_CHOICES:]
    more = f"<details><summary>{texts.other_discards(len(others))}</summary>{''.join(others)}</details>" if others else ""
    return f'<h4>{_(texts.BEST_DISCARDS)}</h4><div class="choices">{"".join(rows[:BEST_CHOICES])}{more}</div>'


def _choice(choice: Choice, best: Choice) -> str:
    return f'<div class="choice">{still(choice.discard)}<p>{texts.reason(choice, best)}</p></div>'


def playing_html(judged: Judged, known: Sequence[Estimate], playing: bool) -> str:
    """What came of the deals played on from a hand: the chance to win, for each of the best discards, or the double weighed."""
    if judged.position is None or not (known or playing):
        return ""
    if playing and (not known or known[0].deals < FEWEST_DEALS):
        known = ()
    rows = []
    for discard, estimate in zip(judged.position.discards, known, strict=False):
        if judged.finish is not None and discard is not None:
            said = playing_texts.weighed(judged.gain, discard, estimate)
        else:
            said = playing_texts.chance(estimate) if discard is None else playing_texts.chance_after(discard, estimate)
        width = f"{estimate.chance:.0%}"
        rows.append(
            f'<div class="choice">{"" if discard is None else still(discard)}<p>{said}<i class="bar" style="--share:{width}"></i></p></div>'
        )
    about = playing_texts.assumption(known[0].deals, bool(judged.position.seen), playing) if known else _(playing_texts.BEGINNING)
    heading = f"<h4>{_(playing_texts.HEADING)}</h4>"
    return f'<div class="playing">{heading}<div class="choices">{"".join(rows)}</div><p class="hint">{about}</p></div>'


def judgement_html(disputed: Disputed, hand: Hand | None = None) -> str:
    """The judgement of a shown hand: a sentence, every group with its name or why it is none, the fifteenth tile, another order.

    Args:
        hand: the one that was shown, its tiles to be tapped, in its rows where it cannot be judged; None if they are only looked at.
    """
    judged = disputed.judgement
    if judged is None:
        rack = rack_html(hand.rows) if hand and hand.tiles else ""
        return f'<div class="sentence ask" role="status"><p>{escape(disputed.problem)}</p></div>{rack}'
    as_laid = all(group.kind for group in judged.groups)
    kind, heading = ("win", texts.VALID) if judged.valid else ("ask", texts.NOT_CLEAR) if judged.unclear else ("refused", texts.NOT_VALID)
    parts = [f'<div class="sentence {kind}" role="status"><h3>{_(heading)}</h3><p>{escape(texts.judgement(judged, as_laid))}</p></div>']
    if disputed.caution:
        parts.append(f'<p class="caution">{disputed.caution}</p>')
    lying: list[Held | None] = list(hand.tiles) if hand else [None] * MOST_TILES
    fifteenth = None if judged.fifteenth_at is None else lying.pop(judged.fifteenth_at)
    as_they_lie = iter(lying)
    rows = [_judged_group(number, group, as_they_lie) for number, group in enumerate(judged.groups, start=1)]
    if judged.fifteenth is not None:
        said = texts.OKEY_LAST if judged.okey_last else texts.ORDINARY_LAST
        tile = _held(fifteenth) if fifteenth else still(judged.fifteenth)
        rows.append(_judged_row("", tile, _(texts.FIFTEENTH), _(said)))
    parts.append(f'<div class="judged">{"".join(rows)}</div>')
    if judged.arrangement and not (judged.valid and as_laid):
        groups = "".join(f'<div class="group">{"".join(map(_placed, group))}</div>' for group in judged.arrangement)
        longest = max(7, *map(len, judged.arrangement))
        parts.append(f'<h4>{_(texts.ANOTHER_ORDER)}</h4><div class="groups" style="--tiles:{longest};--gaps:0">{groups}</div>')
    return f'<div class="verdict">{"".join(parts)}</div>'


def _judged_group(number: int, group: Named, lying: Iterator[Held | None]) -> str:
    """A group with its verdict; `lying` are the tiles that are held from its first one on."""
    tiles = "".join(map(_placed, group.placed, lying))
    return _judged_row("sure" if group.kind else "refused", tiles, texts.group_number(number), texts.group_judged(group))


def _judged_row(state: str, tiles: str, name: str, said: str) -> str:
    return f'<div class="{state}"><div class="group">{tiles}</div><p><b>{name}</b> {escape(said)}</p></div>'


def faces_html(chosen: Tile | None, jokers: bool) -> str:
    """Every face that a tile can have, to be tapped; `chosen` is marked."""
    blocks = []
    for colour in COLOURS:
        tiles = [Tile(colour, number) for number in NUMBERS]
        if jokers and colour is COLOURS[-1]:
            tiles.append(FALSE_JOKER)
        blocks.append("".join(button(str(tile), tile, "chosen" if tile == chosen else "") for tile in tiles))
    return '<div class="faces">' + "".join(f'<div class="block">{block}</div>' for block in blocks) + "</div>"


def told_html(told: Mapping[str, Tile]) -> str:
    """The tiles that the user told, the latest first, to be tapped away, above every face, to be tapped in.

    Args:
        told: by the key that takes each back.
    """
    tapped = "".join(button(key, tile) for key, tile in reversed(told.items()))
    return f'<div class="told">{tapped}</div>{faces_html(None, jokers=True)}'


def question_html(held: Held, crop: str) -> str:
    """What is asked about one tile: how it looks in the photo, what it was read as, and the likeliest face to be tapped.

    Args:
        crop: address of the tile's picture; empty if there is none.
    """
    picture = f'<img src="{crop}" alt="">' if crop else ""
    text = f"<p>{escape(texts.sentence(texts.how_read(held.tile, held.confidence, held.by_hand)))}</p>"
    likely = ""
    if held.guess is not None and held.guess != held.tile and held.guess not in (FACE_DOWN, UNREADABLE):
        likely = f"<figure>{button(str(held.guess), held.guess, 'chosen')}<figcaption>{_(texts.LIKELY)}</figcaption></figure>"
    return f'<div class="question">{picture}{text}{likely}</div>'


def loose_html(loose: Sequence[Held]) -> str:
    """The tiles that lie beside the hand, to be tapped."""
    return f'<div class="group">{"".join(button(held.key, held.tile) for held in loose)}</div>'


def seen_html(reading: Reading) -> str:
    """The tiles with a number in a photo of the indicator, to be tapped; empty if there is none."""
    tiles = dict.fromkeys(seen.tile if seen.tile.is_numbered else seen.guess for seen in reading.tiles)
    drawn = "".join(button(str(tile), tile) for tile in tiles if tile is not None and tile.is_numbered)
    return f'<div class="group">{drawn}</div>' if drawn else ""
