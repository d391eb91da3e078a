"""A set is taught on the page, chosen there, and remembered by the browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from assistant.dashboard import photo
from tests.dashboard.conftest import stands_still, tap
from vision.light import with_light_faces
from vision.profile import save
from vision.reader import TileReader
from vision.sources import load_photo

playwright = pytest.importorskip("playwright.sync_api", reason="the browser test needs playwright: pip install '.[test]'")


SAMPLE = Path(photo.__file__).with_name("sample.jpg")
NAME = "**Çay** evi ![x](a.png)"
"""Of a set: pages show it as it is."""


@pytest.fixture(scope="module", autouse=True)
def _own_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where this module's dashboard keeps its sets."""
    folder = tmp_path_factory.mktemp("user")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder))
        yield folder


def test_a_set_is_taught_chosen_remembered_and_forgotten(visit: Callable[[str], playwright.Page], _own_data_folder: Path) -> None:
    page = visit("")
    tap(page.get_by_role("button", name="Set: any"))
    page.get_by_label("Name of the set").fill(NAME)
    page.get_by_label("Name of the set").press("Enter")
    tap(page.get_by_role("button", name="Teach", exact=True))
    playwright.expect(page.get_by_test_id("stToast")).to_contain_text(f"{NAME}: 16 tiles learnt from one photo")
    assert len(list(_own_data_folder.rglob("sets/*.npz"))) == 1
    playwright.expect(page.get_by_role("button", name=f"Set: {NAME}")).to_be_visible()
    for part in (".rack", ".playing"):
        red = page.locator(f"{part} .face.red").first
        playwright.expect(red).to_be_visible()
        playwright.expect(red, "the inks are those of the set").not_to_have_css("--ink", "#c8202f")

    stands_still(page)
    page.reload()
    playwright.expect(page.locator(".sentence")).to_contain_text("This hand wins")
    tap(page.get_by_role("button", name=f"Set: {NAME}"))
    tap(page.get_by_role("button", name="Forget this set"))
    playwright.expect(page.get_by_test_id("stPopoverBody")).to_contain_text(NAME)
    playwright.expect(page.get_by_role("button", name="Forget this set"), "the question takes its place").to_have_count(0)
    playwright.expect(page.get_by_role("button", name="Forget it for everyone")).to_be_in_viewport(ratio=1)
    tap(page.get_by_role("button", name="Forget it for everyone"))
    playwright.expect(page.get_by_role("button", name="Set: any")).to_be_visible()
    assert list(_own_data_folder.rglob("sets/*.npz")) == []


def test_a_photo_of_dark_tiles_teaches_what_was_read_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Crops as of light faces, as the classifier saw them: those of the picture as it is would teach it its opposite."""
    monkeypatch.setattr("vision.profile.sets_folder", lambda: tmp_path)
    dark = with_light_faces(load_photo(SAMPLE))
    shown = photo.photo_of(dark, TileReader().read(dark), b"dark")
    taught = photo.teach("ours", shown, [(tile.tile, tile.outline) for tile in shown.reading.tiles])
    assert len(taught.tiles) == 16
    assert np.median(taught.crops, axis=(1, 2, 3)).min() > 128 > np.median(dark)


def test_what_is_taught_elsewhere_is_read_with_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As by `istaka teach` beside the dashboard, which has read with the set before."""
    monkeypatch.setattr("vision.profile.sets_folder", lambda: tmp_path)
    shown = photo.read_photo(SAMPLE.read_bytes())
    lesson = photo.teach("ours", shown, [(tile.tile, tile.outline) for tile in shown.reading.tiles])
    before = photo.profile_of("ours")
    assert photo.profile_of("ours") is before
    save("ours", lesson)
    assert photo.profile_of("ours") is not before
