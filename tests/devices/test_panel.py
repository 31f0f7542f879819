"""Runs of changed columns on the fake panel: what arrives, how many bytes it takes, and which
faults it survives."""

from random import Random

import luma.oled
import pytest

from companion.console.frame import Canvas, Frame, wire_cost
from companion.console.screen_saver import PanelFrame
from companion.devices.display.panel import LumaPanel, UnknownChipError, init_commands
from tests.bench_wire import cheapest
from tests.fake_oled import Chip, FakeOled

LUMA = tuple(map(int, luma.oled.__version__.split(".")[:2]))
CHIPS: tuple[Chip, ...] = (
    *("ssd1306", "ssd1309", "sh1106"),
    *(("sh1107",) if LUMA >= (3, 11) else ()),  # Debian 12 and 13 have 3.10
)
WHOLE = 8 * (128 + 7)


def words(text: str) -> Frame:
    canvas = Canvas()
    canvas.text(3, 16, text)
    canvas.box(0, 0, 128, 64)
    return canvas.frame()


def scribbled(random: Random, under: Frame) -> Frame:
    """The frame with up to three random rectangles filled or cleared."""
    canvas = Canvas(under)
    for _ in range(random.randrange(4)):
        x, y = random.randrange(-3, 128), random.randrange(-3, 64)
        canvas.fill(x, y, random.randrange(20), random.randrange(20), random.random() < 0.5)
    return canvas.frame()


def opened(chip: Chip) -> tuple[FakeOled, LumaPanel]:
    fake_oled = FakeOled(chip)
    panel = LumaPanel(chip, fake_oled.open)
    panel.open()
    return fake_oled, panel


def sent_for(fake_oled: FakeOled, panel: LumaPanel, picture: PanelFrame) -> int:
    """The number of bytes sent over the bus for one picture."""
    before = fake_oled.wire_bytes
    panel.show(picture)
    return fake_oled.wire_bytes - before


@pytest.mark.parametrize("chip", CHIPS)
def test_every_picture_is_sent_with_the_fewest_bytes(chip: Chip) -> None:
    random, frame = Random(5), words("Red leads")
    fake_oled, panel = opened(chip)
    panel.show(PanelFrame(frame))
    for _ in range(200):
        after = scribbled(random, frame)
        sent = sent_for(fake_oled, panel, PanelFrame(after))
        assert sent == wire_cost(frame, after) == cheapest(frame, after)
        assert fake_oled.seen == after.pixels
        frame = after


@pytest.mark.parametrize("chip", CHIPS)
def test_the_first_picture_is_complete_even_if_it_is_dark(chip: Chip) -> None:
    fake_oled, panel = opened(chip)
    whole = WHOLE * (2 if chip == "sh1107" else 1)
    assert whole < sent_for(fake_oled, panel, PanelFrame(Frame.blank())) < whole + 60
    assert fake_oled.contrast
    assert fake_oled.seen == bytes(1024)


@pytest.mark.parametrize("chip", CHIPS)
def test_the_panel_stays_dark_until_the_picture_is_complete(chip: Chip) -> None:
    fake_oled, panel = opened(chip)
    fake_oled.breaks_after = 600
    with pytest.raises(OSError, match="does not acknowledge"):
        panel.show(PanelFrame(words("half")))
    assert fake_oled.contrast == 0


@pytest.mark.parametrize("chip", CHIPS)
def test_a_taller_panel_is_dark_above_and_below_the_picture(chip: Chip) -> None:
    fake_oled, panel = opened(chip)
    panel.show(PanelFrame(words("in the middle")))
    memory = fake_oled._chip.memory
    beside = len(memory) // 2 - 4
    assert beside == (4 if chip == "sh1107" else 0)
    outside = [*memory[:beside], *memory[beside + 8 :]]
    assert outside == [bytes(128)] * 2 * beside


def test_a_driver_missing_in_luma_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    from luma.oled import device

    monkeypatch.delattr(device, "sh1107", raising=LUMA >= (3, 11))
    says = r"^luma\.oled 3\.\d+\S* can't drive an sh1107, 3\.11 can$"
    with pytest.raises(UnknownChipError, match=says):
        LumaPanel("sh1107", FakeOled("sh1107").open)


def test_without_page_mode_an_ssd1306_would_show_noise() -> None:
    fake_oled, panel = opened("ssd1306")
    panel._start = init_commands("ssd1306")
    panel.show(PanelFrame(words("noise")))
    panel.show(PanelFrame(words("noise too")))
    assert fake_oled.seen != words("noise too").pixels


def test_another_drivers_address_window_does_not_matter() -> None:
    """A panel that kept its power may still be in another mode, and in a window that another
    program set."""
    fake_oled = FakeOled("ssd1306")
    fake_oled.command(0x20, 0x00, 0x21, 10, 20, 0x22, 2, 3)
    panel = LumaPanel("ssd1306", fake_oled.open)
    panel.open()
    panel.show(PanelFrame(words("mine")))
    assert fake_oled.seen == words("mine").pixels


