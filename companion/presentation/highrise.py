"""The presentation of Highrise: the possible entries, the building as a drawing, the moment's JSON,
and the words for a small display."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from companion.core.seats import Seat
from companion.core.values import Json, dataclass
from companion.core.words import listed, mark, phrase
from companion.games.entries import HandBlocked, HandDealt, TurnPassed, WentOut
from companion.games.game import AmbiguousEntry, AnyGame, AnyState, B, Entry, Payment
from companion.games.highrise.building import (
    NEIGHBOURS,
    ROWS,
    Layouts,
    PlayScored,
    Result,
    Ways,
    matches,
    ways_as_entered,
    ways_of,
)
from companion.games.highrise.entries import (
    COLUMNS,
    SET,
    WILD,
    BasementFilled,
    Halves,
    OneTileDrawn,
    TileStacked,
    format_half,
    format_halves,
)
from companion.games.highrise.rules import Highrise, HighrisePaymentReason, HighriseState
from companion.games.house_rules import Value
from companion.games.round import Round, Stage
from companion.presentation import keys
from companion.presentation.drawing.svg import (
    UNIT,
    Bounds,
    Half,
    Paper,
    Vector,
    coordinate,
    half_face,
    halo,
    number_of_tiles,
    rectangle,
    svg_drawing,
    text_at,
    unplaced_sentence,
    window_around,
)
from companion.presentation.game import GamePresentation, HandResult
from companion.presentation.keys import (
    APART,
    COLLECT,
    FITS,
    FREE,
    LAID,
    LAY,
    Act,
    ExpectedEntry,
    ExpectedTiles,
    GameKeys,
    OpenAnswer,
    OpenEntry,
    OpenQuestion,
    accepted_acts,
    seems_out,
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
from companion.record.journal import Journal

# ---------------------------------------------------------------- what can be entered


BASEMENT: Final = "basement"
"""The setting for whether the basement is entered."""
BASEMENT_SKIPPED: Final = "not-told"
"""The value of BASEMENT for not entering it."""
LEVELS_AT_ONCE = 9
"""The number of levels in one group of answers. At least this many levels are offered."""


def _expected_entry(
    game: AnyGame, state: HighriseState, settings: Mapping[str, Value]
) -> ExpectedEntry:
    """Returns the expected entry: after a deal, the basement, if the table enters it; then turns;
    at the end, holdings."""
    now, asked = state.board.round, ExpectedEntry("highrise")
    if now is None or state.finished or now.stage is Stage.OVER:
        return asked
    if now.playing:
        asked = asked._replace(seat=now.to_move, tiles=lambda: _states_of_tiles(state), fits="fits")
        if now.turn or state.board.basement or settings.get(BASEMENT) == BASEMENT_SKIPPED:
            return asked._replace(asks=LAY)
        below = ExpectedTiles("basement", "basement", COLUMNS, turns=True)
        return asked._replace(
            asks=COLLECT, question=say("key.ask-basement", number=COLUMNS), collects=below
        )
    assert isinstance(game, Highrise), "these are its keys"
    needed = game.seats_to_show(state)
    if not needed:
        return asked
    asked = asked._replace(tiles=lambda: _states_without_building(state), fits="shown")
    return keys.with_holdings_expected(asked, needed, SET.pips)


def _single_key_acts(
    game: AnyGame, state: HighriseState, _settings: Mapping[str, Value]
) -> Iterable[Act]:
    now = state.board.round
    if state.finished:
        return ()
    if now is None or now.stage is Stage.OVER:
        found = keys.deal_acts(state, lead_is_open=game.next_lead(state) is None)
    else:
        found = _hand_acts(state, now)
    return accepted_acts(game, state, found)


def _hand_acts(state: HighriseState, now: Round) -> Iterator[Act]:
    """Yields the entries of a hand that take a single key now, likeliest first."""
    last = now.last_to_play
    out = last is not None and not now.confirmed and WentOut(last)
    if out and now.held[out.seat] == 0:
        yield Act("out", out)
    for seat in [now.to_move] if now.to_move else state.seats:
        draw, most = "draw" if now.to_move else "draw-of", min(now.tiles_to_draw, 1)
        yield Act(draw, OneTileDrawn(seat), most=most, reopens=now.ended)
        yield Act("pass" if now.to_move else "pass-of", TurnPassed(seat), reopens=now.ended)
    if out and now.held[out.seat]:
        yield Act("out-early", out)
    yield Act("blocked", HandBlocked())


# ---------------------------------------------------------------- the tiles


def _states_of_tiles(state: HighriseState) -> Mapping[str, str]:
    """Returns the state of each tile. If the building is known, it shows whether the tile fits
    somewhere; otherwise every tile that isn't on the table counts as playable."""
    board = state.board
    if board.layouts is None:
        return _states_without_building(state)
    fit = _fitting_tiles(board.layouts, spacer=board.spacers != 0)
    return tile_states(SET, {board.on_table: LAID, fit: FITS}, APART)


