"""The live page in a real browser whose camera plays a rendered video: from the first frame to the verdict, and all that can fail."""

from __future__ import annotations

import json
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import lru_cache
from itertools import count, cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from assistant.dashboard import cameras, live
from assistant.dashboard import live_texts as texts
from assistant.dashboard.live import PATH
from assistant.dashboard.photo import read_photo, teach
from assistant.dashboard.texts import DISPUTE_PATH, THIS_IS_THE_SAMPLE
from assistant.dashboard.visitors import is_here
from assistant.rules import CLASSIC
from assistant.serve import CAMERAS_VARIABLE
from assistant.tiles import Rack, Tile
from tests.dashboard.conftest import PATIENCE_S, free_port, serving, tap
from tests.dashboard.photos import WIN, green_for_blue, photo_of
from tests.vision import mjpeg
from tests.vision.mjpeg import jpeg, part
from vision import desk
from vision.desk import Desk
from vision.profile import Profile
from vision.reader import TileReader
from vision.settle import Hint
from vision.trouble import Trouble
from vision.weights import MODELS
from vision.workshop.video import Shot, film, given_stage

playwright = pytest.importorskip("playwright.sync_api", reason="the browser test needs playwright: pip install '.[test]'")

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

MS = 1000 * PATIENCE_S
INDICATOR = "K11"
FALSE = WIN.replace("B5", "B6")
NEAR_WIN = WIN.replace("Y13", "R9")
TEA_HOUSE = "tea-house.test"
"""A name for this machine that browsers do not take for itself."""
ANY_SET = live.Settings("en", CLASSIC, source=None, table=None, taught=None)


@pytest.fixture(scope="module")
def frames() -> list[bytes]:
    """A video of a hand that wins, held by a trembling hand: JPEG pictures."""
    shot = Shot(seconds=1, finger=None, change=None, comes_in=False, glare=0.0)
    stage = given_stage(Rack.parse(WIN), Tile.parse(INDICATOR), shot.size, 0, 1)
    return [jpeg(picture) for picture, _truth in film(*stage, shot)]


