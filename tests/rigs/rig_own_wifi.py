"""The box's own Wi-Fi on a real kernel, by Debian's wpa_supplicant on three radios of
mac80211_hwsim: the box, a phone and a router, in the kernel rig's guest.

No network answers: the box opens its own Wi-Fi, gives the phone an address, and joins the router
that the phone names. After a wrong password it says so and opens its own Wi-Fi again. A box that
knows no network yet lists those that it hears; it joins the named one again after that was gone.
The phone, in a network namespace of its own, finds the box behind every name and asks for the
internet as Android, iOS, Windows and Firefox do.
"""

import json
import re
import time
from collections.abc import Callable, Iterator

import pytest

from companion.core.typed_address import OWN_WIFI
from tests.rigs.kernel.guest import Guest, GuestError

WITHIN_S = 600.0
"""Seconds of the guest's clock, which goes slower than ours on a busy machine: the box looks for
known networks every five minutes of it."""
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
 {1}
}}
"""
SWITCH_ON_PHONE = """\
unshare -nm sleep infinity >/dev/null 2>&1 </dev/null & pid=$!
until [ "$(readlink /proc/$pid/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.2; done
echo $pid >/run/phone.pid
: >/run/phone.resolv
rm -f /etc/resolv.conf; : >/etc/resolv.conf
nsenter -t $pid -m mount --bind /run/phone.resolv /etc/resolv.conf
iw phy $(cat /sys/class/net/wlan1/phy80211/name) set netns $pid
"""
IN_PHONE = "nsenter -t $(cat /run/phone.pid) -n -m"
LEASE = f"{IN_PHONE} busybox udhcpc -i wlan1 -n -q -t 5 -T 2 -s /root/lease.sh >&2 || true"
LEASED = """\
#!/bin/sh
[ "$1" = bound ] || exit 0
busybox ip address flush dev $interface
busybox ip address add $ip/$mask dev $interface
busybox ip route replace default via $router
echo nameserver $dns >/run/phone.resolv
echo $ip >/run/phone.address
"""
PROBES = {
    "Android": """\
GET /generate_204 HTTP/1.1
User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) \
Chrome/60.0.3112.32 Safari/537.36
Host: connectivitycheck.gstatic.com
Connection: Keep-Alive
Accept-Encoding: gzip
""",
    "iOS": """\
GET /hotspot-detect.html HTTP/1.0
Host: captive.apple.com
Connection: close
User-Agent: CaptiveNetworkSupport-443.40.3 wispr
""",
    "Windows": """\
GET /connecttest.txt HTTP/1.1
Connection: Close
User-Agent: Microsoft NCSI
Host: www.msftconnecttest.com
""",
    "Firefox": """\
