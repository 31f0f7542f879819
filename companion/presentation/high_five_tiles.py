"""The presentation of High Five! with tiles: the possible entries, the score sheet as a drawing,
the moment's JSON, and the words for a small display."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from companion.core.seats import Seat, display_name
from companion.core.values import Json, dataclass
from companion.core.words import counted, listed, mark, phrase
from companion.games.entries import HandDealt, WentOut
from companion.games.game import AnyGame, AnyState, Entry, Payment, State
from companion.games.high_five_tiles.combinations import IN_A_ROW, JOKER, Combination
from companion.games.high_five_tiles.entries import AllTilesPlayed, RowCompleted, SingleTilePlayed
from companion.games.high_five_tiles.rules import (
    POINTS,
    HighFiveTilesBoard,
    HighFiveTilesPaymentReason,
    HighFiveTilesState,
    new_tiles,
)
from companion.games.house_rules import Value
from companion.presentation import keys
from companion.presentation.drawing.svg import (
    UNIT,
    Bounds,
    Paper,
    coordinate,
    rectangle,
    shortened,
    svg_drawing,
    text_at,
    text_from,
)
from companion.presentation.game import GamePresentation
from companion.presentation.keys import (
    ROW,
    Act,
    ExpectedEntry,
    ExpectedRow,
    ExpectedTiles,
    GameKeys,
    OpenAnswer,
    OpenEntry,
    OpenQuestion,
    accepted_acts,
)
from companion.presentation.sayings import (
    common_entry_in_short,
    common_waits_for,
    describe_common_entry,
    say,
    short,
)

# ---------------------------------------------------------------- what can be entered


HIGHEST_FIRST = tuple(reversed(Combination))


def _expected_entry(
    game: AnyGame, state: HighFiveTilesState, _settings: Mapping[str, Value]
) -> ExpectedEntry:
    """Returns the expected entry: a row of the ladder, by a seat that may take a turn now."""
    players = () if state.finished else _seats_to_play(game, state)
    if not players:
        return ExpectedEntry()
    return ExpectedEntry(
        "cards",
        ROW,
        state.to_move,
        players,
        rows=_ladder_rows(tuple(int(state.options[POINTS[name].name]) for name in HIGHEST_FIRST)),
        collects=ExpectedTiles("row", "{seat} row", IN_A_ROW),
    )


def _seats_to_play(game: AnyGame, state: HighFiveTilesState) -> tuple[Seat, ...]:
    """Returns the seats that may take a turn now, in order, starting with the seat to play. Others
    may play once the supply is empty, because a seat whose tiles weren't counted may have none
    left."""
    if state.to_move is not None and state.board.supply:
        return (state.to_move,)
    seats = [seat for seat in state.seats if keys.is_accepted(game, state, SingleTilePlayed(seat))]
    return tuple(sorted(seats, key=lambda seat: seat != state.to_move))


@lru_cache(maxsize=32)
def _ladder_rows(points: tuple[int, ...]) -> tuple[ExpectedRow, ...]:
    """Returns the ladder with the points of each row. Cached, because every key needs it and the
    points don't change during a game."""
    named = zip(HIGHEST_FIRST, points, strict=True)
    return tuple(ExpectedRow(name.value, name.words, worth) for name, worth in named)


def _single_key_acts(
    game: AnyGame, state: HighFiveTilesState, _settings: Mapping[str, Value]
) -> Iterable[Act]:
    if state.finished:
        return ()
    begun = state.board.turns is not None
    found = _turn_acts(game, state) if begun else keys.deal_acts(state, lead_is_open=True)
    return accepted_acts(game, state, found)


def _turn_acts(game: AnyGame, state: HighFiveTilesState) -> Iterator[Act]:
    for seat in _seats_to_play(game, state):
        yield Act("one-tile" if seat == state.to_move else "one-tile-of", SingleTilePlayed(seat))
    yield Act("finish", AllTilesPlayed())
    if state.board.out is None:
        yield from (Act("out-first", WentOut(seat)) for seat in state.seats)


