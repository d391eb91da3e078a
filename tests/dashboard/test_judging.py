"""What the page says of a hand: a verdict, or the one sentence about what is missing."""

from dataclasses import replace

import pytest

from assistant.dashboard import texts
from assistant.dashboard.hand import Hand
from assistant.dashboard.judging import Judged, dispute, judge, seen_in_photo
from assistant.rules import CLASSIC, rules_named
from assistant.tiles import Tile, parse_tiles
from tests.dashboard.readings import reading_of

WIN = "R1 R2 R3 | K5 B5 Y5 | B7 B8 B9 B10 / Y10 Y11 Y12 Y13"


def judged(rack: str, indicator: str = "K11", table: str = "") -> Judged:
    return judge(Hand(reading_of(rack, indicator, table)))


def test_a_win() -> None:
    said = judged(WIN)
    assert (said.headline, said.text) == ("This hand wins", "With sets and runs.")


def test_a_win_with_fifteen_names_the_discard() -> None:
    assert judged(WIN + " | R9").text == "With sets and runs. Discard red 9."


def test_an_okey_to_discard_counts_more() -> None:
    assert judged(WIN + " | K12").text == "With sets and runs. Discard the okey, black 12: as the last tile it counts more."


def test_seven_pairs() -> None:
    assert judged("R1 R1 R5 R5 K3 K3 B9 B9 Y2 Y2 Y7 Y7 J J").text == "With seven pairs."


def test_one_tile_away() -> None:
    said = judged(WIN.replace("Y13", "R9"))
    assert said.headline == "One tile from a win"
    assert said.verdict is not None and "Y13" in {str(out.tile) for out in said.verdict.outs}


@pytest.mark.parametrize(
    ("rack", "indicator", "sentence"),
    [
        ("", "", "No tiles were found: take the photo from closer with the whole rack in it, or add the tiles by hand."),
        ("R1 " * 40, "K11", "40 tiles were read: a hand has 14, or 15 before the discard: take a photo of one rack only."),
        (WIN.replace("R1", "?"), "K11", "One tile could not be read: tap the tile with the question mark and say what it is."),
        (WIN.replace("R1 R2", "? ?"), "K11", "2 tiles could not be read: tap each tile with a question mark and say what it is."),
        (WIN.replace("R1", "#"), "K11", "One tile lies face down: tap it, and say what it is or that it is not in the hand."),
        (WIN, "", "The indicator is not known, so nobody knows the okey: tap “Pick the indicator”."),
        (WIN, "?", "The indicator must be a tile with a number: tap it and say which one it is."),
        (WIN, "J", "The indicator must be a tile with a number: tap it and say which one it is."),
        (WIN.replace("R1 ", ""), "K11", "13 tiles are here: a hand has 14, or 15 before the discard: add the missing one."),
        ("R1", "K11", "1 tile is here: a hand has 14, or 15 before the discard: add the missing 13."),
        ("R1", "", "1 tile is here: a hand has 14, or 15 before the discard: add the missing 13, and tap “Pick the indicator”."),
        (
            WIN + " R8 R9",
            "J",
            "16 tiles are here: a hand has 14, or 15 before the discard: remove 1, and tap the indicator and say which tile with a number "
            "it is.",
        ),
        (WIN + " R8 R9", "K11", "16 tiles are here: a hand has 14, or 15 before the discard: remove 1."),
    ],
)
def test_what_cannot_be_judged_gets_one_sentence(rack: str, indicator: str, sentence: str) -> None:
    said = judged(rack, indicator)
    assert (said.headline, said.text) == ("", sentence)


def test_three_copies_are_named() -> None:
    said = judged("R9 R9 R9 " + WIN.replace("R1 R2 R3 | ", ""))
    assert said.headline == ""
    assert said.text.startswith("3 copies of red 9 are given")


def test_another_number_of_tiles_is_arranged_all_the_same() -> None:
    verdict = judged("R1 R2 R3 K9").verdict
    assert verdict is not None
    assert [[str(placed) for placed in group] for group in verdict.arrangement] == [["R1", "R2", "R3"]]


def test_a_verdict_on_doubtful_tiles_says_so() -> None:
    doubtful = Hand(reading_of(WIN, "K11", doubtful="K11 Y13"))
    assert judge(doubtful).caution == "2 tiles are in doubt: check the amber ones."
    checked = doubtful.changed(doubtful.tiles[-1].key, doubtful.tiles[-1].tile).with_indicator(Tile.parse("K11"))
    assert judge(checked).caution == ""


