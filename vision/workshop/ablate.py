"""What each step of the reading is worth: the same photos, read with one step after the other left out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from vision.decode import RAW
from vision.sight import tell


def _cheapest(cost: NDArray[np.floating[Any]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The cheapest column of each row, whether another row has taken it or not."""
    return np.arange(len(cost)), cost.argmin(1)


STEPS: dict[str, dict[str, Any]] = {
    "the whole way": {},
    "corners looked for once": {"vision.locate.LOOKS": 1},
    "6 and 9 without neighbours": {"vision.classify.turns_by_neighbours": lambda corners, this_way: this_way},
    "each ink by itself": {"vision.decode.settle_colours": lambda colour, ink, weight: colour},
    "each tile by itself": {"vision.decode.linear_sum_assignment": _cheapest},
    "chances as they are": {"vision.reader.tell": partial(tell, calibration=RAW)},
}
"""What is left out, and what stands in its place: names in the reader's modules."""


@contextmanager
def without(step: str) -> Iterator[None]:
    """Reads without one of STEPS for as long as it lasts."""
    with ExitStack() as stack:
        for name, instead in STEPS[step].items():
            stack.enter_context(patch(name, instead))
        yield
