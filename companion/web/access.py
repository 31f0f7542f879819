"""Who may see and press: the rules by which the page's server lets anybody in.

A page of another site must not be able to press keys. Browsers tell where a request comes from
(Origin) and for whom it is (Host), so both are checked: the Origin must be the address that was
asked, and the Host must be one that no stranger's name server can point at us: a number, or this
machine's own name. Besides, whoever presses must know a word to play, and whoever only looks
that or the one to watch (codes.py).
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
    """Whether only this machine can reach what listens there."""
    address = _address(host)
    return host == "localhost" if address is None else address.is_loopback


def own_names() -> frozenset[str]:
    """The names by which this machine's network knows it."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    # Two machines of one name: the later one is announced with a number behind it.
    numbered = (f"{short}-{number}.local" for number in range(2, 10))
    return frozenset({name, short, f"{short}.local", *numbered})


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The IP address. An address of IPv4 that comes by a socket for both kinds counts as itself."""
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


class Access(Enum):
    """What somebody may do."""

    WATCH = "watch"
    PLAY = "play"


class AccessRules:
    """The rules for letting people in. `open_to_all`: the network may come in, by the machine's
    numbers or `names`; else only this machine itself. What somebody may do depends on the word that
    they know, by `codes`."""

    def __init__(
        self, codes: Codes, open_to_all: bool = False, names: frozenset[str] = frozenset()
    ) -> None:
        self.codes, self.open_to_all, self._names = codes, open_to_all, names

    def host_is_ours(self, host: str) -> bool:
        """Whether a Host header asks for this machine, whatever the port (ssh may change it)."""
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
        """Whether somebody who asks from that address for this `host` sits at this machine, as a
        browser on its own screen does, or comes by ssh: they need no word from elsewhere."""
        match = _HOST.fullmatch(host.lower())
        return match is not None and is_loopback(match[1]) and is_loopback(peer or "")

    def access(self, word: object) -> Access | None:
        """What that word allows; None: nothing. Takes equally long for every wrong word."""
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
        """Whether a request with these headers comes from a page of ours, with a word to play."""
        ours = self.origin_is_ours(headers.get("Origin"), host)
        return ours and self.access(headers.get("X-Word")) is Access.PLAY

    def is_kept(self, word: object) -> bool:
        """Whether that is the word of a phone that may stay."""
        return bool(self.codes.words.keep) and word == self.codes.words.keep


def bearer(headers: Mapping[str, str]) -> str | None:
    """The word of `Authorization: Bearer WORD` among a request's headers; None: it shows none."""
    kind, _, word = headers.get("Authorization", "").partition(" ")
    return word.strip() if kind.lower() == "bearer" else None


def headers(host: str) -> dict[str, str]:
    """What every answer carries: the browser shall load, run and embed nothing but our files, and
    draw nothing but these and what they have drawn themselves (a picture to save,
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
