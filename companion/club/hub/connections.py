"""The connection of a box to the hub, over which it joins, or pushes its rows and gets the answers.

The hub accepts only signed messages, and acknowledges rows only after the commit. docs/hub.md lists
the messages.
"""

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final

from aiohttp import WSMsgType, web

from companion.club.box.keys import BOX_SEAL, SIGNATURE_BYTES, Head, identity_of, is_identity
from companion.club.box.protocol import (
    CLUB,
    HUB,
    LONGEST_MESSAGE,
    NONCE_BYTES,
    PROTOCOL,
    ROWS_AT_ONCE,
    JoiningSide,
    PushedRow,
    Session,
    check_protocol,
    joining_digits,
    read_hash,
    read_key,
    read_name,
    read_nonce,
    read_object,
    read_place,
    read_pushed,
    session_id,
)
from companion.club.hub.chains import chains_of
from companion.club.hub.database import Committer, UnavailableError
from companion.club.hub.federated_chains import (
    NO_CLUB,
    ChainPart,
    FederatedChains,
    boxes_of,
    check_seals,
    rows_of_chain,
)
from companion.club.hub.members import JoinRequests, Member, Members
from companion.club.hub.store import (
    MEMBER,
    THROWN_OUT,
    Acknowledged,
    Batch,
    BatchAnswer,
    HubStore,
    MissingRows,
    RefusedBatch,
    Unsealed,
    not_member_refusal,
    rows_after,
    rows_that_fit,
)
from companion.core.budgets import (
    FORKS,
    HUB_MESSAGES,
    ORGANISER_LINES,
    ROW_COUNT_REQUESTS,
    TABLES,
    Spending,
)
from companion.core.errors import EntryError
from companion.core.json_text import CHAINS, ROWS, is_whole
from companion.core.values import Json, dataclass
from companion.core.words import phrase
from companion.web.connection_limits import Visit, address_of_request, has_shaken_hands

# ---------------------------------------------------------------- connections of clubs
# Answers the hub of a club that is a member of this federation (docs/hub.md). That hub passes on
# the chains of its boxes, and can restore them from here.


CLUB_QUESTIONS: Final = ("box", "chain", "opens", "boxes", "rows-of")
"""The keys that mark a message as a club's request."""


class ClubConnection:
    """Answers the requests of one club that is a member of this federation. `member`: the club as
    the organiser accepted it, under the name that is shown."""

    def __init__(
        self, store: HubStore, committer: Committer, member: Member, spending: Spending
    ) -> None:
        self._spending = spending
        self._store, self._committer, self._club = store, committer, member
        self._kept = FederatedChains(store)
        self._keys: dict[str, bytes] = {}
        self._in_parts = False

    @property
    def club(self) -> str:
        """The club's identity."""
        return self._club.box

    async def answer(self, asked: dict[str, Any]) -> Json | BatchAnswer:
        """Answers a request. Raises EntryError if a club may not send it, and UnavailableError."""
        if "box" in asked:
            return await self._answer_box(asked)
        if "chain" in asked:
            return await self._answer_chain(asked)
        if "opens" in asked:
            return await self._answer_opens(asked)
        if "boxes" in asked:
            found = await self._committer.read(lambda: boxes_of(self._store.database, self.club))
            return {"boxes": found, "name": self._club.name}
        return await self._answer_rows_request(asked)

    async def _answer_box(self, asked: dict[str, Any]) -> Json:
        key, name = read_key(asked["box"]), read_name(asked.get("name"))
        read_name(asked.get("of"))
        state, kept, club = str(asked.get("state")), self._kept, self._club
        self._in_parts = in_parts = asked.get("parts") is True
        knows = partial(kept.knows, club.box, identity_of(key))
        if not await self._committer.read(knows) and not self._spending.spend(TABLES, club.box):
            raise UnavailableError("too many new tables at once: try again in a minute")
        await self._committer.change(lambda: kept.note_box(club.key, club.name, key, name, state))
        box = identity_of(key)
        self._keys[box] = key
        found = await self._committer.read(lambda: kept.chains(club.box, box, in_parts=in_parts))
        return {"chains": found}

    async def _answer_chain(self, asked: dict[str, Any]) -> BatchAnswer:
        box, number, parent, first, state = _read_chain(asked["chain"])
        if (key := self._keys.get(box)) is None:
            raise EntryError("name the box first")
        given = asked.get("rows")
        if not isinstance(given, list) or len(given) > ROWS_AT_ONCE:
            raise EntryError("a batch has {most} rows at most", most=ROWS_AT_ONCE)
        pushed = [read_pushed(one) for one in given]
        lost = None if asked.get("lost") is None else read_pushed(asked["lost"])
        seal, countersign = (
            b"" if asked.get(name) is None else read_hash(asked[name], SIGNATURE_BYTES)
            for name in ("seal", "countersign")
        )
        after = Head(*read_place(asked.get("after")))
        batch = Batch(self.club, box, after, pushed, seal, lost)
        part = ChainPart(batch, number, parent, first, state, countersign, self._in_parts)
        if pushed:
            check_seals(part, self._club.key, key)
        return await self._committer.change(lambda: self._kept.store_part(part))

    async def _answer_opens(self, asked: dict[str, Any]) -> Json:
        box, given = asked["opens"], asked.get("rows")
        if not is_identity(box) or not isinstance(given, list) or len(given) > ROWS_AT_ONCE:
            raise EntryError("those are not rows of a box")
        pushed, opens = [read_pushed(one) for one in given], self._kept.open_rows
        return {"opened": await self._committer.change(lambda: opens(self.club, box, pushed))}

    async def _answer_rows_request(self, asked: dict[str, Any]) -> Json:
        match asked.get("rows-of"), asked.get("after"):
            case [box, number], after if (
                is_identity(box) and is_whole(number, CHAINS) and is_whole(after, ROWS)
            ):
                pass
            case _:
                raise EntryError("a hub doesn't know that request")

        def read() -> list[object]:
            with self._store.database.reading() as db:
                chain = chains_of(db, self.club, box).get(number)
                found = rows_of_chain(db, chain.key, after, ROWS_AT_ONCE) if chain else []
            sealed = (row for row in found if chain and row.seq <= chain.head.seq)
            return [row.json for row in rows_that_fit(sealed)]

        return {"rows": await self._committer.read(read)}


