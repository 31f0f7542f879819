"""Who may come in: hosts, origins, tokens, and the headers that every answer has."""

import pytest

from companion.web.access import Access, AccessRules, headers, is_loopback
from companion.web.address import PageAddress
from companion.web.codes import Codes, SecretWords, fresh_word

WORDS = SecretWords("secret", "to watch", "to keep")
ALONE = AccessRules(Codes(SecretWords("secret")))
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
def test_hosts(host: str, alone: bool, network: bool) -> None:
    assert (ALONE.host_is_ours(host), OPEN.host_is_ours(host)) == (alone, network)


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
def test_origins(origin: str | None, ours: bool) -> None:
    assert ALONE.origin_is_ours(origin, "127.0.0.1:8055") is ours


def test_tokens() -> None:
    wrong = ("", "Secret", "sécret", "\ud800", None, 7, ["secret"])
    assert ALONE.access("secret") is Access.PLAY
    assert not any(map(ALONE.access, wrong))
    assert OPEN.access("secret") is Access.PLAY
    assert OPEN.access("to watch") is Access.WATCH
    assert not any(map(OPEN.access, wrong))
    assert len({fresh_word() for _ in range(100)}) == 100


@pytest.mark.parametrize(
    ("host", "only_here"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("pi", False)],
)
def test_what_only_this_machine_can_reach(host: str, only_here: bool) -> None:
    assert is_loopback(host) is only_here


def test_the_policy_allows_our_files_and_nothing_inline() -> None:
    policy = headers("pi:80")["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize(
    ("access_rules", "peer", "host", "told"),
    [
        (ALONE, "127.0.0.1", "localhost:8055", True),
        (ALONE, "127.0.0.1", "127.0.0.1:18055", True),  # through ssh
        (OPEN, "127.0.0.1", "127.0.0.1:8055", True),
        (OPEN, "::1", "[::1]:8055", True),
        (OPEN, "192.0.2.9", "127.0.0.1:8055", False),
        (OPEN, "127.0.0.1", "192.0.2.7:8055", False),
        (OPEN, "192.0.2.9", "192.0.2.7:8055", False),
        (OPEN, None, "localhost", False),
        (OPEN, "127.0.0.1", "localhost evil", False),
    ],
)
def test_only_who_sits_at_the_machine_is_told_the_token(
    access_rules: AccessRules, peer: str | None, host: str, told: bool
) -> None:
    assert access_rules.tells_token(peer, host) is told


def test_how_to_reach_it() -> None:
    here = PageAddress("127.0.0.1", 8055, ALONE).lines
    assert here[0] == "The table is at http://127.0.0.1:8055/"
    assert "ssh -L 8055:127.0.0.1:8055 " in here[1]
    assert "secret" not in "".join(here)
    network = PageAddress("192.0.2.7", 8055, OPEN)
    assert network.lines[0] == "The table is at http://192.0.2.7:8055/#secret"
    assert network.address == "http://192.0.2.7:8055/#secret"
    assert PageAddress("127.0.0.1", 8055, ALONE).address == ""


def test_an_origin_that_is_no_address_is_a_strangers() -> None:
    assert not ALONE.origin_is_ours("http://[", "127.0.0.1:8055")
