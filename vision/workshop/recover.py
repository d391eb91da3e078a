"""Shipped ONNX weights made trainable again, so that training can go on from what is in `models/`."""

from __future__ import annotations

from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn


def load_onnx(net: nn.Module, path: Path, inputs: Tensor) -> None:
    """Gives `net` the weights of the ONNX file that was exported from a network of its kind.

    An export folds every batch norm into the convolution before it. Here each gets back the mean and spread that
    `inputs`, a batch as in training, shows there, and a gain and offset that undo them: the network answers as the file
    does, and trains as it did.

    Raises:
        ValueError: when the file holds another network.
    """
    graph = onnx.load(str(path)).graph
    held = {tensor.name: torch.from_numpy(numpy_helper.to_array(tensor).copy()) for tensor in graph.initializer}
    folded = iter([node for node in graph.node if node.op_type == "Conv"])
    own = dict(net.named_parameters())
    pairs = _convolutions(net)
    with torch.no_grad():
        for name, convolution, norm in pairs:
            node = next((n for n in graph.node if f"{name}.weight" in n.input), None) or next(folded, None)
            if node is None or held[node.input[1]].shape != convolution.weight.shape:
                raise ValueError(f"{path.name} holds another network: {name} is not in it")
            convolution.weight.copy_(held[node.input[1]])
            bias = held[node.input[2]] if len(node.input) > 2 else torch.zeros(())
            if norm is None:
                if convolution.bias is not None:
                    convolution.bias.copy_(bias)
                continue
            norm.running_mean.zero_()  # type: ignore[union-attr, operator]
            norm.running_var.fill_(1 - norm.eps)  # type: ignore[union-attr, operator]
            norm.weight.fill_(1)
            norm.bias.copy_(bias)
        for name in own.keys() & held.keys():
            own[name].copy_(held[name])
    _spread_norms(net, [norm for _, _, norm in pairs if norm is not None], inputs)


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
