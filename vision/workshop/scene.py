"""Scenes: where tiles, racks and clutter stand, and the camera that looks at them.

World coordinates are in tile widths: x to the right, y away from the player, z up; the table is z = 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.tiles import FACE_DOWN, FALSE_JOKER, NUMBERED_TILES, Tile
from vision.reading import Place

Vector = NDArray[np.float64]
Viewpoint = tuple[float, float, float]
"""From where a camera looks: azimuth, elevation and roll in radians, as `Camera.looking_at` takes them."""
OVERLAP = 0.02
"""Square tile widths that two tiles lying side by side may share before one must lie on the other."""
NEAREST_DRAWN = 0.3
"""What has a corner nearer to the camera's plane than so many tile widths, or behind it, is not drawn."""
THICKEST_SHEET = 0.05
"""What is thinner than this, in tile widths, is a sheet: tiles lie on it as on the table."""


@dataclass
class PlacedTile:
    """A tile in the world: the centre of its face, the face's right and up (unit vectors)."""

    tile: Tile
    centre: Vector
    right: Vector
    up: Vector
    place: Place = Place.TABLE
    row: int | None = None
    group: int | None = None
    copy: int = 0

    @property
    def normal(self) -> Vector:
        """Unit vector out of the face."""
        return np.cross(self.right, self.up)

    def corners(self, height: float) -> Vector:
        """The face's corners (4, 3), clockwise from its own top left."""
        x, y = self.right / 2, self.up * height / 2
        return np.array([self.centre - x + y, self.centre + x + y, self.centre + x - y, self.centre - x - y])


@dataclass
class Slab:
    """A convex quadrilateral of a rack or of clutter, corners (4, 3), seen from both sides.

    `body` (3,) leads from the quadrilateral to its copy at the back of the board that it is the front of.
    """

    corners: Vector
    colour: Vector
    body: Vector
    textured: bool = True


@dataclass
class Block:
    """A box lying on the table with a picture on top, or a sheet: clutter, see `vision.workshop.clutter`.

    Attributes:
        centre: of its top; `right` and `up`: unit vectors along the top.
        size: width along `right`, height along `up`, thickness.
        top: the picture, BGR and opacity (height, width, 4), 0 to 1.
        side: colour of its walls.
        walls: pictures on the walls, from that beyond the top's upper edge clockwise; none for plain walls.
    """

    centre: Vector
    right: Vector
    up: Vector
    size: tuple[float, float, float]
    top: NDArray[np.float32]
    side: tuple[float, float, float]
    walls: tuple[NDArray[np.float32], ...] = ()

    @property
    def is_sheet(self) -> bool:
        """Whether it is so thin that tiles may lie on it."""
        return self.size[2] < THICKEST_SHEET

    @property
    def reach(self) -> float:
        """How far it reaches from its middle."""
        return float(np.hypot(*self.size[:2]) / 2)

    @property
    def corners(self) -> Vector:
        """Of its top (4, 3), clockwise from the picture's own top left."""
        x, y = self.right * self.size[0] / 2, self.up * self.size[1] / 2
        return np.array([self.centre - x + y, self.centre + x + y, self.centre + x - y, self.centre - x - y])

    def laid(self, at: Vector, angle: float) -> Block:
        """The same block lying at a place (2,) on the table, turned by an angle."""
        right, up = np.array([np.cos(angle), np.sin(angle), 0]), np.array([-np.sin(angle), np.cos(angle), 0])
        return replace(self, centre=np.array([*at, self.size[2]]), right=right, up=up)


@dataclass
class Glass:
    """A glass, a cup, or what else is round: clutter.

    `rings` are circles around the vertical through `centre`, from below: radius, height above the table, colour BGR 0 to 1 of what
    leads up to it from the one before.
    """

    centre: Vector
    rings: list[tuple[float, float, tuple[float, float, float]]]
    is_sheet = False

    @property
    def reach(self) -> float:
        """How far it reaches from its middle."""
        return max(radius for radius, _, _ in self.rings)

    def laid(self, at: Vector, angle: float) -> Glass:
        """The same glass standing at a place (2,) on the table; an angle makes no difference to it."""
        return replace(self, centre=np.array([*at, 0.0]))


