"""The keypad with keys pressed faster than anybody could: the link is never idle."""

from seat_keypad import board
from seat_keypad.link import OPEN

turn = board.Keypad.turn


def flooded(self, now):
    while self.link.state == OPEN and self.presses.count < 16:
        self.presses.put(ord("5"), False, now)
    return turn(self, now)


board.Keypad.turn = flooded
