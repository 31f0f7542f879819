"""The hardware that a table runs on. There are three kinds: a board named in the configuration; the
virtual box; or only number pads, a page and an HDMI screen."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from companion.app.config import Config, Web
from companion.app.page import BoxPage, PageSetup
from companion.console.frame import Frame
from companion.console.screen_saver import RestTimes, ScreenSaver
from companion.core.box_page import Phones
from companion.core.clock import Clock
from companion.core.club import ClubRequest
from companion.core.errors import SetupError
from companion.core.typed_address import EVERYWHERE
from companion.core.values import dataclass
from companion.devices.board import Buzzer, DirectKeys, MatrixKeys, load_board
from companion.devices.display.drivers import Display
from companion.devices.display.framebuffer import Caption, FramebufferPanel
from companion.devices.display.panel import PageAndScreen, Panel, UnknownChipError
from companion.devices.gpio.debounce import Edge, Timing
from companion.devices.gpio.gpio_chip import ChipError, NoChipError
from companion.devices.gpio.keypad import DirectKeypad, open_keys
from companion.table.events import Request
from companion.table.snapshot import Snapshot

if TYPE_CHECKING:
    from companion.devices.gpio.matrix import MatrixKeypad

TV = "COMPANION_TV"
"""The environment variable that is set if another program draws the table on HDMI
(companion-tv.service)."""
MODEL = Path("/proc/device-tree/model")
"""The file in which the kernel names the model of this machine."""


Put = Callable[[Edge | Request | Phones | ClubRequest], None]
Serve = Callable[[Callable[[str], bool], Put], list[str]]


@dataclass(frozen=True, slots=True)
class Hardware:
    """The box's keys and display, real or virtual.

    `serve` starts the page, if there is one: it takes a function that types a letter (see
    Table.type_letter) and the function that puts requests into the loop's queue, and returns lines
    about the page's address. `saver` returns the screen saver, given the time. `wired`: whether the
    box has physical keys."""

    keys: DirectKeys | MatrixKeys
    factory: Any
    panel: Panel
    serve: Serve = lambda *_: []
    saver: Callable[[float], ScreenSaver] = ScreenSaver
    wired: bool = True
    tell: Callable[[Snapshot], None] = lambda _: None
    """Receives the state of the table for the page, if there is one."""
    show: Callable[[Frame], None] = lambda _: None
    """Receives each picture, for a page beside the display, if there is one."""
    sleep: Callable[[bool], None] = lambda _: None
    """Receives whether the display is dark, for a page beside the display, if there is one."""
    page: BoxPage | None = None
    """The page of the box; None if there is none."""
    buzzer: Buzzer | None = None
    takes_pads: bool = True
    """Whether connected number pads belong to the box: on a Pi they do, on a personal computer they
    don't."""


def find_hardware(
    config: Config,
    where: str,
    timing: Timing,
    stack: ExitStack,
    page_setup: PageSetup | None = None,
) -> Hardware:
    """Opens the hardware that is configured or found, and returns it. `where`: the path of the
    configuration file; `stack` closes everything at the end; `page_setup`: the page's settings.
    Raises ConfigError or SetupError."""
    page_setup = page_setup or PageSetup()
    match kind_of_hardware(config, where):
        case "virtual":
            found = _virtual_box(BoxPage(config.web, timing, page_setup), stack)
        case "pads":
            found = _hardware_without_board(config, timing, stack, page_setup)
        case _:
            page = BoxPage(config.web, timing, replace(page_setup, wired=True))
            found = _add_page(board_hardware(config, where, page.caption), page, stack)
    stack.callback(found.factory.close)
    return found


def kind_of_hardware(config: Config, where: str, root: Path = Path("/")) -> str:
    """Returns the kind of hardware, as configured or as found: “virtual”; “board”; or “pads”, for a
    Pi on which the display's bus was never enabled, so that no display can be wired to it. `where`:
    the path of the configuration file; `root`: the folder that contains dev and proc. Raises
    ConfigError."""
    if config.box.hardware not in ("auto", "answering"):
        return config.box.hardware
    if "Raspberry Pi" not in machine_model(root / MODEL.relative_to("/")):
        return "virtual"
    display = load_board(config.box.board, config.display, where).display
    wired = display.on_screen or (root / "dev" / display.node).exists()
    if wired and config.box.hardware == "answering" and display.interface == "i2c":
        from companion.devices.display.panel import does_answer

        wired = display.on_screen or does_answer(root / "dev" / display.node, display.address)
    return "board" if wired else "pads"


