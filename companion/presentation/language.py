"""Languages: each sentence is translated by the code that shows it.

A moment is described only once, and a screen is drawn only once. Each surface then translates it
into its own language, so every phone at a table can have another one. A catalogue is read when its
language is first needed. If that fails, one line is written to stderr, and the table continues in
English."""

import json
import re
import sys
from collections import Counter
from collections.abc import Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from companion.core.errors import ReportedError
from companion.core.languages import LANGUAGE, OWN_NAMES, direction
from companion.core.seats import COLOURS, MORE_COLOURS, Seats, display_name
from companion.core.words import AsWritten, Capital, Sentence, filled

if TYPE_CHECKING:
    from gettext import NullTranslations

    from companion.record.journal import Journal
    from companion.record.people.people import People


class LocalNumber:
    """A number written with a language's own signs. `signs` maps the code points of the English
    signs to them."""

    signs: Mapping[int, str]

    def __format__(self, form: str) -> str:
        return super().__format__(form).translate(self.signs)


class Decimal(LocalNumber, float):
    """A number with decimals, written with the language's decimal sign."""


class Whole(LocalNumber, int):
    """A whole number, written with the language's thousands separator."""


N = TypeVar("N", bound=LocalNumber)


def _with_signs(number: N, signs: Mapping[int, str]) -> N:
    number.signs = signs
    return number


DIRECTION_HERE: Final = Sentence.made("ltr", {}, "page.direction")
"""Placeholder for the writing direction, ltr or rtl, of the language that it is translated into."""
LANGUAGE_HERE: Final = Sentence.made("en", {}, "page.language")
"""Placeholder for the name of the language that it is translated into."""

NUMBERS: Final = "number"
"""The context of two messages in a catalogue, which give the language's signs for the point and the
comma in English numbers. The build adds them (tests/catalogues.py)."""


