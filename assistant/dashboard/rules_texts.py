"""The sentences of the rules' page: every preset and every option in the words of those who play, figures from the rules themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import Field, fields
from typing import Any

from assistant.dashboard.language import N_, _
from assistant.dashboard.score_texts import DOUBLES_CHOICES, NOT_SCORED, OPEN_END, PRESET_NAMES, TO_ZERO, rules_in_words
from assistant.dashboard.texts import rules_used
from assistant.rules import PRESETS, START_RANGES, Rules
from assistant.rules import TO_ZERO as ZERO

RULES_PAGE, RULES_PATH = N_("Rules"), "rules"
TITLE = N_("The rules")
TAGLINE = N_("Tables play Okey in different ways. A table chooses a preset here, and may change any option of it.")
WHAT_PRESETS_SCORE = N_("What the presets score")
POINTS_ARE_LOST = N_("Points are lost by each of those who did not win.")
LOWEST_WINS = N_("In 101 points are bad: the lowest total wins.")
ON, OFF = N_("on"), N_("off")

PRESETS_EXPLAINED = {
    "classic": N_(
        "Everyone starts with the same points and loses some whenever another wins. The game ends as soon as somebody has none left."
    ),
    "online": N_("As the classic rules, but the table chooses how many points everyone starts with, so that a game can be short."),
    "favorite": N_(
        "Pairs cost more, and the one-colour run is a hand of its own. A shown indicator spares those who have little left, and a deal "
        "that nobody wins costs everyone."
    ),
    "nostalji": N_(
        "An ordinary win costs little, a hand all of one colour much, and the one-colour run takes everything that the others have."
    ),
    "101": N_(
        "Everyone has 21 tiles, the first player one more. A player opens by laying down sets and runs worth at least 101, or five "
        "pairs; after that tiles can be added to any group on the table. What is left in hand at the end counts against its player."
    ),
}

SECTIONS = {
    N_("The hand"): ("high_one", "false_joker_wild", "strict_layout", "rows_join"),
    N_("How tiles are dealt and drawn"): ("informal_deal", "indicator_is_last_tile"),
    N_("The score of Okey"): (
        "start",
        "with_indicator",
        "indicator_shown",
        "indicator_minimum",
        "win",
        "win_okey",
        "pairs",
        "pairs_okey",
        "run",
        "run_okey",
        "one_colour",
        "one_colour_okey",
        "exhausted_penalty",
        "colour_doubles",
        "elimination",
        "partners",
        "best_places",
    ),
    N_("The score of 101"): ("deals", "finish", "not_opened", "penalty", "factor_cap", "raising", "all_pairs_void"),
}
"""The options by what they are about, in the order of the page."""

TITLES = {
    "high_one": N_("1 after 13"),
    "false_joker_wild": N_("False jokers that stand for any tile"),
    "strict_layout": N_("A shown hand lies group by group"),
    "rows_join": N_("A group may go on in the next row"),
    "informal_deal": N_("The informal deal"),
    "indicator_is_last_tile": N_("The indicator is drawn last"),
    "start": N_("What everyone starts with"),
    "with_indicator": N_("Showing the indicator"),
    "indicator_shown": N_("Indicator shown"),
    "indicator_minimum": N_("Indicator shown, from so many points on"),
    "win": N_("Win with sets and runs"),
    "win_okey": N_("Win with sets and runs, okey last"),
    "pairs": N_("Win with seven pairs"),
    "pairs_okey": N_("Win with seven pairs, okey last"),
    "run": N_("One-colour run"),
    "run_okey": N_("One-colour run, okey last"),
    "one_colour": N_("Another hand all of one colour"),
    "one_colour_okey": N_("Another hand all of one colour, okey last"),
    "exhausted_penalty": N_("The stock runs out"),
    "best_places": N_("How many win the game"),
    "partners": N_("Partners (eşli)"),
    "elimination": N_("Playing on until one is left"),
    "colour_doubles": N_("What counts double"),
    "deals": N_("Deals of a game"),
    "finish": N_("Finishing"),
    "not_opened": N_("Not having opened"),
    "penalty": N_("A fault"),
    "factor_cap": N_("The highest factor of a deal"),
    "raising": N_("Openings that beat each other (katlamalı)"),
    "all_pairs_void": N_("All four open with pairs"),
}

EXPLAINED = {
    "high_one": N_(
        "1 is low, before 2. Where this is on it may also be high, after 13: 12 13 1 is a run. It is never both at once: 13 1 2 is no run."
    ),
    "false_joker_wild": N_(
        "A false joker bears a picture and no number. As a rule it is the tile that the okey would be, and nothing else. "
        "Where this is on it stands for any tile, as an okey does."
    ),
    "strict_layout": N_(
        "A winner shows the hand with the tiles of each group next to each other and a gap between groups. Where this is on a hand that "
        "lies otherwise is not valid, even if the same tiles would win in another order. Where it is off the order does not matter."
    ),
    "rows_join": N_(
        "A rack has two rows, and a long run may not fit into one. Where this is on the last tiles of a row and the first of the row "
        "below are judged as one group, if together they are one. Where it is off every row ends its groups."
    ),
    "informal_deal": N_(
        "Instead of stacks and dice everyone takes any 14 tiles, the first player 15, and any tile with a number is turned up as the "
        "indicator. Two or three players always deal so."
    ),
    "indicator_is_last_tile": N_(
        "When nothing else is left of the stock, the indicator itself may be drawn as its last tile. Where this is off it never is."
    ),
    "start": N_("Every account begins with so many points and goes down from there."),
    "with_indicator": N_(
        "Who holds the twin of the indicator may show it before their own first draw of a deal, and the others lose points. "
        "Not shown in time it is worth nothing."
    ),
    "indicator_shown": N_("So much each of the others loses when a player shows the twin of the indicator."),
    "indicator_minimum": N_("A shown indicator takes points only from those who have at least so many; who has fewer is spared."),
    "win": N_("So much each of the others loses when a player wins with sets and runs."),
    "win_okey": N_("The same, when the winner lays an okey on the indicator as the fifteenth tile."),
    "pairs": N_("So much each of the others loses when a player wins with seven times two identical tiles."),
    "pairs_okey": N_("Seven pairs, when the winner lays an okey on the indicator as the fifteenth tile."),
    "run": N_(
        "1 to 13 of one colour and its second 1, fourteen tiles in one line. “To 0” takes everything that the others have. "
        "Rules that do not score it count such tiles as sets and runs."
    ),
    "run_okey": N_("The one-colour run, when the winner lays an okey on the indicator as the fifteenth tile."),
    "one_colour": N_(
        "A winning hand whose tiles, those that stand for any tile aside, are all of one colour, but no one-colour run. "
        "Rules that do not score it count it as any other win."
    ),
    "one_colour_okey": N_("Such a hand, when the winner lays an okey on the indicator as the fifteenth tile."),
    "exhausted_penalty": N_("So much everyone loses when no tile is left to be drawn and nobody has won."),
    "best_places": N_(
        "When four play each alone, so many of them win the game; those tied share the place. With two or three players, or partners, "
        "it is the highest alone."
    ),
    "partners": N_(
        "Players opposite each other are a team with one account. A win or a shown indicator costs the other team, once. "
        "In 101 the tiles left to the partner of the finisher cost nothing."
    ),
    "elimination": N_(
        "Who has no points left leaves, and the others play on until one player or one team is left. Where this is off the game ends as "
        "soon as somebody has none left."
    ),
    "colour_doubles": N_(
        "Some tables double a deal for its colour: the winning hand is all of one colour (any, or only red or black), or the indicator "
        "is red or black. Only one of these is played at a time."
    ),
    "deals": N_("After so many deals the game is over; 3, 5, 7, 9 or 11 are usual. Left open, it lasts as long as the table likes."),
    "finish": N_("So much is taken off the finisher’s total, times the factor of the deal."),
    "not_opened": N_("So much is added for a player who has not opened by the end of the deal, times its factor, whatever is left."),
    "penalty": N_(
        "So much is added for each fault, as it happens: an okey left in hand by one who had opened, an okey discarded, a failed opening "
        "taken back, a discard that fitted a group on the table, more than the last tile taken back."
    ),
    "factor_cap": N_(
        "A deal counts double when it is finished with an okey, double when the finisher had opened with pairs, and double when "
        "everything goes down in one turn while nobody else has opened. All together it never counts more than so many times."
    ),
    "raising": N_("Each opening must be worth more than the best one on the table. Points and pairs are compared separately."),
    "all_pairs_void": N_("When all four open with pairs the deal does not count and is dealt again. Where this is off play goes on."),
}


def options_of(rules: Rules) -> dict[str, Field[Any]]:
    """The options of a preset by name, those of judging first."""
    return {option.name: option for option in (*fields(rules), *fields(rules.scoring)) if option.metadata}


def value_of(rules: Rules, name: str) -> str:
    """What a preset says of an option, in a few words."""
    if name == "start" and rules.name in START_RANGES:
        least, most = START_RANGES[rules.name]
        return _("{least} to {most}").format(least=least, most=most)
    value = getattr(rules if hasattr(rules, name) else rules.scoring, name)
    if isinstance(value, bool):
        return _(ON) if value else _(OFF)
    if value is None:
        return _(OPEN_END) if name == "deals" else _(NOT_SCORED)
    if isinstance(value, str):
        choice = DOUBLES_CHOICES[value]
        return _(choice)
    return _(TO_ZERO) if value == ZERO and name in ("run", "run_okey") else str(value)


def in_presets(name: str) -> str:
    """What every preset that has an option says of it: once if all say the same."""
    said = {preset: value_of(rules, name) for preset, rules in PRESETS.items() if name in options_of(rules)}
    if len(set(said.values())) == 1:
        return _("In every preset: {value}").format(value=next(iter(said.values())))
    return " · ".join(f"{_(PRESET_NAMES[preset])}: {value}" for preset, value in said.items())


def figures(presets: Iterable[Rules]) -> list[list[str]]:
    """What presets of one game score, as a table: its first row names the presets, the others link to an option and give its figures."""
    presets = list(presets)
    options = [option.name for option in fields(presets[0].scoring) if "least" in option.metadata]
    rows = [[f"[{_(TITLES[name])}](#{name})", *(value_of(rules, name) for rules in presets)] for name in options]
    return [["", *(_(PRESET_NAMES[rules.name]) for rules in presets)], *rows]


def linked(name: str, words: str) -> str:
    """Words that lead to where the page explains a preset or an option, as Markdown."""
    return f"[{words}]({RULES_PATH}#{name})"


def judged_by(rules: Rules, *more: str) -> str:
    """The preset and the options that a verdict rests on, each leading to where it is explained; `more` are further options named."""
    used = rules_used(rules)
    options = ", ".join(linked(name, used[name]) for name in ("high_one", "false_joker_wild", *more))
    return _("Judged by {preset}: {options}.").format(preset=linked(rules.name, _(PRESET_NAMES[rules.name])), options=options)


def in_force(rules: Rules) -> str:
    """What a table scores, and the way to where it is explained."""
    return f"{rules_in_words(rules)} {linked(rules.name, _(RULES_PAGE))}"
