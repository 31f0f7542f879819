"""A club's whole evening as one test: python -m tests.club.hub.club_evening [SECONDS]

A hub on PostgreSQL; six boxes, two of which are whole tables of their own (the virtual box); two
tables that the organiser opens, keyed by phones. While all play, the cable of three boxes is pulled
for SECONDS (600), the hub's laptop is closed and opened, the database is restarted, and a box gets
an old copy of its record. At the end the hub must have each row of each box, once and whole. Every
page is drawn at the size of a phone, a laptop and a TV, into build/club.
"""

import asyncio
import io
import json
import os
import shutil
import signal
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import (
    ExitStack,
    closing,
    contextmanager,
    redirect_stderr,
    redirect_stdout,
    suppress,
)
from itertools import count
from pathlib import Path
from random import Random
from subprocess import DEVNULL
from tempfile import TemporaryDirectory
from typing import Any, Final

from companion.app.catalog import CATALOG
from companion.app.club import BoxClub
from companion.club.box.membership import Membership
from companion.club.hub.database import Database
from companion.club.hub.verify import verify
from companion.core.seats import Seats
from companion.record.rows import GameOpened, Step
from companion.record.store.database import ChainLink
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from tests.browser import chromium
from tests.club.hub.cable import Cable
from tests.club.hub.club_pages import PICTURES, draw_all, open_tables
from tests.club.hub.club_site import ClubSite
from tests.club.hub.postgres import cluster
from tests.random_games import Evening
from tests.rigs import at_the_page
from tests.starting import companion, running_hub

NAMES: Final = ("Anna", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hanna", "Ida", "Jon")
EVERY_S: Final = 1.0
WAIT_S: Final = 300.0
KEYS: Final = "1 2 1 OK OK 1 6 3 OK 3 4 OK"


class PlayedBox:
    """A box at which somebody keys an entry every second, in a thread of its own."""

    def __init__(self, record: Path, number: int) -> None:
        self.record, self._seed = record, Random(number)
        self._seats = Seats.of(*self._seed.sample(NAMES, 2))
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._play, daemon=True)

    def start(self) -> None:
        """Switches the box on."""
        self._over.clear()
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Switches the box off."""
        self._over.set()
        self._thread.join(WAIT_S)

    def _play(self) -> None:
        store = Store.open(self.record, CATALOG.rules)
        club = BoxClub(store, CATALOG.rules, lambda _: None)
        club.start()
        links = (link for link in store.walk() if isinstance(link, ChainLink))
        first = 1 + max((link.game for link in links), default=0)
        for number in count(first):
            store.keep(number, GameOpened("high-five", self._seats, {}))
            for entry in game_of(self._seed, self._seats):
                if self._over.wait(EVERY_S):
                    club.stop()
                    store.close()
                    return
                store.keep(number, Step((entry,)))


def game_of(random: Random, seats: Seats) -> list[Any]:
    """The entries of a random game of High Five between these seats."""
    evening = Evening(random, "high-five", seats, {})
    while not evening.state.finished and len(evening.played) < 3000:
        evening.play_hand()
    return [entry for entry, _ in evening.played]


@contextmanager
def whole_table(record: Path, port: int) -> Iterator[None]:
    """Runs a virtual box in a process of its own, and begins a game there by its keys."""
    words = ("--virtual", "--port", str(port), "--record", record)
    with companion(*words, stdout=DEVNULL, stderr=DEVNULL):
        at_the_page.URL = f"http://127.0.0.1:{port}"
        until(lambda: _pressed(KEYS), "the box's page")
        yield


def copied(record: Path, to: Path) -> None:
    """Copies a record that its box may be writing at the same time."""
    with closing(sqlite3.connect(record)) as one, closing(sqlite3.connect(to)) as other:
        one.backup(other)


def _pressed(keys: str) -> bool:
    with suppress(Exception):
        asyncio.run(at_the_page.press(keys.split()))
        return True
    return False


def until(found: Callable[[], bool], what: str) -> float:
    """Waits until `found` is true; returns the seconds that it took. After WAIT_S it ends the
    program with a message that `what` never came."""
    began = time.monotonic()
    while not found():
        if time.monotonic() - began > WAIT_S:
            sys.exit(f"never: {what}")
        time.sleep(0.2)
    return time.monotonic() - began


def say(line: str) -> None:
    """Prints a line with the time."""
    print(time.strftime("%H:%M:%S"), line, flush=True)


# ---------------------------------------------------------------- what the hub has


def missing(database: Database, records: list[Path]) -> list[str]:
    """A line for each record whose last row is not the head of its box's live chain at the hub;
    “not well” if the hub's own check alone finds faults. Empty if all is well."""
    report = verify(database)
    live = [one for one in report["chains"] if one["state"] == "live"]
    heads = {one["box"]: (one["seq"], one["hash"]) for one in live}
    lacks = []
    for record in records:
        mine = Membership.load(record)
        assert mine is not None
        with Reader.open(record, CATALOG.rules) as reader:
            last = reader.last_row()
            own = (last, (reader.hash_of(last) or b"").hex())
        if heads.get(mine.keys.identity) != own:
            lacks.append(f"{record.name}: {own[0]} at the box, {heads.get(mine.keys.identity)}")
    return lacks if report["well"] or lacks else ["not well"]


