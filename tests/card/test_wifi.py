"""wifi.txt as people really write it."""

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.card.files import Mistake, decode
from companion.card.wifi import Network, Wifi, explain_events, parse_wifi, supplicant_text

HOME = Wifi((Network("Our home", "secret words"),), "DE")
PLAIN = "name = Our home\npassword = secret words\ncountry = DE\n"
KNOWN = {"0": HOME.networks[0]}


@pytest.mark.parametrize(
    "data",
    [
        PLAIN.encode(),
        PLAIN.replace("\n", "\r\n").encode(),
        PLAIN.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + PLAIN.encode(),
        PLAIN.encode("utf-16"),
        b'SSID="Our home"\r\nPSK="secret words"\r\nCOUNTRY=de\r\n',
        "# ours\n\nname: “Our home”\npassword: 'secret words'\ncountry: DE".encode(),
        b"  name=Our home  \n\tpassword=secret words\t\ncountry=DE\n; the end\n",
    ],
)
def test_wifi_settings_are_read_from_every_text_encoding(data: bytes) -> None:
    assert parse_wifi(decode(data, "wifi.txt")) == HOME


def test_an_empty_file_means_no_wifi_without_a_mistake() -> None:
    assert parse_wifi("") == parse_wifi("# name = x\n# password = y\n") == Wifi(())


def test_several_networks_can_be_hidden_or_open() -> None:
    told = "name=a\npassword=12345678\nhidden=yes\nname=b\nname=c\npassword=abcdefgh\nhidden=no"
    assert parse_wifi(told).networks == (
        Network("a", "12345678", hidden=True),
        Network("b"),
        Network("c", "abcdefgh"),
    )


def test_special_characters_in_passwords_are_kept() -> None:
    told = parse_wifi("name=x\npassword=a=b:c#d \"e$(f)'")
    assert told.networks[0].password == "a=b:c#d \"e$(f)'"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name=x\npassword=short", "line 2: a password has 8 to 63 letters"),
        ("name=x\npassword=höhlenlöwe", "line 2: a password can have only"),
        ("name=" + "x" * 33, "line 1: a network's name has 1 to 32 letters"),
        ("name=", "line 1: a network's name has 1 to 32 letters"),
        ("password=12345678", "line 1: write the network's name before its password"),
        ("name=x\ncountry=Germany", "line 2: a country is two letters"),
        ("name=x\nhidden=perhaps", "line 2: hidden is yes or no"),
        ("name=x\nchannel=6", "line 2: “channel” is not known"),
        ("my network", "line 1: write it as name = value"),
    ],
)
def test_a_mistake_is_reported_with_its_line(text: str, says: str) -> None:
    with pytest.raises(Mistake, match=rf"^wifi\.txt, {re.escape(says)}"):
        parse_wifi(text)


def test_a_file_that_is_not_text_is_reported() -> None:
    for data in (b"name=\xff\xfe\x80", b"name=\0x"):
        with pytest.raises(Mistake, match="save it as"):
            decode(data, "wifi.txt")


@given(
    st.text(min_size=1, max_size=8),
    st.text(alphabet=[chr(n) for n in range(32, 127)], min_size=8, max_size=63),
)
def test_no_value_can_inject_another_setting(name: str, password: str) -> None:
    """Whatever a name or a password contains, the configuration has only its hexadecimal digits."""
    text = supplicant_text(Wifi((Network(name, password, hidden=True),), "DE"))
    lines = [line.strip() for line in text.splitlines()]
    assert lines[:2] == ["country=DE", "network={"] and lines[-1] == "}"
    (ssid,) = [line for line in lines if line.startswith("ssid=")]
    assert bytes.fromhex(ssid.removeprefix("ssid=")).decode() == name
    assert re.fullmatch("psk=[0-9a-f]{64}", lines[-2]) and len(lines) == 8


def test_the_key_matches_the_standards_test_vectors() -> None:
    """IEEE 802.11i, H.4.1: the example with network “IEEE” and password “password”."""
    text = supplicant_text(Wifi((Network("IEEE", "password"),)))
    assert "psk=f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e" in text
    key = hashlib.sha256(b"").hexdigest()
    assert f"psk={key}" in supplicant_text(Wifi((Network("IEEE", key.upper()),)))


def test_an_open_network_has_no_key() -> None:
    assert "key_mgmt=NONE" in supplicant_text(Wifi((Network("café"),)))


def test_a_wrong_password_is_reported_until_it_is_corrected() -> None:
    wrong = (
        'wlan0: CTRL-EVENT-SSID-TEMP-DISABLED id=0 ssid="Our home" auth_failures=1 duration=10 '
        "reason=WRONG_KEY"
    )
    assert explain_events([wrong], KNOWN) == "The password of the Wi-Fi “Our home” is wrong"
    assert explain_events([wrong, "wlan0: CTRL-EVENT-CONNECTED - Connection to"], KNOWN) is None
    missing = explain_events(["wlan0: CTRL-EVENT-NETWORK-NOT-FOUND "], KNOWN)
    assert missing == "Wi-Fi “Our home” is not found"
    assert explain_events(["wlan0: CTRL-EVENT-SCAN-STARTED "], KNOWN) is None
    assert explain_events(["wlan0: CTRL-EVENT-NETWORK-NOT-FOUND "], {}) is None
