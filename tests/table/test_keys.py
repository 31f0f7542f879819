"""Keys that stay down: stuck ones are reported and ignored, and some keys repeat on lists."""

from pathlib import Path
from typing import Any

import pytest

from companion.console.fonts import text_strip
from companion.console.lists import ListScreen
from companion.console.screen_saver import RestTimes
from companion.core.keys import Key
from companion.devices.gpio.debounce import Edge
from companion.record.rows import KeptRow
from tests.rig import Rig

START = "1 2 1 OK"
PLAY = f"{START} OK 1"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "record.db"


def tells(rig: Rig, text: str) -> bool:
    """Whether a banner with that text is shown."""
    strip = text_strip(text).pages[0].rstrip(b"\0")
    return bytes(255 - column for column in strip) in rig.frame.pixels


def jam(rig: Rig, word: str) -> None:
    """Presses a key that stays down."""
    rig.touch(word, True)
    rig.wait(21)


# ---------------------------------------------------------------- stuck keys


def test_a_stuck_key_is_reported_until_it_is_free(path: Path) -> None:
    with Rig(path).press(PLAY) as rig:
        rig.touch("5", True)
        rig.wait(19)
        assert not tells(rig, "Key 5 is stuck: free it.")
        rig.wait(2)
        assert tells(rig, "Key 5 is stuck: free it.")
        rig.press("DRAW")
        assert tells(rig, "Key 5 is stuck: free it.")
        rig.touch("5", False)
        rig.wait(0.1)
        assert not tells(rig, "Key 5 is stuck: free it.")


def test_other_keys_work_beside_a_stuck_one(path: Path) -> None:
    with Rig(path).press(PLAY) as rig:
        jam(rig, "MENU")
        rig.press("BACK 6 1 OK")
        assert rig.entries[-1] == "Blue 6-1"


def test_several_stuck_keys_are_reported_in_one_line(path: Path) -> None:
    with Rig(path).press(PLAY) as rig:
        for word in ("5", "MENU"):
            rig.touch(word, True)
        rig.wait(21)
        assert tells(rig, "Stuck: 5, MENU. Free them.")


def test_the_reason_for_a_refusal_is_shown_before_a_stuck_key(path: Path) -> None:
    with Rig(path).press(PLAY) as rig:
        jam(rig, "BOGUS")
        rig.press("BACK")
        rig.table.box.console = rig.table.box.console.with_error("Not so.")
        rig.table.show()
        assert tells(rig, "Not so.")
        rig.press("6")
        assert tells(rig, "Key BOGUS is stuck: free it.")


def test_a_key_that_is_down_at_the_start_does_nothing(path: Path) -> None:
    with Rig(path).press(PLAY) as rig:
        entries = rig.entries
        rig.table.events.put(Edge(Key.DRAW, True, rig.now, found=True))
        rig.wait(1)
        assert not tells(rig, "Key DRAW is stuck: free it.")
        rig.wait(1.1)
        assert tells(rig, "Key DRAW is stuck: free it.")
        assert rig.entries == entries
        rig.table.events.put(Edge(Key.DRAW, False, rig.now))
        rig.wait(0.1)
        assert rig.entries == entries
        assert rig.press("DRAW").entries[-1] == "Blue draw"


def test_a_stuck_key_does_not_keep_the_display_awake(path: Path) -> None:
    with Rig(path, rest=RestTimes()).press(PLAY) as rig:
        jam(rig, "DRAW")
        rig.wait(660)
        assert rig.seen == bytes(1024)
        assert rig.table.wake_after_s() is None


def test_keys_locked_by_a_stuck_back_key_are_unlocked_again(path: Path) -> None:
    with Rig(path).press(PLAY) as rig:
        jam(rig, "BACK")
        assert tells(rig, "Key BACK is stuck: free it.")
        rig.press("6 1 OK")
        assert rig.entries[-1] == "Blue 6-1"
        rig.touch("BACK", False)
        rig.wait(0.1)
        assert rig.press("DRAW").entries[-1] == "Red draw"


# ---------------------------------------------------------------- keys that repeat


def at(rig: Rig) -> int:
    """The number of the list's selected line."""
    screen = rig.table.box.console.screen
    assert isinstance(screen, ListScreen)
    return screen.at


@pytest.mark.parametrize(("word", "step"), [("DRAW", 1), ("DOWN", 1), ("PASS", -1), ("UP", -1)])
def test_a_list_scrolls_while_a_key_is_down(path: Path, word: str, step: int) -> None:
    with Rig(path).press(f"{PLAY} MENU") as rig:
        screen = rig.table.box.console.screen
        assert isinstance(screen, ListScreen)
        count = screen.count(rig.table.box.view())
        rig.hold(word, 0.4)
        assert at(rig) == step % count
        rig.hold(word, 1.0)  # at 0.5, 0.62, 0.74, 0.86, 0.98
        assert at(rig) == 7 * step % count


@pytest.mark.parametrize(("word", "back"), [("UP", "DOWN"), ("DOWN", "UP")])
def test_the_letter_wheel_turns_while_the_joystick_is_up_or_down(
    path: Path, word: str, back: str
) -> None:
    with Rig(path).press(f"{PLAY} UP") as rig:
        first = rig.table.box.console.picker.key
        rig.hold(word, 1.0)
        assert rig.table.box.console.picker.key is not first
        rig.press(f"{back} " * 6)
        assert rig.table.box.console.picker.key is first


@pytest.mark.parametrize("word", ["DRAW", "PASS", "OK", "6"])
def test_keys_never_repeat_during_play(path: Path, word: str) -> None:
    with Rig(path.with_name("once.db")).press(f"{PLAY} {word}") as rig:
        once = rig.entries, rig.screen
    with Rig(path).press(PLAY) as rig:
        rig.hold(word, 1.9)
        assert (rig.entries, rig.screen) == once


def test_a_key_that_leads_to_a_list_does_not_move_its_bar(path: Path) -> None:
    with Rig(path).press(PLAY) as rig:
        rig.touch("DRAW", True)
        rig.wait(0.1)
        rig.press("MENU").wait(1)
        assert at(rig) == 0


def test_a_key_that_wakes_the_display_does_not_repeat(path: Path) -> None:
    with Rig(path, rest=RestTimes()).press(f"{PLAY} MENU DRAW") as rig:
        rig.wait(700)
        assert rig.seen == bytes(1024)
        rig.hold("DRAW", 1.5)
        assert at(rig) == 1
        assert any(rig.seen)


# ---------------------------------------------------------------- a loop that is busy


def test_a_bounce_while_a_press_is_saved_is_not_a_second_press(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Rig(path).press(PLAY) as rig:
        keep = rig.store.keep

        def slowly(*row: Any) -> KeptRow:
            kept = keep(*row)
            rig.now += 0.004
            rig.touch("DRAW", True)
            rig.now += 0.06
            return kept

        monkeypatch.setattr(rig.store, "keep", slowly)
        before = rig.entries
        rig.touch("DRAW", True)
        rig.now += 0.004
        rig.touch("DRAW", False)
        rig.wait(0.5)
        rig.touch("DRAW", False)
        rig.wait(0.1)
        assert rig.entries == [*before, "Blue draw"]
