"""A set that the user has taught: its tiles cut from a few photos, and how they change what the classifier says.

What is kept on disk is what was taught, crops and their tiles, and nothing that follows from it: a profile is fitted to the
weights that are there whenever it is opened, within a fraction of a second, so that new weights make no profile stale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import token_hex
from urllib.parse import quote, unquote

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_data_path

from assistant.reasons import Reason
from assistant.tiles import COLOURS, FALSE_JOKER, Colour, Tile
from vision.classify import FALSE_JOKER_COLUMN, Classifier, Scores, softmax
from vision.decode import FACES
from vision.inks import Ink, inks_of
from vision.light import brightened
from vision.outlines import in_all_orders
from vision.straighten import TILE_SIZE, Corners, Picture, Pyramid, straighten
from vision.veil import without_veil

VERSION = 1
"""Of the files' form. A newer one is refused."""
ENDING = ".npz"
LONGEST_FILE_NAME = 200
"""What every file system takes, in bytes, with room for the ending."""
MOST_TILES = 212
"""More crops than two whole sets teach nothing new, and fitting takes their square."""
LIKENESS, NUMBER_FACTOR = 5.0, 144.0
"""Of the kernel of features: how fast it falls with 1 less their cosine, and its height, the variance of how far a set's
scores (natural logarithms) may lie from the general classifier's."""
INK_REACH, COLOUR_FACTOR = 0.2, 16.0
"""The same of the kernel of inks: their distance, as a share of the face's white, at which it has fallen to e to the -1/2."""
SURE = 0.9
"""A place that shows a tile with this chance shows no other one, whatever is named."""
NO_HOME = "there is no home folder, in which taught sets are kept: set HOME"
"""In no other language: only who runs the program can help."""
STEPS = 60
"""Most steps of the fit: what is to be made least is then within 0.2% of its least."""

Coefficients = NDArray[np.float64]
Array = NDArray[np.float32]


