"""The workshop from end to end, small: scenes rendered, every part trained some steps, exported, and run on ONNX Runtime."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np
import pytest

if find_spec("torch") is None and not os.environ.get("CI"):
    pytest.skip("the extra `train` is not installed: make test TRAIN=1", allow_module_level=True)

import onnx
import torch
from onnx import numpy_helper
from PIL import Image
from torch import nn

from assistant import cli
from vision.classify import FACE_DOWN_COLUMN
from vision.decode import FACES
from vision.locate import Locator, boxes_from
from vision.straighten import Pyramid, white_balanced
from vision.weights import MODELS, open_network
from vision.workshop import detector, export, render, train
from vision.workshop.crops import (
    DARKEST_SHADE,
    UNKNOWN,
    Target,
    as_if_small,
    bent,
    cut_by_edge,
    outline_example,
    shaded,
    tile_crop,
)
from vision.workshop.fonts import fonts_of
from vision.workshop.learn import Batch, CutBatch, Plan
from vision.workshop.networks import CornerNet, TileNet, corner_loss
from vision.workshop.peers import YoloPeer
from vision.workshop.photos import load_truth, picture_of, split_of
from vision.workshop.quantize import calibration_inputs
from vision.workshop.recover import load_onnx
from vision.workshop.yolo import LOCATOR_SHAPE, YOLO

LOCATOR = str(MODELS / "locator.onnx")
A_TILE = {
    "set": "rendered",
    "kind": "table",
    "size": [200, 120],
    "tiles": [{"tile": "R5", "polygon": [[60, 20], [110, 20], [110, 95], [60, 95]]}],
}
"""The truth of a scene with one tile, but for its name."""


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight rendered scenes."""
    folder = tmp_path_factory.mktemp("scenes")
    assert render.main([str(folder), "--count", "8", "--first", "1", "--processes", "2"]) == 0
    return folder


def test_rendered_truth_fits_the_pictures(scenes: Path) -> None:
    photos = load_truth(scenes)
    assert len(photos) == 8
    assert sum(len(photo.tiles or ()) for photo in photos) > 20
    for photo in photos:
        picture = cv2.imread(str(scenes / "images" / photo.photo))
        assert (picture.shape[1], picture.shape[0]) == photo.size
        for _, polygon in photo.tiles or ():
            corners = np.array(polygon)
            across, down = corners[1] - corners[0], corners[3] - corners[0]
            assert across[0] * down[1] - across[1] * down[0] > 0, "corners must go clockwise"


def test_rendering_again_changes_nothing_and_another_seed_does(scenes: Path) -> None:
    fonts = fonts_of(scenes)
    first = render.render_scene(render.Task(3, 1, fonts))
    again = render.render_scene(render.Task(3, 1, fonts))
    other = render.render_scene(render.Task(3, 2, fonts))
    assert np.array_equal(first[0], again[0])
    assert first[1] == again[1]
    assert first[1] != other[1]
    stamp = (scenes / "images" / "000001.jpg").stat().st_mtime_ns
    assert render.main([str(scenes), "--count", "2", "--first", "1", "--processes", "1"]) == 0
    assert (scenes / "images" / "000001.jpg").stat().st_mtime_ns == stamp


def test_a_set_is_shown_in_several_scenes(tmp_path: Path) -> None:
    command = [str(tmp_path), "--count", "2", "--a-set", "2", "--processes", "1", "--seed", "5"]
    assert render.main(command) == 0
    photos = load_truth(tmp_path)
    assert [photo.set for photo in photos] == ["rendered-0000"] * 2 + ["green-0001"] * 2
    assert {split_of(photo) for photo in photos} == {"unseen_set"}
    assert all(photo.kind != "empty" for photo in photos)
    stamps = [path.stat().st_mtime_ns for path in sorted((tmp_path / "images").iterdir())]
    assert render.main(command) == 0
    assert [path.stat().st_mtime_ns for path in sorted((tmp_path / "images").iterdir())] == stamps


def test_a_turned_crop_says_how_it_is_turned(scenes: Path) -> None:
    photo = next(photo for photo in load_truth(scenes) if photo.tiles)
    data = train.Scenes()
    data.add(scenes, [photo], np.random.default_rng(0))
    turns = {tile_crop(data.pyramids[0], data.targets[0], np.random.default_rng(seed))[1] for seed in range(100)}
    assert turns == {0, 1, 2, 3}


