"""The display thread on the fake panel: what arrives is what a viewer would see."""

import threading
from collections.abc import Callable, Iterator

import pytest

from companion.console.frame import Canvas, Frame
from companion.console.screen_saver import DisplayLook, PanelFrame, goodbye
from companion.devices.display import display_thread
from companion.devices.display.display_thread import Oled
from companion.devices.display.panel import LumaPanel
from companion.devices.display.virtual import VirtualPanel
from tests.fake_oled import Chip, FakeOled
from tests.waiting import WAIT_S


def picture(text: str) -> Frame:
    canvas = Canvas()
    canvas.text(3, 9, text)
    canvas.box(0, 0, 128, 64)
    return canvas.frame()


class ReportingPanel:
    """A panel that reports when a frame is drawn or has failed, and can be held up."""

    def __init__(self, fake_oled: FakeOled) -> None:
        self._panel = LumaPanel(fake_oled.kind, fake_oled.open)
        self.done = threading.Semaphore(0)
        self.may_draw = threading.Event()
        self.may_draw.set()
        self.drawn = 0

    def open(self) -> None:
        try:
            self._panel.open()
        except Exception:
            self.done.release()
            raise

    def show(self, picture: PanelFrame) -> None:
        assert self.may_draw.wait(WAIT_S)
        try:
            self._panel.show(picture)
            self.drawn += 1
        finally:
            self.done.release()

    def close(self) -> None:
        self._panel.close()


class Desk:
    """A fake panel, the thread that draws on it and what the thread reported."""

    def __init__(self, chip: Chip) -> None:
        self.fake_oled = FakeOled(chip)
        self.panel = ReportingPanel(self.fake_oled)
        self.reports: list[str] = []
        self.oled = Oled(self.panel, self.reports.append)

    def draw(self, frame: Frame, tries: int = 1) -> None:
        """Shows a frame, and waits until the panel has drawn it or failed that many times."""
        self.oled.show(frame)
        for _ in range(tries):
            assert self.panel.done.acquire(timeout=WAIT_S)


@pytest.fixture(params=["ssd1306", "sh1106"])
def desk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr(display_thread, "RETRY_S", (WAIT_S * 1000,))
    desk = Desk(request.param)
    desk.oled.start()
    yield desk
    desk.oled.stop()


def test_a_frame_arrives_pixel_for_pixel(desk: Desk) -> None:
    desk.draw(picture("Red leads"))
    assert desk.fake_oled.seen == picture("Red leads").pixels
    desk.draw(picture("Blue pays"))
    assert desk.fake_oled.seen == picture("Blue pays").pixels


def test_an_unchanged_frame_is_not_sent_again(desk: Desk) -> None:
    desk.draw(picture("Red"))
    sent = len(desk.fake_oled.log)
    desk.oled.show(picture("Red"))
    desk.oled.stop()
    assert len(desk.fake_oled.log) == sent


def test_the_newest_frame_replaces_a_waiting_one(desk: Desk) -> None:
    desk.panel.may_draw.clear()
    desk.oled.show(picture("first"))
    for number in range(50):
        desk.oled.show(picture(f"late {number}"))
    desk.panel.may_draw.set()
    desk.oled.stop()
    assert desk.fake_oled.seen == picture("late 49").pixels
    assert desk.panel.drawn <= 2


def test_a_display_that_was_unplugged_is_initialised_and_drawn_again(desk: Desk) -> None:
    desk.draw(picture("before"))
    desk.fake_oled.unplug()
    desk.draw(picture("unseen"), tries=2)
    desk.draw(picture("unseen too"), tries=2)
    desk.fake_oled.plug()
    desk.draw(picture("after"))
    assert desk.fake_oled.seen == picture("after").pixels
    desk.oled.stop()
    assert [line.split("(")[0] for line in desk.reports] == [
        "The display does not answer ",
        "The display is back.",
    ]


