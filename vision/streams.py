"""Pictures from the network: motion JPEG over HTTP, and every other stream that FFmpeg understands, RTSP above all."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import unquote, urlsplit

import av
import numpy as np
import requests
from av.container import InputContainer
from av.error import FFmpegError, HTTPForbiddenError, HTTPNotFoundError, HTTPUnauthorizedError, InvalidDataError
from requests.adapters import HTTPAdapter
from requests.auth import HTTPBasicAuth, HTTPDigestAuth
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.response import HTTPResponse

from vision.sources import decode_jpeg, jpeg_scan
from vision.straighten import Picture
from vision.trouble import SourceError, Trouble, shown_name

SCHEMES = ("http", "https", "rtsp", "rtsps")
"""What the addresses of streams begin with."""
PATIENCE = 5.0
"""Seconds in which a camera or stream must answer, and in which the next picture must come."""
KEY_FRAME_WITHIN = 20.0
"""Seconds in which FFmpeg must make a picture of what arrives: it waits for a key frame, which some cameras send every ten."""
SOON = 1.0
"""Seconds without a picture after which it is said that what arrives makes none."""
MOST_RATE = 20.0
"""So many pictures a second are decoded; of more the newest are taken, and none waits its turn."""
MOST_BYTES = 16_000_000
"""More without an end is no picture."""
CHUNK = 1 << 16
"""Bytes read from a connection at once."""
BEGIN_OR_END = re.compile(rb"\xff[\xd8\xd9]")
"""The marker that begins or ends a JPEG; in a scan it can be nothing else, as there 0xFF is followed by 0x00 (ITU-T T.81, B.1.1.5)."""
TCP_FIRST = {"rtsp_flags": "prefer_tcp"}
"""For FFmpeg: UDP, which loses data, only where a camera knows nothing else."""


def check_address(source: str) -> None:
    """Refuses what is no address of a stream.

    Raises:
        SourceError: saying what would be right.
    """
    scheme, name = source.partition("://")[0], shown_name(source)
    if scheme.lower() not in SCHEMES:
        raise SourceError("{source} is no stream: its address begins with rtsp:// or http://", source=name)
    try:
        parts = urlsplit(source)
        usable = bool(parts.hostname) and parts.port != 0
    except ValueError:  # of the port, or of an address of IPv6
        usable = False
    if not usable:
        raise SourceError(
            "{source} is no address of a stream: write it as {scheme}://host:port/path, in a password %40 for @, %2F for /, %3F for ?",
            source=name,
            scheme=scheme,
        )


def streamed(source: str) -> Generator[Picture | Trouble, None, None]:
    """The pictures of a stream as they come; `Trouble` for one that is damaged. Close it to leave.

    Raises:
        SourceError: when it cannot be opened, and when it is lost or falls silent.
    """
    return _http(source) if urlsplit(source).scheme in ("http", "https") else _ffmpeg(source)


def _ffmpeg(source: str) -> Generator[Picture | Trouble, None, None]:
    """What FFmpeg understands."""
    address = urlsplit(source).geturl()  # FFmpeg knows protocols in small letters alone
    try:
        container = av.open(address, options=TCP_FIRST, timeout=PATIENCE)
    except (HTTPUnauthorizedError, HTTPForbiddenError):  # RTSP has HTTP's numbers: RFC 2326, 7.1.1
        raise _refused(source, 401) from None
    except HTTPNotFoundError:
        raise _refused(source, 404) from None
    except OSError:
        raise _unanswered(source) from None
    except FFmpegError:
        raise _no_video(source) from None
    with container:
        video = container.streams.video
        if not video or video[0].codec_context is None:  # none for a codec that FFmpeg does not know
            raise _no_video(source)
        with suppress(FFmpegError):  # it was lost, or silent for too long
            yield from _decoded(container)
    raise _broken_off(source)


def _decoded(container: InputContainer) -> Iterator[Picture | Trouble]:
    """The newest picture, again and again.

    What FFmpeg puts in place of lost data is not to be judged, nor is any picture that builds on it: all up to the next key frame.
    It ends when what arrives makes no picture for `KEY_FRAME_WITHIN`.
    """
    container.streams.video[0].codec_context.thread_count = 1  # with more, pictures that lack a part are not marked
    due, damaged = 0.0, False
    decoded = said = time.monotonic()
    for packet in container.demux(video=0):
        try:
            frames = packet.decode()
        except InvalidDataError:
            frames, damaged = [], True
        for frame in frames:
            damaged = frame.is_corrupt or (damaged and not frame.key_frame)
            if time.monotonic() >= due:
                due = time.monotonic() + 1 / MOST_RATE
                yield Trouble.TORN if damaged else np.asarray(frame.to_ndarray(format="bgr24"), np.uint8)
        now = time.monotonic()
        if frames:
            decoded = now
        elif now - decoded > KEY_FRAME_WITHIN:
            return
        elif now - max(decoded, said) > SOON:
            said = now
            yield Trouble.TORN


def _no_video(source: str) -> SourceError:
    return SourceError("{source} sends no video: check the address and that the camera is on", source=shown_name(source))


def _unanswered(source: str) -> SourceError:
    return SourceError("{source} does not answer: check the address and that the camera is on", source=shown_name(source))


def _broken_off(source: str) -> SourceError:
    return SourceError("{source} has broken off: check that the camera is on", source=shown_name(source))


def _refused(source: str, status: int) -> SourceError:
    """What a server's refusal means."""
    name, parts = shown_name(source), urlsplit(source)
    if status not in (401, 403):
        return SourceError("{source} answers {status}: check the address", source=name, status=status)
    if parts.username:
        return SourceError("{source} does not let this name and password in: check them, and the address", source=name)
    return SourceError("{source} asks for a password: write {scheme}://name:password@ before the host", source=name, scheme=parts.scheme)


