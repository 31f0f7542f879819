"""Set-up: naming the seats, from names used before or spelled like on an old telephone."""

from dataclasses import dataclass, replace
from typing import ClassVar

from companion.console.frame import WIDTH, Canvas
from companion.console.glyphs import fitted
from companion.console.layout import draw_refusal
from companion.console.lists import ListScreen, draw_title
from companion.console.screen import Outcome, Screen
from companion.console.screens.setup_table import ShowTable, default_options
from companion.console.view import View
from companion.console.words import shown
from companion.keys import Key
from companion.record.names import name_fault
from companion.seats import Seats

LETTERS = {
    2: "ABC", 3: "DEF", 4: "GHI", 5: "JKL", 6: "MNO", 7: "PQRS", 8: "TUV", 9: "WXYZ", 0: "_",
}  # fmt: skip
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LONGEST = 10


@dataclass(frozen=True, slots=True)
class NameSeat(ListScreen):
    """Who sits here? One of the names used before, or a new one."""

    game: str = ""
    number: int = 2
    named: tuple[str, ...] = ()
    parent: Screen | None = None

    def title(self, _view: View) -> str:
        return f"Left of {shown(self.named[-1])}?" if self.named else "Who sits first?"

    def lines(self, view: View) -> tuple[str, ...]:
        return ("Spell a name", *map(shown, self._free(view)))

    def _free(self, view: View) -> tuple[str, ...]:
        game = view.catalog[self.game]
        return tuple(
            name for name in view.names if name not in self.named and not name_fault(name, game)
        )

    def chosen(self, view: View, at: int) -> Outcome:
        if at == 0:
            return Outcome(Spell(self))
        return self.take(view, self._free(view)[at - 1])

    def opened(self, view: View) -> Screen:
        """Itself, or where no name is known, the spelling."""
        return self if self._free(view) else Spell(self)

    def before(self, view: View) -> Screen | None:
        """Where BACK leads from its spelling."""
        if self._free(view):
            return self
        return self.parent.opened(view) if isinstance(self.parent, NameSeat) else self.parent

    def take(self, view: View, name: str) -> Outcome:
        """This name for this seat, and on to the next."""
        named = (*self.named, name)
        if len(named) < self.number:
            return Outcome(replace(self, at=0, named=named, parent=self).opened(view))
        options = default_options(view, self.game, self.number)
        return Outcome(ShowTable(self.game, Seats.of(*named), options, parent=self))

    def back(self, _view: View) -> Outcome:
        return Outcome(self.parent)


@dataclass(frozen=True, slots=True)
class Spell(Screen):
    """Letters by digit keys, pressed again for the next letter of the key; DRAW ends a letter.
    Up and down turn through the alphabet, right ends the letter. No clock is needed."""

    seat: NameSeat
    done: str = ""
    """The letters that are fixed."""
    letter: str = ""
    """The letter being chosen."""
    why_not: str | None = None

    digits: ClassVar = range(10)

    @property
    def name(self) -> str:
        """As it is spelled now: first letters of words large, the others small."""
        return "_".join(word.capitalize() for word in (self.done + self.letter).split("_"))

    def digit(self, _view: View, digit: int) -> Outcome:
        """Another letter, or the next one of the same key."""
        letters = LETTERS.get(digit, "")
        if not letters:
            return Outcome(self)
        if self.letter and self.letter in letters and len(letters) > 1:
            following = letters[(letters.index(self.letter) + 1) % len(letters)]
            return Outcome(replace(self, letter=following, why_not=None))
        return self._begin(letters[0])

    def _begin(self, letter: str) -> Outcome:
        done = self.done + self.letter
        if len(done) >= LONGEST or (letter == "_" and not done):
            return Outcome(self)
        return Outcome(replace(self, done=done, letter=letter, why_not=None))

    def turn(self, _view: View, step: int = 1) -> Outcome:
        """UP and DOWN: the next letter of the alphabet."""
        if not self.letter:
            return self._begin(ALPHABET[0] if step > 0 else ALPHABET[-1])
        place = ALPHABET.find(self.letter) + step
        return Outcome(replace(self, letter=ALPHABET[place % len(ALPHABET)], why_not=None))

    def fix(self, _view: View) -> Outcome:
        """DRAW or RIGHT: this letter stands; the next key begins another."""
        return Outcome(replace(self, done=self.done + self.letter, letter=""))

    def repeats(self, _view: View) -> frozenset[Key]:
        """Those that turn through the alphabet."""
        return frozenset((Key.UP, Key.DOWN))

    def accept(self, view: View) -> Outcome:
        """OK: the name is whole."""
        name = self.name.strip("_")
        fault = name_fault(name, view.catalog[self.seat.game]) if name else "Key a name first."
        if not fault and name in self.seat.named:
            fault = f"{name} plays already: give each seat its own name."
        return Outcome(replace(self, why_not=fault)) if fault else self.seat.take(view, name)

    def back(self, view: View) -> Outcome:
        """BACK: a letter, or to the list of names."""
        if self.why_not:
            return Outcome(replace(self, why_not=None))
        if not self.done and not self.letter:
            return Outcome(self.seat.before(view))
        return Outcome(Spell(self.seat, (self.done + self.letter)[:-1]))

    on: ClassVar = {
        Key.OK: accept,
        Key.BACK: back,
        Key.DRAW: fix,
        Key.UP: turn,
        Key.DOWN: lambda self, view: self.turn(view, -1),
        Key.RIGHT: fix,
    }

    def draw(self, _view: View, canvas: Canvas) -> None:
        """The name large, and which key has which letters."""
        draw_title(canvas, f"Name of seat {len(self.seat.named) + 1}")
        text = f"{self.name}_" if not self.letter else self.name
        canvas.text(2, 12, fitted(text.upper(), WIDTH, "caps"), "caps")
        for number, row in enumerate(("      2ABC   3DEF", "4GHI   5JKL   6MNO",
                                      "7PQRS  8TUV  9WXYZ")):  # fmt: skip
            canvas.text(2, 32 + 8 * number, row)
        canvas.text(2, 56, "DRAW next  0 space  OK")
        if self.why_not:
            draw_refusal(canvas, self.why_not, "BACK: go on")
