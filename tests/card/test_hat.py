"""A display board on SPI is recognised by its keys, noted on the card, and used from the next start
on."""

import subprocess
import time
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pytest

from companion.app.config import parse_config
from companion.card.files import Mistake
from companion.card.hat import BoardFinder, distinguishing_keys, wait_for_board
from companion.card.settings import (
    BOARD,
    DEFAULT_CONFIG,
    names_board,
    read_board,
    read_settings,
    save_board,
    with_board,
)
from companion.core.keys import Key
from companion.devices.gpio.debounce import Edge
from companion.devices.gpio.pins import open_pins
from tests.fake_gpio import FakeGpio

HAT = "waveshare-1.3-hat"
KEY1 = 21


def test_only_a_key_unique_to_one_board_identifies_it() -> None:
    assert distinguishing_keys() == {HAT: {Key.MENU: KEY1}}


def told(*edges: tuple[Key, bool, float], found: bool = False) -> str:
    """Returns the board that these edges identify, long after the last of them; "" if they identify
    none."""
    finder = BoardFinder()
    names = [finder.feed(Edge(*edge, found=found and not at)) for at, edge in enumerate(edges)]
    return max(*names, finder.advance(100.0), "")


def test_a_pressed_key_identifies_the_board() -> None:
    assert told((Key.MENU, True, 1.0)) == HAT, "while it is down"
    assert told((Key.MENU, True, 1.0), (Key.MENU, False, 1.2)) == HAT


def test_shared_keys_and_short_pulses_identify_no_board() -> None:
    assert not told((Key.PASS, True, 1.0), (Key.PASS, False, 1.2), (Key.UP, True, 2.0))
    assert not told((Key.MENU, True, 1.0), (Key.MENU, False, 1.003))


def test_a_pin_that_is_held_low_identifies_no_board() -> None:
    """The circuit board has its buzzer's transistor on that pin."""
    assert not told((Key.MENU, True, 1.0), found=True)
    assert not told((Key.MENU, True, 1.0), (Key.MENU, False, 2.0), found=True)


def test_a_board_is_found_on_a_pis_pins() -> None:
    gpio = FakeGpio(time.monotonic)
    factory = open_pins("kernel", gpio)
    with ThreadPoolExecutor() as waiting:
        found = waiting.submit(wait_for_board, factory)
        while not found.done():  # however late it is watched, and however slow this machine is
            gpio.pull(KEY1, 0)
            wait([found], 0.05)
            gpio.pull(KEY1, None)
            wait([found], 0.05)
        assert found.result() == HAT
    factory.close()
    assert not any(gpio.is_taken(pin) for pin in range(28)), "the pins are the table's again"


# ---------------------------------------------------------------- kept on the card


@pytest.fixture
def remounted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The options with which the partition was mounted again, one for each time."""
    told: list[str] = []

    def mount(command: list[str], **_: object) -> None:
        told.append(command[2])

    monkeypatch.setattr(subprocess, "run", mount)
    return told


def test_a_found_board_is_stored_on_the_card_and_used_afterwards(
    tmp_path: Path, remounted: list[str]
) -> None:
    assert read_board(tmp_path) == ""
    save_board(HAT, tmp_path)
    assert remounted == ["remount,rw", "remount,ro"]
    assert read_board(tmp_path) == HAT
    config = parse_config(read_settings(tmp_path).config, "companion.toml")
    assert (config.box.board, config.box.hardware) == (HAT, "answering")
    assert config.box.menu_held == "switch-off", "all else is as it was"


def test_a_configured_board_takes_precedence_over_a_found_one(
    tmp_path: Path, remounted: list[str]
) -> None:
    save_board(HAT, tmp_path)
    text = '[box]\nhardware = "answering"\nboard = "adafruit-bonnet"\n'
    (tmp_path / "companion.toml").write_text(text)
    assert read_settings(tmp_path).config == text and names_board(text)


@pytest.mark.parametrize(
    "config",
    [
        DEFAULT_CONFIG,
        "",
        '[web]\nport = 8055\n\n  [ box ]  # here\nmenu_held = "switch-off"',
        '# [box]\n[web]\nhost = "127.0.0.1"',
    ],
)
def test_a_board_is_added_to_any_configuration(config: str) -> None:
    told = parse_config(with_board(config, HAT), "companion.toml")
    before = parse_config(config, "companion.toml")
    assert told.box.board == HAT and told.web == before.web
    assert told.box.menu_held == before.box.menu_held
    assert with_board(config, "") == config


def test_an_unknown_board_is_reported_and_ignored(tmp_path: Path) -> None:
    (tmp_path / BOARD).write_bytes(b"\xef\xbb\xbfwaveshare-1.4-hat\r\n")
    with pytest.raises(Mistake, match=r"board.txt: waveshare-1.4-hat is no board; did you mean"):
        read_board(tmp_path)
    settings = read_settings(tmp_path)
    assert settings.config == DEFAULT_CONFIG and len(settings.mistakes) == 1


def test_the_card_is_read_only_again_after_a_failed_write(
    tmp_path: Path, remounted: list[str]
) -> None:
    with pytest.raises(OSError, match="missing"):
        save_board(HAT, tmp_path / "missing")
    assert remounted == ["remount,rw", "remount,ro"]
