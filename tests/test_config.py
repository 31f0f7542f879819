"""The configuration: what is wrong is said in one line that names file, key and remedy."""

from pathlib import Path

import pytest

from companion import config
from companion.config import PINS, Config, ConfigError, load_config, parse_config
from companion.keys import Key


def test_an_empty_file_is_the_default() -> None:
    assert parse_config("", "c.toml") == Config()


def test_what_is_said_counts_and_the_rest_stays() -> None:
    found = parse_config("[web]\nport = 80\n[keys]\nrelease_ms = 80.5\n[pins]\nOK = 4\n", "c.toml")
    assert (found.web.port, found.web.host) == (80, "127.0.0.1")
    assert found.keys.release_ms == 80.5
    assert found.pins == {Key.OK: 4}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[web]\nprot = 1", "c.toml: [web] prot is not known; did you mean port?"),
        ("[web]\nx = 1", "c.toml: [web] x is not known; known are host, port"),
        ("[wep]", "c.toml: there is no section [wep]; did you mean web?"),
        ("port = 1", "c.toml: there is no section [port]; known are box"),
        ("web = 1", "c.toml: web is a section: write [web] on its own line"),
        ('[web]\nport = "1"', "c.toml: [web] port must be a whole number, not '1'"),
        ("[web]\nport = true", "c.toml: [web] port must be a whole number, not True"),
        ("[web]\nport = 1.5", "c.toml: [web] port must be a whole number, not 1.5"),
        ("[web]\nport = 70000", "c.toml: [web] port must be from 0 to 65535, not 70000"),
        ("[web]\nhost = 1", "c.toml: [web] host must be a text in quotes, not 1"),
        ("[keys]\ncontact_ms = 0", "c.toml: [keys] contact_ms must be more than 0"),
        ("[keys]\ncontact_ms = nan", "c.toml: [keys] contact_ms must be more than 0"),
        ('[keys]\nhold_ms = "2"', "c.toml: [keys] hold_ms must be a number, not '2'"),
        (
            '[box]\ndriver = "st7735"',
            "c.toml: [box] driver must be ssd1306 or sh1106, not 'st7735'",
        ),
        ("[box]\nrotate = 1", "c.toml: [box] rotate must be 0 or 2, not 1"),
        ("[pins]\nDRAWN = 4", "c.toml: [pins] DRAWN is not a key; did you mean DRAW?"),
        ("[pins]\nok = 4", "c.toml: [pins] ok is not a key; did you mean OK?"),
        ("[pins]\nOK = 28", "c.toml: [pins] OK must be from 0 to 27, not 28"),
        ("[pins]\nOK = 4\nMENU = 4", "c.toml: [pins] MENU: GPIO 4 has the key OK already"),
        ("[web", "c.toml is not TOML: "),
    ],
)
def test_what_is_wrong_is_said_in_one_line(text: str, says: str) -> None:
    with pytest.raises(ConfigError) as error:
        parse_config(text, "c.toml")
    assert str(error.value).startswith(says)
    assert "\n" not in str(error.value)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="can't be read: No such file"):
        load_config(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"\xe9")
    with pytest.raises(ConfigError, match="not UTF-8"):
        load_config(tmp_path / "latin.toml")


def test_without_a_name_the_usual_place_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "PLACE", tmp_path / "table.toml")
    assert load_config() == Config()
    (tmp_path / "table.toml").write_text("[web]\nport = 81\n")
    assert load_config().web.port == 81


def test_no_pin_is_wired_twice_and_the_buses_stay_free() -> None:
    assert len(set(PINS.values())) == 16
    assert not set(PINS.values()) & {0, 1, 2, 3, 7, 8, 9, 10, 11, 14, 15}
