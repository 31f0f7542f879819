"""The picture on a TV while people sit down before a game: the code and the digits that let phones
in, and the seats around the table as they fill up, as the page `/tv` shows them."""

from collections.abc import Mapping
from typing import Final

from PIL import Image, ImageDraw

from companion.core.seats import display_name
from companion.core.values import Json
from companion.presentation.moment import SIGNS
from companion.presentation.page_words import PAGE_WORDS
from companion.web.tv.drawing import Area, fit_line, fit_lines, font, palette, seat_places, write
from companion.web.tv.picture import GAP, PhoneInvitation, draw_code, usable_area

COLUMNS: Final = 4
"""The number of columns in which the seats are."""


def draw_sitting(
    sitting: Json,
    size: tuple[int, int],
    invitation: PhoneInvitation,
    words: Mapping[str, str] = PAGE_WORDS,
) -> Image.Image:
    """The picture of a page's message `sitting` (web/phones.py); `size`: its width and height in
    pixels. `invitation`: the code, the text about it, and as its place the digits, which are drawn
    large. `words`: the texts in the table's language."""
    image = Image.new("RGB", size, palette()["paper"])
    draw, unit, whole = ImageDraw.Draw(image), float(min(size)), usable_area(size)
    gap = unit * GAP
    foot = whole._replace(top=whole.bottom - 0.05 * unit)
    body = whole._replace(bottom=foot.top - 2 * gap)
    if size[1] > size[0]:
        way, table = body._replace(bottom=body.top + 0.62 * unit), body
        table = body._replace(top=way.bottom + 2 * gap)
    else:
        way = body._replace(right=body.left + body.width * 0.34)
        table = body._replace(left=way.right + 2 * gap)
    _draw_way_in(draw, way, unit, invitation, words)
    _draw_seats(draw, table, unit, sitting, words)
    seats = sitting["seats"]
    seated = words["sit.seated"].format(number=len([*filter(None, seats)]), seats=len(seats))
    middle = (foot.top + foot.bottom) / 2
    line, letters = fit_line(seated, foot.width * 0.5, 0.042 * unit)
    draw.text((foot.right, middle), line, palette()["quiet"], font(letters), "rm")
    game, letters = fit_line(sitting["game"], foot.width * 0.48, 0.042 * unit)
    draw.text((foot.left, middle), game, palette()["text"], font(letters), "lm")
    return image


def _draw_way_in(
    draw: ImageDraw.ImageDraw,
    box: Area,
    unit: float,
    invitation: PhoneInvitation,
    words: Mapping[str, str],
) -> None:
    title = box._replace(bottom=box.top + 0.12 * unit)
    below = write(draw, title, words["sit.title-tv"], 0.085 * unit, palette()["text"])
    if not invitation.rows:
        return
    gap = unit * GAP
    code = Area(box.left, below + gap, box.right, box.bottom)
    side = min(code.width, code.height * 0.52)
    if box.width > box.height:  # in landscape the text is beside the code
        side = min(box.width * 0.45, code.height)
        text = code._replace(left=box.left + side + 2 * gap)
    else:
        text = code._replace(top=code.top + side + gap)
    draw_code(draw, invitation.rows, Area(code.left, code.top, code.left + side, code.top + side))
    big = min(0.12 * unit, text.height * 0.4)
    caption = text._replace(bottom=text.bottom - big * 1.2)
    below = write(draw, caption, invitation.caption, 0.038 * unit, palette()["quiet"])
    digits, letters = fit_line(invitation.place, text.width, big)
    draw.text((text.left, below + letters * 0.7), digits, palette()["text"], font(letters), "lm")


def _draw_seats(
    draw: ImageDraw.ImageDraw, box: Area, unit: float, sitting: Json, words: Mapping[str, str]
) -> None:
    """Draws the table from above with a place for each seat; the first is at the bottom, the next
    where the turn goes."""
    seats, colours, gap = sitting["seats"], palette(), unit * GAP
    many, edge = len(seats), max(2, round(unit / 200))
    rows = seat_places(many)
    high = min(box.height, len(rows) * 0.2 * unit + (len(rows) + 1) * 2 * gap)
    top = box.top + (box.height - high) / 2
    felt = box._replace(top=top, bottom=top + high)
    draw.rounded_rectangle(felt, 6 * gap, colours["felt"], colours["felt-edge"], edge)
    cells = [one.columns(COLUMNS, gap) for one in felt.inner(2 * gap).rows(len(rows), gap)]
    for number, name in enumerate(seats):
        letter = "abcdefgh"[number if sitting["clockwise"] else (many - number) % many]
        at = next(at for at, row in enumerate(rows) if letter in row)
        row = cells[at]
        place = row[rows[at].index(letter)]._replace(right=row[rows[at].rindex(letter)].right)
        own = colours[sitting["colours"][number].lower()]
        rim = colours["line" if name else "quiet"]
        fill = colours["card" if name else "felt"]
        draw.rounded_rectangle(place, 1.5 * gap, fill, rim, edge)
        inner = place.inner(gap, 0.6 * gap)
        sign = min(0.05 * unit, inner.height * 0.6)
        middle = (inner.top + inner.bottom) / 2
        draw.text((inner.left, middle), SIGNS[number], own, font(round(sign)), "lm")
        text = inner._replace(left=inner.left + sign + gap)
        lines, letters = fit_lines(
            display_name(name) if name else words["sit.free"], text, 0.05 * unit
        )
        down = middle - (len(lines) - 1) * letters * 0.6
        for line in lines:
            colour = colours["text" if name else "quiet"]
            draw.text((text.left, down), line, colour, font(letters), "lm")
            down += letters * 1.2
        if name:
            draw.rectangle(place._replace(top=place.bottom - 0.012 * unit), own)
