"""A club's hub with its pages, and tables that push their rows."""

import contextlib
import io
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from companion.app.catalog import CATALOG
from companion.commands.cli import main
from companion.core.seats import Seats
from companion.games.game import parse_entry
from companion.record.rows import GameOpened, Row, Step
from tests.club.hub.boxes import record_of
from tests.starting import HubProcess, running_hub

WORDS = ("play", "keep", "watch")


class ClubSite:
    """A running hub. `place`: the folder of its tables' records."""

    def __init__(self, hub: HubProcess, place: Path) -> None:
        self.hub, self.place = hub, place
        self.url = f"http://{hub.address}"

    def word(self, kind: str) -> str:
        """The hub's word of this `kind`: `keep` is the organiser's, `play` a judge's, `watch` a
        viewer's."""
        words: dict[str, str] = json.loads((self.hub.data / "hub.codes").read_text())
        return words[kind]

    def ask(self, name: str) -> str:
        """Makes a table request to join; returns the digits that it shows."""
        record = record_of(self.record(name), [])
        digits = output_of_hub("join", self.hub.address, "--record", str(record), "--name", name)
        assert re.fullmatch(r"\d{6}", digits), digits
        return digits

    def join(self, name: str) -> str:
        """Lets a table join; returns its identity."""
        output_of_hub("accept", self.ask(name), "--data", str(self.hub.data))
        return self.box(name)

    def box(self, name: str) -> str:
        """The identity of a table's box."""
        from companion.club.box.membership import Membership

        membership = Membership.load(self.record(name))
        assert membership is not None
        return membership.keys.identity

    def record(self, name: str) -> Path:
        """The path of the table's record."""
        return self.place / f"{name.replace(' ', '-')}.db"

    def play(
        self,
        name: str,
        text: str,
        seats: str,
        game: str = "high-five",
        number: int = 1,
        **options: str,
    ) -> None:
        """Begins a game at a table, adds these entries and pushes everything."""
        opened = GameOpened(game, Seats.of(*seats.split()), options)
        self.keep(name, [(number, opened), *entries(text, seats, game, number)])

    def say(
        self, name: str, text: str, seats: str, game: str = "high-five", number: int = 1
    ) -> None:
        """Adds more entries to a table's game and pushes everything."""
        self.keep(name, entries(text, seats, game, number))

    def keep(self, name: str, rows: list[tuple[int, Row]]) -> None:
        """Adds these rows at a table and pushes."""
        record_of(self.record(name), rows)
        self.push(name)

    def push(self, name: str) -> None:
        """Pushes what the hub doesn't have of a table."""
        output_of_hub("push", "--record", str(self.record(name)), "--once")


def entries(text: str, seats: str, game: str, number: int) -> list[tuple[int, Row]]:
    """The lines of `text`, an entry each, as rows of game `number`, whose rules are those of
    `game`."""
    order, rules = Seats.of(*seats.split()), CATALOG.rules[game]
    return [(number, Step((parse_entry(line, rules, order),))) for line in text.splitlines()]


def output_of_hub(*command: str) -> str:
    """The output of `companion hub …`, which must succeed. It runs in a thread of its own, since
    the thread of browser tests already runs an event loop."""
    out = io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(io.StringIO()),
        ThreadPoolExecutor(1) as thread,
    ):
        assert thread.submit(main, ["hub", *command]).result() == 0, command
    return out.getvalue().strip()


@contextmanager
def club_site(place: Path, *more: str) -> Iterator[ClubSite]:
    """Runs a hub called Friday Fives until the end. `more`: further arguments of its command."""
    with running_hub(place / "club", "--name", "Friday Fives", *more) as hub:
        yield ClubSite(hub, place)
