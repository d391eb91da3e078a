"""House rules as data: every preset of Okey, every option with the sentence that explains it, and how options are changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from assistant.tiles import quoted

MOST = 999
"""The largest figure that a table may set."""
OPENING_POINTS, OPENING_PAIRS = 101, 5
"""What opens in 101: so many points in sets and runs, or so many pairs."""
JUDGING = ("high_one", "false_joker_wild", "strict_layout", "rows_join")
"""The options by which a shown hand is judged."""
OF_HANDS = (*JUDGING, "indicator_is_last_tile")
"""These, and what else says which hands there can be."""
TO_ZERO = 0
"""As the cost of a hand: the accounts of all who lose go to zero."""


class UnknownRulesError(ValueError):
    """No preset has this name."""


class OptionError(ValueError):
    """An option that does not exist, or a value that it cannot have; the message is a sentence for the user."""


def _flag(default: bool, text: str) -> Any:
    return field(default=default, metadata={"text": text})


def _figure(default: int | None, text: str, least: int = 1, most: int = MOST, only: tuple[int, ...] = ()) -> Any:
    return field(default=default, metadata={"text": text, "least": least, "most": most, "only": only})


def _choice(default: str, text: str, choices: tuple[str, ...]) -> Any:
    return field(default=default, metadata={"text": text, "choices": choices})


@dataclass(frozen=True)
class OkeyScoring:
    """What a deal of Okey costs those who did not win it. A figure of None: these rules do not score that hand.

    Where a hand is scored, but not with an okey as the last tile, that costs double, as of any win.
    """

    start: int = _figure(20, "What every player starts with.")
    indicator_shown: int = _figure(1, "What the others lose when a player shows the indicator's twin.")
    indicator_minimum: int = _figure(0, "A shown indicator costs only those who have at least this.", least=0)
    win: int = _figure(2, "Cost of a win with sets and runs.")
    win_okey: int = _figure(4, "Cost of a win with sets and runs, an okey as the last tile.")
    pairs: int = _figure(4, "Cost of a win with seven pairs.")
    pairs_okey: int = _figure(8, "Cost of a win with seven pairs, an okey as the last tile.")
    run: int | None = _figure(None, "Cost of the one-colour run, 1 to 13 and 1.", least=TO_ZERO)
    run_okey: int | None = _figure(None, "Cost of the one-colour run, an okey as the last tile; double if not set.", least=TO_ZERO)
    one_colour: int | None = _figure(None, "Cost of another hand all of one colour.")
    one_colour_okey: int | None = _figure(None, "Cost of another hand all of one colour, an okey as the last tile; double if not set.")
    exhausted_penalty: int = _figure(0, "What everyone loses when the stock runs out.", least=0)
    best_places: int = _figure(1, "How many of four single players win the game.", most=2)
    with_indicator: bool = _flag(True, "The indicator's twin may be shown.")
    partners: bool = _flag(False, "Players opposite each other are a team with one account.")
    elimination: bool = _flag(False, "Who is at 0 or less leaves, the others play on until one is left.")
    colour_doubles: str = _choice(
        "off",
        "What costs double: a winning hand all of one colour, wilds aside (any, or only red or black), or a deal whose "
        "indicator is red or black.",
        ("off", "any", "red_black", "indicator"),
    )

    def __post_init__(self) -> None:
        for hand in ("run", "one_colour"):
            cost, okey_last = getattr(self, hand), f"{hand}_okey"
            if cost is not None and getattr(self, okey_last) is None:
                object.__setattr__(self, okey_last, min(2 * cost, MOST))


@dataclass(frozen=True)
class Okey101Scoring:
    """What a deal of Okey 101 costs; the lowest total wins."""

    deals: int | None = _figure(None, "Deals of a game: 3, 5, 7, 9, 11 or as many as the table sets; open if not set.")
    finish: int = _figure(101, "What the finisher is given.")
    not_opened: int = _figure(202, "Cost of not having opened.")
    penalty: int = _figure(101, "Cost of a fault.")
    factor_cap: int = _figure(4, "The highest factor of a deal: 1, 2 or 4.", most=4, only=(1, 2, 4))
    all_pairs_void: bool = _flag(False, "When all four open with pairs the deal is void.")
    raising: bool = _flag(False, "Each opening must beat the best one on the table.")
    partners: bool = _flag(False, "Players opposite each other are a team with one account.")

    def voids(self, opened: Sequence[str | None]) -> bool:
        """Whether a deal does not count, by what each player has opened with: of two or three players it counts whatever they open with."""
        return self.all_pairs_void and list(opened) == ["pairs"] * 4


@dataclass(frozen=True)
class Rules:
    """What a table plays: how hands are judged, and how deals are scored."""

    name: str
    high_one: bool = _flag(True, "1 may stand after 13: 12 13 1 is a run.")
    false_joker_wild: bool = _flag(False, "A false joker is wild, as an okey is.")
    hand_size: int = 14
    strict_layout: bool = _flag(True, "A shown hand must lie group by group, with gaps between.")
    rows_join: bool = _flag(False, "A group may go on in the next row of the rack.")
    informal_deal: bool = _flag(False, "Everyone takes any 14 tiles, the first player 15; two or three players always deal so.")
    indicator_is_last_tile: bool = _flag(False, "The indicator is the last tile of the stock and is drawn, too.")
    scoring: OkeyScoring | Okey101Scoring = OkeyScoring()

    @property
    def opens(self) -> bool:
        """Whether players open before they play on, as in 101, instead of winning with one hand."""
        return isinstance(self.scoring, Okey101Scoring)

    @property
    def one_colour_run(self) -> bool:
        """Whether 1 to 13 of one colour and its second 1, in one line, is a hand of its own."""
        return isinstance(self.scoring, OkeyScoring) and self.scoring.run is not None

    @property
    def colours_cost(self) -> bool:
        """Whether a hand all of one colour costs more than another."""
        scoring = self.scoring
        return isinstance(scoring, OkeyScoring) and (
            scoring.run is not None or scoring.one_colour is not None or scoring.colour_doubles in ("any", "red_black")
        )


CLASSIC = Rules("classic", scoring=OkeyScoring(best_places=2))
PRESETS: dict[str, Rules] = {
    rules.name: rules
    for rules in (
        CLASSIC,
        Rules("online", scoring=OkeyScoring(best_places=2)),
        Rules("favorite", scoring=OkeyScoring(indicator_minimum=3, pairs=8, pairs_okey=12, run=16, run_okey=20, exhausted_penalty=1)),
        Rules(
            "nostalji",
            scoring=OkeyScoring(win=1, win_okey=2, pairs=2, pairs_okey=4, run=TO_ZERO, run_okey=TO_ZERO, one_colour=8, one_colour_okey=16),
        ),
        Rules("101", high_one=False, hand_size=21, scoring=Okey101Scoring()),
    )
}
START_RANGES = {"online": (5, 21)}
"""Presets in which the table chooses the start from so much to so much."""


def rules_named(name: str) -> Rules:
    """The preset of this name. Raises UnknownRulesError, naming those that exist."""
    if name.lower() not in PRESETS:
        raise UnknownRulesError(f"no rules are called {quoted(name)}: choose one of {', '.join(PRESETS)}")
    return PRESETS[name.lower()]


def with_options(rules: Rules, options: Mapping[str, object], kept: bool = False) -> Rules:
    """The rules with some options changed, those of judging or of scoring.

    Args:
        kept: whether they are of a table that was saved, which keeps a figure that no table can choose any more.

    Raises:
        OptionError: when there is no such option, or it cannot have the value.
    """
    own = {option.name: option for option in fields(rules) if option.metadata}
    scored = {option.name: option for option in fields(rules.scoring)}
    changed: dict[str, object] = {}
    scoring: dict[str, object] = {}
    for name, value in options.items():
        option = own.get(name) or scored.get(name)
        if option is None:
            raise OptionError(f"{rules.name} has no option {quoted(name)}: choose from {', '.join([*own, *scored])}")
        limits = dict(option.metadata)
        if name == "start" and rules.name in START_RANGES:
            limits["least"], limits["most"] = START_RANGES[rules.name]
        if kept:
            limits["only"] = ()
        _check_value(name, value, limits)
        (changed if name in own else scoring)[name] = value
    return replace(rules, **changed, scoring=replace(rules.scoring, **scoring))  # type: ignore[arg-type]


def changed_options(rules: Rules) -> dict[str, object]:
    """What these rules have otherwise than the preset of their name: options of judging, then of scoring."""
    preset = rules_named(rules.name)
    parts = [
        (rules, preset, [option for option in fields(rules) if option.metadata]),
        (rules.scoring, preset.scoring, fields(rules.scoring)),
    ]
    return {
        option.name: getattr(own, option.name)
        for own, usual, options in parts
        for option in options
        if getattr(own, option.name) != getattr(usual, option.name)
    }


def _check_value(name: str, value: object, limits: Mapping[str, Any]) -> None:
    """Raises OptionError, saying what the option can be."""
    if "choices" in limits:
        if value not in limits["choices"]:
            raise OptionError(f"{name} must be one of {', '.join(limits['choices'])}, not {quoted(value)}")
    elif "least" in limits:
        least, most, only = limits["least"], limits["most"], limits["only"]
        if isinstance(value, bool) or not isinstance(value, int) or value not in (only or range(least, most + 1)):
            allowed = f"{', '.join(map(str, only[:-1]))} or {only[-1]}" if only else f"a whole number from {least} to {most}"
            raise OptionError(f"{name} must be {allowed}, not {quoted(value)}")
    elif not isinstance(value, bool):
        raise OptionError(f"{name} must be true or false, not {quoted(value)}")
