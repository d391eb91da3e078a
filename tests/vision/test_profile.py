"""Sets that a user teaches: what is learnt, what is left alone, and the files in which sets are kept."""

from __future__ import annotations

import tokenize
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.tiles import COLOURS, FACE_DOWN, Colour, Tile, parse_tiles
from vision.classify import Classifier, Scores, ink_of, softmax
from vision.light import brightened
from vision.profile import VERSION, Profile, ProfileError, Taught, cut, forget, load, place, save, taught_sets
from vision.sources import load_photo
from vision.straighten import Picture, Pyramid, straighten, white_balanced
from vision.workshop.ablate import STEPS, without
from vision.workshop.alter import veiled

SAMPLE = Path(__file__).resolve().parents[2] / "assistant" / "dashboard" / "sample.jpg"


@pytest.fixture(scope="module")
def reader():  # type: ignore[no-untyped-def]
    from vision.reader import TileReader

    return TileReader()


@pytest.fixture(scope="module")
def classifier(reader) -> Classifier:  # type: ignore[no-untyped-def]
    return reader.classifier


@pytest.fixture(scope="module")
def picture() -> Picture:
    return load_photo(SAMPLE)


@pytest.fixture(scope="module")
def seen(reader, picture: Picture) -> list[tuple[Tile, np.ndarray]]:  # type: ignore[no-untyped-def]
    """The sample's tiles, all read right, and their outlines."""
    return [(seen.tile, np.array(seen.outline, np.float32)) for seen in reader.read(picture).tiles]


@pytest.fixture(scope="module")
def lesson(classifier: Classifier, picture: Picture, seen: list[tuple[Tile, np.ndarray]]) -> Taught:
    return cut(classifier, picture, [outline for _, outline in seen], [tile for tile, _ in seen], "sample")


def part(lesson: Taught, chosen: list[int], tiles: list[Tile] | None = None) -> Taught:
    return Taught(lesson.crops[chosen], tuple(tiles or [lesson.tiles[i] for i in chosen]), ("sample",) * len(chosen))


def right(scores: Scores, tiles: list[Tile]) -> np.ndarray:
    """The chance of each tile's own number and colour (N,)."""
    number, colour = softmax(scores.number), softmax(scores.colour)
    return np.array(
        [number[i, 13 if t.number is None else t.number - 1] * (colour[i, COLOURS.index(t.colour)] if t.colour else 1)
         for i, t in enumerate(tiles)]
    )  # fmt: skip


def test_the_crops_of_named_tiles_stand_upright_however_their_outlines_begin(
    classifier: Classifier, picture: Picture, seen: list[tuple[Tile, np.ndarray]], lesson: Taught
) -> None:
    turned = cut(classifier, picture, [np.roll(outline, 2, 0) for _, outline in seen], [tile for tile, _ in seen], "sample")
    assert np.array_equal(turned.crops, lesson.crops)


def test_a_tile_that_the_pictures_edge_cuts_is_taught_as_it_is_read(reader, picture: Picture) -> None:  # type: ignore[no-untyped-def]
    """In the outline that goes on beyond the edge: squeezed into the picture the number would be another."""
    first = reader.read(picture).tiles[0]
    left = int(np.mean(first.outline, 0)[0] - 0.15 * np.ptp(np.array(first.outline), axis=0)[0])
    part = np.ascontiguousarray(picture[:, left:])
    cut_off = [seen for seen in reader.read(part).tiles if np.min(seen.outline) < 0]
    middle = np.mean(first.outline, 0) - np.array([left, 0])
    again = min(cut_off, key=lambda seen: float(np.linalg.norm(np.mean(seen.outline, 0) - middle)))
    taught = cut(reader.classifier, part, [np.array(again.outline, np.float32)], [first.tile], "cut")
    squeezed = cut(reader.classifier, part, [np.array(again.polygon_in((10**4, 10**4)), np.float32)], [first.tile], "cut")
    sure, unsure = (right(reader.classifier.scores(lesson.crops), [first.tile])[0] for lesson in (taught, squeezed))
    assert sure > 0.9 > unsure


@pytest.mark.parametrize("light", [np.diag([0.05, 0.05, 0.05]), np.diag([0.02, 0.04, 0.9])], ids=["hardly any", "red"])
def test_what_a_photo_in_bad_light_teaches_is_what_is_read_there(
    classifier: Classifier, picture: Picture, seen: list[tuple[Tile, np.ndarray]], light: np.ndarray
) -> None:
    dim = np.asarray(cv2.transform(picture, light), np.uint8)
    taught = cut(classifier, dim, [outline for _, outline in seen], [tile for tile, _ in seen], "sample")
    read = Pyramid(brightened(dim))
    as_read = np.stack([straighten(read, outline) for _, outline in seen])
    assert np.abs(white_balanced(taught.crops) - white_balanced(as_read)).mean() < 0.02


