"""Every choice that the building guide offers can be built: it has a case, its screws, sockets for
what is plugged in, and a configuration that starts."""

import re
import time
import tomllib
from contextlib import closing
from typing import cast

import pytest

from companion.app.config import parse_config
from companion.console.frame import Canvas
from companion.console.screen_saver import PanelFrame
from companion.devices.board import DirectKeys, known_boards, load_board
from companion.devices.display.panel import LumaPanel
from companion.devices.gpio.debounce import Edge
from companion.devices.gpio.keypad import open_keys
from companion.devices.gpio.pins import open_pins
from hw.bom import cost, load_bom, parts_for, parts_of, sockets_table
from hw.case_make import MODELS, prints
from hw.guide import HW
from hw.parts import CASE
from hw.ways import (
    COMPUTERS,
    SCREENS,
    SEATS,
    WAYS,
    Choice,
    bus_of,
    choices,
    configuration,
    devices_on_usb,
    prints_of,
)
from tests.fake_gpio import FakeGpio
from tests.fake_oled import Chip, FakeOled
from tests.test_deb import config_text

ALL = [choice for way in WAYS for choice in choices(way)]
each = pytest.mark.parametrize(
    "choice", ALL, ids=lambda one: f"{one.way}-{one.computer}-{one.screen}"
)
PARTS = tomllib.loads((CASE / "parts.toml").read_text("utf-8"))


def pieces(choice: Choice, name: str) -> int:
    """The number of parts that a choice needs, of those whose names begin like this."""
    return sum(number for number, part in parts_for(choice) if part.name.startswith(name))


@each
def test_every_choice_has_a_case(choice: Choice) -> None:
    names = prints_of(choice)
    assert {*names} <= {one.name for one in prints()}
    assert len(names) == 2 or pieces(choice, "Case to buy")
    page = (HW / WAYS[choice.way].page).read_text("utf-8")
    assert all(f"`{name}.stl`" in page for name in names)
    assert bool(names) == bool(pieces(choice, "Filament"))


@each
def test_every_printed_part_has_its_screws(choice: Choice) -> None:
    if not prints_of(choice):
        assert not pieces(choice, "Screw")
        return
    assert pieces(choice, "Screw M3 × 10") == 4, "the lid"
    if choice.way == "seat":
        assert pieces(choice, "Screw M2 × 4") == 2
        return
    holes = len(PARTS[choice.computer]["holes"])
    assert pieces(choice, "Screw M2.5") == (holes if choice.way == "keypad" else 4 + holes + 3)


@pytest.mark.parametrize("screen", WAYS["keypad"].boards)
def test_every_display_has_screws_for_its_pilot_holes(screen: str) -> None:
    assert 'get(oled, "hole") * 0.8' in (CASE / "shell.scad").read_text("utf-8")
    (screw,) = [
        (number, part)
        for number, part in parts_for(Choice("keypad", "pi4", screen))
        if part.order.endswith("for the display")
    ]
    (thick,) = map(int, re.findall(r"M(\d) ×", screw[1].name))
    hole = PARTS[screen]["hole"]
    # It passes through the display, or beside it, and cuts its thread into the pilot.
    assert screw[0] == 4 and hole * 0.8 < thick <= hole


@each
def test_every_choice_has_one_computer_a_power_supply_and_a_card(choice: Choice) -> None:
    box = choice.way != "seat"
    for name in ("Raspberry Pi", "Power supply", "microSD card"):
        assert pieces(choice, name) == (box or name == "Raspberry Pi"), name


@each
def test_missing_sockets_come_from_a_hub_or_an_adapter(choice: Choice) -> None:
    computer, devices = COMPUTERS[choice.computer], devices_on_usb(choice)
    if devices > computer.sockets:
        assert pieces(choice, "USB hub")
    elif devices and computer.needs_adapter:
        assert pieces(choice, "USB adapter")
    else:
        assert not pieces(choice, "USB hub") and not pieces(choice, "USB adapter")


