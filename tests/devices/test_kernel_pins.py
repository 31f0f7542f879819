"""The pins on the kernel's GPIO, tested on real files with a fake kernel, which is called with the
real request numbers."""

import threading
import time
from collections.abc import Iterator
from queue import Queue
from typing import Any

import pytest

from companion.app.config import ConfigError, parse_config
from companion.devices.gpio.gpio_chip import (
    CONFIG,
    FALLING,
    GET_CHIP_INFO,
    GET_LINE,
    GET_LINE_INFO,
    GET_VALUES,
    INPUT,
    LABELS,
    NO_PULL,
    OUTPUT,
    PULL_DOWN,
    PULL_UP,
    RISING,
    SET_CONFIG,
    SET_VALUES,
    ChipError,
    NoChipError,
    find_chip,
)
from companion.devices.gpio.pins import KernelFactory, PinError, open_pins
from tests.fake_gpio import FakeGpio
from tests.waiting import WAIT_S, wait_until

BOTH = RISING | FALLING


class Desk:
    """A pin factory on a fake chip, and a clock that the test sets."""

    def __init__(self, gpio: FakeGpio | None = None) -> None:
        self.now = 10.0
        self.gpio = gpio or FakeGpio(lambda: self.now)
        self.factory = KernelFactory(find_chip(self.gpio))
        self.told: Queue[tuple[float, int]] = Queue()

    def watched(self, number: int = 4) -> Any:
        """Returns a pin with a pull-up whose edges are put into the queue `told`."""
        pin = self.factory.pin(number)
        pin.input_with_pull("up")
        pin.edges = "both"
        pin.when_changed = lambda ticks, state: self.told.put((ticks, state))
        return pin


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.factory.close()


# ---------------------------------------------------------------- the kernel's words


def test_ioctl_numbers_match_the_kernels_header() -> None:
    """The expected numbers are those that a C compiler gets from linux/gpio.h; each contains the
    size of its struct."""
    numbers = (GET_CHIP_INFO, GET_LINE_INFO, GET_LINE, SET_CONFIG, GET_VALUES, SET_VALUES)
    assert [f"{number:x}" for number in numbers] == [
        "8044b401", "c100b405", "c250b407", "c110b40d", "c010b40e", "c010b40f",
    ]  # fmt: skip


def test_attribute_offsets_match_the_kernels_header() -> None:
    packed = CONFIG.pack(0x11, 0x22, 0x33, 0x44, 0x55)
    assert [packed.index(byte) for byte in (0x11, 0x22, 0x33, 0x44, 0x55)] == [0, 8, 32, 40, 48]


# ---------------------------------------------------------------- the chip


@pytest.mark.parametrize("label", LABELS)
def test_the_chip_is_found_by_its_label_whatever_its_number(label: str) -> None:
    gpio = FakeGpio(lambda: 0.0, label=label, others=("raspberrypi-exp-gpio", "gpio-brcmstb"))
    chip = find_chip(gpio)
    assert chip.path.name == "gpiochip2"
    chip.close()


@pytest.mark.parametrize(
    "gpio", [FakeGpio(time.monotonic, label=""), FakeGpio(time.monotonic, label="pc")]
)
def test_other_gpio_chips_are_not_mistaken_for_a_raspberry_pis(gpio: FakeGpio) -> None:
    with pytest.raises(NoChipError, match="there is no /dev/gpiochip of a Raspberry Pi"):
        find_chip(gpio)


def test_missing_permission_for_the_chip_names_the_remedy() -> None:
    with pytest.raises(ChipError) as error:
        find_chip(FakeGpio(time.monotonic, denied=True))
    assert str(error.value) == (
        "/dev/gpiochip0 may not be opened: add the user to the group gpio "
        "(sudo usermod -aG gpio NAME) and log in again"
    )


