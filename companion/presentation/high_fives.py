"""The presentation of High Fives: the possible entries, the tableau as a drawing, the moment's
JSON, and the words for a small display."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from companion.core.values import Json, dataclass
from companion.core.words import listed, mark, phrase
from companion.games.entries import HandDealt
from companion.games.game import AnyGame, AnyState, Entry, Payment
from companion.games.high_fives.entries import (
    SET,
    WORTH,
    Pair,
    PointsEntered,
    TableauPointsLeft,
    TableauShown,
    TilePutDown,
)
from companion.games.high_fives.rules import (
    HighFivesNotice,
    HighFivesState,
    boneyard,
    held,
    tiles_to_capture,
    turns_left,
)
from companion.games.high_fives.tableau import KnownTiles, captures_of, pairs_in, total_points
from companion.games.house_rules import Value
from companion.games.tiles import Tile, mask_of
from companion.presentation import keys
from companion.presentation.drawing.svg import (
    DOWN,
    UNIT,
    Bounds,
    Paper,
    coordinate,
    face,
    halo,
    number_of_tiles,
    rectangle,
    svg_drawing,
    window,
)
from companion.presentation.game import GamePresentation
from companion.presentation.keys import (
    COLLECT,
    FITS,
    FREE,
    LAID,
    LAY,
    NUMBER,
    Act,
    ExpectedEntry,
    ExpectedNumber,
    ExpectedTiles,
    GameKeys,
    OpenAnswer,
    OpenEntry,
    OpenQuestion,
    accepted_acts,
    tile_states,
)
from companion.presentation.sayings import (
    common_entry_in_short,
    common_waits_for,
    describe_common_entry,
    number_in_short,
    say,
    say_with_words,
    short,
)
from companion.record.settings import ENTRY_WAY

# ---------------------------------------------------------------- what can be entered


ENTRY_POINTS: Final = "points"
"""The value of the setting ENTRY_WAY for entering only the points of each turn."""


def _expected_entry(
    game: AnyGame, state: HighFivesState, settings: Mapping[str, Value]
) -> ExpectedEntry:
    """Returns the expected entry: after a deal, the tableau; then turns, as tiles or, if the
    tableau isn't known or the table enters only points, as points; at the end, the tiles left."""
    board = state.board
    counts_left = keys.is_accepted(game, state, TableauPointsLeft())
    left = (ExpectedNumber("left", "left", WORTH),) if counts_left else ()
    asked = ExpectedEntry("double-fifteen", numbers=left)
    if state.finished or not board.hand or turns_left(state) == 0:
        asks = asked.numbers and not state.finished
        return asked._replace(asks=NUMBER, question=say("key.ask-left")) if asks else asked
    won = WORTH - sum(state.scores.values)
    points = ExpectedNumber("points", "{seat} points", max(won, 0))
    asked = asked._replace(seat=state.to_move, numbers=(points, *asked.numbers))
    if not board.table.known or settings.get(ENTRY_WAY) == ENTRY_POINTS:
        return asked._replace(asks=NUMBER, question=say("key.ask-points"))
    asked = asked._replace(tiles=lambda: _states_of_tiles(board.table), fits="captures")
    if board.to_show and not board.turns:
        faces = ExpectedTiles("turned-up", "tableau", board.to_show)
        question = say("key.ask-turned-up", number=board.to_show)
        return asked._replace(asks=COLLECT, question=question, collects=faces)
    return asked._replace(asks=LAY)


def _single_key_acts(
    game: AnyGame, state: HighFivesState, _settings: Mapping[str, Value]
) -> Iterable[Act]:
    """Returns the entries that take a single key now: the deal, and ending the hand without
    counting the tiles that are left."""
    if state.finished:
        return ()
    board, found = state.board, list[Act]()
    if board.doubtful and turns_left(state) is None:
        found = [Act("next-hand", HandDealt())]
    elif not board.hand or turns_left(state) == 0:
        found = [*keys.deal_acts(state, lead_is_open=board.leader is None)]
    return accepted_acts(game, state, [*found, Act("left-uncounted", TableauPointsLeft())])


