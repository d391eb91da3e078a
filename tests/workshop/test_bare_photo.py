"""Photos whose tiles bear the numbers of another set."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.tiles import Tile
from vision.reader import TileReader
from vision.reading import Reading
from vision.sources import load_photo
from vision.straighten import Picture
from vision.workshop import card
from vision.workshop.bare_photo import BarePhoto
from vision.workshop.bench import SAMPLE
from vision.workshop.evaluate import score
from vision.workshop.fonts import NoFontsError, Pens, fonts_for
from vision.workshop.photos import LabelledPhoto, load_truth, picture_of, split_of
from vision.workshop.sets import SetStyle, random_style


@pytest.fixture(scope="module")
def pens() -> Pens:
    """What other numbers are written with."""
    try:
        return fonts_for(held_back=True)
    except NoFontsError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def style(pens: Pens) -> SetStyle:
    """A set that is not the sample's."""
    return random_style(np.random.default_rng(1), pens.digits, pens.symbols)


@pytest.fixture(scope="module")
def sample() -> tuple[LabelledPhoto, Picture, Reading]:
    """The sample, labelled with what is read of it."""
    picture = load_photo(SAMPLE)
    reading = TileReader().read(picture)
    photo = LabelledPhoto(
        photo="sample.jpg",
        set="ours",
        kind="rack",
        size=reading.size,
        tiles=tuple((seen.tile, tuple(map(tuple, seen.outline))) for seen in reading.tiles),
        contains=None,
        rack=reading.rack,
        gaps_labelled=True,
        indicator=reading.indicator,
        ignore=(),
        extra_allowed=False,
    )
    return photo, picture, reading


def _on(photo: LabelledPhoto, outlines: list[int], grown: float = 1.0) -> np.ndarray:
    """Where these tiles of a photo lie."""
    assert photo.tiles is not None
    lies = np.zeros(photo.size[::-1], np.uint8)
    for number in outlines:
        corners = np.array(photo.tiles[number][1])
        cv2.fillConvexPoly(lies, (corners.mean(0) + grown * (corners - corners.mean(0))).round().astype(np.int32), 1)
    return lies > 0


def test_every_tile_bears_its_number_as_another_set_has_it(sample: tuple[LabelledPhoto, Picture, Reading], style: SetStyle) -> None:
    photo, picture, reading = sample
    bare = BarePhoto(photo, picture, reading)
    seen = bare.bearing(style, np.random.default_rng(1))
    counts = score(bare.known, TileReader().read(seen))
    assert bare.known == photo
    assert (counts.of, counts.right, counts.extra, counts.rack_exact, counts.indicator_right) == (16, 16, 0, 1, 1)
    tiles = _on(photo, list(range(16)), 1.05)
    changed = np.abs(seen.astype(int) - picture).max(2)
    assert changed[~tiles].max() == 0, "what lies around the tiles stays"
    assert 0.1 < (changed[tiles] > 30).mean() < 0.6


def test_without_other_ink_the_faces_are_bare(sample: tuple[LabelledPhoto, Picture, Reading], style: SetStyle) -> None:
    photo, picture, reading = sample
    bare = replace(style, draw_number=lambda *_: [], draw_joker=lambda *_: [])
    seen = BarePhoto(photo, picture, reading).bearing(bare, np.random.default_rng(1))
    faces = _on(photo, list(range(16)), 0.75)
    assert np.percentile(picture[faces].min(1), 5) < 90, "ink is dark in one channel at least"
    assert np.percentile(seen[faces].min(1), 1) > 150
    assert not any(tile.tile.is_numbered and tile.confidence >= 0.9 for tile in TileReader().read(seen).tiles)


def test_a_tile_that_is_not_read_rightly_stays_as_it_is_and_is_passed_over(
    sample: tuple[LabelledPhoto, Picture, Reading], style: SetStyle
) -> None:
    photo, picture, reading = sample
    assert photo.tiles is not None
    misread = replace(photo, tiles=((Tile.parse("K13"), photo.tiles[0][1]), *photo.tiles[1:]))
    bare = BarePhoto(misread, picture, reading)
    seen = bare.bearing(style, np.random.default_rng(1))
    assert bare.known == replace(photo, tiles=photo.tiles[1:], ignore=(photo.tiles[0][1],), rack=None, indicator=None)
    first = _on(photo, [0], 0.9)
    assert (seen[first] == picture[first]).all()
    assert (seen[_on(photo, [1])] != picture[_on(photo, [1])]).any()


def test_real_photos_in_the_numbers_of_other_sets_are_read(photos_folder: Path, pens: Pens) -> None:
    reader, right, of = TileReader(), 0, 0
    for number, photo in enumerate([photo for photo in load_truth(photos_folder) if split_of(photo) == "train" and photo.tiles][::10]):
        picture = load_photo(picture_of(photos_folder, photo))
        rng = np.random.default_rng(number)
        style = random_style(rng, pens.digits, pens.symbols)
        bare = BarePhoto(photo, picture, reader.read(picture))
        counts = score(bare.known, reader.read(bare.bearing(style, rng)))
        right, of = right + counts.right, of + counts.of
    assert of > 100
    assert right / of >= 0.97


@pytest.mark.usefixtures("pens")
def test_photos_without_a_tile_leave_what_was_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(card, "CARD", Path(shutil.copy(card.CARD, tmp_path / "README.md")))
    empty = {"photo": "rummyBackground-2.jpg", "set": "rummikub-nvypk", "kind": "empty", "size": [64, 64], "tiles": []}
    (tmp_path / "truth.jsonl").write_text(json.dumps(empty))
    before = card.CARD.read_bytes()
    assert card.main(["reinked", "--photos", str(tmp_path)]) == 2
    assert "reinked stays as it was" in capsys.readouterr().err
    assert card.CARD.read_bytes() == before
