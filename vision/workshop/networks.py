"""The three small networks that are trained here; the locator is Ultralytics'."""

from __future__ import annotations

import torch
from torch import Tensor, nn

NUMBER_CLASSES = 16
"""1 to 13, false joker, face down, not a tile."""
COLOUR_CLASSES = 4
CLOSE = 0.01
"""Corners that are off by less, in half the crop's side, weigh as the square of that: a fifth of a pixel of the crop a side."""
TURN_CLASSES = 4
"""Quarter turns clockwise by which the crop's content is turned from upright."""


def _block(inputs: int, outputs: int, stride: int) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class CornerNet(nn.Module):
    """Square crop around a box (N, 3, 80, 80) to the tile's corners (N, 8), in units of half the crop from its middle.

    The corners go clockwise round the tile, starting anywhere: see `corner_loss`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            _block(3, 16, 2), _block(16, 32, 1), _block(32, 48, 2), _block(48, 64, 1), _block(64, 96, 2), _block(96, 96, 1),
            _block(96, 64, 2),
        )  # fmt: skip
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(64 * 5 * 5, 160), nn.ReLU(inplace=True), nn.Linear(160, 8))

    def forward(self, crops: Tensor) -> Tensor:
        """See the class."""
        return self.head(self.features(crops))


class OutlineNet(nn.Module):
    """Crop straightened by an estimate of a tile's outline (N, 3, 80, 80) to its corners (N, 8), as `CornerNet` gives them.

    What is seen coarsely says which tile is meant, what is seen finely where exactly its edges are.
    """

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            _block(3, 16, 2), _block(16, 32, 1), _block(32, 48, 2), _block(48, 64, 1), _block(64, 96, 2), _block(96, 96, 1)
        )  # fmt: skip
        self.coarse = nn.Sequential(_block(96, 64, 2), nn.Flatten(), nn.Linear(64 * 5 * 5, 160))
        self.fine = nn.Sequential(_block(96, 32, 1), nn.Flatten(), nn.Linear(32 * 10 * 10, 48), nn.Linear(48, 160))
        self.head = nn.Sequential(nn.ReLU(inplace=True), nn.Linear(160, 8))

    def forward(self, crops: Tensor) -> Tensor:
        """See the class."""
        seen = self.features(crops)
        return self.head(self.coarse(seen) + self.fine(seen))


class TileNet(nn.Module):
    """Straightened tile (N, 3, 96, 64) to scores of number (N, 16), colour (N, 4) and turn (N, 4)."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            _block(3, 24, 2), _block(24, 32, 1), _block(32, 64, 2), _block(64, 80, 1), _block(80, 112, 2), _block(112, 144, 1),
            _block(144, 144, 1), _block(144, 128, 2),
        )  # fmt: skip
        self.body = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(128 * 6 * 4, 192), nn.ReLU(inplace=True))
        self.number = nn.Linear(192, NUMBER_CLASSES)
        self.colour = nn.Linear(192, COLOUR_CLASSES)
        self.turn = nn.Linear(192, TURN_CLASSES)

    def forward(self, tiles: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """See the class."""
        found = self.body(self.features(tiles))
        return self.number(found), self.colour(found), self.turn(found)


def corner_loss(predicted: Tensor, wanted: Tensor) -> Tensor:
    """Smooth L1 between corners (N, 8), for the best of the four cyclic orders: no order has to be learnt."""
    four = wanted.view(-1, 4, 2)
    orders = torch.stack([four.roll(shift, 1).reshape(-1, 8) for shift in range(4)], 1)
    each = nn.functional.smooth_l1_loss(predicted[:, None].expand_as(orders), orders, beta=CLOSE, reduction="none")
    return each.mean(2).min(1).values.mean()
