"""Checks the display and its bus: whether the bus is there, and whether the display answers. Then
shows a test pattern with each driver that may be right, and asks which one looks right."""

import errno
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from companion.app.check.bench import Bench, Finding, fault, not_tried, ok, warning
from companion.app.check.board import RUNNING, check_access, is_table_running, open_pin_factory
from companion.app.config import PLACE
from companion.console.frame import HEIGHT, WIDTH, Canvas, Frame
from companion.console.screen_saver import PanelFrame, turned
from companion.devices.board import DirectKeys, load_board
from companion.devices.display.drivers import CONTROLLERS, Display
from companion.devices.display.panel import UnknownChipError, panel_of

ADDRESSES = (0x3C, 0x3D)
"""The I²C addresses of such displays, chosen by a solder bridge. Source: SSD1306 data sheet,
8.1.5."""

NOTHING = 0xE3
"""The command without effect, on both controllers. Source: their data sheets."""

_SILENT = (errno.EREMOTEIO, errno.ENXIO, errno.EIO)


def check_bus(bench: Bench) -> Iterator[Finding]:
    """Yields findings about the device node, the permission to use it and, on I²C, whether the
    display answers."""
    if bench.board is None:
        yield not_tried("see board")
        return
    display = bench.board.display
    node = bench.machine.root / "dev" / display.node
    if not node.exists():
        yield fault(f"there is no /dev/{node.name}", _how_to_enable_bus(display))
        return
    group = "video" if display.on_screen else display.interface
    if refused := list(check_access(bench, node, group)):
        yield from refused
        return
    if display.on_screen:
        yield ok(f"/dev/{node.name} is there: the picture goes to the screen")
        return
    if display.interface == "i2c":
        yield from _check_i2c(bench, display)
    else:
        said = f"/dev/{node.name} is there; nothing answers on SPI"
        yield ok(f"{said}: the display's picture must tell")


def _how_to_enable_bus(display: Display) -> str:
    if display.on_screen:
        return "plug the screen into HDMI, switch it on, and reboot"
    if display.interface == "spi":
        return "sudo raspi-config → Interface Options → SPI → Yes, then reboot"
    if display.bus == 1:
        return "sudo raspi-config → Interface Options → I2C → Yes, then reboot"
    return f"set [display] bus = 1, or enable I²C bus {display.bus} in config.txt"


def _check_i2c(bench: Bench, display: Display) -> Iterator[Finding]:
    reason = _find_silence(bench, display)
    name = f"/dev/i2c-{display.bus}"
    if reason is None:
        yield ok(f"a display answers at 0x{display.address:02X} on {name}")
        return
    others = [one for one in ADDRESSES if one != display.address]
    found = [one for one in others if _find_silence(bench, replace(display, address=one)) is None]
    if found:
        yield fault(
            f"nothing answers at 0x{display.address:02X} on {name}, but something at "
            f"0x{found[0]:02X}",
            f"the display answers at 0x{found[0]:02X}: set [display] address = 0x{found[0]:02X}",
        )
    else:
        yield _finding_without_answer(display, name, reason)


def _finding_without_answer(display: Display, name: str, reason: BaseException) -> Finding:
    if not _is_silence(reason):
        return fault(
            f"{name} does not work: {reason}",
            "is SDA or SCL wired to ground, or to each other? Power the Pi off and look",
        )
    tried = " and ".join(f"0x{one:02X}" for one in sorted({display.address, *ADDRESSES}))
    return fault(
        f"nothing answers on {name} at {tried}",
        "look at the display's four wires: 3V3 (pin 1), ground (6), SDA (3), SCL (5)",
    )


def _find_silence(bench: Bench, display: Display) -> BaseException | None:
    """Returns the error that occurs if no display answers at the configured address, or None if one
    answers."""
    on_pins = display.reset_pin is not None
    try:
        with open_pin_factory(bench) if on_pins else nullcontext() as factory:
            bus = bench.machine.bus_of(display, factory)()
            try:
                bus.command(NOTHING)
            finally:
                bus.cleanup()
    except Exception as error:  # OSError and luma's errors, which have no common base
        return error
    return None


def _is_silence(error: BaseException) -> bool:
    """Returns whether the error means that the bus works, but no device has answered. luma's own
    errors hide their cause, so that is examined too."""
    cause = error if isinstance(error, OSError) else error.__context__
    return isinstance(cause, OSError) and cause.errno in _SILENT


# ---------------------------------------------------------------- pattern
# The test pattern: a picture that looks wrong if the driver, the offset or the rotation is wrong.
#
# Two lines run along the very edges of the glass: if the picture is two columns off, one side has
# lost its line or shows it further in. A big arrow points up. The text is easy to read, and stray
# pixels beside it are easy to see.


MIDDLE = 30
"""The column of the arrow's tip."""


