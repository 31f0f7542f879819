"""Seat keypads on real pseudo terminals: found, lost, found again; one that hangs or sends too much
doesn't delay the others."""

import fcntl
import os
import sys
import termios
from contextlib import suppress
from pathlib import Path

import pytest

from companion.console.frame import Light
from companion.console.sounds import Level
from companion.core.keys import Key, PressId
from companion.core.seats import BySeat, Seat, Seats
from companion.devices.keypads.seat_keypads import SeatKeypads
from companion.devices.keypads.usb_ports import MAX_UNSENT, READ_BURST, READ_PER_S, UsbPorts
from companion.devices.link.events import KeypadArrived, KeypadLeft, VersionMismatch
from companion.devices.link.messages import LightState, SetLight
from tests.devices.link.keypad import ModelKeypad, State
from tests.devices.pty_keypad import NAME, PtyRegistry, shown


def test_a_press_is_acknowledged_once_the_loop_processed_it() -> None:
    with PtyRegistry() as registry:
        pad = registry.plug().model
        registry.until(lambda: pad.state is State.OPEN)
        pad.press(Key.D5)
        registry.until(lambda: registry.pressed)
        assert registry.heard[0] == KeypadArrived(NAME)
        press = registry.heard[1]
        assert getattr(press, "source", None) == PressId(NAME, int.from_bytes(pad.boot), 1)
        registry.wait(1.0)
        assert pad.queue, "acknowledged too early"
        registry.settle()
        registry.until(lambda: not pad.queue)
        assert registry.pressed == [Key.D5]


def test_changing_ports_neither_loses_nor_repeats_presses() -> None:
    with PtyRegistry() as registry:
        plugged = registry.plug()
        pad = plugged.model
        registry.until(lambda: pad.state is State.OPEN)
        pad.press(Key.D5)
        registry.until(lambda: registry.pressed)
        registry.unplug(plugged)
        pad.press(Key.D6)
        registry.until(lambda: KeypadLeft(NAME) in registry.heard)
        registry.plug(pad)
        registry.until(lambda: len(registry.pressed) > 1)
        pad.press(Key.OK)
        registry.until(lambda: len(registry.pressed) > 2)
        registry.settle()
        registry.until(lambda: not pad.queue)
        assert registry.pressed == [Key.D5, Key.D6, Key.OK]
        assert KeypadArrived(NAME, again=True) in registry.heard


def test_any_number_of_keypads_can_be_connected() -> None:
    with PtyRegistry() as registry:
        pads = [registry.plug().model for _ in range(4)]
        registry.until(lambda: all(pad.state is State.OPEN for pad in pads))
        for pad in pads:
            pad.press(Key.BOGUS)
        registry.until(lambda: len(registry.pressed) == 4)
        assert len({pad.serial for pad in pads}) == 4


def test_a_keypad_seen_on_two_ports_keeps_the_newer_port() -> None:
    with PtyRegistry() as registry:
        plugged = registry.plug()
        registry.until(lambda: plugged.model.state is State.OPEN)
        plugged.reads = False  # the kernel has not noticed yet that it is gone
        again = registry.plug(plugged.model)
        registry.until(lambda: registry.keypads.status()[0]["port"] == again.device)
        again.model.press(Key.PASS)
        registry.until(lambda: registry.pressed)
        assert not [one for one in registry.heard if isinstance(one, KeypadLeft)]
        registry.plugged.remove(plugged)
        plugged.unplug()


def test_a_restarted_host_gets_no_earlier_presses() -> None:
    with PtyRegistry() as registry:
        pad = registry.plug().model
        registry.until(lambda: pad.state is State.OPEN)
        for key in (Key.D5, Key.D6):
            pad.press(key)
        registry.until(lambda: len(registry.pressed) == 2)
        registry.keypads.close()
        pad.press(Key.OK)
        registry.heard.clear()
        registry.start()
        registry.until(lambda: pad.state is State.OPEN and registry.heard)
        assert registry.heard == [KeypadArrived(NAME, dropped=3)]
        assert pad.says_dropped
        pad.press(Key.D1)
        registry.until(lambda: registry.pressed)
        assert registry.pressed == [Key.D1]


def test_a_new_picture_wakes_the_keypads_thread_once() -> None:
    with PtyRegistry() as registry:
        registry.keypads.show(shown(None), {}, Level.ON)
        waiting = fcntl.ioctl(registry.keypads._thread._woken, termios.FIONREAD, bytes(4))
        assert int.from_bytes(waiting, sys.byteorder) == 1


def test_an_incompatible_version_is_reported_in_words() -> None:
    with PtyRegistry() as registry:
        pad = registry.plug(ModelKeypad(registry.now, protocol=(2, 0))).model
        registry.until(lambda: registry.heard)
        assert registry.heard == [VersionMismatch(NAME, newer=True)]
        assert pad.state is State.REFUSED
        assert registry.keypads.status()[0]["fits"] is False


