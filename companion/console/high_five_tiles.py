"""The screens of High Five! with tiles: the card with the points, the turns, the menu.

A turn is keyed as the combination, how many of its tiles are new, then OK. The ladder is always on
the screen, with the keyed combination inverted, so that a key changes little of the picture. PASS
is for a player who can't complete a row and plays a single tile. On a page a row can also be
entered by its cards; the box has no keys for suits."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import ClassVar

from companion.console.frame import WIDTH, Canvas
from companion.console.in_play import AskSeat, PlayScreen, acts_now, opened
from companion.console.layout import draw_question, draw_scores
from companion.console.lists import submenu
from companion.console.screen import (
    Actions,
    DigitScreen,
    Item,
    MakeTable,
    Outcome,
    Play,
    Screen,
    View,
    scores_of,
    try_entry,
)
from companion.console.screens.confirm import item_asking_first
from companion.console.screens.game_over import GameOver, LastPayment
from companion.console.screens.set_up import begin
from companion.core.errors import RuleError
from companion.core.keys import DIGITS, Key
from companion.core.seats import Seat, display_name
from companion.core.values import dataclass
from companion.core.words import counted, listed, phrase
from companion.games.game import Entry, Payment, State
from companion.games.high_five_tiles.combinations import Combination
from companion.games.high_five_tiles.entries import RowCompleted, SingleTilePlayed
from companion.games.high_five_tiles.rules import (
    OUT_FIRST,
    POINTS,
    HighFiveTiles,
    HighFiveTilesBoard,
)
from companion.games.house_rules import Option, Value
from companion.games.round import RoundNotice
from companion.presentation.high_five_tiles import (
    HIGH_FIVE_TILES_KEYS,
    entry_in_short,
    reason_in_short,
)
from companion.presentation.keys import Act
from companion.record.journal import ChangeKind, ChangeSummary
from companion.record.rows import GameOpened, Setting
from companion.record.settings import option_setting

# ---------------------------------------------------------------- ladder
# The ladder of combinations in two columns, as the screens of this game show it. The chosen
# combination is inverted.


LADDER = tuple(Combination)
"""The combinations from the lowest to the highest."""
HIGH_FIVE = len(LADDER) - 1
KEYS: Mapping[Key, int] = MappingProxyType(dict(zip((*DIGITS, Key.BOGUS), range(11), strict=True)))
"""The index in LADDER of the combination for each key."""
SHORT: Mapping[Combination, str] = MappingProxyType({Combination.THREE_OF_A_KIND: phrase("three")})
"""Short names for the narrow columns; elsewhere the combinations have their full names."""

ROWS, RIGHT_X = 6, 55
"""The lines of the ladder, and the x at which its right half begins."""
CELL_X, CELL_PAGE = RIGHT_X, 6
"""The x and the page of the free place at the end of the right column."""


def place_of(number: int) -> tuple[int, int, int]:
    """Returns the x, the page and the width in pixels of a place of the ladder. The place after the
    last combination is the free one."""
    x, width = (0, RIGHT_X - 1) if number < ROWS else (RIGHT_X, WIDTH - RIGHT_X)
    return x, 1 + number % ROWS, width


def short_label(combination: Combination) -> str:
    """Returns the combination's name for the narrow column."""
    return SHORT.get(combination, combination.words)


def draw_ladder(canvas: Canvas, text: Callable[[int], str], lit: int | None) -> None:
    """Draws the ladder. `text` returns the line for each place; the place `lit` is inverted as far
    as its line goes."""
    for number in range(len(LADDER)):
        x, page, width = place_of(number)
        line = canvas.fitted(text(number), width)
        canvas.text(x + 1, 8 * page, line)
        if number == lit:
            canvas.invert(x, page, min(canvas.width(line) + 2, WIDTH - x))


@cache
def key_and_name(number: int) -> str:
    """Returns the key and the name of a combination: “6 full house”, “BOGUS High Five”."""
    key = "BOGUS" if number == HIGH_FIVE else str(number)
    return listed([key, short_label(LADDER[number])], " ")


