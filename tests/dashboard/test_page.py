"""The page in a real browser: upload, verdict, correction, new verdict, and files that are no photos."""

from __future__ import annotations

import io
import mimetypes
import re
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urljoin
from urllib.request import urlopen

import pytest
from PIL import Image
from starlette.requests import Request

from assistant.dashboard import photo
from assistant.dashboard.page_frame import DEVICE_COOKIE, STYLE
from tests.dashboard.conftest import PATIENCE_S, in_both_windows, on_a_desktop, said_instead, stands_still, tap
from tests.dashboard.photos import FORTY, WIN, photo_of
from vision.reader import TileReader
from vision.sources import load_photo

playwright = pytest.importorskip("playwright.sync_api", reason="the browser test needs playwright: pip install '.[test]'")


@pytest.fixture
def page(visit: Callable[[str], playwright.Page]) -> playwright.Page:
    """The page as a new visitor sees it."""
    opened = visit("")
    _says(opened, "This hand wins")
    return opened


def _picture(width: int, height: int = 400, form: str = "JPEG") -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (width, height), "tan").save(file, form)
    return file.getvalue()


def _upload(page: playwright.Page, data: bytes, name: str = "rack.jpg") -> None:
    """Gives the page a photo, in place of the one before, once the page stands still."""
    stands_still(page)
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(
        {"name": name, "mimeType": mimetypes.guess_type(name)[0] or "", "buffer": data}
    )


def _says(page: playwright.Page, text: str) -> None:
    """Waits until the verdict says this."""
    playwright.expect(page.locator(".sentence")).to_contain_text(text, timeout=1000 * PATIENCE_S)


def _complains(page: playwright.Page, text: str) -> None:
    """Waits until the page says why a photo cannot be used."""
    playwright.expect(page.get_by_test_id("stAlert")).to_contain_text(text, timeout=1000 * PATIENCE_S)


def _choose(page: playwright.Page, face: str) -> None:
    """Taps a face in the dialog."""
    tap(page.locator(f"[role=dialog] .faces [data-key={face}]"))
    _dialog_closes(page)


def _tap_at_once(targets: playwright.Locator) -> None:
    """Taps each, faster than the page is drawn."""
    targets.evaluate_all("targets => targets.forEach((target) => target.click())")


def _dialog_closes(page: playwright.Page) -> None:
    """Waits until the dialog is gone for good: a tap while the page is still drawn shows it once more for a moment."""
    page.get_by_role("dialog").wait_for(state="detached")
    stands_still(page)


def _tab_to(target: playwright.Locator) -> None:
    """Presses Tab until this has the focus."""
    target.wait_for()
    for _ in range(60):
        if target.evaluate("target => target.matches(':focus')"):
            return
        target.page.keyboard.press("Tab")
    pytest.fail("Tab does not reach it")


@in_both_windows
def test_a_photo_is_judged_corrected_and_judged_again(page: playwright.Page) -> None:
    _upload(page, photo_of(WIN.replace("Y13", "R9"), "K11"))
    _says(page, "One tile from a win")
    tap(page.locator(".rack").get_by_role("button", name="red 9"))
    _choose(page, "Y13")
    _says(page, "This hand wins")
    playwright.expect(page.locator(".rack .tile.hand")).to_have_attribute("title", "yellow 13, said by you")
    tap(page.get_by_role("button", name="Undo"))
    _says(page, "One tile from a win")


def test_all_that_was_there_stays_when_a_question_is_closed_without_an_answer(page: playwright.Page) -> None:
    tap(page.locator(".outlines [data-key]").filter(has_text="red 8").locator("polygon"))
    page.get_by_role("dialog").wait_for()
    stands_still(page)
    page.keyboard.press("Escape")
    _dialog_closes(page)
    playwright.expect(page.locator(".rack").get_by_role("button", name="red 8")).to_be_visible()
    playwright.expect(page.locator(".deal [data-key=indicator]")).to_be_visible()


def test_the_photo_is_fetched_once_however_often_its_tiles_are_corrected(page: playwright.Page) -> None:
    first = page.locator(".rack [data-key]").first
    for number in (7, 8):
        tap(first)
        _choose(page, f"K{number}")
        playwright.expect(first).to_have_attribute("title", f"black {number}, said by you")
    stands_still(page)
    assert page.locator(".photo:visible img").evaluate("image => image.complete && image.naturalWidth") == 1400
    assert page.evaluate("performance.getEntriesByType('resource').filter(({ name }) => name.includes('/photo/')).length") == 1


