"""Keypads on real pseudo terminals, and the host's side of them. Time is simulated."""

import os
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Self

from companion.console.frame import BoxPicture, Frame, Light
from companion.core.keys import Key, Press
from companion.core.seats import BySeat
from companion.devices.keypads.seat_keypads import SeatKeypads
from companion.devices.link.events import News
from tests.devices.link.keypad import SERIAL, ModelKeypad

NAME = SERIAL.hex()
TURNS = 2000
"""The number of steps of TURN_S seconds after which a test stops waiting."""
TURN_S = 0.01


class PtyKeypad:
    """A model keypad that is plugged in at a port of its own. `reads` False: it does nothing, like
    a keypad that has crashed."""

    def __init__(self, model: ModelKeypad) -> None:
        self.model = model
        self.reads = True
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.device = os.ttyname(self._slave)

    def turn(self, now: float) -> None:
        """Lets the keypad read, and send what it has to send now."""
        if not self.reads:
            return
        self.model.advance(now)
        with suppress(BlockingIOError):
            self.model.receive(os.read(self._master, 4096))
        if out := self.model.to_send():
            os.write(self._master, out)

    def unplug(self) -> ModelKeypad:
        """Pulls the cable; returns the keypad, which has kept its power."""
        os.close(self._master)
        os.close(self._slave)
        return self.model


class PtyRegistry:
    """The host's side: its `keypads`, and in `heard` the events that it has put on the loop's
    queue."""

    def __init__(self, status: Path | None = None) -> None:
        self.now = 1000.0
        self.queue: SimpleQueue[Press | News] = SimpleQueue()
        self.heard: list[Press | News] = []
        self.reports: list[str] = []
        self.last_kept_press: dict[tuple[str, int], int] = {}
        self.plugged: list[PtyKeypad] = []
        self.keypads = self.start(status)

    def start(self, status: Path | None = None) -> SeatKeypads:
        """The host starts, or restarts."""
        self.keypads = SeatKeypads(
            self.queue.put,
            lambda keypad, boot: self.last_kept_press.get((keypad, boot), 0),
            self.reports.append,
            find=lambda: [one.device for one in self.plugged],
            clock=lambda: self.now,
            status=status,
        )
        return self.keypads

    def plug(self, model: ModelKeypad | None = None) -> PtyKeypad:
        """Plugs in a keypad: a new one, or one that was unplugged."""
        number = len(self.plugged)
        serial = (int.from_bytes(SERIAL) + number).to_bytes(8)
        plugged = PtyKeypad(model or ModelKeypad(self.now, serial=serial))
        self.plugged.append(plugged)
        return plugged

    def unplug(self, plugged: PtyKeypad) -> ModelKeypad:
        """Pulls the cable."""
        self.plugged.remove(plugged)
        return plugged.unplug()

    def turn(self) -> None:
        """Lets a hundredth of a second pass."""
        self.now += TURN_S
        self.keypads.step(0.0005)
        for one in list(self.plugged):
            one.turn(self.now)
        with suppress(Empty):
            while True:
                self.heard.append(self.queue.get_nowait())

    def until(self, true: Callable[[], object]) -> None:
        """Lets time go by until this is true; fails if it takes more than TURNS turns."""
        for _ in range(TURNS):
            if true():
                return
            self.turn()
        raise AssertionError("it never came true")

    def wait(self, seconds: float) -> None:
        """Lets time pass."""
        until = self.now + seconds
        while self.now < until:
            self.turn()

    @property
    def pressed(self) -> list[Key]:
        """The keys that the loop got."""
        return [one.key for one in self.heard if isinstance(one, Press)]

    def settle(self) -> None:
        """Settles all presses that the loop received, none of them as refused."""
        for one in self.heard:
            if isinstance(one, Press) and one.source:
                self.keypads.settle(one.source, False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.keypads.close()
        for one in self.plugged:
            one.unplug()


def shown(lights: BySeat[Light] | None, claiming: bool = False) -> BoxPicture:
    return BoxPicture(Frame.blank(), lights, claiming=claiming)