def draw_free_place(canvas: Canvas, text: str, *, lit: bool = False) -> None:
    """Draws a text at the free place of the ladder; with `lit`, inverted."""
    line = canvas.fitted(text, WIDTH - CELL_X - 2)
    canvas.text(CELL_X + 1, 8 * CELL_PAGE, line)
    if lit:
        canvas.invert(CELL_X, CELL_PAGE, canvas.width(line) + 2)


def draw_bar(canvas: Canvas, left: str, right: str = "") -> None:
    """Draws the inverted line at the top, with `left`, such as whose turn it is, and `right`, such
    as a count."""
    canvas.right(WIDTH - 1, 0, right)
    canvas.text(2, 0, left, room=WIDTH - canvas.width(right) - 8)
    canvas.invert(0, 0, WIDTH)


# ---------------------------------------------------------------- turn

NOT_COUNTED = 0
"""The digit to key if nobody remembers how many tiles were new."""


@dataclass(frozen=True, slots=True)
class RowTurn(PlayScreen[HighFiveTilesBoard]):
    """The turn of a seat. `keyed`: the index of the combination in the ladder, then how many tiles
    are new. `seat`: the seat that plays, if it isn't the one to play according to the record.
    `passing`: whether PASS waits for OK. `read`: whether the result of the last entry was removed
    from the screen."""

    seat: Seat | None = None
    passing: bool = False
    read: bool = False

    most: ClassVar = 2

    def only_seat(self, view: View[HighFiveTilesBoard]) -> Seat:
        """Returns the seat whose turn it is."""
        seat = self.seat or view.state.to_move
        assert seat is not None, "a turn is shown only while somebody is to move"
        return seat

    def new(self, view: View[HighFiveTilesBoard]) -> Mapping[int, Entry]:
        """Returns how many tiles of the keyed row may be new, each number with its entry; empty if
        the rules refuse the row."""
        row = RowCompleted(self.only_seat(view), LADDER[self.keyed[0]])
        found = opened(view, row)
        if isinstance(found, RuleError):
            return {}
        return {
            _new_tiles_digit(answer.entry): answer.entry for answer in found.questions[0].answers
        }

    @property
    def in_progress(self) -> bool:
        return self.passing or self.seat is not None

    @property
    def shows_refusal(self) -> bool:
        """Whether the lowest line shows what the keys do: after a refusal, and while PASS waits for
        OK."""
        return self.passing or self.why_not is not None

    # ------------------------------------------------------------ keys

    def digit(self, view: View[HighFiveTilesBoard], digit: int) -> Outcome[HighFiveTilesBoard]:
        """Takes the combination, then how many of its five tiles are new."""
        if len(self.keyed) == self.most:
            return Outcome(self, refused=phrase("The row is keyed: OK, or BACK."))
        if self.keyed and digit not in self.new(view):
            new = _range_in_words(self.new(view))
            words = phrase("New tiles in the row: {new}, or 0 if nobody knows.", new=new)
            return Outcome(self, refused=words)
        return Outcome(self.with_digits((*self.keyed, digit)))

    def high_five(self, _view: View[HighFiveTilesBoard]) -> Outcome[HighFiveTilesBoard]:
        """BOGUS keys the combination at the top of the ladder, High Five, which has no digit."""
        if self.keyed:
            return Outcome(self, refused=phrase("A combination is keyed: BACK first."))
        return Outcome(self.with_digits((HIGH_FIVE,)))

    def with_digits(self, keyed: tuple[int, ...]) -> "RowTurn":
        return replace(self, keyed=keyed, why_not=None, passing=False, read=True)

    def row(self, view: View[HighFiveTilesBoard]) -> Entry | None:
        """Returns the entry of the keyed row; None until it is complete."""
        return self.new(view)[self.keyed[1]] if len(self.keyed) == self.most else None

    def handle_ok(self, view: View[HighFiveTilesBoard]) -> Outcome[HighFiveTilesBoard]:
        """OK stores the row, or the single tile of a waiting PASS. With nothing keyed it removes
        the result of the last entry from the screen, or shows what to key."""
        entry = SingleTilePlayed(self.only_seat(view)) if self.passing else self.row(view)
        if entry is None and self.keyed:
            new = _range_in_words(self.new(view))
            return Outcome(
                self, refused=phrase("How many of the five tiles are new? {new}.", new=new)
            )
        if entry is None:
            tells = not self.read and bool(view.state.effect.payments)
            read = replace(self, read=True)
            return Outcome(read) if tells else Outcome(read, refused=ASKS)
        return self.enter(view, entry)

    def one_tile(self, _view: View[HighFiveTilesBoard]) -> Outcome[HighFiveTilesBoard]:
        """PASS prepares the entry of a single tile, for a player who can't complete a row; OK
        stores it."""
        return Outcome(replace(self, keyed=(), why_not=None, passing=True, read=True))

    def draw_two(self, _view: View[HighFiveTilesBoard]) -> Outcome[HighFiveTilesBoard]:
        """DRAW is refused: the tiles drawn after a turn aren't entered."""
        return Outcome(self, refused=phrase("You draw two after each turn: no key is needed."))

    def back(self, view: View[HighFiveTilesBoard]) -> Outcome[HighFiveTilesBoard]:
        """BACK deletes what is keyed, or cancels a PASS that waits. With nothing keyed it offers to
        take back the last entry or, if the seat was chosen in the menu, cancels that choice."""
        if self.passing:
            return Outcome(replace(self, passing=False))
        if not self.keyed and self.seat is not None:
            return Outcome(None)
        return PlayScreen.back(self, view)

    def key_bindings(self) -> Actions[HighFiveTilesBoard]:
        keys = {Key.DRAW: self.draw_two, Key.PASS: self.one_tile, Key.BOGUS: self.high_five}
        return {**PlayScreen.key_bindings(self), **keys}

    def keys(self, view: View[HighFiveTilesBoard]) -> tuple[Key, ...]:
        """Returns the digits of the ladder or, once a combination is keyed, those for the possible
        numbers of new tiles; then the other keys."""
        if not self.keyed:
            return (*KEYS, Key.PASS, Key.OK, Key.BACK, Key.MENU)
        new = self.new(view) if len(self.keyed) < self.most else ()
        return (*(Key(str(number)) for number in new), Key.OK, Key.BACK, Key.MENU)

    # ------------------------------------------------------------ picture

    def draw(self, view: View[HighFiveTilesBoard], canvas: Canvas) -> None:
        """Draws the seat to play, the tiles left, the ladder, and what is keyed or was entered
        last."""
        state, seat = view.state, self.only_seat(view)
        draw_bar(canvas, display_name(seat).upper(), _tiles_left(state, seat))
        draw_ladder(canvas, key_and_name, self.keyed[0] if self.keyed else None)
        brought, doubt = ("", "") if self.read else _last_result(view)
        if self.keyed:
            draw_free_place(canvas, self._result_of_ok(view))
        else:
            draw_free_place(canvas, brought, lit=bool(brought))
        if doubt:
            canvas.text(0, 56, doubt)
        else:
            draw_scores(canvas, scores_of(state))
        if self.passing:
            question = phrase("{seat} lays one tile, no row?", seat=display_name(seat))
            draw_question(canvas, question, phrase("OK: no points  BACK: no"))
        self.draw_why_not(canvas)

    def _result_of_ok(self, view: View[HighFiveTilesBoard]) -> str:
        """Returns what OK would store: “+12, new? 1-4”, “+12, 3 new”, “+14, out first”."""
        name = LADDER[self.keyed[0]].value
        points = next(row.points for row in view.expected_entry.rows if row.name == name)
        row = self.row(view)
        if row is None:
            return phrase(
                "+{points}, new? {new}", points=points, new=_range_in_words(self.new(view))
            )
        after = try_entry(view, row)
        if isinstance(after, RuleError):
            return phrase("refused: OK")
        laid = _new_tiles_digit(row)
        new = phrase("new ?") if laid == NOT_COUNTED else phrase("{laid} new", laid=laid)
        out = after.board.out is not None and view.state.board.out is None
        then = phrase("out first") if out else new
        return phrase("+{points}, {laid}", points=after.effect.points, laid=then)


