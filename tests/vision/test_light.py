"""In what light a picture was taken."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.light import is_colourless
from vision.straighten import Pyramid

TILE = np.array([[0, 0], [40, 0], [40, 60], [0, 60]], np.float32)


@pytest.mark.parametrize(("one_ink", "other_ink", "colourless"), [((66, 26, 26), (26, 26, 66), False), ((28, 28, 28), (40, 40, 40), True)])
def test_a_few_small_tiles_on_a_grey_table_show_that_there_are_colours(
    one_ink: tuple[int, int, int], other_ink: tuple[int, int, int], colourless: bool
) -> None:
    """Their inks are dark, so that the channels hardly differ, and they cover less than a fiftieth of the picture."""
    picture = np.full((1200, 1600, 3), 150, np.uint8)
    corners = TILE + np.array([[[200 + 80 * i, 500]] for i in range(6)], np.float32)
    for i, quad in enumerate(corners):
        x, y = (int(value) for value in quad[0])
        cv2.rectangle(picture, (x, y), (x + 39, y + 59), (220, 220, 220), -1)
        cv2.rectangle(picture, (x + 12, y + 12), (x + 26, y + 44), one_ink if i % 2 else other_ink, -1)
    noise = np.random.default_rng(0).normal(0, 4, picture.shape[:2])
    picture = np.clip(picture + noise[..., None], 0, 255).astype(np.uint8)
    inks = np.array([one_ink if i % 2 else other_ink for i in range(6)], np.float32) / 220 * 0.6
    assert is_colourless(Pyramid(picture), corners, inks) == colourless
