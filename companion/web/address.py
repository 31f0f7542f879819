"""Where the page listens, on this machine alone or open to the network, and the address at which
people reach it, also as a QR code.

QR codes for phones have an address with the access code. They are as small as possible: `http://`
as bytes, the rest in capital letters and digits, which take less space in a QR code, with the
access code behind a slash (a `#` would not be one of them). On port 80 the result is a code of
version 2, 25 modules wide, which a display of 64 rows shows with two pixels for each module.
"""

import errno
import fcntl
import ipaddress
import json
import os
import re
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from companion.core.regular_file import read_text
from companion.core.typed_address import EVERYWHERE, is_unreachable_for_phones, with_port
from companion.core.values import dataclass
from companion.web.access import AccessRules, is_loopback
from companion.web.own_names import AVAHI, usual_name

if TYPE_CHECKING:
    import asyncio
    import ssl


# ---------------------------------------------------------------- QR codes


Rows = tuple[str, ...]
"""The rows of a QR code from the top: “#” for each dark module, “.” for each light one."""
LIGHT_ON_DARK: Final = "\x1b[97;40m"
"""The terminal colours that make a code's light modules light, even on a light terminal."""
RESET_COLOURS: Final = "\x1b[0m"
SVG_OPTIONS: Final[dict[str, Any]] = {
    "scale": 8,
    "border": 4,
    "dark": "#000",
    "light": "#fff",
    "omitsize": True,
}
"""The options for drawing a code as SVG."""


def qr_text(place: str, code: str) -> str:
    """The text that a phone reads from the QR code: an address that the server redirects to
    `place/#code`. A path in `place` isn't changed, as proxies may be case-sensitive."""
    scheme, _, rest = place.partition("//")
    host, slash, path = rest.partition("/")
    return f"{scheme}//{host.upper()}{slash}{path}/{code.upper()}"


def qr_rows(place: str, code: str) -> Rows:
    """The rows of the QR code for this address and access code, without its light border."""
    return tuple(
        "".join("#" if dark else "." for dark in row) for row in _make_qr(place, code).matrix
    )


def qr_rows_of_text(text: str) -> Rows:
    """The rows of a QR code with any text, in the form of `qr_rows`."""
    import segno

    matrix = segno.make(text, error="m", micro=False).matrix
    return tuple("".join("#" if dark else "." for dark in row) for row in matrix)


def qr_svg(place: str, code: str) -> str:
    """The QR code for this address and access code, as SVG: dark on light with a quiet zone,
    whatever the page's colours."""
    drawn: str = _make_qr(place, code).svg_inline(**SVG_OPTIONS)
    return drawn


def qr_svg_of_text(text: str) -> str:
    """A QR code with any text, as SVG."""
    import segno

    drawn: str = segno.make(text, error="m", micro=False).svg_inline(**SVG_OPTIONS)
    return drawn


def qr_svg_file(place: str, code: str) -> bytes:
    """The QR code as an SVG file that an image element can load."""
    drawn = BytesIO()
    _make_qr(place, code).save(drawn, "svg", **SVG_OPTIONS)
    return drawn.getvalue()


def qr_terminal_lines(place: str, code: str) -> list[str]:
    """The QR code for a terminal, with two rows of modules in each line."""
    drawn = StringIO()
    _make_qr(place, code).terminal(drawn, compact=True)
    return [f"{LIGHT_ON_DARK}{line}{RESET_COLOURS}" for line in drawn.getvalue().splitlines()]


def _make_qr(place: str, code: str) -> Any:
    import segno

    # Each part is encoded as compactly as possible: only lower-case letters and IPv6's brackets
    # need bytes.
    parts: Any = re.findall(r"https?://\[?|[0-9A-Z./:-]+|[^0-9A-Z./:-]+", qr_text(place, code))
    return segno.make(parts, error="l", micro=False)


# ---------------------------------------------------------------- addresses


