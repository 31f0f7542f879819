"""Screens made of lines: lists to choose from, pages of sentences, and notes to read.

A line is chosen by its digit, or by moving a bar to it and pressing OK. In every list DRAW moves
the bar down and PASS moves it up, so that every line can be reached with the sixteen keys; the
bottom line shows if the list is longer than the screen. A joystick moves the bar too.
"""

from dataclasses import replace
from typing import ClassVar, Generic

from companion.console.fonts import GOES_ON, wrapped
from companion.console.frame import WIDTH, Canvas
from companion.console.layout import draw_refusal
from companion.console.screen import Actions, ChooseAction, Item, Items, Outcome, Screen, View
from companion.core.keys import REPEATING, Key
from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.game import B
from companion.presentation.language import Language

SCROLL = phrase("DRAW ↓ PASS ↑ OK: choose")


@dataclass(frozen=True, slots=True)
class ListScreen(Screen[B]):
    """A title, lines to choose from, and a hint. Subclasses define `title`, `lines` and
    `chosen`."""

    at: int = 0
    """The index of the line under the bar."""
    parent: Screen[B] | None = None
    """The screen that BACK opens; None for the screen of the game's current state."""

    digits: ClassVar = range(1, 10)
    hint: ClassVar[str] = ""
    rows: ClassVar[int] = 6
    """The number of lines that fit on the screen."""
    numbered: ClassVar[bool] = True

    def title(self, view: View[B], /) -> str:
        """Returns the line at the top."""
        raise NotImplementedError

    def lines(self, view: View[B], /) -> tuple[str, ...]:
        """Returns the lines that can be chosen."""
        raise NotImplementedError

    def count(self, view: View[B], /) -> int:
        """Returns how many lines there are."""
        return len(self.lines(view))

    def window(self, view: View[B], first: int, rows: int, /) -> tuple[str, ...]:
        """Returns the visible lines: `rows` of them, starting at `first`."""
        return self.lines(view)[first : first + rows]

    def keyable_digits(self, view: View[B], /) -> tuple[int, ...]:
        """Returns the digits of the lines, of the first nine at most; () if digits choose
        nothing."""
        return tuple(range(1, min(self.count(view), 9) + 1)) if self.numbered else ()

    def chosen(self, view: View[B], at: int, /) -> Outcome[B]:
        """Returns the outcome of choosing line `at`."""
        raise NotImplementedError

    def back(self, _view: View[B], /) -> Outcome[B]:
        """BACK returns to the screen that opened the list."""
        return Outcome(self.parent)

    def move(self, view: View[B], step: int) -> Outcome[B]:
        """Moves the bar down by `step` lines (negative: up), wrapping at the ends."""
        count = max(self.count(view), 1)
        return Outcome(replace(self, at=(self.at + step) % count))

    def digit(self, view: View[B], digit: int) -> Outcome[B]:
        """Chooses the line with this digit, without an OK."""
        numbers = self.keyable_digits(view)
        if digit not in numbers:
            return Outcome(self)
        at = numbers.index(digit)
        return replace(self, at=at).chosen(view, at)

    def handle_ok(self, view: View[B]) -> Outcome[B]:
        """OK chooses the line under the bar."""
        count = self.count(view)
        return self.chosen(view, min(self.at, count - 1)) if count else Outcome(self)

    def key_bindings(self) -> Actions[B]:
        return {
            Key.OK: self.handle_ok,
            Key.BACK: self.back,
            Key.UP: self._move_up,
            Key.DOWN: self._move_down,
            Key.PASS: self._move_up,
            Key.DRAW: self._move_down,
        }

    def _move_up(self, view: View[B]) -> Outcome[B]:
        return self.move(view, -1)

    def _move_down(self, view: View[B]) -> Outcome[B]:
        return self.move(view, 1)

    def repeats(self, _view: View[B]) -> frozenset[Key]:
        return frozenset(REPEATING)

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Draws the title, underlined; up to `rows` lines; the hint at the bottom."""
        draw_title(canvas, self.title(view))
        count = self.count(view)
        at = min(self.at, max(count - 1, 0))
        first = max(0, min(at - self.rows // 2, count - self.rows))
        numbers = self.keyable_digits(view)
        for row, line in enumerate(self.window(view, first, self.rows)):
            place = first + row
            digit = str(numbers[place]) if place < len(numbers) else ""
            canvas.text(2, (row + 1) * 8, digit)
            canvas.text(10 if self.numbered else 2, (row + 1) * 8, line, room=WIDTH - 14)
            if place == at:
                canvas.invert(0, row + 1, WIDTH - 3)
                canvas.bar = f"{digit} {view.language.translate(line)}".lstrip()
        if count > self.rows:
            draw_slider(canvas, first, count, self.rows)
        canvas.text(2, 56, self.current_hint(view), room=WIDTH - 2)

    def current_hint(self, view: View[B], /) -> str:
        """Returns the lowest line: what the keys do or, in a list longer than the screen, how to
        see the rest."""
        scrolls = self.count(view) > self.rows
        return SCROLL if scrolls else self.hint or phrase("Digit or OK: choose  BACK")


def draw_title(canvas: Canvas, title: str, cut: str = "") -> None:
    """Draws a title, underlined. One that is too long is shortened and ends with the sign `cut`."""
    canvas.text(2, 0, canvas.capitals(title, WIDTH - 2, cut=cut))
    for x in range(0, WIDTH, 2):
        canvas.pixel(x, 7)


def draw_slider(canvas: Canvas, first: int, count: int, rows: int) -> None:
    """Draws at the right edge which part of the list is visible."""
    height = rows * 8
    canvas.fill(WIDTH - 1, 8 + height * first // count, 1, max(height * rows // count, 4))


class ItemList(ListScreen[B], Generic[B]):
    """A list of items. Each keeps its digit even if others can't be chosen."""

    __slots__ = ()
    digits: ClassVar = range(10)

    def items(self) -> Items[B]:
        """Returns all items, in their places."""
        raise NotImplementedError

    def _available_items(self) -> tuple[tuple[int, Item[B]], ...]:
        """Returns the items that can be chosen, each with its place, counted from 1."""
        return tuple((place, item) for place, item in enumerate(self.items(), 1) if item)

    def lines(self, _view: View[B]) -> tuple[str, ...]:
        return tuple(line for _, (line, _) in self._available_items())

    def keyable_digits(self, _view: View[B]) -> tuple[int, ...]:
        return tuple(place % 10 for place, _ in self._available_items() if place <= 10)

    def keys(self, view: View[B]) -> tuple[Key, ...]:
        keys = super().keys(view)
        return (
            keys if 0 in self.keyable_digits(view) else tuple(key for key in keys if key.digit != 0)
        )

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        _, (_, choose) = self._available_items()[at]
        return choose(view, self)


