"""Rules for who may see the table and press keys on the page.

A page of another site must not be able to press keys. Browsers tell where a request comes from
(Origin) and for whom it is (Host), so both are checked. The Origin must be the address that was
asked. The Host must be one that no stranger's name server can point at us: a number, or this
machine's own name. Besides, pressing keys needs a word to play, and looking needs a word to play or
to watch (codes.py).
"""

import hmac
import ipaddress
import re
import socket
from collections.abc import Mapping
from enum import Enum
from urllib.parse import urlsplit

from companion.web.codes import Codes

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?", re.ASCII)


def is_loopback(host: str) -> bool:
    """Whether `host` is a name or address that only this machine itself can reach."""
    address = _address(host)
    return host == "localhost" if address is None else address.is_loopback


def own_names() -> frozenset[str]:
    """The names by which this machine's network knows it."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    # Of two machines with one name the later one is announced with a number behind it.
    numbered = (f"{short}-{number}.local" for number in range(2, 10))
    return frozenset({name, short, f"{short}.local", *numbered})


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The IP address in `host`; None: it is a name. An IPv4 address mapped into IPv6 counts as the
    IPv4 address."""
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


class Access(Enum):
    """What a word lets somebody do."""

    WATCH = "watch"
    PLAY = "play"


class AccessRules:
    """The rules for letting people in. `open_to_all`: the network may come in, by the machine's IP
    addresses or `names`; else only this machine itself. Which word lets people do what is in
    `codes`."""

    def __init__(
        self, codes: Codes, open_to_all: bool = False, names: frozenset[str] = frozenset()
    ) -> None:
        self.codes, self.open_to_all, self._names = codes, open_to_all, names

    def host_is_ours(self, host: str) -> bool:
        """Whether a Host header names this machine, with any port (ssh may change it)."""
        match = _HOST.fullmatch(host.lower())
        if not match:
            return False
        name = match[1]
        if is_loopback(name):
            return True
        return self.open_to_all and (_address(name) is not None or name in self._names)

    def origin_is_ours(self, origin: str | None, host: str) -> bool:
        """Whether a request comes from a page that the browser got from this `host`."""
        if origin is None:
            return False
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()

    def tells_token(self, peer: str | None, host: str) -> bool:
        """Whether a request from the address `peer` for this `host` was made on this machine
        itself, by a browser on its own screen or through ssh: such a page may be told the word to
        play."""
        match = _HOST.fullmatch(host.lower())
        return match is not None and is_loopback(match[1]) and is_loopback(peer or "")

    def access(self, word: object) -> Access | None:
        """What `word` allows; None: nothing. Takes equally long for every wrong word."""
        key = word.encode(errors="replace") if isinstance(word, str) else b""
        words = self.codes.words
        known = {
            name: hmac.compare_digest(key, name.encode())
            for name in (words.play, words.keep, words.watch)
        }
        if not key:
            return None
        if known[words.play] or known[words.keep]:
            return Access.PLAY
        return Access.WATCH if known[words.watch] else None

    def lets_act(self, headers: Mapping[str, str], host: str) -> bool:
        """Whether a request with these headers comes from one of our own pages and has a word to
        play."""
        ours = self.origin_is_ours(headers.get("Origin"), host)
        return ours and self.access(headers.get("X-Word")) is Access.PLAY

    def is_kept(self, word: object) -> bool:
        """Whether `word` is the one of phones that stay let in after the evening."""
        return bool(self.codes.words.keep) and word == self.codes.words.keep


def bearer(headers: Mapping[str, str]) -> str | None:
    """The word of `Authorization: Bearer WORD` among a request's headers; None: it shows none."""
    kind, _, word = headers.get("Authorization", "").partition(" ")
    return word.strip() if kind.lower() == "bearer" else None


def headers(host: str) -> dict[str, str]:
    """The headers of every answer. With these a browser loads, runs and embeds nothing but our
    files, and shows no other images than these and those that our scripts make (a picture to save,
    evenings/watch.js). `host` has been checked. Older phones don't count a WebSocket as 'self', so
    it is named."""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"connect-src 'self' ws://{host} wss://{host}; base-uri 'none'; form-action 'none'; "
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
