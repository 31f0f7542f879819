"""The tableau of High Fives, the tiles that lie face up, as data and as a drawing. Tiles stand
upright in rows. Each keeps its place until it is taken; then the place is free for another tile. So
no tile that people look at moves."""

from collections.abc import Iterable
from dataclasses import dataclass

from companion.core.words import listed, mark, phrase
from companion.presentation.drawing.faces import DOWN, UNIT, coordinate, face, rectangle
from companion.presentation.drawing.paper import Bounds, Paper, window
from companion.presentation.drawing.svg import halo, svg_drawing
from companion.presentation.words import tiles_in_words

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
