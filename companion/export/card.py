"""One moment as one picture to send: who stands how, what was said, what lies there, and a dispute
with its verdict and evidence. It tells what the moment's telling tells (telling/moment.py)."""

from collections.abc import Iterator
from html import escape
from textwrap import wrap
from typing import Any, Final
from unicodedata import east_asian_width

from companion.telling.catalog import picture_of
from companion.telling.faces import coordinate
from companion.telling.moment import Moment, tell
from companion.telling.paper import Bounds, Paper
from companion.telling.picture import plain_style
from companion.telling.sayings import say

Json = dict[str, Any]

WIDTH, EDGE, GAP = 1080, 44, 16
"""In pixels, as everything here."""
INNER = WIDTH - 2 * EDGE
LETTER: Final = 0.6
"""The usual width of a letter as a part of its size."""
PAPER, LINE = Paper(4, 3), 1.3
PAGE, CARD, RIM, TEXT, QUIET = "#f3efe6", "#fffdf8", "#ddd5c4", "#23281f", "#5f6557"
GOOD, ALARM, GLOW, TURN = "#1f6b3a", "#a3261d", "#d99a00", "#fff3cf"
OWN: Final = {
    **{"red": "#c2372d", "blue": "#1f64b4", "green": "#23803f", "yellow": "#d9a400"},
    **{"black": "#2a2a2a", "white": "#b9b4a8", "orange": "#d9701a", "pink": "#cf4f8b"},
}
OTHER: Final = "#77705f"
FONTS: Final = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif"
MOST_IN_A_ROW: Final = 4


def draw_card(moment: Moment, date: str | None, at: int | None = None) -> str:
    """The picture as SVG, of the newest moment or of the one after the entry `at`, counted from 1.
    Raises IndexError where the game has no such entry."""
    journal = moment.journal
    assert journal is not None, "a game is drawn"
    told = tell(moment, at)
    state = journal.state if at is None else journal.states[at - 1]
    drawn = picture_of(journal.opened.game).draw(state, PAPER, stand_alone=False)
    card = _Card()
    card.head(told, date)
    card.seats(told["seats"])
    card.said(told)
    if drawn is not None:
        card.drawing(drawn)
    card.dispute(told)
    return card.svg(told["sentence"]["words"])


