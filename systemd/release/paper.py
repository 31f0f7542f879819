"""Documents to print on paper: kit lists, the manual, the quick cards and the keys' legends, as PDF
made by Chromium."""

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

from hw.bom import choice_title, cost, parts_of
from hw.legends import legends_svg
from hw.ways import WAYS, recommended
from tests.manual.book import ENGLISH, LANGUAGES, chapters_in, first_page_in
from tests.manual.card import TITLES, card, path_of, print_beside_docs, sheets
from tests.manual.help import WORDS, rendered
from tests.manual.translated import MANUAL, pages_in

STYLE = """
@page { size: A4; margin: 14mm; }
body { font: 10.5pt/1.4 "DejaVu Sans", Verdana, sans-serif; color: #111; max-width: 182mm; }
h1 { font-size: 20pt; } h2 { font-size: 15pt; } h1, h2, h3 { break-after: avoid; }
table { border-collapse: collapse; width: 100%; } tr { break-inside: avoid; }
td, th { text-align: left; vertical-align: top; padding: 1mm 2mm; border-bottom: .2mm solid #bbb; }
td.number { text-align: right; white-space: nowrap; }
img { max-width: 62mm; margin: 1mm; } pre { background: #f3f3f3; padding: 2mm; font-size: 8.5pt;
  white-space: pre-wrap; break-inside: avoid; }
kbd { border: .2mm solid #888; border-radius: 1mm; padding: 0 .8mm; white-space: nowrap; }
""".strip()
_SMALL = """
@page { margin: 11mm; }
body { font-size: 8pt; line-height: 1.25; max-width: 188mm; }
h1 { font-size: 15pt; margin: 0 0 3mm; }
td, th { padding: .4mm 1.2mm; }"""
ONE_PAGE = STYLE + _SMALL
"""The style of a kit list: one page to take to the shop."""
_LINK = re.compile(r'<a href="([^"]+)">(.*?)</a>', re.DOTALL)
TRUE_SIZE = "@page { size: 210mm 297mm; margin: 0; } body { margin: 0; } svg { display: block; }"


def papers() -> Iterator[tuple[str, str]]:
    """Yields the name of each PDF, and its page as HTML."""
    for name, way in WAYS.items():
        yield f"kit-list-{name}", kit_list(name, way.title)
    for language in (ENGLISH, *LANGUAGES):
        yield _file_name(MANUAL, language), manual(language)
    yield "key-legends", page("Legends for the keys", legends_svg(), TRUE_SIZE)
    for game in TITLES:
        yield path_of(game).stem, card(game)
    yield from sheets()


def page(title: str, body: str, style: str = STYLE, language: str = ENGLISH) -> str:
    """Returns an HTML page with this title and body."""
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>\n<body>{body}</body></html>\n"
    )


def prepared_for_print(page: str) -> str:
    """Returns a page for printing, with links to files replaced by the files' names, since on paper
    they would lead into the folder of the machine that printed them. Links within the page and to
    the web stay."""

    def replace_link(link: re.Match[str]) -> str:
        leads, words = link[1], link[2]
        file = leads.partition("#")[0]
        if not file or leads.startswith("http"):
            return link[0]
        if words == f"{file.rpartition('.')[0]}.html":  # its name among the sources
            return file
        return words if file in words else f"{words} ({file})"

    return _LINK.sub(replace_link, page)


def kit_list(way: str, title: str) -> str:
    """Returns the list of parts for one way to build, with boxes to tick."""
    rows = []
    for quantity, part in parts_of(way):
        words = (part.name, part.needed_by, part.order, part.instead)
        told = "".join(f"<td>{escape(word)}</td>" for word in words)
        rows.append(
            f'<tr><td>☐</td><td class="number">{quantity}</td>{told}'
            f'<td class="number">{quantity * part.price:.2f}</td></tr>'
        )
    first = recommended(way)
    names = ("", "pieces", "part", "for", "order", "or", "about €")
    head = f"<tr>{''.join(f'<th>{name}</th>' for name in names)}</tr>"
    return page(
        f"Kit list: {title}",
        f"<h1>Kit list: {escape(title)}</h1><table>{head}{''.join(rows)}"
        f"<tr>{3 * '<td></td>'}<td>{escape(choice_title(first))}</td><td></td><th>together</th>"
        f'<td class="number">{cost(first):.2f}</td></tr></table><p>Take what is for '
        "you: the Raspberry Pi and the display that you chose. Prices without postage, tools and "
        "what you have at home.</p>",
        ONE_PAGE,
    )


def manual(language: str = ENGLISH) -> str:
    """Returns the manual in a language, as far as it is translated, with its pictures from docs/
    and each chapter on a new page."""
    here = "" if language == ENGLISH else f"{language}/"
    inside = {here + name for name in pages_in(language)}

    def below(name: str, anchor: str) -> str:
        if name in inside or not name:
            name = name.removeprefix(here)
            return f"#{name}--{anchor}" if anchor else f"#{name}"
        other, _, text = name.rpartition("/")
        is_chapter = text in pages_in(other or ENGLISH)
        return f"{_file_name(MANUAL if is_chapter else text, other or ENGLISH)}.pdf"

    first = rendered(first_page_in(language), below, folder="manual/" + here if here else "")
    parts = [f'<div id="{MANUAL}">\n{first}</div>\n']
    for name, text in chapters_in(language).items():
        body = rendered(_own_links(name, text), below, f"manual/{here}", before=f"{name}--")
        parts.append(f'<section id="{name}">\n{body}</section>\n')
    body = prepared_for_print("".join(parts))
    style = STYLE + "\nsection { break-before: page; }"
    return page(WORDS[language].manual, body, style, language)


def _file_name(paper: str, language: str) -> str:
    """Returns the file name of a document in a language, without its ending."""
    return paper if language == ENGLISH else f"{paper}-{language}"


def _own_links(name: str, text: str) -> str:
    """Returns the text of a chapter, with the chapter's `name` added to links to its own
    sections."""
    return text.replace("](#", f"]({name}.md#")


def print_papers(into: Path) -> None:
    """Writes all documents into a folder. Raises CalledProcessError, or FileNotFoundError without
    Chromium."""
    for name, text in papers():
        print_beside_docs(text, into / f"{name}.pdf")