def test_the_message_names_the_program_that_uses_a_line() -> None:
    gpio = FakeGpio(time.monotonic)
    one, other = Desk(gpio), Desk(gpio)
    one.factory.pin(5).input_with_pull("up")
    with pytest.raises(ChipError) as error:
        other.factory.pin(5).input_with_pull("up")
    assert str(error.value) == (
        "another program has GPIO 5, which calls itself “companion”: stop it first "
        "(is the companion service running?)"
    )
    one.factory.close()
    other.factory.pin(5).input_with_pull("up")
    other.factory.close()


def test_the_message_names_a_line_that_fails(desk: Desk) -> None:
    desk.gpio.broken = True
    with pytest.raises(ChipError, match="does not give GPIO 6 \\(Input/output error\\)"):
        desk.factory.pin(6).input_with_pull("up")


# ---------------------------------------------------------------- pins


def test_an_input_has_its_pull_from_the_start(desk: Desk) -> None:
    pin = desk.factory.pin(4)
    assert desk.gpio.log == []
    pin.input_with_pull("up")
    assert desk.gpio.log == [("take", 4, INPUT | PULL_UP)]
    assert desk.gpio.lines[4].consumer == "companion"
    assert (pin.function, pin.pull, pin.state) == ("input", "up", 1)
    desk.gpio.pull(4, 0)
    assert pin.state == 0


@pytest.mark.parametrize(
    ("pull", "flag"), [("up", PULL_UP), ("down", PULL_DOWN), ("floating", NO_PULL)]
)
def test_every_pull_can_be_set_and_read(desk: Desk, pull: str, flag: int) -> None:
    pin = desk.factory.pin(4)
    pin.function = "input"
    pin.pull = pull
    assert desk.gpio.lines[4].flags == INPUT | flag
    assert pin.pull == pull


@pytest.mark.parametrize("level", [0, 1])
def test_an_output_has_its_level_from_the_start(desk: Desk, level: int) -> None:
    pin = desk.factory.pin(4)
    pin.output_with_state(level)
    assert desk.gpio.log == [("take", 4, OUTPUT)]
    assert (pin.function, pin.state, desk.gpio.lines[4].level) == ("output", level, level)
    pin.state = 1 - level
    assert desk.gpio.lines[4].level == 1 - level


@pytest.mark.parametrize(
    ("name", "value"),
    [("function", "alt0"), ("pull", "sideways"), ("state", 1), ("edges", "sharp")],
)
def test_unsupported_pin_settings_are_refused(desk: Desk, name: str, value: object) -> None:
    with pytest.raises(PinError):
        setattr(desk.factory.pin(4), name, value)


def test_an_output_has_no_pull(desk: Desk) -> None:
    pin = desk.factory.pin(4)
    pin.output_with_state(0)
    with pytest.raises(PinError):
        pin.pull = "up"


def test_all_usual_names_of_pins_are_accepted(desk: Desk) -> None:
    pins = [desk.factory.pin(name) for name in (4, "4", "GPIO4", "bcm4")]
    assert all(pin is pins[0] for pin in pins)
    with pytest.raises(PinError):
        desk.factory.pin("J8:7")


# ---------------------------------------------------------------- edges


def test_an_edge_has_the_kernels_time_and_level(desk: Desk) -> None:
    desk.watched()
    assert desk.gpio.lines[4].flags == INPUT | PULL_UP | BOTH
    desk.gpio.pull(4, 0)
    assert desk.told.get(timeout=WAIT_S) == (10.0, 0)
    desk.now = 10.25
    desk.gpio.pull(4, None)
    assert desk.told.get(timeout=WAIT_S) == (10.25, 1)


def test_edges_of_several_lines_come_in_order(desk: Desk) -> None:
    held, go = threading.Event(), threading.Event()

    def first(ticks: float, state: int) -> None:
        held.set()
        assert go.wait(WAIT_S)

    desk.watched(4).when_changed = first
    desk.watched(5), desk.watched(6)
    desk.gpio.pull(4, 0)
    assert held.wait(WAIT_S)
    for at, number in ((3.0, 6), (2.0, 5), (1.0, 6)):
        desk.now = at
        desk.gpio.pull(number, 1 - desk.gpio.lines[number].level)
    go.set()
    assert [desk.told.get(timeout=WAIT_S)[0] for _ in range(3)] == [1.0, 2.0, 3.0]


