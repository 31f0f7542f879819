"""The question whether a seat is out. Only the counted tiles say so, and a DRAW may have been
forgotten."""

from companion.console.frame import Canvas
from companion.console.in_play import InPlay, keys_of
from companion.console.layout import TableLayout, draw_table
from companion.console.screen import Actions, Outcome, View, keep
from companion.console.words import loud, scores_of
from companion.core.keys import Key
from companion.core.seats import Seat, shown
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.entries import WentOut
from companion.games.highrise.board import HighriseBoard, round_of
from companion.presentation.highrise.short import play_factors
from companion.record.rows import Amend


@dataclass(frozen=True, slots=True)
class LaidLastTile(InPlay[HighriseBoard]):
    """Asks whether a seat is out. OK: it is. DRAW: a draw was forgotten, and is put in before that
    seat's latest play without a draw."""

    def whose(self, view: View[HighriseBoard]) -> Seat:
        """The seat that is asked."""
        return _seat(view)

    def numbers(self, _view: View[HighriseBoard]) -> range:
        """No digits: they are only refused."""
        return range(0)

    def digit(self, view: View[HighriseBoard], _digit: int) -> Outcome[HighriseBoard]:
        """Refuses the digits of the next tile: the question comes first."""
        text = phrase(
            "First: is {seat} out? OK: yes. DRAW: a draw was forgotten.", seat=shown(_seat(view))
        )
        return Outcome(self, refused=text)

    def accept(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """OK: the seat is out."""
        return keep(WentOut(_seat(view)))

    def forgotten(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """DRAW: puts the forgotten draw in; refused if the seat drew in each turn."""
        for draw in keys_of(view).mends(view.game):
            return Outcome(None, Amend(draw.at or 0, (draw.entry,), insert=True))
        text = phrase(
            "{seat} drew in each turn. BACK: take the last play back.", seat=shown(_seat(view))
        )
        return Outcome(self, refused=text)

    def on(self) -> Actions[HighriseBoard]:
        return {**InPlay.on(self), Key.DRAW: self.forgotten}

    def draw(self, view: View[HighriseBoard], canvas: Canvas) -> None:
        """What the last play scored, and the question."""
        state, seat, scored = view.state, _seat(view), view.state.board.scored
        table = TableLayout(
            seat=shown(seat),
            number=str(scored.points) if scored else "",
            label=phrase("scored") if scored else "",
            need=phrase("out?  OK: yes"),
            ends=phrase("DRAW: forgot a draw"),
            say=f"{loud(seat)} {play_factors(scored)} =" if scored else "",
            paid=str(scored.points) if scored else "",
            scores=scores_of(state),
        )
        draw_table(canvas, table)


def _seat(view: View[HighriseBoard]) -> Seat:
    seat = round_of(view.state).out
    assert seat is not None, "asked only while somebody seems to be out"
    return seat
