"""Deals played on beside the page: what is known grows, and the playing ends when it should."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from assistant.dashboard import playing_on
from assistant.dashboard.playing_on import PlayingOn, Position
from assistant.rules import CLASSIC
from assistant.tiles import Tile, parse_tiles

TILES = tuple(parse_tiles("R1 R2 R3 K5 B5 Y5 B7 B8 B9 B10 Y10 Y11 Y12 R9"))
POSITION = Position(TILES, Tile.parse("K11"), (), CLASSIC, (None,))
PATIENCE_S = 120


def wait(until: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not until():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.01)


@pytest.fixture(autouse=True)
def plain_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time to compile, and none for other tests to find the searches compiled."""
    monkeypatch.setattr(playing_on, "compile_searches", lambda: None)


def test_what_is_known_grows_while_somebody_looks() -> None:
    playing = PlayingOn(POSITION)
    wait(playing.look)
    (first,) = playing.look()
    wait(lambda: playing.look()[0].deals > first.deals)
    assert first.deals < playing.look()[0].deals, "what was told does not change afterwards"
    wait(lambda: playing.look()[0].wins > first.wins)
    assert sum(first.won_after.values()) == first.wins, "nor does when it was won"
    playing.stop()
    wait(lambda: not playing.is_playing)


def test_it_ends_when_the_error_is_small_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing_on, "ERROR", 0.25)
    playing = PlayingOn(POSITION)
    wait(lambda: not playing.is_playing)
    assert not playing.left
    assert playing.look()[0].chance_error <= 0.25


def test_it_ends_when_nobody_looks_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing_on, "LEFT_AFTER_S", 0.0)
    playing = PlayingOn(POSITION)
    wait(lambda: not playing.is_playing)
    assert playing.left


def test_a_position_that_cannot_be_ends_at_once_with_nothing_known() -> None:
    seen = tuple(parse_tiles("K2 K3 K4 K6 K7 K8 K9 K10 K13 B1 B2 B3 B4 B6 B11 B13 Y1 Y2 Y3 Y4 Y6 Y7 Y8 Y9 R4 R5 R6 R7 R8 R10")) * 2
    before = threading.active_count()
    playing = PlayingOn(Position(TILES, Tile.parse("K11"), seen, CLASSIC, (None,)))
    wait(lambda: not playing.is_playing)
    assert playing.look() == ()
    wait(lambda: threading.active_count() <= before)
