"""The picture of the deal and its steps, and the page in a real browser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from xml.etree import ElementTree

import pytest

from assistant.dashboard import deal_texts
from assistant.dashboard.deal_drawing import informal_steps_html, owners, steps_html, table_svg
from assistant.deal import PIPS, STACKS, WHOLE_SET, deal_informally, informal_stock, plan
from tests.dashboard.conftest import PATIENCE_S, in_both_windows, tap

playwright = pytest.importorskip("playwright.sync_api", reason="the browser test needs playwright: pip install '.[test]'")


@pytest.mark.parametrize(("first", "second"), list(product(PIPS, PIPS)))
def test_every_tile_of_the_set_is_drawn_with_its_owner(first: int, second: int) -> None:
    stacks = owners(plan(first, second))
    assert [len(stack) for stack in stacks] == [6 if number == first - 1 else 5 for number in range(STACKS)]
    assert Counter(owner for stack in stacks for owner in stack) == {
        "seat-1": 15,
        "seat-2": 14,
        "seat-3": 14,
        "seat-0": 14,
        "stock": 48,
        "indicator": 1,
    }
    assert stacks[first - 1][0] == "indicator", "it lies on top"


@pytest.mark.parametrize("dealer", range(4))
def test_the_picture_is_well_formed_and_shows_the_dice(dealer: int) -> None:
    drawn = ElementTree.fromstring(table_svg(plan(2, 5), dealer))
    assert len(drawn.findall(".//circle")) == 2 + 5
    ElementTree.fromstring(steps_html(plan(2, 5), dealer))


def test_the_steps_say_who_takes_what() -> None:
    assert deal_texts.steps(plan(3, 6), dealer=1) == [
        "The first die shows 3: the third stack, counted to the right from the dealer’s left (the dealer sits on your right). "
        "The tile that was over goes on top of it.",
        "The second die shows 6: the sixth tile of that stack from the bottom is turned up on top of it. It is the indicator.",
        "The first player (opposite) takes stacks 1, 5, and 9: 15 tiles.",
        "The second (on your left) takes stacks 2 and 6, the top 4 of stack 10: 14 tiles.",
        "The third (you) takes stacks 3 and 7, the last one of stack 10, the top 3 of stack 11: 14 tiles.",
        "The dealer (on your right) takes stacks 4 and 8, the last 2 of stack 11, the top 2 of stack 12: 14 tiles.",
        "The rest is the stock: 48 tiles, the stack with the indicator last. The indicator itself is not drawn.",
    ]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_informal_deal_is_told_for_any_number_of_players(players: int) -> None:
    for dealer in deal_texts.AROUND[players]:
        ElementTree.fromstring(informal_steps_html(players, dealer))
    assert informal_stock(players) == len(deal_informally(WHOLE_SET, players).stock)


def test_the_first_player_of_an_informal_deal_sits_next_to_the_dealer_on_the_right() -> None:
    assert deal_texts.informal_steps(2, 0)[0] == "The first player (opposite) takes any 15 tiles."
    assert deal_texts.informal_steps(3, 0)[0] == "The first player (on your right) takes any 15 tiles."
    assert deal_texts.informal_steps(3, 3)[0] == "The first player (you) takes any 15 tiles."
    assert deal_texts.informal_steps(2, 0)[-1] == "The rest is the stock: 76 tiles. The indicator itself is not drawn."


@in_both_windows
def test_dice_are_entered_or_thrown(visit: Callable[[str], playwright.Page]) -> None:
    page = visit(deal_texts.DEAL_PATH)

    def choose(group: str, answer: str) -> None:
        tap(page.get_by_test_id("stButtonGroup").filter(has_text=group).get_by_role("radio", name=answer, exact=True))

    def says(number: int, text: str) -> None:
        playwright.expect(page.locator(".steps li").nth(number)).to_contain_text(text, timeout=1000 * PATIENCE_S)

    says(0, "The first die shows ")
    choose("First die", "6")
    says(0, "The first die shows 6")
    choose("Second die", "2")
    says(1, "The second die shows 2")
    choose("Who deals?", "Opposite")
    says(5, "The dealer (opposite)")
    tap(page.get_by_role("button", name="A false joker is turned up"))
    playwright.expect(page.get_by_test_id("stAlert")).to_contain_text("thrown again", timeout=1000 * PATIENCE_S)
    playwright.expect(page.locator(".table .slice")).to_have_count(106)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    choose("First die", "4")
    says(0, "The first die shows 4")
    tap(page.get_by_role("link", name="Score"))
    page.get_by_label("Seat 1").wait_for()
    tap(page.get_by_role("link", name="Deal"))
    says(0, "The first die shows 4")
    says(5, "The dealer (opposite)")
    choose("How many play?", "3")
    says(0, "takes any 15 tiles")
    says(3, "62 tiles")
    choose("Who deals?", "On your left")
    says(0, "The first player (you)")
