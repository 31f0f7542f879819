"""Checks the settings on the card, and writes them where the system reads them, at each start. A
file with a mistake is treated as empty; all mistakes are stored, for the table to show."""

import base64
import binascii
import os
import re
import subprocess
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from companion.app.config import parse_config
from companion.card.files import Mistake, content_lines, read_card_text
from companion.card.wifi import FILE_NAME as WIFI
from companion.card.wifi import Network, Wifi, check_wifi, parse_wifi, supplicant_text
from companion.core.languages import OWN_NAMES, find_language
from companion.core.regular_file import open_file
from companion.core.toml_file import ConfigError, did_you_mean, escaped
from companion.core.values import dataclass
from companion.devices.board import known_boards, load_board

# ---------------------------------------------------------------- imager
# What Raspberry Pi Imager writes beside our own files: its customisation, in cloud-init's format.
#
# `network-config` has Wi-Fi networks (netplan, version 2), `user-data` time zone and ssh keys. Only
# these are used; users, passwords and commands that somebody may have put there are ignored. Our
# own files take precedence.
#
#     network:                                        #cloud-config
#       version: 2                                    timezone: Europe/Berlin
#       wifis:                                        users:
#         wlan0:                                      - name: anna
#           regulatory-domain: DE                       ssh_authorized_keys:
#           access-points:                              - ssh-ed25519 AAAA…
#             "Our home": {password: "…"}
#
# All values are read as text, exactly as written. Even without quotation marks, a password of
# digits is not a number, and the name `on` and the country `NO` do not mean yes or no.
#
# Sources: netplan's reference, “Properties for device type wifis”; cloud-init's reference,
# “cc_timezone” and “cc_users_groups”.


NETWORK_CONFIG, USER_DATA = "network-config", "user-data"
YAML_YES = ("true", "yes", "on", "y")
"""The ways to write yes in YAML."""


def read_imager_wifi(folder: Path) -> Wifi:
    """Returns the Wi-Fi networks in Raspberry Pi Imager's file `network-config`; none if there is
    no such file. Raises Mistake."""
    config = _as_mapping(_load_yaml(folder, NETWORK_CONFIG))
    devices = _as_mapping(_as_mapping(config.get("network", config)).get("wifis"))
    networks, country = list[Network](), ""
    for device in map(_as_mapping, devices.values()):
        country = country or _as_text(device.get("regulatory-domain"), NETWORK_CONFIG)
        for key, found in _as_mapping(device.get("access-points")).items():
            point = _as_mapping(found)
            auth = _as_mapping(point.get("auth"))
            password = _as_text(point.get("password") or auth.get("password"), NETWORK_CONFIG)
            hidden = _as_text(point.get("hidden") or device.get("hidden"), NETWORK_CONFIG)
            name = _as_text(key, NETWORK_CONFIG)
            networks.append(Network(name, password, hidden.lower() in YAML_YES))
    return check_wifi(Wifi(tuple(networks), country), NETWORK_CONFIG)


def read_imager_zone(folder: Path) -> str:
    """Returns the name of the time zone in Raspberry Pi Imager's file `user-data`; empty if it has
    none. Raises Mistake."""
    return _as_text(_as_mapping(_load_yaml(folder, USER_DATA)).get("timezone"), USER_DATA)


def read_imager_keys(folder: Path) -> str:
    """Returns the public keys in Raspberry Pi Imager's file `user-data` that may log in with ssh,
    one per line. Raises Mistake."""
    config = _as_mapping(_load_yaml(folder, USER_DATA))
    users = [_as_mapping(one) for one in _as_list(config.get("users"))]
    found = [key for one in (config, *users) for key in _as_list(one.get("ssh_authorized_keys"))]
    return "\n".join(dict.fromkeys(_as_text(key, USER_DATA) for key in found))


def _load_yaml(folder: Path, name: str) -> Any:
    text = read_card_text(folder, name)
    if not text.strip():
        return None
    # Loaded only if somebody has used Imager: the table waits for these settings.
    import yaml

    try:
        loader = yaml.SafeLoader(text)
        loader.yaml_implicit_resolvers = {}  # values without a tag are text
        return loader.get_single_data()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        raise _unreadable(name, where) from error
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError):
        # PyYAML raises these for tags such as !!int on other values, and for deep nesting.
        raise _unreadable(name) from None


def _unreadable(name: str, where: str = "") -> Mistake:
    return Mistake(f"{name}{where}: it can't be read: write wifi.txt instead")


def _as_text(value: object, name: str) -> str:
    """The value as text; empty if there is none. Raises Mistake for a list or an object: written as
    text, one that refers to itself many times over could fill the memory. `name`: the file."""
    if not isinstance(value, str | None):
        raise _unreadable(name)
    return value or ""


def _as_mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _as_list(value: object) -> Iterable[Any]:
    return value if isinstance(value, list) else ()


# ---------------------------------------------------------------- choices
# Time zone, language and ssh keys, read from the card's files.


