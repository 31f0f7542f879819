"""What the card says, checked and put where the system reads it, at each start. A file with a
mistake counts as empty; all mistakes are kept, for the table to show."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from companion.app.config import ConfigError, parse_config
from companion.card.choices import LANGUAGE, SSH_KEY, ZONE, keys_of, language_of, zone_of
from companion.card.files import Mistake, text_of
from companion.card.found import board_of, with_board, with_language
from companion.card.imager import keys_in, wifi_of, zone_in
from companion.card.wifi import NAME as WIFI
from companion.card.wifi import Wifi, parse_wifi, supplicant_text
from companion.core.values import dataclass
from companion.devices.board_file import load_board

CONFIG = "companion.toml"
MISTAKES = "mistakes"
"""The file of the mistakes, one a line."""
BOX = """\
[box]
hardware = "answering"
menu_held = "switch-off"
"""
"""The configuration of a card's box if the card has none."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the card says: the text of the box's configuration, that of wpa_supplicant (empty: no
    Wi-Fi), the file of the time zone, the keys that may log in by ssh, and the mistakes."""

    config: str
    wifi: str
    zone: Path | None
    keys: tuple[str, ...]
    mistakes: tuple[str, ...]


def read_settings(folder: Path) -> Settings:
    """Reads the files on the card's FAT partition."""
    mistakes: list[str] = []

    def of(read: Callable[[], str]) -> str:
        try:
            return read()
        except (Mistake, ConfigError) as error:
            mistakes.append(str(error))
            return ""

    def wifi() -> str:
        found = wifi_on(folder)
        return supplicant_text(found) if found.networks else ""

    config = of(lambda: _config(text_of(folder, CONFIG)))
    supplicant = of(wifi)
    zone = of(lambda: str(zone_of(text_of(folder, ZONE)) or zone_of(zone_in(folder)) or ""))
    keys = of(lambda: "\n".join(keys_of(text_of(folder, SSH_KEY)) or keys_of(keys_in(folder))))
    board = of(lambda: board_of(folder))
    language = of(lambda: language_of(text_of(folder, LANGUAGE)))
    return Settings(
        with_language(with_board(config or BOX, board), language),
        supplicant,
        Path(zone) if zone else None,
        tuple(keys.splitlines()),
        tuple(mistakes),
    )


def wifi_on(folder: Path) -> Wifi:
    """The networks of wifi.txt, or if it has none, those given to Imager. Raises Mistake."""
    ours = parse_wifi(text_of(folder, WIFI))
    return ours if ours.networks else wifi_of(folder)


def _config(text: str) -> str:
    """The text, after a check that it can be used, with the board that it names. Raises
    ConfigError."""
    if text:
        config = parse_config(text, CONFIG)
        load_board(config.box.board, config.display, CONFIG)
    return text


def put_settings(settings: Settings, into: Path) -> None:
    """Writes the settings into a folder of the running system. Raises OSError."""
    into.mkdir(mode=0o755, parents=True, exist_ok=True)
    texts = {
        CONFIG: settings.config,
        "wpa.conf": settings.wifi,
        "authorized_keys": "".join(f"{key}\n" for key in settings.keys),
        MISTAKES: "".join(f"{line}\n" for line in settings.mistakes),
    }
    for name, text in texts.items():
        path = into / name
        path.unlink(missing_ok=True)
        if text:
            secret = name == "wpa.conf"
            handle = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600 if secret else 0o644)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
    local = into / "localtime"
    local.unlink(missing_ok=True)
    if settings.zone:
        local.symlink_to(settings.zone)


def in_one_line(mistakes: Iterable[str], longest: int) -> str:
    """The mistakes in one line of at most `longest` characters: the first mistake, and how many
    more."""
    lines = list(mistakes)
    if not lines:
        return ""
    more = f" (and {len(lines) - 1} more)" if lines[1:] else ""
    room = longest - len(more)
    first = lines[0] if len(lines[0]) <= room else f"{lines[0][: room - 1]}…"
    return first + more
