"""The short words of a small display for High Five! with tiles: its entries, and why points were
won."""

from companion.games.entry import Dealt, Entry, Payment, WentOut
from companion.games.game import State
from companion.games.high_five_tiles.entries import Finished, RowCompleted, TileLaid
from companion.games.high_five_tiles.rules import HighFiveTilesBoard, HighFiveTilesWhy
from companion.presentation.sayings import short
from companion.presentation.short import by_name


def entry_in_short(entry: Entry) -> str:
    """An entry as a player says it: “Red full house, 3 new”."""
    match entry:
        case Dealt(lead=None):
            return short("dealt")
        case Dealt():
            return short("begins", seat=entry.lead)
        case RowCompleted(laid=None):
            return short("row", seat=entry.seat, row=entry.combination.words)
        case RowCompleted():
            row = entry.combination.words
            return short("row-new", seat=entry.seat, row=row, number=entry.laid)
        case TileLaid():
            return short("one-tile", seat=entry.seat)
        case WentOut():
            return short("out", seat=entry.seat)
        case Finished():
            return short("finished")
    return by_name(entry)


def reason_in_short(state: State[HighFiveTilesBoard], payment: Payment) -> str:
    """Why a payment was made: “full house: 6”, “out first: 2”."""
    row = state.board.scored
    if payment.why is HighFiveTilesWhy.ROW and row is not None:
        return short("for", why=row.combination.words, points=payment.points)
    return short("for-out", points=payment.points)