def test_all_pins_share_one_thread_that_ends_on_close(desk: Desk) -> None:
    before = threading.active_count()
    for number in range(4, 20):
        desk.watched(number)
    assert threading.active_count() == before + 1
    desk.factory.close()
    assert threading.active_count() == before
    desk.factory = Desk().factory


def test_an_unwatched_pin_reports_nothing(desk: Desk) -> None:
    pin = desk.watched()
    pin.when_changed = None
    assert desk.gpio.lines[4].flags == INPUT | PULL_UP
    desk.gpio.pull(4, 0)
    desk.watched(5)
    desk.gpio.pull(5, 0)
    assert desk.told.get(timeout=WAIT_S) == (10.0, 0)
    assert desk.told.empty()


def test_a_line_is_watched_again_after_being_an_output(desk: Desk) -> None:
    pin = desk.watched()
    pin.output_with_state(1)
    pin.input_with_pull("up")
    desk.gpio.pull(4, 0)
    assert desk.told.get(timeout=WAIT_S) == (10.0, 0)


def test_a_closed_pin_can_be_watched_again(desk: Desk) -> None:
    desk.watched().close()
    desk.watched()
    desk.gpio.pull(4, 0)
    assert desk.told.get(timeout=WAIT_S) == (10.0, 0)


def test_an_error_in_one_callback_does_not_silence_the_others(
    desk: Desk, capfd: pytest.CaptureFixture[str]
) -> None:
    def fails(ticks: float, state: int) -> None:
        raise ValueError("not ours")

    desk.watched(4).when_changed = fails
    desk.watched(5)
    desk.gpio.pull(4, 0)
    desk.gpio.pull(5, 0)
    assert desk.told.get(timeout=WAIT_S) == (10.0, 0)
    assert "not ours" in capfd.readouterr().err


def test_a_chip_that_vanishes_does_not_keep_the_thread_awake(
    desk: Desk, capfd: pytest.CaptureFixture[str]
) -> None:
    pin = desk.watched()
    desk.gpio.vanish()
    wait_until(lambda: not desk.factory.watch._lines)
    assert "the GPIO chip is gone" in capfd.readouterr().err
    pin.close()


# ---------------------------------------------------------------- wires


# ---------------------------------------------------------------- the setting


def test_the_kernels_gpio_is_the_default_if_there_is_one() -> None:
    factory = open_pins("auto", FakeGpio(time.monotonic))
    assert isinstance(factory, KernelFactory)
    factory.close()


def test_the_setting_kernel_accepts_no_other_gpio() -> None:
    with pytest.raises(NoChipError):
        open_pins("kernel", FakeGpio(time.monotonic, label=""))


def test_gpiozero_chooses_the_pins_if_the_kernel_has_no_gpio(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    factory = open_pins("auto", FakeGpio(time.monotonic, label=""))
    assert type(factory).__name__ == "MockFactory"
    factory.close()


def test_a_chip_without_permission_is_an_error_even_with_auto() -> None:
    with pytest.raises(ChipError, match="group gpio"):
        open_pins("auto", FakeGpio(time.monotonic, denied=True))


@pytest.mark.parametrize("choice", ["lgpio", "rpigpio", "pigpio"])
def test_a_configured_library_is_used(choice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def fake(module: str) -> Any:
        asked.append(module)
        raise ImportError(module)

    monkeypatch.setattr("companion.devices.gpio.pins.import_module", fake)
    with pytest.raises(ImportError):
        open_pins(parse_config(f'[keys]\npins = "{choice}"', "c.toml").keys.pins)
    assert asked == [f"gpiozero.pins.{choice}"]


def test_an_unknown_pin_library_is_refused() -> None:
    with pytest.raises(ConfigError, match="pins must be auto or kernel or lgpio"):
        parse_config('[keys]\npins = "wiringpi"', "c.toml")
