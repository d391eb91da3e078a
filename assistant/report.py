"""What the command line prints for people to read; what it prints for programs, the results themselves give (`to_json`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.arguments import written_out
from assistant.rules import Rules, changed_options
from assistant.solver import Laid, Verdict
from assistant.tiles import Rack

if TYPE_CHECKING:
    from assistant.dispute import Judgement
    from assistant.ledger import Standing
    from assistant.opening import Opening
    from assistant.simulation import Tally
    from assistant.table import Table
    from vision.reading import Reading

FACTS = {
    "okey_last": "an okey as the last tile",
    "hand_finish": "finished in one turn, nobody else having opened",
    "exhausted": "the stock ran out",
    "void": "void, all four having opened with pairs",
    "indicator_shown": "the indicator shown",
}
"""What a simulation counts at most once a deal, in words."""
PER_DEAL = {
    "opened_melds": "opened with sets and runs",
    "opened_pairs": "opened with pairs",
    "not_opened": "not opened",
    "okeys_left": "okeys left in hand",
    "okey_discarded": "okeys discarded",
    "playable_discard": "discards that fitted a group",
}
"""What it counts of every player or tile."""


def reading_text(reading: Reading) -> str:
    """What was read from a photo: rack, indicator, other tiles, what is not certain, and what the reader warns of."""
    lines = [f"{written_out(reading.photo)}: {str(reading.rack) or 'no rack'}"]
    if reading.indicator is not None:
        lines.append(f"  indicator {reading.indicator}")
    others = [str(seen.tile) for seen in reading.tiles if seen.place.value == "table"]
    if others:
        lines.append(f"  on the table {' '.join(others)}")
    doubtful = [f"{seen.guess or seen.tile} ({int(100 * seen.confidence)}%)" for seen in reading.tiles if seen.confidence < 0.9]
    if doubtful:
        lines.append(f"  not certain: {', '.join(doubtful)}")
    return "\n".join(lines + [f"  {warning}" for warning in reading.warnings])


def verdict_line(verdict: Verdict, opening: Opening | None) -> str:
    """What `istaka solve` says of one hand of many, in one line; the opening in 101 only."""
    if verdict.win:
        discard = f", discard {verdict.discard}" if verdict.discard else ""
        return f"wins with {verdict.win}{discard}: {_groups(verdict.arrangement)}"
    left = f"; left {' '.join(map(str, verdict.left))}" if verdict.left else ""
    discard = f"; discard {verdict.discard}" if verdict.discard else ""
    distance = "" if verdict.distance is None else f"distance {verdict.distance}: "
    opens = "" if opening is None else f"; {'; '.join(_opening_lines(opening))}"
    return f"{distance}{_groups(verdict.arrangement) or 'no group'}{left}{discard}{opens}"


def rules_text(rules: Rules) -> str:
    """By what was judged or scored, in one line: the preset, and the options that differ from it."""
    words = {"True": "on", "False": "off", "None": "not set"}
    changed = [f"{name} {words.get(str(value), value)}" for name, value in changed_options(rules).items()]
    return f"rules: {rules.name}" + (f" with {', '.join(changed)}" if changed else "")


def verdict_text(verdict: Verdict, opening: Opening | None, rules: Rules) -> str:
    """What `istaka solve` says of one hand; the opening in 101 only."""
    lines = [f"okey {verdict.okey}"]
    if verdict.win:
        okey_last = ", an okey is discarded last" if verdict.okey_last else ""
        lines.append(f"wins with {verdict.win}{okey_last}")
    elif verdict.distance is not None:
        away = f"{verdict.distance} tile{'s' if verdict.distance > 1 else ''} from a win"
        ways = [
            f"{name} {value}"
            for name, value in (("sets and runs", verdict.distance_melds), ("pairs", verdict.distance_pairs))
            if value is not None
        ]
        lines.append(f"{away} ({', '.join(ways)})")
    points = "" if opening is None else f" ({verdict.points} points)"
    lines.append(f"arrangement {_groups(verdict.arrangement) or 'no group'}{points}")
    if verdict.left:
        lines.append(f"left {' '.join(map(str, verdict.left))}")
    if verdict.discard is not None:
        lines.append(f"discard {verdict.discard}")
    if verdict.outs:
        lines.append("wins with " + ", ".join(f"{out.tile} ({out.unseen} unseen)" for out in verdict.outs))
    if opening is not None:
        lines += _opening_lines(opening)
    return "\n".join([*lines, rules_text(rules)])


def _opening_lines(opening: Opening) -> list[str]:
    lines = []
    if opening.with_melds:
        lines.append(f"opens with {opening.points} points: {_groups(opening.melds)}")
    if opening.with_pairs:
        lines.append(f"opens with {len(opening.pairs)} pairs: {_groups(opening.pairs)}")
    points, pairs = f"{opening.points} of {opening.points_needed} points", f"{len(opening.pairs)} of {opening.pairs_needed} pairs"
    return lines or [f"does not open: {points}, {pairs}"]


def judgement_text(judgement: Judgement, rack: Rack) -> str:
    """The verdict on a shown hand, group by group, and the rules that decided it.

    Args:
        rack: the hand as it lies, or was read.
    """
    lines = []
    for number, group in enumerate(judgement.groups, start=1):
        verdict = group.kind.value if group.kind else group.reason
        lines.append(f"group {number}: {' '.join(map(str, group.placed))}: {verdict}")
    if judgement.fifteenth is not None:
        lines.append(f"fifteenth tile: {judgement.fifteenth}{', an okey' if judgement.okey_last else ''}")
    lines.append(f"valid: {judgement.win}" if judgement.valid else f"not valid: {judgement.reason}")
    if judgement.indicator_decides:
        unknown = "what it costs the others" if judgement.valid else "which tiles are wild, and what a false joker stands for"
        lines.append(f"the indicator says {unknown}: add it as --indicator B11")
    if judgement.unclear:
        lines.append(f"to say how they lie check the rack in writing, with | where a gap is; here it is as it was read: {rack}")
    if judgement.across_rows:
        groups = _groups(judgement.across_rows)
        lines.append(f"it would be valid if a group may go on in the next row, as {groups}: the table decides (--option rows_join=on)")
    if judgement.could_win and not judgement.valid:
        lines.append(f"it would {'open' if judgement.rules.opens else 'win'} as {_groups(judgement.arrangement)}")
    decided = [f"{name} {'on' if on else 'off'}" for name, on in judgement.to_json()["decided_by"].items()]
    lines.append(rules_text(judgement.rules) + (f"; what decided: {', '.join(decided)}" if decided else ""))
    return "\n".join(lines)


def standing_text(table: Table, standing: Standing) -> str:
    """The score of a table, a line a player, whether the game is over, and by which rules."""
    lines = [f"{name}: {score}" for name, score in zip(table.names, standing.scores, strict=True)]
    over = f"won by {', '.join(table.names[number] for number in standing.winners)}" if standing.finished else "going on"
    return "\n".join([*lines, f"{standing.deals} deal{'' if standing.deals == 1 else 's'}, {over}", rules_text(table.rules)])


def tally_text(tally: Tally) -> str:
    """What became of simulated deals, or games, as shares and averages."""

    def share(count: int) -> str:
        return f"{count / tally.deals:.1%}"

    def seat(number: int) -> str:
        return "the dealer" if number == 0 else f"player {number}"

    def spread(found: dict[str, float]) -> str:
        return f"{found['mean']:.1f} on average, {found['fewest']} to {found['most']}"

    told = tally.to_json()
    lines = []
    if tally.games:
        shares = ((player, count / told["games"]) for player, count in told["games_won_by"].items())
        lines = [f"games won by {'who deals first' if player == 0 else f'player {player}'}: {won:.1%}" for player, won in shares]
        lines.append(f"deals of a game: {spread(told['deals_of_a_game'])}")
    return "\n".join(
        [
            *lines,
            *(f"won by {seat(number)}: {share(count)}" for number, count in told["won_by"].items()),
            *(f"won with {hand}: {share(count)}" for hand, count in tally.hands.most_common()),
            *(f"{words}: {share(told[fact])}" for fact, words in FACTS.items() if fact in told),
            *(f"{words}: {told[fact] / tally.deals:.2f} a deal" for fact, words in PER_DEAL.items() if fact in told),
            *([f"turns of a deal: {spread(told['turns'])}"] if tally.turns else []),
        ]
    )


def _groups(groups: Laid) -> str:
    return " | ".join(" ".join(map(str, group)) for group in groups)
