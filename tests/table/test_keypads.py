"""Seat keypads at the loop: the seat of a press, when it is settled, and its report."""

from pathlib import Path
from typing import Any

import pytest

from companion.console.console import Console
from companion.console.screen_saver import RestTimes
from companion.core.errors import RuleError
from companion.core.keys import Key, Press, PressId
from companion.core.seats import Seat
from companion.devices.link.events import KeypadArrived, KeypadLeft, PressesLost
from companion.record.rows import Setting
from companion.record.settings import keypad_of, seat_setting
from companion.record.store.database import StoreError
from companion.table.session import BOX
from tests.rig import Rig

START = "1 2 1 OK 1 OK 2"
"""Begins High Five for two by their colours; Blue leads the double six, and Red's turn is next."""
PAD, OTHER = "e6614103e7452d2f", "e6614103e7450000"


def source(sequence: int, keypad: str = PAD) -> PressId:
    return PressId(keypad, 7, sequence)


class SettledEvents(list[tuple[str, object]]):
    """Collects what was settled, kept and shown, in order."""

    def settle(self, one: PressId, refused: bool) -> None:
        self.append(("refused" if refused else "settled", one.sequence))


@pytest.fixture
def order() -> SettledEvents:
    return SettledEvents()


@pytest.fixture
def rig(tmp_path: Path, order: SettledEvents) -> Rig:
    rig = Rig(tmp_path / "record.db", settle=order.settle)
    rig.press(START)
    return rig


def give(rig: Rig, keypad: str, seat: str) -> None:
    """Assigns the keypad to that seat, from the next start on."""
    rig.store.keep(BOX, Setting(seat_setting(keypad), seat))


