"""Frames of a video settle to the rack that lies there: what a user sees who holds a phone over it."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.tiles import COLOURS, FACE_DOWN, FALSE_JOKER, Rack, Tile, parse_tiles
from vision.settle import Hint, Settled, Settler, State
from vision.sight import Sight

SIZE = (1280, 720)
WIDTH, HEIGHT = 60.0, 85.0
RATE = 10.0
ROW = parse_tiles("R3 R4 R5 K9 B9 Y9 J B10 B11 B12 B13 Y1")
OTHER = parse_tiles("K1 K2 K3 Y4 B4 R4 B7 B8 Y13 K13 R13 Y8")


def chances(tile: Tile, sure: float) -> tuple[np.ndarray, np.ndarray]:
    """Chances of number (16,) and colour (4,) of one who is this sure of a tile."""
    number, colour = np.full(16, (1 - sure) / 15), np.full(4, (1 - sure) / 3)
    number[13 if tile == FALSE_JOKER else 14 if tile == FACE_DOWN else (tile.number or 1) - 1] = sure
    if tile.colour is not None:
        colour[COLOURS.index(tile.colour)] = sure
    return number, colour


def sight(
    tiles: Iterable[Tile],
    at: tuple[float, float] = (200.0, 300.0),
    width: float = WIDTH,
    hidden: Iterable[int] = (),
    sure: float = 0.97,
    light: float = 0.5,
    size: tuple[int, int] = SIZE,
    jitter: float = 0.0,
    seed: int = 0,
) -> Sight:
    """A row of tiles that touch, its top left corner `at`; the hidden ones are not seen."""
    rng = np.random.default_rng(seed)
    shown = [(place, tile) for place, tile in enumerate(tiles) if place not in set(hidden)]
    shape = np.array([[0, 0], [1, 0], [1, HEIGHT / WIDTH], [0, HEIGHT / WIDTH]]) * width
    corners = np.array([shape + np.array([at[0] + place * width, at[1]]) for place, _ in shown]).reshape(-1, 4, 2)
    corners = corners + rng.normal(0, jitter, corners.shape)
    read = [chances(tile, sure) for _, tile in shown]
    number = np.array([one for one, _ in read], np.float32).reshape(-1, 16)
    colour = np.array([two for _, two in read], np.float32).reshape(-1, 4)
    ink = np.array([np.eye(4)[COLOURS.index(tile.colour)][:3] if tile.colour else np.ones(3) for _, tile in shown], np.float32).reshape(
        -1, 3
    )
    score = np.full(len(shown), 0.9, np.float32)
    return Sight(size, corners.astype(np.float32), number, colour, ink, score, light)


def play(sights: Iterable[Sight], settler: Settler | None = None, begin: float = 0.0, rate: float = RATE) -> list[Settled]:
    settler = settler or Settler()
    return [settler.add(one, begin + number / rate) for number, one in enumerate(sights)]


def rack(settled: Settled) -> str | None:
    return None if settled.reading is None else str(settled.reading.rack)


def text(tiles: Iterable[Tile]) -> str:
    return " ".join(map(str, tiles))


def test_a_still_rack_is_told_within_a_second_and_stays_told() -> None:
    told = play(sight(ROW, jitter=1.0, seed=seed) for seed in range(30))
    first = next(number for number, one in enumerate(told) if one.state is State.SETTLED)
    assert first / RATE <= 0.7
    assert all(one.reading is None and one.state is State.SETTLING for one in told[:first])
    assert {rack(one) for one in told[first:]} == {text(ROW)}
    assert {one.state for one in told[first:]} == {State.SETTLED}
    assert {one.since for one in told[first:]} == {first / RATE}


def test_outlines_are_where_the_tiles_are_in_the_newest_frame() -> None:
    told = play(sight(ROW, at=(200.0 + 2 * number, 300.0)) for number in range(20))[-1]
    assert told.reading is not None
    assert np.abs(np.array(told.reading.tiles[3].outline) - sight(ROW, at=(238.0, 300.0)).corners[3]).max() < 2


def test_frames_that_are_each_wrong_somewhere_come_to_the_right_tiles_or_to_doubt() -> None:
    """A quarter of the tiles of every frame is misread, always as the same other tile; their inks are measured as they are."""
    right = doubted = 0
    for chance in range(20):
        rng = np.random.default_rng(chance)
        frames = []
        for seed in range(20):
            seen = [OTHER[place] if rng.random() < 0.25 else tile for place, tile in enumerate(ROW)]
            frames.append(replace(sight(seen, sure=0.8, jitter=1.0, seed=seed), ink=sight(ROW).ink))
        told = (rack(play(frames)[-1]) or "").split()
        right += sum(one == str(tile) for one, tile in zip(told, ROW, strict=True))
        doubted += told.count("?")
    assert right + doubted >= 0.98 * 20 * len(ROW), "a quarter is misread, one in fifty at most is told wrongly"
    assert right >= 0.7 * 20 * len(ROW)


def test_what_is_told_is_what_one_set_can_hold() -> None:
    tiles = parse_tiles("K8 K8 K8 R1 R2 R3")
    frames = [sight(tiles, sure=0.6, seed=seed) for seed in range(15)]
    told = play(frames)[-1].now
    assert [seen.guess for seen in told.tiles].count(Tile.parse("K8")) == 2


def test_a_trembling_hand_does_not_matter() -> None:
    rng = np.random.default_rng(2)
    told = play(sight(ROW, at=(200 + rng.uniform(-12, 12), 300 + rng.uniform(-12, 12)), jitter=1.5, seed=seed) for seed in range(40))
    assert {one.state for one in told[10:]} == {State.SETTLED}
    assert {rack(one) for one in told[10:]} == {text(ROW)}


def test_tiles_are_followed_by_their_faces_when_the_picture_moves_by_a_whole_tile() -> None:
    settler = Settler()
    play((sight(ROW) for _ in range(12)), settler)
    told = play((sight(ROW, at=(200.0 - WIDTH, 300.0)) for _ in range(15)), settler, begin=1.2)
    assert {text(seen.tile for seen in one.now.tiles) for one in told} == {text(ROW)}
    assert told[-1].state is State.SETTLED


def test_a_finger_in_the_way_for_a_moment_loses_no_tile() -> None:
    settler = Settler()
    play((sight(ROW) for _ in range(12)), settler)
    behind = play((sight(ROW, hidden=(4, 5)) for _ in range(5)), settler, begin=1.2)
    after = play((sight(ROW) for _ in range(10)), settler, begin=1.7)
    assert {(one.state, rack(one)) for one in behind + after} == {(State.SETTLED, text(ROW))}
    assert Hint.HIDDEN in behind[-1].hints
    assert after[-1].hints == ()


def test_a_hidden_tile_moves_along_with_the_others() -> None:
    settler = Settler()
    play((sight(ROW) for _ in range(12)), settler)
    told = play((sight(ROW, at=(200.0 + 5 * step, 300.0 + 3 * step), hidden=(4,)) for step in range(4)), settler, begin=1.2)
    assert told[-1].reading is not None
    assert np.abs(np.array(told[-1].reading.tiles[4].outline) - sight(ROW, at=(215.0, 309.0)).corners[4]).max() < 2


@pytest.mark.parametrize("after", [ROW[:-1], ROW[:3] + parse_tiles("R13") + ROW[4:], [*ROW, Tile.parse("Y2")]])
def test_a_tile_taken_away_changed_or_put_down_is_noticed_in_about_a_second(after: list[Tile]) -> None:
    settler = Settler()
    play((sight(ROW, seed=seed, jitter=1.0) for seed in range(20)), settler)
    told = play((sight(after, seed=seed, jitter=1.0) for seed in range(25)), settler, begin=2.0)
    noticed = next(number for number, one in enumerate(told) if one.state is State.SETTLED and rack(one) == text(after))
    assert noticed / RATE <= 1.2
    assert {rack(one) for one in told} == {text(ROW), text(after)}, "nothing between the two is ever told"


def test_another_rack_starts_anew_and_no_mixture_is_told() -> None:
    settler = Settler()
    play((sight(ROW) for _ in range(15)), settler)
    told = play((sight(OTHER) for _ in range(15)), settler, begin=1.5)
    assert {rack(one) for one in told} <= {text(ROW), None, text(OTHER)}
    assert rack(told[-1]) == text(OTHER)


def test_while_the_camera_moves_nothing_holds_and_then_it_does_again() -> None:
    settler = Settler()
    play((sight(ROW) for _ in range(15)), settler)
    moving = play((sight(ROW, at=(200.0 + 18 * step, 300.0)) for step in range(1, 9)), settler, begin=1.5)
    still = play((sight(ROW, at=(344.0, 300.0)) for _ in range(12)), settler, begin=2.3)
    assert moving[-1].state is State.MOVING
    assert moving[-1].reading is None
    assert Hint.STILL in moving[-1].hints
    assert (still[-1].state, rack(still[-1])) == (State.SETTLED, text(ROW))


def test_a_tile_that_goes_to_and_fro_is_said_to_be_unreadable() -> None:
    swinging = [ROW[:2] + parse_tiles(one) + ROW[3:] for one in ("R5", "B5")]
    frames = [sight(swinging[number // 6 % 2], sure=0.9) for number in range(60)]
    assert {str(one.reading.tiles[2].tile) for one in play(frames)[30:] if one.reading} <= {"R5", "B5", "?"}
    quick = play((sight(swinging[number % 2], sure=0.9) for number in range(60)), rate=30.0)
    assert {one.state for one in quick[40:]} == {State.SETTLED}, "the others do not wait for it"


def test_a_tile_laid_on_another_is_told_surely_at_once() -> None:
    settler = Settler()
    play((sight([FACE_DOWN, *ROW[:6]]) for _ in range(30)), settler)
    told = play((sight([Tile.parse("K7"), *ROW[:6]], sure=0.99) for _ in range(6)), settler, begin=3.0)[-1].now
    assert str(told.tiles[0].tile) == "K7"
    assert told.tiles[0].confidence > 0.9


def test_a_false_alarm_is_never_told() -> None:
    lonely = parse_tiles("R3 R4 R5 K9 B9 Y9 J B10 B11 B12 B13 Y1 K7")
    told = play(sight(lonely if number % 7 == 3 else ROW) for number in range(40))
    assert {rack(one) for one in told} == {None, text(ROW)}
    assert {text(seen.tile for seen in one.now.tiles) for one in told} == {"", text(ROW)}, "not even before it has settled"


def test_a_stack_of_which_the_top_is_not_always_seen_keeps_nobody_waiting() -> None:
    tiles = parse_tiles("K2 # # #")
    told = play(sight(tiles, hidden=[3] if number // 6 % 2 else [], jitter=0.5, seed=number) for number in range(60))
    assert {one.state for one in told[5:]} == {State.SETTLED}


def test_tiles_face_down_that_are_outlined_badly_are_no_movement() -> None:
    frames = []
    for number in range(200):
        rng = np.random.default_rng(number)
        one = sight(parse_tiles("K2 # # #"), hidden=[place for place in (1, 2, 3) if rng.random() < 0.4])
        one.corners[1:] += rng.normal(0, 9, one.corners[1:].shape)
        frames.append(one)
    assert State.MOVING not in {one.state for one in play(frames, rate=6.0)}


def test_a_tile_turned_upside_down_in_some_frames_keeps_its_own_top() -> None:
    frames = []
    for number in range(20):
        one = sight(ROW)
        if number % 3 == 0:
            one.corners[5] = np.roll(one.corners[5], 2, 0)
        frames.append(one)
    told = play(frames)[-1].now
    assert np.abs(np.array(told.tiles[5].outline) - sight(ROW).corners[5]).max() < 1


def test_an_empty_table_is_empty_and_so_is_one_that_was_cleared() -> None:
    settler = Settler()
    told = play((sight([]) for _ in range(5)), settler)
    assert {(one.state, one.reading) for one in told} == {(State.EMPTY, None)}
    assert told[-1].hints == (Hint.NOTHING,)
    play((sight(ROW) for _ in range(15)), settler, begin=0.5)
    told = play((sight([]) for _ in range(30)), settler, begin=2.0)
    assert (told[-1].state, told[-1].reading) == (State.EMPTY, None)


@pytest.mark.parametrize(
    ("view", "hint"),
    [
        ({"at": (-20.0, 300.0)}, Hint.LEFT),
        ({"at": (580.0, 300.0)}, Hint.RIGHT),
        ({"at": (200.0, -20.0)}, Hint.TOP),
        ({"at": (200.0, 660.0)}, Hint.BOTTOM),
        ({"width": 14.0}, Hint.CLOSER),
        ({"light": 0.05}, Hint.LIGHT),
    ],
)
def test_the_user_is_told_what_would_help(view: dict[str, object], hint: Hint) -> None:
    told = play(sight(ROW, **view) for _ in range(12))  # type: ignore[arg-type]
    assert told[-1].hints == (hint,)
    assert hint.value.endswith(".")


def test_another_frame_size_starts_anew() -> None:
    settler = Settler()
    play((sight(ROW) for _ in range(15)), settler)
    (told,) = play([sight(ROW, size=(720, 1280))], settler, begin=1.5)
    assert told.reading is None
    assert told.now.size == (720, 1280)


def in_mirror(seen: Sight) -> Sight:
    return replace(seen, corners=np.array([seen.size[0], 0], np.float32) + seen.corners * np.float32([-1, 1]), mirrored=True)


def test_a_mirrored_picture_after_others_starts_anew_and_holds() -> None:
    settler = Settler()
    play((sight(ROW) for _ in range(15)), settler)
    told = play((in_mirror(sight(ROW)) for _ in range(15)), settler, begin=1.5)
    assert told[4].reading is None
    assert rack(told[-1]) == text(ROW)


def test_a_mirrored_video_settles_though_its_mirror_is_not_told_in_every_frame() -> None:
    told = play(sight(ROW) if number % 5 == 4 else in_mirror(sight(ROW)) for number in range(15))
    assert all(rack(settled) == text(ROW) for settled in told[8:])


def test_time_does_not_run_backwards() -> None:
    settler = Settler()
    settler.add(sight(ROW), 1.0)
    with pytest.raises(ValueError, match=r"0\.5 after 1\.0"):
        settler.add(sight(ROW), 0.5)


def test_memory_is_bounded_whatever_is_seen() -> None:
    settler = Settler()
    rng = np.random.default_rng(3)
    sizes = []
    for number in range(600):
        tiles = [ROW[i] for i in rng.integers(0, len(ROW), rng.integers(0, 18))]
        settler.add(sight(tiles, at=tuple(rng.uniform(0, 600, 2)), jitter=9.0, seed=number), number / RATE)
        sizes.append(len(pickle.dumps(settler)))
    assert max(sizes[300:]) <= 2 * max(sizes[:300])


@settings(max_examples=30)
@given(
    shift=st.tuples(st.floats(-150, 150), st.floats(-150, 150)),
    turn=st.floats(-0.3, 0.3),
    zoom=st.floats(0.85, 1.15),
    hidden=st.sets(st.integers(0, len(ROW) - 1), max_size=6),
)
def test_any_movement_between_two_frames_is_found(shift: tuple[float, float], turn: float, zoom: float, hidden: set[int]) -> None:
    settler = Settler()
    play((sight(ROW, at=(300.0, 320.0)) for _ in range(4)), settler)
    before = sight(ROW, at=(300.0, 320.0))
    linear = zoom * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    middle = np.array(SIZE) / 2
    moved = (before.corners - middle) @ linear.T + middle + shift
    seen = [place for place in range(len(ROW)) if place not in hidden]
    after = sight(ROW, hidden=hidden)
    after.corners[:] = moved[seen]
    inside = [place for place in range(len(ROW)) if (moved[place].mean(0) >= 0).all() and (moved[place].mean(0) <= SIZE).all()]
    now = settler.add(after, 0.4).now
    assert text(one.tile for one in now.tiles) == text(ROW[place] for place in inside)


def test_the_rack_is_as_it_lies() -> None:
    gap = 40.0
    frames = []
    for _ in range(12):
        one = sight(ROW[:6])
        one.corners[3:, :, 0] += gap
        frames.append(one)
    told = play(frames)[-1]
    assert told.reading is not None
    assert told.reading.rack == Rack.parse("R3 R4 R5 | K9 B9 Y9")


def test_a_rack_is_told_again_after_minutes_without_a_frame() -> None:
    settler = Settler()
    play((sight(ROW, seed=seed) for seed in range(10)), settler)
    with np.errstate(all="raise"):
        told = play((sight(ROW, seed=seed) for seed in range(10)), settler, begin=3600.0)
    assert {rack(one) for one in told} == {text(ROW)}
