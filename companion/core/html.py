"""HTML in the language of its reader, in which all text is escaped."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from html import escape
from typing import Final

VOID: Final = frozenset({"meta", "link"})
"""Elements that have no content and no end tag."""
ADDRESSES: Final = frozenset({"href", "src"})
"""Attributes with an address."""


_put: ContextVar[Callable[[str], str]] = ContextVar("put", default=str)


@contextmanager
def translated_by(put: Callable[[str], str]) -> Iterator[None]:
    """A context in which `put` translates all text that goes into HTML
    (presentation/language.py)."""
    before = _put.set(put)
    try:
        yield
    finally:
        _put.reset(before)


_root: ContextVar[str] = ContextVar("root", default="")


@contextmanager
def rooted_at(root: str) -> Iterator[None]:
    """A context in which the addresses of this server begin with the path `root`
    (web/behind_proxy.py); empty for none."""
    before = _root.set(root)
    try:
        yield
    finally:
        _root.reset(before)


def root() -> str:
    """Returns the path at the beginning of this server's addresses in the current context
    (`rooted_at`)."""
    return _root.get()


def rooted(address: str) -> str:
    """Returns the address, with `root` in front if it is one of this server's, which begin with a
    single “/”."""
    ours = address.startswith("/") and not address.startswith("//")
    return f"{root()}{address}" if ours else address


def translated(text: str) -> str:
    """The text translated for the current context (`translated_by`), not yet escaped."""
    return _put.get()(text)


class Html(str):
    """Text that is already HTML."""

    __slots__ = ()


def element(name: str, /, *inside: str, **attributes: str | int | None) -> Html:
    """An HTML element with these attributes and with `inside` as its content: text is escaped, Html
    is left as it is. Attribute names are written as Python requires: `class_` for class, `view_box`
    for viewBox, `_` for “-”. An attribute that is None is left out; addresses are `rooted`."""
    texts = {
        key: translated(value) if isinstance(value, str) else str(value)
        for key, value in attributes.items()
        if value is not None
    }
    texts |= {key: rooted(texts[key]) for key in ADDRESSES & texts.keys()}
    named = "".join(f' {_attribute(key)}="{escape(text)}"' for key, text in texts.items())
    if name in VOID:
        return Html(f"<{name}{named}>")
    return Html(f"<{name}{named}>{joined(*inside)}</{name}>")


def joined(*parts: str) -> Html:
    """The parts as HTML, one after the other: text is escaped, Html is left as it is."""
    return Html(
        "".join(part if isinstance(part, Html) else escape(translated(part)) for part in parts)
    )


def between(separator: str, *parts: str) -> Html:
    """Returns the parts as HTML with a separator between them: text is escaped, Html is left as it
    is."""
    found: list[str] = []
    for part in parts:
        found += [separator, part] if found else [part]
    return joined(*found)


def _attribute(key: str) -> str:
    if key == "view_box":
        return "viewBox"
    return key.rstrip("_").replace("_", "-")
