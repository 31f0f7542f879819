"""The box's own screen shows the code by which phones come in, while no game is played."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import zxingcpp
from PIL import Image

from companion.web import server
from tests.web.accessibility import violations
from tests.web.in_browser import WAIT_MS, Site, Viewer, in_every_run
from tests.web.live import LiveTable, keep
from tests.web.test_pairing_page import from_elsewhere
from tests.web.test_table_page import DESKTOP

pytestmark = in_every_run

UPRIGHT = {"width": 1080, "height": 1920}
SMALL = {"width": 1280, "height": 720}


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives this machine a made-up address."""
    monkeypatch.setattr(server, "network_address", lambda: "192.168.178.123")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path / "record.db", lan=True)
    yield site
    site.close()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", [SMALL, DESKTOP, UPRIGHT])
def test_a_phone_reads_the_code_from_the_screen(browser: Any, site: Site, size: Any) -> None:
    tv = Viewer(browser, site, path="/tv", viewport=size)
    tv.tab.wait_for_selector("#way-in svg", timeout=WAIT_MS)
    (code,) = zxingcpp.read_barcodes(Image.open(BytesIO(tv.tab.screenshot())).convert("L"))
    assert code.text == f"http://192.168.178.123:{site.port}/SESAME"
    assert f"http://192.168.178.123:{site.port}/" in tv.tab.inner_text("#way-in")
    boxes = [tv.tab.locator(one).bounding_box() for one in ("#way-code svg", "#welcome", "#way-in")]
    drawn, welcome, all_of_it = boxes
    assert drawn["height"] > size["height"] / 5
    assert all_of_it["x"] >= 0 and all_of_it["y"] >= 0
    beside = all_of_it["x"] + all_of_it["width"] <= welcome["x"]
    assert beside or all_of_it["y"] + all_of_it["height"] <= welcome["y"]
    assert violations(tv.tab) == tv.complaints == []
    tv.context.close()


HALF = """() => {
  const whole = window.fetch;
  window.asked = 0;
  window.fetch = async (where, ...more) => {
    if (!where.endsWith("/way-in")) return whole(where, ...more);
    window.asked += 1;
    return { ok: true, json: () => Promise.reject(new DOMException("half of it", "AbortError")) };
  };
}"""
"""From now on only half of the answer about the address comes."""


@pytest.mark.whole
def test_a_broken_answer_leaves_the_code_on_the_screen(browser: Any, site: Site) -> None:
    tv = Viewer(browser, site, path="/tv", viewport=SMALL)
    tv.tab.wait_for_selector("#way-in svg", timeout=WAIT_MS)
    tv.tab.evaluate(HALF)
    tv.tab.evaluate("dispatchEvent(new Event('hashchange'))")  # connects anew, and asks again
    tv.tab.wait_for_function("() => window.asked > 0", timeout=WAIT_MS)
    assert tv.tab.locator("#way-in svg").is_visible()
    tv.context.close()
    assert tv.complaints == []


@pytest.mark.whole
def test_the_code_disappears_during_a_game(browser: Any, tmp_path: Path) -> None:
    keep(tmp_path / "record.db", "hand\nRed 6-6")
    site = Site(tmp_path / "record.db", lan=True)
    tv = Viewer(browser, site, path="/tv", viewport=SMALL)
    tv.tab.wait_for_selector(".seat", timeout=WAIT_MS)
    assert not tv.tab.locator("#way-in").is_visible()
    tv.context.close()
    site.close()


@pytest.mark.whole
def test_a_screen_of_another_machine_does_not_get_the_code(browser: Any, site: Site) -> None:
    tab = from_elsewhere(browser, site, "/tv")
    assert not tab.locator("#way-in").is_visible()
    tab.context.close()


def asked(table: LiveTable, **headers: str) -> tuple[int, object]:
    found: list[tuple[int, object]] = []

    async def visit(session: aiohttp.ClientSession) -> None:
        async with session.get("/way-in", headers=headers) as answer:
            told = await answer.json() if answer.status == 200 else None
            found.append((answer.status, told))

    table.visit(visit)
    return found[0]


NOTHING = (200, {"address": "", "code": ""})


def test_only_this_machine_s_own_page_gets_the_code(tmp_path: Path) -> None:
    table = LiveTable(tmp_path / "record.db", lan=True)
    status, told = asked(table)
    assert status == 200 and isinstance(told, dict) and "<svg" in told["code"]
    assert asked(table, Host="192.168.178.123") == (404, None)
    assert asked(table, **{"Sec-Fetch-Site": "cross-site"}) == (403, None)
    table.close()


def test_without_access_for_phones_there_is_no_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = LiveTable(tmp_path / "alone.db")
    assert asked(alone) == NOTHING
    alone.close()
    table = LiveTable(tmp_path / "record.db", lan=True)
    for here in ("raspberrypi", "127.0.0.1"):
        monkeypatch.setattr(server, "network_address", lambda here=here: here)
        assert asked(table) == NOTHING
    table.close()
