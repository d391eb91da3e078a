"""Whole-number arithmetic for the networks: half of the time, measured at no loss (`models/HISTORY.md`)."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quant_pre_process, quantize_static

from vision.locate import FAR_LOOKS, FIRST_LOOK, corner_input, locator_input
from vision.sources import load_photo
from vision.straighten import Pyramid, white_balanced
from vision.workshop.crops import corner_example, outline_example, target_of, tile_crop
from vision.workshop.photos import LabelledPhoto, picture_of

BATCH = 20
"""Crops in one calibration input, about as many as a rack holds."""
TILES_OF_A_SCENE = 6
"""How many tiles of one scene are cut at most: many sets tell more than many tiles of one."""


OPERATIONS = ["Conv", "Relu", "Add", "Concat", "Resize", "MaxPool", "Split"]
"""What is done in whole numbers: convolutions, their rectifiers, and what lies between them."""


class _Examples(CalibrationDataReader):
    """Inputs for a network, in the form that ONNX Runtime asks for."""

    def __init__(self, name: str, inputs: list[NDArray[np.float32]]) -> None:
        self._next: Iterator[dict[str, NDArray[np.float32]]] = iter([{name: batch} for batch in inputs])

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        return next(self._next, None)


def calibration_inputs(folder: Path, photos: list[LabelledPhoto], seed: int = 1) -> dict[str, list[NDArray[np.float32]]]:
    """Inputs (N, 3, height, width) of every network: rendered scenes as the locator sees them, and crops of them cut as in training.

    Raises PhotoError.
    """
    rng = np.random.default_rng(seed)
    seen, corners, outlines, tiles = [], [], [], []
    for photo in photos:
        pyramid = Pyramid(load_photo(picture_of(folder, photo)))
        seen += [locator_input(pyramid, long_side) for long_side in (FIRST_LOOK, FAR_LOOKS[0][0])]
        for tile, outline in photo.face_up[:TILES_OF_A_SCENE]:
            target = target_of(0, tile, np.asarray(outline, np.float32))
            corners.append(corner_example(pyramid, target, rng)[0])
            outlines.append(outline_example(pyramid, target, rng)[0])
            tiles.append(tile_crop(pyramid, target, rng)[0])

    def batched(crops: list[NDArray[np.uint8]]) -> list[NDArray[np.uint8]]:
        return [np.stack(crops[first : first + BATCH]) for first in range(0, len(crops), BATCH)]

    return {
        "locator": seen,
        "corners": [corner_input(crops) for crops in batched(corners)],
        "outlines": [corner_input(crops) for crops in batched(outlines)],
        "tiles": [white_balanced(crops) for crops in batched(tiles)],
    }


def quantize(exact: Path, path: Path, inputs: list[NDArray[np.float32]], first_exact: bool = False) -> None:
    """Writes the network `exact` to `path` with its convolutions in 8-bit whole numbers, scaled by what `inputs` bring about.

    A convolution and the rectifier after it are one: what that cuts off takes none of the 8 bits, and nothing is turned into
    whole numbers twice. What has no rectifier after it stays in floating point, dense layers and the locator's answers: they cost
    little and decide most. Weights have 7 bits, as processors without dot products of bytes overflow with 8 (ONNX Runtime,
    "Quantize ONNX models", on reduced range).

    Args:
        first_exact: whether the first convolution stays in floating point, too: in the locator, whose pictures are large and show what is
            small, it takes a quarter of the error away and no time.
    """
    name = onnxruntime.InferenceSession(str(exact), providers=["CPUExecutionProvider"]).get_inputs()[0].name
    with tempfile.TemporaryDirectory() as folder:
        prepared = Path(folder) / exact.name
        quant_pre_process(str(exact), str(prepared), skip_symbolic_shape=True)
        quantize_static(
            str(prepared), str(path), _Examples(name, inputs), quant_format=QuantFormat.QDQ, op_types_to_quantize=OPERATIONS,
            nodes_to_exclude=_kept_exact(onnx.load(str(prepared)).graph, first_exact), per_channel=True, reduce_range=True,
            activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
        )  # fmt: skip


def _kept_exact(graph: onnx.GraphProto, first_exact: bool) -> list[str]:
    """The names of the nodes of a network that stay in floating point."""
    made_by = {name: node for node in graph.node for name in node.output}
    rectified = {node.input[0] for node in graph.node if node.op_type == "Relu"}
    first = {name for node in graph.node if node.input[0] == graph.input[0].name for name in node.output} if first_exact else set()

    def is_exact(node: onnx.NodeProto) -> bool:
        if node.op_type == "Conv":
            return node.output[0] not in rectified or node.output[0] in first
        if node.op_type == "Relu":
            return made_by[node.input[0]].op_type != "Conv" or node.input[0] in first
        return any(name in made_by and made_by[name].op_type not in OPERATIONS for name in node.input)

    return [node.name for node in graph.node if is_exact(node)]
