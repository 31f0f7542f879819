"""What goes wrong for people. The two ways in which an entry can fail are told apart because their
remedies differ.

What is said of it is carried as a template and its named parts, readable where it is raised;
whoever shows it to people has it formatted in presentation/, in their language.
"""

from collections.abc import Mapping
from typing import Final, Protocol

from companion.core.words import Sentence

LONGEST: Final = 300
"""Characters that a refusal may have before what it quotes is shortened."""
LONGEST_QUOTE: Final = 80
"""Characters that are left of each part then."""


class Templated(Protocol):
    """What is said, one line, as a template with its parts in braces; a part may be such a line
    itself. As a text it is English."""

    template: str
    parts: Mapping[str, object]


class SaidError(Exception):
    """What failed, with the sentence that tells people `why`."""

    def __init__(self, template: str, /, **parts: object) -> None:
        self.why = Sentence.made(template, parts)
        super().__init__(self.why)


class Refusal(ValueError):
    """An entry that is not taken: the template says why and what to do, in one line, with its parts
    in braces: `RuleError("{leads} leads this hand, not {said}", leads=lead, said=dealt.lead)`. What
    it quotes is shortened where the line would have more than LONGEST characters."""

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
    """The parts, the long ones shortened with “…” where all together are too long for a line."""
    if len(template.format(**parts)) <= LONGEST:
        return parts
    return {
        name: f"{part[: LONGEST_QUOTE - 1]}…"
        if isinstance(part, str) and len(part) > LONGEST_QUOTE
        else part
        for name, part in parts.items()
    }


class EntryError(Refusal):
    """What was written can't be read: it is no entry."""


class RuleError(Refusal):
    """An entry that can be read, but isn't allowed: the rules or the record refuse it."""


class SetupError(RuntimeError):
    """The table can't be set up; one line that says what to do."""
