"""What is doubtful is looked at again: tiles that are unread, found as one, outlined too small, on their heads."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.beside import log_areas, outlines_as_beside
from vision.classify import FACE_COLUMNS, NUMBER_COLUMNS, Chances, Classified, Classifier, turns_by_neighbours
from vision.decode import face_chances, log_odds
from vision.locate import EDGE, MOST_COVERED, OTHER_SQUARES, Boxes, Locator, corner_square, halves_of
from vision.outlines import areas, at_edge
from vision.profile import Profile
from vision.straighten import Corners, Pyramid

READ, READ_AGAIN = 0.75, 0.9
"""What is no face with a chance of the first is looked at again, and what is then one with the second is taken."""
CLEARLY_READ = 0.9
"""What is read with this chance is clearly so."""
CLEARLY_A_JOKER, LOOKS_AGREE, AGREED = 0.99, 2, 0.8
"""A false joker with less than the first chance is looked at again, too, as any picture may be on one, and a wrong outline makes one of any
tile; in so many looks the same number with the third chance shows that it is none. Of 1,993 places that seem false jokers in photos to
learn from, in all alterations, and in 1,980 scenes 8 turn out to be numbers, all of them rightly, and none of the 1,816 with the first or
more. What is taken then is the likeliest of all looks. What `vision.decode` asks for before it calls one sure is another bound."""
LOOKS_AGAIN = 2
"""How often corners are then looked for in each square: of 5,324 tiles in scenes for tuning as many are right as with a third look."""
WORTH_A_LOOK = 0.3
"""The locator's score from which on a box is looked at again."""
MOST_AGAIN = 12
"""Of more places only those are looked at again where the locator is surest: a blurred frame is not worth the time."""
TRUST = 0.8
"""How much the second look counts beside the first: of four tiles that it takes for another, three are what it says."""
LARGE, SLENDER = 1.5, 0.55
"""An outline of more than the first times the usual area may hold two tiles, but none whose sides are to each other as less
than the second: that is one digit of two."""
DOUBTED, TELLS_IT = 0.95, 0.97
"""A face read with less than the first that is another number with the second, turned over and without its top side, tells that this
was taken for a part of it. On scenes for tuning and to learn from 49 of 31,341 tiles more are right for that, and 19 sure and wrong
instead of 27; of 11,485 in altered photos to learn from 4 fewer, all in the shade of bars."""
TOP_SIDE = 0.3
"""How much of such an outline's height is the tile's top side: with 0.2 to 0.4 most are read."""
OTHER_SIZE, CERTAIN = 2.0, 1e-7
"""So much, as a logarithm, counts against a tile that its area is E times that of those beside it, or that divided by E; as likely as 1
less the second is the most. Half of a 13 may be as surely a 3."""
SURELY_WHOLE, MOST_OF_IT = 0.6, 0.8
"""What is read as a number of two digits, and scored more than SURELY_WHOLE by the locator, is that; an outline within it that has less
than MOST_OF_IT of its area and is read as one of these digits is no tile. Where it is no such number, in five of 962 pictures for tuning
and to learn from, it scores 0.4 at most."""
SEEMS_UPRIGHT = frozenset({(6, 9), (9, 6), (6, 7), (4, 7), (12, 6)})
"""Numbers, and what their upper part is like upside down: of 30,151 tiles, in 2,080 scenes for tuning and to learn from, 604 that are
read rightly would be so with a chance of 0.9, and at most 7 of any other two numbers.
Were these to tell, 19 of 15,266 more would be wrong."""
OVER = 0.1
"""How likely a tile that tells it stands as it was read, when those beside it are asked."""
LIKELY_OVER = 0.5
"""What is turned over for those beside it has this chance of its number then."""
MAYBE_READ, OTHER_SIZES = 0.1, (0.93, 1.07, 1.12)
"""What is a face with more than the first, but less than READ, is cut so much as large, too: what is taken for one where there is none
is so in one outline more often than in the mean of four. Of 985 scenes for tuning 197 places are told that hold no tile instead of
233, and as many tiles are right but one; in 100 traced ones 1,606 of 1,704 instead of 1,601."""