def test_a_photo_is_sent_only_while_a_visitor_looks_at_it() -> None:
    picture = load_photo(_picture(640))
    shown = photo.photo_of(picture, TileReader().read(picture), b"a visitor's")
    asked = Request({"type": "http", "path_params": {"key": shown.address().rsplit("/")[-1]}})
    assert photo.offered_photo(asked).body == shown.jpeg
    anothers = replace(shown)  # each visitor's session has a copy of a photo that was read before, as of the sample
    assert shown.address() == anothers.address()
    del anothers
    assert photo.offered_photo(asked).body == shown.jpeg, "the other one has left"
    del shown
    assert photo.offered_photo(asked).status_code == 404


def test_a_correction_outlives_another_photo(page: playwright.Page) -> None:
    _upload(page, photo_of(WIN.replace("Y13", "R9"), "K11"))
    _says(page, "One tile from a win")
    tap(page.locator(".rack").get_by_role("button", name="red 9"))
    _choose(page, "Y13")
    _says(page, "This hand wins")
    _upload(page, _picture(640))
    _says(page, "No tiles were found")
    _upload(page, photo_of(WIN.replace("Y13", "R9"), "K11"))
    _says(page, "This hand wins")


def test_the_deal_is_played_on_while_the_page_is_used(page: playwright.Page) -> None:
    played = page.locator(".playing")
    playwright.expect(played).to_contain_text("Winning now gains you 2.0 points", timeout=2000 * PATIENCE_S)
    tap(page.locator(".rack").get_by_role("button", name="red 8"))
    dialog = page.get_by_role("dialog")
    playwright.expect(played).not_to_contain_text("More are being played", timeout=2000 * PATIENCE_S)
    playwright.expect(dialog).to_be_visible()  # what was drawn anew beside it did not close it
    _choose(page, "B9")
    _says(page, "as the last tile it counts more")
    playwright.expect(played).to_have_count(0, timeout=1000 * PATIENCE_S)
    tap(page.get_by_role("button", name="Undo"))
    playwright.expect(played).to_contain_text("Winning now gains you 2.0 points", timeout=2000 * PATIENCE_S)


@in_both_windows
def test_tiles_are_added_and_removed(page: playwright.Page) -> None:
    tap(page.locator(".rack").get_by_role("button", name="red 8"))
    tap(page.get_by_role("button", name="Not in the hand"))
    _dialog_closes(page)
    _says(page, "With sets and runs.")
    tap(page.get_by_role("button", name="Add a tile"))
    dialog = page.get_by_role("dialog")
    playwright.expect(dialog).to_contain_text("The rack: 14 tiles; a hand has 14, or 15 before the discard")
    faces, told = dialog.locator(".faces"), dialog.locator(".told .tile")
    tap(faces.locator("[data-key=B9]"))
    playwright.expect(dialog).to_contain_text("The rack: 15 tiles")
    stands_still(page)
    first, before = told.get_attribute("data-key"), faces.bounding_box()
    _tap_at_once(faces.locator("[data-key^=K]"))
    playwright.expect(told).to_have_count(14)
    playwright.expect(told.first, "the latest first").to_have_accessible_name("black 13")
    assert faces.bounding_box() == before, "faces stay where they are"
    tap(told.first)
    playwright.expect(told).to_have_count(13)
    stands_still(page)
    _tap_at_once(dialog.locator(f".told .tile:not([data-key='{first}'])"))
    playwright.expect(told).to_have_count(1)
    playwright.expect(page.get_by_role("button", name="Done")).to_be_in_viewport(ratio=1)
    tap(page.get_by_role("button", name="Done"))
    _dialog_closes(page)
    _says(page, "Discard the okey, blue 9: as the last tile it counts more.")
    tap(page.get_by_role("button", name="As it was read"))
    playwright.expect(page.locator(".rack .hand")).to_have_count(0)


def test_a_tile_that_is_gone_when_it_is_tapped_asks_nothing(page: playwright.Page) -> None:
    tap(page.get_by_role("button", name="Add a tile"))
    tap(page.get_by_role("dialog").locator(".faces [data-key=B9]"))
    tap(page.get_by_role("button", name="Done"))
    _dialog_closes(page)
    stands_still(page)
    added, undo = page.locator(".rack [data-key='+0']"), page.get_by_role("button", name="Undo")
    page.evaluate("(both) => both.forEach((one) => one.click())", [undo.element_handle(), added.element_handle()])
    playwright.expect(added).to_have_count(0)
    stands_still(page)
    playwright.expect(page.get_by_role("dialog")).to_have_count(0)
    playwright.expect(page.get_by_test_id("stException")).to_have_count(0)


