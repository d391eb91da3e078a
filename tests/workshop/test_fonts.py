"""The usable fonts of this computer, and those that a folder of scenes is drawn with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vision.workshop import fonts
from vision.workshop.fonts import NoFontsError, find_fonts, fonts_of


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of fonts, all of them legible as long as they are not empty, in place of those of this computer; nothing is known of it."""
    folder = tmp_path / "installed"
    folder.mkdir()
    monkeypatch.setattr(fonts, "FONT_FOLDERS", (folder,))
    monkeypatch.setattr(fonts, "_legible", lambda files: tuple(file for file in files if Path(file).stat().st_size))
    monkeypatch.setattr(fonts, "user_cache_path", lambda *_, **__: tmp_path / "cache")
    return folder


def as_if_begun_anew() -> None:
    fonts._kept_or_found.cache_clear()


def test_fonts_are_looked_for_once(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (installed / "a.ttf").write_bytes(b"a")
    (installed / "none.ttf").touch()
    assert find_fonts() == (str(installed / "a.ttf"),)
    monkeypatch.setattr(fonts, "_legible", lambda _: pytest.fail("looked for again"))
    assert find_fonts() == (str(installed / "a.ttf"),)
    as_if_begun_anew()
    assert find_fonts() == (str(installed / "a.ttf"),)


def test_fonts_that_come_go_and_change_are_noticed(installed: Path) -> None:
    def found() -> list[str]:
        as_if_begun_anew()
        return [Path(path).name for path in find_fonts()]

    for name in ("b.ttf", "a.otf"):
        (installed / name).write_bytes(b"a")
    assert found() == ["a.otf", "b.ttf"]
    (installed / "Symbola.ttf").write_bytes(b"a")
    assert found() == ["Symbola.ttf", "a.otf", "b.ttf"]
    (installed / "b.ttf").unlink()
    (installed / "a.otf").write_bytes(b"")
    (installed / "c.ttf").symlink_to(installed / "gone.ttf")
    assert found() == ["Symbola.ttf"]


@pytest.mark.parametrize("kept", [b"{bad", b"\xff\xfe", b"[1, 2]", b'{"a": 1}', b'["/gone/Symbola.ttf"]'])
def test_what_else_is_kept_in_the_users_cache_is_replaced(kept: bytes, installed: Path, tmp_path: Path) -> None:
    (installed / "a.ttf").write_bytes(b"a")
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "fonts.json").write_bytes(kept)
    as_if_begun_anew()
    assert find_fonts() == (str(installed / "a.ttf"),)
    assert json.loads((tmp_path / "cache" / "fonts.json").read_bytes())["fonts"] == [str(installed / "a.ttf")]


def test_a_cache_that_cannot_be_written_is_done_without(installed: Path, tmp_path: Path) -> None:
    (installed / "a.ttf").write_bytes(b"a")
    (tmp_path / "cache").write_text("a file where the folder should be")
    as_if_begun_anew()
    assert find_fonts() == (str(installed / "a.ttf"),)


def test_a_folder_of_scenes_keeps_the_fonts_that_it_was_begun_with(installed: Path, tmp_path: Path) -> None:
    for name in ("a.ttf", "Symbola.ttf"):
        (installed / name).write_bytes(b"a")
    begun = fonts_of(tmp_path)
    (installed / "b.ttf").write_bytes(b"a")
    assert fonts_of(tmp_path) == begun == tuple(str(installed / name) for name in ("Symbola.ttf", "a.ttf"))
    assert len(find_fonts()) == 3


def test_a_folder_of_scenes_is_not_begun_while_fonts_are_missing(installed: Path, tmp_path: Path) -> None:
    (installed / "a.ttf").write_bytes(b"a")
    assert fonts_of(tmp_path) == (str(installed / "a.ttf"),)
    (installed / "Symbola.ttf").write_bytes(b"a")
    assert len(fonts_of(tmp_path)) == 2


@pytest.mark.parametrize("listed", [b"{bad", b"\xff\xfe", b"[1, 2]", b'{"a": 1}', b'["/gone/Symbola.ttf"]'])
def test_a_folder_that_lists_no_fonts_gets_a_sentence_and_is_kept(listed: bytes, tmp_path: Path) -> None:
    (tmp_path / "fonts.json").write_bytes(listed)
    with pytest.raises(NoFontsError, match="does not name fonts that are here: move it away"):
        fonts_of(tmp_path)
    assert (tmp_path / "fonts.json").read_bytes() == listed
