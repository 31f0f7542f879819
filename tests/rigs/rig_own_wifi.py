"""The box's own Wi-Fi on a real kernel, by Debian's wpa_supplicant on three radios of
mac80211_hwsim: the box, a phone and a router, in the kernel rig's guest.

No network answers: the box opens its own Wi-Fi, gives the phone an address, and joins the router
that the phone names. After a wrong password it says so and opens its own Wi-Fi again. A box that
knows no network yet lists those that it hears; it joins the named one again after that was gone.
"""

import json
import time
from collections.abc import Callable, Iterator

import pytest

from tests.rigs.kernel.guest import Guest, GuestError

WITHIN_S = 400.0
ROUTER = """\
ctrl_interface=/run/router
network={
 ssid="Our home"
 mode=2
 frequency=2412
 key_mgmt=WPA-PSK
 proto=RSN
 pairwise=CCMP
 psk="secret words"
}
"""
PHONE = """\
ctrl_interface=/run/phone
network={{
 ssid="{0}"
 key_mgmt=WPA-PSK
 psk="{1}"
}}
"""
BOX = """\
import json, sys
from pathlib import Path
sys.path.insert(0, "/usr/share/table-companion")
from companion.card import wireless
from companion.card.wifi import Network, Wifi
wireless.JOIN_S = wireless.LOST_S = 10.0
wireless.AGAIN_S = 30.0
running = Path("/run/companion-card")
running.mkdir(exist_ok=True)
said = open("/run/said", "a", buffering=1)
known = Wifi((KNOWN), "DE")
tell = lambda line: print(line, file=said)
wireless.run_wireless("wlan0", known, running, Path("/run/kept"), tell)
"""
ASK = """\
import json, socket, sys
to = socket.socket(socket.AF_UNIX)
to.connect("/run/companion-card/wifi.socket")
to.sendall(sys.argv[1].encode() + b"\\n")
print(to.makefile().readline())
"""
SHOWN = "cat /run/companion-card/own-wifi || true"
"""A command that prints what a TV shows of the box's own Wi-Fi."""
LISTENS = "ls /run/companion-card/wifi.socket || true"
GONE = "while test -e /run/router/wlan2 || test -e /run/phone/wlan1; do sleep 0.2; done"
JOINED = "The box is now on the Wi-Fi “Our home”"
pytestmark = pytest.mark.serial


def put(guest: Guest, path: str, text: str) -> None:
    guest.run(f"cat > {path}", text=text)


def ask(guest: Guest, **what: object) -> dict[str, object]:
    told: dict[str, object] = json.loads(guest.run(f"python3 /run/ask.py '{json.dumps(what)}'"))
    return told


def until(guest: Guest, true: Callable[[], object], what: str) -> None:
    end = time.monotonic() + WITHIN_S
    while not true():
        if time.monotonic() > end:
            look = "networkctl --no-pager status wlan0 wlan1; iw dev"
            told = guest.run(f"cat /run/said; journalctl --no-pager -n 60; {look}")
            raise GuestError(f"still not: {what}\n{told}")
        time.sleep(1)


def said(guest: Guest) -> list[str]:
    return guest.run("cat /run/said").splitlines()


@pytest.fixture
def radios(guest: Guest) -> Iterator[Guest]:
    """The guest with three radios, on one of which a router is up."""
    guest.run("rm -f /etc/systemd/system/systemd-networkd.service; systemctl daemon-reload")
    guest.run("modprobe mac80211_hwsim radios=3; udevadm settle", 120)
    put(guest, "/run/ask.py", ASK)
    put(guest, "/run/router.conf", ROUTER)
    guest.run("mkdir -p /run/systemd/network /run/air; rm -rf /run/kept /run/companion-card")
    guest.run(": > /run/said")
    any_network = "[Match]\nName=wlan0 wlan1\n[Network]\nDHCP=yes\n"
    put(guest, "/run/systemd/network/20-any.network", any_network)
    guest.run("systemctl start systemd-networkd", 120)
    try:
        switch_on_router(guest)
        yield guest
    finally:
        guest.run("systemctl stop own-wifi; systemctl reset-failed")
        guest.run(f"cd /run/air; kill $(cat *.pid); {GONE}; rm *.pid; rmmod mac80211_hwsim", 60)


