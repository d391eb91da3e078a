"""Pictures of real servers on loopback, and a sentence for every way in which one can fail."""

from __future__ import annotations

import base64
import io
import re
import socket
import threading
from contextlib import closing
from itertools import islice
from pathlib import Path
from urllib.parse import quote

import av
import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.mjpeg import Send, answering, jpeg, noisy, part, serving
from tests.vision.test_camera import video
from vision import streams
from vision.camera import captured
from vision.straighten import Picture
from vision.streams import JpegScanner
from vision.trouble import SourceError, Trouble, shown_name

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n"


def taken(address: str, count: int) -> list[Picture | Trouble]:
    """The first pictures of a live source, which is then closed."""
    with closing(captured(address)) as pictures:
        return list(islice(pictures, count))


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


def test_a_picture_that_a_webcam_has_filled_up_is_whole() -> None:
    whole = jpeg(noisy(1))

    def script(send: Send, over: threading.Event) -> None:
        send(part(whole[:-2] + bytes(5) + whole[-2:]))
        over.wait()

    with serving(script) as server:
        (picture,) = taken(server.address, 1)
    assert isinstance(picture, np.ndarray)


def test_garbage_silence_and_a_dropped_connection_end_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "PATIENCE", 0.4)

    def garbage(send: Send, over: threading.Event) -> None:
        while not over.wait(0.01):
            send(np.random.default_rng(0).integers(0, 255, 5000, dtype=np.uint8).tobytes())

    def silence(send: Send, over: threading.Event) -> None:
        send(part(jpeg(noisy(1)))[:800])
        over.wait()

    def drip(send: Send, over: threading.Event) -> None:
        while not over.wait(0.01):
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


def test_a_video_whose_codec_nobody_knows_is_said(tmp_path: Path) -> None:
    path = video(tmp_path / "clip.mkv", [noisy(seed) for seed in range(3)], "mp4v")
    unknown = path.read_bytes().replace(b"V_MPEG4/ISO/ASP", b"V_MPEG4/ISO/XXX")
    assert unknown != path.read_bytes()
    with serving(lambda send, _: send(unknown), form="video/x-matroska") as server, pytest.raises(SourceError, match="sends no video"):
        taken(server.address, 1)


def test_a_name_and_password_are_sent_as_the_camera_wants_them_and_a_refusal_is_said() -> None:
    def script(request: str, send: Send, over: threading.Event) -> None:
        if 'Digest username="us er"' in request:
            send(HEAD + b"\r\n" + part(jpeg(noisy(1))))
            over.wait()
        send(
            b'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm="camera", nonce="1", qop="auth"\r\n'
            b"Connection: close\r\nContent-Length: 0\r\n\r\n"
        )

    with answering(script) as address:
        (picture,) = taken(address.replace("//", "//us%20er:p%40ss@"), 1)
        assert isinstance(picture, np.ndarray)
        for name, words in (
            ("", "asks for a password: write http://name:password@"),
            ("no:secret@", "does not let this name and password in"),
        ):
            with pytest.raises(SourceError, match=words) as caught:
                taken(address.replace("//", f"//{name}"), 1)
            assert "secret" not in str(caught.value)


@pytest.mark.parametrize("asked", ['Digest realm="camera"', 'Basic realm="Digest"', "Digest"])
def test_a_camera_that_asks_for_a_password_in_a_broken_way_gets_a_sentence(asked: str) -> None:
    def script(_: str, send: Send, over: threading.Event) -> None:
        send(f"HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: {asked}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".encode())

    with answering(script) as address:
        for name, words in (("", "asks for a password"), ("name:secret@", "does not let this name and password in")):
            with pytest.raises(SourceError, match=words):
                taken(address.replace("//", f"//{name}"), 1)


def test_a_password_in_turkish_letters_is_sent_in_utf_8() -> None:
    def script(request: str, send: Send, over: threading.Event) -> None:
        told = re.search(r"Authorization: Basic (\S+)", request)
        if told and base64.b64decode(told[1]).decode() == "ışık:çığ@":
            send(HEAD + b"\r\n" + part(jpeg(noisy(1))))
            over.wait()
        send(b"HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")

    with answering(script) as address:
        (picture,) = taken(address.replace("//", f"//{quote('ışık')}:{quote('çığ@')}@"), 1)
        assert isinstance(picture, np.ndarray)


def test_chunks_false_lengths_and_redirects_are_borne() -> None:
    picture = part(jpeg(noisy(1)))
    answers = {
        "/": b"HTTP/1.1 302 Found\r\nLocation: /chunks\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        "/chunks": HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n" % (len(picture), picture),
        "/long": HEAD + b"\r\n" + picture.replace(b"Length: ", b"Length: 9"),
        "/short": HEAD + b"\r\n" + picture.replace(b"Length: ", b"Length: -"),
    }

    def script(request: str, send: Send, over: threading.Event) -> None:
        send(answers[request.split()[1]])
        if " / " not in request:
            over.wait()

    with answering(script) as address:
        for path in answers:
            assert [picture.shape for picture in taken(address + path, 1)] == [(120, 160, 3)]


