"""What a camera, a stream, a video file or a folder of frames shows: a reading whenever it has changed and settled."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

from vision.camera import Frame, is_live, recorded
from vision.desk import Desk
from vision.hub import Hub
from vision.profile import Profile
from vision.reader import TileReader
from vision.reading import Reading
from vision.settle import Settled, Settler, content_of
from vision.trouble import Trouble

PATIENCE = 0.5
"""Seconds after which the user is told why nothing comes."""


def watch(
    source: str, reader: TileReader, tell: Callable[[Trouble], None], over: threading.Event, profile: Profile | None = None
) -> Iterator[tuple[Frame, Reading]]:
    """Each new settled reading and the frame at which it had settled.

    Of a file or folder every frame is read, so that the same one always gives the same; of what is live the newest.
    It ends with the file or folder, or when it is `over`; a live source is lost and found again until then.

    Args:
        source: a camera's number, a video file, an `rtsp://` or `http://` stream, or a folder of frames.
        reader: reads the frames; nobody else may use it at the same time.
        tell: is called with what keeps a live source from sending pictures, once each time it begins.
        over: ends the watching when it is set. (An exception thrown into a thread that waits for others may leave a lock behind.)
        profile: of the set in the pictures, if it was taught.

    Raises:
        SourceError: when the source is none, or does not answer at first.
    """
    last: object = None
    settled_frames = _live(source, reader, tell, over, profile) if is_live(source) else _recorded(source, reader, profile)
    for frame, settled in settled_frames:
        if over.is_set():
            return
        if settled.reading is not None and content_of(settled.reading) != last:
            last = content_of(settled.reading)
            yield frame, settled.reading


def _recorded(source: str, reader: TileReader, profile: Profile | None) -> Iterator[tuple[Frame, Settled]]:
    settler = Settler()
    for frame in recorded(source):
        yield frame, settler.add(reader.look(frame.picture, profile), frame.time)


def _live(
    source: str, reader: TileReader, tell: Callable[[Trouble], None], over: threading.Event, profile: Profile | None
) -> Iterator[tuple[Frame, Settled]]:
    desk = Desk(reader)
    hub = Hub(desk)
    try:
        with hub.view(source) as view:
            view.use(profile)
            number, told = -1, None
            while not over.is_set():
                read = view.read(number, PATIENCE)
                error, trouble = view.error, view.trouble  # asked for once: another thread changes them
                if read is not None:
                    number, told = read.frame.number, None
                    yield read.frame, read.settled
                elif number < 0 and error is not None:
                    raise error
                elif trouble is not None and trouble is not told:
                    told = trouble
                    tell(trouble)
    finally:
        hub.close()
        desk.close()
