"""Reads and writes the bytes of messages in both directions (the table is in PROTOCOL.md)."""

from struct import pack_into

from micropython import const

PROTOCOL_MAJOR = const(1)
PROTOCOL_MINOR = const(0)
FIRMWARE = (1, 1, 0)

HELLO, ACK, SEAT, LIGHT, BEEP, PING = b"HASLBP"
"""The types that the host sends."""
_LENGTHS = {HELLO: 7, ACK: 7, SEAT: 5, LIGHT: 2, BEEP: 2, PING: 3}
"""The minimum length of each type of message."""

OFF, SEATED, TURN, PAYS, REFUSED, ASLEEP, CLAIM, MISMATCH = range(8)
"""What a light can show."""
SOUNDS = const(3)

PRESS_BYTES = const(11)
"""The length of a press; an overflow is shorter."""

CAN_KEYS, CAN_RGB, CAN_BUZZER = 1, 2, 4


def is_known(content: bytearray) -> bool:
    """Returns whether this firmware knows the type of the host's message."""
    return content[0] in _LENGTHS


def is_readable(content: bytearray, length: int) -> bool:
    """Returns whether a message of a known type is long enough, and a light or sound in it
    exists."""
    kind = content[0]
    if length < _LENGTHS[kind]:
        return False
    if kind == LIGHT:
        return content[1] <= MISMATCH
    return kind != BEEP or content[1] < SOUNDS


def number(content: bytearray, at: int, size: int) -> int:
    """Returns the number in `size` bytes from `at` on, the lowest byte first."""
    value = 0
    for back in range(size):
        value = value << 8 | content[at + size - 1 - back]
    return value


class Identity:
    """The keypad's identity: a serial number of 8 bytes, 8 random bytes for this start, and its
    hardware as flags (`can`)."""

    def __init__(self, serial: bytes, boot: bytes, can: int) -> None:
        self.serial, self.boot, self.can = serial, boot, can
        self.tag = boot[6:]


# ---------------------------------------------------------------- writing
# Each function writes a message into `content` and returns its length.


def write_hello(  # the fields in the order of PROTOCOL.md
    content: bytearray, session: bytearray, who: Identity, first: int, queued: int, dropped: int
) -> int:
    """Writes the keypad's hello into `content`; returns its length."""
    content[0] = 0x68
    content[1], content[2] = PROTOCOL_MAJOR, PROTOCOL_MINOR
    content[3:7] = session
    content[7], content[8], content[9] = FIRMWARE
    content[10] = who.can
    content[11:19] = who.serial
    content[19:27] = who.boot
    pack_into("<IBH", content, 27, first, queued, dropped)
    return 34


def write_press(
    content: bytearray, tag: bytes, seq: int, letter: int, held: bool, age_ms: int
) -> int:
    """Writes a press of a key into `content`, or (`held`) that the key is being held; returns the
    length."""
    content[0] = 0x6B
    content[1], content[2] = tag[0], tag[1]
    pack_into("<IBBH", content, 3, seq, letter, 1 if held else 0, age_ms)
    return 11


def write_overflow(content: bytearray, tag: bytes, seq: int, lost: int) -> int:
    """Writes an overflow into `content`: `lost` presses are missing here in the sequence. Returns
    its length."""
    content[0] = 0x6F
    content[1], content[2] = tag[0], tag[1]
    pack_into("<IH", content, 3, seq, lost)
    return 9


def write_pong(
    content: bytearray, token: int, tag: bytes, queued: int, seat: int, show: int
) -> int:
    """Writes the answer to a ping into `content`, without the figures that `write_figures` adds;
    returns its length so far."""
    content[0] = 0x70
    content[1], content[2] = token & 0xFF, token >> 8
    content[3], content[4] = tag[0], tag[1]
    content[5], content[6], content[7] = queued, seat, show
    return 8


def write_figures(content: bytearray, at: int, bad: int, resent: int, free: int) -> int:
    """Writes the figures into `content` from `at` on: bad frames read, messages sent again, free
    bytes of the heap. Returns the message's length."""
    pack_into("<HHI", content, at, bad, resent, free)
    return at + 8