@pytest.mark.parametrize(
    ("where", "words"),
    [("/", "leads round in circles"), ("file:///etc/passwd", "leads to no address"), ("http://[", "leads to no address")],
)
def test_a_redirect_that_leads_nowhere_is_said(where: str, words: str) -> None:
    answer = f"HTTP/1.1 302 Found\r\nLocation: {where}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()
    with answering(lambda _request, send, _over: send(answer)) as address, pytest.raises(SourceError, match=words):
        taken(address, 1)


def test_a_head_that_never_ends_is_not_awaited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "PATIENCE", 0.4)

    def script(_request: str, send: Send, over: threading.Event) -> None:
        while not over.wait(0.05):
            send(b"H")

    with answering(script) as address, pytest.raises(SourceError, match="does not answer"):
        taken(address, 1)


@pytest.mark.parametrize("answer", [b"", b"R", b"RTSP/1.0 200 OK\r\nCSeq: 1\r\nPub", bytes(range(256)) * 40])
def test_a_server_of_rtsp_that_sends_nonsense_is_left(monkeypatch: pytest.MonkeyPatch, answer: bytes) -> None:
    monkeypatch.setattr(streams, "PATIENCE", 0.4)

    def script(_request: str, send: Send, over: threading.Event) -> None:
        send(answer)
        over.wait()

    with answering(script) as address, pytest.raises(SourceError, match=r"sends no video|does not answer"):
        taken(address.replace("http", "rtsp") + "/live", 1)


@pytest.mark.parametrize(
    "address", ["rtsp://", "rtsp:///live", "http://host:port/", "rtsp://host:99999/", "rtsp://[::1/", "rtsp://user:pa/ss@host/"]
)
def test_what_is_no_address_is_refused_at_once(address: str) -> None:
    with pytest.raises(SourceError, match=r"is no address of a stream: write it as (http|rtsp)://host:port/path"):
        taken(address, 1)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("http://user:secret@host:8080/video?pwd=secret", "http://host:8080/video"),
        ("rtsp://user:se@cret@host/live#secret", "rtsp://host/live"),
        ("rtsp://user:sec/re@t@host/live", "rtsp://host/live"),
        ("rtsp://user:sec?ret@host/live", "rtsp://…"),
        ("http://host/video?pwd=sec@ret", "http://…"),
        ("0", "0"),
        ("clip@home.mp4", "clip@home.mp4"),
    ],
)
def test_no_part_of_a_password_is_shown(address: str, shown: str) -> None:
    assert shown_name(address) == shown


def test_other_video_over_http_is_left_to_ffmpeg(tmp_path: Path) -> None:
    data = video(tmp_path / "clip.avi", [noisy(seed) for seed in range(5)]).read_bytes()
    with serving(lambda send, _: send(data), form="video/x-msvideo") as server:
        assert [picture.shape for picture in taken(server.address, 1)] == [(120, 160, 3)]


def without_key_frame() -> bytes:
    """What a camera sends in H.264 to one that joins after its only key frame."""
    sent = io.BytesIO()
    joined = 0
    with av.open(sent, "w", format="mpegts") as container:
        stream = container.add_stream("libx264", rate=25, options={"x264-params": "keyint=infinite:scenecut=0:bframes=0:rc-lookahead=0"})
        stream.width, stream.height, stream.pix_fmt = 160, 120, "yuv420p"
        for number in range(200):
            picture = cv2.resize(noisy(number, (8, 6)), (160, 120))
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, "bgr24")))
            joined = joined or (sent.tell() if number >= 60 else 0)
        container.mux(stream.encode(None))
    return sent.getvalue()[joined:]


def test_a_video_of_which_no_picture_can_be_made_is_said_and_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "SOON", 0.1)
    monkeypatch.setattr(streams, "KEY_FRAME_WITHIN", 0.5)
    data = without_key_frame()

    def script(send: Send, over: threading.Event) -> None:
        while not over.wait(0.01):
            send(data)

    with serving(script, form="Video/MP2T") as server, closing(captured(server.address)) as pictures:
        assert next(pictures) is Trouble.TORN
        with pytest.raises(SourceError, match="has broken off"):
            for picture in pictures:
                assert picture is Trouble.TORN


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


@settings(max_examples=40)
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
    monkeypatch.setattr(streams, "MOST_BYTES", 10_000)
    scanner = JpegScanner()
    begun = jpeg(noisy(0))[:-2]
    for _ in range(100):
        scanner.feed(begun[:1000] if _ == 0 else b"\x11" * 1000)
    assert len(scanner._buffer) <= 11_000
    assert scanner.feed(jpeg(noisy(1))) == [jpeg(noisy(1))]