HTTP: Final = 80
"""The port that addresses omit."""
HTTPS: Final = 443
HANDSHAKE_S: Final = 5.0
"""Seconds that a client has for the TLS handshake, before sending any request."""
SAME_WIFI: Final = "In the same Wi-Fi, not its guest network."


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens on `host` and `port`. For EVERYWHERE it uses IPv4 alone if the system
    has no IPv6. Raises OSError if the port is taken or the host unknown."""
    try:
        listening = _listen(host, port)
    except OSError as error:
        if host != EVERYWHERE or error.errno not in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL):
            raise
        listening = _listen("0.0.0.0", port)
    listening.setblocking(False)
    return listening


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = host == EVERYWHERE and socket.has_dualstack_ipv6()
    return socket.create_server((host, port), family=family, backlog=16, dualstack_ipv6=both)


@dataclass(frozen=True, slots=True)
class PageAddress:
    """The host and port on which a page listens, with its access rules; makes the addresses of the
    page from these."""

    host: str
    port: int
    access_rules: AccessRules
    encrypted_port: int | None = None
    """The port for HTTPS; None if there is none."""
    own_authority: bool = False
    """Whether there is a page for installing the certificate's authority on a phone."""

    @property
    def address(self) -> str:
        """The address, with the play code, that phones on the same network open; empty if they have
        no access."""
        if not self.access_rules.open_to_all:
            return ""
        return f"{self.url}/#{self.access_rules.codes.current.play}"

    @property
    def lines(self) -> list[str]:
        """Lines for the person who started the box that explain how to reach the page."""
        if self.access_rules.open_to_all:
            words = self.access_rules.codes.current
            return [
                f"The table is at {self.address}",
                *(f"Encrypted, it is at {one}/#{words.play}" for one in self._encrypted),
                *([f"Phones trust it by {self.url}/trust"] if self.own_authority else []),
                f"For a TV, and for people who only watch: {self.url}/tv#{words.watch}",
                "Anybody with the first address can play until the evening is over.",
            ]
        here = self.access_rules.local.link(self.url)
        there = f"{os.environ.get('USER') or 'pi'}@{network_address()}"
        host = f"[{self.host}]" if ":" in self.host else self.host
        through = f"ssh -L {self.port}:{host}:{self.port} {there}"
        return [
            f"The table is at {here}",
            "That link lets one browser in for good. For another: "
            f"companion link --page {self.url}",
            f"From another computer: {through}, then open the link there.",
            "For phones and tablets on the same network: press “Connect phones” on the page, or "
            "start it with --lan.",
        ]

    @property
    def code(self) -> list[str]:
        """The lines of a QR code with the address, for a terminal; empty if the network has no
        access."""
        if not self.access_rules.open_to_all:
            return []
        return [*qr_terminal_lines(self.url, self.access_rules.codes.current.play), SAME_WIFI]

    @property
    def service_line(self) -> str:
        """One line that anybody may read: how to reach the page, without the access code. The line
        has the box's usual name, because the start doesn't wait for avahi. If avahi has announced
        another name, a later line reports that (app/background.py)."""
        names = [f"{self.url}/"]
        if self.access_rules.open_to_all and AVAHI.exists():
            names.append(f"{page_url(usual_name(), self.port)}/")
        names += [f"{one}/" for one in self._encrypted]
        return f"The table is at {' or '.join(names)}"

    @property
    def local(self) -> str:
        """The address that this machine itself opens."""
        return page_url("127.0.0.1" if self._listens_everywhere else self.host, self.port)

    @property
    def link(self) -> str:
        """A new link that gives one browser of this machine access."""
        return self.access_rules.local.link(self.local)

    @property
    def url(self) -> str:
        """The address at which other devices reach the page or, if they have no access, at which
        this machine does."""
        return page_url(network_address() if self._listens_everywhere else self.host, self.port)

    @property
    def _encrypted(self) -> list[str]:
        """The HTTPS addresses: with the configuration's names, which are in the certificate, or,
        without any, with this machine's IP address."""
        if self.encrypted_port is None:
            return []
        port = self.encrypted_port if self.encrypted_port != HTTPS else None
        number = network_address() if self._listens_everywhere else self.host
        hosts = sorted(self.access_rules.names) or [number]
        return [f"https://{with_port(host, port)}" for host in hosts]

    @property
    def _listens_everywhere(self) -> bool:
        return self.host in (EVERYWHERE, "0.0.0.0")


def page_url(host: str, port: int) -> str:
    """The address of a page, without the slash at its end."""
    return f"http://{with_port(host, None if port == HTTP else port)}"


def url_for_others(host: str, port: int) -> str:
    """An address at which other devices reach a page. `host`: the Host header of a client that has
    reached it. An IP address is kept if others can use it. Anything else is replaced with this
    machine's address on its network, since not every phone can look up a name."""
    name = (urlsplit(f"//{host}").hostname or "") if host else ""
    try:
        kept = not is_unreachable_for_phones(str(ipaddress.ip_address(name)))
    except ValueError:  # a name
        kept = False
    return page_url(name if kept else network_address(), port)


@dataclass(frozen=True, slots=True)
class OwnWifi:
    """The Wi-Fi that a flashed card has opened: its name, its password, the text of the code that
    phones scan to join it, and how many devices are in it."""

    name: str
    password: str
    code: str
    guests: int


def read_own_wifi(path: Path) -> OwnWifi | None:
    """The Wi-Fi that the file describes (companion/card/wireless.py writes it); None if it isn't
    open."""
    with suppress(OSError, ValueError, TypeError):
        name, password, code, guests = json.loads(read_text(path))
        return OwnWifi(str(name), str(password), str(code), int(guests))
    return None


IN_OWN_WIFI = "192.168.44.2"
"""An address in the Wi-Fi that a flashed card opens, from which no route leads to other
networks."""


