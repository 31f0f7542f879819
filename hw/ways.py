# SPDX-License-Identifier: CERN-OHL-P-2.0
"""The four ways to build a box, and the choices in each: the Raspberry Pi, and the screen with its
keys. Parts, prints and configuration depend on the choice."""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.devices.board import load_board
from hw.case_make import BIG, BOARD, BOX, SEAT, Case


@dataclass(frozen=True, slots=True)
class Computer:
    """A Raspberry Pi. `sockets`: the number of its USB sockets; `needs_adapter`: whether they are
    micro USB."""

    title: str
    sockets: int
    needs_adapter: bool = False


COMPUTERS = {
    "pi4": Computer("Raspberry Pi 4", 4),
    "pi3": Computer("Raspberry Pi 3B+", 4),
    "zero": Computer("Raspberry Pi Zero 2 WH", 1, needs_adapter=True),
    "pi5": Computer("Raspberry Pi 5", 4),
}
"""The computers, by their names in case/parts.toml; the building guide recommends the first."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A display or the board that it is on. `driver`: the driver of a bare display, empty for
    others; it must be configured if the board's file names a different one."""

    title: str
    driver: str = ""


SCREENS = {
    "tv": Screen("TV and number pad"),
    "waveshare": Screen("Waveshare 1.3inch OLED HAT"),
    "adafruit": Screen("Adafruit 128x64 OLED Bonnet"),
    "oled13": Screen("1.3 inch display", "sh1106"),
    "oled096": Screen("0.96 inch display", "ssd1306"),
    "oled242": Screen("2.42 inch display", "ssd1309"),
}
SEATS = 4
"""The usual number of players, each of whom may have a keypad or a number pad."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to build. `boards`: for each screen, the name of its board in hw/boards, empty if
    nothing is wired. `cases`: the printed cases; empty if a case is bought. `devices`: the most
    number pads or keypads on USB, at most one for each seat."""

    title: str
    page: str
    boards: dict[str, str]
    cases: tuple[Case, ...]
    devices: int = 0


WAYS = {
    "plug": Way(
        "Nothing to wire",
        "nothing-to-wire.md",
        {"tv": "", "waveshare": "waveshare-1.3-hat", "adafruit": "adafruit-bonnet"},
        (),
        devices=1,
    ),
    "keypad": Way(
        "Matrix keypad",
        "matrix-keypad.md",
        dict.fromkeys(("oled13", "oled096", "oled242"), "keypad-4x4"),
        (BOX, BIG),
    ),
    "board": Way(
        "Sixteen keys",
        "sixteen-keys.md",
        dict.fromkeys(("oled13", "oled096"), "keys-16"),
        (BOARD,),
    ),
    "seat": Way("Keypad at a seat", "seat-keypad.md", {}, (SEAT,), devices=SEATS),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """A way to build, with a computer and a screen. For the keypad at a seat, there is no screen,
    and the computer is that of the box."""

    way: str
    computer: str
    screen: str = ""

    def needs(self, words: frozenset[str]) -> bool:
        """Returns whether this choice needs a part that is marked with these words. A part marked
        with names of computers or screens is needed only with one of those; a part marked
        `optional` is never needed."""
        if "optional" in words:
            return False
        return all(
            chosen in words or not words & known
            for chosen, known in ((self.computer, {*COMPUTERS}), (self.screen, {*SCREENS}))
        )


def choices(way: str) -> Iterator[Choice]:
    """Yields every choice that one way to build offers, the recommended one first."""
    for screen in WAYS[way].boards or ("",):
        for computer in COMPUTERS:
            yield Choice(way, computer, screen)


def recommended(way: str) -> Choice:
    """Returns the choice of a way that the guide recommends, and names first."""
    return next(choices(way))


def prints_of(choice: Choice) -> list[str]:
    """Returns the names of the STL files of a choice: base and lid; an empty list if nothing is
    printed."""
    form = {"model": choice.computer, "oled_model": choice.screen}
    for case in WAYS[choice.way].cases:
        if not choice.screen or choice.screen in case.choices["oled_model"]:
            return [
                "-".join((case.scad.stem, show, *(form[name] for name in case.bodies[show])))
                for show in ("base", "lid")
            ]
    return []


def configuration(choice: Choice) -> dict[str, str]:
    """Returns the line that a choice needs in each section of companion.toml. The driver is left
    out if the board's file already has it."""
    board = WAYS[choice.way].boards.get(choice.screen)
    if not board:
        return {}
    lines = {"box": f'board = "{board}"'}
    driver = SCREENS[choice.screen].driver
    if driver and driver != load_board(board).display.driver:
        lines["display"] = f'driver = "{driver}"'
    return lines


def bus_of(choice: Choice) -> str:
    """Returns the bus that has to be switched on for a choice's display, `i2c` or `spi`; empty if
    there is none."""
    board = WAYS[choice.way].boards.get(choice.screen)
    return load_board(board).display.interface if board else ""


def devices_on_usb(choice: Choice) -> int:
    """Returns the minimum number of USB number pads or keypads that a choice needs."""
    if choice.way == "plug":
        return 1 if choice.screen == "tv" else 0
    return WAYS[choice.way].devices
