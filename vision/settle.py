"""Readings of consecutive frames summed to one that holds.

Tiles are followed by where they lie: the movement between two frames is the similarity on which most tiles agree, in place
and in face. Each tile's chances are averaged over its frames, older ones fading, and all are decoded together again, so
that what is told is what one set can hold. Times are in seconds, lengths in pixels or in tile widths.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.tiles import FACE_DOWN, UNREADABLE, Tile
from vision.decode import face_chances
from vision.layout import frames_of
from vision.outlines import as_complex
from vision.reading import Place, Reading
from vision.sight import Sight, as_outline, tell

HALF_LIFE = 0.5
"""A frame this many seconds old counts half."""
FAINTEST = 1e-6
"""And this little at least when the next comes, however long that takes: nothing at all has no mean."""
HOLD, HOLD_FRAMES = 0.3, 3
"""A reading holds when it has been the same for so many seconds and frames."""
LEAST_PRESENCE = 0.4
"""A tile that was seen in a smaller share of the frames, fading, is not there: a finger in the way for half a second hides
none, and what was taken away is gone after two thirds of a second."""
FORGOTTEN = 0.15
"""Below this share of the frames it is no longer looked for."""
ANOTHER, ANOTHER_FRAMES = 0.25, 3
"""A tile that is unlike what it was for so many seconds and frames in a row is another one, put in its place or on top of it."""
LEAST_FRAMES = 3
"""A tile seen less often is a false alarm."""
RESTLESS_CHANGES, RESTLESS_TIME = 3, 1.0
"""A tile that was told differently so often within so many seconds is `?`."""
PATIENCE, PATIENCE_FRAMES = 1.0, 8
"""If nothing has held for so many seconds and frames though the picture is still, what there is is told, with `?` for every tile that
was told differently meanwhile: better a part of the rack than nothing."""
REACH = 0.5
"""A tile is found again within this distance of where it is looked for, in tile widths."""
LIKENESS = 0.8
"""How much of the agreement between two tiles hangs on their faces; the rest on their place."""
LEAST_ALIKE = 0.3
"""Two tiles of which the faces are less alike (Bhattacharyya) say nothing about the movement between their frames."""
MOST_TURN, MOST_ZOOM = np.radians(30), 1.4
"""Between two frames the picture turns and grows by no more than this."""
FEWEST_FITTED = 3
"""With fewer tiles than this a movement is a similarity, with more an affine map fitted to all."""
EVIDENCE = (16, 4, 3, 1, 1)
"""What is summed of a tile: chances of number and colour, the ink, the locator's score, and the number of frames."""
MOST_MOVEMENTS = 64
"""So many movements, of the most alike pairs, are tried."""
LEAST_AGREEMENT, LOST = 0.35, 0.3
"""If a smaller share of the tiles agrees on a movement for so many seconds, it is another rack: all starts anew."""
MOVING, CALM = 1.0, 0.2
"""The picture moves when its speed, averaged over about so many seconds, is above this, in tile widths a second. A trembling
hand goes to and fro, which averages out."""
LEAST_GAIN = 0.2
"""Outlines are averaged over about 1 / this frames."""
LEAST_WIDTH = 20.0
"""Tiles fewer pixels wide are read badly."""
LEAST_LIGHT = 0.1
"""Mean brightness, 0 to 1, below which a picture is too dark."""
EDGE = 2.0
"""A tile of the rack this near to the picture's edge, in pixels, is cut off."""
HIDDEN_FOR = 0.25
"""A tile not seen for so many seconds is hidden, or gone."""

Vectors = NDArray[np.float64]


class State(Enum):
    """How far a video is from a reading that holds."""

    EMPTY = "empty"
    MOVING = "moving"
    SETTLING = "settling"
    SETTLED = "settled"


class Hint(Enum):
    """What the user can do for a better reading: whole sentences, so that they can be translated as they are."""

    NOTHING = "No tiles are seen: point the camera at the rack."
    LIGHT = "More light: the picture is too dark."
    STILL = "Hold still: the picture moves."
    CLOSER = "Come closer: the tiles are too small to be read well."
    LEFT = "The left end is cut off: show the whole rack."
    RIGHT = "The right end is cut off: show the whole rack."
    TOP = "The upper edge is cut off: show the whole rack."
    BOTTOM = "The lower edge is cut off: show the whole rack."
    HIDDEN = "Something is in front of the tiles."


