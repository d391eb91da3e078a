"""Shipped ONNX weights made trainable again, so that training can go on from what is in `models/`."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn


def load_onnx(net: nn.Module, path: Path, inputs: Tensor) -> None:
    """Gives `net` the weights of the ONNX file that was exported from a network of its kind, or from a smaller one.

    An export folds every batch norm into the convolution before it. Here each gets back the mean and spread that
    `inputs`, a batch as in training, shows there, and a gain and offset that undo them: the network answers as the file
    does, and trains as it did.

    A smaller network has fewer channels, or lacks a convolution that leaves their number and the picture's size as they are. What is new
    weighs nothing at first, and a new convolution passes on what it is given, so that the network still answers as the file
    does (Chen, Goodfellow and Shlens, "Net2Net", ICLR 2016).

    Raises:
        ValueError: when the file holds another network.
    """
    graph = onnx.load(str(path)).graph
    held = {tensor.name: torch.from_numpy(numpy_helper.to_array(tensor).copy()) for tensor in graph.initializer}
    named = {name: node for node in graph.node if node.op_type == "Conv" for name in node.input}
    folded = deque(node for node in graph.node if node.op_type == "Conv")
    pairs = _convolutions(net)
    of_pairs = {id(weight) for _, *modules in pairs for module in modules if module is not None for weight in module.parameters()}
    with torch.no_grad():
        for name, convolution, norm in pairs:
            node = named.get(f"{name}.weight") or (folded[0] if folded else None)
            if node is not None and _fits(node, held, convolution):
                folded.remove(node)
                weight, bias = held[node.input[1]], held[node.input[2]] if len(node.input) > 2 else torch.zeros(0)
            elif norm is not None and _can_pass_on(convolution):
                weight, bias = nn.init.dirac_(torch.empty_like(convolution.weight)), torch.zeros(0)
            else:
                raise ValueError(f"{path.name} holds another network: {name} is not in it")
            convolution.weight[: len(weight)] = 0
            convolution.weight[: len(weight), : weight.shape[1]] = weight
            if norm is not None:
                norm.running_mean.zero_()  # type: ignore[union-attr, operator]
                norm.running_var.fill_(1 - norm.eps)  # type: ignore[union-attr, operator]
                norm.weight.fill_(1)
            offset = convolution.bias if norm is None else norm.bias
            if offset is not None:
                offset.zero_()
                offset[: len(bias)] = bias
        if folded:
            raise ValueError(f"{path.name} holds another network: it has more convolutions")
        for name, weights in net.named_parameters():
            if id(weights) in of_pairs or not weights.requires_grad:
                continue
            if name not in held or held[name].shape != weights.shape:
                raise ValueError(f"{path.name} holds another network: {name} is not in it")
            weights.copy_(held[name])
    _spread_norms(net, [norm for _, _, norm in pairs if norm is not None], inputs)


def _fits(node: onnx.NodeProto, held: dict[str, Tensor], convolution: nn.Conv2d) -> bool:
    """Whether a file's convolution is this one, or a part of its channels."""
    strides = next((tuple(attribute.ints) for attribute in node.attribute if attribute.name == "strides"), (1, 1))
    theirs, own = held[node.input[1]].shape, convolution.weight.shape
    return strides == convolution.stride and theirs[2:] == own[2:] and theirs[0] <= own[0] and theirs[1] <= own[1]


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
