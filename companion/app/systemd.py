"""Reports the table's state to systemd: that it is ready, alive or stopping, and its status. The
protocol is a datagram of lines to a socket that systemd names (sd_notify(3)). If it names none,
nothing is sent."""

import os
import socket
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager, suppress
from threading import Event

from companion.core.threads import NamedThread

NOTIFIED_PER_TIMEOUT = 3
"""How often the watchdog is notified within its timeout, so that a delay does no harm."""


KEEP_ALIVE_S = 5.0
"""Seconds between watchdog notifications during long work outside the loop, well below
WatchdogSec."""
LONGEST_S = 600.0
"""The most seconds for which the watchdog is notified during such work, because no real work takes
longer."""


FIRST_PASSED = 3
"""The number of the first file descriptor that systemd passes."""


def passed_socket(
    environment: MutableMapping[str, str] = os.environ, first: int = FIRST_PASSED
) -> socket.socket | None:
    """Returns the socket on which systemd already listens for the table (from a socket unit), or
    None. Closes other files that systemd passes. Programs that the table starts don't inherit the
    socket."""
    from_systemd = {name: environment.pop(name, "") for name in ("LISTEN_PID", "LISTEN_FDS")}
    environment.pop("LISTEN_FDNAMES", None)
    if from_systemd["LISTEN_PID"] != str(os.getpid()) or not from_systemd["LISTEN_FDS"].isdecimal():
        return None
    found = None
    for number in range(first, first + int(from_systemd["LISTEN_FDS"])):
        os.set_inheritable(number, False)
        passed = socket.socket(fileno=number)
        if found is None and passed.family in (socket.AF_INET, socket.AF_INET6):
            found = passed
        else:
            passed.close()
    return found


class Systemd:
    """The connection to systemd, if there is one. No method waits or raises. Losing a message does
    no harm, because others follow."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._socket: socket.socket | None = None
        self.feed_every_s: float | None = None
        """Seconds between calls of `feed`; None if systemd's watchdog is off."""
        address = environment.get("NOTIFY_SOCKET", "")
        if not address:
            return
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._address = "\0" + address[1:] if address[0] == "@" else address
        watched = int(environment.get("WATCHDOG_USEC", 0))
        if watched and environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid()):
            self.feed_every_s = watched / 1e6 / NOTIFIED_PER_TIMEOUT

    @property
    def listens(self) -> bool:
        """Whether systemd started the program as a service that reports to it."""
        return self._socket is not None

    def ready(self) -> None:
        """Notifies systemd that everything is open and the first frame is drawn."""
        self._tell("READY=1")

    def status(self, sentence: str) -> None:
        """Sets the one-sentence status that `systemctl status` shows."""
        self._tell(f"STATUS={' '.join(sentence.split())}")

    def feed(self) -> None:
        """Notifies the watchdog that the table is alive."""
        self._tell("WATCHDOG=1")

    @contextmanager
    def kept_alive(self) -> Iterator[None]:
        """Keeps systemd from ending the program during a `with` block: a thread notifies the
        watchdog and requests more time to start, for at most LONGEST_S seconds."""
        done = Event()

        def feed() -> None:
            for _ in range(int(LONGEST_S / KEEP_ALIVE_S)):
                self._tell(f"WATCHDOG=1\nEXTEND_TIMEOUT_USEC={int(3e6 * KEEP_ALIVE_S)}")
                if done.wait(KEEP_ALIVE_S):
                    return

        if self.listens:
            NamedThread("keeping-alive", feed).start()
        try:
            yield
        finally:
            done.set()

    def stopping(self) -> None:
        self._tell("STOPPING=1")

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _tell(self, line: str) -> None:
        if self._socket is not None:
            with suppress(OSError):
                self._socket.sendto(line.encode(), self._address)