@pytest.mark.parametrize(("of_glass", "told", "fits"), [(2, None, True), (0, None, False),
                                                        (0, 0, True), (4, 4, True)])  # fmt: skip
def test_columns_begin_at_the_visible_part(of_glass: int, told: int | None, fits: bool) -> None:
    fake_oled = FakeOled("sh1106", of_glass)
    panel = LumaPanel("sh1106", fake_oled.open, told)
    panel.open()
    panel.show(PanelFrame(words("offset")))
    assert (fake_oled.seen == words("offset").pixels) is fits


def test_an_ssd1306_driver_on_an_sh1106_is_two_columns_off() -> None:
    fake_oled = FakeOled("sh1106")
    panel = LumaPanel("ssd1306", fake_oled.open)
    panel.open()
    panel.show(PanelFrame(words("shifted")))
    rows = [fake_oled.seen[page * 128 : page * 128 + 126] for page in range(8)]
    expected = words("shifted").pixels
    assert rows == [expected[page * 128 + 2 : page * 128 + 128] for page in range(8)]


@pytest.mark.parametrize("chip", CHIPS)
def test_after_any_bus_error_the_next_picture_is_complete(chip: Chip) -> None:
    for byte in range(0, 300, 7):
        fake_oled, panel = opened(chip)
        panel.show(PanelFrame(words("before")))
        fake_oled.breaks_after = byte
        try:
            panel.show(PanelFrame(words("never quite"), down=1, contrast=90))
        except OSError:
            panel.close()
            fake_oled.plug()
            panel.open()
        fake_oled.breaks_after = None
        panel.show(PanelFrame(words("after")))
        assert fake_oled.seen == words("after").pixels, f"broken off after {byte} bytes"
        assert fake_oled.contrast == 30


@pytest.mark.parametrize("chip", CHIPS)
def test_a_renewal_repairs_lost_bytes_and_replugged_panels(chip: Chip) -> None:
    fake_oled, panel = opened(chip)
    panel.show(PanelFrame(words("before")))
    fake_oled.loses = 5
    panel.show(PanelFrame(words("lost")))
    assert fake_oled.seen != words("lost").pixels
    panel.show(PanelFrame(words("lost"), renewal=1))
    assert fake_oled.seen == words("lost").pixels
    fake_oled.unplug()
    fake_oled.plug()
    panel.show(PanelFrame(words("lost?"), renewal=1))
    assert fake_oled.contrast == 0
    panel.show(PanelFrame(words("lost?"), renewal=2))
    assert fake_oled.seen == words("lost?").pixels


@pytest.mark.parametrize("chip", CHIPS)
def test_a_renewal_is_invisible_on_a_working_panel(chip: Chip) -> None:
    fake_oled, panel = opened(chip)
    panel.show(PanelFrame(words("steady")))
    sent = len(fake_oled.log)
    panel.show(PanelFrame(words("steady"), renewal=1))
    contrasts = {fake_oled.contrast}
    again = FakeOled(chip)
    for kind, transfer in fake_oled.log:
        if again.contrast:
            contrasts.add(again.contrast)
        again.command(*transfer) if kind == "command" else again.data(list(transfer))
    assert contrasts == {30}
    first_bytes = {transfer[0] for kind, transfer in fake_oled.log[sent:] if kind == "command"}
    assert 0xAE not in first_bytes


@pytest.mark.parametrize("chip", CHIPS)
def test_shifting_dimming_and_switching_take_a_few_bytes(chip: Chip) -> None:
    fake_oled, panel = opened(chip)
    frame = words("Red leads")
    panel.show(PanelFrame(frame))
    assert sent_for(fake_oled, panel, PanelFrame(frame, down=1)) <= 5
    rows = Frame(fake_oled.seen).rows()
    # On more rows than the picture has, nothing comes back at the top.
    assert rows == ["." * 128 if chip == "sh1107" else frame.rows()[-1], *frame.rows()[:-1]]
    assert sent_for(fake_oled, panel, PanelFrame(frame, contrast=200)) <= 10
    assert (fake_oled.contrast, fake_oled.seen) == (200, frame.pixels)
    assert sent_for(fake_oled, panel, PanelFrame(frame, contrast=0)) <= 5
    assert (fake_oled.contrast, fake_oled.seen) == (0, bytes(1024))
    assert sent_for(fake_oled, panel, PanelFrame(frame, contrast=1)) <= 5
    assert (fake_oled.contrast, fake_oled.seen) == (1, frame.pixels)


def test_drivers_are_created_without_a_display() -> None:
    fake_oled = FakeOled()
    fake_oled.broken = True
    LumaPanel("ssd1306", fake_oled.open)
    assert fake_oled.log == []
