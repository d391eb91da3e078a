"""Simulations: the same deals and games wherever they are played, and what is told of them."""

from __future__ import annotations

import json
import os
import random

import pytest

from assistant.bots import random_player, solver_player
from assistant.bots101 import opening_player
from assistant.cli import main
from assistant.ledger import Ledger
from assistant.rules import CLASSIC, PRESETS, Rules, with_options
from assistant.simulation import SimulationError, Tally, Task, play_game, play_task, simulate
from assistant.table import Table, table_of

RULES_101 = PRESETS["101"]


@pytest.mark.parametrize("rules", [CLASSIC, RULES_101], ids=lambda rules: rules.name)
def test_a_task_plays_the_same_deals_again(rules: Rules) -> None:
    task = Task(3, players=4, rules=rules, bots="solver", seed=1, number=0)
    assert play_task(task) == play_task(task)
    assert play_task(task).deals == 3


def test_every_deal_ends_as_one_of_the_ways() -> None:
    tally = Tally()
    for bots, players, number in (("random", 4, 0), ("solver", 2, 1), ("solver", 3, 2)):
        tally.add(play_task(Task(4, players, CLASSIC, bots, seed=2, number=number)))
    assert tally.deals == 12 == tally.won_by.total() + tally.facts["exhausted"]
    assert tally.hands.total() == tally.won_by.total()


def test_every_deal_of_101_ends_as_one_of_the_ways() -> None:
    tally = Tally()
    for bots, players, number in (("random", 4, 0), ("solver", 2, 1), ("solver", 4, 2)):
        tally.add(play_task(Task(4, players, RULES_101, bots, seed=2, number=number)))
    facts = tally.facts
    assert tally.deals == 12 == tally.won_by.total() + facts["exhausted"] + facts["void"]
    assert facts["opened_melds"] + facts["opened_pairs"] + facts["not_opened"] == 4 * 4 + 4 * 2 + 4 * 4


def played(rules: str, players: int, options: dict[str, object], seed: int) -> tuple[Ledger, Tally]:
    table: Table = table_of({"rules": rules, "players": [f"player {number}" for number in range(players)], "options": options})
    tally = Tally()
    player = opening_player if table.rules.opens else solver_player
    return play_game(table, player, random.Random(seed), tally), tally


@pytest.mark.parametrize(
    ("rules", "players", "options"),
    [
        ("classic", 4, {"start": 2}),
        ("classic", 4, {"start": 2, "partners": True}),
        ("classic", 4, {"start": 2, "elimination": True}),
        ("classic", 4, {"start": 1, "elimination": True, "partners": True}),
        ("favorite", 3, {"start": 3, "elimination": True, "indicator_minimum": 1}),
        ("favorite", 2, {"start": 3, "colour_doubles": "indicator"}),
        ("nostalji", 2, {"start": 2, "with_indicator": False, "indicator_is_last_tile": True}),
        ("online", 4, {"start": 5, "colour_doubles": "any", "informal_deal": True}),
    ],
)
def test_whole_games_are_scored_by_the_ledger(rules: str, players: int, options: dict[str, object]) -> None:
    for seed in range(2):
        ledger, tally = played(rules, players, options, seed)
        assert ledger.standing.finished
        assert ledger.standing.winners
        assert min(ledger.standing.scores) <= 0
        assert tally.games == {ledger.standing.deals: 1}
        assert set(tally.games_won_by) == set(ledger.standing.winners)
        if options.get("elimination"):
            assert sum(score > 0 for score in ledger.standing.scores) == (2 if options.get("partners") else 1)


@pytest.mark.parametrize("options", [{}, {"partners": True, "raising": True}, {"all_pairs_void": True, "factor_cap": 1}])
def test_whole_games_of_101_have_as_many_deals_as_the_table_sets(options: dict[str, object]) -> None:
    ledger, tally = played("101", 4, {"deals": 3, **options}, seed=1)
    standing = ledger.standing
    assert (standing.finished, standing.deals, tally.games) == (True, 3, {3: 1})
    assert standing.scores[standing.winners[0]] == min(standing.scores)


def test_a_game_in_which_the_last_deal_brings_everyone_to_zero_ends() -> None:
    table = table_of({"rules": "favorite", "players": ["one", "two"], "options": {"start": 1, "with_indicator": False}})
    rng = random.Random(1)
    standing = play_game(table, random_player(rng), rng, Tally()).standing
    assert (standing.scores, standing.winners) == ((0, 0), (0, 1))