@on_a_desktop
def test_a_tile_that_lies_aside_is_taken_back_with_the_keyboard(page: playwright.Page) -> None:
    tap(page.locator(".rack").get_by_role("button", name="red 8"))
    tap(page.get_by_role("button", name="Not in the hand"))
    _dialog_closes(page)
    aside = page.locator(".outlines").get_by_role("button")
    playwright.expect(aside).to_have_accessible_name(re.compile("^red 8"))
    stands_still(page)
    aside.press("Enter")
    _choose(page, "R8")
    playwright.expect(page.locator(".rack").get_by_role("button", name="red 8")).to_have_count(1)
    playwright.expect(aside).to_have_count(0)


@on_a_desktop
def test_a_tile_is_corrected_with_the_keyboard_alone(page: playwright.Page) -> None:
    tile = page.locator(".rack").get_by_role("button").nth(1)
    faces = page.locator("[role=dialog] .faces")
    stands_still(page)
    _tab_to(tile)
    for key, face, verdict in (("ArrowRight", "red 5", "One tile from a win"), ("ArrowLeft", "red 4", "This hand wins")):
        page.keyboard.press("Enter")
        _tab_to(faces.locator(".chosen"))
        stands_still(page)
        page.keyboard.press(key)
        playwright.expect(faces.get_by_role("button", name=face)).to_be_focused()
        page.keyboard.press("Enter")
        _dialog_closes(page)
        _says(page, verdict)
        playwright.expect(tile).to_have_attribute("title", f"{face}, said by you")
        playwright.expect(tile).to_be_focused()


def test_tiles_seen_on_the_table_are_told_and_taken_back_however_fast(page: playwright.Page) -> None:
    tap(page.get_by_role("button", name="Tiles seen on the table"))
    dialog = page.get_by_role("dialog")
    told = dialog.locator(".told .tile")
    dialog.locator(".faces").wait_for()
    stands_still(page)
    _tap_at_once(dialog.locator(".faces [data-key=R1], .faces [data-key=K1], .faces [data-key=J]"))
    playwright.expect(told).to_have_count(3)
    stands_still(page)
    _tap_at_once(dialog.locator(".told .tile:not([data-key$=K1])"))
    playwright.expect(told).to_have_count(1)
    playwright.expect(told).to_have_accessible_name("black 1")


