"""A rendered deal seen from above through the real reader: the indicator, the discards, the hand that is shown."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

if find_spec("tqdm") is None and not os.environ.get("CI"):
    pytest.skip("the extra `train` is not installed: make test TRAIN=1", allow_module_level=True)

from assistant.dispute import check
from assistant.tiles import Rack
from vision.reader import TileReader
from vision.sight import Sight
from vision.workshop import video
from vision.workshop.bench_table import IN_TIME, Recognised
from vision.workshop.deal_film import LAYOUTS, RATE, Deal, film_deal, film_table, random_deal
from vision.workshop.sample import LAMP, sample_style

HURRY = 0.6
"""Seconds from one moment of a test's deal to the next."""


def test_a_hand_shown_on_a_table_is_recognised_in_time_and_nothing_else_is() -> None:
    deal = Deal.begun(np.random.default_rng(3), sample_style())
    deal.stock()
    deal.discards(7, 1)
    deal.show("rows", spoiled=False)
    deal.moments = [replace(moment, time=HURRY * number) for number, moment in enumerate(deal.moments, start=1)]
    deal.time = deal.moments[-1].time
    reader, counts, truths = TileReader(), Recognised(), []

    def film():  # type: ignore[no-untyped-def]
        for picture, truth in film_table(deal, LAMP, np.random.default_rng(5)):
            truths.append(truth)
            yield reader.look_at_table(picture), truth

    counts.add(film())
    assert counts.took[0] is not None
    assert counts.took[0] <= IN_TIME
    assert (counts.exact, counts.judged, counts.alarms, counts.indicators) == (1, 1, 0, 1)
    shown = [truth["time"] for truth in truths if truth["shown"]]
    assert shown[0] == pytest.approx(deal.time, abs=1 / RATE)
    assert len({tile["tile"] for tile in truths[-1]["tiles"]}) > 14


def test_the_indicator_is_the_deals_though_something_lies_on_it_in_the_end() -> None:
    nothing = Sight((640, 480), *(np.zeros((0, *shape)) for shape in ((4, 2), (16,), (4,), (3,), ())), light=0.5)
    tables = [], [{"tile": "K12", "place": "indicator"}], []
    counts = Recognised()
    counts.add((nothing, {"time": number, "shown": None, "still": None, "tiles": tiles}) for number, tiles in enumerate(tables))
    assert (counts.of_indicators, counts.indicators) == (1, 0)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_hand_that_is_not_spoiled_wins_as_it_is_laid(layout: str) -> None:
    for seed in range(8):
        deal = Deal.begun(np.random.default_rng(seed), sample_style())
        deal.show(layout, spoiled=False)
        shown = deal.moments[-1].shown
        assert shown is not None
        assert check(Rack.parse(shown), None).valid
        assert len(deal.pool) == 106 - 14


def test_a_deal_follows_from_its_number_alone() -> None:
    style = sample_style()
    first, again, other = (random_deal(number, 1, style) for number in (3, 3, 4))
    assert [moment.shown for moment in first.moments] == [moment.shown for moment in again.moments]
    assert first.time == again.time
    assert first.pool != other.pool


@pytest.mark.slow
def test_a_film_of_a_deal_is_written_with_what_is_shown(tmp_path: Path) -> None:
    assert video.main([str(tmp_path / "deal"), "--table", "--number", "1"]) == 0
    truths = [json.loads(line) for line in (tmp_path / "deal.truth.jsonl").read_text().splitlines()]
    assert len(list((tmp_path / "deal").iterdir())) == len(truths)
    assert truths[0]["shown"] is None
    assert len(Rack.parse(truths[-1]["shown"]).tiles) == 14
    assert next(film_deal(1, 1))[1] == truths[0]
