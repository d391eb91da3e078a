"""What is drawn: that everything can be tapped and nothing is left out. How it looks is for the eye."""

import re
from xml.etree import ElementTree

from assistant.dashboard.drawing import (
    faces_html,
    indicator_html,
    judgement_html,
    outlines_svg,
    playing_html,
    question_html,
    rack_html,
    seen_html,
    told_html,
    verdict_html,
)
from assistant.dashboard.hand import Hand
from assistant.dashboard.inks import looking_at
from assistant.dashboard.judging import dispute, judge
from assistant.dashboard.language import speaking
from assistant.playouts import Estimate
from assistant.tiles import FALSE_JOKER, NUMBERED_TILES, Colour, Tile, parse_tiles
from tests.dashboard.readings import GUESS, reading_of

HAND = Hand(reading_of("R1 R2 R3 | K9 ? / B7 J", indicator="K11", table="#"))


def keys(drawn: str) -> list[str]:
    return re.findall(r'data-key="([^"]+)"', drawn)


def test_drawings_are_well_formed() -> None:
    won = Hand(reading_of("R1 R2 R3 | K5 B5 J | B7 B8 B9 B10 / Y10 Y11 Y12 K6", indicator="K4"))
    waits = Hand(reading_of("R1 R2 R3 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 R9", indicator="K11"))
    advised = Hand(reading_of("R1 R2 R3 | K5 B5 | B7 B8 B9 / Y10 Y11 K13 R9 R4 K1 B2", indicator="K11"))
    finish = Hand(reading_of("R1 R2 R3 | K5 B5 J | B7 B8 B9 B10 / Y10 Y11 Y12 K12 R9", indicator="K11"))
    for drawn in (
        rack_html(HAND.rows),
        told_html({"seen-0": FALSE_JOKER}),
        outlines_svg(HAND),
        indicator_html(HAND),
        faces_html(None, jokers=True),
        question_html(HAND.tiles[4], ""),
        *(judgement_html(dispute(hand), hand) for hand in (HAND, won, waits, finish)),
        *(verdict_html(judge(hand)) for hand in (HAND, won, waits, advised, finish)),
    ):
        ElementTree.fromstring(f"<p>{drawn}</p>")


def test_green_in_place_of_blue_is_named_and_drawn_as_it_is() -> None:
    blue = faces_html(None, jokers=False)
    with looking_at([Colour.BLUE]):
        green = faces_html(None, jokers=False)
        with speaking("tr"):
            assert 'title="yeşil 7"' in faces_html(None, jokers=False)
    assert green == blue.replace('"face blue"', '"face green"').replace('"blue ', '"green ')
    assert keys(green) == keys(blue), "the notation stays"
    assert 'title="blue 7"' in blue and 'title="yellow 7"' in green


def test_every_tile_of_the_rack_can_be_tapped() -> None:
    assert keys(rack_html(HAND.rows)) == [held.key for held in HAND.tiles]


def test_every_tile_in_the_photo_can_be_tapped() -> None:
    assert keys(outlines_svg(HAND)) == list(HAND.held)


def test_a_correction_shows_in_the_photo() -> None:
    assert 'class="hand" data-key="4"' in outlines_svg(HAND.changed("4", Tile.parse("K12")))


def test_every_face_can_be_chosen() -> None:
    every = {str(tile) for tile in NUMBERED_TILES}
    assert set(keys(faces_html(None, jokers=False))) == every
    assert set(keys(faces_html(FALSE_JOKER, jokers=True))) == {*every, "J"}


def test_an_unread_tile_is_asked_about_with_the_likeliest_face_first() -> None:
    assert keys(question_html(HAND.tiles[4], "")) == [str(GUESS)]
    assert keys(question_html(HAND.tiles[0], "")) == []


def test_a_missing_indicator_can_be_picked() -> None:
    assert keys(indicator_html(Hand(reading_of("R1")))) == ["indicator"]


def test_the_tiles_of_an_indicator_photo_can_be_tapped() -> None:
    assert keys(seen_html(reading_of("", table="K5 # J K5"))) == ["K5"]
    assert seen_html(reading_of("", table="#")) == ""


def test_what_an_okey_stands_for_is_said() -> None:
    hand = Hand(reading_of("R1 R2 R3 | K9 B9 K12 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13", indicator="K11"))
    assert re.search(r"black 12 as (red|yellow) 9", verdict_html(judge(hand)))


