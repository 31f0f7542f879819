"""Plays the conversations of firmware/vectors.txt: the lines that begin with “at-keypad” or
“at-host”."""

from collections.abc import Callable, Iterator

from companion.core.keys import Key, PressId
from companion.devices.link.keypad_registry import KeypadRegistry
from companion.devices.link.session import Link
from tests.devices.link.keypad import SERIAL, ModelKeypad
from tests.devices.link.vectors import VECTORS
from tests.firmware.keypad import FirmwareKeypad

BOOT = bytes.fromhex("00112233445566a1")

Talk = Callable[[str, str], bytes]
"""What a side sends after an event, which is told by its name and what it is about."""


def talks(kind: str) -> Iterator[tuple[str, str, bytes]]:
    """(event, what it is about, the bytes sent then) for each line that begins with `kind`, in
    order."""
    for line in VECTORS.read_text().splitlines():
        begin, _, told = line.partition(" ")
        if begin == kind:
            event, _, sent = told.partition(" = ")
            word, _, about = event.partition(" ")
            yield word, about, bytes.fromhex(sent.removeprefix("-"))


def play(kind: str, start: Callable[[], Talk]) -> int:
    """Plays one side of all conversations; `start` restarts that side. Returns the number of
    lines."""
    count, talk = 0, start()
    for count, (word, about, sent) in enumerate(talks(kind), start=1):
        if word == "start":
            talk = start()
        assert talk(word, about).hex() == sent.hex(), (count, word, about)
    return count


def keypad(start: Callable[[float], ModelKeypad | FirmwareKeypad]) -> Callable[[], Talk]:
    """Returns a function that restarts a keypad with `start`."""

    def talk() -> Talk:
        now, side = 1000.0, start(1000.0)

        def after(word: str, about: str) -> bytes:
            nonlocal now
            if word == "wait":
                now += int(about) / 1000
                side.advance(now)
            elif word == "press":
                side.press(Key(about))
            elif word == "hear":
                side.receive(bytes.fromhex(about))
            return side.to_send()

        return after

    return talk


def host() -> Talk:
    """A host's link that was just opened."""
    now = 1000.0
    registry = KeypadRegistry(bytes.fromhex("5eed0001"), lambda _, __: 0)
    link = Link(registry, now)

    def after(word: str, about: str) -> bytes:
        nonlocal now
        if word == "wait":
            now += int(about) / 1000
            link.advance(now)
        elif word == "hear":
            link.receive(bytes.fromhex(about), now)
        elif word == "settle":
            registry.settle(PressId(SERIAL.hex(), int.from_bytes(BOOT), int(about)))
        return link.to_send()

    return after
