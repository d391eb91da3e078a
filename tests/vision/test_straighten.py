"""Crops of a picture and of its smaller copies."""

from __future__ import annotations

import numpy as np
import pytest

from vision.straighten import Pyramid


@pytest.mark.parametrize("width", [250, 251, 255])
def test_a_halved_picture_stays_in_its_place_whatever_its_size(width: int) -> None:
    ramp = np.repeat(np.arange(width, dtype=np.uint8)[None, :, None], 3, axis=2)
    pyramid = Pyramid(np.repeat(ramp, 9, axis=0))
    for index in (1, 2, 3):
        row = pyramid.level(index)[0, :, 0].astype(float)
        step = 2**index
        assert row == pytest.approx(step * np.arange(len(row)) + (step - 1) / 2, abs=1.5)


def test_a_picture_of_a_few_pixels_can_be_halved_for_ever() -> None:
    assert Pyramid(np.zeros((3, 1, 3), np.uint8)).level(5).shape == (1, 1, 3)
