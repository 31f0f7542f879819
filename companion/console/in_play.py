"""Base classes for screens of play. They take the possible entries, their keys and their seats from
presentation/keys.py, as the web pages do."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.screen import (
    Actions,
    DigitScreen,
    Outcome,
    Screen,
    View,
    keep,
    numbered,
    scores_of,
    try_entry,
)
from companion.console.screens.changes import offer_undo
from companion.core.errors import RuleError
from companion.core.keys import Key, Press
from companion.core.seats import Seat, display_name
from companion.core.values import dataclass
from companion.core.words import counted, listed, phrase
from companion.games.entries import HoldingShown, PipsShown, WentOut
from companion.games.game import B, Entry, State
from companion.presentation.keys import Act, OpenEntry
from companion.record.rows import Amend, Setting

COLUMN, SECOND = 60, 66
"""The width of a seat's column in pixels, and the x of the second column."""
FIRST_SCORES = {2: 7, 3: 6, 4: 6, 5: 5, 6: 5, 7: 4, 8: 4}
"""The display page on which the scores begin, for each number of seats, with two seats per line."""


def tiles_asked(view: View[B]) -> int:
    """Returns the number of tiles to enter; the screen is shown only if there is such a number."""
    tiles = view.expected_entry.collects
    assert tiles is not None and tiles.number, "a number of tiles is asked for"
    return tiles.number


ActsByName = Mapping[str, Sequence[Act]]


def acts_by_name(view: View[B]) -> ActsByName:
    """Returns all acts that can be keyed now, by name. Looking up an unknown name gives an empty
    list."""
    found = defaultdict[str, list[Act]](list)
    for act in view.game_keys.acts(view.game.game, view.state, view.settings):
        found[act.name].append(act)
    return found


def acts_now(view: View[B], *names: str) -> tuple[Act, ...]:
    """Returns the acts with one of these names that can be keyed now."""
    found = view.game_keys.acts(view.game.game, view.state, view.settings)
    return tuple(act for act in found if act.name in names)


def opened(view: View[B], entry: Entry, *, begun: bool = True) -> OpenEntry | RuleError:
    """Returns the entry that OK would store together with its open questions, or why it is refused.
    `begun`: whether only the first part of the entry is keyed, so that the rest still has to be
    chosen."""
    try:
        return view.game_keys.open(view.game.game, view.state, entry, begun)
    except RuleError as refused:
        return refused


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayScreen(DigitScreen[B]):
    """A screen of play: OK stores an entry, BACK without digits offers to take back the last
    one."""

    shows_table: ClassVar = True
    is_turn: ClassVar = True
    most: ClassVar = 0

    def keyable_digits(self, _view: View[B], /) -> range:
        """Returns the digits that can be keyed now."""
        return self.digits

    def keys(self, view: View[B]) -> tuple[Key, ...]:
        """Returns the digits, the other keys of the screen, and the menu."""
        menu = (Key.MENU,) if self.shows_table else ()
        used = (key for key in self.key_bindings() if key not in self.only_explained)
        return (*(Key(str(digit)) for digit in self.keyable_digits(view)), *used, *menu)

    def enter(self, view: View[B], entry: Entry) -> Outcome[B]:
        """Stores the entry, or shows over this screen why it is refused."""
        after = try_entry(view, entry)
        return self.refuse(after.why) if isinstance(after, RuleError) else keep(entry)

    def leave(self, view: View[B]) -> Outcome[B]:
        """BACK without digits offers to take back the last entry."""
        return offer_undo(view, replace(self, why_not=None))


