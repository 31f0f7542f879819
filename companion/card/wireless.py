"""Runs the box's Wi-Fi: wpa_supplicant, and addresses for devices in the box's own network.

The box's own network is open while no known network answers. So people can play in a pub or a
garden, and choose on a phone in that network which other network the box is to join. The table
shows what is happening. Source: wpa_supplicant's “Control interface”,
w1.fi/wpa_supplicant/devel/ctrl_iface_page.html."""

import grp
import json
import os
import queue
import secrets
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self

from companion.card.wifi import (
    Network,
    Wifi,
    explain_events,
    network_fault,
    network_settings,
    supplicant_text,
)
from companion.core.json_text import read_json
from companion.core.regular_file import read_private, write_private
from companion.core.threads import NamedThread
from companion.core.typed_address import OWN_WIFI, OWN_WIFI_FILE
from companion.core.values import Json, dataclass
from companion.core.words import Sentence, phrase, sentence_json

# ---------------------------------------------------------------- wpa_supplicant
# Sends commands to wpa_supplicant on its control socket, reads answers and events.


SUPPLICANT_ANSWERS_S = 10.0
LONGEST_ANSWER = 1 << 16
STRONG, FAIR = -60, -75
"""The weakest signals, in dBm, that are shown with three bars and with two."""


@dataclass(frozen=True, slots=True)
class NetworkInRange:
    """A network in range: its name, 1 to 3 bars, and whether it requires a password."""

    name: str
    bars: int
    locked: bool


class Supplicant:
    """The connection to one wpa_supplicant. `path`: its control socket; `own`: the path of the
    socket on this side. Raises OSError."""

    def __init__(self, path: Path, own: Path) -> None:
        self._own, self._events = own, list[str]()
        own.unlink(missing_ok=True)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            self._socket.bind(str(own))
            self._socket.connect(str(path))
            self.request("ATTACH")
        except OSError:
            self._socket.close()
            raise

    def request(self, command: str) -> str:
        """Sends a command and returns the answer. Raises OSError if the command failed or no answer
        comes."""
        self._socket.send(command.encode())
        until = time.monotonic() + SUPPLICANT_ANSWERS_S
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
        """Returns the next event, such as “CTRL-EVENT-CONNECTED …”; None if none comes within
        `within_s` seconds."""
        heard = self._events.pop(0) if self._events else self._receive(within_s)
        return heard.partition(">")[2] if heard and heard.startswith("<") else None

    def _receive(self, within_s: float) -> str | None:
        self._socket.settimeout(max(within_s, 0.01))
        with suppress(TimeoutError):
            return self._socket.recv(LONGEST_ANSWER).decode(errors="replace")
        return None

    def add(self, network: Network, *more: str) -> str:
        """Adds a network to wpa_supplicant, still disabled, and returns its number. `more`: further
        settings. Raises OSError."""
        number = self.request("ADD_NETWORK")
        for line in (*network_settings(network), *more):
            name, _, value = line.partition("=")
            self.request(f"SET_NETWORK {number} {name} {value}")
        return number

    def networks_in_range(self) -> tuple[NetworkInRange, ...]:
        """Returns the networks found by the last scan, the strongest first. Raises OSError."""
        found: dict[str, NetworkInRange] = {}
        for line in self.request("SCAN_RESULTS").splitlines()[1:]:
            _, _, level, flags, name = (*line.split("\t"), "", "", "", "", "")[:5]
            text = _decode_name(name)
            if text and text not in found and level.lstrip("-").isdecimal():
                bars = 3 if int(level) >= STRONG else 2 if int(level) >= FAIR else 1
                found[text] = NetworkInRange(text, bars, "WPA" in flags or "WEP" in flags)
        return tuple(sorted(found.values(), key=lambda one: -one.bars))

    def close(self) -> None:
        self._socket.close()
        self._own.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _decode_name(name: str) -> str:
    """Returns a network's name for people; wpa_supplicant escapes bytes that are not ASCII as
    `\\xc3`. Empty if the network hides its name or it can't be decoded."""
    with suppress(ValueError):
        text = name.encode("latin-1").decode("unicode_escape").encode("latin-1").decode()
        return text if text.isprintable() else ""
    return ""


