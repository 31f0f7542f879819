"""The page in a browser that has reached the box by IPv6."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.core.typed_address import EVERYWHERE
from tests.web.in_browser import WAIT_MS, Site
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with closing(Site(tmp_path / "record.db", lan=True, host=EVERYWHERE)) as site:
        yield site


@pytest.mark.parametrize("host", ["[::1]", "127.0.0.1"])
def test_a_phone_plays_over_ipv4_or_ipv6(browser: Any, site: Site, host: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 780})
    tab = context.new_page()
    complaints = list[str]()
    tab.on("console", lambda message: complaints.append(message.text))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.goto(f"http://{host}:{site.port}/#{site.words.play}")
    tab.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)
    assert complaints == []
    context.close()
