"""A table and a hub below paths of one site, behind the real Caddy with the configuration of
docs/hub-proxy.md: a browser walks through all their pages. (nginx: tests/web/test_below_path.py and
tests/club/hub/test_proxy.py.)"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.club.hub.club_site import ClubSite, club_site
from tests.starting import answers, certificate, documented, free_port
from tests.waiting import wait_until
from tests.web.below_path import NAME, TABLE_PAGES, Walk
from tests.web.in_browser import Site

GLOBAL = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n"


@contextmanager
def caddy(place: Path, text: str, port: int) -> Iterator[None]:
    """Runs Caddy with that configuration, its files in the folder `place`."""
    program = shutil.which("caddy")
    assert program, "Caddy is missing: sudo apt install caddy"
    file = place / "Caddyfile"
    file.write_text(GLOBAL + text)
    homes = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), str(place))
    command = [program, "run", "--config", str(file), "--adapter", "caddyfile"]
    with (
        (place / "log").open("wb") as log,
        subprocess.Popen(command, env={**os.environ, **homes}, stdout=log, stderr=log) as running,
    ):
        try:
            wait_until(lambda: answers(port))
            yield
        finally:
            running.terminate()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with closing(Site(tmp_path / "record.db", names=frozenset({NAME}))) as site:
        yield site


@pytest.fixture
def club(tmp_path: Path) -> Iterator[ClubSite]:
    with club_site(tmp_path / "club") as club:
        yield club


@pytest.fixture
def behind(site: Site, club: ClubSite, tmp_path: Path) -> Iterator[str]:
    """The address of the site."""
    own, private = certificate(tmp_path)
    port = free_port()
    ours = {
        "club.example {": f"https://{NAME}:{port} {{\n    tls {own} {private}",
        "127.0.0.1:8055": f"127.0.0.1:{site.port}",
        "127.0.0.1:8070": f"127.0.0.1:{club.hub.port}",
    }
    with caddy(tmp_path, documented(0, ours, "caddy"), port):
        yield f"https://{NAME}:{port}"


def test_a_phone_plays_at_the_table(browser: Any, site: Site, behind: str) -> None:
    walk = Walk(browser, site.words.play, behind)
    walk.everywhere(TABLE_PAGES, ("", "box", "tv"))
    walk.in_german()
    assert walk.invitation() == f"{behind}/table/"
    assert walk.wrong == []
    walk.context.close()


def test_one_browser_keeps_separate_access_codes_for_hub_and_table(
    browser: Any, site: Site, club: ClubSite, behind: str
) -> None:
    """One browser has both: neither takes the other's code."""
    box = club.join("Table 1")
    club.play("Table 1", "hand\nAnna 6-6\nBen 6-3", "Anna Ben")
    walk = Walk(browser, club.word("keep"), behind, "/hub")
    walk.everywhere(("", f"table/{box}", "organiser", "evenings"), ("", f"table/{box}"))
    assert walk.wrong == []
    walk.tab.goto(f"{behind}/table/#{site.words.play}")
    walk.until_connected()
    walk.tab.goto(f"{behind}/hub/")
    walk.until_connected()
    walk.tab.goto(f"{behind}/table/evenings")
    walk.tab.wait_for_selector("h1")
    walk.context.close()