def _read_chain(found: object) -> tuple[str, int, int | None, int, str]:
    match found:
        case [str(box), number, parent, first, ("live" | "aside") as state] if (
            is_whole(number, CHAINS)
            and (parent is None or is_whole(parent, CHAINS))
            and is_whole(first, ROWS)
            and first
        ):
            return box, number, parent, first, state
    raise EntryError("that is not a chain of a box")


# ---------------------------------------------------------------- connections of boxes

HANDSHAKE_S: Final = 10.0
"""Seconds that a box has for each message until it is known."""
HEARTBEAT_S: Final = 20.0
TRY_AGAIN_S: Final = 5
LONGEST_WAIT_S: Final = 2.0
"""The longest delay in seconds of each message from a box that sends too many."""
BOX_QUESTIONS: Final = ("rows", "where", "open", "give")
"""The keys that mark a message as a request that only boxes send."""
NO_BOX: Final = RefusedBatch(
    "club", "this member was accepted as a club: a box joins with a key of its own"
)


class _EndError(Exception):
    """Raised to end the handling of a connection."""


@dataclass(frozen=True, slots=True)
class HubServices:
    """The parts of the hub that every connection needs. `name`: the club's name. `note_rows` is
    called with a box after its rows were committed; `remark` is called with a line for the
    organiser."""

    store: HubStore
    members: Members
    committer: Committer
    name: str
    note_rows: Callable[[str], None]
    remark: Callable[[str], None]
    joinings: JoinRequests
    spending: Spending