ASKS = phrase("Key the row's combination, or PASS for one tile.")
"""The prompt for a turn."""


def turn_of(_view: View[HighFiveTilesBoard], seat: Seat) -> RowTurn:
    """Returns the screen for a turn of `seat`, even if the record expects another seat to play."""
    return RowTurn(seat=seat)


def _new_tiles_digit(row: Entry) -> int:
    """Returns the digit for how many tiles of a row are new; NOT_COUNTED if the entry doesn't
    contain that number."""
    assert isinstance(row, RowCompleted), "it is asked of rows alone"
    return row.laid or NOT_COUNTED


def _range_in_words(numbers: Iterable[int]) -> str:
    """Returns the range of these numbers as text, “1-4” or “3”, leaving out NOT_COUNTED."""
    first, *more = (number for number in numbers if number != NOT_COUNTED)
    return f"{first}-{more[-1]}" if more else str(first)


def _tiles_left(state: State[HighFiveTilesBoard], seat: Seat) -> str:
    """Returns how many tiles the seat holds, and how many are left to draw: “5 tiles, 36 left”.
    Unknown numbers are left out. If a holding is not known and nothing is left to draw, returns a
    hint at the menu instead."""
    board = state.board
    held = None if board.held is None else board.held[seat]
    if held is None and not board.supply:
        return phrase("MENU: who is out?")
    tiles = "" if held is None else counted("1 tile", "{number} tiles", held)
    left = "" if board.supply is None else phrase("{supply} left", supply=board.supply)
    return listed(filter(None, (tiles, left)))


