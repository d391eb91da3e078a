"""Scenes as a path tracer sees them: bevelled tiles of glossy plastic with engraved digits, solid racks, lamps with soft shadows.

Blender's Cycles renders what the painter paints: the same scene, set and camera, so that the truth is the same too. Needs
`bpy`, the extra `physical`, which is there for Python 3.11 only.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from vision.workshop.paint import Canvas
from vision.workshop.scene import BOARD, Camera, PlacedTile, Scene, Slab, Vector
from vision.workshop.sets import SetStyle, draw_solid_face
from vision.workshop.surfaces import newspaper, random_surface

SAMPLES = 4
"""Paths a pixel; the denoiser does the rest."""
TEXTURE_HEIGHT = 352
"""Pixels of a face's long side."""
CORNER_STEPS, BEVEL_STEPS = 6, 4
"""Vertices of a rounded corner and of a bevel."""
DAYLIGHT = 6500.0
"""Kelvin of light that a picture shows as white."""
FACE_BRIGHTNESS = 80
"""The percentile of the faces' light that a camera exposes for."""
TABLE = 150.0
"""Side of the table in tile widths: to the horizon."""
SENSOR_WIDTH = 36.0
"""Millimetres; only its ratio to the focal length matters."""


@dataclass(frozen=True)
class Lamp:
    """A square of light turned towards the middle of the scene.

    Attributes:
        position: of its centre, in tile widths.
        side: of the square.
        share: of all the light that falls on the scene.
        colour: linear RGB, green 1.
    """

    position: Vector
    side: float
    share: float
    colour: Vector


def light_of(kelvin: float) -> Vector:
    """The colour of a lamp, linear RGB with green 1, by Planck's law at the three colours' wavelengths."""
    metres = np.array([610e-9, 550e-9, 465e-9])
    power = [1 / np.expm1(0.014388 / (metres * temperature)) for temperature in (kelvin, DAYLIGHT)]
    ratio = power[0] / power[1]
    return ratio / ratio[1]


def random_lamps(rng: np.random.Generator, target: Vector, warm: bool) -> list[Lamp]:
    """One to three lamps above the table, from a bulb to a window, mostly of one colour."""
    pick = rng.uniform
    kelvin = pick(2300, 3300) if warm else pick(2700, 7500)
    shares = rng.dirichlet([1.5] * int(rng.choice([1, 2, 3], p=[0.45, 0.35, 0.2])))
    lamps: list[Lamp] = []
    for share in shares:
        azimuth, elevation, distance = pick(0, 2 * np.pi), np.radians(pick(28, 88)), pick(14, 40)
        towards = np.array([np.cos(azimuth) * np.cos(elevation), np.sin(azimuth) * np.cos(elevation), np.sin(elevation)])
        side = distance * np.exp(pick(np.log(0.05), np.log(0.9)))
        own = pick(2300, 9000) if lamps and rng.random() < 0.3 and not warm else kelvin
        lamps.append(Lamp(target + distance * towards, side, float(share), light_of(own)))
    return lamps


def trace(
    scene: Scene, style: SetStyle, camera: Camera, owner: NDArray[np.int32], size: tuple[int, int], rng: np.random.Generator, warm: bool
) -> Canvas:
    """The light that a camera gets from a scene, as `paint.develop` takes it: float32 BGR (height, width, 3), white 1.

    Args:
        camera, owner: as large as the picture or larger: only the ratio matters.
        size: of the picture, width and height.
        warm: whether the lamps are those of a tea house.
    """
    bpy.ops.wm.read_factory_settings(use_empty=True)
    target = np.mean([tile.centre for tile in scene.tiles], 0) if scene.tiles else np.zeros(3)
    ambient = rng.uniform(0.12, 0.6)
    lamps = random_lamps(rng, target, warm)
    light = sum((lamp.share * lamp.colour for lamp in lamps), np.zeros(3))
    _build_room(rng, ambient, light)
    for lamp in lamps:
        _build_lamp(lamp, target, 1 - ambient)
    _build_table(rng, style.font)
    _build_rack([thing for thing in scene.things if isinstance(thing, Slab)], rng)
    _build_tiles(scene.tiles, style, rng)
    _build_camera(camera, owner.shape[:2], target, rng)
    picture = _render(size, int(rng.integers(2**31)))
    faces = cv2.resize(owner.astype(np.float32), size, interpolation=cv2.INTER_NEAREST) > 0
    return _expose(picture, faces, light, rng, warm)


