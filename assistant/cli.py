"""The command `istaka`. What a subcommand needs is imported when it is called, so that each starts at once."""

from __future__ import annotations

import argparse
import io
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from assistant.arguments import ENGINES, MOST_DIGITS, Parser, from_zero, in_notation, written_out
from assistant.report import judgement_text, reading_text, standing_text, tally_text, verdict_line, verdict_text
from assistant.rules import MOST, OF_HANDS, PRESETS, Rules, rules_named, with_options
from assistant.search import HAND, compile_searches
from assistant.solver import Verdict, solve
from assistant.tiles import UNREADABLE, NotationError, Rack, Tile, parse_tiles, quoted

if TYPE_CHECKING:
    from assistant.ledger import Ledger
    from assistant.opening import Opening
    from vision.profile import Profile
    from vision.reader import TileReader
    from vision.trouble import Trouble

Command = Callable[[argparse.Namespace], int]
WORKSHOP = {
    "teach": ("teach", "teach the reader an own set from one to three photos"),
    "evaluate": ("evaluate", "measure the reading on labelled photos"),
    "card": ("card", "measure the reading and write the model card's tables"),
    "calibrate": ("calibrate", "fit the confidences of the reading"),
    "bench": ("bench", "measure the speed of every stage"),
    "synth": ("render", "render labelled scenes of invented tile sets"),
    "reink": ("reink", "draw labelled photos in the numbers of other sets"),
    "film": ("video", "render a video of a rack"),
    "train": ("train", "train one part of the reader"),
    "export": ("export", "turn checkpoints into the weights in models/"),
    "average": ("average", "move shipped weights a part of the way to further trained ones"),
}
"""Subcommands of the workshop: the module of each and what it does."""
SWITCH = {"on": True, "off": False, "true": True, "false": False}
MOST_TEXT = 1 << 26
"""No more is read of a ledger, or of a line: none is as long, and a device may have no end."""
MANY_HANDS = 500
"""Hands on standard input after which compiled searches win back the time to load them."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit status: 0 done, 1 the answer is no, 2 bad input."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    options = argparse.Namespace(name="")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # whatever the locale
    sys.stdin = sys.stdin or io.StringIO()  # a closed standard input is an empty one
    try:
        try:
            if arguments and arguments[0] in WORKSHOP:
                options.name = arguments[0]
                status = _workshop(arguments[0], arguments[1:])
            else:
                options = _parser().parse_args(arguments, options)
                command: Command = options.command
                status = command(options)
        except SystemExit:  # --help has been printed, or what is wrong with the arguments
            print(end="", flush=True)
            raise
        print(end="", flush=True)
        return status
    except ValueError as error:
        return _refused(options.name, error)
    except MemoryError:
        return _refused(options.name, "the memory does not suffice for what was given: give less at once")
    except ImportError as error:
        return _refused(options.name, _missing_library(error))
    except BrokenPipeError:  # nobody reads on, as behind `| head`
        return 0
    except OSError as error:
        why = error.strerror or error
        return _refused(options.name, f"{error.filename} cannot be opened ({why})" if error.filename else why)
    except KeyboardInterrupt:
        return 130
    finally:
        _end_output()


def _refused(command: str, why: object) -> int:
    """Says in one line why a command does not go on, and returns the exit status."""
    print(f"{f'istaka {command}'.rstrip()}: {written_out(why)}", file=sys.stderr)
    return 2


def _end_output() -> None:
    """Leaves nothing that Python would still try to write when it ends: what cannot be written any more is dropped."""
    if sys.stdout is not None:  # as where it was closed before
        try:
            sys.stdout.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _missing_library(error: ImportError) -> str:
    """What to do about a library that does not load."""
    if "libGL" in str(error):
        return "OpenCV needs a screen's libraries here: run pip install --force-reinstall opencv-python-headless"
    return f"{error.name or error} is not installed: run pip install istaka again"


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="istaka", description="A table assistant for Okey: reads racks, judges hands.")
    commands = parser.add_subparsers(dest="name", required=True, metavar="COMMAND")
    for name, command, add_arguments, text in (
        ("read", _read, _read_arguments, "read tiles from photos"),
        ("watch", _watch, _watch_arguments, "read the rack that a camera or video shows, again whenever it has changed"),
        ("solve", _solve, _solve_arguments, "judge a hand: win, best arrangement, distance, what it waits for"),
        ("check", _check, _check_arguments, "judge a shown hand as it lies"),
        ("score", _score, _score_arguments, "the score that a ledger comes to"),
        (
            "simulate",
            _simulate,
            _simulate_arguments,
            "let bots play deals or whole games: who wins how often, how long they are, how they end",
        ),
        ("serve", _serve, _serve_arguments, "open the dashboard"),
        ("backup", _backup, _backup_arguments, "write all tables and their scores to a file"),
        ("restore", _restore, _restore_arguments, "bring the tables of a backup into an empty database"),
        ("tables", _tables, _add_database, "list the tables, the newest first"),
        ("export-table", _export_table, _export_table_arguments, "print the ledger of a table, as `istaka score` reads it"),
        ("import-table", _import_table, _import_table_arguments, "make a table from an exported ledger"),
    ):
        sub = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        sub.set_defaults(command=command)
        add_arguments(sub)
    for name, (_, text) in WORKSHOP.items():
        commands.add_parser(name, help=text)
    return parser


def _read_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("photos", nargs="+", metavar="PHOTO", help="JPEG, PNG, WebP or HEIC")
    _add_set(sub)
    sub.add_argument("--json", action="store_true", help="one JSON object a line")


def _watch_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "source", metavar="SOURCE", help="a camera's number, a video file, an rtsp:// or http:// stream, or a folder of frames"
    )
    sub.add_argument("--json", action="store_true", help="one JSON object a line")
    _add_set(sub)


def _solve_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("rack", metavar="RACK", help="tiles as R5 K6 B7 J, or - for `RACK ; INDICATOR` lines on standard input")
    sub.add_argument("--indicator", type=in_notation(Tile.parse), help="the tile turned up, as B11")
    sub.add_argument("--seen", type=in_notation(parse_tiles), default=[], metavar="TILES", help="other tiles that cannot be drawn")
    _add_rules(sub)
    sub.add_argument(
        "--objective", choices=["tiles", "points"], default="tiles", help="what the arrangement has most of; points with --rules 101 only"
    )
    for unit in ("points", "pairs"):
        raising = f"where each opening of 101 must beat the table's best, as with the option raising: the {unit} of that"
        sub.add_argument(f"--beat-{unit}", type=from_zero, default=0, metavar="N", help=raising)
    sub.add_argument("--json", action="store_true", help="one JSON object a line; with --rules 101 it has `points` and `opening`, too")


def _check_arguments(sub: argparse.ArgumentParser) -> None:
    sub.epilog = (
        "The end of a row is a gap. A gap of a photo that is too narrow to tell is asked about where it decides. "
        "Exit status: 0 valid, 1 not valid or not clear yet."
    )
    sub.add_argument("hand", metavar="RACK_OR_PHOTO", help="tiles with | between groups, or a photo of them")
    sub.add_argument(
        "--indicator",
        type=in_notation(Tile.parse),
        help="the tile turned up; from the photo if it is in it. Another tile beside the rack is then the fifteenth, laid on it",
    )
    _add_rules(sub)
    _add_set(sub)
    sub.add_argument("--json", action="store_true", help="a JSON object")


def _score_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("ledger", metavar="LEDGER", help="the table and its events, a JSON object a line; - for standard input")
    sub.add_argument("--json", action="store_true", help="a JSON object")


def _simulate_arguments(sub: argparse.ArgumentParser) -> None:
    count = sub.add_mutually_exclusive_group()
    count.add_argument("--deals", type=int, default=1000, metavar="N", help="so many deals, 1000 if not said otherwise")
    count.add_argument("--games", type=int, metavar="N", help="so many whole games, scored by the ledger")
    sub.add_argument("--players", type=int, default=4, metavar="N", help="2 to 4")
    sub.add_argument("--rules", default="classic", metavar="NAME", help=f"one of {', '.join(PRESETS)}")
    sub.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="a rule that differs, as partners=on, start=10 or deals=5"
    )
    sub.add_argument("--bots", choices=("solver", "random"), default="solver", help="how they play")
    sub.add_argument("--engine", choices=ENGINES, default="local", help="this machine's cores, or a Ray cluster")
    sub.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="processes that play")
    sub.add_argument("--seed", type=int, default=0, metavar="N", help="the same seed, the same deals")
    sub.add_argument("--json", action="store_true", help="a JSON object")


def _serve_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--host", default="localhost", help="0.0.0.0 to be reached from the table's phones")
    sub.add_argument("--port", type=int, default=8501, help="at which it is reached (default 8501)")
    sub.add_argument("--https", action="store_true", help="encrypted, with a certificate of its own: phones give their camera only so")
    sub.add_argument(
        "--camera", action="append", default=[], metavar="SOURCE", help="a camera's number or address through which everyone may look"
    )
    _add_database(sub)


def _backup_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("file", type=Path, metavar="FILE", help="a new file, a SQLite database")
    _add_database(sub)


def _restore_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("file", type=Path, metavar="FILE", help="what `istaka backup` has written")
    _add_database(sub)


def _export_table_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("table", metavar="TABLE", help="the table's id, as in its link and in `istaka tables`")
    sub.add_argument("--csv", action="store_true", help="a row a deal, for a spreadsheet")
    _add_database(sub)


def _import_table_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("ledger", metavar="LEDGER", help="what `istaka export-table` has printed, in either form; - for standard input")
    _add_database(sub)


def _add_rules(command: argparse.ArgumentParser) -> None:
    command.add_argument("--rules", default="classic", metavar="NAME", help=f"one of {', '.join(PRESETS)}")
    command.add_argument(
        "--option", action="append", default=[], metavar="NAME=on|off", help=f"a house rule that differs: {', '.join(OF_HANDS)}"
    )


def _rules(options: argparse.Namespace) -> Rules:
    """The preset and the options that were given."""
    chosen = {}
    for text in options.option:
        name, _, value = text.partition("=")
        if name not in OF_HANDS or value.lower() not in SWITCH:
            names = ", ".join(OF_HANDS)
            raise ValueError(f"{quoted(text)} is no house rule: write --option NAME=on or NAME=off, NAME being one of {names}")
        chosen[name] = SWITCH[value.lower()]
    return with_options(rules_named(options.rules), chosen)


def _add_set(command: argparse.ArgumentParser) -> None:
    command.add_argument("--set", metavar="NAME", help="the set in the photo, if it was taught with istaka teach")


def _add_database(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--db", metavar="URL", help="where the score is kept, as sqlite:///FILE; else ISTAKA_DB, or a file in the user's data folder"
    )


def _read(options: argparse.Namespace) -> int:
    from vision.reader import TileReader
    from vision.sources import PhotoError, load_photo

    reader = TileReader()
    profile = _profile(options.set, reader)
    status = 0
    for photo in options.photos:
        try:
            reading = reader.read(load_photo(photo), photo, profile)
        except PhotoError as error:
            status = 2
            if options.json:
                print(json.dumps({"photo": photo, "error": str(error)}, ensure_ascii=False), flush=True)
            print(f"istaka read: {written_out(error)}", file=sys.stderr)
            continue
        print(json.dumps(reading.to_json(), ensure_ascii=False) if options.json else reading_text(reading), flush=True)
    return status


def _profile(name: str | None, reader: TileReader) -> Profile | None:
    """The profile of the set of this name, if one is given. Raises ProfileError."""
    from vision.profile import Profile, load

    return None if name is None else Profile(load(name), reader.classifier)


def _watch(options: argparse.Namespace) -> int:
    from vision.reader import TileReader
    from vision.watch import watch

    def tell(trouble: Trouble) -> None:
        print(f"istaka watch: {trouble.value}", file=sys.stderr)

    over = threading.Event()

    def stop(*_: object) -> None:
        """Ctrl-C is how one stops to watch a camera; a second one does not wait until the camera has let go."""
        over.set()
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    signal.signal(signal.SIGINT, stop)
    reader = TileReader()
    told = False
    for frame, reading in watch(options.source, reader, tell, over, _profile(options.set, reader)):
        seen = {"frame": frame.number, "time": round(frame.time, 3), **reading.to_json()}
        del seen["photo"]
        described = reading_text(replace(reading, photo=f"{frame.time:.1f} s"))
        print(json.dumps(seen, ensure_ascii=False) if options.json else described, flush=True)
        told = True
    if not told and not over.is_set():
        print(f"istaka watch: no tiles in {written_out(options.source)} lay still for long enough to be told", file=sys.stderr)
    return 0


def _solve(options: argparse.Namespace) -> int:
    rules = _rules(options)
    if not rules.opens and (options.objective == "points" or options.beat_points or options.beat_pairs):
        raise ValueError("points and openings are those of 101: add --rules 101")
    if options.rack != "-":
        if options.indicator is None:
            raise ValueError("the indicator is missing: add --indicator B11, the tile turned up at the deal")
        answer = _answer(Rack.parse(options.rack).tiles, options.indicator, options, rules)
        print(json.dumps(answer.to_json()) if options.json else verdict_text(*answer, rules))
        return 0
    status = 0
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")  # Windows' editors write a mark before the first line
    for number, line in enumerate(iter(lambda: sys.stdin.readline(MOST_TEXT + 1), ""), start=1):
        if len(line) > MOST_TEXT:
            raise ValueError(f"line {number} is too long for a hand: give `RACK ; INDICATOR` lines")
        if number == MANY_HANDS:
            compile_searches()
        if not line.strip():
            continue
        try:
            rack, _, indicator = line.partition(";")
            turned_up = Tile.parse(indicator) if indicator.strip() else options.indicator
            if turned_up is None:
                raise NotationError("the indicator is missing: write RACK ; INDICATOR")
            answer = _answer(Rack.parse(rack).tiles, turned_up, options, rules)
        except ValueError as error:
            status = 2
            message = f"line {number}: {error}"
            print(json.dumps({"error": message}) if options.json else f"error: {message}", flush=True)
            print(f"istaka solve: {message}", file=sys.stderr)
        else:
            print(json.dumps(answer.to_json()) if options.json else verdict_line(*answer), flush=True)
    return status


class _Answer(NamedTuple):
    """What `istaka solve` says of one hand; the opening in 101 only."""

    verdict: Verdict
    opening: Opening | None

    def to_json(self) -> dict[str, Any]:
        if self.opening is None:
            return self.verdict.to_json()
        return {**self.verdict.to_json(), "points": self.verdict.points, "opening": self.opening.to_json()}


def _answer(tiles: list[Tile], indicator: Tile, options: argparse.Namespace, rules: Rules) -> _Answer:
    verdict = solve(tiles, indicator, options.seen, rules, points=options.objective == "points")
    if not rules.opens:
        return _Answer(verdict, None)
    from assistant.opening import opening

    return _Answer(verdict, opening(tiles, indicator, rules, options.beat_points, options.beat_pairs))


def _check(options: argparse.Namespace) -> int:
    from assistant.dispute import check

    rules = _rules(options)
    shown = _hand_to_check(options.hand, options.set)
    rack, indicator = shown.rack, options.indicator or shown.indicator
    laid_on_it = None if shown.indicator == indicator or len(rack.tiles) != HAND or rules.opens else shown.indicator
    if laid_on_it is not None:
        rack = Rack.of([*rack.rows, [[laid_on_it]]])
    judgement = check(rack, indicator, rules, shown.doubtful, fifteenth_apart=laid_on_it is not None)
    print(json.dumps(judgement.to_json()) if options.json else judgement_text(judgement, rack))
    return 0 if judgement.valid else 1


class _ShownHand(NamedTuple):
    """A rack, its indicator if it was seen, and the gaps that are too narrow to tell, as `check` takes them."""

    rack: Rack
    indicator: Tile | None = None
    doubtful: Sequence[int] = ()


def _hand_to_check(text: str, set_name: str | None) -> _ShownHand:
    """The rack written as `text`, or read from the photo of this name, which shows a set that may be known. Raises ValueError."""
    try:
        written = Rack.parse(text)
    except NotationError:
        if not Path(text).suffix and not os.path.exists(text):  # noqa: PTH110 - of a name too long for a file, Path makes an error
            raise
    else:
        if set_name is not None:
            raise ValueError("--set names the set in a photo, and this hand is written: leave it out, or give the photo")
        return _ShownHand(written)
    from vision.reader import TileReader
    from vision.sources import load_photo

    picture = load_photo(text)
    reader = TileReader()
    reading = reader.read(picture, text, _profile(set_name, reader))
    indicator = None if reading.indicator == UNREADABLE else reading.indicator
    return _ShownHand(reading.rack, indicator, reading.doubtful_gaps)


def _score(options: argparse.Namespace) -> int:
    ledger = _ledger(options.ledger)
    standing = ledger.standing
    print(json.dumps(standing.to_json()) if options.json else standing_text(ledger.table, standing))
    return 0


def _ledger(path: str) -> Ledger:
    """The ledger in a file, or on standard input for `-`."""
    from assistant.exchange import read_table

    name = "standard input" if path == "-" else path or "''"
    try:
        if path != "-":
            with Path(path).open(encoding="utf-8-sig") as file:
                text = file.read(MOST_TEXT + 1)
        else:
            if isinstance(sys.stdin, io.TextIOWrapper):
                sys.stdin.reconfigure(encoding="utf-8-sig", errors="strict")  # whatever the locale
            text = sys.stdin.read(MOST_TEXT + 1)
    except UnicodeDecodeError:
        raise ValueError(f"{name} is no text in UTF-8: give a ledger, a JSON object a line") from None
    except OSError as error:
        raise ValueError(f"{name} cannot be opened ({error.strerror}): give the path of a ledger") from None
    if len(text) > MOST_TEXT:
        raise ValueError(f"{name} is too long for a ledger: give one, a JSON object a line")
    return read_table(text)


def _simulate(options: argparse.Namespace) -> int:
    import time

    from assistant.simulation import simulate

    differing = dict(map(_option, options.option))
    rules = with_options(rules_named(options.rules), differing)
    games = options.games is not None
    count, unit = (options.games, "games") if games else (options.deals, "deals")
    begun = time.perf_counter()
    tallies = simulate(count, options.players, rules, options.bots, options.seed, options.engine, options.workers, games)
    for tally in tallies:
        seconds = time.perf_counter() - begun
        done, rate = tally.games.total() if games else tally.deals, tally.deals / seconds
        print(f"\r{done} of {count} {unit}, {rate:.0f} deals a second", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    if options.json:
        about = {name: getattr(options, name) for name in ("players", "bots", "seed", "engine", "workers")}
        played = {"rules": rules.name, "options": differing}
        print(json.dumps({**played, **about, **tally.to_json(), "seconds": round(seconds, 1), "deals_per_second": round(rate, 1)}))
    else:
        print(tally_text(tally))
    return 0


def _option(text: str) -> tuple[str, object]:
    """The name and the value of an option of the rules; whether there is such a one, the rules say."""
    name, _, value = text.partition("=")
    if not value.isdecimal():
        return name, SWITCH.get(value.lower(), value)
    if len(value) > MOST_DIGITS:
        raise ValueError(f"the figure of {name} has {len(value)} digits: write one of at most {MOST}")
    return name, int(value)


def _serve(options: argparse.Namespace) -> int:
    from assistant.serve import serve

    if options.camera:
        from vision.camera import check_source

        for camera in options.camera:
            check_source(camera)
    return serve(options.host, options.port, options.db, options.https, options.camera)


def _backup(options: argparse.Namespace) -> int:
    from assistant.backup import backup

    print(f"tables written to {options.file}: {backup(options.file, options.db)}")
    return 0


def _restore(options: argparse.Namespace) -> int:
    from assistant.backup import restore

    print(f"tables restored from {options.file}: {restore(options.file, options.db)}")
    return 0


def _tables(options: argparse.Namespace) -> int:
    from assistant.store import Store, UnreadableTableError

    store = Store(options.db, new=False)
    for table, _ in store.recent():
        try:
            saved = store.table(table)
        except UnreadableTableError as error:
            print(f"{table}  {error}")
            continue
        rules, standing = saved.ledger.table.rules, saved.ledger.standing
        scores = ", ".join(f"{name} {score}" for name, score in zip(saved.ledger.table.names, standing.scores, strict=True))
        print(f"{table}  {saved.created:%Y-%m-%d %H:%M} UTC  {rules.name}  {scores}  ({'over' if standing.finished else 'going on'})")
    return 0


def _export_table(options: argparse.Namespace) -> int:
    from assistant.dashboard.score_view import as_csv
    from assistant.store import Store

    saved = Store(options.db, new=False).table(options.table)
    print(as_csv(saved) if options.csv else saved.text(), end="")
    return 0


def _import_table(options: argparse.Namespace) -> int:
    from assistant.store import Store

    ledger = _ledger(options.ledger)  # first: what cannot be read makes no database
    table, pin = Store(options.db).import_table(ledger)
    told = f"table {table}, PIN {pin}"
    try:
        print(told, flush=True)
    except OSError:
        print(told, file=sys.stderr)  # the table is kept, and nobody could write to it without the PIN
        raise
    return 0


def _workshop(name: str, arguments: list[str]) -> int:
    """A subcommand of the workshop; it reads its own arguments."""
    import importlib

    try:
        run: Callable[[list[str]], int] = importlib.import_module(f"vision.workshop.{WORKSHOP[name][0]}").main
        return run(arguments)
    except ImportError as error:
        missing = f"{error.name} is not installed: run pip install 'istaka[train]'" if error.name else _missing_library(error)
        print(f"istaka {name}: {missing}", file=sys.stderr)
        return 2