def _last_result(view: View[HighFiveTilesBoard]) -> tuple[str, str]:
    """Returns the result of the last entry, for the free place beside the ladder, and any doubt
    about it, for the bottom line."""
    state, paid = view.state, view.state.effect.payments
    points = sum(payment.points for payment in paid)
    brought = f"+{points} {display_name(paid[-1].to)}" if paid else ""
    doubtful = any(each.kind is RoundNotice.COUNT_DOUBTFUL for each in state.effect.notices)
    lost = phrase("Entries are lost") if view.game.losses else ""
    return brought or lost, phrase("Tiles don't add up: check.") if doubtful else ""


# ---------------------------------------------------------------- menu
# The menu items of High Five! with tiles, for events that have no key. None of them is needed if
# the number of new tiles was keyed in every turn.


def _out_item(act: Act) -> Item[HighFiveTilesBoard]:
    seat = display_name(act.seat or "")
    text = phrase(
        "{seat} is the first to go out: {points} points.",
        seat=seat,
        points=OUT_FIRST,
    )
    return item_asking_first(
        phrase("{seat} is out", seat=seat), phrase("Out first?"), text, act.entry
    )


def _plays_item(seat: Seat) -> Item[HighFiveTilesBoard]:
    """Returns the menu item with which `seat` plays because the seat before it has no tiles left.
    It is needed if the tiles weren't counted, as the box then doesn't know that."""
    text = phrase("{seat} plays", seat=display_name(seat))
    return text, lambda view, _menu: Outcome(turn_of(view, seat))


# ---------------------------------------------------------------- card
# The points on the family's own card: keyed before a game, and remembered for the next one.


BEGIN = len(LADDER)
"""The bar's place below the last number, where OK begins the game."""
CARD = tuple(POINTS[combination] for combination in LADDER)