def test_the_game_is_the_same_for_the_same_seed() -> None:
    assert played("classic", 4, {"start": 2}, seed=5)[0].events == played("classic", 4, {"start": 2}, seed=5)[0].events


def test_the_command_tells_what_came_of_the_deals(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["simulate", "--deals", "130", "--players", "2", "--bots", "random", "--workers", "2", "--seed", "3"]
    assert main([*arguments, "--json"]) == 0
    told = capsys.readouterr()
    answer = json.loads(told.out)
    here = play_task(Task(100, 2, CLASSIC, "random", 3, 0))
    here.add(play_task(Task(30, 2, CLASSIC, "random", 3, 1)))
    assert {name: answer[name] for name in here.to_json()} == json.loads(json.dumps(here.to_json()))
    assert answer["deals_per_second"] > 0
    assert "130 of 130 deals" in told.err


def test_the_command_tells_of_a_game_that_a_shown_indicator_ends_in_its_first_deal(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["simulate", "--games", "1", "--option", "start=1", "--seed", "0", "--workers", "1"]
    assert main(arguments) == 0
    assert "deals of a game: 0.0 on average" in capsys.readouterr().out
    assert main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["deals_of_a_game"]["most"] == 0


def test_the_command_plays_whole_games_of_101(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--rules", "101", "--games", "2", "--option", "deals=3", "--option", "raising=on", "--workers", "1"]) == 0
    told = capsys.readouterr()
    assert "2 of 2 games" in told.err
    assert "deals of a game: 3.0 on average, 3 to 3" in told.out
    assert "opened with sets and runs: " in told.out


@pytest.mark.parametrize(
    ("option", "words"),
    [("tea=on", "101 has no option 'tea'"), ("deals=many", "deals must be a whole number"), ("raising", "raising must be true or false")],
)
def test_the_command_refuses_options_that_there_are_not(option: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--rules", "101", "--option", option]) == 2
    told = capsys.readouterr()
    assert words in told.err
    assert (told.out, told.err.count("\n")) == ("", 1)


@pytest.mark.parametrize(
    ("count", "players", "rules", "options", "reason"),
    [
        (0, 4, "classic", {}, "a deal or a game at least"),
        (10, 1, "classic", {}, "2 to 4 players"),
        (10, 4, "101", {}, "say how many, as --option deals=5"),
        (10, 3, "101", {"partners": True}, "partners need 4 players"),
    ],
)
def test_what_cannot_be_simulated_gets_a_sentence(count: int, players: int, rules: str, options: dict[str, object], reason: str) -> None:
    with pytest.raises(SimulationError, match=reason):
        next(simulate(count, players, with_options(PRESETS[rules], options), games=True))


@pytest.mark.slow
@pytest.mark.parametrize("rules", [CLASSIC, RULES_101], ids=lambda rules: rules.name)
def test_a_ray_cluster_plays_the_same_deals(rules: Rules) -> None:
    pytest.importorskip("ray", reason="needs pip install '.[ray]'")
    *_, here = simulate(300, rules=rules, seed=4, workers=1)
    *_, there = simulate(300, rules=rules, seed=4, workers=2, engine="ray")
    assert there == here


@pytest.mark.slow
def test_a_million_deals_without_an_impossible_state() -> None:
    *_, tally = simulate(1_000_000, bots="random", workers=os.cpu_count() or 1)
    assert tally.deals == 1_000_000


@pytest.mark.slow
@pytest.mark.parametrize("bots", ["solver", "random"])
def test_a_hundred_thousand_deals_of_101_without_an_impossible_state(bots: str) -> None:
    *_, tally = simulate(100_000, rules=RULES_101, bots=bots, workers=os.cpu_count() or 1)
    assert tally.deals == 100_000


def test_a_game_that_random_bots_would_never_end_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--games", "1", "--bots", "random", "--option", "with_indicator=off"]) == 2
    assert "add --option exhausted_penalty=1" in capsys.readouterr().err


def test_more_workers_than_any_machine_has_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--workers", "99999999999"]) == 2
    assert capsys.readouterr().err == "istaka simulate: 99999999999 workers are too many: give 1 to 1000\n"
