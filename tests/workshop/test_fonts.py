"""The list of usable fonts that rendering keeps beside its scenes."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.workshop import fonts
from vision.workshop.fonts import NoFontsError, find_fonts


@pytest.mark.parametrize("kept", [b"{bad", b"\xff\xfe", b"[1, 2]", b'{"a": 1}', b'["/gone/Symbola.ttf"]'])
def test_a_file_that_is_no_list_of_fonts_gets_a_sentence_and_is_kept(kept: bytes, tmp_path: Path) -> None:
    cache = tmp_path / "fonts.json"
    cache.write_bytes(kept)
    with pytest.raises(NoFontsError, match="does not name fonts that are here: move it away"):
        find_fonts(cache)
    assert cache.read_bytes() == kept


def test_fonts_that_are_installed_when_they_were_missed_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache, installed = tmp_path / "fonts.json", [tmp_path / "a.ttf"]
    monkeypatch.setattr(fonts, "_legible", lambda _: tuple(map(str, installed)))
    assert find_fonts(cache) == [str(tmp_path / "a.ttf")]
    installed.append(tmp_path / "Symbola.ttf")
    for path in installed:
        path.touch()
    assert find_fonts(cache) == find_fonts(cache) == list(map(str, installed))
    assert cache.exists()