class BoxConnection:
    """One connection of a box. `member` is set once the box is known."""

    def __init__(self, services: HubServices) -> None:
        self._services = services
        self._socket = web.WebSocketResponse(
            max_msg_size=LONGEST_MESSAGE, heartbeat=HEARTBEAT_S, compress=False, timeout=2.0
        )
        self._session: Session | None = None
        self._club_questions: ClubConnection | None = None
        self.member: Member | None = None
        self._address = ""
        """The address whose limits apply to the connection until the box is known."""

    async def serve(
        self,
        request: web.Request,
        connection: Visit,
        on_known: Callable[["BoxConnection"], None],
    ) -> web.StreamResponse:
        """Serves the box until it leaves; `on_known` is called once the box is known as a
        member."""
        self._address = address_of_request(request)
        if not await has_shaken_hands(self._socket, request):
            return web.Response()
        try:
            await self._serve_messages(connection, on_known)
        except (_EndError, ConnectionError, TimeoutError):
            pass
        except EntryError as error:
            who = self.member.name if self.member else request.remote or "somebody"
            whom = self.member.box if self.member else self._address
            if self._services.spending.spend(ORGANISER_LINES, whom):
                self._services.remark(phrase("{name}: {why}", name=who, why=error))
            await self._refuse("malformed", str(error))
        finally:
            await self._socket.close()
        return self._socket

    async def end(self) -> None:
        """Ends the connection because its box has opened another one."""
        await self._socket.close()

    async def send_unasked(self, message: dict[str, Any]) -> None:
        """Sends the box an unrequested message, such as a line for its display. If the message is a
        refusal, ends the connection."""
        await self._send(message)
        if "refused" in message:
            await self._socket.close()

    # ------------------------------------------------------------ identification

    async def _serve_messages(
        self, connection: Visit, on_known: Callable[["BoxConnection"], None]
    ) -> None:
        keys, nonce = self._services.store.keys, secrets.token_bytes(NONCE_BYTES)
        greeting = {
            "hub": PROTOCOL,
            "club": keys.public.hex(),
            "nonce": nonce.hex(),
            "name": self._services.name,
        }
        await self._socket.send_json(greeting)
        first = read_object(await self._receive(HANDSHAKE_S))
        if "join" in first:
            await self._join(read_hash(first["join"]))
            return
        check_protocol(first.get("hub"))
        key, its_nonce = read_key(first.get("box")), read_nonce(first.get("nonce"))
        together = session_id(key, its_nonce, keys.public, nonce)
        self._session = Session(keys, key, HUB, together)
        asked = self._session.verify_message(await self._receive(HANDSHAKE_S))
        try:
            found = await self._services.committer.read(lambda: self._services.members.box(key))
        except UnavailableError as error:
            await self._send({"wait": str(error), "seconds": TRY_AGAIN_S})
            return
        if not isinstance(found, Member) or found.state != "member":
            await self._refuse(*_refusal_of(found))
            return
        self.member = found
        connection.keep_open()
        on_known(self)
        while True:
            wait_s = self._services.spending.wait_s(HUB_MESSAGES, found.box)
            await asyncio.sleep(min(wait_s, LONGEST_WAIT_S))
            await self._answer(asked)
            asked = self._session.verify_message(await self._receive())

    async def _join(self, committed: bytes) -> None:
        """Handles a box's request to join, and stores its six digits for the organiser, who may
        accept it later."""
        services, address = self._services, self._address
        nonce = secrets.token_bytes(NONCE_BYTES)
        if not services.joinings.may_request_joining(address):
            await self._refuse("busy", "too many requests to join: try again in a minute")
            return
        mine = JoiningSide(services.store.keys.public, nonce, services.name)
        await self._socket.send_json({"commit": mine.commitment.hex()})
        found = read_object(await self._receive(HANDSHAKE_S))
        check_protocol(found.get("hub"))
        box = JoiningSide.read(found, committed)
        digits = joining_digits(box, mine)
        try:
            store = partial(services.joinings.store, box.key, box.name, digits, address, box.kind)
            await services.committer.change(store)
        except UnavailableError as error:
            await self._refuse("busy", str(error))
            return
        await self._socket.send_json(mine.json)
        services.remark(
            phrase(
                "{name} asks to join and shows {digits}: compare, then accept it",
                name=box.name,
                digits=digits,
            )
        )

    # ------------------------------------------------------------ requests

    async def _answer(self, asked: dict[str, Any]) -> None:
        try:
            await self._check_member(asked)
            if any(one in asked for one in CLUB_QUESTIONS):
                await self._answer_club(asked)
            elif "rows" in asked:
                await self._take_rows(asked)
            elif "where" in asked:
                await self._send_place(asked["where"])
            elif "open" in asked:
                await self._store_opened_rows(asked["open"])
            elif "give" in asked:
                await self._give_rows(Head(*read_place(asked["give"])))
            elif "name" in asked:
                read_name(asked["name"])
                await self._send({"hello": True})
            elif "leave" in asked:
                box = self._known_member.box
                await self._services.committer.change(lambda: self._services.members.leave(box))
                self._services.remark(
                    phrase("{name} has left the club", name=self._known_member.name)
                )
                await self._send({"left": True})
                raise _EndError
            else:
                raise EntryError("a hub doesn't know that request")
        except UnavailableError as error:
            self._services.remark(phrase("Not kept: {why}", why=error))
            await self._send({"wait": str(error), "seconds": TRY_AGAIN_S})

    @property
    def _known_member(self) -> Member:
        assert self.member is not None, "it is known"
        return self.member

    async def _check_member(self, asked: dict[str, Any]) -> None:
        """Ends the connection unless this member may send such requests: accepted by the organiser
        as this kind of member, and not expelled since."""
        member, as_club = self._known_member, any(one in asked for one in CLUB_QUESTIONS)
        found: Member | str | None = member
        if as_club or "rows" not in asked:  # for batches the store checks this itself
            found = await self._services.committer.read(
                lambda: self._services.members.box(member.key)
            )
        refused: RefusedBatch | None = None
        if not isinstance(found, Member) or found.state != MEMBER:
            refused = not_member_refusal(found.state if isinstance(found, Member) else None)
        elif as_club and found.kind != CLUB:
            refused = NO_CLUB
        elif not as_club and found.kind == CLUB and any(one in asked for one in BOX_QUESTIONS):
            refused = NO_BOX
        if refused is not None:
            self._services.remark(phrase("{name}: {why}", name=member.name, why=refused.why))
            await self._refuse(refused.code, refused.why)
            raise _EndError

    async def _take_rows(self, asked: dict[str, Any]) -> None:
        member, services = self._known_member, self._services
        pushed = _read_rows(asked["rows"])
        seal = read_hash(asked.get("seal"), SIGNATURE_BYTES)
        head = Head(pushed[-1].seq, pushed[-1].hash)
        if not head.has_valid_seal(member.key, seal, BOX_SEAL, member.club, member.box):
            raise EntryError("the seal of these rows is wrong: of another club or box")
        after = Head(*read_place(asked.get("after")))
        lost = None if asked.get("lost") is None else read_pushed(asked["lost"])
        batch = Batch(member.club, member.box, after, pushed, seal, lost)
        await self._send_answer(
            await services.committer.change(lambda: services.store.store_batch(batch))
        )

    async def _send_answer(self, answer: BatchAnswer) -> None:
        member, services = self._known_member, self._services
        match answer:
            case Acknowledged(have, countersign, added, fork):
                if added:
                    services.note_rows(member.box)
                if fork:
                    services.remark(phrase("{name} has two records: choose one", name=member.name))
                place = [have.seq, have.hash.hex()]
                await self._send({"have": place, "seal": countersign.hex(), "added": added})
            case Unsealed(newest, added):
                if added:
                    services.note_rows(member.box)
                await self._send({"kept": [newest.seq, newest.hash.hex()], "added": added})
            case MissingRows(seq):
                await self._send({"want": seq})
            case RefusedBatch(code, why):
                if code == "busy":
                    services.spending.note(FORKS, member.box)
                services.remark(phrase("{name}: {why}", name=member.name, why=why))
                await self._refuse(code, why)
                raise _EndError

    async def _answer_club(self, asked: dict[str, Any]) -> None:
        """Answers the hub of a club that is a member of this federation."""
        if self._club_questions is None:
            services = self._services
            self._club_questions = ClubConnection(
                services.store, services.committer, self._known_member, services.spending
            )
        answer = await self._club_questions.answer(asked)
        if isinstance(answer, dict):
            await self._send(answer)
        else:
            await self._send_answer(answer)

    async def _send_place(self, where: object) -> None:
        if not isinstance(where, list) or len(where) > ROW_COUNT_REQUESTS.most:
            raise EntryError("those are not rows")
        places, member = [Head(*read_place(one)) for one in where], self._known_member
        read = self._services.committer.read
        found = await read(
            lambda: self._services.store.find_newest_row(member.club, member.box, places)
        )
        if found is None:
            await self._send({"at": None})
            return
        at, head = found
        await self._send({"at": [at.seq, at.hash.hex()], "head": [head.seq, head.hash.hex()]})

    async def _store_opened_rows(self, opened: object) -> None:
        pushed, member = _read_rows(opened), self._known_member
        change = self._services.committer.change
        store = self._services.store
        many = await change(lambda: store.open_rows(member.club, member.box, pushed))
        self._services.note_rows(member.box)
        await self._send({"opened": many})

    async def _give_rows(self, place: Head) -> None:
        member, database = self._known_member, self._services.store.database
        read = self._services.committer.read
        found = await read(
            lambda: rows_after(database, member.club, member.box, place, ROWS_AT_ONCE)
        )
        await self._send({"rows": [row.json for row in found]})

    # ------------------------------------------------------------ reading and sending

    async def _receive(self, within_s: float | None = None) -> str:
        message = await asyncio.wait_for(self._socket.receive(), within_s)
        if message.type is not WSMsgType.TEXT:
            raise _EndError
        return str(message.data)

    async def _send(self, message: dict[str, Any]) -> None:
        if self._session is None:
            await self._socket.send_json(message)
        else:
            await self._socket.send_str(self._session.sign_message(message))

    async def _refuse(self, code: str, why: str) -> None:
        with suppress(ConnectionError):
            await self._send({"refused": code, "why": why})


def _read_rows(found: object) -> list[PushedRow]:
    if not isinstance(found, list) or not 0 < len(found) <= ROWS_AT_ONCE:
        raise EntryError("a batch has 1 to {most} rows", most=ROWS_AT_ONCE)
    return [read_pushed(one) for one in found]


def _refusal_of(found: Member | str | None) -> tuple[str, str]:
    """The code and the text of the refusal for a box that is not a member."""
    if found == "waiting":
        return "waiting", "the organiser has not accepted this box yet"
    if isinstance(found, Member) and found.state == "away":
        return "sent-away", THROWN_OUT
    return "unknown", "this box is no member of the club: join first"
