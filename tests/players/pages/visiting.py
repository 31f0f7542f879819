"""Visits to the pages of past games: every linked page, and the words on it."""

import html
import re
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from companion.players.pages.archive import Archive
from companion.players.pages.document import ROOT
from companion.record.rows import Row
from tests.players.builder import at
from tests.players.evening_kept import Clock, kept

LINK = re.compile(r'<a\b[^>]*?\bhref="([^"]+)"')
TAG = re.compile(r"<[^>]+>")


def linked(page: str) -> list[str]:
    """The addresses below /evenings that a page links to."""
    found = map(html.unescape, LINK.findall(page))
    return [address for address in found if address.startswith(ROOT)]


def got(archive: Archive, address: str) -> str | None:
    parts = urlsplit(address)
    return archive.page(parts.path, dict(parse_qsl(parts.query)))


def words_of(page: str) -> str:
    return html.unescape(TAG.sub(" ", page))


def crawled(archive: Archive) -> dict[str, str]:
    """Every page that can be reached from the first one; only one of a game's moments."""
    found: dict[str, str] = {}
    seen: set[str] = set()
    waiting = [ROOT]
    while waiting:
        address = waiting.pop().split("#")[0]
        one = address.split("?entry")[0]
        if one in seen:
            continue
        seen.add(one)
        page = got(archive, address)
        assert page is not None, address
        found[address] = page
        waiting += linked(page)
    return found


def keep(path: Path, *rows: Row, game: int = 0) -> None:
    with kept(path, Clock(at(21, 8))) as store:
        for row in rows:
            store.keep(game, row)
