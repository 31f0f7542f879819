"""Access to the page: hosts, origins, tokens, and the headers that every answer has."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import make_mocked_request
from multidict import CIMultiDict

from companion.web.access import (
    MOST_TICKETS,
    SECRET,
    Access,
    AccessCodes,
    AccessRules,
    Codes,
    LocalAccess,
    client_address,
    is_local_request,
    is_loopback,
    load_local_access,
    new_code,
    new_secret,
    security_headers,
)
from companion.web.address import PageAddress
from tests.web.visits import COOKIE, LOCAL

WORDS = AccessCodes("secret", "to watch", "to keep")
ALONE = AccessRules(Codes(AccessCodes("secret")))
OPEN = AccessRules(Codes(WORDS), open_to_all=True, names=frozenset({"pi", "pi.local"}))


@pytest.mark.parametrize(
    ("host", "alone", "network"),
    [
        ("127.0.0.1:8055", True, True),
        ("127.0.0.1:9000", True, True),
        ("localhost", True, True),
        ("LOCALHOST:8055", True, True),
        ("[::1]:8055", True, True),
        ("192.168.1.20:8055", False, True),
        ("[fe80::1]:8055", False, True),
        ("pi.local:8055", False, True),
        ("evil.example", False, False),
        ("127.0.0.1.evil.example", False, False),
        ("localhost.evil.example", False, False),
        ("evil.example#127.0.0.1", False, False),
        ("127.0.0.1:8055; script-src *", False, False),
        ("", False, False),
    ],
)
def test_only_the_machine_s_own_hosts_are_accepted(host: str, alone: bool, network: bool) -> None:
    assert (ALONE.is_own_host(host), OPEN.is_own_host(host)) == (alone, network)


@pytest.mark.parametrize(
    ("origin", "ours"),
    [
        ("http://127.0.0.1:8055", True),
        ("http://127.0.0.1:9999", False),
        ("http://localhost:8055", False),
        ("https://evil.example", False),
        ("file://", False),
        ("null", False),
        ("", False),
        (None, False),
    ],
)
def test_only_the_page_s_own_origin_is_accepted(origin: str | None, ours: bool) -> None:
    assert ALONE.is_own_origin(origin, "127.0.0.1:8055") is ours


def test_access_codes_are_recognised() -> None:
    wrong = ("", "Secret", "sécret", "\ud800", None, 7, ["secret"])
    assert ALONE.access("secret") is Access.PLAY
    assert not any(map(ALONE.access, wrong))
    assert OPEN.access("secret") is Access.PLAY
    assert OPEN.access("to watch") is Access.WATCH
    assert not any(map(OPEN.access, wrong))
    assert len({new_code() for _ in range(100)}) == 100


@pytest.mark.parametrize(
    ("host", "only_here"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("pi", False)],
)
def test_addresses_that_only_this_machine_can_reach_are_recognised(
    host: str, only_here: bool
) -> None:
    assert is_loopback(host) is only_here


def test_the_policy_allows_our_files_and_nothing_inline() -> None:
    policy = security_headers("pi:80")["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize(
    ("peer", "host", "more", "here"),
    [
        ("127.0.0.1", "localhost:8055", {}, True),
        ("127.0.0.1", "127.0.0.1:18055", {}, True),  # through ssh
        ("::1", "[::1]:8055", {}, True),
        ("::ffff:127.0.0.1", "127.0.0.1:8055", {}, True),
        ("192.0.2.9", "127.0.0.1:8055", {}, False),
        ("127.0.0.1", "192.0.2.7:8055", {}, False),
        ("192.0.2.9", "192.0.2.7:8055", {}, False),
        (None, "localhost", {}, False),
        ("127.0.0.1", "localhost evil", {}, False),
        ("127.0.0.1", "localhost", {"X-Forwarded-For": "127.0.0.1"}, False),
        ("127.0.0.1", "localhost", {"x-forwarded-proto": "http"}, False),
        ("127.0.0.1", "localhost", {"Forwarded": "for=127.0.0.1"}, False),
        ("127.0.0.1", "localhost", {"X-Real-IP": "127.0.0.1"}, False),
        ("127.0.0.1", "localhost", {"Via": "1.1 squid"}, False),
    ],
    ids=str,
)
def test_requests_that_can_come_from_this_machine_are_recognised(
    peer: str | None, host: str, more: dict[str, str], here: bool
) -> None:
    asked = CIMultiDict({"Host": host, **more})
    assert is_local_request(peer, asked) is here
    for shown in ({"Cookie": COOKIE["Cookie"]}, {"Authorization": f"Bearer {LOCAL.secret}"}):
        assert LOCAL.allows(request(peer, {**asked, **shown})) is here


@pytest.mark.parametrize(
    "shown",
    [
        {},
        {"Cookie": f"{LOCAL.cookie_name}={'0' * 64}"},
        {"Cookie": f"{LOCAL.cookie_name}="},
        {"Cookie": f"other={LOCAL.cookie}"},
        {"Cookie": f"{LOCAL.cookie_name}={LOCAL.secret}"},
        {"Authorization": "Bearer "},
        {"Authorization": f"Bearer {LOCAL.cookie}"},
        {"Authorization": f"Basic {LOCAL.secret}"},
        {"Authorization": "Bearer ä", **COOKIE},
    ],
    ids=str,
)
def test_a_loopback_address_alone_proves_nothing(shown: dict[str, str]) -> None:
    assert not LOCAL.allows(request("127.0.0.1", {"Host": "localhost", **shown}))


def request(peer: str | None, asked: Mapping[str, str]) -> Any:
    """A request from that address, with these headers."""
    made = make_mocked_request("GET", "/token", asked)
    return made.clone(remote=peer) if peer else made


@pytest.mark.parametrize(
    ("peer", "said", "counts"),
    [
        ("192.0.2.9", "", "192.0.2.9"),
        ("192.0.2.9", "198.51.100.1", "192.0.2.9"),
        ("2001:db8::7", "", "2001:db8::/64"),
        ("127.0.0.1", "198.51.100.1", "198.51.100.1 (127.0.0.1)"),
        ("127.0.0.1", "192.0.2.1, 198.51.100.1", "198.51.100.1 (127.0.0.1)"),
        ("::1", "2001:db8::7", "2001:db8::/64 (::1)"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "127.0.0.2", "127.0.0.2 (127.0.0.1)"),
        ("", "198.51.100.1", ""),
    ],
)
def test_only_a_proxy_on_this_machine_is_believed(peer: str, said: str, counts: str) -> None:
    assert client_address(peer, CIMultiDict({"X-Forwarded-For": said})) == counts


def test_the_last_of_several_proxies_is_believed() -> None:
    said = CIMultiDict([("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-For", "198.51.100.1")])
    assert client_address("127.0.0.1", said) == "198.51.100.1 (127.0.0.1)"


def test_a_ticket_works_once_and_the_oldest_expire() -> None:
    local = LocalAccess(new_secret())
    first = local.ticket()
    assert not local.use_ticket("a" * 16)
    assert local.use_ticket(first)
    assert not local.use_ticket(first)
    tickets = [local.ticket() for _ in range(MOST_TICKETS + 1)]
    assert [local.use_ticket(one) for one in tickets] == [False] + [True] * MOST_TICKETS


def test_the_secret_survives_a_restart_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path, told = tmp_path / "record.secret", list[str]()
    first = load_local_access(path, told.append)
    assert (path.stat().st_mode & 0o777, told) == (0o600, [])
    again = load_local_access(path, told.append)
    assert (again.secret, again.cookie) == (first.secret, first.cookie)
    path.write_text("short\n")
    other = load_local_access(path, told.append)
    assert other.secret not in (first.secret, "short")
    assert other.cookie_name != first.cookie_name, "two tables of one host have their own"
    (line,) = told
    assert line.startswith(f"The secret in {path} can't be read (it is damaged)")
    assert load_local_access(path, told.append).secret == other.secret


def test_a_secret_that_cannot_be_saved_is_valid_for_this_run(tmp_path: Path) -> None:
    told = list[str]()
    local = load_local_access(tmp_path / "missing" / "record.secret", told.append)
    assert SECRET.fullmatch(local.secret)
    (line,) = told
    assert "can't be kept" in line


def test_the_start_prints_how_to_reach_the_page() -> None:
    here = PageAddress("127.0.0.1", 8055, ALONE).lines
    link = re.fullmatch(r"The table is at http://127\.0\.0\.1:8055/open/([a-z2-7]{16})", here[0])
    assert link and ALONE.local.use_ticket(link[1])
    assert "ssh -L 8055:127.0.0.1:8055 " in here[2]
    assert "secret" not in "".join(here)
    network = PageAddress("192.0.2.7", 8055, OPEN)
    assert network.lines[0] == "The table is at http://192.0.2.7:8055/#secret"
    assert network.address == "http://192.0.2.7:8055/#secret"
    assert PageAddress("127.0.0.1", 8055, ALONE).address == ""


def test_an_invalid_origin_is_refused() -> None:
    assert not ALONE.is_own_origin("http://[", "127.0.0.1:8055")
