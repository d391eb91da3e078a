"""Whole-number arithmetic for the networks that look at crops: half of the time, measured at no loss (`models/HISTORY.md`)."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quant_pre_process, quantize_static

from assistant.tiles import FACE_DOWN
from vision.locate import corner_input
from vision.straighten import Pyramid, white_balanced
from vision.workshop.crops import corner_example, outline_example, target_of, tile_crop
from vision.workshop.photos import LabelledPhoto, picture_of

BATCH = 20
"""Crops in one calibration input, about as many as a rack holds."""
TILES_OF_A_SCENE = 6
"""How many tiles of one scene are cut at most: many sets tell more than many tiles of one."""


class _Examples(CalibrationDataReader):
    """Inputs for a network, in the form that ONNX Runtime asks for."""

    def __init__(self, name: str, inputs: list[NDArray[np.float32]]) -> None:
        self._next: Iterator[dict[str, NDArray[np.float32]]] = iter([{name: batch} for batch in inputs])

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        return next(self._next, None)


def calibration_inputs(folder: Path, photos: list[LabelledPhoto], seed: int = 1) -> dict[str, list[NDArray[np.float32]]]:
    """Inputs (N, 3, height, width) of every network that looks at crops, cut from rendered scenes as in training."""
    rng = np.random.default_rng(seed)
    corners, outlines, tiles = [], [], []
    for photo in photos:
        pyramid = Pyramid(np.asarray(cv2.imread(str(picture_of(folder, photo))), np.uint8))
        face_up = [(tile, np.asarray(polygon, np.float32)) for tile, polygon in photo.tiles or () if tile != FACE_DOWN]
        for tile, outline in face_up[:TILES_OF_A_SCENE]:
            target = target_of(0, tile, outline)
            corners.append(corner_example(pyramid, target, rng)[0])
            outlines.append(outline_example(pyramid, target, rng)[0])
            tiles.append(tile_crop(pyramid, target, rng)[0])

    def batched(crops: list[NDArray[np.uint8]]) -> list[NDArray[np.uint8]]:
        return [np.stack(crops[first : first + BATCH]) for first in range(0, len(crops), BATCH)]

    return {
        "corners": [corner_input(crops) for crops in batched(corners)],
        "outlines": [corner_input(crops) for crops in batched(outlines)],
        "tiles": [white_balanced(crops) for crops in batched(tiles)],
    }


def quantize(exact: Path, path: Path, inputs: list[NDArray[np.float32]]) -> None:
    """Writes the network `exact` to `path` with its convolutions in 8-bit whole numbers, scaled by what `inputs` bring about.

    A convolution and the rectifier after it are one: what that cuts off takes none of the 8 bits, and nothing is turned into
    whole numbers twice. Dense layers stay in floating point: they cost little and decide most. Weights have 7 bits, as processors
    without dot products of bytes overflow with 8 (ONNX Runtime, "Quantize ONNX models", on reduced range).
    """
    name = onnxruntime.InferenceSession(str(exact), providers=["CPUExecutionProvider"]).get_inputs()[0].name
    with tempfile.TemporaryDirectory() as folder:
        prepared = Path(folder) / exact.name
        quant_pre_process(str(exact), str(prepared), skip_symbolic_shape=True)
        nodes = onnx.load(str(prepared)).graph.node
        convolved = {name for node in nodes if node.op_type == "Conv" for name in node.output}
        of_dense_layers = [node.name for node in nodes if node.op_type == "Relu" and node.input[0] not in convolved]
        quantize_static(
            str(prepared), str(path), _Examples(name, inputs), quant_format=QuantFormat.QDQ,
            op_types_to_quantize=["Conv", "Relu"], nodes_to_exclude=of_dense_layers, per_channel=True, reduce_range=True,
            activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
        )  # fmt: skip
