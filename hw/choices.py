# SPDX-License-Identifier: CERN-OHL-P-2.0
"""Generates Markdown tables of the printed parts and the settings that each choice needs."""

from dataclasses import replace

from hw.tables import markdown
from hw.ways import COMPUTERS, SCREENS, WAYS, bus_of, configuration, prints_of, recommended

BUS = {
    "i2c": "`sudo raspi-config nonint do_i2c 0`",
    "spi": "`sudo raspi-config nonint do_spi 0`",
    "": "none",
}
"""For each bus, the command of Raspberry Pi OS that switches it on."""


def prints_table(way: str) -> str:
    """Returns a table of the STL files that each choice of a way to build needs."""
    first = recommended(way)
    if not first.screen:
        return markdown(("base", "lid"), [_files(prints_of(first))])
    screens = WAYS[way].boards
    rows = [
        (
            one.title,
            *(
                "<br>".join(_files(prints_of(replace(first, computer=name, screen=screen))))
                for screen in screens
            ),
        )
        for name, one in COMPUTERS.items()
    ]
    return markdown(("", *(SCREENS[screen].title for screen in screens)), rows)


def _files(names: list[str]) -> list[str]:
    return [f"`{name}.stl`" for name in names]


def settings_table(way: str) -> str:
    """Returns a table of the settings that each choice needs, and the command that switches its
    display's bus on."""
    first = recommended(way)
    rows = []
    for screen in WAYS[way].boards:
        choice = replace(first, screen=screen)
        lines = configuration(choice)
        told = [f"`[{section}]`: `{line}`" for section, line in lines.items()]
        rows.append((SCREENS[screen].title, "<br>".join(told) or "none", BUS[bus_of(choice)]))
    return markdown(("you chose", "lines", "bus on Raspberry Pi OS"), rows)
