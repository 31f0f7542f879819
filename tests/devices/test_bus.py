"""The display's SPI bus: luma's own driver, with its lines on gpiozero's pins."""

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from companion.console.frame import Canvas
from companion.console.screen_saver import PanelFrame
from companion.core.toml_file import ConfigError
from companion.devices.board import load_board
from companion.devices.display.panel import LumaPanel, open_i2c, open_spi
from companion.devices.gpio.pins import open_pins
from tests.fake_gpio import FakeGpio
from tests.fake_oled import FakeOled


class FakeSpiDev:
    """Passes what is written on to a panel: as pixels while the data line is high, else as
    commands."""

    def __init__(self, fake_oled: FakeOled, factory: Any) -> None:
        self._fake_oled, self._dc = fake_oled, factory.pin(24)
        self.opened: tuple[int, int] | None = None
        self.max_speed_hz = 0

    def open(self, port: int, device: int) -> None:
        if self._fake_oled.broken:
            raise FileNotFoundError(2, "No such file or directory")
        self.opened = port, device

    def writebytes(self, data: list[int]) -> None:
        if self._dc.state:
            self._fake_oled.data(data)
        else:
            self._fake_oled.command(*data)

    def close(self) -> None:
        self.opened = None


class Desk:
    """The hat's display on a fake SPI bus."""

    def __init__(self, factory: Any) -> None:
        self.factory, self.fake_oled = factory, FakeOled("sh1106")
        self.spidev: Any = FakeSpiDev(self.fake_oled, self.factory)
        self.display = load_board("waveshare-1.3-hat").display
        self.panel = LumaPanel(
            self.display.driver, lambda: open_spi(self.display, self.factory, self.spidev)
        )


@pytest.fixture(params=[MockFactory, lambda: open_pins("kernel", FakeGpio(time.monotonic))])
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    """A desk for each kind of pins."""
    desk = Desk(request.param())
    yield desk
    desk.panel.close()
    desk.factory.close()


def test_a_picture_arrives_over_spi(desk: Desk) -> None:
    canvas = Canvas()
    canvas.text(0, 0, "Red leads")
    desk.panel.open()
    assert desk.spidev.opened == (0, 0)
    assert desk.spidev.max_speed_hz == desk.display.hertz
    desk.panel.show(PanelFrame(canvas.frame()))
    assert desk.fake_oled.seen == canvas.frame().pixels


def test_a_closed_bus_can_be_opened_again(desk: Desk) -> None:
    for _ in range(2):
        desk.panel.open()
        desk.panel.close()
        assert desk.spidev.opened is None


def test_a_missing_bus_releases_the_lines(desk: Desk) -> None:
    from luma.core.error import DeviceNotFoundError

    desk.fake_oled.unplug()
    with pytest.raises(DeviceNotFoundError):
        desk.panel.open()
    desk.fake_oled.plug()
    desk.panel.open()


class FakeSmbus:
    """An I²C bus with a panel on it."""

    def __init__(self, fake_oled: FakeOled) -> None:
        self._fake_oled = fake_oled

    def i2c_rdwr(self, message: Any) -> None:
        data = list(message)
        self._fake_oled.command(*data[1:]) if data[0] == 0 else self._fake_oled.data(data[1:])

    def write_i2c_block_data(self, _address: int, mode: int, data: list[int]) -> None:
        self._fake_oled.command(*data) if mode == 0 else self._fake_oled.data(list(data))

    def close(self) -> None:
        """Does nothing. Our code calls it: luma closes only a bus that it opened itself."""


@pytest.mark.parametrize("pin", [-1, 17])
def test_an_i2c_display_with_a_reset_pin_is_reset(pin: int) -> None:
    gpio = FakeGpio(time.monotonic)
    factory = open_pins("kernel", gpio)
    display = replace(load_board("keys-16").display, reset=pin)
    smbus: Any = FakeSmbus(FakeOled())
    bus = open_i2c(display, factory, smbus)
    levels = [level for what, line, level in gpio.log if line == pin and what == "level"]
    assert levels == ([] if pin < 0 else [0, 1])
    assert gpio.is_taken(17) == (pin == 17)
    bus.command(0xE3)
    bus.cleanup()
    assert not gpio.is_taken(17)
    factory.close()


def test_a_reset_pin_must_not_be_used_twice() -> None:
    with pytest.raises(ConfigError, match=r"\[keys.pins\] 1: GPIO 17 belongs to \[display\] reset"):
        load_board("keys-16", {"reset": 17}, "c.toml")
