"""Is somebody out? Known by counted tiles alone, so it is asked: a DRAW may have been forgotten."""

from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.layout import TableLayout, draw_table
from companion.console.screen import Actions, Outcome, Screen, View, keep
from companion.console.screens.undo import offer_undo
from companion.console.words import loud, scores_of
from companion.core.keys import Key
from companion.core.seats import Seat, shown
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.entries import WentOut
from companion.games.highrise.board import HighriseBoard, round_of
from companion.games.highrise.entries import DrewOne
from companion.presentation.highrise.forgotten import last_play_without_draw
from companion.presentation.highrise.words import play_factors
from companion.record.rows import Amend


@dataclass(frozen=True, slots=True)
class LaidLastTile(Screen[HighriseBoard]):
    """OK: out. DRAW: a draw was forgotten, and is put in before that seat's latest play without
    one."""

    plays: ClassVar = True
    digits: ClassVar = range(10)

    def whose(self, view: View[HighriseBoard]) -> Seat:
        """The seat that is asked."""
        return _seat(view)

    def digit(self, view: View[HighriseBoard], _digit: int) -> Outcome[HighriseBoard]:
        """Somebody keys the next tile already: the question comes first."""
        text = phrase(
            "First: is {seat} out? OK: yes. DRAW: a draw was forgotten.", seat=shown(_seat(view))
        )
        return Outcome(self, refused=text)

    def out(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """OK."""
        return keep(WentOut(_seat(view)))

    def forgotten(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """DRAW."""
        place = last_play_without_draw(view.game, _seat(view))
        if place is None:
            text = phrase(
                "{seat} drew in each turn. BACK: take the last play back.", seat=shown(_seat(view))
            )
            return Outcome(self, refused=text)
        return Outcome(None, Amend(place, (DrewOne(_seat(view)),), insert=True))

    def back(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """BACK offers to take the play back."""
        return offer_undo(view, self)

    def on(self) -> Actions[HighriseBoard]:
        return {Key.OK: self.out, Key.DRAW: self.forgotten, Key.BACK: self.back}

    def keys(self, _view: View[HighriseBoard]) -> tuple[Key, ...]:
        """OK, DRAW, and the rest."""
        return (Key.OK, Key.DRAW, Key.BACK, Key.BOGUS, Key.MENU)

    def draw(self, view: View[HighriseBoard], canvas: Canvas) -> None:
        """What the last play scored, and the question."""
        state, seat, scored = view.state, _seat(view), view.state.board.scored
        table = TableLayout(
            seat=shown(seat),
            number=str(scored.points) if scored else "",
            label="scored" if scored else "",
            need="out?  OK: yes",
            ends="DRAW: forgot a draw",
            say=f"{loud(seat)} {play_factors(scored)} =" if scored else "",
            paid=str(scored.points) if scored else "",
            scores=scores_of(state),
        )
        draw_table(canvas, table)


def _seat(view: View[HighriseBoard]) -> Seat:
    seat = round_of(view.state).out
    assert seat is not None, "asked only while somebody seems to be out"
    return seat
