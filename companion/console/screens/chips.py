"""Screens about chips: counting those of a seat, correcting them as the table agrees, and which
ones have to be moved when an entry is changed or taken back, or a ruling reversed."""

from dataclasses import replace
from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.layout import TableLayout, draw_table
from companion.console.lists import ListScreen, PagedText
from companion.console.screen import (
    Actions,
    Basis,
    DigitScreen,
    Items,
    Outcome,
    Screen,
    View,
    capitals,
    keep,
    scores_of,
    try_entry,
)
from companion.console.screens.confirm import ConfirmEntry
from companion.core.errors import RuleError
from companion.core.keys import Key
from companion.core.seats import Seat, display_name
from companion.core.values import dataclass
from companion.core.words import listed, phrase
from companion.games.chips import Pieces, points_of
from companion.games.entries import AGREED, COUNTED, AuditNotice, ChipsAudited, ChipsCorrected
from companion.games.game import B, Entry, State
from companion.presentation.corrections import ChipMove, ChipsDue, chip_moves, moves_due
from companion.presentation.payments import pieces_in_short
from companion.record.rows import Row


def chips_to_move(view: View[B], after: State[B]) -> tuple[str, ...]:
    """Returns a sentence for each seat whose chips must move to match the state `after`, returning
    chips first. () in games without chips, and if `after` has other seats."""
    was, now = view.chips, view.game.game.chips(after)
    if was is None or now is None or view.state.seats != after.seats:
        return ()
    return tuple(_move_sentence(view, move) for move in chip_moves(was, now))


def _move_sentence(view: View[B], move: ChipMove) -> str:
    """Returns the sentence about a move, without a colour if that is the seat's name: “BLUE gives
    RED back 15: 10+5.”, “BO gives ANNA back 15: 10+5 red.”"""
    chips = listed(filter(None, [_exchange_in_words(move), view.colour(move.payer)]), " ")
    seat, payee = capitals(move.payer), capitals(move.payee)
    if move.back:
        return phrase(
            "{payee} gives {seat} back {points}{chips}.",
            payee=payee,
            seat=seat,
            points=move.points,
            chips=chips,
        )
    return phrase(
        "{seat} pays {payee} {points}{chips}.",
        seat=seat,
        payee=payee,
        points=move.points,
        chips=chips,
    )


def _exchange_in_words(move: ChipMove) -> str:
    """Returns the pieces handed over, and the change given back: “: 10+5”, or “: 10 back 5”; empty
    if no pieces can be named."""
    over, back = move.over, move.change
    if not over:
        return ""
    if not back:
        return phrase(": {over}", over=pieces_in_short(over))
    return phrase(": {over} back {back}", over=pieces_in_short(over), back=pieces_in_short(back))


@dataclass(frozen=True, slots=True)
class ShowChipsToMove(PagedText[B]):
    """Shows which chips have to be moved, with the sentences `told`. OK and BACK close it. A digit
    closes it too, and is passed on to the next screen. `restored`: whether they may have been moved
    before a restart."""

    told: tuple[str, ...]
    restored: bool = False

    shows_table: ClassVar = True
    shows_chips_due: ClassVar = True
    digits: ClassVar = range(10)
    basis: ClassVar = Basis.NOTHING

    def keys(self, view: View[B]) -> tuple[Key, ...]:
        return (Key.OK, *self.more_keys(view), Key.BACK, Key.BOGUS, Key.MENU)

    def handle_ok(self, _view: View[B]) -> Outcome[B]:
        return Outcome(None, moved=True)

    back = handle_ok

    def digit(self, view: View[B], digit: int) -> Outcome[B]:
        """Passes the digit on to the next screen, so that the next tile can be keyed without an
        OK."""
        return replace(view.screen.press(view, Key(str(digit))), moved=True)

    def title(self, _view: View[B]) -> str:
        return phrase("Chips moved already?") if self.restored else phrase("Now move these chips")

    def sentences(self, _view: View[B]) -> tuple[str, ...]:
        return self.told

    def foot(self, _view: View[B]) -> tuple[str, ...]:
        return (phrase("OK: moved"),)


def keep_and_move_chips(view: View[B], after: State[B], row: Row) -> Outcome[B]:
    """Stores a row that leads to `after`, and shows which chips are exchanged because of it."""
    sentences = chips_to_move(view, after)
    return Outcome(ShowChipsToMove(sentences) if sentences else None, row)


def chips_due_screen(view: View[B], due: ChipsDue) -> ShowChipsToMove[B]:
    """Returns the screen that shows which chips still have to be moved after corrections, even
    those made elsewhere or before a restart."""
    told = tuple(_move_sentence(view, move) for move in moves_due(due))
    return ShowChipsToMove(told, restored=due.restored)


# ---------------------------------------------------------------- audit
# Counting a seat's own chips, one denomination at a time.


