"""Drawings that share what they have in common: a line of play keeps its tiles from lay to lay, so
a game of hundreds of moments holds each tile once."""

import re
from xml.etree import ElementTree

from companion.core.values import Json

SENTENCE = re.compile(r"(?<=[.;]) ")


class Shared:
    """Texts by their numbers, each held once, in the order in which they first came."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """The number of a text: the one that it has, or the next."""
        return self._numbers.setdefault(text, len(self._numbers))

    @property
    def texts(self) -> list[str]:
        """All of them, each at its number."""
        return [*self._numbers]


def taken_apart(svg: str, shared: Shared) -> Json:
    """A drawing as the numbers of its parts: `view` (the viewBox), `title`, `text` by sentences,
    and `parts`, the elements that it draws, in their order. `svg` is one of ours
    (presentation/drawing/svg.py) that doesn't stand alone."""
    root = ElementTree.fromstring(svg)
    title, text, *drawn = root
    return {
        "view": shared.number(root.get("viewBox", "")),
        "title": shared.number(title.text or ""),
        "text": [shared.number(sentence) for sentence in SENTENCE.split(text.text or "")],
        "parts": [shared.number(ElementTree.tostring(part, "unicode")) for part in drawn],
    }
