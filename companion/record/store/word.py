"""A check word: five letters over a game's own rows, short enough to note on the score sheet.

What a card has lost without a trace, such as the newest rows and their copies, no program can find.
People can: if the game has another word than they noted, it has other rows.
"""

import hashlib
from collections.abc import Iterable, Iterator

CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"
"""Sixteen and four, so that a word has sixteen bits: of 65,536 losses one is not noticed."""


def check_word(hashes: Iterable[bytes]) -> str:
    """The word of a game whose rows have these hashes, in their order; as in “lupod”."""
    number = int.from_bytes(hashlib.sha256(b"".join(hashes)).digest()[:2], "big")
    return "".join(_letters(number))


def words_so_far(hashes: Iterable[bytes]) -> Iterator[str]:
    """The word that the game had after each of its rows."""
    so_far = b""
    for one in hashes:
        so_far += one
        yield check_word([so_far])


def _letters(number: int) -> Iterator[str]:
    for place, letters in enumerate((CONSONANTS, VOWELS) * 2 + (CONSONANTS,)):
        shift = (12, 10, 6, 4, 0)[place]
        yield letters[number >> shift & len(letters) - 1]