def _expose(picture: Canvas, faces: NDArray[np.bool_], light: Vector, rng: np.random.Generator, warm: bool) -> Canvas:
    """Automatic exposure for the tiles and a white balance that sees through a part of the lamps' colour; then sRGB's curve."""
    corrected = rng.uniform(0.0, 0.6) if warm else rng.uniform(0.4, 1.05)
    picture = picture * (light[::-1] ** -corrected).astype(np.float32)
    brightness = picture.mean(2)
    measured = float(np.percentile(brightness[faces] if faces.any() else brightness, FACE_BRIGHTNESS))
    picture = np.maximum(picture * (rng.uniform(0.32, 0.95) / max(measured, 1e-4)), 0)
    return np.where(picture < 0.0031308, 12.92 * picture, 1.055 * picture ** (1 / 2.4) - 0.055).astype(np.float32)


def _render(size: tuple[int, int], seed: int) -> Canvas:
    """The scene that is built, traced on one core: linear float32 BGR."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.render.threads_mode, scene.render.threads = "FIXED", 1
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_depth = "32"
    cycles = scene.cycles
    cycles.device, cycles.seed = "CPU", seed
    cycles.samples = SAMPLES
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_prefilter, cycles.denoising_quality = "NONE", "FAST"
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 2, 1, 2
    cycles.caustics_reflective = cycles.caustics_refractive = False
    with tempfile.TemporaryDirectory() as folder, _silence():
        scene.render.filepath = str(Path(folder) / "picture.exr")
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(scene.render.filepath)
        pixels = np.empty(size[0] * size[1] * 4, np.float32)
        image.pixels.foreach_get(pixels)
    return pixels.reshape(size[1], size[0], 4)[::-1, :, 2::-1].copy()


@contextmanager
def _silence() -> Iterator[None]:
    """Keeps what Blender tells of its work from standard output."""
    sys.stdout.flush()
    told = os.dup(1)
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    try:
        yield
    finally:
        os.dup2(told, 1)
        os.close(told)


def _place(name: str, data: Any, axes: tuple[Vector, Vector, Vector], position: Vector) -> Any:
    """A new object in the scene: `axes` are the directions of its own x, y and z."""
    thing = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(thing)
    matrix = np.eye(4)
    matrix[:3, :3] = np.column_stack(axes)
    matrix[:3, 3] = position
    thing.matrix_world = Matrix(matrix.tolist())
    return thing


def _build_camera(camera: Camera, frame: tuple[int, int], target: Vector, rng: np.random.Generator) -> None:
    """The camera, whose pixels are those of `frame` (height, width); now and then what is near or far is out of focus."""
    height, width = frame
    lens = bpy.data.cameras.new("camera")
    lens.sensor_fit, lens.sensor_width = "HORIZONTAL", SENSOR_WIDTH
    lens.lens = camera.focal / width * SENSOR_WIDTH
    lens.shift_x = 0.5 - camera.centre[0] / width
    lens.shift_y = (camera.centre[1] - height / 2) / width
    lens.clip_start, lens.clip_end = 0.1, 2000
    bpy.context.scene.camera = _place("camera", lens, (camera.right, camera.up, -camera.forward), camera.position)
    if rng.random() < 0.4:
        depth = float((target - camera.position) @ camera.forward)
        lens.dof.use_dof = True
        lens.dof.focus_distance = depth * rng.uniform(0.93, 1.07)
        # Something a fifth farther away is blurred over this share of the picture's width.
        aperture = rng.uniform(0.0005, 0.004) * width / camera.focal * depth * 6
        lens.dof.aperture_fstop = lens.lens / 1000 / aperture


def _build_room(rng: np.random.Generator, ambient: float, light: Vector) -> None:
    """The room all around, blurred, with bright windows: what is mirrored in glossy tiles and lights the shadows."""
    room = cv2.GaussianBlur(cv2.resize(random_surface(rng), (256, 128)), (0, 0), 7)
    for _ in range(int(rng.integers(0, 4))):
        x, y = int(rng.integers(0, 256)), int(rng.integers(10, 60))
        cv2.rectangle(room, (x, y), (x + int(rng.integers(6, 40)), y + int(rng.integers(6, 30))), (rng.uniform(1.5, 6),) * 3, -1)
    room = cv2.GaussianBlur(room, (0, 0), 1.5) * light[::-1].astype(np.float32)
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    nodes = world.node_tree.nodes
    picture = nodes.new("ShaderNodeTexEnvironment")
    picture.image = _image("room", room / room.mean(), linear=True)
    background = nodes["Background"]
    world.node_tree.links.new(picture.outputs["Color"], background.inputs["Color"])
    background.inputs["Strength"].default_value = ambient


def _build_lamp(lamp: Lamp, target: Vector, strength: float) -> None:
    """A lamp that by itself would light the table, were it overhead, as brightly as a room of radiance `strength` x its share."""
    light = bpy.data.lights.new("lamp", "AREA")
    light.size = lamp.side
    light.color = lamp.colour / lamp.colour.max()
    away = lamp.position - target
    distance = float(np.linalg.norm(away))
    light.energy = strength * lamp.share * np.pi**2 * distance**2 * lamp.colour.max()
    out = away / distance
    right = np.cross([0.0, 0.0, 1.0], out)
    right /= np.linalg.norm(right)
    _place("lamp", light, (right, np.cross(out, right), out), lamp.position).visible_camera = False


def _image(name: str, picture: NDArray[np.float32], linear: bool = False) -> Any:
    """A texture of a BGR or grey picture; colours are sRGB's unless they are `linear`."""
    height, width = picture.shape[:2]
    image = bpy.data.images.new(name, width, height, float_buffer=linear)
    image.colorspace_settings.name = "Non-Color" if linear else "sRGB"
    pixels = np.ones((height, width, 4), np.float32)
    pixels[..., :3] = picture[..., None] if picture.ndim == 2 else picture[..., 2::-1]
    image.pixels.foreach_set(pixels[::-1].ravel())
    return image