@dataclass(frozen=True)
class SecondLook:
    """Looks again at what was seen in a picture.

    Attributes:
        locator, classifier: by which it was seen.
        pyramid: the picture.
        profile: of the set in it, if it was taught.
    """

    locator: Locator
    classifier: Classifier
    pyramid: Pyramid
    profile: Profile | None

    def at_what_is_unread(self, seen: Classified, boxes: Boxes, scores: NDArray[np.float32]) -> Classified:
        """`seen`, what could not be read given a second chance: its corners are looked for in other squares around its box.

        So are those of what was read as a false joker, and not surely, which may be a number that was not seen as a whole.

        Args:
            boxes, scores: where the tiles of `seen` were found (N, 4), and how surely (N,).
        """
        faces, face_down, _ = face_chances(seen.number, seen.colour)
        unread = (faces.max(1) < READ) & (face_down < READ)
        false_joker = (faces[:, -1] >= READ) & (faces[:, -1] < CLEARLY_A_JOKER)
        doubted = np.flatnonzero((unread | false_joker) & (scores >= WORTH_A_LOOK))[:MOST_AGAIN]
        if not len(doubted):
            return seen
        each = len(OTHER_SQUARES)
        squares = [corner_square(boxes[i], reach, turn) for i in doubted for reach, turn in OTHER_SQUARES]
        corners = self.locator.find_corners(self.pyramid, boxes[doubted].repeat(each, 0), LOOKS_AGAIN, squares)
        again = self._classify(corners)
        looks = face_chances(again.number, again.colour)[0].reshape(len(doubted), each, -1)
        looks[false_joker[doubted], :, -1] = 0
        chances = looks.max(2)
        agreed = np.sort(again.number[:, :NUMBER_COLUMNS].reshape(len(doubted), each, -1), axis=1)[:, -LOOKS_AGREE].max(1)
        clear = np.where(false_joker[doubted], agreed > AGREED, chances.max(1) > READ_AGAIN)
        best = chances.argmax(1) + each * np.arange(len(doubted))
        return seen.replaced(doubted[clear], again.taken(best[clear]), TRUST)

    def at_pairs(self, seen: Classified, scores: NDArray[np.float32]) -> tuple[Classified, NDArray[np.float32]]:
        """`seen` and its scores, large outlines parted in two where each half is read more surely than the whole.

        Where light is too strong, or too weak, to show the seam between two tiles they are found as one.
        """
        faces, face_down, _ = face_chances(seen.number, seen.colour)
        whole = faces.max(1)
        area = areas(seen.corners)
        read = whole >= READ
        if not read.any():
            return seen, scores
        places = np.flatnonzero((face_down < READ) & (area > LARGE * np.median(area[read])))[:MOST_AGAIN]
        if not len(places):
            return seen, scores
        halves = np.concatenate([halves_of(quad) for quad in seen.corners[places]])
        corners = self.locator.find_corners(self.pyramid, np.concatenate([halves.min(1), halves.max(1)], 1))
        parts = self._classify(corners)
        sides = np.linalg.norm(corners - np.roll(corners, -1, 1), axis=2)
        across, along = np.sort(sides[:, :2] + sides[:, 2:], axis=1).T
        chances = np.where(across < SLENDER * along, 0, face_chances(parts.number, parts.colour)[0].max(1))
        by_way = chances.reshape(-1, 2, 2).min(2)
        clearer = by_way.max(1) > np.maximum(whole[places], CLEARLY_READ)
        kept = np.setdiff1d(np.arange(len(area)), places[clearer])
        first = 4 * np.flatnonzero(clearer) + 2 * by_way.argmax(1)[clearer]
        taken = np.stack([first, first + 1], 1).ravel()
        return seen.taken(kept).with_more(parts.taken(taken)), np.concatenate([scores[kept], scores[places[clearer]].repeat(2)])

    def as_those_beside(self, seen: Classified, scores: NDArray[np.float32]) -> Classified:
        """`seen`, tiles outlined in another shape or size than those beside them read again in outlines that have these.

        What is read in one of them is taken where it is another number, or one at all, which TRUST keeps from being sure. The less a
        tile's area is that of those beside it, the less it counts how surely it is read: so may be a digit of two. Of 14,847 tiles in
        985 scenes for tuning 18 more are right for all that, and five racks of 527.
        """
        height, width = self.pyramid.level(0).shape[:2]
        read = seen.number[:, :FACE_COLUMNS].max(1)
        whole = (read > CLEARLY_READ) & ~at_edge(seen.corners, (width, height), EDGE).any(1)
        places, outlines, usual = outlines_as_beside(seen.corners, whole)
        worth_it = np.flatnonzero(scores[places] >= WORTH_A_LOOK)[:MOST_AGAIN]
        places, outlines, usual = places[worth_it], outlines[worth_it], usual[worth_it]
        if not len(places):
            return seen
        each = outlines.shape[1]
        refined = self.locator.refine(self.pyramid, outlines.reshape(-1, 4, 2))
        again, upright = self.classifier.as_ordered(self.pyramid, refined, self.profile)
        likely = again.number[:, :FACE_COLUMNS].max(1) * upright
        speaks = _speaks(likely, refined, usual.repeat(each)).reshape(-1, each)
        best = speaks.argmax(1) + each * np.arange(len(places))
        other = again.number[best].argmax(1) != seen.number[places].argmax(1)
        clear = other & (likely[best] > TELLS_IT) & (speaks.max(1) > _speaks(read[places], seen.corners[places], usual))
        return seen.replaced(places[clear], again.taken(best[clear]), TRUST)

    def without_top_sides(self, seen: Classified) -> Classified:
        """`seen`, tiles turned over that were read upside down because their top side was taken for a part of their face.

        It lies beside the face of a tile that is seen from above, so that the number is in the lower half of both, where it is on tiles
        that stand on their heads. A tile that is read clearly once it is turned over and that side left out tells it also for those beside
        it, even if they seem, in doubt, to show no face: they are seen from the same side.
        """
        read, first = seen.number[:, :FACE_COLUMNS].max(1), seen.number.argmax(1)
        doubted = np.flatnonzero((first < FACE_COLUMNS) & (read < DOUBTED))[:MOST_AGAIN]
        if not len(doubted):
            return seen
        over, likely = self._look_turned_over(seen.corners[doubted])
        numbers = zip(first[doubted] + 1, over.number.argmax(1) + 1, strict=True)
        other = np.array([was != now and now <= NUMBER_COLUMNS and (was, now) not in SEEMS_UPRIGHT for was, now in numbers])
        tells = doubted[other & (likely >= TELLS_IT)]
        if not len(tells):
            return seen
        over, likely = self._look_turned_over(seen.corners)
        this_way = read / np.maximum(read + likely, 1e-6)
        this_way[tells] = OVER
        may_be_a_face = seen.number[:, FACE_COLUMNS:].max(1) < DOUBTED
        turned = np.flatnonzero(may_be_a_face & (likely >= LIKELY_OVER) & (turns_by_neighbours(seen.corners, this_way) < 0.5))
        return seen.replaced(turned, over.taken(turned), TRUST)

    def cut_otherwise(self, seen: Classified) -> Classified:
        """`seen`, what may be a face, and is not read, cut in other sizes, too, and taken for what it is in the mean."""
        read = seen.number[:, :FACE_COLUMNS].max(1)
        doubted = np.flatnonzero((read > MAYBE_READ) & (read < READ))[:MOST_AGAIN]
        if not len(doubted):
            return seen
        corners = seen.corners[doubted]
        middle = corners.mean(1, keepdims=True)
        cuts = np.concatenate([middle + size * (corners - middle) for size in OTHER_SIZES]).astype(np.float32)
        again, _ = self.classifier.as_ordered(self.pyramid, cuts, self.profile)
        number, colour = seen.number.copy(), seen.colour.copy()
        for chances, found in ((number, again.number), (colour, again.colour)):
            looks = found.reshape(len(OTHER_SIZES), len(doubted), -1)
            chances[doubted] = (chances[doubted] + looks.sum(0)) / (1 + len(OTHER_SIZES))
        return replace(seen, number=number, colour=colour)

    def _classify(self, corners: Corners) -> Classified:
        return self.classifier.classify(self.pyramid, corners, self.profile)

    def _look_turned_over(self, corners: Corners) -> tuple[Classified, NDArray[np.float32]]:
        """What tiles (N, 4, 2) show turned over, without their top sides, and the chance (N,) that it is a face, and upright."""
        outlines = self.locator.refine(self.pyramid, np.stack([turned_over(quad) for quad in corners]))
        seen, upright = self.classifier.as_ordered(self.pyramid, outlines, self.profile)
        return seen, seen.number[:, :FACE_COLUMNS].max(1) * upright


