"""The box opens a Wi-Fi of its own if no known network answers, and joins the network that a
phone in it names.

wpa_supplicant is replaced by a fake that speaks its control protocol; with the real one, on the
kernel's own radios: tests/rigs/rig_own_wifi.py.
"""

import json
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.card.wifi import Network, Wifi
from companion.card.wireless import (
    SHOWN,
    SOCKET,
    NetworkInRange,
    Supplicant,
    WifiSocket,
    Wireless,
    give_addresses,
    known_networks,
    own_network,
    remember_network,
    wifi_code,
)

HOME = Network("Our home", "secret words")
OWN = Network("Table 3F2A", "abcd-efgh")
HEARD = (
    "bssid / frequency / signal level / flags / ssid\n"
    "02:00:00:00:01:00\t2412\t-51\t[WPA2-PSK-CCMP][ESS]\tOur home\n"
    "02:00:00:00:02:00\t2437\t-70\t[ESS]\tCaf\\xc3\\xa9\n"
    "02:00:00:00:03:00\t2437\t-90\t[WPA2-PSK-CCMP][ESS]\t\\x00\\x00\n"
    "02:00:00:00:04:00\t2462\t-88\t[WPA2-PSK-CCMP][ESS]\tOur home\n"
)


class FakeSupplicant:
    """wpa_supplicant's control socket. `asked` has the requests; `says` sends an event to the
    program that attached."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self.asked: list[str] = []
        self.name, self._number, self._who = "", 0, ""
        self.on_select: dict[str, tuple[str, ...]] = {}
        """By a network's name: the events that are sent once it is selected."""
        self._names: dict[str, str] = {}
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                heard, self._who = self._socket.recvfrom(4096)
            except OSError:
                return
            words = heard.decode().split(" ", 3)
            self.asked.append(heard.decode())
            answer = "OK\n"
            if words[0] == "ADD_NETWORK":
                answer, self._number = f"{self._number}\n", self._number + 1
            elif words[0] == "SCAN_RESULTS":
                answer = HEARD
            elif words[0] == "STATUS":
                answer = f"wpa_state=COMPLETED\nssid={self.name}\n"
            elif words[0] == "SET_NETWORK" and words[2] == "ssid":
                self._names[words[1]] = bytes.fromhex(words[3]).decode()
            self._socket.sendto(answer.encode(), self._who)
            if words[0] == "SELECT_NETWORK":
                self.name = self._names.get(words[1], "")
                for line in self.on_select.get(self.name, ()):
                    self.says(line)

    def says(self, event: str) -> None:
        """Sends an event."""
        self._socket.sendto(f"<3>{event}".encode(), self._who)

    def close(self) -> None:
        self._socket.close()


class Rig:
    """A box's Wi-Fi on a fake wpa_supplicant; time goes by only when a test says so."""

    def __init__(self, folder: Path, *known: Network) -> None:
        self.fake = FakeSupplicant(folder / "wlan0")
        self.supplicant = Supplicant(folder / "wlan0", folder / "ours")
        self.now, self.folder = 0.0, folder
        self.said: list[str] = []
        self.served: list[bool] = []
        self.wireless = Wireless(
            self.supplicant,
            Wifi(known),
            OWN,
            folder / "kept",
            tell=self.said.append,
            addresses=self.served.append,
            clock=self.clock,
        )

    def clock(self) -> float:
        self.now += 0.5
        return self.now

    def turn(self, *events: str) -> None:
        for event in events:
            self.fake.says(event)
        for _ in range(len(events) or 1):
            self.wireless.handle_next_event(0.05)

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.turn()


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path, HOME)
    yield rig
    rig.supplicant.close()
    rig.fake.close()


def opened(rig: Rig) -> Rig:
    rig.wait(46)
    assert rig.wireless.is_open
    return rig


def test_the_boxs_network_stays_closed_while_a_known_one_answers(rig: Rig) -> None:
    rig.fake.name = "Our home"
    rig.turn("CTRL-EVENT-CONNECTED - Connection to 02:00 completed [id=0 id_str=]")
    rig.wait(1000)
    assert rig.wireless.joined == "Our home" and not rig.wireless.is_open
    assert rig.said == [] and rig.served == []


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ("CTRL-EVENT-NETWORK-NOT-FOUND", "is not found"),
        ('CTRL-EVENT-SSID-TEMP-DISABLED id=0 ssid="Our home" reason=WRONG_KEY', "is wrong"),
    ],
)
def test_a_failed_join_ends_the_wait_early(rig: Rig, event: str, said: str) -> None:
    rig.turn(event)
    assert said in rig.said[0] and not rig.wireless.is_open
    opened(rig)
    assert rig.said[1:] == ["Join this Wi-Fi: “Table 3F2A”, password abcd-efgh"]


