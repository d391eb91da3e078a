"""Where the weights lie, and how a network is started on ONNX Runtime."""

from __future__ import annotations

from pathlib import Path

import onnxruntime

from assistant.reasons import Reason

MODELS = Path(__file__).resolve().parent.parent / "models"
"""The folder of the weights, beside this package in a clone and in an installation."""


class WeightsError(ValueError):
    """Weights that cannot be used; the reason says why and what to do."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


def open_network(name: str, folder: Path = MODELS, threads: int = 0) -> onnxruntime.InferenceSession:
    """The network stored as `name`.onnx, ready to run on `threads` cores (0: all).

    Raises WeightsError when the weights are not there, or damaged.
    """
    path = folder / f"{name}.onnx"
    if not path.exists():
        raise WeightsError(Reason("the weights {name} are missing from {folder}: install istaka again", name=path.name, folder=str(folder)))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    # The reader runs its networks in turn: idle threads of one, waiting awake, would halve the speed of the next.
    options.add_session_config_entry("session.force_spinning_stop", "1")
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception:  # ONNX Runtime's own have no common base
        reason = Reason("the weights {name} in {folder} are damaged: install istaka again", name=path.name, folder=str(folder))
        raise WeightsError(reason) from None
