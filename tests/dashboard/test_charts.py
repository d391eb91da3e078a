"""Lines of players who have the same stand beside each other."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assistant.dashboard.charts import offsets


@given(st.lists(st.lists(st.integers(0, 3), min_size=5, max_size=5), min_size=1, max_size=4))
def test_no_point_hides_another_and_what_stands_alone_stays(lines: list[list[int]]) -> None:
    moved = offsets(lines, 0.1)
    for there, away in zip(zip(*lines, strict=True), zip(*moved, strict=True), strict=True):
        drawn = [y + off for y, off in zip(there, away, strict=True)]
        assert len({round(height, 6) for height in drawn}) == len(drawn)
        assert all(abs(off) < 0.2 for off in away)
        assert all(off == 0 for y, off in zip(there, away, strict=True) if there.count(y) == 1)
