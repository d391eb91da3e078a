"""How networks learn from crops, `vision/workshop/learn.py`."""

from __future__ import annotations

import itertools
import resource
import signal
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from vision.workshop.learn import LAST_RATE, WARMING_UP, Batch, Plan, check_writable, learn, share_of_rate


def _points(chosen: np.ndarray, rng: np.random.Generator) -> Batch:
    """Points x, moved a little at random, and 3 x - 1 of those that are chosen."""
    x = (torch.from_numpy(chosen).float()[:, None] + float(rng.normal(0, 0.01))) / 64
    return x, 3 * x - 1


def _learnt(plan: Plan) -> dict[str, Tensor]:
    torch.manual_seed(1)
    net = nn.Linear(1, 1)
    learn(net, 64, _points, lambda batch: (net(batch[0]) - batch[1]).square().mean(), plan)
    kept = torch.load(plan.checkpoint)
    assert all(torch.equal(held, kept[name]) for name, held in net.state_dict().items()), "the network is kept as it is left"
    return kept


def test_crops_cut_by_workers_are_those_cut_between_the_steps(tmp_path: Path) -> None:
    alone, helped = (_learnt(Plan(60, 0.2, tmp_path / "line.pt", 16, seed=5, workers=workers)) for workers in (0, 2))
    assert all(torch.equal(alone[name], helped[name]) for name in alone)
    assert abs(float(alone["weight"]) - 3) < 0.2, "but for what weight decay takes"
    assert abs(float(alone["bias"]) + 1) < 0.1


def test_a_training_for_some_minutes_ends_when_they_are_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a clock that goes on by five milliseconds whenever it is looked at, however busy the machine is."""
    looks = itertools.count()
    monkeypatch.setattr("vision.workshop.learn.time", SimpleNamespace(monotonic=lambda: 0.005 * next(looks)))
    learnt = _learnt(Plan(1, 0.2, tmp_path / "line.pt", 16, minutes=0.02))
    epochs = capsys.readouterr().out.splitlines()
    assert len(epochs) > 1, "however many epochs are asked for"
    assert next(looks) == pytest.approx(0.02 * 60 / 0.005, abs=3)
    assert epochs[0].startswith("line: epoch 1 of 0.02 minutes")
    assert abs(float(learnt["weight"]) - 3) < 0.2


def test_what_is_computed_in_16_bits_is_kept_in_32(tmp_path: Path) -> None:
    net, seen = nn.Linear(1, 1), []

    def loss_of(batch: Batch) -> Tensor:
        seen.append(net(batch[0]))
        return (seen[-1].float() - batch[1]).square().mean()

    learn(net, 64, _points, loss_of, Plan(60, 0.2, tmp_path / "line.pt", 16, bf16=True))
    assert {answer.dtype for answer in seen} == {torch.bfloat16}
    assert {held.dtype for held in torch.load(tmp_path / "line.pt").values()} == {torch.float32}
    assert abs(float(net.weight) - 3) < 0.2


def test_the_rate_rises_and_falls() -> None:
    shares = [share_of_rate(progress) for progress in np.linspace(0, 1, 201)]
    top = int(np.argmax(shares))
    assert shares[top] == pytest.approx(1)
    assert top / 200 == pytest.approx(WARMING_UP, abs=0.01)
    assert all(np.diff(shares[: top + 1]) > 0)
    assert all(np.diff(shares[top:]) < 0)
    assert shares[-1] == pytest.approx(LAST_RATE)


def test_a_full_disk_leaves_the_checkpoint_before(tmp_path: Path) -> None:
    plan = Plan(1, 0.2, tmp_path / "line.pt", 16)
    _learnt(plan)
    before = plan.checkpoint.read_bytes()
    limits, heard = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        with pytest.raises(ValueError, match=r"line\.pt cannot be written \(.+\): free some space there"):
            _learnt(plan)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, heard)
    assert plan.checkpoint.read_bytes() == before
    assert list(tmp_path.iterdir()) == [plan.checkpoint]


def test_where_no_checkpoint_can_be_written_no_training_begins(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder.pt").mkdir()
    for checkpoint in (tmp_path / "file" / "line.pt", tmp_path / "folder.pt"):
        with pytest.raises(ValueError, match="name another folder with --runs"):
            check_writable(checkpoint)
    check_writable(tmp_path / "new" / "line.pt")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder.pt"], "what is not trained leaves nothing"
