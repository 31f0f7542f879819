"""The names by which people reach this machine, and the name by which avahi announces it."""

import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from typing import Any

import aiohttp
import pytest

from companion.app import background
from companion.app.background import NameWatch
from companion.core.typed_address import EVERYWHERE
from companion.web import own_names as names_module
from companion.web import server
from companion.web.access import AccessCodes, AccessRules, Codes
from companion.web.address import PageAddress
from companion.web.own_names import (
    MOST_NAMES,
    announced_name,
    other_name,
    own_names,
    parse_names,
    usual_name,
)
from tests.waiting import WAIT_S, wait_until
from tests.web.in_browser import WAIT_MS
from tests.web.live import LiveTable
from tests.web.site import TOKEN

CODES = Codes(AccessCodes(TOKEN, "to watch", "to keep"))


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Makes this machine's name “table”, in a network with the given resolv.conf."""
    monkeypatch.setattr(socket, "gethostname", lambda: "Table")
    monkeypatch.setattr(names_module, "RESOLV_CONF", tmp_path / "resolv.conf")
    monkeypatch.setattr(names_module, "AVAHI", tmp_path / "avahi")
    return tmp_path


class Avahi:
    """Answers at avahi's socket, as avahi 0.8 does, with the name that it has now."""

    def __init__(self, path: Path, answer: str) -> None:
        self.answer, self.asked = answer, list[str]()
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(path))
        self._listening.listen()
        self._thread = Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while True:
            connection = self._listening.accept()[0]
            with connection:
                if not (said := connection.recv(200)):
                    return
                self.asked.append(said.decode())
                connection.sendall(self.answer.encode())

    def close(self) -> None:
        with closing(socket.socket(socket.AF_UNIX)) as last:
            last.connect(self._listening.getsockname())
        self._thread.join()
        self._listening.close()


@pytest.fixture
def avahi(network: Path) -> Iterator[Avahi]:
    with closing(Avahi(network / "avahi", "+ 3 0 table-2.local\n")) as avahi:
        yield avahi


# ---------------------------------------------------------------- whose names


def test_names_in_unregistrable_domains_are_accepted(network: Path) -> None:
    found = own_names()
    assert {"table", "table.local", "table-2.local", "table.lan", "table.home.arpa"} <= found
    assert not {"table.fritz.box", "table.example", "lan", "local"} & found
    (network / "resolv.conf").write_text("# by the router\nnameserver 192.168.178.1\nsearch\n")
    assert own_names() == found


def test_names_in_the_network_s_domain_are_accepted(network: Path) -> None:
    (network / "resolv.conf").write_text("domain club.example.\nsearch Fritz.Box box.example ..\n")
    found = own_names()
    assert {"table.fritz.box", "table.box.example", "table.club.example"} <= found
    assert "other.fritz.box" not in found


def test_configured_names_work_even_if_the_network_has_no_access(network: Path) -> None:
    names = parse_names(" table.example  Box.Tunnel.Example ")
    alone = AccessRules(CODES, False, names, own=own_names)
    assert alone.is_own_host("TABLE.example:8055")
    assert alone.is_own_host("box.tunnel.example")
    for host in ("www.table.example", "table.lan", "192.168.1.7"):
        assert not alone.is_own_host(host)
    network_too = AccessRules(CODES, True, names, own=own_names)
    for host in ("table.example", "table.lan:80", "TABLE", "[2001:db8::7]:8055"):
        assert network_too.is_own_host(host)
    assert not network_too.is_own_host("table.fritz.box")
    (network / "resolv.conf").write_text("search fritz.box\n")  # the network comes late
    assert network_too.is_own_host("table.fritz.box")


@pytest.mark.parametrize(
    "text",
    [
        "http://table.example", "table.example:80", "table.example/x", "-table", "a..b", "tischä",
        "192.168.1.7", "a" * 64, ".".join(["a" * 60] * 5),
        " ".join(f"n{number}" for number in range(MOST_NAMES + 1)),
    ],
)  # fmt: skip
def test_an_invalid_name_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"write a name as table\.example|16 at most"):
        parse_names(text)


# ---------------------------------------------------------------- a name that isn't known