def test_tiles_are_also_cut_as_the_reader_finds_them(scenes: Path) -> None:
    photos = [photo for photo in load_truth(scenes) if photo.tiles]
    data = train.Scenes(train.seen_by(MODELS, [picture_of(scenes, photo) for photo in photos]))
    data.add(scenes, photos, np.random.default_rng(0))
    tiles = [target for target in data.targets if target.number < FACE_DOWN_COLUMN]
    found = [target for target in tiles if target.outlined is not None]
    assert len(found) > 0.7 * len(tiles), "the shipped weights find most tiles"
    off = [np.linalg.norm(target.outlined - target.corners, axis=1).mean() for target in found]
    side = [np.linalg.norm(target.corners[0] - target.corners[1]) for target in found]
    assert np.median(np.array(off) / side) < 0.1, "outlines start at the tile's own top left, as its corners do"


@pytest.mark.parametrize("seed", range(12))
def test_an_edge_cuts_a_part_of_the_tile(seed: int) -> None:
    picture = np.random.default_rng(0).integers(0, 255, (300, 400, 3), np.uint8)
    corners = np.array([[180, 100], [230, 110], [220, 190], [170, 180]], np.float32)
    cut, moved = cut_by_edge(Pyramid(picture), corners, np.random.default_rng(seed))
    part = cut.level(0)
    inside = np.clip(moved, 0, [part.shape[1], part.shape[0]])
    left = np.ptp(inside, axis=0) / np.ptp(moved, axis=0)
    assert 0.45 < left.min() < 0.95, "between half and nine tenths of the tile are left"
    assert left.max() == pytest.approx(1)
    x, y = np.round(corners[0] - moved[0]).astype(int)
    assert np.array_equal(part, picture[y : y + part.shape[0], x : x + part.shape[1]]), "the same pixels, moved"


def test_a_tile_at_the_edge_is_not_cut_again() -> None:
    pyramid = Pyramid(np.zeros((100, 100, 3), np.uint8))
    corners = np.array([[-40, 10], [8, 10], [8, 70], [-40, 70]], np.float32)
    same, unmoved = cut_by_edge(pyramid, corners, np.random.default_rng(0))
    assert same is pyramid
    assert unmoved is corners


def test_estimates_of_outlines_slip_by_a_side_and_the_tile_stays_in_the_crop(monkeypatch: pytest.MonkeyPatch) -> None:
    corners = np.array([[170, 110], [230, 110], [230, 190], [170, 190]], np.float32)
    pyramid, target = Pyramid(np.zeros((300, 400, 3), np.uint8)), Target(0, corners, 4, UNKNOWN)
    off = {}
    for chance in (0, 1):
        monkeypatch.setattr("vision.workshop.crops.SLIP_CHANCE", chance)
        wanted = np.array([outline_example(pyramid, target, np.random.default_rng(seed))[1] for seed in range(200)]).reshape(-1, 4, 2)
        off[chance] = np.quantile(np.abs(wanted.mean(1)).max(1), 0.75)
        assert (np.abs(wanted) > 1).any((1, 2)).mean() < 0.2, "the corners can nearly always be seen"
    assert off[1] > 1.5 * off[0], "the tile is not in the middle of its crop"


def test_corners_may_start_anywhere() -> None:
    corners = torch.tensor([[-0.5, -0.7, 0.5, -0.7, 0.5, 0.7, -0.5, 0.7]])
    turned = corners.view(1, 4, 2).roll(1, 1).reshape(1, 8)
    assert float(corner_loss(turned, corners)) == pytest.approx(0, abs=1e-7)
    assert float(corner_loss(corners + 0.1, corners)) > 0.05


