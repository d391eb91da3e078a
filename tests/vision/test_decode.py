"""From chances to tiles that one set can hold."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.tiles import FACE_DOWN, UNREADABLE
from tests.vision.test_colours import a_blue_tile_that_looks_black
from vision.decode import CALIBRATION, FACES, RAW, calibrated, decode, face_chances

GREY = np.full((1, 3), 0.3, np.float32)


def chances(seed: int, count: int, sharp: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    number = rng.dirichlet(np.full(16, 1 / sharp), count).astype(np.float32)
    colour = rng.dirichlet(np.full(4, 1 / sharp), count).astype(np.float32)
    return number, colour, rng.uniform(0, 1, (count, 3)).astype(np.float32)


def seen(count: int, score: float = 0.9) -> np.ndarray:
    """The locator's scores of that many tiles."""
    return np.full(count, score, np.float32)


def certain(number: int, colour: int, chance: float = 0.99) -> tuple[np.ndarray, np.ndarray]:
    numbers, colours = np.full(16, (1 - chance) / 15), np.full(4, (1 - chance) / 3)
    numbers[number], colours[colour] = chance, chance
    return numbers.astype(np.float32), colours.astype(np.float32)


@settings(max_examples=50)
@given(st.integers(0, 10**6), st.integers(1, 40), st.sampled_from([1.0, 5.0, 30.0]))
def test_never_more_than_a_set_holds(seed: int, count: int, sharp: float) -> None:
    decoded = decode(*chances(seed, count, sharp), seen(count))
    held = Counter(g for g, real in zip(decoded.guesses, decoded.is_tile, strict=True) if real and g != FACE_DOWN)
    assert max(held.values(), default=0) <= 2
    assert all(0 <= confidence <= 1 for confidence in decoded.confidence)


@pytest.mark.parametrize(("blank", "face", "is_tile"), [(0.3, 0.1, True), (0.1, 0.3, False)])
def test_what_bears_no_mark_is_left_to_what_lies_beside_it(blank: float, face: float, is_tile: bool) -> None:
    """The classifier sees no tile there, if one then more likely face down, or face up."""
    number = np.zeros((1, 16), np.float32)
    number[0, [6, 14, 15]] = face, blank, 1 - blank - face
    decoded = decode(number, np.array([[1, 0, 0, 0]], np.float32), GREY, seen(1))
    assert decoded.is_tile == (is_tile,)
    assert (decoded.guesses[0] == FACE_DOWN) == is_tile


def test_what_is_no_tile_is_guessed_to_be_what_it_looks_like_most() -> None:
    number = np.zeros((1, 16), np.float32)
    number[0, [6, 15]] = 0.1, 0.9
    decoded = decode(number, np.array([[0, 0, 1, 0]], np.float32), GREY, seen(1))
    assert (decoded.is_tile, str(decoded.guesses[0])) == ((False,), "B7")


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_the_assignment_is_the_likeliest_of_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    number = np.zeros((4, 16), np.float32)
    number[:, :2] = rng.dirichlet([1, 1], 4)
    colour = np.tile(np.array([1, 0, 0, 0], np.float32), (4, 1))
    decoded = decode(number, colour, np.repeat(GREY, 4, 0), seen(4))
    faces = face_chances(number, colour)[0]
    best = max(
        (picked for picked in product(range(2), repeat=4) if picked.count(0) == 2),
        key=lambda picked: np.prod([faces[i, face] + 1e-7 for i, face in enumerate(picked)]),
    )
    assert [FACES.index(guess) for guess in decoded.guesses] == list(best)


def test_what_is_certain_stays() -> None:
    pairs = [certain(4, 0), certain(12, 3), certain(13, 1), certain(14, 2), certain(15, 2)]
    decoded = decode(np.stack([n for n, _ in pairs]), np.stack([c for _, c in pairs]), np.repeat(GREY, 5, 0), seen(5))
    assert [str(tile) for tile in decoded.tiles[:4]] == ["R5", "Y13", "J", "#"]
    assert decoded.is_tile == (True, True, True, True, False)


