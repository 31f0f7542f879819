"""Speaks with wpa_supplicant on its control socket: sends commands, reads answers and events.

Source: wpa_supplicant's “Control interface”, w1.fi/wpa_supplicant/devel/ctrl_iface_page.html.
"""

import os
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Self

from companion.card.wifi import Network, network_settings
from companion.core.values import dataclass

ANSWERS_S = 10.0
LONGEST = 1 << 16
STRONG, FAIR = -60, -75
"""The weakest signals in dBm with which a network has three bars, and two."""


@dataclass(frozen=True, slots=True)
class HeardNetwork:
    """A network that is heard: its name, 1 to 3 bars, and whether it wants a password."""

    name: str
    bars: int
    locked: bool


class Supplicant:
    """The connection to one wpa_supplicant. `path`: its control socket; `own`: the path for the
    socket on this side. Raises OSError."""

    def __init__(self, path: Path, own: Path) -> None:
        self._own, self._events = own, list[str]()
        own.unlink(missing_ok=True)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            self._socket.bind(str(own))
            self._socket.connect(str(path))
            self.ask("ATTACH")
        except OSError:
            self._socket.close()
            raise

    def ask(self, command: str) -> str:
        """Sends a command and gives the answer. Raises OSError if it says that it failed, or none
        comes."""
        self._socket.send(command.encode())
        until = time.monotonic() + ANSWERS_S
        while True:
            heard = self._receive(until - time.monotonic())
            if heard is None:
                raise OSError(f"wpa_supplicant does not answer {command.split(maxsplit=1)[0]}")
            if heard.startswith("<"):
                self._events.append(heard)
            elif heard.strip() in ("FAIL", "UNKNOWN COMMAND"):
                raise OSError(f"wpa_supplicant can't do {command.split(maxsplit=1)[0]}")
            else:
                return heard.strip()

    def event(self, within_s: float) -> str | None:
        """The next event, as in “CTRL-EVENT-CONNECTED …”; None: none came within `within_s`."""
        heard = self._events.pop(0) if self._events else self._receive(within_s)
        return heard.partition(">")[2] if heard and heard.startswith("<") else None

    def _receive(self, within_s: float) -> str | None:
        self._socket.settimeout(max(within_s, 0.01))
        with suppress(TimeoutError):
            return self._socket.recv(LONGEST).decode(errors="replace")
        return None

    def add(self, network: Network, *more: str) -> str:
        """Adds a network, which is not used yet; gives its number. Raises OSError."""
        number = self.ask("ADD_NETWORK")
        for line in (*network_settings(network), *more):
            name, _, value = line.partition("=")
            self.ask(f"SET_NETWORK {number} {name} {value}")
        return number

    def heard(self) -> tuple[HeardNetwork, ...]:
        """The networks that were heard last, the strongest first. Raises OSError."""
        found: dict[str, HeardNetwork] = {}
        for line in self.ask("SCAN_RESULTS").splitlines()[1:]:
            _, _, level, flags, name = (*line.split("\t"), "", "", "", "", "")[:5]
            text = _unescaped(name)
            if text and text not in found and level.lstrip("-").isdecimal():
                bars = 3 if int(level) >= STRONG else 2 if int(level) >= FAIR else 1
                found[text] = HeardNetwork(text, bars, "WPA" in flags or "WEP" in flags)
        return tuple(sorted(found.values(), key=lambda one: -one.bars))

    def close(self) -> None:
        """Closes the socket."""
        self._socket.close()
        self._own.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _unescaped(name: str) -> str:
    """A network's name as people read it; bytes that are not ASCII come as `\\xc3`. Empty: the
    network gives no name, or none that can be read."""
    with suppress(ValueError):
        text = name.encode("latin-1").decode("unicode_escape").encode("latin-1").decode()
        return text if text.isprintable() else ""
    return ""


def wait_for(path: Path, within_s: float = ANSWERS_S) -> None:
    """Waits until wpa_supplicant has made its socket. Raises OSError after `within_s`."""
    until = time.monotonic() + within_s
    while not path.is_socket():
        if time.monotonic() > until:
            raise OSError(f"{os.fspath(path)} does not come")
        time.sleep(0.1)