def test_the_locator_learns_from_pictures_as_they_are_turned_tilted_and_in_poor_light(tmp_path: Path) -> None:
    outlines = {"00.jpg": [[20, 20], [60, 30], [50, 90], [10, 80]], "01.jpg": [[150, 60], [230, 60], [230, 100], [150, 100]]}
    (tmp_path / "scenes" / "images").mkdir(parents=True)
    lines, plain = [], {}
    for name, outline in outlines.items():
        picture = np.zeros((120, 200, 3), np.uint8)
        cv2.fillConvexPoly(picture, np.array(outline), (255, 255, 255))
        cv2.imwrite(str(tmp_path / "scenes" / "images" / name), picture)
        plain[name] = picture[..., 0]
        lines.append({"photo": name, "set": "rendered", "kind": "table", "size": [200, 120], "tiles": [{"tile": "R5", "polygon": outline}]})
    (tmp_path / "scenes" / "truth.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    detector.write_yolo_folder(tmp_path / "yolo", [(tmp_path / "scenes", load_truth(tmp_path / "scenes"), 16)], clutter=0)

    shapes, levels, unaltered = [], [], 0
    for path in sorted((tmp_path / "yolo" / "images").iterdir()):
        picture = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
        shares = np.array((tmp_path / "yolo" / "labels" / path.name).with_suffix(".txt").read_text().split()[1:], float).reshape(-1, 2)
        assert ((shares >= 0) & (shares <= 1)).all()
        labelled = np.zeros(picture.shape, np.uint8)
        cv2.fillConvexPoly(labelled, np.round(shares * [picture.shape[1], picture.shape[0]]).astype(np.int32), 255)
        level = np.median(picture[labelled > 0])
        seen = picture > 0.65 * level
        assert (seen & (labelled > 0)).sum() > 0.9 * (seen | (labelled > 0)).sum(), path.name
        shapes.append(picture.shape)
        levels.append(level)
        whole = plain[path.name.split("-")[-1]]
        unaltered += whole.shape == picture.shape and bool((np.abs(whole.astype(int) - picture) < 40).all())
    assert unaltered >= 4
    assert shapes.count((120, 200)) + shapes.count((200, 121)) < len(shapes) - 4, "some are tilted"
    assert 4 <= sum(shape[0] > shape[1] for shape in shapes) <= 16, "some are turned to the side"
    assert 4 <= sum(level < 200 for level in levels) <= 20, "some are in poor light"


def test_the_locator_learns_from_pictures_with_clutter_between_the_tiles(tmp_path: Path) -> None:
    scenes = tmp_path / "scenes"
    (scenes / "images").mkdir(parents=True)
    cv2.imwrite(str(scenes / "images" / "00.jpg"), np.full((480, 640, 3), 90, np.uint8))
    tile = {"tile": "R5", "polygon": [[300, 200], [340, 200], [340, 260], [300, 260]]}
    (scenes / "truth.jsonl").write_text(
        json.dumps({"photo": "00.jpg", "set": "rendered", "kind": "table", "size": [640, 480], "tiles": [tile]})
    )
    spread = {}
    for clutter in (0, 1):
        folder = tmp_path / f"yolo{clutter}"
        detector.write_yolo_folder(folder, [(scenes, load_truth(scenes), 12)], clutter=clutter)
        labels = [path.read_text().splitlines() for path in sorted((folder / "labels").iterdir())]
        assert [len(lines) for lines in labels] == [1] * 12, "the tile alone is labelled"
        spread[clutter] = np.median([cv2.imread(str(path), cv2.IMREAD_GRAYSCALE).std() for path in (folder / "images").iterdir()])
    assert spread[1] > spread[0] + 2


def picture_of_a_white_tile(folder: Path, *others: tuple[float, ...]) -> detector.Pictures:
    """One of 640 x 480 pixels, and others, in shares of it, that are told to be tiles, too."""
    outline = np.array([[240, 160], [380, 180], [360, 300], [220, 280]])
    for part in ("images", "labels"):
        (folder / part).mkdir()
    cv2.imwrite(str(folder / "images" / "a.jpg"), cv2.fillConvexPoly(np.zeros((480, 640, 3), np.uint8), outline, (255, 255, 255)))
    told = [(outline / [640, 480]).ravel(), *others]
    (folder / "labels" / "a.txt").write_text("\n".join(f"{face} " + " ".join(map(str, shares)) for face, shares in enumerate(told)))
    return detector.Pictures(folder, 320)


def test_boxes_stay_around_their_tiles_as_the_locator_is_shown_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detector, "FAR_SHARE", 0.0)
    speck = (0, 0, 0.002, 0, 0.002, 0.002, 0, 0.002)
    pictures, shapes, boxes_at_edge, unseen = picture_of_a_white_tile(tmp_path, speck), set(), 0, 0
    for seed in range(80):
        shown, owners, faces, boxes = pictures.cut(np.array([0, 0]), np.random.default_rng(seed))
        assert (faces == 0).all(), "the speck, of another face, is no tile"
        height, width = shown.shape[2:]
        shapes.add((height, width))
        for place in range(2):
            of_this = boxes[owners == place].numpy() * [width, height, width, height]
            if not len(of_this):
                unseen += 1
                continue
            assert len(of_this) == 1
            left, top = of_this[0, :2] - of_this[0, 2:] / 2
            green = shown[place, 1].numpy()
            lit = cv2.boundingRect((green > 0.75 * green.max()).astype(np.uint8))
            assert [left, top, *of_this[0, 2:]] == pytest.approx(lit, abs=3)
            boxes_at_edge += min(left, top) < 1
    assert len(shapes) == len(detector.CANVASES)
    assert boxes_at_edge > 0
    assert unseen < 20


