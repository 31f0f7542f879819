"""When the display is dimmed, dark and moved, and which press only wakes it."""

import pytest

from companion.console.frame import Canvas, Frame
from companion.console.screen_saver import (
    CONTRAST,
    DIMMED,
    NEVER,
    PLACES,
    DisplayLook,
    RestTimes,
    ScreenSaver,
    moved,
    turned,
)
from companion.core.keys import Key, Press
from companion.core.seats import Seat

OK = Press(Key.OK)
HELD = Press(Key.OK, held=True)


class TimedSaver:
    """A screen saver with a clock; it is called only when it asks to be."""

    def __init__(self, rest: RestTimes | None = None, upside_down: bool = False) -> None:
        self.now = 1000.0
        self.saver = ScreenSaver(self.now, rest or RestTimes(), upside_down)
        self.pending = False
        self.settings: dict[str, int | str] = {}
        self.wakes = 0
        self.advance()

    def wait(self, seconds: float) -> DisplayLook:
        until = self.now + seconds
        while (at := self.saver.wake_at) is not None and at <= until:
            self.now, self.wakes = at, self.wakes + 1
            self.advance()
        self.now = until
        return self.advance()

    def press(self, press: Press = OK) -> bool:
        """Whether the press was swallowed."""
        swallowed = self.saver.swallows(press, self.now)
        self.advance()
        return swallowed

    def advance(self) -> DisplayLook:
        return self.saver.advance(self.now, self.pending, self.settings)

    @property
    def look(self) -> DisplayLook:
        return self.advance()


def test_an_unused_display_is_dimmed_and_later_goes_dark() -> None:
    watch = TimedSaver()
    assert watch.wait(119).contrast == CONTRAST
    assert watch.wait(1).contrast == DIMMED
    assert watch.wait(479).contrast == DIMMED
    assert watch.wait(1).contrast == 0


def test_a_dark_display_needs_no_timer() -> None:
    watch = TimedSaver()
    watch.wait(600)
    assert watch.saver.wake_at is None
    before = watch.look
    assert watch.wait(100_000) == before


def test_a_lit_display_wakes_less_than_once_a_minute_on_average() -> None:
    watch = TimedSaver()
    watch.wait(600)
    assert watch.wakes <= 12


def test_only_the_press_that_wakes_the_display_is_swallowed() -> None:
    watch = TimedSaver()
    watch.wait(600)
    assert watch.press()
    assert watch.look.contrast == CONTRAST
    assert not watch.press()


def test_a_dimmed_display_swallows_nothing() -> None:
    watch = TimedSaver()
    assert watch.wait(300).contrast == DIMMED
    assert not watch.press()
    assert watch.look.contrast == CONTRAST
    assert watch.wait(119).contrast == CONTRAST


def test_holding_the_waking_key_has_no_effect() -> None:
    watch = TimedSaver()
    watch.wait(600)
    assert watch.press()
    watch.wait(1)
    assert not watch.press(Press(Key.DRAW))
    assert not watch.press(Press(Key.OK, Seat("Red"), held=True))
    assert watch.press(HELD)
    watch.wait(1)
    assert not watch.press()
    assert not watch.press(HELD)


def test_with_pending_digits_the_display_never_goes_dark() -> None:
    watch = TimedSaver()
    watch.pending = True
    assert watch.wait(100_000).contrast == DIMMED
    assert not watch.press()


def test_the_display_goes_dark_once_nothing_is_pending() -> None:
    watch = TimedSaver()
    watch.pending = True
    watch.wait(1000)
    watch.pending = False
    assert watch.wait(0).contrast == 0


def test_waking_initialises_the_panel_again() -> None:
    watch = TimedSaver()
    asleep = watch.wait(600)
    watch.press()
    assert watch.look.renewal != asleep.renewal


def test_the_picture_moves_every_minute_in_a_cycle() -> None:
    watch = TimedSaver(RestTimes(sleep_s=1e9))
    places = [watch.wait(60).place for _ in range(5)]
    assert places == [*PLACES[1:], *PLACES[:2]]


def test_the_picture_moves_only_when_nobody_is_pressing_keys() -> None:
    watch = TimedSaver()
    for _ in range(100):
        watch.wait(2)
        watch.press()
    assert watch.look.place == PLACES[0]
    assert watch.wait(5).place == PLACES[1]


def test_the_panel_is_renewed_once_after_the_last_press() -> None:
    watch = TimedSaver()
    before = watch.press() or watch.look.renewal
    assert watch.wait(4.9).renewal == before
    assert watch.wait(0.2).renewal == before + 1
    assert watch.wait(20).renewal == before + 1


def test_a_display_that_cannot_burn_in_is_left_unchanged() -> None:
    watch = TimedSaver(NEVER)
    watch.press()
    assert watch.saver.wake_at is None
    assert watch.wait(1e9) == DisplayLook()


@pytest.mark.parametrize("contrast", [30, 90, 200])
def test_the_brightness_follows_the_setting(contrast: int) -> None:
    watch = TimedSaver()
    watch.settings["contrast"] = contrast
    assert watch.look.contrast == contrast
    assert watch.wait(130).contrast == DIMMED
    watch.press()
    assert watch.look.contrast == contrast


@pytest.mark.parametrize("contrast", [0, 256, "bright"])
def test_an_invalid_brightness_means_the_default(contrast: int | str) -> None:
    watch = TimedSaver()
    watch.settings["contrast"] = contrast
    assert watch.look.contrast == CONTRAST


@pytest.mark.parametrize("mounted", [False, True])
def test_setting_and_mounting_both_rotate_the_picture(mounted: bool) -> None:
    watch = TimedSaver(upside_down=mounted)
    assert watch.look.flip is mounted
    watch.settings["flip"] = "on"
    assert watch.look.flip is not mounted
    watch.settings["flip"] = "off"
    assert watch.look.flip is mounted


def drawing() -> Frame:
    canvas = Canvas()
    canvas.text(0, 3, "Red leads")
    canvas.right(128, 50, "255")
    return canvas.frame()


def test_turned_rotates_by_half_a_turn() -> None:
    frame = drawing()
    assert turned(frame).rows() == [row[::-1] for row in reversed(frame.rows())]
    assert turned(turned(frame)) == frame


def test_a_moved_picture_loses_no_pixels() -> None:
    frame = drawing()
    assert moved(frame, 1).rows() == [row[-1] + row[:-1] for row in frame.rows()]
    assert moved(frame, 0) == frame