def _http(source: str) -> Generator[Picture | Trouble, None, None]:
    """Motion JPEG over HTTP, as phones' camera apps send it; any other video is left to FFmpeg.

    What parts the pictures is not looked at: every app writes it in its own way.
    """
    name = shown_name(source)
    session = requests.Session()
    session.trust_env = False  # a camera in the house is not behind a proxy
    session.headers["Accept-Encoding"] = "identity"
    for scheme in ("http://", "https://"):
        session.mount(scheme, _PromptAdapter())
    with session:
        try:
            response = session.get(source, auth=_password(source), stream=True, timeout=PATIENCE)
            if response.status_code == 401 and "digest" in response.headers.get("WWW-Authenticate", "").lower():
                response.close()
                response = _with_digest(session, source)
        except requests.exceptions.SSLError:
            raise SourceError("{source} has a certificate that nobody vouches for: give its http:// address", source=name) from None
        except (requests.ConnectionError, requests.Timeout):
            raise _unanswered(source) from None
        except requests.TooManyRedirects:
            raise SourceError("{source} leads round in circles: give the address of the video itself", source=name) from None
        except (KeyError, TypeError):  # what the server says of passwords lacks a part that requests takes for granted
            raise _refused(source, 401) from None
        except (requests.RequestException, ValueError):
            raise SourceError("{source} leads to no address of a stream: give the address of the video itself", source=name) from None
        with response:
            if not response.ok:
                raise _refused(source, response.status_code)
            form = response.headers.get("Content-Type", "").lower()
            if form.startswith("text/"):
                raise SourceError("{source} is a web page: give the address of the video itself, often with /video at its end", source=name)
            if not form.startswith(("video/", "application/")):
                yield from _jpegs(response, source)
                return
    yield from _ffmpeg(source)


