"""The pages in Turkish: a whole catalogue, and a visitor whose language is remembered."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from string import Formatter

import pytest
from babel.messages.catalog import Message

from assistant.dashboard import score_texts, texts
from assistant.dashboard.catalogue import catalogue_of, extracted, untranslated
from assistant.dashboard.language import LANGUAGES, _, _wanted, capitalised, isolated, language, listed, ngettext, percent, speaking
from assistant.groups import name_group
from assistant.store import Store
from assistant.tiles import parse_tiles
from tests.dashboard.conftest import PATIENCE_S, in_both_windows, said_instead, tap

playwright = pytest.importorskip("playwright.sync_api", reason="the browser test needs playwright: pip install '.[test]'")

MS = 1000 * PATIENCE_S
OTHERS = [code for code in LANGUAGES if code != "en"]
NAMES = ["عائشة", "Борис", "İclal 🀄", "Ömer & <i>Oğlu</i>"]


def _forms(string: str | Iterable[str]) -> list[str]:
    return [string] if isinstance(string, str) else list(string)


@pytest.mark.parametrize("code", OTHERS)
def test_every_sentence_of_the_pages_is_translated(code: str) -> None:
    catalogue = catalogue_of(code)
    assert {message.id for message in catalogue} == {message.id for message in extracted()}, "run make messages"
    assert untranslated(catalogue) == []


@pytest.mark.parametrize("code", OTHERS)
def test_translations_name_the_same_values(code: str) -> None:
    def values(text: str) -> set[str]:
        return {name for _text, name, _spec, _conversion in Formatter().parse(text) if name is not None}

    def agrees(message: Message) -> bool:
        named = set().union(*map(values, _forms(message.id)))
        # a form for one, as "the missing one", need not say the number
        return all(named - {"count"} <= values(form) <= named | {"count"} for form in _forms(message.string))

    translated = [message for message in catalogue_of(code) if message.id and message.string and all(_forms(message.string))]
    assert [message.id for message in translated if not agrees(message)] == []


def test_sentences_are_said_in_the_language_that_is_spoken() -> None:
    refused = name_group(parse_tiles("R5 R5 K5"), None).reason
    assert refused is not None
    assert texts.said(refused) == "a set needs different colours: red 5 twice"
    with speaking("tr"):
        assert texts.said(refused) == "aynı sayıdan perde renkler farklı olmalı: kırmızı 5 iki kez var"
        assert texts.rack_of(1) == "Istaka: 1 taş"
        assert capitalised("iki zar") == "İki zar"
        assert (percent(0.4), listed("abc")) == ("%40", "a, b ve c")
        assert score_texts.winners(["Ayşe", "Deniz"]) == "Oyunu kazananlar: Ayşe ve Deniz"
    assert (percent(0.4), capitalised("iki")) == ("40%", "Iki")


@pytest.mark.parametrize(("confidence", "said"), [(0.899, "89% sure"), (0.9, "90% sure"), (0.29, "29% sure"), (0.9999, "over 99% sure")])
def test_a_tile_in_doubt_is_never_said_to_be_90_percent_sure(confidence: float, said: str) -> None:
    (tile,) = parse_tiles("Y6")
    assert texts.how_read(tile, confidence, by_hand=False) == f"{texts.tile_name(tile)}, {said}"


def test_names_written_from_right_to_left_leave_figures_where_they_are() -> None:
    assert isolated("Ömer & Борис 🀄") == "Ömer & Борис 🀄"
    assert isolated("عائشة") == "\u2068عائشة\u2069"
    event = {"event": "win", "by": 0, "hand": "pairs"}
    assert score_texts.described(event, NAMES) == "\u2068عائشة\u2069 won: seven pairs"


def test_many_visitors_are_spoken_to_at_once() -> None:
    def speak(number: int) -> bool:
        code = list(LANGUAGES)[number % len(LANGUAGES)]
        with speaking(code):
            return language() == code and _("red") == {"en": "red", "tr": "kırmızı"}[code] and bool(ngettext("a", "b", number))

    with ThreadPoolExecutor(8) as visitors:
        assert all(visitors.map(speak, range(400)))
    assert language() == "en"


@pytest.mark.parametrize(
    ("remembered", "browser", "spoken"),
    [
        (None, None, "en"),
        (None, "tr-TR", "tr"),
        (None, "tr", "tr"),
        (None, "de-DE", "en"),
        ("en", "tr-TR", "en"),
        ("tr", "en-GB", "tr"),
        ("../..", "tr", "tr"),
    ],
)
def test_the_language_is_the_one_chosen_before_or_the_browsers(remembered: str | None, browser: str | None, spoken: str) -> None:
    assert _wanted(remembered, browser) == spoken


@in_both_windows
def test_a_visitor_switches_to_turkish_and_is_remembered(visit: Callable[[str], playwright.Page], database: str, address: str) -> None:
    table, pin = Store(database).new_table(NAMES, "classic", {})
    page = visit("")

    def says(selector: str, *words: str) -> None:
        playwright.expect(page.locator(selector)).to_have_text(list(words))

    says(".sentence h3", "This hand wins")
    tap(page.get_by_role("button", name="Türkçe"))
    says(".sentence h3", "Bu el bitiyor")
    says(".sentence p", "Bu örnektir, sizin ıstakanız değil. Perlerle. Atılacak taş: kırmızı 8.")
    playwright.expect(page.locator("html")).to_have_attribute("lang", "tr")
    tap(page.locator(".rack").get_by_role("button", name="kırmızı 8"))
    playwright.expect(page.get_by_role("dialog")).to_contain_text("Bu hangi taş?")
    tap(page.locator("[role=dialog] .faces").get_by_role("button", name="mavi 9"))
    says(".sentence p", "Bu örnektir, sizin ıstakanız değil. Perlerle. Okeyi (mavi 9) atın: son taş olarak daha çok sayılır.")
    page.reload()
    says(".sentence h3", "Bu el bitiyor")
    tap(page.get_by_role("link", name="İtiraz"))
    says(".sentence h3", "Bu dizilişle geçersiz")
    page.goto(f"{address}/score?table={table}")
    page.get_by_label("PIN").fill(pin)
    tap(page.get_by_role("button", name="Kilidi aç"))
    says(".card h3", *NAMES)
    tap(page.get_by_test_id("stButtonGroup").get_by_role("radio", name=NAMES[2]).first)
    tap(page.get_by_role("button", name="Yedi çift (−4)"))
    says(".score", "16", "16", "20", "16")
    playwright.expect(page.locator(".deals li")).to_contain_text(f"1. el {NAMES[2]} bitti: yedi çift")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tap(page.get_by_role("button", name="English"))
    playwright.expect(page.locator(".deals li")).to_contain_text(f"Deal 1 {NAMES[2]} won: seven pairs")


def test_a_browser_that_speaks_turkish_is_spoken_to_in_turkish(browser: playwright.Browser, address: str) -> None:
    context = browser.new_context(locale="tr-TR")
    context.set_default_timeout(MS)
    page = context.new_page()
    page.goto(f"{address}/deal")
    page.get_by_role("heading", name="Taşların dağıtımı").wait_for()
    assert "language" not in page.evaluate("document.cookie"), "only a choice is remembered"
    tap(page.get_by_role("link", name="El", exact=True))
    tap(page.get_by_text("Burada çek"))
    asked = page.get_by_test_id("stCameraInputWebcamComponent").locator("p")
    asked.wait_for()
    assert "Tarayıcı kamera için izin istiyor" in said_instead(asked)
    assert page.get_by_text("would like to use your camera").evaluate("words => getComputedStyle(words).fontSize") == "0px"
    tap(page.get_by_role("link", name="Canlı", exact=True))
    tap(page.get_by_role("radio", name="Başka bir kamera"))
    page.get_by_role("textbox").fill("0")
    assert said_instead(page.get_by_test_id("InputInstructions")) == '"Enter’a basın"'
    context.close()
