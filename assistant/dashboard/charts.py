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
WHOLE = alt.Axis(format="d", tickMinStep=1)
"""An axis of whole numbers."""


def line_chart(players: Mapping[str, Sequence[int]], x_title: str, y_title: str) -> None:
    """Draws a line for each player: what they had after 0, 1, 2, … of what the title says."""
    points = [(name, x, y) for name, line in players.items() for x, y in enumerate(line)]
    _draw(_chart(points).mark_line(point=True), list(players), alt.X("x:Q", axis=WHOLE), x_title, y_title)


def bar_chart(players: Mapping[str, Mapping[str, int]], x_title: str, y_title: str) -> None:
    """Draws bars side by side for the players: what each had on, or in, what is written below, in that order."""
    points = [(name, x, y) for name, bars in players.items() for x, y in bars.items()]
    across = alt.X("x:N", sort=None, axis=alt.Axis(labelAngle=0, labelOverlap=True))
    side_by_side = alt.XOffset("name:N", sort=list(players))
    _draw(_chart(points).mark_bar().encode(xOffset=side_by_side), list(players), across, x_title, y_title)


def _chart(points: Sequence[tuple[str, int | str, int]]) -> alt.Chart:
    return alt.Chart(alt.Data(values=[{"name": name, "x": x, "y": y} for name, x, y in points]))


def _draw(chart: alt.Chart, names: list[str], across: alt.X, x_title: str, y_title: str) -> None:
    """Draws a chart with an axis for what was counted, and a colour for each name."""
    columns = max(1, int(PHONE_PX / (MARK_PX + LETTER_PX * max(map(len, names)))))
    legend = alt.Legend(title=None, orient="bottom", columns=columns, labelLimit=PHONE_PX - MARK_PX, offset=0)
    colour = alt.Color("name:N", scale=alt.Scale(domain=names, range=COLOURS[: len(names)]), legend=legend)
    # what is called title stands above the others in what the finger or the mouse shows
    shown = [alt.Tooltip("name:N", title="title"), alt.Tooltip("x:N", title=x_title), alt.Tooltip("y:Q", title=y_title)]
    drawn = chart.encode(x=across.title(x_title), y=alt.Y("y:Q", title=y_title, axis=WHOLE), color=colour, tooltip=shown)
    st.altair_chart(drawn, height=CHART_PX + NAMES_PX * ceil(len(names) / columns))