def _open_questions(game: AnyGame, state: AnyState, entry: Entry, begun: bool) -> OpenEntry:
    """Returns the question of how many tiles of a row are new; one answer is “nobody knows”."""
    if not isinstance(entry, RowCompleted):
        return OpenEntry(keys.completed_entry(game, state, entry))
    game.apply(state, entry)
    rows = [replace(entry, laid=laid) for laid in new_tiles(state, entry.seat)]
    only = rows[0] if len(rows) == 1 else None
    chosen = entry if entry.laid or not begun else only
    answers = [
        OpenAnswer(row, say("offer.so-many", number=row.laid), row == chosen) for row in rows
    ]
    uncounted = replace(entry, laid=None)
    answers.append(OpenAnswer(uncounted, say("offer.uncounted"), uncounted == chosen))
    return OpenEntry(chosen, (OpenQuestion("new", tuple(answers)),))


HIGH_FIVE_TILES_KEYS = GameKeys(_expected_entry, _single_key_acts, _open_questions)


# ---------------------------------------------------------------- drawing


STEM = "M-1.7 5L0 1L1.7 5Z"
SUITS = {
    "s": "M0-5C-6 0-4.6 3.4-2.2 3.4C-1 3.4-.3 2.6 0 2C.3 2.6 1 3.4 2.2 3.4C4.6 3.4 6 0 0-5Z" + STEM,
    "h": "M0 5C-6 0-4.6-5-2.2-5C-.9-5 0-4 0-3C0-4 .9-5 2.2-5C4.6-5 6 0 0 5Z",
    "c": "M-2.4-2.6a2.4 2.4 0 1 1 4.8 0a2.4 2.4 0 1 1-4.8 0Z"
    "M-5.1 1a2.4 2.4 0 1 1 4.8 0a2.4 2.4 0 1 1-4.8 0Z"
    "M.3 1a2.4 2.4 0 1 1 4.8 0a2.4 2.4 0 1 1-4.8 0Z" + STEM,
    "d": "M0-5.2L3.8 0L0 5.2L-3.8 0Z",
}
"""The sign of each suit as an SVG path centred at (0, 0), about 5 units to each side."""
STAR = "M0-6L1.6-1.9L6-1.6L2.6 1.2L3.7 5.4L0 3L-3.7 5.4L-2.6 1.2L-6-1.6L-1.6-1.9Z"
SUIT_NAMES = {
    "s": mark("spades"),
    "h": mark("hearts"),
    "c": mark("clubs"),
    "d": mark("diamonds"),
}
VALUE_NAMES = {
    "A": mark("ace"),
    "K": mark("king"),
    "Q": mark("queen"),
    "J": mark("jack"),
    "T": "10",
}

TITLE, NO_ROW = mark("The score sheet: {totals}"), mark("No row is laid yet.")
TOTAL = mark("{seat} {points}")
ROW_WORDS = mark("{seat}: {name}, {points}.")
ROW_WITH_CARDS = mark("{seat}: {name}, {points}, with {cards}.")
CARD, JOKER_WORD = mark("{value} of {suit}"), mark("joker")


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row completed in a turn. `name`: the combination's name for people. `cards`: the five cards
    if they are known, as in the tally: value `A K Q J T 9 … 2` and suit `s h c d` (`Kc`), or `X`
    for a joker. Raises ValueError for any other card."""

    seat: str
    name: str
    points: int
    cards: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for card in self.cards:
            known = card == JOKER or (card[:1] in "AKQJT98765432" and card[1:] in SUITS)
            if not known or not card:
                raise ValueError(f"{card} is not a card")


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The total of each seat in turn order, and the rows, oldest first."""

    totals: tuple[tuple[str, int], ...]
    rows: tuple[SheetRow, ...] = ()


LETTERS = 11
"""The font size, in units of the drawing."""
EDGE, CARD_WIDE, CARD_HIGH = 12, 19, 24
HEAD = 36
"""The height of the line with the totals."""


