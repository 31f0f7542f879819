"""Rules for who may see the table and press keys on the page.

A page of another site must not be able to press keys. Browsers send where a request comes from
(Origin) and which host it is for (Host), so both are checked. The Origin must be the address of the
request. The Host must be one that no stranger's name server can point at us: a number, one of this
machine's own names (own_names.py), or a name from the configuration. In addition, pressing keys
needs a play code, and looking needs a play code or a watch code.

A browser or program on this machine itself needs no access code, but has to send the machine's own
secret (LocalAccess): a loopback address proves nothing, as requests through a reverse proxy or a
tunnel come from one too.

Two access codes are handed out: the play code and the watch code. The play code ends with the
evening: after six hours without a new row it is replaced. A phone that is kept from evening to
evening gets a third code, the keep code, which ends only together with all others, when somebody
requests new codes. The codes are stored beside the record, so that they survive a restart.

That file is JSON, `{"play": …, "keep": …, "watch": …, "after": …}`, and only its owner may read it.
`after` is the number of the record's newest row before the evening for which the play code is
valid. Until a later row is added, that evening has not begun, and so can't be over.
"""

import hmac
import ipaddress
import json
import re
import secrets
import time
from base64 import b32encode
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from companion.core.clock import Clock, IdleTime
from companion.core.regular_file import read_private, write_private
from companion.core.values import dataclass

if TYPE_CHECKING:
    from aiohttp import web


# ---------------------------------------------------------------- access codes


CODE_PATTERN: Final = re.compile("[a-z2-7]{16}", re.ASCII)
WRONG_CODE_PAUSE_S: Final = 0.5
"""Seconds after which a wrong access code is refused, so that guessing takes long."""
LONGEST: Final = 500
"""The most characters of the file; a longer file is not ours."""


def new_code() -> str:
    """A random access code: sixteen letters and digits that are easy to type (80 random bits)."""
    return b32encode(secrets.token_bytes(10)).decode().lower()


@dataclass(frozen=True, slots=True)
class AccessCodes:
    """The access codes as text; an empty code is never valid. `after`: see the module's
    docstring."""

    play: str
    watch: str = ""
    keep: str = ""
    after: int = 0

    @classmethod
    def new(cls, after: int = 0) -> "AccessCodes":
        return cls(new_code(), new_code(), new_code(), after)


class Codes:
    """The access codes that are valid now; they end with the evening or on request. Only one thread
    may use it: the page's, once that runs. `save` is called with new codes. `clock` gives monotonic
    seconds, `wall` seconds since 1970."""

    def __init__(
        self,
        words: AccessCodes,
        save: Callable[[AccessCodes], None] = lambda _: None,
        clock: Clock = time.monotonic,
        wall: Clock = time.time,
    ) -> None:
        self.current = words
        self._save_codes = save
        self._idle = IdleTime(clock, wall)

    def note_row(self, row: int, at: float | None) -> None:
        """Registers the number of the record's newest row, and the time `at` which it was stored,
        in seconds since 1970 (None if the clock was not set)."""
        self._idle.note_row(row, at)

    def note_presence(self) -> None:
        """Registers that a phone is at the table, so that setting the clock afterwards doesn't end
        the evening."""
        self._idle.note_presence()

    def end_evening(self) -> bool:
        """Makes a new play code if the evening is over; returns whether it was."""
        if not self.is_evening_on or not self._idle.is_break:
            return False
        self._replace_codes(replace(self.current, play=new_code(), after=self._idle.row))
        return True

    @property
    def is_evening_on(self) -> bool:
        """Whether an evening is going on: a row was added since the previous evening ended."""
        return self._idle.row > self.current.after

    def renew(self) -> None:
        """Replaces all access codes that were handed out."""
        self._replace_codes(AccessCodes.new(self.current.after))

    def _replace_codes(self, codes: AccessCodes) -> None:
        self.current = codes
        self._save_codes(codes)


def load_codes(path: Path, tell: Callable[[str], None]) -> Codes:
    """The codes in the file at `path`, or new ones if it is missing or damaged. `tell` gets a line
    if the file can't be read or written."""
    words = _load_codes(path, tell)

    def save(codes: AccessCodes) -> None:
        _save_codes(path, codes, tell)

    if words is None:
        words = AccessCodes.new()
        save(words)
    return Codes(words, save)


def _load_codes(path: Path, tell: Callable[[str], None]) -> AccessCodes | None:
    """The codes from the file, or None if it has none that can be read. Passes the reason to `tell`
    unless the file is just missing."""
    try:
        return _parse_codes(json.loads(read_private(path, LONGEST)))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or "it is damaged"
        tell(f"The codes in {path} can't be read ({reason}): let the phones in anew.")
        return None


def _parse_codes(saved: Any) -> AccessCodes:
    """The codes from the file's JSON. Raises ValueError if the file contains anything else."""
    fields = {"play", "watch", "keep", "after"}
    if not isinstance(saved, dict) or set(saved) != fields or type(saved["after"]) is not int:
        raise ValueError("not the words of phones")
    words = AccessCodes(saved["play"], saved["watch"], saved["keep"], saved["after"])
    three = (words.play, words.watch, words.keep)
    if not all(isinstance(word, str) and CODE_PATTERN.fullmatch(word) for word in three):
        raise ValueError("not a word")
    if len(set(three)) < len(three):
        raise ValueError("two are the same")
    return words


