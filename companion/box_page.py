"""The page of a box: the virtual box's only keys and display, or one beside the keys and display of
a board. How to reach it is told to who started the box, and on a screen that hangs on HDMI."""

import errno
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.config import Web
from companion.console.frame import Frame
from companion.devices.debounce import Timing
from companion.devices.framebuffer import Caption
from companion.errors import SetupError
from companion.keys import Key
from companion.proposals import Request
from companion.web.page import Page

if TYPE_CHECKING:
    import socket

    from companion.web.reach import PageAddress


class BoxPage:
    """Listens and serves when it is told to. Beside another display `show` gets each picture, and
    `sleep` whether that display is dark."""

    def __init__(self, web: Web, timing: Timing) -> None:
        self._web = web
        # Somewhat longer than the debounce wants: threads are never on time.
        self._page = Page(timing.contact_s + 0.01, timing.release_s + 0.01)
        self.publish, self.tell = self._page.publish, self._page.tell
        self._listening: socket.socket | None = None
        self._reach: PageAddress | None = None
        self._frame, self._asleep = Frame.blank(), False

    def listen(self) -> None:
        """Takes the port. Raises SetupError."""
        from companion.web.reach import PageAddress, listen

        host, port = self._web.host, self._web.port
        try:
            self._listening = listen(host, port)
        except OSError as error:
            reason = (error.strerror or str(error)).partition(" (")[0]
            taken = error.errno == errno.EADDRINUSE
            remedy = f"--port {port + 1}" if taken else "another [web] host"
            raise SetupError(
                f"the page can't listen on {host}:{port} ({reason}): try {remedy}"
            ) from error
        self._reach = PageAddress.of(host, self._listening)

    def serve(
        self,
        move: Callable[[Key, bool], None],
        type_letter: Callable[[str], bool],
        propose: Callable[[Request], None],
        *,
        waits: bool = False,
    ) -> list[str]:
        """Serves where it listens, and gives the lines that say where that is; see Page.start."""
        if self._listening is None or self._reach is None:
            return []
        guard = self._reach.guard
        self._page.start(self._listening, guard, move, type_letter, propose, waits=waits)
        return self._reach.told

    def show(self, frame: Frame) -> None:
        """The other display shows this now."""
        self._frame = frame
        self.publish(self._seen)

    def sleep(self, asleep: bool) -> None:
        """The other display went dark, or is seen again: the press that wakes it does nothing
        else, here as there."""
        self._asleep = asleep
        self.publish(self._seen)

    def stop(self) -> None:
        """Ends it, whether it serves or not."""
        self._page.stop()
        if self._listening:
            self._listening.close()

    def _seen(self) -> bytes:
        return (Frame.blank() if self._asleep else self._frame).packed()

    def caption(self) -> Caption:
        """How others reach it, for a screen; empty where they can't."""
        address = self._reach.address if self._reach else ""
        if not address:
            return Caption()
        return Caption((f"The table is at {address}",), code_of(address))


def code_of(address: str) -> tuple[str, ...]:
    """The address as a QR code: “#” and “.” for each row of its modules."""
    import segno

    matrix = segno.make(address, error="l", micro=False).matrix
    return tuple("".join("#" if dark else "." for dark in row) for row in matrix)
