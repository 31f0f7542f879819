"""The help that the page shows: the manual's chapters and the quick cards as pages of the package.
Other languages have a folder each, with the first page, the chapters that are translated, the cards
and the lesson.

The pages are in companion/web/help, beside links to the pictures of docs/, and are not committed.
renew.py makes them and says when; by hand: python -m tests.manual.help
"""

import re
from collections.abc import Callable
from pathlib import Path
from posixpath import normpath, relpath
from tempfile import NamedTemporaryFile
from typing import NamedTuple

from tests.manual.book import CHAPTERS, ENGLISH, FIRST_PAGE, LANGUAGES, ROOT, path_in
from tests.manual.card import LESSON, TITLES, body_in, body_of, markdown, path_of, title_in
from tests.manual.translated import MANUAL, is_stale, pages_in

PLACE = ROOT / "companion" / "web" / "help"
CARDS = {path_of(game).stem: game for game in TITLES}
"""The game of each card, by the name of the card's page."""
_TRANSLATED = {f"{each}/{name}" for each in LANGUAGES for name in pages_in(each)}


class Words(NamedTuple):
    """The words of the pages themselves in a language."""

    manual: str
    """The link to the first page."""
    inside: str
    """What the list of a chapter's parts is called."""
    others: str
    """What the list of the lesson and the cards is called."""
    stale: str
    """Says that the English chapter has changed since; leads to it at {page}."""
    english: str
    """What a link to an English page says behind its words."""


WORDS = {
    ENGLISH: Words("The manual", "In this chapter", "Other pages", "", ""),
    "de": Words(
        "Die Anleitung",
        "In diesem Kapitel",
        "Andere Seiten",
        "Das [englische Kapitel]({page}) wurde seither geändert; hier kann etwas fehlen.",
        "auf Englisch",
    ),
    "es": Words(
        "El manual",
        "En este capítulo",
        "Otras páginas",
        "El [capítulo en inglés]({page}) ha cambiado desde entonces; aquí puede faltar algo.",
        "en inglés",
    ),
    "fr": Words(
        "Le manuel",
        "Dans ce chapitre",
        "Autres pages",
        "Le [chapitre en anglais]({page}) a changé depuis ; il peut manquer quelque chose ici.",
        "en anglais",
    ),
    "nl": Words(
        "De handleiding",
        "In dit hoofdstuk",
        "Andere pagina's",
        "Het [Engelse hoofdstuk]({page}) is sindsdien veranderd; hier kan iets ontbreken.",
        "in het Engels",
    ),
    "pt-BR": Words(
        "O manual",
        "Neste capítulo",
        "Outras páginas",
        "O [capítulo em inglês]({page}) mudou depois desta tradução; aqui pode faltar algo.",
        "em inglês",
    ),
}
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)]+)\)")
_HEADING = re.compile(r"<h([1-3])>(.*?)</h\1>")

Leads = Callable[[str, str], str]
"""Gives the address for a link to a page of the help and to an anchor on it."""


def page(title: str, body: str, style: str = "", language: str = "en") -> str:
    """One page of the help. If it has a `style` of its own, it is printed in that."""
    above = ".." if language == ENGLISH else "../.."
    screen = ' media="screen"' if style else ""
    printed = f'<link rel="stylesheet" href="{above}/{style}" media="print">\n' if style else ""
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">\n'
        f'<title>{title}</title>\n<link rel="icon" href="{above}/icon.svg" type="image/svg+xml">\n'
        f'<link rel="stylesheet" href="{above}/tokens.css"{screen}>\n'
        f'<link rel="stylesheet" href="{above}/help.css"{screen}>\n{printed}</head>\n'
        f"<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )


# ---------------------------------------------------------------- chapters


def rendered(text: str, leads: Leads, folder: str = "manual/", before: str = "") -> str:
    """A text of the folder `folder` of docs/ as HTML, each heading with its anchor, whose name
    begins with `before`. A link to a card leads to the card in the text's language; a link to
    anything other than a page of the help becomes plain text."""

    def linked(link: re.Match[str]) -> str:
        words, (path, _, anchor) = link[1], link[2].partition("#")
        if link[2].startswith("http"):
            return link[0]
        name = normpath(folder + path).removeprefix("manual/") if path else ""
        name, dot, _ = name.partition(".")
        if dot and name not in {MANUAL, *CHAPTERS, *CARDS, *_TRANSLATED}:
            return words
        if name in CARDS:
            name = folder.removeprefix("manual/") + name
        return f"[{words}]({leads(name, anchor)})"

    def anchored(heading: re.Match[str]) -> str:
        level, words = heading[1], heading[2]
        return f'<h{level} id="{before}{anchor_of(words)}">{words}</h{level}>'

    text = _LINK.sub(linked, re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL))
    body = markdown().render(
        text.replace("../pictures/", "pictures/").replace("../phone/", "phone/")
    )
    body = body.replace("../drawings/", "drawings/")
    return _HEADING.sub(anchored, _scrolling(body))


