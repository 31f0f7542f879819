"""The watchdog is stopped on chips whose register is known; on others nothing is written."""

import pytest

from seat_keypad.watchdog import stop


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Raspberry Pi Pico with RP2040", {0x40058000 + 0x3000: 1 << 30}),
        ("Raspberry Pi Pico W with RP2040", {0x40058000 + 0x3000: 1 << 30}),
        ("Raspberry Pi Pico2 with RP2350", {0x400D8000 + 0x3000: 1 << 30}),
        ("Generic ESP32 module with ESP32", {}),
    ],
)
def test_the_watchdog_is_stopped_at_the_address_of_each_chip(
    name: str, written: dict[int, int]
) -> None:
    memory: dict[int, int] = {}
    stop(name, memory)
    assert memory == written
