"""`istaka bench live`: what settling gains over single frames, and how quickly live video is read end to end."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count

import cv2
import psutil

from assistant.solver import HandError, solve
from assistant.tiles import Rack, Tile
from vision.camera import Frame
from vision.desk import Desk, Read, Seat
from vision.hub import Hub
from vision.reader import TileReader
from vision.reading import Reading
from vision.settle import Settled, Settler, State
from vision.sight import Sight, tell
from vision.straighten import Picture
from vision.workshop.evaluate import Score, score
from vision.workshop.photos import parse_truth
from vision.workshop.video import DISTURBED, Shot, Truth, clip, film, given_stage

RACK, INDICATOR = Rack.parse("R3 R4 R5 | K9 B9 Y9 | J / B10 B11 B12 B13 | Y1 K1 R1"), Tile.parse("B8")
"""The hand that the speed is measured with."""
STILL = 1.2
"""Frames are judged from so many seconds on after the rack has come to lie still: by then it should have settled."""
RATE = 30
"""Pictures a second that a camera sends."""
PHONES = 4
NOTHING = Reading((0, 0))
"""What is told as long as nothing has settled."""


@dataclass
class Gain:
    """What settling gains on videos; added to frame by frame.

    Attributes:
        single, summed, settled: counts of the frames judged each by itself, as all frames up to it come to, and by the reading
            that holds.
        took: seconds from each time the rack came to lie still to the first exact settled reading; None where there was none.
        inexact: settled racks that were told, with a mistake or with `?`.
    """

    single: Score = field(default_factory=Score)
    summed: Score = field(default_factory=Score)
    settled: Score = field(default_factory=Score)
    took: list[float | None] = field(default_factory=list)
    inexact: int = 0

    def add(self, video: Iterable[tuple[Sight, Truth]]) -> None:
        """One more video, as its frames were seen."""
        settler = Settler()
        exact: dict[str, float | None] = {}
        told: set[str] = set()
        for sight, truth in video:
            settled = settler.add(sight, truth["time"])
            if "rack" not in truth or truth["still"] is None:
                continue
            exact.setdefault(truth["rack"], None)
            if settled.state is State.SETTLED and settled.reading is not None:
                told.add(str(settled.reading.rack))
                if str(settled.reading.rack) == truth["rack"] and exact[truth["rack"]] is None:
                    exact[truth["rack"]] = truth["still"]
            if truth["still"] >= STILL:
                photo = parse_truth(truth)
                self.single += score(photo, tell(sight).reading)
                self.summed += score(photo, settled.now)
                self.settled += score(photo, settled.reading or NOTHING)
        self.took += exact.values()
        self.inexact += len(told - set(exact))

    def __iadd__(self, other: Gain) -> Gain:
        """Videos of another kind, counted beside these."""
        self.single += other.single
        self.summed += other.summed
        self.settled += other.settled
        self.took += other.took
        self.inexact += other.inexact
        return self


def settling_gains(clips: int, seed: int, reader: TileReader) -> Iterator[tuple[str, Gain]]:
    """What settling gains on rendered videos in fonts that no training saw, by what disturbs them, and last of ALL. Raises NoFontsError."""
    every = Gain()
    for first, (kind, shot) in enumerate(DISTURBED.items()):
        gain = Gain()
        for number in range(first, clips * len(DISTURBED), len(DISTURBED)):  # no two videos show the same rack
            gain.add((reader.look(picture), truth) for picture, truth in clip(number, seed, shot))
        yield kind, gain
        every += gain
    yield "ALL", every


def bench_settling(clips: int, seed: int, reader: TileReader) -> None:
    """Prints what settling gains. Raises NoFontsError."""
    print(f"{clips} rendered videos of each kind, seed {seed}; frames from {STILL} s after the rack lay still")
    print(f"{'single frames / summed / settled':30} {'frames':>7} {'tiles right %':>20} {'racks exact %':>18} {'sure and wrong %':>18}")
    for kind, gain in settling_gains(clips, seed, reader):
        print(gain_row(kind, gain), flush=True)
    exact = [one for one in gain.took if one is not None]
    if exact:
        print(f"from a still rack to its exact settled reading: median {statistics.median(exact):.2f} s, longest {max(exact):.2f} s")
    print(f"racks settled exactly: {len(exact)} of {len(gain.took)}; other readings that settled: {gain.inexact}")


def gain_row(kind: str, gain: Gain) -> str:
    """The counts as a line of the table."""
    ways = (gain.single, gain.summed, gain.settled)
    right = " / ".join(f"{100 * way.right / max(1, way.of):.1f}" for way in ways)
    exact = " / ".join(f"{100 * way.rack_exact / max(1, way.racks):.0f}" for way in ways)
    wrong = " / ".join(f"{100 * way.sure_wrong / max(1, way.of):.2f}" for way in ways)
    return f"{kind:30} {gain.single.photos:7} {right:>20} {exact:>18} {wrong:>18}"


def _pictures() -> list[Picture]:
    """A second of a still hand before a trembling camera. Raises NoFontsError."""
    shot = Shot(rate=RATE, seconds=1.0, finger=None, change=None, comes_in=False, glare=0.0)
    return [picture for picture, _ in film(*given_stage(RACK, INDICATOR, shot.size, 0, 1), shot)]


def bench_speed(seconds: float, reader: TileReader) -> None:
    """Prints readings a second and delays: one phone, four at once, and a camera over HTTP with three viewers."""
    pictures = _pictures()
    desk = Desk(reader)
    with desk.seat() as seat:
        seat.show(Frame(0, time.monotonic(), pictures[0]))
        seat.read(timeout=60)  # the networks' first run is not counted
    print(f"{'':36} {'readings/s':>10} {'picture to reading ms':>22} {'to verdict s':>12}")
    for phones in (1, PHONES):
        with ExitStack() as stack:
            seats = [stack.enter_context(desk.seat()) for _ in range(phones)]
            watched = [_Watched() for _ in seats]
            stack.enter_context(_shown(seats, pictures))
            _watch([(lambda after, seat=seat: seat.read(after, 0.5)) for seat in seats], watched, seconds)
        rates = [one.readings / seconds for one in watched]
        name = "one phone" if phones == 1 else f"{phones} phones, each {min(rates):.1f} to {max(rates):.1f}"
        _row(name, sum(rates), [delay for one in watched for delay in one.delays], [one.verdict for one in watched])
    with _served(pictures) as address, ExitStack() as stack:
        hub = Hub(desk)
        stack.callback(hub.close)
        begun = time.monotonic()
        views = [stack.enter_context(hub.view(address)) for _ in range(3)]
        watched = [_Watched() for _ in views]
        _watch([(lambda after, view=view: view.read(after, 0.5)) for view in views], watched, seconds, begun)
        _row("a camera over HTTP, three viewers", watched[0].readings / seconds, watched[0].delays, [one.verdict for one in watched])
    desk.close()


@dataclass
class _Watched:
    """What one viewer saw: readings, delays in milliseconds, and when the first verdict stood, in seconds from the beginning."""

    readings: int = 0
    delays: list[float] = field(default_factory=list)
    verdict: float | None = None

    def see(self, read: Read, begun: float, zero: float) -> None:
        """One more reading; `zero` is when the frames' time was 0."""
        self.readings += 1
        self.delays.append(1000 * (time.monotonic() - zero - read.frame.time))
        if self.verdict is None and judged(read.settled):
            self.verdict = time.monotonic() - begun


