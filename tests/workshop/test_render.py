"""Scenes whose parts are solid: what hides what, what lies on what, and pictures traced with light's own paths."""

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

from assistant.tiles import FACE_DOWN, Tile
from vision.inks import green_among
from vision.reading import Place
from vision.workshop import render
from vision.workshop.fonts import find_fonts, pens_of
from vision.workshop.paint import Painter, random_light
from vision.workshop.photos import load_truth, split_of
from vision.workshop.scene import (
    FAR,
    HARD_KINDS,
    Camera,
    HardKind,
    Scene,
    Slab,
    aimed_camera,
    flat,
    groups_scene,
    piled,
    random_camera,
    turned_over,
)
from vision.workshop.sets import put_green, random_style
from vision.workshop.visibility import Visibility

HEIGHT, THICKNESS, SIZE = 1.4, 0.3, (320, 240)
STEEP, OKEY, GROUPS = HARD_KINDS
seeds = st.integers(0, 10**6).map(np.random.default_rng)


def seen(scene: Scene, camera: Camera) -> Visibility:
    return Visibility(scene, camera, HEIGHT, THICKNESS, SIZE)


def above(scene: Scene) -> Camera:
    return Camera.looking_at(np.zeros(3), 0.0, np.pi / 2, 0.0, 12.0, 300.0, SIZE)


def test_faces_are_seen_where_they_are_painted(fonts: tuple[str, ...]) -> None:
    rng = np.random.default_rng(7)
    style = replace(random_style(rng, *pens_of(fonts, held_back=False)), height=HEIGHT, thickness=THICKNESS)
    scene = piled(groups_scene(rng, HEIGHT, THICKNESS), HEIGHT, THICKNESS)
    large = (960, 720)
    camera = random_camera(rng, scene, large)
    painter = Painter(camera, style, random_light(rng), large, rng)
    painter.paint(scene)
    visible = Visibility(scene, camera, HEIGHT, THICKNESS, large)
    painted = np.array([0, *(1 + next(i for i, other in enumerate(visible.order) if other is tile) for tile in painter.order)])
    faces = (painter.owner > 0) | (visible.owner > 0)
    assert (painted[painter.owner] == visible.owner)[faces].mean() > 0.88  # the painter's outlines are a pixel wider


def test_what_is_nearer_hides_what_is_farther_in_any_order() -> None:
    low, high = flat(Tile.parse("R5"), 0, 0, 0, THICKNESS, 0), flat(Tile.parse("B7"), 0, 0.5, 0, 2 * THICKNESS, 0)
    board = Slab(np.array([[-3.0, -3, 2], [3, -3, 2], [3, 0, 2], [-3, 0, 2]]), np.ones(3), np.array([0, 0, 0.2]))
    whole = np.bincount(seen(Scene([low]), above(Scene())).owner.ravel())[1]
    for things in ([low, high], [high, low]):
        view = seen(Scene([*things]), above(Scene()))
        counts = np.bincount(view.owner.ravel())
        below = 1 + next(i for i, tile in enumerate(view.order) if tile is low)
        assert counts[below] == pytest.approx(whole / 2, rel=0.06)
    assert np.bincount(seen(Scene([board, low]), above(Scene())).owner.ravel())[1] == pytest.approx(whole / 2, rel=0.15)


@settings(max_examples=40)
@given(seeds, st.floats(1.1, 1.62), st.floats(0.12, 0.45))
def test_no_board_goes_through_a_tile(rng: np.random.Generator, height: float, thickness: float) -> None:
    for kind in (STEEP, OKEY):
        scene = kind.arrange(rng, height, thickness)
        for tile in (tile for tile in scene.tiles if tile.place is Place.RACK):
            for board in (thing for thing in scene.things if isinstance(thing, Slab)):
                corners = np.concatenate([board.corners, board.corners + board.body]) - tile.centre
                depth, rise = corners @ tile.normal, corners @ np.cross(tile.normal, [1, 0, 0])
                apart = (depth <= -thickness + 0.06).all() or (rise <= -height / 2 + 0.06).all() or (depth >= -0.06).all()
                below_and_behind = (rise[depth > -thickness + 0.06] <= -height / 2 + 0.06).all()
                assert apart or below_and_behind


@settings(max_examples=40)
@given(seeds)
def test_loose_tiles_lie_on_those_they_would_go_through(rng: np.random.Generator) -> None:
    tiles = GROUPS.arrange(rng, HEIGHT, THICKNESS).tiles
    outlines = [tile.corners(HEIGHT)[:, :2].astype(np.float32) for tile in tiles]
    for i, tile in enumerate(tiles):
        assert tile.centre[2] >= THICKNESS
        for j in range(i):
            level = abs(tile.centre[2] - tiles[j].centre[2]) < THICKNESS - 1e-6
            assert not (level and cv2.intersectConvexConvex(outlines[i], outlines[j])[0] > 0.03)


