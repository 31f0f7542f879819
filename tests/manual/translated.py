"""Chapters in other languages: whether the English text has changed since one was translated.

The head of each has the sign of the English text of which it is a translation, in
`<!-- english: SIGN -->`. If the English text changes, the page in the help says so until somebody
has compared the two (help.py), and python -m tests.manual.translated lists the chapter. Once it
is right again, python -m tests.manual.translated es/box writes the new sign.
"""

import re
import sys
from collections.abc import Iterator
from hashlib import sha256

from tests.manual.book import ENGLISH, LANGUAGES, chapters_in, path_in

MANUAL = "manual"
"""The name of the first page."""
_SIGN = re.compile(r"^<!-- english: ([0-9a-f]{12}) -->$", re.MULTILINE)


def pages_in(language: str) -> list[str]:
    """The names of the first page and of all chapters that there are in that language."""
    return [MANUAL, *chapters_in(language)]


def sign_of(name: str) -> str:
    """Twelve hexadecimal digits that change with the English text of that chapter."""
    return sha256(path_in(ENGLISH, name).read_bytes()).hexdigest()[:12]


def is_stale(language: str, name: str) -> bool:
    """Whether the English text has changed since the chapter was translated."""
    found = _SIGN.search(path_in(language, name).read_text("utf-8"))
    return found is None or found[1] != sign_of(name)


def stale() -> Iterator[str]:
    """The chapters whose English text has changed since, as in “es/box”."""
    for language in LANGUAGES:
        yield from (f"{language}/{name}" for name in pages_in(language) if is_stale(language, name))


def sign(language: str, name: str) -> None:
    """Writes the sign of the present English text below the title of the chapter."""
    path = path_in(language, name)
    text = _SIGN.sub("", path.read_text("utf-8"))
    title, _, rest = text.partition("\n")
    path.write_text(f"{title}\n<!-- english: {sign_of(name)} -->\n\n{rest.lstrip()}", "utf-8")


if __name__ == "__main__":
    for language, _, name in (word.partition("/") for word in sys.argv[1:]):
        sign(language, name)
    if not sys.argv[1:]:
        print(*stale(), sep="\n")
