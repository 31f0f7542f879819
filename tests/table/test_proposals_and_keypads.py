"""Phones, seat keypads and the box's own keys at one table."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.console.sounds import Level, Sound
from companion.core.keys import Key, Press, PressId
from companion.record.rows import Setting
from companion.record.settings import seat_setting
from companion.table.events import GameMovedOn, ProposalCounted
from companion.table.session import BOX
from tests.proposing import Phone
from tests.rig import Rig

START = "1 2 1 OK 1 OK 2"
"""Begins High Five for two by their colours; Blue leads the double six, and Red's turn is next."""
RED, BLUE = "e6614103e7452d2f", "e6614103e7450000"
KEYPADS = {RED: "Red", BLUE: "Blue"}


@pytest.fixture
def heard() -> list[object]:
    """How keypad presses were settled, and the sounds of the box."""
    return []


@pytest.fixture
def rig(tmp_path: Path, heard: list[object]) -> Iterator[Rig]:
    path = tmp_path / "record.db"
    with Rig(path) as first:
        first.press(START)
        for keypad, seat in KEYPADS.items():
            first.store.keep(BOX, Setting(seat_setting(keypad), seat))

    def settle(source: PressId, refused: bool) -> None:
        heard.append(f"{source} {'refused' if refused else 'settled'}")

    def play(sound: Sound, _: Level) -> None:
        heard.append(sound)

    with Rig(path, settle=settle, play=play) as rig:
        yield rig


def press(rig: Rig, keypad: str, number: int, key: str) -> None:
    rig.send(Press(Key(key), source=PressId(keypad, 7, number)))


def test_keypad_digits_are_dropped_when_the_seats_phone_plays(
    rig: Rig, heard: list[object]
) -> None:
    for number, key in enumerate("64", 1):
        press(rig, RED, number, key)
    assert isinstance(Phone("phone-1", "Red").says(rig, "Red 6-5"), ProposalCounted)
    press(rig, RED, 3, "OK")
    assert rig.entries == ["hand", "Blue 6-6", "Red 6-5"]
    assert heard == [f"{RED}/7/{number} settled" for number in (1, 2, 3)], "it has read why"
    press(rig, RED, 4, "OK")
    assert f"{RED}/7/4 refused" in heard, "it is Blue's turn"


def test_a_message_for_one_keypad_does_not_delay_the_next_seat(rig: Rig) -> None:
    press(rig, RED, 1, "6")
    Phone("phone-1", "Red").says(rig, "Red 6-5")
    press(rig, BLUE, 1, "DRAW")
    assert rig.entries[-1] == "Blue draw"


def test_a_phone_gets_what_a_keypad_entered_meanwhile(rig: Rig) -> None:
    phone, seen = Phone("phone-1", "Red"), rig.snapshots[-1]
    for number, key in enumerate(("6", "5", "OK"), 1):
        press(rig, RED, number, key)
    answer = phone.asks(rig, phone.key(seen, "Red 6-5"))
    assert isinstance(answer, GameMovedOn)
    (between,) = answer.between
    assert (between.surface, between.source) == (RED, f"{RED}/7/3")
    assert rig.snapshots[-1].settings[seat_setting(RED)] == "Red", "and whose keypad that is"
    assert rig.entries[-1] == "Red 6-5"


def test_a_payment_from_a_phone_sounds_at_the_box_and_a_refusal_does_not(
    rig: Rig, heard: list[object]
) -> None:
    phone = Phone("phone-1", "Red")
    phone.says(rig, "Red 5-4")
    assert heard == []
    phone.says(rig, "Red 6-3")
    assert heard == [Sound.PAYMENT]


def test_keypad_and_phone_identities_never_collide(rig: Rig) -> None:
    """Each numbers its own presses, even if a keypad's start has the same number as this run."""
    phone = Phone("phone-1", "Red")
    run = rig.snapshots[-1].run
    rig.send(Press(Key.D6, source=PressId(RED, run, 1)))
    rig.send(Press(Key.D5, source=PressId(RED, run, 2)))
    rig.send(Press(Key.OK, source=PressId(RED, run, 3)))
    assert rig.store.last_press(RED, run) == 3
    assert isinstance(phone.says(rig, "Blue 5-5"), ProposalCounted)
    assert (rig.store.last_press(RED, run), rig.store.last_press("phone-1", run)) == (3, 1)
