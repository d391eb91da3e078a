"""Painting a scene as its camera sees it: surfaces, shadows, tiles with thickness, then the lens and the sensor."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.workshop.scene import SUBPIXEL_BITS, Block, Camera, Glass, PlacedTile, Scene, Slab, Vector, in_subpixels
from vision.workshop.sets import Face, Paint, SetStyle, draw_face
from vision.workshop.surfaces import SIZE, Surface, newspaper, random_surface

Canvas = NDArray[np.float32]
WARM_CHANCE = 0.3
"""How often a picture is taken in the light of a tea house's warm lamps."""


@dataclass
class Light:
    """One lamp far away and the light of the room. `towards` is the unit vector from the table to the lamp."""

    towards: Vector
    ambient: float
    shadow: float
    softness: float


def random_light(rng: np.random.Generator) -> Light:
    """A lamp anywhere above the table, its shadow hard or soft."""
    azimuth, elevation = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(25, 88))
    towards = np.array([np.cos(azimuth) * np.cos(elevation), np.sin(azimuth) * np.cos(elevation), np.sin(elevation)])
    return Light(towards, rng.uniform(0.5, 0.9), rng.uniform(0.1, 0.65), rng.uniform(0.04, 0.5))


class Painter:
    """Paints the things of one scene onto a canvas and remembers which face is seen at each pixel.

    `canvas` is float32 BGR (height, width, 3), `owner` int32 (height, width): 1 + the tile's index in `order`, or 0.
    """

    def __init__(self, camera: Camera, style: SetStyle, light: Light, size: tuple[int, int], rng: np.random.Generator) -> None:
        self.camera, self.style, self.light, self.rng = camera, style, light, rng
        width, height = size
        self.canvas: Canvas = np.zeros((height, width, 3), np.float32)
        self.owner = np.zeros((height, width), np.int32)
        self.order: list[PlacedTile] = []
        self.grain = random_surface(rng)

    def ground(self, font: str) -> None:
        """The table to the horizon, the blurred room behind it, and now and then a newspaper or a cloth on it."""
        height, width = self.owner.shape
        room = cv2.resize(cv2.GaussianBlur(random_surface(self.rng), (0, 0), 12), (width, height))
        homography = self.camera.ground_homography()
        table = self._on_ground(random_surface(self.rng), homography, self.rng.uniform(8, 45), cv2.BORDER_REFLECT)
        y, x = np.mgrid[0:height:8, 0:width:8]
        inverse = np.linalg.inv(homography)
        side = (inverse[2, 0] * x + inverse[2, 1] * y + inverse[2, 2]).astype(np.float32)
        below = cv2.resize(side, (width, height)) * np.sign(inverse[2] @ [width / 2, height * 4, 1]) > 0
        self.canvas[:] = np.where(below[..., None], table, room)
        for _ in range(int(self.rng.choice([0, 1, 2, 4], p=[0.7, 0.14, 0.1, 0.06]))):
            sheet = newspaper(self.rng, font) if self.rng.random() < 0.5 else random_surface(self.rng)
            place = homography @ self._spot(self.rng.uniform(1, 10))
            patch = self._on_ground(sheet, place, 1.0, cv2.BORDER_CONSTANT)
            mask = self._on_ground(np.ones((SIZE, SIZE, 3), np.float32), place, 1.0, cv2.BORDER_CONSTANT)
            self.canvas += mask * below[..., None] * (patch - self.canvas)

    def _spot(self, size: float) -> Vector:
        """A random place on the table for a sheet of `size`, as a (3, 3) matrix."""
        angle, (x, y) = self.rng.uniform(0, 2 * np.pi), self.rng.uniform(-8, 8, 2)
        cos, sin = np.cos(angle) * size, np.sin(angle) * size
        return np.array([[cos, -sin, x], [sin, cos, y], [0, 0, 1]])

    def _on_ground(self, surface: Surface, homography: Vector, extent: float, border: int) -> Canvas:
        """`surface` laid on the table so that its side is `extent` units of `homography`'s plane."""
        height, width = self.owner.shape
        scale = extent / SIZE
        fit = homography @ np.array([[scale, 0, -extent / 2], [0, scale, -extent / 2], [0, 0, 1]])
        return cv2.warpPerspective(surface, fit, (width, height), flags=cv2.INTER_LINEAR, borderMode=border)

    def paint(self, scene: Scene) -> None:
        """All things, those in front over those behind. Neighbouring ones are ordered by their distance, sheets lie below."""
        run: list[PlacedTile | Block | Glass] = []
        for thing in [*scene.things, None]:
            if isinstance(thing, PlacedTile | Block | Glass):
                run.append(thing)
                continue
            for one in sorted(run, key=self._nearness):
                if isinstance(one, PlacedTile):
                    self._tile(one)
                elif isinstance(one, Block):
                    self._block(one)
                else:
                    self._glass(one)
            run = []
            if isinstance(thing, Slab):
                self._slab(thing)

    def _nearness(self, thing: PlacedTile | Block | Glass) -> float:
        if isinstance(thing, Block) and thing.is_sheet:
            return -np.inf
        return -float(np.linalg.norm(thing.centre - self.camera.position))

    def _shadow(self, points: Vector, fall: float) -> None:
        """Darkens what lies behind a body with vertices `points` (N, 3), its shadow falling `fall` along the light."""
        sunk = points - self.light.towards * (fall / max(0.35, self.light.towards[2]))
        pixels = self.camera.project(np.concatenate([points, sunk]))
        unit = np.linalg.norm(pixels[0] - pixels[1])
        blur = max(0.6, float(unit * self.light.softness * 0.5))
        place = window(self.canvas, pixels, 3 * blur)
        if place is None:
            return
        rows, columns = place
        mask = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.float32)
        hull = cv2.convexHull((pixels - [columns.start, rows.start]).astype(np.float32))
        cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), 1.0)
        kernel = int(blur) * 2 + 1
        mask = cv2.blur(cv2.blur(mask, (kernel, kernel)), (kernel, kernel))
        self.canvas[place] *= (1 - self.light.shadow * mask)[..., None]

    def _lit(self, normal: Vector) -> float:
        return self.light.ambient + (1 - self.light.ambient) * max(0.0, float(normal @ self.light.towards)) * 1.15

    def _polygon(self, points: Vector, colour: Vector) -> None:
        """A convex polygon of points (N, 3)."""
        self._fill(self.camera.project(points), colour)

    def _fill(self, pixels: Vector, colour: Vector) -> None:
        """A convex polygon of pixels (N, 2), which then are no tile's."""
        corners = in_subpixels(pixels)
        if corners is not None:
            cv2.fillConvexPoly(self.canvas, corners, [float(c) for c in colour], cv2.LINE_AA, SUBPIXEL_BITS)
            cv2.fillConvexPoly(self.owner, corners, 0, cv2.LINE_8, SUBPIXEL_BITS)

    def _slab(self, slab: Slab) -> None:
        if not self.camera.can_draw(slab.corners):
            return
        normal = np.cross(slab.corners[1] - slab.corners[0], slab.corners[3] - slab.corners[0])
        normal /= np.linalg.norm(normal) + 1e-9
        if normal @ (self.camera.position - slab.corners[0]) < 0:
            normal = -normal
        self._shadow(slab.corners, 0.4)
        colour = slab.colour * self._lit(normal)
        self._polygon(slab.corners, colour)
        place = window(self.canvas, self.camera.project(slab.corners))
        if slab.textured and place is not None:
            rows, columns = place
            mask = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.uint8)
            pixels = self.camera.project(slab.corners) - [columns.start, rows.start]
            cv2.fillConvexPoly(mask, np.round(pixels).astype(np.int32), 1)
            source = np.array([[0, 0], [0, SIZE // 4], [SIZE, SIZE // 4], [SIZE, 0]], np.float32)
            warp = cv2.getPerspectiveTransform(source, pixels.astype(np.float32))
            grain = cv2.warpPerspective(self.grain, warp, mask.shape[::-1], borderMode=cv2.BORDER_REFLECT).mean(2)
            shade = grain / (self.grain.mean() + 1e-3)
            self.canvas[place] *= np.where(mask > 0, 0.75 + 0.25 * np.clip(shade, 0, 2), 1)[..., None]

    def _tile(self, tile: PlacedTile) -> None:
        front = tile.corners(self.style.height)
        if not self._walls(front, self.style.thickness, self.style.side, self.style.back):
            return
        self.order.append(tile)
        pixels = self.camera.project(front)
        if tile.normal @ (self.camera.position - tile.centre) <= 0 or window(self.canvas, pixels) is None:
            return
        self._picture(draw_face(self.style, tile.tile, self.rng, tile.copy), front, self._lit(tile.normal), len(self.order))
        outline = in_subpixels(pixels)
        if outline is not None:
            edge = self._lit(tile.up) * np.array(self.style.side)
            cv2.polylines(self.canvas, [outline[:2]], False, [float(c) for c in edge], 1, cv2.LINE_AA, SUBPIXEL_BITS)

    def _block(self, block: Block) -> None:
        corners, thickness = block.corners, block.size[2]
        drawn = self.camera.can_draw(corners) if block.is_sheet else self._walls(corners, thickness, block.side, block.side, block.walls)
        if drawn:
            self._picture(block.top, corners, self._lit(np.array([0.0, 0, 1])), 0)

    def _glass(self, glass: Glass) -> None:
        turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        circle = np.column_stack([np.cos(turn), np.sin(turn), np.zeros(48)])
        circles = [glass.centre + radius * circle + [0, 0, high] for radius, high, _ in glass.rings]
        if not self.camera.can_draw(np.concatenate(circles)):
            return
        self._shadow(circles[-1], glass.rings[-1][1])
        below = circles[0]
        for ring, (_, _, colour) in zip(circles, glass.rings, strict=True):
            hull = cv2.convexHull(np.concatenate([self.camera.project(below), self.camera.project(ring)]).astype(np.float32))
            self._fill(hull[:, 0], np.array(colour) * self.light.ambient)
            self._fill(self.camera.project(ring), np.array(colour))
            below = ring

    def _walls(self, front: Vector, thickness: float, upper: Paint, lower: Paint, pictures: tuple[Face, ...] = ()) -> bool:
        """The shadow and the walls of a solid whose front (4, 3) is clockwise; of each wall the half at the front is `upper`.

        Returns whether it lies before the camera.
        """
        out = np.cross(front[1] - front[0], front[0] - front[3])
        out = out / np.linalg.norm(out)
        back = front - out * thickness
        if not self.camera.can_draw(np.concatenate([front, back])):
            return False
        self._shadow(np.concatenate([front, back]), max(0.15, thickness))
        for i in range(4):
            j = (i + 1) % 4
            normal = np.cross(out, front[j] - front[i])
            normal = normal / np.linalg.norm(normal)
            if normal @ (self.camera.position - front[i]) <= 0:
                continue
            lit = self._lit(normal)
            self._polygon(np.array([front[i], front[j], back[j], back[i]]), np.array(lower) * lit)
            half = np.array([front[i], front[j], (front[j] + back[j]) / 2, (front[i] + back[i]) / 2])
            self._polygon(half, np.array(upper) * lit)
            if pictures:
                self._picture(pictures[i], np.array([front[j], front[i], back[i], back[j]]), lit, 0)
        return True

    def _picture(self, face: Face, corners: Vector, lit: float, owner: int) -> None:
        """A picture laid into corners (4, 3), clockwise from its own top left, in so much light; its pixels are then `owner`'s."""
        pixels = self.camera.project(corners)
        if window(self.canvas, pixels) is None:
            return
        lay(self.canvas, face, pixels, lit * self.rng.uniform(0.97, 1.03))
        outline = in_subpixels(pixels)
        if outline is not None:
            cv2.fillConvexPoly(self.owner, outline, owner, cv2.LINE_8, SUBPIXEL_BITS)


def window(canvas: Canvas, pixels: Vector, margin: float = 2) -> tuple[slice, slice] | None:
    """The part of a canvas (height, width, 3) that holds points (N, 2) in pixels, and some more; None if it is outside."""
    height, width = canvas.shape[:2]
    low = np.floor(pixels.min(0) - margin).astype(int)
    high = np.ceil(pixels.max(0) + margin).astype(int)
    x0, y0, x1, y1 = max(0, low[0]), max(0, low[1]), min(width, high[0]), min(height, high[1])
    return None if x0 >= x1 or y0 >= y1 else (slice(y0, y1), slice(x0, x1))


def lay(canvas: Canvas, face: Face, pixels: Vector, light: float | NDArray[np.floating]) -> None:
    """Lays a picture on a canvas, in place, its corners at these (4, 2), clockwise from its top left, and in so much light (BGR)."""
    place = window(canvas, pixels)
    if place is None:
        return
    rows, columns = place
    tall = max(np.linalg.norm(pixels[0] - pixels[3]), np.linalg.norm(pixels[1] - pixels[2]), 4.0)
    if tall < 0.7 * len(face):
        scale = tall * 1.25 / len(face)
        face = cv2.resize(face, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    height, width = face.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    target = (pixels - [columns.start, rows.start]).astype(np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(source, target)
    shape = (columns.stop - columns.start, rows.stop - rows.start)
    premultiplied = face.copy()
    premultiplied[..., :3] *= face[..., 3:]
    seen = cv2.warpPerspective(premultiplied, warp, shape, flags=cv2.INTER_LINEAR)
    canvas[place] = canvas[place] * (1 - seen[..., 3:]) + seen[..., :3] * light


def photograph(
    canvas: Canvas, owner: NDArray[np.int32], size: tuple[int, int], rng: np.random.Generator, warm_chance: float = WARM_CHANCE
) -> NDArray[np.uint8]:
    """What a phone or webcam makes of the canvas: light, glare, lens, sensor. Returns uint8 BGR of `size` (width, height)."""
    image = under_lamps(cv2.resize(canvas, size, interpolation=cv2.INTER_AREA), rng, warm_chance)
    return develop(with_glare(image, owner, rng), rng)


def under_lamps(image: Canvas, rng: np.random.Generator, warm_chance: float) -> Canvas:
    """The picture in light that is uneven, of some colour, and now and then comes from two lamps."""
    pick = rng.uniform
    height, width = image.shape[:2]
    low = cv2.resize(rng.normal(0, 1, (3, 4)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    image *= np.exp(low * pick(0.0, 0.28))[..., None]
    lamps = rng.random()
    gains = np.array([pick(0.86, 1.12), 1.0, pick(0.9, 1.12)])
    if lamps < warm_chance:  # a tea house's lamps
        gains = np.array([pick(0.32, 0.8), pick(0.74, 0.96), 1.0])
    elif lamps < warm_chance + 0.1:
        gains = np.array([1.0, pick(0.85, 1.0), pick(0.6, 0.9)])
    image *= (gains * pick(0.75, 1.45)).astype(np.float32)
    if rng.random() < 0.3:  # a second lamp of another colour from one side
        x, y = np.meshgrid(np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32))
        angle = pick(0, 2 * np.pi)
        side = np.clip(0.5 + 0.5 * (x * np.cos(angle) + y * np.sin(angle)), 0, 1)
        image *= 1 + side[..., None] * np.array([pick(-0.4, 0.2), pick(-0.25, 0.2), pick(-0.2, 0.3)], np.float32)
    return image


def with_glare(image: Canvas, owner: NDArray[np.int32], rng: np.random.Generator) -> Canvas:
    """The picture, now and then with spots in which lamps are mirrored; tiles (`owner`, see `Painter`) mirror more than all else."""
    pick = rng.uniform
    height, width = image.shape[:2]
    if rng.random() < 0.35:
        glossy = 0.25 + 0.75 * (cv2.resize(owner.astype(np.float32), (width, height), interpolation=cv2.INTER_NEAREST) > 0)
        glare = np.zeros((height // 4, width // 4), np.float32)
        for _ in range(int(rng.integers(1, 4))):
            at = (int(pick(0, width // 4)), int(pick(0, height // 4)))
            axes = (int(pick(3, 40)), int(pick(3, 40)))
            cv2.ellipse(glare, at, axes, float(pick(0, 180)), 0, 360, float(pick(0.15, 0.9)), -1)
        glare = cv2.resize(cv2.GaussianBlur(glare, (0, 0), pick(1, 14)), (width, height))
        image += (glare * glossy)[..., None]
    return image


def develop(image: Canvas, rng: np.random.Generator) -> NDArray[np.uint8]:
    """What lens, sensor and software make of the light that reaches them: tone, saturation, blur, noise. Returns uint8 BGR."""
    pick = rng.uniform
    height, width = image.shape[:2]
    image = np.clip(image, 0, 1.4)
    image = 1 - np.exp(-1.6 * image) if rng.random() < 0.3 else np.clip(image, 0, 1)
    image = np.power(np.clip(image, 0, 1), pick(0.75, 1.3), dtype=np.float32)
    image = np.clip(0.5 + (image - 0.5) * pick(0.8, 1.2), 0, 1)
    grey = image.mean(2, keepdims=True)
    image = grey + (image - grey) * pick(0.65, 1.3)
    if rng.random() < 0.4:
        image = cv2.GaussianBlur(image, (0, 0), pick(0.3, 1.4))
    if rng.random() < 0.15:
        length, angle = int(rng.integers(3, 9)), pick(0, np.pi)
        kernel = np.zeros((length, length), np.float32)
        middle, reach = (length - 1) / 2, (length - 1) / 2
        ends = [(round(middle + s * reach * np.cos(angle)), round(middle + s * reach * np.sin(angle))) for s in (-1, 1)]
        cv2.line(kernel, ends[0], ends[1], 1.0, 1)
        image = cv2.filter2D(image, -1, kernel / kernel.sum())
    if rng.random() < 0.3:
        image = image + pick(0.2, 0.9) * (image - cv2.GaussianBlur(image, (0, 0), 1.2))
    noise = pick(0, 0.035) * rng.random()
    coarse = rng.normal(0, noise, (height // 2, width // 2, 3)).astype(np.float32)
    image = image + rng.normal(0, noise, image.shape).astype(np.float32) + cv2.resize(coarse, (width, height)) * 0.7
    return np.clip(image * 255 + 0.5, 0, 255).astype(np.uint8)
