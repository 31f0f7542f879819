"""The errors that people are told. The two ways in which an entry can fail, EntryError and
RuleError, are told apart because their remedies differ.

Each error carries its message as a template with named parts, readable where the error is raised.
Code that shows it to people has it put into their language in presentation/.
"""

from collections.abc import Mapping
from typing import Final, Protocol

from companion.core.words import Sentence

LONGEST: Final = 300
"""Characters that a refusal may have before what it quotes is shortened."""
LONGEST_QUOTE: Final = 80
"""Characters to which each quoted part is then shortened."""


class Templated(Protocol):
    """A message of one line, as a template with its parts in braces; a part may itself be such a
    message. `str` of it is English."""

    template: str
    parts: Mapping[str, object]


class SaidError(Exception):
    """Something failed; `why` is the sentence that tells people the cause."""

    def __init__(self, template: str, /, **parts: object) -> None:
        self.why = Sentence.made(template, parts)
        super().__init__(self.why)


class Refusal(ValueError):
    """An entry is refused. The template says why and what to do, in one line, with its parts in
    braces: `RuleError("{leads} leads this hand, not {said}", leads=lead, said=dealt.lead)`. Long
    parts are shortened if the line would have more than LONGEST characters."""

    def __init__(self, template: str, /, **parts: object) -> None:
        if any(isinstance(part, str) and len(part) > LONGEST_QUOTE for part in parts.values()):
            parts = _bounded(template, parts)
        super().__init__(template, parts)
        self.template = template
        self.parts: Mapping[str, object] = parts

    def __str__(self) -> str:
        """The refusal in English, for logs and tests."""
        return self.template.format(**self.parts)


def _bounded(template: str, parts: dict[str, object]) -> dict[str, object]:
    """The parts; the long ones shortened with “…” if the message would have more than LONGEST
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
    """The text that was written can't be read as an entry."""


class RuleError(Refusal):
    """An entry that can be read, but isn't allowed: the rules or the record refuse it."""


class SetupError(RuntimeError):
    """The table can't be set up; one line that says what to do."""
