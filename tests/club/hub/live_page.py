"""A page of the hub without a browser: its connection, and every message that it receives."""

import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import aiohttp
import pytest

from companion.core.values import Json
from tests.club.hub.club_site import ClubSite, club_site
from tests.web.visits import visit_at

LAYS = "hand\nAnna 6-6\nBen 6-3"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClubSite]:
    """A hub that shows one table, Kitchen, at which a hand has begun: LAYS."""

    async def kitchen(page: Page) -> None:
        await page.until(lambda one: any(table["title"] for table in one.get("tables", ())))

    with club_site(tmp_path_factory.mktemp("club")) as made:
        made.join("Kitchen")
        made.play("Kitchen", LAYS, "Anna Ben")
        look(made, "/live", made.word("watch"), kitchen)
        yield made


class Page:
    """A page of the hub; `heard` keeps every message."""

    def __init__(self, ws: Any) -> None:
        self._ws = ws
        self.hello: Json = {}
        self.heard: list[Json] = []
        self.closed: int | None = None

    async def until(self, seen: Callable[[Json], object]) -> Json:
        """Listens until a message arrives for which `seen` is true, and returns it; {} if the hub
        hangs up."""
        while True:
            message = await self._ws.receive()
            if message.type is not aiohttp.WSMsgType.TEXT:
                self.closed = self._ws.close_code
                return {}
            found: Json = json.loads(message.data)
            self.heard.append(found)
            if seen(found):
                return found

    async def say(self, **more: object) -> None:
        await self._ws.send_json({"n": len(self.heard) + 1, **more})


Look = Callable[[Page], Awaitable[None]]


def look(
    site: ClubSite,
    path: str,
    word: str,
    visit: Look,
    wants: tuple[str, ...] = (),
    *,
    language: str = "en",
) -> Page:
    """Opens the page at `path` in a browser with that language, says hello with that access code,
    and then runs `visit`."""
    made: list[Page] = []

    async def run(session: aiohttp.ClientSession) -> None:
        headers = {"Origin": site.url, "Accept-Language": language}
        async with session.ws_connect(path, headers=headers) as ws:
            page = Page(ws)
            made.append(page)
            await ws.send_json({"n": 0, "hello": word, "wants": [*wants]})
            page.hello = await page.until(lambda found: found.get("n") == 0)
            if page.hello:
                await visit(page)

    visit_at(site.url, run)
    return made[0]


async def nothing(_page: Page) -> None:
    """A visit that only says hello."""
