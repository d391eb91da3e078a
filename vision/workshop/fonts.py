"""Digit shapes for rendered tiles: the installed fonts whose digits look like digits."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from platformdirs import user_cache_path

FONT_FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path("/usr/share/texmf/fonts"))
LIKENESS = 0.62
"""Least mean correlation of a font's ten digits with the average of all fonts: drops dingbats and old-style digits."""
SYMBOL_FONT = "Symbola"
KEPT = "fonts.json"
"""What lists fonts: in the user's cache those that are legible of the installed ones, in a folder of scenes those it is drawn with."""
HELD_BACK_EVERY = 10
"""Of so many families of fonts, in alphabetical order, the first is held back from training."""


class Pens(NamedTuple):
    """What is written with: font files for digits, and one for symbols."""

    digits: list[str]
    symbols: str


class NoFontsError(ValueError):
    """No usable font is installed."""


@lru_cache(maxsize=512)
def load_font(path: str, size: int) -> ImageFont.FreeTypeFont:
    """The font file at a size in pixels."""
    return ImageFont.truetype(path, size)


def digit_mask(path: str, digit: int, size: int = 32) -> NDArray[np.float32] | None:
    """The digit's ink stretched over a (size, size) square, 0 to 1; None if the font draws nothing."""
    font = load_font(path, 2 * size)
    left, top, right, bottom = font.getbbox(str(digit))
    if right - left < 4 or bottom - top < size // 2:
        return None
    image = Image.new("L", (int(right - left), int(bottom - top)))
    ImageDraw.Draw(image).text((-left, -top), str(digit), fill=255, font=font)
    return np.asarray(image.resize((size, size), Image.Resampling.BILINEAR), np.float32) / 255


def _digits(path: str) -> NDArray[np.float32] | None:
    """The ten digits of a font as a (10, 1024) array, each of zero mean and length 1; None if any is missing."""
    try:
        masks = [digit_mask(path, digit) for digit in range(10)]
    except (OSError, ValueError):
        return None
    if any(mask is None for mask in masks):
        return None
    flat = np.stack([mask.ravel() for mask in masks if mask is not None])
    flat = flat - flat.mean(1, keepdims=True)
    length = np.linalg.norm(flat, axis=1, keepdims=True)
    return None if (length < 1e-3).any() else flat / length


def find_fonts() -> tuple[str, ...]:
    """Paths of the installed fonts with legible digits, sorted; looked for once for the same fonts, as that takes seconds.

    Raises:
        NoFontsError: when fewer than two are found; the message says what to do.
    """
    files = [
        path
        for folder in FONT_FOLDERS
        for path in folder.rglob("*")
        if path.suffix.lower() in (".ttf", ".otf") and "Oblique" not in path.name and path.is_file()
    ]
    return _kept_or_found(tuple(sorted((str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in files)))


@lru_cache(maxsize=1)
def _kept_or_found(files: tuple[tuple[str, int, int], ...]) -> tuple[str, ...]:
    """Those of font files, given with size and time of change, whose digits are legible: as KEPT says if it tells of the same files."""
    try:
        kept = user_cache_path("istaka", appauthor=False) / KEPT
    except RuntimeError:  # there is no home folder: they are found anew
        return _legible([path for path, _, _ in files])
    of = sha256(json.dumps([LIKENESS, files]).encode()).hexdigest()
    try:
        known = json.loads(kept.read_text(encoding="utf-8"))
        if known["of"] == of:
            return tuple(map(str, known["fonts"]))
    except (OSError, ValueError, TypeError, KeyError):
        pass  # there is none, or none of ours
    fonts = _legible([path for path, _, _ in files])
    with suppress(OSError):  # a folder that cannot be written: they are found anew
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps({"of": of, "fonts": fonts}), encoding="utf-8")
    return fonts


def _legible(files: list[str]) -> tuple[str, ...]:
    """The font files with legible digits; raises as `find_fonts` does."""
    digits = {path: found for path in files if (found := _digits(path)) is not None}
    if len(digits) < 2:
        raise NoFontsError("no fonts to draw digits with: install the packages of vision/workshop/fonts.txt")
    average = np.mean(list(digits.values()), axis=0)
    average /= np.linalg.norm(average, axis=1, keepdims=True)
    return tuple(path for path, found in digits.items() if (found * average).sum(1).mean() >= LIKENESS)


def fonts_of(folder: Path) -> tuple[str, ...]:
    """The fonts that the scenes of a folder are drawn with: those found when it was begun, as its fonts.json lists them.

    Raises:
        NoFontsError: when none are found, or the folder's are here no more; the message says what to do.
    """
    listed = folder / KEPT
    if not listed.exists():
        fonts = find_fonts()
        if any(SYMBOL_FONT in path for path in fonts):  # else those that are missing are installed first
            listed.write_text(json.dumps(fonts))
        return fonts
    try:
        paths = json.loads(listed.read_text())
    except ValueError:
        paths = None
    if not isinstance(paths, list) or not all(isinstance(path, str) and Path(path).exists() for path in paths):
        raise NoFontsError(f"{listed} does not name fonts that are here: move it away, and they are looked for again")
    return tuple(paths)


def fonts_for(held_back: bool) -> Pens:
    """Fonts for digits, of the held-back tenth or of the others, and the font for symbols. Raises NoFontsError."""
    return pens_of(find_fonts(), held_back)


@lru_cache(maxsize=4)
def pens_of(every: tuple[str, ...], held_back: bool) -> Pens:
    """The same out of these font files. Raises NoFontsError when there is no font for symbols."""
    symbols = next((path for path in every if SYMBOL_FONT in path), None)
    if symbols is None:
        raise NoFontsError("the font Symbola is missing: install the packages of vision/workshop/fonts.txt")
    families = sorted(set(map(_family, every)))
    kept = set(families[::HELD_BACK_EVERY])
    return Pens([path for path in every if (_family(path) in kept) == held_back], symbols)


def _family(path: str) -> str:
    """The family of a font file, by its name: `LiberationSans` of `LiberationSans-Bold.ttf`."""
    return re.split("[-_]", Path(path).stem)[0]
