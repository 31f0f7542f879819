"""The names under which people reach this machine: those in its network, and those of the
configuration. Also the path that a proxy gives it (behind_proxy.py).

Any name server can point any name at this machine, and a page under that name would then count as
the same site. So only requests for this machine's own names are answered: its bare name, and that
name in the network's domain (`table.fritz.box`) or in a domain that can't be registered.
"""

import re
import socket
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.core.regular_file import read_text

HOST_NAME: Final = re.compile(
    r"(?=.{1,253}\Z)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*",
    re.ASCII,
)
"""Matches a host name in lower case."""
MOST_NAMES: Final = 16
PREFIX: Final = re.compile(r"(?:/(?!\.+(?:/|\Z))[A-Za-z0-9._~-]{1,64}){1,4}", re.ASCII)
"""Matches the path that all addresses begin with: at most four parts, none of which leads
upwards."""
NOT_PUBLIC: Final = ("local", "lan", "home", "home.arpa", "internal")
"""Domains of home networks that can't be registered. Sources: RFC 6762, RFC 8375, and ICANN's
resolutions about .internal (2024) and .home (2018); .lan is delegated to nobody."""
RESOLV_CONF: Final = Path("/etc/resolv.conf")
"""The file with the domain that the network's router gives to its machines (resolv.conf(5))."""


def parse_names(text: str) -> frozenset[str]:
    """Parses names separated by spaces, and returns them in lower case. Raises ValueError."""
    found = text.lower().split()
    for name in found:
        if not HOST_NAME.fullmatch(name) or name.replace(".", "").isdigit():
            raise ValueError(f"write a name as table.example, without http:// and port: {name!r}")
    if len(found) > MOST_NAMES:
        raise ValueError(f"there are {len(found)} names: {MOST_NAMES} at most")
    return frozenset(found)


def parse_prefix(text: str) -> str:
    """The path that all addresses begin with, without a slash at its end. Raises ValueError."""
    found = text.rstrip("/")
    if not PREFIX.fullmatch(found):
        raise ValueError(f"write a path as /table, of letters, digits and hyphens, not {text!r}")
    return found


def own_names() -> frozenset[str]:
    """The names under which this machine may be known in its network at the moment."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    # If two machines have the same name, the later one is announced with a number after it.
    numbered = (f"{short}-{number}.local" for number in range(2, 10))
    domains = (*NOT_PUBLIC, *_network_domains())
    return frozenset({name, short, *numbered, *(f"{short}.{domain}" for domain in domains)})


def _network_domains() -> frozenset[str]:
    """The domains in which this machine's network looks for names."""
    found = set[str]()
    with suppress(OSError, UnicodeDecodeError):
        for line in read_text(RESOLV_CONF).splitlines():
            key, *domains = line.lower().split() or [""]
            if key in ("search", "domain"):
                found.update(one.strip(".") for one in domains)
    return frozenset(one for one in found if HOST_NAME.fullmatch(one))


# ---------------------------------------------------------------- mDNS

AVAHI: Final = Path("/run/avahi-daemon/socket")
"""The socket of avahi, which announces this machine's name in the network. A question is a line,
such as `RESOLVE-ADDRESS 192.168.1.7`; so is the answer, such as `+ 2 0 table.local`. Source:
avahi's avahi-daemon/simple-protocol.c."""
ANSWER_WITHIN_S: Final = 1.0


def announced_name(address: str) -> str:
    """The name under which the network can look up this machine, which has this IP address: for
    example table.local, or table-2.local if another machine had the name first. Empty if there is
    none."""
    with suppress(OSError, ValueError), socket.socket(socket.AF_UNIX) as avahi:
        avahi.settimeout(ANSWER_WITHIN_S)
        avahi.connect(str(AVAHI))
        avahi.sendall(f"RESOLVE-ADDRESS {address}\n".encode())
        with avahi.makefile(encoding="ascii") as answer:
            sign, *_, name = answer.readline(512).lower().split()
        if sign == "+" and HOST_NAME.fullmatch(name):
            return name
    return ""


def usual_name() -> str:
    """The name under which this machine is announced if no other machine has it."""
    return f"{socket.gethostname().partition('.')[0].lower()}.local"


def other_name(address: str) -> str:
    """The name under which this machine is announced at this IP address if that isn't its usual
    name; otherwise empty."""
    name = announced_name(address)
    return name if name != usual_name() else ""
