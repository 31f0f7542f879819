# SPDX-License-Identifier: CERN-OHL-P-2.0
"""The circuit: which pin of which part is connected to which. Run in an empty folder, as
`python -m hw.board.circuit SYMBOLS`, it writes the netlist `circuit.net` there.

Each key is between its GPIO and ground, as in hw/boards/keys-16.toml. README.md explains the rest.
"""

import os
import re
import sys
from pathlib import Path
from typing import Any

from hw.board.layout import extra_pins, key_pins, parts

NETLIST = "circuit.net"


def connect(symbols: Path) -> None:
    """Writes the netlist. `symbols`: the folder of KiCad's symbol libraries."""
    os.environ["KICAD9_SYMBOL_DIR"] = str(symbols)  # read when SKiDL is loaded
    import skidl
    from skidl.logger import erc_logger

    skidl.set_default_tool(skidl.KICAD9)
    part: dict[str, Any] = {}
    for one in parts():
        library, name = one.symbol.split(":")
        part[one.ref] = skidl.Part(
            library, name, ref=one.ref, value=one.value, footprint=one.footprint, tag=one.ref
        )

    nets: dict[str, Any] = {}

    def join(net: str, *pins: Any) -> None:
        if net not in nets:
            nets[net] = skidl.Net(net)
        nets[net].connect(*pins)

    gpio = {}
    for pin in part["J1"].pins:
        if found := re.search(r"GPIO(\d+)", pin.name):
            gpio[int(found[1])] = pin
        else:
            join(pin.name, pin)  # GND, 3V3 and 5V

    for number, (key, where) in enumerate(key_pins().items(), start=1):
        join(f"KEY_{key}", gpio[where], part[f"SW{number}"][1])
        join("GND", part[f"SW{number}"][2])

    # The display. The jumpers decide which of its first two pins is ground.
    display, first, second = part["J2"], part["JP1"], part["JP2"]
    join("OLED_1", display[1], first[2])
    join("OLED_2", display[2], second[2])
    join("GND", first[1], second[3])
    join("3V3", first[3], second[1])
    join("SCL", display[3], gpio[3])
    join("SDA", display[4], gpio[2])

    # The power key: a diode to each line that it pulls down, so that no line pulls another one.
    extra = extra_pins()
    join("POWER_KEY", part["SW17"][1], part["J3"][1], part["D1"]["K"], part["D2"]["K"])
    join("GND", part["SW17"][2], part["J3"][2])
    join("SCL", part["D1"]["A"])
    join("POWER_OFF", part["D2"]["A"], gpio[extra["power_off"]])

    # The buzzer.
    join("BUZZER", gpio[extra["buzzer"]], part["R1"][1])
    join("BUZZER_BASE", part["R1"][2], part["Q1"]["B"])
    join("BUZZER_LOW", part["Q1"]["C"], part["BZ1"][2], part["D3"]["A"])
    join("5V", part["BZ1"][1], part["D3"]["K"])
    join("GND", part["Q1"]["E"])

    for pin in gpio.values():
        if not pin.is_connected():
            part["J1"].circuit.NC.connect(pin)
    skidl.ERC()
    if wrong := erc_logger.error.count + erc_logger.warning.count:
        raise SystemExit(f"SKiDL finds {wrong} things wrong with the circuit; see above")
    skidl.generate_netlist(file_=NETLIST)


if __name__ == "__main__":
    connect(Path(sys.argv[1]))
