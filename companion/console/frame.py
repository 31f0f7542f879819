"""The display's immutable Frame, the Canvas on which it is drawn, and BoxPicture, which is all that
the box shows at a time: a frame and the lights of the seats' keypads.

Frame and Canvas use the panel's own format (SSD1306 pages): eight pages of 128 columns, in which a
byte is eight pixels of one column with the topmost in its lowest bit. Drawing at a row that is a
multiple of eight only copies bytes, so the screens use those rows wherever they can."""

from dataclasses import field
from enum import Enum
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from companion.console.fonts import Strip, fitted, sign_of, text_strip, text_width, wrapped
from companion.core.seats import BySeat
from companion.core.values import dataclass
from companion.presentation.language import ENGLISH, Language

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH, HEIGHT = 128, 64
PAGES = HEIGHT // 8
RUN_COST = 7
"""The extra bytes on I²C, for address and control, of a run of changed columns. On SPI there are
three bytes and some system calls, but there even a whole picture takes only 1 ms."""

_FLIP = bytes(255 - value for value in range(256))
_TEXT_ART = tuple(bytes(b".#"[value >> bit & 1] for value in range(256)) for bit in range(8))
"""For each row of a page, the text art for each byte of eight pixels."""


class DrawnText(NamedTuple):
    """A line of text on a picture, and its rectangle in pixels. An empty text means that the
    rectangle was cleared."""

    text: str
    left: int
    top: int
    right: int
    bottom: int

    def touches(self, other: "DrawnText") -> bool:
        """Returns whether the two rectangles overlap."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


@dataclass(frozen=True, slots=True)
class Frame:
    """A finished picture of 128×64 pixels with one bit each: `pixels[page * 128 + column]`.
    `texts`: the texts on it, in the order of drawing, for people who can't see it."""

    pixels: bytes
    texts: tuple[DrawnText, ...] = field(default=(), compare=False, repr=False)

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
        standing = list[DrawnText]()
        for new in self.texts:
            standing = [one for one in standing if not one.touches(new)]
            if new.text.strip():
                standing.append(new)
        lines: dict[int, list[DrawnText]] = {}
        for one in sorted(standing, key=lambda one: (one.top, one.left)):
            lines.setdefault(one.top, []).append(one)
        return [" ".join(one.text.strip() for one in lines[top]) for top in lines]

    def rows(self) -> list[str]:
        """Returns the picture as text art, one string per row."""
        pages = [self.pixels[start : start + WIDTH] for start in range(0, WIDTH * PAGES, WIDTH)]
        return [page.translate(row).decode() for page in pages for row in _TEXT_ART]


def wire_cost(old: Frame, new: Frame) -> int:
    """Returns how many bytes it takes to turn one picture into the other: n + 7 for each run of n
    changed columns in a page. Runs with fewer than 7 columns between them count as one."""
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
def _paint_table(first: int, behind: int, on: bool) -> bytes:
    """Returns a table that maps each byte of eight vertical pixels to the byte with the pixels from
    `first` to just before `behind` lit (`on`) or dark."""
    rows = sum(1 << row for row in range(first, behind))
    return bytes(byte | rows if on else byte & ~rows for byte in range(256))


class Canvas:
    """A picture being drawn, with words in the `language`. Everything outside its edges is cut
    off."""

    def __init__(self, under: Frame | None = None, language: Language = ENGLISH) -> None:
        self.language = language
        self._put = language.translate if language.changes else str
        self._bytes = bytearray(under.pixels if under else WIDTH * PAGES)
        self._written = list(under.texts) if under else []
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
        the columns to which the text is shortened; None if it isn't."""
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
        self._written.append(DrawnText(text, x, y, x + strip.width, y + 8 * len(strip.pages)))
        return self.strip(x, y, strip)

    def fitted(self, text: str, width: int, font: str = "small", cut: str = "") -> str:
        """Returns the text in the canvas's language, shortened to `width` columns and ending with
        the sign `cut` if it is too wide (empty for the sign from `sign_of`)."""
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
            self._written.append(DrawnText("", x, y, x + width, y + height))
        left, right = max(x, 0), min(x + width, WIDTH)
        if left >= right:
            return
        for page in range(max(y, 0) >> 3, (min(y + height, HEIGHT) + 7) >> 3):
            rows = range(max(y - 8 * page, 0), min(y + height - 8 * page, 8))
            columns = slice(page * WIDTH + left, page * WIDTH + right)
            painted = _paint_table(rows.start, rows.stop, on)
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
        """Inverts `width` columns from `x` on, in `pages` pages from `page` on."""
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
class BoxPicture:
    """A frame and the seats' lights (None if there are no seats yet). Only a key or a row changes
    it.

    `colours`: the colours of the seats' chips, for the lights. `pending`: whether something was
    keyed that needs an OK. `claiming`: whether a keypad without a seat may claim one now.
    `inviting`: whether the frame shows how phones connect.

    For the voice: `is_turn`: whether the screen is that of a turn; `message`: the message shown
    over it; `bar`: the line under the bar of a list; `kind`: the name of the screen's class.
    """

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
