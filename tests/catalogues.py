"""The catalogues of the translations: compiles them for a build, and gives tests a language without
a build.

python -m tests.catalogues compiles the catalogues that are newer than their compiled files, as
`make run` and every build do (tests/manual/renew.py). Each compiled catalogue also gets the signs
of numbers, by Babel's data. A translation that names a part which the English sentence doesn't have
is left out, with a line that says so: English stands in its place.
"""

import re
import sys
from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

import companion
from companion.presentation.language import NUMBERS, Language

LOCALE = Path(companion.__file__).parent / "presentation" / "locale"


PART = re.compile(r"\{(\w+)(:[^{}]*)?\}")


def catalogue_files() -> list[Path]:
    """The catalogue files of all languages."""
    return sorted(LOCALE.glob("*/LC_MESSAGES/companion.po"))


def read(path: Path) -> Catalog:
    """The catalogue in a file. Raises ValueError, naming the file, if it can't be read."""
    locale = path.parents[1].name
    with path.open("rb") as file:
        try:
            return read_po(file, locale=locale, abort_invalid=True)
        except Exception as error:
            raise ValueError(f"{path}: {error}") from error


def mistakes_in(catalogue: Catalog) -> list[tuple[Message, str]]:
    """The translations that can't be used, each with its mistake."""
    found = list[tuple[Message, str]]()
    for message in catalogue:
        if not message.id or message.fuzzy:
            continue
        english = [*message.id] if isinstance(message.id, tuple | list) else [message.id]
        known = {part for text in english for part in _parts(text)}
        said = message.string if isinstance(message.string, tuple | list) else (message.string,)
        for text in filter(None, said):
            if more := _parts(text) - known:
                named = ", ".join(f"{{{name}}}" for name, _ in sorted(more))
                found.append((message, f"“{text}” names {named}, “{english[0]}” doesn't"))
            elif _braces(text) and not any(map(_braces, english)):
                found.append((message, f"“{text}” has a brace without the other"))
    return found


def _braces(text: str) -> bool:
    return bool({"{", "}"} & set(PART.sub("", text)))


def _parts(text: str) -> set[tuple[str, str]]:
    return {(found[1], found[2] or "") for found in PART.finditer(text)}


def compiled(path: Path) -> bytes:
    """The compiled catalogue of a file; reports on stderr which translations can't be used."""
    catalogue = read(path)
    for message, wrong in mistakes_in(catalogue):
        print(f"{path}:{message.lineno}: {wrong}: it stays English", file=sys.stderr)
        message.string = ""
    symbols = Locale.parse(path.parents[1].name).number_symbols
    symbols = symbols.get("latn", symbols)
    for english, name in ((".", "decimal"), (",", "group")):
        catalogue.add(english, symbols[name], context=NUMBERS)
    built = BytesIO()
    write_mo(built, catalogue)
    return built.getvalue()


def renew_catalogues() -> None:
    """Compiles the catalogues that have changed; reports those that can't be read, and leaves those
    languages out."""
    for path in catalogue_files():
        made = path.with_suffix(".mo")
        newest = max(path.stat().st_mtime_ns, Path(__file__).stat().st_mtime_ns)
        if made.exists() and made.stat().st_mtime_ns >= newest:
            continue
        try:
            made.write_bytes(compiled(path))
        except ValueError as error:
            made.unlink(missing_ok=True)
            print(f"{error}: this language is left out", file=sys.stderr)


@cache
def translated(name: str) -> Language:
    """The language `name`, made from its catalogue."""
    path = LOCALE / name.replace("-", "_") / "LC_MESSAGES" / "companion.po"
    return Language(name.replace("_", "-"), GNUTranslations(BytesIO(compiled(path))))


if __name__ == "__main__":
    renew_catalogues()
