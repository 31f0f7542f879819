"""How a refusal reads, and what the record says of itself."""

from collections.abc import Mapping

from companion.core.errors import Refusal, Sentence, Templated
from companion.presentation.phrases import ENGLISH, phrase
from companion.record.store.faults import StoreError


def worded(told: Templated, language: Mapping[str, str] = ENGLISH) -> str:
    """What is told, as one sentence in that language."""
    parts = {
        name: worded(part, language) if isinstance(part, Refusal | StoreError | Sentence) else part
        for name, part in told.parts.items()
    }
    return phrase(told.template, language, **parts)
