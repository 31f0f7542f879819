"""Pushes to the club all rows of a record that its hub lacks.

The record is only read. If an answer is lost, the box asks the hub which rows it has, and doesn't
push those again. A running table pushes in a thread of its own and never waits for it: whenever a
row was added, the thread reads the record as any other program does.
"""

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from companion.club.box.hub_connection import PATIENCE_S, ClubError, HubConnection
from companion.club.box.keys import BOX_SEAL, CLUB_SEAL, SIGNATURE_BYTES, Head
from companion.club.box.membership import Membership
from companion.club.box.protocol import BATCH_TEXT, ROWS_AT_ONCE, PushedRow, read_hash, read_place
from companion.core.club import BoxName
from companion.core.errors import EntryError, SetupError
from companion.core.json_text import ROWS, is_whole
from companion.core.threads import NamedThread
from companion.core.values import dataclass
from companion.games.game import AnyGame
from companion.record.people.people import PEOPLE_KINDS
from companion.record.rows import (
    GameOpened,
    PeopleReplaced,
    PlayerHidden,
    PlayerRenamed,
    Redo,
    RowsLost,
    Undo,
    decode_row,
)
from companion.record.store.chain import ChainBreak
from companion.record.store.database import START, ChainLink, StoreError
from companion.record.store.reader import Reader

# ---------------------------------------------------------------- rows that are shared
# Decides which rows of a record go to the club whole, and which only as a number and two hashes.
#
# Whole rows are those of games opened while the box was a member, rows about people who play in one
# of these games, and the rows `forgotten` and `lost`. Everything else is private (docs/hub.md).


NAMING = ('"kind": "opened"', '"kind": "people"')
"""Every row that names the players at a table contains one of these."""


class SharedRows:
    """Decides which rows of a record the club gets with their content. Call `read_new_rows` before
    each push, since a later row may be the reason why the club gets the content of an earlier
    one."""

    def __init__(self, membership: Membership) -> None:
        self._membership = membership
        self._games: dict[int, bool] = {}
        self._names: set[str] = set()
        self._read_to = min((first for first, _ in membership.joined), default=0)
        self._whole: dict[int, ChainLink] = {}
        """The rows about people that the club gets with their content, by number."""
        self.lost: list[tuple[ChainLink, RowsLost]] = []
        """The rows that declare rows of the record lost."""

    def read_new_rows(self, record: Reader) -> None:
        """Reads the rows that were added since the last call. Raises StoreError."""
        for item in record.walk(self._read_to + 1):
            if isinstance(item, ChainLink):
                self._note_players(item)
                self._read_to = item.seq
        self._whole = {link.seq: link for link in self._people_rows(record)}
        self.lost = []
        for link in record.box_links("lost"):
            with suppress(EntryError):
                row = decode_row(link.row)
                if isinstance(row, RowsLost):
                    self.lost.append((link, row))

    def row_to_push(self, link: ChainLink, record: Reader) -> PushedRow:
        """Returns the row in the form in which it is pushed to the club. Raises StoreError."""
        return PushedRow.from_link(link, whole=self._is_shared_row(link, record))

    def newly_shared_rows(self, last: int) -> list[ChainLink]:
        """The rows about people whose content the club gets, up to row number `last`."""
        return [link for seq, link in self._whole.items() if seq <= last]

    def _note_players(self, link: ChainLink) -> None:
        """Notes the names of the players if the row seats them in a game that goes to the club."""
        if not link.game or not any(kind in link.row for kind in NAMING):
            return
        if self._games.setdefault(link.game, self._membership.is_shared(link.seq)):
            with suppress(EntryError):  # a newer version wrote it, so its players are unknown here
                row = decode_row(link.row)
                if isinstance(row, GameOpened | PeopleReplaced):
                    self._names |= {*row.seats}

    def _is_shared_row(self, link: ChainLink, record: Reader) -> bool:
        if link.game:
            if link.game not in self._games:
                first = record.query("SELECT min(seq) FROM record WHERE game = ?", link.game)[0][0]
                self._games[link.game] = self._membership.is_shared(int(first or 0))
            return self._games[link.game]
        if link.seq in self._whole:
            return True
        return '"kind": "forgotten"' in link.row or '"kind": "lost"' in link.row

    def _people_rows(self, record: Reader) -> Iterator[ChainLink]:
        """The rows that rename or hide people of the club's games, with the rows that undo or redo
        them."""
        names, changes = set(self._names), list(_people_changes(record))
        size = -1
        while size != len(names):  # a renamed player may have been renamed again
            size = len(names)
            for _, change in changes:
                if isinstance(change, PlayerRenamed) and {change.name, change.to} & names:
                    names |= {change.name, change.to}
        for links, change in changes:
            if change.name in names or (isinstance(change, PlayerRenamed) and change.to in names):
                yield from links


