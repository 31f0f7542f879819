"""What Raspberry Pi Imager writes beside our own files: its customisation, in cloud-init's format.

`network-config` has Wi-Fi networks (netplan, version 2), `user-data` time zone and ssh keys. Only
these are taken; users, passwords and commands that somebody may have put there are not. What our
own files say counts first.

    network:                                        #cloud-config
      version: 2                                    timezone: Europe/Berlin
      wifis:                                        users:
        wlan0:                                      - name: anna
          regulatory-domain: DE                       ssh_authorized_keys:
          access-points:                              - ssh-ed25519 AAAA…
            "Our home": {password: "…"}

All values are taken as text, as they are written: without quotation marks, too, a password of
digits is no number, and neither the name `on` nor the country `NO` is a yes or no.

Sources: netplan's reference, “Properties for device type wifis”; cloud-init's reference,
“cc_timezone” and “cc_users_groups”.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from companion.card.files import Mistake, text_of
from companion.card.wifi import Network, Wifi, checked

NETWORK, USER = "network-config", "user-data"
YES = ("true", "yes", "on", "y")
"""How YAML writes yes."""


def wifi_of(folder: Path) -> Wifi:
    """The Wi-Fi networks of `network-config`; none if there is no such file. Raises Mistake."""
    told = _mapping(_yaml(folder, NETWORK))
    devices = _mapping(_mapping(told.get("network", told)).get("wifis"))
    networks, country = list[Network](), ""
    for device in map(_mapping, devices.values()):
        country = country or str(device.get("regulatory-domain") or "")
        for name, found in _mapping(device.get("access-points")).items():
            point = _mapping(found)
            auth = _mapping(point.get("auth"))
            password = str(point.get("password") or auth.get("password") or "")
            hidden = str(point.get("hidden") or device.get("hidden") or "").lower() in YES
            networks.append(Network(str(name), password, hidden))
    return checked(Wifi(tuple(networks), country), NETWORK)


def zone_in(folder: Path) -> str:
    """The time zone of `user-data`; empty if it names none. Raises Mistake."""
    return str(_mapping(_yaml(folder, USER)).get("timezone") or "")


def keys_in(folder: Path) -> str:
    """The public keys of `user-data` that may log in by ssh, one a line. Raises Mistake."""
    told = _mapping(_yaml(folder, USER))
    users = [_mapping(one) for one in _listed(told.get("users"))]
    found = [key for one in (told, *users) for key in _listed(one.get("ssh_authorized_keys"))]
    return "\n".join(str(key) for key in dict.fromkeys(found))


def _yaml(folder: Path, name: str) -> Any:
    text = text_of(folder, name)
    if not text.strip():
        return None
    # Loaded only if somebody has used Imager: the table waits for these settings.
    import yaml

    try:
        loader = yaml.SafeLoader(text)
        loader.yaml_implicit_resolvers = {}  # so that what has no tag is text
        return loader.get_single_data()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        raise Mistake(f"{name}{where}: it can't be read: write wifi.txt instead") from error


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _listed(value: object) -> Iterable[Any]:
    return value if isinstance(value, list) else ()
