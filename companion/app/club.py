"""The table's connection to its club (club/box/service.py), loaded only once the box has joined a
club, or somebody searches for one."""

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from companion.app.background import log
from companion.core.club import (
    Club,
    ClubRequest,
    ClubStep,
    GivenSeats,
    HallCalls,
    JudgeRuling,
    NoSeats,
    RoundClock,
)
from companion.core.threads import NamedThread
from companion.core.values import Json
from companion.core.words import phrase
from companion.games.game import AnyGame
from companion.record.store.store import Store
from companion.table.events import BackgroundNotice, FromClub

if TYPE_CHECKING:
    from companion.club.box.membership import Membership
    from companion.club.box.service import ClubService

LONGEST_LINE: Final = 120
"""The most characters shown of a line from a club's hub."""


class BoxClub:
    """The box's connection to its club, for the record that the table writes.

    `put` is called with the state of the connection, with lines for the people at the table, and
    with what the club sends. All methods may be called from any thread. `card`: the address of the
    club that a flashed card names; the box joins it if it has never joined a club."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, AnyGame],
        put: Callable[[FromClub], None],
        card: str = "",
    ) -> None:
        self._store, self._games, self._put, self._card = store, games, put, card
        self._club = Club()
        self._service: ClubService | None = None
        self._asked: list[ClubRequest] | None = []
        """The requests made before the service runs; None once it runs."""
        self._lock = Lock()
        self._thread = NamedThread("club", self._run)

    def start(self) -> None:
        """Starts the connection, if the box has a club. Call it after `start_copying`, as both set
        a callback for new rows."""
        self._put(Club())
        if self._card or joined_file(self._store.path).exists():
            self._thread.start()

    def ask(self, request: ClubRequest) -> None:
        """Queues a request for the club. Returns at once."""
        with self._lock:
            if self._asked is not None:
                self._asked.append(request)
                if not self._thread.is_alive():
                    self._thread = NamedThread("club", self._run)
                    self._thread.start()
                return
        assert self._service is not None, "it runs"
        self._service.ask(request)

    def stop(self, wait_s: float = 1.0) -> None:
        """Ends the service, waiting at most `wait_s` seconds; an unfinished push is resumed at the
        next start."""
        if self._service is not None:
            self._service.ask(None)
        if self._thread.is_alive():
            self._thread.join(wait_s)

    def _run(self) -> None:
        try:
            import asyncio

            from companion.club.box.service import ClubService
        except ImportError as error:
            with self._lock:
                self._asked = []
            missing = phrase("It needs python3-{library}.", library=error.name or "cryptography")
            log(f"Nothing is pushed to the club: {missing}")
            self._put(Club(ClubStep.NONE, why=missing))
            return
        self._service = ClubService(
            self._store.path,
            self._games,
            self._tell,
            on_message=self._handle_message,
            log=log,
            offer=self._put,
        )
        self._wake_on_rows(self._service)

        async def run(service: "ClubService") -> None:
            with self._lock:
                first, self._asked = self._asked or [], None
            await service.run(first, self._card)

        asyncio.run(run(self._service))

    def _wake_on_rows(self, service: "ClubService") -> None:
        before = self._store.on_kept

        def kept() -> None:
            before()
            service.wake()

        self._store.on_kept = kept

    def _tell(self, club: Club) -> None:
        """Passes on the state of the connection. Shows a line at the table only if the club has
        ended the connection, because only then do people have to act."""
        ended = club.step is ClubStep.ENDED and self._club.step is not ClubStep.ENDED
        self._club = club
        self._put(club)
        if ended:
            self._put(BackgroundNotice(f"{club.name}: {club.why}"))

    def _handle_message(self, message: Json) -> None:
        if (given := GivenSeats.read(message.get("seats"))) is not None:
            self._put(given)
        elif "seats" in message and message["seats"] is None:
            self._put(NoSeats())
        if (clock := RoundClock.read(message.get("clock"))) is not None:
            self._put(clock)
        if (calls := HallCalls.read(message.get("announced"))) is not None:
            self._put(calls)
        if (ruling := JudgeRuling.read(message.get("ruling"))) is not None:
            self._put(ruling)
        if isinstance(line := message.get("line"), str) and line.isprintable():
            self._put(BackgroundNotice(line[:LONGEST_LINE]))


def joined_file(record: Path) -> Path:
    """Returns the path of the file, beside a record, that stores the club that the box has joined
    (club/box/membership.py)."""
    return record.with_suffix(".club")


def membership_of(record: Path) -> "Membership | None":
    """Returns the box's membership of a club, stored beside the record; None if the box never
    joined one, in which case no library for clubs is loaded. Raises SetupError."""
    if not joined_file(record).exists():
        return None
    from companion.club.box.membership import Membership

    return Membership.load(record)
