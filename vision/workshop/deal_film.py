"""A rendered deal as a camera above the table films it: the indicator, discards that grow, and a hand that is shown at the end.

    istaka film deal.mp4 --table --number 3       # truth beside it, as of any film, with `shown`: the hand that lies open, or null

What lies on the table only ever grows; an arm reaches over it whenever something is put down. Everything follows from the seed
and the number. World coordinates are those of `vision.workshop.scene`; a player's own run to the right and away from the player.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from assistant.tiles import COLOURS, FACE_DOWN, FALSE_JOKER, NUMBERED_TILES, NUMBERS, Rack, Tile
from vision.reading import Place
from vision.workshop.fonts import fonts_for
from vision.workshop.paint import Light, Painter, photograph, random_light
from vision.workshop.render import OVERSAMPLING, truth_of
from vision.workshop.scene import Camera, PlacedTile, RackShape, Scene, Slab, Standing, Thing, Vector, flat, stand
from vision.workshop.sets import SetStyle, random_style
from vision.workshop.video import SKIN, Picture, Truth, reach_in

SIZE = (1280, 720)
RATE = 6.0
"""Frames a second."""
REACHING = 0.5
"""Seconds that an arm is over the table when something is put down."""
THINKS = 3.0
"""Seconds before a player finishes in which nothing happens."""
LIES = 2.5
"""Seconds for which what was put down last lies open."""
NOISE = 0.012
"""Of the sensor, as a share of white."""
SEEN = 10.8
"""The camera sees the table so far from its middle to each side, in tile widths."""
CORNER = 7.4
"""The discards of each player lie so far to the right of and before the table's middle."""
LENGTHS = ((3, 3, 4, 4), (3, 3, 3, 5), (4, 5, 5), (2,) * 7)
"""How many tiles the groups of a hand have."""
HABITS = ("pile", "spread", "line")
"""How a player lays down discards: on each other, anywhere in the corner, or side by side in rows of five."""
LAYOUTS = ("rows", "lines", "rack")
"""How a hand is shown: in two rows, every group in a line of its own, or turned to the others on its rack."""


@dataclass(frozen=True)
class Moment:
    """Something is put down: `things` lie there from `time` on, put there by the player on side `side`; `shown` as `Rack` writes it."""

    time: float
    side: int
    things: list[Thing]
    shown: str | None = None


