"""The display's fonts: letters and digits from the .txt files beside this one, accented letters
composed from them, and the widths of texts, which are shortened or wrapped if necessary."""

import unicodedata
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from companion.core.values import dataclass
from companion.core.words import Sentence, without_marks

# ---------------------------------------------------------------- marks
# Accented letters that the fonts lack, such as č, ő, Й, ά, are composed from the letter and its
# marks. A capital is made lower to leave room for its mark, as the fonts' own accented capitals
# are.


Glyph = list[str]


class Diacritic(NamedTuple):
    """The picture of a diacritical mark. `small` is drawn over letters with two free rows above
    them, `capital` over capitals of the small font, which have only one."""

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
    """Returns the glyph of a letter with its marks, or None if the font lacks the letter, or a mark
    is not in ABOVE or BELOW. `drawn` returns the glyph of a plain letter."""
    parts = unicodedata.normalize("NFD", ALIKE.get(sign, sign))
    letter, marks = parts[0], parts[1:]
    glyph = drawn(ALIKE.get(letter, letter))
    if glyph is None or not marks:
        return None
    rows = list(glyph)
    for mark in marks:
        if mark in BELOW:
            rows = _mark_below(rows, BELOW[mark])
        elif mark in ABOVE and set("".join(rows[: len(rows) * 3 // 8])) <= {"."}:
            rows = _mark_over_small(rows, ABOVE[mark].small)
        elif mark in ABOVE:
            rows = _mark_over_capital(rows, ABOVE[mark])
        else:
            return None
    return rows


def _mark_over_small(rows: Glyph, lines: tuple[str, str]) -> Glyph:
    wide = max(len(rows[0]), len(lines[0]))
    rows = [row.ljust(wide, ".") for row in rows]
    return [*(_centre(line, wide) for line in lines), *rows[2:]]


def _mark_over_capital(rows: Glyph, mark: Diacritic) -> Glyph:
    """Returns the glyph of a capital, `rows`, lowered to make room for the mark and a dark row
    above it."""
    lines = [mark.capital]
    if len(rows) > 8:
        lines = ["".join(cell * 2 for cell in line) for line in mark.small]
    wide = max(len(rows[0]), len(lines[0]))
    found = [*(_centre(line, wide) for line in lines), "." * wide]
    found += [_centre(rows[at], wide) for at in LOWER[len(rows)]]
    return found + [_centre(row, wide) for row in rows[len(found) :]]


def _mark_below(rows: Glyph, where: float) -> Glyph:
    stroke = len(rows) // 8
    wide = len(rows[0])
    at = min(round((wide - stroke) * where), wide - stroke)
    mark = "." * at + "#" * stroke + "." * (wide - at - stroke)
    return [*rows[: 7 * stroke], *[mark] * stroke]


def _centre(line: str, wide: int) -> str:
    before = (wide - len(line)) // 2
    return "." * before + line + "." * (wide - len(line) - before)


# ---------------------------------------------------------------- glyphs
# Letters and digits, read from text art that anybody can read and change.
#
# Three fonts: `small` (8 rows) for words, `caps` (16 rows) for names and what is keyed, `big` (24
# rows) for the number that everybody looks at. They are drawn in the .txt files beside this one, so
# a text looks the same whatever the version of the imaging library.

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
    """A small picture. `pages`: bands that are eight pixels high, from the top; each has `width`
    bytes, one for each column of eight pixels."""

    width: int
    pages: tuple[bytes, ...]


def _read_glyphs(name: str) -> dict[str, Glyph]:
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


def _strip_from_rows(rows: Glyph, gap: int) -> Strip:
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
    with a mark that the font lacks is composed or, if that isn't possible, shown without the mark.
    Any other sign that it lacks is shown as a question mark."""

    def __init__(self, drawn: dict[str, Glyph], gap: int) -> None:
        super().__init__((sign, _strip_from_rows(rows, gap)) for sign, rows in drawn.items())
        self._drawn, self._gap = drawn, gap

    def __missing__(self, sign: str) -> Strip:
        if unicodedata.combining(sign):  # a mark that belongs to no letter
            return self.setdefault(sign, Strip(0, tuple(b"" for _ in self["?"].pages)))
        plain = unicodedata.normalize("NFD", sign)[0]
        each = dict.fromkeys((sign, sign.upper(), plain, plain.upper(), "?"))
        found = self[sign] = next(filter(None, map(self._compose_sign, each)))
        return found

    def knows(self, sign: str) -> bool:
        """Returns whether the font can show the sign itself, not a question mark in its place."""
        return sign == "?" or self[sign] is not self["?"]

    def _compose_sign(self, sign: str) -> Strip | None:
        alike = ALIKE.get(sign, sign)
        if len(alike) == 1 and (rows := composed(alike, self._drawn.get)):
            return _strip_from_rows(rows, self._gap)
        return self.get(alike)


@cache
def _load_font(name: str) -> _Font:
    glyphs = _Font(_read_glyphs(name), GAP[name])
    height = len(next(iter(glyphs.values())).pages)
    for space, width in ((" ", SPACE[name]), ("\u00a0", SPACE[name]), ("\u2009", 2)):
        glyphs[space] = Strip(width, (bytes(width),) * height)
    return glyphs


@lru_cache(maxsize=2048)
def text_strip(text: str, font: str = "small") -> Strip:
    """Returns a line of text in one of the fonts, with a dark gap after its last letter."""
    known = _load_font(font)
    signs = [known[sign] for sign in _drawn_signs(text)]
    height = len(known["?"].pages)
    pages = tuple(b"".join([sign.pages[page] for sign in signs]) for page in range(height))
    return Strip(sum([sign.width for sign in signs]), pages)


def not_drawn(text: str, font: str = "small") -> str:
    """Returns the signs of the text that the font shows as question marks, each listed once."""
    known = _load_font(font)
    return "".join(dict.fromkeys(sign for sign in _drawn_signs(text) if not known.knows(sign)))


def _drawn_signs(text: str) -> str:
    """Returns the visible signs of the text. A letter and its marks are one sign if Unicode has
    it."""
    return without_marks(unicodedata.normalize("NFC", text))


def text_width(text: str, font: str = "small") -> int:
    """Returns the width of a line of text in columns, without the gap after it."""
    return max(text_strip(text, font).width - GAP[font], 0)


def sign_of(text: str) -> str:
    """Returns the sign that marks the end of a shortened text: “…” for a sentence, “.” for a
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
    """Returns the text as lines of small letters, broken between words, each at most `width`
    columns wide."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(fitted(word, width))
    return tuple(lines)
