"""The thread that waits for devices: it can be woken, goes on after an error in our own code, and
ends."""

import os
import selectors
import threading

import pytest

from companion.devices.keypads.port_thread import PortThread
from tests.waiting import WAIT_S


class Devices:
    """A device that sends one line after another, and a thread that waits for it."""

    def __init__(self) -> None:
        self.readable, self.writable = os.pipe()
        self.told: list[str] = []
        self.news = threading.Semaphore(0)
        self.broken = False
        self.thread = PortThread("keypads", self.step, self.restart, lambda: self.tell("woken"))
        self.thread.selector.register(self.readable, selectors.EVENT_READ, self.read)

    def step(self) -> None:
        self.thread.wait(WAIT_S)
        if self.broken:
            self.broken = False
            raise ValueError("ours")

    def read(self) -> None:
        self.tell(os.read(self.readable, 8).decode())

    def restart(self) -> None:
        self.tell("anew")

    def tell(self, word: str) -> None:
        self.told.append(word)
        self.news.release()

    def hear(self, count: int) -> list[str]:
        for _ in range(count):
            assert self.news.acquire(timeout=WAIT_S)
        return self.told


def test_an_exception_does_not_end_the_thread(
    capsys: pytest.CaptureFixture[str],
) -> None:
    devices = Devices()
    devices.thread.start()
    os.write(devices.writable, b"one")
    assert devices.hear(1) == ["one"]
    devices.broken = True
    devices.thread.wake()
    assert devices.hear(2) == ["one", "woken", "anew"]
    assert "ValueError: ours" in capsys.readouterr().err
    os.write(devices.writable, b"two")
    assert devices.hear(1)[-1] == "two"
    devices.thread.stop()
    assert not devices.thread.is_alive
    devices.thread.close()
    for end in (devices.readable, devices.writable):
        os.close(end)


def test_wake_never_blocks_and_stop_works_before_start() -> None:
    thread = PortThread("keypads", lambda: None, lambda: None)
    for _ in range(100_000):  # more than a pipe holds
        thread.wake()
    thread.stop()
    thread.close()
