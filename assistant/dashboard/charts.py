"""Charts of players, whose legend stands below them: on a phone names of any length have room there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

import altair as alt
import streamlit as st

COLOURS = ["#c8452e", "#2e7fc2", "#d99a1c", "#3c9a5f", "#8a5fc2", "#2b9c9c"]
"""Of the players one after the other, seen on light and on dark: no more players fit into a chart."""
CHART_PX, NAMES_PX = 260, 30
"""How high a chart is, and each row of names below it."""
PHONE_PX, MARK_PX, LETTER_PX = 300, 30, 7.5
"""How wide a legend can be on a phone, and what a name's mark and each of its letters take of that; of two partners' long names the end
is left out."""
LINE_SHARE = 0.018
"""A line's breadth, as a share of the height from 0 to the end of the scale."""
WHOLE = alt.Axis(format="d", tickMinStep=1)
"""An axis of whole numbers."""


def line_chart(players: Mapping[str, Sequence[int]], x_title: str, y_title: str) -> None:
    """Draws a line for each player: what they had after 0, 1, 2, … of what the title says."""
    heights = [y for line in players.values() for y in line]
    aside = offsets(list(players.values()), LINE_SHARE * (max(0, *heights) - min(0, *heights)))
    points = [
        {"name": name, "x": x, "y": y, "at": y + off, "said": f"{name}, {x_title} {x}: {y_title} {y}"}
        for (name, line), away in zip(players.items(), aside, strict=True)
        for x, (y, off) in enumerate(zip(line, away, strict=True))
    ]
    _draw(_chart(points).mark_line(point=True), list(players), alt.X("x:Q", axis=WHOLE), x_title, y_title)


def offsets(lines: Sequence[Sequence[int]], apart: float) -> list[list[float]]:
    """By how much each point of each line is moved so that all are seen: those that would hide each other lie so far apart.

    >>> offsets([[20, 18], [20, 20]], 1.0)
    [[-0.5, 0.0], [0.5, 0.0]]
    """
    moved: list[list[float]] = [[] for _ in lines]
    for there in zip(*lines, strict=True):
        for number, y in enumerate(there):
            moved[number].append(apart * (there[:number].count(y) - (there.count(y) - 1) / 2))
    return moved


def bar_chart(players: Mapping[str, Mapping[str, int]], x_title: str, y_title: str) -> None:
    """Draws bars side by side for the players: what each had on, or in, what is written below, in that order."""
    points = [
        {"name": name, "x": x, "y": y, "at": y, "said": f"{name}, {x_title} {x}: {y_title} {y}"}
        for name, bars in players.items()
        for x, y in bars.items()
    ]
    across = alt.X("x:N", sort=None, axis=alt.Axis(labelAngle=0, labelOverlap=True))
    side_by_side = alt.XOffset("name:N", sort=list(players))
    _draw(_chart(points).mark_bar().encode(xOffset=side_by_side), list(players), across, x_title, y_title)


def _chart(points: Sequence[Mapping[str, object]]) -> alt.Chart:
    """What is drawn `at` a height is told as `y`, and read out as it is `said`."""
    return alt.Chart(alt.Data(values=points))


def _draw(chart: alt.Chart, names: list[str], across: alt.X, x_title: str, y_title: str) -> None:
    """Draws a chart with an axis for what was counted, and a colour for each name."""
    columns = max(1, int(PHONE_PX / (MARK_PX + LETTER_PX * max(map(len, names)))))
    legend = alt.Legend(title=None, orient="bottom", columns=columns, labelLimit=PHONE_PX - MARK_PX, offset=0)
    colour = alt.Color("name:N", scale=alt.Scale(domain=names, range=COLOURS[: len(names)]), legend=legend)
    # what is called title stands above the others in what the finger or the mouse shows
    shown = [alt.Tooltip("name:N", title="title"), alt.Tooltip("x:N", title=x_title), alt.Tooltip("y:Q", title=y_title)]
    height = alt.Y("at:Q", title=y_title, axis=WHOLE)
    drawn = chart.encode(x=across.title(x_title), y=height, color=colour, tooltip=shown, description=alt.Description("said:N"))
    st.altair_chart(drawn, height=CHART_PX + NAMES_PX * ceil(len(names) / columns))
