"""The files of the card's FAT partition, all together."""

import os
import stat
from pathlib import Path

import pytest

from companion.app.config import parse_config
from companion.card.files import Mistake
from companion.card.settings import (
    DEFAULT_CONFIG,
    in_one_line,
    read_settings,
    ssh_keys,
    write_settings,
    zone_file,
)

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB+A3qZZ4nC4yGnVb0e2bVvGg1eFh0qgVYSvZ2n0m3aB"
ZONES = {"Europe/Berlin": b"TZif2", "America/New_York": b"TZif2", "Europe/notes.tab": b"# no"}


@pytest.fixture
def zones(tmp_path: Path) -> Path:
    for name, data in ZONES.items():
        path = tmp_path / "zoneinfo" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return tmp_path / "zoneinfo"


def test_an_empty_card_means_the_default_configuration(tmp_path: Path) -> None:
    settings = read_settings(tmp_path)
    assert (settings.config, settings.wifi, settings.zone, settings.keys) == (
        DEFAULT_CONFIG,
        "",
        None,
        (),
    )
    assert settings.mistakes == ()
    box = parse_config(DEFAULT_CONFIG, "companion.toml")
    assert (box.box.hardware, box.box.menu_held, box.web.host) == (
        "answering",
        "switch-off",
        "auto",
    )


def test_a_configuration_saved_on_windows_is_read(tmp_path: Path) -> None:
    text = '[box]\nboard = "keypad-4x4"\n'
    (tmp_path / "companion.toml").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    settings = read_settings(tmp_path)
    assert settings.config == text and not settings.mistakes


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            '[box]\nbord = "keys-16"\n',
            "companion.toml: [box] bord is not known; did you mean board?",
        ),
        ("[box\n", "companion.toml is not TOML"),
        ('[box]\nboard = "keys-61"\n', "companion.toml: [box] board: "),
        ("[web]\nport = true\n", "companion.toml: [web] port must be a whole number"),
    ],
)
def test_a_box_with_a_configuration_mistake_uses_defaults_and_reports_it(
    tmp_path: Path, text: str, says: str
) -> None:
    (tmp_path / "companion.toml").write_text(text)
    (tmp_path / "wifi.txt").write_text("name = x\npassword = 12345678\n")
    settings = read_settings(tmp_path)
    assert settings.config == DEFAULT_CONFIG and settings.wifi
    (mistake,) = settings.mistakes
    assert mistake.startswith(says)


def test_a_mistake_in_one_file_does_not_affect_the_others(tmp_path: Path) -> None:
    (tmp_path / "wifi.txt").write_text("oops")
    (tmp_path / "timezone.txt").write_text("Mars")
    (tmp_path / "ssh-key.txt").write_text(f"{KEY} me@home\r\n")
    settings = read_settings(tmp_path)
    assert settings.keys == (KEY,)
    assert [line.split(",")[0].split(":")[0] for line in settings.mistakes] == [
        "wifi.txt",
        "timezone.txt",
    ]


def test_a_file_name_with_an_added_extension_is_reported(tmp_path: Path) -> None:
    (tmp_path / "wifi.txt.txt").write_text("name = x")
    assert read_settings(tmp_path).mistakes == ("wifi.txt.txt is not read: rename it to wifi.txt",)


def test_a_folder_or_an_overlong_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "wifi.txt").mkdir()
    (tmp_path / "timezone.txt").write_bytes(b"#" * 70_000)
    told_now = read_settings(tmp_path).mistakes
    assert told_now == (
        "wifi.txt can't be read: Is a directory",
        "timezone.txt is too long: write settings only",
    )


