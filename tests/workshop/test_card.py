"""The model card's tables are written where they stand."""

from __future__ import annotations

import pytest

from vision.workshop.card import CARD, written

NAMES = ("measured", "traced", "reliability", "ablation", "altered")


def test_the_card_has_a_place_for_every_table_and_keeps_the_rest() -> None:
    card = CARD.read_text(encoding="utf-8")
    tables = {name: f"| what {name} says |\n" for name in NAMES}
    again = written(card, tables)
    for text in tables.values():
        assert again.count(text) == 1
    assert again.startswith(card[: card.index("<!-- measured")])
    assert written(again, tables) == again
    ingredients = written(again, {"ingredients": "| what rendering is worth |\n"}, "ingredients")
    assert ingredients.count("| what rendering is worth |") == 1


def test_a_card_without_a_place_is_refused() -> None:
    with pytest.raises(ValueError, match="no place"):
        written("# A card", {"measured": ""})
