"""`istaka card`: every table of the model card, measured anew and written where it stands.

A part of the card is what is measured together. The scenes that it reads are rendered first where they are not there.
"""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from assistant.arguments import Parser
from vision.reader import TileReader
from vision.weights import MODELS
from vision.workshop.ablate import STEPS, without
from vision.workshop.alter import VEILS, read_altered
from vision.workshop.arguments import out_of_range
from vision.workshop.bare_photo import read_reinked
from vision.workshop.bench import PHOTOS, reading_times, runtime_times
from vision.workshop.errors import KINDS, errors_table, kinds_of
from vision.workshop.evaluate import Calibration, Results, Score, evaluate, total, write_csv
from vision.workshop.fonts import fonts_for
from vision.workshop.markdown import head, row
from vision.workshop.peers import compared
from vision.workshop.photos import load_truth, split_of
from vision.workshop.teach import gains

CARD = MODELS / "README.md"
TABLE = "<!-- {name}: written by `istaka card` -->\n{text}<!-- end -->"
HEADINGS = (
    "photos", "tiles", "right", "found", "racks exact", "sure and wrong", "not there", "surely", "abstained", "calibration error",
    "corners off by", "face down",
)  # fmt: skip
RENDERED = Path("datasets/rendered")
SCENES: dict[str, dict[str, Any]] = {
    "heldback": {"count": 270, "held_back": True},
    "large": {"count": 120, "seed": 111, "held_back": True, "hard": True, "large": True},
    "clutter": {"count": 150, "seed": 181, "held_back": True, "clutter": True},
    "unusual": {"count": 100, "seed": 184, "held_back": True, "hard": True, "large": True, "unusual": True},
    "dark": {"count": 100, "seed": 185, "held_back": True, "dark": True},
    "worn": {"count": 100, "seed": 186, "held_back": True, "hard": True, "large": True, "worn": True},
    "traced": {"count": 60, "seed": 101, "held_back": True, "hard": True, "physical": True},
    "sets-78": {"count": 20, "seed": 78, "scenes_a_set": 6},
    "sets-79": {"count": 5, "seed": 79, "scenes_a_set": 6},
}
"""Scenes that are read, as `scene_tasks` takes them."""
MOST_TAUGHT = 3
"""Of so many photos a set is taught at most."""
ROUNDS = 15
"""How often a picture is read, or a network run, to time it."""
CLIPS, CLIP_SEED = 3, 2
"""Videos of each kind, and their seed."""
FILMS, FILM_SEED = 20, 4
"""Films of deals, and their seed."""
OTHER_SETS_A_PHOTO = 6
"""In the numbers of so many other sets of each kind a photo is read."""


@dataclass(frozen=True)
class Sources:
    """What is read: a folder of labelled photos, and the folder in which scenes are rendered, on so many cores."""

    photos: Path
    rendered: Path = RENDERED
    processes: int = 1

    def scenes(self, name: str) -> Path:
        """The folder of one of SCENES, rendered where it is not yet. Raises NoFontsError, RenderError."""
        from vision.workshop.render import render, render_task, scene_tasks  # needs what only the workshop installs

        folder = self.rendered / name
        if not (folder / "truth.jsonl").exists():
            render(folder, scene_tasks(folder, **SCENES[name]), render_task, processes=self.processes)
        return folder


def _reliability(calibration: Calibration) -> str:
    """How often tiles are right that are read with a certain confidence."""
    bins = calibration.bins()
    return (
        head("confidence", *(f"{mean:.3f}" if mean > 0.99 else f"{mean:.2f}" for mean, _, _ in bins))
        + row(["share right", *(f"{share:.3f}" for _, share, _ in bins)])
        + row(["tiles", *(f"{count:,}" for _, _, count in bins)])
    )


def _require(folder: Path, *splits: str) -> None:
    """Raises ValueError when labelled photos lack one of these splits: the table would lose what was measured before."""
    there = {split_of(photo) for photo in load_truth(folder)}
    for split in splits:
        if split not in there:
            raise ValueError(f"{folder} holds no photo of the split {split}: name a folder that does with --photos")


