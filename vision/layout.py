"""How the tiles lie: rows of the rack, groups by gaps, the indicator, the rest of the table.

Everything is measured in the tiles' own frames: a tile knows its right, its up and its width, so that rows are followed
through perspective and at any tilt of the camera.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.tiles import Tile
from vision.outlines import in_all_orders
from vision.reading import Place

GROUP_GAP = 0.3
"""A gap wider than this share of a tile's width parts two groups."""
NARROW, WIDE = 0.15, 0.4
"""Between these a gap is too narrow to tell and asked about; the first is counted from how wide gaps look where tiles touch. Of 12,011
gaps on 855 rendered racks 61 are asked about and 1 is wrong though sure, 4 if nothing were asked."""
MOST_TOUCHING = 0.1
"""Gaps between tiles that touch look no wider than this: evenly spaced tiles may lie apart."""
FEWEST_EVEN = 4
"""Of so many tiles in a row one that is outlined badly is told from the others."""
NEAREST, FARTHEST = 0.45, 7.0
"""Neighbours in a row are this far from middle to middle, in tile widths."""
LEVEL, LEVEL_ALONG = 0.25, 0.035
"""Neighbours in a row differ in level by less than this share of a tile's height, as each sees it by this more for every
tile width between them: a small error in a tile's turn tells more from afar."""
SAME_TURN = np.radians(28)
"""Neighbours in a row are turned by less than this against each other."""
LIKE_SIZE = 1.6
"""Neighbours in a row differ in height by less than this factor and in width by less than its square: along a row that is seen from the
side heights shrink as distances grow, widths as their squares. Rows of one rack differ in width by less than this."""
ROW_PITCH = 2.4
"""Rows of one rack follow each other within this many tile heights."""
ASIDE = 0.3
"""Two lines are compared where their tiles are nearest, a tile's width aside counting as so much of its height above."""
IN_ONE_PLACE = 0.5
"""Of two tiles that are nearer to each other along the rack than this share of the narrower one's width one cannot stand beside the
other."""
SURELY_READ, HARDLY_READ = 0.9, 0.6
"""Beside one loose tile read with more confidence than the first, places read with less than the second are no second indicator:
print on a newspaper or a cup is often taken for a tile."""
LEAST_OF_A_ROW = 3
"""So many tiles side by side that show their faces are a group on the table or stand on another rack: none of them is the indicator, if
another tile may be."""
FLATTER, TALLER = 0.86, 1.39
"""A lone tile below or above the rack whose height against its width is this much smaller or larger lies flat on the table: so of 1,338
rendered racks 7 more are exact than with 0.72, and of 537 indicators 6 more are told."""
APART, SKEWED, LEANING = 1.2, np.radians(8), np.radians(14)
"""Nor is it a row of the rack if it is farther from it, in tile heights, or its top, or its sides, are turned by more against those of
the tiles there: of 20 lone rows in 1,457 rendered racks the sides of 8, which lie flat, lean by 19° or more otherwise, of the others by
6° at most."""

Vectors = NDArray[np.float64]


@dataclass(frozen=True)
class Layout:
    """Where N tiles lie; parallel tuples.

    Attributes:
        place: rack, indicator or table.
        row: row of the rack from the top, None off it.
        group: group in its row from the left, None off the rack.
        gap: the space to the next tile on the right in its row, in tile widths; None for the last one and off the rack.
        doubtful: whether that space is too narrow to tell if it parts two groups.
        order: indices of the tiles in reading order: the rack row by row, then the others.
        indicators: indices of the tiles that could each be the indicator, if it is not clear which one is.
    """

    place: tuple[Place, ...]
    row: tuple[int | None, ...]
    group: tuple[int | None, ...]
    gap: tuple[float | None, ...]
    doubtful: tuple[bool, ...]
    order: tuple[int, ...]
    indicators: tuple[int, ...] = ()


