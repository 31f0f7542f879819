"""Evidence in sentences."""

import pytest

from companion.core.words import ordinal
from companion.games.bogus.verdict import judge
from companion.presentation.line.sayings import evidence_in_words
from tests.playing import TextGame, table

IF = "If the entries are right: "


def told(said: TextGame, number: int) -> str:
    hand = said.state.board.hand
    turn = hand.turns[number - 1]
    return evidence_in_words(hand, turn, judge(said.state.board.watched, turn))


@pytest.mark.parametrize(("number", "word"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th")])
def test_ordinals_are_words_up_to_ten(number: int, word: str) -> None:
    assert ordinal(number) == word


def test_all_draws_and_the_play_of_a_turn_share_its_number() -> None:
    said = table().say("hand\nRed 6-6\nBlue draw\nBlue draw\nBlue 6-3\nRed pass\nBlue pass")
    hand = said.state.board.hand
    assert [hand.table_turn_number(turn) for turn in hand.turns] == [1, 1, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("lines", "turn", "sentence"),
    [
        (
            "Blue pass\nRed 6-5\nBlue 3-6",
            2,
            IF + "Blue held 3-6 when passing on the 1st turn: it has come out since, "
            "and was not drawn since.",
        ),
        (
            "Blue draw\nBlue 3-6\nRed draw\nRed pass\nBlue 6-4",
            2,
            IF + "Blue had 3-6, 4-6 after drawing on the 1st turn, with one draw "
            "since: one of them was held then.",
        ),
        (
            "Blue draw\nBlue return\nBlue draw",
            3,
            IF + "Blue gave a tile back as drawn by mistake, and then drew again.",
        ),
        (
            "Blue draw\nBlue return\nBlue pass",
            3,
            IF + "Blue gave a tile back as drawn by mistake, and then passed.",
        ),
        (
            "Blue pass\nRed ends 3 6 6\nBlue ends 3 5",
            2,
            IF + "Blue held 5-6 when passing on the 1st turn: it has come out since, "
            "and was not drawn since.",
        ),
        (
            "Blue draw\nBlue return",
            2,
            IF + "The tile that Blue drew went back in time: that is forgiven.",
        ),
        (
            "Blue pass\nRed draw 28",
            2,
            "Tiles were miscounted in this hand, or the table insisted on a play: nothing can be "
            "proven.",
        ),
        (
            "Blue pass",
            2,
            IF + "Blue may have held 0-6, 1-6, 2-6, 3-6, 4-6, 5-6 when passing on the 1st turn.",
        ),
    ],
)
def test_verdicts_have_sentences_with_their_evidence(lines: str, turn: int, sentence: str) -> None:
    assert told(table().say("hand\nRed 6-6\n" + lines), turn) == sentence


def test_evidence_holds_for_every_reading_of_ambiguous_plays() -> None:
    said = table().say(
        "hand\nRed count 6\nBlue ends 0 3 3\nRed draw\nRed ends 0 5\nBlue ends 0 0 5\nRed count 9"
    )
    assert told(said, 3) == (
        IF + "When drawing on the 2nd turn, Red held a tile that fits, whichever tiles were laid."
    )


def test_evidence_leaves_out_withheld_tiles() -> None:
    said = table().say("hand\nRed 6-6\nBlue pass\nbogus Blue\nBlue holds 1-2 3-4")
    assert told(said, 2) == (
        IF + "Blue showed fewer tiles than were counted: one that fits may be among the others."
    )