def _scrolling(body: str) -> str:
    """Puts each table into a frame, so that only a table that is too wide scrolls sideways. The
    frame can be reached with the keyboard."""
    framed = re.sub("<table[^>]*>", r'<div class="scrolls" tabindex="0">\g<0>', body)
    framed = framed.replace("</table>", "</table></div>")
    return framed.replace("<pre>", '<pre tabindex="0">')


def anchor_of(heading: str) -> str:
    """The anchor of a heading, by which links name it."""
    plain = re.sub(r"<[^>]+>", "", heading)
    return re.sub(r"[^\w -]", "", plain.lower()).replace(" ", "-")


def chapter(language: str, name: str) -> str:
    """The page of a chapter, or of the first page, in that language; links to its parts come
    first."""
    text = path_in(language, name).read_text("utf-8")
    title = text.partition("\n")[0].removeprefix("# ")
    folder = "manual/" if language == ENGLISH else f"manual/{language}/"
    body = rendered(_stale_note(language, name) + text, _leads_from(language), folder)
    parts = re.findall(r'<h2 id="([^"]+)">(.*?)</h2>', body) if name != MANUAL else []
    links = [f'<a href="#{anchor}">{words}</a>' for anchor, words in parts]
    listed = "".join(f"<li>{link}</li>\n" for link in links)
    head, heading, rest = body.partition("<h2 ")
    label = WORDS[language].inside
    inside = f'<nav aria-label="{label}">\n<ul>\n{listed}</ul>\n</nav>\n' if links else ""
    back = "" if name == MANUAL else _back(language)
    return page(title, f"{back}{head}{inside}{heading}{rest}", language=language)


def _stale_note(language: str, name: str) -> str:
    """A line above a chapter whose English text has changed since it was translated."""
    if language == ENGLISH or not is_stale(language, name):
        return ""
    english = "../../manual.md" if name == MANUAL else f"../{name}.md"
    return f"*{WORDS[language].stale.format(page=english)}*\n\n"


def first_page() -> str:
    """The manual's first page in English."""
    return page(WORDS[ENGLISH].manual, rendered(FIRST_PAGE, _leads_from(ENGLISH), folder=""))


def card_page(name: str) -> str:
    """A card's page: on a screen it looks like every page of the help, on paper like the card."""
    title = TITLES[CARDS[name]]
    body = f"{_back(ENGLISH)}<h1>{title}</h1>\n{_scrolling(body_of(CARDS[name]))}"
    return page(title, body, style="card.css")


def page_in(language: str, name: str) -> str:
    """The page of a card, or of the lesson, in that language, with links to its other pages."""
    links = "".join(
        f'<li><a href="{each}">{title_in(language, game)}</a></li>\n'
        for each, game in PAGES.items()
        if each != name
    )
    text = _scrolling(body_in(language, PAGES[name]))
    body = text.replace('src="pictures/', 'src="../pictures/').replace(
        'src="drawings/', 'src="../drawings/'
    )
    title = title_in(language, PAGES[name])
    style = "" if name == LESSON else "card.css"
    links = f'<nav aria-label="{WORDS[language].others}">\n<ul>\n{links}</ul>\n</nav>\n'
    return page(title, f"{_back(language)}<h1>{title}</h1>\n{body}{links}", style, language)


PAGES = {**CARDS, LESSON: LESSON}
"""The name of the text of each page in another language, by the page's name."""


def _back(language: str) -> str:
    manual = WORDS[language].manual
    return f'<nav aria-label="{manual}"><a href="{MANUAL}">{manual}</a></nav>\n'


def _leads_from(language: str) -> Leads:
    """The addresses of links on a page in that language."""
    folder = "." if language == ENGLISH else language

    def to_page(name: str, anchor: str) -> str:
        address = relpath(name, folder) if name else ""
        return f"{address}#{anchor}" if anchor else address

    return to_page


def pages() -> dict[Path, str]:
    """The text of every page, by its path."""
    told = {MANUAL: first_page()}
    told |= {name: chapter(ENGLISH, name) for name in CHAPTERS}
    told |= {name: card_page(name) for name in CARDS}
    for each in LANGUAGES:
        told |= {f"{each}/{name}": chapter(each, name) for name in pages_in(each)}
        told |= {f"{each}/{name}": page_in(each, name) for name in PAGES}
    return {PLACE / f"{name}.html": text for name, text in told.items()}


def found() -> set[Path]:
    """The paths of the pages that were made before."""
    return {*PLACE.glob("*.html"), *PLACE.glob("*/*.html")}


def make() -> None:
    """Writes all pages atomically, and removes pages that the manual no longer has."""
    made = pages()
    for path in found() - {*made}:
        path.unlink()
    for path, text in made.items():
        path.parent.mkdir(exist_ok=True)
        with NamedTemporaryFile("w", encoding="utf-8", dir=PLACE, delete=False) as file:
            file.write(text)
        Path(file.name).chmod(0o644)
        Path(file.name).replace(path)


if __name__ == "__main__":
    make()
