"""The file wifi.txt, and the configuration of wpa_supplicant made from it. Nothing in the file
is ever executed or copied unchanged: names and keys are written in hexadecimal.

    name = Our home
    password = what is on the router
    country = DE

A second `name` begins another network. `hidden = yes` is for a network that doesn't send its name.
A network without a password is open. `ssid` and `psk` are other words for name and password.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping

from companion.card.files import Mistake, SettingLine, parse_settings
from companion.core.values import dataclass
from companion.core.words import Sentence, phrase

FILE_NAME = "wifi.txt"
KEY_NAMES = {
    "name": "name", "ssid": "name", "network": "name",
    "password": "password", "psk": "password", "passphrase": "password", "key": "password",
    "country": "country", "hidden": "hidden",
}  # fmt: skip
YES, NO = ("yes", "true", "1", "on"), ("no", "false", "0", "off", "")
LONGEST_NAME = 32
"""The most bytes of a network's name (IEEE 802.11)."""
KEY_ROUNDS, KEY_BYTES = 4096, 32
"""The rounds and the bytes of the key derived from a password (IEEE 802.11i)."""


@dataclass(frozen=True, slots=True)
class Network:
    """A Wi-Fi network. One without a password is open."""

    name: str
    password: str = ""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Wifi:
    """The networks and the country in wifi.txt. `country`: two letters, which determine the legal
    channels; if empty, only channels legal in all countries are used."""

    networks: tuple[Network, ...]
    country: str = ""


def parse_wifi(text: str) -> Wifi:
    """Returns the networks in the text of wifi.txt; none if it names none. Raises Mistake."""
    blocks: list[dict[str, str]] = []
    country = ""
    for line in parse_settings(text, FILE_NAME):
        match KEY_NAMES.get(line.key):
            case None:
                raise _mistake(line, f"“{line.key}” is not known: name, password, country, hidden")
            case "name":
                blocks.append({"name": _checked_value(line, _name_fault(line.value))})
            case "country":
                country = _checked_value(line, _country_fault(line.value)).upper()
            case key if not blocks:
                raise _mistake(line, f"write the network's name before its {key}")
            case "password":
                blocks[-1]["password"] = _checked_value(line, _password_fault(line.value))
            case "hidden":
                word = line.value.lower()
                if word not in YES + NO:
                    raise _mistake(line, "hidden is yes or no")
                blocks[-1]["hidden"] = "yes" if word in YES else ""
    networks = (
        Network(one["name"], one.get("password", ""), bool(one.get("hidden"))) for one in blocks
    )
    return Wifi(tuple(networks), country)


def check_wifi(wifi: Wifi, file: str) -> Wifi:
    """Returns Wi-Fi settings read from another kind of file (settings.py), with the country in
    capitals. Raises Mistake, naming that `file`, if the settings can't be used."""
    faults = [_country_fault(wifi.country) if wifi.country else None]
    faults += map(network_fault, wifi.networks)
    if fault := next(filter(None, faults), None):
        raise Mistake(f"{file}: {fault}")
    return Wifi(wifi.networks, wifi.country.upper())


def _checked_value(line: SettingLine, fault: Sentence | None) -> str:
    if fault:
        raise _mistake(line, fault)
    return line.value


def network_fault(network: Network) -> Sentence | None:
    """Returns a sentence about the fault in a network's name or password; None if both are
    valid."""
    return _name_fault(network.name) or _password_fault(network.password)


def _name_fault(name: str) -> Sentence | None:
    try:
        if 0 < len(name.encode()) <= LONGEST_NAME:
            return None
    except UnicodeEncodeError:  # half of a surrogate pair, from JSON or YAML
        pass
    return phrase("a network's name has 1 to 32 letters")


def _password_fault(password: str) -> Sentence | None:
    if password and not _is_key(password):
        if not 8 <= len(password) <= 63:
            return phrase("a password has 8 to 63 letters")
        if not all(" " <= letter <= "~" for letter in password):
            return phrase("a password can have only ASCII letters, digits and signs")
    return None


def _country_fault(country: str) -> Sentence | None:
    if re.fullmatch("[A-Za-z]{2}", country):
        return None
    return phrase("a country is two letters, as in DE or US")


def _is_key(value: str) -> bool:
    """Returns whether the value is not a password but the key itself, as 64 hexadecimal digits."""
    return bool(re.fullmatch("[0-9a-fA-F]{64}", value))


def _mistake(line: SettingLine, what: str) -> Mistake:
    return Mistake(f"{FILE_NAME}, line {line.number}: {what}")


def supplicant_text(wifi: Wifi, control: str = "") -> str:
    """Returns the text of wpa_supplicant's configuration. `control`: the folder of its control
    socket (empty for none)."""
    head = [f"ctrl_interface={control}"] if control else []
    head += [f"country={wifi.country}"] if wifi.country else []
    blocks = (
        "\n".join(("network={", *(f"\t{line}" for line in network_settings(network)), "}"))
        for network in wifi.networks
    )
    return "\n".join((*head, *blocks, ""))


def network_settings(network: Network) -> list[str]:
    """Returns the settings of a network for wpa_supplicant, as in `ssid=4f7572`."""
    lines = [f"ssid={network.name.encode().hex()}"]
    if network.hidden:
        lines.append("scan_ssid=1")
    if network.password:
        lines += ["key_mgmt=WPA-PSK WPA-PSK-SHA256", "ieee80211w=1", f"psk={_wpa_key(network)}"]
    else:
        lines.append("key_mgmt=NONE")
    return lines


def _wpa_key(network: Network) -> str:
    if _is_key(network.password):
        return network.password.lower()
    word, salt = network.password.encode(), network.name.encode()
    return hashlib.pbkdf2_hmac("sha1", word, salt, KEY_ROUNDS, KEY_BYTES).hex()


def explain_events(events: Iterable[str], known: Mapping[str, Network]) -> Sentence | None:
    """Returns a sentence about the problem that wpa_supplicant's last relevant event reports; None
    if there is no problem. `events`: lines from wpa_supplicant; `known`: the networks by
    wpa_supplicant's numbers."""
    problem: Sentence | None = None
    for line in events:
        if "CTRL-EVENT-CONNECTED" in line:
            problem = None
        elif "reason=WRONG_KEY" in line:
            problem = _wrong_password(line, known)
        elif "CTRL-EVENT-NETWORK-NOT-FOUND" in line and known:
            names = ", ".join(f"“{network.name}”" for network in known.values())
            problem = phrase("Wi-Fi {names} is not found", names=names)
    return problem


def _wrong_password(line: str, known: Mapping[str, Network]) -> Sentence:
    found = re.search(r"\bid=(\d+)", line)
    network = known.get(found[1] if found else "0")
    if network is None:
        return phrase("The password of the Wi-Fi is wrong")
    return phrase("The password of the Wi-Fi “{name}” is wrong", name=network.name)
