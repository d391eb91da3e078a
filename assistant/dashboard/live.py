"""The live stream: pictures come in over a web socket, what is read in them goes back.

The browser sends text: first, and whenever they change, the settings of its page as JSON. Then it sends a picture, JPEG, or
"next" for one of a camera that this computer opens. For each it gets one `Answer` as JSON, after the picture itself if that is the
computer's. It takes its next picture when the last one is answered: none ever queue, and the desk serves all visitors by turns.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field
from html import escape
from typing import TypeVar
from urllib.parse import urlsplit

import cv2
from starlette.websockets import WebSocket, WebSocketDisconnect

from assistant.dashboard import live_texts as texts
from assistant.dashboard.cameras import ComputersCamera, Eye, TableCamera, open_eye, shared_cameras
from assistant.dashboard.drawing import judgement_html, outlines_svg, still, verdict_html
from assistant.dashboard.hand import SURE, Hand
from assistant.dashboard.inks import looking_at
from assistant.dashboard.judging import dispute, judge
from assistant.dashboard.language import LANGUAGES, _, speaking
from assistant.dashboard.table_memory import TableMemory
from assistant.dashboard.texts import how_read
from assistant.dashboard.visitors import is_here
from assistant.rules import Rules, rules_named, with_options
from assistant.tiles import Tile
from vision.camera import Frame
from vision.desk import Read
from vision.inks import green_among
from vision.profile import Profile, ProfileError
from vision.reading import Reading
from vision.settle import State
from vision.sources import PhotoError
from vision.trouble import SourceError
from vision.weights import WeightsError

PATH = "/live/stream"
LONGEST_SIDE = 1280
"""Of the pictures that a browser sends, in pixels."""
MISUSED, FOREIGN = 1007, 1008
"""The codes with which a web socket is closed when it sends what it must not, and on a page of another site: RFC 6455, 7.4.1."""

Result = TypeVar("Result")

_waiting = ThreadPoolExecutor(64, "live")  # threads that wait for a reading; the desk alone reads


@dataclass(frozen=True)
class Settings:
    """What the page of one visitor says.

    Attributes:
        language: the language of the sentences.
        rules: by which the hand is judged.
        source: the camera that this computer opens; None for the browser's own.
        table: the camera above the table, one that everyone may look through; None if there is none.
        taught: the taught set that is played with; None for any.
    """

    language: str
    rules: Rules
    source: str | None
    table: str | None
    taught: str | None

    @classmethod
    def from_json(cls, text: str | bytes) -> Settings:
        """Raises ValueError for anything but what `live.js` sends."""
        try:
            said = json.loads(text)
            language, preset, options = said["language"], said["preset"], said["rules"]
            names = [said[kind] for kind in ("source", "table", "taught")]
        except (TypeError, KeyError, RecursionError) as error:
            raise ValueError(f"no settings: {error}") from None
        if (
            not isinstance(language, str)
            or language not in LANGUAGES
            or not isinstance(preset, str)
            or not isinstance(options, dict)
            or not all(isinstance(name, str | None) for name in names)
        ):
            raise ValueError("settings of the wrong kind")
        rules = with_options(rules_named(preset), options)
        if rules.opens:
            raise ValueError("a hand of Okey is judged, not one of 101")
        return cls(language, rules, *names)


@dataclass(frozen=True)
class Answer:
    """What the page shows of one picture.

    Attributes:
        outlines: SVG that lies over the picture.
        verdict: HTML beside it; None if it is what it was.
        held: whether the verdict is of what is in the picture at this moment.
        hint: what to do to be read better; may be empty.
        discards: tiles that the camera above the table has seen and this picture does not show, in notation.
        indicator: the one that only the camera above the table has seen, in notation, and how surely.
        shown: HTML that announces a hand shown on the table, empty if none is; None if it is what it was.
        problem: why there is no reading; empty if there is one.
    """

    outlines: str = ""
    verdict: str | None = None
    held: bool = False
    hint: str = ""
    discards: list[str] = field(default_factory=list)
    indicator: tuple[str, float] | None = None
    shown: str | None = None
    problem: str = ""


class Page:
    """What one visitor's page shows, picture after picture."""

    def __init__(self, eye: Eye, table: TableCamera | None) -> None:
        """`table` is the camera above the table, if there is one."""
        self.eye = eye
        self._table = table
        self._profile: Profile | None = None
        self._told: object = None
        self._announced: object = None

    def answer(self, sent: str | bytes, settings: Settings) -> tuple[Read | None, Answer]:
        """The next picture and what the page shows of it."""
        with speaking(settings.language):
            try:
                self._use(settings.taught)
                read = self.eye.see(sent)
                memory = self._table.look() if self._table else TableMemory()
                problem = self.eye.missing() if read is None else ""
            except (PhotoError, ProfileError, WeightsError) as error:
                read, problem = None, texts.said(error)
            if read is None:
                self._told = self._announced = None  # the page shows the problem alone
                return None, Answer(problem=problem)
            settled = read.settled
            held = settled.state is State.SETTLED and settled.reading is not None
            shown = Hand(settled.reading if held and settled.reading else settled.now)
            discards, indicator = memory.discards(shown), None if memory.completed(shown) is shown else memory.indicator
            with looking_at(green_among({**shown.reading.inks, **(self._profile.inks if self._profile else {})})):
                return read, Answer(
                    outlines=outlines_svg(shown),
                    verdict=self._verdict(settled.reading, memory, settings),
                    held=held,
                    hint=_(texts.HINTS[settled.hints[0]]) if settled.hints else "",
                    discards=list(map(str, discards)),
                    indicator=indicator and (str(indicator.tile), indicator.confidence),
                    shown=self._announcement(memory, settings),
                )

    def _use(self, taught: str | None) -> None:
        """Reads with the taught set that was chosen, with all that it has been taught by now. Raises ProfileError and WeightsError."""
        from assistant.dashboard.photo import profile_of  # not before the server runs: Streamlit's caches ask for it

        profile = None if taught is None else profile_of(taught)
        if profile is not self._profile:
            self.eye.use(profile)
            if self._table:
                self._table.use(profile)
        self._profile = profile

    def _verdict(self, reading: Reading | None, memory: TableMemory, settings: Settings) -> str | None:
        """The verdict on the reading that holds, or None if it has been told."""
        hand = None if reading is None else memory.completed(Hand(reading))
        discards = [] if hand is None else memory.discards(hand)
        told = (settings, None if reading is None else _as_judged(reading), memory.indicator, tuple(discards))
        if told == self._told:
            return None
        self._told = told
        if hand is None:
            return f'<div class="sentence ask"><p>{escape(_(texts.HOLD_STILL))}</p></div>'
        return verdict_html(judge(hand, settings.rules, discards)) + _table_html(memory, discards)

    def _announcement(self, memory: TableMemory, settings: Settings) -> str | None:
        """The judgement of the hand that is shown on the table, empty without one; None if it has been told."""
        hand = memory.shown.hand if memory.shown else None
        indicator = hand.indicator if hand else None
        told = (settings, hand and _as_judged(hand.reading), indicator and (indicator.tile, indicator.state))
        if told == self._announced:
            return None
        self._announced = told
        return "" if hand is None else f"<h4>{_(texts.HAND_SHOWN)}</h4>" + judgement_html(dispute(hand, settings.rules))