def switch_on_router(guest: Guest) -> None:
    guest.run("wpa_supplicant -B -i wlan2 -P /run/air/router.pid -c /run/router.conf", 60)
    until(guest, lambda: "ssid Our home" in guest.run("iw dev wlan2 info"), "the router is up")


def open_box(guest: Guest, known: str) -> None:
    """Starts the box's Wi-Fi; `known`: the networks that it knows."""
    put(guest, "/run/box.py", BOX.replace("KNOWN", known))
    guest.run("systemd-run --unit=own-wifi python3 /run/box.py", 60)
    until(guest, lambda: guest.run(LISTENS), "it can be asked")


def join_by_phone(guest: Guest) -> None:
    """Lets a phone join the box's own Wi-Fi by what a TV shows of it."""
    until(guest, lambda: guest.run(SHOWN), "what a TV shows of it")
    own = json.loads(guest.run(SHOWN))
    assert said(guest)[-1] == f"Join this Wi-Fi: “{own[0]}”, password {own[1]}"
    put(guest, "/run/phone.conf", PHONE.format(own[0], own[1]))
    guest.run("wpa_supplicant -B -i wlan1 -P /run/air/phone.pid -c /run/phone.conf", 60)
    lease = r"networkctl --no-pager status wlan1 | grep -c '192\.168\.44\..*DHCP4' || true"
    until(guest, lambda: guest.run(lease).strip() == "1", "the phone has an address")
    names = r"networkctl --no-pager status wlan1 | grep -c 'DNS: 192\.168\.44\.1' || true"
    until(guest, lambda: guest.run(names).strip() == "1", "the phone asks the box for names")
    assert guest.run("pidof dnsmasq").strip(), "which answers"
    until(guest, lambda: json.loads(guest.run(SHOWN))[3] == 1, "the phone is seen")


def test_a_pub_without_a_network_and_a_home_with_one(radios: Guest, tell: list[str]) -> None:
    guest = radios
    open_box(guest, 'Network("Somewhere else", "12345678"),')
    until(guest, lambda: said(guest), "its own Wi-Fi is open")
    join_by_phone(guest)
    assert ask(guest, ask="state")["networks"] == [["Our home", 3, True]]
    ask(guest, ask="join", name="Our home", password="wrong words")
    wrong = "The password of the Wi-Fi “Our home” is wrong"
    until(guest, lambda: wrong in said(guest), "the wrong password is told")
    until(guest, lambda: ask(guest, ask="state")["open"], "its own is open again")
    ask(guest, ask="join", name="Our home", password="secret words")
    until(guest, lambda: JOINED in said(guest), "the box is in")
    assert ask(guest, ask="state")["joined"] == "Our home"
    assert "Our home" in guest.run("iw dev wlan0 link")
    assert "Our home" in guest.run("cat /run/kept/known.json")
    tell.extend(said(guest))


def test_a_card_that_knows_none_yet(radios: Guest, tell: list[str]) -> None:
    """The box hears which networks are there, joins the one that is named, and joins it again after
    it was gone for long."""
    guest = radios
    open_box(guest, "")
    until(guest, lambda: ask(guest, ask="state")["open"], "its own Wi-Fi is open")
    assert len(said(guest)) == 1, "nothing is missed where none is known"
    assert ask(guest, ask="state")["networks"] == [["Our home", 3, True]]
    ask(guest, ask="join", name="Our home", password="secret words", hidden=True)
    until(guest, lambda: JOINED in said(guest), "the box is in")
    guest.run(
        "kill $(cat /run/air/router.pid); while test -e /run/router/wlan2; do sleep 0.2; done"
    )
    until(guest, lambda: ask(guest, ask="state")["open"], "its own is open while that is gone")
    switch_on_router(guest)
    until(guest, lambda: ask(guest, ask="state")["joined"] == "Our home", "it is back by itself")
    tell.extend(said(guest))
