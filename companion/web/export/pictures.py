"""Pictures to send, as SVG or PNG.

A picture of a moment has each seat's score, the words of the entry, the tiles on the table, and a
dispute with its verdict and evidence, all from the moment's JSON (presentation/moment.py). The
preview of a link to a game or an evening (og:image), 1200 by 630 pixels, has a title, the
standings, and the tiles on the table.
"""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from math import ceil
from pathlib import Path
from typing import Final

from companion import web
from companion.core.errors import SetupError
from companion.core.seats import COLOUR_NAMES
from companion.core.values import Json, dataclass
from companion.presentation.drawing.svg import (
    Bounds,
    Paper,
    coordinate,
    plain_style,
    shortened,
    wrapped,
)
from companion.presentation.language import ENGLISH, Language
from companion.presentation.moment import Moment, describe
from companion.presentation.sayings import words_of

# ---------------------------------------------------------------- PNG


NO_LIBRARY = (
    "A PNG needs the library resvg-py: “pip install resvg-py” in {prefix}, where the program's"
    " other libraries are; --svg draws the table without it"
)
NOT_IN_DEBIAN = (
    "A PNG needs the library resvg-py, which Debian doesn't have: copy the record to a computer"
    " with the program's wheel and install it there; --svg draws the table without it"
)
NO_FONT = "A PNG needs letters, and there are none here: sudo apt install fonts-dejavu-core"
ONE_LETTER = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">'
    '<text y="18" font-size="20" font-family="sans-serif">H</text></svg>'
)
BLANK = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"/>'
SANS = "DejaVu Sans"
"""The font instead of Arial, which the Pi doesn't have."""


def png_of(svg: str) -> bytes:
    """The drawing as a PNG of its own size in pixels. Raises SetupError if the library or every
    font is missing."""
    if _render_png(ONE_LETTER) == _render_png(BLANK):
        raise SetupError(NO_FONT)
    return _render_png(svg)


def _render_png(svg: str) -> bytes:
    try:
        from resvg_py import svg_to_bytes
    except ImportError as error:
        if sys.prefix == sys.base_prefix:
            raise SetupError(NOT_IN_DEBIAN) from error
        raise SetupError(NO_LIBRARY.format(prefix=sys.prefix)) from error
    return bytes(svg_to_bytes(svg_string=svg, sans_serif_family=SANS))


# ---------------------------------------------------------------- one moment


WIDTH, EDGE, GAP = 1080, 44, 16
"""The width, the margin and the gap, in pixels like all sizes here."""
INNER = WIDTH - 2 * EDGE
LETTER: Final = 0.6
"""The average width of a letter as a fraction of its size."""
PAPER, LINE = Paper(4, 3), 1.3
COLOURS: Final = Path(web.__file__).parent / "static" / "tokens.css"
COLOUR: Final = re.compile(r"--(\w+): (#[0-9a-f]{6});")
FONTS: Final = "system-ui, Segoe UI, Roboto, Helvetica Neue, DejaVu Sans, sans-serif"
MOST_IN_A_ROW: Final = 4
NOT_IN_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
TEXTS: Final = {
    "game": (34, "text", "bold"), "about": (23, "quiet", ""),
    "sign": (25, "text", ""), "who": (25, "text", "bold"), "score": (50, "text", "bold"),
    "said": (42, "text", "bold"), "why": (28, "quiet", ""), "pays": (30, "good", "bold"),
    "notice": (24, "alarm", ""), "asked": (28, "quiet", ""),
    "charge": (27, "text", "bold"), "verdict": (34, "text", "bold"), "evidence": (27, "text", ""),
}  # fmt: skip
"""Size, colour and weight of each kind of words."""
DRAWING: Final = None
"""The placeholder for the drawing's own elements."""
VIEW: Final = re.compile(r'<svg [^>]*viewBox="([^"]*)"[^>]*>(.*)</svg>\s*', re.DOTALL)


