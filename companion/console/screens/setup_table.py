"""Set-up, last steps: the house's options, and a drawing of the table to check the order of the
seats."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from companion.console.frame import WIDTH, Canvas
from companion.console.lists import ListScreen, choose
from companion.console.screen import Actions, Items, Outcome, Screen, View
from companion.console.screens.claims import claiming
from companion.console.words import numbered, turn_order
from companion.core.errors import RuleError
from companion.core.keys import Key
from companion.core.seats import BySeat, Seat, Seats, chip_colours, in_turn_order, shown
from companion.core.words import find_lookalikes, phrase
from companion.games.chips import Chips
from companion.games.game import AnyGame, B
from companion.games.options import SET, Option, Value, agreed, in_set
from companion.record.rows import Opened, Reseat


def default_options(view: View[B], game: str, number: int) -> dict[str, Value]:
    """Every option of the game for `number` seats: as the table chose it at this box before, or its
    default."""
    defaults = {option.name: option.default(number) for option in view.games[game].rules.options}
    return {**defaults, **view.games[game].screens.kept_options(view.settings)}


def begin(view: View[B], opened: Opened) -> Outcome[B]:
    """Begins a game by its first row; keypads without a seat may take one then."""
    return Outcome(claiming(view, opened.seats.order), opened)


@dataclass(frozen=True, slots=True)
class ShowTable(Screen[B]):
    """The table from above. OK begins; DRAW swaps the order; MENU changes options. `again`: the
    game runs already, and only the order of its seats is swapped. `two`: somebody has said that
    players whose names look the same are two people."""

    game: str
    seats: Seats
    options: Mapping[str, Value]
    parent: Screen[B] | None = None
    again: bool = False
    two: bool = False

    def begin(self, view: View[B]) -> Outcome[B]:
        """OK: begins the game, or first asks what the game has to ask before it; with `again`, the
        game goes on in this order."""
        if self.again:
            return Outcome(None, Reseat(self.seats))
        if not self.two and (pair := find_lookalikes(self.seats)):
            return Outcome(_ask_one_person(self, pair))
        opened = Opened(self.game, self.seats, self.options, evening=view.evening)
        asked = view.games[self.game].screens.before_begin(view, opened, self._with)
        return Outcome(asked) if asked else begin(view, opened)

    def _with(self, options: Mapping[str, Value]) -> "ShowTable[B]":
        return replace(self, options=options)

    def swap(self, _view: View[B]) -> Outcome[B]:
        """DRAW: the next order of the seats. Three seats have two orders, four seats six, which
        come one after the other."""
        return Outcome(replace(self, seats=next_order(self.seats)))

    def change(self, view: View[B]) -> Outcome[B]:
        """MENU: the options of the house."""
        if self.again or not view.games[self.game].rules.options:
            return Outcome(self)
        return Outcome(ChooseOptions(table=self))

    def back(self, _view: View[B]) -> Outcome[B]:
        """BACK: to the step before."""
        return Outcome(self.parent)

    def _chips(self, view: View[B]) -> Chips | None:
        """The chips; None for a game without chips, or one that can't be played by these
        options."""
        rules = view.games[self.game].rules
        try:
            return rules.chips(rules.start(self.seats, self.options))
        except RuleError:
            return None

    def _colours(self, view: View[B]) -> BySeat[str]:
        """The colours of the chips. In a game that runs already, everybody keeps theirs."""
        if not self.again:
            return chip_colours(self.seats)
        return view.game.colours.reseated(self.seats)

    def _why_not(self, view: View[B]) -> str:
        """Why the game can't be played by these house rules; empty: it can."""
        try:
            view.games[self.game].rules.start(self.seats, self.options)
        except RuleError as refused:
            return phrase("{why}: MENU", why=refused.why)
        return ""

    def on(self) -> Actions[B]:
        return {Key.OK: self.begin, Key.DRAW: self.swap, Key.MENU: self.change, Key.BACK: self.back}

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """The seats round a table, the order in words, who pays."""
        clockwise, order = view.games[self.game].rules.clockwise, turn_order(self.seats.order)
        _draw_seats(canvas, self.seats, clockwise=clockwise)
        second, chips = self.seats.order[1], self._chips(view)
        says: str = (
            phrase("Turns go clockwise: {turn_order}.", turn_order=order)
            if clockwise
            else phrase("Turns go counter-clockwise: {turn_order}.", turn_order=order)
        )
        says = self._why_not(view) or says
        if chips is not None:
            payer, colours = chips.payer_of(second), self._colours(view)
            if any(seat != colour for seat, colour in colours.items()):
                named = ", ".join(_in_colour(seat, colour) for seat, colour in colours.items())
                says = phrase("Clockwise: {named}.", named=named)
            pays = phrase(
                "{second} scores: {payer} pays.", second=shown(second), payer=shown(payer).upper()
            )
            says = phrase("{order} {pays}", order=says, pays=pays)
        top = 24 if len(self.seats) == 4 else 32
        for row, line in enumerate(canvas.wrapped(says, WIDTH)[:4]):
            canvas.text(0, top + 8 * row, line)
        canvas.fill(0, 56, WIDTH, 8, on=False)
        canvas.text(
            2,
            56,
            phrase("OK: done   DRAW: swap")
            if self.again
            else phrase("OK  DRAW: swap  MENU: rules"),
        )
        canvas.invert(0, 7, WIDTH)