def _setting_name(option: Option) -> str:
    """Returns the name of the box's setting that remembers this option for the next game."""
    return option_setting(HighFiveTiles.name, option.name)


def remembered_card(settings: Mapping[str, Value]) -> dict[str, Value]:
    """Returns the points that were last keyed at this box, by option. Options that were never
    keyed, and settings that aren't a number of points, are left out."""
    points_kept = {option.name: settings.get(_setting_name(option)) for option in CARD}
    known = CARD[0].choices(0)
    return {
        name: value for name, value in points_kept.items() if value is not None and value in known
    }


@dataclass(frozen=True, slots=True)
class AskCardPoints(DigitScreen[HighFiveTilesBoard]):
    """Asks for the eleven numbers of the card on the table. OK stores the number under the bar, as
    shown or as keyed. DRAW and PASS move the bar. Below the last number OK begins the game."""

    opened: GameOpened
    table: MakeTable[HighFiveTilesBoard]
    at: int = 0

    most: ClassVar = 2

    def _points_at(self, number: int) -> Value:
        return self.opened.options[CARD[number].name]

    def handle_ok(self, view: View[HighFiveTilesBoard]) -> Outcome[HighFiveTilesBoard]:
        """OK stores this number, if it is from 0 to 50, and moves to the next. Below the last
        number, OK begins the game."""
        if self.at == BEGIN:
            return begin(view, self.opened)
        option = CARD[self.at]
        value = self.number if self.keyed else self._points_at(self.at)
        if value not in option.choices(len(self.opened.seats)):
            return self.refuse(
                phrase("Not {value} points: each combination has 0 to 50.", value=value)
            )
        options = {**self.opened.options, option.name: value}
        on = replace(self, opened=replace(self.opened, options=options), at=self.at + 1, keyed=())
        kept = remembered_card(view.settings).get(option.name, option.default(0))
        return Outcome(on, None if value == kept else Setting(_setting_name(option), value))

    def digit(self, view: View[HighFiveTilesBoard], digit: int) -> Outcome[HighFiveTilesBoard]:
        """Adds a digit to the number. Refuses it if the cursor is past the last number, where OK
        begins the game."""
        if self.at == BEGIN:
            return Outcome(
                self, refused=phrase("OK begins the game. PASS goes back to the numbers.")
            )
        if len(self.keyed) == self.most:
            return Outcome(self, refused=phrase("OK first: {number} is keyed.", number=self.number))
        return DigitScreen.digit(self, view, digit)

    def leave(self, _view: View[HighFiveTilesBoard]) -> Outcome[HighFiveTilesBoard]:
        """BACK without digits moves to the previous number or, from the first one, to the set-up's
        table."""
        if self.at:
            return self._move(-1)
        return Outcome(self.table(self.opened.options))

    def _move(self, step: int) -> Outcome[HighFiveTilesBoard]:
        return Outcome(replace(self, at=(self.at + step) % (BEGIN + 1), keyed=(), why_not=None))

    def _move_down(self, _view: View[HighFiveTilesBoard]) -> Outcome[HighFiveTilesBoard]:
        return self._move(1)

    def _move_up(self, _view: View[HighFiveTilesBoard]) -> Outcome[HighFiveTilesBoard]:
        return self._move(-1)

    def key_bindings(self) -> Actions[HighFiveTilesBoard]:
        own = {Key.DRAW: self._move_down, Key.PASS: self._move_up}
        return {**Screen.key_bindings(self), **own}

    def repeats(self, _view: View[HighFiveTilesBoard]) -> frozenset[Key]:
        return frozenset((Key.DRAW, Key.PASS))

    def draw(self, _view: View[HighFiveTilesBoard], canvas: Canvas) -> None:
        """Draws the card in two columns, as during turns."""
        draw_bar(canvas, phrase("POINTS ON YOUR CARD"))
        draw_ladder(canvas, lambda number: short_label(LADDER[number]), None)
        for number in range(BEGIN):
            x, page, width = place_of(number)
            here = number == self.at
            text = self.text if here and self.keyed else str(self._points_at(number))
            canvas.right(x + width - 1, 8 * page, text)
            if here:
                canvas.invert(x, page, width)
        draw_free_place(canvas, phrase("OK: begin"), lit=self.at == BEGIN)
        hint = (
            phrase("OK: begin  PASS ↑") if self.at == BEGIN else phrase("OK: keep  DRAW ↓ PASS ↑")
        )
        canvas.text(1, 56, hint, room=126)
        self.draw_why_not(canvas)