def test_a_guess_is_shown_as_doubt() -> None:
    number, colour = certain(4, 0, 0.4)
    decoded = decode(number[None], colour[None], GREY, seen(1, 0.8))
    assert decoded.tiles == (UNREADABLE,)
    assert str(decoded.guesses[0]) == "R5"


def test_a_place_that_the_locator_doubts_is_read_with_less_confidence() -> None:
    number, colour = certain(4, 0, 0.97)
    sure, doubted, hardly = (decode(number[None], colour[None], GREY, seen(1, score)) for score in (0.9, 0.5, 0.15))
    assert sure.confidence[0] > 0.9 > doubted.confidence[0] > hardly.confidence[0]
    assert [str(decoded.tiles[0]) for decoded in (sure, doubted)] == ["R5", "R5"]


def test_what_both_networks_doubt_is_passed_over() -> None:
    number, colour = certain(4, 0, 0.6)
    located, doubted = (decode(number[None], colour[None], GREY, seen(1, score)) for score in (0.9, 0.15))
    assert (located.is_tile[0], doubted.is_tile[0]) == (True, False)


def test_confidence_grows_with_both_networks_chances() -> None:
    chance = np.linspace(0, 1, 21)
    every = np.array([calibrated(chance, np.full(21, score), CALIBRATION) for score in chance])
    assert (np.diff(every, axis=0) >= 0).all()
    assert (np.diff(every, axis=1) >= 0).all()
    assert np.allclose(calibrated(chance[1:-1], chance[1:-1], RAW), chance[1:-1])


def test_three_of_a_kind_are_reported() -> None:
    pairs = [certain(11, 1)] * 3
    decoded = decode(np.stack([n for n, _ in pairs]), np.stack([c for _, c in pairs]), np.repeat(GREY, 3, 0), seen(3))
    assert [str(warning) for warning in decoded.warnings] == ["three K12 are seen; a set has two"]


def test_a_colour_that_only_the_inks_beside_it_tell_is_not_called_sure() -> None:
    colour, inks = a_blue_tile_that_looks_black()
    numbers = np.stack([certain(number, 0, 0.999)[0] for number in range(10)])
    decoded = decode(numbers, colour, inks, seen(10, 0.95))
    assert [str(guess) for guess in decoded.guesses] == ["R1", "R2", "R3", "K4", "K5", "K6", "B7", "B8", "B9", "B10"]
    assert min(decoded.stated[:9]) > 0.9 > decoded.stated[9] > 0.8
    assert decoded.confidence[9] > 0.9, "the inks tell it clearly"


def test_a_colour_that_may_be_one_that_is_not_seen_is_not_called_sure() -> None:
    """A red and a black 5, the red one perhaps yellow; beside them a yellow 7, which is there or is not sure itself."""

    def stated(yellow: float) -> tuple[float, ...]:
        numbers = np.stack([certain(number, 0, 0.999)[0] for number in (4, 4, 6)])
        colours = np.array([[0.995, 0, 0, 0.005], [0, 1, 0, 0], [1 - yellow, 0, 0, yellow]], np.float32)
        decoded = decode(numbers, colours, np.repeat(GREY, 3, 0), seen(3))
        assert [str(guess) for guess in decoded.guesses] == ["R5", "K5", "Y7"]
        return decoded.stated

    red, black, beside = stated(0.999)
    assert min(red, black, beside) > 0.9
    red, black, beside = stated(0.8)
    assert black > 0.9 > red > 0.8
    assert beside < 0.9


@pytest.mark.parametrize("ink", [(0.69, 0.74, 0.35), (0.74, 0.69, 0.35)])
def test_greenish_blue_is_sure_only_beside_yellow(ink: tuple[float, float, float]) -> None:
    """Without, it may be green in place of yellow, however surely it seems blue; what is bluer than green may not."""
    greenish = ink[1] > ink[0]
    numbers = np.stack([certain(number, 0, 0.999)[0] for number in (2, 6)])
    inks = np.array([ink, (0.1, 0.7, 0.9)], np.float32)
    for beside, sure in ((3, True), (0, not greenish)):
        colours = np.eye(4, dtype=np.float32)[[2, beside]]
        decoded = decode(numbers, colours, inks, seen(2))
        assert str(decoded.guesses[0]) == "B3"
        assert (decoded.stated[0] >= 0.9) == sure


