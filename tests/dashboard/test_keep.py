"""A verdict that is kept, in a real browser: downloaded, stored with a table's score, and found again from there by who watches."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytest
from PIL import Image

from assistant.dashboard import keep_texts, score_texts, texts
from assistant.dashboard.glance import PATH
from assistant.dashboard.paper.canvas import PICTURE_WIDTH
from assistant.store import Store
from tests.dashboard.conftest import tap

playwright = pytest.importorskip("playwright.sync_api", reason="the browser test needs playwright: pip install '.[test]'")

NAMES = ["Ayşe", "Burak", "Cem", "Deniz"]
Visit = Callable[[str], playwright.Page]


@pytest.fixture
def store(database: str, address: str) -> Store:
    """The database of the dashboard."""
    return Store(database)


def _has_unfolded(dialog: playwright.Locator) -> None:
    """Waits until the part that was opened has its height: a list opened before is closed again as the dialog scrolls."""
    dialog.locator("details").evaluate("part => Promise.all(part.getAnimations().map(each => each.finished)).then(() => null)")


def _download(page: playwright.Page, name: str) -> bytes:
    with page.expect_download() as started:
        tap(page.get_by_role("button", name=name))
    return Path(started.value.path()).read_bytes()


def test_a_verdict_is_kept_and_found_again_from_the_score(visit: Visit, store: Store) -> None:
    table, pin = store.new_table(NAMES, "classic", {})
    store.add(table, {"event": "win", "by": 1, "hand": "melds"}, "first")
    page = visit(f"score?table={table}")
    page.get_by_label("PIN").fill(pin)
    tap(page.get_by_role("button", name="Unlock"))
    page.get_by_role("radio", name="Ayşe").first.wait_for()
    tap(page.get_by_role("link", name=texts.DISPUTE_PAGE))
    page.locator(".sentence").wait_for()
    tap(page.get_by_role("button", name=keep_texts.KEEP))

    dialog = page.get_by_role("dialog")
    dialog.get_by_role("img").wait_for()
    card = pymupdf.open(stream=_download(page, keep_texts.AS_PDF)).load_page(0).get_text()
    assert texts.NOT_VALID in card
    value = card.split("Check value: ")[1].split()[0]
    assert Image.open(io.BytesIO(_download(page, keep_texts.AS_PICTURE))).width == PICTURE_WIDTH

    tap(dialog.get_by_text(keep_texts.KEEP_AT_TABLE))
    _has_unfolded(dialog)
    tap(dialog.get_by_role("combobox", name=keep_texts.WHICH_DEAL))
    tap(page.get_by_role("option", name="Deal 1: Burak won: sets and runs"))
    tap(dialog.get_by_role("button", name=keep_texts.KEEP_THERE))
    dialog.get_by_text(keep_texts.KEPT).wait_for()
    (kept,) = store.evidence(table)
    assert kept.line == 2
    stored = pymupdf.open(stream=store.evidence_content(table, kept.id)).load_page(0).get_text()
    assert value in stored, "the table keeps the card with the same value"
    assert ", ".join(NAMES) in stored

    watcher = visit(f"score?table={table}")
    tap(watcher.locator(".deals li").get_by_role("button", name=keep_texts.EVIDENCE))
    watcher.get_by_role("dialog").get_by_role("img").wait_for()
    store.add(table, {"event": "win", "by": 0, "hand": "melds"}, "meanwhile")
    with watcher.expect_response(lambda answer: PATH in answer.url and answer.ok and answer.json()["changed"]):
        pass
    watcher.wait_for_timeout(3000)
    playwright.expect(watcher.get_by_role("dialog")).to_be_visible()  # who looks at the evidence goes on to do so
    watcher.keyboard.press("Escape")
    playwright.expect(watcher.locator(".deals li")).to_have_count(2)
    tap(watcher.get_by_role("tab", name=keep_texts.EVIDENCE))
    watcher.get_by_role("tabpanel").get_by_role("img").wait_for()
    assert value in pymupdf.open(stream=_download(watcher, keep_texts.AS_PDF)).load_page(0).get_text()
    assert watcher.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_a_table_a_verdict_can_still_be_downloaded(visit: Visit) -> None:
    page = visit(texts.DISPUTE_PATH)
    page.locator(".sentence").wait_for()
    tap(page.get_by_role("button", name=keep_texts.KEEP))
    page.get_by_role("dialog").get_by_text(keep_texts.NO_TABLE).wait_for()
    assert _download(page, keep_texts.AS_PDF).startswith(b"%PDF")


def test_the_score_is_sent_and_printed(visit: Visit, store: Store) -> None:
    table, _pin = store.new_table(NAMES, "classic", {})
    store.add(table, {"event": "win", "by": 1, "hand": "pairs"}, "first")
    page = visit(f"score?table={table}")
    tap(page.get_by_role("tab", name=keep_texts.SEND))
    message = page.get_by_test_id("stCode")
    playwright.expect(message).to_contain_text("1. Burak: 20")
    playwright.expect(message).to_contain_text(score_texts.PRESET_NAMES["classic"])
    assert Image.open(io.BytesIO(_download(page, keep_texts.AS_PICTURE))).size == (1080, 1080)
    sheet = pymupdf.open(stream=_download(page, keep_texts.SHEET)).load_page(0).get_text()
    assert "Burak won: seven pairs" in sheet


def test_the_hand_can_be_corrected_after_its_verdict_was_kept(visit: Visit) -> None:
    page = visit(texts.DISPUTE_PATH)
    page.locator(".sentence").wait_for()
    tap(page.get_by_role("button", name=keep_texts.KEEP))
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("img").wait_for()
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    tap(page.get_by_role("link", name=texts.HAND_PAGE, exact=True))
    page.get_by_role("heading", name=texts.WINNING_HAND).wait_for()
    tap(page.locator(".rack button").first)
    dialog.get_by_text(texts.WHICH_TILE).wait_for()
