"""Refusals, and notices of the record, as sentences."""

from companion.core.errors import Templated
from companion.core.words import Sentence


def worded(sentence: Templated) -> Sentence:
    """The message as a Sentence, which can be translated."""
    return Sentence.made(sentence.template, sentence.parts)
