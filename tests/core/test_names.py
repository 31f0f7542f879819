"""Names as people's keyboards send them: composed or not, with joiners, from right to left."""

import pytest

from companion.core.words import (
    composed,
    is_visible_text,
    isolated,
    known_spelling,
    listed,
    look_alike,
    phrase,
    same_name,
)
from companion.presentation.language import language_of

JOSE, JOSE_IN_PARTS = "José", "Jose\u0301"
HEBREW = ("שרה", "דוד", "רות")


def test_composed_and_decomposed_names_are_the_same() -> None:
    assert JOSE != JOSE_IN_PARTS
    assert same_name(JOSE, JOSE_IN_PARTS)
    assert composed(JOSE_IN_PARTS) == JOSE
    assert not same_name("Jose", JOSE)
    assert known_spelling(JOSE, ["Anna", JOSE_IN_PARTS]) == JOSE_IN_PARTS, "as it is kept"
    assert known_spelling(JOSE_IN_PARTS, [JOSE_IN_PARTS, JOSE]) == JOSE_IN_PARTS
    assert known_spelling(JOSE_IN_PARTS, ["Anna"]) == JOSE


@pytest.mark.parametrize("name", ["علی\u200cرضا", "क्\u200dष", "👩\u200d🚀", "❤\ufe0f"])
def test_joiners_between_letters_are_allowed_in_a_name(name: str) -> None:
    assert is_visible_text(name)


@pytest.mark.parametrize(
    "name", ["\u200cAnna", "Anna\u200d", "An\u200c\u200cna", "An\u200bna", "\u202eAnna", "A\x00"]
)
def test_names_with_invisible_characters_are_not_visible_text(name: str) -> None:
    assert not is_visible_text(name)


def test_lookalike_names_are_found() -> None:
    assert look_alike("Anna", "anna") and look_alike("Anna", "An\u200cna")
    assert look_alike(JOSE, JOSE_IN_PARTS.upper())
    assert not look_alike("Anna", "Ana")


def test_right_to_left_names_do_not_change_the_order_of_a_sentence() -> None:
    said = phrase("Clockwise: {names}", names=listed(HEBREW))
    assert said == "Clockwise: " + ", ".join(f"\u2068{name}\u2069" for name in HEBREW)
    german = language_of("de")
    turn = phrase("{seat}'s turn", seat=HEBREW[0])
    assert f"\u2068{HEBREW[0]}\u2069" in turn
    assert german.translate(phrase("{name}", name=HEBREW[0])) == HEBREW[0], (
        "alone it needs no marks"
    )
    assert isolated("Anna") == "Anna"
    assert isolated(isolated(HEBREW[0])).count("\u2068") == 1