@settings(max_examples=40)
@given(seeds)
def test_steep_views_are_steep(rng: np.random.Generator) -> None:
    scene = STEEP.arrange(rng, HEIGHT, THICKNESS)
    camera = aimed_camera(rng, scene, SIZE, STEEP.view(rng, scene), FAR)
    normal = np.mean([tile.normal for tile in scene.tiles], 0)
    off = np.degrees(np.arccos(-camera.forward @ normal / np.linalg.norm(normal)))
    assert 25 <= off <= 75


@pytest.mark.parametrize(("seed", "kind"), [(5150, GROUPS), (2020, OKEY), (4266, STEEP)])
def test_cameras_stay_near_the_tiles_they_are_aimed_at(seed: int, kind: HardKind) -> None:
    rng = np.random.default_rng(seed)
    scene = kind.arrange(rng, HEIGHT, THICKNESS)
    camera = aimed_camera(rng, scene, SIZE, kind.view(rng, scene), FAR)
    places = camera.project(np.array([tile.centre for tile in scene.tiles]))
    assert ((places > 0) & (places < SIZE)).all(1).mean() > 0.5
    assert np.linalg.norm(camera.position - np.mean([tile.centre for tile in scene.tiles], 0)) < 2 * FAR


def test_hard_scenes_in_fonts_of_no_training_are_held_back(tmp_path: Path) -> None:
    assert render.main([str(tmp_path), "--hard", "--held-back", "--count", "4", "--seed", "5", "--processes", "1"]) == 0
    photos = load_truth(tmp_path)
    assert len(photos) == 4
    assert {split_of(photo) for photo in photos} == {"held_back"}
    assert all(photo.tiles for photo in photos)


def test_large_scenes_show_tiles_as_large_as_a_phone_does(tmp_path: Path) -> None:
    assert render.main([str(tmp_path), "--hard", "--large", "--count", "1", "--seed", "92", "--processes", "1"]) == 0
    [photo] = load_truth(tmp_path)
    assert photo.size in render.LARGE_SIZES
    sides = [float(np.linalg.norm(np.subtract(outline[0], outline[1]))) for _, outline in photo.tiles or ()]
    assert np.median(sides) > 60
    assert cv2.imread(str(tmp_path / "images" / photo.photo)).shape[1::-1] == photo.size


@settings(max_examples=20)
@given(seeds, st.floats(0, 0.5))
def test_the_indicator_is_never_turned_over(rng: np.random.Generator, share: float) -> None:
    scene = OKEY.arrange(rng, HEIGHT, THICKNESS)
    turned = turned_over(scene, share, rng)
    assert len(turned.things) == len(scene.things)
    for before, after in zip(scene.tiles, turned.tiles, strict=True):
        assert after.tile == before.tile or (after.tile == FACE_DOWN and before.place is not Place.INDICATOR)
        assert after.place is before.place and (after.centre == before.centre).all()


def test_as_many_tiles_are_turned_over_as_asked_for(tmp_path: Path) -> None:
    shown: dict[str, dict[tuple[tuple[float, float], ...], Tile]] = {}
    for share in ("0", "0.3"):
        assert render.main([str(tmp_path / share), "--hard", "--face-down", share, "--count", "16", "--seed", "8", "--processes", "1"]) == 0
        shown[share] = {outline: tile for photo in load_truth(tmp_path / share) for tile, outline in photo.tiles or ()}
    as_they_were, turned = shown["0"], shown["0.3"]
    assert turned.keys() == as_they_were.keys()
    assert all(tile in (as_they_were[outline], FACE_DOWN) for outline, tile in turned.items())
    more = sum(turned[outline] != tile for outline, tile in as_they_were.items())
    assert 0.15 < more / len(turned) < 0.45


