"""What the workshop's commands say of their arguments."""

from __future__ import annotations

import argparse
import importlib
import os
from importlib.util import find_spec

import pytest

if find_spec("torch") is None and not os.environ.get("CI"):
    pytest.skip("the extra `train` is not installed: make test TRAIN=1", allow_module_level=True)

from assistant.arguments import Parser
from assistant.cli import WORKSHOP


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