class Language:
    """A language with its translations; English if it has none. `name`: the language tag, as in
    HTML. `called`: names to show in place of other names, alone or as part of a sentence. A
    Language never changes, and any thread may use it."""

    def __init__(
        self,
        name: str = "en",
        translations: "NullTranslations | None" = None,
        called: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self._translations = translations
        self._called = _with_capitals(self._colours()) | _with_capitals(called or {})
        self.changes = translations is not None or bool(called)
        """Whether `put` may change any text."""
        self._signs = {ord(sign): self.template(sign, NUMBERS) for sign in ".,"}

    def _colours(self) -> Mapping[str, str]:
        """The names of colours in this language, for chips and for seats without a name."""
        if self._translations is None:
            return {}
        named = {
            one: self.template(one, f"colour.{one.lower()}") for one in (*COLOURS, *MORE_COLOURS)
        }
        return named | {one.lower(): to.lower() for one, to in named.items()}

    def with_names(self, called: Mapping[str, str]) -> "Language":
        """Returns this language with the names in `called` replaced when they are shown."""
        return Language(self.name, self._translations, called) if called else self

    def translate(self, text: str) -> str:
        """Returns the text in this language if it is a sentence; text written by people stays as it
        is."""
        if not self.changes:
            return text
        if not isinstance(text, Sentence):
            return text if isinstance(text, AsWritten) else self._called.get(text, text)
        if text is LANGUAGE_HERE:
            return self.name
        if text is DIRECTION_HERE:
            return direction(self.name)
        template = self.template(text.template, text.context, text.plural, text.number)
        parts = {name: self._translated_part(part) for name, part in text.parts.items()}
        try:
            said = filled(template, parts)
        except (LookupError, ValueError, TypeError, AttributeError) as error:
            _warn_once(f"{self.name}: “{template}” is wrong ({error!r}), so it is English")
            return Sentence.made(text.template, parts, None, text.plural, text.number)
        return said[:1].upper() + said[1:] if isinstance(text, Capital) else said

    def template(
        self, english: str, context: str | None = None, plural: str | None = None, number: int = 1
    ) -> str:
        """Returns the template in this language, with its parts still in braces; the English one if
        there is no translation. `plural`: the English template for all numbers but 1, if it
        differs; `number`: the number that decides between the forms."""
        known = self._translations
        if known is None or not english:
            return english if plural is None or number == 1 else plural
        if plural is not None:
            if context is None:
                return known.ngettext(english, plural, number)
            return known.npgettext(context, english, plural, number)
        return known.gettext(english) if context is None else known.pgettext(context, english)

    def translated(self, value: Any) -> Any:
        """Returns a JSON value with each Sentence in it translated."""
        if not self.changes:
            return value
        if isinstance(value, str):
            return self.translate(value) if isinstance(value, Sentence) else value
        if isinstance(value, Mapping):
            return {name: self.translated(one) for name, one in value.items()}
        return [self.translated(one) for one in value] if isinstance(value, list | tuple) else value

    def json(self, value: Any) -> str:
        """Returns the JSON text of a value, with its sentences translated."""
        return json.dumps(self.translated(value), ensure_ascii=False)

    def catalogue(self, english: Mapping[str, str]) -> Mapping[str, str]:
        """Returns the templates in this language by their contexts, for scripts."""
        return {key: self._template_for_script(template, key) for key, template in english.items()}

    def _template_for_script(self, english: str, context: str) -> str:
        """Returns the template for a script, which fills in the same parts as in English. Returns
        the English one if the translation has other parts."""
        template = self.template(english, context)
        if template is english or parts_of(template) <= parts_of(english):
            return template
        _warn_once(f"{self.name}: “{template}” names what “{english}” doesn't, so it is English")
        return english

    def _translated_part(self, part: object) -> object:
        if isinstance(part, Enum):
            return self.template(str(part.value))
        if isinstance(part, str):
            return self.translate(part)
        if isinstance(part, ReportedError):
            return self.translate(part.why)
        if isinstance(part, float):
            return _with_signs(Decimal(part), self._signs)
        if isinstance(part, int) and abs(part) >= 1000:
            return _with_signs(Whole(part), self._signs)
        return part


def _with_capitals(called: Mapping[str, str]) -> dict[str, str]:
    """Returns the mapping of names, with an entry in capitals added for each."""
    return {name.upper(): to.upper() for name, to in called.items()} | dict(called)


_TEMPLATE_PART: Final = re.compile(r"\{(\w+)[^{}]*\}")
_written_warnings = set[str]()


def parts_of(template: str) -> set[str]:
    """Returns the names of the parts in a template."""
    return set(_TEMPLATE_PART.findall(template))


def _warn_once(line: str) -> None:
    """Writes a line about a fault in a catalogue to stderr, but never the same line twice."""
    if line not in _written_warnings:
        _written_warnings.add(line)
        print(line, file=sys.stderr, flush=True)


ENGLISH: Final = Language()


# ---------------------------------------------------------------- catalogues


LOCALE: Final = Path(__file__).parent / "locale"


def compiled_catalogue(name: str) -> Path:
    """Returns the path of the language's compiled catalogue, which the build writes
    (tests/catalogues.py)."""
    return LOCALE / name.replace("-", "_") / "LC_MESSAGES" / "companion.mo"


@cache
def language_of(name: str) -> Language:
    """Returns the language of that name, one of `OWN_NAMES`; English if its catalogue can't be
    read."""
    if name == ENGLISH.name or name not in OWN_NAMES:
        return ENGLISH
    return read_language(name, compiled_catalogue(name))


def read_language(name: str, path: Path) -> Language:
    """Returns the language with the compiled catalogue at `path`; English, with a line on stderr,
    if it can't be read."""
    from gettext import GNUTranslations  # slow to load, and not needed in English

    try:
        with path.open("rb") as catalogue:
            return Language(name, GNUTranslations(catalogue))
    except FileNotFoundError:
        why = "isn't there: make run makes it"
    except Exception as error:  # no fault of a catalogue may stop the table
        why = f"can't be read ({error})"
    print(f"The words of {OWN_NAMES[name]} are missing, so it is English: {path} {why}",
          file=sys.stderr, flush=True)  # fmt: skip
    return ENGLISH


def table_language(settings: Mapping[str, object], usual: Language) -> Language:
    """Returns the language chosen at the table, or the default `usual`."""
    chosen = settings.get(LANGUAGE)
    return language_of(chosen) if isinstance(chosen, str) and chosen in OWN_NAMES else usual


# ---------------------------------------------------------------- renamed players
# The names under which the seats of a game are shown: players may have been renamed since it began.
#
# No game is rewritten: a seat keeps its old name in entries, proposals and settings. Only text that
# people read has the new name, which a Language fills in.


def present_names(seats: Seats, known: "People") -> Mapping[str, str]:
    """Returns the old and the new name of each player who was renamed during the game. A new name
    that two seats would share is left out."""
    called = {seat: known.name_of(seat) for seat in seats}
    often = Counter(called.values())
    return {
        display_name(seat): display_name(to)
        for seat, to in called.items()
        if to != seat and often[to] == 1
    }


def with_present_names(
    language: Language, journal: "Journal[object] | None", known: "People"
) -> Language:
    """Returns `language` with the present names for the seats of the journal's game."""
    return language.with_names(present_names_of(journal, known))


def present_names_of(journal: "Journal[object] | None", known: "People") -> Mapping[str, str]:
    """Returns, for the journal's game, the old and the new name of each renamed player; empty
    without a game."""
    if journal is None or not known.called:
        return {}
    return present_names(journal.opened.seats, known)
