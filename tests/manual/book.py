"""The manual as its tests read it: chapters, pictures, tables, and the sequences of keys it shows.

docs/manual.md is its first page; the chapters that it leads to are in docs/manual. In another
language both are in a folder of its own, docs/manual/es, as far as they are translated.

A sequence is in a block `keys`: on each line the keys, two spaces or more, and their effect; a line
that begins with spaces continues the one before. Texts in “quotes” can be read on the display after
these keys, and those after “no” can't. `keys box` begins with a box that has no game yet, `keys 3`
with a game of High Five for three before its first hand, and `keys ask_out` with that scene of the
golden screens; `keys` alone continues where the last block ended. `hold OK` is a key held for two
seconds, `Blue:DRAW` one of the keypad at Blue's seat. Pictures right below a block show the display
after its keys.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FIRST_PAGE = (DOCS / "manual.md").read_text("utf-8")
CHAPTERS = {
    name: (DOCS / "manual" / f"{name}.md").read_text("utf-8")
    for name in dict.fromkeys(re.findall(r"\(manual/([a-z-]+)\.md", FIRST_PAGE))
}
"""The text of each chapter by the name of its file, in the order of the first page."""
TEXT = "\n".join((FIRST_PAGE, *CHAPTERS.values()))
ENGLISH = "en"
LANGUAGES = sorted(path.name for path in (DOCS / "manual").iterdir() if path.is_dir())
"""The languages, besides English, that have a first page, cards and a lesson."""

_BLOCK = re.compile(
    r"^```keys(?: (\w+))?\n(.*?)^```\n((?:\n?!\[[^\n]*\n)*)", re.MULTILINE | re.DOTALL
)
_STEP = re.compile(r"(\S+(?: \S+)*)(?: {2,}(\S.*))?")
_PICTURE = re.compile(r"!\[[^\]]+\]\((?:\.\./)+pictures/(?:[\w-]+/)?(\w+)\.png\)")
_QUOTED = {
    "en": re.compile(r"(\bno )?“([^”]+)”"),
    "de": re.compile(r"(\bkeine )?„([^“]+)“"),
    "es": re.compile(r"(\bsin )?“([^”]+)”"),
    "fr": re.compile(r"(\bpas de )?«\s([^»]+)\s»"),
    "nl": re.compile(r"(\bgeen )?“([^”]+)”"),
    "pt-BR": re.compile(r"(\bsem )?“([^”]+)”"),
}
"""A pattern for each language: a quotation, and the word before it if it can't be read on the
display."""


def path_in(language: str, name: str) -> Path:
    """The path of a chapter, or of the first page (“manual”), in that language."""
    if language == ENGLISH:
        return DOCS / "manual.md" if name == "manual" else DOCS / "manual" / f"{name}.md"
    return DOCS / "manual" / language / f"{name}.md"


@cache
def chapters_in(language: str) -> dict[str, str]:
    """The text of each chapter that exists in that language, in the order of the first page."""
    paths = {name: path_in(language, name) for name in CHAPTERS}
    return {name: path.read_text("utf-8") for name, path in paths.items() if path.is_file()}


def first_page_in(language: str) -> str:
    """The text of the first page in that language."""
    return path_in(language, "manual").read_text("utf-8")


@dataclass(frozen=True, slots=True)
class Step:
    """Keys, and the texts that the display shows after them and those that it doesn't."""

    keys: str
    shows: tuple[str, ...]
    hides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sequence:
    """A block of keys: its chapter and line; how it starts (empty for where the last one ended);
    its steps; and the pictures below it."""

    place: str
    start: str
    steps: tuple[Step, ...]
    pictures: tuple[str, ...]


def sequences() -> Iterator[Sequence]:
    """Every sequence of keys in the manual."""
    for name, chapter in CHAPTERS.items():
        yield from sequences_in(name, chapter)


def sequences_in(name: str, text: str, language: str = "en") -> Iterator[Sequence]:
    """Every sequence of keys in one text, which is in that language."""
    for block in _BLOCK.finditer(text):
        place = f"{name}, line {text.count(chr(10), 0, block.start()) + 1}"
        steps = tuple(step_of(line, language) for line in lines_of(block[2]))
        yield Sequence(place, block[1] or "", steps, tuple(_PICTURE.findall(block[3])))


def lines_of(block: str) -> list[str]:
    """The lines of a block; a line that begins with spaces belongs to the line before."""
    return re.sub(r"\n +", " ", block).splitlines()


def step_of(line: str, language: str = "en") -> Step:
    """The step that one line of a block describes."""
    found = _STEP.fullmatch(line)
    assert found, f"this is no line of keys: {line!r}"
    text = found[2] or ""
    shows = tuple(quoted(text, language=language))
    return Step(found[1], shows, tuple(quoted(text, absent=True, language=language)))


def quoted(text: str, absent: bool = False, language: str = "en") -> list[str]:
    """The quoted texts that the display shows or, with `absent`, doesn't show."""
    found = _QUOTED[language].findall(text)
    return [" ".join(words.split()) for no, words in found if bool(no) is absent]


def prose(text: str = TEXT) -> str:
    """The text of the manual, or another `text`, without the sequences."""
    return _BLOCK.sub("", text)


def pictures(text: str = TEXT) -> list[str]:
    """The names of the screens that the manual, or another `text`, shows, in their order."""
    return _PICTURE.findall(text)


def table(name: str, text: str = TEXT) -> list[list[str]]:
    """The rows of the table that follows `<!-- table: NAME -->`, without its head."""
    found = re.search(rf"<!-- table: {name} -->\n\n((?:\|.*\n)+)", text)
    assert found, f"the manual has no table {name}"
    rows = [re.split(r"(?<!\\)\|", row)[1:-1] for row in found[1].splitlines()]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def marked(name: str, text: str = TEXT) -> list[str]:
    """The parts of the manual, or of another `text`, between `<!-- NAME -->` and `<!-- end -->`."""
    return re.findall(rf"<!-- {name} -->\n(.*?)<!-- end -->", text, re.DOTALL)
