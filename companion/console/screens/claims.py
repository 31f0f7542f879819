"""Gives keypads their seats: a seat is taken by pressing OK on the keypad that lies there."""

from dataclasses import replace
from typing import ClassVar

from companion.console.frame import WIDTH, Canvas
from companion.console.lists import ListScreen, draw_title
from companion.console.screen import Actions, Outcome, Screen, View
from companion.core.keys import Key, Press, seat_setting
from companion.core.seats import Seat, shown
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.game import B
from companion.record.rows import Setting


@dataclass(frozen=True, slots=True)
class ClaimKeypad(Screen[B]):
    """Asks seat by seat for its keypad: the person there presses OK on it. OK on the box: this seat
    has none."""

    seats: tuple[Seat, ...]
    """The seats that are still to be asked; the first one is asked now."""
    parent: Screen[B] | None = None
    heard: frozenset[str] = frozenset()
    """The keypads that have a seat by now."""

    claiming: ClassVar = True

    def claims(self, _keypad: str) -> bool:
        return True

    def pressed(self, view: View[B], press: Press) -> Outcome[B]:
        """OK on a keypad gives it the seat that is asked now. Once all keypads have a seat, no
        other seat is asked. A second OK on the same keypad is refused: it doesn't take the next
        seat."""
        if press.source is None:
            return self.press(view, press.key)
        keypad, seat = press.source.keypad, self.seats[0]
        if keypad in self.heard:
            mine = shown(view.keypads.get(keypad) or "")
            return Outcome(
                self,
                refused=phrase(
                    "This keypad is {mine}'s. {seat} is asked now.", mine=mine, seat=shown(seat)
                ),
            )
        if press.key is not Key.OK:
            return Outcome(self, refused=phrase("OK makes this keypad {seat}'s.", seat=shown(seat)))
        heard = self.heard | {keypad}
        after = replace(self, heard=heard)._next() if view.keypads.keys() - heard else self.parent
        return Outcome(after, Setting(seat_setting(keypad), seat))

    def skip(self, _view: View[B]) -> Outcome[B]:
        """OK on the box: no keypad for this seat."""
        return Outcome(self._next())

    def leave(self, _view: View[B]) -> Outcome[B]:
        """BACK: asks no more; the other seats stay as they are."""
        return Outcome(self.parent)

    def _next(self) -> Screen[B] | None:
        rest = self.seats[1:]
        return replace(self, seats=rest) if rest else self.parent

    def on(self) -> Actions[B]:
        return {Key.OK: self.skip, Key.BACK: self.leave}

    def draw(self, _view: View[B], canvas: Canvas) -> None:
        """Who is asked, and what to do."""
        draw_title(canvas, phrase("Whose keypad is whose?"))
        canvas.text(0, 16, canvas.loud(shown(self.seats[0]), WIDTH, "caps"), "caps")
        canvas.text(0, 34, phrase("Press OK on the keypad"))
        canvas.text(0, 42, phrase("in front of you."))
        canvas.text(2, 56, phrase("OK here: none  BACK: done"))
        canvas.invert(0, 7, WIDTH)


def claiming(view: View[B], seats: tuple[Seat, ...]) -> Screen[B] | None:
    """The screen that asks the seats without a keypad, if keypads without a seat are plugged in;
    else None."""
    taken = {seat for seat in view.keypads.values() if seat in seats}
    free = {keypad for keypad, seat in view.keypads.items() if seat not in seats}
    asked = tuple(seat for seat in seats if seat not in taken)
    return ClaimKeypad(asked, heard=frozenset(view.keypads) - free) if free and asked else None


@dataclass(frozen=True, slots=True)
class Whose(ListScreen[B]):
    """Asks whose keypad it is, after one without a seat was pressed in the middle of a game."""

    keypad: str = ""
    under: Screen[B] | None = None

    hint: ClassVar = phrase("Digit: its seat. BACK: none")
    claiming: ClassVar = True

    def claims(self, keypad: str) -> bool:
        return keypad == self.keypad

    def pressed(self, view: View[B], press: Press) -> Outcome[B]:
        """Takes answers from that keypad and from the box. Keys of other keypads are refused: they
        were meant for the game."""
        if press.source and press.source.keypad != self.keypad:
            waits = phrase("{seat} waits", seat=shown(press.seat)) if press.seat else phrase("Wait")
            return Outcome(
                self, refused=phrase("{waits}: a new keypad needs its seat first.", waits=waits)
            )
        return self.press(view, press.key)

    def title(self, _view: View[B]) -> str:
        return phrase("Whose keypad is this?")

    def lines(self, view: View[B]) -> tuple[str, ...]:
        return tuple(shown(seat) for seat in view.state.seats)

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        seat = view.state.seats.order[at]
        return Outcome(self.under, Setting(seat_setting(self.keypad), seat))

    def back(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.under)
