"""Set-up: naming the seats, by names used before or spelled as on an old telephone."""

from dataclasses import dataclass, replace
from typing import ClassVar

from companion.console.frame import WIDTH, Canvas
from companion.console.lists import ListScreen, choose, draw_title
from companion.console.screen import Actions, Items, Outcome, Refusing, Screen, View
from companion.console.screens.setup_table import ShowTable, default_options
from companion.core.keys import Key
from companion.core.seats import Seats, shown
from companion.core.words import known_as, phrase
from companion.games.game import B
from companion.record.names import name_fault, removal_setting
from companion.record.rows import Setting

LETTERS = {
    2: "ABC", 3: "DEF", 4: "GHI", 5: "JKL", 6: "MNO", 7: "PQRS", 8: "TUV", 9: "WXYZ", 0: "_",
}  # fmt: skip
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LONGEST = 10


@dataclass(frozen=True, slots=True)
class NameSeat(ListScreen[B]):
    """Asks who sits here: one of the names used before, or a new one. MENU on a name corrects or
    removes it. `named`: the seats named so far; `parent`: the question before, answered as it
    was."""

    game: str = ""
    number: int = 2
    named: tuple[str, ...] = ()
    parent: Screen[B] | None = None

    def title(self, _view: View[B]) -> str:
        return (
            phrase("Left of {named}?", named=shown(self.named[-1]))
            if self.named
            else phrase("Who sits first?")
        )

    @property
    def spell_title(self) -> str:
        """What stands above the name while it is spelled."""
        return phrase("Name of seat {number}", number=len(self.named) + 1)

    def lines(self, view: View[B]) -> tuple[str, ...]:
        return (phrase("Spell a name"), *map(shown, self._free(view)))

    def hint_now(self, view: View[B]) -> str:
        """The lowest line."""
        scrolls = self.count(view) > self.rows
        return "DRAW ↓ PASS ↑ OK MENU" if scrolls else phrase("OK, BACK. MENU: correct")

    def _free(self, view: View[B]) -> tuple[str, ...]:
        game = view.games[self.game].rules
        return tuple(
            name for name in view.names if name not in self.named and not name_fault(name, game)
        )

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        if at == 0:
            return Outcome(Spell(self))
        return self.take(view, self._free(view)[at - 1], replace(self, at=at))

    def opened(self, view: View[B]) -> Screen[B]:
        """This list; if there is no name to choose, the screen to spell one."""
        return self if self._free(view) else Spell(self)

    def before(self, view: View[B]) -> Screen[B] | None:
        """The screen to which BACK leads from spelling a name: this list, or, if there is no name
        to choose, the question before."""
        return self if self._free(view) else self.parent

    def take(self, view: View[B], name: str, asked: Screen[B]) -> Outcome[B]:
        """Gives this seat the name, and goes on to the next seat or to the table; BACK there leads
        to `asked`."""
        named = (*self.named, name)
        if len(named) < self.number:
            return Outcome(replace(self, at=0, named=named, parent=asked).opened(view))
        options = default_options(view, self.game, self.number)
        return Outcome(ShowTable(self.game, Seats.of(*named), options, parent=asked))

    def mend(self, view: View[B]) -> Outcome[B]:
        """MENU: asks whether to correct the name under the bar, or to offer it no longer."""
        at = min(self.at, self.count(view) - 1)
        if at == 0:
            return Outcome(
                self, refused=phrase("Go to a name with DRAW: MENU corrects or removes it.")
            )
        name, here = self._free(view)[at - 1], replace(self, at=at)
        lines: Items[B] = (
            (
                phrase("Correct it"),
                lambda _view, _list: Outcome(Spell(here, name.upper(), instead_of=name)),
            ),
            (
                phrase("Remove it"),
                lambda view, _list: Outcome(replace(self, at=0), _removal(view, name)),
            ),
        )
        return Outcome(choose(shown(name), lines, here))

    def back(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.parent)

    def on(self) -> Actions[B]:
        return {**ListScreen.on(self), Key.MENU: self.mend}


def _removal(view: View[B], name: str) -> Setting:
    return Setting(removal_setting(name), view.newest_game)


