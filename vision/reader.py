"""TileReader: the whole way from a picture to a reading in one call."""

from __future__ import annotations

import time
from dataclasses import astuple, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.classify import Classified, Classifier
from vision.decode import certainty, face_chances
from vision.locate import OTHER_SQUARES, Boxes, Locator, beyond_edge, corner_square, halves_of, shares_left, without_doubles
from vision.profile import Profile
from vision.reading import Reading
from vision.shown import Part, part_to_look_at
from vision.sight import Sight, tell
from vision.straighten import Picture, Pyramid
from vision.weights import MODELS

MOST_TILES = 120
"""More outlines than this are no table of one set: the least certain are dropped."""
READ, CLEARLY_READ = 0.75, 0.9
"""What is no face with a chance of the first is looked at again, and what is then one with the second is taken."""
LOOKS_AGREE, AGREED = 2, 0.8
"""A false joker is looked at again, too, as any picture may be on one, and a wrong outline makes one of any tile; in so many looks
the same number with the second chance shows that it is none. Of 11,485 tiles in photos to learn from, altered, 12 more are right for
that, and 4 fewer sure and wrong; of 261 false jokers there and in the scenes for tuning none is taken for a number."""
WORTH_A_LOOK = 0.3
"""The locator's score from which on a box is looked at again."""
MOST_AGAIN = 12
"""Of more places only those are looked at again where the locator is surest: a blurred frame is not worth the time."""
TRUST = 0.8
"""How much the second look counts beside the first: of four tiles that it takes for another, three are what it says."""
SUREST_COUNTS = 6
"""Of several readings of a tile that the picture's edge cuts each counts by its chance to this power: they are weighed, as
the surest by itself is too often wrong."""
LEAST_LEFT, TELLS = 0.5, 0.45
"""Of a tile of which the picture's edge leaves a smaller share than the first, what is read with less than the second tells
nothing: of 59 such scraps in scenes for tuning and in cut photos to learn from 49 were so small that nobody labelled them,
and none of the others was read rightly."""
LARGE, SLENDER = 1.5, 0.55
"""An outline of more than the first times the usual area may hold two tiles, but none whose sides are to each other as less
than the second: that is one digit of two."""
LIGHT_STEP = 8
"""Brightness and colour of a picture are told by one pixel of so many, across and down."""
BRIGHT, TOO_DARK, AS_BRIGHT_AS, DARKEST = 0.995, 96, 160, 8
"""A picture in which this share of all pixels is darker than TOO_DARK, of 255, is brightened until they reach AS_BRIGHT_AS: the
networks have learnt from dim pictures, not from those of a tenth of the light. What is darker than DARKEST is noise."""
PART_EDGE = 1.5
"""Of a part of a picture, outlines that come as near to its edge, in pixels, are cut by it."""
MOST_TINGE = 2
"""Channels that nowhere differ by more, of 255, are those of a picture in shades of grey: every sensor's noise has more colour."""


def brightened(picture: Picture) -> Picture:
    """The picture, uint8 BGR (height, width, 3), or, where it is too dark to be read, what a longer exposure would have made of it."""
    brightest = float(np.quantile(picture[::LIGHT_STEP, ::LIGHT_STEP].max(2), BRIGHT))
    if brightest >= TOO_DARK:
        return picture
    return np.asarray(cv2.convertScaleAbs(picture, alpha=AS_BRIGHT_AS / max(brightest, DARKEST)), np.uint8)


def is_colourless(picture: Picture) -> bool:
    """Whether a picture, uint8 BGR (height, width, 3), is in shades of grey, as a camera for the night or an old scanner gives it."""
    seen = picture[::LIGHT_STEP, ::LIGHT_STEP]
    return bool((seen.max(2) - seen.min(2)).max(initial=0) <= MOST_TINGE)


