"""How the command `istaka` and its subcommands read their arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NoReturn, TypeVar

from assistant.tiles import NotationError, quoted

Read = TypeVar("Read")

ENGINES = ("local", "ray")
"""Where work is shared out: `local` over processes on this machine, `ray` over the cluster at RAY_ADDRESS, or one begun here."""
MOST_DIGITS = 20
"""How many digits of a figure are read at all: more than any figure of the rules has."""


def written_out(said: object) -> str:
    """What is said, with line breaks and all else that steers a terminal written out, as of a file's name."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in str(said))


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with the arguments, and what to do about it."""

    def error(self, message: str) -> NoReturn:
        """Ends the program with exit status 2."""
        self.exit(2, f"{self.prog}: {written_out(message)}; see {self.prog} --help\n")


def in_notation(parse: Callable[[str], Read]) -> Callable[[str], Read]:
    """The type of an argument that `parse` reads; what it says is wrong is shown as it is."""

    def read(text: str) -> Read:
        try:
            return parse(text)
        except NotationError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read


def from_zero(text: str) -> int:
    """The type of an argument that is a whole number from 0 up."""
    if not text.isdecimal() or len(text) > MOST_DIGITS:
        raise argparse.ArgumentTypeError(f"must be a whole number from 0 up, of {MOST_DIGITS} digits at most, not {quoted(text)}")
    return int(text)
