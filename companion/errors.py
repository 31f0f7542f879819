"""What goes wrong for people. The two ways in which an entry can fail are told apart because their
remedies differ.

These two carry what they say as a template and its named parts, readable where they are raised; who
shows it to people has it formatted in telling/, in their language.
"""


class Refusal(ValueError):
    """It is not taken: the template says why and what to do, in one line, with its parts in braces:
    `RuleError("{leads} leads this hand, not {said}", leads=lead, said=dealt.lead)`. A part may be
    a refusal itself."""

    def __init__(self, template: str, /, **parts: object) -> None:
        super().__init__(template, parts)
        self.template = template
        self.parts = parts

    def __str__(self) -> str:
        """In English, for logs and tests."""
        return self.template.format(**self.parts)


class EntryError(Refusal):
    """It can't be read: what was written is no entry."""


class RuleError(Refusal):
    """It is not allowed: the rules or the record refuse it."""


class SetupError(RuntimeError):
    """The table can't be set up; one line that says what to do."""
