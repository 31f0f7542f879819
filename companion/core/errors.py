"""What goes wrong for people. The two ways in which an entry can fail are told apart because their
remedies differ.

What is said of it is carried as a template and its named parts, readable where it is raised; who
shows it to people has it formatted in telling/, in their language.
"""

from collections.abc import Mapping
from typing import Protocol, Self


class Templated(Protocol):
    """What is said, one line, as a template with its parts in braces; a part may be such a line
    itself. As a text it is English."""

    template: str
    parts: Mapping[str, object]


class Sentence(str):
    """A line to tell: `Sentence("{rows} rows are lost", rows=3)`."""

    template: str
    parts: Mapping[str, object]

    def __new__(cls, template: str, /, **parts: object) -> Self:
        made = super().__new__(cls, template.format(**parts))
        made.template, made.parts = template, parts
        return made


class Refusal(ValueError):
    """It is not taken: the template says why and what to do, in one line, with its parts in braces:
    `RuleError("{leads} leads this hand, not {said}", leads=lead, said=dealt.lead)`."""

    def __init__(self, template: str, /, **parts: object) -> None:
        super().__init__(template, parts)
        self.template = template
        self.parts: Mapping[str, object] = parts

    def __str__(self) -> str:
        """In English, for logs and tests."""
        return self.template.format(**self.parts)


class EntryError(Refusal):
    """It can't be read: what was written is no entry."""


class RuleError(Refusal):
    """It is not allowed: the rules or the record refuse it."""


class SetupError(RuntimeError):
    """The table can't be set up; one line that says what to do."""
