"""The sentences of the page of the deal."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.dashboard.language import N_, _, listed, ngettext
from assistant.deal import DEALER, SERVED, STACK, STACKS, Plan, Take, informal_stock
from assistant.search import HAND

DEAL_PAGE = N_("Deal")
DEAL_PATH = "deal"
TITLE = N_("The deal")
HOW = N_("Twenty-one stacks of five face down, six of them before the dealer; the tile that is over goes to the dealer.")
WHO_DEALS = N_("Who deals?")
SIDES = (N_("You"), N_("On your right"), N_("Opposite"), N_("On your left"))
"""The sides of the picture to the right, as the deal goes."""
SIDES_IN_SENTENCE = (N_("you"), N_("on your right"), N_("opposite"), N_("on your left"))
DEALER_SITS = (
    N_("your own left"),
    N_("the dealer’s left (the dealer sits on your right)"),
    N_("the dealer’s left (the dealer sits opposite)"),
    N_("the dealer’s left (the dealer sits on your left)"),
)
"""From where stacks are counted, by the side on which the dealer sits."""
FIRST_DIE, SECOND_DIE = N_("First die"), N_("Second die")
THROW = N_("Throw both dice")
FALSE_JOKER = N_("A false joker is turned up")
FALSE_JOKER_HELP = N_("It is put back, and both dice are thrown again.")
THROWN_AGAIN = N_("A false joker is put back: the dice were thrown again.")
STEPS = N_("Step by step")
TO_MIDDLE = N_("The top of each stack is drawn towards the middle; the numbers say in which order stacks are taken.")
HOW_MANY = N_("How many play?")
INFORMAL = N_("Without stacks and dice")
HOW_INFORMAL = N_("The informal deal: all tiles face down and mixed, everyone takes any of them.")
NOT_FOUR = N_("Two or three always deal so: the rules have a deal with stacks and dice for four players only.")
AROUND = {2: (0, 2), 3: (0, 1, 3), 4: (0, 1, 2, 3)}
"""On which sides so many players sit, counted to the right as in `SIDES`."""
ROLES = {1: N_("first player"), 2: N_("second"), 3: N_("third"), DEALER: N_("dealer")}
TAKES = {
    1: N_("The first player ({side}) takes {stacks}: {count} tiles."),
    2: N_("The second ({side}) takes {stacks}: {count} tiles."),
    3: N_("The third ({side}) takes {stacks}: {count} tiles."),
    DEALER: N_("The dealer ({side}) takes {stacks}: {count} tiles."),
}
ORDINALS = (N_("first"), N_("second"), N_("third"), N_("fourth"), N_("fifth"), N_("sixth"))


def order_of(plan: Plan, stack: int) -> int:
    """A stack's number in the picture: how many stacks it is to the right of the selected one."""
    return (stack - plan.selected) % STACKS


def tiles_of(seat: int, plan: Plan) -> str:
    """What a seat has and how many tiles it gets."""
    return _("{role}: {count} tiles").format(role=_(ROLES[seat]), count=sum(take.tiles for take in plan.takes[seat]))


def alt(plan: Plan) -> str:
    """The picture in a sentence, for those who do not see it."""
    return _("The table: the {ordinal} stack from the dealer's left holds the indicator. The steps say who takes what.").format(
        ordinal=_(ORDINALS[plan.selected])
    )


def steps(plan: Plan, dealer: int) -> list[str]:
    """What to do, sentence by sentence."""
    told = [
        _(
            "The first die shows {shown}: the {ordinal} stack, counted to the right from {left}. The tile that was over goes on top of it."
        ).format(shown=plan.selected + 1, ordinal=_(ORDINALS[plan.selected]), left=_(DEALER_SITS[dealer])),
        _(
            "The second die shows {shown}: the {ordinal} tile of that stack from the bottom is turned up on top of it. It is the indicator."
        ).format(shown=plan.turned, ordinal=_(ORDINALS[plan.turned - 1])),
    ]
    for seat in SERVED:
        takes = plan.takes[seat]
        side = _(SIDES_IN_SENTENCE[(dealer + seat) % len(SIDES)])
        told.append(_(TAKES[seat]).format(side=side, stacks=_stacks(plan, takes), count=sum(take.tiles for take in takes)))
    stock = sum(take.tiles for take in plan.stock)
    told.append(
        _("The rest is the stock: {count} tiles, the stack with the indicator last. The indicator itself is not drawn.").format(count=stock)
    )
    return told


def informal_steps(players: int, dealer: int) -> list[str]:
    """What to do without stacks and dice, sentence by sentence; `dealer` is a side of `AROUND`."""
    around = AROUND[players]
    first = around[(around.index(dealer) + 1) % players]
    return [
        _("The first player ({side}) takes any {count} tiles.").format(side=_(SIDES_IN_SENTENCE[first]), count=HAND + 1),
        _("Everyone else takes any {count} tiles.").format(count=HAND),
        _("Any other tile is turned up: it is the indicator. A false joker is put back, and another tile is turned up."),
        _("The rest is the stock: {count} tiles. The indicator itself is not drawn.").format(count=informal_stock(players)),
    ]


def _stacks(plan: Plan, takes: Sequence[Take]) -> str:
    """Stacks by their numbers in the picture: the whole ones, then parts of others."""
    whole = [str(order_of(plan, take.stack)) for take in takes if take.tiles == STACK]
    phrases = [_("stacks {numbers}").format(numbers=listed(whole))]
    for take in takes:
        if take.tiles < STACK:  # a player begins with what another has left of a stack and ends with the top of one
            if take == takes[-1]:
                message = ngettext("the top one of stack {number}", "the top {count} of stack {number}", take.tiles)
            else:
                message = ngettext("the last one of stack {number}", "the last {count} of stack {number}", take.tiles)
            phrases.append(message.format(count=take.tiles, number=order_of(plan, take.stack)))
    return ", ".join(phrases)
