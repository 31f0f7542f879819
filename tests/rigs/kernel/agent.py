"""Runs in the guest, where it pulls pins, reads the panel and runs commands on the host's request.

A request is a line of JSON, {"do": NAME, ...}, and so is its answer; they go over a virtio serial
port, so nothing else that happens in the guest can garble them.
"""

import base64
import json
import os
import subprocess
import time
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

PORT = Path("/dev/virtio-ports/agent")
LINES = Path("/sys/devices/platform")
PANEL = Path("/sys/kernel/debug/rig_panel")
PARAMETERS = Path("/sys/module/panel/parameters")
CONTACTS = Path("/sys/module/gpio_sim_oot/parameters/contacts")
STROKE_S = 0.045
"""Seconds that a key stays down, and then up, at least: quicker than most fingers."""
LOOK_S = 0.002
"""Seconds between two looks at the panel."""


class Pins:
    """The simulated lines; all keys are up at first."""

    def __init__(self) -> None:
        folder = next(LINES.glob("gpio-sim.*/gpiochip*/sim_gpio0")).parent
        self._pulls = {
            int(line.name.removeprefix("sim_gpio")): line / "pull"
            for line in folder.glob("sim_gpio*")
        }
        self._free_at: dict[int, float] = {}

    def pull(self, pin: int, down: bool) -> None:
        """Closes (`down`) or opens the key's contact."""
        self._pulls[pin].write_text("pull-down" if down else "pull-up")

    def bounce(self, pin: int, down: bool, bounces: list[float]) -> list[int]:
        """Closes or opens the contact after bounces that last that many seconds each. Returns the
        time just before each edge, in nanoseconds."""
        way, edges = down, []
        for lasts in bounces:
            edges.append(time.monotonic_ns())
            self.pull(pin, way)
            until = time.monotonic() + lasts
            while time.monotonic() < until:
                pass  # shorter than the scheduler could sleep
            way = not way
        edges.append(time.monotonic_ns())
        self.pull(pin, down)
        return edges

    def wait_until_free(self, pin: int) -> None:
        """Waits until the key has been up for as long as between two quick presses of a finger."""
        time.sleep(max(self._free_at.get(pin, 0.0) - time.monotonic(), 0.0))

    def up(self, pin: int, bounces: list[float], stroke: float) -> list[int]:
        """Releases the key, which can be pressed again after `stroke` seconds. Returns the times of
        the edges, as `bounce` does."""
        edges = self.bounce(pin, False, bounces)
        self._free_at[pin] = time.monotonic() + stroke
        return edges


def panel_state() -> bytes:
    """The state that the panel's module gives; see struct state in panel.c."""
    return (PANEL / "state").read_bytes()


def seen(state: bytes) -> bytes:
    """The part of the panel's state that decides what a viewer sees."""
    return state[40:41] + state[42:]


def wait_for(wanted: list[bytes], within: float) -> bytes:
    """The panel's state as soon as it is one of `wanted`, or else after `within` seconds."""
    until = time.monotonic() + within
    while True:
        late, state = time.monotonic() > until, panel_state()
        if late or seen(state) in wanted:
            return state
        time.sleep(LOOK_S)


class Agent:
    """Answers the host's requests; each public method is one."""

    def __init__(self) -> None:
        self._devices: dict[str, Any] = {}

    @cached_property
    def _pins(self) -> Pins:
        """The pins, opened when they are first needed: not every guest has some."""
        return Pins()

    def press(
        self,
        pin: int,
        wanted: list[str],
        within: float,
        *,
        closing: tuple[float, ...] = (),
        opening: tuple[float, ...] = (),
        contact: int = 0,
        stroke: float = STROKE_S,
    ) -> dict[str, Any]:
        """Presses a key, with bounces, and waits until the panel shows one of `wanted`. `contact`:
        the key lies between a row and the column `pin` (see contacts.h); `stroke`: how long it
        stays down and then up at least."""
        self._pins.wait_until_free(pin)
        CONTACTS.write_text(str(contact))
        closed = self._pins.bounce(pin, True, list(closing))
        time.sleep(stroke)
        opened = self._pins.up(pin, list(opening), stroke)
        CONTACTS.write_text("0")
        return {"closed": closed, "opened": opened, **self.look(wanted, within)}

    def glitch(self, pin: int, lasts: float) -> dict[str, Any]:
        """Closes the contact for `lasts` seconds; returns how long that really was."""
        before = time.monotonic_ns()
        self._pins.pull(pin, True)
        while time.monotonic_ns() - before < lasts * 1e9:
            pass
        self._pins.pull(pin, False)
        return {"lasted_ns": time.monotonic_ns() - before}

    def plug(self, port: str, name: str, codes: list[int]) -> dict[str, Any]:
        """Plugs an input device with these keys in at `port`; returns its path."""
        from evdev import UInput, ecodes

        self._devices[port] = device = UInput({ecodes.EV_KEY: codes}, name=name, phys=port)
        return {"path": device.device.path}

    def unplug(self, port: str) -> dict[str, Any]:
        """Pulls out the device at `port`."""
        self._devices.pop(port).close()
        return {}

    def type(
        self, port: str, moves: list[tuple[int, int, float]], wanted: list[str], within: float
    ) -> dict[str, Any]:
        """Moves keys of the device at `port`, each (code, value, seconds to wait afterwards), and
        waits until the panel shows one of `wanted`."""
        device = self._devices[port]
        for code, value, pause in moves:
            device.write(1, code, value)
            device.syn()
            time.sleep(pause)
        return self.look(wanted, within)

    def look(self, wanted: list[str], within: float) -> dict[str, Any]:
        """Waits until the panel shows one of `wanted`, and returns its state."""
        state = wait_for([base64.b64decode(one) for one in wanted], within)
        return {"state": base64.b64encode(state).decode()}

    def log(self) -> dict[str, Any]:
        """Reports all that went over the bus since the last call."""
        log = (PANEL / "log").read_bytes()
        (PANEL / "log").write_bytes(b"\n")
        return {"log": base64.b64encode(log).decode()}

    def panel(self, name: str, value: int) -> dict[str, Any]:
        """Sets a parameter of the panel."""
        (PARAMETERS / name).write_text(str(value))
        return {}

    def run(self, command: list[str], within: float, text: str = "") -> dict[str, Any]:
        """Runs a command to its end, with `text` as its input, for at most `within` seconds;
        returns its status (-1: not done in time) and what it wrote."""
        try:
            done = subprocess.run(
                command, input=text, capture_output=True, text=True, timeout=within, check=False
            )
        except subprocess.TimeoutExpired as late:
            return {"status": -1, "out": str(late.stdout), "err": f"not done after {within} s"}
        return {"status": done.returncode, "out": done.stdout, "err": done.stderr}


def serve(port: BinaryIO) -> None:
    """Answers request after request."""
    agent = Agent()
    answer = json.dumps({"hello": time.monotonic_ns()})
    while True:
        left = answer.encode() + b"\n"
        while left:  # the port takes some at a time
            left = left[port.write(left) :]
        line = port.readline()
        if not line:
            return
        asked = json.loads(line)
        do: Callable[..., dict[str, Any]] = getattr(agent, asked.pop("do"))
        try:
            answer = json.dumps(do(**asked))
        except Exception as error:  # the host has to know of any error
            answer = json.dumps({"error": repr(error)})


def main() -> None:
    # Before the companion: a bounce has to be as short as it is meant to be.
    os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(10))
    with PORT.open("r+b", buffering=0) as raw:
        serve(raw)


if __name__ == "__main__":
    main()
