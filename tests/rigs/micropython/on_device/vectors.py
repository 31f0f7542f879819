"""The firmware against the vectors that both sides share, on MicroPython itself: each message of
the host is read, each message of the keypad and each CRC is checked by the firmware's own reader,
and the keypad's conversations are played.

    micropython vectors.py firmware/vectors.txt

Prints how many vectors of each kind hold; raises at the first that does not.
"""

import sys

from seat_keypad import messages
from seat_keypad.buzzer import Buzzer
from seat_keypad.light import Light
from seat_keypad.link import Link
from seat_keypad.presses import Presses
from seat_keypad.frames import Reader, Writer

LIGHTS = ("off", "seat", "turn", "pays", "refused", "asleep", "claim", "mismatch")
SOUNDS = ("turn", "refused", "lost")


def told(content):
    kind = content[0]
    if kind == messages.HELLO:
        return "hello protocol=%d.%d session=%s" % (content[1], content[2], content[3:7].hex())
    if kind == messages.ACK:
        return "ack boot=%s seq=%d" % (content[1:3].hex(), messages.number(content, 3, 4))
    if kind == messages.SEAT:
        return "seat number=%d colour=%s" % (content[1], content[2:5].hex())
    if kind == messages.LIGHT:
        return "light show=" + LIGHTS[content[1]]
    if kind == messages.BEEP:
        return "beep sound=" + SOUNDS[content[1]]
    return "ping token=%d" % messages.number(content, 1, 2)


def read(data):
    """The messages found in the stream `data`, and the last content and its CRC."""
    reader, found = Reader(), []
    for byte in data:
        bad = reader.bad
        if reader.feed(byte) and messages.is_known(reader.content):
            if messages.is_readable(reader.content, reader.length):
                found.append(told(reader.content))
            else:
                reader.count_bad()
        found += ["bad"] * (reader.bad - bad)
    return " | ".join(found) or "-", bytes(reader.content[: reader.length + 2])


def sent(content):
    """The frame in which `content` is sent."""
    writer, found = Writer(), bytearray()
    writer.content[: len(content)] = content
    writer.send(len(content))
    while writer.waiting:
        found.append(writer.peek())
        writer.drop_sent()
    return bytes(found)


def holds(kind, data, meaning):
    if kind == "crc":
        crc = int(meaning, 16)
        return len(data) > 64 or read(sent(data))[1] == data + bytes((crc & 255, crc >> 8))
    if kind == "keypad":
        content = read(data)[1][:-2]
        return sent(content) == data
    return read(data)[0] == meaning


class Pin:
    def duty_u16(self, value):
        pass


class Talk:
    """One start of the keypad, with a clock that the conversation moves."""

    def __init__(self):
        self.now, self.presses = 0, Presses()
        messages.FIRMWARE = (1, 0, 0)  # that of the examples
        light = Light(Pin(), Pin(), Pin(), False, 0)
        boot = bytes.fromhex("00112233445566a1")
        who = messages.Identity(bytes.fromhex("e6614103e7452d2f"), boot, 3)
        self.link = Link(who, self.presses, light, Buzzer(None), lambda: 0, 0)

    def after(self, word, about):
        """The bytes that the keypad sends after a word of the conversation."""
        if word == "wait":
            self.now += int(about)
        elif word == "press":
            self.presses.put(ord(about), False, self.now)
        elif word == "hear":
            for byte in bytes.fromhex(about):
                self.link.hear(byte, self.now)
        self.link.step(self.now)
        writer, found = self.link.writer, bytearray()
        while writer.waiting:
            found.append(writer.peek())
            writer.drop_sent()
        return bytes(found)


counts = {}
with open(sys.argv[1]) as lines:
    for line in lines:
        kind, _, rest = line.strip().partition(" ")
        if kind == "at-keypad":
            event, _, expected = rest.partition(" = ")
            word, _, about = event.partition(" ")
            if word == "start":
                talk = Talk()
            assert talk.after(word, about) == bytes.fromhex(expected.replace("-", "")), line
            counts[kind] = counts.get(kind, 0) + 1
        if kind not in ("crc", "host", "keypad", "to-keypad"):
            continue
        data, _, meaning = rest.partition(" = ")
        assert holds(kind, bytes.fromhex(data), meaning), line
        counts[kind] = counts.get(kind, 0) + 1
print(" ".join("%s=%d" % (kind, counts[kind]) for kind in sorted(counts)))
