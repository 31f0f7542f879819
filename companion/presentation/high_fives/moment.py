"""The parts of a moment's JSON that only High Fives has: what was captured, and the tableau."""

from companion.core.values import Json
from companion.games.entry import Entry
from companion.games.game import AnyGame, AnyState
from companion.games.high_fives.entries import LeftOver, PointsEntered, PutDown, TableauShown
from companion.games.high_fives.rules import HighFivesState, boneyard, held, turns_left
from companion.presentation.drawing.paper import Paper
from companion.presentation.game import GamePresentation
from companion.presentation.high_fives.drawing import Tableau, draw_tableau
from companion.presentation.high_fives.keys import HIGH_FIVES_KEYS
from companion.presentation.high_fives.short import captured
from companion.presentation.moment_sayings import asked_of, entry_said
from companion.presentation.sayings import said_as, say


def tableau_of(state: HighFivesState) -> Tableau | None:
    """The tableau of a state; None if its tiles are not known."""
    table = state.board.table
    if not table.known:
        return None
    places = tuple(None if tile is None else (tile.low, tile.high) for tile in table.places)
    return Tableau(places, table.latest)


class HighFivesPresentation(GamePresentation):
    """The presentation of High Fives."""

    where = "where.to-deal"
    keys = HIGH_FIVES_KEYS

    def reason(self, state: HighFivesState) -> str:
        """The captured tiles that are worth points: “7-8: 3”; "" if there are none."""
        return captured(state)

    def draw(self, state: HighFivesState, paper: Paper, *, stand_alone: bool = True) -> str | None:
        """The tableau as SVG; None if it isn't known."""
        tableau = tableau_of(state)
        return draw_tableau(tableau, paper, stand_alone=stand_alone) if tableau else None

    # ------------------------------------------------------------ a moment

    def said(self, entry: Entry, _state: HighFivesState, _now: AnyState | None = None) -> Json:
        """The entry in words."""
        match entry:
            case TableauShown():
                return say("entry.turned-up", tiles=entry.tiles)
            case PutDown():
                return _put_down_said(entry)
            case PointsEntered():
                return say("entry.points", seat=entry.seat, points=entry.points)
            case LeftOver(points=None):
                return say("entry.left-uncounted")
            case LeftOver():
                return say("entry.left", points=entry.points)
        return entry_said(entry)

    def why(self, _entry: Entry, state: HighFivesState) -> Json | None:
        """The captured tiles that are worth points, with the points of each; None if there are
        none."""
        words = self.reason(state)
        if not words or state.board.taken is None:
            return None
        scoring = state.board.taken.scoring
        tiles, points = [tile for tile, _ in scoring], [points for _, points in scoring]
        return said_as(words, "reason.captured", tiles=tiles, points=points)

    def asked(self, game: AnyGame, state: HighFivesState) -> Json:
        """What the record waits for: a seat's turn, the deal, or what is left in the tableau."""
        ended = state.board.hand > 0 and turns_left(state) == 0 and not game.next_lead(state)
        return say("asks.left") if ended else asked_of(game, state, begun=state.board.hand > 0)

    def moment_json(self, state: HighFivesState) -> Json:
        """The tableau by its places, null for a place that is free again, and the tiles held and
        still to deal."""
        tableau = tableau_of(state)
        told: Json = {"boneyard": boneyard(state), "held": held(state)}
        if tableau is not None:
            places = [None if tile is None else f"{tile[0]}-{tile[1]}" for tile in tableau.places]
            told["table"] = {"kind": "tableau", "places": places, "latest": tableau.latest}
        return told


def _put_down_said(put: PutDown) -> Json:
    parts: dict[str, object] = {"seat": put.seat, "tile": put.tile}
    if put.takes:
        parts["takes"] = put.takes
    if put.pair:
        parts["pair"] = put.pair
    how = "".join(f"-{name}" for name in ("takes", "pair") if name in parts)
    return say(f"entry.lays{how}", **parts)
