"""Checkpoints become the files that are shipped: they answer as the networks do, and what is no checkpoint changes nothing."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

if find_spec("torch") is None and not os.environ.get("CI"):
    pytest.skip("the extra `train` is not installed: make test TRAIN=1", allow_module_level=True)

import torch
from torch import nn

from assistant import cli
from vision.classify import NO_TILE_COLUMN
from vision.locate import CORNER_SIZE, boxes_from
from vision.weights import MODELS, open_network
from vision.workshop import export
from vision.workshop.networks import NUMBER_CLASSES, CornerNet, TileNet
from vision.workshop.yolo import LOCATOR_SHAPE, YOLO


def test_what_the_heads_see_is_given_and_nothing_else_changes(tmp_path: Path) -> None:
    path, net, crops = tmp_path / "tiles.onnx", TileNet(), torch.rand(3, 3, 96, 64)
    export.export_network(net, (3, 96, 64), ["number", "colour", "turn"], path)
    before = open_network("tiles", tmp_path).run(None, {"crops": crops.numpy()})
    for _ in range(2):  # a file that has them is left as it is
        export.expose_features(path)
    number, colour, turn, features = open_network("tiles", tmp_path).run(None, {"crops": crops.numpy()})
    assert all(np.array_equal(a, b) for a, b in zip(before, (number, colour, turn), strict=True))
    with torch.no_grad():
        assert np.allclose(net.number(torch.from_numpy(features)).numpy(), number, atol=1e-4)


def test_boxes_are_those_that_the_detector_makes_itself(tmp_path: Path) -> None:
    untrained = YOLO(str(LOCATOR_SHAPE))
    torch.save(untrained.model.state_dict(), tmp_path / "last.pt")
    width, height = 160, 96
    picture = torch.rand(1, 3, height, width, generator=torch.Generator().manual_seed(3))
    with torch.no_grad():
        expected = untrained.model.eval()(picture)[0][0].numpy()
    export.export_part("locator", [tmp_path / "last.pt"], tmp_path / "locator.onnx")
    sides, scores = open_network("locator", tmp_path).run(["sides", "scores"], {"images": picture.numpy()})
    cells = np.random.default_rng(3).permutation(expected.shape[1])
    middle, size = expected[:2].T, expected[2:4].T
    assert np.allclose(boxes_from(sides[0], cells, (width, height)), np.hstack([middle - size / 2, middle + size / 2])[cells], atol=1e-2)
    assert np.allclose(1 / (1 + np.exp(-scores[0, 0])), expected[4], atol=1e-4)


def test_only_a_detector_has_distances(tmp_path: Path) -> None:
    shutil.copy(MODELS / "corners.onnx", tmp_path)
    with pytest.raises(export.ExportError, match="no locator"):
        export.leave_boxes_to_reader(tmp_path / "corners.onnx")


def test_only_a_classifier_has_features(tmp_path: Path) -> None:
    shutil.copy(MODELS / "corners.onnx", tmp_path)
    with pytest.raises(export.ExportError, match="no classifier"):
        export.expose_features(tmp_path / "corners.onnx")


def test_a_wrong_export_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "TOLERANCE", -1.0)
    with pytest.raises(export.ExportError, match="differs"):
        export.export_network(TileNet(), (3, 96, 64), ["number", "colour", "turn"], tmp_path / "tiles.onnx")


def test_of_several_checkpoints_the_mean_is_written(tmp_path: Path) -> None:
    torch.manual_seed(2)
    first, last, mean = CornerNet(), CornerNet(), CornerNet()
    norm = next(layer for layer in last.modules() if isinstance(layer, nn.BatchNorm2d))
    norm.running_var *= 9  # it is averaged before it is folded into a convolution
    for name, held in mean.state_dict().items():
        one, other = first.state_dict()[name], last.state_dict()[name]
        held.copy_((one + other) / 2 if held.is_floating_point() else other)
    files = [tmp_path / "first.pt", tmp_path / "last.pt"]
    for net, file in zip((first, last), files, strict=True):
        torch.save(net.state_dict(), file)
    export.export_part("corners", files, tmp_path / "corners.onnx")
    crops = torch.rand(2, 3, CORNER_SIZE, CORNER_SIZE)
    with torch.no_grad():
        expected = mean.eval()(crops).numpy()
        assert np.abs(expected - last.eval()(crops).numpy()).max() > 0.01
    assert np.allclose(open_network("corners", tmp_path).run(None, {"crops": crops.numpy()})[0], expected, atol=1e-4)


def test_what_is_no_tile_is_made_likelier_and_nothing_else_changes(tmp_path: Path) -> None:
    torch.save(TileNet().state_dict(), tmp_path / "tiles.pt")
    crops = {"crops": torch.rand(3, 3, 96, 64).numpy()}
    answers = []
    for no_tile in (0.0, 0.5):
        export.export_part("tiles", [tmp_path / "tiles.pt"], tmp_path / "tiles.onnx", no_tile)
        answers.append(open_network("tiles", tmp_path).run(None, crops))
    (number, *before), (raised, *after) = answers
    assert np.allclose(raised - number, 0.5 * np.eye(NUMBER_CLASSES)[NO_TILE_COLUMN], atol=1e-4)
    assert all(np.allclose(one, other, atol=1e-4) for one, other in zip(before, after, strict=True))


def test_what_is_no_checkpoint_gets_a_sentence_and_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs, models, scenes = (tmp_path / name for name in ("runs", "models", "scenes"))
    for folder in (runs, models, scenes):
        folder.mkdir()
    command = ["export", "--runs", str(runs), "--models", str(models), "--scenes", str(scenes)]
    assert cli.main(command) == 2
    assert "train with `istaka train` first" in capsys.readouterr().err
    torch.save(CornerNet().state_dict(), runs / "corners.pt")
    assert cli.main([*command, "--no-tile", "0.5"]) == 2
    assert "a checkpoint of tiles" in capsys.readouterr().err
    torch.save(CornerNet().state_dict(), runs / "tiles.pt")
    assert cli.main([*command, "--no-tile", "nan"]) == 2
    assert "needs a number" in capsys.readouterr().err
    assert cli.main(command) == 2
    assert "istaka synth" in capsys.readouterr().err
    (scenes / "truth.jsonl").touch()
    assert cli.main(command) == 2
    assert "tiles.pt is no checkpoint of tiles" in capsys.readouterr().err
    (runs / "tiles.pt").unlink()
    assert cli.main(command) == 2
    assert f"{scenes} has no scene with tiles to calibrate by" in capsys.readouterr().err
    assert not list(models.iterdir())