@pytest.mark.parametrize("way", ["plug", "seat"])
def test_the_page_names_the_hub_of_a_computer_with_few_sockets(way: str) -> None:
    rows = sockets_table(way).splitlines()[2:]
    for (name, one), row in zip(COMPUTERS.items(), rows, strict=True):
        assert ("hub" in row) == (one.sockets < SEATS), name
    assert any(part.name == "USB hub with OTG plug" for _, part in parts_of(way))


def with_lines(text: str, lines: dict[str, str]) -> str:
    """A configuration to which these lines were added as the pages describe."""
    for section, line in lines.items():
        text = re.sub(rf"^# {line.partition(' ')[0]} = .*\n", "", text, flags=re.MULTILINE)
        heading = rf"^(# )?\[{section}\].*$"
        text, found = re.subn(heading, f"[{section}]\n{line}", text, flags=re.MULTILINE)
        assert found == 1, section
    return text


ON_CARD = HW.parent / "systemd" / "image" / "fat" / "companion.toml"


@pytest.mark.parametrize("text", [config_text(), ON_CARD.read_text("utf-8")], ids=["deb", "card"])
@each
def test_the_generated_configuration_starts_on_the_fake_board(choice: Choice, text: str) -> None:
    lines = configuration(choice)
    if not WAYS[choice.way].boards.get(choice.screen):
        assert not lines
        return
    text = with_lines(text, lines)
    config = parse_config(text, "companion.toml")
    board = load_board(config.box.board, config.display, "companion.toml")
    glass, canvas, edges = FakeOled(cast("Chip", board.display.driver)), Canvas(), list[Edge]()
    canvas.text(0, 0, "Red leads")
    gpio = FakeGpio(time.monotonic)
    panel = LumaPanel(board.display.driver, glass.open)
    with closing(open_pins("kernel", gpio)) as factory:
        with closing(open_keys(board.keys, edges.append, time.monotonic, factory)):
            lines_of_keys = (
                board.keys.pins.values() if isinstance(board.keys, DirectKeys) else board.keys.rows
            )
            assert all(gpio.is_taken(line) for line in lines_of_keys)
        with closing(panel):
            panel.open()
            panel.show(PanelFrame(canvas.frame()))
            assert glass.seen == canvas.frame().pixels
    assert board.display.driver == (SCREENS[choice.screen].driver or board.display.driver)


def test_every_board_print_and_part_is_in_a_choice() -> None:
    assert {board for way in WAYS.values() for board in way.boards.values()} - {""} == {
        *known_boards()
    }
    assert {name for choice in ALL for name in prints_of(choice)} == {one.name for one in prints()}
    assert {*COMPUTERS} == {*MODELS}
    named = [part for way in WAYS for _, part in parts_of(way)]
    assert all(part in named for part in load_bom())
    needed = [part for choice in ALL for _, part in parts_for(choice)]
    assert all(part in needed or "optional" in part.wanted_by for part in named)
    known = {*COMPUTERS, *SCREENS, "optional"}
    assert all(part.wanted_by <= known for part in named)


@each
def test_the_parts_of_a_choice_include_its_display_with_the_right_bus(choice: Choice) -> None:
    words = "\n".join(part.order for _, part in parts_for(choice))
    board = WAYS[choice.way].boards.get(choice.screen)
    if board:
        driver = SCREENS[choice.screen].driver or load_board(board).display.driver
        assert driver.upper() in words
        assert {"i2c": "I²C", "spi": "SPI"}[bus_of(choice)] in words
    assert cost(choice) > 0


def test_card_sizes_match_the_release() -> None:
    (card,) = [part for part in load_bom() if part.name == "microSD card"]
    (least,) = re.findall(r"of (\d+) GB or more", card.instead)
    start = (HW.parent / "systemd" / "release" / "start-here.md").read_text("utf-8")
    assert re.findall(r"card\s+of\s+(\d+)\s+GB", start) == [least]
    (advised,) = re.findall(r"(\d+) GB or more", card.order)
    assert int(advised) >= int(least)
    for page in sorted(HW.glob("*.md")):
        sizes = {*re.findall(r"(\d+) GB or more(?:, A1| that you)", page.read_text("utf-8"))}
        assert sizes <= {least, advised}, page.name
