"""A camera's HTTP server on loopback that can fail in every way a test asks for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import StreamRequestHandler, ThreadingTCPServer

import cv2
import numpy as np

from vision.straighten import Picture

Send = Callable[[bytes], None]
Script = Callable[[Send, threading.Event], None]
"""What the server sends to one client: it is given the sending, and an event that is set when the test is over."""


def noisy(seed: int, size: tuple[int, int] = (160, 120)) -> Picture:
    """A picture as a sensor takes it: no two are the same."""
    rng = np.random.default_rng(seed)
    return rng.integers(60, 200, (size[1], size[0], 3)).astype(np.uint8)


def jpeg(picture: Picture) -> bytes:
    return cv2.imencode(".jpg", picture)[1].tobytes()


def part(data: bytes) -> bytes:
    """A picture as a part of a multipart stream."""
    return b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n" % (len(data), data)


class Camera:
    """A server and what became of it.

    Attributes:
        address: of its stream.
        clients: how many have connected so far.
        connected: how many are now.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.clients = 0
        self.connected = 0
        self.changed = threading.Condition()

    def wait_for(self, condition: Callable[[Camera], bool]) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: condition(self), 30), "the camera never came to this"


@contextmanager
def serving(script: Script, status: int = 200, form: str = "multipart/x-mixed-replace; boundary=frame") -> Iterator[Camera]:
    """Serves `script` to everyone who connects."""
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            with camera.changed:
                camera.clients += 1
                camera.connected += 1
                camera.changed.notify_all()
            try:
                self.send_response(status)
                self.send_header("Content-Type", form)
                self.end_headers()
                script(self.wfile.write, over)
            except OSError:
                pass  # the client left
            finally:
                with camera.changed:
                    camera.connected -= 1
                    camera.changed.notify_all()

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    camera = Camera(f"http://127.0.0.1:{server.server_port}/video")
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield camera
    finally:
        over.set()
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def answering(script: Callable[[str, Send, threading.Event], None]) -> Iterator[str]:
    """A server whose whole answer, its head too, is sent by a script, which is given the request; gives the address."""
    over = threading.Event()

    class Handler(StreamRequestHandler):
        def handle(self) -> None:
            request = ""
            while (line := self.rfile.readline().decode()).strip():
                request += line
            with suppress(OSError):  # the client left
                script(request, self.wfile.write, over)

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            over.set()
            server.shutdown()
            thread.join()


def endless(send: Send, over: threading.Event) -> None:
    """A healthy camera, thirty pictures a second."""
    number = 0
    while not over.wait(1 / 30):
        send(part(jpeg(noisy(number))))
        number += 1
