"""What is kept, sent and printed: the words that must stand on it, and the pictures in it. How it looks is for the eye."""

from __future__ import annotations

import hashlib
import io
import unicodedata
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import cv2
import numpy as np
import pymupdf
import pytest
from PIL import Image

from assistant.dashboard.hand import Hand
from assistant.dashboard.inks import looking_at
from assistant.dashboard.judging import dispute
from assistant.dashboard.language import speaking
from assistant.dashboard.paper.canvas import INKS, PICTURE_WIDTH, png_of
from assistant.dashboard.paper.sheet import A4, score_sheet
from assistant.dashboard.paper.summary import accounts, summary_card, summary_text
from assistant.dashboard.paper.verdict_card import STATES, check_value, verdict_card
from assistant.dashboard.photo import Photo
from assistant.dispute import Judgement
from assistant.rules import CLASSIC, Rules
from assistant.store import SavedTable, Store
from assistant.tiles import Colour, Tile
from tests.assistant.tables import saved_earlier
from tests.dashboard.readings import reading_of

MADE = datetime(2026, 3, 14, 21, 5, tzinfo=timezone(timedelta(hours=3)))
MAGENTA = (255, 0, 255)
WINS = "R1 R2 R3 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13"
SHOWN = Hand(reading_of("R1 R2 R3 | K5 B5 R9 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13 | K12", indicator="K11"))
NAMES = ["Ayşe Iğdır", "Жълт Иван", "İclal 日本", "Ömer & <i>Oğlu</i>"]


def photo(hand: Hand) -> Photo:
    """A photo that is magenta wherever no tile was seen."""
    jpeg = cv2.imencode(".png", np.full((400, 400, 3), MAGENTA[::-1], np.uint8))[1].tobytes()
    return Photo(hashlib.sha256(jpeg).hexdigest(), jpeg, hand.reading)


def judged(hand: Hand, rules: Rules = CLASSIC) -> Judgement:
    judgement = dispute(hand, rules).judgement
    assert judgement is not None
    return judgement


def card(hand: Hand, rules: Rules = CLASSIC, players: list[str] | None = None) -> bytes:
    return verdict_card(photo(hand), hand, judged(hand, rules), MADE, players or [])


def value(hand: Hand, rules: Rules = CLASSIC, made: datetime = MADE) -> str:
    return check_value(photo(hand), hand, judged(hand, rules), made)


def words(pdf: bytes) -> str:
    """All that is written in a document, letter by letter, spaces and lines as single spaces."""
    return " ".join(map(page_words, pymupdf.open(stream=pdf)))


def page_words(page: pymupdf.Page) -> str:
    """The same of one page."""
    return " ".join(unicodedata.normalize("NFKC", page.get_text()).split())


def pixels(pdf: bytes, colour: str | tuple[int, int, int]) -> int:
    """How many pixels of the picture have a colour, as exactly as edges allow."""
    wanted = tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5)) if isinstance(colour, str) else colour
    drawn = np.asarray(Image.open(io.BytesIO(png_of(pdf))).convert("RGB")).astype(int)
    return int((abs(drawn - wanted).max(axis=2) < 12).sum())


def test_a_card_says_all_that_was_judged() -> None:
    said = words(card(SHOWN, players=NAMES))
    for expected in (
        "14 March 2026, 21:05 (UTC+0300)",
        "Not valid as it lies",
        "Group 1 A run.",
        "Group 2 A run needs one colour and a set one number",
        "The fifteenth tile An okey as the last tile.",
        "Classic: 12 13 1 is a run, a false joker stands for the okey’s face, a shown hand must lie group by group",
        f"Check value: {value(SHOWN)}",
        "Table: Ayşe Iğdır, Жълт Иван, İclal 日本, Ömer & <i>Oğlu</i>",
    ):
        assert expected in said
    assert "by hand" not in said


def test_a_card_shows_the_photo_and_every_tile_that_was_said_by_hand() -> None:
    seen = Hand(reading_of("R1 R2 R3 | K5 B5 R9 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13", indicator="K11"))
    corrected = seen.changed("5", Tile.parse("R5")).added(Tile.parse("K6"))
    assert "2 tiles were said by hand: red 5 (read as red 9) and black 6 (not seen in the photo)." in words(card(corrected))
    assert pixels(card(SHOWN), MAGENTA) > 0.3 * 800**2
    assert pixels(card(SHOWN), STATES["hand"]) == 0
    assert pixels(card(corrected), STATES["hand"]) > 2000