def _states_without_building(state: HighriseState) -> Mapping[str, str]:
    return tile_states(SET, {state.board.on_table: LAID}, FREE)


def _fitting_tiles(layouts: Layouts, *, spacer: bool) -> int:
    """Returns the tiles that fit somewhere in one of the layouts, as a bit mask."""
    sites: set[Halves] = set()
    for layout in layouts:
        tops = layout.tops
        for at, beside in NEIGHBOURS:
            one, other = tops[at], tops[beside]
            if one.tile != other.tile and abs(one.level - other.level) <= int(spacer):
                sites.add((one.half, other.half))
    return sum(
        tile.bit
        for tile in SET.tiles
        if any(
            (matches(tile.low, one) and matches(tile.high, other))
            or (matches(tile.low, other) and matches(tile.high, one))
            for one, other in sites
        )
    )


# ---------------------------------------------------------------- the place of a tile


def _open_questions(game: AnyGame, state: AnyState, entry: Entry, begun: bool) -> OpenEntry:
    """Returns the questions about a play: the place of the tile; or if the building is not known,
    what the tile covers, its level and the spacer."""
    if not isinstance(entry, TileStacked):
        return OpenEntry(keys.completed_entry(game, state, entry))
    if state.board.layouts is None:
        return _questions_without_building(game, state, entry, begun=begun)
    layouts, spacer = state.board.layouts, state.board.spacers != 0
    ways = ways_of(layouts, entry.halves, spacer=spacer)
    try:
        said = keys.completed_entry(game, state, entry)
    except AmbiguousEntry:
        said = None
    if len(ways) < 2:
        return OpenEntry(said)
    fitting = ways_as_entered(ways, entry) if said is None else ways
    return OpenEntry(said, (_place_question(entry, ways, fitting, said),))


def _place_question(
    built: TileStacked, ways: Ways, fitting: Ways, said: Entry | None
) -> OpenQuestion:
    """Returns the question of where to place the tile. The answer that scores most comes first."""
    best = sorted(fitting, key=lambda result: -PlayScored.of(built, result).points)
    levels = {result.level for result in best}
    answers = (_place_answer(built, result, ways, said, levels) for result in best)
    return OpenQuestion("where", tuple(answers))


def _place_answer(
    built: TileStacked, result: Result, ways: Ways, said: Entry | None, levels: set[int]
) -> OpenAnswer:
    entry = result.entry_for(built)
    parts: dict[str, object] = {
        **_halves_as_parts(result.on),
        "level": result.level,
        "points": number_in_short(PlayScored.of(built, result).points, "point"),
    }
    label = say("offer.place", **parts)
    if result.spacer is not None:
        label = say("offer.place-spacer", **parts, spacer=format_half(result.spacer))
    places = sorted({place.fields for _, place in ways[result]})
    under = [say("offer.on-level", level=result.level)["words"]] if len(levels) > 1 else []
    return OpenAnswer(entry, label, entry == said, {"places": [*map(list, places)], "under": under})