def draw_card(
    moment: Moment, date: str | None, at: int | None = None, language: Language = ENGLISH
) -> str:
    """The picture as SVG in that language, of the newest moment or of the one after the entry `at`,
    counted from 1. Raises IndexError if the game has no such entry."""
    journal = moment.journal
    assert journal is not None, "a game is drawn"
    moment_json = language.translated(describe(moment, at))
    state = journal.state if at is None else journal.states[at - 1]
    drawn = moment.presentation.draw(state, replace(PAPER, language=language), stand_alone=False)
    found = VIEW.fullmatch(drawn) if drawn else None
    inside = found[2] if found else ""
    pieces = card_pieces(moment_json, drawn, date, language)
    return "".join(inside if one is DRAWING else one for one in pieces)


def card_pieces(
    moment_json: Json, drawn: str | None, date: str | None, language: Language = ENGLISH
) -> list[str | None]:
    """The picture in pieces, many of which are the same at many moments of a game. `moment_json`:
    the moment in that language; `drawn`: the drawing of the table (None: no drawing), whose place
    in the pieces is taken by DRAWING."""
    card = _Card(language)
    card.draw_head(moment_json, date)
    card.draw_seats(moment_json)
    card.draw_entry(moment_json)
    if drawn is not None:
        card.draw_table(drawn)
    card.draw_dispute(moment_json)
    return card.pieces()


@cache
def colours() -> Mapping[str, str]:
    """The light colours of the pages, by their names in the style sheet."""
    light, _, _ = COLOURS.read_text("utf-8").partition("@media")
    return dict(COLOUR.findall(light))