def test_the_same_card_is_the_same_file_however_often_it_is_made() -> None:
    assert card(SHOWN) == card(SHOWN) != card(Hand(reading_of(WINS, indicator="K11")))


def test_an_indicator_said_by_hand_is_marked_too() -> None:
    corrected = Hand(reading_of(WINS)).with_indicator(Tile.parse("K11"))
    assert "One tile was said by hand: the indicator black 11 (not seen in the photo)." in words(card(corrected))


def test_a_card_says_what_the_verdict_rests_on() -> None:
    doubtful = Hand(reading_of(WINS, indicator="K11", doubtful="Y13"))
    assert "One tile is in doubt" in words(card(doubtful))
    told = doubtful.with_gap("2", apart=False).with_gap("5", apart=True)
    assert "Said by hand of narrow gaps: red 3 and black 5 together; yellow 5 and blue 7 apart." in words(card(told))
    high_one = Hand(reading_of(WINS.replace("R1 R2 R3", "R12 R13 R1"), indicator="K11"))
    assert "What decided here: 1 after 13." in words(card(high_one))
    two_rows = Hand(reading_of("R1 R2 R3 | K5 B5 Y5 | B7 B8 B9 B10 | Y10 Y11 / Y12 Y13", indicator="K11"))
    assert "It would be valid where a group may go on in the next row" in words(card(two_rows))


def test_a_card_tells_how_the_tiles_would_win_and_by_which_rules() -> None:
    other_order = Hand(reading_of(WINS.replace("R1 R2 R3 | K5", "R1 R2 | R3 K5"), indicator="K11"))
    assert "The same tiles would win laid so" in words(card(other_order))
    loose = replace(CLASSIC, strict_layout=False)
    assert "The hand is valid" in words(card(other_order, loose))
    assert "a shown hand may lie in any order" in words(card(other_order, loose))


def test_a_card_names_and_draws_green_as_it_is() -> None:
    told = Hand(reading_of(WINS, indicator="K11")).changed("4", Tile.parse("B6"))
    with looking_at([Colour.BLUE]):
        green = card(told)
    assert "green 6 (read as green 5)" in words(green)
    assert pixels(green, INKS[Colour.BLUE]) < 500 < pixels(card(told), INKS[Colour.BLUE])


def test_a_card_speaks_turkish() -> None:
    with speaking("tr"):
        said = words(card(SHOWN.changed("5", Tile.parse("R4"))))
    for expected in (
        "14 Mart 2026",
        "Bu dizilişle geçersiz",
        "1. grup Seri.",
        "1 taş elle belirtildi: kırmızı 4 (kırmızı 9 diye okunmuştu).",
    ):
        assert expected in said


@pytest.mark.parametrize("name", [*NAMES, "عائشة", "שרה", "हिन्दी", "ไทย", "🀄", "Ǆ"])
def test_no_letter_of_a_name_is_drawn_as_a_box(name: str) -> None:
    page = pymupdf.open(stream=card(SHOWN, players=[name])).load_page(0)
    assert all(glyph for span in page.get_texttrace() for _unicode, glyph, *_ in span["chars"])


def test_the_check_value_tells_cards_apart() -> None:
    values = [
        value(SHOWN),
        value(SHOWN.changed("5", Tile.parse("R5"))),
        value(SHOWN.changed("5", Tile.parse("R9"))),  # the same tile, but on the user's word
        value(SHOWN.with_indicator(Tile.parse("K10"))),
        value(SHOWN, replace(CLASSIC, high_one=False)),
        value(SHOWN, made=MADE + timedelta(seconds=1)),
    ]
    assert len(set(values)) == len(values)
    assert value(SHOWN) == values[0]
    other = replace(photo(SHOWN), key=hashlib.sha256(b"another file").hexdigest())
    assert check_value(other, SHOWN, judged(SHOWN), MADE) not in values


def test_the_picture_of_a_card_is_as_wide_as_a_phone() -> None:
    picture = Image.open(io.BytesIO(png_of(card(SHOWN))))
    assert picture.width == PICTURE_WIDTH
    assert picture.height > picture.width


def test_many_visitors_draw_at_once() -> None:
    expected = words(card(SHOWN))
    with ThreadPoolExecutor(6) as visitors:
        assert [words(drawn) for drawn in visitors.map(lambda _: card(SHOWN), range(6))] == [expected] * 6


def win(by: int, hand: str = "melds") -> dict[str, object]:
    return {"event": "win", "by": by, "hand": hand, "okey_last": False, "colour": None}


@pytest.fixture
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    opened = Store(f"sqlite:///{tmp_path_factory.mktemp('data') / 'tables.db'}")
    yield opened
    opened.close()