@pytest.mark.parametrize(("number", "other"), [(5, 8), (8, 5)])
def test_a_six_that_may_be_a_nine_upside_down_is_not_called_sure(number: int, other: int) -> None:
    ways = {chance: certain(number, 0, 1 - chance) for chance in (0.001, 0.003)}
    for chance, (numbers, _) in ways.items():
        numbers[:] = 0
        numbers[[number, other]] = 1 - chance, chance
    clear, doubted = (decode(numbers[None], colours[None], GREY, seen(1)) for numbers, colours in ways.values())
    assert clear.stated[0] > 0.9 > doubted.stated[0]
    assert clear.tiles == doubted.tiles == (FACES[number],)
    numbers, colours = certain(4, 0, 0.999)
    numbers[:] = 0
    numbers[[4, other]] = 0.993, 0.007
    assert decode(numbers[None], colours[None], GREY, seen(1)).stated[0] > 0.9, "a 5 is no other number upside down"


def test_only_what_is_read_clearly_is_called_sure() -> None:
    decoded = [decode(number[None], colour[None], GREY, seen(1)) for number, colour in (certain(4, 0, chance) for chance in (0.95, 0.999))]
    (likely, clear), (said_of_likely, said_of_clear) = ([each.confidence[0] for each in decoded], [each.stated[0] for each in decoded])
    assert 0.9 < likely < clear == said_of_clear
    assert 0.8 < said_of_likely < 0.9, "what is wrong once in 20 times is shown as doubt"
    assert [str(each.tiles[0]) for each in decoded] == ["R5", "R5"]


@pytest.mark.parametrize(("number", "may_be_worn"), [(2, True), (4, True), (6, True), (7, False), (10, False)])
def test_a_number_that_may_be_a_part_of_another_is_not_sure_among_worn_ones(number: int, may_be_worn: bool) -> None:
    """Beside it five more numbers, one or two of them hard to read; what is perfectly clear is sure even there."""

    def stated(chance: float, *beside: float) -> float:
        numbers, colours = zip(certain(number, 0, chance), *(certain(k, 1, each) for k, each in enumerate(beside)), strict=True)
        return decode(np.stack(numbers), np.stack(colours), np.repeat(GREY, len(numbers), 0), seen(len(numbers))).stated[0]

    one, two = (0.9, 0.9999, 0.9999, 0.9999, 0.9999), (0.9, 0.9, 0.9999, 0.9999, 0.9999)
    assert stated(0.999, *one) > 0.9
    assert (stated(0.999, *two) < 0.9) == may_be_worn
    assert stated(0.99999, *two) > 0.9
    assert stated(0.999, 0.9, 0.9) > 0.9, "two others tell nothing of the set"


def test_what_the_locator_hardly_finds_is_not_called_sure() -> None:
    number, colour = certain(4, 0, 0.9999)
    found, hardly = (decode(number[None], colour[None], GREY, seen(1, score)) for score in (0.6, 0.35))
    assert found.stated[0] > 0.9 > hardly.stated[0]
    assert hardly.confidence[0] > 0.98, "what it shows is clear"


def test_a_false_joker_is_sure_only_where_it_is_clearer_than_a_number() -> None:
    """What else looks like a picture is the mark below a number that is hidden."""
    for chance, joker_is_sure in ((0.997, False), (0.9999, True)):
        joker, number = (
            decode(kind[None], colour[None], GREY, seen(1)) for kind, colour in (certain(13, 0, chance), certain(4, 0, 0.9999))
        )
        assert (str(joker.guesses[0]), joker.stated[0] > 0.9) == ("J", joker_is_sure)
        assert number.stated[0] > 0.9


def test_no_tiles() -> None:
    empty = decode(np.zeros((0, 16), np.float32), np.zeros((0, 4), np.float32), np.zeros((0, 3), np.float32), seen(0))
    assert empty.tiles == ()
