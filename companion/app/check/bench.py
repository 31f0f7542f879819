"""Everything that the checks use, in one place so that tests can replace each part: findings, the
person at the terminal, and the machine."""

import grp
import os
import pwd
import select
import socket
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from enum import Enum
from pathlib import Path
from typing import Any, Protocol

from companion.app.config import Config
from companion.core.clock import Clock, is_clock_synchronized
from companion.core.values import Json, dataclass
from companion.devices.board import Board, DirectKeys, MatrixKeys
from companion.devices.display.drivers import Display
from companion.devices.display.framebuffer import FramebufferPanel
from companion.devices.display.panel import Bus, Panel, bus_of
from companion.devices.gpio.debounce import Edge
from companion.devices.gpio.keypad import open_keys
from companion.devices.pads.input_devices import EvdevDevices, InputDevices
from companion.devices.voice import Clip, SoundCard, speak_with_espeak
from companion.games.game import AnyGame

# ---------------------------------------------------------------- findings


class Grade(Enum):
    """The result of checking one part of the box."""

    OK = "ok"
    NOT_TRIED = "not tried"
    WARNING = "warning"
    """The box works, but something should be done."""
    FAULT = "fault"
    """The box doesn't work, or doesn't store what is entered."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check has found.

    `remedy`: the action to take (empty if none is needed). If a running table can check the part
    (core/box_page.py), `found` and `remedy` are sentences that the table translates. `figures`:
    measured values for programs; each name ends in its unit. `renews_keypads`: whether the remedy
    is new firmware for the keypads, which the table can install."""

    result: Grade
    found: str
    remedy: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)
    renews_keypads: bool = False


def ok(found: str) -> Finding:
    """Returns the finding for a part without problems."""
    return Finding(Grade.OK, found)


def not_tried(found: str, remedy: str = "") -> Finding:
    """Returns the finding for a part that could not be tried; `found`: the reason."""
    return Finding(Grade.NOT_TRIED, found, remedy)


def warning(found: str, remedy: str) -> Finding:
    """Returns the finding for a part that works, but could be better; `remedy`: what to do."""
    return Finding(Grade.WARNING, found, remedy)


def fault(found: str, remedy: str) -> Finding:
    """Returns the finding for a part that does not work; `remedy`: what to do."""
    return Finding(Grade.FAULT, found, remedy)


def worst(findings: Iterable[Finding]) -> Grade:
    """Returns the most serious result. NOT_TRIED counts as less serious than OK, so it is returned
    only if no part could be tried."""
    found = {finding.result for finding in findings}
    gravest = (Grade.FAULT, Grade.WARNING, Grade.OK, Grade.NOT_TRIED)
    return next((result for result in gravest if result in found), Grade.NOT_TRIED)


# ---------------------------------------------------------------- terminal


class Terminal(Protocol):
    """The terminal on which a check prints lines and asks questions."""

    @property
    def asks(self) -> bool:
        """Whether questions may be asked; False if no person can answer."""

    def tell(self, line: str, /) -> None:
        """Shows a line."""

    def ask(self, question: str, /) -> str:
        """Shows a question, and returns the line entered; empty at the end of the input."""

    def wait_for_enter(self, patience_s: float, /) -> bool:
        """Waits at most `patience_s` seconds for Enter; returns whether it was pressed."""


class SilentTerminal:
    """A terminal for unattended checks: prints nothing and asks nothing."""

    asks = False

    def tell(self, _line: str, /) -> None:
        """Prints nothing."""

    def ask(self, _question: str, /) -> str:
        return ""

    def wait_for_enter(self, _patience_s: float, /) -> bool:
        return False


