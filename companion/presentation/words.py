"""Words that several pictures share."""

from functools import cache
from typing import Final
from unicodedata import east_asian_width

from companion.core.words import counted, mark, phrase

WIDE: Final = "MWmw@%"
"""Letters of most alphabets that need the room of 1.6 usual ones in bold."""
NOT_PLACED = mark("{tiles} whose place is not known.")


def tiles_in_words(number: int) -> str:
    """no tile, 1 tile, 12 tiles"""
    return counted("1 tile", "{number} tiles", number) if number else phrase("no tile")


def not_placed(number: int) -> str:
    """The sentence on tiles whose place the record doesn't know; none for 0."""
    return phrase(NOT_PLACED, tiles=tiles_in_words(number)) if number else ""


def cut(words: str, letters: float) -> str:
    """The words, or as much of them as fits into the room of so many usual letters."""
    return words if _room(words) <= letters else f"{_beginning(words, letters - 1)}…"


def in_lines(words: str, letters: float) -> list[str]:
    """The words in lines that each have the room of so many usual letters, broken between words, or
    in a word that is longer than a line."""
    lines = list[str]()
    for word in words.split():
        rest = word
        if lines and _room(f"{lines[-1]} {word}") <= letters:
            lines[-1] += f" {word}"
            continue
        while _room(rest) > letters:
            lines.append(_beginning(rest, letters) or rest[0])
            rest = rest[len(lines[-1]) :]
        lines += [rest] if rest else []
    return lines


def _beginning(words: str, letters: float) -> str:
    """As much of the words as fits."""
    end = 0
    while end < len(words) and _room(words[: end + 1]) <= letters:
        end += 1
    return words[:end]


def _room(words: str) -> float:
    """The room that the words need; letters of East Asia need that of two usual ones."""
    return sum(map(_letter_room, words))


@cache
def _letter_room(letter: str) -> float:
    return 2 if east_asian_width(letter) in "WF" else 1.6 if letter in WIDE else 1
