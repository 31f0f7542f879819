"""The keypad on a real Pico: pins, USB port, watchdog, and the loop."""

import gc
import os
import select
import sys
import time

import machine
import micropython
from micropython import const

from seat_keypad import messages, settings, trial
from seat_keypad.buzzer import Buzzer
from seat_keypad.keys import Keys
from seat_keypad.light import Light
from seat_keypad.link import OPEN, SHUT, Link
from seat_keypad.matrix import Matrix
from seat_keypad.presses import Presses
from seat_keypad.watchdog import stop as stop_watchdog

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from seat_keypad.pins import Settings

_WATCHDOG_MS = const(4000)
_PWM_HERTZ = const(1000)
_READ_AT_ONCE = const(16)
_SENT_AT_ONCE = const(32)
"""The most bytes sent in one turn of the loop: each takes a tenth of a millisecond, and a long
stream must not delay the keys. A press takes 28 bytes at most."""
_CTRL_C = const(3)


class Port:
    """The USB serial port. Reading and writing never wait: each handles one byte, and only if one
    has arrived or fits, because a write blocks for half a second while the host doesn't read."""

    def __init__(self) -> None:
        self._in: Any = sys.stdin.buffer
        self._out = sys.stdout.buffer
        self._byte = bytearray(1)
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(sys.stdin, select.POLLIN)
        self._writable.register(sys.stdout, select.POLLOUT)

    def read(self) -> int:
        """Returns the next byte; -1 if none has arrived."""
        for _ in self._readable.ipoll(0):
            self._in.readinto(self._byte)
            return self._byte[0]
        return -1

    def write(self, byte: int) -> bool:
        """Sends a byte; returns False if there is no room for it now."""
        for _ in self._writable.ipoll(0):
            self._byte[0] = byte
            self._out.write(self._byte)
            return True
        return False


class Keypad:
    """The keypad's parts on their pins, as in the settings. Raises ValueError for a pin that can't
    be used for its part."""

    def __init__(self, pins: "Settings", port: Port, now: int) -> None:
        pin = machine.Pin
        rows = tuple(pin(at, pin.OPEN_DRAIN, value=1) for at in pins["rows"])
        columns = tuple(pin(at, pin.IN, pin.PULL_UP) for at in pins["columns"])
        self._port = port
        self.presses = Presses()
        self._matrix = Matrix(rows, columns, time.sleep_us)
        self._keys = Keys(pins["layout"].encode(), self.presses)
        colours = [machine.PWM(pin(at), freq=_PWM_HERTZ, duty_u16=0) for at in pins["light"]]
        falling = pins["common"] == "anode"
        self.light = Light(colours[0], colours[1], colours[2], falling, now)
        buzzer = pins["buzzer"]
        self._buzzer = Buzzer(None if buzzer is None else machine.PWM(pin(buzzer), duty_u16=0))
        can = messages.CAN_KEYS | messages.CAN_RGB
        can |= 0 if buzzer is None else messages.CAN_BUZZER
        who = messages.Identity(machine.unique_id(), os.urandom(8), can)
        self.link = Link(who, self.presses, self.light, self._buzzer, gc.mem_free, now)

    def turn(self, now: int) -> bool:
        """Runs the loop once, without allocating memory for presses. Returns whether bytes were
        sent or received, so that the next turn is due at once."""
        link, port, writer = self.link, self._port, self.link.writer
        busy = False
        if self._keys.step(self._matrix.contacts(), now):
            link.pressed(now)
        for _ in range(_READ_AT_ONCE):
            byte = port.read()
            if byte < 0:
                break
            busy = True
            link.hear(byte, now)
        link.step(now)
        for _ in range(_SENT_AT_ONCE):
            if not writer.waiting or not port.write(writer.peek()):
                break
            busy = True
            writer.drop_sent()
        self.light.step(now)
        self._buzzer.step(now)
        return busy


def build(port: Port, now: int) -> Keypad:
    """Returns the keypad with its settings. If they are invalid, it gets the defaults, and reports
    that with a yellow light and a line on the port."""
    pins, wrong = settings.load("keypad.json")
    try:
        keypad = Keypad(pins, port, now)
    except (ValueError, TypeError) as error:
        wrong = str(error)
        keypad = Keypad(settings.DEFAULTS, port, now)
    if wrong:
        print("keypad.json is not used:", wrong)
        keypad.light.show_bad_settings(now)
    return keypad


def run() -> None:
    """Runs until the keypad loses power. Ctrl-C ends it while no host is connected."""
    keypad = build(Port(), time.ticks_ms())
    watchdog = machine.WDT(timeout=_WATCHDOG_MS)
    interruptible, on_trial = True, trial.is_on_trial()
    try:
        while not keypad.presses.worn_out:
            busy = keypad.turn(time.ticks_ms())
            watchdog.feed()
            if interruptible != (keypad.link.state == SHUT):
                interruptible = not interruptible
                micropython.kbd_intr(_CTRL_C if interruptible else -1)
            if on_trial and keypad.link.state == OPEN:
                on_trial = False
                trial.keep_firmware()
            if not busy:
                time.sleep_ms(1)
        machine.reset()
    finally:
        # Otherwise the watchdog would end the prompt after four seconds.
        stop_watchdog(sys.implementation._machine, machine.mem32)
        micropython.kbd_intr(_CTRL_C)