def test_a_failed_write_is_retried_at_once(desk: Desk) -> None:
    """Neither a retry after a pause (they are longer than the test) nor a new frame can explain
    it."""
    desk.draw(picture("before"))
    for number in range(5):
        desk.fake_oled.spoils = 1
        drawn = desk.panel.drawn
        desk.oled.show(picture(f"after {number}"))
        while desk.panel.drawn == drawn:
            assert desk.panel.done.acquire(timeout=WAIT_S)
        assert desk.fake_oled.seen == picture(f"after {number}").pixels
    assert desk.reports == [], "nobody needs to know of a moment that nobody saw"


def test_the_display_recovers_without_a_new_frame(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(display_thread, "RETRY_S", (0.001,))
    desk.fake_oled.unplug()
    desk.draw(picture("patience"))
    desk.fake_oled.plug()
    while desk.panel.drawn == 0:
        assert desk.panel.done.acquire(timeout=WAIT_S)
    desk.oled.stop()
    assert desk.fake_oled.seen == picture("patience").pixels


def test_a_missing_display_is_reported_once() -> None:
    desk = Desk("ssd1306")
    desk.fake_oled.broken = True
    desk.oled.start()
    for number in range(5):
        desk.draw(picture(str(number)))
    desk.oled.stop()
    assert len(desk.reports) == 1


def test_the_frame_in_the_mailbox_is_drawn_before_the_end(desk: Desk) -> None:
    desk.oled.show(picture("goodbye"))
    desk.oled.stop()
    assert desk.fake_oled.seen == picture("goodbye").pixels


def test_a_hanging_bus_does_not_block_stop(desk: Desk) -> None:
    desk.panel.may_draw.clear()
    desk.oled.show(picture("stuck"))
    desk.oled.stop(wait_s=0.01)
    desk.panel.may_draw.set()


def test_the_last_picture_stays_on_the_display(desk: Desk) -> None:
    desk.draw(picture("Red leads"))
    desk.oled.look(DisplayLook(contrast=0))
    desk.oled.stop(goodbye())
    assert desk.fake_oled.seen == goodbye().pixels
    assert desk.fake_oled.contrast


def test_drawing_the_last_picture_repairs_unnoticed_damage(desk: Desk) -> None:
    desk.draw(picture("Red leads"))
    desk.fake_oled.unplug()
    desk.fake_oled.plug()
    desk.oled.stop(goodbye())
    assert desk.fake_oled.seen == goodbye().pixels


def test_stop_waits_for_a_bus_held_by_the_power_key(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(display_thread, "LAST_PAUSE_S", 0)
    desk.draw(picture("Red leads"))
    desk.fake_oled.broken = True
    opened = iter((OSError("held"), OSError("held")))

    def held_twice() -> FakeOled:
        for error in opened:
            raise error
        desk.fake_oled.plug()
        return desk.fake_oled.open()

    desk.panel._panel._open_bus = held_twice
    desk.oled.stop(goodbye(), wait_s=WAIT_S)
    assert desk.fake_oled.seen == goodbye().pixels


def test_a_missing_display_does_not_block_stop(desk: Desk) -> None:
    desk.fake_oled.broken = True
    desk.draw(picture("unseen"), tries=2)
    desk.panel.drawn = 0
    desk.oled.stop(goodbye(), wait_s=WAIT_S)
    for _ in range(2):  # a try, and one at once after it
        assert desk.panel.done.acquire(timeout=WAIT_S)
    assert not desk.panel.done.acquire(blocking=False)


def test_the_display_thread_survives_any_exception(desk: Desk) -> None:
    def fails() -> FakeOled:
        raise AssertionError("not as luma expects it")

    desk.panel._panel._open_bus = fails
    desk.draw(picture("first"), tries=2)
    desk.panel._panel._open_bus = desk.fake_oled.open
    desk.draw(picture("then"))
    assert desk.fake_oled.seen == picture("then").pixels


def test_the_virtual_panel_passes_on_every_pixel() -> None:
    shown: list[Callable[[], bytes]] = []
    frame = picture("hello")
    VirtualPanel(shown.append).show(PanelFrame(frame))
    told = shown[0]()
    rows = [f"{int.from_bytes(told[y * 16 : y * 16 + 16], 'big'):0128b}" for y in range(64)]
    assert [row.replace("1", "#").replace("0", ".") for row in rows] == frame.rows()
    assert told[1024:] == bytes([PanelFrame(frame).contrast]) + b"hello"
