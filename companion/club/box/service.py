"""Runs a table's dealings with clubs: searching, joining, pushing and leaving. They run in a thread
of their own, so that the table never waits."""

import asyncio
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from companion.club.box.discovery import watch_for_clubs
from companion.club.box.hub_connection import ClubError, HubConnection, ask_to_join, leave
from companion.club.box.keys import identity_mark
from companion.club.box.membership import Membership
from companion.club.box.push import ClubPusher, ClubState
from companion.club.box.restore import FROM_THE_BEGINNING, make_club_offer, request_rows
from companion.core.club import Club, ClubRequest, ClubRequestKind, ClubStep, FoundClub
from companion.core.errors import EntryError, SetupError
from companion.core.words import capital, phrase
from companion.games.game import AnyGame
from companion.record.copies.restore import Offer, has_games
from companion.record.store.database import StoreError
from companion.record.store.reader import Reader

SEARCH_S: Final = 60.0
"""Seconds that a search for clubs lasts."""
ANSWER_CHECK_S: Final = 0.3
"""Seconds between two checks whether an offer was answered."""
END_S: Final = 0.2
"""Seconds after which a task that hasn't ended is cancelled again."""
REPORT_EVERY_S: Final = 20.0
"""Seconds between two reports of the state while the hub can't be reached."""