Clutter = Block | Glass
Thing = PlacedTile | Slab | Clutter


@dataclass
class Scene:
    """What there is to see, in the order in which it hides what came before."""

    things: list[Thing] = field(default_factory=list)

    @property
    def tiles(self) -> list[PlacedTile]:
        """The tiles alone."""
        return [thing for thing in self.things if isinstance(thing, PlacedTile)]


@dataclass
class Camera:
    """A pinhole camera. `right`, `up` and `forward` are unit vectors, `focal` and `centre` pixels."""

    position: Vector
    right: Vector
    up: Vector
    forward: Vector
    focal: float
    centre: tuple[float, float]

    @classmethod
    def looking_at(
        cls, target: Vector, azimuth: float, elevation: float, roll: float, distance: float, focal: float, size: tuple[int, int]
    ) -> Camera:
        """A camera at `distance` from `target`; angles in radians, azimuth 0 in front of the rack, elevation above the table."""
        away = np.array([np.sin(azimuth) * np.cos(elevation), -np.cos(azimuth) * np.cos(elevation), np.sin(elevation)])
        right = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
        up = np.cross(right, -away)
        cos, sin = np.cos(roll), np.sin(roll)
        right, up = cos * right + sin * up, cos * up - sin * right
        return cls(target + distance * away, right, up, -away, focal, (size[0] / 2, size[1] / 2))

    def project(self, points: Vector) -> Vector:
        """Pixels (..., 2) of world points (..., 3); points must lie in front of the camera."""
        seen = points - self.position
        depth = np.maximum(seen @ self.forward, 1e-3)
        x = self.centre[0] + self.focal * (seen @ self.right) / depth
        y = self.centre[1] - self.focal * (seen @ self.up) / depth
        return np.stack([x, y], -1)

    def can_draw(self, points: Vector) -> bool:
        """Whether all world points (N, 3) lie far enough before the camera, see NEAREST_DRAWN."""
        return bool(((points - self.position) @ self.forward > NEAREST_DRAWN).all())

    def ground_homography(self) -> Vector:
        """(3, 3) matrix from table points (x, y, 1) to pixels."""
        rotation = np.array([self.right, -self.up, self.forward])
        inner = np.array([[self.focal, 0, self.centre[0]], [0, self.focal, self.centre[1]], [0, 0, 1]])
        return inner @ np.column_stack([rotation[:, 0], rotation[:, 1], -rotation @ self.position])


SUBPIXEL_BITS = 4
"""OpenCV draws polygons whose corners are told in sixteenths of a pixel, which is their `shift`."""


def in_subpixels(pixels: Vector) -> NDArray[np.int32] | None:
    """Points (N, 2) in pixels as OpenCV draws them, see SUBPIXEL_BITS; None where one is too far off for that."""
    whole = np.round(pixels * 2**SUBPIXEL_BITS)
    return whole.astype(np.int32) if np.abs(whole).max() < 2**30 else None


def _full_set(rng: np.random.Generator) -> list[tuple[Tile, int]]:
    """One whole set of 106 in random order, each tile with the number of its copy."""
    whole = [(tile, copy) for tile in (*NUMBERED_TILES, FALSE_JOKER) for copy in (0, 1)]
    return [whole[i] for i in rng.permutation(len(whole))]


def flat(tile: Tile, copy: int, x: float, y: float, z: float, angle: float) -> PlacedTile:
    """A tile lying on the table, its face at height `z`, turned by `angle`."""
    right = np.array([np.cos(angle), np.sin(angle), 0.0])
    up = np.array([-np.sin(angle), np.cos(angle), 0.0])
    return PlacedTile(tile, np.array([x, y, z]), right, up, copy=copy)