def wait_for_socket(path: Path, within_s: float = SUPPLICANT_ANSWERS_S) -> None:
    """Waits until wpa_supplicant has created its socket. Raises OSError if that takes more than
    `within_s` seconds."""
    until = time.monotonic() + within_s
    while not path.is_socket():
        if time.monotonic() > until:
            raise OSError(f"{os.fspath(path)} does not come")
        time.sleep(0.1)


# ---------------------------------------------------------------- box's Wi-Fi

JOIN_S = 45.0
"""Seconds that a known network may take to answer before the box opens its own. A router that
starts together with the box takes longer, so the box searches for it again later."""
SEARCH_S = 10.0
"""Seconds for which a box that knows no network looks for networks in range, before it opens its
own."""
JOIN_ANSWER_S = 30.0
"""Seconds that a network may take to answer after somebody has named it."""
LOST_S, SEARCH_AGAIN_S = 120.0, 300.0
"""Seconds for which a network may be gone before the box opens its own, and seconds between
searches for known networks while nobody is in the box's own."""
PASSWORD_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Characters that can't be mistaken for one another, for the password."""
FREQUENCY = 2437
"""Channel 6 in MHz, which all countries and all phones support."""
PLAIN_SETTINGS = ("proto=RSN", "pairwise=CCMP", "key_mgmt=WPA-PSK", "ieee80211w=0")
"""Settings of the box's own Wi-Fi that every chip and every phone supports."""
OWN, KNOWN = "own.json", "known.json"
LONGEST_FILE = 64 * 1024


def own_network(folder: Path, hardware: str) -> Network:
    """Returns the box's own Wi-Fi network, the same at each start: its name is derived from the
    hardware address; its password is generated once and stored. Raises OSError if it can't be
    stored."""
    with suppress(OSError, ValueError):
        name, password = json.loads(read_private(folder / OWN, LONGEST_FILE))
        return Network(str(name), str(password))
    drawn = "".join(secrets.choice(PASSWORD_LETTERS) for _ in range(8))
    own = Network(f"Table {hardware.replace(':', '')[-4:].upper()}", f"{drawn[:4]}-{drawn[4:]}")
    folder.mkdir(parents=True, exist_ok=True)
    write_private(folder / OWN, json.dumps([own.name, own.password]))
    return own


def known_networks(folder: Path) -> tuple[Network, ...]:
    """Returns the networks that people chose on the page and that were joined, the newest first."""
    with suppress(OSError, ValueError, TypeError):
        permanent = json.loads(read_private(folder / KNOWN, LONGEST_FILE))
        return tuple(
            Network(str(name), str(password), hidden=bool(hidden))
            for name, password, *hidden in permanent
        )
    return ()


def remember_network(folder: Path, network: Network) -> None:
    """Stores a network that was joined, together with the 15 newest others. Raises OSError."""
    others = [one for one in known_networks(folder) if one.name != network.name]
    rows = [
        [one.name, one.password, *(["hidden"] if one.hidden else [])] for one in (network, *others)
    ][:16]
    folder.mkdir(parents=True, exist_ok=True)
    write_private(folder / KNOWN, json.dumps(rows))


def wifi_code(network: Network) -> str:
    """Returns the text of the QR code with which Android and iPhones join the network."""
    escaped = ("".join(f"\\{one}" if one in '\\;,":' else one for one in word)
               for word in (network.name, network.password))  # fmt: skip
    return "WIFI:T:WPA;S:{};P:{};;".format(*escaped)


