"""Boards as data: what their files say, and the messages about a wrong file."""

from pathlib import Path

import pytest

from companion.core.keys import FIVE_WAY, SIXTEEN, TURNED_BY_180, Key
from companion.core.toml_file import ConfigError
from companion.devices.board import (
    Buzzer,
    DirectKeys,
    MatrixKeys,
    known_boards,
    load_board,
    parse_board,
)

ROOT = Path(__file__).parents[2]
KEYS_16 = (ROOT / "hw" / "boards" / "keys-16.toml").read_text()
KEYPAD = (ROOT / "hw" / "boards" / "keypad-4x4.toml").read_text()
HAT = (ROOT / "hw" / "boards" / "waveshare-1.3-hat.toml").read_text()
NAMES = ["adafruit-bonnet", "keypad-4x4", "keys-16", "waveshare-1.3-hat"]


def test_the_included_boards_are_known() -> None:
    assert sorted(known_boards()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_board_can_be_read_and_names_a_source(name: str) -> None:
    board = load_board(name)
    assert set(board.keys.keys) >= set(SIXTEEN) or set(board.keys.keys) >= set(FIVE_WAY)
    text = (ROOT / "hw" / "boards" / f"{name}.toml").read_text()
    assert "# Source" in text
    assert "https://" in text


def test_sixteen_keys_leave_the_buses_and_the_serial_port_free() -> None:
    keys = load_board("keys-16").keys
    assert isinstance(keys, DirectKeys)
    assert set(keys.pins) == set(SIXTEEN)
    assert not set(keys.pins.values()) & {0, 1, 2, 3, 7, 8, 9, 10, 11, 14, 15}


def test_the_4x4_keypad_is_a_matrix() -> None:
    keys = load_board("keypad-4x4").keys
    assert isinstance(keys, MatrixKeys)
    assert set(keys.keys) == set(SIXTEEN)
    assert keys.layout[0][0] is Key.D1


def test_the_hat_has_an_sh1106_on_spi() -> None:
    display = load_board("waveshare-1.3-hat").display
    assert (display.driver, display.interface, display.dc, display.reset) == (
        "sh1106", "spi", 24, 25,
    )  # fmt: skip


def test_the_configuration_can_override_a_boards_display() -> None:
    board = load_board("keys-16", {"driver": "sh1106", "rotate": 2}, "c.toml")
    assert (board.display.driver, board.display.rotate, board.display.bus) == ("sh1106", 2, 1)
    with pytest.raises(ConfigError, match=r"^c\.toml with keys-16: \[keys\.pins\] BACK: GPIO 24 "):
        load_board("keys-16", {"interface": "spi", "bus": 0}, "c.toml")


@pytest.mark.parametrize("name", NAMES)
def test_rotating_the_display_rotates_the_joystick(name: str) -> None:
    board = load_board(name)
    usual = board.keys
    turned = load_board(name, {"rotate": 2 - board.display.rotate}, "c.toml").keys
    if not (
        isinstance(usual, DirectKeys) and isinstance(turned, DirectKeys) and Key.UP in usual.pins
    ):
        assert turned == usual
        return
    assert (usual.joystick, turned.joystick) == ("left", "right")
    ways = (Key.UP, Key.DOWN), (Key.LEFT, Key.RIGHT)
    for one, other in (*ways, *((other, one) for one, other in ways)):
        assert turned.pins[one] == usual.pins[other]
    assert {key: pin for key, pin in turned.pins.items() if key not in TURNED_BY_180} == {
        key: pin for key, pin in usual.pins.items() if key not in TURNED_BY_180
    }


def test_a_boards_own_rotation_does_not_rotate_its_joystick(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(HAT.replace("rotate = 2", ""))
    assert load_board(str(path)).keys == load_board("waveshare-1.3-hat").keys


def test_a_custom_board_file_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(KEYS_16.replace("MENU = 20", "MENU = 14"))
    keys = load_board(str(path)).keys
    assert isinstance(keys, DirectKeys)
    assert keys.pins[Key.MENU] == 14
    with pytest.raises(ConfigError, match=r"none\.toml can't be read: No such file"):
        load_board(str(tmp_path / "none.toml"))


def test_only_the_board_with_a_buzzer_has_one() -> None:
    assert load_board("keys-16").buzzer == Buzzer(21, "active")
    assert {name for name in NAMES if load_board(name).buzzer} == {"keys-16"}


def test_an_unknown_board_is_refused_with_suggestions() -> None:
    with pytest.raises(ConfigError) as error:
        load_board("keys16", None, "c.toml")
    assert str(error.value).startswith(
        "c.toml: [box] board: 'keys16' is not known; did you mean keys-16?"
    )


@pytest.mark.parametrize(
    ("text", "old", "new", "says"),
    [
        (KEYS_16, "MENU = 20", "MENU = 4", "b.toml: [keys.pins] MENU: GPIO 4 belongs to "
                                           "[keys.pins] 0 already: use another pin"),
        (KEYS_16, "MENU = 20", "MENU = 2", "b.toml: [keys.pins] MENU: GPIO 2 belongs to "
                                           "the display's I²C bus already"),
        (KEYS_16, "MENU = 20", "MENU = 21", "b.toml: [buzzer] pin: GPIO 21 belongs to [keys.pins] "
                                            "MENU already: use another pin"),
        (KEYS_16, '"active"', '"loud"', "b.toml: [buzzer] kind must be active or passive, not"),
        (KEYS_16, "pin = 21", "", "b.toml: [buzzer] pin is missing: a buzzer needs it"),
        (KEYS_16, "MENU = 20", "", "b.toml: [keys] has no MENU: a board needs all sixteen keys"),
        (KEYS_16, "MENU = 20", "MENU = 28", "b.toml: [keys.pins] MENU must be from 0 to 27"),
        (KEYS_16, "MENU = 20", "MENUE = 20", "b.toml: [keys.pins] MENUE: 'MENUE' is not a key; "
                                             "did you mean MENU?"),
        (KEYS_16, '"direct"', '"diret"', "b.toml: [keys] kind must be direct or matrix"),
        (KEYS_16, "[keys.pins]", "[keys.pin]", "b.toml: [keys] pin is not known; did you mean pin"),
        (KEYS_16, "bus = 1", "bsu = 1", "b.toml: [display] bsu is not known; did you mean bus?"),
        (KEYS_16, "[display]", "[displai]", "b.toml: there is no section [displai]; did you mean"),
        (KEYS_16, "[keys", "[[keys", "b.toml is not TOML: "),
        (KEYPAD, "rows = [5,", "rows = [12,", "b.toml: [keys] columns: GPIO 12 belongs to [keys] "
                                              "rows already"),
        (KEYPAD, '"DRAW"],', "],", "b.toml: [keys] layout must have 4 lists of 4 keys"),
        (KEYPAD, '"DRAW"', '"PASS"', "b.toml: [keys] layout has PASS twice: name each key once"),
        (KEYPAD, "rows = [5, 6, 13, 19]", "", "b.toml: [keys] rows is missing: matrix keys need"),
        (KEYPAD, "rows = [5,", 'rows = ["5",', "b.toml: [keys] rows: a pin must be a whole number"),
        (HAT, "UP = 6", "UP = 25", "b.toml: [keys.pins] UP: GPIO 25 belongs to [display] reset"),
        (HAT, "UP = 6", "UP = 8", "b.toml: [keys.pins] UP: GPIO 8 belongs to the display's select"),
        (HAT, "UP = 6", "", "b.toml: [keys] has no UP: a board needs"),
    ],
)  # fmt: skip
def test_errors_name_file_key_and_remedy(text: str, old: str, new: str, says: str) -> None:
    assert old in text
    with pytest.raises(ConfigError) as error:
        parse_board(text.replace(old, new), "b.toml")
    assert str(error.value).startswith(says)
    assert "\n" not in str(error.value)


def test_a_board_needs_keys_and_a_display() -> None:
    with pytest.raises(ConfigError, match=r"^b\.toml: \[keys\] is missing"):
        parse_board("[display]", "b.toml")