BOARD = 0.14
"""How thick the boards of a rack are, in tile widths."""


@dataclass
class RackShape:
    """A rack of some steps, the lowest in front. Lengths in tile widths, angles in radians, colour BGR 0 to 1.

    `lean` is how far tiles lean back from upright, `rise` and `depth` go from one step to the next, `panels` are the
    heights of the boards behind the tiles, from the lowest step up, 0 for none.
    """

    lean: float
    rise: float
    depth: float
    base: float
    length: float
    lip: float
    ledge: float
    panels: list[float]
    colour: Vector
    textured: bool

    def with_room(self, thickness: float) -> RackShape:
        """The same rack as it could be built.

        Every step has a board that tiles lean on, and no board goes through a tile of `thickness` on the step below.
        """
        in_front = (self.ledge - thickness) / 2 + BOARD
        least = (self.rise * np.sin(self.lean) + thickness + BOARD + in_front) / np.cos(self.lean)
        return replace(self, depth=max(self.depth, least), panels=[panel or self.panels[-1] for panel in self.panels])


@dataclass
class Standing:
    """A tile on a step: `x` of its left edge, and by how much it is tilted in its plane and stands out of it."""

    tile: Tile
    copy: int
    x: float
    group: int
    tilt: float = 0.0
    out: float = 0.0


def random_rack(
    rng: np.random.Generator, height: float, thickness: float, steps_chances: tuple[float, float, float] = (0.15, 0.55, 0.3)
) -> RackShape:
    """A rack of one to three steps, flat or steep, of wood or plastic."""
    pick = rng.uniform
    steps = int(rng.choice([1, 2, 3], p=steps_chances))
    lean = np.radians(pick(8, 50))
    colour = np.clip(pick(0.02, 1) * np.array([pick(0.35, 1), pick(0.5, 1), 1.0]), 0, 1) if rng.random() < 0.7 else rng.random(3)
    return RackShape(
        lean=lean,
        rise=pick(0.35, 1.05) * height * np.cos(lean) + 0.05,
        depth=pick(0.3, 1.2) * height * np.sin(lean) + pick(0.1, 0.8),
        base=pick(0.02, 0.9),
        length=pick(6, 16),
        lip=pick(0.0, 0.16) * height,
        ledge=thickness * pick(1.0, 1.8),
        panels=[height * pick(0.5, 1.15) if step == steps - 1 or rng.random() < 0.5 else 0.0 for step in range(steps)],
        colour=colour,
        textured=bool(rng.random() < 0.6),
    )


def random_rows(rng: np.random.Generator, shape: RackShape, pool: list[tuple[Tile, int]]) -> list[list[Standing]]:
    """Tiles out of `pool` for every step, the top one first: groups of any length with gaps between them."""
    pick = rng.uniform
    upside = rng.random() < 0.08
    left = -shape.length / 2
    rows: list[list[Standing]] = []
    for _ in shape.panels:
        row: list[Standing] = []
        x, group, empty = left + pick(0, 2.5), 0, pick(0.02, 0.45)
        touching, apart = pick(0, 0.06), pick(0.3, 1.0)
        while x + 1 < left + shape.length and len(pool) > 12:
            if row and rng.random() < empty:
                x += apart + rng.exponential(0.8)
                group += 1
                if x + 1 >= left + shape.length:
                    break
            tile, copy = pool.pop()
            if rng.random() < 0.015:
                tile = FACE_DOWN
            tilt = rng.normal(0, 0.012) + (np.pi if (rng.random() < 0.03) or upside else 0)
            row.append(Standing(tile, copy, x, group, tilt, rng.normal(0, 0.01)))
            x += 1 + touching * rng.random()
        rows.append(row)
    return rows


