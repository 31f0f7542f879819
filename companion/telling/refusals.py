"""How a refusal reads."""

from collections.abc import Mapping

from companion.errors import Refusal

ENGLISH: Mapping[str, str] = {}
"""A language's templates, by the English ones; what isn't listed stays English."""


def worded(refused: Refusal, language: Mapping[str, str] = ENGLISH) -> str:
    """The refusal as one sentence."""
    parts = {
        name: worded(part, language) if isinstance(part, Refusal) else part
        for name, part in refused.parts.items()
    }
    return language.get(refused.template, refused.template).format(**parts)
