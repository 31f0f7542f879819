"""Words that several drawings share, and how to fit words into a line."""

from functools import cache
from typing import Final
from unicodedata import combining, east_asian_width

from companion.core.words import counted, mark, phrase, without_marks

WIDE: Final = "MWmw@%"
"""Letters that need the room of 1.6 usual ones in bold."""
NOT_PLACED = mark("{tiles} whose place is not known.")


def tiles_in_words(number: int) -> str:
    """no tile, 1 tile, 12 tiles"""
    return counted("1 tile", "{number} tiles", number) if number else phrase("no tile")


def not_placed(number: int) -> str:
    """The sentence about tiles whose place the record doesn't know; empty for 0."""
    return phrase(NOT_PLACED, tiles=tiles_in_words(number)) if number else ""


def cut(words: str, letters: float) -> str:
    """The words; cut off with “…” if they need the room of more than `letters` usual letters."""
    return words if _room(words) <= letters else f"{_beginning(words, letters - 1)}…"


def in_lines(words: str, letters: float) -> list[str]:
    """The words in lines with room for `letters` usual letters each, broken between words, and
    within a word only if it is longer than a line."""
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
    """The beginning of the words, as much as fits into the room of `letters` usual letters."""
    end = 0
    while end < len(words) and _room(words[: end + 1]) <= letters:
        end += 1
    return words[:end]


def _room(words: str) -> float:
    """The room that the words need, in usual letters; an East Asian letter needs that of two."""
    return sum(map(_letter_room, words))


@cache
def _letter_room(letter: str) -> float:
    if not without_marks(letter) or combining(letter):
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1.6 if letter in WIDE else 1