def _halves_as_parts(on: Halves) -> dict[str, str]:
    """Returns the tile's two halves as parts of a sentence."""
    return {"one": format_half(on[0]), "other": format_half(on[1])}


# ---------------------------------------------------------------- without the basement


def _questions_without_building(
    game: AnyGame, state: HighriseState, built: TileStacked, *, begun: bool
) -> OpenEntry:
    """Returns the questions about a play in an unknown building: its level, whether a spacer is
    under it, and what it covers if a half is wild."""
    questions, wild = list[OpenQuestion](), WILD in built.halves
    if wild:
        questions.append(_covers_question(built))
    questions.append(_level_question(state, built))
    if built.level and built.level > 1 and state.board.spacers != 0:
        questions.append(_spacer_question(built))
    said = built.level is not None and (built.on is not None or not wild)
    if not said and not begun:
        game.apply(state, built)  # raises RuleError about what is missing
    return OpenEntry(keys.completed_entry(game, state, built) if said else None, tuple(questions))


def _covers_question(built: TileStacked) -> OpenQuestion:
    """Returns the question of what a wild tile covers. A half that isn't wild covers an equal
    one."""
    first, second = built.halves
    both = first == second
    ons = (
        (one, other)
        for one in (range(WILD + 1) if first == WILD else (first,))
        for other in (range(WILD + 1) if second == WILD else (second,))
        if not both or one <= other
    )
    answers = (
        OpenAnswer(
            replace(built, on=on, spacer=built.spacer if built.spacer in on else None),
            say("offer.covered", **_halves_as_parts(on)),
            built.on == on,
            {
                "under": [
                    say("offer.covered-one", half=format_half(half))["words"] for half in {*on}
                ]
            },
        )
        for on in ons
    )
    return OpenQuestion("covers", tuple(answers))


def _level_question(state: HighriseState, built: TileStacked) -> OpenQuestion:
    """Returns the question about the tile's level. The highest level offered is one more than the
    number of tiles played, but at least LEVELS_AT_ONCE. If the spacers are not known because
    entries were lost, every possible level is offered."""
    lost = state.board.spacers is None
    most = len(SET) - COLUMNS if lost else max(len(state.board.tiles_played) + 1, LEVELS_AT_ONCE)
    answers = (
        OpenAnswer(
            replace(built, level=level, spacer=built.spacer if level > 1 else None),
            say("offer.on-level", level=level),
            built.level == level,
            {"under": [say("offer.levels", first=level - (level - 1) % LEVELS_AT_ONCE)["words"]]},
        )
        for level in range(1, most + 1)
    )
    return OpenQuestion("level", tuple(answers))


def _spacer_question(built: TileStacked) -> OpenQuestion:
    """Returns the question whether a spacer is under one of the covered halves, and which."""
    none = OpenAnswer(replace(built, spacer=None), say("offer.no-spacer"), built.spacer is None)
    answers = (
        OpenAnswer(
            replace(built, spacer=half),
            say("offer.spacer-under", half=format_half(half)),
            built.spacer == half,
        )
        for half in sorted({*(built.on or built.halves)})
    )
    return OpenQuestion("spacer", (none, *answers))


def _draw_insertions(journal: Journal[Any]) -> Iterator[Act]:
    """Yields the act that inserts a forgotten draw, if a seat has a turn without a draw and seems
    to be out of tiles."""
    state: HighriseState = journal.state
    seat = None if state.finished else seems_out(state.board.round)
    place = None if seat is None else last_play_without_draw(journal, seat)
    if seat is not None and place is not None:
        yield Act("forgot-draw", OneTileDrawn(seat), place)


HIGHRISE_KEYS = GameKeys(_expected_entry, _single_key_acts, _open_questions, _draw_insertions)


