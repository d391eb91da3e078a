"""`istaka film`: a rendered video of one rack in a shaking hand, with truth for every frame.

    istaka film clip.mp4                          # also .avi, .mjpeg, .y4m, or a folder for a picture a frame
    istaka film fake.mjpeg --rack "R3 R4 R5 | K9 B9 Y9 / B10 B11 B12" --indicator B8 --seconds 8   # a camera for Chromium

Beside the video stands its truth, `clip.mp4.truth.jsonl`: a line a frame, in the form of labelled photos, with `frame` and `time`, and
`still`, the seconds since when neither the rack nor the camera was moved, null while they are. A hidden tile is still in it.

The camera comes in from one side and is held by a hand that trembles; a lamp's reflection wanders; a finger passes over the
rack; half-way a tile is taken away or changed for another. Everything follows from the seed and the number.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.arguments import Parser, in_notation
from assistant.tiles import NUMBERED_TILES, UNREADABLE, NotationError, Rack, Tile, okey_of
from vision.reading import Place
from vision.workshop.arguments import out_of_range
from vision.workshop.fonts import find_fonts, fonts_for
from vision.workshop.paint import Light, Painter, photograph, random_light
from vision.workshop.render import OVERSAMPLING, truth_of
from vision.workshop.sample import LAMP, hand_scene, sample_style
from vision.workshop.scene import Camera, PlacedTile, Scene, Vector, rack_scene, random_camera
from vision.workshop.sets import SetStyle, random_style

MARGIN = 0.14
"""The still that a video is cut from is larger than a frame by this share on every side: the camera moves over it."""
COMES_IN = 0.8
"""Seconds in which the camera comes to the rack."""
FINGER = 0.6
"""Seconds that a finger takes to pass over the rack."""
SKIN = np.array([0.45, 0.55, 0.78])
"""Its colour in bright light, BGR."""
FILLED = 0.8
"""Share of a frame's width or height that the tiles take."""
LEAST_WIDTH = 26
"""Tiles of a random rack are at least as many pixels wide."""

Picture = NDArray[np.uint8]
Truth = dict[str, Any]


@dataclass(frozen=True)
class Shot:
    """How a video is taken. Lengths in pixels, times in seconds.

    Attributes:
        size: width and height of a frame.
        rate: frames a second.
        seconds: length of the video.
        shake: how far the hand trembles to each side.
        glare: brightness of the lamp's reflection, 0 to 1.
        exposure: seconds of light in one frame: what moves meanwhile is blurred.
        light: brightness of the picture against that of the scene.
        noise: of the sensor, as a share of white.
        finger: when a finger begins to pass, or None.
        change: when a tile has changed, or None.
        comes_in: whether the camera first moves to the rack.
    """

    size: tuple[int, int] = (1280, 720)
    rate: float = 15.0
    seconds: float = 8.0
    shake: float = 3.0
    glare: float = 0.5
    exposure: float = 1 / 40
    light: float = 1.0
    noise: float = 0.012
    finger: float | None = 2.6
    change: float | None = 4.5
    comes_in: bool = True


CALM = Shot(seconds=3.0, shake=1.0, glare=0.0, finger=None, change=None, comes_in=False)
DISTURBED: dict[str, Shot] = {
    "all of it, one tile changed": Shot(),
    "hand shake": replace(CALM, shake=8.0),
    "blur": replace(CALM, shake=5.0, exposure=1 / 8),
    "glare": replace(CALM, glare=0.9),
    "finger": replace(CALM, finger=1.4),
    "low light": replace(CALM, light=0.25, noise=0.03, exposure=1 / 15),
}
"""Videos in which everything disturbs, and such in which one thing does; settling is measured on them."""


@dataclass(frozen=True)
class Still:
    """What the camera moves over: a picture larger than a frame, and its truth in its own pixels."""

    picture: NDArray[np.float32]
    truth: Truth


@dataclass(frozen=True)
class Stage:
    """A set, its light and the camera's place: all that stays when a tile is changed."""

    style: SetStyle
    light: Light
    camera: Camera
    size: tuple[int, int]
    seed: tuple[int, int]

    def still(self, scene: Scene) -> Still:
        """The scene as seen from here."""
        painter = Painter(self.camera, self.style, self.light, _scaled(self.size, OVERSAMPLING), np.random.default_rng([*self.seed, 1]))
        painter.ground(self.style.font)
        painter.paint(scene)
        picture = photograph(painter.canvas, painter.owner, self.size, np.random.default_rng([*self.seed, 2]))
        return Still(picture.astype(np.float32) / 255, truth_of(scene, painter, self.style.height, self.size))


