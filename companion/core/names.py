"""People's names: how they are kept, when two are the same, and how they stand in a sentence.

A name may come from any keyboard. One sends é as one character, another as e and an accent:
`composed` gives both the same form, in which every new name is kept. Names that are kept already
stay as they are; `same_name` compares them all the same.
"""

import re
from collections.abc import Iterable
from itertools import combinations
from typing import Final
from unicodedata import normalize

JOINERS: Final = frozenset("\u200c\u200d")
"""Zero-width characters that join or part the letters beside them, as Persian and Indian scripts
and some emoji need them."""
ISOLATE, END_OF_ISOLATE = "\u2068", "\u2069"
_MARKS_ONLY: Final = dict.fromkeys(
    map(ord, (*JOINERS, ISOLATE, END_OF_ISOLATE, "\ufe0e", "\ufe0f"))
)
_BETWEEN_LETTERS: Final = re.compile(r"(?<=[^\s_\u200c\u200d])[\u200c\u200d](?=[^\s_\u200c\u200d])")
_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Hebrew, Arabic and the other scripts in Unicode's blocks for such letters."""


def composed(name: str) -> str:
    """The name in the form in which names are kept: Unicode's composed form, NFC."""
    return name if name.isascii() else normalize("NFC", name)


def same_name(one: str, other: str) -> bool:
    """Whether two names are one name, perhaps with other characters for the same letters."""
    return one == other or composed(one) == composed(other)


def known_as(name: str, known: Iterable[str]) -> str:
    """The name as it is written among the names that are `known`; if it isn't, its composed
    form."""
    known = tuple(known)
    if name in known:
        return name
    return next((one for one in known if same_name(one, name)), composed(name))


def look_alike(one: str, other: str) -> bool:
    """Whether two names look the same, as people easily overlook capitals, joiners, and _ for a
    space. Two players with such names may be one person."""
    return _without_details(one) == _without_details(other)


def _without_details(name: str) -> str:
    return normalize("NFKC", name.translate(_MARKS_ONLY)).casefold().replace("_", " ")


def find_lookalikes(names: Iterable[str]) -> tuple[str, str] | None:
    """The first two of the names that look the same; None: all look different."""
    return next((pair for pair in combinations(names, 2) if look_alike(*pair)), None)


def can_be_seen(text: str) -> bool:
    """Whether the text has only characters that can be seen, spaces, and joiners between two that
    can."""
    if text.isprintable():
        return True
    return _BETWEEN_LETTERS.sub("", text).isprintable()


# ---------------------------------------------------------------- in a sentence


def isolated(part: str) -> str:
    """Part of a sentence. If it has letters that are written from right to left, it stands between
    two marks, so that it doesn't change the order of the words and numbers beside it."""
    if part.isascii() or ISOLATE in part or not has_right_to_left(part):
        return part
    return f"{ISOLATE}{part}{END_OF_ISOLATE}"


def has_right_to_left(text: str) -> bool:
    """Whether the text has letters that are written from right to left."""
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def without_marks(text: str) -> str:
    """The text without joiners, isolates and other signs that have no width, for surfaces that draw
    sign after sign."""
    return text if text.isascii() else text.translate(_MARKS_ONLY)
