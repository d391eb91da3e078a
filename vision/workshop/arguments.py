"""What the workshop's commands ask of the numbers that they are given."""

from __future__ import annotations

import argparse
import math


def too_little(options: argparse.Namespace, **least: float) -> str | None:
    """A sentence on the first of these options that is less than it may be, or no number; None where all are right, or not given."""
    for name, lowest in least.items():
        given = getattr(options, name)
        if given is not None and not lowest <= given < math.inf:
            return f"--{name.replace('_', '-')} is {given:g}: give {lowest:g} or more"
    return None