class StandardTerminal:
    """Standard input and output. Questions are asked only if `asks` is true and both are a
    terminal."""

    def __init__(self, asks: bool) -> None:
        self.asks = asks and sys.stdin.isatty() and sys.stdout.isatty()

    def tell(self, line: str) -> None:
        print(line, flush=True)

    def ask(self, question: str) -> str:
        print(question, end=" ", flush=True)
        return sys.stdin.readline().strip()

    def wait_for_enter(self, patience_s: float) -> bool:
        """Waits at most `patience_s` seconds for a line and discards it; returns whether there was
        one."""
        if not select.select([sys.stdin], [], [], patience_s)[0]:
            return False
        sys.stdin.readline()
        return True


# ---------------------------------------------------------------- bench


class Closeable(Protocol):
    """A resource that has to be closed."""

    def close(self) -> None:
        """Releases the resource."""


WiredKeys = DirectKeys | MatrixKeys
OpenKeys = Callable[[WiredKeys, Callable[[Edge], None], Clock, Any], Closeable]


def default_pins(config: Config) -> Any:
    """Returns the pin factory that the table would use (see open_pins); the caller has to close
    it."""
    from companion.devices.gpio.pins import open_pins

    return open_pins(config.keys.pins)


def user_groups() -> frozenset[str]:
    """Returns the names of the groups of the user who runs the check."""
    names = set()
    for number in {os.getegid(), *os.getgroups()}:
        try:
            names.add(grp.getgrgid(number).gr_name)
        except KeyError:
            names.add(str(number))
    return frozenset(names)


def user_name(number: int) -> str:
    """Returns the name of the user with this number, or the number if there is no such user."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def keypads_that_answer(usb: str) -> list[Json]:
    """Returns the data of each keypad with one of these USB ids that answers. Works only while no
    table uses the keypads' ports."""
    from companion.devices.keypads.seat_keypads import scan_keypads
    from companion.devices.keypads.usb_ports import UsbPorts

    return scan_keypads(lambda _: None, UsbPorts(usb))


def own_address() -> str:
    """Returns this machine's address on its network; empty if it has none. Sends nothing over the
    network."""
    from companion.web.address import network_address

    found = network_address()
    return found if found != socket.gethostname() else ""


@dataclass(frozen=True, slots=True)
class Machine:
    """The computer on which the check runs: the paths of its kernel's files, its clocks, its user,
    and the functions that open its devices."""

    root: Path = Path("/")
    """The folder that contains proc, sys, dev and run."""
    clock: Clock = time.monotonic
    wall: Clock = time.time
    synchronized: Callable[[], bool] = is_clock_synchronized
    user: int = field(default_factory=os.geteuid)
    groups: frozenset[str] = field(default_factory=user_groups)
    sync: Callable[[int], None] = os.fsync
    open_pins: Callable[[Config], Any] = default_pins
    open_keys: OpenKeys = open_keys
    bus_of: Callable[[Display, Any], Callable[[], Bus]] = bus_of
    screen: Callable[[], Panel] = FramebufferPanel
    pads: Callable[[], InputDevices] = EvdevDevices
    speak: Callable[[str, str], Clip] = speak_with_espeak
    sound_card: Callable[[str], SoundCard] = SoundCard
    address: Callable[[], str] = own_address
    keypads: Callable[[str], list[Json]] = keypads_that_answer

    def text(self, path: str) -> str:
        """Returns the text of one of the kernel's files; empty if there is no such file."""
        try:
            return (self.root / path).read_text(errors="replace").rstrip("\0\n")
        except OSError:
            return ""


@dataclass(frozen=True, slots=True)
class Bench:
    """A box to be checked."""

    record: Path
    games: Mapping[str, AnyGame]
    config: Config = field(default_factory=Config)
    where: str = ""
    """The path of the configuration file."""
    board: Board | None = None
    """The board. None if there are no keys and no display to try; `no_board` says why."""
    no_board: str = ""
    on_hdmi: bool = False
    """Whether no display is wired: the picture is on the page, and on HDMI if there is a screen."""
    wrong: str = ""
    """Why the configuration or the board can't be used."""
    terminal: Terminal = field(default_factory=SilentTerminal)
    machine: Machine = field(default_factory=Machine)
