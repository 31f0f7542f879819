"""What people read is found for translators."""

import pytest

from companion.presentation.language import Language
from tests.made_up import MADE_UP, disguised
from tests.words import messages

MESSAGES = messages()


@pytest.mark.parametrize(
    ("said", "context"),
    [
        ("{seat} lays {tile}", "entry.lays"),
        ("A stick with games is here.", None),
        ("the rewind to {where}", None),
        ("{game} has no “{word}”", None),
        ("the disk is full", None),
    ],
)
def test_a_sentence_is_listed_wherever_it_is_said(said: str, context: str | None) -> None:
    assert MESSAGES.get(said, context) is not None


def test_a_made_up_language_says_everything_in_other_letters_and_half_as_long_again() -> None:
    assert disguised("Hello {seat}, press OK") == "Ĥēļļō {seat}, ƥŕēśś OK~~~~~~~~"
    assert disguised("{seat}") == "{seat}"


def test_nothing_said_in_no_letters_is_looked_up() -> None:
    assert Language().put("") == MADE_UP.put("") == ""
