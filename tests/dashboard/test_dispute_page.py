"""Disputes, and what was seen on the table, in a real browser: one photo and its corrections on two pages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from assistant.dashboard import dispute_texts, rules_texts, texts
from tests.dashboard.conftest import in_both_windows, open_house_rules, stands_still, tap
from tests.dashboard.photos import WIN, green_for_blue, photo_of

playwright = pytest.importorskip("playwright.sync_api", reason="the browser test needs playwright: pip install '.[test]'")

WRONG_ORDER = WIN.replace("R1 R2 R3 | K5", "R1 R2 | R3 K5")


def _upload(page: playwright.Page, data: bytes) -> None:
    stands_still(page)
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files({"name": "rack.jpg", "mimeType": "image/jpeg", "buffer": data})


def _says(page: playwright.Page, text: str) -> None:
    playwright.expect(page.locator(".sentence")).to_contain_text(text)


def _go_to(page: playwright.Page, name: str) -> None:
    tap(page.get_by_role("link", name=name, exact=True))


@in_both_windows
def test_a_shown_hand_is_judged_as_it_lies_by_the_rule_of_the_table(visit: Callable[[str], playwright.Page]) -> None:
    page = visit(texts.DISPUTE_PATH)
    _upload(page, photo_of(WRONG_ORDER, "K11"))
    _says(page, "Group 1 is no set and no run")
    playwright.expect(page.locator(".judged .refused")).to_have_count(2)
    open_house_rules(page)
    tap(page.get_by_text(texts.STRICT_LAYOUT))
    _says(page, texts.VALID)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@in_both_windows
def test_gaps_too_narrow_to_tell_are_asked_about_one_by_one(visit: Callable[[str], playwright.Page]) -> None:
    page = visit(texts.DISPUTE_PATH)
    _upload(page, photo_of(WIN, "K11", apart=0.27))
    _says(page, texts.NOT_CLEAR)
    asked = page.locator(".st-key-gap")
    for left, right in (("red 3", "black 5"), ("yellow 5", "blue 7")):
        playwright.expect(asked).to_contain_text(f"Do {left} and {right} lie together or apart?")
        tap(page.get_by_role("button", name=dispute_texts.APART))
    _says(page, texts.VALID)
    playwright.expect(asked).to_have_count(0)
    playwright.expect(page.locator(".judged > .sure")).to_have_count(4)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_group_across_rows_is_named_and_the_table_decides(visit: Callable[[str], playwright.Page]) -> None:
    page = visit(texts.DISPUTE_PATH)
    _says(page, "Group 3 is a single tile")  # the sample
    playwright.expect(page.get_by_text("where a group may go on in the next row of the rack")).to_be_visible()
    open_house_rules(page)
    tap(page.get_by_test_id("stCheckbox").get_by_text(rules_texts.TITLES["rows_join"]))
    _says(page, texts.VALID)
    playwright.expect(page.get_by_text("What decided here")).to_contain_text(rules_texts.TITLES["rows_join"])


def test_the_photo_and_its_corrections_go_from_page_to_page(visit: Callable[[str], playwright.Page]) -> None:
    page = visit("")
    _says(page, "This hand wins")
    _upload(page, photo_of(WIN.replace("Y13", "R9"), "K11"))
    _says(page, "One tile from a win")
    _go_to(page, texts.DISPUTE_PAGE)
    _says(page, texts.NOT_VALID)
    tap(page.locator(".judged").get_by_role("button", name="red 9"))
    tap(page.locator("[role=dialog] .faces [data-key=Y13]"))
    _says(page, texts.VALID)
    for name in (texts.HAND_PAGE, texts.DISPUTE_PAGE, texts.HAND_PAGE):
        _go_to(page, name)
        _says(page, texts.VALID if name == texts.DISPUTE_PAGE else "This hand wins")
    playwright.expect(page.locator(".rack .tile.hand")).to_have_attribute("title", "yellow 13, said by you")


def test_a_shown_hand_is_changed_and_changes_are_taken_back_on_its_own_page(visit: Callable[[str], playwright.Page]) -> None:
    page = visit(texts.DISPUTE_PATH)
    _upload(page, photo_of(WIN.replace("Y13", "R9"), "K11"))
    _says(page, texts.NOT_VALID)
    tap(page.locator(".judged").get_by_role("button", name="red 9"))
    tap(page.get_by_role("button", name="Not in the hand"))
    _says(page, "13 tiles are here")
    tap(page.get_by_role("button", name=texts.ADD))
    tap(page.locator("[role=dialog] .faces [data-key=Y13]"))
    tap(page.get_by_role("button", name=texts.DONE))
    _says(page, "Group 5 is a single tile")
    tap(page.get_by_role("button", name=texts.UNDO))
    _says(page, "13 tiles are here")
    tap(page.get_by_role("button", name=texts.AS_READ))
    _says(page, "Group 4 is no set and no run")


def test_green_in_place_of_blue_is_called_green(visit: Callable[[str], playwright.Page]) -> None:
    page = visit(texts.DISPUTE_PATH)
    _upload(page, green_for_blue(photo_of(WIN.replace("B10", "B13"), "K11")))
    _says(page, "green 10 is missing")
    tap(page.locator(".outlines [data-key]").filter(has_text="green 13").locator("polygon"))
    tap(page.locator("[role=dialog] .faces").get_by_role("button", name="green 10"))
    _says(page, texts.VALID)


def test_tiles_seen_on_the_table_cannot_be_drawn(visit: Callable[[str], playwright.Page]) -> None:
    page = visit("")
    _says(page, "This hand wins")
    _upload(page, photo_of(WIN.replace("Y13", "R9"), "K11"))
    _says(page, "One tile from a win")
    outs = page.locator(".outs figure")
    playwright.expect(outs.filter(has=page.get_by_title("red 4"))).to_contain_text("2 unseen")
    tap(page.get_by_role("button", name="Tiles seen on the table"))
    for number, face in enumerate(("R4", "R5", "R5"), start=1):
        tap(page.locator(f"[role=dialog] .faces [data-key={face}]"))
        playwright.expect(page.locator("[role=dialog] .told .tile")).to_have_count(number)
    tap(page.get_by_role("button", name=texts.DONE))
    playwright.expect(outs.filter(has=page.get_by_title("red 4"))).to_contain_text("1 unseen")
    playwright.expect(outs.filter(has=page.get_by_title("red 5"))).to_have_count(0)
    playwright.expect(page.get_by_role("button", name="Tiles seen on the table: 3")).to_be_visible()
