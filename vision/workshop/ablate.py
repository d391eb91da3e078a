"""What a part is worth: the same work done without it. The parts of the reading stand here, those of rendering in `ingredients`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np

from vision.colours import LIGHTEST
from vision.decode import RAW
from vision.reading import SURE
from vision.sight import tell

SURELY_THERE = 0.65
"""Before their size was asked for, tiles lying face down were those of which the locator was as sure as this."""

Replacements = Mapping[str, Any]
"""Names in modules, and what stands in their place while a part is left out."""
STEPS: dict[str, Replacements] = {
    "the whole way": {},
    "dark pictures stay as dark": {"vision.light.TOO_DARK": 0},
    "light of one colour stays so": {"vision.light.LACKING": 0},
    "veils stay": {"vision.veil.LEAST_VEIL": np.inf},
    "dark faces stay dark": {"vision.reader.FEWEST_LIGHTENED": np.inf},
    "mirrored pictures are not turned back": {"vision.reader.FEWEST_NUMBERS": np.inf},
    "only exact grey is without colours": {"vision.light.FEWEST_INKS": np.inf},
    "tiles are not looked for from farther away": {"vision.locate.FAR_LOOKS": ()},
    "digits within a number of two are tiles": {"vision.second_look.SURELY_WHOLE": 1.0},
    "small racks are not looked at by themselves": {"vision.locate.LEAST_ON_A_RACK": np.inf},
    "the few small tiles are not looked for": {"vision.locate.COVERED": 0.0},
    "corners looked for once": {"vision.locate.LOOKS": 1, "vision.second_look.LOOKS_AGAIN": 1},
    "corners looked for twice": {"vision.locate.LOOKS": 2},
    "outlines that hardly moved are looked for again": {"vision.locate.HARDLY_MOVED": 0.0},
    "what is unread is not looked at again": {"vision.second_look.READ_AGAIN": np.inf},
    "false jokers are not looked at again": {"vision.second_look.AGREED": np.inf},
    "what is doubted is read in one outline": {"vision.second_look.MAYBE_READ": 1.0},
    "top sides are parts of faces": {"vision.second_look.DOUBTED": 0.0},
    "scraps at the edge are tiles": {"vision.reader.LEAST_LEFT": 0.0},
    "what is unlike the tiles is one": {"vision.reader.are_lookalikes": lambda corners, *_: np.zeros(len(corners), bool)},
    "specks beside large tiles are tiles": {"vision.sight.A_SPECK": 1e-9},
    "two tiles seen as one are not parted": {"vision.second_look.LARGE": np.inf},
    "outlines unlike those beside them stay so": {"vision.beside.FEWEST_ALIKE": np.inf},
    "4 and 7 as they look": {"vision.classify.LIKE_EACH_OTHER": ()},
    "6 and 9, 4 and 7 without neighbours": {"vision.classify.turns_by_neighbours": lambda corners, this_way: this_way},
    "lone tiles are rows however they lean": {"vision.layout.LEANING": np.inf},
    "tiles face down told by the locator alone": {"vision.sight.face_down_chances": lambda against, score, blank: score >= SURELY_THERE},
    "tiles without a number stand as they seem": {"vision.sight.turned_as_beside": lambda corners, has_number: corners},
    "each ink by itself": {"vision.decode.settle_colours": lambda colour, ink, weight: colour},
    "inks compared by how dark they look": {"vision.colours._absorbed": lambda ink: np.minimum(ink, LIGHTEST)},
    "inks that seem one colour are not parted": {"vision.colours.FEWEST_PARTED": np.inf},
    "how deep an ink is does not count": {"vision.colours.DEPTH": 0.0},
    "bluish green is blue": {"vision.colours.GREEN_AS_BLUE": 0.0},
    "settled colours called sure": {"vision.decode.SEEN_COLOUR": 0.0},
    "colours called sure with nothing to compare": {"vision.decode.OTHER_COLOUR": 1.0},
    "6 and 9 called sure whichever way up": {"vision.decode.OTHER_WAY_UP": 1.0},
    "parts of tiles called sure": {"vision.sight.LEAST_OF_A_TILE": 1e-9, "vision.sight.LEAST_OF_ITS_WIDTH": 1e-9},
    "what may hold more than a tile called sure": {"vision.sight.MOST_OF_A_SIDE": np.inf},
    "what may go on beyond the edge called sure": {"vision.sight._may_go_on": lambda sight, decoded: False},
    "what is much smaller than tiles near it called sure": {"vision.beside.DWARFED": 1e-9},
    "what is read with 0.9 called sure": {"vision.decode.SURELY_READ": SURE, "vision.decode.SURELY_A_JOKER": SURE},
    "what is hardly found called sure": {"vision.decode.SURELY_FOUND": 0.0},
    "each tile by itself": {"vision.decode.likeliest_of_one_set": partial(np.argmax, axis=1)},
    "chances as they are": {"vision.reader.tell": partial(tell, calibration=RAW)},
}
"""Steps of the reading, and what is replaced to leave them out."""


@contextmanager
def without(part: Replacements) -> Iterator[None]:
    """Works without a part for as long as it lasts."""
    with ExitStack() as stack:
        for name, instead in part.items():
            stack.enter_context(patch(name, instead))
        yield