@dataclass(frozen=True)
class Frames:
    """The frames of N tiles: middles (N, 2), rights (N, 2) as long as the tile is wide, ups (N, 2) as long as it is high."""

    middle: Vectors
    right: Vectors
    up: Vectors

    @cached_property
    def width(self) -> Vectors:
        return np.linalg.norm(self.right, axis=1)

    @cached_property
    def height(self) -> Vectors:
        return np.linalg.norm(self.up, axis=1)

    def turns(self) -> Vectors:
        """(N, N) by how much each two tiles are turned against each other, at most a quarter: upside down is not turned."""
        turn = turn_between(self.right[:, None], self.right[None])
        return np.minimum(turn, np.pi - turn)

    def offsets(self) -> tuple[Vectors, Vectors]:
        """(N, N) across and up: where tile j lies in the frame of tile i, in i's widths and heights."""
        away = self.middle[None] - self.middle[:, None]
        area = self.right[:, 0] * self.up[:, 1] - self.right[:, 1] * self.up[:, 0]
        across = (away[..., 0] * self.up[:, None, 1] - away[..., 1] * self.up[:, None, 0]) / area[:, None]
        above = (self.right[:, None, 0] * away[..., 1] - self.right[:, None, 1] * away[..., 0]) / area[:, None]
        return across, above


def lay_out(
    corners: NDArray[np.float32],
    face_up: NDArray[np.bool_],
    indicates: NDArray[np.floating[Any]] | None = None,
    faces: Sequence[Tile] | None = None,
) -> Layout:
    """Places N tiles.

    Args:
        corners: (N, 4, 2) in pixels, clockwise from each tile's own top left; a few may be turned by mistake.
        face_up: (N,) whether the tile shows its face.
        indicates: (N,) how surely, 0 to 1, a number is read that an indicator can have; 0 of tiles face down and of false
            jokers, which are never the indicator. If not given, every face is such a number, surely read.
        faces: (N,) what each tile is read as. A player may show the indicator's twin: of loose tiles of one face either is it.
    """
    indicates = face_up.astype(float) if indicates is None else indicates
    count = len(corners)
    place = [Place.TABLE] * count
    row: list[int | None] = [None] * count
    group: list[int | None] = [None] * count
    gap: list[float | None] = [None] * count
    frames = frames_of(np.asarray(corners, np.float64).reshape(-1, 4, 2))
    lines = _lines(frames)
    rows = _rack_rows(frames, face_up, lines) if count else []
    for number, members in enumerate(rows):
        spaces = _gaps(frames, members)
        parts = np.append(0, np.cumsum(spaces > GROUP_GAP)).tolist()
        for index, part, space in zip(members, parts, [*spaces.tolist(), None], strict=True):
            place[index], row[index], group[index], gap[index] = Place.RACK, number, part, space
    loose = [i for i in range(count) if place[i] is Place.TABLE]
    candidates = [i for i in loose if indicates[i] > 0] if rows or face_up.sum() == 1 else []
    in_a_row = {i for line in lines if (indicates[line] > 0).sum() >= LEAST_OF_A_ROW for i in line}
    candidates = [i for i in candidates if i not in in_a_row] or candidates
    twins = faces is not None and len({faces[i] for i in candidates}) == 1
    if twins or (sum(indicates[i] >= HARDLY_READ for i in candidates) == 1 and max(indicates[candidates]) >= SURELY_READ):
        candidates = [max(candidates, key=lambda i: indicates[i])]
    if len(candidates) == 1:
        place[candidates[0]] = Place.INDICATOR
        candidates = []
    order = [i for members in rows for i in members]
    order += sorted(loose, key=lambda i: (place[i] is not Place.INDICATOR, float(corners[i][:, 1].mean())))
    narrow = (1 + NARROW) * (1 + _touching([space for space in gap if space is not None])) - 1
    doubtful = tuple(space is not None and narrow < space < WIDE for space in gap)
    return Layout(tuple(place), tuple(row), tuple(group), tuple(gap), doubtful, tuple(order), tuple(candidates))


def frames_of(corners: Vectors) -> Frames:
    """The frames of N outlines (N, 4, 2)."""
    right = (corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]) / 2
    up = (corners[:, 0] + corners[:, 1] - corners[:, 2] - corners[:, 3]) / 2
    return Frames(corners.mean(1), right, up)


