"""The layout that the display's screens share. The screens of play share one layout, in which
everything has its fixed place:

    page 0  SEAT TO ACT            00    the number that everybody looks at: the count
    page 1  (caps)                 00
    page 2  what the seat needs    00
    page 3  the open ends       what the number is
    page 4           what is       choices, instead of the chips
    page 5  way      keyed         the chips that move
    page 6  what the keyed entry makes, who pays whom  00
    page 7  the scores

Until something is keyed, its place shows the tile played last, in small letters. A key changes
little of this picture, so few bytes are sent to the panel (`wire_cost`, frame.py). Questions,
banners and refusals are drawn over any screen."""

import re
from functools import lru_cache

from companion.console.fonts import SHORTENED, text_width, wrapped
from companion.console.frame import WIDTH, Canvas
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.presentation.language import Language

Scores = tuple[tuple[str, int], ...]

PARTNERS = "+"
"""The separator between the names of partners."""
BETWEEN = 4
"""Columns between one seat's points and the next seat's name."""
KEYED_X = 34
"""The x at which the keyed text begins, after the label of the entry way."""
REFUSAL_LINES = 4
"""The most lines for the reason of a refusal."""
PAID_GAP = 5
"""Dark columns around the points at the end of a line, in total on both sides."""


@dataclass(frozen=True, slots=True)
class TableLayout:
    """The words for each place of a screen of play. `keyed` is written large, `chips` small to the
    right of it; `say` is the line below them."""

    seat: str
    number: str = ""
    label: str = ""
    need: str = ""
    ends: str = ""
    keyed_label: str = ""
    keyed: str = ""
    chips: str = ""
    say: str = ""
    scores: Scores = ()
    """Each seat's name and points."""
    second: str = ""
    """A second line of `say`, in place of the scores."""
    asks: bool = False
    """Whether `say` lists choices of which one has to be made; if so, it is inverted."""
    paid: str = ""
    """Points that were just paid, shown inverted after `say`."""
    pays: bool = False
    """Whether `number` was just paid; if so, its label is inverted."""
    mark: str = ""
    """A line about something that a key press will show. It replaces `say` or, if that is not
    empty, the scores."""
    last: str = ""
    """The tile played last, small, in place of `keyed`."""
    options: tuple[str, ...] = ()
    """Choices, one per line, beside the keyed text and in place of `chips`."""
    colour: str = ""
    """The colour of `chips`."""
    tiles: tuple[str, ...] = ()
    """Up to two small lines in place of `keyed`."""


def draw_table(canvas: Canvas, table: TableLayout) -> None:
    """Draws a screen of play with these words."""
    edge = WIDTH
    if table.number:
        edge -= canvas.width(table.number, "big")
        canvas.text(edge, 0, table.number, "big")
    canvas.text(0, 0, canvas.capitals(table.seat, edge - 4, "caps"), "caps")
    canvas.text(0, 16, table.need, room=edge - 3)
    label = WIDTH - canvas.width(table.label)
    canvas.text(label, 24, table.label)
    if table.pays:
        canvas.invert(label - 1, 3, WIDTH - label + 1)
    canvas.text(0, 24, table.ends, room=label - 3)
    canvas.text(0, 40, table.keyed_label)
    end = KEYED_X
    if table.tiles:
        for row, line in enumerate(table.tiles[-2:]):
            end = canvas.text(KEYED_X if table.keyed_label else 0, 32 + 8 * row, line)
        end = end if len(table.tiles) > 1 else KEYED_X
    elif table.keyed:
        end = canvas.text(KEYED_X, 32, table.keyed, "caps")
    if table.last:
        canvas.text(KEYED_X, 32, table.last)
    for row, option in enumerate(table.options):
        canvas.right(WIDTH + 1, 32 + 8 * row, option)
    _draw_chips(canvas, table, WIDTH - end - 4)
    _draw_say(canvas, table.say or table.mark, table.paid)
    if table.asks:
        canvas.invert(0, 6, WIDTH)
    second = table.second or (table.mark if table.say else "")
    if second:
        canvas.text(0, 56, second, room=WIDTH)
        if table.asks:
            canvas.invert(0, 7, WIDTH)
    else:
        draw_scores(canvas, table.scores)


def _draw_chips(canvas: Canvas, table: TableLayout, room: int) -> None:
    """Draws the chips and their colour; if they are too wide for `room` columns, the colour is
    drawn above them."""
    if not (table.chips or table.colour):
        return
    colour = canvas.language.translate(table.colour)
    together = f"{canvas.language.translate(table.chips)} {colour}".rstrip()
    if canvas.width(together) <= room:
        canvas.right(WIDTH + 1, 40, together)
    elif canvas.width(table.chips) <= room:
        canvas.right(WIDTH + 1, 40, table.chips)
        canvas.right(WIDTH + 1, 32, colour if not table.tiles else "")


def say_room(paid: str) -> int:
    """Returns how many columns are left for the line `say` if the points `paid` follow it."""
    return WIDTH - text_width(paid) - PAID_GAP if paid else WIDTH


def refused_in_short(refused: str) -> str:
    """Returns the first sentence of a refusal, without its reason, to be shown as `say`. If that is
    too wide, returns which key shows the refusal in full."""
    short = re.split(r": |\. |(?<=\?) ", refused.rstrip("."), maxsplit=1)[0]
    return short if text_width(short) <= WIDTH else phrase("Refused. OK says why.")


def _draw_say(canvas: Canvas, say: str, paid: str) -> None:
    """Draws the line `say`, followed by the points that were paid, inverted."""
    end = canvas.text(0, 48, say, room=say_room(paid))
    if paid:
        behind = canvas.text(end + 3, 48, paid)
        canvas.invert(end + 2, 6, behind - end - 2)