class _Card:
    """A card that is being drawn, from the top down."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._parts: list[str | None] = []
        self._y = float(EDGE)

    def draw_head(self, moment_json: Json, date: str | None) -> None:
        """Draws the head, which names the game and its date."""
        self._draw_words(moment_json["game"]["title"], "game")
        when = words_of("again.date", date=date) if date else words_of("again.no-date")
        at, of = moment_json["entry"], moment_json["entries"]
        entry = words_of("again.entry", entry=at, entries=of)
        game = moment_json["number"]
        number = [words_of("again.game", number=game)] if game else []
        about = [*number, when, moment_json["where"]["words"], entry]
        self._draw_words(" · ".join(map(self._language.translate, about)), "about")
        self._y += GAP

    def draw_seats(self, moment_json: Json) -> None:
        """Draws each seat's name and score, side by side; partners' names with their one score."""
        of = {seat["seat"]: seat for seat in moment_json["seats"]}
        cards = [
            [of[name] for name in side] for side in moment_json["sides"] or [[name] for name in of]
        ]
        across = min(len(cards), MOST_IN_A_ROW)
        wide, high = (INNER - GAP * (across - 1)) / across, 118
        for number, side in enumerate(cards):
            row, column = divmod(number, across)
            x, y = EDGE + column * (wide + GAP), self._y + row * (high + GAP)
            lit = side[0]["won"] or any(seat["to_move"] for seat in side)
            around = Bounds(x, y, x + wide, y + high)
            self._draw_box(around, *(("turn", "glow") if lit else ("card", "line")))
            place = f"x='{coordinate(x)}' y='{coordinate(y)}' width='{coordinate(wide)}'"
            fill = colours()[_style_colour(side[0]["colour"])]
            self._parts.append(f"<rect {place} height='10' rx='5' fill='{fill}'/>")
            alone, score = len(side) == 1, str(side[0]["score"])
            for line, seat in enumerate(side):
                self._draw_name(seat, x + 18, y + 43 + 45 * line, wide - (0 if alone else 140))
            if alone:
                self._draw_text(score, x + 18, y + 98, "score")
            else:
                self._draw_text(score, x + wide - 18, y + 82, "score", " text-anchor='end'")
        self._y += -(-len(cards) // across) * (high + GAP)

    def _draw_name(self, seat: Json, x: float, y: float, wide: float) -> None:
        own = colours()[_style_colour(seat["colour"])]
        name = shortened(seat["shown"], (wide - 60) / (TEXTS["who"][0] * 1.15 * LETTER))
        self._draw_text(seat["sign"], x, y, "sign", f" style='fill:{own}'")
        self._draw_text(name, x + 30, y, "who")

    def draw_entry(self, moment_json: Json) -> None:
        """Draws the words of the entry, why it scored, who pays whom, and the open question."""
        self._y += GAP / 2
        for entry in moment_json["latest"][:1]:
            self._draw_words(entry["said"]["words"], "said")
            if entry["why"]:
                self._draw_words(entry["why"]["words"], "why")
            for payment in entry["payments"]:
                self._draw_words(payment["said"]["words"], "pays")
            for notice in entry["notices"]:
                self._draw_words(notice["words"], "notice")
        self._draw_words(moment_json["asked"]["words"], "asked")
        self._y += GAP

    def draw_table(self, drawn: str) -> None:
        """Adds the drawing of the table, as wide as the card."""
        found = VIEW.fullmatch(drawn)
        assert found, "a drawing is one element"
        high = INNER * PAPER.height / PAPER.width
        place = f"x='{EDGE}' y='{coordinate(self._y)}' width='{INNER}' height='{coordinate(high)}'"
        self._parts += [f"<svg class='drawing' {place} viewBox='{found[1]}'>", DRAWING, "</svg>"]
        self._y += high + GAP

    def draw_dispute(self, moment_json: Json) -> None:
        """Draws a call with its verdict and evidence, and how it was closed."""
        lines = [*_dispute_lines(moment_json)]
        if not lines:
            return
        top, under = self._y, len(self._parts)
        self._y += GAP
        for words, kind in lines:
            self._draw_words(words, kind, indent=28)
        self._y += GAP / 2
        over, self._parts = self._parts[under:], self._parts[:under]
        self._draw_box(Bounds(EDGE, top, WIDTH - EDGE, self._y), "card", "line")
        self._draw_box(Bounds(EDGE, top, EDGE + 10, self._y), "alarm", "alarm")
        self._parts += over
        self._y += GAP

    def pieces(self) -> list[str | None]:
        """The whole card, in pieces."""
        high = ceil(self._y + EDGE - GAP)
        return [
            f"<svg xmlns='http://www.w3.org/2000/svg' width='{WIDTH}' height='{high}'"
            f" viewBox='0 0 {WIDTH} {high}' font-family='{FONTS}'>",
            _style(),
            f"<rect width='100%' height='100%' fill='{colours()['paper']}'/>",
            *self._parts,
            "</svg>",
        ]

    def _draw_words(self, text: str, kind: str, indent: float = 0) -> None:
        """Draws a text from edge to edge, in as many lines as it needs."""
        size, _, weight = TEXTS[kind]
        letter = LETTER if weight else 0.9 * LETTER
        for line in wrapped(text, (INNER - 2 * indent) / (size * letter)):
            self._y += size * LINE
            self._draw_text(line, EDGE + indent, self._y - size * (LINE - 1), kind)

    def _draw_text(self, text: str, x: float, y: float, kind: str, more: str = "") -> None:
        said = escape(NOT_IN_XML.sub("\ufffd", text), quote=False)
        place = f"x='{coordinate(x)}' y='{coordinate(y)}'"
        self._parts.append(f"<text class='{kind}' {place}{more}>{said}</text>")

    def _draw_box(self, around: Bounds, fill: str, rim: str) -> None:
        place = f"x='{coordinate(around.left)}' y='{coordinate(around.top)}'"
        size = f"width='{coordinate(around.width)}' height='{coordinate(around.height)}' rx='10'"
        painted = f"fill='{colours()[fill]}' stroke='{colours()[rim]}'"
        self._parts.append(f"<rect {place} {size} {painted} stroke-width='2'/>")


@cache
def _style() -> str:
    """The style of the drawings, and of each kind of words."""
    rules = plain_style()
    for kind, (size, colour, weight) in TEXTS.items():
        more = f"font-weight:{weight}" if weight else ""
        rules += f".{kind}{{font-size:{size}px;fill:{colours()[colour]};{more}}}"
    return f"<style>{rules}</style>"


def _style_colour(colour: str | None) -> str:
    """The name of a seat's colour in the style sheet; a neutral one for other colours of chips."""
    return colour if colour and colour.capitalize() in COLOUR_NAMES else "other"


def _dispute_lines(moment_json: Json) -> Iterator[tuple[str, str]]:
    """The words about a dispute, each with its kind (TEXTS)."""
    claim, ruling = moment_json["claim"], moment_json["ruling"]
    if claim:
        yield claim["charge"]["words"], "charge"
        yield claim["verdict"]["words"], "verdict"
        yield claim["evidence"]["words"], "evidence"
    if ruling:
        yield ruling["said"]["words"], "charge"


