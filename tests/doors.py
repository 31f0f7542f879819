"""Random input from all sides at once: the box's keys, seats' keypads, and pages that send right
messages, nearly right ones, and ones that no page of ours sends. Each is answered or refused in
words, and none gets as far as the handlers that catch our own faults.

As a program (`python -m tests.doors FIRST_SEED SEEDS DEEDS`) it says what it found.
"""

import asyncio
import json
import logging
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from companion.app.catalog import CATALOG
from companion.core.box_page import Phones
from companion.core.keys import FIVE_WAY, SIXTEEN, Key, Press, PressId, pad_id
from companion.core.seats import Seat
from companion.devices.link.events import Arrived, Left, PressesLost
from companion.table.events import BackgroundNotice, Command, Event
from companion.table.snapshot import Snapshot
from companion.web.key_pacing import TooFastError
from companion.web.keying import PageKeying
from companion.web.roles import Agreements, Roles
from tests.page_messages import NAMES, PageMessages
from tests.rig import Rig

LIKELY = (*SIXTEEN, *SIXTEEN, *FIVE_WAY, Key.OK, Key.OK, Key.OK, Key.D1, Key.D2, Key.DRAW)
MEMORY = Path("/dev/shm")
KEYPADS = ("a1b2", "c3d4", pad_id("usb 1.2"), "")


class Doors:
    """One table with three pages, keypads and its own keys; `do` does something random to it."""

    def __init__(self, path: Path, seed: int) -> None:
        self.random = Random(seed)
        self.rig = Rig(path, switches_off=True)
        self.loop = self.rig.table
        self.roles = Roles()
        self.agreements = Agreements(self.roles)
        self.pages = [self._come() for _ in range(3)]
        self.messages = PageMessages(self.random, self.rig.snapshots)
        self.numbered = 0
        self.answered, self.refused = 0, 0

    def _come(self) -> PageKeying:
        put, look = self.loop.events.put, self._look
        page = PageKeying(
            put,
            look,
            self.roles,
            lambda: None,
            agreements=self.agreements,
            plays=True,
            games=CATALOG,
        )
        if self.random.random() < 0.7:
            page.hear({"role": {"name": "scorekeeper"}})
        return page

    def _look(self) -> Snapshot:
        return self.rig.snapshots[-1]

    @property
    def told(self) -> str:
        """A line on what came of it all."""
        rows, games = self.rig.store.last_row(), self.rig.store.newest_game()
        return (
            f"{self.answered} answers, {self.refused} pages sent away, {rows} rows, {games} games"
        )

    # ------------------------------------------------------------ what is done

    async def do(self) -> str:
        """Does one thing at random; says what it was."""
        deed = self.random.choices(
            (self._key, self._keypad, self._pad_news, self._box_news, self._say),
            (20, 14, 1, 1, 60),
        )[0]
        told = repr(deed())[:400]
        self.loop.turn(0)
        if self.random.random() < 0.3:
            self.rig.now += self.random.choice((0.1, 1.0, 3.0))
        await asyncio.sleep(0)
        return told

    def _put(self, event: Event) -> Event:
        self.loop.events.put(event)
        return event

    def _key(self) -> Event:
        letter = self.random.choice("aß\ud800 7") if self.random.random() < 0.02 else ""
        held, repeated = self.random.random() < 0.03, self.random.random() < 0.03
        key = self.random.choice(LIKELY)
        return self._put(Press(key, held=held, repeated=repeated, letter=letter))

    def _source(self) -> PressId:
        self.numbered += self.random.choice((0, 1, 1, 1, 1))
        keypad = self.random.choice(KEYPADS)
        return PressId(keypad, 1, self.numbered)

    def _keypad(self) -> Event:
        seat = None if self.random.random() < 0.8 else Seat(self.random.choice(NAMES))
        key, held = self.random.choice(LIKELY), self.random.random() < 0.03
        at = self.rig.now - self.random.choice((0.0, 0.5, 5.0))
        return self._put(Press(key, seat, self._source(), held=held, at=at))

    def _pad_news(self) -> Event:
        keypad = self.random.choice(KEYPADS)
        return self._put(
            self.random.choice(
                (
                    Arrived(keypad),
                    Arrived(keypad, again=True),
                    Left(keypad),
                    PressesLost(self._source(), 2),
                )
            )
        )

    def _box_news(self) -> Event:
        return self._put(
            self.random.choice(
                (
                    Command.MEND,
                    BackgroundNotice("Something."),
                    Phones(True, address="x", digits="1234"),
                    Phones(False),
                )
            )
        )

    # ------------------------------------------------------------ what pages say

    def _say(self) -> object:
        page = self.random.choice(self.pages)
        said = self.messages.message(self.pages.index(page))
        try:
            said = json.loads(json.dumps(said))
            page.hear(said)
        except (ValueError, TooFastError):
            # That page is no longer listened to; another one comes.
            self.refused += 1
            page.leave()
            self.pages[self.pages.index(page)] = self._come()
        return said

    def hear(self) -> None:
        """Takes what the pages are sent by now, as JSON text; counts the answers in it."""
        for page in self.pages:
            for text in page.news():
                self.answered += "answer" in json.loads(text.encode(errors="surrogatepass"))


# ---------------------------------------------------------------- running


class _Log(logging.Handler):
    """Keeps what is logged as a fault of ours."""

    def __init__(self, found: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._found = found

    def emit(self, record: logging.LogRecord) -> None:
        self._found.append(logging.Formatter().format(record))


@contextmanager
def caught() -> Iterator[list[str]]:
    """A list that gets, while the context is open, the traceback of every fault of ours that a
    handler catches."""
    found: list[str] = []
    handler, print_exc = _Log(found), traceback.print_exc
    logging.getLogger("asyncio").addHandler(handler)
    traceback.print_exc = lambda *_, **__: found.append(traceback.format_exc())
    try:
        yield found
    finally:
        traceback.print_exc = print_exc
        logging.getLogger("asyncio").removeHandler(handler)


def push(seed: int, deeds: int, tell: Callable[[str], None] = lambda _: None) -> Counter[str]:
    """Does so many `deeds` at a new table; counts each fault that was found. `tell` gets each fault
    with its deed, and a line at the end."""
    found: Counter[str] = Counter()

    async def run(folder: Path) -> None:
        doors = Doors(folder / "record.db", seed)
        try:
            for number in range(deeds):
                before = len(nets)
                deed = await doors.do()
                doors.hear()
                if len(nets) > before:
                    tell(f"{seed}/{number}: {deed}\n{nets[-1]}")
                found.update(net.strip().splitlines()[-1] for net in nets[before:])
        finally:
            tell(f"{seed}: {doors.told}")
            doors.rig.close()

    with (
        tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder,
        caught() as nets,
    ):
        asyncio.run(run(Path(folder)))
    return found


def main(first: int, seeds: int, deeds: int) -> None:
    """Tries so many seeds; prints the faults that were found."""
    found: Counter[str] = Counter()
    for seed in range(first, first + seeds):
        found += push(seed, deeds, lambda text: print(text, flush=True))
        print(seed, dict(found), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
