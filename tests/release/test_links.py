"""Links in the pages and papers of a release lead only to files in the release."""

import os
import re
import zlib
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from companion.core.version import VERSION
from release.__main__ import without_links
from release.paper import manual, papers, prepared_for_print
from release.start_here import dead_links, put_pages
from tests.chromium import CHROMIUM
from tests.manual.book import ENGLISH, LANGUAGES, ROOT
from tests.manual.card import pages_of, print_beside_docs


def test_links_without_a_target_are_found(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_text('<h1 id="here">b</h1>')
    (tmp_path / "a.html").write_text(
        '<a href="b.html#here">1</a><a href="b.html#there">2</a><a href="#a">3</a><p id="a">'
        '<a href="https://example.org/x">4</a><img src="no.png"><a href="folder/c.pdf">5</a>'
    )
    (tmp_path / "t.md").write_text("[a](a.html) [d](docs/d.md)")
    assert dead_links(tmp_path) == [
        "a.html leads to b.html#there, which isn't there",
        "a.html leads to no.png, which isn't there",
        "a.html leads to folder/c.pdf, which isn't there",
        "t.md leads to docs/d.md, which isn't there",
    ]


def test_a_link_to_a_local_file_in_a_pdf_is_found(tmp_path: Path) -> None:
    (tmp_path / "p.pdf").write_bytes(
        b"<</Type /Action\n/S /URI\n/URI (file:///tmp/x/kit.pdf)>> <</S/URI/URI(https://a.b)>>"
        b"1 0 obj <</Type/ObjStm/Filter/FlateDecode/Length 40>>\nstream\r\n"
        + zlib.compress(b"<</S /URI /URI (file:///tmp/y.html)>>")
        + b"\nendstream endobj"
    )
    assert dead_links(tmp_path)[-2:] == [
        "p.pdf leads to file:///tmp/x/kit.pdf, which isn't there",
        "p.pdf leads to file:///tmp/y.html, which isn't there",
    ]


def test_a_text_without_links_keeps_its_words() -> None:
    assert without_links("see [a](docs/a.md) and [b](https://b.c)") == "see a and [b](https://b.c)"


def test_printed_pages_name_the_target_file_of_a_link() -> None:
    text = (
        '<a href="kit.pdf">a list</a>, <a href="guide.html#keys">the guide</a>, '
        '<a href="CHANGES.md">CHANGES.md</a>, <a href="#below">below</a>, '
        '<a href="https://a.b/">there</a>, <a href="no_key.pdf"><code>no_key.pdf</code></a>, '
        '<a href="card.pdf">card.html</a>'
    )
    assert prepared_for_print(text) == (
        'a list (kit.pdf), the guide (guide.html), CHANGES.md, <a href="#below">below</a>, '
        '<a href="https://a.b/">there</a>, <code>no_key.pdf</code>, card.pdf'
    )


@pytest.mark.parametrize("language", [ENGLISH, *LANGUAGES])
def test_each_link_within_the_manual_leads_to_a_part_of_it(language: str) -> None:
    text = manual(language)
    leads = {*map(unquote, re.findall(r'href="([^"]+)"', text))}
    assert {to for to in leads if not to.startswith(("#", "https:"))} == set()
    assert {to[1:] for to in leads if to[0] == "#"} <= {*re.findall(r'id="([^"]+)"', text)}


@pytest.mark.browser
@pytest.mark.skipif(
    CHROMIUM is None and not os.environ.get("CI"), reason="chromium is not installed"
)
def test_every_file_can_be_reached_from_the_first_page(tmp_path: Path) -> None:
    """Every link must have a target; files that other parts make are replaced by empty ones."""
    for name, _ in papers():
        (tmp_path / f"{name}.pdf").touch()
    (tmp_path / "board").mkdir()
    for name in (
        "example-game.html",
        "CHANGELOG.md",
        "LICENSE-hardware",
        "board/companion-board.html",
    ):
        (tmp_path / name).touch()
    put_pages(tmp_path)
    print_beside_docs(manual(), tmp_path / "manual.pdf")
    assert dead_links(tmp_path) == []
    ways = ("nothing-to-wire", "matrix-keypad", "sixteen-keys", "seat-keypad")
    for name in ("START-HERE", "building-guide", *ways, "manual"):
        assert b"/URI (file:" not in (tmp_path / f"{name}.pdf").read_bytes()
    start = (tmp_path / "START-HERE.html").read_text("utf-8")
    assert {*re.findall(r'href="([^":#]+)', start)} > {"building-guide.html", "manual.pdf"}
    assert f"table-companion_{VERSION.replace('.dev', '~dev')}-1_all.deb" in start
    assert f"./table_companion-{VERSION}-py3-none-any.whl companion run" in start
    first = (tmp_path / "building-guide.html").read_text("utf-8")
    assert {*re.findall(r'href="([^":#]+)', first)} >= {f"{way}.html" for way in ways}
    guide = (tmp_path / "sixteen-keys.html").read_text("utf-8")
    assert all((tmp_path / src).exists() for src in re.findall(r'src="([^"]+)"', guide))
    assert "<pre><code" in guide and "\nmake -C companion deb\n" in guide, "what is typed, by lines"
    assert '<a href="key-legends.pdf">key-legends.pdf</a>' in guide, "called as it is here"
    assert "board/</a>" not in guide and ">LICENSE</a>" not in first
    assert pages_of(tmp_path / "START-HERE.pdf") <= 3
    assert pages_of(tmp_path / "building-guide.pdf") <= 3 < pages_of(tmp_path / "sixteen-keys.pdf")


def test_the_steps_of_flash_and_play_require_no_editing_of_files() -> None:
    """The main way is by the box's own Wi-Fi, files are an aside; cards with only one system are
    mentioned."""
    text = (ROOT / "systemd" / "release" / "start-here.md").read_text("utf-8")
    part = text.partition("## Flash and play")[2].partition("\n## ")[0]
    steps, _, asides = part.partition(": the first deal.")
    assert asides and "wifi.txt" not in steps and "code to join it" in steps
    assert all(told in asides for told in ("`wifi.txt`", ".rpi-imager-manifest", "version 0.2.0"))


@pytest.mark.browser
def test_no_page_is_wider_than_a_phones_screen(browser: Any, tmp_path: Path) -> None:
    put_pages(tmp_path)
    phone = {"width": 390, "height": 800}
    tab = browser.new_context(viewport=phone, is_mobile=True).new_page()
    for name in ("START-HERE", "building-guide", "matrix-keypad"):
        tab.goto((tmp_path / f"{name}.html").as_uri())
        assert tab.evaluate("document.documentElement.scrollWidth") == 390, name