def _ask_one_person(table: ShowTable[B], pair: tuple[str, str]) -> Screen[B]:
    """Asks whether two players whose names look the same are one person."""
    one, other = map(shown, pair)
    answers: Items[B] = (
        (phrase("Two people: begin"), lambda view, _list: replace(table, two=True).begin(view)),
        (phrase("One: other names"), lambda _view, _list: Outcome(table.parent or table)),
    )
    return choose(phrase("{one}, {other}: one?", one=one, other=other), answers, table)


def _in_colour(seat: Seat, colour: str) -> str:
    """“Anna green”: a seat with the colour of its chips, unless that is its name."""
    return shown(seat) if seat == colour else f"{shown(seat)} {colour.lower()}"


def next_order(seats: Seats) -> Seats:
    """The next turn order, with the same seat first; of two seats, the other one is first then."""
    first, *rest = seats.order
    if len(rest) == 1:
        return Seats((rest[0], first))
    swapped = [*rest]
    if len(rest) == 2:
        swapped.reverse()
    else:
        at = _pivot(seats)
        swapped[at], swapped[at + 1] = swapped[at + 1], swapped[at]
    return Seats((first, *swapped))


def _pivot(seats: Seats) -> int:
    """Which neighbours after the first seat to swap next, by the place of the first of them. Four
    seats go through all six orders if the first pair and the last pair are swapped in turn; whether
    the number of pairs that stand out of alphabetical order is even says which one is next."""
    rest = seats.order[1:]
    ranks = sorted(rest)
    turns = sum(ranks.index(a) > ranks.index(b) for n, a in enumerate(rest) for b in rest[n:])
    return turns % 2 if len(rest) == 3 else turns % (len(rest) - 1)


PLACES = {2: ("w", "e"), 3: ("w", "n", "e"), 4: ("s", "w", "n", "e")}
"""Where seats sit in the drawing, clockwise seen from above."""
TABLE_X, TABLE_Y, TABLE_WIDTH, TABLE_HEIGHT = 52, 8, 24, 8


