"""A table with its page, with real sockets and a real record, but without a browser."""

import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any

import aiohttp

from companion.app.catalog import CATALOG
from companion.app.past import open_games
from companion.console.frame import BoxPicture
from companion.core.box_page import Phones
from companion.core.club import ClubRequest
from companion.core.keys import Key
from companion.core.seats import Seats
from companion.core.values import Json
from companion.devices.gpio.debounce import Timing
from companion.devices.voice import Clips
from companion.games.game import parse_entry
from companion.games.house_rules import Value
from companion.presentation.house_rule_words import read_unfinished_games
from companion.presentation.language import ENGLISH, Language
from companion.record.rows import GameOpened, Step
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from companion.table.events import Command, Request
from companion.table.loop import Outputs, Table
from companion.table.snapshot import Snapshot
from companion.web.access import AccessCodes, AccessRules, Codes
from companion.web.address import listen
from companion.web.page import Page
from tests.catalog import GAMES
from tests.waiting import WAIT_S
from tests.web.site import KEEP, TOKEN, WATCH
from tests.web.visits import LOCAL, Visit, visit_at

KEEPER = {"name": "scorekeeper"}
BEGUN = "hand\nRed 6-6\nBlue 6-3"


def keep(
    path: Path,
    text: str,
    seats: str = "Red Blue",
    at: float | None = None,
    name: str = "high-five",
    *,
    words: tuple[tuple[str, str], ...] = (),
    **options: Value,
) -> None:
    """Writes a record with this game in it; its rows have the time `at` (None: now). `words`:
    further header words."""
    game, order = GAMES[name], Seats.of(*seats.split())
    clock = time.time if at is None else lambda: at
    with closing(Store.open(path, GAMES, clock)) as store:
        store.keep(1, GameOpened(name, order, options, words=words))
        for line in text.splitlines():
            store.keep(1, Step((parse_entry(line, game, order),)))


def seat(name: str, **more: object) -> dict[str, object]:
    """The role of a phone that keys for this seat."""
    return {"name": "seat", "seat": name, **more}


class LiveTable:
    """The loop and the page's server, each in a thread of its own, until it is closed."""

    pace_s = (0.0, 0.0)
    """How long the page's server waits before it sends news, as Page has it."""
    words = AccessCodes(TOKEN, WATCH, KEEP)

    def __init__(
        self,
        path: Path,
        port: int = 0,
        *,
        lan: bool = False,
        host: str = "127.0.0.1",
        names: frozenset[str] = frozenset(),
        prefix: str = "",
        language: Language = ENGLISH,
        clips: Callable[[str], Clips] | None = None,
        **more: Any,
    ) -> None:
        """`more`: further parts of the page, as Page.start has them."""
        self.path, self.language = path, language
        listening = listen(host, port)
        self.port = listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.page = Page(*self.pace_s)
        self.access_rules = AccessRules(Codes(self.words), lan, names, local=LOCAL, prefix=prefix)
        self.club: list[ClubRequest] = []
        """The requests to the club."""
        self.moves: list[tuple[Key, bool]] = []
        self.phones: SimpleQueue[Phones] = SimpleQueue()
        self.read = 0
        """How often a page had the record's games read."""
        self.page.start(
            listening,
            self.access_rules,
            self.move,
            self._type_letter,
            self._put,
            tell_box=self.phones.put,
            ask_club=self._put,
            read=self._read,
            past=(sys.executable, "-m", "companion.app.past", "pages", str(path)),
            games=CATALOG,
            language=language,
            clips=clips,
            **more,
        )
        assert self.page.wait_until_ready(WAIT_S)
        self._ready = Event()
        self._thread = Thread(target=self._run)
        self._thread.start()
        assert self._ready.wait(WAIT_S)

    def _run(self) -> None:
        with Store.open(self.path, GAMES) as store:
            outputs = Outputs(
                self.draw,
                send_snapshot=self._tell,
                request_club=self.club.append,
                send_club=self.page.update_club,
            )
            self.table = Table(
                store,
                CATALOG,
                outputs,
                time.monotonic,
                Timing(hold_s=0.3),
                language=self.language,
            )
            with self.keys():
                self.table.run()

    def _tell(self, snapshot: Snapshot) -> None:
        """Sends the page the present state, which includes whether the evening is over."""
        self.page.update(snapshot)
        self._ready.set()

    def _type_letter(self, letter: str) -> bool:
        return self.table.type_letter(letter)

    def _put(self, request: Request | ClubRequest) -> None:
        self.table.events.put(request)

    def _read(self) -> list[Json]:
        self.read += 1
        return read_unfinished_games(self.path, GAMES, open_games(self.path))

    def move(self, key: Key, down: bool) -> None:
        """Receives a page's movement of a key."""
        self.moves.append((key, down))

    def draw(self, show: BoxPicture) -> None:
        """Receives the display's picture."""

    def keys(self) -> AbstractContextManager[object]:
        """The box's own keys, while the table runs."""
        return nullcontext()

    def close(self) -> None:
        self.table.events.put(Command.STOP)
        self._thread.join()
        self.page.stop()

    def entries(self) -> list[str]:
        """The last game's entries, read from the disk."""
        with Reader.open(self.path, GAMES) as record:
            last = record.last_game()
            return [str(entry) for entry in last[1].entries] if last else []

    def visit(self, visit: Visit) -> None:
        """Runs a visitor to its end; raises TimeoutError if there is none."""
        visit_at(self.url, visit)


