"""Shipped weights are moved to further trained ones, and stay what they were when the two are not of one network."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch
from torch import nn

from assistant.cli import main
from vision.locate import CORNER_SIZE
from vision.workshop.average import average
from vision.workshop.export import export_network
from vision.workshop.networks import CornerNet, OutlineNet

LOST = json.dumps(
    {
        "photo": "1.jpg",
        "set": "rendered",
        "kind": "table",
        "size": [64, 64],
        "tiles": [{"tile": "R5", "polygon": [[9, 9], [30, 9], [30, 40], [9, 40]]}],
    }
)
"""The truth of a scene whose picture is not there."""
SHAPE = (3, CORNER_SIZE, CORNER_SIZE)


def _exported(net: nn.Module, path: Path) -> Path:
    path.parent.mkdir(exist_ok=True)
    export_network(net, SHAPE, ["corners"], path)
    return path


def _answer(path: Path) -> np.ndarray:
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return np.asarray(session.run(None, {"crops": np.random.default_rng(0).random((2, *SHAPE), np.float32)})[0])


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    torch.manual_seed(0)
    return _exported(CornerNet(), tmp_path / "shipped" / "corners.onnx"), _exported(CornerNet(), tmp_path / "further" / "corners.onnx")


def test_all_the_way_they_answer_as_the_other_and_no_way_as_before(two: tuple[Path, Path]) -> None:
    shipped, further = two
    before, wanted = _answer(shipped), _answer(further)
    assert np.abs(before - wanted).max() > 0.01
    average(shipped, further, 0, shipped)
    assert np.allclose(_answer(shipped), before)
    average(shipped, further, 1, shipped)
    assert np.allclose(_answer(shipped), wanted, atol=1e-6)


def test_halfway_every_weight_is_the_mean(tmp_path: Path) -> None:
    torch.manual_seed(1)
    nets = CornerNet().eval(), CornerNet().eval()
    paths = [_exported(net, tmp_path / str(at) / "corners.onnx") for at, net in enumerate(nets)]
    mean = CornerNet().eval()
    mean.load_state_dict({name: (weight + nets[1].state_dict()[name]) / 2 for name, weight in nets[0].state_dict().items()})
    average(*paths, 0.5, paths[0])
    # The batch norms of untrained networks are alike, so that their mean is that of the convolutions they are folded into.
    assert np.allclose(_answer(paths[0]), _answer(_exported(mean, tmp_path / "mean.onnx")), atol=1e-5)


def test_another_network_changes_nothing(two: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shipped, _ = two
    before = shipped.read_bytes()
    shutil.copy(_exported(OutlineNet(), tmp_path / "outlines.onnx"), tmp_path / "corners.onnx")
    scenes = tmp_path / "scenes"
    scenes.mkdir()
    (scenes / "truth.jsonl").touch()
    assert main(["average", "corners", str(tmp_path), "--models", str(shipped.parent), "--scenes", str(scenes)]) == 2
    assert "holds another network" in capsys.readouterr().err
    assert shipped.read_bytes() == before


@pytest.mark.parametrize("truth", ["", "{", '{"photo": "1.jpg", "set": "rendered", "kind": "empty", "size": [64, 64], "tiles": []}', LOST])
def test_scenes_that_tell_nothing_change_nothing(
    two: tuple[Path, Path], truth: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped, further = two
    before = shipped.read_bytes()
    scenes = tmp_path / "scenes"
    scenes.mkdir()
    (scenes / "truth.jsonl").write_text(truth)
    assert main(["average", "corners", str(further.parent), "--models", str(shipped.parent), "--scenes", str(scenes)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"istaka average: {scenes}") and said.count("\n") == 1
    assert list(shipped.parent.iterdir()) == [shipped]
    assert shipped.read_bytes() == before


def test_what_is_no_network_is_named(two: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    shipped, further = two
    further.write_text("no weights")
    scenes = shipped.parent
    (scenes / "truth.jsonl").touch()
    assert main(["average", "corners", str(further.parent), "--models", str(shipped.parent), "--scenes", str(scenes)]) == 2
    assert capsys.readouterr().err == f"istaka average: {further} holds no network: name weights of models/\n"


def test_without_scenes_or_weights_it_says_what_is_missing(
    two: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped, further = two
    command = ["average", "corners", str(further.parent), "--models", str(shipped.parent), "--scenes", str(tmp_path / "none")]
    before = shipped.read_bytes()
    assert main(command) == 2
    assert "istaka synth" in capsys.readouterr().err
    assert main([*command, "--share", "1.5"]) == 2
    assert "from 0 to 1" in capsys.readouterr().err
    assert main(["average", "corners", str(tmp_path), *command[3:]]) == 2
    assert "istaka export" in capsys.readouterr().err
    assert shipped.read_bytes() == before