DENOMINATION_NAMES = {
    5: phrase("fives"),
    10: phrase("tens"),
    20: phrase("twenties"),
    25: phrase("twenty-fives"),
}
NOTHING = ChipsAudited(Seat(""), 0)


@dataclass(frozen=True, slots=True)
class CountChips(DigitScreen[B]):
    """Asks for the number of chips of each denomination, beginning with the highest: a number and
    OK, or only OK for none. `so_far`: the chips of the denominations already counted."""

    seat: Seat
    so_far: Pieces = ()
    parent: Screen[B] | None = None

    most: ClassVar = 2
    is_correction: ClassVar = True
    basis: ClassVar = Basis.SEATS

    def _denominations(self, view: View[B]) -> Pieces:
        """Returns every denomination, and how many pieces of it there are in the seat's colour."""
        chips = view.chips
        assert chips is not None, "only games with chips count them"
        stock = chips.stocks[self.seat]
        away = dict(stock.away)
        return tuple((value, number + away[value]) for value, number in stock.home)

    def _counted_so_far(self, view: View[B]) -> Pieces:
        """Returns the chips counted so far, including the number being keyed."""
        value, _ = self._denominations(view)[len(self.so_far)]
        return (*self.so_far, (value, self.number))

    def handle_ok(self, view: View[B]) -> Outcome[B]:
        """OK moves to the next denomination. After the last one the count is stored or, if it
        differs from the record, AskAboutDifference asks what to do."""
        values = self._denominations(view)
        value, whole = values[len(self.so_far)]
        if self.number > whole:
            name = DENOMINATION_NAMES.get(value, phrase("chips of {value}", value=value))
            why_not = phrase(
                "{seat} has {whole} {name} in all: count again.",
                seat=display_name(self.seat),
                whole=whole,
                name=name,
            )
            return self.refuse(why_not)
        counted = self._counted_so_far(view)
        if len(counted) < len(values):
            return Outcome(replace(self, so_far=counted, keyed=()))
        audited = ChipsAudited(self.seat, points_of(counted), counted)
        after = try_entry(view, audited)
        if isinstance(after, RuleError):
            return self.refuse(after.why)
        if any(notice.kind is AuditNotice.DIFFERENCE for notice in after.effect.notices):
            return Outcome(AskAboutDifference(audited=audited, parent=self.parent))
        return keep(audited)

    def leave(self, _view: View[B]) -> Outcome[B]:
        """BACK without digits returns to the previous denomination or, at the first, to the
        list."""
        if not self.so_far:
            return Outcome(self.parent)
        number = self.so_far[-1][1]
        keyed = tuple(map(int, str(number))) if number else ()
        return Outcome(replace(self, so_far=self.so_far[:-1], keyed=keyed))

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Draws which chips to count, and the points counted so far."""
        value, _ = self._denominations(view)[len(self.so_far)]
        done = tuple(piece for piece in self.so_far if piece[1])
        chips = DENOMINATION_NAMES.get(value, phrase("of {value}", value=value))
        table = TableLayout(
            seat=display_name(self.seat),
            number=str(points_of(self._counted_so_far(view))),
            label=phrase("counted"),
            need=phrase("{colour} chips: how", colour=view.colour(self.seat).capitalize())
            if view.colour(self.seat)
            else phrase("Own chips: how"),
            ends=phrase("many {chips}?", chips=chips),
            keyed_label=f"{value} ×",
            keyed=f"{self.text}_",
            chips=pieces_in_short(done),
            say=phrase("OK: next")
            if len(self.so_far) + 1 < len(self._denominations(view))
            else phrase("OK: done"),
            scores=scores_of(view.state),
        )
        draw_table(canvas, table)
        self.draw_why_not(canvas)


@dataclass(frozen=True, slots=True)
class AskAboutDifference(ListScreen[B]):
    """Asks what to do if a count differs from the record: count again, store the count as a note,
    or correct the record too."""

    audited: ChipsAudited = NOTHING

    is_correction: ClassVar = True
    basis: ClassVar = Basis.SEATS

    def title(self, view: View[B]) -> str:
        counted = self.audited.points
        return phrase(
            "{seat} has {counted}, not {recorded}",
            seat=display_name(self.audited.stock_of),
            counted=counted,
            recorded=self._recorded_points(view),
        )

    def _recorded_points(self, view: View[B]) -> int:
        assert view.chips is not None, "only games with chips count them"
        return view.chips.left(self.audited.stock_of)

    def lines(self, _view: View[B]) -> tuple[str, ...]:
        return (phrase("Count again"), phrase("Only write it down"), phrase("Correct the record"))

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        seat = self.audited.stock_of
        if at == 0:
            return Outcome(CountChips(seat, parent=self.parent))
        if at == 1:
            return keep(self.audited)
        assert view.chips is not None, "only games with chips count them"
        points = self._recorded_points(view) - self.audited.points
        moved = ChipsCorrected(seat, points, COUNTED)
        after = try_entry(view, moved)
        if isinstance(after, RuleError):
            return CountChips(seat, parent=self.parent).refuse(after.why)
        # The audit records which chips were counted. If the correction wins, none is stored.
        more = () if after.finished else (self.audited,)
        whose, payee = display_name(seat), display_name(view.chips.payee_of(seat))
        goes = (
            phrase("are {payee}'s", payee=payee)
            if points > 0
            else phrase("come back from {payee}", payee=payee)
        )
        says = phrase(
            "By this count, {points} more of {whose}'s points {goes}.",
            points=abs(points),
            whose=whose,
            goes=goes,
        )
        return ask_to_correct(says, after, moved, replace(self, at=at), more)


@dataclass(frozen=True, slots=True)
class ConfirmCorrection(ConfirmEntry[B]):
    """Asks whether to store a correction, and shows what it would mean for the current chips."""

    is_correction: ClassVar = True
    basis: ClassVar = Basis.SEATS

    def updated(self, _view: View[B]) -> Screen[B]:
        return self.below or self


def ask_to_correct(
    meaning: str,
    after: State[B],
    corrected: ChipsCorrected,
    parent: Screen[B],
    more: tuple[Entry, ...] = (),
) -> Outcome[B]:
    """Returns the question whether to store a correction; it is always asked, because a correction
    can move all points of a colour. It shows the text `meaning`, and whether the correction wins
    the game. `after`: the state after it; `more`: entries that are stored with it."""
    won = (
        phrase("{winner} wins the game by it!", winner=display_name(after.winner))
        if after.winner
        else ""
    )
    return Outcome(
        ConfirmCorrection(
            phrase("Correct the chips?"),
            listed(filter(None, [meaning, won]), " "),
            corrected,
            parent,
            more,
        )
    )


# ---------------------------------------------------------------- correct


def chip_items(view: View[B], seat: Seat, here: Screen[B]) -> Items[B]:
    """Returns the menu items for counting and correcting a seat's chips; () if the game has
    none."""
    if view.chips is None or not view.has_entry(ChipsAudited):
        return ()
    return (
        (phrase("Count own chips"), lambda _view, _list: Outcome(CountChips(seat, parent=here))),
        (phrase("Correct chips"), lambda _view, _list: Outcome(CorrectChips(seat, parent=here))),
    )


@dataclass(frozen=True, slots=True)
class CorrectChips(DigitScreen[B]):
    """Prompts for the number of points that the players agreed to move from the stock of `seat` to
    the seat that it pays; DRAW reverses the direction."""

    seat: Seat
    is_reversed: bool = False
    parent: Screen[B] | None = None

    most: ClassVar = 3
    is_correction: ClassVar = True
    basis: ClassVar = Basis.SEATS

    def reverse(self, _view: View[B]) -> Outcome[B]:
        """DRAW reverses the direction in which the chips move."""
        return Outcome(replace(self, is_reversed=not self.is_reversed, why_not=None))

    def handle_ok(self, view: View[B]) -> Outcome[B]:
        """OK asks whether to store the correction, or shows why it is refused."""
        if not self.keyed:
            return self.refuse(phrase("Key the points, then OK."))
        points = -self.number if self.is_reversed else self.number
        corrected = ChipsCorrected(self.seat, points, AGREED)
        after = try_entry(view, corrected)
        if isinstance(after, RuleError):
            return self.refuse(after.why)
        says = listed(chips_to_move(view, after), " ")
        return ask_to_correct(says, after, corrected, self)

    def leave(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.parent)

    def key_bindings(self) -> Actions[B]:
        return {Key.OK: self.handle_ok, Key.DRAW: self.reverse, Key.BACK: self.back}

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Draws the seat, its recorded chips, and the key that reverses the direction."""
        assert view.chips is not None, "only games with chips count them"
        left, payee = view.chips.left(self.seat), view.chips.payee_of(self.seat)
        to = display_name(payee)
        towards = (
            phrase("back from {payee}", payee=to)
            if self.is_reversed
            else phrase("over to {payee}", payee=to)
        )
        table = TableLayout(
            seat=display_name(self.seat),
            number=str(left),
            label=phrase("recorded"),
            need=phrase("{colour} chips move:", colour=view.colour(self.seat).capitalize())
            if view.colour(self.seat)
            else phrase("Own chips move:"),
            ends=towards,
            keyed_label=phrase("points"),
            keyed=f" {self.text}_",
            say=phrase("DRAW: the other way"),
            scores=scores_of(view.state),
        )
        draw_table(canvas, table)
        self.draw_why_not(canvas)
