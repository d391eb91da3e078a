"""How the command `istaka` and its subcommands read their arguments."""

from __future__ import annotations

import argparse
from typing import NoReturn


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with the arguments, and what to do about it."""

    def error(self, message: str) -> NoReturn:
        """Ends the program with exit status 2."""
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")
