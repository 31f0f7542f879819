"""Points and chips: every seat's stock; why it has its points; counting and correcting chips."""

from dataclasses import dataclass, replace
from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.layout import Table, draw_refusal, draw_table
from companion.console.lists import Choose, ListScreen, ask
from companion.console.screen import Outcome, Screen, keep, would_be
from companion.console.screens.history import History
from companion.console.view import View
from companion.console.words import pieces, scores_of, shown
from companion.errors import RuleError
from companion.games.entries import Audited, Corrected
from companion.games.game import Entry
from companion.keys import Key
from companion.seats import Seat

NOBODY = Seat("")


@dataclass(frozen=True, slots=True)
class SeatList(ListScreen):
    """Every seat with its points, and the chips in its stock."""

    parent: Screen | None = None

    hint: ClassVar = "points, then own chips left"

    def title(self, _view: View) -> str:
        return "Points and chips"

    def lines(self, view: View) -> tuple[str, ...]:
        return tuple(f"{shown(seat)} {points}{_stock(view, seat)}"
                     for seat, points in view.state.scores.items())  # fmt: skip

    def chosen(self, view: View, at: int) -> Outcome:
        seat = view.state.seats.order[at]
        here = replace(self, at=at)
        points = view.state.scores[seat]
        lines: list[tuple[str, Choose]] = [
            (f"Why {points}?", lambda _view: Outcome(History(seat=seat, parent=here))),
        ]
        if view.knows(Audited) and view.state.chips is not None:
            lines += [
                ("Own chips were counted", lambda _view: Outcome(Counting(seat, parent=here))),
                ("Correct chips", lambda _view: Outcome(Counting(seat, True, parent=here))),
            ]
        return ask(shown(seat), tuple(lines), here, view)

    def back(self, _view: View) -> Outcome:
        return Outcome(self.parent)


def _stock(view: View, seat: Seat) -> str:
    chips = view.state.chips
    if chips is None:
        return ""
    home = tuple((value, number) for value, number in chips.stocks[seat].home if number)
    return f" · {chips.left(seat)}: {pieces(home) or 'none'}"


@dataclass(frozen=True, slots=True)
class Counting(Screen):
    """A number of points in a seat's own stock: as counted, or (`correct`) to be moved to the seat
    that it pays; DRAW changes the direction."""

    seat: Seat
    correct: bool = False
    keyed: str = ""
    comes_back: bool = False
    why_not: str | None = None
    parent: Screen | None = None

    digits: ClassVar = range(10)

    def digit(self, _view: View, digit: int) -> Outcome:
        """One digit more, three at most."""
        return Outcome(replace(self, keyed=(self.keyed + str(digit))[:3], why_not=None))

    def direction(self, _view: View) -> Outcome:
        """DRAW: chips come back instead of going over."""
        return Outcome(replace(self, comes_back=not self.comes_back and self.correct))

    def _entry(self) -> Entry:
        number = int(self.keyed)
        if not self.correct:
            return Audited(self.seat, number)
        return Corrected(self.seat, -number if self.comes_back else number, "agreed")

    def accept(self, view: View) -> Outcome:
        """OK keeps it."""
        if not self.keyed:
            return Outcome(replace(self, why_not="Key the points, then OK."))
        after = would_be(view, self._entry())
        if isinstance(after, RuleError):
            return Outcome(replace(self, why_not=str(after)))
        for notice in after.effect.notices:
            if notice.kind == "audit-difference":
                return Outcome(
                    Difference(seat=self.seat, counted=int(self.keyed), parent=self.parent)
                )
        return keep(self._entry())

    def back(self, _view: View) -> Outcome:
        """BACK: a digit, or to the list."""
        if self.why_not is not None:
            return Outcome(replace(self, why_not=None))
        return Outcome(replace(self, keyed=self.keyed[:-1]) if self.keyed else self.parent)

    on: ClassVar = {Key.OK: accept, Key.DRAW: direction, Key.BACK: back}

    def draw(self, view: View, canvas: Canvas) -> None:
        """Whose chips, what is recorded, and the direction."""
        assert view.state.chips is not None, "only games with chips count them"
        left, payee = view.state.chips.left(self.seat), view.state.seats.payee_of(self.seat)
        towards = "back from" if self.comes_back else "over to"
        table = Table(
            seat=shown(self.seat),
            number=str(left),
            label="recorded",
            need="Own chips move:" if self.correct else "Own chips counted:",
            ends=f"{towards} {shown(payee)}" if self.correct else "",
            way="points",
            keyed=f" {self.keyed}_",
            say="DRAW: the other way" if self.correct else "the points in its own stock",
            scores=scores_of(view.state),
        )
        draw_table(canvas, table)
        if self.why_not:
            draw_refusal(canvas, self.why_not, "BACK: go on")


@dataclass(frozen=True, slots=True)
class Difference(ListScreen):
    """The count differs from the record: kept as a note, or corrected as well."""

    seat: Seat = NOBODY
    counted: int = 0
    parent: Screen | None = None

    def title(self, view: View) -> str:
        return f"{shown(self.seat)} has {self.counted}, not {self._recorded(view)}"

    def _recorded(self, view: View) -> int:
        assert view.state.chips is not None, "only games with chips count them"
        return view.state.chips.left(self.seat)

    def lines(self, _view: View) -> tuple[str, ...]:
        return ("Count again", "Note the difference", "Correct the record")

    def chosen(self, view: View, at: int) -> Outcome:
        if at == 0:
            return Outcome(Counting(self.seat, parent=self.parent))
        if at == 1:
            return keep(Audited(self.seat, self.counted))
        moved = Corrected(self.seat, self._recorded(view) - self.counted, "counted")
        after = would_be(view, moved)
        if isinstance(after, RuleError):
            return Outcome(Counting(self.seat, why_not=str(after), parent=self.parent))
        return keep(moved)

    def back(self, _view: View) -> Outcome:
        return Outcome(self.parent)
