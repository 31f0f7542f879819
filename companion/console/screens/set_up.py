"""Screens for setting up a game: which game, how many players, who sits where (names used before,
or spelled as on an old telephone), the house rules, and a drawing of the table to check the order
of the seats."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from companion.console.frame import WIDTH, Canvas
from companion.console.lists import ListScreen, choose, draw_title
from companion.console.screen import (
    Actions,
    Items,
    Outcome,
    Play,
    RefusingScreen,
    Screen,
    View,
    numbered,
    turn_order,
)
from companion.console.screens.box_settings import choose_language, claim_keypads, other_languages
from companion.console.screens.phones import ShowPhones
from companion.core.errors import RuleError
from companion.core.keys import Key
from companion.core.languages import LANGUAGE
from companion.core.seats import (
    COLOURS,
    MORE_COLOURS,
    BySeat,
    Seat,
    Seats,
    chip_colours,
    display_name,
    in_turn_order,
)
from companion.core.values import dataclass
from companion.core.words import find_lookalikes, known_spelling, listed, phrase
from companion.games.chips import Chips
from companion.games.game import AnyGame, B
from companion.games.house_rules import SET, Option, Value, agreed_rules, values_in_set
from companion.record.names import name_fault, removal_setting
from companion.record.rows import GameOpened, Redo, Reseat, Setting

# ---------------------------------------------------------------- the table


def default_options(view: View[B], game: str, number: int) -> dict[str, Value]:
    """Returns every option of the game for `number` seats: the table's last choice at this box, or
    the default."""
    defaults = {option.name: option.default(number) for option in view.games[game].rules.options}
    return {**defaults, **view.games[game].screens.kept_options(view.settings)}


def begin(view: View[B], opened: GameOpened) -> Outcome[B]:
    """Returns the outcome that begins a game with the row `opened`. If there are keypads without a
    seat, the screen for claiming them comes next."""
    return Outcome(claim_keypads(view, opened.seats.order), opened)


@dataclass(frozen=True, slots=True)
class ShowTable(Screen[B]):
    """The table from above. OK begins; DRAW swaps the order; MENU changes options. `again`: whether
    the game is already under way, and only the order of its seats is swapped. `two`: whether
    somebody confirmed that players with similar names are two people."""

    game: str
    seats: Seats
    options: Mapping[str, Value]
    parent: Screen[B] | None = None
    again: bool = False
    two: bool = False

    def begin(self, view: View[B]) -> Outcome[B]:
        """OK begins the game, after any question that the game asks first; with `again`, resumes
        the game in this order."""
        if self.again:
            return Outcome(None, Reseat(self.seats))
        if not self.two and (pair := find_lookalikes(self.seats)):
            return Outcome(_ask_one_person(self, pair))
        opened = GameOpened(self.game, self.seats, self.options, evening=view.evening)
        asked = view.games[self.game].screens.before_begin(view, opened, self._with_options)
        return Outcome(asked) if asked else begin(view, opened)

    def _with_options(self, options: Mapping[str, Value]) -> "ShowTable[B]":
        return replace(self, options=options)

    def swap(self, _view: View[B]) -> Outcome[B]:
        """DRAW cycles through the orders of the seats: two for three seats, six for four."""
        return Outcome(replace(self, seats=next_order(self.seats)))

    def change(self, view: View[B]) -> Outcome[B]:
        """MENU opens the house rules."""
        if self.again or not view.games[self.game].rules.options:
            return Outcome(self)
        return Outcome(ChooseOptions(table=self))

    def back(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.parent)

    def _chips_at_start(self, view: View[B]) -> Chips | None:
        """Returns the chips; None for a game without chips, or one that can't be played with these
        options."""
        rules = view.games[self.game].rules
        try:
            return rules.chips(rules.start(self.seats, self.options))
        except RuleError:
            return None

    def _colours(self, view: View[B]) -> BySeat[str]:
        """Returns the colours of the chips. In a game already under way, each player keeps their
        colour."""
        if not self.again:
            return chip_colours(self.seats)
        return view.game.colours.reseated(self.seats)

    def _why_not(self, view: View[B]) -> str:
        """Returns why the game can't be played with these house rules; empty if it can."""
        try:
            view.games[self.game].rules.start(self.seats, self.options)
        except RuleError as refused:
            return phrase("{why}: MENU", why=refused.why)
        return ""

    def key_bindings(self) -> Actions[B]:
        return {Key.OK: self.begin, Key.DRAW: self.swap, Key.MENU: self.change, Key.BACK: self.back}

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Draws the seats around a table, the order in words, and who pays whom."""
        clockwise, order = view.games[self.game].rules.clockwise, turn_order(self.seats.order)
        _draw_seats(canvas, self.seats, clockwise=clockwise)
        second, chips = self.seats.order[1], self._chips_at_start(view)
        says: str = (
            phrase("Turns go clockwise: {turn_order}.", turn_order=order)
            if clockwise
            else phrase("Turns go counter-clockwise: {turn_order}.", turn_order=order)
        )
        says = self._why_not(view) or says
        if chips is not None:
            payer, colours = chips.payer_of(second), self._colours(view)
            if any(seat != colour for seat, colour in colours.items()):
                named = listed(_seat_with_colour(seat, colour) for seat, colour in colours.items())
                says = phrase("Clockwise: {named}.", named=named)
            pays = phrase(
                "{second} scores: {payer} pays.",
                second=display_name(second),
                payer=display_name(payer).upper(),
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
    """Returns the question whether two players with similar names are the same person."""
    one, other = map(display_name, pair)
    answers: Items[B] = (
        (phrase("Two people: begin"), lambda view, _list: replace(table, two=True).begin(view)),
        (phrase("One: other names"), lambda _view, _list: Outcome(table.parent or table)),
    )
    return choose(phrase("{one}, {other}: one?", one=one, other=other), answers, table)


def _seat_with_colour(seat: Seat, colour: str) -> str:
    """Returns a seat with the colour of its chips, “Anna green”, unless that is its name."""
    return (
        display_name(seat) if seat == colour else listed((display_name(seat), colour.lower()), " ")
    )


def next_order(seats: Seats) -> Seats:
    """Returns the next turn order, with the same seat first; with two seats, the other one is
    first."""
    first, *rest = seats.order
    if len(rest) == 1:
        return Seats((rest[0], first))
    swapped = [*rest]
    if len(rest) == 2:
        swapped.reverse()
    else:
        at = _pair_to_swap(seats)
        swapped[at], swapped[at + 1] = swapped[at + 1], swapped[at]
    return Seats((first, *swapped))


def _pair_to_swap(seats: Seats) -> int:
    """Returns which two neighbours after the first seat to swap next, as the index of the first of
    the two. Four seats go through all six orders if the first pair and the last pair are swapped
    alternately. Which of them is next depends on whether the number of pairs that are out of
    alphabetical order is even."""
    rest = seats.order[1:]
    ranks = sorted(rest)
    turns = sum(ranks.index(a) > ranks.index(b) for n, a in enumerate(rest) for b in rest[n:])
    return turns % 2 if len(rest) == 3 else turns % (len(rest) - 1)


PLACES = {2: ("w", "e"), 3: ("w", "n", "e"), 4: ("s", "w", "n", "e")}
"""The places of the seats in the drawing, clockwise seen from above."""
TABLE_X, TABLE_Y, TABLE_WIDTH, TABLE_HEIGHT = 52, 8, 24, 8


def _draw_seats(canvas: Canvas, seats: Seats, *, clockwise: bool) -> None:
    """Draws a small table with the numbered names around it; more than four seats as a list of
    names, two per line."""
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
    """The list of house rules: OK changes one."""

    table: ShowTable[B] | None = None

    hint: ClassVar = phrase("OK: change  BACK: table")

    def title(self, _view: View[B]) -> str:
        return phrase("House rules")

    def _game_rules(self, view: View[B]) -> AnyGame:
        return view.games[self._table_screen.game].rules

    @property
    def _table_screen(self) -> ShowTable[B]:
        assert self.table is not None, "options belong to a table"
        return self.table

    def lines(self, view: View[B]) -> tuple[str, ...]:
        options, seats = self._game_rules(view).options, len(self._table_screen.seats)
        return tuple(
            rule.sentence for rule in agreed_rules(options, seats, self._table_screen.options)
        )

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        option = self._game_rules(view).options[at]
        choices = option.choices(len(self._table_screen.seats))
        value = self._table_screen.options[option.name]
        place = choices.index(value) if value in choices else 0
        here = replace(self, at=at)
        return Outcome(ChooseValue(at=place, options=here, option=option))

    def with_value(self, view: View[B], name: str, value: Value) -> "ChooseOptions[B]":
        """Returns this list after one option was changed; a named set of rules changes all others
        with it."""
        values = {**self._table_screen.options, name: value}
        if name == SET:
            rules, number = self._game_rules(view).options, len(self._table_screen.seats)
            values = values_in_set(rules, number, value, self._table_screen.options)
        return replace(self, table=replace(self._table_screen, options=values))

    def back(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.table)


@dataclass(frozen=True, slots=True)
class ChooseValue(ListScreen[B]):
    """Lists one option's values, and below them what the option means. A number is chosen by keying
    it, not by the digit of its line. `keyed`: the digits so far."""

    options: ChooseOptions[B] | None = None
    option: Option | None = None
    keyed: str = ""

    digits: ClassVar = range(10)
    rows: ClassVar = 4

    @property
    def pending(self) -> bool:
        return bool(self.keyed)

    def _options_and_values(self) -> tuple[ChooseOptions[B], Option, tuple[Value, ...]]:
        """Returns the list of options, the option, and its values."""
        assert self.options is not None, "a value belongs to the options"
        assert self.options.table is not None, "options belong to a table"
        assert self.option is not None, "a value belongs to an option"
        return self.options, self.option, self.option.choices(len(self.options.table.seats))

    def title(self, _view: View[B]) -> str:
        _, option, _ = self._options_and_values()
        return option.label or option.name

    def lines(self, _view: View[B]) -> tuple[str, ...]:
        _, option, values = self._options_and_values()
        return tuple(option.value_in_words(value) for value in values)

    def keyable_digits(self, view: View[B]) -> tuple[int, ...]:
        """Returns the digits of the list's lines; () if some of the values are numbers."""
        _, _, values = self._options_and_values()
        return (
            ()
            if any(isinstance(value, int) for value in values)
            else ListScreen.keyable_digits(self, view)
        )

    def digit(self, view: View[B], digit: int) -> Outcome[B]:
        """Among numbers, a digit moves the bar to the first one that starts with the digits keyed.
        A number keyed in full is chosen at once, unless a longer one starts with it."""
        if self.keyable_digits(view):
            return ListScreen.digit(self, view, digit)
        numbers = [str(value) for value in self._options_and_values()[2]]
        for keyed in (f"{self.keyed}{digit}", str(digit)):
            found = [at for at, number in enumerate(numbers) if number.startswith(keyed)]
            if len(found) == 1 and numbers[found[0]] == keyed:
                return self.chosen(view, found[0])
            if found:
                return Outcome(replace(self, at=found[0], keyed=keyed))
        return Outcome(self)

    def move(self, view: View[B], step: int) -> Outcome[B]:
        return ListScreen.move(replace(self, keyed=""), view, step)

    def current_hint(self, view: View[B]) -> str:
        """Returns the hint in the lowest line."""
        if self.keyable_digits(view):
            return ListScreen.current_hint(self, view)
        _, _, values = self._options_and_values()
        all_keyed = all(isinstance(value, int) for value in values)
        return phrase("Key it, or OK. BACK") if all_keyed else phrase("Key it. DRAW ↓ PASS ↑ OK")

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Draws the values, and what the option means below them."""
        ListScreen.draw(self, view, canvas)
        meaning = canvas.wrapped(self._options_and_values()[1].meaning, WIDTH - 4)[:2]
        for row, line in enumerate(meaning):
            canvas.text(2, 56 - 8 * (len(meaning) - row), line)

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        options, option, values = self._options_and_values()
        return Outcome(options.with_value(view, option.name, values[at]))

    def back(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.options)


# ---------------------------------------------------------------- names


LETTERS_BY_DIGIT = {
    2: "ABC", 3: "DEF", 4: "GHI", 5: "JKL", 6: "MNO", 7: "PQRS", 8: "TUV", 9: "WXYZ", 0: "_",
}  # fmt: skip
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MAX_NAME_LENGTH = 10


@dataclass(frozen=True, slots=True)
class NameSeat(ListScreen[B]):
    """Prompts for the player at this seat: one of the names used before, or a new one. MENU on a
    name corrects or removes it. `named`: the seats named so far; `parent`: the previous question,
    with its answer."""

    game: str = ""
    number: int = 2
    named: tuple[str, ...] = ()

    def title(self, _view: View[B]) -> str:
        return (
            phrase("Left of {named}?", named=display_name(self.named[-1]))
            if self.named
            else phrase("Who sits first?")
        )

    @property
    def spell_title(self) -> str:
        """The line above the name while it is spelled."""
        return phrase("Name of seat {number}", number=len(self.named) + 1)

    def lines(self, view: View[B]) -> tuple[str, ...]:
        return (phrase("Spell a name"), *map(display_name, self._names_to_offer(view)))

    def current_hint(self, view: View[B]) -> str:
        scrolls = self.count(view) > self.rows
        return "DRAW ↓ PASS ↑ OK MENU" if scrolls else phrase("OK, BACK. MENU: correct")

    def _names_to_offer(self, view: View[B]) -> tuple[str, ...]:
        game = view.games[self.game].rules
        return tuple(
            name for name in view.names if name not in self.named and not name_fault(name, game)
        )

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        if at == 0:
            return Outcome(SpellName(self))
        return self.take(view, self._names_to_offer(view)[at - 1], replace(self, at=at))

    def opened(self, view: View[B]) -> Screen[B]:
        """Returns this list or, if there is no name to choose, the screen to spell one."""
        return self if self._names_to_offer(view) else SpellName(self)

    def before(self, view: View[B]) -> Screen[B] | None:
        """Returns the screen to which BACK leads from spelling a name: this list or, if there is no
        name to choose, the previous question."""
        return self if self._names_to_offer(view) else self.parent

    def take(self, view: View[B], name: str, question: Screen[B]) -> Outcome[B]:
        """Gives this seat the name, and goes on to the next seat or to the table, from where BACK
        leads to `question`."""
        named = (*self.named, name)
        if len(named) < self.number:
            return Outcome(replace(self, at=0, named=named, parent=question).opened(view))
        options = default_options(view, self.game, self.number)
        return Outcome(ShowTable(self.game, Seats.of(*named), options, parent=question))

    def edit_name(self, view: View[B]) -> Outcome[B]:
        """MENU asks whether to correct the name under the bar, or to remove it from the list."""
        at = min(self.at, self.count(view) - 1)
        if at == 0:
            return Outcome(
                self, refused=phrase("Go to a name with DRAW: MENU corrects or removes it.")
            )
        name, here = self._names_to_offer(view)[at - 1], replace(self, at=at)
        lines: Items[B] = (
            (
                phrase("Correct it"),
                lambda _view, _list: Outcome(SpellName(here, name.upper(), instead_of=name)),
            ),
            (
                phrase("Remove it"),
                lambda view, _list: Outcome(replace(self, at=0), _removal_of(view, name)),
            ),
        )
        return Outcome(choose(display_name(name), lines, here))

    def key_bindings(self) -> Actions[B]:
        return {**ListScreen.key_bindings(self), Key.MENU: self.edit_name}


def _removal_of(view: View[B], name: str) -> Setting:
    return Setting(removal_setting(name), view.newest_game)


@dataclass(frozen=True, slots=True)
class SpellName(RefusingScreen[B]):
    """Spells a name with the digit keys. Pressing a key again shows its next letter, and DRAW ends
    a letter. On a joystick, up and down go through the alphabet, and right ends the letter. No
    clock is needed. `instead_of`: the earlier name that is corrected; empty if there is none."""

    seat: NameSeat[B]
    done: str = ""
    """The letters that are fixed."""
    letter: str = ""
    """The letter being chosen."""
    instead_of: str = ""

    digits: ClassVar = range(10)
    takes_letters: ClassVar = True

    def depends_on(self, view: View[B]) -> object:
        """Returns what the screen `seat` depends on, because the name is the answer to its
        question."""
        return self.seat.depends_on(view)

    @property
    def pending(self) -> bool:
        return bool(self.done or self.letter)

    @property
    def name(self) -> str:
        """The name spelled so far; each word has a capital followed by small letters."""
        return "_".join(word.capitalize() for word in (self.done + self.letter).split("_"))

    def digit(self, _view: View[B], digit: int) -> Outcome[B]:
        """Begins another letter, or changes to the next one of the same key."""
        letters = LETTERS_BY_DIGIT.get(digit, "")
        if not letters:
            return Outcome(self)
        if self.letter and self.letter in letters and len(letters) > 1:
            following = letters[(letters.index(self.letter) + 1) % len(letters)]
            return Outcome(replace(self, letter=following, why_not=None))
        return self._begin_letter(letters[0])

    def _begin_letter(self, letter: str) -> Outcome[B]:
        done = self.done + self.letter
        if len(done) >= MAX_NAME_LENGTH or (letter == "_" and not done):
            return Outcome(self)
        return Outcome(replace(self, done=done, letter=letter, why_not=None))

    def typed(self, letter: str) -> "SpellName[B]":
        """Returns this screen after a letter or a space was typed on a keyboard; other characters
        are ignored."""
        sign, done = letter.upper().replace(" ", "_"), self.done + self.letter
        fits = (
            len(sign) == 1
            and len(done) < MAX_NAME_LENGTH
            and (sign.isalpha() or (sign == "_" and done))
        )
        return replace(self, done=done + sign, letter="", why_not=None) if fits else self

    def turn(self, _view: View[B], step: int = 1) -> Outcome[B]:
        """UP shows the next letter of the alphabet; DOWN, with a `step` of -1, the previous one."""
        if not self.letter:
            return self._begin_letter(ALPHABET[0] if step > 0 else ALPHABET[-1])
        place = ALPHABET.find(self.letter) + step
        return Outcome(replace(self, letter=ALPHABET[place % len(ALPHABET)], why_not=None))

    def _turn_back(self, view: View[B]) -> Outcome[B]:
        return self.turn(view, -1)

    def fix(self, _view: View[B]) -> Outcome[B]:
        """DRAW or RIGHT ends this letter; the next key begins another."""
        return Outcome(replace(self, done=self.done + self.letter, letter=""))

    def repeats(self, _view: View[B]) -> frozenset[Key]:
        return frozenset((Key.UP, Key.DOWN))

    def handle_ok(self, view: View[B]) -> Outcome[B]:
        """OK gives the seat this name, or shows why it can't have it."""
        name = known_spelling(self.name.strip("_"), (*self.seat.named, *view.names))
        if not name:
            return self.refuse(phrase("Key a name first."))
        if fault := name_fault(name, view.games[self.seat.game].rules):
            return self.refuse(fault.why)
        if name in self.seat.named:
            return self.refuse(
                phrase("{name} is already playing: give each seat its own name.", name=name)
            )
        taken = self.seat.take(view, name, SpellName(self.seat, self.done + self.letter))
        wrong = self.instead_of not in ("", name)
        return replace(taken, row=_removal_of(view, self.instead_of)) if wrong else taken

    def back(self, view: View[B]) -> Outcome[B]:
        """BACK deletes the last letter; without letters, leads to the list of names or, if that has
        none, to the previous question."""
        if not self.done and not self.letter:
            return Outcome(self.seat.before(view))
        return Outcome(replace(self, done=(self.done + self.letter)[:-1], letter=""))

    def key_bindings(self) -> Actions[B]:
        return {
            Key.OK: self.handle_ok,
            Key.BACK: self.back,
            Key.DRAW: self.fix,
            Key.UP: self.turn,
            Key.DOWN: self._turn_back,
            Key.RIGHT: self.fix,
        }

    def draw(self, _view: View[B], canvas: Canvas) -> None:
        """Draws the name large, and which key has which letters."""
        draw_title(canvas, self.seat.spell_title)
        text = f"{self.name}_" if not self.letter else self.name
        canvas.text(2, 12, canvas.capitals(text, WIDTH, "caps"), "caps")
        for number, row in enumerate(("      2ABC   3DEF", "4GHI   5JKL   6MNO",
                                      "7PQRS  8TUV  9WXYZ")):  # fmt: skip
            canvas.text(2, 32 + 8 * number, row)
        canvas.text(2, 56, phrase("DRAW: next  0: space  OK"))
        self.draw_why_not(canvas)


