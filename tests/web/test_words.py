"""The pages' words: all are in the catalogue, and none in the pages and scripts themselves."""

import re
from collections.abc import Iterable
from functools import cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from companion.presentation.club_words import CLUB, CLUB_WORDS, EVENT_WORDS, HUB_PAGE_WORDS
from companion.presentation.page_words import PAGE_WORDS
from companion.presentation.sayings import SAYINGS
from companion.web.files import PHOTO, PLACEHOLDER, STATIC, catalog_module, fill_placeholders
from companion.web.past import EVENINGS_FILES
from companion.web.tv import program

PAGES = sorted(STATIC.rglob("*.html"))
OTHERS = STATIC / "no_sleep.js"
"""NoSleep.js, whose texts go to the browser's console."""
SCRIPTS = sorted({*STATIC.glob("*.js"), *PHOTO.glob("*.js")} - {OTHERS})
HUB = STATIC.parents[1] / "club" / "hub" / "static"
"""The hub's pages; found without importing the hub, whose libraries not every system has."""
STYLES = sorted(
    [*STATIC.glob("*.css"), *PHOTO.glob("*.css"), *EVENINGS_FILES.glob("*.css"), *HUB.glob("*.css")]
)
HUB_PAGES, HUB_SCRIPTS = sorted(HUB.glob("*.html")), sorted(HUB.glob("*.js"))
SAID_IN = ("aria-label", "title", "placeholder", "alt", "aria-description", "label")
"""Attributes that people read or hear."""
IN_NO_LANGUAGE = {
    "/go",
    *"0123456789DPBM",
    "Enter",
    "Android",
    "Backspace",
    "Esc",
    "Space",
    "OK",
    "DRAW, PASS, BOGUS, MENU",
}
"""What is printed on keys, and a name."""


class TextCollector(HTMLParser):
    """Gathers the texts of a page's HTML."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self.feed(page)

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.said += [value for name, value in attrs if name in SAID_IN and value]

    def handle_data(self, data: str) -> None:
        self.said.append(data.strip())


def words_of(pages: Iterable[Path]) -> set[str]:
    """The keys of the words that these pages name, without the places for other values."""
    places = {place for page in pages for place in PLACEHOLDER.findall(page.read_text())}
    return {place for place in places if not place.startswith("value.")}


def sentences(text: str) -> list[str]:
    """The texts of a page that people read, except places for words and labels of keys."""
    return [
        one
        for one in TextCollector(PLACEHOLDER.sub("", text)).said
        if re.search(r"[^\W\d_]", one) and one not in IN_NO_LANGUAGE
    ]


STRING = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`", re.DOTALL
)
CAPITAL = re.compile(r"(^|[ “(])[A-Z][a-z]")
END = re.compile(r"[a-z][.?!…]$")
NAMES_OF_KEYS = {
    "Enter",
    "Android",
    "Backspace",
    "Escape",
    "ArrowUp",
    "ArrowDown",
    "ArrowLeft",
    "ArrowRight",
    "NumpadDecimal",
}
"""The names that browsers give keys."""
HOLDERS = {"pointer", "keyboard", "click"}
"""The ways to hold down a key of the box."""
ELEMENTS = {"a", "button", "desc", "details", "input", "select", "summary", "textarea", "title"}


@cache
def machine_words() -> set[str]:
    """The words of scripts that no person reads, such as classes of the style sheets."""
    classes = re.findall(r"\.([a-z][a-z-]*)", "".join(sheet.read_text() for sheet in STYLES))
    return {*classes, *ELEMENTS, *HOLDERS}


def is_sentence(text: str) -> bool:
    """Whether people would read the text: it begins as a sentence does, ends as one does, or has
    several words of which one at least is none of the machine's."""
    if re.match(r"[.#\[(]|https?:|wss?:|\./", text) or text in NAMES_OF_KEYS:
        return False
    if set(text.split()) <= NAMES_OF_KEYS:
        return False
    found = [word for word in re.findall(r"[^\s,]+", text) if re.search(r"[a-z]", word)]
    several = len(text.split()) > 1 and any(not known(word) for word in found)
    return bool(CAPITAL.search(text) or END.search(text) or several)


def known(word: str) -> bool:
    """Whether the word is not for people: a class, or an element with its class or attribute."""
    return word.lstrip(".") in machine_words() or re.split(r"[.:\[]", word)[0] in ELEMENTS