class Wireless:
    """The box's Wi-Fi, in a known network or in its own. `wifi`: the known networks, in the order
    of the supplicant's numbers; `tell` shows a line at the table; `addresses` starts (True) or
    stops (False) giving addresses to devices in the box's own Wi-Fi."""

    def __init__(
        self,
        supplicant: Supplicant,
        wifi: Wifi,
        own: Network,
        folder: Path,
        *,
        tell: Callable[[str], None],
        addresses: Callable[[bool], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._supplicant, self._folder = supplicant, folder
        self._known = {str(number): network for number, network in enumerate(wifi.networks)}
        """The known networks, by the supplicant's numbers."""
        self.own, self._tell, self._addresses, self._clock = own, tell, addresses, clock
        locked = PLAIN_SETTINGS if own.password else ()
        self._own_number = supplicant.add(own, f"frequency={FREQUENCY}", "mode=2", *locked)
        self.heard: tuple[NetworkInRange, ...] = ()
        self.joined = ""
        """The name of the network that the box has joined; empty if there is none."""
        self.is_open = False
        """Whether the box's own Wi-Fi is open."""
        self.why: Sentence | None = None
        """Why the network that was named last could not be joined; None if it was joined, or none
        was named."""
        self._guests: set[str] = set()
        self._since, self._last_trouble = clock(), ""
        self._was_joined = False
        """Whether the network that is gone had been joined before; its router may be restarting."""
        if not self._known:  # then wpa_supplicant doesn't listen unless asked to
            with suppress(OSError):
                supplicant.request("SCAN")

    def handle_next_event(self, within_s: float) -> None:
        """Waits at most `within_s` seconds for the next event, handles it, and does what is due.
        Raises OSError."""
        event = self._supplicant.event(within_s)
        if event:
            self._handle_event(event)
        gone = self._clock() - self._since
        if self.is_open:
            if gone > SEARCH_AGAIN_S and self._known and not self._guests:
                self._search_known()
        elif not self.joined and gone > self._patience_s:
            self._open_own()

    @property
    def _patience_s(self) -> float:
        """How many seconds the box waits for a known network before it opens its own."""
        if not self._known:
            return SEARCH_S
        waits_for_router = self._was_joined and self._last_trouble
        return LOST_S if waits_for_router else JOIN_S

    def _handle_event(self, event: str) -> None:
        words = event.split()
        if words[0] == "AP-STA-CONNECTED":
            self._guests.add(words[1])
        elif words[0] == "AP-STA-DISCONNECTED":
            self._guests.discard(words[1])
        elif self.is_open:
            return
        elif "CTRL-EVENT-CONNECTED" in event:
            self.joined, self._last_trouble = self._joined_name(), ""
        elif "CTRL-EVENT-DISCONNECTED" in event and self.joined:
            self.joined, self._since, self._was_joined = "", self._clock(), True
        if (now := explain_events([event], self._known)) and now != self._last_trouble:
            self._last_trouble = now
            self._tell(now)

    def _joined_name(self) -> str:
        lines = self._supplicant.request("STATUS").splitlines()
        return next((line[5:] for line in lines if line.startswith("ssid=")), "")

    @property
    def guests(self) -> int:
        """The number of devices in the box's own Wi-Fi."""
        return len(self._guests)

    def _open_own(self) -> None:
        with suppress(OSError):
            self.heard = self._supplicant.networks_in_range()
        self._supplicant.request(f"SELECT_NETWORK {self._own_number}")
        self._addresses(True)
        self.is_open, self._since, self._guests = True, self._clock(), set()
        name, password = self.own.name, self.own.password
        self._tell(
            phrase("Join this Wi-Fi: “{name}”, password {password}", name=name, password=password)
        )

    def _close_own(self) -> None:
        self._addresses(False)
        self.is_open, self._since, self._was_joined = False, self._clock(), False

    def _search_known(self) -> None:
        self._close_own()
        for number in self._known:
            self._supplicant.request(f"ENABLE_NETWORK {number}")
        self._supplicant.request(f"DISABLE_NETWORK {self._own_number}")
        self._supplicant.request("REASSOCIATE")

    def join(self, network: Network) -> bool:
        """Joins a network that somebody has chosen; returns whether that succeeded. If not, the
        box's own network is opened again, and `why` has the reason. Raises OSError."""
        number = self._supplicant.add(network)
        if self.is_open:
            self._close_own()
        self._supplicant.request(f"SELECT_NETWORK {number}")
        self.why = self._wait_until_joined(network)
        if self.why:
            self._supplicant.request(f"REMOVE_NETWORK {number}")
            self._tell(self.why)
            self._open_own()
            return False
        self.joined, self._known[number] = network.name, network
        remember_network(self._folder, network)
        self._tell(phrase("The box is now on the Wi-Fi “{name}”", name=network.name))
        return True

    def _wait_until_joined(self, network: Network) -> Sentence | None:
        """Waits until a network is joined. Returns None, or the reason if it wasn't joined."""
        until = self._clock() + JOIN_ANSWER_S
        while self._clock() < until:
            event = self._supplicant.event(1.0) or ""
            if "CTRL-EVENT-CONNECTED" in event and self._joined_name() == network.name:
                return None
            if "reason=WRONG_KEY" in event:
                return phrase("The password of the Wi-Fi “{name}” is wrong", name=network.name)
        return phrase("The Wi-Fi “{name}” doesn't answer", name=network.name)


# ---------------------------------------------------------------- wifi socket
# How the table's page speaks with the box's Wi-Fi, which runs as root: a line of JSON on a socket
# that the table's service may open, and a line back.
#
#     {"ask": "state"}                                  {"open": true, "joined": "", "networks": …}
#     {"ask": "join", "name": "Our home", "password": "…"}    {"joining": true}, or {"fault": "…"}
#
# A file beside the socket has what the TV shows of the box's own Wi-Fi.


SOCKET, SHOWN = "wifi.socket", OWN_WIFI_FILE
GROUP = "companion"
LONGEST_REQUEST = 4096
VISITOR_TIMEOUT_S = 5.0


class WifiSocket:
    """Answers requests on a socket in `folder`. A request to join a network is confirmed at once
    and carried out later, by `join_requested`."""

    def __init__(self, folder: Path) -> None:
        self._path, self._shown = folder / SOCKET, folder / SHOWN
        self._requested: queue.SimpleQueue[Network] = queue.SimpleQueue()
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
                    visitor.settimeout(VISITOR_TIMEOUT_S)
                    request = read_json(visitor.makefile("rb").readline(LONGEST_REQUEST))
                    if not isinstance(request, dict):
                        continue
                    visitor.sendall(json.dumps(self._answer(request)).encode() + b"\n")

    def _answer(self, request: Json) -> Json:
        if request.get("ask") != "join":
            return self._state
        name, password = str(request.get("name", "")), str(request.get("password", ""))
        network = Network(name, password, hidden=request.get("hidden") is True)
        if fault := network_fault(network):
            return {"fault": sentence_json(fault)}
        self._requested.put(network)
        return {"joining": True}

    def join_requested(self, wireless: Wireless) -> None:
        """Joins the requested network, if any, and updates the state with which requests are
        answered, and that for the TV. Raises OSError."""
        with suppress(queue.Empty):
            wireless.join(self._requested.get_nowait())
        heard = [[one.name, one.bars, one.locked] for one in wireless.heard]
        own = wireless.own if wireless.is_open else None
        self._state = {
            "open": wireless.is_open,
            "joined": wireless.joined,
            "networks": heard,
            "why": sentence_json(wireless.why) if wireless.why else "",
        }
        told = [own.name, own.password, wifi_code(own), wireless.guests] if own else None
        text = json.dumps(told) if told else ""
        if not text:
            self._shown.unlink(missing_ok=True)
        elif not self._shown.exists() or self._shown.read_text() != text:
            self._shown.write_text(text)

    def close(self) -> None:
        """Closes and removes the socket, and removes the TV's file."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for path in (self._path, self._shown):
            path.unlink(missing_ok=True)


PROGRAM = "/usr/sbin/wpa_supplicant"
NETWORKS = Path("/run/systemd/network")
NAME_SERVER = Path("/usr/sbin/dnsmasq")
STEP_S = 1.0
START_TIMEOUT_S = 60.0
"""Seconds that wpa_supplicant may take to start on a busy processor."""


def run_wireless(
    interface: str, wifi: Wifi, running: Path, permanent: Path, tell: Callable[[str], None]
) -> int:
    """Runs the Wi-Fi until wpa_supplicant ends; returns wpa_supplicant's exit status. `running`:
    the folder for temporary files; `permanent`: the folder for permanent ones. Raises OSError."""
    known = Wifi((*wifi.networks, *known_networks(permanent)), wifi.country)
    control, conf = running / "wpa", running / "wpa-known.conf"
    conf.touch(0o600)
    conf.write_text(supplicant_text(known, str(control)), encoding="utf-8")
    (control / interface).unlink(missing_ok=True)
    hardware = Path("/sys/class/net", interface, "address").read_text(encoding="ascii").strip()

    names: list[subprocess.Popen[bytes]] = []

    def addresses(wanted: bool) -> None:
        leads_here = wanted and NAME_SERVER.exists()
        give_addresses(interface, wanted, leads_here=leads_here)
        while names:
            with names.pop() as server:
                server.terminate()
        if leads_here:
            names.append(resolve_all_names_here())

    with subprocess.Popen([PROGRAM, f"-c{conf}", f"-i{interface}"]) as program:
        try:
            wait_for_socket(control / interface, START_TIMEOUT_S)
            with Supplicant(control / interface, running / "wpa-ours") as supplicant:
                own = own_network(permanent, hardware)
                wireless = Wireless(
                    supplicant, known, own, permanent, tell=tell, addresses=addresses
                )
                _run_loop(wireless, WifiSocket(running), program)
        finally:
            addresses(False)
            program.terminate()
    return program.returncode


def _run_loop(
    wireless: Wireless, wifi_socket: WifiSocket, program: "subprocess.Popen[bytes]"
) -> None:
    try:
        while program.poll() is None:
            with suppress(BlockingIOError):
                wireless.handle_next_event(STEP_S)
                wifi_socket.join_requested(wireless)
    finally:
        wifi_socket.close()


def give_addresses(
    interface: str, wanted: bool, folder: Path = NETWORKS, *, leads_here: bool = False
) -> None:
    """Makes systemd-networkd give addresses to devices in the box's own Wi-Fi if `wanted`, and
    otherwise request an address, as in any other network. `leads_here`: whether the box is also the
    devices' name server and gateway."""
    file = folder / f"10-own-{interface}.network"
    if not wanted and not file.exists():
        return
    if wanted:
        here = f"EmitDNS=yes\nDNS={OWN_WIFI}\nEmitRouter=yes"
        nowhere = "EmitDNS=no\nEmitRouter=no"
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(
            f"[Match]\nName={interface}\n\n[Link]\nRequiredForOnline=no\n\n"
            f"[Network]\nAddress={OWN_WIFI}/24\nDHCPServer=yes\nConfigureWithoutCarrier=yes\n\n"
            f"[DHCPServer]\n{here if leads_here else nowhere}\n",
            encoding="utf-8",
        )
    else:
        file.unlink()
    for command in (["reload"], ["reconfigure", interface]):
        subprocess.run(["networkctl", *command], check=False)
        time.sleep(0.1)


def resolve_all_names_here() -> "subprocess.Popen[bytes]":
    """Starts Debian's dnsmasq as a name server in the box's own Wi-Fi; returns its process. Every
    name leads to the box, so that phones find its sign-in page (web/captive_portal.py). Answers may
    not be cached, as a phone may soon be in another network. Raises OSError."""
    return subprocess.Popen(
        [
            *(NAME_SERVER, "--keep-in-foreground", "--conf-file=/dev/null", "--pid-file="),
            *("--bind-dynamic", f"--listen-address={OWN_WIFI}", "--no-hosts", "--no-resolv"),
            *(f"--address=/#/{OWN_WIFI}", "--local=/#/", "--cache-size=0"),
        ]
    )