# ---------------------------------------------------------------- first steps


@dataclass(frozen=True, slots=True)
class ChooseGame(ListScreen[B]):
    """Asks which game to play: the first screen of a box without a game. `begun`: whether later
    questions were already answered."""

    begun: bool = False
    warned: bool = False
    """Whether BACK was pressed here, and has shown where it leads."""

    digits: ClassVar = range(10)

    def title(self, _view: View[B]) -> str:
        return phrase("Which game?")

    def lines(self, view: View[B]) -> tuple[str, ...]:
        """Returns the games, the way back, and last the other languages, for people who can't read
        this one."""
        games = (game.rules.title for game in view.games.values())
        return (*games, *self._way_out_lines(view), other_languages(view))

    def keyable_digits(self, view: View[B]) -> tuple[int, ...]:
        return (*range(1, self.count(view)), 0)

    def current_hint(self, view: View[B]) -> str:
        """Returns the bottom line: what the keys do or, on a new box, the other languages, for
        people who can't read this one."""
        if view.journal is None and LANGUAGE not in view.settings:
            return f"0 {other_languages(view)}"
        return ListScreen.current_hint(self, view)

    def _way_out_lines(self, view: View[B]) -> tuple[str, ...]:
        """Returns the line for leaving the set-up: to the game, once a later question was answered,
        or to one that was taken back; () if there is neither."""
        if view.journal is None:
            return ()
        if view.journal.withdrawn:
            return (phrase("Bring the game back"),)
        return (phrase("Back to the game"),) if self.begun else ()

    def keys(self, view: View[B]) -> tuple[Key, ...]:
        keys = ListScreen.keys(self, view)
        return (*keys, Key.MENU) if view.phones else keys

    def press(self, view: View[B], key: Key) -> Outcome[B]:
        """MENU shows how phones connect, because there is no menu before the first game."""
        if key is Key.MENU and view.phones:
            return Outcome(ShowPhones())
        return ListScreen.press(self, view, key)

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        names = list(view.games)
        if at < len(names):
            here = replace(self, at=at, begun=True, warned=False)
            return Outcome(ChoosePlayers(game=names[at], parent=here))
        if at == self.count(view) - 1:
            return choose_language(view, replace(self, at=at))
        taken_back = view.journal is not None and view.journal.withdrawn
        return Outcome(None, Redo()) if taken_back else Outcome(self.parent)

    def back(self, view: View[B]) -> Outcome[B]:
        """BACK leaves the set-up. If later questions were already answered, the first BACK only
        shows where the next one leads, because a player who goes back through the questions doesn't
        want to end up in the previous game. If that game was taken back, BACK only names the line
        that restores it."""
        if not self.begun or self.warned or not self._way_out_lines(view):
            return Outcome(self.parent)
        if view.game.withdrawn:
            way = phrase("{line}: bring the game back.", line=self.count(view) - 1)
            return Outcome(self, refused=way)
        return Outcome(replace(self, warned=True), refused=phrase("BACK again: back to the game."))


