"""The translations as translators write them, for tests: a language without what a build makes."""

from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

import companion
from companion.presentation.language import Language

LOCALE = Path(companion.__file__).parent / "presentation" / "locale"


@cache
def translated(name: str) -> Language:
    """That language, by its catalogue."""
    built = BytesIO()
    with (LOCALE / name / "LC_MESSAGES" / "companion.po").open("rb") as catalogue:
        write_mo(built, read_po(catalogue, locale=name))
    built.seek(0)
    return Language(name, GNUTranslations(built))
