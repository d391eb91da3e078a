"""An evening at a table in a real browser: the table is made, deals are written down, corrected and taken back, others watch."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from time import time

import pytest

from assistant.dashboard.glance import PATH
from assistant.dashboard.page_frame import DEVICE_COOKIE
from assistant.ledger import read_ledger
from assistant.store import Store, WrongPinError
from tests.assistant.tables import sql
from tests.dashboard.conftest import PATIENCE_S, free_port, in_both_windows, serving, stands_still, tap

playwright = pytest.importorskip("playwright.sync_api", reason="the browser test needs playwright: pip install '.[test]'")

NAMES = ["Ayşe", "Burak", "Cem", "Deniz"]
Visit = Callable[[str], playwright.Page]


@pytest.fixture
def store(database: str, address: str) -> Store:
    """The database of the dashboard."""
    return Store(database)


def _scores(page: playwright.Page, *scores: int) -> None:
    """Waits until the scoreboard says this."""
    playwright.expect(page.locator(".score")).to_have_text([str(score).replace("-", "−") for score in scores])


def _tap(page: playwright.Page, name: str, exact: bool = False) -> None:
    """Taps a button."""
    tap(page.get_by_role("button", name=name, exact=exact))


def _who(page: playwright.Page, name: str) -> None:
    """Taps a player in the form."""
    tap(page.get_by_test_id("stButtonGroup").get_by_role("radio", name=name).first)


def _deal(page: playwright.Page, name: str, what: str) -> None:
    """A deal in two taps."""
    _who(page, name)
    _tap(page, what)


def _make_table(page: playwright.Page) -> str:
    """Makes a table of four with the preset that is offered, and returns its id."""
    for seat, name in enumerate(NAMES, start=1):
        stands_still(page)
        field = page.get_by_label(f"Seat {seat}")
        field.fill(name)
        field.press("Enter")
        page.get_by_role("radio", name=name).wait_for()  # offered as the first dealer: the name has arrived
    _tap(page, "Start the table")
    page.wait_for_url(re.compile("table="))
    return page.url.split("table=")[1]


def _table(store: Store, rules: str = "classic", **options: object) -> tuple[str, str]:
    """A table in the database, and its PIN."""
    return store.new_table(NAMES, rules, options)


def _table_of_101(store: Store) -> tuple[str, str]:
    """A table of 101 without an end with a deal that nobody won, and its PIN."""
    table, pin = _table(store, "101")
    store.add(table, {"event": "deal", "finisher": None, "players": [{"opened": None}] * 4}, "one")
    return table, pin


def _writer(visit: Visit, table: str, pin: str) -> playwright.Page:
    """A visitor who has entered the PIN."""
    page = visit(f"score?table={table}")
    _unlock(page, pin)
    page.get_by_role("button", name="Unlock").wait_for(state="detached")
    return page


def _unlock(page: playwright.Page, pin: str) -> None:
    stands_still(page)
    page.get_by_label("PIN").fill(pin)
    tap(page.get_by_role("button", name="Unlock"))


@in_both_windows
def test_an_evening(visit: Visit, store: Store) -> None:
    page = visit("")
    tap(page.get_by_role("link", name="Score"))
    table = _make_table(page)
    _scores(page, 20, 20, 20, 20)
    said = re.compile(r"PIN.*\d{4}")
    page.get_by_text(said).wait_for()
    watcher = visit(f"score?table={table}")
    _scores(watcher, 20, 20, 20, 20)
    playwright.expect(watcher.get_by_text(said)).to_have_count(0)
    for who, what, scores in (
        ("Ayşe", "Showed the indicator", (20, 19, 19, 19)),
        ("Burak", "Seven pairs (−4)", (16, 19, 15, 15)),
        ("Cem", "Sets and runs (−2)", (14, 17, 15, 13)),
        ("Deniz", "Sets and runs, okey last (−4)", (10, 13, 11, 13)),
        ("Ayşe", "Sets and runs (−2)", (10, 11, 9, 11)),
    ):
        _deal(page, who, what)
        _scores(page, *scores)
        _scores(watcher, *scores)
    _tap(page, "The stock ran out")
    playwright.expect(page.locator(".deals li")).to_have_count(6)
    _scores(page, 10, 11, 9, 11)
    tap(page.locator(".deals li", has_text="Burak won").get_by_role("button", name="Correct"))
    dialog = page.get_by_role("dialog")
    tap(dialog.get_by_role("radio", name="Deniz"))
    tap(dialog.get_by_role("button", name="Seven pairs (−4)"))
    dialog.wait_for(state="detached")
    _scores(page, 10, 7, 9, 15)
    playwright.expect(page.locator(".deals li", has_text="Deniz won: seven pairs").locator("s")).to_have_text("Burak won: seven pairs")
    _scores(watcher, 10, 7, 9, 15)
    tap(page.locator(".deals li", has_text="Cem won").get_by_role("button", name="Take back"))
    _scores(page, 12, 9, 9, 17)
    playwright.expect(page.locator(".deals li.gone")).to_contain_text("taken back")
    _tap(page, "Undo the last change")
    _scores(page, 10, 7, 9, 15)
    for scores in ((6, 3, 5, 15), (2, -1, 1, 15)):
        _deal(page, "Deniz", "Sets and runs, okey last")
        _scores(page, *scores)
    for visitor in (page, watcher):
        playwright.expect(visitor.locator(".over")).to_have_text("Ayşe and Deniz win the game")
    playwright.expect(page.get_by_role("button", name="Sets and runs")).to_have_count(0)
    _tap(page, "Rematch with the same people")
    _scores(page, 20, 20, 20, 20)
    _deal(page, "Cem", "Sets and runs (−2)")
    _scores(page, 18, 18, 20, 18)
    _tap(watcher, "open the rematch")
    _scores(watcher, 18, 18, 20, 18)
    assert store.table(table).rematch == watcher.url.split("table=")[1]


def test_the_deal_passes_to_the_right(visit: Visit, store: Store) -> None:
    page = _writer(visit, *_table(store))
    playwright.expect(page.get_by_role("heading", level=1)).to_have_text("The score of the table")
    playwright.expect(page.locator(".card", has_text="deals")).to_contain_text("Ayşe")
    playwright.expect(page.locator(".card", has_text="begins")).to_contain_text("Burak")
    _deal(page, "Deniz", "Sets and runs (−2)")
    playwright.expect(page.locator(".card", has_text="deals")).to_contain_text("Burak")
    playwright.expect(page.locator(".change")).to_have_text(["−2", "−2", "−2", "0"])


def test_who_watches_cannot_write(visit: Visit, store: Store) -> None:
    table, pin = _table(store)
    store.add(table, {"event": "win", "by": 0, "hand": "melds"}, "one")
    page = visit(f"score?table={table}")
    _scores(page, 20, 18, 18, 18)
    stands_still(page)
    for name in ("Sets and runs", "The stock ran out", "Correct", "Take back", "Undo"):
        playwright.expect(page.get_by_role("button", name=name)).to_have_count(0)
    assert pin not in page.content()
    _unlock(page, "no PIN")
    page.get_by_text("This is not the table’s PIN").wait_for()
    _unlock(page, pin)
    _deal(page, "Burak", "Sets and runs (−2)")
    _scores(page, 18, 18, 16, 16)


def test_a_device_stays_unlocked_until_the_pin_is_changed(visit: Visit, store: Store) -> None:
    table, pin = _table(store)
    page, other = _writer(visit, table, pin), _writer(visit, table, pin)
    other.wait_for_function("document.cookie.includes('istaka_pins')")
    other.reload()
    _deal(other, "Burak", "Sets and runs (−2)")
    _scores(page, 18, 20, 18, 18)
    tap(other.get_by_role("tab", name="Watch"))
    other.get_by_text(f"PIN to write: {pin}").wait_for()  # by whoever has lost it
    tap(other.get_by_role("tab", name="The game"))
    tap(page.get_by_role("tab", name="The table"))
    for label, text in (("PIN so far", pin), ("New PIN", "2468")):
        page.get_by_label(label).fill(text)
    page.get_by_role("button", name="Change the PIN").click()  # at once, which ends the typing of the new one
    page.get_by_text("The PIN is changed.").wait_for()
    other.reload()
    for _ in range(4):
        with pytest.raises(WrongPinError):
            store.unlock(table, pin, "somebody else")
    _unlock(other, pin)
    other.get_by_text(re.compile("Too many wrong PINs: try again in .* seconds")).wait_for()
    tap(page.get_by_role("tab", name="The game"))
    _deal(page, "Cem", "Sets and runs (−2)")
    _scores(other, 16, 18, 18, 16)


def test_a_table_comes_from_a_file(visit: Visit, store: Store, tmp_path: Path) -> None:
    table, _ = _table(store, start=7)
    store.add(table, {"event": "win", "by": 0, "hand": "melds"}, "one")
    kept, bad, twice = (tmp_path / f"{name}.jsonl" for name in ("kept", "bad", "twice"))
    kept.write_text(store.table(table).text(), "utf-8")
    bad.write_text(kept.read_text("utf-8") + "no line\n", "utf-8")
    page = visit("score")
    tap(page.get_by_text("Bring a table from a file"))
    chooser = page.get_by_test_id("stFileUploader").locator("input")
    chooser.set_input_files(bad)
    page.get_by_text("Line 3 is no JSON object: 'no line'.").wait_for()
    twice.write_text(json.dumps({"rules": "classic", "players": ["Ali", "Ali"]}), "utf-8")
    chooser.set_input_files(twice)
    page.get_by_text("Line 1: two players are called 'Ali'").wait_for()
    playwright.expect(page.get_by_role("button", name="Start the table of this file")).to_have_count(0)
    chooser.set_input_files(kept)
    _tap(page, "Start the table of this file")
    _scores(page, 7, 5, 5, 5)
    _deal(page, "Burak", "Sets and runs (−2)")
    _scores(page, 5, 5, 3, 3)


def test_a_winning_hand_is_written_down_with_its_verdict(visit: Visit, store: Store) -> None:
    table, pin = _table(store)
    page = _writer(visit, table, pin)
    tap(page.get_by_role("link", name="Hand"))
    tap(page.get_by_role("button", name="Write down as a win"))
    tap(page.get_by_role("dialog").get_by_role("button", name="Cem won: sets and runs"))
    page.get_by_text("The win is written down").wait_for()
    saved, kept = store.table(table), store.evidence(table)
    assert saved.ledger.standing.scores == (18, 18, 20, 18)
    assert [(piece.line, piece.mime) for piece in kept] == [(2, "application/pdf")]
    assert store.evidence_content(table, kept[0].id).startswith(b"%PDF-")


def test_of_two_tables_of_the_same_people_the_one_that_stands_there_gets_the_win(visit: Visit, store: Store) -> None:
    table, pin = _table(store)
    page = _writer(visit, table, pin)
    newest = store.rematch(table, 0)
    tap(page.get_by_role("link", name="Hand"))
    tap(page.get_by_role("button", name="Write down as a win"))
    tap(page.get_by_role("dialog").get_by_role("button", name="Cem won: sets and runs"))
    page.get_by_text("The win is written down").wait_for()
    assert (store.table(newest).last_line, store.table(table).last_line) == (2, 1)


def test_a_table_that_cannot_be_read_says_so_and_the_others_are_played_on(visit: Visit, store: Store, database: str) -> None:
    table, pin = _table(store)
    page = _writer(visit, table, pin)
    strange = store.rematch(table, 0)  # which the same visitor may write to
    sql(database, f"UPDATE tables SET rules = 'poker' WHERE public_id = '{strange}'")
    tap(page.get_by_role("link", name="Hand"))
    tap(page.get_by_role("button", name="Write down as a win"))
    tap(page.get_by_role("dialog").get_by_role("button", name="Cem won: sets and runs"))
    page.get_by_text("The win is written down").wait_for()
    shut = visit(f"score?table={strange}")
    shut.get_by_text("The table of Ayşe, Burak, Cem, Deniz was saved by another version of istaka").wait_for()


def test_a_link_leads_on_though_another_device_has_just_written(visit: Visit, store: Store) -> None:
    page = _writer(visit, *_table(store))
    page.evaluate(
        """path => {
            const other = window.fetch;
            const changed = () => new Response(JSON.stringify({ drawn: "", over: false, changed: true }));
            const held = () => new Promise((done) => { window.tell = () => done(changed()); });
            window.fetch = (...asked) => (String(asked[0]).startsWith(path) ? held() : other(...asked));
        }""",
        PATH,
    )
    page.wait_for_function("() => window.tell")
    page.get_by_role("link", name="Hand").evaluate("link => { link.click(); window.tell(); }")
    page.get_by_role("button", name="Write down as a win").wait_for()


def test_two_who_write_the_same_deal_count_it_once(visit: Visit, store: Store) -> None:
    table, pin = _table(store)
    first, second = _writer(visit, table, pin), _writer(visit, table, pin)
    keys = [page.get_by_role("button", name="Sets and runs (−2)") for page in (first, second)]
    for page, key in zip((first, second), keys, strict=True):
        _who(page, "Burak")
        playwright.expect(key).to_be_enabled()
        stands_still(page)
    for key in keys:
        key.evaluate("key => key.click()")  # without waiting for anything
    for page in (first, second):
        _scores(page, 18, 20, 18, 18)
    assert store.table(table).last_line == 2


def test_a_tap_counts_though_another_device_has_written_since(visit: Visit, store: Store) -> None:
    table, pin = _table(store)
    page = _writer(visit, table, pin)
    page.route(f"**{PATH}/**", lambda route: route.abort())  # it does not look again: the page stays as it was before the others wrote
    page.reload()
    _who(page, "Burak")
    key = page.get_by_role("button", name="Seven pairs (−4)")
    playwright.expect(key).to_be_enabled()
    stands_still(page)
    store.add(table, {"event": "indicator_shown", "by": 0, "deal": 1}, "elsewhere")
    key.click()
    _scores(page, 16, 19, 15, 15)

    _who(page, "Burak")
    shown = page.get_by_role("button", name="Showed the indicator")
    playwright.expect(shown).to_be_enabled()
    stands_still(page)
    store.add(table, {"event": "win", "by": 0, "hand": "melds", "deal": 2}, "the end of the deal")
    shown.click()
    page.get_by_test_id("stToast").get_by_text(
        "Deal 2 was written down on another device just before: yours was not written, look at the score."
    ).wait_for()
    _scores(page, 16, 17, 13, 13)
    playwright.expect(page.get_by_test_id("stButtonGroup").get_by_role("radio", checked=True)).to_have_count(0)
    assert [added.event["event"] for added in store.table(table).events] == ["indicator_shown", "win", "win"]


def test_a_penalty_in_101_counts_though_another_device_has_written_since(visit: Visit, store: Store) -> None:
    table, pin = _table(store, "101")
    page = _writer(visit, table, pin)
    page.route(f"**{PATH}/**", lambda route: route.abort())
    page.reload()
    tap(page.get_by_text("Penalty", exact=True))
    form = page.get_by_test_id("stExpander")
    tap(form.get_by_role("radio", name="Burak"))
    tap(form.get_by_role("radio", name="An okey discarded"))
    written = page.get_by_role("button", name="Write the penalty down")
    playwright.expect(written).to_be_enabled()  # the taps have arrived: the page seems to stand still until they have
    stands_still(page)
    store.add(table, {"event": "penalty", "by": 0, "reason": "failed_opening", "deal": 1}, "elsewhere")
    written.click()
    _scores(page, 101, 101, 0, 0)


def test_the_last_change_is_undone_once_however_often_it_is_tapped(visit: Visit, store: Store) -> None:
    table, pin = _table(store)
    for by in range(3):
        store.add(table, {"event": "win", "by": by, "hand": "melds"}, str(by))
    first, second = _writer(visit, table, pin), _writer(visit, table, pin)
    keys = [page.get_by_role("button", name="Undo the last change") for page in (first, second)]
    for page, key in zip((first, second), keys, strict=True):
        playwright.expect(key).to_be_enabled()
        stands_still(page)
    for key in keys:
        key.evaluate("key => { key.click(); key.click() }")  # without waiting for anything
    for page in (first, second):
        _scores(page, 18, 18, 16, 16)
        stands_still(page)
    assert [added.event["event"] for added in store.table(table).events] == ["win", "win", "win", "undo"]


def test_a_correction_can_name_who_is_out_by_what_it_corrects(visit: Visit, store: Store) -> None:
    table, pin = _table(store, start=2)
    store.add(table, {"event": "win", "by": 0, "hand": "melds"}, "one")
    page = _writer(visit, table, pin)
    _scores(page, 2, 0, 0, 0)
    tap(page.get_by_role("button", name="Correct"))
    dialog = page.get_by_role("dialog")
    tap(dialog.get_by_role("radio", name="Deniz"))
    tap(dialog.get_by_role("button", name="Sets and runs (−2)"))
    _scores(page, 0, 0, 0, 2)


def test_a_correction_is_of_one_table_and_takes_the_right_to_write(visit: Visit, store: Store) -> None:
    table, pin = _table(store, start=2)
    store.add(table, {"event": "win", "by": 0, "hand": "melds"}, "one")
    page = _writer(visit, table, pin)
    _tap(page, "Rematch with the same people")
    _scores(page, 2, 2, 2, 2)
    stands_still(page)  # until then the first table's button to correct is there as well
    rematch = store.table(table).rematch
    assert rematch is not None
    store.add(rematch, {"event": "exhausted"}, "one")
    tap(page.get_by_role("button", name="Correct"))
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("What should stand here?").wait_for()
    page.go_back()
    _scores(page, 2, 0, 0, 0)
    stands_still(page)
    playwright.expect(dialog).to_have_count(0)

    tap(page.get_by_role("button", name="Correct"))
    tap(dialog.get_by_role("radio", name="Deniz"))
    stands_still(page)
    store.change_pin(table, pin, "2468", "somebody else")
    dialog.get_by_role("button", name="Sets and runs (−2)").click()
    page.get_by_test_id("stToast").get_by_text("You are watching.").wait_for()
    page.get_by_role("button", name="Unlock").wait_for()
    assert store.table(table).last_line == 2


def test_what_another_device_has_corrected_since_is_not_corrected_or_taken_back_unseen(visit: Visit, store: Store) -> None:
    table, pin = _table(store)
    for by in range(2):
        store.add(table, {"event": "win", "by": by, "hand": "melds"}, str(by))
    page = _writer(visit, table, pin)
    page.route(f"**{PATH}/**", lambda route: route.abort())  # it does not look again
    page.reload()
    toast = page.get_by_test_id("stToast").get_by_text("This deal was changed in the meantime: look at what stands there now.")
    tap(page.locator(".deals li", has_text="Ayşe won").get_by_role("button", name="Correct"))
    dialog = page.get_by_role("dialog")
    tap(dialog.get_by_role("radio", name="Deniz"))
    stands_still(page)
    store.add(table, {"event": "correct", "line": 2, "with": {"event": "win", "by": 2, "hand": "melds"}}, "elsewhere")
    dialog.get_by_role("button", name="Sets and runs (−2)").click()
    toast.wait_for()
    _scores(page, 16, 18, 18, 16)

    toast.wait_for(state="detached")
    back = page.locator(".deals li", has_text="Cem won").get_by_role("button", name="Take back")
    back.wait_for()
    stands_still(page)
    store.add(table, {"event": "correct", "line": 2, "with": {"event": "exhausted"}}, "elsewhere again")
    back.click()
    toast.wait_for()
    _scores(page, 18, 20, 18, 18)
    assert store.table(table).last_line == 5


def test_a_button_keeps_the_focus_while_another_device_writes(visit: Visit, store: Store) -> None:
    table, pin = _table(store)
    store.add(table, {"event": "win", "by": 0, "hand": "melds"}, "one")
    page = _writer(visit, table, pin)
    correct = page.locator(".deals li", has_text="Ayşe won").get_by_role("button", name="Correct")
    stands_still(page)
    correct.focus()
    store.add(table, {"event": "win", "by": 1, "hand": "melds", "deal": 2}, "elsewhere")
    _scores(page, 18, 18, 16, 16)
    stands_still(page)
    playwright.expect(correct).to_be_focused()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("What should stand here?").wait_for()
    stands_still(page)
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    playwright.expect(correct).to_be_focused()


def test_what_came_from_a_file_can_be_corrected(visit: Visit, store: Store) -> None:
    lines: tuple[dict[str, object], ...] = (
        {"rules": "nostalji", "players": NAMES},
        {"event": "win", "by": 0, "hand": "melds", "colour": "red"},
    )
    table, pin = store.import_table(read_ledger(map(json.dumps, lines)))
    page = _writer(visit, table, pin)
    tap(page.get_by_role("button", name="Correct"))
    dialog = page.get_by_role("dialog")
    playwright.expect(dialog.get_by_role("radio", name="red")).to_be_checked()
    tap(dialog.get_by_role("radio", name="Burak"))
    tap(dialog.get_by_role("button", name="Sets and runs (−8)"))
    _scores(page, 12, 20, 12, 12)

    lines = (
        {"rules": "101", "players": NAMES},
        {"event": "deal", "players": [{"opened": "melds", "left": 3, "okeys_left": None}, {}, {}, {}]},
    )
    table, pin = store.import_table(read_ledger(map(json.dumps, lines)))
    page = _writer(visit, table, pin)
    _scores(page, 3, 202, 202, 202)
    tap(page.get_by_role("button", name="Correct"))
    playwright.expect(page.get_by_role("dialog").get_by_role("radio", name="Nobody")).to_be_checked()
    tap(page.get_by_role("dialog").get_by_role("button", name="Write the deal down"))
    _scores(page, 3, 202, 202, 202)


def _indicator(where: playwright.Page | playwright.Locator, page: playwright.Page, name: str) -> None:
    """Chooses the indicator of a deal that its colour may double."""
    tap(where.get_by_test_id("stSelectbox").get_by_role("combobox"))
    page.keyboard.type(name)  # of a long list only what is in sight is there
    tap(page.get_by_role("option", name=name, exact=True))


def test_where_the_indicator_may_double_a_deal_it_is_asked_for_and_can_be_corrected(visit: Visit, store: Store) -> None:
    table, pin = _table(store, colour_doubles="indicator")
    page = _writer(visit, table, pin)
    page.get_by_text("say which tile it is").wait_for()
    _who(page, "Ayşe")
    playwright.expect(page.get_by_role("button", name="The stock ran out")).to_be_disabled()
    _indicator(page, page, "blue 5")
    _tap(page, "Showed the indicator")
    _scores(page, 20, 19, 19, 19)
    _deal(page, "Burak", "Sets and runs (−2)")  # the deal's indicator is known
    _scores(page, 18, 19, 17, 17)
    dialog = page.get_by_role("dialog")
    tap(page.locator(".deals li", has_text="showed the indicator").get_by_role("button", name="Correct"))
    _indicator(dialog, page, "not told here")
    tap(dialog.get_by_role("button", name="Showed the indicator"))
    dialog.wait_for(state="detached")
    tap(page.locator(".deals li", has_text="Burak won").get_by_role("button", name="Correct"))
    _indicator(dialog, page, "red 5")
    tap(dialog.get_by_role("button", name="Sets and runs (−4)", exact=True))
    _scores(page, 16, 18, 14, 14)


def test_what_the_rules_do_not_allow_is_not_offered_or_gets_a_sentence(visit: Visit, store: Store) -> None:
    table, pin = _table(store, start=4)
    store.add(table, {"event": "win", "by": 0, "hand": "melds"}, "one")
    store.add(table, {"event": "win", "by": 0, "hand": "melds"}, "the end")
    page = _writer(visit, table, pin)
    tap(page.locator(".deals li", has_text="Deal 1").get_by_role("button", name="Correct"))
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Sets and runs (−2)").wait_for()
    playwright.expect(dialog.get_by_role("button", name="Seven pairs")).to_have_count(0)
    dialog.get_by_text("With this, deal 2 does not fit any more: the game is over before it.").first.wait_for()
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    for scores in ((4, 2, 2, 2), (4, 4, 4, 4)):
        _tap(page, "Undo the last change")
        _scores(page, *scores)
    _tap(page, "Undo the last change")
    page.get_by_test_id("stToast").get_by_text("There is nothing left to undo.").wait_for()


def test_a_deal_of_101(visit: Visit, store: Store) -> None:
    table, pin = _table(store, "101", deals=1)
    page = _writer(visit, table, pin)
    _who(page, "Cem")
    stands_still(page)
    for number, (opened, left) in enumerate((("Sets and runs", "23"), ("Not opened", ""), ("Pairs", "0"))):
        seat = (0, 1, 3)[number]
        hand = page.locator(f"[class*='st-key-hand-{seat}-']")
        tap(hand.get_by_role("radio", name=opened))
        stands_still(page)
        if left == "23":
            _tap(page, "Write the deal down")
            page.get_by_test_id("stAlert").get_by_text("The sum that Ayşe has left is missing").wait_for()
            field = hand.get_by_label("Sum left")
            field.fill("500")
            field.press("Enter")
            _tap(page, "Write the deal down")
            page.get_by_test_id("stAlert").get_by_text("The sum that Ayşe has left is a number from 0 to 273").wait_for()
            assert store.table(table).last_line == 1
        if left:
            hand.get_by_label("Sum left").fill(left)
            if left == "23":
                tap(page.get_by_text("Finished with an okey"))
    page.get_by_role("button", name="Write the deal down").click()  # which ends the typing of the last sum
    _scores(page, 46, 404, -202, 0)
    playwright.expect(page.locator(".over")).to_have_text("Cem wins the game")


def test_a_new_game_begins_below_the_deals_and_only_after_a_second_tap(visit: Visit, store: Store) -> None:
    table, pin = _table_of_101(store)
    page = _writer(visit, table, pin)
    new_game = page.get_by_role("button", name="New game with the same people")
    tap(new_game)
    assert store.table(table).rematch is None
    lowest = page.locator(".deals li").last.bounding_box()
    key = new_game.bounding_box()
    assert lowest and key and key["y"] >= lowest["y"] + lowest["height"]
    _tap(page, "Start the new game")
    _scores(page, 0, 0, 0, 0)
    assert store.table(table).rematch == page.url.split("table=")[1]


def test_a_half_filled_deal_of_101_stays_while_a_penalty_is_written_elsewhere(visit: Visit, store: Store) -> None:
    table, pin = _table(store, "101")
    page = _writer(visit, table, pin)
    _who(page, "Cem")
    hand = page.locator("[class*='st-key-hand-0-']")
    tap(hand.get_by_role("radio", name="Sets and runs"))
    field = hand.get_by_label("Sum left")
    field.fill("23")
    field.press("Enter")
    stands_still(page)
    store.add(table, {"event": "penalty", "by": 1, "reason": "okey_discarded", "deal": 1}, "elsewhere")
    _scores(page, 0, 101, 0, 0)
    stands_still(page)
    playwright.expect(field).to_have_value("23")
    _tap(page, "Write the deal down")
    _scores(page, 23, 303, -101, 202)
    playwright.expect(field).to_have_count(0)


def _half_filled_deal(page: playwright.Page) -> playwright.Locator:
    """Fills in the first half of a deal of 101, and returns the field of the sum that a hand is left with."""
    _who(page, "Cem")
    hand = page.locator("[class*='st-key-hand-0-']")
    tap(hand.get_by_role("radio", name="Sets and runs"))
    left = hand.get_by_label("Sum left")
    left.wait_for()
    stands_still(page)
    left.fill("23")
    left.press("Enter")
    stands_still(page)
    return left


def test_what_is_half_filled_in_stays_while_another_tab_or_page_is_looked_at(visit: Visit, store: Store) -> None:
    page = _writer(visit, *_table(store, "101"))
    _half_filled_deal(page)
    tap(page.get_by_role("tab", name="Watch"))
    page.get_by_test_id("stCode").wait_for()
    tap(page.get_by_role("tab", name="The game"))
    _tap(page, "Write the deal down")
    _scores(page, 23, 202, -101, 202)


def test_what_is_half_filled_in_stays_when_another_tab_is_left_as_soon_as_it_was_opened(visit: Visit, store: Store) -> None:
    """The browser forgets what stands in a tab that is left some moment after it has opened the next one: any moment may be that one."""
    page = _writer(visit, *_table(store, "101"))
    left = _half_filled_deal(page)
    for moment_ms in range(50, 170, 20):
        page.evaluate(
            """async moment => {
                const [game, watch] = document.querySelectorAll("[role=tab]");
                watch.click();
                await new Promise(done => setTimeout(done, moment));
                game.click();
            }""",
            moment_ms,
        )
        stands_still(page)
        tap(page.get_by_role("tab", name="The game"))  # a tap that came before the tab was drawn counts for nothing
        playwright.expect(left).to_have_value("23")
    _tap(page, "Write the deal down")
    _scores(page, 23, 202, -101, 202)


def test_a_new_table_keeps_its_names_and_rules_while_another_page_is_looked_at_and_refuses_a_figure_beyond_its_limits(
    visit: Visit, store: Store
) -> None:
    page = visit("score")
    for seat, name in enumerate(NAMES, start=1):
        stands_still(page)
        page.get_by_label(f"Seat {seat}").fill(name)
        page.get_by_label(f"Seat {seat}").press("Enter")
        page.get_by_role("radio", name=name).wait_for()
    tap(page.get_by_text("Players opposite each other are a team"))
    tap(page.get_by_role("radio", name="Favorite"))
    page.locator("[class*='st-key-option-favorite-start']").wait_for()  # the preset has arrived
    tap(page.get_by_role("link", name="Deal"))
    page.get_by_role("heading", name="Deal").wait_for()
    stands_still(page)
    tap(page.get_by_role("link", name="Score"))
    playwright.expect(page.get_by_label("Seat 4")).to_have_value("Deniz")
    playwright.expect(page.get_by_role("radio", name="Favorite")).to_be_checked()
    start = page.get_by_label("What every player starts with")
    for figure in ("2000", "40"):
        start.fill(figure)
        start.press("Enter")
        stands_still(page)
        _tap(page, "Start the table")
        if figure == "2000":
            page.get_by_test_id("stAlert").get_by_text("Enter a number from 1 to 999").wait_for()
            assert "table=" not in page.url
    page.wait_for_url(re.compile("table="))
    table = store.table(page.url.split("table=")[1]).ledger.table
    assert (table.players, table.rules.name, table.rules.scoring.start, table.rules.scoring.partners) == (
        tuple(NAMES),
        "favorite",
        40,
        True,
    )


def test_a_penalty_in_101(visit: Visit, store: Store) -> None:
    page = _writer(visit, *_table(store, "101"))
    tap(page.get_by_text("Penalty", exact=True))
    form = page.get_by_test_id("stExpander")
    tap(form.get_by_role("radio", name="Burak"))
    tap(form.get_by_role("radio", name="An okey discarded"))
    _tap(page, "Write the penalty down")
    _scores(page, 0, 101, 0, 0)
    playwright.expect(page.locator(".deals li")).to_contain_text("Penalty for Burak: An okey discarded")


def test_the_ledger_can_be_kept(visit: Visit, store: Store) -> None:
    table, _ = _table(store)
    store.add(table, {"event": "win", "by": 0, "hand": "melds"}, "one")
    page = visit(f"score?table={table}")
    tap(page.get_by_role("tab", name="The table"))
    files = {}
    for kind in ("CSV", "JSON"):
        with page.expect_download() as download:
            tap(page.get_by_role("button", name=kind))
        files[kind] = Path(download.value.path()).read_text("utf-8-sig")
    assert read_ledger(files["JSON"].splitlines()).standing.scores == (20, 18, 18, 18)
    assert json.loads(files["JSON"].splitlines()[0])["players"] == NAMES
    assert "Ayşe,Ayşe won: sets and runs,0,-2,-2,-2,20,18,18,18," in files["CSV"]
    tap(page.get_by_role("tab", name="Watch"))
    playwright.expect(page.locator(".code svg")).to_be_visible()
    playwright.expect(page.get_by_test_id("stCode")).to_contain_text(f"/score?table={table}")


def test_tables_of_the_same_people_are_told_apart(visit: Visit, store: Store) -> None:
    page = _writer(visit, *_table_of_101(store))
    table, pin = _table(store, start=2)
    page.goto(page.url.split("table=")[0] + f"table={table}")
    _unlock(page, pin)
    _deal(page, "Ayşe", "Sets and runs (−2)")
    page.locator(".over").wait_for()
    tap(page.get_by_role("link", name="Score", exact=True))  # which once left the table in the address, to be opened again
    tap(page.get_by_text("Tables", exact=True))
    tables = page.locator("[class*='st-key-open-']")
    when = r"\d+ \w+ \d{4}, \d\d:\d\d \(UTC\+\d{4}\)"
    told = [rf"^{when}: Ayşe, Burak, Cem, Deniz · {how}$" for how in ("Classic · over", "Okey 101 · 1 deal")]
    for number, label in enumerate(told):
        playwright.expect(tables.nth(number)).to_have_text(re.compile(label))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tap(tables.nth(1).get_by_role("button"))
    _scores(page, *[202] * 4)


def test_names_are_offered_and_must_differ(visit: Visit, store: Store) -> None:
    _table(store)
    page = visit("score")
    tap(page.get_by_role("button", name=", ".join(NAMES)).first)
    page.get_by_role("radio", name="Deniz").wait_for()
    stands_still(page)
    page.get_by_label("Seat 2").fill("Ayşe")
    _tap(page, "Start the table")
    page.get_by_test_id("stAlert").get_by_text("Two players are called Ayşe").wait_for()
    page.get_by_label("Seat 2").fill("")
    page.keyboard.press("Tab")
    tap(page.get_by_role("button", name="Burak").nth(1))  # the first is that of all four
    playwright.expect(page.get_by_label("Seat 2")).to_have_value("Burak")
    _tap(page, "Start the table")
    _scores(page, 20, 20, 20, 20)


@pytest.mark.parametrize(("visit", "moves_on"), [("desktop", "Tab"), ("phone", "click")], indirect=["visit"])
def test_names_stay_however_one_moves_on_from_them(visit: Visit, address: str, moves_on: str) -> None:
    page = visit("score")
    stands_still(page)
    fields = [page.get_by_label(f"Seat {seat}") for seat in range(1, 5)]
    fields[0].click()
    for seat, name in enumerate(NAMES):
        page.keyboard.type(name)
        if moves_on == "Tab":
            page.keyboard.press("Tab")
        elif seat < 3:
            fields[seat + 1].click()
    page.get_by_role("button", name="Start the table").click()  # at once, which ends the typing of the last name
    playwright.expect(page.locator(".card h3")).to_have_text(NAMES)


def test_a_name_stays_though_another_page_is_opened_while_it_is_typed(visit: Visit, address: str) -> None:
    page = visit("score")
    stands_still(page)
    page.get_by_label("Seat 1").fill("Ayşe")
    page.get_by_role("link", name="History").click()  # at once, which ends the typing
    page.get_by_role("heading", name="Evening after evening").wait_for()
    stands_still(page)
    tap(page.get_by_role("link", name="Score"))
    playwright.expect(page.get_by_label("Seat 1")).to_have_value("Ayşe")


def test_names_are_shown_as_they_were_typed(visit: Visit, store: Store) -> None:
    names = ["Ali ~1~", "[Can](x) $a$ :red[b]", "*Ece*"]
    page = _writer(visit, *store.new_table(names, "classic", {}))
    for name in names:
        playwright.expect(page.get_by_test_id("stButtonGroup").get_by_role("radio", name=name, exact=True)).to_be_visible()


def test_a_database_that_fails_is_told_until_it_does_not(visit: Visit, store: Store, database: str) -> None:
    table, _ = _table(store)
    page = visit(f"score?table={table}")
    _scores(page, 20, 20, 20, 20)
    with closing(sqlite3.connect(database.removeprefix("sqlite:///"))) as file:
        file.execute("ALTER TABLE events RENAME TO elsewhere")
        playwright.expect(page.get_by_role("alert")).to_contain_text("The database")
        file.execute("ALTER TABLE elsewhere RENAME TO events")
    playwright.expect(page.get_by_role("alert")).to_have_count(0)
    store.add(table, {"event": "win", "by": 0, "hand": "melds"}, "one")
    _scores(page, 20, 18, 18, 18)


def test_only_the_visitor_may_look_again(visit: Visit, store: Store, address: str) -> None:
    page = visit(f"score?table={_table(store)[0]}")
    with page.expect_response(lambda response: PATH in response.url) as looked:
        pass
    assert looked.value.json() == {"drawn": "", "over": False, "changed": False}
    assert page.request.get(f"{address}{PATH}/guessed").status == 404


def test_a_wrong_link_gets_a_sentence(visit: Visit, store: Store) -> None:
    page = visit("score?table=nowhere")
    playwright.expect(page.get_by_test_id("stAlert")).to_contain_text("There is no table 'nowhere': check the link.")


@in_both_windows
def test_nothing_sticks_out_sideways(visit: Visit, store: Store) -> None:
    names = [f"{name} of the long names"[:24] for name in NAMES]
    page = _writer(visit, *store.new_table(names, "favorite", {}))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for name in names:
        box = page.get_by_role("radio", name=name).bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= page.evaluate("innerWidth"), "every player can be tapped"
    tall = [box["height"] for score in page.locator(".score").all() if (box := score.bounding_box())]
    assert min(tall) > 56, "the score is read from across the table"


def test_a_finger_finds_what_it_taps(visit: Visit, store: Store) -> None:
    page = _writer(visit, *_table_of_101(store))
    _who(page, "Ayşe")
    tap(page.locator("[class*='st-key-hand-1-']").get_by_role("radio", name="Sets and runs"))
    page.get_by_label("Sum left").wait_for()
    page.set_viewport_size({"width": 360, "height": 740})
    stands_still(page)
    kinds = (
        ".stPageLink a",
        "[role=tab]",
        "[role=radio]",
        *(f"{part} button" for part in (".stNumberInput", ".stButton", ".languages", ".deals")),
    )
    for kind in kinds:
        controls = page.locator(kind).filter(visible=True)
        playwright.expect(controls).not_to_have_count(0)
        for box in [control.bounding_box() for control in controls.all()]:
            assert box and min(round(box["width"]), round(box["height"])) >= 44, kind
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tabs = page.get_by_role("tab").last.bounding_box()
    assert tabs and tabs["x"] + tabs["width"] <= 360


def test_a_filled_button_is_read_on_whatever_lies_over_a_dark_page(visit: Visit, store: Store) -> None:
    page = _writer(visit, *_table_of_101(store))
    page.emulate_media(color_scheme="dark")
    page.reload()
    _tap(page, "New game with the same people")
    over = page.get_by_test_id("stPopoverBody")
    playwright.expect(over.get_by_role("button").locator("p")).to_have_css("color", "rgb(28, 24, 21)")
    playwright.expect(over.get_by_test_id("stCaptionContainer")).to_have_css("opacity", "0.85")
    page.keyboard.press("Escape")
    tap(page.get_by_role("button", name="Correct"))
    write = page.get_by_role("dialog").get_by_role("button", name="Write the deal down")
    playwright.expect(write.locator("p")).to_have_css("color", "rgb(28, 24, 21)")


def test_partners_are_wholly_visible(visit: Visit, store: Store) -> None:
    names = ["Abdurrahman", "W" * 24, "Süleyman", "M" * 24]
    page = visit(f"score?table={store.new_table(names, 'classic', {'partners': True})[0]}")
    _stand_in_their_cards(page, [" & ".join(names[0::2]), " & ".join(names[1::2])])


def test_a_long_score_stays_in_its_card(visit: Visit, store: Store) -> None:
    table, _ = _table(store, "101", partners=True)
    players = [{"opened": "pairs"}, *[{"opened": None}] * 3]
    for deal in range(1, 7):
        store.add(
            table, {"event": "deal", "finisher": 0, "okey_last": True, "hand_finish": True, "players": players, "deal": deal}, str(deal)
        )
    page = visit(f"score?table={table}")
    page.set_viewport_size({"width": 320, "height": 844})
    _scores(page, -2424, 9696)
    _stand_in_their_cards(page, ["Ayşe & Cem", "Burak & Deniz"])


def _stand_in_their_cards(page: playwright.Page, names: list[str]) -> None:
    """Whether the page is no wider than the window and what is written in a card no wider than the card."""
    playwright.expect(page.locator(".card h3")).to_have_text(names)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for part in page.locator(".card :is(h3, .score, .mark)").all():
        assert part.evaluate(
            """part => {
                const text = document.createRange();
                text.selectNodeContents(part);
                const [inner, outer] = [text.getBoundingClientRect(), part.closest(".card").getBoundingClientRect()];
                return inner.left >= outer.left && inner.right <= outer.right && part.scrollWidth <= part.clientWidth;
            }"""
        ), part.inner_text()


def test_the_score_goes_on_after_the_server_was_restarted(browser: playwright.Browser, store: Store, database: str) -> None:
    table, _ = _table(store)
    port, context = free_port(), browser.new_context()
    context.set_default_timeout(1000 * PATIENCE_S)
    page = context.new_page()
    with closing(context):
        with serving(port, database):
            page.goto(f"http://localhost:{port}/score?table={table}")
            _scores(page, 20, 20, 20, 20)
            stands_still(page)  # what is being drawn is drawn again by itself
        store.add(table, {"event": "win", "by": 0, "hand": "melds", "okey_last": False}, "a win")
        with serving(port, database):
            _scores(page, 20, 18, 18, 18)
            told = page.locator("[aria-label='Burak, Deals played 1: Score 18']")
            playwright.expect(told, "the true score, though its point is moved aside").to_have_count(1)


def test_a_device_is_told_with_the_page_and_for_a_year_again(visit: Visit) -> None:
    page = visit("score")
    stands_still(page)
    (told,) = (cookie for cookie in page.context.cookies() if cookie["name"] == DEVICE_COOKIE)
    assert told["httpOnly"] and told["expires"] > time() + 364 * 24 * 3600
    page.context.add_cookies([{**told, "expires": time() + 3600}])
    page.reload()
    (again,) = (cookie for cookie in page.context.cookies() if cookie["name"] == DEVICE_COOKIE)
    assert again["value"] == told["value"] and again["expires"] > time() + 364 * 24 * 3600