def test_far_tiles_are_laid_onto_near_ones_with_their_boxes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detector, "FAR_SHARE", 1.0)
    pictures, of_both, half_covered = picture_of_a_white_tile(tmp_path), 0, 0
    for seed in range(80):
        shown, _, _, boxes = pictures.cut(np.array([0]), np.random.default_rng(seed))
        green = shown[0, 1].numpy()
        height, width = green.shape
        corners = [
            (int((x - across / 2) * width), int((y - down / 2) * height), round(across * width), round(down * height))
            for x, y, across, down in boxes.numpy()
        ]
        left, top, across, down = corners.pop()
        assert 0.8 * detector.FAR_SIDE[0] < np.sqrt(across * down) < 1.5 * detector.FAR_SIDE[1]
        around = green[max(top - 4, 0) : top + down + 6, max(left - 4, 0) : left + across + 6]
        lit = cv2.boundingRect((around > 0.5 * around.max()).astype(np.uint8))
        assert [min(left, 4), min(top, 4), across, down] == pytest.approx(lit, abs=3)
        of_both += len(corners)
        for left, top, across, down in corners:
            near = green[max(top, 0) : top + down, max(left, 0) : left + across]
            dark = (near < 0.5 * np.median(near[near > 0.5 * near.max()])).mean()
            assert dark < 0.75, "a quarter of the box is beside the tile, and at most half of that is covered"
            half_covered += dark > 0.45
    assert of_both > 50
    assert half_covered > 0


def test_a_shadow_darkens_a_part_of_a_crop_and_brightens_none() -> None:
    crop = np.full((96, 64, 3), 200, np.uint8)
    with_shadow = [shaded(crop, np.random.default_rng(seed)) for seed in range(100)]
    assert 15 <= sum((seen < 150).any() for seen in with_shadow) <= 45, "most crops have none"
    assert sum((seen < 150).any() and (seen > 180).any() for seen in with_shadow) >= 10, "an edge is in the crop"
    assert all((seen <= 201).all() and (seen >= 200 * DARKEST_SHADE * 0.9).all() for seen in with_shadow)


def test_some_crops_are_bent_a_little() -> None:
    y, x = np.mgrid[:96, :64]
    where = np.stack([x * 3, y * 2, np.full_like(x, 100)], axis=2).astype(np.uint8)
    seen = [bent(where, np.random.default_rng(seed)) for seed in range(100)]
    deformed = [crop for crop in seen if (crop != where).any()]
    assert 25 <= len(deformed) <= 55, "most crops stay as they are"
    away = [np.hypot((crop[..., 0] / 3.0 - x), (crop[..., 1] / 2.0 - y)).mean() for crop in deformed]
    assert max(away) < 4 and np.median(away) > 0.5, "a digit, some forty pixels high, is deformed, and still the same"
    assert all(abs(crop[..., 2] - 100.0).max() == 0 for crop in seen), "what is of one colour stays so"