@dataclass(frozen=True, slots=True)
class AskSeat(PlayScreen[B]):
    """Prompts for the seat that leads the hand, or whose turn it is, if the record doesn't know it.
    The answer is a seat's digit, or OK on its own keypad. `head`: the question; `lines`: how the
    players decide it; `turn`: the function that returns the screen of a seat's turn."""

    head: str
    lines: tuple[str, str]
    turn: Callable[[View[B], Seat], Screen[B]]

    digits: ClassVar = range(1, 9)
    is_turn: ClassVar = False
    only_explained: ClassVar = frozenset({Key.DRAW, Key.PASS})

    def keyable_digits(self, view: View[B]) -> range:
        return range(1, 1 + len(view.state.seats))

    def digit(self, view: View[B], digit: int) -> Outcome[B]:
        seats = view.state.seats.order
        return self._choose_seat(view, seats[digit - 1]) if digit <= len(seats) else Outcome(self)

    def handle_press(self, view: View[B], press: Press) -> Outcome[B]:
        """OK on a seat's own keypad chooses that seat. Other keys work as on the box."""
        mine = press.key is Key.OK and self.why_not is None
        if mine and press.seat is not None and press.seat in view.state.seats:
            return self._choose_seat(view, press.seat)
        return self.press(view, press.key)

    def _choose_seat(self, view: View[B], seat: Seat) -> Outcome[B]:
        leads = {act.seat: act.entry for act in acts_now(view, "deal-lead")}
        if seat in leads:
            return self.enter(view, leads[seat])
        return Outcome(self.turn(view, seat))

    def handle_ok(self, view: View[B]) -> Outcome[B]:
        """OK on the box, DRAW and PASS name no seat, so they show a prompt for a seat's digit."""
        seats = (numbered(number, seat) for number, seat in enumerate(view.state.seats, 1))
        return Outcome(self, refused=phrase("{head} {seats}", head=self.head, seats=listed(seats)))

    def key_bindings(self) -> Actions[B]:
        return {**PlayScreen.key_bindings(self), Key.DRAW: self.handle_ok, Key.PASS: self.handle_ok}

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Draws the question, how the players decide it, and the seats with their digits."""
        canvas.text(0, 0, canvas.language.translate(self.head).upper(), "caps")
        for row, line in enumerate(self.lines, 2):
            canvas.text(0, 8 * row, line)
        draw_seats(canvas, view.state, numbered=True)
        self.draw_why_not(canvas)


@dataclass(frozen=True, slots=True)
class NextDeal(PlayScreen[B]):
    """The screen after a hand, when the leader of the next one is known: OK deals it. Each game has
    a subclass that draws this screen."""

    digits: ClassVar = range(0)
    hand_is_over: ClassVar = True
    only_explained: ClassVar = frozenset({Key.DRAW, Key.PASS})

    def handle_ok(self, view: View[B]) -> Outcome[B]:
        (deal,) = acts_now(view, "deal")
        return keep(deal.entry)

    def too_early(self, _view: View[B]) -> Outcome[B]:
        """Refuses DRAW and PASS, because no hand has been dealt."""
        return Outcome(self, refused=phrase("The next hand is not dealt yet: OK deals it."))

    def key_bindings(self) -> Actions[B]:
        return {**PlayScreen.key_bindings(self), Key.DRAW: self.too_early, Key.PASS: self.too_early}


@dataclass(frozen=True, slots=True)
class AskWhetherOut(PlayScreen[B]):
    """Asks whether a seat is out, because only the counted tiles suggest it, and a draw may have
    been forgotten. OK confirms that the seat is out; DRAW inserts the forgotten draw. Each game has
    a subclass that draws this screen."""

    seat: Seat

    def only_seat(self, _view: View[B]) -> Seat:
        """Returns the seat in question, the only one that may answer. A player who presses OK or
        DRAW on another keypad means it for the next turn."""
        return self.seat

    def keyable_digits(self, _view: View[B]) -> range:
        return range(0)

    def digit(self, _view: View[B], _digit: int) -> Outcome[B]:
        """Refuses the digits of the next tile until the question is answered."""
        text = phrase(
            "First: is {seat} out? OK: yes. DRAW: a draw was forgotten.",
            seat=display_name(self.seat),
        )
        return Outcome(self, refused=text)

    def handle_ok(self, _view: View[B]) -> Outcome[B]:
        return keep(WentOut(self.seat))

    def forgotten(self, view: View[B]) -> Outcome[B]:
        """DRAW inserts the forgotten draw; refused if the seat has a draw in each of its turns."""
        for draw in view.game_keys.insertions(view.game):
            return Outcome(None, Amend(draw.at or 0, (draw.entry,), insert=True))
        text = phrase(
            "{seat} drew in each turn. BACK: take the last play back.", seat=display_name(self.seat)
        )
        return Outcome(self, refused=text)

    def key_bindings(self) -> Actions[B]:
        return {**PlayScreen.key_bindings(self), Key.DRAW: self.forgotten}


def draw_seats(canvas: Canvas, state: State[B], *, numbered: bool = False) -> int:
    """Draws the seats in the lowest lines, two per line, each with its points or, if `numbered`,
    its digit; winners are inverted. Returns the page of the first of these lines."""
    top = FIRST_SCORES[len(state.seats)]
    for number, (name, points) in enumerate(scores_of(state)):
        x, y = number % 2 * SECOND, 8 * (top + number // 2)
        if numbered:
            canvas.text(x, y, f"{number + 1} {canvas.language.translate(name)}", room=COLUMN)
        else:
            start = canvas.right(x + COLUMN, y, str(points))
            canvas.text(x, y, name, room=start - x - 3)
        if state.seats.order[number] in state.winners:
            canvas.invert(x, y // 8, COLUMN + 1)
    return top


# ---------------------------------------------------------------- holding


MAX_TILES_IN_LINE = 5
"""The tiles that fit into one small line."""


@dataclass(frozen=True, slots=True)
class KeyedHolding(PlayScreen[B]):
    """Asks what a seat holds: its tiles, keyed as two halves each, or their pips as one number;
    then OK."""

    seat: Seat

    hand_is_over: ClassVar = True
    as_tiles: ClassVar[type[HoldingShown]] = HoldingShown
    as_pips: ClassVar[type[PipsShown]] = PipsShown
    """The classes of the entries for keyed tiles and for keyed pips."""

    def only_seat(self, _view: View[B]) -> Seat:
        return self.seat

    def by_tiles(self, view: View[B]) -> bool:
        """Returns whether tiles are keyed, not pips, according to the setting `holding`."""
        return view.settings.get("holding", "tiles") == "tiles"

    def complete_tiles(self) -> HoldingShown:
        """Returns an entry with the tiles whose two halves are both keyed."""
        pairs = zip(self.keyed[::2], self.keyed[1::2], strict=False)
        tiles = (self.as_tiles.tile_set.tile(one, other) for one, other in pairs)
        return self.as_tiles(self.seat, tuple(tiles))

    def handle_ok(self, view: View[B]) -> Outcome[B]:
        """OK completes the holding. Refused if something is missing or wrong."""
        entry = self.entry(view)
        if isinstance(entry, str):
            return self.refuse(entry)
        after = try_entry(view, entry)
        return (
            self.refuse(after.why)
            if isinstance(after, RuleError)
            else self.confirm(view, entry, after)
        )

    def confirm(self, view: View[B], entry: Entry, after: State[B], /) -> Outcome[B]:
        """Stores the holding, or asks for confirmation first if it is doubtful. `after`: the state
        that the entry leads to."""
        raise NotImplementedError

    def other_way(self, view: View[B]) -> Outcome[B]:
        """DRAW changes the setting `holding` from tiles to pips, or back."""
        way = "pips" if self.by_tiles(view) else "tiles"
        return Outcome(self.with_digits(()), Setting("holding", way))

    def key_bindings(self) -> Actions[B]:
        return {**PlayScreen.key_bindings(self), Key.DRAW: self.other_way}

    def entry(self, view: View[B]) -> Entry | str:
        """Returns the keyed digits as an entry, or a sentence about what is missing or wrong."""
        if not self.by_tiles(view):
            if not self.keyed:
                return phrase("Key the pips left in hand; 0 for none.")
            most = self.as_tiles.tile_set.pips
            if self.number > most:
                return phrase("The whole set has {pips} pips.", pips=most)
            return self.as_pips(self.seat, self.number)
        if not self.keyed:
            return phrase("Key each tile by its two halves. None at all: DRAW, then 0.")
        if len(self.keyed) % 2:
            return phrase("The last tile has one half only: key the other one.")
        held = self.complete_tiles()
        return keyed_twice(held.tiles, self.called) or held

    def called(self, tile: str) -> str:
        """Returns the name of `tile` for the message that it is keyed twice."""
        return tile


def keyed_twice(tiles: Sequence[object], called: Callable[[str], str] = str) -> str:
    """Returns the message that a tile is keyed twice, with its name from `called`; empty if none
    is."""
    twice = next((tile for tile in tiles if tiles.count(tile) > 1), None)
    if twice is None:
        return ""
    name = called(str(twice))
    return phrase("{name} is keyed twice: a set has only one.", name=name)


def miscounted(seat: Seat, held: int, keyed: int) -> str:
    """Returns the doubt to show: the record says that the seat holds `held` tiles, but `keyed` were
    keyed."""
    by = phrase(
        "{seat} should hold {held} by the tiles laid and drawn", seat=display_name(seat), held=held
    )
    are = counted("1 is keyed", "{number} are keyed", keyed)
    return phrase("{by}; {keyed}.", by=by, keyed=are)


def blocked_question(left: int) -> str:
    """Returns the question whether a hand is really blocked although `left` tiles can still be
    drawn."""
    tiles = counted("1 tile is", "{number} tiles are", left)
    return phrase("By the count {tiles} left to draw. Can nobody play at all?", tiles=tiles)


def tile_lines(
    keyed: Sequence[int], names: Sequence[str], *, hidden: bool = False
) -> tuple[str, ...]:
    """Returns the tiles as small lines; if they take more than two, only the last two. An
    unfinished tile ends in _. `names`: the halves' names; `hidden`: whether to show a dot in place
    of each half."""
    if not keyed:
        return ("_",)
    whole = ("●" if hidden else names[half] for half in keyed)
    halves = [*whole, *["_"] * (len(keyed) % 2)]
    join = "" if hidden else "-"
    tiles = [f"{a}{join}{b}" for a, b in zip(halves[::2], halves[1::2], strict=True)]
    first = max(0, (len(tiles) - 1) // MAX_TILES_IN_LINE - 1) * MAX_TILES_IN_LINE
    return tuple(
        "  ".join(tiles[at : at + MAX_TILES_IN_LINE])
        for at in range(first, len(tiles), MAX_TILES_IN_LINE)
    )