def network_address() -> str:
    """This machine's address on its network (IPv6 only if there is no other), or its name if there
    is no network. Sends nothing: the system only reports which address it would send from."""
    for elsewhere in ("192.0.2.1", IN_OWN_WIFI, "2001:db8::1"):
        family = socket.AF_INET6 if ":" in elsewhere else socket.AF_INET
        with (
            suppress(OSError),
            socket.socket(family, socket.SOCK_DGRAM) as probe,
        ):
            probe.connect((elsewhere, 9))
            found = str(probe.getsockname()[0])
            if family == socket.AF_INET or not is_unreachable_for_phones(found):
                return found
    return _ipv4_without_router() or _ipv6_without_router() or socket.gethostname()


# include/uapi/linux/sockios.h and if.h
_GET_FLAGS: Final = 0x8913
_GET_ADDRESS: Final = 0x8915
_IN_USE: Final = 0x40
"""The flag of a network device that is up and has a cable or a Wi-Fi (IFF_RUNNING)."""
_DEVICE: Final = struct.Struct("16sH2x4s16x")
"""A device's name; then its flags, or the family and number of its address (struct ifreq)."""


def _ipv4_without_router() -> str:
    """The IPv4 address that others on a network without a router reach; empty if there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _, name in socket.if_nameindex():
            request = _DEVICE.pack(name.encode(), 0, b"")
            with suppress(OSError):  # the device has no IPv4 address
                flags = _DEVICE.unpack(fcntl.ioctl(asked, _GET_FLAGS, request))[1]
                found = _DEVICE.unpack(fcntl.ioctl(asked, _GET_ADDRESS, request))[2]
                address = socket.inet_ntoa(found)
                if flags & _IN_USE and not is_loopback(address):
                    return address
    return ""


IPV6_ADDRESSES: Final = Path("/proc/net/if_inet6")
"""The IPv6 addresses of this machine: address, number of the network device, length of the prefix,
scope, flags (all in hexadecimal), and the device's name. Source: the kernel's net/ipv6/addrconf.c,
if6_seq_show."""
_GLOBAL: Final = "00"
_NOT_USABLE: Final = 0x08 | 0x20 | 0x40
"""Flags of an address that can't be used: it is a duplicate, deprecated, or still tentative."""
_TEMPORARY: Final = 0x01


def _ipv6_without_router() -> str:
    """An IPv6 address that others on a network without a router reach, a permanent one if possible;
    empty if there is none."""
    found = list[tuple[int, str]]()
    with suppress(OSError):
        for line in read_text(IPV6_ADDRESSES).splitlines():
            digits, _, _, scope, flags, name = line.split()
            if scope == _GLOBAL and name != "lo" and not int(flags, 16) & _NOT_USABLE:
                address = ipaddress.IPv6Address(bytes.fromhex(digits))
                found.append((int(flags, 16) & _TEMPORARY, str(address)))
    return min(found, default=(0, ""))[1]


# ---------------------------------------------------------------- listening


class Listening:
    """The sockets on which the server listens. Belongs to the server's event loop, and begins with
    a socket that already listens. Create it only when the first visitor comes, as it loads asyncio;
    the socket may have been listening for a long time by then. `encrypted`: the settings of TLS
    (None if it isn't encrypted)."""

    def __init__(self, at: socket.socket, encrypted: "ssl.SSLContext | None" = None) -> None:
        self._socket, self._encrypted = at, encrypted
        self._host, self.port = at.getsockname()[:2]
        self._make: Callable[[], asyncio.Protocol] | None = None
        self._serving: asyncio.Task[None] | None = None

    async def serve(self, make: "Callable[[], asyncio.Protocol]") -> None:
        """Begins to serve; `make` creates the protocol (a Visit) for each connection. Raises
        OSError."""
        self._make = make
        await self._serve()

    def open_to_all(self) -> None:
        """Listens on all networks from now on, on the same port, and keeps existing connections.
        Raises OSError, and then listens as before."""
        self.close()
        try:
            self._socket = listen(EVERYWHERE, self.port)
        except OSError:
            self._socket = listen(self._host, self.port)
            raise
        finally:
            import asyncio

            self._serving = asyncio.get_running_loop().create_task(self._serve())

    def close(self) -> None:
        """Stops listening. A connection that was accepted in the same moment is still served:
        asyncio's own Server.close would drop it, with an unclosed transport."""
        import asyncio

        if self._socket.fileno() >= 0:  # not closed already, by a box that can't wait for the page
            asyncio.get_running_loop().remove_reader(self._socket)
            self._socket.close()

    async def _serve(self) -> None:
        import asyncio

        loop = asyncio.get_running_loop()
        assert self._make is not None, "it serves already"
        within_s = HANDSHAKE_S if self._encrypted else None
        await loop.create_server(
            self._make, sock=self._socket, ssl=self._encrypted, ssl_handshake_timeout=within_s
        )
