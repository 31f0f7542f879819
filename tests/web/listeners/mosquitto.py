"""Debian's Mosquitto, a real broker, and its program mosquitto_sub, which listens to the broker."""

import json
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from companion.core.values import Json
from tests.waiting import WAIT_S, wait_until

MOSQUITTO = "/usr/sbin/mosquitto"


def free_port() -> int:
    """A port that is free at this moment."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


class Mosquitto:
    """A broker on this machine. `more`: further lines of its configuration."""

    def __init__(self, folder: Path, *more: str, port: int = 0) -> None:
        self.port = port or free_port()
        self._config = folder / f"mosquitto-{self.port}.conf"
        self._config.write_text("\n".join([f"listener {self.port} 127.0.0.1", "user root", *more]))
        self._broker: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it, and waits until it listens."""
        self._broker = subprocess.Popen(
            [MOSQUITTO, "-c", self._config], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait_until(self._listens)

    def _listens(self) -> bool:
        with socket.socket() as line:
            return line.connect_ex(("127.0.0.1", self.port)) == 0

    def publish(self, topic: str, text: str, *more: str) -> None:
        """Publishes a text, by mosquitto_pub. `more`: further arguments."""
        at = ["-h", "127.0.0.1", "-p", str(self.port)]
        subprocess.run(["mosquitto_pub", *at, "-t", topic, "-m", text, *more], check=True)

    def stop(self) -> None:
        """Ends the broker at once, as a power cut does."""
        if self._broker is not None:
            self._broker.kill()
            self._broker.wait()
            self._broker = None


@contextmanager
def mosquitto(folder: Path, *more: str) -> Iterator[Mosquitto]:
    """A running broker, which by default accepts everybody."""
    broker = Mosquitto(folder, *(more or ("allow_anonymous true",)))
    broker.start()
    try:
        yield broker
    finally:
        broker.stop()


class Subscriber:
    """mosquitto_sub, a program that hears all topics. `heard`: (topic, payload, retained) in the
    order of arrival; `more`: further arguments."""

    def __init__(self, port: int, *more: str) -> None:
        self.heard: list[tuple[str, str, bool]] = []
        words = [
            "mosquitto_sub",
            "-h",
            "127.0.0.1",
            "-p",
            str(port),
            "-t",
            "#",
            "-q",
            "1",
            "-F",
            "%j",
            *more,
        ]
        self._program = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        self._thread = Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        assert self._program.stdout
        for line in self._program.stdout:
            said = json.loads(line)
            self.heard.append((said["topic"], said["payload"], bool(said["retain"])))

    def newest(self, topic: str) -> Json:
        """The newest object of a topic, {} if none has come."""
        found = [payload for name, payload, _ in self.heard if name == topic]
        return json.loads(found[-1]) if found else {}

    def said(self, topic: str) -> list[str]:
        """Everything that was published on a topic."""
        return [payload for name, payload, _ in self.heard if name == topic]

    def close(self) -> None:
        """Ends the program."""
        # mosquitto_sub can miss a SIGTERM that comes while it reads, and then runs on.
        self._program.kill()
        self._program.wait(WAIT_S)
        self._thread.join(WAIT_S)
        assert self._program.stdout
        self._program.stdout.close()


@contextmanager
def subscriber(port: int, *more: str) -> Iterator[Subscriber]:
    """Runs a program that listens to the broker at that port."""
    found = Subscriber(port, *more)
    try:
        yield found
    finally:
        found.close()