def test_time_zones_are_found_or_reported(zones: Path) -> None:
    assert zone_file("\n# ours\nEurope/Berlin\n", zones) == zones / "Europe/Berlin"
    assert zone_file("America/New York", zones) == zones / "America/New_York"
    assert zone_file("# Europe/Berlin", zones) is None
    with pytest.raises(Mistake, match="Berln is no time zone; did you mean Europe/Berlin"):
        zone_file("Europe/Berln", zones)
    unknown = ("../../etc/passwd", "/etc/passwd", "Europe", "Europe/notes.tab", "a\nb")
    for wrong in (*unknown, "A" * 300, "Europe/" + "é" * 5000):
        with pytest.raises(Mistake, match=r"^timezone\.txt: "):
            zone_file(wrong, zones)


def test_ssh_keys_with_options_are_refused() -> None:
    assert ssh_keys(f"# mine\n{KEY} me@home\n\n") == (KEY,)
    assert ssh_keys("") == ()
    for wrong in (
        f'command="reboot" {KEY}',
        "ssh-ed25519 AAAA",
        "ssh-rsa " + KEY.split()[1],
        "-----BEGIN OPENSSH PRIVATE KEY-----",
        "password",
    ):
        with pytest.raises(Mistake, match=r"^ssh-key\.txt: .*\.pub"):
            ssh_keys(wrong)


def test_settings_are_written_where_the_system_reads_them(tmp_path: Path, zones: Path) -> None:
    """A setting of an earlier start is removed once no file gives it any more; only root may read
    the network's key."""
    card, into = tmp_path / "card", tmp_path / "run"
    card.mkdir()
    (card / "wifi.txt").write_text("name = x\npassword = 12345678\n")
    (card / "ssh-key.txt").write_text(KEY)
    os.umask(0o022)
    write_settings(read_settings(card), into)
    assert stat.S_IMODE((into / "wpa.conf").stat().st_mode) == 0o600
    assert (into / "authorized_keys").read_text() == KEY + "\n"
    assert (into / "companion.toml").read_text() == DEFAULT_CONFIG
    for path in card.iterdir():
        path.unlink()
    write_settings(read_settings(card), into)
    assert [path.name for path in into.iterdir()] == ["companion.toml"]


def test_all_mistakes_are_reported_in_one_line() -> None:
    assert in_one_line([], 40) == ""
    assert in_one_line(["wifi.txt: no"], 40) == "wifi.txt: no"
    line = in_one_line(["x" * 100, "b", "c"], 40)
    assert len(line) == 40 and line.endswith("… (and 2 more)")


@pytest.mark.parametrize(
    ("said", "tag"),
    [
        ("Español\r\n", "es"),
        ("# a comment\n# Español\n", ""),
        ("DEUTSCH", "de"),
        ("pt_BR\n", "pt-BR"),
        ("Português", "pt-BR"),
        ("fr", "fr"),
    ],
)
def test_the_language_file_sets_the_boxs_language(said: str, tag: str, tmp_path: Path) -> None:
    (tmp_path / "language.txt").write_text(said, encoding="utf-8")
    settings = read_settings(tmp_path)
    assert not settings.mistakes
    assert parse_config(settings.config, "companion.toml").box.language == (tag or "en")


def test_the_language_in_companion_toml_takes_precedence(tmp_path: Path) -> None:
    (tmp_path / "language.txt").write_text("Español")
    (tmp_path / "companion.toml").write_text('[box]\nlanguage = "nl"\n')
    assert read_settings(tmp_path).config == '[box]\nlanguage = "nl"\n'


@pytest.mark.parametrize("said", ["Klingon", "es\nde", "e", "../es"])
def test_an_unknown_language_is_reported_and_english_is_used(said: str, tmp_path: Path) -> None:
    (tmp_path / "language.txt").write_text(said)
    settings = read_settings(tmp_path)
    assert settings.config == DEFAULT_CONFIG
    (mistake,) = settings.mistakes
    assert mistake.startswith("language.txt: ")
    assert mistake.endswith(
        "is no language here; write English, Deutsch, Español, Français, Nederlands,"
        " Português (Brasil)"
    )
