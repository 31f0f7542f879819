"""A running page of the box, and its visitors."""

from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import aiohttp

from companion.app.catalog import CATALOG
from companion.core.box_page import CheckActions
from companion.core.keys import Key
from companion.web.access import AccessCodes, AccessRules, Codes
from companion.web.address import listen
from companion.web.page import Page
from tests.waiting import WAIT_S
from tests.web.visits import LOCAL, Visit, visit_at

TOKEN = "abcdefgh23456723"
WATCH, KEEP = "watchwatchwatch2", "keepkeepkeepkee2"
CODES = Codes(AccessCodes(TOKEN, WATCH, KEEP))
PICTURE = bytes(range(256)) * 4


class Site:
    """A running page of the box, and what its visitors do to the keys."""

    def __init__(
        self,
        open_to_all: bool,
        incoming: Path | None = None,
        check: CheckActions | None = None,
        past: Sequence[str] = (),
        codes: Codes = CODES,
    ) -> None:
        listening = listen("127.0.0.1", 0)
        self.port = listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.moves: SimpleQueue[tuple[Key, bool]] = SimpleQueue()
        access_rules = AccessRules(codes, open_to_all=open_to_all, local=LOCAL)
        self.page = Page(0.0, 0.0)
        self.spells = False
        self.letters: list[str] = []
        self.page.start(
            listening,
            access_rules,
            lambda *move: self.moves.put(move),
            self.type_letter,
            games=CATALOG,
            incoming=incoming,
            check=check,
            past=past,
        )
        assert self.page.wait_until_ready(WAIT_S)

    def type_letter(self, letter: str) -> bool:
        """Handles a typed letter as a box does; returns whether a name is being spelled
        (`spells`)."""
        if self.spells:
            self.letters.append(letter)
        return self.spells

    def visit(self, visit: Visit) -> None:
        """Runs a visitor to its end."""
        visit_at(self.url, visit)

    def next_move(self) -> tuple[Key, bool]:
        return self.moves.get(timeout=WAIT_S)

    def box(self, session: aiohttp.ClientSession, **more: Any) -> Any:
        headers = {"Origin": self.url} | more.pop("headers", {})
        return session.ws_connect("/live", headers=headers, **more)


async def enter(ws: Any) -> None:
    await ws.send_json({"n": 0, "hello": TOKEN})
    assert await ws.receive_json() == {"n": 0}