def stand(shape: RackShape, rows: list[list[Standing]], height: float, thickness: float) -> Scene:
    """The rack with `rows` of tiles on it, the top row first, in the order in which they hide each other from the front."""
    along = np.array([1.0, 0.0, 0.0])
    up = np.array([0.0, np.sin(shape.lean), np.cos(shape.lean)])
    out = np.array([0.0, -np.cos(shape.lean), np.sin(shape.lean)])
    across = along * (shape.length + 0.4)
    scene = Scene()

    def board(start: Vector, edge: Vector, shade: float, body: Vector) -> None:
        corners = np.array([start, start + edge, start + edge + across, start + across])
        scene.things.append(Slab(corners, np.clip(shape.colour * shade, 0, 1), body, shape.textured))

    steps = len(shape.panels)
    for row, tiles in enumerate(rows):
        step = steps - 1 - row
        foot = np.array([-shape.length / 2 - 0.2, step * shape.depth, shape.base + step * shape.rise])
        back = foot - out * thickness
        front = foot + out * (shape.ledge - thickness) * 0.5 - up * 0.02
        if shape.panels[step]:
            board(back, up * shape.panels[step], 0.8, -out * BOARD)
        down = np.array([0, 0, -front[2]])
        behind = down + np.array([0, BOARD / 4, 0])  # so that the step's own front does not lie in the front board's
        board(back, front - back, 0.95, behind)
        board(front, down, 0.7, -out * BOARD - up * 0.02)
        for tile in tiles:
            right = np.cos(tile.tilt) * along + np.sin(tile.tilt) * up
            high = np.cos(tile.tilt) * up - np.sin(tile.tilt) * along
            centre = foot * [0, 1, 1] + along * (tile.x + 0.5) + up * height / 2 + out * tile.out
            scene.things.append(PlacedTile(tile.tile, centre, right, high, Place.RACK, row, tile.group, tile.copy))
        if shape.lip:
            board(front, up * shape.lip, 1.05, out * BOARD)
    return scene


def rack_scene(rng: np.random.Generator, height: float, thickness: float, solid: bool = False) -> Scene:
    """A rack with tiles in groups, and on the table an indicator, stacks and discards.

    With `solid` nothing goes through anything else.
    """
    pool = _full_set(rng)
    shape = random_rack(rng, height, thickness)
    if solid:
        shape = shape.with_room(thickness)
    scene = stand(shape, random_rows(rng, shape, pool), height, thickness)
    _loose(rng, scene, pool, thickness, len(shape.panels) * shape.depth, shape.length)
    return scene


def _loose(
    rng: np.random.Generator,
    scene: Scene,
    pool: list[tuple[Tile, int]],
    thickness: float,
    behind: float,
    length: float,
    indicator_chance: float = 0.6,
) -> None:
    """Indicator, stacks and discards on the table around the rack, added to `scene`."""
    pick = rng.uniform
    spots: list[PlacedTile] = []
    if rng.random() < indicator_chance:
        stack = int(rng.integers(0, 6)) if rng.random() < 0.5 else 0
        in_front = rng.random() < 0.75
        x, y = pick(-length / 2, length / 2), (-pick(1.3, 4.5) if in_front else behind + pick(1.5, 5))
        angle = rng.normal(0, 0.35) if rng.random() < 0.7 else pick(0, 2 * np.pi)
        for level in range(stack):
            spots.append(flat(FACE_DOWN, 0, x, y, (level + 1) * thickness, angle + rng.normal(0, 0.03)))
        tile, copy = pool.pop()
        indicator = flat(tile, copy, x, y, (stack + 1) * thickness, angle)
        indicator.place = Place.INDICATOR if tile.is_numbered else Place.TABLE
        spots.append(indicator)
    if rng.random() < 0.25:
        for _ in range(int(rng.integers(1, 6))):
            x, y = pick(-length / 2 - 3, length / 2 + 3), (-pick(1.3, 6) if rng.random() < 0.5 else behind + pick(1, 8))
            if all(abs(x - t.centre[0]) + abs(y - t.centre[1]) > 2 for t in spots):
                if rng.random() < 0.4:
                    angle = pick(0, 2 * np.pi)
                    for level in range(int(rng.integers(1, 6))):
                        spots.append(flat(FACE_DOWN, 0, x, y, (level + 1) * thickness, angle))
                else:
                    tile, copy = pool.pop()
                    spots.append(flat(tile, copy, x, y, thickness, pick(0, 2 * np.pi)))
    scene.things[:0] = [t for t in spots if t.centre[1] > 0]
    scene.things.extend(t for t in spots if t.centre[1] <= 0)


