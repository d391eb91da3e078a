"""Labelled photos whose tiles bear the numbers of another set: real tables, light and lenses, and sets that no network has seen.

Real photos of many sets are not to be had. What a photo would have been had its tiles borne other numbers can be made of it: the ink
is filled in with the face around it, and other ink is laid on that takes the same share of the light there as on a face in full light.
Faces, edges, shadows, highlights and what is engraved beside the numbers stay what they were.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.tiles import FACE_DOWN, FALSE_JOKER, Tile
from vision.reader import TileReader
from vision.reading import Reading
from vision.sources import load_photo
from vision.straighten import Corners, Picture, Pyramid
from vision.workshop.evaluate import Results, match, score
from vision.workshop.fonts import Pens
from vision.workshop.paint import lay
from vision.workshop.photos import LabelledPhoto, Polygon, load_truth, picture_of, split_of
from vision.workshop.sets import SetStyle, random_style, worn
from vision.workshop.unusual import make_unusual

HEIGHT = 144
"""How high a face is, in pixels, while it is worked on."""
RIM = 0.09
"""A tile's rim of this share of its width keeps what is on it: there lie its bevel and the next tile's shadow."""
INKED = 0.8
"""What is darker in any channel than this share of the face around it is ink."""
WIDEST_STROKE = 0.25
"""No stroke of a number is wider than this share of the tile's width, so that a closing of that width leaves the face alone."""
SMOOTHED, DARKEST = 24, 8
"""The light of a face is smoothed by a Gaussian of one part in so many of the tile's width, and taken to be no darker than that, of 255."""
HALO = 9
"""Pixels around the ink that its edge has changed: blur, sharpening, and the slope into which ink is pressed."""
FILLED = 2
"""What is filled in is smoothed by a Gaussian of so many pixels."""
COVERED = 20
"""New ink that takes more than one part in so many of the light covers what was there."""
SOFTNESS = (0.3, 0.6, 0.9, 1.2, 1.6, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0)
"""How soft ink may be: Gaussians of so many pixels on a face of HEIGHT."""

CONTRAST, STEEPEST = (3, 95), 99
"""Percentiles of what is seen on a face that are its ink and its face, and of its slopes that is its steepest edges."""

Image = NDArray[np.float32]


@dataclass(frozen=True)
class _Face:
    """One tile of a photo, straightened: its corners (4, 2) from its own top left, how it looks, and what it is without ink.

    `bare` is float32 (height, width, 3), 0 to 1; `ink` says, 0 to 1, where that is not what is seen.
    """

    corners: Corners
    seen: Picture
    bare: Image
    ink: Image


class BarePhoto:
    """A labelled photo whose tiles have lost their ink, to bear the numbers of other sets.

    A tile that is not read rightly as it is keeps its number, as nobody knows which way up it stands, and is passed over then.

    Attributes:
        tiles: those that lose their ink, each with its corners (4, 2) from its own top left.
        known: the photo's labels without those of the others, whose outlines are not to be judged.
    """

    def __init__(self, photo: LabelledPhoto, picture: Picture, reading: Reading) -> None:
        """`picture`: the photo, uint8 (height, width, 3); `reading`: what is read of it."""
        upright, unread = _upright(photo, reading)
        pyramid = Pyramid(picture)
        self._picture = picture
        self._faces = [_face(pyramid, corners) for _, corners in upright]
        self.tiles = upright
        self._steepness = float(np.median([_steepness(face.seen) for face in self._faces])) if self._faces else 0.0
        self.known = replace(
            photo,
            tiles=tuple(entry for entry in photo.tiles or () if entry[1] not in unread),
            ignore=photo.ignore + tuple(unread),
            rack=None if unread else photo.rack,
            indicator=None if unread else photo.indicator,
        )

    def bearing(self, style: SetStyle, rng: np.random.Generator, others: Sequence[Tile] | None = None) -> Picture:
        """The photo as if its tiles bore the numbers of a set, as sharp as their own were.

        Of the set's style its inks count, how they are worn and how its numbers are drawn, not its faces.

        Args:
            others: which tile each of `tiles` is to be, if not the one that it is.
        """
        canvas = self._picture.astype(np.float32) / 255
        borne = others or [tile for tile, _ in self.tiles]
        passing = [_light_passing(style, tile, face, rng) for tile, face in zip(borne, self._faces, strict=True)]

        def unlikeness(softness: float) -> float:
            as_soft = [_steepness(255 * face.bare * _soft(passed, softness)) for face, passed in zip(self._faces, passing, strict=True)]
            return abs(float(np.median(as_soft)) - self._steepness)

        softness = min(SOFTNESS, key=unlikeness) if self._faces else 0.0
        for face, sharp in zip(self._faces, passing, strict=True):
            passed = _soft(sharp, softness)
            changed = np.maximum(face.ink, np.clip(COVERED * (1 - passed.min(2)), 0, 1))
            lay(canvas, np.dstack([face.bare * passed, changed]), face.corners, 1.0)
        return np.asarray(np.clip(255 * canvas, 0, 255).round(), np.uint8)