class Material:
    """A dielectric in the making: its base is a colour or a picture, its gloss is chosen by the caller."""

    def __init__(self, name: str, roughness: float, coat: float = 0.0) -> None:
        self.made = bpy.data.materials.new(name)
        self._tree = self.made.node_tree
        self._surface = self._tree.nodes["Principled BSDF"]
        self._surface.inputs["Roughness"].default_value = roughness
        self._surface.inputs["Coat Weight"].default_value = coat
        self._surface.inputs["Coat Roughness"].default_value = 0.08

    def coloured(self, bgr: Any) -> Material:
        """Of one colour, as sRGB shows it."""
        self._surface.inputs["Base Color"].default_value = (*(_linear(float(value)) for value in bgr[::-1]), 1.0)
        return self

    def pictured(self, image: Any, place: str, repeat: float = 1.0) -> Material:
        """Covered with a picture, `repeat` times to a unit of `place`: UV, the mesh's own coordinates, or Object, from six sides."""
        self._tree.links.new(self._texture(image, place, repeat).outputs["Color"], self._surface.inputs["Base Color"])
        return self

    def carved(self, image: Any, depth: float, place: str, repeat: float = 1.0) -> Material:
        """With the relief of a grey picture, whose white is `depth` tile widths above its black."""
        bump = self._tree.nodes.new("ShaderNodeBump")
        bump.inputs["Distance"].default_value = depth
        bump.inputs["Strength"].default_value = 1.0
        self._tree.links.new(self._texture(image, place, repeat).outputs["Color"], bump.inputs["Height"])
        self._tree.links.new(bump.outputs["Normal"], self._surface.inputs["Normal"])
        return self

    def _texture(self, image: Any, place: str, repeat: float) -> Any:
        texture = self._tree.nodes.new("ShaderNodeTexImage")
        texture.image = image
        texture.extension = "MIRROR"
        if place != "UV":
            texture.projection, texture.projection_blend = "BOX", 0.1
        where = self._tree.nodes.new("ShaderNodeTexCoord")
        scale = self._tree.nodes.new("ShaderNodeMapping")
        scale.inputs["Scale"].default_value = (repeat,) * 3
        self._tree.links.new(where.outputs[place], scale.inputs["Vector"])
        self._tree.links.new(scale.outputs["Vector"], texture.inputs["Vector"])
        return texture