@dataclass(frozen=True, slots=True)
class Spell(Refusing[B]):
    """Spells a name by digit keys, pressed again for the next letter of the key; DRAW ends a
    letter. Up and down turn through the alphabet, right ends the letter. No clock is needed.
    `instead_of`: the name used before that is corrected; empty: none is."""

    seat: NameSeat[B]
    done: str = ""
    """The letters that are fixed."""
    letter: str = ""
    """The letter being chosen."""
    instead_of: str = ""

    digits: ClassVar = range(10)
    spells: ClassVar = True

    def stands_on(self, view: View[B]) -> object:
        """What `seat`, the question that the name answers, depends on."""
        return self.seat.stands_on(view)

    @property
    def pending(self) -> bool:
        return bool(self.done or self.letter)

    @property
    def name(self) -> str:
        """The name as it is spelled so far: each word with a capital and then small letters."""
        return "_".join(word.capitalize() for word in (self.done + self.letter).split("_"))

    def digit(self, _view: View[B], digit: int) -> Outcome[B]:
        """Another letter, or the next one of the same key."""
        letters = LETTERS.get(digit, "")
        if not letters:
            return Outcome(self)
        if self.letter and self.letter in letters and len(letters) > 1:
            following = letters[(letters.index(self.letter) + 1) % len(letters)]
            return Outcome(replace(self, letter=following, why_not=None))
        return self._begin(letters[0])

    def _begin(self, letter: str) -> Outcome[B]:
        done = self.done + self.letter
        if len(done) >= LONGEST or (letter == "_" and not done):
            return Outcome(self)
        return Outcome(replace(self, done=done, letter=letter, why_not=None))

    def typed(self, letter: str) -> "Spell[B]":
        """This screen after a letter or a space typed on a keyboard; other signs are ignored."""
        sign, done = letter.upper().replace(" ", "_"), self.done + self.letter
        fits = len(sign) == 1 and len(done) < LONGEST and (sign.isalpha() or (sign == "_" and done))
        return replace(self, done=done + sign, letter="", why_not=None) if fits else self

    def turn(self, _view: View[B], step: int = 1) -> Outcome[B]:
        """UP: the next letter of the alphabet; DOWN, with a `step` of -1: the one before."""
        if not self.letter:
            return self._begin(ALPHABET[0] if step > 0 else ALPHABET[-1])
        place = ALPHABET.find(self.letter) + step
        return Outcome(replace(self, letter=ALPHABET[place % len(ALPHABET)], why_not=None))

    def _turn_back(self, view: View[B]) -> Outcome[B]:
        return self.turn(view, -1)

    def fix(self, _view: View[B]) -> Outcome[B]:
        """DRAW or RIGHT: ends this letter; the next key begins another."""
        return Outcome(replace(self, done=self.done + self.letter, letter=""))

    def repeats(self, _view: View[B]) -> frozenset[Key]:
        """The keys that turn through the alphabet."""
        return frozenset((Key.UP, Key.DOWN))

    def accept(self, view: View[B]) -> Outcome[B]:
        """OK: gives the seat this name, or says why it can't have it."""
        name = known_as(self.name.strip("_"), (*self.seat.named, *view.names))
        if not name:
            return self.refuse(phrase("Key a name first."))
        if fault := name_fault(name, view.games[self.seat.game].rules):
            return self.refuse(fault.why)
        if name in self.seat.named:
            return self.refuse(
                phrase("{name} plays already: give each seat its own name.", name=name)
            )
        taken = self.seat.take(view, name, Spell(self.seat, self.done + self.letter))
        wrong = self.instead_of not in ("", name)
        return replace(taken, row=_removal(view, self.instead_of)) if wrong else taken

    def back(self, view: View[B]) -> Outcome[B]:
        """BACK: takes the last letter off; without letters, leads to the list of names or, if that
        has none, to the question before."""
        if not self.done and not self.letter:
            return Outcome(self.seat.before(view))
        return Outcome(replace(self, done=(self.done + self.letter)[:-1], letter=""))

    def on(self) -> Actions[B]:
        return {
            Key.OK: self.accept,
            Key.BACK: self.back,
            Key.DRAW: self.fix,
            Key.UP: self.turn,
            Key.DOWN: self._turn_back,
            Key.RIGHT: self.fix,
        }

    def draw(self, _view: View[B], canvas: Canvas) -> None:
        """The name large, and which key has which letters."""
        draw_title(canvas, self.seat.spell_title)
        text = f"{self.name}_" if not self.letter else self.name
        canvas.text(2, 12, canvas.loud(text, WIDTH, "caps"), "caps")
        for number, row in enumerate(("      2ABC   3DEF", "4GHI   5JKL   6MNO",
                                      "7PQRS  8TUV  9WXYZ")):  # fmt: skip
            canvas.text(2, 32 + 8 * number, row)
        canvas.text(2, 56, phrase("DRAW: next  0: space  OK"))
        self.draw_why_not(canvas)
