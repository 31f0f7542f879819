"""Where the page listens, and what to tell people who want to reach it."""

import os
import socket

from companion.values import dataclass
from companion.web.guard import Guard, fresh_token, is_loopback, own_names


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; raises OSError when the port is taken or the host unknown."""
    listening = socket.create_server((host, port), backlog=16)
    listening.setblocking(False)
    return listening


@dataclass(frozen=True, slots=True)
class PageAddress:
    """A page that listens on this host and port: who may come in, and by which address."""

    host: str
    port: int
    guard: Guard

    @classmethod
    def of(cls, host: str, listening: socket.socket) -> "PageAddress":
        """That of a new page: with words of its own to play and to watch."""
        guard = Guard(fresh_token(), fresh_token(), not is_loopback(host), own_names())
        return cls(host, listening.getsockname()[1], guard)

    @property
    def address(self) -> str:
        """What phones and a TV on the same network open; empty where they can't."""
        return f"{self._place}/#{self.guard.token}" if self.guard.open_to_all else ""

    @property
    def told(self) -> list[str]:
        """What to tell the person who started the box, line by line."""
        if self.guard.open_to_all:
            return [
                f"The table is at {self.address}",
                f"For a TV, and for who only looks: {self._place}/tv#{self.guard.watch}",
                "Whoever has the first address can press the keys; at the next start it is another "
                "one.",
            ]
        here = f"http://{self.host}:{self.port}/"
        there = f"{os.environ.get('USER') or 'pi'}@{network_address()}"
        through = f"ssh -L {self.port}:{self.host}:{self.port} {there}"
        return [
            f"The table is at {here}",
            f"From another computer: {through}, then open {here} there.",
            "For phones and tablets on the same network: start it with --lan, or set "
            '[web] host = "0.0.0.0".',
        ]

    @property
    def _place(self) -> str:
        shown = network_address() if self.host in ("0.0.0.0", "::") else self.host
        return f"http://{shown}:{self.port}"


def network_address() -> str:
    """This machine's address on its network, or its name where there is no network. Nothing is
    sent: the system only says from where it would send."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])