def machine_model(file: Path = MODEL) -> str:
    """Returns the model of this machine, as the kernel names it; empty on a PC."""
    return file.read_text(errors="replace").rstrip("\0") if file.exists() else ""


def board_hardware(
    config: Config, where: str, caption: Callable[[], Caption] = Caption
) -> Hardware:
    """Returns the keys and the display of the board that the configuration in the file `where`
    names. `caption` returns the text below the picture on HDMI. Raises ConfigError or
    SetupError."""
    from companion.devices.gpio.pins import open_pins

    board = load_board(config.box.board, config.display, where)
    display = board.display
    with _pin_errors_explained():
        factory = open_pins(config.keys.pins)
    panel = _open_panel(display, factory, caption)

    def saver(now: float) -> ScreenSaver:
        return ScreenSaver(now, RestTimes(), display.rotate == 2, display.contrast)

    return Hardware(board.keys, factory, panel, saver=saver, buzzer=board.buzzer)


def _open_panel(display: Display, factory: Any, caption: Callable[[], Caption]) -> Panel:
    """Opens the display's panel and returns it. Raises SetupError."""
    from companion.devices.display.panel import bus_of, panel_of

    if display.on_screen:
        return FramebufferPanel(caption=caption)
    try:
        return panel_of(display, bus_of(display, factory))
    except UnknownChipError as error:
        raise SetupError(f"{error}: {error.remedy}") from error


def _add_page(box: Hardware, page: BoxPage, stack: ExitStack) -> Hardware:
    """Returns the hardware of a board with `page` added to its display. If the page can't listen,
    prints a line about that on stderr, and the table works without the page."""
    stack.callback(page.stop)

    def serve(type_letter: Callable[[str], bool], put: Put) -> list[str]:
        box.serve(type_letter, put)
        try:
            page.listen()
        except SetupError as error:
            print(f"{error}; the table goes on without it", file=sys.stderr, flush=True)
        return page.serve(
            lambda key, down: put(Edge(key, down, monotonic())), type_letter, put, waits=True
        )

    return replace(box, serve=serve, tell=page.tell, show=page.show, sleep=page.sleep, page=page)


def _hardware_without_board(
    config: Config, timing: Timing, stack: ExitStack, page_setup: PageSetup
) -> Hardware:
    """Returns a box whose only keys are number pads and the keys on its page, which the whole
    network may open. Pictures appear only on the page and on an HDMI screen, together with the
    page's address. If the table runs as a service, `companion tv` draws on HDMI instead."""
    host = EVERYWHERE if config.web.host == Web().host else config.web.host
    # As a service it is open anyway, where systemd listens.
    web = config.web if page_setup.service else replace(config.web, host=host)
    page = BoxPage(web, timing, page_setup)
    box = _virtual_box(page, stack)
    screen = FramebufferPanel(caption=page.caption)
    panel = box.panel if TV in os.environ else PageAndScreen(box.panel, screen)
    return replace(box, panel=panel, wired=False, takes_pads=True)


def _virtual_box(page: BoxPage, stack: ExitStack) -> Hardware:
    """Returns a box with keys on mock pins and a display, both of which are on `page`."""
    from companion.devices.display.virtual import VIRTUAL_PINS, Fingers, VirtualPanel

    stack.callback(page.stop)
    page.listen()
    fingers = Fingers(VIRTUAL_PINS)

    def serve(type_letter: Callable[[str], bool], put: Put) -> list[str]:
        return page.serve(fingers.move, type_letter, put)

    panel = VirtualPanel(page.publish)
    return Hardware(
        DirectKeys(VIRTUAL_PINS),
        fingers.factory,
        panel,
        serve,
        tell=page.tell,
        page=page,
        takes_pads=False,
    )


def watch_keys(
    hardware: Hardware, put: Callable[[Edge], None], clock: Clock
) -> "DirectKeypad | MatrixKeypad":
    """Starts watching the keys; the caller closes what this returns. Raises SetupError."""
    with _pin_errors_explained():
        return open_keys(hardware.keys, put, clock, hardware.factory)


@contextmanager
def _pin_errors_explained() -> Iterator[None]:
    """Turns errors of the pins in a `with` block into a SetupError with a one-line reason."""
    from companion.devices.gpio.pins import pin_errors

    try:
        yield
    except NoChipError as error:
        raise SetupError(
            f"the keys can't be reached: {error} (companion run --virtual needs none)"
        ) from error
    except ChipError as error:
        raise SetupError(f"the keys can't be reached: {error}") from error
    except pin_errors() as error:
        raise SetupError(
            f"the keys can't be reached ({error}): set [keys] pins to another, "
            "or try companion run --virtual"
        ) from error
