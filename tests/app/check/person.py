"""A box on fake hardware, and a simulated person who presses the requested keys, looks at the
panel, and answers. Time advances only while a check waits for that person.

    desk = Desk(tmp_path)
    desk.habits[Key.D5] = clean(Key.D6)      # the wires are swapped
    desk.check("keys")                       # the lines of the table
"""

import errno
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin

from companion.app.check.bench import Bench, Finding, Machine, WiredKeys
from companion.app.check.display import SIDE, draw_pattern, drives_to_try
from companion.app.check.report import as_table, run_checks
from companion.app.config import Config, parse_config
from companion.console.frame import Frame
from companion.console.screen_saver import turned
from companion.core.keys import Key
from companion.devices.board import DirectKeys, MatrixKeys, load_board
from companion.devices.display.drivers import Display
from companion.devices.display.framebuffer import FramebufferPanel
from companion.devices.display.panel import open_spi
from companion.devices.gpio.debounce import Edge
from companion.devices.gpio.keypad import open_keys
from companion.devices.gpio.matrix import Scanner
from tests.devices.test_bus import FakeSpiDev
from tests.devices.test_matrix import FakeWires
from tests.fake_framebuffer import FakeScreen
from tests.fake_oled import Chip, FakeOled
from tests.fake_pads import FakeDevices
from tests.sample_games import RACE_RULES

ENTER = "Enter"
NOBODY = 3_999_999
"""The id of a user without a name."""
Stroke = list[tuple[float, Key | str, bool]]
"""(seconds after the request, a key or ENTER, whether it goes down) for each move."""


def clean(key: Key) -> Stroke:
    """A press of a new key, without bounces."""
    return [(0.3, key, True), (0.45, key, False)]


def bouncing(key: Key, times: int) -> Stroke:
    """A press that begins with this many bounces, half a millisecond each way."""
    bounces: Stroke = [(0.3 + 0.0005 * at, key, at % 2 == 0) for at in range(2 * times + 1)]
    return [*bounces, (0.6, key, False)]


