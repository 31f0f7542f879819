"""Which chips change hands when what was entered before means something else from now on: an entry
that was changed or taken back, a ruling that was turned round."""

from collections.abc import Iterator
from typing import ClassVar

from companion.console.paged import Paged
from companion.console.screen import Actions, Outcome, View, screen_for
from companion.console.words import loud
from companion.core.keys import Key
from companion.core.values import dataclass
from companion.core.words import listed, phrase
from companion.games.chips import Stock, pieces_between
from companion.games.game import B, State
from companion.presentation.short import pieces
from companion.record.rows import Row


def chips_to_move(view: View[B], after: State[B]) -> tuple[str, ...]:
    """A sentence for each seat whose chips must move, so that they lie as in `after`, what goes
    back first: “BLUE gives RED back 15: 10+5.”, “BO gives ANNA back 15: 10+5 red.” None in games
    without chips."""
    return tuple(text for _, text in sorted(_moves(view, after), key=lambda move: move[0]))


def _moves(view: View[B], after: State[B]) -> Iterator[tuple[bool, str]]:
    """(whether it is paid and not given back, the sentence)"""
    chips_before, chips_after = view.chips, view.game.game.chips(after)
    if chips_before is None or chips_after is None or view.state.seats != after.seats:
        return
    for seat, stock in chips_after.stocks.items():
        was, payee = chips_before.stocks[seat], after.seats.payee_of(seat)
        points = was.points - stock.points
        chips = _exchange(was, stock) if points > 0 else _exchange(stock, was)
        chips = listed(filter(None, [chips, view.colour(seat)]), " ")
        if points > 0:
            yield (
                True,
                phrase(
                    "{seat} pays {payee} {points}{chips}.",
                    seat=loud(seat),
                    payee=loud(payee),
                    points=points,
                    chips=chips,
                ),
            )
        elif points < 0:
            yield (
                False,
                phrase(
                    "{payee} gives {seat} back {points}{chips}.",
                    payee=loud(payee),
                    seat=loud(seat),
                    points=-points,
                    chips=chips,
                ),
            )


def _exchange(more: Stock, fewer: Stock) -> str:
    """“: 10+5”, “: 10, 5 back”: the pieces that make the one stock into the other."""
    over, back = pieces_between(more, fewer)
    if not over:
        return ""
    if not back:
        return phrase(": {over}", over=pieces(over))
    return phrase(": {over} back {back}", over=pieces(over), back=pieces(back))


@dataclass(frozen=True, slots=True)
class ChipsToMove(Paged[B]):
    """Says which chips change hands now. Any key goes on, and a digit counts where it leads to."""

    told: tuple[str, ...]

    plays: ClassVar = True
    digits: ClassVar = range(10)

    def stands_on(self, _view: View[B]) -> None:
        """Nothing: those chips have to move, whatever comes."""

    def keys(self, view: View[B]) -> tuple[Key, ...]:
        """OK, DRAW where there is more to read, and the rest."""
        return (Key.OK, *self.more_keys(view), Key.BACK, Key.BOGUS, Key.MENU)

    def go_on(self, _view: View[B]) -> Outcome[B]:
        """OK and BACK: they are moved."""
        return Outcome(None)

    def digit(self, view: View[B], digit: int) -> Outcome[B]:
        """Who keys the next tile need not press OK first."""
        return screen_for(view).press(view, Key(str(digit)))

    def on(self) -> Actions[B]:
        return {Key.OK: self.go_on, Key.BACK: self.go_on, Key.DRAW: self.more}

    def title(self, _view: View[B]) -> str:
        return phrase("Now move these chips")

    def sentences(self, _view: View[B]) -> tuple[str, ...]:
        return self.told

    def foot(self, _view: View[B]) -> tuple[str, ...]:
        return (phrase("OK: moved"),)


def then_move(view: View[B], after: State[B], row: Row) -> Outcome[B]:
    """Keeps a row that leads to `after`, and says which chips change hands by it."""
    sentences = chips_to_move(view, after)
    return Outcome(ChipsToMove(sentences) if sentences else None, row)
