"""Makes the pages of a release that people read first, START-HERE and the building guide, as HTML
and PDF with their pictures. Also finds links whose targets are missing."""

import re
import runpy
import shutil
import zlib
from collections.abc import Iterator
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt

from hw.guide import GUIDE as FIRST
from hw.guide import PAGES
from image.inputs import ROOT
from release.paper import STYLE, page, prepared_for_print
from tests.manual.card import print_pdf
from tests.manual.help import anchor_of

START = "START-HERE"
GUIDE = "building-guide"
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)")
_HEADING = re.compile(r"<h([1-3])>(.*?)</h\1>")
_MD_LINK = re.compile(r"\]\(([^)\s]+)\)")
_URI = re.compile(rb"/URI\s*\(((?:[^()\\]|\\.)*)\)")
_PACKED = re.compile(rb"/ObjStm[^>]*>>\s*stream\r?\n(.*?)endstream", re.DOTALL)
ON_SCREEN = """
img[src*="wiring-"] { max-width: 100%; max-height: 190mm; }
img { max-width: 100%; max-height: 90mm; }
body { margin: 1em auto; padding: 0 1em; }
@media print { img[src="film.webp"] { display: none; } }
@media screen { table { display: block; overflow-x: auto; } code { overflow-wrap: anywhere; } }"""


def put_pages(into: Path) -> None:
    """Makes both pages as HTML, copies their pictures, and prints the pages as PDF. Raises
    CalledProcessError, or FileNotFoundError without Chromium."""
    make_deb = runpy.run_path(str(ROOT / "systemd" / "make_deb.py"))
    version = make_deb["version"]()
    start = (Path(__file__).parent / "start-here.md").read_text("utf-8")
    start = start.replace("_VERSION-1_", f"_{make_deb['debian_version'](version)}-1_")
    start = start.replace("-VERSION-py3", f"-{version}-py3")
    for folder in (ROOT / "hw" / "pictures", ROOT / "docs" / "phone"):
        shutil.copytree(folder, into / folder.name, dirs_exist_ok=True)
    shutil.copy(ROOT / "docs" / "film.webp", into)
    pages = [(START, "The table companion: start here", start)]
    for path in PAGES:
        text = path.read_text("utf-8")
        name = GUIDE if path == FIRST else path.stem
        title = text.partition("\n# ")[2].partition("\n")[0]
        pages.append((name, title, _guide_for_release(text)))
    for name, title, text in pages:
        source = into / f"{name}.html"
        told = page(title, body_of(text), STYLE + ON_SCREEN)
        source.write_text(prepared_for_print(told), encoding="utf-8")
        print_pdf(source, into / f"{name}.pdf")
        source.write_text(told, encoding="utf-8")


def body_of(text: str) -> str:
    """Returns a Markdown text as HTML. Each heading has the anchor to which links lead."""
    body = (
        MarkdownIt("commonmark")
        .enable("table")
        .render(re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL))
    )
    return _HEADING.sub(
        lambda found: f'<h{found[1]} id="{anchor_of(found[2])}">{found[2]}</h{found[1]}>', body
    )


def _guide_for_release(guide: str) -> str:
    """Returns the building guide's text for a release: links into the sources become plain words,
    or lead to the release's own files."""
    beside = {
        "legends.svg": "key-legends.pdf",
        "board/": "board/companion-board.html",
        "LICENSE": "LICENSE-hardware",
        **{path.name: f"{path.stem}.html" for path in PAGES if path != FIRST},
    }

    def linked(link: re.Match[str]) -> str:
        words, leads = link[1], link[2]
        if leads.startswith(("#", "http")):
            return link[0]
        if "docs/manual" in leads:
            return f"[{words}](manual.pdf)"
        if leads not in beside:
            return words
        return f"[{beside[leads] if words == leads else words}]({beside[leads]})"

    return _LINK.sub(linked, guide)


class _Links(HTMLParser):
    """Collects a page's links and pictures, and its anchors."""

    def __init__(self) -> None:
        super().__init__()
        self.leads: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes a tag's links and anchors."""
        del tag
        told = dict(attrs)
        self.anchors |= {name for name in (told.get("id"), told.get("name")) if name}
        self.leads += [to for to in (told.get("href"), told.get("src")) if to]


def dead_links(folder: Path) -> list[str]:
    """Returns a line for each link in a folder's pages and texts whose target isn't in the
    folder."""
    return [
        f"{source.relative_to(folder)} leads to {to}, which isn't there"
        for source, to in _all_links(folder)
        if not _link_has_target(source, to)
    ]


def _all_links(folder: Path) -> Iterator[tuple[Path, str]]:
    for source in sorted(folder.rglob("*")):
        if source.suffix == ".html":
            for to in _read(source).leads:
                yield source, to
        elif source.suffix == ".md":
            for to in _MD_LINK.findall(source.read_text("utf-8")):
                yield source, to
        elif source.suffix == ".pdf":
            for to in _links_in_pdf(source.read_bytes()):
                yield source, to


def _links_in_pdf(pdf: bytes) -> Iterator[str]:
    """Yields a PDF's links, including those in its compressed objects."""
    packed = (_decompressed(found[1]) for found in _PACKED.finditer(pdf))
    for part in (pdf, *packed):
        for to in _URI.findall(part):
            yield to.decode("latin-1")


def _decompressed(data: bytes) -> bytes:
    """Returns a decompressed stream of a PDF; empty if it can't be read."""
    with suppress(zlib.error):
        return zlib.decompressobj().decompress(data)
    return b""


def _link_has_target(source: Path, to: str) -> bool:
    parts = urlsplit(to)
    if parts.scheme:
        return parts.scheme != "file"  # elsewhere, or in the page itself
    there = source.parent / unquote(parts.path) if parts.path else source
    if not there.exists():
        return False
    return not parts.fragment or there.suffix != ".html" or parts.fragment in _read(there).anchors


def _read(page: Path) -> _Links:
    links = _Links()
    links.feed(page.read_text("utf-8"))
    return links
