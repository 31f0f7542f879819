"""Errors whose messages are for people. The two ways in which an entry can fail, EntryError and
RuleError, have classes of their own because their remedies differ.

All except SetupError have their message as a template with named parts. `why` is the message as a
sentence, which presentation/ translates into the reader's language."""

from collections.abc import Mapping
from typing import Final

from companion.core.words import Sentence, phrase

LONGEST: Final = 300
"""A refusal with more characters gets its long parts shortened."""
LONGEST_QUOTE: Final = 80
"""The length in characters to which the long parts of such a refusal are shortened."""


class ReportedError(Exception):
    """A failure with a message for people. The `template`, filled with the `parts`, is one line
    with the cause and the remedy. A part may be a ReportedError itself."""

    def __init__(self, template: str, /, **parts: object) -> None:
        super().__init__(template)
        self.template = template
        self.parts: Mapping[str, object] = parts

    def __str__(self) -> str:
        """The message in English, for logs and tests."""
        return self.template.format(**self.parts)

    @property
    def why(self) -> Sentence:
        """The message as a sentence, which can be translated."""
        return Sentence.made(self.template, self.parts)


class Refusal(ReportedError, ValueError):
    """An entry is refused, as in `RuleError("{leads} leads this hand, not {said}", leads=lead,
    said=dealt.lead)`. Long parts are shortened if the line would have more than LONGEST
    characters."""

    def __init__(self, template: str, /, **parts: object) -> None:
        if any(isinstance(part, str) and len(part) > LONGEST_QUOTE for part in parts.values()):
            parts = _with_short_parts(template, parts)
        super().__init__(template, **parts)


def _with_short_parts(template: str, parts: dict[str, object]) -> dict[str, object]:
    """The parts, with long ones shortened to “…” if the message would have more than LONGEST
    characters."""
    if len(template.format(**parts)) <= LONGEST:
        return parts
    return {
        name: f"{part[: LONGEST_QUOTE - 1]}…"
        if isinstance(part, str) and len(part) > LONGEST_QUOTE
        else part
        for name, part in parts.items()
    }


class EntryError(Refusal):
    """The text can't be read as an entry."""


class RuleError(Refusal):
    """An entry that can be read, but isn't allowed: the rules or the record refuse it."""


class SetupError(RuntimeError):
    """The table can't be set up. The message is one line with the remedy."""


def whole_number(word: str, what: str) -> int:
    """Reads a whole number, perhaps negative. Raises EntryError, whose message says that `what`
    needs a whole number."""
    digits = word[1:] if word[:1] in "+-" else word
    if not (digits.isdecimal() and digits.isascii() and len(digits) < 7):
        raise EntryError(
            "{word} is not a number: {what} needs a whole number",
            word=word or phrase("nothing"),
            what=what,
        )
    return int(word)
