"""Labelled photos altered in known ways, their labels with them: turned, tilted, cut, shrunk, dimmed, lit by a lamp, blurred.

Few photos show what goes wrong at a tea-house table. What a photo would have been, had the camera been held otherwise or
the light been worse, can be made of it: a plane seen from elsewhere is a homography of what was seen. The side walls of
the tiles and the shadows stay what they were, so that a tilt is an approximation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reader import TileReader
from vision.sources import load_photo
from vision.straighten import Picture
from vision.veil import GAMMA
from vision.workshop.clutter import any_clutter
from vision.workshop.evaluate import Score, score
from vision.workshop.fonts import Pens, fonts_for
from vision.workshop.paint import lay
from vision.workshop.photos import LabelledPhoto, Polygon, load_truth, picture_of, quadrilateral, split_of
from vision.workshop.scene import Block

Matrix = NDArray[np.float64]
Size = tuple[int, int]
Change = Callable[[Picture], Picture]
Spot = tuple[float, float, float]
"""Its middle, across and down, and how far it reaches, in lengths of the picture's longer side."""
Strew = Callable[[LabelledPhoto, Picture], Picture]

AROUND = (90, 100, 110)
"""BGR colour of what a turned or tilted photo does not show."""
FOCAL = 1.2
"""A phone's focal length, as a multiple of the picture's longer side."""
JPEG_QUALITY = 30
LEAST_LEFT = 0.5
"""A tile of which less than this share is left in the picture is not judged."""
SEED = 7
SHAKE_ANGLE = 0.32
"""Which way a shaken camera moves, in radians, unless told."""

TILES_ACROSS = 14
"""So many tiles would lie across a photo that shows none."""
BRIGHTEST = 90
"""White paper is as bright as the tiles are at this percentile."""
TRIES = 20
"""At so many places at most a thing is tried, until it lies on no tile."""

QUARTER_TURNS = (0, 0, 0, 90, 180, 270)
"""In which ways pictures to learn from are turned: half of them lie as they were taken. Learnt from upright photos alone, a
maker's name below the number is cut off where a tile lies sideways."""
OTHERWISE_HELD, OTHERWISE_LIT, STREWN = 0.4, 0.4, 0.3
"""How many pictures to learn from are tilted, how many are in poorer light, and between the tiles of how many photos things lie."""
MOST_STREWN = 8
"""So many at most."""
DARKEST, MOST_NOISE, MOST_SHAKEN, MOST_BLURRED = 0.15, 0.08, 0.014, 0.003
"""How far the light goes down, a sensor's noise in full light, and how far the camera moves or is out of focus."""


@dataclass(frozen=True)
class Alteration:
    """What is done to a photo.

    Attributes:
        moved: for a labelled photo the (3, 3) homography into the altered picture and the size of that.
        changed: what is done to its pixels then, at the same places.
        cuts: whether a part of the photo is lost.
        goes_on: whether beyond the photo's edge all is as at the edge, not of one colour.
        strewn: what is laid between the photo's tiles before all else.
    """

    moved: Callable[[LabelledPhoto], tuple[Matrix, Size]] | None = None
    changed: Change | None = None
    cuts: bool = False
    goes_on: bool = False
    strewn: Strew | None = None

    def of(self, photo: LabelledPhoto, picture: Picture) -> tuple[LabelledPhoto, Picture]:
        """The photo and its picture (height, width, 3) altered."""
        if self.strewn is not None:
            picture = self.strewn(photo, picture)
        if self.moved is not None:
            matrix, size = self.moved(photo)
            picture = _warped(picture, matrix, size, self.goes_on)
            photo = replace(
                photo,
                size=size,
                tiles=None if photo.tiles is None else tuple((tile, _moved(outline, matrix)) for tile, outline in photo.tiles),
                ignore=tuple(_moved(outline, matrix) for outline in photo.ignore),
            )
            if self.cuts:
                photo = _cut_off(photo)
        return photo, picture if self.changed is None else self.changed(picture)


def _warped(picture: Picture, matrix: Matrix, size: Size, goes_on: bool) -> Picture:
    """The picture under a homography; if that only shrinks it, every pixel is the mean of those that it covers."""
    if np.array_equal(matrix, np.diag(np.diag(matrix))):
        return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    border = cv2.BORDER_REPLICATE if goes_on else cv2.BORDER_CONSTANT
    return np.asarray(cv2.warpPerspective(picture, matrix, size, borderMode=border, borderValue=AROUND), np.uint8)


