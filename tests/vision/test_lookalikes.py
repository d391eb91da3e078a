"""Which places that seem to show a face only look like a tile."""

from __future__ import annotations

import numpy as np
import pytest

from vision.lookalikes import are_lookalikes, evidence

CREAM, LILAC, SHADED = (200.0, 225.0, 235.0), (235.0, 190.0, 200.0), (100.0, 112.0, 117.0)
ROW, SIZE = 6, (40.0, 60.0)


def outlines(width: float, height: float) -> np.ndarray:
    """Outlines (7, 4, 2) of six tiles that touch in a row, and of a place beyond them so wide and high."""
    sizes = np.array([SIZE] * ROW + [(width, height)])
    lefts = np.concatenate([[0], np.cumsum(sizes[:-1, 0])])
    shape = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    return (shape * sizes[:, None] + np.stack([lefts, np.zeros(ROW + 1)], 1)[:, None]).astype(np.float32)


def told(
    face: tuple[float, ...] = CREAM, size: tuple[float, float] = SIZE, certainty: float = 0.8, score: float = 0.4, surely: float = 0.999
) -> np.ndarray:
    """Which of six tiles of a row, read so surely, and of a place beyond them only look like tiles."""
    faces = np.array([CREAM] * ROW + [face], np.float32)
    sure, scores = np.array([surely] * ROW + [certainty], np.float32), np.array([0.87] * ROW + [score], np.float32)
    return are_lookalikes(outlines(*size), faces, sure, scores)


def test_a_doubtful_place_of_another_colour_and_size_is_none() -> None:
    assert told(LILAC, (28.0, 34.0)).tolist() == [False] * ROW + [True]


def test_a_doubtful_place_that_looks_as_the_tiles_do_is_one() -> None:
    assert not told().any()


def test_what_both_networks_are_sure_of_is_a_tile_whatever_its_colour() -> None:
    assert not told(LILAC, certainty=0.9999, score=0.87).any()


def test_a_small_tile_of_the_same_colour_lies_far_behind_the_others() -> None:
    assert not told(size=(12.0, 17.0)).any()
    assert told(LILAC, (12.0, 17.0))[-1]


def test_two_tiles_are_too_few_to_compare_with() -> None:
    faces, beside = np.array([CREAM] * ROW + [LILAC], np.float32), outlines(28.0, 34.0)
    sure, scores = np.full(ROW + 1, 0.999, np.float32), np.array([0.87] * ROW + [0.4], np.float32)
    sure[-1] = 0.5
    for those, is_told in ((slice(3, None), True), (slice(4, None), False)):
        assert are_lookalikes(beside[those], faces[those], sure[those], scores[those])[-1] == is_told


def test_a_tile_in_the_shade_is_one() -> None:
    assert not told(SHADED, certainty=0.95, score=0.8).any()


def test_with_no_tile_surely_there_nothing_is_told() -> None:
    assert not told(LILAC, (28.0, 34.0), surely=0.5, certainty=0.3).any()
    assert not are_lookalikes(np.zeros((0, 4, 2), np.float32), *(np.zeros((0, *shape), np.float32) for shape in ((3,), (), ()))).any()


@pytest.mark.parametrize("gain", [0.3, 1.0, 1.08])
def test_the_light_that_falls_on_all_of_them_does_not_count(gain: float) -> None:
    faces = np.array([CREAM] * ROW + [LILAC], np.float32)
    rest = outlines(*SIZE), np.full(ROW + 1, 0.999, np.float32), np.full(ROW + 1, 0.87, np.float32)
    speaks, dimmed = (evidence(rest[0], light * faces, *rest[1:]) for light in (1.0, gain * np.array([0.5, 0.8, 1.0], np.float32)))
    assert dimmed == pytest.approx(speaks, abs=0.2)
