"""Which chips have to move when earlier entries come to mean something else: when an entry was
changed or taken back, or a ruling was reversed."""

from dataclasses import replace
from typing import ClassVar

from companion.console.paged import Paged
from companion.console.screen import Actions, Outcome, View, screen_for
from companion.console.words import loud
from companion.core.keys import Key
from companion.core.values import dataclass
from companion.core.words import listed, phrase
from companion.games.game import B, State
from companion.presentation.payments import ChipMove, ChipsDue, chip_moves, moves_due, pieces
from companion.record.rows import Row


def chips_to_move(view: View[B], after: State[B]) -> tuple[str, ...]:
    """A sentence for each seat whose chips must move, so that they lie as in `after`; chips that go
    back come first. () in games without chips, and if `after` has other seats."""
    was, now = view.chips, view.game.game.chips(after)
    if was is None or now is None or view.state.seats != after.seats:
        return ()
    return tuple(_sentence(view, move) for move in chip_moves(was, now))


def _sentence(view: View[B], move: ChipMove) -> str:
    """“BLUE gives RED back 15: 10+5.”, “BO gives ANNA back 15: 10+5 red.”"""
    chips = listed(filter(None, [_exchange(move), view.colour(move.payer)]), " ")
    seat, payee = loud(move.payer), loud(move.payee)
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


def _exchange(move: ChipMove) -> str:
    """“: 10+5”, or “: 10 back 5”: the pieces that go over, and the change that comes back; empty if
    no pieces can be named."""
    over, back = move.over, move.change
    if not over:
        return ""
    if not back:
        return phrase(": {over}", over=pieces(over))
    return phrase(": {over} back {back}", over=pieces(over), back=pieces(back))


@dataclass(frozen=True, slots=True)
class ChipsToMove(Paged[B]):
    """Says which chips change hands now, in the sentences `told`. OK and BACK go on; a digit goes
    on, too, and counts on the screen that follows."""

    told: tuple[str, ...]

    plays: ClassVar = True
    tells_chips: ClassVar = True
    digits: ClassVar = range(10)

    def stands_on(self, _view: View[B]) -> None:
        """Nothing: the chips have to move, whatever is entered meanwhile."""

    def keys(self, view: View[B]) -> tuple[Key, ...]:
        """OK, DRAW if there is more to read, and the rest."""
        return (Key.OK, *self.more_keys(view), Key.BACK, Key.BOGUS, Key.MENU)

    def go_on(self, _view: View[B]) -> Outcome[B]:
        """OK and BACK: the chips have been moved."""
        return Outcome(None, moved=True)

    def digit(self, view: View[B], digit: int) -> Outcome[B]:
        """Gives the digit to the screen that follows: nobody has to press OK before keying the next
        tile."""
        return replace(screen_for(view).press(view, Key(str(digit))), moved=True)

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


def still_to_move(view: View[B], due: ChipsDue) -> ChipsToMove[B]:
    """The screen that says which chips still have to move after corrections, even those made
    elsewhere."""
    moves = moves_due(due)
    return ChipsToMove(tuple(_sentence(view, move) for move in moves))