def _speaks(likely: Chances, corners: Corners, usual: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much (N,) speaks for tiles that are read with such chances (N,), log areas of those beside them (N,) considered."""
    return log_odds(likely, CERTAIN) - OTHER_SIZE * np.abs(log_areas(corners) - usual)


def digits_of_others(seen: Classified, scores: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which of N outlines are but a digit of the number of two that a larger one, clearly read, shows around it.

    Args:
        scores: how sure (N,) the locator is of each.
    """
    number, area = seen.number.argmax(1) + 1, areas(seen.corners)
    of_two = (number > 9) & (number <= NUMBER_COLUMNS) & (seen.number.max(1) > CLEARLY_READ) & (scores > SURELY_WHOLE)
    digits = np.zeros(len(number), bool)
    for whole in np.flatnonzero(of_two):
        smaller = (area < MOST_OF_IT * area[whole]) & ((number == 1) | (number == number[whole] - 10))
        for i in np.flatnonzero(smaller):
            digits[i] |= cv2.intersectConvexConvex(seen.corners[i], seen.corners[whole])[0] > MOST_COVERED * area[i]
    return digits


def turned_over(quad: Corners) -> Corners:
    """The outline (4, 2) of a tile that stands on its head in `quad` (4, 2), its top side, the lower part of that, left out."""
    a, b, c, d = quad
    return np.asarray([c + TOP_SIDE * (b - c), d + TOP_SIDE * (a - d), a, b], np.float32)
