"""The whole picture on a TV, made from the page's messages: scores, whose turn it is, the line of
play, payments, and the code that phones scan.

It shows the same as the page `/tv`, in the same colours. Lengths are fractions of the picture's
shorter side, so the picture looks the same from 480 to 2160 lines, in landscape or portrait.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from PIL import Image, ImageDraw

from companion.core.values import Json
from companion.presentation.page_words import PAGE_WORDS
from companion.web.tv.drawing import (
    Area,
    Colour,
    fit_line,
    fit_lines,
    font,
    lines_of,
    palette,
    pixels_of,
    write,
)

# ---------------------------------------------------------------- invitation
# Draws the QR code that gives phones access.


CODE: Final = 0.25
"""The height of the code with its light margin, as a fraction of the picture's height: large enough
for a phone two metres away."""
WIDEST_CODE: Final = 0.45
"""The maximum width of the code, as a fraction of the picture's width: it limits the code in narrow
upright pictures."""
QUIET_ZONE: Final = 4
"""The width of the light margin around a QR code, in modules."""


class PhoneInvitation(NamedTuple):
    """How phones get access. `place`: the table's address, the name and password of the box's own
    Wi-Fi, or both; `rows`: the code, row by row (“#” is dark); `caption`: the text beside the code.
    All are empty if phones have no access."""

    place: str = ""
    rows: tuple[str, ...] = ()
    caption: str = ""


def side_of_code(rows: tuple[str, ...], size: tuple[int, int]) -> float:
    """The side of a code with its light margin, in pixels, in a picture of this `size` (width and
    height). Each module is a whole number of pixels wide."""
    modules = len(rows) + 2 * QUIET_ZONE
    return modules * -(-min(size[1] * CODE, size[0] * WIDEST_CODE) // modules)


def draw_code(draw: ImageDraw.ImageDraw, rows: tuple[str, ...], box: Area) -> None:
    """Draws the code, dark on light, with as many whole pixels for each module as there is room
    for."""
    each = int(box.width // (len(rows) + 2 * QUIET_ZONE))
    side = each * (len(rows) + 2 * QUIET_ZONE)
    left, top = round(box.left), round(box.top + (box.height - side) / 2)
    light: Colour = (255, 255, 255)
    draw.rectangle((left, top, left + side - 1, top + side - 1), light)
    for down, row in enumerate(rows, QUIET_ZONE):
        for across, sign in enumerate(row, QUIET_ZONE):
            if sign == "#":
                x, y = left + across * each, top + down * each
                draw.rectangle((x, y, x + each - 1, y + each - 1), (0, 0, 0))


# ---------------------------------------------------------------- clock
# The round's clock on a TV: the time left of a round, at the upper right corner of the picture. It
# is drawn over a finished picture, so each second costs only a few letters.


LETTERS: Final = 0.05
"""The size of the clock's letters as a fraction of the picture's shorter side, readable from eight
metres."""
WIDEST: Final = 0.5
"""The clock's maximum width as a fraction of the usable width."""


class ShownClock(NamedTuple):
    """A state of the clock: `left_s` seconds are left; 0: the time is up."""

    left_s: int

    def text(self, words: Mapping[str, str]) -> str:
        """The text on the clock, from the page's `words`."""
        if not self.left_s:
            return words["round.up"]
        minutes, seconds = divmod(self.left_s, 60)
        return words["round.left"].format(minutes=minutes, seconds=f"{seconds:02}")


def clock_area(whole: Area, unit: float) -> Area:
    """The clock's area in `whole`, the area that may be drawn on; `unit`: the picture's shorter
    side, in pixels."""
    left = whole.right - whole.width * WIDEST
    return whole._replace(left=left, bottom=whole.top + unit * LETTERS * 1.3)


def with_clock(
    picture: Image.Image, place: Area, clock: ShownClock, words: Mapping[str, str]
) -> Image.Image:
    """A copy of the picture with the clock in that place."""
    shown = picture.copy()
    said, size = fit_line(clock.text(words), place.width, place.height / 1.3)
    colour = palette()["text" if clock.left_s else "alarm"]
    middle = (place.top + place.bottom) / 2
    ImageDraw.Draw(shown).text((place.right, middle), said, colour, font(size), "rm")
    return shown


# ---------------------------------------------------------------- calls
# The calls that the club's organiser shows on every TV, in a band above the picture of the table.


CALLS: Final = (0.085, 0.06, 0.042)
"""The heights that a line of the band may have, as fractions of the picture's shorter side: the
largest with which all calls fit is taken."""
HIGHEST: Final = 0.4
"""The band's maximum height as a fraction of the screen's."""


def asked_words(moment: Any, words: Mapping[str, str]) -> str:
    """The words that ask for the next entry; before the first hand, they include the number of
    tiles that each player draws if the rules determine it."""
    each = moment["options"].get("deal")
    if moment["asked"]["key"] == "asks.deal-first" and each:
        return words["keying.deal-first"].format(number=each)
    return str(moment["asked"]["words"])


def break_words(number: int, left_s: int, words: Mapping[str, str]) -> str:
    """The text about the time left until the round `number`, from the page's `words`."""
    if not left_s:
        return words["round.next-now"].format(number=number)
    minutes, seconds = divmod(left_s, 60)
    return words["round.next-in"].format(number=number, minutes=minutes, seconds=f"{seconds:02}")


def call_lines(calls: Sequence[str], size: tuple[int, int]) -> tuple[list[str], int]:
    """The lines of a band with these calls on a screen of that size, and the band's height in
    pixels, including the margin that a TV may cut off. The last lines are left out if they don't
    fit."""
    if not calls:
        return [], 0
    whole, most = usable_area(size), size[1] * HIGHEST
    for part in CALLS:
        each = part * min(size)
        lines = [one for text in calls for one in lines_of(text, whole.width, round(0.75 * each))]
        if len(lines) * each <= most:
            break
    lines = lines[: int(most / each)]
    return lines, round(whole.top + len(lines) * each)


def with_calls(picture: Image.Image, lines: Sequence[str], height: int) -> Image.Image:
    """The picture with a band above it, `height` pixels high, that shows these lines."""
    colours = palette()
    shown = Image.new("RGB", (picture.width, picture.height + height), colours["text"])
    shown.paste(picture, (0, height))
    place = usable_area(shown.size)._replace(bottom=height)
    draw, middle = ImageDraw.Draw(shown), (place.left + place.right) / 2
    for words, row in zip(lines, place.rows(len(lines), 0), strict=True):
        line, size = fit_line(words, row.width, 0.75 * row.height)
        draw.text((middle, (row.top + row.bottom) / 2), line, colours["paper"], font(size), "mm")
    return shown


# ---------------------------------------------------------------- moment
# Extracts the content of the picture from a moment (docs/telling.md): the cards of its sides, the
# count of the line of play, and the newest event.


TAKEN_OVER = "news.taken-over"
"""The key of the news that a phone has taken a seat, which is shown even during a dispute."""


def seat_cards(moment: Any) -> list[list[Any]]:
    """The seats in groups that share a card: partners together, others alone."""
    seats = {seat["seat"]: seat for seat in moment["seats"]}
    if moment["sides"]:
        return [[seats[one] for one in side] for side in moment["sides"]]
    return [[seat] for seat in moment["seats"]]


def count_of(moment: Any) -> tuple[str, str] | None:
    """The count of the line of play, and the terms that add up to it, such as “2+3”; an empty text
    if there is only one term, or if the latest entries give none for this count. None if there is
    no count to show."""
    table = moment["table"]
    if not table or table["kind"] != "line" or table["count"] is None or not table["tiles"]:
        return None
    lays = (
        entry["why"]["parts"]
        for entry in moment["latest"]
        if entry["hand"] == moment["hand"] and entry["why"] and "count" in entry["why"]["parts"]
    )
    told: Json = next(lays, {})
    terms = told.get("terms", []) if told.get("count") == table["count"] else []
    return str(table["count"]), "+".join(map(str, terms)) if len(terms) > 1 else ""


def chips_beside(moment: Any) -> list[tuple[str, str, str | None, list[int]]]:
    """The chips that are shown beside their payers until they are moved: the payer, the sign of the
    seat that gets them, the name of their colour, and their values."""
    signs = {seat["seat"]: seat["sign"] for seat in moment["seats"]}
    colours = {seat["seat"]: seat["colour"] for seat in moment["seats"]}
    due, newest = moment["chips_to_move"], moment["latest"][0] if moment["latest"] else None
    if due:
        ways = [(one["parts"]["payer"], one["parts"]["to"], one) for one in due["moves"]]
        ways = [
            (to, by, one) if one["key"] == "pays.back" else (by, to, one) for by, to, one in ways
        ]
    else:
        paid = newest["payments"] if newest else []
        ways = [(one["from"], one["to"], one) for one in paid]
    return [
        (
            by,
            signs[to],
            colours.get(one["chips"]["colour"], one["chips"]["colour"]),
            [piece["value"] for piece in one["chips"]["over"] for _ in range(piece["number"])],
        )
        for by, to, one in ways
        if one.get("chips") and by in signs and to in signs
    ]


def event_strip(
    moment: Any, words: Mapping[str, str] = PAGE_WORDS
) -> tuple[str, list[str], str, str] | None:
    """The content of the strip below the line of play: its heading, its lines, the reason, and the
    name of its edge's colour. None without an event to show. `words`: the page's words."""
    news = moment["news"]
    if news and news["said"]["key"] == TAKEN_OVER:
        return "", [news["said"]["words"]], "", "alarm"
    claim, ruling, due = moment["claim"], moment["ruling"], moment["chips_to_move"]
    if claim:
        judged = ruling["said"] if ruling else claim["verdict"]
        return claim["charge"]["words"], [judged["words"]], claim["evidence"]["words"], "alarm"
    if due:
        said = [f"{one['words']}{_pieces(one)}" for one in due["moves"]]
        heading = moment["news"]["said"]["words"] if moment["news"] else ""
        return words["due.restored"] if due.get("restored") else heading, said, "", "glow"
    if ruling:
        return "", [ruling["said"]["words"]], "", "alarm"
    newest = moment["latest"][0] if moment["latest"] else None
    if newest and newest["payments"]:
        said = [f"{one['said']['words']}{_pieces(one)}" for one in newest["payments"]]
        colours = {seat["seat"]: seat["colour"] for seat in moment["seats"]}
        to = colours.get(newest["payments"][0]["to"]) or "other"
        return newest["why"]["words"] if newest["why"] else "", said, "", to
    if moment["news"] and moment["news"]["announced"]:
        return "", [moment["news"]["said"]["words"]], "", "accent"
    return None


def _pieces(payment: Any) -> str:
    return f":  {payment['chips']['said']['words']}" if payment.get("chips") else ""


# ---------------------------------------------------------------- picture

MARGIN: Final = 0.05
"""The fraction of the picture's width or height that a TV may cut off at each side."""
GAP: Final = 0.014
SMALLEST_LABEL: Final = 0.85
"""The factor by which a label may be reduced before it is left out."""


def draw_table(
    message: Json,
    size: tuple[int, int],
    invitation: PhoneInvitation,
    box: Image.Image | None = None,
    *,
    timed: bool = False,
    win: Json | None = None,
    words: Mapping[str, str] = PAGE_WORDS,
) -> Image.Image:
    """The picture of `message`, the last message to a page (docs/telling.md); `size`: its width and
    height in pixels. `box`: the picture of the box's display, if the TV shows that as well.
    `timed`: whether to keep room for the round's clock. `win`: the panel of that name, once a game
    is over; `words`: the texts in the table's language. Raises OSError if the font isn't installed
    (drawing.FONT)."""
    return _Picture(size, invitation, box, timed=timed, win=win or {}, words=words).draw(message)


def usable_area(size: tuple[int, int]) -> Area:
    """The area of a picture of that size that may be drawn on, as a TV may cut off the rest."""
    across, down = size[0] * MARGIN, size[1] * MARGIN
    return Area(across, down, size[0] - across, size[1] - down)


def shape_of(size: tuple[int, int]) -> str:
    """The shape of drawing that fits a picture of that size, by the name with which a page requests
    it."""
    return "square" if size[1] > size[0] else "wide"


class _Picture:
    def __init__(
        self,
        size: tuple[int, int],
        invitation: PhoneInvitation,
        box: Image.Image | None,
        *,
        timed: bool,
        win: Json,
        words: Mapping[str, str],
    ) -> None:
        self._win, self._words = win, words
        self._chips_due: list[tuple[str, str, str | None, list[int]]] = []
        self._image = Image.new("RGB", size, palette()["paper"])
        self._draw = ImageDraw.Draw(self._image)
        self._invitation, self._box = invitation, box
        self._unit = float(min(size))
        self._gap = self._unit * GAP
        self._upright = size[1] > size[0]
        self._usable = usable_area(size)
        self._clock = clock_area(self._usable, self._unit) if timed else None
        self._code = side_of_code(invitation.rows, size)

    def draw(self, message: Json) -> Image.Image:
        moment = message.get("moment")
        body = self._draw_head(moment)
        if moment and moment["game"]:
            self._chips_due = chips_beside(moment)
        if not moment or not moment["game"]:
            self._draw_welcome(message, body)
        elif moment["finished"] and moment["highlights"]:
            self._draw_game_over(moment, body)
        elif self._upright:
            self._draw_upright_table(moment, message.get("drawing"), body)
        else:
            self._draw_wide_table(moment, message.get("drawing"), body)
        return self._image

    # ------------------------------------------------------------ the parts of the picture

    def _draw_head(self, moment: Any) -> Area:
        """Draws a line with the game and the state of the hand, beside the round's clock. Returns
        the area that is left below."""
        size = 0.03 * self._unit
        line = self._usable._replace(bottom=self._usable.top + size * 1.3)
        below = self._usable._replace(top=self._usable.top + size * 1.6)
        if self._clock:
            line = line._replace(right=self._clock.left - self._gap)
            below = below._replace(top=self._clock.bottom + self._gap)
        if moment and moment["game"]:
            said = [moment["where"], (moment["match"] or {}).get("said")]
            words = " · ".join([moment["game"]["title"], *(one["words"] for one in said if one)])
            write(self._draw, line, words, size, palette()["quiet"])
        return below

    def _draw_wide_table(self, moment: Any, drawing: str | None, body: Area) -> None:
        column = body._replace(right=body.left + body.width * 0.29)
        if self._invitation.rows:
            column = self._draw_invitation(column)
        if self._box:
            column = self._draw_box_display(self._box, column)
        self._draw_seats(moment, column, many_columns=1)
        self._draw_middle(moment, drawing, body._replace(left=column.right + 1.6 * self._gap))

    def _draw_upright_table(self, moment: Any, drawing: str | None, body: Area) -> None:
        many = len(seat_cards(moment))
        rows = -(-many // 2)
        high = min(body.height * 0.34, rows * self._unit * (0.16 if rows < 3 else 0.1))
        self._draw_seats(moment, body._replace(bottom=body.top + high), many_columns=2)
        body = body._replace(top=body.top + high + self._gap)
        if self._invitation.rows:
            body = self._draw_invitation(body)
        if self._box:
            body = self._draw_box_display(self._box, body)
        self._draw_middle(moment, drawing, body)

    def _draw_middle(self, moment: Any, drawing: str | None, box: Area) -> None:
        """Draws whose turn it is and the highlights, the count beside the line of play, and below
        it the newest event."""
        asked = box._replace(bottom=box.top + 0.085 * self._unit)
        asked = self._draw_highlights(moment, asked)
        headline = asked_words(moment, self._words)
        write(self._draw, asked, headline, 0.068 * self._unit, palette()["text"])
        low = self._draw_event_strip(moment, box._replace(top=asked.bottom + self._gap))
        board = box._replace(top=asked.bottom + self._gap / 2, bottom=low)
        count = count_of(moment)
        if count:
            scores = moment["table"].get("scores", int(count[0]) > 0 and int(count[0]) % 5 == 0)
            if self._upright:
                place = board._replace(bottom=board.top + 0.15 * self._unit)
                board = board._replace(top=place.bottom + self._gap)
            else:
                place = board._replace(right=board.left + 0.2 * self._unit)
                board = board._replace(left=place.right + self._gap)
            self._draw_count(count, place, scores=scores)
        if drawing and board.height > 0:
            pixels = pixels_of(drawing, round(board.width), round(board.height))
            self._image.paste(pixels, (round(board.left), round(board.top)))

    def _draw_count(self, count: tuple[str, str], box: Area, *, scores: bool) -> None:
        """Draws the count in the middle of `box`, larger and in another colour if it `scores`, and
        below it the terms that it is the sum of."""
        number, terms = count
        colours, middle = palette(), (box.left + box.right) / 2
        big = min(self._unit * (0.15 if scores else 0.09), box.height * 0.6)
        line, letters = fit_line(number, box.width, big)
        at = (box.top + box.bottom) / 2 - letters * 0.3
        self._draw.text(
            (middle, at), line, colours["good" if scores else "text"], font(letters), "mm"
        )
        sum_of, small = fit_line(terms, box.width, 0.036 * self._unit)
        below = at + letters * 0.6 + small
        self._draw.text((middle, below), sum_of, colours["text" if scores else "quiet"],
                        font(small), "mm")  # fmt: skip

    def _draw_highlights(self, moment: Any, box: Area) -> Area:
        """Draws the highlights at the right end of `box`, a line for each. Returns the area that is
        left beside them."""
        found = moment["highlights"]
        if not found:
            return box
        said = [
            (one["words"], "glow" if "best-" in one["key"] else "text") for one in found["said"]
        ]
        if found["leads"]:
            said.append((found["leads"]["words"], "good"))
        if not said:
            return box
        place = box._replace(left=box.right - box.width * 0.46)
        size = min(0.031 * self._unit, box.height / len(said) / 1.25)
        for (words, colour), row in zip(said, place.rows(len(said), 0), strict=True):
            star = "★ " if colour == "glow" else ""
            line, letters = fit_line(star + words, place.width, size)
            at = row.right, (row.top + row.bottom) / 2
            self._draw.text(at, line, palette()[colour], font(letters), "rm")
        return box._replace(right=place.left - self._gap)

    # ------------------------------------------------------------ a game that is over

    def _draw_game_over(self, moment: Any, body: Area) -> None:
        """Draws who won, the podium, the best play, the race, and the evening so far."""
        title = body._replace(bottom=body.top + 0.11 * self._unit)
        write(self._draw, title, moment["asked"]["words"], 0.085 * self._unit, palette()["good"])
        foot = body._replace(top=body.bottom - 0.06 * self._unit)
        middle = body._replace(top=title.bottom, bottom=foot.top - self._gap)
        self._draw_evening(foot)
        if self._upright:
            podium, beside = middle.rows(2, 2 * self._gap)
        else:
            many = len(moment["highlights"]["standings"]) > 4
            podium = middle._replace(right=middle.left + middle.width * (0.64 if many else 0.49))
            beside = middle._replace(left=podium.right + 2 * self._gap)
        self._draw_podium(moment, podium)
        best, race = beside.rows(2, self._gap)
        self._draw_best_play(best)
        if self._win.get("drawing"):
            pixels = pixels_of(self._win["drawing"], round(race.width), round(race.height))
            self._image.paste(pixels, (round(race.left), round(race.top)))

    def _draw_podium(self, moment: Any, box: Area) -> None:
        """Draws a step for each side: the winner's is the highest, with the second to its left."""
        seats = {seat["seat"]: seat for seat in moment["seats"]}
        places = [*moment["highlights"]["standings"]]
        places[:2] = reversed(places[:2])
        colours = palette()
        for step, column in zip(places, box.columns(len(places), self._gap), strict=True):
            first, middle = seats[step["seats"][0]], (column.left + column.right) / 2
            own = colours.get(first["colour"] or "other", colours["other"])
            high = box.height * {1: 0.62, 2: 0.48, 3: 0.37}.get(step["place"], 0.28)
            block = column._replace(top=column.bottom - high)
            won = step["place"] == 1
            self._draw.rectangle(block, colours["turn" if won else "card"])
            edge = block._replace(bottom=block.top + self._unit * 0.014)
            self._draw.rectangle(edge, own)
            score, size = fit_line(str(step["score"]), block.width * 0.9, 0.085 * self._unit)
            self._draw.text(
                (middle, edge.bottom + size * 0.8), score, colours["text"], font(size), "mm"
            )
            at = block.top - 0.012 * self._unit
            for seat in reversed([seats[name] for name in step["seats"]]):
                room = column._replace(top=at - 0.1 * self._unit, bottom=at)
                name = f"{seat['sign']} {seat['shown']}"
                lines, size = fit_lines(name, room, 0.04 * self._unit)
                for line in reversed(lines):
                    self._draw.text(
                        (middle, at - size * 0.6), line, colours["text"], font(size), "mm"
                    )
                    at -= size * 1.25
            if won:
                size = round(0.06 * self._unit)
                self._draw.text((middle, at - size * 0.6), "★", colours["glow"], font(size), "mm")

    def _draw_best_play(self, box: Area) -> None:
        """Draws the line of play, or whatever was on the table, as it was after the best play."""
        best = self._win.get("best")
        if not best:
            return
        count = (best["why"] or {"parts": {}})["parts"].get("count")
        kind = "win.best-hand" if best["ends_hand"] else "win.best-count" if count else "win.best"
        what = count or self._words["win.points"].format(points=best["points"])
        line = f"{self._words[kind]}: {what} – {best['said']['words']}"
        below = write(self._draw, box._replace(bottom=box.top + 0.05 * self._unit), line,
                      0.034 * self._unit, palette()["text"])  # fmt: skip
        if frames := self._win.get("replay"):
            board = box._replace(top=below + self._gap / 2)
            pixels = pixels_of(frames[-1], round(board.width), round(board.height))
            self._image.paste(pixels, (round(board.left), round(board.top)))

    def _draw_evening(self, box: Area) -> None:
        """Draws how many games each player has won this evening, and how to play again."""
        again, size = fit_line(self._words["win.again-phone"], box.width * 0.45, 0.036 * self._unit)
        colours, middle = palette(), (box.top + box.bottom) / 2
        left = box.right - font(size).getlength(again) - 2 * self._gap
        self._draw.rounded_rectangle(box._replace(left=left), self._unit / 80, colours["accent"])
        at = (left + box.right) / 2, middle
        self._draw.text(at, again, colours["paper"], font(size), "mm")
        if self._win.get("games", 0) > 1:
            won = ", ".join(f"{one['shown']} {one['won']}" for one in self._win["evening"])
            said = f"{self._words['win.evening']}: {won}"
            words, size = fit_line(said, left - box.left - self._gap, 0.034 * self._unit)
            self._draw.text((box.left, middle), words, colours["quiet"], font(size), "lm")

    # ------------------------------------------------------------ seats

    def _draw_seats(self, moment: Any, box: Area, many_columns: int) -> None:
        cards = seat_cards(moment)
        rows = box.rows(-(-len(cards) // many_columns), self._gap)
        places = [one for row in rows for one in row.columns(many_columns, self._gap)]
        for side, place in zip(cards, places, strict=False):
            self._draw_seat(side, place)

    def _draw_seat(self, side: list[Any], place: Area) -> None:
        """Draws the card of a side: its names, its score and its labels."""
        seat, colours = side[0], palette()
        own = colours.get(seat["colour"] or "other", colours["other"])
        moves, won = any(one["to_move"] for one in side), seat["won"]
        rim = colours["glow"] if moves else own if won else colours["line"]
        fill, thick = colours["turn"] if moves else colours["card"], max(2, round(self._unit / 200))
        corner = self._unit / 70
        self._draw.rounded_rectangle(place, corner, fill, rim, thick)
        stripe = place._replace(right=place.left + self._unit * 0.012)
        self._draw.rounded_rectangle(stripe, corner / 2, own)
        inner = place.inner(self._gap * 1.3, self._gap * 0.5)._replace(
            left=stripe.right + self._gap
        )
        large = min(inner.height * 0.62, 0.14 * self._unit)
        score, letters = fit_line(str(seat["score"]), inner.width * 0.45, large)
        wide = font(letters).getlength(score)
        middle = (inner.top + inner.bottom) / 2
        self._draw.text((inner.right, middle), score, colours["text"], font(letters), "rm")
        left = inner._replace(right=inner.right - wide - self._gap)
        told = {kind: one["words"] for kind, one in seat["labels"].items() if one}
        of_each: list[str] = []
        if len(side) > 1 and "tiles" in told:  # each partner has their own tiles
            del told["tiles"]
            of_each = [one["labels"]["tiles"]["words"] for one in side]
        names = [f"{one['sign']} {one['shown']}" for one in side]
        mine = [one for one in self._chips_due if one[0] in {each["seat"] for each in side}]
        if mine:
            high = min(0.042 * self._unit, left.height * 0.3)
            self._draw_chips(mine[0], left._replace(top=left.bottom - high))
            left = left._replace(bottom=left.bottom - high)
        self._draw_labels(left, names, of_each, [*told.values()])

    def _draw_chips(self, beside: tuple[str, str, str | None, list[int]], box: Area) -> None:
        """Draws the chips beside their payer, and who gets them; only as many as there is room
        for."""
        _, sign, colour, values = beside
        colours, disc = palette(), box.height
        own, pale = colours.get(colour or "other", colours["other"]), colours["white"]
        most = max(1, int((box.width - 2.2 * disc) / disc))
        if len(values) > most:
            few = max(1, most - 1)
            values, rest = values[:few], f"+{sum(values[few:])}"
        else:
            rest = ""
        left = box.left
        for value in values:
            self._draw.ellipse((left, box.top, left + disc - 2, box.bottom - 2), pale, own,
                               max(2, round(disc / 6)))  # fmt: skip
            small = font(max(8, round(disc * 0.4)))
            at = left + disc / 2 - 1, box.top + disc / 2 - 1
            self._draw.text(at, str(value), colours["paper"], small, "mm")
            left += disc
        line, letters = fit_line(f"{rest} → {sign}", box.right - left, disc * 0.75)
        self._draw.text((left + self._gap / 2, box.top + disc / 2), line, colours["text"],
                        font(letters), "lm")  # fmt: skip

    def _draw_labels(
        self, box: Area, names: list[str], of_each: list[str], labels: list[str]
    ) -> None:
        """Draws the names large, below each name its own line (`of_each`), and below all names as
        many of the labels as there is room for. Labels that would be too small to read from the
        sofa are left out."""
        size = min(0.052 * self._unit, box.height / (len(names) * 1.2))
        little = 0.0245 * self._unit
        small = font(round(little * SMALLEST_LABEL))
        rows = max(0, int((box.height - len(names) * size * 1.2) / (little * 1.25)))
        own = of_each if len(of_each) <= rows else []
        read = [one for one in labels if small.getlength(one) <= box.width]
        below = [(one, little, "quiet") for one in (*own, *read)][:rows]
        lines: list[tuple[str, float, str]] = []
        for place, name in enumerate(names):
            lines += [(name, size, "text"), *below[: len(own)][place : place + 1]]
        lines += below[len(own) :]
        heights = [high * (1.2 if colour == "text" else 1.25) for _, high, colour in lines]
        top = box.top + (box.height - sum(heights)) / 2
        for (words, high, colour), tall in zip(lines, heights, strict=True):
            line, letters = fit_line(words, box.width, high)
            at = box.left, top + high * 0.6
            self._draw.text(at, line, palette()[colour], font(letters), "lm")
            top += tall

    # ------------------------------------------------------------ events

    def _draw_event_strip(self, moment: Any, box: Area) -> float:
        """Draws a dispute, chips to be moved, or payments, in a strip at the lower end of `box`.
        Returns the y at which the free area above the strip ends."""
        said = event_strip(moment, self._words)
        if not said:
            return box.bottom
        heading, lines, why, colour = said
        size, little = 0.042 * self._unit, 0.027 * self._unit
        head = little * 1.4 if heading else 0.0
        high = head + 1.25 * (size * len(lines) + 2 * little * bool(why)) + 1.2 * self._gap
        strip = box._replace(top=box.bottom - min(box.height * 0.45, high))
        edge = palette().get(colour, palette()["other"])
        self._draw.rounded_rectangle(strip, self._unit / 80, palette()["card"])
        self._draw.rectangle(strip._replace(right=strip.left + self._unit * 0.012), edge)
        inner = strip.inner(2 * self._gap, 0.6 * self._gap)
        if heading:
            title = inner._replace(bottom=inner.top + head)
            write(self._draw, title, heading, little, palette()["quiet"])
        if why:
            below = inner._replace(top=inner.bottom - 2.5 * little)
            write(self._draw, below, why, little, palette()["quiet"])
            inner = inner._replace(bottom=below.top)
        places = inner._replace(top=inner.top + head).rows(len(lines), 0)
        for words, place in zip(lines, places, strict=True):
            write(self._draw, place, words, min(size, place.height / 1.22), palette()["text"])
        return strip.top - self._gap

    def _draw_welcome(self, message: Json, body: Area) -> None:
        """Draws the picture before a game: how phones get access, as large as possible."""
        moment = message.get("moment")
        words = moment["asked"]["words"] if moment else message.get("fault", "")
        if self._box:
            body = self._draw_box_display(self._box, body)
        left = body
        if self._invitation.rows:
            side = min(body.width * 0.45, body.height * 0.72)
            high = (body.height - side) / 2
            code = Area(body.right - side, body.top + high, body.right, body.top + high + side)
            draw_code(self._draw, self._invitation.rows, code)
            left = body._replace(right=code.left - 3 * self._gap)
        middle = left._replace(top=left.top + left.height * 0.3)
        below = write(self._draw, middle, words, 0.085 * self._unit, palette()["text"])
        if self._invitation.rows:
            caption = f"{self._invitation.caption} {self._invitation.place}"
            write(self._draw, left._replace(top=below + 2 * self._gap), caption,
                  0.04 * self._unit, palette()["quiet"])  # fmt: skip

    # ------------------------------------------------------------ the code, and the box's display

    def _draw_box_display(self, shown: Image.Image, box: Area) -> Area:
        """Draws the box's display at the lower end of `box`, enlarged by a whole number. Returns
        the area that is left above."""
        scale = max(1, min(int(box.width // shown.width), int(box.height * 0.3 // shown.height)))
        large = shown.convert("RGB").resize(
            (shown.width * scale, shown.height * scale), Image.Resampling.NEAREST
        )
        top = round(box.bottom) - large.height
        self._image.paste(large, (round(box.left), top))
        return box._replace(bottom=top - self._gap)

    def _draw_invitation(self, box: Area) -> Area:
        """Draws the code at the lower end of `box`, with its words beside it. Returns the area that
        is left above."""
        code = Area(box.left, box.bottom - self._code, box.left + self._code, box.bottom)
        draw_code(self._draw, self._invitation.rows, code)
        words = code._replace(left=code.right + self._gap, right=box.right)
        size = 0.03 * self._unit
        below = write(self._draw, words, self._invitation.caption, size, palette()["text"])
        place = self._invitation.place.removeprefix("http://")
        line, size = fit_line(place, words.width, size)
        self._draw.text((words.left, below + size), line, palette()["quiet"], font(size), "lm")
        return box._replace(bottom=code.top - self._gap)