def test_fifteen_tiles_that_do_not_win_get_every_discard_with_its_reason() -> None:
    said = judged(WIN.replace("Y13", "R9 K2"))
    assert said.verdict is not None
    assert said.text == f"Discard {texts.tile_name(said.choices[0].discard)}."
    assert len(said.choices) == 15
    reasons = {str(choice.discard): texts.reason(choice, said.choices[0]) for choice in said.choices}
    helping = "14 unseen tiles win: red 4 ×2, red 5 ×2, black 12 ×2"
    assert reasons["R9"].replace("\N{NO-BREAK SPACE}", " ").startswith(f"Keeps you one tile from a win; {helping}")
    assert reasons["R9"].endswith("You win within your next 3 draws with a chance of 40%.")
    assert reasons["B8"].startswith("Sets you back to 2 tiles from a win; ")


def test_what_was_discarded_cannot_be_drawn() -> None:
    hand = Hand(reading_of(WIN.replace("Y13", "R9"), "K11"))
    waiting = judge(hand, discards=parse_tiles("R4 R4 R5")).waiting
    assert waiting is not None
    helps = {str(out.tile): out.unseen for out in waiting.helps}
    assert "R4" not in helps and helps["R5"] == 1


def test_what_lies_on_the_table_in_the_photo_counts_as_seen_if_it_was_read_for_sure() -> None:
    hand = Hand(reading_of(WIN.replace("Y13", "R9"), "K11", table="R4 R1 B9 R5 # ?", doubtful="R5"))
    assert seen_in_photo(hand) == parse_tiles("R4 R1 B9")
    assert seen_in_photo(hand, parse_tiles("R4 R4")) == parse_tiles("R1 B9"), "no third copy of a tile"
    judged_now = judge(hand)
    assert judged_now.waiting is not None
    assert {str(out.tile): out.unseen for out in judged_now.waiting.helps}["R4"] == 1


def test_the_indicator_picked_by_its_face_is_the_tile_on_the_table_and_no_second_one() -> None:
    photo = Hand(reading_of(WIN.replace("Y13", "R9"), table="K11 R4"))
    assert seen_in_photo(photo.with_indicator(Tile.parse("K11"))) == parse_tiles("R4")
    assert seen_in_photo(photo.with_indicator(Tile.parse("K11"), "14")) == parse_tiles("R4"), "tapped in the photo"
    twins = Hand(reading_of(WIN.replace("Y13", "R9"), "K11", table="K11 R4"))
    assert seen_in_photo(twins) == parse_tiles("K11 R4")


def test_a_win_says_what_waiting_for_the_double_would_bring() -> None:
    said = judged(WIN + " | R9")
    assert said.finish is not None
    sentence = texts.okey_finish(said.finish)
    assert "discard red 9, and 2 unseen tiles win: black\N{NO-BREAK SPACE}12\N{NO-BREAK SPACE}×2" in sentence
    assert judged(WIN + " | K12").finish is None, "its last tile is an okey already"


@pytest.mark.parametrize(
    ("tiles", "rules", "said", "waits"),
    [
        ("R1 R2 R3 R4 R5 R6 R7 R2 R3 R4 R5 R6 R7 R8 K12", "favorite", "With seven pairs. Discard red 1.", True),
        ("R1 R2 R3 R4 R5 R6 R7 R2 R3 R4 R5 R6 R7 R8 K12", "classic", "With sets and runs. Discard the okey, black 12: as the last", False),
        ("R1 R2 R3 R4 R6 R7 R8 R9 R10 R11 R12 R13 R1 R9 K12", "favorite", "With the one-colour run. Discard red 9.", False),
        (
            "R1 R2 R3 R4 R6 R7 R8 R9 R10 R11 R12 R13 R1 R9 K12",
            "classic",
            "With sets and runs. Discard the okey, black 12: as the last",
            False,
        ),
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R1 K12", "nostalji", "With the one-colour run. Discard black 12.", False),
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R1 K3", "nostalji", "With the one-colour run. Discard black 3.", False),
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R1 K3", "favorite", "With the one-colour run. Discard black 3.", True),
        ("R1 R2 R3 R4 K12 R6 R7 R8 R9 R10 R11 R12 R13 R1 K3", "favorite", "With the one-colour run. Discard black 3.", False),
    ],
)
def test_the_dearest_win_is_advised_and_waiting_only_for_a_dearer_one(tiles: str, rules: str, said: str, waits: bool) -> None:
    found = judge(Hand(reading_of(tiles, "K11")), rules_named(rules))
    assert found.text.startswith(said)
    assert (found.finish is not None) == waits