class ProfileError(ValueError):
    """A set that cannot be used or stored; the reason says why and what to do."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Taught:
    """What was taught of a set: N tiles with their crops.

    Attributes:
        crops: uint8 BGR (N, 96, 64, 3), straightened and upright.
        tiles: the N tiles, numbered ones and false jokers.
        photos: for each the name of the photo that it was cut from.
    """

    crops: NDArray[np.uint8]
    tiles: tuple[Tile, ...]
    photos: tuple[str, ...]

    def __post_init__(self) -> None:
        shape = (len(self.tiles), TILE_SIZE[1], TILE_SIZE[0], 3)
        if self.crops.shape != shape or self.crops.dtype != np.uint8 or len(self.photos) != len(self.tiles):
            raise ValueError(f"crops must be uint8 {shape}, a photo for each, but got {self.crops.dtype} {self.crops.shape}")
        if not all(tile.is_numbered or tile == FALSE_JOKER for tile in self.tiles):
            raise ValueError("only numbered tiles and false jokers can be taught")

    def with_photo(self, other: Taught) -> Taught:
        """This and what another photo taught; a photo that is taught again replaces what it taught before."""
        kept = [i for i, photo in enumerate(self.photos) if photo not in other.photos]
        return Taught(
            np.concatenate([self.crops[kept], other.crops]),
            (*(self.tiles[i] for i in kept), *other.tiles),
            (*(self.photos[i] for i in kept), *other.photos),
        )


NOTHING_TAUGHT = Taught(np.zeros((0, TILE_SIZE[1], TILE_SIZE[0], 3), np.uint8), (), ())


def cut(classifier: Classifier, picture: Picture, outlines: Sequence[Corners], tiles: Sequence[Tile], photo: str) -> Taught:
    """The crops of tiles that the user has named, each turned the way up in which it looks most like its tile.

    Args:
        picture: uint8 BGR (height, width, 3).
        outlines: corners (4, 2) in pixels of each tile, clockwise from any corner.
        tiles: what each is; those that show no face are left out.
        photo: a name of the photo, that is the same whenever it is taught.
    """
    shown = [i for i, tile in enumerate(tiles) if tile.is_numbered or tile == FALSE_JOKER]
    if not shown:
        return NOTHING_TAUGHT
    crops, fits = _turned(classifier, picture, [outlines[i] for i in shown])
    wanted = [tiles[i] for i in shown]
    best = [int(_fit(fit, [tile])[:, 0].argmax()) for fit, tile in zip(fits, wanted, strict=True)]
    return Taught(np.stack([crop[turn] for crop, turn in zip(crops, best, strict=True)]), tuple(wanted), (photo,) * len(wanted))


def place(classifier: Classifier, picture: Picture, outlines: Sequence[Corners], tiles: Sequence[Tile]) -> list[tuple[int, Tile]]:
    """Which outline shows which of the named tiles, found as the likeliest assignment.

    What is seen may be more than what is named. A place that surely shows another tile than the one left for it is
    left out: the named tile was not found at all.

    Returns:
        Pairs of an outline's index and its tile.
    """
    if not len(outlines) or not tiles:
        return []
    from scipy.optimize import linear_sum_assignment  # takes half a second to load; who reads an untaught set does without

    _, fits = _turned(classifier, picture, outlines)
    likely = np.stack([_fit(fit, tiles).max(0) for fit in fits])
    pairs = [(int(i), tiles[int(j)]) for i, j in zip(*linear_sum_assignment(-likely), strict=True)]
    return [(i, tile) for i, tile in pairs if _surely(fits[i]) in (None, tile)]


def _surely(scores: Scores) -> Tile | None:
    """The tile that a place shows for sure, its crops in all turns considered; None where there is doubt."""
    fit = _fit(scores, FACES).max(0)
    return FACES[int(fit.argmax())] if fit.max() > np.log(SURE) else None


def _turned(classifier: Classifier, picture: Picture, outlines: Sequence[Corners]) -> tuple[list[NDArray[np.uint8]], list[Scores]]:
    """For each outline its crops (4, 96, 64, 3) in all quarter turns, in such light as they are read in, and what the classifier says."""
    pyramid = without_veil(Pyramid(brightened(picture)), np.asarray(outlines, np.float32))
    crops = [np.stack([straighten(pyramid, turned) for turned in in_all_orders(np.asarray(quad, np.float32))]) for quad in outlines]
    return crops, [classifier.scores(four) for four in crops]


def _fit(scores: Scores, tiles: Sequence[Tile]) -> NDArray[np.float64]:
    """Log-likelihood (K, M) that each of K crops shows each of M tiles upright."""
    number, colour, upright = (np.log(softmax(part) + 1e-9) for part in (scores.number, scores.colour, scores.turn))
    of_tile = [number[:, _number(tile)] + (colour[:, COLOURS.index(tile.colour)] if tile.colour else 0.0) for tile in tiles]
    return np.stack(of_tile, axis=1) + upright[:, :1]


def _number(tile: Tile) -> int:
    """The classifier's column for the tile's number; the false joker has one, too."""
    return FALSE_JOKER_COLUMN if tile.number is None else tile.number - 1


class Profile:
    """How a taught set changes the classifier's scores of number and colour.

    Kernel logistic regression with the general classifier's scores as its offset, which is the most probable Gaussian
    process with these scores as its mean (Rasmussen and Williams 2006, chapter 3). A tile that resembles none that was taught
    keeps its general scores: a number never taught gets no worse. Numbers resemble each other in what the classifier's
    heads see, colours in their ink, whatever the number.
    """

    def __init__(self, taught: Taught, classifier: Classifier) -> None:
        """Fits the profile to the classifier's weights."""
        scores = classifier.scores(taught.crops)
        self._features, self._ink = _unit(scores.features), scores.ink
        coloured = [(i, COLOURS.index(tile.colour)) for i, tile in enumerate(taught.tiles) if tile.colour is not None]
        self._coloured, self._colours = np.array(coloured, int).reshape(-1, 2).T
        numbers = np.array([_number(tile) for tile in taught.tiles], int)
        self._number_weights = _fitted(_look_alike(self._features, self._features), scores.number, numbers)
        inks = self._ink[self._coloured]
        self._colour_weights = _fitted(_same_ink(inks, inks), scores.colour[self._coloured], self._colours)

    def adjusted(self, scores: Scores) -> Scores:
        """The scores with what was taught."""
        number = scores.number + _look_alike(_unit(scores.features), self._features) @ self._number_weights
        colour = scores.colour + _same_ink(scores.ink, self._ink[self._coloured]) @ self._colour_weights
        return replace(scores, number=number.astype(np.float32), colour=colour.astype(np.float32))

    @property
    def inks(self) -> dict[Colour, Ink]:
        """The set's colours as they are, those that were taught."""
        return inks_of([COLOURS[i] for i in self._colours], self._ink[self._coloured])


def _unit(features: Array) -> NDArray[np.float64]:
    """Features (N, F) of length 1."""
    return np.asarray(features / np.maximum(np.linalg.norm(features, axis=1, keepdims=True), 1e-6), np.float64)