@dataclass(frozen=True)
class Settled:
    """What is known after a frame.

    Attributes:
        state: whether `reading` can be relied on at this moment.
        reading: the reading that holds, its outlines where the tiles are in this frame; None before there is one and while
            the picture moves. While a changed rack settles it is still the old one, and the state says so.
        now: what the frames so far come to, in this frame's pixels: for drawing outlines while nothing holds yet.
        since: time, as given to `Settler.add`, at which `reading` was first told; None without one.
        hints: what would help, the most important first.
    """

    state: State
    reading: Reading | None
    now: Reading
    since: float | None
    hints: tuple[Hint, ...] = ()


class _Track:
    """One tile followed through the frames.

    Attributes:
        corners: (4, 2) in pixels of the newest frame, averaged; in one order, whichever way up the frames read it.
        ways: (4,) faded counts of the frames in which each corner was the tile's own top left.
        sums: (25,) faded sums of the frames' evidence, see `EVIDENCE`.
        seen, shown: faded counts of the frames in which it was seen, and of all since it was first seen.
        frames: in how many frames it was seen.
        last_seen: when.
        unlike, unlike_since: in how many of the latest frames it was unlike what the sums say, and since when.
        unlike_sums: theirs, which do not count until it is clear whether it is another tile.
        tile: what was told of it last; `changes` are the times of the latest changes of that.
    """

    def __init__(self, corners: Vectors, evidence: Vectors, time: float) -> None:
        """Begins with the frame in which the tile is first seen."""
        self.corners = corners
        self.ways = np.array([1.0, 0, 0, 0])
        self.sums = evidence.copy()
        self.seen = self.shown = 1.0
        self.frames = 1
        self.last_seen = time
        self.unlike, self.unlike_since, self.unlike_sums = 0, time, np.zeros_like(evidence)
        self.tile: Tile | None = None
        self.changes = [-np.inf] * RESTLESS_CHANGES

    def fade(self, by: float) -> None:
        """Makes all that was seen count less, by this factor."""
        self.ways *= by
        self.sums *= by
        self.unlike_sums *= by
        self.seen *= by
        self.shown *= by

    def add(self, corners: Vectors, way: int, evidence: Vectors, alike: float, time: float) -> None:
        """One more frame; `corners` in this track's order, `way` the one that is the tile's own top left there.

        `alike` is how like the faces are (Bhattacharyya), the one in this frame and what was seen so far.
        """
        self.ways[way] += 1
        self.seen += 1
        self.frames += 1
        self.last_seen = time
        self._weigh(evidence, alike, time)
        self.corners = self.corners + max(1 / self.seen, LEAST_GAIN) * (corners - self.corners)

    def _weigh(self, evidence: Vectors, alike: float, time: float) -> None:
        """Adds the evidence of a frame, at once or when it is clear which tile it is of."""
        if alike >= LEAST_ALIKE:
            self.sums += evidence + self.unlike_sums
            self.unlike, self.unlike_sums = 0, np.zeros_like(evidence)
            return
        if not self.unlike:
            self.unlike_since = time
        self.unlike += 1
        self.unlike_sums += evidence
        if self.unlike >= ANOTHER_FRAMES and time - self.unlike_since >= ANOTHER:
            self.sums, self.unlike, self.unlike_sums = self.unlike_sums, 0, np.zeros_like(evidence)

    @property
    def mean(self) -> Vectors:
        """What its frames come to (24,): see `EVIDENCE`, without their number."""
        return self.sums[:-1] / self.sums[-1]

    @property
    def upright(self) -> Vectors:
        """The outline (4, 2), clockwise from the tile's own top left."""
        return np.roll(self.corners, -int(self.ways.argmax()), 0)

    @property
    def certain(self) -> bool:
        """Whether there is something, and not a false alarm or what is gone."""
        return self.frames >= LEAST_FRAMES and self.seen >= LEAST_PRESENCE * self.shown

    def tells(self, tile: Tile, time: float) -> Tile:
        """What may be told of it when this frame says `tile`: `?` while it goes to and fro."""
        if self.tile is not None and tile != self.tile:
            self.changes = [*self.changes[1:], time]
        self.tile = tile
        return UNREADABLE if time - self.changes[0] < RESTLESS_TIME else tile


