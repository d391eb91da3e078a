"""`istaka export`: checkpoints to ONNX files in `models/`, checked against PyTorch, with their checksums.

Each is written twice: exact, to be trained on, and in whole numbers, to be run. The detector that the reader is compared with is
written once, to `models/peers/`, as Ultralytics does.
"""

from __future__ import annotations

import hashlib
import json
import math
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from torch import nn

from assistant.arguments import Parser, written_out
from vision.classify import FEATURES, NO_TILE_COLUMN
from vision.decode import FACES
from vision.locate import BINS, CORNER_SIZE
from vision.straighten import TILE_SIZE
from vision.weights import MODELS
from vision.workshop import RUNS
from vision.workshop.detector import detector_of
from vision.workshop.learn import load_checkpoint
from vision.workshop.networks import CornerNet, OutlineNet, TileNet
from vision.workshop.peers import PEER_FILE
from vision.workshop.photos import load_truth, split_of
from vision.workshop.quantize import calibration_inputs, quantize

TOLERANCE = 1e-3
"""Largest difference of any score between PyTorch and ONNX Runtime."""
SCENES = Path("datasets/rendered/train")
"""Scenes that quantized networks are calibrated by."""
CALIBRATION_SCENES = 120
"""How many scenes say in which range the numbers within a network lie."""
CROPS_SEEN: dict[str, tuple[type[nn.Module], tuple[int, int], list[str]]] = {
    "corners": (CornerNet, (CORNER_SIZE, CORNER_SIZE), ["corners"]),
    "outlines": (OutlineNet, (CORNER_SIZE, CORNER_SIZE), ["corners"]),
    "tiles": (TileNet, TILE_SIZE, ["number", "colour", "turn"]),
}
"""The networks that look at crops, with the width and height of these, and their outputs."""
PARTS = (*CROPS_SEEN, "locator")
"""The networks that are shipped."""
PEER = "peer"
"""The detector that the reader is compared with, see `vision.workshop.peers`."""


class ExportError(RuntimeError):
    """ONNX Runtime does not answer as PyTorch does."""


def export_network(net: nn.Module, shape: tuple[int, int, int], outputs: list[str], path: Path) -> float:
    """Writes `net` with inputs (N, *shape) to `path` and returns the largest difference to ONNX Runtime on noise.

    Raises ExportError when that is more than TOLERANCE.
    """
    net.eval()
    example = torch.rand(3, *shape)
    torch.onnx.export(
        net, (example[:1],), str(path), input_names=["crops"], output_names=outputs, opset_version=17, dynamo=False,
        dynamic_axes={name: {0: "n"} for name in ["crops", *outputs]},
    )  # fmt: skip
    with torch.no_grad():
        expected = net(example)
    expected = expected if isinstance(expected, tuple) else (expected,)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    answers = session.run(None, {"crops": example.numpy()})
    difference = max(float(np.abs(want.numpy() - got).max()) for want, got in zip(expected, answers, strict=True))
    if difference > TOLERANCE:
        raise ExportError(f"{path.name} differs from PyTorch by {difference:.2g}")
    return difference


def expose_features(path: Path) -> None:
    """Makes what the classifier's heads see the last output of its ONNX file, for sets that are taught; all else stays.

    Raises ExportError when the file holds no classifier.
    """
    model = onnx.load(str(path))
    graph = model.graph
    if FEATURES in (output.name for output in graph.output):
        return
    head = next((node for node in graph.node if "number" in node.output), None)
    if head is None:
        raise ExportError(f"{path.name} has no output `number`: it is no classifier")
    _rename(graph, head.input[0], FEATURES)
    width = next(tensor.dims[1] for tensor in graph.initializer if tensor.name == head.input[1])
    graph.output.append(onnx.helper.make_tensor_value_info(FEATURES, onnx.TensorProto.FLOAT, ["n", width]))
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def _rename(graph: onnx.GraphProto, old: str, new: str) -> None:
    """Gives what the graph calls `old` another name wherever it stands."""
    for node in graph.node:
        for names in (node.input, node.output):
            names[:] = [new if name == old else name for name in names]


def leave_boxes_to_reader(path: Path) -> None:
    """Cuts the ONNX file of a detector before it makes boxes of distances, of all cells of its grids: the reader does, of a few.

    Its outputs are then `sides` (1, 4 x BINS, N), scores of distances, and `scores` (1, classes, N), see `vision.locate.boxes_from`.

    Raises ExportError when the file holds no detector that tells distances by their chances.
    """
    model = onnx.load(str(path))
    made_by = {name: node for node in model.graph.node for name in node.output}
    told = [made_by[name] for name in made_by[model.graph.output[0].name].input if name in made_by]
    of_tiles = next((node for node in told if node.op_type == "Sigmoid"), None)
    of_distances = next((node for node in model.graph.node if node.op_type == "Softmax"), None)
    if of_tiles is None or of_distances is None:
        raise ExportError(f"{path.name} has no chances of tiles and of distances: it is no locator")
    scores, sides = of_tiles.input[0], of_distances.input[0]
    while made_by[sides].op_type != "Concat":
        sides = made_by[sides].input[0]
    onnx.utils.extract_model(str(path), str(path), [model.graph.input[0].name], [sides, scores])
    cut = onnx.load(str(path))
    del cut.graph.output[:], cut.graph.value_info[:]
    for old, new, depth in ((sides, "sides", 4 * BINS), (scores, "scores", "classes")):
        _rename(cut.graph, old, new)
        cut.graph.output.append(onnx.helper.make_tensor_value_info(new, onnx.TensorProto.FLOAT, [1, depth, "cells"]))
    onnx.checker.check_model(cut)
    onnx.save(cut, str(path))


