"""The dashboard in a real browser: a server with a database of its own, headless Chromium, and visitors."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assistant.dashboard import texts

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page

ROOT = Path(__file__).resolve().parents[2]
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"]
PATIENCE_S = 90
"""How long a slow machine may take for anything."""
WINDOWS = {"desktop": (1280, 900), "phone": (390, 844)}
on_a_desktop = pytest.mark.parametrize("visit", ["desktop"], indirect=True)
"""For tests of what only a desktop has, as a keyboard."""
in_both_windows = pytest.mark.parametrize("visit", WINDOWS, indirect=True)
"""For a page's usual way and for how it is laid out: what else is tested is the same in both, and a phone has less room."""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The URL of a new database."""
    return f"sqlite:///{tmp_path_factory.mktemp('data') / 'tables.db'}"


@pytest.fixture(scope="module")
def address(database: str) -> Iterator[str]:
    """A dashboard of its own, stopped afterwards."""
    port = free_port()
    with serving(port, database):
        yield f"http://localhost:{port}"


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def serving(port: int, database: str, *options: str) -> Iterator[None]:
    """A dashboard at this port, stopped afterwards."""
    command = [sys.executable, "-m", "assistant", "serve", "--port", str(port), "--db", database, *options]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        _wait_until_healthy(f"http://localhost:{port}/_stcore/health", server)
        yield
    finally:
        os.killpg(server.pid, signal.SIGINT)  # as Ctrl+C in a terminal: the command and the server that it started
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
def launch() -> Iterator[Callable[..., Browser]]:
    """Starts headless Chromium, with further flags if there are any."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the browser test needs playwright: pip install '.[test]'")
    chromium = shutil.which("chromium")
    if chromium is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is missing in CI")
        pytest.skip("there is no Chromium here: apt install chromium")
    playwright.expect.set_options(timeout=1000 * PATIENCE_S)
    with playwright.sync_playwright() as running:
        started: list[Browser] = []

        def start(*flags: str) -> Browser:
            started.append(running.chromium.launch(executable_path=chromium, args=[*FLAGS, *flags]))
            return started[-1]

        yield start
        for each in started:
            each.close()


@pytest.fixture(scope="module")
def browser(launch: Callable[..., Browser]) -> Browser:
    """Headless Chromium."""
    return launch()


@pytest.fixture
def visit(request: pytest.FixtureRequest, address: str, browser: Browser) -> Iterator[Callable[[str], Page]]:
    """Opens a page of the dashboard as a new visitor, on a phone unless the test says otherwise."""
    window = getattr(request, "param", "phone")
    width, height = WINDOWS[window]
    contexts: list[BrowserContext] = []

    def open_page(path: str) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, has_touch=window == "phone")
        contexts.append(context)
        context.set_default_timeout(1000 * PATIENCE_S)
        opened = context.new_page()
        # pytest shows this where a test fails: what was clicked in vain may have found no connection
        opened.on("console", lambda message: print("console:", message.text))
        opened.on("websocket", lambda socket: socket.on("close", lambda _: print("closed:", socket.url)))
        opened.goto(f"{address}/{path}")
        return opened

    yield open_page
    for context in contexts:
        context.close()


def stands_still(page: Page) -> None:
    """Waits until the page has been drawn to its end."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()


def tap(target: Locator) -> None:
    """Taps once the page stands still: what is tapped while a slow page is being drawn may be replaced under the finger.

    A page that has just been loaded and is not drawn yet stands still, too: what is tapped has to be there first, be it twice while
    it is drawn anew.
    """
    target.first.wait_for()
    stands_still(target.page)
    target.click()


def said_instead(target: Locator) -> str:
    """What stands behind, or in place of, Streamlit's own words."""
    said: str = target.evaluate("element => getComputedStyle(element, '::after').content")
    return said


def open_house_rules(page: Page) -> None:
    """Opens the choice of house rules and waits until its parts have been loaded: until then they move.

    The choice hangs at its button, which what is drawn above it meanwhile may have pushed out of a phone's screen.
    """
    button = page.get_by_role("button", name=texts.HOUSE_RULES)
    tap(button)
    page.get_by_test_id("stPopoverBody").get_by_role("combobox").wait_for()
    button.scroll_into_view_if_needed()
