"""A keypad on a real pseudo terminal, and the host's side of many. Time is simulated."""

import os
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Self

from companion.core.keys import Key, Press
from companion.devices.keypads.seat_keypads import SeatKeypads
from companion.link.events import News
from tests.link.keypad import SERIAL, ModelKeypad

TURNS = 2000
"""After so many turns of a hundredth of a second, what is waited for won't come."""
TURN_S = 0.01


class PtyKeypad:
    """A model keypad that is plugged in at a port of its own. Not `reads`: it does nothing, as one
    that has crashed."""

    def __init__(self, model: ModelKeypad) -> None:
        self.model = model
        self.reads = True
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.device = os.ttyname(self._slave)

    def turn(self, now: float) -> None:
        """What the keypad does now."""
        if not self.reads:
            return
        self.model.advance(now)
        with suppress(BlockingIOError):
            self.model.receive(os.read(self._master, 4096))
        if out := self.model.to_send():
            os.write(self._master, out)

    def unplug(self) -> ModelKeypad:
        """Pulls the cable; gives the keypad, which has kept its power."""
        os.close(self._master)
        os.close(self._slave)
        return self.model


class PtyRegistry:
    """The host's side, `keypads`, and what it put on the loop's queue, `heard`."""

    def __init__(self, status: Path | None = None) -> None:
        self.now = 1000.0
        self.queue: SimpleQueue[Press | News] = SimpleQueue()
        self.heard: list[Press | News] = []
        self.reports: list[str] = []
        self.committed: dict[tuple[str, int], int] = {}
        self.plugged: list[PtyKeypad] = []
        self.keypads = self.start(status)

    def start(self, status: Path | None = None) -> SeatKeypads:
        """A host starts."""
        self.keypads = SeatKeypads(
            self.queue.put,
            lambda keypad, boot: self.committed.get((keypad, boot), 0),
            self.reports.append,
            find=lambda: [one.device for one in self.plugged],
            clock=lambda: self.now,
            status=status,
        )
        return self.keypads

    def plug(self, model: ModelKeypad | None = None) -> PtyKeypad:
        """A keypad is plugged in: a new one, or one that was unplugged."""
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
        """A hundredth of a second."""
        self.now += TURN_S
        self.keypads.step(0.0005)
        for one in list(self.plugged):
            one.turn(self.now)
        with suppress(Empty):
            while True:
                self.heard.append(self.queue.get_nowait())

    def until(self, true: Callable[[], object]) -> None:
        """Time goes by until this is true."""
        for _ in range(TURNS):
            if true():
                return
            self.turn()
        raise AssertionError("it never came true")

    def wait(self, seconds: float) -> None:
        """Time goes by."""
        until = self.now + seconds
        while self.now < until:
            self.turn()

    @property
    def pressed(self) -> list[Key]:
        """The keys that the loop got."""
        return [one.key for one in self.heard if isinstance(one, Press)]

    def settle(self) -> None:
        """The loop has dealt with everything that it got."""
        for one in self.heard:
            if isinstance(one, Press) and one.source:
                self.keypads.settle(one.source, False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.keypads.close()
        for one in self.plugged:
            one.unplug()