class Settler:
    """Sums the sights of one video. Its memory does not grow with the video's length. One thread at a time.

    >>> nothing = (np.zeros((0, *shape)) for shape in ((4, 2), (16,), (4,), (3,), ()))
    >>> dark = Sight((640, 480), *nothing, light=0.0)
    >>> [hint.name for hint in Settler().add(dark, time=0.0).hints]
    ['LIGHT', 'NOTHING']
    """

    def __init__(self) -> None:
        self._time = -np.inf
        self._size = (0, 0)
        self._mirrored = False
        self._told: Settled
        self._start_anew(self._time)

    def _start_anew(self, time: float) -> None:
        """Forgets everything: what comes now is another rack."""
        self._tracks: list[_Track] = []
        self._velocity = np.zeros(2)
        self._agreed = time
        self._content: tuple[object, ...] | None = None
        self._same_since, self._same_frames = time, 0
        self._reading: Reading | None = None
        self._since: float | None = None
        self._settled_at, self._waited = time, 0

    def add(self, sight: Sight, time: float) -> Settled:
        """What is known with one more frame.

        Args:
            sight: what `TileReader.look` saw in the frame. Another frame size starts anew, and so do frames in mirror writing after
                others; at first these are passed over, as it is not told in every frame.
            time: when the frame was taken, in seconds from anywhere; never less than in the call before.

        Raises:
            ValueError: when time runs backwards.
        """
        if time < self._time:
            raise ValueError(f"time must not run backwards, but got {time} after {self._time}")
        if (sight.size, sight.mirrored) != (self._size, self._mirrored):
            if sight.size == self._size and time - self._time <= LOST:
                return self._told
            self._size, self._mirrored = sight.size, sight.mirrored
            self._start_anew(time)
        passed = time - self._time
        self._time = time
        for track in self._tracks:
            track.fade(max(0.5 ** (passed / HALF_LIFE), FAINTEST))
        self._follow(sight, time, passed)
        now, tracks = self._tell(sight, time)
        self._told = self._hold(now, tracks, sight, time)
        return self._told

    def _follow(self, sight: Sight, time: float, passed: float) -> None:
        """Finds every track in the new frame and adds what is seen there."""
        corners = np.asarray(sight.corners, np.float64)
        movement: Vectors | None = np.eye(2, 3)
        alike = np.zeros((len(self._tracks), len(sight)))
        if self._tracks and len(sight):
            number, colour, *_ = _parts(np.array([track.mean for track in self._tracks]))
            alike = _faces(number, colour) @ _faces(sight.number, sight.colour).T
            movement = _movement(self._corners(), corners, alike)
        if movement is None and time - self._agreed > LOST:
            self._start_anew(time)
            movement = np.eye(2, 3)
        for track in self._tracks:
            track.shown += 1
        if movement is None:
            return
        self._agreed = time
        self._move(movement, passed)
        evidence = np.column_stack([sight.number, sight.colour, sight.ink, sight.score, np.ones(len(sight))]).astype(np.float64)
        pairs = dict(_pairs(self._corners(), corners))
        rolls = _turns_between(self._corners(), corners)[0]
        for i, j in pairs.items():
            self._tracks[i].add(np.roll(corners[j], -rolls[i, j], 0), -int(rolls[i, j]) % 4, evidence[j], alike[i, j], time)
        for j in sorted(set(range(len(corners))) - set(pairs.values())):
            self._tracks.append(_Track(corners[j], evidence[j], time))
        self._tracks = [
            track for track in self._tracks if track.seen >= FORGOTTEN * track.shown and _middle_in(track.corners, sight.size)
        ]  # fmt: skip

    def _corners(self) -> Vectors:
        """Outlines (N, 4, 2) of all tracks."""
        return np.array([track.corners for track in self._tracks]).reshape(-1, 4, 2)

    def _move(self, movement: Vectors, passed: float) -> None:
        """Brings all that is known to where it is in the new frame, and measures the picture's speed."""
        if self._tracks:
            before = self._corners()
            for track in self._tracks:
                track.corners = _moved(track.corners, movement)
            shift = (self._corners() - before).mean((0, 1)) / np.median(frames_of(before).width)
            share = 0.5 ** (passed / CALM)
            self._velocity = share * self._velocity + (1 - share) * shift / max(passed, 1e-3)
        if self._reading is not None:
            tiles = (replace(seen, outline=as_outline(_moved(np.array(seen.outline), movement))) for seen in self._reading.tiles)
            self._reading = replace(self._reading, tiles=tuple(tiles))

    def _tell(self, sight: Sight, time: float) -> tuple[Reading, list[_Track]]:
        """What the frames so far come to, and the track of each of its tiles."""
        tracks = [track for track in self._tracks if track.certain]
        means = np.array([track.mean for track in tracks], np.float32).reshape(-1, sum(EVIDENCE[:-1]))
        number, colour, ink, score = _parts(means)
        corners = np.array([track.upright for track in tracks], np.float32).reshape(-1, 4, 2)
        told = tell(replace(sight, corners=corners, number=number, colour=colour, ink=ink, score=score[:, 0]))
        tracks = [tracks[i] for i in told.index]
        tiles = (replace(seen, tile=track.tells(seen.tile, time)) for seen, track in zip(told.reading.tiles, tracks, strict=True))
        return replace(told.reading, tiles=tuple(tiles)), tracks

    def _hold(self, now: Reading, tracks: list[_Track], sight: Sight, time: float) -> Settled:
        """Decides whether what is told now holds; `tracks` are those of its tiles."""
        moving = bool(np.linalg.norm(self._velocity) > MOVING) or self._agreed < time
        content = content_of(now)
        if content != self._content or moving:
            self._content, self._same_since, self._same_frames = content, time, 0
        self._same_frames += 1
        self._waited += 1
        if moving or not now.tiles:
            self._settled_at, self._waited = time, 0
        holds = time - self._same_since >= HOLD and self._same_frames >= HOLD_FRAMES
        if moving or (holds and not now.tiles):
            self._reading, self._since = None, None
        elif self._reading is not None and content == content_of(self._reading):
            self._reading = now
        elif holds:
            self._reading, self._since = now, time
        elif time - self._settled_at >= PATIENCE and self._waited >= PATIENCE_FRAMES:
            tiles = (
                seen if time - track.changes[-1] >= PATIENCE else replace(seen, tile=UNREADABLE)
                for seen, track in zip(now.tiles, tracks, strict=True)
            )
            self._reading, self._since = replace(now, tiles=tuple(tiles)), time
            self._settled_at, self._waited = time, 0
        if moving:
            state = State.MOVING
        elif self._reading is now:
            state = State.SETTLED
            self._settled_at, self._waited = time, 0
        else:
            state = State.SETTLING if self._tracks else State.EMPTY
        return Settled(state, self._reading, now, self._since, self._hints(state, now, sight, time))

    def _hints(self, state: State, now: Reading, sight: Sight, time: float) -> tuple[Hint, ...]:
        """What would help, the most important first."""
        outlines = np.array([seen.outline for seen in now.tiles]).reshape(-1, 4, 2)
        rack = outlines[[seen.place is Place.RACK for seen in now.tiles]]
        (left, top), (right, bottom) = (rack.min((0, 1)), rack.max((0, 1))) if len(rack) else np.array([[np.inf] * 2, [-np.inf] * 2])
        width, height = sight.size
        helps = {
            Hint.LIGHT: sight.light < LEAST_LIGHT,
            Hint.NOTHING: state is State.EMPTY,
            Hint.STILL: state is State.MOVING,
            Hint.CLOSER: len(outlines) > 0 and float(np.median(frames_of(outlines).width)) < LEAST_WIDTH,
            Hint.LEFT: left <= EDGE,
            Hint.RIGHT: right >= width - EDGE,
            Hint.TOP: top <= EDGE,
            Hint.BOTTOM: bottom >= height - EDGE,
            Hint.HIDDEN: any(track.certain and time - track.last_seen > HIDDEN_FOR for track in self._tracks),
        }
        return tuple(hint for hint, does in helps.items() if does)


