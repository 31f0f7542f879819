"""The languages of the catalogues; each is read when somebody first wants it. If a catalogue can't
be read, one line says so, and the table goes on in English."""

import sys
from collections.abc import Mapping
from functools import cache
from gettext import GNUTranslations
from pathlib import Path
from typing import Final

from companion.core.languages import LANGUAGE, OWN_NAMES
from companion.presentation.language import ENGLISH, Language

LOCALE: Final = Path(__file__).parent / "locale"


def compiled(name: str) -> Path:
    """The path where the build puts the compiled catalogue of that language
    (tests/catalogues.py)."""
    return LOCALE / name.replace("-", "_") / "LC_MESSAGES" / "companion.mo"


@cache
def language_of(name: str) -> Language:
    """The language of that name, one of `OWN_NAMES`; English if its catalogue can't be read."""
    if name == ENGLISH.name or name not in OWN_NAMES:
        return ENGLISH
    return read_language(name, compiled(name))


def read_language(name: str, path: Path) -> Language:
    """The language with the compiled catalogue at `path`; English, and a line on stderr, if it
    can't be read."""
    try:
        with path.open("rb") as catalogue:
            return Language(name, GNUTranslations(catalogue))
    except FileNotFoundError:
        why = "isn't there: make run makes it"
    except Exception as error:  # whatever is wrong with a file, the table goes on
        why = f"can't be read ({error})"
    print(f"The words of {OWN_NAMES[name]} are missing, so it is English: {path} {why}",
          file=sys.stderr, flush=True)  # fmt: skip
    return ENGLISH


def spoken(settings: Mapping[str, object], usual: Language) -> Language:
    """The language that was chosen at the table, else the `usual` one."""
    chosen = settings.get(LANGUAGE)
    return language_of(chosen) if isinstance(chosen, str) and chosen in OWN_NAMES else usual
