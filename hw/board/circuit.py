# SPDX-License-Identifier: CERN-OHL-P-2.0
"""The circuit: the connections between the parts' pins. Run in an empty folder, as `python -m
hw.board.circuit SYMBOLS`, it writes the netlist `circuit.net` there.

Each key is between its GPIO and ground, as in hw/boards/keys-16.toml. README.md explains the rest.
"""

import os
import re
import sys
from pathlib import Path
from typing import Any

from hw.board.layout import extra_pins, key_pins, parts

NETLIST = "circuit.net"


class Circuit:
    """The parts, and the nets that join their pins. `part`: the parts by their names; `gpio`: the
    Pi's pins by their GPIO numbers."""

    def __init__(self, skidl: Any) -> None:
        self._skidl = skidl
        self._nets: dict[str, Any] = {}
        self.part: dict[str, Any] = {}
        for one in parts():
            library, name = one.symbol.split(":")
            self.part[one.ref] = skidl.Part(
                library, name, ref=one.ref, value=one.value, footprint=one.footprint, tag=one.ref
            )
        self.gpio: dict[int, Any] = {}
        for pin in self.part["J1"].pins:
            if found := re.search(r"GPIO(\d+)", pin.name):
                self.gpio[int(found[1])] = pin
            else:
                self.join(pin.name, pin)  # GND, 3V3 and 5V

    def join(self, net: str, *pins: Any) -> None:
        """Joins these pins to the net of that name."""
        if net not in self._nets:
            self._nets[net] = self._skidl.Net(net)
        self._nets[net].connect(*pins)

    def keys(self) -> None:
        """Joins each key between its GPIO line and ground."""
        for number, (key, where) in enumerate(key_pins().items(), start=1):
            self.join(f"KEY_{key}", self.gpio[where], self.part[f"SW{number}"][1])
            self.join("GND", self.part[f"SW{number}"][2])

    def display(self) -> None:
        """Joins the display; two jumpers decide which of its first two pins is ground."""
        display, first, second = (self.part[ref] for ref in ("J2", "JP1", "JP2"))
        self.join("OLED_1", display[1], first[2])
        self.join("OLED_2", display[2], second[2])
        self.join("GND", first[1], second[3])
        self.join("3V3", first[3], second[1])
        self.join("SCL", display[3], self.gpio[3])
        self.join("SDA", display[4], self.gpio[2])

    def power_key(self, power_off: int) -> None:
        """Joins the power key. Each line that it pulls down has a diode of its own, so that the
        lines don't pull each other down."""
        key, pins, start, stop = (self.part[ref] for ref in ("SW17", "J3", "D1", "D2"))
        self.join("POWER_KEY", key[1], pins[1], start["K"], stop["K"])
        self.join("GND", key[2], pins[2])
        self.join("SCL", start["A"])
        self.join("POWER_OFF", stop["A"], self.gpio[power_off])

    def buzzer(self, line: int) -> None:
        """Joins the buzzer, which a transistor switches, with a diode across it."""
        base, switch, buzzer, across = (self.part[ref] for ref in ("R1", "Q1", "BZ1", "D3"))
        self.join("BUZZER", self.gpio[line], base[1])
        self.join("BUZZER_BASE", base[2], switch["B"])
        self.join("BUZZER_LOW", switch["C"], buzzer[2], across["A"])
        self.join("5V", buzzer[1], across["K"])
        self.join("GND", switch["E"])

    def leave_free(self) -> None:
        """Marks every unconnected line of the Pi as intentionally free."""
        for pin in self.gpio.values():
            if not pin.is_connected():
                self.part["J1"].circuit.NC.connect(pin)


def connect(symbols: Path) -> None:
    """Makes the circuit and writes its netlist. `symbols`: the folder of KiCad's symbol
    libraries."""
    os.environ["KICAD9_SYMBOL_DIR"] = str(symbols)  # read when SKiDL is loaded
    import skidl
    from skidl.logger import erc_logger

    skidl.set_default_tool(skidl.KICAD9)
    circuit, extra = Circuit(skidl), extra_pins()
    circuit.keys()
    circuit.display()
    circuit.power_key(extra["power_off"])
    circuit.buzzer(extra["buzzer"])
    circuit.leave_free()
    skidl.ERC()
    if wrong := erc_logger.error.count + erc_logger.warning.count:
        raise SystemExit(f"SKiDL finds {wrong} things wrong with the circuit; see above")
    skidl.generate_netlist(file_=NETLIST)


if __name__ == "__main__":
    connect(Path(sys.argv[1]))
