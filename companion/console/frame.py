"""The display's immutable Frame, the Canvas on which it is drawn, and Show, which is all that the
box shows at a time: a frame and the lights of the seats' keypads.

Frame and Canvas use the panel's own format (SSD1306 pages): eight pages of 128 columns, in which a
byte is eight pixels of one column with the topmost in its lowest bit. Drawing at a row that is a
multiple of eight only copies bytes, so the screens use those rows wherever they can."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import field
from enum import Enum
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.core.seats import BySeat
from companion.core.values import dataclass
from companion.core.words import Sentence, phrase, without_marks
from companion.presentation.language import ENGLISH, Language

if TYPE_CHECKING:
    from PIL.Image import Image


# ---------------------------------------------------------------- marks
# Letters with marks that our fonts don't have, such as č, ő, Й, ά: put together from the letter and
# its marks. A capital is made lower to make room for its mark, as in the capitals with marks that
# the fonts have.


Glyph = list[str]


class Diacritic(NamedTuple):
    """The picture of a mark: `small` over a letter with two free rows above it, `capital` over a
    capital of the small font, which has one."""

    small: tuple[str, str]
    capital: str


ABOVE: Final[Mapping[str, Diacritic]] = {
    "\u0300": Diacritic(("#.", ".#"), "##."),  # grave
    "\u0301": Diacritic((".#", "#."), ".##"),  # acute, and Greek's tonos
    "\u0302": Diacritic((".#.", "#.#"), "###"),  # circumflex
    "\u0303": Diacritic((".#.#", "#.#."), "##.#"),  # tilde
    "\u0304": Diacritic(("...", "###"), "#####"),  # macron
    "\u0306": Diacritic(("#.#", ".#."), "#.#"),  # breve
    "\u0307": Diacritic((".", "#"), "#"),  # a dot
    "\u0308": Diacritic(("...", "#.#"), "#...#"),  # two dots
    "\u030a": Diacritic(("##", "##"), ".#."),  # a ring
    "\u030b": Diacritic((".#.#", "#.#."), ".#.##"),  # two strokes
    "\u030c": Diacritic(("#.#", ".#."), "#.#"),  # caron
}
BELOW: Final[Mapping[str, float]] = {"\u0327": 0.5, "\u0326": 0.5, "\u0328": 0.9, "\u0323": 0.5}
"""Cedilla, comma, hook and dot: their horizontal place below the letter, as a fraction of its
width."""
LOWER: Final[Mapping[int, tuple[int, ...]]] = {
    8: (0, 1, 3, 5, 6),
    16: (0, 1, 2, 4, 6, 7, 8, 9, 11, 12, 13),
}
"""For each font height in rows, the rows of a capital that remain when it is shortened for a
mark."""
ALIKE: Final[Mapping[str, str]] = dict(
    zip(
        "АВЕКМНОРСТХІЈЅЁЇЀаеорсухіјѕёїѐΑΒΕΖΗΙΚΜΝΟΡΤΥΧοΓΠΦẞ",
        "ABEKMHOPCTXIJSËÏÈaeopcyxijsëïèABEZHIKMNOPTYXoГПФß",
        strict=True,
    )
)
"""Cyrillic and Greek letters, and the capital ß, each with a letter of the font that looks the
same."""


def composed(sign: str, drawn: Callable[[str], Glyph | None]) -> Glyph | None:
    """Returns the glyph of a letter with its marks; `drawn` returns the glyph of a plain letter.
    None if the font lacks the letter, or a mark is not in ABOVE or BELOW."""
    parts = unicodedata.normalize("NFD", ALIKE.get(sign, sign))
    letter, marks = parts[0], parts[1:]
    glyph = drawn(ALIKE.get(letter, letter))
    if glyph is None or not marks:
        return None
    rows = list(glyph)
    for mark in marks:
        if mark in BELOW:
            rows = _below(rows, BELOW[mark])
        elif mark in ABOVE and set("".join(rows[: len(rows) * 3 // 8])) <= {"."}:
            rows = _over_small(rows, ABOVE[mark].small)
        elif mark in ABOVE:
            rows = _over_capital(rows, ABOVE[mark])
        else:
            return None
    return rows


def _over_small(rows: Glyph, lines: tuple[str, str]) -> Glyph:
    wide = max(len(rows[0]), len(lines[0]))
    rows = [row.ljust(wide, ".") for row in rows]
    return [*(_centred(line, wide) for line in lines), *rows[2:]]


def _over_capital(rows: Glyph, mark: Diacritic) -> Glyph:
    """Returns the rows of a mark, a dark row, and the remaining rows of the letter."""
    lines = [mark.capital]
    if len(rows) > 8:
        lines = ["".join(cell * 2 for cell in line) for line in mark.small]
    wide = max(len(rows[0]), len(lines[0]))
    found = [*(_centred(line, wide) for line in lines), "." * wide]
    found += [_centred(rows[at], wide) for at in LOWER[len(rows)]]
    return found + [_centred(row, wide) for row in rows[len(found) :]]


def _below(rows: Glyph, where: float) -> Glyph:
    stroke = len(rows) // 8
    wide = len(rows[0])
    at = min(round((wide - stroke) * where), wide - stroke)
    mark = "." * at + "#" * stroke + "." * (wide - at - stroke)
    return [*rows[: 7 * stroke], *[mark] * stroke]


def _centred(line: str, wide: int) -> str:
    before = (wide - len(line)) // 2
    return "." * before + line + "." * (wide - len(line) - before)


# ---------------------------------------------------------------- glyphs
# Letters and digits, from text art that anybody can read and change.
#
# Three fonts: `small` (8 rows) for words, `caps` (16 rows) for names and what is keyed, `big` (24
# rows) for the number that everybody looks at. They are drawn in the .txt files beside this one, so
# a text looks the same on every version of the imaging library.

NAMED = {
    "arrow": "→",
    "larrow": "←",
    "uarrow": "↑",
    "darrow": "↓",
    "minus": "−",
    "dots": "…",
    "times": "×",
    "dot": "·",
    "check": "✓",
    "lquote": "“",
    "rquote": "”",
    "dash": "–",
    "half": "½",
    "disc": "●",
}
SPACE = {"small": 3, "caps": 5, "big": 6}
SHORTENED, GOES_ON = ".", "…"
"""The sign at the end of a shortened name, and of a shortened sentence."""
GAP = {"small": 1, "caps": 2, "big": 3}
"""Dark columns after each glyph."""


@dataclass(frozen=True, slots=True)
class Strip:
    """A small picture as column bytes: its pages from the top, each `width` long."""

    width: int
    pages: tuple[bytes, ...]


def _read(name: str) -> dict[str, Glyph]:
    """Returns the glyphs in a text art file, each as a list of rows."""
    found: dict[str, Glyph] = {}
    names: list[str] = []
    for line in Path(__file__).with_name(name).with_suffix(".txt").read_text("utf-8").splitlines():
        if line.startswith("= "):
            names = [NAMED.get(word, word) for word in line[2:].split()]
            found.update((word, []) for word in names)
        elif line and not line.startswith("# "):
            for word, cells in zip(names, line.split(), strict=True):
                found[word].append(cells)
    uneven = [word for word, rows in found.items() if len(rows) % 8 or len(set(map(len, rows))) > 1]
    assert not uneven, (name, uneven)
    return found


def _strip(rows: Glyph, gap: int) -> Strip:
    """Returns the strip for a glyph drawn as rows, with `gap` dark columns after it."""
    pages = tuple(
        bytes(
            sum((row[column] == "#") << bit for bit, row in enumerate(rows[top : top + 8]))
            for column in range(len(rows[0]))
        )
        + bytes(gap)
        for top in range(0, len(rows), 8)
    )
    return Strip(len(rows[0]) + gap, pages)


class _Font(dict[str, Strip]):
    """The glyph of each sign. A small letter that the font lacks is shown as a capital. A letter
    with a mark is composed if the font lacks it, or else shown without the mark. Any other sign is
    shown as a ?."""

    def __init__(self, drawn: dict[str, Glyph], gap: int) -> None:
        super().__init__((sign, _strip(rows, gap)) for sign, rows in drawn.items())
        self._drawn, self._gap = drawn, gap

    def __missing__(self, sign: str) -> Strip:
        if unicodedata.combining(sign):  # a mark that belongs to no letter
            return self.setdefault(sign, Strip(0, tuple(b"" for _ in self["?"].pages)))
        plain = unicodedata.normalize("NFD", sign)[0]
        each = dict.fromkeys((sign, sign.upper(), plain, plain.upper(), "?"))
        found = self[sign] = next(filter(None, map(self._made, each)))
        return found

    def knows(self, sign: str) -> bool:
        """Returns whether the sign can be shown, and not only a question mark in its place."""
        return sign == "?" or self[sign] is not self["?"]

    def _made(self, sign: str) -> Strip | None:
        alike = ALIKE.get(sign, sign)
        if len(alike) == 1 and (rows := composed(alike, self._drawn.get)):
            return _strip(rows, self._gap)
        return self.get(alike)


@cache
def _font(name: str) -> _Font:
    glyphs = _Font(_read(name), GAP[name])
    height = len(next(iter(glyphs.values())).pages)
    for space, width in ((" ", SPACE[name]), ("\u00a0", SPACE[name]), ("\u2009", 2)):
        glyphs[space] = Strip(width, (bytes(width),) * height)
    return glyphs


@lru_cache(maxsize=2048)
def text_strip(text: str, font: str = "small") -> Strip:
    """Returns a line of text in one of the fonts, with a dark gap after its last letter."""
    known = _font(font)
    signs = [known[sign] for sign in _drawn_signs(text)]
    height = len(known["?"].pages)
    pages = tuple(b"".join([sign.pages[page] for sign in signs]) for page in range(height))
    return Strip(sum([sign.width for sign in signs]), pages)


def not_drawn(text: str, font: str = "small") -> str:
    """Returns the signs of the text that the font shows as question marks, each once."""
    known = _font(font)
    return "".join(dict.fromkeys(sign for sign in _drawn_signs(text) if not known.knows(sign)))


def _drawn_signs(text: str) -> str:
    """Returns the visible signs of the text. A letter and its marks are one sign if Unicode has
    it."""
    return without_marks(unicodedata.normalize("NFC", text))


def text_width(text: str, font: str = "small") -> int:
    """Returns the width of a line of text in columns, without the gap after it."""
    return max(text_strip(text, font).width - GAP[font], 0)


def sign_of(text: str) -> str:
    """Returns the sign that ends the text if it is shortened: “…” for a sentence, “.” for a
    name."""
    return GOES_ON if isinstance(text, Sentence) else SHORTENED


@lru_cache(maxsize=1024)
def fitted(text: str, width: int, font: str = "small", cut: str = SHORTENED) -> str:
    """Returns the text, shortened to `width` columns and ending with the sign `cut` if it is too
    wide."""
    if text_width(text, font) <= width:
        return text
    while text and text_width(text + cut, font) > width:
        text = text[:-1].rstrip()
    return text + cut if text else ""


@lru_cache(maxsize=512)
def wrapped(text: str, width: int) -> tuple[str, ...]:
    """Returns the text in lines of small letters, at most `width` columns wide, broken between
    words."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(fitted(word, width))
    return tuple(lines)


