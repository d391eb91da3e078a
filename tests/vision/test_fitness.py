"""Which live pictures may be judged."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.mjpeg import noisy
from vision import fitness
from vision.fitness import Fitness
from vision.straighten import Picture
from vision.trouble import Trouble


def fit(pictures: list[Picture], rate: float = 10.0) -> list[Trouble | None]:
    fitness = Fitness()
    return [fitness.trouble(picture, number / rate) for number, picture in enumerate(pictures)]


def test_a_healthy_picture_is_fit_in_any_light_in_which_something_is_seen() -> None:
    assert fit([noisy(seed) for seed in range(30)]) == [None] * 30
    dim = [np.asarray(noisy(seed) // 6, np.uint8) for seed in range(5)]
    assert fit(dim) == [None] * 5


def test_a_black_picture_is_told_though_its_sensor_has_noise() -> None:
    covered = [np.random.default_rng(seed).integers(0, 12, (120, 160, 3)).astype(np.uint8) for seed in range(3)]
    assert fit([*covered, noisy(0)]) == [Trouble.BLACK] * 3 + [None]


def test_a_picture_that_stands_still_to_the_bit_is_frozen_after_a_while_and_thaws_at_once() -> None:
    told = fit([noisy(0)] * 40 + [noisy(1)])
    assert told[: int(10 * fitness.FROZEN_AFTER)] == [None] * int(10 * fitness.FROZEN_AFTER)
    assert told[25:40] == [Trouble.FROZEN] * 15
    assert told[40] is None


@pytest.mark.parametrize("colour", fitness.FILLED_IN)
def test_a_picture_whose_lower_part_was_filled_in_by_the_decoder_is_torn(colour: tuple[int, int, int]) -> None:
    torn = noisy(1)
    torn[90:] = colour
    assert fit([noisy(0), torn, noisy(2)]) == [None, Trouble.TORN, None]


def test_a_picture_that_ends_with_the_one_before_is_torn() -> None:
    first, second = noisy(0), noisy(1)
    torn = np.concatenate([second[:60], first[60:]])
    assert fit([first, torn, noisy(2)]) == [None, Trouble.TORN, None]


def test_a_drawn_scene_without_noise_is_not_taken_for_torn_for_ever() -> None:
    still = noisy(0)
    scenes = []
    for number in range(10):
        scene = still.copy()
        scene[:20] = noisy(number + 1)[:20]
        scenes += [scene, scene]  # and every picture sent twice
    assert fit(scenes, 30.0)[-12:] == [None] * 12


def test_bars_above_and_below_a_picture_are_no_damage() -> None:
    barred = [noisy(seed) for seed in range(5)]
    for picture in barred:
        picture[:15] = picture[-15:] = 0
    assert fit(barred) == [None] * 5
