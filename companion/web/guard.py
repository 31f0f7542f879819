"""Who may see and press: the rules by which the page's server lets anybody in.

A page of another site must not be able to press keys. Browsers tell where a request comes from
(Origin) and for whom it is (Host), so both are checked: the Origin must be the address that was
asked, and the Host must be one that no stranger's name server can point at us: a number, or this
machine's own name. Besides, whoever presses must know the token to play, and whoever only looks
that or the one to watch.
"""

import hmac
import ipaddress
import re
import secrets
import socket
from base64 import b32encode
from enum import Enum
from urllib.parse import urlsplit

from companion.values import dataclass

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?", re.ASCII)


def fresh_token() -> str:
    """Sixteen letters and digits that can't be guessed (80 random bits), easy to type."""
    return b32encode(secrets.token_bytes(10)).decode().lower()


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach what listens there."""
    address = _address(host)
    return host == "localhost" if address is None else address.is_loopback


def own_names() -> frozenset[str]:
    """The names by which this machine's network knows it."""
    name = socket.gethostname().lower()
    return frozenset({name, name.partition(".")[0], f"{name.partition('.')[0]}.local"})


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None


class Access(Enum):
    """What somebody may do."""

    WATCH = "watch"
    PLAY = "play"


@dataclass(frozen=True, slots=True)
class Guard:
    """`open_to_all`: the network may come in, by the machine's numbers or `names`; else only this
    machine itself. `token` lets play, `watch` only look (empty: there is no such word)."""

    token: str
    watch: str = ""
    open_to_all: bool = False
    names: frozenset[str] = frozenset()

    def host_is_ours(self, host: str) -> bool:
        """Whether a Host header asks for this machine, whatever the port (ssh may change it)."""
        match = _HOST.fullmatch(host.lower())
        if not match:
            return False
        name = match[1]
        if is_loopback(name):
            return True
        return self.open_to_all and (_address(name) is not None or name in self.names)

    def origin_is_ours(self, origin: str | None, host: str) -> bool:
        """Whether a request comes from a page that was itself got from this `host`."""
        if origin is None:
            return False
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()

    def tells_token(self, peer: str | None, host: str) -> bool:
        """Whether whoever asks from that address for this `host` sits at this machine, as a browser
        on its own screen does, or comes by ssh: they need no token from elsewhere."""
        match = _HOST.fullmatch(host.lower())
        return match is not None and is_loopback(match[1]) and is_loopback(peer or "")

    def access(self, word: object) -> Access | None:
        """What that word lets do, None: nothing; takes equally long for every wrong word."""
        told = word.encode(errors="replace") if isinstance(word, str) else b""
        plays = hmac.compare_digest(told, self.token.encode())
        watches = hmac.compare_digest(told, self.watch.encode())
        if plays and self.token:
            return Access.PLAY
        return Access.WATCH if watches and self.watch else None


def headers(host: str) -> dict[str, str]:
    """What every answer carries: the browser shall load, run and embed nothing but our files.
    `host` has been checked. Older phones don't count a WebSocket as 'self', so it is named."""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        f"connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
        "Cache-Control": "no-store",
        "Server": "companion",
    }
