"""Runs in the guest: pages of the table that only listen, and note the time of each message.

    pages.py SHAPE [SHAPE ...]

opens one page for each shape of paper. It says “here” when all are connected. After SIGTERM it says
as JSON what came: for each moment its page, its row, its bytes and the nanoseconds of this
machine's clock when the last byte had come. Nothing is unpacked before that: on one slow core the
unpacking would be measured as well, while phones do it on their own.
"""

import base64
import json
import os
import selectors
import signal
import socket
import sys
import time
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from types import FrameType

HOST, PORTS = "127.0.0.1", (80, 8080)
ASK_EVERY_S = 1.25
"""Seconds after which a page asks whether the table is there."""
TEXT, PING, PONG = 1, 9, 10
LONG, LONGER = 126, 127
"""Values of a WebSocket frame's length byte that mean that 2 or 8 more bytes hold the length."""


class Asleep(Exception):
    """SIGTERM has come: it is time to report the messages."""


class Listener:
    """One WebSocket connection to the table, as a browser makes it."""

    def __init__(self, port: int, word: str, shape: str) -> None:
        self.socket = socket.create_connection((HOST, port))
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /live HTTP/1.1\r\nHost: {HOST}:{port}\r\nOrigin: http://{HOST}:{port}\r\n"
            f"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        self._unread = b""
        while b"\r\n\r\n" not in self._unread:
            self._unread += self.socket.recv(4096)
        head, _, self._unread = self._unread.partition(b"\r\n\r\n")
        assert b" 101 " in head, head
        self.heard: list[tuple[int, bytes]] = []
        """Each text, after the time when it had come (nanoseconds since 1970)."""
        self.asked_at, self._numbered = time.monotonic(), 0
        self.say(hello=word, wants=[shape])

    def say(self, **what: object) -> None:
        """Sends a message of the page."""
        self._send(TEXT, json.dumps({"n": self._numbered, **what}).encode())
        self._numbered += 1
        self.asked_at = time.monotonic()

    def _send(self, kind: int, said: bytes) -> None:
        assert len(said) < LONG, "a short one"
        # Masked by zeros: the text stays as it is.
        self.socket.sendall(bytes([0x80 | kind, 0x80 | len(said), 0, 0, 0, 0]) + said)

    def read(self) -> None:
        """Reads the received frames: keeps texts and answers pings."""
        got = self.socket.recv(1 << 18)
        now = time.time_ns()
        assert got, "the table has closed the connection"
        self._unread += got
        while (frame := self._frame()) is not None:
            kind, said = frame
            if kind == PING:
                self._send(PONG, said)
            elif kind == TEXT:
                self.heard.append((now, said))

    def _frame(self) -> tuple[int, bytes] | None:
        """The kind and content of the next frame; None if it isn't complete."""
        unread = self._unread
        if len(unread) < 2:
            return None
        length, at = unread[1], 2
        if length >= LONG:
            at = 4 if length == LONG else 10
            length = int.from_bytes(unread[2:at], "big")
        if len(unread) < max(at, at + length):
            return None
        self._unread = unread[at + length :]
        return unread[0] & 15, unread[at : at + length]


def listen(listeners: list[Listener]) -> None:
    """Listens until SIGTERM comes."""
    with selectors.DefaultSelector() as waiting:
        for one in listeners:
            waiting.register(one.socket, selectors.EVENT_READ, one)
        told = False
        while True:
            for key, _ in waiting.select(ASK_EVERY_S / 5):
                key.data.read()
            if not told and all(len(one.heard) > 1 for one in listeners):
                told = True
                print("here", flush=True)
            for one in listeners:
                if time.monotonic() - one.asked_at > ASK_EVERY_S:
                    one.say()


def moments(listeners: list[Listener]) -> list[dict[str, int]]:
    """The moments that came, without answers: page, row, bytes and time of each."""
    told = []
    for page, one in enumerate(listeners):
        for at, said in one.heard:
            message = json.loads(said)
            if "moment" in message:
                row = message["moment"]["row"]
                told.append({"page": page, "row": row, "bytes": len(said), "at_ns": at})
    return told


def connected(shapes: list[str]) -> list[Listener]:
    """Connects a page for each shape, with the token that the page gives to its own machine."""
    told = dict(line.split("=", 1) for line in Path("/run/companion/page").read_text().splitlines())
    for port in PORTS:
        with suppress(ConnectionRefusedError):
            connection = HTTPConnection(HOST, port, timeout=60)
            shown = {"Authorization": f"Bearer {told['TABLE_SECRET']}"}
            connection.request("GET", "/token", headers=shown)
            word = json.load(connection.getresponse())["token"]
            return [Listener(port, word, shape) for shape in shapes]
    raise ConnectionRefusedError("nobody serves a page")


def main() -> None:
    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise Asleep

    signal.signal(signal.SIGTERM, stop)
    listeners = connected(sys.argv[1:])
    with suppress(Asleep):
        listen(listeners)
    print(json.dumps(moments(listeners)), flush=True)


if __name__ == "__main__":
    main()
