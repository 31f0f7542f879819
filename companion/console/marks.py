"""Letters with marks that our fonts don't have, such as č, ő, Й, ά: put together from the letter
and its marks. A capital is made lower to make room for its mark, as in the capitals with marks that
the fonts have."""

import unicodedata
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

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
