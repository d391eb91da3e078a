"""The sentences about deals that are played on from a hand."""

from __future__ import annotations

from babel.numbers import format_decimal

from assistant.dashboard.language import N_, _, language, ngettext, percent
from assistant.dashboard.texts import tile_name
from assistant.playouts import Estimate
from assistant.tiles import Tile

HEADING = N_("If the deal is played on")
BEGINNING = N_("Deals are being played on from this hand …")
SOON = 5
"""For how many draws the chance to win is told."""
SURE = 2
"""So many standard errors are told as a difference."""
WIN_NOW, WAIT, EVEN = (
    N_("So win now."),
    N_("So waiting is worth more."),
    N_("So far neither is clearly better."),
)


def points(value: float) -> str:
    """Points as the language writes them, to a tenth."""
    return str(format_decimal(round(value, 1), format="0.0", locale=language()))


def chance(estimate: Estimate) -> str:
    """How often the deal is won, and how sure that is."""
    return _("You win {chance} of the deals, give or take {error}; {soon} within your next {count} draws.").format(
        chance=percent(estimate.chance), error=percent(estimate.chance_error), soon=percent(estimate.chance_within(SOON)), count=SOON
    )


def chance_after(discard: Tile, estimate: Estimate) -> str:
    """The same after a discard."""
    return _("Discard {tile}: you win {chance} of the deals, give or take {error}; {soon} within your next {count} draws.").format(
        tile=tile_name(discard),
        chance=percent(estimate.chance),
        error=percent(estimate.chance_error),
        soon=percent(estimate.chance_within(SOON)),
        count=SOON,
    )


def weighed(now: float, discard: Tile, estimate: Estimate) -> str:
    """What waiting for the double is worth beside winning now, in points that the player gains on each of the others."""
    told = _(
        "Winning now gains you {now} points on each opponent. Discarding {tile} and winning at your next chance gains {later} "
        "on average, give or take {error}: you still win {chance} of the deals, {okey_last} with an okey as the last tile."
    ).format(
        now=points(now),
        tile=tile_name(discard),
        later=points(estimate.gain),
        error=points(estimate.gain_error),
        chance=percent(estimate.chance),
        okey_last=percent(estimate.okey_last_chance),
    )
    margin = SURE * estimate.gain_error
    advice = WIN_NOW if estimate.gain < now - margin else WAIT if estimate.gain > now + margin else EVEN
    return f"{told} {_(advice)}"


def assumption(deals: int, begun: bool, playing: bool) -> str:
    """What the figures rest on; `begun`: whether tiles on the table tell that the others have had turns."""
    told = ngettext(
        "{count} deal simulated, with four players: the others hold any of the unseen tiles, and all play for the nearest win.",
        "{count} deals simulated, with four players: the others hold any of the unseen tiles, and all play for the nearest win.",
        deals,
    ).format(count=deals)
    more = [] if begun else [_("As no tiles are seen on the table, the deal counts as just begun.")]
    if playing:
        more.append(_("More are being played …"))
    return " ".join([told, *more])
