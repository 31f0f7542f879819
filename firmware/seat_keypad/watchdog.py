"""Stops the watchdog, which MicroPython can only start, so that the prompt after Ctrl-C keeps
running."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import MutableMapping

CLEAR = {"RP2040": 0x4005B000, "RP2350": 0x400DB000}
"""For each chip, the address at which bits of WATCHDOG_CTRL are cleared: the registers' base plus
0x3000, the offset for clearing bits. Sources: RP2040 datasheet 4.7.6 and 2.1.2, RP2350 datasheet
12.9.7 and 2.1.3."""
_ENABLE = 1 << 30


def stop(machine_name: str, mem32: "MutableMapping[int, int]") -> None:
    """Stops the watchdog. `machine_name` has the chip's name, as in `sys.implementation._machine`;
    for an unknown chip nothing is written. `mem32` is the memory, such as `machine.mem32`."""
    for chip, address in CLEAR.items():
        if chip in machine_name:
            mem32[address] = _ENABLE
