"""Encodes and decodes frames, as described in PROTOCOL.md."""

from array import array

from micropython import const

_FLAG = const(0x7E)
_ESCAPE = const(0x7D)
_FLIP = const(0x20)
_LONGEST = const(66)
"""The most bytes that a content and its CRC have together, before they are escaped."""
_GOOD = const(0xF0B8)
_ROOM = const(1024)
_TURN = const(1023)
"""`_ROOM`: bytes that may wait to be sent, seven of the longest frames or forty presses. `_TURN`:
the mask that turns a place past the end into one at the start."""


def _make_crc_table() -> "array[int]":
    """Returns the CRC table: for each byte, the change that it makes to the CRC."""
    steps = array("H", bytes(512))
    for at in range(256):
        step = at
        for _ in range(8):
            step = step >> 1 ^ 0x8408 if step & 1 else step >> 1
        steps[at] = step
    return steps


_CRC_TABLE = _make_crc_table()


class Reader:
    """Finds frames in received bytes. Once `feed` returns True, `content` has the `length` bytes of
    a frame until the next byte is fed. `bad` counts broken frames, and wraps to 0 after 65535."""

    def __init__(self) -> None:
        self.content = bytearray(_LONGEST)
        self.length = self.bad = 0
        self._at, self._crc = 0, 0xFFFF
        self._escaped = self._ruined = False
        self._begun = False

    def feed(self, byte: int) -> bool:
        """Takes one byte; returns whether it ends a good frame. Allocates no memory."""
        if byte == _FLAG:
            return self._end_frame()
        if self._ruined:
            return False
        if byte == _ESCAPE and not self._escaped:
            self._escaped = True
            return False
        if byte < _FLIP or self._at == _LONGEST:
            self._ruined = True
            return False
        if self._escaped:
            self._escaped = False
            byte ^= _FLIP
        self.content[self._at] = byte
        self._at += 1
        self._crc = self._crc >> 8 ^ _CRC_TABLE[(self._crc ^ byte) & 0xFF]
        return False

    def count_bad(self) -> None:
        """Counts a frame as bad although its checksum is correct, because its message can't be
        read."""
        self.bad = (self.bad + 1) & 0xFFFF

    def _end_frame(self) -> bool:
        whole = self._begun and not self._ruined and not self._escaped
        good = whole and self._at > 2 and self._crc == _GOOD
        if not good and (self._at or self._ruined or self._escaped):
            self.count_bad()
        self.length = self._at - 2
        self._at, self._crc = 0, 0xFFFF
        self._escaped = self._ruined = False
        self._begun = True
        return good


class Writer:
    """Frames waiting to be sent. A message is written into `content`, then passed to `send`."""

    def __init__(self) -> None:
        self.content = bytearray(_LONGEST)
        self._ring = bytearray(_ROOM)
        self._start = self.waiting = 0

    def has_room(self, length: int) -> bool:
        """Returns whether a message of that length fits now, even if all its bytes must be
        escaped."""
        return self.waiting + 2 * length + 6 <= _ROOM

    def send(self, length: int) -> None:
        """Queues the first `length` bytes of `content` as a frame. Requires `has_room`."""
        content, ring = self.content, self._ring
        end, crc = self._start + self.waiting, 0xFFFF
        ring[end & _TURN] = _FLAG
        for at in range(length + 2):
            if at < length:
                byte = content[at]
                crc = crc >> 8 ^ _CRC_TABLE[(crc ^ byte) & 0xFF]
            elif at == length:
                crc ^= 0xFFFF
                byte = crc & 0xFF
            else:
                byte = crc >> 8
            end += 1
            if byte < _FLIP or byte in (_ESCAPE, _FLAG):
                ring[end & _TURN] = _ESCAPE
                byte ^= _FLIP
                end += 1
            ring[end & _TURN] = byte
        end += 1
        ring[end & _TURN] = _FLAG
        self.waiting = end + 1 - self._start

    def peek(self) -> int:
        """Returns the next byte to send. Requires that some are waiting."""
        return self._ring[self._start]

    def drop_sent(self) -> None:
        """Drops the byte that `peek` returned, because it was sent."""
        self._start = (self._start + 1) & _TURN
        self.waiting -= 1