def _save_codes(path: Path, codes: AccessCodes, tell: Callable[[str], None]) -> None:
    """Writes the file atomically; passes a failure to `tell`."""
    text = json.dumps({name: getattr(codes, name) for name in ("play", "keep", "watch", "after")})
    try:
        write_private(path, f"{text}\n")
    except OSError as error:
        tell(
            f"The codes for phones can't be kept in {path} ({error.strerror}): they end with this "
            "run."
        )


# ---------------------------------------------------------------- hosts


_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?", re.ASCII)


def is_loopback(host: str) -> bool:
    """Whether `host` is a name or address that only this machine itself can reach."""
    address = _address(host)
    return host == "localhost" if address is None else address.is_loopback


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The IP address in `host`; None if it is a name. An IPv4 address mapped into IPv6 counts as
    the IPv4 address."""
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


class Access(Enum):
    """What an access code allows its holder to do."""

    WATCH = "watch"
    PLAY = "play"


# ---------------------------------------------------------------- this machine itself


SECRET: Final = re.compile("[0-9a-f]{64}", re.ASCII)
COOKIE_DAYS: Final = 400
"""Days for which a browser keeps its cookie after each visit: the most that browsers grant."""
MOST_TICKETS: Final = 32
"""The most tickets that are valid at a time; a new ticket beyond that ends the oldest."""
_PROXY_HEADERS: Final = frozenset(
    {
        "forwarded",
        "via",
        "x-real-ip",
        "x-client-ip",
        "x-cluster-client-ip",
        "x-original-host",
        "true-client-ip",
        "cf-connecting-ip",
        "fastly-client-ip",
    }
)
"""Headers in which a proxy names the client, besides all that begin with x-forwarded."""


def new_secret() -> str:
    """A secret of this machine that can't be guessed (256 random bits)."""
    return secrets.token_hex(32)


class LocalAccess:
    """Lets in browsers and programs of this machine itself, by a `secret` that only its owner (and
    root) can read. Programs show the secret itself (`Authorization: Bearer SECRET`). A browser
    opens a link with a ticket, which is valid once, and gets a cookie derived from the secret, so
    that the browser stays logged in when the program or the machine restarts."""

    def __init__(self, secret: str) -> None:
        self.secret = secret
        self.cookie = self._derive("cookie")
        # A browser shares cookies between all ports of a host, which may have several tables.
        self.cookie_name = f"table-{self._derive('name')[:8]}"
        self._tickets: deque[str] = deque(maxlen=MOST_TICKETS)

    def _derive(self, what: str) -> str:
        return hmac.new(self.secret.encode(), what.encode(), "sha256").hexdigest()

    def ticket(self) -> str:
        """A new ticket for one browser."""
        ticket = new_code()
        self._tickets.append(ticket)
        return ticket

    def use_ticket(self, ticket: str) -> bool:
        """Whether this ticket is valid. Uses it up."""
        try:
            self._tickets.remove(ticket)
        except ValueError:
            return False
        return True

    def link(self, place: str) -> str:
        """The link with a new ticket to the page at the address `place`."""
        return f"{place}{OPEN_PATH}/{self.ticket()}"

    def allows(self, request: "web.Request") -> bool:
        """Whether a browser or a program of this machine itself has made the request."""
        if not is_local_request(request.remote, request.headers):
            return False
        shown = bearer_token(request.headers)
        if shown is not None:
            return hmac.compare_digest(shown.encode(errors="replace"), self.secret.encode())
        cookie = request.cookies.get(self.cookie_name, "")
        return hmac.compare_digest(cookie.encode(errors="replace"), self.cookie.encode())

    def set_cookie(self, response: "web.StreamResponse") -> None:
        """Gives a browser its cookie, or extends it. Scripts can't read it, and browsers don't send
        it with requests from other sites."""
        response.set_cookie(
            self.cookie_name,
            self.cookie,
            max_age=COOKIE_DAYS * 24 * 3600,
            path="/",
            httponly=True,
            samesite="Strict",
        )


OPEN_PATH: Final = "/open"
"""The path of links, before their ticket."""


def is_local_request(peer: str | None, headers: Mapping[str, str]) -> bool:
    """Whether a request from the address `peer` with these headers can be this machine's own. It
    has to come from a loopback address, possibly through ssh, which may change the port, and no
    header may show that a proxy passed it on."""
    match = _HOST.fullmatch(headers.get("Host", "").lower())
    if match is None or not (is_loopback(match[1]) and is_loopback(peer or "")):
        return False
    names = {name.lower() for name in headers}
    return not (names & _PROXY_HEADERS or any(name.startswith("x-forwarded") for name in names))


def address_for_limits(host: str) -> str:
    """The address that limits count for a client at the address `host`: for IPv6 the /64 network,
    since a client can have any number of addresses in it."""
    address = _address(host.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address) and not address.is_loopback:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return host if address is None else str(address)


