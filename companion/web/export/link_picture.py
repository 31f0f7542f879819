"""The picture that stands beside a link to a game or an evening (og:image), 1200 pixels by 630: a
title, the standings, and what lay on the table. Pure; SVG.
"""

from collections.abc import Sequence
from html import escape
from typing import Final

from companion.core.values import dataclass
from companion.presentation.drawing.svg import coordinate, cut, plain_style
from companion.web.export.card import FONTS, LETTER, NOT_IN_XML, VIEW, colours

WIDTH, HEIGHT, EDGE = 1200, 630, 50
LEFT: Final = 470
"""The width of the column with the standings."""
TOP: Final = 170
MOST: Final = 6
"""The most lines of standings; further ones are left out."""


@dataclass(frozen=True, slots=True)
class LinkLine:
    """A line of the standings: a name, how many points or games, the colour, and whether they have
    won."""

    name: str
    number: int
    colour: str
    won: bool = False


def link_picture(title: str, about: str, standings: Sequence[LinkLine], drawn: str | None) -> str:
    """The picture; `drawn` is a drawing of what lay on the table, None if there is none."""
    wide = WIDTH - 2 * EDGE
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{WIDTH}' height='{HEIGHT}'"
        f" viewBox='0 0 {WIDTH} {HEIGHT}' font-family='{FONTS}'>",
        f"<style>{plain_style()}</style>",
        f"<rect width='100%' height='100%' fill='{colours()['paper']}'/>",
        _text(cut(title, wide / (52 * LETTER)), EDGE, 95, 52, "text", bold=True),
        _text(cut(about, wide / (30 * LETTER)), EDGE, 140, 30, "quiet"),
    ]
    shown = standings[:MOST]
    high = min((HEIGHT - TOP - EDGE) / max(1, len(shown)), 110)
    across = LEFT if drawn else wide
    for number, one in enumerate(shown):
        parts += _line(one, TOP + number * high, high - 12, across)
    if drawn and (found := VIEW.fullmatch(drawn)):
        x, y = EDGE + LEFT + 30, TOP
        place = f"x='{x}' y='{y}' width='{WIDTH - EDGE - x}' height='{HEIGHT - EDGE - y}'"
        parts.append(f"<svg class='drawing' {place} viewBox='{found[1]}'>{found[2]}</svg>")
    return "".join([*parts, "</svg>"])


def _line(one: LinkLine, y: float, high: float, wide: float) -> list[str]:
    known = colours()
    own = known.get(one.colour, known["quiet"])
    fill, rim = ("turn", "glow") if one.won else ("card", "line")
    size = min(40.0, high * 0.5)
    middle = y + high / 2 + size * 0.36
    number = str(one.number)
    room = (wide - 60 - len(number) * size * 1.2 * LETTER) / (size * LETTER)
    return [
        f"<rect x='{EDGE}' y='{coordinate(y)}' width='{coordinate(wide)}'"
        f" height='{coordinate(high)}' rx='12' fill='{known[fill]}' stroke='{known[rim]}'"
        " stroke-width='2'/>",
        f"<rect x='{EDGE}' y='{coordinate(y)}' width='12' height='{coordinate(high)}' rx='6'"
        f" fill='{own}'/>",
        _text(cut(one.name, room), EDGE + 28, middle, size, "text", bold=True),
        _text(number, EDGE + wide - 20, middle, size * 1.2, "text", bold=True, end=True),
    ]


def _text(
    words: str, x: float, y: float, size: float, colour: str, *, bold: bool = False,
    end: bool = False,
) -> str:  # fmt: skip
    said = escape(NOT_IN_XML.sub("\ufffd", words), quote=False)
    weight = " font-weight='bold'" if bold else ""
    place = f"x='{coordinate(x)}' y='{coordinate(y)}' font-size='{coordinate(size)}'"
    place += f" text-anchor='{'end' if end else 'start'}'{weight}"
    return f"<text {place} fill='{colours()[colour]}'>{said}</text>"
