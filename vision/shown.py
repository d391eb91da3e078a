"""A hand that is shown: as many tiles as win, lying open group by group on a table, or on a rack turned to the camera.

Groups are tiles that touch side by side, and a hand is groups that lie near each other and the same way round: discards
thrown on a heap do neither, and stacks show no faces. Whether the groups are any is not for here to say.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assistant.tiles import FACE_DOWN
from vision.layout import GROUP_GAP, LEVEL, LIKE_SIZE, SAME_TURN, Frames, frames_of, joined, lay_out
from vision.reading import Place, Reading
from vision.sight import Sight

SIZES = (14, 15)
"""How many tiles are shown: the last one lies on the indicator, unless it was left among the others."""
FEWEST_GROUPS = 3
"""Fewer groups make no hand, but for two long runs, which a row of discards looks like."""
NEAR = 3.2
"""Groups of one hand are no farther from each other than this, from the middle of a tile to the next, in tile widths."""
LEAST_HEIGHT = 0.8
"""Tiles that look lower than this against their width stand on the rack of somebody who plays."""
SEEN_APART = 70
"""A closer look is taken where tiles are fewer pixels wide: of 14 that were 35 wide and touched two were missed without it."""
FEWEST_NEAR = 6
"""So many tiles near each other and the same way round are looked at from closer."""
AROUND, MOST_OF_PICTURE = 2.0, 0.6
"""So much more of the table is looked at around them, in tile widths, and never a larger share of the picture than the second."""

Part = tuple[int, int, int, int]


def part_to_look_at(sight: Sight) -> Part | None:
    """Where a hand might lie that is too small to be seen well: left, top, right and bottom in pixels; None if nowhere."""
    frames = frames_of(np.asarray(sight.corners, np.float64))
    parts = [near for near in _near_each_other(frames, np.ones(len(sight), bool)) if len(near) >= FEWEST_NEAR]
    if not parts:
        return None
    largest = max(parts, key=len)
    width = float(np.median(frames.width[largest]))
    outlines = sight.corners[largest]
    low = np.maximum(outlines.min((0, 1)) - AROUND * width, 0).astype(int)
    high = np.minimum(outlines.max((0, 1)) + AROUND * width, sight.size).astype(int)
    if width > SEEN_APART or (high - low).prod() > MOST_OF_PICTURE * sight.size[0] * sight.size[1]:
        return None
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def shown_hand(reading: Reading, laid: NDArray[np.bool_]) -> Reading | None:
    """The hand that is shown in a picture of a table, as a reading in which it alone is on the rack; None if there is none.

    What lies beside it is on the table; a single tile that shows its face there is the indicator.

    Args:
        reading: what was read.
        laid: which of its tiles (N,) may be of a hand: those that lay there long before are not.
    """
    face_up = [number for number, seen in enumerate(reading.tiles) if seen.tile != FACE_DOWN]
    frames = frames_of(np.array([reading.tiles[number].outline for number in face_up], np.float64).reshape(-1, 4, 2))
    for hand in _near_each_other(frames, _in_groups(frames, laid[face_up])):
        if len(hand) in SIZES and np.median(frames.height[hand] / frames.width[hand]) >= LEAST_HEIGHT:
            found = _laid_out(reading, [face_up[index] for index in hand])
            if found is not None:
                return found
    return None


def _in_groups(frames: Frames, among: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of N tiles touch another one side by side, both among those given (N,)."""
    across, above = frames.offsets()
    beside = (np.abs(np.abs(across) - 1) < GROUP_GAP) & (np.abs(above) < LEVEL) & _alike(frames) & among[:, None] & among[None]
    return np.asarray((beside & beside.T).any(1))


def _near_each_other(frames: Frames, among: NDArray[np.bool_]) -> list[list[int]]:
    """Those tiles among N that lie near each other and the same way round, together."""
    away = np.linalg.norm(frames.middle[:, None] - frames.middle[None], axis=2) / frames.width[:, None]
    together = _alike(frames) & among[:, None] & among[None] & (np.minimum(away, away.T) < NEAR)
    pairs = zip(*np.nonzero(np.triu(together, 1)), strict=True)
    return joined(len(away), ((int(i), int(j)) for i, j in pairs))


def _alike(frames: Frames) -> NDArray[np.bool_]:
    """Whether each two (N, N) tiles lie the same way round, or one upside down, and are alike in size."""
    ratio = frames.width[:, None] / frames.width[None]
    return (frames.turns() < SAME_TURN) & (np.maximum(ratio, 1 / ratio) < LIKE_SIZE)


def _laid_out(reading: Reading, hand: list[int]) -> Reading | None:
    """The reading with these tiles, by their number, laid out as a hand; None if they do not lie in groups."""
    corners = np.array([reading.tiles[number].outline for number in hand], np.float32)
    layout = lay_out(corners, np.ones(len(hand), bool))
    groups = {(layout.row[at], layout.group[at]) for at in range(len(hand))}
    if any(place is not Place.RACK for place in layout.place) or len(groups) < FEWEST_GROUPS:
        return None
    tiles = [
        replace(
            reading.tiles[hand[at]],
            place=Place.RACK,
            row=layout.row[at],
            group=layout.group[at],
            gap=layout.gap[at],
            gap_doubtful=layout.doubtful[at],
        )
        for at in layout.order
    ]
    others = [
        replace(seen, place=Place.TABLE, row=None, group=None, gap=None, gap_doubtful=False)
        for number, seen in enumerate(reading.tiles)
        if number not in hand
    ]
    open_ones = [at for at, seen in enumerate(others) if seen.tile != FACE_DOWN]
    if len(open_ones) == 1:
        others[open_ones[0]] = replace(others[open_ones[0]], place=Place.INDICATOR)
    return replace(reading, tiles=(*tiles, *others))