def draw_pattern(number: int, name: str) -> Frame:
    """Returns the test pattern. It shows the picture's `number`, and the `name` of the driver that
    is being tried."""
    canvas = Canvas()
    canvas.box(0, 0, WIDTH, HEIGHT)
    canvas.box(2, 2, WIDTH - 4, HEIGHT - 4)
    for row in range(24):
        canvas.fill(MIDDLE - row, 7 + row, 2 * row + 1, 1)
    canvas.fill(MIDDLE - 9, 31, 19, 25)
    canvas.centred(MIDDLE + 62, 8, "UP", "caps")
    canvas.centred(MIDDLE + 62, 24, str(number), "big")
    canvas.centred(MIDDLE + 62, 48, name)
    return canvas.frame()


# ---------------------------------------------------------------- display

BOARDS = Path(__file__).parents[2] / "boards"
"""The folder with the board files included with the program."""

ROUNDS = 2
"""How often all pictures are shown if the answer is only Enter."""

SIDE = "Turn the box until the arrow points up. Is the joystick left or right of it? (l, r):"
"""The question if there is a joystick. After it the box is held so that the arrow points up."""
ON_SCREEN = "Is the picture on the screen whole, with both frames? (Enter: yes, n: no):"
PICTURE_QUESTION = "Which picture is right? Its number, 0 for none, or Enter to see the next:"

BRIGHT = 120
"""The contrast of the pattern, bright because it is judged in daylight and shown for only a
minute."""


@dataclass(frozen=True, slots=True)
class DriverChoice:
    """A driver to try, and the column at which the visible part of the panel begins."""

    driver: str
    offset: int

    def __str__(self) -> str:
        return f"{self.driver}, offset {self.offset}"


DRIVER_CHOICES = (
    DriverChoice("ssd1306", 0),
    DriverChoice("sh1106", 2),
    DriverChoice("sh1106", 0),
    DriverChoice("sh1106", 4),
)
"""The panels on the market. SH1106 modules mostly show columns 2 to 129 of its 132; some begin at 0
(rm-hull/luma.oled#376), few at 4."""


def drive_of(display: Display) -> DriverChoice:
    """Returns the driver and the first column with which a display is configured."""
    usual = CONTROLLERS[display.driver].offset
    return DriverChoice(display.driver, usual if display.offset < 0 else display.offset)


def drives_to_try(display: Display) -> tuple[DriverChoice, ...]:
    """Returns the driver choices to try, beginning with the configured one."""
    first = drive_of(display)
    return (first, *(drive for drive in DRIVER_CHOICES if drive != first))


def check_display(bench: Bench) -> Iterator[Finding]:
    """Shows test pictures, asks which one looks right, and yields findings that include the
    settings to change."""
    if bench.board is None and not bench.on_hdmi:
        yield not_tried("see board")
        return
    if is_table_running(bench):
        yield not_tried("the table has the display", RUNNING)
        return
    if bench.board is None:
        yield from _check_hdmi(bench)
        return
    display = bench.board.display
    if display.on_screen:
        yield from _check_hdmi(bench)
        return
    drives = drives_to_try(display)
    try:
        if bench.terminal.asks:
            yield from _findings_for_display(bench, display, drives)
        else:
            with show_picture(bench, display, drives[0], 1):
                yield not_tried("it took the test pattern; nobody was asked how it looks")
    except UnknownChipError as error:
        yield fault(str(error), error.remedy)
    except Exception as error:  # OSError, luma's and gpiozero's errors
        yield fault(f"the display does not take a picture: {error}", "see bus")


def _check_hdmi(bench: Bench) -> Iterator[Finding]:
    """Shows the test pattern on HDMI, asks whether it looks right, and yields the finding."""
    panel = bench.machine.screen()
    try:
        with closing(panel):
            panel.open()
            panel.show(PanelFrame(draw_pattern(1, "HDMI"), contrast=BRIGHT))
            if not bench.terminal.asks:
                yield not_tried("the screen took the test pattern; nobody was asked how it looks")
                return
            answer = bench.terminal.ask(ON_SCREEN).lower()[:1]
            panel.show(PanelFrame(Frame.blank(), contrast=0))
    except OSError as error:
        if bench.on_hdmi:
            remedy = "the page has it: systemctl status companion says where, while it runs"
            yield warning(f"no picture on HDMI: {error}", remedy)
        else:
            yield fault(f"the screen takes no picture: {error}", "see bus")
        return
    if answer == "n":
        yield fault(
            "the picture on the screen is not whole",
            "is its resolution set by hand? See video= in /boot/firmware/cmdline.txt",
        )
    else:
        yield ok("the test pattern is right (framebuffer)")