def test_some_crops_look_as_small_tiles_do() -> None:
    _, x = np.mgrid[:96, :64]
    stripes = np.repeat((240 * (x // 2 % 2))[:, :, None], 3, axis=2).astype(np.uint8)
    seen = [as_if_small(stripes, np.random.default_rng(seed)) for seed in range(100)]
    small = [crop for crop in seen if (crop != stripes).any()]
    assert 10 <= len(small) <= 35, "most crops stay as they are"
    assert all(abs(float(crop.mean()) - 120) < 12 for crop in small), "it is as bright as before"
    assert np.median([crop.std() for crop in small]) < 80 < stripes.std(), "fine stripes are blurred"


def test_trained_exported_and_run(scenes: Path, tmp_path: Path) -> None:
    runs, of_peer, models = tmp_path / "runs", tmp_path / "of peer", tmp_path / "models"
    plan = ["--scenes", str(scenes), "--epochs", "1", "--threads", "2"]
    common = [*plan, "--runs", str(runs)]
    assert train.main(["corners", *common]) == 0
    assert train.main(["outlines", *common, "--seen-by", str(MODELS), "--workers", "1"]) == 0
    assert train.main(["tiles", *common]) == 0
    assert train.main(["locator", *common, "--size", "96", "--workers", "1", "--bf16"]) == 0
    assert train.main(["peer", *plan, "--runs", str(of_peer), "--size", "96", "--from", str(MODELS / "locator.onnx")]) == 0
    exported = export.main(["--runs", str(runs), "--models", str(models), "--scenes", str(scenes)])
    assert exported == 0, "ONNX Runtime must answer as PyTorch does"
    assert export.main(["--runs", str(of_peer), "--models", str(models), "--scenes", str(tmp_path)]) == 0, "it needs no scenes"
    written = [f"{name}{way}.onnx" for name in ("corners", "locator", "outlines", "tiles") for way in (".int8", "")]
    assert sorted(json.loads((models / "checksums.json").read_text())) == written
    locator, pyramid = Locator(models), Pyramid(np.full((240, 320, 3), 127, np.uint8))
    boxes, scores = locator.find_boxes(pyramid)
    assert len(locator.find_corners(pyramid, boxes)) == len(scores)
    assert all(tile in FACES for tile, _, _ in YoloPeer(96, models).find(pyramid.level(0)))


def test_a_detector_of_faces_begins_as_the_locator_to_which_all_are_as_likely(scenes: Path) -> None:
    pictures = [picture_of(scenes, photo) for photo in load_truth(scenes)]
    told = []
    for faces in ((), FACES):
        net = detector.detector_of(faces)
        detector.load_locator(net, MODELS / "locator.onnx", pictures, 96)
        with torch.no_grad():
            told.append(net.eval()(torch.rand(1, 3, 96, 128, generator=torch.Generator().manual_seed(1)))[0][0])
    (tile, face) = told
    assert torch.allclose(face[:4], tile[:4], atol=1e-2), "the boxes are the same"
    odds = tile[4].logit()
    assert torch.allclose(face[4:].logit(), (odds - np.log(len(FACES))).expand(len(FACES), -1), atol=1e-2)


def test_shipped_weights_can_be_trained_on(scenes: Path, tmp_path: Path) -> None:
    crops = torch.rand(40, 3, 96, 64)
    net = TileNet()
    load_onnx(net, MODELS / "tiles.onnx", crops)
    session = open_network("tiles")
    with torch.no_grad():
        assert np.abs(net.eval()(crops)[0].numpy() - session.run(None, {"crops": crops.numpy()})[0]).max() < 1e-3
        trained = net.train()(crops)[0]
    assert torch.isfinite(trained).all()
    for part in ("corners", "outlines", "tiles", "locator"):
        start = str(MODELS / f"{part}.onnx")
        common = ["--scenes", str(scenes), "--runs", str(tmp_path), "--epochs", "1", "--size", "96", "--rate", "1e-5"]
        assert train.main([part, *common, "--from", start]) == 0
    shipped = onnx.load(str(MODELS / "locator.onnx")).graph.initializer
    first = torch.from_numpy(numpy_helper.to_array(next(tensor for tensor in shipped if tensor.name == "model.0.conv.weight")).copy())
    trained = torch.load(tmp_path / "locator.pt")["model.0.conv.weight"]
    assert (trained - first).abs().max() < 0.01, "training must begin with the shipped weights"


def tiles_labelled_wrong(scenes: Path, every: int) -> tuple[train.Scenes, torch.Tensor]:
    """Scenes of which every so manyth tile is labelled as the number after its own, and all their tiles' crops."""
    data = train.Scenes()
    data.add(scenes, [photo for photo in load_truth(scenes) if photo.tiles], np.random.default_rng(1))
    numbered = [target for target in data.targets if target.number < 13]
    data.targets = [replace(target, number=(target.number + (i % every == 0)) % 13) for i, target in enumerate(numbered)]
    crops = [tile_crop(data.pyramids[target.scene], target, np.random.default_rng(3))[0] for target in data.targets]
    return data, torch.from_numpy(white_balanced(np.stack(crops)))


def shipped_tiles(data: train.Scenes) -> TileNet:
    net = TileNet().eval()
    train.start_from(net, "tiles", MODELS / "tiles.onnx", data, 1)
    return net


def told_alike(net: TileNet, other: TileNet, crops: torch.Tensor) -> float:
    """The share of crops in which two networks see the same number."""
    with torch.no_grad():
        return float((net.eval()(crops)[0].argmax(1) == other.eval()(crops)[0].argmax(1)).float().mean())


def test_what_a_teacher_knows_is_kept_though_some_labels_say_otherwise(scenes: Path, tmp_path: Path) -> None:
    data, crops = tiles_labelled_wrong(scenes, every=2)
    kept = []
    for teacher in (shipped_tiles(data), None):
        torch.manual_seed(1)
        net = shipped_tiles(data)
        train.train_tiles(data, net, Plan(10, 1e-3, tmp_path / "tiles.pt", train.CROPS), teacher, taught=0.9)
        kept.append(told_alike(net, shipped_tiles(data), crops))
    with_teacher, without = kept
    assert with_teacher > without + 0.2, kept


def test_a_teacher_counts_only_where_it_is_right(scenes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a network is told of numbers by the teacher alone: nothing where all labels are others."""

    def one_step(net: TileNet, count: int, cut: CutBatch, loss_of: Callable[[Batch], torch.Tensor], plan: Plan) -> None:
        loss_of(cut(np.arange(count), np.random.default_rng(5))).backward()  # type: ignore[no-untyped-call]

    monkeypatch.setattr(train, "learn", one_step)
    told = []
    for every in (10**6, 1):
        data, _ = tiles_labelled_wrong(scenes, every)
        torch.manual_seed(1)
        net = TileNet()
        train.train_tiles(data, net, Plan(1, 1e-3, tmp_path / "tiles.pt", train.CROPS), shipped_tiles(data), taught=1.0)
        told.append(float(net.number.weight.grad.norm()))
    labelled_right, labelled_wrong = told
    assert labelled_wrong < 0.2 * labelled_right, told


def test_whole_numbers_answer_as_the_exact_networks_do(scenes: Path) -> None:
    for name, batches in calibration_inputs(scenes, [photo for photo in load_truth(scenes) if photo.tiles]).items():
        networks = [open_network(network) for network in (name, f"{name}.int8")]
        exact, whole = (network.run(None, {network.get_inputs()[0].name: batches[0]}) for network in networks)
        if name == "tiles":
            assert (exact[0].argmax(1) == whole[0].argmax(1)).mean() >= 0.9
        elif name == "locator":
            chances = [1 / (1 + np.exp(-scores[0, 0])) for _, scores in (exact, whole)]
            likely = chances[0] > 0.5
            assert likely.any()
            assert np.abs(chances[0] - chances[1])[likely].mean() < 0.03
            size = batches[0].shape[3], batches[0].shape[2]
            boxes = [boxes_from(sides[0], np.flatnonzero(likely), size) for sides, _ in (exact, whole)]
            assert np.abs(boxes[0] - boxes[1]).mean() < 0.5, "half a pixel"
        else:
            assert np.abs(exact[0] - whole[0]).mean() < 0.005, "a quarter of a hundredth of the crop's side"


def test_a_network_begins_as_a_smaller_one_and_outgrows_it(tmp_path: Path) -> None:
    def block(inputs: int, outputs: int, stride: int = 2) -> nn.Sequential:
        return nn.Sequential(nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU())

    small, large, crops = TileNet(), TileNet(), torch.rand(12, 3, 96, 64)
    small.features = nn.Sequential(block(3, 8), block(8, 16), block(16, 40), block(40, 128))
    large.features = nn.Sequential(block(3, 12), block(12, 16), block(16, 48), block(48, 48, 1), block(48, 160))
    large.body = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(160 * 6 * 4, 240), nn.ReLU())
    large.number, large.colour, large.turn = (nn.Linear(240, head.out_features) for head in (small.number, small.colour, small.turn))
    export.export_network(small, (3, 96, 64), ["number", "colour", "turn"], tmp_path / "tiles.onnx")
    load_onnx(large, tmp_path / "tiles.onnx", crops)
    with torch.no_grad():
        assert all(torch.allclose(a, b, atol=1e-4) for a, b in zip(large.eval()(crops), small(crops), strict=True))
    large.train()(crops)[0].square().sum().backward()
    for of_new in (large.features[1][0].weight.grad[:, 8:], large.number.weight.grad[:, 192:]):
        assert of_new.abs().max() > 0, "what is new must learn"


def test_a_wider_locator_begins_as_the_shipped_one(tmp_path: Path) -> None:
    wide = LOCATOR_SHAPE.read_text()
    for shipped, wider in (("[64, ", "[80, "), ("[128, ", "[192, ")):
        assert shipped in wide
        wide = wide.replace(shipped, wider)
    (tmp_path / "wide.yaml").write_text(wide)
    net, pictures = YOLO(str(tmp_path / "wide.yaml")).model, torch.rand(4, 3, 96, 128)
    load_onnx(net, MODELS / "locator.onnx", pictures)
    sides, scores = open_network("locator").run(["sides", "scores"], {"images": pictures[:1].numpy()})
    with torch.no_grad():
        _, answer = net.eval()(pictures[:1])
    assert np.abs(answer["boxes"].numpy() - sides).max() < 1e-3
    assert np.abs(answer["scores"].numpy() - scores).max() < 1e-3


def test_weights_of_another_network_are_refused() -> None:
    with pytest.raises(ValueError, match="another network"):
        load_onnx(TileNet(), MODELS / "corners.onnx", torch.rand(4, 3, 96, 64))


def test_training_without_scenes_gets_a_sentence(scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train.main(["tiles", "--scenes", str(scenes), str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert str(tmp_path) in said
    assert "istaka synth" in said


def test_training_without_a_place_for_checkpoints_gets_a_sentence(scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert cli.main(["train", "tiles", "--scenes", str(scenes), "--runs", str(tmp_path / "file")]) == 2
    said = capsys.readouterr()
    assert not said.out
    assert said.err.count("\n") == 1
    assert "tiles.pt cannot be written" in said.err


def test_training_by_a_reader_without_weights_gets_a_sentence(scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train.main(["tiles", "--scenes", str(scenes), "--seen-by", str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--from", "--taught-by"])
def test_training_from_weights_that_are_not_there_gets_a_sentence(scenes: Path, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert train.main(["tiles", "--scenes", str(scenes), option, "no/tiles.onnx"]) == 2
    assert "no/tiles.onnx" in capsys.readouterr().err


def test_training_from_other_weights_gets_a_sentence(scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corners, text = tmp_path / "corners.pt", tmp_path / "text.pt"
    torch.save(CornerNet().state_dict(), corners)
    text.write_text("no weights")
    for start in (corners, text, MODELS / "corners.onnx"):
        assert cli.main(["train", "tiles", "--scenes", str(scenes), "--runs", str(tmp_path), "--from", str(start)]) == 2
        assert start.name in capsys.readouterr().err
    assert cli.main(["train", "locator", "--scenes", str(scenes), "--runs", str(tmp_path), "--from", str(corners)]) == 2
    assert "no checkpoint of locator" in capsys.readouterr().err
    assert not (tmp_path / "locator-data").exists(), "no picture is written before"


@pytest.mark.parametrize("name", ["tiles.int8.onnx", "text.onnx", "text.pt", "empty.pt"])
@pytest.mark.parametrize("option", ["--from", "--taught-by"])
def test_training_from_what_is_no_network_gets_a_sentence(
    scenes: Path, tmp_path: Path, option: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(MODELS / "tiles.int8.onnx", tmp_path)
    for text in ("text.onnx", "text.pt"):
        (tmp_path / text).write_text("no weights")
    (tmp_path / "empty.pt").touch()
    assert cli.main(["train", "tiles", "--scenes", str(scenes), "--runs", str(tmp_path / "runs"), option, str(tmp_path / name)]) == 2
    said = capsys.readouterr().err
    assert name in said and said.count("\n") == 1
    assert not (tmp_path / "runs").exists()


def test_tiles_of_photos_are_turned_by_trained_weights_alone(scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["train", "tiles", "--scenes", str(scenes), "--photos", str(scenes), "--runs", str(tmp_path)]
    assert cli.main(command) == 2
    assert "go on from trained weights: add --from models/tiles.onnx" in capsys.readouterr().err
    assert cli.main([*command, "--epochs", "1", "--taught-by", str(MODELS / "tiles.onnx")]) == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("part", ["locator", "corners"])
@pytest.mark.parametrize("truth", ["", '{"photo": "000020.jpg", "set": "rendered", "kind": "empty", "size": [64, 64], "tiles": []}'])
def test_nothing_to_train_on_gets_a_sentence(part: str, truth: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "truth.jsonl").write_text(truth)
    assert cli.main(["train", part, "--scenes", str(tmp_path), "--runs", str(tmp_path / "runs")]) == 2
    assert capsys.readouterr().err == f"istaka train: {tmp_path} has no scene to train on: render more\n"


@pytest.mark.parametrize("options", [["tiles"], ["tiles", "--seen-by", str(MODELS)], ["locator"], ["locator", "--from", LOCATOR]])
@pytest.mark.parametrize(("contents", "problem"), [(None, "does not exist"), (b"no picture", "is no photo")])
def test_a_picture_that_cannot_be_trained_on_is_named(
    options: list[str], contents: bytes | None, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "images" / "000001.jpg"
    if contents is not None:
        picture.parent.mkdir()
        picture.write_bytes(contents)
    (tmp_path / "truth.jsonl").write_text(json.dumps({**A_TILE, "photo": "000001.jpg"}))
    assert cli.main(["train", *options, "--scenes", str(tmp_path), "--runs", str(tmp_path / "runs"), "--threads", "1"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"istaka train: {picture} {problem}") and said.count("\n") == 1
    assert not list((tmp_path / "runs").glob("*.pt"))


def test_pictures_of_any_form_and_folder_are_learnt_from(tmp_path: Path) -> None:
    sources = []
    for at, endings in (("a/train", ["heic"]), ("b/train", ["png", "jpg"])):
        folder = tmp_path / at
        (folder / "images").mkdir(parents=True)
        for ending in endings:
            Image.new("RGB", (200, 120), "tan").save(folder / "images" / f"000001.{ending}")
        (folder / "truth.jsonl").write_text("\n".join(json.dumps({**A_TILE, "photo": f"000001.{ending}"}) for ending in endings))
        photos = load_truth(folder)
        data = train.Scenes()
        data.add(folder, photos, np.random.default_rng(0))
        assert [pyramid.level(0).shape for pyramid in data.pyramids] == [(120, 200, 3)] * len(endings)
        assert calibration_inputs(folder, photos)["tiles"]
        detector.load_locator(detector.detector_of(), Path(LOCATOR), [picture_of(folder, photo) for photo in photos], 96)
        sources.append((folder, photos, 2))
    detector.write_yolo_folder(tmp_path / "yolo", sources, clutter=0)
    pictures = detector.Pictures(tmp_path / "yolo", 64)
    assert len(pictures) == 2 * 3
    shown, *_ = pictures.cut(np.arange(6), np.random.default_rng(0))
    assert len(shown) == 6


@pytest.mark.parametrize("rate", ["-1", "0", "nan"])
def test_a_rate_at_which_nothing_is_learnt_gets_a_sentence(scenes: Path, rate: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert train.main(["tiles", "--scenes", str(scenes), "--rate", rate]) == 2
    assert capsys.readouterr().err == f"istaka train: --rate is {rate}: give a number above 0\n"


@pytest.mark.parametrize(
    ("option", "given", "least"),
    [
        ("--epochs", "0", 1),
        ("--minutes", "-1", 0),
        ("--minutes", "nan", 0),
        ("--batch", "0", 1),
        ("--workers", "-2", 0),
        ("--threads", "0", 1),
        ("--size", "0", 32),
        ("--seed", "-1", 0),
    ],
)
def test_out_of_range_of_anything_gets_a_sentence(
    scenes: Path, option: str, given: str, least: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train.main(["tiles", "--scenes", str(scenes), option, given]) == 2
    assert capsys.readouterr().err == f"istaka train: {option} is {given}: give {least} or more\n"


def test_training_on_a_gpu_that_is_not_there_gets_a_sentence(
    scenes: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert train.main(["tiles", "--scenes", str(scenes), "--device", "cuda"]) == 2
    assert "PyTorch sees no GPU here" in capsys.readouterr().err


def test_a_share_that_is_none_gets_a_sentence(scenes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train.main(["tiles", "--scenes", str(scenes), "--taught", "1.5"]) == 2
    assert "--taught is 1.5: give a number from 0 to 1" in capsys.readouterr().err


def test_only_the_classifier_has_a_teacher(scenes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train.main(["corners", "--scenes", str(scenes), "--taught-by", str(MODELS / "tiles.onnx")]) == 2
    assert "leave out --taught-by" in capsys.readouterr().err
