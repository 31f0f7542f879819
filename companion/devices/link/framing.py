"""Frames on the wire, as in firmware/PROTOCOL.md: flags, escapes and a CRC.

The reader takes bytes in pieces of any size. After any damage it reads on from the next flag.
"""

from enum import Enum
from typing import Final

FLAG: Final = 0x7E
ESCAPE: Final = 0x7D
TURN: Final = 0x20
"""An escaped byte is sent exclusive-or this value; every byte below this value is escaped."""
CONTENT_MAX: Final = 64
FRAME_MAX: Final = 2 * (CONTENT_MAX + 2) + 2
"""Bytes of the longest frame on the wire, in which every byte is escaped."""

_START, _END, _GOOD = 0xFFFF, 0xFFFF, 0xF0B8
_FLAG = bytes((FLAG,))
_ON_THE_WIRE = tuple(
    bytes((ESCAPE, byte ^ TURN) if byte < TURN or byte in (FLAG, ESCAPE) else (byte,))
    for byte in range(256)
)
"""How each byte of a frame's content and CRC is sent, by its value."""


def _table() -> tuple[int, ...]:
    values = []
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = value >> 1 ^ 0x8408 if value & 1 else value >> 1
        values.append(value)
    return tuple(values)


_TABLE = _table()


class Bad(Enum):
    """Stands for a frame that could not be read."""

    FRAME = "bad"


def _carried_on(crc: int, data: bytes | bytearray) -> int:
    for byte in data:
        crc = crc >> 8 ^ _TABLE[(crc ^ byte) & 0xFF]
    return crc


def crc16(data: bytes) -> int:
    """CRC-16/X-25 of the data."""
    return _carried_on(_START, data) ^ _END


def frame(content: bytes) -> bytes:
    """The frame as it goes over the wire, with this content: 1 to CONTENT_MAX bytes. Raises
    ValueError."""
    if not 0 < len(content) <= CONTENT_MAX:
        raise ValueError(f"a frame holds 1 to {CONTENT_MAX} bytes, not {len(content)}")
    sent = [_ON_THE_WIRE[byte] for byte in content + crc16(content).to_bytes(2, "little")]
    return b"".join((_FLAG, *sent, _FLAG))


class FrameReader:
    """Takes bytes; gives the contents of frames, and Bad for each frame that can't be read."""

    def __init__(self) -> None:
        self._content = bytearray()
        self._escaped = False
        self._bad = False
        self._begun = False
        """Whether a flag was seen."""

    def feed(self, data: bytes) -> list[bytes | Bad]:
        """The contents of the frames that these bytes complete, and a Bad for each bad one."""
        found: list[bytes | Bad] = []
        content = self._content
        for byte in data:
            if byte == FLAG:
                if content or self._bad or self._escaped:
                    found.append(self._ended())
                self._begun, self._bad, self._escaped = True, False, False
                content.clear()
            elif self._bad:
                continue
            elif byte < TURN or len(content) == CONTENT_MAX + 2:
                self._bad = True
            elif self._escaped:
                content.append(byte ^ TURN)
                self._escaped = False
            elif byte == ESCAPE:
                self._escaped = True
            else:
                content.append(byte)
        return found

    def _ended(self) -> bytes | Bad:
        content = self._content
        good = self._begun and not self._bad and not self._escaped and len(content) > 2
        if not good or _carried_on(_START, content) != _GOOD:
            return Bad.FRAME
        return bytes(content[:-2])
