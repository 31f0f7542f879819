"""Tells, before the keypad starts, how many microseconds it needs for a byte of the host."""

import time

from seat_keypad import board, messages
from seat_keypad.frames import Writer

ROUNDS = 50

link, writer = board.build(board.Port(), 0).link, Writer()
writer.content[:7] = bytes((messages.ACK, 1, 2, 3, 4, 5, 6))
writer.send(7)
stream = bytearray()
while writer.waiting:
    stream.append(writer.peek())
    writer.drop_sent()
start = time.ticks_us()
for _ in range(ROUNDS):
    for byte in stream:
        link.hear(byte, 0)
print("byte_us=%.1f" % (time.ticks_diff(time.ticks_us(), start) / ROUNDS / len(stream)))
