"""The configuration: a mistake is reported in one line that names file, key and remedy."""

from pathlib import Path

import pytest

from companion.app import config
from companion.app.config import Config, load_config, parse_config
from companion.core.toml_file import ConfigError


def test_an_empty_configuration_means_the_defaults() -> None:
    assert parse_config("", "c.toml") == Config()


def test_other_settings_keep_their_defaults() -> None:
    found = parse_config(
        "[web]\nport = 80\n[keys]\nrelease_ms = 80.5\n[display]\noffset = 0\n", "c.toml"
    )
    assert (found.web.port, found.web.host) == (80, "auto")
    assert found.keys.release_ms == 80.5
    assert found.display == {"offset": 0}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[web]\nprot = 1", "c.toml: [web] prot is not known; did you mean port?"),
        ("[web]\nx = 1", "c.toml: [web] x is not known; known are certificate, "),
        ("[wep]", "c.toml: there is no section [wep]; did you mean web?"),
        ("port = 1", "c.toml: there is no section [port]; known are box"),
        ("web = 1", "c.toml: web is a section: write [web] on its own line"),
        ('[web]\nport = "1"', "c.toml: [web] port must be a whole number, not '1'"),
        ("[web]\nport = true", "c.toml: [web] port must be a whole number, not True"),
        ("[web]\nport = 1.5", "c.toml: [web] port must be a whole number, not 1.5"),
        ("[web]\nport = 70000", "c.toml: [web] port must be from -1 to 65535, not 70000"),
        ("[web]\nhost = 1", "c.toml: [web] host must be a text in quotes, not 1"),
        ("[keys]\ncontact_ms = 0", "c.toml: [keys] contact_ms must be more than 0"),
        ("[keys]\ncontact_ms = nan", "c.toml: [keys] contact_ms must be more than 0"),
        (f"[keys]\nhold_ms = {'9' * 4000}", "c.toml: [keys] hold_ms must be more than 0 and at"),
        (f"[keys]\nhold_ms = 0x{'F' * 4000}", "c.toml: [keys] hold_ms must be more than 0 and at"),
        (f"[keys]\nhold_ms = {'9' * 5000}", "c.toml is not TOML: Exceeds the limit"),
        (
            f"[web]\nport = 0x{'F' * 4000}",
            "c.toml: [web] port must be from -1 to 65535, not a number of thousands of digits",
        ),
        (
            f"[web]\nport = {'9' * 4000}",
            f"c.toml: [web] port must be from -1 to 65535, not {'9' * 59}…",
        ),
        ('[keys]\nhold_ms = "2"', "c.toml: [keys] hold_ms must be a number, not '2'"),
        (
            '[display]\ndriver = "st7735"',
            "c.toml: [display] driver must be ssd1306 or ssd1309 or sh1106 or sh1107 or framebuf",
        ),
        ("[display]\nrotate = 1", "c.toml: [display] rotate must be 0 or 2, not 1"),
        ("[display]\nadress = 1", "c.toml: [display] adress is not known; did you mean address?"),
        ("[box]\nboard = 16", "c.toml: [box] board must be a text in quotes, not 16"),
        ('[keypads]\nusb = "2e8a"', "c.toml: [keypads] usb: '2e8a' is no USB id: four digits, a"),
        ('[keypads]\nusb = " "', "c.toml: [keypads] usb: no USB id is there: write at least one"),
        ("[web", "c.toml is not TOML: "),
    ],
)
def test_a_mistake_in_the_configuration_is_reported_in_one_line(text: str, says: str) -> None:
    with pytest.raises(ConfigError) as error:
        parse_config(text, "c.toml")
    assert str(error.value).startswith(says)
    assert "\n" not in str(error.value)


def test_an_unreadable_configuration_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="can't be read: No such file"):
        load_config(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"\xe9")
    with pytest.raises(ConfigError, match="not UTF-8"):
        load_config(tmp_path / "latin.toml")


def test_without_a_path_the_default_file_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "PLACE", tmp_path / "table.toml")
    assert load_config() == Config()
    (tmp_path / "table.toml").write_text("[web]\nport = 81\n")
    assert load_config().web.port == 81


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[record]\npath = "a\\u0000b"', "can't be seen"),
        ('[web]\nhost = ""', "host is empty"),
        ("a = " + "[" * 5000, "is not TOML"),
        ("[web]\nport = " + "9" * 5000, "is not TOML"),
        ('[web]\n"po\\nrt" = 1', "is not known"),
    ],
)
def test_odd_files_are_reported_in_one_line(text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words) as refused:
        parse_config(text, "f.toml")
    assert "\n" not in str(refused.value)