def _table_html(memory: TableMemory, discards: Sequence[Tile]) -> str:
    """What only the camera above the table has seen."""
    indicator = memory.indicator
    drawn = {texts.TABLE_DISCARDS: "".join(map(still, discards))}
    if indicator is not None:
        state = "sure" if indicator.confidence >= SURE else "doubt"
        drawn = {texts.TABLE_INDICATOR: still(indicator.tile, how_read(*indicator, by_hand=False), state), **drawn}
    return "".join(f'<div class="rest"><h4>{_(name)}</h4><div class="group">{tiles}</div></div>' for name, tiles in drawn.items() if tiles)


def _as_judged(reading: Reading) -> tuple[object, ...]:
    """All of a reading that its verdict rests on."""
    return tuple((seen.tile, seen.place, seen.row, seen.group, seen.gap_doubtful, seen.confidence >= SURE) for seen in reading.tiles)


def _page(settings: Settings, at_computer: bool, visit: ExitStack) -> Page:
    """Opens what a visitor wants to look through, until the visit is closed. Raises SourceError."""
    eye = visit.enter_context(closing(open_eye(settings.source, at_computer)))
    if settings.table is None:
        return Page(eye, None)
    if settings.table not in shared_cameras():
        raise SourceError(texts.NOT_SHARED)
    return Page(eye, visit.enter_context(closing(TableCamera(shared_cameras()[settings.table]))))


async def stream(socket: WebSocket) -> None:
    """Serves one visitor until they leave."""
    if urlsplit(socket.headers.get("origin", "")).netloc != socket.headers.get("host"):
        await socket.close(FOREIGN)
        return
    await socket.accept()
    visit = ExitStack()
    try:
        settings = Settings.from_json(await _received(socket))
        try:
            at_computer = is_here(socket.client.host if socket.client else None, socket.headers.get("host"))
            page = await _in_thread(_page, settings, at_computer, visit)
        except SourceError as error:
            with speaking(settings.language):
                await socket.send_json(asdict(Answer(problem=texts.said(error))))
            while True:
                await _received(socket)
        await _serve(socket, page, settings)
    except ValueError:
        await socket.close(MISUSED)
    except WebSocketDisconnect:
        pass
    finally:
        await asyncio.shield(_in_thread(visit.close))


async def _serve(socket: WebSocket, page: Page, settings: Settings) -> None:
    """Answers every picture. Raises WebSocketDisconnect, and ValueError for settings that are none."""
    while True:
        sent = await _received(socket)
        if isinstance(sent, str) and sent.startswith("{"):
            settings = Settings.from_json(sent)
            continue
        read, answer = await _in_thread(page.answer, sent, settings)
        if read is not None and isinstance(page.eye, ComputersCamera):
            await socket.send_bytes(await _in_thread(_jpeg, read.frame))
        await socket.send_json(asdict(answer))


async def _in_thread(work: Callable[..., Result], *arguments: object) -> Result:
    """Waits for work that takes time without keeping other visitors waiting."""
    return await asyncio.get_running_loop().run_in_executor(_waiting, work, *arguments)


async def _received(socket: WebSocket) -> str | bytes:
    """The next message. Raises WebSocketDisconnect."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text: str | None = message.get("text")
    return message["bytes"] if text is None else text


def _jpeg(frame: Frame) -> bytes:
    return cv2.imencode(".jpg", frame.picture, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()
