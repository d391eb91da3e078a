"""A table: who plays what, as a ledger's first line says it, and when two names are the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any

from assistant.rules import OptionError, Rules, rules_named, with_options
from assistant.scoring import EventError
from assistant.tiles import quoted

TABLE_FIELDS = ("rules", "players", "options", "first_dealer")
"""What the first line of a ledger may say."""
ALIKE = 0.75
"""How like a known name another one is that is taken for a slip of the pen, as `difflib` measures it."""
FEWEST_PLAYERS, MOST_PLAYERS = 2, 4


@dataclass(frozen=True)
class Table:
    """Who plays what: the players in playing order, to the right, and the one of them who deals first."""

    rules: Rules
    players: tuple[str, ...]
    first_dealer: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The players as a terminal shows them."""
        return tuple(map(in_one_line, self.players))

    def to_json(self) -> dict[str, Any]:
        """The first line of a ledger: the options are those that differ from the preset's."""
        preset = rules_named(self.rules.name)
        changed = [
            (option.name, getattr(now, option.name))
            for now, before in ((self.rules, preset), (self.rules.scoring, preset.scoring))
            for option in fields(now)
            if option.metadata and getattr(now, option.name) != getattr(before, option.name)
        ]
        dealer = {"first_dealer": self.first_dealer} if self.first_dealer else {}
        return {"rules": self.rules.name, "players": list(self.players), "options": dict(changed), **dealer}


def table_of(line: Mapping[str, Any], kept: bool = False) -> Table:
    """The table that a ledger's first line describes.

    Args:
        kept: whether it was saved, and keeps options that no new table can choose any more.

    Raises:
        EventError, OptionError, UnknownRulesError: when there can be no such table.
    """
    if not kept:
        check_names(line, TABLE_FIELDS)
    players = line.get("players")
    if not isinstance(players, list) or not all(isinstance(name, str) and name.strip() for name in players):
        raise EventError("'players' must list the names in playing order")
    if not FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS:
        raise EventError(f"{len(players)} players are given: Okey is played by {FEWEST_PLAYERS} to {MOST_PLAYERS}")
    for name in players:
        if not kept and any(unicodedata.category(letter) in ("Cc", "Cs") and letter not in "\t\r\n" for letter in name):
            raise OptionError(f"the name {quoted(name)} holds a character that cannot be shown or kept: write it without that")
    twice = None if kept else same_twice(players)
    if twice is not None:
        raise OptionError(f"two players are called {quoted(twice)}: give one of them another name")
    options = {} if line.get("options") is None else line["options"]
    if not isinstance(options, dict) or not isinstance(line.get("rules"), str):
        raise EventError('the first line must be the table, as {"rules": "classic", "players": ["Ayşe", …]}')
    if options.get("players", len(players)) != len(players):
        raise OptionError(f"the option 'players' says {quoted(options['players'])}, but {len(players)} names are given")
    rules = with_options(rules_named(line["rules"]), {name: value for name, value in options.items() if name != "players"}, kept)
    if rules.scoring.partners and len(players) != MOST_PLAYERS:
        raise OptionError(f"partners need {MOST_PLAYERS} players")
    dealer = line.get("first_dealer", 0)
    if isinstance(dealer, bool) or not isinstance(dealer, int) or not 0 <= dealer < len(players):
        raise EventError(f"the first dealer must be one of the {len(players)} players, 0 to {len(players) - 1}, not {quoted(dealer)}")
    return Table(rules, tuple(players), dealer)


def check_names(said: Mapping[str, Any], known: Sequence[str]) -> None:
    """Raises EventError when something is said by nearly one of these names, and so would not count; what others add is passed over."""
    for name in said:
        meant = [] if name in known else get_close_matches(name, known, n=1, cutoff=ALIKE)
        if meant:
            raise EventError(f"{quoted(name)} is not known here: write {meant[0]!r} if that is meant, or leave it out")


def in_one_line(name: str) -> str:
    """A name without line breaks, and without what steers a terminal."""
    return " ".join("".join(" " if unicodedata.category(letter) == "Cc" else letter for letter in name).split())


def same_person(name: str) -> str:
    """What is the same for all ways to write a name: case and spaces do not matter, nor whether an i has its dot."""
    folded = unicodedata.normalize("NFKC", " ".join(name.split())).casefold()
    return folded.replace("ı", "i").replace("i\u0307", "i")  # a dotted capital folds to i and the dot alone


def same_twice(names: Sequence[str]) -> str | None:
    """The first name that another one is the same as; None if they can all be told apart."""
    people = list(map(same_person, names))
    return next((name for name, person in zip(names, people, strict=True) if people.count(person) > 1), None)
