"""House rules as data: every preset of Okey and every option, each with the sentence that explains it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields


class UnknownRulesError(ValueError):
    """No preset has this name."""


def _option(default: bool | int | str, text: str) -> bool | int | str:
    return field(default=default, metadata={"text": text})


@dataclass(frozen=True)
class Rules:
    """What a table plays, as far as judging a hand goes."""

    name: str
    high_one: bool = _option(True, "1 may stand after 13: 12 13 1 is a run.")  # type: ignore[assignment]
    false_joker_wild: bool = _option(False, "A false joker is wild, as an okey is.")  # type: ignore[assignment]
    hand_size: int = _option(14, "Tiles in a hand, one more before its discard.")  # type: ignore[assignment]
    strict_layout: bool = _option(True, "A shown hand must lie group by group, with gaps between.")  # type: ignore[assignment]

    def explain(self) -> list[str]:
        """A sentence for every option that is on."""
        return [f.metadata["text"] for f in fields(self) if f.metadata and getattr(self, f.name) is True]


CLASSIC = Rules("classic")
PRESETS: dict[str, Rules] = {
    rules.name: rules
    for rules in (
        CLASSIC,
        Rules("online"),
        Rules("favorite"),
        Rules("nostalji"),
        Rules("101", high_one=False, hand_size=21),
    )
}


def rules_named(name: str) -> Rules:
    """The preset of this name. Raises UnknownRulesError, naming those that exist."""
    if name.lower() not in PRESETS:
        raise UnknownRulesError(f"no rules are called {name!r}: choose one of {', '.join(PRESETS)}")
    return PRESETS[name.lower()]
