"""Which hardware a table runs on: as the configuration says, or by itself as it is."""

import re
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from companion import hardware
from companion.config import Config, parse_config
from companion.console.frame import Canvas, Frame
from companion.devices.care import Picture
from companion.devices.debounce import Timing
from companion.devices.fake_framebuffer import FakeScreen
from companion.devices.framebuffer import Caption, FramebufferPanel, Geometry
from companion.devices.page_and_screen import PageAndScreen
from companion.hardware import SetupError, board_hardware, find_hardware, kind_of_hardware

PI = "Raspberry Pi Zero 2 W Rev 1.0\0"


def machine(folder: Path, model: str = PI, *nodes: str) -> Path:
    """The root of a machine with that model and those device nodes."""
    for path, text in (("proc/device-tree/model", model), *((f"dev/{node}", "") for node in nodes)):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def kind(text: str, root: Path) -> str:
    return kind_of_hardware(parse_config(text, "c.toml"), "c.toml", root)


@pytest.mark.parametrize(
    ("text", "nodes", "found"),
    [
        ("", ("i2c-1",), "board"),
        ("", ("i2c-0", "fb0"), "pads"),
        ('[box]\nboard = "waveshare-1.3-hat"', ("i2c-1",), "pads"),
        ('[box]\nboard = "waveshare-1.3-hat"', ("spidev0.0",), "board"),
        ('[display]\ndriver = "framebuffer"', (), "board"),
        ('[box]\nhardware = "pads"', ("i2c-1",), "pads"),
        ('[box]\nhardware = "board"', (), "board"),
    ],
)
def test_a_pi_whose_display_bus_is_off_plays_without_a_wired_display(
    tmp_path: Path, text: str, nodes: tuple[str, ...], found: str
) -> None:
    assert kind(text, machine(tmp_path, PI, *nodes)) == found


def test_no_pi_is_a_virtual_box(tmp_path: Path) -> None:
    assert kind("", machine(tmp_path, "QEMU Virtual Machine\0", "i2c-1")) == "virtual"


def test_a_display_that_this_luma_cannot_drive_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As with Debian's luma.oled, which knows no SH1107."""
    monkeypatch.setattr("companion.devices.pins.open_pins", lambda _: None)
    monkeypatch.delattr("luma.oled.device.sh1107", raising=False)
    config = parse_config('[display]\ndriver = "sh1107"', "c.toml")
    with pytest.raises(SetupError) as told:
        board_hardware(config, "c.toml")
    assert re.fullmatch(
        r"luma\.oled [\d.]+ can't drive an sh1107, 3\.11 can: the Debian package has no newer one: "
        r"take a display with an ssd1306, ssd1309 or sh1106, or start the companion from its "
        r"source by make run",
        str(told.value),
    )


def words(text: str) -> Frame:
    canvas = Canvas()
    canvas.text(3, 16, text)
    return canvas.frame()


def test_without_a_wired_display_the_page_and_hdmi_show_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = FakeScreen()
    captions: list[Caption] = []

    def panel(caption: object) -> FramebufferPanel:
        assert callable(caption)
        captions.append(caption())
        return FramebufferPanel(screen.open, caption)

    monkeypatch.setattr(hardware, "FramebufferPanel", panel)
    config = replace(Config(), box=replace(Config().box, hardware="pads"))
    with ExitStack() as stack:
        found = find_hardware(
            replace(config, web=replace(config.web, port=0)), "c.toml", Timing(), stack
        )
        assert not found.wired
        found.panel.open()
        found.panel.show(Picture(words("Red leads")))
        assert screen.rows() == words("Red leads").rows()
        found.panel.close()
    (caption,) = captions
    (line,) = caption.lines
    assert line.startswith("The table is at http://")
    assert "127.0.0.1" not in line, "phones on the network can reach it"


class Page:
    """A panel that always works."""

    def __init__(self) -> None:
        self.shown: list[Frame] = []

    def open(self) -> None:
        """Is there."""

    def show(self, picture: Picture) -> None:
        self.shown.append(picture.frame)

    def close(self) -> None:
        """Is gone."""


def test_a_missing_screen_is_told_once_and_tried_at_each_renewal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    page, screen = Page(), FakeScreen(Geometry(800, 480, 16, 1600), absent=True)
    both = PageAndScreen(page, FramebufferPanel(screen.open))
    both.open()
    for at in range(3):
        both.show(Picture(words(f"{at}")))
    assert len(page.shown) == 3
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and told.startswith("No picture on HDMI (there is no /dev/fb0")
    screen.absent = False
    both.show(Picture(words("still the same minute")))
    assert screen.opened == 0
    both.show(Picture(words("renewed"), renewal=1))
    assert screen.rows() == words("renewed").rows()
    screen.broken = True
    both.show(Picture(words("pulled out"), renewal=1))
    assert page.shown[-1] == words("pulled out")
    screen.broken = False
    both.show(Picture(words("back"), renewal=2))
    assert screen.rows() == words("back").rows()
    both.close()
    assert capsys.readouterr().err == ""
