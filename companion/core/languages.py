"""The languages of the table, and how to choose one for a reader.

They are named by their tags in HTML and HTTP (`pt-BR`). Each except English has a catalogue in
presentation/locale, in a folder with that name and `_` for `-`.
"""

import re
from collections.abc import Mapping
from typing import Final

OWN_NAMES: Final[Mapping[str, str]] = {
    "en": "English",
    "de": "Deutsch",
    "es": "Español",
    "fr": "Français",
    "nl": "Nederlands",
    "pt-BR": "Português (Brasil)",
}
RIGHT_TO_LEFT: Final = frozenset({"ar", "dv", "fa", "he", "ps", "ug", "ur", "yi"})
"""Languages written from right to left, by the first part of their tags. None is translated yet."""
LANGUAGE: Final = "language"
"""The record's setting for the language of the table, and the configuration key for it."""
COOKIE: Final = "language"
"""The cookie in which a browser keeps its chosen language."""
LONGEST_ACCEPTED: Final = 500
_RANGE: Final = re.compile(
    r"\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)\s*(?:;\s*q=([01](?:\.\d*)?)\s*)?"
)


def direction(name: str) -> str:
    """The direction of the language's script, as HTML's `dir`: “ltr” or “rtl”."""
    return "rtl" if name.partition("-")[0] in RIGHT_TO_LEFT else "ltr"


def find_language(tag: str) -> str | None:
    """The best language of OWN_NAMES for `tag`: es for es-MX as well, pt-BR for pt as well. None if
    there is none."""
    wanted = tag.replace("_", "-").lower()
    same = (name for name in OWN_NAMES if name.lower() == wanted)
    alike = (name for name in OWN_NAMES if name.partition("-")[0] == wanted.partition("-")[0])
    return next(same, None) or next(alike, None)


def preferred_language(header: str) -> str | None:
    """The language of OWN_NAMES that a browser prefers, by its Accept-Language header `header`.
    None if the header names none of them."""
    found = list[tuple[float, int, str]]()
    for place, one in enumerate(header[:LONGEST_ACCEPTED].split(",")):
        if (tag := _RANGE.fullmatch(one)) and (name := find_language(tag[1])):
            weight = float(tag[2] or 1)
            found += [(-weight, place, name)] if weight > 0 else []
    return min(found)[2] if found else None
