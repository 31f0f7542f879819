"""How a refusal, or a notice of the record, reads."""

from companion.core.errors import Templated
from companion.core.words import Sentence


def worded(sentence: Templated) -> Sentence:
    """What is told, as one sentence."""
    return Sentence.made(sentence.template, sentence.parts)