# ---------------------------------------------------------------- frame

WIDTH, HEIGHT = 128, 64
PAGES = HEIGHT // 8
RUN_COST = 7
"""The extra bytes on I²C, for address and control, of a run of changed columns. On SPI there are
three bytes and some system calls, but there even a whole picture takes only 1 ms."""

_FLIP = bytes(255 - value for value in range(256))
_ART = tuple(bytes(b".#"[value >> bit & 1] for value in range(256)) for bit in range(8))
"""For each row of a page, the text art for each byte of eight pixels."""


class Written(NamedTuple):
    """A line of text on a picture, and its rectangle in pixels. An empty text means that the
    rectangle was cleared."""

    text: str
    left: int
    top: int
    right: int
    bottom: int

    def touches(self, other: "Written") -> bool:
        """Returns whether the two rectangles overlap."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


@dataclass(frozen=True, slots=True)
class Frame:
    """A finished picture, 128×64 pixels of one bit: `pixels[page * 128 + column]`. `written`: the
    texts on it, in the order of drawing, for people who can't see it."""

    pixels: bytes
    written: tuple[Written, ...] = field(default=(), compare=False, repr=False)

    @classmethod
    def blank(cls) -> "Frame":
        return cls(bytes(WIDTH * PAGES))

    def lit(self, x: int, y: int) -> bool:
        """Returns whether that pixel is on."""
        return bool(self.pixels[(y >> 3) * WIDTH + x] >> (y & 7) & 1)

    def to_image(self) -> "Image":
        """Returns the picture as a Pillow image of mode "1"."""
        from PIL import Image

        # A page's byte holds eight pixels of a column, the topmost in its lowest bit. So the bytes
        # in the order of the columns, read lowest bit first, are the transposed picture.
        columns = bytes(
            self.pixels[page * WIDTH + column] for column in range(WIDTH) for page in range(PAGES)
        )
        across = Image.frombytes("1", (HEIGHT, WIDTH), columns, "raw", "1;R")
        return across.transpose(Image.Transpose.TRANSPOSE)

    def packed(self) -> bytes:
        """Returns the pixels row by row, sixteen bytes per row, with the leftmost pixel in the
        highest bit."""
        return self.to_image().tobytes()

    @property
    def words(self) -> str:
        """The text on the frame, from top to bottom and left to right: “RED 12, to win 150”."""
        found = (line if line[-1] in ".,:;?!" else f"{line}," for line in self.lines)
        return " ".join(found).removesuffix(",")

    @property
    def lines(self) -> list[str]:
        """The lines of text on the frame, from the top, without texts that were drawn over."""
        standing = list[Written]()
        for new in self.written:
            standing = [one for one in standing if not one.touches(new)]
            if new.text.strip():
                standing.append(new)
        lines: dict[int, list[Written]] = {}
        for one in sorted(standing, key=lambda one: (one.top, one.left)):
            lines.setdefault(one.top, []).append(one)
        return [" ".join(one.text.strip() for one in lines[top]) for top in lines]

    def rows(self) -> list[str]:
        """Returns the picture as text art, one string per row."""
        pages = [self.pixels[start : start + WIDTH] for start in range(0, WIDTH * PAGES, WIDTH)]
        return [page.translate(row).decode() for page in pages for row in _ART]