def _linear(value: float) -> float:
    """The linear value of sRGB's."""
    return value / 12.92 if value < 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _build_table(rng: np.random.Generator, font: str) -> None:
    """The table, polished or of cloth, and now and then a newspaper or another sheet on it."""
    pick = rng.uniform
    surface = random_surface(rng)
    repeat = 1 / pick(6, 22)
    table = Material("table", pick(0.12, 0.9), pick(0.2, 1) if rng.random() < 0.3 else 0.0)
    table.pictured(_image("table", surface), "UV", TABLE * repeat)
    if rng.random() < 0.5:
        table.carved(_image("grain", surface.mean(2), linear=True), pick(0.01, 0.12), "UV", TABLE * repeat)
    _sheet("table", TABLE, np.zeros(3), pick(0, 2 * np.pi), table)
    for layer in range(int(rng.choice([0, 1, 2], p=[0.7, 0.2, 0.1]))):
        side = pick(3, 12)
        picture = newspaper(rng, font) if rng.random() < 0.6 else random_surface(rng)
        paper = Material("sheet", pick(0.4, 0.9)).pictured(_image("sheet", picture), "UV")
        _sheet("sheet", side, np.array([*pick(-9, 9, 2), 0.004 * (layer + 1)]), pick(0, 2 * np.pi), paper)


def _sheet(name: str, side: float, at: Vector, angle: float, material: Material) -> None:
    """A square lying flat, with coordinates UV from 0 to 1."""
    half = side / 2
    mesh = _mesh(name, np.array([[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0]]), [(0, 1, 2, 3)], [material])
    mesh.uv_layers.new().data.foreach_set("uv", [0.0, 0, 1, 0, 1, 1, 0, 1])
    cos, sin = np.cos(angle), np.sin(angle)
    _place(name, mesh, (np.array([cos, sin, 0]), np.array([-sin, cos, 0]), np.array([0.0, 0, 1])), at)


def _mesh(name: str, vertices: Vector, faces: list[tuple[int, ...]], materials: list[Material]) -> Any:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices.tolist(), [], faces)
    for material in materials:
        mesh.materials.append(material.made)
    return mesh


def _build_rack(boards: list[Slab], rng: np.random.Generator) -> None:
    """The boards of racks, with their edges broken, of painted wood, bare wood or plastic."""
    pick = rng.uniform
    roughness, coat = pick(0.15, 0.75), pick(0, 1) if rng.random() < 0.4 else 0.0
    grain = random_surface(rng).mean(2)
    grain = 0.75 + 0.25 * np.clip(grain / (grain.mean() + 1e-3), 0, 2)
    repeat = 1 / pick(4, 14)
    painted: dict[bytes, Material] = {}
    for board in boards:
        key = board.colour.tobytes()
        if key not in painted:
            painted[key] = Material("board", roughness, coat)
            if board.textured:
                surface = np.clip(grain[..., None] * board.colour, 0, 1).astype(np.float32)
                painted[key].pictured(_image("board", surface), "Object", repeat)
            else:
                painted[key].coloured(board.colour)
        front, back = board.corners, board.corners + board.body
        faces = [(0, 1, 2, 3), (7, 6, 5, 4), *((i, i + 4, (i + 1) % 4 + 4, (i + 1) % 4) for i in range(4))]
        body = _place("board", _mesh("board", np.concatenate([front, back]), faces, [painted[key]]), tuple(np.eye(3)), np.zeros(3))
        edges = body.modifiers.new("edges", "BEVEL")
        edges.width, edges.segments = 0.15 * BOARD, 2


