"""`companion check --only keys` on mock pins, with direct keys and with a simulated matrix."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.app.check.bench import Closeable, Grade, WiredKeys, worst
from companion.core.clock import Clock
from companion.core.keys import TURNED_BY_180, Key
from companion.devices.board import DirectKeys, MatrixKeys
from companion.devices.gpio.debounce import Edge
from companion.devices.gpio.keypad import open_keys
from tests.app.check.person import ENTER, Desk, bouncing, clean

BOARDS = ("keys-16", "keypad-4x4", "waveshare-1.3-hat", "adafruit-bonnet")


@pytest.mark.parametrize("board", BOARDS)
def test_every_key_of_every_board_is_prompted_for_and_found(tmp_path: Path, board: str) -> None:
    desk = Desk(tmp_path, board)
    (found,) = desk.find("keys")
    assert found.result is Grade.OK
    words = " ".join(key.value for key in desk.keys.keys)
    assert found.found == f"{words}: each gives its own press"
    assert sum(line.startswith("Press ") for line in desk.lines[1:]) == len(list(desk.keys.keys))


def test_swapped_wires_are_reported_with_their_pins(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.habits = {Key.D5: [clean(Key.D6)] * 2, Key.D6: [clean(Key.D5)] * 2}
    wrong = [one for one in desk.find("keys") if one.result is Grade.FAULT]
    assert [(one.found, one.remedy) for one in wrong] == [
        (
            "5 gives 6, and 6 gives 5",
            "their wires are swapped: exchange those at GPIO 6 and GPIO 13",
        )
    ]
    assert "  that was 6. Once more: press 5" in desk.lines


def test_pressing_the_wrong_key_prompts_a_second_time(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.habits[Key.D5] = [clean(Key.D6)]
    assert worst(desk.find("keys")) is Grade.OK


def test_a_key_that_acts_as_another_is_reported(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.habits[Key.D5] = [clean(Key.D6)] * 2
    assert "→ are the wires of 5 and 6 swapped? (GPIO 6 and ground)" in desk.check("keys")


def test_a_reversed_matrix_plug_is_recognised(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "keypad-4x4")
    assert isinstance(desk.keys, MatrixKeys)
    for row in desk.keys.layout:
        for key, other in zip(row, reversed(row), strict=True):
            desk.habits[key] = [clean(other)] * 2
    told = desk.check("keys")
    assert "1 gives DRAW, 2 gives 3" in told
    assert "→ is the plug turned? Compare [keys] rows, columns and layout" in told


def test_a_joystick_upside_down_relative_to_the_picture_is_recognised(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "waveshare-1.3-hat")
    desk.habits = {key: [clean(came)] * 2 for key, came in TURNED_BY_180.items()}
    wrong = [one for one in desk.find("keys") if one.result is Grade.FAULT]
    assert [one.found for one in wrong] == ["the joystick is the other way up than the picture"]
    assert "set rotate = 0 there under [display]" in wrong[0].remedy
    assert "Hold the box as you did for the picture: UP is where its arrow pointed." in desk.lines


@pytest.mark.parametrize(
    ("board", "where"),
    [("keys-16", "GPIO 6 and ground"), ("keypad-4x4", "row GPIO 6, column GPIO 16")],
)
def test_a_dead_key_is_reported(tmp_path: Path, board: str, where: str) -> None:
    desk = Desk(tmp_path, board)
    desk.habits[Key.D5] = [[]]
    begun = desk.now
    assert f"5: nothing came\n{'':21}→ look at its wires: {where}" in desk.check("keys")
    assert desk.now - begun > 15


def test_missing_ground_ends_the_check_early_with_the_reason(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.habits = {key: [[]] for key in desk.keys.keys}
    told = desk.check("keys")
    assert "0 1 2: nothing came" in told
    assert "do they share a ground wire?" in told
    assert "3 4 5 6 7 8 9 OK BACK DRAW PASS BOGUS MENU: skipped" in told


def test_enter_skips_a_key(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.habits[Key.D5] = [[(0.2, ENTER, True)]]
    told = desk.check("keys")
    assert "not tried  5: skipped" in told
    assert worst(desk.find("keys")) is Grade.OK


def test_a_worn_key_is_recognised_by_its_bounces(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.habits = {Key.D5: [bouncing(Key.D5, 12)], Key.D6: [bouncing(Key.D6, 3)]}
    told = desk.check("keys")
    assert "warning    5 bounced 12 times in one stroke" in told
    assert "6 bounced" not in told
    assert "each gives its own press; bounces: 5 12, 6 3" in told
    assert "  ok, 3 bounces" in desk.lines


def test_a_key_that_counts_twice_is_reported(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    again = [(0.3, Key.D5, True), (0.4, Key.D5, False), (0.45, Key.D5, True), (0.5, Key.D5, False)]
    desk.habits[Key.D5] = [[*again]]
    told = desk.check("keys")
    assert "warning    5 counted twice for one stroke" in told
    assert "set [keys] release_ms = 50" in told


def test_a_key_that_stays_down_is_reported(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.habits[Key.D5] = [[(0.3, Key.D5, True)]]
    assert "fault      5 stays down\n" in desk.check("keys")


@pytest.mark.parametrize("asks", [True, False])
@pytest.mark.parametrize("board", ["keys-16", "keypad-4x4"])
def test_a_key_down_at_the_start_is_reported(tmp_path: Path, board: str, asks: bool) -> None:
    desk = Desk(tmp_path, board, asks=asks)
    if isinstance(desk.keys, DirectKeys):
        desk.ground(desk.keys.pins[Key.D5])
    else:
        desk.move(Key.D5, True)
    told = desk.check("keys")
    assert "fault      5 is down before anybody has pressed it" in told
    assert "Press 5" not in desk.lines


def test_without_a_terminal_no_question_is_asked(tmp_path: Path) -> None:
    desk = Desk(tmp_path, asks=False)
    (found,) = desk.find("keys")
    assert found.result is Grade.NOT_TRIED
    assert desk.lines == []


def test_the_delay_is_reported_if_the_kernel_times_the_edges(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.factory.times_edges = True

    def late(keys: WiredKeys, put: Callable[[Edge], None], clock: Clock, factory: Any) -> Closeable:
        factory.times_edges = False  # its edges are timed by the desk's clock, and here put back
        return open_keys(keys, lambda edge: put(replace(edge, at=edge.at - 0.002)), clock, factory)

    (found,) = desk.find_on(replace(desk.machine, open_keys=late), "keys")
    assert found.found.endswith(": each gives its own press, 2.0 ms after its edge (median)")


def test_pins_used_by_another_program_are_reported(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.factory.taken = {13}
    assert "fault      the keys can't be reached: [Errno 16]" in desk.check("keys")