def wire_cost(old: Frame, new: Frame) -> int:
    """Returns the bytes needed to turn one picture into the other: n + 7 for each run of n changed
    columns in a page. Runs with fewer than 7 columns between them count as one."""
    return sum(
        RUN_COST + last - first + 1
        for page in range(PAGES)
        for first, last in changed_runs(old, new, page)
    )


def changed_runs(old: Frame, new: Frame, page: int) -> list[tuple[int, int]]:
    """Returns the runs of columns (first, last) of a page to send, merged where that is cheaper."""
    start = page * WIDTH
    before, after = old.pixels[start : start + WIDTH], new.pixels[start : start + WIDTH]
    if before == after:
        return []
    changed = [x for x in range(WIDTH) if before[x] != after[x]]
    cuts = [(a, b) for a, b in pairwise(changed) if b - a - 1 >= RUN_COST]
    firsts = [changed[0], *(b for _, b in cuts)]
    lasts = [*(a for a, _ in cuts), changed[-1]]
    return list(zip(firsts, lasts, strict=True))


@cache
def _painted(first: int, behind: int, on: bool) -> bytes:
    """Returns a table that maps each byte of eight vertical pixels to the byte with the pixels from
    `first` to just before `behind` lit (`on`) or dark."""
    rows = sum(1 << row for row in range(first, behind))
    return bytes(byte | rows if on else byte & ~rows for byte in range(256))


