"""A box in networks like those of homes and clubs: two network namespaces with a cable between
them, a box in one and a phone, another box or a broker in the other. Needs root, iproute2,
avahi-daemon, dnsmasq, mosquitto with its clients, and Chromium."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.core.typed_address import OWN_WIFI
from tests.chromium import CHROMIUM
from tests.club.hub.boxes import record_of
from tests.starting import ROOT
from tests.waiting import wait_until

COMPANION = (sys.executable, "-m", "companion")
AVAHI = """\
[server]
host-name=table
use-ipv4=yes
use-ipv6=no
enable-dbus=no
[publish]
publish-workstation=no
"""
VISIT = """
import asyncio, json, sys
from aiohttp import ClientSession

async def visit(origin, word):
    async with ClientSession() as phone:
        async with phone.get(f"{origin}/") as answer:
            status = answer.status
        async with phone.ws_connect(f"{origin}/live", headers={"Origin": origin}) as page:
            await page.send_json({"n": 0, "hello": word, "wants": []})
            hello = await page.receive_json()
            await page.send_json({"n": 1, "invite": True})
            while "invite" not in (said := await page.receive_json()):
                pass
    print(json.dumps([status, hello["n"], said["invite"]["address"]]))

asyncio.run(visit(*sys.argv[1].split("/#")))
"""
LOOK = """
import asyncio
from companion.club.box.discovery import watch_for_clubs

async def look():
    found = asyncio.get_running_loop().create_future()
    looking = asyncio.ensure_future(
        watch_for_clubs(lambda clubs: found.done() or found.set_result(clubs[0].address))
    )
    print(await asyncio.wait_for(found, 30))
    looking.cancel()
    await asyncio.gather(looking, return_exceptions=True)

