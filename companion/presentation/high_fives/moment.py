"""The parts of a moment's JSON that only High Fives has: what was captured, and the tableau."""

from collections.abc import Iterable
from dataclasses import dataclass

from companion.core.values import Json
from companion.core.words import listed, mark, phrase
from companion.games.entry import Entry
from companion.games.game import AnyGame, AnyState
from companion.games.high_fives.board import HighFivesState
from companion.games.high_fives.entries import LeftOver, PointsEntered, PutDown, TableauShown
from companion.games.high_fives.rules import boneyard, held, turns_left
from companion.presentation.drawing.faces import UNIT, coordinate, face, rectangle
from companion.presentation.drawing.paper import Bounds, Paper, window
from companion.presentation.drawing.svg import halo, svg_drawing
from companion.presentation.drawing.vector import DOWN
from companion.presentation.game import GamePresentation
from companion.presentation.high_fives.keys import HIGH_FIVES_KEYS
from companion.presentation.high_fives.short import captured
from companion.presentation.moment_sayings import asked_of, entry_said
from companion.presentation.sayings import said_as, say
from companion.presentation.words import tiles_in_words

# ---------------------------------------------------------------- drawing
# The tableau of High Fives, the tiles that lie face up, as data and as a drawing. Tiles stand
# upright in rows. Each keeps its place until it is taken; then the place is free for another tile.
# So no tile that people look at moves.


TileHalves = tuple[int, int]
"""The pips of a tile of the double-fifteen set, in the order in which its name has them."""

ACROSS, HIGH = 3, 5
"""The width and height of a place in the tableau, in quarters of a tile: a tile with some room
about it."""
USUAL = 20
"""The number of tiles for which rows and columns are chosen so that they fill the paper."""

TITLE, EMPTY = mark("The tableau: {tiles}"), mark("No tile is there.")
LIST, LAST = mark("{tiles}."), mark("Laid last: {tile}.")


@dataclass(frozen=True, slots=True)
class Tableau:
    """The tiles by their places, None for a place that is free again. `latest`: the place of the
    tile laid last, if it is still there. Raises ValueError if no tile is at `latest`."""

    places: tuple[TileHalves | None, ...] = ()
    latest: int | None = None

    def __post_init__(self) -> None:
        if self.latest is not None and not (
            0 <= self.latest < len(self.places) and self.places[self.latest]
        ):
            raise ValueError("no tile lies at the latest place")

    @property
    def tiles(self) -> tuple[TileHalves, ...]:
        """The tiles that lie there."""
        return tuple(tile for tile in self.places if tile)

    def after(self, laid: TileHalves | None, taken: Iterable[TileHalves]) -> "Tableau":
        """The tableau after a turn: the tiles in `taken` are gone, and `laid`, unless None, is in
        the first free place. Raises ValueError if one of `taken` is not in the tableau."""
        places = [*self.places]
        for tile in taken:
            places[places.index(tile)] = None
        if laid is None:
            return Tableau(tuple(places))
        if None not in places:
            places.append(None)
        at = places.index(None)
        places[at] = laid
        return Tableau(tuple(places), at)


def draw_tableau(tableau: Tableau, paper: Paper, *, stand_alone: bool = False) -> str:
    """The tableau as SVG that fills a paper of that shape; see `picture` for `stand_alone`. On a
    page each tile has its name, so that it can be tapped."""
    columns = max(round((USUAL * paper.width / paper.height * HIGH / ACROSS) ** 0.5), 1)
    parts, needed = [], [Bounds(-1.5, -2.5, 1.5, 2.5)]
    for number, tile in enumerate(tableau.places):
        x, y = number % columns * ACROSS, number // columns * HIGH
        needed.append(needed[-1].joined(Bounds(x - 1.5, y - 2.5, x + 1.5, y + 2.5)))
        if tile:
            at = f"{coordinate(x * UNIT)} {coordinate(y * UNIT)}"
            name = "" if stand_alone else f' data-tile="{_tile(tile)}"'
            parts.append(f'<g{name} transform="translate({at})">{face(*tile, DOWN)}</g>')
        else:
            middle = (x * UNIT, y * UNIT)
            parts.append(rectangle("outline", middle, 2 * UNIT - 1, 4 * UNIT - 1, 3.5))
        if number == tableau.latest:
            parts.append(halo(Bounds(x - 1, y - 2, x + 1, y + 2)))
    seen = window(needed, paper, 2 * HIGH)
    drawn = "".join(parts)
    return svg_drawing(
        drawn,
        seen,
        entitle(tableau),
        describe(tableau),
        stand_alone=stand_alone,
        language=paper.language,
    )


def entitle(tableau: Tableau) -> str:
    """The drawing's name: how many tiles lie there."""
    return phrase(TITLE, tiles=tiles_in_words(len(tableau.tiles)))


def describe(tableau: Tableau) -> str:
    """The drawing in sentences: the tiles, and the one laid last."""
    if not tableau.tiles:
        return phrase(EMPTY)
    words: list[str] = [phrase(LIST, tiles=", ".join(map(_tile, tableau.tiles)))]
    if tableau.latest is not None:
        words.append(phrase(LAST, tile=_tile(tableau.places[tableau.latest] or (0, 0))))
    return listed(words, " ")


def _tile(tile: TileHalves) -> str:
    return f"{tile[0]}-{tile[1]}"


# ---------------------------------------------------------------- moment


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
