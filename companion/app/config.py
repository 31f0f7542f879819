"""The configuration: one TOML file with all settings, and their defaults. An unknown key is an
error that suggests the nearest known key; a value of the wrong type is an error too."""

from collections.abc import Callable, Mapping
from dataclasses import field, fields
from pathlib import Path
from typing import Any

from companion.core.clock import MAX_MONTHS
from companion.core.languages import OWN_NAMES
from companion.core.toml_file import Allowed, ConfigError, check_section, parse_toml, read_toml
from companion.core.values import dataclass
from companion.devices.display.drivers import DISPLAY_ALLOWED, Display
from companion.devices.keypads.usb_ports import PICO, parse_usb_ids
from companion.devices.pads.pad_keys import TAKE_VALUES
from companion.web.listeners.addresses import (
    parse_broker,
    parse_events,
    parse_hooks,
    parse_secret,
    parse_topic,
)
from companion.web.own_names import parse_names, parse_prefix

__all__ = [
    "PLACE",
    "Config",
    "ConfigError",
    "copies_paths",
    "load_config",
    "parse_config",
    "record_path",
]

PLACE = Path("/etc/companion/companion.toml")
"""The file that is read if no other is named and it exists."""


@dataclass(frozen=True, slots=True)
class Box:
    """The hardware on the Pi, and the table's language."""

    hardware: str = "auto"
    """One of: `board`; `pads` (number pads, the page and HDMI, without a board); `virtual`; `auto`
    (whichever is found); `answering` (like `auto`, but `pads` if an I²C display doesn't answer on
    its bus). See hardware.py."""
    board: str = "keys-16"
    """The name of one of hw/boards, or a file that ends in .toml."""
    menu_held: str = "nothing"
    """nothing, or switch-off: holding MENU asks whether to switch the box off, which only the
    service can do."""
    language: str = "en"
    """The table's language until one is chosen there."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The settings of the keys: how the pins are accessed, for how many milliseconds a contact must
    be stable, and after how many milliseconds a pressed key counts as held."""

    pins: str = "auto"
    """Which pins are used (see devices/gpio/pins.py)."""
    contact_ms: float = 3
    release_ms: float = 25
    hold_ms: float = 2000


@dataclass(frozen=True, slots=True)
class Keypads:
    """The seat keypads. `usb`: the USB ids of boards that may run the keypads' firmware."""

    usb: str = PICO


@dataclass(frozen=True, slots=True)
class Pads:
    """Which number pads and keyboards the table uses."""

    take: str = "auto"
    """One of TAKE_VALUES in devices/pads/pad_keys.py."""


@dataclass(frozen=True, slots=True)
class Record:
    """The record. `path`: its file; if empty, a file in the service's own folder or in the user's.
    `copies`: a folder to which the record is also copied, empty for none. `keep_names_months`: for
    how many months finished games keep the players' names, 0 for ever."""

    path: str = ""
    copies: str = ""
    keep_names_months: int = 0


@dataclass(frozen=True, slots=True)
class Web:
    """The page's address.

    By default only this machine can open the page, on port 8055. If the table is a service, the
    whole network can, on the port where systemd listens for it (see page.py). `names`: more names
    under which the page may be reached, separated by spaces; `prefix`: the path at the beginning of
    all addresses, behind a proxy; `certificate` and `key`: PEM files for serving HTTPS as well, on
    `encrypted_port` (without a certificate there is no HTTPS; its file may also contain the
    key)."""

    host: str = "auto"
    port: int = -1
    names: str = ""
    prefix: str = ""
    certificate: str = ""
    key: str = ""
    encrypted_port: int = -1


@dataclass(frozen=True, slots=True)
class ClubAddress:
    """The club that a box requests to join when it starts, if it has never joined one. `address`:
    the address of the club's hub, empty for none."""

    address: str = ""


@dataclass(frozen=True, slots=True)
class Mqtt:
    """The MQTT broker to which the table's events are sent; see web/listeners/mqtt.py. `ca`: a file
    with the only certificate authority that is accepted for the broker and hooks; if empty, this
    machine's authorities are accepted. `topic`: empty for one with the box's own id."""

    broker: str = ""
    user: str = ""
    password: str = ""
    ca: str = ""
    topic: str = ""
    discovery: str = "homeassistant"


@dataclass(frozen=True, slots=True)
class Hooks:
    """The web hooks to which the table's events are sent. `addresses` and `events` (the kinds of
    events) are separated by spaces; see web/listeners/hooks.py."""

    addresses: str = ""
    secret: str = ""
    events: str = ""


