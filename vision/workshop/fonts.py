"""Digit shapes for rendered tiles: the installed fonts whose digits look like digits."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

FONT_FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path("/usr/share/texmf/fonts"))
LIKENESS = 0.62
"""Least mean correlation of a font's ten digits with the average of all fonts: drops dingbats and old-style digits."""
SYMBOL_FONT = "Symbola"
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


@lru_cache(maxsize=1)
def _legible(folders: tuple[Path, ...]) -> tuple[str, ...]:
    """The font files with legible digits under these folders, sorted; raises as `find_fonts` does."""
    files = sorted(
        str(path)
        for folder in folders
        for path in folder.rglob("*")
        if path.suffix.lower() in (".ttf", ".otf") and "Oblique" not in path.name
    )
    digits = {path: found for path in files if (found := _digits(path)) is not None}
    if len(digits) < 2:
        raise NoFontsError("no fonts to draw digits with: install the packages of vision/workshop/fonts.txt")
    average = np.mean(list(digits.values()), axis=0)
    average /= np.linalg.norm(average, axis=1, keepdims=True)
    return tuple(path for path, found in digits.items() if (found * average).sum(1).mean() >= LIKENESS)


def find_fonts(cache: Path | None = None) -> list[str]:
    """Paths of the installed fonts with legible digits, sorted; looked for once, as that takes seconds.

    Args:
        cache: a JSON file that the answer is read from, or written to when it does not exist.

    Raises:
        NoFontsError: when fewer than two are found, or the file names others than are here; the message says what to do.
    """
    if cache is not None and cache.exists():
        return _kept(cache)
    fonts = list(_legible(FONT_FOLDERS))
    if cache is not None and any(SYMBOL_FONT in path for path in fonts):  # else those that are missing are installed first
        cache.parent.mkdir(parents=True, exist_ok=True)
        cache.write_text(json.dumps(fonts))
    return fonts


def _kept(cache: Path) -> list[str]:
    """The paths in a file of `find_fonts`. Raises NoFontsError when it is none, or its fonts are there no more."""
    try:
        paths = json.loads(cache.read_text())
    except ValueError:
        paths = None
    if not isinstance(paths, list) or not all(isinstance(path, str) and Path(path).exists() for path in paths):
        raise NoFontsError(f"{cache} does not name fonts that are here: move it away, and they are looked for again")
    return paths


def fonts_for(cache: Path | None, held_back: bool) -> Pens:
    """Fonts for digits, of the held-back tenth or of the others, and the font for symbols; see `find_fonts`."""
    return pens_of(tuple(find_fonts(cache)), held_back)


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
