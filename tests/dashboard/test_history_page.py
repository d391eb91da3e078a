"""The history's page: the table that it draws, and in a real browser what stands in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from fractions import Fraction

import pytest

from assistant.dashboard import history_texts as texts
from assistant.dashboard.history_page import tallies_html
from assistant.dashboard.language import CHOICE, day, speaking
from assistant.history import NEW_EVENING, Tally
from assistant.store import Store
from tests.assistant.tables import saved_earlier, sql

playwright = pytest.importorskip("playwright.sync_api", reason="the browser test needs playwright: pip install '.[test]'")

LONG = "Muhammet Cemalettin Uzun"
"""As long as the page lets a name be."""
TALLY = Tally(games=2, games_won=1, deals=9, deals_won=4, pairs=1, indicators=1, indicators_expected=Fraction(127, 105))


def cells(drawn: str) -> list[str]:
    return re.findall(r"<t[hd]>(.*?)</t[hd]>", drawn)


def test_every_figure_has_its_column() -> None:
    drawn = cells(tallies_html({"Ayşe & <b>": TALLY}, texts.OKEY_COLUMNS))
    assert drawn[:3] == ["Player", "Games", "Games won"]
    assert drawn[10:] == ["Ayşe &amp; &lt;b&gt;", "2", "1", "9", "4", "1", "0", "1", "1.2", "−0.2"]


def test_figures_are_written_as_the_language_does() -> None:
    with speaking("tr"):
        assert cells(tallies_html({"Ayşe": TALLY}, texts.OKEY_COLUMNS))[-2:] == ["1,2", "−0,2"]


def test_people_are_counted_over_all_tables(visit: Callable[[str], playwright.Page], database: str, address: str) -> None:
    store = Store(database)
    page = visit(texts.HISTORY_PATH)
    page.get_by_text(texts.NOTHING).wait_for()
    for number, names in enumerate((["Ayşe", "Burak"], ["AYŞE ", LONG])):
        table, _pin = store.new_table(names, "classic", {})
        store.add(table, {"event": "win", "by": 0, "hand": "pairs"}, f"{number}")
    sql(database, f"UPDATE tables SET created = '2026-09-30 20:00:00' WHERE public_id = '{store.recent()[-1][0]}'")
    page.reload()
    rows = page.locator(".tallies tbody tr")
    playwright.expect(rows).to_have_count(3)
    playwright.expect(rows.first.locator("th, td")).to_have_text(["AYŞE", "0", "0", "2", "2", "2", "0", "0", "0.3", "−0.3"])
    store.import_table(store.table(table).ledger)
    page.reload()
    playwright.expect(rows.first.locator("th, td").nth(3)).to_have_text("2")
    page.context.add_cookies([{"name": CHOICE, "value": "tr", "url": address}])
    page.reload()
    with speaking("tr"):
        evenings = [day(date(2026, 9, 30)), day(store.table(table).created - NEW_EVENING)]
    axes = page.locator("[data-testid=stVegaLiteChart] .role-axis-label text")
    playwright.expect(axes.filter(has_text=re.compile(r"\d{4}"))).to_have_text(evenings)
    page.context.clear_cookies(name=CHOICE)
    page.reload()
    saved_earlier(database, ("Ayşe", "Ömer"), "classic", {"joker": True})
    page.reload()
    page.get_by_text("The table of Ayşe, Ömer was saved by another version of istaka").wait_for()
    playwright.expect(rows).to_have_count(3)
    page.get_by_text(texts.luck_means()).wait_for()
    charted = page.locator("[data-testid=stVegaLiteChart] .role-legend-label text")
    playwright.expect(charted).to_have_text(["AYŞE", "Burak", LONG])
    assert charted.last.evaluate("name => name.getBoundingClientRect().right <= innerWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
