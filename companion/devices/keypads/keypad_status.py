"""The seat keypads' figures, for programs that request them while the table runs.

The running table has exclusive use of the ports, so it answers on a socket beside the record. A
program that connects gets one JSON list, and then the connection is closed. Nothing is written to
the disk."""

import json
import selectors
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.values import Json

if TYPE_CHECKING:
    from companion.devices.link.keypad_registry import Keypad

MODE = 0o660
"""The socket's file mode: users whose group may read the record may also connect."""
ASKING_S = 3.0
MAX_WAITING_PROGRAMS = 16


def status_socket_path(record: Path) -> Path:
    """Returns the path of the socket of the table that writes this record."""
    return Path(f"{record}.keypads")


def status_of(keypad: "Keypad", device: str | None, now: float) -> Json:
    """Returns one keypad's figures, with times in milliseconds. `here`: whether the keypad was
    heard within the last two seconds."""
    from statistics import median

    from companion.devices.link.messages import PROTOCOL

    figures, hello = keypad.figures, keypad.hello
    trips = [round(1000 * one, 3) for one in figures.round_trips]
    return {
        "keypad": keypad.serial,
        "port": device,
        "here": keypad.link is not None and keypad.link.is_here(now),
        "seat": keypad.seat.number or None,
        "firmware": ".".join(map(str, hello.firmware)),
        "protocol": ".".join(map(str, hello.protocol)),
        "fits": hello.protocol[0] == PROTOCOL[0],
        "round_trip_ms": median(trips) if trips else None,
        "round_trip_max_ms": max(trips, default=None),
        "presses": figures.presses,
        "lost": figures.lost,
        "resent": figures.resent,
        "repeated": figures.repeated,
        "errors": figures.bad,
        "errors_there": figures.bad_there,
        "free": figures.free or None,
    }


def silent_port(device: str) -> Json:
    """Returns the figures of a port whose device doesn't answer."""
    return {"keypad": None, "port": device, "here": False, "fits": False}


class StatusSocket:
    """The socket on which programs request the figures. `asked` is called when a program connects;
    `answer` sends the reply once the keypads have answered. Raises OSError if it can't be
    created."""

    def __init__(
        self, path: Path, selector: selectors.BaseSelector, requested: Callable[[], None]
    ) -> None:
        self._path, self._asked = path, requested
        self._waiting: list[socket.socket] = []
        path.unlink(missing_ok=True)  # a killed table left it; this one has the lock
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._listening.bind(str(path))
            path.chmod(MODE)
            self._listening.listen()
        except OSError:
            self._listening.close()
            raise
        self._listening.setblocking(False)
        selector.register(self._listening, selectors.EVENT_READ, self._accept)
        self._forget = partial(selector.unregister, self._listening)

    def _accept(self) -> None:
        with suppress(OSError):  # the client has disconnected
            asking, _ = self._listening.accept()
            asking.setblocking(False)
            self._waiting.append(asking)
            if len(self._waiting) > MAX_WAITING_PROGRAMS:
                self._waiting.pop(0).close()
            self._asked()

    def answer(self, status: list[Json]) -> None:
        """Sends these figures to all programs that are waiting."""
        while self._waiting:
            with suppress(OSError), self._waiting.pop() as asking:
                asking.sendall(json.dumps(status).encode())

    def close(self) -> None:
        """Removes the socket; programs that are still waiting get no answer."""
        self._forget()
        self._listening.close()
        for asking in self._waiting:
            asking.close()
        self._path.unlink(missing_ok=True)


def ask_status(path: Path) -> list[Json] | None:
    """Returns the figures from the running table; None if no table is running there. Raises OSError
    or ValueError."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
        asking.settimeout(ASKING_S)
        try:
            asking.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError):
            return None
        found: list[Json] = json.loads(b"".join(iter(lambda: asking.recv(65536), b"")))
        return found