def _moved(outline: Polygon, matrix: Matrix) -> Polygon:
    moved = cv2.perspectiveTransform(np.array([outline], np.float64), matrix)[0]
    return tuple((float(x), float(y)) for x, y in moved)


def _cut_off(photo: LabelledPhoto) -> LabelledPhoto:
    """A photo of which a part is lost: tiles of which too little is left are passed over, and with them rack and indicator.

    Where only the contents are known, not the places, nothing is known of what is left.
    """
    if photo.tiles is None:
        return replace(photo, contains=(), rack=None, gaps_labelled=False, indicator=None, extra_allowed=True)
    frame = _frame(photo.size).astype(np.float32)
    hulls = [cv2.convexHull(np.array(outline, np.float32)) for _, outline in photo.tiles]
    shown = [cv2.intersectConvexConvex(hull, frame)[0] >= LEAST_LEFT * cv2.contourArea(hull) for hull in hulls]
    if all(shown):
        return photo
    left = tuple(entry for entry, is_shown in zip(photo.tiles, shown, strict=True) if is_shown)
    lost = tuple(outline for (_, outline), is_shown in zip(photo.tiles, shown, strict=True) if not is_shown)
    return replace(photo, tiles=left, ignore=photo.ignore + lost, rack=None, gaps_labelled=False, indicator=None)


def _fitted(corners: Matrix, size: Size) -> tuple[Matrix, Size]:
    """The homography that takes a picture's corners to these (4, 2), moved and scaled to the picture's longer side."""
    corners = corners - corners.min(0)
    corners = corners * max(size) / corners.max()
    matrix = cv2.getPerspectiveTransform(_frame(size).astype(np.float32), corners.astype(np.float32))
    return np.asarray(matrix, np.float64), (int(np.ceil(corners[:, 0].max())), int(np.ceil(corners[:, 1].max())))


def _frame(size: Size) -> Matrix:
    width, height = size
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)


def held(turn: float = 0, away: float = 0, aside: float = 0) -> Alteration:
    """As if the camera had been held otherwise, in degrees: the picture turned clockwise, the camera lower and farther aside."""
    t, a, b = np.radians([turn, -away, aside])
    round_ = np.array([[np.cos(t), -np.sin(t), 0], [np.sin(t), np.cos(t), 0], [0, 0, 1]])
    over = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    past = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])

    def moved(photo: LabelledPhoto) -> tuple[Matrix, Size]:
        size = photo.size
        focal = FOCAL * max(size)
        plane = np.hstack([_frame(size) - np.array(size) / 2, np.zeros((4, 1))]) @ (over @ past @ round_).T
        return _fitted(plane[:, :2] / (plane[:, 2:] + focal), size)

    return Alteration(moved)


def shrunk(longest: int) -> Alteration:
    """Its longer side so many pixels."""

    def moved(photo: LabelledPhoto) -> tuple[Matrix, Size]:
        (width, height), scale = photo.size, longest / max(photo.size)
        return np.diag([scale, scale, 1.0]), (round(width * scale), round(height * scale))

    return Alteration(moved)


def mirrored(photo: LabelledPhoto) -> tuple[Matrix, Size]:
    """As some cameras give what is before them."""
    return np.array([[-1, 0, photo.size[0] - 1], [0, 1, 0], [0, 0, 1]], np.float64), photo.size


def surrounded(times: int) -> Alteration:
    """In the middle of a photo that shows so many times as much across and down, as sharp as it was."""

    def moved(photo: LabelledPhoto) -> tuple[Matrix, Size]:
        size = np.array(photo.size)
        off = (times - 1) * size // 2
        return _part(-off, times * size - off)

    return Alteration(moved, goes_on=True)


def cut(share: float) -> Alteration:
    """Without so much of its width and height on every side, through the middle of tiles."""

    def moved(photo: LabelledPhoto) -> tuple[Matrix, Size]:
        off = np.round(share * np.array(photo.size)).astype(int)
        return _part(off, np.array(photo.size) - off)

    return Alteration(moved, cuts=True)


