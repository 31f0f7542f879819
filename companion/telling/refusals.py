"""How a refusal reads."""

from collections.abc import Mapping

from companion.errors import Refusal
from companion.telling.phrases import ENGLISH, phrase


def worded(refused: Refusal, language: Mapping[str, str] = ENGLISH) -> str:
    """The refusal as one sentence."""
    parts = {
        name: worded(part, language) if isinstance(part, Refusal) else part
        for name, part in refused.parts.items()
    }
    return phrase(refused.template, language, **parts)