def test_the_refusal_shows_the_setting_to_add(tmp_path: Path) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        for host, language, says in (
            ("table.example:80", "en", "names = &quot;table.example&quot;"),
            ("table.example", "de", "Der Tisch kennt den Namen table.example nicht"),
            ("<b>", "en", "This is not an address of the table"),
        ):
            asked = {"Host": host, "Accept-Language": language}
            async with session.get("/", headers=asked) as answer:
                text = await answer.text()
                assert (answer.status, answer.content_type) == (403, "text/html")
            assert says in text and "<b>" not in text

    with closing(LiveTable(tmp_path / "record.db", lan=True)) as table:
        table.visit(visit)


@pytest.mark.browser
def test_the_refusal_can_be_read_on_a_phone(browser: Any, tmp_path: Path) -> None:
    """Chromium looks up all names below localhost on its own machine."""
    with closing(LiveTable(tmp_path / "record.db", lan=True)) as table:
        context = browser.new_context(viewport={"width": 360, "height": 640})
        tab = context.new_page()
        tab.goto(f"http://table.localhost:{table.port}/")
        tab.wait_for_selector("p", timeout=WAIT_MS)
        assert "The table doesn't know the name table.localhost" in tab.inner_text("p")
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360
        context.close()


# ---------------------------------------------------------------- the announced name


def test_the_announced_name_comes_from_avahi(avahi: Avahi) -> None:
    assert announced_name("192.168.77.1") == other_name("192.168.77.1") == "table-2.local"
    assert avahi.asked[0] == "RESOLVE-ADDRESS 192.168.77.1\n"
    avahi.answer = "+ 3 0 Table.local\n"
    assert announced_name("192.168.77.1") == usual_name() == "table.local"
    assert other_name("192.168.77.1") == ""


@pytest.mark.parametrize("answer", ["-15 Timeout reached\n", "+\n", "", "+ 3 0 <b>\n", "\xff\n"])
def test_an_invalid_answer_of_avahi_counts_as_no_name(avahi: Avahi, answer: str) -> None:
    avahi.answer = answer
    assert announced_name("192.168.77.1") == ""


def test_without_avahi_there_is_no_name() -> None:
    assert announced_name("192.168.77.1") == other_name("192.168.77.1") == ""


def test_the_start_does_not_wait_for_avahi(
    avahi: Avahi, monkeypatch: pytest.MonkeyPatch, network: Path
) -> None:
    avahi.answer = "+ 2 0 192.168.77.1 table-2.local\n"
    monkeypatch.setattr("companion.web.address.AVAHI", network / "avahi")
    monkeypatch.setattr("companion.web.address.network_address", lambda: "192.168.77.1")
    page = PageAddress(EVERYWHERE, 80, AccessRules(CODES, True))
    assert page.service_line == "The table is at http://192.168.77.1/ or http://table.local/"


def test_the_table_reports_a_change_of_its_name(
    avahi: Avahi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "FIRST_LOOK_S", 0.0)
    monkeypatch.setattr(background, "LOOK_S", 0.01)
    told, came = list[str](), Event()

    def tell(line: str) -> None:
        told.append(str(line))
        came.set()

    with closing(NameWatch(tell)) as watch:
        watch.start()
        assert came.wait(WAIT_S)
        seen = len(avahi.asked)
        wait_until(lambda: len(avahi.asked) > seen + 2)
        avahi.answer = "-15 Timeout reached\n"
        wait_until(lambda: len(avahi.asked) > seen + 4)
        came.clear()
        avahi.answer = "+ 3 0 table.local\n"
        assert came.wait(WAIT_S)
    assert told == [
        "Another device is called table.local, so this box is at table-2.local",
        "This box is at table.local again",
    ]


def test_the_tv_s_page_shows_the_other_name(
    avahi: Avahi, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(server, "network_address", lambda: "192.168.77.1")

    async def visit(session: aiohttp.ClientSession) -> None:
        async with session.get("/way-in") as answer:
            assert (await answer.json())["other"] == f"http://table-2.local:{table.port}/"
        avahi.answer = "+ 3 0 table.local\n"
        async with session.get("/way-in") as answer:
            assert (await answer.json()).keys() == {"address", "code"}

    with closing(LiveTable(tmp_path / "record.db", lan=True)) as table:
        table.visit(visit)
