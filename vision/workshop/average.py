"""`istaka average`: shipped weights moved a part of the way to further trained ones.

Weights trained on from the same start can be averaged, and often keep what both are good at (Wortsman et al., "Robust
fine-tuning of zero-shot models", CVPR 2022): a network learns poor light and forgets less of what it knew.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

from assistant.arguments import Parser
from vision.weights import MODELS
from vision.workshop.export import PARTS, SCENES, ship
from vision.workshop.recover import load_network


def average(path: Path, other: Path, share: float, moved: Path) -> None:
    """Writes to `moved` the weights in the ONNX file `path`, moved by `share`, 0 to 1, of the way to those in `other`.

    Raises ValueError when the two are not the same network.
    """
    model, further = load_network(path), load_network(other).graph
    graph = model.graph
    held = {tensor.name: tensor for tensor in graph.initializer if tensor.data_type == TensorProto.FLOAT}
    theirs = {tensor.name: tensor for tensor in further.initializer}
    if [node.op_type for node in graph.node] != [node.op_type for node in further.node]:
        raise ValueError(f"{other} holds another network than {path}")
    # What a file calls its weights depends on how it was written; the order of the nodes does not.
    pairs = {mine: its for a, b in zip(graph.node, further.node, strict=True) for mine, its in zip(a.input, b.input, strict=True)}
    for name, tensor in held.items():
        if name not in pairs:
            continue
        own, its = numpy_helper.to_array(tensor), numpy_helper.to_array(theirs[pairs[name]])
        if own.shape != its.shape:
            raise ValueError(f"{other} holds another network than {path}")
        tensor.CopyFrom(numpy_helper.from_array(((1 - share) * own + share * its).astype(np.float32), name))
    onnx.save(model, str(moved))


def main(argv: list[str] | None = None) -> int:
    """The command `istaka average`. Returns its exit status."""
    parser = Parser(prog="istaka average", description="Move shipped weights a part of the way to further trained ones.")
    parser.add_argument("part", choices=PARTS, help="the network whose weights are moved")
    parser.add_argument("other", type=Path, help="a folder with the exported further trained weights")
    parser.add_argument("--share", type=float, default=0.3, help="how far they are moved, 0 to 1 (default 0.3)")
    parser.add_argument("--models", type=Path, default=MODELS, help="the folder of the weights that are moved (default the shipped ones)")
    parser.add_argument("--scenes", type=Path, default=SCENES, help=f"scenes of `istaka synth` to calibrate by (default {SCENES})")
    options = parser.parse_args(argv)
    path, other = (folder / f"{options.part}.onnx" for folder in (options.models, options.other))
    missing = next((file for file in (path, other) if not file.exists()), None)
    if missing:
        print(f"istaka average: there is no {missing}: write it with `istaka export`", file=sys.stderr)
        return 2
    if not 0 <= options.share <= 1:
        print(f"istaka average: --share is {options.share:g}: give a number from 0 to 1", file=sys.stderr)
        return 2
    if not (options.scenes / "truth.jsonl").exists():
        print(f"istaka average: {options.scenes} holds no scenes: render some with `istaka synth {options.scenes}`", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:  # where anything is wrong no network changes
        try:
            average(path, other, options.share, Path(folder) / path.name)
            ship([options.part], Path(folder), options.models, options.scenes)
        except ValueError as error:
            print(f"istaka average: {error}", file=sys.stderr)
            return 2
    return 0