def _password(source: str) -> HTTPBasicAuth | None:
    """The name and password of an address in UTF-8 (RFC 7617); requests by itself knows only Latin letters of the west."""
    parts = urlsplit(source)
    return None if parts.username is None else HTTPBasicAuth(unquote(parts.username).encode(), unquote(parts.password or "").encode())


def _with_digest(session: requests.Session, source: str) -> requests.Response:
    """Asks again, with the address's name and password as most cameras want them (RFC 7616); requests sends them as they are."""
    parts = urlsplit(source)
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    password = HTTPDigestAuth(unquote(parts.username or ""), unquote(parts.password or ""))
    return session.get(bare, auth=password, stream=True, timeout=PATIENCE)


class _Prompt(HTTPConnection):
    """A connection that is hung up unless the whole head of the answer is there after `PATIENCE`.

    The time limit of requests is one for each read: a head that drips in would be awaited for hours.
    """

    def getresponse(self) -> HTTPResponse:  # type: ignore[override]  # as in urllib3 itself
        hang_up = threading.Timer(PATIENCE, self.sock.shutdown, [socket.SHUT_RDWR])
        hang_up.start()
        try:
            return super().getresponse()
        finally:
            hang_up.cancel()


class _PromptTLS(_Prompt, HTTPSConnection):
    """The same, encrypted."""


class _PromptAdapter(HTTPAdapter):
    """Lets requests connect so."""

    def get_connection_with_tls_context(self, *arguments: Any, **options: Any) -> Any:
        pool: Any = super().get_connection_with_tls_context(*arguments, **options)
        pool.ConnectionCls = _PromptTLS if pool.scheme == "https" else _Prompt
        return pool


def _jpegs(response: requests.Response, source: str) -> Iterator[Picture | Trouble]:
    """The newest whole JPEG of what has arrived, again and again."""
    scanner = JpegScanner()
    newest: bytes | None = None
    due, last_picture = 0.0, time.monotonic()
    while time.monotonic() - last_picture < PATIENCE:
        try:
            data = response.raw.read1(CHUNK)
        except Exception:  # urllib3 raises its own, http.client's and the system's errors here
            data = b""
        if not data:
            raise _broken_off(source)
        found = scanner.feed(data)
        newest = found[-1] if found else newest
        if newest is None or time.monotonic() < due:
            continue
        try:
            yield decode_jpeg(newest)
        except ValueError:
            yield Trouble.TORN
        else:
            last_picture = time.monotonic()
        newest, due = None, time.monotonic() + 1 / MOST_RATE
    raise SourceError(
        "{source} sends no pictures: give the address of the video itself, often with /video at its end", source=shown_name(source)
    )


class JpegScanner:
    """Finds whole JPEGs in a stream of bytes; what is not in one, or breaks off before the next begins, is dropped.

    >>> JpegScanner().feed(b"--part")
    []
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._searched = 0  # up to here the picture that the buffer begins with has no end

    def feed(self, data: bytes) -> list[bytes]:
        """The JPEGs that `data`, coming after all before, bring to their end."""
        buffer = self._buffer
        buffer += data
        whole = []
        while (start := buffer.find(b"\xff\xd8\xff")) >= 0:
            self._drop(start)
            try:
                scan = jpeg_scan(buffer)
            except ValueError:
                self._drop(2)
                continue
            if scan is None:
                break
            mark = BEGIN_OR_END.search(buffer, max(scan, self._searched))
            if mark is None:
                self._searched = len(buffer) - 1
                break
            if mark[0] == b"\xff\xd9":
                whole.append(bytes(buffer[: mark.end()]))
                self._drop(mark.end())
            else:
                self._drop(mark.start())
        else:
            self._drop(max(0, len(buffer) - 2))
        if len(buffer) > MOST_BYTES:
            self._drop(len(buffer))
        return whole

    def _drop(self, count: int) -> None:
        """Forgets the first bytes, and with them how far was searched."""
        if count:
            del self._buffer[:count]
            self._searched = 0
