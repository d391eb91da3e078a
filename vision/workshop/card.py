"""`istaka card`: every figure of the model card that comes of reading photos, measured anew and written where it stands."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from vision.reader import TileReader
from vision.weights import MODELS
from vision.workshop.ablate import STEPS, without
from vision.workshop.alter import read_altered
from vision.workshop.evaluate import Calibration, evaluate, total, write_csv

CARD = MODELS / "README.md"
PART = "<!-- {name}: written by `istaka {command}` -->\n{text}<!-- end -->"
HEADINGS = (
    "photos", "tiles", "right", "found", "racks exact", "sure and wrong", "abstained", "calibration error", "corners off by", "face down",
)  # fmt: skip


def row(cells: Sequence[object]) -> str:
    """A row of a table."""
    return f"| {' | '.join(map(str, cells))} |\n"


def head(*cells: str) -> str:
    """The first lines of a table with these headings."""
    return row(cells) + "|---" * len(cells) + "|\n"


def _reliability(calibration: Calibration) -> str:
    """How often tiles are right that are read with a certain confidence."""
    bins = calibration.bins()
    return (
        head("confidence", *(f"{mean:.3f}" if mean > 0.99 else f"{mean:.2f}" for mean, _, _ in bins))
        + row(["share right", *(f"{share:.3f}" for _, share, _ in bins)])
        + row(["tiles", *(f"{count:,}" for _, _, count in bins)])
    )


def _figures(name: str, folder: Path, split: str, csv_file: Path) -> tuple[str, Calibration]:
    """One row under HEADINGS, and the calibration. The counts of every photo go into `csv_file`."""
    results, calibration, corner_errors = evaluate(folder, split, TileReader())
    write_csv(results, csv_file)
    s = total(results)
    right, found, off = s.right / s.of, s.found / s.of, float(np.median(corner_errors))
    racks, error = f"{s.rack_exact} of {s.racks}", f"{calibration.expected_error():.2%} of {len(calibration.right):,}"
    face_down = f"{s.face_down_found} of {s.face_down}, {s.face_down_extra} not there"
    cells = (s.photos, f"{s.of:,}", f"{right:.1%}", f"{found:.1%}", racks, s.sure_wrong, s.abstained, error, f"{off:.1%}", face_down)
    return row([name, *cells]), calibration


def _altered(photos: Path) -> str:
    """How photos are read that were altered, those of held-back scenes beside those of sets never trained on."""
    held_back, unseen = (read_altered(photos, split, TileReader()) for split in ("held_back", "unseen_set"))
    table = head(
        "photos", "held-back scenes: right", "racks exact", "not there", "sure and wrong", "sets never trained on: right", "sure and wrong"
    )
    for name, s in held_back.items():
        other = unseen[name]
        cells = (
            f"{s.right / s.of:.1%}",
            f"{s.rack_exact} of {s.racks}",
            s.extra,
            s.sure_wrong,
            f"{other.right / other.of:.1%}",
            other.sure_wrong,
        )
        table += row([name, *cells])
    return table


def measured(photos: Path, scenes: Path, traced: Path | None, csv_folder: Path) -> dict[str, str]:
    """The tables of the card by name, that of traced scenes only if there are some. Counts of every photo go into `csv_folder`."""
    sources = {
        "`rummikub-nvypk`, held-back scenes": (photos, "held_back", "held_back"),
        "sets never trained on": (photos, "unseen_set", "unseen_set"),
        "rendered scenes, unseen fonts": (scenes, "held_back", "rendered"),
    }
    figures, reliability = head("", *HEADINGS), ""
    for name, (folder, split, file) in sources.items():
        line, calibration = _figures(name, folder, split, csv_folder / f"{file}.csv")
        figures += line
        reliability += f"{name}:\n\n{_reliability(calibration)}\n"
    ablation = head("left out", "right", "found", "racks exact", "sure and wrong", "abstained", "calibration error")
    for step in STEPS:
        with without(STEPS[step]):
            results, calibration, _ = evaluate(scenes, "held_back", TileReader())
        s = total(results)
        racks = f"{s.rack_exact} of {s.racks}"
        cells = (f"{s.right / s.of:.1%}", f"{s.found / s.of:.1%}", racks, s.sure_wrong, s.abstained, f"{calibration.expected_error():.2%}")
        ablation += row([step, *cells])
    tables = {"measured": figures, "reliability": reliability, "ablation": ablation, "altered": _altered(photos)}
    if traced is not None:
        line, _ = _figures("traced scenes, hard, unseen fonts", traced, "held_back", csv_folder / "traced.csv")
        tables["traced"] = head("", *HEADINGS) + line
    return tables


def written(card: str, tables: dict[str, str], command: str = "card") -> str:
    """The card with the tables replaced that a command writes.

    Raises ValueError when it has no place for one.
    """
    for name, text in tables.items():
        place = re.compile(re.escape(PART.split("{text}")[0].format(name=name, command=command)) + ".*?<!-- end -->", re.DOTALL)
        part = PART.format(name=name, text=text, command=command)
        card, count = place.subn(lambda _, part=part: part, card)
        if count != 1:
            raise ValueError(f"the card has no place marked `{name}: written by istaka {command}`")
    return card


def main(argv: list[str] | None = None) -> int:
    """The command `istaka card`. Returns its exit status."""
    parser = argparse.ArgumentParser(prog="istaka card", description="Measure the reading and write the model card's tables.")
    parser.add_argument("--photos", type=Path, default=Path("../shared/photos"), help="labelled photos (default ../shared/photos)")
    parser.add_argument(
        "--scenes", type=Path, default=Path("datasets/rendered/train"), help="rendered scenes, their held-back part is read"
    )
    parser.add_argument(
        "--traced", type=Path, help="scenes of `istaka synth --physical --hard --held-back`, their table is kept if not given"
    )
    options = parser.parse_args(argv)
    try:
        tables = measured(options.photos, options.scenes, options.traced, CARD.parent)
        CARD.write_text(written(CARD.read_text(encoding="utf-8"), tables), encoding="utf-8")
    except FileNotFoundError as error:
        print(
            f"istaka card: {error.filename} is missing: name the photos with --photos, render scenes with `istaka synth`", file=sys.stderr
        )
        return 2
    print(f"written: {CARD}")
    return 0
