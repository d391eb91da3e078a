"""The table of a deal as a picture: every stack, who takes which of its tiles, the indicator and the dice. Free of Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from assistant.dashboard import deal_texts
from assistant.deal import BEFORE, DEALER, PLAYERS, SERVED, STACKS, Plan, seat_of

SIDE, MIDDLE = 440, 220
"""Size of the square picture, and its middle."""
WIDE, HIGH, GAP = 26, 10, 5
"""A tile as it lies in its stack, seen from the side, and the room between stacks."""
EDGE = 396
"""Where the lowest tiles of the stacks end, on the side nearest to the reader."""
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""Where the pips of a die are, from its middle."""


def owners(plan: Plan) -> list[list[str]]:
    """For each stack the class of every tile from its top: the seat that takes it, the stock, or the indicator."""
    tops: list[list[str]] = [[] for _ in range(STACKS)]
    tops[plan.selected].append("indicator")
    takes = [(f"seat-{seat}", take) for seat in SERVED for take in plan.takes[seat]] + [("stock", take) for take in plan.stock]
    for owner, take in takes:
        tops[take.stack] += [owner] * take.tiles
    return tops


def table_svg(plan: Plan, dealer: int) -> str:
    """The table seen from above, the stacks tipped over outwards so that each of their tiles is seen.

    Args:
        dealer: on which side the dealer sits, counted to the right from the reader.
    """
    drawn = [f'<rect class="felt" x="6" y="6" width="{SIDE - 12}" height="{SIDE - 12}" rx="22"/>']
    for stack, tiles in enumerate(owners(plan)):
        seat, place = seat_of(stack)
        drawn.append(
            _turned(_stack(plan, stack, tiles, place - (BEFORE[seat] - 1) / 2, (dealer + seat) % PLAYERS), (dealer + seat) % PLAYERS)
        )
    drawn += [_turned(_label(plan, seat, (dealer + seat) % PLAYERS), (dealer + seat) % PLAYERS) for seat in range(PLAYERS)]
    drawn += [_die(plan.selected + 1, MIDDLE - 30), _die(plan.turned, MIDDLE + 30)]
    return f'<svg class="table" viewBox="0 0 {SIDE} {SIDE}" role="img" aria-label="{escape(deal_texts.alt(plan))}">{"".join(drawn)}</svg>'


def _turned(drawn: str, side: int) -> str:
    """What is drawn for the side nearest to the reader, on another side."""
    return f'<g transform="rotate({-90 * side} {MIDDLE} {MIDDLE})">{drawn}</g>'


def _stack(plan: Plan, stack: int, tiles: list[str], place: float, side: int) -> str:
    """One stack, its top towards the middle, and its number."""
    x = MIDDLE + place * (WIDE + GAP)
    top = EDGE - HIGH * len(tiles)
    slices = "".join(
        f'<rect class="slice {owner}" x="{x - WIDE / 2:g}" y="{top + HIGH * level}" width="{WIDE}" height="{HIGH - 1}" rx="2"/>'
        for level, owner in enumerate(tiles)
    )
    number = deal_texts.order_of(plan, stack)
    return slices + (_text(str(number), x, top - 9, 90 * side, "number") if number else "")


def _label(plan: Plan, seat: int, side: int) -> str:
    """Who sits there; never upside down."""
    mark = "dealer " if seat == DEALER else ""
    return _text(deal_texts.tiles_of(seat, plan), MIDDLE, EDGE + 19, 180 if side == 2 else 0, f"{mark}label seat-{seat}")


def _text(words: str, x: float, y: float, angle: int, name: str) -> str:
    return f'<text class="{name}" x="{x:g}" y="{y:g}" dy=".35em" transform="rotate({angle} {x:g} {y:g})">{escape(words)}</text>'


def _die(shows: int, x: float) -> str:
    pips = "".join(f'<circle cx="{x + 12 * across:g}" cy="{MIDDLE + 12 * down}" r="4.2"/>' for across, down in PIPS[shows])
    return f'<g class="die"><rect x="{x - 22:g}" y="{MIDDLE - 22}" width="44" height="44" rx="9"/>{pips}</g>'


def steps_html(plan: Plan, dealer: int) -> str:
    """What to do, step by step, each player's in the colour that the picture gives them."""
    marks = ["indicator", "indicator", *(f"seat-{seat}" for seat in SERVED), "stock"]
    return _steps(marks, deal_texts.steps(plan, dealer))


def informal_steps_html(players: int, dealer: int) -> str:
    """The same for the deal without stacks and dice."""
    return _steps(["seat-1", "seat-0", "indicator", "stock"], deal_texts.informal_steps(players, dealer))


def _steps(marks: Sequence[str], steps: Sequence[str]) -> str:
    listed = "".join(f'<li class="{mark}">{escape(step)}</li>' for mark, step in zip(marks, steps, strict=True))
    return f'<ol class="steps">{listed}</ol>'