def groups_scene(rng: np.random.Generator, height: float, thickness: float, loose_chance: float = 0.5) -> Scene:
    """Groups of one to five touching tiles lying on the table, parallel or at any angle."""
    pick = rng.uniform
    pool = _full_set(rng)
    scene = Scene()
    common, loose = pick(0, 2 * np.pi), rng.random() < loose_chance
    columns, rows = int(rng.integers(1, 4)), int(rng.integers(1, 5))
    spread = pick(1.05, 1.6)
    for i in range(columns):
        for j in range(rows):
            count = int(rng.integers(1, 6))
            angle = pick(0, 2 * np.pi) if loose else common + rng.normal(0, 0.08)
            size = 4.2 if loose else max(1.6, height * 1.1)
            x0, y0 = i * (4.4 if loose else 5.0) * spread, -j * size * spread
            if not loose:
                x0, y0 = x0 * np.cos(common) - y0 * np.sin(common), x0 * np.sin(common) + y0 * np.cos(common)
            gap = pick(0, 0.05) if rng.random() < 0.8 else pick(0.05, 0.5)
            for k in range(count):
                tile, copy = pool.pop()
                if rng.random() < 0.04:
                    tile = FACE_DOWN
                at = (k - (count - 1) / 2) * (1 + gap)
                turn = angle + rng.normal(0, 0.02)
                aside = rng.normal(0, 0.03)
                x, y = x0 + at * np.cos(angle) - aside * np.sin(angle), y0 + at * np.sin(angle) + aside * np.cos(angle)
                scene.things.append(flat(tile, copy, x, y, thickness, turn))
    return scene


def scattered_scene(rng: np.random.Generator, height: float, thickness: float) -> Scene:
    """Tiles thrown on the table at all angles, some upside down or face down, a few lying on others."""
    pool = _full_set(rng)
    scene = Scene()
    count = int(rng.choice([1, 2, 3, 8, 14, 24], p=[0.14, 0.08, 0.08, 0.25, 0.25, 0.2]))
    spread = np.sqrt(count) * rng.uniform(1.0, 1.9) * height / 1.4
    for _ in range(count * 4):
        if len(scene.things) >= count:
            break
        x, y = rng.uniform(-spread, spread, 2)
        near = min((np.hypot(x - t.centre[0], y - t.centre[1]) for t in scene.tiles), default=9.0)
        if near < 1.15 and rng.random() < 0.985:
            continue
        tile, copy = pool.pop()
        if rng.random() < 0.1:
            tile = FACE_DOWN
        level = 2 if near < 1.15 else 1
        scene.things.append(flat(tile, copy, x, y, level * thickness, rng.uniform(0, 2 * np.pi)))
    return scene


def piled(scene: Scene, height: float, thickness: float) -> Scene:
    """The loose tiles of `scene`, each lifted on top of those before it that it would go through."""
    tiles: list[PlacedTile] = []
    for tile in scene.tiles:
        outline = tile.corners(height)[:, :2].astype(np.float32)
        below = [
            other.centre[2]
            for other in tiles
            if cv2.intersectConvexConvex(outline, other.corners(height)[:, :2].astype(np.float32))[0] > OVERLAP
        ]
        tiles.append(replace(tile, centre=np.array([*tile.centre[:2], max(below, default=0.0) + thickness])))
    return Scene(list(tiles))


