"""Parts that are left out: each by a switch of its own, which every module that asks it sees."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np

import vision
from tests.vision.test_colours import bluish_green_beside
from vision.colours import looks_green, settle_colours
from vision.decode import decode
from vision.workshop.ablate import STEPS, without

OF_ANOTHER_STEP = {("vision.second_look", "vision.classify.turns_by_neighbours")}
"""Modules that take a name by value and are not meant: which tiles are turned over with their top sides their neighbours tell as ever."""


def test_no_module_takes_by_value_what_is_replaced_in_another() -> None:
    replaced = {name: step for step, names in STEPS.items() for name in names}
    blind = set()
    for path in Path(vision.__file__).parent.glob("*.py"):
        module = f"vision.{path.stem}"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                taken = {f"{node.module}.{name.name}": f"{module}.{name.asname or name.name}" for name in node.names}
                blind |= {(module, name) for name, here in taken.items() if name in replaced and here not in STEPS[replaced[name]]}
    assert blind == OF_ANOTHER_STEP


def test_no_two_steps_share_a_switch() -> None:
    asked = [name for names in STEPS.values() for name in names if name != "vision.locate.LOOKS"]  # once or twice
    assert len(asked) == len(set(asked))


def test_how_inks_are_compared_tells_nothing_of_which_look_green() -> None:
    colour, ink = bluish_green_beside(3, (0.1, 0.65, 0.9))
    green, settled = looks_green(ink), settle_colours(colour, ink, np.ones(len(ink), np.float32))
    assert green.any() and not green.all()
    with without(STEPS["inks compared by how dark they look"]):
        assert (looks_green(ink) == green).all()
        assert not np.allclose(settle_colours(colour, ink, np.ones(len(ink), np.float32)), settled)


def test_bluish_green_that_is_blue_is_sure_to_be() -> None:
    number = np.full((1, 16), 1e-7, np.float32)
    number[0, 4] = 1
    colour = np.array([[1e-6, 1e-6, 1, 1e-6]], np.float32)
    seen = number, colour, np.array([[0.69, 0.74, 0.35]], np.float32), np.full(1, 0.9, np.float32)
    assert not decode(*seen).is_sure[0]
    with without(STEPS["bluish green is blue"]):
        assert decode(*seen).is_sure[0]