def _figures(name: str, folder: Path, split: str) -> tuple[str, Calibration, Results]:
    """One row under HEADINGS, the calibration, and what was read. Raises ValueError when there is nothing to measure by."""
    results, calibration, corner_errors = evaluate(folder, split, TileReader())
    if not corner_errors:
        raise ValueError(f"{folder} shows no tile in photos of the split {split} whose outline is labelled and found")
    s = total(results)
    right, found, off = s.right / s.of, s.found / s.of, float(np.median(corner_errors))
    racks, error = f"{s.rack_exact} of {s.racks}", f"{calibration.expected_error():.2%} of {len(calibration.right):,}"
    face_down = f"{s.face_down_found} of {s.face_down}, {s.face_down_extra} not there"
    not_there = (s.extra, s.extra_sure)
    cells = (s.photos, f"{s.of:,}", f"{right:.1%}", f"{found:.1%}", racks, s.sure_wrong, *not_there, s.abstained, error)
    return row([name, *cells, f"{off:.1%}", face_down]), calibration, results


def _altered(sources: Sources) -> dict[str, str]:
    """How photos are read that were altered, those of held-back scenes beside those of sets never trained on."""
    _require(sources.photos, "held_back", "unseen_set")
    held_back, unseen = (read_altered(sources.photos, split, TileReader()) for split in ("held_back", "unseen_set"))
    table = head(
        "photos", "held-back scenes: right", "racks exact", "not there", "surely", "sure and wrong",
        "sets never trained on: right", "sure and wrong",
    )  # fmt: skip
    for name, s in held_back.items():
        other = unseen[name]
        cells = (f"{s.right / s.of:.1%}", f"{s.rack_exact} of {s.racks}", s.extra, s.extra_sure, s.sure_wrong)
        table += row([name, *cells, f"{other.right / other.of:.1%}", other.sure_wrong])
    return {"altered": table}


def _reinked(sources: Sources) -> dict[str, str]:
    """How photos are read whose tiles bear the numbers of other sets."""
    _require(sources.photos, "held_back")
    results = read_reinked(sources.photos, "held_back", TileReader(), fonts_for(held_back=True), OTHER_SETS_A_PHOTO)
    table = head("sets", "photos", "tiles", "right", "racks exact", "sure and wrong", "not there", "surely", *KINDS[1:])
    for name, read in results.items():
        s, kinds = total(read), kinds_of(read)
        if not s.of:
            raise ValueError(
                f"{sources.photos} shows no tile in photos of the split held_back whose outline is labelled and that is read rightly"
            )
        cells = (f"{s.right / s.of:.1%}", f"{s.rack_exact} of {s.racks}", s.sure_wrong, s.extra, s.extra_sure)
        table += row([name, s.photos, f"{s.of:,}", *cells, *(kinds[kind] for kind in KINDS[1:])])
    return {"reinked": table}


def _veiled(sources: Sources) -> dict[str, str]:
    """What it is worth that light scattered in the lens is taken off."""
    figures = ("right", "racks exact", "sure and wrong")
    table = head("light", *(f"as it is: {figure}" for figure in figures), *(f"taken off: {figure}" for figure in figures))
    scenes, reader = sources.scenes("large"), TileReader()
    with without(STEPS["veils stay"]):
        as_it_is = read_altered(scenes, "held_back", reader, VEILS)
    taken_off = read_altered(scenes, "held_back", reader, VEILS)
    for veil in VEILS:
        cells = [(f"{s.right / s.of:.1%}", f"{s.rack_exact} of {s.racks}", s.sure_wrong) for s in (as_it_is[veil], taken_off[veil])]
        table += row([veil, *cells[0], *cells[1]])
    return {"veiled": table}


def _photos(sources: Sources) -> dict[str, str]:
    """How photos and scenes are read that no network was trained on."""
    _require(sources.photos, "held_back", "unseen_set")
    read = {
        "`rummikub-nvypk`, held-back scenes": (sources.photos, "held_back", "held_back"),
        "sets never trained on": (sources.photos, "unseen_set", "unseen_set"),
        "rendered scenes, unseen fonts": (sources.scenes("heldback"), "held_back", "rendered"),
        "hard ones of 2 megapixels, unseen fonts": (sources.scenes("large"), "held_back", "large"),
        "rendered scenes with clutter, unseen fonts": (sources.scenes("clutter"), "held_back", "clutter"),
    }
    figures, reliability = head("", *HEADINGS), ""
    counts: dict[str, Results] = {}
    rendered: Results = []
    for name, (folder, split, file) in read.items():
        line, calibration, counts[file] = _figures(name, folder, split)
        figures += line
        reliability += f"{name}:\n\n{_reliability(calibration)}\n"
        rendered += [] if folder == sources.photos else counts[file]
    for file, results in counts.items():
        write_csv(results, CARD.with_name(f"{file}.csv"))
    return {"measured": figures, "reliability": reliability, "errors": errors_table(rendered)}


