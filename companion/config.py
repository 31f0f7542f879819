"""The configuration: one TOML file, every key of which something uses.

A key that is not known is an error that names the nearest known one; a value of the wrong kind is
an error, too. All defaults stand here.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from companion.keys import FIVE_WAY, SIXTEEN, Key

PLACE = Path("/etc/table-companion.toml")
"""Read where no other file is named, if it is there."""

PINS: Mapping[Key, int] = MappingProxyType(
    dict(zip(SIXTEEN, (4, 17, 27, 22, 5, 6, 13, 19, 26, 18, 23, 24, 25, 12, 16, 20), strict=True))
)
"""GPIO numbers of sixteen keys wired to ground. I²C, SPI and the serial port stay free."""

VIRTUAL_PINS: Mapping[Key, int] = MappingProxyType(
    {**PINS, **dict(zip(FIVE_WAY, (7, 8, 9, 10, 11), strict=True))}
)
"""The virtual box has a joystick besides, to try what such boards will show."""


class ConfigError(ValueError):
    """The configuration can't be used; one line that names file, key and remedy."""


@dataclass(frozen=True, slots=True)
class Box:
    """What hangs on the Pi."""

    hardware: str = "auto"
    """board, virtual, or auto: the board where there is one."""
    driver: str = "ssd1306"
    bus: int = 1
    address: int = 0x3C
    offset: int = -1
    """The column at which the display's glass begins; -1: as usual with that driver."""
    rotate: int = 0
    """Quarter turns of the display, 0 or 2."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Milliseconds that contacts must be stable, and that make a key held."""

    contact_ms: float = 3
    release_ms: float = 25
    hold_ms: float = 2000


@dataclass(frozen=True, slots=True)
class Record:
    """Where the record lies; empty: in the service's own folder, or else the user's."""

    path: str = ""


@dataclass(frozen=True, slots=True)
class Web:
    """Where the virtual box's page listens."""

    host: str = "127.0.0.1"
    port: int = 8055


@dataclass(frozen=True, slots=True)
class Config:
    """The whole configuration; `pins` has only the keys that are wired."""

    box: Box = field(default_factory=Box)
    keys: Keys = field(default_factory=Keys)
    record: Record = field(default_factory=Record)
    web: Web = field(default_factory=Web)
    pins: Mapping[Key, int] = field(default_factory=lambda: PINS)


_SECTIONS: Mapping[str, type[Any]] = {"box": Box, "keys": Keys, "record": Record, "web": Web}
_ALLOWED: Mapping[tuple[str, str], tuple[object, ...] | range] = {
    ("box", "hardware"): ("auto", "board", "virtual"),
    ("box", "driver"): ("ssd1306", "sh1106"),
    ("box", "bus"): range(32),
    ("box", "address"): range(0x08, 0x78),
    ("box", "offset"): range(-1, 5),
    ("box", "rotate"): (0, 2),
    ("web", "port"): range(65536),
}
_WORDS = {str: "a text in quotes", int: "a whole number", float: "a number"}
S = TypeVar("S")


def load_config(path: Path | None = None) -> Config:
    """Reads the file; without one PLACE, or else the defaults. Raises ConfigError."""
    if path is None and not PLACE.exists():
        return Config()
    path = path or PLACE
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConfigError(f"{path} can't be read: {reason}") from error
    return parse_config(text, str(path))


def parse_config(text: str, name: str) -> Config:
    """Reads the text of a file called `name`; raises ConfigError."""
    try:
        told = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # TOMLDecodeError is a ValueError, too
        raise ConfigError(f"{name} is not TOML: {_plain(str(error))}") from error
    known = {one.name for one in fields(Config)}
    for section, value in told.items():
        if section not in known:
            raise ConfigError(
                f"{name}: there is no section [{_plain(section)}]{_nearest(section, known)}"
            )
        if not isinstance(value, dict):
            raise ConfigError(
                f"{name}: {_plain(section)} is a section: write [{section}] on its own line"
            )
    sections = {
        section: _section(kind, section, told.get(section, {}), name)
        for section, kind in _SECTIONS.items()
    }
    if not sections["web"].host:
        raise ConfigError(f'{name}: [web] host is empty: write host = "127.0.0.1"')
    pins = _pins(told["pins"], name) if "pins" in told else PINS
    return Config(**sections, pins=pins)


def _section(kind: type[S], section: str, told: Mapping[str, Any], name: str) -> S:
    known = {one.name: one.type for one in fields(kind)}  # type: ignore[arg-type]
    for key, value in told.items():
        where = f"{name}: [{section}] {_plain(key)}"
        if key not in known:
            raise ConfigError(f"{where} is not known{_nearest(key, known)}")
        _check(where, value, known[key], _ALLOWED.get((section, key)))
    return kind(**told)


def _check(
    where: str, value: object, kind: Any, allowed: tuple[object, ...] | range | None
) -> None:
    fits = isinstance(value, (int, float) if kind is float else kind)
    if not fits or isinstance(value, bool):
        raise ConfigError(f"{where} must be {_WORDS[kind]}, not {value!r}")
    if isinstance(value, str) and not value.isprintable():
        raise ConfigError(f"{where} has a character that can't be seen: {value!r}")
    if kind is float and not 0 < float(str(value)) <= 60_000:
        raise ConfigError(f"{where} must be more than 0 and at most 60000 milliseconds")
    if isinstance(allowed, range) and value not in allowed:
        raise ConfigError(f"{where} must be from {allowed[0]} to {allowed[-1]}, not {value}")
    if allowed is not None and value not in allowed:
        raise ConfigError(f"{where} must be {' or '.join(map(str, allowed))}, not {value!r}")


def _pins(told: Mapping[str, Any], name: str) -> dict[Key, int]:
    """Which key is on which GPIO; a pin used twice is an error."""
    known = {key.value for key in Key}
    pins: dict[Key, int] = {}
    for key, pin in told.items():
        where = f"{name}: [pins] {_plain(key)}"
        if key not in known:
            raise ConfigError(f"{where} is not a key{_nearest(key, known)}")
        _check(where, pin, int, range(28))
        if pin in pins.values():
            other = next(k for k, number in pins.items() if number == pin)
            raise ConfigError(f"{where}: GPIO {pin} has the key {other.value} already")
        pins[Key(key)] = pin
    return pins


def _plain(word: str) -> str:
    """The word on one line, whatever is in it."""
    return word if word.isprintable() else repr(word)[1:-1]


def _nearest(word: str, known: Any) -> str:
    """“; did you mean port?”, or all that is known."""
    near = get_close_matches(word, list(known), 1) or get_close_matches(
        word.upper(), list(known), 1
    )
    return f"; did you mean {near[0]}?" if near else f"; known are {', '.join(sorted(known))}"
