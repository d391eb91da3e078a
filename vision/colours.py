"""Which colours the inks of one picture are: those of all tiles settled together, as one light falls on them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assistant.tiles import COLOURS, Colour
from vision.classify import Chances

INK_SPREAD = 0.02
"""Under one light half of the inks of one colour lie within 1.7 times this of their middle, see `_absorbed`; glare, a shadow's edge or a
second lamp takes some of them far away, as in Cauchy's distribution. Of 22,446 tiles in scenes for tuning, traced and new ones 222 have
another colour so, 252 with a narrow and a wide Gaussian."""
DEPTH = 0.1
"""How much an ink's depth counts beside what share of it each channel has: in photos to learn from the depths of one colour lie twice
as far apart as in scenes, its shares no farther."""
LIGHTEST, DARKEST = 1.2, 0.01
"""An ink is measured as no lighter or darker than this, its face being 1."""
LEAST_DEPTH = 0.05
"""An ink as light as its face has no less."""
FEWEST_INKS = 4
"""With fewer coloured tiles there is little to settle together: of 36,948 tiles 264 have another colour than theirs so, 265 with 3,
270 with 6."""
SETTLING_STEPS = 10
"""Steps of expectation-maximisation."""
LEAST_CHANCE = 1e-4
"""No colour is less likely than this, whatever the classifier says."""
FEWEST_PARTED = 1.5
"""Inks that seem of one colour are parted where at least so many tiles are on either side."""
IN_COMMON, CLEARLY_BETTER = 0.7, 4.0
"""One part is another colour if that explains the picture better by more than the second, a logarithm, what the classifier says of each
tile to the power of the first: it takes all tiles of one ink for the same wrong colour, so that two such tiles tell less than twice as
much as one. Of the 22,446 tiles 198 have another colour so, 222 without, 209 with a power of 1."""
BLUE, YELLOW, GREEN = COLOURS.index(Colour.BLUE), COLOURS.index(Colour.YELLOW), len(COLOURS)
"""Columns of these inks where green is told apart, as the fifth."""
LEAST_SEEN = 0.3
"""An ink of fewer tiles has no mean to compare with."""
LEAST_BOTH = 0.05
"""A tile less likely blue, or less likely yellow, than this is not green: else green would gather every odd ink. Only such a
tile tells that blue, or yellow, is seen beside green, some of which may look bluish: of 36,948 tiles 270 have another colour than theirs
so, 284 if all that seems blue or yellow told it."""
GREEN_AS_BLUE, LESS_THAN_RED = 0.1, 0.25
"""Bluish green the classifier surely takes for blue, as the blue of some sets is as greenish. What it takes for blue or yellow, of which
the ink takes less of the green light than of the blue, and less than of the red by the second, a share of all that it takes, is green
with the first at least where no yellow is seen. Of 4,294 tiles of sets with green 62 have another colour than theirs with this and
SAME_INK, 92 without; of 17,751 others two more."""
SAME_INK = 0.12
"""An ink that is surely blue, or yellow, but lies no farther than this from the green of more tiles is that green: no proof either."""
SEEN_AT_LEAST = 0.3
"""Tiles of blue and of yellow ink that are counted beside those seen: one doubtful tile is no proof of its colour."""

Values = NDArray[np.float64]


def settle_colours(colour: Chances, ink: Chances, weight: Chances) -> Chances:
    """Chances of colour (N, 4) with all inks of one picture settled together.

    One light falls on all tiles, so inks of one colour lie close together even where lamp light has moved them all.
    Each ink, by what it takes of the light, is drawn from one of five Cauchy distributions, of the four colours and of green
    (expectation-maximisation, the classifier's chances as the prior of each tile): Dempster, Laird and Rubin 1977. Where the
    classifier takes two inks for one colour, as blue and black in yellow light, it is also tried what the picture would be if one of
    them were another colour. Green the classifier takes for blue as well as for yellow: it stands for the one of the two that
    is not seen beside it or, if neither is, for the one that it looks more like in the mean of all tiles.

    Args:
        colour: the classifier's chances (N, 4).
        ink: measured inks (N, 3), the face being 1.
        weight: (N,) how surely a tile bears an ink of one of the four colours at all, 0 to 1.
    """
    if float((weight > 0.5).sum()) < FEWEST_INKS:
        return colour
    inks = _absorbed(ink.astype(np.float64))
    yellow_seen = weight @ (colour[:, YELLOW] * (colour[:, BLUE] <= LEAST_BOTH))
    greenish = looks_green(ink) & (yellow_seen < 0.5)
    prior = _with_green(colour.astype(np.float64), greenish)
    settled, _ = _settled(inks, prior, weight, (prior / prior.sum(1, keepdims=True))[None])
    starts = np.concatenate([settled, _parted(inks, settled[0], weight)])
    settled, density = _settled(inks, prior, weight, starts)
    chance = np.clip(colour.astype(np.float64), LEAST_CHANCE, 1) ** IN_COMMON
    in_common = _with_green(chance / chance.sum(1, keepdims=True), greenish)
    explained = np.log((in_common * density).sum(2)) @ weight
    explained[0] += CLEARLY_BETTER
    return np.asarray(_without_green(settled[int(explained.argmax())], colour, weight, inks), np.float32)


def _settled(inks: Values, prior: Values, weight: Chances, settled: Values) -> tuple[Values, Values]:
    """What expectation-maximisation makes of S starts: chances (S, N, 5), and densities (S, N, 5).

    Args:
        inks: (N, 4), see `_absorbed`.
        prior: chances (N, 5) of each tile by itself.
        weight: (N,), see `settle_colours`.
        settled: chances (S, N, 5) from which each begins.
    """
    pull = np.ones_like(settled)
    for _ in range(SETTLING_STEPS):
        share = settled * weight[:, None]
        mass, pulling = share.sum(1), share * pull
        mean = pulling.swapaxes(1, 2) @ inks / np.maximum(pulling.sum(1), 1e-6)[..., None]
        away = (inks**2).sum(1)[:, None] - 2 * inks @ mean.swapaxes(1, 2) + (mean**2).sum(2)[:, None]
        # As shares of a whole, inks lie on a surface: distributions of two dimensions.
        pull = 1 / (1 + np.maximum(away, 0) / INK_SPREAD**2)
        density = pull * np.sqrt(pull)
        unseen = mass <= LEAST_SEEN
        if unseen.any():
            in_order = np.sort(density.reshape(len(density), -1), axis=1)  # np.median takes four times as long
            count = in_order.shape[1]
            median = (in_order[:, (count - 1) // 2] + in_order[:, count // 2]) / 2
            density = np.where(unseen[:, None], median[:, None, None], density)
        settled = prior * density
        settled /= settled.sum(2, keepdims=True)
    return settled, density


def _parted(inks: Values, settled: Values, weight: Chances) -> Values:
    """Chances (M, N, 5) as they would be if a part of the inks of one colour, across their widest extent, were of another.

    Args:
        inks: (N, 4), see `_absorbed`.
        settled: chances (N, 5) as they are.
        weight: (N,), see `settle_colours`.
    """
    others = []
    for column in range(GREEN + 1):
        of_colour = settled[:, column] * weight
        if of_colour.sum() < 2 * FEWEST_PARTED:
            continue
        apart = inks - of_colour @ inks / of_colour.sum()
        widest = np.linalg.eigh((apart * of_colour[:, None]).T @ apart)[1][:, -1]
        beyond = apart @ widest > 0
        for part in (beyond, ~beyond):
            if of_colour[part].sum() < FEWEST_PARTED:
                continue
            for other in set(range(GREEN)) - {column}:
                chances = settled.copy()
                chances[part, other] += chances[part, column]
                chances[part, column] = 0
                others.append(chances)
    return np.array(others).reshape(-1, *settled.shape)


def _absorbed(ink: Values) -> Values:
    """What is compared of inks (N, 3): what share of all that one takes of the light each channel has, and how much it takes (N, 4).

    By Beer and Lambert's law an ink of twice the depth takes twice the logarithm of each channel: these shares stay, and they hardly
    change where a thin or blurred stroke lets the face through, or where a shadow falls. How much it takes does, and counts less.
    """
    shares, depth = _shares(ink)
    return np.hstack([shares, DEPTH * np.log(np.maximum(depth, LEAST_DEPTH))])


def _shares(ink: Values) -> tuple[Values, Values]:
    """What share of all that an ink takes of the light each channel has, as a vector of length 1 (N, 3), and how much it takes (N, 1)."""
    density = -np.log(np.clip(ink, DARKEST, LIGHTEST))
    depth = np.linalg.norm(density, axis=1, keepdims=True)
    return density / np.maximum(depth, 1e-3), depth


def looks_green(ink: Chances) -> NDArray[np.bool_]:
    """Which of N inks (N, 3), the face being 1, are greenish, though they may be the blue of their set, see `GREEN_AS_BLUE`."""
    blue, green, red = _shares(ink.astype(np.float64))[0].T
    return np.asarray((green < blue) & (green + LESS_THAN_RED < red))


def green_for_blue(ink: Chances) -> Values:
    """How likely (N,) inks (N, 3), the face being 1, that are taken for blue are bluish green."""
    return np.asarray(GREEN_AS_BLUE * looks_green(ink))


def _with_green(colour: Values, greenish: NDArray[np.bool_]) -> Values:
    """Chances (N, 5) of the four colours and green: what may be blue and may be yellow is green.

    Args:
        colour: chances (N, 4) of the four colours.
        greenish: which (N,) may be green even if they surely are blue or yellow.
    """
    pair = colour[:, [BLUE, YELLOW]]
    green = np.maximum(2 * (pair.min(1) - LEAST_BOTH), GREEN_AS_BLUE * greenish * pair.sum(1)).clip(0)
    taken = np.minimum(green[:, None] / 2, pair)
    taken[np.arange(len(pair)), pair.argmax(1)] += green - taken.sum(1)
    five = np.hstack([colour, green[:, None]])
    five[:, [BLUE, YELLOW]] -= taken
    return np.clip(five, LEAST_CHANCE, 1)


def _without_green(settled: Values, colour: Chances, weight: Chances, inks: Values) -> Values:
    """Chances (N, 4) from those with green (N, 5): that of green is given to blue or to yellow.

    Args:
        settled: with green.
        colour: the classifier's chances (N, 4), which tell what green stands for where neither blue nor yellow is seen.
        weight: (N,), see `settle_colours`.
        inks: (N, 4), see `_absorbed`.
    """
    four, green = settled[:, :GREEN].copy(), settled[:, GREEN]
    greens = weight * green
    is_proof = colour[:, [YELLOW, BLUE]] <= LEAST_BOTH  # what may be blue and yellow is no proof of either
    others = weight[:, None] * settled[:, [BLUE, YELLOW]] * is_proof
    seen = others.sum(0)
    away = np.linalg.norm((others / np.maximum(seen, 1e-6)).T @ inks - greens @ inks / np.maximum(greens.sum(), 1e-6), axis=1)
    seen[(away < SAME_INK) & (seen < greens.sum())] = 0
    if seen.sum() < 0.5 and greens.sum() >= LEAST_SEEN:
        is_yellow = greens @ (colour[:, YELLOW] / np.maximum(colour[:, YELLOW] + colour[:, BLUE], 1e-6)) / greens.sum()
        mostly = green > 0.5  # one ink is of one colour
        green = np.where(mostly, settled[:, [BLUE, YELLOW, GREEN]].sum(1), green)
        four[mostly, BLUE] = four[mostly, YELLOW] = 0
    else:
        blue, yellow = seen + SEEN_AT_LEAST
        is_yellow = blue**2 / (blue**2 + yellow**2)
    four[:, YELLOW] += green * is_yellow
    four[:, BLUE] += green * (1 - is_yellow)
    return four
