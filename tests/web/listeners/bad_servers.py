"""Servers that are slow, silent or hostile: faulty brokers and hooks."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Event, Thread

CONNACK = b"\x20\x02\x00\x00"
"""An MQTT broker's answer that accepts a client."""
Bad = Callable[[socket.socket, Event], None]
"""What a server does with each connection, until it is over."""


def silent(line: socket.socket, over: Event) -> None:
    """Takes everything and never answers."""
    line.settimeout(0.05)
    while not over.is_set():
        with suppress(TimeoutError):
            if not line.recv(65536):
                return


def dripping(line: socket.socket, over: Event) -> None:
    """Answers a byte at a time, forever."""
    while not over.wait(0.05):
        line.sendall(b"H")


def rubbish(line: socket.socket, over: Event) -> None:
    """Sends meaningless bytes, as fast as it can."""
    while not over.is_set():
        line.sendall(b"\xff\xfe rubbish " * 4096)


def flood(line: socket.socket, over: Event) -> None:
    """A broker that accepts the connection, and then sends small messages forever."""
    line.recv(4096)
    line.sendall(CONNACK)
    while not over.is_set():
        line.sendall(b"\x30\x05\x00\x01aHi" * 1000)


def huge(line: socket.socket, over: Event) -> None:
    """A broker that accepts the connection, and then begins a message of 256 MB."""
    line.recv(4096)
    line.sendall(CONNACK + b"\x30\xff\xff\xff\x7f\x00\x01a")
    while not over.is_set():
        line.sendall(bytes(65536))


def forgetful(line: socket.socket, over: Event) -> None:
    """A broker that accepts the connection, and never confirms a message."""
    line.recv(4096)
    line.sendall(CONNACK)
    silent(line, over)


def heads_without_end(line: socket.socket, over: Event) -> None:
    """A hook whose answer has endless header lines."""
    line.recv(65536)
    line.sendall(b"HTTP/1.1 204 No Content\r\n")
    while not over.is_set():
        line.sendall(b"X-More: " + b"x" * 60000 + b"\r\n")


@dataclass(frozen=True)
class BadServer:
    """A server on this port, with a thread for each connection."""

    port: int
    threads: list[Thread]


@contextmanager
def serving(bad: Bad) -> Iterator[BadServer]:
    """Runs a server that does `bad` with each connection, in a thread for each."""
    over, threads = Event(), list[Thread]()
    listening = socket.create_server(("127.0.0.1", 0))
    listening.settimeout(0.05)

    def serve(line: socket.socket) -> None:
        with line, suppress(OSError):
            bad(line, over)

    def accept() -> None:
        while not over.is_set():
            with suppress(TimeoutError):
                line, _ = listening.accept()
                threads.append(Thread(target=serve, args=(line,)))
                threads[-1].start()

    accepting = Thread(target=accept)
    accepting.start()
    try:
        yield BadServer(listening.getsockname()[1], threads)
    finally:
        over.set()
        accepting.join()
        for one in threads:
            one.join()
        listening.close()
