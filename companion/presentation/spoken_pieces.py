"""Splits sentences into pieces, each of which has its own clip: numbers, names, the words between
them, and tiles as players call them. An ending that follows a name without a space belongs to it:
“Blue's”.
"""

import re
from collections.abc import Iterable, Iterator
from string import Formatter
from typing import Final

from companion.core.words import ORDINALS, OTHER_ORDINAL, Sentence
from companion.presentation.language import Language
from companion.presentation.sayings import SAYINGS, words_of

SPOKEN: Final = (
    "entry.", "pays", "heard.", "asks.", "notice.", "claim", "verdict.", "ruling.", "voice.",
    "news.", "by.", "change", "tile.half-", "tile.double-",
)  # fmt: skip
"""The beginnings of the keys of all sayings that a voice speaks (presentation/voice.py)."""
NUMBERS: Final = (*range(51), *range(55, 251, 5))
"""The numbers whose clips are made beforehand: counts, payments, and scores of most games."""
_NOT_SPOKEN: Final = " \n,;:.!?¿¡“”„»«‘’'…→·()"
_ENDING: Final = re.compile(r"['’]\w+")
"""An ending that is joined to a name, such as the English “'s”."""
_ORDINALS: Final = {*ORDINALS.values(), OTHER_ORDINAL}
MAX_ORDINAL: Final = 10
"""The highest ordinal that the catalogues have as a word: espeak-ng doesn't read “2.º” or “2.”
alone as an ordinal."""
_WORDS_OR_NUMBER: Final = re.compile(r"\b\d{1,2}-\d{1,2}\b|\d+|[^\d]+?(?=\d|$)")
_TILE: Final = re.compile(r"(\d{1,2})-(\d{1,2})")
_HIGHEST_NAMED: Final = 6
"""The highest half that players have a name for; halves of larger sets are spoken as numbers."""


def pieces_of(text: str, language: Language) -> list[str]:
    """Returns the pieces of a sentence or a name in this language, in order."""
    parts = list[str]()
    for part in _filled_parts(text, language):
        ending = _ENDING.match(part) if parts else None
        if ending:
            parts[-1] += ending[0]
        parts.append(part[ending.end() :] if ending else part)
    return [piece for part in parts if (piece := _without_punctuation(part))]


def _filled_parts(text: str, language: Language) -> Iterator[str]:
    if not isinstance(text, Sentence):
        yield from _words_and_tiles(language.translate(text), language)
        return
    number = text.parts.get("number")
    if text.template in _ORDINALS and number in range(1, MAX_ORDINAL + 1):
        key = f"voice.ordinal-{number}"
        yield language.template(SAYINGS[key], key)
        return
    template = language.template(text.template, text.context, text.plural, text.number)
    for words, name, _, _ in Formatter().parse(template):
        yield words
        if name is None:
            continue
        part = text.parts.get(name)
        if isinstance(part, int) and not isinstance(part, bool):
            yield str(part)
        elif isinstance(part, str):
            yield from _filled_parts(part, language)
        else:
            yield from _words_and_tiles(
                language.translate(Sentence.made("{part}", {"part": part})), language
            )


def _words_and_tiles(text: str, language: Language) -> Iterator[str]:
    for part in _WORDS_OR_NUMBER.findall(text):
        tile = _TILE.fullmatch(part)
        yield from _tile_pieces(int(tile[1]), int(tile[2]), language) if tile else (part,)


def _tile_pieces(one: int, other: int, language: Language) -> Iterator[str]:
    """Yields a tile as players call it: “double five”, or its halves, the higher one first."""
    high, low = max(one, other), min(one, other)
    if high == low <= _HIGHEST_NAMED:
        yield _tile_word(f"tile.double-{high}", language)
        return
    for half in (high, low):
        yield _tile_word(f"tile.half-{half}", language) if half <= _HIGHEST_NAMED else str(half)


def _tile_word(key: str, language: Language) -> str:
    return language.template(SAYINGS[key], key)


def _without_punctuation(part: str) -> str:
    """Returns the part without the punctuation around it; empty if no letter or digit is left."""
    words = part.strip(_NOT_SPOKEN)
    return words if any(map(str.isalnum, words)) else ""


def pieces_of_names(names: Iterable[str], language: Language) -> list[str]:
    """Returns the pieces that are needed to speak these people's names, alone and in the sentence
    about whose turn it is, such as “Blue's”."""
    found = dict[str, None]()
    for name in names:
        found |= dict.fromkeys(pieces_of(words_of("asks.turn", seat=name), language))
        found |= dict.fromkeys(pieces_of(name, language))
    return [*found]


def all_pieces(language: Language) -> list[str]:
    """Returns all pieces that a voice may speak except names; their clips are made beforehand."""
    found = dict.fromkeys(map(str, NUMBERS))
    for key, english in SAYINGS.items():
        if key.startswith(SPOKEN):
            template = language.template(english, key)
            spoken = (_without_punctuation(words) for words, _, _, _ in Formatter().parse(template))
            found |= dict.fromkeys(filter(None, spoken))
    return [*found]
