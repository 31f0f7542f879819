"""Waits for the edges of many lines in one thread, which sleeps in the kernel until one comes."""

import os
import select
import traceback
from collections.abc import Callable
from threading import Lock

from companion.core.threads import NamedThread
from companion.devices.gpio.gpio_chip import LineEvent, Lines

Told = Callable[[LineEvent], None]


class Watch:
    """Hands edges to listeners in a thread of its own, which starts when the first line is added. A
    listener gets the edges of its own line; edges of different lines come in the order in which
    they happened."""

    def __init__(self) -> None:
        self._lines: dict[int, tuple[Lines, Told]] = {}
        self._lock = Lock()
        """Held for reading and removing, so that no file is read after it was closed: another may
        have its number by then."""
        self._poll = select.epoll()
        self._bell = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._poll.register(self._bell, select.EPOLLIN)
        self._thread: NamedThread | None = None

    def add(self, line: Lines, listener: Told) -> None:
        """Begins to watch a line."""
        with self._lock:
            self._lines[line.fd] = line, listener
            self._poll.register(line.fd, select.EPOLLIN)
        if self._thread is None:
            self._thread = NamedThread("gpio", self._run)
            self._thread.start()

    def remove(self, line: Lines) -> None:
        """Ends watching a line. One more edge may still come."""
        with self._lock:
            if self._lines.pop(line.fd, None):
                self._poll.unregister(line.fd)

    def _run(self) -> None:
        while True:
            ready = [fd for fd, _ in self._poll.poll()]
            if self._bell in ready:
                return
            edges = [edge for fd in ready for edge in self._read(fd)]
            for event, listener in sorted(edges, key=lambda edge: edge[0].at):
                try:
                    listener(event)
                except Exception:  # the other keys must go on
                    traceback.print_exc()

    def _read(self, fd: int) -> list[tuple[LineEvent, Told]]:
        """The edges of a line, if it is still watched."""
        with self._lock:
            if fd not in self._lines:
                return []
            line, listener = self._lines[fd]
            try:
                return [(event, listener) for event in line.events()]
            except OSError:  # the chip is gone: a line that fails would be ready for ever
                traceback.print_exc()
                del self._lines[fd]
                self._poll.unregister(fd)
                return []

    def close(self) -> None:
        """Ends the thread. A listener must not call it."""
        os.eventfd_write(self._bell, 1)
        if self._thread:
            self._thread.join()
        self._poll.close()
        os.close(self._bell)
