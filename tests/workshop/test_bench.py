"""What cannot be measured is said in a sentence, before anything is printed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from assistant import cli
from vision.workshop import peers


@pytest.mark.parametrize(
    ("option", "given", "least"),
    [
        ("--rounds", "0", "1"),
        ("--hands", "0", "1"),
        ("--clips", "-1", "0"),
        ("--seed", "-1", "0"),
        ("--seconds", "0", "0.1"),
        ("--memory", "nan", "0"),
        ("--teach", "-1", "0"),
    ],
)
def test_out_of_range_of_anything_gets_a_sentence(option: str, given: str, least: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        cli.main(["bench", "live", option, given])
    assert stopped.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == f"istaka bench: {option} is {given}: give {least} or more; see istaka bench --help\n"


@pytest.mark.parametrize("options", [["--teach", "1"], ["--peers"]])
def test_photos_of_which_none_can_be_used_get_a_sentence(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for part in ("find_spec", "OcrPeer", "YoloPeer"):  # as if all were installed
        monkeypatch.setattr(peers, part, lambda *_: SimpleNamespace(find=None))
    photo = {"photo": "000001.jpg", "set": "rendered", "kind": "table", "size": [64, 64], "tiles": []}
    (tmp_path / "truth.jsonl").write_text(json.dumps(photo))
    assert cli.main(["bench", *options, "--photos", str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"istaka bench: {tmp_path} holds no ") and said.err.count("\n") == 1


@pytest.mark.parametrize("what", ["live", "table"])
def test_what_renders_says_which_extra_it_needs(what: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "vision.workshop.bench_live", None)
    assert cli.main(["bench", what]) == 2
    assert "is not installed: run pip install 'istaka[train]'" in capsys.readouterr().err
