"""HTML in which text stays text, whatever people are called."""

from html import escape
from typing import Final

VOID: Final = frozenset({"meta", "link"})
"""Elements that hold nothing."""


class Html(str):
    """What is HTML already."""

    __slots__ = ()


def element(name: str, /, *inside: str, **attributes: str | int | None) -> Html:
    """An element: text is escaped, Html stands as it is. An attribute's name is written `class_`
    or `view_box` where Python needs that; None: it has none such."""
    named = "".join(
        f' {_attribute(key)}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in VOID:
        return Html(f"<{name}{named}>")
    return Html(f"<{name}{named}>{joined(*inside)}</{name}>")


def joined(*parts: str) -> Html:
    """The parts one after the other."""
    return Html("".join(part if isinstance(part, Html) else escape(part) for part in parts))


def between(separator: str, *parts: str) -> Html:
    """The parts one after the other, the separator between them."""
    found: list[str] = []
    for part in parts:
        found += [separator, part] if found else [part]
    return joined(*found)


def _attribute(key: str) -> str:
    if key == "view_box":
        return "viewBox"
    return key.rstrip("_").replace("_", "-")
