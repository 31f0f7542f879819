"""The shopping list has what the boards need, and the guide's sums are its sums."""

import re
import tomllib
from collections import Counter
from decimal import Decimal

import pytest

from companion.devices.board import Direct, Matrix, load_board
from hw.bom import FILE, WAYS, cost, load_bom, parts_for
from hw.guide import GUIDE
from hw.seat import load_seat_keypad

BOARDS = {"hat": "waveshare-1.3-hat", "keypad": "keypad-4x4", "board": "keys-16"}


def words(way: str) -> str:
    """Everything that the list says of what one way takes."""
    return "\n".join(f"{part.name}: {part.order}" for _, part in parts_for(way))


def count(way: str, name: str) -> int:
    return sum(quantity for quantity, part in parts_for(way) if part.name == name)


def test_every_part_is_complete_and_used() -> None:
    parts = load_bom()
    assert len({part.name for part in parts}) == len(parts)
    for part in parts:
        assert part.name and part.order, part
        assert part.price > 0, part
        assert any(part.quantities.values()), part
        assert min(part.quantities.values()) >= 0, part


@pytest.mark.parametrize(("way", "board"), BOARDS.items())
def test_a_way_has_its_board_s_display(way: str, board: str) -> None:
    display = load_board(board).display
    assert display.driver.upper() in words(way)
    assert {"i2c": "I²C", "spi": "SPI"}[display.interface] in words(way)


@pytest.mark.parametrize("way", BOARDS)
def test_a_box_has_a_computer_with_its_header_power_and_a_card(way: str) -> None:
    for name in ("Raspberry Pi Zero 2 WH", "Power supply", "microSD card"):
        assert count(way, name) == 1


def test_the_circuit_board_has_a_switch_and_a_cap_for_each_key() -> None:
    keys = load_board(BOARDS["board"]).keys
    assert isinstance(keys, Direct)
    assert count("board", "Key switch") == count("board", "Keycap") == len(keys.pins)


def test_the_circuit_board_s_parts_are_all_there() -> None:
    told = tomllib.loads((FILE.parent / "board" / "parts.toml").read_text(encoding="utf-8"))
    wanted: Counter[str] = Counter()
    for name, part in told.items():
        number = told[part.get("same", name)].get("number")
        if number:
            wanted[number] += 16 if name == "keys" else 1
    assert len(wanted) >= 8
    for number, quantity in wanted.items():
        listed = [pieces for pieces, part in parts_for("board") if number in part.order]
        assert listed == [quantity], number


@pytest.mark.parametrize("way", ["keypad", "seat"])
def test_a_matrix_keypad_has_its_wires(way: str) -> None:
    keys = load_seat_keypad().keys if way == "seat" else load_board(BOARDS[way]).keys
    assert isinstance(keys, Matrix)
    assert f"{len(keys.rows)}×{len(keys.columns)}" in words(way)
    assert count(way, "Wires pin to socket") * 10 >= len(keys.rows) + len(keys.columns)


def test_a_seat_has_what_its_file_names() -> None:
    light = load_seat_keypad().light
    row = next(part for _, part in parts_for("seat") if part.name == "RGB LED")
    assert f"common {light.common}" in row.order
    assert f"{light.ohms} Ω" in row.instead
    assert count("seat", "Raspberry Pi Pico H") == count("seat", "Passive buzzer") == 1


@pytest.mark.parametrize("way", WAYS)
def test_the_guide_s_sums_are_right(way: str) -> None:
    text = GUIDE.read_text(encoding="utf-8")
    table = re.search(rf"<!-- parts: {way} -->\n(.*?)<!-- end -->", text, re.DOTALL)
    assert table, way
    *prices, together = re.findall(r"(\d+\.\d\d)\*{0,2} \|", table[1])
    assert sum(map(Decimal, prices)) == Decimal(together) == cost(way)


def test_what_takes_no_soldering_has_nothing_to_solder() -> None:
    for way in ("hat", "keypad", "seat"):
        assert "solder" not in words(way).replace("soldered on", "")
