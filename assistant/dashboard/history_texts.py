"""The sentences of the history's page."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from babel.numbers import format_decimal

from assistant.dashboard.language import N_, _, language
from assistant.dashboard.score_texts import PRESET_NAMES
from assistant.history import OTHERS
from assistant.rules import CLASSIC

HISTORY_PAGE, HISTORY_PATH = N_("History"), "history"
TITLE = N_("Evening after evening")
TAGLINE = N_("Everyone who has played at a table of this house. People are the same if their names are.")
NOTHING = N_("No deal is over yet: the first one is counted as soon as it is written down.")
WON_BY_EVENING = N_("Deals won, evening by evening")
EVENING, DEALS_WON = N_("Evening"), N_("Deals won")
PLAYER = N_("Player")
OKEY, OKEY101 = "Okey", PRESET_NAMES["101"]

OKEY_COLUMNS = {
    "games": N_("Games"),
    "games_won": N_("Games won"),
    "deals": N_("Deals"),
    "deals_won": N_("Deals won"),
    "pairs": N_("By pairs"),
    "okey_last": N_("Okey last"),
    "indicators": N_("Indicators shown"),
    "indicators_expected": N_("Expected"),
    "indicator_luck": N_("Luck"),
}
OKEY101_COLUMNS = {
    "games": N_("Games"),
    "games_won": N_("Games won"),
    "deals": N_("Deals"),
    "deals_won": N_("Finished"),
    "pairs": N_("By pairs"),
    "okey_last": N_("Okey last"),
    "in_one_turn": N_("In one turn"),
    "not_opened": N_("Never opened"),
    "penalties": N_("Penalties"),
}
"""What is told of each player, by the figure of the tally."""


def figure(name: str, value: int | Fraction) -> str:
    """A figure of a tally as the language writes it: luck with its sign, what is expected to a tenth."""
    if name == "indicator_luck":
        return str(format_decimal(round(Decimal(float(value)), 1) or Decimal(0), "+0.0;−0.0", locale=language()))
    if name == "indicators_expected":
        return str(format_decimal(float(value), "0.0", locale=language()))
    return str(value)


def luck_means() -> str:
    """What is expected of an indicator, and what luck is."""
    return _(
        "Expected: whoever is dealt {hand} tiles holds the indicator’s twin with a chance of {hand} in {others}, who begins with "
        "{first} in {others}. Luck is how many more were shown than expected."
    ).format(hand=CLASSIC.hand_size, first=CLASSIC.hand_size + 1, others=OTHERS)
