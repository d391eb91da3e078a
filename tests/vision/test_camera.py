"""Pictures of every source, from real servers and files, and a sentence for each that is none."""

from __future__ import annotations

import socket
import threading
from contextlib import closing
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.mjpeg import Send, jpeg, noisy, part, serving
from vision import camera
from vision.camera import Fitness, JpegScanner, SourceError, Trouble, captured, recorded, shown_name
from vision.straighten import Picture


def video(path: Path, pictures: list[Picture], codec: str = "MJPG", rate: float = 20.0) -> Path:
    height, width = pictures[0].shape[:2]
    writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*codec), rate, (width, height))
    for picture in pictures:
        writer.write(picture)
    writer.release()
    return path


def taken(address: str, count: int) -> list[Picture | Trouble]:
    """The first pictures of a live source, which is then closed."""
    with closing(captured(address)) as pictures:
        return list(islice(pictures, count))


@pytest.mark.parametrize(("name", "codec"), [("clip.avi", "MJPG"), ("clip.mp4", "mp4v")])
def test_a_video_comes_frame_by_frame_at_its_own_times(tmp_path: Path, name: str, codec: str) -> None:
    pictures = [cv2.resize(noisy(seed, (8, 6)), (160, 120)) for seed in range(7)]
    frames = list(recorded(str(video(tmp_path / name, pictures, codec))))
    assert [frame.number for frame in frames] == list(range(7))
    assert [frame.time for frame in frames] == pytest.approx([number / 20 for number in range(7)])
    for frame, picture in zip(frames, pictures, strict=True):
        assert np.abs(frame.picture.astype(int) - picture).mean() < 12


def test_black_frames_of_a_video_are_left_out(tmp_path: Path) -> None:
    pictures = [noisy(0), np.zeros((120, 160, 3), np.uint8), noisy(2)]
    assert [frame.number for frame in recorded(str(video(tmp_path / "clip.avi", pictures)))] == [0, 2]


def test_a_folder_is_read_in_the_order_of_its_numbers_and_damaged_frames_are_left_out(tmp_path: Path) -> None:
    for number in (1, 2, 9, 10, 100):
        cv2.imwrite(str(tmp_path / f"frame {number}.png"), np.full((64, 64, 3), 40 + number, np.uint8))
    (tmp_path / "frame 9.png").write_bytes(b"")
    (tmp_path / "notes.txt").write_text("no picture")
    frames = list(recorded(str(tmp_path)))
    assert [int(frame.picture[0, 0, 0]) - 40 for frame in frames] == [1, 2, 10, 100]
    assert [frame.number for frame in frames] == [0, 1, 3, 4]
    assert [frame.time for frame in frames] == pytest.approx([0.0, 0.1, 0.3, 0.4])


def test_what_is_no_recording_gets_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.mp4").write_text("no video")
    (tmp_path / "photo.jpg").write_bytes(jpeg(noisy(0)))
    video(tmp_path / "black.avi", [np.zeros((120, 160, 3), np.uint8)] * 3)
    wrong = {
        "none.mp4": "does not exist",
        "empty": "no picture",
        "text.mp4": "no picture",
        "photo.jpg": "istaka read",
        "black.avi": "no picture",
    }
    for name, words in wrong.items():
        with pytest.raises(SourceError, match=words) as caught:
            list(recorded(str(tmp_path / name)))
        assert "\n" not in str(caught.value)
        assert caught.value.template.format(**caught.value.values) == str(caught.value)


def test_motion_jpeg_is_read_whatever_parts_its_pictures() -> None:
    for framed in (part, lambda data: b"--other\n\n" + data, lambda data: data):

        def script(send: Send, over: threading.Event, framed=framed) -> None:
            send(framed(jpeg(noisy(1))))
            over.wait()

        with serving(script) as server:
            (picture,) = taken(server.address, 1)
            assert isinstance(picture, np.ndarray)
            assert picture.shape == (120, 160, 3)


def test_the_picture_may_change_its_size() -> None:
    def script(send: Send, over: threading.Event) -> None:
        for size in ((160, 120), (320, 240)):
            send(part(jpeg(noisy(1, size))))
            over.wait(0.3)  # apart, so that the first is not passed over for the second
        over.wait()

    with serving(script) as server:
        assert [picture.shape[:2] for picture in taken(server.address, 2)] == [(120, 160), (240, 320)]


def test_of_pictures_that_arrive_together_the_newest_is_taken() -> None:
    shades = [jpeg(np.full((16, 16, 3), 2 * number, np.uint8)) for number in range(20, 120)]

    def script(send: Send, over: threading.Event) -> None:
        send(b"".join(shades))
        while not over.wait(0.05):
            send(shades[-1])

    with serving(script) as server:
        assert taken(server.address, 3)[-1][0, 0, 0] == 238