def _findings_for_display(
    bench: Bench, display: Display, drives: Sequence[DriverChoice]
) -> Iterator[Finding]:
    tell, ask = bench.terminal.tell, bench.terminal.ask
    tell("The display shows a picture with a number. It is right if both frames are complete at")
    tell("all four edges, the text is sharp and there is no snow. Upside down does not matter yet.")
    number = _ask_which_picture(bench, display, drives)
    if number == 0:
        yield fault(
            "none of the pictures was right",
            "dark: check 3V3 and ground; snow: is it an SSD1306 or SH1106 with 128×64 pixels?",
        )
        return
    if number is None:
        yield not_tried("nobody said how the pictures look")
        return
    right = drives[number - 1]
    side, upright = joystick_side(bench), True
    with show_picture(bench, display, right, number):
        if side:
            side_seen = ask(SIDE).lower()[:1]
            if side_seen in ("l", "r") and side_seen != side[0]:
                yield orientation_fault(bench, "the joystick is on the other side of the picture")
        else:
            upright = ask("Does the arrow point up? (Enter: yes, n: no):").lower()[:1] != "n"
    lines = _settings_lines(display, right, upright)
    if not lines:
        yield ok(f"the test pattern is right ({right})")
        return
    remedy = f"in {bench.where or PLACE}, under [display], set {' and '.join(lines)}"
    if right == drives[0]:
        yield warning("the picture is upside down", f"{remedy}, unless the menu turns it already")
    else:
        turn = "" if upright else ", the other way up"
        yield fault(f"the picture is wrong; it would be right with {right}{turn}", remedy)


def joystick_side(bench: Bench) -> str:
    """Returns on which side of the display the joystick is, according to the board's file; empty if
    the file doesn't say."""
    keys = bench.board.keys if bench.board else None
    return keys.joystick if isinstance(keys, DirectKeys) else ""


def orientation_fault(bench: Bench, found: str) -> Finding:
    """Returns the finding that the joystick is upside down relative to the picture. `rotate` in the
    configuration turns both; only the board's own file can turn one of them."""
    name = bench.config.box.board
    line = f"rotate = {2 - load_board(name, None, bench.where).display.rotate}"
    if name.endswith(".toml"):
        return fault(found, f"in {name}, under [display], set {line}")
    return fault(
        found,
        f"copy {BOARDS / name}.toml to a place of your own, set {line} there under [display], "
        "and name that file in [box] board",
    )


def _ask_which_picture(
    bench: Bench, display: Display, drives: Sequence[DriverChoice]
) -> int | None:
    """Asks which picture looks right. Returns its number, 0 if none does, or None if there is no
    answer."""
    for _ in range(ROUNDS):
        for number, drive in enumerate(drives, start=1):
            with show_picture(bench, display, drive, number):
                bench.terminal.tell(f"Picture {number} of {len(drives)} ({drive})")
                while answer := bench.terminal.ask(PICTURE_QUESTION):
                    if answer.isdecimal() and int(answer) <= len(drives):
                        return int(answer)
                    bench.terminal.tell(f"{answer} is no picture: 1 to {len(drives)}, 0 or Enter.")
    return None


def _settings_lines(display: Display, right: DriverChoice, upright: bool) -> list[str]:
    """Returns the lines to put under [display] in the configuration. `right`: the driver whose
    picture looked right; `upright`: whether it was the right way up."""
    lines = []
    if right.driver != display.driver:
        lines.append(f'driver = "{right.driver}"')
    if right != drive_of(replace(display, driver=right.driver)):
        usual = right.offset == CONTROLLERS[right.driver].offset
        lines.append(f"offset = {-1 if usual else right.offset}")
    if not upright:
        lines.append(f"rotate = {2 - display.rotate}")
    return lines


@contextmanager
def show_picture(
    bench: Bench, display: Display, drive: DriverChoice, number: int
) -> Iterator[None]:
    """Shows the test picture `number` during a `with` block; at its end the panel is dark. The
    panel is opened and initialised again each time, because the previous driver has left its own
    settings. The bus stays open meanwhile, since the reset line of an SPI panel would float
    otherwise."""
    frame = draw_pattern(number, f"{drive.driver} +{drive.offset}")
    picture = PanelFrame(turned(frame) if display.rotate == 2 else frame, contrast=BRIGHT)
    driven = replace(display, driver=drive.driver, offset=drive.offset)
    on_pins = display.interface == "spi" or display.reset_pin is not None
    with open_pin_factory(bench) if on_pins else nullcontext() as factory:
        panel = panel_of(driven, bench.machine.bus_of(driven, factory))
        with closing(panel):
            panel.open()
            # In two steps, as play does it: one whole picture arrives even where the driver's
            # addressing is wrong for the chip (luma's SH1106 leaves an SSD1306 in another mode).
            panel.show(replace(picture, frame=Frame.blank()))
            panel.show(picture)
            try:
                yield
            finally:
                panel.show(replace(picture, contrast=0))