def test_what_a_veiled_photo_teaches_is_what_a_clear_one_would(
    classifier: Classifier, picture: Picture, seen: list[tuple[Tile, np.ndarray]], lesson: Taught
) -> None:
    """As it is read: a set taught by a smeared lens is known through a clean one."""
    smeared = veiled(0.4, (0.4, 0.8, 1.3))(picture)
    taught = cut(classifier, smeared, [outline for _, outline in seen], [tile for tile, _ in seen], "sample")
    clear, lifted = (ink_of(white_balanced(crops)) for crops in (lesson.crops, taught.crops))
    assert np.abs(lifted - clear).max() < 0.15
    with without(STEPS["veils stay"]):
        as_it_is = cut(classifier, smeared, [outline for _, outline in seen], [tile for tile, _ in seen], "sample")
    assert np.abs(ink_of(white_balanced(as_it_is.crops)) - clear).max() > 0.3


def test_what_shows_no_face_is_not_taught(classifier: Classifier, picture: Picture, seen: list[tuple[Tile, np.ndarray]]) -> None:
    assert cut(classifier, picture, [seen[0][1]], [FACE_DOWN], "sample").tiles == ()


def test_tiles_named_in_any_order_find_their_places(classifier: Classifier, picture: Picture, seen: list[tuple[Tile, np.ndarray]]) -> None:
    named = sorted((tile for tile, _ in seen[2:]), key=str)
    pairs = place(classifier, picture, [outline for _, outline in seen], named)
    assert pairs == [(i, seen[i][0]) for i in range(2, len(seen))]


def test_a_named_tile_that_is_not_there_takes_no_other_place(
    classifier: Classifier, picture: Picture, seen: list[tuple[Tile, np.ndarray]]
) -> None:
    red_three = [i for i, (tile, _) in enumerate(seen) if str(tile) == "R3"]
    assert place(classifier, picture, [seen[i][1] for i in red_three], parse_tiles("B7")) == []


def test_a_digit_that_is_read_wrong_is_learnt_and_no_other_is_touched(classifier: Classifier, lesson: Taught) -> None:
    """A set with a strange 4: it looks as a 9 in a mirror, which is read as another number."""
    tiles = list(lesson.tiles)
    nines = [i for i, tile in enumerate(tiles) if tile.number == 9]
    others = [i for i in range(len(tiles)) if i not in nines]
    crops = lesson.crops.copy()
    crops[nines] = crops[nines][:, :, ::-1]
    fours = [Tile(tiles[i].colour, 4) for i in nines]
    profile = Profile(part(Taught(crops, lesson.tiles, lesson.photos), nines, fours), classifier)
    seen_again = classifier.scores(np.roll(crops, 1, axis=(1, 2)))
    after = profile.adjusted(seen_again)
    assert 3 not in softmax(seen_again.number)[nines].argmax(1)
    assert softmax(after.number)[nines].argmax(1).tolist() == [3] * len(nines)
    assert (right(after, tiles)[others] > right(seen_again, tiles)[others] - 0.02).all()


def test_a_number_never_taught_gets_no_worse(classifier: Classifier, lesson: Taught) -> None:
    tiles = list(lesson.tiles)
    scores = classifier.scores(lesson.crops)
    for number in {tile.number for tile in tiles}:
        never = [i for i, tile in enumerate(tiles) if tile.number == number]
        after = Profile(part(lesson, [i for i in range(len(tiles)) if i not in never]), classifier).adjusted(scores)
        assert (right(after, tiles)[never] > right(scores, tiles)[never] - 0.02).all()


def test_green_in_place_of_blue_is_learnt_for_all_numbers(classifier: Classifier, lesson: Taught) -> None:
    blue = [i for i, tile in enumerate(lesson.tiles) if tile.colour is Colour.BLUE]
    green = lesson.crops.copy()
    green[blue] = green[blue][..., [1, 0, 2]]
    taught, new = blue[:2], blue[2:]
    others = [i for i in range(len(lesson.tiles)) if i not in blue]
    before = classifier.scores(green)
    profile = Profile(part(Taught(green, lesson.tiles, lesson.photos), [*others, *taught]), classifier)
    after = profile.adjusted(before)
    tiles = list(lesson.tiles)
    assert (softmax(after.colour)[new, COLOURS.index(Colour.BLUE)] > 0.8).all()
    assert (softmax(before.colour)[new, COLOURS.index(Colour.BLUE)] < 0.5).any(), "else nothing was to be learnt"
    assert (right(after, tiles)[others] > right(before, tiles)[others] - 0.02).all()
    red, high, low = profile.inks[Colour.BLUE]
    assert high > max(red, low) + 0.1, "the set's colours are shown as they are"