def _states_of_tiles(table: KnownTiles) -> dict[str, str]:
    """Returns the state of each tile. A tile captures something if it shares a half with a tile in
    the tableau."""
    shared = 0
    for tile in table.tiles:
        shared |= SET.suits[tile.low] | SET.suits[tile.high]
    return tile_states(SET, {table.seen | mask_of(table.tiles): LAID, shared: FITS}, FREE)


# ---------------------------------------------------------------- what a tile captures


def _open_questions(game: AnyGame, state: AnyState, entry: Entry, begun: bool) -> OpenEntry:
    """Returns the questions about a play: which tile it takes, if it can take one, and then which
    pair from the tableau. If it can take only one tile, that one is already chosen."""
    table: KnownTiles = state.board.table
    if not isinstance(entry, TilePutDown) or entry.insisted or not table.known:
        return OpenEntry(keys.completed_entry(game, state, entry))
    takes, must = captures_of(table, entry.tile), bool(tiles_to_capture(state, entry.tile))
    game.apply(state, replace(entry, takes=takes[0]) if begun and must and takes else entry)
    if begun and not entry.captured and len(takes) > 1:
        return OpenEntry(None, (_takes_question(entry, takes, decided=False, must=must),))
    if begun and not entry.captured and takes:
        entry = replace(entry, takes=takes[0])
    pairs = pairs_in(table, entry.takes)
    questions = [_takes_question(entry, takes, decided=True, must=must)] if takes else []
    if pairs:
        questions.append(_pair_question(entry, pairs))
    return OpenEntry(entry, tuple(questions))


def _takes_question(
    put: TilePutDown, takes: tuple[Tile, ...], *, decided: bool, must: bool
) -> OpenQuestion:
    """Returns the question of which tile the played one takes; `must`: whether it has to take
    one."""
    answers = [
        OpenAnswer(
            _with_captured_tile(put, tile),
            say("offer.worth", tiles=tile, points=_points_in_words(put.tile, tile)),
            put.takes == tile,
            {"tiles": [str(tile)]},
        )
        for tile in takes
    ]
    if not must:
        on = decided and put.takes is None
        answers.append(OpenAnswer(replace(put, takes=None), say("offer.nothing"), on))
    return OpenQuestion("takes", tuple(answers), {"tile": put.tile})


def _points_in_words(*tiles: Tile) -> str:
    return number_in_short(total_points(tiles), "point")


def _with_captured_tile(put: TilePutDown, takes: Tile) -> TilePutDown:
    """Returns the play, taking the tile `takes`. The play's pair is dropped if it contains that
    tile."""
    pair = None if put.pair and takes in put.pair else put.pair
    return replace(put, takes=takes, pair=pair)


def _pair_question(put: TilePutDown, pairs: tuple[Pair, ...]) -> OpenQuestion:
    answers = [OpenAnswer(replace(put, pair=None), say("offer.no-pair"), put.pair is None)]
    for pair in pairs:
        names = [*map(str, pair)]
        label = say("offer.worth", tiles=" ".join(names), points=_points_in_words(*pair))
        found = {"tiles": names, "under": names}
        answers.append(OpenAnswer(replace(put, pair=pair), label, put.pair == pair, found))
    return OpenQuestion("pair", tuple(answers))


HIGH_FIVES_KEYS = GameKeys(_expected_entry, _single_key_acts, _open_questions)


# ---------------------------------------------------------------- drawing


TileHalves = tuple[int, int]
"""The pips of the two halves of a double-fifteen tile, in the order of the tile's name."""

ACROSS, HIGH = 3, 5
"""The width and height of a tableau place with its margin, in quarters of a tile."""
USUAL = 20
"""The number of tiles for which the rows and columns are laid out to fill the paper."""

TITLE, EMPTY = mark("The tableau: {tiles}"), mark("There are no tiles.")
LIST, LAST = mark("{tiles}."), mark("Laid last: {tile}.")