def _upright(photo: LabelledPhoto, reading: Reading) -> tuple[list[tuple[Tile, Corners]], list[Polygon]]:
    """The tiles that are read rightly, each with its corners from its own top left, and the labelled outlines of the others.

    Corners are those that are read: outlines labelled by hand are off by more.
    """
    labelled = photo.face_up
    seen = [tile for tile in reading.tiles if tile.tile != FACE_DOWN]
    right = {i: seen[j] for i, j in match(photo, seen) if seen[j].tile == labelled[i][0]}
    unread = [outline for i, (_, outline) in enumerate(labelled) if i not in right]
    return [(found.tile, np.array(found.outline, np.float32)) for found in right.values()], unread


def _face(pyramid: Pyramid, corners: Corners) -> _Face:
    """One tile with its ink filled in."""
    across = np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])
    down = np.linalg.norm(corners[3] - corners[0]) + np.linalg.norm(corners[2] - corners[1])
    width = max(HEIGHT // 3, round(HEIGHT * across / max(down, 1)))
    size = np.array([[0, 0], [width, 0], [width, HEIGHT], [0, HEIGHT]], np.float32)
    seen = pyramid.warp(corners, size - 0.5, (width, HEIGHT))
    light = cv2.morphologyEx(cv2.medianBlur(seen, 5), cv2.MORPH_CLOSE, _disc(WIDEST_STROKE * width)).astype(np.float32)
    inked = (seen / np.maximum(cv2.GaussianBlur(light, (0, 0), width / SMOOTHED), DARKEST)).min(2) < INKED
    rim = round(RIM * width)
    inked[:rim], inked[-rim:], inked[:, :rim], inked[:, -rim:] = False, False, False, False
    around = cv2.dilate(inked.astype(np.uint8), _disc(2 * HALO))
    filled = cv2.inpaint(seen, around, HALO, cv2.INPAINT_TELEA).astype(np.float32)
    bare = cv2.GaussianBlur(filled, (0, 0), FILLED) / 255
    ink = cv2.GaussianBlur(cv2.erode(around, _disc(HALO / 2)).astype(np.float32), (0, 0), HALO / 4)[..., None]
    return _Face(corners, seen, seen.astype(np.float32) / 255 * (1 - ink) + bare * ink, ink[..., 0])


def _disc(across: float) -> NDArray[np.uint8]:
    side = int(across) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)


def _light_passing(style: SetStyle, tile: Tile, face: _Face, rng: np.random.Generator) -> Image:
    """What share of the light on a face (height, width, 3) the ink leaves that another set has on a tile."""
    height, width = face.ink.shape
    inked = style.draw_joker(style, width, height, rng) if tile == FALSE_JOKER else style.draw_number(style, tile, width, height)
    passed = np.ones((height, width, 3), np.float32)
    for mask, ink in inked:
        passed += worn(style, mask, rng)[..., None] * (np.array(ink, np.float32) - passed)
    return passed


def _soft(image: Image, softness: float) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), softness), np.float32)


def _steepness(face: NDArray[np.floating] | Picture) -> float:
    """How much of a face's contrast its steepest edges have from one pixel to the next."""
    rim = round(RIM * face.shape[1])
    darkest = face[rim:-rim, rim:-rim].min(2).astype(np.float32)
    slope = np.hypot(cv2.Sobel(darkest, cv2.CV_32F, 1, 0), cv2.Sobel(darkest, cv2.CV_32F, 0, 1)) / 8
    low, high = np.percentile(darkest, CONTRAST)
    return float(np.percentile(slope, STEEPEST) / max(high - low, 1))


def _like_most(style: SetStyle, rng: np.random.Generator) -> None:
    """As `random_style` invents it."""


OTHER_SETS: Mapping[str, Callable[[SetStyle, np.random.Generator], None]] = {"like most": _like_most, "unlike most": make_unusual}
"""Sets by what they are like, as what makes them so of those that `random_style` invents."""


def read_reinked(folder: Path, split: str, reader: TileReader, pens: Pens, sets: int) -> dict[str, Results]:
    """How the photos of one split are read whose tiles have places, each read in the numbers of so many of each of OTHER_SETS.

    Args:
        pens: what the numbers are written with.

    Raises:
        FileNotFoundError, PhotoError: when there is no such folder or photo.
    """
    results: dict[str, Results] = {name: [] for name in OTHER_SETS}
    for photo in load_truth(folder):
        if split_of(photo) == split and photo.tiles:
            picture = load_photo(picture_of(folder, photo))
            bare = BarePhoto(photo, picture, reader.read(picture))
            for number in range(sets):
                for name, make in OTHER_SETS.items():
                    rng = np.random.default_rng([number, *photo.photo.encode()])
                    style = random_style(rng, pens.digits, pens.symbols)
                    make(style, rng)
                    read = reader.read(bare.bearing(style, rng))
                    results[name].append((bare.known, read, score(bare.known, read)))
    return results