def test_a_press_is_settled_once_its_row_is_kept(
    rig: Rig, order: SettledEvents, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = rig.store.keep

    def noted(*row: Any) -> object:
        kept = keep(*row)
        order.append(("kept", row[2]))
        return kept

    monkeypatch.setattr(rig.store, "keep", noted)
    for number, key in enumerate((Key.D6, Key.D5, Key.OK), 1):
        rig.send(Press(key, Seat("Red"), source(number)))
    assert order == [
        ("settled", 1),
        ("settled", 2),
        ("kept", f"{PAD}/7/3"),
        ("settled", 3),
    ]
    rig.close()


def test_a_recorded_press_is_settled_without_effect(rig: Rig, order: SettledEvents) -> None:
    for number, key in enumerate((Key.D6, Key.D5, Key.OK), 1):
        rig.send(Press(key, Seat("Red"), source(number)))
    before = rig.entries
    rig.press("5 5")
    rig.send(Press(Key.OK, Seat("Blue"), source(3)))
    assert rig.entries == before
    assert order[-1] == ("settled", 3)
    rig.close()


@pytest.mark.parametrize("error", [RuleError("no"), StoreError("Not saved"), KeyError("ours")])
def test_a_press_that_is_refused_is_settled_as_such(
    rig: Rig,
    order: SettledEvents,
    error: Exception,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr(Console, "press", refuse)
    rig.send(Press(Key.OK, source=source(1)))
    assert order == [("refused", 1)]
    assert ("KeyError" in capsys.readouterr().err) == isinstance(error, KeyError)
    rig.close()


def test_a_press_while_the_keys_are_locked_is_settled_as_refused(
    rig: Rig, order: SettledEvents
) -> None:
    rig.hold("BACK")
    rig.send(Press(Key.D6, Seat("Red"), source(1)))
    rig.hold("BACK")
    rig.send(Press(Key.D6, Seat("Red"), source(2)))
    assert order == [("refused", 1), ("settled", 2)]
    rig.close()


def test_a_press_that_changes_nothing_is_settled_as_refused(rig: Rig, order: SettledEvents) -> None:
    keys = (Key.D6, Key.D5, Key.D4, Key.D9, Key.BACK, Key.BACK)
    for number, key in enumerate(keys, 1):
        rig.send(Press(key, Seat("Red"), source(number)))
    assert [how for how, _ in order] == [*["settled"] * 2, *["refused"] * 2, *["settled"] * 2]
    rig.close()


def test_a_held_key_without_effect_is_not_refused(rig: Rig, order: SettledEvents) -> None:
    rig.send(Press(Key.D6, Seat("Red"), source(1)))
    rig.send(Press(Key.OK, Seat("Red"), source(2), held=True))
    rig.send(Press(Key.DRAW, Seat("Red"), source(3), repeated=True))
    assert order == [("settled", 1), ("settled", 2), ("settled", 3)]
    rig.close()


def test_a_press_that_clears_a_message_counts(rig: Rig, order: SettledEvents) -> None:
    rig.press("BACK OK")  # the call for the double: no seat has the digit 9
    rig.table.events.put(PressesLost(source(4), 2))
    rig.send(Press(Key.D9, Seat("Red"), source(5)))
    rig.send(Press(Key.D9, Seat("Red"), source(6)))
    assert order == [("refused", 4), ("settled", 5), ("refused", 6)]
    rig.close()


def test_a_press_that_only_wakes_the_display_is_not_refused(
    tmp_path: Path, order: SettledEvents
) -> None:
    rest = RestTimes(sleep_s=60.0)
    with Rig(tmp_path / "other.db", settle=order.settle, rest=rest) as rig:
        rig.press(START + " 6 5 OK 5 5 OK OK")
        rig.wait(100.0)
        rig.send(Press(Key.D9, Seat("Red"), source(1)))
        assert order == [("settled", 1)]


def test_presses_of_the_boxs_keys_are_never_settled(rig: Rig, order: SettledEvents) -> None:
    rig.press("6 5 OK")
    assert order == []
    rig.close()


def test_a_keypads_seat_survives_a_restart(rig: Rig, tmp_path: Path, order: SettledEvents) -> None:
    give(rig, PAD, "Red")
    give(rig, OTHER, "Blue")
    give(rig, "gone", "")
    rig.close()
    with Rig(tmp_path / "record.db", settle=order.settle) as again:
        assert again.table.box.keypads == {PAD: "Red", OTHER: "Blue"}
        before = again.entries
        for number, key in enumerate((Key.D6, Key.D5, Key.OK), 1):
            again.send(Press(key, source=source(number, OTHER)))
        assert again.entries == before, "it is Red's turn"
        for number, key in enumerate((Key.D6, Key.D5, Key.OK), 1):
            again.send(Press(key, source=source(number)))
        assert again.entries == [*before, "Red 6-5"]


def test_news_of_keypads_names_their_seats(rig: Rig, tmp_path: Path) -> None:
    give(rig, PAD, "Red")
    rig.close()
    with Rig(tmp_path / "record.db") as again:
        for news, told in (
            (KeypadLeft(PAD), "Red's keypad is disconnected: check its cable."),
            (KeypadLeft(OTHER), "Keypad 0000 is disconnected: check its cable."),
            (KeypadArrived(PAD, again=True), "Red's keypad is back."),
        ):
            before = again.frame
            again.table.events.put(news)
            again.table.run_once(0)
            assert again.frame != before
            assert again.table.box.console.message == told
        again.press("5")
        assert again.table.box.console.message is None


def test_plugging_in_a_known_keypad_shows_no_line(rig: Rig) -> None:
    before = len(rig.shown)
    rig.table.events.put(KeypadArrived(PAD))
    rig.table.run_once(0)
    assert len(rig.shown) == before
    rig.close()


def test_lost_presses_are_reported_and_settled_as_refused(rig: Rig, order: SettledEvents) -> None:
    rig.table.events.put(PressesLost(source(4), 2))
    rig.table.run_once(0)
    message = rig.table.box.console.message
    assert message == "2 key presses of keypad 2d2f were lost: check what is keyed."
    assert order == [("refused", 4)]
    rig.close()


def test_a_keypads_setting_names_the_keypad() -> None:
    assert keypad_of(seat_setting(PAD)) == PAD
    assert keypad_of("contrast") is None
