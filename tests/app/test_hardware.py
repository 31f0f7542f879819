"""Which hardware a table runs on: as the configuration says, or as the table finds it."""

import asyncio
import re
import socket
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue

import aiohttp
import pytest
import zxingcpp
from gpiozero.pins.mock import MockFactory
from PIL import Image, ImageFilter

from companion.app import hardware
from companion.app.config import Config, parse_config
from companion.app.hardware import board_hardware, find_hardware, kind_of_hardware
from companion.console.frame import Canvas, Frame
from companion.console.screen_saver import PanelFrame
from companion.core.box_page import Phones
from companion.core.club import ClubRequest
from companion.core.errors import SetupError
from companion.core.keys import Key
from companion.devices.board import DirectKeys
from companion.devices.display.framebuffer import Caption, FramebufferPanel, Geometry
from companion.devices.display.panel import PageAndScreen
from companion.devices.gpio.debounce import Edge, Timing
from companion.table.events import Request
from companion.web.address import qr_rows, qr_text
from tests.fake_framebuffer import FakeScreen
from tests.starting import open_link
from tests.waiting import WAIT_S

PI = "Raspberry Pi Zero 2 W Rev 1.0\0"


def machine(folder: Path, model: str = PI, *nodes: str) -> Path:
    """The root folder of a machine of that model with those device nodes."""
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
def test_a_pi_with_a_disabled_bus_has_no_wired_display(
    tmp_path: Path, text: str, nodes: tuple[str, ...], found: str
) -> None:
    assert kind(text, machine(tmp_path, PI, *nodes)) == found


@pytest.mark.parametrize(("address", "found"), [(0x3C, "board"), (0x3D, "pads"), (None, "pads")])
def test_on_a_card_image_a_silent_display_counts_as_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: int | None, found: str
) -> None:
    """A card image always switches the bus on, so the bus alone doesn't show that there is a
    display."""
    asked = []

    class Bus:
        def __init__(self, node: str) -> None:
            asked.append(node)

        def __enter__(self) -> "Bus":
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def read_byte(self, at: int) -> int:
            if at != address:
                raise OSError(6, "No such device or address")
            return 0

    monkeypatch.setattr("smbus2.SMBus", Bus)
    text = '[box]\nhardware = "answering"\n'
    assert kind(text, machine(tmp_path, PI, "i2c-1")) == found
    assert asked == [str(tmp_path / "dev/i2c-1")]
    (tmp_path / "dev/i2c-1").unlink()
    assert kind(text, tmp_path) == "pads"


def test_other_machines_are_a_virtual_box(tmp_path: Path) -> None:
    assert kind("", machine(tmp_path, "QEMU Virtual Machine\0", "i2c-1")) == "virtual"


def test_a_display_unknown_to_luma_is_reported_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Debian's luma.oled knows no SH1107, for example."""
    monkeypatch.setattr("companion.devices.gpio.pins.open_pins", lambda _: None)
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
        found.panel.show(PanelFrame(words("Red leads")))
        assert screen.rows() == words("Red leads").rows()
        found.panel.close()
    (caption,) = captions
    (line,) = caption.lines
    assert line.startswith("The table is at http://")
    assert "127.0.0.1" not in line, "phones on the network can reach it"


