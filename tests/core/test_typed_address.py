"""The addresses that a phone may have the box open."""

import socket

import pytest

from companion.core.errors import EntryError
from companion.core.typed_address import check_peer, check_typed, is_unreachable_for_phones

OWN = [
    "127.0.0.1", "127.1.2.3:80", "localhost", "LOCALHOST.:8070", "box.localhost", "0.0.0.0",
    "[::1]", "[::]:8070", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]",
    "169.254.169.254", "[fe80::1]", "224.0.0.251", "255.255.255.255", "240.0.0.1",
    "１２７.0.0.1", "①②⑦.⓪.⓪.①:8070", "ｌｏｃａｌｈｏｓｔ",
    "2130706433", "127.1", "0", "0177.0.0.1",
]  # fmt: skip
MORE_THAN_A_HOST = [
    "http://127.0.0.1:8080/admin?x=", "192.168.1.1/reboot", "192.168.1.1?x", "192.168.1.1#x",
    "a:b@192.168.1.1", "http://192.168.1.1/../x", "ftp://192.168.1.1", "file:///etc/shadow",
    "192.168.1.1:0", "192.168.1.1:65536", "192.168.1.1:99999", "", " ", "http://", "a b", "//x",
    "192.168.1.1\\x", "192.168.1.1:80:90", "club.example/club", "1" * 201,
]  # fmt: skip


@pytest.mark.parametrize("address", [*OWN, *MORE_THAN_A_HOST])
def test_local_addresses_may_not_be_typed_on_a_phone(address: str) -> None:
    with pytest.raises(EntryError):
        check_typed(address)


@pytest.mark.parametrize(
    "address",
    [
        *("192.168.1.20", "192.168.1.20:8070", "club.example", "https://club.example", "10.0.0.7"),
        *("https://club.example/", "wss://club.example:443", "my_pi.local:8070", "[fd00::7]:8070"),
    ],
)
def test_hosts_in_the_network_may_be_typed_on_a_phone(address: str) -> None:
    check_typed(address)


@pytest.mark.parametrize("name", ["0x7f000001", "0x7f.1", "localhost"])
def test_a_host_name_is_judged_by_its_address(name: str) -> None:
    assert not is_unreachable_for_phones(name)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with (
            socket.create_connection((name, port)) as connection,
            pytest.raises(ConnectionRefusedError),
        ):
            check_peer(connection)