# ---------------------------------------------------------------- the evening


class ClubEvening:
    """The club's evening, from beginning to end; `stack` closes everything that it opens."""

    def __init__(self, stack: ExitStack) -> None:
        self._place = Path(
            stack.enter_context(TemporaryDirectory(prefix="club-", ignore_cleanup_errors=True))
        )
        self._server = stack.enter_context(cluster())
        address = self._server.database()
        named = ("--name", "Friday Fives", "--database", address)
        self._hub = stack.enter_context(running_hub(self._place / "club", *named))
        self._site = ClubSite(self._hub, self._place)
        self._cable, self._database = Cable(self._hub.port), Database.from_address(address)
        stack.callback(self._database.close)
        stack.callback(self._close_tables)
        self._join()
        for number, record in enumerate(self._records[4:]):
            stack.enter_context(whole_table(record, 18211 + number))
        self._browser = stack.enter_context(chromium())

    def _join(self) -> None:
        """Makes six boxes members, three of them through the cable."""
        names = [f"Table {number}" for number in range(1, 7)]
        direct = self._hub.port
        for number, name in enumerate(names):
            self._hub.port = self._cable.port if number % 2 else direct
            self._site.join(name)
        self._hub.port = direct
        self._records = [self._site.record(name) for name in names]
        self._boxes = [PlayedBox(one, number) for number, one in enumerate(self._records[:4])]
        say("six boxes have joined, three of them by the cable")

    def begin(self) -> None:
        """Starts all tables, and waits until the hub has what the virtual boxes keyed."""
        for box in self._boxes:
            box.start()
        open_tables(self._browser, self._site)
        until(
            lambda: not missing(self._database, self._records[4:]), "what the virtual boxes keyed"
        )
        say("two tables are keyed by phones, two boxes by their own keys")
        draw_all(self._browser, self._site, "playing")

    def pull_the_cable(self, seconds: float) -> None:
        """Pulls the cable for `seconds`; meanwhile the hub's laptop sleeps and the database is
        restarted."""
        copied(self._records[0], self._place / "old.db")
        self._cable.pull(out=True)
        say(f"the cable of tables 2, 4 and 6 is pulled for {seconds:.0f} s")
        time.sleep(seconds / 2)
        draw_all(self._browser, self._site, "unheard", ("/",))
        os.kill(self._hub.pid, signal.SIGSTOP)
        say("the hub's laptop is closed for half a minute")
        time.sleep(30)
        os.kill(self._hub.pid, signal.SIGCONT)
        self._server.stop("fast")
        say("the database is restarted, half a minute later")
        time.sleep(30)
        self._server.start()
        time.sleep(max(0.0, seconds / 2 - 60))
        self._cable.pull(out=False)
        say("the cable is back")

    def restore_an_old_copy(self) -> None:
        """Lets table 1 go on from an older copy of its record; the organiser chooses between the
        two chains."""
        self._boxes[0].stop()
        for left in self._place.glob("Table-1.db-*"):
            left.unlink()
        shutil.copy(self._place / "old.db", self._records[0])
        self._boxes[0].start()
        say("table 1 goes on with a copy that is older")
        forked = until(lambda: bool(verify(self._database)["forks"]), "the fork")
        draw_all(self._browser, self._site, "fork", ("/", "/organiser"))
        (fork,) = verify(self._database)["forks"]
        data = str(self._hub.data)
        quietly("choose", fork["box"], str(fork["chains"][-1]), "--data", data)
        say(f"the fork was shown after {forked:.0f} s, and the organiser has chosen")
        time.sleep(20)

    def end(self) -> None:
        """Stops all boxes, and waits until the hub has each row."""
        for box in self._boxes:
            box.stop()
        for record in self._records[:4]:
            quietly("push", "--record", str(record), "--once")
        took = until(lambda: not missing(self._database, self._records), "every row at the hub")
        say(f"every row of six boxes is at the hub, {took:.0f} s after the last was keyed")
        report = verify(self._database)
        say(f"{report['rows']} rows, {len(report['chains'])} chains, well: {report['well']}")
        draw_all(self._browser, self._site, "after")

    def _close_tables(self) -> None:
        for table in (self._hub.data / "tables").glob("*/table.json"):
            if process := json.loads(table.read_text())["process"]:
                os.kill(process, signal.SIGTERM)


def main() -> None:
    """Plays the evening, and prints the outcome of each step."""
    pulled_s = float(sys.argv[1]) if len(sys.argv) > 1 else 600.0
    PICTURES.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        evening = ClubEvening(stack)
        evening.begin()
        evening.pull_the_cable(pulled_s)
        evening.restore_an_old_copy()
        evening.end()


def quietly(*words: str) -> None:
    """Runs `companion hub …` without its output; it must succeed."""
    from companion.commands.cli import main as companion

    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        status: list[int] = []
        thread = threading.Thread(target=lambda: status.append(companion(["hub", *words])))
        thread.start()
        thread.join(WAIT_S)
    assert status == [0], (words, out.getvalue())


if __name__ == "__main__":
    main()