@pytest.mark.parametrize(
    ("options", "what_to_do"),
    [
        (["--face-down", "0.6"], "give a share from 0 to 0.5"),
        (["--face-down", "-0.1"], "give a share from 0 to 0.5"),
        (["--jokers", "0.6"], "give a share from 0 to 0.5"),
        (["--face-down", "0.1", "--a-set", "2"], "leave --a-set out"),
        (["--jokers", "0.1", "--a-set", "2"], "leave --a-set out"),
        (["--hard", "--a-set", "2"], "leave --a-set out"),
        (["--clutter", "--a-set", "2"], "leave --a-set out"),
        (["--count", "-3"], "--count is -3: give 1 or more"),
        (["--a-set", "-2"], "--a-set is -2: give 0 or more"),
        (["--first", "-5"], "--first is -5: give 0 or more"),
        (["--seed", "-1"], "--seed is -1: give 0 or more"),
        (["--processes", "0"], "--processes is 0: give 1 or more"),
        (["--clutter", "--physical"], "leave --physical or --clutter out"),
    ],
)
def test_what_cannot_be_rendered_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], what_to_do: str
) -> None:
    with pytest.raises(SystemExit) as stopped:
        render.main([str(tmp_path), *options])
    assert stopped.value.code == 2
    assert what_to_do in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_without_fonts_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.workshop.fonts.FONT_FOLDERS", ())
    with pytest.raises(ValueError, match="install the packages"):  # which the commands print
        find_fonts()


@settings(max_examples=20)
@given(seeds)
def test_an_okey_rack_has_its_indicator(rng: np.random.Generator) -> None:
    scene = OKEY.arrange(rng, HEIGHT, THICKNESS)
    shown = [tile for tile in scene.tiles if tile.place is Place.INDICATOR]
    assert len(shown) == 1 or any(str(tile.tile) == "J" for tile in scene.tiles if tile.place is Place.TABLE)


@pytest.mark.skipif(find_spec("bpy") is not None, reason="bpy is installed")
def test_without_blender_a_sentence_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert render.main([str(tmp_path), "--physical", "--count", "1"]) == 2
    assert "pip install 'istaka[physical]'" in capsys.readouterr().err


def test_a_set_with_green_has_it_in_place_of_one_colour(fonts: tuple[str, ...]) -> None:
    """Now and then a set has green of itself: then it is not given another green."""
    pens = pens_of(fonts, held_back=False)
    by_itself = 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        style = random_style(rng, *pens)
        before = dict(style.inks)
        put_green(style, rng)
        assert len(green_among({colour: ink[::-1] for colour, ink in style.inks.items()})) == 1
        by_itself += style.inks == before
    assert 0 < by_itself < 30


@pytest.mark.blender
def test_traced_faces_lie_where_truth_says(fonts: tuple[str, ...]) -> None:
    from vision.workshop.physical import trace

    rng = np.random.default_rng(3)
    style = random_style(rng, *pens_of(fonts, held_back=False))
    style = replace(style, height=HEIGHT, thickness=THICKNESS, face=(1.0, 1.0, 1.0), side=(0.0, 0.0, 0.0), back=(0.0, 0.0, 0.0))
    scene = STEEP.arrange(rng, HEIGHT, THICKNESS)
    for thing in scene.things:
        if isinstance(thing, Slab):
            thing.colour, thing.textured = np.zeros(3), False
        else:
            thing.tile = Tile.parse("K1")
    camera = aimed_camera(rng, scene, SIZE, STEEP.view(rng, scene), FAR)
    visible = seen(scene, camera)
    canvas = trace(scene, style, camera, visible.owner, SIZE, np.random.default_rng(4), warm=False)
    assert canvas.shape == (SIZE[1], SIZE[0], 3)
    edges = cv2.morphologyEx((visible.owner > 0).astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    light = cv2.magnitude(*(cv2.Sobel(canvas.mean(2), cv2.CV_32F, x, 1 - x) for x in (1, 0)))
    assert light[edges].mean() > 5 * light[~edges].mean()


@pytest.mark.parametrize("engine", ["local", pytest.param("ray", marks=pytest.mark.slow)])
def test_every_engine_renders_the_same_pictures_and_what_is_there_stays(engine: str, tmp_path: Path, fonts: tuple[str, ...]) -> None:
    if engine == "ray":
        pytest.importorskip("ray", reason="needs pip install '.[ray]'")
    tasks = [render.Task(number, 6, fonts, hard=number > 2) for number in range(5)]
    here, there = tmp_path / "here", tmp_path / "there"
    render.render(here, tasks, render.render_task)
    render.render(there, tasks[:2], render.render_task, engine, processes=2)
    stamps = [path.stat().st_mtime_ns for path in sorted((there / "images").iterdir())]
    render.render(there, tasks, render.render_task, engine, processes=2)
    assert [path.stat().st_mtime_ns for path in sorted((there / "images").iterdir())][:2] == stamps
    for name in ("truth.jsonl", *(f"images/{number:06}.jpg" for number in range(5))):
        assert (there / name).read_bytes() == (here / name).read_bytes()
