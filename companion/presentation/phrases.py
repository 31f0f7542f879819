"""Sentences as templates with named parts, the English one being the key: formatted here alone.

They are readable where they are said: `phrase("{seat} is out", seat=shown(seat))`.
"""

from collections.abc import Mapping

ENGLISH: Mapping[str, str] = {}
"""A language's templates, by the English ones; what isn't listed stays English."""


def phrase(template: str, /, language: Mapping[str, str] = ENGLISH, **parts: object) -> str:
    """The sentence, or the words, with its parts in place."""
    return language.get(template, template).format(**parts)