@dataclass
class Deal:
    """A deal on a table, as it goes on: moments in their order.

    Attributes:
        pool: the tiles that lie nowhere yet.
    """

    rng: np.random.Generator
    style: SetStyle
    pool: list[Tile]
    moments: list[Moment] = field(default_factory=list)
    time: float = 0.0

    @classmethod
    def begun(cls, rng: np.random.Generator, style: SetStyle) -> Deal:
        """Before anything lies on the table."""
        whole = [*NUMBERED_TILES, FALSE_JOKER] * 2
        return cls(rng, style, [whole[i] for i in rng.permutation(len(whole))])

    def put(self, side: int, things: list[Thing], shown: str | None = None) -> None:
        """Something is put down, after the pause that players make."""
        self.time += self.rng.uniform(1.0, 1.4)
        self.moments.append(Moment(self.time, side, things, shown))

    def stock(self) -> None:
        """Stacks face down in the middle, then the indicator on the last of them."""
        thick, angle, stacks = self.style.thickness, self.rng.uniform(0, np.pi), int(self.rng.integers(2, 6))
        places = [((at - stacks / 2) * 1.25 * np.cos(angle), (at - stacks / 2) * 1.25 * np.sin(angle)) for at in range(stacks + 1)]
        face_down = [flat(FACE_DOWN, 0, x, y, (level + 1) * thick, angle) for x, y in places for level in range(5)]
        indicator = next(tile for tile in self.pool if tile.is_numbered)
        self.pool.remove(indicator)
        self.put(0, [*face_down])
        self.put(0, [replace(flat(indicator, 0, *places[-1], 6 * thick, angle), place=Place.INDICATOR)])

    def discards(self, count: int, rounds: int) -> None:
        """So many tiles in the four corners, put down in so many rounds, each player's in a way of their own."""
        habits = [str(self.rng.choice(HABITS)) for _ in range(4)]
        lying: list[list[Vector]] = [[] for _ in range(4)]
        order = [side % 4 for side in range(count)]
        for part in np.array_split(order, rounds):
            things = [self._discard(int(side), habits[int(side)], lying[int(side)]) for side in part]
            self.put(int(part[-1]), [*things])

    def _discard(self, side: int, habit: str, lying: list[Vector]) -> PlacedTile:
        rng, thick, at = self.rng, self.style.thickness, len(lying)
        level, angle = 1, rng.normal(0, 0.05)
        if habit == "pile":
            place, level, angle = np.array([CORNER, -CORNER]) + rng.normal(0, 0.08, 2), at + 1, rng.normal(0, 0.3)
        elif habit == "line":
            place = np.array([CORNER - 2 + at % 5 * 1.04, -CORNER + 1.5 - at // 5 * 1.12 * self.style.height]) + rng.normal(0, 0.03, 2)
        else:
            tries = (np.array([CORNER, -CORNER]) + rng.uniform(-2.8, 2.8, 2) for _ in range(40))
            place = max(tries, key=lambda one: min((float(np.hypot(*(one - other))) for other in lying), default=9.0))
            angle = rng.uniform(0, 2 * np.pi)
        lying.append(place)
        x, y = _turned(place, side)
        return flat(self.pool.pop(), 0, x, y, level * thick, angle + side * np.pi / 2)

    def heap(self, count: int, rounds: int) -> None:
        """So many tiles, face up and down, at all angles, put down in so many rounds, as before they are mixed."""
        tall = self.style.height
        places = [(x, y) for x in np.arange(-7, 8, 1.15 * tall) for y in np.arange(-7, 8, 1.15 * tall)]
        chosen = [places[i] for i in self.rng.permutation(len(places))[:count]]
        for part in np.array_split(np.array(chosen), rounds):
            tiles = [FACE_DOWN if self.rng.random() < 0.25 else self.pool.pop() for _ in part]
            turned = self.rng.uniform(0, 2 * np.pi, len(part))
            self.put(
                int(self.rng.integers(4)),
                [flat(tile, 0, *at, self.style.thickness, turn) for tile, at, turn in zip(tiles, part, turned, strict=True)],
            )

    def show(self, layout: str, spoiled: bool) -> None:
        """A hand is laid open in three goes, or turned on its rack in one."""
        self.time += THINKS
        groups = self._groups(LENGTHS[int(self.rng.integers(len(LENGTHS)))])
        if spoiled:
            groups[int(self.rng.integers(len(groups)))][0] = self.pool.pop()
        side = int(self.rng.integers(4))
        if layout == "lines" and len(groups) < 6:
            rows = [[group] for group in groups]
        else:
            cut = next(at for at in range(1, len(groups)) if sum(map(len, groups[:at])) >= 6)
            rows = [groups[:cut], groups[cut:]]
        shown = str(Rack.of(rows))
        if layout == "rack":
            self.put(side, self._on_rack(rows, side), shown)
            return
        tiles = self._laid(rows, side)
        for first, end in ((0, 5), (5, 10), (10, len(tiles))):
            self.put(side, [*tiles[first:end]], shown if end == len(tiles) else None)

    def _groups(self, lengths: tuple[int, ...]) -> list[list[Tile]]:
        """Groups of these lengths out of the pool."""
        groups = []
        while len(groups) < len(lengths):
            length, number = lengths[len(groups)], int(self.rng.integers(1, len(NUMBERS) + 1))
            colours = [COLOURS[i] for i in self.rng.permutation(4)]
            if length == 2:
                group = [Tile(colours[0], number)] * 2
            elif length < 5 and self.rng.random() < 0.5:
                group = [Tile(colour, number) for colour in colours[:length]]
            else:
                group = [Tile(colours[0], start) for start in range(number, number + length) if start in NUMBERS]
            if len(group) == length and all(self.pool.count(tile) >= group.count(tile) for tile in group):
                for tile in group:
                    self.pool.remove(tile)
                groups.append(group)
        return groups

    def _laid(self, rows: list[list[list[Tile]]], side: int) -> list[PlacedTile]:
        """The hand on the table before its player."""
        rng, tiles = self.rng, []
        pitch, apart, turn = self.style.height * rng.uniform(1.08, 1.4), rng.uniform(0.5, 1.4), side * np.pi / 2 + rng.normal(0, 0.06)
        top = -3.4 if len(rows) > 2 else -5.5
        for row, groups in enumerate(rows):
            across = -(sum(map(len, groups)) + apart * (len(groups) - 1)) / 2
            for number, group in enumerate(groups):
                for tile in group:
                    x, y = _turned(np.array([across, top - row * pitch]) + rng.normal(0, 0.015, 2), side)
                    placed = flat(tile, 0, x, y, self.style.thickness, turn + rng.normal(0, 0.015))
                    tiles.append(replace(placed, place=Place.RACK, row=row, group=number))
                    across += 1.03
                across += apart
        return tiles

    def _on_rack(self, rows: list[list[list[Tile]]], side: int) -> list[Thing]:
        """The hand on its rack, which leans back so that all see it."""
        rng, style = self.rng, self.style
        lean = np.radians(rng.uniform(50, 70))
        steps = {"rise": 0.55 * style.height * np.cos(lean) + 0.1, "depth": 1.05 * style.height * np.sin(lean) + 0.15}
        shape = RackShape(
            lean=lean, **steps, base=0.1, length=14.0, lip=0.06, ledge=1.2 * style.thickness, panels=[0.0, 1.1 * style.height],
            colour=np.array([0.16, 0.3, 0.5]), textured=True,
        )  # fmt: skip
        standing = []
        for groups in rows:
            across, row = -6.5, []
            for number, group in enumerate(groups):
                for tile in group:
                    row.append(Standing(tile, 0, across, number))
                    across += 1.02
                across += rng.uniform(0.5, 0.8)
            standing.append(row)
        scene = stand(shape, standing, style.height, style.thickness)
        return [_carried(thing, side * np.pi / 2, _turned(np.array([0.0, -9.0]), side)) for thing in scene.things]


def _turned(place: Vector, side: int) -> Vector:
    """A place (2,) in the world that the player on this side has at `place`."""
    (x, y), quarters = place, side % 4
    return np.array([(x, y), (-y, x), (-x, -y), (y, -x)][quarters])


def _carried(thing: Thing, angle: float, to: Vector) -> Thing:
    """A thing turned about the vertical and carried to a place (2,)."""
    cos, sin = np.cos(angle), np.sin(angle)
    turn = np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]])
    if isinstance(thing, Slab):
        return replace(thing, corners=thing.corners @ turn + [*to, 0])
    return replace(thing, centre=thing.centre @ turn + [*to, 0], right=thing.right @ turn, up=thing.up @ turn)


