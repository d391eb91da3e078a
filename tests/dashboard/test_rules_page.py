"""The page of the rules: nothing unexplained, figures from the rules, and the rules of a visitor's table kept from page to page."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from assistant.dashboard import rules_texts, texts
from assistant.dashboard.language import _, speaking
from assistant.dashboard.rules_texts import EXPLAINED, PRESETS_EXPLAINED, SECTIONS, TITLES, figures, in_presets, judged_by, options_of
from assistant.rules import PRESETS, rules_named, with_options
from tests.dashboard.conftest import in_both_windows, open_house_rules, stands_still, tap

playwright = pytest.importorskip("playwright.sync_api", reason="the browser test needs playwright: pip install '.[test]'")

OPTIONS = {name for rules in PRESETS.values() for name in options_of(rules)}


def test_every_preset_and_every_option_is_explained() -> None:
    assert set(PRESETS_EXPLAINED) == set(PRESETS)
    assert set(EXPLAINED) == set(TITLES) == OPTIONS
    shown = [name for names in SECTIONS.values() for name in names]
    assert sorted(shown) == sorted(OPTIONS), "each once"


@pytest.mark.parametrize("language", ["en", "tr"])
def test_no_two_options_of_a_table_are_asked_for_in_the_same_words(language: str) -> None:
    with speaking(language):
        for rules in PRESETS.values():
            asked = [_(option.metadata["text"]) for option in options_of(rules).values()]
            assert len(set(asked)) == len(asked)


def test_the_figures_are_those_of_the_rules() -> None:
    table = figures(rules for rules in PRESETS.values() if not rules.opens)
    assert table[0] == ["", "Classic", "Online", "Favorite", "Nostalji"]
    rows = {row[0].split("]")[0].lstrip("["): row[1:] for row in table[1:]}
    assert rows["What everyone starts with"] == ["20", "5 to 21", "20", "20"]
    assert rows["Win with seven pairs, okey last"] == ["8", "8", "12", "4"]
    assert rows["One-colour run"] == ["not scored", "not scored", "16", "to 0"]
    assert rows["The stock runs out"] == ["0", "0", "1", "0"]
    assert ["[Not having opened](#not_opened)", "202"] in figures([rules_named("101")])


def test_what_presets_say_of_an_option() -> None:
    assert in_presets("high_one") == "Classic: on · Online: on · Favorite: on · Nostalji: on · Okey 101: off"
    assert in_presets("partners") == "In every preset: off"
    assert in_presets("colour_doubles") == "In every preset: nothing"
    assert in_presets("deals") == "In every preset: open"


def test_a_verdict_names_its_rules_and_leads_to_them() -> None:
    rules = with_options(rules_named("favorite"), {"high_one": False})
    assert judged_by(rules, "strict_layout") == (
        "Judged by [Favorite](rules#favorite): [12 13 1 is no run](rules#high_one), "
        "[a false joker stands for the okey’s face](rules#false_joker_wild), "
        "[a shown hand must lie group by group](rules#strict_layout)."
    )


def test_house_rules_are_remembered_by_the_browser_and_nonsense_is_not(visit: Callable[[str], playwright.Page]) -> None:
    page = visit("")
    judged = page.get_by_test_id("stCaptionContainer").filter(has_text="Judged by")
    playwright.expect(judged).to_be_visible()
    stands_still(page)
    page.context.add_cookies([{"name": "house_rules", "value": "%7B%00preset=101&high_one=7&deals=", "url": page.url}])
    page.reload()
    playwright.expect(judged).to_contain_text("Judged by Classic: 12 13 1 is a run")
    open_house_rules(page)
    tap(page.get_by_text(texts.HIGH_ONE))
    playwright.expect(judged).to_contain_text("12 13 1 is no run")
    page.get_by_test_id("stPopoverBody").get_by_role("combobox").click()
    page.get_by_role("option", name="Favorite").click()
    playwright.expect(judged).to_contain_text("Judged by Favorite: 12 13 1 is no run")
    stands_still(page)
    page.reload()
    playwright.expect(judged).to_contain_text("Judged by Favorite: 12 13 1 is no run")


@in_both_windows
def test_house_rules_hold_on_every_page_and_lead_to_their_explanation(visit: Callable[[str], playwright.Page]) -> None:
    page = visit("")

    def go_to(name: str) -> None:
        tap(page.get_by_role("link", name=name, exact=True))

    def judged_so(words: str) -> None:
        playwright.expect(page.get_by_test_id("stCaptionContainer").filter(has_text="Judged by")).to_contain_text(words)

    judged_so("12 13 1 is a run")
    open_house_rules(page)
    tap(page.get_by_text(texts.HIGH_ONE))
    judged_so("12 13 1 is no run")
    page.keyboard.press("Escape")
    go_to(texts.DISPUTE_PAGE)
    judged_so("12 13 1 is no run")
    go_to(rules_texts.RULES_PAGE)
    page.get_by_role("heading", name="1 after 13").wait_for()
    go_to(texts.HAND_PAGE)
    judged_so("12 13 1 is no run")
    link = page.get_by_role("link", name="12 13 1 is no run").get_attribute("href")
    page.goto(f"{page.url.rstrip('/')}/{link}")
    page.locator("#high_one").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