def draw_sheet(sheet: ScoreSheet, paper: Paper, *, stand_alone: bool = False) -> str:
    """Returns the score sheet as an SVG drawing with the shape of `paper`. If that is narrow, each
    row's cards are below its words instead of beside them."""
    below = paper.width < 1.2 * paper.height
    wide = 230 if below else 380
    high = wide * paper.height / paper.width
    row_high = 58 if below else 34
    room = max(int((high - HEAD - 20) / row_high), 1)
    shown = sheet.rows[-room:]
    parts = [*_draw_totals(sheet, wide)]
    y = HEAD + 8.0
    if earlier := len(sheet.rows) - len(shown):
        words = counted("1 earlier row", "{number} earlier rows", earlier)
        parts.append(text_at("words", wide / 2, y, 9, paper.language.translate(words)))
    y += 8
    for number, row in enumerate(shown):
        latest = number == len(shown) - 1
        name = shortened(paper.language.translate(row.name), 17)
        parts += _draw_row(row, name, y, wide, row_high, below=below, latest=latest)
        y += row_high
    if not sheet.rows:
        parts.append(
            text_at("words", wide / 2, high / 2, LETTERS, paper.language.translate(phrase(NO_ROW)))
        )
    seen = Bounds(0, 0, wide / UNIT, high / UNIT)
    return svg_drawing(
        "".join(parts),
        seen,
        sheet_title(sheet),
        sheet_in_words(sheet),
        stand_alone=stand_alone,
        language=paper.language,
    )


def _draw_totals(sheet: ScoreSheet, wide: float) -> Iterator[str]:
    """Returns each seat's name with its total below it, side by side."""
    each = (wide - 2 * EDGE) / max(len(sheet.totals), 1)
    for number, (seat, points) in enumerate(sheet.totals):
        x = EDGE + (number + 0.5) * each
        yield text_at("words", x, 11, 9, shortened(seat, each / 6))
        yield text_at("total", x, 26, 17, str(points))
    yield f'<path class="bar" d="M{EDGE} {HEAD}H{coordinate(wide - EDGE)}"/>'


def _draw_row(
    row: SheetRow, name: str, top: float, wide: float, high: float, *, below: bool, latest: bool
) -> Iterator[str]:
    middle = top + (15 if below else high / 2)
    if latest:
        yield rectangle("halo", (wide / 2, top + high / 2), wide - 10, high - 3, 5)
    yield text_from("words", EDGE, middle, LETTERS, shortened(row.seat, 10))
    yield text_from("words", 84 if below else 208, middle, LETTERS, name)
    yield text_at("points", wide - EDGE - 12, middle, LETTERS + 3, str(row.points))
    left, cards_at = (EDGE, top + 38) if below else (86, middle)
    for number, card in enumerate(row.cards):
        yield _draw_card(card, left + (number + 0.5) * (CARD_WIDE + 3), cards_at)


def _draw_card(card: str, x: float, y: float) -> str:
    face = rectangle("face", (0, 0), CARD_WIDE, CARD_HIGH, 3)
    at = f'<g transform="translate({coordinate(x)} {coordinate(y)})">{face}'
    if card == JOKER:
        return f'{at}<path class="joker" d="{STAR}"/></g>'
    value, suit = ("10" if card[0] == "T" else card[0]), card[1]
    name = "red" if suit in "hd" else "black"
    sign = f'<path class="{name}" transform="translate(0 5.6)" d="{SUITS[suit]}"/>'
    return f"{at}{text_at(name, 0, -5, 11, value)}{sign}</g>"


# ---------------------------------------------------------------- in words


def sheet_title(sheet: ScoreSheet) -> str:
    """Returns all seats' totals, as the drawing's title."""
    totals = (phrase(TOTAL, seat=seat, points=points) for seat, points in sheet.totals)
    return phrase(TITLE, totals=listed(totals))


def sheet_in_words(sheet: ScoreSheet) -> str:
    """Returns a sentence for each row, oldest first."""
    return listed(map(_row_in_words, sheet.rows), " ") or phrase(NO_ROW)


def _row_in_words(row: SheetRow) -> str:
    points = counted("1 point", "{number} points", row.points)
    words = points if row.points else phrase("no points")
    cards = listed(map(_card_in_words, row.cards))
    return phrase(
        ROW_WITH_CARDS if cards else ROW_WORDS,
        seat=row.seat,
        name=row.name,
        points=words,
        cards=cards,
    )