def last_play_without_draw(journal: Journal[B], seat: Seat) -> int | None:
    """Returns the place of the seat's latest play in this hand without a draw before it; None if
    there is none. In Highrise a seat may draw only one tile per turn."""
    later: tuple[int, TileStacked] | None = None
    for place, entry, _ in journal.newest_first():
        if later is not None and entry != OneTileDrawn(seat):
            return later[0]
        later = (place, entry) if isinstance(entry, TileStacked) and entry.seat == seat else None
        if entry.deals:
            break
    return None


# ---------------------------------------------------------------- drawing


FIELD = 2.6
"""The side of a field, in quarters of a tile; larger than a half, so that the level fits into the
corner."""
WALL, HIGHEST = 0.14, 5
"""How much higher each level is drawn than the one below it, in quarters of a tile, and the level
from which on all tiles are drawn at the same height."""

TITLE = mark("The building: {tiles} above the basement")
COLUMN = mark("Column {number}: {fields}.")
FIELD_WORDS, BASEMENT_FIELD = mark("{half} on level {level}"), "{half}"
NOT_KNOWN = mark("not known")
LAST = mark("Laid last: {tile} on level {level}.")
LIFTED = mark("A spacer lifts the {half}.")


class Field(NamedTuple):
    """A field of the grid: row 0 is at the top, column 0 on the left."""

    row: int
    column: int


@dataclass(frozen=True, slots=True)
class BuildingTile:
    """A tile of the building: its halves (0 to 6, or `W` for a wild one) and the field of each.
    `level` is 0 in the basement. `lifted` is 0 or 1 if a spacer lifts the first or the second half,
    otherwise None. Raises ValueError if the fields are not neighbours in the grid."""

    halves: tuple[Half, Half]
    fields: tuple[Field, Field]
    level: int = 0
    lifted: int | None = None

    def __post_init__(self) -> None:
        (row, column), (other_row, other_column) = self.fields
        if abs(row - other_row) + abs(column - other_column) != 1:
            raise ValueError("a tile covers two fields beside each other")
        if not all(0 <= r < ROWS and 0 <= c < COLUMNS for r, c in self.fields):
            raise ValueError(f"the building has {ROWS} by {COLUMNS} fields")


@dataclass(frozen=True, slots=True)
class Building:
    """The building: `tiles` in the order in which they were played. `latest`: the index in `tiles`
    of the tile played last, None if that tile is not among them. `unplaced`: the number of tiles
    whose place isn't in the record. Raises ValueError if there is no tile at `latest`."""

    tiles: tuple[BuildingTile, ...] = ()
    latest: int | None = None
    unplaced: int = 0

    def __post_init__(self) -> None:
        if self.latest is not None and not 0 <= self.latest < len(self.tiles):
            raise ValueError("the latest tile is none of these")

    @property
    def tops(self) -> dict[Field, tuple[BuildingTile, int]]:
        """The uppermost tile of each occupied field, and which of its halves (0 or 1) is there."""
        found: dict[Field, tuple[BuildingTile, int]] = {}
        for tile in self.tiles:
            for half, field in enumerate(tile.fields):
                if field not in found or found[field][0].level <= tile.level:
                    found[field] = tile, half
        return found


def draw_building(building: Building, paper: Paper, *, stand_alone: bool = False) -> str:
    """Returns the building as SVG that fills a paper of that shape. On an upright paper it is
    turned by a quarter, with its first column at the top. On a page each field carries its number,
    counted row by row, so that it can be tapped."""
    view = _Grid(paper.upright)
    ground = [
        view.box("outline", (Field(0, column), Field(1, column)), 0) for column in range(COLUMNS)
    ]
    by_level = sorted(building.tiles, key=lambda tile: tile.level)
    tiles = [part for tile in by_level for part in _draw_tile(tile, view)]
    levels = [_draw_level(field, *top, view) for field, top in building.tops.items()]
    if building.latest is not None:
        latest = building.tiles[building.latest]
        tiles.append(halo(view.bounds(latest.fields, latest.level)))
    corners = (Field(0, 0), Field(ROWS - 1, COLUMNS - 1))
    seen = window_around(view.bounds(corners, 0).grown(0.9), paper)
    sites = [] if stand_alone else [*_draw_tap_targets(building, view)]
    drawn = "".join([*ground, *tiles, *levels, *sites])
    return svg_drawing(
        drawn,
        seen,
        building_title(building),
        building_in_words(building),
        stand_alone=stand_alone,
        language=paper.language,
    )


