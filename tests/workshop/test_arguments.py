"""What the workshop's commands say of their arguments."""

from __future__ import annotations

import argparse
import importlib
import os
from importlib.util import find_spec
from pathlib import Path

import pytest

if find_spec("torch") is None and not os.environ.get("CI"):
    pytest.skip("the extra `train` is not installed: make test TRAIN=1", allow_module_level=True)

from assistant.arguments import Parser
from assistant.cli import WORKSHOP, main


class Asked(Exception):
    """Stops a command that has said what it takes."""


@pytest.mark.parametrize("command", WORKSHOP)
def test_every_argument_says_what_it_is_and_what_holds_without_it(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[argparse.Action] = []

    def stop(parser: argparse.ArgumentParser, argv: list[str] | None) -> None:
        asked.extend(parser._actions)
        raise Asked

    monkeypatch.setattr(Parser, "parse_args", stop)
    with pytest.raises(Asked):
        importlib.import_module(f"vision.workshop.{WORKSHOP[command][0]}").main([])
    for argument in asked:
        assert argument.help
        if argument.default not in (None, False, argparse.SUPPRESS):
            assert "default" in argument.help, f"{argument.dest} is {argument.default}"


@pytest.mark.parametrize(
    ("option", "given", "wanted"),
    [
        ("--processes", "99999999999", "1 to 1000"),
        ("--seed", "99999999999999999999", f"0 to {2**63 - 1}"),
        ("--count", "99999999999", "1 to 1000000"),
        ("--count", "0", "1 or more"),
    ],
)
def test_what_is_out_of_range_gets_a_sentence(
    option: str, given: str, wanted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["synth", str(tmp_path / "new"), option, given])
    assert left.value.code == 2
    assert f"{option} is {int(given):g}: give {wanted}; see" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()