class Phone:
    """A page of the table as the server sees it. It keeps the newest message of each kind."""

    def __init__(self, name: str, ws: Any) -> None:
        self.name, self._ws = name, ws
        self.numbered, self.proposed = 0, 0
        self.stands: Json = {}
        self.role: Json = {}
        self.answers: list[Json] = []
        self.previewed: Json = {}
        self.panel: Json = {}
        self.asked: Json | None = None
        self.club: Json | None = None

    @classmethod
    async def come(
        cls,
        table: LiveTable,
        session: aiohttp.ClientSession,
        name: str,
        role: Json | None,
        word: str = TOKEN,
    ) -> "Phone":
        """Connects with that access code, takes its role if it has one, and waits until it sees the
        table."""
        ws = await session.ws_connect("/live", headers={"Origin": table.url})
        await ws.send_json({"n": 0, "hello": word, "wants": ["wide"]})
        phone = cls(name, ws)
        await phone.until(lambda: "keys" in phone.stands)
        if role is not None:
            await phone.say(role=role)
            await phone.until(lambda: bool(phone.role))
        return phone

    async def say(self, **more: object) -> None:
        self.numbered += 1
        await self._ws.send_json({"n": self.numbered, **more})

    async def until(self, seen: Callable[[], bool]) -> None:
        """Listens until `seen` is true."""
        while not seen():
            heard = await self._ws.receive_json()
            if "moment" in heard:
                self.stands = heard
            if "role" in heard:
                self.role = heard["role"]
            if "answer" in heard:
                self.answers.append(heard["answer"])
            if "asked" in heard:
                self.asked = heard["asked"]
            if "club" in heard:
                self.club = heard["club"]
            if "panel" in heard:
                self.panel = heard["panel"]
            if "preview" in heard:
                self.previewed = heard["preview"]

    def proposal(self, text: str, **more: object) -> Json:
        """A proposal of the entry `text`, based on what the page sees now."""
        self.proposed += 1
        keys = self.stands["keys"]
        stands = {name: keys[name] for name in ("run", "game", "tip")}
        named = {"surface": f"phone-{self.name}", "number": self.proposed}
        return {**named, **stands, "text": text, **more}

    async def asks(self, **message: object) -> Json:
        """Sends a message and returns its answer."""
        before = len(self.answers)
        await self.say(**message)
        await self.until(lambda: len(self.answers) > before)
        return self.answers[-1]

    async def keys(self, text: str, **more: object) -> Json:
        return await self.asks(propose=self.proposal(text, **more))

    async def preview(self, text: str, **more: object) -> Json:
        self.previewed = {}
        await self.say(preview={"id": 1, "text": text, **more})
        await self.until(lambda: bool(self.previewed))
        return self.previewed

    async def leave(self) -> None:
        await self._ws.close()
