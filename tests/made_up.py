"""Languages for tests: one with given translations of a few sentences, and a made-up one with all
sentences."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from gettext import NullTranslations

from companion.presentation.language import Language
from tests.catalogues import catalogue_files, read

ACCENTED = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "āƀĉďēƒĝĥīĵķļɱńōƥɋŕśťūʋŵẋŷžĀɃĈĎĒƑĜĤĪĴĶĻṀŃŌƤɊŔŚŤŪɅŴẊŶŽ",
)
PARTS = re.compile(r"(\{[^}]*\})")
KEYS = re.compile(r"\b(OK|BACK|DRAW|PASS|MENU|BOGUS)\b")
"""Names of keys, which stay as they are labelled."""


class _Translations(NullTranslations):
    """Translates each message by a function of its context and its English."""

    def __init__(self, said: Callable[[str | None, str], str]) -> None:
        super().__init__()
        self._said = said

    def gettext(self, message: str) -> str:
        return self._said(None, message)

    def pgettext(self, context: str, message: str) -> str:
        return self._said(context, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self._said(None, msgid1 if n == 1 else msgid2)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return self._said(context, msgid1 if n == 1 else msgid2)


def speaking(known: Mapping[str | tuple[str, str], str]) -> Language:
    """A language that knows these messages; a message with a context has the key (context,
    English)."""

    def said(context: str | None, message: str) -> str:
        key = message if context is None else (context, message)
        return known.get(key, message)

    return Language("de", _Translations(said))


def disguised(message: str) -> str:
    """The message in letters that English doesn't have, and half as long again: “Ĥēļļō~~”. Its
    parts in braces and the names of keys stay."""
    longer = len(PARTS.sub("", message)) // 2
    pieces = PARTS.split(message)
    told = "".join(piece if piece.startswith("{") else _accented(piece) for piece in pieces)
    return told + "~" * longer


def _accented(text: str) -> str:
    return "".join(
        piece if KEYS.fullmatch(piece) else piece.translate(ACCENTED) for piece in KEYS.split(text)
    )


@cache
def _to_translate() -> frozenset[tuple[str | None, str]]:
    """All messages that translators are given, each with its context; in singular and plural: those
    of a catalogue, which has them all (tests/test_catalogues.py) and is read sooner than the
    code."""
    return frozenset(
        (message.context, said)
        for message in read(catalogue_files()[0])
        for said in ((message.id,) if isinstance(message.id, str) else message.id)
    )


def _given(context: str | None, message: str) -> str:
    return disguised(message) if (context, message) in _to_translate() else message


MADE_UP = Language("x-made-up", _Translations(_given))
"""A language in which every message that translators are given looks different from English, and
nothing else does."""


NAMES = re.compile(
    r"\b([AKQJT2-9][shcd]|OK|BACK|DRAW|PASS|MENU|BOGUS|P\d|Red|Blue|Green|Yellow|Black|White|Orange"
    r"|Pink)\b",
    re.IGNORECASE,
)
"""Names that no language translates: of cards, keys, seats."""
LETTERS = re.compile(r"[A-Za-z]{2,}")


def english(text: str) -> set[str]:
    """The English words in a text of the made-up language."""
    return set(LETTERS.findall(NAMES.sub("", text)))
