"""The sockets that the page listens on and its address for people, with IPv4 and with IPv6."""

import asyncio
import errno
import fcntl
import re
import socket
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from socket import inet_aton
from typing import Any

import pytest
import zxingcpp
from PIL import Image

from companion.core.typed_address import EVERYWHERE
from companion.web import address
from companion.web.access import AccessCodes, AccessRules, Codes
from companion.web.address import (
    Listening,
    PageAddress,
    listen,
    network_address,
    page_url,
    qr_rows,
    url_for_others,
)
from tests.starting import companion, first_line, open_link

WORD = "abcdefgh234567qr"
OPEN = AccessRules(Codes(AccessCodes(WORD, "to watch", "to keep")), open_to_all=True)
ALONE = AccessRules(Codes(AccessCodes(WORD)))


def connects(listening: socket.socket, host: str) -> bool:
    try:
        with closing(socket.create_connection((host, listening.getsockname()[1]))):
            return True
    except OSError:
        return False


@pytest.mark.parametrize(
    ("host", "answers"),
    [
        (EVERYWHERE, {"127.0.0.1", "::1"}),
        ("::1", {"::1"}),
        ("0.0.0.0", {"127.0.0.1"}),
        ("127.0.0.1", {"127.0.0.1"}),
    ],
)
def test_the_page_listens_on_ipv4_and_ipv6_unless_a_host_is_set(
    host: str, answers: set[str]
) -> None:
    with closing(listen(host, 0)) as listening:
        assert {one for one in ("127.0.0.1", "::1") if connects(listening, one)} == answers


@pytest.mark.parametrize("reason", [errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL])
def test_without_ipv6_the_page_listens_on_ipv4(
    monkeypatch: pytest.MonkeyPatch, reason: int
) -> None:
    create = socket.create_server

    def without(where: tuple[str, int], **more: Any) -> socket.socket:
        if ":" in where[0]:
            raise OSError(reason, "no IPv6")
        return create(where, **more)

    monkeypatch.setattr(socket, "create_server", without)
    with closing(listen(EVERYWHERE, 0)) as listening:
        assert connects(listening, "127.0.0.1")
    with pytest.raises(OSError):
        listen("::1", 0)


def test_a_port_in_use_is_not_taken_on_ipv4_alone() -> None:
    with closing(listen(EVERYWHERE, 0)) as first, pytest.raises(OSError) as raised:
        listen(EVERYWHERE, first.getsockname()[1])
    assert raised.value.errno == errno.EADDRINUSE


def test_a_page_opened_to_the_network_listens_on_both() -> None:
    async def go() -> None:
        listening = Listening(listen("::1", 0))
        await listening.serve(asyncio.Protocol)
        listening.open_to_all()
        for host in ("127.0.0.1", "::1"):
            _, writer = await asyncio.open_connection(host, listening.port)
            writer.close()
        listening.close()

    asyncio.run(go())


@pytest.mark.parametrize("ends", [Listening.close, Listening.open_to_all])
def test_a_connection_accepted_while_it_stops_listening_is_served(
    ends: Callable[[Listening], None],
) -> None:
    served = list[asyncio.BaseTransport]()

    class Served(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            served.append(transport)

    async def go() -> None:
        listening = Listening(listen("127.0.0.1", 0))
        await listening.serve(Served)
        with closing(socket.create_connection(("127.0.0.1", listening.port))):
            await asyncio.sleep(0)  # now it is ready to be accepted
            await asyncio.sleep(0)  # now it is accepted, and has no transport yet
            ends(listening)
            while asyncio.all_tasks() != {asyncio.current_task()}:
                await asyncio.sleep(0)
            assert len(served) == 1
            served[0].close()
        listening.close()

    asyncio.run(go())


@pytest.mark.parametrize(
    ("host", "port", "shown"),
    [
        ("192.168.1.7", 80, "http://192.168.1.7"),
        ("192.168.1.7", 8055, "http://192.168.1.7:8055"),
        ("2001:db8::7", 80, "http://[2001:db8::7]"),
        ("2001:db8::7", 8055, "http://[2001:db8::7]:8055"),
        ("fe80::7%eth0", 8055, "http://[fe80::7]:8055"),
        ("table", 8055, "http://table:8055"),
    ],
)
def test_ipv6_is_printed_in_brackets_and_without_a_zone(host: str, port: int, shown: str) -> None:
    assert page_url(host, port) == shown


def test_the_printed_lines_have_the_ipv6_address_in_brackets() -> None:
    lines = PageAddress("::1", 8055, ALONE).lines
    assert re.fullmatch(r"The table is at http://\[::1\]:8055/open/[a-z2-7]{16}", lines[0])
    assert "ssh -L 8055:[::1]:8055 " in lines[2]
    network = PageAddress("2001:db8::7", 8055, OPEN)
    assert network.lines[0] == f"The table is at http://[2001:db8::7]:8055/#{WORD}"
    assert PageAddress(EVERYWHERE, 8055, OPEN).local == "http://127.0.0.1:8055"
    assert PageAddress("::1", 8055, ALONE).local == "http://[::1]:8055"


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("192.168.1.7:8055", "192.168.1.7"),
        ("[2001:db8::7]:8055", "[2001:db8::7]"),
        ("[2001:db8::7]", "[2001:db8::7]"),
        ("127.0.0.1:8055", "192.0.2.9"),
        ("[::1]:8055", "192.0.2.9"),
        ("[fe80::7]:8055", "192.0.2.9"),
        ("table.local:8055", "192.0.2.9"),
        ("", "192.0.2.9"),
    ],
)
def test_others_get_the_visitor_s_address_if_they_can_use_it(
    monkeypatch: pytest.MonkeyPatch, asked: str, shown: str
) -> None:
    monkeypatch.setattr(address, "network_address", lambda: "192.0.2.9")
    assert url_for_others(asked, 8055) == f"http://{shown}:8055"