def table(store: Store, events: list[dict[str, object]], rules: str = "classic", names: list[str] = NAMES, **options: object) -> SavedTable:
    public_id, _pin = store.new_table(names, rules, options)
    for number, event in enumerate(events):
        store.add(public_id, event, str(number))
    return store.table(public_id)


def test_a_summary_says_who_is_in_front_and_who_has_won(store: Store) -> None:
    going = table(store, [win(1, "pairs"), win(2)])
    assert summary_text(going, MADE).splitlines() == [
        "Жълт Иван is in front",
        "1. Жълт Иван: 18",
        "2. İclal 日本: 16",
        "3. Ayşe Iğdır: 14",
        "3. Ömer & <i>Oğlu</i>: 14",
        "Classic, 2 deals, 14 March 2026",
    ]


def test_a_summary_names_the_rules_of_a_table_that_has_some_of_its_own(store: Store) -> None:
    going = table(store, [win(1)], start=12, high_one=False)
    assert summary_text(going, MADE).splitlines()[-1].startswith("Classic: from 12 down;")
    assert "12 13 1 is no run" in summary_text(going, MADE)


def test_in_101_the_lowest_is_in_front(store: Store) -> None:
    hands = [{"opened": "melds", "left": left} for left in (30, 0, 20, 10)]
    going = table(store, [{"event": "deal", "finisher": 1, "players": hands}], "101")
    assert [(account.place, account.score) for account in accounts(going)] == [(1, -101), (2, 10), (3, 20), (4, 30)]


def test_partners_have_one_line(store: Store) -> None:
    over = table(store, [win(0, "pairs")], partners=True, start=4)
    assert [(account.name, account.won) for account in accounts(over)] == [
        ("Ayşe Iğdır & İclal 日本", True),
        ("Жълт Иван & Ömer & <i>Oğlu</i>", False),
    ]
    assert "🏆" in summary_text(over, MADE)


def test_the_summary_as_a_picture_is_square_and_says_the_same(store: Store) -> None:
    drawn = summary_card(table(store, [win(1), win(2)]), MADE)
    assert all(
        expected in words(drawn) for expected in ("16", "18", "Жълт Иван", "Classic, 2 deals", "14 March 2026", "Ömer & <i>Oğlu</i>")
    )
    assert Image.open(io.BytesIO(png_of(drawn))).size == (1080, 1080)
    assert "The score so far" in words(summary_card(table(store, []), MADE))


def test_the_sheet_tells_every_deal_and_what_was_changed(store: Store) -> None:
    sheet = score_sheet(
        table(store, [win(1, "pairs"), {"event": "correct", "line": 2, "with": win(2)}, win(0), {"event": "undo"}, win(3)]), MADE
    )
    said = words(sheet)
    for expected in (
        "Deal 1 İclal 日本 won: sets and runs (corrected) Жълт Иван won: seven pairs",
        "taken back Ayşe Iğdır won: sets and runs",
        "Deal 2 Ömer & <i>Oğlu</i> won: sets and runs −2 16 −2 16 −2 18 0 18",
        "Rules in force Classic: from 20 down",
        "Signatures",
        "Page 1 of 1",
    ):
        assert expected in said
    assert tuple(pymupdf.open(stream=sheet).load_page(0).rect)[2:] == A4


def test_the_sheet_says_what_is_set_aside(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    table = saved_earlier(url, ("Ayşe", "Cem"), "classic", {"start": 2}, win(1), win(0))
    assert "Ayşe won: sets and runs (kept, but does not count)" in words(score_sheet(Store(url).table(table), MADE))


def test_a_long_name_is_not_cut_off(store: Store) -> None:
    over = table(store, [win(1)], names=["Ж" * 24, "Cem"], start=2)
    for drawn in (summary_card(over, MADE), score_sheet(over, MADE)):
        letters = sum(page_words(page).count("Ж") for page in pymupdf.open(stream=drawn))
        assert letters > 0
        assert letters % 24 == 0


def test_a_long_game_goes_on_over_the_pages(store: Store) -> None:
    exhausted = [{"event": "exhausted"}] * 60
    sheet = pymupdf.open(stream=score_sheet(table(store, exhausted, start=999), MADE))
    assert len(sheet) == 3
    said = [page_words(page) for page in sheet]
    assert [f"Page {number} of 3" in page for number, page in enumerate(said, start=1)] == [True] * 3
    assert "Deal 1 " in said[0]
    assert "Deal 60 " in said[1]
    assert all("Ayşe Iğdır" in page for page in said), "every page with deals names the columns, the last is signed"