class TileReader:
    """Reads tiles from pictures; made once, used often. Not safe to share between threads that read at once.

    Attributes:
        classifier: to which the profile of a taught set is fitted.

    >>> str(TileReader().read(np.zeros((480, 640, 3), np.uint8)).warnings[0])
    'no tiles were found: take the photo from closer, with the whole rack in the picture'
    """

    def __init__(self, folder: Path = MODELS) -> None:
        """Loads the weights from `folder`. Raises WeightsError when they are missing or damaged."""
        self._locator = Locator(folder)
        self.classifier = Classifier(folder)

    def read(self, picture: Picture, photo: str = "", profile: Profile | None = None) -> Reading:
        """Everything that can be read from a picture.

        Args:
            picture: uint8 BGR (height, width, 3), upright.
            photo: the picture's name, to stand in the reading.
            profile: of the set in the picture, if it was taught.
        """
        return tell(self.look(picture, profile), photo).reading

    def look(self, picture: Picture, profile: Profile | None = None) -> Sight:
        """What is seen in a picture, undecided: `vision.settle` sums it over the frames of a video.

        Args:
            picture: uint8 BGR (height, width, 3), upright.
            profile: of the set in the picture, if it was taught.
        """
        begun = time.perf_counter()
        light = float(np.mean(picture[::LIGHT_STEP, ::LIGHT_STEP])) / 255
        pyramid = Pyramid(brightened(picture))
        boxes, scores = (found[:MOST_TILES] for found in self._locator.find_boxes(pyramid))
        corners = self._locator.find_corners(pyramid, boxes)
        located = time.perf_counter()
        seen = self.classifier.classify(pyramid, corners, profile)
        seen = self._look_again(pyramid, boxes, scores, seen, profile)
        seen = self._complete(pyramid, seen, profile)
        seen, scores = self._part_pairs(pyramid, seen, scores, profile)
        in_colour = not is_colourless(picture)
        if not in_colour:
            seen = replace(seen, colour=np.full_like(seen.colour, 1 / seen.colour.shape[1]))
        sure = certainty(seen.number, seen.colour, scores)
        kept = without_doubles(seen.corners, sure)
        size = (picture.shape[1], picture.shape[0])
        kept = kept[(shares_left(seen.corners[kept], size) >= LEAST_LEFT) | (sure[kept] >= TELLS)]
        ms = {"detect": 1000 * (located - begun), "classify": 1000 * (time.perf_counter() - located)}
        return Sight(size, seen.corners[kept], seen.number[kept], seen.colour[kept], seen.ink[kept], scores[kept], light, ms, in_colour)

    def _complete(self, pyramid: Pyramid, seen: Classified, profile: Profile | None) -> Classified:
        """`seen`, tiles that the picture's edge cuts weighed against what they would be if they went on beyond it."""
        height, width = pyramid.level(0).shape[:2]
        outlines = [beyond_edge(quad, (width, height)) for quad in seen.corners]
        place = np.repeat(np.arange(len(outlines)), [len(each) for each in outlines])
        if not len(place):
            return seen
        beyond = astuple(self.classifier.classify(pyramid, np.concatenate(outlines), profile))
        parts = [part.copy() for part in astuple(seen)]
        for i in np.unique(place):
            looks = (np.concatenate([old[i : i + 1], new[place == i]]) for old, new in zip(parts, beyond, strict=True))
            corners, number, colour, ink = looks
            sure = np.maximum(face_chances(number, colour)[0].max(1), 1e-6)
            weight = sure**SUREST_COUNTS / (sure**SUREST_COUNTS).sum()
            surest = int(sure.argmax())
            for part, whole in zip(parts, (corners[surest], weight @ number, weight @ colour, ink[surest]), strict=True):
                part[i] = whole
        return Classified(*parts)

    def _look_again(
        self, pyramid: Pyramid, boxes: Boxes, scores: NDArray[np.float32], seen: Classified, profile: Profile | None
    ) -> Classified:
        """`seen`, what could not be read given a second chance: its corners are looked for in other squares around its box.

        So are those of what was read as a false joker, which may be a number that was not seen as a whole.

        Args:
            boxes, scores: where the tiles of `seen` were found (N, 4), and how surely (N,).
        """
        faces, face_down, _ = face_chances(seen.number, seen.colour)
        unread = (faces.max(1) < READ) & (face_down < READ)
        false_joker = faces[:, -1] >= READ
        doubted = np.flatnonzero((unread | false_joker) & (scores >= WORTH_A_LOOK))[:MOST_AGAIN]
        if not len(doubted):
            return seen
        each = len(OTHER_SQUARES)
        squares = [corner_square(boxes[i], reach, turn) for i in doubted for reach, turn in OTHER_SQUARES]
        corners = self._locator.find_corners(pyramid, boxes[doubted].repeat(each, 0), squares=squares)
        again = self.classifier.classify(pyramid, corners, profile)
        looks = face_chances(again.number, again.colour)[0].reshape(len(doubted), each, -1)
        looks[false_joker[doubted], :, -1] = 0
        chances = looks.max(2)
        agreed = np.sort(again.number[:, :13].reshape(len(doubted), each, -1), axis=1)[:, -LOOKS_AGREE].max(1)
        clear = np.where(false_joker[doubted], agreed > AGREED, chances.max(1) > CLEARLY_READ)
        best = chances.argmax(1) + each * np.arange(len(doubted))
        those, by = doubted[clear], best[clear]
        corners, number, colour, ink = (part.copy() for part in (seen.corners, seen.number, seen.colour, seen.ink))
        corners[those], ink[those] = again.corners[by], again.ink[by]
        number[those] += TRUST * (again.number[by] - number[those])
        colour[those] += TRUST * (again.colour[by] - colour[those])
        return Classified(corners, number, colour, ink)

    def _part_pairs(
        self, pyramid: Pyramid, seen: Classified, scores: NDArray[np.float32], profile: Profile | None
    ) -> tuple[Classified, NDArray[np.float32]]:
        """`seen` and its scores, large outlines parted in two where each half is read more surely than the whole.

        Where light is too strong, or too weak, to show the seam between two tiles they are found as one.
        """
        faces, face_down, _ = face_chances(seen.number, seen.colour)
        whole = faces.max(1, initial=0)
        areas = np.array([cv2.contourArea(quad) for quad in seen.corners])
        read = whole >= READ
        if not read.any():
            return seen, scores
        places = np.flatnonzero((face_down < READ) & (areas > LARGE * np.median(areas[read])))[:MOST_AGAIN]
        if not len(places):
            return seen, scores
        halves = np.concatenate([halves_of(quad) for quad in seen.corners[places]])
        corners = self._locator.find_corners(pyramid, np.concatenate([halves.min(1), halves.max(1)], 1))
        parts = self.classifier.classify(pyramid, corners, profile)
        sides = np.linalg.norm(corners - np.roll(corners, -1, 1), axis=2)
        across, along = np.sort(sides[:, :2] + sides[:, 2:], axis=1).T
        chances = np.where(across < SLENDER * along, 0, face_chances(parts.number, parts.colour)[0].max(1))
        by_way = chances.reshape(-1, 2, 2).min(2)
        clearer = by_way.max(1) > np.maximum(whole[places], CLEARLY_READ)
        kept = np.setdiff1d(np.arange(len(areas)), places[clearer])
        first = 4 * np.flatnonzero(clearer) + 2 * by_way.argmax(1)[clearer]
        taken = np.stack([first, first + 1], 1).ravel()
        joined = Classified(
            *(np.concatenate([before[kept], part[taken]]) for before, part in zip(astuple(seen), astuple(parts), strict=True))
        )
        return joined, np.concatenate([scores[kept], scores[places[clearer]].repeat(2)])

    def look_at_table(self, picture: Picture, profile: Profile | None = None) -> Sight:
        """As `look`, and closer where small tiles lie side by side: what a camera above a table sees."""
        sight = self.look(picture, profile)
        part = part_to_look_at(sight)
        return sight if part is None else self.look_closer(picture, sight, part, profile)

    def look_closer(self, picture: Picture, sight: Sight, part: Part, profile: Profile | None = None) -> Sight:
        """A sight of the picture in which one part of it is looked at again by itself: small tiles that touch are told apart.

        Args:
            picture, sight, profile: as `look` took and gave them.
            part: left, top, right and bottom in pixels.
        """
        left, top, right, bottom = part
        near = self.look(np.ascontiguousarray(picture[top:bottom, left:right]), profile)
        whole = ((near.corners > PART_EDGE) & (near.corners < np.array(near.size) - PART_EDGE)).all((1, 2))
        corners = near.corners[whole] + np.array([left, top], np.float32)
        away = np.linalg.norm(sight.corners.mean(1)[:, None] - corners.mean(1)[None], axis=2)
        reach = np.linalg.norm(corners[:, 0] - corners[:, 1], axis=1) / 2
        within = ((sight.corners > [left, top]) & (sight.corners < [right, bottom])).all((1, 2))
        kept = ~within & ~(away < reach).any(1)

        def joined(far: NDArray[np.float32], closer: NDArray[np.float32]) -> NDArray[np.float32]:
            return np.concatenate([far[kept], closer[whole]])

        return replace(
            sight,
            corners=np.concatenate([sight.corners[kept], corners]),
            number=joined(sight.number, near.number),
            colour=joined(sight.colour, near.colour),
            ink=joined(sight.ink, near.ink),
            score=joined(sight.score, near.score),
            ms={stage: took + near.ms[stage] for stage, took in sight.ms.items()},
        )
