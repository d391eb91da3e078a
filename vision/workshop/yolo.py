"""Ultralytics made to run where torchvision has no CPU build, and the locator's shape.

Importing this module instead of `ultralytics` is enough.
"""

from __future__ import annotations

import os
from pathlib import Path

import torch
from PIL import Image

os.environ.setdefault("YOLO_OFFLINE", "true")
os.environ.setdefault("YOLO_AUTOINSTALL", "false")


def _declare_missing_operators() -> None:
    """torchvision's compiled part is linked against CUDA; beside CPU PyTorch its operators are missing at import."""
    library = torch.library.Library("torchvision", "DEF")
    for name in ("nms", "qnms"):
        library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    _KEPT.append(library)


_KEPT: list[torch.library.Library] = []
try:
    import torchvision
except RuntimeError:
    _declare_missing_operators()
    import torchvision

_pillow_open = Image.open
from ultralytics import YOLO  # noqa: E402
from ultralytics.nn.tasks import DetectionModel  # noqa: E402
from ultralytics.utils.nms import TorchNMS  # noqa: E402

Image.open = _pillow_open  # Ultralytics puts its own in place, which wants to install a HEIC reader when it meets a text
torchvision.ops.nms = TorchNMS.nms

LOCATOR_SHAPE = Path(__file__).with_name("locator.yaml")

__all__ = ["LOCATOR_SHAPE", "YOLO", "DetectionModel"]