def _draw_seats(canvas: Canvas, seats: Seats, *, clockwise: bool) -> None:
    """Draws a small table with the numbered names round it; more than four seats as a list of
    names, two a line."""
    if len(seats) not in PLACES:
        for number, seat in enumerate(seats):
            canvas.text(number % 2 * 64, number // 2 * 8, numbered(number + 1, seat))
        return
    canvas.box(TABLE_X, TABLE_Y, TABLE_WIDTH, TABLE_HEIGHT)
    canvas.fill(TABLE_X + TABLE_WIDTH // 2, TABLE_Y, 1, TABLE_HEIGHT)
    middle = TABLE_X + TABLE_WIDTH // 2
    places = in_turn_order(PLACES[len(seats)], clockwise=clockwise)
    for number, (place, seat) in enumerate(zip(places, seats, strict=True), 1):
        _draw_seat(canvas, place, numbered(number, seat), middle)


def _draw_seat(canvas: Canvas, place: str, name: str, middle: int) -> None:
    name = canvas.fitted(name, 48 if place in "we" else 90)
    width = canvas.width(name)
    x, y = {
        "n": (middle - width // 2, 0),
        "s": (middle - width // 2, 16),
        "w": (TABLE_X - 3 - width, TABLE_Y),
        "e": (TABLE_X + TABLE_WIDTH + 3, TABLE_Y),
    }[place]
    canvas.text(x, y, name)


@dataclass(frozen=True, slots=True)
class ChooseOptions(ListScreen[B]):
    """The options of the house: OK changes one."""

    table: ShowTable[B] | None = None

    hint: ClassVar = phrase("OK: change  BACK: table")

    def title(self, _view: View[B]) -> str:
        return phrase("House rules")

    def _game(self, view: View[B]) -> AnyGame:
        return view.games[self._table.game].rules

    @property
    def _table(self) -> ShowTable[B]:
        assert self.table is not None, "options belong to a table"
        return self.table

    def lines(self, view: View[B]) -> tuple[str, ...]:
        options, seats = self._game(view).options, len(self._table.seats)
        return tuple(rule.sentence for rule in agreed(options, seats, self._table.options))

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        option = self._game(view).options[at]
        choices = option.choices(len(self._table.seats))
        value = self._table.options[option.name]
        place = choices.index(value) if value in choices else 0
        here = replace(self, at=at)
        return Outcome(ChooseValue(at=place, options=here, option=option))

    def put(self, view: View[B], name: str, value: Value) -> "ChooseOptions[B]":
        """This list after one option was changed; a named set changes all others with it."""
        values = {**self._table.options, name: value}
        if name == SET:
            rules, number = self._game(view).options, len(self._table.seats)
            values = in_set(rules, number, value, self._table.options)
        return replace(self, table=replace(self._table, options=values))

    def back(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.table)


@dataclass(frozen=True, slots=True)
class ChooseValue(ListScreen[B]):
    """One option's values; below, what it means. Numbers are keyed as they are, not by the digit of
    a line. `keyed`: the digits so far."""

    options: ChooseOptions[B] | None = None
    option: Option | None = None
    keyed: str = ""

    digits: ClassVar = range(10)
    rows: ClassVar = 4

    @property
    def pending(self) -> bool:
        return bool(self.keyed)

    def _of(self) -> tuple[ChooseOptions[B], Option, tuple[Value, ...]]:
        """The list of options, the option, and its values."""
        assert self.options is not None, "a value belongs to the options"
        assert self.options.table is not None, "options belong to a table"
        assert self.option is not None, "a value belongs to an option"
        return self.options, self.option, self.option.choices(len(self.options.table.seats))

    def title(self, _view: View[B]) -> str:
        _, option, _ = self._of()
        return option.label or option.name

    def lines(self, _view: View[B]) -> tuple[str, ...]:
        _, option, values = self._of()
        return tuple(option.says(value) for value in values)

    def numbers(self, view: View[B]) -> tuple[int, ...]:
        """The digits of the list's lines; () if some of the values are numbers themselves."""
        _, _, values = self._of()
        return (
            ()
            if any(isinstance(value, int) for value in values)
            else ListScreen.numbers(self, view)
        )

    def digit(self, view: View[B], digit: int) -> Outcome[B]:
        """Among numbers, a digit moves the bar to the first one that begins with the digits keyed;
        if that is the whole number, and no other begins so, it is chosen."""
        if self.numbers(view):
            return ListScreen.digit(self, view, digit)
        numbers = [str(value) for value in self._of()[2]]
        for keyed in (f"{self.keyed}{digit}", str(digit)):
            found = [at for at, number in enumerate(numbers) if number.startswith(keyed)]
            if len(found) == 1 and numbers[found[0]] == keyed:
                return self.chosen(view, found[0])
            if found:
                return Outcome(replace(self, at=found[0], keyed=keyed))
        return Outcome(self)

    def move(self, view: View[B], step: int) -> Outcome[B]:
        """The bar goes on; what was keyed is forgotten."""
        return ListScreen.move(replace(self, keyed=""), view, step)

    def hint_now(self, view: View[B]) -> str:
        """The lowest line."""
        if self.numbers(view):
            return ListScreen.hint_now(self, view)
        _, _, values = self._of()
        all_keyed = all(isinstance(value, int) for value in values)
        return phrase("Key it, or OK. BACK") if all_keyed else phrase("Key it. DRAW ↓ PASS ↑ OK")

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """What the option means, below its values."""
        ListScreen.draw(self, view, canvas)
        meaning = canvas.wrapped(self._of()[1].meaning, WIDTH - 4)[:2]
        for row, line in enumerate(meaning):
            canvas.text(2, 56 - 8 * (len(meaning) - row), line)

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        options, option, values = self._of()
        return Outcome(options.put(view, option.name, values[at]))

    def back(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.options)
