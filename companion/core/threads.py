"""Threads that pass their names to the kernel, so that `top -H` shows which thread is busy."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread, get_native_id


class NamedThread(Thread):
    """A daemon thread, which doesn't keep the program running, with a name of at most 15 letters.
    Python itself passes thread names to the kernel only from 3.14 on.
    """

    def __init__(self, name: str, target: Callable[[], None]) -> None:
        super().__init__(name=name, target=target, daemon=True)

    def run(self) -> None:
        """Sets the thread's name in the kernel, then runs `target`."""
        with suppress(OSError):
            Path(f"/proc/self/task/{get_native_id()}/comm").write_text(self.name)
        super().run()