@dataclass(frozen=True, slots=True)
class Tableau:
    """The tile at each place, None for a free place. `latest` is the place of the tile played last,
    if that is still there. Raises ValueError if there is no tile at `latest`."""

    places: tuple[TileHalves | None, ...] = ()
    latest: int | None = None

    def __post_init__(self) -> None:
        if self.latest is not None and not (
            0 <= self.latest < len(self.places) and self.places[self.latest]
        ):
            raise ValueError("no tile lies at the latest place")

    @property
    def tiles(self) -> tuple[TileHalves, ...]:
        return tuple(tile for tile in self.places if tile)

    def after(self, laid: TileHalves | None, taken: Iterable[TileHalves]) -> "Tableau":
        """Returns the tableau after a turn: without the tiles in `taken` and, unless `laid` is
        None, with that tile in the first free place. Raises ValueError if one of `taken` is not in
        the tableau."""
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
    """Returns the tableau as SVG that fills a paper of that shape. On a page each tile carries its
    name, so that it can be tapped."""
    columns = max(round((USUAL * paper.width / paper.height * HIGH / ACROSS) ** 0.5), 1)
    parts, needed = [], [Bounds(-1.5, -2.5, 1.5, 2.5)]
    for number, tile in enumerate(tableau.places):
        x, y = number % columns * ACROSS, number // columns * HIGH
        needed.append(needed[-1].joined(Bounds(x - 1.5, y - 2.5, x + 1.5, y + 2.5)))
        if tile:
            at = f"{coordinate(x * UNIT)} {coordinate(y * UNIT)}"
            name = "" if stand_alone else f' data-tile="{_tile_name(tile)}"'
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
        tableau_title(tableau),
        tableau_in_words(tableau),
        stand_alone=stand_alone,
        language=paper.language,
    )


def tableau_title(tableau: Tableau) -> str:
    return phrase(TITLE, tiles=number_of_tiles(len(tableau.tiles)))


def tableau_in_words(tableau: Tableau) -> str:
    """Returns sentences that name the tiles, and the one played last."""
    if not tableau.tiles:
        return phrase(EMPTY)
    words: list[str] = [phrase(LIST, tiles=", ".join(map(_tile_name, tableau.tiles)))]
    if tableau.latest is not None:
        words.append(phrase(LAST, tile=_tile_name(tableau.places[tableau.latest] or (0, 0))))
    return listed(words, " ")


def _tile_name(tile: TileHalves) -> str:
    return f"{tile[0]}-{tile[1]}"


# ---------------------------------------------------------------- a moment


def tableau_of(state: HighFivesState) -> Tableau | None:
    """Returns the tableau of a state; None if its tiles are not known."""
    table = state.board.table
    if not table.known:
        return None
    places = tuple(None if tile is None else (tile.low, tile.high) for tile in table.places)
    return Tableau(places, table.latest)


class HighFivesPresentation(GamePresentation):
    where_key = "where.to-deal"
    keys = HIGH_FIVES_KEYS

    def reason_text(self, state: HighFivesState) -> str:
        """Returns the captured tiles that are worth points: “7-8: 3”; "" if there are none."""
        return scoring_tiles(state)

    def draw(self, state: HighFivesState, paper: Paper, *, stand_alone: bool = True) -> str | None:
        """Returns the tableau as SVG; None if it isn't known."""
        tableau = tableau_of(state)
        return draw_tableau(tableau, paper, stand_alone=stand_alone) if tableau else None

    # ------------------------------------------------------------ a moment

    def describe_entry(
        self, entry: Entry, _state: HighFivesState, _now: AnyState | None = None
    ) -> Json:
        """Returns the entry as a sentence."""
        match entry:
            case TableauShown():
                return say("entry.turned-up", tiles=entry.tiles)
            case TilePutDown():
                return _describe_play(entry)
            case PointsEntered():
                return say("entry.points", seat=entry.seat, points=entry.points)
            case TableauPointsLeft(points=None):
                return say("entry.left-uncounted")
            case TableauPointsLeft():
                return say("entry.left", points=entry.points)
        return describe_common_entry(entry)

    def describe_reason(self, _entry: Entry, state: HighFivesState) -> Json | None:
        """Returns the captured tiles that are worth points, with their points; None if there are
        none."""
        words = self.reason_text(state)
        if not words or state.board.taken is None:
            return None
        scoring = state.board.taken.scoring
        tiles, points = [tile for tile, _ in scoring], [points for _, points in scoring]
        return say_with_words(words, "reason.captured", tiles=tiles, points=points)

    def waits_for(self, game: AnyGame, state: HighFivesState) -> Json:
        """Returns the sentence about what the record waits for: a seat's turn, the deal, or what is
        left in the tableau."""
        ended = state.board.hand > 0 and turns_left(state) == 0 and not game.next_lead(state)
        return (
            say("asks.left") if ended else common_waits_for(game, state, begun=state.board.hand > 0)
        )

    def moment_json(self, state: HighFivesState) -> Json:
        """Returns the places of the tableau, null for a free one, and the numbers of tiles held and
        still to deal."""
        tableau = tableau_of(state)
        found: Json = {"boneyard": boneyard(state), "held": held(state)}
        if tableau is not None:
            places = [None if tile is None else f"{tile[0]}-{tile[1]}" for tile in tableau.places]
            found["table"] = {"kind": "tableau", "places": places, "latest": tableau.latest}
        return found