def test_a_one_colour_run_is_shown_in_one_line_where_it_counts() -> None:
    tiles = "R1 K12 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13"
    verdicts = [judge(Hand(reading_of(tiles, "K11")), rules_named(rules)).verdict for rules in ("nostalji", "classic")]
    laid = [[" ".join(map(str, group)) for group in verdict.arrangement] for verdict in verdicts if verdict is not None]
    assert laid[0] == ["R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 K12=R1"]
    assert len(laid[1]) > 1


def disputed(rack: str, strict: bool = True) -> tuple[str, list[str | None]]:
    """What is said of a shown hand, and why each refused group is none."""
    judgement = dispute(Hand(reading_of(rack, "K11")), replace(CLASSIC, strict_layout=strict)).judgement
    assert judgement is not None
    as_laid = all(group.kind for group in judgement.groups)
    return texts.judgement(judgement, as_laid), [group.reason and str(group.reason) for group in judgement.groups]


def test_a_shown_hand_is_valid_as_it_lies() -> None:
    assert disputed(WIN) == ("With sets and runs.", [None] * 4)


def test_a_hand_laid_in_the_wrong_order_is_refused_unless_the_table_lets_it_pass() -> None:
    wrong = WIN.replace("R1 R2 R3 | K5", "R1 R2 | R3 K5")
    said, reasons = disputed(wrong)
    assert said.startswith("Group 1 is no set and no run: a pair needs two identical tiles: red 1 and red 2 differ. Laid in another order")
    assert reasons[1] == "a run needs one colour and a set one number: these tiles share neither"
    assert disputed(wrong, strict=False)[0].startswith("With sets and runs. It does not lie group by group")


@pytest.mark.parametrize("strict", [True, False])
def test_a_hand_refused_for_its_fifteenth_tile_is_told_which_belongs_there(strict: bool) -> None:
    right = "R1 R2 R3 | K4 K5 K6 K7 | B9 B10 B11 | Y1 Y2 Y3 Y4 | Y9"
    assert disputed(right, strict)[0] == "With sets and runs."
    assert disputed(right.replace("Y4 | Y9", "Y9 | Y4"), strict)[0].endswith(
        "With yellow 9 on the indicator, and yellow 4 in the hand, the same tiles win."
    )
    assert disputed(right.replace("Y4 | Y9", "Y4 Y9"), strict)[0].endswith("With yellow 9 by itself, on the indicator, the same tiles win.")


def test_a_shown_hand_that_cannot_win_says_so() -> None:
    assert disputed(WIN.replace("Y13", "R9"))[0].endswith("These tiles do not win in any other order.")


def test_a_shown_hand_that_cannot_be_judged_gets_one_sentence() -> None:
    assert dispute(Hand(reading_of(WIN.replace("Y13", "R9")))).problem == texts.indicator_unknown(), "it wins if red 9 is the okey"
    assert dispute(Hand(reading_of(WIN.replace("Y13", "J"), "?"))).problem == texts.indicator_without_number()
    assert "3 copies of red 1" in dispute(Hand(reading_of("R1 R1 R1", "K11"))).problem
    for indicator in ("K11", ""):
        short = dispute(Hand(reading_of(WIN.replace("R1 ", ""), indicator)))
        assert short.problem == "13 tiles are here: a hand has 14, or 15 before the discard: add the missing one."
        assert short.judgement is None, "a tile may have been missed in the photo"


@pytest.mark.parametrize("indicator", ["", "?"])
def test_a_shown_hand_needs_no_indicator_if_it_is_judged_so_whichever_it_is(indicator: str) -> None:
    said = dispute(Hand(reading_of(WIN, indicator)))
    assert said.judgement is not None and said.judgement.win == "melds"
    assert said.caution.startswith(texts.whatever_indicator())
    doubtful = dispute(Hand(reading_of(WIN, doubtful="R2")))
    assert doubtful.caution == f"{texts.whatever_indicator()} {texts.in_doubt(1)}"
    assert not dispute(Hand(reading_of(WIN, "K11"))).caution


def test_what_is_played_on_from_goes_with_the_verdict() -> None:
    waiting = judged(WIN.replace("Y13", "R9")).position
    assert waiting is not None and (len(waiting.tiles), waiting.discards) == (14, (None,))
    far = judged(WIN.replace("Y13", "R9 K2"), table="R4")
    assert far.position is not None
    assert far.position.discards == tuple(choice.discard for choice in far.choices[:3])
    assert far.position.seen == (Tile.parse("R4"),)
    winning = judged(WIN + " | R9")
    assert winning.position is not None and winning.finish is not None
    assert (winning.position.discards, winning.gain) == ((winning.finish.discard,), 2)
    assert judged(WIN).position is None and judged(WIN + " | K12").position is None, "nothing is left to be weighed"
