"""Which places that bear no mark are tiles lying face down."""

from __future__ import annotations

import numpy as np
import pytest

from vision.beside import against_beside
from vision.face_down import LEAST_LIKELY_BLANK, face_down_chances

SIZE = (40.0, 60.0)
ROW = 5


def row_and_a_blank(width: float, height: float) -> np.ndarray:
    """Outlines (6, 4, 2) of five tiles that touch in a row, and of a place beside them so wide and high."""
    sizes = np.array([SIZE] * ROW + [(width, height)])
    lefts = np.concatenate([[0], np.cumsum(sizes[:-1, 0])])
    shape = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    return (shape * sizes[:, None] + np.stack([lefts, np.zeros(6)], 1)[:, None]).astype(np.float32)


def chance(width: float, height: float, score: float = 0.6, blank: float = 0.9) -> float:
    against = against_beside(row_and_a_blank(width, height), np.arange(6) < ROW)
    return float(face_down_chances(against, np.full(6, score), np.full(6, blank, np.float32))[-1])


def test_a_tile_lying_face_down_is_as_large_as_those_beside_it() -> None:
    assert chance(*SIZE) > LEAST_LIKELY_BLANK
    assert chance(*SIZE[::-1]) == pytest.approx(chance(*SIZE)), "it may lie on its side"


@pytest.mark.parametrize(("width", "height"), [(20.0, 60.0), (80.0, 60.0), (40.0, 130.0), (20.0, 30.0), (80.0, 120.0)])
def test_what_is_of_another_size_is_none(width: float, height: float) -> None:
    assert chance(width, height) < LEAST_LIKELY_BLANK


def test_what_the_classifier_takes_for_none_is_one_where_the_locator_is_sure() -> None:
    assert chance(*SIZE, score=0.9, blank=0.25) > LEAST_LIKELY_BLANK > chance(*SIZE, score=0.6, blank=0.25)


def test_locator_and_classifier_both_count() -> None:
    sure, unsure, hardly = chance(*SIZE, score=0.8), chance(*SIZE, score=0.3), chance(*SIZE, score=0.3, blank=0.5)
    assert sure > unsure > hardly


def test_without_a_tile_beside_it_nothing_is_one() -> None:
    against = against_beside(row_and_a_blank(*SIZE), np.zeros(6, bool))
    assert face_down_chances(against, np.full(6, 0.9), np.full(6, 0.99, np.float32)).max() < 0.001
