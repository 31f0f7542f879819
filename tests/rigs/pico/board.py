"""A keypad's emulated Pico: its keys, its light and its USB serial port, in emulated time.

The chip is rp2040py's, and runs MicroPython and the firmware as they are. Between rows and columns
lie the sixteen contacts: lines that closed contacts join are low as soon as one of their rows is.
The port is a pseudo terminal, so that the host's own code opens it.
"""

import os
import tty
from contextlib import suppress
from pathlib import Path

from rp2040py.boards import resolve_board_spec
from rp2040py.device import MicroPythonDevice
from rp2040py.execute_batch import execute_batch
from rp2040py.gpio_pin import GPIOPinState
from rp2040py.memory_map import FLASH_START_ADDRESS
from rp2040py.utils.firmware_retrieve import MICROPYTHON

from tests.rigs.seat_host import LAYOUT, WIRED

ROWS, COLUMNS = WIRED.keys.rows, WIRED.keys.columns
LIGHT = WIRED.light.red, WIRED.light.green, WIRED.light.blue
RISE_S = 16e-6
"""Seconds that a column stays low after its row was let go: its pull-up has to charge the wire."""
TX_ROOM = 448
"""Bytes that the emulator's own buffer towards the chip may hold: it has room for 512."""


class Pico:
    """A Pico with the MicroPython `uf2` and the file system `files` (None if the Pico makes one at
    its first start). It runs while `run` does, and stands still otherwise; a cable is in from the
    start."""

    def __init__(self, uf2: Path, files: Path | None) -> None:
        board = resolve_board_spec("pico", MICROPYTHON, str(uf2))
        self.device = MicroPythonDevice(board=board, filesystem=files)
        self.chip = self.device.mcu
        self._simulator, self._cdc = self.device.simulator, self.device.cdc
        self._stop = self.chip.clock.create_alarm(self._stop_now)
        self._simulator.stopped = False
        self.closed: set[tuple[int, int]] = set()
        """The contacts that are closed, each (row, column)."""
        self._rise = [
            self.chip.clock.create_alarm(self.chip.gpio[pin].release_input) for pin in COLUMNS
        ]
        self._sunk: set[int] = set()
        """The columns that are pulled low."""
        for pin in ROWS:
            self.chip.gpio[pin].add_listener(lambda _new, _old: self._pull())
        self.said: list[tuple[float, bytes]] = []
        """All that came out of the port, each piece after the time at which it was out."""
        self._to_host = b""
        self._cdc.on_serial_data = self._say
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.port = os.ttyname(self._slave)
        self.chip.core.pc = FLASH_START_ADDRESS

    # ------------------------------------------------------------ time

    @property
    def now(self) -> float:
        """Emulated seconds since the power came."""
        return float(self.chip.clock.nanos) / 1e9

    def run(self, seconds: float) -> None:
        """Runs for this much emulated time."""
        self._hear()
        self._simulator.stopped = False
        self._stop.schedule(seconds * 1e9)
        while not self._simulator.stopped:
            execute_batch(self._simulator, 1)
        self._flush()

    def _stop_now(self) -> None:
        self._simulator.stopped = True

    def reset(self) -> None:
        """Presses the reset button: everything except flash and cable restarts."""
        self.device.hard_reset()

    # ------------------------------------------------------------ keys

    def press(self, letters: str) -> None:
        """Closes the contacts of these keys."""
        self.closed |= {_place(letter) for letter in letters}
        self._pull()

    def release(self, letters: str) -> None:
        """Opens the contacts of these keys."""
        self.closed -= {_place(letter) for letter in letters}
        self._pull()

    def _pull(self) -> None:
        """Sets each column's level from the present contacts and rows."""
        gpio = self.chip.gpio
        low = {at for at, pin in enumerate(ROWS) if gpio[pin].value == GPIOPinState.LOW}
        sunk: set[int] = set()
        while True:
            more = {column for row, column in self.closed if row in low} - sunk
            if not more:
                break
            sunk |= more
            low |= {row for row, column in self.closed if column in sunk}
        for at, pin in enumerate(COLUMNS):
            if at in sunk:
                self._rise[at].cancel()
                gpio[pin].set_input_value(False)
            elif at in self._sunk:
                self._rise[at].schedule(RISE_S * 1e9)
        self._sunk = sunk

    # ------------------------------------------------------------ light

    def light(self, seconds: float = 0.01) -> tuple[float, ...]:
        """Runs for so many `seconds`; returns the part of that time for which red, green and blue
        were on, each 0 to 1."""
        begun = self.now
        lit = dict.fromkeys(LIGHT, 0.0)
        since = {pin: begun for pin in LIGHT if self._is_high(pin)}

        def look(pin: int) -> None:
            if self._is_high(pin):
                since[pin] = self.now
            elif pin in since:
                lit[pin] += self.now - since.pop(pin)

        ends = [
            self.chip.gpio[pin].add_listener(lambda _new, _old, pin=pin: look(pin)) for pin in LIGHT
        ]
        self.run(seconds)
        for end in ends:
            end()
        took = self.now - begun
        return tuple(
            (lit[pin] + (self.now - since[pin] if pin in since else 0.0)) / took for pin in LIGHT
        )

    def _is_high(self, pin: int) -> bool:
        return bool(self.chip.gpio[pin].value == GPIOPinState.HIGH)

    # ------------------------------------------------------------ port

    def _say(self, data: bytes | bytearray) -> None:
        self.said.append((self.now, bytes(data)))
        self._to_host += bytes(data)

    def _hear(self) -> None:
        room = TX_ROOM - self._cdc.tx_fifo.item_count
        with suppress(BlockingIOError):
            for byte in os.read(self._master, room) if room > 0 else b"":
                self._cdc.send_serial_byte(byte)

    def _flush(self) -> None:
        with suppress(BlockingIOError):
            while self._to_host:
                self._to_host = self._to_host[os.write(self._master, self._to_host) :]

    def close(self) -> None:
        """Closes the port."""
        os.close(self._master)
        os.close(self._slave)


def _place(letter: str) -> tuple[int, int]:
    return divmod(LAYOUT.index(letter), 4)
