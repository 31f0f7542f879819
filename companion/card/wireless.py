"""Runs the box's Wi-Fi: wpa_supplicant, and addresses for devices in the box's own network."""

import grp
import json
import os
import queue
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.card.own_wifi import Wireless, code_of, learned, own_network
from companion.card.supplicant import Supplicant, wait_for
from companion.card.wifi import Network, Wifi, network_fault, supplicant_text
from companion.core.threads import NamedThread
from companion.core.values import Json
from companion.core.words import sentence_json

# ---------------------------------------------------------------- wifi socket
# How the table's page speaks with the box's Wi-Fi, which runs as root: a line of JSON on a socket
# that the table's service may open, and a line back.
#
#     {"ask": "state"}                                  {"open": true, "joined": "", "networks": …}
#     {"ask": "join", "name": "Our home", "password": "…"}    {"joining": true}, or {"fault": "…"}
#
# A file beside the socket has what the TV shows of the box's own Wi-Fi.


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


# ---------------------------------------------------------------- wireless

PROGRAM = "/usr/sbin/wpa_supplicant"
NETWORKS = Path("/run/systemd/network")
HOME = "192.168.44.1"
"""The box's address in its own Wi-Fi."""
LOOKS_S = 1.0
STARTS_S = 60.0
"""Seconds that wpa_supplicant may take to start, on a processor that has much else to do."""


def run_wireless(
    interface: str, wifi: Wifi, running: Path, kept: Path, tell: Callable[[str], None]
) -> int:
    """Runs the Wi-Fi until wpa_supplicant ends; gives its exit status. `running`: the folder for
    files that are needed while it runs; `kept`: the folder for those that stay. Raises OSError."""
    known = Wifi((*wifi.networks, *learned(kept)), wifi.country)
    control, conf = running / "wpa", running / "wpa-known.conf"
    conf.touch(0o600)
    conf.write_text(supplicant_text(known, str(control)), encoding="utf-8")
    (control / interface).unlink(missing_ok=True)
    hardware = Path("/sys/class/net", interface, "address").read_text(encoding="ascii").strip()

    def addresses(wanted: bool) -> None:
        give_addresses(interface, wanted)

    with subprocess.Popen([PROGRAM, f"-c{conf}", f"-i{interface}"]) as program:
        try:
            wait_for(control / interface, STARTS_S)
            with Supplicant(control / interface, running / "wpa-ours") as supplicant:
                own = own_network(kept, hardware)
                wireless = Wireless(supplicant, known, own, kept, tell=tell, addresses=addresses)
                _keep_turning(wireless, WifiSocket(running), program)
        finally:
            addresses(False)
            program.terminate()
    return program.returncode


def _keep_turning(
    wireless: Wireless, visits: WifiSocket, program: "subprocess.Popen[bytes]"
) -> None:
    try:
        while program.poll() is None:
            with suppress(BlockingIOError):
                wireless.turn(LOOKS_S)
                visits.turn(wireless)
    finally:
        visits.close()


def give_addresses(interface: str, wanted: bool, folder: Path = NETWORKS) -> None:
    """Makes systemd-networkd give addresses to devices in the box's own Wi-Fi (`wanted`), or ask
    for an address as in any other network."""
    file = folder / f"10-own-{interface}.network"
    if not wanted and not file.exists():
        return
    if wanted:
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(
            f"[Match]\nName={interface}\n\n[Link]\nRequiredForOnline=no\n\n"
            f"[Network]\nAddress={HOME}/24\nDHCPServer=yes\nConfigureWithoutCarrier=yes\n\n"
            f"[DHCPServer]\nEmitDNS=no\nEmitRouter=no\n",
            encoding="utf-8",
        )
    else:
        file.unlink()
    for command in (["reload"], ["reconfigure", interface]):
        subprocess.run(["networkctl", *command], check=False)
        time.sleep(0.1)
