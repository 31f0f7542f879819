"""The score sheet of High Five! with tiles: the totals, and each row that was laid, with its cards.

The newest row is at the bottom. As many of the newest rows are drawn as fit on the paper; the
drawing's text has all of them."""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.core.words import counted, listed, mark, phrase
from companion.presentation.drawing.faces import UNIT, coordinate, rectangle, start_at, words_at
from companion.presentation.drawing.paper import Bounds, Paper
from companion.presentation.drawing.svg import svg_drawing
from companion.presentation.words import cut

JOKER = "X"
STEM = "M-1.7 5L0 1L1.7 5Z"
SUITS = {
    "s": "M0-5C-6 0-4.6 3.4-2.2 3.4C-1 3.4-.3 2.6 0 2C.3 2.6 1 3.4 2.2 3.4C4.6 3.4 6 0 0-5Z" + STEM,
    "h": "M0 5C-6 0-4.6-5-2.2-5C-.9-5 0-4 0-3C0-4 .9-5 2.2-5C4.6-5 6 0 0 5Z",
    "c": "M-2.4-2.6a2.4 2.4 0 1 1 4.8 0a2.4 2.4 0 1 1-4.8 0Z"
    "M-5.1 1a2.4 2.4 0 1 1 4.8 0a2.4 2.4 0 1 1-4.8 0Z"
    "M.3 1a2.4 2.4 0 1 1 4.8 0a2.4 2.4 0 1 1-4.8 0Z" + STEM,
    "d": "M0-5.2L3.8 0L0 5.2L-3.8 0Z",
}
"""The sign of each suit, as an SVG path about (0, 0) that reaches some 5 to each side."""
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
ROW, WITH_CARDS = mark("{seat}: {name}, {points}."), mark("{seat}: {name}, {points}, with {cards}.")
CARD, JOKER_WORD = mark("{value} of {suit}"), mark("joker")


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row that a turn laid. `name`: the combination's name as people say it; `cards`: the five
    cards, if they are known, as the tally writes them: value `A K Q J T 9 … 2` and suit `s h c d`
    (`Kc`), `X` for a joker. Raises ValueError for any other card."""

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
"""The size of letters, in units of the drawing."""
EDGE, CARD_WIDE, CARD_HIGH = 12, 19, 24
HEAD = 36
"""The height of the line of totals."""


def draw_sheet(sheet: ScoreSheet, paper: Paper, *, stand_alone: bool = False) -> str:
    """The sheet as SVG that fills a paper of that shape; see `picture` for `stand_alone`. On a
    paper that is hardly wider than high the cards stand below the words."""
    below = paper.width < 1.2 * paper.height
    wide = 230 if below else 380
    high = wide * paper.height / paper.width
    row_high = 58 if below else 34
    room = max(int((high - HEAD - 20) / row_high), 1)
    shown = sheet.rows[-room:]
    parts = [*_totals(sheet, wide)]
    y = HEAD + 8.0
    if earlier := len(sheet.rows) - len(shown):
        words = counted("1 earlier row", "{number} earlier rows", earlier)
        parts.append(words_at("words", wide / 2, y, 9, paper.language.put(words)))
    y += 8
    for number, row in enumerate(shown):
        latest = number == len(shown) - 1
        name = cut(paper.language.put(row.name), 17)
        parts += _row(row, name, y, wide, row_high, below=below, latest=latest)
        y += row_high
    if not sheet.rows:
        parts.append(
            words_at("words", wide / 2, high / 2, LETTERS, paper.language.put(phrase(NO_ROW)))
        )
    seen = Bounds(0, 0, wide / UNIT, high / UNIT)
    return svg_drawing(
        "".join(parts),
        seen,
        entitle(sheet),
        describe(sheet),
        stand_alone=stand_alone,
        language=paper.language,
    )


def _totals(sheet: ScoreSheet, wide: float) -> Iterator[str]:
    """Each seat's name with its total below it, side by side."""
    each = (wide - 2 * EDGE) / max(len(sheet.totals), 1)
    for number, (seat, points) in enumerate(sheet.totals):
        x = EDGE + (number + 0.5) * each
        yield words_at("words", x, 11, 9, cut(seat, each / 6))
        yield words_at("total", x, 26, 17, str(points))
    yield f'<path class="bar" d="M{EDGE} {HEAD}H{coordinate(wide - EDGE)}"/>'


def _row(
    row: SheetRow, name: str, top: float, wide: float, high: float, *, below: bool, latest: bool
) -> Iterator[str]:
    middle = top + (15 if below else high / 2)
    if latest:
        yield rectangle("halo", (wide / 2, top + high / 2), wide - 10, high - 3, 5)
    yield start_at("words", EDGE, middle, LETTERS, cut(row.seat, 10))
    yield start_at("words", 84 if below else 208, middle, LETTERS, name)
    yield words_at("points", wide - EDGE - 12, middle, LETTERS + 3, str(row.points))
    left, cards_at = (EDGE, top + 38) if below else (86, middle)
    for number, card in enumerate(row.cards):
        yield _card(card, left + (number + 0.5) * (CARD_WIDE + 3), cards_at)


def _card(card: str, x: float, y: float) -> str:
    face = rectangle("face", (0, 0), CARD_WIDE, CARD_HIGH, 3)
    at = f'<g transform="translate({coordinate(x)} {coordinate(y)})">{face}'
    if card == JOKER:
        return f'{at}<path class="joker" d="{STAR}"/></g>'
    value, suit = ("10" if card[0] == "T" else card[0]), card[1]
    name = "red" if suit in "hd" else "black"
    sign = f'<path class="{name}" transform="translate(0 5.6)" d="{SUITS[suit]}"/>'
    return f"{at}{words_at(name, 0, -5, 11, value)}{sign}</g>"


# ---------------------------------------------------------------- in words


def entitle(sheet: ScoreSheet) -> str:
    """The drawing's name: every seat's total."""
    totals = (phrase(TOTAL, seat=seat, points=points) for seat, points in sheet.totals)
    return phrase(TITLE, totals=listed(totals))


def describe(sheet: ScoreSheet) -> str:
    """The drawing in sentences: every row, the oldest first."""
    return listed(map(_row_words, sheet.rows), " ") or phrase(NO_ROW)


def _row_words(row: SheetRow) -> str:
    points = counted("1 point", "{number} points", row.points)
    words = points if row.points else phrase("no points")
    cards = listed(map(_card_words, row.cards))
    return phrase(
        WITH_CARDS if cards else ROW, seat=row.seat, name=row.name, points=words, cards=cards
    )


def _card_words(card: str) -> str:
    if card == JOKER:
        return phrase(JOKER_WORD)
    return phrase(
        CARD, value=phrase(VALUE_NAMES.get(card[0], card[0])), suit=phrase(SUIT_NAMES[card[1]])
    )