def _alone(part: str, what: str, sources: Sources) -> dict[str, str]:
    """The same for scenes that make a part of their own."""
    line, _, results = _figures(f"{what}, unseen fonts", sources.scenes(part), "held_back")
    write_csv(results, CARD.with_name(f"{part}.csv"))
    return {part: head("", *HEADINGS) + line}


def _ablation(sources: Sources) -> dict[str, str]:
    """What each step of the reading is worth."""
    scenes = sources.scenes("heldback")
    table = head("left out", "right", "found", "racks exact", "sure and wrong", "abstained", "calibration error")
    for step in STEPS:
        with without(STEPS[step]):
            results, calibration, _ = evaluate(scenes, "held_back", TileReader())
        s = total(results)
        racks = f"{s.rack_exact} of {s.racks}"
        cells = (f"{s.right / s.of:.1%}", f"{s.found / s.of:.1%}", racks, s.sure_wrong, s.abstained, f"{calibration.expected_error():.2%}")
        table += row([step, *cells])
    return {"ablation": table}


def _ingredients(sources: Sources) -> dict[str, str]:
    """What each ingredient of rendering is worth."""
    from vision.workshop.ingredients import ingredients_table  # trains, which the others need not

    return {"ingredients": ingredients_table(sources.rendered / "ingredients", sources.photos, sources.processes)}


def _speed(_: Sources) -> dict[str, str]:
    """How long every stage takes, and each network on every runtime."""
    reading = {(stage, size): times for size, stage, times in reading_times(ROUNDS)}
    running = {(network, runtime): times for network, runtime, times in sorted(runtime_times(ROUNDS), key=itemgetter(1))}
    on = f"{machine()}; median milliseconds:\n\n"
    return {"reading": on + _times("stage", reading), "runtimes": on + _times("network", running)}


def machine() -> str:
    """The processor of this machine, and whether it has instructions for whole numbers of eight bits."""
    file = Path("/proc/cpuinfo")
    known = file.read_text(encoding="utf-8") if file.exists() else ""
    name = re.search(r"^model name\s*:\s*(.+)$", known, re.MULTILINE)
    processor = name[1] if name else platform.processor() or platform.machine()
    return f"{os.cpu_count()} cores, {processor}, {'with' if 'vnni' in known else 'without'} VNNI"


def _times(corner: str, times: dict[tuple[str, str], list[float]]) -> str:
    """A table of medians by row and column."""
    rows, columns = (dict.fromkeys(key[part] for key in times) for part in (0, 1))
    table = head(corner, *columns)
    for name in rows:
        table += row([name, *(f"{np.median(times[name, column]):.1f}" if (name, column) in times else "" for column in columns)])
    return table


def _taught(sources: Sources) -> dict[str, str]:
    """What taught photos of a set are worth."""
    reader = TileReader()
    counts: dict[str, list[Score]] = {}
    for name in ("sets-79", "sets-78"):
        green = SCENES[name]["count"] // 2
        kinds = {"green": f"{green} with green for blue or yellow", "rendered": f"{SCENES[name]['count'] - green} others"}
        counts |= {f"`{name}`, {kinds[kind]}": scores for kind, scores in gains(sources.scenes(name), MOST_TAUGHT, reader).items()}
    counts |= {f"`{name}`": scores for name, scores in gains(sources.photos, MOST_TAUGHT, reader).items()}
    table = head("sets", "taught", "photos", "tiles", "right", "racks exact", "sure and wrong")
    for name, scores in counts.items():
        for taught, s in enumerate(scores):
            racks = f"{s.rack_exact} of {s.racks}" if s.racks else ""
            table += row(["" if taught else name, taught, s.photos, f"{s.of:,}", f"{s.right / s.of:.1%}", racks, s.sure_wrong])
    return {"taught": table}


def _peers(sources: Sources) -> dict[str, str]:
    """What a user would otherwise assemble makes of the same photos."""
    _require(sources.photos, "held_back", "unseen_set")
    table = head("photos", "read by", "tiles right", "photos exact", "racks exact", "sure and wrong", "ms a photo")
    last = ""
    for (group, name), s in compared(sources.photos).items():
        photos = "" if group == last else f"{group}: {s.photos} with {s.of} tiles"
        racks = f"{s.rack_exact} of {s.racks}" if s.racks else ""
        table += row([photos, name, f"{s.right / s.of:.1%}", s.exact, racks, s.sure_wrong, f"{s.ms / s.photos:,.0f}"])
        last = group
    return {"peers": f"{machine()}:\n\n{table}"}


