"""A long session of the firmware's keypad on MicroPython itself: keys are pressed and a host takes
the presses, both by this script; time is counted, not waited for.

    micropython session.py PRESSES

The heap is locked while the keypad turns, so that code which allocates there raises MemoryError. It
isn't locked before the first press, nor while a host's hello or a seat's colour is read. Prints the
free heap after each tenth of the session but the first, the presses that were taken, and the
microseconds that the firmware needs for a byte of the host.
"""

import gc
import sys
import time

import machine
import micropython
from seat_keypad import board, messages, settings
from seat_keypad.frames import Reader, Writer

COUNT = int(sys.argv[1])
DOWN_MS, STROKE_MS = 10, 40


class Host:
    """The host, at the other end of the port; it makes its messages while the heap isn't locked."""

    def __init__(self):
        self.reader, self.writer = Reader(), Writer()
        self.heard = bytearray(4096)
        self.count = self.taken = self.lost = 0
        self.open = False

    def read(self):
        writer = self.writer
        if not writer.waiting:
            return -1
        byte = writer.peek()
        writer.drop_sent()
        return byte

    def write(self, byte):
        self.heard[self.count] = byte
        self.count += 1
        return True

    def say(self, *content):
        self.writer.content[: len(content)] = bytes(content)
        self.writer.send(len(content))

    def answer(self):
        """Answers the messages that the host has received."""
        content, owes = self.reader.content, False
        for at in range(self.count):
            if not self.reader.feed(self.heard[at]):
                continue
            if content[0] == ord("h"):
                self.tag, self.open = content[25:27], content[3:7] == b"\x5e\xed\0\1"
                owes = self.open
            elif content[0] == ord("k"):
                seq = messages.number(content, 3, 4)
                self.lost += seq > self.taken + 1
                self.taken, owes = max(self.taken, seq), True
        self.count = 0
        if owes:
            seq = self.taken
            ack = messages.ACK, self.tag[0], self.tag[1]
            self.say(*ack, seq & 255, seq >> 8 & 255, seq >> 16 & 255, 0)


waited_us = 0


def wait_us(duration):
    """Counts what a matrix waits for its columns: a system's shortest sleep is much longer."""
    global waited_us
    waited_us += duration


def free():
    gc.collect()
    return gc.mem_free()


host = Host()
now = 1000
keypad = board.Keypad(settings.DEFAULTS, host, now)
keypad._matrix._sleep_us = wait_us
machine.ticks_us = lambda: waited_us
host.say(messages.HELLO, 1, 0, 0x5E, 0xED, 0, 1)
while keypad.link.state != 2:
    keypad.turn(now)
    host.answer()
    now += 1
host.say(messages.LIGHT, 1)
for _ in range(100):
    keypad.turn(now)
    now += 1

tenth, left = COUNT // 10, [0] * 10
for press in range(COUNT):
    at = press * 7 % 16
    for ms in range(STROKE_MS):
        # A contact that bounces once, both ways.
        down = ms < DOWN_MS + 2 and ms not in (1, DOWN_MS)
        contacts = 1 << at if down else 0
        machine.closed[0], machine.closed[1] = contacts & 255, contacts >> 8
        micropython.heap_lock()
        try:
            keypad.turn(now)
        finally:
            micropython.heap_unlock()
        host.answer()
        now += 1
    if press % 100 == 0:
        host.say(messages.PING, press & 255, press >> 8 & 255)
        host.say(messages.LIGHT, press // 100 % 6)
    # Always read at this place: words that calls left on the C stack keep blocks alive that nobody
    # has any more, and at another place there are other words. The first reading leaves some, too.
    if press % tenth == tenth - 1:
        left[press // tenth] = free()

link, frames = keypad.link, 2000
ack = bytes((messages.ACK, host.tag[0], host.tag[1], 0, 0, 0, 0))
link.writer.content[: len(ack)] = ack
link.writer.send(len(ack))
stream = bytearray()
while link.writer.waiting:
    stream.append(link.writer.peek())
    link.writer.drop_sent()
start = time.ticks_us()
for _ in range(frames):
    for byte in stream:
        link.hear(byte, now)
took = time.ticks_diff(time.ticks_us(), start)
print(
    "free=%s taken=%d lost=%d bad=%d byte_us=%.3f"
    % (",".join(map(str, left[1:])), host.taken, host.lost, link.reader.bad, took / frames / len(stream))
)