def _people_changes(
    record: Reader,
) -> Iterator[tuple[list[ChainLink], PlayerRenamed | PlayerHidden]]:
    """Yields each renaming or hiding of people, with its own row and the rows that undid or redid
    it, in the order of people.changes_of."""
    found: list[tuple[list[ChainLink], PlayerRenamed | PlayerHidden]] = []
    done: list[int] = []
    undone: list[int] = []
    for link in record.box_links(*PEOPLE_KINDS):
        with suppress(EntryError):
            match decode_row(link.row):
                case (PlayerRenamed() | PlayerHidden()) as change:
                    found.append(([link], change))
                    done.append(len(found) - 1)
                    undone = []
                case Undo() if done:
                    undone.append(done.pop())
                    found[undone[-1]][0].append(link)
                case Redo() if undone:
                    done.append(undone.pop())
                    found[done[-1]][0].append(link)
    yield from found


# ---------------------------------------------------------------- push

_RECORD_START: Final = Head(0, START)
MOST_WANTS: Final = 5
"""The most times in succession that a hub may ask again for rows that it was just sent."""


@dataclass(slots=True)
class PushResult:
    """The newest row that the hub has, and how many new rows it has taken in this push."""

    head: Head = _RECORD_START
    rows: int = 0


class RecordPush:
    """Pushes the record at `path`. `most`: the maximum number of rows in a batch, which is halved
    whenever the connection fails."""

    def __init__(self, path: Path, membership: Membership, games: Mapping[str, AnyGame]) -> None:
        self._path, self._membership, self._games = path, membership, games
        self._shared = SharedRows(membership)
        self._opened: set[int] = set()
        self.most = ROWS_AT_ONCE
        self.acknowledged = _RECORD_START
        """The newest row that the club has signed for since this pusher began."""

    async def push(self, connection: HubConnection) -> PushResult:
        """Pushes all rows that the hub doesn't have. Raises ClubError, and StoreError if the record
        can't be read."""
        done = PushResult()
        for _ in range(MOST_WANTS):
            try:
                with Reader.open(self._path, self._games) as record:
                    self._shared.read_new_rows(record)
                    done.head, hub_has = await self._find_start(connection, record)
                    await self._send_opened_rows(connection, hub_has)
                    if await self._push_after(connection, record, done):
                        return done
            except ClubError:
                self.most = max(self.most // 2, 1)
                raise
            except sqlite3.Error as error:
                raise StoreError("{path} can't be read", path=self._path) from error
        raise ClubError("the hub asks for the same rows again and again: look at its messages")

    async def _find_start(self, connection: HubConnection, record: Reader) -> tuple[Head, int]:
        """Returns the newest row that both the record and the hub have, after which to push, and
        the number of the hub's newest row. If they have no row in common, returns the start of the
        record and 0."""
        known = self.acknowledged
        first = [known] if record.hash_of(known.seq) == known.hash else []
        where = [[one.seq, one.hash.hex()] for one in (*first, *_sample_rows(record))]
        found = await connection.request({"where": where}, "at")
        if found["at"] is None:
            return _RECORD_START, 0
        return Head(*read_place(found["at"])), read_place(found.get("head"))[0]

    async def _send_opened_rows(self, connection: HubConnection, hub_has: int) -> None:
        """Sends the content of rows that were private when pushed and now concern people in the
        club's games, before those games are pushed."""
        opened = [
            one for one in self._shared.newly_shared_rows(hub_has) if one.seq not in self._opened
        ]
        for at in range(0, len(opened), ROWS_AT_ONCE):
            part = opened[at : at + ROWS_AT_ONCE]
            rows = [PushedRow.from_link(link, whole=True).json for link in part]
            await connection.request({"open": rows}, "opened")
            self._opened |= {link.seq for link in part}

    async def _push_after(
        self, connection: HubConnection, record: Reader, done: PushResult
    ) -> bool:
        """Pushes the rows that follow `done.head`. Returns False if the hub wants other rows
        first."""
        for rows, lost in self._batches(record, done.head):
            head = Head(rows[-1].seq, rows[-1].hash)
            message = self._batch_message(rows, lost, done.head, head)
            found = await connection.request(message, "have", "want")
            if "want" in found:
                return False
            self._check_acknowledgement(found, head)
            added = found.get("added")
            done.head = self.acknowledged = head
            done.rows += added if is_whole(added, ROWS) else 0
            self.most = min(self.most * 2, ROWS_AT_ONCE)
        return True

    def _batch_message(
        self, rows: list[PushedRow], lost: ChainLink | None, after: Head, head: Head
    ) -> dict[str, Any]:
        mine, club = self._membership.keys, self._membership.club_identity
        message: dict[str, Any] = {
            "after": [after.seq, after.hash.hex()],
            "rows": [row.json for row in rows],
            "seal": head.make_seal(mine, BOX_SEAL, club, mine.identity).hex(),
        }
        if lost is not None:
            message["lost"] = PushedRow.from_link(lost, whole=True).json
        return message

    def _check_acknowledgement(self, found: dict[str, Any], head: Head) -> None:
        """Raises ClubError unless the club has signed that it has the rows up to `head`."""
        box, club = self._membership.keys.identity, self._membership.club
        seal = read_hash(found.get("seal"), SIGNATURE_BYTES)
        signed = head.has_valid_seal(club, seal, CLUB_SEAL, self._membership.club_identity, box)
        if Head(*read_place(found["have"])) != head or not signed:
            raise ClubError("the hub acknowledges other rows than it was sent", "malformed")

    def _batches(
        self, record: Reader, after: Head
    ) -> Iterator[tuple[list[PushedRow], ChainLink | None]]:
        """Yields the rows that follow `after`, in batches. Each batch has at most one gap, and
        comes with the `lost` row that records it (None if it has no gap). Raises StoreError if no
        row records a gap."""
        rows, lost, size = list[PushedRow](), None, 0
        for item in record.walk(after.seq + 1):
            if isinstance(item, ChainBreak):
                if (found := self._find_declaration(item)) is None:
                    if rows:
                        yield rows, lost
                    raise StoreError("{what}: start the table once, it mends that", what=str(item))
                if lost is not None and rows:  # a batch may have only one gap
                    yield rows, lost
                    rows, size = [], 0
                lost = found
                continue
            row = self._shared.row_to_push(item, record)
            length = len(row.row or "") + len(row.source or "") + 300
            if rows and (len(rows) >= self.most or size + length > BATCH_TEXT):
                yield rows, lost
                rows, lost, size = [], None, 0
            rows.append(row)
            size += length
        if rows:
            yield rows, lost

    def _find_declaration(self, missing: ChainBreak) -> ChainLink | None:
        """The row of the record that declares the missing rows lost; None if no row does."""
        for link, lost in self._shared.lost:
            for gap in lost.gaps:
                last = link.seq - 1 if gap.last is None else gap.last
                if gap.first <= missing.first and missing.last <= last:
                    return link
        return None


def _sample_rows(record: Reader) -> Iterator[Head]:
    """Yields rows of the record, newest first, at growing distances. The hub answers with the
    newest of them that it has, so at most about as many rows are sent twice as are new."""
    seq, apart = record.last_row(), 1
    while seq > 0:
        if (own := record.hash_of(seq)) is not None:
            yield Head(seq, own)
        seq, apart = seq - apart, apart * 2
    if (own := record.hash_of(1)) is not None:
        yield Head(1, own)


FIRST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 60.0
"""The longest pause in seconds between tries while the club can't be reached; each pause is twice
the one before."""
WAITING_PAUSE_S: Final = 2.0
"""Seconds between tries while the organiser has not accepted the box yet."""


@dataclass(frozen=True, slots=True)
class ClubState:
    """The state of the box's connection to its club. `reached`: it is connected, and the club has
    all rows. `heard_at`: when the club was last heard, in monotonic seconds (None: not since the
    start). `why`: what is wrong, in a line. `refused`: trying again doesn't help. `code`: the code
    of the ClubError."""

    club: str
    reached: bool = False
    heard_at: float | None = None
    why: str = ""
    refused: bool = False
    code: str = ""


class ClubPusher:
    """Pushes a record to its club from `start` to `stop`; any thread may `wake` it after a row was
    added. In the pusher's thread it calls `on_state` with each new state, `on_message` with each
    message that the hub sends unasked, and `on_membership` with the new membership if the club's
    other hubs, or the box's name or number, have changed. When a hub can't be reached, the pusher
    goes on to the next."""

    def __init__(
        self,
        record: Path,
        membership: Membership,
        games: Mapping[str, AnyGame],
        *,
        on_state: Callable[[ClubState], None] = lambda _: None,
        on_message: Callable[[dict[str, Any]], None] = lambda _: None,
        on_membership: Callable[[Membership], None] = lambda _: None,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._record, self._games = record, games
        self._membership, self._on_state, self._on_message = membership, on_state, on_message
        self._on_membership = on_membership
        self._address_index = self._failed = 0
        self.before_push: Callable[[HubConnection], Awaitable[None]] | None = None
        """Called with each new connection, and awaited, before anything is pushed."""
        self._patience_s = patience_s
        self._push = RecordPush(record, membership, games)
        self.state = ClubState(membership.club_name)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._new_rows: asyncio.Event | None = None
        self._stopped = False
        self._thread = NamedThread("club", lambda: asyncio.run(self.run()))

    @property
    def acknowledged(self) -> int:
        """The number of the newest row that the club has signed for since the start; 0: none."""
        return self._push.acknowledged.seq

    def restart_with(self, membership: Membership) -> None:
        """From now on pushes with this membership, as if the record at the same path were a new
        one."""
        self._membership = membership
        self._push = RecordPush(self._record, membership, self._games)

    def start(self) -> None:
        """Begins to push."""
        self._thread.start()

    def wake(self) -> None:
        """Notifies the pusher that a row was added. Returns at once; any thread may call it."""
        loop, news = self._loop, self._new_rows
        if loop is not None and news is not None:
            with suppress(RuntimeError):  # it is over
                loop.call_soon_threadsafe(news.set)

    def stop(self, wait_s: float = 1.0) -> None:
        """Stops pushing, and waits up to `wait_s` seconds for the thread; an unfinished push is
        repeated next time."""
        self._stopped = True
        self.wake()
        if self._thread.is_alive():
            self._thread.join(wait_s)

    async def run(self) -> None:
        """Pushes until it is stopped, or refused for good."""
        self._loop, self._new_rows = asyncio.get_running_loop(), asyncio.Event()
        pause = FIRST_PAUSE_S
        while not self._stopped and not self.state.refused:
            try:
                async with HubConnection.open(
                    self._current_membership(), self._patience_s
                ) as connection:
                    pause = FIRST_PAUSE_S
                    await self._push_until_stopped(connection)
            except ClubError as error:
                if error.code == "waiting":  # people are comparing the two displays
                    pause = min(pause, WAITING_PAUSE_S)
                if self._try_next_address(error):
                    continue
                elsewhere = error.code == "club" and bool(self._membership.others)
                refused = not error.is_temporary and not elsewhere
                self._report(reached=False, why=str(error), refused=refused, code=error.code)
            except (StoreError, EntryError, OSError, TimeoutError) as error:
                self._report(reached=False, why=str(error))
            if not self._stopped:
                with suppress(TimeoutError):
                    await asyncio.wait_for(asyncio.Event().wait(), pause)
                pause = min(pause * 2, LONGEST_PAUSE_S)

    def _current_membership(self) -> Membership:
        """The membership, with the address of the hub that is being tried now."""
        addresses = self._membership.addresses
        return self._membership.at_address(addresses[self._address_index % len(addresses)])

    def _try_next_address(self, error: ClubError) -> bool:
        """Switches to the club's next hub if this one is gone or now belongs to another club.
        Returns whether to try it without a pause: False if there is no other hub, or if each was
        tried once."""
        many = len(self._membership.addresses)
        if many == 1 or error.code not in ("away", "club"):
            return False
        self._address_index = (self._address_index + 1) % many
        self._failed += 1
        return bool(self._failed % many)

    def _handle_message(self, found: dict[str, Any]) -> None:
        """Handles a message that the hub sent unasked: saves other hubs' addresses and the box's
        name, and passes on everything else."""
        if (called := BoxName.read(found.get("called"))) is not None:
            self._save_membership(self._membership.with_name(called))
            return
        if "hubs" not in found:
            self._on_message(found)
            return
        here = self._current_membership().address
        with suppress(EntryError, SetupError):
            self._save_membership(self._membership.with_hubs(found["hubs"]))
        if here in self._membership.addresses:
            self._address_index = self._membership.addresses.index(here)

    def _save_membership(self, new: Membership) -> None:
        """Saves the changed membership. A failed write is ignored, as the hub sends the change
        again."""
        if new != self._membership:
            self._membership = new
            self._on_membership(new)
            with suppress(SetupError):
                new.save(self._record)

    async def _push_until_stopped(self, connection: HubConnection) -> None:
        """Pushes whenever a row is added, as long as the connection lasts."""
        assert self._new_rows is not None, "it runs"
        self._failed = 0
        if self.before_push is not None:
            await self.before_push(connection)
        while not self._stopped:
            self._new_rows.clear()
            await self._push.push(connection)
            self._report(reached=True, why="")
            while connection.unsolicited:
                self._handle_message(connection.unsolicited.pop(0))
            await self._wait_for_rows(connection)

    async def _wait_for_rows(self, connection: HubConnection) -> None:
        """Waits until a row is added, and meanwhile handles messages that the hub sends unasked."""
        assert self._new_rows is not None, "it runs"
        news = asyncio.create_task(self._new_rows.wait())
        try:
            while not news.done():
                if (found := await connection.receive_until(news)) is not None:
                    self._handle_message(found)
        finally:
            news.cancel()

    def _report(self, *, reached: bool, why: str, refused: bool = False, code: str = "") -> None:
        heard_at = time.monotonic() if reached else self.state.heard_at
        new = ClubState(self.state.club, reached, heard_at, why, refused, code)
        same = (new.reached, new.why) == (self.state.reached, self.state.why)
        self.state = new
        if not same:
            self._on_state(new)
