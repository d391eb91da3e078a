"""Which way is up, where a tile by itself does not tell."""

from __future__ import annotations

import numpy as np
import pytest

from vision.classify import Chances, Classified, Classifier, ink_of, turns_by_neighbours
from vision.profile import Profile
from vision.straighten import Corners, Pyramid, white_balanced


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


class OneTileLooksTwoWays(Classifier):
    """In place of the network, which says so of few tiles in ten thousand: all are 5s, but the third is another number either way up."""

    def __init__(self, upright: int, upside_down: int) -> None:
        self.says = upright, upside_down

    def _look(self, pyramid: Pyramid, corners: Corners, profile: Profile | None) -> tuple[Classified, Chances]:
        stands = corners[:, 0, 1] < corners[:, 3, 1]
        third = np.abs(corners[:, :, 0].mean(1) - 104) < 20
        seen = np.where(third, np.where(stands, *self.says), 5) - 1
        likely = np.where(third, np.where(stands, 0.4, 0.9), np.where(stands, 0.99, 0.01))
        turn = np.stack([likely, np.zeros_like(likely), 1 - likely, np.zeros_like(likely)], 1)
        return shown(corners, seen), turn


class LiesOnItsSide(Classifier):
    """In place of the network: the one tile, an 8, lies on its side, but hardly seems more likely to than to lie on the other one."""

    def __init__(self) -> None:
        pass

    def _look(self, pyramid: Pyramid, corners: Corners, profile: Profile | None) -> tuple[Classified, Chances]:
        towards = corners[:, 0] - corners[:, 3]
        turned = np.round(np.arctan2(towards[:, 0], -towards[:, 1]) / (np.pi / 2)).astype(int) % 4
        turn = np.array([[0.1, 0.46, 0.03, 0.41], [0.3, 0.2, 0.3, 0.2], [0.1, 0.4, 0.1, 0.4], [0.9, 0.04, 0.03, 0.03]], np.float32)[turned]
        return shown(corners, np.where(turned == 3, 7, 0)), turn


def shown(corners: Corners, columns: np.ndarray) -> Classified:
    """Tiles that surely show these, in no colour."""
    number = (np.eye(16)[columns] * 0.98 + 0.00125).astype(np.float32)
    return Classified(corners, number, np.full((len(corners), 4), 0.25, np.float32), *np.zeros((2, len(corners), 3), np.float32))


def test_the_second_likely_side_is_looked_at_from_how_the_tile_lies() -> None:
    """Not from how it was turned to the likeliest: of three ways that leaves out the one that is right."""
    lying = np.array([[[0, 0], [40, 0], [40, 60], [0, 60]]], np.float32)
    seen = LiesOnItsSide().classify(Pyramid(np.zeros((100, 100, 3), np.uint8)), lying)
    assert seen.number[0].argmax() == 7
    assert seen.corners[0, 0].tolist() == [0, 60]


@pytest.mark.parametrize(
    ("upright", "upside_down", "alone", "read"),
    [(4, 7, False, 4), (7, 4, False, 7), (6, 9, False, 6), (4, 7, True, 7), (2, 8, False, 8)],
)
def test_what_is_a_4_one_way_up_and_a_7_the_other_stands_as_those_beside_it(upright: int, upside_down: int, alone: bool, read: int) -> None:
    corners = row([False] * 5)
    corners, third = (corners[2:3], 0) if alone else (corners, 2)
    seen = OneTileLooksTwoWays(upright, upside_down).classify(Pyramid(np.zeros((200, 300, 3), np.uint8)), corners)
    assert seen.number[third].argmax() + 1 == read
    assert (seen.corners[third, 0, 1] < seen.corners[third, 3, 1]) == (read == upright)


@pytest.mark.parametrize("shade", [1.0, 0.4, 0.15])
def test_an_ink_is_the_same_where_a_shadow_falls_across_its_tile(shade: float) -> None:
    """A cream face with a blue stroke down its middle; the shadow's edge runs across both."""
    face, ink = np.array([190, 220, 230]), np.array([150, 60, 30])
    crop = np.tile(face, (96, 64, 1)).astype(np.float64)
    crop[15:80, 28:38] = ink
    crop[60:] *= shade
    measured = ink_of(white_balanced(crop.astype(np.uint8)[None]))[0]
    assert measured == pytest.approx(ink / face, abs=0.03)
