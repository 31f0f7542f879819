"""The order in which the loop takes events: the box's own keys first, then each sender in turn."""

from pathlib import Path

import pytest

from companion.core.keys import Key, Press, PressId
from companion.devices.link.events import KeypadLeft
from companion.table.events import Command, Inbox
from tests.rig import Rig

START = "1 2 1 OK OK 1"
LOUD, QUIET = "e6614103e7452d2f", "e6614103e7450000"


def press(keypad: str, number: int, key: Key = Key.BACK) -> Press:
    return Press(key, source=PressId(keypad, 7, number))


def filled(told: str) -> Inbox[str]:
    """An inbox with an event for each letter: lower-case letters are senders, capitals the box
    itself."""
    inbox: Inbox[str] = Inbox(lambda one: one if one.islower() else None)
    for one in told:
        inbox.put(one)
    return inbox


def others(inbox: Inbox[str]) -> str:
    inbox.take_own()
    return "".join(iter(inbox.take_other, None))


def test_the_boxs_events_come_first_and_the_others_in_turn() -> None:
    inbox = filled("aaaAbBac")
    assert inbox.take_own() == ["A", "B"]
    assert others(inbox) == "abcaaa"
    assert not inbox.is_behind


def test_a_sender_that_returns_is_served_in_turn() -> None:
    inbox = filled("aab")
    inbox.take_own()
    assert inbox.take_other() == "a"
    inbox.put("b")
    assert inbox.take_other() is None, "what has just arrived may be the box's own"
    inbox.take_own()
    assert others(inbox) == "bab"


def test_wait_with_zero_patience_returns_no_event() -> None:
    inbox = filled("")
    inbox.wait(0)
    assert not inbox.is_behind
    inbox.put("a")
    inbox.wait(None)
    assert inbox.is_behind


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    settled: list[PressId] = []
    rig = Rig(tmp_path / "record.db", settle=lambda source, _: settled.append(source))
    vars(rig)["settled"] = settled
    return rig.press(START)


def test_the_boxs_keys_overtake_a_keypads_queue(rig: Rig) -> None:
    for number in range(1, 1001):
        rig.table.events.put(press(LOUD, number))
    rig.table.run_once(0)
    before = len(rig.shown)
    rig.touch("6", True)
    rig.now += 0.004
    rig.table.run_once(0)
    assert len(rig.shown) > before, "the key is seen"
    rig.touch("6", False)
    rig.close()


def test_a_key_of_the_box_waits_for_one_press_at_most(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[Press] = []
    deal = rig.table.box.press

    def noted(one: Press) -> None:
        taken.append(one)
        if len(taken) == 3:
            rig.table.events.put(Press(Key.D6))
        deal(one)

    monkeypatch.setattr(rig.table.box, "press", noted)
    for number in range(1, 33):
        rig.table.events.put(press(LOUD, number))
    for _ in range(3):
        rig.table.run_once(0)
    assert taken[3] == Press(Key.D6)
    assert len(taken) == 33
    rig.close()


def test_another_keypad_waits_for_one_press_of_a_busy_one(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[str] = []
    monkeypatch.setattr(
        rig.table.box, "press", lambda one: taken.append(one.source.keypad if one.source else "")
    )
    for number in range(1, 33):
        rig.table.events.put(press(LOUD, number))
    rig.table.events.put(press(QUIET, 1))
    rig.table.run_once(0)
    assert taken[:3] == [LOUD, QUIET, LOUD]
    rig.close()


def test_news_of_a_keypad_keeps_its_place_among_its_presses(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[object] = []
    monkeypatch.setattr(rig.table.box, "press", order.append)
    monkeypatch.setattr(rig.table, "_handle_keypad_news", order.append)
    told: list[Press | KeypadLeft] = [press(LOUD, 1), KeypadLeft(LOUD), press(LOUD, 2)]
    for one in told:
        rig.table.events.put(one)
    rig.table.run_once(0)
    assert order == told
    rig.close()


def test_stopping_does_not_wait_for_the_queue(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(1, 1001):
        rig.table.events.put(press(LOUD, number))
    rig.table.events.put(Command.STOP)
    monkeypatch.setattr(rig.table.box, "press", lambda _: pytest.fail("it dealt with a press"))
    assert not rig.table.run_once(0)
    rig.close()