def test_the_box_waits_for_a_restarting_router(rig: Rig) -> None:
    rig.fake.name = "Our home"
    rig.turn("CTRL-EVENT-CONNECTED - Connection to 02:00 completed [id=0 id_str=]")
    rig.turn("CTRL-EVENT-DISCONNECTED bssid=02:00 reason=4", "CTRL-EVENT-NETWORK-NOT-FOUND")
    rig.wait(100)
    assert not rig.wireless.is_open
    rig.wait(30)
    assert rig.wireless.is_open


def test_the_boxs_network_opens_if_no_known_one_answers(rig: Rig) -> None:
    rig.wait(40)
    assert not rig.wireless.is_open
    opened(rig)
    assert rig.said == ["Join this Wi-Fi: “Table 3F2A”, password abcd-efgh"]
    assert rig.served == [True]
    assert rig.wireless.heard == (
        NetworkInRange("Our home", 3, True),
        NetworkInRange("Café", 2, False),
    )
    asked = "\n".join(rig.fake.asked)
    for line in ("0 mode 2", "0 frequency 2437", "0 key_mgmt WPA-PSK", "0 ieee80211w 0"):
        assert f"SET_NETWORK {line}" in asked
    assert "SELECT_NETWORK 0" in asked and OWN.password not in asked


def test_a_box_without_known_networks_soon_opens_its_own(tmp_path: Path) -> None:
    """wpa_supplicant looks only for known networks, so it must be asked which networks there
    are."""
    rig = Rig(tmp_path)
    try:
        assert rig.fake.asked[-1] == "SCAN"
        rig.wait(5)
        assert not rig.wireless.is_open
        rig.wait(6)
        assert rig.wireless.is_open and rig.served == [True]
        assert [one.name for one in rig.wireless.heard] == ["Our home", "Café"]
    finally:
        rig.supplicant.close()
        rig.fake.close()


