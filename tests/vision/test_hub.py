"""Sources shared by all who look at them, and one reader shared by all sources."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.vision.mjpeg import Send, endless, jpeg, noisy, part, serving
from tests.vision.test_camera import video
from vision import hub as hub_module
from vision.camera import Frame
from vision.desk import Desk
from vision.hub import Hub, View
from vision.sight import Sight
from vision.straighten import Picture
from vision.trouble import SourceError, Trouble

LONG = 30.0
"""Seconds after which a test gives up waiting for what must come."""


class Blind:
    """Stands for the reader: sees no tiles, and notes every picture's first value. Waits for `allowed` before each."""

    def __init__(self, waits: bool = False) -> None:
        self.looked: list[int] = []
        self.allowed = threading.Semaphore(0 if waits else 10**9)
        self.begun = threading.Semaphore(0)

    def look(self, picture: Picture, profile: object = None) -> Sight:
        self.begun.release()
        assert self.allowed.acquire(timeout=LONG)
        mark = int(picture[0, 0, 0])
        self.looked.append(mark)
        if mark == 255:
            raise RuntimeError("a picture that cannot be read")
        none = np.zeros((0, 4), np.float32)
        size = (picture.shape[1], picture.shape[0])
        return Sight(size, np.zeros((0, 4, 2), np.float32), np.zeros((0, 16), np.float32), none, none[:, :3], none[:, 0], 0.5)


def marked(number: int, mark: int, time: float | None = None) -> Frame:
    return Frame(number, number / 10 if time is None else time, np.full((32, 32, 3), mark, np.uint8))


def desk_with(reader: Blind) -> Desk:
    return Desk(reader)  # type: ignore[arg-type]


@pytest.fixture
def hub() -> Iterator[Hub]:
    desk = desk_with(Blind())
    hub = Hub(desk)
    yield hub
    hub.close()
    desk.close()


def wait_for_trouble(view: View, trouble: Trouble) -> None:
    with view._source.changed:
        assert view._source.changed.wait_for(lambda: view.trouble is trouble, LONG), view.trouble


def test_two_viewers_share_one_source_and_the_last_to_leave_releases_it(hub: Hub) -> None:
    with serving(endless) as server:
        with hub.view(server.address) as first, hub.view(server.address) as second:
            assert first.frame(timeout=LONG) is not None
            assert second.frame(timeout=LONG) is not None
            read = first.read(timeout=LONG)
            assert read is not None
            assert second.read(timeout=0) is not None
            assert server.clients == 1
            second.close()
            second.close()
            frame = first.frame()
            assert frame is not None
            assert first.frame(after=frame.number, timeout=LONG) is not None, "the other still looks"
        server.wait_for(lambda camera: camera.connected == 0)
        with hub.view(server.address) as again:
            assert again.frame(timeout=LONG) is not None
        assert server.clients == 2
        server.wait_for(lambda camera: camera.connected == 0)


def test_a_dropped_connection_is_made_again_and_the_numbers_go_on(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "FIRST_PAUSE", 0.01)
    shown = iter(range(10**6))

    def drops(send: Send, over: threading.Event) -> None:
        send(part(jpeg(noisy(next(shown)))))
        over.wait(0.1)

    with serving(drops) as server, hub.view(server.address) as view:
        numbers, times = [], []
        for _ in range(4):
            frame = view.frame(after=numbers[-1] if numbers else -1, timeout=LONG)
            assert frame is not None
            numbers.append(frame.number)
            times.append(frame.time)
        assert server.clients >= 4
        assert numbers == sorted(set(numbers))
        assert times == sorted(times)


def test_a_source_that_fails_in_a_way_nobody_foresaw_says_so_and_is_tried_again(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "FIRST_PAUSE", 0.01)
    fails = threading.Event()
    fails.set()

    def captured(source: str) -> Iterator[Picture]:
        if fails.is_set():
            raise MemoryError
        yield from (noisy(number) for number in range(10**6))

    monkeypatch.setattr(hub_module, "captured", captured)
    with hub.view("0") as view:
        wait_for_trouble(view, Trouble.LOST)
        assert str(view.error) == "0 has failed (MemoryError): check it, or start istaka again"
        fails.clear()
        assert view.frame(timeout=LONG) is not None
        assert view.error is None