def judged(settled: Settled) -> bool:
    """Judges a settled hand, as a page does; whether there was one."""
    if settled.state is not State.SETTLED or settled.reading is None or settled.reading.indicator is None:
        return False
    try:
        solve(settled.reading.rack.tiles, settled.reading.indicator)
    except HandError:
        return False
    return True


def _watch(reads: list[Callable[[int], Read | None]], watched: list[_Watched], seconds: float, zero: float = 0.0) -> None:
    """Every viewer in a thread of its own, for so many seconds; `zero` is when the frames' time was 0."""
    begun = time.monotonic()

    def view(read: Callable[[int], Read | None], one: _Watched) -> None:
        after = -1
        while time.monotonic() - begun < seconds:
            got = read(after)
            if got is not None:
                after = got.frame.number
                one.see(got, begun, zero)

    threads = [threading.Thread(target=view, args=pair) for pair in zip(reads, watched, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _row(name: str, rate: float, delays: list[float], verdicts: list[float | None]) -> None:
    late = [one for one in verdicts if one is not None]
    verdict = f"{max(late):.2f}" if len(late) == len(verdicts) else "-"
    delay = f"{statistics.median(delays):.0f}, worst {max(delays):.0f}" if delays else "-"
    print(f"{name:36} {rate:10.1f} {delay:>22} {verdict:>12}")


@contextmanager
def _shown(seats: list[Seat], pictures: list[Picture]) -> Iterator[None]:
    """Shows every seat pictures, as many a second as a phone sends."""
    over = threading.Event()

    def show() -> None:
        for number in count():
            if over.wait(1 / RATE):
                return
            for seat in seats:
                seat.show(Frame(number, time.monotonic(), pictures[number % len(pictures)]))

    thread = threading.Thread(target=show)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextmanager
def _served(pictures: list[Picture]) -> Iterator[str]:
    """Serves the pictures as motion JPEG on loopback; gives the address."""
    over = threading.Event()
    jpegs = [cv2.imencode(".jpg", picture)[1].tobytes() for picture in pictures]

    class Camera(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            try:
                for number in count():
                    if over.wait(1 / RATE):
                        return
                    self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\n\r\n" + jpegs[number % len(jpegs)] + b"\r\n")
            except OSError:
                return  # nobody looks any more

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Camera)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def bench_memory(minutes: float, reader: TileReader) -> None:
    """Prints the memory in use, ten times while a camera over HTTP is watched for so long."""
    process = psutil.Process()
    desk = Desk(reader)
    hub = Hub(desk)
    with _served(_pictures()) as address, hub.view(address) as view:
        after, readings, begun = -1, 0, time.monotonic()
        for part in range(1, 11):
            while time.monotonic() - begun < part * minutes * 6:
                read = view.read(after, 0.5)
                if read is not None:
                    after, readings = read.frame.number, readings + 1
            print(f"{part * minutes / 10:8.1f} min {readings:7} readings {process.memory_info().rss / 1e6:7.0f} MB", flush=True)
    hub.close()
    desk.close()


def bench_live(clips: int, seed: int, seconds: float, minutes: float) -> None:
    """All of it. Raises NoFontsError."""
    reader = TileReader()
    if clips:
        bench_settling(clips, seed, reader)
    bench_speed(seconds, reader)
    bench_memory(minutes, reader)