def turned_as_beside(corners: NDArray[np.float32], has_number: NDArray[np.bool_]) -> NDArray[np.float32]:
    """The outlines (N, 4, 2), those of tiles without a number begun at that corner which makes them stand as the nearest tile with one.

    Which way up a tile stands that lies face down cannot be seen, and how a false joker should, no rule says.

    Args:
        corners: (N, 4, 2) in pixels, clockwise from each tile's own top left.
        has_number: (N,) whether a number is read, and with it the tile's own top left.
    """
    if has_number.all() or not has_number.any():
        return corners
    turned = corners.copy()
    with_number = np.flatnonzero(has_number)
    rights, middles = frames_of(np.asarray(corners, np.float64)).right, corners.mean(1)
    for i in np.flatnonzero(~has_number):
        nearest = with_number[np.linalg.norm(middles[with_number] - middles[i], axis=1).argmin()]
        ways = in_all_orders(corners[i])
        turned[i] = ways[turn_between(frames_of(np.asarray(ways, np.float64)).right, rights[nearest]).argmin()]
    return turned


def _rack_rows(frames: Frames, face_up: NDArray[np.bool_], lines: list[list[int]]) -> list[list[int]]:
    """Rows from the top, in each tile indices from the left; empty when nothing that shows its face lies in rows.

    The indicator beside the stack is no row.

    Args:
        frames, face_up: of N tiles, N > 0.
        lines: these tiles chained to their neighbours, see `_lines`.
    """
    across, above = (np.abs(each.T) for each in frames.offsets())
    ratio = frames.width[:, None] / frames.width
    alike = (frames.turns() <= SAME_TURN) & (np.maximum(ratio, 1 / ratio) <= LIKE_SIZE) & (above < ROW_PITCH) & (across <= FARTHEST)
    line_of = np.empty(len(face_up), int)
    line_of[np.concatenate(lines)] = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
    some_alike = np.argwhere(alike & (line_of[:, None] > line_of))
    away = above + ASIDE * across
    together = [
        (a, b)
        for a, b in sorted(set(map(tuple, line_of[some_alike].tolist())))
        if _belong_together(frames, away, above, alike, lines[a], lines[b])
    ]
    racks = [[lines[a] for a in rack] for rack in joined(len(lines), together)]
    rack = max(racks, key=lambda parts: sum(face_up[line].sum() for line in parts))
    if max(face_up[line].sum() for line in rack) < 2:
        return []
    return _merged_levels(frames, rack)


