"""How a refusal reads, and what the record says of itself."""

from companion.core.errors import Templated
from companion.core.words import Sentence


def worded(told: Templated) -> Sentence:
    """What is told, as one sentence."""
    return Sentence.made(told.template, told.parts)
