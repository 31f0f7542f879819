"""Letters and digits, from text art that anybody can read and change.

Three fonts: `small` (8 rows) for words, `caps` (16 rows) for names and what is keyed, `big` (24
rows) for the number that everybody looks at. They are drawn in the .txt files beside this one, so
a text looks the same on every version of the imaging library.
"""

import unicodedata
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from companion.core.names import without_marks
from companion.core.values import dataclass
from companion.core.words import Sentence

# ---------------------------------------------------------------- marks
# Letters with marks that our fonts don't have, such as č, ő, Й, ά: put together from the letter and
# its marks. A capital is made lower to make room for its mark, as in the capitals with marks that
# the fonts have.


Glyph = list[str]


class Diacritic(NamedTuple):
    """How a mark looks: `small` over a letter with two rows to spare, `capital` over a capital of
    the small font, which has one."""

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
"""Cedilla, comma, hook and dot: their place below the letter, as a fraction of its width."""
LOWER: Final[Mapping[int, tuple[int, ...]]] = {
    8: (0, 1, 3, 5, 6),
    16: (0, 1, 2, 4, 6, 7, 8, 9, 11, 12, 13),
}
"""For each height of a font in rows, the rows of a capital that stay when it makes room."""
ALIKE: Final[Mapping[str, str]] = dict(
    zip(
        "АВЕКМНОРСТХІЈЅЁЇЀаеорсухіјѕёїѐΑΒΕΖΗΙΚΜΝΟΡΤΥΧοΓΠΦẞ",
        "ABEKMHOPCTXIJSËÏÈaeopcyxijsëïèABEZHIKMNOPTYXoГПФß",
        strict=True,
    )
)
"""Letters of Cyrillic and Greek, and the capital ß, each with a drawn letter that looks alike."""


def composed(sign: str, drawn: Callable[[str], Glyph | None]) -> Glyph | None:
    """The glyph of a letter with its marks; `drawn` gives the glyph of a letter of the font. None
    if the font lacks the letter, or if a mark is not one of ABOVE and BELOW."""
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
    """The mark, a dark row, and what stays of the letter's rows."""
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
"""The sign at the end of a name that is cut, and of a sentence that is cut."""
GAP = {"small": 1, "caps": 2, "big": 3}
"""Dark columns behind each glyph."""


@dataclass(frozen=True, slots=True)
class Strip:
    """A small picture: its pages of column bytes, from the top, each `width` long."""

    width: int
    pages: tuple[bytes, ...]


def _read(name: str) -> dict[str, Glyph]:
    """The glyphs of a file of text art, each a list of rows."""
    found: dict[str, Glyph] = {}
    names: list[str] = []
    for line in Path(__file__).with_name(f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("= "):
            names = [NAMED.get(word, word) for word in line[2:].split()]
            found.update((word, []) for word in names)
        elif line and not line.startswith("# "):
            for word, cells in zip(names, line.split(), strict=True):
                found[word].append(cells)
    uneven = [word for word, rows in found.items() if len(rows) % 8 or len(set(map(len, rows))) > 1]
    assert not uneven, f"{name}.txt: these glyphs are not drawn evenly: {uneven}"
    return found


def _strip(rows: Glyph, gap: int) -> Strip:
    """The strip of a glyph drawn as rows, with `gap` dark columns behind it."""
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
    that is not drawn with its mark is put together or, if that can't be, shown without
    the mark. Any other sign is shown as a ?."""

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
        """Whether the sign is shown, and not replaced by a question mark."""
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
    """A line of text in one of the fonts, with a dark gap behind its last letter."""
    known = _font(font)
    signs = [known[sign] for sign in _drawn_signs(text)]
    height = len(known["?"].pages)
    pages = tuple(b"".join([sign.pages[page] for sign in signs]) for page in range(height))
    return Strip(sum([sign.width for sign in signs]), pages)


def not_drawn(text: str, font: str = "small") -> str:
    """The signs of the text that the font shows as question marks, each once."""
    known = _font(font)
    return "".join(dict.fromkeys(sign for sign in _drawn_signs(text) if not known.knows(sign)))


def _drawn_signs(text: str) -> str:
    """The signs of the text that have a width, with each letter and its marks as one sign if there
    is one."""
    return without_marks(unicodedata.normalize("NFC", text))


def text_width(text: str, font: str = "small") -> int:
    """How many columns a line of text takes, without the gap behind it."""
    return max(text_strip(text, font).width - GAP[font], 0)


def sign_of(text: str) -> str:
    """The sign with which the text ends if it is cut: “…” for a sentence, “.” for a name."""
    return GOES_ON if isinstance(text, Sentence) else SHORTENED


@lru_cache(maxsize=1024)
def fitted(text: str, width: int, font: str = "small", cut: str = SHORTENED) -> str:
    """The text, or as much of its beginning as fits into `width` columns, followed by the sign
    `cut`."""
    if text_width(text, font) <= width:
        return text
    while text and text_width(text + cut, font) > width:
        text = text[:-1].rstrip()
    return text + cut if text else ""


@lru_cache(maxsize=512)
def wrapped(text: str, width: int) -> tuple[str, ...]:
    """The text in lines of small letters that fit into `width` columns, broken between words."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(fitted(word, width))
    return tuple(lines)