def close_up(share: float) -> Alteration:
    """From so near that the whole tile nearest to the middle is as long as this share of the picture; no sharper than it was."""

    def moved(photo: LabelledPhoto) -> tuple[Matrix, Size]:
        size = np.array(photo.size)
        outlines = [np.array(outline) for _, outline in photo.tiles or ()]
        whole = [outline for outline in outlines if (outline > 0).all() and (outline < size).all()]
        if not whole:
            return np.eye(3), photo.size
        tile = min(whole, key=lambda outline: float(np.linalg.norm(outline.mean(0) - size / 2)))
        middle, reach = (tile.min(0) + tile.max(0)) / 2, np.ptp(tile, axis=0).max() / share / 2
        low, high = (np.clip(np.round(middle + way * reach), 0, size).astype(int) for way in (-1, 1))
        return _part(low, high, max(photo.size) / (high - low).max())

    return Alteration(moved, cuts=True)


def _part(low: NDArray[np.int64], high: NDArray[np.int64], scale: float = 1) -> tuple[Matrix, Size]:
    """The homography into the part of a picture between two corners (2,), so many times as large, and its size."""
    width, height = (scale * (high - low)).round().astype(int)
    matrix = np.array([[scale, 0, -scale * low[0]], [0, scale, -scale * low[1]], [0, 0, 1]], np.float64)
    return matrix, (int(width), int(height))


def lit(light: Sequence[float], noise: float = 0.0, seed: int = SEED) -> Change:
    """Every colour (BGR) times `light`, cut at white, with a sensor's noise of so much of the full range."""

    def changed(picture: Picture) -> Picture:
        seen = picture * np.array(light, np.float32)
        seen += np.random.default_rng(seed).normal(0, 255 * noise, picture.shape).astype(np.float32)
        return np.clip(seen, 0, 255).astype(np.uint8)

    return changed


def blurred(share: float) -> Change:
    """Out of focus: a Gaussian of this share of the longer side."""
    return lambda picture: np.asarray(cv2.GaussianBlur(picture, (0, 0), share * max(picture.shape[:2])), np.uint8)