def turned_over(scene: Scene, share: float, rng: np.random.Generator) -> Scene:
    """The scene with some more of its tiles lying face down, `share` of them over many scenes; never the indicator."""
    chance = rng.uniform(0, min(1, 2 * share))
    return Scene(
        [
            replace(thing, tile=FACE_DOWN)
            if isinstance(thing, PlacedTile) and thing.place is not Place.INDICATOR and rng.random() < chance
            else thing
            for thing in scene.things
        ]
    )


def with_jokers(scene: Scene, share: float, rng: np.random.Generator) -> Scene:
    """The scene with `share` of the tiles that show their faces, over many scenes, as false jokers; never the indicator."""
    return Scene(
        [
            replace(thing, tile=FALSE_JOKER)
            if isinstance(thing, PlacedTile) and thing.place is not Place.INDICATOR and thing.tile != FACE_DOWN and rng.random() < share
            else thing
            for thing in scene.things
        ]
    )


def random_scene(rng: np.random.Generator, height: float, thickness: float, solid: bool = False) -> Scene:
    """Any of the arrangements; one in twelve has no tiles at all. With `solid` nothing goes through anything else."""
    kind = rng.random()
    if kind < 0.5:
        return rack_scene(rng, height, thickness, solid)
    if kind < 0.72:
        scene = groups_scene(rng, height, thickness)
    elif kind < 0.92:
        scene = scattered_scene(rng, height, thickness)
    else:
        return Scene()
    return piled(scene, height, thickness) if solid else scene


def _steep_rack(rng: np.random.Generator, height: float, thickness: float) -> Scene:
    """Three steps so close that each row hides a part of the one above it."""
    pool = _full_set(rng)
    shape = random_rack(rng, height, thickness, (0, 0, 1))
    shape = replace(shape, rise=rng.uniform(0.45, 0.9) * height * np.cos(shape.lean)).with_room(thickness)
    return stand(shape, random_rows(rng, shape, pool), height, thickness)


def _okey_rack(rng: np.random.Generator, height: float, thickness: float) -> Scene:
    """Two steps, and the indicator beside or behind them."""
    pool = _full_set(rng)
    shape = random_rack(rng, height, thickness, (0, 1, 0)).with_room(thickness)
    scene = stand(shape, random_rows(rng, shape, pool), height, thickness)
    _loose(rng, scene, pool, thickness, 2 * shape.depth, shape.length, indicator_chance=1.0)
    return scene


def _loose_groups(rng: np.random.Generator, height: float, thickness: float) -> Scene:
    return piled(groups_scene(rng, height, thickness, loose_chance=1.0), height, thickness)


def _steep_view(rng: np.random.Generator, scene: Scene) -> Viewpoint:
    """From the side or from above, 45 to 60 degrees off the tiles' normal."""
    lean = max((np.arcsin(tile.normal[2]) for tile in scene.tiles), default=0.4)
    off = np.radians(rng.uniform(45, 60))
    roll = np.radians(rng.normal(0, 6))
    if rng.random() < 0.5:
        return rng.choice([-1, 1]) * off, max(np.radians(12), lean + np.radians(rng.uniform(-10, 15))), roll
    return np.radians(rng.normal(0, 12)), min(np.radians(88), lean + off), roll


def _seated_view(rng: np.random.Generator, scene: Scene) -> Viewpoint:
    """From where a player sits, or leans over."""
    return np.radians(rng.normal(0, 22)), np.radians(rng.uniform(18, 65)), np.radians(rng.normal(0, 6))


def _any_view(rng: np.random.Generator, scene: Scene) -> Viewpoint:
    return rng.uniform(-np.pi, np.pi), np.radians(rng.uniform(30, 90)), rng.uniform(-np.pi, np.pi)