class WiredPin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin that stays low once it is wired to ground."""

    grounded = False

    def _change_state(self, value: bool) -> bool:
        return bool(super()._change_state(value and not self.grounded))


class Pins(MockFactory):  # type: ignore[misc]
    """Mock pins that stay from check to check; those in `taken` belong to another program."""

    def __init__(self) -> None:
        super().__init__(pin_class=WiredPin)
        self.reset()  # in gpiozero 1.6 all factories share one Pi, wired by the test before
        self.taken: set[int] = set()

    def pin(self, name: Any, *words: Any, **more: Any) -> Any:
        if name in self.taken:
            raise OSError(errno.EBUSY, "Device or resource busy")
        return super().pin(name, *words, **more)

    def close(self) -> None:
        """Does nothing, so that the next check finds the same wires."""


class Scanned:
    """A matrix keypad that is scanned whenever time goes by, without a thread."""

    def __init__(self, desk: "Desk", keys: MatrixKeys, put: Callable[[Edge], None]) -> None:
        self._desk = desk
        desk.scanner = Scanner(keys, desk.wires, put, lambda: desk.now)

    def close(self) -> None:
        self._desk.scanner = None


@dataclass
class Desk:
    """A box with the board of that name and a panel of that chip, and the person in front of it."""

    folder: Path
    board: str = "keys-16"
    chip: Chip = "ssd1306"
    offset: int | None = None
    """The column at which the panel's glass begins; None: as is usual for the chip."""
    settings: str = ""
    asks: bool = True
    address: int = 0x3C
    upside_down: bool | None = None
    """How the glass is mounted; None: as the board says."""
    now: float = 100.0
    lines: list[str] = field(default_factory=list)
    habits: dict[Key, list[Stroke]] = field(default_factory=dict)
    """The strokes made when a key is requested for the first and the second time; without an entry
    the key itself."""
    scanner: Scanner | None = None
    groups: frozenset[str] = frozenset({"gpio", "i2c", "spi"})
    synced: float = 0.004
    """Seconds that an fsync takes."""
    network: str = "192.168.1.5"
    """The box's address; empty: it has none."""
    keypads: list[dict[str, Any]] = field(default_factory=list)
    """The figures that the keypads at the seats report."""

    def __post_init__(self) -> None:
        self.fake_oled, self.factory = FakeOled(self.chip, self.offset), Pins()
        self.screen, self.pads = FakeScreen(), FakeDevices()
        told = parse_config(self.settings, "c.toml")
        self.config: Config = replace(told, box=replace(told.box, board=self.board))
        self.keys: WiredKeys = load_board(self.board).keys
        if self.upside_down is None:
            self.upside_down = load_board(self.board).display.rotate == 2
        if isinstance(self.keys, MatrixKeys):
            self.wires = FakeWires(self.keys)
        self._due: list[tuple[float, Key | str, bool]] = []
        self.write("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.5\0")
        self.write("proc/self/mountinfo", "24 1 179:2 / / rw,noatime - ext4 /dev/mmcblk0p2 rw\n")
        self.write("proc/cmdline", "console=tty1 root=PARTUUID=1-02 rootwait\n")
        for node in ("gpiochip0", "i2c-1", "spidev0.0"):
            self.write(f"dev/{node}", "")
        self.write("run/systemd/timesync/synchronized", "")
        self.write("sys/class/net/lo/operstate", "unknown\n")
        self.write("sys/class/net/wlan0/operstate", "up\n")

    # ------------------------------------------------------------ the machine

    def write(self, path: str, text: str) -> None:
        """Writes a file of the kernel's."""
        place = self.folder / "root" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def remove(self, path: str) -> None:
        """Removes a file of the kernel's."""
        (self.folder / "root" / path).unlink()

    @property
    def machine(self) -> Machine:
        """The Pi with its models."""
        return Machine(
            root=self.folder / "root",
            clock=lambda: self.now,
            wall=lambda: 1_795_204_000.0,
            synchronized=lambda: False,
            user=NOBODY,
            groups=self.groups,
            sync=self._sync,
            open_pins=lambda _: self.factory,
            open_keys=self._open_keys,
            bus_of=lambda display, factory: lambda: self._bus(display, factory),
            screen=lambda: FramebufferPanel(self.screen.open),
            pads=lambda: self.pads,
            address=lambda: self.network,
            keypads=lambda _: self.keypads,
        )

    def _sync(self, _handle: int) -> None:
        self.now += self.synced

    def _open_keys(
        self, keys: WiredKeys, put: Callable[[Edge], None], clock: Callable[[], float], factory: Any
    ) -> Any:
        if isinstance(keys, MatrixKeys):
            return Scanned(self, keys, put)
        return open_keys(keys, put, clock, factory)

    def _bus(self, display: Display, factory: Any) -> Any:
        if display.interface == "spi":
            return open_spi(display, factory, FakeSpiDev(self.fake_oled, factory))
        other = FakeOled()
        other.unplug()
        return self.fake_oled if display.address == self.address else _SilentBus(other)

    @property
    def bench(self) -> Bench:
        board = load_board(self.board, self.config.display, "c.toml")
        record = self.folder / "record.db"
        return Bench(
            record, RACE_RULES, self.config, "c.toml", board, terminal=self, machine=self.machine
        )

    def find(self, part: str) -> list[Finding]:
        """The findings of one check."""
        return list(run_checks(self.bench, [part])[part])

    def find_on(self, machine: Machine, part: str) -> list[Finding]:
        """The findings of one check on another machine."""
        return list(run_checks(replace(self.bench, machine=machine), [part])[part])

    def check(self, *parts: str) -> str:
        """Runs the checks; returns their table, each finding on one line."""
        rows = list(as_table(run_checks(self.bench, parts)))
        return re.sub(r"\n {21}(?!→)", " ", "\n".join(rows))

    # ------------------------------------------------------------ the person

    def tell(self, line: str) -> None:
        """Makes the person read the line, and press the key that it requests."""
        self.lines.append(line)
        if asked := re.search(r"[Pp]ress (\w+)$", line):
            key = Key(asked[1])
            strokes = self.habits.get(key, [])
            stroke = strokes.pop(0) if strokes else clean(key)
            self._due = [(self.now + after, what, down) for after, what, down in stroke]

    def ask(self, question: str) -> str:
        """Makes the person look at the display and answer."""
        self.lines.append(question)
        seen = Frame(self.fake_oled.seen)
        seen = turned(seen) if self.upside_down else seen
        if question == SIDE:
            # This person turns the box until the arrow points up.
            return "l" if seen in self._patterns().values() else "r"
        if question.startswith("Does the arrow"):
            return "" if seen in self._patterns().values() else "n"
        number = next(
            (at for at, frame in self._patterns().items() if seen in (frame, turned(frame))), None
        )
        picture = next(line for line in reversed(self.lines) if line.startswith("Picture "))
        tries = self.lines.count(picture)
        return str(number) if number else "0" if tries > 1 else ""

    def _patterns(self) -> Mapping[int, Frame]:
        ways = drives_to_try(self.bench_display)
        return {
            at: draw_pattern(at, f"{way.driver} +{way.offset}")
            for at, way in enumerate(ways, start=1)
        }

    @property
    def bench_display(self) -> Display:
        """The display as it is configured."""
        return load_board(self.board, self.config.display, "c.toml").display

    def wait_for_enter(self, patience_s: float) -> bool:
        """Lets time pass, while contacts close and open, until Enter is pressed or `patience_s`
        seconds are over. Returns whether Enter was pressed."""
        until = self.now + patience_s
        for at, what, down in self._due_until(until):
            self._pass(at)
            if isinstance(what, str):
                return True
            self.move(what, down)
        self._pass(until)
        return False

    def _due_until(self, until: float) -> Iterator[tuple[float, Key | str, bool]]:
        while self._due and self._due[0][0] <= until:
            yield self._due.pop(0)

    def _pass(self, until: float) -> None:
        self.now = max(self.now, until)
        if self.scanner:
            self.scanner.step()

    def move(self, key: Key, down: bool) -> None:
        """Closes or opens a contact."""
        if isinstance(self.keys, DirectKeys):
            pin = self.factory.pin(self.keys.pins[key])
            pin.drive_low() if down else pin.drive_high()
        else:
            (self.wires.press if down else self.wires.release)(key)

    def ground(self, number: int) -> None:
        """Wires that pin to ground."""
        self.factory.pin(number).grounded = True
        self.factory.pin(number).drive_low()


class _SilentBus:
    """A bus that can be opened, but on which no display answers."""

    def __init__(self, fake_oled: FakeOled) -> None:
        self._fake_oled = fake_oled

    def command(self, *command: int) -> None:
        self._fake_oled.command(*command)

    def data(self, data: list[int]) -> None:
        self._fake_oled.data(data)

    def cleanup(self) -> None:
        """Does nothing."""
