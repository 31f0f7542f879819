"""Reads single values of an event's text. Each function gives a value of the right kind, or raises
EventError with a line that says where the value stands (`where`) and what is wrong with it."""

import json
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, NoReturn, TypeVar

from companion.core.errors import Refusal
from companion.core.words import can_be_seen, listed, phrase
from companion.events.event import EventError

T = TypeVar("T")
MOST = 10**9
"""The largest number that a result may have."""


def parse_json(text: str) -> object:
    """The value of a JSON text, with numbers exact: int or Fraction. Raises EventError if it is not
    JSON, has a key twice, or a number too long."""
    try:
        return json.loads(
            text.removeprefix("\ufeff"),
            object_pairs_hook=_object,
            parse_float=_decimal,
            parse_int=_whole,
            parse_constant=_not_a_number,
        )
    except Refusal:
        raise
    except json.JSONDecodeError as error:
        raise EventError(
            "this is not JSON: line {line}, column {column}: {reason}",
            line=error.lineno, column=error.colno, reason=error.msg.lower(),
        ) from error  # fmt: skip
    except RecursionError as error:
        raise EventError("this is nested too deeply to be an event") from error


def value_fault(where: str, what: str, /, **parts: object) -> EventError:
    """The error “`where` `what`”: what is wrong with the value that stands there. `parts` fill the
    braces of `what`."""
    return EventError("{where} {what}", where=where, what=phrase(what, **parts))


def refuse_value(where: str, what: str, /, **parts: object) -> NoReturn:
    """Raises the EventError of `value_fault`."""
    raise value_fault(where, what, **parts)


def keys_of(
    where: str, value: object, known: Iterable[str], needed: Iterable[str]
) -> dict[str, Any]:
    """The value as a dictionary: an object that has all keys `needed`, and none that is not
    `known`."""
    told = object_of(where, value)
    names = list(known)
    for key in told:
        if key not in names:
            near = get_close_matches(key, names, 1) or get_close_matches(key.lower(), names, 1, 0.3)
            near = near or [min(names)]
            refuse_value(
                where, "has no key {key}; did you mean {near}?", key=_shown(key), near=near[0]
            )
    for key in needed:
        if key not in told:
            refuse_value(where, "lacks its key {key}", key=key)
    return told


def object_of(where: str, value: object) -> dict[str, Any]:
    """The value as a dictionary: an object with any keys."""
    if not isinstance(value, dict):
        refuse_value(where, "must be an object in {{ }}, not {value}", value=_shown(value))
    return value


def list_of(where: str, value: object, read: Callable[[str, Any], T]) -> list[T]:
    """The values of a list, each read by `read` (the value's place, the value)."""
    if not isinstance(value, list):
        refuse_value(where, "must be a list in [ ], not {value}", value=_shown(value))
    return [read(f"{where} {place}", one) for place, one in enumerate(value, start=1)]


def text_of(where: str, value: object) -> str:
    """The value as a text of printable characters."""
    if not isinstance(value, str):
        refuse_value(where, "must be a text in quotes, not {value}", value=_shown(value))
    if not can_be_seen(value):
        refuse_value(where, "has a character that can't be seen: {value}", value=_shown(value))
    return value


def word_of(where: str, value: object, known: list[str]) -> str:
    """The value as a text that is one of the words `known`."""
    text = text_of(where, value)
    if text not in known:
        near = get_close_matches(text, known, 1)
        if near:
            refuse_value(
                where, "is not {value}; did you mean {near}?", value=_shown(text), near=near[0]
            )
        refuse_value(
            where, "is not {value}; it is one of {known}", value=_shown(text), known=listed(known)
        )
    return text


def amount_of(where: str, value: object) -> Fraction:
    """The value as an exact number, whole or not, from −MOST to MOST."""
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        refuse_value(where, "must be a number, not {value}", value=_shown(value))
    if not -MOST <= value <= MOST:
        refuse_value(where, "must be between {least} and {most}", least=-MOST, most=MOST)
    return Fraction(value)


def number_of(where: str, value: object, least: int, most: int) -> int:
    """The value as a whole number from `least` to `most`."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        what = "must be a whole number from {least} to {most}, not {value}"
        refuse_value(where, what, least=least, most=most, value=_shown(value))
    return value


def check_once(where: str, ids: Iterable[str]) -> None:
    """Raises EventError if one of the ids stands twice."""
    seen = set[str]()
    for one in ids:
        if one in seen:
            refuse_value(where, "names {id} twice", id=one)
        seen.add(one)


def _shown(value: object) -> str:
    """The value on one short line."""
    text = value if isinstance(value, str) and can_be_seen(value) else repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


# ---------------------------------------------------------------- JSON as events have it


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise EventError("the key {key} stands twice in one object", key=_shown(twice))
    return found


def _whole(text: str) -> int:
    if len(text) > 20:
        raise EventError("{text} has too many digits", text=_shown(text))
    return int(text)


def _decimal(text: str) -> Fraction:
    _, _, exponent = text.lower().partition("e")
    if len(text) > 40 or (exponent and abs(int(exponent)) > 20):
        raise EventError("{text} has too many digits", text=_shown(text))
    return Fraction(text)


def _not_a_number(text: str) -> NoReturn:
    raise EventError("{text} is not a number", text=text)
