"""Between hands: how the last hand ended, and who starts the next one. OK deals."""

from companion.console.frame import Canvas
from companion.console.highrise.holding import lost_line
from companion.console.highrise.turn import turn_of
from companion.console.in_play import NextDeal, WhichSeat
from companion.console.layout import TableLayout, draw_table
from companion.console.screen import View
from companion.console.words import loud, scores_of
from companion.core.seats import shown
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.highrise.board import HighriseBoard, HighriseState
from companion.games.highrise.entries import COLUMNS
from companion.games.highrise.rules import EACH
from companion.games.settlement import HandsEnd
from companion.presentation.language import Language


def who_starts() -> WhichSeat[HighriseBoard]:
    """Asks who starts the first hand: the youngest (RULES: Highrise 6)."""
    each = phrase("{each} tiles each, {down} down", each=EACH, down=COLUMNS)
    return WhichSeat(phrase("Who starts?"), (phrase("The youngest: key the digit."), each), turn_of)


def whose_turn() -> WhichSeat[HighriseBoard]:
    """Asks whose turn it is in a hand where nobody said who starts."""
    lines = phrase("Who lays the next tile,"), phrase("by digit?")
    return WhichSeat(phrase("Whose turn?"), lines, turn_of)


@dataclass(frozen=True, slots=True)
class BetweenHighriseHands(NextDeal[HighriseBoard]):
    """The hand is settled. Each next hand starts one seat to the left (RULES: Highrise 6)."""

    def draw(self, view: View[HighriseBoard], canvas: Canvas) -> None:
        """How the hand ended, and what to do next."""
        draw_table(canvas, _table(view))


def _table(view: View[HighriseBoard]) -> TableLayout:
    state, lead = view.state, view.game.game.next_lead(view.state)
    out = next((p for p in state.effect.payments if p.why is HandsEnd.OUT), None)
    return TableLayout(
        seat=shown(lead or ""),
        number=str(out.points) if out else "",
        label=phrase("points") if out else "",
        need=phrase("starts. OK: deal"),
        ends=phrase("{each} tiles each, {down} down", each=EACH, down=COLUMNS),
        way="OK",
        keyed="" if state.effect.payments else phrase("DEAL"),
        say=_settled(state, view.language),
        scores=scores_of(state),
        pays=out is not None,
    )


def _settled(state: HighriseState, language: Language) -> str:
    """The line that says how the last hand was settled; empty before the first hand."""
    if state.board.round is None:
        return ""
    payments = state.effect.payments
    if not payments:
        return phrase("Nobody held any points")
    if payments[-1].why is HandsEnd.OUT:
        return phrase("{seat} is out and scores", seat=loud(payments[-1].to))
    return lost_line(state, language)