def _video(_: Sources) -> dict[str, str]:
    """What settling gains over single frames, and how often a hand shown on a filmed table is recognised."""
    from vision.workshop.bench_live import settling_gains  # these render, which the others need not
    from vision.workshop.bench_table import IN_TIME, recognised

    reader = TileReader()
    settled = head("videos", "frames", "", "tiles right", "racks exact", "sure and wrong")
    for kind, gain in settling_gains(CLIPS, CLIP_SEED, reader):
        for way, s in {"each frame by itself": gain.single, "summed": gain.summed, "settled": gain.settled}.items():
            cells = (way, f"{s.right / s.of:.1%}", f"{s.rack_exact / s.racks:.0%}", f"{s.sure_wrong / s.of:.2%}")
            settled += row([kind if s is gain.single else "", s.photos if s is gain.single else "", *cells])
    seen = recognised(FILMS, FILM_SEED, reader)
    in_time = sum(one is not None and one <= IN_TIME for one in seen.took)
    indicators = f"{seen.indicators} of {seen.of_indicators}"
    deals = head(
        "films", "a hand is shown", f"recognised within {IN_TIME:g} s", "read exactly", "judged rightly", "else taken for one", "indicators"
    )
    deals += row([seen.films, seen.shown, in_time, seen.exact, seen.judged, seen.alarms, indicators])
    return {"video": settled, "deals": deals}


PARTS: dict[str, Callable[[Sources], dict[str, str]]] = {
    "photos": _photos,
    "altered": _altered,
    "veiled": _veiled,
    "reinked": _reinked,
    "unusual": partial(_alone, "unusual", "hard scenes of 2 megapixels, sets unlike most"),
    "dark": partial(_alone, "dark", "rendered scenes, sets with dark faces"),
    "worn": partial(_alone, "worn", "hard scenes of 2 megapixels, sets with worn inks"),
    "traced": partial(_alone, "traced", "traced scenes, hard"),
    "ablation": _ablation,
    "speed": _speed,
    "taught": _taught,
    "video": _video,
    "peers": _peers,
    "ingredients": _ingredients,
}
"""What is measured together; each gives the text of its tables by name."""


def written(card: str, tables: dict[str, str]) -> str:
    """The card with these tables replaced.

    Raises ValueError when it has no place for one.
    """
    for name, text in tables.items():
        begin = TABLE.split("{text}")[0].format(name=name)
        part = TABLE.format(name=name, text=text)
        card, count = re.subn(re.escape(begin) + ".*?<!-- end -->", lambda _, part=part: part, card, flags=re.DOTALL)
        if count != 1:
            raise ValueError(f"the card has no place marked {begin.strip()}")
    return card


def main(argv: list[str] | None = None) -> int:
    """The command `istaka card`. Returns its exit status."""
    parser = Parser(prog="istaka card", description="Measure every table of the model card anew and write it there.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"only these of {', '.join(PARTS)}")
    parser.add_argument("--photos", type=Path, default=PHOTOS, metavar="FOLDER", help=f"labelled photos (default {PHOTOS})")
    parser.add_argument("--rendered", type=Path, default=RENDERED, metavar="FOLDER", help=f"where scenes are rendered (default {RENDERED})")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="how many cores render and train (default all)")
    options = parser.parse_args(argv)
    for part in options.parts:
        if part not in PARTS:
            parser.error(f"{part} is no part of the card: name some of {', '.join(PARTS)}, or none for all")
    little = out_of_range(options, processes=1)
    if little:
        parser.error(little)
    if not (options.photos / "truth.jsonl").exists():
        print(f"istaka card: {options.photos} holds no truth.jsonl: name a folder of labelled photos with --photos", file=sys.stderr)
        return 2
    sources = Sources(options.photos, options.rendered, options.processes)
    status = 0
    for part in options.parts or PARTS:
        try:
            tables = PARTS[part](sources)
        except (ImportError, OSError, ValueError) as error:
            missing = f"{error.name} is not installed: run pip install 'istaka[train]'" if isinstance(error, ImportError) else error
            print(f"istaka card: {part} stays as it was: {missing}", file=sys.stderr)
            status = 2
        else:
            CARD.write_text(written(CARD.read_text(encoding="utf-8"), tables), encoding="utf-8")
            print(f"{CARD}: {part} written", flush=True)
    return status
