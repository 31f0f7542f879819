"""Reads TOML files written by people. Each error is one line with the file, the key and the
remedy."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from companion.core.regular_file import read_text

Allowed = tuple[object, ...] | range
S = TypeVar("S")

_WORDS = {str: "a text in quotes", int: "a whole number", float: "a number", list: "a list in [ ]"}


class ConfigError(ValueError):
    """The file can't be used; the message is one line with the file, the key and the remedy."""


def read_toml(path: Path) -> str:
    """The text of a file, as UTF-8. Raises ConfigError."""
    try:
        return read_text(path)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConfigError(f"{path} can't be read: {reason}") from error


def parse_toml(text: str, name: str, known: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The sections of a TOML text, each with its values. `name`: the file's name, for the message.
    Raises ConfigError if the text is not TOML or has a section that is not `known`."""
    try:
        sections = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # TOMLDecodeError is a ValueError, too
        raise ConfigError(f"{name} is not TOML: {escaped(str(error))}") from error
    for section, value in sections.items():
        word = escaped(section)
        if section not in known:
            raise ConfigError(f"{name}: there is no section [{word}]{did_you_mean(section, known)}")
        if not isinstance(value, dict):
            raise ConfigError(f"{name}: {word} is a section: write [{word}] on its own line")
    return sections


def check_section(
    kind: type[S],
    section: str,
    values: Mapping[str, Any],
    name: str,
    allowed: Mapping[str, Allowed] | None = None,
) -> S:
    """Returns the section's values as the dataclass `kind`: its fields are the allowed keys, and
    their defaults replace missing ones. `name`: the file's name, for the message. Raises
    ConfigError."""
    known = {one.name: one.type for one in fields(kind)}  # type: ignore[arg-type]
    for key, value in values.items():
        where = f"{name}: [{section}] {escaped(key)}"
        if key not in known:
            raise ConfigError(f"{where} is not known{did_you_mean(key, known)}")
        check_value(where, value, known[key], (allowed or {}).get(key))
    return kind(**values)


def check_value(where: str, value: object, kind: Any, allowed: Allowed | None = None) -> None:
    """Raises ConfigError if the value is not of `kind` or not among those `allowed`. A text must be
    printable, a float more than 0 and at most 60 000. `where`: file, section and key, for the
    message."""
    fits = isinstance(value, (int, float) if kind is float else kind)
    if not fits or isinstance(value, bool):
        raise ConfigError(f"{where} must be {_WORDS[kind]}, not {_shortened(value)}")
    if isinstance(value, str) and not value.isprintable():
        raise ConfigError(f"{where} has a character that can't be seen: {_shortened(value)}")
    if kind is float and isinstance(value, int | float) and not 0 < value <= 60_000:
        raise ConfigError(f"{where} must be more than 0 and at most 60000 milliseconds")
    if isinstance(allowed, range) and value not in allowed:
        first, last = allowed[0], allowed[-1]
        raise ConfigError(f"{where} must be from {first} to {last}, not {_shortened(value)}")
    if allowed is not None and value not in allowed:
        raise ConfigError(
            f"{where} must be {' or '.join(map(str, allowed))}, not {_shortened(value)}"
        )


def _shortened(value: object) -> str:
    """The value shortened to one line; a number may have thousands of digits."""
    try:
        text = repr(value)
    except ValueError:  # Python writes none of more than 4300 digits
        return "a number of thousands of digits"
    return text if len(text) <= 60 else f"{text[:59]}…"


def escaped(word: str) -> str:
    """The word, escaped if it has invisible characters."""
    return word if word.isprintable() else repr(word)[1:-1]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown word: “; did you mean port?” with the nearest of the
    `known` words, or all of them if none is near."""
    from difflib import get_close_matches

    names = list(known)
    near = get_close_matches(word, names, 1) or get_close_matches(word.upper(), names, 1)
    return f"; did you mean {near[0]}?" if near else f"; known are {', '.join(sorted(names))}"
