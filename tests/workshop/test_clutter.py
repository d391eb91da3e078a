"""Cards, dice, glasses and sheets beside tiles: they lie through nothing and change no label."""

from __future__ import annotations

import os
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

if find_spec("tqdm") is None and not os.environ.get("CI"):
    pytest.skip("the extra `train` is not installed: make test TRAIN=1", allow_module_level=True)

from assistant.tiles import Tile
from vision.workshop import render
from vision.workshop.alter import ALTERATIONS, SEED, strewn
from vision.workshop.clutter import KINDS, MOST, any_clutter, with_clutter
from vision.workshop.fonts import Pens, pens_of
from vision.workshop.paint import Painter, random_light
from vision.workshop.photos import LabelledPhoto, load_truth
from vision.workshop.scene import Block, Camera, Clutter, Glass, PlacedTile, Scene, Slab, flat, rack_scene, scattered_scene
from vision.workshop.sets import random_style

HEIGHT, THICKNESS = 1.4, 0.3
BETWEEN = "cards, dice and sheets between the tiles"
seeds = st.integers(0, 10**6).map(np.random.default_rng)


@pytest.fixture(scope="module")
def pens(fonts: tuple[str, ...]) -> Pens:
    return pens_of(fonts, held_back=False)


def _added(before: Scene, after: Scene) -> list[Clutter]:
    assert [thing for thing in after.things if isinstance(thing, PlacedTile | Slab)] == before.things
    return [thing for thing in after.things if isinstance(thing, Block | Glass)]


@settings(max_examples=30)
@given(rng=seeds, on_rack=st.booleans())
def test_nothing_solid_goes_through_a_tile_or_a_rack(pens: Pens, rng: np.random.Generator, on_rack: bool) -> None:
    scene = (rack_scene if on_rack else scattered_scene)(rng, HEIGHT, THICKNESS)
    things = _added(scene, with_clutter(scene, pens, rng))
    assert len(things) <= MOST
    for thing in things:
        if thing.is_sheet:
            continue
        at = thing.centre[:2]
        assert all(np.hypot(*(at - tile.centre[:2])) >= thing.reach + 0.5 for tile in scene.tiles)
        for board in (board.corners[:, :2] for board in scene.things if isinstance(board, Slab)):
            assert (at < board.min(0) - thing.reach).any() or (at > board.max(0) + thing.reach).any()


def test_there_is_always_something_when_there_are_no_tiles(pens: Pens) -> None:
    for seed in range(8):
        assert 1 <= len(_added(Scene(), with_clutter(Scene(), pens, np.random.default_rng(seed)))) <= MOST


@pytest.mark.parametrize("draw", [kind for kind, _ in KINDS], ids=lambda kind: kind.__name__)
def test_pictures_are_as_wide_and_high_as_what_bears_them(draw: object, pens: Pens) -> None:
    assert callable(draw)
    for seed in range(6):
        thing = draw(np.random.default_rng(seed), pens)
        if isinstance(thing, Glass):
            assert all(radius > 0 and high >= 0 for radius, high, _ in thing.rings)
            continue
        width, height, _ = thing.size
        for picture in (thing.top, *thing.walls):
            assert picture.min() >= 0
            assert picture.max() <= 1.001
        assert thing.top.shape[1] / len(thing.top) == pytest.approx(width / height, rel=0.1)
        assert np.linalg.norm(thing.corners[1] - thing.corners[0]) == pytest.approx(width)


def test_the_sides_of_a_die_differ(pens: Pens) -> None:
    die = next(thing for seed in range(200) if (thing := any_clutter(np.random.default_rng(seed), pens)) and getattr(thing, "walls", ()))
    assert isinstance(die, Block)
    assert len({side.tobytes() for side in (die.top, *die.walls)}) == 5


def test_a_tile_lies_on_a_sheet_and_behind_a_box(pens: Pens) -> None:
    size = (320, 240)
    style = replace(random_style(np.random.default_rng(1), *pens), height=HEIGHT, thickness=THICKNESS)
    low = Camera.looking_at(np.zeros(3), 0.0, np.radians(25), 0.0, 12.0, 300.0, size)
    tile = flat(Tile.parse("R5"), 0, 0, 0, THICKNESS, 0)
    sheet, box = (
        Block(np.zeros(3), np.zeros(3), np.zeros(3), (4, 4, thick), np.ones((20, 20, 4), np.float32), (0.5, 0.5, 0.5))
        for thick in (0.01, 2)
    )

    def seen(*things: Block) -> int:
        rng = np.random.default_rng(2)
        painter = Painter(low, style, random_light(rng), size, rng)
        painter.paint(Scene([tile, *things]))
        return int((painter.owner == 1).sum())

    alone = seen()
    assert alone > 50
    assert seen(sheet.laid(np.zeros(2), 0.3)) == alone
    assert seen(box.laid(np.array([0, -4.0]), 0.0)) < alone / 2


def test_tiles_stay_what_and_where_they_are(tmp_path: Path) -> None:
    outlines = {}
    for options in ((), ("--clutter",)):
        folder = tmp_path / f"with{len(options)}"
        assert render.main([str(folder), *options, "--count", "8", "--seed", "5", "--processes", "1"]) == 0
        outlines[options] = {(tile, outline) for photo in load_truth(folder) for tile, outline in photo.tiles or ()}
    without, among = outlines.values()
    assert among <= without
    assert len(among) > 0.8 * len(without)


def _labelled(photo: str = "one.jpg") -> LabelledPhoto:
    tiles = tuple((Tile.parse("R5"), ((x, 200.0), (x + 60, 200.0), (x + 60, 290.0), (x, 290.0))) for x in (200.0, 500.0))
    return LabelledPhoto(photo, "rendered", "table", (800, 600), tiles, None, None, False, None, (), False)


def test_things_are_laid_between_the_tiles_of_a_photo_not_on_them() -> None:
    picture = np.full((600, 800, 3), 60, np.uint8)
    changed = []
    for number in range(6):
        photo, altered = ALTERATIONS[BETWEEN].of(_labelled(f"{number}.jpg"), picture)
        assert photo == _labelled(f"{number}.jpg")
        for _, outline in photo.tiles or ():
            inside = cv2.fillConvexPoly(np.zeros((600, 800), np.uint8), np.array(outline, np.int32), 1) > 0
            assert (altered[inside] == 60).all()
        changed.append((altered != picture).any(2).mean())
    assert np.median(changed) > 0.005
    unplaced = replace(_labelled(), tiles=None, contains=())
    assert (strewn(True, 6, SEED)(unplaced, picture) == picture).all()
