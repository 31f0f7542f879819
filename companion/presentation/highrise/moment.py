"""The parts of a moment's JSON that only Highrise has: what a play scored, and the building."""

from companion.core.values import Json
from companion.games.entry import Entry
from companion.games.game import AnyState
from companion.games.highrise.entries import (
    WILD,
    BasementFilled,
    Built,
    DrewOne,
    Halves,
    format_halves,
)
from companion.games.highrise.rules import Highrise, HighriseState
from companion.presentation.drawing.faces import Half
from companion.presentation.drawing.paper import Paper
from companion.presentation.game import GamePresentation
from companion.presentation.highrise.drawing import (
    COLUMNS,
    ROWS,
    Building,
    BuildingTile,
    Field,
    draw_building,
)
from companion.presentation.highrise.keys import HIGHRISE_KEYS
from companion.presentation.highrise.short import play_sum
from companion.presentation.moment_sayings import asked_of, entry_said
from companion.presentation.sayings import said_as, say


def building_of(state: HighriseState) -> Building:
    """The building as far as it is certain. A tile that may lie in several places is only counted;
    so is every tile if the basement is not known."""
    board = state.board
    if board.layouts is None or board.basement is None:
        return Building(unplaced=len(board.laid))
    tiles = [
        BuildingTile(_shown(halves), (Field(0, column), Field(1, column)))
        for column, halves in enumerate(board.basement)
    ]
    latest, unplaced = None, 0
    first, *others = board.layouts
    for number, (halves, place) in enumerate(zip(board.laid, first.places, strict=True)):
        if any(other.places[number] != place for other in others):
            unplaced += 1
            continue
        if number == len(board.laid) - 1:
            latest = len(tiles)
        one, other_field = (Field(*divmod(field, COLUMNS)) for field in place.fields)
        tiles.append(BuildingTile(_shown(halves), (one, other_field), place.level, place.lifted))
    return Building(tuple(tiles), latest, unplaced)


def _shown(halves: Halves) -> tuple[Half, Half]:
    one, other = ("W" if half == WILD else half for half in halves)
    return one, other


class HighrisePresentation(GamePresentation):
    """The presentation of Highrise."""

    where = "where.pile"
    keys = HIGHRISE_KEYS

    def reason(self, state: HighriseState) -> str:
        """The values of the halves, the level, and the points: “6-3 × 2 = 18”; "" if none."""
        scored = state.board.scored
        return play_sum(scored) if scored else ""

    def draw(self, state: HighriseState, paper: Paper, *, stand_alone: bool = True) -> str | None:
        """The building seen from above, as SVG."""
        return draw_building(building_of(state), paper, stand_alone=stand_alone)

    # ------------------------------------------------------------ a moment

    def said(self, entry: Entry, _state: HighriseState, _now: AnyState | None = None) -> Json:
        """The entry in words."""
        match entry:
            case DrewOne():
                return say("entry.draws", seat=entry.seat)
            case BasementFilled():
                tiles = [format_halves(tile) for tile in entry.tiles]
                return say("entry.basement", tiles=tiles)
            case Built():
                key = "entry.builds" if entry.spacer is None else "entry.builds-spacer"
                tile = format_halves(entry.halves)
                return say(key, seat=entry.seat, tile=tile, level=entry.level)
        return entry_said(entry)

    def why(self, _entry: Entry, state: HighriseState) -> Json | None:
        """The values of the halves, the level, and the points; None if no play was scored."""
        scored = state.board.scored
        if scored is None:
            return None
        parts = {"level": scored.level, "points": scored.points}
        return said_as(self.reason(state), "reason.play", values=list(scored.values), **parts)

    def hand_said(self, state: HighriseState, hand: int, number: int) -> Json:
        """The sentence about the hand, the tiles left to draw, and the spacers left if they are
        known."""
        spacers = state.board.spacers
        if spacers is None:
            return say(self.where, hand=hand, number=number)
        left = {0: "no-spacer", 1: "spacer"}.get(spacers, "spacers")
        return say(f"{self.where}-{left}", hand=hand, number=number, spacers=spacers)

    def asked(self, game: Highrise, state: HighriseState) -> Json:
        """What the record waits for: a seat's turn, a holding, or the deal."""
        if needed := game.needed(state):
            return say("asks.show", seat=needed[0])
        return asked_of(game, state, begun=state.board.round is not None)

    def moment_json(self, state: HighriseState) -> Json:
        """The building seen from above, the spacers left, and the tiles held and to draw by the
        counts."""
        board, now = state.board, state.board.round
        if now is None:
            return {}
        building = building_of(state)
        # The uppermost half of each field, row by row; null if the record doesn't tell it.
        fields: list[list[Json | None]] = [[None] * COLUMNS for _ in range(ROWS)]
        for field, (tile, half) in building.tops.items():
            lifted = tile.lifted == half
            top = {"half": str(tile.halves[half]), "level": tile.level, "lifted": lifted}
            fields[field.row][field.column] = top
        return {
            "boneyard": now.boneyard,
            "held": dict(now.held.items()),
            "table": {
                "kind": "building",
                "fields": fields,
                "unplaced": building.unplaced,
                "spacers": board.spacers,
            },
        }