def strings(script: str) -> list[str]:
    """The literal texts of a script, with {} in place of what is put into them."""
    found = (one for one in STRING.findall(script) if not one.startswith(("//", "/*")))
    return [re.sub(r"\$\{[^}]*\}", "{}", one[1:-1]) for one in found]


def sentences_of(script: str) -> list[str]:
    """The literal texts of a script that people would read."""
    return [one for one in strings(script) if is_sentence(one)]


@pytest.mark.parametrize("page", [*PAGES, *HUB_PAGES], ids=lambda path: path.name)
def test_no_page_contains_a_sentence(page: Path) -> None:
    assert sentences(page.read_text()) == []


@pytest.mark.parametrize("script", [*SCRIPTS, *HUB_SCRIPTS], ids=lambda path: path.name)
def test_no_script_contains_a_sentence(script: Path) -> None:
    assert sentences_of(script.read_text()) == []


@pytest.mark.parametrize("sheet", STYLES, ids=lambda path: path.name)
def test_no_style_sheet_contains_text(sheet: Path) -> None:
    for text in re.findall(r'content:\s*"([^"]*)"', sheet.read_text()):
        assert not re.search(r"[^\W\d_]", text)


def test_the_checks_find_sentences() -> None:
    assert sentences('<p aria-label="Now">{{label.now}} so <kbd>D</kbd></p>') == ["Now", "so"]
    for said in ("Take back", "Your turn.", "For ${why} it is", "lies there", "Hand ${number}"):
        assert sentences_of(f"write('asked', `{said}`);"), said
    for silent in ("aria-label", ".seat.to-move", "act bogus", "seat ${name}", "Enter"):
        assert not sentences_of(f"take(`{silent}`); // A comment of words."), silent


def test_the_catalogue_has_exactly_the_words_of_pages_and_scripts() -> None:
    named = words_of(PAGES)
    for script in SCRIPTS:
        asked = " ".join(re.findall(r"\bwords\(([^,;]*)", script.read_text()))
        named |= set(re.findall(r'"([a-z]+\.[a-z0-9-]+)"', asked))
        named |= set(re.findall(r'"(photo\.[a-z-]+)"', script.read_text()))
    named |= set(re.findall(r'words\["([^"]+)"', Path(program.__file__ or "").read_text()))
    assert named == PAGE_WORDS.keys()


def test_the_hub_s_catalogue_has_exactly_its_words() -> None:
    named = words_of(HUB_PAGES)
    for script in HUB_SCRIPTS:
        text = script.read_text()
        named |= set(re.findall(r'"([a-z]+\.[a-z.-]+)"', text)) & CLUB_WORDS.keys()
        starts = tuple(re.findall(r"words\(`([a-z]+\.[a-z.-]*)\$", text))
        named |= {key for key in (*CLUB, *EVENT_WORDS) if key.startswith(starts)}
        assert {*re.findall(r'words\("([^"]+)"', text)} <= CLUB_WORDS.keys()
    for module in HUB.parent.glob("*.py"):
        named |= set(re.findall(r'"(club\.[a-z-]+)"', module.read_text()))
    named -= {"club.html", "club.key", "club.figures"}  # files
    assert CLUB.keys() | EVENT_WORDS.keys() <= named <= CLUB_WORDS.keys()
    assert HUB_PAGE_WORDS.keys() <= PAGE_WORDS.keys()


def test_scripts_fill_in_every_part_of_a_word() -> None:
    """A word in a page's HTML has no parts: they would never be filled in."""
    named = words_of(PAGES)
    assert [key for key in named if "{" in PAGE_WORDS[key]] == []


def test_page_words_are_part_of_the_catalogue() -> None:
    assert SAYINGS.items() >= PAGE_WORDS.items()


def test_words_reach_the_page_as_text() -> None:
    evil = {"label.now": '<b onclick="x">"now" & then</b>'}
    page = fill_placeholders('<p aria-label="{{label.now}}">{{label.now}}</p>', evil)
    assert "<b" not in page
    assert TextCollector(page).said == [evil["label.now"], unescape(evil["label.now"])]
    with pytest.raises(KeyError):
        fill_placeholders("{{label.nowhere}}", evil)
    assert catalog_module(evil).startswith('export default {"label.now": "<b onclick')