def content_of(reading: Reading) -> tuple[object, ...]:
    """What must stay the same for a reading to be the same: the rack as it lies, the indicator, the faces beside them in any order.

    Of tiles that lie face down off the rack nothing is told, and those on a stack are now seen, now not.
    """
    loose = sorted(str(seen.tile) for seen in reading.tiles if seen.place is Place.TABLE and seen.tile != FACE_DOWN)
    return bool(reading.tiles), reading.rack, reading.indicator, tuple(loose)


def _parts(means: NDArray[Any]) -> list[NDArray[Any]]:
    """Chances of number (N, 16) and of colour (N, 4), inks (N, 3) and scores (N, 1) out of means (N, 24), see `EVIDENCE`."""
    return np.split(means, np.cumsum(EVIDENCE)[:-2], axis=1)


def _moved(points: Vectors, movement: Vectors) -> Vectors:
    """Points (..., 2) after a movement (2, 3)."""
    return points @ movement[:, :2].T + movement[:, 2]


def _middle_in(corners: Vectors, size: tuple[int, int]) -> bool:
    """Whether the middle of an outline (4, 2) is in the picture."""
    middle = corners.mean(0)
    return bool((middle >= 0).all() and (middle <= size).all())


def _turns_between(old: Vectors, new: Vectors) -> tuple[NDArray[np.int64], NDArray[np.complex128]]:
    """By how many corners each new outline (M, 4, 2) must be rolled to fit each old one (N, 4, 2), and the turn and zoom left.

    Returns two arrays (N, M): corner k of the old outline is corner k + roll of the new one; the turn is a complex factor.
    """
    flat, other = as_complex(old), as_complex(new)
    flat, other = flat - flat.mean(1, keepdims=True), other - other.mean(1, keepdims=True)
    fits = np.stack([flat.conj() @ np.roll(other, -roll, 1).T for roll in range(4)])
    rolls = fits.real.argmax(0)
    return rolls, np.take_along_axis(fits, rolls[None], 0)[0] / (np.abs(flat) ** 2).sum(1)[:, None]