@on_a_desktop
def test_tiles_seen_on_the_table_are_told_with_the_keyboard(page: playwright.Page) -> None:
    dialog = page.get_by_role("dialog")
    faces, seen = (dialog.locator(part).get_by_role("button") for part in (".faces", ".told"))
    opens = page.get_by_role("button", name="Tiles seen on the table")
    stands_still(page)
    opens.press("Enter")
    _tab_to(faces.first)
    for key in ("End", "ArrowUp", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    playwright.expect(seen).to_have_accessible_name("false joker")
    playwright.expect(faces.last).to_be_focused()
    page.keyboard.press("Home")
    playwright.expect(seen).to_be_focused()
    page.keyboard.press("Enter")
    playwright.expect(seen).to_have_count(0)
    playwright.expect(faces.first).to_be_focused()  # which has taken its place
    page.keyboard.press("Tab")
    playwright.expect(dialog.get_by_role("button", name="Done")).to_be_focused()
    page.keyboard.press("Escape")
    playwright.expect(opens).to_be_focused()


def test_the_indicator_is_picked_or_read_from_a_second_photo(page: playwright.Page) -> None:
    _upload(page, photo_of(WIN))
    _says(page, "The indicator is not known")
    tap(page.get_by_role("button", name="Pick the indicator"))
    _choose(page, "B1")
    _says(page, "This hand wins")
    tap(page.locator(".deal [data-key=indicator]"))
    second = page.get_by_role("dialog").get_by_test_id("stFileUploaderDropzoneInput")
    second.set_input_files({"name": "indicator.jpg", "mimeType": "image/jpeg", "buffer": photo_of("", "K12")})
    tap(page.locator("[role=dialog] .group [data-key=K12]"))
    _dialog_closes(page)
    playwright.expect(page.locator(".deal [data-key=indicator]")).to_have_attribute("title", "black 12, said by you")


def test_a_file_that_is_no_photo_gets_a_sentence_and_nothing_is_lost(page: playwright.Page) -> None:
    tap(page.locator(".rack").get_by_role("button", name="red 8"))
    _choose(page, "B9")
    _says(page, "as the last tile it counts more")
    for data, reason in (
        (b"", "is empty"),
        (b"not a photo", "is no photo"),
        (_picture(400)[:-50], "is cut off"),
        (_picture(1, 1, "PNG"), "1 x 1 pixels"),
        (_picture(10_000, 10_000, "PNG"), "100 megapixels"),
    ):
        _upload(page, data)
        _complains(page, reason)
        _says(page, "as the last tile it counts more")
    _upload(page, _picture(400, form="GIF"), "rack.gif")
    _complains(page, "send a JPEG, PNG, WebP or HEIC file")
    _upload(page, b"%PDF-1.4", "rules.pdf")
    page.get_by_test_id("stFileChip").get_by_text("rules.pdf").wait_for()
    assert "it is of another kind than asked for" in said_instead(page.get_by_test_id("stFileUploader"))


def test_a_photo_that_shows_no_hand_gets_a_sentence(page: playwright.Page) -> None:
    for data, sentence in ((_picture(640), "No tiles were found"), (photo_of(FORTY), "40 tiles were read")):
        _upload(page, data)
        _says(page, sentence)


def test_three_copies_of_a_tile_get_a_sentence(page: playwright.Page) -> None:
    for tile in ("red 8", "blue 13"):
        tap(page.locator(".rack").get_by_role("button", name=tile))
        _choose(page, "R3")
    _says(page, "3 copies of red 3")


def test_a_connection_that_is_lost_is_said_and_the_hand_stays(page: playwright.Page) -> None:
    sockets: list[playwright.WebSocketRoute] = []

    def connect(socket: playwright.WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    page.route_web_socket("**/_stcore/stream", connect)
    page.reload()
    _says(page, "This hand wins")
    page.route("**/_stcore/**", lambda route: route.abort())
    sockets[-1].close()
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    assert said_instead(dialog.locator("h2")) == '"No connection"'
    assert "The connection to istaka is lost" in said_instead(dialog.locator("h2 + div"))
    playwright.expect(dialog.get_by_text("Streamlit").filter(visible=True)).to_have_count(0)
    page.unroute("**/_stcore/**")
    _dialog_closes(page)
    _says(page, "This hand wins")


def test_every_page_comes_with_its_style(page: playwright.Page, address: str) -> None:
    """What a page draws later would push aside what a thumb already goes for."""
    links = page.get_by_test_id("stPageLink-NavLink")
    playwright.expect(links).to_have_count(7)
    assert page.title() == "Hand · istaka"
    for link in links.all():
        assert STYLE in page.request.get(urljoin(address, link.get_attribute("href"))).text()
    margin = page.get_by_test_id("stMainBlockContainer").evaluate("main => getComputedStyle(main).paddingTop")
    assert margin == "24px", "Streamlit's own style is stronger"


def test_browsers_ask_nobody_else_for_anything(page: playwright.Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for link in ("score", "deal", ""):
        page.goto(f"{address}/{link}")
        stands_still(page)
        page.get_by_test_id("stPageLink-NavLink").first.wait_for()
    page.locator(".rack").wait_for()
    assert {url for url in asked if not url.startswith((address, "data:", "blob:"))} == set()


@pytest.mark.parametrize("given, page", [("Score?table=abc", "score?table=abc"), ("nosuch", ""), ("LIVE", "live")])
def test_an_address_that_is_nearly_a_pages_leads_there(given: str, page: str, address: str) -> None:
    with urlopen(f"{address}/{given}") as answer:
        assert answer.url == f"{address}/{page}"
        assert DEVICE_COOKIE in answer.headers["Set-Cookie"]
    with urlopen(f"{address}/favicon.png") as answer:
        assert answer.headers["Content-Type"] == "image/png"


@in_both_windows
def test_nothing_sticks_out_sideways(page: playwright.Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    rows = page.locator(".row")
    playwright.expect(rows).to_have_count(2)
    for row in rows.all():
        # All at one moment: the page may still move as a whole.
        heights = row.evaluate("row => [...row.querySelectorAll('.tile')].map(tile => Math.round(tile.getBoundingClientRect().y))")
        assert len(set(heights)) == 1, "a row of the rack stands in one line"
