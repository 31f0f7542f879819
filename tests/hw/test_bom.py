"""The shopping list has what the boards need, and the guide's sums agree with it."""

import re
import tomllib
from decimal import Decimal

import pytest

from companion.devices.board import Direct, Matrix
from companion.devices.board_file import load_board
from hw.board.layout import LAYOUT, BoardPart, bill
from hw.bom import WAYS, cost, load_bom, parts_for
from hw.case_make import prints
from hw.guide import GUIDE
from hw.parts import CASE
from hw.seat import load_seat_keypad

BOARDS = {"hat": "waveshare-1.3-hat", "keypad": "keypad-4x4", "board": "keys-16"}


def words(way: str) -> str:
    """All parts that one way to build takes, and how each is ordered."""
    return "\n".join(f"{part.name}: {part.order}" for _, part in parts_for(way))


def substitutes(way: str) -> str:
    """The substitutes that the parts list names for one way to build."""
    return "\n".join(part.instead for _, part in parts_for(way))


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
    assert display.driver.upper() in words(way) + substitutes(way)
    assert {"i2c": "I²C", "spi": "SPI"}[display.interface] in words(way)


@pytest.mark.parametrize("way", ["pad", *BOARDS])
def test_a_box_has_a_computer_with_its_header_power_and_a_card(way: str) -> None:
    for name in ("Raspberry Pi", "Power supply", "microSD card"):
        assert count(way, name) == 1


@pytest.mark.parametrize("way", ["pad", *BOARDS])
def test_the_computer_that_is_named_first_has_a_case_and_sockets(way: str) -> None:
    row = next(part for _, part in parts_for(way) if part.name == "Raspberry Pi")
    named = re.findall(r"\b(Zero|\d)(A?)", row.order.split(":")[0])
    printed = {form.removeprefix("pi") for one in prints() for form in one.name.split("-")}
    assert named
    for model, small in named:
        assert not small, "one with an A in its name has another board, and one USB socket"
        assert model.lower() in printed


DISPLAYS = {"1.3 inch": "oled13", "0.96 inch": "oled096", "2.42 inches": "oled242"}
"""The displays that the list names, by their sections in case/parts.toml."""


def test_each_display_has_the_screws_that_cut_into_its_pilots() -> None:
    told = tomllib.loads((CASE / "parts.toml").read_text("utf-8"))
    shell = (CASE / "shell.scad").read_text("utf-8")
    assert 'get(oled, "hole") * 0.8' in shell
    orders = {part.name: part.order for _, part in parts_for("keypad")}
    assert orders["OLED display"].startswith("1.3 inch")
    (screw,) = [part for _, part in parts_for("keypad") if "1.3 inch display" in part.order]
    assert screw.name == "Screw M3 × 4"
    assert count("keypad", screw.name) == 4
    for size, section in DISPLAYS.items():
        (named,) = [one for one in (f"{screw.name} {screw.order}", *screw.instead.split("; "))
                    if size in one]  # fmt: skip
        hole = told[section]["hole"]
        # It passes through the display, and cuts its thread into the pilot.
        (thick,) = map(int, re.findall(r"M(\d) ×", named))
        assert hole * 0.8 < thick <= hole, size


def test_the_circuit_board_has_a_switch_and_a_cap_for_each_key() -> None:
    keys = load_board(BOARDS["board"]).keys
    assert isinstance(keys, Direct)
    assert count("board", "Key switch") == count("board", "Keycap") == len(keys.pins)


@pytest.mark.parametrize(("refs", "one"), bill(), ids=lambda one: getattr(one, "what", None))
def test_each_part_of_the_circuit_board_is_on_the_list(refs: list[str], one: BoardPart) -> None:
    order = f"{one.maker} {one.number}".strip() or "OLED 128×64"
    assert [pieces for pieces, part in parts_for("board") if order in part.order] == [len(refs)]
    assert not any(order in words(way) for way in WAYS if way != "board" and one.number)


def test_the_list_has_no_soldered_part_that_the_circuit_board_lacks() -> None:
    only = {
        part.name for part in load_bom() if [w for w in WAYS if part.quantities[w]] == ["board"]
    }
    numbers = [one.number for _, one in bill() if one.number]
    on_board = {p.name for _, p in parts_for("board") if any(one in p.order for one in numbers)}
    assert only - on_board == {"Circuit board", "Keycap", "Spacer", "Foam"}


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


def test_a_buzzer_on_a_pin_of_the_pico_has_no_coil() -> None:
    # 12 mA is what a pin gives; 16 Ω take 200.
    row = next(part for _, part in parts_for("seat") if part.name == "Passive buzzer")
    assert "piezo" in row.order
    assert not re.search("KY-006|KY-012", row.order)


@pytest.mark.parametrize(
    ("way", "said", "on_the_list"),
    [
        ("hat", "card", "Card reader"),
        ("pad", "number pad", "Number pad"),
        ("pad", "HDMI", "HDMI cable"),
        ("pad", "adapter", "USB adapter"),
        ("keypad", "card", "Card reader"),
        ("board", "card", "Card reader"),
        ("board", "foam", "Foam"),
        ("seat", "glue", "Glue"),
        ("seat", "cable tie", "Cable tie"),
        ("seat", "hub", "USB hub"),
        ("seat", "330 Ω", "Resistor 330 Ω"),
    ],
)
def test_what_the_guide_tells_one_to_take_is_on_the_list(
    way: str, said: str, on_the_list: str
) -> None:
    guides = (GUIDE, GUIDE.parent / "board" / "README.md")
    assert any(said in guide.read_text(encoding="utf-8") for guide in guides)
    assert count(way, on_the_list)


def test_the_screws_are_those_that_pass_between_the_keys() -> None:
    row = next(part for _, part in parts_for("board") if part.name == "Screw M2.5 × 5")
    assert "cheese head" in row.order
    assert f"{LAYOUT['screws']['head']:g} mm" in row.order


@pytest.mark.parametrize("way", WAYS)
def test_the_guide_s_sums_are_right(way: str) -> None:
    text = GUIDE.read_text(encoding="utf-8")
    table = re.search(rf"<!-- parts: {way} -->\n(.*?)<!-- end -->", text, re.DOTALL)
    assert table, way
    *prices, together = re.findall(r"(\d+\.\d\d)\*{0,2} \|", table[1])
    assert sum(map(Decimal, prices)) == Decimal(together) == cost(way)


def test_what_takes_no_soldering_has_nothing_to_solder() -> None:
    for way in ("pad", "hat", "keypad", "seat"):
        assert "solder" not in words(way).replace("soldered on", "")