class _Grid(NamedTuple):
    """The positions of the fields in a drawing, with the grid's rows across the paper or, if
    `upright`, down the paper."""

    upright: bool

    def middle(self, field: Field, level: int) -> tuple[float, float]:
        """Returns the middle of a field's half on that level, in quarters of a tile."""
        x, y = (field.column + 0.5) * FIELD, (field.row - ROWS / 2 + 0.5) * FIELD
        if self.upright:
            x, y = -y, x
        return x, y - min(level, HIGHEST) * WALL

    def bounds(self, fields: tuple[Field, Field], level: int) -> Bounds:
        """Returns the smallest rectangle around two fields on that level."""
        (x, y), (other_x, other_y) = (self.middle(field, level) for field in fields)
        middles = Bounds(min(x, other_x), min(y, other_y), max(x, other_x), max(y, other_y))
        return middles.grown(FIELD / 2 - 0.05)

    def box(self, name: str, fields: tuple[Field, Field], level: int) -> str:
        """Returns an SVG rectangle around two fields on that level, with the CSS class `name`."""
        left, top, right, bottom = (side * UNIT for side in self.bounds(fields, level))
        return rectangle(
            name, ((left + right) / 2, (top + bottom) / 2), right - left, bottom - top, 3.5
        )


def _draw_tile(tile: BuildingTile, view: _Grid) -> Iterator[str]:
    """Returns a tile's wall and its face. The halves are drawn off-centre to leave the corners free
    for the levels."""
    if tile.level:
        yield view.box("wall", tile.fields, min(tile.level, HIGHEST) - 1)
    yield view.box("face", tile.fields, tile.level)
    spots = [view.middle(field, tile.level) for field in tile.fields]
    (x, y), (other_x, other_y) = ((one * UNIT, two * UNIT) for one, two in spots)
    direction = Vector(round((other_x - x) / (FIELD * UNIT)), round((other_y - y) / (FIELD * UNIT)))
    middle, bar = ((x + other_x) / 2, (y + other_y) / 2), direction.quarter
    start, end = (
        f"{coordinate(middle[0] + by * bar.x)} {coordinate(middle[1] + by * bar.y)}"
        for by in (-9, 9)
    )
    yield f'<path class="bar" d="M{start}L{end}"/>'
    for half, (at_x, at_y) in zip(tile.halves, ((x, y), (other_x, other_y)), strict=True):
        yield half_face(half, direction, (at_x - 1.5, at_y + 1.5))


def _draw_tap_targets(building: Building, view: _Grid) -> Iterator[str]:
    """Returns an invisible rectangle for every field, with its number, so that it can be tapped."""
    tops = building.tops
    for number in range(ROWS * COLUMNS):
        field = Field(*divmod(number, COLUMNS))
        x, y = view.middle(field, tops[field][0].level if field in tops else 0)
        side = FIELD * UNIT - 2
        spot = rectangle("site", (x * UNIT, y * UNIT), side, side, 3.5)
        yield f'<g data-field="{number}">{spot}</g>'


def _draw_level(field: Field, tile: BuildingTile, half: int, view: _Grid) -> str:
    """Returns the level of a field's uppermost half, for the corner; with a brass rim if a spacer
    is below it."""
    if not tile.level:
        return ""
    x, y = (value * UNIT for value in view.middle(field, tile.level))
    x, y = x + 8.2, y - 8.2
    name = "level lifted" if tile.lifted == half else "level"
    circle = f'<circle class="{name}" cx="{coordinate(x)}" cy="{coordinate(y)}" r="4"/>'
    return circle + text_at("level-number", x, y, 6, str(tile.level))