GET /canonical.html HTTP/1.1
Host: detectportal.firefox.com
User-Agent: Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0
Accept: */*
Accept-Language: de,en-US;q=0.7,en;q=0.3
Accept-Encoding: gzip, deflate
Cache-Control: no-cache
Pragma: no-cache
Connection: keep-alive
""",
}
"""The requests by which these systems look for the internet."""
HOPED_FOR = {
    "Android": ("204", ""),
    "iOS": ("200", "<BODY>Success</BODY>"),
    "Windows": ("200", "Microsoft Connect Test"),
    "Firefox": ("200", "https://support.mozilla.org/kb/captive-portal"),
}
"""The status, and a part of the text, by which they know that they have it."""
SEND = """\
import json, re, socket, sys
answers = {}
for name, request in json.load(sys.stdin).items():
    host = re.search("^Host: (.*)$", request, re.M)[1]
    with socket.create_connection((host, 80), 60) as to:
        to.sendall((request + "\\n").replace("\\n", "\\r\\n").encode())
        answers[name] = to.makefile("rb").read().decode()
print(json.dumps(answers))
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
END_PHONE = "kill $(cat /run/phone.pid); until test -e /sys/class/net/wlan1; do sleep 0.2; done"
JOINED = "The box is now on the Wi-Fi “Our home”"
pytestmark = pytest.mark.serial


def put(guest: Guest, path: str, text: str) -> None:
    guest.run(f"cat > {path}", text=text)


def ask(guest: Guest, **what: object) -> dict[str, object]:
    told: dict[str, object] = json.loads(guest.run(f"python3 /run/ask.py '{json.dumps(what)}'"))
    return told


def until(guest: Guest, true: Callable[[], object], what: str) -> None:
    end = uptime(guest) + WITHIN_S
    while not true():
        if uptime(guest) > end:
            look = f"networkctl --no-pager status wlan0; iw dev; {IN_PHONE} busybox ip address"
            told = guest.run(f"cat /run/said; journalctl --no-pager -n 60; {look}")
            raise GuestError(f"still not: {what}\n{told}")
        time.sleep(1)


def uptime(guest: Guest) -> float:
    """Seconds since the guest's kernel began, by its clock."""
    return float(guest.run("cut -d' ' -f1 /proc/uptime"))


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
    put(guest, "/run/send.py", SEND)
    put(guest, "/root/lease.sh", LEASED)
    guest.run("chmod +x /root/lease.sh")
    any_network = "[Match]\nName=wlan0\n[Network]\nDHCP=yes\n"
    put(guest, "/run/systemd/network/20-any.network", any_network)
    guest.run("systemctl start systemd-networkd", 120)
    guest.run(SWITCH_ON_PHONE, 120)
    try:
        switch_on_router(guest)
        yield guest
    finally:
        guest.run("systemctl stop own-wifi; systemctl reset-failed")
        guest.run(f"cd /run/air; kill $(cat *.pid); {GONE}; rm *.pid; {END_PHONE}", 60)
        guest.run("rmmod mac80211_hwsim", 60)


def switch_on_router(guest: Guest) -> None:
    guest.run("wpa_supplicant -B -i wlan2 -P /run/air/router.pid -c /run/router.conf", 60)
    until(guest, lambda: "ssid Our home" in guest.run("iw dev wlan2 info"), "the router is up")


def open_box(guest: Guest, known: str) -> None:
    """Starts the box's Wi-Fi; `known`: the networks that it knows."""
    put(guest, "/run/box.py", BOX.replace("KNOWN", known))
    guest.run("systemd-run --unit=own-wifi python3 /run/box.py", 60)
    until(guest, lambda: guest.run(LISTENS), "it can be asked")


def join_by_phone(guest: Guest) -> None:
    """Lets a phone join the box's own Wi-Fi with the name and password that a TV shows."""
    until(guest, lambda: guest.run(SHOWN), "what a TV shows of it")
    own = json.loads(guest.run(SHOWN))
    assert said(guest)[-1] == f"Join this Wi-Fi: “{own[0]}”, password {own[1]}"
    key = f'key_mgmt=WPA-PSK\n psk="{own[1]}"' if own[1] else "key_mgmt=NONE"
    put(guest, "/run/phone.conf", PHONE.format(own[0], key))
    come_in(guest)


def come_in(guest: Guest) -> None:
    """Switches the phone's Wi-Fi on, and waits until it has an address and a name server."""
    guest.run("rm -f /run/phone.address; : >/run/phone.resolv")
    phone = "wpa_supplicant -B -i wlan1 -P /run/air/phone.pid -c /run/phone.conf"
    guest.run(f"{IN_PHONE} {phone}", 60)
    until(guest, lambda: guest.run(f"{LEASE}; cat /run/phone.resolv", 60), "it has an address")
    assert guest.run("cat /run/phone.address").startswith("192.168.44.")
    assert guest.run("cat /run/phone.resolv") == f"nameserver {OWN_WIFI}\n"
    assert guest.run("pidof dnsmasq").strip(), "which answers"
    until(guest, lambda: json.loads(guest.run(SHOWN))[3] == 1, "the phone is seen")


def leave(guest: Guest) -> None:
    """Switches the phone's Wi-Fi off."""
    gone = "while test -e /run/phone/wlan1; do sleep 0.2; done"
    guest.run(f"kill $(cat /run/air/phone.pid); {gone}", 60)


def start_table(guest: Guest) -> str:
    """Starts the packaged table, on port 80, anew as that of a flashed card; returns its play
    code."""
    guest.run("systemctl restart companion", 200)
    codes: dict[str, str] = json.loads(guest.run("cat /var/lib/companion/record.codes"))
    return codes["play"]


def send(guest: Guest, requests: dict[str, str]) -> dict[str, str]:
    """The answers that the phone gets to these requests, each sent to the host that it names."""
    command = f"{IN_PHONE} python3 /run/send.py"
    answers: dict[str, str] = json.loads(guest.run(command, 200, json.dumps(requests)))
    return answers


def get(guest: Guest, path: str) -> str:
    """The answer to a page that the phone opens at the box's address."""
    return send(guest, {"page": f"GET {path} HTTP/1.1\nHost: {OWN_WIFI}\n"})["page"]


def location(answer: str) -> str:
    """The address to which an answer redirects a phone; empty if it doesn't."""
    found = re.search("^Location: (.*?)\r?$", answer, re.M)
    return found[1] if found else ""


SHEET = f"http://{OWN_WIFI}/wifi"


def test_the_sign_in_page_of_every_phone_system_leads_to_the_table(
    radios: Guest, tell: list[str]
) -> None:
    guest = radios
    open_box(guest, "")
    until(guest, lambda: ask(guest, ask="state")["open"], "its own Wi-Fi is open")
    word = start_table(guest)
    join_by_phone(guest)
    for name, answer in send(guest, PROBES).items():
        assert (answer[9:12], location(answer)) == ("302", SHEET), name
    assert f"{OWN_WIFI}/go" in get(guest, "/wifi")
    assert location(get(guest, "/go")) == f"/#{word}"
    assert location(get(guest, "/wifi/stay")) == "/wifi"

    def has_what_it_hopes_for() -> None:
        for name, answer in send(guest, PROBES).items():
            status, text = HOPED_FOR[name]
            assert answer[9:12] == status and text in answer, name

    has_what_it_hopes_for()
    leave(guest)
    until(guest, lambda: json.loads(guest.run(SHOWN))[3] == 0, "the phone is missed")
    come_in(guest)
    has_what_it_hopes_for()
    tell.extend(said(guest))


def test_an_open_wifi_reveals_no_code(radios: Guest, tell: list[str]) -> None:
    guest = radios
    guest.run("mkdir -p /run/kept; install -m 600 /dev/null /run/kept/own.json")
    put(guest, "/run/kept/own.json", json.dumps(["Table", ""]))
    open_box(guest, "")
    until(guest, lambda: ask(guest, ask="state")["open"], "its own Wi-Fi is open")
    word = start_table(guest)
    join_by_phone(guest)
    answers = [*send(guest, PROBES).values(), get(guest, "/wifi"), get(guest, "/wifi/stay")]
    answers += [*send(guest, PROBES).values(), get(guest, "/wifi"), get(guest, "/go")]
    assert location(answers[-1]) == "/", "where the page wants the digits"
    assert not [answer for answer in answers if word in answer]
    tell.extend(said(guest))


def test_the_box_works_without_a_network_and_then_joins_one(radios: Guest, tell: list[str]) -> None:
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


def test_a_card_joins_its_first_network_from_its_own_wifi(radios: Guest, tell: list[str]) -> None:
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