def test_a_damaged_picture_is_said_and_the_next_is_whole() -> None:
    whole = jpeg(noisy(1))
    damaged = whole[: len(whole) // 2] + b"\xff\x00" * 40 + whole[-60:]

    def script(send: Send, over: threading.Event) -> None:
        send(part(damaged))
        over.wait(0.3)
        send(part(whole[: len(whole) // 2]))  # broken off: the next begins before it ends
        send(part(whole))
        over.wait()

    with serving(script) as server:
        first, second = taken(server.address, 2)
    assert first is Trouble.TORN
    assert isinstance(second, np.ndarray)


def test_garbage_silence_and_a_dropped_connection_end_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera, "PATIENCE", 0.4)

    def garbage(send: Send, over: threading.Event) -> None:
        while not over.wait(0.01):
            send(np.random.default_rng(0).integers(0, 255, 5000, dtype=np.uint8).tobytes())

    def silence(send: Send, over: threading.Event) -> None:
        send(part(jpeg(noisy(1)))[:800])
        over.wait()

    def drip(send: Send, over: threading.Event) -> None:
        while not over.wait(0.1):
            send(b"x")

    for script, words in (
        (garbage, "sends no pictures"),
        (silence, "broken off"),
        (drip, "sends no pictures"),
        (lambda *_: None, "broken off"),
    ):
        with serving(script) as server, pytest.raises(SourceError, match=words):
            taken(server.address, 1)


@pytest.mark.parametrize(
    ("status", "form", "words"),
    [(404, "text/plain", "answers 404"), (401, "text/plain", "asks for a password"), (200, "text/html; charset=utf-8", "is a web page")],
)
def test_an_answer_that_is_no_video_is_said(status: int, form: str, words: str) -> None:
    with serving(lambda *_: None, status, form) as server, pytest.raises(SourceError, match=words):
        taken(server.address, 1)


def test_other_video_over_http_is_left_to_ffmpeg(tmp_path: Path) -> None:
    data = video(tmp_path / "clip.avi", [noisy(seed) for seed in range(5)]).read_bytes()
    with serving(lambda send, _: send(data), form="video/x-msvideo") as server:
        assert [picture.shape for picture in taken(server.address, 1)] == [(120, 160, 3)]


def test_nobody_at_the_address_and_no_password_in_any_message(capfd: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken_port:
        taken_port.bind(("127.0.0.1", 0))  # bound, but nobody listens
        port = taken_port.getsockname()[1]
        for scheme in ("http", "rtsp"):
            with pytest.raises(SourceError, match=f"{scheme}://127.0.0.1:{port}/live") as caught:
                taken(f"{scheme}://user:secret@127.0.0.1:{port}/live?password=secret", 1)
            assert "secret" not in str(caught.value)
    with pytest.raises(SourceError, match="camera 97") as caught:
        taken("97", 1)
    with pytest.raises(SourceError, match="no stream"):
        taken("ftp://user:secret@host/x", 1)
    assert capfd.readouterr() == ("", ""), "the libraries say nothing by themselves"
    assert shown_name("http://user:secret@host:8080/video?pwd=secret") == "http://host:8080/video"


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.integers(0, 5), max_size=4), st.lists(st.binary(max_size=40).filter(lambda data: b"\xff" not in data)), st.integers(11, 500)
)
def test_every_whole_jpeg_is_found_however_the_bytes_arrive(seeds: list[int], between: list[bytes], step: int) -> None:
    whole = [jpeg(noisy(seed, (16, 16))) for seed in seeds]
    noise = between + [b""] * len(whole)
    data = b"".join(rubbish + picture for rubbish, picture in zip(noise, whole, strict=False))
    scanner = JpegScanner()
    assert [found for at in range(0, len(data), step) for found in scanner.feed(data[at : at + step])] == whole


def test_a_stream_without_an_end_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera, "MOST_BYTES", 10_000)
    scanner = JpegScanner()
    begun = jpeg(noisy(0))[:-2]
    for _ in range(100):
        scanner.feed(begun[:1000] if _ == 0 else b"\x11" * 1000)
    assert len(scanner._buffer) <= 11_000
    assert scanner.feed(jpeg(noisy(1))) == [jpeg(noisy(1))]


def fit(pictures: list[Picture], rate: float = 10.0) -> list[Trouble | None]:
    fitness = Fitness()
    return [fitness.trouble(picture, number / rate) for number, picture in enumerate(pictures)]


def test_a_healthy_picture_is_fit_in_any_light_in_which_something_is_seen() -> None:
    assert fit([noisy(seed) for seed in range(30)]) == [None] * 30
    dim = [np.asarray(noisy(seed) // 6, np.uint8) for seed in range(5)]
    assert fit(dim) == [None] * 5


def test_a_black_picture_is_told_though_its_sensor_has_noise() -> None:
    covered = [np.random.default_rng(seed).integers(0, 12, (120, 160, 3)).astype(np.uint8) for seed in range(3)]
    assert fit([*covered, noisy(0)]) == [Trouble.BLACK] * 3 + [None]


def test_a_picture_that_stands_still_to_the_bit_is_frozen_after_a_while_and_thaws_at_once() -> None:
    told = fit([noisy(0)] * 40 + [noisy(1)])
    assert told[: int(10 * camera.FROZEN_AFTER)] == [None] * int(10 * camera.FROZEN_AFTER)
    assert told[25:40] == [Trouble.FROZEN] * 15
    assert told[40] is None


@pytest.mark.parametrize("colour", camera.FILLED_IN)
def test_a_picture_whose_lower_part_was_filled_in_by_the_decoder_is_torn(colour: tuple[int, int, int]) -> None:
    torn = noisy(1)
    torn[90:] = colour
    assert fit([noisy(0), torn, noisy(2)]) == [None, Trouble.TORN, None]


def test_a_picture_that_ends_with_the_one_before_is_torn() -> None:
    first, second = noisy(0), noisy(1)
    torn = np.concatenate([second[:60], first[60:]])
    assert fit([first, torn, noisy(2)]) == [None, Trouble.TORN, None]


def test_a_drawn_scene_without_noise_is_not_taken_for_torn_for_ever() -> None:
    still = noisy(0)
    scenes = []
    for number in range(10):
        scene = still.copy()
        scene[:20] = noisy(number + 1)[:20]
        scenes += [scene, scene]  # and every picture sent twice
    assert fit(scenes, 30.0)[-12:] == [None] * 12


def test_bars_above_and_below_a_picture_are_no_damage() -> None:
    barred = [noisy(seed) for seed in range(5)]
    for picture in barred:
        picture[:15] = picture[-15:] = 0
    assert fit(barred) == [None] * 5
