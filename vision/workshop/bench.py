"""`istaka bench`: how long every stage takes, on this machine, once running."""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from assistant.arguments import Parser
from assistant.oracle import best_arrangement, distance_melds
from assistant.rules import CLASSIC
from assistant.search import HAND, compile_searches
from assistant.solver import Judge, solve
from assistant.tiles import COLOURS, FALSE_JOKER, NUMBERED_TILES, Rack, Tile, okey_of
from vision.reader import TileReader
from vision.sources import load_photo
from vision.workshop.arguments import out_of_range
from vision.workshop.peers import compared, print_compared
from vision.workshop.runtimes import SHAPES, runtimes
from vision.workshop.teach import gains, print_gains

PHOTOS = Path("../shared/photos")
"""Where `datasets/README.md` expects labelled photos, beside the repository."""
SAMPLE = Path(__file__).resolve().parents[2] / "assistant" / "dashboard" / "sample.jpg"
NAME_WIDTH = 50
PHOTO_SIZES = {"1280 x 720": (1280, 720), "12 megapixels": (4000, 3000)}


def milliseconds(work: Callable[[], object], rounds: int) -> list[float]:
    """Times of `rounds` calls in milliseconds, after one that is not counted."""
    work()
    return [time_of(work) for _ in range(rounds)]


def time_of(work: Callable[[], object]) -> float:
    """Milliseconds of one call; of a hand the first, as the searches remember it."""
    begun = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - begun)


def _row(name: str, times: list[float]) -> None:
    print(f"{name:{NAME_WIDTH}} {statistics.median(times):9.2f} {max(times):9.2f}")


def reading_times(rounds: int) -> Iterator[tuple[str, str, list[float]]]:
    """A usual size of photos, a stage of loading and reading the sample at that size, and its times in milliseconds."""
    reader = TileReader()
    sample = load_photo(SAMPLE)
    for name, size in PHOTO_SIZES.items():
        data = cv2.imencode(".jpg", cv2.resize(sample, size, interpolation=cv2.INTER_CUBIC))[1].tobytes()
        picture = load_photo(data)
        yield name, "decode the JPEG", milliseconds(lambda data=data: load_photo(data), rounds)
        readings = [reader.read(picture) for _ in range(rounds + 1)][1:]
        for stage in readings[0].ms:
            yield name, "read in all" if stage == "total" else stage, [reading.ms[stage] for reading in readings]


def runtime_times(rounds: int) -> Iterator[tuple[str, str, list[float]]]:
    """A network with its input, a runtime, and the times of a run in milliseconds, for every one that is installed here.

    `pip install openvino` adds that one.
    """
    for network, shape in SHAPES.items():
        inputs = np.random.default_rng(1).random(shape, np.float32)
        for runtime, run in runtimes(network):
            times = milliseconds(lambda run=run, inputs=inputs: run(inputs), rounds)
            yield f"{network} {shape[0]} x {shape[3]} x {shape[2]}", runtime, times


def random_hands(count: int, size: int, okeys: int, seed: int = 1) -> list[tuple[list[Tile], Tile]]:
    """Hands of `size` tiles, `okeys` of them wild, each with its indicator."""
    rng = random.Random(seed)
    hands = []
    for _ in range(count):
        indicator = rng.choice(NUMBERED_TILES)
        okey = okey_of(indicator)
        deck = [tile for tile in (*NUMBERED_TILES, FALSE_JOKER) for _ in range(2) if tile != okey]
        deck.remove(indicator)
        hands.append(([okey] * okeys + rng.sample(deck, size - okeys), indicator))
    return hands