def test_a_port_used_by_another_program_is_reported_once() -> None:
    with PtyRegistry() as registry:
        plugged = registry.plug()
        other = os.open(plugged.device, os.O_RDWR | os.O_NOCTTY)
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        registry.wait(7.0)
        assert registry.reports == [
            f"the keypad on {plugged.device} can't be opened: "
            "another program has it: end that first"
        ]
        os.close(other)
        registry.until(lambda: plugged.model.state is State.OPEN)


def test_a_keypad_that_does_not_read_blocks_nothing() -> None:
    with PtyRegistry() as registry:
        dead, alive = registry.plug(), registry.plug()
        registry.until(lambda: registry.keypads.status() and len(registry.keypads.status()) == 2)
        dead.reads = False
        seats = Seats.of("A", "B")
        for _ in range(600):  # far more than a terminal holds
            for light in (Light.TURN, Light.OFF):
                registry.keypads.show(shown(BySeat(seats, (light, Light.OFF))), {NAME: Seat("A")})
            registry.turn()
        alive.model.press(Key.DRAW)
        registry.until(lambda: registry.pressed)
        registry.until(lambda: KeypadLeft(NAME) in registry.heard)


def test_after_an_exception_the_keypads_start_over() -> None:
    with PtyRegistry() as registry:
        pad = registry.plug().model
        registry.until(lambda: pad.state is State.OPEN)
        registry.keypads._queue_call(lambda: 1 // 0)  # type: ignore[arg-type]
        with pytest.raises(ZeroDivisionError):
            registry.keypads.step(0)
        registry.keypads._restart()
        registry.until(lambda: KeypadLeft(NAME) in registry.heard)
        pad.press(Key.D5)
        registry.until(lambda: registry.pressed)


def test_the_keypads_thread_starts_and_ends() -> None:
    found: list[int] = []

    def find() -> list[str]:
        found.append(1)
        return []

    keypads = SeatKeypads(lambda _: None, lambda _, __: 0, print, find=find)
    keypads.start()
    keypads.close()
    assert not keypads._thread.is_alive


def test_usb_is_queried_only_when_a_device_comes_or_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Found:
        vid, pid, device = 0x2E8A, 0x0005, "/dev/ttyACM0"

    class Other:
        vid, pid, device = 0x1234, 0x0005, "/dev/ttyACM1"

    asks: list[int] = []

    def comports() -> list[object]:
        asks.append(1)
        return [Found, Other]

    monkeypatch.setattr("serial.tools.list_ports.comports", comports)
    ports = UsbPorts(devices=tmp_path)
    ports()
    (tmp_path / "ttyACM0").touch()
    assert ports() == {"/dev/ttyACM0"}
    before = len(asks)
    assert ports() == {"/dev/ttyACM0"}
    (tmp_path / "tty7").touch()
    ports()
    assert len(asks) == before
    assert UsbPorts("2e8a:0005 1234:0005", tmp_path)() == {"/dev/ttyACM0", "/dev/ttyACM1"}
    assert UsbPorts("2341:025E", tmp_path)() == set()


def test_a_flooding_keypad_is_throttled_and_others_are_heard() -> None:
    with PtyRegistry() as registry:
        loud, quiet = registry.plug(), registry.plug()
        registry.until(lambda: loud.model.state is quiet.model.state is State.OPEN)
        loud.reads = False
        os.set_blocking(loud._master, False)
        noise = b"~k" * 2000
        begun, sent = registry.now, 0
        quiet.model.press(Key.D5)
        while registry.now < begun + 20:
            with suppress(BlockingIOError):
                sent += os.write(loud._master, noise)
            registry.turn()
        in_the_kernel = 32768
        assert sent < READ_BURST + 20 * READ_PER_S + in_the_kernel
        assert registry.pressed == [Key.D5]
        loud.reads = True
        registry.until(lambda: loud.model.state is State.OPEN)


def test_output_that_a_keypad_does_not_read_is_limited() -> None:
    with PtyRegistry() as registry:
        plugged = registry.plug()
        registry.until(lambda: plugged.model.state is State.OPEN)
        plugged.reads = False
        ((port, link),) = registry.keypads.ports._ports.values()
        for at in range(20_000):
            link.send(SetLight(LightState.TURN if at % 2 else LightState.SEAT))
            registry.keypads.ports._flush(plugged.device)
        assert len(port._unsent) <= MAX_UNSENT + 16
        plugged.reads = True
        plugged.model.press(Key.D5)
        registry.until(lambda: registry.pressed == [Key.D5])
