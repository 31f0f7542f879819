"""Drawings as numbered parts, each text held once: a line of play keeps its tiles from lay to lay,
so a game of hundreds of moments holds each tile once.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final
from xml.etree import ElementTree

from companion.core.values import Json

SENTENCE = re.compile(r"(?<=[.;]) ")
TAG: Final = re.compile(r"<(/?)[^>]*?(/?)>")
"""A tag that opens an element, closes one, or does both. No attribute of our drawings has a `>` in
it: they write `&gt;`."""
PARTS_KNOWN: Final = 2048
"""Parts whose text is kept, some 600 letters each: more than a long game has."""


class Shared:
    """Texts by their numbers, each held once, in the order in which they first came."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """The number of a text: the one that it has, or the next."""
        return self._numbers.setdefault(text, len(self._numbers))

    @property
    def texts(self) -> list[str]:
        """All texts, each at its number."""
        return [*self._numbers]


def taken_apart(svg: str, shared: Shared) -> Json:
    """A drawing as the numbers of its parts: `view` (the viewBox), `title`, `text` by sentences,
    and `parts`, the elements that it draws, in their order. `svg` is one of ours
    (presentation/drawing/svg.py) that doesn't stand alone."""
    begin, end = svg.index(">") + 1, svg.rindex("</svg>")
    title, text, *drawn = _elements(svg, begin, end)
    view = ElementTree.fromstring(f"{svg[:begin]}</svg>").get("viewBox", "")
    return {
        "view": shared.number(view),
        "title": shared.number(_words_in(title)),
        "text": [shared.number(sentence) for sentence in SENTENCE.split(_words_in(text))],
        "parts": [shared.number(_as_written(part)) for part in drawn],
    }


def _elements(svg: str, begin: int, end: int) -> Iterator[str]:
    """The elements from `begin` to `end` that stand beside each other, each with all that is in
    it."""
    depth, start = 0, begin
    for tag in TAG.finditer(svg, begin, end):
        closes, closed = tag.groups()
        if not closes and not depth:
            start = tag.start()
        if closes:
            depth -= 1
        elif not closed:
            depth += 1
        if not depth:
            yield svg[start : tag.end()]


def _words_in(element: str) -> str:
    return ElementTree.fromstring(element).text or ""


@lru_cache(PARTS_KNOWN)
def _as_written(part: str) -> str:
    """The element as the XML library writes it, whoever drew it. The text is cached, as most
    elements of a moment were there the moment before."""
    return ElementTree.tostring(ElementTree.fromstring(part), "unicode")