def test_a_film_that_fails_in_a_way_nobody_foresaw_says_so_and_is_over(hub: Hub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def recorded(source: str) -> Iterator[Frame]:
        raise MemoryError

    monkeypatch.setattr(hub_module, "recorded", recorded)
    with hub.view(str(tmp_path)) as view:
        with view._source.changed:
            assert view._source.changed.wait_for(lambda: view.ended, LONG)
        assert "has failed (MemoryError)" in str(view.error)


def test_a_camera_that_is_switched_on_later_is_found(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "FIRST_PAUSE", 0.01)
    on = threading.Event()

    def script(send: Send, over: threading.Event) -> None:
        if on.is_set():
            endless(send, over)

    with serving(script) as server, hub.view(server.address) as view:
        wait_for_trouble(view, Trouble.LOST)
        assert "has broken off" in str(view.error)
        on.set()
        assert view.frame(timeout=LONG) is not None
        assert view.error is None


@pytest.mark.parametrize(
    ("pictures", "trouble"),
    [
        ([np.zeros((120, 160, 3), np.uint8)], Trouble.BLACK),
        ([np.concatenate([noisy(1)[:60], np.full((60, 160, 3), 128, np.uint8)])], Trouble.TORN),
    ],
)
def test_what_is_not_fit_is_said_and_never_passed_on(hub: Hub, pictures: list[Picture], trouble: Trouble) -> None:
    def script(send: Send, over: threading.Event) -> None:
        while not over.wait(0.05):
            for picture in pictures:
                send(part(jpeg(picture)))

    with serving(script) as server, hub.view(server.address) as view:
        wait_for_trouble(view, trouble)
        assert view.frame() is None
        assert view.read() is None


def test_why_it_was_lost_is_forgotten_when_it_sends_again_though_nothing_fit(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "FIRST_PAUSE", 0.01)
    covered = threading.Event()

    def script(send: Send, over: threading.Event) -> None:
        while covered.is_set() and not over.wait(0.05):
            send(part(jpeg(np.zeros((120, 160, 3), np.uint8))))

    with serving(script) as server, hub.view(server.address) as view:
        wait_for_trouble(view, Trouble.LOST)
        assert view.error is not None
        covered.set()
        wait_for_trouble(view, Trouble.BLACK)
        assert view.error is None


def test_a_camera_that_falls_silent_is_said(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "SILENT_AFTER", 0.0)

    def script(send: Send, over: threading.Event) -> None:
        send(part(jpeg(noisy(0))))
        over.wait()

    with serving(script) as server, hub.view(server.address) as view:
        assert view.frame(timeout=LONG) is not None
        assert view.trouble is Trouble.SILENT


def test_a_file_plays_once_for_all_who_look(hub: Hub, tmp_path: Path) -> None:
    path = video(tmp_path / "clip.avi", [noisy(seed) for seed in range(6)], rate=50.0)
    with hub.view(str(path)) as view, hub.view(str(tmp_path / "." / "clip.avi")) as other:
        read = view.read(after=4, timeout=LONG)
        assert read is not None
        assert read.frame.number == 5
        with view._source.changed:
            assert view._source.changed.wait_for(lambda: view.ended, LONG)
        assert other.ended
        assert view.trouble is None


def test_a_file_whose_pictures_come_slowly_is_not_silent(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "SILENT_AFTER", 0.0)
    path = video(tmp_path / "clip.avi", [noisy(seed) for seed in range(3)], rate=1.0)
    with hub.view(str(path)) as view:
        assert view.frame(after=-1, timeout=LONG) is not None
        assert not view.ended
        assert view.trouble is None


def test_what_can_never_be_a_source_is_refused_at_once(hub: Hub, tmp_path: Path) -> None:
    for source in (str(tmp_path / "none.mp4"), "ftp://host/x"):
        with pytest.raises(SourceError):
            hub.view(source)


def test_frames_are_dropped_never_queued() -> None:
    reader = Blind(waits=True)
    with desk_with(reader).seat() as seat:
        seat.show(marked(0, 0))
        assert reader.begun.acquire(timeout=LONG)
        for number in range(1, 50):
            seat.show(marked(number, number))
        reader.allowed.release(2)
        read = seat.read(after=48, timeout=LONG)
        assert read is not None
    assert reader.looked == [0, 49]


def test_seats_are_served_by_turns_however_many_frames_one_shows() -> None:
    reader = Blind(waits=True)
    desk = desk_with(reader)
    with desk.seat() as busy, desk.seat() as second, desk.seat() as third:
        busy.show(marked(0, 1))
        assert reader.begun.acquire(timeout=LONG)
        busy.show(marked(1, 1))
        second.show(marked(0, 2))
        third.show(marked(0, 3))
        for number in range(2, 5):
            reader.allowed.release()
            assert reader.begun.acquire(timeout=LONG)
            busy.show(marked(number, 1))
        reader.allowed.release(2)
        assert busy.read(after=3, timeout=LONG) is not None
    assert reader.looked == [1, 2, 3, 1, 1]


def test_a_frame_that_cannot_be_read_does_not_stop_the_others() -> None:
    with desk_with(Blind()).seat() as seat:
        seat.show(marked(0, 255))
        number = 1
        while seat.read(timeout=0.05) is None:
            seat.show(marked(number, 1))
            number += 1
            assert number < 100


def test_a_video_that_begins_again_is_settled_anew() -> None:
    with desk_with(Blind()).seat() as seat:
        seat.show(marked(0, 1, time=50.0))
        assert seat.read(after=-1, timeout=LONG) is not None
        seat.show(marked(1, 1, time=0.0))
        assert seat.read(after=0, timeout=LONG) is not None


def test_the_desk_rests_without_seats_and_serves_again() -> None:
    desk = desk_with(Blind())
    for _ in range(3):
        with desk.seat() as seat:
            seat.show(marked(0, 1))
            assert seat.read(timeout=LONG) is not None
    desk.close()
    assert desk._thread is None
    with desk.seat() as seat:
        seat.show(marked(0, 1))
        assert seat.read(timeout=LONG) is not None


def test_a_camera_opened_again_keeps_nothing_of_the_times_before(hub: Hub) -> None:
    sources = []
    with serving(endless) as server:
        for _ in range(4):
            with hub.view(server.address) as view:
                assert view.frame(timeout=LONG) is not None
                sources.append(weakref.ref(view._source))
            del view
    gc.collect()
    assert [source() for source in sources[:-1]] == [None] * 3, "only the last one may still be there, to release the camera"


def test_closing_releases_every_camera_though_somebody_still_looks(hub: Hub) -> None:
    with serving(endless) as server, hub.view(server.address) as view:
        assert view.frame(timeout=LONG) is not None
        hub.close()
        server.wait_for(lambda camera: camera.connected == 0)