def random_deal(number: int, seed: int, style: SetStyle) -> Deal:
    """The deal of this number: of three, two end with a hand that is shown, one in three of these false; the third is a heap or goes on."""
    rng = np.random.default_rng([seed, number, 6])
    deal = Deal.begun(rng, style)
    if number % 6 == 5:
        deal.heap(int(rng.integers(30, 60)), 4)
        return deal
    deal.stock()
    deal.discards(int(rng.integers(6, 34)), 3)
    if number % 3 < 2:
        deal.show(LAYOUTS[(number // 3 + number) % 3], spoiled=bool(rng.random() < 0.35))
    return deal


def above(rng: np.random.Generator, size: tuple[int, int]) -> Camera:
    """A camera above the table that sees the places of all four players, from any side."""
    elevation, azimuth = np.radians(rng.uniform(66, 89)), np.radians(90 * rng.integers(4) + rng.normal(0, 6))
    focal = 1.2 * size[0]
    return Camera.looking_at(np.zeros(3), azimuth, elevation, rng.normal(0, 0.02), focal * 2 * SEEN / size[1], focal, size)


def film_deal(number: int, seed: int) -> Iterator[tuple[Picture, Truth]]:
    """The frames of the deal of this number in a set that no training sees, each with its line of truth. Raises NoFontsError."""
    rng = np.random.default_rng([seed, number, 7])
    style = random_style(rng, *fonts_for(held_back=True))
    return film_table(random_deal(number, seed, style), random_light(rng), rng)


def film_table(deal: Deal, light: Light, rng: np.random.Generator) -> Iterator[tuple[Picture, Truth]]:
    """The frames of a deal, uint8 BGR, each with its line of truth."""
    large = (round(SIZE[0] * OVERSAMPLING), round(SIZE[1] * OVERSAMPLING))
    painter = Painter(above(rng, large), deal.style, light, large, rng)
    painter.ground(deal.style.font)
    sensor, skin = int(rng.integers(2**32)), SKIN * rng.uniform(0.5, 1.1)
    scene = Scene()
    last, waiting = Moment(-REACHING, 0, []), list(deal.moments)
    still = None
    for frame in range(round((deal.time + LIES) * RATE)):
        time = frame / RATE
        if waiting and time >= waiting[0].time:
            last = waiting.pop(0)
            painter.paint(Scene(last.things))
            scene.things += last.things
            still = None
        if still is None:
            still = photograph(painter.canvas, painter.owner, SIZE, np.random.default_rng(sensor)).astype(np.float32) / 255
            truth = truth_of(scene, painter, deal.style.height, SIZE)
            truth.pop("rack", None)  # what is shown is written the way its player reads it
        picture = still.copy()
        reaching = next((moment for moment in deal.moments if abs(time - moment.time) < REACHING / 2), None)
        if reaching is not None:
            _reach_over(picture, painter.camera, reaching, 1 - 2 * abs(time - reaching.time) / REACHING, skin)
        picture += rng.normal(0, NOISE, picture.shape).astype(np.float32)
        lies = None if reaching is not None else round(time - last.time - REACHING / 2, 4)
        about = {"photo": f"{frame:05}.jpg", "frame": frame, "time": time, "still": lies, "shown": last.shown}
        yield np.clip(picture * 255 + 0.5, 0, 255).astype(np.uint8), {**truth, **about}


def _reach_over(picture: NDArray[np.float32], camera: Camera, moment: Moment, part: float, skin: Vector) -> None:
    """The arm that puts something down, so much of the way in."""
    put = np.mean([thing.centre if isinstance(thing, PlacedTile) else thing.corners.mean(0) for thing in moment.things], axis=0)
    foot, tip, edge = (
        camera.project(np.array([[*_turned(np.array([0.0, -24.0]), moment.side), 0], put, put + np.array([1, 0, 0])])) / OVERSAMPLING
    )
    reach_in(picture, foot + (tip - foot) * part, foot, round(2.4 * float(np.linalg.norm(edge - tip))), skin)
