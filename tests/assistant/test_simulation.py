"""Simulations: the same deals wherever they are played, and what is told of them."""

from __future__ import annotations

import json
import os

import pytest

from assistant.cli import main
from assistant.rules import CLASSIC, PRESETS
from assistant.simulation import SimulationError, Tally, Task, play_deals, simulate


def test_a_task_plays_the_same_deals_again() -> None:
    task = Task(3, players=4, rules=CLASSIC, bots="solver", seed=1, number=0)
    assert play_deals(task) == play_deals(task)
    assert play_deals(task).deals == 3


def test_every_deal_ends_as_one_of_the_ways() -> None:
    tally = Tally()
    for bots, players, number in (("random", 4, 0), ("solver", 2, 1), ("solver", 3, 2)):
        tally += play_deals(Task(4, players, CLASSIC, bots, seed=2, number=number))
    assert tally.deals == 12 == sum(tally.won_by.values()) + tally.exhausted == sum(tally.turns.values())
    assert sum(tally.hands.values()) == sum(tally.won_by.values())


def test_the_command_tells_what_came_of_the_deals(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["simulate", "--deals", "130", "--players", "2", "--bots", "random", "--workers", "2", "--seed", "3"]
    assert main([*arguments, "--json"]) == 0
    told = capsys.readouterr()
    answer = json.loads(told.out)
    here = play_deals(Task(100, 2, CLASSIC, "random", 3, 0)) + play_deals(Task(30, 2, CLASSIC, "random", 3, 1))
    assert {name: answer[name] for name in here.to_json()} == json.loads(json.dumps(here.to_json()))
    assert answer["deals_per_second"] > 0
    assert "130 of 130 deals" in told.err


@pytest.mark.parametrize(
    ("deals", "players", "rules", "reason"),
    [(0, 4, "classic", "a deal or more"), (10, 1, "classic", "2 to 4 players"), (10, 4, "101", "Okey 101 cannot be simulated")],
)
def test_what_cannot_be_simulated_gets_a_sentence(deals: int, players: int, rules: str, reason: str) -> None:
    with pytest.raises(SimulationError, match=reason):
        next(simulate(deals, players, PRESETS[rules]))


@pytest.mark.slow
def test_a_ray_cluster_plays_the_same_deals() -> None:
    pytest.importorskip("ray", reason="needs pip install '.[ray]'")
    *_, here = simulate(300, seed=4, workers=1)
    *_, there = simulate(300, seed=4, workers=2, engine="ray")
    assert there == here


@pytest.mark.slow
def test_a_million_deals_without_an_impossible_state() -> None:
    *_, tally = simulate(1_000_000, bots="random", workers=os.cpu_count() or 1)
    assert tally.deals == 1_000_000
