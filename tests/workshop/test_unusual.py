"""Sets unlike most: what is drawn can still be told apart, and only the set differs in a scene."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

if find_spec("tqdm") is None and not os.environ.get("CI"):
    pytest.skip("the extra `train` is not installed: make test TRAIN=1", allow_module_level=True)

from assistant.tiles import FALSE_JOKER, NUMBERED_TILES, Colour
from vision.workshop.fonts import fonts_for
from vision.workshop.render import Task, render_task
from vision.workshop.sets import SetStyle, draw_face, random_style
from vision.workshop.unusual import at_both_ends, hollow, make_dark, make_unusual, make_worn, on_disc, ringed

seeds = st.integers(0, 10**6).map(np.random.default_rng)
relaxed = settings(max_examples=15)


def picture_of(style: SetStyle, tile: object, rng: np.random.Generator) -> np.ndarray:
    return draw_face(style, tile, rng)[..., :3]  # type: ignore[arg-type]


@pytest.mark.parametrize("draw", [ringed, on_disc, hollow, at_both_ends])
@relaxed
@given(seeds)
def test_numbers_drawn_otherwise_can_be_told_apart(draw: Callable[..., object], rng: np.random.Generator) -> None:
    style = random_style(rng, *fonts_for(held_back=False))
    style.draw_number, style.wear = draw, 0.0  # type: ignore[assignment]
    faces = [picture_of(style, tile, rng) for tile in NUMBERED_TILES[:13]]
    unlike = [np.abs(one - other).max() for i, one in enumerate(faces) for other in faces[:i]]
    assert min(unlike) > 0.25  # a stroke of ink that the other number lacks


@relaxed
@given(seeds)
def test_both_false_jokers_of_a_set_have_its_one_picture(rng: np.random.Generator) -> None:
    pens = fonts_for(held_back=False)
    style = random_style(rng, *pens)
    make_unusual(style, rng)
    style.wear = style.grain = 0.0
    one, two = (style.draw_joker(style, 120, 176, np.random.default_rng(copy)) for copy in (0, 1))
    assert all((mask == other).all() and ink == its for (mask, ink), (other, its) in zip(one, two, strict=True))
    assert max(mask.max() for mask, _ in one) > 0.5
    assert not style.faces, "a face that was drawn before would stay as it was"


def test_only_the_set_is_unusual(fonts: tuple[str, ...]) -> None:
    unlike = 0
    for number in range(10):
        (usual,), (unusual,) = (render_task(Task(number, 5, fonts, hard=True, unusual=how)) for how in (False, True))
        assert usual.truth == unusual.truth
        pictures = [cv2.imdecode(np.frombuffer(one.jpeg, np.uint8), cv2.IMREAD_COLOR) for one in (usual, unusual)]
        assert pictures[0].shape == pictures[1].shape
        unlike += (pictures[0] != pictures[1]).any()
    assert unlike >= 6  # of some sets only the jokers are, and few scenes show one


@pytest.mark.parametrize("kind", ["dark", "worn"])
def test_only_the_set_is_dark_or_worn(fonts: tuple[str, ...], kind: str) -> None:
    for number in range(4):
        (usual,), (other,) = (render_task(Task(number, 5, fonts, hard=True, **{kind: how})) for how in (False, True))
        assert usual.truth == other.truth
        pictures = [cv2.imdecode(np.frombuffer(one.jpeg, np.uint8), cv2.IMREAD_COLOR) for one in (usual, other)]
        assert pictures[0].shape == pictures[1].shape
        assert (pictures[0] != pictures[1]).any()


@relaxed
@given(seeds)
def test_numbers_are_lighter_than_dark_faces_and_the_lightest_stand_for_black(rng: np.random.Generator) -> None:
    style = random_style(rng, *fonts_for(held_back=False))
    make_dark(style, rng)
    inks = {colour: max(ink) - max(style.face) for colour, ink in style.inks.items()}
    assert min(inks.values()) > 0.5
    saturation = {colour: 1 - min(ink) / max(ink) for colour, ink in style.inks.items()}
    assert min(saturation, key=saturation.__getitem__) is Colour.BLACK
    assert set(style.joker_inks) <= set(style.inks.values())


@relaxed
@given(seeds)
def test_worn_numbers_have_less_ink_but_lie_where_they_did(rng: np.random.Generator) -> None:
    style = random_style(rng, *fonts_for(held_back=False))
    style.wear = style.engraving = style.dish = style.emboss = style.border = style.grain = 0.0
    style.face, style.inks = (1.0, 1.0, 1.0), dict.fromkeys(Colour, (0.0, 0.0, 0.0))
    new = 1 - picture_of(style, NUMBERED_TILES[7], np.random.default_rng(1)).min(2)
    make_worn(style, rng)
    style.faces.clear()
    worn = 1 - picture_of(style, NUMBERED_TILES[7], np.random.default_rng(1)).min(2)
    inked = new > 0.9
    assert 0.25 < worn[inked].mean() < 0.999
    assert (worn <= new + 0.05).all()


def test_jokers_take_the_place_of_the_share_that_is_asked_for(fonts: tuple[str, ...]) -> None:
    shown = jokers = 0
    for number in range(12):
        (usual,), (more,) = (render_task(Task(number, 5, fonts, hard=True, jokers=share)) for share in (0.0, 0.5))
        assert [tile["polygon"] for tile in usual.truth["tiles"]] == [tile["polygon"] for tile in more.truth["tiles"]]
        for was, now in zip(usual.truth["tiles"], more.truth["tiles"], strict=True):
            assert now["tile"] in (was["tile"], str(FALSE_JOKER))
            shown, jokers = shown + 1, jokers + (now["tile"] == str(FALSE_JOKER))
    assert 0.35 < jokers / shown < 0.65
