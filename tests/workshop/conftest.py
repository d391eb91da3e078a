"""Shared fixtures of what renders."""

from pathlib import Path

import pytest

from vision.workshop.fonts import find_fonts


@pytest.fixture(scope="session")
def fonts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The list of usable fonts, found once."""
    cache = tmp_path_factory.mktemp("fonts") / "fonts.json"
    find_fonts(cache)
    return cache