# ---------------------------------------------------------------- in words


def building_title(building: Building) -> str:
    """Returns the number of tiles above the basement, as the drawing's title."""
    number = sum(tile.level > 0 for tile in building.tiles) + building.unplaced
    return phrase(TITLE, tiles=number_of_tiles(number))


def building_in_words(building: Building) -> str:
    """Returns sentences that name the uppermost halves, column by column from top to bottom, and
    the tile played last."""
    return listed(_building_sentences(building), " ")


def _building_sentences(building: Building) -> Iterator[str]:
    tops = building.tops
    for column in range(COLUMNS):
        fields = [_field_in_words(tops.get(Field(row, column))) for row in range(ROWS)]
        yield phrase(COLUMN, number=column + 1, fields=listed(fields))
    if building.unplaced:
        yield unplaced_sentence(building.unplaced)
    if building.latest is not None:
        tile = building.tiles[building.latest]
        yield phrase(LAST, tile="-".join(map(str, tile.halves)), level=tile.level)
        if tile.lifted is not None:
            yield phrase(LIFTED, half=tile.halves[tile.lifted])


def _field_in_words(top: tuple[BuildingTile, int] | None) -> str:
    if top is None:
        return phrase(NOT_KNOWN)
    tile, half = top
    words = FIELD_WORDS if tile.level else BASEMENT_FIELD
    return phrase(words, half=tile.halves[half], level=tile.level)


# ---------------------------------------------------------------- a moment


def building_of(state: HighriseState) -> Building:
    """Returns the building as far as it is certain. A tile that may be in several places is only
    counted. Without a known basement all tiles are only counted."""
    board = state.board
    if board.layouts is None or board.basement is None:
        return Building(unplaced=len(board.tiles_played))
    tiles = [
        BuildingTile(_halves_as_shown(halves), (Field(0, column), Field(1, column)))
        for column, halves in enumerate(board.basement)
    ]
    latest, unplaced = None, 0
    first, *others = board.layouts
    for number, (halves, place) in enumerate(zip(board.tiles_played, first.places, strict=True)):
        if any(other.places[number] != place for other in others):
            unplaced += 1
            continue
        if number == len(board.tiles_played) - 1:
            latest = len(tiles)
        one, other_field = (Field(*divmod(field, COLUMNS)) for field in place.fields)
        tiles.append(
            BuildingTile(_halves_as_shown(halves), (one, other_field), place.level, place.lifted)
        )
    return Building(tuple(tiles), latest, unplaced)


def _halves_as_shown(halves: Halves) -> tuple[Half, Half]:
    one, other = ("W" if half == WILD else half for half in halves)
    return one, other