def test_a_photo_taught_again_replaces_what_it_taught(lesson: Taught) -> None:
    other = Taught(lesson.crops[:2], lesson.tiles[:2], ("other", "other"))
    both = lesson.with_photo(other)
    assert len(both.tiles) == len(lesson.tiles) + 2
    again = both.with_photo(part(lesson, [0]))
    assert again.tiles == (*other.tiles, lesson.tiles[0])


def test_a_set_that_two_visitors_teach_at_once_is_whole(lesson: Taught, tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as visitors:
        for saved in [visitors.submit(save, "tea house", lesson, tmp_path) for _ in range(12)]:
            saved.result()
    assert load("tea house", tmp_path).tiles == lesson.tiles
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("name", ["tea house", "Çay evi", "чай", "../up", "a/b", "..", "50%"])
def test_sets_are_kept_under_any_name(name: str, lesson: Taught, tmp_path: Path) -> None:
    folder = tmp_path / "sets"
    save(name, part(lesson, [0, 1]), folder)
    save(name, lesson, folder)
    assert taught_sets(folder) == [name]
    assert [path.parent for path in tmp_path.rglob("*.npz")] == [folder]
    kept = load(name, folder)
    assert (kept.tiles, kept.photos) == (lesson.tiles, lesson.photos)
    assert np.array_equal(kept.crops, lesson.crops)
    forget(name, folder)
    assert taught_sets(folder) == []


@pytest.mark.parametrize("name", ["", " ", " a", "a\nb", "x" * 300, "\udcff"])
def test_what_is_no_name_gets_a_sentence(name: str, lesson: Taught, tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="name"):
        save(name, lesson, tmp_path)


def test_an_unknown_set_names_those_that_there_are(lesson: Taught, tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="none has been taught"):
        load("ours", tmp_path)
    save("theirs", lesson, tmp_path)
    with pytest.raises(ProfileError, match="only theirs"):
        load("ours", tmp_path)


def test_files_that_are_damaged_newer_or_pickled_are_refused(lesson: Taught, tmp_path: Path) -> None:
    save("whole", lesson, tmp_path)
    (tmp_path / "cut.npz").write_bytes((tmp_path / "whole.npz").read_bytes()[:-400])
    (tmp_path / "empty.npz").write_bytes(b"")
    crops = lesson.crops[:1]
    np.savez(tmp_path / "newer.npz", version=VERSION + 1, crops=crops, tiles=np.array(["R1"]), photos=np.array(["a"]))
    np.savez(tmp_path / "pickled.npz", version=VERSION, crops=crops, tiles=np.array([Tile.parse("R1")], object), photos=np.array(["a"]))
    np.savez(tmp_path / "no-face.npz", version=VERSION, crops=crops, tiles=np.array(["#"]), photos=np.array(["a"]))
    for name, problem in {"cut": "damaged", "empty": "damaged", "newer": "newer", "pickled": "damaged", "no-face": "damaged"}.items():
        with pytest.raises(ProfileError, match=problem):
            load(name, tmp_path)


@pytest.mark.parametrize(
    "error",
    [zlib.error("invalid block type"), NotImplementedError("compression method 9"), tokenize.TokenError("EOF in a header"), SyntaxError()],
)
def test_a_file_is_damaged_whatever_fails_in_it(error: Exception, lesson: Taught, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object, **__: object) -> None:
        raise error

    save("ours", lesson, tmp_path)
    monkeypatch.setattr(np, "load", failing)
    with pytest.raises(ProfileError, match="the set ours is damaged: delete"):
        load("ours", tmp_path)


def test_a_file_with_any_one_byte_wrong_is_read_or_damaged(lesson: Taught, tmp_path: Path) -> None:
    save("ours", part(lesson, [0]), tmp_path)
    path = tmp_path / "ours.npz"
    whole = path.read_bytes()
    for at in range(0, len(whole), len(whole) // 400):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        with suppress(ProfileError):
            load("ours", tmp_path)


def test_nothing_taught_and_too_much_are_refused(lesson: Taught, tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="no tile"):
        save("ours", part(lesson, []), tmp_path)
    many = Taught(np.repeat(lesson.crops, 14, 0), lesson.tiles * 14, lesson.photos * 14)
    with pytest.raises(ProfileError, match="too many"):
        save("ours", many, tmp_path)
    assert taught_sets(tmp_path) == []