@dataclass(frozen=True, slots=True)
class Choices(ItemList[B]):
    """A list whose items are given when it is created."""

    heading: str = ""
    choices: Items[B] = ()
    only: Seat | None = None
    """The only seat that may choose; None for any seat."""

    def only_seat(self, _view: View[B]) -> Seat | None:
        return self.only

    def depends_on(self, view: View[B]) -> object:
        """Returns what `parent`, the screen from which the list was opened, depends on."""
        return self.parent.depends_on(view) if self.parent else view.turn

    def title(self, _view: View[B]) -> str:
        return self.heading

    def items(self) -> Items[B]:
        return self.choices


def choose(
    heading: str, choices: Items[B], parent: Screen[B] | None, only: Seat | None = None
) -> Choices[B]:
    """Returns a list with this heading; BACK leads to `parent`. `only`: the only seat that may
    choose."""
    return Choices(heading=heading, choices=choices, parent=parent, only=only)


def submenu(label: str, choices: Items[B], heading: str = "") -> Item[B] | None:
    """Returns an item that opens a list with these `choices`; None if none can be chosen. On a
    screen opened from there, BACK leads to the list that this item is in."""
    if not any(choices):
        return None

    def opened(_view: View[B], menu: Screen[B]) -> Outcome[B]:
        def of_menu(choose: ChooseAction[B]) -> ChooseAction[B]:
            return lambda view, _list: choose(view, menu)

        items = tuple(item and (item[0], of_menu(item[1])) for item in choices)
        return Outcome(choose(heading or label, items, menu))

    return label, opened


def choose_or_take(
    heading: str, choices: Items[B], parent: Screen[B] | None, view: View[B]
) -> Outcome[B]:
    """Asks for a choice from a list; if there is only one, takes it without asking."""
    there = [item for item in choices if item]
    asked = choose(heading, choices, parent)
    return there[0][1](view, asked) if len(there) == 1 else Outcome(asked)


# ---------------------------------------------------------------- pages


MORE = "DRAW↓"
"""The hint at the bottom if there is more to read."""
ROOM = WIDTH - 4
"""The columns of a line, left of the slider."""


