"""A player of Okey 101 for simulations and tests. It looks only at its hand, at what lies on the table and at who has opened."""

from __future__ import annotations

from assistant.game import Discard, Draw, Take
from assistant.game101 import Deal101, Lay, Move101
from assistant.groups import face_of
from assistant.solver import Laid, points_of, tile_order, without
from assistant.tiles import Tile

NEAR = 2
"""How far apart the numbers of two tiles in a run of three are at most."""


def opening_player(deal: Deal101) -> Move101:
    """A player that opens as soon as it can, then lays and adds what it can, and discards what is of least use.

    It takes the tile on its left to open with it, and once it has opened whenever it can use it.
    """
    if deal.is_drawing:
        return Take() if deal.may(Take()) and (deal.has_opened or _opens_with_offered(deal)) else Draw()
    if not deal.has_opened:
        openings = deal.openings(deal.hand)
        return openings[0] if openings else Discard(_discard(deal))
    if deal.taken is not None:
        adds = deal.adds(deal.taken)
        return adds[0] if adds else next(lay for lay in deal.lays() if deal.may(lay))
    groups = _groups_to_lay(deal) if deal.opened[deal.turn] == "melds" else ()
    if groups:
        return Lay(groups)
    if len(deal.hand) > 1:
        for tile in sorted(deal.hand, key=lambda tile: (tile == deal.judge.okey, tile_order(tile))):  # an okey is the best last tile
            adds = deal.adds(tile)
            if adds:
                return adds[0]
    return Discard(_discard(deal))


def _opens_with_offered(deal: Deal101) -> bool:
    """Whether the player in turn opens with the tile on the left, and that tile is part of it."""
    assert deal.offered is not None, "it may be taken"
    openings = deal.openings([*deal.hand, deal.offered])
    return bool(openings) and any(placed.tile == deal.offered for group in openings[0].groups for placed in group)


def _groups_to_lay(deal: Deal101) -> Laid:
    """The sets and runs of most tiles that leave one to discard."""
    judge, hand = deal.judge, deal.hand
    groups, left = judge.arrangement(hand, None)
    if left:
        return groups
    kept = (judge.arrangement(without(hand, tile), None)[0] for tile in sorted(set(hand), key=tile_order))
    return max(kept, key=lambda groups: (sum(map(len, groups)), points_of(groups)))


def _discard(deal: Deal101) -> Tile:
    """The tile to discard: no wild one, none that fits a group on the table or lies in a group of the hand, and of the least use.

    Before the opening low numbers go first, as points open; after it high ones, as they cost most when they are left.
    """
    faces = {tile: face_of(tile, deal.judge.okey, deal.rules) for tile in deal.hand}
    _, loose = deal.judge.arrangement(deal.hand, None, points=True)

    def worth(tile: Tile) -> tuple[int, ...]:
        face = faces[tile]
        if face is None:
            return (True,)
        use = sum(other is not None and _meet(face, other) for other in map(faces.__getitem__, deal.hand))
        number = face.number or 0
        return (False, bool(deal.adds(tile)), tile not in loose, use, -number if deal.has_opened else number, tile.code)

    return min(faces, key=worth)


def _meet(one: Tile, other: Tile) -> bool:
    """Whether two tiles can lie in one pair, set or run of three."""
    if one.number == other.number:
        return True
    return one.colour is other.colour and abs((one.number or 0) - (other.number or 0)) <= NEAR
