"""The languages that the table speaks, each by its own name, and which of them somebody reads.

Names are tags as HTML and HTTP have them (`pt-BR`). Each but English has a catalogue in
presentation/locale, in a folder of that name with `_` for `-`.
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
"""Languages that are written so, by the first part of their tags: nobody has brought one yet."""
LANGUAGE: Final = "language"
"""The setting of the record that says which one the table speaks; the configuration has it, too."""
COOKIE: Final = "language"
"""Where a browser keeps the one that was chosen on it."""
LONGEST_ACCEPTED: Final = 500
_RANGE: Final = re.compile(
    r"\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)\s*(?:;\s*q=([01](?:\.\d*)?)\s*)?"
)


def direction(name: str) -> str:
    """Which way a language is written, as HTML has it."""
    return "rtl" if name.partition("-")[0] in RIGHT_TO_LEFT else "ltr"


def named(tag: str) -> str | None:
    """The name of the language that a tag means: es for es-MX, pt-BR for pt, too. None: it is none
    of ours."""
    wanted = tag.replace("_", "-").lower()
    same = (name for name in OWN_NAMES if name.lower() == wanted)
    alike = (name for name in OWN_NAMES if name.partition("-")[0] == wanted.partition("-")[0])
    return next(same, None) or next(alike, None)


def accepted(said: str) -> str | None:
    """The first of our languages by what a browser says that its user reads (Accept-Language).
    None: it says none of them."""
    found = list[tuple[float, int, str]]()
    for place, one in enumerate(said[:LONGEST_ACCEPTED].split(",")):
        if (tag := _RANGE.fullmatch(one)) and (name := named(tag[1])):
            weight = float(tag[2] or 1)
            found += [(-weight, place, name)] if weight > 0 else []
    return min(found)[2] if found else None
