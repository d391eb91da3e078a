"""Shared fixtures."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes depends on what else the machine does: no test is timed.
settings.register_profile("untimed", settings.default, deadline=None)
settings.load_profile("untimed")

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
