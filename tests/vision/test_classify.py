"""Which way is up, where a tile by itself does not tell."""

from __future__ import annotations

import numpy as np
import pytest

from vision.classify import turns_by_neighbours


def row(turned: list[bool], angle: float = 0.0) -> np.ndarray:
    """Corners (N, 4, 2) of tiles side by side, some upside down, the whole row turned by `angle`."""
    upright = np.array([[0, 0], [40, 0], [40, 60], [0, 60]], np.float32)
    tiles = np.stack([np.roll(upright + np.array([42 * i, 0]), 2 * upside_down, 0) for i, upside_down in enumerate(turned)])
    cos, sin = np.cos(angle), np.sin(angle)
    return (tiles @ np.array([[cos, sin], [-sin, cos]])).astype(np.float32)


@pytest.mark.parametrize("angle", [0.0, 0.6, 2.5])
@pytest.mark.parametrize("upside_down", [False, True])
def test_a_tile_that_could_stand_either_way_stands_as_its_neighbours(angle: float, upside_down: bool) -> None:
    chances = np.array([0.99, 0.99, 0.5, 0.99, 0.99], np.float32)
    settled = turns_by_neighbours(row([False, False, upside_down, False, False], angle), chances)
    assert settled[2] < 0.1 if upside_down else settled[2] > 0.9


def test_a_tile_that_is_sure_stays_upside_down_among_others() -> None:
    chances = np.full(7, 0.9999, np.float32)
    assert turns_by_neighbours(row([False] * 3 + [True] + [False] * 3), chances)[3] > 0.99


def test_a_tile_by_itself_or_among_tiles_at_other_angles_is_left_alone() -> None:
    alone = row([False])
    assert turns_by_neighbours(alone, np.array([0.6], np.float32))[0] == pytest.approx(0.6)
    crossing = np.concatenate([alone, row([False], np.pi / 2) + np.array([100, 0], np.float32)])
    assert turns_by_neighbours(crossing, np.array([0.6, 0.99], np.float32))[0] == pytest.approx(0.6)