SCREENS = [
    Geometry(1920, 1080, 32, 7680),
    Geometry(1280, 720, 32, 5120),
    Geometry(1366, 768, 32, 5504),
    Geometry(1024, 768, 24, 3072),
    Geometry(800, 480, 16, 1600),
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("geometry", SCREENS)
def test_the_qr_code_below_the_picture_is_the_pages_address(
    geometry: Geometry,
) -> None:
    place, word = "http://192.168.178.123:8055", "abcdefghij234567"
    screen = FakeScreen(geometry)
    panel = FramebufferPanel(
        screen.open, lambda: Caption((f"The table is at {place}",), qr_rows(place, word))
    )
    panel.open()
    panel.show(PanelFrame(words("Red leads")))
    seen = Image.new("1", (geometry.width, geometry.height))
    seen.putdata([screen.lit(x, y) for y in range(geometry.height) for x in range(geometry.width)])
    # A phone is held to that corner, and its picture is never quite sharp or upright.
    corner = seen.convert("L").crop(
        (geometry.width * 2 // 3, geometry.height // 2, geometry.width, geometry.height)
    )
    photographed = corner.resize((1600, 1600 * corner.height // corner.width))
    photographed = photographed.filter(ImageFilter.GaussianBlur(3)).rotate(3, fillcolor=90)
    (code,) = zxingcpp.read_barcodes(photographed)
    assert code.text == qr_text(place, word)


# ---------------------------------------------------------------- the page beside a board


class Box:
    """A board on fakes in a running program, with the page beside it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, stack: ExitStack, web: str) -> None:
        self.screen, self.served = FakeScreen(), 0
        self.moves: SimpleQueue[Edge | Request | Phones | ClubRequest] = SimpleQueue()
        monkeypatch.setattr("companion.devices.gpio.pins.open_pins", lambda _: MockFactory())
        opened = partial(FramebufferPanel, self.screen.open)
        monkeypatch.setattr(hardware, "FramebufferPanel", opened)
        text = f'[box]\nhardware = "board"\n[display]\ndriver = "framebuffer"\n[web]\n{web}'
        config = parse_config(text, "c.toml")
        self.found = find_hardware(config, "c.toml", Timing(), stack)

    def serve(self) -> list[str]:
        return self.found.serve(lambda letter: False, self.moves.put)


def test_a_boards_page_shows_its_display_and_presses_its_keys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def visit(url: str, cookie: str) -> list[bytes]:
        async with aiohttp.ClientSession(url, headers={"Cookie": cookie}) as session:
            async with session.get("/token") as answer:
                token = (await answer.json())["token"]
            async with session.ws_connect("/live", headers={"Origin": url}) as ws:
                await ws.send_json({"n": 0, "hello": token})
                assert await ws.receive_json() == {"n": 0, "box": True}
                seen = [await ws.receive_bytes()]
                box.found.sleep(True)
                seen.append(await ws.receive_bytes())
                for n, down in ((1, True), (2, False)):
                    await ws.send_json({"n": n, "key": "5", "down": down})
                    assert await ws.receive_json() == {"n": n}
                return seen

    with ExitStack() as stack:
        box = Box(monkeypatch, stack, "port = 0")
        assert box.found.wired and isinstance(box.found.keys, DirectKeys)
        box.found.show(words("Red leads"))
        url, cookie = open_link(box.serve()[0].split()[-1])
        assert cookie
        seen = asyncio.run(asyncio.wait_for(visit(url, cookie), WAIT_S))
        assert seen == [
            words("Red leads").packed() + b"\xffRed leads",
            Frame.blank().packed() + b"\xff",
        ]
        told, *put = [box.moves.get(timeout=WAIT_S) for _ in range(3)]
        assert told == Phones(open=False)
        edges = [edge for edge in put if isinstance(edge, Edge)]
        assert [(edge.key, edge.down) for edge in edges] == [(Key.D5, True), (Key.D5, False)]
        assert edges[1].at - edges[0].at >= Timing().contact_s, "the debounce believes it"


def test_hdmi_shows_the_pages_address_once_phones_can_reach_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def below(web: str) -> bool:
        with ExitStack() as stack:
            box = Box(monkeypatch, stack, web)
            box.found.panel.open()
            box.serve()
            box.found.panel.show(PanelFrame(words("Red leads")))
            return any(box.screen.memory[64 * 15 * 7680 :])

    assert below('host = "0.0.0.0"\nport = 0')
    assert not below("port = 0"), "nobody else can reach this machine's own"


def test_a_board_loses_only_its_page_if_the_port_is_taken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, ExitStack() as stack:
        port = taken.getsockname()[1]
        box = Box(monkeypatch, stack, f"port = {port}")
        box.serve()
        box.found.show(words("plays on"))
        told = capsys.readouterr().err
    assert re.fullmatch(
        rf"the page can't listen on 127\.0\.0\.1:{port} \(Address already in use\): "
        rf"try --port {port + 1}; the table goes on without it\n",
        told,
    )


class Page:
    """A panel that always works; `shown` has its frames."""

    def __init__(self) -> None:
        self.shown: list[Frame] = []

    def open(self) -> None:
        """Does nothing."""

    def show(self, picture: PanelFrame) -> None:
        self.shown.append(picture.frame)

    def close(self) -> None:
        """Does nothing."""


def test_a_missing_screen_is_reported_once_and_tried_again_later(
    capsys: pytest.CaptureFixture[str],
) -> None:
    page, screen = Page(), FakeScreen(Geometry(800, 480, 16, 1600), absent=True)
    both = PageAndScreen(page, FramebufferPanel(screen.open))
    both.open()
    for at in range(3):
        both.show(PanelFrame(words(f"{at}")))
    assert len(page.shown) == 3
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and told.startswith("No picture on HDMI (there is no /dev/fb0")
    screen.absent = False
    both.show(PanelFrame(words("still the same minute")))
    assert screen.opened == 0
    both.show(PanelFrame(words("renewed"), renewal=1))
    assert screen.rows() == words("renewed").rows()
    screen.broken = True
    both.show(PanelFrame(words("pulled out"), renewal=1))
    assert page.shown[-1] == words("pulled out")
    screen.broken = False
    both.show(PanelFrame(words("back"), renewal=2))
    assert screen.rows() == words("back").rows()
    both.close()
    assert capsys.readouterr().err == ""
