"""The shopping list has what the boards need, and the guide's sums agree with it."""

import re
from decimal import Decimal

import pytest

from companion.devices.board import DirectKeys, MatrixKeys, load_board
from hw.board.layout import LAYOUT, BoardPart, bill
from hw.bom import Part, cost, load_bom, parts_of
from hw.guide import HW
from hw.seat import load_seat_keypad
from hw.ways import WAYS, recommended

BOARDS = {"keypad": "keypad-4x4", "board": "keys-16"}


def words(way: str) -> str:
    """Returns all parts that one way to build needs, and how each is ordered."""
    return "\n".join(f"{part.name}: {part.order}" for _, part in parts_of(way))


def count(way: str, name: str) -> int:
    return sum(quantity for quantity, part in parts_of(way) if part.name == name)


def test_every_part_is_complete_and_used() -> None:
    parts = load_bom()
    assert len({(part.name, part.order) for part in parts}) == len(parts)
    for part in parts:
        assert part.name and part.order, part
        assert part.price > 0, part
        assert any(part.quantities.values()), part
        assert min(part.quantities.values()) >= 0, part


def test_the_circuit_board_has_a_switch_and_a_cap_for_each_key() -> None:
    keys = load_board(BOARDS["board"]).keys
    assert isinstance(keys, DirectKeys)
    assert count("board", "Key switch") == count("board", "Keycap") == len(keys.pins)


def parts_of_board() -> list[tuple[int, Part]]:
    """The parts of the way with the circuit board, with the display that is recommended."""
    other = {*WAYS["board"].boards} - {recommended("board").screen}
    return [(pieces, part) for pieces, part in parts_of("board") if not part.wanted_by & other]


@pytest.mark.parametrize(("refs", "one"), bill(), ids=lambda one: getattr(one, "what", None))
def test_every_circuit_board_part_is_in_the_parts_list(refs: list[str], one: BoardPart) -> None:
    order = f"{one.maker} {one.number}".strip() or "OLED 128×64"
    assert [pieces for pieces, part in parts_of_board() if order in part.order] == [len(refs)]
    assert not any(order in words(way) for way in WAYS if way != "board" and one.number)


def test_every_soldered_part_in_the_list_is_on_the_circuit_board() -> None:
    only = {
        part.name for part in load_bom() if [w for w in WAYS if part.quantities[w]] == ["board"]
    }
    numbers = [one.number for _, one in bill() if one.number]
    on_board = {p.name for _, p in parts_of("board") if any(one in p.order for one in numbers)}
    assert only - on_board == {"Circuit board", "Keycap", "Spacer", "Foam"}


@pytest.mark.parametrize("way", ["keypad", "seat"])
def test_the_parts_list_has_enough_wires_for_a_matrix_keypad(way: str) -> None:
    keys = load_seat_keypad().keys if way == "seat" else load_board(BOARDS[way]).keys
    assert isinstance(keys, MatrixKeys)
    assert f"{len(keys.rows)}×{len(keys.columns)}" in words(way)
    assert count(way, "Wires pin to socket") * 10 >= len(keys.rows) + len(keys.columns)


def test_a_seat_has_the_parts_that_its_file_lists() -> None:
    light = load_seat_keypad().light
    row = next(part for _, part in parts_of("seat") if part.name == "RGB LED")
    assert f"common {light.common}" in row.order
    assert f"{light.ohms} Ω" in row.instead
    assert count("seat", "Raspberry Pi Pico H") == count("seat", "Passive buzzer") == 1


def test_a_buzzer_on_a_pin_of_the_pico_has_no_coil() -> None:
    # 12 mA is what a pin gives; 16 Ω take 200.
    row = next(part for _, part in parts_of("seat") if part.name == "Passive buzzer")
    assert "piezo" in row.order
    assert not re.search("KY-006|KY-012", row.order)


@pytest.mark.parametrize(
    ("way", "said", "on_the_list"),
    [
        ("plug", "card", "microSD card"),
        ("plug", "number pad", "Number pad"),
        ("plug", "adapter", "USB adapter"),
        ("keypad", "card", "microSD card"),
        ("board", "card", "microSD card"),
        ("board", "foam", "Foam"),
        ("seat", "glue", "Glue"),
        ("seat", "cable tie", "Cable tie"),
        ("seat", "hub", "USB hub with OTG plug"),
        ("seat", "330 Ω", "Resistor 330 Ω"),
    ],
)
def test_every_part_named_in_the_guide_is_in_the_parts_list(
    way: str, said: str, on_the_list: str
) -> None:
    assert said in (HW / WAYS[way].page).read_text(encoding="utf-8")
    assert count(way, on_the_list)


def test_the_listed_screws_fit_between_the_keys() -> None:
    row = next(part for _, part in parts_of("board") if part.name == "Screw M2.5 × 5")
    assert "cheese head" in row.order
    assert f"{LAYOUT['screws']['head']:g} mm" in row.order


@pytest.mark.parametrize("way", WAYS)
def test_the_guides_sums_are_correct(way: str) -> None:
    text = (HW / WAYS[way].page).read_text(encoding="utf-8")
    table = re.search(rf"<!-- parts: {way} -->\n(.*?)<!-- end -->", text, re.DOTALL)
    assert table, way
    *prices, together = re.findall(r"(\d+\.\d\d)\*{0,2} \|", table[1])
    assert len(prices) == len(parts_of(way))
    choice = recommended(way)
    needed = [
        Decimal(price)
        for price, (_, part) in zip(prices, parts_of(way), strict=True)
        if choice.needs(part.wanted_by)
    ]
    assert sum(needed) == Decimal(together) == cost(choice)


def test_a_build_without_soldering_has_no_soldered_part() -> None:
    for way in ("plug", "keypad", "seat"):
        assert "solder" not in words(way).replace("soldered on", "")