def draw_scores(canvas: Canvas, scores: Scores) -> None:
    """Draws all seats with their points in the lowest line. Two seats have half of the line each.
    More seats get as many letters as fit, with room for two digits each, so that little moves as
    points grow."""
    scores = tuple((canvas.language.translate(name), points) for name, points in scores)
    if len(scores) <= 2:
        for number, (name, points) in enumerate(scores):
            canvas.text(number * 64, 56, f"{cut_names((name,), 46)[0]} {points}")
        return
    widest = [f"{'-' if points < 0 else ''}{max(abs(points), 88)}" for _, points in scores]
    widths = [canvas.width(f". {points}") - canvas.width(".") for points in widest]
    room = WIDTH - sum(widths) - BETWEEN * (len(scores) - 1)
    names = cut_names(tuple(name for name, _ in scores), room)
    x = 0
    for name, width, (_, points) in zip(names, widths, scores, strict=True):
        canvas.text(x, 56, f"{name} {points}")
        x += canvas.width(name) + width + BETWEEN


@lru_cache(maxsize=64)
def cut_names(names: tuple[str, ...], room: int) -> tuple[str, ...]:
    """Returns the names shortened so that all fit into `room` columns. The widest are shortened
    first, down to one letter each. A shortened name that could be another's ends with the first
    letter in which the two differ: Vermelho and Verde become “Vem” and “Ved”."""
    for less in range(room):
        apart = _make_distinct(names, _shorten_widest(names, room - less))
        if sum(map(text_width, apart)) <= room:
            return apart
    return _shorten_widest(names, room)


def _make_distinct(names: tuple[str, ...], cut: tuple[str, ...]) -> tuple[str, ...]:
    found = [*cut]
    for at, short in enumerate(cut):
        others = {name for name in names if name.startswith(short)} - {names[at]}
        if not others or len(short) < 2 or PARTNERS in short:
            continue
        alike = max(_common_prefix_length(names[at], other) for other in others)
        if len(short) <= alike < len(names[at]):
            found[at] = short[:-1] + names[at][alike]
    return tuple(found)


def _common_prefix_length(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _shorten_widest(names: tuple[str, ...], room: int) -> tuple[str, ...]:
    cut = [*names]
    while sum(map(text_width, cut)) > room:
        widest = max(filter(_can_be_shortened, cut), key=text_width, default="")
        if not widest:
            break
        cut[cut.index(widest)] = _shorten_name(widest)
    return tuple(cut)


def _can_be_shortened(name: str) -> bool:
    return any(len(one) > 1 for one in name.replace(SHORTENED, "").split(PARTNERS))


def _shorten_name(name: str) -> str:
    """Returns the name without its last letter. Of partners' names, the wider one is shortened and
    ends with a dot."""
    if PARTNERS not in name:
        return name[:-1].rstrip()
    partners = name.split(PARTNERS)
    widest = max(filter(_can_be_shortened, partners), key=text_width)
    kept = widest.removesuffix(SHORTENED)[:-1].rstrip()
    partners[partners.index(widest)] = kept + SHORTENED * (len(kept) > 1)
    return PARTNERS.join(partners)


def question_lines(question: str, language: Language) -> tuple[str, ...]:
    """Returns the question in lines of the display's width."""
    return wrapped(language.translate(question), WIDTH - 4)


def draw_question(canvas: Canvas, question: str, *answers: str) -> None:
    """Draws a question of up to three lines, and below it one line per answer, over the lowest
    lines of the screen."""
    asked = question_lines(question, canvas.language)[:3]
    page = 8 - len(answers) - len(asked)
    canvas.fill(0, 8 * page, WIDTH, 64 - 8 * page, on=False)
    for row, line in enumerate(asked, page):
        canvas.text(2, 8 * row, line)
        canvas.invert(0, row, WIDTH)
    for row, answer in enumerate(answers, page + len(asked)):
        canvas.text(2, 8 * row, answer, room=WIDTH - 4)


def draw_club_sign(canvas: Canvas, sign: str) -> None:
    """Draws the club's sign (Club.corner_sign), small, in the free corner beside the keyed text."""
    width = canvas.width(sign)
    if not sign or width > KEYED_X - 1:
        return
    for x, y in ((0, 32), (0, 40), (WIDTH - width, 40), (WIDTH - width, 32)):
        if canvas.is_blank(max(x - 1, 0), y, width + 1):
            canvas.text(x, y, sign)
            return


def draw_banner(canvas: Canvas, text: str) -> None:
    """Draws a message over the lowest lines, as many as needed, but at most five."""
    lines = canvas.wrapped(text, WIDTH - 4)[:5]
    top = 8 - len(lines)
    canvas.fill(0, top * 8, WIDTH, 64 - top * 8, on=False)
    for row, line in enumerate(lines):
        canvas.text(2, (top + row) * 8, line)
    canvas.invert(0, top, WIDTH, len(lines))


def draw_refusal(canvas: Canvas, text: str, hint: str) -> None:
    """Draws the reason for a refusal below the seat and the number. The lowest line shows the
    `hint` about what to do."""
    canvas.fill(0, 24, WIDTH, 40, on=False)
    for row, line in enumerate(canvas.wrapped(text, WIDTH)[:REFUSAL_LINES]):
        canvas.text(0, 24 + 8 * row, line)
    canvas.text(2, 56, hint, room=WIDTH - 4)
    canvas.invert(0, 7, WIDTH)