def _scaled(size: tuple[int, int], factor: float) -> tuple[int, int]:
    return round(size[0] * factor), round(size[1] * factor)


def random_stage(number: int, seed: int, size: tuple[int, int]) -> tuple[Stage, Scene]:
    """A set in fonts that no training sees, on a rack whose every tile a frame of `size` shows whole."""
    rng = np.random.default_rng([seed, number, 3])
    style = random_style(rng, *fonts_for(held_back=True))
    still = _scaled(size, 1 + 2 * MARGIN)
    large = _scaled(still, OVERSAMPLING)
    while True:
        scene = rack_scene(rng, style.height, style.thickness)
        points = np.concatenate([tile.corners(style.height) for tile in scene.tiles])
        camera = _fitted(random_camera(rng, scene, large), points, large)
        corners = camera.project(points) / OVERSAMPLING
        widths = np.linalg.norm(corners[1::4] - corners[::4], axis=1)
        on_rack = sum(tile.place is Place.RACK for tile in scene.tiles)
        if widths.min() > LEAST_WIDTH * size[0] / Shot.size[0] and on_rack > 5:
            return Stage(style, random_light(rng), camera, still, (seed, number)), scene


def _fitted(camera: Camera, points: Vector, large: tuple[int, int]) -> Camera:
    """The camera moved until `points` fill the wanted share of a frame, the middle of a canvas of size `large`."""
    for _ in range(4):
        seen = camera.project(points)
        low, high = seen.min(0), seen.max(0)
        depth = float(((points - camera.position) @ camera.forward).mean())
        aside = ((low + high) / 2 - np.array(large) / 2) * depth / camera.focal
        back = depth * (float(((high - low) / large).max()) * (1 + 2 * MARGIN) / FILLED - 1)
        camera = replace(camera, position=camera.position + camera.right * aside[0] - camera.up * aside[1] - camera.forward * back)
    return camera


def given_stage(rack: Rack, indicator: Tile | None, size: tuple[int, int], number: int, seed: int) -> tuple[Stage, Scene]:
    """A given hand on the rack of istaka's sample picture. Raises NoFontsError."""
    style = sample_style()
    still = _scaled(size, 1 + 2 * MARGIN)
    large = _scaled(still, OVERSAMPLING)
    scene = hand_scene(rack, indicator, style)
    for tile in scene.tiles:
        if tile.place is not Place.RACK:
            tile.place = Place.INDICATOR
    points = np.concatenate([tile.corners(style.height) for tile in scene.tiles])
    camera = Camera.looking_at(points.mean(0), np.radians(-4), np.radians(44), 0.0, 20.0, 1.5 * large[0], large)
    camera = _fitted(camera, points, large)
    return Stage(style, LAMP, camera, still, (seed, number)), scene


def changed(scene: Scene, rng: np.random.Generator) -> Scene:
    """The scene with one tile of the rack taken away, or changed for one that lies nowhere in it."""
    things = list(scene.things)
    rack = [(at, thing) for at, thing in enumerate(things) if isinstance(thing, PlacedTile) and thing.place is Place.RACK]
    at, taken = rack[int(rng.integers(len(rack)))]
    if rng.random() < 0.5:
        there = {tile.tile for tile in scene.tiles}
        other = next(NUMBERED_TILES[i] for i in rng.permutation(len(NUMBERED_TILES)) if NUMBERED_TILES[i] not in there)
        things[at] = replace(taken, tile=other)
        return Scene(things)
    for place, tile in rack:  # numbered by twos: what is left of a group stands on both sides of a gap
        behind = (tile.row, tile.group) == (taken.row, taken.group) and tile.centre[0] > taken.centre[0]
        things[place] = replace(tile, group=2 * (tile.group or 0) + behind)
    del things[at]
    return Scene(things)