ADDRESSES = """\
00000000000000000000000000000001 01 80 10 80       lo
20010db8000000000000000000000001 02 40 00 01     eth0
20010db8000000000000000000000002 02 40 00 40     eth0
20010db8000000000000000000000003 02 40 00 80     eth0
fe800000000000000000000000000004 02 40 20 80     eth0
"""


@pytest.fixture
def no_router(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The file with the IPv6 addresses of a machine from which no router leads anywhere."""

    class Unreachable(socket.socket):
        def connect(self, _: object) -> None:
            raise OSError(errno.ENETUNREACH, "Network is unreachable")

    monkeypatch.setattr(socket, "socket", Unreachable)
    monkeypatch.setattr(socket, "if_nameindex", list)
    monkeypatch.setattr(address, "IPV6_ADDRESSES", tmp_path / "if_inet6")
    return tmp_path / "if_inet6"


def test_without_a_router_a_lasting_address_is_chosen(no_router: Path) -> None:
    no_router.write_text(ADDRESSES)
    assert network_address() == "2001:db8::3"


@pytest.mark.usefixtures("no_router")
def test_without_a_router_ipv4_wins_unless_its_device_has_no_cable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    devices = {
        "lo": (0x49, "127.0.0.1"),
        "docker0": (0x1003, "172.17.0.1"),
        "wlan0": (0x1043, None),
        "eth0": (0x1043, "192.168.77.1"),
    }

    def ioctl(_: socket.socket, what: int, request: bytes) -> bytes:
        name = request[:16].rstrip(b"\0").decode()
        flags, address = devices[name]
        if what == 0x8913:
            return struct.pack("16sH22x", name.encode(), flags)
        if address is None:
            raise OSError(errno.EADDRNOTAVAIL, "Cannot assign requested address")
        return struct.pack("16sHH4s16x", name.encode(), socket.AF_INET, 0, inet_aton(address))

    monkeypatch.setattr(socket, "if_nameindex", lambda: list(enumerate(devices)))
    monkeypatch.setattr(fcntl, "ioctl", ioctl)
    assert network_address() == "192.168.77.1"
    devices.pop("eth0")
    assert network_address() == socket.gethostname()


def test_without_any_address_the_host_name_is_used(no_router: Path) -> None:
    assert network_address() == socket.gethostname()
    no_router.write_text(ADDRESSES.splitlines()[0] + "\n" + ADDRESSES.splitlines()[-1] + "\n")
    assert network_address() == socket.gethostname()


@pytest.mark.parametrize(
    ("where", "modules"),
    [
        ("http://192.168.178.123", 25),
        ("http://[2001:db8:b6bf:f3c8:5f4e:87a1:2b3c:4d5e]", 29),
        ("http://[2001:db8:b6bf:f3c8:5f4e:87a1:2b3c:4d5e]:8055", 33),
    ],
)
def test_a_qr_code_with_ipv6_can_be_read_and_on_port_80_fits_the_display(
    where: str, modules: int
) -> None:
    rows = qr_rows(where, WORD)
    picture = Image.new("L", (len(rows) + 8, len(rows) + 8), 255)
    for y, row in enumerate(rows):
        for x, module in enumerate(row):
            picture.putpixel((x + 4, y + 4), 0 if module == "#" else 255)
    (code,) = zxingcpp.read_barcodes(picture.resize((picture.width * 8, picture.height * 8), 0))
    assert code.text == "http://" + f"{where[7:]}/{WORD}".upper()
    assert len(rows) == modules


def test_the_program_listens_where_the_configuration_says(tmp_path: Path) -> None:
    config = tmp_path / "companion.toml"
    config.write_text('[web]\nhost = "::1"\nport = 0\n')
    words = ("--virtual", "--config", config, "--record", tmp_path / "r.db")
    with companion(*words) as process:
        origin, cookie = open_link(first_line(process).split()[-1])
    assert origin.startswith("http://[::1]:")
    assert cookie
