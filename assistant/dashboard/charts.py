"""Charts of players, whose legend stands below them: on a phone names of any length have room there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt
import streamlit as st

COLOURS = ["#c8452e", "#2e7fc2", "#d99a1c", "#3c9a5f", "#8a5fc2", "#2b9c9c"]
"""Of the players one after the other, seen on light and on dark: no more players fit into a chart."""
HEIGHT_PX = 320
SHORT_NAME = 16
"""Two names of so many characters stand side by side on a phone."""
LONGEST_NAME_PX = 270
"""What a phone has room for; of two partners' long names the end is left out."""
WHOLE = alt.Axis(format="d", tickMinStep=1)
"""An axis of whole numbers."""


def line_chart(players: Mapping[str, Sequence[int]], x_title: str, y_title: str) -> None:
    """Draws a line for each player: what they had after 0, 1, 2, … of what the title says."""
    points = [(name, x, y) for name, line in players.items() for x, y in enumerate(line)]
    _draw(_chart(points).mark_line(point=True), list(players), alt.X("x:Q", title=x_title, axis=WHOLE), y_title)


def bar_chart(players: Mapping[str, Mapping[str, int]], x_title: str, y_title: str) -> None:
    """Draws bars side by side for the players: what each had on, or in, what is written below."""
    points = [(name, x, y) for name, bars in players.items() for x, y in bars.items()]
    across = alt.X("x:N", title=x_title, axis=alt.Axis(labelAngle=0, labelOverlap=True))
    side_by_side = alt.XOffset("name:N", sort=list(players))
    _draw(_chart(points).mark_bar().encode(xOffset=side_by_side), list(players), across, y_title)


def _chart(points: Sequence[tuple[str, int | str, int]]) -> alt.Chart:
    return alt.Chart(alt.Data(values=[{"name": name, "x": x, "y": y} for name, x, y in points]))


def _draw(chart: alt.Chart, names: list[str], across: alt.X, y_title: str) -> None:
    """Draws a chart with an axis for what was counted, and a colour for each name."""
    columns = 2 if max(map(len, names)) <= SHORT_NAME else 1
    legend = alt.Legend(title=None, orient="bottom", columns=columns, labelLimit=LONGEST_NAME_PX, offset=0)
    colour = alt.Color("name:N", scale=alt.Scale(domain=names, range=COLOURS[: len(names)]), legend=legend)
    drawn = chart.encode(x=across, y=alt.Y("y:Q", title=y_title, axis=WHOLE), color=colour, tooltip=["name:N", "x:N", "y:Q"])
    st.altair_chart(drawn, height=HEIGHT_PX)
