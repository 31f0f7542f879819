"""The presses that the host has not acknowledged yet, in a ring buffer of 32 places."""

from array import array

from micropython import const

PLACES = const(32)
LAST = const(1073741823)
"""The highest number a press may have: it is the largest of MicroPython's small integers."""
_OVERFLOW = const(0)
_MOST_LOST = const(65535)


class Presses:
    """The queue. `first`: the number of the oldest place; `count`: the number of occupied places. A
    place holds a press, or an overflow: how many presses were lost because no other place was
    free."""

    def __init__(self) -> None:
        self.first, self.count = 1, 0
        self.closed = False
        """Whether presses are ignored."""
        self._start = 0
        self._letters = bytearray(PLACES)
        self._marks = bytearray(PLACES)
        """Of a press: whether the key was held; of an overflow: whether it was sent."""
        self._values = array("i", bytes(4 * PLACES))
        """Of a press: when the contact closed; of an overflow: how many were lost."""

    @property
    def worn_out(self) -> bool:
        """Returns whether no number is left for another press, so that the keypad must restart."""
        return self.first + self.count > LAST

    def put(self, letter: int, held: bool, at: int) -> None:
        """Adds a press of the key with that letter; in the last free place, begins an overflow
        instead. `at`: the time of the press."""
        if self.closed:
            return
        end = self._place(self.count - 1)
        if self.count and self._letters[end] == _OVERFLOW and not self._marks[end]:
            self._values[end] = min(self._values[end] + 1, _MOST_LOST)
            return
        if self.worn_out:
            return
        end = self._place(self.count)
        lost = self.count == PLACES - 1
        self._letters[end] = _OVERFLOW if lost else letter
        self._marks[end] = held and not lost
        self._values[end] = 1 if lost else at
        self.count += 1

    def letter(self, index: int) -> int:
        """Returns the letter of the press at that place (0 is the oldest); 0 for an overflow."""
        return self._letters[self._place(index)]

    def held(self, index: int) -> bool:
        """Returns whether the press at that place reports a key held for two seconds."""
        return bool(self._marks[self._place(index)])

    def at(self, index: int) -> int:
        """Returns the time at which the contact of that press closed or, for a held key, the time
        two seconds later."""
        return self._values[self._place(index)]

    def lost(self, index: int) -> int:
        """Returns the number of presses lost at the overflow in that place."""
        return self._values[self._place(index)]

    def fix_number(self, index: int) -> None:
        """Makes an overflow's number final, because the overflow is being sent."""
        self._marks[self._place(index)] = 1

    def take(self, number: int) -> int:
        """Removes the places with numbers up to `number`; returns how many. Removes none if that
        number was never used."""
        done = number - self.first + 1
        if not 0 < done <= self.count:
            return 0
        self._start = self._place(done)
        self.first += done
        self.count -= done
        return done

    def renumber_after(self, number: int) -> None:
        """Gives the oldest place the number after `number`, and the other places the numbers that
        follow."""
        self.first = number + 1

    def drop(self) -> int:
        """Removes everything; returns the number of presses, including those that overflows had
        counted as lost."""
        dropped = 0
        for index in range(self.count):
            dropped += 1 if self.letter(index) else self.lost(index)
        self.take(self.first + self.count - 1)
        return min(dropped, _MOST_LOST)

    def _place(self, index: int) -> int:
        return (self._start + index) & (PLACES - 1)
