"""How a network learns: the plan of a training, crops or pictures cut by worker processes meanwhile, and the steps."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from errno import EISDIR
from io import BytesIO
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset

WARMING_UP = 0.15
"""The share of a training in which the learning rate rises."""
FIRST_RATE, LAST_RATE = 1 / 25, 1e-6
"""Learning rate in the beginning and at the end, as shares of the highest."""
WEIGHT_DECAY = 0.02

PHOTO_REPEATS = 3
"""How often a real photo stands beside the rendered scenes, for the networks that look at crops."""

Batch = tuple[Tensor, ...]
CutBatch = Callable[[NDArray[np.int64], np.random.Generator], Batch]
"""Cuts the crops of some targets, by their indices, and says what is wanted of each."""


@dataclass(frozen=True)
class Plan:
    """How a network is trained.

    Attributes:
        epochs: how often everything is seen.
        rate: the highest learning rate.
        checkpoint: where the network is kept after every epoch.
        batch: how many crops, or pictures, are seen at a time.
        seed: of what is cut, and in which order.
        minutes: if given, for how long it is trained, whatever `epochs` says.
        device: "cpu" or "cuda".
        workers: how many processes cut crops or alter pictures meanwhile; with 0 crops are cut between the steps.
        bf16: whether it computes in numbers of 16 bits (bfloat16), its weights kept in 32.
    """

    epochs: int
    rate: float
    checkpoint: Path
    batch: int
    seed: int = 1
    minutes: float = 0
    device: str = "cpu"
    workers: int = 0
    bf16: bool = False


def share_of_rate(progress: float) -> float:
    """The learning rate after `progress`, 0 to 1, of a training, as a share of the highest: up, then down, each as a cosine goes.

    One cycle, as Smith and Topin have it ("Super-convergence", 2018).
    """
    if progress < WARMING_UP:
        return _between(FIRST_RATE, 1, progress / WARMING_UP)
    return _between(1, LAST_RATE, min(1.0, (progress - WARMING_UP) / (1 - WARMING_UP)))


def _between(first: float, last: float, share: float) -> float:
    return float(last + (first - last) * (1 + np.cos(np.pi * share)) / 2)


class CutBatches(Dataset[Batch]):
    """The batches of all epochs, one after the other; each is cut by random numbers of its own, so workers make no difference."""

    def __init__(self, count: int, batch: int, cut: CutBatch, seed: int) -> None:
        """`count` targets, `batch` of them at a time."""
        self._count, self._batch, self._cut, self._seed = count, batch, cut, seed
        self.an_epoch = count // batch

    def __getitem__(self, index: int) -> Batch:
        """Batch `index`, counted from the first of the first epoch."""
        epoch, place = divmod(index, self.an_epoch)
        order = np.random.default_rng([self._seed, epoch]).permutation(self._count)
        return self._cut(order[place * self._batch :][: self._batch], np.random.default_rng([self._seed, epoch, place]))


def learn(net: nn.Module, count: int, cut: CutBatch, loss_of: Callable[[Batch], Tensor], plan: Plan) -> None:
    """Trains `net` as planned, saves it to the checkpoint after every epoch and at the end, and says so.

    Args:
        count: how many targets there are.
        loss_of: the loss of a batch that `cut` made, on the plan's device.

    Raises:
        ValueError: when the checkpoint cannot be written; the one before is kept.
    """
    batches = CutBatches(count, min(plan.batch, count), cut, plan.seed)
    wanted: Iterator[int] = itertools.count() if plan.minutes else iter(range(plan.epochs * batches.an_epoch))
    # forked, so that the pictures, gigabytes of them, are there once
    forked = "fork" if plan.workers else None
    loader = DataLoader(batches, None, sampler=wanted, num_workers=plan.workers, multiprocessing_context=forked)  # type: ignore[arg-type]
    net.to(plan.device).train()
    optimizer = torch.optim.AdamW(net.parameters(), plan.rate, weight_decay=WEIGHT_DECAY)
    begun = epoch_begun = time.monotonic()
    total = torch.zeros((), device=plan.device)
    for step, batch in enumerate(loader):
        epoch, place = divmod(step, batches.an_epoch)
        progress = (time.monotonic() - begun) / 60 / plan.minutes if plan.minutes else step / (plan.epochs * batches.an_epoch)
        if progress >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = plan.rate * share_of_rate(progress)
        with torch.autocast(plan.device, torch.bfloat16, enabled=plan.bf16):
            loss = loss_of(tuple(part.to(plan.device, non_blocking=True) for part in batch))
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        total += loss.detach()
        if place + 1 == batches.an_epoch:
            _save(net, plan.checkpoint)
            seconds = time.monotonic() - epoch_begun
            of = f"{plan.minutes:g} minutes" if plan.minutes else plan.epochs
            print(f"{plan.checkpoint.stem}: epoch {epoch + 1} of {of}, loss {total / batches.an_epoch:.5f}, {seconds:.0f} s", flush=True)
            total.zero_()
            epoch_begun = time.monotonic()
    _save(net.cpu(), plan.checkpoint)


def check_writable(checkpoint: Path) -> None:
    """Raises ValueError when a checkpoint, or the folder for it, cannot be written: after hours of training it would be too late."""
    new = _beside(checkpoint)
    made = [folder for folder in new.parents if not folder.exists()]
    with _writing(checkpoint):
        try:
            new.parent.mkdir(parents=True, exist_ok=True)
            if checkpoint.is_dir():
                raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
            new.write_bytes(b"")
            new.unlink()
        finally:
            for folder in made:  # what is not trained leaves nothing
                with suppress(OSError):
                    folder.rmdir()


def _save(net: nn.Module, checkpoint: Path) -> None:
    """Keeps the network in place of what was kept, which stays if there is no room. Raises ValueError."""
    held, new = BytesIO(), _beside(checkpoint)
    torch.save({name: numbers.cpu() for name, numbers in net.state_dict().items()}, held)
    with _writing(checkpoint):
        checkpoint.parent.mkdir(parents=True, exist_ok=True)
        try:
            new.write_bytes(held.getbuffer())
            new.replace(checkpoint)
        except OSError:
            new.unlink(missing_ok=True)
            raise


def _beside(checkpoint: Path) -> Path:
    """Where a checkpoint is written until all of it is there."""
    return checkpoint.with_name(f".{checkpoint.name}.new")


@contextmanager
def _writing(checkpoint: Path) -> Iterator[None]:
    """Turns what the system complains about into a ValueError."""
    try:
        yield
    except OSError as error:
        why = f"{checkpoint} cannot be written ({error.strerror})"
        raise ValueError(f"{why}: free some space there, or name another folder with --runs") from None


def load_checkpoint(net: nn.Module, part: str, *checkpoints: Path) -> None:
    """Loads what `istaka train` has kept of `part` into a network of its shape; of several the mean, number by number.

    What was learnt from one start can be averaged so (see `vision.workshop.average`). Raises ValueError when a file holds something else.
    """
    mean: dict[str, Tensor] = {}
    for checkpoint in checkpoints:
        try:
            net.load_state_dict(torch.load(checkpoint, map_location="cpu"))
        except Exception:  # what is no checkpoint fails in any place and way
            raise ValueError(f"{checkpoint} is no checkpoint of {part}: name one of `istaka train {part}`, or weights of models/") from None
        for name, held in net.state_dict().items():
            # Counts of batches, which are whole numbers, are nothing to average: those of the last stay.
            share = held / len(checkpoints) if held.is_floating_point() else held
            mean[name] = mean[name] + share if name in mean and held.is_floating_point() else share
    net.load_state_dict(mean)
