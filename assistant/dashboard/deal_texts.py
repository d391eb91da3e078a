"""Every sentence of the page of the deal."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.deal import DEALER, SERVED, STACK, STACKS, Plan, Take

DEAL_PAGE = "Deal"
DEAL_PATH = "deal"
TITLE = "The deal"
HOW = "Twenty-one stacks of five face down, six of them before the dealer; the tile that is over goes to the dealer."
WHO_DEALS = "Who deals?"
SIDES = ("You", "On your right", "Opposite", "On your left")
"""The sides of the picture to the right, as the deal goes."""
FIRST_DIE, SECOND_DIE = "First die", "Second die"
THROW = "Throw both dice"
FALSE_JOKER = "A false joker is turned up"
FALSE_JOKER_HELP = "It is put back, and both dice are thrown again."
THROWN_AGAIN = "A false joker is put back: the dice were thrown again."
STEPS = "Step by step"
TO_MIDDLE = "The top of each stack is drawn towards the middle; the numbers say in which order stacks are taken."
NOT_FOUR = (
    "This is the formal deal of four players. The rules give none for two or three: deal informally then; everyone takes any "
    "14 tiles, the first player 15, and any tile with a number is turned up."
)
ROLES = {1: "The first player", 2: "The second", 3: "The third", DEALER: "The dealer"}
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def order_of(plan: Plan, stack: int) -> int:
    """A stack's number in the picture: how many stacks it is to the right of the selected one."""
    return (stack - plan.selected) % STACKS


def tiles_of(seat: int, plan: Plan) -> str:
    """What a seat has and how many tiles it gets."""
    return f"{ROLES[seat].removeprefix('The ')}: {sum(take.tiles for take in plan.takes[seat])} tiles"


def side_name(seat: int, dealer: int) -> str:
    """Where a seat, counted from the dealer, is in the picture."""
    return SIDES[(dealer + seat) % len(SIDES)]


def alt(plan: Plan) -> str:
    """The picture in a sentence, for those who do not see it."""
    return f"The table: the {ORDINALS[plan.selected]} stack from the dealer's left holds the indicator. The steps say who takes what."


def steps(plan: Plan, dealer: int) -> list[str]:
    """What to do, sentence by sentence."""
    dealer_side = side_name(DEALER, dealer)
    whose = "your own left" if dealer == 0 else f"the dealer’s left (the dealer sits {dealer_side.lower()})"
    selected = ORDINALS[plan.selected]
    said = [
        f"The first die shows {plan.selected + 1}: the {selected} stack, counted to the right from {whose}. "
        "The tile that was over goes on top of it.",
        f"The second die shows {plan.turned}: the {ORDINALS[plan.turned - 1]} tile of that stack from the bottom is turned up "
        "on top of it. It is the indicator.",
    ]
    for seat in SERVED:
        takes = plan.takes[seat]
        said.append(
            f"{ROLES[seat]} ({side_name(seat, dealer).lower()}) takes {_stacks(plan, takes)}: {sum(take.tiles for take in takes)} tiles."
        )
    stock = sum(take.tiles for take in plan.stock)
    said.append(f"The rest is the stock: {stock} tiles, the stack with the indicator last. The indicator itself is not drawn.")
    return said


def _stacks(plan: Plan, takes: Sequence[Take]) -> str:
    """Stacks by their numbers in the picture: the whole ones, then parts of others."""
    *whole, last = [str(order_of(plan, take.stack)) for take in takes if take.tiles == STACK]
    phrases = [f"stacks {', '.join(whole)} and {last}"]
    for take in takes:
        if take.tiles < STACK:  # a player begins with what another has left of a stack and ends with the top of one
            part = "top" if take == takes[-1] else "last"
            phrases.append(f"the {part} {'one' if take.tiles == 1 else take.tiles} of stack {order_of(plan, take.stack)}")
    return ", ".join(phrases[:-1]) + f", and {phrases[-1]}" if len(phrases) > 1 else phrases[0]