ZONE, SSH_KEY, LANGUAGE = "timezone.txt", "ssh-key.txt", "language.txt"
ZONES = Path("/usr/share/zoneinfo")
NOT_ZONES = ("posix", "right")
LONGEST_ZONE = 60
"""The most characters of a time zone's name; file names may not be much longer."""
KEY_KINDS = (
    "ssh-ed25519", "ssh-rsa", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521",
    "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com",
)  # fmt: skip
"""The allowed beginnings of a public key's line. Options, which could run commands, are not
allowed."""


def zone_file(text: str, zones: Path = ZONES) -> Path | None:
    """Returns the file of a time zone such as Europe/Berlin; None if the text is empty. Raises
    Mistake."""
    words = content_lines(text)
    if not words:
        return None
    word = words[0].replace(" ", "_").strip("/")
    path = zones / word
    known = len(words) == 1 and len(word) <= LONGEST_ZONE and ".." not in Path(word).parts
    if not known or not path.is_file() or _file_start(path) != b"TZif":
        raise Mistake(f"{ZONE}: {escaped(word)[:40]} is no time zone{_zone_hint(word, zones)}")
    return path


def parse_language(text: str) -> str:
    """Returns the language's tag for the box's configuration. The text contains either the tag or
    the language's own name; the result is empty if the text is. Raises Mistake."""
    words = content_lines(text)
    if not words:
        return ""
    wanted = words[0].casefold()
    own = (tag for tag, name in OWN_NAMES.items() if name.casefold().startswith(wanted))
    found = find_language(words[0]) or (next(own, None) if len(wanted) > 2 else None)
    if found is None or len(words) > 1:
        known = ", ".join(OWN_NAMES.values())
        raise Mistake(f"{LANGUAGE}: {escaped(words[0])[:40]} is no language here; write {known}")
    return found


def _file_start(path: Path) -> bytes:
    with open_file(path) as file:
        return file.read(4)


def _zone_hint(word: str, zones: Path) -> str:
    known = [
        str(path.relative_to(zones))
        for path in zones.glob("*/*")
        if path.relative_to(zones).parts[0] not in NOT_ZONES
    ]
    hint = did_you_mean(word, known)
    return hint if "did you mean" in hint else ": write one as Europe/Berlin"


def ssh_keys(text: str) -> tuple[str, ...]:
    """Returns the public keys in a text that may log in with ssh. Raises Mistake."""
    return tuple(_public_key(line) for line in content_lines(text))


def _public_key(line: str) -> str:
    if "PRIVATE KEY" in line:
        raise Mistake(f"{SSH_KEY}: that is a private key: write the one that ends in .pub")
    kind, _, rest = line.partition(" ")
    word = rest.split(" ")[0]
    if kind not in KEY_KINDS or not _key_matches_kind(word, kind):
        raise Mistake(
            f"{SSH_KEY}: write the line of a file that ends in .pub, as ssh-ed25519 AAAA…"
        )
    return f"{kind} {word}"


def _key_matches_kind(word: str, kind: str) -> bool:
    """Returns whether the data of an ssh key, in `word`, is of the `kind` that its line names."""
    try:
        data = base64.b64decode(word, validate=True)
    except (binascii.Error, ValueError):
        return False
    size = int.from_bytes(data[:4], "big")
    return data[4 : 4 + size] == kind.encode()


# ---------------------------------------------------------------- settings

CONFIG = "companion.toml"
MISTAKES = "mistakes"
"""The file with the mistakes, one per line."""
DEFAULT_CONFIG = """\
[box]
hardware = "answering"
menu_held = "switch-off"
"""
"""The box's configuration if the card has none."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings on the card: the text of the box's configuration, the text of wpa_supplicant's
    (empty for no Wi-Fi), the file of the time zone, the keys that may log in with ssh, and the
    mistakes."""

    config: str
    wifi: str
    zone: Path | None
    keys: tuple[str, ...]
    mistakes: tuple[str, ...]


def read_settings(folder: Path) -> Settings:
    """Returns the settings in the files on the card's FAT partition."""
    mistakes: list[str] = []

    def noting_mistakes(read: Callable[[], str]) -> str:
        try:
            return read()
        except (Mistake, ConfigError) as error:
            mistakes.append(str(error))
            return ""

    def read_supplicant() -> str:
        found = read_wifi(folder)
        return supplicant_text(found) if found.networks else ""

    config = noting_mistakes(lambda: _check_config(read_card_text(folder, CONFIG)))
    supplicant = noting_mistakes(read_supplicant)
    zone = noting_mistakes(
        lambda: str(
            zone_file(read_card_text(folder, ZONE)) or zone_file(read_imager_zone(folder)) or ""
        )
    )
    keys = noting_mistakes(
        lambda: "\n".join(
            ssh_keys(read_card_text(folder, SSH_KEY)) or ssh_keys(read_imager_keys(folder))
        )
    )
    board = noting_mistakes(lambda: read_board(folder))
    language = noting_mistakes(lambda: parse_language(read_card_text(folder, LANGUAGE)))
    return Settings(
        with_language(with_board(config or DEFAULT_CONFIG, board), language),
        supplicant,
        Path(zone) if zone else None,
        tuple(keys.splitlines()),
        tuple(mistakes),
    )


