"""Checks the display's bus: is it there, may it be used, and does the display answer on it?"""

import errno
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace

from companion.check.bench import Bench
from companion.check.board import pins, rights
from companion.check.finding import Finding, fault, not_tried, ok
from companion.devices.board import Display

ADDRESSES = (0x3C, 0x3D)
"""Addresses at which such displays answer, by a solder bridge. Source: SSD1306 data sheet,
8.1.5."""

NOTHING = 0xE3
"""The command that does nothing, on both controllers. Source: their data sheets."""

_SILENT = (errno.EREMOTEIO, errno.ENXIO, errno.EIO)


def check_bus(bench: Bench) -> Iterator[Finding]:
    """Checks the device node, the right to use it, and on I²C whether the display answers."""
    if bench.board is None:
        yield not_tried("see board")
        return
    display = bench.board.display
    node = bench.machine.root / "dev" / display.node
    if not node.exists():
        yield fault(f"there is no /dev/{node.name}", _enabling(display))
        return
    group = "video" if display.on_screen else display.interface
    if refused := list(rights(bench, node, group)):
        yield from refused
        return
    if display.on_screen:
        yield ok(f"/dev/{node.name} is there: the picture goes to the screen")
        return
    if display.interface == "i2c":
        yield from _i2c(bench, display)
    else:
        said = f"/dev/{node.name} is there; nothing answers on SPI"
        yield ok(f"{said}: the display's picture must tell")


def _enabling(display: Display) -> str:
    if display.on_screen:
        return "plug the screen into HDMI, switch it on, and reboot"
    if display.interface == "spi":
        return "sudo raspi-config → Interface Options → SPI → Yes, then reboot"
    if display.bus == 1:
        return "sudo raspi-config → Interface Options → I2C → Yes, then reboot"
    return f"set [display] bus = 1, or enable I²C bus {display.bus} in config.txt"


def _i2c(bench: Bench, display: Display) -> Iterator[Finding]:
    reason = _silence(bench, display)
    name = f"/dev/i2c-{display.bus}"
    if reason is None:
        yield ok(f"a display answers at 0x{display.address:02X} on {name}")
        return
    others = [one for one in ADDRESSES if one != display.address]
    found = [one for one in others if _silence(bench, replace(display, address=one)) is None]
    if found:
        yield fault(
            f"nothing answers at 0x{display.address:02X} on {name}, but something at "
            f"0x{found[0]:02X}",
            f"the display answers at 0x{found[0]:02X}: set [display] address = 0x{found[0]:02X}",
        )
    else:
        yield _unanswered(display, name, reason)


def _unanswered(display: Display, name: str, reason: BaseException) -> Finding:
    if not _is_silence(reason):
        return fault(
            f"{name} does not work: {reason}",
            "is SDA or SCL wired to ground, or to each other? Power the Pi off and look",
        )
    tried = " and ".join(f"0x{one:02X}" for one in sorted({display.address, *ADDRESSES}))
    return fault(
        f"nothing answers on {name} at {tried}",
        "look at the display's four wires: 3V3 (pin 1), ground (6), SDA (3), SCL (5)",
    )


def _silence(bench: Bench, display: Display) -> BaseException | None:
    """The error if no display answers at its address; None if one does."""
    on_pins = display.reset_pin is not None
    try:
        with pins(bench) if on_pins else nullcontext() as factory:
            bus = bench.machine.bus_of(display, factory)()
            try:
                bus.command(NOTHING)
            finally:
                bus.cleanup()
    except Exception as error:  # OSError, and luma's, which has no base of its own in common
        return error
    return None


def _is_silence(error: BaseException) -> bool:
    """Whether the bus works and there was just no answer on it. luma hides the cause of its
    errors."""
    cause = error if isinstance(error, OSError) else error.__context__
    return isinstance(cause, OSError) and cause.errno in _SILENT