asyncio.run(look())
"""


ALL_NAMES_LEAD_HERE = (
    "from companion.card.wireless import resolve_all_names_here; resolve_all_names_here().wait()"
)
OWN_WIFI_IS_OPEN = """
mkdir -p /run/companion-card
echo '["Table 3F2A", "abcd-efgh", "", 1]' > /run/companion-card/own-wifi
"""
PROBES = {
    "http://connectivitycheck.gstatic.com/generate_204": "204 ",
    "http://captive.apple.com/hotspot-detect.html": "200 ",
    "http://www.msftconnecttest.com/connecttest.txt": "200 ",
    "http://detectportal.firefox.com/canonical.html": "200 ",
}
"""What phones and browsers ask for, and the beginning of the answer that they hope for."""
ASK = ("curl", "-s", "-m", "30", "-o", "/dev/null", "-w", "%{http_code} %{redirect_url}")


class Machine:
    """A namespace that has a network of its own, and /run."""

    def __init__(self, name: str, place: Path) -> None:
        self.name, self.place = name, place
        place.mkdir()
        self._process = subprocess.Popen(["unshare", "-nmu", "sleep", "infinity"])
        wait_until(lambda: self._namespace("net") != _here())
        self.run("hostname", name)
        self.run("mount", "-t", "tmpfs", "none", "/run")
        self.run("ip", "link", "set", "lo", "up")
        self._started: list[subprocess.Popen[str]] = []

    @property
    def pid(self) -> int:
        return self._process.pid

    def _namespace(self, kind: str) -> str:
        try:
            return str(Path(f"/proc/{self.pid}/ns/{kind}").readlink())
        except OSError:
            return _here()

    def _inside(self, *words: str | Path) -> list[str]:
        return ["nsenter", "-t", str(self.pid), "-n", "-m", "-u", *map(str, words)]

    def run(self, *words: str | Path) -> str:
        """Runs a command there; returns what it prints."""
        ran = subprocess.run(
            self._inside(*words), cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def start(self, *words: str | Path) -> Path:
        """Starts a program there; returns the file with what it prints."""
        log = self.place / f"log-{len(self._started)}"
        with log.open("w") as out:
            self._started.append(
                subprocess.Popen(self._inside(*words), cwd=ROOT, stdout=out, stderr=out, text=True)
            )
        return log

    def announce(self) -> Path:
        """Starts avahi there; returns its log."""
        program = shutil.which("avahi-daemon", path=f"{os.environ['PATH']}:/usr/sbin")
        assert program, "avahi is missing: sudo apt install avahi-daemon"
        config = self.place / "avahi.conf"
        config.write_text(AVAHI)
        self.run("mkdir", "-p", "/run/avahi-daemon")
        return self.start(*(program, "-f", config, "--no-drop-root", "--no-chroot", "--no-rlimits"))

    def end_newest(self, number: int) -> None:
        """Ends that many programs, those started last."""
        for one in [self._started.pop() for _ in range(number)]:
            one.terminate()
            one.wait()

    def close(self) -> None:
        """Ends all that runs there."""
        self.end_newest(len(self._started))
        self._process.terminate()
        self._process.wait()


def _here() -> str:
    return str(Path("/proc/self/ns/net").readlink())


@contextmanager
def cabled(place: Path, ours: str, theirs: str) -> Iterator[tuple[Machine, Machine]]:
    """Two machines with these addresses on a cable between them."""
    one, other = Machine("table", place / "one"), Machine("table", place / "other")
    try:
        there = ("peer", "name", "cable", "netns", str(other.pid))
        one.run("ip", "link", "add", "cable", "type", "veth", *there)
        for machine, address in ((one, ours), (other, theirs)):
            nodad = ("nodad",) if ":" in address else ()
            machine.run("ip", "address", "add", address, "dev", "cable", *nodad)
            machine.run("ip", "link", "set", "cable", "up")
        yield one, other
    finally:
        one.close()
        other.close()


def said(log: Path, pattern: str) -> str:
    """The line in a log that has the pattern, once it is there."""
    wait_until(lambda: re.search(pattern, log.read_text()))
    found = re.search(pattern, log.read_text())
    assert found
    return found[0]


def table(machine: Machine, *more: str | Path) -> Path:
    """Starts a table that all the network may open; returns what it prints."""
    record = ("--record", machine.place / "record.db")
    return machine.start(*COMPANION, "run", "--virtual", "--lan", "--port", "8055", *record, *more)


def test_a_table_works_with_ipv6_only(tmp_path: Path) -> None:
    with cabled(tmp_path, "fd00:5::1/64", "fd00:5::2/64") as (box, phone):
        address = said(table(box), r"http://\S+/#[a-z2-7]{16}")
        assert address.startswith("http://[fd00:5::1]:8055/#")
        found = json.loads(phone.run(sys.executable, "-c", VISIT, address))
        assert found == [200, 0, "http://[fd00:5::1]:8055/"]


def test_a_club_works_with_ipv6_only(tmp_path: Path) -> None:
    with cabled(tmp_path, "fd00:5::1/64", "fd00:5::2/64") as (hub, box):
        log = hub.start(*COMPANION, "hub", "run", "--data", hub.place / "club")
        assert said(log, r"The hub of .* is at (\S+)").endswith("http://[fd00:5::1]:8070/")
        assert box.run(sys.executable, "-c", LOOK).strip() == "[fd00:5::1]:8070"
        record = record_of(box.place / "record.db", [])
        joined = (*COMPANION, "hub", "join", "[fd00:5::1]:8070")
        digits = box.run(*joined, "--record", record, "--name", "Kitchen")
        assert re.fullmatch(r"\d{6}\n", digits)


def test_a_broker_works_with_ipv6_only(tmp_path: Path) -> None:
    """The box finds the broker again after that was gone."""
    with cabled(tmp_path, "fd00:5::1/64", "fd00:5::2/64") as (box, other):
        (other.place / "mosquitto.conf").write_text(
            "listener 1883 fd00:5::2\nallow_anonymous true\nuser root\n"
        )
        (box.place / "config.toml").write_text('[mqtt]\nbroker = "mqtt://[fd00:5::2]"\n')
        table(box, "--config", box.place / "config.toml")
        for _ in range(2):
            broker = ("mosquitto", "-c", other.place / "mosquitto.conf")
            said(other.start(*broker), "mosquitto version .* running")
            hears = ("mosquitto_sub", "-h", "fd00:5::2", "-t", "#", "-v")
            said(other.start(*hears), r"(?m)^table\S*/status online")
            other.end_newest(2)


@pytest.mark.parametrize("late", [False, True])
def test_two_boxes_with_the_same_name_get_different_names(tmp_path: Path, late: bool) -> None:
    """`late`: the box runs already when the network tells it that its name is taken."""
    with cabled(tmp_path, "192.168.77.1/24", "192.168.77.2/24") as (box, other):
        said(other.announce(), r"Host name is table\.local")
        log = table(box) if late else None
        said(box.announce(), r"Host name is table-2\.local")
        said(
            log or table(box),
            r"Another device is called table\.local, so this box is at table-2\.local",
        )


def test_a_phone_shows_the_sign_in_page_in_the_boxs_own_wifi(tmp_path: Path) -> None:
    """By name, through Debian's dnsmasq, as a phone's system asks; a browser that follows shows the
    sheet, and the table after `/go`."""
    with cabled(tmp_path, f"{OWN_WIFI}/24", "192.168.44.7/24") as (box, phone):
        box.run("sh", "-c", OWN_WIFI_IS_OPEN)
        box.start(sys.executable, "-c", ALL_NAMES_LEAD_HERE)
        record = ("--record", box.place / "record.db")
        log = box.start(*COMPANION, "run", "--virtual", "--lan", "--port", "80", *record)
        word = said(log, r"http://192\.168\.44\.1/#[a-z2-7]{16}").partition("#")[2]
        resolver = tmp_path / "resolv.conf"
        resolver.write_text(f"nameserver {OWN_WIFI}\n")
        phone.run("mount", "--bind", resolver, "/etc/resolv.conf")

        def asks(address: str) -> str:
            return phone.run(*ASK, address)

        wait_until(lambda: _leads_to(phone, "captive.apple.com") == OWN_WIFI)
        assert _leads_to(phone, "nobody.knows.example") == OWN_WIFI
        sheet = f"302 http://{OWN_WIFI}/wifi"
        assert {asks(address) for address in PROBES} == {sheet}
        assert "Stay on this Wi-Fi" in _browsed(phone, next(iter(PROBES)), tmp_path)
        assert asks(f"http://{OWN_WIFI}/wifi/stay") == sheet
        assert {address: asks(address)[:4] for address in PROBES} == PROBES
        assert "Open the table" in _browsed(phone, f"http://{OWN_WIFI}/wifi", tmp_path)
        assert asks(f"http://{OWN_WIFI}/go") == f"302 http://{OWN_WIFI}/#{word}"
        assert "Start a game" in _browsed(phone, f"http://{OWN_WIFI}/go", tmp_path)
        box.run("rm", "/run/companion-card/own-wifi")
        assert asks(next(iter(PROBES))) == "403 ", "the box is in another Wi-Fi now"


def _leads_to(phone: Machine, name: str) -> str:
    """The address to which a name leads there; empty if it leads nowhere."""
    code = f"import socket\ntry: print(socket.gethostbyname('{name}'))\nexcept OSError: print()"
    return phone.run(sys.executable, "-c", code).strip()


def _browsed(phone: Machine, address: str, place: Path) -> str:
    """The text of the page that a browser there shows."""
    assert CHROMIUM, "a browser is missing: sudo apt install chromium"
    own = (f"--user-data-dir={place / 'browser'}", "--no-sandbox", "--disable-gpu")
    looks = ("--window-size=360,640", "--virtual-time-budget=20000", "--dump-dom")
    return phone.run(CHROMIUM, "--headless", *own, *looks, address)
