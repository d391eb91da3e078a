"""The page in a real browser: upload, verdict, correction, new verdict, and files that are no photos."""

from __future__ import annotations

import io
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from assistant.dashboard.options import STREAMLIT_OPTIONS
from tests.dashboard.photos import FORTY, WIN, photo_of

playwright = pytest.importorskip("playwright.sync_api", reason="the browser test needs playwright: pip install '.[test]'")

ROOT = Path(__file__).resolve().parents[2]
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"]
PATIENCE_S = 90
"""How long a slow machine may take for anything."""
WINDOWS = {"desktop": (1280, 900), "phone": (390, 844)}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A dashboard of its own, stopped afterwards."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    app = str(ROOT / "assistant" / "dashboard" / "app.py")
    options = {"server.headless": "true", "server.address": "localhost", "server.port": str(port), **STREAMLIT_OPTIONS}
    command = [sys.executable, "-m", "streamlit", "run", app, *(f"--{name}={value}" for name, value in options.items())]
    server = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.DEVNULL)
    try:
        _wait_until_healthy(f"http://localhost:{port}/_stcore/health", server)
        yield f"http://localhost:{port}"
    finally:
        server.terminate()
        server.wait(PATIENCE_S)


def _wait_until_healthy(url: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        assert server.poll() is None, "the dashboard ended as it started"
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            time.sleep(0.2)
    pytest.fail("the dashboard did not start")


@pytest.fixture(scope="module")
def browser() -> Iterator[playwright.Browser]:
    """Headless Chromium."""
    chromium = shutil.which("chromium")
    if chromium is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is missing in CI")
        pytest.skip("there is no Chromium here: apt install chromium")
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=chromium, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(params=WINDOWS)
def page(request: pytest.FixtureRequest, address: str, browser: playwright.Browser) -> Iterator[playwright.Page]:
    """The page as a new visitor sees it, on a desktop and on a phone."""
    width, height = WINDOWS[request.param]
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=request.param == "phone")
    context.set_default_timeout(1000 * PATIENCE_S)
    opened = context.new_page()
    opened.goto(address)
    _says(opened, "This hand wins")
    yield opened
    context.close()


def _picture(width: int, height: int = 400, form: str = "JPEG") -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (width, height), "tan").save(file, form)
    return file.getvalue()


def _upload(page: playwright.Page, data: bytes, name: str = "rack.jpg") -> None:
    """Gives the page a photo, in place of the one before, once the page stands still."""
    playwright.expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning", timeout=1000 * PATIENCE_S)
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files({"name": name, "mimeType": "image/jpeg", "buffer": data})


def _says(page: playwright.Page, text: str) -> None:
    """Waits until the verdict says this."""
    playwright.expect(page.locator(".sentence")).to_contain_text(text, timeout=1000 * PATIENCE_S)


def _complains(page: playwright.Page, text: str) -> None:
    """Waits until the page says why a photo cannot be used."""
    playwright.expect(page.get_by_test_id("stAlert")).to_contain_text(text, timeout=1000 * PATIENCE_S)


def _choose(page: playwright.Page, face: str) -> None:
    """Taps a face in the dialog and waits until it is gone."""
    page.locator(f"[role=dialog] .faces [data-key={face}]").click()
    page.get_by_role("dialog").wait_for(state="detached")


def test_a_photo_is_judged_corrected_and_judged_again(page: playwright.Page) -> None:
    _upload(page, photo_of(WIN.replace("Y13", "R9"), "K11"))
    _says(page, "One tile from a win")
    page.locator(".rack").get_by_role("button", name="red 9").click()
    _choose(page, "Y13")
    _says(page, "This hand wins")
    playwright.expect(page.locator(".rack .tile.hand")).to_have_attribute("title", "yellow 13, said by you")
    page.get_by_role("button", name="Undo").click()
    _says(page, "One tile from a win")


def test_a_correction_outlives_another_photo(page: playwright.Page) -> None:
    _upload(page, photo_of(WIN.replace("Y13", "R9"), "K11"))
    _says(page, "One tile from a win")
    page.locator(".rack").get_by_role("button", name="red 9").click()
    _choose(page, "Y13")
    _says(page, "This hand wins")
    _upload(page, _picture(640))
    _says(page, "No tiles were found")
    _upload(page, photo_of(WIN.replace("Y13", "R9"), "K11"))
    _says(page, "This hand wins")


def test_tiles_are_added_and_removed(page: playwright.Page) -> None:
    page.locator(".rack").get_by_role("button", name="red 8").click()
    page.get_by_role("button", name="Not in the hand").click()
    page.get_by_role("dialog").wait_for(state="detached")
    _says(page, "With sets and runs.")
    page.get_by_role("button", name="Add a tile").click()
    _choose(page, "B9")
    _says(page, "Discard the okey, blue 9: the win counts double.")


def test_the_indicator_is_picked_or_read_from_a_second_photo(page: playwright.Page) -> None:
    _upload(page, photo_of(WIN))
    _says(page, "The indicator is not known")
    page.get_by_role("button", name="Pick the indicator").click()
    _choose(page, "B1")
    _says(page, "This hand wins")
    page.locator(".deal [data-key=indicator]").click()
    second = page.get_by_role("dialog").get_by_test_id("stFileUploaderDropzoneInput")
    second.set_input_files({"name": "indicator.jpg", "mimeType": "image/jpeg", "buffer": photo_of("", "K12")})
    page.locator("[role=dialog] .group [data-key=K12]").click()
    page.get_by_role("dialog").wait_for(state="detached")
    playwright.expect(page.locator(".deal [data-key=indicator]")).to_have_attribute("title", "black 12, said by you")


def test_a_file_that_is_no_photo_gets_a_sentence_and_nothing_is_lost(page: playwright.Page) -> None:
    page.locator(".rack").get_by_role("button", name="red 8").click()
    _choose(page, "B9")
    _says(page, "the win counts double")
    for data, reason in (
        (b"", "is empty"),
        (b"not a photo", "is no photo"),
        (_picture(400)[:-50], "is cut off"),
        (_picture(1, 1, "PNG"), "1 x 1 pixels"),
        (_picture(10_000, 10_000, "PNG"), "100 megapixels"),
    ):
        _upload(page, data)
        _complains(page, reason)
        _says(page, "the win counts double")


def test_a_photo_that_shows_no_hand_gets_a_sentence(page: playwright.Page) -> None:
    for photo, sentence in ((_picture(640), "No tiles were found"), (photo_of(FORTY), "40 tiles were read")):
        _upload(page, photo)
        _says(page, sentence)


def test_three_copies_of_a_tile_get_a_sentence(page: playwright.Page) -> None:
    for tile in ("red 8", "blue 13"):
        page.locator(".rack").get_by_role("button", name=tile).click()
        _choose(page, "R3")
    _says(page, "3 copies of R3")


def test_nothing_sticks_out_sideways(page: playwright.Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for row in page.locator(".row").all():
        heights = {round(box["y"]) for tile in row.locator(".tile").all() if (box := tile.bounding_box())}
        assert len(heights) == 1, "a row of the rack stands in one line"