def client_address(peer: str, headers: Mapping[str, str]) -> str:
    """The address that limits count for a request from the address `peer`. If that is a proxy on
    this machine, it is the address that the proxy named last, as the client may have sent earlier
    ones; no other peer is trusted to name a client."""
    if not is_loopback(peer):
        return address_for_limits(peer)
    named = [said for name, said in headers.items() if name.lower() == "x-forwarded-for"]
    visitor = named[-1].rpartition(",")[2].strip()[:64] if named else ""
    return f"{address_for_limits(visitor)} ({peer})" if visitor else peer


def load_local_access(path: Path, tell: Callable[[str], None]) -> LocalAccess:
    """The access rules for this machine, with the secret from the file at `path`, or a new one if
    the file is missing or damaged. `tell` gets a line if the file can't be read or written."""
    try:
        return LocalAccess(read_secret(path))
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or "it is damaged"
        tell(f"The secret in {path} can't be read ({reason}): open the table by a new link.")
    local = LocalAccess(new_secret())
    try:
        write_private(path, f"{local.secret}\n")
    except OSError as error:
        tell(
            f"The secret of this machine can't be kept in {path} ({error.strerror}): its browsers "
            "need a new link after each start."
        )
    return local


def read_secret(path: Path) -> str:
    """The secret in the file at `path`. Raises OSError, and ValueError if there is none in it."""
    secret = read_private(path, 100).strip()
    if not SECRET.fullmatch(secret):
        raise ValueError(f"{path} has no secret")
    return secret


# ---------------------------------------------------------------- access rules


class AccessRules:
    """The rules for access to the page. If `open_to_all`, the network may connect, at the machine's
    IP addresses and its `own` names; else only this machine itself, and clients that use one of the
    configuration's `names`, for example through a proxy or a tunnel, which may put a `prefix`
    before all paths (behind_proxy.py). `codes` has the access codes and their permissions; `local`
    recognises clients that need none."""

    def __init__(
        self,
        codes: Codes,
        open_to_all: bool = False,
        names: frozenset[str] = frozenset(),
        *,
        local: LocalAccess | None = None,
        own: Callable[[], frozenset[str]] = frozenset,
        prefix: str = "",
    ) -> None:
        self.codes, self.open_to_all, self.names = codes, open_to_all, names
        self._own, self.prefix = own, prefix
        self.local = local or LocalAccess(new_secret())

    def is_own_host(self, host: str) -> bool:
        """Whether a Host header has one of this machine's names, with any port (ssh may change
        it)."""
        match = _HOST.fullmatch(host.lower())
        if not match:
            return False
        name = match[1]
        if is_loopback(name) or name in self.names:
            return True
        return self.open_to_all and (_address(name) is not None or name in self._own())

    def is_own_origin(self, origin: str | None, host: str) -> bool:
        """Whether a request comes from a page that was loaded from this `host`."""
        if origin is None:
            return False
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()

    def access(self, code: object) -> Access | None:
        """What the access code `code` allows; None if nothing. Takes equally long for every wrong
        code."""
        key = code.encode(errors="replace") if isinstance(code, str) else b""
        words = self.codes.current
        known = {
            name: hmac.compare_digest(key, name.encode())
            for name in (words.play, words.keep, words.watch)
        }
        if not key:
            return None
        if known[words.play] or known[words.keep]:
            return Access.PLAY
        return Access.WATCH if known[words.watch] else None

    def allows_action(self, headers: Mapping[str, str], host: str) -> bool:
        """Whether a request with these headers comes from one of our own pages and has a play code
        or keep code."""
        ours = self.is_own_origin(headers.get("Origin"), host)
        return ours and self.access(headers.get("X-Word")) is Access.PLAY

    def is_keep_code(self, code: object) -> bool:
        """Whether `code` is the keep code, with which phones stay connected after the evening."""
        return bool(self.codes.current.keep) and code == self.codes.current.keep


def bearer_token(headers: Mapping[str, str]) -> str | None:
    """The token of `Authorization: Bearer TOKEN` in a request's headers; None if there is none."""
    kind, _, word = headers.get("Authorization", "").partition(" ")
    return word.strip() if kind.lower() == "bearer" else None


def security_headers(host: str, *, camera: bool = False) -> dict[str, str]:
    """The headers of every answer. With these a browser loads, runs and embeds only our files, and
    shows only images from them or made by our scripts (a picture to save, evenings/watch.js).
    `host` has been checked. Older phones don't count a WebSocket as 'self', so the policy names it,
    or only its scheme if the host is an IPv6 address, which a policy can't name. With `camera` the
    page may use the camera, which browsers allow over an encrypted connection."""
    sockets = "ws: wss:" if host.startswith("[") else f"ws://{host} wss://{host}"
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "media-src data:; "  # for the video of static/no_sleep.js
        f"connect-src 'self' {sockets}; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": f"camera=({'self' if camera else ''}), microphone=(), geolocation=()",
        "Cache-Control": "no-store",
        "Server": "companion",
    }
