"""Where the weights lie, and how a network is started on ONNX Runtime."""

from __future__ import annotations

from pathlib import Path

import onnxruntime

MODELS = Path(__file__).resolve().parent.parent / "models"
"""The folder of the weights, beside this package in a clone and in an installation."""


def open_network(name: str, folder: Path = MODELS, threads: int = 0) -> onnxruntime.InferenceSession:
    """The network stored as `name`.onnx, ready to run on `threads` cores (0: all).

    Raises FileNotFoundError when the weights are not there.
    """
    path = folder / f"{name}.onnx"
    if not path.exists():
        raise FileNotFoundError(f"the weights {path.name} are missing from {folder}: install istaka again")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
