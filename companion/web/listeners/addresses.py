"""The addresses of brokers and hooks as people write them. The functions are pure, and raise
ValueError for anything invalid, with a one-line message that explains what to write."""

import base64
import re
from binascii import Error
from typing import Final
from urllib.parse import SplitResult, urlsplit

from companion.core.values import dataclass
from companion.presentation.stream_events import EVENTS

BROKER_PORTS: Final = {"mqtt": 1883, "mqtts": 8883}
HOOK_PORTS: Final = {"http": 80, "https": 443}
MOST_HOOKS: Final = 4
SECRET_MARK: Final = "whsec_"
SECRET_BYTES: Final = range(24, 65)
TOPIC: Final = re.compile(r"[\w-]+(/[\w-]+)*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a broker or a hook. `path`: the path and query of a hook."""

    host: str
    port: int
    secure: bool
    path: str = "/"

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def parse_broker(text: str) -> Address:
    """The address of a broker, such as mqtt://192.168.1.5 or mqtts://home.example:8883. Raises
    ValueError."""
    return _parse_url(text, BROKER_PORTS, "mqtt://192.168.1.5 or mqtts://home.example")


def parse_hooks(text: str) -> tuple[Address, ...]:
    """Parses the addresses of hooks, separated by spaces, at most MOST_HOOKS. Raises ValueError."""
    found = tuple(_parse_url(one, HOOK_PORTS, "https://home.example/hook") for one in text.split())
    if len(found) > MOST_HOOKS:
        raise ValueError(f"there are {len(found)} hooks, and at most {MOST_HOOKS} can listen")
    return found


def _parse_url(text: str, ports: dict[str, int], example: str) -> Address:
    wrong = ValueError(f"write it as {example}, not {text[:60]!r}")
    try:
        found: SplitResult = urlsplit(text)
        port = found.port
    except ValueError:
        raise wrong from None
    if found.scheme not in ports or not found.hostname or not text.isascii() or found.fragment:
        raise wrong
    if found.username is not None:
        raise ValueError("a user's name and password don't belong into the address")
    if ports is BROKER_PORTS and (found.path.strip("/") or found.query):
        raise wrong
    path = (found.path or "/") + (f"?{found.query}" if found.query else "")
    secure = found.scheme in ("mqtts", "https")
    return Address(found.hostname, port or ports[found.scheme], secure, path)


def parse_secret(text: str) -> bytes:
    """The secret with which messages to hooks are signed: 24 to 64 bytes in base64, with or without
    “whsec_” in front. Raises ValueError."""
    wrong = ValueError("write 24 to 64 random bytes in base64: openssl rand -base64 32")
    try:
        found = base64.b64decode(text.removeprefix(SECRET_MARK), validate=True)
    except Error:
        raise wrong from None
    if len(found) not in SECRET_BYTES:
        raise wrong
    return found


def parse_events(text: str) -> frozenset[str]:
    """The requested kinds of events, separated by spaces; all if none is named. Raises
    ValueError."""
    wanted = frozenset(text.split()) or frozenset(EVENTS)
    if unknown := sorted(wanted - frozenset(EVENTS)):
        raise ValueError(f"there is no event {unknown[0]!r}; known are {', '.join(EVENTS)}")
    return wanted


def parse_topic(text: str) -> str:
    """The beginning of a topic: letters, digits, hyphens, and slashes between. Raises
    ValueError."""
    if not TOPIC.fullmatch(text):
        raise ValueError(f"write a topic of letters, digits and hyphens, not {text[:60]!r}")
    return text
