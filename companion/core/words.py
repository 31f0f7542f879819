"""Sentences for people: written in English where they are made, translated where they are shown
(presentation/language.py).

    phrase("{seat} is out", seat="Anna")                      Anna is out
    counted("1 tile", "{number} tiles", 3)                    3 tiles
    mark("Who leads?")                                        the text as it is, for phrase() later

`make words` finds these calls and lists their texts for translators, so each text must stand in the
call, not in a variable. Sentences that are put together by other means stay English.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import combinations
from typing import Final, Self
from unicodedata import combining, normalize

from companion.core.values import Json

# ---------------------------------------------------------------- order
# The order in which people look for names in a list.


NUMBER: Final = re.compile(r"([0-9]{1,15})")


def name_sort_key(name: str) -> tuple[tuple[str | int, ...], str]:
    """The sort key for a list of names: it sorts Óscar under O, and Table 2 before Table 10."""
    letters = "".join(one for one in normalize("NFKD", name) if not combining(one))
    parts = NUMBER.split(letters.casefold())
    return tuple(int(one) if at % 2 else one for at, one in enumerate(parts)), name


# ---------------------------------------------------------------- words


class Sentence(str):
    """English text that keeps its parts, so that it can be translated: the `template`, with the
    names of its `parts` in braces. A part may be a sentence itself. `context` distinguishes
    messages with the same English, and is their key for other programs. `plural` is the template
    for any number but one; `number` is the number that chooses between them."""

    __slots__ = ("context", "number", "parts", "plural", "template")
    template: str
    parts: Mapping[str, object]
    context: str | None
    plural: str | None
    number: int

    def __new__(cls, template: str, /, **parts: object) -> Self:
        return cls.made(template, parts)

    @classmethod
    def made(
        cls,
        template: str,
        parts: Mapping[str, object],
        context: str | None = None,
        plural: str | None = None,
        number: int = 1,
    ) -> Self:
        """Returns the sentence with these parts; raises KeyError if a part of the template is
        missing."""
        english = template if plural is None or number == 1 else plural
        text = filled(english, parts) if parts or "{" in english else english
        found = super().__new__(cls, text)
        found.template, found.parts, found.context = template, parts, context
        found.plural, found.number = plural, number
        return found


def filled(template: str, parts: Mapping[str, object]) -> str:
    """The template with its parts filled in. Parts with right-to-left letters are isolated, unless
    the template is nothing but one part. Raises KeyError if a part is missing."""
    text = template.format_map(parts)
    if not has_right_to_left(text) or _ONE_PART.fullmatch(template):
        return text
    return template.format_map(
        {name: isolated(part) if isinstance(part, str) else part for name, part in parts.items()}
    )


_ONE_PART: Final = re.compile(r"\{\w+\}")


class Capital(Sentence):
    """A sentence that begins with a capital in every language, even if it begins with a part."""

    __slots__ = ()


class AsWritten(str):
    """A name in a sentence that is shown exactly as it is written."""

    __slots__ = ()


def phrase(template: str, /, **parts: object) -> Sentence:
    """The sentence with its parts filled in."""
    return Sentence.made(template, parts)


def counted(one: str, many: str, number: int, /, **parts: object) -> Sentence:
    """Returns the sentence for a number: `one` for 1, `many` for any other number. `{number}` in
    either text is replaced with the number."""
    return Sentence.made(one, {"number": number, **parts}, None, many, number)


def sentence_json(sentence: Sentence) -> Json:
    """The sentence as JSON for another program of the box, which translates it. Its parts become
    numbers, text or sentences; its context is left out."""
    said: Json = {
        "say": sentence.template,
        "parts": {name: _part_json(part) for name, part in sentence.parts.items()},
    }
    if sentence.plural is not None:
        said |= {"plural": sentence.plural, "number": sentence.number}
    return said


def _part_json(part: object) -> object:
    if isinstance(part, Sentence):
        return sentence_json(part)
    return part if isinstance(part, int | float) else str(part)


def sentence_in(value: object) -> Sentence | None:
    """The sentence that another program wrote with `sentence_json`; None if `value` is anything
    else."""
    with suppress(ValueError, LookupError, TypeError, AttributeError):
        match value:
            case {"say": str(one), "parts": dict(parts), "plural": str(many), "number": int(n)}:
                return Sentence.made(one, _parts_in(parts), None, many, n)
            case {"say": str(template), "parts": dict(parts)}:
                return Sentence.made(template, _parts_in(parts))
    return None


def _parts_in(parts: Mapping[str, object]) -> Mapping[str, object]:
    return {name: sentence_in(part) or part for name, part in parts.items()}


def capital(sentence: Sentence) -> Capital:
    """The sentence with a capital at its beginning."""
    found = str.__new__(Capital, sentence[:1].upper() + sentence[1:])
    found.template, found.parts, found.context = sentence.template, sentence.parts, sentence.context
    found.plural, found.number = sentence.plural, sentence.number
    return found


def mark(template: str) -> str:
    """Returns the template as it is, and marks it for translators. For templates in a table, which
    are passed to `phrase` later."""
    return template


def listed(parts: Iterable[object], between: str = ", ", last: str | None = None) -> str:
    """Joins several words or sentences into one text, separated by `between`: a, b, c. `last` is
    the separator before the last one, as in “a, b and c”."""
    found = list[object]()
    for part in parts:
        found += [between, part] if found else [part]
    if last is not None and len(found) > 1:
        found[-2] = last
    if last is None and not any(isinstance(part, str) for part in found[::2]):
        return "".join(map(str, found))
    named = {f"part{number}": part for number, part in enumerate(found)}
    return Sentence.made("".join(f"{{{name}}}" for name in named), named)


ORDINALS = {1: mark("{number}st"), 2: mark("{number}nd"), 3: mark("{number}rd")}
OTHER_ORDINAL = mark("{number}th")


def ordinal(number: int) -> Sentence:
    """The number as an ordinal: 1st, 2nd, 3rd, 4th …, 21st."""
    last = number % 10 if number // 10 % 10 != 1 else 0
    return phrase(ORDINALS.get(last, OTHER_ORDINAL), number=number)


OR, AND = phrase(" or "), phrase(" and ")
"""Separators for the last of several (`listed`)."""


# ---------------------------------------------------------------- names
# People's names: how they are kept, when two are the same, and how they appear in a sentence.
#
# Keyboards differ: one sends é as one character, another as e and an accent. `composed` gives both
# the same form, in which every new name is stored. Names stored before in another form stay as they
# are; `same_name` compares them correctly.


JOINERS: Final = frozenset("\u200c\u200d")
"""Zero-width characters that join or separate the letters beside them, as Persian and Indian
scripts and some emoji need them."""
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
    """The name in Unicode's composed form, NFC, in which names are stored."""
    return name if name.isascii() else normalize("NFC", name)


