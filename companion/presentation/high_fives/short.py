"""The short words of a small display for High Fives: its entries, why points were won, what is in
the tableau, and whether the points add up to 100 at the end."""

from companion.games.entry import Dealt, Entry, Payment
from companion.games.high_fives.entries import WORTH, LeftOver, PointsEntered, PutDown, TableauShown
from companion.games.high_fives.rules import HighFivesNotice, HighFivesState
from companion.presentation.sayings import short
from companion.presentation.short import by_name, many


def entry_in_short(entry: Entry) -> str:
    """An entry as a player says it: the tile laid and the tiles that it took, short enough to leave
    room for the points behind it. “Red 7-8 8-9”, “Red 3-3, 0-1 1-2”, “Red 7-8 8-9 + pair”."""
    match entry:
        case Dealt():
            return short("dealt")
        case TableauShown():
            return short("face-up", tiles=many(len(entry.tiles), "tile"))
        case PutDown(takes=None, pair=None):
            return short("entry", seat=entry.seat, text=str(entry.tile))
        case PutDown(takes=None):
            pair = " ".join(map(str, entry.pair or ()))
            return short("lays-pair", seat=entry.seat, tile=entry.tile, pair=pair)
        case PutDown():
            key = "takes-pair" if entry.pair else "takes"
            return short(key, seat=entry.seat, tile=entry.tile, takes=entry.takes)
        case PointsEntered():
            return short("by-points", seat=entry.seat)
        case LeftOver():
            return short("left")
    return by_name(entry)


def reason_in_short(state: HighFivesState, payment: Payment) -> str:
    """Why a payment was made: “7-8: 3”, tile by tile if the tiles are known."""
    return captured(state) or short("for", why=short("told"), points=payment.points)


def captured(state: HighFivesState) -> str:
    """The captured tiles that are worth points: “7-8: 3”; empty if there are none."""
    taken = state.board.taken
    if taken is None or state.effect.turn is None:
        return ""
    return ", ".join(f"{tile}: {points}" for tile, points in taken.scoring)


def what_lies(state: HighFivesState) -> str:
    """The tableau: “Tableau: 9 tiles, 12 points”; if its tiles are not known, the points that
    nobody has won yet."""
    table = state.board.table
    if table.known and table.worth is not None:
        number = len(table.tiles)
        key = "lies" if number == 1 else "lie"
        return short(key, tiles=many(number, "tile"), points=many(table.worth, "point"))
    return short("not-won", points=WORTH - sum(state.scores.values), worth=WORTH)


def check(state: HighFivesState) -> str:
    """The sentence that says, at a game's end, whether the seats' points and those left in the
    tableau make 100; empty if that is not known."""
    missing = next(
        (
            notice["points"]
            for notice in state.effect.notices
            if notice.kind is HighFivesNotice.POINTS_MISSING
        ),
        0,
    )
    assert isinstance(missing, int), "it is a number of points"
    if missing:
        key = "missing" if missing > 0 else "too-many"
        return short(key, points=many(abs(missing), "point"), worth=WORTH)
    left = state.board.left
    return short("all-there", worth=WORTH, left=left) if left is not None else ""
