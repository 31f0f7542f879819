"""Lists to choose from: by digit, or by moving a bar and pressing OK.

DRAW moves the bar down and PASS moves it up, in every list, so that each line is reached with the
sixteen keys; a list longer than the screen says so in its lowest line. A joystick moves it as well.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from companion.console.frame import WIDTH, Canvas
from companion.console.glyphs import fitted
from companion.console.screen import Outcome, Screen
from companion.console.view import View
from companion.keys import REPEATING, Key
from companion.seats import Seat

SCROLL = "DRAW ↓  PASS ↑  OK  BACK"


@dataclass(frozen=True, slots=True)
class ListScreen(Screen):
    """A title, lines to choose from, a hint. Subclasses give `title`, `lines` and `chosen`."""

    at: int = 0
    """The line that the bar is on."""

    digits: ClassVar = range(1, 10)
    hint: ClassVar[str] = ""
    rows: ClassVar[int] = 6
    """Lines that are seen at once."""
    numbered: ClassVar[bool] = True

    def title(self, view: View, /) -> str:
        """The line at the top."""
        raise NotImplementedError

    def lines(self, view: View, /) -> tuple[str, ...]:
        """What can be chosen."""
        raise NotImplementedError

    def count(self, view: View, /) -> int:
        """How many lines there are."""
        return len(self.lines(view))

    def window(self, view: View, first: int, rows: int, /) -> tuple[str, ...]:
        """The lines that are seen, from `first` on."""
        return self.lines(view)[first : first + rows]

    def chosen(self, view: View, at: int, /) -> Outcome:
        """Line `at` was chosen."""
        raise NotImplementedError

    def back(self, _view: View, /) -> Outcome:
        """BACK: where it came from."""
        return Outcome(None)

    def move(self, view: View, step: int) -> Outcome:
        """The bar goes up or down, round the ends."""
        count = max(self.count(view), 1)
        return Outcome(replace(self, at=(self.at + step) % count))

    def digit(self, view: View, digit: int) -> Outcome:
        """A digit chooses its line at once."""
        if digit <= self.count(view):
            return replace(self, at=digit - 1).chosen(view, digit - 1)
        return Outcome(self)

    def accept(self, view: View) -> Outcome:
        """OK chooses the line under the bar."""
        count = self.count(view)
        return self.chosen(view, min(self.at, count - 1)) if count else Outcome(self)

    on: ClassVar = {
        Key.OK: lambda self, view: self.accept(view),
        Key.BACK: lambda self, view: self.back(view),
        Key.UP: lambda self, view: self.move(view, -1),
        Key.DOWN: lambda self, view: self.move(view, 1),
        Key.PASS: lambda self, view: self.move(view, -1),
        Key.DRAW: lambda self, view: self.move(view, 1),
    }

    def repeats(self, _view: View) -> frozenset[Key]:
        """Those that move the bar."""
        return frozenset(REPEATING)

    def draw(self, view: View, canvas: Canvas) -> None:
        """The title in a bar, up to six lines, the hint at the bottom."""
        draw_title(canvas, self.title(view))
        count = self.count(view)
        at = min(self.at, max(count - 1, 0))
        first = max(0, min(at - self.rows // 2, count - self.rows))
        for row, line in enumerate(self.window(view, first, self.rows)):
            number = first + row
            label = f"{number + 1}" if self.numbered and number < 9 else ""
            canvas.text(2, (row + 1) * 8, label)
            canvas.text(10 if self.numbered else 2, (row + 1) * 8, fitted(line, WIDTH - 14))
            if number == at:
                canvas.invert(0, row + 1, WIDTH - 3)
        if count > self.rows:
            draw_slider(canvas, first, count, self.rows)
        canvas.text(2, 56, fitted(self.hint_now(view), WIDTH - 2))

    def hint_now(self, view: View, /) -> str:
        """The lowest line: what the keys do. A list that goes on says how to come there."""
        scrolls = self.count(view) > self.rows
        return SCROLL if scrolls else self.hint or "OK or digit, BACK"


def draw_title(canvas: Canvas, title: str) -> None:
    """A title, underlined."""
    canvas.text(2, 0, fitted(title.upper(), WIDTH - 2))
    for x in range(0, WIDTH, 2):
        canvas.pixel(x, 7)


def draw_slider(canvas: Canvas, first: int, count: int, rows: int) -> None:
    """At the right edge: which part of the list is seen."""
    height = rows * 8
    canvas.fill(WIDTH - 1, 8 + height * first // count, 1, max(height * rows // count, 4))


Choose = Callable[[View], Outcome]


@dataclass(frozen=True, slots=True)
class Choices(ListScreen):
    """A list whose lines are given at birth: (line, what choosing it does)."""

    heading: str = ""
    choices: tuple[tuple[str, Choose], ...] = ()
    parent: Screen | None = None
    only: Seat | None = None
    """Whose choice it is."""

    def whose(self, _view: View) -> Seat | None:
        return self.only

    def title(self, _view: View) -> str:
        return self.heading

    def lines(self, _view: View) -> tuple[str, ...]:
        return tuple(line for line, _ in self.choices)

    def chosen(self, view: View, at: int) -> Outcome:
        return self.choices[at][1](view)

    def back(self, _view: View) -> Outcome:
        return Outcome(self.parent)


def choose(
    heading: str,
    choices: tuple[tuple[str, Choose], ...],
    parent: Screen | None,
    only: Seat | None = None,
) -> Choices:
    """A list of that heading; BACK leads to `parent`."""
    return Choices(heading=heading, choices=choices, parent=parent, only=only)


def ask(
    heading: str, choices: tuple[tuple[str, Choose], ...], parent: Screen | None, view: View
) -> Outcome:
    """The same, but a single choice is not asked for: it is made."""
    return choices[0][1](view) if len(choices) == 1 else Outcome(choose(heading, choices, parent))