def _look_alike(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Kernel (N, M) of features of length 1."""
    return np.asarray(NUMBER_FACTOR * np.exp(-LIKENESS * (1 - a @ b.T)))


def _same_ink(a: Array, b: Array) -> NDArray[np.float64]:
    """Kernel (N, M) of inks (N, 3) and (M, 3)."""
    away = ((a[:, None].astype(np.float64) - b[None]) ** 2).sum(2)
    return np.asarray(COLOUR_FACTOR * np.exp(-away / (2 * INK_REACH**2)))


def _fitted(kernel: NDArray[np.float64], scores: Array, classes: NDArray[np.int64]) -> Coefficients:
    """Coefficients (N, C) by which scores (N, C) plus kernel @ coefficients best name `classes`, shrunk to change little."""
    shape = scores.shape
    if not len(classes):
        return np.zeros(shape)
    from scipy.optimize import minimize  # see `place`

    wanted = np.eye(shape[1])[classes]

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        coefficients = flat.reshape(shape)
        change = kernel @ coefficients
        total = scores + change
        highest = total.max(1, keepdims=True)
        norm = highest + np.log(np.exp(total - highest).sum(1, keepdims=True))
        slope = kernel @ (np.exp(total - norm) - wanted) + change
        return float((norm[:, 0] - (total * wanted).sum(1)).sum() + 0.5 * (coefficients * change).sum()), slope.ravel()

    found = minimize(loss, np.zeros(scores.size), jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
    return np.asarray(found.x).reshape(shape)


def sets_folder() -> Path:
    """Where the user's sets are kept. Raises ProfileError when the user, as that of a service, has no home folder."""
    try:
        return user_data_path("istaka", appauthor=False) / "sets"
    except RuntimeError:
        raise ProfileError(Reason(NO_HOME)) from None


def taught_sets(folder: Path | None = None) -> list[str]:
    """The names of the sets that were taught, in alphabetical order."""
    try:
        paths = (folder or sets_folder()).glob(f"*{ENDING}")
    except ProfileError:  # where none can be kept
        return []
    return sorted((unquote(path.name.removesuffix(ENDING)) for path in paths), key=str.casefold)


def save(name: str, taught: Taught, folder: Path | None = None) -> None:
    """Stores a set under a name, in place of one that has it.

    Raises:
        ProfileError: when the name cannot be one, too few or too many tiles were taught, or the folder cannot be written to.
    """
    path = _path(name, folder)
    if not taught.tiles:
        raise ProfileError(Reason("there is no tile to teach from: name the tiles in the photo first"))
    if len(taught.tiles) > MOST_TILES:
        raise ProfileError(
            Reason("{count} tiles are too many: {most} at most, two or three photos are enough", count=len(taught.tiles), most=MOST_TILES)
        )
    new = path.with_name(f".{path.name}.{token_hex(4)}")  # its own, as two visitors may teach one set at once
    tiles = np.array(list(map(str, taught.tiles)))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with new.open("wb") as file:
            np.savez_compressed(file, version=VERSION, crops=taught.crops, tiles=tiles, photos=np.array(taught.photos))
        new.replace(path)
    except OSError as error:
        new.unlink(missing_ok=True)
        reason = Reason(
            "{folder} cannot be written to ({error}): free some space there", folder=str(path.parent), error=str(error.strerror)
        )
        raise ProfileError(reason) from None


def load(name: str, folder: Path | None = None) -> Taught:
    """What was taught of a set.

    Raises:
        ProfileError: when there is no such set, or its file is damaged or of a newer version.
    """
    path = _path(name, folder)
    if not path.exists():
        names = taught_sets(folder)
        if not names:
            raise ProfileError(Reason("there is no set {name}, none has been taught: istaka teach teaches one", name=name))
        raise ProfileError(Reason("there is no set {name}, only {names}: istaka teach teaches it", name=name, names=", ".join(names)))
    try:
        with np.load(path, allow_pickle=False) as file:
            if int(file["version"]) > VERSION:
                raise ProfileError(Reason("the set {name} was taught with a newer istaka: install that, or teach it again", name=name))
            return Taught(file["crops"], tuple(map(Tile.parse, file["tiles"].tolist())), tuple(file["photos"].tolist()))
    except ProfileError:
        raise
    except Exception as error:  # of what is damaged every layer below, ZIP, zlib, NumPy, makes errors of its own
        reason = Reason("the set {name} is damaged: delete {file} and teach it again", name=name, file=str(path))
        raise ProfileError(reason) from error


def taught_at(name: str, folder: Path | None = None) -> int:
    """When a set was taught last, in nanoseconds since 1970; 0 if there is none of that name."""
    path = _path(name, folder)
    return path.stat().st_mtime_ns if path.exists() else 0


def forget(name: str, folder: Path | None = None) -> None:
    """Deletes a set; nothing is done if there is none of that name."""
    _path(name, folder).unlink(missing_ok=True)


def _path(name: str, folder: Path | None) -> Path:
    """The file of a set. Raises ProfileError when the name cannot be one."""
    if not name.strip() or name != name.strip() or not name.isprintable():
        raise ProfileError(Reason("a set needs a name: a word or two"))
    file_name = quote(name, safe=" ") + ENDING  # only now: what is not printable may have no UTF-8
    if len(file_name) > LONGEST_FILE_NAME:
        raise ProfileError(Reason("the set’s name is too long: a word or two are enough"))
    return (folder or sets_folder()) / file_name