def _build_tiles(tiles: list[PlacedTile], style: SetStyle, rng: np.random.Generator) -> None:
    """Every tile with its own face; two of the same number are worn differently."""
    pick = rng.uniform
    roughness, coat = pick(0.08, 0.5), pick(0, 1) if rng.random() < 0.4 else 0.0
    bevel = min(pick(0.015, 0.045), 0.3 * style.thickness)
    side = Material("side", roughness, coat).coloured(style.side)
    back = Material("back", roughness, coat).coloured(style.back)
    for tile in tiles:
        colour, relief = draw_solid_face(style, tile.tile, rng, TEXTURE_HEIGHT)
        face = Material(str(tile.tile), roughness, coat).pictured(_image("face", colour), "UV")
        if np.ptp(relief):
            face.carved(_image("relief", (relief - relief.min()) / np.ptp(relief), linear=True), float(np.ptp(relief)), "UV")
        body = _tile_mesh(style.height, style.thickness, style.corner, bevel, [face, side, back])
        _place(str(tile.tile), body, (tile.right, tile.up, tile.normal), tile.centre)


def _tile_mesh(height: float, thickness: float, corner: float, bevel: float, materials: list[Material]) -> Any:
    """A box with rounded corners and edges, the middle of its face at the origin; materials of face, side and back."""
    corner = max(corner, 1.2 * bevel)
    turns = np.linspace(0, np.pi / 2, BEVEL_STEPS + 1)
    bend = [(bevel * (1 - np.sin(turn)), bevel * (1 - np.cos(turn))) for turn in turns]  # how far in, how far below the face
    levels = [*bend, (0.0, thickness / 2), *((inset, thickness - below) for inset, below in reversed(bend))]
    arc = np.linspace(0, np.pi / 2, CORNER_STEPS + 1)
    around = np.concatenate([arc + quarter * np.pi / 2 for quarter in range(4)])
    middles = np.repeat([[1, 1], [-1, 1], [-1, -1], [1, -1]], CORNER_STEPS + 1, 0) * [0.5 - corner, height / 2 - corner]
    out = np.column_stack([np.cos(around), np.sin(around)])
    rings = [np.column_stack([middles + out * (corner - inset), np.full(len(out), -below)]) for inset, below in levels]
    count, last = len(out), len(rings) - 1
    faces: list[tuple[int, ...]] = [tuple(range(count)), tuple(last * count + i for i in reversed(range(count)))]
    kinds = [0, 2]
    for ring in range(last):
        kind = 0 if ring < BEVEL_STEPS else 1 if levels[ring + 1][1] <= thickness / 2 else 2
        for i in range(count):
            j = (i + 1) % count
            faces.append((ring * count + i, (ring + 1) * count + i, (ring + 1) * count + j, ring * count + j))
            kinds.append(kind)
    vertices = np.concatenate(rings)
    mesh = _mesh("tile", vertices, faces, materials)
    mesh.polygons.foreach_set("material_index", kinds)
    mesh.polygons.foreach_set("use_smooth", [False, False, *[True] * (len(faces) - 2)])
    corners = np.concatenate(faces)
    mesh.uv_layers.new().data.foreach_set("uv", (vertices[corners, :2] / [1, height] + 0.5).ravel())
    return mesh
