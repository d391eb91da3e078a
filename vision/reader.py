"""TileReader: the whole way from a picture to a reading in one call."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.classify import FACE_COLUMNS, FACE_DOWN_COLUMN, NUMBER_COLUMNS, Classifier
from vision.decode import certainty, face_chances
from vision.light import (
    Gains,
    as_read,
    average_light,
    brightened,
    gains_to_white,
    have_dark_faces,
    is_colourless,
    with_light_faces,
)
from vision.locate import Locator, shares_left, without_doubles
from vision.lookalikes import are_lookalikes
from vision.outlines import at_edge
from vision.profile import Profile
from vision.reading import Reading
from vision.second_look import WORTH_A_LOOK, SecondLook, digits_of_others
from vision.shown import Part, part_to_look_at
from vision.sight import Sight, tell
from vision.straighten import Picture, Pyramid, straighten
from vision.veil import Unveiled, without_veil
from vision.weights import MODELS

MOST_TILES = 120
"""More outlines than this are no table of one set: the least certain are dropped."""
LEAST_LEFT, TELLS = 0.5, 0.45
"""Of a tile of which the picture's edge leaves a smaller share than the first, what is read with less than the second tells
nothing: of 59 such scraps in scenes for tuning and in cut photos to learn from 49 were so small that nobody labelled them,
and none of the others was read rightly."""
READ = 0.8
"""Inks of tiles of which a number is read with this chance tell whether there are colours at all."""
CLEAR, DOUBTED = 0.99, 0.95
"""A number read with more than the first chance is clear, with less than the second it is not."""
FEWEST_NUMBERS = 5
"""Of a picture with fewer numbers nobody knows whether it is mirrored."""
FEWEST_CLEARER, OUTNUMBERED = 2, 3
"""A picture is mirrored if at least FEWEST_CLEARER of its numbers are clear once it is turned back and doubted as it is, and these are more
than OUTNUMBERED times as many as those that are doubted turned back and clear as it is. Of 647 pictures, of scenes for tuning and of photos
to learn from, 498 are told so when they are mirrored, and none as they are, nor of 1,529 other scenes."""
LEAST_CLEAR, FEWEST_LIGHTENED = 0.5, 3
"""Dark faces are looked for where fewer than the share LEAST_CLEAR of all faces are clear numbers, or none is, or where most faces are
darker than what is on them. They are found if in the picture made light at least FEWEST_LIGHTENED numbers are clear whose faces were dark,
more than were clear before, and more than there are light faces (on these dark discs may lie): so in 54 of 60 pictures of dark sets, the
others of which show fewer tiles, and in none of 847 others."""
PART_EDGE = 1.5
"""Of a part of a picture, outlines that come as near to its edge, in pixels, are cut by it."""


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

        Raises:
            ValueError: when the picture is another array.
        """
        return tell(self.look(picture, profile), photo).reading

    def look(self, picture: Picture, profile: Profile | None = None) -> Sight:
        """What is seen in a picture, undecided: `vision.settle` sums it over the frames of a video.

        Args:
            picture: uint8 BGR (height, width, 3), upright; some cameras give what is before them mirrored.
            profile: of the set in the picture, if it was taught.

        Raises:
            ValueError: when the picture is another array.
        """
        if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 3 or not picture.size:
            raise ValueError(f"a picture must be uint8 (height, width, 3), but got {picture.dtype} {picture.shape}")
        begun = time.perf_counter()
        light, pyramid = average_light(picture), Pyramid(as_read(picture))
        sight = self._look(pyramid, profile)
        lightened = self._gains_if_dark(picture, pyramid, sight)
        if lightened is not None:
            pyramid = Pyramid(as_read(picture, lightened))
            sight = self._look(pyramid, profile)
        if self._is_mirrored(pyramid, sight):
            sight = self._look_mirrored(pyramid, profile)
        took = 1000 * (time.perf_counter() - begun)
        return replace(sight, light=light, lightened=lightened, ms={**sight.ms, "classify": took - sight.ms["detect"]})

    def _gains_if_dark(self, picture: Picture, pyramid: Pyramid, sight: Sight) -> Gains | None:
        """The gains for `with_light_faces` if the tiles that are seen in a picture have dark faces, else None.

        Args:
            pyramid: of the picture, brightened.
        """
        clear = int(_is_clear(sight).sum())
        are_dark = have_dark_faces(picture, sight.corners[sight.number.argmax(1) < FACE_COLUMNS])
        if clear and clear >= LEAST_CLEAR * len(are_dark) and are_dark.mean() <= 0.5:
            return None
        lighter = self._look(Pyramid(brightened(with_light_faces(picture))), None)
        are_clear = _is_clear(lighter) & have_dark_faces(picture, lighter.corners)
        if are_clear.sum() < max(FEWEST_LIGHTENED, clear + 1, (~are_dark).sum() + 1):
            return None
        return gains_to_white(np.stack([straighten(pyramid, quad) for quad in lighter.corners[are_clear]]))

    def _is_mirrored(self, pyramid: Pyramid, sight: Sight) -> bool:
        """Whether more numbers that are seen in a picture are clear only when it is turned back than only as it is.

        Both are read without second looks, which only what is seen as it is has had, and without what was taught of the set, which
        makes doubtful numbers clear: a taught rack that was seen very obliquely was taken for a mirrored one. A number the wrong way
        round may seem to be the picture on a false joker.
        """
        is_face = sight.number.argmax(1) < FACE_COLUMNS
        doubted = is_face & (sight.number[:, :NUMBER_COLUMNS].max(1) < DOUBTED)
        if is_face.sum() < FEWEST_NUMBERS or doubted.sum() < FEWEST_CLEARER:
            return False
        turned_back = sight.corners[:, [1, 0, 3, 2]]
        # A mirrored picture has a number that is doubted but clear turned back, hardly any other has: most need no look at the rest.
        if self.classifier.classify(pyramid, turned_back[doubted]).number[:, :NUMBER_COLUMNS].max() <= CLEAR:
            return False
        ways = [self.classifier.classify(pyramid, corners).number for corners in (sight.corners, turned_back)]
        are_faces, are_numbers = (np.array([way.argmax(1) < kinds for way in ways]) for kinds in (FACE_COLUMNS, NUMBER_COLUMNS))
        told = is_face & are_faces[1] & are_numbers.any(0) & (sight.score >= WORTH_A_LOOK)
        seen, back = (way[told, :NUMBER_COLUMNS].max(1) for way in ways)
        clearer, less_clear = ((back > CLEAR) & (seen < DOUBTED)).sum(), ((seen > CLEAR) & (back < DOUBTED)).sum()
        return bool(told.sum() >= FEWEST_NUMBERS and clearer >= FEWEST_CLEARER and clearer > OUTNUMBERED * less_clear)

    def _look_mirrored(self, pyramid: Pyramid, profile: Profile | None) -> Sight:
        """As `_look`, at what a mirrored picture is turned back; the outlines are those in the picture as it is."""
        sight = self._look(Pyramid(np.ascontiguousarray(pyramid.level(0)[:, ::-1])), profile)
        corners = sight.corners.copy()
        corners[..., 0] = sight.size[0] - 1 - corners[..., 0]
        return replace(sight, corners=corners, mirrored=True)

    def _look(self, pyramid: Pyramid, profile: Profile | None) -> Sight:
        """What is seen in a picture, brightened, that is not mirrored."""
        begun = time.perf_counter()
        height, width = pyramid.level(0).shape[:2]
        boxes, scores = (found[:MOST_TILES] for found in self._locator.find_boxes(pyramid))
        corners = self._locator.find_corners(pyramid, boxes)
        as_it_is, pyramid = pyramid, without_veil(pyramid, corners)
        located = time.perf_counter()
        seen = self.classifier.classify(pyramid, corners, profile)
        again = SecondLook(self._locator, self.classifier, pyramid, profile)
        seen = again.at_what_is_unread(seen, boxes, scores)
        seen, scores = again.at_pairs(seen, scores)
        seen = again.as_those_beside(seen, scores)
        seen = again.without_top_sides(seen)
        seen = again.cut_otherwise(seen)
        bare = seen.number.argmax(1) == FACE_DOWN_COLUMN
        if pyramid is not as_it_is and bare.any():  # boards of a rack look more like tiles that lie face down without the veil
            seen.number[bare] = self.classifier.classify(as_it_is, seen.corners[bare]).number
        read = face_chances(seen.number, seen.colour)[0][:, :-1].sum(1) > READ
        in_colour = not is_colourless(pyramid, seen.corners[read], seen.ink[read], seen.colour[read])
        if not in_colour:
            seen = replace(seen, colour=np.full_like(seen.colour, 1 / seen.colour.shape[1]))
        sure = certainty(seen.number, seen.colour, scores)
        kept = without_doubles(seen.corners, np.where(digits_of_others(seen, scores), 0, sure))
        kept = kept[(shares_left(seen.corners[kept], (width, height)) >= LEAST_LEFT) | (sure[kept] >= TELLS)]
        faces = kept[seen.number[kept].argmax(1) < FACE_COLUMNS]
        if len(faces):
            kept = np.setdiff1d(kept, faces[are_lookalikes(seen.corners[faces], seen.face[faces], sure[faces], scores[faces])])
        ms = {"detect": 1000 * (located - begun), "classify": 1000 * (time.perf_counter() - located)}
        seen = seen.taken(kept)
        return Sight(
            (width, height),
            seen.corners,
            seen.number,
            seen.colour,
            seen.ink,
            scores[kept],
            ms=ms,
            in_colour=in_colour,
            uneven_veil=pyramid.unevenly if isinstance(pyramid, Unveiled) else 0.0,
        )

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
        if sight.lightened is not None:
            picture = with_light_faces(picture, sight.lightened)
        left, top, right, bottom = part
        look = self._look_mirrored if sight.mirrored else self._look
        near = look(Pyramid(brightened(np.ascontiguousarray(picture[top:bottom, left:right]))), profile)
        corner = np.array([left, top], np.float32)
        whole, within = (~at_edge(seen, near.size, PART_EDGE).any(1) for seen in (near.corners, sight.corners - corner))
        corners = near.corners[whole] + corner
        away = np.linalg.norm(sight.corners.mean(1)[:, None] - corners.mean(1)[None], axis=2)
        reach = np.linalg.norm(corners[:, 0] - corners[:, 1], axis=1) / 2
        kept = ~within & ~(away < reach).any(1)

        def both(far: NDArray[np.float32], closer: NDArray[np.float32]) -> NDArray[np.float32]:
            return np.concatenate([far[kept], closer[whole]])

        return replace(
            sight,
            corners=np.concatenate([sight.corners[kept], corners]),
            number=both(sight.number, near.number),
            colour=both(sight.colour, near.colour),
            ink=both(sight.ink, near.ink),
            score=both(sight.score, near.score),
            ms={stage: took + near.ms[stage] for stage, took in sight.ms.items()},
        )


def _is_clear(sight: Sight) -> NDArray[np.bool_]:
    """Which of N places clearly show a number."""
    return np.asarray((sight.number[:, :NUMBER_COLUMNS].max(1) > CLEAR) & (sight.score >= WORTH_A_LOOK))