class Canvas:
    """A picture being drawn, with words in the `language`. Everything outside of it is cut off."""

    def __init__(self, under: Frame | None = None, language: Language = ENGLISH) -> None:
        self.language = language
        self._put = language.put if language.changes else str
        self._bytes = bytearray(under.pixels if under else WIDTH * PAGES)
        self._written = list(under.written) if under else []
        self.bar = ""
        """The line under the bar of a list, with its digit; empty if there is no list."""

    def frame(self) -> Frame:
        return Frame(bytes(self._bytes), tuple(self._written))

    def strip(self, x: int, y: int, strip: Strip) -> int:
        """Draws a strip with its top left corner at (x, y), replacing what was there. Returns the x
        after it."""
        if y & 7:
            self._strip_between_pages(x, y, strip)
        else:
            first, last = max(-x, 0), min(strip.width, WIDTH - x)
            for page, row in enumerate(strip.pages, y >> 3):
                if first < last and 0 <= page < PAGES:
                    at = page * WIDTH + x
                    self._bytes[at + first : at + last] = row[first:last]
        return x + strip.width

    def _strip_between_pages(self, x: int, y: int, strip: Strip) -> None:
        """Draws a strip at a row that is not a multiple of eight."""
        full = (1 << 8 * len(strip.pages)) - 1
        for column in range(max(-x, 0), min(strip.width, WIDTH - x)):
            bits = sum([row[column] << 8 * page for page, row in enumerate(strip.pages)])
            self._column(x + column, y, bits, full)

    def _column(self, x: int, y: int, bits: int, mask: int) -> None:
        """Sets the pixels in one column, from y downwards, that are in `mask`."""
        for page in range(max(y >> 3, 0), min((y + mask.bit_length() + 7) >> 3, PAGES)):
            down = y - 8 * page
            new, keep = (
                (bits << down, mask << down) if down >= 0 else (bits >> -down, mask >> -down)
            )
            at = page * WIDTH + x
            self._bytes[at] = (self._bytes[at] & ~keep | new & keep) & 255

    def is_blank(self, x: int, y: int, width: int) -> bool:
        """Returns whether `width` columns from x on are dark, in the page that contains row y."""
        start = (y >> 3) * WIDTH + x
        return not any(self._bytes[start : start + width])

    def text(self, x: int, y: int, text: str, font: str = "small", room: int | None = None) -> int:
        """Writes a line of text with its top left corner at (x, y); returns the x after it. `room`:
        the columns to which the text is shortened; None: it isn't."""
        text = self._put(text) if room is None else self.fitted(text, room, font)
        return self._write(x, y, text, text_strip(text, font))

    def right(self, x: int, y: int, text: str, font: str = "small") -> int:
        """Writes a line of text that ends just before x; returns the x where it begins."""
        text = self._put(text)
        strip = text_strip(text, font)
        self._write(x - strip.width, y, text, strip)
        return x - strip.width

    def centred(self, x: int, y: int, text: str, font: str = "small") -> None:
        """Writes a line of text centred at x."""
        text = self._put(text)
        strip = text_strip(text, font)
        self._write(x - strip.width // 2, y, text, strip)

    def _write(self, x: int, y: int, text: str, strip: Strip) -> int:
        """Draws a text's strip at (x, y), and records the text for Frame.written; returns the x
        after it."""
        self._written.append(Written(text, x, y, x + strip.width, y + 8 * len(strip.pages)))
        return self.strip(x, y, strip)

    def fitted(self, text: str, width: int, font: str = "small", cut: str = "") -> str:
        """Returns the text in the canvas's language, shortened to `width` columns and ending with
        the sign `cut` if it is too wide (empty: the sign from `sign_of`)."""
        return fitted(self._put(text), width, font, cut or sign_of(text))

    def capitals(self, text: str, width: int, font: str = "small", cut: str = "") -> str:
        return fitted(self._put(text).upper(), width, font, cut or sign_of(text))

    def wrapped(self, text: str, width: int) -> tuple[str, ...]:
        """Returns the text in the canvas's language, in lines of at most `width` columns."""
        return wrapped(self._put(text), width)

    def width(self, text: str, font: str = "small") -> int:
        """Returns the width of the text in columns, in the canvas's language."""
        return text_width(self._put(text), font)

    def pixel(self, x: int, y: int, on: bool = True) -> None:
        """Lights one pixel, or makes it dark."""
        if 0 <= x < WIDTH and 0 <= y < HEIGHT:
            self._column(x, y, int(on), 1)

    def fill(self, x: int, y: int, width: int, height: int, on: bool = True) -> None:
        """Fills a rectangle, or clears it."""
        if not on:
            self._written.append(Written("", x, y, x + width, y + height))
        left, right = max(x, 0), min(x + width, WIDTH)
        if left >= right:
            return
        for page in range(max(y, 0) >> 3, (min(y + height, HEIGHT) + 7) >> 3):
            rows = range(max(y - 8 * page, 0), min(y + height - 8 * page, 8))
            columns = slice(page * WIDTH + left, page * WIDTH + right)
            painted = _painted(rows.start, rows.stop, on)
            self._bytes[columns] = self._bytes[columns].translate(painted)

    def box(self, x: int, y: int, width: int, height: int) -> None:
        """Draws the outline of a rectangle."""
        self.fill(x, y, width, 1)
        self.fill(x, y + height - 1, width, 1)
        self.fill(x, y, 1, height)
        self.fill(x + width - 1, y, 1, height)

    def line(self, x0: int, y0: int, x1: int, y1: int) -> None:
        """Draws a straight line, both ends included."""
        steps = max(abs(x1 - x0), abs(y1 - y0), 1)
        for step in range(steps + 1):
            self.pixel(x0 + round((x1 - x0) * step / steps), y0 + round((y1 - y0) * step / steps))

    def invert(self, x: int, page: int, width: int, pages: int = 1) -> None:
        """Inverts whole pages."""
        for row in range(page, page + pages):
            at = row * WIDTH + x
            self._bytes[at : at + width] = self._bytes[at : at + width].translate(_FLIP)


class Light(Enum):
    """The state that a seat keypad's light shows."""

    OFF = "off"
    TURN = "turn"
    """The seat is to move."""
    PAYS = "pays"
    """This seat has just paid."""


@dataclass(frozen=True, slots=True)
class Show:
    """A frame and the seats' lights (None: no seats yet). Only a key or a row changes it.

    `colours`: the colours of the seats' chips, for the lights. `pending`: whether something was
    keyed that needs an OK; `claiming`: whether a keypad without a seat may claim one now;
    `inviting`: whether the frame shows how phones connect.

    For the voice: `is_turn`: whether the screen is that of a turn; `message`: the message over it;
    `bar`: the line under the bar of a list; `kind`: the name of the screen's class."""

    frame: Frame
    lights: BySeat[Light] | None = None
    colours: BySeat[str] | None = None
    pending: bool = False
    claiming: bool = False
    inviting: bool = False
    is_turn: bool = False
    message: str = ""
    bar: str = ""
    kind: str = ""


# ---------------------------------------------------------------- layout
# The one layout of the screens of play: everything has its fixed place.
#
#     page 0  SEAT TO ACT            00    the number that everybody looks at: the count
#     page 1  (caps)                 00
#     page 2  what the seat needs    00
#     page 3  the open ends       what the number is
#     page 4           what is       choices, instead of the chips
#     page 5  way      keyed         the chips that move
#     page 6  what the keyed entry makes, who pays whom  00
#     page 7  the scores
#
# Until something is keyed, the tile laid last stands small where it will be. A key changes little
# of all this, so little goes over the wire (see wire_cost).


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
"""Dark columns around the points at the end of a line, left and right together."""


@dataclass(frozen=True, slots=True)
class TableLayout:
    """The words for each place of a screen of play. `keyed` is written large, `chips` small to the
    right of it."""

    seat: str
    number: str = ""
    label: str = ""
    need: str = ""
    ends: str = ""
    way: str = ""
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
    canvas.text(0, 40, table.way)
    end = KEYED_X
    if table.tiles:
        for row, line in enumerate(table.tiles[-2:]):
            end = canvas.text(KEYED_X if table.way else 0, 32 + 8 * row, line)
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
    """Draws the chips with their colour, which is moved above them if the line is too short."""
    if not (table.chips or table.colour):
        return
    colour = canvas.language.put(table.colour)
    together = f"{canvas.language.put(table.chips)} {colour}".rstrip()
    if canvas.width(together) <= room:
        canvas.right(WIDTH + 1, 40, together)
    elif canvas.width(table.chips) <= room:
        canvas.right(WIDTH + 1, 40, table.chips)
        canvas.right(WIDTH + 1, 32, colour if not table.tiles else "")


def say_room(paid: str) -> int:
    """Returns the columns for `say` before the points `paid`."""
    return WIDTH - text_width(paid) - PAID_GAP if paid else WIDTH


def refused_in_short(refused: str) -> str:
    """Returns the first sentence of a refusal, without its reason, for `say`. If that is too wide,
    returns which key shows it in full."""
    short = re.split(r": |\. |(?<=\?) ", refused.rstrip("."), maxsplit=1)[0]
    return short if text_width(short) <= WIDTH else phrase("Refused. OK says why.")


def _draw_say(canvas: Canvas, say: str, paid: str) -> None:
    """Draws a line, and after it the points that were paid, inverted."""
    end = canvas.text(0, 48, say, room=say_room(paid))
    if paid:
        behind = canvas.text(end + 3, 48, paid)
        canvas.invert(end + 2, 6, behind - end - 2)


def draw_scores(canvas: Canvas, scores: Scores) -> None:
    """Draws all seats with their points in the lowest line. Two seats have half of the line each.
    More seats get as many letters as fit, with room for two digits each, so that little moves as
    points grow."""
    scores = tuple((canvas.language.put(name), points) for name, points in scores)
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
        apart = _told_apart(names, _cut(names, room - less))
        if sum(map(text_width, apart)) <= room:
            return apart
    return _cut(names, room)


def _told_apart(names: tuple[str, ...], cut: tuple[str, ...]) -> tuple[str, ...]:
    found = [*cut]
    for at, short in enumerate(cut):
        others = {name for name in names if name.startswith(short)} - {names[at]}
        if not others or len(short) < 2 or PARTNERS in short:
            continue
        alike = max(_alike(names[at], other) for other in others)
        if len(short) <= alike < len(names[at]):
            found[at] = short[:-1] + names[at][alike]
    return tuple(found)


def _alike(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _cut(names: tuple[str, ...], room: int) -> tuple[str, ...]:
    cut = [*names]
    while sum(map(text_width, cut)) > room:
        widest = max(filter(_gives_way, cut), key=text_width, default="")
        if not widest:
            break
        cut[cut.index(widest)] = _shorter(widest)
    return tuple(cut)


def _gives_way(name: str) -> bool:
    return any(len(one) > 1 for one in name.replace(SHORTENED, "").split(PARTNERS))


def _shorter(name: str) -> str:
    """Returns the name without its last letter. For partners the wider name is shortened, with a
    dot."""
    if PARTNERS not in name:
        return name[:-1].rstrip()
    partners = name.split(PARTNERS)
    widest = max(filter(_gives_way, partners), key=text_width)
    kept = widest.removesuffix(SHORTENED)[:-1].rstrip()
    partners[partners.index(widest)] = kept + SHORTENED * (len(kept) > 1)
    return PARTNERS.join(partners)


def question_lines(question: str, language: Language) -> tuple[str, ...]:
    """Returns the question in lines of the display's width."""
    return wrapped(language.put(question), WIDTH - 4)


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
    """Draws the reason for a refusal below the seat and the number, and in the lowest line the
    `hint` about what to do."""
    canvas.fill(0, 24, WIDTH, 40, on=False)
    for row, line in enumerate(canvas.wrapped(text, WIDTH)[:REFUSAL_LINES]):
        canvas.text(0, 24 + 8 * row, line)
    canvas.text(2, 56, hint, room=WIDTH - 4)
    canvas.invert(0, 7, WIDTH)