@pytest.fixture(scope="module")
def clip(frames: list[bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The video as a file that a browser's camera plays again and again."""
    path = tmp_path_factory.mktemp("clip") / "rack.mjpeg"
    path.write_bytes(b"".join(frames))
    return path


@pytest.fixture(scope="module")
def camera_browser(launch: Callable[..., Browser], clip: Path) -> Browser:
    """A browser with a camera."""
    fake = ("--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={clip}")
    return launch(*fake, f"--host-resolver-rules=MAP {TEA_HOUSE} 127.0.0.1")


@pytest.fixture
def open_live(camera_browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens the live page as a new visitor, on a phone, who lets it have the camera or not."""
    contexts = []

    def open_page(address: str, allowed: bool = True) -> Page:
        context = camera_browser.new_context(viewport={"width": 390, "height": 844}, permissions=["camera"] if allowed else [])
        contexts.append(context)
        context.set_default_timeout(MS)
        page = context.new_page()
        page.goto(f"{address}/{texts.LIVE_PATH}")
        return page

    yield open_page
    for context in contexts:
        context.close()


def _says(page: Page, text: str) -> None:
    """Waits until the verdict says this."""
    playwright.expect(page.locator(".sentence")).to_contain_text(text)


def _notices(page: Page, word: str) -> None:
    """Waits until the page says how the camera is."""
    playwright.expect(page.locator(".notice")).to_have_text(texts.words()[word])


def _streams(page: Page) -> None:
    """Waits until tiles are read."""
    page.locator(".over polygon").first.wait_for()


def test_a_rack_before_the_camera_is_read_and_judged(open_live: Callable[..., Page], address: str) -> None:
    page = open_live(address)
    _says(page, "This hand wins")
    playwright.expect(page.locator(".over polygon")).to_have_count(15)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_frozen_picture_is_corrected_as_a_photo(open_live: Callable[..., Page], address: str) -> None:
    page = open_live(address)
    _says(page, "This hand wins")
    tap(page.get_by_role("button", name="Freeze and correct"))
    tap(page.locator(".rack").get_by_role("button", name="yellow 13"))
    tap(page.locator("[role=dialog] .faces [data-key=R9]"))
    _says(page, "One tile from a win")


def test_a_frozen_picture_that_cannot_be_read_gets_a_sentence_and_what_was_shown_stays(
    open_live: Callable[..., Page], address: str
) -> None:
    page = open_live(address)
    _streams(page)
    no_picture = "Object.defineProperty(this, 'result', { value: 'data:image/jpeg;base64,AAAA' }); this.onload()"
    page.evaluate(f"() => {{ FileReader.prototype.readAsDataURL = function () {{ {no_picture} }} }}")
    tap(page.get_by_role("button", name="Freeze and correct"))
    page.get_by_text("The file is no photo").wait_for()
    page.get_by_text(THIS_IS_THE_SAMPLE).wait_for()


def test_a_camera_refused_gets_a_sentence_and_comes_when_it_is_allowed(open_live: Callable[..., Page], address: str) -> None:
    page = open_live(address, allowed=False)
    _notices(page, "NotAllowedError")
    page.context.grant_permissions(["camera"])
    tap(page.get_by_role("button", name="Try again"))
    _streams(page)
    playwright.expect(page.locator(".notice")).to_be_hidden()


def test_without_a_camera_the_still_photo_remains(launch: Callable[..., Browser], address: str) -> None:
    browser = launch()
    page = browser.new_context(permissions=["camera"]).new_page()
    page.goto(f"{address}/{texts.LIVE_PATH}")
    _notices(page, "NotFoundError")
    tap(page.get_by_role("link", name="A still photo instead"))
    _says(page, "This hand wins")
    browser.close()


def test_a_camera_that_cannot_be_opened_leaves_no_gap(open_live: Callable[..., Page], address: str) -> None:
    page = open_live(address)
    _streams(page)
    stage, freeze = page.locator(".stage"), page.get_by_role("button", name="Freeze and correct")
    playwright.expect(freeze).to_be_visible()
    tap(page.get_by_text(texts.OTHER_CAMERA))
    page.get_by_label(texts.ADDRESS).fill(f"http://127.0.0.1:{free_port()}/video")
    page.get_by_label(texts.ADDRESS).press("Enter")
    playwright.expect(page.locator(".notice")).to_contain_text("http://127.0.0.1")
    playwright.expect(stage).to_be_hidden()
    playwright.expect(freeze).to_be_hidden()
    tap(page.get_by_text(texts.THIS_DEVICE))
    _streams(page)
    playwright.expect(freeze).to_be_enabled()


def test_a_page_that_is_not_encrypted_says_how_to_start(open_live: Callable[..., Page], address: str) -> None:
    page = open_live(address.replace("localhost", TEA_HOUSE))
    _notices(page, "insecure")
    assert "istaka serve --host 0.0.0.0 --https" in texts.words()["insecure"]


def test_a_camera_unplugged_gets_a_sentence_and_comes_back(open_live: Callable[..., Page], address: str) -> None:
    page = open_live(address)
    _streams(page)
    page.locator("video").evaluate(
        "video => { const [track] = video.srcObject.getTracks(); track.stop(); track.dispatchEvent(new Event('ended')) }"
    )
    _notices(page, "unplugged")
    playwright.expect(page.locator(".over polygon")).to_have_count(0)
    page.evaluate("navigator.mediaDevices.dispatchEvent(new Event('devicechange'))")
    _streams(page)


def test_the_picture_goes_on_after_the_server_was_restarted(open_live: Callable[..., Page], database: str) -> None:
    port = free_port()
    with serving(port, database):
        page = open_live(f"http://localhost:{port}")
        _streams(page)
    _notices(page, "lost")
    playwright.expect(page.locator(".over polygon")).to_have_count(0)
    with serving(port, database):
        _streams(page)
        _says(page, "This hand wins")


def test_a_phone_that_was_put_away_is_kept_awake_again(open_live: Callable[..., Page], address: str) -> None:
    page = open_live(address)
    _streams(page)
    asked = page.evaluate("""async () => {
        let asked = 0;
        Object.defineProperty(navigator, "wakeLock", {value: {request: async () => { asked += 1; return {release() {}}; }}});
        document.dispatchEvent(new Event("visibilitychange"));
        return asked;
    }""")
    assert asked == 1


def _settings(language: str = "en", source: str | None = None, table: str | None = None, **rules: bool) -> str:
    """What the page says first."""
    return json.dumps({"language": language, "preset": CLASSIC.name, "rules": rules, "source": source, "table": table, "taught": None})


def _answers(socket: ClientConnection, *pictures: bytes) -> Iterator[dict[str, Any]]:
    """What is answered to these pictures, shown again and again as a camera does."""
    for number in range(100):
        socket.send(pictures[number % len(pictures)])
        yield json.loads(socket.recv(PATIENCE_S))


def _judged(socket: ClientConnection, rack: str, verdict: str) -> dict[str, Any]:
    """The first answer with this verdict."""
    return next(answer for answer in _answers(socket, photo_of(rack, INDICATOR)) if verdict in (answer["verdict"] or ""))


def _outlines(answer: dict[str, Any]) -> int:
    """How many tiles are outlined."""
    return answer["outlines"].count("<polygon")


def test_the_verdict_stays_while_the_hand_holds_still_and_a_changed_rack_gets_its_own(address: str) -> None:
    with connect(address.replace("http", "ws") + PATH, origin=address) as socket:
        socket.send(_settings())
        for rack, verdict in ((WIN, "This hand wins"), (NEAR_WIN, "One tile from a win")):
            assert _judged(socket, rack, verdict)["held"]
            again = next(_answers(socket, photo_of(rack, INDICATOR)))
            assert (again["held"], again["verdict"]) == (True, None)


def test_green_in_place_of_blue_is_named_and_drawn_as_it_is(address: str) -> None:
    photo = green_for_blue(photo_of(NEAR_WIN.replace("B10", "B9"), INDICATOR))
    with connect(address.replace("http", "ws") + PATH, origin=address) as socket:
        socket.send(_settings())
        judged = next(answer for answer in _answers(socket, photo) if "from a win" in (answer["verdict"] or ""))
    assert "green 7" in judged["outlines"]
    assert "green 10" in judged["verdict"] and "blue" not in judged["verdict"]


def test_the_rules_of_the_table_are_judged_by(address: str) -> None:
    rack = WIN.replace("Y10 Y11 Y12 Y13", "Y11 Y12 Y13 Y1")
    with connect(address.replace("http", "ws") + PATH, origin=address) as socket:
        for high_one, verdict in ((True, "This hand wins"), (False, "One tile from a win")):
            socket.send(_settings(high_one=high_one))
            assert _judged(socket, rack, verdict)["held"]


def test_pictures_may_change_their_size_in_mid_stream(address: str) -> None:
    with connect(address.replace("http", "ws") + PATH, origin=address) as socket:
        socket.send(_settings())
        whole = cv2.imdecode(np.frombuffer(photo_of(WIN, INDICATOR), np.uint8), cv2.IMREAD_COLOR)
        for scale in (1.0, 0.7, 1.0):
            picture = cv2.imencode(".jpg", cv2.resize(whole, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))[1].tobytes()
            assert any(_outlines(answer) == 15 for answer in _answers(socket, picture))


def test_what_is_no_picture_gets_a_sentence_and_the_stream_goes_on(address: str) -> None:
    whole = photo_of(WIN, INDICATOR)
    with connect(address.replace("http", "ws") + PATH, origin=address) as socket:
        socket.send(_settings())
        for broken, reason in ((b"no picture", "is no photo"), (b"", "is empty"), (whole[:-99], "is cut off")):
            assert reason in next(_answers(socket, broken))["problem"]
        assert "This hand wins" in str(_judged(socket, WIN, "This hand wins"))


@pytest.mark.parametrize("said", ["", "[]", "{}", _settings("xx")])
def test_settings_that_are_none_end_the_stream(address: str, said: str) -> None:
    with connect(address.replace("http", "ws") + PATH, origin=address) as socket:
        socket.send(said)
        with pytest.raises(ConnectionClosedError):
            socket.recv(PATIENCE_S)


def test_two_visitors_share_a_camera_of_the_network_which_the_last_one_releases(address: str, frames: list[bytes]) -> None:
    def script(send: mjpeg.Send, over: threading.Event) -> None:
        for picture in cycle(frames):
            if over.wait(1 / 15):
                return
            send(part(picture))

    with mjpeg.serving(script) as camera:
        with ExitStack() as visits:
            for _visitor in range(2):
                socket = visits.enter_context(connect(address.replace("http", "ws") + PATH, origin=address))
                socket.send(_settings(source=camera.address))
                assert "This hand wins" in _shown(socket)
            assert camera.clients == 1
        camera.wait_for(lambda camera: camera.connected == 0)


def _shown(socket: ClientConnection) -> str:
    """The first verdict on what a camera of the computer shows."""
    for _picture in range(200):
        socket.send("next")
        answer = socket.recv(PATIENCE_S)
        if isinstance(answer, bytes):
            assert answer.startswith(b"\xff\xd8")
            answer = socket.recv(PATIENCE_S)
        if "<h3>" in (verdict := json.loads(answer)["verdict"] or ""):
            return verdict
    return ""


def _trembling(photo: bytes) -> list[bytes]:
    """Pictures of a camera that stands still: they differ in their noise alone."""
    picture = cv2.imdecode(np.frombuffer(photo, np.uint8), cv2.IMREAD_COLOR)
    rng = np.random.default_rng(0)
    return [jpeg(cv2.add(picture, rng.integers(0, 4, picture.shape, np.uint8))) for _picture in range(4)]


def _shows(pictures: Callable[[], list[bytes]]) -> Callable[[mjpeg.Send, threading.Event], None]:
    """A camera that shows these pictures, whatever they are by then, in turn."""

    def script(send: mjpeg.Send, over: threading.Event) -> None:
        for number in count():
            if over.wait(1 / 10):
                return
            now = pictures()
            send(part(now[number % len(now)]))

    return script


def test_a_camera_above_the_table_gives_the_indicator_and_the_discards_and_judges_a_hand_that_is_shown(database: str) -> None:
    tables = [_trembling(photo_of(table, INDICATOR)) for table in ("", "R5 B4", FALSE)]
    lies = 0
    port = free_port()
    with mjpeg.serving(_shows(lambda: tables[lies])) as camera, serving(port, database, "--camera", camera.address):
        with connect(f"ws://localhost:{port}{PATH}", origin=f"http://localhost:{port}") as socket:
            socket.send(_settings(table=camera.address))
            answers = _answers(socket, photo_of(WIN))
            assert any(answer["indicator"] and answer["indicator"][0] == INDICATOR for answer in answers)
            lies = 1
            assert any(answer["discards"] == ["B4", "R5"] for answer in answers)
            lies = 2
            shown = next(answer for answer in _answers(socket, photo_of(WIN)) if answer["shown"])
            assert "group 2 is no set and no run" in shown["shown"].lower()
            assert [answer["shown"] for answer in islice(_answers(socket, photo_of(WIN)), 12)] == [None] * 12, "it is told once"
            assert any("This hand wins" in (answer["verdict"] or "") for answer in _answers(socket, photo_of(NEAR_WIN), photo_of(WIN)))
        camera.wait_for(lambda camera: camera.connected == 0)


def _choose_camera(page: Page) -> None:
    """Chooses the camera above the table. A page that is drawn anew closes its menus: it is opened again, as a user would."""
    camera = page.get_by_role("option").nth(1)
    for _attempt in range(10):
        page.get_by_test_id("stSelectbox").locator("input").click()
        try:
            camera.click(timeout=5000)
            return
        except playwright.TimeoutError:
            continue
    raise AssertionError("the menu of cameras did not stay open")


def test_a_hand_shown_on_the_table_is_opened_on_the_dispute_page(open_live: Callable[..., Page], database: str) -> None:
    table = _trembling(photo_of(FALSE, INDICATOR))
    port = free_port()
    with mjpeg.serving(_shows(lambda: table)) as camera, serving(port, database, "--camera", camera.address):
        page = open_live(f"http://localhost:{port}")
        _streams(page)
        _choose_camera(page)
        page.locator(".shown").get_by_text(texts.HAND_SHOWN).wait_for()
        tap(page.get_by_role("button", name=texts.words()["dispute"]))
        playwright.expect(page).to_have_url(re.compile(DISPUTE_PATH))
        _says(page, "Not valid as it lies")
        playwright.expect(page.locator(".over polygon")).to_have_count(15)
        tap(page.get_by_role("link", name="Live", exact=True))
        page.locator(".shown").get_by_text(texts.HAND_SHOWN).wait_for()  # through the camera that was chosen before


def test_a_camera_of_the_network_that_does_not_answer_is_told(address: str) -> None:
    with connect(address.replace("http", "ws") + PATH, origin=address) as socket:
        socket.send(_settings("tr", f"http://127.0.0.1:{free_port()}/video"))
        socket.send("next")
        assert "http://127.0.0.1" in json.loads(socket.recv(PATIENCE_S))["problem"]


def test_weights_that_are_missing_or_damaged_are_said_until_they_are_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cameras, "_desk", lru_cache(1)(Desk))
    monkeypatch.setattr(desk, "TileReader", lambda: TileReader(tmp_path))
    with closing(cameras.BrowsersCamera()) as eye:

        def problem() -> str:
            return live.Page(eye, None).answer(photo_of(WIN), ANY_SET)[1].problem

        assert problem() == f"The weights locator.int8.onnx are missing from {tmp_path}: install istaka again."
        (tmp_path / "locator.int8.onnx").write_bytes(b"no network")
        assert problem() == f"The weights locator.int8.onnx in {tmp_path} are damaged: install istaka again."
        shutil.copytree(MODELS, tmp_path, dirs_exist_ok=True)
        assert problem() == ""


def test_the_chosen_set_is_read_with_all_that_it_has_been_taught(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    photo = read_photo(photo_of(WIN))
    tiles = [(seen.tile, seen.outline) for seen in photo.reading.tiles]
    with closing(cameras.BrowsersCamera()) as eye:
        page = live.Page(eye, None)
        profiles: list[Profile | None] = []
        for part_of_it in (tiles[:4], tiles[4:]):
            teach("tea house", photo, part_of_it)
            page.answer(photo_of(WIN), replace(ANY_SET, taught="tea house"))
            profiles.append(eye._seat.profile)
        assert profiles[0] is not None
        assert profiles[1] not in (None, profiles[0])
        page.answer(photo_of(WIN), ANY_SET)
        assert eye._seat.profile is None


def test_cameras_that_differ_in_what_is_not_shown_stay_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [f"rtsp://user:secret@recorder/live?channel={number}" for number in (1, 2, 3)]
    monkeypatch.setenv(CAMERAS_VARIABLE, "\n".join(["0", *sources]))
    names = ["0", "rtsp://recorder/live", "rtsp://recorder/live (2)", "rtsp://recorder/live (3)"]
    assert cameras.shared_cameras() == dict(zip(names, ["0", *sources], strict=True))


def test_other_sites_get_nothing(address: str) -> None:
    with pytest.raises(InvalidStatus), connect(address.replace("http", "ws") + PATH, origin="https://elsewhere.example"):
        pass


def test_four_visitors_are_served_at_once(address: str) -> None:
    picture = photo_of("R1 R2 R3")
    with ExitStack() as visits:
        sockets = [visits.enter_context(connect(address.replace("http", "ws") + PATH, origin=address)) for _visitor in range(4)]
        for socket in sockets:
            socket.send(_settings())
        read = [0, 0, 0, 0]
        for _round in range(50):
            for socket in sockets:
                socket.send(picture)
            read = [_outlines(json.loads(socket.recv(PATIENCE_S))) for socket in sockets]
            if read == [3, 3, 3, 3]:
                break
        assert read == [3, 3, 3, 3]


@pytest.mark.parametrize("source", ["/etc/passwd", "clip.mp4", "..", "x"])
def test_no_file_of_this_computer_is_opened(address: str, source: str) -> None:
    with connect(address.replace("http", "ws") + PATH, origin=address) as socket:
        socket.send(_settings(source=source))
        assert "is no camera" in json.loads(socket.recv(PATIENCE_S))["problem"]


@pytest.mark.parametrize(
    ("client", "host", "here"),
    [
        ("127.0.0.1", "localhost:8501", True),
        ("::1", "[::1]:8501", True),
        ("192.168.1.20", "192.168.1.10:8501", False),
        ("192.168.1.20", "localhost:8501", False),
        ("127.0.0.1", "elsewhere.example:8501", False),
        (None, None, False),
    ],
)
def test_only_at_this_computer_any_camera_may_be_named(client: str | None, host: str | None, here: bool) -> None:
    assert is_here(client, host) is here


def test_every_hint_and_trouble_has_its_sentence() -> None:
    assert set(texts.HINTS) == set(Hint)
    assert set(texts.TROUBLES) == set(Trouble)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "[" * 100_000,
        "7",
        '{"language": "en"}',
        '{"language": [], "preset": "classic", "rules": {}, "source": null, "table": null, "taught": null}',
        '{"language": "en", "preset": "101", "rules": {}, "source": null, "table": null, "taught": null}',
        '{"language": "en", "preset": "classic", "rules": {"strict_layout": []}, "source": null, "table": null, "taught": null}',
        '{"language": "en", "preset": "classic", "rules": {}, "source": 3, "table": null, "taught": null}',
    ],
)
def test_settings_that_the_page_does_not_send_are_a_value_error(said: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        live.Settings.from_json(said)
