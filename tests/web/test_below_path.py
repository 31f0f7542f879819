"""A table below a path of a site, behind the real nginx with the configuration of
docs/hub-proxy.md, or with the path set in its own configuration."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp.test_utils import make_mocked_request

from companion.club.hub.page_responses import HUB_STATIC
from companion.core.html import element, rooted, rooted_at
from companion.core.values import Json
from companion.web.address import qr_rows, qr_text
from companion.web.behind_proxy import prefix_of, requested_url
from companion.web.files import STATIC
from companion.web.own_names import parse_prefix
from tests.web.below_path import NAME, TABLE_PAGES, Walk, behind_nginx
from tests.web.in_browser import Site
from tests.web.in_browser import pytestmark as browsers
from tests.web.live import LiveTable


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A table that only this machine can reach, with the proxy's name in its configuration."""
    with closing(Site(tmp_path / "record.db", names=frozenset({NAME}))) as site:
        yield site


@pytest.fixture
def behind(site: Site, tmp_path: Path) -> Iterator[str]:
    """The address of the site behind nginx."""
    with behind_nginx(tmp_path, site.url) as url:
        yield url


@browsers
def test_a_phone_plays_below_a_path(browser: Any, site: Site, behind: str) -> None:
    walk = Walk(browser, site.words.play, behind)
    walk.everywhere(TABLE_PAGES, ("", "box", "tv"))
    walk.in_german()
    assert walk.invitation() == f"{behind}/table/", "a code leads through the proxy"
    assert walk.wrong == []
    assert not site.access_rules.open_to_all, "nobody has opened the network"
    walk.context.close()


def test_a_table_with_a_configured_path_answers_with_and_without_it(tmp_path: Path) -> None:
    found: Json = {}

    async def visit(session: aiohttp.ClientSession) -> None:
        for path in ("/table/", "/table", "/", "/table/tv", "/table/box.js", "/tabletv", "/tablé"):
            async with session.get(path) as answer:
                found[path] = answer.status
                if answer.content_type == "text/html":
                    text = await answer.text()
                    assert '<html data-root="/table"' in text
                    assert re.search(r'href="/table/at/[0-9a-f]{12}/en/icon.svg"', text)
                    assert not re.search(r' (href|src)="/(?!table)', text)
        async with session.get("/table/EFGHABCDEFGH2345", allow_redirects=False) as answer:
            assert answer.headers["Location"] == "/table/#efghabcdefgh2345"
        async with session.ws_connect("/table/live", headers={"Origin": table.url}) as page:
            await page.send_json({"n": 0, "hello": table.words.play})
            assert (await page.receive_json())["n"] == 0

    with closing(LiveTable(tmp_path / "record.db", prefix="/table")) as table:
        table.visit(visit)
    good = dict.fromkeys(("/table/", "/table", "/", "/table/tv", "/table/box.js"), 200)
    assert found == {**good, "/tabletv": 404, "/tablé": 404}


def asked(peer: str, **said: str) -> Any:
    headers = {"Host": "club.example", **{f"X-Forwarded-{name}": of for name, of in said.items()}}
    return make_mocked_request("GET", "/", headers).clone(remote=peer)


@pytest.mark.parametrize(
    ("request_", "configured", "place"),
    [
        (asked("127.0.0.1", Prefix="/table/", Proto="https"), "", "https://club.example/table"),
        (asked("::1", Prefix="/a/b", Proto="https"), "/c", "https://club.example/a/b"),
        (asked("127.0.0.1", Prefix="/table", Proto="gopher"), "", "http://club.example/table"),
        (asked("127.0.0.1", Proto="http, https"), "/c", "https://club.example/c"),
        (asked("192.0.2.7", Prefix="/table", Proto="https"), "", "http://club.example"),
        (asked("192.0.2.7", Prefix="/table"), "/c", "http://club.example/c"),
        *(
            (asked("127.0.0.1", Prefix=wrong), "", "http://club.example")
            for wrong in ("//evil.example", "/..", '/"><script>', "table", "/a/../b", "/a/b/c/d/e")
        ),
    ],
)
def test_only_a_local_proxy_may_set_the_path(request_: Any, configured: str, place: str) -> None:
    assert requested_url(request_, configured) == place


@pytest.mark.parametrize("text", ["table", "/", "//", "/ä", "/a b", "/.", "/..", "/a" * 5])
def test_an_invalid_path_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="write a path as /table"):
        parse_prefix(text)


def test_external_addresses_and_other_answers_stay_unchanged() -> None:
    assert prefix_of(asked("127.0.0.1")) == ""
    with rooted_at("/table"):
        found = [rooted(one) for one in ("//evil.example/", "https://x/", "#y", "/", "/z")]
        image = element("img", src="/z", alt="/z")
    assert found == ["//evil.example/", "https://x/", "#y", "/table/", "/table/z"]
    assert image.startswith('<img src="/table/z" alt="/z">')
    assert rooted("/z") == "/z"


def test_the_html_of_pages_names_no_address_without_the_path() -> None:
    pages = [*STATIC.rglob("*.html"), *HUB_STATIC.glob("*.html")]
    wrong = re.compile(r""" (?:href|src)=["']/(?!/)""")
    assert len(pages) > 20
    assert [path.name for path in pages if wrong.search(path.read_text("utf-8"))] == []


def test_a_browser_gets_the_page_again_if_the_path_changes(tmp_path: Path) -> None:
    found: list[tuple[int, str]] = []

    async def visit(session: aiohttp.ClientSession) -> None:
        for path in ("", "/table", "/table"):
            kept = {"If-None-Match": found[-1][1]} if found else {}
            headers = {"X-Forwarded-Prefix": path, **kept}
            async with session.get("/", headers=headers) as answer:
                found.append((answer.status, answer.headers["ETag"]))

    with closing(LiveTable(tmp_path / "record.db")) as table:
        table.visit(visit)
    assert [status for status, _ in found] == [200, 200, 304]


def test_a_path_in_a_code_stays_in_lower_case() -> None:
    place = "https://club.example/table"
    assert qr_text(place, "efgh") == "https://CLUB.EXAMPLE/table/EFGH"
    assert qr_text("http://192.0.2.7/TV", "efgh") == "http://192.0.2.7/TV/EFGH"
    assert len(qr_rows("http://192.168.178.123", "abcdefgh234567qr")) == 25
