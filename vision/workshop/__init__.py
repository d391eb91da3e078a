"""The model's workshop: render, train, export, evaluate, bench. Nothing outside it imports it."""

from pathlib import Path

RUNS = Path("runs")
"""Where training leaves its checkpoints."""