@dataclass(frozen=True)
class _Tremor:
    """A hand's movement: sums of sines, for x, y, turn and scale. Hands tremble at 1 to 8 Hz."""

    amplitude: Vector
    frequency: Vector
    phase: Vector
    comes_from: Vector

    @classmethod
    def random(cls, rng: np.random.Generator, shot: Shot) -> _Tremor:
        frequency = np.stack([rng.uniform(0.15, 0.6, 4), rng.uniform(0.8, 2.5, 4), rng.uniform(4, 8, 4)])
        unit = np.array([shot.shake, shot.shake, shot.shake / shot.size[0], shot.shake / shot.size[0]])
        amplitude = np.array([[2.0], [0.8], [0.25]]) * unit * rng.uniform(0.5, 1.0, (3, 4))
        angle = rng.uniform(0, 2 * np.pi)
        return cls(amplitude, frequency, rng.uniform(0, 2 * np.pi, (3, 4)), np.array([np.cos(angle), np.sin(angle)]))

    def matrix(self, time: float, shot: Shot) -> Vector:
        """(3, 3) from the still's pixels to the frame's at `time`."""
        x, y, turn, scale = (self.amplitude * np.sin(2 * np.pi * self.frequency * time + self.phase)).sum(0)
        if shot.comes_in and time < COMES_IN:
            away = (1 - max(time, 0.0) / COMES_IN) ** 2 * MARGIN * 0.9 * np.array(shot.size)
            x, y = np.array([x, y]) + self.comes_from * away
        middle = np.array(shot.size) / 2
        cos, sin = (1 + scale) * np.cos(turn), (1 + scale) * np.sin(turn)
        still = np.array(_scaled(shot.size, 1 + 2 * MARGIN)) / 2
        linear = np.array([[cos, -sin], [sin, cos]])
        shift = middle + np.array([x, y]) - linear @ still
        return np.array([[*linear[0], shift[0]], [*linear[1], shift[1]], [0, 0, 1]])


class _Finger:
    """A finger that reaches in from below and passes over the rack."""

    def __init__(self, rng: np.random.Generator, truth: Truth, shot: Shot) -> None:
        corners = np.array([tile["polygon"] for tile in truth["tiles"] if tile["place"] == Place.RACK.value]).reshape(-1, 2)
        corners = corners - MARGIN * np.array(shot.size)
        low, high = corners.min(0), corners.max(0)
        self.start = np.array([low[0] + rng.uniform(0, 0.3) * (high[0] - low[0]), shot.size[1] * 1.1])
        self.far = np.array([low[0] + rng.uniform(0.3, 0.9) * (high[0] - low[0]), rng.uniform(low[1], (low[1] + high[1]) / 2)])
        self.width = round(rng.uniform(0.9, 1.6) * (high[0] - low[0]) / 12)
        self.skin = SKIN * rng.uniform(0.5, 1.1)

    def on(self, picture: NDArray[np.float32], part: float) -> None:
        """Draws it at `part` of its way, 0 to 1."""
        tip = self.start + (self.far - self.start) * np.sin(np.pi * part) + [self.width * 3 * (part - 0.5), 0]
        reach_in(picture, tip, np.array([tip[0] + self.width * 0.8, picture.shape[0] + self.width]), self.width, self.skin)


def reach_in(picture: NDArray[np.float32], tip: Vector, foot: Vector, width: int, skin: Vector) -> None:
    """Draws a finger or an arm, `width` pixels wide, from `foot` to `tip`, with its shadow."""
    mask = np.zeros(picture.shape[:2], np.float32)
    shadow = np.zeros_like(mask)
    cv2.line(mask, _pixel(tip), _pixel(foot), 1.0, width, cv2.LINE_AA)
    cv2.line(shadow, _pixel(tip + width * 0.3), _pixel(foot + width * 0.3), 1.0, round(width * 1.15))
    mask, shadow = (cv2.blur(one, (5, 5)) for one in (mask, shadow))
    picture *= (1 - 0.4 * shadow)[..., None]
    picture += mask[..., None] * (skin.astype(np.float32) - picture)


def _pixel(point: Vector) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


class _Glare:
    """A lamp's reflection that wanders over the picture."""

    def __init__(self, rng: np.random.Generator, shot: Shot) -> None:
        self.strength = shot.glare
        self.middle, self.reach = rng.uniform(0.3, 0.7, 2), rng.uniform(0.15, 0.4, 2)
        self.speed, self.phase = rng.uniform(0.1, 0.35, 2), rng.uniform(0, 2 * np.pi, 2)
        self.radius = rng.uniform(0.02, 0.07)

    def on(self, picture: NDArray[np.float32], time: float) -> None:
        """Adds it as it is at `time`."""
        height, width = picture.shape[:2]
        at = (self.middle + self.reach * np.sin(2 * np.pi * self.speed * time + self.phase)) * [width, height]
        radius = self.radius * width
        x, y = np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32)
        along, down = (np.exp(-(((axis - middle) / radius) ** 2) / 2) for axis, middle in ((x, at[0]), (y, at[1])))
        picture += (self.strength * down[:, None] * along[None])[..., None]