def bench_solver(count: int) -> None:
    """Prints the time of a whole verdict, of the searches alone once compiled, and of the oracle on the same hands."""
    for size, okeys in ((14, 0), (14, 2), (15, 0), (15, 2), (22, 2)):
        times = [time_of(lambda hand=hand: solve(*hand)) for hand in random_hands(count, size, okeys)]
        _row(f"verdict on {size} tiles, {okeys} okeys", times)
    hardest = doubled_hands(count)
    _row("arrangement of 22 doubled tiles, 2 of them okeys", [time_arranging(*hand) for hand in hardest])
    compile_searches()
    mixed = [hand for okeys in (0, 1, 2) for hand in random_hands(count, 14, okeys)]
    times = [time_arranging(*hand) + time_distance(*hand) for hand in mixed]
    _row("compiled: arrangement and distance, 14 tiles", times)
    print(f"{'  hands a second':{NAME_WIDTH}} {1000 / statistics.mean(times):9.0f}")
    _row("compiled: the 22 doubled tiles", [time_arranging(*hand) for hand in hardest])
    _row("compiled: the same by points, for 101", [time_arranging(*hand, points=True) for hand in hardest])
    others = [hand for okeys in (0, 1, 2) for hand in random_hands(count, 14, okeys, seed=2)]
    lines = [f"{' '.join(map(str, tiles))} ; {indicator}" for tiles, indicator in others]
    times = [time_of(lambda line=line: line_answered(line)) for line in lines]
    _row("compiled: a line in, a line of JSON out", times)
    print(f"{'  hands a second':{NAME_WIDTH}} {1000 / statistics.mean(times):9.0f}")
    few = mixed[:: max(1, len(mixed) // 60)]
    _row("oracle: arrangement and distance, 14 tiles", [time_of(lambda hand=hand: oracle_alone(*hand)) for hand in few])
    _row("oracle: 22 doubled tiles by points", [time_of(lambda h=h: best_arrangement(*h, points=True)) for h in hardest[:20]])


def doubled_hands(count: int, seed: int = 1) -> list[tuple[list[Tile], Tile]]:
    """Hands of 22 tiles in which all but the two okeys stand twice, in two colours: the hardest to arrange."""
    rng = random.Random(seed)
    faces = [tile for tile in NUMBERED_TILES if tile.colour in COLOURS[:2]]
    return [([okey_of(Tile(COLOURS[2], 1))] * 2 + rng.sample(faces, 10) * 2, Tile(COLOURS[2], 1)) for _ in range(count)]


def time_arranging(tiles: list[Tile], indicator: Tile, points: bool = False) -> float:
    """Milliseconds of the search for the best arrangement."""
    judge = Judge(tiles, indicator, (), CLASSIC)
    hand = judge.hand(tiles)
    return time_of(lambda: judge.searches.arrange(hand.counts, hand.wild, points))


def time_distance(tiles: list[Tile], indicator: Tile) -> float:
    """Milliseconds of the search for the distance by sets and runs; nothing but the indicator is seen."""
    judge = Judge(tiles, indicator, (), CLASSIC)
    hand, supply = judge.hand(tiles), judge.supply(tiles)
    search = judge.searches.missing
    return time_of(lambda: search(hand.counts, supply.counts, hand.wild + supply.wild, hand.wild, HAND))


def line_answered(line: str) -> str:
    """A line of `istaka solve -` and its answer."""
    rack, _, indicator = line.partition(";")
    return json.dumps(solve(Rack.parse(rack).tiles, Tile.parse(indicator)).to_json())


def oracle_alone(tiles: list[Tile], indicator: Tile) -> None:
    """The same questions, answered by integer programming."""
    best_arrangement(tiles, indicator)
    distance_melds(tiles, indicator, [])


def _bench_photos(work: Callable[[], None], folder: Path) -> int:
    """Does what needs labelled photos. Returns the exit status."""
    if not (folder / "truth.jsonl").exists():
        print(f"istaka bench: {folder} holds no truth.jsonl: give a folder of labelled photos with --photos", file=sys.stderr)
        return 2
    try:
        work()
    except (OSError, ValueError) as error:
        print(f"istaka bench: {error}", file=sys.stderr)
        return 2
    return 0


def _bench_films(options: argparse.Namespace) -> int:
    """Does what needs rendered films. Returns the exit status."""
    from vision.workshop.bench_live import bench_live  # these render, which the others need not
    from vision.workshop.bench_table import print_recognised, recognised

    try:
        if options.what == "live":
            bench_live(options.clips, options.seed, options.seconds, options.memory)
        else:
            print_recognised(recognised(options.clips, options.seed, TileReader()))
    except ValueError as error:
        print(f"istaka bench: {error}", file=sys.stderr)
        return 2
    return 0


def main(argv: list[str] | None = None) -> int:
    """The command `istaka bench`. Returns its exit status."""
    parser = Parser(prog="istaka bench", description="Measure the speed of every stage on this machine.")
    what = (
        "what is timed: reading photos, the networks on every runtime, judging hands, or these three (default all); "
        "live: settling and cameras, table: filmed deals"
    )
    parser.add_argument("what", nargs="?", choices=["all", "reading", "runtimes", "solver", "live", "table"], default="all", help=what)
    parser.add_argument("--rounds", type=int, default=15, help="how often a picture is read (default 15)")
    parser.add_argument("--hands", type=int, default=100, help="how many hands of each kind are judged (default 100)")
    parser.add_argument("--clips", type=int, default=2, help="live: rendered videos of each kind; table: deals (default 2)")
    parser.add_argument("--seed", type=int, default=1, help="live, table: another seed gives others (default 1)")
    parser.add_argument("--seconds", type=float, default=10, help="live: for how long each camera is watched (default 10)")
    parser.add_argument("--memory", type=float, default=0.5, metavar="MINUTES", help="live: for how long memory is followed (default 0.5)")
    parser.add_argument("--teach", type=int, metavar="N", help="instead: how well sets are read after 0 to N taught photos of each")
    parser.add_argument("--peers", action="store_true", help="instead: read held-back photos with what a user would otherwise assemble")
    parser.add_argument("--photos", type=Path, default=PHOTOS, metavar="FOLDER", help=f"labelled photos for both (default {PHOTOS})")
    options = parser.parse_args(argv)
    little = out_of_range(options, rounds=1, hands=1, clips=0, seed=0, seconds=0.1, memory=0, teach=0)
    if little:
        parser.error(little)
    if options.teach is not None:
        return _bench_photos(lambda: print_gains(gains(options.photos, options.teach, TileReader())), options.photos)
    if options.peers:
        return _bench_photos(lambda: print_compared(compared(options.photos)), options.photos)
    if options.what in ("live", "table"):
        return _bench_films(options)
    print(f"{f'{os.cpu_count()} cores; milliseconds':{NAME_WIDTH}} {'median':>9} {'worst':>9}")
    if options.what in ("all", "reading"):
        for size, stage, times in reading_times(options.rounds):
            _row(f"{size}: {stage}", times)
    if options.what in ("all", "runtimes"):
        for network, runtime, times in runtime_times(options.rounds):
            _row(f"{network}, {runtime}", times)
    if options.what in ("all", "solver"):
        bench_solver(options.hands)
    return 0
