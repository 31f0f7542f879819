"""Which chips change hands when what was entered before means something else from now on: an entry
that was changed or taken back, a ruling that was turned round."""

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.pages import draw_page, pages, rows_above
from companion.console.screen import Outcome, Screen, keep
from companion.console.view import View
from companion.console.words import loud, pieces
from companion.games.bogus.board import chips_of, ruling_of
from companion.games.bogus.claim import RuledBy
from companion.games.chips import Pieces, Stock
from companion.games.game import AnyState, Entry
from companion.keys import Key
from companion.record.rows import Row, Step
from companion.values import dataclass


def chips_to_move(view: View, after: AnyState) -> tuple[str, ...]:
    """A sentence for each seat whose chips must move, so that they lie as in `after`, what goes
    back first: “BLUE gives RED back 15: 10+5.”, “BO gives ANNA back 15: 10+5 red.” None in games
    without chips."""
    return tuple(text for _, text in sorted(_moves(view, after), key=lambda move: move[0]))


def _moves(view: View, after: AnyState) -> Iterator[tuple[bool, str]]:
    """(whether it is paid and not given back, the sentence)"""
    chips_before, chips_after = view.chips, chips_of(after)
    if chips_before is None or chips_after is None or view.state.seats != after.seats:
        return
    for seat, stock in chips_after.stocks.items():
        was, payee = chips_before.stocks[seat], after.seats.payee_of(seat)
        points = was.points - stock.points
        chips = _exchange(was, stock) if points > 0 else _exchange(stock, was)
        chips = f"{chips} {view.colour(seat)}".rstrip()
        if points > 0:
            yield True, f"{loud(seat)} pays {loud(payee)} {points}{chips}."
        elif points < 0:
            yield False, f"{loud(payee)} gives {loud(seat)} back {-points}{chips}."


def _exchange(more: Stock, fewer: Stock) -> str:
    """“: 10+5”, “: 10, 5 back”: the pieces that make the one stock into the other."""
    there = dict(fewer.home)
    left = [(value, number - there[value]) for value, number in more.home]
    over: Pieces = tuple((value, number) for value, number in left if number > 0)
    back: Pieces = tuple((value, -number) for value, number in left if number < 0)
    if not over:
        return ""
    return f": {pieces(over)}" + (f" back {pieces(back)}" if back else "")


FOOT = ("OK: moved",)


@dataclass(frozen=True, slots=True)
class ChipsToMove(Screen):
    """Says which chips change hands now. Any key goes on, and a digit counts where it leads to."""

    sentences: tuple[str, ...]
    page: int = 0

    plays: ClassVar = True
    digits: ClassVar = range(10)

    def stands_on(self, _view: View) -> None:
        """Nothing: those chips have to move, whatever comes."""

    def keys(self, _view: View) -> tuple[Key, ...]:
        """OK, DRAW where there is more to read, and the rest."""
        more = (Key.DRAW,) if pages(self.sentences, rows_above(FOOT)) > 1 else ()
        return (Key.OK, *more, Key.BACK, Key.BOGUS, Key.MENU)

    def go_on(self, _view: View) -> Outcome:
        """OK and BACK: they are moved."""
        return Outcome(None)

    def digit(self, view: View, digit: int) -> Outcome:
        """Who keys the next tile need not press OK first."""
        from companion.console.screens.registry import screen_for

        return screen_for(view).press(view, Key(str(digit)))

    def more(self, _view: View) -> Outcome:
        """DRAW: the next page."""
        return Outcome(replace(self, page=self.page + 1))

    on: ClassVar = {Key.OK: go_on, Key.BACK: go_on, Key.DRAW: more}

    def draw(self, _view: View, canvas: Canvas) -> None:
        """Who gives what to whom."""
        draw_page(canvas, "Now move these chips", self.sentences, self.page, FOOT)


def then_move(view: View, after: AnyState, row: Row) -> Outcome:
    """Keeps a row that leads to `after`, and says which chips change hands by it."""
    sentences = chips_to_move(view, after)
    return Outcome(ChipsToMove(sentences) if sentences else None, row)


def keep_in_call(view: View, after: AnyState, entry: Entry) -> Outcome:
    """Keeps an entry that belongs to a call of bogus play. Where the table's ruling takes back what
    was paid, says which chips go back; a ruling by the record says so itself."""
    ruling = ruling_of(after)
    if ruling is not None and ruling.by is RuledBy.TABLE and _takes_back(view.state, after):
        return then_move(view, after, Step((entry,), joined=True))
    return keep(entry, joined=True)


def _takes_back(before: AnyState, after: AnyState) -> bool:
    """Whether chips that were paid go back, perhaps under what is paid instead."""
    if any(payment.points < 0 for payment in after.effect.payments):
        return True
    chips_before, chips_after = chips_of(before), chips_of(after)
    assert chips_before is not None, "only games with chips know a bogus play"
    assert chips_after is not None, "only games with chips know a bogus play"
    stocks = zip(chips_before.stocks.values, chips_after.stocks.values, strict=True)
    return any(is_now.points > was.points for was, is_now in stocks)