class ClubService:
    """Searches for clubs, joins, pushes and leaves, all for one record. In the service's thread it
    calls `on_state` with each new state, `on_message` with each message that the hub sends unasked,
    and `log` with lines for a log. It calls `offer` with the games that the club has if the record
    has none."""

    def __init__(
        self,
        record: Path,
        games: Mapping[str, AnyGame],
        on_state: Callable[[Club], None],
        *,
        on_message: Callable[[dict[str, Any]], None] = lambda _: None,
        log: Callable[[str], None] = lambda _: None,
        offer: Callable[[Offer], None] = lambda _: None,
    ) -> None:
        self._record, self._games = record, games
        self._on_state, self._on_message, self._log = on_state, on_message, log
        self._offer, self._has_offered = offer, False
        self._club = Club()
        self._membership: Membership | None = None
        self._pusher: ClubPusher | None = None
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._requests: asyncio.Queue[ClubRequest | None] = asyncio.Queue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._clock: Callable[[], float] = float

    # ------------------------------------------------------------ from other threads

    def ask(self, request: ClubRequest | None) -> None:
        """Passes a request to the service; None ends the service. Any thread may call it once `run`
        has begun."""
        self._schedule(self._requests.put_nowait, request)

    def wake(self) -> None:
        """Notifies the service that a row was added. Any thread may call it."""
        self._schedule(self._row_added)

    def _schedule(self, do: Callable[..., object], *arguments: object) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # it is over
                self._loop.call_soon_threadsafe(do, *arguments)

    # ------------------------------------------------------------ in its own thread

    async def run(self, first: list[ClubRequest], card: str = "") -> None:
        """Pushes to the club that the box has joined, and fulfils requests until it is ended.
        `first`: requests that were made before this call. `card`: the address of the club in the
        card's settings, which the box joins if it has never joined any."""
        self._loop = asyncio.get_running_loop()
        self._clock = self._loop.time
        try:
            self._membership = Membership.load(self._record)
            if self._membership is not None and self._membership.is_joined:
                self._start_pushing(ClubStep.JOINED)
            elif card and self._membership is None:
                first = [*first, ClubRequest(ClubRequestKind.JOIN, card)]
        except SetupError as error:
            self._set_club(Club(why=str(error)))
        for one in first:
            self._requests.put_nowait(one)
        while (request := await self._requests.get()) is not None:
            try:
                await self._handle(request)
            except (SetupError, StoreError, EntryError) as error:
                self._set_club(Club(why=str(error)))
        for name in [*self._tasks]:
            await self._end_task(name)

    async def _handle(self, request: ClubRequest) -> None:
        match request.kind:
            case ClubRequestKind.LOOK:
                await self._end_task("look")
                self._start_task("look", self._search())
            case ClubRequestKind.JOIN:
                for name in ("look", "join", "push", "tick"):
                    await self._end_task(name)
                self._start_task("join", self._join(request.address, by_phone=request.by_phone))
            case ClubRequestKind.LEAVE:
                for name in [*self._tasks]:
                    await self._end_task(name)
                if self._membership is not None and self._membership.is_joined:
                    name = self._membership.club_name
                    self._set_club(replace(self._club, step=ClubStep.ASKING))
                    not_said = await leave(self._record, self._games, self._membership)
                    self._membership = Membership.load(self._record)
                    if not_said:
                        self._log(f"{name} was left, and not told so: {not_said}")
                self._set_club(Club())

    def _start_task(self, name: str, work: Any) -> None:
        self._tasks[name] = asyncio.create_task(work)

    async def _end_task(self, name: str) -> None:
        """Ends the task of that name. Cancelling once may not be enough: before Python 3.12,
        wait_for loses a cancellation that comes just as its wait is over."""
        task = self._tasks.pop(name, None)
        while task is not None and not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=END_S)

    async def _search(self) -> None:
        """Searches for clubs for SEARCH_S seconds and adds them to the state. Does nothing if the
        box has joined one."""

        def on_clubs_found(clubs: tuple[FoundClub, ...]) -> None:
            self._set_club(replace(self._club, found=clubs))

        if self._membership is not None and self._membership.is_joined:
            return
        self._set_club(Club(ClubStep.LOOKING))
        try:
            await asyncio.wait_for(watch_for_clubs(on_clubs_found), SEARCH_S)
        except TimeoutError:
            pass
        except ImportError:
            self._set_club(Club(why=phrase("Type the address: python3-zeroconf is missing.")))
        except OSError:
            self._set_club(Club(why=phrase("There is no network.")))

    async def _join(self, address: str, *, by_phone: bool) -> None:
        self._set_club(Club(ClubStep.ASKING))
        try:
            self._membership, digits = await ask_to_join(
                self._record, self._games, address, by_phone=by_phone
            )
        except EntryError as error:
            self._set_club(Club(why=capital(error.why)))
            return
        except (ClubError, SetupError, StoreError, OSError, ValueError) as error:
            self._set_club(Club(why=_as_sentence(str(error))))
            return
        self._start_pushing(ClubStep.COMPARING, digits)

    # ------------------------------------------------------------ pushing

    def _start_pushing(self, step: ClubStep, digits: str = "") -> None:
        assert self._membership is not None, "it was joined"
        called = self._membership.box_name if step is ClubStep.JOINED else None
        name, mark = self._membership.club_name, identity_mark(self._membership.keys.identity)
        self._set_club(Club(step, name, digits=digits, called=called, mark=mark))
        pusher = ClubPusher(
            self._record,
            self._membership,
            self._games,
            on_state=self._log_and_report,
            on_message=self._on_message,
            on_membership=self._membership_changed,
        )
        self._pusher = pusher
        pusher.before_push = self._offer_rows_of_club
        self._start_task("push", pusher.run())
        self._start_task("tick", self._keep_reporting())

    async def _offer_rows_of_club(self, connection: HubConnection) -> None:
        """If the record has no games, offers to restore those that the club has of this box.
        Nothing is pushed until the offer is answered."""
        if self._has_offered or has_games(self._record):
            return
        links = await request_rows(connection, FROM_THE_BEGINNING)
        self._has_offered = True
        if not any(link.game for link in links):
            return
        try:
            offer = make_club_offer(self._record, links, self._club.name)
        except (OSError, sqlite3.Error, StoreError) as error:
            self._log(f"What the club has of this box can't be offered: {error}")
            return
        if offer is None:
            return
        self._offer(offer)
        while offer.path(self._record).exists() and not has_games(self._record):
            await asyncio.sleep(ANSWER_CHECK_S)
        if has_games(self._record) and self._membership is not None and self._pusher is not None:
            # The games came from the club, so all rows belong to the club again.
            self._membership = replace(self._membership, joined=((0, None),))
            self._membership.save(self._record)
            self._pusher.restart_with(self._membership)

    def _log_and_report(self, state: ClubState) -> None:
        self._log(state.why or f"{state.club} has all rows.")
        self._report_state(state)

    def _membership_changed(self, membership: Membership) -> None:
        self._membership = membership
        if self._club.step is ClubStep.JOINED:
            self._set_club(replace(self._club, called=membership.box_name))

    def _row_added(self) -> None:
        if self._pusher is not None:
            self._pusher.wake()

    async def _keep_reporting(self) -> None:
        """Reports the state regularly while the hub can't be reached, so that the minutes shown for
        this keep counting."""
        while True:
            await asyncio.sleep(REPORT_EVERY_S)
            if self._pusher is not None and not self._pusher.state.reached:
                self._report_state(self._pusher.state)

    def _report_state(self, state: ClubState) -> None:
        """Reports the state of the connection to the club that the box has joined."""
        step, digits = ClubStep.JOINED, ""
        if state.refused:
            step = ClubStep.ENDED
            if state.code == "aside" and self._membership is not None:
                self._membership = replace(self._membership, aside=True)
                self._membership.save(self._record)
        elif not state.reached and self._club.step is ClubStep.COMPARING:
            step, digits = ClubStep.COMPARING, self._club.digits
        heard = state.heard_at
        minutes = None if heard is None else int((self._clock() - heard) / 60)
        self._set_club(
            Club(
                step,
                state.club,
                digits=digits,
                why=_as_sentence(state.why) if state.refused else "",
                called=self._membership.box_name if self._membership and not digits else None,
                reached=state.reached,
                minutes=0 if state.reached else minutes,
                waiting=0 if state.reached else self._rows_waiting(),
                mark=identity_mark(self._membership.keys.identity) if self._membership else "",
            )
        )

    def _rows_waiting(self) -> int | None:
        """The number of rows that the hub doesn't have yet; None if unknown, such as before its
        first confirmation after the start."""
        known = self._pusher.acknowledged if self._pusher else 0
        if not known:
            return None
        with suppress(StoreError), Reader.open(self._record, self._games) as reader:
            return max(reader.last_row() - known, 0)
        return None

    def _set_club(self, club: Club) -> None:
        if club != self._club:
            self._club = club
            self._on_state(club)


def _as_sentence(line: str) -> str:
    """Returns the line as a sentence for a display, with a capital letter and a full stop."""
    return f"{line[:1].upper()}{line[1:]}" + ("" if line[-1:] in ".!?" else ".")