class HighrisePresentation(GamePresentation):
    where_key = "where.pile"
    keys = HIGHRISE_KEYS
    has_streaks = False

    def reason_text(self, state: HighriseState) -> str:
        """Returns the values of the halves, the level, and the points: “6-3 × 2 = 18”; "" if no
        play was scored."""
        scored = state.board.scored
        return play_sum(scored) if scored else ""

    def draw(self, state: HighriseState, paper: Paper, *, stand_alone: bool = True) -> str | None:
        """Returns the building seen from above, as SVG."""
        return draw_building(building_of(state), paper, stand_alone=stand_alone)

    # ------------------------------------------------------------ a moment

    def describe_entry(
        self, entry: Entry, _state: HighriseState, _now: AnyState | None = None
    ) -> Json:
        """Returns the entry as a sentence."""
        match entry:
            case OneTileDrawn():
                return say("entry.draws", seat=entry.seat)
            case BasementFilled():
                tiles = [format_halves(tile) for tile in entry.tiles]
                return say("entry.basement", tiles=tiles)
            case TileStacked():
                key = "entry.builds" if entry.spacer is None else "entry.builds-spacer"
                tile = format_halves(entry.halves)
                return say(key, seat=entry.seat, tile=tile, level=entry.level)
        return describe_common_entry(entry)

    def describe_reason(self, _entry: Entry, state: HighriseState) -> Json | None:
        """Returns the values of the halves, the level, and the points; None if no play was
        scored."""
        scored = state.board.scored
        if scored is None:
            return None
        parts = {"level": scored.level, "points": scored.points}
        return say_with_words(
            self.reason_text(state), "reason.play", values=list(scored.values), **parts
        )

    def describe_hand(self, state: HighriseState, hand: int, number: int) -> Json:
        """Returns the sentence with the hand, the tiles left to draw, and the spacers left if that
        is known."""
        spacers = state.board.spacers
        if spacers is None:
            return say(self.where_key, hand=hand, number=number)
        left = {0: "no-spacer", 1: "spacer"}.get(spacers, "spacers")
        return say(f"{self.where_key}-{left}", hand=hand, number=number, spacers=spacers)

    def hand_result(self, state: HighriseState) -> HandResult | None:
        now = state.board.round
        return HandResult(now.out) if now is not None and now.stage is Stage.OVER else None

    def waits_for(self, game: Highrise, state: HighriseState) -> Json:
        """Returns the sentence about what the record waits for: a seat's turn, a holding, or the
        deal."""
        if needed := game.seats_to_show(state):
            return say("asks.show", seat=needed[0])
        return common_waits_for(game, state, begun=state.board.round is not None)

    def moment_json(self, state: HighriseState) -> Json:
        """Returns the building seen from above, the spacers left, and the numbers of tiles held and
        left to draw, as far as they were counted."""
        board, now = state.board, state.board.round
        if now is None:
            return {}
        building = building_of(state)
        # The uppermost half of each field, row by row; null if the record doesn't have it.
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


# ---------------------------------------------------------------- short words


def entry_in_short(entry: Entry, state: HighriseState) -> str:
    """Returns an entry for a small display; `state` is the one after it: “Red 6-3 × 2”, “Red W-3:
    4-3 × 2, spacer”."""
    match entry:
        case TileStacked():
            scored = state.board.scored
            if scored is None:
                return short("entry", seat=entry.seat, text=format_halves(entry.halves))
            key = "entry" if entry.spacer is None else "lifted"
            return short(key, seat=entry.seat, text=_wild_prefix(entry) + play_factors(scored))
        case BasementFilled():
            return short("basement")
        case HandDealt():
            return short("dealt")
        case OneTileDrawn():
            return short("draws", seat=entry.seat)
        case TurnPassed():
            return short("passes", seat=entry.seat)
        case WentOut():
            return short("out", seat=entry.seat)
        case HandBlocked():
            return short("blocked")
    return common_entry_in_short(entry)


def reason_in_short(entry: Entry, state: HighriseState, payment: Payment) -> str:
    """Returns the reason for a payment: “6-3 × 2 = 18”, “out: 15”, “blocked: −14”."""
    scored = state.board.scored
    if (
        payment.why is HighrisePaymentReason.LAY
        and scored is not None
        and isinstance(entry, TileStacked)
    ):
        return _wild_prefix(entry) + play_sum(scored)
    return short("for", why=payment.why, points=signed(payment.points))


def signed(points: int) -> str:
    """Returns the points, with a proper minus sign if negative: 12, −14."""
    return f"−{-points}" if points < 0 else str(points)


def _wild_prefix(built: TileStacked) -> str:
    """Returns the tile as “W-3: ” if one of its halves is wild, because the sum that follows shows
    the value that the wild half stands for; otherwise ""."""
    return f"{format_halves(built.halves)}: " if WILD in built.halves else ""


def play_sum(scored: PlayScored) -> str:
    """Returns the values of the halves, the level, and the points: “6-3 × 2 = 18”."""
    return f"{play_factors(scored)} = {scored.points}"


def play_factors(scored: PlayScored) -> str:
    """Returns the values of the halves, and the level: “6-3 × 2”."""
    one, other = scored.values
    return f"{one}-{other} × {scored.level}"
