"""The keypad with a fault: it hangs when BOGUS is pressed."""

from seat_keypad import board

turn = board.Keypad.turn


def hangs(self, now):
    busy = turn(self, now)
    while self.presses.count and self.presses.letter(0) == ord("!"):
        pass
    return busy


board.Keypad.turn = hangs
