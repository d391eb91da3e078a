"""How the command `istaka` and its subcommands read their arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NoReturn, TypeVar

from assistant.tiles import NotationError

Read = TypeVar("Read")

ENGINES = ("local", "ray")
"""Where work is shared out: `local` over processes on this machine, `ray` over the cluster at RAY_ADDRESS, or one begun here."""


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with the arguments, and what to do about it."""

    def error(self, message: str) -> NoReturn:
        """Ends the program with exit status 2."""
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


def in_notation(parse: Callable[[str], Read]) -> Callable[[str], Read]:
    """The type of an argument that `parse` reads; what it says is wrong is shown as it is."""

    def read(text: str) -> Read:
        try:
            return parse(text)
        except NotationError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read
