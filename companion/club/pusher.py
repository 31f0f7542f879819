"""The part of a running table that pushes its rows to the club, in a thread of its own. The table
never waits for it: whenever a row was added, it reads the record as any other program does."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from companion.club.line import PATIENCE_S, ClubError, ClubLine
from companion.club.membership import Membership
from companion.club.push import RecordPush
from companion.core.club import BoxName
from companion.core.errors import EntryError, SetupError
from companion.core.threads import NamedThread
from companion.games.game import AnyGame
from companion.record.store.faults import StoreError

FIRST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 60.0
"""Seconds between tries while the club can't be reached; each pause is twice the one before."""
WAITING_PAUSE_S: Final = 2.0
"""Seconds between tries while the organiser has not accepted the box yet."""


@dataclass(frozen=True, slots=True)
class ClubState:
    """The state of the box's connection to its club. `reached`: it is connected, and the club has
    all rows. `heard_at`: when the club was last heard, in monotonic seconds (None: not since the
    start). `why`: what is wrong, in a line. `refused`: trying again doesn't help. `code`: that of
    the ClubError."""

    club: str
    reached: bool = False
    heard_at: float | None = None
    why: str = ""
    refused: bool = False
    code: str = ""


class ClubPusher:
    """Pushes a record to its club from `start` to `stop`; any thread may `wake` it after a row was
    added. In the pusher's thread it calls `changed` with each new state, `said` with each message
    that the hub sends by itself, and `moved` with the new membership if the club's other hubs, or
    the box's name or number, have changed. When a hub is gone, the pusher goes on to the next."""

    def __init__(
        self,
        record: Path,
        membership: Membership,
        games: Mapping[str, AnyGame],
        *,
        changed: Callable[[ClubState], None] = lambda _: None,
        said: Callable[[dict[str, Any]], None] = lambda _: None,
        moved: Callable[[Membership], None] = lambda _: None,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._record, self._games = record, games
        self._membership, self._changed, self._said = membership, changed, said
        self._moved = moved
        self._at = self._failed = 0
        self.before_push: Callable[[ClubLine], Awaitable[None]] | None = None
        """Called with each new connection, and awaited, before anything is pushed."""
        self._patience_s = patience_s
        self._push = RecordPush(record, membership, games)
        self.state = ClubState(membership.club_name)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._news: asyncio.Event | None = None
        self._over = False
        self._thread = NamedThread("club", lambda: asyncio.run(self.run()))

    @property
    def acknowledged(self) -> int:
        """The number of the newest row that the club has signed for since the start; 0: none."""
        return self._push.acknowledged.seq

    def begin_anew(self, membership: Membership) -> None:
        """Pushes from now on as if the record at the same path were a new one, with this
        membership."""
        self._membership = membership
        self._push = RecordPush(self._record, membership, self._games)

    def start(self) -> None:
        """Begins to push."""
        self._thread.start()

    def wake(self) -> None:
        """Tells the pusher that a row was added. Returns at once; any thread may call it."""
        loop, news = self._loop, self._news
        if loop is not None and news is not None:
            with suppress(RuntimeError):  # it is over
                loop.call_soon_threadsafe(news.set)

    def stop(self, wait_s: float = 1.0) -> None:
        """Ends the pushing, and waits up to `wait_s` seconds for it; an unfinished push is done the
        next time."""
        self._over = True
        self.wake()
        if self._thread.is_alive():
            self._thread.join(wait_s)

    async def run(self) -> None:
        """Pushes until it is told to stop, or refused for good."""
        self._loop, self._news = asyncio.get_running_loop(), asyncio.Event()
        pause = FIRST_PAUSE_S
        while not self._over and not self.state.refused:
            try:
                async with ClubLine.open(self._there(), self._patience_s) as line:
                    pause = FIRST_PAUSE_S
                    await self._push_on(line)
            except ClubError as error:
                if error.code == "waiting":  # somebody looks at both displays
                    pause = min(pause, WAITING_PAUSE_S)
                if self._has_gone_on(error):
                    continue
                elsewhere = error.code == "club" and bool(self._membership.others)
                refused = not error.passes and not elsewhere
                self._tell(reached=False, why=str(error), refused=refused, code=error.code)
            except (StoreError, EntryError, OSError, TimeoutError) as error:
                self._tell(reached=False, why=str(error))
            if not self._over:
                with suppress(TimeoutError):
                    await asyncio.wait_for(asyncio.Event().wait(), pause)
                pause = min(pause * 2, LONGEST_PAUSE_S)

    def _there(self) -> Membership:
        """The membership with the address of the hub whose turn it is."""
        addresses = self._membership.addresses
        return self._membership.at(addresses[self._at % len(addresses)])

    def _has_gone_on(self, error: ClubError) -> bool:
        """Turns to the club's next hub if this one is gone or is another club's by now. Returns
        whether to try it at once: False if there is none or if each was tried once in vain, for a
        pause."""
        many = len(self._membership.addresses)
        if many == 1 or error.code not in ("away", "club"):
            return False
        self._at = (self._at + 1) % many
        self._failed += 1
        return bool(self._failed % many)

    def _hear(self, found: dict[str, Any]) -> None:
        """Takes a message that the hub sent by itself: notes the addresses of other hubs and what
        the box is called, passes on all else."""
        if (called := BoxName.read(found.get("called"))) is not None:
            self._note(self._membership.with_name(called))
            return
        if "hubs" not in found:
            self._said(found)
            return
        here = self._there().address
        with suppress(EntryError, SetupError):
            self._note(self._membership.with_hubs(found["hubs"]))
        if here in self._membership.addresses:
            self._at = self._membership.addresses.index(here)

    def _note(self, new: Membership) -> None:
        """Keeps what the membership has become. That it can't be written stops nothing: the hub
        says it again."""
        if new != self._membership:
            self._membership = new
            self._moved(new)
            with suppress(SetupError):
                new.save(self._record)

    async def _push_on(self, line: ClubLine) -> None:
        """Pushes whenever a row was added, as long as the connection holds."""
        assert self._news is not None, "it runs"
        self._failed = 0
        if self.before_push is not None:
            await self.before_push(line)
        while not self._over:
            self._news.clear()
            await self._push.push(line)
            self._tell(reached=True, why="")
            while line.said:
                self._hear(line.said.pop(0))
            await self._wait(line)

    async def _wait(self, line: ClubLine) -> None:
        """Waits until a row was added; meanwhile takes messages that the hub sends by itself."""
        assert self._news is not None, "it runs"
        news = asyncio.create_task(self._news.wait())
        try:
            while not news.done():
                if (found := await line.hear_until(news)) is not None:
                    self._hear(found)
        finally:
            news.cancel()

    def _tell(self, *, reached: bool, why: str, refused: bool = False, code: str = "") -> None:
        heard_at = time.monotonic() if reached else self.state.heard_at
        new = ClubState(self.state.club, reached, heard_at, why, refused, code)
        same = (new.reached, new.why) == (self.state.reached, self.state.why)
        self.state = new
        if not same:
            self._changed(new)
