"""Addresses typed on a phone, which must not lead back to the box itself.

A table's page is open to everybody in the room, so an address typed there may only be a host and a
port that phones can reach as well. A path or a query is refused, and redirects are not followed.
Addresses from the configuration, the command line and the box's own keys have no such limits."""

import ipaddress
import re
import socket
import unicodedata
from typing import Final

from companion.core.errors import EntryError

_HOST: Final = re.compile(
    r"(?:(?:https?|wss?)://)?(\[[0-9a-fA-F:.]+\]|[\w.-]{1,200})(?::([0-9]{1,5}))?/?", re.IGNORECASE
)
EVERYWHERE: Final = "::"
"""The host with which a server listens on all networks, with IPv4 and IPv6."""
OWN_WIFI: Final = "192.168.44.1"
"""The box's address in its own Wi-Fi, which a flashed card opens (card/wireless.py)."""
OWN_WIFI_FILE: Final = "own-wifi"
"""The file that describes that Wi-Fi while it is open: see read_own_wifi (web/address.py)."""
_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")


def check_typed(address: str) -> None:
    """Raises EntryError unless the address is a host with or without a port, as in 192.168.1.20,
    192.168.1.20:8070 or https://club.example, and other machines could reach it."""
    match = _HOST.fullmatch(_normalized(address.strip()))
    if match is None or not 0 < int(match[2] or 1) < 65536:
        raise EntryError("type it as 192.168.1.20 or https://club.example, with nothing after it")
    host = match[1].strip("[]").lower().rstrip(".")
    if host == "localhost" or host.endswith(".localhost") or is_unreachable_for_phones(host):
        raise EntryError("{address} is the box itself: type that at the box", address=address)


def is_unreachable_for_phones(host: str) -> bool:
    """Whether `host` is an IP address of this machine itself, or only valid on its own link: a
    phone can't open it, so the box won't open it for a phone. Also True for unusual notations
    (127.1), which resolvers read differently; False for a name."""
    host = _normalized(host).strip("[]").partition("%")[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return not host.strip("0123456789.")
    return _is_own_address(address)


def _normalized(text: str) -> str:
    """Returns the text with full-width and circled letters and digits replaced with plain ones, as
    clients do when they resolve a name."""
    return unicodedata.normalize("NFKC", text)


def _is_own_address(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return _is_own_address(inner)
    return (
        address.is_loopback
        or address.is_link_local
        or address.is_unspecified
        or address.is_multicast
        or address.is_reserved
    )


def with_port(host: str, port: int | None) -> str:
    """A host or IP address with its port, an IPv6 address in brackets. Leaves out the zone of a
    link-local address (`%eth0`), which browsers reject and other machines name differently."""
    shown = f"[{host.partition('%')[0]}]" if ":" in host else host
    return shown if port is None else f"{shown}:{port}"


def check_peer(connection: socket.socket) -> None:
    """Raises ConnectionRefusedError if the other end of the connection has an address that phones
    couldn't reach. Checked once connected, because a name may lead to any address."""
    if is_unreachable_for_phones(str(connection.getpeername()[0])):
        raise ConnectionRefusedError("that address leads back to the box itself")
