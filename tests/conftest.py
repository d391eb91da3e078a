"""Shared fixtures."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PHOTOS = ROOT.parent / "shared" / "photos"


@pytest.fixture(scope="session")
def photos_folder() -> Path:
    """The labelled real photos, which are not part of the repository."""
    if not (PHOTOS / "truth.jsonl").exists():
        if os.environ.get("CI"):
            pytest.fail(f"the labelled photos are missing in CI: {PHOTOS}")
        pytest.skip("the labelled photos are not here (../shared/photos)")
    return PHOTOS
