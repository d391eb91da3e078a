"""What the workshop's commands ask of the numbers that they are given."""

from __future__ import annotations

import argparse
import math

from assistant.workers import MOST_WORKERS

MOST = {
    "count": 1_000_000,
    "seed": 2**63 - 1,  # what PyTorch takes
    "processes": MOST_WORKERS,
    "threads": MOST_WORKERS,
    "workers": MOST_WORKERS,
}
"""What these options may be at most."""


def out_of_range(options: argparse.Namespace, **least: float) -> str | None:
    """A sentence on the first of these options that is less or more than it may be, or no number; None where all are right."""
    for name, lowest in least.items():
        given, most = getattr(options, name), MOST.get(name, math.inf)
        if given is not None and not lowest <= given < math.inf:
            return f"--{name.replace('_', '-')} is {given:g}: give {lowest:g} or more"
        if given is not None and given > most:
            return f"--{name.replace('_', '-')} is {given:g}: give {lowest:g} to {most}"
    return None
