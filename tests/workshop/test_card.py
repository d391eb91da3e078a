"""The model card's tables are measured and written where they stand."""

from __future__ import annotations

import json
import os
import re
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from assistant import cli
from vision.workshop import card
from vision.workshop.bench import SAMPLE
from vision.workshop.card import CARD, written
from vision.workshop.photos import load_truth

NAMES = (
    "measured", "errors", "unusual", "dark", "worn", "traced", "reliability", "ablation", "altered", "reinked", "veiled", "ingredients",
    "reading", "runtimes", "taught", "video", "deals", "peers",
)  # fmt: skip
TILES = "R3 R4 R5 K9 B9 Y9 J B10 B11 B12 B13 Y1 K1 R1 R8"
rendering = pytest.mark.skipif(
    find_spec("tqdm") is None and not os.environ.get("CI"), reason="the extra `train` is not installed: make test TRAIN=1"
)


@pytest.fixture
def photos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Four photos of one set, and a copy of the card that the command writes to."""
    monkeypatch.setattr(card, "CARD", Path(shutil.copy(CARD, tmp_path / "README.md")))
    folder = tmp_path / "photos"
    (folder / "images").mkdir(parents=True)
    lines = []
    for number in range(4):
        shutil.copy(SAMPLE, folder / "images" / f"{number}.jpg")
        known = {"set": "ours", "kind": "rack", "size": [1600, 1200], "contains": TILES.split(), "indicator": "B8"}
        lines.append(json.dumps({"photo": f"{number}.jpg", **known}))
    (folder / "truth.jsonl").write_text("\n".join(lines))
    return folder


def tables_of(text: str) -> dict[str, str]:
    """The tables of a card by name."""
    return dict(re.findall(r"<!-- (\w+): written by `istaka card` -->\n(.*?)<!-- end -->", text, re.DOTALL))


def test_the_card_has_a_place_for_every_table_and_keeps_the_rest() -> None:
    text = CARD.read_text(encoding="utf-8")
    assert set(tables_of(text)) == set(NAMES)
    tables = {name: f"| what {name} says |\n" for name in NAMES}
    again = written(text, tables)
    assert tables_of(again) == tables
    assert again.startswith(text[: text.index("<!-- measured")])
    assert written(again, tables) == again


def test_a_card_without_a_place_is_refused() -> None:
    with pytest.raises(ValueError, match="no place"):
        written("# A card", {"measured": ""})


def test_a_part_alone_is_measured_and_the_others_stay(photos: Path, tmp_path: Path) -> None:
    before = tables_of(CARD.read_text(encoding="utf-8"))
    assert cli.main(["card", "speed", "--photos", str(photos)]) == 0
    after = tables_of((tmp_path / "README.md").read_text(encoding="utf-8"))
    assert {name for name in NAMES if after[name] != before[name]} <= {"reading", "runtimes"}
    assert re.search(r"^\| read in all \| \d+\.\d \| \d+\.\d \|$", after["reading"], re.MULTILINE)
    assert re.search(r"^\| locator 1 x 640 x 384 \| \d+\.\d \|", after["runtimes"], re.MULTILINE)


def test_every_number_of_taught_photos_has_its_row(photos: Path, tmp_path: Path) -> None:
    rendered = tmp_path / "rendered"
    for name, kind in (("sets-78", "green-0001"), ("sets-79", "rendered-0000")):
        shutil.copytree(photos, rendered / name)
        truth = rendered / name / "truth.jsonl"
        truth.write_text(truth.read_text().replace('"ours"', f'"{kind}"'))
    assert cli.main(["card", "taught", "--photos", str(photos), "--rendered", str(rendered)]) == 0
    taught = tables_of((tmp_path / "README.md").read_text(encoding="utf-8"))["taught"]
    for name in ("`sets-79`, 3 others", "`sets-78`, 10 with green for blue or yellow", "`ours`"):
        assert f"| {name} | 0 | 5 | 80 | 100.0% |  | 0 |\n|  | 1 | 5 | 80 | 100.0% |  | 0 |\n|  | 2 |" in taught


@rendering
def test_what_a_part_reads_is_rendered_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card, "SCENES", {"few": {"count": 1, "held_back": True}})
    sources = card.Sources(tmp_path, tmp_path)
    folder = sources.scenes("few")
    assert len(load_truth(folder)) == 1
    made = (folder / "truth.jsonl").stat().st_mtime_ns
    assert sources.scenes("few") == folder
    assert (folder / "truth.jsonl").stat().st_mtime_ns == made


@rendering
def test_what_cannot_be_measured_stays_and_is_named(
    photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in ("render", "peers"):
        monkeypatch.setattr(f"vision.workshop.{module}.find_spec", lambda name: None)
    held_back = {"photo": "rummyBackground-2.jpg", "set": "rummikub-nvypk", "kind": "empty", "size": [64, 64], "tiles": []}
    with (photos / "truth.jsonl").open("a") as truth:
        truth.write("\n" + json.dumps(held_back))
    rendered = tmp_path / "rendered"
    assert cli.main(["card", "traced", "peers", "--photos", str(photos), "--rendered", str(rendered)]) == 2
    said = capsys.readouterr().err
    assert "traced stays as it was: Blender's bpy is not installed" in said
    assert "peers stays as it was: RapidOCR is not installed" in said
    assert not rendered.exists(), "nothing is rendered in vain"
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == CARD.read_text(encoding="utf-8")


@pytest.mark.parametrize("part", ["photos", "altered", "reinked", "peers"])
def test_what_was_measured_stays_where_there_is_nothing_to_measure(
    part: str, photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "held_back.csv").write_text("measured")
    assert cli.main(["card", part, "--photos", str(photos), "--rendered", str(tmp_path / "rendered")]) == 2
    assert f"istaka card: {part} stays as it was: {photos} holds no photo of the split held_back" in capsys.readouterr().err
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == CARD.read_text(encoding="utf-8")
    assert (tmp_path / "held_back.csv").read_text() == "measured"
    assert not (tmp_path / "rendered").exists()


@rendering
def test_scenes_without_outlined_tiles_leave_what_was_measured(photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rendered = tmp_path / "rendered"
    shutil.copytree(photos, rendered / "unusual")
    (tmp_path / "unusual.csv").write_text("measured")
    assert cli.main(["card", "unusual", "--photos", str(photos), "--rendered", str(rendered)]) == 2
    assert "unusual stays as it was" in capsys.readouterr().err
    assert (tmp_path / "unusual.csv").read_text() == "measured"


def test_photos_parts_and_cores_that_are_missing_get_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["card", "--photos", str(tmp_path / "none")]) == 2
    assert "--photos" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        cli.main(["card", "everything"])
    assert "everything is no part of the card: name some of photos, " in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        cli.main(["card", "--processes", "0"])
    assert "--processes is 0: give 1 or more" in capsys.readouterr().err
