"""Shipped ONNX weights made trainable again, so that training can go on from what is in `models/`."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import NamedTuple

import numpy as np
import onnx
import torch
from google.protobuf.message import DecodeError
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn


class Channels(NamedTuple):
    """The channels of something that a file's network computes, as those of a larger network.

    Attributes:
        places: the number there of each (N,).
        count: how many there are there.
    """

    places: NDArray[np.int64]
    count: int


def load_network(path: Path) -> onnx.ModelProto:
    """What an ONNX file holds. Raises ValueError when that is no network."""
    try:
        return onnx.load(str(path))
    except DecodeError:
        raise ValueError(f"{path} holds no network: name weights of models/") from None


def load_onnx(net: nn.Module, path: Path, inputs: Tensor) -> None:
    """Gives `net` the weights of the ONNX file that was exported from a network of its kind, or from a smaller one.

    An export folds every batch norm into the convolution before it. Here each gets back the mean and spread that
    `inputs`, a batch as in training, shows there, and a gain and offset that undo them: the network answers as the file
    does, and trains as it did.

    A smaller network has fewer channels, narrower dense layers, or lacks a convolution that leaves the number of channels and the picture's
    size as they are. What is new weighs nothing at first, and a new convolution passes on what it is given, so that the network still
    answers as the file does (Chen, Goodfellow and Shlens, "Net2Net", ICLR 2016).

    Raises:
        ValueError: when the file holds another network, or none.
    """
    graph = load_network(path).graph
    held = {tensor.name: torch.from_numpy(numpy_helper.to_array(tensor).copy()) for tensor in graph.initializer}
    named = {name: node for node in graph.node if node.op_type == "Conv" for name in node.input}
    folded = deque(node for node in graph.node if node.op_type == "Conv")
    pairs = _convolutions(net)
    nodes: list[onnx.NodeProto | None] = []
    for name, convolution, norm in pairs:
        node = named.get(f"{name}.weight") or (folded[0] if folded else None)
        if node is not None and _fits(node, held, convolution):
            folded.remove(node)
        elif norm is not None and _can_pass_on(convolution):
            node = None
        else:
            raise ValueError(f"{path.name} holds another network: {name} is not in it")
        nodes.append(node)
    if folded:
        raise ValueError(f"{path.name} holds another network: it has more convolutions")
    counts = {node.output[0]: convolution.out_channels for node, (_, convolution, _) in zip(nodes, pairs, strict=True) if node}
    channels = _channels(graph, held, counts)
    of_pairs = {id(weight) for _, *modules in pairs for module in modules if module is not None for weight in module.parameters()}
    with torch.no_grad():
        for node, (_, convolution, norm) in zip(nodes, pairs, strict=True):
            if norm is not None:
                norm.running_mean.zero_()  # type: ignore[union-attr, operator]
                norm.running_var.fill_(1 - norm.eps)  # type: ignore[union-attr, operator]
                norm.weight.fill_(1)
            offset = convolution.bias if norm is None else norm.bias
            if offset is not None:
                offset.zero_()
            if node is None:
                nn.init.dirac_(convolution.weight)
                continue
            weight, places = held[node.input[1]], torch.from_numpy(channels[node.output[0]].places)
            given = channels.get(node.input[0]) if convolution.groups == 1 else None
            inputs_of_each = torch.arange(weight.shape[1]) if given is None else torch.from_numpy(given.places)
            convolution.weight[places] = 0
            convolution.weight[places[:, None], inputs_of_each] = weight
            if offset is not None and len(node.input) > 2:
                offset[places] = held[node.input[2]]
        for name, weights in net.named_parameters():
            if id(weights) in of_pairs or not weights.requires_grad:
                continue
            if name not in held or not _is_part(held[name], weights):
                raise ValueError(f"{path.name} holds another network: {name} is not in it")
            _take_in(weights, held[name])
    _spread_norms(net, [norm for _, _, norm in pairs if norm is not None], inputs)


def _channels(graph: onnx.GraphProto, held: dict[str, Tensor], counts: dict[str, int]) -> dict[str, Channels]:
    """The channels of all that a file's network computes, as those of a larger network, by what the file calls it.

    They come first among the larger network's own: in each half of what is halved, and in each part of what is put together.

    Args:
        counts: how many channels the larger network has for what each convolution gives.
    """
    made_by = {name: node for node in graph.node for name in node.output}
    halved = set()
    for node in graph.node:
        if node.op_type == "Split":
            while node.op_type != "Conv":
                node = made_by[node.input[0]]
            halved.add(node.output[0])
    channels: dict[str, Channels] = {}
    for node in graph.node:
        known = [channels[name] for name in node.input if name in channels]
        if node.op_type == "Conv" and node.output[0] in counts:
            count, weight = counts[node.output[0]], held[node.input[1]]
            first = np.arange(len(weight))
            if node.output[0] in halved:
                first = np.concatenate([first[: len(first) // 2], first[: len(first) // 2] + count // 2])
            one_by_one = known and weight.shape[1] == 1 < len(known[0].places)
            channels[node.output[0]] = known[0] if one_by_one else Channels(first, count)
        elif node.op_type == "Split":
            half = Channels(known[0].places[: len(known[0].places) // 2], known[0].count // 2)
            channels.update(dict.fromkeys(node.output, half))
        elif node.op_type == "Concat" and len(known) == len(node.input):
            before = np.cumsum([0, *(each.count for each in known)])
            places = [each.places + start for each, start in zip(known, before, strict=False)]
            channels[node.output[0]] = Channels(np.concatenate(places), int(before[-1]))
        elif known:
            channels.update(dict.fromkeys(node.output, known[0]))
    return channels


def _fits(node: onnx.NodeProto, held: dict[str, Tensor], convolution: nn.Conv2d) -> bool:
    """Whether a file's convolution is this one, or a part of its channels."""
    if node.input[1] not in held:  # as in whole numbers
        return False
    strides = next((tuple(attribute.ints) for attribute in node.attribute if attribute.name == "strides"), (1, 1))
    theirs, own = held[node.input[1]].shape, convolution.weight.shape
    return strides == convolution.stride and theirs[2:] == own[2:] and theirs[0] <= own[0] and theirs[1] <= own[1]