class _Card:
    """What is drawn so far, from the top on."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._y = float(EDGE)

    def head(self, told: Json, date: str | None) -> None:
        """Which game it is, and when."""
        self._words(told["game"]["title"], 34, bold=True)
        when = say("again.date", date=date) if date else say("again.no-date")
        entry = say("again.entry", entry=told["entry"], entries=told["entries"])
        number = [say("again.game", number=told["number"])["words"]] if told["number"] else []
        about = [*number, when["words"], told["where"]["words"], entry["words"]]
        self._words(" · ".join(about), 23, QUIET)
        self._y += GAP

    def seats(self, seats: list[Json]) -> None:
        """Each seat's name and score, side by side."""
        across = min(len(seats), MOST_IN_A_ROW)
        wide, high = (INNER - GAP * (across - 1)) / across, 118
        for number, seat in enumerate(seats):
            row, column = divmod(number, across)
            x, y = EDGE + column * (wide + GAP), self._y + row * (high + GAP)
            own, lit = OWN.get(seat["colour"] or "", OTHER), seat["to_move"] or seat["won"]
            around = Bounds(x, y, x + wide, y + high)
            self._box(around, TURN if lit else CARD, GLOW if lit else RIM)
            self._parts.append(
                f'<rect x="{coordinate(x)}" y="{coordinate(y)}" width="{coordinate(wide)}"'
                f' height="10" rx="5" fill="{own}"/>'
            )
            name = _cut(seat["shown"], (wide - 60) / (25 * 1.15 * LETTER))
            self._text(f"{seat['sign']}", x + 18, y + 43, 25, own)
            self._text(name, x + 48, y + 43, 25, bold=True)
            self._text(str(seat["score"]), x + 18, y + 98, 50, bold=True)
        self._y += -(-len(seats) // across) * (high + GAP)

    def said(self, told: Json) -> None:
        """The entry, why it scored, who pays whom, and what is asked."""
        self._y += GAP / 2
        for entry in told["latest"][:1]:
            self._words(entry["said"]["words"], 42, bold=True)
            if entry["why"]:
                self._words(entry["why"]["words"], 28, QUIET)
            for payment in entry["payments"]:
                self._words(payment["said"]["words"], 30, GOOD, bold=True)
            for notice in entry["notices"]:
                self._words(notice["words"], 24, ALARM)
        self._words(told["asked"]["words"], 28, QUIET)
        self._y += GAP

    def drawing(self, drawn: str) -> None:
        """What lies on the table, as wide as the card."""
        high = INNER * PAPER.height / PAPER.width
        place = f'x="{EDGE}" y="{coordinate(self._y)}" width="{INNER}" height="{coordinate(high)}"'
        self._parts.append(drawn.replace("<svg ", f"<svg {place} ", 1))
        self._y += high + GAP

    def dispute(self, told: Json) -> None:
        """A call with its verdict and evidence, and how it was closed."""
        lines = [*_dispute(told)]
        if not lines:
            return
        top, under = self._y, len(self._parts)
        self._y += GAP
        for words, size, bold in lines:
            self._words(words, size, bold=bold, indent=28)
        self._y += GAP / 2
        over, self._parts = self._parts[under:], self._parts[:under]
        self._box(Bounds(EDGE, top, WIDTH - EDGE, self._y), CARD, RIM)
        self._box(Bounds(EDGE, top, EDGE + 10, self._y), ALARM, ALARM)
        self._parts += over
        self._y += GAP

    def svg(self, title: str) -> str:
        """All of it."""
        high = coordinate(self._y + EDGE - GAP)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{high}"'
            f' viewBox="0 0 {WIDTH} {high}" font-family="{FONTS}"><title>{escape(title)}</title>'
            f'<style>{plain_style()}</style><rect width="{WIDTH}" height="{high}" fill="{PAGE}"/>'
            f"{''.join(self._parts)}</svg>\n"
        )

    def _words(
        self, words: str, size: float, colour: str = TEXT, *, bold: bool = False, indent: float = 0
    ) -> None:
        """Words from edge to edge, in as many lines as they need."""
        letter = LETTER if bold else 0.9 * LETTER
        for line in wrap(words, int((INNER - 2 * indent) / (size * letter))):
            self._y += size * LINE
            self._text(line, EDGE + indent, self._y - size * (LINE - 1), size, colour, bold=bold)

    def _text(
        self, words: str, x: float, y: float, size: float, colour: str = TEXT, *, bold: bool = False
    ) -> None:
        weight = ' font-weight="700"' if bold else ""
        place = f'x="{coordinate(x)}" y="{coordinate(y)}" font-size="{coordinate(size)}"'
        self._parts.append(f'<text {place}{weight} fill="{colour}">{escape(words)}</text>')

    def _box(self, around: Bounds, fill: str, rim: str) -> None:
        place = f'x="{coordinate(around.left)}" y="{coordinate(around.top)}"'
        wide, high = coordinate(around.width), coordinate(around.height)
        size = f'width="{wide}" height="{high}" rx="10"'
        self._parts.append(f'<rect {place} {size} fill="{fill}" stroke="{rim}" stroke-width="2"/>')


def _dispute(told: Json) -> Iterator[tuple[str, float, bool]]:
    """Words, their size, and whether they are bold."""
    claim, ruling = told["claim"], told["ruling"]
    if claim:
        yield claim["charge"]["words"], 27, True
        yield claim["verdict"]["words"], 34, True
        yield claim["evidence"]["words"], 27, False
    if ruling:
        yield ruling["said"]["words"], 27, True


def _cut(words: str, letters: float) -> str:
    """The words, or as much of them as so many letters' room holds; some letters need that of
    two."""
    room, kept = letters, ""
    for letter in words:
        room -= 2 if east_asian_width(letter) in "WF" else 1
        if room < 0:
            return f"{kept[:-1]}…"
        kept += letter
    return kept