def motion_kernel(length: float, angle: float) -> NDArray[np.float32]:
    """What a point becomes, as a kernel of sum 1, when the camera's move draws it out to so many pixels, at an angle in radians."""
    reach = max(0.0, length - 1) / 2
    side = 2 * int(np.ceil(reach)) + 1
    end = reach * np.array([np.cos(angle), np.sin(angle)])
    trace = np.zeros((side, side), np.float32)
    first, last = (tuple(map(int, np.rint(16 * (side // 2 + way * end)))) for way in (-1, 1))
    cv2.line(trace, first, last, 1.0, 1, cv2.LINE_8, 4)
    return trace / trace.sum()


def shaken(share: float, angle: float = SHAKE_ANGLE) -> Change:
    """Moved by this share of the longer side while it was taken, at an angle in radians."""
    return lambda picture: np.asarray(cv2.filter2D(picture, -1, motion_kernel(share * max(picture.shape[:2]), angle)), np.uint8)


def barred(light: float, bars: float, first: float = 0) -> Change:
    """Through so many bars, as wide as the gaps between them, that leave this share of the sun's light: a garden table's lattice.

    `first`: where the first one begins, as a share of the way from one to the next. Half a bar is the edge of one shadow.
    """

    def changed(picture: Picture) -> Picture:
        y, x = np.mgrid[: picture.shape[0], : picture.shape[1]].astype(np.float32)
        phase = 2 * np.pi * (bars * (x + 0.4 * y) / picture.shape[1] - first)
        return np.asarray(picture * np.where(np.sin(phase) > 0, light, 1)[:, :, None], np.uint8)

    return changed


def veiled(share: float, tint: Sequence[float] = (1.0, 1.0, 1.0), spots: Sequence[Spot] = ()) -> Change:
    """With this share of its light scattered over it, by a lens that is not clean, and of another tint (BGR) than it has.

    Evenly, or as much in the middle of `spots` and less the farther from them, as by a window in the picture or fingers' marks.
    """

    def changed(picture: Picture) -> Picture:
        height, width = picture.shape[:2]
        y, x = np.mgrid[:height, :width].astype(np.float32) / max(width, height)
        left = [np.exp(-((x - middle_x) ** 2 + (y - middle_y) ** 2) / reach**2) for middle_x, middle_y, reach in spots]
        scattered = share * (np.max(left, 0) if left else np.ones_like(x))[..., None]
        light = (picture.astype(np.float32) / 255) ** GAMMA
        light = (1 - scattered) * light + scattered * light.mean((0, 1)) * np.array(tint, np.float32)
        return np.asarray((255 * np.clip(light, 0, 1) ** (1 / GAMMA)).round(), np.uint8)

    return changed


def compressed(picture: Picture) -> Picture:
    """As a messenger sends it."""
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1], cv2.IMREAD_COLOR), np.uint8)


def strewn(held_back: bool, most: int, seed: int = SEED) -> Strew:
    """With up to `most` cards, sheets, boxes or dice lying between the tiles, as seen from above: as large against them, and as bright.

    Photos whose tiles have no places stay as they are. `held_back`: whether they are written on in the fonts that no training sees.
    """

    def laid(photo: LabelledPhoto, picture: Picture) -> Picture:
        if photo.tiles is None:
            return picture
        rng = np.random.default_rng([seed, *photo.photo.encode()])
        tiles = [quadrilateral(np.array(outline, np.float32)) for _, outline in photo.tiles]
        taken = [cv2.convexHull(np.array(outline, np.float32)) for outline in (*tiles, *photo.ignore)]
        wide = [min(np.linalg.norm(tile[0] - tile[1]), np.linalg.norm(tile[1] - tile[2])) for tile in tiles]
        unit = float(np.median(wide)) if wide else max(photo.size) / TILES_ACROSS
        lit_up = cv2.fillPoly(np.zeros(picture.shape[:2], np.uint8), [np.int32(tile.round()) for tile in tiles], 1) > 0
        light = np.percentile(picture[lit_up] if lit_up.any() else picture.reshape(-1, 3), BRIGHTEST, axis=0) / 255
        canvas = picture.astype(np.float32) / 255
        for _ in range(int(rng.integers(1, most + 1))):
            thing = any_clutter(rng, _pens(held_back))
            if not isinstance(thing, Block):
                continue
            for _ in range(TRIES):
                corners = thing.laid(np.zeros(2), rng.uniform(0, 2 * np.pi)).corners[:, :2] * [unit, -unit]
                pixels = corners + rng.uniform(0, 1, 2) * photo.size
                hull = pixels.astype(np.float32)[:, None]
                if not any(cv2.intersectConvexConvex(hull, other)[0] for other in taken):
                    lay(canvas, thing.top, pixels, light)
                    taken.append(hull)
                    break
        return np.asarray(np.clip(255 * canvas, 0, 255).round(), np.uint8)

    return laid


@lru_cache(maxsize=2)
def _pens(held_back: bool) -> Pens:
    return fonts_for(held_back)


BLUISH, REDDISH = (1.3, 1.0, 0.8), (0.4, 0.8, 1.3)
"""Tints of scattered light (BGR)."""
SMUDGES: tuple[Spot, ...] = ((0.2, 0.3, 0.12), (0.55, 0.45, 0.18), (0.85, 0.2, 0.25))
"""Marks of fingers on the lens."""
EVEN_VEILS: Mapping[str, Alteration] = {
    "a fifth of the light scattered": Alteration(changed=veiled(0.2)),
    "two fifths of it scattered": Alteration(changed=veiled(0.4)),
    "three tenths, bluish": Alteration(changed=veiled(0.3, BLUISH)),
    "three tenths, reddish": Alteration(changed=veiled(0.3, REDDISH)),
}
COLOURED_BLACKS: Mapping[str, Alteration] = {
    "three tenths of its red alone": Alteration(changed=veiled(0.3, (0, 0, 1))),
    "three tenths of its green alone": Alteration(changed=veiled(0.3, (0, 1, 0))),
    "three tenths of its blue alone": Alteration(changed=veiled(0.3, (1, 0, 0))),
}
UNEVEN_VEILS: Mapping[str, Alteration] = {
    "half of it in one corner, bluish": Alteration(changed=veiled(0.5, BLUISH, [(0.1, 0.0, 0.5)])),
    "half of it in the other corner, reddish": Alteration(changed=veiled(0.5, REDDISH, [(0.9, 0.7, 0.5)])),
    "half of it in three smudges, bluish": Alteration(changed=veiled(0.5, BLUISH, SMUDGES)),
}
VEILS = {**EVEN_VEILS, **COLOURED_BLACKS, **UNEVEN_VEILS}
"""Light scattered in the lens, or added by the camera, which is also laid over rendered scenes."""
ALTERATIONS: Mapping[str, Alteration] = {
    "as they are": Alteration(),
    "turned by 45°": held(turn=45),
    "turned by 90°": held(turn=90),
    "turned by 180°": held(turn=180),
    "turned by 270°": held(turn=270),
    "tilted by 45°": held(away=45),
    "45° from the side": held(aside=45),
    "tilted and from the side, 40° each": held(away=40, aside=40),
    "cut by a tenth on every side": cut(0.1),
    "cut by a fifth on every side": cut(0.2),
    "a tile as long as 0.6 of the picture": close_up(0.6),
    "a tile as long as 0.8 of the picture": close_up(0.8),
    "mirrored": Alteration(mirrored),
    "a sixth as wide as the photo": surrounded(6),
    "longer side 640": shrunk(640),
    "longer side 480": shrunk(480),
    "warm lamp": Alteration(changed=lit((0.45, 0.75, 1.0))),
    "very warm lamp": Alteration(changed=lit((0.25, 0.6, 1.0))),
    "red lamp": Alteration(changed=lit((0.05, 0.1, 1.0))),
    "cold light": Alteration(changed=lit((1.0, 0.8, 0.6))),
    "dark, with noise": Alteration(changed=lit((0.2, 0.2, 0.2), 0.015)),
    "a twentieth of the light": Alteration(changed=lit((0.05, 0.05, 0.05), 0.004)),
    "a tenth, of a warm lamp": Alteration(changed=lit((0.03, 0.06, 0.1), 0.005)),
    "half of it in the shade": Alteration(changed=barred(0.3, 0.5, first=0.3)),
    "in the shade of three bars": Alteration(changed=barred(0.35, 3)),
    **VEILS,
    "noise": Alteration(changed=lit((1.0, 1.0, 1.0), 0.06)),
    "overexposed by half": Alteration(changed=lit((1.5, 1.5, 1.5))),
    "out of focus": Alteration(changed=blurred(0.0025)),
    "shaken": Alteration(changed=shaken(0.01)),
    "cards, dice and sheets between the tiles": Alteration(strewn=strewn(held_back=True, most=6)),
    "as a messenger sends it": Alteration(shrunk(960).moved, compressed),
}
"""What is done to photos, by name."""


def at_random(rng: np.random.Generator, tilt: float, clutter: float) -> Alteration:
    """How a picture to learn from is altered: turned by quarters, tilted by up to `tilt` degrees, in poorer light; many are not.

    With a chance of `clutter` things are laid between its tiles.
    """
    turn = float(rng.choice(QUARTER_TURNS))
    away, aside = rng.uniform(-tilt, tilt, 2) if rng.random() < OTHERWISE_HELD else (0.0, 0.0)
    light = _poorly_lit(rng) if rng.random() < OTHERWISE_LIT else None
    things = strewn(held_back=False, most=MOST_STREWN, seed=int(rng.integers(1 << 31))) if rng.random() < clutter else None
    return Alteration(held(turn, away, aside).moved if turn or away or aside else None, light, strewn=things)


def _poorly_lit(rng: np.random.Generator) -> Change:
    """Darker by chance, under a warm lamp, with the noise that comes of it, and half of the time shaken or out of focus."""
    gain, warmth = np.exp(rng.uniform(np.log(DARKEST), 0)), rng.uniform(0, 1) ** 2
    # A sensor's noise, as a share of what is seen, grows as the light goes; it is blurred before the noise comes to it.
    noise = gain**0.75 * min(MOST_NOISE, rng.exponential(MOST_NOISE / 2))
    light = lit(gain * np.array([1 - 0.75 * warmth, 1 - 0.4 * warmth, 1]), noise, int(rng.integers(1 << 31)))
    kind = rng.random()
    if kind < 0.3:
        blur = shaken(rng.uniform(0, MOST_SHAKEN), rng.uniform(0, np.pi))
    elif kind < 0.5:
        blur = blurred(rng.uniform(MOST_BLURRED / 10, MOST_BLURRED))
    else:
        return light
    return lambda picture: light(blur(picture))


def read_altered(folder: Path, split: str, reader: TileReader, names: Iterable[str] = ALTERATIONS) -> dict[str, Score]:
    """The counts over the photos of one split of `folder`, for each of ALTERATIONS or those named.

    Raises:
        FileNotFoundError, PhotoError: when there is no such folder or photo.
    """
    counts = {name: Score() for name in names}
    for photo in load_truth(folder):
        if split_of(photo) == split:
            picture = load_photo(picture_of(folder, photo))
            for name in counts:
                known, seen = ALTERATIONS[name].of(photo, picture)
                counts[name] += score(known, reader.read(seen))
    return counts
