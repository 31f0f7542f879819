"""The ways to correct mistakes in the manual and on the card work: their keys are pressed, and the
record is right."""

import re
from dataclasses import dataclass

import pytest

from tests.console.rig import SCORED, Rig, started
from tests.manual.book import table

TOLD = {row[0]: re.findall(r"`(\w+)`", row[1]) for row in table("corrections")}
"""For each thing that may be wrong, the keys that the manual names against it."""


@dataclass(frozen=True, slots=True)
class Case:
    """Keys that make a mistake, keys that correct it, and the last entries after both."""

    wrong: str
    pressed: str
    entries: tuple[str, ...]
    players: int = 2


CASES = {
    "the last entry": Case(SCORED + " 6 4 OK", "BACK OK 6 5 OK", ("Blue 6-3", "Red 6-5")),
    "no, it was right": Case(SCORED + " BACK OK", "BACK DRAW", ("Red 6-6", "Blue 6-3")),
    "an earlier entry": Case(
        SCORED + " 6 4 OK 3 1 OK",
        "MENU 2 DRAW OK 1 6 5 OK OK",
        ("Blue 6-3", "Red 6-5", "Blue 3-1"),
    ),
    "a draw was forgotten": Case(
        SCORED + " 3 4 OK", "MENU 2 OK 3 DRAW OK", ("Blue 6-3", "Red draw", "Red 3-4")
    ),
    "a turn was forgotten": Case(
        SCORED + " 3 4 OK",
        "MENU 2 DRAW OK 3 PASS OK 1 OK",
        ("Red 6-6", "Blue pass", "Red 6-3", "Blue 3-4"),
    ),
    "a turn was keyed twice": Case(
        "OK 1 PASS OK PASS OK 6 3 OK 3 4 OK",
        "MENU 2 DRAW DRAW OK 2 1 OK",
        ("Red 6-6", "Blue pass", "Red 6-3", "Blue 3-4"),
    ),
    "it was another player's": Case(
        SCORED + " 3 4 OK",
        "MENU 2 DRAW DRAW OK 5 2 1 OK",
        ("Green 6-6", "Red 6-3", "Blue 3-4"),
        players=3,
    ),
    "everything since then": Case(
        SCORED + " 3 4 OK 4 1 OK", "MENU 2 DRAW OK 4 OK", ("Red 6-6", "Blue 6-3")
    ),
    "a tile drawn by mistake": Case(
        SCORED + " DRAW", "BACK 2 2 DRAW", ("Red draw", "Red return 2-2")
    ),
    "it is refused, but is on the table": Case(
        SCORED + " 1 2 OK", "OK! 2 3 6 6 OK", ("Blue 6-3", "Red 1-2 ends 2 3 6 6 !")
    ),
    "the chips": Case(SCORED, "MENU 3 1 2 9 OK 9 OK", ("Blue 6-3", "audit Red 135 10x9+5x9")),
    "you sit in another order": Case("OK 1", "MENU 9 1 DRAW OK", ("hand", "Red 6-6"), players=3),
}


def is_told(pressed: str, told: list[str]) -> bool:
    """Whether `pressed` has the keys in `told`, in that order."""
    keys = iter(pressed.replace("!", "").split())
    return all(key in keys for key in told)


def test_every_correction_is_tried() -> None:
    assert CASES.keys() == TOLD.keys()


@pytest.mark.parametrize("what", CASES)
def test_the_documented_keys_correct_the_mistake(what: str) -> None:
    case = CASES[what]
    rig: Rig = started(case.players).press(case.wrong)
    assert is_told(case.pressed, TOLD[what])
    rig.press(case.pressed)
    entries = tuple(str(entry) for entry in rig.view.game.entries)
    assert entries[-len(case.entries) :] == case.entries
    order = ("Red", "Green", "Blue") if what == "you sit in another order" else None
    assert order in (None, rig.view.game.opened.seats.order)