def film(stage: Stage, scene: Scene, shot: Shot) -> Iterator[tuple[Picture, Truth]]:
    """The frames of a video, uint8 BGR, each with its line of truth."""
    rng = np.random.default_rng([*stage.seed, 4])
    stills = [stage.still(scene)]
    if shot.change is not None:
        stills.append(stage.still(changed(scene, rng)))
    tremor, finger, glare = _Tremor.random(rng, shot), _Finger(rng, stills[0].truth, shot), _Glare(rng, shot)
    for number in range(round(shot.seconds * shot.rate)):
        time = number / shot.rate
        later = shot.change is not None and time >= shot.change
        still = stills[-1 if later else 0]
        picture = _exposed(still.picture, tremor, time, shot)
        glare.on(picture, time)
        if shot.finger is not None and 0 <= time - shot.finger < FINGER:
            finger.on(picture, (time - shot.finger) / FINGER)
        picture *= shot.light
        picture += rng.normal(0, shot.noise, picture.shape).astype(np.float32)
        frame = np.clip(picture * 255 + 0.5, 0, 255).astype(np.uint8)
        begun = shot.change if later and shot.change is not None else COMES_IN if shot.comes_in else 0.0
        yield frame, _framed(still.truth, tremor.matrix(time, shot), shot, number, time - begun if time >= begun else None)


def _exposed(still: NDArray[np.float32], tremor: _Tremor, time: float, shot: Shot) -> NDArray[np.float32]:
    """The frame that the moving camera takes of the still while its shutter is open."""
    middle = np.array([*np.array(still.shape[1::-1]) / 2, 1])
    first, last = (tremor.matrix(time + part * shot.exposure, shot) for part in (-0.5, 0.5))
    steps = min(9, 1 + round(float(np.linalg.norm((last - first) @ middle)) / 1.5))
    parts = np.linspace(-0.5, 0.5, steps) if steps > 1 else [0.0]
    warped = [cv2.warpAffine(still, tremor.matrix(time + part * shot.exposure, shot)[:2], shot.size) for part in parts]
    return np.asarray(sum(warped[1:], warped[0]) / np.float32(steps), np.float32)


def _framed(truth: Truth, matrix: Vector, shot: Shot, number: int, still: float | None) -> Truth:
    """The truth of the still as it is in a frame."""

    def moved(polygon: list[list[float]]) -> list[list[float]]:
        return np.round(np.column_stack([polygon, np.ones(len(polygon))]) @ matrix[:2].T, 1).tolist()

    return {
        **truth,
        "photo": f"{number:05}.jpg",
        "frame": number,
        "time": round(number / shot.rate, 4),
        "still": None if still is None else round(still, 4),
        "size": list(shot.size),
        "tiles": [{**tile, "polygon": moved(tile["polygon"])} for tile in truth["tiles"]],
        "face_down": [moved(polygon) for polygon in truth["face_down"]],
        "ignore": [moved(polygon) for polygon in truth["ignore"]],
    }


def clip(number: int, seed: int, shot: Shot) -> Iterator[tuple[Picture, Truth]]:
    """The random video of this number. Raises NoFontsError."""
    return film(*random_stage(number, seed, shot.size), shot)


@contextmanager
def video_file(path: Path, shot: Shot) -> Iterator[Callable[[Picture], None]]:
    """What a frame is given to, to be written to `path` in the form that its ending names.

    Raises:
        ValueError: when there is no such form.
    """
    if path.suffix in (".y4m", ".mjpeg"):
        with path.open("wb") as file:
            if path.suffix == ".y4m":
                file.write(b"YUV4MPEG2 W%d H%d F%d:1000 Ip A1:1 C420jpeg\n" % (*shot.size, round(shot.rate * 1000)))
            write = _write_y4m if path.suffix == ".y4m" else _write_jpeg
            yield lambda picture: write(file, picture)
    elif path.suffix in CODECS:
        writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*CODECS[path.suffix]), shot.rate, shot.size)
        if not writer.isOpened():
            raise ValueError(f"{path} cannot be written: name a file in a folder that exists")
        try:
            yield writer.write
        finally:
            writer.release()
    elif not path.suffix:
        path.mkdir(parents=True, exist_ok=True)
        numbers = iter(range(10**6))
        yield lambda picture: _write_photo(path / f"{next(numbers):05}.jpg", picture)
    else:
        raise ValueError(f"{path.suffix} is no form of video: name a .mp4, .avi, .mjpeg or .y4m file, or a folder")


