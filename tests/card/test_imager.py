"""What Raspberry Pi Imager writes onto the card: its networks, time zone and keys count if our own
files have none, and the rest of it is ignored."""

from pathlib import Path

import pytest

from companion.card.settings import (
    read_imager_keys,
    read_imager_wifi,
    read_imager_zone,
    read_settings,
)
from companion.card.wifi import Network, Wifi
from tests.card.test_settings import KEY

NETWORKS = """\
network:
  version: 2
  ethernets: {eth0: {dhcp4: true, optional: true}}
  wifis:
    wlan0:
      dhcp4: true
      regulatory-domain: "de"
      access-points:
        "Café “Zur Fünf”":
          password: "correct horse battery"
        "open to all": {}
        "Hidden":
          hidden: true
          auth: {key-management: psk, password: "12345678"}
      optional: true
"""
USER = f"""\
#cloud-config
hostname: companion
timezone: Europe/Berlin
users:
- name: anna
  passwd: "$5$x"
  sudo: ALL=(ALL) NOPASSWD:ALL
  ssh_authorized_keys:
  - {KEY} anna@home
runcmd:
- [rm, -rf, /]
"""
TEN_TO_THE_NINTH = "a0: &a0 [x]\n" + "".join(
    f"a{at}: &a{at} [{', '.join([f'*a{at - 1}'] * 10)}]\n" for at in range(1, 10)
)
"""Lists of lists, of which the last, a9, would take gigabytes as text."""
PASSWORD_OF_LISTS = "wifis: {w: {access-points: {H: {password: *a9}}}}"


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / name.replace("_", "-")).write_text(text, encoding="utf-8")
    return folder


def test_networks_from_imager_are_joined(tmp_path: Path) -> None:
    folder = written(tmp_path, network_config=NETWORKS)
    assert read_imager_wifi(folder) == Wifi(
        (
            Network("Café “Zur Fünf”", "correct horse battery"),
            Network("open to all"),
            Network("Hidden", "12345678", hidden=True),
        ),
        "DE",
    )
    assert "country=DE" in read_settings(folder).wifi


@pytest.mark.parametrize("word", ["0123456701", "12345678", "1e100000", "0x1234567", "12_34_56_78"])
@pytest.mark.parametrize("name", ["on", "2024", "null", "1:20", "Home"])
def test_numbers_in_imagers_files_are_read_as_text(tmp_path: Path, word: str, name: str) -> None:
    text = (
        "network: {wifis: {wlan0: {regulatory-domain: NO, access-points: {"
        f"{name}: {{password: {word}}}, Other: {{auth: {{password: {word}}}, hidden: yes}}}}}}}}}}"
    )
    assert read_imager_wifi(written(tmp_path, network_config=text)) == Wifi(
        (Network(name, word), Network("Other", word, hidden=True)), "NO"
    )


def test_a_network_config_without_the_network_key_is_read(tmp_path: Path) -> None:
    text = "version: 2\nwifis: {wlan0: {access-points: {Home: {password: " + "a" * 64 + "}}}}"
    assert read_imager_wifi(written(tmp_path, network_config=text)).networks == (
        Network("Home", "a" * 64),
    )


def test_only_time_zone_and_ssh_keys_are_read_from_user_data(tmp_path: Path) -> None:
    folder = written(tmp_path, user_data=USER)
    assert (read_imager_zone(folder), read_imager_keys(folder)) == (
        "Europe/Berlin",
        f"{KEY} anna@home",
    )
    settings = read_settings(folder)
    assert settings.keys == (KEY,) and not settings.mistakes
    assert "rm" not in repr(settings) and "anna" not in repr(settings)


def test_our_own_files_take_precedence_over_imagers(tmp_path: Path) -> None:
    folder = written(tmp_path, network_config=NETWORKS, user_data=USER)
    (folder / "wifi.txt").write_text("name = Ours\npassword = 12345678\n")
    (folder / "timezone.txt").write_text("America/New_York\n")
    settings = read_settings(folder)
    assert "4f757273" in settings.wifi and settings.wifi.count("ssid=") == 1
    assert settings.zone is None or settings.zone.name == "New_York"


@pytest.mark.parametrize(
    ("file", "text", "says"),
    [
        ("network-config", "network: [", "network-config, line 1: it can't be read"),
        ("network-config", "a: b: c", "network-config, line 1: it can't be read"),
        ("network-config", "wifis: {w: {access-points: {H: {password: short}}}}", "8 to 63"),
        ("network-config", f"wifis: {{w: {{access-points: {{{'x' * 33}: }}}}}}", "1 to 32 letters"),
        ("network-config", "wifis: {w: {regulatory-domain: Mars}}", "two letters"),
        ("user-data", "timezone: Mars", "Mars is no time zone"),
        ("user-data", "ssh_authorized_keys: [hello]", "ends in .pub"),
        ("user-data", "!!python/object/apply:os.system [ls]", "user-data, line 1"),
        ("user-data", "x\0", "save it as plain text"),
        ("user-data", "[" * 60_000, "user-data: it can't be read"),
        ("user-data", "timezone: !!int abc", "user-data: it can't be read"),
        ("user-data", "timezone: !!int ''", "user-data: it can't be read"),
        ("user-data", "timezone: !!bool maybe", "user-data: it can't be read"),
        ("user-data", "timezone: !!timestamp abc", "user-data: it can't be read"),
        ("user-data", 'timezone: "\\UFFFFFFFF"', "user-data: it can't be read"),
        ("user-data", f"{TEN_TO_THE_NINTH}timezone: *a9", "user-data: it can't be read"),
        ("user-data", "ssh_authorized_keys: &a [*a]", "user-data: it can't be read"),
        ("user-data", f"timezone: {'A' * 300}", "is no time zone"),
        ("network-config", f"{TEN_TO_THE_NINTH}{PASSWORD_OF_LISTS}", "it can't be read"),
        ("network-config", 'wifis: {w: {access-points: {"\\ud800": }}}', "1 to 32 letters"),
    ],
)
def test_a_mistake_in_imagers_files_does_not_stop_the_box(
    tmp_path: Path, file: str, text: str, says: str
) -> None:
    (tmp_path / file).write_text(text)
    settings = read_settings(tmp_path)
    assert settings.mistakes and all(says in line for line in settings.mistakes)
    assert "\n" not in settings.mistakes[0] and not settings.wifi


@pytest.mark.parametrize("text", ["", "# no\n", "[]", "7", "network: null", "wifis: {wlan0: }"])
def test_empty_imager_files_set_nothing(tmp_path: Path, text: str) -> None:
    settings = read_settings(written(tmp_path, network_config=text, user_data=text))
    assert (settings.wifi, settings.keys, settings.mistakes) == ("", (), ())
