"""The parts of a moment's JSON that only High Five! with tiles has: the row that was laid, and the
score sheet."""

from companion.core.seats import shown
from companion.core.values import Json
from companion.core.words import phrase
from companion.games.entry import Entry
from companion.games.game import AnyGame, AnyState
from companion.games.high_five_tiles.entries import Finished, RowCompleted, TileLaid
from companion.games.high_five_tiles.rules import HighFiveTilesState
from companion.presentation.drawing.paper import Paper
from companion.presentation.game import GamePresentation
from companion.presentation.high_five_tiles.drawing import ScoreSheet, SheetRow, draw_sheet
from companion.presentation.high_five_tiles.keys import HIGH_FIVE_TILES_KEYS
from companion.presentation.moment_sayings import asked_of, entry_said
from companion.presentation.sayings import say


def sheet_of(state: HighFiveTilesState) -> ScoreSheet:
    """The score sheet of a state: the totals, and every row."""
    totals = tuple((shown(seat), points) for seat, points in state.scores.items())
    rows = (
        SheetRow(shown(row.seat), row.combination.words, row.points, tuple(map(str, row.cards)))
        for row in state.board.rows
    )
    return ScoreSheet(totals, tuple(rows))


class HighFiveTilesPresentation(GamePresentation):
    """The presentation of High Five! with tiles."""

    where = "where.supply"
    keys = HIGH_FIVE_TILES_KEYS

    def reason(self, state: HighFiveTilesState) -> str:
        """The combination and its points: “full house: 6”; "" if no row was laid."""
        row = state.board.scored
        return (
            phrase("{name}: {points}", name=row.combination.words, points=row.points) if row else ""
        )

    def draw(
        self, state: HighFiveTilesState, paper: Paper, *, stand_alone: bool = True
    ) -> str | None:
        """The score sheet as SVG."""
        return draw_sheet(sheet_of(state), paper, stand_alone=stand_alone)

    # ------------------------------------------------------------ a moment

    def said(self, entry: Entry, _state: HighFiveTilesState, _now: AnyState | None = None) -> Json:
        """The entry in words."""
        match entry:
            case RowCompleted(cards=()):
                return say("entry.row", seat=entry.seat, row=entry.combination.words)
            case RowCompleted():
                row = entry.combination.words
                return say("entry.row-cards", seat=entry.seat, row=row, cards=entry.cards)
            case TileLaid():
                return say("entry.one-tile", seat=entry.seat)
            case Finished():
                return say("entry.finished")
        return entry_said(entry)

    def why(self, _entry: Entry, state: HighFiveTilesState) -> Json | None:
        """The combination and its points; None if no row was laid."""
        row = state.board.scored
        return say("reason.row", row=row.combination.words, points=row.points) if row else None

    def asked(self, game: AnyGame, state: HighFiveTilesState) -> Json:
        """What the record waits for: a seat's turn, or the word that all tiles are laid."""
        board = state.board
        if board.turns and state.to_move is None:
            return say("asks.finished")
        return asked_of(game, state, begun=board.turns is not None)

    def moment_json(self, state: HighFiveTilesState) -> Json:
        """Every row, and the tiles held and in the supply by the counts."""
        board = state.board
        if board.held is None:
            return {}
        rows = [
            {
                "seat": row.seat,
                "name": row.combination.value,
                "points": row.points,
                "cards": [str(card) for card in row.cards],
            }
            for row in board.rows
        ]
        table = {"kind": "sheet", "rows": rows}
        return {"boneyard": board.supply, "held": dict(board.held.items()), "table": table}