def lines_of(sentences: tuple[str, ...], language: Language) -> tuple[str, ...]:
    """Returns the lines of all sentences, each beginning on a new line."""
    plain = (language.translate(sentence).replace("_", " ") for sentence in sentences if sentence)
    return tuple(line for sentence in plain for line in wrapped(sentence, ROOM))


def pages(sentences: tuple[str, ...], rows: int, language: Language) -> int:
    """Returns how many pages of `rows` lines the sentences take."""
    return max(-(-len(lines_of(sentences, language)) // rows), 1)


def draw_page(
    canvas: Canvas, title: str, sentences: tuple[str, ...], at: int, foot: tuple[str, ...]
) -> None:
    """Draws page `at` (wrapping after the last one), and `foot` at the bottom, inverted."""
    lines, rows = lines_of(sentences, canvas.language), text_rows(foot)
    first = at % pages(sentences, rows, canvas.language) * rows
    draw_title(canvas, canvas.language.translate(title).replace("_", " "), GOES_ON)
    for row, line in enumerate(lines[first : first + rows]):
        canvas.text(0, 8 + 8 * row, line)
    if len(lines) > rows:
        draw_slider(canvas, first, len(lines), rows)
    for row, line in enumerate(foot, 8 - len(foot)):
        said = canvas.language.translate(line).replace("_", " ")
        canvas.text(2, 8 * row, canvas.fitted(said, WIDTH - 4, cut=GOES_ON))
        if len(lines) > rows and row == 8 - len(foot):
            canvas.right(WIDTH, 8 * row, MORE)
        canvas.invert(0, row, WIDTH)


def text_rows(foot: tuple[str, ...]) -> int:
    """Returns the number of text lines between the title and the foot."""
    return 7 - len(foot)


# ---------------------------------------------------------------- screens


@dataclass(frozen=True, slots=True, kw_only=True)
class PagedScreen(Screen[B]):
    """A screen with several pages. DRAW turns to the next one, and from the last to the first.
    `page` only ever increases."""

    page: int = 0

    def pages(self, view: View[B], /) -> int:
        """Returns how many pages there are."""
        raise NotImplementedError

    def more_keys(self, view: View[B]) -> tuple[Key, ...]:
        """Returns DRAW, if there is more to read."""
        return (Key.DRAW,) if self.pages(view) > 1 else ()

    def next_page(self, _view: View[B]) -> Outcome[B]:
        return Outcome(replace(self, page=self.page + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class PagedText(PagedScreen[B]):
    """A title, sentences, and a foot with what the keys do."""

    def title(self, view: View[B], /) -> str:
        """Returns the line at the top."""
        raise NotImplementedError

    def sentences(self, view: View[B], /) -> tuple[str, ...]:
        """Returns the sentences to be read."""
        raise NotImplementedError

    def foot(self, view: View[B], /) -> tuple[str, ...]:
        """Returns the lowest lines."""
        raise NotImplementedError

    def key_bindings(self) -> Actions[B]:
        return {**Screen.key_bindings(self), Key.DRAW: self.next_page}

    def pages(self, view: View[B]) -> int:
        """Returns how many pages there are."""
        return pages(self.sentences(view), text_rows(self.foot(view)), view.language)

    def draw(self, view: View[B], canvas: Canvas) -> None:
        title, foot = self.title(view), self.foot(view)
        draw_page(canvas, title, self.sentences(view), self.page, foot)


# ---------------------------------------------------------------- note


@dataclass(frozen=True, slots=True)
class Note(Screen[B]):
    """A text to read; any key closes it."""

    text: str
    then: Screen[B] | None = None

    digits: ClassVar = range(10)
    any_key_goes_on: ClassVar = True

    def go_on(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.then)

    def digit(self, _view: View[B], _digit: int) -> Outcome[B]:
        return Outcome(self.then)

    def key_bindings(self) -> Actions[B]:
        keys = (Key.OK, Key.BACK, Key.DRAW, Key.PASS, Key.BOGUS, Key.MENU)
        return dict.fromkeys(keys, self.go_on)

    def draw(self, _view: View[B], canvas: Canvas) -> None:
        draw_refusal(
            canvas, canvas.language.translate(self.text).replace("_", " "), phrase("OK: go on")
        )


def note(text: str, parent: Screen[B] | None, by: Seat | None) -> Outcome[B]:
    """Shows a text: as a Note if the box's own keys led to it, or as a line over `parent` for a
    seat's keypad (`by`)."""
    return Outcome(parent, refused=text) if by else Outcome(Note(text, parent))
