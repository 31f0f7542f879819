"""A desk with number pads that tests plug in, press and pull out; the test moves the time."""

from collections.abc import Iterator
from typing import Any

import pytest

from companion.core.keys import Press
from companion.devices.gpio.debounce import Timing
from companion.devices.link.events import News
from companion.devices.pads.number_pads import LOOK_S, NumberPads
from tests.fake_pads import FakeDevices, FakePad

KP7, KP5, KP0, PLUS, ENTER = 71, 76, 82, 78, 96
DOWN, UP, REPEATED = 1, 0, 2
FULL = frozenset(range(1, 112))
LEFT_PORT, RIGHT_PORT = "usb-0000:01:00.0-1.3/input0", "usb-0000:01:00.0-1.4/input0"
LEFT_PAD, RIGHT_PAD = "pad-0000-01-00.0-1.3", "pad-0000-01-00.0-1.4"


def pad(port: str = LEFT_PORT, name: str = "HCT USB Entry Keypad") -> FakePad:
    return FakePad(name, port)


class Desk:
    """Pads on a desk; time passes only in `wait`."""

    def __init__(
        self,
        *pads: FakePad,
        take: str = "auto",
        wired: bool = True,
        timing: Timing | None = None,
    ) -> None:
        self.now = 1000.0
        self.devices = FakeDevices()
        for one in pads:
            self.devices.plug(one)
        self.heard: list[Press | News] = []
        self.said: list[str] = []
        self.pads = NumberPads(
            self.heard.append,
            self.said.append,
            self.devices,
            take=take,
            wired=wired,
            timing=timing or Timing(),
            clock=lambda: self.now,
        )
        self.pads.step(0)

    def wait(self, seconds: float) -> "Desk":
        """Lets these seconds pass, in steps as short as the sleeps of a pad's thread."""
        until = self.now + seconds
        while self.now < until:
            self.now = min(until, self.now + 0.01)
            self.pads.step(0)
        return self

    def look(self) -> "Desk":
        return self.wait(LOOK_S)

    def tap(self, pad: FakePad, *codes: int) -> "Desk":
        for code in codes:
            pad.move(code, DOWN, self.now)
            self.wait(0.06)
            pad.move(code, UP, self.now)
            self.wait(0.06)
        return self

    @property
    def presses(self) -> list[Press]:
        return [one for one in self.heard if isinstance(one, Press)]

    @property
    def news(self) -> list[News]:
        return [one for one in self.heard if not isinstance(one, Press)]

    @property
    def typed(self) -> str:
        return "".join(press.key.value for press in self.presses)


@pytest.fixture
def desks() -> Iterator[list[Desk]]:
    made: list[Desk] = []
    yield made
    for desk in made:
        desk.pads.close()


def made(desks: list[Desk], *pads: FakePad, **more: Any) -> Desk:
    desks.append(Desk(*pads, **more))
    return desks[-1]
