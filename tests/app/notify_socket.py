"""A socket that receives a service's messages in place of systemd."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.waiting import WAIT_S

EVERY_S = 0.1
"""How often the processes here should feed the watchdog, in seconds."""
QUIET_S = 10 * EVERY_S


class Ear:
    """The socket on which systemd would listen."""

    def __init__(self, folder: Path) -> None:
        self.address = str(folder / "notify")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.address)
        self._socket.settimeout(WAIT_S)

    def hear(self) -> str:
        return self._socket.recv(4096).decode()

    def receive_until(self, line: str) -> list[str]:
        """All lines received before that line."""
        heard = []
        while (one := self.hear()) != line:
            heard.append(one)
        return heard

    def hear_until_quiet(self) -> list[str]:
        """Returns all lines received until none has come for QUIET_S seconds, time enough for ten
        messages to the watchdog."""
        self._socket.settimeout(QUIET_S)
        heard: list[str] = []
        with suppress(TimeoutError):
            while len(heard) < 1000:
                heard.append(self.hear())
        return heard

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def ear(tmp_path: Path) -> Iterator[Ear]:
    ear = Ear(tmp_path)
    yield ear
    ear.close()
