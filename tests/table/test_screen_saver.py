"""The loop and the display: how settings, waiting and waking change the picture."""

from pathlib import Path

import pytest

from companion.console.lists import ItemList
from companion.console.screen_saver import DIMMED, RestTimes, turned
from tests.fake_oled import Chip
from tests.rig import Rig

START = "1 2 1 OK"
PLAY = f"{START} OK 1"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "record.db"


def menu(rig: Rig, *choices: str) -> Rig:
    """Opens the menu and chooses the lines that begin with these words, like a person who reads the
    display."""
    rig.press("MENU")
    for choice in choices:
        screen, view = rig.table.box.console.screen, rig.table.box.view()
        assert isinstance(screen, ItemList)
        lines = zip(screen.keyable_digits(view), screen.lines(view), strict=True)
        rig.press(next(str(number) for number, line in lines if line.startswith(choice)))
    return rig


def test_the_display_dims_darkens_and_wakes_without_polling(path: Path) -> None:
    with Rig(path, rest=RestTimes()).press(PLAY) as rig:
        seen = rig.screen
        rig.wait(130)
        assert rig.looks[-1].contrast == DIMMED
        rig.wait(480)
        assert rig.seen == bytes(1024)
        assert rig.table.wake_after_s() is None
        entries = rig.entries
        rig.press("DRAW")
        assert (rig.entries, rig.screen) == (entries, seen)
        assert any(rig.seen)
        assert rig.press("DRAW").entries == [*entries, "Blue draw"]


def test_a_display_with_digits_pending_stays_on_and_loses_no_digit(path: Path) -> None:
    with Rig(path, rest=RestTimes()).press(PLAY) as rig:
        rig.press("6").wait(3600)
        assert any(rig.seen)
        assert rig.press("1 OK").entries[-1] == "Blue 6-1"


@pytest.mark.parametrize("keys", ["MENU", "6 BACK", "9"])
def test_the_display_goes_dark_on_any_screen_without_pending_digits(path: Path, keys: str) -> None:
    with Rig(path, rest=RestTimes()).press(PLAY).press(keys) as rig:
        rig.wait(3600)
        assert rig.seen == bytes(1024)


def test_a_waking_key_that_is_held_locks_nothing(path: Path) -> None:
    with Rig(path, rest=RestTimes()).press(PLAY) as rig:
        before = rig.screen
        rig.wait(700)
        assert rig.hold("BACK").screen == before
        assert rig.hold("BACK").screen != before


def test_a_key_pressed_just_before_darkness_counts(path: Path) -> None:
    with Rig(path, rest=RestTimes()).press(PLAY) as rig:
        last = rig.now - 0.1
        rig.wait(last + 600 + 0.003 - 0.0015 - rig.now)
        rig.touch("DRAW", True)
        rig.wait(0.05)
        rig.touch("DRAW", False)
        rig.wait(0.05)
        assert rig.entries[-1] == "Blue draw"


@pytest.mark.parametrize("chip", ["ssd1306", "sh1106"])
def test_a_new_brightness_takes_effect_at_once_and_stays(path: Path, chip: Chip) -> None:
    with Rig(path, chip=chip).press(PLAY) as rig:
        menu(rig, "This box", "Brightness", "High").draw()
        assert rig.fake_oled.contrast == 200
    with Rig(path, chip=chip) as again:
        again.draw()
        assert again.fake_oled.contrast == 200


@pytest.mark.parametrize("chip", ["ssd1306", "sh1106"])
def test_turning_the_picture_takes_effect_at_once(path: Path, chip: Chip) -> None:
    with Rig(path, chip=chip).press(PLAY) as rig:
        assert rig.seen == rig.frame.pixels
        menu(rig, "This box", "Picture", "Upside")
        assert rig.seen == turned(rig.frame).pixels
        menu(rig, "This box", "Picture", "This way")
        assert rig.seen == rig.frame.pixels


def test_a_panel_that_was_briefly_unplugged_works_again_after_a_key(
    path: Path,
) -> None:
    with Rig(path, rest=RestTimes()).press(PLAY) as rig:
        assert rig.seen == rig.frame.pixels
        rig.fake_oled.unplug()
        rig.fake_oled.plug()
        rig.press("6").wait(5.1)
        assert rig.seen == rig.frame.pixels