@dataclass(frozen=True, slots=True)
class UpdateAddress:
    """The address from which a flashed card loads its updates, empty for none."""

    address: str = ""


@dataclass(frozen=True, slots=True)
class VoiceOfBox:
    """The box's voice. `device`: ALSA's name for the sound card (empty for the system's); `clips`:
    a folder of recorded clips (empty for none)."""

    device: str = ""
    clips: str = ""


@dataclass(frozen=True, slots=True)
class Config:
    """The whole configuration; `display` has only the settings that differ from the board's."""

    box: Box = field(default_factory=Box)
    display: Mapping[str, Any] = field(default_factory=dict)
    keys: Keys = field(default_factory=Keys)
    keypads: Keypads = field(default_factory=Keypads)
    pads: Pads = field(default_factory=Pads)
    record: Record = field(default_factory=Record)
    web: Web = field(default_factory=Web)
    club: ClubAddress = field(default_factory=ClubAddress)
    mqtt: Mqtt = field(default_factory=Mqtt)
    hooks: Hooks = field(default_factory=Hooks)
    update: UpdateAddress = field(default_factory=UpdateAddress)
    voice: VoiceOfBox = field(default_factory=VoiceOfBox)


_SECTIONS: Mapping[str, type[Any]] = {
    "box": Box, "keys": Keys, "keypads": Keypads, "pads": Pads, "record": Record, "web": Web,
    "club": ClubAddress, "mqtt": Mqtt, "hooks": Hooks, "update": UpdateAddress,
    "voice": VoiceOfBox,
}  # fmt: skip
_ALLOWED: Mapping[str, Mapping[str, Allowed]] = {
    "keys": {"pins": ("auto", "kernel", "lgpio", "rpigpio", "pigpio")},
    "box": {
        "hardware": ("auto", "answering", "board", "pads", "virtual"),
        "menu_held": ("nothing", "switch-off"),
        "language": tuple(OWN_NAMES),
    },
    "pads": {"take": TAKE_VALUES},
    "record": {"keep_names_months": range(MAX_MONTHS + 1)},
    "web": {"port": range(-1, 65536), "encrypted_port": range(-1, 65536)},
}

_PARSED: tuple[tuple[str, str, Callable[[str], object]], ...] = (
    ("keypads", "usb", parse_usb_ids),
    ("web", "names", parse_names),
    ("web", "prefix", parse_prefix),
    ("mqtt", "broker", parse_broker),
    ("mqtt", "topic", parse_topic),
    ("mqtt", "discovery", parse_topic),
    ("hooks", "addresses", parse_hooks),
    ("hooks", "secret", parse_secret),
    ("hooks", "events", parse_events),
)
"""Keys whose text has a special format, with the function that parses it. It raises ValueError with
a one-line reason."""


def load_config(path: Path | None = None) -> Config:
    """Returns the configuration in the file `path`; without a path, that in PLACE, or the defaults
    if PLACE doesn't exist. Raises ConfigError."""
    if path is None and not PLACE.exists():
        return Config()
    path = path or PLACE
    return parse_config(read_toml(path), str(path))


def parse_config(text: str, name: str) -> Config:
    """Returns the configuration in `text`, the contents of the file `name`. Raises ConfigError."""
    given = parse_toml(text, name, [one.name for one in fields(Config)])
    sections = {
        section: check_section(kind, section, given.get(section, {}), name, _ALLOWED.get(section))
        for section, kind in _SECTIONS.items()
    }
    if not sections["web"].host:
        raise ConfigError(f'{name}: [web] host is empty: write host = "auto"')
    for section, key, parse in _PARSED:
        if text := getattr(sections[section], key):
            try:
                parse(text)
            except ValueError as error:
                raise ConfigError(f"{name}: [{section}] {key}: {error}") from error
    display = given.get("display", {})
    check_section(Display, "display", display, name, DISPLAY_ALLOWED)
    return Config(display=display, **sections)


def record_path(config: Config, default: Path) -> Path:
    """Returns the path of the record in the configuration, or `default` if it names none. Raises
    ConfigError."""
    return _expand_home("the record", Path(config.record.path or default))


def copies_paths(config: Config) -> tuple[Path, ...]:
    """Returns the configured folders for copies of the record. Raises ConfigError."""
    named = config.record.copies
    return (_expand_home("copies in", Path(named)),) if named else ()


def _expand_home(what: str, path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError as error:
        raise ConfigError(f"{what} {path}: there is no such home; write the whole path") from error
