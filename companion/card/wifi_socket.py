"""How the table's page speaks with the box's Wi-Fi, which runs as root: a line of JSON on a socket
that the table's service may open, and a line back.

    {"ask": "state"}                                  {"open": true, "joined": "", "networks": …}
    {"ask": "join", "name": "Our home", "password": "…"}    {"joining": true}, or {"fault": "…"}

A file beside the socket has what the TV shows of the box's own Wi-Fi.
"""

import grp
import json
import os
import queue
import socket
from contextlib import suppress
from pathlib import Path

from companion.card.own_wifi import Wireless, code_of
from companion.card.wifi import Network, network_fault
from companion.core.threads import NamedThread
from companion.core.values import Json
from companion.core.words import sentence_json

SOCKET, SHOWN = "wifi.socket", "own-wifi"
GROUP = "companion"
LONGEST = 4096
WAITS_S = 5.0


class WifiSocket:
    """Listens on a socket in `folder`. A request is answered at once, and carried out by `turn`."""

    def __init__(self, folder: Path) -> None:
        self._path, self._shown = folder / SOCKET, folder / SHOWN
        self._wanted: queue.SimpleQueue[Network] = queue.SimpleQueue()
        self._state: Json = {"open": False, "joined": "", "networks": [], "why": ""}
        self._path.unlink(missing_ok=True)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.bind(str(self._path))
        with suppress(KeyError, PermissionError):
            os.chown(self._path, -1, grp.getgrnam(GROUP).gr_gid)
        self._path.chmod(0o660)
        self._socket.listen(4)
        NamedThread("wifi", self._listen).start()

    def _listen(self) -> None:
        with suppress(OSError):  # closed
            while True:
                visitor, _ = self._socket.accept()
                with visitor, suppress(OSError, ValueError):
                    visitor.settimeout(WAITS_S)
                    said = json.loads(visitor.makefile("rb").readline(LONGEST))
                    visitor.sendall(json.dumps(self._answer(said)).encode() + b"\n")

    def _answer(self, said: Json) -> Json:
        if said.get("ask") != "join":
            return self._state
        name, password = str(said.get("name", "")), str(said.get("password", ""))
        network = Network(name, password, hidden=said.get("hidden") is True)
        if fault := network_fault(network):
            return {"fault": sentence_json(fault)}
        self._wanted.put(network)
        return {"joining": True}

    def turn(self, wireless: Wireless) -> None:
        """Joins the network that was asked for, if any, and renews the state for answers and for
        the TV. Raises OSError."""
        with suppress(queue.Empty):
            wireless.join(self._wanted.get_nowait())
        heard = [[one.name, one.bars, one.locked] for one in wireless.heard]
        own = wireless.own if wireless.is_open else None
        self._state = {
            "open": wireless.is_open,
            "joined": wireless.joined,
            "networks": heard,
            "why": sentence_json(wireless.why) if wireless.why else "",
        }
        told = [own.name, own.password, code_of(own), wireless.guests] if own else None
        text = json.dumps(told) if told else ""
        if not text:
            self._shown.unlink(missing_ok=True)
        elif not self._shown.exists() or self._shown.read_text() != text:
            self._shown.write_text(text)

    def close(self) -> None:
        """Closes the socket, and removes it and the TV's file."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for path in (self._path, self._shown):
            path.unlink(missing_ok=True)