def read_wifi(folder: Path) -> Wifi:
    """Returns the networks in wifi.txt or, if it has none, those entered in Raspberry Pi Imager.
    Raises Mistake."""
    ours = parse_wifi(read_card_text(folder, WIFI))
    return ours if ours.networks else read_imager_wifi(folder)


def _check_config(text: str) -> str:
    """Returns the text unchanged if it is a valid configuration whose board can be used. Raises
    ConfigError if not."""
    if text:
        config = parse_config(text, CONFIG)
        load_board(config.box.board, config.display, CONFIG)
    return text


def write_settings(settings: Settings, into: Path) -> None:
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
    """Returns the first mistake and the number of the other mistakes, in a line of at most
    `longest` characters."""
    lines = list(mistakes)
    if not lines:
        return ""
    more = f" (and {len(lines) - 1} more)" if lines[1:] else ""
    room = longest - len(more)
    first = lines[0] if len(lines[0]) <= room else f"{lines[0][: room - 1]}…"
    return first + more


BOARD = "board.txt"
"""The file for the board that was found by its keys (hat.py), on the card's FAT partition beside
the files that people write."""
BOARD_TEXT = (
    "# The box has found this board by its keys. Without this file it looks for one again.\n"
)
_BOX_SECTION = re.compile(r"^[ \t]*\[[ \t]*box[ \t]*\].*$", re.MULTILINE)


def read_board(folder: Path) -> str:
    """Returns the name of the board that was identified earlier; empty if none was. Raises
    Mistake."""
    words = content_lines(read_card_text(folder, BOARD))
    if words and words[0] not in known_boards():
        near = did_you_mean(words[0], known_boards())
        raise Mistake(f"{BOARD}: {escaped(words[0])[:40]} is no board{near}; or delete the file")
    return words[0] if words else ""


def with_board(config: str, name: str) -> str:
    """Returns the box's configuration with the board `name` added, unless the configuration already
    names one."""
    return (
        config
        if not name or names_board(config)
        else _add_to_box_section(config, f'board = "{name}"')
    )


def with_language(config: str, language: str) -> str:
    """Returns the box's configuration with this language added, unless the configuration already
    names one."""
    if not language or "language" in tomllib.loads(config).get("box", {}):
        return config
    return _add_to_box_section(config, f'language = "{language}"')


def _add_to_box_section(config: str, line: str) -> str:
    """Returns the configuration with `line` added to its section [box]."""
    found = _BOX_SECTION.search(config)
    if not found:
        return f"{config}\n[box]\n{line}\n"
    return f"{config[: found.end()]}\n{line}{config[found.end() :]}"


def names_board(config: str) -> bool:
    """Returns whether the configuration itself names a board."""
    return "board" in tomllib.loads(config).get("box", {})


def save_board(name: str, folder: Path) -> None:
    """Writes the board's name to the card's FAT partition, which is otherwise mounted read-only.
    Raises OSError or CalledProcessError."""
    _remount(folder, "rw")
    try:
        with (folder / BOARD).open("w", encoding="utf-8") as file:
            file.write(f"{BOARD_TEXT}{name}\n")
            file.flush()
            os.fsync(file.fileno())
    finally:
        _remount(folder, "ro")


def _remount(folder: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", str(folder)], check=True)


# ---------------------------------------------------------------- firmware of a Wi-Fi chip
# Firmware of a Wi-Fi chip that Debian lacks. People who have its files put them into a folder
# `firmware` on the card's FAT partition, such as `firmware/brcm/brcmfmac43430b0-sdio.bin`: that is
# the name that the kernel's driver asks for on some Zero 2 W, with chip 43436 (BCM43430/2).
#
# Sources: Linux, Documentation/driver-api/firmware/fw_search_path.rst, and the names in
# drivers/net/wireless/broadcom/brcm80211/brcmfmac/sdio.c.


FIRMWARE_FOLDER = "firmware"
FIRMWARE_PATH = Path("/sys/module/firmware_class/parameters/path")
"""The kernel's setting for an additional firmware folder, which takes precedence."""
NETWORK_DEVICES = Path("/sys/class/net")
WIFI_DRIVER = "brcmfmac"


def use_firmware(
    fat: Path,
    searched: Path = FIRMWARE_PATH,
    devices: Path = NETWORK_DEVICES,
    run: Callable[[list[str]], object] = lambda command: subprocess.run(command, check=False),
) -> bool:
    """Makes the kernel also look for firmware on the card, if there is some; returns whether there
    is. If there is no Wi-Fi device yet, reloads the driver. Raises OSError."""
    folder = fat / FIRMWARE_FOLDER
    if not folder.is_dir():
        return False
    searched.write_text(str(folder), encoding="ascii")
    if not any(path.name.startswith("wl") for path in devices.iterdir()):
        run(["modprobe", "-r", f"{WIFI_DRIVER}-wcc", WIFI_DRIVER])
        run(["modprobe", WIFI_DRIVER])
    return True