def test_three_discards_are_shown_and_the_others_behind_a_line() -> None:
    drawn = verdict_html(judge(Hand(reading_of("R1 R2 R3 | K5 B5 | B7 B8 B9 / Y10 Y11 K13 R9 R4 K1 B2", indicator="K11"))))
    shown, others = drawn.split("<h4>What to discard</h4>")[1].split("<summary>The other 12 discards</summary>")
    assert (shown.count('class="choice"'), others.count('class="choice"')) == (3, 12)


def test_a_tile_that_was_told_can_be_taken_back_the_latest_first() -> None:
    assert keys(told_html(dict(zip("abc", parse_tiles("R1 R1 J"), strict=True))))[:3] == ["c", "b", "a"]


def test_every_group_of_a_shown_hand_is_named_or_refused() -> None:
    drawn = judgement_html(dispute(Hand(reading_of("R1 R2 R3 | K5 B5 R9 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13 | K12", indicator="K11"))))
    assert re.findall(r"<p><b>(.+?)</b> (.+?)</p>", drawn) == [
        ("Group 1", "A run."),
        ("Group 2", "A run needs one colour and a set one number: these tiles share neither."),
        ("Group 3", "A run."),
        ("Group 4", "A run."),
        ("The fifteenth tile", "An okey as the last tile."),
    ]


def test_every_tile_of_a_shown_hand_can_be_tapped_unless_it_is_only_looked_at() -> None:
    wild_and_fifteenth = Hand(reading_of("R1 R2 R3 | K12 B5 Y5 | R9 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13", indicator="K11", doubtful="B8"))
    drawn = judgement_html(dispute(wild_and_fifteenth), wild_and_fifteenth)
    in_groups = [held.key for held in wild_and_fifteenth.tiles]
    in_groups.append(in_groups.pop(6))
    assert keys(drawn) == in_groups, "the fifteenth is drawn last"
    assert re.findall(r'class="tile doubt" data-key="(\d+)"', drawn) == ["8"]
    assert 'data-key="6" title="red 9' in drawn and 'data-key="3" title="black 12 as red 5"' in drawn
    assert keys(judgement_html(dispute(wild_and_fifteenth))) == []
    assert keys(judgement_html(dispute(HAND), HAND)) == [held.key for held in HAND.tiles], "one that cannot be judged, too"


def played(rack: str, wins: int, gain: float) -> str:
    """What is drawn after a hundred deals played on from a hand, the words alone."""
    judged = judge(Hand(reading_of(rack, "K11")))
    assert judged.position is not None
    squares = 100 * (gain**2 + 1)
    known = [Estimate(100, wins, 5, {2: 10, 9: wins - 10}, 100 * gain, squares) for _ in judged.position.discards]
    drawn = playing_html(judged, known, playing=True)
    ElementTree.fromstring(drawn)
    return re.sub(r"<svg.*?</svg>|<[^>]+>", "", drawn)


def test_the_deals_played_on_are_told_with_their_error_and_what_they_rest_on() -> None:
    told = played("R1 R2 R3 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 R9", wins=40, gain=0)
    assert "You win 40% of the deals, give or take 5%; 10% within your next 5 draws." in told
    assert "100 deals simulated, with four players" in told and "just begun. More are being played" in told
    far = played("R1 R2 R3 | K5 B5 Y5 | B7 B8 B9 K13 / Y10 Y11 Y12 R9 K2", wins=40, gain=0)
    assert far.count("You win") + far.count("you win") == 3


def test_the_double_is_weighed_against_winning_now() -> None:
    winning = "R1 R2 R3 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13 | R9"
    told = played(winning, wins=60, gain=1.2)
    assert "Winning now gains you 2.0 points on each opponent" in told
    assert "gains 1.2 on average, give or take 0.1: you still win 60% of the deals, 5% with an okey as the last tile" in told
    assert "So win now." in told
    assert "neither is clearly better" in played(winning, wins=90, gain=1.9)
    assert "So waiting is worth more." in played(winning, wins=95, gain=2.5)
    with speaking("tr"):
        assert "1,2 puan" in played(winning, wins=60, gain=1.2)


def test_nothing_is_drawn_where_nothing_is_played_on() -> None:
    judged = judge(Hand(reading_of("R1 R2 R3 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 R9", "K11")))
    assert "Deals are being played on" in playing_html(judged, (), playing=True)
    assert playing_html(judged, (), playing=False) == ""