@dataclass(frozen=True, slots=True)
class ChoosePlayers(ListScreen[B]):
    """Asks how many play. The digit is the number itself."""

    game: str = ""

    numbered: ClassVar = False

    def title(self, _view: View[B]) -> str:
        return phrase("How many players?")

    def lines(self, view: View[B]) -> tuple[str, ...]:
        return tuple(
            phrase("{number} players", number=number)
            for number in view.games[self.game].rules.players
        )

    def digit(self, view: View[B], digit: int) -> Outcome[B]:
        players = view.games[self.game].rules.players
        return self.chosen(view, players.index(digit)) if digit in players else Outcome(self)

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        number = view.games[self.game].rules.players[at]
        here = ChoosePlayers(at=at, game=self.game, parent=self.parent)
        return Outcome(ChooseSeats(game=self.game, number=number, parent=here))


@dataclass(frozen=True, slots=True)
class ChooseSeats(ListScreen[B]):
    """Asks whether seats are named by the colours of their chips, or by players' names."""

    game: str = ""
    number: int = 2

    def title(self, _view: View[B]) -> str:
        return phrase("Who plays?")

    def lines(self, _view: View[B]) -> tuple[str, ...]:
        colours = _colour_names(self.number)
        some = listed(colours[:4], " ")
        shown = listed((some, "…"), "") if len(colours) > 4 else some
        return (shown, phrase("By names"))

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        here = ChooseSeats(at=at, game=self.game, number=self.number, parent=self.parent)
        if at == 0:
            seats = Seats.of(*_colour_names(self.number))
            options = default_options(view, self.game, self.number)
            return Outcome(ShowTable(self.game, seats, options, parent=here))
        named = NameSeat(game=self.game, number=self.number, parent=here)
        return Outcome(named.opened(view))


def _colour_names(number: int) -> tuple[str, ...]:
    more = tuple(f"Seat{seat}" for seat in range(9, number + 1))
    return (*COLOURS, *MORE_COLOURS, *more)[:number]


def set_up_again(opened: GameOpened) -> Screen[B]:
    """Returns the set-up's table for a game that was set up and then taken back. BACK leads from it
    through the questions, with their earlier answers."""
    names = opened.seats.order
    first: Screen[B] = ChooseGame(begun=True)
    players = ChoosePlayers(game=opened.game, parent=first)
    colours = names == _colour_names(len(names))
    asked: Screen[B] = ChooseSeats(
        at=int(not colours), game=opened.game, number=len(names), parent=players
    )
    for number in range(0 if colours else len(names)):
        seat = NameSeat(game=opened.game, number=len(names), named=names[:number], parent=asked)
        asked = SpellName(seat, names[number].upper())
    return ShowTable(opened.game, opened.seats, opened.options, parent=asked)


class SetUp(Play[B]):
    """The Play used when there is no game: one screen, which leads to all others of the set-up."""

    def screen(self, _view: View[B]) -> Screen[B]:
        return ChooseGame()


SET_UP: Play[object] = SetUp()
