"""A thread that waits for devices that come and go: seat keypads and number pads."""

import os
import selectors
import traceback
from collections.abc import Callable
from contextlib import suppress

from companion.core.threads import NamedThread


class PortThread:
    """Calls `step` in a loop; each `step` has to begin by calling `wait`.

    A bug must not silence the devices: if `step` raises an exception, its traceback is printed and
    `restart` is called. `woken` is called in the thread after a `wake`. The data of each device in
    `selector` is the function to call when the device is ready."""

    def __init__(
        self,
        name: str,
        step: Callable[[], None],
        restart: Callable[[], None],
        woken: Callable[[], None] = lambda: None,
    ) -> None:
        self._step, self._restart, self._on_wake = step, restart, woken
        self._stopping = False
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self._woken, selectors.EVENT_READ, self._drain_wake_pipe)
        self._thread = NamedThread(name, self._run)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        """Ends the thread's current wait. Any thread may call it."""
        with suppress(BlockingIOError):  # a full pipe wakes the thread anyway
            os.write(self._wake, b"!")

    def wait(self, wait_s: float) -> None:
        """Waits at most `wait_s` seconds for devices that are ready, and calls their functions."""
        for key, _ in self.selector.select(max(wait_s, 0.0)):
            key.data()

    def stop(self) -> None:
        """Ends the thread; then the devices in the selector may be closed."""
        self._stopping = True
        self.wake()
        if self._thread.is_alive():
            self._thread.join(1.0)

    def close(self) -> None:
        """Closes the selector and its pipe; the thread must have been stopped."""
        self.selector.close()
        os.close(self._woken)
        os.close(self._wake)

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def _run(self) -> None:
        while not self._stopping:
            try:
                self._step()
            except Exception:
                traceback.print_exc()
                self._restart()

    def _drain_wake_pipe(self) -> None:
        os.read(self._woken, 4096)
        self._on_wake()