def _card_in_words(card: str) -> str:
    if card == JOKER:
        return phrase(JOKER_WORD)
    return phrase(
        CARD, value=phrase(VALUE_NAMES.get(card[0], card[0])), suit=phrase(SUIT_NAMES[card[1]])
    )


# ---------------------------------------------------------------- a moment


def sheet_of(state: HighFiveTilesState) -> ScoreSheet:
    """Returns the score sheet of a state."""
    totals = tuple((display_name(seat), points) for seat, points in state.scores.items())
    rows = (
        SheetRow(
            display_name(row.seat), row.combination.words, row.points, tuple(map(str, row.cards))
        )
        for row in state.board.rows
    )
    return ScoreSheet(totals, tuple(rows))


class HighFiveTilesPresentation(GamePresentation):
    where_key = "where.supply"
    keys = HIGH_FIVE_TILES_KEYS

    def reason_text(self, state: HighFiveTilesState) -> str:
        """Returns the combination and its points: “full house: 6”; "" if no row was completed."""
        row = state.board.scored
        return (
            phrase("{name}: {points}", name=row.combination.words, points=row.points) if row else ""
        )

    def draw(
        self, state: HighFiveTilesState, paper: Paper, *, stand_alone: bool = True
    ) -> str | None:
        """Returns the score sheet as SVG."""
        return draw_sheet(sheet_of(state), paper, stand_alone=stand_alone)

    # ------------------------------------------------------------ a moment

    def describe_entry(
        self, entry: Entry, _state: HighFiveTilesState, _now: AnyState | None = None
    ) -> Json:
        """Returns the entry as a sentence."""
        match entry:
            case RowCompleted(cards=()):
                return say("entry.row", seat=entry.seat, row=entry.combination.words)
            case RowCompleted():
                row = entry.combination.words
                return say("entry.row-cards", seat=entry.seat, row=row, cards=entry.cards)
            case SingleTilePlayed():
                return say("entry.one-tile", seat=entry.seat)
            case AllTilesPlayed():
                return say("entry.finished")
        return describe_common_entry(entry)

    def describe_reason(self, _entry: Entry, state: HighFiveTilesState) -> Json | None:
        """Returns the combination and its points; None if no row was completed."""
        row = state.board.scored
        return say("reason.row", row=row.combination.words, points=row.points) if row else None

    def waits_for(self, game: AnyGame, state: HighFiveTilesState) -> Json:
        """Returns the sentence about what the record waits for: a seat's turn, or an entry that
        ends the game because all tiles are played."""
        board = state.board
        if board.turns and state.to_move is None:
            return say("asks.finished")
        return common_waits_for(game, state, begun=board.turns is not None)

    def moment_json(self, state: HighFiveTilesState) -> Json:
        """Returns all rows, and the numbers of tiles held and in the supply, as far as they were
        counted."""
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


# ---------------------------------------------------------------- short words


def entry_in_short(entry: Entry) -> str:
    """Returns an entry for a small display: “Red full house, 3 new”."""
    match entry:
        case HandDealt(lead=None):
            return short("dealt")
        case HandDealt():
            return short("begins", seat=entry.lead)
        case RowCompleted(laid=None):
            return short("row", seat=entry.seat, row=entry.combination.words)
        case RowCompleted():
            row = entry.combination.words
            return short("row-new", seat=entry.seat, row=row, number=entry.laid)
        case SingleTilePlayed():
            return short("one-tile", seat=entry.seat)
        case WentOut():
            return short("out", seat=entry.seat)
        case AllTilesPlayed():
            return short("finished")
    return common_entry_in_short(entry)


def reason_in_short(state: State[HighFiveTilesBoard], payment: Payment) -> str:
    """Returns the reason for a payment: “full house: 6”, “out first: 2”."""
    row = state.board.scored
    if payment.why is HighFiveTilesPaymentReason.ROW and row is not None:
        return short("for", why=row.combination.words, points=payment.points)
    return short("for-out", points=payment.points)