CODECS = {".mp4": "mp4v", ".avi": "MJPG"}
"""What OpenCV writes by itself into a file of each ending."""
QUALITY = [cv2.IMWRITE_JPEG_QUALITY, 90]


def _write_y4m(file: BinaryIO, picture: Picture) -> None:
    file.write(b"FRAME\n" + cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420).tobytes())


def _write_jpeg(file: BinaryIO, picture: Picture) -> None:
    file.write(cv2.imencode(".jpg", picture, QUALITY)[1].tobytes())


def _write_photo(path: Path, picture: Picture) -> None:
    path.write_bytes(cv2.imencode(".jpg", picture, QUALITY)[1].tobytes())  # which, unlike OpenCV's own, says when the disk is full


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal() and int(width) % 2 == int(height) % 2 == 0 and min(int(width), int(height)) > 63):
        raise argparse.ArgumentTypeError(f"{text} is no size: write two even numbers from 64 up, as 1280x720")
    return int(width), int(height)


def _rack(text: str) -> Rack:
    rack = Rack.parse(text)
    if not rack.tiles or UNREADABLE in rack.tiles:
        raise NotationError(f"{text!r} is no rack to film: name every tile on it")
    return rack


def _indicator(text: str) -> Tile:
    tile = Tile.parse(text)
    okey_of(tile)  # which says what is wrong with one that has no number
    return tile


def main(argv: list[str] | None = None) -> int:
    """The command `istaka film`. Returns its exit status."""
    parser = Parser(prog="istaka film", description="Render a video of a rack, with truth for every frame.")
    parser.add_argument("path", type=Path, help="a .mp4, .avi, .mjpeg or .y4m file, or a folder for a picture a frame")
    parser.add_argument("--number", type=int, default=0, help="which of the random videos (default 0)")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other videos (default 1)")
    parser.add_argument("--rack", type=in_notation(_rack), help="this rack instead of a random one, as R3 R4 R5 | K9 B9 Y9 / J")
    parser.add_argument("--indicator", type=in_notation(_indicator), help="and its indicator; with --rack only")
    parser.add_argument("--seconds", type=float, default=Shot.seconds, help="length (default %(default)s)")
    parser.add_argument("--rate", type=float, default=Shot.rate, help="frames a second (default %(default)s)")
    parser.add_argument("--size", type=_size, default=Shot.size, metavar="WxH", help="pixels (default 1280x720)")
    deal = "instead: the deal of this number and seed, seen by a camera above the table; its length, rate and size are its own"
    parser.add_argument("--table", action="store_true", help=deal)
    parser.add_argument("--quiet", action="store_true", help="nothing happens: the camera trembles, no finger, no tile changed, no glare")
    options = parser.parse_args(argv)
    if options.indicator and not options.rack:
        parser.error("--indicator is that of a given hand: add --rack, or leave it out")
    if options.table and (options.rack or options.quiet):
        parser.error("--rack, --indicator and --quiet are for videos of a rack: leave --table out")
    little = out_of_range(options, number=0, seed=0, rate=1, seconds=0)
    if little:
        parser.error(little)
    if round(options.seconds * options.rate) == 0:
        parser.error(f"--seconds {options.seconds:g} at --rate {options.rate:g} makes no frame: give more")
    shot = Shot(size=options.size, rate=options.rate, seconds=options.seconds)
    if options.quiet:
        shot = replace(shot, finger=None, change=None, comes_in=False, glare=0.0)
    try:
        find_fonts()  # else no film is begun
        if options.table:
            from vision.workshop.deal_film import RATE, SIZE, film_deal  # which is made with what stands here

            shot, frames = replace(shot, size=SIZE, rate=RATE), film_deal(options.number, options.seed)
        elif options.rack is None:
            frames = clip(options.number, options.seed, shot)
        else:
            frames = film(*given_stage(options.rack, options.indicator, shot.size, options.number, options.seed), shot)
        truth_path = options.path.with_name(options.path.name + ".truth.jsonl")
        with video_file(options.path, shot) as write, truth_path.open("w", encoding="utf-8") as truths:
            for picture, truth in frames:
                write(picture)
                truths.write(json.dumps(truth) + "\n")
    except (ValueError, OSError) as error:
        print(f"istaka film: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