def export_part(part: str, checkpoints: list[Path], path: Path, no_tile: float = 0.0) -> None:
    """Writes one of PARTS, or PEER, to `path`: the network that a checkpoint holds, or the mean of several.

    Args:
        no_tile: added to the classifier's score of what is no tile: e to this times as likely. Training tells it from tiles
            as often as either is learnt, which is not how often the locator is wrong.

    Raises ValueError when a file holds something else, ExportError.
    """
    if part not in CROPS_SEEN:
        _export_detector(part, checkpoints, path)
        return
    of_shape, (width, height), outputs = CROPS_SEEN[part]
    net = of_shape()
    load_checkpoint(net, part, *checkpoints)
    if isinstance(net, TileNet):
        net.number.bias.data[NO_TILE_COLUMN] += no_tile
    difference = export_network(net, (3, height, width), outputs, path)
    print(f"{path.name}: differs from PyTorch by at most {difference:.1e}")
    if part == "tiles":
        expose_features(path)


def _export_detector(part: str, checkpoints: list[Path], path: Path) -> None:
    """For pictures of any multiple of 32 pixels."""
    from vision.workshop.yolo import LOCATOR_SHAPE, YOLO

    detector = YOLO(str(LOCATOR_SHAPE))
    detector.model = detector_of(FACES if part == PEER else ())
    load_checkpoint(detector.model, part, *checkpoints)
    with tempfile.TemporaryDirectory() as folder:
        for_ultralytics = Path(folder) / "detector.pt"
        detector.save(str(for_ultralytics))
        written = YOLO(str(for_ultralytics)).export(format="onnx", dynamic=True, simplify=True, opset=17)
        shutil.move(str(written), path)
    if part != PEER:
        leave_boxes_to_reader(path)


def ship(parts: list[str], made: Path, models: Path, scenes: Path) -> None:
    """Moves these networks from the folder `made` to `models`, beside them the same in whole numbers, calibrated by rendered scenes.

    `checksums.json` is then that of all ONNX files in `models`, by SHA-256. Where anything is wrong nothing moves.

    Raises:
        FileNotFoundError: when `scenes` holds no truth.jsonl.
        ValueError: when what it holds cannot be read, or shows no tile.
    """
    photos = [photo for photo in load_truth(scenes) if photo.tiles and split_of(photo) == "train"]
    inputs = calibration_inputs(scenes, photos[:CALIBRATION_SCENES])
    for part in parts:
        if not inputs[part]:
            raise ValueError(f"{scenes} has no scene with tiles to calibrate by: render more with `istaka synth {scenes}`")
        quantize(made / f"{part}.onnx", made / f"{part}.int8.onnx", inputs[part], first_exact=part == "locator")
    models.mkdir(parents=True, exist_ok=True)
    for name in (f"{part}{way}.onnx" for part in parts for way in ("", ".int8")):
        shutil.move(made / name, models / name)
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(models.glob("*.onnx"))}
    (models / "checksums.json").write_text(json.dumps(sums, indent=2) + "\n")


def main(argv: list[str] | None = None) -> int:
    """The command `istaka export`. Returns its exit status."""
    parser = Parser(prog="istaka export", description="Turn checkpoints into the weights in models/.")
    runs = f"where the checkpoints are (default {RUNS}); of several folders the mean of theirs is taken"
    parser.add_argument("--runs", type=Path, nargs="+", default=[RUNS], metavar="FOLDER", help=runs)
    parser.add_argument("--models", type=Path, default=MODELS, help="where the weights go (default where the shipped ones are)")
    parser.add_argument("--scenes", type=Path, default=SCENES, help=f"scenes of `istaka synth` to calibrate by (default {SCENES})")
    raised = "add this to the classifier's score of what is no tile (default 0)"
    parser.add_argument("--no-tile", type=float, default=0.0, metavar="SCORE", help=raised)
    options = parser.parse_args(argv)
    held = {part: [file for run in options.runs if (file := run / f"{part}.pt").exists()] for part in (*PARTS, PEER)}
    exported = [part for part, files in held.items() if files]
    if not exported:
        folders = written_out(" and ".join(map(str, options.runs)))
        print(f"istaka export: no checkpoint is in {folders}: train with `istaka train` first", file=sys.stderr)
        return 2
    if not math.isfinite(options.no_tile) or (options.no_tile and "tiles" not in exported):
        print(f"istaka export: --no-tile {options.no_tile:g} needs a number, and a checkpoint of tiles to add it to", file=sys.stderr)
        return 2
    shipped = [part for part in exported if part != PEER]
    if shipped and not (options.scenes / "truth.jsonl").exists():
        scenes = written_out(options.scenes)
        print(f"istaka export: {scenes} holds no scenes: render some with `istaka synth {scenes}`", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:  # where a checkpoint or a scene is wrong no network changes
        made = Path(folder)
        try:
            for part in exported:
                export_part(part, held[part], made / f"{part}.onnx", options.no_tile)
            if shipped:
                ship(shipped, made, options.models, options.scenes)
        except (ValueError, ExportError) as error:
            print(f"istaka export: {written_out(error)}", file=sys.stderr)
            return 2
        if PEER in exported:
            (options.models / PEER_FILE).parent.mkdir(parents=True, exist_ok=True)
            shutil.move(made / f"{PEER}.onnx", options.models / PEER_FILE)
    return 0