def _is_part(theirs: Tensor, own: Tensor) -> bool:
    """Whether a file's dense weights are of the shape of these, or of a part of them."""
    return theirs.dim() == own.dim() and all(part <= whole for part, whole in zip(theirs.shape, own.shape, strict=True))


def _take_in(own: Tensor, theirs: Tensor) -> None:
    """Gives a dense layer's weights those of a narrower one, whose inputs and outputs come first among its own."""
    known = own[: len(theirs)]
    known.zero_()
    known[tuple(slice(length) for length in theirs.shape)] = theirs


def _can_pass_on(convolution: nn.Conv2d) -> bool:
    """Whether a convolution can give what it is given."""
    return convolution.stride == (1, 1) and convolution.in_channels == convolution.out_channels and convolution.groups == 1


def _convolutions(net: nn.Module) -> list[tuple[str, nn.Conv2d, nn.BatchNorm2d | None]]:
    """Every convolution that learns, in the order of use, with its name and the batch norm after it."""
    modules = [(name, module) for name, module in net.named_modules() if isinstance(module, nn.Conv2d | nn.BatchNorm2d)]
    found: list[tuple[str, nn.Conv2d, nn.BatchNorm2d | None]] = []
    for (name, module), (_, after) in zip(modules, [*modules[1:], ("", None)], strict=True):
        if isinstance(module, nn.Conv2d) and module.weight.requires_grad:
            found.append((name, module, after if isinstance(after, nn.BatchNorm2d) else None))
    return found


def _spread_norms(net: nn.Module, norms: list[nn.BatchNorm2d], inputs: Tensor) -> None:
    """Moves what each batch norm does into its gain and offset, its mean and spread being those of `inputs`."""

    def measure(norm: nn.Module, given: tuple[Tensor, ...]) -> None:
        assert isinstance(norm, nn.BatchNorm2d)
        mean, spread = given[0].mean((0, 2, 3)), given[0].var((0, 2, 3))
        norm.weight.copy_((spread + norm.eps).sqrt())
        norm.bias.add_(mean)
        norm.running_mean.copy_(mean)  # type: ignore[union-attr, operator]
        norm.running_var.copy_(spread)  # type: ignore[union-attr, operator]

    hooks = [norm.register_forward_pre_hook(measure) for norm in norms]
    net.eval()
    with torch.no_grad():
        net(inputs)
    for hook in hooks:
        hook.remove()
