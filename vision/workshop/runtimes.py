"""The same networks on every runtime that is installed, side by side: what the reader's choice rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate import CORNER_SIZE, FIRST_LOOK, STRIDES
from vision.straighten import TILE_SIZE
from vision.weights import MODELS, open_network

RACK = 20
"""Crops in a run: the tiles of a rack with its indicator."""
SHAPES = {
    "locator": (1, 3, -(-FIRST_LOOK * 9 // (16 * STRIDES[-1])) * STRIDES[-1], FIRST_LOOK),
    "corners": (RACK, 3, CORNER_SIZE, CORNER_SIZE),
    "outlines": (RACK, 3, CORNER_SIZE, CORNER_SIZE),
    "tiles": (RACK, 3, TILE_SIZE[1], TILE_SIZE[0]),
}
"""Input of each network when a rack is read from a picture of 16:9."""

Run = Callable[[NDArray[np.float32]], object]


def runtimes(network: str, folder: Path = MODELS) -> Iterator[tuple[str, Run]]:
    """A name and a function that runs `network`, for every runtime and precision there is, two threads each."""
    exact = str(folder / f"{network}.onnx")

    def onnx_runtime(name: str) -> Run:
        session = open_network(name, folder, threads=2)
        return lambda inputs: session.run(None, {session.get_inputs()[0].name: inputs})

    yield "ONNX Runtime", onnx_runtime(network)
    if (folder / f"{network}.int8.onnx").exists():
        yield "ONNX Runtime, int8", onnx_runtime(f"{network}.int8")
    opencv = cv2.dnn.readNetFromONNX(exact)

    def run_opencv(inputs: NDArray[np.float32]) -> object:
        opencv.setInput(inputs)
        return opencv.forward(opencv.getUnconnectedOutLayersNames())

    yield "OpenCV", run_opencv
    if find_spec("openvino") is not None:
        import openvino

        core = openvino.Core()
        for label, precision in (("OpenVINO, float32", "f32"), ("OpenVINO, its own choice", None)):
            options = {"INFERENCE_NUM_THREADS": 2, "PERFORMANCE_HINT": "LATENCY"}
            if precision:
                options["INFERENCE_PRECISION_HINT"] = precision
            yield label, core.compile_model(core.read_model(exact), "CPU", options)
