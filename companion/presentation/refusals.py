"""How a refusal reads, and what the record says of itself."""

from companion.core.errors import Templated
from companion.core.words import Sentence


def worded(sentence: Templated) -> Sentence:
    """What is told, as one sentence."""
    return Sentence.made(sentence.template, sentence.parts)