def test_a_network_joined_from_the_page_is_remembered(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    try:
        rig.wait(12)
        rig.fake.on_select["Our home"] = ("CTRL-EVENT-CONNECTED - completed",)
        assert rig.wireless.join(HOME)
        rig.turn("CTRL-EVENT-DISCONNECTED bssid=02:00 reason=4", "CTRL-EVENT-NETWORK-NOT-FOUND")
        rig.wait(100)  # its router may restart
        assert not rig.wireless.is_open
        rig.wait(30)
        assert rig.wireless.is_open
        rig.wait(301)
        assert not rig.wireless.is_open and "ENABLE_NETWORK 1" in rig.fake.asked[-4:]
    finally:
        rig.supplicant.close()
        rig.fake.close()


def test_a_wrong_password_is_reported_and_the_boxs_network_opens_again(rig: Rig) -> None:
    opened(rig)
    rig.fake.on_select["Our home"] = ("CTRL-EVENT-SSID-TEMP-DISABLED id=1 reason=WRONG_KEY",)
    assert not rig.wireless.join(Network("Our home", "wrong words"))
    assert rig.wireless.why == "The password of the Wi-Fi “Our home” is wrong"
    assert rig.wireless.is_open and rig.served == [True, False, True]
    assert known_networks(rig.folder / "kept") == ()
    rig.fake.on_select["Our home"] = ("CTRL-EVENT-CONNECTED - completed",)
    assert rig.wireless.join(HOME)
    assert rig.wireless.why is None and not rig.wireless.is_open
    assert known_networks(rig.folder / "kept") == (HOME,)
    assert rig.said[-1] == "The box is now on the Wi-Fi “Our home”"


def test_a_chosen_network_that_does_not_answer_is_reported(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.card.wireless.JOIN_ANSWER_S", 1.0)
    opened(rig)
    assert not rig.wireless.join(Network("Gone", "some words"))
    assert rig.wireless.why == "The Wi-Fi “Gone” doesn't answer" and rig.wireless.is_open


def test_a_late_router_is_found_while_no_guest_is_connected(rig: Rig) -> None:
    opened(rig)
    rig.turn("AP-STA-CONNECTED 02:00:00:00:09:00")
    rig.wait(400)
    assert rig.wireless.is_open and rig.wireless.guests == 1
    rig.turn("AP-STA-DISCONNECTED 02:00:00:00:09:00")
    assert not rig.wireless.is_open
    rig.fake.name = "Our home"
    rig.turn("CTRL-EVENT-CONNECTED - completed [id=0]")
    assert rig.wireless.joined == "Our home" and rig.served == [True, False]


def test_a_network_that_disappears_is_joined_again(rig: Rig) -> None:
    rig.fake.name = "Our home"
    rig.turn("CTRL-EVENT-CONNECTED - completed [id=0]")
    rig.turn("CTRL-EVENT-DISCONNECTED bssid=02:00 reason=4")
    rig.wait(20)
    rig.turn("CTRL-EVENT-CONNECTED - completed [id=0]")
    rig.wait(100)
    assert not rig.wireless.is_open
    rig.turn("CTRL-EVENT-DISCONNECTED bssid=02:00 reason=4")
    opened(rig)


def test_a_known_network_with_a_wrong_password_is_reported(rig: Rig) -> None:
    rig.turn('CTRL-EVENT-SSID-TEMP-DISABLED id=0 ssid="Our home" reason=WRONG_KEY')
    assert rig.said == ["The password of the Wi-Fi “Our home” is wrong"]
    rig.wait(125)
    assert rig.wireless.is_open


def test_the_boxs_network_keeps_its_name_and_password(tmp_path: Path) -> None:
    first = own_network(tmp_path / "kept", "b8:27:eb:01:3f:2a")
    assert first.name == "Table 3F2A" and len(first.password) == 9
    assert own_network(tmp_path / "kept", "b8:27:eb:01:3f:2a") == first
    assert (tmp_path / "kept" / "own.json").stat().st_mode & 0o77 == 0


def test_joined_networks_are_remembered_newest_first(tmp_path: Path) -> None:
    for name in ("a", "b", "a"):
        remember_network(tmp_path, Network(name, "12345678"))
    assert [one.name for one in known_networks(tmp_path)] == ["a", "b"]


def test_a_hidden_network_is_remembered_as_hidden(tmp_path: Path) -> None:
    remember_network(tmp_path, Network("a", "12345678"))
    remember_network(tmp_path, Network("b", "", hidden=True))
    assert known_networks(tmp_path) == (Network("b", "", hidden=True), Network("a", "12345678"))


def test_the_wifi_code_has_the_usual_format() -> None:
    assert (
        wifi_code(Network("Our; home", "a,b:c\\d")) == "WIFI:T:WPA;S:Our\\; home;P:a\\,b\\:c\\\\d;;"
    )


def ask(folder: Path, **what: str) -> dict[str, object]:
    with socket.socket(socket.AF_UNIX) as to:
        to.connect(str(folder / SOCKET))
        to.sendall(json.dumps(what).encode() + b"\n")
        told: dict[str, object] = json.loads(to.makefile("rb").readline())
    return told


def test_the_page_lists_networks_and_requests_to_join_one(rig: Rig) -> None:
    visits = WifiSocket(rig.folder)
    try:
        opened(rig)
        visits.join_requested(rig.wireless)
        assert ask(rig.folder, ask="state") == {
            "open": True,
            "joined": "",
            "networks": [["Our home", 3, True], ["Café", 2, False]],
            "why": "",
        }
        shown = json.loads((rig.folder / SHOWN).read_text())
        assert shown == ["Table 3F2A", "abcd-efgh", wifi_code(OWN), 0]
        told = ask(rig.folder, ask="join", name="Our home", password="short")
        assert told == {"fault": {"say": "a password has 8 to 63 letters", "parts": {}}}
        rig.fake.on_select["Our home"] = ("CTRL-EVENT-CONNECTED - completed",)
        told = ask(rig.folder, ask="join", name="Our home", password="secret words")
        assert told == {"joining": True}
        visits.join_requested(rig.wireless)
        assert ask(rig.folder, ask="state")["joined"] == "Our home"
        assert not (rig.folder / SHOWN).exists()
    finally:
        visits.close()


@pytest.mark.parametrize(
    "line",
    [b"[]", b"null", b'"x"', b"[" * 4000, b'{"a":' * 800, b'{"ask": "join", "name": "\\ud800"}'],
)
def test_invalid_requests_leave_the_wifi_service_answering(rig: Rig, line: bytes) -> None:
    visits = WifiSocket(rig.folder)
    try:
        with socket.socket(socket.AF_UNIX) as to:
            to.connect(str(rig.folder / SOCKET))
            to.sendall(line + b"\n")
            assert to.recv(1) == b""
        assert ask(rig.folder, ask="state")["networks"] == []
    finally:
        visits.close()


@pytest.mark.parametrize("there", [True, False], ids=["a name server", "no name server"])
def test_the_box_is_the_name_server_in_its_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    ran = list[list[str]]()
    monkeypatch.setattr(subprocess, "run", lambda command, check: ran.append(command))
    give_addresses("wlan0", True, tmp_path, leads_here=there)
    given = (tmp_path / "10-own-wlan0.network").read_text()
    assert "Address=192.168.44.1/24\nDHCPServer=yes" in given
    wanted = (
        "EmitDNS=yes\nDNS=192.168.44.1\nEmitRouter=yes" if there else "EmitDNS=no\nEmitRouter=no"
    )
    assert f"[DHCPServer]\n{wanted}\n" in given
    give_addresses("wlan0", False, tmp_path)
    assert not (tmp_path / "10-own-wlan0.network").exists()
    assert ran == [["networkctl", "reload"], ["networkctl", "reconfigure", "wlan0"]] * 2