# ---------------------------------------------------------------- play


class HighFiveTilesPlay(Play[HighFiveTilesBoard]):
    keys = HIGH_FIVE_TILES_KEYS

    def screen(self, view: View[HighFiveTilesBoard]) -> Screen[HighFiveTilesBoard]:
        state = view.state
        if state.finished:
            return LastPayment() if state.winners and state.effect.payments else GameOver()
        if view.expected_entry.seat is not None:
            return RowTurn()
        how = phrase("Highest tile; spades first"), phrase("Key that seat's digit.")
        return AskSeat(phrase("Who begins?"), how, turn_of)

    kept_options = staticmethod(remembered_card)

    def before_begin(
        self,
        _view: View[HighFiveTilesBoard],
        opened: GameOpened,
        table: MakeTable[HighFiveTilesBoard],
    ) -> Screen[HighFiveTilesBoard]:
        return AskCardPoints(opened=opened, table=table)

    def menu(self, view: View[HighFiveTilesBoard]) -> Mapping[int, Item[HighFiveTilesBoard]]:
        asked = view.expected_entry
        out = {act.seat: act for act in acts_now(view, "out-first")}
        others = {seat for seat in asked.seats if seat != asked.seat}
        first = tuple(_out_item(out[seat]) if seat in out else None for seat in view.state.seats)
        plays = tuple(_plays_item(seat) if seat in others else None for seat in view.state.seats)
        all_laid: Item[HighFiveTilesBoard] | None = None
        if finish := acts_now(view, "finish"):
            text = phrase("No tiles are left to lay or to draw. The highest total wins.")
            question = phrase("All tiles laid?")
            all_laid = item_asking_first(
                phrase("All tiles are laid"), question, text, finish[0].entry
            )
        label = phrase("First out: +{points}", points=OUT_FIRST)
        items: dict[int, Item[HighFiveTilesBoard] | None] = {
            4: submenu(label, first, phrase("Who is out first?")),
            5: all_laid,
        }
        if asked.seat is not None:
            nothing = phrase("{seat} has no tile left", seat=display_name(asked.seat))
            items[7] = submenu(nothing, plays, phrase("Who plays then?"))
        return {digit: item for digit, item in items.items() if item}

    def describe_entry(self, entry: Entry, _state: State[HighFiveTilesBoard]) -> str:
        return entry_in_short(entry)

    def name_change(self, view: View[HighFiveTilesBoard], what: ChangeSummary) -> str:
        """Returns the name of a change for the history. A row is named only by its seat and
        combination: “Red full house”."""
        entry = what.entry if what.kind is ChangeKind.ENTERED and not what.more else None
        if isinstance(entry, RowCompleted):
            return entry_in_short(replace(entry, laid=None))
        if entry is None or entry.named_seat is None:
            return Play.name_change(self, view, what)
        return entry_in_short(entry)

    def explain_points(
        self, _entry: Entry, state: State[HighFiveTilesBoard], payment: Payment
    ) -> str:
        return reason_in_short(state, payment)

    def highlight(self, view: View[HighFiveTilesBoard]) -> str:
        """Returns the line about the row with the highest score; empty if no row scored."""
        best = max(view.state.board.rows, key=lambda row: row.points, default=None)
        if best is None or not best.points:
            return ""
        return phrase(
            "Best row {points}: {words}, {seat}",
            points=best.points,
            words=best.combination.words,
            seat=display_name(best.seat),
        )