# ---------------------------------------------------------------- link previews


LINK_WIDTH, LINK_HEIGHT, LINK_EDGE = 1200, 630, 50
STANDINGS_WIDTH: Final = 470
"""The width of the column with the standings."""
STANDINGS_TOP: Final = 170
MOST_STANDINGS: Final = 6
"""The most lines of standings; the rest are left out."""


@dataclass(frozen=True, slots=True)
class StandingsLine:
    """A line of the standings: the name, the number of points or games, the colour, and whether
    this side has won."""

    name: str
    number: int
    colour: str
    won: bool = False


def link_picture(
    title: str, about: str, standings: Sequence[StandingsLine], drawn: str | None
) -> str:
    """The preview of a link, as SVG. `drawn`: a drawing of the table; None if there is none."""
    wide = LINK_WIDTH - 2 * LINK_EDGE
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{LINK_WIDTH}' height='{LINK_HEIGHT}'"
        f" viewBox='0 0 {LINK_WIDTH} {LINK_HEIGHT}' font-family='{FONTS}'>",
        f"<style>{plain_style()}</style>",
        f"<rect width='100%' height='100%' fill='{colours()['paper']}'/>",
        _draw_text(shortened(title, wide / (52 * LETTER)), LINK_EDGE, 95, 52, "text", bold=True),
        _draw_text(shortened(about, wide / (30 * LETTER)), LINK_EDGE, 140, 30, "quiet"),
    ]
    shown = standings[:MOST_STANDINGS]
    high = min((LINK_HEIGHT - STANDINGS_TOP - LINK_EDGE) / max(1, len(shown)), 110)
    across = STANDINGS_WIDTH if drawn else wide
    for number, one in enumerate(shown):
        parts += _standing_line(one, STANDINGS_TOP + number * high, high - 12, across)
    if drawn and (found := VIEW.fullmatch(drawn)):
        x, y = LINK_EDGE + STANDINGS_WIDTH + 30, STANDINGS_TOP
        wide, high = LINK_WIDTH - LINK_EDGE - x, LINK_HEIGHT - LINK_EDGE - y
        place = f"x='{x}' y='{y}' width='{wide}' height='{high}'"
        parts.append(f"<svg class='drawing' {place} viewBox='{found[1]}'>{found[2]}</svg>")
    return "".join([*parts, "</svg>"])


def _standing_line(one: StandingsLine, y: float, high: float, wide: float) -> list[str]:
    known = colours()
    own = known.get(one.colour, known["quiet"])
    fill, rim = ("turn", "glow") if one.won else ("card", "line")
    size = min(40.0, high * 0.5)
    middle = y + high / 2 + size * 0.36
    number = str(one.number)
    room = (wide - 60 - len(number) * size * 1.2 * LETTER) / (size * LETTER)
    return [
        f"<rect x='{LINK_EDGE}' y='{coordinate(y)}' width='{coordinate(wide)}'"
        f" height='{coordinate(high)}' rx='12' fill='{known[fill]}' stroke='{known[rim]}'"
        " stroke-width='2'/>",
        f"<rect x='{LINK_EDGE}' y='{coordinate(y)}' width='12' height='{coordinate(high)}' rx='6'"
        f" fill='{own}'/>",
        _draw_text(shortened(one.name, room), LINK_EDGE + 28, middle, size, "text", bold=True),
        _draw_text(number, LINK_EDGE + wide - 20, middle, size * 1.2, "text", bold=True, end=True),
    ]


def _draw_text(
    text: str, x: float, y: float, size: float, colour: str, *, bold: bool = False,
    end: bool = False,
) -> str:  # fmt: skip
    said = escape(NOT_IN_XML.sub("\ufffd", text), quote=False)
    weight = " font-weight='bold'" if bold else ""
    place = f"x='{coordinate(x)}' y='{coordinate(y)}' font-size='{coordinate(size)}'"
    place += f" text-anchor='{'end' if end else 'start'}'{weight}"
    return f"<text {place} fill='{colours()[colour]}'>{said}</text>"