@dataclass(frozen=True)
class HardKind:
    """One kind of scene that is hard to read: nothing in it goes through anything else.

    Attributes:
        share: of all hard scenes.
        tall_chance: how often digits are as tall as the tile.
        warm: whether the light is that of warm lamps.
        arrange: the scene, from chance, the tiles' height and thickness.
        view: from where it is seen.
    """

    share: float
    tall_chance: float
    warm: bool
    arrange: Callable[[np.random.Generator, float, float], Scene]
    view: Callable[[np.random.Generator, Scene], Viewpoint]


FAR = 60.0
"""A distance from which hard scenes lie before the camera as a whole, in tile widths."""
NEAREST, BACK_TO = 0.5, 3.0
"""A camera to which a tile comes nearer than the first, or behind which one lies, moves back until that is before it by the second, in tile
widths: what is beside or behind a camera has no place in the picture by which to aim. One hard scene in five hundred had been lost so."""

HARD_KINDS = (
    HardKind(0.45, 0.6, False, _steep_rack, _steep_view),
    HardKind(0.3, 0.0, True, _okey_rack, _seated_view),
    HardKind(0.25, 0.25, False, _loose_groups, _any_view),
)


def hard_kind(rng: np.random.Generator) -> HardKind:
    """One of the hard kinds, by their shares."""
    return HARD_KINDS[int(rng.choice(len(HARD_KINDS), p=[kind.share for kind in HARD_KINDS]))]


def random_camera(rng: np.random.Generator, scene: Scene, size: tuple[int, int]) -> Camera:
    """A camera that has the tiles of `scene` in the picture, from a frontal view to a steep one."""
    pick = rng.uniform
    on_rack = any(tile.place is Place.RACK for tile in scene.tiles)
    if on_rack:
        elevation = np.radians(pick(12, 85))
        azimuth = np.radians(rng.normal(0, 14) if rng.random() < 0.55 else pick(-62, 62))
        roll = np.radians(rng.normal(0, 5) if rng.random() < 0.85 else pick(-180, 180))
    else:
        elevation = np.radians(90 - abs(rng.normal(0, 18)) if rng.random() < 0.6 else pick(28, 90))
        azimuth, roll = np.radians(pick(-180, 180)), np.radians(pick(-180, 180))
    return aimed_camera(rng, scene, size, (azimuth, elevation, roll))


def aimed_camera(rng: np.random.Generator, scene: Scene, size: tuple[int, int], view: Viewpoint, distance: float = 12.0) -> Camera:
    """A camera that looks from `view` and has the tiles of `scene` in the picture, from near or far.

    The search for its place begins at `distance`, which should leave no tile behind it.
    """
    pick = rng.uniform
    azimuth, elevation, roll = view
    focal = pick(0.75, 2.2) * max(size)
    points = np.concatenate([tile.corners(1.4) for tile in scene.tiles]) if scene.tiles else np.array([[-4.0, -4, 0], [4, 4, 0]])
    target = points.mean(0)
    fill = pick(0.1, 0.85) if len(scene.tiles) <= 3 else pick(0.55, 1.0) if rng.random() < 0.85 else pick(1.0, 1.6)

    def look() -> tuple[Camera, float]:
        camera = Camera.looking_at(target, azimuth, elevation, roll, distance, focal, size)
        nearest = float(((points - camera.position) @ camera.forward).min())
        if nearest >= NEAREST:
            return camera, distance
        farther = distance + BACK_TO - nearest
        return Camera.looking_at(target, azimuth, elevation, roll, farther, focal, size), farther

    for _ in range(4):  # move until the tiles fill the wanted share of the picture
        camera, distance = look()
        seen = camera.project(points)
        low, high = seen.min(0), seen.max(0)
        share = float(((high - low) / size).max())
        distance = float(np.clip(distance * share / fill, 2.0, 200))
        offset = ((low + high) / 2 - np.array(size) / 2) * distance / focal
        target = target + camera.right * offset[0] - camera.up * offset[1]
    camera, _ = look()
    shift = rng.normal(0, 0.06, 2) * size
    camera.centre = (camera.centre[0] + shift[0], camera.centre[1] + shift[1])
    return camera