def _describe_play(put: TilePutDown) -> Json:
    parts: dict[str, object] = {"seat": put.seat, "tile": put.tile}
    if put.takes:
        parts["takes"] = put.takes
    if put.pair:
        parts["pair"] = put.pair
    how = "".join(f"-{name}" for name in ("takes", "pair") if name in parts)
    return say(f"entry.lays{how}", **parts)


# ---------------------------------------------------------------- short words


def entry_in_short(entry: Entry) -> str:
    """Returns an entry for a small display: the tile played and the tiles that it took, short
    enough to leave room for the points after it. “Red 7-8 8-9”, “Red 3-3, 0-1 1-2”, “Red 7-8 8-9 +
    pair”."""
    match entry:
        case HandDealt():
            return short("dealt")
        case TableauShown():
            return short("face-up", tiles=number_in_short(len(entry.tiles), "tile"))
        case TilePutDown(takes=None, pair=None):
            return short("entry", seat=entry.seat, text=str(entry.tile))
        case TilePutDown(takes=None):
            pair = " ".join(map(str, entry.pair or ()))
            return short("lays-pair", seat=entry.seat, tile=entry.tile, pair=pair)
        case TilePutDown():
            key = "takes-pair" if entry.pair else "takes"
            return short(key, seat=entry.seat, tile=entry.tile, takes=entry.takes)
        case PointsEntered():
            return short("by-points", seat=entry.seat)
        case TableauPointsLeft():
            return short("left")
    return common_entry_in_short(entry)


def reason_in_short(state: HighFivesState, payment: Payment) -> str:
    """Returns the reason for a payment: “7-8: 3”, with one term per tile if the tiles are known."""
    return scoring_tiles(state) or short("for", why=short("told"), points=payment.points)


def scoring_tiles(state: HighFivesState) -> str:
    """Returns the captured tiles that are worth points: “7-8: 3”; "" if there are none."""
    taken = state.board.taken
    if taken is None or state.effect.turn is None:
        return ""
    return ", ".join(f"{tile}: {points}" for tile, points in taken.scoring)


def tableau_in_short(state: HighFivesState) -> str:
    """Returns “Tableau: 9 tiles, 12 points”; if its tiles are not known, only the points that are
    still to be won."""
    table = state.board.table
    if table.known and table.points is not None:
        number = len(table.tiles)
        key = "lies" if number == 1 else "lie"
        return short(
            key,
            tiles=number_in_short(number, "tile"),
            points=number_in_short(table.points, "point"),
        )
    return short("not-won", points=WORTH - sum(state.scores.values), worth=WORTH)


def points_check_sentence(state: HighFivesState) -> str:
    """Returns the sentence about whether, at a game's end, the points of the seats and of the
    tableau add up to 100; "" if that is not known."""
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
        return short(key, points=number_in_short(abs(missing), "point"), worth=WORTH)
    left = state.board.left
    return short("all-there", worth=WORTH, left=left) if left is not None else ""
