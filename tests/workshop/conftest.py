"""Shared fixtures of what renders."""

import pytest

from vision.workshop.fonts import find_fonts


@pytest.fixture(scope="session")
def fonts() -> tuple[str, ...]:
    """The usable fonts."""
    return find_fonts()