def same_name(one: str, other: str) -> bool:
    """Whether two names are equal, even if their letters are encoded differently."""
    return one == other or composed(one) == composed(other)


def case_folded(name: str) -> str:
    """The name's letters without case, for comparing people's names: two names with the same
    letters belong to one person."""
    return composed(name).casefold()


def known_spelling(name: str, known: Iterable[str]) -> str:
    """The name in the spelling of the `known` names; if it isn't one of them, its composed form."""
    known = tuple(known)
    if name in known:
        return name
    return next((one for one in known if same_name(one, name)), composed(name))


def look_alike(one: str, other: str) -> bool:
    """Whether two names look the same apart from case, joiners, and _ for a space, which people
    easily overlook. Two players with such names may be one person."""
    return _lookalike_key(one) == _lookalike_key(other)


def _lookalike_key(name: str) -> str:
    return normalize("NFKC", name.translate(_MARKS_ONLY)).casefold().replace("_", " ")


def find_lookalikes(names: Iterable[str]) -> tuple[str, str] | None:
    """The first two names that look the same; None if all look different."""
    return next((pair for pair in combinations(names, 2) if look_alike(*pair)), None)


def is_visible_text(text: str) -> bool:
    """Whether the text has only visible characters, spaces, and joiners between two visible
    characters."""
    if text.isprintable():
        return True
    return _BETWEEN_LETTERS.sub("", text).isprintable()


# ---------------------------------------------------------------- in a sentence


def isolated(part: str) -> str:
    """Returns the part of a sentence. If it has right-to-left letters, it is enclosed in two marks,
    so that it doesn't change the order of the words and numbers beside it."""
    if part.isascii() or ISOLATE in part or not has_right_to_left(part):
        return part
    return f"{ISOLATE}{part}{END_OF_ISOLATE}"


def has_right_to_left(text: str) -> bool:
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def without_marks(text: str) -> str:
    """The text without joiners, isolates and other zero-width characters, for displays that draw
    one character after another."""
    return text if text.isascii() else text.translate(_MARKS_ONLY)