def _pairs(old: Vectors, new: Vectors) -> list[tuple[int, int]]:
    """Old and new outlines (N, 4, 2), (M, 4, 2) that are each other's nearest and within reach."""
    if not len(old) or not len(new):
        return []
    away = np.linalg.norm(old.mean(1)[:, None] - new.mean(1)[None], axis=2) / frames_of(old).width[:, None]
    nearest = away.argmin(1)
    return [(i, int(j)) for i, j in enumerate(nearest) if away[i, j] < REACH and away[:, j].argmin() == i]


def _faces(number: NDArray[Any], colour: NDArray[Any]) -> Vectors:
    """Square roots (N, 54) of the chances of each face and of lying face down, as Bhattacharyya's coefficient multiplies them."""
    faces, down, _ = face_chances(np.asarray(number, np.float32), np.asarray(colour, np.float32))
    chances = np.hstack([faces, down[:, None]]).astype(np.float64)
    return np.sqrt(chances / np.maximum(chances.sum(1, keepdims=True), 1e-6))


def _movement(old: Vectors, new: Vectors, alike: Vectors) -> Vectors | None:
    """How the picture moved between two frames: (2, 3), an affine map of pixels; None if too few tiles agree on any.

    Every pair of tiles with like faces gives a similarity, and so does a camera that did not move; the one is taken on which most
    tiles agree, and fitted to the corners of these. Rows of tiles look alike when moved by one tile: only the faces tell. Where as
    many agree that the camera did not move it did not: of a few tiles that are outlined badly a fit makes a movement of its own.

    Args:
        old, new: outlines (N, 4, 2) and (M, 4, 2).
        alike: how like their faces are (N, M).
    """
    _, turns = _turns_between(old, new)
    possible = (alike > LEAST_ALIKE) & (np.abs(np.angle(turns)) < MOST_TURN) & (np.abs(np.log(np.abs(turns))) < np.log(MOST_ZOOM))
    ranked = np.argsort(np.where(possible, -alike, 1.0), axis=None)[: min(MOST_MOVEMENTS, int(possible.sum()))]
    i, j = np.unravel_index(ranked, alike.shape)
    before, after = as_complex(old).mean(1), as_complex(new).mean(1)
    turn = np.append(turns[i, j], 1)
    shift = np.append(after[j] - turns[i, j] * before[i], 0)

    def agreement(moved: NDArray[np.complex128]) -> Vectors:
        """How far the tiles agree (K,) that they were moved to these middles (K, N)."""
        away = np.abs(moved[:, :, None] - after) / frames_of(old).width[:, None]
        return np.asarray((np.maximum(1 - away / REACH, 0) * (1 - LIKENESS + LIKENESS * alike)).max(2).sum(1) / min(len(old), len(new)))

    agreed = agreement(turn[:, None] * before + shift[:, None])
    best = int(agreed.argmax())
    if agreed[best] < LEAST_AGREEMENT:
        return None
    similarity = np.array([[turn[best].real, -turn[best].imag, shift[best].real], [turn[best].imag, turn[best].real, shift[best].imag]])
    fit = _fitted(old, new, similarity)
    return np.eye(2, 3) if agreed[-1] >= agreement(as_complex(_moved(old, fit)).mean(1)[None])[0] else fit


def _fitted(old: Vectors, new: Vectors, movement: Vectors) -> Vectors:
    """The affine movement (2, 3) that least squares fit to the tiles that `movement` brings together."""
    pairs = _pairs(_moved(old, movement), new)
    if len(pairs) < FEWEST_FITTED:
        return movement
    rolls, _ = _turns_between(old, new)
    source = np.concatenate([old[i] for i, _ in pairs])
    target = np.concatenate([np.roll(new[j], -rolls[i, j], 0) for i, j in pairs])
    fit = np.linalg.lstsq(np.column_stack([source, np.ones(len(source))]), target, rcond=None)[0]
    return np.asarray(fit.T, np.float64)