def joined(count: int, pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The numbers below `count` in the sets that the pairs join them to."""
    parent = list(range(count))

    def root(i: int) -> int:
        while parent[i] != i:
            i = parent[i]
        return i

    for a, b in pairs:
        parent[root(a)] = root(b)
    sets: dict[int, list[int]] = {}
    for i in range(count):
        sets.setdefault(root(i), []).append(i)
    return list(sets.values())


def turn_between(a: Vectors, b: Vectors) -> Vectors:
    """Angle between directions, 0 to half a turn, broadcasting over (..., 2)."""
    return np.abs(np.arctan2(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0], (a * b).sum(-1)))


def _lines(frames: Frames) -> list[list[int]]:
    """Tiles chained to their neighbours left and right; a tile by itself is a line of one."""
    count = len(frames.middle)
    across, above = frames.offsets()
    ratio = frames.width[:, None] / frames.width[None]
    tall = frames.height[:, None] / frames.height[None]
    level = np.abs(above - above.T) / 2
    beside = (np.abs(across) > NEAREST) & (np.abs(across) < FARTHEST) & (np.abs(above) < LEVEL + LEVEL_ALONG * np.abs(across))
    like = (np.maximum(ratio, 1 / ratio) < LIKE_SIZE**2) & (np.maximum(tall, 1 / tall) < LIKE_SIZE) & (frames.turns() < SAME_TURN)
    linked = beside & beside.T & like & (level < LEVEL)
    return joined(count, ((int(i), int(j)) for i, j in zip(*np.nonzero(np.triu(linked)), strict=True)))


def _belong_together(frames: Frames, away: Vectors, above: Vectors, alike: NDArray[np.bool_], line: list[int], other: list[int]) -> bool:
    """Whether two lines are rows of one rack: where they are nearest they are alike, and no lone tile lies flat before it.

    Args:
        frames: of N tiles.
        away, above: (N, N), how far apart tiles are in all (see ASIDE), and in height, as the second of each two sees it.
        alike: (N, N), whether two tiles are parallel, near and alike in size.
    """
    _, i, j = min((away[i, j], i, j) for i in line for j in other)
    if not alike[i, j] or min(len(line), len(other)) > 1:
        return bool(alike[i, j])
    lone, near = (i, j) if len(line) == 1 else (j, i)
    aspect = frames.height[[lone, near]] / frames.width[[lone, near]]
    lies_flat = not FLATTER < aspect[0] / aspect[1] < TALLER
    leans_otherwise = turn_between(frames.up[lone], frames.up[near]) > LEANING
    stands_apart = above[lone, near] > APART or turn_between(frames.right[i], frames.right[j]) > SKEWED or leans_otherwise
    return not (lies_flat or stands_apart)


def _merged_levels(frames: Frames, rack: list[list[int]]) -> list[list[int]]:
    """Lines at one level joined to rows, the top row first, each from the left, as the majority of tiles stands."""
    everyone = [i for line in rack for i in line]
    along = frames.right[everyone]
    main = along[np.argmax(np.abs(along @ along.T).sum(1))]
    signs = np.sign(along @ main)
    if signs.sum() < 0:
        main, signs = -main, -signs
    direction = (along * signs[:, None]).sum(0)
    direction /= np.linalg.norm(direction)
    upward = np.array([direction[1], -direction[0]])
    if (signs @ frames.up[everyone]) @ upward < 0:  # mirrored
        upward = -upward
    x, y = frames.middle @ direction, frames.middle @ upward
    centre = float(np.mean(x[everyone]))
    height = float(np.median(frames.height[everyone]))

    def level(line: list[int]) -> float:
        """Where the line would pass the middle of the rack."""
        if len(line) > 2:
            slope, start = np.polyfit(x[line], y[line], 1)
            return float(slope * centre + start)
        own = frames.right[line] * np.sign(frames.right[line] @ direction)[:, None]
        slope = float(np.mean((own @ upward) / (own @ direction)))
        return float(np.mean(y[line]) + slope * (centre - np.mean(x[line])))

    rows: list[list[int]] = []
    levels: list[float] = []
    for here, line in sorted(((level(line), line) for line in rack), reverse=True):
        if rows and levels[-1] - here < LEVEL * height and not _side_by_side_conflict(x, frames.width, rows[-1], line):
            rows[-1] = rows[-1] + line
        else:
            rows.append(list(line))
            levels.append(here)
    return [sorted(members, key=lambda i: float(x[i])) for members in rows]


def _side_by_side_conflict(x: Vectors, width: Vectors, row: list[int], line: list[int]) -> bool:
    """Whether a tile of `line` would stand where one of `row` stands already."""
    return any(abs(x[i] - x[j]) < IN_ONE_PLACE * min(width[i], width[j]) for i in row for j in line)


def _gaps(frames: Frames, members: list[int]) -> Vectors:
    """The spaces (N - 1,) between the N tiles of a row, in tile widths there; a little less than nothing where two seem to overlap."""
    away = np.linalg.norm(np.diff(frames.middle[members], axis=0), axis=1)
    width = _even_widths(frames.width[members], np.append(0, np.cumsum(away)))
    return np.asarray(away / ((width[:-1] + width[1:]) / 2) - 1)


def _touching(gaps: list[float]) -> float:
    """How wide a gap looks between tiles of this rack that touch: where they are small all may be outlined a little narrow."""
    within = [space for space in gaps if space < GROUP_GAP]
    return float(np.clip(np.percentile(within, 25), 0, MOST_TOUCHING)) if len(within) >= FEWEST_EVEN else 0.0


def _even_widths(width: Vectors, along: Vectors) -> Vectors:
    """The widths (N,) of the tiles of a row that lie so far `along` it (N,), in pixels, as those of one set: on a line, Theil and Sen's.

    A tile that is outlined too small has no gaps beside it for that.
    """
    if len(width) < FEWEST_EVEN:
        return width
    i, j = np.triu_indices(len(width), 1)
    slope = np.median((width[j] - width[i]) / np.maximum(along[j] - along[i], 1e-6))
    return np.asarray(slope * along + np.median(width - slope * along))
